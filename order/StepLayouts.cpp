//===- StepLayouts.cpp - In which order the results of steps lie ----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "order/StepLayouts.h"
#include "order/OrderProblem.h"
#include "order/SearchKnobs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <algorithm>
#include <cmath>
#include <map>

namespace ein {

namespace {

using Labels = llvm::ArrayRef<unsigned>;

double getProduct(llvm::ArrayRef<double> sizes, Labels labels) {
  double product = 1;
  for (unsigned label : labels)
    product = multiplySizes(product, sizes[label]);
  return product;
}

class LayoutSearch {
public:
  LayoutSearch(const ContractionNetwork &network, const ContractionPath &path,
               llvm::ArrayRef<Layout> operands, const StepPricer &pricer);

  llvm::SmallVector<Layout> run();

private:
  Layout getMade(size_t step) const;
  Layout getAsked(size_t step) const;
  void setLayout(size_t tensor, Layout layout);
  double getCycles(size_t step) const;
  llvm::SmallVector<Layout> getChoices(size_t step) const;
  bool improve(size_t step);

  const ContractionPath &path;
  const StepPricer &pricer;
  size_t numInputs;
  /// Of the labels, as a slice has them.
  llvm::SmallVector<double> sizes;
  /// Of the operands, and then of each step's result.
  llvm::SmallVector<Layout> layouts;
  /// The same without labels of one element.
  llvm::SmallVector<Layout> decisive;
  /// The step that reads each tensor, and the one that needs a label last; as
  /// many as there are steps: the output.
  llvm::SmallVector<size_t> readers, ends;
  /// Of each label, its place in an order that is the same everywhere: the
  /// output's and then those of the largest operand that has each.
  llvm::SmallVector<size_t> ranks;
};

} // namespace

LayoutSearch::LayoutSearch(const ContractionNetwork &network,
                           const ContractionPath &path,
                           llvm::ArrayRef<Layout> operands,
                           const StepPricer &pricer)
    : path(path), pricer(pricer), numInputs(network.operands.size()),
      sizes(network.labelSizes), layouts(numInputs + path.steps.size()),
      decisive(layouts.size()), readers(layouts.size()), ends(sizes.size()),
      ranks(sizes.size()) {
  for (const ContractionSlice &slice : path.slices)
    sizes[slice.label] = slice.size;
  for (auto [tensor, layout] : llvm::enumerate(operands.drop_back()))
    setLayout(tensor, layout);
  setLayout(layouts.size() - 1, operands.back());
  for (auto [index, step] : llvm::enumerate(path.steps))
    for (unsigned tensor : {step.lhs, step.rhs}) {
      readers[tensor] = index;
      if (tensor < numInputs)
        for (unsigned label : network.operands[tensor].set_bits())
          ends[label] = std::max(ends[label], index);
    }
  for (unsigned label : network.output.set_bits())
    ends[label] = path.steps.size();
  llvm::SmallVector<size_t> bySize = llvm::to_vector(llvm::seq(numInputs));
  llvm::stable_sort(bySize, [&](size_t a, size_t b) {
    return getProduct(sizes, operands[a]) > getProduct(sizes, operands[b]);
  });
  llvm::SmallBitVector isKnown(sizes.size());
  size_t next = 0;
  auto append = [&](Labels labels) {
    for (unsigned label : labels)
      if (!isKnown.test(label)) {
        isKnown.set(label);
        ranks[label] = next++;
      }
  };
  append(operands.back());
  for (size_t tensor : bySize)
    append(operands[tensor]);
}

/// The labels of what a step leaves as they come from its operands: those of
/// the larger one last if it is contiguous along one of them.
Layout LayoutSearch::getMade(size_t step) const {
  const ContractionStep &made = path.steps[step];
  auto getLabels = [&](unsigned tensor) {
    return tensor < numInputs ? Labels(layouts[tensor]) : Labels();
  };
  Labels lhs = getLabels(made.lhs), rhs = getLabels(made.rhs);
  if (lhs.size() > rhs.size() && made.result.test(lhs.back()))
    std::swap(lhs, rhs);
  Layout layout;
  auto append = [&](Labels list, Labels others) {
    for (unsigned label : list)
      if (made.result.test(label) && !llvm::is_contained(layout, label) &&
          !llvm::is_contained(others, label))
        layout.push_back(label);
  };
  append(lhs, rhs);
  append(rhs, {});
  for (unsigned label : made.result.set_bits())
    append(label, {});
  return layout;
}

/// What `step` leaves as the step that reads it asks for it: if it has the last
/// labels of that one's result, as the right-hand side of a matrix product,
/// rows of sums and then the columns, inside of what comes before in the
/// result; else the sums last.
Layout LayoutSearch::getAsked(size_t step) const {
  size_t reader = readers[numInputs + step];
  Labels result = layouts[numInputs + reader];
  const llvm::SmallBitVector &labels = path.steps[step].result;
  llvm::SmallBitVector summed = labels;
  for (unsigned label : result)
    summed.reset(label);
  auto isOther = [&](unsigned label) { return !labels.test(label); };
  const unsigned *split = llvm::find_if(result, isOther);
  if (split == result.end())
    return getMade(step);
  if (isOther(result.back()))
    split = result.end();
  Layout layout;
  auto append = [&](Labels list) {
    for (unsigned label : list)
      if (labels.test(label))
        layout.push_back(label);
  };
  append(Labels(result.begin(), split));
  for (unsigned label : summed.set_bits())
    layout.push_back(label);
  append(Labels(split, result.end()));
  return layout;
}

double LayoutSearch::getCycles(size_t step) const {
  const ContractionStep &pair = path.steps[step];
  return pricer(sizes, decisive[pair.lhs], decisive[pair.rhs],
                decisive[numInputs + step]);
}

void LayoutSearch::setLayout(size_t tensor, Layout layout) {
  decisive[tensor].clear();
  for (unsigned label : layout)
    if (sizes[label] != 1)
      decisive[tensor].push_back(label);
  layouts[tensor] = std::move(layout);
}

/// Orders of the labels of what `step` leaves: groups of those that have the
/// same part in the step and in the one that reads them, or that are needed up
/// to the same step, in each order of up to four groups.
llvm::SmallVector<Layout> LayoutSearch::getChoices(size_t step) const {
  const ContractionStep &made = path.steps[step];
  const llvm::SmallBitVector &kept =
      path.steps[readers[numInputs + step]].result;
  auto hasLabel = [&](unsigned tensor, unsigned label) {
    return llvm::is_contained(layouts[tensor], label);
  };
  Layout labels(made.result.set_bits_begin(), made.result.set_bits_end());
  llvm::sort(labels,
             [&](unsigned a, unsigned b) { return ranks[a] < ranks[b]; });
  llvm::SmallVector<Layout> choices;
  auto permute = [&](llvm::function_ref<size_t(unsigned)> getKey) {
    std::map<size_t, Layout> groups;
    for (unsigned label : labels)
      groups[getKey(label)].push_back(label);
    llvm::SmallVector<Layout> parts;
    for (auto &[key, labels] : groups)
      if (parts.size() == SearchKnobs::kMostGroups)
        llvm::append_range(parts.back(), labels);
      else
        parts.push_back(std::move(labels));
    llvm::SmallVector<size_t> places = llvm::to_vector(llvm::seq(parts.size()));
    do {
      Layout choice;
      for (size_t place : places)
        llvm::append_range(choice, parts[place]);
      if (!llvm::is_contained(choices, choice))
        choices.push_back(std::move(choice));
    } while (std::next_permutation(places.begin(), places.end()));
  };
  choices.push_back(getAsked(step));
  permute([&](unsigned label) {
    return size_t(4 * hasLabel(made.lhs, label) +
                  2 * hasLabel(made.rhs, label) + kept.test(label));
  });
  permute([&](unsigned label) { return ends[label]; });
  return choices;
}

/// Takes the best choice for what `step` leaves while all others stay; whether
/// that is another one.
bool LayoutSearch::improve(size_t step) {
  // Steps that run in different ways have prices that are wrong by about that.
  constexpr double kClearly = 0.9;
  size_t tensor = numInputs + step, reader = readers[tensor];
  Layout best = layouts[tensor], before = best;
  double least = getCycles(step) + getCycles(reader), limit = kClearly * least;
  for (Layout &choice : getChoices(step)) {
    setLayout(tensor, choice);
    double cycles = getCycles(step) + getCycles(reader);
    if (cycles < std::min(least, limit)) {
      least = cycles;
      best = std::move(choice);
    }
  }
  bool isNew = best != before;
  setLayout(tensor, std::move(best));
  return isNew;
}

llvm::SmallVector<Layout> LayoutSearch::run() {
  size_t last = path.steps.size() - 1;
  for (size_t step = last; step-- > 0;)
    setLayout(numInputs + step, getAsked(step));
  bool isNew = true;
  for (int round = 0; isNew && round < SearchKnobs::kMostRounds; ++round) {
    isNew = false;
    for (size_t step = last; step-- > 0;)
      isNew |= improve(step);
  }
  return {layouts.begin() + numInputs, layouts.end()};
}

llvm::SmallVector<Layout> findStepLayouts(const ContractionNetwork &network,
                                          const ContractionPath &path,
                                          llvm::ArrayRef<Layout> operands,
                                          const StepPricer &pricer) {
  return LayoutSearch(network, path, operands, pricer).run();
}

} // namespace ein
