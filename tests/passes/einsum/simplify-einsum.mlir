// RUN: ein-opt %s -ein-simplify-einsum | FileCheck %s

// CHECK-DAG: #[[D0:.*]] = affine_map<(d0) -> (d0)>
// CHECK-DAG: #[[IIJ:.*]] = affine_map<(d0, d1) -> (d0, d0, d1)>
// CHECK-DAG: #[[IJ:.*]] = affine_map<(d0, d1) -> (d0, d1)>

// The example of passes/einsum/Passes.td: i only in %a, twice; k only in %b.
// CHECK-LABEL: func @both
// CHECK-SAME: (%[[A:.*]]: tensor<?x?x?xf32>, %[[B:.*]]: tensor<?x?xf32>, %[[INIT:.*]]: tensor<?xf32>)
// CHECK: %[[S:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[A]] :
// CHECK: ^bb0(%[[IN:.*]]: f32, %[[OUT:.*]]: f32):
// CHECK-NEXT: arith.addf %[[OUT]], %[[IN]]
// CHECK: %[[T:.*]] = linalg.generic {indexing_maps = [#[[IJ]], #{{.*}}], iterator_types = ["parallel", "reduction"]} ins(%[[B]] :
// CHECK: ein.einsum indexing_maps = [#[[D0]], #[[D0]], #[[D0]]]
// CHECK-SAME: ins(%[[S]], %[[T]] : tensor<?xf32>, tensor<?xf32>) outs(%[[INIT]] :
func.func @both(%a: tensor<?x?x?xf32>, %b: tensor<?x?xf32>, %init: tensor<?xf32>)
    -> tensor<?xf32> {
  %0 = ein.einsum indexing_maps = [affine_map<(j, i, k) -> (i, i, j)>,
                                   affine_map<(j, i, k) -> (j, k)>,
                                   affine_map<(j, i, k) -> (j)>]
         ins(%a, %b : tensor<?x?x?xf32>, tensor<?x?xf32>)
         outs(%init : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// A diagonal whose dim stays is read without a sum, from no zeros.
// CHECK-LABEL: func @diagonal
// CHECK-NOT: linalg.fill
// CHECK: %[[D:.*]] = linalg.generic {indexing_maps = [#[[IIJ]], #[[IJ]]], iterator_types = ["parallel", "parallel"]}
// CHECK: linalg.yield %in
// CHECK: ein.einsum {{.*}} ins(%[[D]], %{{.*}} : tensor<3x4xf32>, tensor<4xf32>)
func.func @diagonal(%a: tensor<3x3x4xf32>, %b: tensor<4xf32>, %init: tensor<3xf32>)
    -> tensor<3xf32> {
  %0 = ein.einsum indexing_maps = [affine_map<(i, j) -> (i, i, j)>,
                                   affine_map<(i, j) -> (j)>,
                                   affine_map<(i, j) -> (i)>]
         ins(%a, %b : tensor<3x3x4xf32>, tensor<4xf32>)
         outs(%init : tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// The static extent is found where only one of a diagonal's axes has it; without
// a sum, it keeps the input's type.
// CHECK-LABEL: func @static_extent
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<3xf32>)
// CHECK: ein.einsum {{.*}} ins(%{{.*}} : tensor<3xf32>, tensor<3xf64>)
func.func @static_extent(%a: tensor<?x3xf32>, %b: tensor<3xf64>, %init: tensor<3xf64>)
    -> tensor<3xf64> {
  %0 = ein.einsum indexing_maps = [affine_map<(i) -> (i, i)>, affine_map<(i) -> (i)>,
                                   affine_map<(i) -> (i)>]
         ins(%a, %b : tensor<?x3xf32>, tensor<3xf64>)
         outs(%init : tensor<3xf64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

// A sum is made in the type that the einsum computes in.
// CHECK-LABEL: func @wide_sum
// CHECK: %[[S:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<3x4xf32>) outs(%{{.*}} : tensor<3xf64>)
// CHECK: arith.extf
// CHECK: arith.addf {{.*}} : f64
// CHECK: ein.einsum {{.*}} ins(%[[S]], %{{.*}} : tensor<3xf64>, tensor<3xf32>)
func.func @wide_sum(%a: tensor<3x4xf32>, %b: tensor<3xf32>, %init: tensor<3xf64>)
    -> tensor<3xf64> {
  %0 = ein.einsum indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,
                                   affine_map<(i, j) -> (i)>]
         ins(%a, %b : tensor<3x4xf32>, tensor<3xf32>)
         outs(%init : tensor<3xf64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

// Left alone: a contraction proper, and a single input, whatever it sums.
// CHECK-LABEL: func @alone
// CHECK-NOT: linalg.generic
// CHECK: ein.einsum
// CHECK-NOT: linalg.generic
// CHECK: ein.einsum
func.func @alone(%a: tensor<3x4xf32>, %b: tensor<4x3xf32>, %c: tensor<3x3xf32>,
                 %s: tensor<f32>) -> (tensor<3x3xf32>, tensor<f32>) {
  %0 = ein.einsum indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
                                   affine_map<(i, j, k) -> (k, j)>,
                                   affine_map<(i, j, k) -> (i, j)>]
         ins(%a, %b : tensor<3x4xf32>, tensor<4x3xf32>)
         outs(%c : tensor<3x3xf32>) -> tensor<3x3xf32>
  %1 = ein.einsum indexing_maps = [affine_map<(i) -> (i, i)>, affine_map<(i) -> ()>]
         ins(%0 : tensor<3x3xf32>) outs(%s : tensor<f32>) -> tensor<f32>
  return %0, %1 : tensor<3x3xf32>, tensor<f32>
}
