// Loops whose memrefs change places take several rounds at a time.
// RUN: ein-opt %s --ein-rotate-buffers | FileCheck %s

func.func private @use(memref<4xf32>, index)
func.func private @end(memref<4xf32>, f32)

// Two rounds at a time, and perhaps one more.
// CHECK-LABEL: func.func @swap(
// CHECK-SAME: %[[A:.*]]: memref<4xf32>, %[[B:.*]]: memref<4xf32>, %[[N:.*]]: index)
// CHECK: %[[LEFT:.*]] = arith.remui
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK-NEXT: func.call @use(%[[A]],
// CHECK-NOT: scf.if
// CHECK: func.call @use(%[[B]],
// CHECK-NEXT: }
// CHECK: %[[IS:.*]] = arith.cmpi ugt, %[[LEFT]]
// CHECK: scf.if %[[IS]] {
// CHECK: func.call @use(%[[A]],
// CHECK-NOT: @use
// CHECK: return
func.func @swap(%a: memref<4xf32>, %b: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (memref<4xf32>, memref<4xf32>) {
    func.call @use(%x, %i) : (memref<4xf32>, index) -> ()
    scf.yield %y, %x : memref<4xf32>, memref<4xf32>
  }
  return
}

// What follows goes with the rounds that are left, if it asks which memref is
// which; values are carried as ever.
// CHECK-LABEL: func.func @returned(
// CHECK-SAME: %[[A:.*]]: memref<4xf32>, %[[B:.*]]: memref<4xf32>,
// CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (f32) : i32 {
// CHECK: %[[LAST:.*]] = scf.if %{{.*}} -> (f32) {
// CHECK: func.call @use(%[[A]],
// CHECK: %[[MORE:.*]] = arith.addf %[[SUM]]
// CHECK: func.call @end(%[[B]], %[[MORE]])
// CHECK: scf.yield
// CHECK: } else {
// CHECK: func.call @end(%[[A]], %[[SUM]])
// CHECK: return %[[LAST]]
func.func @returned(%a: memref<4xf32>, %b: memref<4xf32>, %n: i32, %s: f32) -> f32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %v = %s, %y = %b)
      -> (memref<4xf32>, f32, memref<4xf32>) : i32 {
    %j = arith.index_cast %i : i32 to index
    func.call @use(%x, %j) : (memref<4xf32>, index) -> ()
    %w = arith.addf %v, %s : f32
    scf.yield %y, %w, %x : memref<4xf32>, f32, memref<4xf32>
  }
  func.call @end(%r#0, %r#1) : (memref<4xf32>, f32) -> ()
  %t = arith.mulf %r#1, %s : f32
  return %t : f32
}

// Three take turns.
// CHECK-LABEL: func.func @three(
// CHECK-SAME: %[[A:.*]]: memref<4xf32>, %[[B:.*]]: memref<4xf32>, %[[C:.*]]: memref<4xf32>,
// CHECK: scf.for
// CHECK: func.call @use(%[[A]],
// CHECK: func.call @use(%[[B]],
// CHECK: func.call @use(%[[C]],
// CHECK: scf.if
// CHECK: func.call @use(%[[A]],
// CHECK: scf.if
// CHECK: func.call @use(%[[B]],
// CHECK-NOT: @use
// CHECK: return
func.func @three(%a: memref<4xf32>, %b: memref<4xf32>, %c: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b, %z = %c)
      -> (memref<4xf32>, memref<4xf32>, memref<4xf32>) {
    func.call @use(%x, %i) : (memref<4xf32>, index) -> ()
    scf.yield %y, %z, %x : memref<4xf32>, memref<4xf32>, memref<4xf32>
  }
  return
}

// What does more than to change places stays: memrefs from elsewhere, one twice,
// cycles of several lengths, and a loop that hands on which of them is which.
// CHECK-LABEL: func.func @stays(
// CHECK: scf.for {{.*}} iter_args
// CHECK: scf.for {{.*}} iter_args
// CHECK: scf.for {{.*}} iter_args
// CHECK: scf.for {{.*}} iter_args
// CHECK: scf.for {{.*}} iter_args
// CHECK-NOT: scf.if
// CHECK: return
func.func @stays(%a: memref<4xf32>, %b: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (memref<4xf32>) {
    func.call @use(%x, %i) : (memref<4xf32>, index) -> ()
    scf.yield %b : memref<4xf32>
  }
  %s:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (memref<4xf32>, memref<4xf32>) {
    func.call @use(%x, %i) : (memref<4xf32>, index) -> ()
    scf.yield %y, %y : memref<4xf32>, memref<4xf32>
  }
  %t:5 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %a, %w = %b, %x = %a, %y = %b, %z = %a)
      -> (memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>) {
    func.call @use(%x, %i) : (memref<4xf32>, index) -> ()
    scf.yield %w, %v, %y, %z, %x
      : memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>
  }
  %u:2 = scf.for %k = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<4xf32>, memref<4xf32>) {
    %o:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %p, %y = %q) -> (memref<4xf32>, memref<4xf32>) {
      func.call @use(%x, %i) : (memref<4xf32>, index) -> ()
      scf.yield %y, %x : memref<4xf32>, memref<4xf32>
    }
    scf.yield %o#0, %o#1 : memref<4xf32>, memref<4xf32>
  }
  return
}
