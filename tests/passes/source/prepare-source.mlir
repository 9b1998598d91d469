// Combinations become what they combine; what is simple stays.
// RUN: ein-opt %s -ein-prepare-source -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: @softmax
// CHECK-NOT: linalg.softmax
// CHECK: math.exp
// CHECK: arith.divf
func.func @softmax(%x: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = linalg.softmax dimension(1) ins(%x : tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK-LABEL: @pack
// CHECK-NOT: linalg.pack
// CHECK: linalg.transpose
func.func @pack(%x: tensor<8x6xf32>, %o: tensor<2x2x4x3xf32>) -> tensor<2x2x4x3xf32> {
  %r = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [4, 3] into %o : tensor<8x6xf32> -> tensor<2x2x4x3xf32>
  return %r : tensor<2x2x4x3xf32>
}

// CHECK-LABEL: @memory
// CHECK-NOT: memref.copy
// CHECK-NOT: memref.dealloc
// CHECK: linalg.generic
func.func @memory(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}

// What is written over is read as such, if each element is there once.
// CHECK-LABEL: @over
// CHECK-SAME: %[[X:.*]]: memref<4xf32>, %[[Y:.*]]: memref<4xf32>
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}], {{.*}}} ins(%[[Y]] : memref<4xf32>) outs(%[[X]] : memref<4xf32>)
// CHECK-NEXT: ^bb0(%[[IN:.*]]: f32, %[[OUT:.*]]: f32):
// CHECK-NEXT: arith.subf %[[OUT]], %[[IN]]
// CHECK: linalg.generic {{.*}}["reduction"]} ins(%[[X]] : memref<4xf32>)
#id = affine_map<(i) -> (i)>
#one = affine_map<(i) -> (0)>
func.func @over(%x: memref<4xf32>, %y: memref<4xf32>) {
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
    ins(%x, %y : memref<4xf32>, memref<4xf32>) outs(%x : memref<4xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %s = arith.subf %p, %q : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#id, #one], iterator_types = ["reduction"]}
    ins(%x : memref<4xf32>) outs(%x : memref<4xf32>) {
  ^bb0(%p: f32, %r: f32):
    %s = arith.addf %p, %r : f32
    linalg.yield %s : f32
  }
  return
}

// CHECK-LABEL: @simple
// CHECK: linalg.matmul
func.func @simple(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %c: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<3x4xf32>) outs(%c : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// -----

func.func @argument(%x: memref<4xf32>) {
  // expected-error @+1 {{frees what is not allocated in this function}}
  memref.dealloc %x : memref<4xf32>
  return
}
