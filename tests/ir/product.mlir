// `ein.product` is printed as it is read, in both forms.
// RUN: ein-opt %s | FileCheck %s
// RUN: ein-opt %s | ein-opt | FileCheck %s
// RUN: ein-opt %s -mlir-print-op-generic | ein-opt | FileCheck %s

// CHECK-DAG: #[[WINDOW:.*]] = affine_map<(d0, d1, d2, d3) -> (d0 * 2 + d3)>
// CHECK-DAG: #[[FK:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d3)>

// CHECK-LABEL: func @window
// CHECK: ein.product indexing_maps = [#[[WINDOW]], #[[FK]], {{.*}}] extents = [%{{.*}}, 8, 16, 3]
// CHECK-SAME: path = [array<i64: 1, 2>, array<i64: 0, 3>]
// CHECK-SAME: ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<?xf32>, tensor<8x3xf32>, tensor<8x16xf32>)
// CHECK-SAME: where(%{{.*}} : tensor<?x16xi8>)
// CHECK-SAME: outs(%{{.*}} : tensor<?x16xf32>) -> tensor<?x16xf32>
func.func @window(%i: tensor<?xf32>, %w: tensor<8x3xf32>, %v: tensor<8x16xf32>,
                  %c: tensor<?x16xi8>, %init: tensor<?x16xf32>, %h: index) -> tensor<?x16xf32> {
  %0 = ein.product indexing_maps = [affine_map<(h, f, g, k) -> (2 * h + k)>,
                                    affine_map<(h, f, g, k) -> (f, k)>,
                                    affine_map<(h, f, g, k) -> (f, g)>,
                                    affine_map<(h, f, g, k) -> (h, g)>,
                                    affine_map<(h, f, g, k) -> (h, g)>]
         extents = [%h, 8, 16, 3] path = [array<i64: 1, 2>, array<i64: 0, 3>]
         ins(%i, %w, %v : tensor<?xf32>, tensor<8x3xf32>, tensor<8x16xf32>)
         where(%c : tensor<?x16xi8>)
         outs(%init : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %0 : tensor<?x16xf32>
}

// An input is empty along a sum if a dim of it is.
// CHECK-LABEL: func @empty
// CHECK: ein.product
func.func @empty(%a: tensor<0xf32>, %c: tensor<f32>) -> tensor<f32> {
  %0 = ein.product indexing_maps = [affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> ()>]
         extents = [0, 3] ins(%a : tensor<0xf32>) outs(%c : tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
