// Reductions of other kinds, pair by pair where that is the same.
// RUN: ein-opt %s -ein-order-contractions | FileCheck %s
// RUN: ein-opt %s -ein-order-contractions=strategy=left | FileCheck %s
// RUN: ein-opt %s -ein-order-contractions --remarks-filter=path -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK

#ij = affine_map<(i, l, j, k) -> (i, j)>
#jk = affine_map<(i, l, j, k) -> (j, k)>
#kl = affine_map<(i, l, j, k) -> (k, l)>
#il = affine_map<(i, l, j, k) -> (i, l)>

// The shortest path of three steps. The first pair starts from infinity in new
// memory; the last one from what there is.
// REMARK: pair by pair, as `minimumf` distributes over `addf`: 6.{{[0-9]*}}e+07 operations instead of 1.288e+10
// CHECK-LABEL: func @paths
// CHECK-SAME: %[[A:[^ ]+]]: tensor<256x256xf32>, %[[B:[^ ]+]]: tensor<256x256xf32>, %[[C:[^ ]+]]: tensor<256x256xf32>, %[[D:[^ ]+]]: tensor<256x256xf32>)
// CHECK: %[[INF:.+]] = arith.constant 0x7F800000 : f32
// CHECK: %[[FILL:.+]] = linalg.fill ins(%[[INF]]
// CHECK: %[[T:.+]] = linalg.generic {{.*}} ins(%[[A]], %[[B]] : {{.*}}) outs(%[[FILL]] :
// CHECK: arith.addf
// CHECK: arith.minimumf
// CHECK: %[[R:.+]] = linalg.generic {{.*}} ins({{.*}}%[[T]]{{.*}} : {{.*}}) outs(%[[D]] :
// CHECK: return %[[R]]
func.func @paths(%a: tensor<256x256xf32>, %b: tensor<256x256xf32>, %c: tensor<256x256xf32>, %d: tensor<256x256xf32>)
    -> tensor<256x256xf32> {
  %0 = linalg.generic {indexing_maps = [#ij, #jk, #kl, #il],
                       iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
    ins(%a, %b, %c : tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>) outs(%d : tensor<256x256xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32, %out: f32):
      %1 = arith.addf %x, %y fastmath<reassoc> : f32
      %2 = arith.addf %1, %z fastmath<reassoc> : f32
      %3 = arith.minimumf %out, %2 : f32
      linalg.yield %3 : f32
  } -> tensor<256x256xf32>
  return %0 : tensor<256x256xf32>
}

// Booleans in bytes; what only one factor has is reduced in it first.
// REMARK: pair by pair, as `ori` distributes over `andi`
// CHECK-LABEL: func @reachable
// CHECK-SAME: %[[A:[^ ]+]]: tensor<?x?xi8>, %[[B:[^ ]+]]: tensor<?x?xi8>, %[[C:[^ ]+]]: tensor<?x?x?xi8>, %[[D:[^ ]+]]: tensor<?x?xi8>)
// CHECK: %[[ONE:.+]] = linalg.generic {{.*}} ins(%[[C]] : tensor<?x?x?xi8>)
// CHECK: arith.cmpi ne
// CHECK: arith.ori
// CHECK: arith.extui
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<?x?xi8>, tensor<?x?xi8>)
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<?x?xi8>, tensor<?x?xi8>) outs(%[[D]] :
func.func @reachable(%a: tensor<?x?xi8>, %b: tensor<?x?xi8>, %c: tensor<?x?x?xi8>, %d: tensor<?x?xi8>) -> tensor<?x?xi8> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, l, j, k, p) -> (i, j)>, affine_map<(i, l, j, k, p) -> (j, k)>,
                                        affine_map<(i, l, j, k, p) -> (k, p, l)>, affine_map<(i, l, j, k, p) -> (i, l)>],
                       iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]}
    ins(%a, %b, %c : tensor<?x?xi8>, tensor<?x?xi8>, tensor<?x?x?xi8>) outs(%d : tensor<?x?xi8>) {
    ^bb0(%x: i8, %y: i8, %z: i8, %out: i8):
      %c0 = arith.constant 0 : i8
      %1 = arith.cmpi ne, %x, %c0 : i8
      %2 = arith.cmpi ne, %y, %c0 : i8
      %3 = arith.andi %1, %2 : i1
      %4 = arith.cmpi ne, %z, %c0 : i8
      %5 = arith.andi %3, %4 : i1
      %6 = arith.cmpi ne, %out, %c0 : i8
      %7 = arith.ori %6, %5 : i1
      %8 = arith.extui %7 : i1 to i8
      linalg.yield %8 : i8
  } -> tensor<?x?xi8>
  return %0 : tensor<?x?xi8>
}

