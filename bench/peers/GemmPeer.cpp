//===- GemmPeer.cpp - A library that multiplies matrices ------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each of the best orders of contraction, each step is permuted or looped
// over, whichever is faster on the data; then the fastest order is taken. A
// user who cares would do no less.
//
//===----------------------------------------------------------------------===//

#include "bench/peers/GemmPeer.h"
#include "bench/cases/Path.h"
#include <limits>

namespace ein::bench {
namespace {

constexpr size_t mostPaths = 3;
/// Orders that need more operations than this times the fewest are not tried.
constexpr double mostFlops = 1.5;

/// Where an array is: an input, a temporary or the output.
struct Operand {
  View view;
  const void *data;
};

class GemmContestant : public Contestant {
public:
  struct Step {
    Contraction contraction;
    const void *lhs, *rhs;
    void *result;
  };

  double run(int64_t repetitions) override {
    double start = getSeconds();
    if (steps.size() == 1)
      return steps[0].contraction.run(steps[0].lhs, steps[0].rhs,
                                      steps[0].result, repetitions)
                 ? getSeconds() - start
                 : -1;
    for (int64_t i = 0; i < repetitions; ++i)
      for (const Step &step : steps)
        if (!step.contraction.run(step.lhs, step.rhs, step.result, 1))
          return -1;
    return getSeconds() - start;
  }

  std::string describe() const override {
    std::string text;
    for (const Step &step : steps)
      text += (text.empty() ? "" : "; ") + step.contraction.describe();
    return text;
  }

  std::vector<Step> steps;
  std::vector<Buffer> temporaries;
  double seconds = 0;
};

/// The fastest of a few calls; the first, which may be slow, does not count
/// unless it is very slow.
double time(const Contraction &contraction, const void *a, const void *b,
            void *c) {
  double fastest = std::numeric_limits<double>::infinity();
  double begin = getSeconds();
  for (int i = 0; i < 5; ++i) {
    double start = getSeconds();
    if (!contraction.run(a, b, c, 1))
      return std::numeric_limits<double>::infinity();
    double end = getSeconds();
    if (i > 0 || end - start > 0.2)
      fastest = std::min(fastest, end - start);
    if (end - begin > 0.3)
      break;
  }
  return fastest;
}

std::unique_ptr<GemmContestant> follow(const Path &path, const Problem &problem,
                                       const Data &data, GemmLibrary &library) {
  std::vector<Operand> operands;
  for (size_t i = 0; i < problem.inputs.size(); ++i)
    operands.push_back({problem.inputs[i], data.inputs[i]});
  auto result = std::make_unique<GemmContestant>();
  for (const PathStep &step : path.steps) {
    Operand lhs = operands[step.lhs], rhs = operands[step.rhs];
    operands.erase(operands.begin() + step.rhs);
    operands.erase(operands.begin() + step.lhs);
    View view = problem.output;
    void *array = data.output;
    if (!operands.empty()) {
      view = getContiguous(step.result, problem.extents);
      result->temporaries.push_back(allocate(
          getPoints(step.result, problem.extents) * getBytes(problem.element)));
      array = result->temporaries.back().get();
    }
    double best = std::numeric_limits<double>::infinity();
    std::optional<Contraction> chosen;
    for (auto create :
         {Contraction::createTransposing, Contraction::createLooping}) {
      auto tried = create(lhs.view, rhs.view, view, problem.extents,
                          problem.element, library);
      double seconds = tried ? time(*tried, lhs.data, rhs.data, array) : best;
      if (seconds < best) {
        best = seconds;
        chosen = std::move(tried);
      }
    }
    if (!chosen)
      return nullptr;
    result->seconds += best;
    result->steps.push_back({std::move(*chosen), lhs.data, rhs.data, array});
    operands.push_back({view, array});
  }
  return result;
}

} // namespace

std::unique_ptr<Contestant>
GemmPeer::prepare(const Problem &problem, const Data &data, std::string &why) {
  if (problem.program || problem.inputs.size() < 2) {
    why = "no product";
    return nullptr;
  }
  getLibrary().knowsSizes = problem.isStatic;
  std::vector<Path> paths = getPaths(problem);
  std::unique_ptr<GemmContestant> best;
  for (size_t i = 0; i < paths.size() && i < mostPaths; ++i) {
    if (paths[i].flops > mostFlops * paths[0].flops)
      break;
    auto tried = follow(paths[i], problem, data, getLibrary());
    if (tried && (!best || tried->seconds < best->seconds))
      best = std::move(tried);
  }
  if (!best)
    why = "no product of this type and shape";
  return best;
}

} // namespace ein::bench
