// RUN: ein-opt %s -ein-share-contractions | FileCheck %s
// RUN: ein-opt %s -ein-share-contractions --remarks-filter=raise -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK
// REMARK: share-contractions.mlir:{{.*}} remark: {{.*}}shared: what is summed is computed at line

#mk = affine_map<(m, n, k) -> (m, k)>
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
#nm = affine_map<(m, n, k) -> (n, m)>
// The same under other names, and in another order of loops.
#ik = affine_map<(k, i, j) -> (i, k)>
#kj = affine_map<(k, i, j) -> (k, j)>
#ij = affine_map<(k, i, j) -> (i, j)>
#ji = affine_map<(k, i, j) -> (j, i)>

// Names, factors and loops in another order, to an output: a copy.
// CHECK-LABEL: func @renamed
// CHECK-SAME: %[[D:[^ ]+]]: tensor<?x?xf32>, %[[E:[^ ]+]]: tensor<?x?xf32>)
// CHECK: %[[ONE:.+]] = linalg.contract
// CHECK-NOT: linalg.contract
// CHECK: %[[COPY:.+]] = linalg.copy ins(%[[ONE]] : {{.*}}) outs(%[[E]] :
// CHECK: return %[[ONE]], %[[COPY]]
func.func @renamed(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %d: tensor<?x?xf32>, %e: tensor<?x?xf32>)
    -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %zero = arith.constant 0.0 : f32
  %d0 = linalg.fill ins(%zero : f32) outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  %d1 = linalg.contract indexing_maps = [#mk, #kn, #mn]
    ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%d0 : tensor<?x?xf32>) -> tensor<?x?xf32>
  %e0 = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %e1 = linalg.contract indexing_maps = [#kj, #ik, #ij]
    ins(%b, %a : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e0 : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %d1, %e1 : tensor<?x?xf32>, tensor<?x?xf32>
}

// The result's dims in another order, operands through a transposition, and
// what reads the second one: the steps of two chains.
// CHECK-LABEL: func @chains
// CHECK: %[[T:.+]] = linalg.contract {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<8x5xf32>)
// CHECK: %[[R:.+]] = linalg.contract {{.*}} ins(%[[T]], %{{.*}} : tensor<4x5xf32>, tensor<5x6xf32>)
// CHECK-NOT: linalg.contract
// CHECK: %[[S:.+]] = linalg.transpose ins(%[[R]] : tensor<4x6xf32>) outs(%{{.*}} : tensor<6x4xf32>) permutation = [1, 0]
// CHECK: return %[[R]], %[[S]]
func.func @chains(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>, %c: tensor<5x6xf32>, %d: tensor<4x6xf32>, %e: tensor<6x4xf32>)
    -> (tensor<4x6xf32>, tensor<6x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %t = tensor.empty() : tensor<4x5xf32>
  %t0 = linalg.fill ins(%zero : f32) outs(%t : tensor<4x5xf32>) -> tensor<4x5xf32>
  %t1 = linalg.contract indexing_maps = [#mk, #kn, #mn]
    ins(%a, %b : tensor<4x8xf32>, tensor<8x5xf32>) outs(%t0 : tensor<4x5xf32>) -> tensor<4x5xf32>
  %d0 = linalg.fill ins(%zero : f32) outs(%d : tensor<4x6xf32>) -> tensor<4x6xf32>
  %d1 = linalg.contract indexing_maps = [#mk, #kn, #mn]
    ins(%t1, %c : tensor<4x5xf32>, tensor<5x6xf32>) outs(%d0 : tensor<4x6xf32>) -> tensor<4x6xf32>

  %at = tensor.empty() : tensor<8x4xf32>
  %at1 = linalg.transpose ins(%a : tensor<4x8xf32>) outs(%at : tensor<8x4xf32>) permutation = [1, 0]
  %s = tensor.empty() : tensor<5x4xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%s : tensor<5x4xf32>) -> tensor<5x4xf32>
  %s1 = linalg.contract indexing_maps = [#km, #kn, #nm]
    ins(%at1, %b : tensor<8x4xf32>, tensor<8x5xf32>) outs(%s0 : tensor<5x4xf32>) -> tensor<5x4xf32>
  %e0 = linalg.fill ins(%zero : f32) outs(%e : tensor<6x4xf32>) -> tensor<6x4xf32>
  %e1 = linalg.contract indexing_maps = [#km, #kn, #nm]
    ins(%s1, %c : tensor<5x4xf32>, tensor<5x6xf32>) outs(%e0 : tensor<6x4xf32>) -> tensor<6x4xf32>
  return %d1, %e1 : tensor<4x6xf32>, tensor<6x4xf32>
}

// The first one is for a temporary, and writes to the second one's output.
// CHECK-LABEL: func @to_output
// CHECK-SAME: %[[E:[^ ]+]]: tensor<4x4xf32>)
// CHECK: %[[FILL:.+]] = linalg.fill ins(%{{.*}}) outs(%[[E]] :
// CHECK: %[[ONE:.+]] = linalg.contract {{.*}} outs(%[[FILL]] :
// CHECK-NOT: linalg.contract
// CHECK-NOT: linalg.copy
// CHECK: return %[[ONE]], %[[ONE]]
func.func @to_output(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %e: tensor<4x4xf32>)
    -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %t = tensor.empty() : tensor<4x4xf32>
  %t0 = linalg.fill ins(%zero : f32) outs(%t : tensor<4x4xf32>) -> tensor<4x4xf32>
  %t1 = linalg.contract indexing_maps = [#mk, #kn, #mn]
    ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%t0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %e0 = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %e1 = linalg.contract indexing_maps = [#mk, #kn, #mn]
    ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%e0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %t1, %e1 : tensor<4x4xf32>, tensor<4x4xf32>
}

// Nobody reads the first one.
// CHECK-LABEL: func @dead
// CHECK-SAME: %[[E:[^ ]+]]: tensor<4x4xf32>)
// CHECK: linalg.fill ins(%{{.*}}) outs(%[[E]] :
// CHECK: linalg.contract
// CHECK-NOT: linalg.contract
func.func @dead(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %e: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %t = tensor.empty() : tensor<4x4xf32>
  %t0 = linalg.fill ins(%zero : f32) outs(%t : tensor<4x4xf32>) -> tensor<4x4xf32>
  %t1 = linalg.contract indexing_maps = [#mk, #kn, #mn]
    ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%t0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %u1 = linalg.transpose ins(%t1 : tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) permutation = [1, 0]
  %e0 = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %e1 = linalg.contract indexing_maps = [#mk, #kn, #mn]
    ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%e0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %e1 : tensor<4x4xf32>
}

// What starts from something else adds the sum to it.
// CHECK-LABEL: func @added
// CHECK-SAME: %[[E:[^ ]+]]: tensor<4x4xi32>)
// CHECK: %[[ONE:.+]] = linalg.contract
// CHECK-NOT: linalg.contract
// CHECK: %[[SUM:.+]] = linalg.generic {indexing_maps = [#[[$T:.+]], #[[$I:.+]]], iterator_types = ["parallel", "parallel"]} ins(%[[ONE]] : tensor<4x4xi32>) outs(%[[E]] : tensor<4x4xi32>)
// CHECK: arith.addi
// CHECK: return %[[ONE]], %[[SUM]]
func.func @added(%a: tensor<4x8xi32>, %b: tensor<8x4xi32>, %d: tensor<4x4xi32>, %e: tensor<4x4xi32>)
    -> (tensor<4x4xi32>, tensor<4x4xi32>) {
  %zero = arith.constant 0 : i32
  %d0 = linalg.fill ins(%zero : i32) outs(%d : tensor<4x4xi32>) -> tensor<4x4xi32>
  %d1 = linalg.contract indexing_maps = [#mk, #kn, #mn]
    ins(%a, %b : tensor<4x8xi32>, tensor<8x4xi32>) outs(%d0 : tensor<4x4xi32>) -> tensor<4x4xi32>
  %e1 = linalg.contract indexing_maps = [#mk, #kn, #nm]
    ins(%a, %b : tensor<4x8xi32>, tensor<8x4xi32>) outs(%e : tensor<4x4xi32>) -> tensor<4x4xi32>
  return %d1, %e1 : tensor<4x4xi32>, tensor<4x4xi32>
}

// Both to new memory: one of them is nothing. Any sum will do, with a condition
// on its indices as well.
// CHECK-LABEL: func @generics
// CHECK: %[[ONE:.+]] = linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return %[[ONE]], %[[ONE]]
func.func @generics(%a: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %t = tensor.empty() : tensor<4xf32>
  %t0 = linalg.fill ins(%zero : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                       iterator_types = ["parallel", "reduction"]}
    ins(%a : tensor<4x8xf32>) outs(%t0 : tensor<4xf32>) {
    ^bb0(%x: f32, %s: f32):
      %j = linalg.index 1 : index
      %i = arith.index_cast %j : index to i32
      %f = arith.sitofp %i : i32 to f32
      %p = arith.mulf %x, %f : f32
      %r = arith.addf %s, %p : f32
      linalg.yield %r : f32
  } -> tensor<4xf32>
  %u = tensor.empty() : tensor<4xf32>
  %u0 = linalg.fill ins(%zero : f32) outs(%u : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(j, i) -> (i, j)>, affine_map<(j, i) -> (i)>],
                       iterator_types = ["reduction", "parallel"]}
    ins(%a : tensor<4x8xf32>) outs(%u0 : tensor<4xf32>) {
    ^bb0(%x: f32, %s: f32):
      %j = linalg.index 0 : index
      %i = arith.index_cast %j : index to i32
      %f = arith.sitofp %i : i32 to f32
      %p = arith.mulf %f, %x : f32
      %r = arith.addf %p, %s : f32
      linalg.yield %r : f32
  } -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// Other maps, another cast, another start for a kind that is no sum.
// CHECK-LABEL: func @different
// CHECK-COUNT-5: contract indexing_maps
func.func @different(%a: tensor<4x4xi8>, %b: tensor<4x4xi8>, %c: tensor<4x4xi32>)
    -> (tensor<4x4xi32>, tensor<4x4xi32>, tensor<4x4xi32>, tensor<4x4xi32>, tensor<4x4xi32>) {
  %zero = arith.constant 0 : i32
  %t = tensor.empty() : tensor<4x4xi32>
  %t0 = linalg.fill ins(%zero : i32) outs(%t : tensor<4x4xi32>) -> tensor<4x4xi32>
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
    ins(%a, %b : tensor<4x4xi8>, tensor<4x4xi8>) outs(%t0 : tensor<4x4xi32>) -> tensor<4x4xi32>
  %1 = linalg.contract indexing_maps = [#mk, #nk, #mn]
    ins(%a, %b : tensor<4x4xi8>, tensor<4x4xi8>) outs(%t0 : tensor<4x4xi32>) -> tensor<4x4xi32>
  %2 = linalg.contract indexing_maps = [#mk, #kn, #mn] {cast = #linalg.type_fn<cast_unsigned>}
    ins(%a, %b : tensor<4x4xi8>, tensor<4x4xi8>) outs(%t0 : tensor<4x4xi32>) -> tensor<4x4xi32>
  %3 = ein.contract indexing_maps = [#mk, #kn, #mn] kind = <maxsi>
    ins(%a, %b : tensor<4x4xi8>, tensor<4x4xi8>) outs(%t0 : tensor<4x4xi32>) -> tensor<4x4xi32>
  %4 = ein.contract indexing_maps = [#mk, #kn, #mn] kind = <maxsi>
    ins(%a, %b : tensor<4x4xi8>, tensor<4x4xi8>) outs(%c : tensor<4x4xi32>) -> tensor<4x4xi32>
  return %0, %1, %2, %3, %4
    : tensor<4x4xi32>, tensor<4x4xi32>, tensor<4x4xi32>, tensor<4x4xi32>, tensor<4x4xi32>
}

// What is computed in one branch is not there in the other, nor behind it; what
// is computed before is there in both.
// CHECK-LABEL: func @branches
// CHECK: %[[ONE:.+]] = linalg.contract {{.*}}#{{map[0-9]*}}, #{{map[0-9]*}}, #{{map[0-9]*}}]
// CHECK: scf.if
// CHECK-NOT: linalg.transpose
// CHECK: %[[TWO:.+]] = linalg.contract
// CHECK: scf.yield %[[TWO]]
// CHECK: else
// CHECK: scf.yield %[[ONE]]
// CHECK: linalg.contract
func.func @branches(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %p: i1)
    -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %t = tensor.empty() : tensor<4x4xf32>
  %t0 = linalg.fill ins(%zero : f32) outs(%t : tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
    ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%t0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = scf.if %p -> tensor<4x4xf32> {
    %2 = linalg.contract indexing_maps = [#mk, #nk, #mn]
      ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%t0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %2 : tensor<4x4xf32>
  } else {
    %2 = linalg.contract indexing_maps = [#mk, #kn, #mn]
      ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%t0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %2 : tensor<4x4xf32>
  }
  %3 = linalg.contract indexing_maps = [#mk, #nk, #mn]
    ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%t0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0, %1, %3 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// Floats in a strict function: the sums in one order of loops or another.
// CHECK-LABEL: func @strict
// CHECK: %[[ONE:.+]] = linalg.generic
// CHECK: %[[TWO:.+]] = linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return %[[ONE]], %[[TWO]], %[[ONE]]
func.func @strict(%a: tensor<3x4xf32>) -> (tensor<f32>, tensor<f32>, tensor<f32>)
    attributes {ein.strict_fp} {
  %zero = arith.constant 0.0 : f32
  %t = tensor.empty() : tensor<f32>
  %t0 = linalg.fill ins(%zero : f32) outs(%t : tensor<f32>) -> tensor<f32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>],
                       iterator_types = ["reduction", "reduction"]}
    ins(%a : tensor<3x4xf32>) outs(%t0 : tensor<f32>) {
    ^bb0(%x: f32, %s: f32):
      %r = arith.addf %s, %x : f32
      linalg.yield %r : f32
  } -> tensor<f32>
  %1 = linalg.generic {indexing_maps = [affine_map<(j, i) -> (i, j)>, affine_map<(j, i) -> ()>],
                       iterator_types = ["reduction", "reduction"]}
    ins(%a : tensor<3x4xf32>) outs(%t0 : tensor<f32>) {
    ^bb0(%x: f32, %s: f32):
      %r = arith.addf %s, %x : f32
      linalg.yield %r : f32
  } -> tensor<f32>
  %2 = linalg.generic {indexing_maps = [affine_map<(k, l) -> (k, l)>, affine_map<(k, l) -> ()>],
                       iterator_types = ["reduction", "reduction"]}
    ins(%a : tensor<3x4xf32>) outs(%t0 : tensor<f32>) {
    ^bb0(%x: f32, %s: f32):
      %r = arith.addf %x, %s : f32
      linalg.yield %r : f32
  } -> tensor<f32>
  return %0, %1, %2 : tensor<f32>, tensor<f32>, tensor<f32>
}

// One is rounded as its flags say, the other one as is convenient.
// CHECK-LABEL: func @flags
// CHECK-COUNT-2: linalg.generic
func.func @flags(%a: tensor<4xf32>) -> (tensor<f32>, tensor<f32>) {
  %zero = arith.constant 0.0 : f32
  %t = tensor.empty() : tensor<f32>
  %t0 = linalg.fill ins(%zero : f32) outs(%t : tensor<f32>) -> tensor<f32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
                       iterator_types = ["reduction"]}
    ins(%a : tensor<4xf32>) outs(%t0 : tensor<f32>) {
    ^bb0(%x: f32, %s: f32):
      %r = arith.addf %s, %x fastmath<reassoc> : f32
      linalg.yield %r : f32
  } -> tensor<f32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
                       iterator_types = ["reduction"]}
    ins(%a : tensor<4xf32>) outs(%t0 : tensor<f32>) {
    ^bb0(%x: f32, %s: f32):
      %r = arith.addf %s, %x : f32
      linalg.yield %r : f32
  } -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}
