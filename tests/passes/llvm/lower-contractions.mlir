// RUN: ein-opt %s -ein-lower-contractions -canonicalize -cse -split-input-file | FileCheck %s

// What is seldom done: LLVM is to expect that it is not, and to keep its loop.
// CHECK-LABEL: func @unlikely
// CHECK-SAME: (%[[IS:.*]]: i1,
// CHECK: %[[NO:.*]] = arith.constant false
// CHECK: %[[SELDOM:.*]] = llvm.intr.expect %[[IS]], %[[NO]] : i1
// CHECK: scf.if %[[SELDOM]]
// CHECK: scf.for
// CHECK: loop_annotation = #loop_annotation
// CHECK: else
// CHECK-NOT: ein.unlikely
// CHECK: return
func.func @unlikely(%is: i1, %n: index, %s: vector<8xf32>) -> vector<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.if %is -> vector<8xf32> {
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%x = %s) -> vector<8xf32> {
      %p = arith.addf %x, %s : vector<8xf32>
      scf.yield %p : vector<8xf32>
    }
    scf.yield %sum : vector<8xf32>
  } else {
    scf.yield %s : vector<8xf32>
  } {ein.unlikely}
  return %r : vector<8xf32>
}

// -----

// A step of k: one FMA per row of the tile, with an element of A that is read as
// a scalar, where the vector was read, and broadcast.
// CHECK-LABEL: func @step
// CHECK-SAME: %[[A:[^:]*]]: memref<16x2xf32>, %[[B:[^:]*]]: memref<16x8xf32>
// CHECK-NOT: vector.contract
// CHECK-NOT: vector<1x2xf32>
// CHECK-DAG: %[[X0:.*]] = memref.load %[[A]][%{{.*}}, %c0]
// CHECK-DAG: %[[X1:.*]] = memref.load %[[A]][%{{.*}}, %c1]
// CHECK: vector.broadcast %[[X0]] : f32 to vector<8xf32>
// CHECK: vector.fma {{.*}} : vector<8xf32>
// CHECK: vector.broadcast %[[X1]] : f32 to vector<8xf32>
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
// What leaves a branch is the row, not all rows.
// CHECK: scf.if %{{.*}} -> (vector<8xf32>)
// CHECK: vector.transfer_read {{.*}} : memref<?x?xf32>, vector<8xf32>
// CHECK: scf.if %{{.*}} -> (vector<8xf32>)
// CHECK: vector.transfer_read {{.*}} : memref<?x?xf32>, vector<8xf32>
// CHECK-NOT: scf.if
// CHECK: return
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

// -----

// The memory is written again before the elements of what was read are used.
// CHECK-LABEL: func @written_between
// CHECK-SAME: %[[A:[^:]*]]: memref<1x1xf32>
// CHECK: %[[X:.*]] = memref.load %[[A]]
// CHECK: memref.store %{{.*}}, %[[A]]
// CHECK-NOT: memref.load
// CHECK: vector.broadcast %[[X]]
func.func @written_between(%a: memref<1x1xf32>, %y: vector<1x8xf32>, %c: vector<1x8xf32>, %new: f32) -> vector<1x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %x = vector.transfer_read %a[%c0, %c0], %zero {in_bounds = [true, true]} : memref<1x1xf32>, vector<1x1xf32>
  memref.store %new, %a[%c0, %c0] : memref<1x1xf32>
  %s = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>,
                                         affine_map<(m, n, k) -> (m, n)>],
                        iterator_types = ["parallel", "parallel", "reduction"],
                        kind = #vector.kind<add>} %x, %y, %c
         : vector<1x1xf32>, vector<1x8xf32> into vector<1x8xf32>
  return %s : vector<1x8xf32>
}

// -----

