// RUN: ein-opt %s -ein-lower-tile-products -split-input-file -verify-diagnostics | FileCheck %s

// Two by two registers of sums, which the loop carries; A's tiles stay while
// those of B pass by.
// CHECK-LABEL: func @loop
// CHECK-SAME: %[[A:.*]]: memref<?x32x16x4xi8>, %[[B:.*]]: memref<?x16x32x4xi8>
// CHECK: %[[SUMS:.*]] = memref.alloca() {alignment = 64 : i64} : memref<32x32xi32>
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.tilezero.internal"(%{{.*}}, %{{.*}}) : (i16, i16) -> !llvm.x86_amx
// CHECK: %[[LOOP:.*]]:5 = scf.for %[[K:.*]] = {{.*}} -> (vector<32x32xi32>, !llvm.x86_amx, !llvm.x86_amx, !llvm.x86_amx, !llvm.x86_amx)
// CHECK: memref.collapse_shape %[[A]] {{\[}}[0], [1], [2, 3]] : memref<?x32x16x4xi8> into memref<?x32x64xi8>
// CHECK: memref.collapse_shape %[[B]] {{\[}}[0], [1], [2, 3]] : memref<?x16x32x4xi8> into memref<?x16x128xi8>
// CHECK-COUNT-3: "llvm.x86.tileloadd64.internal"
// CHECK-COUNT-2: "llvm.x86.tdpbusd.internal"
// CHECK: "llvm.x86.tileloadd64.internal"
// CHECK-COUNT-2: "llvm.x86.tdpbusd.internal"
// CHECK-NOT: "llvm.x86
// CHECK: scf.yield
// CHECK-COUNT-4: "llvm.x86.tilestored64.internal"
// CHECK: %[[RESULT:.*]] = vector.transfer_read %[[SUMS]]
// CHECK: return %[[RESULT]]
module attributes {ein.instructions = {tiles = array<i64: 8, 16, 64>}} {
func.func @loop(%a: memref<?x32x16x4xi8>, %b: memref<?x16x32x4xi8>, %depth: index) -> vector<32x32xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i8
  %start = arith.constant dense<0> : vector<32x32xi32>
  %r = scf.for %k = %c0 to %depth step %c1 iter_args(%s = %start) -> (vector<32x32xi32>) {
    %x = vector.transfer_read %a[%k, %c0, %c0, %c0], %zero {in_bounds = [true, true, true]}
      : memref<?x32x16x4xi8>, vector<32x16x4xi8>
    %y = vector.transfer_read %b[%k, %c0, %c0, %c0], %zero {in_bounds = [true, true, true]}
      : memref<?x16x32x4xi8>, vector<16x32x4xi8>
    %t = ein.tile_products %x unsigned, %y, %s
      : vector<32x16x4xi8>, vector<16x32x4xi8>, vector<32x32xi32>
    scf.yield %t : vector<32x32xi32>
  }
  return %r : vector<32x32xi32>
}
}

// -----

// A start that is a value goes by way of memory. The last tile has fewer rows.
// CHECK-LABEL: func @once
// CHECK-SAME: %[[C:[^:]*]]: vector<21x16xf32>
// CHECK: %[[SUMS:.*]] = memref.alloca() {{.*}} : memref<21x16xf32>
// CHECK: vector.transfer_write %[[C]], %[[SUMS]]
// CHECK-COUNT-2: "llvm.x86.tileloadd64.internal"
// CHECK: %[[RIGHT:.*]] = llvm.call_intrinsic "llvm.x86.tileloadd64.internal"
// CHECK: "llvm.x86.tileloadd64.internal"
// CHECK: "llvm.x86.tdpbf16ps.internal"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[RIGHT]])
// CHECK: "llvm.x86.tileloadd64.internal"
// CHECK: "llvm.x86.tdpbf16ps.internal"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[RIGHT]])
module attributes {ein.instructions = {tiles = array<i64: 8, 16, 64>}} {
func.func @once(%a: memref<1x21x16x2xbf16>, %b: memref<1x16x16x2xbf16>, %c: vector<21x16xf32>) -> vector<21x16xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : bf16
  %x = vector.transfer_read %a[%c0, %c0, %c0, %c0], %zero {in_bounds = [true, true, true]}
    : memref<1x21x16x2xbf16>, vector<21x16x2xbf16>
  %y = vector.transfer_read %b[%c0, %c0, %c0, %c0], %zero {in_bounds = [true, true, true]}
    : memref<1x16x16x2xbf16>, vector<16x16x2xbf16>
  %t = ein.tile_products %x, %y, %c : vector<21x16x2xbf16>, vector<16x16x2xbf16>, vector<21x16xf32>
  return %t : vector<21x16xf32>
}
}

// -----

