//===- Entry.cpp - What distributed functions call ------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function that einc makes with --distribute collects its arguments and calls
// one of these. Their names have the MPI library in them, because a
// communicator is another type in each: what was compiled for one does not link
// with the other.
//
//===----------------------------------------------------------------------===//

#include "runtime/mpi/Execute.h"

using namespace ein::runtime;

// NOLINTBEGIN(readability-identifier-naming): as generated code calls them.
#define EIN_NAME(LIBRARY, FUNCTION) __ein_##LIBRARY##_##FUNCTION
#define EIN_ENTRY(LIBRARY, FUNCTION) EIN_NAME(LIBRARY, FUNCTION)

namespace {

/// A call of a function: the program, the values of its symbols, and who does
/// what.
struct Call {
  explicit Call(MPI_Comm comm) : ranks(comm) {}
  /// A code.
  int32_t prepare(const DistributedRecord &record, const int64_t *sizes);

  Ranks ranks;
  DistributedProgram program;
  std::vector<int64_t> values;
  Schedule schedule;
};

} // namespace

int32_t Call::prepare(const DistributedRecord &record, const int64_t *sizes) {
  std::string error;
  if (!parse(record.text, program))
    return static_cast<int32_t>(Code::ShapeMismatch);
  values.assign(sizes, sizes + program.signature.symbols.size());
  if (int32_t code = checkSizes(ranks, values))
    return code;
  if (Code code = checkSizes(program, values); code != Code::Ok)
    return static_cast<int32_t>(code);
  if (program.ranks != 0 && program.ranks != ranks.count)
    return static_cast<int32_t>(Code::Ranks);
  if (!makeSchedule(program, values, ranks.count, schedule, error))
    return static_cast<int32_t>(Code::OutOfMemory);
  return 0;
}

/// Runs a function on this rank's blocks.
extern "C" int32_t EIN_ENTRY(EIN_MPI, call)(MPI_Comm comm,
                                            const DistributedRecord *record,
                                            void **arguments,
                                            const int64_t *sizes) {
  Call call(comm);
  if (int32_t code = call.prepare(*record, sizes))
    return code;
  return execute(call.ranks, call.program, call.schedule, record->kernels,
                 arguments, call.values);
}

/// Which block of an argument this rank has: where it starts, and its extents.
extern "C" int32_t EIN_ENTRY(EIN_MPI, block)(MPI_Comm comm,
                                             const DistributedRecord *record,
                                             int32_t argument, int64_t *starts,
                                             int64_t *extents,
                                             const int64_t *sizes) {
  Call call(comm);
  if (int32_t code = call.prepare(*record, sizes))
    return code;
  bool isArgument =
      argument >= 0 &&
      static_cast<size_t>(argument) < call.program.signature.arguments.size();
  if (int32_t code = call.ranks.agree(
          static_cast<int32_t>(isArgument ? Code::Ok : Code::OutOfRange)))
    return code;
  const ein::distribute::Block &box =
      call.schedule.homes[argument][call.ranks.rank];
  size_t rank = call.program.signature.arguments[argument].dims.size();
  for (size_t dim = 0; dim != rank; ++dim) {
    bool isNothing = isEmpty(box);
    starts[dim] = isNothing ? 0 : box.ranges[dim].begin;
    extents[dim] = isNothing ? 0 : box.ranges[dim].size();
  }
  return 0;
}
// NOLINTEND(readability-identifier-naming)
