// Copies to panels, which are one case of scheduled tiles.
// RUN: ein-opt %s -ein-vectorize-tiles -canonicalize -split-input-file -verify-diagnostics \
// RUN:   | FileCheck %s

// Contiguous along the panel's width (B of a matmul): a row of the panel is one
// vector. Rows go by one after the other, over all panels; the last panel is
// read past the end of the source as zeros, and nothing is padded.
// CHECK-LABEL: func @rows
// CHECK-SAME: %[[B:[^:]*]]: tensor<7x20xf32>, %[[BUFFER:[^:]*]]: tensor<3x7x8xf32>
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.0{{.*}} : f32
// CHECK-NOT: tensor.pad
// CHECK: scf.for %[[K:.*]] = %c0 to %c7 step %c1 iter_args(%[[CARRIED:.*]] = %[[BUFFER]])
// CHECK: %[[WHOLE:.*]] = scf.for %[[PANEL:.*]] = %c0 to %c2 step %c1 iter_args(%[[INNER:.*]] = %[[CARRIED]])
// CHECK: %[[AT:.*]] = affine.apply {{.*}}(%[[PANEL]])
// CHECK: %[[V:.*]] = vector.transfer_read %[[B]][%[[K]], %[[AT]]], %[[ZERO]] {in_bounds = [true]} : tensor<7x20xf32>, vector<8xf32>
// CHECK: vector.transfer_write %[[V]], %[[INNER]][%[[PANEL]], %[[K]], %c0] {in_bounds = [true]} : vector<8xf32>, tensor<3x7x8xf32>
// CHECK: %[[LAST:.*]] = vector.transfer_read %[[B]][%[[K]], %c16], %[[ZERO]] : tensor<7x20xf32>, vector<8xf32>
// CHECK: vector.transfer_write %[[LAST]], %[[WHOLE]][%c2, %[[K]], %c0] {in_bounds = [true]} : vector<8xf32>, tensor<3x7x8xf32>
// CHECK-NOT: tensor.pad
func.func @rows(%b: tensor<7x20xf32>, %buffer: tensor<3x7x8xf32>) -> tensor<3x7x8xf32> {
  %zero = arith.constant 0.0 : f32
  %whole = tensor.pad %b low[0, 0] high[0, 4] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<7x20xf32> to tensor<7x24xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(p, k, j) -> (k, p * 8 + j)>, affine_map<(p, k, j) -> (p, k, j)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%whole : tensor<7x24xf32>) outs(%buffer : tensor<3x7x8xf32>)
    attrs = {ein.schedule = #ein.schedule<loops = [d1: 1, d0: 1, d2: 8], vector = d2>} {
  ^bb0(%x: f32, %z: f32):
    linalg.yield %x : f32
  } -> tensor<3x7x8xf32>
  return %0 : tensor<3x7x8xf32>
}

// -----