// The loop over k takes as many steps at a time as it says, and before it each
// cache line of the tile that it adds to is prefetched; at an edge, of what is
// there.
// CHECK-LABEL: func @kernel
// CHECK-SAME: %[[B:[^:]*]]: memref<?x32xf32>, %[[C:[^:]*]]: memref<?x32xf32>
// CHECK: memref.prefetch %[[C]][%c0, %c0], read, locality<3>, data
// CHECK: memref.prefetch %[[C]][%c0, %c16], read, locality<3>, data
// CHECK: %[[ROWS:.*]] = memref.dim %[[C]], %c0
// CHECK: %[[LAST:.*]] = arith.subi %[[ROWS]], %c1
// CHECK: %[[ROW:.*]] = arith.minsi %[[LAST]], %c1
// CHECK: memref.prefetch %[[C]][%[[ROW]], %c0], read, locality<3>, data
// CHECK-NOT: ein.
// CHECK: scf.for {{.*}} step %c2
// CHECK-COUNT-2: arith.addf
// CHECK-NOT: arith.addf
// CHECK: scf.yield
// CHECK: scf.for {{.*}} step %c1
// CHECK-COUNT-1: arith.addf
// CHECK-NOT: arith.addf
// CHECK: } {loop_annotation = #{{.*}}}
func.func @kernel(%b: memref<?x32xf32>, %c: memref<?x32xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %start = arith.constant dense<0.0> : vector<2x32xf32>
  %sum = scf.for %i = %c0 to %k step %c1 iter_args(%s = %start) -> (vector<2x32xf32>) {
    %v = vector.transfer_read %b[%i, %c0], %zero {in_bounds = [true, true],
           permutation_map = affine_map<(i, j) -> (0, j)>} : memref<?x32xf32>, vector<2x32xf32>
    %t = arith.addf %s, %v : vector<2x32xf32>
    scf.yield %t : vector<2x32xf32>
  } {ein.unroll = 2 : i64, ein.long_sum, ein.prefetch}
  vector.transfer_write %sum, %c[%c0, %c0] {in_bounds = [false, true]} : vector<2x32xf32>, memref<?x32xf32>
  return
}

// -----

// Squares are transposed by exchanges of lanes between two rows: of 8 x 4, two
// squares with two stages of four shuffles.
// CHECK-LABEL: func @squares
// CHECK: vector.shuffle {{.*}} [0, 4, 2, 6] : vector<4xf32>, vector<4xf32>
// CHECK-NEXT: vector.shuffle {{.*}} [1, 5, 3, 7] : vector<4xf32>, vector<4xf32>
// CHECK-COUNT-14: vector.shuffle {{.*}} : vector<4xf32>, vector<4xf32>
// CHECK-NOT: vector.shuffle
// CHECK-NOT: vector.transpose
func.func @squares(%a: vector<8x4xf32>) -> vector<4x8xf32> {
  %0 = vector.transpose %a, [1, 0] : vector<8x4xf32> to vector<4x8xf32>
  return %0 : vector<4x8xf32>
}

// -----

// A row that may leave its buffer is masked by the numbers of its lanes, in 32 bits.
// CHECK-LABEL: func @edge
// CHECK-SAME: %[[A:[^:]*]]: memref<?xf32>, %[[I:[^:]*]]: index
// CHECK-DAG: %[[NUMBERS:.*]] = arith.constant dense<[0, 1, 2, 3]> : vector<4xi32>
// CHECK: %[[END:.*]] = memref.dim %[[A]]
// CHECK: %[[LEFT:.*]] = arith.subi %[[END]], %[[I]]
// CHECK: arith.minsi %[[LEFT]], %{{.*}}
// CHECK: %[[LENGTH:.*]] = arith.maxsi
// CHECK: arith.index_cast %[[LENGTH]] : index to i32
// CHECK: %[[ALL:.*]] = vector.broadcast %{{.*}} : i32 to vector<4xi32>
// CHECK: %[[MASK:.*]] = arith.cmpi sgt, %[[ALL]], %[[NUMBERS]] : vector<4xi32>
// CHECK: vector.transfer_read %[[A]][%[[I]]], %{{.*}}, %[[MASK]] {in_bounds = [true]}
// CHECK: vector.transfer_write %{{.*}}, %[[A]][%[[I]]], %[[MASK]] {in_bounds = [true]}
// CHECK: vector.transfer_read %[[A]][%[[I]]], %{{[^,]*}} {in_bounds = [true]}
func.func @edge(%a: memref<?xf32>, %i: index) -> vector<4xf32> {
  %zero = arith.constant 0.0 : f32
  %v = vector.transfer_read %a[%i], %zero : memref<?xf32>, vector<4xf32>
  vector.transfer_write %v, %a[%i] : vector<4xf32>, memref<?xf32>
  %w = vector.transfer_read %a[%i], %zero {in_bounds = [true]} : memref<?xf32>, vector<4xf32>
  return %w : vector<4xf32>
}

// -----

