// RUN: ein-opt %s -ein-update-in-place -split-input-file | FileCheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#ij = affine_map<(i, j) -> (i, j)>
#ji = affine_map<(i, j) -> (j, i)>
#j = affine_map<(i, j) -> (j)>

// Both sums go to the reader's destination, which the reader then updates.
// CHECK-DAG: #[[IJ:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[J:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func @bias
// CHECK-SAME: %[[A:[^:]*]]: tensor<?x?xf32>, %[[B:[^:]*]]: tensor<?x?xf32>, %[[BIAS:[^:]*]]: tensor<?xf32>, %[[OUT:[^:]*]]: tensor<?x?xf32>
// CHECK: %[[F:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%[[OUT]]
// CHECK: %[[S:.*]] = linalg.contract {{.*}} outs(%[[F]]
// CHECK: %[[T:.*]] = linalg.contract {{.*}} outs(%[[S]]
// CHECK: %[[R:.*]] = linalg.generic {indexing_maps = [#[[J]], #[[IJ]]]
// CHECK-SAME: ins(%[[BIAS]] : tensor<?xf32>) outs(%[[T]] : tensor<?x?xf32>)
// CHECK: ^bb0(%[[IN:.*]]: f32, %[[OLD:.*]]: f32):
// CHECK: arith.addf %[[OLD]], %[[IN]]
// CHECK: arith.mulf %{{.*}}, %[[OLD]]
// CHECK: return %[[R]]
func.func @bias(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %bias: tensor<?xf32>, %out: tensor<?x?xf32>,
                %m: index, %n: index) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%0 : tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = linalg.generic {indexing_maps = [#ij, #j, #ij, #ij], iterator_types = ["parallel", "parallel"]}
         ins(%1, %bias, %1 : tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf32>) outs(%out : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    %p = arith.mulf %s, %z : f32
    linalg.yield %p : f32
  } -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#ij = affine_map<(i, j) -> (i, j)>

// One fill for two temporaries: each sum has its own afterwards. The second's
// destination is new memory that is made too late.
// CHECK-LABEL: func @shared_fill
// CHECK-SAME: %[[OUT:[^:]*]]: tensor<?x?xf32>, %[[M:[^:]*]]: index
// CHECK: %[[F:.*]] = linalg.fill {{.*}} outs(%[[OUT]]
// CHECK: linalg.contract {{.*}} outs(%[[F]]
// CHECK: %[[E:.*]] = tensor.empty(%[[M]], %[[M]])
// CHECK: %[[G:.*]] = linalg.fill {{.*}} outs(%[[E]]
// CHECK: linalg.contract {{.*}} outs(%[[G]]
func.func @shared_fill(%a: tensor<?x?xf32>, %out: tensor<?x?xf32>, %m: index) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%m, %m) : tensor<?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
         ins(%0 : tensor<?x?xf32>) outs(%out : tensor<?x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = math.absf %x : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  %late = tensor.empty(%m, %m) : tensor<?x?xf32>
  %3 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
         ins(%1 : tensor<?x?xf32>) outs(%late : tensor<?x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.negf %x : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %2, %3 : tensor<?x?xf32>, tensor<?x?xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#ij = affine_map<(i, j) -> (i, j)>
#ji = affine_map<(i, j) -> (j, i)>

// A reader of another place, one that adds to what was there, and one of two:
// nothing changes.
// CHECK-LABEL: func @left_alone
// CHECK-SAME: %[[A:[^:]*]]: tensor<4x4xf32>, %[[OUT:[^:]*]]: tensor<4x4xf32>
// CHECK: %[[E:.*]] = tensor.empty
// CHECK: linalg.fill {{.*}} outs(%[[E]]
// CHECK-NOT: linalg.fill
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<4x4xf32>) outs(%[[OUT]]
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<4x4xf32>) outs(%{{.*}}
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<4x4xf32>) outs(%{{.*}}
func.func @left_alone(%a: tensor<4x4xf32>, %out: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.generic {indexing_maps = [#ji, #ij], iterator_types = ["parallel", "parallel"]}
         ins(%0 : tensor<4x4xf32>) outs(%out : tensor<4x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<4x4xf32>
  %2 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%1, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
         ins(%2 : tensor<4x4xf32>) outs(%1 : tensor<4x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  %4 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%3, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  %5 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
         ins(%4 : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.negf %x : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %4, %5 : tensor<4x4xf32>, tensor<4x4xf32>
}
