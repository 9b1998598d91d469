// RUN: ein-opt %s -ein-order-contractions="triple=x86_64-unknown-linux-gnu cpu=skylake-avx512" \
// RUN:   | FileCheck %s
// RUN: ein-opt %s -ein-order-contractions="unknown-size=2 \
// RUN: triple=x86_64-unknown-linux-gnu cpu=skylake-avx512" \
// RUN:   | FileCheck %s --check-prefixes=CHECK,SMALL
// RUN: ein-opt %s -ein-order-contractions="unknown-size=1000 \
// RUN: triple=x86_64-unknown-linux-gnu cpu=skylake-avx512" \
// RUN:   | FileCheck %s --check-prefixes=CHECK,LARGE
// RUN: ein-opt %s -ein-order-contractions="strategy=left max-temp=512 \
// RUN: triple=x86_64-unknown-linux-gnu cpu=skylake-avx512" \
// RUN:   | FileCheck %s --check-prefix=SLICED
// RUN: not ein-opt %s -ein-order-contractions="strategy=right" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=STRATEGY
// RUN: not ein-opt %s -ein-order-contractions="max-temp=8" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LEAST
// STRATEGY: error: there is no strategy `right` for the order of contraction
// LEAST: error: has temporaries of 64 bytes at least, and may have 8

