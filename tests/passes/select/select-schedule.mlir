// The decision, for three machines; it does not depend on the one that runs this.
// RUN: ein-opt %s -ein-select-schedule="triple=x86_64-unknown-linux-gnu cpu=skylake-avx512" \
// RUN:   | FileCheck %s --check-prefixes=CHECK,SKX
// RUN: ein-opt %s -ein-select-schedule="triple=x86_64-unknown-linux-gnu cpu=haswell" \
// RUN:   | FileCheck %s --check-prefixes=CHECK,HSW
// RUN: ein-opt %s -ein-select-schedule="triple=aarch64-unknown-linux-gnu cpu=neoverse-n1" \
// RUN:   | FileCheck %s --check-prefixes=CHECK,N1
// RUN: ein-opt %s -ein-select-schedule="triple=x86_64-unknown-linux-gnu cpu=x86-64\
// RUN: features=+avx2,+fma" \
// RUN:   | FileCheck %s --check-prefixes=CHECK,HSW
// RUN: ein-opt %s -ein-select-schedule="triple=x86_64-unknown-linux-gnu cpu=skylake-avx512\
// RUN: vectorize=false" \
// RUN:   | FileCheck %s --check-prefix=OFF

// OFF-NOT: vector =
// OFF: #ein.schedule<>

