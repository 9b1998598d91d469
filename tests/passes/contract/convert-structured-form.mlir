// Every case of upstream's raising that was seen to miscompile, to abort or to
// stay generic, and what becomes of it here.
// RUN: ein-opt %s -ein-convert-structured-form=to=named | FileCheck %s

// Raised and lowered again, everything is the generic that it was, or one that
// is proved to be the same: raising that finds the same ops.
// RUN: ein-opt %s -ein-convert-structured-form=to=named -ein-convert-structured-form=to=generic \
// RUN:   | FileCheck %s --check-prefix=BACK
// RUN: ein-opt %s -ein-convert-structured-form=to=named -ein-convert-structured-form=to=generic \
// RUN:   -ein-convert-structured-form=to=named | FileCheck %s
// RUN: ein-opt %s -ein-convert-structured-form=to=contract -ein-convert-structured-form=to=named \
// RUN:   | FileCheck %s
// BACK-NOT: linalg.{{[^giy]}}

// RUN: not ein-opt %s -ein-convert-structured-form=to=gnarly 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FORM
// FORM: error: there is no form `gnarly`; there are named, contract and generic

// CHECK-DAG: #[[$MK:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[$KM:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK-DAG: #[[$KN:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[$NK:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[$MN:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[$BMK:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK-DAG: #[[$BKM:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1)>
// CHECK-DAG: #[[$BKN:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
// CHECK-DAG: #[[$BNK:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
// CHECK-DAG: #[[$BMN:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

