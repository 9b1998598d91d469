// RUN: ein-opt %s -ein-add-view-helpers -split-input-file -verify-diagnostics | FileCheck %s

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
