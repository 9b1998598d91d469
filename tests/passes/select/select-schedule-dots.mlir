// Where vectors lie along k: few rows or few columns, a k that is long, and both
// inputs contiguous along it.
// RUN: ein-opt %s -ein-select-schedule="triple=x86_64-unknown-linux-gnu cpu=skylake-avx512" \
// RUN:   | FileCheck %s
// RUN: ein-opt %s -ein-select-schedule="triple=x86_64-unknown-linux-gnu cpu=skylake-avx512\
// RUN: packing=dots" \
// RUN:   | FileCheck %s --check-prefix=DOTS
// RUN: ein-opt %s -ein-select-schedule="packing=always" | FileCheck %s --check-prefix=OTHERS
// RUN: ein-opt %s -ein-select-schedule="packing=never" | FileCheck %s --check-prefix=OTHERS
// RUN: ein-opt %s -ein-select-schedule="triple=x86_64-unknown-linux-gnu cpu=znver4" \
// RUN:   | FileCheck %s --check-prefix=ZEN4
// OTHERS-NOT: vector = d2: 

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// B is streamed, and each of four passes over a tile prefetches its part of the
// next six columns.
// CHECK-LABEL: func @layer
// CHECK: {ein.schedule = #ein.schedule<loops = [d2, d1: 6, d0: 4], rows = d0: 4, columns = d1: 6,
// sums = d2, vector = d2: 16, prefetch = 2>}
func.func @layer(%x: tensor<16x4096xf32>, %w: tensor<4096x4096xf32>, %y: tensor<16x4096xf32>) -> tensor<16x4096xf32> {
  %0 = linalg.contract indexing_maps = [#mk, #nk, #mn]
         ins(%x, %w : tensor<16x4096xf32>, tensor<4096x4096xf32>) outs(%y : tensor<16x4096xf32>) -> tensor<16x4096xf32>
  return %0 : tensor<16x4096xf32>
}

// Of more rows, packing pays. If vectors along k are asked for, each of 32 passes
// over a tile fetches one of the next six columns from memory. What is near needs no
// prefetches, and is read from L2 again: sums of two halves of k would be added up twice.
// CHECK-LABEL: func @some_rows
// CHECK: operands = [
// CHECK: operands = [
// CHECK: operands = [
// DOTS-LABEL: func @some_rows
// DOTS: loops = [d2, d1: 6, d0: 4], rows = d0: 4, columns = d1: 6, {{.*}}vector = d2: 16, prefetch = 1>
// DOTS: loops = [d2, d1: 6, d0: 4], rows = d0: 4, columns = d1: 6, {{.*}}vector = d2: 16>
func.func @some_rows(%x: tensor<128x4096xf32>, %w: tensor<4096x4096xf32>, %y: tensor<128x4096xf32>,
                     %v: tensor<160x768xf32>, %z: tensor<128x128xf32>)
    -> (tensor<128x4096xf32>, tensor<160x160xf32>, tensor<128x128xf32>) {
  %0 = linalg.contract indexing_maps = [#mk, #nk, #mn]
         ins(%x, %w : tensor<128x4096xf32>, tensor<4096x4096xf32>) outs(%y : tensor<128x4096xf32>) -> tensor<128x4096xf32>
  %e = tensor.empty() : tensor<160x160xf32>
  %1 = linalg.contract indexing_maps = [#mk, #nk, #mn]
         ins(%v, %v : tensor<160x768xf32>, tensor<160x768xf32>) outs(%e : tensor<160x160xf32>) -> tensor<160x160xf32>
  %2 = linalg.contract indexing_maps = [#mk, #nk, #mn]
         ins(%z, %z : tensor<128x128xf32>, tensor<128x128xf32>) outs(%z : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %0, %1, %2 : tensor<128x4096xf32>, tensor<160x160xf32>, tensor<128x128xf32>
}

// Sizes may be dynamic; k is in blocks then. With few columns A is streamed. One
// pass over a tile leaves no pause in which to fetch the next one.
// CHECK-LABEL: func @dynamic
// CHECK: loops = [d2: [[KC:[0-9]+]], d1: 8, d0], rows = d0: 3, columns = d1: 8, sums = d2, vector = d2: 16, alternatives
// CHECK: loops = [d2: [[KC]], d0: 8, d1], rows = d0: 8, columns = d1: 3, sums = d2, vector = d2: 16, alternatives
func.func @dynamic(%a: tensor<3x?xf32>, %b: tensor<?x?xf32>, %c: tensor<3x?xf32>, %d: tensor<?x3xf32>)
    -> (tensor<3x?xf32>, tensor<?x3xf32>) {
  %0 = linalg.contract indexing_maps = [#mk, #nk, #mn]
         ins(%a, %b : tensor<3x?xf32>, tensor<?x?xf32>) outs(%c : tensor<3x?xf32>) -> tensor<3x?xf32>
  %1 = linalg.contract indexing_maps = [#mk, #nk, #mn]
         ins(%b, %a : tensor<?x?xf32>, tensor<3x?xf32>) outs(%d : tensor<?x3xf32>) -> tensor<?x3xf32>
  return %0, %1 : tensor<3x?xf32>, tensor<?x3xf32>
}

// Not where both sides are long, the result is of integers, or an input is not
// contiguous along k; some of it could be.
// CHECK-LABEL: func @others
// CHECK: linalg.contract {{.*}}operands =
// CHECK: linalg.contract {{.*}}vector = d2: 16
// CHECK: linalg.contract {{.*}}operands =
// CHECK: linalg.contract {{.*}}operands =
// CHECK: return
// DOTS-LABEL: func @others
// DOTS: linalg.contract {{.*}}vector = d2: 
// DOTS: linalg.contract {{.*}}vector = d2: 
// DOTS: linalg.contract {{.*}}#ein.schedule<{{>|.*operands = }}
// DOTS: linalg.contract {{.*}}#ein.schedule<{{>|.*operands = }}
func.func @others(%a: tensor<?x?xf32>, %s: tensor<4x100xf32>, %t: tensor<50x100xf32>, %u: tensor<4x50xf32>,
                  %i: tensor<4x4096xi32>, %j: tensor<4x4xi32>, %x: tensor<4x4096xf32>, %w: tensor<4096x4096xf32>)
    -> (tensor<?x?xf32>, tensor<4x50xf32>, tensor<4x4xi32>, tensor<4x4096xf32>) {
  %0 = linalg.contract indexing_maps = [#mk, #nk, #mn]
         ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>) outs(%a : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = linalg.contract indexing_maps = [#mk, #nk, #mn]
         ins(%s, %t : tensor<4x100xf32>, tensor<50x100xf32>) outs(%u : tensor<4x50xf32>) -> tensor<4x50xf32>
  %2 = linalg.contract indexing_maps = [#mk, #nk, #mn]
         ins(%i, %i : tensor<4x4096xi32>, tensor<4x4096xi32>) outs(%j : tensor<4x4xi32>) -> tensor<4x4xi32>
  %3 = linalg.contract indexing_maps = [#mk, #kn, #mn]
         ins(%x, %w : tensor<4x4096xf32>, tensor<4096x4096xf32>) outs(%x : tensor<4x4096xf32>) -> tensor<4x4096xf32>
  return %0, %1, %2, %3 : tensor<?x?xf32>, tensor<4x50xf32>, tensor<4x4xi32>, tensor<4x4096xf32>
}

// Without rows, and without columns: a dot has eight accumulators.
// DOTS-LABEL: func @vectors
// DOTS: lhs = 1, columns = d0: 8, sums = d1, vector = d1: 16
// DOTS: sums = d0: 8, vector = d0: 16
func.func @vectors(%a: tensor<64x256xf32>, %x: tensor<256xf32>, %y: tensor<64xf32>, %s: tensor<f32>)
    -> (tensor<64xf32>, tensor<f32>) {
  %0 = linalg.contract indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (k)>,
                                        affine_map<(m, k) -> (m)>]
         ins(%a, %x : tensor<64x256xf32>, tensor<256xf32>) outs(%y : tensor<64xf32>) -> tensor<64xf32>
  %1 = linalg.contract indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>]
         ins(%x, %x : tensor<256xf32>, tensor<256xf32>) outs(%s : tensor<f32>) -> tensor<f32>
  return %0, %1 : tensor<64xf32>, tensor<f32>
}

// Halves by the machine's products of them; signed bytes, of which one would be
// moved and have a second sum, go to panels.
// ZEN4-LABEL: func @halves
// ZEN4: linalg.contract {{.*}}rows = d0: 4, columns = d1: 6, sums = d2, vector = d2: 32, widening = 2, instruction = "llvm.x86.avx512bf16.dpbf16ps.512", instruction_bits = 512
// ZEN4-LABEL: func @signed
// ZEN4: linalg.contract {{.*}}k_pack = 4
func.func @halves(%x: tensor<4x1024xbf16>, %w: tensor<1024x1024xbf16>, %y: tensor<4x1024xf32>) -> tensor<4x1024xf32> {
  %0 = linalg.contract indexing_maps = [#mk, #nk, #mn]
         ins(%x, %w : tensor<4x1024xbf16>, tensor<1024x1024xbf16>) outs(%y : tensor<4x1024xf32>) -> tensor<4x1024xf32>
  return %0 : tensor<4x1024xf32>
}
func.func @signed(%x: tensor<4x1024xi8>, %w: tensor<1024x1024xi8>, %y: tensor<4x1024xi32>) -> tensor<4x1024xi32> {
  %0 = linalg.contract indexing_maps = [#mk, #nk, #mn]
         ins(%x, %w : tensor<4x1024xi8>, tensor<1024x1024xi8>) outs(%y : tensor<4x1024xi32>) -> tensor<4x1024xi32>
  return %0 : tensor<4x1024xi32>
}