// CHECK-LABEL: func @matmul(
// CHECK: linalg.matmul ins(
func.func @matmul(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %out: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                                        affine_map<(m, n, k) -> (k, n)>,
                                        affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%out : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %z: f32):
    %p = arith.mulf %x0, %x1 : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @other_loop_order(
// CHECK: linalg.matmul ins(
func.func @other_loop_order(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %out: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(k, n, m) -> (m, k)>,
                                        affine_map<(k, n, m) -> (k, n)>,
                                        affine_map<(k, n, m) -> (m, n)>],
                       iterator_types = ["reduction", "parallel", "parallel"]}
    ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%out : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %z: f32):
    %p = arith.mulf %x0, %x1 : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @transposed_a(
// CHECK: linalg.matmul indexing_maps = [#[[$KM]], #[[$KN]], #[[$MN]]] ins(
func.func @transposed_a(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %out: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, m)>,
                                        affine_map<(m, n, k) -> (k, n)>,
                                        affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%out : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %z: f32):
    %p = arith.mulf %x0, %x1 : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @transposed_b(
// CHECK: linalg.matmul indexing_maps = [#[[$MK]], #[[$NK]], #[[$MN]]] ins(
func.func @transposed_b(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %out: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                                        affine_map<(m, n, k) -> (n, k)>,
                                        affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%out : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %z: f32):
    %p = arith.mulf %x0, %x1 : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @transposed_both(
// CHECK: linalg.matmul indexing_maps = [#[[$KM]], #[[$NK]], #[[$MN]]] ins(
func.func @transposed_both(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %out: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, m)>,
                                        affine_map<(m, n, k) -> (n, k)>,
                                        affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%out : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %z: f32):
    %p = arith.mulf %x0, %x1 : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// Cᵀ = BᵀAᵀ.
// CHECK-LABEL: func @transposed_output(
// CHECK-SAME: %[[A:[^:]*]]: tensor<?x?xf32>, %[[B:[^:]*]]: tensor<?x?xf32>
// CHECK: linalg.matmul indexing_maps = [#[[$KM]], #[[$NK]], #[[$MN]]] ins(%[[B]], %[[A]] :
func.func @transposed_output(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %out: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                                        affine_map<(m, n, k) -> (k, n)>,
                                        affine_map<(m, n, k) -> (n, m)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%out : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %z: f32):
    %p = arith.mulf %x0, %x1 : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @swapped(
// CHECK-SAME: %[[B:[^:]*]]: tensor<?x?xf32>, %[[A:[^:]*]]: tensor<?x?xf32>
// CHECK: linalg.matmul ins(%[[A]], %[[B]] :
func.func @swapped(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %out: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, n)>,
                                        affine_map<(m, n, k) -> (m, k)>,
                                        affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%out : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %z: f32):
    %p = arith.mulf %x0, %x1 : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @batch_matmul(
// CHECK: linalg.batch_matmul ins(
func.func @batch_matmul(%a: tensor<?x?x?xf32>, %b: tensor<?x?x?xf32>, %out: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>,
                                        affine_map<(b, m, n, k) -> (b, k, n)>,
                                        affine_map<(b, m, n, k) -> (b, m, n)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?x?xf32>, tensor<?x?x?xf32>) outs(%out : tensor<?x?x?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %z: f32):
    %p = arith.mulf %x0, %x1 : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

// CHECK-LABEL: func @batch_transposed_a(
// CHECK: linalg.batch_matmul indexing_maps = [#[[$BKM]], #[[$BKN]], #[[$BMN]]] ins(
func.func @batch_transposed_a(%a: tensor<?x?x?xf32>, %b: tensor<?x?x?xf32>, %out: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, k, m)>,
                                        affine_map<(b, m, n, k) -> (b, k, n)>,
                                        affine_map<(b, m, n, k) -> (b, m, n)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?x?xf32>, tensor<?x?x?xf32>) outs(%out : tensor<?x?x?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %z: f32):
    %p = arith.mulf %x0, %x1 : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

// CHECK-LABEL: func @batch_transposed_b(
// CHECK: linalg.batch_matmul indexing_maps = [#[[$BMK]], #[[$BNK]], #[[$BMN]]] ins(
func.func @batch_transposed_b(%a: tensor<?x?x?xf32>, %b: tensor<?x?x?xf32>, %out: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>,
                                        affine_map<(b, m, n, k) -> (b, n, k)>,
                                        affine_map<(b, m, n, k) -> (b, m, n)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?x?xf32>, tensor<?x?x?xf32>) outs(%out : tensor<?x?x?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %z: f32):
    %p = arith.mulf %x0, %x1 : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

// Upstream's verifier wants the batch dim first in every operand.
// CHECK-LABEL: func @batch_not_first(
// CHECK: linalg.{{generic|contract}}
func.func @batch_not_first(%a: tensor<?x?x?xf32>, %b: tensor<?x?x?xf32>, %out: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (m, b, k)>,
                                        affine_map<(b, m, n, k) -> (b, k, n)>,
                                        affine_map<(b, m, n, k) -> (b, m, n)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?x?xf32>, tensor<?x?x?xf32>) outs(%out : tensor<?x?x?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %z: f32):
    %p = arith.mulf %x0, %x1 : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

// No named op has two.
// CHECK-LABEL: func @two_batch_dims(
// CHECK: linalg.{{generic|contract}}
func.func @two_batch_dims(%a: tensor<?x?x?x?xf32>, %b: tensor<?x?x?x?xf32>, %out: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(b, c, m, n, k) -> (b, c, m, k)>,
                                        affine_map<(b, c, m, n, k) -> (b, c, k, n)>,
                                        affine_map<(b, c, m, n, k) -> (b, c, m, n)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) outs(%out : tensor<?x?x?x?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %z: f32):
    %p = arith.mulf %x0, %x1 : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x?x?x?xf32>
  return %0 : tensor<?x?x?x?xf32>
}

