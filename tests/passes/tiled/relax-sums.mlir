// RUN: ein-opt %s -ein-relax-sums | FileCheck %s
// What stays loops may add in any order, and keeps what is said of it.

#k = affine_map<(d0) -> (d0)>
#s = affine_map<(d0) -> ()>

// CHECK-LABEL: func @dot
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction"]
// CHECK-SAME: ein.schedule = #ein.schedule<>, mine
// CHECK: %[[P:.*]] = arith.mulf %{{.*}}, %{{.*}} fastmath<contract> : f32
// CHECK: arith.addf %{{.*}}, %[[P]] fastmath<reassoc,contract> : f32
func.func @dot(%x: tensor<?xf32>, %y: tensor<?xf32>, %s: tensor<f32>) -> tensor<f32> {
  %0 = linalg.contract indexing_maps = [#k, #k, #s] {ein.schedule = #ein.schedule<>, mine}
         ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%s : tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// What is packed is no loop, and a fill no contraction.
// CHECK-LABEL: func @others
// CHECK: linalg.matmul
// CHECK: linalg.fill
func.func @others(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.matmul {ein.schedule = #ein.schedule<loops = [d0: 4, d1: 4, d2: 8], rows = d0: 4, columns = d1: 4, sums = d2, vector = d1, operands = [packed, packed]>}
         ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.fill {ein.schedule = #ein.schedule<>} ins(%zero : f32) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0, %1 : tensor<4x4xf32>, tensor<4x4xf32>
}

// CHECK-LABEL: func @complex
// CHECK: %[[P:.*]] = complex.mul %{{.*}}, %{{.*}} fastmath<contract>
// CHECK: complex.add %{{.*}}, %[[P]] fastmath<reassoc,contract>
func.func @complex(%x: tensor<?xcomplex<f32>>, %y: tensor<?xcomplex<f32>>, %s: tensor<complex<f32>>)
    -> tensor<complex<f32>> {
  %0 = linalg.contract indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>]
         {ein.schedule = #ein.schedule<>}
         ins(%x, %y : tensor<?xcomplex<f32>>, tensor<?xcomplex<f32>>) outs(%s : tensor<complex<f32>>)
         -> tensor<complex<f32>>
  return %0 : tensor<complex<f32>>
}
