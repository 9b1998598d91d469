// RUN: ein-opt %s -ein-pack-operands -canonicalize -cse -split-input-file -verify-diagnostics \
// RUN:   | FileCheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Register tiles of 4 by 8 from panels that end with zeros; only C meets the
// edge, where its tile is padded, and the part that exists put back. A lies along
// k, and is copied by squares; B along the width of a panel, and is by its rows.
// CHECK-DAG: #[[IN_A:.*]] = affine_map<(d0, d1, d2) -> (d0 * 4 + d2, d1)>
// CHECK-DAG: #[[IN_B:.*]] = affine_map<(d0, d1, d2) -> (d1, d0 * 8 + d2)>
// CHECK-DAG: #[[OUT:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[KM:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK-DAG: #[[KN:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[MN:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func @gemm
// CHECK-SAME: %[[A:[^:]*]]: tensor<10x7xf32>, %[[B:[^:]*]]: tensor<7x20xf32>, %[[C:[^:]*]]: tensor<10x20xf32>
// CHECK-DAG: %[[BUFFER_A:.*]] = tensor.empty() : tensor<3x7x4xf32>
// CHECK-DAG: %[[BUFFER_B:.*]] = tensor.empty() : tensor<3x7x8xf32>
// CHECK-DAG: %[[WHOLE_A:.*]] = tensor.pad %[[A]] low[0, 0] high[2, 0]
// CHECK-DAG: %[[PACK_A:.*]] = linalg.generic {indexing_maps = [#[[IN_A]], #[[OUT]]], {{.*}} ins(%[[WHOLE_A]] : tensor<12x7xf32>) outs(%[[BUFFER_A]] : {{.*}}#ein.schedule<loops = [d0: 1, d1: 1, d2: 4], vector = d2, masked>
// CHECK-DAG: %[[WHOLE_B:.*]] = tensor.pad %[[B]] low[0, 0] high[0, 4]
// CHECK-DAG: %[[PACK_B:.*]] = linalg.generic {indexing_maps = [#[[IN_B]], #[[OUT]]], {{.*}} ins(%[[WHOLE_B]] : tensor<7x24xf32>) outs(%[[BUFFER_B]] : {{.*}}#ein.schedule<loops = [d1: 1, d0: 1, d2: 8], vector = d2>
// CHECK: scf.for %[[N:.*]] = %{{.*}} step %c8 iter_args
// CHECK: %[[PANEL_B:.*]] = tensor.extract_slice %[[PACK_B]][{{.*}}] [1, 7, 8] [1, 1, 1]
// CHECK: scf.for %[[M:.*]] = %{{.*}} step %c4 iter_args(%[[CARRIED:.*]] =
// CHECK: %[[TILE:.*]] = tensor.extract_slice %[[CARRIED]][%[[M]], %[[N]]]
// CHECK: %[[PADDED:.*]] = tensor.pad %[[TILE]] low[0, 0]
// CHECK: %[[PANEL_A:.*]] = tensor.extract_slice %[[PACK_A]][{{.*}}] [1, 7, 4] [1, 1, 1]
// CHECK: %[[NEW:.*]] = linalg.contract indexing_maps = [#[[KM]], #[[KN]], #[[MN]]]
// CHECK-SAME: {ein.schedule = #ein.schedule<loops = [d0, d1, d2: 1], rows = d0: 4, columns = d1: 8,{{.*}}>}
// CHECK-SAME: ins(%[[PANEL_A]], %[[PANEL_B]] : tensor<7x4xf32>, tensor<7x8xf32>) outs(%[[PADDED]] : tensor<4x8xf32>)
// CHECK: %[[PART:.*]] = tensor.extract_slice %[[NEW]][0, 0]
// CHECK: tensor.insert_slice %[[PART]] into %[[CARRIED]][%[[M]], %[[N]]]
func.func @gemm(%a: tensor<10x7xf32>, %b: tensor<7x20xf32>, %c: tensor<10x20xf32>)
    -> tensor<10x20xf32> {
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
           {ein.schedule = #ein.schedule<loops = [d0, d1, d2], rows = d0: 4, columns = d1: 8,
                                        sums = d2, vector = d1, operands = [packed, packed]>}
         ins(%a, %b : tensor<10x7xf32>, tensor<7x20xf32>)
         outs(%c : tensor<10x20xf32>) -> tensor<10x20xf32>
  return %0 : tensor<10x20xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#km = affine_map<(m, n, k) -> (k, m)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// In a loop over m: buffers are outside, and so is the pack of B, which does
// not change with m. Transposed operands are packed from where they are, and
// what has whole panels is not padded.
// CHECK-LABEL: func @hoisted
// CHECK-SAME: %[[A:[^:]*]]: tensor<8x64xf32>, %[[B:[^:]*]]: tensor<16x8xf32>
// CHECK-DAG: tensor.empty() : tensor<4x8x4xf32>
// CHECK-DAG: tensor.empty() : tensor<2x8x8xf32>
// CHECK-NOT: tensor.pad
// CHECK: linalg.generic {{.*}} ins(%[[B]] : {{.*}} vector = d2, masked>
// CHECK: scf.for
// CHECK-NOT: tensor.empty
// CHECK-NOT: tensor.pad
// CHECK: linalg.generic {{.*}}<loops = [d1: 1, d0: 1, d2: 4], vector = d2>
// CHECK: scf.for
func.func @hoisted(%a: tensor<8x64xf32>, %b: tensor<16x8xf32>, %c: tensor<64x16xf32>)
    -> tensor<64x16xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %r = scf.for %m = %c0 to %c64 step %c16 iter_args(%acc = %c) -> tensor<64x16xf32> {
    %at = tensor.extract_slice %a[0, %m] [8, 16] [1, 1] : tensor<8x64xf32> to tensor<8x16xf32>
    %ct = tensor.extract_slice %acc[%m, 0] [16, 16] [1, 1] : tensor<64x16xf32> to tensor<16x16xf32>
    %0 = linalg.contract indexing_maps = [#km, #nk, #mn]
           {ein.schedule = #ein.schedule<loops = [d0: 16, d1, d2], rows = d0: 4, columns = d1: 8,
                                          sums = d2, vector = d1, operands = [packed, packed]>}
           ins(%at, %b : tensor<8x16xf32>, tensor<16x8xf32>)
           outs(%ct : tensor<16x16xf32>) -> tensor<16x16xf32>
    %1 = tensor.insert_slice %0 into %acc[%m, 0] [16, 16] [1, 1] : tensor<16x16xf32> into tensor<64x16xf32>
    scf.yield %1 : tensor<64x16xf32>
  }
  return %r : tensor<64x16xf32>
}

// -----

#mk = affine_map<(b, m, n, k) -> (b, m, k)>
#kn = affine_map<(b, m, n, k) -> (b, k, n)>
#mn = affine_map<(b, m, n, k) -> (b, m, n)>

// The epilogue changes the register tile; what it reads is padded to the tile,
// and a scalar where the block has one element.
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[COLUMN:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[ONE:.*]] = affine_map<(d0, d1) -> ()>
// CHECK-LABEL: func @epilogue
// CHECK-SAME: %[[SCALE:[^:]*]]: tensor<1xf32>, %[[BIAS:[^:]*]]: tensor<20xf32>, %[[ROWS:[^:]*]]: tensor<10xf32>, %[[LAST:[^:]*]]: i1
// CHECK: %[[S:.*]] = tensor.extract %[[SCALE]][%c0]
// CHECK: scf.for %[[N:[^ ]*]] = %{{.*}} step %c8
// CHECK: tensor.extract_slice %[[BIAS]][%[[N]]]
// CHECK: %[[B:.*]] = tensor.pad {{.*}} low[0]
// CHECK: : tensor<?xf32> to tensor<8xf32>
// CHECK: scf.for %[[M:[^ ]*]] = %{{.*}} step %c4
// CHECK: %[[SUM:.*]] = linalg.contract
// CHECK: tensor.extract_slice %[[ROWS]][%[[M]]]
// CHECK: %[[R:.*]] = tensor.pad {{.*}} low[0]
// CHECK: : tensor<?xf32> to tensor<4xf32>
// CHECK: %[[NEW:.*]] = linalg.generic {indexing_maps = [#[[ONE]], #[[COLUMN]], #[[ROW]], #[[ONE]], #{{.*}}]
// CHECK-SAME: ins(%[[S]], %[[B]], %[[R]], %[[LAST]] : f32, tensor<8xf32>, tensor<4xf32>, i1) outs(%[[SUM]] : tensor<4x8xf32>)
// CHECK-SAME: attrs = {ein.schedule = #ein.schedule<in_epilogue>}
// CHECK: %[[PART:.*]] = tensor.extract_slice %[[NEW]][0, 0]
// CHECK: tensor.insert_slice %[[PART]]
func.func @epilogue(%a: tensor<1x10x7xf32>, %b: tensor<1x7x20xf32>, %c: tensor<1x10x20xf32>, %scale: tensor<1xf32>,
                    %bias: tensor<20xf32>, %rows: tensor<10xf32>, %last: i1) -> tensor<1x10x20xf32> {
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
           {ein.schedule = #ein.schedule<loops = [d0: 1, d1, d2, d3], rows = d1: 4, columns = d2: 8,
                                        sums = d3, vector = d2, operands = [packed, packed]>}
         ins(%a, %b : tensor<1x10x7xf32>, tensor<1x7x20xf32>)
         outs(%c : tensor<1x10x20xf32>) -> tensor<1x10x20xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(n, b, m) -> (b)>, affine_map<(n, b, m) -> (n)>,
                                        affine_map<(n, b, m) -> (m)>, affine_map<(n, b, m) -> ()>,
                                        affine_map<(n, b, m) -> (b, m, n)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
         ins(%scale, %bias, %rows, %last : tensor<1xf32>, tensor<20xf32>, tensor<10xf32>, i1)
         outs(%0 : tensor<1x10x20xf32>) attrs = {ein.schedule = #ein.schedule<in_epilogue>} {
  ^bb0(%s: f32, %x: f32, %y: f32, %l: i1, %o: f32):
    %p = arith.mulf %o, %s : f32
    %q = arith.addf %p, %x : f32
    %r = arith.addf %q, %y : f32
    %t = arith.select %l, %r, %o : f32
    linalg.yield %t : f32
  } -> tensor<1x10x20xf32>
  return %1 : tensor<1x10x20xf32>
}

// -----

// Other schedules are left alone.
// CHECK-LABEL: func @alone
// CHECK-NOT: linalg.generic
// CHECK: linalg.contract
func.func @alone(%a: tensor<4x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.schedule = #ein.schedule<>}
         ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>)
         outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @untiled_batch(%a: tensor<2x4x4xf32>, %c: tensor<2x4x4xf32>) -> tensor<2x4x4xf32> {
  // expected-error @+1 {{has dim d0 of extent other than 1, and its schedule is not to block it; run `ein-tile-contractions` first}}
  %0 = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>,
                          affine_map<(b, m, n, k) -> (b, m, n)>]
           {ein.schedule = #ein.schedule<loops = [d0: 1, d1, d2, d3], rows = d1: 4, columns = d2: 8,
                                        sums = d3, vector = d2, operands = [packed, packed]>}
         ins(%a, %a : tensor<2x4x4xf32>, tensor<2x4x4xf32>)
         outs(%c : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  return %0 : tensor<2x4x4xf32>
}

// -----

func.func @dynamic(%a: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{has the dynamic dim d2, and its schedule does not tile it}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.schedule = #ein.schedule<loops = [d0: 16, d1: 16, d2], rows = d0: 4,
                                        columns = d1: 8, sums = d2, vector = d1, operands = [packed, packed]>}
         ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>)
         outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @columns(%a: tensor<4x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{has dim n before dim m in its output}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (n, m)>]
           {ein.schedule = #ein.schedule<loops = [d0, d1, d2], rows = d0: 4, columns = d1: 8,
                                        sums = d2, vector = d1, operands = [packed, packed]>}
         ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>)
         outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// Groups of two in k: pairs are innermost, an odd one has a zero beside it.
