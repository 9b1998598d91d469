//===- RangesStarts.cpp - Ranges that do not start at 0 -------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The largest range with which `O(h - kh)` stays inside starts at KH - 1. Ends
// are known by then, and were found as if all ranges started at 0. That holds
// good, and there is one answer only, if what the index shares a subscript with
// cannot move: indices that stand alone elsewhere, or whose range is given.
// Then the least value of the subscript, which is below 0, says how far up the
// index has to start. In all other cases there is no answer here, and the check
// of the accesses reports those that are below 0.
//
//===----------------------------------------------------------------------===//

#include "frontend/check/Ranges.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include <map>

using namespace llvm;

namespace ein {
namespace {

class StartFinder {
public:
  StartFinder(const Def &def, const Statement &statement,
              ArrayRef<AccessSite> sites, CheckSet &checks)
      : def(def), statement(statement), sites(sites), checks(checks),
        isStarted(statement.indices.size()),
        hasEmpty(llvm::any_of(statement.indices, isEmpty)) {}

  SmallVector<RangeStart, 2> run();

private:
  static bool isEmpty(const Index &index) { return index.extent == Affine(0); }
  const Index &get(IndexId id) const { return statement.indices[id.value]; }
  Affine getLeast(const Affine &subscript) const {
    return getExtreme(subscript, /*isMax=*/false,
                      [&](IndexId id) { return get(id).extent; });
  }
  bool isFixed(IndexId id) const {
    return get(id).isGiven || (get(id).origin.divisor == 1 &&
                               get(id).origin.subscript == Affine(id));
  }
  bool neverHappens(const AccessSite &site) const;
  void forEachSubscript(
      function_ref<void(const AccessSite &, size_t dim)> callback) const;
  bool collectLow(const AccessSite &site, size_t dim);
  bool sharesOnlyFixed(const Affine &subscript) const;
  bool isNonNegativeFromOne(const Affine &expr) const;
  bool addStart(const RangeStart &low);
  bool haveOwnNames() const;

  const Def &def;
  const Statement &statement;
  ArrayRef<AccessSite> sites;
  CheckSet &checks;
  std::vector<bool> isStarted; // by IndexId
  bool hasEmpty;
  /// A subscript that is below 0, and the index that has to start higher.
  SmallVector<RangeStart> lows;
  std::map<IndexId, RangeStart> starts;
};

/// A loop round it has no point.
bool StartFinder::neverHappens(const AccessSite &site) const {
  if (!site.loops || !hasEmpty)
    return hasEmpty;
  return llvm::any_of(*site.loops,
                      [&](IndexId id) { return isEmpty(get(id)); });
}

void StartFinder::forEachSubscript(
    function_ref<void(const AccessSite &, size_t dim)> callback) const {
  for (const AccessSite &site : sites)
    for (size_t dim = 0, e = site.subscripts.size(); dim != e; ++dim)
      if (!llvm::is_contained(site.computedDims, dim))
        callback(site, dim);
}

/// False if it is below 0 and no single index can be held responsible.
bool StartFinder::collectLow(const AccessSite &site, size_t dim) {
  const Affine &subscript = site.subscripts[dim];
  if (!isNegativeAboveOne(def, getLeast(subscript)) || neverHappens(site))
    return true;
  IndexId low;
  for (const Affine::IndexTerm &term : subscript.getIndexTerms()) {
    if (isFixed(term.id))
      continue;
    if (low.isValid() || term.coefficient < 0 || get(term.id).isLabel)
      return false;
    low = term.id;
  }
  bool isDivided = !site.divisors.empty() && site.divisors[dim] != 1;
  if (!low.isValid() || isDivided)
    return false;
  isStarted[low.value] = true;
  lows.push_back({low, Affine(), &site, dim});
  return true;
}

bool StartFinder::sharesOnlyFixed(const Affine &subscript) const {
  ArrayRef<Affine::IndexTerm> terms = subscript.getIndexTerms();
  auto starts = [&](const Affine::IndexTerm &term) {
    return isStarted[term.id.value];
  };
  return llvm::none_of(terms, starts) ||
         llvm::count_if(terms, [&](const Affine::IndexTerm &term) {
           return !isFixed(term.id);
         }) == 1;
}

/// Whether it is at least 0 where all sizes are at least 1. A start below 0
/// would have to be 0, which no `where` can say.
bool StartFinder::isNonNegativeFromOne(const Affine &expr) const {
  Affine atOne = expr;
  for (const Affine::SymbolTerm &term : expr.getSymbolTerms()) {
    if (term.coefficient < 0)
      return false;
    if (!def[term.id].isComputed())
      atOne = atOne + Affine(term.coefficient);
  }
  return isNonNegative(atOne);
}

/// False if neither it nor another one is always the higher, or if it is below
/// 0 for some sizes.
bool StartFinder::addStart(const RangeStart &low) {
  const Affine &subscript = low.site->subscripts[low.dim];
  int64_t step = subscript.getCoefficient(low.index);
  Affine distance = getLeast(subscript) * -1 + Affine(step - 1);
  if (distance.hasOverflowed() || !isNonNegativeFromOne(distance))
    return false;
  RangeStart start = low;
  start.begin = checks.divide(distance, step, low.site->ranges[low.dim]);
  RangeStart &known = starts.try_emplace(low.index, start).first->second;
  if (isNonNegative(def, known.begin - start.begin))
    return true;
  if (!isNonNegative(def, start.begin - known.begin))
    return false;
  known = start;
  return true;
}

/// Reductions may each have an index of that name, and a `where` is for all.
bool StartFinder::haveOwnNames() const {
  StringMap<unsigned> counts;
  for (const Index &index : statement.indices)
    ++counts[index.name];
  return llvm::all_of(starts, [&](const auto &start) {
    return counts.lookup(get(start.first).name) == 1;
  });
}

SmallVector<RangeStart, 2> StartFinder::run() {
  bool isSolved = true;
  forEachSubscript([&](const AccessSite &site, size_t dim) {
    isSolved = isSolved && collectLow(site, dim);
  });
  if (!isSolved || lows.empty())
    return {};
  forEachSubscript([&](const AccessSite &site, size_t dim) {
    isSolved &= sharesOnlyFixed(site.subscripts[dim]);
  });
  for (const RangeStart &low : lows)
    isSolved = isSolved && addStart(low);
  SmallVector<RangeStart, 2> result;
  if (isSolved && haveOwnNames())
    llvm::append_range(result, llvm::make_second_range(starts));
  return result;
}

} // namespace

SmallVector<RangeStart, 2> findStarts(const Def &def,
                                      const Statement &statement,
                                      ArrayRef<AccessSite> sites,
                                      CheckSet &checks) {
  return StartFinder(def, statement, sites, checks).run();
}

} // namespace ein
