//===- ScheduleTest.cpp - Which rank does what, and has what --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/mpi/Schedule.h"
#include <gtest/gtest.h>

using namespace ein::runtime;

namespace {

/// A product, whose result is an output or an inout.
DistributedProgram makeProduct(const std::string &result, bool isUpdate) {
  std::string start = isUpdate ? "array 2" : "bits 0000000000000000";
  DistributedProgram program;
  EXPECT_TRUE(parse("mm<M, K, N>(A: f64(M, K), B: f64(K, N)) -> (" + result +
                        ": f64(M, N))\n"
                        "temporaries<M, K, N>(t0: f64(M, N)) -> ()\n"
                        "ranks 0 memory 0 grid\n"
                        "statement 0 .ppr add\n"
                        "loops<M, K, N>(loops: f32(M, N, K)) -> ()\n"
                        "read 0 1*0+0 1*2+0\n"
                        "read 1 1*2+0 1*1+0\n"
                        "write 3 1*0+0 1*1+0\n"
                        "start " +
                        start + "\nresult 2 3\n",
                    program));
  return program;
}

// What is made where the caller has it does not move once more, and is there
// once.
TEST(Schedule, ResultsAreMadeWhereTheyAre) {
  DistributedProgram program = makeProduct("C", false);
  DistributedProgram update = makeProduct("inout C", true);
  for (int64_t ranks = 1; ranks != 9; ++ranks)
    for (const std::vector<int64_t> &sizes :
         {std::vector<int64_t>{401, 503, 299}, std::vector<int64_t>{9, 700, 8},
          std::vector<int64_t>{64, 2, 64}}) {
      Schedule schedule, updating;
      std::string error;
      ASSERT_TRUE(makeSchedule(program, sizes, ranks, schedule, error));
      EXPECT_EQ(schedule.homes[2], schedule.homes[3]);
      ASSERT_TRUE(makeSchedule(update, sizes, ranks, updating, error));
      EXPECT_GT(updating.memoryBytes, schedule.memoryBytes);
      if (ranks == 1) {
        EXPECT_EQ(schedule.memoryBytes,
                  8 * (sizes[0] * sizes[1] + sizes[1] * sizes[2] +
                       sizes[0] * sizes[2]));
      }
    }
}

} // namespace
