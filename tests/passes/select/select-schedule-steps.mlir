// How many steps of a sum are one piece of code counts those of the instruction, which adds up
// two or four products: 16 products of bf16 are eight steps, as eight of f32 are, and so are 32 of
// 8 bits. LLVM sees through a loop of two, and would keep A's elements on the stack; so few are one
// at a time, as two steps' vectors of B have no registers beside 24 sums.
// RUN: ein-opt %s -ein-select-schedule="triple=x86_64-unknown-linux-gnu cpu=znver4" | FileCheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func @bf16
// CHECK: sums = d2, {{.*}}operands = [in_place, packed], rows_first, k_pack = 2,
func.func @bf16(%a: tensor<1024x16xbf16>, %b: tensor<16x1024xbf16>, %c: tensor<1024x1024xf32>)
    -> tensor<1024x1024xf32> {
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%a, %b : tensor<1024x16xbf16>, tensor<16x1024xbf16>) outs(%c : tensor<1024x1024xf32>)
         -> tensor<1024x1024xf32>
  return %0 : tensor<1024x1024xf32>
}

// CHECK-LABEL: func @bytes
// CHECK: sums = d2, {{.*}}operands = [in_place, packed], rows_first, k_pack = 4,
func.func @bytes(%a: tensor<1024x32xi8>, %b: tensor<32x1024xi8>, %c: tensor<1024x1024xi32>)
    -> tensor<1024x1024xi32> {
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%a, %b : tensor<1024x32xi8>, tensor<32x1024xi8>) outs(%c : tensor<1024x1024xi32>)
         -> tensor<1024x1024xi32>
  return %0 : tensor<1024x1024xi32>
}
