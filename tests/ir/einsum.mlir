// `ein.einsum` is printed as it is read, in both forms.
// RUN: ein-opt %s | FileCheck %s
// RUN: ein-opt %s | ein-opt | FileCheck %s
// RUN: ein-opt %s -mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: ein-opt %s -mlir-print-op-generic | ein-opt | FileCheck %s

// CHECK-DAG: #[[IJ:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2)>
// CHECK-DAG: #[[JK:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
// CHECK-DAG: #[[KL:.*]] = affine_map<(d0, d1, d2, d3) -> (d3, d1)>
// CHECK-DAG: #[[IL:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
// CHECK-DAG: #[[II:.*]] = affine_map<(d0) -> (d0, d0)>
// CHECK-DAG: #[[NONE:.*]] = affine_map<(d0) -> ()>
// CHECK-DAG: #[[EMPTY:.*]] = affine_map<() -> ()>

// CHECK-LABEL: func @chain
// CHECK: ein.einsum indexing_maps = [#[[IJ]], #[[JK]], #[[KL]], #[[IL]]]
// CHECK-SAME: ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<?x?xf32>, tensor<?x4xf32>, tensor<4x?xf32>)
// CHECK-SAME: outs(%{{.*}} : tensor<?x?xf32>) -> tensor<?x?xf32>
// GENERIC-LABEL: sym_name = "chain"
// GENERIC: "ein.einsum"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{indexing_maps = [
// GENERIC-SAME: (tensor<?x?xf32>, tensor<?x4xf32>, tensor<4x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
func.func @chain(%a: tensor<?x?xf32>, %b: tensor<?x4xf32>,
                 %c: tensor<4x?xf32>, %init: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = ein.einsum indexing_maps = [affine_map<(i, l, j, k) -> (i, j)>,
                                   affine_map<(i, l, j, k) -> (j, k)>,
                                   affine_map<(i, l, j, k) -> (k, l)>,
                                   affine_map<(i, l, j, k) -> (i, l)>]
         ins(%a, %b, %c : tensor<?x?xf32>, tensor<?x4xf32>, tensor<4x?xf32>)
         outs(%init : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// A diagonal, a result of rank 0, an input that is widened, attributes.
// CHECK-LABEL: func @trace
// CHECK: ein.einsum indexing_maps = [#[[II]], #[[NONE]]] {note = "kept"}
// CHECK-SAME: ins(%{{.*}} : tensor<3x3xf32>) outs(%{{.*}} : tensor<f64>) -> tensor<f64>
func.func @trace(%a: tensor<3x3xf32>, %init: tensor<f64>) -> tensor<f64> {
  %0 = ein.einsum indexing_maps = [affine_map<(i) -> (i, i)>, affine_map<(i) -> ()>]
         {note = "kept"}
         ins(%a : tensor<3x3xf32>) outs(%init : tensor<f64>) -> tensor<f64>
  return %0 : tensor<f64>
}

// No dim at all; a dim that only the output has.
// CHECK-LABEL: func @scalars
// CHECK: ein.einsum indexing_maps = [#[[EMPTY]], #[[EMPTY]], #[[EMPTY]]]
// CHECK: ein.einsum indexing_maps = [#[[NONE]], #{{.*}}]
func.func @scalars(%a: tensor<f32>, %init: tensor<f32>, %v: tensor<5xf32>)
    -> (tensor<f32>, tensor<5xf32>) {
  %0 = ein.einsum indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>,
                                   affine_map<() -> ()>]
         ins(%a, %a : tensor<f32>, tensor<f32>)
         outs(%init : tensor<f32>) -> tensor<f32>
  %1 = ein.einsum indexing_maps = [affine_map<(i) -> ()>, affine_map<(i) -> (i)>]
         ins(%a : tensor<f32>) outs(%v : tensor<5xf32>) -> tensor<5xf32>
  return %0, %1 : tensor<f32>, tensor<5xf32>
}

// Pure: what nobody uses goes away.
// RUN: ein-opt %s -canonicalize | FileCheck %s --check-prefix=PURE
// PURE-LABEL: func @unused
// PURE-NOT: ein.einsum
// PURE: return
func.func @unused(%a: tensor<3xf32>, %init: tensor<f32>) {
  %0 = ein.einsum indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>]
         ins(%a : tensor<3xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  return
}

// CHECK-LABEL: func @path
// CHECK: ein.einsum indexing_maps = [{{.*}}] path = [array<i64: 0, 1>, array<i64: 3, 2>] ins(
func.func @path(%a: tensor<3xf32>, %init: tensor<3xf32>) -> tensor<3xf32> {
  %0 = ein.einsum indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>,
                                   affine_map<(i) -> (i)>, affine_map<(i) -> (i)>]
         path = [array<i64: 0, 1>, array<i64: 3, 2>]
         ins(%a, %a, %a : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
         outs(%init : tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