// Contiguous along k (A of a matmul): squares, which are transposed. The last
// panel has two rows, which are known, and zeros.
// CHECK-LABEL: func @columns
// CHECK-SAME: %[[A:[^:]*]]: tensor<10x18xf32>
// CHECK-DAG: %[[ZEROS:.*]] = arith.constant dense<0.0{{.*}}> : vector<4xf32>
// CHECK: scf.for {{.*}} to %c2 step %c1
// CHECK: scf.for %[[K:.*]] = %c0 to %c16 step %c4
// CHECK-COUNT-4: vector.transfer_read %[[A]]{{.*}}{in_bounds = [true]} : tensor<10x18xf32>, vector<4xf32>
// CHECK-COUNT-8: vector.shuffle
// CHECK-COUNT-4: vector.transfer_write {{.*}}{in_bounds = [true]} : vector<4xf32>, tensor<3x18x4xf32>
// The last columns of these panels.
// CHECK: %[[TWO:.*]] = vector.constant_mask [2] : vector<4xi1>
// CHECK-COUNT-4: vector.transfer_read %[[A]][%{{.*}}, %c16], %{{.*}}, %{{.*}}
// CHECK-COUNT-2: vector.transfer_write
// CHECK-NOT: vector.transfer_write
// CHECK: scf.for %[[K:.*]] = %c0 to %c18 step %c4
// CHECK: vector.transfer_read %[[A]][%c8, %[[K]]]
// CHECK: vector.transfer_read %[[A]][%c9, %[[K]]]
// CHECK-NOT: vector.transfer_read
// CHECK: vector.shuffle %{{.*}}, %[[ZEROS]]
// CHECK-COUNT-4: vector.transfer_write {{.*}}%c2, {{.*}}{in_bounds = [true]} : vector<4xf32>, tensor<3x18x4xf32>
func.func @columns(%a: tensor<10x18xf32>, %buffer: tensor<3x18x4xf32>) -> tensor<3x18x4xf32> {
  %zero = arith.constant 0.0 : f32
  %whole = tensor.pad %a low[0, 0] high[2, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<10x18xf32> to tensor<12x18xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(p, k, i) -> (p * 4 + i, k)>, affine_map<(p, k, i) -> (p, k, i)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%whole : tensor<12x18xf32>) outs(%buffer : tensor<3x18x4xf32>)
    attrs = {ein.schedule = #ein.schedule<loops = [d0: 1, d1: 1, d2: 4], vector = d2, masked>} {
  ^bb0(%x: f32, %z: f32):
    linalg.yield %x : f32
  } -> tensor<3x18x4xf32>
  return %0 : tensor<3x18x4xf32>
}

// -----

// Panels of six rows are squares of eight of which two are nothing. Of rows
// that may be behind the end the last one is read, and taken for zeros.
// CHECK-LABEL: func @dynamic
// CHECK-SAME: %[[A:[^:]*]]: tensor<?x?xf32>
// CHECK: %[[M:.*]] = tensor.dim %[[A]], %c0
// CHECK: %[[WHOLE:.*]] = affine.apply #{{.*}}()[%[[M]]]
// CHECK: scf.for {{.*}} = %c0 to %[[WHOLE]] step %c1
// CHECK: %[[SIX:.*]] = vector.constant_mask [6] : vector<8xi1>
// CHECK-COUNT-6: vector.transfer_read %[[A]]{{.*}}{in_bounds = [true]} : tensor<?x?xf32>, vector<8xf32>
// CHECK: vector.transfer_write %{{.*}}, %{{.*}}, %[[SIX]]
// CHECK: scf.for {{.*}} = %[[WHOLE]] to %{{.*}} step %c1
// CHECK: %[[IS:.*]] = arith.cmpi slt, %[[ROW:.*]], %[[M]]
// CHECK: %[[LAST:.*]] = affine.apply {{.*}}[%[[M]]]
// CHECK: %[[THERE:.*]] = arith.minsi %[[ROW]], %[[LAST]]
// CHECK: %[[X:.*]] = vector.transfer_read %[[A]][%[[THERE]], %{{.*}}]
// CHECK: arith.select %[[IS]], %[[X]], %{{.*}}
func.func @dynamic(%a: tensor<?x?xf32>, %buffer: tensor<?x?x6xf32>) -> tensor<?x?x6xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %more = affine.apply affine_map<()[m] -> ((-m) mod 6)>()[%m]
  %whole = tensor.pad %a low[0, 0] high[%more, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(p, k, i) -> (p * 6 + i, k)>, affine_map<(p, k, i) -> (p, k, i)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%whole : tensor<?x?xf32>) outs(%buffer : tensor<?x?x6xf32>)
    attrs = {ein.schedule = #ein.schedule<loops = [d0: 1, d1: 1, d2: 8], vector = d2, masked>} {
  ^bb0(%x: f32, %z: f32):
    linalg.yield %x : f32
  } -> tensor<?x?x6xf32>
  return %0 : tensor<?x?x6xf32>
}

