// RUN: ein-opt %s -ein-vectorize-tiles -canonicalize -cse -split-input-file -verify-diagnostics \
// RUN:   | FileCheck %s

#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// The tile is a vector that the loop over k carries; each step reads one row of
// each panel.
// CHECK-LABEL: func @panels
// CHECK-SAME: %[[A:[^:]*]]: tensor<?x4xf32>, %[[B:[^:]*]]: tensor<?x8xf32>, %[[C:[^:]*]]: tensor<4x8xf32>
// CHECK-NOT: linalg.contract
// CHECK: %[[START:.*]] = vector.transfer_read %[[C]]{{.*}} vector<4x8xf32>
// CHECK: %[[SUM:.*]] = scf.for %[[K:.*]] = %c0 to %{{.*}} step %c1 iter_args(%[[CARRIED:.*]] = %[[START]])
// CHECK: %[[X:.*]] = vector.transfer_read %[[A]][%[[K]], %c0]{{.*}} vector<1x4xf32>
// CHECK: %[[Y:.*]] = vector.transfer_read %[[B]][%[[K]], %c0]{{.*}} vector<1x8xf32>
// CHECK: vector.contract {{.*}}kind = #vector.kind<add>} %[[X]], %[[Y]], %[[CARRIED]] : vector<1x4xf32>, vector<1x8xf32> into vector<4x8xf32>
// CHECK: vector.transfer_write %[[SUM]], %[[C]]{{.*}} : vector<4x8xf32>, tensor<4x8xf32>
func.func @panels(%a: tensor<?x4xf32>, %b: tensor<?x8xf32>, %c: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  %0 = linalg.contract indexing_maps = [#km, #kn, #mn]
         {ein.schedule = #ein.schedule<loops = [d0, d1, d2: 1], rows = d0: 4, columns = d1: 8,
                          sums = d2, vector = d1, operands = [packed, packed]>}
         ins(%a, %b : tensor<?x4xf32>, tensor<?x8xf32>)
         outs(%c : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// Where a step of k is a pair, the rows of the panels are pairs, and one op
// multiplies them.
// CHECK-LABEL: func @pairs
// CHECK: scf.for
// CHECK: %[[X:.*]] = vector.transfer_read {{.*}} vector<4x2xi16>
// CHECK: %[[Y:.*]] = vector.transfer_read {{.*}} vector<8x2xi16>
// CHECK: ein.dot_products %[[X]], %[[Y]], %{{.*}} : vector<4x2xi16>, vector<8x2xi16>, vector<4x8xi32>
func.func @pairs(%a: tensor<?x4x2xi16>, %b: tensor<?x8x2xi16>, %c: tensor<4x8xi32>)
    -> tensor<4x8xi32> {
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k, p) -> (k, m, p)>, affine_map<(m, n, k, p) -> (k, n, p)>,
                                        affine_map<(m, n, k, p) -> (m, n)>]
         {ein.schedule = #ein.schedule<loops = [d0, d1, d2: 1, d3], rows = d0: 4, columns = d1: 8,
                          sums = d2, vector = d1, operands = [packed, packed], k_pack = 2>}
         ins(%a, %b : tensor<?x4x2xi16>, tensor<?x8x2xi16>)
         outs(%c : tensor<4x8xi32>) -> tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// -----

// Groups of rows that are read where they are, the last one again behind the end.
// CHECK-LABEL: func @groups_in_place
// CHECK-SAME: %[[A:[^:]*]]: tensor<?x8x4xi8>, %[[B:[^:]*]]: tensor<8x16x4xi8>
// CHECK: scf.for %[[K:.*]] = %c0 to %c8 step %c1
// CHECK: %[[LAST:.*]] = arith.subi %{{.*}}, %c1
// CHECK: vector.transfer_read %[[A]][%c0, %[[K]], %c0], {{.*}} tensor<?x8x4xi8>, vector<4xi8>
// CHECK: %[[ROW:.*]] = arith.minsi %[[LAST]], %c1
// CHECK: vector.transfer_read %[[A]][%[[ROW]], %[[K]], %c0], {{.*}} vector<4xi8>
// CHECK: %[[Y:.*]] = vector.transfer_read %[[B]][%[[K]], %c0, %c0]
// CHECK: ein.dot_products %{{.*}} unsigned, %[[Y]], %{{.*}} by "llvm.x86.avx512.vpdpbusd.512" of 512
func.func @groups_in_place(%a: tensor<?x8x4xi8>, %b: tensor<8x16x4xi8>, %c: tensor<2x16xi32>, %high: index)
    -> tensor<2x16xi32> {
  %zero = arith.constant 0 : i8
  %rows = tensor.pad %a low[0, 0, 0] high[%high, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : i8
  } : tensor<?x8x4xi8> to tensor<2x8x4xi8>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k, p) -> (m, k, p)>, affine_map<(m, n, k, p) -> (k, n, p)>,
                                        affine_map<(m, n, k, p) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
         ins(%rows, %b : tensor<2x8x4xi8>, tensor<8x16x4xi8>) outs(%c : tensor<2x16xi32>)
         attrs = {ein.schedule = #ein.schedule<loops = [d0, d1, d2: 1, d3], rows = d0: 2,
                                  columns = d1: 16, sums = d2, vector = d1, operands = [packed, packed],
                                  k_pack = 4, instruction = "llvm.x86.avx512.vpdpbusd.512",
                                  instruction_bits = 512>} {
  ^bb0(%x: i8, %y: i8, %z: i32):
    %1 = arith.extui %x : i8 to i32
    %2 = arith.extsi %y : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %z, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<2x16xi32>
  return %0 : tensor<2x16xi32>
}

// -----

// Bytes that were moved by 128 for an instruction: the tile starts without 128
// times the sums of B's columns.
// CHECK-LABEL: func @offset
// CHECK: %[[ROW:.*]] = arith.constant dense<-128> : vector<1x4xi8>
// CHECK: %[[SUMS:.*]] = scf.for
// CHECK:   %[[Y:.*]] = vector.transfer_read {{.*}} vector<16x4xi8>
// CHECK:   ein.dot_products %[[ROW]] unsigned, %[[Y]], %{{.*}} by "llvm.x86.avx512.vpdpbusd.512" of 512
// CHECK: %[[SUM:.*]] = vector.extract %[[SUMS]][0]
// CHECK: %[[START:.*]] = vector.transfer_read %{{.*}} vector<4x16xi32>
// CHECK: %[[ALL:.*]] = vector.broadcast %[[SUM]] : vector<16xi32> to vector<4x16xi32>
// CHECK: %[[LESS:.*]] = arith.subi %[[START]], %[[ALL]]
// CHECK: scf.for {{.*}} iter_args(%[[C:.*]] = %[[LESS]])
// CHECK:   ein.dot_products %{{.*}} unsigned, %{{.*}}, %[[C]] by "llvm.x86.avx512.vpdpbusd.512" of 512
func.func @offset(%a: tensor<?x4x4xi8>, %b: tensor<?x16x4xi8>, %c: tensor<4x16xi32>)
    -> tensor<4x16xi32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k, p) -> (k, m, p)>, affine_map<(m, n, k, p) -> (k, n, p)>,
                                        affine_map<(m, n, k, p) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
         ins(%a, %b : tensor<?x4x4xi8>, tensor<?x16x4xi8>) outs(%c : tensor<4x16xi32>)
         attrs = {ein.schedule = #ein.schedule<loops = [d0, d1, d2: 1, d3], rows = d0: 4,
                                  columns = d1: 16, sums = d2, vector = d1, operands = [packed, packed],
                                  k_pack = 4, instruction = "llvm.x86.avx512.vpdpbusd.512",
                                  instruction_bits = 512, instruction_offset>} {
  ^bb0(%x: i8, %y: i8, %z: i32):
    %half = arith.constant -128 : i32
    %0 = arith.extui %x : i8 to i32
    %1 = arith.addi %0, %half : i32
    %2 = arith.extsi %y : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %z, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<4x16xi32>
  return %0 : tensor<4x16xi32>
}

// -----

// The same of rows where they are, which are moved as they are read.
// CHECK-LABEL: func @offset_in_place
// CHECK-DAG: %[[SIGNS:.*]] = arith.constant dense<-128> : vector<4xi8>
// CHECK-DAG: %[[ROW:.*]] = arith.constant dense<-128> : vector<1x4xi8>
// CHECK: scf.for
// CHECK:   ein.dot_products %[[ROW]] unsigned
// CHECK: scf.for
// CHECK:   %[[READ:.*]] = vector.transfer_read {{.*}} vector<4xi8>
// CHECK:   arith.xori %[[READ]], %[[SIGNS]]
// CHECK:   ein.dot_products %{{.*}} unsigned, %{{.*}} by "llvm.x86.avx512.vpdpbusd.512" of 512
func.func @offset_in_place(%a: tensor<2x8x4xi8>, %b: tensor<8x16x4xi8>, %c: tensor<2x16xi32>)
    -> tensor<2x16xi32> {
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k, p) -> (m, k, p)>, affine_map<(m, n, k, p) -> (k, n, p)>,
                                        affine_map<(m, n, k, p) -> (m, n)>]
         {ein.schedule = #ein.schedule<loops = [d0, d1, d2: 1, d3], rows = d0: 2,
                                  columns = d1: 16, sums = d2, vector = d1, operands = [packed, packed],
                                  k_pack = 4, instruction = "llvm.x86.avx512.vpdpbusd.512",
                                  instruction_bits = 512, instruction_offset>}
         ins(%a, %b : tensor<2x8x4xi8>, tensor<8x16x4xi8>) outs(%c : tensor<2x16xi32>) -> tensor<2x16xi32>
  return %0 : tensor<2x16xi32>
}

