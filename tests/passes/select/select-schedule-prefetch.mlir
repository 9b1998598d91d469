// What is far away and larger than a cache: B's next columns are prefetched, and
// results are written past the caches. Neither if it is small.
// RUN: ein-opt %s -ein-select-schedule="triple=x86_64-unknown-linux-gnu cpu=sapphirerapids" \
// RUN:   | FileCheck %s
// RUN: ein-opt %s -ein-select-schedule="triple=x86_64-unknown-linux-gnu cpu=sapphirerapids" \
// RUN:   --remarks-filter=strategy 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SAYS
// RUN: ein-opt %s -ein-select-schedule="triple=x86_64-unknown-linux-gnu cpu=sapphirerapids\
// RUN: packing=always" \
// RUN:   | FileCheck %s --check-prefix=ALWAYS
// RUN: ein-opt %s -ein-select-schedule="triple=x86_64-unknown-linux-gnu cpu=sapphirerapids\
// RUN: packing=never" \
// RUN:   | FileCheck %s --check-prefix=NEVER

// SAYS: the next columns of B prefetched
// SAYS: past the caches from 1 bytes on

// 24 rows are four tiles; each takes one of the four lines of a row.
// CHECK-LABEL: func @few_rows
// CHECK: prefetch_distance = 1>
func.func @few_rows(%a: tensor<24x512xf32>, %b: tensor<512x8192xf32>, %c: tensor<24x8192xf32>) -> tensor<24x8192xf32> {
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
         ins(%a, %b : tensor<24x512xf32>, tensor<512x8192xf32>) outs(%c : tensor<24x8192xf32>) -> tensor<24x8192xf32>
  return %0 : tensor<24x8192xf32>
}

// 49 pixels are some tiles and a last one of fewer rows, of a B that is not
// packed.
// NEVER-LABEL: func @pixels
// NEVER: loops = [d1, d2: {{[0-9]+}}, d0], {{.*}}operands = [in_place, in_place], prefetch = 1, prefetch_distance = 1>
func.func @pixels(%a: tensor<49x512xf32>, %b: tensor<512x1024xf32>, %c: tensor<49x1024xf32>) -> tensor<49x1024xf32> {
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
         ins(%a, %b : tensor<49x512xf32>, tensor<512x1024xf32>) outs(%c : tensor<49x1024xf32>) -> tensor<49x1024xf32>
  return %0 : tensor<49x1024xf32>
}

// CHECK-LABEL: func @near
// CHECK-NOT: prefetch_distance
func.func @near(%a: tensor<24x64xf32>, %b: tensor<64x512xf32>, %c: tensor<24x512xf32>) -> tensor<24x512xf32> {
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
         ins(%a, %b : tensor<24x64xf32>, tensor<64x512xf32>) outs(%c : tensor<24x512xf32>) -> tensor<24x512xf32>
  return %0 : tensor<24x512xf32>
}

// CHECK-LABEL: func @large
// CHECK: vector = d1, {{(masked, )?}}stream_bytes = 1>
func.func @large(%a: tensor<8192x4096xf32>, %c: tensor<8192x4096xf32>) -> tensor<8192x4096xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
         ins(%a : tensor<8192x4096xf32>) outs(%c : tensor<8192x4096xf32>) {
  ^bb0(%x: f32, %old: f32):
    %y = arith.negf %x : f32
    linalg.yield %y : f32
  } -> tensor<8192x4096xf32>
  return %0 : tensor<8192x4096xf32>
}

// CHECK-LABEL: func @small
// CHECK-NOT: stream_bytes
// ALWAYS-LABEL: func @small
// ALWAYS: stream_bytes = 1>
func.func @small(%a: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
         ins(%a : tensor<64x64xf32>) outs(%c : tensor<64x64xf32>) {
  ^bb0(%x: f32, %old: f32):
    %y = arith.negf %x : f32
    linalg.yield %y : f32
  } -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// What is updated has been read, and is in the caches.
// CHECK-LABEL: func @updated
// CHECK-NOT: stream_bytes
// ALWAYS-LABEL: func @updated
// ALWAYS-NOT: stream_bytes
func.func @updated(%a: tensor<8192x4096xf32>, %c: tensor<8192x4096xf32>) -> tensor<8192x4096xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
         ins(%a : tensor<8192x4096xf32>) outs(%c : tensor<8192x4096xf32>) {
  ^bb0(%x: f32, %old: f32):
    %y = arith.addf %x, %old : f32
    linalg.yield %y : f32
  } -> tensor<8192x4096xf32>
  return %0 : tensor<8192x4096xf32>
}
