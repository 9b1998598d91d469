// RUN: ein-opt %s --ein-stream-stores | FileCheck %s

// Ordinary stores under a mask at either end of the row, lines between.

// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<?x?xf32, strided<[?, 1]>>,
// CHECK-SAME: %[[C:[a-z0-9]+]]: memref<?x?xf32, strided<[?, 1]>>
// CHECK: scf.for %[[I:.*]] =
// CHECK: %[[LONG:.*]] = arith.cmpi sge, %{{.*}}, %c128
// CHECK: %[[LARGE:.*]] = arith.cmpi sge, %{{.*}}, %c8388608
// CHECK: %[[TEST:.*]] = arith.andi %[[LONG]], %[[LARGE]]
// CHECK: scf.if %[[TEST]] {
// CHECK: memref.extract_aligned_pointer_as_index
// CHECK: arith.andi %{{.*}}, %c63
// CHECK: %[[HEAD:.*]] = vector.shape_cast %{{.*}} : vector<16xi1> to vector<1x16xi1>
// CHECK: vector.transfer_write %{{.*}}, %[[HEAD]]
// CHECK: scf.for
// CHECK: vector.store %{{.*}} {alignment = 64 : i64, nontemporal = true} : {{.*}}, vector<16xf32>
// CHECK: }
// CHECK: arith.xori
// CHECK: %[[TAIL:.*]] = vector.shape_cast %{{.*}} : vector<16xi1> to vector<1x16xi1>
// CHECK: vector.transfer_write %{{.*}}, %[[TAIL]]
// CHECK: } else {
// CHECK: scf.for
// CHECK-NOT: ein.stream
// CHECK: vector.transfer_write
// CHECK: }
// CHECK: }
// CHECK: }
// CHECK: llvm.fence seq_cst
// CHECK-NEXT: return
// CHECK-LABEL: func.func @in_place(
// CHECK-NOT: vector.store
// CHECK-NOT: llvm.fence
// CHECK: return
func.func @rows(%a: memref<?x?xf32, strided<[?, 1]>>, %c: memref<?x?xf32, strided<[?, 1]>>, %m: index, %n: index) {
  %poison = ub.poison : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %n step %c16 {
      %x = memref.subview %a[%i, %j] [1, 16] [1, 1] : memref<?x?xf32, strided<[?, 1]>> to memref<1x16xf32, strided<[?, 1], offset: ?>>
      %y = memref.subview %c[%i, %j] [1, 16] [1, 1] : memref<?x?xf32, strided<[?, 1]>> to memref<1x16xf32, strided<[?, 1], offset: ?>>
      %v = vector.transfer_read %x[%c0, %c0], %poison {in_bounds = [true, true]} : memref<1x16xf32, strided<[?, 1], offset: ?>>, vector<1x16xf32>
      %w = arith.negf %v : vector<1x16xf32>
      vector.transfer_write %w, %y[%c0, %c0] {in_bounds = [true, true]} : vector<1x16xf32>, memref<1x16xf32, strided<[?, 1], offset: ?>>
    } {ein.stream = 8388608 : i64}
  }
  return
}

// What is written is read, and twice is not once.

func.func @in_place(%c: memref<?xf32>, %n: index) {
  %poison = ub.poison : f32
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  scf.for %j = %c0 to %n step %c16 {
    %y = memref.subview %c[%j] [16] [1] : memref<?xf32> to memref<16xf32, strided<[1], offset: ?>>
    %v = vector.transfer_read %y[%c0], %poison {in_bounds = [true]} : memref<16xf32, strided<[1], offset: ?>>, vector<16xf32>
    %w = arith.addf %v, %v : vector<16xf32>
    vector.transfer_write %w, %y[%c0] {in_bounds = [true]} : vector<16xf32>, memref<16xf32, strided<[1], offset: ?>>
  } {ein.stream = 8388608 : i64}
  return
}

// Squares of a transposition, here of one row: where rows begin at lines, the
// loops are exchanged; elsewhere a block goes through a buffer, as far as it is
// a row's lines.

