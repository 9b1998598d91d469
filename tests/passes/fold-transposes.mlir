// RUN: ein-opt %s -ein-fold-transposes | FileCheck %s

#mk = affine_map<(b, m, n, k) -> (b, m, k)>
#kn = affine_map<(b, m, n, k) -> (b, k, n)>
#mn = affine_map<(b, m, n, k) -> (b, m, n)>

// CHECK-DAG: #[[KBM:.*]] = affine_map<(d0, d1, d2, d3) -> (d3, d0, d1)>
// CHECK-DAG: #[[BKN:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
// CHECK-DAG: #[[BMN:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-DAG: #[[NBK:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d0, d3)>
// CHECK-DAG: #[[KN:.*]] = affine_map<(d0, d1, d2, d3) -> (d3, d2)>

// Result axis i of a transpose is input axis p[i]: the extents, all different
// here, would not fit otherwise.
// CHECK-LABEL: func @transpose_left
// CHECK-SAME: %[[A:[^:]*]]: tensor<5x2x3xf32>, %[[B:[^:]*]]: tensor<2x5x7xf32>
// CHECK-NOT: linalg.transpose
// CHECK: linalg.contract indexing_maps = [#[[KBM]], #[[BKN]], #[[BMN]]] ins(%[[A]], %[[B]] :
func.func @transpose_left(%a: tensor<5x2x3xf32>, %b: tensor<2x5x7xf32>, %c: tensor<2x3x7xf32>)
    -> tensor<2x3x7xf32> {
  %empty = tensor.empty() : tensor<2x3x5xf32>
  %at = linalg.transpose ins(%a : tensor<5x2x3xf32>) outs(%empty : tensor<2x3x5xf32>)
          permutation = [1, 2, 0]
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%at, %b : tensor<2x3x5xf32>, tensor<2x5x7xf32>)
         outs(%c : tensor<2x3x7xf32>) -> tensor<2x3x7xf32>
  return %0 : tensor<2x3x7xf32>
}

// Of both inputs, and through two transposes in a row.
// CHECK-LABEL: func @transpose_both
// CHECK-SAME: %[[A:[^:]*]]: tensor<2x3x5xf32>, %[[B:[^:]*]]: tensor<7x2x5xf32>
// CHECK-NOT: linalg.transpose
// CHECK: linalg.contract indexing_maps = [#{{.*}}, #[[NBK]], #[[BMN]]] ins(%[[A]], %[[B]] :
func.func @transpose_both(%a: tensor<2x3x5xf32>, %b: tensor<7x2x5xf32>, %c: tensor<2x3x7xf32>)
    -> tensor<2x3x7xf32> {
  %e0 = tensor.empty() : tensor<5x2x3xf32>
  %e1 = tensor.empty() : tensor<2x3x5xf32>
  %e2 = tensor.empty() : tensor<2x5x7xf32>
  %a0 = linalg.transpose ins(%a : tensor<2x3x5xf32>) outs(%e0 : tensor<5x2x3xf32>)
          permutation = [2, 0, 1]
  %a1 = linalg.transpose ins(%a0 : tensor<5x2x3xf32>) outs(%e1 : tensor<2x3x5xf32>)
          permutation = [1, 2, 0]
  %bt = linalg.transpose ins(%b : tensor<7x2x5xf32>) outs(%e2 : tensor<2x5x7xf32>)
          permutation = [1, 2, 0]
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%a1, %bt : tensor<2x3x5xf32>, tensor<2x5x7xf32>)
         outs(%c : tensor<2x3x7xf32>) -> tensor<2x3x7xf32>
  return %0 : tensor<2x3x7xf32>
}

