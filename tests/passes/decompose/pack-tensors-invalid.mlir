// What a schedule written by hand may ask for and the op does not allow.
// RUN: ein-opt %s -ein-pack-tensors -verify-diagnostics -split-input-file

#mkl = affine_map<(m, n, k, l) -> (m, k, l)>
#kln = affine_map<(m, n, k, l) -> (k, l, n)>
#mn = affine_map<(m, n, k, l) -> (m, n)>
func.func @other_dims(%a: tensor<4x5x6xf32>, %b: tensor<5x6x7xf32>, %c: tensor<4x7xf32>) -> tensor<4x7xf32> {
  // expected-error @+1 {{has a schedule that copies operand #0 in an order of other dims than it has}}
  %0 = linalg.contract indexing_maps = [#mkl, #kln, #mn]
         {ein.schedule = #ein.schedule<copies = [[d2, d3], in_place], squares = 4, loops = [d0, d1, d2, d3]>}
         ins(%a, %b : tensor<4x5x6xf32>, tensor<5x6x7xf32>) outs(%c : tensor<4x7xf32>) -> tensor<4x7xf32>
  return %0 : tensor<4x7xf32>
}

// -----

#mkl = affine_map<(m, n, k, l) -> (m, k, l)>
#lkn = affine_map<(m, n, k, l) -> (l, k, n)>
#mn = affine_map<(m, n, k, l) -> (m, n)>
func.func @apart(%a: tensor<4x5x6xf32>, %b: tensor<6x5x7xf32>, %c: tensor<4x7xf32>) -> tensor<4x7xf32> {
  // expected-error @+1 {{has a schedule that joins dims which operand #1 does not have together}}
  %0 = linalg.contract indexing_maps = [#mkl, #lkn, #mn]
         {ein.schedule = #ein.schedule<copies = [in_place, in_place], joined = [[d2, d3]], squares = 4, loops = [d0, d1, d2, d3]>}
         ins(%a, %b : tensor<4x5x6xf32>, tensor<6x5x7xf32>) outs(%c : tensor<4x7xf32>) -> tensor<4x7xf32>
  return %0 : tensor<4x7xf32>
}

// -----

#mkl = affine_map<(m, n, k, l) -> (m, k, l)>
#kln = affine_map<(m, n, k, l) -> (k, l, n)>
#mn = affine_map<(m, n, k, l) -> (m, n)>
func.func @open_tile(%a: tensor<4x?x6xf32>, %b: tensor<?x6x7xf32>, %c: tensor<4x7xf32>) -> tensor<4x7xf32> {
  // expected-error @+1 {{has a schedule that copies blocks of operand #0, and d2 of dynamic size has a tile}}
  %0 = linalg.contract indexing_maps = [#mkl, #kln, #mn]
         {ein.schedule = #ein.schedule<copies = [[d2, d3, d0], in_place], squares = 4, loops = [d0, d1, d2: 2, d3]>}
         ins(%a, %b : tensor<4x?x6xf32>, tensor<?x6x7xf32>) outs(%c : tensor<4x7xf32>) -> tensor<4x7xf32>
  return %0 : tensor<4x7xf32>
}

// -----

#ij = affine_map<(i, j) -> (i, j)>
func.func @no_contraction(%a: tensor<4x5xf32>, %c: tensor<4x5xf32>) -> tensor<4x5xf32> {
  // expected-error @+1 {{is not a contraction, which its schedule is for}}
  %0 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
         ins(%a : tensor<4x5xf32>) outs(%c : tensor<4x5xf32>)
         attrs = {ein.schedule = #ein.schedule<copies = [in_place, in_place], squares = 4, loops = [d0, d1]>} {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// -----

// Groups in place are whole.
func.func @no_groups(%i: tensor<10x8xi8>, %k: tensor<3x8x16xi8>, %o: tensor<8x16xi32>) -> tensor<8x16xi32> {
  // expected-error @+1 {{has a schedule that does not say how groups of d3 lie side by side in operand #0}}
  %0 = linalg.generic {
         indexing_maps = [affine_map<(h, f, s, c) -> (h + s, c)>,
                          affine_map<(h, f, s, c) -> (s, c, f)>,
                          affine_map<(h, f, s, c) -> (h, f)>],
         iterator_types = ["parallel", "parallel", "reduction", "reduction"],
         ein.schedule = #ein.schedule<copies = [in_place, [d3, d1] whole], squares = 16, loops = [d0, d1, d2, d3],
                                      sums = d3, k_pack = 16>}
         ins(%i, %k : tensor<10x8xi8>, tensor<3x8x16xi8>) outs(%o : tensor<8x16xi32>) {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %1 = arith.extui %a : i8 to i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %s, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<8x16xi32>
  return %0 : tensor<8x16xi32>
}

// -----

func.func @no_neighbours(%i: tensor<10x8xi8>, %k: tensor<3x8x16xi8>, %o: tensor<8x16xi32>) -> tensor<8x16xi32> {
  // expected-error @+1 {{has a schedule that does not say how groups of d3 lie side by side in operand #1}}
  %0 = linalg.generic {
         indexing_maps = [affine_map<(h, f, s, c) -> (h + s, c)>,
                          affine_map<(h, f, s, c) -> (s, c, f)>,
                          affine_map<(h, f, s, c) -> (h, f)>],
         iterator_types = ["parallel", "parallel", "reduction", "reduction"],
         ein.schedule = #ein.schedule<copies = [[d3] whole, in_place], squares = 16, loops = [d0, d1, d2, d3],
                                      sums = d3, k_pack = 4>}
         ins(%i, %k : tensor<10x8xi8>, tensor<3x8x16xi8>) outs(%o : tensor<8x16xi32>) {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %1 = arith.extui %a : i8 to i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %s, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<8x16xi32>
  return %0 : tensor<8x16xi32>
}

// -----

func.func @no_axis(%i: tensor<10x8xf32>, %k: tensor<16x3x8xf32>, %o: tensor<8x16xf32>) -> tensor<8x16xf32> {
  // expected-error @+1 {{has a schedule that does not say which axis of operand #0 is last in a copy}}
  %0 = linalg.generic {
         indexing_maps = [affine_map<(h, f, s, c) -> (h + s, c)>,
                          affine_map<(h, f, s, c) -> (f, s, c)>,
                          affine_map<(h, f, s, c) -> (h, f)>],
         iterator_types = ["parallel", "parallel", "reduction", "reduction"],
         ein.schedule = #ein.schedule<copies = [[d1] whole, in_place], squares = 16, loops = [d0, d1, d2, d3]>}
         ins(%i, %k : tensor<10x8xf32>, tensor<16x3x8xf32>) outs(%o : tensor<8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
