// RUN: ein-opt %s -ein-lower-dot-products -split-input-file -verify-diagnostics | FileCheck %s

// A step of pairs: each pair of A is broadcast as one number, and LLVM finds its
// instruction for the sums of two products. B's row is one load.
// CHECK-LABEL: func @pairs
// CHECK-SAME: %[[A:[^:]*]]: memref<16x2x2xi16>, %[[B:[^:]*]]: memref<16x8x2xi16>, %[[C:[^:]*]]: vector<2x8xi32>
// CHECK-NOT: ein.dot_products
// CHECK: %[[ROW:.*]] = memref.collapse_shape %[[B]] {{\[}}[0], [1, 2]] : memref<16x8x2xi16> into memref<16x16xi16>
// CHECK: %[[Y:.*]] = vector.transfer_read %[[ROW]]{{.*}} vector<16xi16>
// CHECK: %[[WIDE_Y:.*]] = arith.extsi %[[Y]] : vector<16xi16> to vector<16xi32>
// CHECK: %[[PAIR:.*]] = vector.bitcast %{{.*}} : vector<2xi16> to vector<1xi32>
// CHECK: %[[ALL:.*]] = vector.broadcast %[[PAIR]] : vector<1xi32> to vector<8xi32>
// CHECK: %[[X:.*]] = vector.bitcast %[[ALL]] : vector<8xi32> to vector<16xi16>
// CHECK: %[[WIDE_X:.*]] = arith.extsi %[[X]] : vector<16xi16> to vector<16xi32>
// CHECK: %[[OLD:.*]] = vector.extract %[[C]][0]
// CHECK: %[[PRODUCTS:.*]] = arith.muli %[[WIDE_X]], %[[WIDE_Y]] : vector<16xi32>
// CHECK: %[[EVEN:.*]], %[[ODD:.*]] = vector.deinterleave %[[PRODUCTS]]
// CHECK: %[[SUM:.*]] = arith.addi %[[EVEN]], %[[ODD]] : vector<8xi32>
// CHECK: arith.addi %[[OLD]], %[[SUM]]
// CHECK-COUNT-1: arith.muli
// CHECK-NOT: arith.muli
func.func @pairs(%a: memref<16x2x2xi16>, %b: memref<16x8x2xi16>, %c: vector<2x8xi32>, %k: index)
    -> vector<2x8xi32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i16
  %x = vector.transfer_read %a[%k, %c0, %c0], %zero {in_bounds = [true, true]} : memref<16x2x2xi16>, vector<2x2xi16>
  %y = vector.transfer_read %b[%k, %c0, %c0], %zero {in_bounds = [true, true]} : memref<16x8x2xi16>, vector<8x2xi16>
  %s = ein.dot_products %x, %y, %c : vector<2x2xi16>, vector<8x2xi16>, vector<2x8xi32>
  return %s : vector<2x8xi32>
}

// -----

// B's row does not come from memory, and is not signed.
// CHECK-LABEL: func @values
// CHECK: vector.shape_cast %{{.*}} : vector<8x4xi8> to vector<32xi8>
// CHECK: arith.extui {{.*}} : vector<32xi8> to vector<32xi32>
// CHECK: arith.extsi {{.*}} : vector<32xi8> to vector<32xi32>
// CHECK: vector.deinterleave {{.*}} : vector<32xi32> -> vector<16xi32>
// CHECK: vector.deinterleave {{.*}} : vector<16xi32> -> vector<8xi32>
func.func @values(%x: vector<1x4xi8>, %y: vector<8x4xi8>, %c: vector<1x8xi32>) -> vector<1x8xi32> {
  %s = ein.dot_products %x, %y unsigned, %c : vector<1x4xi8>, vector<8x4xi8>, vector<1x8xi32>
  return %s : vector<1x8xi32>
}

// -----

