// RUN: ein-opt %s -ein-add-view-helpers -convert-scf-to-cf -convert-arith-to-llvm \
// RUN:   -convert-func-to-llvm -convert-cf-to-llvm -reconcile-unrealized-casts \
// RUN:   -ein-emit-entry-points=views | FileCheck %s
// RUN: ein-opt %s -ein-add-view-helpers -convert-scf-to-cf -convert-arith-to-llvm \
// RUN:   -convert-func-to-llvm -convert-cf-to-llvm -reconcile-unrealized-casts \
// RUN:   -ein-emit-entry-points="views packed" | FileCheck %s --check-prefix=PACKED
// RUN: ein-opt %s -ein-add-view-helpers -convert-scf-to-cf -convert-arith-to-llvm \
// RUN:   -convert-func-to-llvm -convert-cf-to-llvm -reconcile-unrealized-casts \
// RUN:   -ein-emit-entry-points="views checks=false" | FileCheck %s --check-prefix=UNCHECKED
// RUN: not ein-opt %s -ein-emit-entry-points=views 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ALONE

#compound = affine_map<()[n, m] -> (n * 2 + 1)>
#rest = affine_map<()[n, m] -> (n + m)>
#nm = affine_map<()[n, m] -> (n, 2)>
#none = affine_map<()[n, m] -> ()>

// ALONE: error: has no helpers beside it; run `ein-add-view-helpers` first

// What copies is apart, and compiled as it is.
// CHECK: llvm.func internal @__ein_copied_f({{.*}}passthrough = ["optnone", "noinline", "cold"]
// CHECK: llvm.call @__ein_compact(
// CHECK: llvm.call @__ein_compact(
// CHECK: llvm.call @malloc
// CHECK: llvm.mlir.constant(3 : i32)
// CHECK: llvm.call @__ein_copy(%[[COPY:[^,]*]], %{{[^,]*}}, %[[A:[^,]*]],
// CHECK: llvm.call @__ein_kernel_f(%{{.*}}, %[[COPY]], %[[COPY]], {{.*}}, %[[RESULT:.*]], %[[RESULT]], {{.*}})
// CHECK: llvm.call @__ein_copy(%{{[^,]*}}, %{{[^,]*}}, %[[RESULT]],
// CHECK: llvm.call @free
// CHECK-NOT: llvm.call @__ein_copy(

// What the two have in common: (data, sizes, strides) per array, every size.
// CHECK: llvm.func internal @__ein_strided_f(%{{[^:]*}}: f32, %{{[^:]*}}: !llvm.ptr, %{{[^:]*}}: !llvm.ptr, %{{[^:]*}}: !llvm.ptr, {{.*}}: i64, %{{[^:]*}}: i64) -> i32
// Extents, then the output against itself and each other array.
// CHECK: llvm.icmp "eq"
// Asked here first: whether strides nest, and whether the arrays lie apart.
// CHECK: llvm.intr.smin
// CHECK: llvm.icmp "sge"
// CHECK: llvm.icmp "ule"
// CHECK: llvm.cond_br {{.*}} weights([2000, 1])
// CHECK: llvm.call @__ein_overlaps_itself(
// CHECK: llvm.mlir.constant(4 : i32)
// CHECK: llvm.call @__ein_overlap(
// CHECK-NOT: llvm.call @__ein_overlap
// Last strides that are not one, over more than one element, mean a copy.
// CHECK-DAG: llvm.icmp "sgt"
// CHECK-DAG: llvm.icmp "ne"
// CHECK: llvm.cond_br
// CHECK: llvm.call @__ein_copied_f(
// Else the kernel takes the views as they are.
// CHECK: llvm.call @__ein_kernel_f(%{{.*}}, %[[A:.*]], %[[A]], {{.*}}, %[[C:.*]], %[[C]], {{.*}})

// A compound dim gives N: floor((extent - 1) / 2). Nothing gives M.
// CHECK: llvm.func @f_view(%[[S:[^:]*]]: f32, %[[A:[^:]*]]: !llvm.ptr, %[[C:[^:]*]]: !llvm.ptr, %[[M:[^:]*]]: i64) -> i32
// CHECK: llvm.getelementptr %[[A]][0, 0] {{.*}}struct<(ptr, array<1 x i64>, array<1 x i64>)>
// CHECK: llvm.getelementptr %[[C]][0, 2] {{.*}}struct<(ptr, array<2 x i64>, array<2 x i64>)>
// CHECK: %[[N:.*]] = llvm.load
// CHECK: llvm.call @__ein_strided_f(%[[S]], {{.*}}, %[[N]], %[[M]])

// The descriptor's data begin at aligned + offset.
// CHECK: llvm.func @_mlir_ciface_f(%{{[^:]*}}: f32, %[[A:[^:]*]]: !llvm.ptr, %{{[^:]*}}: !llvm.ptr, %{{[^:]*}}: i64, %{{[^:]*}}: i64) -> i32
// CHECK: llvm.getelementptr %[[A]][0, 1] {{.*}}struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK: llvm.getelementptr %[[A]][0, 2]
// CHECK: llvm.mlir.constant(4 : i64)
// CHECK: llvm.mul
// CHECK: llvm.call @__ein_strided_f(

// PACKED: llvm.func @__ein_packed_view_f(%{{[^:]*}}: !llvm.ptr, %{{[^:]*}}: !llvm.ptr) -> i32
// PACKED-NOT: llvm.func @f_view
// PACKED-NOT: _mlir_ciface

// UNCHECKED: llvm.func internal @__ein_strided_f(
// UNCHECKED-NOT: llvm.call @__ein_overlap
// UNCHECKED: llvm.func @_mlir_ciface_f
llvm.func @__ein_kernel_f(%s: f32,
    %a0: !llvm.ptr, %a1: !llvm.ptr, %a2: i64, %a3: i64, %a4: i64,
    %c0: !llvm.ptr, %c1: !llvm.ptr, %c2: i64, %c3: i64, %c4: i64, %c5: i64, %c6: i64,
    %n: i64, %m: i64) attributes {ein.signature = {
      arguments = [{name = "s", role = "input", type = "f32", dims = #none},
                   {name = "A", role = "input", type = "f32", dims = #compound},
                   {name = "C", role = "output", type = "f32", dims = #nm}],
      symbols = ["N", "M"], checks = []}} {
  llvm.return
}
