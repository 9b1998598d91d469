// RUN: ein-opt %s --pass-pipeline='builtin.module(func.func( \
// RUN:     ein-select-schedule{cpu=znver4 triple=x86_64-linux-gnu}))' | FileCheck %s

// The last seven of 23 columns have tiles of half a register, which take half the time, and have
// all 23 rows, so that none of these are apart: cheaper than 32 lanes for 23 columns.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: func @odd_columns
// CHECK: rows = d0: 12, columns = d1: 16, {{.*}}, column_remainder = [23, 8], row_remainder = 11>
func.func @odd_columns(%A: tensor<23x23xf32>, %B: tensor<23x23xf32>, %C: tensor<23x23xf32>) -> tensor<23x23xf32> {
  %0 = linalg.contract indexing_maps = [#a, #b, #c] ins(%A, %B : tensor<23x23xf32>, tensor<23x23xf32>) outs(%C : tensor<23x23xf32>) -> tensor<23x23xf32>
  return %0 : tensor<23x23xf32>
}
