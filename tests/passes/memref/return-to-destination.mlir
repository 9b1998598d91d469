// RUN: ein-opt %s -ein-return-to-destination -split-input-file -verify-diagnostics | FileCheck %s

#n = affine_map<() -> (3)>

// A result that is computed goes to its place when buffers are made; one that is
// another argument as it is, is copied there now.
// CHECK-LABEL: func @f
// CHECK-SAME: %[[A:[^:]*]]: tensor<3xf32>, %[[B:[^:]*]]: tensor<3xf32>, %[[C:[^:]*]]: tensor<3xf32>)
// CHECK: %[[FILLED:.*]] = linalg.fill
// CHECK: %[[COPY:.*]] = linalg.copy ins(%[[A]] : {{.*}}) outs(%[[C]] :
// CHECK: return %[[FILLED]], %[[COPY]]
func.func @f(%a: tensor<3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>)
    -> (tensor<3xf32>, tensor<3xf32>)
    attributes {ein.signature = {
      arguments = [{name = "A", role = "input", type = "f32", dims = #n},
                   {name = "B", role = "output", type = "f32", dims = #n},
                   {name = "C", role = "output", type = "f32", dims = #n}],
      symbols = [], checks = []}} {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%zero : f32) outs(%b : tensor<3xf32>) -> tensor<3xf32>
  return %0, %a : tensor<3xf32>, tensor<3xf32>
}

// -----

#n = affine_map<() -> (3)>

// An `inout` that nobody wrote is in its place already.
// CHECK-LABEL: func @untouched
// CHECK-NOT: linalg.copy
func.func @untouched(%c: tensor<3xf32>) -> tensor<3xf32>
    attributes {ein.signature = {
      arguments = [{name = "C", role = "inout", type = "f32", dims = #n}],
      symbols = [], checks = []}} {
  return %c : tensor<3xf32>
}

// -----

#n = affine_map<() -> (3)>

// expected-error @+1 {{returns 0 results, and its `ein.signature` has 1 outputs}}
func.func @too_few(%c: tensor<3xf32>)
    attributes {ein.signature = {
      arguments = [{name = "C", role = "output", type = "f32", dims = #n}],
      symbols = [], checks = []}} {
  return
}

// -----

#n = affine_map<() -> (3)>

// expected-error @+1 {{has result #0 of another type than its output argument}}
func.func @other_type(%c: tensor<3xf32>, %d: tensor<?xf32>) -> tensor<?xf32>
    attributes {ein.signature = {
      arguments = [{name = "C", role = "output", type = "f32", dims = #n}],
      symbols = [], checks = []}} {
  return %d : tensor<?xf32>
}

// -----

#n = affine_map<()[s0] -> (s0)>

// Part of an input, which canonicalisation has made of a copy.
// CHECK-LABEL: func @slice
// CHECK-SAME: %[[A:[^:]*]]: tensor<?xi16>, %[[B:[^:]*]]: tensor<?xi16>
// CHECK: %[[S:.*]] = tensor.extract_slice %[[A]]
// CHECK: %[[C:.*]] = linalg.copy ins(%[[S]] : tensor<?xi16>) outs(%[[B]] : tensor<?xi16>)
// CHECK: return %[[C]]
func.func @slice(%a: tensor<?xi16>, %b: tensor<?xi16>, %n: index) -> tensor<?xi16>
    attributes {ein.signature = {
      arguments = [{name = "A", role = "input", type = "i16", dims = #n},
                   {name = "B", role = "output", type = "i16", dims = #n}],
      symbols = ["N"], checks = []}} {
  %0 = tensor.extract_slice %a[1] [%n] [1] : tensor<?xi16> to tensor<?xi16>
  return %0 : tensor<?xi16>
}

// -----

#hw = affine_map<() -> (2, 3)>
#n = affine_map<() -> (6)>

// What is written to the destination, expanded, is in its place; what is an
// argument with other dims is not.
// CHECK-LABEL: func @collapsed
// CHECK-SAME: %[[A:[^:]*]]: tensor<2x3xf32>, %[[B:[^:]*]]: tensor<6xf32>, %[[C:[^:]*]]: tensor<6xf32>)
// CHECK: %[[FIRST:.*]] = tensor.collapse_shape
// CHECK: %[[SECOND:.*]] = tensor.collapse_shape %[[A]]
// CHECK: %[[COPY:.*]] = linalg.copy ins(%[[SECOND]] : {{.*}}) outs(%[[C]] :
// CHECK: return %[[FIRST]], %[[COPY]]
func.func @collapsed(%a: tensor<2x3xf32>, %b: tensor<6xf32>, %c: tensor<6xf32>)
    -> (tensor<6xf32>, tensor<6xf32>)
    attributes {ein.signature = {
      arguments = [{name = "A", role = "input", type = "f32", dims = #hw},
                   {name = "B", role = "output", type = "f32", dims = #n},
                   {name = "C", role = "output", type = "f32", dims = #n}],
      symbols = [], checks = []}} {
  %0 = tensor.expand_shape %b [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  %1 = linalg.exp ins(%a : tensor<2x3xf32>) outs(%0 : tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = tensor.collapse_shape %1 [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  %3 = tensor.collapse_shape %a [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  return %2, %3 : tensor<6xf32>, tensor<6xf32>
}