// Unsigned bytes become signed words on the way.
// CHECK-DAG: #[[IN_A:.*]] = affine_map<(d0, d1, d2, d3) -> (d0 * 4 + d2, d1 * 2 + d3)>
// CHECK-DAG: #[[IN_B:.*]] = affine_map<(d0, d1, d2, d3) -> (d1 * 2 + d3, d0 * 8 + d2)>
// CHECK-DAG: #[[OUT:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[KMP:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d0, d3)>
// CHECK-DAG: #[[KNP:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d1, d3)>
// CHECK-DAG: #[[MN:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
// CHECK-LABEL: func @pairs
// CHECK-SAME: %[[A:[^:]*]]: tensor<10x7xi8>, %[[B:[^:]*]]: tensor<7x20xi8>
// CHECK-DAG: %[[WORDS_A:.*]] = tensor.empty() : tensor<3x4x4x2xi16>
// CHECK-DAG: %[[WORDS_B:.*]] = tensor.empty() : tensor<3x4x8x2xi16>
// CHECK-DAG: %[[WHOLE_A:.*]] = tensor.pad %[[A]] low[0, 0] high[2, 1]
// CHECK-DAG: %[[WHOLE_B:.*]] = tensor.pad %[[B]] low[0, 0] high[1, 4]
// CHECK-DAG: %[[PANELS_A:.*]] = linalg.generic {indexing_maps = [#[[IN_A]], #[[OUT]]], {{.*}} ins(%[[WHOLE_A]] : tensor<12x8xi8>) outs(%[[WORDS_A]] : {{.*}}loops = [d0: 1, d1: 1, d2: 4, d3: 1], vector = d2, masked>
// CHECK-DAG: %[[PANELS_B:.*]] = linalg.generic {indexing_maps = [#[[IN_B]], #[[OUT]]], {{.*}} ins(%[[WHOLE_B]] : tensor<8x24xi8>) outs(%[[WORDS_B]] : {{.*}}loops = [d1: 1, d0: 1, d2: 8, d3: 1], vector = d2>
// CHECK: arith.extui %{{.*}} : i8 to i16
// CHECK: tensor.extract_slice %[[PANELS_B]][%{{.*}}, 0, 0, 0] [1, 4, 8, 2]
// CHECK: tensor.extract_slice %[[PANELS_A]][%{{.*}}, 0, 0, 0] [1, 4, 4, 2]
// CHECK: linalg.contract indexing_maps = [#[[KMP]], #[[KNP]], #[[MN]]]
// CHECK-SAME: {ein.schedule = #ein.schedule<loops = [d0, d1, d2: 1, d3], {{.*}}sums = d2, {{.*}}k_pack = 2>}
// CHECK-SAME: : tensor<4x4x2xi16>, tensor<4x8x2xi16>) outs(%{{.*}} : tensor<4x8xi32>)
func.func @pairs(%a: tensor<10x7xi8>, %b: tensor<7x20xi8>, %c: tensor<10x20xi32>) -> tensor<10x20xi32> {
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.schedule = #ein.schedule<loops = [d0, d1, d2], rows = d0: 4, columns = d1: 8,
                                        sums = d2, vector = d1, operands = [packed, packed], k_pack = 2>,
            cast = #linalg.type_fn<cast_unsigned>}
         ins(%a, %b : tensor<10x7xi8>, tensor<7x20xi8>)
         outs(%c : tensor<10x20xi32>) -> tensor<10x20xi32>
  return %0 : tensor<10x20xi32>
}

