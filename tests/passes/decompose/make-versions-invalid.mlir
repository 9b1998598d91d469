// Schedules that somebody has written.
// RUN: ein-opt %s --split-input-file --verify-diagnostics -ein-make-versions

func.func @two(%a: tensor<?x?xf32>, %c0: tensor<?xf32>, %c1: tensor<?xf32>)
    -> (tensor<?xf32>, tensor<?xf32>) {
  // expected-error @+1 {{has alternatives, and not one tensor as its result}}
  %0:2 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>,
                                          affine_map<(m, n) -> (m)>],
                       iterator_types = ["parallel", "reduction"],
                       ein.schedule = #ein.schedule<loops = [d0: 1, d1], vector = d1: 16,
                         accumulators = 4, alternatives = [if d1 at_most 100 then
                           <loops = [d0: 1, d1], vector = d1: 16, accumulators = 1>]>}
         ins(%a : tensor<?x?xf32>) outs(%c0, %c1 : tensor<?xf32>, tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %sum = arith.addf %x, %y : f32
    %sum2 = arith.addf %x, %z : f32
    linalg.yield %sum, %sum2 : f32, f32
  } -> (tensor<?xf32>, tensor<?xf32>)
  return %0#0, %0#1 : tensor<?xf32>, tensor<?xf32>
}

// -----

func.func @dims(%a: tensor<?x?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{has no d2, which its schedule names}}
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>],
                       iterator_types = ["parallel", "reduction"],
                       ein.schedule = #ein.schedule<alternatives = [if d2 at_most 100 then
                           <loops = [d0: 1, d1], vector = d1: 16, accumulators = 1>]>}
         ins(%a : tensor<?x?xf32>) outs(%c : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %sum = arith.addf %x, %y : f32
    linalg.yield %sum : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
