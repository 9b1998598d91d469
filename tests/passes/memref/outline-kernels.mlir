// RUN: ein-opt %s --ein-outline-kernels=min-ops=4 -split-input-file | FileCheck %s
// RUN: ein-opt %s --ein-outline-kernels -split-input-file | FileCheck %s --check-prefix=FEW
// FEW-NOT: call

// The second nest is the first one on other buffers, the fourth on one that it
// reads and writes; the third has another constant.
// CHECK: func.func private @__ein_nest
// CHECK-SAME: (%[[COUNT:[^:]*]]: index, %[[FROM:[^:]*]]: memref<?xf32>, %[[TO:[^:]*]]: memref<?xf32>)
// CHECK-SAME: internal
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2.0
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK: scf.for %{{.*}} = %[[ZERO]] to %[[COUNT]]
// CHECK: memref.load %[[FROM]]
// CHECK: arith.mulf %{{.*}}, %[[TWO]]
// CHECK: memref.store %{{.*}}, %[[TO]]
// CHECK-LABEL: func.func @four
// CHECK-SAME: %[[M:[^:]*]]: index, %[[N:[^:]*]]: index, %[[A:[^:]*]]: memref<?xf32>, %[[B:[^:]*]]: memref<?xf32>, %[[C:[^:]*]]: memref<?xf32>
// CHECK: call @__ein_nest(%[[M]], %[[A]], %[[B]])
// CHECK-NEXT: call @__ein_nest(%[[N]], %[[B]], %[[C]])
// CHECK: scf.for
// CHECK: call @__ein_nest(%[[N]], %[[B]], %[[B]])
func.func @four(%m: index, %n: index, %a: memref<?xf32>, %b: memref<?xf32>,
                %c: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  scf.for %i = %c0 to %m step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.mulf %x, %two : f32
    memref.store %y, %b[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %b[%i] : memref<?xf32>
    %y = arith.mulf %x, %two : f32
    memref.store %y, %c[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %b[%i] : memref<?xf32>
    %y = arith.mulf %x, %three : f32
    memref.store %y, %c[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %b[%i] : memref<?xf32>
    %y = arith.mulf %x, %two : f32
    memref.store %y, %b[%i] : memref<?xf32>
  }
  return
}

// -----

// The first nest reads and adds A, the second one reads A and adds B.
// CHECK-LABEL: func.func @pattern
// CHECK-NOT: call
func.func @pattern(%n: index, %a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = memref.load %a[%i] : memref<?xf32>
    %z = arith.addf %x, %y : f32
    memref.store %z, %c[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = memref.load %b[%i] : memref<?xf32>
    %z = arith.addf %x, %y : f32
    memref.store %z, %c[%i] : memref<?xf32>
  }
  return
}

// -----

// Functions share what they have in common, and loops that carry a value have
// no place for it in a call.
// CHECK: func.func private @__ein_nest
// CHECK-LABEL: func.func @first
// CHECK: call @__ein_nest
// CHECK: scf.for
// CHECK-LABEL: func.func @second
// CHECK: call @__ein_nest
// CHECK: scf.for
func.func @first(%n: index, %a: memref<?xf32>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %y = arith.mulf %x, %x : f32
    memref.store %y, %a[%i] : memref<?xf32>
  }
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> f32 {
    %y = memref.load %a[%i] : memref<?xf32>
    %t = arith.addf %s, %y : f32
    scf.yield %t : f32
  }
  return %sum : f32
}
func.func @second(%k: index, %b: memref<?xf32>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %k step %c1 {
    %y = arith.mulf %x, %x : f32
    memref.store %y, %b[%i] : memref<?xf32>
  }
  %sum = scf.for %i = %c0 to %k step %c1 iter_args(%s = %x) -> f32 {
    %y = memref.load %b[%i] : memref<?xf32>
    %t = arith.addf %s, %y : f32
    scf.yield %t : f32
  }
  return %sum : f32
}
