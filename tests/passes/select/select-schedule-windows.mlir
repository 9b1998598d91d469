// Sums over windows: register tiles of a row or two of the result.
// RUN: ein-opt %s -ein-select-schedule="triple=x86_64-unknown-linux-gnu cpu=skylake-avx512" \
// RUN:   | FileCheck %s
// RUN: ein-opt %s -ein-select-schedule="triple=x86_64-unknown-linux-gnu cpu=haswell" \
// RUN:   | FileCheck %s --check-prefix=AVX2
// RUN: ein-opt %s -ein-select-schedule="triple=aarch64-unknown-linux-gnu" \
// RUN:   | FileCheck %s --check-prefix=ARM
// RUN: ein-opt %s -ein-select-schedule="triple=x86_64-unknown-linux-gnu cpu=sapphirerapids" \
// RUN:   | FileCheck %s --check-prefix=VNNI
// AVX2-NOT: masked

// Six pixels by four vectors of filters; filters outside, channels inside, by
// fours. AVX2's tile is half as large and has no masks.
// CHECK-LABEL: func @nhwc
// CHECK: loops = [d2: 64, d0: {{3, d1: 2|2, d1: 3|1, d1: 6}}, d3, d4, d5], vector = d2: 16,
// CHECK-SAME: unroll = 4, masked
// AVX2-LABEL: func @nhwc
// AVX2: loops = [d2: 16, d0: {{3, d1: 2|2, d1: 3|1, d1: 6}}, d3, d4, d5], vector = d2: 8
#nhwc_i = affine_map<(h, w, f, kh, kw, c) -> (h + kh, w + kw, c)>
#nhwc_w = affine_map<(h, w, f, kh, kw, c) -> (kh, kw, c, f)>
#nhwc_o = affine_map<(h, w, f, kh, kw, c) -> (h, w, f)>
func.func @nhwc(%i: tensor<32x32x32xf32>, %w: tensor<3x3x32x64xf32>, %o: tensor<30x30x64xf32>) -> tensor<30x30x64xf32> {
  %0 = linalg.generic {
         indexing_maps = [#nhwc_i, #nhwc_w, #nhwc_o],
         iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
         ins(%i, %w : tensor<32x32x32xf32>, tensor<3x3x32x64xf32>) outs(%o : tensor<30x30x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<30x30x64xf32>
  return %0 : tensor<30x30x64xf32>
}

// So many channels that filters of the whole window do not fit: its rows and
// columns are outside of the loops over the image.
// CHECK-LABEL: func @outside
// CHECK: loops = [d3: 1, d4: 1, d2: {{[0-9]+}}, d0: {{[0-9]}}, d1: {{[0-9]}}, d5], vector = d2: {{.*}}unrolled_sums =
func.func @outside(%i: tensor<9x9x512xf32>, %w: tensor<3x3x512x512xf32>, %o: tensor<7x7x512xf32>) -> tensor<7x7x512xf32> {
  %0 = linalg.generic {
         indexing_maps = [#nhwc_i, #nhwc_w, #nhwc_o],
         iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
         ins(%i, %w : tensor<9x9x512xf32>, tensor<3x3x512x512xf32>) outs(%o : tensor<7x7x512xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<7x7x512xf32>
  return %0 : tensor<7x7x512xf32>
}

// A named op, along rows of the image; the window is straight code.
// CHECK-LABEL: func @nchw
// CHECK: linalg.conv_2d_nchw_fchw {{.*}}loops = [d1: {{[0-9]+}}, d0: 1, d2: {{[0-9]+}}, d3: {{16|32}}, d4, d5, d6], vector = d3: 16, unrolled_sums = 2, masked
func.func @nchw(%i: tensor<1x64x30x30xf32>, %w: tensor<64x64x3x3xf32>, %o: tensor<1x64x28x28xf32>) -> tensor<1x64x28x28xf32> {
  %0 = linalg.conv_2d_nchw_fchw {strides = dense<1> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
         ins(%i, %w : tensor<1x64x30x30xf32>, tensor<64x64x3x3xf32>) outs(%o : tensor<1x64x28x28xf32>)
         -> tensor<1x64x28x28xf32>
  return %0 : tensor<1x64x28x28xf32>
}

// Depthwise: channels are the vectors. All of the window is straight code.
// CHECK-LABEL: func @depthwise
// CHECK: linalg.depthwise_conv_2d_nhwc_hwc {{.*}}d4, d5], vector = d3: 16, unrolled_sums = 2
func.func @depthwise(%i: tensor<1x30x30x480xf32>, %w: tensor<3x3x480xf32>, %o: tensor<1x28x28x480xf32>) -> tensor<1x28x28x480xf32> {
  %0 = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<1> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
         ins(%i, %w : tensor<1x30x30x480xf32>, tensor<3x3x480xf32>) outs(%o : tensor<1x28x28x480xf32>)
         -> tensor<1x28x28x480xf32>
  return %0 : tensor<1x28x28x480xf32>
}

// Pixels of 2 KiB fall into a few sets of L1, which hold one row of a window: the
// step from row to row stays a loop.
// CHECK-LABEL: func @sets
// CHECK: linalg.depthwise_conv_2d_nhwc_hwc {{.*}}loops = [d3: 64, d0: 1, d1: 1, d2: {{[0-9]+}}, d4, d5], vector = d3: 16, unrolled_sums = 1
func.func @sets(%i: tensor<1x30x30x512xf32>, %w: tensor<3x3x512xf32>, %o: tensor<1x28x28x512xf32>) -> tensor<1x28x28x512xf32> {
  %0 = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<1> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
         ins(%i, %w : tensor<1x30x30x512xf32>, tensor<3x3x512xf32>) outs(%o : tensor<1x28x28x512xf32>)
         -> tensor<1x28x28x512xf32>
  return %0 : tensor<1x28x28x512xf32>
}

// A window of an unknown size is short: two steps are made one.
// CHECK-LABEL: func.func @open
// CHECK: linalg.depthwise_conv_2d_nhwc_hwc {{.*}}unroll = 2
func.func @open(%i: tensor<1x?x?x512xf32>, %w: tensor<?x?x512xf32>, %o: tensor<1x?x?x512xf32>) -> tensor<1x?x?x512xf32> {
  %0 = linalg.depthwise_conv_2d_nhwc_hwc
         ins(%i, %w : tensor<1x?x?x512xf32>, tensor<?x?x512xf32>) outs(%o : tensor<1x?x?x512xf32>) -> tensor<1x?x?x512xf32>
  return %0 : tensor<1x?x?x512xf32>
}

// The largest of floats is ieee_min_max, with seven masks at most. (AArch64 has an
// instruction for it.)
// CHECK-LABEL: func @largest
// CHECK: linalg.pooling_nhwc_max {{.*}}loops = [d0: 1, d1: {{[1-7]}}, d2: {{[1-7]}}, d3: 16, d4, d5], {{.*}}ieee_min_max
// ARM-LABEL: func @largest
// ARM: unrolled_sums =
// ARM-NOT: ieee_min_max
func.func @largest(%i: tensor<1x30x30x192xf32>, %o: tensor<1x28x28x192xf32>) -> tensor<1x28x28x192xf32> {
  %w = tensor.empty() : tensor<3x3xf32>
  %0 = linalg.pooling_nhwc_max {strides = dense<1> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
         ins(%i, %w : tensor<1x30x30x192xf32>, tensor<3x3xf32>) outs(%o : tensor<1x28x28x192xf32>)
         -> tensor<1x28x28x192xf32>
  return %0 : tensor<1x28x28x192xf32>
}

// What does not lie along the result's last dim is copied.
// CHECK-LABEL: func @other_dim
// CHECK: linalg.generic {{.*}}copies = {{\[\[}}d1] whole, in_place]
// CHECK-LABEL: func @filters_first
// CHECK: linalg.generic {{.*}}copies = [in_place, [d2] whole]
// ARM-LABEL: func @filters_first
// ARM: linalg.generic {{.*}}copies = [in_place, [d2] whole]
func.func @other_dim(%i: tensor<34x32xf32>, %w: tensor<3xf32>, %o: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = linalg.generic {
         indexing_maps = [affine_map<(x, y, k) -> (y + k, x)>, affine_map<(x, y, k) -> (k)>, affine_map<(x, y, k) -> (x, y)>],
         iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%i, %w : tensor<34x32xf32>, tensor<3xf32>) outs(%o : tensor<32x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %8 = arith.mulf %a, %b : f32
    %9 = arith.addf %c, %8 : f32
    linalg.yield %9 : f32
  } -> tensor<32x32xf32>
  return %0 : tensor<32x32xf32>
}
func.func @filters_first(%i: tensor<32x32x32xf32>, %w: tensor<64x3x3x32xf32>, %o: tensor<30x30x64xf32>) -> tensor<30x30x64xf32> {
  %0 = linalg.generic {
         indexing_maps = [#nhwc_i, affine_map<(h, w, f, kh, kw, c) -> (f, kh, kw, c)>, #nhwc_o],
         iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
         ins(%i, %w : tensor<32x32x32xf32>, tensor<64x3x3x32xf32>) outs(%o : tensor<30x30x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<30x30x64xf32>
  return %0 : tensor<30x30x64xf32>
}

// A subscript that is no sum; a body that calls functions; a division, which
// could be one by a lane that is not there.
// CHECK-LABEL: func @no_windows
// CHECK-COUNT-3: #ein.schedule<>
// CHECK-NOT: loops =
#xk = affine_map<(x, y, k) -> (x + k, y)>
#xy = affine_map<(x, y, k) -> (x, y)>
#kx = affine_map<(x, y, k) -> (k)>
func.func @no_windows(%i: tensor<34x32xf32>, %n: tensor<34x32xi32>, %w: tensor<3xf32>, %o: tensor<32x32xf32>, %m: tensor<32x32xi32>)
    -> (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xi32>) {
  %0 = linalg.generic {
         indexing_maps = [affine_map<(x, y, k) -> (y + k, x)>, #kx, #xy], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%i, %w : tensor<34x32xf32>, tensor<3xf32>) outs(%o : tensor<32x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %8 = arith.mulf %a, %b : f32
    %9 = arith.addf %c, %8 : f32
    linalg.yield %9 : f32
  } -> tensor<32x32xf32>
  %1 = linalg.generic {
         indexing_maps = [affine_map<(x, y, k) -> ((x + k) floordiv 2, y)>, #kx, #xy],
         iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%i, %w : tensor<34x32xf32>, tensor<3xf32>) outs(%o : tensor<32x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %8 = arith.mulf %a, %b : f32
    %9 = arith.addf %c, %8 : f32
    linalg.yield %9 : f32
  } -> tensor<32x32xf32>
  %2 = linalg.generic {
         indexing_maps = [#xk, #kx, #xy], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%i, %w : tensor<34x32xf32>, tensor<3xf32>) outs(%o : tensor<32x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %8 = math.powf %a, %b : f32
    %9 = arith.addf %c, %8 : f32
    linalg.yield %9 : f32
  } -> tensor<32x32xf32>
  %3 = linalg.generic {
         indexing_maps = [#xk, #kx, #xy], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%n, %w : tensor<34x32xi32>, tensor<3xf32>) outs(%m : tensor<32x32xi32>) {
  ^bb0(%a: i32, %b: f32, %c: i32):
    %8 = arith.divsi %c, %a : i32
    linalg.yield %8 : i32
  } -> tensor<32x32xi32>
  return %0, %1, %2, %3 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xi32>
}

// A batch of products that lies along memory: vectors along it, and no window.
// CHECK-LABEL: func @batch_last
// CHECK: linalg.contract {{.*}}loops = [{{.*}}d0: {{[4-6]}}, {{.*}}d3], vector = d2: 16
// AVX2-LABEL: func @batch_last
// AVX2: linalg.contract {{.*}}d3], vector = d2: 8
func.func @batch_last(%a: tensor<40x56x32xf32>, %b: tensor<56x48x32xf32>, %o: tensor<40x48x32xf32>) -> tensor<40x48x32xf32> {
  %0 = linalg.contract
         indexing_maps = [affine_map<(m, n, b, k) -> (m, k, b)>, affine_map<(m, n, b, k) -> (k, n, b)>,
                          affine_map<(m, n, b, k) -> (m, n, b)>]
         ins(%a, %b : tensor<40x56x32xf32>, tensor<56x48x32xf32>) outs(%o : tensor<40x48x32xf32>) -> tensor<40x48x32xf32>
  return %0 : tensor<40x48x32xf32>
}

// A row times a matrix of halves: in registers, without panels. Of f32 it is a
// product of matrices.
// AVX2-LABEL: func @row
// AVX2: linalg.contract {{.*}}vector = d1: 8, unrolled_sums
// AVX2-LABEL: func @wide_row
// AVX2: linalg.contract {{.*}}operands =
func.func @row(%a: tensor<1x512xbf16>, %b: tensor<512x256xbf16>, %o: tensor<1x256xf32>) -> tensor<1x256xf32> {
  %0 = linalg.contract
         indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
         ins(%a, %b : tensor<1x512xbf16>, tensor<512x256xbf16>) outs(%o : tensor<1x256xf32>) -> tensor<1x256xf32>
  return %0 : tensor<1x256xf32>
}
func.func @wide_row(%a: tensor<1x512xf32>, %b: tensor<512x256xf32>, %o: tensor<1x256xf32>) -> tensor<1x256xf32> {
  %0 = linalg.contract
         indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
         ins(%a, %b : tensor<1x512xf32>, tensor<512x256xf32>) outs(%o : tensor<1x256xf32>) -> tensor<1x256xf32>
  return %0 : tensor<1x256xf32>
}

// Halves are extended in copies where there is no instruction for them.
// AVX2-LABEL: func @halves
// AVX2: linalg.generic {{.*}}copies = {{\[\[}}d5] whole, [d2] whole]
// AVX2-NOT: k_pack
// AVX2: linalg.yield
func.func @halves(%i: tensor<32x32x32xbf16>, %w: tensor<3x3x32x64xbf16>, %o: tensor<30x30x64xf32>) -> tensor<30x30x64xf32> {
  %0 = linalg.generic {
         indexing_maps = [#nhwc_i, #nhwc_w, #nhwc_o],
         iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
         ins(%i, %w : tensor<32x32x32xbf16>, tensor<3x3x32x64xbf16>) outs(%o : tensor<30x30x64xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %1 = arith.extf %a : bf16 to f32
    %2 = arith.extf %b : bf16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %c, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<30x30x64xf32>
  return %0 : tensor<30x30x64xf32>
}

// Bytes: filters are copied to groups of channels for an instruction of four
// products, and without one both inputs to pairs of words.
// CHECK-LABEL: func @bytes
// CHECK: linalg.generic {{.*}}copies = {{\[\[}}d5] whole, [d5, d2] whole], squares = 16, {{.*}}sums = d5, k_pack = 2>
// AVX2-LABEL: func @bytes
// AVX2: linalg.generic {{.*}}copies = {{\[\[}}d5] whole, [d5, d2] whole], squares = 8, {{.*}}sums = d5, k_pack = 2>
// ARM-LABEL: func @bytes
// ARM-NOT: k_pack
// VNNI-LABEL: func @bytes
// VNNI: linalg.generic {{.*}}copies = [in_place, [d5, d2] whole], squares = 16, {{.*}}sums = d5, k_pack = 4>
func.func @bytes(%i: tensor<32x32x32xi8>, %w: tensor<3x3x32x64xi8>, %o: tensor<30x30x64xi32>) -> tensor<30x30x64xi32> {
  %0 = linalg.generic {
         indexing_maps = [#nhwc_i, #nhwc_w, #nhwc_o],
         iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
         ins(%i, %w : tensor<32x32x32xi8>, tensor<3x3x32x64xi8>) outs(%o : tensor<30x30x64xi32>) {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %1 = arith.extui %a : i8 to i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %c, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<30x30x64xi32>
  return %0 : tensor<30x30x64xi32>
}

// One channel of each window makes no groups.
// VNNI-LABEL: func @bytes_depthwise
// VNNI-NOT: k_pack
func.func @bytes_depthwise(%i: tensor<32x32x64xi8>, %w: tensor<3x3x64xi8>, %o: tensor<30x30x64xi32>) -> tensor<30x30x64xi32> {
  %0 = linalg.generic {
         indexing_maps = [affine_map<(h, w, c, kh, kw) -> (h + kh, w + kw, c)>,
                          affine_map<(h, w, c, kh, kw) -> (kh, kw, c)>,
                          affine_map<(h, w, c, kh, kw) -> (h, w, c)>],
         iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
         ins(%i, %w : tensor<32x32x64xi8>, tensor<3x3x64xi8>) outs(%o : tensor<30x30x64xi32>) {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %1 = arith.extui %a : i8 to i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %c, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<30x30x64xi32>
  return %0 : tensor<30x30x64xi32>
}