// -----

// Padding of a whole tile is no end of panels: it is read.
// CHECK-LABEL: func @longer
// CHECK: %[[PADDED:.*]] = tensor.pad
// CHECK: vector.transfer_read %[[PADDED]]
func.func @longer(%b: tensor<7x20xf32>, %buffer: tensor<4x7x8xf32>) -> tensor<4x7x8xf32> {
  %zero = arith.constant 0.0 : f32
  %whole = tensor.pad %b low[0, 0] high[0, 12] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<7x20xf32> to tensor<7x32xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(p, k, j) -> (k, p * 8 + j)>, affine_map<(p, k, j) -> (p, k, j)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%whole : tensor<7x32xf32>) outs(%buffer : tensor<4x7x8xf32>)
    attrs = {ein.schedule = #ein.schedule<loops = [d1: 1, d0: 1, d2: 8], vector = d2>} {
  ^bb0(%x: f32, %z: f32):
    linalg.yield %x : f32
  } -> tensor<4x7x8xf32>
  return %0 : tensor<4x7x8xf32>
}

// -----

// Pairs of k, contiguous along the width: two rows are interleaved to one of the
// panel. Behind the last row are zeros. Threads share panels.
// CHECK-LABEL: func @pair_rows
// CHECK-SAME: %[[B:[^:]*]]: tensor<7x20xi16>, %[[BUFFER:[^:]*]]: tensor<3x4x8x2xi16>
// CHECK-DAG: %[[ZEROS:.*]] = arith.constant dense<0> : vector<8xi16>
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape %[[BUFFER]] {{.*}} into tensor<3x4x16xi16>
// CHECK: scf.for %[[PANEL:.*]] = %c0 to %c2 step %c1 iter_args(%[[CARRIED:.*]] = %[[ROWS]])
// CHECK: scf.for %[[PAIR:.*]] = %c0 to %c3 step %c1 iter_args(%[[INNER:.*]] = %[[CARRIED]])
// CHECK-DAG: %[[AT:.*]] = affine.apply {{.*}}(%[[PANEL]])
// CHECK-DAG: %[[K:.*]] = affine.apply {{.*}}(%[[PAIR]])
// CHECK: %[[EVEN:.*]] = vector.transfer_read %[[B]][%[[K]], %[[AT]]], %{{.*}} {in_bounds = [true]} : tensor<7x20xi16>, vector<8xi16>
// CHECK: %[[ODD:.*]] = vector.transfer_read %[[B]]
// CHECK: %[[V:.*]] = vector.interleave %[[EVEN]], %[[ODD]] : vector<8xi16> -> vector<16xi16>
// CHECK: vector.transfer_write %[[V]], %[[INNER]][%[[PANEL]], %[[PAIR]], %c0] {in_bounds = [true]} : vector<16xi16>, tensor<3x4x16xi16>
// CHECK: %[[LAST:.*]] = vector.transfer_read %[[B]][%c6, %{{.*}}]
// CHECK: vector.interleave %[[LAST]], %[[ZEROS]]
// CHECK: } {ein.parallel = 77 : i64}
// CHECK: vector.transfer_read %[[B]][%{{.*}}, %c16], %{{[a-z0-9_]+}} : tensor<7x20xi16>, vector<8xi16>
// CHECK: tensor.expand_shape {{.*}} : tensor<3x4x16xi16> into tensor<3x4x8x2xi16>
func.func @pair_rows(%b: tensor<7x20xi16>, %buffer: tensor<3x4x8x2xi16>) -> tensor<3x4x8x2xi16> {
  %zero = arith.constant 0 : i16
  %whole = tensor.pad %b low[0, 0] high[1, 4] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : i16
  } : tensor<7x20xi16> to tensor<8x24xi16>
  %0 = linalg.generic {indexing_maps = [affine_map<(p, k, j, g) -> (k * 2 + g, p * 8 + j)>,
                                        affine_map<(p, k, j, g) -> (p, k, j, g)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%whole : tensor<8x24xi16>) outs(%buffer : tensor<3x4x8x2xi16>)
    attrs = {ein.schedule = #ein.schedule<loops = [d0: 1, d1: 1, d2: 8, d3: 1], vector = d2, parallel = d0,
                                          min_points = 77>} {
  ^bb0(%x: i16, %z: i16):
    linalg.yield %x : i16
  } -> tensor<3x4x8x2xi16>
  return %0 : tensor<3x4x8x2xi16>
}