// Of the lines of the next columns that two rows of B have, each of the four
// tiles of rows prefetches one in every second step, the first tile the first.
// CHECK-LABEL: func @ahead
// CHECK: scf.for %[[ROW:.*]] = %{{.*}} to %{{.*}} step %c2
// CHECK: %[[PASS:.*]] = arith.divui %[[ROW]], %c2
// CHECK: %[[FIRST:.*]] = arith.minui %{{.*}}, %c3
// CHECK: %[[DOWN:.*]] = arith.divui %[[FIRST]], %c2
// CHECK: %[[LINE:.*]] = arith.remui %[[FIRST]], %c2
// CHECK: %[[OFFSET:.*]] = arith.muli %[[LINE]], %c16
// CHECK: scf.for %[[K:[a-z0-9]+]] = %{{.*}} to %{{.*}} step %c2
// CHECK: %[[AT:.*]] = arith.addi %[[K]], %[[DOWN]]
// CHECK: memref.prefetch %{{.*}}[%[[AT]], %{{.*}}], read, locality<2>, data
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @ahead(%a: memref<8x64xf32>, %b: memref<64x32xf32, strided<[?, 1], offset: ?>>, %c: memref<8x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %start = arith.constant dense<0.0> : vector<2x32xf32>
  scf.for %i = %c0 to %c8 step %c2 {
    %sum = scf.for %k = %c0 to %c64 step %c1 iter_args(%s = %start) -> vector<2x32xf32> {
      %x = vector.transfer_read %a[%i, %k], %zero {in_bounds = [true, true]} : memref<8x64xf32>, vector<2x1xf32>
      %y = vector.transfer_read %b[%k, %c0], %zero {in_bounds = [true, true]} : memref<64x32xf32, strided<[?, 1], offset: ?>>, vector<1x32xf32>
      %t = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
             iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %s
             : vector<2x1xf32>, vector<1x32xf32> into vector<2x32xf32>
      scf.yield %t : vector<2x32xf32>
    } {ein.prefetch_distance = array<i64: 1, 2>, ein.unroll = 2 : i64}
    vector.transfer_write %sum, %c[%i, %c0] {in_bounds = [true, true]} : vector<2x32xf32>, memref<8x32xf32>
  }
  return
}

// -----

// LLVM leaves a loop over 16 panels alone; it may unroll what is inside, and a
// loop that computes, or writes a result.
// CHECK: #[[UNROLL:.*]] = #llvm.loop_unroll<disable = true>
// CHECK: #[[ROLLED:.*]] = #llvm.loop_annotation<unroll = #[[UNROLL]]>
// CHECK-LABEL: func @panels
// CHECK: %[[PANELS:.*]] = memref.alloc
// CHECK: vector.transfer_write {{.*}}, %[[PANELS]]
// CHECK: }
// CHECK-NOT: loop_annotation
// CHECK: } {loop_annotation = #[[ROLLED]]}
// CHECK: math.exp
// CHECK-NOT: loop_annotation
// CHECK: return
func.func @panels(%from: memref<64x16x16xf32>, %to: memref<16x64x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %panels = memref.alloc() : memref<16x64x16xf32>
  scf.for %i = %c0 to %c16 step %c1 {
    scf.for %k = %c0 to %c64 step %c1 {
      %v = vector.transfer_read %from[%k, %i, %c0], %zero {in_bounds = [true]} : memref<64x16x16xf32>, vector<16xf32>
      vector.transfer_write %v, %panels[%i, %k, %c0] {in_bounds = [true]} : vector<16xf32>, memref<16x64x16xf32>
    }
  }
  scf.for %i = %c0 to %c16 step %c1 {
    scf.for %k = %c0 to %c64 step %c1 {
      %v = vector.transfer_read %panels[%i, %k, %c0], %zero {in_bounds = [true]} : memref<16x64x16xf32>, vector<16xf32>
      %e = math.exp %v : vector<16xf32>
      vector.transfer_write %e, %panels[%i, %k, %c0] {in_bounds = [true]} : vector<16xf32>, memref<16x64x16xf32>
    }
  }
  scf.for %i = %c0 to %c16 step %c1 {
    scf.for %k = %c0 to %c64 step %c1 {
      %v = vector.transfer_read %panels[%i, %k, %c0], %zero {in_bounds = [true]} : memref<16x64x16xf32>, vector<16xf32>
      vector.transfer_write %v, %to[%i, %k, %c0] {in_bounds = [true]} : vector<16xf32>, memref<16x64x16xf32>
    }
  }
  memref.dealloc %panels : memref<16x64x16xf32>
  return
}

