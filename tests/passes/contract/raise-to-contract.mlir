// What is proved to be a contraction is raised, and nothing else.
// RUN: ein-opt %s -ein-raise-to-contract | FileCheck %s
// And it is said why.
// RUN: ein-opt %s -ein-raise-to-contract -mlir-disable-threading --remarks-filter=raise \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#mk = affine_map<(m, n, k) -> (m, k)>
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#mm = affine_map<(m, n, k) -> (m, m)>
#nk = affine_map<(m, n, k) -> (n, k)>

// CHECK-DAG: #[[KM:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK-DAG: #[[KN:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[MN:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>

// Transposed operands keep their maps; other attributes stay.
// CHECK-LABEL: func @transposed
// CHECK-SAME: %[[A:[^:]*]]: tensor<?x?xf32>, %[[B:[^:]*]]: tensor<?x?xf32>, %[[C:[^:]*]]: tensor<?x?xf32>
// CHECK-NOT: linalg.generic
// CHECK: linalg.contract indexing_maps = [#[[KM]], #[[KN]], #[[MN]]] {note = "kept"}
// CHECK-SAME: ins(%[[A]], %[[B]] : {{.*}}) outs(%[[C]] :
func.func @transposed(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [#km, #kn, #mn],
                       iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>)
    attrs = {note = "kept"} {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// Both operations commute.
// CHECK-LABEL: func @commuted
// CHECK: linalg.contract
func.func @commuted(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [#mk, #kn, #mn],
                       iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %y, %x fastmath<contract> : f32
    %s = arith.addf %p, %z fastmath<reassoc> : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// Widening, as linalg.contract does it.
// CHECK-LABEL: func @widened
// CHECK: linalg.contract {{.*}} ins(%{{.*}}, %{{.*}} : tensor<3x4xf32>, tensor<4x5xf32>) outs(%{{.*}} : tensor<3x5xf64>)
func.func @widened(%a: tensor<3x4xf32>, %b: tensor<4x5xf32>, %c: tensor<3x5xf64>)
    -> tensor<3x5xf64> {
  %0 = linalg.generic {indexing_maps = [#mk, #kn, #mn],
                       iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<3x4xf32>, tensor<4x5xf32>) outs(%c : tensor<3x5xf64>) {
  ^bb0(%x: f32, %y: f32, %z: f64):
    %xw = arith.extf %x : f32 to f64
    %yw = arith.extf %y : f32 to f64
    %p = arith.mulf %xw, %yw : f64
    %s = arith.addf %z, %p : f64
    linalg.yield %s : f64
  } -> tensor<3x5xf64>
  return %0 : tensor<3x5xf64>
}

// From here on, each generic is almost one, and stays.

// The product rounded to f32 first is another number.
// CHECK-LABEL: func @rounded_first
// REMARK: generic: the product is rounded before it is accumulated
// CHECK-NOT: linalg.contract
func.func @rounded_first(%a: tensor<3x4xf32>, %b: tensor<4x5xf32>, %c: tensor<3x5xf64>)
    -> tensor<3x5xf64> {
  %0 = linalg.generic {indexing_maps = [#mk, #kn, #mn],
                       iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<3x4xf32>, tensor<4x5xf32>) outs(%c : tensor<3x5xf64>) {
  ^bb0(%x: f32, %y: f32, %z: f64):
    %p = arith.mulf %x, %y : f32
    %w = arith.extf %p : f32 to f64
    %s = arith.addf %z, %w : f64
    linalg.yield %s : f64
  } -> tensor<3x5xf64>
  return %0 : tensor<3x5xf64>
}

// CHECK-LABEL: func @subtracts
// REMARK: generic: it accumulates by `arith.subf`
// CHECK-NOT: linalg.contract
// CHECK: arith.subf
func.func @subtracts(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [#mk, #kn, #mn],
                       iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.subf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @squares_one_input
// REMARK: generic: the factors are not the two inputs
// CHECK-NOT: linalg.contract
func.func @squares_one_input(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [#mk, #kn, #mn],
                       iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %x : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// The product is not added to what is there.
// CHECK-LABEL: func @forgets
// REMARK: generic: nothing is accumulated
// CHECK-NOT: linalg.contract
func.func @forgets(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [#mk, #kn, #mn],
                       iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    linalg.yield %p : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// k is in one input only.
// CHECK-LABEL: func @one_sided
// REMARK: generic: an index is reduced in one input only
// CHECK-NOT: linalg.contract
func.func @one_sided(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?xf32>)
    -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(n, k, l) -> (n, k)>,
                                        affine_map<(n, k, l) -> (n, l)>,
                                        affine_map<(n, k, l) -> (n)>],
                       iterator_types = ["parallel", "reduction", "reduction"]}
    ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func @diagonal
// REMARK: generic: an access repeats the index `d0`
// CHECK-NOT: linalg.contract
func.func @diagonal(%a: tensor<?x?xf32>, %b: tensor<?xf32>, %c: tensor<f32>)
    -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(k) -> (k, k)>, affine_map<(k) -> (k)>,
                                        affine_map<(k) -> ()>],
                       iterator_types = ["reduction"]}
    ins(%a, %b : tensor<?x?xf32>, tensor<?xf32>) outs(%c : tensor<f32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func @convolution
// REMARK: generic: the access at `d0 + d1` is not at a lone index
// CHECK-NOT: linalg.contract
func.func @convolution(%a: tensor<10xf32>, %b: tensor<3xf32>, %c: tensor<8xf32>)
    -> tensor<8xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, k) -> (i + k)>,
                                        affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>],
                       iterator_types = ["parallel", "reduction"]}
    ins(%a, %b : tensor<10xf32>, tensor<3xf32>) outs(%c : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func @outer_product
// REMARK: generic: nothing is reduced
// CHECK-NOT: linalg.contract
func.func @outer_product(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>,
                                        affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @three_inputs
// REMARK: generic: it has 3 inputs; a contraction has two
// CHECK-NOT: linalg.contract
func.func @three_inputs(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [#mk, #kn, #nk, #mn],
                       iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b, %b : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>)
    outs(%c : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %w: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// A scalar operand is no tensor.
// CHECK-LABEL: func @scalar
// REMARK: generic: an input is a scalar
// CHECK-NOT: linalg.contract
func.func @scalar(%a: tensor<?x?xf32>, %b: f32, %c: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> ()>,
                                        affine_map<(m, k) -> (m)>],
                       iterator_types = ["parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xf32>, f32) outs(%c : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func @buffers
// REMARK: generic: its operands are buffers
// CHECK-NOT: linalg.contract
func.func @buffers(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.generic {indexing_maps = [#mk, #kn, #mn],
                  iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  }
  return
}

// Combined by other things than sums: ein.contract.
// CHECK-LABEL: func @by_maximum
// REMARK: contract by maximumf: m={d0} n={d1} k={d2}
// CHECK: ein.contract {{.*}} kind = <maximumf> ins(
func.func @by_maximum(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [#mk, #kn, #mn],
                       iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %y, %x fastmath<contract> : f32
    %s = arith.maximumf %p, %z : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @unsigned_minimum
// CHECK: ein.contract {{.*}} kind = <minui> cast = <cast_unsigned> ins(
func.func @unsigned_minimum(%a: tensor<?x?xi8>, %b: tensor<?x?xi8>, %c: tensor<?x?xi32>)
    -> tensor<?x?xi32> {
  %0 = linalg.generic {indexing_maps = [#mk, #kn, #mn],
                       iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xi8>, tensor<?x?xi8>) outs(%c : tensor<?x?xi32>) {
  ^bb0(%x: i8, %y: i8, %z: i32):
    %v = arith.extui %x : i8 to i32
    %w = arith.extui %y : i8 to i32
    %p = arith.muli %v, %w : i32
    %s = arith.minui %z, %p : i32
    linalg.yield %s : i32
  } -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// The sign of each conversion counts: unsigned is told, mixed stays.
// CHECK-LABEL: func @unsigned
// CHECK: linalg.contract {{.*}}cast_unsigned
func.func @unsigned(%a: tensor<?x?xi8>, %b: tensor<?x?xi8>, %c: tensor<?x?xi32>)
    -> tensor<?x?xi32> {
  %0 = linalg.generic {indexing_maps = [#mk, #kn, #mn],
                       iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xi8>, tensor<?x?xi8>) outs(%c : tensor<?x?xi32>) {
  ^bb0(%x: i8, %y: i8, %z: i32):
    %v = arith.extui %x : i8 to i32
    %w = arith.extui %y : i8 to i32
    %p = arith.muli %v, %w : i32
    %s = arith.addi %z, %p : i32
    linalg.yield %s : i32
  } -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// Each input has its cast, which linalg.contract has for both.
// CHECK-LABEL: func @mixed_signs
// CHECK: ein.contract {{.*}} rhs_cast = <cast_unsigned> ins
// REMARK: contract by add: m={d0} n={d1} k={d2}
func.func @mixed_signs(%a: tensor<?x?xi8>, %b: tensor<?x?xi8>, %c: tensor<?x?xi32>)
    -> tensor<?x?xi32> {
  %0 = linalg.generic {indexing_maps = [#mk, #kn, #mn],
                       iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xi8>, tensor<?x?xi8>) outs(%c : tensor<?x?xi32>) {
  ^bb0(%x: i8, %y: i8, %z: i32):
    %v = arith.extsi %x : i8 to i32
    %w = arith.extui %y : i8 to i32
    %p = arith.muli %v, %w : i32
    %s = arith.addi %z, %p : i32
    linalg.yield %s : i32
  } -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// What the body does beside computing would be lost.
// CHECK-LABEL: func @side_effect
// CHECK-NOT: contract
// CHECK: memref.store
func.func @side_effect(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>, %m: memref<f32>)
    -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [#mk, #kn, #mn],
                       iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    memref.store %x, %m[] : memref<f32>
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// Named ops that are contractions, transposed ones too.
// CHECK-LABEL: func @named
// CHECK: linalg.contract indexing_maps = [#[[MK:.*]], #[[KN:.*]], #[[MN:.*]]] ins(
// CHECK: linalg.contract indexing_maps = [#[[KM:.*]], #[[KN]], #[[MN]]] ins(
// CHECK: linalg.contract {{.*}} ins(%{{.*}}, %{{.*}} : tensor<?x?xf32>, tensor<?xf32>)
// CHECK: linalg.contract {{.*}} ins(%{{.*}}, %{{.*}} : tensor<?xf32>, tensor<?xf32>)
func.func @named(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>, %v: tensor<?xf32>, %s: tensor<f32>)
    -> (tensor<?x?xf32>, tensor<?xf32>, tensor<f32>) {
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, #kn, #mn]
         ins(%a, %0 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = linalg.matvec ins(%1, %v : tensor<?x?xf32>, tensor<?xf32>) outs(%v : tensor<?xf32>) -> tensor<?xf32>
  %3 = linalg.dot ins(%2, %v : tensor<?xf32>, tensor<?xf32>) outs(%s : tensor<f32>) -> tensor<f32>
  return %1, %2, %3 : tensor<?x?xf32>, tensor<?xf32>, tensor<f32>
}

// ein.contract is linalg.contract where that can say it.
// CHECK-LABEL: func @written
// CHECK: linalg.contract
// CHECK: ein.contract {{.*}} kind = <mul>
// CHECK: ein.contract
func.func @written(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = ein.contract indexing_maps = [#mk, #kn, #mn]
         ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = ein.contract indexing_maps = [#mk, #kn, #mn] kind = <mul>
         ins(%a, %0 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = ein.contract indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>]
         ins(%a, %1 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

// The factor is the function's argument 0, not the op's input 0.
// CHECK-LABEL: func @scalar_argument
// CHECK: linalg.generic
func.func @scalar_argument(%s: f32, %a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                                        affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %1 = arith.mulf %s, %y : f32
      %2 = arith.addf %1, %z : f32
      linalg.yield %2 : f32
  } -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// Two statements that together are one.
// CHECK-LABEL: func @two_statements
// CHECK-NOT: linalg.generic
// CHECK: linalg.contract indexing_maps = [#{{.*}}, #{{.*}}, #{{.*}}] ins(%{{.*}}, %{{.*}} : tensor<?x?xf32>, tensor<?x?xf32>)
// CHECK-NOT: linalg.generic
func.func @two_statements(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %t: tensor<?x?x?xf32>, %c: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, k, n) -> (m, k)>, affine_map<(m, k, n) -> (k, n)>,
                                        affine_map<(m, k, n) -> (m, k, n)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%t : tensor<?x?x?xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %1 = arith.mulf %x, %y : f32
      linalg.yield %1 : f32
  } -> tensor<?x?x?xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%0 : tensor<?x?x?xf32>) outs(%c : tensor<?x?xf32>) {
    ^bb0(%x: f32, %z: f32):
      %1 = arith.addf %x, %z : f32
      linalg.yield %1 : f32
  } -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

// The products are of use elsewhere; and the sum of something else stays.
// CHECK-LABEL: func @read_twice
// CHECK: linalg.generic
// CHECK: linalg.generic
// CHECK: linalg.generic
// CHECK: linalg.generic
// CHECK: return
func.func @read_twice(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %t: tensor<?x?xf32>, %c: tensor<?xf32>)
    -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m, k)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%t : tensor<?x?xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %1 = arith.mulf %x, %y : f32
      linalg.yield %1 : f32
  } -> tensor<?x?xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m)>],
                       iterator_types = ["parallel", "reduction"]}
    ins(%0 : tensor<?x?xf32>) outs(%c : tensor<?xf32>) {
    ^bb0(%x: f32, %z: f32):
      %1 = arith.addf %x, %z : f32
      linalg.yield %1 : f32
  } -> tensor<?xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m, k)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%t : tensor<?x?xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %1 = arith.subf %x, %y : f32
      linalg.yield %1 : f32
  } -> tensor<?x?xf32>
  %4 = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m)>],
                       iterator_types = ["parallel", "reduction"]}
    ins(%3 : tensor<?x?xf32>) outs(%c : tensor<?xf32>) {
    ^bb0(%x: f32, %z: f32):
      %1 = arith.addf %x, %z : f32
      linalg.yield %1 : f32
  } -> tensor<?xf32>
  return %0, %2, %4 : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>
}

// Bits that are bytes in memory, from a number and from what was there. The
// second accumulates the bytes themselves.
// CHECK-LABEL: func @stored_bits
// CHECK-SAME: %[[A:[^:]*]]: tensor<?x?xi8>, %[[B:[^:]*]]: tensor<?x?xi8>, %[[C:[^:]*]]: tensor<?x?xi8>
// CHECK: %[[BITS_A:.*]] = linalg.generic {{.*}} ins(%[[A]] : {{.*}}) outs(%{{.*}} : tensor<?x?xi1>)
// CHECK: arith.cmpi ne
// CHECK: %[[BITS_B:.*]] = linalg.generic {{.*}} ins(%[[B]] : {{.*}}) outs(%{{.*}} : tensor<?x?xi1>)
// CHECK: %[[START:.*]] = linalg.fill ins(%true
// CHECK: %[[BITS:.*]] = ein.contract {{.*}} kind = <xor> {note = "kept"} ins(%[[BITS_A]], %[[BITS_B]] : {{.*}}) outs(%[[START]] : tensor<?x?xi1>)
// CHECK: linalg.generic {{.*}} ins(%[[BITS]] : tensor<?x?xi1>) outs(%[[C]] : tensor<?x?xi8>)
// CHECK: arith.extui
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @stored_bits(%a: tensor<?x?xi8>, %b: tensor<?x?xi8>, %c: tensor<?x?xi8>)
    -> (tensor<?x?xi8>, tensor<?x?xi8>) {
  %c0 = arith.constant 0 : i8
  %c7 = arith.constant 7 : i8
  %f = linalg.fill ins(%c7 : i8) outs(%c : tensor<?x?xi8>) -> tensor<?x?xi8>
  %0 = linalg.generic {indexing_maps = [#mk, #kn, #mn],
                       iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xi8>, tensor<?x?xi8>) outs(%f : tensor<?x?xi8>)
    attrs = {note = "kept"} {
  ^bb0(%x: i8, %y: i8, %z: i8):
    %1 = arith.cmpi ne, %x, %c0 : i8
    %2 = arith.cmpi ne, %y, %c0 : i8
    %3 = arith.cmpi ne, %z, %c0 : i8
    %p = arith.andi %1, %2 : i1
    %s = arith.xori %3, %p : i1
    %r = arith.extui %s : i1 to i8
    linalg.yield %r : i8
  } -> tensor<?x?xi8>
  %4 = linalg.generic {indexing_maps = [#mk, #kn, #mn],
                       iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<?x?xi8>, tensor<?x?xi8>) outs(%c : tensor<?x?xi8>) {
  ^bb0(%x: i8, %y: i8, %z: i8):
    %1 = arith.cmpi ne, %x, %c0 : i8
    %2 = arith.cmpi ne, %y, %c0 : i8
    %p = arith.andi %1, %2 : i1
    %q = arith.extui %p : i1 to i8
    %s = arith.xori %z, %q : i8
    linalg.yield %s : i8
  } -> tensor<?x?xi8>
  return %0, %4 : tensor<?x?xi8>, tensor<?x?xi8>
}
