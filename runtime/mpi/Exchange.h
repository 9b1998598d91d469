//===- Exchange.h - Boxes from those who have them to who needs them ------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every rank knows what each rank has of an array and what each needs of it. An
// exchange sends each the common parts, by messages that MPI takes from the
// array and puts into it as they lie (subarray types). Along one axis of a grid
// that is an all-gather; between two layouts an all-to-all; with boxes that
// overlap, halos.
//
// A message for what both have, and none for what a rank has itself: as many
// bytes move as `distribute::countMovedElements` says.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_RUNTIME_MPI_EXCHANGE_H
#define EIN_RUNTIME_MPI_EXCHANGE_H

#include "runtime/mpi/Combine.h"
#include "runtime/mpi/Schedule.h"
#include <mpi.h>

namespace ein::runtime {

/// A communicator of our own, so that no message meets one of the caller's.
struct Ranks {
  explicit Ranks(MPI_Comm callers);
  ~Ranks();
  Ranks(const Ranks &) = delete;
  Ranks &operator=(const Ranks &) = delete;

  /// The largest of all ranks' codes.
  int32_t agree(int32_t code) const;

  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0, count = 1;
  /// What this rank has received so far.
  mutable int64_t bytesReceived = 0;
};

class Exchange {
public:
  /// Begins to move: `from` is this rank's part of what is there (`have`), `to`
  /// of what is needed. Both memories stay until it is finished. What a rank
  /// has itself is copied, unless it needs it where it is (`isInPlace`).
  void start(const Ranks &ranks, size_t width, const Boxes &have,
             const Boxes &need, const BoxMemory &from, const BoxMemory &to,
             int tag, bool isInPlace = false);
  void finish();

private:
  std::vector<MPI_Request> requests;
};

/// Sums of parts: each rank's `part` (of `have`) is combined with what is in
/// the homes, in the order of the ranks, so that the result is the same each
/// time. A home gets its parts slab by slab, so that they take little memory:
/// `getSlabBytes` for this rank's.
int64_t getSlabBytes(const Ranks &ranks, size_t width, const Boxes &have,
                     const Boxes &homes);
void combineParts(const Ranks &ranks, DType type, Combiner combiner,
                  const Boxes &have, const Boxes &homes, const BoxMemory &part,
                  const BoxMemory &home, char *memory);

} // namespace ein::runtime

#endif // EIN_RUNTIME_MPI_EXCHANGE_H
