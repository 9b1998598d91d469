// RUN: ein-opt %s -ein-pack-tensors -canonicalize -split-input-file | FileCheck %s

#efbad = affine_map<(a, b, c, d, e, f) -> (e, f, b, a, d)>
#cf = affine_map<(a, b, c, d, e, f) -> (c, f)>
#abcde = affine_map<(a, b, c, d, e, f) -> (a, b, c, d, e)>

// A block of the first operand for each a and b, as a matrix whose columns are
// d and e; C starts from a fill of each block, and is collapsed outside.
// CHECK-DAG: #[[FN:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[CF:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[CN:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func @blocks
// CHECK-SAME: ein.contiguous = array<i64: 2>
// CHECK: %[[C:.*]] = tensor.collapse_shape %arg2 {{\[\[}}0], [1], [2], [3, 4]]
// CHECK: %[[BUFFER:.*]] = tensor.empty() : tensor<9x6x8xf32>
// CHECK: scf.for %[[A:.*]] = {{.*}} iter_args(%[[CA:.*]] = %[[C]])
// CHECK: scf.for %[[B:.*]] = {{.*}} iter_args(%[[CB:.*]] = %[[CA]])
// CHECK: %[[S:.*]] = tensor.extract_slice %arg0[0, 0, %[[B]], %[[A]], 0] [8, 9, 1, 1, 6] [1, 1, 1, 1, 1] : tensor<8x9x4x3x6xf32> to tensor<8x9x6xf32>
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[S]] : {{.*}}) outs(%[[BUFFER]] : {{.*}}) permutation = [1, 2, 0]  {ein.schedule = #ein.schedule<squares = 4>}
// CHECK: %[[N:.*]] = tensor.collapse_shape %[[T]] {{\[\[}}0], [1, 2]]
// CHECK: %[[CS:.*]] = tensor.extract_slice %[[CB]][%[[A]], %[[B]], 0, 0] [1, 1, 5, 48] [1, 1, 1, 1] : tensor<3x4x5x48xf32> to tensor<5x48xf32>
// CHECK: %[[F:.*]] = linalg.fill {{.*}} outs(%[[CS]] :
// CHECK: %[[R:.*]] = linalg.contract indexing_maps = [#[[FN]], #[[CF]], #[[CN]]] {ein.packed_tensors} ins(%[[N]], %arg1 : {{.*}}) outs(%[[F]] :
// CHECK: tensor.insert_slice %[[R]] into %[[CB]][%[[A]], %[[B]], 0, 0]
// CHECK: %[[E:.*]] = tensor.expand_shape {{.*}} {{\[\[}}0], [1], [2], [3, 4]]
// CHECK: return %[[E]]
func.func @blocks(%a: tensor<8x9x4x3x6xf32>, %b: tensor<5x9xf32>, %c: tensor<3x4x5x6x8xf32>) -> tensor<3x4x5x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%c : tensor<3x4x5x6x8xf32>) -> tensor<3x4x5x6x8xf32>
  %0 = linalg.contract indexing_maps = [#efbad, #cf, #abcde]
         {ein.schedule = #ein.schedule<copies = [[d0, d1, d5, d3, d4], in_place], joined = [[d3, d4]],
                          squares = 4, loops = [d0: 1, d1: 1, d2, d3, d4, d5]>}
         ins(%a, %b : tensor<8x9x4x3x6xf32>, tensor<5x9xf32>)
         outs(%f : tensor<3x4x5x6x8xf32>) -> tensor<3x4x5x6x8xf32>
  return %0 : tensor<3x4x5x6x8xf32>
}

// -----

#kbm = affine_map<(b, m, n, k, l) -> (k, m, l)>
#kbn = affine_map<(b, m, n, k, l) -> (l, n, k, b)>
#bmn = affine_map<(b, m, n, k, l) -> (b, m, n)>

