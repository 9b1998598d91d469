// What users write: tensors, memrefs and both, named and generic ops, helpers.
func.func @matmul(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
func.func @softmax(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
// The extents of the result are differences.
func.func @conv(%i: tensor<1x?x?x3xf32>, %k: tensor<3x3x3x4xf32>) -> tensor<1x?x?x4xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %h = tensor.dim %i, %c1 : tensor<1x?x?x3xf32>
  %w = tensor.dim %i, %c2 : tensor<1x?x?x3xf32>
  %oh = affine.apply affine_map<(d0) -> (d0 - 2)>(%h)
  %ow = arith.subi %w, %c2 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%oh, %ow) : tensor<1x?x?x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x?x?x4xf32>) -> tensor<1x?x?x4xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%i, %k : tensor<1x?x?x3xf32>, tensor<3x3x3x4xf32>)
         outs(%f : tensor<1x?x?x4xf32>) -> tensor<1x?x?x4xf32>
  return %r : tensor<1x?x?x4xf32>
}
// On memrefs: `y` is read and written, `a` by value.
func.func @axpy(%a: f32, %x: memref<?xf32>, %y: memref<?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> ()>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]}
      ins(%a, %x : f32, memref<?xf32>) outs(%y : memref<?xf32>) {
    ^bb0(%s: f32, %u: f32, %v: f32):
      %p = arith.mulf %s, %u : f32
      %q = arith.addf %p, %v : f32
      linalg.yield %q : f32
  }
  return
}
// Loops of affine and scf, scalars, a private helper.
func.func private @twice(%x: f32) -> f32 {
  %r = arith.addf %x, %x : f32
  return %r : f32
}
func.func @loops(%x: memref<8xf32>, %y: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %v = affine.load %x[7 - %i] : memref<8xf32>
    %w = func.call @twice(%v) : (f32) -> f32
    affine.store %w, %y[%i] : memref<8xf32>
  }
  return
}
// Several results, of a body with linalg.index and math; and a scalar result.
func.func @several(%x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %e0 = tensor.empty(%n) : tensor<?xf64>
  %e1 = tensor.empty(%n) : tensor<?xf64>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                         iterator_types = ["parallel"]}
      ins(%x : tensor<?xf64>) outs(%e0, %e1 : tensor<?xf64>, tensor<?xf64>) {
    ^bb0(%u: f64, %a: f64, %b: f64):
      %i = linalg.index 0 : index
      %j = arith.index_cast %i : index to i64
      %f = arith.sitofp %j : i64 to f64
      %s = arith.addf %u, %f : f64
      %t = math.exp %u : f64
      linalg.yield %s, %t : f64, f64
  } -> (tensor<?xf64>, tensor<?xf64>)
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f64) {
    %v = tensor.extract %x[%i] : tensor<?xf64>
    %next = arith.addf %acc, %v : f64
    scf.yield %next : f64
  }
  return %r#0, %r#1, %sum : tensor<?xf64>, tensor<?xf64>, f64
}
// Tensors and memrefs; the tensor is not modified for the caller.
func.func @mixed(%t: tensor<4x?xf32>, %m: memref<4x?xf32>) -> tensor<4x?xf32> {
  %u = bufferization.to_tensor %m restrict : memref<4x?xf32> to tensor<4x?xf32>
  %r = linalg.add ins(%t, %u : tensor<4x?xf32>, tensor<4x?xf32>) outs(%t : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}
// Packed and unpacked again, through mmt4d.
func.func @mmt4d(%a: tensor<10x6xf32>, %b: tensor<6x9xf32>) -> tensor<10x9xf32> {
  %zero = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<3x2x4x3xf32>
  %pa = linalg.pack %a padding_value(%zero : f32) inner_dims_pos = [0, 1] inner_tiles = [4, 3] into %ea : tensor<10x6xf32> -> tensor<3x2x4x3xf32>
  %eb = tensor.empty() : tensor<2x2x5x3xf32>
  %pb = linalg.pack %b padding_value(%zero : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [5, 3] into %eb : tensor<6x9xf32> -> tensor<2x2x5x3xf32>
  %ec = tensor.empty() : tensor<3x2x4x5xf32>
  %fc = linalg.fill ins(%zero : f32) outs(%ec : tensor<3x2x4x5xf32>) -> tensor<3x2x4x5xf32>
  %m = linalg.mmt4d ins(%pa, %pb : tensor<3x2x4x3xf32>, tensor<2x2x5x3xf32>) outs(%fc : tensor<3x2x4x5xf32>) -> tensor<3x2x4x5xf32>
  %e = tensor.empty() : tensor<10x9xf32>
  %r = linalg.unpack %m inner_dims_pos = [0, 1] inner_tiles = [4, 5] into %e : tensor<3x2x4x5xf32> -> tensor<10x9xf32>
  return %r : tensor<10x9xf32>
}
// A dense constant, a slice, a concatenation, rank 0 in and out.
func.func @odds(%x: tensor<?x4xf32>, %s: tensor<f32>) -> (tensor<2x8xf32>, tensor<f32>) {
  %k = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>
  %t = tensor.extract_slice %x[1, 0] [2, 4] [1, 1] : tensor<?x4xf32> to tensor<2x4xf32>
  %r = tensor.concat dim(1) %t, %k : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x8xf32>
  return %r, %s : tensor<2x8xf32>, tensor<f32>
}
// Numbers of other types in between: bits, integers, their contraction.
func.func @types(%x: tensor<5x7xf32>) -> tensor<5x5xf32> {
  %zero = arith.constant 0.0 : f32
  %eb = tensor.empty() : tensor<5x7xi1>
  %b = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<5x7xf32>) outs(%eb : tensor<5x7xi1>) {
    ^bb0(%u: f32, %o: i1):
      %c = arith.cmpf ogt, %u, %zero : f32
      linalg.yield %c : i1
  } -> tensor<5x7xi1>
  %ei = tensor.empty() : tensor<5x7xi8>
  %i = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<5x7xi1>) outs(%ei : tensor<5x7xi8>) {
    ^bb0(%u: i1, %o: i8):
      %c = arith.extui %u : i1 to i8
      linalg.yield %c : i8
  } -> tensor<5x7xi8>
  %c0 = arith.constant 0 : i32
  %es = tensor.empty() : tensor<5x5xi32>
  %fs = linalg.fill ins(%c0 : i32) outs(%es : tensor<5x5xi32>) -> tensor<5x5xi32>
  %s = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%i, %i : tensor<5x7xi8>, tensor<5x7xi8>) outs(%fs : tensor<5x5xi32>) -> tensor<5x5xi32>
  %er = tensor.empty() : tensor<5x5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<5x5xi32>) outs(%er : tensor<5x5xf32>) {
    ^bb0(%u: i32, %o: f32):
      %c = arith.sitofp %u : i32 to f32
      linalg.yield %c : f32
  } -> tensor<5x5xf32>
  return %r : tensor<5x5xf32>
}
// An index is a scalar, unless an extent depends on it: then it is a size.
func.func @pick(%x: tensor<?xi32>, %i: index, %d: i32) -> i32 {
  %v = tensor.extract %x[%i] : tensor<?xi32>
  %r = arith.addi %v, %d : i32
  return %r : i32
}
func.func @iota(%n: index) -> tensor<?xi32> {
  %e = tensor.empty(%n) : tensor<?xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%e : tensor<?xi32>) {
    ^bb0(%o: i32):
      %i = linalg.index 0 : index
      %j = arith.index_cast %i : index to i32
      linalg.yield %j : i32
  } -> tensor<?xi32>
  return %r : tensor<?xi32>
}
// Calls, results that are one value, control flow, memory of its own.
func.func private @helper(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %r = linalg.sub ins(%a, %b : tensor<?x4xf32>, tensor<?x4xf32>) outs(%a : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
func.func @calls(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %0 = call @helper(%a, %b) : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = call @helper(%0, %b) : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0, %1 : tensor<?x4xf32>, tensor<?x4xf32>
}
func.func @same(%a: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %c = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %r = linalg.exp ins(%a : tensor<3xf32>) outs(%a : tensor<3xf32>) -> tensor<3xf32>
  return %r, %r, %c : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}
func.func @loop(%a: tensor<?xf32>, %n: i32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.index_cast %n : i32 to index
  %r = scf.for %i = %c0 to %m step %c1 iter_args(%x = %a) -> (tensor<?xf32>) {
    %s = linalg.add ins(%x, %a : tensor<?xf32>, tensor<?xf32>) outs(%x : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
func.func @cond(%a: tensor<4xf32>, %b: tensor<4xf32>, %n: i32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : i32
  %p = arith.cmpi sgt, %n, %c0 : i32
  %r = scf.if %p -> tensor<4xf32> {
    %s = linalg.add ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  } else {
    scf.yield %b : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
func.func @pad(%a: tensor<?x3xf32>) -> tensor<?x6xf32> {
  %z = arith.constant 7.0 : f32
  %r = tensor.pad %a low[1, 2] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<?x3xf32> to tensor<?x6xf32>
  return %r : tensor<?x6xf32>
}
func.func @allocs(%x: memref<?x4xf32>, %y: memref<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %t = memref.alloc() : memref<4xf32>
    %xs = memref.subview %x[%i, 0] [1, 4] [1, 1] : memref<?x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    %ys = memref.subview %y[%i, 0] [1, 4] [1, 1] : memref<?x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    linalg.exp ins(%xs : memref<4xf32, strided<[1], offset: ?>>) outs(%t : memref<4xf32>)
    memref.copy %t, %ys : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
    memref.dealloc %t : memref<4xf32>
  }
  return
}
func.func @mmm(%a: memref<5x6xf32>, %b: memref<6x7xf32>, %c: memref<5x7xf32>) {
  linalg.matmul ins(%a, %b : memref<5x6xf32>, memref<6x7xf32>) outs(%c : memref<5x7xf32>)
  return
}
// Products on memrefs, a contraction and what means one; the second reads what
// the first has written.
func.func @products(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %d: memref<?x?xf32>) {
  linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%c, %c : memref<?x?xf32>, memref<?x?xf32>) outs(%d : memref<?x?xf32>) {
    ^bb0(%u: f32, %v: f32, %o: f32):
      %p = arith.mulf %u, %v : f32
      %s = arith.addf %o, %p : f32
      linalg.yield %s : f32
  }
  return
}
func.func @pool(%i: tensor<1x6x6x2xf32>) -> tensor<1x3x3x2xf32> {
  %w = tensor.empty() : tensor<2x2xf32>
  %z = arith.constant -1.0e30 : f32
  %e = tensor.empty() : tensor<1x3x3x2xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x3x3x2xf32>) -> tensor<1x3x3x2xf32>
  %r = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
     ins(%i, %w : tensor<1x6x6x2xf32>, tensor<2x2xf32>) outs(%f : tensor<1x3x3x2xf32>) -> tensor<1x3x3x2xf32>
  return %r : tensor<1x3x3x2xf32>
}
func.func @reduce(%a: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %a, %c1 : tensor<?x?xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty(%m) : tensor<?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = linalg.reduce { arith.addf } ins(%a : tensor<?x?xf32>) outs(%f : tensor<?xf32>) dimensions = [1]
  %t = tensor.empty(%n, %m) : tensor<?x?xf32>
  %u = linalg.transpose ins(%a : tensor<?x?xf32>) outs(%t : tensor<?x?xf32>) permutation = [1, 0]
  return %r, %u : tensor<?xf32>, tensor<?x?xf32>
}
func.func @inplace(%x: memref<?xf32>) {
  %t = bufferization.to_tensor %x restrict writable : memref<?xf32> to tensor<?xf32>
  %r = linalg.exp ins(%t : tensor<?xf32>) outs(%t : tensor<?xf32>) -> tensor<?xf32>
  bufferization.materialize_in_destination %r in restrict writable %x : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}
func.func @slices(%x: tensor<?x?xf32>, %y: tensor<2x2xf32>) -> tensor<?x?xf32> {
  %r = tensor.insert_slice %y into %x[1, 1] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
func.func @answer() -> f64 {
  %c = arith.constant 42.0 : f64
  return %c : f64
}