// (2x100)(100x100)(100x3): from the left the first product is the small one.
// CHECK-LABEL: func @left
// CHECK-SAME: (%[[A:.*]]: tensor<2x100xf32>, %[[B:.*]]: tensor<100x100xf32>, %[[C:.*]]: tensor<100x3xf32>, %[[INIT:.*]]: tensor<2x3xf32>)
// CHECK: %[[ZERO:.*]] = linalg.fill
// CHECK: %[[T:.*]] = ein.einsum {{.*}} ins(%[[A]], %[[B]] : {{.*}}) outs(%[[ZERO]] : tensor<2x100xf32>)
// CHECK: %[[R:.*]] = ein.einsum {{.*}} ins({{.*}}%[[T]]{{.*}} : {{.*}}) outs(%[[INIT]] : tensor<2x3xf32>)
// CHECK: return %[[R]]
func.func @left(%a: tensor<2x100xf32>, %b: tensor<100x100xf32>, %c: tensor<100x3xf32>,
                %init: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = ein.einsum indexing_maps = [affine_map<(i, l, j, k) -> (i, j)>,
                                   affine_map<(i, l, j, k) -> (j, k)>,
                                   affine_map<(i, l, j, k) -> (k, l)>,
                                   affine_map<(i, l, j, k) -> (i, l)>]
         ins(%a, %b, %c : tensor<2x100xf32>, tensor<100x100xf32>, tensor<100x3xf32>)
         outs(%init : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// The same the other way round. What has 3 columns has them outside.
// CHECK-LABEL: func @right
// CHECK-SAME: (%[[A:.*]]: tensor<30x100xf32>, %[[B:.*]]: tensor<100x100xf32>, %[[C:.*]]: tensor<100x3xf32>,
// CHECK: ein.einsum {{.*}} ins(%[[B]], %[[C]] : {{.*}}) outs(%{{.*}} : tensor<3x100xf32>)
func.func @right(%a: tensor<30x100xf32>, %b: tensor<100x100xf32>, %c: tensor<100x3xf32>,
                 %init: tensor<30x3xf32>) -> tensor<30x3xf32> {
  %0 = ein.einsum indexing_maps = [affine_map<(i, l, j, k) -> (i, j)>,
                                   affine_map<(i, l, j, k) -> (j, k)>,
                                   affine_map<(i, l, j, k) -> (k, l)>,
                                   affine_map<(i, l, j, k) -> (i, l)>]
         ins(%a, %b, %c : tensor<30x100xf32>, tensor<100x100xf32>, tensor<100x3xf32>)
         outs(%init : tensor<30x3xf32>) -> tensor<30x3xf32>
  return %0 : tensor<30x3xf32>
}

// An unknown extent counts as `unknown-size`: (16x?)(?x16)(16x16). The first
// order is the cheapest for it, the other one in the branch for other sizes.
// Temporaries take their extents from the operands.
// CHECK-LABEL: func @unknown
// CHECK-SAME: (%[[A:.*]]: tensor<16x?xf32>, %[[B:.*]]: tensor<?x16xf32>, %[[C:.*]]: tensor<16x16xf32>,
// CHECK: %[[N:.*]] = tensor.dim %{{.*}}, %{{.*}}
// CHECK: arith.addf
// CHECK: %[[IS_FIRST:.*]] = arith.cmpf ole, %{{.*}}, %{{.*}} : f64
// CHECK: scf.if %[[IS_FIRST]]
// LARGE: ein.einsum {{.*}} ins(%[[A]], %[[B]] : {{.*}}) outs(%{{.*}} : tensor<16x16xf32>)
// SMALL: tensor.empty(%[[N]]) : tensor<?x16xf32>
// SMALL: ein.einsum {{.*}} ins(%[[B]], %[[C]] : {{.*}}) outs(%{{.*}} : tensor<?x16xf32>)
// CHECK: scf.yield
// CHECK: } else {
// SMALL: ein.einsum {{.*}} ins(%[[A]], %[[B]] : {{.*}}) outs(%{{.*}} : tensor<16x16xf32>)
// LARGE: ein.einsum {{.*}} ins(%[[B]], %[[C]] : {{.*}}) outs(%{{.*}} : tensor<16x?xf32>)
// CHECK: scf.yield
func.func @unknown(%a: tensor<16x?xf32>, %b: tensor<?x16xf32>, %c: tensor<16x16xf32>,
                   %init: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %0 = ein.einsum indexing_maps = [affine_map<(i, l, j, k) -> (i, j)>,
                                   affine_map<(i, l, j, k) -> (j, k)>,
                                   affine_map<(i, l, j, k) -> (k, l)>,
                                   affine_map<(i, l, j, k) -> (i, l)>]
         ins(%a, %b, %c : tensor<16x?xf32>, tensor<?x16xf32>, tensor<16x16xf32>)
         outs(%init : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}

// Temporaries have the result's type: f32 inputs of an f64 sum are not rounded.
// CHECK-LABEL: func @wide
// CHECK: tensor.empty() : tensor<{{.*}}xf64>
// CHECK: ein.einsum
// CHECK: ein.einsum
// CHECK-NOT: ein.einsum
func.func @wide(%a: tensor<4x4xf32>, %init: tensor<4x4xf64>) -> tensor<4x4xf64> {
  %0 = ein.einsum indexing_maps = [affine_map<(i, l, j, k) -> (i, j)>,
                                   affine_map<(i, l, j, k) -> (j, k)>,
                                   affine_map<(i, l, j, k) -> (k, l)>,
                                   affine_map<(i, l, j, k) -> (i, l)>]
         ins(%a, %a, %a : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
         outs(%init : tensor<4x4xf64>) -> tensor<4x4xf64>
  return %0 : tensor<4x4xf64>
}

// Two inputs have one order.
// CHECK-LABEL: func @pair
// CHECK-NOT: linalg.fill
// CHECK: ein.einsum
// CHECK-NOT: ein.einsum
func.func @pair(%a: tensor<4x4xf32>, %init: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = ein.einsum indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
                                   affine_map<(i, j, k) -> (k, j)>,
                                   affine_map<(i, j, k) -> (i, j)>]
         ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>)
         outs(%init : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// What is to be multiplied on its own is, whatever it costs.
// CHECK-LABEL: func @path
// CHECK-SAME: (%[[A:.*]]: tensor<2x100xf32>, %[[B:.*]]: tensor<100x100xf32>, %[[C:.*]]: tensor<100x3xf32>,
// CHECK: %[[T:.*]] = ein.einsum {{.*}} ins(%[[B]], %[[C]] : {{.*}}) outs(%{{.*}} : tensor<3x100xf32>)
// CHECK: ein.einsum {{.*}} ins(%[[A]], %[[T]] :
// CHECK-NOT: path
func.func @path(%a: tensor<2x100xf32>, %b: tensor<100x100xf32>, %c: tensor<100x3xf32>,
                %init: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = ein.einsum indexing_maps = [affine_map<(i, l, j, k) -> (i, j)>,
                                   affine_map<(i, l, j, k) -> (j, k)>,
                                   affine_map<(i, l, j, k) -> (k, l)>,
                                   affine_map<(i, l, j, k) -> (i, l)>]
         path = [array<i64: 1, 2>]
         ins(%a, %b, %c : tensor<2x100xf32>, tensor<100x100xf32>, tensor<100x3xf32>)
         outs(%init : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// Temporaries of 100x3 floats are made in parts of 25x3. Nothing is allocated in
// the loop.
// SLICED-LABEL: func @sliced
// SLICED-SAME: (%[[A:.*]]: tensor<100x5xf32>, %[[B:.*]]: tensor<5x3xf32>, %[[C:.*]]: tensor<3x100xf32>,
// SLICED: %[[T:.*]] = tensor.empty() : tensor<25x3xf32>
// SLICED: %[[ALL:.*]] = scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[R:.*]] = %{{.*}}) -> (tensor<100x100xf32>)
// SLICED: %[[A1:.*]] = tensor.extract_slice %[[A]][%[[I]], 0] [25, 5] [1, 1] : tensor<100x5xf32> to tensor<25x5xf32>
// SLICED-NOT: tensor.empty
// SLICED: %[[ZERO:.*]] = linalg.fill {{.*}} outs(%[[T]]
// SLICED: %[[AB:.*]] = ein.einsum {{.*}} ins(%[[A1]], %[[B]] : {{.*}}) outs(%[[ZERO]] : tensor<25x3xf32>)
// SLICED: %[[PART:.*]] = tensor.extract_slice %[[R]][%[[I]], 0] [25, 100] [1, 1]
// SLICED: %[[ROWS:.*]] = ein.einsum {{.*}} ins({{.*}}%[[AB]]{{.*}}) outs(%[[PART]] : tensor<25x100xf32>)
// SLICED: %[[NEXT:.*]] = tensor.insert_slice %[[ROWS]] into %[[R]][%[[I]], 0] [25, 100] [1, 1]
// SLICED: scf.yield %[[NEXT]]
// SLICED: return %[[ALL]]
func.func @sliced(%a: tensor<100x5xf32>, %b: tensor<5x3xf32>, %c: tensor<3x100xf32>,
                  %init: tensor<100x100xf32>) -> tensor<100x100xf32> {
  %0 = ein.einsum indexing_maps = [affine_map<(i, l, j, k) -> (i, j)>,
                                   affine_map<(i, l, j, k) -> (j, k)>,
                                   affine_map<(i, l, j, k) -> (k, l)>,
                                   affine_map<(i, l, j, k) -> (i, l)>]
         ins(%a, %b, %c : tensor<100x5xf32>, tensor<5x3xf32>, tensor<3x100xf32>)
         outs(%init : tensor<100x100xf32>) -> tensor<100x100xf32>
  return %0 : tensor<100x100xf32>
}

// What others need as well costs nothing: without it the right one is cheaper,
// as above. It is written before the branches of several orders.
// CHECK-LABEL: func @shared
// CHECK-SAME: (%[[A:.*]]: tensor<30x100xf32>, %[[B:.*]]: tensor<100x100xf32>, %[[C:.*]]: tensor<100x3xf32>,
// CHECK: %[[T:.*]] = ein.einsum {{.*}} ins(%[[A]], %[[B]] : {{.*}}) outs(%{{.*}} : tensor<30x100xf32>)
// CHECK: ein.einsum {{.*}}%[[T]]
func.func @shared(%a: tensor<30x100xf32>, %b: tensor<100x100xf32>, %c: tensor<100x3xf32>,
                  %init: tensor<30x3xf32>) -> tensor<30x3xf32> {
  %0 = ein.einsum indexing_maps = [affine_map<(i, l, j, k) -> (i, j)>,
                                   affine_map<(i, l, j, k) -> (j, k)>,
                                   affine_map<(i, l, j, k) -> (k, l)>,
                                   affine_map<(i, l, j, k) -> (i, l)>]
         shared = [array<i64: 0, 1>]
         ins(%a, %b, %c : tensor<30x100xf32>, tensor<100x100xf32>, tensor<100x3xf32>)
         outs(%init : tensor<30x3xf32>) -> tensor<30x3xf32>
  return %0 : tensor<30x3xf32>
}

// CHECK-LABEL: func @shared_unknown
// CHECK-SAME: (%[[A:.*]]: tensor<?x?xf32>, %[[B:.*]]: tensor<?x?xf32>, %[[C:.*]]: tensor<?x?xf32>,
// CHECK: %[[T:.*]] = ein.einsum {{.*}} ins(%[[A]], %[[B]] : {{.*}})
// CHECK: scf.if
// CHECK: ein.einsum {{.*}}%[[T]]
// CHECK: else
// CHECK: ein.einsum {{.*}} ins(%[[B]], %[[C]] : {{.*}})
func.func @shared_unknown(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>,
                          %init: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = ein.einsum indexing_maps = [affine_map<(i, l, j, k) -> (i, j)>,
                                   affine_map<(i, l, j, k) -> (j, k)>,
                                   affine_map<(i, l, j, k) -> (k, l)>,
                                   affine_map<(i, l, j, k) -> (i, l)>]
         shared = [array<i64: 0, 1>]
         ins(%a, %b, %c : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>)
         outs(%init : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
