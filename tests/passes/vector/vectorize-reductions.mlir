// RUN: ein-opt %s -ein-vectorize-tiles -canonicalize -cse -split-input-file \
// RUN:   -verify-diagnostics | FileCheck %s

// Two accumulators of four along the row, what is left by one vector and a
// masked one; then halves are added, and the result's element last. The fill is
// not read.
// CHECK-LABEL: func @row
// CHECK-SAME: %[[A:.*]]: tensor<3x?xf32>
// CHECK-DAG: %[[NEUTRAL:.*]] = arith.constant dense<-0.000000e+00> : vector<4xf32>
// CHECK-NOT: linalg
// CHECK: scf.for %[[I:.*]] = %c0 to %c3
// CHECK: %[[WIDE:.*]]:2 = scf.for %[[J:.*]] = %c0 to %{{.*}} step %c8 iter_args(%[[S0:.*]] = %[[NEUTRAL]], %[[S1:.*]] = %[[NEUTRAL]])
// CHECK: %[[V0:.*]] = vector.transfer_read %[[A]][%[[I]], %[[J]]]
// CHECK: arith.addf %[[S0]], %[[V0]] {{.*}} : vector<4xf32>
// CHECK: vector.transfer_read
// CHECK: arith.addf %[[S1]]
// CHECK: %[[ONE:.*]] = scf.for {{.*}} step %c4 iter_args(%{{.*}} = %[[WIDE]]#0)
// CHECK: %[[REST:.*]] = scf.for {{.*}} step %c4 iter_args(%[[S:.*]] = %[[ONE]])
// CHECK: %[[MASK:.*]] = arith.cmpi sgt
// CHECK: %[[V:.*]] = vector.transfer_read {{.*}}, %[[MASK]]
// CHECK: %[[SUM:.*]] = arith.addf %[[S]], %[[V]]
// CHECK: arith.select %[[MASK]], %[[SUM]], %[[S]]
// CHECK: %[[BOTH:.*]] = arith.addf %[[REST]], %[[WIDE]]#1
// CHECK: vector.shuffle %[[BOTH]], %[[BOTH]] [0, 1]
// CHECK: vector.shuffle %[[BOTH]], %[[BOTH]] [2, 3]
// CHECK: arith.addf {{.*}} : vector<2xf32>
// CHECK: %[[ALL:.*]] = arith.addf {{.*}} : vector<1xf32>
// CHECK: %[[NUMBER:.*]] = vector.extract %[[ALL]][0]
// CHECK: %[[TOTAL:.*]] = arith.addf %[[NUMBER]]
// CHECK: tensor.insert %[[TOTAL]]
func.func @row(%a: tensor<3x?xf32>, %c: tensor<3xf32>) -> tensor<3xf32> {
  %zero = arith.constant 0.0 : f32
  %start = linalg.fill ins(%zero : f32) outs(%c : tensor<3xf32>) -> tensor<3xf32>
  %0 = linalg.generic {
         indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>],
         iterator_types = ["parallel", "reduction"],
         ein.schedule = #ein.schedule<loops = [d0: 1, d1], vector = d1: 4, accumulators = 2,
                         masked>}
         ins(%a : tensor<3x?xf32>) outs(%start : tensor<3xf32>) {
  ^bb0(%x: f32, %s: f32):
    %1 = arith.addf %s, %x fastmath<reassoc,contract> : f32
    linalg.yield %1 : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// Along columns, three rows at a time: the result is read and written once for
// these. Without masks the last columns are a shorter vector.
// CHECK-LABEL: func @columns
// CHECK-SAME: %[[A:.*]]: tensor<?x10xf32>, %[[C:.*]]: tensor<10xf32>
// CHECK: scf.for %[[K:.*]] = %c0 to %{{.*}} step %c3
// CHECK: %[[END:.*]] = affine.min
// CHECK: vector.transfer_read {{.*}} vector<4xf32>
// CHECK: vector.transfer_read {{.*}} vector<4xf32>
// CHECK: scf.for %[[I:.*]] = %[[K]] to %[[END]] step %c1
// CHECK: vector.transfer_read %[[A]][%[[I]], %c0]
// CHECK: arith.mulf {{.*}} : vector<4xf32>
// CHECK: vector.transfer_read %[[A]][%[[I]], %c4]
// CHECK: arith.mulf {{.*}} : vector<4xf32>
// CHECK: vector.transfer_write
// CHECK: vector.transfer_write
// CHECK: scf.for
// CHECK: arith.mulf {{.*}} : vector<2xf32>
func.func @columns(%a: tensor<?x10xf32>, %c: tensor<10xf32>) -> tensor<10xf32> {
  %0 = linalg.generic {
         indexing_maps = [affine_map<(n, k) -> (k, n)>, affine_map<(n, k) -> (n)>],
         iterator_types = ["parallel", "reduction"],
         ein.schedule = #ein.schedule<loops = [d1: 3, d0], vector = d0: 4, accumulators = 2>}
         ins(%a : tensor<?x10xf32>) outs(%c : tensor<10xf32>) {
  ^bb0(%x: f32, %s: f32):
    %1 = arith.mulf %s, %x : f32
    linalg.yield %1 : f32
  } -> tensor<10xf32>
  return %0 : tensor<10xf32>
}

// -----

// A sum that has an order is not one of lanes.
func.func @ordered(%a: tensor<3x8xf32>, %c: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{cannot be reduced in vectors: its values must be combined in their order}}
  %0 = linalg.generic {
         indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>],
         iterator_types = ["parallel", "reduction"],
         ein.schedule = #ein.schedule<loops = [d0: 1, d1], vector = d1: 4, accumulators = 1>}
         ins(%a : tensor<3x8xf32>) outs(%c : tensor<3xf32>) {
  ^bb0(%x: f32, %s: f32):
    %1 = arith.addf %s, %x : f32
    linalg.yield %1 : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @tiles(%a: tensor<3x8xf32>, %c: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{has a tile of 2 along d0, which a reduction does not have there}}
  %0 = linalg.generic {
         indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>],
         iterator_types = ["parallel", "reduction"],
         ein.schedule = #ein.schedule<loops = [d0: 2, d1], vector = d1: 4, accumulators = 1>}
         ins(%a : tensor<3x8xf32>) outs(%c : tensor<3xf32>) {
  ^bb0(%x: f32, %s: f32):
    %1 = arith.maximumf %s, %x : f32
    linalg.yield %1 : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// Rows of 70 begin somewhere in a vector: one under a mask ends where the next
// one of memory begins.
// CHECK: #[[HEAD:.*]] = affine_map<(d0) -> (d0 * -70 - ((d0 * -35) floordiv 2) * 4, 70)>
// CHECK-LABEL: func @aligned
// CHECK-SAME: %[[A:.*]]: tensor<3x70xf32>
// CHECK: scf.for %[[I:.*]] = %c0 to %c3
// CHECK: %[[END:.*]] = affine.min #[[HEAD]](%[[I]])
// CHECK: scf.for {{.*}} = %c0 to %[[END]] step %c4
// CHECK: vector.transfer_read %[[A]]{{.*}}, %{{.*}}, %[[MASK:.*]] {
// CHECK: arith.select %[[MASK]]
// CHECK: scf.for {{.*}} = %[[END]] to %{{.*}} step %c16
func.func @aligned(%a: tensor<3x70xf32>, %c: tensor<3xf32>) -> tensor<3xf32> {
  %0 = linalg.generic {
         indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>],
         iterator_types = ["parallel", "reduction"],
         ein.schedule = #ein.schedule<loops = [d0: 1, d1], vector = d1: 4, accumulators = 4,
                         masked, aligned>}
         ins(%a : tensor<3x70xf32>) outs(%c : tensor<3xf32>) {
  ^bb0(%x: f32, %s: f32):
    %1 = arith.addf %s, %x fastmath<reassoc,contract> : f32
    linalg.yield %1 : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// A row that is an array has no such vector.
// CHECK-LABEL: func @begins_aligned
// CHECK-NOT: affine.min
// CHECK: scf.for {{.*}} = %c0 to %c64 step %c16
func.func @begins_aligned(%a: tensor<70xf32>, %c: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {
         indexing_maps = [affine_map<(n) -> (n)>, affine_map<(n) -> ()>],
         iterator_types = ["reduction"],
         ein.schedule = #ein.schedule<loops = [d0], vector = d0: 4, accumulators = 4, masked>}
         ins(%a : tensor<70xf32>) outs(%c : tensor<f32>) {
  ^bb0(%x: f32, %s: f32):
    %1 = arith.addf %s, %x fastmath<reassoc,contract> : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Of minima, an accumulator gets two vectors with one comparison for NaN, and
// the two signs are combined first.
// CHECK-LABEL: func @pairs
// CHECK: scf.for {{.*}} = %c0 to %c32 step %c16
// CHECK: %[[V:.*]] = vector.transfer_read
// CHECK: %[[W:.*]] = vector.transfer_read
// CHECK-DAG: %[[B:.*]] = arith.bitcast %[[V]]
// CHECK-DAG: %[[C:.*]] = arith.bitcast %[[W]]
// CHECK: arith.ori %[[B]], %[[C]] : vector<4xi32>
// CHECK: arith.cmpf ord, %[[V]], %[[W]]
func.func @pairs(%a: tensor<41xf32>, %c: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {
         indexing_maps = [affine_map<(n) -> (n)>, affine_map<(n) -> ()>],
         iterator_types = ["reduction"],
         ein.schedule = #ein.schedule<loops = [d0], vector = d0: 4, accumulators = 2, masked,
                         ieee_min_max>}
         ins(%a : tensor<41xf32>) outs(%c : tensor<f32>) {
  ^bb0(%x: f32, %s: f32):
    %1 = arith.minimumf %s, %x : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// And of columns, two rows.
// CHECK-LABEL: func @row_pairs
// CHECK: scf.for %[[I:.*]] = %c0 to %c6 step %c2
// CHECK: %[[V:.*]] = vector.transfer_read %{{.*}}[%[[I]], %c0]
// CHECK: %[[NEXT:.*]] = affine.apply {{.*}}(%[[I]])
// CHECK: %[[W:.*]] = vector.transfer_read %{{.*}}[%[[NEXT]], %c0]
// CHECK: arith.cmpf ord, %[[V]], %[[W]]
// CHECK: vector.transfer_read %{{.*}}[%c6, %c0]
func.func @row_pairs(%a: tensor<7x4xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {
         indexing_maps = [affine_map<(n, k) -> (k, n)>, affine_map<(n, k) -> (n)>],
         iterator_types = ["parallel", "reduction"],
         ein.schedule = #ein.schedule<loops = [d0, d1], vector = d0: 4, accumulators = 1, masked,
                         ieee_min_max>}
         ins(%a : tensor<7x4xf32>) outs(%c : tensor<4xf32>) {
  ^bb0(%x: f32, %s: f32):
    %1 = arith.minimumf %s, %x : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A maximum along a row is what comparisons say, and each accumulator has a
// witness of NaN beside it. If that tells of one, or the maximum is -0, the row
// is gathered exactly, and not likely.
// CHECK-LABEL: func @seldom
// CHECK: %[[SUMS:.*]]:4 = scf.for {{.*}} = %c0 to %c32 step %c16 iter_args({{.*}}, %[[OLD:.*]] = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}})
// CHECK: %[[V:.*]] = vector.transfer_read
// CHECK: %[[W:.*]] = vector.transfer_read
// CHECK-NOT: arith.cmpf ord
// CHECK: arith.cmpf ogt, %[[V]], %[[W]]
// CHECK: %[[P:.*]] = arith.mulf %[[V]], %[[W]] fastmath<contract>
// CHECK: arith.addf %[[P]], %[[OLD]] fastmath<contract>
// CHECK-DAG: %[[ZERO:.*]] = arith.cmpi eq, %{{.*}}, %c-2147483648_i32
// CHECK-DAG: %[[NAN:.*]] = arith.cmpf uno, %[[WITNESS:.*]], %[[WITNESS]] : vector<4xf32>
// CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[NAN]]
// CHECK: %[[DOUBT:.*]] = arith.ori %[[ZERO]], %[[ANY]]
// CHECK: %[[MOST:.*]] = scf.if %[[DOUBT]] -> (f32) {
// CHECK: scf.for {{.*}} = %c0{{.*}} to %c32{{.*}} step %c16
// CHECK: arith.cmpf ord
// CHECK: } else {
// CHECK-NEXT: scf.yield
// CHECK-NEXT: } {ein.unlikely}
func.func @seldom(%a: tensor<41xf32>, %c: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {
         indexing_maps = [affine_map<(n) -> (n)>, affine_map<(n) -> ()>],
         iterator_types = ["reduction"],
         ein.schedule = #ein.schedule<loops = [d0], vector = d0: 4, accumulators = 2, masked,
                         ieee_min_max>}
         ins(%a : tensor<41xf32>) outs(%c : tensor<f32>) {
  ^bb0(%x: f32, %s: f32):
    %1 = arith.maximumf %s, %x : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// What a mask leaves out is infinite, which a witness would take for NaN: such a
// maximum is exact at once.
// CHECK-LABEL: func @left_out
// CHECK: arith.cmpf ord
// CHECK-NOT: scf.if
// CHECK: return
func.func @left_out(%a: tensor<41xf32>, %m: tensor<41xf32>, %c: tensor<f32>) -> tensor<f32> {
  %none = arith.constant 0xFF800000 : f32
  %0 = linalg.generic {
         indexing_maps = [affine_map<(n) -> (n)>, affine_map<(n) -> (n)>, affine_map<(n) -> ()>],
         iterator_types = ["reduction"],
         ein.schedule = #ein.schedule<loops = [d0], vector = d0: 4, accumulators = 2, masked,
                         ieee_min_max>}
         ins(%a, %m : tensor<41xf32>, tensor<41xf32>) outs(%c : tensor<f32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %k = arith.cmpf ogt, %y, %x : f32
    %1 = arith.select %k, %x, %none : f32
    %2 = arith.maximumf %s, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Of columns a tile has one witness, and is gathered exactly as a whole.
// CHECK-LABEL: func @seldom_of_columns
// CHECK: %[[SUMS:.*]]:3 = scf.for {{.*}} = %c0 to %c6 step %c2
// CHECK-COUNT-4: vector.transfer_read
// CHECK: scf.yield
// CHECK: %[[DOUBT:.*]] = vector.reduction <or>
// CHECK: scf.if %[[DOUBT]] -> (vector<4xf32>, vector<4xf32>) {
// CHECK: arith.cmpf ord
// CHECK: } else {
// CHECK: } {ein.unlikely}
func.func @seldom_of_columns(%a: tensor<7x8xf32>, %c: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.generic {
         indexing_maps = [affine_map<(n, k) -> (k, n)>, affine_map<(n, k) -> (n)>],
         iterator_types = ["parallel", "reduction"],
         ein.schedule = #ein.schedule<loops = [d0, d1], vector = d0: 4, accumulators = 2, masked,
                         ieee_min_max>}
         ins(%a : tensor<7x8xf32>) outs(%c : tensor<8xf32>) {
  ^bb0(%x: f32, %s: f32):
    %1 = arith.maximumf %s, %x : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// The squares are added as they are, and the sum is scaled; with the scaled
// ones if that is infinite or no number.
// CHECK-LABEL: func @scaled
// CHECK-SAME: %{{.*}}: tensor<16xf32>, %{{.*}}: tensor<f32>, %[[N:.*]]: f32
// CHECK: scf.for
// CHECK-NOT: arith.divf
// CHECK: arith.addf
// CHECK: scf.yield
// CHECK: %[[MEAN:.*]] = arith.divf %{{.*}}, %[[N]] {{.*}}: f32
// CHECK: %[[POSITIVE:.*]] = arith.addf %[[MEAN]], %{{.*}} : f32
// CHECK-DAG: %[[BELOW:.*]] = arith.cmpf olt, %[[POSITIVE]], %{{.*}} : f32
// CHECK-DAG: %[[ABOVE:.*]] = arith.cmpf ogt, %[[POSITIVE]], %{{.*}} : f32
// CHECK: %[[FINITE:.*]] = arith.andi %[[BELOW]], %[[ABOVE]]
// CHECK: %[[RESULT:.*]] = scf.if %[[FINITE]] -> (f32) {
// CHECK: scf.yield %[[POSITIVE]]
// CHECK: } else {
// CHECK: scf.for
// CHECK: arith.divf {{.*}} : vector<4xf32>
// CHECK: }
// CHECK: tensor.insert %[[RESULT]]
func.func @scaled(%a: tensor<16xf32>, %c: tensor<f32>, %n: f32) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %start = linalg.fill ins(%zero : f32) outs(%c : tensor<f32>) -> tensor<f32>
  %0 = linalg.generic {
         indexing_maps = [affine_map<(n) -> (n)>, affine_map<(n) -> ()>],
         iterator_types = ["reduction"],
         ein.schedule = #ein.schedule<loops = [d0], vector = d0: 4, accumulators = 2, masked>}
         ins(%a : tensor<16xf32>) outs(%start : tensor<f32>) {
  ^bb0(%x: f32, %s: f32):
    %1 = arith.mulf %x, %x fastmath<contract> : f32
    %2 = arith.divf %1, %n fastmath<arcp> : f32
    %3 = arith.addf %s, %2 fastmath<reassoc,contract> : f32
    linalg.yield %3 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// After a first step of two accumulators, two vectors each, it may be known that
// the maximum has no sign. Then the least bits are carried as they are.
// CHECK-LABEL: func @known
// CHECK: %[[FIRST:.*]]:6 = scf.for
// CHECK: %[[NUMBERS:.*]] = arith.andi %[[FIRST]]#0, %[[FIRST]]#3 : vector<8xi16>
// CHECK: %[[ARE:.*]] = arith.cmpi sge, %[[NUMBERS]], %{{.*}}
// CHECK: %[[IS:.*]] = vector.reduction <or>, %[[ARE]]
// CHECK: %[[BOTH:.*]]:6 = scf.if %[[IS]]
// CHECK: scf.for {{.*}} step %c32
// CHECK: arith.maxsi
// CHECK: arith.maxui
// CHECK-NOT: arith.minsi
// CHECK: } else {
// CHECK: scf.for {{.*}} step %c32
// CHECK-COUNT-4: arith.minsi
// CHECK: }
// CHECK: scf.for {{.*}} step %c16 iter_args(%{{.*}} = %[[BOTH]]#0
func.func @known(%a: tensor<?xbf16>, %c: tensor<bf16>) -> tensor<bf16> {
  %0 = linalg.generic {
         indexing_maps = [affine_map<(n) -> (n)>, affine_map<(n) -> ()>],
         iterator_types = ["reduction"],
         ein.schedule = #ein.schedule<loops = [d0], vector = d0: 8, accumulators = 2, ieee_min_max>}
         ins(%a : tensor<?xbf16>) outs(%c : tensor<bf16>) {
  ^bb0(%x: bf16, %s: bf16):
    %1 = arith.maximumf %s, %x : bf16
    linalg.yield %1 : bf16
  } -> tensor<bf16>
  return %0 : tensor<bf16>
}

// -----

// Eight vectors of bytes are added up to each other, what is left by one vector,
// then by as many as a sum has lanes, and one by one.
// CHECK-LABEL: func @together
// CHECK: %[[ALL:.*]] = scf.for {{.*}} step %c128
// CHECK: ein.wide_sum %{{.*}} : vector<128xi8>, vector<4xi32>
// CHECK: %[[ONE:.*]] = scf.for {{.*}} step %c16 iter_args(%{{.*}} = %[[ALL]])
// CHECK: ein.wide_sum %{{.*}} : vector<16xi8>, vector<4xi32>
// CHECK: scf.for {{.*}} step %c4 iter_args(%{{.*}} = %[[ONE]])
// CHECK: scf.for {{.*}} step %c1
func.func @together(%a: tensor<?xi8>, %c: tensor<i32>) -> tensor<i32> {
  %0 = linalg.generic {
         indexing_maps = [affine_map<(n) -> (n)>, affine_map<(n) -> ()>],
         iterator_types = ["reduction"],
         ein.schedule = #ein.schedule<loops = [d0], vector = d0: 128, accumulators = 1, widening = 32>}
         ins(%a : tensor<?xi8>) outs(%c : tensor<i32>) {
  ^bb0(%x: i8, %s: i32):
    %1 = arith.extsi %x : i8 to i32
    %2 = arith.addi %s, %1 : i32
    linalg.yield %2 : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}

// -----

// Bytes of columns are added up in words, and of these the upper bytes as well,
// as unsigned ones. The sums of a block are put in order at its end, less what
// the bytes were moved by.
// CHECK-LABEL: func @bytes_of_columns
// CHECK-DAG: %[[SIGNS:.*]] = arith.constant dense<-32640> : vector<8xi16>
// CHECK-DAG: %[[BYTE:.*]] = arith.constant dense<8> : vector<8xi16>
// CHECK: %[[SUMS:.*]]:2 = scf.for {{.*}} iter_args(%[[ALL:.*]] = %{{.*}}, %[[UPPER:.*]] = %{{.*}}) -> (vector<8xi16>, vector<8xi16>)
// CHECK:   %[[READ:.*]] = vector.bitcast %{{.*}} : vector<16xi8> to vector<8xi16>
// CHECK:   %[[WORDS:.*]] = arith.xori %[[READ]], %[[SIGNS]]
// CHECK:   %[[SHIFTED:.*]] = arith.shrui %[[WORDS]], %[[BYTE]]
// CHECK:   arith.addi %[[ALL]], %[[WORDS]]
// CHECK:   arith.addi %[[UPPER]], %[[SHIFTED]]
// CHECK: %[[OVER:.*]] = arith.shli %[[SUMS]]#1, %[[BYTE]]
// CHECK: %[[LOWER:.*]] = arith.subi %[[SUMS]]#0, %[[OVER]]
// CHECK: %[[BOTH:.*]] = vector.interleave %[[LOWER]], %[[SUMS]]#1
// CHECK: %[[WIDE:.*]] = arith.extui %[[BOTH]] : vector<16xi16> to vector<16xi32>
// CHECK: arith.subi %[[WIDE]]
func.func @bytes_of_columns(%a: tensor<?x16xi8>, %c: tensor<16xi32>) -> tensor<16xi32> {
  %0 = linalg.generic {
         indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>],
         iterator_types = ["reduction", "parallel"],
         ein.schedule = #ein.schedule<loops = [d0: 8, d1], vector = d1: 16, accumulators = 1, widening = 4>}
         ins(%a : tensor<?x16xi8>) outs(%c : tensor<16xi32>) {
  ^bb0(%x: i8, %s: i32):
    %1 = arith.extsi %x : i8 to i32
    %2 = arith.addi %s, %1 : i32
    linalg.yield %2 : i32
  } -> tensor<16xi32>
  return %0 : tensor<16xi32>
}

// -----

// Of more than 256 rows a word might not hold the sum.
func.func @too_many(%a: tensor<?x16xi8>, %c: tensor<16xi32>) -> tensor<16xi32> {
  // expected-error @+1 {{does not add up 4 elements in a lane as wide as these}}
  %0 = linalg.generic {
         indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>],
         iterator_types = ["reduction", "parallel"],
         ein.schedule = #ein.schedule<loops = [d0: 257, d1], vector = d1: 16, accumulators = 1, widening = 4>}
         ins(%a : tensor<?x16xi8>) outs(%c : tensor<16xi32>) {
  ^bb0(%x: i8, %s: i32):
    %1 = arith.extsi %x : i8 to i32
    %2 = arith.addi %s, %1 : i32
    linalg.yield %2 : i32
  } -> tensor<16xi32>
  return %0 : tensor<16xi32>
}

// -----

// Four products of bytes at once in each lane, by an instruction for an unsigned
// and a signed one: the first factor is moved by 128, and what is too much then
// is added up beside. Each vector of what is left is one of zeros behind its end.
// CHECK-LABEL: func @products
// CHECK-SAME: %[[X:.*]]: tensor<?xi8>, %[[Y:.*]]: tensor<?xi8>
// CHECK-DAG: %[[HALF:.*]] = arith.constant dense<-128> : vector<4x4xi8>
// CHECK-DAG: %[[SIGNS:.*]] = arith.constant dense<-128> : vector<16xi8>
// CHECK: %[[SUMS:.*]]:2 = scf.for {{.*}} step %c16 iter_args(%[[S:.*]] = %{{.*}}, %[[T:.*]] = %{{.*}}) -> (vector<4xi32>, vector<4xi32>)
// CHECK:   %[[A:.*]] = vector.transfer_read %[[X]]
// CHECK:   %[[B:.*]] = vector.transfer_read %[[Y]]
// CHECK:   %[[MOVED:.*]] = arith.xori %[[A]], %[[SIGNS]] : vector<16xi8>
// CHECK-DAG: %[[RIGHT:.*]] = vector.shape_cast %[[B]] : vector<16xi8> to vector<4x4xi8>
// CHECK-DAG: %[[LEFT:.*]] = vector.shape_cast %[[MOVED]] : vector<16xi8> to vector<4x4xi8>
// CHECK:   ein.dot_products %[[LEFT]] unsigned, %[[RIGHT]], %[[S]] by "llvm.x86.avx512.vpdpbusd.128" of 128 : vector<4x4xi8>, vector<4x4xi8>, vector<4xi32>
// CHECK:   ein.dot_products %[[HALF]] unsigned, %[[RIGHT]], %[[T]] by
// CHECK: vector.transfer_read %[[X]]{{.*}}, %{{.*}}, %[[MASK:.*]] {in_bounds = [true]} : tensor<?xi8>, vector<16xi8>
// CHECK: vector.transfer_read %[[Y]]{{.*}}, %{{.*}}, %[[MASK]]
// CHECK: ein.dot_products
// CHECK: ein.dot_products
// CHECK: arith.subi %{{.*}}, %{{.*}} : vector<4xi32>
func.func @products(%x: tensor<?xi8>, %y: tensor<?xi8>, %c: tensor<i32>) -> tensor<i32> {
  %0 = linalg.generic {
         indexing_maps = [affine_map<(n) -> (n)>, affine_map<(n) -> (n)>, affine_map<(n) -> ()>],
         iterator_types = ["reduction"],
         ein.schedule = #ein.schedule<loops = [d0], vector = d0: 16, accumulators = 1, widening = 4, masked,
                                      instruction = "llvm.x86.avx512.vpdpbusd.128",
                                      instruction_bits = 128, instruction_offset>}
         ins(%x, %y : tensor<?xi8>, tensor<?xi8>) outs(%c : tensor<i32>) {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %1 = arith.extsi %a : i8 to i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %s, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}

// -----

// Without an instruction for bytes they are words, of which two products are
// added up at once. Less than a vector is as many as a sum has lanes, and ones.
// CHECK-LABEL: func @words
// CHECK: scf.for {{.*}} step %c8
// CHECK:   %[[U:.*]] = arith.extui %{{.*}} : vector<8xi8> to vector<8xi16>
// CHECK:   %[[S:.*]] = arith.extsi %{{.*}} : vector<8xi8> to vector<8xi16>
// CHECK:   ein.dot_products %{{.*}}, %{{.*}}, %{{.*}} : vector<4x2xi16>, vector<4x2xi16>, vector<4xi32>
// CHECK: scf.for {{.*}} step %c4
// CHECK:   arith.muli {{.*}} : vector<4xi32>
// CHECK: scf.for {{.*}} step %c1
func.func @words(%x: tensor<?xi8>, %y: tensor<?xi8>, %c: tensor<i32>) -> tensor<i32> {
  %0 = linalg.generic {
         indexing_maps = [affine_map<(n) -> (n)>, affine_map<(n) -> (n)>, affine_map<(n) -> ()>],
         iterator_types = ["reduction"],
         ein.schedule = #ein.schedule<loops = [d0], vector = d0: 8, accumulators = 1, widening = 2>}
         ins(%x, %y : tensor<?xi8>, tensor<?xi8>) outs(%c : tensor<i32>) {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %1 = arith.extui %a : i8 to i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %s, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}

// -----

// Bytes are four in a sum's width, or two words.
func.func @other_widening(%x: tensor<?xi8>, %y: tensor<?xi8>, %c: tensor<i32>) -> tensor<i32> {
  // expected-error @+1 {{does not add up 8 elements in a lane as wide as these}}
  %0 = linalg.generic {
         indexing_maps = [affine_map<(n) -> (n)>, affine_map<(n) -> (n)>, affine_map<(n) -> ()>],
         iterator_types = ["reduction"],
         ein.schedule = #ein.schedule<loops = [d0], vector = d0: 32, accumulators = 1, widening = 8>}
         ins(%x, %y : tensor<?xi8>, tensor<?xi8>) outs(%c : tensor<i32>) {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %1 = arith.extsi %a : i8 to i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %s, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
