// RUN: ein-opt %s --ein-move-half-floats | FileCheck %s
// RUN: ein-opt %s --ein-move-half-floats=only-bf16 | FileCheck %s --check-prefix=F16C

// CHECK: llvm.mlir.global internal constant @table(dense<[16256, 16384]> : tensor<2xi16>) {{.*}} : !llvm.array<2 x i16>
llvm.mlir.global internal constant @table(dense<[1.0, 2.0]> : tensor<2xbf16>) {addr_space = 0 : i32} : !llvm.array<2 x bf16>

// CHECK-LABEL: @choose
// CHECK-SAME: %[[C:.*]]: i1, %[[X:.*]]: i16, %[[P:.*]]: !llvm.ptr
// CHECK: %[[ONE:.*]] = llvm.mlir.constant(16256 : i16) : i16
// CHECK-NOT: bitcast
// CHECK: %[[Y:.*]] = llvm.select %[[C]], %[[X]], %[[ONE]] : i1, i16
// CHECK: llvm.store %[[Y]], %[[P]] : i16
llvm.func @choose(%c: i1, %bits: i16, %p: !llvm.ptr) {
  %x = llvm.bitcast %bits : i16 to bf16
  %one = llvm.mlir.constant(1.0 : bf16) : bf16
  %y = llvm.select %c, %x, %one : i1, bf16
  llvm.store %y, %p : bf16, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: @halves
// CHECK: llvm.mlir.constant(dense<15360> : vector<8xi16>) : vector<8xi16>
// F16C-LABEL: @halves
// F16C: vector<8xf16>
llvm.func @halves(%p: !llvm.ptr) {
  %x = llvm.mlir.constant(dense<1.0> : vector<8xf16>) : vector<8xf16>
  llvm.store %x, %p : vector<8xf16>, !llvm.ptr
  llvm.return
}

// What is defined elsewhere keeps its types.
// CHECK: llvm.func @elsewhere(bf16, i32) -> bf16
llvm.func @elsewhere(bf16, i32) -> bf16
// CHECK-LABEL: @calls
// CHECK-SAME: %[[X:.*]]: i16, %[[N:.*]]: i32) -> i16
// CHECK: %[[HALF:.*]] = llvm.bitcast %[[X]] : i16 to bf16
// CHECK: %[[R:.*]] = llvm.call @elsewhere(%[[HALF]], %[[N]]) : (bf16, i32) -> bf16
// CHECK: llvm.bitcast %[[R]] : bf16 to i16
llvm.func @calls(%x: bf16, %n: i32) -> bf16 {
  %r = llvm.call @elsewhere(%x, %n) : (bf16, i32) -> bf16
  llvm.return %r : bf16
}

// So does what multiplies them.
// CHECK-LABEL: @intrinsic
// CHECK-SAME: %[[S:.*]]: vector<16xf32>, %[[X:.*]]: vector<32xi16>
// CHECK: %[[HALVES:.*]] = llvm.bitcast %[[X]] : vector<32xi16> to vector<32xbf16>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%[[S]], %[[HALVES]], %{{.*}}) : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>)
llvm.func @intrinsic(%s: vector<16xf32>, %x: vector<32xbf16>) -> vector<16xf32> {
  %r = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%s, %x, %x)
    : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
  llvm.return %r : vector<16xf32>
}

// And what rounds to them.
// CHECK-LABEL: @rounds
// CHECK: %[[ROUNDED:.*]] = llvm.call_intrinsic {{.*}} -> vector<16xbf16>
// CHECK: %[[BITS:.*]] = llvm.bitcast %[[ROUNDED]] : vector<16xbf16> to vector<16xi16>
// CHECK: llvm.return %[[BITS]] : vector<16xi16>
llvm.func @rounds(%x: vector<16xf32>) -> vector<16xbf16> {
  %r = llvm.call_intrinsic "llvm.x86.avx512bf16.cvtneps2bf16.512"(%x)
    : (vector<16xf32>) -> vector<16xbf16>
  llvm.return %r : vector<16xbf16>
}