// -----

// Pairs of k, contiguous along k, of bytes that are extended on the way: pairs
// of bytes are the elements of squares.
// CHECK-LABEL: func @pair_columns
// CHECK-SAME: %[[A:[^:]*]]: tensor<?x?xi8>
// CHECK: scf.for {{.*}} step %c1
// CHECK: scf.for {{.*}} step %c4
// CHECK-COUNT-4: vector.transfer_read %[[A]]{{.*}}{in_bounds = [true]} : tensor<?x?xi8>, vector<8xi8>
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 1, 8, 9, 2, 3, 10, 11]
// CHECK: %[[WORDS:.*]] = arith.extsi %{{.*}} : vector<8xi8> to vector<8xi16>
// CHECK: vector.transfer_write {{.*}} : vector<8xi16>, tensor<?x?x8xi16>
// Where pairs may end inside, so do vectors.
// CHECK: vector.transfer_read %[[A]][%{{.*}}, %{{.*}}], %{{[a-z0-9_]+}} : tensor<?x?xi8>, vector<8xi8>
func.func @pair_columns(%a: tensor<?x?xi8>, %buffer: tensor<?x?x4x2xi16>) -> tensor<?x?x4x2xi16> {
  %zero = arith.constant 0 : i8
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xi8>
  %k = tensor.dim %a, %c1 : tensor<?x?xi8>
  %rows = affine.apply affine_map<()[m] -> ((-m) mod 4)>()[%m]
  %columns = affine.apply affine_map<()[k] -> ((-k) mod 2)>()[%k]
  %whole = tensor.pad %a low[0, 0] high[%rows, %columns] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : i8
  } : tensor<?x?xi8> to tensor<?x?xi8>
  %0 = linalg.generic {indexing_maps = [affine_map<(p, k, i, g) -> (p * 4 + i, k * 2 + g)>,
                                        affine_map<(p, k, i, g) -> (p, k, i, g)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%whole : tensor<?x?xi8>) outs(%buffer : tensor<?x?x4x2xi16>)
    attrs = {ein.schedule = #ein.schedule<loops = [d0: 1, d1: 1, d2: 4, d3: 1], vector = d2, masked>} {
  ^bb0(%x: i8, %z: i16):
    %w = arith.extsi %x : i8 to i16
    linalg.yield %w : i16
  } -> tensor<?x?x4x2xi16>
  return %0 : tensor<?x?x4x2xi16>
}

// -----

