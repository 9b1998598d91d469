// RUN: ein-opt %s --ein-deallocate | FileCheck %s

// What is allocated is given back; what a loop hands on may be that.
// CHECK-LABEL: func.func @allocates(
// CHECK: memref.alloc
// CHECK: scf.for {{.*}} -> (memref<4xf32>, memref<4xf32>, i1, i1)
// CHECK: bufferization.dealloc
// CHECK: return
func.func @allocates(%a: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = memref.alloc() : memref<4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %t) -> (memref<4xf32>, memref<4xf32>) {
    memref.copy %x, %y : memref<4xf32> to memref<4xf32>
    scf.yield %y, %x : memref<4xf32>, memref<4xf32>
  }
  return
}

// Here nothing is, and nothing is asked.
// CHECK-LABEL: func.func @stays(
// CHECK: scf.for {{.*}} -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NOT: dealloc
// CHECK: return
func.func @stays(%a: memref<4xf32>, %b: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (memref<4xf32>, memref<4xf32>) {
    memref.copy %x, %y : memref<4xf32> to memref<4xf32>
    scf.yield %y, %x : memref<4xf32>, memref<4xf32>
  }
  return
}

// What is handed on to nothing is asked about alone, by whatever name; what a
// loop hands on is asked about together.
// CHECK-LABEL: func.func @splits(
// CHECK: %[[S:.*]] = memref.alloc() : memref<4xf32>
// CHECK: %[[T:.*]] = memref.alloc() : memref<4xf32>
// CHECK: %[[U:.*]] = memref.alloc() : memref<8xf32>
// CHECK: %[[V:.*]] = memref.alloc() : memref<8xf32>
// CHECK: :4 = scf.for
// CHECK-DAG: %[[S_BASE:[^ ,]*]], {{.*}} = memref.extract_strided_metadata %[[S]]
// CHECK-DAG: %[[T_BASE:[^ ,]*]], {{.*}} = memref.extract_strided_metadata %[[T]]
// CHECK-DAG: %[[U_BASE:[^ ,]*]], {{.*}} = memref.extract_strided_metadata %[[U]]
// CHECK-DAG: %[[V_BASE:[^ ,]*]], {{.*}} = memref.extract_strided_metadata %[[V]]
// CHECK-DAG: bufferization.dealloc (%[[U_BASE]] : memref<f32>) if
// CHECK-DAG: bufferization.dealloc (%[[V_BASE]] : memref<f32>) if
// CHECK-DAG: bufferization.dealloc ({{.*}}%[[S_BASE]], %[[T_BASE]]
// CHECK-NOT: bufferization.dealloc
// CHECK: return
func.func @splits(%a: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = memref.alloc() : memref<4xf32>
  %t = memref.alloc() : memref<4xf32>
  %u = memref.alloc() : memref<8xf32>
  %v = memref.alloc() : memref<8xf32>
  %part = memref.subview %v[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.copy %a, %part : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %s, %y = %t) -> (memref<4xf32>, memref<4xf32>) {
    memref.copy %x, %y : memref<4xf32> to memref<4xf32>
    scf.yield %y, %x : memref<4xf32>, memref<4xf32>
  }
  memref.copy %v, %u : memref<8xf32> to memref<8xf32>
  return
}
