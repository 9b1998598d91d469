// RUN: ein-opt %s -ein-separate-zero-points -split-input-file | FileCheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#none = affine_map<(m, n, k) -> ()>

// Both factors less a number: the product, the sums of both, and how many terms
// there are. What starts from a number does so in new memory.
// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[COLUMN:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func @numbers
// CHECK-SAME: %[[A:[^:]*]]: tensor<?x?xi8>, %[[B:[^:]*]]: tensor<?x?xi8>, %[[C:[^:]*]]: tensor<?x?xi32>, %[[Y:[^:]*]]: i32, %[[Z:[^:]*]]: i32
// CHECK: %[[NEW:.*]] = tensor.empty
// CHECK: %[[ZEROS:.*]] = linalg.fill ins(%{{.*}}) outs(%[[NEW]]
// CHECK: %[[P:.*]] = linalg.generic {{.*}} ins(%[[A]], %[[B]] : {{.*}}) outs(%[[ZEROS]]
// CHECK:   arith.extui
// CHECK:   arith.extsi
// CHECK:   arith.muli
// CHECK: %[[ROWS:.*]] = linalg.generic {indexing_maps = [#[[ID]], #[[ROW]]], iterator_types = ["parallel", "reduction"]} ins(%[[A]]
// CHECK:   arith.extui
// CHECK: %[[COLUMNS:.*]] = linalg.generic {indexing_maps = [#[[ID]], #[[COLUMN]]], iterator_types = ["reduction", "parallel"]} ins(%[[B]]
// CHECK:   arith.extsi
// CHECK: %[[K:.*]] = tensor.dim %[[A]], %c1
// CHECK: %[[COUNT:.*]] = arith.index_cast %[[K]] : index to i32
// CHECK: linalg.generic {indexing_maps = [#[[ID]], #[[ROW]], #[[COLUMN]], #[[ID]]], iterator_types = ["parallel", "parallel"]} ins(%[[P]], %[[ROWS]], %[[COLUMNS]] : {{.*}}) outs(%[[C]] :
// CHECK: ^bb0(%[[O:.*]]: i32, %[[R:.*]]: i32, %[[S:.*]]: i32, %{{.*}}: i32)
// CHECK: %[[RZ:.*]] = arith.muli %[[R]], %[[Z]]
// CHECK: %[[LESS:.*]] = arith.subi %[[O]], %[[RZ]]
// CHECK: %[[SY:.*]] = arith.muli %[[S]], %[[Y]]
// CHECK: %[[TWICE:.*]] = arith.subi %[[LESS]], %[[SY]]
// CHECK: %[[YZ:.*]] = arith.muli %[[Y]], %[[Z]]
// CHECK: %[[ALL:.*]] = arith.muli %[[YZ]], %[[COUNT]]
// CHECK: arith.addi %[[TWICE]], %[[ALL]]
func.func @numbers(%a: tensor<?x?xi8>, %b: tensor<?x?xi8>, %c: tensor<?x?xi32>, %y: i32, %z: i32)
    -> tensor<?x?xi32> {
  %zero = arith.constant 0 : i32
  %start = linalg.fill ins(%zero : i32) outs(%c : tensor<?x?xi32>) -> tensor<?x?xi32>
  %0 = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xi8>, tensor<?x?xi8>) outs(%start : tensor<?x?xi32>) {
  ^bb0(%i: i8, %j: i8, %o: i32):
    %1 = arith.extui %i : i8 to i32
    %2 = arith.subi %1, %y : i32
    %3 = arith.extsi %j : i8 to i32
    %4 = arith.subi %3, %z : i32
    %5 = arith.muli %2, %4 : i32
    %6 = arith.addi %o, %5 : i32
    linalg.yield %6 : i32
  } -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#nm = affine_map<(m, n, k) -> (n, m)>
#n = affine_map<(m, n, k) -> (n)>