// Groups of four: four rows are interleaved, two by two. The highest bit of each
// byte is turned over on the way, those of the padding as well.
// CHECK-LABEL: func @four_rows
// CHECK: %[[HIGHEST:.*]] = arith.constant dense<-128> : vector<32xi8>
// CHECK: %[[R0:.*]] = vector.transfer_read {{.*}}{in_bounds = [true]} : tensor<8x24xi8>, vector<8xi8>
// CHECK: %[[R1:.*]] = vector.transfer_read
// CHECK: %[[R2:.*]] = vector.transfer_read
// CHECK: %[[R3:.*]] = vector.transfer_read
// CHECK-DAG: %[[EVEN:.*]] = vector.interleave %[[R0]], %[[R2]]
// CHECK-DAG: %[[ODD:.*]] = vector.interleave %[[R1]], %[[R3]]
// CHECK: %[[V:.*]] = vector.interleave %[[EVEN]], %[[ODD]] : vector<16xi8> -> vector<32xi8>
// CHECK: %[[TURNED:.*]] = arith.xori %[[V]], %[[HIGHEST]]
// CHECK: vector.transfer_write %[[TURNED]]{{.*}} vector<32xi8>, tensor<3x2x32xi8>
func.func @four_rows(%b: tensor<8x24xi8>, %buffer: tensor<3x2x8x4xi8>) -> tensor<3x2x8x4xi8> {
  %half = arith.constant -128 : i8
  %0 = linalg.generic {indexing_maps = [affine_map<(p, k, j, g) -> (k * 4 + g, p * 8 + j)>,
                                        affine_map<(p, k, j, g) -> (p, k, j, g)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%b : tensor<8x24xi8>) outs(%buffer : tensor<3x2x8x4xi8>)
    attrs = {ein.schedule = #ein.schedule<loops = [d1: 1, d0: 1, d2: 8, d3: 1], vector = d2>} {
  ^bb0(%x: i8, %z: i8):
    %w = arith.xori %x, %half : i8
    linalg.yield %w : i8
  } -> tensor<3x2x8x4xi8>
  return %0 : tensor<3x2x8x4xi8>
}

// -----

// A matrix unit's columns, which lie along k: of each step of 16 groups a square.
// CHECK-LABEL: func @gathered
// CHECK-SAME: %[[B:[^:]*]]: tensor<16x128xi8>
// CHECK: scf.for %[[K:.*]] = %c0 to %c2 step %c1
// CHECK-COUNT-16: vector.transfer_read %[[B]]{{.*}} : tensor<16x128xi8>, vector<64xi8>
// CHECK-COUNT-64: vector.shuffle
// CHECK-COUNT-16: vector.transfer_write {{.*}} : vector<64xi8>, tensor<1x2x16x64xi8>
func.func @gathered(%b: tensor<16x128xi8>, %buffer: tensor<1x2x16x16x4xi8>) -> tensor<1x2x16x16x4xi8> {
  %0 = linalg.generic {indexing_maps = [affine_map<(p, k, s, j, g) -> (p * 16 + j, k * 64 + s * 4 + g)>,
                                        affine_map<(p, k, s, j, g) -> (p, k, s, j, g)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
    ins(%b : tensor<16x128xi8>) outs(%buffer : tensor<1x2x16x16x4xi8>)
    attrs = {ein.schedule = #ein.schedule<loops = [d0: 1, d1: 1, d2: 1, d3: 16, d4: 1], vector = d3, masked>} {
  ^bb0(%x: i8, %z: i8):
    linalg.yield %x : i8
  } -> tensor<1x2x16x16x4xi8>
  return %0 : tensor<1x2x16x16x4xi8>
}

// -----

// Complex numbers of two f32 are moved as f64,
// CHECK-LABEL: func @complex
// CHECK-SAME: %[[B:[^:]*]]: tensor<7x24xcomplex<f32>>
// CHECK: %[[FROM:.*]] = ein.reinterpret %[[B]] : tensor<7x24xcomplex<f32>> to tensor<7x24xf64>
// CHECK: vector.transfer_read %[[FROM]]{{.*}} vector<8xf64>
// CHECK: vector.transfer_write {{.*}} vector<8xf64>, tensor<3x7x8xf64>
func.func @complex(%b: tensor<7x24xcomplex<f32>>, %buffer: tensor<3x7x8xcomplex<f32>>)
    -> tensor<3x7x8xcomplex<f32>> {
  %0 = linalg.generic {indexing_maps = [affine_map<(p, k, j) -> (k, p * 8 + j)>, affine_map<(p, k, j) -> (p, k, j)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%b : tensor<7x24xcomplex<f32>>) outs(%buffer : tensor<3x7x8xcomplex<f32>>)
    attrs = {ein.schedule = #ein.schedule<loops = [d1: 1, d0: 1, d2: 8], vector = d2>} {
  ^bb0(%x: complex<f32>, %z: complex<f32>):
    linalg.yield %x : complex<f32>
  } -> tensor<3x7x8xcomplex<f32>>
  return %0 : tensor<3x7x8xcomplex<f32>>
}

// -----

// of two f64 as pairs; one by one, if they have gaps.
// CHECK-LABEL: func @wide_complex
// CHECK-SAME: %[[B:[^:]*]]: tensor<7x8xcomplex<f64>>, %[[GAPS:[^:]*]]: tensor<7x8x2xcomplex<f64>>
// CHECK: %[[FROM:.*]] = ein.reinterpret %[[B]] : tensor<7x8xcomplex<f64>> to tensor<7x16xf64>
// CHECK: vector.transfer_read %[[FROM]]{{.*}} vector<8xf64>
// CHECK: vector.transfer_write {{.*}} vector<8xf64>
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %[[GAPS]]
// CHECK-COUNT-4: tensor.extract %[[SLICE]]
// CHECK: vector.from_elements {{.*}} : vector<8xf64>
// CHECK: vector.transfer_write {{.*}} vector<8xf64>
func.func @wide_complex(%b: tensor<7x8xcomplex<f64>>, %gaps: tensor<7x8x2xcomplex<f64>>,
                        %buffer: tensor<2x7x4xcomplex<f64>>, %other: tensor<2x7x4xcomplex<f64>>)
    -> (tensor<2x7x4xcomplex<f64>>, tensor<2x7x4xcomplex<f64>>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(p, k, j) -> (k, p * 4 + j)>, affine_map<(p, k, j) -> (p, k, j)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%b : tensor<7x8xcomplex<f64>>) outs(%buffer : tensor<2x7x4xcomplex<f64>>)
    attrs = {ein.schedule = #ein.schedule<loops = [d1: 1, d0: 1, d2: 4], vector = d2>} {
  ^bb0(%x: complex<f64>, %z: complex<f64>):
    linalg.yield %x : complex<f64>
  } -> tensor<2x7x4xcomplex<f64>>
  %slice = tensor.extract_slice %gaps[0, 0, 0] [7, 8, 1] [1, 1, 1] : tensor<7x8x2xcomplex<f64>> to tensor<7x8xcomplex<f64>>
  %1 = linalg.generic {indexing_maps = [affine_map<(p, k, j) -> (k, p * 4 + j)>, affine_map<(p, k, j) -> (p, k, j)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%slice : tensor<7x8xcomplex<f64>>) outs(%other : tensor<2x7x4xcomplex<f64>>)
    attrs = {ein.schedule = #ein.schedule<loops = [d1: 1, d0: 1, d2: 4], vector = d2>} {
  ^bb0(%x: complex<f64>, %z: complex<f64>):
    linalg.yield %x : complex<f64>
  } -> tensor<2x7x4xcomplex<f64>>
  return %0, %1 : tensor<2x7x4xcomplex<f64>>, tensor<2x7x4xcomplex<f64>>
}

// -----

// Squares have sides of a power of two, and a mask for what is left of them.
func.func @no_squares(%a: tensor<12x18xf32>, %buffer: tensor<2x18x6xf32>) -> tensor<2x18x6xf32> {
  // expected-error @+1 {{is not elementwise, or not contiguous along the loop that its vectors are said to be along}}
  %0 = linalg.generic {indexing_maps = [affine_map<(p, k, i) -> (p * 6 + i, k)>, affine_map<(p, k, i) -> (p, k, i)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%a : tensor<12x18xf32>) outs(%buffer : tensor<2x18x6xf32>)
    attrs = {ein.schedule = #ein.schedule<loops = [d0: 1, d1: 1, d2: 6], vector = d2, masked>} {
  ^bb0(%x: f32, %z: f32):
    linalg.yield %x : f32
  } -> tensor<2x18x6xf32>
  return %0 : tensor<2x18x6xf32>
}
