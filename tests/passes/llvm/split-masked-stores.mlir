// RUN: ein-opt %s --pass-pipeline='builtin.module(llvm.func(ein-split-masked-stores))' \
// RUN:   | FileCheck %s
// RUN: einc build -e 'mk,kn->mn' --bind m=5,n=5,k=5 --cpu haswell --emit asm \
// RUN:   | FileCheck %s --check-prefix=HSW
// RUN: einc build -e 'mk,kn->mn' --bind m=5,n=5,k=5 --cpu skylake-avx512 --emit asm \
// RUN:   | FileCheck %s --check-prefix=SKX

// The largest store first.
// CHECK-LABEL: @seven
// CHECK-SAME: %[[V:.*]]: vector<8xf32>, %[[P:.*]]: !llvm.ptr
// CHECK: %[[FOUR:.*]] = llvm.shufflevector %[[V]], %[[V]] [0, 1, 2, 3]
// CHECK-NEXT: llvm.store %[[FOUR]], %[[P]] {alignment = 4 : i64} : vector<4xf32>, !llvm.ptr
// CHECK-NEXT: %[[TWO:.*]] = llvm.shufflevector %[[V]], %[[V]] [4, 5]
// CHECK-NEXT: %[[P4:.*]] = llvm.getelementptr %[[P]][4]
// CHECK-NEXT: llvm.store %[[TWO]], %[[P4]] {alignment = 4 : i64} : vector<2xf32>, !llvm.ptr
// CHECK: %[[ONE:.*]] = llvm.extractelement %[[V]]
// CHECK-NEXT: %[[P6:.*]] = llvm.getelementptr %[[P]][6]
// CHECK-NEXT: llvm.store %[[ONE]], %[[P6]] {alignment = 4 : i64} : f32, !llvm.ptr
// CHECK-NOT: masked
llvm.func @seven(%v: vector<8xf32>, %p: !llvm.ptr) {
  %mask = llvm.mlir.constant(dense<[true, true, true, true, true, true, true, false]> : vector<8xi1>) : vector<8xi1>
  llvm.intr.masked.store %v, %p, %mask {alignment = 4 : i32} : vector<8xf32>, vector<8xi1> into !llvm.ptr
  llvm.return
}

// All lanes, and none.
// CHECK-LABEL: @all
// CHECK-SAME: %[[V:.*]]: vector<4xi16>
// CHECK: llvm.store %[[V]], %{{.*}} {alignment = 2 : i64} : vector<4xi16>, !llvm.ptr
// CHECK-NOT: store
llvm.func @all(%v: vector<4xi16>, %p: !llvm.ptr) {
  %all = llvm.mlir.constant(dense<true> : vector<4xi1>) : vector<4xi1>
  %none = llvm.mlir.constant(dense<false> : vector<4xi1>) : vector<4xi1>
  llvm.intr.masked.store %v, %p, %all {alignment = 2 : i32} : vector<4xi16>, vector<4xi1> into !llvm.ptr
  llvm.intr.masked.store %v, %p, %none {alignment = 2 : i32} : vector<4xi16>, vector<4xi1> into !llvm.ptr
  llvm.return
}

// Other lanes, and lanes that are not known, stay.
// CHECK-LABEL: @others
// CHECK-COUNT-2: llvm.intr.masked.store
llvm.func @others(%v: vector<4xf32>, %p: !llvm.ptr, %open: vector<4xi1>) {
  %mask = llvm.mlir.constant(dense<[true, false, true, false]> : vector<4xi1>) : vector<4xi1>
  llvm.intr.masked.store %v, %p, %mask {alignment = 4 : i32} : vector<4xf32>, vector<4xi1> into !llvm.ptr
  llvm.intr.masked.store %v, %p, %open {alignment = 4 : i32} : vector<4xf32>, vector<4xi1> into !llvm.ptr
  llvm.return
}

// HSW-NOT: vmaskmovps %ymm{{[0-9]+}}, %ymm{{[0-9]+}}, {{.*}}(
// HSW: vmovss %xmm
// SKX: {%k