// Each thread has sums of its own.
// CHECK-LABEL: func @threads
// CHECK: scf.parallel
// CHECK-NEXT: memref.alloca
// CHECK: "llvm.x86.tdpfp16ps.internal"
module attributes {ein.instructions = {tiles = array<i64: 8, 16, 64>}} {
func.func @threads(%a: memref<1x16x16x2xf16>, %b: memref<1x16x16x2xf16>, %c: memref<?x16x16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f16
  %start = arith.constant dense<0.0> : vector<16x16xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = vector.transfer_read %a[%c0, %c0, %c0, %c0], %zero {in_bounds = [true, true, true]}
      : memref<1x16x16x2xf16>, vector<16x16x2xf16>
    %y = vector.transfer_read %b[%c0, %c0, %c0, %c0], %zero {in_bounds = [true, true, true]}
      : memref<1x16x16x2xf16>, vector<16x16x2xf16>
    %t = ein.tile_products %x, %y, %start : vector<16x16x2xf16>, vector<16x16x2xf16>, vector<16x16xf32>
    vector.transfer_write %t, %c[%i, %c0, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<?x16x16xf32>
    scf.reduce
  }
  return
}
}

// -----

module attributes {ein.instructions = {tiles = array<i64: 8, 16, 64>}} {
func.func @vectors(%x: vector<16x16x4xi8>, %y: vector<16x16x4xi8>, %c: vector<16x16xi32>) -> vector<16x16xi32> {
  // expected-error @+1 {{has a factor that is not read from a panel}}
  %t = ein.tile_products %x, %y, %c : vector<16x16x4xi8>, vector<16x16x4xi8>, vector<16x16xi32>
  return %t : vector<16x16xi32>
}
}

// -----

module attributes {ein.instructions = {tiles = array<i64: 8, 16, 64>}} {
func.func @too_many(%x: vector<48x16x4xi8>, %y: vector<16x48x4xi8>, %c: vector<48x48xi32>) -> vector<48x48xi32> {
  // expected-error @+1 {{is no product of 8 registers of 16 rows of 64 bytes}}
  %t = ein.tile_products %x, %y, %c : vector<48x16x4xi8>, vector<16x48x4xi8>, vector<48x48xi32>
  return %t : vector<48x48xi32>
}
}

// -----

module attributes {ein.instructions = {tiles = array<i64: 8, 16, 64>}} {
func.func @groups(%x: vector<16x16x4xi8>, %y: vector<8x16x4xi8>, %c: vector<16x16xi32>) -> vector<16x16xi32> {
  // expected-error @+1 {{has 16 groups of 4 and 8 of 4}}
  %t = ein.tile_products %x, %y, %c : vector<16x16x4xi8>, vector<8x16x4xi8>, vector<16x16xi32>
  return %t : vector<16x16xi32>
}
}

// -----

module attributes {ein.instructions = {tiles = array<i64: 8, 16, 64>}} {
func.func @shape(%x: vector<16x16x4xi8>, %y: vector<16x16x4xi8>, %c: vector<8x16xi32>) -> vector<8x16xi32> {
  // expected-error @+1 {{has 16 rows and 16 columns, which its tile has not}}
  %t = ein.tile_products %x, %y, %c : vector<16x16x4xi8>, vector<16x16x4xi8>, vector<8x16xi32>
  return %t : vector<8x16xi32>
}
}

// -----

module attributes {ein.instructions = {tiles = array<i64: 8, 16, 64>}} {
func.func @kinds(%x: vector<16x16x2xbf16>, %y: vector<16x16x2xf16>, %c: vector<16x16xf32>) -> vector<16x16xf32> {
  // expected-error @+1 {{does not add up products of 'bf16' and 'f16' in 'f32'}}
  %t = ein.tile_products %x, %y, %c : vector<16x16x2xbf16>, vector<16x16x2xf16>, vector<16x16xf32>
  return %t : vector<16x16xf32>
}
}

// -----

module attributes {ein.instructions = {tiles = array<i64: 8, 16, 64>}} {
func.func @fill(%x: vector<16x16x2xi8>, %y: vector<16x16x2xi8>, %c: vector<16x16xi32>) -> vector<16x16xi32> {
  // expected-error @+1 {{has groups that do not fill 'i32'}}
  %t = ein.tile_products %x, %y, %c : vector<16x16x2xi8>, vector<16x16x2xi8>, vector<16x16xi32>
  return %t : vector<16x16xi32>
}
}

// -----

module attributes {ein.instructions = {tiles = array<i64: 8, 16, 64>}} {
func.func @unsigned(%x: vector<16x16x2xf16>, %y: vector<16x16x2xf16>, %c: vector<16x16xf32>) -> vector<16x16xf32> {
  // expected-error @+1 {{has no unsigned numbers in 'f16'}}
  %t = ein.tile_products %x unsigned, %y, %c : vector<16x16x2xf16>, vector<16x16x2xf16>, vector<16x16xf32>
  return %t : vector<16x16xf32>
}
}

// -----

func.func @no_unit(%x: vector<16x16x4xi8>, %y: vector<16x16x4xi8>, %c: vector<16x16xi32>) -> vector<16x16xi32> {
  // expected-error @+1 {{needs a matrix unit, and the module's `ein.instructions` have no `tiles`}}
  %t = ein.tile_products %x, %y, %c : vector<16x16x4xi8>, vector<16x16x4xi8>, vector<16x16xi32>
  return %t : vector<16x16xi32>
}
