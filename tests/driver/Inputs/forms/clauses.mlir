#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @f(%a: tensor<8x8xi16>, %b: tensor<8x8xi16>, %c: tensor<8x8xi32>) -> tensor<8x8xi32> {
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn] kind = #linalg.kind<maxui>
         cast = #linalg.type_fn<cast_unsigned> {mine}
         ins(%a, %b : tensor<8x8xi16>, tensor<8x8xi16>) outs(%c : tensor<8x8xi32>) -> tensor<8x8xi32>
  return %0 : tensor<8x8xi32>
}
