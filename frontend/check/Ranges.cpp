//===- Ranges.cpp - Extents of indices and bounds of accesses -------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/check/Ranges.h"
#include "abi/PrintQuotient.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace llvm;

namespace ein {

bool isNonNegative(const Affine &expr) {
  return !expr.hasOverflowed() && expr.getConstant() >= 0 &&
         llvm::all_of(expr.getSymbolTerms(), [](const Affine::SymbolTerm &t) {
           return t.coefficient >= 0;
         });
}

bool isNonNegative(const Def &def, const Affine &expr) {
  if (isNonNegative(expr))
    return true;
  // From the last one on: a quotient is of symbols before it.
  for (const Affine::SymbolTerm &term : llvm::reverse(expr.getSymbolTerms())) {
    const std::optional<Symbol::Quotient> &quotient = def[term.id].quotient;
    if (quotient && term.coefficient < 0 && !def.dependsOnScalar(term.id))
      return isNonNegative(def, (expr - Affine(term.id) * term.coefficient) *
                                        quotient->divisor +
                                    quotient->numerator * term.coefficient);
  }
  return false;
}

bool isNegative(const Affine &expr) {
  return !expr.hasOverflowed() && expr.getConstant() < 0 &&
         llvm::all_of(
             expr.getSymbolTerms(),
             [](const Affine::SymbolTerm &t) { return t.coefficient <= 0; });
}

bool isNegativeAboveOne(const Def &def, const Affine &expr) {
  Affine atTwo = expr;
  for (const Affine::SymbolTerm &term : expr.getSymbolTerms()) {
    if (def[term.id].quotient)
      return false;
    atTwo = atTwo + Affine(term.coefficient) * 2;
  }
  return isNegative(atTwo);
}

std::string describe(const Def &def, const Affine &expr, bool quote) {
  std::string text =
      expr.str([](IndexId) { return StringRef("?"); },
               [&](SymbolId id) { return StringRef(def[id].name); });
  return expr.isConstant() || !quote ? text : "`" + text + "`";
}

std::string strQuotient(const std::string &text, const Affine &dividend,
                        int64_t divisor) {
  bool isName = dividend.getSingleIndex() || dividend.getSingleSymbol();
  return divisor == 1 ? text : printQuotient(text, isName, divisor);
}

std::string describeProduct(const Def &def, ArrayRef<Affine> factors) {
  std::string text;
  for (const Affine &factor : factors) {
    std::string part = describe(def, factor, /*quote=*/false);
    bool isSum = factors.size() != 1 && StringRef(part).contains(' ');
    text += (text.empty() ? "" : " * ") + (isSum ? "(" + part + ")" : part);
  }
  return text;
}

/// Over symbols only. The same for `expr` and `expr * -1`.
static hash_code hashOfEither(const Affine &expr) {
  auto getMagnitude = [](int64_t value) {
    uint64_t bits = static_cast<uint64_t>(value);
    return value < 0 ? 0 - bits : bits;
  };
  hash_code hash = hash_value(getMagnitude(expr.getConstant()));
  for (const Affine::SymbolTerm &term : expr.getSymbolTerms())
    hash = hash_combine(hash, term.id.value, getMagnitude(term.coefficient));
  return hash;
}

void CheckSet::add(SizeCheck check) {
  size_t hash = hash_combine(check.kind, hashOfEither(check.expr),
                             check.unlessEmpty.size());
  auto [begin, end] = positions.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    const SizeCheck &other = def.checks[it->second];
    bool isSame = other.expr == check.expr || (check.kind == SizeCheck::Equal &&
                                               other.expr == check.expr * -1);
    if (isSame && other.kind == check.kind &&
        other.unlessEmpty == check.unlessEmpty &&
        other.factors == check.factors)
      return;
  }
  positions.emplace(hash, def.checks.size());
  def.checks.push_back(std::move(check));
}

Affine CheckSet::divide(const Affine &numerator, int64_t divisor,
                        SourceRange range) {
  if (std::optional<Affine> linear = floorDivide(numerator, divisor))
    return *linear;
  std::string name = "(" +
                     strQuotient(describe(def, numerator, /*quote=*/false),
                                 numerator, divisor) +
                     ")";
  auto [entry, isNew] =
      quotients.try_emplace(name, SymbolId(def.symbols.size()));
  if (isNew)
    def.symbols.push_back(
        {name, std::nullopt, range, Symbol::Quotient{numerator, divisor}});
  return Affine(entry->second);
}

