// Functions on tensors, on memrefs without strides and on memrefs with them;
// views.py calls their entries for views.
#row = affine_map<(i, j) -> (i)>
#col = affine_map<(i, j) -> (j)>
#all = affine_map<(i, j) -> (i, j)>

func.func @add(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.add ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%a : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @mm(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// Relies on its input being contiguous, and on its output too.
func.func @flat(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %fx = memref.collapse_shape %x [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  %fy = memref.collapse_shape %y [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  %n = memref.dim %fx, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %fx[%i] : memref<?xf32>
    %w = memref.load %fy[%i] : memref<?xf32>
    %s = arith.addf %v, %w : f32
    %t = arith.addf %s, %one : f32
    memref.store %t, %fy[%i] : memref<?xf32>
  }
  return
}

func.func @strided(%x: memref<?x?xf32, strided<[?, ?], offset: ?>>, %y: memref<?x3xf32, strided<[?, 1]>>,
                   %z: memref<2x3xf32, strided<[3, 1], offset: ?>>, %o: memref<?x?xf32, strided<[?, ?]>>) {
  linalg.generic {indexing_maps = [#all, #all, #all, #all], iterator_types = ["parallel", "parallel"]}
    ins(%x, %y, %z : memref<?x?xf32, strided<[?, ?], offset: ?>>, memref<?x3xf32, strided<[?, 1]>>,
                     memref<2x3xf32, strided<[3, 1], offset: ?>>)
    outs(%o : memref<?x?xf32, strided<[?, ?]>>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.subf %p, %c : f32
    linalg.yield %q : f32
  }
  return
}

// Three operands give the first loop an extent, two the second.
func.func @outer(%x: tensor<?xf32>, %y: tensor<?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.generic {indexing_maps = [#row, #col, #all], iterator_types = ["parallel", "parallel"]}
    ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %p, %d : f32
    linalg.yield %q : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