// Nor two sums over dims in this order.
// CHECK-LABEL: func @several_k(
// CHECK: linalg.{{generic|contract}}
func.func @several_k(%a: tensor<?x?x?xf32>, %b: tensor<?x?x?xf32>, %out: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k, l) -> (m, k, l)>,
                                        affine_map<(m, n, k, l) -> (l, k, n)>,
                                        affine_map<(m, n, k, l) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
    ins(%a, %b : tensor<?x?x?xf32>, tensor<?x?x?xf32>) outs(%out : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %z: f32):
    %p = arith.mulf %x0, %x1 : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @batch_reduce_matmul(
// CHECK: linalg.batch_reduce_matmul ins(
func.func @batch_reduce_matmul(%a: tensor<?x?x?xf32>, %b: tensor<?x?x?xf32>, %out: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>,
                                        affine_map<(b, m, n, k) -> (b, k, n)>,
                                        affine_map<(b, m, n, k) -> (m, n)>],
                       iterator_types = ["reduction", "parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?x?xf32>, tensor<?x?x?xf32>) outs(%out : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %z: f32):
    %p = arith.mulf %x0, %x1 : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @dot(
// CHECK: linalg.dot ins(
func.func @dot(%a: tensor<?xf32>, %b: tensor<?xf32>, %out: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>,
                                        affine_map<(k) -> (k)>,
                                        affine_map<(k) -> ()>],
                       iterator_types = ["reduction"]}
    ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%out : tensor<f32>) {
  ^bb0(%x0: f32, %x1: f32, %z: f32):
    %p = arith.mulf %x0, %x1 : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func @matvec(
// CHECK: linalg.matvec ins(
func.func @matvec(%a: tensor<?x?xf32>, %b: tensor<?xf32>, %out: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>,
                                        affine_map<(m, k) -> (k)>,
                                        affine_map<(m, k) -> (m)>],
                       iterator_types = ["parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xf32>, tensor<?xf32>) outs(%out : tensor<?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %z: f32):
    %p = arith.mulf %x0, %x1 : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func @matvec_swapped(
// CHECK: linalg.matvec ins(
func.func @matvec_swapped(%a: tensor<?xf32>, %b: tensor<?x?xf32>, %out: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, k) -> (k)>,
                                        affine_map<(m, k) -> (m, k)>,
                                        affine_map<(m, k) -> (m)>],
                       iterator_types = ["parallel", "reduction"]}
    ins(%a, %b : tensor<?xf32>, tensor<?x?xf32>) outs(%out : tensor<?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %z: f32):
    %p = arith.mulf %x0, %x1 : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func @vecmat(
// CHECK: linalg.vecmat ins(
func.func @vecmat(%a: tensor<?xf32>, %b: tensor<?x?xf32>, %out: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(n, k) -> (k)>,
                                        affine_map<(n, k) -> (k, n)>,
                                        affine_map<(n, k) -> (n)>],
                       iterator_types = ["parallel", "reduction"]}
    ins(%a, %b : tensor<?xf32>, tensor<?x?xf32>) outs(%out : tensor<?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %z: f32):
    %p = arith.mulf %x0, %x1 : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func @matrix_transposed_times_vector(
// CHECK: linalg.vecmat ins(
func.func @matrix_transposed_times_vector(%a: tensor<?x?xf32>, %b: tensor<?xf32>, %out: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(n, k) -> (k, n)>,
                                        affine_map<(n, k) -> (k)>,
                                        affine_map<(n, k) -> (n)>],
                       iterator_types = ["parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xf32>, tensor<?xf32>) outs(%out : tensor<?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %z: f32):
    %p = arith.mulf %x0, %x1 : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func @batch_matvec(
// CHECK: linalg.batch_matvec ins(
func.func @batch_matvec(%a: tensor<?x?x?xf32>, %b: tensor<?x?xf32>, %out: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(b, m, k) -> (b, m, k)>,
                                        affine_map<(b, m, k) -> (b, k)>,
                                        affine_map<(b, m, k) -> (b, m)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?x?xf32>, tensor<?x?xf32>) outs(%out : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %z: f32):
    %p = arith.mulf %x0, %x1 : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @batch_vecmat(
// CHECK: linalg.batch_vecmat ins(
func.func @batch_vecmat(%a: tensor<?x?xf32>, %b: tensor<?x?x?xf32>, %out: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(b, n, k) -> (b, k)>,
                                        affine_map<(b, n, k) -> (b, k, n)>,
                                        affine_map<(b, n, k) -> (b, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xf32>, tensor<?x?x?xf32>) outs(%out : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %z: f32):
    %p = arith.mulf %x0, %x1 : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @mmt4d(
// CHECK: linalg.mmt4d ins(
func.func @mmt4d(%a: tensor<?x?x?x?xf32>, %b: tensor<?x?x?x?xf32>, %out: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(p, q, r, m, n, k) -> (p, r, m, k)>,
                                        affine_map<(p, q, r, m, n, k) -> (q, r, n, k)>,
                                        affine_map<(p, q, r, m, n, k) -> (p, q, m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) outs(%out : tensor<?x?x?x?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %z: f32):
    %p = arith.mulf %x0, %x1 : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x?x?x?xf32>
  return %0 : tensor<?x?x?x?xf32>
}

// CHECK-LABEL: func @batch_mmt4d(
// CHECK: linalg.batch_mmt4d ins(
func.func @batch_mmt4d(%a: tensor<?x?x?x?x?xf32>, %b: tensor<?x?x?x?x?xf32>, %out: tensor<?x?x?x?x?xf32>) -> tensor<?x?x?x?x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(b, p, q, r, m, n, k) -> (b, p, r, m, k)>,
                                        affine_map<(b, p, q, r, m, n, k) -> (b, q, r, n, k)>,
                                        affine_map<(b, p, q, r, m, n, k) -> (b, p, q, m, n)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?x?x?x?xf32>, tensor<?x?x?x?x?xf32>) outs(%out : tensor<?x?x?x?x?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %z: f32):
    %p = arith.mulf %x0, %x1 : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x?x?x?x?xf32>
  return %0 : tensor<?x?x?x?x?xf32>
}

// CHECK-LABEL: func @signed(
// CHECK: linalg.matmul ins(
func.func @signed(%a: tensor<?x?xi8>, %b: tensor<?x?xi8>, %out: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                                        affine_map<(m, n, k) -> (k, n)>,
                                        affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xi8>, tensor<?x?xi8>) outs(%out : tensor<?x?xi32>) {
  ^bb0(%x0: i8, %x1: i8, %z: i32):
    %v = arith.extsi %x0 : i8 to i32
    %w = arith.extsi %x1 : i8 to i32
    %p = arith.muli %v, %w : i32
    %s = arith.addi %z, %p : i32
    linalg.yield %s : i32
  } -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// CHECK-LABEL: func @unsigned(
// CHECK: linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(
func.func @unsigned(%a: tensor<?x?xi8>, %b: tensor<?x?xi8>, %out: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                                        affine_map<(m, n, k) -> (k, n)>,
                                        affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xi8>, tensor<?x?xi8>) outs(%out : tensor<?x?xi32>) {
  ^bb0(%x0: i8, %x1: i8, %z: i32):
    %v = arith.extui %x0 : i8 to i32
    %w = arith.extui %x1 : i8 to i32
    %p = arith.muli %v, %w : i32
    %s = arith.addi %z, %p : i32
    linalg.yield %s : i32
  } -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// `linalg.dot` cannot be told.
// CHECK-LABEL: func @unsigned_dot(
// CHECK: linalg.{{generic|contract}}
func.func @unsigned_dot(%a: tensor<?xi8>, %b: tensor<?xi8>, %out: tensor<i32>) -> tensor<i32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>,
                                        affine_map<(k) -> (k)>,
                                        affine_map<(k) -> ()>],
                       iterator_types = ["reduction"]}
    ins(%a, %b : tensor<?xi8>, tensor<?xi8>) outs(%out : tensor<i32>) {
  ^bb0(%x0: i8, %x1: i8, %z: i32):
    %v = arith.extui %x0 : i8 to i32
    %w = arith.extui %x1 : i8 to i32
    %p = arith.muli %v, %w : i32
    %s = arith.addi %z, %p : i32
    linalg.yield %s : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func @mixed_signs(
// CHECK: {{linalg.generic|ein.contract}}
func.func @mixed_signs(%a: tensor<?x?xi8>, %b: tensor<?x?xi8>, %out: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                                        affine_map<(m, n, k) -> (k, n)>,
                                        affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xi8>, tensor<?x?xi8>) outs(%out : tensor<?x?xi32>) {
  ^bb0(%x0: i8, %x1: i8, %z: i32):
    %v = arith.extsi %x0 : i8 to i32
    %w = arith.extui %x1 : i8 to i32
    %p = arith.muli %v, %w : i32
    %s = arith.addi %z, %p : i32
    linalg.yield %s : i32
  } -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// CHECK-LABEL: func @widened(
// CHECK: linalg.matmul ins(
func.func @widened(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %out: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                                        affine_map<(m, n, k) -> (k, n)>,
                                        affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%out : tensor<?x?xf64>) {
  ^bb0(%x0: f32, %x1: f32, %z: f64):
    %v = arith.extf %x0 : f32 to f64
    %w = arith.extf %x1 : f32 to f64
    %p = arith.mulf %v, %w : f64
    %s = arith.addf %p, %z : f64
    linalg.yield %s : f64
  } -> tensor<?x?xf64>
  return %0 : tensor<?x?xf64>
}

// Multiplied in f32, accumulated in f64.
// CHECK-LABEL: func @rounded_product(
// CHECK: linalg.generic
func.func @rounded_product(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %out: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                                        affine_map<(m, n, k) -> (k, n)>,
                                        affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%out : tensor<?x?xf64>) {
  ^bb0(%x0: f32, %x1: f32, %z: f64):
    %p = arith.mulf %x0, %x1 : f32
    %w = arith.extf %p : f32 to f64
    %s = arith.addf %w, %z : f64
    linalg.yield %s : f64
  } -> tensor<?x?xf64>
  return %0 : tensor<?x?xf64>
}

// CHECK-LABEL: func @by_max(
// CHECK: {{linalg.generic|ein.contract}}
func.func @by_max(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %out: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                                        affine_map<(m, n, k) -> (k, n)>,
                                        affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%out : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %z: f32):
    %p = arith.mulf %x0, %x1 : f32
    %s = arith.maximumf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// The stride is not lost, as nothing is raised.
// CHECK-LABEL: func @strided_conv(
// CHECK: linalg.generic
func.func @strided_conv(%a: tensor<7xf32>, %b: tensor<3xf32>, %out: tensor<3xf32>) -> tensor<3xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(o, k) -> (2 * o + k)>,
                                        affine_map<(o, k) -> (k)>,
                                        affine_map<(o, k) -> (o)>],
                       iterator_types = ["parallel", "reduction"]}
    ins(%a, %b : tensor<7xf32>, tensor<3xf32>) outs(%out : tensor<3xf32>) {
  ^bb0(%x0: f32, %x1: f32, %z: f32):
    %p = arith.mulf %x0, %x1 : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func @dilated_conv(
// CHECK: linalg.generic
func.func @dilated_conv(%a: tensor<7xf32>, %b: tensor<3xf32>, %out: tensor<3xf32>) -> tensor<3xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(o, k) -> (o + 2 * k)>,
                                        affine_map<(o, k) -> (k)>,
                                        affine_map<(o, k) -> (o)>],
                       iterator_types = ["parallel", "reduction"]}
    ins(%a, %b : tensor<7xf32>, tensor<3xf32>) outs(%out : tensor<3xf32>) {
  ^bb0(%x0: f32, %x1: f32, %z: f32):
    %p = arith.mulf %x0, %x1 : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func @add(
// CHECK: linalg.add ins(
func.func @add(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %out: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>,
                                        affine_map<(i, j) -> (i, j)>,
                                        affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%out : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %z: f32):
    %s = arith.addf %x1, %x0 : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @sub(
// CHECK: linalg.sub ins(
func.func @sub(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %out: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>,
                                        affine_map<(i, j) -> (i, j)>,
                                        affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%out : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %z: f32):
    %s = arith.subf %x0, %x1 : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @sub_reversed(
// CHECK: linalg.generic
func.func @sub_reversed(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %out: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>,
                                        affine_map<(i, j) -> (i, j)>,
                                        affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%out : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %x1: f32, %z: f32):
    %s = arith.subf %x1, %x0 : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @exp(
// CHECK: linalg.exp ins(
func.func @exp(%a: tensor<?x?xf32>, %out: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>,
                                        affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<?x?xf32>) outs(%out : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %z: f32):
    %s = math.exp %x0 : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @copy(
// CHECK: linalg.copy ins(
func.func @copy(%a: tensor<?x?xf32>, %out: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>,
                                        affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<?x?xf32>) outs(%out : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %z: f32):
    linalg.yield %x0 : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @transpose(
// CHECK: linalg.transpose ins({{.*}} permutation = [1, 0]
func.func @transpose(%a: tensor<?x?xf32>, %out: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>,
                                        affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<?x?xf32>) outs(%out : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %z: f32):
    linalg.yield %x0 : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @broadcast(
// CHECK: linalg.broadcast ins({{.*}} dimensions = [0]
func.func @broadcast(%a: tensor<?xf32>, %out: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>,
                                        affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<?xf32>) outs(%out : tensor<?x?xf32>) {
  ^bb0(%x0: f32, %z: f32):
    linalg.yield %x0 : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// A call of a library stays what it is, whatever it computes.
// CHECK-LABEL: func @library(
// CHECK: linalg.generic {{.*}}library_call = "gemm"
func.func @library(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %out: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                                        affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"], library_call = "gemm"}
    ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%out : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @fill(
// CHECK: linalg.fill ins(
func.func @fill(%x: f32, %out: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> ()>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
    ins(%x : f32) outs(%out : tensor<?xf32>) {
  ^bb0(%v: f32, %z: f32):
    linalg.yield %v : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// Buffers likewise.
// CHECK-LABEL: func @buffers(
// CHECK: linalg.matmul ins({{.*}} : memref<?x?xf32>, memref<?x?xf32>)
func.func @buffers(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                                   affine_map<(m, n, k) -> (m, n)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  }
  return
}
