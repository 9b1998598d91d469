// Which dims are one, and what is copied.
// RUN: ein-opt %s -ein-select-schedule="triple=x86_64-unknown-linux-gnu cpu=skylake-avx512" \
// RUN:   -split-input-file | FileCheck %s
// RUN: ein-opt %s -ein-select-schedule="packing=never" -split-input-file \
// RUN:   | FileCheck %s --check-prefix=NEVER
// NEVER-NOT: copies =

// Contiguous along a loop (d), and large: blocks, of the runs of memory along a
// and d, as matrices whose columns are d and e.
// CHECK-LABEL: func @blocks
// CHECK: copies = {{\[}}[d0, d1, d5, d3, d4], in_place], joined = {{\[}}[d3, d4]], squares = 16, loops = [d1: 1, d0, d2, d3, d4, d5]>
func.func @blocks(%a: tensor<24x21x18x20x16xf32>, %b: tensor<22x21xf32>, %c: tensor<20x18x22x16x24xf32>) -> tensor<20x18x22x16x24xf32> {
  %0 = linalg.contract indexing_maps = [affine_map<(a, b, c, d, e, f) -> (e, f, b, a, d)>,
                                        affine_map<(a, b, c, d, e, f) -> (c, f)>,
                                        affine_map<(a, b, c, d, e, f) -> (a, b, c, d, e)>]
         ins(%a, %b : tensor<24x21x18x20x16xf32>, tensor<22x21xf32>) outs(%c : tensor<20x18x22x16x24xf32>) -> tensor<20x18x22x16x24xf32>
  return %0 : tensor<20x18x22x16x24xf32>
}

// -----

// Both small: one is copied whole, and the other one is read where it is.
// CHECK-LABEL: func @whole
// CHECK: copies = [in_place, [d1, d2, d6, d5] whole], squares = 16, loops = [d0, d1, d2, d3, d4, d5, d6]>
func.func @whole(%a: tensor<13x11x20x12xf32>, %b: tensor<20x15x14x10xf32>, %c: tensor<12x14x10x13x11x15xf32>) -> tensor<12x14x10x13x11x15xf32> {
  %0 = linalg.contract indexing_maps = [affine_map<(a, b, c, d, e, f, g) -> (d, e, g, a)>,
                                        affine_map<(a, b, c, d, e, f, g) -> (g, f, b, c)>,
                                        affine_map<(a, b, c, d, e, f, g) -> (a, b, c, d, e, f)>]
         ins(%a, %b : tensor<13x11x20x12xf32>, tensor<20x15x14x10xf32>) outs(%c : tensor<12x14x10x13x11x15xf32>) -> tensor<12x14x10x13x11x15xf32>
  return %0 : tensor<12x14x10x13x11x15xf32>
}

// -----

// Nothing to copy: columns that are one in B and in C.
// CHECK-LABEL: func @joined
// CHECK: copies = [in_place, in_place], joined = {{\[}}[d1, d2, d3]], squares = 16, loops = [{{[d0-9, ]*}}]>
func.func @joined(%a: tensor<48x40xf32>, %b: tensor<48x36x44x32xf32>, %c: tensor<40x36x44x32xf32>) -> tensor<40x36x44x32xf32> {
  %0 = linalg.contract indexing_maps = [affine_map<(a, b, c, d, e) -> (e, a)>,
                                        affine_map<(a, b, c, d, e) -> (e, b, c, d)>,
                                        affine_map<(a, b, c, d, e) -> (a, b, c, d)>]
         ins(%a, %b : tensor<48x40xf32>, tensor<48x36x44x32xf32>) outs(%c : tensor<40x36x44x32xf32>) -> tensor<40x36x44x32xf32>
  return %0 : tensor<40x36x44x32xf32>
}

// -----

// A matrix product, one in a batch, and one that is updated in its tiles are
// left alone; so is one of narrow operands. Of a tiny one dims are joined, and
// nothing is copied.
// CHECK-LABEL: func @alone
// CHECK-NOT: copies =
// CHECK: copies = [in_place, in_place], joined = {{\[}}[d2, d3]]
// CHECK-NOT: copies =
func.func @alone(%a: tensor<64x64xf32>, %b: tensor<8x64x64xf32>, %c: tensor<8x64x64xf32>, %s: tensor<2x3x4xf32>,
                 %t: tensor<3x4x5xf32>, %u: tensor<2x5xf32>, %h: tensor<64x8x8x16xf16>, %i: tensor<8x8x16x64xf16>)
    -> (tensor<64x64xf32>, tensor<8x64x64xf32>, tensor<2x5xf32>, tensor<64x64xf32>) {
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
         ins(%a, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%a : tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
         ins(%b, %b : tensor<8x64x64xf32>, tensor<8x64x64xf32>) outs(%c : tensor<8x64x64xf32>) -> tensor<8x64x64xf32>
  %2 = linalg.contract indexing_maps = [affine_map<(m, n, k, l) -> (m, k, l)>, affine_map<(m, n, k, l) -> (k, l, n)>, affine_map<(m, n, k, l) -> (m, n)>]
         ins(%s, %t : tensor<2x3x4xf32>, tensor<3x4x5xf32>) outs(%u : tensor<2x5xf32>) -> tensor<2x5xf32>
  %3 = linalg.contract indexing_maps = [affine_map<(m, n, k, l, o) -> (m, k, l, o)>, affine_map<(m, n, k, l, o) -> (k, l, o, n)>, affine_map<(m, n, k, l, o) -> (m, n)>]
         ins(%h, %i : tensor<64x8x8x16xf16>, tensor<8x8x16x64xf16>) outs(%a : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0, %1, %2, %3 : tensor<64x64xf32>, tensor<8x64x64xf32>, tensor<2x5xf32>, tensor<64x64xf32>
}

// -----

// Many small matrices come from far, one after the other: each is one piece of
// memory, and is read where it is.
// CHECK-LABEL: func @small_batch
// CHECK-NOT: copies =
func.func @small_batch(%a: tensor<20000x8x8xf32>, %c: tensor<20000x8x8xf32>) -> tensor<20000x8x8xf32> {
  %0 = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
         ins(%a, %a : tensor<20000x8x8xf32>, tensor<20000x8x8xf32>) outs(%c : tensor<20000x8x8xf32>) -> tensor<20000x8x8xf32>
  return %0 : tensor<20000x8x8xf32>
}
