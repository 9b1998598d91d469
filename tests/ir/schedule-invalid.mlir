// A schedule may be written by hand, so each fact is checked where it stands.
// RUN: ein-opt %s -ein-select-schedule -verify-diagnostics -split-input-file

// expected-error @+1 {{a schedule has no fact `tile`}}
#s = #ein.schedule<tile = [1]>
// -----
// expected-error @+1 {{`masked` is there twice}}
#s = #ein.schedule<masked, masked>
// -----
// expected-error @+1 {{expected a dim, such as `d0`}}
#s = #ein.schedule<vector = 1>
// -----
// expected-error @+1 {{expected a number of at least 1, not 0}}
#s = #ein.schedule<loops = [d0: 0]>
// -----
// expected-error @+1 {{expected a number of at least 2 and at most 64, not 65}}
#s = #ein.schedule<widening = 65>
// -----
// expected-error @+1 {{expected each of the loops d0 to d1 once}}
#s = #ein.schedule<loops = [d0: 4, d2]>
// -----
// expected-error @+1 {{expected each of the loops d0 to d1 once}}
#s = #ein.schedule<loops = [d1, d1]>
// -----
// expected-error @+1 {{d1 is there twice}}
#s = #ein.schedule<copies = [[d1, d1], in_place]>
// -----
// expected-error @+1 {{expected two operands}}
#s = #ein.schedule<copies = [in_place]>
// -----
// expected-error @+1 {{expected two operands}}
#s = #ein.schedule<operands = [packed, packed, in_place]>
// -----
// expected-error @+1 {{expected an intrinsic of LLVM}}
#s = #ein.schedule<instruction = "vpdpbusd">
// -----
// expected-error @+1 {{`symmetric` does not belong to a reduction in vectors}}
#s = #ein.schedule<loops = [d0], vector = d0: 8, accumulators = 4, symmetric = 8>
// -----
// expected-error @+1 {{`operands` is missing, which a product in register tiles needs}}
#s = #ein.schedule<loops = [d0, d1, d2], rows = d0: 4, columns = d1: 8, sums = d2, vector = d1>
// -----
// expected-error @+1 {{`vector` is missing, which loops over vectors needs}}
#s = #ein.schedule<loops = [d0]>
// -----
// expected-error @+1 {{`grain` is missing, which a sum that is split needs}}
#s = #ein.schedule<split = d0, parts = 4>
// -----
// expected-error @+1 {{d3 is none of `loops`}}
#s = #ein.schedule<loops = [d0], vector = d3>
// -----
// expected-error @+1 {{d5 is none of `loops`}}
#s = #ein.schedule<loops = [d0, d1, d2], squares = 8, copies = [[d0, d5], in_place]>
// -----
// expected-error @+1 {{`rows`, `columns` and `sums` are different dims}}
#s = #ein.schedule<loops = [d0, d1, d2], rows = d0: 4, columns = d1: 8, sums = d0, vector = d1, operands = [packed, packed]>
// -----
// expected-error @+1 {{`rows` and `columns` need the sizes of a tile}}
#s = #ein.schedule<loops = [d0, d1, d2], rows = d0, columns = d1: 8, sums = d2, vector = d1, operands = [packed, packed]>
// -----
// expected-error @+1 {{vectors lie along the columns or the sums}}
#s = #ein.schedule<loops = [d0, d1, d2], rows = d0: 4, columns = d1: 8, sums = d2, vector = d0, operands = [packed, packed]>
// -----
// expected-error @+1 {{the tile of a remainder has more columns than 8}}
#s = #ein.schedule<loops = [d0, d1, d2], rows = d0: 4, columns = d1: 8, sums = d2, vector = d1, operands = [packed, packed], column_remainder = [2, 16]>
// -----
// expected-error @+1 {{`row_remainder` is not less than 4}}
#s = #ein.schedule<loops = [d0, d1, d2], rows = d0: 4, columns = d1: 8, sums = d2, vector = d1, operands = [packed, packed], row_remainder = 4>
// -----
// expected-error @+1 {{expected `at_most` or `at_least`}}
#s = #ein.schedule<loops = [d0: 1, d1], vector = d1: 8, accumulators = 4, alternatives = [if d0 up_to 4 then <>]>
// -----
// expected-error @+1 {{d1 is there twice}}
#s = #ein.schedule<loops = [d0: 1, d1], vector = d1: 8, accumulators = 4, alternatives = [if d1 * d1 at_most 4 then <>]>
// -----
// expected-error @+1 {{no size is -4}}
#s = #ein.schedule<loops = [d0: 1, d1], vector = d1: 8, accumulators = 4, alternatives = [if d1 at_most -4 then <>]>
// -----
// expected-error @+1 {{an alternative has alternatives}}
#s = #ein.schedule<loops = [d0: 1, d1], vector = d1: 8, accumulators = 4, alternatives = [if d1 at_most 4 then <alternatives = [if d1 at_most 3 then <>]>]>
// -----
// expected-error @+1 {{an epilogue is no alternative}}
#s = #ein.schedule<loops = [d0: 1, d1], vector = d1: 8, accumulators = 4, alternatives = [if d1 at_most 4 then <in_epilogue>]>
// -----
// expected-error @+1 {{an epilogue has no alternatives}}
#s = #ein.schedule<in_epilogue, alternatives = [if d1 at_most 4 then <>]>
// -----
// expected-error @+1 {{d2 is none of `loops`}}
#s = #ein.schedule<loops = [d0: 1, d1], vector = d1: 8, accumulators = 4, alternatives = [if d2 at_most 4 then <>]>
// -----
// expected-error @+1 {{an alternative has 1 loops beside 2}}
#s = #ein.schedule<loops = [d0: 1, d1], vector = d1: 8, accumulators = 4, alternatives = [if d1 at_most 4 then <loops = [d0], vector = d0: 8, accumulators = 4>]>
// -----
// expected-error @+1 {{the elements of a vector are no power of two}}
#s = #ein.schedule<loops = [d0: 1, d1], vector = d1: 8, accumulators = 4, alternatives = [if d1 at_most 4 then <loops = [d0: 1, d1], vector = d1: 7, accumulators = 4>]>
// -----
// expected-error @+1 {{`prefetch` is 1}}
#s = #ein.schedule<loops = [d0, d1, d2], rows = d0: 4, columns = d1: 8, sums = d2, vector = d1, operands = [packed, packed], prefetch = 2>
// -----
// expected-error @+1 {{`k_pack` is no power of two}}
#s = #ein.schedule<loops = [d0, d1, d2], rows = d0: 4, columns = d1: 8, sums = d2, vector = d1, operands = [packed, packed], k_pack = 3>
// -----
// expected-error @+1 {{`instruction` needs `k_pack`}}
#s = #ein.schedule<loops = [d0, d1, d2], rows = d0: 4, columns = d1: 8, sums = d2, vector = d1, operands = [packed, packed], instruction = "llvm.x", instruction_bits = 512>
// -----
// expected-error @+1 {{`instruction_bits` is no power of two}}
#s = #ein.schedule<loops = [d0, d1, d2], rows = d0: 4, columns = d1: 8, sums = d2, vector = d1, operands = [packed, packed], k_pack = 4, instruction = "llvm.x">
// -----
// expected-error @+1 {{`instruction_rows` is 2 or 16}}
#s = #ein.schedule<loops = [d0, d1, d2], rows = d0: 4, columns = d1: 8, sums = d2, vector = d1, operands = [packed, packed], k_pack = 8, instruction = "llvm.x", instruction_bits = 512, instruction_rows = 3>
// -----
// expected-error @+1 {{the tile is no multiple of `instruction_rows`}}
#s = #ein.schedule<loops = [d0, d1, d2], rows = d0: 3, columns = d1: 8, sums = d2, vector = d1, operands = [packed, packed], k_pack = 8, instruction = "llvm.x", instruction_bits = 512, instruction_rows = 2>
// -----
// expected-error @+1 {{`rows` come with `columns`}}
#s = #ein.schedule<loops = [d0, d1], rows = d0: 3, sums = d1, vector = d1: 8>
// -----
// expected-error @+1 {{`vector` needs the number of its elements}}
#s = #ein.schedule<loops = [d0, d1], columns = d0: 3, sums = d1, vector = d1>
// -----
// expected-error @+1 {{`vector` needs the number of its elements}}
#s = #ein.schedule<loops = [d0], vector = d0, accumulators = 2>
// -----
// expected-error @+1 {{the elements of a vector are no power of two}}
#s = #ein.schedule<loops = [d0], vector = d0: 6, accumulators = 2>
// -----
// expected-error @+1 {{`widening` does not divide the vector}}
#s = #ein.schedule<loops = [d0], vector = d0: 4, accumulators = 2, widening = 8>
// -----
// expected-error @+1 {{`instruction` needs `widening`}}
#s = #ein.schedule<loops = [d0], vector = d0: 16, accumulators = 2, instruction = "llvm.x", instruction_bits = 128>
// -----
// expected-error @+1 {{`instruction_bits` is no power of two}}
#s = #ein.schedule<loops = [d0], vector = d0: 16, accumulators = 2, widening = 4, instruction = "llvm.x">
// -----
// expected-error @+1 {{`instruction` needs `widening`}}
#s = #ein.schedule<loops = [d0: 4, d1], vector = d0: 4, unrolled_sums = 1, instruction = "llvm.x", instruction_bits = 128>
// -----
// expected-error @+1 {{copies of groups have both `sums` and `k_pack`}}
#s = #ein.schedule<copies = [in_place, [d1, d0] whole], squares = 4, loops = [d0, d1], k_pack = 4>
// -----
// expected-error @+1 {{`k_pack` is no power of two}}
#s = #ein.schedule<copies = [in_place, [d1, d0] whole], squares = 4, loops = [d0, d1], sums = d1, k_pack = 3>
// -----
// expected-error @+1 {{the tile along `vector` is no number of vectors}}
#s = #ein.schedule<loops = [d0: 6, d1], vector = d0: 4, unrolled_sums = 1>
// -----
// expected-error @+1 {{`columns` come with `rows`, and these with `sums`}}
#s = #ein.schedule<call, columns = d0, sums = d1>
// -----
// expected-error @+1 {{`joined` has a dim alone}}
#s = #ein.schedule<loops = [d0, d1], squares = 8, copies = [in_place, in_place], joined = [[d0]]>
// -----
// expected-error @+1 {{`joined` has d1 twice}}
#s = #ein.schedule<loops = [d0, d1, d2], squares = 8, copies = [in_place, in_place], joined = [[d0, d1], [d1, d2]]>
// -----
// expected-error @+1 {{of joined dims only the first is tiled, and not by 1}}
#s = #ein.schedule<loops = [d0, d1: 4, d2], squares = 8, copies = [in_place, in_place], joined = [[d0, d1]]>
// -----
// expected-error @+1 {{`min_points` needs `parallel`}}
#s = #ein.schedule<min_points = 8>
// -----
func.func @other_loops(%x: f32, %c: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{'linalg.fill' op has 1 loops, and its schedule 2}}
  %0 = linalg.fill {ein.schedule = #ein.schedule<loops = [d0, d1], vector = d1>}
         ins(%x : f32) outs(%c : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
// -----
func.func @no_such_loop(%x: f32, %c: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{'linalg.fill' op has no d1, which its schedule names}}
  %0 = linalg.fill {ein.schedule = #ein.schedule<parallel = d1>}
         ins(%x : f32) outs(%c : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
// -----
func.func @dictionary(%x: f32, %c: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{'linalg.fill' op has an `ein.schedule` that is not a schedule}}
  %0 = linalg.fill {ein.schedule = {kind = "loops"}}
         ins(%x : f32) outs(%c : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
