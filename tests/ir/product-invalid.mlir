// Each message of `ein.product`'s verifier, once.
// RUN: ein-opt %s -verify-diagnostics -split-input-file

func.func @no_inputs(%a: tensor<3xf32>, %b: tensor<5xi8>, %c: tensor<3xf32>, %d: tensor<3xf64>,
                  %e: tensor<3x3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{has no inputs}}
  %0 = "ein.product"(%c) <{indexing_maps = [affine_map<(i) -> (i)>], operandSegmentSizes = array<i32: 0, 0, 1, 0>,
    static_extents = array<i64: 3>}> : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @too_few_maps(%a: tensor<3xf32>, %b: tensor<5xi8>, %c: tensor<3xf32>, %d: tensor<3xf64>,
                  %e: tensor<3x3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{has 1 indexing maps for 2 inputs, conditions and an init}}
  %0 = ein.product indexing_maps = [affine_map<(i) -> (i)>] extents = [3]
         ins(%a : tensor<3xf32>) outs(%c : tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @other_result(%a: tensor<3xf32>, %b: tensor<5xi8>, %c: tensor<3xf32>, %d: tensor<3xf64>,
                  %e: tensor<3x3xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{has an init of type 'tensor<3xf32>' and a result of type 'tensor<?xf32>'}}
  %0 = ein.product indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>] extents = [3]
         ins(%a : tensor<3xf32>) outs(%c : tensor<3xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @other_dims(%a: tensor<3xf32>, %b: tensor<5xi8>, %c: tensor<3xf32>, %d: tensor<3xf64>,
                  %e: tensor<3x3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{has indexing map #1 that is not over a dim per extent}}
  %0 = ein.product indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i, j) -> (i)>] extents = [3]
         ins(%a : tensor<3xf32>) outs(%c : tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @other_rank(%a: tensor<3xf32>, %b: tensor<5xi8>, %c: tensor<3xf32>, %d: tensor<3xf64>,
                  %e: tensor<3x3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{has indexing map #0 with 2 results for an operand of rank 1}}
  %0 = ein.product indexing_maps = [affine_map<(i) -> (i, i)>, affine_map<(i) -> (i)>] extents = [3]
         ins(%a : tensor<3xf32>) outs(%c : tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @narrows(%a: tensor<3xf32>, %b: tensor<5xi8>, %c: tensor<3xf32>, %d: tensor<3xf64>,
                  %e: tensor<3x3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{cannot convert operand #0 from 'f64' to 'f32' without loss}}
  %0 = ein.product indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>] extents = [3]
         ins(%d : tensor<3xf64>) outs(%c : tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @negative(%a: tensor<3xf32>, %b: tensor<5xi8>, %c: tensor<3xf32>, %d: tensor<3xf64>,
                  %e: tensor<3x3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{has indexing map #0 with a result that is no sum of dims times positive numbers}}
  %0 = ein.product indexing_maps = [affine_map<(i) -> (-i)>, affine_map<(i) -> (i)>] extents = [3]
         ins(%a : tensor<3xf32>) outs(%c : tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @sum_of_condition(%a: tensor<3xf32>, %b: tensor<5xi8>, %c: tensor<3xf32>, %d: tensor<3xf64>,
                  %e: tensor<3x3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{has indexing map #1 with a result that is no dim}}
  %0 = ein.product indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (2 * i)>, affine_map<(i) -> (i)>]
         extents = [3] ins(%a : tensor<3xf32>) where(%b : tensor<5xi8>)
         outs(%c : tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @too_long(%a: tensor<3xf32>, %b: tensor<5xi8>, %c: tensor<3xf32>, %d: tensor<3xf64>,
                  %e: tensor<3x3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{has operand #0 with a dim of 3, whose map has 4 values}}
  %0 = ein.product indexing_maps = [affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> (i)>] extents = [3, 2]
         ins(%a : tensor<3xf32>) outs(%c : tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @unused_dim(%a: tensor<3xf32>, %b: tensor<5xi8>, %c: tensor<3xf32>, %d: tensor<3xf64>,
                  %e: tensor<3x3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{has a dim that no indexing map uses}}
  %0 = ein.product indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>] extents = [3, 2]
         ins(%a : tensor<3xf32>) outs(%c : tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @diagonal(%a: tensor<3xf32>, %b: tensor<5xi8>, %c: tensor<3xf32>, %d: tensor<3xf64>,
                  %e: tensor<3x3xf32>) -> tensor<3x3xf32> {
  // expected-error @+1 {{repeats dim d0 in its output map}}
  %0 = ein.product indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i, i)>] extents = [3]
         ins(%a : tensor<3xf32>) outs(%e : tensor<3x3xf32>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}

// -----

func.func @short_path(%a: tensor<3xf32>, %b: tensor<5xi8>, %c: tensor<3xf32>, %d: tensor<3xf64>,
                  %e: tensor<3x3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{has a path of 1 steps for 3 inputs}}
  %0 = ein.product indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>,
                                    affine_map<(i) -> (i)>] extents = [3] path = [array<i64: 0, 1>]
         ins(%a, %a, %a : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
         outs(%c : tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @twice_a_member(%a: tensor<3xf32>, %b: tensor<5xi8>, %c: tensor<3xf32>, %d: tensor<3xf64>,
                  %e: tensor<3x3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{has in group #1 the member 1, which is in another group already or is none}}
  %0 = ein.product indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>,
                                    affine_map<(i) -> (i)>] extents = [3]
         path = [array<i64: 0, 1>, array<i64: 1, 2>]
         ins(%a, %a, %a : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
         outs(%c : tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
