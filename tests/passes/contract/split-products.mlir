// RUN: ein-opt %s -ein-split-products -split-input-file | FileCheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func @product
// CHECK-SAME: %[[A:.*]]: tensor<?x?xf32>, %[[B:.*]]: tensor<?x?xf32>, %[[C:.*]]: tensor<?x?xf32>
// CHECK: %[[HIGH_A:.*]] = linalg.generic {{.*}} ins(%[[A]]
// CHECK: arith.truncf %{{.*}} : f32 to bf16
// CHECK: %[[LOW_A:.*]] = linalg.generic {{.*}} ins(%[[A]]
// CHECK: %[[NEAREST:.*]] = arith.truncf %[[X:.*]] : f32 to bf16
// CHECK: %[[WIDE:.*]] = arith.extf %[[NEAREST]]
// CHECK: %[[REST:.*]] = arith.subf %[[X]], %[[WIDE]]
// CHECK: arith.truncf %[[REST]]
// CHECK: %[[HIGH_B:.*]] = linalg.generic {{.*}} ins(%[[B]]
// CHECK: %[[LOW_B:.*]] = linalg.generic {{.*}} ins(%[[B]]
// CHECK: %[[FIRST:.*]] = linalg.contract {{.*}} ins(%[[LOW_A]], %[[HIGH_B]] : {{.*}}) outs(%[[C]]
// CHECK: %[[SECOND:.*]] = linalg.contract {{.*}} ins(%[[HIGH_A]], %[[LOW_B]] : {{.*}}) outs(%[[FIRST]]
// CHECK: %[[THIRD:.*]] = linalg.contract {{.*}} ins(%[[HIGH_A]], %[[HIGH_B]] : {{.*}}) outs(%[[SECOND]]
// CHECK: return %[[THIRD]]
func.func @product(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
    ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#row = affine_map<(m, k) -> (m, k)>
#column = affine_map<(m, k) -> (k)>
#result = affine_map<(m, k) -> (m)>

// Of a matrix and a vector, of f64, and of halves there is nothing to split.
// CHECK-LABEL: func @others
// CHECK-COUNT-3: linalg.contract
// CHECK-NOT: linalg.
func.func @others(%a: tensor<?x?xf32>, %v: tensor<?xf32>, %d: tensor<?x?xf64>, %h: tensor<?x?xbf16>)
    -> (tensor<?xf32>, tensor<?x?xf64>, tensor<?x?xf32>) {
  %0 = linalg.contract indexing_maps = [#row, #column, #result]
    ins(%a, %v : tensor<?x?xf32>, tensor<?xf32>) outs(%v : tensor<?xf32>) -> tensor<?xf32>
  %1 = linalg.contract indexing_maps = [#mk, #kn, #mn]
    ins(%d, %d : tensor<?x?xf64>, tensor<?x?xf64>) outs(%d : tensor<?x?xf64>) -> tensor<?x?xf64>
  %2 = linalg.contract indexing_maps = [#mk, #kn, #mn]
    ins(%h, %h : tensor<?x?xbf16>, tensor<?x?xbf16>) outs(%a : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0, %1, %2 : tensor<?xf32>, tensor<?x?xf64>, tensor<?x?xf32>
}
