// RUN: ein-opt %s -ein-select-schedule="triple=x86_64-linux-gnu cpu=skylake-avx512" | FileCheck %s

// Permutations, by squares of a vector in blocks that the price chooses. What
// the caches do not hold goes past them: from where on is found by price, too.
// CHECK-LABEL: func @matrix
// CHECK: #ein.schedule<squares = 16, loops = [d1: {{[0-9]+}}, d0: {{[0-9]+}}], stream_bytes = 17842176,
// CHECK-SAME: alternatives = [if d0 * d1 at_most
func.func @matrix(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.transpose ins(%a : tensor<?x?xf32>) outs(%b : tensor<?x?xf32>) permutation = [1, 0]
  return %0 : tensor<?x?xf32>
}

// Short dims: the next one in memory belongs to the block, and squares are no
// larger than the shorter of their dims.
// CHECK-LABEL: func @short
// CHECK: linalg.transpose {{.*}}squares = 8, loops = [d0: 1, d2: {{[0-9]+}}, d3, d1]>
func.func @short(%s: tensor<50x6x200x60xf32>, %t: tensor<50x60x200x6xf32>) -> tensor<50x60x200x6xf32> {
  %0 = linalg.transpose ins(%s : tensor<50x6x200x60xf32>) outs(%t : tensor<50x60x200x6xf32>) permutation = [0, 3, 2, 1]
  return %0 : tensor<50x60x200x6xf32>
}

// Rows are copied; what is done with elements on the way does not matter.
// CHECK-LABEL: func @rows
// CHECK: linalg.transpose {{.*}}squares = 8, loops = [d0: 1, d1: 1, d2], stream_bytes = 56623104>
// CHECK: linalg.generic {{.*}}squares = 8, loops = [d1: {{[0-9]+}}, d0: {{[0-9]+}}], stream_bytes = 35684352
func.func @rows(%a: tensor<?x?x?xf64>, %b: tensor<?x?x?xf64>, %c: tensor<?x?xf32>, %d: tensor<?x?xf64>)
    -> (tensor<?x?x?xf64>, tensor<?x?xf64>) {
  %0 = linalg.transpose ins(%a : tensor<?x?x?xf64>) outs(%b : tensor<?x?x?xf64>) permutation = [1, 0, 2]
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%c : tensor<?x?xf32>) outs(%d : tensor<?x?xf64>) {
  ^bb0(%x: f32, %z: f64):
    %w = arith.extf %x : f32 to f64
    linalg.yield %w : f64
  } -> tensor<?x?xf64>
  return %0, %1 : tensor<?x?x?xf64>, tensor<?x?xf64>
}

// Loops: inputs along two other dims; a division that zeros in lanes that are
// not there would trap in. But complex numbers of f64 are squares of four by
// four, and halves are of as many as there are registers.
// CHECK-LABEL: func @loops
// CHECK-COUNT-2: #ein.schedule<>
// CHECK: linalg.transpose {{.*}}squares = 4
// CHECK: linalg.transpose {{.*}}squares = {{16|32}}
func.func @loops(%a: tensor<?x?x?xi32>, %c: tensor<?x?x?xi32>, %m: tensor<?x?xi32>, %n: tensor<?x?xi32>,
                 %p: tensor<?x?xcomplex<f64>>, %q: tensor<?x?xcomplex<f64>>, %g: tensor<?x?xbf16>, %h: tensor<?x?xbf16>)
    -> (tensor<?x?x?xi32>, tensor<?x?xi32>, tensor<?x?xcomplex<f64>>, tensor<?x?xbf16>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k, j)>, affine_map<(i, j, k) -> (k, j, i)>,
                                        affine_map<(i, j, k) -> (i, j, k)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%a, %a : tensor<?x?x?xi32>, tensor<?x?x?xi32>) outs(%c : tensor<?x?x?xi32>) {
  ^bb0(%x: i32, %y: i32, %z: i32):
    %s = arith.addi %x, %y : i32
    linalg.yield %s : i32
  } -> tensor<?x?x?xi32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%m : tensor<?x?xi32>) outs(%n : tensor<?x?xi32>) {
  ^bb0(%x: i32, %z: i32):
    %d = arith.divui %x, %x : i32
    linalg.yield %d : i32
  } -> tensor<?x?xi32>
  %2 = linalg.transpose ins(%p : tensor<?x?xcomplex<f64>>) outs(%q : tensor<?x?xcomplex<f64>>) permutation = [1, 0]
  %3 = linalg.transpose ins(%g : tensor<?x?xbf16>) outs(%h : tensor<?x?xbf16>) permutation = [1, 0]
  return %0, %1, %2, %3 : tensor<?x?x?xi32>, tensor<?x?xi32>, tensor<?x?xcomplex<f64>>, tensor<?x?xbf16>
}

// An access that is not at lone indices.
// CHECK-LABEL: func @shifted
// CHECK: #ein.schedule<>
func.func @shifted(%a: tensor<8x9xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i + 1)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<8x9xf32>) outs(%c : tensor<8x8xf32>) {
  ^bb0(%x: f32, %z: f32):
    linalg.yield %x : f32
  } -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// Of known sizes: near ones stay in the caches, and far ones do not.
// CHECK-LABEL: func @near
// CHECK: linalg.transpose {{.*}}squares = 16
// CHECK-NOT: stream_bytes
// CHECK-LABEL: func @far
// CHECK: linalg.transpose {{.*}}squares = 16, {{.*}}stream_bytes = 1>
func.func @near(%a: tensor<768x768xf32>, %b: tensor<768x768xf32>) -> tensor<768x768xf32> {
  %0 = linalg.transpose ins(%a : tensor<768x768xf32>) outs(%b : tensor<768x768xf32>) permutation = [1, 0]
  return %0 : tensor<768x768xf32>
}
func.func @far(%a: tensor<4096x4096xf32>, %b: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %0 = linalg.transpose ins(%a : tensor<4096x4096xf32>) outs(%b : tensor<4096x4096xf32>) permutation = [1, 0]
  return %0 : tensor<4096x4096xf32>
}
