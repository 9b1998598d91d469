// RUN: ein-opt %s -ein-lower-expand-shape -cse -split-input-file | FileCheck %s
// RUN: ein-opt %s -ein-lower-expand-shape -expand-strided-metadata -split-input-file \
// RUN:   | FileCheck %s --check-prefix=THEN

// Two dynamic sizes of one dim: strides are products.
// CHECK-LABEL: func @two
// CHECK-SAME: %[[A:[^:]*]]: memref<?x?xf32, strided<[?, 1]>>, %[[H:.*]]: index, %[[W:.*]]: index, %[[C:.*]]: index)
// CHECK: %[[BASE:.*]], %[[OFFSET:.*]], %[[SIZES:.*]]:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %[[A]]
// CHECK: %[[OUTER:.*]] = affine.apply #{{.*}}()[%[[STRIDES]]#0, %[[W]]]
// CHECK: memref.reinterpret_cast %[[A]] to offset: [0], sizes: [%[[H]], %[[W]], %[[C]]], strides: [%[[OUTER]], %[[STRIDES]]#0, 1]
// THEN-LABEL: func @two
// THEN-NOT: expand_shape
func.func @two(%a: memref<?x?xf32, strided<[?, 1]>>, %h: index, %w: index, %c: index) -> f32 {
  %0 = memref.expand_shape %a [[0, 1], [2]] output_shape [%h, %w, %c]
       : memref<?x?xf32, strided<[?, 1]>> into memref<?x?x?xf32, strided<[?, ?, 1]>>
  %zero = arith.constant 0 : index
  %1 = memref.load %0[%zero, %zero, %zero] : memref<?x?x?xf32, strided<[?, ?, 1]>>
  return %1 : f32
}

// -----

// One dynamic size is upstream's.
// CHECK-LABEL: func @one
// CHECK: memref.expand_shape
// THEN-LABEL: func @one
// THEN-NOT: expand_shape
func.func @one(%a: memref<?xf32>, %h: index) -> f32 {
  %0 = memref.expand_shape %a [[0, 1]] output_shape [%h, 4] : memref<?xf32> into memref<?x4xf32>
  %zero = arith.constant 0 : index
  %1 = memref.load %0[%zero, %zero] : memref<?x4xf32>
  return %1 : f32
}
