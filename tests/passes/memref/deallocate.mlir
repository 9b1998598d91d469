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
