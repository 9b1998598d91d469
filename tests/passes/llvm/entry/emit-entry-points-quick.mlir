// RUN: ein-opt %s -ein-emit-entry-points -split-input-file | FileCheck %s

// What holds of nearly all callers is asked at once: sizes below 2^30 have no
// sign, nor do the bytes of two of them leave 63 bits. Only others are asked one
// by one.
// CHECK-LABEL: llvm.func @open(
// CHECK-SAME: %[[A:[^:]*]]: !llvm.ptr, %[[C:[^:]*]]: !llvm.ptr, %[[M:[^:]*]]: i64, %[[N:[^:]*]]: i64) -> i32
// CHECK: %[[ANY:.*]] = llvm.or %[[M]], %[[N]]
// CHECK: %[[BOUND:.*]] = llvm.mlir.constant(1073741824 : i64)
// CHECK: %[[SMALL:.*]] = llvm.icmp "ult" %[[ANY]], %[[BOUND]]
// CHECK: llvm.cond_br %[[SMALL]] weights([2000, 1]), ^[[NEXT:.*]], ^[[ASK:.*]]
// CHECK: ^[[ASK]]:
// CHECK: llvm.icmp "sge" %[[M]]
// CHECK: llvm.intr.smul.with.overflow
// Arrays are apart if their distance is not in a range; one without elements may
// be anywhere, and is looked at then.
// CHECK: ^[[NEXT]]:
// CHECK: %[[FROM:.*]] = llvm.ptrtoint %[[A]]
// CHECK: %[[TO:.*]] = llvm.ptrtoint %[[C]]
// CHECK: llvm.sub %[[TO]], %[[FROM]]
// CHECK: %[[APART:.*]] = llvm.icmp "uge"
// CHECK: llvm.cond_br %[[APART]] weights([2000, 1])
// CHECK: llvm.icmp "ule"
// CHECK: llvm.icmp "eq"
#mn = affine_map<()[m, n] -> (m, n)>
llvm.func @__ein_kernel_open(
    %a0: !llvm.ptr, %a1: !llvm.ptr, %a2: i64, %a3: i64, %a4: i64, %a5: i64, %a6: i64,
    %c0: !llvm.ptr, %c1: !llvm.ptr, %c2: i64, %c3: i64, %c4: i64, %c5: i64, %c6: i64,
    %m: i64, %n: i64) attributes {ein.signature = {
      arguments = [{name = "A", role = "input", type = "f32", dims = #mn},
                   {name = "C", role = "output", type = "f32", dims = #mn}],
      symbols = ["M", "N"], checks = []}} {
  llvm.return
}

// -----

// Of arrays with elements one comparison is all.
// CHECK-LABEL: llvm.func @static(
// CHECK: %[[APART:.*]] = llvm.icmp "uge"
// CHECK: llvm.cond_br %[[APART]], ^
// CHECK-NOT: llvm.icmp
// CHECK: llvm.mlir.constant(4 : i32)
// CHECK-NOT: llvm.icmp
#four = affine_map<() -> (4)>
llvm.func @__ein_kernel_static(
    %a0: !llvm.ptr, %a1: !llvm.ptr, %a2: i64, %a3: i64, %a4: i64,
    %c0: !llvm.ptr, %c1: !llvm.ptr, %c2: i64, %c3: i64, %c4: i64) attributes {ein.signature = {
      arguments = [{name = "A", role = "input", type = "f32", dims = #four},
                   {name = "C", role = "output", type = "f32", dims = #four}],
      symbols = [], checks = []}} {
  llvm.return
}
