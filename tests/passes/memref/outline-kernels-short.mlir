// RUN: ein-opt %s --ein-outline-kernels=many=2 | FileCheck %s

// A module of many functions is none of many nests: those are counted for each.

// CHECK-LABEL: func.func @one(
// CHECK-NOT: call
// CHECK: scf.for
// CHECK-LABEL: func.func @other(
// CHECK-NOT: call
// CHECK: scf.for
// CHECK-LABEL: func.func @two(
// CHECK: call
// CHECK: call
func.func @one(%n: index, %b: memref<?xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %b[%i] : memref<?xf32>
  }
  return
}
func.func @other(%n: index, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %b[%i] : memref<?xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %b[%i] : memref<?xf32>
  }
  return
}
func.func @two(%n: index, %b: memref<?xf32>, %y: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %b[%i] : memref<?xf32>
    %z = arith.mulf %x, %y : f32
    memref.store %z, %b[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %b[%i] : memref<?xf32>
    %z = arith.divf %x, %y : f32
    memref.store %z, %b[%i] : memref<?xf32>
  }
  return
}
