// RUN: ein-opt %s -ein-relax-sums | FileCheck %s
// What stays loops may add in any order, and keeps what is said of it.

#k = affine_map<(d0) -> (d0)>
#s = affine_map<(d0) -> ()>

// CHECK-LABEL: func @dot
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction"]
// CHECK-SAME: ein.strategy = {kind = "loops"}, mine
// CHECK: %[[P:.*]] = arith.mulf %{{.*}}, %{{.*}} fastmath<contract> : f32
// CHECK: arith.addf %{{.*}}, %[[P]] fastmath<reassoc,contract> : f32
func.func @dot(%x: tensor<?xf32>, %y: tensor<?xf32>, %s: tensor<f32>) -> tensor<f32> {
  %0 = linalg.contract indexing_maps = [#k, #k, #s] {ein.strategy = {kind = "loops"}, mine}
         ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%s : tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// What is packed is no loop, and a fill no contraction.
// CHECK-LABEL: func @others
// CHECK: linalg.matmul
// CHECK: linalg.fill
func.func @others(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.matmul {ein.strategy = {kind = "packed_gemm", interchange = array<i64>, k = 2 : i64, lhs = 0 : i64, m = 0 : i64, mr = 4 : i64, n = 1 : i64, nr = 4 : i64, tile = array<i64: 4, 4, 8>}}
         ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.fill {ein.strategy = {kind = "loops"}} ins(%zero : f32) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0, %1 : tensor<4x4xf32>, tensor<4x4xf32>
}

// CHECK-LABEL: func @complex
// CHECK: %[[P:.*]] = complex.mul %{{.*}}, %{{.*}} fastmath<contract>
// CHECK: complex.add %{{.*}}, %[[P]] fastmath<reassoc,contract>
func.func @complex(%x: tensor<?xcomplex<f32>>, %y: tensor<?xcomplex<f32>>, %s: tensor<complex<f32>>)
    -> tensor<complex<f32>> {
  %0 = linalg.contract indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>]
         {ein.strategy = {kind = "loops"}}
         ins(%x, %y : tensor<?xcomplex<f32>>, tensor<?xcomplex<f32>>) outs(%s : tensor<complex<f32>>)
         -> tensor<complex<f32>>
  return %0 : tensor<complex<f32>>
}
