// RUN: ein-opt %s -ein-add-view-helpers -split-input-file -verify-diagnostics | FileCheck %s
// RUN: ein-opt %s -pass-pipeline='builtin.module(ein-add-view-helpers{architecture=x86_64})' \
// RUN:   -split-input-file -verify-diagnostics | FileCheck --check-prefix=CODE %s
// RUN: ein-opt %s -pass-pipeline='builtin.module(ein-add-view-helpers{architecture=aarch64})' \
// RUN:   -split-input-file -verify-diagnostics | FileCheck --check-prefix=ARM %s
// RUN: echo 'func.func @f() attributes {ein.signature = {}} { return }' > %t.mlir
// RUN: not ein-opt %t.mlir 2>&1 \
// RUN:   -pass-pipeline='builtin.module(ein-add-view-helpers{architecture=sparc})' \
// RUN:   | FileCheck --check-prefix=NONE %s

// NONE: error: there is no code of helpers for `sparc`

// Where they are compiled, those that entries call are declared, and no label is
// visible or of LLVM's.
// CODE: module attributes {llvm.module_asm = ["
// CODE-NOT: .globl
// CODE-NOT: .LBB
// CODE-SAME: __ein_overlap:{{.*}}pushq{{.*}}__ein_copy:
// CODE: func @kernel
// CODE-NEXT: return
// CODE-NEXT: }
// CODE-NEXT: llvm.func @__ein_overlap({{.*}}) -> i1 attributes {dso_local, passthrough = ["nounwind"]}
// CODE-NEXT: llvm.func @__ein_overlaps_itself(
// CODE-NEXT: llvm.func @__ein_compact(
// CODE-NEXT: llvm.func @__ein_copy(
// CODE: module
// CODE-NOT: llvm.module_asm
// CODE: func @other

// ARM: module attributes {llvm.module_asm = ["{{.*}}__ein_overlap:{{.*}}__ein_copy:

// A module with a kernel gets the helpers, which are internal.
// CHECK-LABEL: func @kernel
// They are compiled for their size, those that are rarely called hardly at all.
// CHECK: llvm.func internal @__ein_find({{.*}}) -> i1 attributes {passthrough = ["optnone", "noinline", "cold"]
// CHECK: llvm.func internal @__ein_overlap({{.*}}) -> i1 attributes {passthrough = ["minsize", "optsize"]
// CHECK: llvm.func internal @__ein_overlaps_itself(
// CHECK: llvm.func internal @__ein_compact(
// CHECK: llvm.func internal @__ein_copy(
func.func @kernel() attributes {ein.signature = {}} { return }

// -----

// Others do not.
// CHECK-LABEL: func @other
// CHECK-NOT: @__ein_
func.func @other() { return }

// -----

// expected-error @+1 {{has a function `__ein_copy`}}
module {
  func.func @kernel() attributes {ein.signature = {}} { return }
  func.func @__ein_copy() { return }
}