Affine CheckSet::addScalar(TensorId scalar) {
  auto found = llvm::find_if(def.symbols, [&](const Symbol &symbol) {
    return symbol.scalar == scalar;
  });
  SymbolId id(found - def.symbols.begin());
  if (found == def.symbols.end()) {
    const Tensor &tensor = def[scalar];
    def.symbols.push_back(
        {tensor.name, std::nullopt, tensor.range, std::nullopt, scalar});
  }
  return Affine(id);
}

Affine CheckSet::addStart(const Affine &start, SourceRange range) {
  std::string name = describe(def, start, /*quote=*/false);
  if (!start.getSingleSymbol())
    name = "(" + name + ")";
  auto [entry, isNew] =
      quotients.try_emplace(name, SymbolId(def.symbols.size()));
  if (isNew)
    def.symbols.push_back(
        {name, std::nullopt, range, Symbol::Quotient{start, 1}});
  return Affine(entry->second);
}

void CheckSet::addExtent(const Affine &extent, const std::string &what,
                         SourceRange range) {
  auto check = [&](const Affine &expr) {
    if (!isNonNegative(def, expr))
      add({SizeCheck::NonNegativeExtent, expr, {}, what, range});
  };
  for (const Affine::SymbolTerm &term : extent.getSymbolTerms())
    if (const auto &quotient = def[term.id].quotient)
      check(Affine(quotient->numerator));
  check(extent);
}

Affine getExtreme(const Affine &subscript, bool isMax,
                  function_ref<Affine(IndexId)> getExtent) {
  Affine extreme = subscript.withoutIndices();
  for (const Affine::IndexTerm &term : subscript.getIndexTerms())
    if ((term.coefficient > 0) == isMax)
      extreme = extreme + (getExtent(term.id) - Affine(1)) * term.coefficient;
  return extreme;
}

std::optional<Affine> floorDivide(const Affine &expr, int64_t divisor) {
  Affine quotient(llvm::divideFloorSigned(expr.getConstant(), divisor));
  for (const Affine::SymbolTerm &term : expr.getSymbolTerms()) {
    if (term.coefficient % divisor != 0)
      return std::nullopt;
    quotient = quotient + Affine(term.id) * (term.coefficient / divisor);
  }
  return quotient;
}

namespace {

class RangeInference {
public:
  RangeInference(const Def &def, Statement &statement,
                 ArrayRef<AccessSite> sites, CheckSet &checks,
                 DiagnosticEngine &diags, bool hasWhere = false,
                 function_ref<void(DiagnosticBuilder &, IndexId)> explain = {})
      : def(def), statement(statement), sites(sites), checks(checks),
        diags(diags), hasWhere(hasWhere), explain(explain),
        extents(statement.indices.size()), origins(statement.indices.size()) {
    for (auto [i, index] : llvm::enumerate(statement.indices))
      if (index.isGiven)
        extents[i] = index.extent;
  }

  LogicalResult run(ArrayRef<AccessSite> outside);
  /// Once all extents are known.
  LogicalResult checkAllBounds();

private:
  /// A dim of an access.
  struct Place {
    const AccessSite *site = nullptr;
    size_t dim = 0;
  };
  /// An extent that one subscript allows.
  struct Bound {
    Affine extent;
    Place place;
  };

