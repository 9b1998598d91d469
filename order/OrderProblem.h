//===- OrderProblem.h - An order to be found, as a search sees it -*- C++ -*-=//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Searches evaluate millions of steps, and the networks that are large have few
// labels per tensor. So a tensor is a short sorted list of labels here, and
// what is the same for the costs is one: labels that the same leaves have are a
// label of their sizes' product, those that nobody else has are summed already.
// Labels are numbered by who has them, so that a network gives the same problem
// whatever its labels were called.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_ORDER_ORDERPROBLEM_H
#define EIN_ORDER_ORDERPROBLEM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

namespace ein {

/// Products are kept below this, so that their sums and differences stay
/// finite.
inline constexpr double kSizeLimit = 1e300;

inline double multiplySizes(double lhs, double rhs) {
  return std::min(lhs * rhs, kSizeLimit);
}

/// A label of a tensor, and how many of the leaves in it have that label.
struct Leg {
  unsigned label;
  unsigned count;
};
/// By label.
using Legs = llvm::SmallVector<Leg, 8>;

/// What an order costs: arithmetic first, and of the same arithmetic what moves
/// fewer elements.
struct OrderCost {
  double flops = 0;
  /// Read and written by the steps.
  double elements = 0;

  OrderCost operator+(const OrderCost &other) const {
    return {flops + other.flops, elements + other.elements};
  }
  bool operator<(const OrderCost &other) const {
    return std::tie(flops, elements) < std::tie(other.flops, other.elements);
  }
};

/// Steps of a path: leaves are numbered from 0, results count on.
using OrderPairs = std::vector<std::pair<unsigned, unsigned>>;

struct OrderProblem {
  std::vector<double> sizes;
  /// By label, how many leaves have it, and one more if the result keeps it.
  std::vector<unsigned> totals;
  std::vector<Legs> leaves;

  double getSize(const Legs &legs) const {
    double size = 1;
    for (Leg leg : legs)
      size = multiplySizes(size, sizes[leg.label]);
    return size;
  }
  /// A label that all that have it are in is summed.
  bool isSummed(Leg leg) const { return leg.count == totals[leg.label]; }

  struct Step {
    double flops;
    double size; // of the result
  };
  /// Contracts two tensors.
  Step contract(const Legs &lhs, const Legs &rhs, Legs &result) const {
    result.resize_for_overwrite(lhs.size() + rhs.size());
    size_t count = 0;
    Leg *legs = result.data();
    Step step = merge(lhs, rhs, [&](Leg leg, bool isKept) {
      legs[count] = leg;
      count += isKept;
    });
    result.truncate(count);
    return step;
  }
  Step contract(const Legs &lhs, const Legs &rhs) const {
    return merge(lhs, rhs, [](Leg, bool) {});
  }

  OrderCost getCost(const OrderPairs &pairs) const;

private:
  /// Tells `take` the labels of two tensors in order, and which are kept. This
  /// is what annealing does all the time, and which of two labels is the next
  /// is chance to a processor: so nothing branches on it.
  template <typename Take>
  Step merge(const Legs &lhs, const Legs &rhs, Take take) const {
    double all = 1, size = 1;
    size_t numSummed = 0;
    auto add = [&](Leg leg) {
      double extent = sizes[leg.label];
      bool isKept = !isSummed(leg);
      all *= extent;
      size *= isKept ? extent : 1;
      numSummed += !isKept;
      take(leg, isKept);
    };
    const Leg *a = lhs.begin(), *b = rhs.begin();
    const Leg *aEnd = lhs.end(), *bEnd = rhs.end();
    while (a != aEnd && b != bEnd) {
      unsigned left = a->label, right = b->label;
      bool isLeft = left <= right, isRight = right <= left;
      add({isLeft ? left : right,
           (isLeft ? a->count : 0) + (isRight ? b->count : 0)});
      a += isLeft;
      b += isRight;
    }
    for (; a != aEnd; ++a)
      add(*a);
    for (; b != bEnd; ++b)
      add(*b);
    // What left the range came back as no number only if a size is 0.
    auto limit = [](double product) {
      return product != product ? 0 : std::min(product, kSizeLimit);
    };
    all = limit(all);
    return {numSummed != 0 ? 2 * all : all, limit(size)};
  }
};

/// The problem of contracting `leaves`, lists of labels; a label is kept if
/// `isKept` says so, given the label and the number of leaves that have it.
OrderProblem makeProblem(llvm::ArrayRef<llvm::SmallVector<unsigned>> leaves,
                         llvm::ArrayRef<double> sizes,
                         llvm::function_ref<bool(unsigned, unsigned)> isKept);

/// A sequence of random numbers that is the same everywhere (Vigna's
/// splitmix64).
class OrderRandom {
public:
  explicit OrderRandom(uint64_t seed) : state(seed) {}
  uint64_t next() {
    uint64_t bits = state += 0x9e3779b97f4a7c15u;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return bits ^ (bits >> 31);
  }
  /// Between 0 and 1, and neither.
  double uniform() { return ((next() >> 12) + 0.5) * 0x1p-52; }
  unsigned below(unsigned limit) {
    return static_cast<unsigned>(((next() >> 32) * limit) >> 32);
  }

private:
  uint64_t state;
};

//===----------------------------------------------------------------------===//
// The searches
//===----------------------------------------------------------------------===//

/// Every split of every subset, outer products included: for few leaves, whose
/// legs may be those of any tensors that are there. Keeps its memory from one
/// call to the next.
class SubsetSearch {
public:
  static constexpr unsigned kMostLeaves = 16;

