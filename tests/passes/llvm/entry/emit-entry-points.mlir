// RUN: ein-opt %s -ein-emit-entry-points -split-input-file -verify-diagnostics | FileCheck %s
// RUN: ein-opt %s -ein-emit-entry-points=packed -split-input-file -verify-diagnostics \
// RUN:   | FileCheck %s --check-prefix=PACKED
// RUN: ein-opt %s -ein-emit-entry-points=executable -split-input-file -verify-diagnostics \
// RUN:   | FileCheck %s --check-prefixes=PACKED,TABLE
// RUN: ein-opt %s -ein-emit-entry-points -split-input-file -verify-diagnostics \
// RUN:   | FileCheck %s --check-prefix=INLINE

#n = affine_map<()[n] -> (n)>
#n2 = affine_map<()[n] -> (n, 2)>
#compound = affine_map<()[n] -> (n * 2 - 1)>
#zero = affine_map<()[n] -> (n - 5)>
#none = affine_map<()[n] -> ()>

// The kernel takes what memrefs are made of; arrays do not overlap what is
// written, so each is noalias.
// CHECK: llvm.func internal @__ein_kernel_f(%{{.*}}: f32, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr {llvm.noalias}, %{{.*}}: i64,
// CHECK-NOT: ein.signature
// It returns a code: 0, or 3 where it cannot have its memory.
// CHECK: %[[MEMORY:.*]] = llvm.call @malloc
// CHECK: %[[NULL:.*]] = llvm.mlir.zero
// CHECK: %[[HAS:.*]] = llvm.icmp "ne" %[[MEMORY]], %[[NULL]]
// CHECK: llvm.cond_br %[[HAS]], ^[[REST:.*]], ^[[FAIL:.*]]
// CHECK: ^[[REST]]:
// CHECK: llvm.call @free
// CHECK: %[[OK:.*]] = llvm.mlir.constant(0 : i32)
// CHECK: llvm.return %[[OK]]
// CHECK: ^[[FAIL]]:
// CHECK: %[[OOM:.*]] = llvm.mlir.constant(3 : i32)
// CHECK: llvm.return %[[OOM]]

// CHECK: llvm.func internal @other()

// The entry: pointers, scalars by value, sizes.
// CHECK-LABEL: llvm.func @f(
// CHECK-SAME: %[[S:[^:]*]]: f32, %[[A:[^:]*]]: !llvm.ptr, %[[C:[^:]*]]: !llvm.ptr, %[[N:[^:]*]]: i64) -> i32
// Sizes are not negative, nor are compound dims, and `equal` holds: else code 1.
// CHECK: llvm.icmp "sge" %[[N]], %{{.*}} : i64
// CHECK: llvm.cond_br
// CHECK: llvm.mlir.constant(1 : i32)
// CHECK: llvm.icmp "sge"
// CHECK: llvm.mlir.constant(1 : i32)
// CHECK: llvm.icmp "eq"
// CHECK: llvm.mlir.constant(1 : i32)
// `in_bounds` holds, or there is nothing to access: else code 2.
// CHECK: %[[GOOD:.*]] = llvm.icmp "sge"
// CHECK: %[[EMPTY:.*]] = llvm.icmp "eq"
// CHECK: %[[OR:.*]] = llvm.or %[[GOOD]], %[[EMPTY]]
// CHECK: llvm.cond_br %[[OR]]
// CHECK: llvm.mlir.constant(2 : i32)
// The output ends before the input begins, or the other way round: else code 4.
// CHECK: llvm.ptrtoint %[[A]]
// CHECK: llvm.ptrtoint %[[C]]
// CHECK: llvm.icmp "ule"
// CHECK: llvm.icmp "ule"
// CHECK: llvm.or
// CHECK: llvm.mlir.constant(4 : i32)
// CHECK: %[[CODE:.*]] = llvm.call @__ein_kernel_f(%[[S]], %[[A]], %[[A]], {{.*}}, %[[C]], %[[C]], %{{.*}}, %[[N]], {{.*}}, %[[N]])
// CHECK: llvm.return %[[CODE]]
// CHECK-NOT: @__ein_packed_f

