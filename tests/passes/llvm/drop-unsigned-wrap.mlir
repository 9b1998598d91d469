// RUN: ein-opt %s --pass-pipeline='builtin.module(llvm.func(ein-drop-unsigned-wrap))' \
// RUN:   | FileCheck %s

// A negative stride is a large unsigned number.
// CHECK-LABEL: @address
// CHECK: llvm.mul %{{.*}}, %{{.*}} overflow<nsw> : i64
// CHECK: llvm.add %{{.*}}, %{{.*}} : i64
// CHECK: llvm.getelementptr inbounds %
// CHECK-NOT: nuw
llvm.func @address(%p: !llvm.ptr, %i: i64, %stride: i64) -> f32 {
  %0 = llvm.mul %i, %stride overflow<nsw, nuw> : i64
  %1 = llvm.add %0, %i overflow<nuw> : i64
  %2 = llvm.getelementptr inbounds|nuw %p[%1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %3 = llvm.load %2 : !llvm.ptr -> f32
  llvm.return %3 : f32
}

// What does not say so stays as it is.
// CHECK-LABEL: @other
// CHECK: llvm.mul %{{.*}}, %{{.*}} overflow<nsw> : i64
// CHECK: llvm.sub %{{.*}}, %{{.*}} : i64
llvm.func @other(%a: i64, %b: i64) -> i64 {
  %0 = llvm.mul %a, %b overflow<nsw> : i64
  %1 = llvm.sub %0, %a : i64
  llvm.return %1 : i64
}
