// RUN: ein-opt %s --ein-infer-signatures --ein-lift-memrefs --split-input-file | FileCheck %s

// CHECK-LABEL: @matmul(
// CHECK-SAME: %[[A:.*]]: tensor<?x?xf32> {bufferization.writable = false}, %[[B:.*]]: tensor<?x?xf32> {bufferization.writable = false}, %[[C:.*]]: tensor<?x?xf32> {bufferization.writable = true}
// CHECK-SAME: -> tensor<?x?xf32>
// CHECK-NOT: ein.contiguous
// CHECK: %[[R:.*]] = linalg.matmul ins(%[[A]], %[[B]] : {{.*}}) outs(%[[C]] : {{.*}}) -> tensor<?x?xf32>
// CHECK: return %[[R]]
func.func @matmul(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}

// -----

// Views, loops and branches: what is written is carried. Sizes are asked of
// arguments.
// CHECK-LABEL: @rows(
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<?x4xf32> {bufferization.writable = false}, %{{.*}}: i32, %[[Y:[a-z0-9]*]]: tensor<?x4xf32> {bufferization.writable = true}
// CHECK: %[[N:.*]] = tensor.dim %[[X]]
// CHECK: %[[LOOP:.*]] = scf.for %[[I:.*]] = %{{.*}} to %[[N]] step %{{.*}} iter_args(%[[V:.*]] = %[[Y]])
// CHECK: %[[IF:.*]] = scf.if %{{.*}} -> (tensor<?x4xf32>)
// CHECK: %[[XS:.*]] = tensor.extract_slice %[[X]][%[[I]], 0] [1, 4] [1, 1] : tensor<?x4xf32> to tensor<4xf32>
// CHECK: %[[YS:.*]] = tensor.extract_slice %[[V]][%[[I]], 0] [1, 4] [1, 1]
// CHECK: %[[E:.*]] = linalg.exp ins(%[[XS]] : {{.*}}) outs(%[[YS]]
// CHECK: %[[W:.*]] = tensor.insert_slice %[[E]] into %[[V]][%[[I]], 0] [1, 4] [1, 1]
// CHECK: scf.yield %[[W]]
// CHECK: else
// CHECK: scf.yield %[[V]]
// CHECK: scf.yield %[[IF]]
// CHECK: return %[[LOOP]]
func.func @rows(%x: memref<?x4xf32>, %y: memref<?x4xf32>, %p: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %n = memref.dim %x, %c0 : memref<?x4xf32>
  %if = arith.cmpi sgt, %p, %zero : i32
  scf.for %i = %c0 to %n step %c1 {
    %xs = memref.subview %x[%i, 0] [1, 4] [1, 1] : memref<?x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    %ys = memref.subview %y[%i, 0] [1, 4] [1, 1] : memref<?x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    scf.if %if {
      linalg.exp ins(%xs : memref<4xf32, strided<[1], offset: ?>>) outs(%ys : memref<4xf32, strided<[1], offset: ?>>)
    }
  }
  return
}

// -----

// Strides of the type, loads and stores, an allocation, a parallel loop.
// CHECK-LABEL: @strided(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32> {{.*}}, %[[Y:.*]]: tensor<4xf32>
// CHECK: %[[T:.*]] = tensor.empty() : tensor<4xf32>
// CHECK: %[[E:.*]] = linalg.exp ins(%[[X]] : {{.*}}) outs(%[[T]]
// CHECK: %[[F:.*]] = linalg.exp ins(%[[X]] : {{.*}}) outs(%[[Y]]
// CHECK: %[[LOOP:.*]] = scf.for %[[I:.*]] = {{.*}} iter_args(%[[V:.*]] = %[[F]])
// CHECK: %[[L:.*]] = tensor.extract %[[E]][%[[I]]]
// CHECK: %[[S:.*]] = tensor.insert %[[L]] into %[[V]][%[[I]]]
// CHECK: scf.yield %[[S]]
// CHECK: return %[[LOOP]]
func.func @strided(%x: memref<4xf32, strided<[2], offset: 1>>, %y: memref<4xf32, strided<[?], offset: ?>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %t = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32, strided<[2], offset: 1>>) outs(%t : memref<4xf32>)
  linalg.exp ins(%x : memref<4xf32, strided<[2], offset: 1>>) outs(%y : memref<4xf32, strided<[?], offset: ?>>)
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %v = memref.load %t[%i] : memref<4xf32>
    memref.store %v, %y[%i] : memref<4xf32, strided<[?], offset: ?>>
    scf.reduce
  }
  return
}

// -----

// Dims that are joined, and others that are parted, of what is written: in its
// place.
// CHECK-LABEL: @joined(
// CHECK-SAME: ein.contiguous = array<i64: 0>
// CHECK: tensor.collapse_shape
// CHECK: linalg.exp
// CHECK: tensor.expand_shape
// CHECK: tensor.expand_shape
// CHECK: linalg.exp
// CHECK: tensor.collapse_shape
func.func @joined(%x: memref<2x?xf32>, %y: memref<6xf32>) {
  %f = memref.collapse_shape %x [[0, 1]] : memref<2x?xf32> into memref<?xf32>
  linalg.exp ins(%f : memref<?xf32>) outs(%f : memref<?xf32>)
  %g = memref.expand_shape %y [[0, 1]] output_shape [2, 3] : memref<6xf32> into memref<2x3xf32>
  linalg.exp ins(%g : memref<2x3xf32>) outs(%g : memref<2x3xf32>)
  return
}

// -----

// Halves of one array are apart, and are lifted; neighbours are not.
// CHECK-LABEL: @halves(
// CHECK-SAME: tensor<8xf32>
// CHECK-LABEL: @neighbours(
// CHECK-SAME: memref<8xf32>
// CHECK: linalg.exp ins(%{{.*}} : memref<7xf32
func.func @halves(%x: memref<8xf32>) {
  %l = memref.subview %x[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %r = memref.subview %x[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  linalg.exp ins(%l : memref<4xf32, strided<[1]>>) outs(%r : memref<4xf32, strided<[1], offset: 4>>)
  return
}
func.func @neighbours(%x: memref<8xf32>) {
  %l = memref.subview %x[0] [7] [1] : memref<8xf32> to memref<7xf32, strided<[1]>>
  %r = memref.subview %x[1] [7] [1] : memref<8xf32> to memref<7xf32, strided<[1], offset: 1>>
  linalg.exp ins(%l : memref<7xf32, strided<[1]>>) outs(%r : memref<7xf32, strided<[1], offset: 1>>)
  return
}

// -----

// What an external function uses stays, with what is used together with it;
// the rest is lifted.
// CHECK-LABEL: func.func @partly(
// CHECK-SAME: memref<4xf32>, %{{.*}}: tensor<4xf32> {{.*}}, %{{.*}}: memref<4xf32>, %{{.*}}: tensor<4xf32>
func.func private @g(memref<4xf32>)
func.func @partly(%a: memref<4xf32>, %b: memref<4xf32>, %c: memref<4xf32>, %d: memref<4xf32>) {
  linalg.exp ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
  call @g(%b) : (memref<4xf32>) -> ()
  linalg.exp ins(%c : memref<4xf32>) outs(%d : memref<4xf32>)
  return
}

// -----

// Loops on scalars alone stay as they are.
// CHECK-LABEL: @scalars(
// CHECK-SAME: memref<4xf32>
func.func @scalars(%a: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %a[%c0] : memref<4xf32>
  memref.store %v, %a[%c0] : memref<4xf32>
  return
}
