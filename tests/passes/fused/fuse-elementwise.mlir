// RUN: ein-opt %s -ein-fuse-elementwise -split-input-file | FileCheck %s

#ij = affine_map<(i, j) -> (i, j)>
#ji = affine_map<(i, j) -> (j, i)>
#j = affine_map<(i, j) -> (j)>
#i = affine_map<(i, j) -> (i)>

// Three steps, the last of which reads the second transposed, become one loop nest.
// CHECK-DAG: #[[IJ:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[JI:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: func @chain
// CHECK: %[[R:.*]] = linalg.generic {indexing_maps = [#[[JI]], #{{.*}}, #[[IJ]]]
// CHECK: math.exp
// CHECK: arith.addf
// CHECK: arith.maximumf
// CHECK-NOT: linalg.generic
// CHECK: return %[[R]]
func.func @chain(%a: tensor<?x?xf32>, %b: tensor<?xf32>, %t: tensor<?x?xf32>, %c: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
         ins(%a : tensor<?x?xf32>) outs(%t : tensor<?x?xf32>) {
  ^bb0(%x: f32, %out: f32):
    %e = math.exp %x : f32
    linalg.yield %e : f32
  } -> tensor<?x?xf32>
  %1 = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
         ins(%0, %b : tensor<?x?xf32>, tensor<?xf32>) outs(%t : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  %2 = linalg.generic {indexing_maps = [#ji, #ij], iterator_types = ["parallel", "parallel"]}
         ins(%1 : tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%x: f32, %out: f32):
    %m = arith.maximumf %x, %zero : f32
    linalg.yield %m : f32
  } -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

// -----

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>

// A sum takes the step before it into its loop.
// CHECK-LABEL: func @into_sum
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]
// CHECK: math.exp
// CHECK: arith.addf
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @into_sum(%a: tensor<?x?xf32>, %t: tensor<?x?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
         ins(%a : tensor<?x?xf32>) outs(%t : tensor<?x?xf32>) {
  ^bb0(%x: f32, %out: f32):
    %e = math.exp %x : f32
    linalg.yield %e : f32
  } -> tensor<?x?xf32>
  %1 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
         ins(%0 : tensor<?x?xf32>) outs(%c : tensor<?xf32>) {
  ^bb0(%x: f32, %out: f32):
    %s = arith.addf %x, %out : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

#ij = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>
#id = affine_map<(j) -> (j)>

// A row that is added to every row would be computed once for each of them.
// CHECK-LABEL: func @broadcast
// CHECK: math.exp
// CHECK: linalg.generic
// CHECK: arith.addf
func.func @broadcast(%a: tensor<?x?xf32>, %b: tensor<?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
         ins(%b : tensor<?xf32>) outs(%b : tensor<?xf32>) {
  ^bb0(%x: f32, %out: f32):
    %e = math.exp %x : f32
    linalg.yield %e : f32
  } -> tensor<?xf32>
  %1 = linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]}
         ins(%a, %0 : tensor<?x?xf32>, tensor<?xf32>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// -----

#id = affine_map<(i) -> (i)>

// What is a result as well, or has two readers, is computed once, in memory.
// CHECK-LABEL: func @two_uses
// CHECK: math.exp
// CHECK: linalg.generic
// CHECK: arith.addf
func.func @two_uses(%a: tensor<?xf32>, %t: tensor<?xf32>, %c: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
         ins(%a : tensor<?xf32>) outs(%t : tensor<?xf32>) {
  ^bb0(%x: f32, %out: f32):
    %e = math.exp %x : f32
    linalg.yield %e : f32
  } -> tensor<?xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
         ins(%0 : tensor<?xf32>) outs(%c : tensor<?xf32>) {
  ^bb0(%x: f32, %out: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// -----

#id = affine_map<(i) -> (i)>

// A schedule that was written by hand stays on its op.
// CHECK-LABEL: func @decided
// CHECK: ein.schedule
// CHECK: math.exp
// CHECK: linalg.generic
func.func @decided(%a: tensor<?xf32>, %t: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
         ins(%a : tensor<?xf32>) outs(%t : tensor<?xf32>)
         attrs = {ein.schedule = #ein.schedule<>} {
  ^bb0(%x: f32, %out: f32):
    %e = math.exp %x : f32
    linalg.yield %e : f32
  } -> tensor<?xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
         ins(%0 : tensor<?xf32>) outs(%c : tensor<?xf32>) {
  ^bb0(%x: f32, %out: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>

// What one reader names several times, it reads once.
// CHECK-LABEL: func @named_twice
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{.*}} : tensor<?x?xf32>)
// CHECK: %[[E:.*]] = math.exp
// CHECK: arith.mulf %[[E]], %[[E]]
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @named_twice(%a: tensor<?x?xf32>, %t: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
         ins(%a : tensor<?x?xf32>) outs(%t : tensor<?x?xf32>) {
  ^bb0(%x: f32, %out: f32):
    %e = math.exp %x : f32
    linalg.yield %e : f32
  } -> tensor<?x?xf32>
  %1 = linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]}
         ins(%0, %0 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %s = arith.mulf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// -----

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>

// A difference with something smaller is computed where it is read, by a sum
// and by an elementwise op.
// CHECK-LABEL: func @centred
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]
// CHECK: arith.subf
// CHECK: arith.addf
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]
// CHECK: arith.subf
// CHECK: arith.mulf
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @centred(%a: tensor<?x?xf32>, %mean: tensor<?xf32>, %t: tensor<?x?xf32>, %s: tensor<?xf32>, %c: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?x?xf32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
         ins(%a, %mean : tensor<?x?xf32>, tensor<?xf32>) outs(%t : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %d = arith.subf %x, %y : f32
    linalg.yield %d : f32
  } -> tensor<?x?xf32>
  %1 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
         ins(%0 : tensor<?x?xf32>) outs(%s : tensor<?xf32>) {
  ^bb0(%x: f32, %sum: f32):
    %d = arith.addf %x, %sum : f32
    linalg.yield %d : f32
  } -> tensor<?xf32>
  %2 = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
         ins(%0, %1 : tensor<?x?xf32>, tensor<?xf32>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %d = arith.mulf %x, %y : f32
    linalg.yield %d : f32
  } -> tensor<?x?xf32>
  return %1, %2 : tensor<?xf32>, tensor<?x?xf32>
}

// -----

#ij = affine_map<(i, j) -> (i, j)>

// A function is not computed twice.
// CHECK-LABEL: func @function_of_two
// CHECK: math.exp
// CHECK-NOT: math.exp
// CHECK: return
func.func @function_of_two(%a: tensor<?x?xf32>, %t: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
         ins(%a : tensor<?x?xf32>) outs(%t : tensor<?x?xf32>) {
  ^bb0(%x: f32, %out: f32):
    %e = math.exp %x : f32
    linalg.yield %e : f32
  } -> tensor<?x?xf32>
  %1 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
         ins(%0 : tensor<?x?xf32>) outs(%b : tensor<?x?xf32>) {
  ^bb0(%x: f32, %out: f32):
    %e = arith.negf %x : f32
    linalg.yield %e : f32
  } -> tensor<?x?xf32>
  %2 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
         ins(%0 : tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%x: f32, %out: f32):
    %e = math.absf %x : f32
    linalg.yield %e : f32
  } -> tensor<?x?xf32>
  return %1, %2 : tensor<?x?xf32>, tensor<?x?xf32>
}

// -----

#i = affine_map<(i) -> (i)>

// Four steps, each of which reads the same array, are one op that reads it once.
// CHECK-LABEL: func @same_array
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?xf32>
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[A]] : tensor<?xf32>)
// CHECK: arith.negf
// CHECK-NEXT: arith.addf
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: arith.subf
// CHECK-NOT: linalg.generic
func.func @same_array(%a: tensor<?xf32>, %t: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]}
         ins(%a : tensor<?xf32>) outs(%t : tensor<?xf32>) {
  ^bb0(%x: f32, %out: f32):
    %e = arith.negf %x : f32
    linalg.yield %e : f32
  } -> tensor<?xf32>
  %1 = linalg.generic {indexing_maps = [#i, #i, #i], iterator_types = ["parallel"]}
         ins(%0, %a : tensor<?xf32>, tensor<?xf32>) outs(%t : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %e = arith.addf %x, %y : f32
    linalg.yield %e : f32
  } -> tensor<?xf32>
  %2 = linalg.generic {indexing_maps = [#i, #i, #i], iterator_types = ["parallel"]}
         ins(%1, %a : tensor<?xf32>, tensor<?xf32>) outs(%t : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %e = arith.mulf %x, %y : f32
    linalg.yield %e : f32
  } -> tensor<?xf32>
  %3 = linalg.generic {indexing_maps = [#i, #i, #i], iterator_types = ["parallel"]}
         ins(%2, %a : tensor<?xf32>, tensor<?xf32>) outs(%c : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %e = arith.subf %x, %y : f32
    linalg.yield %e : f32
  } -> tensor<?xf32>
  return %3 : tensor<?xf32>
}
