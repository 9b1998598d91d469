//===- SearchKnobs.h - What a search for an order may do --------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All numbers of the searches that are chosen and do not follow: how much is
// looked at, and where. Each trades the time of a search for the order that it
// finds; none of them says how code runs. They were chosen on the networks of
// bench/cases and of docs/decisions/0028-linear-front-end.md, and no search has
// others of its own.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_ORDER_SEARCHKNOBS_H
#define EIN_ORDER_SEARCHKNOBS_H

#include <cstddef>
#include <cstdint>

namespace ein {

struct SearchKnobs {
  //===--------------------------------------------------------------------===//
  // Which search
  //===--------------------------------------------------------------------===//

  /// Steps that exact searches evaluate: about a second of them, or half a
  /// minute if an optimal order is asked for; and a part's least share.
  static constexpr uint64_t kWork = uint64_t(1) << 26,
                            kOptimalWork = uint64_t(1) << 31,
                            kLeastWork = uint64_t(1) << 18;
  /// So many operands are put in order by all splits of all subsets, which know
  /// shared products; and so many whose subscripts are sums of indices.
  static constexpr unsigned kMostForSubsets = 14, kMostProductForSubsets = 10;
  /// And so many by the subsets that are connected, from an order that so many
  /// trees have found.
  static constexpr unsigned kMostConnected = 20;
  static constexpr uint64_t kTreesBeforeConnected = 64;
  /// Of sums that a step of a product may leave labels, so many are tried both
  /// ways; the others stay labels.
  static constexpr unsigned kMostFree = 4;

  //===--------------------------------------------------------------------===//
  // Sizes that are not known
  //===--------------------------------------------------------------------===//

  /// What dynamic labels are tried with: all combinations, or so many.
  static constexpr double kSampledSizes[] = {4, 64, 1024};
  static constexpr unsigned kMostSamples = 243;
  /// Of so many operands there may be so many orders to choose from.
  static constexpr unsigned kMostOperandsOfOrders = 6, kMostOrders = 5;
  /// What another order has to save on average, as a logarithm.
  static constexpr double kLeastGain = 0.05;

  //===--------------------------------------------------------------------===//
  // Shared products and layouts
  //===--------------------------------------------------------------------===//

  /// In splits of subsets, what may be evaluated; and what a step of a path
  /// that is looked at counts as.
  static constexpr double kSharingWork = 1 << 25, kSplitsPerPathStep = 16;
  /// Groups of dims of what a step leaves that are permuted, 24 orders of them;
  /// and rounds over all steps, the last of which hardly change anything.
  static constexpr size_t kMostGroups = 4;
  static constexpr int kMostRounds = 4;

  //===--------------------------------------------------------------------===//
  // Trees: effort
  //===--------------------------------------------------------------------===//

  /// Trees that take about a second: so many over the number of leaves, no
  /// fewer and no more than; and a part's least share.
  static constexpr uint64_t kTreesOfOneLeaf = 800'000, kFewestTrees = 64,
                            kMostTrees = 4096, kLeastTrees = 32;
  /// And no more for an operation of a step than so many, as a greedy search
  /// finds them: a second is too much for what takes a microsecond.
  static constexpr double kTreesPerOperation = 16;
  /// As long as it takes for a step of a greedy search, which evaluates several
  /// pairs in a heap, so many of the others are evaluated: rotations, those of
  /// a graph, splits of subsets, pins of a partition and legs of a line.
  static constexpr uint64_t kRotationsPerStep = 8, kGraphRotationsPerStep = 32,
                            kSplitsPerStep = 64, kPinsPerStep = 256;
  /// So few trees are all greedy ones; and of so few steps nothing is absorbed
  /// first, which takes the rest of the effort.
  static constexpr uint64_t kFewTrees = 16;
  static constexpr size_t kFewSteps = 40;
  static constexpr double kAbsorbedPart = 0.9;
  /// The parts of the effort: greedy trees, partitions, lines; annealing from
  /// several of them, and again from the best; and a last polish.
  static constexpr double kGreedyPart = 0.06, kPartitionPart = 0.1,
                          kLinePart = 0.1, kAnnealPart = 0.4, kAgainPart = 0.3,
                          kPolishPart = 0.1;
  static constexpr unsigned kTrialsPerKind = 4;
  /// Of what is cheapest of the first trees, what costs more is hopeless.
  static constexpr double kHopeless = 1e4;

  //===--------------------------------------------------------------------===//
  // Trees: annealing
  //===--------------------------------------------------------------------===//

  /// Where it begins, for each of the first trees and for the best one again;
  /// in a search of few trees; and where it ends.
  static constexpr double kFirstTemperatures[] = {0.5, 0.2, 0.5, 1},
                          kAgainTemperatures[] = {0.5, 0.3, 0.15, 0.08},
                          kFewTreesTemperature = 0.2, kLastTemperature = 0.06;
  /// Its parts before, for, and after rotations; leaves of the subtrees that
  /// are replaced before and after, and that are replaced at all.
  static constexpr double kEarlyPart = 0.15, kSweepPart = 0.7, kLatePart = 0.15;
  static constexpr unsigned kEarlyLeaves = 5, kLateLeaves = 8;
  /// Steps that cost so small a part of the most expensive one need only follow
  /// the others, which are rotated so many times as often.
  static constexpr double kLeastPart = 1e-6;
  static constexpr unsigned kMoreOften = 16;

  //===--------------------------------------------------------------------===//
  // Greedy searches, partitions, lines
  //===--------------------------------------------------------------------===//

  /// Of one label's tensors, how many a new one is paired with, and how many
  /// are looked at for one that takes it in.
  static constexpr size_t kMostPartners = 24, kMostAbsorbing = 16;
  /// Of a label that very many have, so many are looked at at a time.
  static constexpr size_t kMostHolders = 64;
  /// Sets of so many leaves are not split further; of so many vertices a graph
  /// is split as it is, so many times.
  static constexpr unsigned kFewLeaves = 6, kCoarsest = 24, kNumStarts = 6;
  /// A graph that so large a part is left of is not made coarser.
  static constexpr double kCoarsenedPart = 0.95;
  /// A net of more pins says little about which of them belong together.
  static constexpr unsigned kMostPins = 32;
  /// Passes of moves over a split, each of which ends after so many that are no
  /// gain, and a part of the vertices more.
  static constexpr unsigned kMostPasses = 8;
  static constexpr size_t kPatience = 40;
  /// Weights are whole numbers, so many to a bit.
  static constexpr double kWeightsPerBit = 4;
  /// Lines that are made of one split; and stretches of a line that brackets
  /// are searched for.
  static constexpr unsigned kLinesPerSplit = 4, kMostBlocks = 320;
};

} // namespace ein

#endif // EIN_ORDER_SEARCHKNOBS_H