// -----

// Groups of four bytes for an instruction of unsigned by signed ones: A's are
// moved by 128 in their panels, and back in the tiles.
// CHECK-LABEL: func @offset
// CHECK-SAME: %[[A:[^:]*]]: tensor<10x7xi8>, %[[B:[^:]*]]: tensor<7x20xi8>
// CHECK: %[[WHOLE_A:.*]] = tensor.pad %[[A]] low[0, 0] high[2, 1]
// CHECK: %[[PANELS_A:.*]] = linalg.generic {{.*}} ins(%[[WHOLE_A]] : tensor<12x8xi8>) outs(%{{.*}} : tensor<3x2x4x4xi8>)
// CHECK: arith.xori %{{.*}}, %c-128_i8
// CHECK: %[[WHOLE_B:.*]] = tensor.pad %[[B]] low[0, 0] high[1, 12]
// CHECK: %[[PACK_B:.*]] = linalg.generic {{.*}} ins(%[[WHOLE_B]] : tensor<8x32xi8>) outs(%{{.*}} : tensor<2x2x16x4xi8>)
// CHECK: tensor.extract_slice %[[PACK_B]]
// CHECK: tensor.extract_slice %[[PANELS_A]]
// CHECK: linalg.generic {{.*}} attrs = {ein.schedule = #ein.schedule<{{.*}}k_pack = 4, instruction = "llvm.x86.avx512.vpdpbusd.512", instruction_bits = 512, instruction_offset>}
// CHECK: ^bb0(%[[X:.*]]: i8, %[[Y:.*]]: i8, %{{.*}}: i32):
// CHECK: %[[WIDE:.*]] = arith.extui %[[X]]
// CHECK: arith.addi %[[WIDE]], %c-128_i32
// CHECK: arith.extsi %[[Y]]
func.func @offset(%a: tensor<10x7xi8>, %b: tensor<7x20xi8>, %c: tensor<10x20xi32>) -> tensor<10x20xi32> {
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.schedule = #ein.schedule<loops = [d0, d1, d2], rows = d0: 4, columns = d1: 16,
                                        sums = d2, vector = d1, operands = [packed, packed], k_pack = 4,
                                        instruction = "llvm.x86.avx512.vpdpbusd.512", instruction_bits = 512,
                                        instruction_offset>}
         ins(%a, %b : tensor<10x7xi8>, tensor<7x20xi8>)
         outs(%c : tensor<10x20xi32>) -> tensor<10x20xi32>
  return %0 : tensor<10x20xi32>
}

