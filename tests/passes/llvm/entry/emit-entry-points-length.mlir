// Code for SVE vectors of a known length looks at the machine's, before all else.
// RUN: ein-opt %s -ein-add-view-helpers \
// RUN:   -ein-emit-entry-points="sve-vector-bits=256 views checks=false" | FileCheck %s
// RUN: ein-opt %s -ein-add-view-helpers \
// RUN:   -ein-emit-entry-points="sve-vector-bits=256 packed views" \
// RUN:   | FileCheck %s --check-prefix=PACKED
// RUN: ein-opt %s -ein-add-view-helpers -ein-emit-entry-points=views \
// RUN:   | FileCheck %s --check-prefix=ANY

// Who calls is not seen by LLVM, and its `vscale` would be 2.
// CHECK-LABEL: llvm.func @f(
// CHECK-NEXT:    %[[LENGTH:.*]] = llvm.inline_asm {{.*}}"rdvl $0, #1", "=r" : () -> i64
// CHECK-NEXT:    %[[BYTES:.*]] = llvm.mlir.constant(32 : i64)
// CHECK-NEXT:    %[[GOOD:.*]] = llvm.icmp "eq" %[[LENGTH]], %[[BYTES]]
// CHECK-NEXT:    llvm.cond_br %[[GOOD]], ^[[REST:.*]], ^[[OTHER:.*]]
// CHECK-NEXT:  ^[[OTHER]]:
// CHECK-NEXT:    %[[CODE:.*]] = llvm.mlir.constant(6 : i32)
// CHECK-NEXT:    llvm.return %[[CODE]]
// CHECK-LABEL: llvm.func @f_packed(
// CHECK-NEXT:    "rdvl
// CHECK-LABEL: llvm.func @f_view(
// CHECK-NEXT:    "rdvl
// CHECK-LABEL: llvm.func @_mlir_ciface_f(
// CHECK-NEXT:    "rdvl

// PACKED-LABEL: llvm.func internal @__ein_entry_f(
// PACKED-NOT:     "rdvl
// PACKED-LABEL: llvm.func @__ein_packed_f(
// PACKED-NEXT:    "rdvl
// PACKED-LABEL: llvm.func @__ein_packed_view_f(
// PACKED-NEXT:    "rdvl

// ANY-NOT: rdvl

llvm.func @__ein_kernel_f() 
    attributes {ein.signature = {arguments = [], symbols = [], checks = []}} {
  llvm.return
}
