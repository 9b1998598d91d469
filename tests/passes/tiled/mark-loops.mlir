// RUN: ein-opt %s -ein-mark-loops | FileCheck %s

// What has no schedule is loops; what has one keeps it.
// CHECK-LABEL: func @f
// CHECK: linalg.fill {ein.schedule = #ein.schedule<>} {{.*}}tensor<4x8xf32>
// CHECK: linalg.contract {{.*}}rows = d0: 4
// CHECK: linalg.copy {ein.schedule = #ein.schedule<>}
// CHECK: linalg.fill {ein.schedule = #ein.schedule<parallel = d0, min_points = 1>}
func.func @f(%a: tensor<?x4xf32>, %b: tensor<?x8xf32>, %c: tensor<4x8xf32>, %d: tensor<?x8xf32>,
             %e: tensor<?x8xf32>) -> (tensor<4x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%zero : f32) outs(%c : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (k, m)>,
                                        affine_map<(m, n, k) -> (k, n)>,
                                        affine_map<(m, n, k) -> (m, n)>]
         {ein.schedule = #ein.schedule<loops = [d0, d1, d2: 1], rows = d0: 4, columns = d1: 8,
                          sums = d2, vector = d1, operands = [packed, packed]>}
         ins(%a, %b : tensor<?x4xf32>, tensor<?x8xf32>) outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = linalg.copy ins(%d : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  %3 = linalg.fill {ein.schedule = #ein.schedule<parallel = d0, min_points = 1>}
         ins(%zero : f32) outs(%d : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %1, %2, %3 : tensor<4x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>
}