// Tiles that do not divide; sums outside, so that C is not filled in there. The
// first operand is copied whole, before the loops, and the block of b is one
// more dim of the second one's buffer.
// CHECK-LABEL: func @tiles
// CHECK: %[[ALL:.*]] = tensor.empty() : tensor<6x5x10xf32>
// CHECK: %[[T:.*]] = linalg.transpose ins(%arg0 : {{.*}}) outs(%[[ALL]] : {{.*}}) permutation = [0, 2, 1]
// CHECK: %[[K:.*]] = tensor.collapse_shape %[[T]] {{\[\[}}0, 1], [2]]
// CHECK: %[[BUFFER:.*]] = tensor.empty() : tensor<4x4x5x7xf32>
// CHECK: scf.for %[[B:.*]] = %c0 to %c9 step %c4
// CHECK: %[[LB:.*]] = affine.min {{.*}}(%[[B]])
// CHECK: scf.for %[[S:.*]] = %c0 to %c6 step %c4
// CHECK: %[[AT:.*]] = affine.apply {{.*}}[%[[S]]]
// CHECK: tensor.extract_slice %[[K]][%[[AT]], 0]
// CHECK: linalg.transpose {{.*}} permutation = [3, 2, 0, 1]
// CHECK: tensor.collapse_shape {{.*}} {{\[\[}}0], [1, 2], [3]]
// CHECK-NOT: linalg.fill
// CHECK: linalg.contract
func.func @tiles(%a: tensor<6x10x5xf32>, %b: tensor<5x7x6x9xf32>, %c: tensor<9x10x7xf32>) -> tensor<9x10x7xf32> {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%c : tensor<9x10x7xf32>) -> tensor<9x10x7xf32>
  %0 = linalg.contract indexing_maps = [#kbm, #kbn, #bmn]
         {ein.schedule = #ein.schedule<copies = [[d3, d4, d1] whole, [d0, d3, d4, d2]],
                          joined = [[d3, d4]], squares = 4, loops = [d0: 4, d3: 4, d1, d2, d4]>}
         ins(%a, %b : tensor<6x10x5xf32>, tensor<5x7x6x9xf32>)
         outs(%f : tensor<9x10x7xf32>) -> tensor<9x10x7xf32>
  return %0 : tensor<9x10x7xf32>
}

// -----

#ea = affine_map<(a, b, c, d, e) -> (e, a)>
#ebcd = affine_map<(a, b, c, d, e) -> (e, b, c, d)>
#abcd = affine_map<(a, b, c, d, e) -> (a, b, c, d)>