// Who writes MLIR may say so by a contraction.
// CHECK-LABEL: func @contraction
// CHECK-NOT: vector.contract
// CHECK: vector.shape_cast %{{.*}} : vector<8x2xi16> to vector<16xi16>
// CHECK: vector.deinterleave
func.func @contraction(%x: vector<1x1x2xi16>, %y: vector<1x8x2xi16>, %c: vector<1x8xi32>) -> vector<1x8xi32> {
  %s = vector.contract {indexing_maps = [affine_map<(m, n, k, p) -> (k, m, p)>, affine_map<(m, n, k, p) -> (k, n, p)>,
                                         affine_map<(m, n, k, p) -> (m, n)>],
                        iterator_types = ["parallel", "parallel", "reduction", "reduction"],
                        kind = #vector.kind<add>} %x, %y, %c
         : vector<1x1x2xi16>, vector<1x8x2xi16> into vector<1x8xi32>
  return %s : vector<1x8xi32>
}

// -----

// CHECK-LABEL: func @halves
// CHECK: arith.extf {{.*}} : vector<16xbf16> to vector<16xf32>
// CHECK: arith.mulf
// CHECK: arith.addf
func.func @halves(%x: vector<1x2xbf16>, %y: vector<8x2xbf16>, %c: vector<1x8xf32>) -> vector<1x8xf32> {
  %s = ein.dot_products %x, %y, %c : vector<1x2xbf16>, vector<8x2xbf16>, vector<1x8xf32>
  return %s : vector<1x8xf32>
}

// -----

// A row of two registers: an instruction for each.
// CHECK-LABEL: func @registers
// CHECK-SAME: %[[X:[^:]*]]: vector<1x4xi8>, %{{.*}}: vector<32x4xi8>, %[[C:[^:]*]]: vector<1x32xi32>
// CHECK: %[[Y:.*]] = vector.shape_cast
// CHECK: %[[ALL:.*]] = vector.broadcast %{{.*}} : vector<1xi32> to vector<16xi32>
// CHECK: %[[ROW:.*]] = vector.bitcast %[[ALL]] : vector<16xi32> to vector<64xi8>
// CHECK: %[[FIRST:.*]] = vector.extract_strided_slice %[[Y]] {offsets = [0], sizes = [64]
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%{{.*}}, %[[ROW]], %[[FIRST]])
// CHECK: %[[SECOND:.*]] = vector.extract_strided_slice %[[Y]] {offsets = [64], sizes = [64]
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%{{.*}}, %[[ROW]], %[[SECOND]])
func.func @registers(%x: vector<1x4xi8>, %y: vector<32x4xi8>, %c: vector<1x32xi32>) -> vector<1x32xi32> {
  %s = ein.dot_products %x unsigned, %y, %c by "llvm.x86.avx512.vpdpbusd.512" of 512
    : vector<1x4xi8>, vector<32x4xi8>, vector<1x32xi32>
  return %s : vector<1x32xi32>
}

// -----

// Rows that lie apart are taken as they were read.
// CHECK-LABEL: func @apart
// CHECK-SAME: %[[X:[^:]*]]: vector<4xi8>, %[[Y:[^:]*]]: vector<4xi8>
// CHECK: vector.bitcast %[[X]] : vector<4xi8> to vector<1xi32>
// CHECK: vector.bitcast %[[Y]] : vector<4xi8> to vector<1xi32>
func.func @apart(%x: vector<4xi8>, %y: vector<4xi8>, %b: vector<16x4xi8>, %c: vector<2x16xi32>) -> vector<2x16xi32> {
  %0:4 = vector.to_elements %x : vector<4xi8>
  %1:4 = vector.to_elements %y : vector<4xi8>
  %a = vector.from_elements %0#0, %0#1, %0#2, %0#3, %1#0, %1#1, %1#2, %1#3 : vector<2x4xi8>
  %s = ein.dot_products %a unsigned, %b, %c by "llvm.x86.avx512.vpdpbusd.512" of 512
    : vector<2x4xi8>, vector<16x4xi8>, vector<2x16xi32>
  return %s : vector<2x16xi32>
}

// -----

// The row is the instruction's second factor.
// CHECK-LABEL: func @swapped
// CHECK: %[[Y:.*]] = vector.shape_cast %{{.*}} : vector<8x4xi8> to vector<32xi8>
// CHECK: %[[ROW:.*]] = vector.bitcast %{{.*}} : vector<8xi32> to vector<32xi8>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(%{{.*}}, %[[Y]], %[[ROW]])
func.func @swapped(%x: vector<1x4xi8>, %y: vector<8x4xi8>, %c: vector<1x8xi32>) -> vector<1x8xi32> {
  %s = ein.dot_products %x, %y unsigned, %c by "llvm.x86.avx512.vpdpbusd.256" of 256 swapped
    : vector<1x4xi8>, vector<8x4xi8>, vector<1x8xi32>
  return %s : vector<1x8xi32>
}

// -----

