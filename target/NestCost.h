//===- NestCost.h - Cycles of a loop nest on a machine ----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: which of two loop nests is faster depends on what they execute, and
// on what they move between which levels of memory.
//
// Choice: a nest is plain data, and its price the larger of the time to issue
// its instructions, the time that sums wait for themselves, and for each level
// of memory the bytes that the next one delivers over its rate. How many these
// are follows from footprints: the outermost loop whose data a cache holds
// reads it once, and what is outside of it reads it again. A cache holds lines
// of one distance as far as its sets go, and not as its bytes do: rows that are
// a multiple of 4 KiB apart share one set of L1 on many machines.
//
// Sources: T. M. Low, F. D. Igual, T. M. Smith and E. S. Quintana-Orti,
// "Analytical Modeling Is Enough for High-Performance BLIS", ACM TOMS 43(2),
// 2016, for reuse by footprints; S. Williams, A. Waterman and D. Patterson,
// "Roofline", CACM 52(4), 2009, for the larger of the times.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_TARGET_NESTCOST_H
#define EIN_TARGET_NESTCOST_H

#include "target/MachineModel.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <optional>

namespace ein {

/// An index goes from 0 to `extent` in steps of `step`. The last step may be
/// shorter, and takes as long as the others; but of blocks, which have loops
/// over them inside, as much less as it is shorter.
struct NestLoop {
  double extent = 1, step = 1;
  bool isBlock = false;
};

/// Pieces of memory, `distance` bytes apart.
struct NestStep {
  double distance, count;
};

/// An array as the body of a nest reads and writes it.
struct NestArray {
  /// Bytes from one value of each loop's index to the next, outermost loop
  /// first; 0 if the address does not depend on it.
  llvm::SmallVector<double> strides;
  /// Bytes side by side that one iteration touches.
  double bytes = 0;
  bool isRead = true, isWritten = false;
  /// So many cycles before it is needed instructions fetch it.
  double fetchedAhead = 0;
  /// If there is a number, the nest does not touch the array. Other nests do in
  /// the first so many of its loops, and so take caches: each time `bytes`, and
  /// by each of `steps` the same again, so far apart and so often.
  std::optional<size_t> beside = std::nullopt;
  llvm::SmallVector<NestStep> steps = {};
  /// What is written goes past the caches, by whole lines.
  bool isStreamed = false;
  /// It comes while loops touch it for the first time, and nothing comes while
  /// they touch it again: nobody fetches what they will touch next.
  bool comesInBursts = false;
  /// No instruction waits for what another one has read or written of it, so
  /// that as many lines are under way as the core has buffers for.
  bool isIndependent = false;
  /// How far rows are apart is not known before the code runs. It may be a
  /// multiple of what the sets of caches and of the TLB repeat after, so that
  /// what falls together waits.
  bool hasOpenStrides = false;
};

/// Of sums whose steps are written one sum after the other, so many are under
/// way at once: as many as the instructions reach that a machine looks ahead.
inline constexpr double kSumsAtOnce = 2;

/// Ends of loops of so many steps are foreseen: a predictor's history has all
/// of them.
inline constexpr double kForeseenSteps = 16;

/// So many addresses are kept in registers beside what else a loop has there:
/// x86 has sixteen, and of more LLVM spills some in each step.
inline constexpr int64_t kAddressesAtOnce = 8;

/// So many pieces of memory, each read from its beginning to its end, the
/// machine fetches ahead side by side.
inline constexpr double kReadStreams = 16;

/// A piece of memory of so many lines it sees coming, once it has begun.
inline constexpr double kSeenLines = 4;

/// So many lines are on their way to L1 at once: from 10 (Haswell) to 24 (Zen
/// 3) buffers, of which some wait for what fetches ahead.
inline constexpr double kFillBuffers = 16;

/// So many rows of memory chips are open at once, of DDR5's 32 banks. Lines
/// that are written past the caches to more than that open one each.
inline constexpr double kOpenRows = 32;

/// What one iteration of the innermost loop executes.
struct NestWork {
  /// Of its vectors.
  double vectorBits = 64;
  double loads = 0, stores = 0, maskedStores = 0;
  /// Masks are in registers of their own, and not in vectors.
  bool hasMaskRegisters = true;
  double fmas = 0, adds = 0, logic = 0, shuffles = 0;
  /// Addresses and counters.
  double scalars = 0;
  /// How many multiply-adds and additions wait for one another, from one
  /// iteration to the next.
  double chainedFmas = 0, chainedAdds = 0;
  /// How many short loops end, which the machine does not see coming.
  double loopEnds = 0;
  double calls = 0;
};

struct LoopNest {
  llvm::SmallVector<NestLoop> loops; // outermost first
  llvm::SmallVector<NestArray> arrays;
  NestWork work;
  double calls = 0;
  double threads = 1;
};

/// What takes turns with what: kinds of instructions that share units, and all
/// that are issued.
enum class Port {
  Loads,
  Stores,
  MultiplyAdds,
  Additions,
  Logic,
  Shuffles,
  Instructions
};
inline constexpr size_t kNumPorts = 7;
/// For people: `loads`, …
llvm::StringRef getName(Port port);

struct NestCost {
  double cycles = 0;
  /// What of that could be all of it: to issue, to wait for sums, and to move
  /// bytes from and to L2, L3 and memory.
  double issueCycles = 0, latencyCycles = 0;
  /// What it takes to issue each kind of instructions, by `Port`.
  std::array<double, kNumPorts> portCycles = {};
  std::array<double, 3> moveCycles = {};
  /// Bytes between L1 and L2, L2 and L3, the last cache and memory.
  std::array<double, 3> movedBytes = {};
  /// And to find pages that the TLB does not have.
  double tlbCycles = 0;
  /// Beside it: what calls and threads take.
  double otherCycles = 0;
  /// Which of them is the largest: `issue`, `latency`, `L2`, `L3`, `memory`,
  /// `TLB`.
  llvm::StringRef bound;

  /// The kind of instructions that takes longest to issue.
  Port getBusiestPort() const;
  /// Another nest after this one. The longer one's bound is that of both.
  void add(const NestCost &other);
};

/// The arrays live in the nearest level that holds all of them.
NestCost priceNest(const LoopNest &nest, const MachineModel &machine);

} // namespace ein

#endif // EIN_TARGET_NESTCOST_H
