// A reduction in parts. Tests of the numbers: driver/threads.test.
// RUN: ein-opt %s --ein-split-sums --split-input-file | FileCheck %s

// 70000 = 32 * 2176 + 368: 32 parts of 136 cache lines, and what they leave.
// CHECK-LABEL: func @dot
// CHECK: %[[X:.*]] = tensor.extract_slice %arg0[0] [69632] [1]
// CHECK: %[[XS:.*]] = tensor.expand_shape %[[X]] {{.*}} into tensor<32x2176xf32>
// CHECK: %[[YS:.*]] = tensor.expand_shape {{.*}} into tensor<32x2176xf32>
// CHECK: %[[NEUTRAL:.*]] = arith.constant -0.0
// CHECK: %[[START:.*]] = linalg.fill ins(%[[NEUTRAL]]
// CHECK: %[[PARTS:.*]] = linalg.contract {{.*}} ins(%[[XS]], %[[YS]] {{.*}} outs(%[[START]] : tensor<32xf32>)
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}}iterator_types = ["reduction"]} ins(%[[PARTS]] {{.*}} outs(%arg2
// CHECK-SAME: #ein.schedule<>
// CHECK: arith.addf {{.*}} fastmath<reassoc,contract>
// CHECK: %[[REST:.*]] = tensor.extract_slice %arg0[69632] [368] [1]
// CHECK: linalg.contract {{.*}} ins(%[[REST]], {{.*}} outs(%[[SUM]]
func.func @dot(%a: tensor<70000xf32>, %b: tensor<70000xf32>, %c: tensor<f32>) -> tensor<f32> {
  %0 = linalg.contract
         indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>]
         {ein.schedule = #ein.schedule<split = d0, parts = 32, grain = 256>}
         ins(%a, %b : tensor<70000xf32>, tensor<70000xf32>) outs(%c : tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Nothing is left: one product per part, and B keeps its order. An operand
// without k is read by all parts.
// CHECK-LABEL: func @product
// CHECK-SAME: %[[A:.*]]: tensor<4096x8xf32>
// CHECK: tensor.expand_shape %{{.*}} into tensor<16x256x8xf32>
// CHECK: tensor.expand_shape %{{.*}} into tensor<5x16x256xf32>
// CHECK: linalg.contract {{.*}} outs({{.*}} : tensor<16x8x5xf32>)
// CHECK-NOT: linalg.contract
// CHECK: return
func.func @product(%a: tensor<4096x8xf32>, %b: tensor<5x4096xf32>, %c: tensor<8x5xf32>) -> tensor<8x5xf32> {
  %0 = linalg.contract
         indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>,
                          affine_map<(m, n, k) -> (m, n)>]
         {ein.schedule = #ein.schedule<split = d2, parts = 32, grain = 256>}
         ins(%a, %b : tensor<4096x8xf32>, tensor<5x4096xf32>) outs(%c : tensor<8x5xf32>) -> tensor<8x5xf32>
  return %0 : tensor<8x5xf32>
}

// -----

// Another kind, of dynamic length: the code counts the parts, one at least.
// CHECK-LABEL: func @largest
// CHECK: %[[K:.*]] = tensor.dim %arg0
// CHECK: %[[N:.*]] = arith.divui %[[K]], %c256
// CHECK: %[[SOME:.*]] = arith.maxui %[[N]], %c1
// CHECK: %[[PARTS:.*]] = arith.minui %[[SOME]], %c32
// CHECK: arith.constant 0xFF800000
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]}
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction"]}
// CHECK: arith.maximumf
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction"]}
// CHECK: arith.maximumf
func.func @largest(%a: tensor<?xf32>, %c: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>],
                       iterator_types = ["reduction"]}
         ins(%a : tensor<?xf32>) outs(%c : tensor<f32>)
         attrs = {ein.schedule = #ein.schedule<split = d0, parts = 32, grain = 256>} {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.maximumf %out, %in : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Of complex numbers both parts.
// CHECK-LABEL: func @complex
// CHECK: %[[NEUTRAL:.*]] = complex.constant [-0.0{{.*}} : f32, -0.0{{.*}} : f32]
// CHECK: linalg.fill ins(%[[NEUTRAL]]
// CHECK: linalg.contract {{.*}} outs(%{{.*}} : tensor<16x8x5xcomplex<f32>>)
// CHECK: complex.add %{{.*}}, %{{.*}} fastmath<reassoc,contract>
// CHECK-NOT: linalg.contract
func.func @complex(%a: tensor<4096x8xcomplex<f32>>, %b: tensor<5x4096xcomplex<f32>>,
                   %c: tensor<8x5xcomplex<f32>>) -> tensor<8x5xcomplex<f32>> {
  %0 = linalg.contract
         indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>,
                          affine_map<(m, n, k) -> (m, n)>]
         {ein.schedule = #ein.schedule<split = d2, parts = 32, grain = 256>}
         ins(%a, %b : tensor<4096x8xcomplex<f32>>, tensor<5x4096xcomplex<f32>>)
         outs(%c : tensor<8x5xcomplex<f32>>) -> tensor<8x5xcomplex<f32>>
  return %0 : tensor<8x5xcomplex<f32>>
}
