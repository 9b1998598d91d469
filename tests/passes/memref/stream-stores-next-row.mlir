// RUN: ein-opt %s --ein-stream-stores -canonicalize | FileCheck %s

// Two lines of the next row, at the place of the vector, through slices; not of
// what every row reads.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<64x4096xf32, strided<[?, 1]>>
// CHECK: scf.for %[[M:.*]] =
// CHECK: scf.for %[[N:.*]] =
// CHECK: %[[ROW:.*]] = arith.addi %[[M]], %c1
// CHECK: memref.prefetch %[[X]][%[[ROW]], %[[N]]], read, locality<3>, data
// CHECK: %[[SECOND:.*]] = arith.addi %[[N]], %c16
// CHECK: memref.prefetch %[[X]][%[[ROW]], %[[SECOND]]], read
// CHECK-NOT: memref.prefetch
// CHECK-NOT: ein.next_row
// CHECK: return
func.func @rows(%x: memref<64x4096xf32, strided<[?, 1]>>, %g: memref<4096xf32>, %y: memref<64x4096xf32>) {
  %poison = ub.poison : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c4096 = arith.constant 4096 : index
  scf.for %m = %c0 to %c64 step %c1 {
    %row = memref.subview %x[%m, 0] [1, 4096] [1, 1] : memref<64x4096xf32, strided<[?, 1]>> to memref<4096xf32, strided<[1], offset: ?>>
    scf.for %n = %c0 to %c4096 step %c32 {
      %tile = memref.subview %row[%n] [32] [1] : memref<4096xf32, strided<[1], offset: ?>> to memref<32xf32, strided<[1], offset: ?>>
      %v = vector.transfer_read %tile[%c0], %poison {in_bounds = [true]} : memref<32xf32, strided<[1], offset: ?>>, vector<32xf32>
      %w = vector.transfer_read %g[%n], %poison {in_bounds = [true]} : memref<4096xf32>, vector<32xf32>
      %e = math.exp %v : vector<32xf32>
      %p = arith.mulf %e, %w : vector<32xf32>
      vector.transfer_write %p, %y[%m, %n] {in_bounds = [true]} : vector<32xf32>, memref<64x4096xf32>
    } {ein.next_row}
  }
  return
}

// Without the mark, nothing.
// CHECK-LABEL: func.func @unmarked(
// CHECK-NOT: memref.prefetch
func.func @unmarked(%x: memref<64x4096xf32>, %y: memref<64x4096xf32>) {
  %poison = ub.poison : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c4096 = arith.constant 4096 : index
  scf.for %m = %c0 to %c64 step %c1 {
    scf.for %n = %c0 to %c4096 step %c16 {
      %v = vector.transfer_read %x[%m, %n], %poison {in_bounds = [true]} : memref<64x4096xf32>, vector<16xf32>
      vector.transfer_write %v, %y[%m, %n] {in_bounds = [true]} : vector<16xf32>, memref<64x4096xf32>
    }
  }
  return
}