// RUN: ein-opt %s -ein-select-schedule="packing=always" | FileCheck %s --check-prefix=ALWAYS
// RUN: ein-opt %s -ein-select-schedule="packing=never" | FileCheck %s --check-prefix=NEVER
// ALWAYS-NOT: operands = {{.*}}in_place
// NEVER-LABEL: func @matmul
// NEVER: operands = [in_place, in_place]

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Every structured op gets one, the fill too. Of dynamic sizes, where
// another schedule is cheaper, there are alternatives: where all are small or two of them, and
// where one is.
// CHECK-LABEL: func @matmul
// CHECK: linalg.fill {ein.schedule = #ein.schedule<>}
// SKX: linalg.contract {{.*}} {ein.schedule = #ein.schedule<loops = [d1: 128, d2: 512, d0], rows = d0: 6, columns = d1: 64, sums = d2: 4,
// HSW: linalg.contract {{.*}} {ein.schedule = #ein.schedule<loops = [d1: 128, d2: 256, d0: 126], rows = d0: 6, columns = d1: 16, sums = d2: 4,
// N1: linalg.contract {{.*}} {ein.schedule = #ein.schedule<loops = [d1: 256, d2: 512, d0: 125], rows = d0: 5, columns = d1: 16, sums = d2: 2,
// CHECK-SAME: vector = d1, operands = [in_place, packed],
// CHECK-SAME: prefetch = 1, alternatives = [if
// SKX-SAME: if d0 at_most {{[0-9]+}} and d1 at_most {{[0-9]+}} then <loops = [d1, d2, d0], {{[^>]*}}columns = d1: 16, {{[^>]*}}operands = [in_place, in_place], rows_first, prefetch = 1>,
// SKX-SAME: if d1 at_most {{[0-9]+}} then <{{[^>]*}}rows = d0: 8, columns = d1: 16, {{[^>]*}}operands = [in_place, packed], prefetch = 1>,
// SKX-SAME: if d0 at_most {{[0-9]+}} then <loops = [d1, d2: {{[0-9]+}}, d0], {{[^>]*}}operands = [in_place, in_place], prefetch = 1>
// HSW-SAME: d0 * d2 at_most {{[0-9]+}} and d1 * d2 at_most {{[0-9]+}} then <{{[^>]*}}operands = [in_place, in_place], {{[^>]*}}rows_first, prefetch = 1>,
// HSW-SAME: if d2 at_most {{[0-9]+}} and d1 * d2 at_most {{[0-9]+}} then <{{[^>]*}}sums = d2, {{[^>]*}}operands = [in_place, packed], {{[^>]*}}rows_first, prefetch = 1>,
// HSW-SAME: if d0 at_most {{[0-9]+}} then <loops = [d1, d2: 32, d0], {{[^>]*}}operands = [in_place, in_place], {{[^>]*}}prefetch = 1>
// N1-SAME: then <{{[^>]*}}operands = [in_place, in_place], {{[^>]*}}prefetch = 1>
func.func @matmul(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
         outs(%init : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// Half as many lanes in f64.
// CHECK-LABEL: func @matmul_f64
// SKX: rows = d0: 6, columns = d1: 32
// HSW: rows = d0: 6, columns = d1: 8
// N1: rows = d0: 5, columns = d1: 8
func.func @matmul_f64(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %c: tensor<?x?xf64>)
    -> tensor<?x?xf64> {
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%a, %b : tensor<?x?xf64>, tensor<?x?xf64>)
         outs(%c : tensor<?x?xf64>) -> tensor<?x?xf64>
  return %0 : tensor<?x?xf64>
}

// Dims that fit in one block are not tiled, and the register tile is no larger
// than the op, in whole vectors, of fewer elements than registers hold if need be.
// CHECK-LABEL: func @small
// SKX: loops = [d1, d2, d0], rows = d0: 3, columns = d1: 8, {{.*}}operands = [in_place, in_place]>
// HSW: loops = [d1, d2, d0], rows = d0: 3, columns = d1: 8, {{.*}}operands = [in_place, in_place]>
// N1: loops = [d1, d2, d0], rows = d0: 3, columns = d1: 8, {{.*}}operands = [in_place, in_place]
func.func @small(%a: tensor<3x4xf32>, %b: tensor<4x5xf32>, %c: tensor<3x5xf32>)
    -> tensor<3x5xf32> {
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%a, %b : tensor<3x4xf32>, tensor<4x5xf32>)
         outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// The result's last axis is n, whichever input has it.
// CHECK-LABEL: func @swapped
// CHECK: loops = [d0: {{[0-9]+}}, d2: {{[0-9]+}}, d1: {{[0-9]+}}], lhs = 1, rows = d1: {{.*}}columns = d0:
func.func @swapped(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %0 = linalg.contract indexing_maps = [#mk, #kn, affine_map<(m, n, k) -> (n, m)>]
         ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
         outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// Beside m, n and k, every dim is a loop of step 1: batch dims outermost; of
// several m or k, the largest is blocked.
// CHECK-LABEL: func @batched
// CHECK: loops = [d0: 1, d2: {{[0-9]+}}, d3: 1, d4: {{[0-9]+}}, d1: {{[0-9]+}}], rows = d1: {{.*}}columns = d2: {{.*}}sums = d4:
func.func @batched(%a: tensor<4x?x3x?xf16>, %b: tensor<4x3x?x?xf16>, %c: tensor<4x?x?xf32>)
    -> tensor<4x?x?xf32> {
  %0 = linalg.contract indexing_maps = [affine_map<(b, m, n, l, k) -> (b, m, l, k)>,
                                        affine_map<(b, m, n, l, k) -> (b, l, k, n)>,
                                        affine_map<(b, m, n, l, k) -> (b, m, n)>]
         ins(%a, %b : tensor<4x?x3x?xf16>, tensor<4x3x?x?xf16>)
         outs(%c : tensor<4x?x?xf32>) -> tensor<4x?x?xf32>
  return %0 : tensor<4x?x?xf32>
}

// A matrix times a vector has no n, or no m: it is a tile of dot products, or a
// reduction of each row, by price. A dot product has neither.
// CHECK-LABEL: func @no_matrix
// CHECK: linalg.contract {{.*}}{{columns = d0: |accumulators =}}
// CHECK: linalg.contract {{.*}}accumulators =
func.func @no_matrix(%a: tensor<?x?xf32>, %x: tensor<?xf32>, %y: tensor<?xf32>, %s: tensor<f32>)
    -> (tensor<?xf32>, tensor<f32>) {
  %0 = linalg.contract indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (k)>,
                                        affine_map<(m, k) -> (m)>]
         ins(%a, %x : tensor<?x?xf32>, tensor<?xf32>) outs(%y : tensor<?xf32>) -> tensor<?xf32>
  %1 = linalg.contract indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>,
                                        affine_map<(k) -> ()>]
         ins(%x, %x : tensor<?xf32>, tensor<?xf32>) outs(%s : tensor<f32>) -> tensor<f32>
  return %0, %1 : tensor<?xf32>, tensor<f32>
}

// Elementwise: vectors along the output's last dim; a row may be broadcast.
// CHECK-LABEL: func @elementwise
// SKX: #ein.schedule<loops = [d0: 1, d1: 16], vector = d1
// HSW: #ein.schedule<loops = [d0: 1, d1: 8], vector = d1
// N1: #ein.schedule<loops = [d0: 1, d1: 4], vector = d1
func.func @elementwise(%a: tensor<?x?xf32>, %b: tensor<?xf32>, %c: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
                                        affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%a, %b : tensor<?x?xf32>, tensor<?xf32>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// What updates a packed contraction is computed in its tiles, if nothing else
// reads the sums; a call of libm is not.
// CHECK-LABEL: func @epilogues
// CHECK: linalg.contract {{.*}}operands = [
// CHECK: linalg.generic {{.*}} attrs = {ein.schedule = #ein.schedule<in_epilogue>}
// CHECK: linalg.contract {{.*}}operands = [
// CHECK: linalg.generic {{.*}} attrs = {ein.schedule = #ein.schedule<>}
// CHECK: linalg.contract {{.*}}operands = [
// CHECK: linalg.generic {{.*}} attrs = {ein.schedule = #ein.schedule<loops = {{.*}}vector = d1
func.func @epilogues(%a: tensor<?x?xf32>, %bias: tensor<?xf32>, %c: tensor<?x?xf32>)
    -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%bias : tensor<?xf32>) outs(%0 : tensor<?x?xf32>) {
  ^bb0(%x: f32, %z: f32):
    %s = arith.addf %z, %x : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  %2 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>) outs(%1 : tensor<?x?xf32>) -> tensor<?x?xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    outs(%2 : tensor<?x?xf32>) {
  ^bb0(%z: f32):
    %s = math.asinh %z : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  %4 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>) outs(%3 : tensor<?x?xf32>) -> tensor<?x?xf32>
  %5 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    outs(%4 : tensor<?x?xf32>) {
  ^bb0(%z: f32):
    %s = arith.negf %z : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %4, %5 : tensor<?x?xf32>, tensor<?x?xf32>
}

// Sums in bytes: no vectors.
// CHECK-LABEL: func @bytes
// CHECK: linalg.contract {{.*}} {ein.schedule = #ein.schedule<>}
func.func @bytes(%a: tensor<?x?xi8>, %b: tensor<?x?xi8>, %c: tensor<?x?xi8>) -> tensor<?x?xi8> {
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%a, %b : tensor<?x?xi8>, tensor<?x?xi8>) outs(%c : tensor<?x?xi8>) -> tensor<?x?xi8>
  return %0 : tensor<?x?xi8>
}

