// RUN: ein-opt %s --ein-lower-reinterpret --split-input-file | FileCheck %s
// RUN: ein-opt %s --ein-lower-reinterpret --expand-strided-metadata --lower-affine \
// RUN:   --finalize-memref-to-llvm --convert-func-to-llvm --convert-arith-to-llvm \
// RUN:   --reconcile-unrealized-casts --split-input-file | FileCheck %s --check-prefix=LLVM

// Twice as many elements, twice as far apart. The pointers stay: no cast is
// left of them.
// CHECK-LABEL: func @parts
// CHECK: %[[BASE:.*]], %[[OFFSET:.*]], %[[SIZES:.*]]:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %arg0
// CHECK-DAG: %[[STRIDE:.*]] = affine.apply #{{.*}}()[%[[STRIDES]]#0]
// CHECK-DAG: %[[FROM:.*]] = affine.apply #{{.*}}()[%[[OFFSET]]]
// CHECK-DAG: %[[POINTER:.*]] = builtin.unrealized_conversion_cast %[[BASE]] : memref<complex<f32>> to memref<f32>
// CHECK: memref.reinterpret_cast %[[POINTER]] to offset: [%[[FROM]]], sizes: [%[[SIZES]]#0, 8], strides: [%[[STRIDE]], 1]
// LLVM-LABEL: llvm.func @parts
// LLVM-NOT: unrealized_conversion_cast
// LLVM: llvm.return
func.func @parts(%a: memref<?x4xcomplex<f32>, strided<[?, 1], offset: ?>>)
    -> memref<?x8xf32, strided<[?, 1], offset: ?>> {
  %r = ein.reinterpret %a : memref<?x4xcomplex<f32>, strided<[?, 1], offset: ?>>
    to memref<?x8xf32, strided<[?, 1], offset: ?>>
  return %r : memref<?x8xf32, strided<[?, 1], offset: ?>>
}

// -----

// Of a lone element the stride does not matter, and its parts are together.
// CHECK-LABEL: func @lone
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [1, 2], strides: [%{{.*}}, 1]
func.func @lone(%a: memref<1x1xcomplex<f32>, strided<[?, ?]>>) -> memref<1x2xf32, strided<[?, 1]>> {
  %r = ein.reinterpret %a : memref<1x1xcomplex<f32>, strided<[?, ?]>> to memref<1x2xf32, strided<[?, 1]>>
  return %r : memref<1x2xf32, strided<[?, 1]>>
}

// -----

// One float for each: nothing changes but the type.
// CHECK-LABEL: func @moved
// CHECK: %[[BASE:.*]], %[[OFFSET:.*]], %[[SIZES:.*]]:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %arg0
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [%[[SIZES]]#0, %{{.*}}], strides: [%{{.*}}, 7]
func.func @moved(%a: memref<?x?xcomplex<f32>, strided<[?, 7]>>) -> memref<?x?xf64, strided<[?, 7]>> {
  %r = ein.reinterpret %a : memref<?x?xcomplex<f32>, strided<[?, 7]>> to memref<?x?xf64, strided<[?, 7]>>
  return %r : memref<?x?xf64, strided<[?, 7]>>
}
