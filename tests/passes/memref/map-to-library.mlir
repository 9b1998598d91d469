// RUN: ein-opt %s -ein-map-to-library -split-input-file -verify-diagnostics | FileCheck %s

// An op that names its function is a call with strided views.
// CHECK: func.func private @user_add(memref<?xf32, strided<[?], offset: ?>>, memref<?xf32, strided<[?], offset: ?>>) attributes {llvm.emit_c_interface}
// CHECK-LABEL: func.func @named
// CHECK: call @user_add
// CHECK-NOT: linalg.generic
func.func @named(%x: memref<?xf32>, %y: memref<?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"], library_call = "user_add"}
      ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) {
    ^bb0(%u: f32, %v: f32):
      %s = arith.addf %u, %v : f32
      linalg.yield %s : f32
  }
  return
}

// -----

// Row-major without transposition; loops where a size is no `int`.
// CHECK: func.func private @cblas_sgemm(i32, i32, i32, i32, i32, i32, f32, !llvm.ptr, i32, !llvm.ptr, i32, f32, !llvm.ptr, i32)
// CHECK-LABEL: func.func @gemm
// CHECK: scf.if
// CHECK-DAG: arith.constant 101 : i32
// CHECK-DAG: arith.constant 112 : i32
// CHECK: call @cblas_sgemm
// CHECK: else
// CHECK: linalg.contract {{.*}}{ein.schedule = #ein.schedule<>}
func.func @gemm(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.contract indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    {ein.schedule = #ein.schedule<call, rows = d0, columns = d1, sums = d2>}
    ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}

// -----

// A layout that BLAS cannot read is loops.
// CHECK-LABEL: func.func @strided
// CHECK-NOT: call
// CHECK: linalg.contract {{.*}}{ein.schedule = #ein.schedule<>}
func.func @strided(%a: memref<4x4xf32, strided<[8, 2]>>, %b: memref<4x4xf32>, %c: memref<4x4xf32>) {
  linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    {ein.schedule = #ein.schedule<call, rows = d0, columns = d1, sums = d2>}
    ins(%a, %b : memref<4x4xf32, strided<[8, 2]>>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  return
}

// -----

// expected-error @+1 {{has the name of a function of BLAS that is called}}
func.func @cblas_sdot(%a: memref<4xf32>, %c: memref<f32>) {
  linalg.contract indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>]
    {ein.schedule = #ein.schedule<call, sums = d0>}
    ins(%a, %a : memref<4xf32>, memref<4xf32>) outs(%c : memref<f32>)
  return
}
