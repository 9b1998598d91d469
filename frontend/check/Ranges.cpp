//===- Ranges.cpp - Extents of indices and bounds of accesses -------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/check/RangesPlace.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"

using namespace llvm;

namespace ein {

namespace {

class RangeInference : Places {
public:
  RangeInference(const Def &def, Statement &statement,
                 ArrayRef<AccessSite> sites, CheckSet &checks,
                 DiagnosticEngine &diags,
                 function_ref<void(DiagnosticBuilder &, IndexId)> explain)
      : Places(def, statement, sites, checks, diags), solved(statement),
        explain(explain), origins(statement.indices.size()),
        otherOrigins(statement.indices.size()) {
    for (auto [i, index] : llvm::enumerate(statement.indices))
      if (index.isGiven)
        extents[i] = index.extent;
  }

  LogicalResult run(ArrayRef<AccessSite> outside);

private:
  /// An extent that one subscript allows.
  struct Bound {
    Affine extent;
    Place place;
  };

  FailureOr<bool> takeOutside(ArrayRef<AccessSite> outside);
  LogicalResult takeDim(IndexId index, Place place);
  LogicalResult reportMismatch(IndexId index, Place place);
  LogicalResult solve();
  LogicalResult solveOnce(bool &progress);
  Bound computeBound(IndexId index, Place place) const;
  SmallVector<Bound> computeBounds(IndexId index) const;
  LogicalResult takeSmallest(IndexId index, ArrayRef<Bound> bounds);
  LogicalResult takeExtent(IndexId index, const Bound &bound);
  LogicalResult takeMinimum(IndexId index, ArrayRef<Bound> bounds);
  FailureOr<bool> takeTogether();
  std::optional<Affine> findLargest(IndexId index) const;
  std::string listLargest(ArrayRef<IndexId> group);
  SmallVector<IndexId> getUnknown() const {
    SmallVector<IndexId> unknown;
    for (size_t i = 0, e = extents.size(); i != e; ++i)
      if (!extents[i])
        unknown.push_back(IndexId(i));
    return unknown;
  }
  LogicalResult reportUnsolved();

