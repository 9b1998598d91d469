// RUN: ein-opt %s --ein-outline-kernels | FileCheck %s

// What is computed of the rows of a register tile is a function, however short
// it is, and one for all tiles; where it is for the last block only, so is the
// call.
// CHECK: func.func private @__ein_epilogue
// CHECK-SAME: passthrough = ["noinline"]
// CHECK: math.tanh
// CHECK-LABEL: func.func @tiles
// CHECK-NOT: math.tanh
// CHECK: scf.if %{{.*}} {
// CHECK-NEXT: call @__ein_epilogue
// CHECK: }
// CHECK-NEXT: call @__ein_epilogue
// CHECK-NEXT: return
func.func @tiles(%c: memref<?x8xf32>, %d: memref<?x8xf32>, %last: i1, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %rows = arith.select %last, %m, %c0 : index
  scf.for %i = %c0 to %rows step %c1 {
    %x = vector.transfer_read %c[%i, %c0], %zero {in_bounds = [true]} : memref<?x8xf32>, vector<8xf32>
    %y = math.tanh %x : vector<8xf32>
    vector.transfer_write %y, %c[%i, %c0] {in_bounds = [true]} : vector<8xf32>, memref<?x8xf32>
  } {ein.epilogue}
  scf.for %i = %c0 to %m step %c1 {
    %x = vector.transfer_read %d[%i, %c0], %zero {in_bounds = [true]} : memref<?x8xf32>, vector<8xf32>
    %y = math.tanh %x : vector<8xf32>
    vector.transfer_write %y, %d[%i, %c0] {in_bounds = [true]} : vector<8xf32>, memref<?x8xf32>
  } {ein.epilogue}
  return
}
