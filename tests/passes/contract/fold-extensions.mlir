// RUN: ein-opt %s -ein-fold-extensions=bf16-products -canonicalize -split-input-file \
// RUN:   | FileCheck %s --check-prefixes=CHECK,DOTS
// RUN: ein-opt %s -ein-fold-extensions -canonicalize -split-input-file \
// RUN:   | FileCheck %s --check-prefixes=CHECK,PLAIN

#id = affine_map<(i, j) -> (i, j)>
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Signed numbers: the arrays are read as they are. The maps stay.
// CHECK: #[[KM:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK-LABEL: func @signed
// CHECK-SAME: %[[A:[^:]*]]: tensor<3x4xi8>, %[[B:[^:]*]]: tensor<3x5xi16>, %[[C:[^:]*]]: tensor<4x5xi32>
// CHECK-NEXT: %[[R:.*]] = linalg.contract indexing_maps = [#[[KM]], {{.*}}] {user} ins(%[[A]], %[[B]] : tensor<3x4xi8>, tensor<3x5xi16>) outs(%[[C]] : tensor<4x5xi32>)
// CHECK-NEXT: return %[[R]]
func.func @signed(%a: tensor<3x4xi8>, %b: tensor<3x5xi16>, %c: tensor<4x5xi32>) -> tensor<4x5xi32> {
  %ea = tensor.empty() : tensor<3x4xi32>
  %wa = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<3x4xi8>) outs(%ea : tensor<3x4xi32>) {
  ^bb0(%x: i8, %z: i32):
    %w = arith.extsi %x : i8 to i32
    linalg.yield %w : i32
  } -> tensor<3x4xi32>
  %eb = tensor.empty() : tensor<3x5xi32>
  %wb = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%b : tensor<3x5xi16>) outs(%eb : tensor<3x5xi32>) {
  ^bb0(%x: i16, %z: i32):
    %w = arith.extsi %x : i16 to i32
    linalg.yield %w : i32
  } -> tensor<3x5xi32>
  %0 = linalg.contract indexing_maps = [#km, #kn, #mn] {user}
    ins(%wa, %wb : tensor<3x4xi32>, tensor<3x5xi32>) outs(%c : tensor<4x5xi32>) -> tensor<4x5xi32>
  return %0 : tensor<4x5xi32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Unsigned ones: `cast` says so. The other input is as wide as the sum already.
// CHECK-LABEL: func @unsigned
// CHECK-SAME: %[[A:[^:]*]]: tensor<?x?xi8>, %[[B:[^:]*]]: tensor<?x?xi32>
// CHECK-NOT: linalg.generic
// CHECK: linalg.contract {{.*}} {cast = #linalg.type_fn<cast_unsigned>} ins(%[[A]], %[[B]] : tensor<?x?xi8>, tensor<?x?xi32>)
func.func @unsigned(%a: tensor<?x?xi8>, %b: tensor<?x?xi32>, %e: tensor<?x?xi32>, %c: tensor<?x?xi32>)
    -> tensor<?x?xi32> {
  %wa = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<?x?xi8>) outs(%e : tensor<?x?xi32>) {
  ^bb0(%x: i8, %z: i32):
    %w = arith.extui %x : i8 to i32
    linalg.yield %w : i32
  } -> tensor<?x?xi32>
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
    ins(%wa, %b : tensor<?x?xi32>, tensor<?x?xi32>) outs(%c : tensor<?x?xi32>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// One of each: each has its cast.
// CHECK-LABEL: func @mixed
// CHECK-SAME: %[[A:[^:]*]]: tensor<?x?xi8>, %[[B:[^:]*]]: tensor<?x?xi8>
// CHECK-NOT: linalg.generic
// CHECK: ein.contract {{.*}} cast = <cast_unsigned> rhs_cast = <cast_signed> ins(%[[A]], %[[B]] : tensor<?x?xi8>, tensor<?x?xi8>)
func.func @mixed(%a: tensor<?x?xi8>, %b: tensor<?x?xi8>, %e: tensor<?x?xi32>, %f: tensor<?x?xi32>,
                 %c: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %wa = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<?x?xi8>) outs(%e : tensor<?x?xi32>) {
  ^bb0(%x: i8, %z: i32):
    %w = arith.extui %x : i8 to i32
    linalg.yield %w : i32
  } -> tensor<?x?xi32>
  %wb = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%b : tensor<?x?xi8>) outs(%f : tensor<?x?xi32>) {
  ^bb0(%x: i8, %z: i32):
    %w = arith.extsi %x : i8 to i32
    linalg.yield %w : i32
  } -> tensor<?x?xi32>
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
    ins(%wa, %wb : tensor<?x?xi32>, tensor<?x?xi32>) outs(%c : tensor<?x?xi32>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Matrices of bf16 are read as they are, if both are; without products of them,
// the second one is.
// CHECK-LABEL: func @halves
// CHECK-SAME: %[[A:[^:]*]]: tensor<?x?xbf16>, %{{.*}}: tensor<?x?xf32>
// CHECK: %[[WIDE:.*]] = linalg.generic
// DOTS: linalg.contract {{.*}} ins(%[[A]], %[[A]] : tensor<?x?xbf16>, tensor<?x?xbf16>) outs(%{{.*}} : tensor<?x?xf32>)
// PLAIN: linalg.contract {{.*}} ins(%[[WIDE]], %[[A]] : tensor<?x?xf32>, tensor<?x?xbf16>) outs(%{{.*}} : tensor<?x?xf32>)
// CHECK: linalg.contract {{.*}} ins(%[[WIDE]], %{{.*}} : tensor<?x?xf32>, tensor<?x?xf32>)
func.func @halves(%a: tensor<?x?xbf16>, %b: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %wa = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<?x?xbf16>) outs(%b : tensor<?x?xf32>) {
  ^bb0(%x: bf16, %z: f32):
    %w = arith.extf %x : bf16 to f32
    linalg.yield %w : f32
  } -> tensor<?x?xf32>
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
    ins(%wa, %wa : tensor<?x?xf32>, tensor<?x?xf32>) outs(%b : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = linalg.contract indexing_maps = [#mk, #kn, #mn]
    ins(%wa, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%b : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<?x?xf32>
}

// -----

// Rows of bf16 are read as they are on any machine, where their products are
// added up along them.
// CHECK-LABEL: func @rows
// CHECK-SAME: %[[A:[^:]*]]: tensor<?x?xbf16>, %[[X:[^:]*]]: tensor<?xbf16>
// CHECK: linalg.contract {{.*}} ins(%[[A]], %[[X]] : tensor<?x?xbf16>, tensor<?xbf16>)
#mk_of_rows = affine_map<(m, k) -> (m, k)>
#k_of_rows = affine_map<(m, k) -> (k)>
#m_of_rows = affine_map<(m, k) -> (m)>
func.func @rows(%a: tensor<?x?xbf16>, %x: tensor<?xbf16>, %wide: tensor<?x?xf32>, %row: tensor<?xf32>,
                %c: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [#mk_of_rows, #mk_of_rows], iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<?x?xbf16>) outs(%wide : tensor<?x?xf32>) {
  ^bb0(%y: bf16, %z: f32):
    %w = arith.extf %y : bf16 to f32
    linalg.yield %w : f32
  } -> tensor<?x?xf32>
  %1 = linalg.generic {
         indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>], iterator_types = ["parallel"]}
    ins(%x : tensor<?xbf16>) outs(%row : tensor<?xf32>) {
  ^bb0(%y: bf16, %z: f32):
    %w = arith.extf %y : bf16 to f32
    linalg.yield %w : f32
  } -> tensor<?xf32>
  %2 = linalg.contract indexing_maps = [#mk_of_rows, #k_of_rows, #m_of_rows]
         ins(%0, %1 : tensor<?x?xf32>, tensor<?xf32>) outs(%c : tensor<?xf32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----

// So are those of a vector and a matrix along whose rows the sums lie.
// CHECK-LABEL: func @columns
// CHECK-SAME: %[[X:[^:]*]]: tensor<?xbf16>, %[[A:[^:]*]]: tensor<?x?xbf16>
// CHECK: linalg.contract {{.*}} ins(%[[X]], %[[A]] : tensor<?xbf16>, tensor<?x?xbf16>)
#kn_of_columns = affine_map<(n, k) -> (k, n)>
#k_of_columns = affine_map<(n, k) -> (k)>
#n_of_columns = affine_map<(n, k) -> (n)>
func.func @columns(%x: tensor<?xbf16>, %a: tensor<?x?xbf16>, %wide: tensor<?x?xf32>, %row: tensor<?xf32>,
                   %c: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<?x?xbf16>) outs(%wide : tensor<?x?xf32>) {
  ^bb0(%y: bf16, %z: f32):
    %w = arith.extf %y : bf16 to f32
    linalg.yield %w : f32
  } -> tensor<?x?xf32>
  %1 = linalg.generic {
         indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>], iterator_types = ["parallel"]}
    ins(%x : tensor<?xbf16>) outs(%row : tensor<?xf32>) {
  ^bb0(%y: bf16, %z: f32):
    %w = arith.extf %y : bf16 to f32
    linalg.yield %w : f32
  } -> tensor<?xf32>
  %2 = linalg.contract indexing_maps = [#k_of_columns, #kn_of_columns, #n_of_columns]
         ins(%1, %0 : tensor<?xf32>, tensor<?x?xf32>) outs(%c : tensor<?xf32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Floats other than bf16 stay as they are; single bits are no bytes. Unsigned
// words beside signed bytes have their cast.
// CHECK-LABEL: func @stay
// CHECK: ein.contract {{.*}} cast = <cast_unsigned> rhs_cast = <cast_signed> ins(%{{.*}}, %{{.*}} : tensor<?x?xi16>, tensor<?x?xi8>)
// CHECK: %[[F:.*]] = linalg.generic
// CHECK: arith.extf
// CHECK: linalg.contract {{.*}} ins(%[[F]], %[[F]] : tensor<?x?xf32>, tensor<?x?xf32>)
// CHECK: %[[BITS:.*]] = linalg.generic
// CHECK: arith.extui %{{.*}} : i1 to i32
// CHECK: linalg.contract {{.*}} ins(%[[BITS]], %[[BITS]] : tensor<?x?xi32>, tensor<?x?xi32>)
func.func @stay(%a: tensor<?x?xi16>, %b: tensor<?x?xi8>, %h: tensor<?x?xf16>, %bits: tensor<?x?xi1>,
                %c: tensor<?x?xi32>, %d: tensor<?x?xf32>)
    -> (tensor<?x?xi32>, tensor<?x?xf32>, tensor<?x?xi32>) {
  %wa = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<?x?xi16>) outs(%c : tensor<?x?xi32>) {
  ^bb0(%x: i16, %z: i32):
    %w = arith.extui %x : i16 to i32
    linalg.yield %w : i32
  } -> tensor<?x?xi32>
  %wb = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%b : tensor<?x?xi8>) outs(%c : tensor<?x?xi32>) {
  ^bb0(%x: i8, %z: i32):
    %w = arith.extsi %x : i8 to i32
    linalg.yield %w : i32
  } -> tensor<?x?xi32>
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
    ins(%wa, %wb : tensor<?x?xi32>, tensor<?x?xi32>) outs(%c : tensor<?x?xi32>) -> tensor<?x?xi32>
  %wh = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%h : tensor<?x?xf16>) outs(%d : tensor<?x?xf32>) {
  ^bb0(%x: f16, %z: f32):
    %w = arith.extf %x : f16 to f32
    linalg.yield %w : f32
  } -> tensor<?x?xf32>
  %1 = linalg.contract indexing_maps = [#mk, #kn, #mn]
    ins(%wh, %wh : tensor<?x?xf32>, tensor<?x?xf32>) outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  %wbits = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%bits : tensor<?x?xi1>) outs(%c : tensor<?x?xi32>) {
  ^bb0(%x: i1, %z: i32):
    %w = arith.extui %x : i1 to i32
    linalg.yield %w : i32
  } -> tensor<?x?xi32>
  %2 = linalg.contract indexing_maps = [#mk, #kn, #mn]
    ins(%wbits, %wbits : tensor<?x?xi32>, tensor<?x?xi32>) outs(%c : tensor<?x?xi32>) -> tensor<?x?xi32>
  return %0, %1, %2 : tensor<?x?xi32>, tensor<?x?xf32>, tensor<?x?xi32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// What is rounded as it is computed, and extended after that, is an array as
// narrow; of halves where the machine has products of these.
// CHECK-LABEL: func @rounded
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x?xf32>, %[[S:[^:]*]]: tensor<?xf32>, %[[H:[^:]*]]: tensor<?x?xbf16>, %[[B:[^:]*]]: tensor<?x?xi8>
// CHECK: %[[BYTES:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[S]] : {{.*}}) outs(%{{.*}} : tensor<?x?xi8>)
// CHECK:   arith.fptoui
// CHECK-NEXT: linalg.yield %{{.*}} : i8
// CHECK: ein.contract {{.*}} cast = <cast_unsigned> rhs_cast = <cast_signed> ins(%[[BYTES]], %[[B]] : tensor<?x?xi8>, tensor<?x?xi8>)
// DOTS: %[[HALVES:.*]] = linalg.generic {{.*}} ins(%[[X]] : {{.*}}) outs(%{{.*}} : tensor<?x?xbf16>)
// DOTS-NOT: arith.extf
// DOTS: linalg.contract {{.*}} ins(%[[HALVES]], %[[H]] : tensor<?x?xbf16>, tensor<?x?xbf16>)
// PLAIN: linalg.contract {{.*}} ins(%{{.*}}, %[[H]] : tensor<?x?xf32>, tensor<?x?xbf16>)
func.func @rounded(%x: tensor<?x?xf32>, %s: tensor<?xf32>, %h: tensor<?x?xbf16>, %b: tensor<?x?xi8>,
                   %c: tensor<?x?xi32>, %d: tensor<?x?xf32>)
    -> (tensor<?x?xi32>, tensor<?x?xf32>) {
  %bytes = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
    ins(%x, %s : tensor<?x?xf32>, tensor<?xf32>) outs(%c : tensor<?x?xi32>) {
  ^bb0(%i: f32, %j: f32, %z: i32):
    %p = arith.mulf %i, %j : f32
    %n = arith.fptoui %p : f32 to i8
    %w = arith.extui %n : i8 to i32
    linalg.yield %w : i32
  } -> tensor<?x?xi32>
  %wb = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%b : tensor<?x?xi8>) outs(%c : tensor<?x?xi32>) {
  ^bb0(%i: i8, %z: i32):
    %w = arith.extsi %i : i8 to i32
    linalg.yield %w : i32
  } -> tensor<?x?xi32>
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
    ins(%bytes, %wb : tensor<?x?xi32>, tensor<?x?xi32>) outs(%c : tensor<?x?xi32>) -> tensor<?x?xi32>
  %halves = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%x : tensor<?x?xf32>) outs(%d : tensor<?x?xf32>) {
  ^bb0(%i: f32, %z: f32):
    %n = arith.truncf %i : f32 to bf16
    %w = arith.extf %n : bf16 to f32
    linalg.yield %w : f32
  } -> tensor<?x?xf32>
  %1 = linalg.contract indexing_maps = [#mk, #kn, #mn]
    ins(%halves, %h : tensor<?x?xf32>, tensor<?x?xbf16>) outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0, %1 : tensor<?x?xi32>, tensor<?x?xf32>
}