// Loops: a call of libm; a row shorter than a vector. An input that is not
// contiguous along that dim is transposed, and a reduction has vectors of its own.
// CHECK-LABEL: func @not_vectors
// CHECK: #ein.schedule<>
// CHECK: squares =
// CHECK: #ein.schedule<>
// CHECK-NOT: loops =
// CHECK: loops = {{.*}}accumulators =
func.func @not_vectors(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %s: tensor<?x3xf32>,
                       %r: tensor<?xf32>)
    -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x3xf32>, tensor<?xf32>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<?x?xf32>) outs(%a : tensor<?x?xf32>) {
  ^bb0(%x: f32, %z: f32):
    %e = math.asinh %x : f32
    linalg.yield %e : f32
  } -> tensor<?x?xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<?x?xf32>) outs(%a : tensor<?x?xf32>) {
  ^bb0(%x: f32, %z: f32):
    %n = arith.negf %x : f32
    linalg.yield %n : f32
  } -> tensor<?x?xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%s : tensor<?x3xf32>) outs(%s : tensor<?x3xf32>) {
  ^bb0(%x: f32, %z: f32):
    %n = arith.negf %x : f32
    linalg.yield %n : f32
  } -> tensor<?x3xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                       iterator_types = ["parallel", "reduction"]}
    ins(%b : tensor<?x?xf32>) outs(%r : tensor<?xf32>) {
  ^bb0(%x: f32, %z: f32):
    %m = arith.maximumf %x, %z : f32
    linalg.yield %m : f32
  } -> tensor<?xf32>
  return %0, %1, %2, %3 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x3xf32>, tensor<?xf32>
}

