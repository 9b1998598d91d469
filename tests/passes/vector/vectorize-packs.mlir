// RUN: ein-opt %s -ein-vectorize-packs -canonicalize -split-input-file -verify-diagnostics \
// RUN:   | FileCheck %s

// Contiguous along the panel's width (B of a matmul): a row of the panel is one
// vector. Rows go by one after the other, over all panels; the last panel is
// read past the end of the source as zeros.
// CHECK-LABEL: func @rows
// CHECK-SAME: %[[B:[^:]*]]: tensor<7x20xf32>, %[[BUFFER:[^:]*]]: tensor<3x7x8xf32>
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.0{{.*}} : f32
// CHECK-NOT: linalg.pack
// CHECK: scf.for %[[K:.*]] = %c0 to %c7 step %c1 iter_args(%[[CARRIED:.*]] = %[[BUFFER]])
// CHECK: %[[WHOLE:.*]] = scf.for %[[PANEL:.*]] = %c0 to %c2 step %c1 iter_args(%[[INNER:.*]] = %[[CARRIED]])
// CHECK: %[[AT:.*]] = affine.apply {{.*}}(%[[PANEL]])
// CHECK: %[[V:.*]] = vector.transfer_read %[[B]][%[[K]], %[[AT]]], %[[ZERO]] {in_bounds = [true, true]} : tensor<7x20xf32>, vector<1x8xf32>
// CHECK: vector.transfer_write %[[V]], %[[INNER]][%[[PANEL]], %[[K]], %c0] {in_bounds = [true, true]} : vector<1x8xf32>, tensor<3x7x8xf32>
// CHECK: %[[LAST:.*]] = vector.transfer_read %[[B]][%[[K]], %c16], %[[ZERO]] {in_bounds = [true, false]} : tensor<7x20xf32>, vector<1x8xf32>
// CHECK: vector.transfer_write %[[LAST]], %[[WHOLE]][%c2, %[[K]], %c0] {in_bounds = [true, true]} : vector<1x8xf32>, tensor<3x7x8xf32>
func.func @rows(%b: tensor<7x20xf32>, %buffer: tensor<3x7x8xf32>) -> tensor<3x7x8xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.pack %b padding_value(%zero : f32) outer_dims_perm = [1, 0]
         inner_dims_pos = [1] inner_tiles = [8] into %buffer
         : tensor<7x20xf32> -> tensor<3x7x8xf32>
  return %0 : tensor<3x7x8xf32>
}

// -----

// Contiguous along k (A of a matmul): a cache line of k at a time, transposed by
// the read's map. The last ones of each panel, and all of the last panel, may
// reach beyond.
// CHECK: #[[TRANSPOSED:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: func @columns
// CHECK-NOT: linalg.pack
// CHECK: scf.for {{.*}} to %c2 step %c1
// CHECK: vector.transfer_read {{.*}}{in_bounds = [true, true], permutation_map = #[[TRANSPOSED]]} : tensor<10x20xf32>, vector<16x4xf32>
// CHECK: vector.transfer_write {{.*}}{in_bounds = [true, true]} : vector<16x4xf32>, tensor<3x20x4xf32>
// CHECK: vector.transfer_read %{{.*}}[%{{.*}}, %c16]{{.*}}{in_bounds = [false, true], permutation_map = #[[TRANSPOSED]]} : tensor<10x20xf32>, vector<16x4xf32>
// CHECK: vector.transfer_write {{.*}}{in_bounds = [false, true]} : vector<16x4xf32>, tensor<3x20x4xf32>
// CHECK: scf.for %[[K:.*]] = %c0 to %c20 step %c16
// CHECK: vector.transfer_read %{{.*}}[%c8, %[[K]]]{{.*}}{permutation_map = #[[TRANSPOSED]]} : tensor<10x20xf32>, vector<16x4xf32>
// CHECK: vector.transfer_write {{.*}}{in_bounds = [false, true]} : vector<16x4xf32>, tensor<3x20x4xf32>
func.func @columns(%a: tensor<10x20xf32>, %buffer: tensor<3x20x4xf32>) -> tensor<3x20x4xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.pack %a padding_value(%zero : f32) inner_dims_pos = [0] inner_tiles = [4]
         into %buffer : tensor<10x20xf32> -> tensor<3x20x4xf32>
  return %0 : tensor<3x20x4xf32>
}

