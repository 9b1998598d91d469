// RUN: ein-opt %s -ein-lower-einsum -split-input-file -verify-diagnostics | FileCheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func @contraction
// CHECK: linalg.contract indexing_maps = [#{{.*}}, #{{.*}}, #{{.*}}] ins(%{{.*}}, %{{.*}} : tensor<?x3xf32>, tensor<3x?xf64>)
func.func @contraction(%a: tensor<?x3xf32>, %b: tensor<3x?xf64>, %c: tensor<?x?xf64>)
    -> tensor<?x?xf64> {
  %0 = ein.einsum indexing_maps = [#mk, #kn, #mn]
         ins(%a, %b : tensor<?x3xf32>, tensor<3x?xf64>)
         outs(%c : tensor<?x?xf64>) -> tensor<?x?xf64>
  return %0 : tensor<?x?xf64>
}

// -----

// An outer product reduces nothing: linalg.contract does not verify. It starts
// from zeros, so they are not read, nor added to.
// CHECK-LABEL: func @outer
// CHECK-SAME: %[[C:[^:]*]]: tensor<3x4xf32>)
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} {{.*}} outs(%[[C]] :
// CHECK: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[A]], %[[B]]
// CHECK-NEXT: linalg.yield %[[P]]
func.func @outer(%a: tensor<3xf32>, %b: tensor<4xf32>, %c: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%c : tensor<3x4xf32>) -> tensor<3x4xf32>
  %0 = ein.einsum indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>,
                                   affine_map<(i, j) -> (i, j)>]
         ins(%a, %b : tensor<3xf32>, tensor<4xf32>)
         outs(%init : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

// The same onto something else: added.
// CHECK-LABEL: func @hadamard_onto
// CHECK: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32):
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[A]], %[[B]]
// CHECK-NEXT: arith.addf %[[C]], %[[P]]
func.func @hadamard_onto(%a: tensor<3xf32>, %c: tensor<3xf32>) -> tensor<3xf32> {
  %0 = ein.einsum indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>,
                                   affine_map<(i) -> (i)>]
         ins(%a, %a : tensor<3xf32>, tensor<3xf32>)
         outs(%c : tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// One input: transpose, copy, and generics for a sum, a diagonal, a broadcast,
// a conversion. A -0.0 added to the fill would lose its sign: none of the first
// two reads it.
// CHECK-DAG: #[[II:.*]] = affine_map<(d0) -> (d0, d0)>
// CHECK-LABEL: func @one_input
// CHECK-SAME: %[[A:[^:]*]]: tensor<3x3x3xf32>, %[[B:[^:]*]]: tensor<3x3xf32>, %[[C:[^:]*]]: tensor<3x3x3xf32>
// CHECK: linalg.transpose ins(%[[A]] : {{.*}}) outs(%[[C]] : {{.*}}) permutation = [2, 0, 1]
// CHECK: linalg.copy ins(%[[A]] : {{.*}}) outs(%[[C]] :
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]}
// CHECK: linalg.generic {indexing_maps = [#[[II]], #{{.*}}], iterator_types = ["parallel"]}
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel"]} ins(%[[B]] :
// CHECK: linalg.generic
// CHECK: arith.extf
func.func @one_input(%a: tensor<3x3x3xf32>, %b: tensor<3x3xf32>, %c: tensor<3x3x3xf32>,
                     %d: tensor<3xf32>, %w: tensor<3x3xf64>)
    -> (tensor<3x3x3xf32>, tensor<3x3x3xf32>, tensor<3xf32>, tensor<3xf32>,
        tensor<3x3x3xf32>, tensor<3x3xf64>) {
  %zero = arith.constant 0.0 : f32
  %zero64 = arith.constant 0.0 : f64
  %c0 = linalg.fill ins(%zero : f32) outs(%c : tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %d0 = linalg.fill ins(%zero : f32) outs(%d : tensor<3xf32>) -> tensor<3xf32>
  %w0 = linalg.fill ins(%zero64 : f64) outs(%w : tensor<3x3xf64>) -> tensor<3x3xf64>
  // C(i, j, k) = A(j, k, i)
  %transpose = ein.einsum
    indexing_maps = [affine_map<(i, j, k) -> (j, k, i)>, affine_map<(i, j, k) -> (i, j, k)>]
    ins(%a : tensor<3x3x3xf32>) outs(%c0 : tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %copy = ein.einsum
    indexing_maps = [affine_map<(i, j, k) -> (k, j, i)>, affine_map<(i, j, k) -> (k, j, i)>]
    ins(%a : tensor<3x3x3xf32>) outs(%c0 : tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %sum = ein.einsum
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>]
    ins(%b : tensor<3x3xf32>) outs(%d0 : tensor<3xf32>) -> tensor<3xf32>
  %diagonal = ein.einsum
    indexing_maps = [affine_map<(i) -> (i, i)>, affine_map<(i) -> (i)>]
    ins(%b : tensor<3x3xf32>) outs(%d0 : tensor<3xf32>) -> tensor<3xf32>
  %broadcast = ein.einsum
    indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (i, j, k)>]
    ins(%b : tensor<3x3xf32>) outs(%c0 : tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %widened = ein.einsum
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>]
    ins(%b : tensor<3x3xf32>) outs(%w0 : tensor<3x3xf64>) -> tensor<3x3xf64>
  return %transpose, %copy, %sum, %diagonal, %broadcast, %widened
    : tensor<3x3x3xf32>, tensor<3x3x3xf32>, tensor<3xf32>, tensor<3xf32>,
      tensor<3x3x3xf32>, tensor<3x3xf64>
}

// -----

func.func @three(%a: tensor<3xf32>, %c: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{has more than two inputs; run `ein-order-contractions` first}}
  %0 = ein.einsum indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>,
                                   affine_map<(i) -> (i)>, affine_map<(i) -> (i)>]
         ins(%a, %a, %a : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
         outs(%c : tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
