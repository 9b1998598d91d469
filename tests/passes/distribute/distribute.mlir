// A kernel of each op, and a text that says which boxes it reaches.
// RUN: ein-opt %s --ein-distribute="max-memory=4096" | FileCheck %s
// RUN: split-file %S/Inputs/others.mlir %t
// An array whose elements data choose is read as a whole, at positions of the whole.
// RUN: ein-opt %t/gather.mlir --ein-distribute | FileCheck %s --check-prefix=GATHER
// GATHER: statement 0 .p none\0A
// GATHER-SAME: read 1 1*0+0\0Aread 0 *\0Awrite 3 1*0+0\0A
// GATHER: func.func @gather.0(%{{.*}}: tensor<?xindex>, %[[A:.*]]: tensor<?xf32>, %{{.*}}: tensor<?xf32> {
// GATHER: tensor.extract %[[A]][
// The code of what is checked is the first that a part has found. Of a tensor that says how
// far a loop goes, there is only the shape.
// RUN: ein-opt %t/status.mlir --ein-distribute | FileCheck %s --check-prefix=STATUS
// STATUS: statement 0 .rr first\0A
// STATUS-SAME: read 0 1*0+0\0Awrite 2\0Astart bits 00000000\0A
// STATUS-SAME: status 2\0A
// STATUS: func.func @status.0(
// STATUS: tensor.empty(
// A part of an array is the array from another element on, where it is read and where it is
// written; what else there is of that stays.
// RUN: ein-opt %t/part.mlir --ein-distribute | FileCheck %s --check-prefix=PART
// PART: statement 0 .p none\0A
// PART-SAME: loops<N>(loops: f32(N - 2)) -> ()\0A
// PART-SAME: read 0 1*0+2\0Awrite 2 1*0+1\0Astart array 1\0Aresult 1 2\0A
// What is not cut is made as a whole, of all that it reads.
// RUN: ein-opt %t/order.mlir --ein-distribute | FileCheck %s --check-prefix=ORDER
// ORDER: statement 0 . none\0Aloops<N>(loops: f32) -> ()\0Aread 0 *\0Awrite 2 *\0A
// ORDER: func.func @order.0(%[[A:.*]]: tensor<?xf32>, %[[C:.*]]: tensor<?xf32> {bufferization.writable = true}, %{{.*}}: index)
// ORDER: %[[R:.*]] = scf.for
// ORDER: tensor.extract %[[A]][
// ORDER: linalg.copy ins(%[[R]] {{.*}} outs(%[[C]]
// RUN: ein-opt %t/slice.mlir --ein-distribute | FileCheck %s --check-prefix=SLICE
// SLICE: statement 0 . none\0A
// SLICE-SAME: read 0 *\0Aread 1 *\0Awrite 2 *\0A
// RUN: ein-opt %t/divided.mlir --ein-distribute | FileCheck %s --check-prefix=DIVIDED
// DIVIDED: statement 0 . none\0A
// DIVIDED: linalg.generic
// RUN: ein-opt %t/join.mlir --ein-distribute | FileCheck %s --check-prefix=JOIN
// JOIN: kernels = []
// RUN: not ein-opt %t/call.mlir --ein-distribute 2>&1 | FileCheck %s --check-prefix=CALL
// CALL: error: `--distribute` cannot cut this statement
// RUN: not ein-opt %t/unknown.mlir --ein-distribute 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: `--distribute` cannot tell what this statement reads, or how large it is
// RUN: ein-opt %t/checks.mlir --ein-distribute | FileCheck %s --check-prefix=CHECKS
// CHECKS: ranks 0 memory 0 grid\0Acheck range natural\0Acheck<N>(value: f32(N - 3), extents: f32(N)) -> ()\0A
// RUN: not ein-opt %s --ein-distribute=ranks=2x0 2>&1 | FileCheck %s --check-prefix=RANKS
// RANKS: error: `2x0` is neither a number of ranks nor a grid
// RUN: not ein-opt %s --ein-distribute=ranks=2x2x1 2>&1 | FileCheck %s --check-prefix=GRID
// GRID: error: a grid is for one statement, and this def has 2

