// A function on memrefs has a form for arrays that overlap: loops, loads and
// stores, in memory of any strides.
// RUN: ein-opt %s --ein-infer-signatures --ein-keep-written | FileCheck %s
// RUN: ein-opt %s --ein-infer-signatures --ein-keep-written --remarks-filter=raise 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WHY

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @product(
// CHECK-SAME: ein.signature
// CHECK: linalg.contract
func.func @product(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.contract indexing_maps = [#mk, #kn, #mn]
    ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}

// Only inputs may always overlap, and so may one array.
// CHECK-LABEL: func.func @one(
func.func @one(%a: memref<?xf32>) {
  linalg.exp ins(%a : memref<?xf32>) outs(%a : memref<?xf32>)
  return
}

// CHECK-LABEL: func.func @views(
func.func @views(%a: memref<?x8xf32>, %b: memref<4xf32>, %i: index) {
  %x = memref.subview %a[%i, 2] [1, 4] [1, 1] : memref<?x8xf32> to memref<4xf32, strided<[1], offset: ?>>
  %y = memref.cast %x : memref<4xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
  %e = memref.expand_shape %b [[0, 1]] output_shape [2, 2] : memref<4xf32> into memref<2x2xf32>
  %c0 = arith.constant 0 : index
  %v = memref.load %y[%c0] : memref<?xf32, strided<[1], offset: ?>>
  linalg.fill ins(%v : f32) outs(%e : memref<2x2xf32>)
  return
}

// WHY-DAG: arrays that overlap are refused: it computes with tensors
func.func @tensors(%a: memref<4xf32>, %b: memref<4xf32>) {
  %t = bufferization.to_tensor %a restrict : memref<4xf32> to tensor<4xf32>
  %r = linalg.exp ins(%t : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %r in restrict writable %b : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// WHY-DAG: arrays that overlap are refused: an op of it has no loops on memory: `linalg.softmax`
func.func @aggregate(%a: memref<4x4xf32>, %b: memref<4x4xf32>) {
  linalg.softmax dimension(1) ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  return
}

// WHY-DAG: arrays that overlap are refused: a view of it is of an array without gaps: `memref.collapse_shape`
func.func @joined(%a: memref<4x4xf32>, %b: memref<16xf32>) {
  %c = memref.collapse_shape %a [[0, 1]] : memref<4x4xf32> into memref<16xf32>
  linalg.exp ins(%c : memref<16xf32>) outs(%b : memref<16xf32>)
  return
}

// CHECK: func.func private @__ein_written_product(
// CHECK-SAME: %[[A:[^:]*]]: memref<?x?xf32, strided<[?, ?], offset: ?>>,
// CHECK-SAME: %[[B:[^:]*]]: memref<?x?xf32, strided<[?, ?], offset: ?>>,
// CHECK-SAME: %[[C:[^:]*]]: memref<?x?xf32, strided<[?, ?], offset: ?>>, %{{.*}}: index
// CHECK-NOT: ein.
// CHECK-COUNT-3: scf.for
// CHECK: memref.load %[[A]]
// CHECK: memref.load %[[B]]
// CHECK: memref.load %[[C]]
// CHECK: memref.store %{{.*}}, %[[C]]
// CHECK: return
// CHECK-NOT: @__ein_written_one
// CHECK: func.func private @__ein_written_views(
// CHECK: memref.subview {{.*}} to memref<4xf32, strided<[?], offset: ?>>
// CHECK: memref.cast {{.*}} to memref<?xf32, strided<[?], offset: ?>>
// CHECK: memref.expand_shape {{.*}} into memref<2x2xf32, strided<[?, ?], offset: ?>>
// CHECK-NOT: @__ein_written
