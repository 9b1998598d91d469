// RUN: ein-opt %s --ein-outline-kernels=min-ops=8 | FileCheck %s

// Loops round loops that stand in two nests are one function, the largest only:
// what is in it is not looked at again. A vector of one number is made inside. A
// nest that is in no other one has another rule, and a loop without one in it is
// too little for a call.

// CHECK: func.func private @__ein_nest({{.*}}f32{{.*}}) attributes {{.*}}passthrough = ["noinline"]
// CHECK: scf.for
// CHECK: vector.broadcast
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK-LABEL: func.func @two(
// CHECK: scf.for
// CHECK-NEXT: call @__ein_nest(
// CHECK-NOT: scf.for
// CHECK: scf.for
// CHECK-NEXT: call @__ein_nest(
// CHECK-NEXT: scf.for
// CHECK-NEXT: memref.store
// CHECK-NOT: call
// CHECK: return
func.func @two(%n: index, %m: index, %a: memref<?x?xf32>, %b: memref<?x?xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %xs = vector.broadcast %x : f32 to vector<4xf32>
  scf.for %h = %c0 to %n step %c1 {
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %m step %c4 {
        scf.for %k = %j to %m step %c4 {
          %v = vector.transfer_read %a[%i, %k], %zero : memref<?x?xf32>, vector<4xf32>
          %w = arith.addf %v, %xs : vector<4xf32>
          vector.transfer_write %w, %a[%i, %k] : vector<4xf32>, memref<?x?xf32>
        }
      }
    }
  }
  scf.for %h = %n to %m step %c1 {
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %m step %c4 {
        scf.for %k = %j to %m step %c4 {
          %v = vector.transfer_read %b[%i, %k], %zero : memref<?x?xf32>, vector<4xf32>
          %w = arith.addf %v, %xs : vector<4xf32>
          vector.transfer_write %w, %b[%i, %k] : vector<4xf32>, memref<?x?xf32>
        }
      }
    }
    scf.for %i = %c0 to %n step %c1 {
      memref.store %x, %a[%h, %i] : memref<?x?xf32>
    }
  }
  return
}
