// RUN: ein-opt %s --ein-keep-order --split-input-file --verify-diagnostics | FileCheck %s

// Floats lose their flags and the named op its freedom; integers do not.
// CHECK-LABEL: func.func @f
// CHECK-SAME: attributes {ein.strict_fp}
// CHECK-NOT: linalg.matmul
// CHECK: linalg.generic
// CHECK: arith.addf %{{.*}}, %{{.*}} : f32
// CHECK: linalg.contract {{.*}}tensor<4x4xi32>
func.func @f(%a: tensor<4x4xf32>, %c: tensor<4x4xf32>, %i: tensor<4x4xi32>) -> (tensor<4x4xf32>, tensor<4x4xi32>) {
  %0 = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
         ins(%i, %i : tensor<4x4xi32>, tensor<4x4xi32>) outs(%i : tensor<4x4xi32>) -> tensor<4x4xi32>
  return %0, %1 : tensor<4x4xf32>, tensor<4x4xi32>
}

// CHECK-LABEL: func.func @flags
// CHECK: arith.addf %{{.*}}, %{{.*}} : f32
func.func @flags(%x: f32) -> f32 {
  %0 = arith.addf %x, %x fastmath<reassoc,contract> : f32
  return %0 : f32
}

// -----

func.func @einsum(%a: tensor<4x4xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has no order in which floats are added}}
  %0 = ein.einsum indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>]
         ins(%a : tensor<4x4xf32>) outs(%c : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @product(%a: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has no order in which floats are added}}
  %0 = ein.product indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>] extents = [4]
         ins(%a : tensor<4xf32>) outs(%c : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
