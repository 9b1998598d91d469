// RUN: ein-opt %s | ein-opt | FileCheck %s

// Each kind of schedule, as it is written; the order of facts does not matter.
// CHECK: f0 = #ein.schedule<>
// CHECK-SAME: f1 = #ein.schedule<loops = [d1: 4096, d2: 256, d0], rows = d0: 6, columns = d1: 16, sums = d2: 4, vector = d1, operands = [in_place, packed], column_remainder = [8, 8], row_remainder = 2, rows_first, clamp_rows, symmetric = 64, prefetch = 1, prefetch_distance = 3, parallel = d1, min_points = 32768, parallel_loops = 2>
// CHECK-SAME: f10 = #ein.schedule<split = d2, parts = 32, grain = 256>
// CHECK-SAME: f11 = #ein.schedule<group = 1, copies = {{\[}}[d0, d2] whole, in_place], loops = [d0: 4, d1, d2], block = 512, masked_columns = 16>
// CHECK-SAME: f12 = #ein.schedule<in_epilogue>
// CHECK-SAME: f13 = #ein.schedule<loops = [d0: 1, d1], vector = d1: 8, accumulators = 4, alternatives = [if d0 * d1 at_most 4096 and d1 at_least 3 then <loops = [d0: 1, d1], vector = d1: 8, accumulators = 1>, if d1 at_most 2 then <>]>
// CHECK-SAME: f2 = #ein.schedule<loops = [d0: 12, d1: 64, d2: 64], lhs = 1, rows = d0: 6, columns = d1: 16, sums = d2, vector = d1, operands = [packed, packed], k_pack = 4, instruction = "llvm.x86.avx512.vpdpbusd.512", instruction_bits = 512, instruction_swapped, instruction_offset>
// CHECK-SAME: f3 = #ein.schedule<loops = [d0: 4, d1: 6, d2], rows = d0: 4, columns = d1: 6, sums = d2: 2, vector = d2: 8, prefetch = 2>
// CHECK-SAME: f4 = #ein.schedule<loops = [d0: 1, d1: 8], vector = d1, unroll = 4, masked, prefetch = 1, stream_bytes = 1048576>
// CHECK-SAME: f5 = #ein.schedule<loops = [d0: 1, d1], vector = d1: 8, widening = 2, accumulators = 4, masked, aligned, ieee_min_max>
// CHECK-SAME: f6 = #ein.schedule<loops = [d0: 1, d1: 16, d2], vector = d1: 8, unrolled_sums = 1, unroll = 4, masked>
// CHECK-SAME: f7 = #ein.schedule<squares = 8>
// CHECK-SAME: f8 = #ein.schedule<copies = {{\[}}[d0, d4, d1] whole, in_place], joined = {{\[}}[d1, d2]], squares = 8, loops = [d0: 1, d1, d2, d3, d4]>
// CHECK-SAME: f9 = #ein.schedule<call, lhs = 1, rows = d0, columns = d1, sums = d2>
module attributes {ein.schedules = {
  f0 = #ein.schedule<>,
  f1 = #ein.schedule<vector = d1, operands = [in_place, packed], prefetch = 1, prefetch_distance = 3,
                     loops = [d1: 4096, d2: 256, d0], rows = d0: 6, columns = d1: 16, sums = d2: 4,
                     row_remainder = 2, rows_first, clamp_rows, symmetric = 64, column_remainder = [8, 8], parallel_loops = 2,
                     parallel = d1, min_points = 32768>,
  f2 = #ein.schedule<loops = [d0: 12, d1: 64, d2: 64], lhs = 1, rows = d0: 6, columns = d1: 16,
                     sums = d2, vector = d1, operands = [packed, packed], k_pack = 4,
                     instruction = "llvm.x86.avx512.vpdpbusd.512", instruction_bits = 512,
                     instruction_swapped, instruction_offset>,
  f3 = #ein.schedule<loops = [d0: 4, d1: 6, d2], rows = d0: 4, columns = d1: 6, sums = d2: 2,
                     vector = d2: 8, prefetch = 2>,
  f4 = #ein.schedule<loops = [d0: 1, d1: 8], vector = d1, stream_bytes = 1048576, unroll = 4, masked,
                     prefetch = 1>,
  f5 = #ein.schedule<loops = [d0: 1, d1], vector = d1: 8, accumulators = 4, widening = 2, masked,
                     ieee_min_max, aligned>,
  f6 = #ein.schedule<loops = [d0: 1, d1: 16, d2], vector = d1: 8, unrolled_sums = 1, unroll = 4, masked>,
  f7 = #ein.schedule<squares = 8>,
  f8 = #ein.schedule<loops = [d0: 1, d1, d2, d3, d4], joined = [[d1, d2]],
                     copies = [[d0, d4, d1] whole, in_place], squares = 8>,
  f9 = #ein.schedule<call, lhs = 1, rows = d0, columns = d1, sums = d2>,
  f10 = #ein.schedule<split = d2, parts = 32, grain = 256>,
  f11 = #ein.schedule<group = 1, loops = [d0: 4, d1, d2], copies = [[d0, d2] whole, in_place], block = 512,
                      masked_columns = 16>,
  f12 = #ein.schedule<in_epilogue>,
  f13 = #ein.schedule<alternatives = [if d0 * d1 at_most 4096 and d1 at_least 3 then
                                        <vector = d1: 8, loops = [d0: 1, d1], accumulators = 1>,
                                      if d1 at_most 2 then <>],
                      loops = [d0: 1, d1], vector = d1: 8, accumulators = 4>
}} {}
