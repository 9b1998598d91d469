// Products with index arithmetic and conditions: a step without either is an
// einsum of two, any other one a generic.
// RUN: ein-opt %s -ein-order-contractions -split-input-file | FileCheck %s
// RUN: ein-opt %s -ein-order-contractions=max-temp=64 -split-input-file \
// RUN:   | FileCheck %s --check-prefix=SMALL
// SMALL-NOT: ein.{{einsum|product}}

// Filters are multiplied first; the rest is a window.
// CHECK-LABEL: func @filters
// CHECK-SAME: (%[[I:.*]]: tensor<8x16x203xf32>, %[[W:.*]]: tensor<32x16x5xf32>, %[[V:.*]]: tensor<32x8xf32>, %[[INIT:.*]]: tensor<8x8x100xf32>)
// CHECK: %[[T:.*]] = ein.einsum {{.*}} ins(%[[W]], %[[V]] : {{.*}}) outs(%{{.*}} : tensor<8x16x5xf32>)
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}, #{{.*}}], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
// CHECK-SAME: ins(%[[I]], %[[T]] : {{.*}}) outs(%[[INIT]] : tensor<8x8x100xf32>)
// CHECK: arith.mulf {{.*}} fastmath<contract>
// CHECK: arith.addf {{.*}} fastmath<reassoc,contract>
// As temporaries of that size are not wanted, it is one nest.
// SMALL-LABEL: func @filters
// SMALL: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}}, %{{.*}} : {{.*}}) outs(%{{.*}} : tensor<8x8x100xf32>)
// SMALL-NOT: linalg.generic
// SMALL: return
func.func @filters(%i: tensor<8x16x203xf32>, %w: tensor<32x16x5xf32>, %v: tensor<32x8xf32>,
                   %init: tensor<8x8x100xf32>) -> tensor<8x8x100xf32> {
  %0 = ein.product indexing_maps = [affine_map<(n, g, h, c, k, f) -> (n, c, 2 * h + k)>,
                                    affine_map<(n, g, h, c, k, f) -> (f, c, k)>,
                                    affine_map<(n, g, h, c, k, f) -> (f, g)>,
                                    affine_map<(n, g, h, c, k, f) -> (n, g, h)>]
         extents = [8, 8, 100, 16, 5, 32]
         ins(%i, %w, %v : tensor<8x16x203xf32>, tensor<32x16x5xf32>, tensor<32x8xf32>)
         outs(%init : tensor<8x8x100xf32>) -> tensor<8x8x100xf32>
  return %0 : tensor<8x8x100xf32>
}

// -----

// Points are multiplied first, in loops over the sum: no arithmetic is in that.
// CHECK-LABEL: func @points
// CHECK: %[[T:.*]] = ein.einsum {{.*}} outs(%{{.*}} : tensor<8x2x108xf32>)
// CHECK: linalg.generic {{.*}}%[[T]]{{.*}} outs(%{{.*}} : tensor<8x64x100xf32>)
func.func @points(%i: tensor<8x64x108xf32>, %p: tensor<64x2xf32>, %w: tensor<64x2x9xf32>,
                  %init: tensor<8x64x100xf32>) -> tensor<8x64x100xf32> {
  %0 = ein.product indexing_maps = [affine_map<(n, f, h, c, d, k) -> (n, c, h + k)>,
                                    affine_map<(n, f, h, c, d, k) -> (c, d)>,
                                    affine_map<(n, f, h, c, d, k) -> (f, d, k)>,
                                    affine_map<(n, f, h, c, d, k) -> (n, f, h)>]
         extents = [8, 64, 100, 64, 2, 9]
         ins(%i, %p, %w : tensor<8x64x108xf32>, tensor<64x2xf32>, tensor<64x2x9xf32>)
         outs(%init : tensor<8x64x100xf32>) -> tensor<8x64x100xf32>
  return %0 : tensor<8x64x100xf32>
}

// -----

// What only one factor has is summed before; the loop that no operand has alone gets a shape.
// CHECK-LABEL: func @own
// CHECK-SAME: (%[[I:.*]]: tensor<6x22xf32>
// CHECK: %[[K:.*]] = tensor.empty() : tensor<3xf32>
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[I]], %[[K]] : {{.*}}) outs(%{{.*}} : tensor<6x20xf32>)
// CHECK: ein.einsum
// CHECK: ein.einsum
func.func @own(%i: tensor<6x22xf32>, %p: tensor<6x7xf32>, %q: tensor<7x5xf32>,
               %init: tensor<5x20xf32>) -> tensor<5x20xf32> {
  %0 = ein.product indexing_maps = [affine_map<(l, h, n, m, k) -> (n, h + k)>,
                                    affine_map<(l, h, n, m, k) -> (n, m)>,
                                    affine_map<(l, h, n, m, k) -> (m, l)>,
                                    affine_map<(l, h, n, m, k) -> (l, h)>]
         extents = [5, 20, 6, 7, 3]
         ins(%i, %p, %q : tensor<6x22xf32>, tensor<6x7xf32>, tensor<7x5xf32>)
         outs(%init : tensor<5x20xf32>) -> tensor<5x20xf32>
  return %0 : tensor<5x20xf32>
}

