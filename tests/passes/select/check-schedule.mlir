// What a schedule written by hand says of an op that it does not fit.
// RUN: ein-opt %s -ein-select-schedule -verify-diagnostics -split-input-file

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @products(%a: tensor<37x29xf32>, %b: tensor<29x61xf32>, %c: tensor<37x61xf32>) -> tensor<37x61xf32> {
  // expected-error @+1 {{has rows d1 that are no dim of its result and of input #0 alone}}
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         {ein.schedule = #ein.schedule<loops = [d0, d1, d2], rows = d1: 4, columns = d0: 8, sums = d2, vector = d0, operands = [packed, packed]>}
         ins(%a, %b : tensor<37x29xf32>, tensor<29x61xf32>) outs(%c : tensor<37x61xf32>) -> tensor<37x61xf32>
  return %0 : tensor<37x61xf32>
}
// -----
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @columns(%a: tensor<37x29xf32>, %b: tensor<29x61xf32>, %c: tensor<37x61xf32>) -> tensor<37x61xf32> {
  // expected-error @+1 {{has columns d2 that are no dim of its result and of input #1 alone}}
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         {ein.schedule = #ein.schedule<loops = [d0, d1, d2], rows = d0: 4, columns = d2: 8, sums = d1, vector = d2, operands = [packed, packed]>}
         ins(%a, %b : tensor<37x29xf32>, tensor<29x61xf32>) outs(%c : tensor<37x61xf32>) -> tensor<37x61xf32>
  return %0 : tensor<37x61xf32>
}
// -----
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @sums(%a: tensor<37x29xf32>, %b: tensor<29x61xf32>, %c: tensor<37x61xf32>) -> tensor<37x61xf32> {
  // expected-error @+1 {{has sums d0 that are no dim of both inputs alone}}
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn] {ein.schedule = #ein.schedule<call, sums = d0>}
         ins(%a, %b : tensor<37x29xf32>, tensor<29x61xf32>) outs(%c : tensor<37x61xf32>) -> tensor<37x61xf32>
  return %0 : tensor<37x61xf32>
}
// -----
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @blocks(%a: tensor<37x29xf32>, %b: tensor<29x61xf32>, %c: tensor<37x61xf32>) -> tensor<37x61xf32> {
  // expected-error @+1 {{has blocks of rows or columns that are no number of register tiles}}
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         {ein.schedule = #ein.schedule<loops = [d0: 4, d1, d2], rows = d0: 64, columns = d1: 4, sums = d2, vector = d1, operands = [packed, packed]>}
         ins(%a, %b : tensor<37x29xf32>, tensor<29x61xf32>) outs(%c : tensor<37x61xf32>) -> tensor<37x61xf32>
  return %0 : tensor<37x61xf32>
}
// -----
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @remainder_rows(%a: tensor<37x29xf32>, %b: tensor<29x61xf32>, %c: tensor<37x61xf32>) -> tensor<37x61xf32> {
  // expected-error @+1 {{has a `column_remainder` of 2 rows beside panels of 6}}
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         {ein.schedule = #ein.schedule<loops = [d0, d1, d2], rows = d0: 6, columns = d1: 8, sums = d2, vector = d1, operands = [packed, in_place], column_remainder = [2, 8]>}
         ins(%a, %b : tensor<37x29xf32>, tensor<29x61xf32>) outs(%c : tensor<37x61xf32>) -> tensor<37x61xf32>
  return %0 : tensor<37x61xf32>
}
// -----
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @remainder_columns(%a: tensor<37x29xf32>, %b: tensor<29x61xf32>, %c: tensor<37x61xf32>) -> tensor<37x61xf32> {
  // expected-error @+1 {{has a `column_remainder` of 2 columns, which those that do not fill a panel do not fit}}
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         {ein.schedule = #ein.schedule<loops = [d0, d1, d2], rows = d0: 6, columns = d1: 8, sums = d2, vector = d1, operands = [in_place, packed], column_remainder = [6, 2]>}
         ins(%a, %b : tensor<37x29xf32>, tensor<29x61xf32>) outs(%c : tensor<37x61xf32>) -> tensor<37x61xf32>
  return %0 : tensor<37x61xf32>
}
// -----
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @no_function(%a: tensor<37x29xf32>, %b: tensor<29x61xf32>, %c: tensor<37x61xf32>) -> tensor<37x61xf32> {
  // expected-error @+1 {{names no function, which `call` without `sums` is of}}
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn] {ein.schedule = #ein.schedule<call>}
         ins(%a, %b : tensor<37x29xf32>, tensor<29x61xf32>) outs(%c : tensor<37x61xf32>) -> tensor<37x61xf32>
  return %0 : tensor<37x61xf32>
}
// -----
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @no_epilogue(%a: tensor<37x29xf32>, %b: tensor<29x61xf32>, %c: tensor<37x61xf32>) -> tensor<37x61xf32> {
  // expected-error @+1 {{updates no product in tiles, in whose epilogue it could be}}
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn] {ein.schedule = #ein.schedule<in_epilogue>}
         ins(%a, %b : tensor<37x29xf32>, tensor<29x61xf32>) outs(%c : tensor<37x61xf32>) -> tensor<37x61xf32>
  return %0 : tensor<37x61xf32>
}
// -----
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @reduction(%a: tensor<37x29xf32>, %b: tensor<29x61xf32>, %c: tensor<37x61xf32>) -> tensor<37x61xf32> {
  // expected-error @+1 {{is a reduction, whose `vector` needs `accumulators` or `unrolled_sums`}}
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn] {ein.schedule = #ein.schedule<loops = [d0, d1, d2], vector = d1>}
         ins(%a, %b : tensor<37x29xf32>, tensor<29x61xf32>) outs(%c : tensor<37x61xf32>) -> tensor<37x61xf32>
  return %0 : tensor<37x61xf32>
}
// -----
func.func @across(%x: f32, %c: tensor<37x61xf32>) -> tensor<37x61xf32> {
  // expected-error @+1 {{has vectors along d0, and its result is not contiguous along that}}
  %0 = linalg.fill {ein.schedule = #ein.schedule<loops = [d0: 16, d1: 1], vector = d0, masked>}
         ins(%x : f32) outs(%c : tensor<37x61xf32>) -> tensor<37x61xf32>
  return %0 : tensor<37x61xf32>
}
// -----
func.func @no_contraction(%x: f32, %c: tensor<37x61xf32>) -> tensor<37x61xf32> {
  // expected-error @+1 {{is no contraction, which `sums` are of}}
  %0 = linalg.fill {ein.schedule = #ein.schedule<call, sums = d0>}
         ins(%x : f32) outs(%c : tensor<37x61xf32>) -> tensor<37x61xf32>
  return %0 : tensor<37x61xf32>
}
