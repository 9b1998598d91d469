// A sum of quotients by a number is divided behind the sum; its terms are scaled
// by a power of two, so that nothing overflows that did not.
// RUN: ein-opt %s -ein-divide-sums | FileCheck %s

#in = affine_map<(c, h) -> (h, c)>
#out = affine_map<(c, h) -> (c)>

// CHECK-LABEL: func @mean
// CHECK: %[[FILL:.*]] = linalg.fill
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} outs(%[[FILL]] :
// CHECK: %[[SCALE:.*]] = arith.constant 1.562500e-02 : f32
// CHECK: %[[TERM:.*]] = arith.mulf %{{.*}}, %[[SCALE]]
// CHECK: arith.addf %{{.*}}, %[[TERM]]
// CHECK: %[[MEAN:.*]] = linalg.generic {{.*}} outs(%[[SUM]] :
// CHECK: %[[REST:.*]] = arith.constant 7.656250e-01 : f32
// CHECK: arith.divf %{{.*}}, %[[REST]]
// CHECK: return %[[MEAN]]
func.func @mean(%x: tensor<49x64xf32>, %o: tensor<64xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 49.0 : f32
  %start = linalg.fill ins(%zero : f32) outs(%o : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "reduction"]}
         ins(%x : tensor<49x64xf32>) outs(%start : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.divf %a, %n : f32
    %2 = arith.addf %b, %1 fastmath<reassoc,contract> : f32
    linalg.yield %2 : f32
  } -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// The sign goes with the power: a sum of zeros is 0, and is not divided by a
// negative number.
// CHECK-LABEL: func @negative
// CHECK: arith.constant -1.250000e-01 : f32
// CHECK: arith.mulf
// CHECK: arith.constant 7.500000e-01 : f32
// CHECK: arith.divf
func.func @negative(%x: tensor<49x64xf32>, %o: tensor<64xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant -6.0 : f32
  %start = linalg.fill ins(%zero : f32) outs(%o : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "reduction"]}
         ins(%x : tensor<49x64xf32>) outs(%start : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.divf %a, %n : f32
    %2 = arith.addf %b, %1 fastmath<reassoc,contract> : f32
    linalg.yield %2 : f32
  } -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// What the result holds is not to be divided; a sum in its order is as it is
// written; a divisor that is no number stays, and so does one of which no power
// of two is near.
// CHECK-LABEL: func @stay
// CHECK-COUNT-4: arith.divf %in
// CHECK-NOT: arith.divf
func.func @stay(%x: tensor<49x64xf32>, %d: f32, %o: tensor<64xf32>)
    -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 49.0 : f32
  %large = arith.constant 1.0e38 : f32
  %start = linalg.fill ins(%zero : f32) outs(%o : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "reduction"]}
         ins(%x : tensor<49x64xf32>) outs(%o : tensor<64xf32>) {
  ^bb0(%in: f32, %b: f32):
    %8 = arith.divf %in, %n : f32
    %9 = arith.addf %b, %8 fastmath<reassoc,contract> : f32
    linalg.yield %9 : f32
  } -> tensor<64xf32>
  %1 = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "reduction"]}
         ins(%x : tensor<49x64xf32>) outs(%start : tensor<64xf32>) {
  ^bb0(%in: f32, %b: f32):
    %8 = arith.divf %in, %n : f32
    %9 = arith.addf %b, %8 : f32
    linalg.yield %9 : f32
  } -> tensor<64xf32>
  %2 = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "reduction"]}
         ins(%x : tensor<49x64xf32>) outs(%start : tensor<64xf32>) {
  ^bb0(%in: f32, %b: f32):
    %8 = arith.divf %in, %d : f32
    %9 = arith.addf %b, %8 fastmath<reassoc,contract> : f32
    linalg.yield %9 : f32
  } -> tensor<64xf32>
  %3 = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "reduction"]}
         ins(%x : tensor<49x64xf32>) outs(%start : tensor<64xf32>) {
  ^bb0(%in: f32, %b: f32):
    %8 = arith.divf %in, %large : f32
    %9 = arith.addf %b, %8 fastmath<reassoc,contract> : f32
    linalg.yield %9 : f32
  } -> tensor<64xf32>
  return %0, %1, %2, %3 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}
