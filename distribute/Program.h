//===- Program.h - How a program is distributed -----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: the best grid of a statement may leave its result where the next one
// does not want it, and moving it costs as much as either.
//
// Choice: a statement is cut by a grid of its own, one of the few best, or as
// one of the arrays that it reads lies: elementwise statements and reductions
// then move nothing but partial sums, and a chain of products may keep its
// blocks. These choices are made together, by a beam search over the statements
// in order. What a part of a statement reads and its rank has not at home is
// moved there: an all-gather if the array lies as the statement's grid wants
// it, else a redistribution, and a halo where a window reaches over a border.
//
// Consequence: everything that moves is boxes, and what they cost is counted
// from the boxes of all ranks.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DISTRIBUTE_PROGRAM_H
#define EIN_DISTRIBUTE_PROGRAM_H

#include "distribute/LowerBound.h"
#include "distribute/Plan.h"

namespace ein::distribute {

/// The constant plus the sum of each coefficient times its loop.
struct Subscript {
  std::vector<std::pair<unsigned, int64_t>> terms;
  int64_t constant = 0;
  /// So many elements behind that one are reached as well: all of the dim,
  /// where data say which one is read.
  int64_t extra = 0;
  /// It is one loop, and nothing else.
  bool isLone() const {
    return terms.size() == 1 && terms[0].second == 1 && constant == 0 &&
           extra == 0;
  }
};
/// A loop.
Subscript makeSubscript(unsigned loop);

/// What a statement reads or writes of an array: a subscript for each dim.
struct ArrayUse {
  unsigned array = 0;
  std::vector<Subscript> subscripts;
};

struct ProgramStatement {
  /// Of the loops; those that the written element does not depend on are
  /// reductions.
  std::vector<int64_t> extents;
  /// Loops that are not cut, if it is not empty.
  std::vector<bool> isWhole = {};
  std::vector<ArrayUse> reads;
  ArrayUse write;
  /// As Contraction has it.
  std::vector<Work> work = {};
};

struct ProgramArray {
  std::vector<int64_t> extents;
  int64_t elementBytes = 4;
  /// The caller has it, before or after: it is in memory all the time.
  bool isArgument = true;
  /// What a rank has at home lies in memory that has room around it for what
  /// the first statement that reads the array fetches, if that is one block.
  bool hasRoom = false;
};

struct Program {
  std::vector<ProgramArray> arrays;
  std::vector<ProgramStatement> statements;
};

enum class MoveKind {
  /// Of an input, between those that share a block.
  AllGather,
  /// Of partial sums, likewise.
  ReduceScatter,
  /// From where it lies to where it is needed: all to all, or borders only.
  Redistribute,
  /// Of partial sums, to where the result lies.
  Reduce
};

struct Move {
  MoveKind kind;
  unsigned array = 0;
  /// Which read of the statement; the write comes after the reads.
  unsigned use = 0;
  /// How many ranks share a block, or have a part of what one needs.
  int64_t partners = 1;
  int64_t times = 1;
  /// The most that a rank receives, or sends if it is of partial sums; in all
  /// times.
  int64_t bytesPerRank = 0;
  double totalBytes = 0;
};

struct StatementPlan {
  /// How the loops are cut: a rank's part is its home block.
  BlockLayout iteration;
  Steps steps;
  std::vector<Move> moves;
  /// The array whose layout it follows, if it has no grid of its own.
  std::optional<unsigned> followed;
  /// Of the rank of which each is most.
  double flops = 0;
  int64_t bytesMoved = 0, memoryBytes = 0;
  double totalBytes = 0;
  double computeSeconds = 0, moveSeconds = 0, seconds = 0;
};

struct ProgramPlan {
  /// By array. Each has one home, from the first statement on that has to do
  /// with it.
  std::vector<BlockLayout> homes;
  std::vector<StatementPlan> statements;
  /// The sums of the statements', and the most of their memory.
  int64_t bytesMoved = 0, memoryBytes = 0;
  double totalBytes = 0, seconds = 0;
};

/// None if memory is too short. 0 bytes are any amount.
std::optional<ProgramPlan> planProgram(const Program &program, int64_t ranks,
                                       int64_t maxMemoryBytes,
                                       const Network &network);
/// The plan of a program of one statement, in a given grid, by loop.
std::optional<ProgramPlan> planProgram(const Program &program, const Grid &grid,
                                       int64_t maxMemoryBytes,
                                       const Network &network);

/// A statement as the planner of grids sees it: a loop that is not cut is one
/// point. A dim whose subscript has several loops is cut by the longest.
Contraction makeContraction(const Program &program,
                            const ProgramStatement &statement);

/// Whether each subscript is a loop, none is there twice, and neither is an
/// array, so that the bound is known.
bool isContraction(const ProgramStatement &statement);

/// What a part of the loops reaches of an array.
Block getReached(const ArrayUse &use, const Block &part);

} // namespace ein::distribute

#endif // EIN_DISTRIBUTE_PROGRAM_H