// -----

// A condition that is computed for its indices is computed where it is looked at;
// another one is read there.
// CHECK-LABEL: func @conditions
// CHECK-SAME: %[[READ:[^:]*]]: tensor<20xi8>
// CHECK: %[[T:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%{{.*}}, %{{.*}} : tensor<20x20xf32>, tensor<20x20xf32>) outs
// CHECK: linalg.index
// CHECK: arith.cmpi sle
// CHECK: arith.select
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[T]], %[[READ]] : {{.*}})
// CHECK: arith.select
func.func @conditions(%a: tensor<20x20xf32>, %b: tensor<20x20xf32>, %c: tensor<20x20xf32>,
                      %read: tensor<20xi8>, %init: tensor<20x20xf32>) -> tensor<20x20xf32> {
  %empty = tensor.empty() : tensor<20x20xi8>
  %lower = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>],
                           iterator_types = ["parallel", "parallel"]}
             outs(%empty : tensor<20x20xi8>) {
  ^bb0(%out: i8):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %holds = arith.cmpi sle, %j, %i : index
    %byte = arith.extui %holds : i1 to i8
    linalg.yield %byte : i8
  } -> tensor<20x20xi8>
  %0 = ein.product indexing_maps = [affine_map<(i, m, k, l) -> (i, k)>,
                                    affine_map<(i, m, k, l) -> (k, l)>,
                                    affine_map<(i, m, k, l) -> (l, m)>,
                                    affine_map<(i, m, k, l) -> (i, k)>,
                                    affine_map<(i, m, k, l) -> (l)>,
                                    affine_map<(i, m, k, l) -> (i, m)>]
         extents = [20, 20, 20, 20]
         ins(%a, %b, %c : tensor<20x20xf32>, tensor<20x20xf32>, tensor<20x20xf32>)
         where(%lower, %read : tensor<20x20xi8>, tensor<20xi8>)
         outs(%init : tensor<20x20xf32>) -> tensor<20x20xf32>
  return %0 : tensor<20x20xf32>
}

// -----

// Of dynamic sizes: which order is the cheapest is found out when it runs.
// CHECK-LABEL: func @dynamic
// CHECK: arith.cmpf ole
// CHECK: scf.if
// CHECK: ein.einsum
// CHECK: scf.yield
// CHECK: else
// CHECK: ein.einsum
// CHECK: scf.yield
func.func @dynamic(%i: tensor<?x?x?xf32>, %w: tensor<?x?x?xf32>, %v: tensor<?x?xf32>, %init: tensor<?x?x?xf32>,
                %n: index, %g: index, %h: index, %c: index, %k: index, %f: index) -> tensor<?x?x?xf32> {
  %0 = ein.product indexing_maps = [affine_map<(n, g, h, c, k, f) -> (n, c, h + k)>,
                                    affine_map<(n, g, h, c, k, f) -> (f, c, k)>,
                                    affine_map<(n, g, h, c, k, f) -> (f, g)>,
                                    affine_map<(n, g, h, c, k, f) -> (n, g, h)>]
         extents = [%n, %g, %h, %c, %k, %f]
         ins(%i, %w, %v : tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?xf32>)
         outs(%init : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

// -----

// A path says all steps. One factor has none.
// CHECK-LABEL: func @given
// CHECK-SAME: (%[[A:.*]]: tensor<9xf32>, %[[B:.*]]: tensor<7x3xf32>, %[[C:[^:]*]]: tensor<7xf32>,
// CHECK: linalg.generic {{.*}} ins(%[[A]], %[[B]] :
// CHECK: ein.einsum {{.*}} ins(%[[C]], %{{.*}} :
// CHECK-LABEL: func @one
// CHECK: linalg.generic
func.func @given(%a: tensor<9xf32>, %b: tensor<7x3xf32>, %c: tensor<7xf32>, %init: tensor<7xf32>) -> tensor<7xf32> {
  %0 = ein.product indexing_maps = [affine_map<(h, k, f) -> (h + k)>, affine_map<(h, k, f) -> (f, k)>,
                                    affine_map<(h, k, f) -> (f)>, affine_map<(h, k, f) -> (h)>]
         extents = [7, 3, 7] path = [array<i64: 0, 1>, array<i64: 2, 3>]
         ins(%a, %b, %c : tensor<9xf32>, tensor<7x3xf32>, tensor<7xf32>)
         outs(%init : tensor<7xf32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}
func.func @one(%a: tensor<9xf32>, %init: tensor<7xf32>) -> tensor<7xf32> {
  %0 = ein.product indexing_maps = [affine_map<(h, k) -> (h + k)>, affine_map<(h, k) -> (h)>] extents = [7, 3]
         ins(%a : tensor<9xf32>) outs(%init : tensor<7xf32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}
