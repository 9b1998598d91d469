// What is filled with one number is not read.
// RUN: ein-opt %s -ein-fold-views | FileCheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// The sums of rows, each element times the number.
// CHECK-DAG: #[[$ROW:.+]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func @ones
// CHECK-SAME: %[[A:[^ ]+]]: tensor<?x?xf32>, %[[C:[^ ]+]]: tensor<?x?xf32>
// CHECK: %[[TWO:.+]] = arith.constant 2.0
// CHECK: %[[S:.+]] = linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} ins(%[[A]] :
// CHECK: arith.mulf %{{.*}}, %[[TWO]]
// CHECK: arith.addf
// CHECK: %[[R:.+]] = linalg.generic {indexing_maps = [#[[$ROW]], {{.*}} ins(%[[S]] : tensor<?xf32>) outs(%[[C]] : tensor<?x?xf32>)
// CHECK-NOT: arith.mulf
// CHECK: arith.addf
// CHECK: return %[[R]]
func.func @ones(%a: tensor<?x?xf32>, %c: tensor<?x?xf32>, %t: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %two = arith.constant 2.0 : f32
  %0 = linalg.fill ins(%two : f32) outs(%t : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = linalg.contract indexing_maps = [#mk, #kn, #mn]
    ins(%a, %0 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// A name for a number is the number, and what is computed of it folds.
// CHECK-LABEL: func @named
// CHECK-SAME: %[[OUT:[^ ]+]]: tensor<f32>)
// CHECK: %[[SIX:.+]] = arith.constant 6.0
// CHECK: %[[R:.+]] = linalg.fill ins(%[[SIX]] : f32) outs(%[[OUT]] : tensor<f32>)
// CHECK: return %[[R]]
func.func @named(%out: tensor<f32>) -> tensor<f32> {
  %three = arith.constant 3.0 : f32
  %t = tensor.empty() : tensor<f32>
  %0 = linalg.generic {indexing_maps = [affine_map<() -> ()>], iterator_types = []} outs(%t : tensor<f32>) {
    ^bb0(%z: f32):
      linalg.yield %three : f32
  } -> tensor<f32>
  %1 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
    ins(%0 : tensor<f32>) outs(%out : tensor<f32>) {
    ^bb0(%x: f32, %z: f32):
      %2 = arith.addf %x, %x : f32
      linalg.yield %2 : f32
  } -> tensor<f32>
  return %1 : tensor<f32>
}

// A loop whose extent only the fill has; and what is not one number.
// CHECK-LABEL: func @needed
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<8xf32>)
// CHECK: linalg.generic
// CHECK: linalg.index
func.func @needed(%t: tensor<8xf32>, %c: tensor<f32>) -> (tensor<f32>, tensor<8xf32>) {
  %two = arith.constant 2.0 : f32
  %0 = linalg.fill ins(%two : f32) outs(%t : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]}
    ins(%0 : tensor<8xf32>) outs(%c : tensor<f32>) {
    ^bb0(%x: f32, %z: f32):
      %2 = arith.addf %x, %z : f32
      linalg.yield %2 : f32
  } -> tensor<f32>
  %3 = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>], iterator_types = ["parallel"]} outs(%t : tensor<8xf32>) {
    ^bb0(%z: f32):
      %i = linalg.index 0 : index
      %j = arith.index_cast %i : index to i32
      %f = arith.sitofp %j : i32 to f32
      linalg.yield %f : f32
  } -> tensor<8xf32>
  return %1, %3 : tensor<f32>, tensor<8xf32>
}
