// Each message of `ein.einsum`'s verifier, once.
// RUN: ein-opt %s -verify-diagnostics -split-input-file

func.func @no_inputs(%c: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{'ein.einsum' op has no inputs}}
  %0 = "ein.einsum"(%c) {indexing_maps = [affine_map<(i) -> (i)>]}
    : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @too_few_maps(%a: tensor<3xf32>, %c: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{has 1 indexing maps for 2 operands}}
  %0 = ein.einsum indexing_maps = [affine_map<(i) -> (i)>]
         ins(%a : tensor<3xf32>) outs(%c : tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @other_result(%a: tensor<3xf32>, %c: tensor<3xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{has an init of type 'tensor<3xf32>' and a result of type 'tensor<?xf32>'}}
  %0 = ein.einsum indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>]
         ins(%a : tensor<3xf32>) outs(%c : tensor<3xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @other_dims(%a: tensor<3xf32>, %c: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{has indexing map #1 over other dims than the first one}}
  %0 = ein.einsum indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i, j) -> (i)>]
         ins(%a : tensor<3xf32>) outs(%c : tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @symbol(%a: tensor<3xf32>, %c: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{has indexing map #0 over other dims than the first one}}
  %0 = ein.einsum indexing_maps = [affine_map<(i)[s] -> (i)>, affine_map<(i) -> (i)>]
         ins(%a : tensor<3xf32>) outs(%c : tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @other_rank(%a: tensor<3x4xf32>, %c: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{has indexing map #0 with 1 results for an operand of rank 2}}
  %0 = ein.einsum indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>]
         ins(%a : tensor<3x4xf32>) outs(%c : tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @narrows(%a: tensor<3xf32>, %b: tensor<3xf64>, %c: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{cannot convert operand #1 from 'f64' to 'f32' without loss}}
  %0 = ein.einsum indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>,
                                   affine_map<(i) -> (i)>]
         ins(%a, %b : tensor<3xf32>, tensor<3xf64>) outs(%c : tensor<3xf32>)
         -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @integers(%a: tensor<3xi32>, %c: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{cannot convert operand #0 from 'i32' to 'f32' without loss}}
  %0 = ein.einsum indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>]
         ins(%a : tensor<3xi32>) outs(%c : tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @not_a_dim(%a: tensor<3xf32>, %c: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{has indexing map #0 with a result that is not a dim}}
  %0 = ein.einsum indexing_maps = [affine_map<(i) -> (i + 1)>, affine_map<(i) -> (i)>]
         ins(%a : tensor<3xf32>) outs(%c : tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @other_extents(%a: tensor<3x?xf32>, %b: tensor<?x4xf32>, %c: tensor<5xf32>)
    -> tensor<5xf32> {
  // expected-error @+1 {{gives dim d1 the extents 4 and 5}}
  %0 = ein.einsum indexing_maps = [affine_map<(k, i) -> (k, i)>,
                                   affine_map<(k, i) -> (k, i)>,
                                   affine_map<(k, i) -> (i)>]
         ins(%a, %b : tensor<3x?xf32>, tensor<?x4xf32>) outs(%c : tensor<5xf32>)
         -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

func.func @unused_dim(%a: tensor<3xf32>, %c: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{has a dim that no indexing map uses}}
  %0 = ein.einsum indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>]
         ins(%a : tensor<3xf32>) outs(%c : tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @repeated_output(%a: tensor<3xf32>, %c: tensor<3x3xf32>) -> tensor<3x3xf32> {
  // expected-error @+1 {{repeats dim d0 in its output map}}
  %0 = ein.einsum indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i, i)>]
         ins(%a : tensor<3xf32>) outs(%c : tensor<3x3xf32>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}

// -----

func.func @memref(%a: memref<3xf32>, %c: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{operand #0 must be variadic of ranked tensor}}
  %0 = "ein.einsum"(%a, %c) {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>]}
    : (memref<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @lone_member(%a: tensor<3xf32>, %c: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{has group #0 of fewer than two}}
  %0 = ein.einsum indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>,
                                   affine_map<(i) -> (i)>] path = [array<i64: 1>]
         ins(%a, %a : tensor<3xf32>, tensor<3xf32>) outs(%c : tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @later_member(%a: tensor<3xf32>, %c: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{has in group #0 the member 3, which is in another group already or is none}}
  %0 = ein.einsum indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>,
                                   affine_map<(i) -> (i)>, affine_map<(i) -> (i)>]
         path = [array<i64: 1, 3>, array<i64: 0, 2>]
         ins(%a, %a, %a : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
         outs(%c : tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @twice_a_member(%a: tensor<3xf32>, %c: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{has in group #1 the member 1, which is in another group already or is none}}
  %0 = ein.einsum indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>,
                                   affine_map<(i) -> (i)>, affine_map<(i) -> (i)>]
         path = [array<i64: 0, 1>, array<i64: 1, 2>]
         ins(%a, %a, %a : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
         outs(%c : tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @shared_with_itself(%a: tensor<4x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{has shared product #0, which is not one of two}}
  %0 = ein.einsum indexing_maps = [affine_map<(i, j, k) -> (i, j)>,
                                   affine_map<(i, j, k) -> (j, k)>,
                                   affine_map<(i, j, k) -> (i, k)>,
                                   affine_map<(i, j, k) -> (i, k)>] shared = [array<i64: 1, 1>]
         ins(%a, %a, %a : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
         outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @shared_of_all(%a: tensor<4x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{has shared product #1 of all inputs, or of those of another one}}
  %0 = ein.einsum indexing_maps = [affine_map<(i, j, k) -> (i, j)>,
                                   affine_map<(i, j, k) -> (j, k)>,
                                   affine_map<(i, j, k) -> (i, k)>,
                                   affine_map<(i, j, k) -> (i, k)>]
         shared = [array<i64: 0, 1>, array<i64: 3, 2>]
         ins(%a, %a, %a : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
         outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
