// RUN: ein-opt %s -ein-add-view-helpers -convert-scf-to-cf -convert-arith-to-llvm \
// RUN:   -convert-func-to-llvm -convert-cf-to-llvm -reconcile-unrealized-casts \
// RUN:   -ein-emit-entry-points=views | FileCheck %s
// RUN: ein-opt %s -ein-add-view-helpers -convert-scf-to-cf -convert-arith-to-llvm \
// RUN:   -convert-func-to-llvm -convert-cf-to-llvm -reconcile-unrealized-casts \
// RUN:   -ein-emit-entry-points="views checks=false" | FileCheck %s --check-prefix=UNCHECKED

// Kernels with the same arguments, whatever these are called, have one function
// that checks arrays, one that checks views, and one that copies them.

#n = affine_map<()[n] -> (n)>
#n2 = affine_map<()[n] -> (n * 2)>

// CHECK-LABEL: llvm.func @f(
// CHECK: %[[CODE:.*]] = llvm.call @__ein_checks_f(%arg0, %arg1, %arg2)
// CHECK: %[[OK:.*]] = llvm.mlir.constant(0 : i32)
// CHECK: %[[GOOD:.*]] = llvm.icmp "eq" %[[CODE]], %[[OK]]
// CHECK: llvm.cond_br %[[GOOD]], ^[[CALL:.*]], ^[[END:.*]]
// CHECK: ^[[END]]:
// CHECK: llvm.return %[[CODE]]
// CHECK: ^[[CALL]]:
// CHECK: llvm.call @__ein_kernel_f(

// CHECK-LABEL: llvm.func internal @__ein_checks_f(
// CHECK-SAME: no_inline
// CHECK: llvm.icmp "sge"
// CHECK: llvm.icmp "ule"

// What copies calls back, by the last argument; the kernel then is called.
// CHECK-LABEL: llvm.func internal @__ein_copied_f(
// CHECK-SAME: %[[STRIDED:[^ ]*]]: !llvm.ptr)
// CHECK-NOT: @__ein_kernel
// CHECK: %[[READY:.*]] = llvm.mlir.constant(true) : i1
// CHECK: llvm.call %[[STRIDED]]({{.*}}, %[[READY]])

// CHECK-LABEL: llvm.func internal @__ein_view_checks_f(
// CHECK: llvm.call @__ein_overlap(
// CHECK: llvm.call @__ein_copied_f(
// CHECK: %[[GO:.*]] = llvm.mlir.constant(-1 : i32)
// CHECK: llvm.return %[[GO]]

// CHECK-LABEL: llvm.func internal @__ein_strided_f(
// CHECK-SAME: %[[READY:[^ ]*]]: i1)
// CHECK: llvm.cond_br %[[READY]], ^[[CALL:.*]], ^[[CHECK:.*]]
// CHECK: ^[[CHECK]]:
// CHECK: %[[OWN:.*]] = llvm.mlir.addressof @__ein_strided_f
// CHECK: llvm.call @__ein_view_checks_f({{.*}}, %[[OWN]])
// CHECK: ^[[CALL]]:
// CHECK: llvm.call @__ein_kernel_f(

// CHECK-LABEL: llvm.func @g(
// CHECK: llvm.call @__ein_checks_f(
// CHECK: llvm.call @__ein_kernel_g(
// CHECK-LABEL: llvm.func internal @__ein_strided_g(
// CHECK: llvm.mlir.addressof @__ein_strided_g
// CHECK: llvm.call @__ein_view_checks_f(

// Another dim, another check; alone it is where it is needed.
// CHECK-LABEL: llvm.func @h(
// CHECK-NOT: llvm.call @__ein_checks
// CHECK: llvm.icmp "ule"
// CHECK-LABEL: llvm.func internal @__ein_strided_h(
// CHECK: llvm.call @__ein_overlap(

// UNCHECKED-NOT: @__ein_checks
// UNCHECKED: llvm.func internal @__ein_view_checks_f(
// UNCHECKED-NOT: llvm.call @__ein_overlap
// UNCHECKED: llvm.call @__ein_copied_f(
llvm.func @__ein_kernel_f(
    %a0: !llvm.ptr, %a1: !llvm.ptr, %a2: i64, %a3: i64, %a4: i64,
    %c0: !llvm.ptr, %c1: !llvm.ptr, %c2: i64, %c3: i64, %c4: i64, %n: i64)
    attributes {ein.signature = {
      arguments = [{name = "A", role = "input", type = "f32", dims = #n},
                   {name = "C", role = "output", type = "f32", dims = #n}],
      symbols = ["N"], checks = []}} {
  llvm.return
}
llvm.func @__ein_kernel_g(
    %a0: !llvm.ptr, %a1: !llvm.ptr, %a2: i64, %a3: i64, %a4: i64,
    %c0: !llvm.ptr, %c1: !llvm.ptr, %c2: i64, %c3: i64, %c4: i64, %n: i64)
    attributes {ein.signature = {
      arguments = [{name = "X", role = "input", type = "f32", dims = #n},
                   {name = "Y", role = "output", type = "f32", dims = #n}],
      symbols = ["M"], checks = []}} {
  llvm.return
}
llvm.func @__ein_kernel_h(
    %a0: !llvm.ptr, %a1: !llvm.ptr, %a2: i64, %a3: i64, %a4: i64,
    %c0: !llvm.ptr, %c1: !llvm.ptr, %c2: i64, %c3: i64, %c4: i64, %n: i64)
    attributes {ein.signature = {
      arguments = [{name = "A", role = "input", type = "f32", dims = #n},
                   {name = "C", role = "output", type = "f32", dims = #n2}],
      symbols = ["N"], checks = []}} {
  llvm.return
}
