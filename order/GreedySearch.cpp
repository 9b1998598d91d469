//===- GreedySearch.cpp - An order step by step ---------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The greedy search of D. G. A. Smith and J. Gray, "opt_einsum - A Python
// package for optimizing contraction order for einsum-like expressions", JOSS
// 3(26), 753 (2018), with the chance of J. Gray and S. Kourtis,
// "Hyper-optimized tensor network contraction", Quantum 5, 410 (2021): scores
// on a logarithmic scale plus Gumbel noise, which is a choice by Boltzmann's
// distribution.
//
// Pairs that share a label wait in a heap. A tensor that is new is paired with
// what there is; of a label that very many tensors have, with some of them.
// That is enough: of the tensors with a label the youngest was paired with one
// that is there or has become a younger one, so the heap is not empty as long
// as two tensors share a label. A step so takes the logarithm of the number of
// pairs.
//
//===----------------------------------------------------------------------===//

#include "order/OrderProblem.h"
#include "order/SearchKnobs.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;

namespace ein {

GreedySearch::GreedySearch(const OrderProblem &problem)
    : problem(problem), holders(problem.sizes.size()) {
  for (const Legs &leaf : problem.leaves)
    leafSizes.push_back(problem.getSize(leaf));
  results.resize(problem.leaves.empty() ? 0 : problem.leaves.size() - 1);
}

/// Puts a pair into the heap.
void GreedySearch::offer(unsigned lhs, unsigned rhs) {
  OrderProblem::Step step = problem.contract(getLegs(lhs), getLegs(rhs));
  double score = step.size - settings.alpha * (sizes[lhs] + sizes[rhs]);
  if (settings.temperature > 0) {
    score = std::copysign(std::log1p(std::fabs(score)), score);
    score += settings.temperature * std::log(-std::log(random->uniform()));
  }
  heap.push_back({score, step.flops, numCandidates++, lhs, rhs});
  std::push_heap(heap.begin(), heap.end());
}

/// Makes `id` a partner of tensors that share a label with it.
void GreedySearch::add(unsigned id, double size) {
  sizes.push_back(size);
  isAlive.push_back(true);
  partners.clear();
  for (Leg leg : getLegs(id)) {
    SmallVectorImpl<unsigned> &list = holders[leg.label];
    // What is there no longer is only taken out where it is in the way.
    size_t begin = list.size();
    for (size_t count = 0; begin != 0 && count != SearchKnobs::kMostPartners;
         --begin)
      count += isAlive[list[begin - 1]];
    list.erase(std::remove_if(list.begin() + begin, list.end(),
                              [&](unsigned other) { return !isAlive[other]; }),
               list.end());
    partners.insert(partners.end(), list.begin() + begin, list.end());
    list.push_back(id);
  }
  llvm::sort(partners);
  partners.erase(llvm::unique(partners), partners.end());
  for (unsigned other : partners)
    offer(other, id);
}

unsigned GreedySearch::contract(unsigned lhs, unsigned rhs) {
  isAlive[lhs] = isAlive[rhs] = false;
  unsigned id = problem.leaves.size() + pairs->size();
  // Read first: `results` has its place already.
  OrderProblem::Step step = problem.contract(
      getLegs(lhs), getLegs(rhs), results[id - problem.leaves.size()]);
  flops += step.flops;
  pairs->push_back({lhs, rhs});
  return id;
}

/// Multiplies what shares nothing, the two smallest first (Huffman).
void GreedySearch::multiplyRest() {
  using Part = std::pair<double, unsigned>;
  std::vector<Part> rest;
  auto isLess = std::greater<Part>();
  for (unsigned id = 0; id != isAlive.size(); ++id)
    if (isAlive[id])
      rest.push_back({sizes[id], id});
  std::make_heap(rest.begin(), rest.end(), isLess);
  auto take = [&] {
    std::pop_heap(rest.begin(), rest.end(), isLess);
    unsigned id = rest.back().second;
    rest.pop_back();
    return id;
  };
  while (rest.size() > 1) {
    unsigned lhs = take(), rhs = take();
    unsigned id = contract(lhs, rhs);
    sizes.push_back(problem.getSize(getLegs(id)));
    rest.push_back({sizes.back(), id});
    std::push_heap(rest.begin(), rest.end(), isLess);
  }
}

double GreedySearch::run(GreedySettings settings, OrderRandom &random,
                         OrderPairs &pairs) {
  this->settings = settings;
  this->random = &random;
  this->pairs = &pairs;
  pairs.clear();
  flops = 0;
  numCandidates = 0;
  for (auto &list : holders)
    list.clear();
  sizes.clear();
  isAlive.clear();
  heap.clear();
  size_t numLeaves = problem.leaves.size();
  // numpy looks at the pairs of leaves from the first leaf on; its order among
  // equals is that of looking.
  for (unsigned id = 0; id != numLeaves; ++id)
    add(id, leafSizes[id]);
  std::sort(heap.begin(), heap.end(),
            [](const Candidate &a, const Candidate &b) {
              return std::tie(a.lhs, a.rhs) < std::tie(b.lhs, b.rhs);
            });
  for (size_t i = 0; i != heap.size(); ++i)
    heap[i].number = i;
  std::make_heap(heap.begin(), heap.end());
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end());
    Candidate best = heap.back();
    heap.pop_back();
    if (!isAlive[best.lhs] || !isAlive[best.rhs])
      continue;
    unsigned id = contract(best.lhs, best.rhs);
    add(id, problem.getSize(getLegs(id)));
  }
  multiplyRest();
  return flops;
}

} // namespace ein