// -----

// Halves are not extended.
// CHECK-LABEL: func @halves
// CHECK-NOT: extf
// CHECK: linalg.contract {{.*}} : tensor<4x4x2xbf16>, tensor<4x16x2xbf16>) outs(%{{.*}} : tensor<4x16xf32>)
func.func @halves(%a: tensor<10x7xbf16>, %b: tensor<7x20xbf16>, %c: tensor<10x20xf32>) -> tensor<10x20xf32> {
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.schedule = #ein.schedule<loops = [d0, d1, d2], rows = d0: 4, columns = d1: 16,
                                        sums = d2, vector = d1, operands = [packed, packed], k_pack = 2,
                                        instruction = "llvm.x86.avx512bf16.dpbf16ps.512",
                                        instruction_bits = 512>}
         ins(%a, %b : tensor<10x7xbf16>, tensor<7x20xbf16>)
         outs(%c : tensor<10x20xf32>) -> tensor<10x20xf32>
  return %0 : tensor<10x20xf32>
}

// -----

func.func @words_by_dots(%a: tensor<4x4xi16>, %c: tensor<4x4xi32>) -> tensor<4x4xi32> {
  // expected-error @+1 {{has an operand of 'i16', which its schedule's instruction does not multiply}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.schedule = #ein.schedule<loops = [d0, d1, d2], rows = d0: 4, columns = d1: 16,
                                        sums = d2, vector = d1, operands = [packed, packed], k_pack = 4,
                                        instruction = "llvm.x86.avx512.vpdpbusd.512", instruction_bits = 512>}
         ins(%a, %a : tensor<4x4xi16>, tensor<4x4xi16>)
         outs(%c : tensor<4x4xi32>) -> tensor<4x4xi32>
  return %0 : tensor<4x4xi32>
}

