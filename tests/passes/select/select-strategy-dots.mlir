// Where vectors lie along k: few rows or few columns, a k that is long, and both
// inputs contiguous along it.
// RUN: ein-opt %s -ein-select-strategy="triple=x86_64-unknown-linux-gnu cpu=skylake-avx512" \
// RUN:   | FileCheck %s
// RUN: ein-opt %s -ein-select-strategy="triple=x86_64-unknown-linux-gnu cpu=skylake-avx512\
// RUN: packing=dots" \
// RUN:   | FileCheck %s --check-prefix=DOTS
// RUN: ein-opt %s -ein-select-strategy="packing=always" | FileCheck %s --check-prefix=OTHERS
// RUN: ein-opt %s -ein-select-strategy="packing=never" | FileCheck %s --check-prefix=OTHERS
// OTHERS-NOT: kind = "dot"

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// B is streamed, and each of four passes over a tile prefetches its part of the
// next six columns.
// CHECK-LABEL: func @layer
// CHECK: {ein.strategy = {interchange = array<i64: 2, 1, 0>, k = 2 : i64, kind = "dot", lhs = 0 : i64, m = 0 : i64,
// CHECK-SAME: micro = array<i64: 4, 6>, n = 1 : i64, prefetch = 2 : i64, step = array<i64: 16, 1>,
// CHECK-SAME: tile = array<i64: 4, 6, 0>}}
func.func @layer(%x: tensor<16x4096xf32>, %w: tensor<4096x4096xf32>, %y: tensor<16x4096xf32>) -> tensor<16x4096xf32> {
  %0 = linalg.contract indexing_maps = [#mk, #nk, #mn]
         ins(%x, %w : tensor<16x4096xf32>, tensor<4096x4096xf32>) outs(%y : tensor<16x4096xf32>) -> tensor<16x4096xf32>
  return %0 : tensor<16x4096xf32>
}

// Of more rows beside what is not in a near cache, too; with so many passes over
// a tile it is to stay in half of L1: 672 floats of six columns.
// CHECK-LABEL: func @some_rows
// CHECK: kind = "dot", {{.*}} micro = array<i64: 4, 6>, {{.*}} tile = array<i64: 4, 6, 672>
// CHECK: kind = "packed_gemm"
// CHECK: kind = "packed_gemm"
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

// Sizes may be dynamic; a block of k keeps what is read again in half of L2. With few
// columns A is streamed.
// CHECK-LABEL: func @dynamic
// CHECK: interchange = array<i64: 2, 1, 0>, {{.*}} kind = "dot", {{.*}} micro = array<i64: 3, 8>, {{.*}} prefetch = 8 : i64
// CHECK-SAME: tile = array<i64: 0, 8, [[KC:[0-9]+]]>
// CHECK: interchange = array<i64: 2, 0, 1>, {{.*}} kind = "dot", {{.*}} micro = array<i64: 8, 3>, {{.*}} prefetch = 8 : i64
// CHECK-SAME: tile = array<i64: 8, 0, [[KC]]>
func.func @dynamic(%a: tensor<3x?xf32>, %b: tensor<?x?xf32>, %c: tensor<3x?xf32>, %d: tensor<?x3xf32>)
    -> (tensor<3x?xf32>, tensor<?x3xf32>) {
  %0 = linalg.contract indexing_maps = [#mk, #nk, #mn]
         ins(%a, %b : tensor<3x?xf32>, tensor<?x?xf32>) outs(%c : tensor<3x?xf32>) -> tensor<3x?xf32>
  %1 = linalg.contract indexing_maps = [#mk, #nk, #mn]
         ins(%b, %a : tensor<?x?xf32>, tensor<3x?xf32>) outs(%d : tensor<?x3xf32>) -> tensor<?x3xf32>
  return %0, %1 : tensor<3x?xf32>, tensor<?x3xf32>
}

// Not where both sides are long, k is short, the result is of integers, or an
// input is not contiguous along k; some of it could be.
// CHECK-LABEL: func @others
// CHECK-NOT: kind = "dot"
// CHECK: return
// DOTS-LABEL: func @others
// DOTS: linalg.contract {{.*}} kind = "dot"
// DOTS: linalg.contract {{.*}} kind = "dot"
// DOTS: linalg.contract {{.*}} kind = "{{packed_gemm|loops}}"
// DOTS: linalg.contract {{.*}} kind = "{{packed_gemm|loops}}"
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
// DOTS: k = 1 : i64, kind = "dot", lhs = 1 : i64, micro = array<i64: 1, 8>, n = 0 : i64, step = array<i64: 16, 1>
// DOTS: k = 0 : i64, kind = "dot", lhs = 0 : i64, micro = array<i64: 1, 1>, step = array<i64: 16, 8>
func.func @vectors(%a: tensor<64x256xf32>, %x: tensor<256xf32>, %y: tensor<64xf32>, %s: tensor<f32>)
    -> (tensor<64xf32>, tensor<f32>) {
  %0 = linalg.contract indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (k)>,
                                        affine_map<(m, k) -> (m)>]
         ins(%a, %x : tensor<64x256xf32>, tensor<256xf32>) outs(%y : tensor<64xf32>) -> tensor<64xf32>
  %1 = linalg.contract indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>]
         ins(%x, %x : tensor<256xf32>, tensor<256xf32>) outs(%s : tensor<f32>) -> tensor<f32>
  return %0, %1 : tensor<64xf32>, tensor<f32>
}
