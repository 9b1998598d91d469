// RUN: ein-opt %s -ein-return-to-destination -ein-bufferize -canonicalize -cse -split-input-file \
// RUN:   | FileCheck %s

#n = affine_map<()[n] -> (n)>

// In place: no allocation, no copy, nothing returned, the attribute of the
// destination gone.
// CHECK-LABEL: func @in_place
// CHECK-SAME: (%[[A:[^:]*]]: memref<?xf32>, %[[C:[^:]*]]: memref<?xf32>, %{{[^:]*}}: index) attributes {ein.signature =
// CHECK-NOT: memref.alloc
// CHECK: linalg.generic {{.*}} ins(%[[A]] : memref<?xf32>) outs(%[[C]] : memref<?xf32>)
// CHECK-NOT: linalg.{{generic|copy}}
// CHECK: return
// CHECK-NEXT: }
func.func @in_place(%a: tensor<?xf32>, %c: tensor<?xf32> {bufferization.writable = true}, %n: index)
    -> tensor<?xf32>
    attributes {ein.signature = {
      arguments = [{name = "A", role = "input", type = "f32", dims = #n},
                   {name = "C", role = "output", type = "f32", dims = #n}],
      symbols = ["N"], checks = []}} {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
    ins(%a : tensor<?xf32>) outs(%c : tensor<?xf32>) {
  ^bb0(%x: f32, %z: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

#mn = affine_map<()[m] -> (m, 8)>

// The last stride is one, the others are whatever the caller says, also where
// the extents are known.
// CHECK-LABEL: func @rows
// CHECK-SAME: (%[[A:[^:]*]]: memref<?x8xf32, strided<[?, 1]>>, %[[C:[^:]*]]: memref<?x8xf32, strided<[?, 1]>>, %{{[^:]*}}: index)
// CHECK-NOT: memref.alloc
// CHECK: linalg.generic {{.*}} ins(%[[A]] : {{.*}}) outs(%[[C]] : {{.*}})
// CHECK-NOT: linalg.{{generic|copy}}
// CHECK: return
// CHECK-NEXT: }
func.func @rows(%a: tensor<?x8xf32>, %c: tensor<?x8xf32> {bufferization.writable = true}, %m: index)
    -> tensor<?x8xf32>
    attributes {ein.signature = {
      arguments = [{name = "A", role = "input", type = "f32", dims = #mn},
                   {name = "C", role = "output", type = "f32", dims = #mn}],
      symbols = ["M"], checks = []}} {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<?x8xf32>) outs(%c : tensor<?x8xf32>) {
  ^bb0(%x: f32, %z: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// -----

#n = affine_map<() -> (8)>

// A temporary that only serves as destination is what it is written to.
// CHECK-LABEL: func @empty
// CHECK-SAME: %[[C:[^:]*]]: memref<8xf32>
// CHECK-NOT: memref.alloc
// CHECK: linalg.fill ins(%{{.*}}) outs(%[[C]] : memref<8xf32>)
// CHECK-NOT: linalg.{{generic|copy}}
func.func @empty(%c: tensor<8xf32> {bufferization.writable = true}) -> tensor<8xf32>
    attributes {ein.signature = {
      arguments = [{name = "C", role = "output", type = "f32", dims = #n}],
      symbols = [], checks = []}} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  %1 = tensor.insert_slice %0 into %c[0] [8] [1] : tensor<8xf32> into tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

#n = affine_map<() -> (8)>

// Of a filled tensor that several ops write over, each has one of its own, in
// whichever shape: nothing is copied.
// CHECK-LABEL: func @filled
// CHECK: linalg.fill {{.*}} outs(%[[X:[^ ]*]] :
// CHECK-NOT: linalg.{{generic|copy}}
// CHECK: linalg.reduce {{.*}} outs(%[[X]] :
// CHECK-NOT: linalg.{{generic|copy}}
// CHECK: linalg.fill {{.*}} outs(%[[Y:[^ ]*]] :
// CHECK-NOT: linalg.{{generic|copy}}
// CHECK: linalg.reduce {{.*}} outs(%[[Y]] :
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[Y]] :
// CHECK-NOT: linalg.{{fill|generic|copy}}
// CHECK: return
func.func @filled(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>,
                  %c: tensor<8xf32> {bufferization.writable = true}) -> tensor<8xf32>
    attributes {ein.signature = {
      arguments = [{name = "A", role = "input", type = "f32", dims = affine_map<() -> (4, 8)>},
                   {name = "B", role = "input", type = "f32", dims = affine_map<() -> (4, 8)>},
                   {name = "C", role = "output", type = "f32", dims = #n}],
      symbols = [], checks = []}} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  %x = linalg.reduce { arith.addf } ins(%a : tensor<4x8xf32>) outs(%fill : tensor<8xf32>) dimensions = [0]
  %y = linalg.reduce { arith.addf } ins(%b : tensor<4x8xf32>) outs(%fill : tensor<8xf32>) dimensions = [0]
  %z = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
    ins(%x, %y : tensor<8xf32>, tensor<8xf32>) outs(%c : tensor<8xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %s = arith.mulf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %z : tensor<8xf32>
}

// -----

#n = affine_map<() -> (8)>

// A result that lies elsewhere is copied, by a linalg op and not by the library
// function that memref.copy would call. Buffers are aligned for vectors.
// CHECK-LABEL: func @copied
// CHECK-SAME: %[[C:[^:]*]]: memref<8xf32>, %[[D:[^:]*]]: memref<8xf32>
// CHECK: %[[T:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK: linalg.fill ins(%{{.*}}) outs(%[[T]] : memref<8xf32>)
// CHECK-NOT: memref.copy
// CHECK-DAG: linalg.generic {{.*}} ins(%[[T]] : memref<8xf32>) outs(%[[C]] : memref<8xf32>)
// CHECK-DAG: linalg.generic {{.*}} ins(%[[T]] : memref<8xf32>) outs(%[[D]] : memref<8xf32>)
func.func @copied(%c: tensor<8xf32> {bufferization.writable = true},
                  %d: tensor<8xf32> {bufferization.writable = true})
    -> (tensor<8xf32>, tensor<8xf32>)
    attributes {ein.signature = {
      arguments = [{name = "C", role = "output", type = "f32", dims = #n},
                   {name = "D", role = "output", type = "f32", dims = #n}],
      symbols = [], checks = []}} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  return %0, %0 : tensor<8xf32>, tensor<8xf32>
}

// -----

#in = affine_map<()[h, w, c, n] -> (h, w, c)>
#out = affine_map<()[h, w, c, n] -> (n, c)>

// What is written to its destination, expanded, is neither collapsed nor copied,
// although nobody knows the strides.
// CHECK-LABEL: func @expanded
// CHECK-SAME: %[[A:[^:]*]]: memref<?x?x?xf32, strided<[?, ?, 1]>>, %[[C:[^:]*]]: memref<?x?xf32, strided<[?, 1]>>
// CHECK-NEXT: %[[PARTS:.*]] = memref.expand_shape %[[C]]
// CHECK-NEXT: linalg.exp ins(%[[A]] : {{.*}}) outs(%[[PARTS]] :
// CHECK-NEXT: return
func.func @expanded(%a: tensor<?x?x?xf32>, %c: tensor<?x?xf32> {bufferization.writable = true},
                    %h: index, %w: index, %k: index, %n: index) -> tensor<?x?xf32>
    attributes {ein.signature = {
      arguments = [{name = "A", role = "input", type = "f32", dims = #in},
                   {name = "C", role = "output", type = "f32", dims = #out}],
      symbols = ["H", "W", "C", "N"], checks = []}} {
  %0 = tensor.expand_shape %c [[0, 1], [2]] output_shape [%h, %w, %k] : tensor<?x?xf32> into tensor<?x?x?xf32>
  %1 = linalg.exp ins(%a : tensor<?x?x?xf32>) outs(%0 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %2 = tensor.collapse_shape %1 [[0, 1], [2]] : tensor<?x?x?xf32> into tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

// -----

#flat = affine_map<()[h, w, k, n] -> (n, k)>
#deep = affine_map<()[h, w, k, n] -> (h, w, k)>

// Both sides of a branch write to a destination whose dims are joined: it is where the result has
// to be, and nothing is copied to itself.
// CHECK-LABEL: func @branches
// CHECK-SAME: %[[C:[^:]*]]: memref<?x?x?xf32>
// CHECK: %[[JOINED:.*]] = memref.collapse_shape %[[C]]
// CHECK: scf.if
// CHECK: linalg.exp {{.*}} outs(%[[JOINED]] :
// CHECK: else
// CHECK: linalg.log {{.*}} outs(%[[JOINED]] :
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @branches(%a: tensor<?x?xf32>, %c: tensor<?x?x?xf32> {bufferization.writable = true},
                    %h: index, %w: index, %k: index, %n: index) -> tensor<?x?x?xf32>
    attributes {ein.contiguous = array<i64: 1>, ein.signature = {
      arguments = [{name = "A", role = "input", type = "f32", dims = #flat},
                   {name = "C", role = "output", type = "f32", dims = #deep}],
      symbols = ["H", "W", "K", "N"], checks = []}} {
  %few = arith.constant 8 : index
  %0 = tensor.collapse_shape %c [[0, 1], [2]] : tensor<?x?x?xf32> into tensor<?x?xf32>
  %isSmall = arith.cmpi sle, %k, %few : index
  %1 = scf.if %isSmall -> tensor<?x?xf32> {
    %2 = linalg.exp ins(%a : tensor<?x?xf32>) outs(%0 : tensor<?x?xf32>) -> tensor<?x?xf32>
    scf.yield %2 : tensor<?x?xf32>
  } else {
    %2 = linalg.log ins(%a : tensor<?x?xf32>) outs(%0 : tensor<?x?xf32>) -> tensor<?x?xf32>
    scf.yield %2 : tensor<?x?xf32>
  }
  %3 = tensor.expand_shape %1 [[0, 1], [2]] output_shape [%h, %w, %k] : tensor<?x?xf32> into tensor<?x?x?xf32>
  return %3 : tensor<?x?x?xf32>
}

// -----

#n = affine_map<() -> (8)>

// Inputs are not written, whatever is done to their values.
// CHECK-LABEL: func @inputs_stay
// CHECK-SAME: %[[A:[^:]*]]: memref<8xf32>, %[[C:[^:]*]]: memref<8xf32>
// CHECK-NOT: outs(%[[A]]
// CHECK: return
func.func @inputs_stay(%a: tensor<8xf32> {bufferization.writable = false},
                       %c: tensor<8xf32> {bufferization.writable = true}) -> tensor<8xf32>
    attributes {ein.signature = {
      arguments = [{name = "A", role = "input", type = "f32", dims = #n},
                   {name = "C", role = "output", type = "f32", dims = #n}],
      symbols = [], checks = []}} {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%zero : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A function without signature returns what it returned.
// CHECK-LABEL: func @plain
// CHECK-SAME: -> memref<8xf32>
func.func @plain(%c: tensor<8xf32>) -> tensor<8xf32> {
  return %c : tensor<8xf32>
}

// -----

#h = affine_map<()[h] -> (h, 8)>
#hw = affine_map<()[h] -> (h * 8)>

// An input whose dims are joined is contiguous by its type, and not copied.
// CHECK-LABEL: func @joined
// CHECK-SAME: (%[[A:[^:]*]]: memref<?x8xf32>, %[[C:[^:]*]]: memref<?xf32>, %{{[^:]*}}: index)
// CHECK-SAME: ein.contiguous = array<i64: 0>
// CHECK-NOT: memref.alloc
// CHECK: %[[J:.*]] = memref.collapse_shape %[[A]]
// CHECK: linalg.generic {{.*}} ins(%[[J]] : memref<?xf32>) outs(%[[C]] : memref<?xf32>)
// CHECK-NOT: linalg.{{generic|copy}}
// CHECK: return
func.func @joined(%a: tensor<?x8xf32>, %c: tensor<?xf32> {bufferization.writable = true}, %h: index)
    -> tensor<?xf32>
    attributes {ein.signature = {
      arguments = [{name = "A", role = "input", type = "f32", dims = #h},
                   {name = "C", role = "output", type = "f32", dims = #hw}],
      symbols = ["H"], checks = []}} {
  %j = tensor.collapse_shape %a [[0, 1]] : tensor<?x8xf32> into tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
    ins(%j : tensor<?xf32>) outs(%c : tensor<?xf32>) {
  ^bb0(%x: f32, %z: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

#two = affine_map<()[] -> (2, 2)>
#four = affine_map<()[] -> (2, 4)>

// Views of complex numbers as their parts, of an empty tensor that others start
// from as well: it has no buffer while upstream asks what the view's would be.
// CHECK-LABEL: func @parts
// CHECK: ein.reinterpret %{{.*}} : memref<2x2xcomplex<f32>> to memref<2x4xf32>
func.func @parts(%x: vector<2x4xf32>, %c: tensor<2x2xcomplex<f32>> {bufferization.writable = true},
                 %d: tensor<2x4xf32> {bufferization.writable = true})
    -> (tensor<2x2xcomplex<f32>>, tensor<2x4xf32>)
    attributes {ein.signature = {
      arguments = [{name = "x", role = "input", type = "f32", dims = #four},
                   {name = "C", role = "output", type = "c64", dims = #two},
                   {name = "D", role = "output", type = "f32", dims = #four}],
      symbols = [], checks = []}} {
  %c0 = arith.constant 0 : index
  %zero = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  %empty = tensor.empty() : tensor<2x2xcomplex<f32>>
  %fill = linalg.fill ins(%zero : complex<f32>) outs(%empty : tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  %view = ein.reinterpret %empty : tensor<2x2xcomplex<f32>> to tensor<2x4xf32>
  %written = vector.transfer_write %x, %view[%c0, %c0] {in_bounds = [true, true]} : vector<2x4xf32>, tensor<2x4xf32>
  return %fill, %written : tensor<2x2xcomplex<f32>>, tensor<2x4xf32>
}

// -----

#in = affine_map<()[n] -> (1, n, 1, 1)>
#out = affine_map<()[n] -> (1, n)>

// A view that keeps a dim of size one and drops others, which dynamic strides do
// not tell apart: all are dropped first.
// CHECK-LABEL: func @units
// CHECK-SAME: (%[[A:[^:]*]]: memref<1x?x1x1xf32, {{.*}}>, %[[C:[^:]*]]: memref<1x?xf32, {{.*}}>, %[[N:[^:]*]]: index)
// CHECK: %[[V:.*]] = memref.subview %[[A]][0, 0, 0, 0] [1, %[[N]], 1, 1] [1, 1, 1, 1] : {{.*}} to memref<?xf32, strided<[?]>>
// CHECK: %[[E:.*]] = memref.expand_shape %[[V]] {{\[\[}}0, 1]] output_shape [1, %[[N]]]
// CHECK: linalg.generic {{.*}} ins(%[[E]] : {{.*}}) outs(%[[C]] : {{.*}})
func.func @units(%a: tensor<1x?x1x1xf32>, %c: tensor<1x?xf32> {bufferization.writable = true}, %n: index)
    -> tensor<1x?xf32>
    attributes {ein.signature = {
      arguments = [{name = "A", role = "input", type = "f32", dims = #in},
                   {name = "C", role = "output", type = "f32", dims = #out}],
      symbols = ["N"], checks = []}} {
  %s = tensor.extract_slice %a[0, 0, 0, 0] [1, %n, 1, 1] [1, 1, 1, 1]
      : tensor<1x?x1x1xf32> to tensor<1x?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%s : tensor<1x?xf32>) outs(%c : tensor<1x?xf32>) {
  ^bb0(%x: f32, %z: f32):
    %e = arith.addf %x, %x : f32
    linalg.yield %e : f32
  } -> tensor<1x?xf32>
  return %0 : tensor<1x?xf32>
}

// -----

// What a `while` carries is in its place: nothing is copied.
// CHECK-LABEL: func @while_carries
// CHECK: scf.while
// CHECK: linalg.exp
// CHECK-NOT: linalg.{{generic|copy}}
// CHECK: return
func.func @while_carries(%n: i32, %a: tensor<4xf32>) -> tensor<4xf32>
    attributes {ein.signature = {arguments = [{dims = affine_map<() -> ()>, name = "n", role = "input", type = "i32"},
                                              {dims = affine_map<() -> (4)>, name = "a", role = "inout", type = "f32"}],
                                 checks = [], symbols = []}} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r:2 = scf.while (%i = %n, %x = %a) : (i32, tensor<4xf32>) -> (i32, tensor<4xf32>) {
    %p = arith.cmpi sgt, %i, %zero : i32
    scf.condition(%p) %i, %x : i32, tensor<4xf32>
  } do {
  ^bb0(%i: i32, %x: tensor<4xf32>):
    %e = linalg.exp ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
    %j = arith.subi %i, %one : i32
    scf.yield %j, %e : i32, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}

// -----

#n = affine_map<()[n] -> (n)>

// A result that is in another's destination leaves before that comes.
// CHECK-LABEL: func @crossed
// CHECK-SAME: (%[[A:[^:]*]]: memref<?xf32>, %[[B:[^:]*]]: memref<?xf32>, %[[C:[^:]*]]: memref<?xf32>
// CHECK: %[[TWOS:.*]] = memref.alloc
// CHECK: linalg.fill {{.*}} outs(%[[TWOS]] :
// CHECK: scf.if
// CHECK: linalg.generic {{.*}} outs(%[[B]] :
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : {{.*}}) outs(%[[C]] :
// CHECK: linalg.generic {{.*}} ins(%[[TWOS]] : {{.*}}) outs(%[[B]] :
// CHECK: return
func.func @crossed(%a: tensor<?xf32>, %b: tensor<?xf32> {bufferization.writable = true},
                   %c: tensor<?xf32> {bufferization.writable = true}, %n: index)
    -> (tensor<?xf32>, tensor<?xf32>)
    attributes {ein.signature = {
      arguments = [{name = "A", role = "input", type = "f32", dims = #n},
                   {name = "B", role = "output", type = "f32", dims = #n},
                   {name = "C", role = "output", type = "f32", dims = #n}],
      symbols = ["N"], checks = []}} {
  %two = arith.constant 2.0 : f32
  %c9 = arith.constant 9 : index
  %small = arith.cmpi slt, %n, %c9 : index
  %0 = linalg.fill ins(%two : f32) outs(%b : tensor<?xf32>) -> tensor<?xf32>
  %1 = scf.if %small -> (tensor<?xf32>) {
    %2 = linalg.fill ins(%two : f32) outs(%b : tensor<?xf32>) -> tensor<?xf32>
    %3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                         iterator_types = ["parallel"]}
      ins(%a : tensor<?xf32>) outs(%2 : tensor<?xf32>) {
    ^bb0(%x: f32, %z: f32):
      %s = arith.addf %x, %z : f32
      linalg.yield %s : f32
    } -> tensor<?xf32>
    scf.yield %3 : tensor<?xf32>
  } else {
    %2 = linalg.fill ins(%two : f32) outs(%b : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %2 : tensor<?xf32>
  }
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// -----

#mn = affine_map<() -> (8, 16)>

// A slice goes back to the empty tensor that it is of, although another user of
// that is written to as well: there is one buffer.
// CHECK-LABEL: func @slices
// CHECK: %[[X:.*]] = memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: linalg.reduce {{.*}} ins(%[[X]]
// CHECK: return
func.func @slices(%c: tensor<16xf32> {bufferization.writable = true}) -> tensor<16xf32>
    attributes {ein.signature = {
      arguments = [{name = "C", role = "output", type = "f32", dims = affine_map<() -> (16)>}],
      symbols = [], checks = []}} {
  %c0 = arith.constant 0 : index
  %v = arith.constant dense<1.0> : vector<4x16xf32>
  %empty = tensor.empty() : tensor<8x16xf32>
  %upper = tensor.extract_slice %empty[0, 0] [4, 16] [1, 1] : tensor<8x16xf32> to tensor<4x16xf32>
  %0 = vector.transfer_write %v, %upper[%c0, %c0] {in_bounds = [true, true]} : vector<4x16xf32>, tensor<4x16xf32>
  %1 = tensor.insert_slice %0 into %empty[0, 0] [4, 16] [1, 1] : tensor<4x16xf32> into tensor<8x16xf32>
  %lower = tensor.extract_slice %1[4, 0] [4, 16] [1, 1] : tensor<8x16xf32> to tensor<4x16xf32>
  %2 = vector.transfer_write %v, %lower[%c0, %c0] {in_bounds = [true, true]} : vector<4x16xf32>, tensor<4x16xf32>
  %3 = tensor.insert_slice %2 into %1[4, 0] [4, 16] [1, 1] : tensor<4x16xf32> into tensor<8x16xf32>
  %4 = linalg.reduce { arith.addf } ins(%3 : tensor<8x16xf32>) outs(%c : tensor<16xf32>) dimensions = [0]
  return %4 : tensor<16xf32>
}