#mm = affine_map<()[M, K, N] -> (M, K)>
#kn = affine_map<()[M, K, N] -> (K, N)>
#mn = affine_map<()[M, K, N] -> (M, N)>
#none = affine_map<()[M, K, N] -> ()>

// CHECK: module attributes {ein.distributed = [{kernels = ["layer.0", "layer.1"], name = "layer",
// CHECK-SAME: text = "layer<M, K, N>(A: f32(M, K), B: f32(K, N), s: f32) -> (C: f32(M, N))\0A
// CHECK-SAME: temporaries<M, K, N>(t0: f32(M, N), t1: f32(M, N)) -> ()\0A
// CHECK-SAME: ranks 0 memory 4096 grid\0A
// The parts of a sum begin with zero, and are added.
// CHECK-SAME: statement 0 .ppr add\0A
// CHECK-SAME: loops<M, K, N>(loops: f32(M, N, K)) -> ()\0A
// CHECK-SAME: read 0 1*0+0 1*2+0\0Aread 1 1*2+0 1*1+0\0Awrite 4 1*0+0 1*1+0\0A
// CHECK-SAME: start bits 00000000\0A
// A scalar is what a statement reads, without subscripts.
// CHECK-SAME: statement 1 .pp none\0A
// CHECK-SAME: read 4 1*0+0 1*1+0\0Aread 2\0Awrite 5 1*0+0 1*1+0\0Astart nothing\0A
// CHECK-SAME: result 3 5\0A"}]}
// CHECK-NOT: func.func @layer(
func.func @layer(%A: tensor<?x?xf32>, %B: tensor<?x?xf32>, %s: f32,
                 %C: tensor<?x?xf32> {bufferization.writable = true},
                 %M: index, %K: index, %N: index) -> tensor<?x?xf32>
    attributes {ein.signature = {
      arguments = [{dims = #mm, name = "A", role = "input", type = "f32"},
                   {dims = #kn, name = "B", role = "input", type = "f32"},
                   {dims = #none, name = "s", role = "input", type = "f32"},
                   {dims = #mn, name = "C", role = "output", type = "f32"}],
      checks = [], symbols = ["M", "K", "N"]}} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty(%M, %N) : tensor<?x?xf32>
  %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?xf32>) -> tensor<?x?xf32>
  // CHECK: func.func @layer.0(%[[A:.*]]: tensor<?x?xf32>, %[[B:.*]]: tensor<?x?xf32>,
  // CHECK-SAME: %[[C:.*]]: tensor<?x?xf32> {bufferization.writable = true},
  // CHECK: linalg.contract {{.*}} ins(%[[A]], %[[B]] : {{.*}}) outs(%[[C]]
  %product = linalg.contract
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                       affine_map<(m, n, k) -> (m, n)>]
      ins(%A, %B : tensor<?x?xf32>, tensor<?x?xf32>)
      outs(%filled : tensor<?x?xf32>) -> tensor<?x?xf32>
  // What counts positions counts from where the block begins, and what a size is
  // is the program's.
  // CHECK: func.func @layer.1(%arg0: tensor<?x?xf32>, %[[S:.*]]: f32, %arg2: tensor<?x?xf32> {bufferization.writable = true},
  // CHECK-SAME: %arg3: index, %arg4: index, %[[O:arg5]]: index, %arg6: index,
  // CHECK-SAME: %arg7: index, %[[K:arg8]]: index, %arg9: index)
  // CHECK: linalg.generic
  // CHECK: %[[I:.*]] = linalg.index 0
  // CHECK: arith.addi %[[I]], %[[O]]
  // CHECK: arith.index_cast %[[K]]
  // CHECK: arith.mulf %{{.*}}, %[[S]]
  %result = linalg.generic {
      indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%product : tensor<?x?xf32>) outs(%C : tensor<?x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i64
    %f = arith.sitofp %j : i64 to f32
    %k = arith.index_cast %K : index to i64
    %g = arith.sitofp %k : i64 to f32
    %0 = arith.mulf %in, %s : f32
    %1 = arith.addf %0, %f : f32
    %2 = arith.addf %1, %g : f32
    linalg.yield %2 : f32
  } -> tensor<?x?xf32>
  return %result : tensor<?x?xf32>
}
