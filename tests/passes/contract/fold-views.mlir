// RUN: ein-opt %s -ein-fold-views | FileCheck %s

#mk = affine_map<(b, m, n, k) -> (b, m, k)>
#kn = affine_map<(b, m, n, k) -> (b, k, n)>
#mn = affine_map<(b, m, n, k) -> (b, m, n)>

// CHECK-DAG: #[[NM:.*]] = affine_map<(d0, d1, d2) -> (d1, d0)>
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

// Views in a row, read by an elementwise op; its own map is composed.
// CHECK-LABEL: func @elementwise
// CHECK-SAME: %[[A:[^:]*]]: tensor<5x3xf32>
// CHECK-NOT: linalg.transpose
// CHECK-NOT: linalg.copy
// CHECK: linalg.generic {{.*}} ins(%[[A]] : tensor<5x3xf32>)
// CHECK-NEXT: ^bb0
// CHECK-NEXT: math.exp
func.func @elementwise(%a: tensor<5x3xf32>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %empty = tensor.empty() : tensor<3x5xf32>
  %at = linalg.transpose ins(%a : tensor<5x3xf32>) outs(%empty : tensor<3x5xf32>)
          permutation = [1, 0]
  %copy = linalg.copy ins(%at : tensor<3x5xf32>) outs(%empty : tensor<3x5xf32>)
            -> tensor<3x5xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%copy : tensor<3x5xf32>) outs(%c : tensor<3x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = math.exp %in : f32
    linalg.yield %1 : f32
  } -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// A slice of a transpose is a slice of what was transposed.
// CHECK-LABEL: func @slice_of_view
// CHECK-SAME: %[[A:[^:]*]]: tensor<8x6xf32>, %[[B:[^:]*]]: tensor<2x7xf32>
// CHECK: %[[S:.*]] = tensor.extract_slice %[[A]][1, 2] [2, 3] [3, 1] : tensor<8x6xf32> to tensor<2x3xf32>
// CHECK-NOT: linalg.transpose
// CHECK: linalg.contract {{.*}} ins(%[[S]], %[[B]] :
func.func @slice_of_view(%a: tensor<8x6xf32>, %b: tensor<2x7xf32>, %c: tensor<3x7xf32>)
    -> tensor<3x7xf32> {
  %empty = tensor.empty() : tensor<6x8xf32>
  %at = linalg.transpose ins(%a : tensor<8x6xf32>) outs(%empty : tensor<6x8xf32>)
          permutation = [1, 0]
  %slice = tensor.extract_slice %at[2, 1] [3, 2] [1, 3] : tensor<6x8xf32> to tensor<3x2xf32>
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                                        affine_map<(m, n, k) -> (k, n)>,
                                        affine_map<(m, n, k) -> (m, n)>]
         ins(%slice, %b : tensor<3x2xf32>, tensor<2x7xf32>)
         outs(%c : tensor<3x7xf32>) -> tensor<3x7xf32>
  return %0 : tensor<3x7xf32>
}