// CHECK-LABEL: func.func @squares(
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<?x?xf32>, %[[C:[a-z0-9]+]]: memref<?x?xf32>, %[[M:[a-z0-9]+]]: index, %[[N:[a-z0-9]+]]: index
// CHECK: %[[BUFFER:.*]] = memref.alloca() {alignment = 64 : i64} : memref<64x272xf32>
// CHECK: arith.cmpi sge, %{{.*}}, %c4194304
// CHECK: scf.if
// CHECK: arith.cmpi eq, %{{.*}}, %c0
// CHECK: scf.if
// CHECK: scf.for %[[I:.*]] = %c0 to %[[M]]
// CHECK: scf.for %[[J:.*]] = %c0 to %[[N]]
// CHECK: vector.store %{{.*}}, %[[C]][%[[J]], %[[I]]] {alignment = 64 : i64, nontemporal = true}
// CHECK: } else {
// CHECK: scf.for %[[J:.*]] = %c0 to %[[N]]
// CHECK: scf.for %[[I:.*]] = %c0 to %[[M]]
// CHECK: vector.store %{{.*}}, %[[BUFFER]]
// CHECK: scf.for %[[J:.*]] = %c0 to %[[N]]
// CHECK: vector.transfer_write %{{.*}}, %[[C]]
// CHECK: scf.for
// CHECK: vector.store %{{.*}}, %[[C]]{{.*}} {alignment = 64 : i64, nontemporal = true}
// CHECK: vector.transfer_write %{{.*}}, %[[C]]
// CHECK: } else {
// CHECK: scf.for %[[J:.*]] = %c0 to %[[N]]
// CHECK: scf.for %[[I:.*]] = %c0 to %[[M]]
// CHECK: vector.transfer_write %{{.*}}, %[[C]]
// CHECK-NOT: ein.stream_squares
// CHECK: llvm.fence seq_cst
func.func @squares(%a: memref<?x?xf32>, %c: memref<?x?xf32>, %m: index, %n: index) {
  %poison = ub.poison : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.for %j = %c0 to %n step %c1 {
    scf.for %i = %c0 to %m step %c16 {
      %v = vector.transfer_read %a[%j, %i], %poison {in_bounds = [true]} : memref<?x?xf32>, vector<16xf32>
      vector.transfer_write %v, %c[%j, %i] {in_bounds = [true]} : vector<16xf32>, memref<?x?xf32>
    }
  } {ein.stream_squares = [4194304, 0, 64, 256]}
  return
}

// Of complex numbers parts are written, twice as many as the loops count.

// CHECK-LABEL: func.func @complex(
// CHECK: %[[BUFFER:.*]] = memref.alloca() {alignment = 64 : i64} : memref<64x40xf64>
// CHECK: %[[A:.*]] = ein.reinterpret %arg0
// CHECK: %[[C:.*]] = ein.reinterpret %arg1
// CHECK: scf.for
// CHECK: scf.for
// CHECK: %[[AT:.*]] = affine.apply
// CHECK: vector.store %{{.*}}, %[[C]][%{{.*}}, %[[AT]]] {alignment = 64 : i64, nontemporal = true}
// CHECK: vector.store %{{.*}}, %[[BUFFER]]
// CHECK: vector.store %{{.*}}, %[[C]]{{.*}} {alignment = 64 : i64, nontemporal = true}
// CHECK: vector.transfer_write %{{.*}}, %[[C]]
#double = affine_map<(d0) -> (d0 * 2)>
func.func @complex(%a: memref<?x?xcomplex<f64>>, %c: memref<?x?xcomplex<f64>>, %m: index, %n: index) {
  %poison = ub.poison : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %j = %c0 to %n step %c1 {
    scf.for %i = %c0 to %m step %c4 {
      %at = affine.apply #double(%i)
      %r = ein.reinterpret %a : memref<?x?xcomplex<f64>> to memref<?x?xf64>
      %v = vector.transfer_read %r[%j, %at], %poison {in_bounds = [true]} : memref<?x?xf64>, vector<8xf64>
      %w = ein.reinterpret %c : memref<?x?xcomplex<f64>> to memref<?x?xf64>
      vector.transfer_write %v, %w[%j, %at] {in_bounds = [true]} : vector<8xf64>, memref<?x?xf64>
    }
  } {ein.stream_squares = [4194304, 0, 64, 16]}
  return
}

// Halves are numbers of 16 bits.

// CHECK-LABEL: func.func @halves(
// CHECK: vector.store %{{.*}} {alignment = 64 : i64, nontemporal = true} : {{.*}}, vector<32xbf16>
// CHECK: return
func.func @halves(%a: memref<?xbf16>, %c: memref<?xbf16>, %n: index) {
  %poison = ub.poison : bf16
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  scf.for %j = %c0 to %n step %c32 {
    %x = memref.subview %a[%j] [32] [1] : memref<?xbf16> to memref<32xbf16, strided<[1], offset: ?>>
    %y = memref.subview %c[%j] [32] [1] : memref<?xbf16> to memref<32xbf16, strided<[1], offset: ?>>
    %v = vector.transfer_read %x[%c0], %poison {in_bounds = [true]} : memref<32xbf16, strided<[1], offset: ?>>, vector<32xbf16>
    vector.transfer_write %v, %y[%c0] {in_bounds = [true]} : vector<32xbf16>, memref<32xbf16, strided<[1], offset: ?>>
  } {ein.stream = 8388608 : i64}
  return
}