// One factor only, to which each column has something else added: the other one's
// sums. What goes on from what was there is updated.
// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[FIRST:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[LAST:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func @columns
// CHECK-SAME: %[[A:[^:]*]]: tensor<4x3xi8>, %[[B:[^:]*]]: tensor<3x5xi8>, %[[Z:[^:]*]]: tensor<5xi8>
// CHECK: %[[P:.*]] = linalg.contract {{.*}} ins(%[[B]], %[[A]] : tensor<3x5xi8>, tensor<4x3xi8>)
// CHECK: %[[ROWS:.*]] = linalg.generic {{.*}} ins(%[[A]] : tensor<4x3xi8>) outs(%{{.*}} : tensor<4xi32>)
// CHECK-NOT: ins(%[[B]]
// CHECK: linalg.generic {indexing_maps = [#[[LAST]], #[[FIRST]], #[[ID]]]{{.*}} ins(%[[ROWS]], %[[Z]] : {{.*}}) outs(%[[P]] : tensor<5x4xi32>)
// CHECK: ^bb0(%[[R:.*]]: i32, %[[W:.*]]: i8, %[[O:.*]]: i32)
// CHECK: %[[WIDE:.*]] = arith.extsi %[[W]] : i8 to i32
// CHECK: %[[NEGATED:.*]] = arith.subi %{{.*}}, %[[WIDE]]
// CHECK: %[[PART:.*]] = arith.muli %[[R]], %[[NEGATED]]
// CHECK: arith.subi %[[O]], %[[PART]]
func.func @columns(%a: tensor<4x3xi8>, %b: tensor<3x5xi8>, %z: tensor<5xi8>, %c: tensor<5x4xi32>)
    -> tensor<5x4xi32> {
  %0 = linalg.generic {indexing_maps = [#mk, #kn, #n, #nm], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b, %z : tensor<4x3xi8>, tensor<3x5xi8>, tensor<5xi8>) outs(%c : tensor<5x4xi32>) {
  ^bb0(%i: i8, %j: i8, %w: i8, %o: i32):
    %1 = arith.extsi %i : i8 to i32
    %2 = arith.extsi %j : i8 to i32
    %3 = arith.extsi %w : i8 to i32
    %4 = arith.addi %3, %2 : i32
    %5 = arith.muli %4, %1 : i32
    %6 = arith.addi %5, %o : i32
    linalg.yield %6 : i32
  } -> tensor<5x4xi32>
  return %0 : tensor<5x4xi32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#n = affine_map<(m, n, k) -> (n)>
#k = affine_map<(m, n, k) -> (k)>

// What depends on the terms, or on a dim of the other factor, stays.
// CHECK-LABEL: func @stay
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT: linalg.generic
func.func @stay(%a: tensor<4x3xi8>, %b: tensor<3x5xi8>, %y: tensor<3xi32>, %z: tensor<5xi32>, %c: tensor<4x5xi32>)
    -> (tensor<4x5xi32>, tensor<4x5xi32>) {
  %0 = linalg.generic {indexing_maps = [#mk, #kn, #k, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b, %y : tensor<4x3xi8>, tensor<3x5xi8>, tensor<3xi32>) outs(%c : tensor<4x5xi32>) {
  ^bb0(%i: i8, %j: i8, %w: i32, %o: i32):
    %1 = arith.extsi %i : i8 to i32
    %2 = arith.subi %1, %w : i32
    %3 = arith.extsi %j : i8 to i32
    %4 = arith.muli %2, %3 : i32
    %5 = arith.addi %4, %o : i32
    linalg.yield %5 : i32
  } -> tensor<4x5xi32>
  %1 = linalg.generic {indexing_maps = [#mk, #kn, #n, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b, %z : tensor<4x3xi8>, tensor<3x5xi8>, tensor<5xi32>) outs(%0 : tensor<4x5xi32>) {
  ^bb0(%i: i8, %j: i8, %w: i32, %o: i32):
    %w1 = arith.extsi %i : i8 to i32
    %w2 = arith.subi %w1, %w : i32
    %w3 = arith.extsi %j : i8 to i32
    %w4 = arith.muli %w2, %w3 : i32
    %w5 = arith.addi %w4, %o : i32
    linalg.yield %w5 : i32
  } -> tensor<4x5xi32>
  return %0, %1 : tensor<4x5xi32>, tensor<4x5xi32>
}

// -----

// The named op is the same.
// CHECK-LABEL: func @named
// CHECK-SAME: %[[A:[^:]*]]: tensor<?x?xi8>, %[[B:[^:]*]]: tensor<?x?xi8>
// CHECK-NOT: linalg.quantized_matmul
// CHECK: %[[P:.*]] = linalg.contract {{.*}} ins(%[[A]], %[[B]] : tensor<?x?xi8>, tensor<?x?xi8>)
// CHECK: %[[ROWS:.*]] = linalg.generic {{.*}} ins(%[[A]] :
// CHECK: %[[COLUMNS:.*]] = linalg.generic {{.*}} ins(%[[B]] :
// CHECK: linalg.generic {{.*}} ins(%[[ROWS]], %[[COLUMNS]], %{{.*}}, %{{.*}} : {{.*}}) outs(%[[P]] :
func.func @named(%a: tensor<?x?xi8>, %b: tensor<?x?xi8>, %c: tensor<?x?xi32>, %y: i32, %z: i32)
    -> tensor<?x?xi32> {
  %0 = linalg.quantized_matmul ins(%a, %b, %y, %z : tensor<?x?xi8>, tensor<?x?xi8>, i32, i32)
    outs(%c : tensor<?x?xi32>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// -----

// Of wider numbers it stays.
// CHECK-LABEL: func @wide
// CHECK: linalg.quantized_matmul
func.func @wide(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>, %c: tensor<?x?xi32>, %y: i32, %z: i32)
    -> tensor<?x?xi32> {
  %0 = linalg.quantized_matmul ins(%a, %b, %y, %z : tensor<?x?xi32>, tensor<?x?xi32>, i32, i32)
    outs(%c : tensor<?x?xi32>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// -----

// A matrix times a vector: the sums of the vector.
// CHECK-LABEL: func @row
// CHECK-SAME: %[[A:[^:]*]]: tensor<4x3xi8>, %[[V:[^:]*]]: tensor<3xi8>
// CHECK: linalg.contract {{.*}} ins(%[[A]], %[[V]] :
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction"]} ins(%[[V]] :
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel"]}
func.func @row(%a: tensor<4x3xi8>, %v: tensor<3xi8>, %d: tensor<4xi32>) -> tensor<4xi32> {
  %c3 = arith.constant 3 : i32
  %0 = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (k)>, affine_map<(m, k) -> (m)>],
                       iterator_types = ["parallel", "reduction"]}
    ins(%a, %v : tensor<4x3xi8>, tensor<3xi8>) outs(%d : tensor<4xi32>) {
  ^bb0(%i: i8, %j: i8, %o: i32):
    %v1 = arith.extsi %i : i8 to i32
    %v2 = arith.subi %v1, %c3 : i32
    %v3 = arith.extsi %j : i8 to i32
    %v4 = arith.muli %v2, %v3 : i32
    %v5 = arith.addi %v4, %o : i32
    linalg.yield %v5 : i32
  } -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

#image = affine_map<(h, f, s, c) -> (h + s, c)>
#filters = affine_map<(h, f, s, c) -> (f, s, c)>
#result = affine_map<(h, f, s, c) -> (h, f)>

// A window: the image's sums of channels, of which those of a window, and each
// filter's. How long windows are an array says that nobody reads.
// CHECK-DAG: #[[ALONG:.*]] = affine_map<(d0, d1) -> (d0 + d1)>
// CHECK-DAG: #[[SUMMED:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[KEPT:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func @window
// CHECK-SAME: %[[I:[^:]*]]: tensor<10x3xi8>, %[[K:[^:]*]]: tensor<5x4x3xi8>
// CHECK: %[[P:.*]] = linalg.generic {{.*}}"parallel", "parallel", "reduction", "reduction"]} ins(%[[I]], %[[K]] :
// CHECK:   arith.extui
// CHECK:   arith.extsi
// CHECK:   arith.muli
// CHECK: %[[CHANNELS:.*]] = linalg.generic {{.*}}"parallel", "reduction"]} ins(%[[I]] : tensor<10x3xi8>) outs(%{{.*}} : tensor<10xi32>)
// CHECK: %[[LENGTH:.*]] = tensor.empty() : tensor<4xi32>
// CHECK: %[[WINDOWS:.*]] = linalg.generic {indexing_maps = [#[[ALONG]], #[[SUMMED]], #[[KEPT]]], {{.*}}"parallel", "reduction"]} ins(%[[CHANNELS]], %[[LENGTH]] : {{.*}}) outs(%{{.*}} : tensor<7xi32>)
// CHECK: %[[FILTERS:.*]] = linalg.generic {{.*}}"parallel", "reduction", "reduction"]} ins(%[[K]] :
// CHECK: %[[COUNT:.*]] = arith.constant 12 : i32
// CHECK: linalg.generic {{.*}} ins(%[[WINDOWS]], %[[FILTERS]] : tensor<7xi32>, tensor<5xi32>) outs(%[[P]] :
// CHECK:   arith.muli %{{.*}}, %[[COUNT]]
func.func @window(%i: tensor<10x3xi8>, %k: tensor<5x4x3xi8>, %y: i32, %z: i32, %o: tensor<7x5xi32>) -> tensor<7x5xi32> {
  %0 = linalg.generic {indexing_maps = [#image, #filters, #result],
                       iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
    ins(%i, %k : tensor<10x3xi8>, tensor<5x4x3xi8>) outs(%o : tensor<7x5xi32>) {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %1 = arith.extui %a : i8 to i32
    %2 = arith.subi %1, %y : i32
    %3 = arith.extsi %b : i8 to i32
    %4 = arith.subi %3, %z : i32
    %5 = arith.muli %2, %4 : i32
    %6 = arith.addi %s, %5 : i32
    linalg.yield %6 : i32
  } -> tensor<7x5xi32>
  return %0 : tensor<7x5xi32>
}

// -----

#image = affine_map<(h, c, s) -> (h + s, c)>
#filters = affine_map<(h, c, s) -> (s, c)>
#result = affine_map<(h, c, s) -> (h, c)>

// A window of each channel has as many terms as its products have: it stays.
// CHECK-LABEL: func @depthwise
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
func.func @depthwise(%i: tensor<10x8xi8>, %k: tensor<3x8xi8>, %z: i32, %o: tensor<8x8xi32>) -> tensor<8x8xi32> {
  %0 = linalg.generic {indexing_maps = [#image, #filters, #result], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%i, %k : tensor<10x8xi8>, tensor<3x8xi8>) outs(%o : tensor<8x8xi32>) {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %1 = arith.extui %a : i8 to i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.subi %2, %z : i32
    %4 = arith.muli %1, %3 : i32
    %5 = arith.addi %s, %4 : i32
    linalg.yield %5 : i32
  } -> tensor<8x8xi32>
  return %0 : tensor<8x8xi32>
}

// -----

#image = affine_map<(h, n, c, s) -> (h + s, c)>
#filters = affine_map<(h, n, c, s) -> (n, s)>
#result = affine_map<(h, n, c, s) -> (h, n)>

// The filters' zero point has a term for each channel, which filters do not
// have: it stays.
// CHECK-LABEL: func @channels_of_one
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
func.func @channels_of_one(%i: tensor<10x3xi8>, %k: tensor<5x4xi8>, %y: i32, %o: tensor<7x5xi32>) -> tensor<7x5xi32> {
  %0 = linalg.generic {indexing_maps = [#image, #filters, #result],
                       iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
    ins(%i, %k : tensor<10x3xi8>, tensor<5x4xi8>) outs(%o : tensor<7x5xi32>) {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %1 = arith.extui %a : i8 to i32
    %2 = arith.subi %1, %y : i32
    %3 = arith.extsi %b : i8 to i32
    %4 = arith.muli %2, %3 : i32
    %5 = arith.addi %s, %4 : i32
    linalg.yield %5 : i32
  } -> tensor<7x5xi32>
  return %0 : tensor<7x5xi32>
}

// -----

#image = affine_map<(h, n, c, s) -> (h * 2 + s, c)>
#filters = affine_map<(h, n, c, s) -> (n, s, c)>
#result = affine_map<(h, n, c, s) -> (h, n)>

// Nor are the sums of open windows with steps taken apart, which take long to
// compile.
// CHECK-LABEL: func @steps
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
func.func @steps(%i: tensor<?x?xi8>, %k: tensor<?x?x?xi8>, %y: i32, %o: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %0 = linalg.generic {indexing_maps = [#image, #filters, #result],
                       iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
    ins(%i, %k : tensor<?x?xi8>, tensor<?x?x?xi8>) outs(%o : tensor<?x?xi32>) {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %1 = arith.extui %a : i8 to i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.subi %2, %y : i32
    %4 = arith.muli %1, %3 : i32
    %5 = arith.addi %s, %4 : i32
    linalg.yield %5 : i32
  } -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}
