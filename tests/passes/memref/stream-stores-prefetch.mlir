// RUN: ein-opt %s --ein-stream-stores | FileCheck %s

// What computes a function fetches what it reads 4 KiB later where it streams,
// and nowhere else; not the row that every row reads.
// CHECK-LABEL: func.func @functions(
// CHECK: scf.if
// CHECK: scf.for
// CHECK: memref.prefetch %{{.*}}[%c0{{.*}}, %{{.*}}], read, locality<3>, data : memref<1x16xf32,
// CHECK-NOT: memref.prefetch
// CHECK: vector.store {{.*}}nontemporal = true
// CHECK: } else {
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @functions(%a: memref<?x?xf32, strided<[?, 1]>>, %g: memref<?xf32>, %c: memref<?x?xf32, strided<[?, 1]>>, %m: index, %n: index) {
  %poison = ub.poison : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %n step %c16 {
      %x = memref.subview %a[%i, %j] [1, 16] [1, 1] : memref<?x?xf32, strided<[?, 1]>> to memref<1x16xf32, strided<[?, 1], offset: ?>>
      %z = memref.subview %g[%j] [16] [1] : memref<?xf32> to memref<16xf32, strided<[1], offset: ?>>
      %y = memref.subview %c[%i, %j] [1, 16] [1, 1] : memref<?x?xf32, strided<[?, 1]>> to memref<1x16xf32, strided<[?, 1], offset: ?>>
      %v = vector.transfer_read %x[%c0, %c0], %poison {in_bounds = [true, true]} : memref<1x16xf32, strided<[?, 1], offset: ?>>, vector<1x16xf32>
      %u = vector.transfer_read %z[%c0], %poison {in_bounds = [true]} : memref<16xf32, strided<[1], offset: ?>>, vector<16xf32>
      %b = vector.broadcast %u : vector<16xf32> to vector<1x16xf32>
      %t = math.tanh %v : vector<1x16xf32>
      %w = arith.mulf %t, %b : vector<1x16xf32>
      vector.transfer_write %w, %y[%c0, %c0] {in_bounds = [true, true]} : vector<1x16xf32>, memref<1x16xf32, strided<[?, 1], offset: ?>>
    } {ein.stream = 8388608 : i64}
  }
  return
}
