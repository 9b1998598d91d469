// What the script has tiled is left to loops; what it has not matched has no
// schedule yet.
// RUN: ein-opt %s -ein-apply-transform="file=%S/Inputs/tile-matmul.mlir" | FileCheck %s

// CHECK-LABEL: @f
// CHECK: linalg.fill
// CHECK-NOT: ein.schedule
// CHECK: scf.for
// CHECK: linalg.contract
// CHECK-SAME: ein.schedule = #ein.schedule<>
// CHECK-NOT: ein.number
func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
