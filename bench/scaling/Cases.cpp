//===- Cases.cpp - What is distributed, and how large ---------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/scaling/Cases.h"
#include <cmath>

using namespace ein::distribute;

namespace ein::bench {

static ArrayUse makeUse(unsigned array, const std::vector<unsigned> &loops) {
  ArrayUse use = {array, {}};
  for (unsigned loop : loops)
    use.subscripts.push_back(makeSubscript(loop));
  return use;
}

Program makeProduct(int64_t m, int64_t n, int64_t k) {
  Program program;
  program.arrays = {{{m, k}, 8}, {{k, n}, 8}, {{m, n}, 8}};
  program.statements = {{{m, n, k},
                         {},
                         {makeUse(0, {0, 2}), makeUse(1, {2, 1})},
                         makeUse(2, {0, 1})}};
  return program;
}

Program makeTtmChain(int64_t n, int64_t rank, unsigned count) {
  Program program;
  std::vector<int64_t> extents = {n, n, n};
  program.arrays = {{extents, 8}};
  unsigned last = 0;
  for (unsigned mode = 0; mode != count; ++mode) {
    unsigned matrix = program.arrays.size(), result = matrix + 1;
    program.arrays.push_back({{n, rank}, 8});
    extents[mode] = rank;
    program.arrays.push_back({extents, 8, mode + 1 == count});
    // The loops are the result's dims, then the dim that is summed.
    std::vector<int64_t> loops = extents;
    loops.push_back(n);
    std::vector<unsigned> input = {0, 1, 2};
    input[mode] = 3;
    program.statements.push_back(
        {loops,
         {},
         {makeUse(last, input), makeUse(matrix, {3, mode})},
         makeUse(result, {0, 1, 2})});
    last = result;
  }
  return program;
}

Program makeMttkrp(int64_t n, int64_t rank) {
  Program program;
  program.arrays = {
      {{n, n, n}, 8}, {{n, rank}, 8}, {{n, rank}, 8}, {{n, rank}, 8}};
  program.statements = {
      {{n, rank, n, n},
       {},
       {makeUse(0, {0, 2, 3}), makeUse(1, {2, 1}), makeUse(2, {3, 1})},
       makeUse(3, {0, 1}),
       {{{0, 1, 2, 3}, 2}, {{0, 1, 3}, 2}}}};
  return program;
}

SlicedProgram makeSlicedRing(int64_t n, int64_t slices) {
  SlicedProgram ring;
  ring.numSlices = slices;
  Program &program = ring.slice;
  // A, B, C, D, A B, A B C, Z
  for (unsigned array = 0; array != 6; ++array)
    program.arrays.push_back({{n, n}, 8, /*isArgument=*/array < 4});
  program.arrays.push_back({{}, 8});
  program.statements = {
      {{n, n, n},
       {},
       {makeUse(0, {0, 2}), makeUse(1, {2, 1})},
       makeUse(4, {0, 1})},
      {{n, n, n},
       {},
       {makeUse(4, {0, 2}), makeUse(2, {2, 1})},
       makeUse(5, {0, 1})},
      {{n, n}, {}, {makeUse(5, {0, 1}), makeUse(3, {1, 0})}, makeUse(6, {})}};
  // Three sliced indices, of two values each, in every tensor.
  ring.parts = {8, 8, 8, 8, 1, 1, 1};
  return ring;
}

Program makeSum(int64_t elements, int64_t groups) {
  Program program;
  program.arrays = {{{groups, elements}, 8}, {{elements}, 8}};
  program.statements = {
      {{elements, groups}, {}, {makeUse(0, {1, 0})}, makeUse(1, {0})}};
  return program;
}

std::vector<ScalingCase> getScalingCases() {
  // Arrays of `power` dims that grow with the ranks.
  auto grow = [](int64_t extent, int64_t ranks, double power) {
    return int64_t(
        std::llround(double(extent) * std::pow(double(ranks), 1 / power)));
  };
  return {
      {"product, strong",
       [](int64_t) { return makeProduct(16384, 16384, 16384); }},
      {"product, weak",
       [=](int64_t ranks) {
         int64_t n = grow(2048, ranks, 2);
         return makeProduct(n, n, n);
       }},
      {"flat product, strong",
       [](int64_t) { return makeProduct(65536, 65536, 1024); }},
      {"tall product, strong",
       [](int64_t) { return makeProduct(4194304, 512, 512); }},
      {"long sum, strong",
       [](int64_t) { return makeProduct(1024, 1024, 4194304); }},
      {"TTM chain, strong", [](int64_t) { return makeTtmChain(1024, 64, 2); }},
      {"TTM chain, weak",
       [=](int64_t ranks) { return makeTtmChain(grow(256, ranks, 3), 32, 2); }},
      {"TTM chain of all dims, strong",
       [](int64_t) { return makeTtmChain(1024, 64, 3); }},
      {"MTTKRP, strong", [](int64_t) { return makeMttkrp(1024, 64); }},
      {"MTTKRP, weak",
       [=](int64_t ranks) { return makeMttkrp(grow(256, ranks, 3), 64); }},
      {"MTTKRP of high rank, strong",
       [](int64_t) { return makeMttkrp(512, 4096); }}};
}

} // namespace ein::bench