// A batch dim that was added by a broadcast is not needed.
// CHECK-LABEL: func @broadcast_batch
// CHECK-SAME: %[[A:[^:]*]]: tensor<2x3x5xf32>, %[[B:[^:]*]]: tensor<5x7xf32>
// CHECK-NOT: linalg.broadcast
// CHECK: linalg.contract indexing_maps = [#{{.*}}, #[[KN]], #[[BMN]]] ins(%[[A]], %[[B]] :
func.func @broadcast_batch(%a: tensor<2x3x5xf32>, %b: tensor<5x7xf32>, %c: tensor<2x3x7xf32>)
    -> tensor<2x3x7xf32> {
  %empty = tensor.empty() : tensor<2x5x7xf32>
  %bb = linalg.broadcast ins(%b : tensor<5x7xf32>) outs(%empty : tensor<2x5x7xf32>)
          dimensions = [0]
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%a, %bb : tensor<2x3x5xf32>, tensor<2x5x7xf32>)
         outs(%c : tensor<2x3x7xf32>) -> tensor<2x3x7xf32>
  return %0 : tensor<2x3x7xf32>
}

// A reduced dim must be in both inputs: this broadcast stays.
// CHECK-LABEL: func @broadcast_reduced
// CHECK: %[[B:.*]] = linalg.broadcast
// CHECK: linalg.contract {{.*}} ins(%{{.*}}, %[[B]]
func.func @broadcast_reduced(%a: tensor<2x3x5xf32>, %b: tensor<2x7xf32>, %c: tensor<2x3x7xf32>)
    -> tensor<2x3x7xf32> {
  %empty = tensor.empty() : tensor<2x5x7xf32>
  %bb = linalg.broadcast ins(%b : tensor<2x7xf32>) outs(%empty : tensor<2x5x7xf32>)
          dimensions = [1]
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%a, %bb : tensor<2x3x5xf32>, tensor<2x5x7xf32>)
         outs(%c : tensor<2x3x7xf32>) -> tensor<2x3x7xf32>
  return %0 : tensor<2x3x7xf32>
}

// A dim of the output that only this input has must keep its place in it.
// CHECK-LABEL: func @broadcast_output
// CHECK: linalg.broadcast
func.func @broadcast_output(%a: tensor<2x3x5xf32>, %b: tensor<2x5xf32>, %c: tensor<2x3x7xf32>)
    -> tensor<2x3x7xf32> {
  %empty = tensor.empty() : tensor<2x5x7xf32>
  %bb = linalg.broadcast ins(%b : tensor<2x5xf32>) outs(%empty : tensor<2x5x7xf32>)
          dimensions = [2]
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%a, %bb : tensor<2x3x5xf32>, tensor<2x5x7xf32>)
         outs(%c : tensor<2x3x7xf32>) -> tensor<2x3x7xf32>
  return %0 : tensor<2x3x7xf32>
}

// A transpose of the init is no reading; one that others use stays for them.
// CHECK-LABEL: func @others
// CHECK: %[[T:.*]] = linalg.transpose
// CHECK: %[[INIT:.*]] = linalg.transpose
// CHECK: linalg.contract {{.*}} outs(%[[INIT]] :
// CHECK: return %{{.*}}, %[[T]]
func.func @others(%a: tensor<5x2x3xf32>, %b: tensor<2x5x7xf32>, %c: tensor<3x2x7xf32>)
    -> (tensor<2x3x7xf32>, tensor<2x3x5xf32>) {
  %e0 = tensor.empty() : tensor<2x3x5xf32>
  %e1 = tensor.empty() : tensor<2x3x7xf32>
  %at = linalg.transpose ins(%a : tensor<5x2x3xf32>) outs(%e0 : tensor<2x3x5xf32>)
          permutation = [1, 2, 0]
  %ct = linalg.transpose ins(%c : tensor<3x2x7xf32>) outs(%e1 : tensor<2x3x7xf32>)
          permutation = [1, 0, 2]
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%at, %b : tensor<2x3x5xf32>, tensor<2x5x7xf32>)
         outs(%ct : tensor<2x3x7xf32>) -> tensor<2x3x7xf32>
  return %0, %at : tensor<2x3x7xf32>, tensor<2x3x5xf32>
}
