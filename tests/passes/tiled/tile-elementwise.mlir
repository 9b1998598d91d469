// RUN: ein-opt %s -ein-tile-elementwise -canonicalize -split-input-file -verify-diagnostics \
// RUN:   | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>

// One vector along j; the loop over whole vectors, then one for what is left.
// CHECK-LABEL: func @add
// CHECK: scf.for {{.*}} step %c1 iter_args
// CHECK:   scf.for {{.*}} step %c8 iter_args
// CHECK:     linalg.generic {{.*}} ins(%{{.*}} : tensor<1x8xf32>) outs(%{{.*}} : tensor<1x8xf32>)
// CHECK:   linalg.generic {{.*}} ins(%{{.*}} : tensor<1x?xf32>)
// CHECK-NOT: linalg.generic
func.func @add(%a: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<?x?xf32>) outs(%c : tensor<?x?xf32>)
    attrs = {ein.schedule = #ein.schedule<loops = [d0: 1, d1: 8], vector = d1>} {
  ^bb0(%x: f32, %z: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// Whole vectors only: nothing is left over.
// CHECK-LABEL: func @whole
// CHECK: scf.for
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<8xf32>)
// CHECK-NOT: linalg.generic
func.func @whole(%a: tensor<24xf32>, %c: tensor<24xf32>) -> tensor<24xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
    ins(%a : tensor<24xf32>) outs(%c : tensor<24xf32>)
    attrs = {ein.schedule = #ein.schedule<loops = [d0: 8], vector = d0>} {
  ^bb0(%x: f32, %z: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<24xf32>
  return %0 : tensor<24xf32>
}

// -----

// Another schedule: left alone.
// CHECK-LABEL: func @loops
// CHECK-NOT: scf.for
func.func @loops(%a: tensor<24xf32>, %c: tensor<24xf32>) -> tensor<24xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
    ins(%a : tensor<24xf32>) outs(%c : tensor<24xf32>)
    attrs = {ein.schedule = #ein.schedule<>} {
  ^bb0(%x: f32, %z: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<24xf32>
  return %0 : tensor<24xf32>
}
