// RUN: ein-opt %s --ein-split-vectors --split-input-file --verify-diagnostics | FileCheck %s

// A structured op loops over the elements; strides were in vectors.
// CHECK: #[[A:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK: #[[B:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: @example1(
// CHECK-SAME: memref<?xf32>, %{{.*}}: memref<?x4xf32, strided<[8, 1], offset: 4>>
// CHECK: linalg.generic {indexing_maps = [#[[A]], #[[B]]], iterator_types = ["parallel", "parallel"]}
// CHECK: ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32):
// CHECK: %[[S:.*]] = arith.addf %[[X]], %[[Y]] : f32
// CHECK: linalg.yield %[[S]] : f32
func.func @example1(%a: memref<?xf32>, %b: memref<?xvector<4xf32>, strided<[2], offset: 1>>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%a : memref<?xf32>) outs(%b : memref<?xvector<4xf32>, strided<[2], offset: 1>>) {
  ^bb0(%x: f32, %y: vector<4xf32>):
    %v = vector.broadcast %x : f32 to vector<4xf32>
    %s = arith.addf %v, %y : vector<4xf32>
    linalg.yield %s : vector<4xf32>
  }
  return
}

// -----

// Elements that differ are picked by their place; views, loads and stores.
// CHECK-LABEL: @others(
// CHECK: linalg.generic
// CHECK: linalg.index 1
// CHECK: arith.select
// CHECK: memref.subview %{{.*}}[1, 0] [3, 2] [1, 1] : memref<?x2xf32> to memref<3x2xf32, strided<[2, 1], offset: 2>>
// CHECK: %[[V:.*]] = memref.load %{{.*}}[%{{.*}}, %{{.*}}]
// CHECK: %[[W:.*]] = memref.load
// CHECK: %[[P:.*]] = arith.mulf %[[V]], %[[V]] : f32
// CHECK: %[[Q:.*]] = arith.mulf %[[W]], %[[W]] : f32
// CHECK: memref.store %[[P]]
// CHECK: memref.store %[[Q]]
// CHECK-NOT: vector
func.func @others(%a: memref<?xvector<2xf32>>) {
  %c0 = arith.constant 0 : index
  %k = arith.constant dense<[1.0, 2.0]> : vector<2xf32>
  linalg.fill ins(%k : vector<2xf32>) outs(%a : memref<?xvector<2xf32>>)
  %s = memref.subview %a[1] [3] [1] : memref<?xvector<2xf32>> to memref<3xvector<2xf32>, strided<[1], offset: 1>>
  %v = memref.load %s[%c0] : memref<3xvector<2xf32>, strided<[1], offset: 1>>
  %p = arith.mulf %v, %v : vector<2xf32>
  memref.store %p, %s[%c0] : memref<3xvector<2xf32>, strided<[1], offset: 1>>
  return
}

// -----

func.func @sums(%a: memref<?xvector<4xf32>>, %b: memref<?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%a : memref<?xvector<4xf32>>) outs(%b : memref<?xf32>) {
  ^bb0(%x: vector<4xf32>, %y: f32):
    // expected-error @+1 {{`vector.reduction` of vectors cannot be compiled; what is done to each element can}}
    %s = vector.reduction <add>, %x : vector<4xf32> into f32
    linalg.yield %s : f32
  }
  return
}

// -----

func.func @several(%a: memref<?xvector<4xf32>>, %b: memref<?xvector<2xf32>>) {
  // expected-error @+1 {{`linalg.generic` of vectors of several shapes, or of vectors and numbers that it writes, cannot be compiled}}
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%a : memref<?xvector<4xf32>>) outs(%b : memref<?xvector<2xf32>>) {
  ^bb0(%x: vector<4xf32>, %y: vector<2xf32>):
    linalg.yield %y : vector<2xf32>
  }
  return
}
