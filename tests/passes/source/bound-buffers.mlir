// RUN: ein-opt %s --ein-bound-buffers | FileCheck %s

// CHECK-LABEL: @triangle(
// CHECK-SAME: %[[N:[^:]*]]: index
// CHECK: %[[LAST:.*]] = arith.subi %[[N]]
// CHECK: %[[SIZE:.*]] = arith.maxsi %[[LAST]]
// CHECK: %[[L:.*]] = tensor.empty(%[[SIZE]]) : tensor<?xf32>
// CHECK: scf.for %[[I:[a-z0-9]*]] =
// CHECK: tensor.extract_slice %[[L]][0] [%[[I]]] [1] : tensor<?xf32> to tensor<?xf32>
func.func @triangle(%n: index, %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %y) -> tensor<?xf32> {
    %t = tensor.empty(%i) : tensor<?xf32>
    %s = tensor.extract_slice %x[0] [%i] [1] : tensor<?xf32> to tensor<?xf32>
    %e = linalg.exp ins(%s : tensor<?xf32>) outs(%t : tensor<?xf32>) -> tensor<?xf32>
    %w = tensor.insert_slice %e into %v[0] [%i] [1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %w : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// One that is the same in each round leaves the loop by itself.
// CHECK-LABEL: @same(
// CHECK-SAME: %[[N:[^:]*]]: index
// CHECK: tensor.empty(%[[N]])
// CHECK-NOT: extract_slice
func.func @same(%n: index, %x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> tensor<?xf32> {
    %t = tensor.empty(%n) : tensor<?xf32>
    %e = linalg.exp ins(%v : tensor<?xf32>) outs(%t : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %e : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
