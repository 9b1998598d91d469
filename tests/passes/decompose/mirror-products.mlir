// RUN: ein-opt %s --split-input-file --verify-diagnostics -ein-mirror-products | FileCheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#whole = #ein.schedule<loops = [d0, d1, d2], rows = d0: 4, columns = d1: 16, sums = d2, vector = d1,
                       operands = [packed, packed]>
#half = #ein.schedule<loops = [d0, d1, d2], rows = d0: 4, columns = d1: 16, sums = d2, vector = d1,
                      operands = [packed, packed], symmetric = 64>

// Squares below the diagonal, through a buffer, to where they are above it; the
// last rows may be fewer. What reads the product reads the result.
// CHECK-LABEL: func @product
// CHECK-SAME: %[[A:[^ ]+]]: tensor<200x100xf32>
// CHECK: %[[BUFFER:.+]] = tensor.empty() : tensor<64x64xf32>
// CHECK: %[[C:.+]] = linalg.contract
// CHECK: %[[R:.+]] = scf.for %[[I:.+]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[C0:.+]] = %[[C]])
// CHECK: %[[H:.+]] = affine.min
// CHECK: scf.for %[[J:.+]] = %{{.*}} to %[[I]] step %{{.*}} iter_args(%[[C1:.+]] = %[[C0]])
// CHECK: %[[BELOW:.+]] = tensor.extract_slice %[[C1]][%[[I]], %[[J]]] [%[[H]], 64] [1, 1]
// CHECK: %[[PART:.+]] = tensor.extract_slice %[[BUFFER]][0, 0] [64, %[[H]]] [1, 1]
// CHECK: %[[T:.+]] = linalg.transpose ins(%[[BELOW]] : tensor<?x64xf32>) outs(%[[PART]] : tensor<64x?xf32>) permutation = [1, 0]
// CHECK: tensor.insert_slice %[[T]] into %[[C1]][%[[J]], %[[I]]] [64, %[[H]]] [1, 1]
// CHECK: return %[[R]]
func.func @product(%a: tensor<200x100xf32>, %c: tensor<200x200xf32>) -> tensor<200x200xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%zero : f32) outs(%c : tensor<200x200xf32>) -> tensor<200x200xf32>
  %1 = linalg.contract indexing_maps = [#mk, #nk, #mn] {ein.schedule = #half}
    ins(%a, %a : tensor<200x100xf32>, tensor<200x100xf32>) outs(%0 : tensor<200x200xf32>) -> tensor<200x200xf32>
  return %1 : tensor<200x200xf32>
}

// All of it is computed, so nothing is copied.
// CHECK-LABEL: func @whole
// CHECK-NOT: scf.for
func.func @whole(%a: tensor<200x100xf32>, %c: tensor<200x200xf32>) -> tensor<200x200xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%zero : f32) outs(%c : tensor<200x200xf32>) -> tensor<200x200xf32>
  %1 = linalg.contract indexing_maps = [#mk, #nk, #mn] {ein.schedule = #whole}
    ins(%a, %a : tensor<200x100xf32>, tensor<200x100xf32>) outs(%0 : tensor<200x200xf32>) -> tensor<200x200xf32>
  return %1 : tensor<200x200xf32>
}

// A batch is a loop outside, of dynamic sizes as of others.
// CHECK-LABEL: func @batch
// CHECK-SAME: %[[A:[^ ]+]]: tensor<?x?x?xf32>
// CHECK: linalg.contract {{.*}}symmetric = 64
// CHECK: scf.for %[[B:[^ ]+]] =
// CHECK: scf.for
// CHECK: scf.for
// CHECK: tensor.extract_slice %{{.*}}[%{{[^,]*}}, %[[B]], %{{[^,]*}}] [%{{[^,]*}}, 1, 64] [1, 1, 1] : tensor<?x?x?xf32> to tensor<?x64xf32>
// CHECK: return
func.func @batch(%a: tensor<?x?x?xf32>, %c: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%zero : f32) outs(%c : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %1 = linalg.contract
    indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>,
                     affine_map<(b, m, n, k) -> (m, b, n)>]
    {ein.schedule = #ein.schedule<loops = [d0: 1, d1, d2, d3], rows = d1: 4,
                     columns = d2: 16, sums = d3, vector = d2, operands = [packed, packed],
                     symmetric = 64>}
    ins(%a, %a : tensor<?x?x?xf32>, tensor<?x?x?xf32>) outs(%0 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %1 : tensor<?x?x?xf32>
}

// -----

// A schedule that somebody has written.
func.func @two(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%zero : f32) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-error @+1 {{is not symmetric in the dims m and n of its schedule}}
  %1 = linalg.contract
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    {ein.schedule = #ein.schedule<loops = [d0, d1, d2], rows = d0: 4, columns = d1: 16,
                     sums = d2, vector = d1, operands = [packed, packed], symmetric = 64>}
    ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%0 : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}

// -----

// What it starts from may not be symmetric.
func.func @start(%a: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  // expected-error @+1 {{or starts from something else than a fill}}
  %1 = linalg.contract
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    {ein.schedule = #ein.schedule<loops = [d0, d1, d2], rows = d0: 4, columns = d1: 16,
                     sums = d2, vector = d1, operands = [packed, packed], symmetric = 64>}
    ins(%a, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}
