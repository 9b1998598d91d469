// Functions and quotients that depend on the dim along which the result lies, and
// not on another one, are computed once, with what belongs to them.
// RUN: ein-opt %s -ein-hoist-invariants | FileCheck %s

#nc = affine_map<(n, c) -> (n, c)>
#n = affine_map<(n, c) -> (n)>
#c = affine_map<(n, c) -> (c)>

// A root for each column; one for each row is LLVM's to move.
// CHECK-LABEL: func @columns
// CHECK-SAME: %[[X:.*]]: tensor<?x8xf32>, %[[V:.*]]: tensor<8xf32>, %[[W:.*]]: tensor<?xf32>
// CHECK: %[[ROOTS:.*]] = linalg.generic {{.*}} iterator_types = ["parallel"]} ins(%[[V]] : tensor<8xf32>) outs(%{{.*}} : tensor<8xf32>)
// CHECK: arith.addf
// CHECK: math.rsqrt
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[W]], %[[ROOTS]] : tensor<?x8xf32>, tensor<?xf32>, tensor<8xf32>)
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %[[R:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: %[[E:.*]] = math.exp %[[B]]
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[A]], %[[R]]
// CHECK-NEXT: arith.addf %[[P]], %[[E]]
func.func @columns(%x: tensor<?x8xf32>, %v: tensor<8xf32>, %w: tensor<?xf32>, %y: tensor<?x8xf32>)
    -> tensor<?x8xf32> {
  %small = arith.constant 1.0e-5 : f32
  %0 = linalg.generic {indexing_maps = [#nc, #c, #n, #nc], iterator_types = ["parallel", "parallel"]}
         ins(%x, %v, %w : tensor<?x8xf32>, tensor<8xf32>, tensor<?xf32>) outs(%y : tensor<?x8xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32, %o: f32):
    %1 = arith.addf %b, %small : f32
    %2 = math.rsqrt %1 : f32
    %e = math.exp %d : f32
    %3 = arith.mulf %a, %2 : f32
    %4 = arith.addf %3, %e : f32
    linalg.yield %4 : f32
  } -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// Angles of places and frequencies, for each head: an array of two dims, in
// which the frequencies' own functions are computed once as well.
#thd = affine_map<(t, h, d) -> (t, h, d)>
#d = affine_map<(t, h, d) -> (d)>
// CHECK-LABEL: func @angles
// CHECK-SAME: %[[X:.*]]: tensor<5x4x8xf32>, %[[F:.*]]: tensor<8xf32>
// CHECK: %[[POWERS:.*]] = linalg.generic {{.*}} ins(%[[F]] : tensor<8xf32>) outs(%{{.*}} : tensor<8xf32>)
// CHECK: math.exp2
// CHECK: %[[COSINES:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%[[POWERS]] : tensor<8xf32>) outs(%{{.*}} : tensor<5x8xf32>)
// CHECK: linalg.index 0
// CHECK: math.cos
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[COSINES]] : tensor<5x4x8xf32>, tensor<5x8xf32>)
func.func @angles(%x: tensor<5x4x8xf32>, %f: tensor<8xf32>, %y: tensor<5x4x8xf32>) -> tensor<5x4x8xf32> {
  %0 = linalg.generic {indexing_maps = [#thd, #d, #thd], iterator_types = ["parallel", "parallel", "parallel"]}
         ins(%x, %f : tensor<5x4x8xf32>, tensor<8xf32>) outs(%y : tensor<5x4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = linalg.index 0 : index
    %i = arith.index_cast %t : index to i64
    %n = arith.sitofp %i : i64 to f32
    %p = math.exp2 %b : f32
    %1 = arith.mulf %n, %p : f32
    %2 = math.cos %1 : f32
    %3 = arith.mulf %a, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<5x4x8xf32>
  return %0 : tensor<5x4x8xf32>
}

// A sum of weighted rows: the weights' functions once for all rows.
// CHECK-LABEL: func @weights
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel"]} ins(%{{.*}} : tensor<8xf32>)
// CHECK: math.exp
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]}
// CHECK-NOT: math.exp
func.func @weights(%x: tensor<?x8xf32>, %v: tensor<8xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [#nc, #c, #n], iterator_types = ["parallel", "reduction"]}
         ins(%x, %v : tensor<?x8xf32>, tensor<8xf32>) outs(%y : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = math.exp %b : f32
    %2 = arith.mulf %a, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// Nothing is repeated, or no more than a read: as it is.
// CHECK-LABEL: func @once
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT: linalg.generic
func.func @once(%x: tensor<1x8xf32>, %v: tensor<8xf32>, %z: tensor<?x8xf32>, %y: tensor<1x8xf32>)
    -> (tensor<1x8xf32>, tensor<?x8xf32>) {
  %0 = linalg.generic {indexing_maps = [#nc, #c, #nc], iterator_types = ["parallel", "parallel"]}
         ins(%x, %v : tensor<1x8xf32>, tensor<8xf32>) outs(%y : tensor<1x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %2 = math.exp %b : f32
    %3 = arith.mulf %a, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<1x8xf32>
  %1 = linalg.generic {indexing_maps = [#c, #nc], iterator_types = ["parallel", "parallel"]}
         ins(%v : tensor<8xf32>) outs(%z : tensor<?x8xf32>) {
  ^bb0(%b: f32, %o: f32):
    %2 = arith.mulf %b, %b : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<?x8xf32>
  return %0, %1 : tensor<1x8xf32>, tensor<?x8xf32>
}