// What does not distribute.
// REMARK: the order is as written: a factor may be negative, so `maximumf` does not distribute over products
// CHECK-LABEL: func @products
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}}, %{{.*}} :
// CHECK-NOT: linalg.generic
func.func @products(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>, %d: tensor<64x64xf32>)
    -> tensor<64x64xf32> {
  %0 = linalg.generic {indexing_maps = [#ij, #jk, #kl, #il],
                       iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
    ins(%a, %b, %c : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) outs(%d : tensor<64x64xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32, %out: f32):
      %1 = arith.mulf %x, %y fastmath<reassoc> : f32
      %2 = arith.mulf %1, %z fastmath<reassoc> : f32
      %3 = arith.maximumf %out, %2 : f32
      linalg.yield %3 : f32
  } -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// REMARK: the order is as written: sums of integers wrap, so `maxsi` does not distribute over them
// CHECK-LABEL: func @integers
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}}, %{{.*}} :
// CHECK-NOT: linalg.generic
func.func @integers(%a: tensor<64x64xi32>, %b: tensor<64x64xi32>, %c: tensor<64x64xi32>, %d: tensor<64x64xi32>)
    -> tensor<64x64xi32> {
  %0 = linalg.generic {indexing_maps = [#ij, #jk, #kl, #il],
                       iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
    ins(%a, %b, %c : tensor<64x64xi32>, tensor<64x64xi32>, tensor<64x64xi32>) outs(%d : tensor<64x64xi32>) {
    ^bb0(%x: i32, %y: i32, %z: i32, %out: i32):
      %1 = arith.addi %x, %y : i32
      %2 = arith.addi %1, %z : i32
      %3 = arith.maxsi %out, %2 : i32
      linalg.yield %3 : i32
  } -> tensor<64x64xi32>
  return %0 : tensor<64x64xi32>
}

// Sums that are rounded as they are written, as with `--strict-fp`.
// REMARK: the order is as written: each sum is rounded as it is written
// CHECK-LABEL: func @rounded
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}}, %{{.*}} :
// CHECK-NOT: linalg.generic
func.func @rounded(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>, %d: tensor<64x64xf32>)
    -> tensor<64x64xf32> {
  %0 = linalg.generic {indexing_maps = [#ij, #jk, #kl, #il],
                       iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
    ins(%a, %b, %c : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) outs(%d : tensor<64x64xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32, %out: f32):
      %1 = arith.addf %x, %y : f32
      %2 = arith.addf %1, %z : f32
      %3 = arith.maximumf %out, %2 : f32
      linalg.yield %3 : f32
  } -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// A factor that is there twice, or in the reduction once more, is no semiring's.
// CHECK-LABEL: func @twice
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}}, %{{.*}} :
// CHECK-NOT: linalg.generic
func.func @twice(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>, %d: tensor<64x64xf32>)
    -> tensor<64x64xf32> {
  %0 = linalg.generic {indexing_maps = [#ij, #jk, #kl, #il],
                       iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
    ins(%a, %b, %c : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) outs(%d : tensor<64x64xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32, %out: f32):
      %1 = arith.addf %x, %y fastmath<reassoc> : f32
      %2 = arith.addf %1, %z fastmath<reassoc> : f32
      %3 = arith.addf %2, %x fastmath<reassoc> : f32
      %4 = arith.maximumf %out, %3 : f32
      linalg.yield %4 : f32
  } -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