// The columns of an image are copied: a contraction is worth it.
// CHECK-LABEL: func @columns
// CHECK: %[[T:.*]] = linalg.generic
// CHECK: linalg.contract {{.*}} ins(%[[T]],
func.func @columns(%a: tensor<6xf32>, %w: tensor<3x7xf32>, %c: tensor<4x7xf32>)
    -> tensor<4x7xf32> {
  %empty = tensor.empty() : tensor<4x3xf32>
  %t = linalg.generic {
      indexing_maps = [affine_map<(i, k) -> (i + k)>, affine_map<(i, k) -> (i, k)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<6xf32>) outs(%empty : tensor<4x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x3xf32>
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                                        affine_map<(m, n, k) -> (k, n)>,
                                        affine_map<(m, n, k) -> (m, n)>]
         ins(%t, %w : tensor<4x3xf32>, tensor<3x7xf32>)
         outs(%c : tensor<4x7xf32>) -> tensor<4x7xf32>
  return %0 : tensor<4x7xf32>
}

// What adds up is no view, though it yields nothing but its input's sum.
// CHECK-LABEL: func @no_view
// CHECK: linalg.generic
// CHECK: linalg.generic
func.func @no_view(%a: tensor<3x5xf32>, %d: tensor<3x5xf32>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %sum = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<3x5xf32>) outs(%d : tensor<3x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<3x5xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%sum : tensor<3x5xf32>) outs(%c : tensor<3x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = math.exp %in : f32
    linalg.yield %1 : f32
  } -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// The dims of a product are moved as it is written, of any kind of product.
// CHECK-LABEL: func @transposed_result
// CHECK-SAME: %[[D:[^ :]*]]: tensor<7x3xf32>)
// CHECK-NOT: linalg.transpose
// CHECK: %[[FILL:.*]] = linalg.fill {{.*}} outs(%[[D]] : tensor<7x3xf32>)
// CHECK: %[[R:.*]] = linalg.contract indexing_maps = [#{{.*}}, #{{.*}}, #[[NM]]] {{.*}} outs(%[[FILL]] : tensor<7x3xf32>)
// CHECK: return %[[R]]
func.func @transposed_result(%a: tensor<3x5xf32>, %b: tensor<5x7xf32>, %d: tensor<7x3xf32>)
    -> tensor<7x3xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3x7xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x7xf32>) -> tensor<3x7xf32>
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                                        affine_map<(m, n, k) -> (k, n)>,
                                        affine_map<(m, n, k) -> (m, n)>]
         ins(%a, %b : tensor<3x5xf32>, tensor<5x7xf32>)
         outs(%fill : tensor<3x7xf32>) -> tensor<3x7xf32>
  %1 = linalg.transpose ins(%0 : tensor<3x7xf32>) outs(%d : tensor<7x3xf32>) permutation = [1, 0]
  return %1 : tensor<7x3xf32>
}

// CHECK-LABEL: func @rotated_result
// CHECK-NOT: linalg.transpose
// CHECK: ein.contract
// CHECK-NOT: linalg.transpose
// CHECK: return
func.func @rotated_result(%a: tensor<2x3x5xf32>, %b: tensor<2x5x7xf32>, %d: tensor<3x2x7xf32>)
    -> tensor<3x2x7xf32> {
  %one = arith.constant 1.0 : f32
  %empty = tensor.empty() : tensor<2x3x7xf32>
  %fill = linalg.fill ins(%one : f32) outs(%empty : tensor<2x3x7xf32>) -> tensor<2x3x7xf32>
  %0 = ein.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>,
                                     affine_map<(b, m, n, k) -> (b, k, n)>,
                                     affine_map<(b, m, n, k) -> (b, m, n)>] kind = <maximumf>
         ins(%a, %b : tensor<2x3x5xf32>, tensor<2x5x7xf32>)
         outs(%fill : tensor<2x3x7xf32>) -> tensor<2x3x7xf32>
  %1 = linalg.transpose ins(%0 : tensor<2x3x7xf32>) outs(%d : tensor<3x2x7xf32>)
         permutation = [1, 0, 2]
  return %1 : tensor<3x2x7xf32>
}

