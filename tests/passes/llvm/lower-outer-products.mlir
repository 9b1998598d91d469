// RUN: ein-opt %s -ein-lower-tile-products -split-input-file -verify-diagnostics | FileCheck %s

// The loop over k is a call, and the rows that C has are moved one by one: in the first block of k
// the sums start from zero.
// CHECK-LABEL: func @loop
// CHECK-SAME: %[[A:.*]]: memref<?x32x1x2xbf16>, %[[B:.*]]: memref<?x1x32x2xbf16>, %[[C:.*]]: memref<?x32xf32>, %[[DEPTH:.*]]: index, %[[FIRST:.*]]: i1
// CHECK: %[[SUMS:.*]] = memref.alloca() {alignment = 64 : i64} : memref<32x32xf32>
// CHECK: scf.if %[[FIRST]] {
// CHECK: } else {
// CHECK: scf.for %[[ROW:.*]] =
// CHECK: %[[START:.*]] = vector.transfer_read %[[C]][%{{.*}}, %{{.*}}]{{.*}} : memref<?x32xf32>, vector<32xf32>
// CHECK: vector.transfer_write %[[START]], %[[SUMS]][%[[ROW]], %{{.*}}] {in_bounds = [true]}
// CHECK: arith.select %[[FIRST]]
// CHECK: %[[FUNCTION:.*]] = llvm.mlir.addressof @__ein_outer_bf16_32x32 : !llvm.ptr
// CHECK: llvm.call @__ein_in_streaming_mode({{.*}}, %[[FUNCTION]])
// CHECK: scf.for
// CHECK: %[[RESULT:.*]] = vector.transfer_read %[[SUMS]]
// CHECK: vector.transfer_write %[[RESULT]], %[[C]]
// CHECK-NOT: vector<32x32xf32>

// Two vectors of rows by two of columns, as long as the machine likes.
// CHECK: llvm.func internal @__ein_outer_bf16_32x32({{.*}}) attributes {arm_inout_za, arm_streaming, no_inline}
// CHECK: %[[DOUBLES:.*]] = llvm.call_intrinsic "llvm.aarch64.sme.cntsd"
// CHECK: "llvm.aarch64.sme.ld1w.horiz"
// CHECK: "llvm.aarch64.sme.zero"
// CHECK-COUNT-4: llvm.intr.masked.load {{.*}} -> vector<[8]xbf16>
// CHECK-COUNT-4: "llvm.aarch64.sme.mopa.wide"
// CHECK-NOT: mopa
// CHECK: "llvm.aarch64.sme.st1w.horiz"
// CHECK: llvm.func internal @__ein_in_streaming_mode({{.*}}) attributes {no_inline, passthrough = ["naked"]}
// CHECK: llvm.inline_asm has_side_effects "stp x29, x30
module attributes {ein.instructions = {outer_tiles = array<i64: 4, 16, 64>}} {
func.func @loop(%a: memref<?x32x1x2xbf16>, %b: memref<?x1x32x2xbf16>, %c: memref<?x32xf32>,
                %depth: index, %first: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : bf16
  %padding = arith.constant 0.0 : f32
  %none = arith.constant dense<0.0> : vector<32x32xf32>
  %start = scf.if %first -> (vector<32x32xf32>) {
    scf.yield %none : vector<32x32xf32>
  } else {
    %old = vector.transfer_read %c[%c0, %c0], %padding {in_bounds = [false, true]}
      : memref<?x32xf32>, vector<32x32xf32>
    scf.yield %old : vector<32x32xf32>
  }
  %r = scf.for %k = %c0 to %depth step %c1 iter_args(%s = %start) -> (vector<32x32xf32>) {
    %x = vector.transfer_read %a[%k, %c0, %c0, %c0], %zero {in_bounds = [true, true, true]}
      : memref<?x32x1x2xbf16>, vector<32x1x2xbf16>
    %y = vector.transfer_read %b[%k, %c0, %c0, %c0], %zero {in_bounds = [true, true, true]}
      : memref<?x1x32x2xbf16>, vector<1x32x2xbf16>
    %t = ein.tile_products %x, %y, %s
      : vector<32x1x2xbf16>, vector<1x32x2xbf16>, vector<32x32xf32>
    scf.yield %t : vector<32x32xf32>
  }
  vector.transfer_write %r, %c[%c0, %c0] {in_bounds = [false, true]}
    : vector<32x32xf32>, memref<?x32xf32>
  return
}
}

// -----

// Sums that something else reads are a vector again. Few rows take four vectors of columns. Signs
// choose the instruction.
// CHECK-LABEL: func @once
// CHECK-SAME: %[[START:[^:]*]]: vector<7x64xi32>
// CHECK: vector.transfer_write %[[START]], %[[SUMS:[a-z_0-9]*]][
// CHECK: llvm.call @__ein_in_streaming_mode
// CHECK: %[[RESULT:.*]] = vector.transfer_read %[[SUMS]]
// CHECK: return %[[RESULT]]
// CHECK: llvm.func internal @__ein_outer_u8i8_7x64
// CHECK-COUNT-5: llvm.intr.masked.load {{.*}} -> vector<[16]xi8>
// CHECK-COUNT-4: "llvm.aarch64.sme.usmopa.wide"
module attributes {ein.instructions = {outer_tiles = array<i64: 4, 16, 64>}} {
func.func @once(%a: memref<1x7x1x4xi8>, %b: memref<1x1x64x4xi8>, %start: vector<7x64xi32>)
    -> vector<7x64xi32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i8
  %x = vector.transfer_read %a[%c0, %c0, %c0, %c0], %zero {in_bounds = [true, true, true]}
    : memref<1x7x1x4xi8>, vector<7x1x4xi8>
  %y = vector.transfer_read %b[%c0, %c0, %c0, %c0], %zero {in_bounds = [true, true, true]}
    : memref<1x1x64x4xi8>, vector<1x64x4xi8>
  %t = ein.tile_products %x unsigned, %y, %start
    : vector<7x1x4xi8>, vector<1x64x4xi8>, vector<7x64xi32>
  return %t : vector<7x64xi32>
}
}

// -----

module attributes {ein.instructions = {outer_tiles = array<i64: 4, 16, 64>}} {
func.func @wide(%a: memref<1x32x16x4xi8>, %b: memref<1x16x32x4xi8>, %start: vector<32x32xi32>)
    -> vector<32x32xi32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i8
  %x = vector.transfer_read %a[%c0, %c0, %c0, %c0], %zero {in_bounds = [true, true, true]}
    : memref<1x32x16x4xi8>, vector<32x16x4xi8>
  %y = vector.transfer_read %b[%c0, %c0, %c0, %c0], %zero {in_bounds = [true, true, true]}
    : memref<1x16x32x4xi8>, vector<16x32x4xi8>
  // expected-error @+1 {{is no outer product of one group, with 4 tiles of 16 by 16 sums}}
  %t = ein.tile_products %x, %y, %start
    : vector<32x16x4xi8>, vector<16x32x4xi8>, vector<32x32xi32>
  return %t : vector<32x32xi32>
}
}
