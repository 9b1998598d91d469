// RUN: ein-opt %s --ein-bound-allocations | FileCheck %s

// As large as in the last round.
// CHECK-LABEL: @triangle(
// CHECK-SAME: %[[N:.*]]: index
// CHECK: %[[FOUR:.*]] = arith.constant 12 : index
// CHECK: %[[LAST:.*]] = arith.subi %[[N]]
// CHECK: %[[MAX:.*]] = arith.maxsi %[[LAST]]
// CHECK: %[[BYTES:.*]] = arith.muli %[[FOUR]], %[[MAX]]
// CHECK: %[[L:.*]] = memref.alloc(%[[BYTES]]) {alignment = 64 : i64} : memref<?xi8>
// CHECK: scf.for %[[I:.*]] =
// CHECK: memref.view %[[L]][%{{.*}}][%[[I]]] : memref<?xi8> to memref<?x3xf32>
func.func @triangle(%n: index, %x: memref<?x3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %t = memref.alloc(%i) : memref<?x3xf32>
    linalg.copy ins(%x : memref<?x3xf32>) outs(%t : memref<?x3xf32>)
  }
  return
}

// The rows and columns behind a block of eight: a loop with a step, sums and
// differences, a minimum.
// CHECK-LABEL: @behind(
// CHECK: memref.alloc(%{{.*}}) {{.*}} : memref<?xi8>
// CHECK: memref.alloc(%{{.*}}) {{.*}} : memref<?xi8>
// CHECK: scf.for
// CHECK-NOT: memref.alloc
func.func @behind(%n: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %e = arith.subi %n, %c8 : index
  scf.for %i = %c0 to %e step %c8 {
    %j = arith.addi %i, %c8 : index
    %s = arith.subi %n, %j : index
    %t = memref.alloc(%s) : memref<?xf32>
    linalg.copy ins(%x : memref<?xf32>) outs(%t : memref<?xf32>)
    %m = affine.min affine_map<(i)[n] -> (16, n - i, i mod 4 + (i floordiv 2) * 2)>(%i)[%n]
    %u = memref.alloc(%m) : memref<?xf32>
    linalg.copy ins(%x : memref<?xf32>) outs(%u : memref<?xf32>)
  }
  return
}

// Nothing is known of what is read; rounds at the same time need one each.
// CHECK-LABEL: @others(
// CHECK: scf.for
// CHECK: memref.alloc(
// CHECK: scf.parallel
// CHECK: memref.alloc(
func.func @others(%n: index, %x: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %s = memref.load %x[%i] : memref<?xindex>
    %t = memref.alloc(%s) : memref<?xindex>
    linalg.copy ins(%x : memref<?xindex>) outs(%t : memref<?xindex>)
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %t = memref.alloc(%i) : memref<?xindex>
    linalg.copy ins(%x : memref<?xindex>) outs(%t : memref<?xindex>)
    scf.reduce
  }
  return
}
