// RUN: ein-opt %s --pass-pipeline='builtin.module(func.func( \
// RUN:     ein-select-schedule{cpu=znver4 triple=x86_64-linux-gnu}))' | FileCheck %s

// Eight addresses of rows and a block of them are one more than x86 has registers for: LLVM spills
// the sums of such a tile if several steps of k are one. So that is no candidate, and one step is.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
module attributes {ein.schedules = {
  "contract (d0, d2), (d2, d1) -> (d0, d1) of ?x?xf32, ?x?xf32, ?x?xf32 body 88ca296a118a5bf9" = #ein.schedule<loops = [d1: 256, d2: 512, d0: 128], rows = d0: 8, columns = d1: 32, sums = d2, vector = d1, operands = [in_place, packed], prefetch = 1>
}} {
  // CHECK-LABEL: func @one_step
  // CHECK: #ein.schedule<loops = [d1: 256, d2: 512, d0: 128], rows = d0: 8, columns = d1: 32, sums = d2, vector
  func.func @one_step(%A: tensor<?x?xf32>, %B: tensor<?x?xf32>, %C: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %0 = linalg.contract indexing_maps = [#a, #b, #c] ins(%A, %B : tensor<?x?xf32>, tensor<?x?xf32>) outs(%C : tensor<?x?xf32>) -> tensor<?x?xf32>
    return %0 : tensor<?x?xf32>
  }
}
