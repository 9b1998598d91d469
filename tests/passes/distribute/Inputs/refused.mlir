//--- gather.mlir
#n = affine_map<()[N] -> (N)>
func.func @gather(%A: tensor<?xf32>, %p: tensor<?xindex>,
                  %C: tensor<?xf32> {bufferization.writable = true}, %N: index) -> tensor<?xf32>
    attributes {ein.signature = {
      arguments = [{dims = #n, name = "A", role = "input", type = "f32"},
                   {dims = #n, name = "p", role = "input", type = "index"},
                   {dims = #n, name = "C", role = "output", type = "f32"}],
      checks = [], symbols = ["N"]}} {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%p : tensor<?xindex>) outs(%C : tensor<?xf32>) {
  ^bb0(%at: index, %out: f32):
    %x = tensor.extract %A[%at] : tensor<?xf32>
    linalg.yield %x : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
//--- order.mlir
#n = affine_map<()[N] -> (N)>
func.func @order(%A: tensor<?xf32>, %C: tensor<?xf32> {bufferization.writable = true},
                 %N: index) -> tensor<?xf32>
    attributes {ein.signature = {
      arguments = [{dims = #n, name = "A", role = "input", type = "f32"},
                   {dims = #n, name = "C", role = "output", type = "f32"}],
      checks = [], symbols = ["N"]}} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %N step %one iter_args(%c = %C) -> tensor<?xf32> {
    %x = tensor.extract %A[%i] : tensor<?xf32>
    %d = tensor.insert %x into %c[%i] : tensor<?xf32>
    scf.yield %d : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
//--- slice.mlir
#n = affine_map<()[N] -> (N)>
func.func @slice(%A: tensor<?xf32>, %C: tensor<?xf32> {bufferization.writable = true},
                 %N: index) -> tensor<?xf32>
    attributes {ein.signature = {
      arguments = [{dims = #n, name = "A", role = "input", type = "f32"},
                   {dims = #n, name = "C", role = "inout", type = "f32"}],
      checks = [], symbols = ["N"]}} {
  %r = tensor.insert_slice %A into %C[0] [%N] [1] : tensor<?xf32> into tensor<?xf32>
  return %r : tensor<?xf32>
}
//--- join.mlir
#mn = affine_map<()[M, N] -> (M, N)>
func.func @join(%A: tensor<?x?xf32>, %C: tensor<?x?xf32> {bufferization.writable = true},
                %M: index, %N: index) -> tensor<?x?xf32>
    attributes {ein.signature = {
      arguments = [{dims = #mn, name = "A", role = "input", type = "f32"},
                   {dims = #mn, name = "C", role = "output", type = "f32"}],
      checks = [], symbols = ["M", "N"]}} {
  %j = tensor.collapse_shape %A [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  return %C : tensor<?x?xf32>
}
//--- checks.mlir
#n = affine_map<()[N] -> (N)>
#check = affine_map<()[N] -> (N - 3)>
func.func @checks(%A: tensor<?xf32>, %C: tensor<?xf32> {bufferization.writable = true},
                  %N: index) -> tensor<?xf32>
    attributes {ein.signature = {
      arguments = [{dims = #n, name = "A", role = "input", type = "f32"},
                   {dims = #n, name = "C", role = "output", type = "f32"}],
      checks = [{expr = #check, kind = "in_bounds", unless_empty = #n}],
      symbols = ["N"]}} {
  return %C : tensor<?xf32>
}
//--- divided.mlir
#n = affine_map<()[N] -> (N)>
func.func @divided(%A: tensor<?xf32>, %C: tensor<?xf32> {bufferization.writable = true},
                   %N: index) -> tensor<?xf32>
    attributes {ein.signature = {
      arguments = [{dims = #n, name = "A", role = "input", type = "f32"},
                   {dims = #n, name = "C", role = "output", type = "f32"}],
      checks = [], symbols = ["N"]}} {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i floordiv 2)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%A : tensor<?xf32>) outs(%C : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
