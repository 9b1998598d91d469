//===- Schedule.cpp - Which rank does what, and has what ------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/mpi/Schedule.h"
#include "runtime/Array.h"
#include <algorithm>

using namespace ein::distribute;

namespace ein::runtime {

bool isEmpty(const Block &box) {
  return std::any_of(box.ranges.begin(), box.ranges.end(),
                     [](Range range) { return range.size() <= 0; });
}

//===----------------------------------------------------------------------===//
// From loops to arrays
//===----------------------------------------------------------------------===//

Block getBox(const ArrayUse &use, const Block &part) {
  Block box;
  // An array without dims has no range to be empty: this one stands for it.
  if (isEmpty(part))
    return {std::vector<Range>(std::max<size_t>(use.subscripts.size(), 1))};
  for (const distribute::Subscript &subscript : use.subscripts) {
    Range range = {subscript.constant,
                   subscript.constant + 1 + subscript.extra};
    for (auto [loop, coefficient] : subscript.terms) {
      range.begin += coefficient * part.ranges[loop].begin;
      range.end += coefficient * (part.ranges[loop].end - 1);
    }
    box.ranges.push_back(range);
  }
  return box;
}

Block getStep(const Block &part, const Steps &steps, int64_t number) {
  Block step = part;
  if (steps.count > 1)
    step.ranges[steps.dim] =
        cutRange(part.ranges[steps.dim], steps.count, number);
  return step;
}

bool isStepped(const ArrayUse &use, const Steps &steps) {
  if (steps.count <= 1)
    return false;
  for (const distribute::Subscript &subscript : use.subscripts)
    for (auto [loop, coefficient] : subscript.terms)
      if (loop == steps.dim)
        return true;
  return false;
}

bool isPartOf(const Block &box, const Block &whole) {
  return isEmpty(box) ||
         (!isEmpty(whole) && intersect(box, whole).ranges == box.ranges);
}

/// Whether an array is there before, and stays as it is; what a statement
/// starts with is fetched apart.
static bool mayHaveRoom(const DistributedProgram &program, unsigned array) {
  if (array >= program.signature.arguments.size() || program.isScalar(array) ||
      program.signature.arguments[array].role != Role::Input)
    return false;
  return std::none_of(program.statements.begin(), program.statements.end(),
                      [&](const DistributedStatement &statement) {
                        return statement.start == StartKind::Array &&
                               statement.startArray == array;
                      });
}

std::optional<Room> findRoom(const DistributedProgram &program,
                             const Schedule &schedule, unsigned array,
                             int rank) {
  if (!schedule.hasRooms || !mayHaveRoom(program, array))
    return std::nullopt;
  const Block &home = schedule.homes[array][rank];
  for (size_t number = 0; number != schedule.statements.size(); ++number) {
    const StatementSchedule &statement = schedule.statements[number];
    for (size_t read = 0; read != statement.reads.size(); ++read) {
      const ArrayUse &use = statement.reads[read];
      if (use.array != array)
        continue;
      Room room = {number, read, getBox(use, statement.parts[rank])};
      bool isThere = !isStepped(use, statement.steps) && !isEmpty(home) &&
                     !isEmpty(room.box) && !(home == room.box) &&
                     isPartOf(home, room.box) && findAdjacent(home, room.box);
      return isThere ? std::optional<Room>(std::move(room)) : std::nullopt;
    }
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The schedule
//===----------------------------------------------------------------------===//

Code checkSizes(const DistributedProgram &program,
                const std::vector<int64_t> &sizes) {
  for (const DistributedCheck &check : program.checks) {
    bool isEmpty = false;
    int64_t value = 0, extent = 0;
    for (const Dim &dim : check.unlessEmpty)
      isEmpty |= dim.evaluate(sizes, extent) && extent == 0;
    bool holds = check.value.evaluate(sizes, value) &&
                 (check.isEqual ? value == 0 : value >= 0);
    if (!isEmpty && !holds)
      return check.isOfShapes ? Code::ShapeMismatch : Code::OutOfRange;
  }
  for (unsigned number = 0; number != program.getNumArrays(); ++number) {
    const Argument &array = program.getArray(number);
    Shape shape;
    int64_t bytes;
    for (const Dim &dim : array.dims)
      if (!dim.evaluate(sizes, shape.emplace_back()))
        return Code::ShapeMismatch;
    if (!countBytes(shape, getByteWidth(array.type), bytes))
      return Code::ShapeMismatch;
  }
  return Code::Ok;
}

static bool computeShapes(const DistributedProgram &program,
                          const std::vector<int64_t> &sizes, Schedule &schedule,
                          std::string &error) {
  for (unsigned number = 0; number != program.getNumArrays(); ++number) {
    const Argument &array = program.getArray(number);
    Shape &shape = schedule.shapes.emplace_back();
    for (const Dim &dim : array.dims)
      if (!dim.evaluate(sizes, shape.emplace_back()))
        shape.back() = -1;
    int64_t bytes;
    if (!countBytes(shape, getByteWidth(array.type), bytes)) {
      error = "the size of `" + array.name + "` is negative, or overflows";
      return false;
    }
  }
  return true;
}

static ArrayUse makeUse(const Access &access, const Schedule &schedule) {
  ArrayUse use;
  use.array = access.array;
  for (size_t dim = 0; dim != access.subscripts.size(); ++dim) {
    const Subscript &subscript = access.subscripts[dim];
    distribute::Subscript &made = use.subscripts.emplace_back();
    made.terms = subscript.terms;
    made.constant = subscript.constant;
    made.extra = subscript.isWhole ? schedule.shapes[access.array][dim] - 1
                                   : subscript.extra;
  }
  return use;
}

/// The statement as the planner sees it; false if an index has no number of
/// values.
static bool makeStatement(const DistributedProgram &program,
                          const DistributedStatement &statement,
                          const std::vector<int64_t> &sizes,
                          const Schedule &schedule, ProgramStatement &result) {
  Work work = {{}, statement.combiner == Combiner::Add ? 2.0 : 1.0};
  for (const DistributedLoop &loop : statement.loops) {
    work.dims.push_back(result.extents.size());
    if (!loop.extent.evaluate(sizes, result.extents.emplace_back()) ||
        result.extents.back() < 0)
      return false;
    result.isWhole.push_back(loop.kind == LoopKind::Whole);
  }
  result.work = {work};
  // Of what a slice computes, a half counts as work without its inner labels:
  // slices are shared by ranks where there are no more of them.
  Work apart = {{}, work.flops};
  for (unsigned loop = 0; loop != statement.loops.size(); ++loop)
    if (statement.loops[loop].kind == LoopKind::Inner)
      apart.flops *= double(result.extents[loop]);
    else
      apart.dims.push_back(loop);
  if (apart.dims.size() != work.dims.size())
    result.work.push_back(apart);
  // Scalars are with all ranks.
  for (const Access &access : statement.reads)
    if (!program.isScalar(access.array))
      result.reads.push_back(makeUse(access, schedule));
  result.write = makeUse(statement.write, schedule);
  if (statement.start == StartKind::Array) {
    result.reads.push_back(result.write);
    result.reads.back().array = statement.startArray;
  }
  return true;
}

/// Whether nothing is in the way of making a result where the caller has it: it
/// is only written, and what becomes it is no argument.
static bool isMadeInPlace(const DistributedProgram &program, unsigned argument,
                          unsigned array) {
  return program.signature.arguments[argument].role == Role::Output &&
         array >= program.signature.arguments.size();
}

/// What the program's grids are chosen for.
static Network getNetwork(const DistributedProgram &program) {
  Network network;
  if (const std::optional<DistributedNetwork> &own = program.network)
    network = {own->flops, own->bytes, own->latency, own->slack};
  return network;
}

static bool makePlan(const DistributedProgram &program,
                     const std::vector<int64_t> &sizes, int64_t ranks,
                     const Schedule &schedule, ProgramPlan &result,
                     std::string &error) {
  Program planned;
  for (unsigned number = 0; number != program.getNumArrays(); ++number) {
    ProgramArray &array = planned.arrays.emplace_back();
    array.extents = schedule.shapes[number];
    array.elementBytes = getByteWidth(program.getArray(number).type);
    array.isArgument = number < program.signature.arguments.size();
    array.hasRoom = schedule.hasRooms && mayHaveRoom(program, number);
  }
  // A result is with the caller, whatever it is called before. What is made in
  // its place is there once.
  for (auto [argument, array] : program.results) {
    bool isInPlace = isMadeInPlace(program, argument, array) &&
                     !planned.arrays[array].isArgument;
    planned.arrays[array].isArgument = true;
    if (isInPlace)
      planned.arrays[argument].isArgument = false;
  }
  for (const DistributedStatement &statement : program.statements)
    if (!makeStatement(program, statement, sizes, schedule,
                       planned.statements.emplace_back())) {
      error = "an index has a negative number of values, or too many";
      return false;
    }
  const std::vector<int64_t> &grid = program.grid;
  if (!grid.empty() && grid.size() != planned.statements[0].extents.size()) {
    error = "the grid has " + std::to_string(grid.size()) +
            " parts, and the statement " +
            std::to_string(planned.statements[0].extents.size()) + " indices";
    return false;
  }
  const Network network = getNetwork(program);
  std::optional<ProgramPlan> plan =
      grid.empty()
          ? planProgram(planned, ranks, program.maxMemoryBytes, network)
          : planProgram(planned, grid, program.maxMemoryBytes, network);
  if (!plan) {
    error = "the blocks of a rank do not fit in the " +
            std::to_string(program.maxMemoryBytes) +
            " bytes that it may take, on " + std::to_string(ranks) + " ranks";
    return false;
  }
  result = std::move(*plan);
  return true;
}

static Boxes getHomes(const BlockLayout &layout, int64_t ranks) {
  Boxes boxes;
  for (int64_t rank = 0; rank != ranks; ++rank)
    boxes.push_back(getHomeBlock(layout, rank));
  return boxes;
}

/// Whether several ranks have parts of a loop that is summed.
static bool isShared(const DistributedStatement &statement,
                     const BlockLayout &iteration) {
  for (size_t loop = 0; loop != statement.loops.size(); ++loop)
    if (iteration.countParts(loop) > 1 &&
        statement.loops[loop].kind == LoopKind::Reduction)
      return true;
  return false;
}

/// Of what no statement has to do with: the first dim is cut.
static BlockLayout makeDefaultLayout(const std::vector<int64_t> &shape,
                                     int64_t ranks) {
  BlockLayout layout;
  layout.extents = shape;
  layout.grid = {ranks, 1};
  layout.axes.assign(shape.size(), 1);
  if (shape.empty())
    layout.sharingAxes = {0};
  else
    layout.axes[0] = 0;
  return layout;
}

bool makeSchedule(const DistributedProgram &program,
                  const std::vector<int64_t> &sizes, int64_t ranks,
                  Schedule &schedule, std::string &error, bool hasRooms) {
  schedule = Schedule();
  schedule.hasRooms = hasRooms;
  ProgramPlan plan;
  if (!computeShapes(program, sizes, schedule, error) ||
      !makePlan(program, sizes, ranks, schedule, plan, error))
    return false;
  schedule.memoryBytes = plan.memoryBytes;
  for (size_t number = 0; number != program.statements.size(); ++number) {
    const StatementPlan &part = plan.statements[number];
    const DistributedStatement &statement = program.statements[number];
    StatementSchedule &result = schedule.statements.emplace_back();
    for (const Access &access : statement.reads)
      result.reads.push_back(makeUse(access, schedule));
    result.write = makeUse(statement.write, schedule);
    result.parts = getHomes(part.iteration, ranks);
    result.steps = part.steps;
    result.isShared = isShared(statement, part.iteration);
  }
  // An argument that is only written is where what it becomes is made.
  for (auto [argument, array] : program.results)
    if (isMadeInPlace(program, argument, array))
      plan.homes[argument] = plan.homes[array];
  for (unsigned number = 0; number != program.getNumArrays(); ++number)
    schedule.homes.push_back(
        getHomes(plan.homes[number].grid.empty()
                     ? makeDefaultLayout(schedule.shapes[number], ranks)
                     : plan.homes[number],
                 ranks));
  return true;
}

} // namespace ein::runtime