// -----

// A cache line has half as many f64.
// CHECK-LABEL: func @columns_f64
// CHECK: vector.transfer_read {{.*}} : tensor<?x?xf64>, vector<8x4xf64>
func.func @columns_f64(%a: tensor<?x?xf64>, %buffer: tensor<?x?x4xf64>) -> tensor<?x?x4xf64> {
  %zero = arith.constant 0.0 : f64
  %0 = linalg.pack %a padding_value(%zero : f64) inner_dims_pos = [0] inner_tiles = [4]
         into %buffer : tensor<?x?xf64> -> tensor<?x?x4xf64>
  return %0 : tensor<?x?x4xf64>
}

// -----

// A cache line has 32 of i16, and rows of 16 are the longest that are transposed
// by exchanges.
// CHECK-LABEL: func @columns_i16
// CHECK: vector.transfer_read {{.*}} : tensor<?x?xi16>, vector<16x4xi16>
func.func @columns_i16(%a: tensor<?x?xi16>, %buffer: tensor<?x?x4xi16>) -> tensor<?x?x4xi16> {
  %zero = arith.constant 0 : i16
  %0 = linalg.pack %a padding_value(%zero : i16) inner_dims_pos = [0] inner_tiles = [4]
    into %buffer : tensor<?x?xi16> -> tensor<?x?x4xi16>
  return %0 : tensor<?x?x4xi16>
}

// -----

// Whole panels: canonicalisation takes the padding away, and blocks of k still
// end beyond the source.
// CHECK-LABEL: func @whole
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.0{{.*}} : f32
// CHECK: vector.transfer_read {{.*}}, %[[ZERO]] {in_bounds = [false, true], permutation_map = {{.*}}} : tensor<12x7xf32>, vector<16x4xf32>
func.func @whole(%a: tensor<12x7xf32>, %buffer: tensor<3x7x4xf32>) -> tensor<3x7x4xf32> {
  %0 = linalg.pack %a inner_dims_pos = [0] inner_tiles = [4]
         into %buffer : tensor<12x7xf32> -> tensor<3x7x4xf32>
  return %0 : tensor<3x7x4xf32>
}

// -----

// Pairs of k, contiguous along the width: two rows are interleaved to one of the
// panel. What may not be complete, the last pair and the last panel, is apart.
// CHECK-LABEL: func @pair_rows
// CHECK-SAME: %[[B:[^:]*]]: tensor<7x20xi16>, %[[BUFFER:[^:]*]]: tensor<3x4x8x2xi16>
// CHECK-NOT: linalg.pack
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape %[[BUFFER]] {{.*}} into tensor<3x4x16xi16>
// CHECK: scf.for %[[PAIR:.*]] = %c0 to %c3 step %c1 iter_args(%[[CARRIED:.*]] = %[[ROWS]])
// CHECK: scf.for %[[PANEL:.*]] = %c0 to %c2 step %c1 iter_args(%[[INNER:.*]] = %[[CARRIED]])
// CHECK-DAG: %[[AT:.*]] = affine.apply {{.*}}(%[[PANEL]])
// CHECK-DAG: %[[K:.*]] = affine.apply {{.*}}(%[[PAIR]])
// CHECK: %[[V:.*]] = vector.transfer_read %[[B]][%[[K]], %[[AT]]], %{{.*}} {in_bounds = [true, true]} : tensor<7x20xi16>, vector<2x8xi16>
// CHECK-DAG: %[[EVEN:.*]] = vector.extract %[[V]][0]
// CHECK-DAG: %[[ODD:.*]] = vector.extract %[[V]][1]
// CHECK: vector.interleave %[[EVEN]], %[[ODD]] : vector<8xi16> -> vector<16xi16>
// CHECK: vector.transfer_write {{.*}}%[[INNER]][%[[PANEL]], %[[PAIR]], %c0] {in_bounds = [true, true]} : vector<1x16xi16>, tensor<3x4x16xi16>
// CHECK: vector.transfer_read {{.*}}{in_bounds = [true, false]} : tensor<7x20xi16>, vector<2x8xi16>
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1
// CHECK: vector.transfer_read {{.*}}{in_bounds = [false, true]} : tensor<7x20xi16>, vector<2x8xi16>
// CHECK: vector.transfer_read %[[B]][%c6, %c16], %{{[a-z0-9_]+}} : tensor<7x20xi16>, vector<2x8xi16>
// CHECK: tensor.expand_shape {{.*}} : tensor<3x4x16xi16> into tensor<3x4x8x2xi16>
func.func @pair_rows(%b: tensor<7x20xi16>, %buffer: tensor<3x4x8x2xi16>) -> tensor<3x4x8x2xi16> {
  %zero = arith.constant 0 : i16
  %0 = linalg.pack %b padding_value(%zero : i16) outer_dims_perm = [1, 0]
         inner_dims_pos = [1, 0] inner_tiles = [8, 2] into %buffer
         : tensor<7x20xi16> -> tensor<3x4x8x2xi16>
  return %0 : tensor<3x4x8x2xi16>
}

