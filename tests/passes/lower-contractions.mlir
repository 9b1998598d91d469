// RUN: ein-opt %s -ein-lower-contractions -canonicalize -cse -split-input-file | FileCheck %s

// A step of k: one FMA per row of the tile, with an element of A that is read as
// a scalar and broadcast.
// CHECK-LABEL: func @step
// CHECK-SAME: %[[A:[^:]*]]: memref<16x2xf32>, %[[B:[^:]*]]: memref<16x8xf32>
// CHECK-NOT: vector.contract
// CHECK-NOT: vector<1x2xf32>
// CHECK: memref.load %[[A]][%{{.*}}, %c0]
// CHECK: vector.broadcast {{.*}} : f32 to vector<8xf32>
// CHECK: vector.fma {{.*}} : vector<8xf32>
// CHECK: memref.load %[[A]][%{{.*}}, %c1]
// CHECK: vector.fma {{.*}} : vector<8xf32>
// CHECK-NOT: vector.fma
func.func @step(%a: memref<16x2xf32>, %b: memref<16x8xf32>, %c: vector<2x8xf32>, %k: index)
    -> vector<2x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %x = vector.transfer_read %a[%k, %c0], %zero {in_bounds = [true, true]} : memref<16x2xf32>, vector<1x2xf32>
  %y = vector.transfer_read %b[%k, %c0], %zero {in_bounds = [true, true]} : memref<16x8xf32>, vector<1x8xf32>
  %s = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>,
                                         affine_map<(m, n, k) -> (m, n)>],
                        iterator_types = ["parallel", "parallel", "reduction"],
                        kind = #vector.kind<add>} %x, %y, %c
         : vector<1x2xf32>, vector<1x8xf32> into vector<2x8xf32>
  return %s : vector<2x8xf32>
}

// -----

// A read that may leave its buffer becomes rows that are skipped or masked.
// CHECK-LABEL: func @edge
// CHECK-NOT: vector<2x8xf32>, memref
// CHECK: scf.if
// CHECK: vector.transfer_read {{.*}} : memref<?x?xf32>, vector<8xf32>
func.func @edge(%c: memref<?x?xf32>) -> vector<2x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %v = vector.transfer_read %c[%c0, %c0], %zero : memref<?x?xf32>, vector<2x8xf32>
  return %v : vector<2x8xf32>
}

// -----

// A read with a permutation: rows are read as they lie, and transposed.
// CHECK-LABEL: func @transposed
// CHECK-NOT: vector.transpose
// CHECK-NOT: permutation_map
// CHECK: return
func.func @transposed(%a: memref<4x4xf32>) -> vector<4x4xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %v = vector.transfer_read %a[%c0, %c0], %zero
         {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>}
         : memref<4x4xf32>, vector<4x4xf32>
  return %v : vector<4x4xf32>
}
