// RUN: ein-opt %s -ein-parallelize -canonicalize -split-input-file | FileCheck %s

// Two marked loops with address arithmetic between them become one of two dims.
// CHECK-LABEL: func @two_dims
// CHECK: scf.parallel (%[[I:.*]], %[[J:.*]]) = (%{{.*}}, %{{.*}}) to (%{{.*}}, %{{.*}}) step (%{{.*}}, %{{.*}})
// CHECK-NOT: scf.for
// CHECK: memref.subview %{{.*}}[%[[I]], 0]
// CHECK: memref.store %{{.*}}[%[[J]]]
// CHECK: {ein.parallel = 9 : i64}
func.func @two_dims(%c: memref<?x8xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %n step %c1 {
    %row = memref.subview %c[%i, 0] [1, 8] [1, 1] : memref<?x8xf32> to memref<8xf32, strided<[1], offset: ?>>
    scf.for %j = %c0 to %c8 step %c1 {
      memref.store %x, %row[%j] : memref<8xf32, strided<[1], offset: ?>>
    } {ein.parallel = 7 : i64}
  } {ein.parallel = 9 : i64}
  return
}

// -----

// What is not marked stays.
// CHECK-LABEL: func @unmarked
// CHECK-NOT: scf.parallel
func.func @unmarked(%c: memref<?xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %c[%i] : memref<?xf32>
  }
  return
}

// -----

// Scratch: every iteration writes the same place. Each gets its own; the use
// after the loop, and the write before it, are none of its business.
// CHECK-LABEL: func @scratch
// CHECK: %[[SHARED:.*]] = memref.alloc() : memref<4xf32>
// CHECK: linalg.fill {{.*}} outs(%[[SHARED]]
// CHECK: scf.parallel (%[[I:.*]]) =
// CHECK: %[[OWN:.*]] = memref.alloca() {alignment = 64 : i64} : memref<16xf32>
// CHECK: linalg.fill {{.*}} outs(%[[OWN]]
// CHECK: memref.load %[[OWN]]
// CHECK: memref.load %[[SHARED]]
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[I]]]
func.func @scratch(%c: memref<?xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %shared = memref.alloc() : memref<4xf32>
  %own = memref.alloc() {alignment = 64 : i64} : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%shared : memref<4xf32>)
  scf.for %i = %c0 to %n step %c1 {
    linalg.fill ins(%x : f32) outs(%own : memref<16xf32>)
    %y = memref.load %own[%c1] : memref<16xf32>
    %z = memref.load %shared[%c1] : memref<4xf32>
    %s = arith.addf %y, %z : f32
    memref.store %s, %c[%i] : memref<?xf32>
  } {ein.parallel = 0 : i64}
  memref.dealloc %own : memref<16xf32>
  memref.dealloc %shared : memref<4xf32>
  return
}

// -----

// Scratch that is written through a view from outside the loop: each has a view
// of its own, too, and views of that.
// CHECK-LABEL: func @view_of_scratch
// CHECK: scf.parallel (%[[I:.*]]) =
// CHECK: %[[OWN:.*]] = memref.alloca() : memref<2x8xf32>
// CHECK: %[[FLAT:.*]] = memref.collapse_shape %[[OWN]]
// CHECK: %[[PART:.*]] = memref.subview %[[FLAT]][4] [4] [1]
// CHECK: linalg.fill {{.*}} outs(%[[PART]]
// CHECK: memref.load %[[OWN]]
func.func @view_of_scratch(%c: memref<?xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %own = memref.alloc() : memref<2x8xf32>
  %flat = memref.collapse_shape %own [[0, 1]] : memref<2x8xf32> into memref<16xf32>
  %part = memref.subview %flat[4] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: 4>>
  scf.for %i = %c0 to %n step %c1 {
    linalg.fill ins(%x : f32) outs(%part : memref<4xf32, strided<[1], offset: 4>>)
    %y = memref.load %own[%c0, %c1] : memref<2x8xf32>
    memref.store %y, %c[%i] : memref<?xf32>
  } {ein.parallel = 0 : i64}
  memref.dealloc %own : memref<2x8xf32>
  return
}

// -----

// Every iteration writes one place of an argument, or scratch whose size is not
// known: one thread.
// CHECK-LABEL: func @shared_argument
// CHECK-NOT: scf.parallel
func.func @shared_argument(%c: memref<?xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %c[%c1] : memref<?xf32>
  } {ein.parallel = 0 : i64}
  return
}