// Nothing to compute: loops that do not run.
// CHECK-LABEL: func @no_elements
// CHECK: linalg.contract {{.*}} {ein.schedule = #ein.schedule<>}
func.func @no_elements(%a: tensor<0x4xf32>, %b: tensor<4x5xf32>, %c: tensor<0x5xf32>)
    -> tensor<0x5xf32> {
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%a, %b : tensor<0x4xf32>, tensor<4x5xf32>)
         outs(%c : tensor<0x5xf32>) -> tensor<0x5xf32>
  return %0 : tensor<0x5xf32>
}

// A fill of a register tile is made of vectors, a larger one is a loop (memset).
// CHECK-LABEL: func @fills
// SKX: linalg.fill {ein.schedule = #ein.schedule<loops = [d0: 1, d1: 16], vector = d1>} {{.*}}tensor<14x32xf32>
// CHECK: linalg.fill {ein.schedule = #ein.schedule<>} {{.*}}tensor<100x32xf32>
func.func @fills(%x: f32, %t: tensor<14x32xf32>, %c: tensor<100x32xf32>)
    -> (tensor<14x32xf32>, tensor<100x32xf32>) {
  %0 = linalg.fill ins(%x : f32) outs(%t : tensor<14x32xf32>) -> tensor<14x32xf32>
  %1 = linalg.fill ins(%x : f32) outs(%c : tensor<100x32xf32>) -> tensor<100x32xf32>
  return %0, %1 : tensor<14x32xf32>, tensor<100x32xf32>
}

// What is there already is the user's wish.
// CHECK-LABEL: func @kept
// CHECK: linalg.contract {{.*}} {ein.schedule = #ein.schedule<>}
func.func @kept(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
           {ein.schedule = #ein.schedule<>}
         ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
         outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// Where the machine multiplies pairs of words, k goes by pairs, and blocks are
// those of elements of 16 bits.
// CHECK-LABEL: func @narrow
// SKX: linalg.contract {{.*}}loops = [d1: 4096, d2: 512, d0: 126], rows = d0: 6, columns = d1: 64, {{.*}}k_pack = 2, prefetch = 1>
// HSW: linalg.contract {{.*}}rows = d0: 6, columns = d1: 16, {{.*}}k_pack = 2
// N1: linalg.contract
// N1-SAME: rows = d0: 5, columns = d1: 16, sums = d2, vector = d1: 4, operands = [packed, packed], column_remainder = [5, 16], prefetch = 1,
// Unsigned bytes are words with a sign.
// SKX: linalg.contract {{.*}}k_pack = 2
// HSW: linalg.contract {{.*}}k_pack = 2
// N1: linalg.contract {{.*}}operands = [
func.func @narrow(%a: tensor<?x?xi8>, %b: tensor<?x?xi16>, %c: tensor<?x?xi32>)
    -> (tensor<?x?xi32>, tensor<?x?xi32>) {
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%a, %b : tensor<?x?xi8>, tensor<?x?xi16>)
         outs(%c : tensor<?x?xi32>) -> tensor<?x?xi32>
  %1 = linalg.contract indexing_maps = [#mk, #kn, #mn] {cast = #linalg.type_fn<cast_unsigned>}
         ins(%a, %a : tensor<?x?xi8>, tensor<?x?xi8>)
         outs(%c : tensor<?x?xi32>) -> tensor<?x?xi32>
  return %0, %1 : tensor<?x?xi32>, tensor<?x?xi32>
}

// Not for unsigned words, nor for sums of other than 32 bits, nor beside a wide
// operand.
// CHECK-LABEL: func @not_in_pairs
// CHECK-NOT: k_pack
// CHECK: return
func.func @not_in_pairs(%a: tensor<?x?xi16>, %b: tensor<?x?xi32>, %c: tensor<?x?xi32>, %d: tensor<?x?xi64>)
    -> (tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?xi64>) {
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn] {cast = #linalg.type_fn<cast_unsigned>}
         ins(%a, %a : tensor<?x?xi16>, tensor<?x?xi16>)
         outs(%c : tensor<?x?xi32>) -> tensor<?x?xi32>
  %1 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%a, %b : tensor<?x?xi16>, tensor<?x?xi32>)
         outs(%c : tensor<?x?xi32>) -> tensor<?x?xi32>
  %2 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%a, %a : tensor<?x?xi16>, tensor<?x?xi16>)
         outs(%d : tensor<?x?xi64>) -> tensor<?x?xi64>
  return %0, %1, %2 : tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?xi64>
}

