// RUN: ein-opt %s --ein-lower-plainly | FileCheck %s
// RUN: ein-opt %s --ein-plain | FileCheck %s --check-prefix=CODE

// All factors of an einsum in one nest, the output's dims first.
// CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK-DAG: #[[C:.*]] = affine_map<(d0, d1, d2) -> (d1)>
// CHECK-DAG: #[[OUT:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>

// CHECK-LABEL: func.func @einsum
// CHECK: linalg.generic {indexing_maps = [#[[A]], #[[B]], #[[C]], #[[OUT]]]
// CHECK-SAME: iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: arith.mulf
// CHECK: arith.mulf
// CHECK: arith.addf
// CODE: llvm.func @__ein_packed_einsum
func.func @einsum(%a: tensor<4x5xf32>, %b: tensor<5x6xf32>, %c: tensor<4xf32>,
                  %o: tensor<6x4xf32> {bufferization.writable = true})
    -> tensor<6x4xf32> attributes {ein.signature = {
      arguments = [
        {dims = affine_map<() -> (4, 5)>, name = "a", role = "input", type = "f32"},
        {dims = affine_map<() -> (5, 6)>, name = "b", role = "input", type = "f32"},
        {dims = affine_map<() -> (4)>, name = "c", role = "input", type = "f32"},
        {dims = affine_map<() -> (6, 4)>, name = "o", role = "inout", type = "f32"}],
      checks = [], symbols = []}} {
  %r = ein.einsum indexing_maps = [affine_map<(i, j, k) -> (i, j)>,
                                   affine_map<(i, j, k) -> (j, k)>,
                                   affine_map<(i, j, k) -> (i)>,
                                   affine_map<(i, j, k) -> (k, i)>]
         ins(%a, %b, %c : tensor<4x5xf32>, tensor<5x6xf32>, tensor<4xf32>)
         outs(%o : tensor<6x4xf32>) -> tensor<6x4xf32>
  return %r : tensor<6x4xf32>
}

// Every dim has an operand that is as long.
// CHECK-LABEL: func.func @product
// CHECK: %[[H:.*]] = tensor.empty() : tensor<7xi8>
// CHECK: %[[K:.*]] = tensor.empty() : tensor<3xi8>
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{.*}}, %{{.*}}, %[[H]], %[[K]]
func.func @product(%i: tensor<9xf32>, %w: tensor<3xf32>, %o: tensor<7xf32>)
    -> tensor<7xf32> {
  %r = ein.product indexing_maps = [affine_map<(h, k) -> (h + k)>,
                                    affine_map<(h, k) -> (k)>,
                                    affine_map<(h, k) -> (h)>]
         extents = [7, 3] ins(%i, %w : tensor<9xf32>, tensor<3xf32>)
         outs(%o : tensor<7xf32>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// What a schedule asks for is what is validated: it goes.
// CHECK-LABEL: func.func @contract
// CHECK-NOT: ein.
// CHECK: linalg.generic
// CHECK: arith.maximumf
// CHECK: linalg.matmul
// CHECK-NOT: ein.schedule
func.func @contract(%a: tensor<4x5xf32>, %b: tensor<5x6xf32>,
                    %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = ein.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                                     affine_map<(m, n, k) -> (k, n)>,
                                     affine_map<(m, n, k) -> (m, n)>]
         kind = <maximumf> ins(%a, %b : tensor<4x5xf32>, tensor<5x6xf32>)
         outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = linalg.matmul {ein.schedule = #ein.schedule<>}
         ins(%a, %b : tensor<4x5xf32>, tensor<5x6xf32>)
         outs(%0 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %1 : tensor<4x6xf32>
}

// CHECK-LABEL: func.func @softmax
// CHECK-NOT: linalg.softmax
// CHECK: math.exp
func.func @softmax(%x: tensor<4x5xf32>, %o: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %0 = linalg.softmax dimension(1) ins(%x : tensor<4x5xf32>)
                                   outs(%o : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
