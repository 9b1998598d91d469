// RUN: ein-opt %s --ein-compute-factors -split-input-file | FileCheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#n = affine_map<(m, n, k) -> (n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// A difference of bytes has 16 bits; what is an element stays where it is.
// CHECK-DAG: #[[$MK:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[$KN:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[$MN:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func @bytes
// CHECK-SAME: %[[X:[^:]*]]: tensor<3x5xi8>, %[[W:[^:]*]]: tensor<5x7xi8>, %[[Z:[^:]*]]: i8
// CHECK: %[[E:.*]] = tensor.empty() : tensor<3x5xi16>
// CHECK: %[[F:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<3x5xi8>) outs(%[[E]] : tensor<3x5xi16>)
// CHECK: %[[WIDE:.*]] = arith.extui %{{.*}} : i8 to i32
// CHECK: %[[ZERO:.*]] = arith.extui %[[Z]] : i8 to i32
// CHECK: %[[D:.*]] = arith.subi %[[WIDE]], %[[ZERO]]
// CHECK: %[[NARROW:.*]] = arith.trunci %[[D]] : i32 to i16
// CHECK: linalg.yield %[[NARROW]]
// CHECK: linalg.generic {indexing_maps = [#[[$MK]], #[[$KN]], #[[$MN]]], {{.*}}} ins(%[[F]], %[[W]] : tensor<3x5xi16>, tensor<5x7xi8>)
// CHECK-SAME: attrs = {user}
// CHECK-DAG: %[[A:.*]] = arith.extsi %{{.*}} : i16 to i32
// CHECK-DAG: %[[B:.*]] = arith.extsi %{{.*}} : i8 to i32
// CHECK: arith.muli %[[A]], %[[B]]
func.func @bytes(%x: tensor<3x5xi8>, %w: tensor<5x7xi8>, %z: i8, %c: tensor<3x7xi32>) -> tensor<3x7xi32> {
  %0 = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<3x5xi8>, tensor<5x7xi8>) outs(%c : tensor<3x7xi32>) attrs = {user} {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %wide = arith.extui %a : i8 to i32
    %zero = arith.extui %z : i8 to i32
    %d = arith.subi %wide, %zero : i32
    %e = arith.extsi %b : i8 to i32
    %p = arith.muli %d, %e : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<3x7xi32>
  return %0 : tensor<3x7xi32>
}

