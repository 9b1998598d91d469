// RUN: ein-opt %s -split-input-file -verify-diagnostics

func.func @axes(%x: tensor<9xf32>, %y: tensor<9xf32>, %m0: tensor<f32>, %s0: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{has 1 axes for 2 inputs}}
  %r:2 = ein.online_reduce ins(%x, %y : tensor<9xf32>, tensor<9xf32>) along [0]
      relative_to(%m0 : tensor<f32>) outs(%s0 : tensor<f32>)
    init {
    ^bb0(%m: tensor<f32>, %s: tensor<f32>):
      ein.yield %m, %s : tensor<f32>, tensor<f32>
    } advance {
    ^bb0(%at: index, %b: tensor<?xf32>, %c: tensor<?xf32>, %m: tensor<f32>):
      ein.yield %m : tensor<f32>
    } rescale {
    ^bb0(%old: tensor<f32>, %new: tensor<f32>, %s: tensor<f32>):
      ein.yield %s : tensor<f32>
    } combine {
    ^bb0(%at: index, %b: tensor<?xf32>, %c: tensor<?xf32>, %new: tensor<f32>, %s: tensor<f32>):
      ein.yield %s : tensor<f32>
    } -> tensor<f32>, tensor<f32>
  return %r#1 : tensor<f32>
}

// -----

func.func @axis(%x: tensor<9xf32>, %y: tensor<9xf32>, %m0: tensor<f32>, %s0: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{has input #1 of rank 1 along 1}}
  %r:2 = ein.online_reduce ins(%x, %y : tensor<9xf32>, tensor<9xf32>) along [0, 1]
      relative_to(%m0 : tensor<f32>) outs(%s0 : tensor<f32>)
    init {
    ^bb0(%m: tensor<f32>, %s: tensor<f32>):
      ein.yield %m, %s : tensor<f32>, tensor<f32>
    } advance {
    ^bb0(%at: index, %b: tensor<?xf32>, %c: tensor<?xf32>, %m: tensor<f32>):
      ein.yield %m : tensor<f32>
    } rescale {
    ^bb0(%old: tensor<f32>, %new: tensor<f32>, %s: tensor<f32>):
      ein.yield %s : tensor<f32>
    } combine {
    ^bb0(%at: index, %b: tensor<?xf32>, %c: tensor<?xf32>, %new: tensor<f32>, %s: tensor<f32>):
      ein.yield %s : tensor<f32>
    } -> tensor<f32>, tensor<f32>
  return %r#1 : tensor<f32>
}

// -----

func.func @extents(%x: tensor<9xf32>, %y: tensor<8xf32>, %m0: tensor<f32>, %s0: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{is along 9 elements and along 8}}
  %r:2 = ein.online_reduce ins(%x, %y : tensor<9xf32>, tensor<8xf32>) along [0, 0]
      relative_to(%m0 : tensor<f32>) outs(%s0 : tensor<f32>)
    init {
    ^bb0(%m: tensor<f32>, %s: tensor<f32>):
      ein.yield %m, %s : tensor<f32>, tensor<f32>
    } advance {
    ^bb0(%at: index, %b: tensor<?xf32>, %c: tensor<?xf32>, %m: tensor<f32>):
      ein.yield %m : tensor<f32>
    } rescale {
    ^bb0(%old: tensor<f32>, %new: tensor<f32>, %s: tensor<f32>):
      ein.yield %s : tensor<f32>
    } combine {
    ^bb0(%at: index, %b: tensor<?xf32>, %c: tensor<?xf32>, %new: tensor<f32>, %s: tensor<f32>):
      ein.yield %s : tensor<f32>
    } -> tensor<f32>, tensor<f32>
  return %r#1 : tensor<f32>
}

// -----

func.func @step(%x: tensor<9xf32>, %y: tensor<9xf32>, %m0: tensor<f32>, %s0: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{has blocks of 0}}
  %r:2 = ein.online_reduce ins(%x, %y : tensor<9xf32>, tensor<9xf32>) along [0, 0]
      relative_to(%m0 : tensor<f32>) outs(%s0 : tensor<f32>) step 0
    init {
    ^bb0(%m: tensor<f32>, %s: tensor<f32>):
      ein.yield %m, %s : tensor<f32>, tensor<f32>
    } advance {
    ^bb0(%at: index, %b: tensor<?xf32>, %c: tensor<?xf32>, %m: tensor<f32>):
      ein.yield %m : tensor<f32>
    } rescale {
    ^bb0(%old: tensor<f32>, %new: tensor<f32>, %s: tensor<f32>):
      ein.yield %s : tensor<f32>
    } combine {
    ^bb0(%at: index, %b: tensor<?xf32>, %c: tensor<?xf32>, %new: tensor<f32>, %s: tensor<f32>):
      ein.yield %s : tensor<f32>
    } -> tensor<f32>, tensor<f32>
  return %r#1 : tensor<f32>
}

