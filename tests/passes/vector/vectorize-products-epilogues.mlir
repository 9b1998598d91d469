// RUN: ein-opt %s -ein-vectorize-tiles -canonicalize -cse -split-input-file | FileCheck %s

#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// A tile that is padded where C ends is read and written where C is, and may
// leave it.
// CHECK-LABEL: func @tile
// CHECK-SAME: %[[C:[^:]*]]: tensor<?x?xf32>
// CHECK-NOT: tensor.pad
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %[[C]]
// CHECK: %[[START:.*]] = vector.transfer_read %[[SLICE]][%c0, %c0], %{{[^:]*}} : tensor<?x?xf32>, vector<4x8xf32>
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[V:.*]] = %[[START]]) -> (vector<4x8xf32>)
// CHECK: vector.contract {{.*}}, %[[V]]
// CHECK: %[[W:.*]] = vector.transfer_write %[[R]], %[[SLICE]][%c0, %c0] : vector<4x8xf32>, tensor<?x?xf32>
// CHECK: tensor.insert_slice %[[W]] into %[[C]]
func.func @tile(%a: tensor<16x4xf32>, %b: tensor<16x8xf32>, %c: tensor<?x?xf32>,
                %h: index, %w: index, %ph: index, %pw: index) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %slice = tensor.extract_slice %c[0, 0] [%h, %w] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %padded = tensor.pad %slice low[0, 0] high[%ph, %pw] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x?xf32> to tensor<4x8xf32>
  %r = linalg.contract indexing_maps = [#km, #kn, #mn]
         {ein.schedule = #ein.schedule<loops = [d0, d1, d2: 1], rows = d0: 4, columns = d1: 8,
                          sums = d2, vector = d1, operands = [packed, packed]>}
         ins(%a, %b : tensor<16x4xf32>, tensor<16x8xf32>)
         outs(%padded : tensor<4x8xf32>) -> tensor<4x8xf32>
  %part = tensor.extract_slice %r[0, 0] [%h, %w] [1, 1] : tensor<4x8xf32> to tensor<?x?xf32>
  %0 = tensor.insert_slice %part into %c[0, 0] [%h, %w] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// Padded in front, a read past the end would not mean the same.
// CHECK-LABEL: func @low_pad
// CHECK: %[[PAD:.*]] = tensor.pad
// CHECK: vector.transfer_read %[[PAD]]
// CHECK: vector.transfer_write %{{.*}}, %[[PAD]]
func.func @low_pad(%a: tensor<16x4xf32>, %b: tensor<16x8xf32>, %c: tensor<?x8xf32>, %p: index)
    -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %c low[%p, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x8xf32> to tensor<4x8xf32>
  %r = linalg.contract indexing_maps = [#km, #kn, #mn]
         {ein.schedule = #ein.schedule<loops = [d0, d1, d2: 1], rows = d0: 4, columns = d1: 8,
                          sums = d2, vector = d1, operands = [packed, packed]>}
         ins(%a, %b : tensor<16x4xf32>, tensor<16x8xf32>)
         outs(%padded : tensor<4x8xf32>) -> tensor<4x8xf32>
  %h = tensor.dim %c, %c0 : tensor<?x8xf32>
  %part = tensor.extract_slice %r[0, 0] [%h, 8] [1, 1] : tensor<4x8xf32> to tensor<?x8xf32>
  return %part : tensor<?x8xf32>
}

// What else reads the tile wants all of it.
// CHECK-LABEL: func @read_twice
// CHECK: %[[PAD:.*]] = tensor.pad
// CHECK: vector.transfer_write %{{.*}}, %[[PAD]]
func.func @read_twice(%a: tensor<16x4xf32>, %b: tensor<16x8xf32>, %c: tensor<3x8xf32>)
    -> (tensor<3x8xf32>, tensor<4x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %c low[0, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<3x8xf32> to tensor<4x8xf32>
  %r = linalg.contract indexing_maps = [#km, #kn, #mn]
         {ein.schedule = #ein.schedule<loops = [d0, d1, d2: 1], rows = d0: 4, columns = d1: 8,
                          sums = d2, vector = d1, operands = [packed, packed]>}
         ins(%a, %b : tensor<16x4xf32>, tensor<16x8xf32>)
         outs(%padded : tensor<4x8xf32>) -> tensor<4x8xf32>
  %part = tensor.extract_slice %r[0, 0] [3, 8] [1, 1] : tensor<4x8xf32> to tensor<3x8xf32>
  return %part, %r : tensor<3x8xf32>, tensor<4x8xf32>
}

// -----

#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// A few additions are made where the sums are: in registers. A row that they
// read is broadcast from where it is. Nothing was read, so C's part is wanted
// behind the loop only.
// CHECK-LABEL: func @epilogue
// CHECK-SAME: %[[BIAS:[^:]*]]: tensor<?xf32>, %[[C:[^:]*]]: tensor<?x?xf32>
// CHECK-DAG: %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : vector<4x8xf32>
// CHECK-NOT: tensor.extract_slice
// CHECK: %[[SUMS:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[ZEROS]])
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %[[C]]
// CHECK: %[[B:.*]] = vector.transfer_read %[[BIAS]][%c0], %{{.*}} {in_bounds = [true, false], permutation_map = #{{.*}}} : tensor<?xf32>, vector<4x8xf32>
// CHECK: %[[Z:.*]] = arith.addf %[[SUMS]], %[[B]] fastmath<contract> : vector<4x8xf32>
// CHECK: %[[Y:.*]] = arith.maximumf %[[Z]], %[[ZEROS]] : vector<4x8xf32>
// CHECK: %[[W:.*]] = vector.transfer_write %[[Y]], %[[SLICE]][%c0, %c0] : vector<4x8xf32>, tensor<?x?xf32>
// CHECK: tensor.insert_slice %[[W]] into %[[C]]
func.func @epilogue(%a: tensor<?x4xf32>, %b: tensor<?x8xf32>, %bias: tensor<?xf32>,
                    %c: tensor<?x?xf32>, %h: index, %w: index) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %slice = tensor.extract_slice %c[0, 0] [%h, %w] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %ph = affine.apply affine_map<(d) -> (4 - d)>(%h)
  %pw = affine.apply affine_map<(d) -> (8 - d)>(%w)
  %tile = tensor.pad %slice low[0, 0] high[%ph, %pw] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x?xf32> to tensor<4x8xf32>
  %row = tensor.pad %bias low[0] high[%pw] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<?xf32> to tensor<8xf32>
  %start = linalg.fill ins(%zero : f32) outs(%tile : tensor<4x8xf32>) -> tensor<4x8xf32>
  %sums = linalg.contract indexing_maps = [#km, #kn, #mn]
            {ein.schedule = #ein.schedule<loops = [d0, d1, d2: 1], rows = d0: 4, columns = d1: 8,
                             sums = d2, vector = d1, operands = [packed, packed]>}
            ins(%a, %b : tensor<?x4xf32>, tensor<?x8xf32>)
            outs(%start : tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>],
                       iterator_types = ["parallel", "parallel"]}
         ins(%row : tensor<8xf32>) outs(%sums : tensor<4x8xf32>)
         attrs = {ein.schedule = #ein.schedule<in_epilogue>} {
  ^bb0(%x: f32, %s: f32):
    %z = arith.addf %s, %x fastmath<contract> : f32
    %y = arith.maximumf %z, %zero : f32
    linalg.yield %y : f32
  } -> tensor<4x8xf32>
  %part = tensor.extract_slice %r[0, 0] [%h, %w] [1, 1] : tensor<4x8xf32> to tensor<?x?xf32>
  %0 = tensor.insert_slice %part into %c[0, 0] [%h, %w] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Of functions the sums are written first; then each row that C has is read,
// with its part of what lies along rows and its element of what lies along
// columns. In a block that is not the last one there are no rows.
// CHECK-LABEL: func @gelu
// CHECK-SAME: %[[C:[^:]*]]: tensor<?x8xf32>, %[[BIAS:[^:]*]]: tensor<8xf32>, %[[SCALE:[^:]*]]: tensor<?xf32>, %[[FIRST:[^:]*]]: i1, %[[LAST:[^:]*]]: i1
// CHECK: %[[HEIGHT:.*]] = tensor.dim %[[C]]
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %[[C]]
// CHECK: %[[START:.*]] = scf.if %[[FIRST]]
// CHECK: %[[SUMS:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[START]])
// CHECK: %[[TILE:.*]] = vector.transfer_write %[[SUMS]], %[[SLICE]]
// CHECK: %[[ROWS:.*]] = arith.select %[[LAST]], %[[HEIGHT]], %c0
// CHECK: %[[DONE:.*]] = scf.for %[[ROW:.*]] = %c0{{[_0-9]*}} to %[[ROWS]] step %c1{{[_0-9]*}} iter_args(%[[T:.*]] = %[[TILE]])
// CHECK: %[[X:.*]] = vector.transfer_read %[[T]][%[[ROW]], %{{.*}} {in_bounds = [true]} : tensor<?x8xf32>, vector<8xf32>
// CHECK: %[[B:.*]] = vector.transfer_read %[[BIAS]]{{.*}} : tensor<8xf32>, vector<8xf32>
// CHECK: %[[E:.*]] = tensor.extract %[[SCALE]][%[[ROW]]]
// CHECK: %[[Z:.*]] = arith.addf %[[X]], %[[B]] fastmath<contract> : vector<8xf32>
// CHECK: %[[F:.*]] = math.tanh %[[Z]] : vector<8xf32>
// CHECK: %[[S:.*]] = vector.broadcast %[[E]] : f32 to vector<8xf32>
// CHECK: %[[Y:.*]] = arith.mulf %[[F]], %[[S]] : vector<8xf32>
// CHECK: %[[W:.*]] = vector.transfer_write %[[Y]], %[[T]][%[[ROW]], %{{.*}} {in_bounds = [true]}
// CHECK: scf.yield %[[W]]
// CHECK: } {ein.epilogue}
// CHECK: return %[[DONE]]
func.func @gelu(%c: tensor<?x8xf32>, %bias: tensor<8xf32>, %scale: tensor<?xf32>, %first: i1, %last: i1,
                %a: tensor<16x4xf32>, %b: tensor<16x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %h = tensor.dim %c, %c0 : tensor<?x8xf32>
  %slice = tensor.extract_slice %c[0, 0] [%h, 8] [1, 1] : tensor<?x8xf32> to tensor<?x8xf32>
  %ph = affine.apply affine_map<(d) -> (4 - d)>(%h)
  %tile = tensor.pad %slice low[0, 0] high[%ph, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x8xf32> to tensor<4x8xf32>
  %column = tensor.pad %scale low[0] high[%ph] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<?xf32> to tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x8xf32>) -> tensor<4x8xf32>
  %start = arith.select %first, %fill, %tile : tensor<4x8xf32>
  %sums = linalg.contract indexing_maps = [#km, #kn, #mn]
            {ein.schedule = #ein.schedule<loops = [d0, d1, d2: 1], rows = d0: 4, columns = d1: 8,
                             sums = d2, vector = d1, operands = [packed, packed]>}
            ins(%a, %b : tensor<16x4xf32>, tensor<16x8xf32>)
            outs(%start : tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m)>,
                                        affine_map<(m, n) -> ()>, affine_map<(m, n) -> (m, n)>],
                       iterator_types = ["parallel", "parallel"]}
         ins(%bias, %column, %last : tensor<8xf32>, tensor<4xf32>, i1) outs(%sums : tensor<4x8xf32>)
         attrs = {ein.schedule = #ein.schedule<in_epilogue>} {
  ^bb0(%x: f32, %y: f32, %is_last: i1, %s: f32):
    %z = arith.addf %s, %x fastmath<contract> : f32
    %f = math.tanh %z : f32
    %v = arith.mulf %f, %y : f32
    %w = arith.select %is_last, %v, %s : f32
    linalg.yield %w : f32
  } -> tensor<4x8xf32>
  %part = tensor.extract_slice %r[0, 0] [%h, 8] [1, 1] : tensor<4x8xf32> to tensor<?x8xf32>
  return %part : tensor<?x8xf32>
}

// -----

#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Where columns are missing as well, rows are masked, inside of the loop: no
// vector goes to a function.
// CHECK-LABEL: func @masked_rows
// CHECK: scf.for
// CHECK: scf.for
// CHECK: %[[MASK:.*]] = arith.cmpi {{.*}} : vector<8xi32>
// CHECK: vector.transfer_read %{{.*}}, %[[MASK]] {in_bounds = [true]} : tensor<?x?xf32>, vector<8xf32>
// CHECK: math.exp
// CHECK: vector.transfer_write %{{.*}}, %[[MASK]] {in_bounds = [true]} : vector<8xf32>, tensor<?x?xf32>
// CHECK: } {ein.epilogue}
func.func @masked_rows(%a: tensor<?x4xf32>, %b: tensor<?x8xf32>, %c: tensor<?x?xf32>,
                       %h: index, %w: index, %ph: index, %pw: index) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %slice = tensor.extract_slice %c[0, 0] [%h, %w] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %tile = tensor.pad %slice low[0, 0] high[%ph, %pw] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x?xf32> to tensor<4x8xf32>
  %sums = linalg.contract indexing_maps = [#km, #kn, #mn]
            {ein.schedule = #ein.schedule<loops = [d0, d1, d2: 1], rows = d0: 4, columns = d1: 8,
                             sums = d2, vector = d1, operands = [packed, packed]>}
            ins(%a, %b : tensor<?x4xf32>, tensor<?x8xf32>)
            outs(%tile : tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>],
                       iterator_types = ["parallel", "parallel"]}
         outs(%sums : tensor<4x8xf32>) attrs = {ein.schedule = #ein.schedule<in_epilogue>} {
  ^bb0(%s: f32):
    %y = math.exp %s : f32
    linalg.yield %y : f32
  } -> tensor<4x8xf32>
  %part = tensor.extract_slice %r[0, 0] [%h, %w] [1, 1] : tensor<4x8xf32> to tensor<?x?xf32>
  return %part : tensor<?x?xf32>
}

// -----

#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// What reads the tensor that it writes would need a copy of it: it is computed
// in registers.
// CHECK-LABEL: func @of_itself
// CHECK: math.exp %{{.*}} : vector<4x8xf32>
// CHECK-NOT: ein.epilogue
func.func @of_itself(%c: tensor<4x8xf32>, %a: tensor<?x4xf32>, %b: tensor<?x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %fill = linalg.fill ins(%zero : f32) outs(%c : tensor<4x8xf32>) -> tensor<4x8xf32>
  %sums = linalg.contract indexing_maps = [#km, #kn, #mn]
            {ein.schedule = #ein.schedule<loops = [d0, d1, d2: 1], rows = d0: 4, columns = d1: 8,
                             sums = d2, vector = d1, operands = [packed, packed]>}
            ins(%a, %b : tensor<?x4xf32>, tensor<?x8xf32>)
            outs(%fill : tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
                       iterator_types = ["parallel", "parallel"]}
         ins(%c : tensor<4x8xf32>) outs(%sums : tensor<4x8xf32>)
         attrs = {ein.schedule = #ein.schedule<in_epilogue>} {
  ^bb0(%old: f32, %s: f32):
    %f = math.exp %s : f32
    %y = arith.addf %f, %old : f32
    linalg.yield %y : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

// The sums of outer products are in memory already: all that is computed of
// them is by rows.
// CHECK-LABEL: func @of_outer_products
// CHECK: ein.tile_products
// CHECK: scf.for
// CHECK: arith.addf %{{.*}} : vector<16xf32>
// CHECK: } {ein.epilogue}
func.func @of_outer_products(%a: tensor<?x16x1x2xbf16>, %b: tensor<?x1x16x2xbf16>, %c: tensor<16x16xf32>)
    -> tensor<16x16xf32> {
  %sums = linalg.contract indexing_maps = [affine_map<(m, n, k, g, e) -> (k, m, g, e)>,
                                           affine_map<(m, n, k, g, e) -> (k, g, n, e)>,
                                           affine_map<(m, n, k, g, e) -> (m, n)>]
            {ein.schedule = #ein.schedule<loops = [d0, d1, d2: 1, d3, d4], rows = d0: 16, columns = d1: 16,
                             sums = d2, vector = d1, operands = [packed, packed], k_pack = 2,
                             instruction = "llvm.aarch64.sme.mopa.wide", instruction_bits = 512,
                             instruction_rows = 16>}
            ins(%a, %b : tensor<?x16x1x2xbf16>, tensor<?x1x16x2xbf16>)
            outs(%c : tensor<16x16xf32>) -> tensor<16x16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>],
                       iterator_types = ["parallel", "parallel"]}
         outs(%sums : tensor<16x16xf32>) attrs = {ein.schedule = #ein.schedule<in_epilogue>} {
  ^bb0(%s: f32):
    %y = arith.addf %s, %s : f32
    linalg.yield %y : f32
  } -> tensor<16x16xf32>
  return %r : tensor<16x16xf32>
}

// -----

#km = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Of complex numbers the slice and its padding are seen as their parts, and
// what is selected is so by rows, as vectors of them have one dim.
// CHECK-LABEL: func @complex
// CHECK-NOT: tensor.pad
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %[[C:.*]][0, 0]
// CHECK: %[[PARTS:.*]] = ein.reinterpret %[[SLICE]]
// CHECK: vector.transfer_read %[[PARTS]][%c0, %c0], %{{[^:]*}} {in_bounds = [true, false]} : tensor<2x?xf32>, vector<2x8xf32>
// CHECK: vector.transfer_write %{{.*}}, %[[PARTS]][%c0, %c0] {in_bounds = [true, false]} : vector<2x8xf32>, tensor<2x?xf32>
// CHECK: scf.for %[[ROW:.*]] = %c0 to %c2
// CHECK: %[[X:.*]] = vector.transfer_read %{{.*}}[%[[ROW]], %c0], {{.*}} : tensor<2x?xf32>, vector<8xf32>
// CHECK: vector.deinterleave %[[X]]
// CHECK: arith.select %{{.*}} : vector<4xi1>, vector<4xf32>
// CHECK: vector.transfer_write {{.*}} : vector<8xf32>, tensor<2x?xf32>
func.func @complex(%a: tensor<2x?xcomplex<f32>>, %b: tensor<?x4xcomplex<f32>>, %c: tensor<2x?xcomplex<f32>>,
                   %where: tensor<2x?xi1>, %w: index, %pw: index) -> tensor<2x?xcomplex<f32>> {
  %zero = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  %no = arith.constant false
  %slice = tensor.extract_slice %c[0, 0] [2, %w] [1, 1] : tensor<2x?xcomplex<f32>> to tensor<2x?xcomplex<f32>>
  %tile = tensor.pad %slice low[0, 0] high[0, %pw] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : complex<f32>
  } : tensor<2x?xcomplex<f32>> to tensor<2x4xcomplex<f32>>
  %bits = tensor.pad %where low[0, 0] high[0, %pw] {
  ^bb0(%i: index, %j: index):
    tensor.yield %no : i1
  } : tensor<2x?xi1> to tensor<2x4xi1>
  %sums = linalg.contract indexing_maps = [#km, #kn, #mn]
            {ein.schedule = #ein.schedule<loops = [d0, d1, d2: 1], rows = d0: 2, columns = d1: 4,
                             sums = d2, vector = d1, operands = [packed, packed]>}
            ins(%a, %b : tensor<2x?xcomplex<f32>>, tensor<?x4xcomplex<f32>>)
            outs(%tile : tensor<2x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
                       iterator_types = ["parallel", "parallel"]}
         ins(%bits : tensor<2x4xi1>) outs(%sums : tensor<2x4xcomplex<f32>>)
         attrs = {ein.schedule = #ein.schedule<in_epilogue>} {
  ^bb0(%is: i1, %s: complex<f32>):
    %y = arith.select %is, %s, %zero : complex<f32>
    linalg.yield %y : complex<f32>
  } -> tensor<2x4xcomplex<f32>>
  %part = tensor.extract_slice %r[0, 0] [2, %w] [1, 1] : tensor<2x4xcomplex<f32>> to tensor<2x?xcomplex<f32>>
  %0 = tensor.insert_slice %part into %c[0, 0] [2, %w] [1, 1] : tensor<2x?xcomplex<f32>> into tensor<2x?xcomplex<f32>>
  return %0 : tensor<2x?xcomplex<f32>>
}