// -----

// Without groups, panels are of the accumulator's type.
// CHECK-LABEL: func @extended
// CHECK: arith.extui %{{.*}} : i16 to i32
// CHECK: linalg.contract {{.*}} : tensor<7x4xi32>, tensor<7x8xi32>) outs(%{{.*}} : tensor<4x8xi32>)
func.func @extended(%a: tensor<10x7xi16>, %b: tensor<7x20xi32>, %c: tensor<10x20xi32>) -> tensor<10x20xi32> {
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.schedule = #ein.schedule<loops = [d0, d1, d2], rows = d0: 4, columns = d1: 8,
                                        sums = d2, vector = d1, operands = [packed, packed]>,
            cast = #linalg.type_fn<cast_unsigned>}
         ins(%a, %b : tensor<10x7xi16>, tensor<7x20xi32>)
         outs(%c : tensor<10x20xi32>) -> tensor<10x20xi32>
  return %0 : tensor<10x20xi32>
}

// -----

func.func @wide_pairs(%a: tensor<4x4xi32>, %c: tensor<4x4xi32>) -> tensor<4x4xi32> {
  // expected-error @+1 {{has an operand of 'i32', which its schedule's panels do not hold}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.schedule = #ein.schedule<loops = [d0, d1, d2], rows = d0: 4, columns = d1: 8,
                                        sums = d2, vector = d1, operands = [packed, packed], k_pack = 2>}
         ins(%a, %a : tensor<4x4xi32>, tensor<4x4xi32>)
         outs(%c : tensor<4x4xi32>) -> tensor<4x4xi32>
  return %0 : tensor<4x4xi32>
}

