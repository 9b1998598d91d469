// RUN: ein-opt %s -ein-vectorize-tiles -canonicalize -cse -split-input-file -verify-diagnostics \
// RUN:   | FileCheck %s

// A row of 6 pixels as tiles of 4 and of 2, filters as one vector; the channels
// are a loop that carries the tile, the window round it as well. The fill is
// where the sums start.
// CHECK-LABEL: func @nhwc
// CHECK-SAME: %[[I:.*]]: tensor<5x8x10xf32>, %[[W:.*]]: tensor<3x3x10x4xf32>
// CHECK-NOT: linalg
// CHECK: scf.for %[[H:.*]] = %c0 to %c3
// CHECK: scf.for %[[KH:.*]] = %c0 to %c3 step %c1 iter_args(%{{.*}} = %cst, %{{.*}} = %cst, %{{.*}} = %cst, %{{.*}} = %cst)
// CHECK: scf.for %[[KW:.*]] = %c0 to %c3
// CHECK: scf.for %[[C:.*]] = %c0 to %c10
// CHECK: %[[ROW:.*]] = affine.apply {{.*}}(%[[H]], %[[KH]])
// CHECK: tensor.extract %[[I]][%[[ROW]], %[[KW]], %[[C]]]
// CHECK: vector.transfer_read %[[W]][%[[KH]], %[[KW]], %[[C]], %c0], {{.*}} : tensor<3x3x10x4xf32>, vector<4xf32>
// CHECK: arith.mulf {{.*}} : vector<4xf32>
// CHECK: arith.addf {{.*}} : vector<4xf32>
// CHECK: } {ein.long_sum, ein.unroll = 4 : i64}
// CHECK-COUNT-4: vector.transfer_write
// CHECK: iter_args(%{{.*}} = %cst, %{{.*}} = %cst)
// CHECK-COUNT-2: vector.transfer_write
// CHECK-NOT: vector.transfer_write
// CHECK: return
func.func @nhwc(%i: tensor<5x8x10xf32>, %w: tensor<3x3x10x4xf32>, %o: tensor<3x6x4xf32>) -> tensor<3x6x4xf32> {
  %zero = arith.constant 0.0 : f32
  %start = linalg.fill ins(%zero : f32) outs(%o : tensor<3x6x4xf32>) -> tensor<3x6x4xf32>
  %0 = linalg.generic {
         indexing_maps = [affine_map<(h, w, f, kh, kw, c) -> (h + kh, w + kw, c)>,
                          affine_map<(h, w, f, kh, kw, c) -> (kh, kw, c, f)>,
                          affine_map<(h, w, f, kh, kw, c) -> (h, w, f)>],
         iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"],
         ein.schedule = #ein.schedule<loops = [d2: 4, d0: 1, d1: 4, d3, d4, d5], vector = d2: 4,
                         unrolled_sums = 0, unroll = 4>}
         ins(%i, %w : tensor<5x8x10xf32>, tensor<3x3x10x4xf32>) outs(%start : tensor<3x6x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<3x6x4xf32>
  return %0 : tensor<3x6x4xf32>
}

// -----

// Every second element: two vectors and a shuffle. Of nine columns the last
// vector has one, for which one element of the first is read and none of the
// second. A window of three is straight code.
// CHECK-LABEL: func @by_two
// CHECK-SAME: %[[I:.*]]: tensor<19xf32>, %[[O:.*]]: tensor<9xf32>
// CHECK: scf.for %[[X:.*]] = %c0 to %c8 step %c4
// CHECK: vector.transfer_read %{{.*}}[%[[X]]]
// CHECK-COUNT-6: vector.transfer_read %[[I]]
// CHECK-COUNT-1: vector.transfer_write
// CHECK: %[[ONE:.*]] = vector.constant_mask [1] : vector<4xi1>
// CHECK: vector.transfer_read %{{.*}}[%c8], %{{.*}}, %[[ONE]]
// CHECK: vector.transfer_read %[[I]][%c16], %{{.*}}, %{{.*}} {
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 2, 5, 7] : vector<4xf32>, vector<4xf32>
// CHECK: arith.maximumf
// CHECK: vector.transfer_write {{.*}}[%c8], %[[ONE]]
// CHECK: return
func.func @by_two(%i: tensor<19xf32>, %o: tensor<9xf32>) -> tensor<9xf32> {
  %k = tensor.empty() : tensor<3xf32>
  %0 = linalg.generic {
         indexing_maps = [affine_map<(x, k) -> (x * 2 + k)>, affine_map<(x, k) -> (k)>, affine_map<(x, k) -> (x)>],
         iterator_types = ["parallel", "reduction"],
         ein.schedule = #ein.schedule<loops = [d0: 4, d1], vector = d0: 4, unrolled_sums = 1,
                         masked>}
         ins(%i, %k : tensor<19xf32>, tensor<3xf32>) outs(%o : tensor<9xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.maximumf %a, %c : f32
    linalg.yield %1 : f32
  } -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// -----

// Dynamic sizes: of rows that do not fill a tile the last one is computed again;
// columns that do not fill one go by single vectors, with a mask, or without
// masks by single elements.
// CHECK-LABEL: func @dynamic
// CHECK: scf.for {{.*}} step %c8
// CHECK: scf.for {{.*}} step %c2
// CHECK: vector<4xf32>
// CHECK: scf.for %[[H:.*]] = %{{.*}} to %{{.*}} step %c2
// CHECK: arith.minsi
// CHECK: scf.for {{.*}} step %c4
// CHECK: arith.cmpi sgt
// CHECK: return
// CHECK-LABEL: func @open_without_masks
// CHECK: scf.for {{.*}} step %c8
// CHECK: scf.for {{.*}} step %c4
// CHECK: scf.for {{.*}} step %c1
// CHECK: vector<1xf32>
// CHECK-NOT: arith.cmpi
// CHECK: return
#image = affine_map<(h, w, k) -> (h + k, w)>
#window = affine_map<(h, w, k) -> (k)>
#result = affine_map<(h, w, k) -> (h, w)>
func.func @dynamic(%i: tensor<?x?xf32>, %w: tensor<?xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {
         indexing_maps = [#image, #window, #result], iterator_types = ["parallel", "parallel", "reduction"],
         ein.schedule = #ein.schedule<loops = [d1: 8, d0: 2, d2], vector = d1: 4,
                         unrolled_sums = 0, masked>}
         ins(%i, %w : tensor<?x?xf32>, tensor<?xf32>) outs(%o : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @open_without_masks(%i: tensor<?x?xf32>, %w: tensor<?xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {
         indexing_maps = [#image, #window, #result], iterator_types = ["parallel", "parallel", "reduction"],
         ein.schedule = #ein.schedule<loops = [d1: 8, d0: 1, d2], vector = d1: 4,
                         unrolled_sums = 0>}
         ins(%i, %w : tensor<?x?xf32>, tensor<?xf32>) outs(%o : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// A sum outside of the loop over pixels leaves a tile in between: it is read
// again, and the fill stays.
// CHECK-LABEL: func @outside
// CHECK: linalg.fill
// CHECK: scf.for %[[K:.*]] = %c0 to %c3
// CHECK: scf.for %[[X:.*]] = %c0 to %c64
// CHECK: vector.transfer_read {{.*}}[%[[X]]]
func.func @outside(%i: tensor<66xf32>, %w: tensor<3xf32>, %o: tensor<64xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %start = linalg.fill ins(%zero : f32) outs(%o : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.generic {
         indexing_maps = [affine_map<(x, k) -> (x + k)>, affine_map<(x, k) -> (k)>, affine_map<(x, k) -> (x)>],
         iterator_types = ["parallel", "reduction"],
         ein.schedule = #ein.schedule<loops = [d1: 1, d0: 4], vector = d0: 4, unrolled_sums = 0>}
         ins(%i, %w : tensor<66xf32>, tensor<3xf32>) outs(%start : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

// A batch of products whose elements lie beside each other: of a tile of 2 by 2 there are
// four vectors of sums, which start at zero and take two vectors of each side in a step.
// CHECK-LABEL: func @batch_last
// CHECK: scf.for {{.*}} iter_args(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>)
// CHECK-COUNT-4: arith.mulf {{.*}} : vector<4xf32>
// CHECK: scf.yield
func.func @batch_last(%a: tensor<6x9x8xf32>, %b: tensor<9x10x8xf32>, %o: tensor<6x10x8xf32>) -> tensor<6x10x8xf32> {
  %zero = arith.constant 0.0 : f32
  %start = linalg.fill ins(%zero : f32) outs(%o : tensor<6x10x8xf32>) -> tensor<6x10x8xf32>
  %0 = linalg.contract
         indexing_maps = [affine_map<(m, n, b, k) -> (m, k, b)>, affine_map<(m, n, b, k) -> (k, n, b)>,
                          affine_map<(m, n, b, k) -> (m, n, b)>]
         {ein.schedule = #ein.schedule<loops = [d0: 2, d1: 2, d2: 4, d3], vector = d2: 4, unrolled_sums = 0>}
         ins(%a, %b : tensor<6x9x8xf32>, tensor<9x10x8xf32>) outs(%start : tensor<6x10x8xf32>) -> tensor<6x10x8xf32>
  return %0 : tensor<6x10x8xf32>
}

// -----

func.func @across(%a: tensor<8x8xf32>, %o: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error @+1 {{'linalg.generic' op cannot be a window: an operand does not lie along the last dim of the result}}
  %0 = linalg.generic {
         indexing_maps = [affine_map<(x, y) -> (y, x)>, affine_map<(x, y) -> (x, y)>],
         iterator_types = ["parallel", "parallel"],
         ein.schedule = #ein.schedule<loops = [d0: 1, d1: 4], vector = d1: 4, unrolled_sums = 0>}
         ins(%a : tensor<8x8xf32>) outs(%o : tensor<8x8xf32>) {
  ^bb0(%b: f32, %c: f32):
    linalg.yield %b : f32
  } -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

func.func @tiled_sum(%i: tensor<10xf32>, %w: tensor<3xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'linalg.generic' op has a tile of 2 along d1, which a window does not have there}}
  %0 = linalg.generic {
         indexing_maps = [affine_map<(x, k) -> (x + k)>, affine_map<(x, k) -> (k)>, affine_map<(x, k) -> (x)>],
         iterator_types = ["parallel", "reduction"],
         ein.schedule = #ein.schedule<loops = [d0: 4, d1: 2], vector = d0: 4, unrolled_sums = 0>}
         ins(%i, %w : tensor<10xf32>, tensor<3xf32>) outs(%o : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @along_first(%i: tensor<10x8xf32>, %w: tensor<3xf32>, %o: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error @+1 {{'linalg.generic' op has vectors along d0, which is not its result's last dim}}
  %0 = linalg.generic {
         indexing_maps = [affine_map<(x, y, k) -> (x + k, y)>, affine_map<(x, y, k) -> (k)>,
                          affine_map<(x, y, k) -> (x, y)>],
         iterator_types = ["parallel", "parallel", "reduction"],
         ein.schedule = #ein.schedule<loops = [d0: 4, d1: 4, d2], vector = d0: 4,
                         unrolled_sums = 0>}
         ins(%i, %w : tensor<10x8xf32>, tensor<3xf32>) outs(%o : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// Of a maximum a step has one value for each of the two vectors, and a witness,
// which is a sum of products of elements. Should that be NaN, or a maximum -0,
// then all is gathered once more, exactly and by a loop.
// CHECK-LABEL: func @ieee_min_max
// CHECK-SAME: %{{.*}}: tensor<12xf32>, %[[R:.*]]: tensor<8xf32>, %[[O:.*]]: tensor<8xf32>
// CHECK: %[[S:.*]]:3 = scf.for
// CHECK-SAME: -> (vector<4xf32>, vector<4xf32>, vector<4xf32>)
// CHECK-NOT: arith.cmpf ord
// CHECK-COUNT-2: arith.cmpf ogt
// CHECK: arith.mulf {{.*}} fastmath<contract> : vector<4xf32>
// CHECK: arith.addf {{.*}} fastmath<contract> : vector<4xf32>
// CHECK: scf.yield
// CHECK: %[[LEAST:.*]] = arith.minsi
// CHECK: %[[ISZERO:.*]] = arith.cmpi eq, %[[LEAST]]
// CHECK: %[[ISNAN:.*]] = arith.cmpf uno
// CHECK: %[[ARE:.*]] = arith.ori %[[ISZERO]], %[[ISNAN]]
// CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[ARE]]
// CHECK: %[[M:.*]]:2 = scf.if %[[ANY]]
// CHECK: scf.for
// CHECK-SAME: -> (vector<4xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>, vector<4xi32>, vector<4xi1>)
// CHECK: arith.cmpf ord
// CHECK: } else {
// CHECK: } {ein.unlikely}
// CHECK: %[[RESIDUAL:.*]] = vector.transfer_read %[[R]][%c0]
// CHECK: %[[SUM:.*]] = arith.addf %[[M]]#0, %[[RESIDUAL]]
// CHECK: vector.transfer_write %[[SUM]], %[[O]][%c0]
// CHECK: vector.transfer_read %[[R]][%c4]
// CHECK-NOT: linalg
// CHECK: return
func.func @ieee_min_max(%i: tensor<12xf32>, %r: tensor<8xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  %least = arith.constant 0xFF800000 : f32
  %window = tensor.empty() : tensor<5xf32>
  %start = linalg.fill ins(%least : f32) outs(%o : tensor<8xf32>) -> tensor<8xf32>
  %0 = linalg.generic {
         indexing_maps = [affine_map<(x, k) -> (x + k)>, affine_map<(x, k) -> (k)>, affine_map<(x, k) -> (x)>],
         iterator_types = ["parallel", "reduction"],
         ein.schedule = #ein.schedule<loops = [d0: 8, d1], vector = d0: 4, unrolled_sums = 0,
                         masked, ieee_min_max>}
         ins(%i, %window : tensor<12xf32>, tensor<5xf32>) outs(%start : tensor<8xf32>) {
  ^bb0(%a: f32, %k: f32, %c: f32):
    %1 = arith.maximumf %c, %a : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  %2 = linalg.generic {
         indexing_maps = [affine_map<(x) -> (x)>, affine_map<(x) -> (x)>], iterator_types = ["parallel"],
         ein.schedule = #ein.schedule<in_epilogue>}
         ins(%r : tensor<8xf32>) outs(%0 : tensor<8xf32>) {
  ^bb0(%a: f32, %c: f32):
    %1 = arith.addf %c, %a : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// -----

// A minimum that is ieee_min_max: three values for each of the two vectors, of two
// elements of the window at a time and then of the fifth, and an epilogue before
// they are written.
// CHECK-LABEL: func @minimum
// CHECK-SAME: %{{.*}}: tensor<12xf32>, %[[R:.*]]: tensor<8xf32>, %[[O:.*]]: tensor<8xf32>
// CHECK: %[[S:.*]]:6 = scf.for
// CHECK-SAME: -> (vector<4xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>, vector<4xi32>, vector<4xi1>)
// CHECK: arith.cmpf ord
// CHECK: arith.cmpf olt
// CHECK: arith.ori {{.*}} : vector<4xi32>
// CHECK: arith.andi {{.*}} : vector<4xi1>
// CHECK-NOT: minimumf
// CHECK: scf.yield
// CHECK: %[[BITS:.*]] = arith.andi %[[S]]#2
// CHECK: arith.cmpf oeq
// CHECK: %[[M:.*]] = arith.select %[[BITS]]
// CHECK: %[[RESIDUAL:.*]] = vector.transfer_read %[[R]][%c0]
// CHECK: %[[SUM:.*]] = arith.addf %[[M]], %[[RESIDUAL]]
// CHECK: vector.transfer_write %[[SUM]], %[[O]][%c0]
// CHECK: vector.transfer_read %[[R]][%c4]
// CHECK-NOT: linalg
// CHECK: return
func.func @minimum(%i: tensor<12xf32>, %r: tensor<8xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  %most = arith.constant 0x7F800000 : f32
  %window = tensor.empty() : tensor<5xf32>
  %start = linalg.fill ins(%most : f32) outs(%o : tensor<8xf32>) -> tensor<8xf32>
  %0 = linalg.generic {
         indexing_maps = [affine_map<(x, k) -> (x + k)>, affine_map<(x, k) -> (k)>, affine_map<(x, k) -> (x)>],
         iterator_types = ["parallel", "reduction"],
         ein.schedule = #ein.schedule<loops = [d0: 8, d1], vector = d0: 4, unrolled_sums = 0,
                         masked, ieee_min_max>}
         ins(%i, %window : tensor<12xf32>, tensor<5xf32>) outs(%start : tensor<8xf32>) {
  ^bb0(%a: f32, %k: f32, %c: f32):
    %1 = arith.minimumf %c, %a : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  %2 = linalg.generic {
         indexing_maps = [affine_map<(x) -> (x)>, affine_map<(x) -> (x)>], iterator_types = ["parallel"],
         ein.schedule = #ein.schedule<in_epilogue>}
         ins(%r : tensor<8xf32>) outs(%0 : tensor<8xf32>) {
  ^bb0(%a: f32, %c: f32):
    %1 = arith.addf %c, %a : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// -----

// A sum is not.
func.func @sum(%i: tensor<12xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  %window = tensor.empty() : tensor<5xf32>
  // expected-error @below {{is no maximum or minimum of floats for IEEE 754 semantics}}
  %0 = linalg.generic {
         indexing_maps = [affine_map<(x, k) -> (x + k)>, affine_map<(x, k) -> (k)>, affine_map<(x, k) -> (x)>],
         iterator_types = ["parallel", "reduction"],
         ein.schedule = #ein.schedule<loops = [d0: 8, d1], vector = d0: 4, unrolled_sums = 0,
                         ieee_min_max>}
         ins(%i, %window : tensor<12xf32>, tensor<5xf32>) outs(%o : tensor<8xf32>) {
  ^bb0(%a: f32, %k: f32, %c: f32):
    %1 = arith.addf %c, %a : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Two rows by two vectors of sums of groups, and beside them one for each vector
// of what is too much, as the image's bytes are moved by 128. A group of the
// image is read as one and goes to all lanes; of filters a vector is contiguous.
// CHECK-LABEL: func @groups
// CHECK-SAME: %[[I:.*]]: tensor<10x8xi8>, %[[K:.*]]: tensor<3x2x16x4xi8>
// CHECK-DAG: %[[HALF:.*]] = arith.constant dense<-128> : vector<4xi8>
// CHECK-DAG: %[[FLAT:.*]] = tensor.collapse_shape %[[K]] {{\[\[}}0], [1], [2, 3]]
// CHECK: scf.for {{.*}} -> (vector<4xi32>, vector<4xi32>, vector<4xi32>, vector<4xi32>, vector<4xi32>, vector<4xi32>)
// CHECK: scf.for {{.*}} iter_args(%[[S0:[^ ]*]] = {{.*}}, %[[S1:[^ ]*]] = {{.*}}, %[[S2:[^ ]*]] = {{.*}}, %[[S3:[^ ]*]] = {{.*}}, %[[T0:[^ ]*]] = {{.*}}, %[[T1:[^ ]*]] = {{.*}})
// CHECK:   %[[GROUP:.*]] = vector.transfer_read %[[I]]{{.*}} : tensor<10x8xi8>, vector<4xi8>
// CHECK:   %[[B0:.*]] = vector.transfer_read %[[FLAT]]{{.*}} : tensor<3x2x64xi8>, vector<16xi8>
// CHECK:   %[[MOVED:.*]] = arith.xori %[[GROUP]], %[[HALF]]
// CHECK:   %[[WORD:.*]] = vector.bitcast %[[MOVED]] : vector<4xi8> to vector<1xi32>
// CHECK:   vector.broadcast %{{.*}} : i32 to vector<4xi32>
// CHECK-COUNT-4: ein.dot_products %{{.*}} unsigned, %{{.*}}, %{{.*}} by "llvm.x86.avx512.vpdpbusd.128" of 128 : vector<4x4xi8>, vector<4x4xi8>, vector<4xi32>
// CHECK:   ein.dot_products %{{.*}} unsigned, %{{.*}}, %[[T0]] by
// CHECK:   ein.dot_products %{{.*}} unsigned, %{{.*}}, %[[T1]] by
// CHECK-COUNT-4: arith.subi %{{.*}} : vector<4xi32>
func.func @groups(%i: tensor<10x8xi8>, %k: tensor<3x2x16x4xi8>, %o: tensor<8x16xi32>) -> tensor<8x16xi32> {
  %0 = linalg.generic {
         indexing_maps = [affine_map<(h, f, s, c, g) -> (h + s, 4 * c + g)>,
                          affine_map<(h, f, s, c, g) -> (s, c, f, g)>,
                          affine_map<(h, f, s, c, g) -> (h, f)>],
         iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"],
         ein.schedule = #ein.schedule<loops = [d1: 8, d0: 2, d2, d3, d4], vector = d1: 4, unrolled_sums = 0,
                                      widening = 4, instruction = "llvm.x86.avx512.vpdpbusd.128",
                                      instruction_bits = 128, instruction_offset>}
         ins(%i, %k : tensor<10x8xi8>, tensor<3x2x16x4xi8>) outs(%o : tensor<8x16xi32>) {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %1 = arith.extsi %a : i8 to i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %s, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<8x16xi32>
  return %0 : tensor<8x16xi32>
}

// -----

func.func @other_groups(%i: tensor<10x8xi8>, %k: tensor<3x2x16x4xi8>, %o: tensor<8x16xi32>) -> tensor<8x16xi32> {
  // expected-error @below {{has groups of 4, and its schedule of 2}}
  %0 = linalg.generic {
         indexing_maps = [affine_map<(h, f, s, c, g) -> (h + s, 4 * c + g)>,
                          affine_map<(h, f, s, c, g) -> (s, c, f, g)>,
                          affine_map<(h, f, s, c, g) -> (h, f)>],
         iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"],
         ein.schedule = #ein.schedule<loops = [d1: 8, d0: 2, d2, d3, d4], vector = d1: 4, unrolled_sums = 0, widening = 2>}
         ins(%i, %k : tensor<10x8xi8>, tensor<3x2x16x4xi8>) outs(%o : tensor<8x16xi32>) {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %1 = arith.extsi %a : i8 to i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %s, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<8x16xi32>
  return %0 : tensor<8x16xi32>
}

// -----

// Of an image whose vectors are along w, each row has other sums that are too much.
func.func @rows_of_image(%k: tensor<5x3x8xi8>, %i: tensor<10x2x16x4xi8>, %o: tensor<5x8x16xi32>) -> tensor<5x8x16xi32> {
  // expected-error @below {{has several rows along d1, which have other sums beside theirs}}
  %0 = linalg.generic {
         indexing_maps = [affine_map<(f, h, w, r, c, g) -> (f, r, 4 * c + g)>,
                          affine_map<(f, h, w, r, c, g) -> (h + r, c, w, g)>,
                          affine_map<(f, h, w, r, c, g) -> (f, h, w)>],
         iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"],
         ein.schedule = #ein.schedule<loops = [d0: 1, d1: 2, d2: 4, d3, d4, d5], vector = d2: 4, unrolled_sums = 0,
                                      widening = 4, instruction = "llvm.x86.avx512.vpdpbusd.128",
                                      instruction_bits = 128, instruction_offset>}
         ins(%k, %i : tensor<5x3x8xi8>, tensor<10x2x16x4xi8>) outs(%o : tensor<5x8x16xi32>) {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %1 = arith.extsi %a : i8 to i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %s, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<5x8x16xi32>
  return %0 : tensor<5x8x16xi32>
}

// -----

// In straight code a maximum starts with its first element: the least number is
// no element, which with another one would make a NaN of the witness.
// CHECK-LABEL: func @straight_maximum
// CHECK: %[[A:.*]] = vector.transfer_read
// CHECK-NEXT: %[[B:.*]] = vector.transfer_read
// CHECK-NEXT: %[[AB:.*]] = arith.mulf %[[A]], %[[B]] fastmath<contract>
// CHECK: %[[C:.*]] = vector.transfer_read
// CHECK: %[[WITNESS:.*]] = arith.addf %[[C]], %[[AB]] fastmath<contract>
// CHECK: arith.cmpf uno, %[[WITNESS]], %[[WITNESS]]
// CHECK: scf.if
func.func @straight_maximum(%i: tensor<6xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %least = arith.constant 0xFF800000 : f32
  %window = tensor.empty() : tensor<3xf32>
  %start = linalg.fill ins(%least : f32) outs(%o : tensor<4xf32>) -> tensor<4xf32>
  %0 = linalg.generic {
         indexing_maps = [affine_map<(x, k) -> (x + k)>, affine_map<(x, k) -> (k)>, affine_map<(x, k) -> (x)>],
         iterator_types = ["parallel", "reduction"],
         ein.schedule = #ein.schedule<loops = [d0: 4, d1], vector = d0: 4, unrolled_sums = 1,
                         ieee_min_max>}
         ins(%i, %window : tensor<6xf32>, tensor<3xf32>) outs(%start : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.maximumf %c, %a : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Vectors wider than an x86 stack is aligned to, some of which may go there:
// LLVM aligns it where there is a frame pointer. Those of 16 bytes need none.
// CHECK-LABEL: func @wide
// CHECK-SAME: attributes {passthrough = {{\[\[}}"frame-pointer", "all"]]}
func.func @wide(%i: tensor<18x8xf32>, %w: tensor<3xf32>, %o: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %0 = linalg.generic {
         indexing_maps = [affine_map<(w, c, k) -> (w + k, c)>,
                          affine_map<(w, c, k) -> (k)>,
                          affine_map<(w, c, k) -> (w, c)>],
         iterator_types = ["parallel", "parallel", "reduction"],
         ein.schedule = #ein.schedule<loops = [d0: 4, d1: 8, d2], vector = d1: 8,
                         unrolled_sums = 1>}
         ins(%i, %w : tensor<18x8xf32>, tensor<3xf32>) outs(%o : tensor<16x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// CHECK-LABEL: func @narrow
// CHECK-NOT: passthrough
// CHECK: vector.transfer_write {{.*}} vector<4xf32>
func.func @narrow(%i: tensor<18x8xf32>, %w: tensor<3xf32>, %o: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %0 = linalg.generic {
         indexing_maps = [affine_map<(w, c, k) -> (w + k, c)>,
                          affine_map<(w, c, k) -> (k)>,
                          affine_map<(w, c, k) -> (w, c)>],
         iterator_types = ["parallel", "parallel", "reduction"],
         ein.schedule = #ein.schedule<loops = [d0: 4, d1: 4, d2], vector = d1: 4,
                         unrolled_sums = 1>}
         ins(%i, %w : tensor<18x8xf32>, tensor<3xf32>) outs(%o : tensor<16x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}