  /// Finds the cheapest order of `leaves`. Of equal ones it is the one that
  /// comes closest to the order of the leaves. What is `done` already costs
  /// nothing: subsets, each with the half that it is made from.
  OrderCost solve(const OrderProblem &problem,
                  llvm::ArrayRef<const Legs *> leaves,
                  llvm::ArrayRef<std::pair<uint32_t, uint32_t>> done = {});
  /// The order that was found.
  OrderPairs getPairs() const;
  /// One half of a subset (the bit of leaf i is getBit(i)) of two or more.
  uint32_t getHalf(uint32_t set) const { return halves[set]; }
  uint32_t getAll() const { return (uint32_t(1) << numLeaves) - 1; }
  /// The first leaf has the highest bit, so that counting down from a set
  /// visits first the split that leaves only its last leaf aside.
  uint32_t getBit(unsigned leaf) const {
    return uint32_t(1) << (numLeaves - 1 - leaf);
  }
  unsigned getLeaf(uint32_t bit) const;

private:
  void collectLabels(const OrderProblem &problem,
                     llvm::ArrayRef<const Legs *> leaves);
  void prepareSubsets();
  double multiplyUnion(uint32_t lhs, uint32_t rhs) const;

  struct Label {
    uint32_t holders;
    bool kept;
    double size;
  };

  unsigned numLeaves = 0;
  /// 64-bit words per set of labels.
  unsigned numWords = 0;
  std::vector<int> places; // by the problem's labels; -1 between calls
  std::vector<Label> labels;
  std::vector<uint64_t> leafLabels; // by bit's number
  std::vector<uint64_t> open;       // by subset: the labels of its result
  std::vector<double> openSizes;
  std::vector<OrderCost> costs;
  std::vector<uint32_t> halves;
};

enum class ConnectedResult {
  /// No order is cheaper.
  Best,
  /// None that makes no outer product is.
  BestWithoutOuter,
  /// There was too much to look at.
  GaveUp,
};

/// The cheapest order of at most SearchKnobs::kMostConnected leaves among those
/// that always contract what shares a label, and then among all; none of them
/// if that takes more than `workLimit` steps. `pairs` is an order to begin
/// with, and the order found.
ConnectedResult searchConnected(const OrderProblem &problem, uint64_t workLimit,
                                OrderPairs &pairs);

struct GreedySettings {
  /// What the operands' sizes count for beside the result's.
  double alpha = 1;
  /// How much of it is chance.
  double temperature = 0;
};

/// Contracts, of the pairs of tensors that share a label, always the one whose
/// result is the smallest compared with what it replaces; then multiplies what
/// shares nothing, smallest first. Without chance and with alpha 1 it is what
/// numpy.einsum_path calls greedy, down to its ties.
class GreedySearch {
public:
  explicit GreedySearch(const OrderProblem &problem);

  /// The flops of the order that it makes.
  double run(GreedySettings settings, OrderRandom &random, OrderPairs &pairs);

private:
  struct Candidate {
    double score;
    double flops;
    unsigned number;
    unsigned lhs, rhs;
    bool operator<(const Candidate &other) const {
      // The heap's top is its largest.
      return std::tie(other.score, other.flops, other.number) <
             std::tie(score, flops, number);
    }
  };
  const Legs &getLegs(unsigned id) const {
    return id < problem.leaves.size() ? problem.leaves[id]
                                      : results[id - problem.leaves.size()];
  }
  void add(unsigned id, double size);
  void offer(unsigned lhs, unsigned rhs);
  unsigned contract(unsigned lhs, unsigned rhs);
  void multiplyRest();

  const OrderProblem &problem;
  std::vector<double> leafSizes;
  // Of a run.
  GreedySettings settings;
  OrderRandom *random = nullptr;
  OrderPairs *pairs = nullptr;
  double flops = 0;
  std::vector<Legs> results;
  /// By label, who has it, and some who are no longer there.
  std::vector<llvm::SmallVector<unsigned, 4>> holders;
  std::vector<double> sizes; // by tensor
  std::vector<char> isAlive;
  std::vector<Candidate> heap;
  std::vector<unsigned> partners;
  unsigned numCandidates = 0;
};

/// The cheapest of `effort` trees: some that greedy searches, partitions and
/// sweeps make, and what annealing and the exact search of subtrees make of the
/// best of these. It is the same for any number of threads; 0 is one per core.
OrderPairs searchTrees(const OrderProblem &problem, uint64_t effort,
                       uint64_t seed, unsigned numThreads = 1);
/// The effort that takes about a second for networks of any size, and less for
/// those that are cheap.
uint64_t getDefaultEffort(const OrderProblem &problem);

/// The same steps in an order that needs little memory at a time: of two
/// subtrees that one first of which more is there while it is made than is left
/// of it.
void scheduleSteps(const OrderProblem &problem, OrderPairs &pairs);

} // namespace ein

#endif // EIN_ORDER_ORDERPROBLEM_H
