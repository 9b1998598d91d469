// Reductions relative to running values, none of them attention's.
#x = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
#i = affine_map<(m) -> (m)>
#e = affine_map<(n) -> (n)>
#s = affine_map<(n) -> ()>
#none = affine_map<() -> ()>

// The logarithm of the sum of exponentials of each row: maximum and sum.
func.func @logsumexp(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r:2 = ein.online_reduce ins(%x : tensor<?x?xf32>) along [1]
      relative_to(%e : tensor<?xf32>) outs(%e : tensor<?xf32>) step 8
    init {
    ^bb0(%m: tensor<?xf32>, %s: tensor<?xf32>):
      %0 = linalg.fill ins(%least : f32) outs(%m : tensor<?xf32>) -> tensor<?xf32>
      %1 = linalg.fill ins(%zero : f32) outs(%s : tensor<?xf32>) -> tensor<?xf32>
      ein.yield %0, %1 : tensor<?xf32>, tensor<?xf32>
    } advance {
    ^bb0(%at: index, %b: tensor<?x?xf32>, %m: tensor<?xf32>):
      %0 = linalg.generic {indexing_maps = [#x, #m], iterator_types = ["parallel", "reduction"]}
           ins(%b : tensor<?x?xf32>) outs(%m : tensor<?xf32>) {
      ^bb0(%a: f32, %o: f32):
        %1 = arith.maximumf %o, %a : f32
        linalg.yield %1 : f32
      } -> tensor<?xf32>
      ein.yield %0 : tensor<?xf32>
    } rescale {
    ^bb0(%old: tensor<?xf32>, %new: tensor<?xf32>, %s: tensor<?xf32>):
      %0 = linalg.generic {indexing_maps = [#i, #i, #i], iterator_types = ["parallel"]}
           ins(%old, %new : tensor<?xf32>, tensor<?xf32>) outs(%s : tensor<?xf32>) {
      ^bb0(%a: f32, %c: f32, %o: f32):
        %1 = arith.subf %a, %c : f32
        %2 = math.exp %1 : f32
        %3 = arith.mulf %o, %2 : f32
        linalg.yield %3 : f32
      } -> tensor<?xf32>
      ein.yield %0 : tensor<?xf32>
    } combine {
    ^bb0(%at: index, %b: tensor<?x?xf32>, %new: tensor<?xf32>, %s: tensor<?xf32>):
      %0 = linalg.generic {indexing_maps = [#x, #m, #m], iterator_types = ["parallel", "reduction"]}
           ins(%b, %new : tensor<?x?xf32>, tensor<?xf32>) outs(%s : tensor<?xf32>) {
      ^bb0(%a: f32, %c: f32, %o: f32):
        %1 = arith.subf %a, %c : f32
        %2 = math.exp %1 : f32
        %3 = arith.addf %o, %2 : f32
        linalg.yield %3 : f32
      } -> tensor<?xf32>
      ein.yield %0 : tensor<?xf32>
    } -> tensor<?xf32>, tensor<?xf32>
  %y = linalg.generic {indexing_maps = [#i, #i, #i], iterator_types = ["parallel"]}
       ins(%r#0, %r#1 : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = math.log %b : f32
    %2 = arith.addf %a, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// How many numbers there are, their mean, and the sum of squares of distances to
// it, which n * (old - new)^2 makes up for; the sum of their places as well, from
// %first on.
func.func @variance(%x: tensor<?xf32>, %first: index) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %r:4 = ein.online_reduce ins(%x : tensor<?xf32>) along [0] from %first
      relative_to(%e, %e : tensor<f32>, tensor<f32>) outs(%e, %e : tensor<f32>, tensor<f32>) step 8
    init {
    ^bb0(%n: tensor<f32>, %m: tensor<f32>, %s: tensor<f32>, %p: tensor<f32>):
      %0 = linalg.fill ins(%zero : f32) outs(%n : tensor<f32>) -> tensor<f32>
      %1 = linalg.fill ins(%zero : f32) outs(%m : tensor<f32>) -> tensor<f32>
      %2 = linalg.fill ins(%zero : f32) outs(%s : tensor<f32>) -> tensor<f32>
      %3 = linalg.fill ins(%zero : f32) outs(%p : tensor<f32>) -> tensor<f32>
      ein.yield %0, %1, %2, %3 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
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
      %m1 = linalg.generic {indexing_maps = [#e, #s, #s, #s], iterator_types = ["reduction"]}
           ins(%b, %m, %n1 : tensor<?xf32>, tensor<f32>, tensor<f32>) outs(%m : tensor<f32>) {
      ^bb0(%a: f32, %d: f32, %g: f32, %o: f32):
        %1 = arith.subf %a, %d : f32
        %2 = arith.divf %1, %g : f32
        %3 = arith.addf %o, %2 : f32
        linalg.yield %3 : f32
      } -> tensor<f32>
      ein.yield %n1, %m1 : tensor<f32>, tensor<f32>
    } rescale {
    ^bb0(%n: tensor<f32>, %old: tensor<f32>, %n1: tensor<f32>, %new: tensor<f32>, %s: tensor<f32>, %p: tensor<f32>):
      %0 = linalg.generic {indexing_maps = [#none, #none, #none, #none], iterator_types = []}
           ins(%n, %old, %new : tensor<f32>, tensor<f32>, tensor<f32>) outs(%s : tensor<f32>) {
      ^bb0(%a: f32, %c: f32, %d: f32, %o: f32):
        %1 = arith.subf %c, %d : f32
        %2 = arith.mulf %1, %1 : f32
        %3 = arith.mulf %a, %2 : f32
        %4 = arith.addf %o, %3 : f32
        linalg.yield %4 : f32
      } -> tensor<f32>
      ein.yield %0, %p : tensor<f32>, tensor<f32>
    } combine {
    ^bb0(%at: index, %b: tensor<?xf32>, %n1: tensor<f32>, %new: tensor<f32>, %s: tensor<f32>, %p: tensor<f32>):
      %length = tensor.dim %b, %c0 : tensor<?xf32>
      %e1 = tensor.empty(%length) : tensor<?xf32>
      %d = linalg.generic {indexing_maps = [#e, #s, #e], iterator_types = ["parallel"]}
           ins(%b, %new : tensor<?xf32>, tensor<f32>) outs(%e1 : tensor<?xf32>) {
      ^bb0(%a: f32, %c: f32, %o: f32):
        %1 = arith.subf %a, %c : f32
        linalg.yield %1 : f32
      } -> tensor<?xf32>
      %0 = linalg.generic {indexing_maps = [#e, #s], iterator_types = ["reduction"]}
           ins(%d : tensor<?xf32>) outs(%s : tensor<f32>) {
      ^bb0(%a: f32, %o: f32):
        %1 = arith.mulf %a, %a : f32
        %2 = arith.addf %o, %1 : f32
        linalg.yield %2 : f32
      } -> tensor<f32>
      %2 = linalg.generic {indexing_maps = [#e, #s], iterator_types = ["reduction"]}
           ins(%b : tensor<?xf32>) outs(%p : tensor<f32>) {
      ^bb0(%a: f32, %o: f32):
        %i = linalg.index 0 : index
        %j = arith.addi %i, %at : index
        %k = arith.index_cast %j : index to i32
        %f = arith.sitofp %k : i32 to f32
        %1 = arith.addf %o, %f : f32
        linalg.yield %1 : f32
      } -> tensor<f32>
      ein.yield %0, %2 : tensor<f32>, tensor<f32>
    } -> tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
  return %r#1, %r#2, %r#3 : tensor<f32>, tensor<f32>, tensor<f32>
}
func.func @variance_at_once(%x: tensor<?xf32>, %first: index) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %r:4 = ein.online_reduce ins(%x : tensor<?xf32>) along [0] from %first
      relative_to(%e, %e : tensor<f32>, tensor<f32>) outs(%e, %e : tensor<f32>, tensor<f32>)
    init {
    ^bb0(%n: tensor<f32>, %m: tensor<f32>, %s: tensor<f32>, %p: tensor<f32>):
      %0 = linalg.fill ins(%zero : f32) outs(%n : tensor<f32>) -> tensor<f32>
      %1 = linalg.fill ins(%zero : f32) outs(%m : tensor<f32>) -> tensor<f32>
      %2 = linalg.fill ins(%zero : f32) outs(%s : tensor<f32>) -> tensor<f32>
      %3 = linalg.fill ins(%zero : f32) outs(%p : tensor<f32>) -> tensor<f32>
      ein.yield %0, %1, %2, %3 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
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
      %m1 = linalg.generic {indexing_maps = [#e, #s, #s, #s], iterator_types = ["reduction"]}
           ins(%b, %m, %n1 : tensor<?xf32>, tensor<f32>, tensor<f32>) outs(%m : tensor<f32>) {
      ^bb0(%a: f32, %d: f32, %g: f32, %o: f32):
        %1 = arith.subf %a, %d : f32
        %2 = arith.divf %1, %g : f32
        %3 = arith.addf %o, %2 : f32
        linalg.yield %3 : f32
      } -> tensor<f32>
      ein.yield %n1, %m1 : tensor<f32>, tensor<f32>
    } rescale {
    ^bb0(%n: tensor<f32>, %old: tensor<f32>, %n1: tensor<f32>, %new: tensor<f32>, %s: tensor<f32>, %p: tensor<f32>):
      %0 = linalg.generic {indexing_maps = [#none, #none, #none, #none], iterator_types = []}
           ins(%n, %old, %new : tensor<f32>, tensor<f32>, tensor<f32>) outs(%s : tensor<f32>) {
      ^bb0(%a: f32, %c: f32, %d: f32, %o: f32):
        %1 = arith.subf %c, %d : f32
        %2 = arith.mulf %1, %1 : f32
        %3 = arith.mulf %a, %2 : f32
        %4 = arith.addf %o, %3 : f32
        linalg.yield %4 : f32
      } -> tensor<f32>
      ein.yield %0, %p : tensor<f32>, tensor<f32>
    } combine {
    ^bb0(%at: index, %b: tensor<?xf32>, %n1: tensor<f32>, %new: tensor<f32>, %s: tensor<f32>, %p: tensor<f32>):
      %length = tensor.dim %b, %c0 : tensor<?xf32>
      %e1 = tensor.empty(%length) : tensor<?xf32>
      %d = linalg.generic {indexing_maps = [#e, #s, #e], iterator_types = ["parallel"]}
           ins(%b, %new : tensor<?xf32>, tensor<f32>) outs(%e1 : tensor<?xf32>) {
      ^bb0(%a: f32, %c: f32, %o: f32):
        %1 = arith.subf %a, %c : f32
        linalg.yield %1 : f32
      } -> tensor<?xf32>
      %0 = linalg.generic {indexing_maps = [#e, #s], iterator_types = ["reduction"]}
           ins(%d : tensor<?xf32>) outs(%s : tensor<f32>) {
      ^bb0(%a: f32, %o: f32):
        %1 = arith.mulf %a, %a : f32
        %2 = arith.addf %o, %1 : f32
        linalg.yield %2 : f32
      } -> tensor<f32>
      %2 = linalg.generic {indexing_maps = [#e, #s], iterator_types = ["reduction"]}
           ins(%b : tensor<?xf32>) outs(%p : tensor<f32>) {
      ^bb0(%a: f32, %o: f32):
        %i = linalg.index 0 : index
        %j = arith.addi %i, %at : index
        %k = arith.index_cast %j : index to i32
        %f = arith.sitofp %k : i32 to f32
        %1 = arith.addf %o, %f : f32
        linalg.yield %1 : f32
      } -> tensor<f32>
      ein.yield %0, %2 : tensor<f32>, tensor<f32>
    } -> tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
  return %r#1, %r#2, %r#3 : tensor<f32>, tensor<f32>, tensor<f32>
}
func.func @variance_static(%x: tensor<29xf32>, %first: index) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %r:4 = ein.online_reduce ins(%x : tensor<29xf32>) along [0] from %first
      relative_to(%e, %e : tensor<f32>, tensor<f32>) outs(%e, %e : tensor<f32>, tensor<f32>) step 8
    init {
    ^bb0(%n: tensor<f32>, %m: tensor<f32>, %s: tensor<f32>, %p: tensor<f32>):
      %0 = linalg.fill ins(%zero : f32) outs(%n : tensor<f32>) -> tensor<f32>
      %1 = linalg.fill ins(%zero : f32) outs(%m : tensor<f32>) -> tensor<f32>
      %2 = linalg.fill ins(%zero : f32) outs(%s : tensor<f32>) -> tensor<f32>
      %3 = linalg.fill ins(%zero : f32) outs(%p : tensor<f32>) -> tensor<f32>
      ein.yield %0, %1, %2, %3 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
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
      %m1 = linalg.generic {indexing_maps = [#e, #s, #s, #s], iterator_types = ["reduction"]}
           ins(%b, %m, %n1 : tensor<?xf32>, tensor<f32>, tensor<f32>) outs(%m : tensor<f32>) {
      ^bb0(%a: f32, %d: f32, %g: f32, %o: f32):
        %1 = arith.subf %a, %d : f32
        %2 = arith.divf %1, %g : f32
        %3 = arith.addf %o, %2 : f32
        linalg.yield %3 : f32
      } -> tensor<f32>
      ein.yield %n1, %m1 : tensor<f32>, tensor<f32>
    } rescale {
    ^bb0(%n: tensor<f32>, %old: tensor<f32>, %n1: tensor<f32>, %new: tensor<f32>, %s: tensor<f32>, %p: tensor<f32>):
      %0 = linalg.generic {indexing_maps = [#none, #none, #none, #none], iterator_types = []}
           ins(%n, %old, %new : tensor<f32>, tensor<f32>, tensor<f32>) outs(%s : tensor<f32>) {
      ^bb0(%a: f32, %c: f32, %d: f32, %o: f32):
        %1 = arith.subf %c, %d : f32
        %2 = arith.mulf %1, %1 : f32
        %3 = arith.mulf %a, %2 : f32
        %4 = arith.addf %o, %3 : f32
        linalg.yield %4 : f32
      } -> tensor<f32>
      ein.yield %0, %p : tensor<f32>, tensor<f32>
    } combine {
    ^bb0(%at: index, %b: tensor<?xf32>, %n1: tensor<f32>, %new: tensor<f32>, %s: tensor<f32>, %p: tensor<f32>):
      %length = tensor.dim %b, %c0 : tensor<?xf32>
      %e1 = tensor.empty(%length) : tensor<?xf32>
      %d = linalg.generic {indexing_maps = [#e, #s, #e], iterator_types = ["parallel"]}
           ins(%b, %new : tensor<?xf32>, tensor<f32>) outs(%e1 : tensor<?xf32>) {
      ^bb0(%a: f32, %c: f32, %o: f32):
        %1 = arith.subf %a, %c : f32
        linalg.yield %1 : f32
      } -> tensor<?xf32>
      %0 = linalg.generic {indexing_maps = [#e, #s], iterator_types = ["reduction"]}
           ins(%d : tensor<?xf32>) outs(%s : tensor<f32>) {
      ^bb0(%a: f32, %o: f32):
        %1 = arith.mulf %a, %a : f32
        %2 = arith.addf %o, %1 : f32
        linalg.yield %2 : f32
      } -> tensor<f32>
      %2 = linalg.generic {indexing_maps = [#e, #s], iterator_types = ["reduction"]}
           ins(%b : tensor<?xf32>) outs(%p : tensor<f32>) {
      ^bb0(%a: f32, %o: f32):
        %i = linalg.index 0 : index
        %j = arith.addi %i, %at : index
        %k = arith.index_cast %j : index to i32
        %f = arith.sitofp %k : i32 to f32
        %1 = arith.addf %o, %f : f32
        linalg.yield %1 : f32
      } -> tensor<f32>
      ein.yield %0, %2 : tensor<f32>, tensor<f32>
    } -> tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
  return %r#1, %r#2, %r#3 : tensor<f32>, tensor<f32>, tensor<f32>
}
