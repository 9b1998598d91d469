// Tiles of sums along vectors of k.
// RUN: ein-opt %s -ein-vectorize-tiles -canonicalize -split-input-file -verify-diagnostics \
// RUN:   | FileCheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Two rows by two columns: two loads of each, four products, whole vectors first;
// the last vector is padded. Then the sums across, two rows of the tile in one
// vector.
// CHECK-LABEL: func @tile
// CHECK-SAME: %[[A:[^:]*]]: tensor<2x?xf32>, %[[B:[^:]*]]: tensor<2x?xf32>, %[[C:[^:]*]]: tensor<2x2xf32>
// CHECK: %[[S:.*]]:4 = scf.for %[[K:.*]] = %c0 to %{{.*}} step %c4 iter_args
// CHECK-DAG: %[[A0:.*]] = vector.transfer_read %[[A]][%c0, %[[K]]], %{{.*}} {in_bounds = [true]} : tensor<2x?xf32>, vector<4xf32>
// CHECK-DAG: %[[A1:.*]] = vector.transfer_read %[[A]][%c1, %[[K]]]
// CHECK-DAG: %[[B0:.*]] = vector.transfer_read %[[B]][%c0, %[[K]]]
// CHECK-DAG: %[[B1:.*]] = vector.transfer_read %[[B]][%c1, %[[K]]]
// CHECK-DAG: arith.mulf %[[A0]], %[[B0]] fastmath<contract>
// CHECK-DAG: arith.mulf %[[A0]], %[[B1]] fastmath<contract>
// CHECK-DAG: arith.mulf %[[A1]], %[[B0]] fastmath<contract>
// CHECK-DAG: arith.mulf %[[A1]], %[[B1]] fastmath<contract>
// CHECK: %[[T:.*]]:4 = scf.for {{.*}} iter_args(%{{.*}} = %[[S]]#0
// CHECK: vector.transfer_read %[[A]][%c0, %{{.*}}], %{{[^ ]*}}, %{{[^ ]*}} {in_bounds = [true]} : tensor<2x?xf32>, vector<4xf32>
// CHECK: %[[C0:.*]] = vector.transfer_read %[[C]][%c0, %c0]{{.*}} vector<2xf32>
// CHECK: %[[C1:.*]] = vector.transfer_read %[[C]][%c1, %c0]{{.*}} vector<2xf32>
// CHECK: vector.shuffle %[[T]]#0, %[[T]]#1 [0, 1, 4, 5]
// CHECK: vector.shuffle %[[T]]#0, %[[T]]#1 [2, 3, 6, 7]
// CHECK: vector.shuffle %[[T]]#2, %[[T]]#3 [0, 1, 4, 5]
// CHECK: vector.shuffle %[[T]]#2, %[[T]]#3 [2, 3, 6, 7]
// CHECK: vector.shuffle %{{.*}} [0, 2, 4, 6]
// CHECK: vector.shuffle %{{.*}} [1, 3, 5, 7]
// CHECK: %[[ALL:.*]] = arith.addf
// CHECK-NOT: linalg.contract
// CHECK: vector.transfer_write %{{.*}}[%c0, %c0]
// CHECK: vector.transfer_write %{{.*}}[%c1, %c0]
func.func @tile(%a: tensor<2x?xf32>, %b: tensor<2x?xf32>, %c: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = linalg.contract indexing_maps = [#mk, #nk, #mn]
         {ein.schedule = #ein.schedule<loops = [d0: 2, d1: 2, d2], rows = d0: 2, columns = d1: 2,
                          sums = d2, vector = d2: 4>}
         ins(%a, %b : tensor<2x?xf32>, tensor<2x?xf32>) outs(%c : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// An edge: the last row there is stands for those that are not, and columns
// behind the end are not written. Each pass prefetches one of the next columns.
// CHECK-LABEL: func @edge
// CHECK-SAME: %[[A:[^:]*]]: tensor<?x64xf32>, %[[B:[^:]*]]: tensor<?x64xf32>
// CHECK: %[[ROWS:.*]] = tensor.dim %{{.*}}, %c0
// CHECK: %[[END:.*]] = affine.apply #{{.*}}()[%[[ROWS]]]
// CHECK: %[[LAST:.*]] = arith.minsi %[[END]], %c1
// CHECK: %[[MEMORY:.*]] = bufferization.to_buffer %[[B]] read_only
// CHECK: scf.for %[[K:.*]] = %c0 to %c64 step %c4
// CHECK: memref.prefetch %[[MEMORY]][%c2, %[[K]]], read, locality<2>, data
// CHECK: vector.transfer_read %[[A]][%[[LAST]], %[[K]]]
// CHECK-NOT: scf.for
// CHECK: vector.transfer_write %{{.*}}, %{{.*}}[%[[LAST]], %c0] : vector<2xf32>
func.func @edge(%a: tensor<?x64xf32>, %b: tensor<?x64xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.contract indexing_maps = [#mk, #nk, #mn]
         {ein.schedule = #ein.schedule<loops = [d2, d1: 2, d0: 2], rows = d0: 2, columns = d1: 2,
                          sums = d2, vector = d2: 4, prefetch = 1>}
         ins(%a, %b : tensor<?x64xf32>, tensor<?x64xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// A dot: two vectors a step, and one of what is left; what it
// starts from is not read if that is a number.
// CHECK-LABEL: func @dot
// CHECK: %[[S:.*]]:2 = scf.for %{{.*}} = %c0 to %c16 step %c8
// CHECK: %[[U:.*]] = scf.for %{{.*}} = %c16 to %c21 step %c4 iter_args(%{{.*}} = %[[S]]#0)
// CHECK: arith.addf %[[U]], %[[S]]#1 : vector<4xf32>
// CHECK-NOT: tensor.extract
// CHECK: tensor.insert
func.func @dot(%x: tensor<21xf32>, %s: tensor<f32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%s : tensor<f32>) -> tensor<f32>
  %0 = linalg.contract indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>]
         {ein.schedule = #ein.schedule<loops = [d0], sums = d0: 2, vector = d0: 4>}
         ins(%x, %x : tensor<21xf32>, tensor<21xf32>) outs(%f : tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @untiled(%a: tensor<2x?xf32>, %b: tensor<3x?xf32>, %c: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{has dim d1 of more than 2, which is its schedule's tile; run `ein-tile-contractions` first}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                                        affine_map<(m, n, k) -> (m, n)>]
         {ein.schedule = #ein.schedule<loops = [d0: 2, d1: 2, d2], rows = d0: 2, columns = d1: 2,
                          sums = d2, vector = d2: 4>}
         ins(%a, %b : tensor<2x?xf32>, tensor<3x?xf32>) outs(%c : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @strided(%a: tensor<2x?xf32>, %b: tensor<?x2xf32>, %c: tensor<2x2xf32>) -> tensor<2x2xf32> {
  // expected-error @+1 {{is not contiguous along the dims that its schedule says}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                                        affine_map<(m, n, k) -> (m, n)>]
         {ein.schedule = #ein.schedule<loops = [d0: 2, d1: 2, d2], rows = d0: 2, columns = d1: 2,
                          sums = d2, vector = d2: 4>}
         ins(%a, %b : tensor<2x?xf32>, tensor<?x2xf32>) outs(%c : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

func.func @integers(%a: tensor<2x?xi32>, %b: tensor<2x?xi32>, %c: tensor<2x2xi32>) -> tensor<2x2xi32> {
  // expected-error @+1 {{is not a sum of products of one type of floats, which its schedule is for}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                                        affine_map<(m, n, k) -> (m, n)>]
         {ein.schedule = #ein.schedule<loops = [d0: 2, d1: 2, d2], rows = d0: 2, columns = d1: 2,
                          sums = d2, vector = d2: 4>}
         ins(%a, %b : tensor<2x?xi32>, tensor<2x?xi32>) outs(%c : tensor<2x2xi32>) -> tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// In the first block of k the tile starts from a number, in others from C.
// CHECK-LABEL: func @block
// CHECK-SAME: %[[C:[^:]*]]: tensor<1x4xf32>, %[[FIRST:[^:]*]]: i1
// CHECK: %[[OLD:.*]] = vector.transfer_read %[[C]]
// CHECK: %[[START:.*]] = arith.select %[[FIRST]], %{{.*}}, %[[OLD]] : vector<4xf32>
// CHECK: %[[SUM:.*]] = arith.addf %[[START]]
// CHECK: vector.transfer_write %[[SUM]], %[[C]]
// CHECK-NOT: linalg.fill
func.func @block(%a: tensor<1x?xf32>, %b: tensor<4x?xf32>, %c: tensor<1x4xf32>, %first: i1) -> tensor<1x4xf32> {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%c : tensor<1x4xf32>) -> tensor<1x4xf32>
  %s = arith.select %first, %f, %c : tensor<1x4xf32>
  %0 = linalg.contract indexing_maps = [#mk, #nk, #mn]
         {ein.schedule = #ein.schedule<loops = [d0, d1, d2], rows = d0: 1, columns = d1: 4,
                          sums = d2, vector = d2: 4>}
         ins(%a, %b : tensor<1x?xf32>, tensor<4x?xf32>) outs(%s : tensor<1x4xf32>) -> tensor<1x4xf32>
  return %0 : tensor<1x4xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Halves: a lane gets two products, and the last vector of a row ends with zeros.
// CHECK-LABEL: func @halves
// CHECK-SAME: %[[A:[^:]*]]: tensor<2x?xbf16>, %[[B:[^:]*]]: tensor<2x?xbf16>
// CHECK: scf.for %[[K:.*]] = %c0 to %{{.*}} step %c8 iter_args({{.*}}) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>)
// CHECK: vector.transfer_read %[[A]][%c0, %[[K]]], %{{.*}} : tensor<2x?xbf16>, vector<8xbf16>
// CHECK-COUNT-4: ein.dot_products %{{.*}} by "llvm.x86.avx512bf16.dpbf16ps.128" of 128 : vector<4x2xbf16>, vector<4x2xbf16>, vector<4xf32>
// CHECK: scf.for
// CHECK: vector.transfer_read %[[A]][%c0, %{{.*}}], %{{[^ ]*}}, %{{[^ ]*}} {in_bounds = [true]} : tensor<2x?xbf16>, vector<8xbf16>
// CHECK-COUNT-4: ein.dot_products
func.func @halves(%a: tensor<2x?xbf16>, %b: tensor<2x?xbf16>, %c: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = linalg.contract indexing_maps = [#mk, #nk, #mn]
         {ein.schedule = #ein.schedule<loops = [d0: 2, d1: 2, d2], rows = d0: 2, columns = d1: 2,
                          sums = d2, vector = d2: 8, widening = 2,
                          instruction = "llvm.x86.avx512bf16.dpbf16ps.128", instruction_bits = 128>}
         ins(%a, %b : tensor<2x?xbf16>, tensor<2x?xbf16>) outs(%c : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

func.func @other_halves(%a: tensor<2x?xf32>, %b: tensor<2x?xbf16>, %c: tensor<2x2xf32>) -> tensor<2x2xf32> {
  // expected-error @+1 {{does not add up 2 elements in a lane as wide as these}}
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                                        affine_map<(m, n, k) -> (m, n)>]
         {ein.schedule = #ein.schedule<loops = [d0: 2, d1: 2, d2], rows = d0: 2, columns = d1: 2,
                          sums = d2, vector = d2: 8, widening = 2>}
         ins(%a, %b : tensor<2x?xf32>, tensor<2x?xbf16>) outs(%c : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
