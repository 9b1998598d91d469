//===- memory.cpp - Whether ranks take the memory that is predicted -------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Usage: memory SEED ROUNDS
//
// Products of random sizes, three of four with less memory than they would
// take. The busiest rank takes what is predicted, but for a tenth; and the
// numbers are right.
//
//===----------------------------------------------------------------------===//

#include "Programs.h"
#include <cstdio>
#include <cstdlib>
#include <random>

using namespace ein::runtime;
using namespace ein::runtime::test;

/// Whether each element of the rank's block is the sum.
static bool isRight(const Blocks &blocks, const ein::distribute::Block &box,
                    int64_t k) {
  size_t at = 0;
  if (isEmpty(box))
    return true;
  for (int64_t i = box.ranges[0].begin; i != box.ranges[0].end; ++i)
    for (int64_t j = box.ranges[1].begin; j != box.ranges[1].end; ++j) {
      double sum = 0;
      for (int64_t l = 0; l != k; ++l)
        sum += Blocks::getInput(0, i, l) * Blocks::getInput(1, l, j);
      if (std::abs(blocks.data[2][at++] - sum) > 1e-12 * double(k))
        return false;
    }
  return true;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int failures = 0, stepped = 0;
  {
    Ranks ranks(MPI_COMM_WORLD);
    std::mt19937 random(std::atoi(argv[1]));
    for (int round = 0; round != std::atoi(argv[2]); ++round) {
      DistributedProgram program;
      parse(kProduct.text, program);
      std::vector<int64_t> sizes; // M, K, N
      for (int i = 0; i != 3; ++i)
        sizes.push_back(1 + random() % 90);
      Schedule schedule;
      std::string error;
      makeSchedule(program, sizes, ranks.count, schedule, error);
      double part = 0.5 + double(random() % 1000) / 2000;
      if (random() % 4 != 0)
        program.maxMemoryBytes = int64_t(double(schedule.memoryBytes) * part);
      if (!makeSchedule(program, sizes, ranks.count, schedule, error))
        continue; // no plan takes as little
      stepped += schedule.statements[0].steps.count > 1;
      Blocks blocks(ranks, schedule);
      RunFacts facts;
      int32_t code = execute(ranks, program, schedule, &kProduct.kernel,
                             blocks.pointers.data(), sizes, &facts);
      int64_t most = 0;
      MPI_Allreduce(&facts.peakBytes, &most, 1, MPI_INT64_T, MPI_MAX,
                    ranks.comm);
      double ratio = double(most) / double(schedule.memoryBytes);
      bool isWrong = code != 0 || ratio < 0.9 || ratio > 1.1 ||
                     !isRight(blocks, schedule.homes[2][ranks.rank], sizes[1]);
      if (isWrong)
        std::printf("%d: %lld x %lld x %lld on %d ranks: code %d, %lld bytes "
                    "of %lld predicted\n",
                    ranks.rank, static_cast<long long>(sizes[0]),
                    static_cast<long long>(sizes[1]),
                    static_cast<long long>(sizes[2]), ranks.count, code,
                    static_cast<long long>(most),
                    static_cast<long long>(schedule.memoryBytes));
      failures += ranks.agree(isWrong);
    }
    if (ranks.rank == 0)
      std::printf("%d failures, %s steps\n", failures,
                  stepped > 0 ? "some" : "no");
  }
  MPI_Finalize();
  return failures != 0;
}
