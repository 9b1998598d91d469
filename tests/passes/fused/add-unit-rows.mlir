// RUN: ein-opt %s -ein-add-unit-rows -canonicalize | FileCheck %s

// CHECK-DAG: #[[VECTOR:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[MATRIX:.*]] = affine_map<(d0, d1, d2) -> (d1, d0)>
// CHECK-DAG: #[[RESULT:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>
#k = affine_map<(n, k) -> (k)>
#kn = affine_map<(n, k) -> (k, n)>
#nk = affine_map<(n, k) -> (n, k)>
#n = affine_map<(n, k) -> (n)>

// A row dim for the vector and the result, and a fill of the wider result.
// CHECK-LABEL: func @vecmat
// CHECK-SAME: %[[X:[^:]*]]: tensor<?xf32>, %[[B:[^:]*]]: tensor<?x?xf32>, %[[C:[^:]*]]: tensor<?xf32>
// CHECK: %[[D:.*]] = tensor.expand_shape %[[C]] {{\[\[}}0, 1]] output_shape [1, %{{.*}}]
// CHECK: %[[START:.*]] = linalg.fill {{.*}} outs(%[[D]] : tensor<1x?xf32>)
// CHECK: %[[ROW:.*]] = tensor.expand_shape %[[X]]
// CHECK: %[[SUM:.*]] = linalg.contract indexing_maps = [#[[VECTOR]], #[[MATRIX]], #[[RESULT]]]
// CHECK-SAME: ins(%[[ROW]], %[[B]] : tensor<1x?xf32>, tensor<?x?xf32>) outs(%[[START]] : tensor<1x?xf32>)
// CHECK: tensor.collapse_shape %[[SUM]]
func.func @vecmat(%x: tensor<?xf32>, %b: tensor<?x?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%zero : f32) outs(%c : tensor<?xf32>) -> tensor<?xf32>
  %1 = linalg.contract indexing_maps = [#k, #kn, #n]
         ins(%x, %b : tensor<?xf32>, tensor<?x?xf32>) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// The vector may come second, and be of numbers to be cast; what is added to
// stays.
// CHECK-LABEL: func @second
// CHECK: linalg.contract {{.*}}cast = #linalg.type_fn<cast_unsigned>{{.*}} : tensor<5x7xi8>, tensor<1x5xi8>) outs({{.*}} : tensor<1x7xi32>)
// CHECK: tensor.collapse_shape
func.func @second(%x: tensor<5xi8>, %b: tensor<5x7xi8>, %c: tensor<7xi32>) -> tensor<7xi32> {
  %0 = linalg.contract indexing_maps = [#kn, #k, #n] {cast = #linalg.type_fn<cast_unsigned>}
         ins(%b, %x : tensor<5x7xi8>, tensor<5xi8>) outs(%c : tensor<7xi32>) -> tensor<7xi32>
  return %0 : tensor<7xi32>
}

// Of an unsigned and a signed input it is a generic.
// CHECK-LABEL: func @mixed
// CHECK: linalg.generic {{.*}} : tensor<1x5xi8>, tensor<5x7xi8>) outs({{.*}} : tensor<1x7xi32>)
// CHECK: tensor.collapse_shape
func.func @mixed(%x: tensor<5xi8>, %b: tensor<5x7xi8>, %c: tensor<7xi32>) -> tensor<7xi32> {
  %0 = linalg.generic {indexing_maps = [#k, #kn, #n], iterator_types = ["parallel", "reduction"]}
         ins(%x, %b : tensor<5xi8>, tensor<5x7xi8>) outs(%c : tensor<7xi32>) {
  ^bb0(%i: i8, %j: i8, %o: i32):
    %1 = arith.extsi %i : i8 to i32
    %2 = arith.extui %j : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %o, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<7xi32>
  return %0 : tensor<7xi32>
}

// Batches stay what they are.
// CHECK-LABEL: func @batches
// CHECK: linalg.contract {{.*}} : tensor<1x3x?xf32>, tensor<3x?x?xf32>) outs({{.*}} : tensor<1x3x?xf32>)
func.func @batches(%x: tensor<3x?xf32>, %b: tensor<3x?x?xf32>, %c: tensor<3x?xf32>) -> tensor<3x?xf32> {
  %0 = linalg.contract indexing_maps = [affine_map<(b, n, k) -> (b, k)>, affine_map<(b, n, k) -> (b, k, n)>,
                                        affine_map<(b, n, k) -> (b, n)>]
         ins(%x, %b : tensor<3x?xf32>, tensor<3x?x?xf32>) outs(%c : tensor<3x?xf32>) -> tensor<3x?xf32>
  return %0 : tensor<3x?xf32>
}

// Sums along contiguous elements, products of matrices and dots are left alone.
// CHECK-LABEL: func @others
// CHECK-NOT: expand_shape
// CHECK: return
func.func @others(%x: tensor<?xf32>, %b: tensor<?x?xf32>, %c: tensor<?xf32>, %m: tensor<?x?xf32>, %s: tensor<f32>)
    -> (tensor<?xf32>, tensor<?x?xf32>, tensor<f32>) {
  %0 = linalg.contract indexing_maps = [#k, #nk, #n]
         ins(%x, %b : tensor<?xf32>, tensor<?x?xf32>) outs(%c : tensor<?xf32>) -> tensor<?xf32>
  %1 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                                        affine_map<(m, n, k) -> (m, n)>]
         ins(%b, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%m : tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = linalg.contract indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>]
         ins(%x, %x : tensor<?xf32>, tensor<?xf32>) outs(%s : tensor<f32>) -> tensor<f32>
  return %0, %1, %2 : tensor<?xf32>, tensor<?x?xf32>, tensor<f32>
}