// Beside a signed array, what is unsigned becomes one. An array's dims lie as
// they do in the largest of what it reads.
// CHECK-LABEL: func @unsigned
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<3x5xi8>) outs(%{{.*}} : tensor<3x5xi16>)
// CHECK: arith.extui
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<5x7xi8>, tensor<7xi8>) outs(%{{.*}} : tensor<5x7xi16>)
// CHECK: arith.subi
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<3x5xi16>, tensor<5x7xi16>)
func.func @unsigned(%x: tensor<3x5xi8>, %w: tensor<5x7xi8>, %z: tensor<7xi8>, %c: tensor<3x7xi32>) -> tensor<3x7xi32> {
  %0 = linalg.generic {indexing_maps = [#mk, #kn, #n, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w, %z : tensor<3x5xi8>, tensor<5x7xi8>, tensor<7xi8>) outs(%c : tensor<3x7xi32>) {
  ^bb0(%a: i8, %b: i8, %zb: i8, %s: i32):
    %wide = arith.extui %a : i8 to i32
    %e = arith.extui %b : i8 to i32
    %zero = arith.extui %zb : i8 to i32
    %d = arith.subi %e, %zero : i32
    %p = arith.muli %wide, %d : i32
    %t = arith.addi %p, %s : i32
    linalg.yield %t : i32
  } -> tensor<3x7xi32>
  return %0 : tensor<3x7xi32>
}

// -----

#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Functions are computed once. Where an element is, is told by the array's dims.
// CHECK-DAG: #[[$KM:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK-LABEL: func @functions
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x?xf32>
// CHECK: %[[F:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<?x?xf32>)
// CHECK-DAG: %[[K:.*]] = linalg.index 0
// CHECK-DAG: %[[M:.*]] = linalg.index 1
// CHECK-DAG: %[[E:.*]] = math.exp
// CHECK-DAG: %[[IS:.*]] = arith.cmpi ult, %[[K]], %[[M]]
// CHECK: arith.select %[[IS]], %[[E]]
// CHECK: linalg.generic {indexing_maps = [#[[$KM]], {{.*}}} ins(%[[F]], %{{.*}} : tensor<?x?xf32>, tensor<?x?xf32>)
// CHECK-NOT: math.exp
// CHECK: arith.mulf
// CHECK-NEXT: arith.maximumf
func.func @functions(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.generic {indexing_maps = [#km, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %e = math.exp %a : f32
    %k = linalg.index 2 : index
    %m = linalg.index 0 : index
    %is = arith.cmpi ult, %k, %m : index
    %f = arith.select %is, %e, %zero : f32
    %p = arith.mulf %f, %b : f32
    %t = arith.maximumf %p, %s : f32
    linalg.yield %t : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// What may trap is not computed where nothing was; a factor of all dims, one
// column, and a product of elements are left alone.
// CHECK-LABEL: func @left
// CHECK-NOT: tensor.empty
func.func @left(%x: tensor<?x?xi32>, %w: tensor<?x?xi32>, %y: tensor<?x1xi32>, %c: tensor<?x?xi32>, %d: tensor<?x1xi32>)
    -> (tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x1xi32>, tensor<?x?xi32>) {
  %one = arith.constant 1 : i32
  %0 = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<?x?xi32>, tensor<?x?xi32>) outs(%c : tensor<?x?xi32>) {
  ^bb0(%a: i32, %b: i32, %s: i32):
    %q = arith.divsi %one, %a : i32
    %p = arith.muli %q, %b : i32
    %t = arith.addi %p, %s : i32
    linalg.yield %t : i32
  } -> tensor<?x?xi32>
  %1 = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<?x?xi32>, tensor<?x?xi32>) outs(%0 : tensor<?x?xi32>) {
  ^bb0(%a: i32, %b: i32, %s: i32):
    %q = arith.subi %b, %a : i32
    %p = arith.muli %q, %b : i32
    %t = arith.addi %p, %s : i32
    linalg.yield %t : i32
  } -> tensor<?x?xi32>
  %2 = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %y : tensor<?x?xi32>, tensor<?x1xi32>) outs(%d : tensor<?x1xi32>) {
  ^bb0(%a: i32, %b: i32, %s: i32):
    %q = arith.subi %a, %one : i32
    %p = arith.muli %q, %b : i32
    %t = arith.addi %p, %s : i32
    linalg.yield %t : i32
  } -> tensor<?x1xi32>
  %3 = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<?x?xi32>, tensor<?x?xi32>) outs(%1 : tensor<?x?xi32>) {
  ^bb0(%a: i32, %b: i32, %s: i32):
    %p = arith.muli %a, %b : i32
    %t = arith.addi %p, %s : i32
    linalg.yield %t : i32
  } -> tensor<?x?xi32>
  return %0, %1, %2, %3 : tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x1xi32>, tensor<?x?xi32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// What is cast to bytes is an array of bytes, whatever their sign.
// CHECK-LABEL: func @cast
// CHECK-SAME: %[[A:[^:]*]]: tensor<?x?xf32>, %[[B:[^:]*]]: tensor<?x?xi8>
// CHECK: %[[BYTES:.*]] = linalg.generic {{.*}} ins(%[[A]] : tensor<?x?xf32>) outs(%{{.*}} : tensor<?x?xi8>)
// CHECK:   %[[N:.*]] = arith.fptoui
// CHECK-NEXT: linalg.yield %[[N]] : i8
// CHECK: linalg.generic {{.*}} ins(%[[BYTES]], %[[B]] : tensor<?x?xi8>, tensor<?x?xi8>)
// CHECK:   arith.extui %{{.*}} : i8 to i32
// CHECK:   arith.extsi %{{.*}} : i8 to i32
func.func @cast(%a: tensor<?x?xf32>, %b: tensor<?x?xi8>, %c: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %0 = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xf32>, tensor<?x?xi8>) outs(%c : tensor<?x?xi32>) {
  ^bb0(%i: f32, %j: i8, %o: i32):
    %1 = arith.fptoui %i : f32 to i8
    %2 = arith.extui %1 : i8 to i32
    %3 = arith.extsi %j : i8 to i32
    %4 = arith.muli %2, %3 : i32
    %5 = arith.addi %o, %4 : i32
    linalg.yield %5 : i32
  } -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}
