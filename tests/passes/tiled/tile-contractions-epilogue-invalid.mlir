// RUN: ein-opt %s -ein-tile-contractions -verify-diagnostics -split-input-file

#ij = affine_map<(i, j) -> (i, j)>
func.func @nothing_to_update(%c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{cannot be an epilogue: it does not update what a packed_gemm or a window gives to it only}}
  %0 = linalg.generic {indexing_maps = [#ij], iterator_types = ["parallel", "parallel"]}
         outs(%c : tensor<4x4xf32>) attrs = {ein.schedule = #ein.schedule<in_epilogue>} {
  ^bb0(%o: f32):
    %s = arith.addf %o, %o : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @reduction(%a: tensor<4x4xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{cannot be an epilogue: it is not elementwise}}
  %0 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
         ins(%a : tensor<4x4xf32>) outs(%c : tensor<4xf32>) attrs = {ein.schedule = #ein.schedule<in_epilogue>} {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %o, %x : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#ij = affine_map<(i, j) -> (i, j)>
#ji = affine_map<(i, j) -> (j, i)>
func.func @division(%a: tensor<4x4xi32>, %c: tensor<4x4xi32>) -> tensor<4x4xi32> {
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
           {ein.schedule = #ein.schedule<loops = [d0, d1, d2], rows = d0: 4, columns = d1: 16,
                            sums = d2, vector = d1, operands = [packed, packed]>}
         ins(%a, %a : tensor<4x4xi32>, tensor<4x4xi32>) outs(%c : tensor<4x4xi32>) -> tensor<4x4xi32>
  // expected-error @+1 {{cannot be an epilogue: its body is not arithmetic that vectors have}}
  %1 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
         ins(%a : tensor<4x4xi32>) outs(%0 : tensor<4x4xi32>) attrs = {ein.schedule = #ein.schedule<in_epilogue>} {
  ^bb0(%x: i32, %o: i32):
    %s = arith.divsi %x, %o : i32
    linalg.yield %s : i32
  } -> tensor<4x4xi32>
  return %1 : tensor<4x4xi32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#ij = affine_map<(i, j) -> (i, j)>
#ji = affine_map<(i, j) -> (j, i)>
func.func @transposed(%a: tensor<4x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
           {ein.schedule = #ein.schedule<loops = [d0, d1, d2], rows = d0: 4, columns = d1: 16,
                            sums = d2, vector = d1, operands = [packed, packed]>}
         ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  // expected-error @+1 {{cannot be an epilogue: an operand is not contiguous along dim n}}
  %1 = linalg.generic {indexing_maps = [#ji, #ij], iterator_types = ["parallel", "parallel"]}
         ins(%a : tensor<4x4xf32>) outs(%0 : tensor<4x4xf32>) attrs = {ein.schedule = #ein.schedule<in_epilogue>} {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// -----

#mk = affine_map<(m, n, k, l) -> (m, k, l)>
#kn = affine_map<(m, n, k, l) -> (k, l, n)>
#mn = affine_map<(m, n, k, l) -> (m, n)>
#ij = affine_map<(i, j) -> (i, j)>
func.func @perhaps_empty(%a: tensor<4x4x?xf32>, %b: tensor<4x?x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
           {ein.schedule = #ein.schedule<loops = [d0, d1, d2, d3: 1], rows = d0: 4,
                            columns = d1: 16, sums = d2, vector = d1, operands = [packed, packed]>}
         ins(%a, %b : tensor<4x4x?xf32>, tensor<4x?x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  // expected-error @+1 {{cannot be an epilogue: a loop over sums may be empty}}
  %1 = linalg.generic {indexing_maps = [#ij], iterator_types = ["parallel", "parallel"]}
         outs(%0 : tensor<4x4xf32>) attrs = {ein.schedule = #ein.schedule<in_epilogue>} {
  ^bb0(%o: f32):
    %s = arith.addf %o, %o : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