// Not if dims of the inputs would alternate or a batch be innermost, if the sums
// start from a tensor, or if the product is read as it is, too.
// CHECK-LABEL: func @alternating
// CHECK: linalg.contract
// CHECK: linalg.transpose
func.func @alternating(%a: tensor<2x3x5xf32>, %b: tensor<5x7x8xf32>, %d: tensor<7x3x8x2xf32>)
    -> tensor<7x3x8x2xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x3x7x8xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x3x7x8xf32>) -> tensor<2x3x7x8xf32>
  %0 = linalg.contract indexing_maps = [affine_map<(a, b, c, d, k) -> (a, b, k)>,
                                        affine_map<(a, b, c, d, k) -> (k, c, d)>,
                                        affine_map<(a, b, c, d, k) -> (a, b, c, d)>]
         ins(%a, %b : tensor<2x3x5xf32>, tensor<5x7x8xf32>)
         outs(%fill : tensor<2x3x7x8xf32>) -> tensor<2x3x7x8xf32>
  %1 = linalg.transpose ins(%0 : tensor<2x3x7x8xf32>) outs(%d : tensor<7x3x8x2xf32>)
         permutation = [2, 1, 3, 0]
  return %1 : tensor<7x3x8x2xf32>
}
// CHECK-LABEL: func @batch_innermost
// CHECK: linalg.contract
// CHECK: linalg.transpose
func.func @batch_innermost(%a: tensor<2x3x5xf32>, %b: tensor<2x5x7xf32>, %d: tensor<3x7x2xf32>)
    -> tensor<3x7x2xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x3x7xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x3x7xf32>) -> tensor<2x3x7xf32>
  %0 = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>,
                                        affine_map<(b, m, n, k) -> (b, k, n)>,
                                        affine_map<(b, m, n, k) -> (b, m, n)>]
         ins(%a, %b : tensor<2x3x5xf32>, tensor<2x5x7xf32>)
         outs(%fill : tensor<2x3x7xf32>) -> tensor<2x3x7xf32>
  %1 = linalg.transpose ins(%0 : tensor<2x3x7xf32>) outs(%d : tensor<3x7x2xf32>)
         permutation = [1, 2, 0]
  return %1 : tensor<3x7x2xf32>
}
// CHECK-LABEL: func @started_result
// CHECK: linalg.contract
// CHECK: linalg.transpose
func.func @started_result(%a: tensor<3x5xf32>, %b: tensor<5x7xf32>, %c: tensor<3x7xf32>,
                          %d: tensor<7x3xf32>) -> tensor<7x3xf32> {
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                                        affine_map<(m, n, k) -> (k, n)>,
                                        affine_map<(m, n, k) -> (m, n)>]
         ins(%a, %b : tensor<3x5xf32>, tensor<5x7xf32>)
         outs(%c : tensor<3x7xf32>) -> tensor<3x7xf32>
  %1 = linalg.transpose ins(%0 : tensor<3x7xf32>) outs(%d : tensor<7x3xf32>) permutation = [1, 0]
  return %1 : tensor<7x3xf32>
}
// CHECK-LABEL: func @read_twice
// CHECK: linalg.contract
// CHECK: linalg.transpose
func.func @read_twice(%a: tensor<3x5xf32>, %b: tensor<5x7xf32>, %c: tensor<3x7xf32>,
                      %d: tensor<7x3xf32>) -> (tensor<3x7xf32>, tensor<7x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %fill = linalg.fill ins(%zero : f32) outs(%c : tensor<3x7xf32>) -> tensor<3x7xf32>
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                                        affine_map<(m, n, k) -> (k, n)>,
                                        affine_map<(m, n, k) -> (m, n)>]
         ins(%a, %b : tensor<3x5xf32>, tensor<5x7xf32>)
         outs(%fill : tensor<3x7xf32>) -> tensor<3x7xf32>
  %1 = linalg.transpose ins(%0 : tensor<3x7xf32>) outs(%d : tensor<7x3xf32>) permutation = [1, 0]
  return %0, %1 : tensor<3x7xf32>, tensor<7x3xf32>
}

// In a loop, what is written over before is not read: it would be copied to
// another buffer than the one that is carried.
// CHECK-LABEL: func @overwritten
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
// CHECK: %[[COPY:.*]] = linalg.copy ins(%[[B]] : {{.*}}) outs(%[[A]] :
// CHECK: linalg.generic {{.*}} ins(%[[COPY]] : {{.*}}) outs(%[[B]] :
// And is, where its own element is written.
// CHECK: %[[NEXT:.*]] = linalg.copy
// CHECK: linalg.generic {{.*}} ins(%[[SUM:.*]] : {{.*}}) outs(%[[SUM]] :
func.func @overwritten(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %n: index)
    -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b)
      -> (tensor<?x?xf32>, tensor<?x?xf32>) {
    %1 = linalg.copy ins(%y : tensor<?x?xf32>) outs(%x : tensor<?x?xf32>) -> tensor<?x?xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
                         iterator_types = ["parallel", "parallel"]}
      ins(%1 : tensor<?x?xf32>) outs(%y : tensor<?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %in, %out : f32
      linalg.yield %3 : f32
    } -> tensor<?x?xf32>
    %4 = linalg.copy ins(%2 : tensor<?x?xf32>) outs(%1 : tensor<?x?xf32>) -> tensor<?x?xf32>
    %5 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                         iterator_types = ["parallel", "parallel"]}
      ins(%4 : tensor<?x?xf32>) outs(%2 : tensor<?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %in, %out : f32
      linalg.yield %3 : f32
    } -> tensor<?x?xf32>
    scf.yield %4, %5 : tensor<?x?xf32>, tensor<?x?xf32>
  }
  return %0#0, %0#1 : tensor<?x?xf32>, tensor<?x?xf32>
}
