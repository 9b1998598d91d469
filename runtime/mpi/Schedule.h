//===- Schedule.h - Which rank does what, and has what ----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: ranks have to agree about who has which block of every array, and
// who computes which part of every statement, without asking each other.
//
// Choice: all of it follows from the program, its sizes and the number of
// ranks, so that each rank computes the same schedule, from what
// `distribute::planProgram` says.
//
// Consequence: everything else is moving boxes. `Schedule` says for each rank
// which box it has, which it needs and which it makes.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_RUNTIME_MPI_SCHEDULE_H
#define EIN_RUNTIME_MPI_SCHEDULE_H

#include "abi/Codes.h"
#include "abi/Distributed.h"
#include "distribute/Program.h"

namespace ein::runtime {

/// A box for each rank. One with an empty range is none at all.
using Boxes = std::vector<distribute::Block>;

bool isEmpty(const distribute::Block &box);

using distribute::ArrayUse;

struct StatementSchedule {
  /// What is read and written, without scalars' subscripts.
  std::vector<ArrayUse> reads;
  ArrayUse write;
  /// By rank, its part of the loops.
  Boxes parts;
  /// The loop that is gone through in steps, and how many.
  distribute::Steps steps;
  /// Several ranks have parts of one sum.
  bool isShared = false;
};

struct Schedule {
  /// By array, its shape and who has what of it.
  std::vector<std::vector<int64_t>> shapes;
  std::vector<Boxes> homes;
  std::vector<StatementSchedule> statements;
  /// What a rank takes at most, as the planner predicts it.
  int64_t memoryBytes = 0;
  /// Inputs lie in memory that has room for what is fetched (`findRoom`).
  bool hasRooms = false;
};

/// Where a rank fetches an input around what it has of it at home, instead of
/// copying that: in the first statement that reads it.
struct Room {
  size_t statement = 0, read = 0;
  distribute::Block box;
};

/// None if home does not lie in one piece in what is fetched.
std::optional<Room> findRoom(const DistributedProgram &program,
                             const Schedule &schedule, unsigned array,
                             int rank);

/// Whether all of a box is in another one.
bool isPartOf(const distribute::Block &box, const distribute::Block &whole);

/// What a part of the loops reaches of an array.
distribute::Block getBox(const ArrayUse &use, const distribute::Block &part);
/// The part in step `number`.
distribute::Block getStep(const distribute::Block &part,
                          const distribute::Steps &steps, int64_t number);
/// Whether it reaches something else in each step.
bool isStepped(const ArrayUse &use, const distribute::Steps &steps);

/// Whether there are arrays of these sizes, and the program's checks hold.
Code checkSizes(const DistributedProgram &program,
                const std::vector<int64_t> &sizes);

/// False and `error` where there is none: memory that does not suffice, a grid
/// that does not fit. `hasRooms` is for who allocates the arrays.
bool makeSchedule(const DistributedProgram &program,
                  const std::vector<int64_t> &sizes, int64_t ranks,
                  Schedule &schedule, std::string &error,
                  bool hasRooms = false);

} // namespace ein::runtime

#endif // EIN_RUNTIME_MPI_SCHEDULE_H
