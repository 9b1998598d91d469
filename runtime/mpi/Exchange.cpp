//===- Exchange.cpp - Boxes from those who have them to who needs them ----===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/mpi/Exchange.h"
#include <algorithm>

using namespace ein::distribute;

namespace ein::runtime {

Ranks::Ranks(MPI_Comm callers) {
  MPI_Comm_dup(callers, &comm);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &count);
}

Ranks::~Ranks() { MPI_Comm_free(&comm); }

int32_t Ranks::agree(int32_t code) const {
  int32_t largest = code;
  MPI_Allreduce(&code, &largest, 1, MPI_INT32_T, MPI_MAX, comm);
  return largest;
}

namespace {

/// The elements of `box` in the memory of a larger one, as a type of MPI's.
class BoxType {
public:
  BoxType(const Block &box, const Block &whole, size_t width) {
    // The bytes of an element are a last dim.
    std::vector<int> sizes, parts, starts;
    for (size_t dim = 0; dim != box.ranges.size(); ++dim) {
      sizes.push_back(static_cast<int>(whole.ranges[dim].size()));
      parts.push_back(static_cast<int>(box.ranges[dim].size()));
      starts.push_back(
          static_cast<int>(box.ranges[dim].begin - whole.ranges[dim].begin));
    }
    sizes.push_back(static_cast<int>(width));
    parts.push_back(static_cast<int>(width));
    starts.push_back(0);
    MPI_Type_create_subarray(static_cast<int>(sizes.size()), sizes.data(),
                             parts.data(), starts.data(), MPI_ORDER_C, MPI_BYTE,
                             &type);
    MPI_Type_commit(&type);
  }
  /// Messages that are under way keep what they need of it.
  ~BoxType() { MPI_Type_free(&type); }
  BoxType(const BoxType &) = delete;
  BoxType &operator=(const BoxType &) = delete;

  MPI_Datatype type = MPI_DATATYPE_NULL;
};

} // namespace

void Exchange::start(const Ranks &ranks, size_t width, const Boxes &have,
                     const Boxes &need, const BoxMemory &from,
                     const BoxMemory &to, int tag, bool isInPlace) {
  int self = ranks.rank;
  // Those after us first, so that not all begin with the same one.
  for (int step = 1; step < ranks.count; ++step) {
    int peer = (self + step) % ranks.count;
    Block received = getCommon(have[peer], need[self]);
    if (!isEmpty(received)) {
      BoxType type(received, to.box, width);
      MPI_Irecv(to.data, 1, type.type, peer, tag, ranks.comm,
                &requests.emplace_back());
      ranks.bytesReceived += received.countElements() * width;
    }
  }
  for (int step = 1; step < ranks.count; ++step) {
    int peer = (self + step) % ranks.count;
    Block sent = getCommon(have[self], need[peer]);
    if (!isEmpty(sent)) {
      BoxType type(sent, from.box, width);
      MPI_Isend(from.data, 1, type.type, peer, tag, ranks.comm,
                &requests.emplace_back());
    }
  }
  Block kept = getCommon(have[self], need[self]);
  if (!isInPlace && !isEmpty(kept) && from.data != to.data)
    copyBox(kept, width, from, to);
}

void Exchange::finish() {
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(),
              MPI_STATUSES_IGNORE);
  requests.clear();
}

//===----------------------------------------------------------------------===//
// Sums of parts
//===----------------------------------------------------------------------===//

/// A rank takes the parts of others by slabs that are together as large as its
/// home.

/// The bytes of other ranks' parts that are in a box of `rank`.
static int64_t countPartBytes(const Block &box, int rank, size_t width,
                              const Boxes &have) {
  int64_t bytes = 0;
  for (int peer = 0; peer != static_cast<int>(have.size()); ++peer) {
    Block piece = getCommon(have[peer], box);
    if (peer != rank && !isEmpty(piece))
      bytes += piece.countElements() * static_cast<int64_t>(width);
  }
  return bytes;
}

/// The box of what is added to at home: all of it, or what a step reaches.
static Block getSummed(const Block &home, const Boxes &have) {
  Block summed = {{Range()}};
  for (const Block &part : have) {
    Block added = getCommon(part, home);
    if (isEmpty(added))
      continue;
    if (isEmpty(summed))
      summed = added;
    for (size_t dim = 0; dim != added.ranges.size(); ++dim) {
      Range &range = summed.ranges[dim];
      range.begin = std::min(range.begin, added.ranges[dim].begin);
      range.end = std::max(range.end, added.ranges[dim].end);
    }
  }
  return summed;
}

