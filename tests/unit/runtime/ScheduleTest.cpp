//===- ScheduleTest.cpp - Which rank does what, and has what --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/mpi/Schedule.h"
#include "runtime/mpi/Combine.h"
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

// What a rank fetches around what it has takes less memory, by what it has.
TEST(Schedule, FetchedAroundHome) {
  DistributedProgram program = makeProduct("C", false);
  std::string error;
  unsigned found = 0;
  for (int64_t ranks = 1; ranks != 9; ++ranks)
    for (const std::vector<int64_t> &sizes :
         {std::vector<int64_t>{401, 503, 299}, std::vector<int64_t>{900, 70, 8},
          std::vector<int64_t>{64, 2, 64}, std::vector<int64_t>{0, 3, 2}}) {
      Schedule copied, around;
      ASSERT_TRUE(makeSchedule(program, sizes, ranks, copied, error));
      ASSERT_TRUE(makeSchedule(program, sizes, ranks, around, error,
                               /*hasRooms=*/true));
      EXPECT_EQ(copied.homes, around.homes);
      int64_t least = 0; // that all ranks save
      for (int rank = 0; rank != ranks; ++rank) {
        int64_t saved = 0;
        for (unsigned array = 0; array != program.getNumArrays(); ++array) {
          EXPECT_FALSE(findRoom(program, copied, array, rank));
          std::optional<Room> room = findRoom(program, around, array, rank);
          if (!room)
            continue;
          ++found;
          EXPECT_LT(array, 2u); // an input
          const ein::distribute::Block &home = around.homes[array][rank];
          EXPECT_TRUE(isPartOf(home, room->box));
          EXPECT_LT(home.countElements(), room->box.countElements());
          saved += 8 * home.countElements();
        }
        least = rank == 0 ? saved : std::min(least, saved);
      }
      EXPECT_LE(around.memoryBytes, copied.memoryBytes - least);
    }
  EXPECT_GT(found, 0u);
}

// Of all widths and lengths, beyond the pieces that are copied.
TEST(Combine, Fills) {
  for (size_t width : {1, 2, 4, 8, 16})
    for (int64_t count : {0, 1, 2, 3, 255, 256, 257, 1000, 5001}) {
      std::vector<uint8_t> bits;
      for (size_t i = 0; i != width; ++i)
        bits.push_back(uint8_t(17 * i + 3));
      std::string filled(count * width + 1, 'x'), expected;
      for (int64_t i = 0; i != count; ++i)
        expected.append(bits.begin(), bits.end());
      fill(filled.data(), count, bits);
      EXPECT_EQ(filled, expected + "x") << width << " " << count;
    }
}

} // namespace
