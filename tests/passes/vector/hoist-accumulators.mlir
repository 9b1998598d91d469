// RUN: ein-opt %s -ein-hoist-accumulators -canonicalize -cse -split-input-file | FileCheck %s

#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// The tile becomes a vector that the loop carries; what is left of its padding
// is a read and a write of C that may leave it.
// CHECK-LABEL: func @tile
// CHECK-SAME: %[[C:[^:]*]]: tensor<?x?xf32>
// CHECK-NOT: tensor.pad
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %[[C]]
// CHECK: %[[ACC:.*]] = vector.transfer_read %[[SLICE]][%c0, %c0], %{{[^:]*}} : tensor<?x?xf32>, vector<4x8xf32>
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[V:.*]] = %[[ACC]]) -> (vector<4x8xf32>)
// CHECK-NOT: vector<4x8xf32>, tensor
// CHECK: %[[NEW:.*]] = vector.contract {{.*}}, %[[V]]
// CHECK: scf.yield %[[NEW]]
// CHECK: vector.transfer_write %[[R]], %[[SLICE]][%c0, %c0] : vector<4x8xf32>, tensor<?x?xf32>
func.func @tile(%a: tensor<16x4xf32>, %b: tensor<16x8xf32>, %c: tensor<?x?xf32>,
                %h: index, %w: index, %ph: index, %pw: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %slice = tensor.extract_slice %c[0, 0] [%h, %w] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %padded = tensor.pad %slice low[0, 0] high[%ph, %pw] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x?xf32> to tensor<4x8xf32>
  %r = scf.for %k = %c0 to %c16 step %c1 iter_args(%t = %padded) -> tensor<4x8xf32> {
    %x = vector.transfer_read %a[%k, %c0], %zero {in_bounds = [true, true]} : tensor<16x4xf32>, vector<1x4xf32>
    %y = vector.transfer_read %b[%k, %c0], %zero {in_bounds = [true, true]} : tensor<16x8xf32>, vector<1x8xf32>
    %v = vector.transfer_read %t[%c0, %c0], %zero {in_bounds = [true, true]} : tensor<4x8xf32>, vector<4x8xf32>
    %s = vector.contract {indexing_maps = [#km, #kn, #mn],
                          iterator_types = ["parallel", "parallel", "reduction"],
                          kind = #vector.kind<add>} %x, %y, %v
           : vector<1x4xf32>, vector<1x8xf32> into vector<4x8xf32>
    %u = vector.transfer_write %s, %t[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, tensor<4x8xf32>
    scf.yield %u : tensor<4x8xf32>
  }
  %part = tensor.extract_slice %r[0, 0] [%h, %w] [1, 1] : tensor<4x8xf32> to tensor<?x?xf32>
  %0 = tensor.insert_slice %part into %c[0, 0] [%h, %w] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// What moves with the loop stays in it.
// CHECK-LABEL: func @moving
// CHECK: scf.for {{.*}} -> (tensor<16x8xf32>)
// CHECK: vector.transfer_read
// CHECK: vector.transfer_write
func.func @moving(%c: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %k = %c0 to %c16 step %c1 iter_args(%t = %c) -> tensor<16x8xf32> {
    %v = vector.transfer_read %t[%k, %c0], %zero {in_bounds = [true]} : tensor<16x8xf32>, vector<8xf32>
    %s = arith.addf %v, %v : vector<8xf32>
    %u = vector.transfer_write %s, %t[%k, %c0] {in_bounds = [true]} : vector<8xf32>, tensor<16x8xf32>
    scf.yield %u : tensor<16x8xf32>
  }
  return %r : tensor<16x8xf32>
}

// -----

// Padded in front: a read past the end would not mean the same.
// CHECK-LABEL: func @low_pad
// CHECK: tensor.pad
func.func @low_pad(%c: tensor<?x8xf32>, %p: index) -> vector<4x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %c low[%p, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x8xf32> to tensor<4x8xf32>
  %v = vector.transfer_read %padded[%c0, %c0], %zero {in_bounds = [true, true]} : tensor<4x8xf32>, vector<4x8xf32>
  return %v : vector<4x8xf32>
}

// -----

// An epilogue after the loop: read and write of the padded tile are C's own,
// and a row that it reads is broadcast from where it is.
// CHECK-LABEL: func @epilogue
// CHECK-SAME: %[[C:[^:]*]]: tensor<?x?xf32>, %[[BIAS:[^:]*]]: tensor<?xf32>
// CHECK-NOT: tensor.pad
// CHECK-DAG: %[[TILE:.*]] = tensor.extract_slice %[[C]]
// CHECK-DAG: %[[OLD:.*]] = vector.transfer_read %[[TILE]]
// CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[OLD]]) -> (vector<4x8xf32>)
// CHECK: %[[B:.*]] = vector.transfer_read %[[BIAS]][%c0], %{{.*}} {in_bounds = [true, false], permutation_map = #{{.*}}} : tensor<?xf32>, vector<4x8xf32>
// CHECK: %[[NEW:.*]] = arith.addf %[[SUM]], %[[B]]
// CHECK: %[[R:.*]] = vector.transfer_write %[[NEW]], %[[TILE]]
// CHECK: tensor.insert_slice %[[R]] into %[[C]]
func.func @epilogue(%c0: tensor<?x?xf32>, %b0: tensor<?xf32>, %m: index, %n: index, %k: index) -> tensor<?x?xf32> {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %c = tensor.extract_slice %c0[0, 0] [%m, %n] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %hm = affine.apply affine_map<(d) -> (4 - d)>(%m)
  %hn = affine.apply affine_map<(d) -> (8 - d)>(%n)
  %padded = tensor.pad %c low[0, 0] high[%hm, %hn] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x?xf32> to tensor<4x8xf32>
  %bias = tensor.pad %b0 low[0] high[%hn] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<?xf32> to tensor<8xf32>
  %r = scf.for %l = %i0 to %k step %i1 iter_args(%t = %padded) -> tensor<4x8xf32> {
    %v = vector.transfer_read %t[%i0, %i0], %zero {in_bounds = [true, true]} : tensor<4x8xf32>, vector<4x8xf32>
    %s = arith.addf %v, %v : vector<4x8xf32>
    %u = vector.transfer_write %s, %t[%i0, %i0] {in_bounds = [true, true]} : vector<4x8xf32>, tensor<4x8xf32>
    scf.yield %u : tensor<4x8xf32>
  }
  %sum = vector.transfer_read %r[%i0, %i0], %zero {in_bounds = [true, true]} : tensor<4x8xf32>, vector<4x8xf32>
  %b = vector.transfer_read %bias[%i0], %zero {in_bounds = [true, true], permutation_map = affine_map<(d0) -> (0, d0)>} : tensor<8xf32>, vector<4x8xf32>
  %e = arith.addf %sum, %b : vector<4x8xf32>
  %w = vector.transfer_write %e, %r[%i0, %i0] {in_bounds = [true, true]} : vector<4x8xf32>, tensor<4x8xf32>
  %part = tensor.extract_slice %w[0, 0] [%m, %n] [1, 1] : tensor<4x8xf32> to tensor<?x?xf32>
  %done = tensor.insert_slice %part into %c0[0, 0] [%m, %n] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
  return %done : tensor<?x?xf32>
}

// -----

// Of complex numbers the slice and its padding are seen as their parts.
// CHECK-LABEL: func @complex
// CHECK-SAME: %[[C:[^:]*]]: tensor<?x?xcomplex<f32>>
// CHECK-NOT: tensor.pad
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %[[C]]
// CHECK: %[[PARTS:.*]] = ein.reinterpret %[[SLICE]]
// CHECK: %[[W:.*]] = vector.transfer_write %{{.*}}, %[[PARTS]][%c0, %c0] : vector<4x8xf32>, tensor<?x?xf32>
// CHECK: %[[BACK:.*]] = ein.reinterpret %[[W]] : tensor<?x?xf32> to tensor<?x?xcomplex<f32>>
// CHECK: tensor.insert_slice %[[BACK]] into %[[C]]
func.func @complex(%v: vector<4x8xf32>, %c: tensor<?x?xcomplex<f32>>, %h: index, %w: index,
                   %ph: index, %pw: index) -> tensor<?x?xcomplex<f32>> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %slice = tensor.extract_slice %c[0, 0] [%h, %w] [1, 1] : tensor<?x?xcomplex<f32>> to tensor<?x?xcomplex<f32>>
  %parts = ein.reinterpret %slice : tensor<?x?xcomplex<f32>> to tensor<?x?xf32>
  %padded = tensor.pad %parts low[0, 0] high[%ph, %pw] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x?xf32> to tensor<4x8xf32>
  %u = vector.transfer_write %v, %padded[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, tensor<4x8xf32>
  %t = ein.reinterpret %u : tensor<4x8xf32> to tensor<4x4xcomplex<f32>>
  %part = tensor.extract_slice %t[0, 0] [%h, %w] [1, 1] : tensor<4x4xcomplex<f32>> to tensor<?x?xcomplex<f32>>
  %r = tensor.insert_slice %part into %c[0, 0] [%h, %w] [1, 1] : tensor<?x?xcomplex<f32>> into tensor<?x?xcomplex<f32>>
  return %r : tensor<?x?xcomplex<f32>>
}

// -----

#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#row = affine_map<(n) -> (0, n)>
#column = affine_map<(m) -> (m, 0)>

// The sums are written first; then each row that C has is read, with its part
// of what lies along rows and its element of what lies along columns. In a
// block that is not the last one there are no rows.
// CHECK-LABEL: func @gelu
// CHECK-SAME: %[[C:[^:]*]]: tensor<?x8xf32>, %[[BIAS:[^:]*]]: tensor<8xf32>, %[[SCALE:[^:]*]]: tensor<?xf32>, %[[LAST:[^:]*]]: i1
// CHECK: %[[SUMS:.*]] = scf.for
// CHECK-DAG: %[[HEIGHT:.*]] = tensor.dim %[[C]]
// CHECK: %[[THERE:.*]] = arith.minsi %[[HEIGHT]], %c4
// CHECK: %[[ROWS:.*]] = arith.select %[[LAST]], %[[THERE]], %c0
// CHECK: %[[TILE:.*]] = vector.transfer_write %[[SUMS]], %[[C]]
// CHECK: %[[DONE:.*]] = scf.for %[[ROW:.*]] = %c0{{[_0-9]*}} to %[[ROWS]] step %c1{{[_0-9]*}} iter_args(%[[T:.*]] = %[[TILE]])
// CHECK: %[[X:.*]] = vector.transfer_read %[[T]][%[[ROW]], %{{.*}} {in_bounds = [true]} : tensor<?x8xf32>, vector<8xf32>
// CHECK: %[[B:.*]] = vector.transfer_read %[[BIAS]]{{.*}} : tensor<8xf32>, vector<8xf32>
// CHECK: %[[Z:.*]] = arith.addf %[[X]], %[[B]] fastmath<contract> : vector<8xf32>
// CHECK: %[[F:.*]] = math.tanh %[[Z]] : vector<8xf32>
// CHECK: %[[AT:.*]] = arith.addi %{{.*}}, %[[ROW]]
// CHECK: %[[E:.*]] = tensor.extract %[[SCALE]][%[[AT]]]
// CHECK: %[[S:.*]] = vector.broadcast %[[E]] : f32 to vector<8xf32>
// CHECK: %[[Y:.*]] = arith.mulf %[[F]], %[[S]] : vector<8xf32>
// CHECK: %[[W:.*]] = vector.transfer_write %[[Y]], %[[T]][%[[ROW]], %{{.*}} {in_bounds = [true]}
// CHECK: scf.yield %[[W]]
// CHECK: } {ein.epilogue}
// CHECK: return %[[DONE]]
func.func @gelu(%c: tensor<?x8xf32>, %bias: tensor<8xf32>, %scale: tensor<?xf32>, %last: i1,
                %a: tensor<16x4xf32>, %b: tensor<16x8xf32>, %m: index) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %start = arith.constant dense<0.0> : vector<4x8xf32>
  %where = vector.broadcast %last : i1 to vector<4x8xi1>
  %along = vector.transfer_read %bias[%c0], %zero {in_bounds = [true, true], permutation_map = #row} : tensor<8xf32>, vector<4x8xf32>
  %across = vector.transfer_read %scale[%m], %zero {in_bounds = [false, true], permutation_map = #column} : tensor<?xf32>, vector<4x8xf32>
  %sums = scf.for %k = %c0 to %c16 step %c1 iter_args(%s = %start) -> vector<4x8xf32> {
    %x = vector.transfer_read %a[%k, %c0], %zero {in_bounds = [true, true]} : tensor<16x4xf32>, vector<1x4xf32>
    %y = vector.transfer_read %b[%k, %c0], %zero {in_bounds = [true, true]} : tensor<16x8xf32>, vector<1x8xf32>
    %t = vector.contract {indexing_maps = [#km, #kn, #mn],
                          iterator_types = ["parallel", "parallel", "reduction"],
                          kind = #vector.kind<add>} %x, %y, %s
           : vector<1x4xf32>, vector<1x8xf32> into vector<4x8xf32>
    scf.yield %t : vector<4x8xf32>
  }
  %z = arith.addf %sums, %along fastmath<contract> : vector<4x8xf32>
  %f = math.tanh %z : vector<4x8xf32>
  %v = arith.mulf %f, %across : vector<4x8xf32>
  %r = arith.select %where, %v, %sums : vector<4x8xi1>, vector<4x8xf32>
  %w = vector.transfer_write %r, %c[%c0, %c0] {in_bounds = [false, true]} : vector<4x8xf32>, tensor<?x8xf32>
  return %w : tensor<?x8xf32>
}

// -----

#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// A rectifier is better off in the registers that the sums are in.
// CHECK-LABEL: func @rectifier
// CHECK-NOT: ein.epilogue
// What reads the tensor that it writes would need a copy of it.
// CHECK-LABEL: func @of_itself
// CHECK-NOT: ein.epilogue
func.func @rectifier(%c: tensor<4x8xf32>, %a: tensor<1x4xf32>, %b: tensor<1x8xf32>) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %start = arith.constant dense<0.0> : vector<4x8xf32>
  %x = vector.transfer_read %a[%c0, %c0], %zero {in_bounds = [true, true]} : tensor<1x4xf32>, vector<1x4xf32>
  %y = vector.transfer_read %b[%c0, %c0], %zero {in_bounds = [true, true]} : tensor<1x8xf32>, vector<1x8xf32>
  %sums = vector.contract {indexing_maps = [#km, #kn, #mn],
                           iterator_types = ["parallel", "parallel", "reduction"],
                           kind = #vector.kind<add>} %x, %y, %start
            : vector<1x4xf32>, vector<1x8xf32> into vector<4x8xf32>
  %r = arith.maximumf %sums, %start : vector<4x8xf32>
  %w = vector.transfer_write %r, %c[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, tensor<4x8xf32>
  return %w : tensor<4x8xf32>
}
func.func @of_itself(%c: tensor<4x8xf32>, %a: tensor<1x4xf32>, %b: tensor<1x8xf32>) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %start = arith.constant dense<0.0> : vector<4x8xf32>
  %old = vector.transfer_read %c[%c0, %c0], %zero {in_bounds = [true, true]} : tensor<4x8xf32>, vector<4x8xf32>
  %x = vector.transfer_read %a[%c0, %c0], %zero {in_bounds = [true, true]} : tensor<1x4xf32>, vector<1x4xf32>
  %y = vector.transfer_read %b[%c0, %c0], %zero {in_bounds = [true, true]} : tensor<1x8xf32>, vector<1x8xf32>
  %sums = vector.contract {indexing_maps = [#km, #kn, #mn],
                           iterator_types = ["parallel", "parallel", "reduction"],
                           kind = #vector.kind<add>} %x, %y, %start
            : vector<1x4xf32>, vector<1x8xf32> into vector<4x8xf32>
  %f = math.exp %sums : vector<4x8xf32>
  %r = arith.addf %f, %old : vector<4x8xf32>
  %w = vector.transfer_write %r, %c[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, tensor<4x8xf32>
  return %w : tensor<4x8xf32>
}