  const Affine &getSubscript(Place place) const {
    return place.site->subscripts[place.dim];
  }
  SourceRange getRange(Place place) const {
    return place.site->ranges[place.dim];
  }
  const Tensor &getTensor(Place place) const { return def[place.site->tensor]; }
  const Affine &getSize(Place place) const {
    return getTensor(place).dims[place.dim];
  }
  int64_t getDivisor(Place place) const {
    const std::vector<int64_t> &divisors = place.site->divisors;
    return divisors.empty() ? 1 : divisors[place.dim];
  }
  /// What bounds the subscript.
  Affine getDim(Place place) const {
    return getSize(place) * getDivisor(place);
  }
  const std::string &getName(IndexId id) const {
    return statement.indices[id.value].name;
  }
  /// The index that stands alone there, and has its range from that.
  std::optional<IndexId> getLoneIndex(Place place) const {
    std::optional<IndexId> index = getSubscript(place).getSingleIndex();
    return index && getDivisor(place) == 1 &&
                   !statement.indices[index->value].isGiven
               ? index
               : std::nullopt;
  }
  bool isKnown(IndexId id) const { return extents[id.value].has_value(); }
  /// For the texts of checks, which are read beside sizes.
  std::string getCheckName(IndexId id) const {
    return checks.names.getNameBesideSizes(statement, id);
  }
  std::string describeExtent(IndexId id, Place place) const {
    return "extent of `" + getCheckName(id) + "` from `" +
           getTensor(place).name + "`";
  }
  std::string str(const Affine &expr) const {
    return expr.str([&](IndexId id) { return StringRef(getName(id)); },
                    [&](SymbolId id) { return StringRef(def[id].name); });
  }
  /// As it is written.
  std::string str(Place place) const {
    return strQuotient(str(getSubscript(place)), getSubscript(place),
                       getDivisor(place));
  }
  void forEachPlace(function_ref<void(Place)> callback) const {
    for (const AccessSite &site : sites)
      for (size_t dim = 0, e = site.subscripts.size(); dim != e; ++dim)
        if (!llvm::is_contained(site.computedDims, dim))
          callback({&site, dim});
  }

  FailureOr<bool> takeOutside(ArrayRef<AccessSite> outside);
  LogicalResult takeDim(IndexId index, Place place);
  LogicalResult reportMismatch(IndexId index, Place place);
  LogicalResult solve();
  LogicalResult solveOnce(bool &progress);
  Bound computeBound(IndexId index, Place place) const;
  SmallVector<Bound> computeBounds(IndexId index) const;
  LogicalResult takeSmallest(IndexId index, ArrayRef<Bound> bounds);
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

  Affine getExtreme(const Affine &subscript, bool isMax,
                    std::optional<IndexId> except = std::nullopt) const;
  /// What decides whether an access inside of loops happens.
  struct Surroundings {
    SmallVector<Affine> unlessEmpty;
    bool isEmpty = false; // it never does
  };
  Surroundings surround(ArrayRef<IndexId> loops) const;
  LogicalResult checkBounds(Place place, ArrayRef<Affine> unlessEmpty);
  void suggestStart(DiagnosticBuilder &builder, Place place,
                    const Affine &least);
  bool holdsUnlessEmpty(const Affine &expr, ArrayRef<Affine> unlessEmpty) const;
  LogicalResult reportOverflow(SourceRange range) {
    return diags.report(DiagId::ArithmeticOverflow, range);
  }

  const Def &def;
  Statement &statement;
  ArrayRef<AccessSite> sites;
  CheckSet &checks;
  DiagnosticEngine &diags;
  bool hasWhere;
  function_ref<void(DiagnosticBuilder &, IndexId)> explain;
  std::vector<std::optional<Affine>> extents; // by IndexId
  std::vector<Place> origins;                 // of the extents
  /// The `where` of the first access that would be inside with it.
  std::optional<DiagnosticBuilder> firstStart;
  std::vector<std::pair<IndexId, std::string>> starts;
};

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
  for (auto [index, extent, origin] :
       llvm::zip(statement.indices, extents, origins)) {
    index.extent = *extent;
    if (!index.isGiven)
      index.origin = {origin.site->tensor, origin.dim, getSubscript(origin),
                      getDivisor(origin)};
  }
  return success();
}

LogicalResult RangeInference::checkAllBounds() {
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
  if (firstStart && statement.range.end != 0) {
    std::string text;
    for (const auto &[index, range] : starts)
      text += (text.empty() ? "" : ", ") + range;
    uint32_t end = statement.range.end;
    firstStart->fixIt({end, end}, (hasWhere ? ", " : " where ") + text);
  }
  return result;
}