// -----

// Pairs of k, contiguous along k, of bytes that are extended on the way: pairs
// of words are transposed as elements of 32 bits. There are no panels of bytes.
// CHECK-LABEL: func @pair_columns
// CHECK-SAME: %[[A:[^:]*]]: tensor<?x?xi8>, %{{[^:]*}}: tensor<?x?x4x2xi8>, %[[BUFFER:[^:]*]]: tensor<?x?x4x2xi16>
// CHECK-NOT: linalg.
// CHECK: tensor.collapse_shape %[[BUFFER]]
// CHECK: scf.for {{.*}} step %c1
// CHECK: scf.for {{.*}} step %c16
// CHECK: %[[V:.*]] = vector.transfer_read {{.*}}{in_bounds = [true, true]} : tensor<?x?xi8>, vector<4x32xi8>
// CHECK: %[[WORDS:.*]] = arith.extsi %[[V]] : vector<4x32xi8> to vector<4x32xi16>
// CHECK: %[[PAIRS:.*]] = vector.bitcast %[[WORDS]] : vector<4x32xi16> to vector<4x16xi32>
// CHECK: %[[T:.*]] = vector.transpose %[[PAIRS]], [1, 0] : vector<4x16xi32> to vector<16x4xi32>
// CHECK: %[[W:.*]] = vector.bitcast %[[T]] : vector<16x4xi32> to vector<16x8xi16>
// CHECK: vector.transfer_write %[[W]], {{.*}}{in_bounds = [true, true]} : vector<16x8xi16>, tensor<?x?x8xi16>
// CHECK-NOT: linalg.
func.func @pair_columns(%a: tensor<?x?xi8>, %bytes: tensor<?x?x4x2xi8>, %buffer: tensor<?x?x4x2xi16>)
    -> tensor<?x?x4x2xi16> {
  %zero = arith.constant 0 : i8
  %0 = linalg.pack %a padding_value(%zero : i8) inner_dims_pos = [0, 1] inner_tiles = [4, 2]
         into %bytes : tensor<?x?xi8> -> tensor<?x?x4x2xi8>
  %1 = linalg.generic {indexing_maps = [affine_map<(p, k, m, g) -> (p, k, m, g)>, affine_map<(p, k, m, g) -> (p, k, m, g)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%0 : tensor<?x?x4x2xi8>) outs(%buffer : tensor<?x?x4x2xi16>) attrs = {ein.schedule = #ein.schedule<>} {
  ^bb0(%x: i8, %z: i16):
    %w = arith.extsi %x : i8 to i16
    linalg.yield %w : i16
  } -> tensor<?x?x4x2xi16>
  return %1 : tensor<?x?x4x2xi16>
}

// -----

// Groups of four: four rows are interleaved, two by two. The highest bit of each
// byte is turned over on the way.
// CHECK-LABEL: func @four_rows
// CHECK-NOT: linalg.
// CHECK: %[[HIGHEST:.*]] = arith.constant dense<-128> : vector<4x8xi8>
// CHECK: %[[V:.*]] = vector.transfer_read {{.*}}{in_bounds = [true, true]} : tensor<7x20xi8>, vector<4x8xi8>
// CHECK: %[[TURNED:.*]] = arith.xori %[[V]], %[[HIGHEST]]
// CHECK: %[[R0:.*]] = vector.extract %[[TURNED]][0]
// CHECK: %[[R1:.*]] = vector.extract %[[TURNED]][1]
// CHECK: %[[R2:.*]] = vector.extract %[[TURNED]][2]
// CHECK: %[[R3:.*]] = vector.extract %[[TURNED]][3]
// CHECK-DAG: %[[EVEN:.*]] = vector.interleave %[[R0]], %[[R2]]
// CHECK-DAG: %[[ODD:.*]] = vector.interleave %[[R1]], %[[R3]]
// CHECK: vector.interleave %[[EVEN]], %[[ODD]] : vector<16xi8> -> vector<32xi8>
// CHECK: vector.transfer_write {{.*}} vector<1x32xi8>, tensor<3x2x32xi8>
func.func @four_rows(%b: tensor<7x20xi8>, %bytes: tensor<3x2x8x4xi8>, %buffer: tensor<3x2x8x4xi8>)
    -> tensor<3x2x8x4xi8> {
  %zero = arith.constant 0 : i8
  %half = arith.constant -128 : i8
  %0 = linalg.pack %b padding_value(%zero : i8) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [8, 4]
         into %bytes : tensor<7x20xi8> -> tensor<3x2x8x4xi8>
  %1 = linalg.generic {indexing_maps = [affine_map<(p, k, m, g) -> (p, k, m, g)>, affine_map<(p, k, m, g) -> (p, k, m, g)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%0 : tensor<3x2x8x4xi8>) outs(%buffer : tensor<3x2x8x4xi8>) attrs = {ein.schedule = #ein.schedule<>} {
  ^bb0(%x: i8, %z: i8):
    %w = arith.xori %x, %half : i8
    linalg.yield %w : i8
  } -> tensor<3x2x8x4xi8>
  return %1 : tensor<3x2x8x4xi8>
}

// -----

// Without pairs: extended as they are read, a line of the wide type at a time.
// CHECK-LABEL: func @extended
// CHECK: scf.for {{.*}} step %c8
// CHECK: %[[V:.*]] = vector.transfer_read {{.*}} : tensor<?x?xf32>, vector<8x4xf32>
// CHECK: %[[W:.*]] = arith.extf %[[V]] : vector<8x4xf32> to vector<8x4xf64>
// CHECK: vector.transfer_write %[[W]]
func.func @extended(%a: tensor<?x?xf32>, %narrow: tensor<?x?x4xf32>, %buffer: tensor<?x?x4xf64>) -> tensor<?x?x4xf64> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.pack %a padding_value(%zero : f32) inner_dims_pos = [0] inner_tiles = [4]
         into %narrow : tensor<?x?xf32> -> tensor<?x?x4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(p, k, m) -> (p, k, m)>, affine_map<(p, k, m) -> (p, k, m)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%0 : tensor<?x?x4xf32>) outs(%buffer : tensor<?x?x4xf64>) attrs = {ein.schedule = #ein.schedule<>} {
  ^bb0(%x: f32, %z: f64):
    %w = arith.extf %x : f32 to f64
    linalg.yield %w : f64
  } -> tensor<?x?x4xf64>
  return %1 : tensor<?x?x4xf64>
}

