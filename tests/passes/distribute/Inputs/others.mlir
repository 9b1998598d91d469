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
//--- status.mlir
#n = affine_map<()[N, M] -> (N)>
#m = affine_map<()[N, M] -> (M)>
func.func @status(%I: tensor<?xi32>, %C: tensor<?xi32> {bufferization.writable = true},
                  %S: tensor<i32> {bufferization.writable = true}, %N: index, %M: index)
    -> (tensor<?xi32>, tensor<i32>)
    attributes {ein.signature = {
      arguments = [{dims = #n, name = "I", role = "input", type = "i32"},
                   {dims = #n, name = "C", role = "inout", type = "i32"}],
      checks = [], status, symbols = ["N", "M"]}} {
  %none = arith.constant 0 : i32
  %code = arith.constant 2 : i32
  %shape = tensor.empty(%M) : tensor<?xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>,
                                        affine_map<(i, j) -> ()>],
                       iterator_types = ["reduction", "reduction"]}
      ins(%I, %shape : tensor<?xi32>, tensor<?xf32>) outs(%S : tensor<i32>) {
  ^bb0(%in: i32, %other: f32, %out: i32):
    %isBad = arith.cmpi slt, %in, %none : i32
    %isFirst = arith.cmpi eq, %out, %none : i32
    %both = arith.andi %isBad, %isFirst : i1
    %next = arith.select %both, %code, %out : i32
    linalg.yield %next : i32
  } -> tensor<i32>
  return %C, %s : tensor<?xi32>, tensor<i32>
}
//--- part.mlir
#n = affine_map<()[N] -> (N)>
func.func @part(%A: tensor<?xf32>, %C: tensor<?xf32> {bufferization.writable = true},
                %N: index) -> tensor<?xf32>
    attributes {ein.signature = {
      arguments = [{dims = #n, name = "A", role = "input", type = "f32"},
                   {dims = #n, name = "C", role = "inout", type = "f32"}],
      checks = [], symbols = ["N"]}} {
  %rest = affine.apply affine_map<()[s0] -> (s0 - 2)>()[%N]
  %a = tensor.extract_slice %A[2] [%rest] [1] : tensor<?xf32> to tensor<?xf32>
  %c = tensor.extract_slice %C[1] [%rest] [1] : tensor<?xf32> to tensor<?xf32>
  %r = linalg.copy ins(%a : tensor<?xf32>) outs(%c : tensor<?xf32>) -> tensor<?xf32>
  %s = tensor.insert_slice %r into %C[1] [%rest] [1] : tensor<?xf32> into tensor<?xf32>
  return %s : tensor<?xf32>
}
//--- call.mlir
#n = affine_map<()[N] -> (N)>
func.func private @other(tensor<?xf32>) -> tensor<?xf32>
func.func @call(%A: tensor<?xf32>, %C: tensor<?xf32> {bufferization.writable = true},
                %N: index) -> tensor<?xf32>
    attributes {ein.signature = {
      arguments = [{dims = #n, name = "A", role = "input", type = "f32"},
                   {dims = #n, name = "C", role = "output", type = "f32"}],
      checks = [], symbols = ["N"]}} {
  %r = func.call @other(%A) : (tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
//--- unknown.mlir
#n = affine_map<()[N] -> (N)>
func.func @unknown(%A: tensor<?xf32>, %k: index, %C: tensor<?xf32> {bufferization.writable = true},
                   %N: index) -> tensor<?xf32>
    attributes {ein.signature = {
      arguments = [{dims = #n, name = "A", role = "input", type = "f32"},
                   {dims = affine_map<()[N] -> ()>, name = "k", role = "input", type = "index"},
                   {dims = #n, name = "C", role = "output", type = "f32"}],
      checks = [], symbols = ["N"]}} {
  %part = tensor.extract_slice %A[0] [%k] [2] : tensor<?xf32> to tensor<?xf32>
  %empty = tensor.empty(%N) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%part : tensor<?xf32>) outs(%empty : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
