// RUN: ein-opt %s --ein-outline-kernels=many=2 | FileCheck %s
// RUN: ein-opt %s --ein-outline-kernels=many=9 | FileCheck %s --check-prefix=FEW
// FEW-NOT: call

// Of many nests each is a function, which is not inlined: also those that are
// equal to no other one, and those that carry a vector, with its write. What
// uses it after a nest stays.

// CHECK: func.func private @__ein_nest({{.*}}passthrough = ["noinline"]
// CHECK: scf.for
// CHECK: memref.store
// CHECK-NOT: execute_region
// CHECK: func.func private @__ein_nest_0({{.*}}passthrough = ["noinline"]
// CHECK-NOT: execute_region
// CHECK: %[[SUM:.*]] = scf.for {{.*}} -> (vector<4xf32>)
// CHECK: vector.transfer_write %[[SUM]]
// CHECK-NEXT: return
// CHECK-LABEL: func.func @three(
// CHECK: call @__ein_nest(
// CHECK-NEXT: call @__ein_nest_0(
// CHECK-NOT: execute_region
// CHECK: %[[KEPT:.*]] = scf.for {{.*}} -> (vector<4xf32>)
// CHECK: call @__ein_nest_1(
// CHECK-NEXT: vector.transfer_write %[[KEPT]]
func.func @three(%n: index, %a: memref<?x4xf32>, %b: memref<?xf32>, %c: memref<4xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zeros = arith.constant dense<0.0> : vector<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %b[%i] : memref<?xf32>
  }
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zeros) -> vector<4xf32> {
    %row = vector.transfer_read %a[%i, %c0], %x {in_bounds = [true]} : memref<?x4xf32>, vector<4xf32>
    %next = arith.addf %s, %row : vector<4xf32>
    scf.yield %next : vector<4xf32>
  }
  vector.transfer_write %sum, %c[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32>
  %other = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zeros) -> vector<4xf32> {
    %row = vector.transfer_read %a[%i, %c0], %x {in_bounds = [true]} : memref<?x4xf32>, vector<4xf32>
    %next = arith.mulf %s, %row : vector<4xf32>
    scf.yield %next : vector<4xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %y = arith.mulf %x, %x : f32
    memref.store %y, %b[%i] : memref<?xf32>
  }
  vector.transfer_write %other, %c[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32>
  return
}