// Nothing to copy: dims of dynamic sizes become one.
// CHECK-LABEL: func @joined
// CHECK-SAME: ein.contiguous = array<i64: 1, 2>
// CHECK-NOT: scf.for
// CHECK: %[[C:.*]] = tensor.collapse_shape %arg2 {{\[\[}}0], [1, 2, 3]]
// CHECK: %[[B:.*]] = tensor.collapse_shape %arg1 {{\[\[}}0], [1, 2, 3]]
// CHECK: linalg.contract {{.*}} ins(%arg0, %[[B]] : tensor<?x?xf32>, tensor<?x?xf32>) outs(%[[C]] :
// CHECK: tensor.expand_shape
func.func @joined(%a: tensor<?x?xf32>, %b: tensor<?x?x?x?xf32>, %c: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %0 = linalg.contract indexing_maps = [#ea, #ebcd, #abcd]
         {ein.schedule = #ein.schedule<copies = [in_place, in_place], joined = [[d1, d2, d3]], squares = 4, loops = [d0, d1, d2, d3, d4]>}
         ins(%a, %b : tensor<?x?xf32>, tensor<?x?x?x?xf32>)
         outs(%c : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  return %0 : tensor<?x?x?x?xf32>
}

// -----

#ab = affine_map<(a, b, c) -> (c, a)>
#bc = affine_map<(a, b, c) -> (c, b)>
#ac = affine_map<(a, b, c) -> (a, b)>

// In a loop of others memory is as large as any of its blocks needs, and before
// it; what is copied has no gaps.
// CHECK-LABEL: func @inside
// CHECK: %[[MEMORY:.*]] = bufferization.alloc_tensor(%{{.*}}) : tensor<?xf32>
// CHECK: scf.for
// CHECK-NOT: tensor.empty
// CHECK: %[[FIRST:.*]] = tensor.extract_slice %[[MEMORY]][0] [%{{.*}}] [1]
// CHECK: %[[BUFFER:.*]] = tensor.expand_shape %[[FIRST]] {{\[\[}}0, 1]]
// CHECK: linalg.transpose {{.*}} outs(%[[BUFFER]]
// CHECK: linalg.contract
func.func @inside(%a: tensor<9x?xf32>, %b: tensor<9x7xf32>, %c: tensor<?x7xf32>, %n: index) -> tensor<?x7xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %n step %c4 iter_args(%to = %c) -> (tensor<?x7xf32>) {
    %length = affine.min affine_map<(i)[n] -> (n - i, 4)>(%i)[%n]
    %s = tensor.extract_slice %a[0, %i] [9, %length] [1, 1] : tensor<9x?xf32> to tensor<9x?xf32>
    %d = tensor.extract_slice %to[%i, 0] [%length, 7] [1, 1] : tensor<?x7xf32> to tensor<?x7xf32>
    %0 = linalg.contract indexing_maps = [#ab, #bc, #ac]
           {ein.schedule = #ein.schedule<copies = [[d0, d2] whole, in_place], squares = 4, loops = [d0, d1, d2]>}
           ins(%s, %b : tensor<9x?xf32>, tensor<9x7xf32>) outs(%d : tensor<?x7xf32>) -> tensor<?x7xf32>
    %1 = tensor.insert_slice %0 into %to[%i, 0] [%length, 7] [1, 1] : tensor<?x7xf32> into tensor<?x7xf32>
    scf.yield %1 : tensor<?x7xf32>
  }
  return %r : tensor<?x7xf32>
}

// -----

// Groups of four channels: filters are copied so that four neighbours lie side
// by side, and those of the image are read where they are.
// CHECK-DAG: #[[FROM:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1 * 4 + d3, d2)>
// CHECK-DAG: #[[TO:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0 + d2, d3 * 4 + d4)>
// CHECK-DAG: #[[FILTERS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d1, d4)>
// CHECK-DAG: #[[RESULT:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1)>
// CHECK-LABEL: func @groups
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<3x2x16x4xi8>
// CHECK: %[[COPY:.*]] = linalg.generic {indexing_maps = [#[[FROM]], #[[TO]]], {{.*}} ins(%arg1 : {{.*}}) outs(%[[EMPTY]] :
// CHECK: linalg.generic {indexing_maps = [#[[IMAGE]], #[[FILTERS]], #[[RESULT]]], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%arg0, %[[COPY]] :
// CHECK: arith.extui %{{.*}} : i8 to i32
// CHECK: arith.extsi %{{.*}} : i8 to i32
func.func @groups(%i: tensor<10x8xi8>, %k: tensor<3x8x16xi8>, %o: tensor<8x16xi32>) -> tensor<8x16xi32> {
  %0 = linalg.generic {
         indexing_maps = [affine_map<(h, f, s, c) -> (h + s, c)>,
                          affine_map<(h, f, s, c) -> (s, c, f)>,
                          affine_map<(h, f, s, c) -> (h, f)>],
         iterator_types = ["parallel", "parallel", "reduction", "reduction"],
         ein.schedule = #ein.schedule<copies = [in_place, [d3, d1] whole], squares = 16, loops = [d0, d1, d2, d3],
                                      sums = d3, k_pack = 4>}
         ins(%i, %k : tensor<10x8xi8>, tensor<3x8x16xi8>) outs(%o : tensor<8x16xi32>) {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %1 = arith.extui %a : i8 to i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %s, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<8x16xi32>
  return %0 : tensor<8x16xi32>
}

// -----

// Two channels at once are words: both inputs are copied, as 16 bits.
// CHECK-LABEL: func @words
// CHECK: tensor.empty() : tensor<10x8xi16>
// CHECK: arith.extui %{{.*}} : i8 to i16
// CHECK: tensor.empty() : tensor<3x4x16x2xi16>
// CHECK: arith.extsi %{{.*}} : i8 to i16
// CHECK: linalg.generic {{.*}} tensor<10x8xi16>, tensor<3x4x16x2xi16>
// CHECK: arith.extsi %{{.*}} : i16 to i32
// CHECK: arith.extsi %{{.*}} : i16 to i32
func.func @words(%i: tensor<10x8xi8>, %k: tensor<3x8x16xi8>, %o: tensor<8x16xi32>) -> tensor<8x16xi32> {
  %0 = linalg.generic {
         indexing_maps = [affine_map<(h, f, s, c) -> (h + s, c)>,
                          affine_map<(h, f, s, c) -> (s, c, f)>,
                          affine_map<(h, f, s, c) -> (h, f)>],
         iterator_types = ["parallel", "parallel", "reduction", "reduction"],
         ein.schedule = #ein.schedule<copies = [[d3] whole, [d3, d1] whole], squares = 8, loops = [d0, d1, d2, d3],
                                      sums = d3, k_pack = 2>}
         ins(%i, %k : tensor<10x8xi8>, tensor<3x8x16xi8>) outs(%o : tensor<8x16xi32>) {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %1 = arith.extui %a : i8 to i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %s, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<8x16xi32>
  return %0 : tensor<8x16xi32>
}

// -----

// Without groups: the dim of vectors is last in the copy.
// CHECK-DAG: #[[FROM:.*]] = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
// CHECK-DAG: #[[IMAGE:.*]] = affine_map<(d0, d1, d2, d3) -> (d0 + d2, d3)>
// CHECK-DAG: #[[FILTERS:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d3, d1)>
// CHECK-LABEL: func @filters_first
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<3x8x16xf32>
// CHECK: %[[COPY:.*]] = linalg.generic {indexing_maps = [#[[FROM]], {{.*}} ins(%arg1 : {{.*}}) outs(%[[EMPTY]] :
// CHECK: linalg.generic {indexing_maps = [#[[IMAGE]], #[[FILTERS]], {{.*}} ins(%arg0, %[[COPY]] :
func.func @filters_first(%i: tensor<10x8xf32>, %k: tensor<16x3x8xf32>, %o: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = linalg.generic {
         indexing_maps = [affine_map<(h, f, s, c) -> (h + s, c)>,
                          affine_map<(h, f, s, c) -> (f, s, c)>,
                          affine_map<(h, f, s, c) -> (h, f)>],
         iterator_types = ["parallel", "parallel", "reduction", "reduction"],
         ein.schedule = #ein.schedule<copies = [in_place, [d1] whole], squares = 16, loops = [d0, d1, d2, d3]>}
         ins(%i, %k : tensor<10x8xf32>, tensor<16x3x8xf32>) outs(%o : tensor<8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// -----

// A part of an image: the axis is a sum of dims.
// CHECK-DAG: #[[IMAGE:.*]] = affine_map<(d0, d1, d2, d3) -> (d3, d1 + d2)>
// CHECK-LABEL: func @image
// CHECK: tensor.empty() : tensor<8x18xf32>
// CHECK: linalg.generic {indexing_maps = [#[[IMAGE]], {{.*}} ins(%{{.*}}, %arg1 :
func.func @image(%i: tensor<18x8xf32>, %k: tensor<4x3x8xf32>, %o: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %0 = linalg.generic {
         indexing_maps = [affine_map<(f, w, s, c) -> (w + s, c)>,
                          affine_map<(f, w, s, c) -> (f, s, c)>,
                          affine_map<(f, w, s, c) -> (f, w)>],
         iterator_types = ["parallel", "parallel", "reduction", "reduction"],
         ein.schedule = #ein.schedule<copies = [[d1] whole, in_place], squares = 16, loops = [d0, d1, d2, d3]>}
         ins(%i, %k : tensor<18x8xf32>, tensor<4x3x8xf32>) outs(%o : tensor<4x16xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// -----

// Three channels are a group of four, the last of which is zero in both copies.
// Filters whose channels are last go to groups behind the filters all the same.
// CHECK-DAG: #[[GROUPS:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d0, d1 * 4 + d3)>
// CHECK-DAG: #[[IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0 + d2, d3 * 4 + d4)>
// CHECK-DAG: #[[FILTERS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d1, d4)>
// CHECK-LABEL: func @picture
// CHECK: %[[ZEROS:.*]] = linalg.fill ins(%c0_i8 : i8) outs(%{{.*}} : tensor<10x4xi8>)
// CHECK: %[[I:.*]] = tensor.insert_slice %arg0 into %[[ZEROS]]{{\[}}0, 0] [10, 3] [1, 1]
// CHECK: %[[WHOLE:.*]] = tensor.insert_slice %{{.*}} [16, 3, 3] [1, 1, 1] : tensor<16x3x3xi8> into tensor<16x3x4xi8>
// CHECK: %[[K:.*]] = linalg.generic {indexing_maps = [#[[GROUPS]], {{.*}} ins(%[[WHOLE]] : {{.*}}) outs(%{{.*}} : tensor<3x1x16x4xi8>)
// CHECK: linalg.generic {indexing_maps = [#[[IMAGE]], #[[FILTERS]], {{.*}} ins(%[[I]], %[[K]] :
func.func @picture(%i: tensor<10x3xi8>, %k: tensor<16x3x3xi8>, %o: tensor<8x16xi32>) -> tensor<8x16xi32> {
  %0 = linalg.generic {
         indexing_maps = [affine_map<(h, f, s, c) -> (h + s, c)>,
                          affine_map<(h, f, s, c) -> (f, s, c)>,
                          affine_map<(h, f, s, c) -> (h, f)>],
         iterator_types = ["parallel", "parallel", "reduction", "reduction"],
         ein.schedule = #ein.schedule<copies = [[d3] whole, [d3, d1] whole], squares = 16, loops = [d0, d1, d2, d3],
                                      sums = d3, k_pack = 4>}
         ins(%i, %k : tensor<10x3xi8>, tensor<16x3x3xi8>) outs(%o : tensor<8x16xi32>) {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %1 = arith.extui %a : i8 to i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %s, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<8x16xi32>
  return %0 : tensor<8x16xi32>
}

// -----

// Floats that are extended are so in their copies.
// CHECK-LABEL: func @halves
// CHECK: %[[I:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<10x8xbf16>) outs(%{{.*}} : tensor<10x8xf32>)
// CHECK:   arith.extf
// CHECK: linalg.generic {{.*}} ins(%[[I]], %arg1 : tensor<10x8xf32>, tensor<3x8x16xbf16>)
// CHECK: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: bf16, %{{.*}}: f32)
// CHECK:   %[[WIDE:.*]] = arith.extf %[[B]]
// CHECK:   arith.mulf %[[A]], %[[WIDE]]
func.func @halves(%i: tensor<10x8xbf16>, %k: tensor<3x8x16xbf16>, %o: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = linalg.generic {
         indexing_maps = [affine_map<(h, f, s, c) -> (h + s, c)>,
                          affine_map<(h, f, s, c) -> (s, c, f)>,
                          affine_map<(h, f, s, c) -> (h, f)>],
         iterator_types = ["parallel", "parallel", "reduction", "reduction"],
         ein.schedule = #ein.schedule<copies = [[d3] whole, in_place], squares = 16, loops = [d0, d1, d2, d3]>}
         ins(%i, %k : tensor<10x8xbf16>, tensor<3x8x16xbf16>) outs(%o : tensor<8x16xf32>) {
  ^bb0(%a: bf16, %b: bf16, %s: f32):
    %1 = arith.extf %a : bf16 to f32
    %2 = arith.extf %b : bf16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %s, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