// Blocks of two rows by two columns.
// CHECK-LABEL: func @blocks
// CHECK-SAME: %{{.*}}: vector<4x8xi8>, %{{.*}}: vector<2x8xi8>, %[[C:[^:]*]]: vector<2x1x4xi32>
// CHECK: %[[X:.*]] = vector.shape_cast %{{.*}} : vector<4x8xi8> to vector<32xi8>
// CHECK: %[[Y:.*]] = vector.shape_cast %{{.*}} : vector<2x8xi8> to vector<16xi8>
// CHECK: %[[ROWS:.*]] = vector.extract_strided_slice %[[X]] {offsets = [0], sizes = [16]
// CHECK: vector.extract %[[C]][0]
// CHECK: llvm.call_intrinsic "llvm.aarch64.neon.smmla"(%{{.*}}, %[[ROWS]], %[[Y]])
// CHECK: vector.extract_strided_slice %[[X]] {offsets = [16], sizes = [16]
// CHECK: llvm.call_intrinsic "llvm.aarch64.neon.smmla"
func.func @blocks(%x: vector<4x8xi8>, %y: vector<2x8xi8>, %c: vector<2x1x4xi32>) -> vector<2x1x4xi32> {
  %s = ein.dot_products %x, %y, %c by "llvm.aarch64.neon.smmla" of 128
    : vector<4x8xi8>, vector<2x8xi8>, vector<2x1x4xi32>
  return %s : vector<2x1x4xi32>
}

// -----

// Registers of SVE, of which LLVM knows the length by the function: two rows of A by
// each two of four columns.
// CHECK-LABEL: func @scalable
// CHECK: %[[PAIR:.*]] = vector.shuffle
// CHECK: %[[A:.*]] = vector.scalable.insert %[[PAIR]], %{{.*}}[0] : vector<32xi8> into vector<[16]xi8>
// CHECK: %[[SUM:.*]] = llvm.call_intrinsic "llvm.aarch64.sve.smmla"(%{{.*}}, %[[A]], %{{.*}}) : (vector<[4]xi32>, vector<[16]xi8>, vector<[16]xi8>) -> vector<[4]xi32>
// CHECK: vector.scalable.extract %[[SUM]][0] : vector<8xi32> from vector<[4]xi32>
func.func @scalable(%x: vector<2x8xi8>, %y: vector<4x8xi8>, %c: vector<1x2x4xi32>) -> vector<1x2x4xi32> {
  %s = ein.dot_products %x, %y, %c by "llvm.aarch64.sve.smmla" of 256 scalable
    : vector<2x8xi8>, vector<4x8xi8>, vector<1x2x4xi32>
  return %s : vector<1x2x4xi32>
}

// -----

func.func @groups(%x: vector<1x2xi8>, %y: vector<8x4xi8>, %c: vector<1x8xi32>) -> vector<1x8xi32> {
  // expected-error @+1 {{has groups of 2 and 4}}
  %s = ein.dot_products %x, %y, %c : vector<1x2xi8>, vector<8x4xi8>, vector<1x8xi32>
  return %s : vector<1x8xi32>
}

// -----

func.func @tile(%x: vector<2x4xi8>, %y: vector<8x4xi8>, %c: vector<1x8xi32>) -> vector<1x8xi32> {
  // expected-error @+1 {{has 2 rows and 8 columns, which its tile has not}}
  %s = ein.dot_products %x, %y, %c : vector<2x4xi8>, vector<8x4xi8>, vector<1x8xi32>
  return %s : vector<1x8xi32>
}

// -----

func.func @types(%x: vector<1x4xi8>, %y: vector<8x4xi8>, %c: vector<1x8xf32>) -> vector<1x8xf32> {
  // expected-error @+1 {{does not add up products of 'i8' and 'i8' in 'f32'}}
  %s = ein.dot_products %x, %y, %c : vector<1x4xi8>, vector<8x4xi8>, vector<1x8xf32>
  return %s : vector<1x8xf32>
}

// -----

func.func @signs(%x: vector<1x2xbf16>, %y: vector<8x2xbf16>, %c: vector<1x8xf32>) -> vector<1x8xf32> {
  // expected-error @+1 {{has no unsigned numbers in 'bf16'}}
  %s = ein.dot_products %x unsigned, %y, %c : vector<1x2xbf16>, vector<8x2xbf16>, vector<1x8xf32>
  return %s : vector<1x8xf32>
}

// -----

func.func @name(%x: vector<1x4xi8>, %y: vector<8x4xi8>, %c: vector<1x8xi32>) -> vector<1x8xi32> {
  // expected-error @+1 {{has no intrinsic `vpdpbusd`}}
  %s = ein.dot_products %x, %y, %c by "vpdpbusd" of 512 : vector<1x4xi8>, vector<8x4xi8>, vector<1x8xi32>
  return %s : vector<1x8xi32>
}