// What is packed: nothing that is small, or that few tiles read; B where its
// columns are not contiguous, or where it is large; A if it is not contiguous along k.
// CHECK-LABEL: func @packing
// CHECK: operands = [in_place, in_place]
// CHECK: operands = [in_place, packed]
// CHECK: operands = [in_place, in_place]
// CHECK: operands = [packed, in_place]
// CHECK: operands = [in_place, packed]
// CHECK: operands = [packed, packed]
// CHECK: return
func.func @packing(%a: tensor<64x64xf32>, %c: tensor<64x64xf32>, %x: tensor<8x4096xf32>, %w: tensor<4096x4096xf32>,
                   %y: tensor<8x4096xf32>, %h: tensor<64x64xf16>)
    -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<8x4096xf32>, tensor<64x64xf32>, tensor<4096x4096xf32>,
        tensor<4096x4096xf32>) {
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%a, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = linalg.contract indexing_maps = [#mk, affine_map<(m, n, k) -> (n, k)>, #mn]
         ins(%a, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%x, %w : tensor<8x4096xf32>, tensor<4096x4096xf32>) outs(%y : tensor<8x4096xf32>) -> tensor<8x4096xf32>
  %3 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%h, %a : tensor<64x64xf16>, tensor<64x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  %4 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%w, %w : tensor<4096x4096xf32>, tensor<4096x4096xf32>) outs(%w : tensor<4096x4096xf32>)
         -> tensor<4096x4096xf32>
  %5 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (k, m)>, #kn, #mn]
         ins(%w, %w : tensor<4096x4096xf32>, tensor<4096x4096xf32>) outs(%w : tensor<4096x4096xf32>)
         -> tensor<4096x4096xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<8x4096xf32>, tensor<64x64xf32>,
         tensor<4096x4096xf32>, tensor<4096x4096xf32>
}

// Columns that do not fill a tile of four vectors get one of fewer.
// CHECK-LABEL: func @edge
// SKX: rows = d0: 6, columns = d1: 64, {{.*}}column_remainder = [19, 16]
func.func @edge(%a: tensor<57x57xf32>, %b: tensor<57x80xf32>, %c: tensor<57x80xf32>) -> tensor<57x80xf32> {
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%a, %b : tensor<57x57xf32>, tensor<57x80xf32>) outs(%c : tensor<57x80xf32>) -> tensor<57x80xf32>
  return %0 : tensor<57x80xf32>
}

// A large A is read where it is, along its rows or down its columns.
// CHECK-LABEL: func @tall
// SKX: columns = d1: 16, {{.*}}operands = [in_place, in_place]
// SKX: columns = d1: 16, {{.*}}operands = [in_place, in_place]
func.func @tall(%a: tensor<8192x512xf32>, %b: tensor<512x16xf32>, %c: tensor<8192x16xf32>, %d: tensor<512x8192xf32>)
    -> (tensor<8192x16xf32>, tensor<8192x16xf32>) {
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%a, %b : tensor<8192x512xf32>, tensor<512x16xf32>) outs(%c : tensor<8192x16xf32>)
         -> tensor<8192x16xf32>
  %1 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (k, m)>, #kn, #mn]
         ins(%d, %b : tensor<512x8192xf32>, tensor<512x16xf32>) outs(%c : tensor<8192x16xf32>)
         -> tensor<8192x16xf32>
  return %0, %1 : tensor<8192x16xf32>, tensor<8192x16xf32>
}

