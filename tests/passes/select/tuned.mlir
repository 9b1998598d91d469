// RUN: ein-opt %s --pass-pipeline='builtin.module(func.func( \
// RUN:     ein-select-schedule{cpu=haswell triple=x86_64-linux-gnu}))' | FileCheck %s

// A schedule that was measured is taken if it is one of the op's candidates; of
// another op it is not.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
module attributes {ein.schedules = {
  "contract (d0, d2), (d2, d1) -> (d0, d1) of 64x64xf32, 64x64xf32, 64x64xf32 body 88ca296a118a5bf9" = #ein.schedule<>,
  "contract (d0, d2), (d2, d1) -> (d0, d1) of 32x64xf32, 64x64xf32, 32x64xf32 body 88ca296a118a5bf9" = #ein.schedule<squares = 8>
}} {
  // CHECK-LABEL: func @taken
  // CHECK: linalg.contract {{.*}}ein.schedule = #ein.schedule<>
  func.func @taken(%A: tensor<64x64xf32>, %B: tensor<64x64xf32>, %C: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %0 = linalg.contract indexing_maps = [#a, #b, #c] ins(%A, %B : tensor<64x64xf32>, tensor<64x64xf32>) outs(%C : tensor<64x64xf32>) -> tensor<64x64xf32>
    return %0 : tensor<64x64xf32>
  }

  // CHECK-LABEL: func @refused
  // CHECK: #ein.schedule<{{.*}}rows = {{.*}}operands =
  func.func @refused(%A: tensor<32x64xf32>, %B: tensor<64x64xf32>, %C: tensor<32x64xf32>) -> tensor<32x64xf32> {
    %0 = linalg.contract indexing_maps = [#a, #b, #c] ins(%A, %B : tensor<32x64xf32>, tensor<64x64xf32>) outs(%C : tensor<32x64xf32>) -> tensor<32x64xf32>
    return %0 : tensor<32x64xf32>
  }
}
