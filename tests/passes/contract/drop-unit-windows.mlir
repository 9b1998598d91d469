// Windows of one position are no windows: what is left is read at lone indices,
// of the operand or of a slice with the window's steps.
// RUN: ein-opt %s -ein-drop-unit-windows -split-input-file | FileCheck %s

// CHECK-DAG: #[[PIXELS:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK-DAG: #[[FILTERS:.*]] = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
// CHECK-DAG: #[[RESULT:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-LABEL: func @by_two
// CHECK-SAME: %[[I:.*]]: tensor<13x13x64xf32>, %[[W:.*]]: tensor<1x1x64x32xf32>
// CHECK-DAG: %[[P:.*]] = tensor.extract_slice %[[I]][0, 0, 0] [7, 7, 64] [2, 2, 1] : tensor<13x13x64xf32> to tensor<7x7x64xf32>
// CHECK-DAG: %[[K:.*]] = tensor.extract_slice %[[W]][0, 0, 0, 0] [1, 1, 64, 32] [1, 1, 1, 1] : tensor<1x1x64x32xf32> to tensor<64x32xf32>
// CHECK: linalg.generic {indexing_maps = [#[[PIXELS]], #[[FILTERS]], #[[RESULT]]], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%[[P]], %[[K]] :
// CHECK: arith.mulf
// CHECK: arith.addf
func.func @by_two(%i: tensor<13x13x64xf32>, %w: tensor<1x1x64x32xf32>, %o: tensor<7x7x32xf32>) -> tensor<7x7x32xf32> {
  %0 = linalg.generic {
         indexing_maps = [affine_map<(h, w, f, kh, kw, c) -> (2 * h + kh, 2 * w + kw, c)>,
                          affine_map<(h, w, f, kh, kw, c) -> (kh, kw, c, f)>,
                          affine_map<(h, w, f, kh, kw, c) -> (h, w, f)>],
         iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
         ins(%i, %w : tensor<13x13x64xf32>, tensor<1x1x64x32xf32>) outs(%o : tensor<7x7x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<7x7x32xf32>
  return %0 : tensor<7x7x32xf32>
}

// -----

// Of dynamic size, a named op; an image that is just as large is read as it is, up
// to the result's size.
// CHECK-LABEL: func @dynamic
// CHECK-SAME: %[[I:.*]]: tensor<?x?x?x?xf32>, %[[W:.*]]: tensor<1x1x?x?xf32>, %[[O:.*]]: tensor<?x?x?x?xf32>
// CHECK-DAG: %[[H:.*]] = tensor.dim %[[O]], %c1
// CHECK-DAG: tensor.extract_slice %[[I]][0, 0, 0, 0] [%{{.*}}, %[[H]], %{{.*}}, %{{.*}}] [1, 1, 1, 1]
// CHECK-NOT: conv
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]
func.func @dynamic(%i: tensor<?x?x?x?xf32>, %w: tensor<1x1x?x?xf32>, %o: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
         ins(%i, %w : tensor<?x?x?x?xf32>, tensor<1x1x?x?xf32>) outs(%o : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  return %0 : tensor<?x?x?x?xf32>
}

// -----

// A window of one row and three columns stays one; so does a subscript that goes
// backwards.
// CHECK-LABEL: func @stay
// CHECK-NOT: extract_slice
// CHECK-COUNT-2: iterator_types = ["parallel", "parallel", "reduction", "reduction"]
// CHECK-NOT: linalg.generic
func.func @stay(%i: tensor<7x9xf32>, %o: tensor<7x7xf32>) -> (tensor<7x7xf32>, tensor<7x7xf32>) {
  %k = tensor.empty() : tensor<1x3xf32>
  %one = tensor.empty() : tensor<1x1xf32>
  %0 = linalg.generic {
         indexing_maps = [affine_map<(h, w, kh, kw) -> (h + kh, w + kw)>, affine_map<(h, w, kh, kw) -> (kh, kw)>,
                          affine_map<(h, w, kh, kw) -> (h, w)>],
         iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
         ins(%i, %k : tensor<7x9xf32>, tensor<1x3xf32>) outs(%o : tensor<7x7xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.addf %c, %a : f32
    linalg.yield %1 : f32
  } -> tensor<7x7xf32>
  %2 = linalg.generic {
         indexing_maps = [affine_map<(h, w, kh, kw) -> (h + kh, 6 - w + kw)>, affine_map<(h, w, kh, kw) -> (kh, kw)>,
                          affine_map<(h, w, kh, kw) -> (h, w)>],
         iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
         ins(%i, %one : tensor<7x9xf32>, tensor<1x1xf32>) outs(%o : tensor<7x7xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.addf %c, %a : f32
    linalg.yield %1 : f32
  } -> tensor<7x7xf32>
  return %0, %2 : tensor<7x7xf32>, tensor<7x7xf32>
}

// A slice that would leave out one of two axes of extent 1.
// CHECK-LABEL: func @two_axes_of_one
// CHECK-NOT: extract_slice
// CHECK: iterator_types = ["reduction", "reduction", "reduction"]
func.func @two_axes_of_one(%i: tensor<1x3x1xf32>, %o: tensor<f32>) -> tensor<f32> {
  %j = tensor.empty() : tensor<2xf32>
  %0 = linalg.generic {
         indexing_maps = [affine_map<(m, j, l) -> (m, 2 * j + l, l)>, affine_map<(m, j, l) -> (j)>,
                          affine_map<(m, j, l) -> ()>],
         iterator_types = ["reduction", "reduction", "reduction"]}
         ins(%i, %j : tensor<1x3x1xf32>, tensor<2xf32>) outs(%o : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.addf %c, %a : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// A slice of nothing would start outside of it.
// CHECK-LABEL: @nothing(
// CHECK-NOT: tensor.extract_slice
// CHECK: return
func.func @nothing(%a: tensor<0x2x1xf32>, %b: tensor<3xf32>, %c: tensor<1xf32>) -> tensor<1xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0 + d3)>, affine_map<(d0, d1, d2, d3) -> (d2)>],
                       iterator_types = ["reduction", "reduction", "parallel", "reduction"]}
    ins(%a, %b : tensor<0x2x1xf32>, tensor<3xf32>) outs(%c : tensor<1xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<1xf32>
  return %r : tensor<1xf32>
}
