// A function on memrefs has a form for arrays that overlap: loops, loads and
// stores, in memory of any strides.
// RUN: ein-opt %s --ein-infer-signatures --ein-keep-written --allow-unregistered-dialect \
// RUN:   | FileCheck %s
// RUN: ein-opt %s --ein-infer-signatures --ein-keep-written --remarks-filter=raise \
// RUN:   --allow-unregistered-dialect 2>&1 | FileCheck %s --check-prefix=WHY

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

// Values are in memory of their own.
func.func @tensors(%a: memref<4xf32>, %b: memref<4xf32>) {
  %t = bufferization.to_tensor %a restrict : memref<4xf32> to tensor<4xf32>
  %r = linalg.exp ins(%t : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %r in restrict writable %b : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// What combines ops is computed of values.
func.func @aggregate(%a: memref<4x4xf32>, %b: memref<4x4xf32>) {
  linalg.softmax dimension(1) ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  return
}

// Joined dims have no stride of their own.
func.func @joined(%a: memref<4x4xf32>, %b: memref<16xf32>) {
  %c = memref.collapse_shape %a [[0, 1]] : memref<4x4xf32> into memref<16xf32>
  linalg.exp ins(%c : memref<16xf32>) outs(%b : memref<16xf32>)
  return
}

// Of what goes into any other op nothing is known but that it is contiguous.
func.func @chosen(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>, %is: i1) {
  %m = arith.select %is, %a, %b : memref<?xf32>
  linalg.exp ins(%m : memref<?xf32>) outs(%c : memref<?xf32>)
  return
}

// Values that have no memory have no such form; functions of nothing but values
// are as defs are.
// WHY: arrays that overlap are refused: it computes with tensors that have no memory
func.func @none(%a: memref<4xf32>, %b: memref<4xf32>) {
  %t = "user.make"() : () -> tensor<4xf32>
  bufferization.materialize_in_destination %t in restrict writable %b : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
func.func @pure(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.exp ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// Results are written last.
func.func @result(%a: memref<4xf32>) -> tensor<4xf32> {
  %t = bufferization.to_tensor %a restrict : memref<4xf32> to tensor<4xf32>
  linalg.exp ins(%a : memref<4xf32>) outs(%a : memref<4xf32>)
  return %t : tensor<4xf32>
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
// CHECK: func.func private @__ein_written_tensors(%[[A:[^:]*]]: {{.*}}, %[[B:[^:]*]]: memref<4xf32, strided<[?], offset: ?>>) {
// CHECK: %[[T:.*]] = memref.alloc() : memref<4xf32>
// CHECK: memref.load %[[A]]
// CHECK: memref.store %{{.*}}, %[[T]]
// CHECK-NOT: %[[A]]
// CHECK: math.exp
// CHECK: memref.store %{{.*}}, %[[B]]
// CHECK-NOT: tensor
// CHECK: func.func private @__ein_written_aggregate(%[[A:[^:]*]]: {{.*}}, %[[B:[^:]*]]: memref<4x4xf32, strided<[?, ?], offset: ?>>) {
// CHECK: memref.load %[[A]]
// CHECK: math.exp
// CHECK-NOT: %[[A]]
// CHECK: memref.store %{{.*}}, %[[B]]
// CHECK: func.func private @__ein_written_joined(%[[A:[^:]*]]: memref<4x4xf32, strided<[?, ?], offset: ?>>
// CHECK: %[[ROW:.*]] = arith.divui
// CHECK: memref.load %[[A]][%[[ROW]], %{{.*}}]
// CHECK-NOT: collapse_shape
// CHECK: func.func private @__ein_written_chosen(%{{.*}}: memref<?xf32>, %{{.*}}: memref<?xf32>, %{{.*}}: memref<?xf32, strided<[?], offset: ?>>,
// CHECK-SAME: attributes {ein.contiguous = array<i64: 1, 2>}
// CHECK-NOT: @__ein_written_none
// CHECK-NOT: @__ein_written_pure
// CHECK: func.func private @__ein_written_result(%[[A:[^:]*]]: {{.*}}, %[[R:[^:]*]]: memref<4xf32, strided<[?], offset: ?>>) {
// CHECK: memref.load %[[A]]
// CHECK: math.exp
// CHECK: memref.store %{{.*}}, %[[R]]
// CHECK-NOT: @__ein_written
