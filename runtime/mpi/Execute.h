//===- Execute.h - Runs a distributed program on a rank -------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_RUNTIME_MPI_EXECUTE_H
#define EIN_RUNTIME_MPI_EXECUTE_H

#include "abi/Codes.h"
#include "runtime/mpi/Checkpoint.h"

namespace ein::runtime {

/// What a run was, for who measures.
struct RunFacts {
  int64_t bytesReceived = 0;
  /// The most memory at a time: the caller's blocks and everything beside them.
  int64_t peakBytes = 0;
};

/// Whether all ranks were called with the same sizes, and these are sizes. The
/// same code on all ranks.
int32_t checkSizes(const Ranks &ranks, const std::vector<int64_t> &sizes);

/// What `execute` returns if a file of the checkpoint is damaged. It is no code
/// of the C interface: only executables have checkpoints.
constexpr int32_t kBadCheckpoint = INT32_MAX;

/// What this rank adds up slice by slice.
std::vector<SliceSum> listSliceSums(const Ranks &ranks,
                                    const DistributedProgram &program,
                                    const Schedule &schedule);

/// Runs the statements. `arguments[i]` points to this rank's block of the i-th
/// argument, to the value itself for a scalar. Sums of slices go on from what
/// `checkpoint` has, if there is one, and are saved there. The same code on all
/// ranks.
int32_t execute(const Ranks &ranks, const DistributedProgram &program,
                const Schedule &schedule, const PackedFunction *kernels,
                void **arguments, const std::vector<int64_t> &sizes,
                RunFacts *facts = nullptr, Checkpoint *checkpoint = nullptr);

} // namespace ein::runtime

#endif // EIN_RUNTIME_MPI_EXECUTE_H