// -----

// Words without a sign do not fit into words with one.
func.func @unsigned_pairs(%a: tensor<4x4xi16>, %c: tensor<4x4xi32>) -> tensor<4x4xi32> {
  // expected-error @+1 {{has an operand of 'i16', which its schedule's panels do not hold}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.schedule = #ein.schedule<loops = [d0, d1, d2], rows = d0: 4, columns = d1: 8,
                                        sums = d2, vector = d1, operands = [packed, packed], k_pack = 2>,
            cast = #linalg.type_fn<cast_unsigned>}
         ins(%a, %a : tensor<4x4xi16>, tensor<4x4xi16>)
         outs(%c : tensor<4x4xi32>) -> tensor<4x4xi32>
  return %0 : tensor<4x4xi32>
}

// -----

func.func @pairs_of_floats(%a: tensor<4x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{is not a sum of integers, which groups of k are for}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.schedule = #ein.schedule<loops = [d0, d1, d2], rows = d0: 4, columns = d1: 8,
                                        sums = d2, vector = d1, operands = [packed, packed], k_pack = 2>}
         ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>)
         outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// Nothing packed: tiles of slices, padded where they may be incomplete; the
// columns that do not fill a tile of 16 get one of 8, which they fill.
// CHECK-LABEL: func @in_place
// CHECK-NOT: linalg.generic
// CHECK: tensor.extract_slice %{{.*}}[0, 0] [5, 16] [1, 1] : tensor<5x24xf32> to tensor<5x16xf32>
// CHECK: scf.for %{{.*}} step %c4
// CHECK: tensor.extract_slice %{{.*}} : tensor<7x5xf32> to tensor<?x5xf32>
// CHECK: tensor.pad
// CHECK: linalg.contract {{.*}} rows = d0: 4, columns = d1: 16{{.*}} : tensor<4x5xf32>, tensor<5x16xf32>) outs(%{{.*}} : tensor<4x16xf32>)
// CHECK: tensor.extract_slice %{{.*}}[0, 16] [5, 8] [1, 1] : tensor<5x24xf32> to tensor<5x8xf32>
// CHECK: scf.for %{{.*}} step %c6
// CHECK: linalg.contract {{.*}} rows = d0: 6, columns = d1: 8{{.*}} : tensor<6x5xf32>, tensor<5x8xf32>) outs(%{{.*}} : tensor<6x8xf32>)
func.func @in_place(%a: tensor<7x5xf32>, %b: tensor<5x24xf32>, %c: tensor<7x24xf32>) -> tensor<7x24xf32> {
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.schedule = #ein.schedule<loops = [d0, d1, d2], rows = d0: 4, columns = d1: 16,
                            sums = d2, vector = d1, operands = [in_place, in_place],
                            column_remainder = [6, 8]>}
         ins(%a, %b : tensor<7x5xf32>, tensor<5x24xf32>)
         outs(%c : tensor<7x24xf32>) -> tensor<7x24xf32>
  return %0 : tensor<7x24xf32>
}

// -----

func.func @narrow_in_place(%a: tensor<4x4xf16>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{has an operand of 'f16', which only panels extend, and its schedule does not pack it}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.schedule = #ein.schedule<loops = [d0, d1, d2], rows = d0: 4, columns = d1: 8,
                                        sums = d2, vector = d1, operands = [in_place, packed]>}
         ins(%a, %a : tensor<4x4xf16>, tensor<4x4xf16>)
         outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// Rows first: the loop over rows of tiles has those over the columns in it. The
