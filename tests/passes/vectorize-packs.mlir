// RUN: ein-opt %s -ein-vectorize-packs -canonicalize -split-input-file -verify-diagnostics | FileCheck %s

// Contiguous along the panel's width (B of a matmul): a row of the panel is one
// vector, read past the end of the source as zeros.
// CHECK-LABEL: func @rows
// CHECK-SAME: %[[B:[^:]*]]: tensor<7x20xf32>, %[[BUFFER:[^:]*]]: tensor<3x7x8xf32>
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.0{{.*}} : f32
// CHECK-NOT: linalg.pack
// CHECK: scf.for %[[PANEL:.*]] = %c0 to %c3 step %c1 iter_args(%{{.*}} = %[[BUFFER]])
// CHECK: scf.for %[[K:.*]] = %c0 to %c7 step %c1 iter_args(%[[CARRIED:.*]] =
// CHECK: %[[AT:.*]] = affine.apply {{.*}}(%[[PANEL]])
// CHECK: %[[V:.*]] = vector.transfer_read %[[B]][%[[K]], %[[AT]]], %[[ZERO]] {in_bounds = [true, false]} : tensor<7x20xf32>, vector<1x8xf32>
// CHECK: vector.transfer_write %[[V]], %[[CARRIED]][%[[PANEL]], %[[K]], %c0] {in_bounds = [true, true]} : vector<1x8xf32>, tensor<3x7x8xf32>
func.func @rows(%b: tensor<7x20xf32>, %buffer: tensor<3x7x8xf32>) -> tensor<3x7x8xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.pack %b padding_value(%zero : f32) outer_dims_perm = [1, 0]
         inner_dims_pos = [1] inner_tiles = [8] into %buffer
         : tensor<7x20xf32> -> tensor<3x7x8xf32>
  return %0 : tensor<3x7x8xf32>
}

// -----

// Contiguous along k (A of a matmul): a cache line of k at a time, transposed by
// the read's map; the last one may reach beyond on both sides.
// CHECK: #[[TRANSPOSED:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: func @columns
// CHECK-NOT: linalg.pack
// CHECK: scf.for {{.*}} step %c1
// CHECK: scf.for {{.*}} to %c20 step %c16
// CHECK: vector.transfer_read {{.*}}{permutation_map = #[[TRANSPOSED]]} : tensor<10x20xf32>, vector<16x4xf32>
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

// Whole panels: canonicalisation takes the padding away, and blocks of k still
// end beyond the source.
// CHECK-LABEL: func @whole
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.0{{.*}} : f32
// CHECK: vector.transfer_read {{.*}}, %[[ZERO]] {permutation_map = {{.*}}} : tensor<12x7xf32>, vector<16x4xf32>
func.func @whole(%a: tensor<12x7xf32>, %buffer: tensor<3x7x4xf32>) -> tensor<3x7x4xf32> {
  %0 = linalg.pack %a inner_dims_pos = [0] inner_tiles = [4]
         into %buffer : tensor<12x7xf32> -> tensor<3x7x4xf32>
  return %0 : tensor<3x7x4xf32>
}

// -----

// Only what `ein-pack-operands` makes.
func.func @blocks(%a: tensor<8x8xf32>, %buffer: tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32> {
  // expected-error @+1 {{is not a matrix packed to panels of one static width}}
  %0 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [4, 4]
         into %buffer : tensor<8x8xf32> -> tensor<2x2x4x4xf32>
  return %0 : tensor<2x2x4x4xf32>
}
