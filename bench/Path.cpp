//===- Path.cpp - In which order to contract several arrays ---------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// At most five arrays, so all orders are tried: 180 of them.
//
//===----------------------------------------------------------------------===//

#include "bench/Path.h"
#include <algorithm>
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
        longer.flops += getStepFlops(operands[lhs], operands[rhs], result);
        auto more = intermediates;
        more.insert(operands[lhs] + '*' + operands[rhs]);
        next.push_back(result);
        visit(next, longer, more);
      }
  }

  double getStepFlops(const std::string &lhs, const std::string &rhs,
                      const std::string &result) const {
    std::string all = lhs;
    for (char label : rhs)
      if (!contains(all, label))
        all += label;
    bool isSum = false;
    for (char label : all)
      isSum |= !contains(result, label);
    double each =
        problem.element == Element::C64 ? (isSum ? 8 : 6) : (isSum ? 2 : 1);
    return each * getPoints(all, problem.extents);
  }

  const Problem &problem;
  std::vector<Path> paths;
  std::set<std::multiset<std::string>> seen;
};

} // namespace

std::vector<Path> getPaths(const Problem &problem) {
  return Search(problem).run();
}

double getFlops(const Problem &problem) {
  return getPaths(problem).front().flops;
}

} // namespace ein::bench
