// RUN: ein-opt %s -ein-infer-signatures -split-input-file -verify-diagnostics | FileCheck %s

// Each dynamic dim is a size; what the op wants of them is checked; the result's
// extents are found through its init, which its destination replaces.
// CHECK-DAG: #[[K:.*]] = affine_map<()[s0, s1, s2, s3] -> ({{.*}}s2{{.*}})>
// CHECK-LABEL: func.func @matmul(
// CHECK-SAME: %[[A:.*]]: tensor<?x?xf32> {bufferization.writable = false}
// CHECK-SAME: %[[R:.*]]: tensor<?x?xf32> {bufferization.writable = true}, %{{.*}}: index, %{{.*}}: index, %{{.*}}: index, %{{.*}}: index
// CHECK-SAME: kind = "equal"
// CHECK-SAME: symbols = ["arg0_0", "arg0_1", "arg1_0", "arg1_1"]
// CHECK: linalg.matmul {{.*}} outs(%[[R]] : tensor<?x?xf32>)
func.func @matmul(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %b, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// What is written comes behind what is read, as `inout`; no result, no
// destination.
// CHECK-LABEL: func.func @fill(
// CHECK-SAME: %[[S:.*]]: f32, %[[M:.*]]: memref<4xf32>)
// CHECK-SAME: name = "arg1", role = "input"
// CHECK-SAME: name = "arg0", role = "inout"
// CHECK: linalg.fill ins(%[[S]] : f32) outs(%[[M]] : memref<4xf32>)
func.func @fill(%m: memref<4xf32>, %s: f32) {
  linalg.fill ins(%s : f32) outs(%m : memref<4xf32>)
  return
}

// -----

// Rank 0 comes by value and goes to memory.
// CHECK-LABEL: func.func @scalar(
// CHECK-SAME: %[[X:.*]]: f32, %{{.*}}: tensor<f32> {bufferization.writable = true})
// CHECK: %[[T:.*]] = tensor.from_elements %[[X]] : tensor<f32>
// CHECK: return %[[T]] : tensor<f32>
func.func @scalar(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

func.func @product(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %r = tensor.collapse_shape %x [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  // expected-error @+1 {{result #0 of `product` has an extent, dim 0, that is not a linear function of the arguments' extents}}
  return %r : tensor<?xf32>
}

// -----

// Code may rely on what a memref says of its strides; of tensors, of memrefs
// whose strides are dynamic, and of one dim it knows nothing but the last.
// CHECK-LABEL: func.func @layouts(
// CHECK-SAME: ein.contiguous = array<i64: 3, 4>
func.func @layouts(%a: tensor<?x?xf32>, %b: memref<?x?xf32, strided<[?, ?], offset: ?>>, %c: memref<?xf32>,
                   %d: memref<?x?xf32>, %e: memref<?x3x2xf32, strided<[?, 2, 1]>>) {
  return
}
