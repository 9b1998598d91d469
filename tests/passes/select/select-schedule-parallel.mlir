// Which loops are given to threads.
// RUN: ein-opt %s -ein-select-schedule="triple=x86_64-unknown-linux-gnu cpu=skylake-avx512\
// RUN: parallel" | FileCheck %s
// RUN: ein-opt %s -ein-select-schedule="triple=x86_64-unknown-linux-gnu cpu=skylake-avx512" \
// RUN:   | FileCheck %s --check-prefix=OFF
// OFF-NOT: parallel = d{{[0-9]}}
// RUN: ein-opt %s -ein-select-schedule="triple=x86_64-unknown-linux-gnu cpu=skylake-avx512\
// RUN: parallel splits" \
// RUN:   | FileCheck %s --check-prefix=SPLIT

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Sizes that are dynamic: the register tiles, and the code counts.
// CHECK-LABEL: func @matmul
// CHECK: linalg.fill {ein.schedule = #ein.schedule<parallel = d0, min_points = 16384>}
// CHECK: columns = d1: {{.*}}parallel = d1, min_points = 524288
func.func @matmul(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
         outs(%init : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// Known to be too small: one thread.
// CHECK-LABEL: func @small
// CHECK: linalg.contract
// CHECK-NOT: parallel
// CHECK: return
func.func @small(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>)
    -> tensor<64x64xf32> {
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>)
         outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

#bmk = affine_map<(b, m, n, k) -> (b, m, k)>
#bkn = affine_map<(b, m, n, k) -> (b, k, n)>
#bmn = affine_map<(b, m, n, k) -> (b, m, n)>

// Many small products: each thread takes some of them.
// CHECK-LABEL: func @many
// CHECK: columns = d2: {{.*}}parallel = d0
func.func @many(%a: tensor<?x64x64xf32>, %b: tensor<?x64x64xf32>, %c: tensor<?x64x64xf32>)
    -> tensor<?x64x64xf32> {
  %0 = linalg.contract indexing_maps = [#bmk, #bkn, #bmn]
         ins(%a, %b : tensor<?x64x64xf32>, tensor<?x64x64xf32>)
         outs(%c : tensor<?x64x64xf32>) -> tensor<?x64x64xf32>
  return %0 : tensor<?x64x64xf32>
}

#hmk = affine_map<(b, h, m, n, k) -> (b, h, m, k)>
#hkn = affine_map<(b, h, m, n, k) -> (b, h, k, n)>
#hmn = affine_map<(b, h, m, n, k) -> (b, h, m, n)>

// Two short loops over them are one that is long enough.
// CHECK-LABEL: func @heads
// CHECK: columns = d3: {{.*}}parallel = d0, min_points = {{[0-9]+}}, parallel_loops = 2
func.func @heads(%a: tensor<2x12x128x64xf32>, %b: tensor<2x12x64x128xf32>,
                 %c: tensor<2x12x128x128xf32>) -> tensor<2x12x128x128xf32> {
  %0 = linalg.contract indexing_maps = [#hmk, #hkn, #hmn]
         ins(%a, %b : tensor<2x12x128x64xf32>, tensor<2x12x64x128xf32>)
         outs(%c : tensor<2x12x128x128xf32>) -> tensor<2x12x128x128xf32>
  return %0 : tensor<2x12x128x128xf32>
}

// Large products, one after the other, each by all threads.
// CHECK-LABEL: func @large
// CHECK: columns = d2: {{.*}}parallel = d2
func.func @large(%a: tensor<8x512x512xf32>, %b: tensor<8x512x512xf32>, %c: tensor<8x512x512xf32>)
    -> tensor<8x512x512xf32> {
  %0 = linalg.contract indexing_maps = [#bmk, #bkn, #bmn]
         ins(%a, %b : tensor<8x512x512xf32>, tensor<8x512x512xf32>)
         outs(%c : tensor<8x512x512xf32>) -> tensor<8x512x512xf32>
  return %0 : tensor<8x512x512xf32>
}

// A few register tiles of a long sum: its parts.
// CHECK-LABEL: func @long
// CHECK: parallel = d1
// SPLIT-LABEL: func @long
// SPLIT: linalg.contract {{.*}} {ein.schedule = #ein.schedule<split = d2, parts = 32, grain = 256>}
func.func @long(%a: tensor<40x?xf32>, %b: tensor<?x48xf32>, %c: tensor<40x48xf32>)
    -> tensor<40x48xf32> {
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%a, %b : tensor<40x?xf32>, tensor<?x48xf32>)
         outs(%c : tensor<40x48xf32>) -> tensor<40x48xf32>
  return %0 : tensor<40x48xf32>
}

// The parts: a thread has some to itself, with its panels, and its blocks of k.
// CHECK-LABEL: func @parts
// CHECK: columns = d2: {{.*}}parallel = d0
func.func @parts(%a: tensor<32x40x4096xf32>, %b: tensor<32x4096x48xf32>, %c: tensor<32x40x48xf32>)
    -> tensor<32x40x48xf32> {
  %0 = linalg.contract indexing_maps = [#bmk, #bkn, #bmn]
         ins(%a, %b : tensor<32x40x4096xf32>, tensor<32x4096x48xf32>)
         outs(%c : tensor<32x40x48xf32>) -> tensor<32x40x48xf32>
  return %0 : tensor<32x40x48xf32>
}

// Enough tiles, or too short a sum, or one of which nothing says that it may be
// split.
// SPLIT-LABEL: func @whole
// SPLIT-NOT: split =
func.func @whole(%a: tensor<512x4096xf32>, %b: tensor<4096x512xf32>, %c: tensor<512x512xf32>,
                 %d: tensor<64x1024xf32>, %e: tensor<1024x64xf32>, %f: tensor<64x64xf32>)
    -> (tensor<512x512xf32>, tensor<64x64xf32>) {
  %0 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%a, %b : tensor<512x4096xf32>, tensor<4096x512xf32>)
         outs(%c : tensor<512x512xf32>) -> tensor<512x512xf32>
  %1 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%d, %e : tensor<64x1024xf32>, tensor<1024x64xf32>)
         outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0, %1 : tensor<512x512xf32>, tensor<64x64xf32>
}

// A sum of everything has no dim to share; a short dim is not shared.
// CHECK-LABEL: func @sum
// CHECK: ein.schedule = #ein.schedule<>
func.func @sum(%a: tensor<?xf32>, %c: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
                       iterator_types = ["reduction"]}
         ins(%a : tensor<?xf32>) outs(%c : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func @short_first_dim
// CHECK: parallel = d1
func.func @short_first_dim(%a: tensor<2x?xf32>, %c: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
         ins(%a : tensor<2x?xf32>) outs(%c : tensor<2x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = math.exp %in : f32
    linalg.yield %1 : f32
  } -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}