// -----

func.func @init(%x: tensor<9xf32>, %y: tensor<9xf32>, %m0: tensor<f32>, %s0: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{has a region `init` that does not yield 'tensor<f32>', 'tensor<f32>'}}
  %r:2 = ein.online_reduce ins(%x, %y : tensor<9xf32>, tensor<9xf32>) along [0, 0]
      relative_to(%m0 : tensor<f32>) outs(%s0 : tensor<f32>)
    init {
    ^bb0(%m: tensor<f32>, %s: tensor<f32>):
      ein.yield %m : tensor<f32>
    } advance {
    ^bb0(%at: index, %b: tensor<?xf32>, %c: tensor<?xf32>, %m: tensor<f32>):
      ein.yield %m : tensor<f32>
    } rescale {
    ^bb0(%old: tensor<f32>, %new: tensor<f32>, %s: tensor<f32>):
      ein.yield %s : tensor<f32>
    } combine {
    ^bb0(%at: index, %b: tensor<?xf32>, %c: tensor<?xf32>, %new: tensor<f32>, %s: tensor<f32>):
      ein.yield %s : tensor<f32>
    } -> tensor<f32>, tensor<f32>
  return %r#1 : tensor<f32>
}

// -----

func.func @block(%x: tensor<9xf32>, %y: tensor<9xf32>, %m0: tensor<f32>, %s0: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{has a region `advance` that does not take 'index', 'tensor<?xf32>', 'tensor<?xf32>', 'tensor<f32>'}}
  %r:2 = ein.online_reduce ins(%x, %y : tensor<9xf32>, tensor<9xf32>) along [0, 0]
      relative_to(%m0 : tensor<f32>) outs(%s0 : tensor<f32>)
    init {
    ^bb0(%m: tensor<f32>, %s: tensor<f32>):
      ein.yield %m, %s : tensor<f32>, tensor<f32>
    } advance {
    ^bb0(%at: index, %b: tensor<9xf32>, %c: tensor<?xf32>, %m: tensor<f32>):
      ein.yield %m : tensor<f32>
    } rescale {
    ^bb0(%old: tensor<f32>, %new: tensor<f32>, %s: tensor<f32>):
      ein.yield %s : tensor<f32>
    } combine {
    ^bb0(%at: index, %b: tensor<9xf32>, %c: tensor<?xf32>, %new: tensor<f32>, %s: tensor<f32>):
      ein.yield %s : tensor<f32>
    } -> tensor<f32>, tensor<f32>
  return %r#1 : tensor<f32>
}

// -----

func.func @advance(%x: tensor<9xf32>, %y: tensor<9xf32>, %m0: tensor<f32>, %s0: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{has a region `advance` that does not yield 'tensor<f32>'}}
  %r:2 = ein.online_reduce ins(%x, %y : tensor<9xf32>, tensor<9xf32>) along [0, 0]
      relative_to(%m0 : tensor<f32>) outs(%s0 : tensor<f32>)
    init {
    ^bb0(%m: tensor<f32>, %s: tensor<f32>):
      ein.yield %m, %s : tensor<f32>, tensor<f32>
    } advance {
    ^bb0(%at: index, %b: tensor<?xf32>, %c: tensor<?xf32>, %m: tensor<f32>):
      ein.yield
    } rescale {
    ^bb0(%old: tensor<f32>, %new: tensor<f32>, %s: tensor<f32>):
      ein.yield %s : tensor<f32>
    } combine {
    ^bb0(%at: index, %b: tensor<?xf32>, %c: tensor<?xf32>, %new: tensor<f32>, %s: tensor<f32>):
      ein.yield %s : tensor<f32>
    } -> tensor<f32>, tensor<f32>
  return %r#1 : tensor<f32>
}

// -----

func.func @rescale(%x: tensor<9xf32>, %y: tensor<9xf32>, %m0: tensor<f32>, %s0: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{has a region `rescale` that does not take 'tensor<f32>', 'tensor<f32>', 'tensor<f32>'}}
  %r:2 = ein.online_reduce ins(%x, %y : tensor<9xf32>, tensor<9xf32>) along [0, 0]
      relative_to(%m0 : tensor<f32>) outs(%s0 : tensor<f32>)
    init {
    ^bb0(%m: tensor<f32>, %s: tensor<f32>):
      ein.yield %m, %s : tensor<f32>, tensor<f32>
    } advance {
    ^bb0(%at: index, %b: tensor<?xf32>, %c: tensor<?xf32>, %m: tensor<f32>):
      ein.yield %m : tensor<f32>
    } rescale {
    ^bb0(%old: tensor<f32>, %s: tensor<f32>):
      ein.yield %s : tensor<f32>
    } combine {
    ^bb0(%at: index, %b: tensor<?xf32>, %c: tensor<?xf32>, %new: tensor<f32>, %s: tensor<f32>):
      ein.yield %s : tensor<f32>
    } -> tensor<f32>, tensor<f32>
  return %r#1 : tensor<f32>
}

