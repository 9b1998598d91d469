//===- Path.cpp - In which order to contract several arrays ---------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of five arrays and fewer all orders are tried: 180 of them. Of more, the best
// one is found by dynamic programming over subsets.
//
//===----------------------------------------------------------------------===//

#include "bench/cases/Path.h"
#include <algorithm>
#include <limits>
#include <set>

namespace ein::bench {
namespace {

bool contains(const std::string &labels, char label) {
  return labels.find(label) != std::string::npos;
}

/// Indices that both have come first, then those of the left, then the right:
/// the order in which a batched product is written.
std::string getResult(const std::string &lhs, const std::string &rhs,
                      const std::string &needed) {
  std::string shared, rest;
  for (char label : lhs)
    if (contains(needed, label))
      (contains(rhs, label) ? shared : rest) += label;
  for (char label : rhs)
    if (contains(needed, label) && !contains(lhs, label))
      rest += label;
  return shared + rest;
}

double getFlopsPerPoint(bool isSum, Element element) {
  if (isComplex(element))
    return isSum ? 8 : 6;
  return isSum ? 2 : 1;
}

double getStepFlops(const std::string &lhs, const std::string &rhs,
                    const std::string &result, const Problem &problem) {
  std::string all = lhs;
  for (char label : rhs)
    if (!contains(all, label))
      all += label;
  bool isSum = false;
  for (char label : all)
    isSum |= !contains(result, label);
  return getFlopsPerPoint(isSum, problem.element) *
         getPoints(all, problem.extents);
}

class Search {
public:
  explicit Search(const Problem &problem) : problem(problem) {}

  std::vector<Path> run() {
    std::vector<std::string> operands;
    for (const View &input : problem.inputs)
      operands.push_back(input.labels);
    visit(operands, Path(), {});
    std::stable_sort(
        paths.begin(), paths.end(),
        [](const Path &a, const Path &b) { return a.flops < b.flops; });
    return std::move(paths);
  }

private:
  /// `intermediates` is what tells two paths apart.
  void visit(const std::vector<std::string> &operands, const Path &path,
             std::multiset<std::string> intermediates) {
    if (operands.size() < 2) {
      if (seen.insert(intermediates).second)
        paths.push_back(path);
      return;
    }
    for (size_t rhs = 1; rhs < operands.size(); ++rhs)
      for (size_t lhs = 0; lhs < rhs; ++lhs) {
        auto next = operands;
        next.erase(next.begin() + rhs);
        next.erase(next.begin() + lhs);
        std::string needed = problem.output.labels;
        for (const std::string &other : next)
          needed += other;
        bool isLast = next.empty();
        std::string result =
            isLast ? problem.output.labels
                   : getResult(operands[lhs], operands[rhs], needed);
        Path longer = path;
        longer.steps.push_back({lhs, rhs, result});
        longer.flops +=
            getStepFlops(operands[lhs], operands[rhs], result, problem);
        auto more = intermediates;
        more.insert(operands[lhs] + '*' + operands[rhs]);
        next.push_back(result);
        visit(next, longer, more);
      }
  }

  const Problem &problem;
  std::vector<Path> paths;
  std::set<std::multiset<std::string>> seen;
};

/// The order of fewest operations of many arrays. Sets of arrays and of labels
/// are bits.
class SubsetSearch {
public:
  explicit SubsetSearch(const Problem &problem) : problem(problem) {
    for (const View &input : problem.inputs)
      masks.push_back(getMask(input.labels));
  }

  Path run() {
    size_t count = masks.size();
    uint32_t everything = (1u << count) - 1;
    best.assign(everything + 1, std::numeric_limits<double>::infinity());
    halves.assign(everything + 1, 0);
    for (uint32_t set = 1; set <= everything; ++set) {
      if ((set & (set - 1)) == 0) {
        best[set] = 0;
        continue;
      }
      // Each pair once: the one with the lowest array comes first.
      for (uint32_t half = (set - 1) & set; half; half = (half - 1) & set) {
        uint32_t other = set & ~half;
        if (half < other)
          continue;
        double cost = best[half] + best[other];
        if (cost < best[set]) {
          uint32_t labels = getLabels(half) | getLabels(other);
          cost += getPoints(labels) *
                  getFlopsPerPoint((labels & ~getLabels(set)) != 0,
                                   problem.element);
        }
        if (cost < best[set]) {
          best[set] = cost;
          halves[set] = half;
        }
      }
    }
    Path path;
    for (size_t i = 0; i < count; ++i)
      list.push_back({1u << i, problem.inputs[i].labels});
    addSteps(everything, path);
    return path;
  }

private:
  struct Entry {
    uint32_t set;
    std::string labels;
  };

  static uint32_t getMask(const std::string &labels) {
    uint32_t mask = 0;
    for (char label : labels)
      mask |= 1u << (label - 'a');
    return mask;
  }

  double getPoints(uint32_t labels) const {
    double points = 1;
    for (const auto &[label, extent] : problem.extents)
      if (labels >> (label - 'a') & 1)
        points *= extent;
    return points;
  }

  /// Those of an array made of these that others or the output need.
  uint32_t getLabels(uint32_t set) const {
    uint32_t inside = 0, outside = getMask(problem.output.labels);
    for (size_t i = 0; i < masks.size(); ++i)
      (set >> i & 1 ? inside : outside) |= masks[i];
    // An array that has not been contracted has all of its labels.
    return (set & (set - 1)) == 0 ? inside : inside & outside;
  }

  /// Appends what makes `set` one array of the list, as numpy numbers them.
  void addSteps(uint32_t set, Path &path) {
    if ((set & (set - 1)) == 0)
      return;
    addSteps(halves[set], path);
    addSteps(set & ~halves[set], path);
    auto find = [&](uint32_t wanted) -> size_t {
      return std::find_if(
                 list.begin(), list.end(),
                 [&](const Entry &entry) { return entry.set == wanted; }) -
             list.begin();
    };
    size_t lhs = find(halves[set]), rhs = find(set & ~halves[set]);
    if (lhs > rhs)
      std::swap(lhs, rhs);
    std::string needed;
    for (char label = 'a'; label <= 'z'; ++label)
      if (getLabels(set) >> (label - 'a') & 1)
        needed += label;
    std::string result = list.size() == 2 ? problem.output.labels
                                          : getResult(list[lhs].labels,
                                                      list[rhs].labels, needed);
    path.flops +=
        getStepFlops(list[lhs].labels, list[rhs].labels, result, problem);
    path.steps.push_back({lhs, rhs, result});
    list.erase(list.begin() + rhs);
    list.erase(list.begin() + lhs);
    list.push_back({set, result});
  }

  const Problem &problem;
  std::vector<uint32_t> masks;
  std::vector<double> best;
  std::vector<uint32_t> halves;
  std::vector<Entry> list;
};

} // namespace

Path getBestPath(const Problem &problem) { return SubsetSearch(problem).run(); }

std::vector<Path> getPaths(const Problem &problem) {
  constexpr size_t mostTried = 5;
  if (problem.inputs.size() > mostTried)
    return {getBestPath(problem)};
  return Search(problem).run();
}

double getFlops(const Problem &problem) {
  return problem.program ? problem.program->flops
                         : getPaths(problem).front().flops;
}

} // namespace ein::bench
