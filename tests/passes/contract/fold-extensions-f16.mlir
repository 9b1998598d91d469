// RUN: ein-opt %s -ein-fold-extensions=f16-products | FileCheck %s
// RUN: ein-opt %s -ein-fold-extensions | FileCheck %s --check-prefix=OTHERS

#id = affine_map<(i, j) -> (i, j)>
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Matrices of f16 are read as they are where the machine has products of them.
// CHECK-LABEL: func @halves
// CHECK-SAME: %[[H:[^:]*]]: tensor<?x?xf16>
// CHECK: linalg.contract {{.*}} ins(%[[H]], %[[H]] : tensor<?x?xf16>, tensor<?x?xf16>)
// OTHERS-LABEL: func @halves
// OTHERS: linalg.contract {{.*}} ins(%{{.*}}, %{{.*}} : tensor<?x?xf32>, tensor<?x?xf32>)
func.func @halves(%h: tensor<?x?xf16>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %wh = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%h : tensor<?x?xf16>) outs(%d : tensor<?x?xf32>) {
  ^bb0(%x: f16, %z: f32):
    %w = arith.extf %x : f16 to f32
    linalg.yield %w : f32
  } -> tensor<?x?xf32>
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
    ins(%wh, %wh : tensor<?x?xf32>, tensor<?x?xf32>) outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
