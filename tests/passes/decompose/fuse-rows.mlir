// RUN: ein-opt %s -ein-fuse-rows=conflict-bytes=1024 -canonicalize -cse -split-input-file \
// RUN:   -verify-diagnostics \
// RUN:   | FileCheck %s

// A maximum of each row, what is above it, and the row's sum of that, which is
// the one result: one loop, a buffer for a row, and one for its maximum.
#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
// CHECK-LABEL: func @chain
// CHECK-SAME: %[[X:.*]]: tensor<5x?xf32>, %[[Y:.*]]: tensor<5xf32>
// CHECK-DAG: %[[TOP:.*]] = bufferization.alloc_tensor() : tensor<f32>
// CHECK-DAG: %[[ROW:.*]] = bufferization.alloc_tensor(%{{.*}}) : tensor<?xf32>
// CHECK: scf.for %[[M:.*]] = %c0 to %c5 step %c1 iter_args(%[[S:.*]] = %[[Y]])
// CHECK: %[[XM:.*]] = tensor.extract_slice %[[X]][%[[M]], 0]
// CHECK-SAME: tensor<5x?xf32> to tensor<?xf32>
// CHECK: linalg.fill {{.*}} outs(%[[TOP]] : tensor<f32>)
// CHECK: %[[MAX:.*]] = linalg.generic {{.*}} iterator_types = ["reduction"]} ins(%[[XM]] : tensor<?xf32>)
// CHECK: %[[E:.*]] = linalg.generic {{.*}} iterator_types = ["parallel"]} ins(%[[XM]], %[[MAX]] : tensor<?xf32>, tensor<f32>) outs(%[[ROW]] : tensor<?xf32>)
// CHECK: %[[SM:.*]] = tensor.extract_slice %[[S]][%[[M]]]
// CHECK: linalg.fill {{.*}} outs(%[[SM]]
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[E]] : tensor<?xf32>)
// CHECK: %[[NEXT:.*]] = tensor.insert_slice %[[SUM]] into %[[S]][%[[M]]]
// CHECK: scf.yield %[[NEXT]]
func.func @chain(%x: tensor<5x?xf32>, %y: tensor<5xf32>, %n: index) -> tensor<5xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e0 = tensor.empty() : tensor<5xf32>
  %f0 = linalg.fill ins(%low : f32) outs(%e0 : tensor<5xf32>) -> tensor<5xf32>
  %top = linalg.generic {indexing_maps = [#mn, #m], iterator_types = ["parallel", "reduction"],
           ein.schedule = #ein.schedule<group = 0, loops = [d0: 1, d1]>}
           ins(%x : tensor<5x?xf32>) outs(%f0 : tensor<5xf32>) {
  ^bb0(%a: f32, %s: f32):
    %1 = arith.maximumf %s, %a : f32
    linalg.yield %1 : f32
  } -> tensor<5xf32>
  %e1 = tensor.empty(%n) : tensor<5x?xf32>
  %e = linalg.generic {indexing_maps = [#mn, #m, #mn], iterator_types = ["parallel", "parallel"],
           ein.schedule = #ein.schedule<group = 0, loops = [d0: 1, d1]>}
           ins(%x, %top : tensor<5x?xf32>, tensor<5xf32>) outs(%e1 : tensor<5x?xf32>) {
  ^bb0(%a: f32, %t: f32, %s: f32):
    %1 = arith.subf %a, %t : f32
    linalg.yield %1 : f32
  } -> tensor<5x?xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%y : tensor<5xf32>) -> tensor<5xf32>
  %sum = linalg.generic {indexing_maps = [#mn, #m], iterator_types = ["parallel", "reduction"],
           ein.schedule = #ein.schedule<group = 0, loops = [d0: 1, d1]>}
           ins(%e : tensor<5x?xf32>) outs(%f1 : tensor<5xf32>) {
  ^bb0(%a: f32, %s: f32):
    %1 = arith.addf %s, %a fastmath<reassoc> : f32
    linalg.yield %1 : f32
  } -> tensor<5xf32>
  return %sum : tensor<5xf32>
}

// -----

// Blocks of 4 rows in a loop over heads, the second factor copied before the
// blocks, and where an element is in all of it.
// CHECK-LABEL: func @block
// CHECK-SAME: %[[Q:.*]]: tensor<2x10x8xf32>, %[[K:.*]]: tensor<2x12x8xf32>
// CHECK: %[[COPY:.*]] = bufferization.alloc_tensor() : tensor<8x12xf32>
// CHECK: scf.for %[[H:.*]] = %c0 to %c2 step %c1
// CHECK: %[[KH:.*]] = tensor.extract_slice %[[K]][%[[H]], 0, 0]
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[KH]] : tensor<12x8xf32>) outs(%[[COPY]] : tensor<8x12xf32>) permutation = [1, 0]
// CHECK: scf.for %[[M:.*]] = %c0 to %c10 step %c4
// CHECK: %[[LENGTH:.*]] = affine.min
// CHECK: tensor.extract_slice %[[Q]][%[[H]], %[[M]], 0] [1, %[[LENGTH]], 8]
// CHECK: linalg.contract {{.*}} ins(%{{.*}}, %[[T]] : tensor<?x8xf32>, tensor<8x12xf32>)
// CHECK: linalg.generic
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: arith.addi %[[I]], %[[M]]
// CHECK: tensor.insert_slice
#q = affine_map<(h, m, n, k) -> (h, m, k)>
#k = affine_map<(h, m, n, k) -> (h, n, k)>
#c = affine_map<(h, m, n, k) -> (h, m, n)>
#all = affine_map<(h, m, n) -> (h, m, n)>
func.func @block(%q: tensor<2x10x8xf32>, %k: tensor<2x12x8xf32>, %y: tensor<2x10x12xf32>) -> tensor<2x10x12xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<2x10x12xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x10x12xf32>) -> tensor<2x10x12xf32>
  %0 = linalg.contract indexing_maps = [#q, #k, #c]
         {ein.schedule = #ein.schedule<group = 3, copies = [in_place, [d3, d2]], loops = [d0: 1, d1: 4, d2, d3]>}
         ins(%q, %k : tensor<2x10x8xf32>, tensor<2x12x8xf32>) outs(%f0 : tensor<2x10x12xf32>) -> tensor<2x10x12xf32>
  %1 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"],
         ein.schedule = #ein.schedule<group = 3, loops = [d0: 1, d1: 4, d2]>}
         ins(%0 : tensor<2x10x12xf32>) outs(%y : tensor<2x10x12xf32>) {
  ^bb0(%a: f32, %s: f32):
    %m = linalg.index 1 : index
    %n = linalg.index 2 : index
    %seen = arith.cmpi sle, %n, %m : index
    %2 = arith.select %seen, %a, %zero : f32
    linalg.yield %2 : f32
  } -> tensor<2x10x12xf32>
  return %1 : tensor<2x10x12xf32>
}

// -----

// The second reads all rows of the first.
#mn2 = affine_map<(m, n) -> (m, n)>
#nm = affine_map<(m, n) -> (n, m)>
func.func @misaligned(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  // expected-error @+1 {{and the others of its group cannot be one loop over rows: one reads other rows of what another computes than its own}}
  %0 = linalg.generic {indexing_maps = [#mn2, #mn2], iterator_types = ["parallel", "parallel"],
         ein.schedule = #ein.schedule<group = 0, loops = [d0: 1, d1]>}
         ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: f32, %s: f32):
    %2 = arith.negf %a : f32
    linalg.yield %2 : f32
  } -> tensor<4x4xf32>
  %1 = linalg.generic {indexing_maps = [#nm, #mn2], iterator_types = ["parallel", "parallel"],
         ein.schedule = #ein.schedule<group = 0, loops = [d0: 1, d1]>}
         ins(%0 : tensor<4x4xf32>) outs(%y : tensor<4x4xf32>) {
  ^bb0(%a: f32, %s: f32):
    %2 = arith.negf %a : f32
    linalg.yield %2 : f32
  } -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// -----

// A causal mask of blocks of 4 rows. Columns end behind the block's last row, at
// a multiple of 4; the check computes what a masked column would be for each
// row. If it fails, or if what the weights are multiplied by is not finite, the
// ops before the product are done with all columns.
// CHECK-DAG: #[[END:.*]] = affine_map<(d0) -> (((d0 + 4) ceildiv 4) * 4, 4)>
// CHECK-LABEL: func @masked
// CHECK-SAME: (%{{[^ ]+}}: tensor<16x3xf32>, %{{[^ ]+}}: tensor<16x3xf32>, %[[V:[^ ]+]]: tensor<16x3xf32>,
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction", "reduction"]} ins(%[[V]] : tensor<16x3xf32>)
// CHECK: arith.mulf %{{.*}}, %[[ZERO:.*]] : f32
// CHECK: scf.for %[[M:.*]] = %c0 to %c16 step %c4
// CHECK: affine.max #[[END]]
// CHECK: %[[N:.*]] = affine.min
// CHECK: linalg.contract {{.*}} outs(%{{.*}} : tensor<4x?xf32>)
// CHECK: arith.cmpi sle
// CHECK: %[[TOP:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<4xf32>) {
// CHECK: arith.maximumf
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction"]} ins(%[[TOP]] : tensor<4xf32>)
// CHECK: %[[ABOVE:.*]] = arith.cmpf olt, %cst{{.*}}, %[[T:.*]] : f32
// CHECK: arith.select %[[ABOVE]]
// CHECK: %[[MASKED:.*]] = arith.subf %cst{{.*}}, %[[T]] : f32
// CHECK: %[[WEIGHT:.*]] = math.exp %[[MASKED]]
// CHECK: arith.cmpf oeq, %[[WEIGHT]], %[[ZERO]]
// CHECK: %[[WRONG:.*]] = arith.andi
// CHECK: scf.if %[[WRONG]] -> (tensor<4x16xf32>)
// CHECK: linalg.contract {{.*}} outs(%{{.*}} : tensor<4x16xf32>)
// CHECK: } else {
// CHECK: %[[COLUMNS:.*]] = arith.select %[[WRONG]], %c16, %[[N]]
// CHECK: %[[VN:.*]] = tensor.extract_slice %[[V]][0, 0] [%[[COLUMNS]], 3]
// CHECK: linalg.contract {{.*}} ins(%{{.*}}, %[[VN]] : tensor<4x?xf32>, tensor<?x3xf32>)
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#b1 = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
func.func @masked(%x: tensor<16x3xf32>, %k: tensor<16x3xf32>, %v: tensor<16x3xf32>, %y: tensor<16x3xf32>) -> tensor<16x3xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0e30 : f32
  %least = arith.constant 0xFF800000 : f32
  %e0 = tensor.empty() : tensor<16x16xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<16x16xf32>) -> tensor<16x16xf32>
  %s = linalg.contract indexing_maps = [#a, #b, #c]
         {ein.schedule = #ein.schedule<group = 0, loops = [d0: 4, d1, d2], masked_columns = 4>}
         ins(%x, %k : tensor<16x3xf32>, tensor<16x3xf32>) outs(%f0 : tensor<16x16xf32>) -> tensor<16x16xf32>
  %z = linalg.generic {indexing_maps = [#mn], iterator_types = ["parallel", "parallel"],
         ein.schedule = #ein.schedule<group = 0, loops = [d0: 4, d1], masked_columns = 4>}
         outs(%s : tensor<16x16xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %seen = arith.cmpi sle, %j, %i : index
    %1 = arith.select %seen, %o, %low : f32
    linalg.yield %1 : f32
  } -> tensor<16x16xf32>
  %e1 = tensor.empty() : tensor<16xf32>
  %f1 = linalg.fill ins(%least : f32) outs(%e1 : tensor<16xf32>) -> tensor<16xf32>
  %top = linalg.generic {indexing_maps = [#mn, #m], iterator_types = ["parallel", "reduction"],
         ein.schedule = #ein.schedule<group = 0, loops = [d0: 4, d1], masked_columns = 4>}
         ins(%z : tensor<16x16xf32>) outs(%f1 : tensor<16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.maximumf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<16xf32>
  %e2 = tensor.empty() : tensor<16x16xf32>
  %w = linalg.generic {indexing_maps = [#mn, #m, #mn], iterator_types = ["parallel", "parallel"],
         ein.schedule = #ein.schedule<group = 0, loops = [d0: 4, d1], masked_columns = 4>}
         ins(%z, %top : tensor<16x16xf32>, tensor<16xf32>) outs(%e2 : tensor<16x16xf32>) {
  ^bb0(%a: f32, %t: f32, %o: f32):
    %1 = arith.subf %a, %t : f32
    %2 = math.exp %1 : f32
    linalg.yield %2 : f32
  } -> tensor<16x16xf32>
  %f3 = linalg.fill ins(%zero : f32) outs(%y : tensor<16x3xf32>) -> tensor<16x3xf32>
  %r = linalg.contract indexing_maps = [#a, #b1, #c]
         {ein.schedule = #ein.schedule<group = 0, loops = [d0: 4, d1, d2], masked_columns = 4>}
         ins(%w, %v : tensor<16x16xf32>, tensor<16x3xf32>) outs(%f3 : tensor<16x3xf32>) -> tensor<16x3xf32>
  return %r : tensor<16x3xf32>
}

// -----

// Nothing is masked.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @nothing_masked(%x: tensor<16x3xf32>, %k: tensor<16x3xf32>, %y: tensor<16x16xf32>) -> tensor<16x16xf32> {
  // expected-error @+1 {{and the others of its group have no columns that are known to be masked, as its schedule says}}
  %s = linalg.contract indexing_maps = [#a, #b, #c]
         {ein.schedule = #ein.schedule<group = 0, loops = [d0: 4, d1, d2], masked_columns = 4>}
         ins(%x, %k : tensor<16x3xf32>, tensor<16x3xf32>) outs(%y : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %s : tensor<16x16xf32>
}

// -----

// Columns by blocks of 8, of blocks of 4 rows: one reduction, relative to the
// maximum. The scores go on from the region that needs them for the maximum to
// that of the weights. Sums are multiplied by what a new maximum makes of the old
// one's weights; -inf is never subtracted. A row that has seen nothing but that is
// NaN at the end.
// CHECK-LABEL: func @by_blocks
// CHECK-SAME: (%[[X:[^ ]+]]: tensor<16x3xf32>, %[[K:[^ ]+]]: tensor<20x3xf32>, %[[V:[^ ]+]]: tensor<20x3xf32>,
// CHECK: scf.for %[[I:.*]] = %c0 to %c16 step %c4 iter_args(%[[Y:.*]] =
// CHECK: %[[O:.*]] = tensor.extract_slice %[[Y]][%[[I]], 0] [4, 3]
// CHECK: %[[R:.*]]:2 = ein.online_reduce ins(%[[K]], %[[V]] : tensor<20x3xf32>, tensor<20x3xf32>) along [0, 0] relative_to(%{{.*}} : tensor<4xf32>) outs(%[[O]] : tensor<4x3xf32>) step 8 init {
// CHECK: ^bb0(%[[M0:.*]]: tensor<4xf32>, %[[O0:.*]]: tensor<4x3xf32>):
// CHECK: %[[LOW:.*]] = linalg.fill ins(%[[NONE:.*]] : f32) outs(%[[M0]] : tensor<4xf32>)
// CHECK: %[[ZERO:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%[[O0]] : tensor<4x3xf32>)
// CHECK: ein.yield %[[LOW]], %[[ZERO]]
// CHECK: } advance {
// CHECK: ^bb0(%{{.*}}: index, %[[KB:.*]]: tensor<?x3xf32>, %{{.*}}: tensor<?x3xf32>, %[[M:.*]]: tensor<4xf32>):
// CHECK: %[[S:.*]] = linalg.contract {{.*}} ins(%{{.*}}, %[[KB]] : tensor<4x3xf32>, tensor<?x3xf32>) {{.*}} -> tensor<4x?xf32>
// CHECK: %[[B:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[S]] : tensor<4x?xf32>)
// CHECK: %[[M1:.*]] = linalg.generic {{.*}} ins(%[[M]] : tensor<4xf32>) outs(%[[B]] : tensor<4xf32>)
// CHECK: arith.maximumf
// CHECK: ein.yield %[[M1]], %[[S]]
// CHECK: } rescale {
// CHECK: ^bb0(%[[OLD:.*]]: tensor<4xf32>, %[[NEW:.*]]: tensor<4xf32>, %[[O1:.*]]: tensor<4x3xf32>):
// CHECK: %[[F:.*]] = linalg.generic {{.*}} ins(%[[OLD]], %[[NEW]] : tensor<4xf32>, tensor<4xf32>)
// CHECK: ^bb0(%[[A:.*]]: f32, %[[NOW:.*]]: f32, %{{.*}}: f32):
// CHECK: %[[IS:.*]] = arith.cmpf oeq, %[[NOW]], %[[NONE]]
// CHECK: %[[FINITE:.*]] = arith.select %[[IS]]
// CHECK: %[[D:.*]] = arith.subf %[[A]], %[[FINITE]]
// CHECK: math.exp %[[D]]
// CHECK: %[[SCALED:.*]] = linalg.generic {{.*}} ins(%[[F]] : tensor<4xf32>) outs(%[[O1]] : tensor<4x3xf32>)
// CHECK: arith.mulf
// CHECK: ein.yield %[[SCALED]]
// CHECK: } combine {
// CHECK: ^bb0(%{{.*}}: index, %{{.*}}: tensor<?x3xf32>, %[[VB:.*]]: tensor<?x3xf32>, %[[TOP:.*]]: tensor<4xf32>, %[[SB:.*]]: tensor<4x?xf32>, %[[O2:.*]]: tensor<4x3xf32>):
// CHECK: %[[MF:.*]] = linalg.generic {{.*}} ins(%[[TOP]] : tensor<4xf32>)
// CHECK: %[[W:.*]] = linalg.generic {{.*}} ins(%[[MF]] : tensor<4xf32>) outs(%[[SB]] : tensor<4x?xf32>)
// CHECK: %[[O3:.*]] = linalg.contract {{.*}} ins(%[[W]], %[[VB]] : tensor<4x?xf32>, tensor<?x3xf32>) outs(%[[O2]] : tensor<4x3xf32>)
// CHECK: ein.yield %[[O3]]
// CHECK: } -> tensor<4xf32>, tensor<4x3xf32>
// CHECK: linalg.generic {{.*}} ins(%[[R]]#0 : tensor<4xf32>) outs(%[[R]]#1 : tensor<4x3xf32>)
// CHECK: arith.select %{{.*}}, %[[NAN:.*]], %{{.*}} : f32
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#b1 = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
func.func @by_blocks(%x: tensor<16x3xf32>, %k: tensor<20x3xf32>, %v: tensor<20x3xf32>, %y: tensor<16x3xf32>) -> tensor<16x3xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %e0 = tensor.empty() : tensor<16x20xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<16x20xf32>) -> tensor<16x20xf32>
  %s = linalg.contract indexing_maps = [#a, #b, #c] {ein.schedule = #ein.schedule<group = 0, loops = [d0: 4, d1, d2], block = 8>}
         ins(%x, %k : tensor<16x3xf32>, tensor<20x3xf32>) outs(%f0 : tensor<16x20xf32>) -> tensor<16x20xf32>
  %e1 = tensor.empty() : tensor<16xf32>
  %f1 = linalg.fill ins(%least : f32) outs(%e1 : tensor<16xf32>) -> tensor<16xf32>
  %top = linalg.generic {indexing_maps = [#mn, #m], iterator_types = ["parallel", "reduction"],
         ein.schedule = #ein.schedule<group = 0, loops = [d0: 4, d1], block = 8>}
         ins(%s : tensor<16x20xf32>) outs(%f1 : tensor<16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.maximumf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<16xf32>
  %e2 = tensor.empty() : tensor<16x20xf32>
  %w = linalg.generic {indexing_maps = [#mn, #m, #mn], iterator_types = ["parallel", "parallel"],
         ein.schedule = #ein.schedule<group = 0, loops = [d0: 4, d1], block = 8>}
         ins(%s, %top : tensor<16x20xf32>, tensor<16xf32>) outs(%e2 : tensor<16x20xf32>) {
  ^bb0(%a: f32, %t: f32, %o: f32):
    %1 = arith.subf %a, %t : f32
    %2 = math.exp %1 : f32
    linalg.yield %2 : f32
  } -> tensor<16x20xf32>
  %f3 = linalg.fill ins(%zero : f32) outs(%y : tensor<16x3xf32>) -> tensor<16x3xf32>
  %r = linalg.contract indexing_maps = [#a, #b1, #c] {ein.schedule = #ein.schedule<group = 0, loops = [d0: 4, d1, d2], block = 8>}
         ins(%w, %v : tensor<16x20xf32>, tensor<20x3xf32>) outs(%f3 : tensor<16x3xf32>) -> tensor<16x3xf32>
  return %r : tensor<16x3xf32>
}

// -----

// The square of a weight would have to be corrected twice.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#b1 = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
func.func @squares(%x: tensor<16x3xf32>, %k: tensor<20x3xf32>, %v: tensor<20x3xf32>, %y: tensor<16x3xf32>) -> tensor<16x3xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %e0 = tensor.empty() : tensor<16x20xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<16x20xf32>) -> tensor<16x20xf32>
  // expected-error @+1 {{and the others of its group are no softmax whose columns can be done by blocks, as its schedule says}}
  %s = linalg.contract indexing_maps = [#a, #b, #c] {ein.schedule = #ein.schedule<group = 0, loops = [d0: 4, d1, d2], block = 8>}
         ins(%x, %k : tensor<16x3xf32>, tensor<20x3xf32>) outs(%f0 : tensor<16x20xf32>) -> tensor<16x20xf32>
  %e1 = tensor.empty() : tensor<16xf32>
  %f1 = linalg.fill ins(%least : f32) outs(%e1 : tensor<16xf32>) -> tensor<16xf32>
  %top = linalg.generic {indexing_maps = [#mn, #m], iterator_types = ["parallel", "reduction"],
         ein.schedule = #ein.schedule<group = 0, loops = [d0: 4, d1], block = 8>}
         ins(%s : tensor<16x20xf32>) outs(%f1 : tensor<16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.maximumf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<16xf32>
  %e2 = tensor.empty() : tensor<16x20xf32>
  %w = linalg.generic {indexing_maps = [#mn, #m, #mn], iterator_types = ["parallel", "parallel"],
         ein.schedule = #ein.schedule<group = 0, loops = [d0: 4, d1], block = 8>}
         ins(%s, %top : tensor<16x20xf32>, tensor<16xf32>) outs(%e2 : tensor<16x20xf32>) {
  ^bb0(%a: f32, %t: f32, %o: f32):
    %1 = arith.subf %a, %t : f32
    %e = math.exp %1 : f32
    %2 = arith.mulf %e, %e : f32
    linalg.yield %2 : f32
  } -> tensor<16x20xf32>
  %f3 = linalg.fill ins(%zero : f32) outs(%y : tensor<16x3xf32>) -> tensor<16x3xf32>
  %r = linalg.contract indexing_maps = [#a, #b1, #c] {ein.schedule = #ein.schedule<group = 0, loops = [d0: 4, d1, d2], block = 8>}
         ins(%w, %v : tensor<16x20xf32>, tensor<20x3xf32>) outs(%f3 : tensor<16x3xf32>) -> tensor<16x3xf32>
  return %r : tensor<16x3xf32>
}

// -----

// Sums of the same rows: a loop over blocks of rows carries them, from what they
// start from; what is computed for each row is a block of its own. The last
// block may be shorter.
#nm = affine_map<(n, m) -> (n, m)>
#m = affine_map<(n, m) -> (m)>
// CHECK-LABEL: func @sums
// CHECK-SAME: %[[X:.*]]: tensor<?x8xf32>, %[[S:.*]]: tensor<8xf32>, %[[Q:.*]]: tensor<8xf32>
// CHECK: %[[START:.*]] = linalg.fill {{.*}} outs(%[[S]] :
// CHECK: %[[R:.*]]:2 = scf.for %[[N:.*]] = %c0 to %{{.*}} step %c4 iter_args(%[[SUM:.*]] = %[[START]], %[[SQUARES:.*]] = %[[Q]])
// CHECK: %[[BLOCK:.*]] = tensor.extract_slice %[[X]][%[[N]], 0] [%{{.*}}, 8]
// CHECK-NOT: linalg.fill
// CHECK: %[[NEXT:.*]] = linalg.generic {{.*}} ins(%[[BLOCK]] : tensor<?x8xf32>) outs(%[[SUM]] : tensor<8xf32>)
// CHECK: %[[OTHER:.*]] = linalg.generic {{.*}} ins(%[[BLOCK]] : tensor<?x8xf32>) outs(%[[SQUARES]] : tensor<8xf32>)
// CHECK: scf.yield %[[NEXT]], %[[OTHER]]
// CHECK: return %[[R]]#0, %[[R]]#1
func.func @sums(%x: tensor<?x8xf32>, %s: tensor<8xf32>, %q: tensor<8xf32>)
    -> (tensor<8xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%s : tensor<8xf32>) -> tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#nm, #m], iterator_types = ["reduction", "parallel"],
         ein.schedule = #ein.schedule<group = 0, loops = [d0: 4, d1]>}
         ins(%x : tensor<?x8xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %2 = arith.addf %o, %a : f32
    linalg.yield %2 : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#nm, #m], iterator_types = ["reduction", "parallel"],
         ein.schedule = #ein.schedule<group = 0, loops = [d0: 4, d1]>}
         ins(%x : tensor<?x8xf32>) outs(%q : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %2 = arith.mulf %a, %a : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// A sum is known behind the last row only.
#nm = affine_map<(n, m) -> (n, m)>
#m = affine_map<(n, m) -> (m)>
func.func @too_early(%x: tensor<12x8xf32>, %s: tensor<8xf32>, %y: tensor<12x8xf32>) -> tensor<12x8xf32> {
  // expected-error @+1 {{and the others of its group cannot be one loop over rows: one reads other rows of what another computes than its own}}
  %0 = linalg.generic {indexing_maps = [#nm, #m], iterator_types = ["reduction", "parallel"],
         ein.schedule = #ein.schedule<group = 0, loops = [d0: 4, d1]>}
         ins(%x : tensor<12x8xf32>) outs(%s : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %2 = arith.addf %o, %a : f32
    linalg.yield %2 : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#nm, #m, #nm], iterator_types = ["parallel", "parallel"],
         ein.schedule = #ein.schedule<group = 0, loops = [d0: 4, d1]>}
         ins(%x, %0 : tensor<12x8xf32>, tensor<8xf32>) outs(%y : tensor<12x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %2 = arith.subf %a, %b : f32
    linalg.yield %2 : f32
  } -> tensor<12x8xf32>
  return %1 : tensor<12x8xf32>
}
