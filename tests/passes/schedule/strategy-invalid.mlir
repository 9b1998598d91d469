// A strategy may be written by hand, so its form is checked where it is read, and
// where others are chosen.
// RUN: ein-opt %s -ein-tile-contractions -verify-diagnostics -split-input-file
// RUN: ein-opt %s -ein-select-strategy -verify-diagnostics -split-input-file

func.func @no_tile(%a: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'linalg.contract' op has a malformed `ein.strategy`}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.strategy = {
           lhs = 0, m = 0, n = 1, k = 2, micro = array<i64: 6, 16>, kind = "packed_gemm"}}
         ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>)
         outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @short_tile(%a: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'linalg.contract' op has a malformed `ein.strategy`}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.strategy = {
           lhs = 0, m = 0, n = 1, k = 2, micro = array<i64: 6, 16>, tile = array<i64: 12, 64>, kind = "packed_gemm"}}
         ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>)
         outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @negative_tile(%a: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'linalg.contract' op has a malformed `ein.strategy`}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.strategy = {
           lhs = 0, m = 0, n = 1, k = 2, micro = array<i64: 6, 16>, tile = array<i64: 12, -64, 8>, kind = "packed_gemm"}}
         ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>)
         outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @tile_of_other_type(%a: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'linalg.contract' op has a malformed `ein.strategy`}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.strategy = {
           lhs = 0, m = 0, n = 1, k = 2, micro = array<i64: 6, 16>, tile = [12, 64, 8], kind = "packed_gemm"}}
         ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>)
         outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @no_permutation(%a: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'linalg.contract' op has a malformed `ein.strategy`}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.strategy = {
           lhs = 0, m = 0, n = 1, k = 2, micro = array<i64: 6, 16>, tile = array<i64: 12, 64, 8>, kind = "packed_gemm", interchange = array<i64: 0, 1, 1>}}
         ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>)
         outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @short_interchange(%a: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'linalg.contract' op has a malformed `ein.strategy`}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.strategy = {
           lhs = 0, m = 0, n = 1, k = 2, micro = array<i64: 6, 16>, tile = array<i64: 12, 64, 8>, kind = "packed_gemm", interchange = array<i64: 1, 0>}}
         ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>)
         outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @no_micro(%a: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'linalg.contract' op has a malformed `ein.strategy`}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.strategy = {
           lhs = 0, m = 0, n = 1, k = 2, tile = array<i64: 12, 64, 8>, kind = "packed_gemm"}}
         ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>)
         outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @micro_of_zero(%a: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'linalg.contract' op has a malformed `ein.strategy`}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.strategy = {
           lhs = 0, m = 0, n = 1, k = 2, micro = array<i64: 0, 16>, tile = array<i64: 12, 64, 8>, kind = "packed_gemm"}}
         ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>)
         outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @no_such_input(%a: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'linalg.contract' op has a malformed `ein.strategy`}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.strategy = {
           lhs = 2, m = 0, n = 1, k = 2, micro = array<i64: 6, 16>, tile = array<i64: 12, 64, 8>, kind = "packed_gemm"}}
         ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>)
         outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @no_such_dim(%a: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'linalg.contract' op has a malformed `ein.strategy`}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.strategy = {
           lhs = 0, m = 3, n = 1, k = 2, micro = array<i64: 6, 16>, tile = array<i64: 12, 64, 8>, kind = "packed_gemm"}}
         ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>)
         outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @no_k(%a: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'linalg.contract' op has a malformed `ein.strategy`}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.strategy = {
           lhs = 0, m = 0, n = 1, micro = array<i64: 6, 16>, tile = array<i64: 12, 64, 8>, kind = "packed_gemm"}}
         ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>)
         outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @same_dims(%a: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'linalg.contract' op has a malformed `ein.strategy`}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.strategy = {
           lhs = 0, m = 0, n = 1, k = 1, micro = array<i64: 6, 16>, tile = array<i64: 12, 64, 8>, kind = "packed_gemm"}}
         ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>)
         outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @group(%a: tensor<?x?xi16>, %c: tensor<?x?xi32>) -> tensor<?x?xi32> {
  // expected-error @+1 {{'linalg.contract' op has a malformed `ein.strategy`}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.strategy = {
           lhs = 0, m = 0, n = 1, k = 2, k_pack = 3, micro = array<i64: 6, 16>, tile = array<i64: 12, 64, 8>, kind = "packed_gemm"}}
         ins(%a, %a : tensor<?x?xi16>, tensor<?x?xi16>)
         outs(%c : tensor<?x?xi32>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// -----

func.func @pack_of_one(%a: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'linalg.contract' op has a malformed `ein.strategy`}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.strategy = {
           lhs = 0, m = 0, n = 1, k = 2, micro = array<i64: 6, 16>, tile = array<i64: 12, 64, 8>, pack = array<i1: false>,
           kind = "packed_gemm"}}
         ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>)
         outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @pack_of_both(%a: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'linalg.contract' op has a malformed `ein.strategy`}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.strategy = {
           lhs = 0, m = 0, n = 1, k = 2, micro = array<i64: 6, 16>, tile = array<i64: 12, 64, 8>, pack = array<i1: true, true>,
           kind = "packed_gemm"}}
         ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>)
         outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @wide_edge(%a: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'linalg.contract' op has a malformed `ein.strategy`}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.strategy = {
           lhs = 0, m = 0, n = 1, k = 2, micro = array<i64: 6, 16>, tile = array<i64: 12, 64, 8>, col_remainder = array<i64: 6, 32>,
           kind = "packed_gemm"}}
         ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>)
         outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @small_of_none(%a: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'linalg.contract' op has a malformed `ein.strategy`}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.strategy = {
           lhs = 0, m = 0, n = 1, k = 2, micro = array<i64: 6, 16>, tile = array<i64: 12, 64, 8>,
           small_version = array<i64: 6, 16>, kind = "packed_gemm"}}
         ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>)
         outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @dot_without_step(%a: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'linalg.contract' op has a malformed `ein.strategy`}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.strategy = {kind = "dot", lhs = 0, m = 0, n = 1, k = 2, micro = array<i64: 4, 6>,
           tile = array<i64: 4, 6, 0>}}
         ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>)
         outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @dot_without_columns(%a: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'linalg.contract' op has a malformed `ein.strategy`}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.strategy = {kind = "dot", lhs = 0, m = 0, k = 2, micro = array<i64: 4, 1>,
           step = array<i64: 16, 1>, tile = array<i64: 4, 1, 0>}}
         ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>)
         outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @dot_far_prefetch(%a: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'linalg.contract' op has a malformed `ein.strategy`}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.strategy = {kind = "dot", lhs = 0, m = 0, n = 1, k = 2, micro = array<i64: 4, 6>,
           prefetch = 1000, step = array<i64: 16, 1>, tile = array<i64: 4, 6, 0>}}
         ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>)
         outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @dot_without_groups(%a: tensor<?x?xi8>, %c: tensor<?x?xi32>) -> tensor<?x?xi32> {
  // expected-error @+1 {{'linalg.contract' op has a malformed `ein.strategy`}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.strategy = {dot = {bits = 512, by = "llvm.x"},
           lhs = 0, m = 0, n = 1, k = 2, micro = array<i64: 6, 16>, tile = array<i64: 12, 64, 8>, kind = "packed_gemm"}}
         ins(%a, %a : tensor<?x?xi8>, tensor<?x?xi8>)
         outs(%c : tensor<?x?xi32>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// -----

func.func @dot_of_other_name(%a: tensor<?x?xi8>, %c: tensor<?x?xi32>) -> tensor<?x?xi32> {
  // expected-error @+1 {{'linalg.contract' op has a malformed `ein.strategy`}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.strategy = {k_pack = 4, dot = {by = "vpdpbusd"},
           lhs = 0, m = 0, n = 1, k = 2, micro = array<i64: 6, 16>, tile = array<i64: 12, 64, 8>, kind = "packed_gemm"}}
         ins(%a, %a : tensor<?x?xi8>, tensor<?x?xi8>)
         outs(%c : tensor<?x?xi32>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// -----

func.func @dot_of_no_width(%a: tensor<?x?xi8>, %c: tensor<?x?xi32>) -> tensor<?x?xi32> {
  // expected-error @+1 {{'linalg.contract' op has a malformed `ein.strategy`}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.strategy = {k_pack = 4, dot = {by = "llvm.x"},
           lhs = 0, m = 0, n = 1, k = 2, micro = array<i64: 6, 16>, tile = array<i64: 12, 64, 8>, kind = "packed_gemm"}}
         ins(%a, %a : tensor<?x?xi8>, tensor<?x?xi8>)
         outs(%c : tensor<?x?xi32>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// -----

func.func @dot_of_rows(%a: tensor<?x?xi8>, %c: tensor<?x?xi32>) -> tensor<?x?xi32> {
  // expected-error @+1 {{'linalg.contract' op has a malformed `ein.strategy`}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.strategy = {k_pack = 8, dot = {bits = 512, by = "llvm.x", rows = 3},
           lhs = 0, m = 0, n = 1, k = 2, micro = array<i64: 6, 16>, tile = array<i64: 12, 64, 8>, kind = "packed_gemm"}}
         ins(%a, %a : tensor<?x?xi8>, tensor<?x?xi8>)
         outs(%c : tensor<?x?xi32>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// -----

func.func @groups_of_three(%a: tensor<?x?xi8>, %c: tensor<?x?xi32>) -> tensor<?x?xi32> {
  // expected-error @+1 {{'linalg.contract' op has a malformed `ein.strategy`}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.strategy = {k_pack = 3,
           lhs = 0, m = 0, n = 1, k = 2, micro = array<i64: 6, 16>, tile = array<i64: 12, 64, 8>, kind = "packed_gemm"}}
         ins(%a, %a : tensor<?x?xi8>, tensor<?x?xi8>)
         outs(%c : tensor<?x?xi32>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}