// -----

// Rows that end within a group: its rest is read behind the loop, and is zero.
// CHECK-LABEL: func @rest_in_place
// CHECK-SAME: %[[A:[^:]*]]: tensor<2x?xi8>
// CHECK: %[[WHOLE:.*]] = affine.apply
// CHECK: %[[LOOP:.*]] = scf.for %[[K:.*]] = %c0 to %[[WHOLE]] step %c1
// CHECK:   vector.transfer_read %[[A]][%c0, %{{.*}}], {{.*}} {in_bounds = [true]} : tensor<2x?xi8>, vector<4xi8>
// CHECK: %[[MORE:.*]] = arith.cmpi slt
// CHECK: scf.if %[[MORE]]
// CHECK:   vector.transfer_read %[[A]][%c0, %{{.*}}], {{.*}} : tensor<2x?xi8>, vector<4xi8>
// CHECK:   ein.dot_products
// CHECK: } else {
// CHECK:   scf.yield %[[LOOP]]
func.func @rest_in_place(%a: tensor<2x?xi8>, %b: tensor<?x16x4xi8>, %c: tensor<2x16xi32>,
                         %groups: index, %high: index) -> tensor<2x16xi32> {
  %zero = arith.constant 0 : i8
  %whole = tensor.pad %a low[0, 0] high[0, %high] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : i8
  } : tensor<2x?xi8> to tensor<2x?xi8>
  %rows = tensor.expand_shape %whole [[0], [1, 2]] output_shape [2, %groups, 4]
            : tensor<2x?xi8> into tensor<2x?x4xi8>
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k, p) -> (m, k, p)>, affine_map<(m, n, k, p) -> (k, n, p)>,
                                        affine_map<(m, n, k, p) -> (m, n)>]
         {ein.schedule = #ein.schedule<loops = [d0, d1, d2: 1, d3], rows = d0: 2,
                                  columns = d1: 16, sums = d2, vector = d1, operands = [packed, packed],
                                  k_pack = 4, instruction = "llvm.x86.avx512.vpdpbusd.512",
                                  instruction_bits = 512>}
         ins(%rows, %b : tensor<2x?x4xi8>, tensor<?x16x4xi8>) outs(%c : tensor<2x16xi32>) -> tensor<2x16xi32>
  return %0 : tensor<2x16xi32>
}

