// What each level promises, and one violation of it each. A module that holds it
// says so from then on.
// RUN: ein-opt %s -ein-check-level=level=mlir | FileCheck %s
// RUN: not ein-opt %s -ein-check-level=level=linalg 2>&1 | FileCheck %s --check-prefix=EIN
// RUN: not ein-opt %s -ein-check-level=level=contract 2>&1 | FileCheck %s --check-prefix=EIN
// RUN: not ein-opt %s -ein-check-level=level=tiled 2>&1 | FileCheck %s --check-prefixes=EIN,TILED
// RUN: not ein-opt %s -ein-check-level=level=vector 2>&1 | FileCheck %s --check-prefixes=EIN,VECTOR
// RUN: not ein-opt %s -ein-check-level=level=memref 2>&1 | FileCheck %s --check-prefixes=EIN,MEMREF
// RUN: not ein-opt %s -ein-check-level=level=loops 2>&1 | FileCheck %s --check-prefixes=EIN,LOOPS
// RUN: not ein-opt %s -ein-check-level=level=affine 2>&1 | FileCheck %s --check-prefixes=EIN,LOOPS
// RUN: not ein-opt %s -ein-check-level=level=parallel 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=EIN,LOOPS
// RUN: not ein-opt %s -ein-check-level=level=llvm-dialect 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=EIN,LLVM
// RUN: not ein-opt %s -ein-check-level=level=lime 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not ein-opt %s -ein-check-level 2>&1 | FileCheck %s --check-prefix=NONE

// UNKNOWN: error: there is no level `lime`
// NONE: error: there is no level ``

// CHECK: module attributes {ein.level = "mlir"}
// CHECK-LABEL: func @einsum
func.func @einsum(%a: tensor<3xf32>, %c: tensor<3xf32>) -> tensor<3xf32> {
  // EIN: 'ein.einsum' op is an einsum, which ends with the `linalg` level, at level `{{.*}}`
  %0 = ein.einsum indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>]
         ins(%a : tensor<3xf32>) outs(%c : tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

func.func @product(%a: tensor<3xf32>, %c: tensor<3xf32>) -> tensor<3xf32> {
  // EIN: 'ein.product' op is a product of which no order was chosen, which ends with the `linalg` level, at level `{{.*}}`
  %0 = ein.product indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>] extents = [3]
         ins(%a : tensor<3xf32>) outs(%c : tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// Contractions of other kinds live until the levels that are upstream's.
// CHECK-LABEL: func @contract
func.func @contract(%a: tensor<3xf32>, %c: tensor<f32>) -> tensor<f32> {
  // TILED: 'ein.contract' op belongs to the ein dialect, which ends with the `contract` level, at level `tiled`
  %0 = ein.contract indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>]
         ins(%a, %a : tensor<3xf32>, tensor<3xf32>) outs(%c : tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

func.func @no_schedule(%x: f32, %c: tensor<3xf32>) -> tensor<3xf32> {
  // TILED: 'linalg.fill' op has no schedule, at level `tiled`
  %0 = linalg.fill ins(%x : f32) outs(%c : tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

func.func @empty_in_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %outside = tensor.empty(%n) : tensor<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    // TILED: 'tensor.empty' op allocates inside a loop, at level `tiled`
    // TILED-NOT: 'tensor.empty'
    %inside = tensor.empty(%n) : tensor<?xf32>
  }
  return
}

func.func @not_vectors(%a: tensor<8x8xf32>, %p: tensor<2x8x4xf32>) -> (tensor<2x8x4xf32>, tensor<8x8xf32>) {
  // VECTOR: 'linalg.generic' op is elementwise, or a copy, and was not vectorised, at level `vector`
  %0 = linalg.generic {indexing_maps = [affine_map<(p, k, m) -> (p * 4 + m, k)>, affine_map<(p, k, m) -> (p, k, m)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
         ins(%a : tensor<8x8xf32>) outs(%p : tensor<2x8x4xf32>)
         attrs = {ein.schedule = #ein.schedule<loops = [d0: 1, d1: 1, d2: 4], vector = d2, masked>} {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<2x8x4xf32>
  // VECTOR: 'linalg.contract' op is a contraction that was not vectorised, at level `vector`
  %1 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                                        affine_map<(m, n, k) -> (m, n)>]
         {ein.schedule = #ein.schedule<loops = [d0, d1, d2: 1], rows = d0: 8, columns = d1: 8, sums = d2,
          vector = d1, operands = [packed, packed]>}
         ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  // VECTOR-NOT: 'linalg.contract'
  %2 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                                        affine_map<(m, n, k) -> (m, n)>]
         {ein.schedule = #ein.schedule<>}
         ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%1 : tensor<8x8xf32>) -> tensor<8x8xf32>
  // VECTOR: 'linalg.generic' op is an epilogue that was not vectorised, at level `vector`
  %3 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
         outs(%2 : tensor<8x8xf32>) attrs = {ein.schedule = #ein.schedule<in_epilogue>} {
  ^bb0(%o: f32):
    linalg.yield %o : f32
  } -> tensor<8x8xf32>
  return %0, %3 : tensor<2x8x4xf32>, tensor<8x8xf32>
}

func.func @tensors(%a: tensor<3xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  // MEMREF: 'tensor.extract' op is on tensors, at level `memref`
  // LOOPS: 'tensor.extract' op is on tensors, at level `{{loops|affine|parallel}}`
  %0 = tensor.extract %a[%c0] : tensor<3xf32>
  return %0 : f32
}

func.func @alloc_in_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %outside = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    // MEMREF: 'memref.alloc' op allocates inside a loop, at level `memref`
    // MEMREF-NOT: 'memref.alloc'
    %inside = memref.alloc(%n) : memref<?xf32>
  }
  return
}

func.func @not_loops(%x: f32, %c: memref<8xf32>) -> vector<8xf32> {
  // LOOPS: 'linalg.fill' op is not a loop or a scalar op, at level `{{loops|affine|parallel}}`
  linalg.fill ins(%x : f32) outs(%c : memref<8xf32>)
  // LOOPS: 'vector.broadcast' op is not a loop or a scalar op, at level `{{loops|affine|parallel}}`
  %0 = vector.broadcast %x : f32 to vector<8xf32>
  return %0 : vector<8xf32>
}

// LLVM: 'func.func' op does not belong to the llvm dialect, at level `llvm-dialect`
// LLVM-NOT: 'llvm.func'
// LLVM-NOT: 'builtin.module'
llvm.func @in_llvm() { llvm.return }

func.func @not_gathered(%a: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  // TILED: 'linalg.contract' op is a contraction whose operands were not packed, at level `tiled`
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                                        affine_map<(m, n, k) -> (m, n)>]
         {ein.schedule = #ein.schedule<copies = [in_place, in_place], squares = 8, loops = [d0, d1, d2]>}
         ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  // VECTOR: 'linalg.transpose' op is a transposition that was not vectorised, at level `vector`
  %1 = linalg.transpose ins(%a : tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) permutation = [1, 0]
         {ein.schedule = #ein.schedule<squares = 8>}
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}
