// RUN: ein-opt %s -ein-vectorize-tiles -split-input-file -verify-diagnostics

// Two inputs along different dims.
func.func @two_columns(%a: tensor<?x?x?xf32>, %c: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  // expected-error @+1 {{is no transposition that its schedule could be for}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k, j)>, affine_map<(i, j, k) -> (k, j, i)>,
                                        affine_map<(i, j, k) -> (i, j, k)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%a, %a : tensor<?x?x?xf32>, tensor<?x?x?xf32>) outs(%c : tensor<?x?x?xf32>)
    attrs = {ein.schedule = #ein.schedule<squares = 4>} {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

// -----

// Blocks that end in the middle of a square.
func.func @halves(%a: tensor<30x20xf32>, %b: tensor<20x30xf32>) -> tensor<20x30xf32> {
  // expected-error @+1 {{is no transposition that its schedule could be for}}
  %0 = linalg.transpose ins(%a : tensor<30x20xf32>) outs(%b : tensor<20x30xf32>) permutation = [1, 0]
         {ein.schedule = #ein.schedule<squares = 4, loops = [d0: 8, d1: 6]>}
  return %0 : tensor<20x30xf32>
}