// -----

// An instruction for blocks: rows become blocks before the loop, and blocks rows
// after it.
// CHECK-LABEL: func @blocks
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 1, 4, 5] : vector<4xi32>, vector<4xi32>
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [2, 3, 6, 7] : vector<4xi32>, vector<4xi32>
// CHECK: %[[SUMS:.*]] = scf.for
// CHECK: ein.dot_products {{.*}} by "llvm.aarch64.neon.smmla" of 128 : vector<2x8xi8>, vector<4x8xi8>, vector<1x2x4xi32>
// CHECK: %[[BLOCK:.*]] = vector.extract %[[SUMS]][0, 0]
// CHECK: vector.shuffle %[[BLOCK]], %[[BLOCK]] [0, 1]
// CHECK: vector.transfer_write
func.func @blocks(%a: tensor<?x2x8xi8>, %b: tensor<?x4x8xi8>, %c: tensor<2x4xi32>) -> tensor<2x4xi32> {
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k, p) -> (k, m, p)>, affine_map<(m, n, k, p) -> (k, n, p)>,
                                        affine_map<(m, n, k, p) -> (m, n)>]
         {ein.schedule = #ein.schedule<loops = [d0, d1, d2: 1, d3], rows = d0: 2, columns = d1: 4,
                          sums = d2, vector = d1, operands = [packed, packed], k_pack = 8,
                          instruction = "llvm.aarch64.neon.smmla", instruction_bits = 128,
                          instruction_rows = 2>}
         ins(%a, %b : tensor<?x2x8xi8>, tensor<?x4x8xi8>)
         outs(%c : tensor<2x4xi32>) -> tensor<2x4xi32>
  return %0 : tensor<2x4xi32>
}

