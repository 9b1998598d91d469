// The place in the source is kept down to the llvm dialect: what a debugger, a
// profiler and our own error messages point at.
// RUN: ein-opt %s -ein-to-linalg -ein-to-contract \
// RUN:   -ein-to-fused -ein-to-scheduled="triple=x86_64-unknown-linux-gnu cpu=haswell" \
// RUN:   -ein-to-tiled -ein-to-vector \
// RUN:   -ein-to-memref -ein-to-llvm -mlir-print-debuginfo \
// RUN:   | FileCheck %s --check-prefixes=CHECK,VECTOR
// RUN: ein-opt %s -ein-to-linalg -ein-to-contract -ein-to-loops -ein-to-llvm \
// RUN:   -mlir-print-debuginfo | FileCheck %s --check-prefixes=CHECK,LOOPS

// CHECK-DAG: #[[DEF:.*]] = loc("matmul.ein":1:1)
// CHECK-DAG: #[[SUM:.*]] = loc("matmul.ein":2:3)
// CHECK: llvm.func internal @__ein_kernel_matmul
// VECTOR: llvm.intr.fmuladd({{.*}} loc(#[[SUM]])
// In loops the arithmetic itself has none: upstream's linalg.contract makes its
// scalar body without locations.
// LOOPS: llvm.load {{.*}} loc(#[[SUM]])
// LOOPS: llvm.fadd
// LOOPS: llvm.store {{.*}} loc(#[[SUM]])
// CHECK: llvm.func @matmul
// CHECK: llvm.call @__ein_kernel_matmul({{.*}} loc(#[[DEF]])

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#def = loc("matmul.ein":1:1)
#sum = loc("matmul.ein":2:3)
func.func @matmul(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>,
                  %c: tensor<?x?xf32> {bufferization.writable = true},
                  %m: index, %k: index, %n: index) -> tensor<?x?xf32>
    attributes {ein.signature = {
      arguments = [{name = "A", role = "input", type = "f32", dims = affine_map<()[m, k, n] -> (m, k)>},
                   {name = "B", role = "input", type = "f32", dims = affine_map<()[m, k, n] -> (k, n)>},
                   {name = "C", role = "output", type = "f32", dims = affine_map<()[m, k, n] -> (m, n)>}],
      symbols = ["M", "K", "N"], checks = []}} {
  %zero = arith.constant 0.0 : f32 loc(#sum)
  %init = linalg.fill ins(%zero : f32) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32> loc(#sum)
  %0 = ein.einsum indexing_maps = [#mk, #kn, #mn]
         ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
         outs(%init : tensor<?x?xf32>) -> tensor<?x?xf32> loc(#sum)
  return %0 : tensor<?x?xf32> loc(#def)
} loc(#def)
