// RUN: ein-opt %s --ein-number-nests=least=2 | FileCheck %s
// RUN: ein-opt %s --ein-number-nests | FileCheck %s --check-prefix=FEW
// RUN: ein-opt %s --ein-number-nests=least=2 --ein-outline-kernels \
// RUN:   | FileCheck %s --check-prefix=FEW

// Those that are in no other op, and of a function that has as many.
// FEW-NOT: ein.nest

// CHECK-LABEL: func.func @two
// CHECK: scf.for
// CHECK: scf.for
// CHECK: memref.store
// CHECK-NEXT: }
// CHECK-NEXT: } {ein.nest = 0 : i64}
// CHECK: scf.for
// CHECK: } {ein.nest = 1 : i64}
func.func @two(%n: index, %a: memref<?x?xf32>, %b: memref<?xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      memref.store %x, %a[%i, %j] : memref<?x?xf32>
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %b[%i] : memref<?xf32>
  }
  return
}

// CHECK-LABEL: func.func @one
// CHECK-NOT: ein.nest
func.func @one(%n: index, %b: memref<?xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %b[%i] : memref<?xf32>
  }
  return
}
