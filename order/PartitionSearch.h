//===- PartitionSearch.h - An order from the last step on -------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A greedy search makes the first steps well and has to take the last ones, the
// expensive ones, as they come. This search begins at the other end.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_ORDER_PARTITIONSEARCH_H
#define EIN_ORDER_PARTITIONSEARCH_H

#include "order/OrderProblem.h"

namespace ein {

struct PartitionSettings {
  /// The larger half of a split has at most (1 + imbalance) / 2 of the leaves.
  double imbalance = 0.1;
  /// What a label that is open anyway counts for if it is on both sides of a
  /// split: it costs that split nothing, but those of both halves.
  double openWeight = 0.5;
};

/// Splits the leaves into two, such that the labels that are on both sides take
/// little, then each half, and so on.
class PartitionSearch {
public:
  explicit PartitionSearch(const OrderProblem &problem);

  /// Makes an order, and returns the pins that it has looked at.
  uint64_t run(PartitionSettings settings, OrderRandom &random,
               OrderPairs &pairs);

  /// Only the first split: by leaf, on which side it is.
  uint64_t bisect(PartitionSettings settings, OrderRandom &random,
                  std::vector<unsigned char> &result);

private:
  void start(PartitionSettings settings, OrderRandom &random);
  /// A hypergraph, its vertices and its nets by number.
  struct Graph {
    std::vector<unsigned> weights;
    std::vector<unsigned> netBegins = {0}, pins;
    std::vector<int> netWeights;
    std::vector<unsigned> begins, nets; // by vertex
    std::vector<unsigned> coarser;      // by vertex: its vertex in the next one

    unsigned size() const { return weights.size(); }
    unsigned getNumNets() const { return netWeights.size(); }
    llvm::ArrayRef<unsigned> getPins(unsigned net) const {
      return llvm::ArrayRef(pins).slice(netBegins[net],
                                        netBegins[net + 1] - netBegins[net]);
    }
    llvm::ArrayRef<unsigned> getNets(unsigned vertex) const {
      return llvm::ArrayRef(nets).slice(begins[vertex],
                                        begins[vertex + 1] - begins[vertex]);
    }
    void clear();
    /// Fills `begins` and `nets` from the pins.
    void index();
  };

  unsigned makeOrder(unsigned begin, unsigned end);
  unsigned solveFew(unsigned begin, unsigned end);
  void extract(unsigned begin, unsigned end, Graph &graph);
  void drawOrder(unsigned count);
  bool coarsen(Graph &fine, Graph &coarse, unsigned mostWeight);
  void split(unsigned numVertices);
  void grow(const Graph &graph, unsigned target);
  int refine(const Graph &graph);

  const OrderProblem &problem;
  std::vector<int> labelWeights;

  // Of a run.
  PartitionSettings settings;
  OrderRandom *random = nullptr;
  OrderPairs *pairs = nullptr;
  uint64_t work = 0;
  std::vector<unsigned> leaves;
  SubsetSearch subsets;

  // Of a split: levels from fine to coarse, the sides of the one at hand.
  std::vector<Graph> levels;
  unsigned mostOnSide = 0;
  std::vector<unsigned char> sides, bestSides;
  // Of a refinement.
  std::vector<unsigned> counts[2]; // by net
  std::vector<int> gains, next, previous, heads;
  std::vector<unsigned> moves;
  std::vector<char> isLocked;
  // Scratch.
  std::vector<unsigned> order, netOf, stamps, place, inside;
  std::vector<double> ratings;
};

} // namespace ein

#endif // EIN_ORDER_PARTITIONSEARCH_H
