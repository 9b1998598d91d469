// Softmax and packs become what they combine; what is one op stays.
// RUN: ein-opt %s -ein-decompose-aggregates | FileCheck %s

// The largest of each row, the exponentials, their sum, the quotient.
// CHECK-LABEL: @softmax
// CHECK-NOT: linalg.softmax
// CHECK: arith.maxnumf
// CHECK: math.exp
// CHECK: arith.addf {{.*}}fastmath<reassoc,contract>
// CHECK: arith.divf
func.func @softmax(%x: tensor<?x3xf32>, %o: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %r = linalg.softmax dimension(1) ins(%x : tensor<?x3xf32>) outs(%o : tensor<?x3xf32>) -> tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}

// CHECK-LABEL: @pack
// CHECK-NOT: linalg.pack
// CHECK: tensor.pad
// CHECK: linalg.transpose
func.func @pack(%x: tensor<7x6xf32>, %p: f32, %o: tensor<2x2x4x3xf32>) -> tensor<2x2x4x3xf32> {
  %r = linalg.pack %x padding_value(%p : f32) inner_dims_pos = [0, 1] inner_tiles = [4, 3] into %o : tensor<7x6xf32> -> tensor<2x2x4x3xf32>
  return %r : tensor<2x2x4x3xf32>
}

// CHECK-LABEL: @unpack
// CHECK-NOT: linalg.unpack
// CHECK: linalg.transpose
// CHECK: tensor.extract_slice
func.func @unpack(%x: tensor<2x2x4x3xf32>, %o: tensor<7x6xf32>) -> tensor<7x6xf32> {
  %r = linalg.unpack %x inner_dims_pos = [0, 1] inner_tiles = [4, 3] into %o : tensor<2x2x4x3xf32> -> tensor<7x6xf32>
  return %r : tensor<7x6xf32>
}

// CHECK-LABEL: @simple
// CHECK: linalg.matmul
func.func @simple(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %c: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<3x4xf32>) outs(%c : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}
