// Elementwise ops: loops over vectors of what the result has.
// RUN: ein-opt %s -ein-vectorize-tiles -canonicalize -split-input-file -verify-diagnostics \
// RUN:   | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>

// One vector along j; the loop over whole vectors, then single elements for what is
// left.
// CHECK-LABEL: func @add
// CHECK: scf.for {{.*}} step %c1 iter_args
// CHECK:   scf.for {{.*}} step %c8 iter_args
// CHECK:     arith.addf {{.*}} : vector<8xf32>
// CHECK:   scf.for {{.*}} step %c1 iter_args
// CHECK:     arith.addf {{.*}} : vector<1xf32>
// CHECK-NOT: linalg.generic
func.func @add(%a: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<?x?xf32>) outs(%c : tensor<?x?xf32>)
    attrs = {ein.schedule = #ein.schedule<loops = [d0: 1, d1: 8], vector = d1>} {
  ^bb0(%x: f32, %z: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// Whole vectors only: nothing is left over.
// CHECK-LABEL: func @whole
// CHECK: scf.for {{.*}} %c0 to %c24 step %c8
// CHECK: arith.addf {{.*}} : vector<8xf32>
// CHECK-NOT: arith.addf
func.func @whole(%a: tensor<24xf32>, %c: tensor<24xf32>) -> tensor<24xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
    ins(%a : tensor<24xf32>) outs(%c : tensor<24xf32>)
    attrs = {ein.schedule = #ein.schedule<loops = [d0: 8], vector = d0>} {
  ^bb0(%x: f32, %z: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<24xf32>
  return %0 : tensor<24xf32>
}

// -----

// Another schedule: left alone.
// CHECK-LABEL: func @loops
// CHECK-NOT: scf.for
func.func @loops(%a: tensor<24xf32>, %c: tensor<24xf32>) -> tensor<24xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
    ins(%a : tensor<24xf32>) outs(%c : tensor<24xf32>)
    attrs = {ein.schedule = #ein.schedule<>} {
  ^bb0(%x: f32, %z: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<24xf32>
  return %0 : tensor<24xf32>
}

// -----

// What is left of a row, of dynamic size, is one vector under a mask: the elements
// that are not there are zeros.
// CHECK-LABEL: func @rest
// CHECK-SAME: %[[A:[^:]*]]: tensor<1x?xf32>, %[[B:[^:]*]]: tensor<1xf32>, %[[S:[^:]*]]: f32
// CHECK-NOT: linalg.generic
// CHECK: scf.yield
// CHECK: scf.for %[[J:.*]] = %{{.*}} step %c8
// CHECK: %[[MASK:.*]] = arith.cmpi {{.*}} : vector<8xi32>
// CHECK-DAG: %[[X:.*]] = vector.transfer_read %[[A]][%c0, %[[J]]], %cst{{[^ ]*}}, %[[MASK]] {
// CHECK-DAG: %[[ELEMENT:.*]] = tensor.extract %[[B]][%c0]
// CHECK-DAG: %[[Y:.*]] = vector.broadcast %[[ELEMENT]] : f32 to vector<8xf32>
// CHECK-DAG: %[[E:.*]] = math.exp %[[X]] : vector<8xf32>
// CHECK: %[[P:.*]] = arith.mulf %[[E]], %[[Y]] fastmath<contract> : vector<8xf32>
// CHECK: %[[T:.*]] = vector.broadcast %[[S]] : f32 to vector<8xf32>
// CHECK: %[[Q:.*]] = arith.addf %[[P]], %[[T]] : vector<8xf32>
// CHECK: vector.transfer_write %[[Q]], %{{.*}}[%c0, %[[J]]], %[[MASK]] {
func.func @rest(%a: tensor<1x?xf32>, %b: tensor<1xf32>, %s: f32, %c: tensor<1x?xf32>) -> tensor<1x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%a, %b : tensor<1x?xf32>, tensor<1xf32>) outs(%c : tensor<1x?xf32>)
    attrs = {ein.schedule = #ein.schedule<loops = [d0: 1, d1: 8], vector = d1, masked>} {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %e = math.exp %x : f32
    %p = arith.mulf %e, %y fastmath<contract> : f32
    %q = arith.addf %p, %s : f32
    linalg.yield %q : f32
  } -> tensor<1x?xf32>
  return %0 : tensor<1x?xf32>
}

// -----

// Not if the schedule does not say so, nor where a zero would trap.
// CHECK-LABEL: func @rest_of_loops
// CHECK: arith.negf {{.*}} : vector<1xf32>
// CHECK: arith.divsi {{.*}} : vector<1xi32>
// CHECK: math.exp {{.*}} : vector<1xbf16>
func.func @rest_of_loops(%a: tensor<?xf32>, %c: tensor<?xf32>, %n: tensor<?xi32>, %h: tensor<?xbf16>)
    -> (tensor<?xf32>, tensor<?xf32>, tensor<?xbf16>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%a : tensor<?xf32>) outs(%c : tensor<?xf32>)
    attrs = {ein.schedule = #ein.schedule<loops = [d0: 8], vector = d0>} {
  ^bb0(%x: f32, %z: f32):
    %e = arith.negf %x : f32
    linalg.yield %e : f32
  } -> tensor<?xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%n : tensor<?xi32>) outs(%c : tensor<?xf32>)
    attrs = {ein.schedule = #ein.schedule<loops = [d0: 8], vector = d0, masked>} {
  ^bb0(%x: i32, %z: f32):
    %d = arith.divsi %x, %x : i32
    %f = arith.sitofp %d : i32 to f32
    %e = math.exp %f : f32
    linalg.yield %e : f32
  } -> tensor<?xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    outs(%h : tensor<?xbf16>)
    attrs = {ein.schedule = #ein.schedule<loops = [d0: 8], vector = d0>} {
  ^bb0(%z: bf16):
    %e = math.exp %z : bf16
    linalg.yield %e : bf16
  } -> tensor<?xbf16>
  return %0, %1, %2 : tensor<?xf32>, tensor<?xf32>, tensor<?xbf16>
}