// -----

// LLVM is not to unroll a loop along a row of which a step takes several vectors.
// One vector and columns it may.
module attributes {ein.instructions = {fma, vector_bits = 256 : i64}} {
// CHECK-LABEL: func @row
// CHECK: scf.for
// CHECK: } {loop_annotation = #[[ROLLED:.*]]}
func.func @row(%a: memref<?xf32>, %n: index, %s: vector<8xf32>)
    -> (vector<8xf32>, vector<8xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %r:2 = scf.for %i = %c0 to %n step %c16 iter_args(%x = %s, %y = %s) -> (vector<8xf32>, vector<8xf32>) {
    %j = arith.addi %i, %c8 : index
    %v = vector.transfer_read %a[%i], %zero {in_bounds = [true]} : memref<?xf32>, vector<8xf32>
    %w = vector.transfer_read %a[%j], %zero {in_bounds = [true]} : memref<?xf32>, vector<8xf32>
    %p = arith.addf %x, %v : vector<8xf32>
    %q = arith.addf %y, %w : vector<8xf32>
    scf.yield %p, %q : vector<8xf32>, vector<8xf32>
  }
  return %r#0, %r#1 : vector<8xf32>, vector<8xf32>
}

// Nor the loop over rows round it, so that all rows are read by one loop.
// CHECK-LABEL: func @rows
// CHECK: scf.for
// CHECK: scf.for
// CHECK: } {loop_annotation = #[[ROLLED]]}
// CHECK: } {loop_annotation = #[[ROLLED]]}
func.func @rows(%a: memref<?x?xi16>, %out: memref<?xvector<8xi32>>, %m: index, %n: index, %s: vector<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i16
  scf.for %j = %c0 to %m step %c1 {
    %r = scf.for %i = %c0 to %n step %c64 iter_args(%x = %s) -> vector<8xi32> {
      %v = vector.transfer_read %a[%j, %i], %zero {in_bounds = [true]} : memref<?x?xi16>, vector<64xi16>
      %p = ein.wide_sum %v, %x : vector<64xi16>, vector<8xi32>
      scf.yield %p : vector<8xi32>
    }
    memref.store %r, %out[%j] : memref<?xvector<8xi32>>
  }
  return
}

// CHECK-LABEL: func @registers
// CHECK: loop_annotation
func.func @registers(%a: memref<?xi16>, %n: index, %s: vector<8xi32>) -> vector<8xi32> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i16
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%x = %s) -> vector<8xi32> {
    %v = vector.transfer_read %a[%i], %zero {in_bounds = [true]} : memref<?xi16>, vector<64xi16>
    %p = ein.wide_sum %v, %x : vector<64xi16>, vector<8xi32>
    scf.yield %p : vector<8xi32>
  }
  return %r : vector<8xi32>
}

// CHECK-LABEL: func @one
// CHECK-NOT: loop_annotation
func.func @one(%a: memref<?xi16>, %n: index, %s: vector<8xi32>) -> vector<8xi32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0 : i16
  %r = scf.for %i = %c0 to %n step %c16 iter_args(%x = %s) -> vector<8xi32> {
    %v = vector.transfer_read %a[%i], %zero {in_bounds = [true]} : memref<?xi16>, vector<16xi16>
    %p = ein.wide_sum %v, %x : vector<16xi16>, vector<8xi32>
    scf.yield %p : vector<8xi32>
  }
  return %r : vector<8xi32>
}

// CHECK-LABEL: func @columns
// CHECK-NOT: loop_annotation
func.func @columns(%a: memref<?x?xf32>, %n: index, %j: index, %s: vector<8xf32>)
    -> (vector<8xf32>, vector<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %j8 = arith.addi %j, %c8 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %s, %y = %s) -> (vector<8xf32>, vector<8xf32>) {
    %v = vector.transfer_read %a[%i, %j], %zero {in_bounds = [true]} : memref<?x?xf32>, vector<8xf32>
    %w = vector.transfer_read %a[%i, %j8], %zero {in_bounds = [true]} : memref<?x?xf32>, vector<8xf32>
    %p = arith.addf %x, %v : vector<8xf32>
    %q = arith.addf %y, %w : vector<8xf32>
    scf.yield %p, %q : vector<8xf32>, vector<8xf32>
  }
  return %r#0, %r#1 : vector<8xf32>, vector<8xf32>
}
}