// Sums of few products go along the rows of C, where that is large; integers
// are not unrolled.
// CHECK-LABEL: func @rank_8
// SKX: loops = [d1, d2, d0], rows = d0: 6, columns = d1: 64, sums = d2, {{.*}}rows_first>
func.func @rank_8(%a: tensor<1024x8xf32>, %b: tensor<8x1024xf32>, %c: tensor<1024x1024xf32>)
    -> tensor<1024x1024xf32> {
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%a, %b : tensor<1024x8xf32>, tensor<8x1024xf32>) outs(%c : tensor<1024x1024xf32>)
         -> tensor<1024x1024xf32>
  return %0 : tensor<1024x1024xf32>
}

// What is short has no loop over k.
// CHECK-LABEL: func @short
// CHECK: sums = d2: 5
func.func @short(%a: tensor<3x5xf32>, %b: tensor<5x4xf32>, %c: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%a, %b : tensor<3x5xf32>, tensor<5x4xf32>) outs(%c : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// CHECK-LABEL: func @integers
// CHECK: sums = d2, vector
// CHECK: return
func.func @integers(%d: tensor<64x64xi32>) -> tensor<64x64xi32> {
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%d, %d : tensor<64x64xi32>, tensor<64x64xi32>) outs(%d : tensor<64x64xi32>) -> tensor<64x64xi32>
  return %0 : tensor<64x64xi32>
}

// A slice of 1 x 17 x 1 as 1 x 17 does not show which of the unit dims is there.
// CHECK-LABEL: func @hidden_unit_dim
// CHECK: linalg.contract {{.*}} {ein.schedule = #ein.schedule<>}
func.func @hidden_unit_dim(%a: tensor<1x17x3xf32>, %b: tensor<13x17xf32>, %c: tensor<3x13x1xf32>)
    -> tensor<3x13x1xf32> {
  %0 = linalg.contract indexing_maps = [affine_map<(p, m, n, k) -> (n, k, p)>, affine_map<(p, m, n, k) -> (m, k)>,
                                        affine_map<(p, m, n, k) -> (p, m, n)>]
         ins(%a, %b : tensor<1x17x3xf32>, tensor<13x17xf32>) outs(%c : tensor<3x13x1xf32>) -> tensor<3x13x1xf32>
  return %0 : tensor<3x13x1xf32>
}

// A complex product has a tile of two sums: half as many rows as one of f64.
// SKX-LABEL: func @complex
// SKX: rows = d0: 3, columns = d1: 32, {{.*}}operands = [
func.func @complex(%a: tensor<?x?xcomplex<f32>>, %b: tensor<?x?xcomplex<f32>>, %c: tensor<?x?xcomplex<f32>>)
    -> tensor<?x?xcomplex<f32>> {
  %r = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<?x?xcomplex<f32>>, tensor<?x?xcomplex<f32>>)
    outs(%c : tensor<?x?xcomplex<f32>>) -> tensor<?x?xcomplex<f32>>
  return %r : tensor<?x?xcomplex<f32>>
}

// Rows of a B in place that are no whole tiles, far from the core: the last columns are a nest
// of their own, also where masks are registers, and the others have no mask.
// SKX-LABEL: func @row_times_matrix
// SKX: rows = d0: 1, columns = d1: 128, {{.*}}column_remainder = [1, 128]
func.func @row_times_matrix(%a: tensor<1x3000xf32>, %b: tensor<3000x2500xf32>, %o: tensor<1x2500xf32>)
    -> tensor<1x2500xf32> {
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
         ins(%a, %b : tensor<1x3000xf32>, tensor<3000x2500xf32>) outs(%o : tensor<1x2500xf32>) -> tensor<1x2500xf32>
  return %0 : tensor<1x2500xf32>
}