// -----

// Only what `ein-pack-operands` makes.
func.func @blocks(%a: tensor<8x9xf32>, %buffer: tensor<2x3x4x3xf32>) -> tensor<2x3x4x3xf32> {
  // expected-error @+1 {{is not a matrix packed to panels of one static width}}
  %0 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [4, 3]
         into %buffer : tensor<8x9xf32> -> tensor<2x3x4x3xf32>
  return %0 : tensor<2x3x4x3xf32>
}

// -----

// Complex numbers of two f32 are moved as f64,
// CHECK-LABEL: func @complex
// CHECK-SAME: %[[B:[^:]*]]: tensor<7x20xcomplex<f32>>, %[[BUFFER:[^:]*]]: tensor<3x7x8xcomplex<f32>>
// CHECK-DAG: %[[FROM:.*]] = ein.reinterpret %[[B]] : tensor<7x20xcomplex<f32>> to tensor<7x20xf64>
// CHECK-DAG: %[[TO:.*]] = ein.reinterpret %[[BUFFER]] : tensor<3x7x8xcomplex<f32>> to tensor<3x7x8xf64>
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[TO]])
// CHECK: vector.transfer_read %[[FROM]]{{.*}} vector<1x8xf64>
// CHECK: vector.transfer_write
// CHECK: ein.reinterpret %[[R]] : tensor<3x7x8xf64> to tensor<3x7x8xcomplex<f32>>
func.func @complex(%b: tensor<7x20xcomplex<f32>>, %buffer: tensor<3x7x8xcomplex<f32>>)
    -> tensor<3x7x8xcomplex<f32>> {
  %zero = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  %0 = linalg.pack %b padding_value(%zero : complex<f32>) outer_dims_perm = [1, 0]
         inner_dims_pos = [1] inner_tiles = [8] into %buffer
         : tensor<7x20xcomplex<f32>> -> tensor<3x7x8xcomplex<f32>>
  return %0 : tensor<3x7x8xcomplex<f32>>
}

