// RUN: ein-opt %s -ein-vectorize -canonicalize -split-input-file -verify-diagnostics | FileCheck %s

#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// A loop over k; each step reads one row of each panel and the whole tile.
// CHECK-LABEL: func @panels
// CHECK-SAME: %[[A:[^:]*]]: tensor<?x4xf32>, %[[B:[^:]*]]: tensor<?x8xf32>, %[[C:[^:]*]]: tensor<4x8xf32>
// CHECK-NOT: linalg.contract
// CHECK: scf.for %[[K:.*]] = %c0 to %{{.*}} step %c1 iter_args(%[[CARRIED:.*]] = %[[C]])
// CHECK: vector.transfer_read {{.*}} vector<1x4xf32>
// CHECK: vector.transfer_read {{.*}} vector<1x8xf32>
// CHECK: vector.transfer_read {{.*}} vector<4x8xf32>
// CHECK: vector.contract {{.*}}kind = #vector.kind<add>{{.*}} : vector<1x4xf32>, vector<1x8xf32> into vector<4x8xf32>
// CHECK: vector.transfer_write {{.*}} : vector<4x8xf32>, tensor<4x8xf32>
func.func @panels(%a: tensor<?x4xf32>, %b: tensor<?x8xf32>, %c: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  %0 = linalg.contract indexing_maps = [#km, #kn, #mn]
         {ein.strategy = {kind = "packed_gemm", lhs = 0, m = 0, n = 1, k = 2,
                          micro = array<i64: 4, 8>, tile = array<i64: 0, 0, 1>}}
         ins(%a, %b : tensor<?x4xf32>, tensor<?x8xf32>)
         outs(%c : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// Where a step of k is a pair, the row of each panel is one of pairs, and the
// contraction is of narrow integers into wide ones.
// CHECK-LABEL: func @pairs
// CHECK: scf.for
// CHECK: %[[X:.*]] = vector.transfer_read {{.*}} vector<1x4x2xi16>
// CHECK: %[[Y:.*]] = vector.transfer_read {{.*}} vector<1x8x2xi16>
// CHECK: vector.contract {{.*}}iterator_types = ["parallel", "parallel", "reduction", "reduction"]{{.*}} %[[X]], %[[Y]], {{.*}} : vector<1x4x2xi16>, vector<1x8x2xi16> into vector<4x8xi32>
func.func @pairs(%a: tensor<?x4x2xi16>, %b: tensor<?x8x2xi16>, %c: tensor<4x8xi32>)
    -> tensor<4x8xi32> {
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k, p) -> (k, m, p)>, affine_map<(m, n, k, p) -> (k, n, p)>,
                                        affine_map<(m, n, k, p) -> (m, n)>]
         {ein.strategy = {kind = "packed_gemm", lhs = 0, m = 0, n = 1, k = 2, kgroup = 2,
                          micro = array<i64: 4, 8>, tile = array<i64: 0, 0, 1, 0>}}
         ins(%a, %b : tensor<?x4x2xi16>, tensor<?x8x2xi16>)
         outs(%c : tensor<4x8xi32>) -> tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// -----

// A static elementwise tile becomes vector code.
// CHECK-LABEL: func @tile
// CHECK-NOT: linalg.generic
// CHECK: vector.transfer_read
// CHECK: arith.addf {{.*}} : vector<{{(1x)?}}8xf32>
// CHECK: vector.transfer_write
func.func @tile(%a: tensor<1x8xf32>, %c: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<1x8xf32>) outs(%c : tensor<1x8xf32>)
    attrs = {ein.strategy = {kind = "vectorize", tile = array<i64: 1, 8>, vector_dim = 1}} {
  ^bb0(%x: f32, %z: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<1x8xf32>
  return %0 : tensor<1x8xf32>
}

// -----

// The incomplete tile, and other strategies, stay linalg: scalar loops later.
// CHECK-LABEL: func @alone
// CHECK: linalg.generic
// CHECK: linalg.contract
// CHECK-NOT: vector.
func.func @alone(%a: tensor<1x?xf32>, %b: tensor<4x4xf32>) -> (tensor<1x?xf32>, tensor<4x4xf32>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<1x?xf32>) outs(%a : tensor<1x?xf32>)
    attrs = {ein.strategy = {kind = "vectorize", tile = array<i64: 1, 8>, vector_dim = 1}} {
  ^bb0(%x: f32, %z: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<1x?xf32>
  %1 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>,
                                        affine_map<(m, n, k) -> (m, n)>]
         {ein.strategy = {kind = "loops"}}
         ins(%b, %b : tensor<4x4xf32>, tensor<4x4xf32>)
         outs(%b : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0, %1 : tensor<1x?xf32>, tensor<4x4xf32>
}

// -----

// Without packing there is no static tile to make vectors of.
func.func @unpacked(%a: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{cannot be vectorised}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>,
                                        affine_map<(m, n, k) -> (m, n)>]
         {ein.strategy = {kind = "packed_gemm", lhs = 0, m = 0, n = 1, k = 2,
                          micro = array<i64: 4, 8>, tile = array<i64: 0, 0, 1>}}
         ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>)
         outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