// -----

// What is left is as long a vector as it is, if that is known; with `unroll`, whole
// vectors are to be one step.
// CHECK-LABEL: func @unrolled
// CHECK: scf.for
// CHECK: vector.transfer_write {{.*}} vector<8xf32>
// CHECK: } {ein.unroll = 2 : i64}
// CHECK: vector.transfer_write {{.*}} vector<3xf32>
// CHECK-NOT: vector.transfer
func.func @unrolled(%a: tensor<19xf32>, %c: tensor<19xf32>) -> tensor<19xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
    ins(%a : tensor<19xf32>) outs(%c : tensor<19xf32>)
    attrs = {ein.schedule = #ein.schedule<loops = [d0: 8], vector = d0, unroll = 2>} {
  ^bb0(%x: f32, %z: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<19xf32>
  return %0 : tensor<19xf32>
}

// -----

// Where an element is: along the vectors numbers in a row, elsewhere the same.
// CHECK-LABEL: func @indices
// CHECK: scf.for %[[I:[^ ]*]] =
// CHECK: scf.for %[[J:[^ ]*]] =
// CHECK-DAG: %[[STEP:.*]] = vector.step : vector<8xindex>
// CHECK-DAG: %[[FIRST:.*]] = vector.broadcast %[[J]]
// CHECK-DAG: %[[COLUMN:.*]] = arith.addi %[[FIRST]], %[[STEP]]
// CHECK: arith.index_cast %[[COLUMN]] : vector<8xindex> to vector<8xi32>
// CHECK: arith.index_cast %[[I]] : index to i32
func.func @indices(%c: tensor<3x16xi32>) -> tensor<3x16xi32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    outs(%c : tensor<3x16xi32>)
    attrs = {ein.schedule = #ein.schedule<loops = [d0: 1, d1: 8], vector = d1>} {
  ^bb0(%z: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %m = arith.index_cast %j : index to i32
    %n = arith.index_cast %i : index to i32
    %s = arith.addi %m, %n : i32
    linalg.yield %s : i32
  } -> tensor<3x16xi32>
  return %0 : tensor<3x16xi32>
}

// -----

func.func @across(%a: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error @+1 {{is not elementwise, or not contiguous along the loop that its vectors are said to be along}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<8x8xf32>) outs(%c : tensor<8x8xf32>)
    attrs = {ein.schedule = #ein.schedule<loops = [d0: 1, d1: 8], vector = d1>} {
  ^bb0(%x: f32, %z: f32):
    linalg.yield %x : f32
  } -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

func.func @without_lanes(%s: f32, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error @+1 {{has vectors of a number of elements that its schedule does not say}}
  %0 = linalg.fill {ein.schedule = #ein.schedule<loops = [d0, d1], vector = d1>}
         ins(%s : f32) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
