// RUN: ein-opt %s -ein-lower-parallel=threads -split-input-file | FileCheck %s
// RUN: ein-opt %s -ein-lower-parallel -split-input-file | FileCheck %s --check-prefix=SERIAL
// SERIAL-NOT: omp
// SERIAL-NOT: scf.parallel

// Whether threads pay is decided by the extents that are known before the loop
// starts: here n times k, and not the inner loop's, which follows from the outer's.
// CHECK-LABEL: func @counted
// CHECK-SAME: %[[N:[^:]*]]: index, %[[K:[^:]*]]: index
// CHECK: %[[POINTS:.*]] = arith.muli %[[K]], %[[N]]
// CHECK: %[[LEAST:.*]] = arith.constant 1000 : index
// CHECK: %[[IF:.*]] = arith.cmpi sge, %[[POINTS]], %[[LEAST]]
// CHECK: omp.parallel if(%[[IF]]) {
// CHECK: omp.wsloop nowait {
// CHECK: omp.loop_nest (%[[I:.*]]) : index = (%c0) to (%[[N]]) step (%c1)
// CHECK: scf.for
// CHECK: scf.for
// CHECK: memref.store %{{.*}}[%[[I]]]
// SERIAL-LABEL: func @counted
// SERIAL: scf.for %[[I:.*]] =
// SERIAL: scf.for
// SERIAL: memref.store %{{.*}}[%[[I]]]
func.func @counted(%n: index, %k: index, %c: memref<?xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.for %j = %c0 to %k step %c1 {
      scf.for %l = %c0 to %i step %c1 {
        memref.store %x, %c[%i] : memref<?xf32>
      }
    }
    scf.reduce
  } {ein.parallel = 1000 : i64}
  return
}

// -----

// Two dims are one loop to share; without a number there is no question.
// CHECK-LABEL: func @collapsed
// CHECK: omp.parallel {
// CHECK: omp.loop_nest (%{{.*}}, %{{.*}}) : index = {{.*}} collapse(2)
// SERIAL-LABEL: func @collapsed
// SERIAL: scf.for
// SERIAL: scf.for
func.func @collapsed(%n: index, %c: memref<?x?xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) {
    memref.store %x, %c[%i, %j] : memref<?x?xf32>
    scf.reduce
  }
  return
}

// -----

// Threads are shared out once. What a body has on the stack is given back in each step.
// CHECK-LABEL: func @nested
// CHECK-COUNT-1: omp.parallel
// CHECK-NOT: omp.parallel
// CHECK: %[[STACK:.*]] = llvm.intr.stacksave
// CHECK: memref.alloca()
// CHECK: scf.for
// CHECK: llvm.intr.stackrestore %[[STACK]]
// CHECK: omp.yield
// SERIAL-LABEL: func @nested
// SERIAL: scf.for
// SERIAL: %[[STACK:.*]] = llvm.intr.stacksave
// SERIAL: memref.alloca()
// SERIAL: scf.for
// SERIAL: llvm.intr.stackrestore %[[STACK]]
func.func @nested(%n: index, %c: memref<?x?xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %s = memref.alloca() : memref<4xf32>
    memref.store %x, %s[%c0] : memref<4xf32>
    %y = memref.load %s[%c0] : memref<4xf32>
    scf.parallel (%j) = (%c0) to (%n) step (%c1) {
      memref.store %y, %c[%i, %j] : memref<?x?xf32>
      scf.reduce
    }
    scf.reduce
  }
  return
}
