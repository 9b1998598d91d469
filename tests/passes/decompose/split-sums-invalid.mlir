// Schedules that a reduction cannot have.
// RUN: ein-opt %s --ein-split-sums --split-input-file --verify-diagnostics

// Floats of which nothing says that they may be added in another order.
func.func @ordered(%a: tensor<?xf32>, %c: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{cannot be split: its values must be combined in their order}}
  %0 = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>],
                       iterator_types = ["reduction"]}
         ins(%a : tensor<?xf32>) outs(%c : tensor<f32>)
         attrs = {ein.schedule = #ein.schedule<split = d0, parts = 32, grain = 256>} {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %out, %in : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @not_reduced(%a: tensor<9x?xi32>, %c: tensor<9xi32>) -> tensor<9xi32> {
  // expected-error @+1 {{cannot be split: it does not reduce that dim}}
  %0 = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m)>],
                       iterator_types = ["parallel", "reduction"]}
         ins(%a : tensor<9x?xi32>) outs(%c : tensor<9xi32>)
         attrs = {ein.schedule = #ein.schedule<split = d0, parts = 32, grain = 256>} {
  ^bb0(%in: i32, %out: i32):
    %1 = arith.addi %out, %in : i32
    linalg.yield %1 : i32
  } -> tensor<9xi32>
  return %0 : tensor<9xi32>
}