// CHECK-LABEL: func @scratch_of_unknown_size
// CHECK-NOT: scf.parallel
func.func @scratch_of_unknown_size(%c: memref<?xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %own = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    linalg.fill ins(%x : f32) outs(%own : memref<?xf32>)
    %y = memref.load %own[%c1] : memref<?xf32>
    memref.store %y, %c[%i] : memref<?xf32>
  } {ein.parallel = 0 : i64}
  memref.dealloc %own : memref<?xf32>
  return
}

// -----

// An inner loop's variable differs between iterations if its bounds do.
// CHECK-LABEL: func @bounds
// CHECK: scf.parallel
// CHECK: scf.for
func.func @bounds(%c: memref<?xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c4 {
    %end = arith.addi %i, %c4 : index
    scf.for %j = %i to %end step %c1 {
      memref.store %x, %c[%j] : memref<?xf32>
    }
  } {ein.parallel = 0 : i64}
  return
}

// -----

// A structured op that is loops anyway: the rows run in parallel, the sum of
// each does not.
// CHECK-LABEL: func @row_sums
// CHECK: scf.parallel (%[[I:.*]]) =
// CHECK: scf.for
// CHECK: {ein.parallel = 32768 : i64}
func.func @row_sums(%a: memref<?x?xf32>, %c: memref<?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<?x?xf32>) outs(%c : memref<?xf32>)
      attrs = {ein.schedule = #ein.schedule<parallel = d0, min_points = 32768>} {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Parts of different sizes that begin at one place are not different places.
// CHECK-LABEL: func @sizes_differ
// CHECK-NOT: scf.parallel
func.func @sizes_differ(%c: memref<?xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %part = memref.subview %c[0] [%i] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
    linalg.fill ins(%x : f32) outs(%part : memref<?xf32, strided<[1]>>)
  } {ein.parallel = 0 : i64}
  return
}

// -----

// What the inner loop's iterations share keeps it from being one loop with the outer.
// CHECK-LABEL: func @inner_shares
// CHECK: scf.parallel (%[[I:[^,]*]]) =
// CHECK: scf.for
func.func @inner_shares(%c: memref<?xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      memref.store %x, %c[%i] : memref<?xf32>
    } {ein.parallel = 0 : i64}
  } {ein.parallel = 0 : i64}
  return
}

// -----

// More than a stack should hold stays shared, and so in one thread.
// CHECK-LABEL: func @large_scratch
// CHECK-NOT: scf.parallel
func.func @large_scratch(%c: memref<?xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %own = memref.alloc() : memref<1048576xf32>
  scf.for %i = %c0 to %n step %c1 {
    linalg.fill ins(%x : f32) outs(%own : memref<1048576xf32>)
    %y = memref.load %own[%c1] : memref<1048576xf32>
    memref.store %y, %c[%i] : memref<?xf32>
  } {ein.parallel = 0 : i64}
  memref.dealloc %own : memref<1048576xf32>
  return
}

// -----

// An index that a loop carries could be anything.
// CHECK-LABEL: func @carried_index
// CHECK-NOT: scf.parallel
func.func @carried_index(%c: memref<16xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %own = memref.alloc() : memref<16xf32>
  scf.for %i = %c0 to %n step %c1 {
    %end = scf.for %j = %c0 to %n step %c1 iter_args(%at = %c0) -> index {
      memref.store %x, %own[%at] : memref<16xf32>
      %next = arith.addi %at, %i : index
      scf.yield %next : index
    }
  } {ein.parallel = 0 : i64}
  memref.dealloc %own : memref<16xf32>
  return
}

// -----

// An inner loop that ends elsewhere in each iteration begins at one place: what
// it writes is scratch.
// CHECK-LABEL: func @triangle
// CHECK: scf.parallel (%[[I:.*]]) =
// CHECK: %[[OWN:.*]] = memref.alloca() : memref<16xf32>
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %[[I]]
// CHECK: memref.store %{{.*}}, %[[OWN]][%[[J]]]
func.func @triangle(%c: memref<16xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %own = memref.alloc() : memref<16xf32>
  scf.for %i = %c0 to %c16 step %c1 {
    scf.for %j = %c0 to %i step %c1 {
      memref.store %x, %own[%j] : memref<16xf32>
    }
    %y = memref.load %own[%c0] : memref<16xf32>
    memref.store %y, %c[%i] : memref<16xf32>
  } {ein.parallel = 9 : i64}
  memref.dealloc %own : memref<16xf32>
  return
}