// -----

func.func @rescaled(%x: tensor<9xf32>, %y: tensor<9xf32>, %m0: tensor<f32>, %s0: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{has a region `rescale` that does not yield 'tensor<f32>'}}
  %r:2 = ein.online_reduce ins(%x, %y : tensor<9xf32>, tensor<9xf32>) along [0, 0]
      relative_to(%m0 : tensor<f32>) outs(%s0 : tensor<f32>)
    init {
    ^bb0(%m: tensor<f32>, %s: tensor<f32>):
      ein.yield %m, %s : tensor<f32>, tensor<f32>
    } advance {
    ^bb0(%at: index, %b: tensor<?xf32>, %c: tensor<?xf32>, %m: tensor<f32>):
      ein.yield %m : tensor<f32>
    } rescale {
    ^bb0(%old: tensor<f32>, %new: tensor<f32>, %s: tensor<f32>):
      ein.yield %s, %s : tensor<f32>, tensor<f32>
    } combine {
    ^bb0(%at: index, %b: tensor<?xf32>, %c: tensor<?xf32>, %new: tensor<f32>, %s: tensor<f32>):
      ein.yield %s : tensor<f32>
    } -> tensor<f32>, tensor<f32>
  return %r#1 : tensor<f32>
}

// -----

func.func @combine(%x: tensor<9xf32>, %y: tensor<9xf32>, %m0: tensor<f32>, %s0: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{has a region `combine` that does not take 'index', 'tensor<?xf32>', 'tensor<?xf32>', 'tensor<f32>', 'tensor<f32>', 'tensor<f32>'}}
  %r:2 = ein.online_reduce ins(%x, %y : tensor<9xf32>, tensor<9xf32>) along [0, 0]
      relative_to(%m0 : tensor<f32>) outs(%s0 : tensor<f32>)
    init {
    ^bb0(%m: tensor<f32>, %s: tensor<f32>):
      ein.yield %m, %s : tensor<f32>, tensor<f32>
    } advance {
    ^bb0(%at: index, %b: tensor<?xf32>, %c: tensor<?xf32>, %m: tensor<f32>):
      ein.yield %m, %m : tensor<f32>, tensor<f32>
    } rescale {
    ^bb0(%old: tensor<f32>, %new: tensor<f32>, %s: tensor<f32>):
      ein.yield %s : tensor<f32>
    } combine {
    ^bb0(%at: index, %b: tensor<?xf32>, %c: tensor<?xf32>, %new: tensor<f32>, %s: tensor<f32>):
      ein.yield %s : tensor<f32>
    } -> tensor<f32>, tensor<f32>
  return %r#1 : tensor<f32>
}

// -----

func.func @combined(%x: tensor<9xf32>, %y: tensor<9xf32>, %m0: tensor<f32>, %s0: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{has a region `combine` that does not yield 'tensor<f32>'}}
  %r:2 = ein.online_reduce ins(%x, %y : tensor<9xf32>, tensor<9xf32>) along [0, 0]
      relative_to(%m0 : tensor<f32>) outs(%s0 : tensor<f32>)
    init {
    ^bb0(%m: tensor<f32>, %s: tensor<f32>):
      ein.yield %m, %s : tensor<f32>, tensor<f32>
    } advance {
    ^bb0(%at: index, %b: tensor<?xf32>, %c: tensor<?xf32>, %m: tensor<f32>):
      ein.yield %m : tensor<f32>
    } rescale {
    ^bb0(%old: tensor<f32>, %new: tensor<f32>, %s: tensor<f32>):
      ein.yield %s : tensor<f32>
    } combine {
    ^bb0(%at: index, %b: tensor<?xf32>, %c: tensor<?xf32>, %new: tensor<f32>, %s: tensor<f32>):
      ein.yield
    } -> tensor<f32>, tensor<f32>
  return %r#1 : tensor<f32>
}

// -----

func.func @running(%x: tensor<9xf32>) {
  // expected-error@+1 {{has no running value}}
  "ein.online_reduce"(%x) <{axes = array<i64: 0>, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> ({
    "ein.yield"() : () -> ()
  }, {
  ^bb0(%at: index, %b: tensor<?xf32>):
    "ein.yield"() : () -> ()
  }, {
    "ein.yield"() : () -> ()
  }, {
  ^bb0(%at: index, %b: tensor<?xf32>):
    "ein.yield"() : () -> ()
  }) : (tensor<9xf32>) -> ()
  return
}