  /// What gets the extents.
  Statement &solved;
  function_ref<void(DiagnosticBuilder &, IndexId)> explain;
  std::vector<Place> origins; // of the extents
  /// The others, where an extent is the least of several.
  std::vector<SmallVector<Place, 0>> otherOrigins;
};

} // namespace

LogicalResult RangeInference::run(ArrayRef<AccessSite> outside) {
  LogicalResult result = success();
  forEachPlace([&](Place place) {
    if (std::optional<IndexId> index = getLoneIndex(place))
      if (failed(takeDim(*index, place)))
        result = failure();
  });
  if (failed(result) || failed(solve()))
    return failure();
  if (!getUnknown().empty()) {
    FailureOr<bool> taken = takeOutside(outside);
    if (failed(taken) || (*taken && failed(solve())))
      return failure();
  }
  if (!getUnknown().empty())
    return reportUnsolved();
  auto describeOrigin = [&](Place place) -> RangeOrigin {
    return {place.site->tensor, place.dim, getSubscript(place),
            getDivisor(place)};
  };
  for (auto [index, extent, origin, others] :
       llvm::zip(solved.indices, extents, origins, otherOrigins)) {
    index.extent = *extent;
    if (index.isGiven)
      continue;
    index.origin = describeOrigin(origin);
    for (Place other : others)
      index.otherOrigins.push_back(describeOrigin(other));
  }
  return success();
}

/// Whether any index has got its range from what `pad` and `clamp` read.
FailureOr<bool> RangeInference::takeOutside(ArrayRef<AccessSite> outside) {
  SmallVector<IndexId> unknown = getUnknown();
  bool isTaken = false;
  for (const AccessSite &site : outside)
    for (size_t dim = 0, e = site.subscripts.size(); dim != e; ++dim) {
      std::optional<IndexId> index = site.subscripts[dim].getSingleIndex();
      if (!index || !llvm::is_contained(unknown, *index))
        continue;
      isTaken = true;
      if (failed(takeDim(*index, {&site, dim})))
        return failure();
    }
  return isTaken;
}

/// `index` stands alone at `place`.
LogicalResult RangeInference::takeDim(IndexId index, Place place) {
  const Affine &dim = getSize(place);
  std::optional<Affine> &extent = extents[index.value];
  if (!extent || *extent == dim) {
    if (!extent)
      origins[index.value] = place;
    extent = dim;
    return success();
  }
  Place origin = origins[index.value];
  Affine difference = *extent - dim;
  if (difference.hasOverflowed())
    return reportOverflow(getRange(place));
  if (isNeverZero(def, difference))
    return reportMismatch(index, place);
  checks.add({SizeCheck::Equal,
              difference,
              {},
              "extent of `" + getCheckName(index) +
                  "`: " + describe(def, *extent) + " of `" +
                  getTensor(origin).name + "` and " + describe(def, dim) +
                  " of `" + getTensor(place).name + "`",
              getRange(place)});
  if (dim.isConstant()) {
    extent = dim;
    origins[index.value] = place;
  }
  return success();
}

LogicalResult RangeInference::reportMismatch(IndexId index, Place place) {
  const Tensor &first = getTensor(origins[index.value]);
  const Tensor &second = getTensor(place);
  DiagnosticBuilder builder =
      diags.report(DiagId::ExtentMismatch, getRange(place),
                   {getName(index), describe(def, *extents[index.value]),
                    first.name, describe(def, getSize(place)), second.name});
  builder.note(DiagId::DeclaredHere, first.range, {first.name});
  if (&first != &second)
    builder.note(DiagId::DeclaredHere, second.range, {second.name});
  bool isOne =
      *extents[index.value] == Affine(1) || getSize(place) == Affine(1);
  if (isOne && statement.indices[index.value].isLabel)
    builder.note(DiagId::BroadcastFlag, getRange(place));
  return builder;
}

//===----------------------------------------------------------------------===//
// Indices that stand alone nowhere
//===----------------------------------------------------------------------===//

LogicalResult RangeInference::solve() {
  bool progress = true;
  while (progress) {
    progress = false;
    if (failed(solveOnce(progress)))
      return failure();
  }
  return success();
}

/// Solves the indices that this round can, all from what was known before it.
LogicalResult RangeInference::solveOnce(bool &progress) {
  struct Candidate {
    SmallVector<Bound> bounds;
    bool isComplete = true;
  };
  std::vector<Candidate> candidates(extents.size());
  forEachPlace([&](Place place) {
    SmallVector<IndexId> unknown;
    for (const Affine::IndexTerm &term : getSubscript(place).getIndexTerms())
      if (!isKnown(term.id))
        unknown.push_back(term.id);
    if (unknown.size() == 1)
      candidates[unknown[0].value].bounds.push_back(
          computeBound(unknown[0], place));
    else
      for (IndexId index : unknown)
        candidates[index.value].isComplete = false;
  });

  bool anyComplete = llvm::any_of(candidates, [](const Candidate &candidate) {
    return candidate.isComplete && !candidate.bounds.empty();
  });
  if (!anyComplete) {
    FailureOr<bool> taken = takeTogether();
    if (failed(taken) || *taken)
      return LogicalResult(taken);
  }
  for (size_t i = 0, e = candidates.size(); i != e; ++i) {
    const Candidate &candidate = candidates[i];
    if (candidate.bounds.empty() || (anyComplete && !candidate.isComplete))
      continue;
    // Those that are still unknown are to have a value at least.
    std::vector<std::optional<Affine>> known = extents;
    for (IndexId index : getUnknown())
      extents[index.value] = Affine(1);
    SmallVector<Bound> bounds = computeBounds(IndexId(i));
    extents = std::move(known);
    if (failed(takeSmallest(IndexId(i), bounds)))
      return failure();
    progress = true;
  }
  return success();
}

/// The bounds of an index where all others have extents.
SmallVector<RangeInference::Bound>
RangeInference::computeBounds(IndexId index) const {
  SmallVector<Bound> bounds;
  forEachPlace([&](Place place) {
    if (getSubscript(place).getCoefficient(index) != 0)
      bounds.push_back(computeBound(index, place));
  });
  return bounds;
}

/// The smallest of an index's bounds, if one always is.
std::optional<Affine> RangeInference::findLargest(IndexId index) const {
  std::optional<Affine> smallest;
  for (const Bound &bound : computeBounds(index)) {
    if (bound.extent.hasOverflowed())
      return std::nullopt;
    if (!smallest || isNonNegative(def, *smallest - bound.extent))
      smallest = bound.extent;
    else if (!isNonNegative(def, bound.extent - *smallest))
      return std::nullopt;
  }
  return smallest;
}

/// Gives all unknown indices the largest ranges that each has on its own, if
/// they can all have them at once: only then is there one largest answer.
FailureOr<bool> RangeInference::takeTogether() {
  SmallVector<IndexId> unknown = getUnknown();
  std::vector<std::optional<Affine>> known = extents;
  for (IndexId index : unknown)
    extents[index.value] = Affine(1);
  SmallVector<SmallVector<Bound>> bounds;
  std::vector<std::optional<Affine>> largest = extents;
  bool fits = !unknown.empty();
  for (IndexId index : unknown) {
    bounds.push_back(computeBounds(index));
    largest[index.value] = findLargest(index);
    fits &= largest[index.value].has_value();
  }
  if (fits) {
    std::swap(extents, largest);
    forEachPlace([&](Place place) {
      const Affine &subscript = getSubscript(place);
      Affine least = getExtreme(subscript, /*isMax=*/false);
      Affine most = getExtreme(subscript, /*isMax=*/true);
      bool isTied = llvm::any_of(
          subscript.getIndexTerms(),
          [&](const Affine::IndexTerm &term) { return !known[term.id.value]; });
      if (isTied)
        fits &= isNonNegative(least) &&
                isNonNegative(getDim(place) - Affine(1) - most);
    });
  }
  extents = std::move(known);
  if (!fits)
    return false;
  for (auto [index, ofIndex] : llvm::zip_equal(unknown, bounds))
    if (failed(takeSmallest(index, ofIndex)))
      return failure();
  return true;
}

/// Some of the largest answers for indices that are tied to each other.
std::string RangeInference::listLargest(ArrayRef<IndexId> group) {
  constexpr size_t maxAnswers = 4;
  std::vector<std::optional<Affine>> known = extents;
  for (IndexId index : getUnknown())
    extents[index.value] = Affine(1);
  SmallVector<SmallVector<Affine>> answers;
  bool isComplete = group.size() == 2;
  auto isCovered = [](ArrayRef<Affine> answer, ArrayRef<Affine> by) {
    return llvm::all_of(llvm::zip_equal(answer, by), [](auto pair) {
      return isNonNegative(std::get<1>(pair) - std::get<0>(pair));
    });
  };
  auto addAnswer = [&](IndexId first, const Affine &extent) {
    for (IndexId index : group)
      extents[index.value] = Affine(1);
    extents[first.value] = extent;
    for (IndexId index : group) {
      std::optional<Affine> largest =
          index == first ? extent : findLargest(index);
      if (!largest)
        return;
      extents[index.value] = *largest;
    }
    SmallVector<Affine> answer;
    for (IndexId index : group)
      answer.push_back(*extents[index.value]);
    if (llvm::none_of(answers, [&](ArrayRef<Affine> other) {
          return isCovered(answer, other);
        }))
      answers.push_back(std::move(answer));
  };
  for (IndexId first : group) {
    for (IndexId index : group)
      extents[index.value] = Affine(1);
    std::optional<Affine> most = findLargest(first);
    if (!most)
      continue;
    isComplete &= most->isConstant();
    int64_t count = most->isConstant() ? most->getConstant() : 1;
    for (int64_t i = 0; i < count && answers.size() <= maxAnswers; ++i)
      addAnswer(first, *most - Affine(i));
  }
  extents = std::move(known);
  std::string text;
  for (ArrayRef<Affine> answer : ArrayRef(answers).take_front(maxAnswers)) {
    text += text.empty() ? "`" : "; `";
    for (auto [index, extent] : llvm::zip_equal(group, answer))
      text += (index == group.front() ? "" : ", ") + getName(index) + " < " +
              str(extent);
    text += "`";
  }
  return text + (isComplete && answers.size() <= maxAnswers ? "" : "; …");
}

/// c * index + rest stays below the dim for c > 0, and not below 0 for c < 0.
RangeInference::Bound RangeInference::computeBound(IndexId index,
                                                   Place place) const {
  const Affine &subscript = getSubscript(place);
  int64_t coefficient = subscript.getCoefficient(index);
  bool isUp = coefficient > 0;
  Affine rest = getExtreme(subscript, isUp, index);
  Affine room = isUp ? getDim(place) - Affine(1) - rest : rest;
  if (coefficient == INT64_MIN || room.hasOverflowed())
    return {Affine(INT64_MAX) + Affine(1), place}; // has overflowed
  int64_t divisor = isUp ? coefficient : -coefficient;
  return {checks.divide(room + Affine(divisor), divisor, getRange(place)),
          place};
}

LogicalResult RangeInference::takeSmallest(IndexId index,
                                           ArrayRef<Bound> bounds) {
  const Bound *smallest = nullptr;
  for (const Bound &bound : bounds) {
    if (bound.extent.hasOverflowed())
      return reportOverflow(getRange(bound.place));
    if (!smallest || isNonNegative(def, smallest->extent - bound.extent))
      smallest = &bound;
  }
  bool isLeast = llvm::all_of(bounds, [&](const Bound &bound) {
    return isNonNegative(def, bound.extent - smallest->extent);
  });
  LogicalResult result =
      isLeast ? takeExtent(index, *smallest) : takeMinimum(index, bounds);
  if (failed(result))
    return failure();
  // That the others are not smaller relies on what they divide.
  for (const Bound &bound : bounds)
    for (const Affine::SymbolTerm &term : bound.extent.getSymbolTerms())
      if (def[term.id].isComputed() && !def.dependsOnScalar(term.id))
        checks.addExtent(Affine(term.id), describeExtent(index, bound.place),
                         getRange(bound.place));
  return success();
}

LogicalResult RangeInference::takeExtent(IndexId index, const Bound &bound) {
  const Affine &extent = bound.extent;
  SourceRange range = getRange(bound.place);
  if (isNegative(extent))
    return diags
        .report(DiagId::RangeNegative, range,
                {getName(index), describe(def, extent)})
        .note(DiagId::DeclaredHere, getTensor(bound.place).range,
              {getTensor(bound.place).name});
  checks.addExtent(extent, describeExtent(index, bound.place), range);
  extents[index.value] = extent;
  origins[index.value] = bound.place;
  return success();
}

/// None of them always is the smallest, so that the code finds out. Each is to
/// be a range, as if it were the only one.
LogicalResult RangeInference::takeMinimum(IndexId index,
                                          ArrayRef<Bound> bounds) {
  SmallVector<Affine> values;
  for (const Bound &bound : bounds)
    values.push_back(bound.extent);
  SmallVector<size_t> least = findLeast(def, values);
  const Bound &first = bounds[least.front()];
  for (size_t position : least) {
    const Bound &bound = bounds[position];
    bool hasScalar =
        llvm::any_of(bound.extent.getSymbolTerms(), [&](const auto &term) {
          return def.dependsOnScalar(term.id);
        });
    // Who knows no scalars evaluates extents.
    if (hasScalar) {
      const Bound &other =
          bounds[least[&bound == &first ? least.size() - 1 : 0]];
      return diags.report(DiagId::RangeAmbiguous, getRange(bound.place),
                          {getName(index), describe(def, other.extent),
                           getTensor(other.place).name,
                           describe(def, bound.extent),
                           getTensor(bound.place).name});
    }
    if (failed(takeExtent(index, bound)))
      return failure();
  }
  origins[index.value] = first.place;
  Affine &extent = *extents[index.value];
  // Nothing is less than what is empty: the others are not negative either.
  if (llvm::is_contained(values, Affine(0)))
    extent = Affine(0);
  else
    extent = checks.minimize(values, getRange(first.place));
  for (size_t position : ArrayRef(least).drop_front())
    otherOrigins[index.value].push_back(bounds[position].place);
  return success();
}

/// One error for each group of indices that hang together.
LogicalResult RangeInference::reportUnsolved() {
  SmallSet<int32_t, 8> reported;
  for (IndexId index : getUnknown()) {
    if (!reported.insert(index.value).second)
      continue;
    std::optional<Place> tie;
    SmallVector<IndexId> group = {index};
    for (size_t i = 0; i != group.size(); ++i)
      forEachPlace([&](Place place) {
        if (getSubscript(place).getCoefficient(group[i]) == 0)
          return;
        for (const Affine::IndexTerm &term :
             getSubscript(place).getIndexTerms()) {
          if (isKnown(term.id) || !reported.insert(term.id.value).second)
            continue;
          group.push_back(term.id);
          if (!tie)
            tie = place;
        }
      });
    if (!tie) {
      DiagnosticBuilder builder =
          diags.report(DiagId::RangeUnknown,
                       statement.indices[index.value].range, {getName(index)});
      explain(builder, index);
      continue;
    }
    DiagnosticBuilder builder =
        diags.report(DiagId::RangeTied, getRange(*tie),
                     {getName(index), str(*tie), getName(group[1])});
    std::string answers = listLargest(group);
    if (answers.front() == '`')
      builder.note(DiagId::SeveralLargest, getRange(*tie), {answers});
  }
  return failure();
}

LogicalResult
inferRanges(const Def &def, Statement &statement, ArrayRef<AccessSite> sites,
            ArrayRef<AccessSite> outside, CheckSet &checks,
            DiagnosticEngine &diags,
            function_ref<void(DiagnosticBuilder &, IndexId)> explain) {
  return RangeInference(def, statement, sites, checks, diags, explain)
      .run(outside);
}

} // namespace ein