RangeInference::Surroundings
RangeInference::surround(ArrayRef<IndexId> loops) const {
  Surroundings result;
  for (IndexId id : loops) {
    const Affine &extent = *extents[id.value];
    result.isEmpty |= extent == Affine(0);
    if (!extent.isConstant() && !llvm::is_contained(result.unlessEmpty, extent))
      result.unlessEmpty.push_back(extent);
  }
  return result;
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
  if (difference.isConstant())
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

/// The least or the greatest value of a subscript over its indices' ranges.
Affine RangeInference::getExtreme(const Affine &subscript, bool isMax,
                                  std::optional<IndexId> except) const {
  return ein::getExtreme(subscript, isMax, [&](IndexId id) {
    return id == except ? Affine(1) : *extents[id.value];
  });
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
  for (const Bound &bound : bounds)
    if (!isNonNegative(def, bound.extent - smallest->extent))
      return diags.report(DiagId::RangeAmbiguous, getRange(bound.place),
                          {getName(index), describe(def, smallest->extent),
                           getTensor(smallest->place).name,
                           describe(def, bound.extent),
                           getTensor(bound.place).name});
  const Affine &extent = smallest->extent;
  SourceRange range = getRange(smallest->place);
  if (isNegative(extent))
    return diags
        .report(DiagId::RangeNegative, range,
                {getName(index), describe(def, extent)})
        .note(DiagId::DeclaredHere, getTensor(smallest->place).range,
              {getTensor(smallest->place).name});
  checks.addExtent(extent, describeExtent(index, smallest->place), range);
  extents[index.value] = extent;
  origins[index.value] = smallest->place;
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

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

/// Every extent is at least one where an access happens.
bool RangeInference::holdsUnlessEmpty(const Affine &expr,
                                      ArrayRef<Affine> unlessEmpty) const {
  return isNonNegative(def, expr) ||
         llvm::any_of(unlessEmpty, [&](const Affine &extent) {
           return isNonNegative(def, expr - (extent - Affine(1)));
         });
}

/// Where the range may have to start instead: `findStarts` could not decide.
void RangeInference::suggestStart(DiagnosticBuilder &builder, Place place,
                                  const Affine &least) {
  ArrayRef<Affine::IndexTerm> terms = getSubscript(place).getIndexTerms();
  const auto *up = llvm::find_if(terms, [&](const Affine::IndexTerm &term) {
    return term.coefficient == 1 && !statement.indices[term.id.value].isGiven &&
           isNegativeAboveOne(def, least - *extents[term.id.value]);
  });
  if (up == terms.end() || statement.indices[up->id.value].isLabel)
    return;
  std::string range = getName(up->id) + " in " +
                      describe(def, least * -1, /*quote=*/false) + ":" +
                      describe(def, *extents[up->id.value], /*quote=*/false);
  builder.note(DiagId::RangeStart, getRange(place), {range});
  // Reductions may each have an index of that name, and a `where` is for all.
  if (llvm::count_if(statement.indices, [&](const Index &index) {
        return index.name == statement.indices[up->id.value].name;
      }) != 1)
    return;
  if (!firstStart)
    firstStart.emplace(builder);
  if (llvm::none_of(starts,
                    [&](const auto &known) { return known.first == up->id; }))
    starts.emplace_back(up->id, range);
}

LogicalResult RangeInference::checkBounds(Place place,
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
    // Elsewhere -1 is the last element.
    Affine fromEnd = getDim(place) + subscript;
    if (isBelow && subscript.isConstant() && !isNegative(fromEnd))
      builder.fixIt(getRange(place), describe(def, fromEnd, /*quote=*/false));
    else if (isBelow)
      suggestStart(builder, place, least);
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

} // namespace

LogicalResult
inferRanges(const Def &def, Statement &statement, ArrayRef<AccessSite> sites,
            ArrayRef<AccessSite> outside, CheckSet &checks,
            DiagnosticEngine &diags,
            function_ref<void(DiagnosticBuilder &, IndexId)> explain) {
  return RangeInference(def, statement, sites, checks, diags,
                        /*hasWhere=*/false, explain)
      .run(outside);
}

LogicalResult checkAccesses(const Def &def, Statement &statement,
                            ArrayRef<AccessSite> sites, CheckSet &checks,
                            DiagnosticEngine &diags, bool hasWhere) {
  return RangeInference(def, statement, sites, checks, diags, hasWhere)
      .checkAllBounds();
}

} // namespace ein