// -----

func.func @pattern(%x: vector<2x8xi8>, %y: vector<2x8xi8>, %c: vector<1x1x4xi32>) -> vector<1x1x4xi32> {
  // expected-error @+1 {{has blocks, and no intrinsic that they are for}}
  %s = ein.dot_products %x, %y, %c : vector<2x8xi8>, vector<2x8xi8>, vector<1x1x4xi32>
  return %s : vector<1x1x4xi32>
}

// -----

func.func @width(%x: vector<1x4xi8>, %y: vector<8x4xi8>, %c: vector<1x8xi32>) -> vector<1x8xi32> {
  // expected-error @+1 {{has no registers of 96 bits}}
  %s = ein.dot_products %x, %y, %c by "llvm.x86.avx512.vpdpbusd.512" of 96
    : vector<1x4xi8>, vector<8x4xi8>, vector<1x8xi32>
  return %s : vector<1x8xi32>
}

// -----

// Each sum is of a group of both factors, by registers of eight sums.
// CHECK-LABEL: func @lanes
// CHECK-SAME: %[[X:.*]]: vector<16x4xi8>, %[[Y:.*]]: vector<16x4xi8>, %[[C:.*]]: vector<16xi32>
// CHECK-DAG: %[[FLAT_X:.*]] = vector.shape_cast %[[X]] : vector<16x4xi8> to vector<64xi8>
// CHECK-DAG: %[[FLAT_Y:.*]] = vector.shape_cast %[[Y]] : vector<16x4xi8> to vector<64xi8>
// CHECK: %[[X0:.*]] = vector.extract_strided_slice %[[FLAT_X]] {offsets = [0], sizes = [32]
// CHECK: %[[Y0:.*]] = vector.extract_strided_slice %[[FLAT_Y]] {offsets = [0], sizes = [32]
// CHECK: %[[C0:.*]] = vector.extract_strided_slice %[[C]] {offsets = [0], sizes = [8]
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(%[[C0]], %[[Y0]], %[[X0]])
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"
func.func @lanes(%x: vector<16x4xi8>, %y: vector<16x4xi8>, %c: vector<16xi32>) -> vector<16xi32> {
  %s = ein.dot_products %x, %y unsigned, %c by "llvm.x86.avx512.vpdpbusd.256" of 256 swapped
    : vector<16x4xi8>, vector<16x4xi8>, vector<16xi32>
  return %s : vector<16xi32>
}

// -----

// Halves of words are extended where they are.
// CHECK-LABEL: func @pairs_of_halves
// CHECK-SAME: %[[X:.*]]: vector<8x2xbf16>, %[[Y:.*]]: vector<8x2xbf16>, %[[C:.*]]: vector<8xf32>
// CHECK: %[[WORDS_X:.*]] = vector.bitcast %{{.*}} : vector<16xbf16> to vector<8xi32>
// CHECK: %[[WORDS_Y:.*]] = vector.bitcast %{{.*}} : vector<16xbf16> to vector<8xi32>
// CHECK: arith.shli %[[WORDS_X]]
// CHECK: arith.shli %[[WORDS_Y]]
// CHECK: %[[EVEN:.*]] = arith.mulf {{.*}} fastmath<contract> : vector<8xf32>
// CHECK: %[[SUM:.*]] = arith.addf %[[C]], %[[EVEN]] fastmath<contract>
// CHECK: arith.andi %[[WORDS_X]]
// CHECK: arith.andi %[[WORDS_Y]]
// CHECK: %[[ODD:.*]] = arith.mulf
// CHECK: arith.addf %[[SUM]], %[[ODD]] fastmath<contract>
func.func @pairs_of_halves(%x: vector<8x2xbf16>, %y: vector<8x2xbf16>, %c: vector<8xf32>) -> vector<8xf32> {
  %s = ein.dot_products %x, %y, %c : vector<8x2xbf16>, vector<8x2xbf16>, vector<8xf32>
  return %s : vector<8xf32>
}

// -----

func.func @other_groups(%x: vector<16x4xi8>, %y: vector<8x4xi8>, %c: vector<16xi32>) -> vector<16xi32> {
  // expected-error @+1 {{has 16 and 8 groups, of which each sum has one}}
  %s = ein.dot_products %x, %y, %c : vector<16x4xi8>, vector<8x4xi8>, vector<16xi32>
  return %s : vector<16xi32>
}
