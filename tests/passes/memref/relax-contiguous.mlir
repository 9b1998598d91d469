// RUN: ein-opt %s -ein-relax-contiguous -split-input-file | FileCheck %s

// Two dims are one: rows of any stride, each a step after the one before it.
// CHECK-LABEL: func @rows
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<?x3x4xf32, strided<[?, ?, 1]>>
// CHECK-SAME: ein.joined = array<i64: 0, 0>
// CHECK-NOT: ein.contiguous
// CHECK: %{{.*}}, %{{.*}}, %[[SIZES:.*]]:3, %[[STRIDES:.*]]:3 = memref.extract_strided_metadata %[[A]]
// CHECK: %[[ROWS:.*]] = arith.muli %[[SIZES]]#0, %[[SIZES]]#1
// CHECK: %[[M:.*]] = memref.reinterpret_cast %[[A]] to offset: [0], sizes: [%[[ROWS]], 4], strides: [%[[STRIDES]]#1, 1]
// CHECK: memref.subview %[[M]][%{{.*}}, 0] [2, 4] [1, 1] : memref<?x4xf32, strided<[?, 1]>> to memref<2x4xf32, strided<[?, 1], offset: ?>>
func.func @rows(%a: memref<?x3x4xf32>, %i: index) -> f32 attributes {ein.contiguous = array<i64: 0>} {
  %c0 = arith.constant 0 : index
  %m = memref.collapse_shape %a [[0, 1], [2]] : memref<?x3x4xf32> into memref<?x4xf32>
  %s = memref.subview %m[%i, 0] [2, 4] [1, 1] : memref<?x4xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
  %x = memref.load %s[%c0, %c0] : memref<2x4xf32, strided<[4, 1], offset: ?>>
  return %x : f32
}

// -----

// The last dims are one, which has steps of one element.
// CHECK-LABEL: func @columns
// CHECK-SAME: memref<2x3x4xf32, strided<[?, ?, 1]>>
// CHECK-SAME: ein.joined = array<i64: 1, 1>
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [2, 12], strides: [%{{.*}}#0, 1]
func.func @columns(%x: f32, %a: memref<2x3x4xf32>) attributes {ein.contiguous = array<i64: 1>} {
  %c0 = arith.constant 0 : index
  %m = memref.collapse_shape %a [[0], [1, 2]] : memref<2x3x4xf32> into memref<2x12xf32>
  memref.store %x, %m[%c0, %c0] : memref<2x12xf32>
  return
}

// -----

// All dims are one, which is what a contiguous array has.
// CHECK-LABEL: func @whole
// CHECK-SAME: memref<2x3xf32>
// CHECK-SAME: ein.contiguous = array<i64: 0>
// CHECK-NOT: ein.joined
// CHECK: memref.collapse_shape
func.func @whole(%a: memref<2x3xf32>) -> f32 attributes {ein.contiguous = array<i64: 0>} {
  %c0 = arith.constant 0 : index
  %m = memref.collapse_shape %a [[0, 1]] : memref<2x3xf32> into memref<6xf32>
  %x = memref.load %m[%c0] : memref<6xf32>
  return %x : f32
}

// -----

// A function of its own takes what is contiguous, and no other.
// CHECK-LABEL: func @called
// CHECK-SAME: %{{.*}}: memref<2x3x4xf32>, %{{.*}}: memref<2x3x4xf32, strided<[?, ?, 1]>>
// CHECK-SAME: ein.contiguous = array<i64: 0>
// CHECK-SAME: ein.joined = array<i64: 1, 0>
func.func private @own(memref<6x4xf32>)
func.func @called(%a: memref<2x3x4xf32>, %b: memref<2x3x4xf32>) -> f32 attributes {ein.contiguous = array<i64: 0, 1>} {
  %c0 = arith.constant 0 : index
  %m = memref.collapse_shape %a [[0, 1], [2]] : memref<2x3x4xf32> into memref<6x4xf32>
  call @own(%m) : (memref<6x4xf32>) -> ()
  %n = memref.collapse_shape %b [[0, 1], [2]] : memref<2x3x4xf32> into memref<6x4xf32>
  %x = memref.load %n[%c0, %c0] : memref<6x4xf32>
  return %x : f32
}