// -----

// and of two f64 one by one: zero behind the end, from where there is something.
// CHECK-LABEL: func @wide_complex
// CHECK-SAME: %[[B:[^:]*]]: tensor<6x7xcomplex<f64>>
// CHECK-DAG: %[[ZERO:.*]] = complex.constant [0.0{{.*}}, 0.0{{.*}}] : complex<f64>
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1
// CHECK: scf.for %[[K:.*]] = %c0 to %c7 step %c1
// CHECK: scf.for %{{.*}} = %c0 to %c4 step %c1
// CHECK: %[[AT:.*]] = affine.apply
// CHECK: %[[THERE:.*]] = arith.minsi %[[AT]], %c5
// CHECK: %[[X:.*]] = tensor.extract %[[B]][%[[THERE]], %[[K]]]
// CHECK: %[[IS:.*]] = arith.cmpi slt, %[[AT]], %c6
// CHECK: arith.select %[[IS]], %[[X]], %[[ZERO]]
// CHECK: tensor.insert
func.func @wide_complex(%b: tensor<6x7xcomplex<f64>>, %buffer: tensor<2x7x4xcomplex<f64>>)
    -> tensor<2x7x4xcomplex<f64>> {
  %zero = complex.constant [0.0 : f64, 0.0 : f64] : complex<f64>
  %0 = linalg.pack %b padding_value(%zero : complex<f64>)
         inner_dims_pos = [0] inner_tiles = [4] into %buffer
         : tensor<6x7xcomplex<f64>> -> tensor<2x7x4xcomplex<f64>>
  return %0 : tensor<2x7x4xcomplex<f64>>
}

// -----

// Blocks of 176 columns of 1,024: whatever is left of them is a multiple of 16.
// CHECK-LABEL: func @known_multiple
// CHECK-NOT: in_bounds = [true, false]
func.func @known_multiple(%b: tensor<7x1024xf32>, %buffer: tensor<11x7x16xf32>) -> tensor<11x7x16xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c176 = arith.constant 176 : index
  %c1024 = arith.constant 1024 : index
  %all = scf.for %i = %c0 to %c1024 step %c176 iter_args(%carried = %buffer) -> (tensor<11x7x16xf32>) {
    %columns = affine.min affine_map<(d0) -> (176, -d0 + 1024)>(%i)
    %panels = affine.apply affine_map<(d0) -> (d0 ceildiv 16)>(%columns)
    %block = tensor.extract_slice %b[0, %i] [7, %columns] [1, 1] : tensor<7x1024xf32> to tensor<7x?xf32>
    %part = tensor.extract_slice %carried[0, 0, 0] [%panels, 7, 16] [1, 1, 1] : tensor<11x7x16xf32> to tensor<?x7x16xf32>
    %0 = linalg.pack %block padding_value(%zero : f32) outer_dims_perm = [1, 0]
           inner_dims_pos = [1] inner_tiles = [16] into %part
           : tensor<7x?xf32> -> tensor<?x7x16xf32>
    %1 = tensor.insert_slice %0 into %carried[0, 0, 0] [%panels, 7, 16] [1, 1, 1] : tensor<?x7x16xf32> into tensor<11x7x16xf32>
    scf.yield %1 : tensor<11x7x16xf32>
  }
  return %all : tensor<11x7x16xf32>
}
