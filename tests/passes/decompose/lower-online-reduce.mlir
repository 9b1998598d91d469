// RUN: ein-opt %s -ein-lower-online-reduce=conflict-bytes=1024 -canonicalize -cse \
// RUN:   -split-input-file | FileCheck %s

// The logarithm of a sum of exponentials, of two rows:
// two blocks of 8 and a rest of 4, whose ops have sizes that types know. The new
// maximum gets the old one's memory, when nobody needs that any more.
// CHECK-LABEL: func @logsumexp
// CHECK-SAME: (%[[X:[^ ]+]]: tensor<2x20xf32>, %[[M0:[^ ]+]]: tensor<2xf32>, %[[S0:[^ ]+]]: tensor<2xf32>)
// CHECK-DAG: %[[LOW:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%[[M0]] : tensor<2xf32>)
// CHECK-DAG: %[[ZERO:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%[[S0]] : tensor<2xf32>)
// CHECK-DAG: %[[MEMORY:.*]] = bufferization.alloc_tensor() : tensor<2xf32>
// CHECK: %[[LOOP:.*]]:2 = scf.for %[[N:.*]] = %c0 to %c16 step %c8 iter_args(%[[M:.*]] = %[[LOW]], %[[S:.*]] = %[[ZERO]])
// CHECK: %[[B:.*]] = tensor.extract_slice %[[X]][0, %[[N]]] [2, 8] [1, 1]
// CHECK: %[[COPY:.*]] = linalg.copy ins(%[[M]] : tensor<2xf32>) outs(%[[MEMORY]] : tensor<2xf32>)
// CHECK: %[[M1:.*]] = linalg.generic {{.*}} ins(%[[B]] : tensor<2x8xf32>) outs(%[[COPY]] : tensor<2xf32>)
// CHECK: arith.maximumf
// CHECK: %[[S1:.*]] = linalg.generic {{.*}} ins(%[[M]], %[[M1]] : tensor<2xf32>, tensor<2xf32>) outs(%[[S]] : tensor<2xf32>)
// CHECK: math.exp
// CHECK: arith.mulf
// CHECK: %[[S2:.*]] = linalg.generic {{.*}} ins(%[[B]], %[[M1]] : tensor<2x8xf32>, tensor<2xf32>) outs(%[[S1]] : tensor<2xf32>)
// CHECK: %[[KEPT:.*]] = linalg.copy ins(%[[M1]] : tensor<2xf32>) outs(%[[M]] : tensor<2xf32>)
// CHECK: scf.yield %[[KEPT]], %[[S2]]
// CHECK: %[[REST:.*]] = tensor.extract_slice %[[X]][0, 16] [2, 4] [1, 1]
// CHECK: %[[M3:.*]] = linalg.generic {{.*}} ins(%[[REST]] : tensor<2x4xf32>)
// CHECK: %[[S3:.*]] = linalg.generic {{.*}} ins(%[[LOOP]]#0, %[[M3]] : tensor<2xf32>, tensor<2xf32>) outs(%[[LOOP]]#1 : tensor<2xf32>)
// CHECK: %[[S4:.*]] = linalg.generic {{.*}} ins(%[[REST]], %[[M3]] : tensor<2x4xf32>, tensor<2xf32>) outs(%[[S3]] : tensor<2xf32>)
// CHECK: return %[[M3]], %[[S4]]
#x = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
#i = affine_map<(m) -> (m)>
func.func @logsumexp(%x: tensor<2x20xf32>, %m0: tensor<2xf32>, %s0: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %r:2 = ein.online_reduce ins(%x : tensor<2x20xf32>) along [1]
      relative_to(%m0 : tensor<2xf32>) outs(%s0 : tensor<2xf32>) step 8
    init {
    ^bb0(%m: tensor<2xf32>, %s: tensor<2xf32>):
      %0 = linalg.fill ins(%least : f32) outs(%m : tensor<2xf32>) -> tensor<2xf32>
      %1 = linalg.fill ins(%zero : f32) outs(%s : tensor<2xf32>) -> tensor<2xf32>
      ein.yield %0, %1 : tensor<2xf32>, tensor<2xf32>
    } advance {
    ^bb0(%at: index, %b: tensor<2x?xf32>, %m: tensor<2xf32>):
      %e = tensor.empty() : tensor<2xf32>
      %c = linalg.copy ins(%m : tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
      %0 = linalg.generic {indexing_maps = [#x, #m], iterator_types = ["parallel", "reduction"]}
           ins(%b : tensor<2x?xf32>) outs(%c : tensor<2xf32>) {
      ^bb0(%a: f32, %o: f32):
        %1 = arith.maximumf %o, %a : f32
        linalg.yield %1 : f32
      } -> tensor<2xf32>
      ein.yield %0 : tensor<2xf32>
    } rescale {
    ^bb0(%old: tensor<2xf32>, %new: tensor<2xf32>, %s: tensor<2xf32>):
      %0 = linalg.generic {indexing_maps = [#i, #i, #i], iterator_types = ["parallel"]}
           ins(%old, %new : tensor<2xf32>, tensor<2xf32>) outs(%s : tensor<2xf32>) {
      ^bb0(%a: f32, %c: f32, %o: f32):
        %1 = arith.subf %a, %c : f32
        %2 = math.exp %1 : f32
        %3 = arith.mulf %o, %2 : f32
        linalg.yield %3 : f32
      } -> tensor<2xf32>
      ein.yield %0 : tensor<2xf32>
    } combine {
    ^bb0(%at: index, %b: tensor<2x?xf32>, %new: tensor<2xf32>, %s: tensor<2xf32>):
      %0 = linalg.generic {indexing_maps = [#x, #m, #m], iterator_types = ["parallel", "reduction"]}
           ins(%b, %new : tensor<2x?xf32>, tensor<2xf32>) outs(%s : tensor<2xf32>) {
      ^bb0(%a: f32, %c: f32, %o: f32):
        %1 = arith.subf %a, %c : f32
        %2 = math.exp %1 : f32
        %3 = arith.addf %o, %2 : f32
        linalg.yield %3 : f32
      } -> tensor<2xf32>
      ein.yield %0 : tensor<2xf32>
    } -> tensor<2xf32>, tensor<2xf32>
  return %r#0, %r#1 : tensor<2xf32>, tensor<2xf32>
}

// -----

// Variance: the running values are how many there are and their mean; the sum of
// squares of distances to it is made up for by n * (old - new)^2 (Chan, Golub
// and LeVeque, 1979). Of an unknown number blocks are of dynamic size, and what
// one computes has memory before the loop for a whole block. A block knows where
// it begins.
// CHECK-DAG: #[[LENGTH:.*]] = affine_map<(d0)[s0] -> (-d0 + s0, 8)>
// CHECK-LABEL: func @variance
// CHECK-SAME: (%[[X:[^ ]+]]: tensor<?xf32>, %[[N0:[^ ]+]]: tensor<f32>, %[[M0:[^ ]+]]: tensor<f32>, %[[S0:[^ ]+]]: tensor<f32>, %[[FIRST:[^ ]+]]: index)
// CHECK-DAG: %[[ALL:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[BUFFER:.*]] = bufferization.alloc_tensor() : tensor<8xf32>
// CHECK: scf.for %[[I:.*]] = %c0 to %[[ALL]] step %c8 iter_args(%[[N:.*]] = %[[N0]], %[[M:.*]] = %[[M0]], %[[S:.*]] = %[[S0]])
// CHECK: %[[LENGTH1:.*]] = affine.min #[[LENGTH]](%[[I]])[%[[ALL]]]
// CHECK: %[[AT:.*]] = arith.addi %[[FIRST]], %[[I]]
// CHECK: %[[B:.*]] = tensor.extract_slice %[[X]][%[[I]]] [%[[LENGTH1]]] [1]
// CHECK: arith.index_cast %[[LENGTH1]]
// CHECK: %[[MEMORY:.*]] = tensor.extract_slice %[[BUFFER]][0] [%[[LENGTH1]]] [1]
// CHECK: linalg.generic {{.*}} ins(%[[B]], %{{.*}} : tensor<?xf32>, tensor<f32>) outs(%[[MEMORY]] : tensor<?xf32>)
// CHECK: linalg.copy ins(%{{.*}}) outs(%[[N]] : tensor<f32>)
// CHECK: linalg.copy ins(%{{.*}}) outs(%[[M]] : tensor<f32>)
#e = affine_map<(n) -> (n)>
#s = affine_map<(n) -> ()>
#none = affine_map<() -> ()>
func.func @variance(%x: tensor<?xf32>, %n0: tensor<f32>, %m0: tensor<f32>, %s0: tensor<f32>, %first: index) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %r:3 = ein.online_reduce ins(%x : tensor<?xf32>) along [0] from %first
      relative_to(%n0, %m0 : tensor<f32>, tensor<f32>) outs(%s0 : tensor<f32>) step 8
    init {
    ^bb0(%n: tensor<f32>, %m: tensor<f32>, %s: tensor<f32>):
      ein.yield %n, %m, %s : tensor<f32>, tensor<f32>, tensor<f32>
    } advance {
    ^bb0(%at: index, %b: tensor<?xf32>, %n: tensor<f32>, %m: tensor<f32>):
      %length = tensor.dim %b, %c0 : tensor<?xf32>
      %i = arith.index_cast %length : index to i32
      %f = arith.sitofp %i : i32 to f32
      %e0 = tensor.empty() : tensor<f32>
      %n1 = linalg.generic {indexing_maps = [#none, #none], iterator_types = []}
           ins(%n : tensor<f32>) outs(%e0 : tensor<f32>) {
      ^bb0(%a: f32, %o: f32):
        %1 = arith.addf %a, %f : f32
        linalg.yield %1 : f32
      } -> tensor<f32>
      %e1 = tensor.empty() : tensor<f32>
      %c = linalg.copy ins(%m : tensor<f32>) outs(%e1 : tensor<f32>) -> tensor<f32>
      %m1 = linalg.generic {indexing_maps = [#e, #s, #s, #s], iterator_types = ["reduction"]}
           ins(%b, %m, %n1 : tensor<?xf32>, tensor<f32>, tensor<f32>) outs(%c : tensor<f32>) {
      ^bb0(%a: f32, %d: f32, %g: f32, %o: f32):
        %1 = arith.subf %a, %d : f32
        %2 = arith.divf %1, %g : f32
        %3 = arith.addf %o, %2 : f32
        linalg.yield %3 : f32
      } -> tensor<f32>
      ein.yield %n1, %m1 : tensor<f32>, tensor<f32>
    } rescale {
    ^bb0(%n: tensor<f32>, %old: tensor<f32>, %n1: tensor<f32>, %new: tensor<f32>, %s: tensor<f32>):
      %0 = linalg.generic {indexing_maps = [#none, #none, #none, #none], iterator_types = []}
           ins(%n, %old, %new : tensor<f32>, tensor<f32>, tensor<f32>) outs(%s : tensor<f32>) {
      ^bb0(%a: f32, %c: f32, %d: f32, %o: f32):
        %1 = arith.subf %c, %d : f32
        %2 = arith.mulf %1, %1 : f32
        %3 = arith.mulf %a, %2 : f32
        %4 = arith.addf %o, %3 : f32
        linalg.yield %4 : f32
      } -> tensor<f32>
      ein.yield %0 : tensor<f32>
    } combine {
    ^bb0(%at: index, %b: tensor<?xf32>, %n1: tensor<f32>, %new: tensor<f32>, %s: tensor<f32>):
      %length = tensor.dim %b, %c0 : tensor<?xf32>
      %e = tensor.empty(%length) : tensor<?xf32>
      %d = linalg.generic {indexing_maps = [#e, #s, #e], iterator_types = ["parallel"]}
           ins(%b, %new : tensor<?xf32>, tensor<f32>) outs(%e : tensor<?xf32>) {
      ^bb0(%a: f32, %c: f32, %o: f32):
        %1 = arith.subf %a, %c : f32
        %2 = arith.mulf %1, %1 : f32
        linalg.yield %2 : f32
      } -> tensor<?xf32>
      %i = arith.index_cast %at : index to i32
      %f = arith.sitofp %i : i32 to f32
      %0 = linalg.generic {indexing_maps = [#e, #s], iterator_types = ["reduction"]}
           ins(%d : tensor<?xf32>) outs(%s : tensor<f32>) {
      ^bb0(%a: f32, %o: f32):
        %1 = arith.addf %o, %a : f32
        %2 = arith.maximumf %1, %f : f32
        linalg.yield %2 : f32
      } -> tensor<f32>
      ein.yield %0 : tensor<f32>
    } -> tensor<f32>, tensor<f32>, tensor<f32>
  return %r#2 : tensor<f32>
}

// -----

// Without a step there is no loop, and no slice; with nothing to reduce, nothing.
// CHECK-LABEL: func @at_once
// CHECK-SAME: (%[[X:[^ ]+]]: tensor<?xf32>, %[[Y:[^ ]+]]: tensor<0xf32>, %[[M:[^ ]+]]: tensor<f32>)
// CHECK-NOT: scf.for
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<?xf32>) outs(%[[M]] : tensor<f32>)
// CHECK-NOT: linalg.generic
// CHECK: return %[[R]], %[[M]]
#e = affine_map<(n) -> (n)>
#s = affine_map<(n) -> ()>
func.func @at_once(%x: tensor<?xf32>, %y: tensor<0xf32>, %m0: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %r = ein.online_reduce ins(%x : tensor<?xf32>) along [0] relative_to(%m0 : tensor<f32>)
    init {
    ^bb0(%m: tensor<f32>):
      ein.yield %m : tensor<f32>
    } advance {
    ^bb0(%at: index, %b: tensor<?xf32>, %m: tensor<f32>):
      %0 = linalg.generic {indexing_maps = [#e, #s], iterator_types = ["reduction"]}
           ins(%b : tensor<?xf32>) outs(%m : tensor<f32>) {
      ^bb0(%a: f32, %o: f32):
        %1 = arith.maximumf %o, %a : f32
        linalg.yield %1 : f32
      } -> tensor<f32>
      ein.yield %0 : tensor<f32>
    } rescale {
    ^bb0(%old: tensor<f32>, %new: tensor<f32>):
      ein.yield
    } combine {
    ^bb0(%at: index, %b: tensor<?xf32>, %new: tensor<f32>):
      ein.yield
    } -> tensor<f32>
  %q = ein.online_reduce ins(%y : tensor<0xf32>) along [0] relative_to(%m0 : tensor<f32>)
    init {
    ^bb0(%m: tensor<f32>):
      ein.yield %m : tensor<f32>
    } advance {
    ^bb0(%at: index, %b: tensor<?xf32>, %m: tensor<f32>):
      %0 = linalg.generic {indexing_maps = [#e, #s], iterator_types = ["reduction"]}
           ins(%b : tensor<?xf32>) outs(%m : tensor<f32>) {
      ^bb0(%a: f32, %o: f32):
        %1 = arith.maximumf %o, %a : f32
        linalg.yield %1 : f32
      } -> tensor<f32>
      ein.yield %0 : tensor<f32>
    } rescale {
    ^bb0(%old: tensor<f32>, %new: tensor<f32>):
      ein.yield
    } combine {
    ^bb0(%at: index, %b: tensor<?xf32>, %new: tensor<f32>):
      ein.yield
    } -> tensor<f32>
  return %r, %q : tensor<f32>, tensor<f32>
}
