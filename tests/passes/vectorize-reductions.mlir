// RUN: ein-opt %s -ein-vectorize-reductions -canonicalize -cse -split-input-file -verify-diagnostics | FileCheck %s

// Two accumulators of four along the row, what is left by one vector and a
// masked one; then halves are added, and the result's element last. The fill is
// not read.
// CHECK-LABEL: func @row
// CHECK-SAME: %[[A:.*]]: tensor<3x?xf32>
// CHECK-DAG: %[[NEUTRAL:.*]] = arith.constant dense<-0.000000e+00> : vector<4xf32>
// CHECK-NOT: linalg
// CHECK: scf.for %[[I:.*]] = %c0 to %c3
// CHECK: %[[WIDE:.*]]:2 = scf.for %[[J:.*]] = %c0 to %{{.*}} step %c8 iter_args(%[[S0:.*]] = %[[NEUTRAL]], %[[S1:.*]] = %[[NEUTRAL]])
// CHECK: %[[V0:.*]] = vector.transfer_read %[[A]][%[[I]], %[[J]]]
// CHECK: arith.addf %[[S0]], %[[V0]] {{.*}} : vector<4xf32>
// CHECK: vector.transfer_read
// CHECK: arith.addf %[[S1]]
// CHECK: %[[ONE:.*]] = scf.for {{.*}} step %c4 iter_args(%{{.*}} = %[[WIDE]]#0)
// CHECK: %[[REST:.*]] = scf.for {{.*}} step %c4 iter_args(%[[S:.*]] = %[[ONE]])
// CHECK: %[[MASK:.*]] = arith.cmpi sgt
// CHECK: %[[V:.*]] = vector.transfer_read {{.*}}, %[[MASK]]
// CHECK: %[[SUM:.*]] = arith.addf %[[S]], %[[V]]
// CHECK: arith.select %[[MASK]], %[[SUM]], %[[S]]
// CHECK: %[[BOTH:.*]] = arith.addf %[[REST]], %[[WIDE]]#1
// CHECK: vector.shuffle %[[BOTH]], %[[BOTH]] [0, 1]
// CHECK: vector.shuffle %[[BOTH]], %[[BOTH]] [2, 3]
// CHECK: arith.addf {{.*}} : vector<2xf32>
// CHECK: %[[ALL:.*]] = arith.addf {{.*}} : vector<1xf32>
// CHECK: %[[NUMBER:.*]] = vector.extract %[[ALL]][0]
// CHECK: %[[TOTAL:.*]] = arith.addf %[[NUMBER]]
// CHECK: tensor.insert %[[TOTAL]]
func.func @row(%a: tensor<3x?xf32>, %c: tensor<3xf32>) -> tensor<3xf32> {
  %zero = arith.constant 0.0 : f32
  %start = linalg.fill ins(%zero : f32) outs(%c : tensor<3xf32>) -> tensor<3xf32>
  %0 = linalg.generic {
         indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>],
         iterator_types = ["parallel", "reduction"],
         ein.strategy = {kind = "reduce", tile = array<i64: 1, 0>, interchange = array<i64: 0, 1>,
                         vector_dim = 1 : i64, lanes = 4 : i64, unroll = 2 : i64, masked}}
         ins(%a : tensor<3x?xf32>) outs(%start : tensor<3xf32>) {
  ^bb0(%x: f32, %s: f32):
    %1 = arith.addf %s, %x fastmath<reassoc,contract> : f32
    linalg.yield %1 : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// Along columns, three rows at a time: the result is read and written once for
// these. Without masks the last columns are single elements.
// CHECK-LABEL: func @columns
// CHECK-SAME: %[[A:.*]]: tensor<?x10xf32>, %[[C:.*]]: tensor<10xf32>
// CHECK: scf.for %[[K:.*]] = %c0 to %{{.*}} step %c3
// CHECK: %[[END:.*]] = affine.min
// CHECK: vector.transfer_read {{.*}} vector<4xf32>
// CHECK: vector.transfer_read {{.*}} vector<4xf32>
// CHECK: scf.for %[[I:.*]] = %[[K]] to %[[END]] step %c1
// CHECK: vector.transfer_read %[[A]][%[[I]], %c0]
// CHECK: arith.mulf {{.*}} : vector<4xf32>
// CHECK: vector.transfer_read %[[A]][%[[I]], %c4]
// CHECK: arith.mulf {{.*}} : vector<4xf32>
// CHECK: vector.transfer_write
// CHECK: vector.transfer_write
// CHECK: scf.for {{.*}} = %c8 to %c10 step %c1
// CHECK: arith.mulf {{.*}} : vector<1xf32>
func.func @columns(%a: tensor<?x10xf32>, %c: tensor<10xf32>) -> tensor<10xf32> {
  %0 = linalg.generic {
         indexing_maps = [affine_map<(n, k) -> (k, n)>, affine_map<(n, k) -> (n)>],
         iterator_types = ["parallel", "reduction"],
         ein.strategy = {kind = "reduce", tile = array<i64: 0, 3>, interchange = array<i64: 1, 0>,
                         vector_dim = 0 : i64, lanes = 4 : i64, unroll = 2 : i64}}
         ins(%a : tensor<?x10xf32>) outs(%c : tensor<10xf32>) {
  ^bb0(%x: f32, %s: f32):
    %1 = arith.mulf %s, %x : f32
    linalg.yield %1 : f32
  } -> tensor<10xf32>
  return %0 : tensor<10xf32>
}

// -----

// A sum that has an order is not one of lanes.
func.func @ordered(%a: tensor<3x8xf32>, %c: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{cannot be reduced in vectors: its values must be combined in their order}}
  %0 = linalg.generic {
         indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>],
         iterator_types = ["parallel", "reduction"],
         ein.strategy = {kind = "reduce", tile = array<i64: 1, 0>, interchange = array<i64: 0, 1>,
                         vector_dim = 1 : i64, lanes = 4 : i64}}
         ins(%a : tensor<3x8xf32>) outs(%c : tensor<3xf32>) {
  ^bb0(%x: f32, %s: f32):
    %1 = arith.addf %s, %x : f32
    linalg.yield %1 : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @tiles(%a: tensor<3x8xf32>, %c: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{has a tile of 2 along d0, which a reduction does not have there}}
  %0 = linalg.generic {
         indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>],
         iterator_types = ["parallel", "reduction"],
         ein.strategy = {kind = "reduce", tile = array<i64: 2, 0>, interchange = array<i64: 0, 1>,
                         vector_dim = 1 : i64, lanes = 4 : i64}}
         ins(%a : tensor<3x8xf32>) outs(%c : tensor<3xf32>) {
  ^bb0(%x: f32, %s: f32):
    %1 = arith.maximumf %s, %x : f32
    linalg.yield %1 : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