// With `packed`, only the uniform entry is seen from outside.
// PACKED-NOT: llvm.func @f(
// PACKED: llvm.func internal @__ein_entry_f(
// PACKED: llvm.func @__ein_packed_f(%[[ARGS:[^:]*]]: !llvm.ptr, %[[SIZES:[^:]*]]: !llvm.ptr) -> i32
// PACKED: %[[SLOT:.*]] = llvm.getelementptr %[[ARGS]][0]
// PACKED: %[[P:.*]] = llvm.load %[[SLOT]] : !llvm.ptr -> !llvm.ptr
// PACKED: %[[SCALAR:.*]] = llvm.getelementptr %[[P]][0]
// PACKED: llvm.load %[[SCALAR]] : !llvm.ptr -> f32
// PACKED: llvm.getelementptr %[[ARGS]][1]
// PACKED: llvm.getelementptr %[[ARGS]][2]
// PACKED: llvm.getelementptr %[[SIZES]][0]
// PACKED: llvm.call @__ein_entry_f(
// PACKED-NOT: llvm.func @f(

// TABLE: llvm.mlir.global private constant @__ein_signature_0("f<N>(s: f32, A: f32(2*N - 1)) -> (C: f32(N, 2))\00")
// TABLE: llvm.mlir.global external constant @__ein_entries() {{.*}}: !llvm.array<2 x struct<(ptr, ptr)>>
// TABLE: llvm.mlir.addressof @__ein_signature_0
// TABLE: llvm.mlir.addressof @__ein_packed_f
llvm.func @__ein_kernel_f(%s: f32,
    %a0: !llvm.ptr, %a1: !llvm.ptr, %a2: i64, %a3: i64, %a4: i64,
    %c0: !llvm.ptr, %c1: !llvm.ptr, %c2: i64, %c3: i64, %c4: i64, %c5: i64, %c6: i64,
    %n: i64) attributes {ein.signature = {
      arguments = [{name = "s", role = "input", type = "f32", dims = #none},
                   {name = "A", role = "input", type = "f32", dims = #compound},
                   {name = "C", role = "output", type = "f32", dims = #n2}],
      symbols = ["N"],
      checks = [{kind = "equal", expr = #zero, unless_empty = #none},
                {kind = "in_bounds", expr = #zero, unless_empty = #n}]}} {
  %bytes = llvm.mlir.constant(64 : i64) : i64
  %memory = llvm.call @malloc(%bytes) : (i64) -> !llvm.ptr
  llvm.call @free(%memory) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)

// A function that is nobody's entry is left alone.
llvm.func @other() { llvm.return }

// -----

// expected-error @+1 {{does not have the type that its `ein.signature` implies}}
llvm.func @__ein_kernel_g(%s: f32) attributes {ein.signature = {
  arguments = [], symbols = [], checks = []}} {
  llvm.return
}

// -----

// expected-error @+1 {{does not have the type that its `ein.signature` implies}}
llvm.func @__ein_kernel_h() -> i32 attributes {ein.signature = {
  arguments = [], symbols = [], checks = []}} {
  %0 = llvm.mlir.constant(0 : i32) : i32
  llvm.return %0 : i32
}

// -----

// expected-error @+1 {{is not called `__ein_kernel_…`; run `ein-name-kernels` first}}
llvm.func @k() attributes {ein.signature = {
  arguments = [], symbols = [], checks = []}} {
  llvm.return
}

// -----

// expected-error @+1 {{has a malformed `ein.signature`}}
llvm.func @__ein_kernel_m() attributes {ein.signature = {}} {
  llvm.return
}

// -----

// A short kernel whose sizes are all known is compiled for the entry's strides.
// INLINE-LABEL: llvm.func @static(
// INLINE: llvm.call @__ein_kernel_static({{.*}}) {always_inline}
// INLINE-LABEL: llvm.func @open(
// INLINE-NOT: always_inline
llvm.func @__ein_kernel_static(%s: f32) attributes {ein.signature = {
  arguments = [{dims = affine_map<() -> ()>, name = "s", role = "input", type = "f32"}], symbols = [], checks = []}} {
  llvm.return
}
llvm.func @__ein_kernel_open(%n: i64) attributes {ein.signature = {
  arguments = [], symbols = ["N"], checks = []}} {
  llvm.return
}
