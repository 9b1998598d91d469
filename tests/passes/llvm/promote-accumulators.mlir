// RUN: ein-opt %s -ein-promote-accumulators -split-input-file | FileCheck %s

// The sum over k is carried by the loop.
// CHECK-LABEL: func @sum
// CHECK-SAME: %[[A:[^:]*]]: memref<?xf32>, %[[C:[^:]*]]: memref<?xf32>, %[[I:[^:]*]]: index
// CHECK: %[[START:.*]] = memref.load %[[C]][%[[I]]]
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[V:.*]] = %[[START]]) -> (f32)
// CHECK-NEXT: %[[X:.*]] = memref.load %[[A]]
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[V]], %[[X]]
// CHECK-NEXT: scf.yield %[[S]]
// CHECK: memref.store %[[R]], %[[C]][%[[I]]]
func.func @sum(%a: memref<?xf32>, %c: memref<?xf32>, %i: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    %x = memref.load %a[%k] : memref<?xf32>
    %v = memref.load %c[%i] : memref<?xf32>
    %s = arith.addf %v, %x : f32
    memref.store %s, %c[%i] : memref<?xf32>
  }
  return
}

// -----

// Out of two loops.
// CHECK-LABEL: func @nested
// CHECK: memref.load %{{.*}}[] : memref<f32>
// CHECK: scf.for {{.*}} iter_args
// CHECK: scf.for {{.*}} iter_args
// CHECK-NOT: memref.store
// CHECK: memref.load {{.*}} : memref<?x?xf32>
// CHECK-NOT: memref.store
// CHECK: scf.yield
// CHECK: scf.yield
// CHECK: memref.store
// CHECK-NOT: memref.store
func.func @nested(%a: memref<?x?xf32>, %c: memref<f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %n step %c1 {
    scf.for %k = %c0 to %n step %c1 {
      %x = memref.load %a[%j, %k] : memref<?x?xf32>
      %v = memref.load %c[] : memref<f32>
      %s = arith.addf %v, %x : f32
      memref.store %s, %c[] : memref<f32>
    }
  }
  return
}

// -----

// Left in memory: an element that moves; an object that the loop reads elsewhere
// as well; one that something unknown may touch; a value whose object is unknown.
// CHECK-LABEL: func @others
// CHECK-NOT: iter_args
// CHECK: return
func.func private @unknown()
func.func @others(%a: memref<?xf32>, %c: memref<?xf32>, %p: memref<?xf32>, %q: i1, %i: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    %v = memref.load %c[%k] : memref<?xf32>
    %s = arith.addf %v, %v : f32
    memref.store %s, %c[%k] : memref<?xf32>
  }
  scf.for %k = %c0 to %n step %c1 {
    %x = memref.load %c[%k] : memref<?xf32>
    %v = memref.load %c[%i] : memref<?xf32>
    %s = arith.addf %v, %x : f32
    memref.store %s, %c[%i] : memref<?xf32>
  }
  scf.for %k = %c0 to %n step %c1 {
    %v = memref.load %c[%i] : memref<?xf32>
    func.call @unknown() : () -> ()
    %s = arith.addf %v, %v : f32
    memref.store %s, %c[%i] : memref<?xf32>
  }
  %either = arith.select %q, %a, %c : memref<?xf32>
  scf.for %k = %c0 to %n step %c1 {
    %v = memref.load %either[%i] : memref<?xf32>
    %s = arith.addf %v, %v : f32
    memref.store %s, %either[%i] : memref<?xf32>
  }
  return
}

// -----

// Views of one argument are one object; parts of the arena are different ones.
// CHECK-LABEL: func @views
// CHECK: scf.for
// CHECK-NOT: iter_args
// CHECK: scf.for {{.*}} iter_args
func.func @views(%c: memref<8xf32>, %arena: memref<128xi8>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %low = memref.subview %c[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %high = memref.subview %c[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
  scf.for %k = %c0 to %n step %c1 {
    %x = memref.load %high[%k] : memref<4xf32, strided<[1], offset: 2>>
    %v = memref.load %low[%c0] : memref<4xf32, strided<[1]>>
    %s = arith.addf %v, %x : f32
    memref.store %s, %low[%c0] : memref<4xf32, strided<[1]>>
  }
  %a = memref.view %arena[%c0][] : memref<128xi8> to memref<16xf32>
  %b = memref.view %arena[%c64][] : memref<128xi8> to memref<16xf32>
  scf.for %k = %c0 to %n step %c1 {
    %x = memref.load %b[%k] : memref<16xf32>
    %v = memref.load %a[%c0] : memref<16xf32>
    %s = arith.addf %v, %x : f32
    memref.store %s, %a[%c0] : memref<16xf32>
  }
  return
}
