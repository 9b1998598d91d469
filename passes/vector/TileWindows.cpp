//===- TileWindows.cpp - What windows of a tile have in common ----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/VectorBody.h"
#include "passes/vector/TileVectorizer.h"

using namespace mlir;

namespace ein {

/// Whether each sum of a tile is straight code, and has something in it.
bool TileVectorizer::areSumsStraight() {
  if (isRolled || schedule.unrolledSums < int64_t(inner.size()))
    return false;
  return llvm::all_of(inner, [&](int64_t dim) {
    std::optional<int64_t> begin = getConstantIntValue(ranges[dim].begin),
                           end = getConstantIntValue(ranges[dim].end);
    return begin && end && *begin < *end;
  });
}

/// The axis of the image along which windows of a tile overlap, if what they
/// have in common may be gathered once: they are straight code, what is
/// gathered has no order, and each row has a place of its own.
std::optional<size_t> TileVectorizer::findSharedAxis() {
  if (!isIeeeMinMax || inputs.size() != 1 || inputs[0].step == 0 ||
      inner.empty() || !areSumsStraight())
    return std::nullopt;
  for (int64_t dim : rowDims)
    for (const Place &place : places[dim])
      if (place.base != places[dim].front().base)
        return std::nullopt;
  for (auto [axis, subscript] : llvm::enumerate(inputs[0].subscripts)) {
    ArrayRef<int64_t> coefficients = subscript.coefficients;
    bool isOfTile = llvm::any_of(rowDims, [&](int64_t dim) {
      return coefficients[dim] != 0 && places[dim].size() > 1;
    });
    bool isOfWindow = llvm::any_of(
        inner, [&](int64_t dim) { return coefficients[dim] != 0; });
    if (isOfTile && isOfWindow)
      return axis;
  }
  return std::nullopt;
}

/// Gathers into `sum` the window of row `digits`. Its elements at one place
/// along `axis` are gathered first, once for all windows that have just these.
void TileVectorizer::gatherShared(size_t axis, ArrayRef<int64_t> digits,
                                  int64_t vector, SmallVectorImpl<Value> &sum) {
  // Where each element is from the tile's begin on, by its place along the
  // axis.
  using Steps = SmallVector<int64_t>;
  std::map<int64_t, SmallVector<std::pair<std::vector<int64_t>, Steps>>> slices;
  int64_t count = 1;
  for (int64_t dim : inner)
    count *= *getConstantIntValue(ranges[dim].end);
  auto setSteps = [&](ArrayRef<int64_t> steps) {
    for (auto [dim, step] : llvm::zip_equal(inner, steps))
      places[dim] = {{Value(), step}};
  };
  for (int64_t i = 0; i < count; ++i) {
    Steps steps(inner.size());
    int64_t left = i;
    for (size_t level = inner.size(); level-- > 0;) {
      int64_t extent = *getConstantIntValue(ranges[inner[level]].end);
      steps[level] = left % extent;
      left /= extent;
    }
    setSteps(steps);
    std::vector<int64_t> at = {vector};
    for (const LinearSubscript &subscript : inputs[0].subscripts) {
      int64_t offset = 0;
      for (auto [dim, coefficient] : llvm::enumerate(subscript.coefficients))
        if (coefficient != 0)
          offset += coefficient * places[dim][digits[dim]].offset;
      at.push_back(offset);
    }
    slices[at[axis + 1]].push_back({std::move(at), std::move(steps)});
  }
  for (const auto &[place, elements] : slices) {
    std::vector<int64_t> key;
    for (const auto &[at, steps] : elements)
      llvm::append_range(key, at);
    Values &state = shared[key];
    bool isKnown = !state.empty();
    for (const auto &[at, steps] : elements) {
      if (isKnown)
        break;
      Value &value = computed[at];
      if (!value) {
        setSteps(steps);
        IRMapping values = readInputs(digits, vector);
        value = computeBody(values, Value());
        if (isPlain)
          witness(value);
      }
      state = state.empty() ? start(value) : join(state, start(value));
    }
    Values joined = join(sum, state);
    sum.assign(joined.begin(), joined.end());
  }
}

} // namespace ein
