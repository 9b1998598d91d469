// RUN: ein-opt %s -ein-select-schedule="triple=x86_64-linux-gnu cpu=skylake-avx512" \
// RUN:   -split-input-file | FileCheck %s
// RUN: ein-opt %s -ein-select-schedule="triple=x86_64-linux-gnu cpu=haswell" -split-input-file \
// RUN:   | FileCheck %s --check-prefix=AVX2
// RUN: ein-opt %s -ein-select-schedule="triple=x86_64-linux-gnu cpu=skylake-avx512 parallel" \
// RUN:   -split-input-file | FileCheck %s --check-prefix=THREADS

#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>

// A sum along rows is of as many vectors as wait for none; threads share rows. Rows
// of 1000 begin anywhere in a line, and those of 1024 at one.
// CHECK-LABEL: func @row_sum
// CHECK: loops = [d0: 1, d1], vector = d1: 16, accumulators = 8, masked, aligned>
// CHECK: loops = [d0: 1, d1], vector = d1: 16, accumulators = 8, masked>
// AVX2-LABEL: func @row_sum
// AVX2: loops = [d0: 1, d1], vector = d1: 8, accumulators = 8>
// THREADS-LABEL: func @row_sum
// THREADS: loops = [d0: 1, d1], {{.*}}accumulators = {{.*}}parallel = d0
func.func @row_sum(%x: tensor<1000x1000xf32>, %y: tensor<1000xf32>, %w: tensor<1000x1024xf32>)
    -> (tensor<1000xf32>, tensor<1000xf32>) {
  %0 = linalg.generic {indexing_maps = [#mn, #m], iterator_types = ["parallel", "reduction"]}
         ins(%x : tensor<1000x1000xf32>) outs(%y : tensor<1000xf32>) {
  ^bb0(%a: f32, %s: f32):
    %1 = arith.addf %s, %a fastmath<reassoc> : f32
    linalg.yield %1 : f32
  } -> tensor<1000xf32>
  %2 = linalg.generic {indexing_maps = [#mn, #m], iterator_types = ["parallel", "reduction"]}
         ins(%w : tensor<1000x1024xf32>) outs(%y : tensor<1000xf32>) {
  ^bb0(%a: f32, %s: f32):
    %1 = arith.addf %s, %a fastmath<reassoc> : f32
    linalg.yield %1 : f32
  } -> tensor<1000xf32>
  return %0, %2 : tensor<1000xf32>, tensor<1000xf32>
}

// -----

#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>

// One that has an order stays scalar.
// CHECK-LABEL: func @ordered
// CHECK: #ein.schedule<>
func.func @ordered(%x: tensor<100x100xf32>, %y: tensor<100xf32>) -> tensor<100xf32> {
  %0 = linalg.generic {indexing_maps = [#mn, #m], iterator_types = ["parallel", "reduction"]}
         ins(%x : tensor<100x100xf32>) outs(%y : tensor<100xf32>) {
  ^bb0(%a: f32, %s: f32):
    %1 = arith.addf %s, %a : f32
    linalg.yield %1 : f32
  } -> tensor<100xf32>
  return %0 : tensor<100xf32>
}

// -----

#nm = affine_map<(m, n) -> (n, m)>
#m = affine_map<(m, n) -> (m)>

// Across rows it does not matter. What is not in a near cache is read by blocks
// of rows, what is in one at once; threads share columns, outside of that.
// CHECK-LABEL: func @columns
// CHECK: loops = [d1: 16, d0], vector = d0: 16, accumulators = {{[0-9]+}}, masked
// CHECK: loops = [d0, d1], vector = d0: 16, accumulators = {{[0-9]+}}, masked
// THREADS-LABEL: func @columns
// THREADS: loops = [d0: 128, d1: 16], {{.*}}accumulators = {{.*}}parallel = d0
func.func @columns(%x: tensor<4000x4000xf32>, %y: tensor<4000xf32>, %z: tensor<12x100xf32>, %w: tensor<100xf32>)
    -> (tensor<4000xf32>, tensor<100xf32>) {
  %0 = linalg.generic {indexing_maps = [#nm, #m], iterator_types = ["parallel", "reduction"]}
         ins(%x : tensor<4000x4000xf32>) outs(%y : tensor<4000xf32>) {
  ^bb0(%a: f32, %s: f32):
    %1 = arith.addf %s, %a : f32
    linalg.yield %1 : f32
  } -> tensor<4000xf32>
  %2 = linalg.generic {indexing_maps = [#nm, #m], iterator_types = ["parallel", "reduction"]}
         ins(%z : tensor<12x100xf32>) outs(%w : tensor<100xf32>) {
  ^bb0(%a: f32, %s: f32):
    %1 = arith.addf %s, %a : f32
    linalg.yield %1 : f32
  } -> tensor<100xf32>
  return %0, %2 : tensor<4000xf32>, tensor<100xf32>
}

// -----

#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>

// A maximum and what is relative to it: one loop. Threads need to know the size
// of a row, which is dynamic here.
// CHECK-LABEL: func @chain
// CHECK: linalg.fill
// CHECK: linalg.generic {{.*}}group = 0, loops = [d0: 1, d1]>
// CHECK: linalg.generic {{.*}}group = 0, loops = [d0: 1, d1]>
// THREADS-LABEL: func @chain
// THREADS: accumulators =
// THREADS: vector = d1, masked, stream_bytes
func.func @chain(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %m: index) -> tensor<?x?xf32> {
  %low = arith.constant 0xFF800000 : f32
  %e0 = tensor.empty(%m) : tensor<?xf32>
  %t = linalg.fill ins(%low : f32) outs(%e0 : tensor<?xf32>) -> tensor<?xf32>
  %top = linalg.generic {indexing_maps = [#mn, #m], iterator_types = ["parallel", "reduction"]}
           ins(%x : tensor<?x?xf32>) outs(%t : tensor<?xf32>) {
  ^bb0(%a: f32, %s: f32):
    %1 = arith.maximumf %s, %a : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  %e = linalg.generic {indexing_maps = [#mn, #m, #mn], iterator_types = ["parallel", "parallel"]}
           ins(%x, %top : tensor<?x?xf32>, tensor<?xf32>) outs(%y : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %1 = arith.subf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<?x?xf32>
  return %e : tensor<?x?xf32>
}

// -----

// Attention with a causal mask: blocks of rows, and of columns what the mask
// leaves. Threads share heads, as a head's copy of the keys and a block fit where
// each has its own.
// CHECK-LABEL: func @causal
// CHECK: linalg.contract {{.*}}group = 0, copies = [in_place, [d3, d2]], loops = [d0: 1, d1: 64, d2, d3], masked_columns = 64>
// CHECK: linalg.contract {{.*}}group = 0, {{.*}}masked_columns = 64>
// THREADS-LABEL: func @causal
// THREADS: linalg.contract {{.*}}group = 0, {{.*}}loops = [d0: 1, d1: 64, d2, d3], masked_columns = 64, parallel = d0
#q = affine_map<(h, s, t, d) -> (s, h, d)>
#k = affine_map<(h, s, t, d) -> (t, h, d)>
#c = affine_map<(h, s, t, d) -> (h, s, t)>
#v = affine_map<(h, s, d, t) -> (t, h, d)>
#p = affine_map<(h, s, d, t) -> (h, s, t)>
#o = affine_map<(h, s, d, t) -> (s, h, d)>
#hst = affine_map<(h, s, t) -> (h, s, t)>
#hs = affine_map<(h, s, t) -> (h, s)>
func.func @causal(%q: tensor<256x8x64xf32>, %k: tensor<256x8x64xf32>, %v: tensor<256x8x64xf32>, %y: tensor<256x8x64xf32>) -> tensor<256x8x64xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0e30 : f32
  %least = arith.constant 0xFF800000 : f32
  %e0 = tensor.empty() : tensor<8x256x256xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<8x256x256xf32>) -> tensor<8x256x256xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #c] ins(%q, %k : tensor<256x8x64xf32>, tensor<256x8x64xf32>) outs(%f0 : tensor<8x256x256xf32>) -> tensor<8x256x256xf32>
  %z = linalg.generic {indexing_maps = [#hst], iterator_types = ["parallel", "parallel", "parallel"]} outs(%s : tensor<8x256x256xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %seen = arith.cmpi sle, %j, %i : index
    %1 = arith.select %seen, %o, %low : f32
    linalg.yield %1 : f32
  } -> tensor<8x256x256xf32>
  %e1 = tensor.empty() : tensor<8x256xf32>
  %f1 = linalg.fill ins(%least : f32) outs(%e1 : tensor<8x256xf32>) -> tensor<8x256xf32>
  %top = linalg.generic {indexing_maps = [#hst, #hs], iterator_types = ["parallel", "parallel", "reduction"]}
           ins(%z : tensor<8x256x256xf32>) outs(%f1 : tensor<8x256xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.maximumf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<8x256xf32>
  %e2 = tensor.empty() : tensor<8x256x256xf32>
  %w = linalg.generic {indexing_maps = [#hst, #hs, #hst], iterator_types = ["parallel", "parallel", "parallel"]}
         ins(%z, %top : tensor<8x256x256xf32>, tensor<8x256xf32>) outs(%e2 : tensor<8x256x256xf32>) {
  ^bb0(%a: f32, %t: f32, %o: f32):
    %1 = arith.subf %a, %t : f32
    %2 = math.exp %1 : f32
    linalg.yield %2 : f32
  } -> tensor<8x256x256xf32>
  %f3 = linalg.fill ins(%zero : f32) outs(%y : tensor<256x8x64xf32>) -> tensor<256x8x64xf32>
  %r = linalg.contract indexing_maps = [#p, #v, #o] ins(%w, %v : tensor<8x256x256xf32>, tensor<256x8x64xf32>) outs(%f3 : tensor<256x8x64xf32>) -> tensor<256x8x64xf32>
  return %r : tensor<256x8x64xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

// Two layers of many rows are blocks of these: the hidden columns would come from
// far, and the weights are near. Not with threads, of which each would have memory
// of its own.
// CHECK-LABEL: func @layers
// CHECK-COUNT-3: group = 0, loops = [d0: 128, d1
// AVX2-LABEL: func @layers
// AVX2-COUNT-3: group = 0, loops = [d0: 64, d1
// THREADS-LABEL: func @layers
// THREADS-NOT: group =
func.func @layers(%x: tensor<16384x64xf32>, %v: tensor<64x256xf32>, %w: tensor<256x64xf32>,
                  %y: tensor<16384x64xf32>) -> tensor<16384x64xf32> {
  %zero = arith.constant 0.0 : f32
  %hidden = tensor.empty() : tensor<16384x256xf32>
  %start = linalg.fill ins(%zero : f32) outs(%hidden : tensor<16384x256xf32>) -> tensor<16384x256xf32>
  %z = linalg.contract indexing_maps = [#mk, #kn, #mn] ins(%x, %v : tensor<16384x64xf32>, tensor<64x256xf32>)
         outs(%start : tensor<16384x256xf32>) -> tensor<16384x256xf32>
  %g = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
         outs(%z : tensor<16384x256xf32>) {
  ^bb0(%old: f32):
    %t = math.tanh %old : f32
    linalg.yield %t : f32
  } -> tensor<16384x256xf32>
  %first = linalg.fill ins(%zero : f32) outs(%y : tensor<16384x64xf32>) -> tensor<16384x64xf32>
  %o = linalg.contract indexing_maps = [#mk, #kn, #mn] ins(%g, %w : tensor<16384x256xf32>, tensor<256x64xf32>)
         outs(%first : tensor<16384x64xf32>) -> tensor<16384x64xf32>
  return %o : tensor<16384x64xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// What is near anyway stays whole, and so do layers whose weights are not near.
// CHECK-LABEL: func @small_layers
// CHECK-NOT: group =
// AVX2-LABEL: func @small_layers
// THREADS-LABEL: func @small_layers
func.func @small_layers(%x: tensor<256x64xf32>, %v: tensor<64x256xf32>, %w: tensor<256x64xf32>,
                        %y: tensor<256x64xf32>) -> tensor<256x64xf32> {
  %zero = arith.constant 0.0 : f32
  %hidden = tensor.empty() : tensor<256x256xf32>
  %start = linalg.fill ins(%zero : f32) outs(%hidden : tensor<256x256xf32>) -> tensor<256x256xf32>
  %z = linalg.contract indexing_maps = [#mk, #kn, #mn] ins(%x, %v : tensor<256x64xf32>, tensor<64x256xf32>)
         outs(%start : tensor<256x256xf32>) -> tensor<256x256xf32>
  %o = linalg.contract indexing_maps = [#mk, #kn, #mn] ins(%z, %w : tensor<256x256xf32>, tensor<256x64xf32>)
         outs(%y : tensor<256x64xf32>) -> tensor<256x64xf32>
  return %o : tensor<256x64xf32>
}
// CHECK-LABEL: func @heavy_layers
// CHECK-NOT: group =
func.func @heavy_layers(%x: tensor<512x2048xf32>, %v: tensor<2048x8192xf32>, %w: tensor<8192x2048xf32>,
                        %y: tensor<512x2048xf32>) -> tensor<512x2048xf32> {
  %zero = arith.constant 0.0 : f32
  %hidden = tensor.empty() : tensor<512x8192xf32>
  %start = linalg.fill ins(%zero : f32) outs(%hidden : tensor<512x8192xf32>) -> tensor<512x8192xf32>
  %z = linalg.contract indexing_maps = [#mk, #kn, #mn] ins(%x, %v : tensor<512x2048xf32>, tensor<2048x8192xf32>)
         outs(%start : tensor<512x8192xf32>) -> tensor<512x8192xf32>
  %o = linalg.contract indexing_maps = [#mk, #kn, #mn] ins(%z, %w : tensor<512x8192xf32>, tensor<8192x2048xf32>)
         outs(%y : tensor<512x2048xf32>) -> tensor<512x2048xf32>
  return %o : tensor<512x2048xf32>
}

// -----

// On memrefs there are no results to follow from one product to the next.
// CHECK-LABEL: func @on_memrefs
// CHECK-COUNT-2: ein.schedule = #ein.schedule<>
// AVX2-LABEL: func @on_memrefs
// THREADS-LABEL: func @on_memrefs
func.func @on_memrefs(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %d: memref<?x?xf32>) {
  linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%c, %c : memref<?x?xf32>, memref<?x?xf32>) outs(%d : memref<?x?xf32>) {
    ^bb0(%u: f32, %v: f32, %o: f32):
      %p = arith.mulf %u, %v : f32
      %s = arith.addf %o, %p : f32
      linalg.yield %s : f32
  }
  return
}

// -----

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>

// What takes elements of other rows in its body is none of the group.
// CHECK-LABEL: func @reversed
// CHECK-NOT: group =
// AVX2-LABEL: func @reversed
// THREADS-LABEL: func @reversed
func.func @reversed(%x: tensor<100x100xf32>, %y: tensor<100x100xf32>) -> tensor<100x100xf32> {
  %zero = arith.constant 0.0 : f32
  %c99 = arith.constant 99 : index
  %e = tensor.empty() : tensor<100xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e : tensor<100xf32>) -> tensor<100xf32>
  %v = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<100x100xf32>) outs(%start : tensor<100xf32>) {
    ^bb0(%in: f32, %out: f32):
      %s = arith.addf %out, %in fastmath<reassoc> : f32
      linalg.yield %s : f32
  } -> tensor<100xf32>
  %r = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %v : tensor<100x100xf32>, tensor<100xf32>) outs(%y : tensor<100x100xf32>) {
    ^bb0(%in: f32, %row: f32, %out: f32):
      %i = linalg.index 0 : index
      %j = arith.subi %c99, %i : index
      %other = tensor.extract %v[%j] : tensor<100xf32>
      %p = arith.mulf %in, %row : f32
      %s = arith.addf %p, %other : f32
      linalg.yield %s : f32
  } -> tensor<100x100xf32>
  return %r : tensor<100x100xf32>
}

// -----

#nm = affine_map<(n, m) -> (n, m)>
#m = affine_map<(n, m) -> (m)>

// Sums of one matrix that is in no near cache are one loop over blocks of rows;
// of a small one they are not. Threads share each sum.
// CHECK-LABEL: func @two_sums
// CHECK-COUNT-2: linalg.generic {{.*}}group = 0, loops = [d0: {{[0-9]+}}, d1]>
// CHECK-NOT: group =
// THREADS-LABEL: func @two_sums
// THREADS-NOT: group =
func.func @two_sums(%x: tensor<9000x4000xf32>, %y: tensor<8x8xf32>, %s: tensor<4000xf32>,
                    %q: tensor<4000xf32>, %t: tensor<8xf32>, %r: tensor<8xf32>)
    -> (tensor<4000xf32>, tensor<4000xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0 = linalg.generic {indexing_maps = [#nm, #m], iterator_types = ["reduction", "parallel"]}
         ins(%x : tensor<9000x4000xf32>) outs(%s : tensor<4000xf32>) {
  ^bb0(%a: f32, %o: f32):
    %4 = arith.addf %o, %a fastmath<reassoc> : f32
    linalg.yield %4 : f32
  } -> tensor<4000xf32>
  %1 = linalg.generic {indexing_maps = [#nm, #m], iterator_types = ["reduction", "parallel"]}
         ins(%x : tensor<9000x4000xf32>) outs(%q : tensor<4000xf32>) {
  ^bb0(%a: f32, %o: f32):
    %4 = arith.maximumf %o, %a : f32
    linalg.yield %4 : f32
  } -> tensor<4000xf32>
  %2 = linalg.generic {indexing_maps = [#nm, #m], iterator_types = ["reduction", "parallel"]}
         ins(%y : tensor<8x8xf32>) outs(%t : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %4 = arith.addf %o, %a fastmath<reassoc> : f32
    linalg.yield %4 : f32
  } -> tensor<8xf32>
  %3 = linalg.generic {indexing_maps = [#nm, #m], iterator_types = ["reduction", "parallel"]}
         ins(%y : tensor<8x8xf32>) outs(%r : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %4 = arith.maximumf %o, %a : f32
    linalg.yield %4 : f32
  } -> tensor<8xf32>
  return %0, %1, %2, %3 : tensor<4000xf32>, tensor<4000xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

#nm = affine_map<(n, m) -> (n, m)>
#m = affine_map<(n, m) -> (m)>
#n = affine_map<(n, m) -> (n)>

// A sum of each row and one of all rows: blocks of rows, by price. With threads
// each is alone, as a loop over rows would carry the second: they share the first.
// CHECK-LABEL: func @both_ways
// CHECK-COUNT-2: linalg.generic {{.*}}group = 0, loops = [d0: {{[0-9]+}}, d1]>
// THREADS-LABEL: func @both_ways
// THREADS-NOT: group =
// THREADS: linalg.generic {{.*}}parallel = d0
// THREADS: linalg.generic
// THREADS-NOT: group =
// THREADS: return
func.func @both_ways(%x: tensor<4096x1024xf32>, %r: tensor<4096xf32>, %c: tensor<1024xf32>)
    -> (tensor<4096xf32>, tensor<1024xf32>) {
  %0 = linalg.generic {indexing_maps = [#nm, #n], iterator_types = ["parallel", "reduction"]}
         ins(%x : tensor<4096x1024xf32>) outs(%r : tensor<4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %2 = arith.addf %o, %a fastmath<reassoc> : f32
    linalg.yield %2 : f32
  } -> tensor<4096xf32>
  %1 = linalg.generic {indexing_maps = [#nm, #m], iterator_types = ["reduction", "parallel"]}
         ins(%x : tensor<4096x1024xf32>) outs(%c : tensor<1024xf32>) {
  ^bb0(%a: f32, %o: f32):
    %2 = arith.addf %o, %a fastmath<reassoc> : f32
    linalg.yield %2 : f32
  } -> tensor<1024xf32>
  return %0, %1 : tensor<4096xf32>, tensor<1024xf32>
}

// -----

#nm = affine_map<(n, m) -> (n, m)>
#m = affine_map<(n, m) -> (m)>
#n = affine_map<(n, m) -> (n)>

// The last op is one loop with the first and needs the second, and the third needs the
// first: a loop of the second and the third could be neither before that one nor behind.
// CHECK-LABEL: func @crosswise
// CHECK: linalg.generic {{.*}}group = 0
// CHECK-NOT: group =
// CHECK: linalg.generic {{.*}}group = 0
// CHECK-NOT: group =
// CHECK: return
func.func @crosswise(%x: tensor<4096x1024xf32>, %r: tensor<4096xf32>, %c: tensor<1024xf32>,
    %e: tensor<1024xf32>, %z: tensor<4096x1024xf32>)
    -> (tensor<4096xf32>, tensor<1024xf32>, tensor<4096x1024xf32>) {
  %0 = linalg.generic {indexing_maps = [#nm, #n], iterator_types = ["parallel", "reduction"]}
         ins(%x : tensor<4096x1024xf32>) outs(%r : tensor<4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %4 = arith.addf %o, %a fastmath<reassoc> : f32
    linalg.yield %4 : f32
  } -> tensor<4096xf32>
  %1 = linalg.generic {indexing_maps = [#nm, #m], iterator_types = ["reduction", "parallel"]}
         ins(%x : tensor<4096x1024xf32>) outs(%c : tensor<1024xf32>) {
  ^bb0(%a: f32, %o: f32):
    %4 = arith.maximumf %o, %a : f32
    linalg.yield %4 : f32
  } -> tensor<1024xf32>
  %2 = linalg.generic {indexing_maps = [#nm, #n, #m], iterator_types = ["reduction", "parallel"]}
         ins(%x, %0 : tensor<4096x1024xf32>, tensor<4096xf32>) outs(%e : tensor<1024xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %4 = arith.divf %a, %b : f32
    %5 = arith.maximumf %o, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<1024xf32>
  %3 = linalg.generic {indexing_maps = [#nm, #n, #m, #nm], iterator_types = ["parallel", "parallel"]}
         ins(%x, %0, %1 : tensor<4096x1024xf32>, tensor<4096xf32>, tensor<1024xf32>)
         outs(%z : tensor<4096x1024xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32, %o: f32):
    %4 = arith.divf %a, %b : f32
    %5 = arith.subf %4, %d : f32
    linalg.yield %5 : f32
  } -> tensor<4096x1024xf32>
  return %0, %2, %3 : tensor<4096xf32>, tensor<1024xf32>, tensor<4096x1024xf32>
}