// tiles know how the loop over k is to be.
// CHECK-LABEL: func @rows_first
// CHECK: scf.for %{{.*}} step %c4 {{.*}} -> (tensor<8x40xf32>)
// CHECK: scf.for %{{.*}} step %c16
// CHECK: linalg.contract {{.*}} rows = d0: 4, columns = d1: 16{{.*}}sums = d2: 4, {{.*}}prefetch = 1{{.*}} : tensor<4x5xf32>, tensor<5x16xf32>)
// CHECK: linalg.contract {{.*}} rows = d0: 4, columns = d1: 8{{.*}} : tensor<4x5xf32>, tensor<5x8xf32>)
// CHECK: scf.yield %{{.*}} : tensor<8x40xf32>
// CHECK-NOT: linalg.contract
func.func @rows_first(%a: tensor<8x5xf32>, %b: tensor<5x40xf32>, %c: tensor<8x40xf32>) -> tensor<8x40xf32> {
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.schedule = #ein.schedule<loops = [d0, d1, d2], rows = d0: 4, columns = d1: 16,
                            sums = d2: 4, vector = d1, operands = [in_place, in_place],
                            column_remainder = [4, 8], rows_first, prefetch = 1>}
         ins(%a, %b : tensor<8x5xf32>, tensor<5x40xf32>)
         outs(%c : tensor<8x40xf32>) -> tensor<8x40xf32>
  return %0 : tensor<8x40xf32>
}

// -----

// Rows that do not fill a tile have one of their own; and so have columns whose
// tiles are of another height.
// CHECK-LABEL: func @rows_first_rest
// CHECK: linalg.contract {{.*}} rows = d0: 4, columns = d1: 16{{.*}} : tensor<4x5xf32>, tensor<5x16xf32>)
// CHECK: linalg.contract {{.*}} rows = d0: 3, columns = d1: 16{{.*}} : tensor<3x5xf32>, tensor<5x16xf32>)
// CHECK: linalg.contract {{.*}} rows = d0: 5, columns = d1: 8{{.*}} : tensor<5x5xf32>, tensor<5x8xf32>)
// CHECK: linalg.contract {{.*}} rows = d0: 1, columns = d1: 8{{.*}} : tensor<1x5xf32>, tensor<5x8xf32>)
// CHECK-NOT: linalg.contract
func.func @rows_first_rest(%a: tensor<11x5xf32>, %b: tensor<5x40xf32>, %c: tensor<11x40xf32>) -> tensor<11x40xf32> {
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.schedule = #ein.schedule<loops = [d0, d1, d2], rows = d0: 4, columns = d1: 16,
                            sums = d2, vector = d1, operands = [in_place, in_place],
                            column_remainder = [5, 8], rows_first>}
         ins(%a, %b : tensor<11x5xf32>, tensor<5x40xf32>)
         outs(%c : tensor<11x40xf32>) -> tensor<11x40xf32>
  return %0 : tensor<11x40xf32>
}

// -----

// Rows of an unknown number have two kinds of tiles, or one.
// CHECK-LABEL: func @rows_apart
// CHECK: linalg.contract
// CHECK: linalg.contract
// CHECK-NOT: linalg.contract
func.func @rows_apart(%a: tensor<?x5xf32>, %b: tensor<5x16xf32>, %c: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.schedule = #ein.schedule<loops = [d0, d1, d2], rows = d0: 4, columns = d1: 16,
                            sums = d2, vector = d1, operands = [in_place, in_place], rows_first>}
         ins(%a, %b : tensor<?x5xf32>, tensor<5x16xf32>)
         outs(%c : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %0 : tensor<?x16xf32>
}

// -----

// CHECK-LABEL: func @rows_clamped
// CHECK: linalg.contract
// CHECK-NOT: linalg.contract
func.func @rows_clamped(%a: tensor<?x5xf32>, %b: tensor<5x16xf32>, %c: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.schedule = #ein.schedule<loops = [d0, d1, d2], rows = d0: 4, columns = d1: 16,
                            sums = d2, vector = d1, operands = [in_place, in_place], rows_first,
                            clamp_rows>}
         ins(%a, %b : tensor<?x5xf32>, tensor<5x16xf32>)
         outs(%c : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %0 : tensor<?x16xf32>
}

// -----

