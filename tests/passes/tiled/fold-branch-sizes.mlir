// Sizes of what a branch makes are those of what both sides write to.
// RUN: ein-opt %s -ein-fold-branch-sizes -canonicalize -cse | FileCheck %s

// Through the ops, branches and loops inside, and through those behind it.
// CHECK-LABEL: func @one
// CHECK-SAME: %{{[^:]*}}: tensor<?x?xf32>, %[[TO:[^:]*]]: tensor<?x?xf32>
// CHECK: scf.if
// CHECK: %[[SIZE:.*]] = tensor.dim %[[TO]], %c1
// CHECK: return %{{.*}}, %[[SIZE]] :
func.func @one(%from: tensor<?x?xf32>, %to: tensor<?x?xf32>, %is: i1, %else: i1, %n: index) -> (tensor<?x?xf32>, index) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.if %is -> (tensor<?x?xf32>) {
    %1 = linalg.fill ins(%zero : f32) outs(%to : tensor<?x?xf32>) -> tensor<?x?xf32>
    %4 = scf.if %else -> (tensor<?x?xf32>) {
      %5 = linalg.copy ins(%from : tensor<?x?xf32>) outs(%1 : tensor<?x?xf32>) -> tensor<?x?xf32>
      scf.yield %5 : tensor<?x?xf32>
    } else {
      scf.yield %1 : tensor<?x?xf32>
    }
    scf.yield %4 : tensor<?x?xf32>
  } else {
    %1 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %to) -> (tensor<?x?xf32>) {
      %2 = linalg.copy ins(%from : tensor<?x?xf32>) outs(%t : tensor<?x?xf32>) -> tensor<?x?xf32>
      scf.yield %2 : tensor<?x?xf32>
    }
    scf.yield %1 : tensor<?x?xf32>
  }
  %3 = linalg.add ins(%from, %from : tensor<?x?xf32>, tensor<?x?xf32>) outs(%0 : tensor<?x?xf32>) -> tensor<?x?xf32>
  %size = tensor.dim %3, %c1 : tensor<?x?xf32>
  return %3, %size : tensor<?x?xf32>, index
}

// Not where the sides write to two tensors.
// CHECK-LABEL: func @two
// CHECK: %[[IF:.*]] = scf.if
// CHECK: tensor.dim %[[IF]]
func.func @two(%from: tensor<?xf32>, %to: tensor<?xf32>, %is: i1) -> index {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %0 = scf.if %is -> (tensor<?xf32>) {
    %1 = linalg.fill ins(%zero : f32) outs(%to : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %1 : tensor<?xf32>
  } else {
    scf.yield %from : tensor<?xf32>
  }
  %size = tensor.dim %0, %c0 : tensor<?xf32>
  return %size : index
}

// An expanded shape says its sizes.
// CHECK-LABEL: func @expand
// CHECK-SAME: %{{[^:]*}}: tensor<?xf32>, %[[N:.*]]: index
// CHECK-NEXT: return %[[N]]
func.func @expand(%a: tensor<?xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %0 = tensor.expand_shape %a [[0, 1]] output_shape [%n, 4] : tensor<?xf32> into tensor<?x4xf32>
  %size = tensor.dim %0, %c0 : tensor<?x4xf32>
  return %size : index
}

// What is collapsed, written to and expanded again has the size that it had.
// CHECK-LABEL: func @collapsed
// CHECK-SAME: %[[TO:[^:]*]]: tensor<?x?xf32>
// CHECK: scf.if
// CHECK: %[[SIZE:.*]] = tensor.dim %[[TO]], %c1
// CHECK: return %{{.*}}, %[[SIZE]] :
func.func @collapsed(%to: tensor<?x?xf32>, %is: i1, %n: index, %m: index) -> (tensor<?x?xf32>, index) {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %0 = scf.if %is -> (tensor<?x?xf32>) {
    %1 = tensor.collapse_shape %to [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
    %2 = linalg.fill ins(%zero : f32) outs(%1 : tensor<?xf32>) -> tensor<?xf32>
    %3 = tensor.expand_shape %2 [[0, 1]] output_shape [%n, %m] : tensor<?xf32> into tensor<?x?xf32>
    scf.yield %3 : tensor<?x?xf32>
  } else {
    scf.yield %to : tensor<?x?xf32>
  }
  %size = tensor.dim %0, %c1 : tensor<?x?xf32>
  return %0, %size : tensor<?x?xf32>, index
}
