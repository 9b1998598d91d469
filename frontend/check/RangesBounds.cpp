//===- RangesBounds.cpp - No access is outside of its tensor --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/check/RangesPlace.h"

using namespace llvm;

namespace ein {

namespace {

class BoundChecker : Places {
public:
  BoundChecker(const Def &def, const Statement &statement,
               ArrayRef<AccessSite> sites, CheckSet &checks,
               DiagnosticEngine &diags, bool hasWhere)
      : Places(def, statement, sites, checks, diags), hasWhere(hasWhere) {}

  /// Once all extents are known.
  LogicalResult run();

private:
  /// What decides whether an access inside of loops happens.
  struct Surroundings {
    SmallVector<Affine> unlessEmpty;
    bool isEmpty = false; // it never does
  };
  Surroundings surround(ArrayRef<IndexId> loops) const;
  LogicalResult checkBounds(Place place, ArrayRef<Affine> unlessEmpty);
  void suggestStart(DiagnosticBuilder &builder, Place place,
                    const Affine &least, const Affine &room);
  bool holdsUnlessEmpty(const Affine &expr, ArrayRef<Affine> unlessEmpty) const;

  bool hasWhere;
  /// The `where` of the first access that would be inside with it.
  std::optional<DiagnosticBuilder> firstStart;
  struct Start {
    IndexId index;
    Affine begin, end;
    bool isKnown = true;
  };
  std::vector<Start> starts;
  bool tighten(Start &start, const Affine &begin, const Affine &end) const;
  std::string str(const Start &start) const {
    return getName(start.index) + " in " +
           describe(def, start.begin, /*quote=*/false) + ":" +
           describe(def, start.end, /*quote=*/false);
  }
  using Places::str;
};

} // namespace

BoundChecker::Surroundings
BoundChecker::surround(ArrayRef<IndexId> loops) const {
  Surroundings result;
  for (IndexId id : loops) {
    const Affine &extent = *extents[id.value];
    result.isEmpty |= extent == Affine(0);
    if (!extent.isConstant() && !llvm::is_contained(result.unlessEmpty, extent))
      result.unlessEmpty.push_back(extent);
  }
  return result;
}

/// Every extent is at least one where an access happens.
bool BoundChecker::holdsUnlessEmpty(const Affine &expr,
                                    ArrayRef<Affine> unlessEmpty) const {
  return isNonNegative(def, expr) ||
         llvm::any_of(unlessEmpty, [&](const Affine &extent) {
           return isNonNegative(def, expr - (extent - Affine(1)));
         });
}

/// Has `start` be inside `begin` and `end` as well. Fails if which of two is
/// the tighter one depends on the sizes.
bool BoundChecker::tighten(Start &start, const Affine &begin,
                           const Affine &end) const {
  // There is a point, or it does not matter.
  SmallVector<Affine> all;
  for (const std::optional<Affine> &extent : extents)
    all.push_back(*extent);
  auto isAtMost = [&](const Affine &small, const Affine &large) {
    return holdsUnlessEmpty(large - small, all);
  };
  if (isAtMost(start.begin, begin))
    start.begin = begin;
  else if (!isAtMost(begin, start.begin))
    return false;
  if (isAtMost(end, start.end))
    start.end = end;
  else if (!isAtMost(start.end, end))
    return false;
  return true;
}

/// Where the range may have to start instead: `findStarts` could not decide.
/// `room` is how much there is above the greatest subscript.
void BoundChecker::suggestStart(DiagnosticBuilder &builder, Place place,
                                const Affine &least, const Affine &room) {
  ArrayRef<Affine::IndexTerm> terms = getSubscript(place).getIndexTerms();
  const auto *up = llvm::find_if(terms, [&](const Affine::IndexTerm &term) {
    return term.coefficient == 1 && !statement.indices[term.id.value].isGiven &&
           isNegativeAboveOne(def, least - *extents[term.id.value]);
  });
  if (up == terms.end() || statement.indices[up->id.value].isLabel)
    return;
  const Affine &extent = *extents[up->id.value];
  Start start = {up->id, least * -1, extent};
  if (!tighten(start, start.begin, extent + room) ||
      isNegative(start.end - start.begin))
    return;
  builder.note(DiagId::RangeStart, getRange(place), {str(start)});
  // Reductions may each have an index of that name, and a `where` is for all.
  if (llvm::count_if(statement.indices, [&](const Index &index) {
        return index.name == statement.indices[up->id.value].name;
      }) != 1)
    return;
  if (!firstStart)
    firstStart.emplace(builder);
  auto known = llvm::find_if(
      starts, [&](const Start &other) { return other.index == up->id; });
  if (known == starts.end())
    starts.push_back(start);
  else
    known->isKnown &= tighten(*known, start.begin, start.end);
}

LogicalResult BoundChecker::checkBounds(Place place,
                                        ArrayRef<Affine> unlessEmpty) {
  const Affine &subscript = getSubscript(place);
  Affine least = getExtreme(subscript, /*isMax=*/false);
  Affine most = getExtreme(subscript, /*isMax=*/true);
  Affine room = getDim(place) - Affine(1) - most;
  if (least.hasOverflowed() || room.hasOverflowed())
    return reportOverflow(getRange(place));

  bool isBelow = isNegativeAboveOne(def, least);
  if (isBelow || isNegative(room)) {
    std::string reached = describe(def, isBelow ? least : most);
    if (std::optional<Affine> quotient = floorDivide(most, getDivisor(place));
        quotient && !isBelow)
      reached = describe(def, *quotient);
    DiagnosticBuilder builder =
        diags
            .report(DiagId::OutOfBounds, getRange(place),
                    {str(place), reached, std::to_string(place.dim),
                     getTensor(place).name, describe(def, getSize(place))})
            .note(DiagId::DeclaredHere, getTensor(place).range,
                  {getTensor(place).name});
    // einsum's labels are sizes and indices.
    if (std::optional<SymbolId> size = subscript.getSingleSymbol();
        size && subscript == getDim(place))
      builder.note(DiagId::SizeNoIndex, getRange(place), {def[*size].name});
    // Elsewhere -1 is the last element.
    Affine fromEnd = getDim(place) + subscript;
    if (isBelow && subscript.isConstant() && !isNegative(fromEnd))
      builder.fixIt(getRange(place), describe(def, fromEnd, /*quote=*/false));
    else if (isBelow)
      suggestStart(builder, place, least, room);
    return builder;
  }
  std::map<IndexId, std::string> names;
  for (const Affine::IndexTerm &term : subscript.getIndexTerms())
    names.emplace(term.id, getCheckName(term.id));
  std::string text =
      subscript.str([&](IndexId id) { return StringRef(names.at(id)); },
                    [&](SymbolId id) { return StringRef(def[id].name); });
  for (const Affine &margin : {least, room})
    if (!holdsUnlessEmpty(margin, unlessEmpty))
      checks.add({SizeCheck::InBounds, margin,
                  std::vector<Affine>(unlessEmpty.begin(), unlessEmpty.end()),
                  "`" + strQuotient(text, subscript, getDivisor(place)) +
                      "` in dim " + std::to_string(place.dim) + " of `" +
                      getTensor(place).name + "`",
                  getRange(place)});
  return success();
}

LogicalResult BoundChecker::run() {
  LogicalResult result = success();
  std::vector<IndexId> allLoops;
  for (auto [index, extent] : llvm::zip(statement.indices, extents)) {
    extent = index.extent;
    allLoops.push_back(IndexId(allLoops.size()));
  }
  // Nothing is accessed if there is no point at all. Found out when something
  // has to know: it takes time that grows with the square of the sizes.
  std::optional<Surroundings> all;
  Surroundings some;
  const std::vector<IndexId> *known = nullptr;
  forEachPlace([&](Place place) {
    if (getLoneIndex(place))
      return;
    const auto &loops = place.site->loops;
    if (loops && &*loops != known) {
      some = surround(*loops);
      known = &*loops;
    }
    if (!loops && !all)
      all = surround(allLoops);
    const Surroundings &around = loops ? some : *all;
    if (!around.isEmpty && failed(checkBounds(place, around.unlessEmpty)))
      result = failure();
  });
  // One change for all, as a statement has one `where`.
  bool isKnown =
      llvm::all_of(starts, [](const Start &start) { return start.isKnown; });
  if (firstStart && isKnown && statement.range.end != 0) {
    std::string text;
    for (const Start &start : starts)
      text += (text.empty() ? "" : ", ") + str(start);
    uint32_t end = statement.range.end;
    firstStart->fixIt({end, end}, (hasWhere ? ", " : " where ") + text);
  }
  return result;
}

LogicalResult checkAccesses(const Def &def, const Statement &statement,
                            ArrayRef<AccessSite> sites, CheckSet &checks,
                            DiagnosticEngine &diags, bool hasWhere) {
  return BoundChecker(def, statement, sites, checks, diags, hasWhere).run();
}

} // namespace ein
