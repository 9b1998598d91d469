//===- resume.cpp - Sums go on from wherever they were --------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Usage: resume SEED ROUNDS
//
// Sliced programs of random sizes, in random steps, whose kernels fail after a
// few calls, on each rank after another number. The run that goes on from what
// is saved makes the bits of one that was never stopped.
//
//===----------------------------------------------------------------------===//

#include "Programs.h"
#include <cstdio>
#include <cstdlib>
#include <random>

using namespace ein::runtime;
using namespace ein::runtime::test;

// How many calls are left, and of which kernel. A kernel is a C function, which
// has no other place for them.
static int64_t callsLeft = 0;
static PackedFunction stoppedKernel = nullptr;

static int32_t callOrFail(void **arrays, const int64_t *symbols) {
  return callsLeft-- > 0 ? stoppedKernel(arrays, symbols)
                         : static_cast<int32_t>(Code::Domain);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int failures = 0, stopped = 0, stepped = 0;
  {
    Ranks ranks(MPI_COMM_WORLD);
    std::mt19937 random(std::atoi(argv[1]));
    for (int round = 0; round != std::atoi(argv[2]); ++round) {
      const HandMade &handMade = kSliced[round % 3];
      DistributedProgram program;
      parse(handMade.text, program);
      std::vector<int64_t> sizes; // M, K, N
      for (int i = 0; i != 3; ++i)
        sizes.push_back(1 + random() % 9);
      Schedule schedule;
      std::string error;
      makeSchedule(program, sizes, ranks.count, schedule, error);
      ein::distribute::Steps &steps = schedule.statements[0].steps;
      steps.dim = random() % program.statements[0].loops.size();
      steps.count = 1 + random() % 4;
      stepped += steps.count > 1;
      stoppedKernel = handMade.kernel;
      PackedFunction kernel = callOrFail;
      auto run = [&](int64_t calls, Checkpoint *checkpoint, Blocks &blocks) {
        callsLeft = calls;
        return execute(ranks, program, schedule, &kernel,
                       blocks.pointers.data(), sizes, nullptr, checkpoint);
      };
      constexpr int64_t kAll = int64_t(1) << 40;
      Blocks whole(ranks, schedule);
      bool isWrong = run(kAll, nullptr, whole) != 0;

      int64_t times = random() % 4;
      for (bool isDone = false; !isDone; --times) {
        Checkpoint checkpoint(ranks, "resume", "saved", round % 2 ? 0 : 0.0005);
        std::string note;
        isWrong |= !checkpoint.begin(
            1, round, listSliceSums(ranks, program, schedule), note, error);
        Blocks blocks(ranks, schedule);
        int64_t calls = int64_t(random() % 7) + ranks.rank % 2;
        int32_t code = run(times > 0 ? calls : kAll, &checkpoint, blocks);
        stopped += code != 0;
        isDone = code == 0 || times <= 0;
        if (!isDone)
          continue;
        isWrong |= code != 0 || blocks.data[2] != whole.data[2];
        checkpoint.removeFiles();
      }
      if (isWrong)
        std::printf("%d: round %d on %d ranks is wrong: %s\n", ranks.rank,
                    round, ranks.count, error.c_str());
      failures += ranks.agree(isWrong);
    }
    if (ranks.rank == 0)
      std::printf("%d failures, %s stopped, %s steps\n", failures,
                  stopped > 0 ? "some" : "none", stepped > 0 ? "some" : "no");
  }
  MPI_Finalize();
  return failures != 0;
}