// -----

// With the factors swapped a block has its columns one after the other.
// CHECK-LABEL: func @swapped_blocks
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 4, 1, 5] : vector<4xi32>, vector<4xi32>
// CHECK: ein.dot_products %{{.*}}, %{{.*}} unsigned, %{{.*}} by "llvm.aarch64.neon.usmmla" of 128 swapped
// CHECK: vector.shuffle {{.*}} [0, 2] : vector<4xi32>, vector<4xi32>
// CHECK: vector.shuffle {{.*}} [1, 3] : vector<4xi32>, vector<4xi32>
func.func @swapped_blocks(%a: tensor<?x2x8xi8>, %b: tensor<?x4x8xi8>, %c: tensor<2x4xi32>) -> tensor<2x4xi32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k, p) -> (k, m, p)>, affine_map<(m, n, k, p) -> (k, n, p)>,
                                        affine_map<(m, n, k, p) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
         ins(%a, %b : tensor<?x2x8xi8>, tensor<?x4x8xi8>) outs(%c : tensor<2x4xi32>)
         attrs = {ein.schedule = #ein.schedule<loops = [d0, d1, d2: 1, d3], rows = d0: 2, columns = d1: 4,
                                  sums = d2, vector = d1, operands = [packed, packed], k_pack = 8,
                                  instruction = "llvm.aarch64.neon.usmmla", instruction_bits = 128,
                                  instruction_rows = 2, instruction_swapped>} {
  ^bb0(%x: i8, %y: i8, %z: i32):
    %0 = arith.extsi %x : i8 to i32
    %1 = arith.extui %y : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %z, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<2x4xi32>
  return %0 : tensor<2x4xi32>
}

// -----