// 13 rows as two tiles of five and a last one of three.
// CHECK-LABEL: func @last_rows
// CHECK: scf.for %{{.*}} = %c0 to %c32 step %c16
// CHECK: scf.for %{{.*}} = %c0 to %c10 step %c5
// CHECK: linalg.contract {{.*}} ins(%{{.*}}, %{{.*}} : tensor<5x8xf32>, tensor<8x16xf32>)
// CHECK: linalg.contract {{.*}} ins(%{{.*}}, %{{.*}} : tensor<3x8xf32>, tensor<8x16xf32>)
// CHECK-NOT: linalg.contract
func.func @last_rows(%a: tensor<13x8xf32>, %b: tensor<8x32xf32>, %c: tensor<13x32xf32>) -> tensor<13x32xf32> {
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
         {ein.schedule = #ein.schedule<loops = [d0, d1, d2], rows = d0: 5, columns = d1: 16,
                          sums = d2, vector = d1, operands = [in_place, in_place],
                          row_remainder = 3>}
         ins(%a, %b : tensor<13x8xf32>, tensor<8x32xf32>) outs(%c : tensor<13x32xf32>) -> tensor<13x32xf32>
  return %0 : tensor<13x32xf32>
}

// -----

// Groups of A that are read where they are: its rows, split, and padded at the end.
// CHECK-LABEL: func @groups_in_place
// CHECK-SAME: %[[A:[^:]*]]: tensor<10x8xi8>, %[[B:[^:]*]]: tensor<8x20xi8>
// CHECK: %[[WHOLE_B:.*]] = tensor.pad %[[B]] low[0, 0] high[0, 12]
// CHECK: linalg.generic {{.*}} ins(%[[WHOLE_B]] : tensor<8x32xi8>) outs(%{{.*}} : tensor<2x2x16x4xi8>)
// CHECK-NOT: linalg.generic
// CHECK: %[[ROWS:.*]] = tensor.extract_slice %[[A]][%{{.*}}, 0] [%{{.*}}, 8] [1, 1]
// CHECK: %[[GROUPS:.*]] = tensor.expand_shape %[[ROWS]] {{\[\[}}0], [1, 2]] output_shape [%{{.*}}, 2, 4]
// CHECK: tensor.pad %[[GROUPS]]
// CHECK: } : tensor<?x2x4xi8> to tensor<4x2x4xi8>
// CHECK: linalg.contract {{.*}}k_pack = 4{{.*}} ins(%{{.*}}, %{{.*}} : tensor<4x2x4xi8>, tensor<2x16x4xi8>)
func.func @groups_in_place(%a: tensor<10x8xi8>, %b: tensor<8x20xi8>, %c: tensor<10x20xi32>) -> tensor<10x20xi32> {
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.schedule = #ein.schedule<loops = [d0, d1, d2], rows = d0: 4, columns = d1: 16,
                                        sums = d2, vector = d1, operands = [in_place, packed], k_pack = 4,
                                        instruction = "llvm.x86.avx512.vpdpbusd.512", instruction_bits = 512>}
         ins(%a, %b : tensor<10x8xi8>, tensor<8x20xi8>)
         outs(%c : tensor<10x20xi32>) -> tensor<10x20xi32>
  return %0 : tensor<10x20xi32>
}

// -----

// Rows that may end within a group are padded to whole ones.
// CHECK-LABEL: func @rest_in_place
// CHECK-SAME: %[[A:[^:]*]]: tensor<10x?xi8>
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<2x?x16x4xi8>)
// CHECK-NOT: linalg.generic
// CHECK: %[[ROWS:.*]] = tensor.extract_slice %[[A]]
// CHECK: %[[WHOLE:.*]] = tensor.pad %[[ROWS]] low[0, 0]
// CHECK: } : tensor<?x?xi8> to tensor<4x?xi8>
// CHECK: tensor.expand_shape %[[WHOLE]] {{\[\[}}0], [1, 2]] output_shape [4, %{{.*}}, 4]
func.func @rest_in_place(%a: tensor<10x?xi8>, %b: tensor<?x20xi8>, %c: tensor<10x20xi32>) -> tensor<10x20xi32> {
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                          affine_map<(m, n, k) -> (m, n)>]
           {ein.schedule = #ein.schedule<loops = [d0, d1, d2: 64], rows = d0: 4, columns = d1: 16,
                                        sums = d2, vector = d1, operands = [in_place, packed], k_pack = 4,
                                        instruction = "llvm.x86.avx512.vpdpbusd.512", instruction_bits = 512>}
         ins(%a, %b : tensor<10x?xi8>, tensor<?x20xi8>)
         outs(%c : tensor<10x20xi32>) -> tensor<10x20xi32>
  return %0 : tensor<10x20xi32>
}