/// In how many slabs a rank gets its parts, as every rank computes it.
static int64_t countSlabs(int rank, size_t width, const Boxes &have,
                          const Boxes &homes) {
  const Block &home = homes[rank];
  if (isEmpty(home) || home.ranges.empty())
    return 1;
  int64_t bytes = countPartBytes(home, rank, width, have);
  int64_t longest = 1;
  for (Range range : getSummed(home, have).ranges)
    longest = std::max(longest, range.size());
  if (bytes == 0)
    return 1;
  // As thick as parts of the size of the home are.
  int64_t most = home.countElements() * static_cast<int64_t>(width);
  auto thickness =
      static_cast<int64_t>(double(most) / double(bytes) * double(longest));
  return (longest - 1) / std::clamp<int64_t>(thickness, 1, longest) + 1;
}

/// A slab of what is added to at home, across its longest dim; empty behind the
/// last.
static Block getSlab(const Block &home, const Boxes &have, int64_t slabs,
                     int64_t number) {
  Block slab = getSummed(home, have);
  if (isEmpty(slab) || number >= slabs)
    return {{Range()}};
  size_t longest = 0;
  for (size_t dim = 0; dim != slab.ranges.size(); ++dim)
    if (slab.ranges[dim].size() > slab.ranges[longest].size())
      longest = dim;
  if (!slab.ranges.empty())
    slab.ranges[longest] = cutRange(slab.ranges[longest], slabs, number);
  return slab;
}

int64_t getSlabBytes(const Ranks &ranks, size_t width, const Boxes &have,
                     const Boxes &homes) {
  int64_t slabs = countSlabs(ranks.rank, width, have, homes), most = 0;
  for (int64_t number = 0; number != slabs; ++number)
    most = std::max(
        most, countPartBytes(getSlab(homes[ranks.rank], have, slabs, number),
                             ranks.rank, width, have));
  return most;
}

namespace {

/// The messages of one round: each home gets its next slab.
class PartsRound {
public:
  PartsRound(const Ranks &ranks, size_t width, const Boxes &have)
      : ranks(ranks), width(width), have(have), pieces(ranks.count) {}

  void receive(const Block &slab, char *memory);
  void send(const Block &slab, int peer, const BoxMemory &part);
  void combine(const Block &slab, DType type, Combiner combiner,
               const BoxMemory &part, const BoxMemory &home);

private:
  static constexpr int kTag = 1000;

  const Ranks &ranks;
  size_t width;
  const Boxes &have;
  std::vector<BoxMemory> pieces;
  std::vector<MPI_Request> requests;
};

} // namespace

void PartsRound::receive(const Block &slab, char *memory) {
  for (int peer = 0; peer != ranks.count; ++peer) {
    BoxMemory &piece = pieces[peer];
    piece.box = getCommon(have[peer], slab);
    if (peer == ranks.rank || isEmpty(piece.box))
      continue;
    piece.data = memory;
    memory += piece.box.countElements() * width;
    BoxType whole(piece.box, piece.box, width);
    MPI_Irecv(piece.data, 1, whole.type, peer, kTag, ranks.comm,
              &requests.emplace_back());
    ranks.bytesReceived += piece.box.countElements() * width;
  }
}

void PartsRound::send(const Block &slab, int peer, const BoxMemory &part) {
  Block sent = getCommon(have[ranks.rank], slab);
  if (isEmpty(sent))
    return;
  BoxType whole(sent, part.box, width);
  MPI_Isend(part.data, 1, whole.type, peer, kTag, ranks.comm,
            &requests.emplace_back());
}

void PartsRound::combine(const Block &slab, DType type, Combiner combiner,
                         const BoxMemory &part, const BoxMemory &home) {
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(),
              MPI_STATUSES_IGNORE);
  for (int peer = 0; peer != ranks.count; ++peer)
    combineBox(pieces[peer].box, type, combiner,
               peer == ranks.rank ? part : pieces[peer], home);
}

void combineParts(const Ranks &ranks, DType type, Combiner combiner,
                  const Boxes &have, const Boxes &homes, const BoxMemory &part,
                  const BoxMemory &home, char *memory) {
  size_t width = getByteWidth(type);
  // Those that get something from this rank, and in how many slabs.
  std::vector<int64_t> slabs(ranks.count);
  int64_t rounds = slabs[ranks.rank] =
      countSlabs(ranks.rank, width, have, homes);
  for (int peer = 0; peer != ranks.count; ++peer)
    if (peer != ranks.rank &&
        !isEmpty(getCommon(have[ranks.rank], homes[peer]))) {
      slabs[peer] = countSlabs(peer, width, have, homes);
      rounds = std::max(rounds, slabs[peer]);
    }
  for (int64_t number = 0; number != rounds; ++number) {
    PartsRound round(ranks, width, have);
    Block slab = getSlab(home.box, have, slabs[ranks.rank], number);
    round.receive(slab, memory);
    for (int step = 1; step < ranks.count; ++step) {
      int peer = (ranks.rank + step) % ranks.count;
      round.send(getSlab(homes[peer], have, slabs[peer], number), peer, part);
    }
    round.combine(slab, type, combiner, part, home);
  }
}

} // namespace ein::runtime