// Other schedules stay linalg: scalar loops later.
// CHECK-LABEL: func @alone
// CHECK: linalg.contract
// CHECK-NOT: vector.
func.func @alone(%b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %1 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>,
                                        affine_map<(m, n, k) -> (m, n)>]
         {ein.schedule = #ein.schedule<>}
         ins(%b, %b : tensor<4x4xf32>, tensor<4x4xf32>)
         outs(%b : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// -----

// Without a static tile there is nothing to make vectors of.
func.func @unpacked(%a: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{is no register tile, of static size and with one loop over k}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>,
                                        affine_map<(m, n, k) -> (m, n)>]
         {ein.schedule = #ein.schedule<loops = [d0, d1, d2: 1], rows = d0: 4, columns = d1: 8,
                          sums = d2, vector = d1, operands = [packed, packed]>}
         ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>)
         outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// Panels are of the accumulator's type.
func.func @narrow(%a: tensor<?x4xf16>, %b: tensor<?x8xf16>, %c: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{is no register tile, of static size and with one loop over k}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>,
                                        affine_map<(m, n, k) -> (m, n)>]
         {ein.schedule = #ein.schedule<loops = [d0, d1, d2: 1], rows = d0: 4, columns = d1: 8,
                          sums = d2, vector = d1, operands = [packed, packed]>}
         ins(%a, %b : tensor<?x4xf16>, tensor<?x8xf16>)
         outs(%c : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Operands in place: elements of A, from rows that exist, and a row of B, zero
// behind its end. What starts from a fill reads no tile.
// CHECK-LABEL: func @in_place
// CHECK-SAME: %[[A:[^:]*]]: tensor<?x?xf32>, %[[B:[^:]*]]: tensor<?x?xf32>, %[[C:[^:]*]]: tensor<2x8xf32>, %[[H:[^:]*]]: index, %[[W:[^:]*]]: index
// CHECK-DAG: %[[SPLAT:.*]] = arith.constant dense<0.000000e+00> : vector<2x8xf32>
// CHECK-NOT: vector.transfer_read %[[C]]
// CHECK: %[[LAST:.*]] = arith.subi %{{.*}}, %c1
// CHECK: %[[ROW:.*]] = arith.minsi %[[LAST]], %c1
// CHECK: scf.for %[[K:.*]] = %c0 to %{{.*}} step %c1 iter_args(%{{.*}} = %[[SPLAT]])
// CHECK-DAG: tensor.extract %[[A]][%c0, %[[K]]]
// CHECK-DAG: tensor.extract %[[A]][%[[ROW]], %[[K]]]
// CHECK: vector.from_elements {{.*}} : vector<2x1xf32>
// CHECK: vector.transfer_read %[[B]][%[[K]], %c0], {{.*}}{in_bounds = [true, false]} : tensor<?x?xf32>, vector<1x8xf32>
// CHECK: vector.contract
// CHECK: vector.transfer_write %{{.*}}, %[[C]]
func.func @in_place(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<2x8xf32>, %h: index, %w: index)
    -> tensor<2x8xf32> {
  %zero = arith.constant 0.0 : f32
  %ap = tensor.pad %a low[0, 0] high[%h, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x?xf32> to tensor<2x?xf32>
  %bp = tensor.pad %b low[0, 0] high[0, %w] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x?xf32> to tensor<?x8xf32>
  %start = linalg.fill {ein.schedule = #ein.schedule<>}
             ins(%zero : f32) outs(%c : tensor<2x8xf32>) -> tensor<2x8xf32>
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         {ein.schedule = #ein.schedule<loops = [d0, d1, d2: 1], rows = d0: 2, columns = d1: 8,
                          sums = d2, vector = d1, operands = [in_place, in_place]>}
         ins(%ap, %bp : tensor<2x?xf32>, tensor<?x8xf32>)
         outs(%start : tensor<2x8xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// In the first block of k the tile starts from a number, later from C.
// CHECK-LABEL: func @first_block
// CHECK-SAME: %[[C:[^:]*]]: tensor<4x8xf32>, %[[FIRST:[^:]*]]: i1
// CHECK: %[[START:.*]] = scf.if %[[FIRST]] -> (vector<4x8xf32>)
// CHECK-NEXT: scf.yield %cst{{[_0-9]*}}
// CHECK: vector.transfer_read %[[C]]
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[START]])
// CHECK: vector.transfer_write %{{.*}}, %[[C]]
func.func @first_block(%a: tensor<?x4xf32>, %b: tensor<?x8xf32>, %c: tensor<4x8xf32>, %first: i1) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x8xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x8xf32>) -> tensor<4x8xf32>
  %start = arith.select %first, %fill, %c : tensor<4x8xf32>
  %0 = linalg.contract indexing_maps = [#km, #kn, #mn]
         {ein.schedule = #ein.schedule<loops = [d0, d1, d2: 1], rows = d0: 4, columns = d1: 8,
                          sums = d2, vector = d1, operands = [packed, packed]>}
         ins(%a, %b : tensor<?x4xf32>, tensor<?x8xf32>)
         outs(%start : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// Complex numbers: two sums, of B's numbers as they lie in memory times the real
// and times the imaginary parts of A's, which are taken one by one. The second
// one, turned by a right angle, is added to the first.
// CHECK-LABEL: func @complex
// CHECK-SAME: %[[A:[^:]*]]: tensor<2x?xcomplex<f32>>, %[[B:[^:]*]]: tensor<?x4xcomplex<f32>>, %[[C:[^:]*]]: tensor<2x4xcomplex<f32>>
// CHECK-DAG: %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : vector<2x8xf32>
// CHECK-DAG: %[[SIGNS:.*]] = arith.constant dense<[-1.000000e+00, 1.000000e+00, -1.000000e+00, 1.000000e+00, -1.000000e+00, 1.000000e+00, -1.000000e+00, 1.000000e+00]> : vector<8xf32>
// CHECK: %[[PARTS:.*]] = ein.reinterpret %[[C]] : tensor<2x4xcomplex<f32>> to tensor<2x8xf32>
// CHECK: %[[START:.*]] = vector.transfer_read %[[PARTS]]
// CHECK: %[[S:.*]]:2 = scf.for {{.*}} iter_args(%[[RE:.*]] = %[[START]], %[[IM:.*]] = %[[ZEROS]]) -> (vector<2x8xf32>, vector<2x8xf32>)
// CHECK-COUNT-2: complex.re
// CHECK: %[[ROW:.*]] = ein.reinterpret %[[B]] : tensor<?x4xcomplex<f32>> to tensor<?x8xf32>
// CHECK: %[[V:.*]] = vector.transfer_read %[[ROW]]{{.*}} vector<1x8xf32>
// CHECK: vector.contract {{.*}}, %[[V]], %[[RE]]
// CHECK: vector.contract {{.*}}, %[[V]], %[[IM]]
// CHECK: %[[LAST:.*]] = vector.extract %[[S]]#1[0]
// CHECK: %[[SWAPPED:.*]] = vector.shuffle %[[LAST]], %[[LAST]] [1, 0, 3, 2, 5, 4, 7, 6]
// CHECK: %[[TURNED:.*]] = arith.mulf %[[SWAPPED]], %[[SIGNS]]
// CHECK: arith.addf %{{.*}}, %[[TURNED]]
// CHECK: %[[W:.*]] = vector.transfer_write %{{.*}}, %[[PARTS]]
// CHECK: ein.reinterpret %[[W]] : tensor<2x8xf32> to tensor<2x4xcomplex<f32>>
func.func @complex(%a: tensor<2x?xcomplex<f32>>, %b: tensor<?x4xcomplex<f32>>,
                   %c: tensor<2x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>> {
  %r = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                                        affine_map<(m, n, k) -> (m, n)>]
         {ein.schedule = #ein.schedule<loops = [d0, d1, d2: 1], rows = d0: 2, columns = d1: 4,
                          sums = d2, vector = d1, operands = [packed, packed]>}
         ins(%a, %b : tensor<2x?xcomplex<f32>>, tensor<?x4xcomplex<f32>>)
         outs(%c : tensor<2x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>
  return %r : tensor<2x4xcomplex<f32>>
}

// -----

// A start that is one number is its parts by turns; C is not read.
// CHECK-LABEL: func @complex_start
// CHECK-DAG: %[[R:.*]] = complex.re %[[NUMBER:.*]] : complex<f64>
// CHECK-DAG: %[[I:.*]] = complex.im %[[NUMBER]] : complex<f64>
// CHECK-DAG: %[[RS:.*]] = vector.broadcast %[[R]] : f64 to vector<2x4xf64>
// CHECK-DAG: %[[IS:.*]] = vector.broadcast %[[I]] : f64 to vector<2x4xf64>
// CHECK: %[[START:.*]] = vector.interleave %[[RS]], %[[IS]] : vector<2x4xf64> -> vector<2x8xf64>
// CHECK-NOT: vector<2x8xf64>{{$}}
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[START]],
func.func @complex_start(%a: tensor<2x?xcomplex<f64>>, %b: tensor<?x4xcomplex<f64>>,
                         %c: tensor<2x4xcomplex<f64>>, %s: complex<f64>) -> tensor<2x4xcomplex<f64>> {
  %f = linalg.fill ins(%s : complex<f64>) outs(%c : tensor<2x4xcomplex<f64>>) -> tensor<2x4xcomplex<f64>>
  %r = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                                        affine_map<(m, n, k) -> (m, n)>]
         {ein.schedule = #ein.schedule<loops = [d0, d1, d2: 1], rows = d0: 2, columns = d1: 4,
                          sums = d2, vector = d1, operands = [packed, packed]>}
         ins(%a, %b : tensor<2x?xcomplex<f64>>, tensor<?x4xcomplex<f64>>)
         outs(%f : tensor<2x4xcomplex<f64>>) -> tensor<2x4xcomplex<f64>>
  return %r : tensor<2x4xcomplex<f64>>
}
