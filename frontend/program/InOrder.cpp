//===- InOrder.cpp - What a recurrence reads of its own -------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/program/InOrder.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein {

/// The subscript in each dim, where it is linear.
static SmallVector<std::optional<Affine>> getSubscripts(const Def &def,
                                                        const Expr &expr) {
  SmallVector<std::optional<Affine>> result;
  for (const Affine &subscript : expr.subscripts)
    result.push_back(subscript);
  for (ExprId id : expr.places) {
    const Expr &place = def[id];
    result.push_back(place.kind == ExprKind::Position
                         ? std::optional<Affine>(place.subscripts.front())
                         : std::nullopt);
  }
  return result;
}

static SelfRead classify(const Def &def, const Statement &statement, ExprId id,
                         ArrayRef<Affine> places) {
  SmallVector<std::optional<Affine>> read = getSubscripts(def, def[id]);
  auto getDifference = [&](size_t dim) -> std::optional<int64_t> {
    if (!read[dim])
      return std::nullopt;
    Affine difference = *read[dim] - places[dim];
    if (!difference.isConstant() || difference.hasOverflowed())
      return std::nullopt;
    return difference.getConstant();
  };
  SelfRead result = {id};
  for (auto [dim, place] : llvm::enumerate(places)) {
    std::optional<int64_t> difference = getDifference(dim);
    int64_t step = place.getIndexTerms().empty()
                       ? 0
                       : place.getIndexTerms()[0].coefficient;
    bool isBetween = difference && *difference != 0 &&
                     (step == 0 || *difference % step != 0);
    if (isBetween) {
      result.kind = SelfRead::Never;
      return result;
    }
  }
  for (size_t i = 0; i != statement.indices.size(); ++i)
    for (auto [dim, place] : llvm::enumerate(places)) {
      int64_t step = place.getCoefficient(IndexId(i));
      if (step == 0)
        continue;
      std::optional<int64_t> difference = getDifference(dim);
      if (difference == 0)
        continue;
      result.kind = difference ? SelfRead::Carried : SelfRead::Unknown;
      result.index = IndexId(i);
      result.distance = difference ? -*difference / step : 0;
      return result;
    }
  bool isSame =
      llvm::all_of(llvm::seq<size_t>(0, places.size()),
                   [&](size_t dim) { return getDifference(dim) == 0; });
  result.kind = isSame ? SelfRead::Same : SelfRead::Unknown;
  return result;
}

std::vector<SelfRead> findSelfReads(const Def &def, const Statement &statement,
                                    ArrayRef<Affine> places) {
  std::vector<SelfRead> result;
  SmallVector<ExprId> work = {statement.value};
  if (statement.condition.isValid())
    work.push_back(statement.condition);
  while (!work.empty()) {
    ExprId id = work.pop_back_val();
    const Expr &expr = def[id];
    bool isRead =
        expr.kind == ExprKind::Access || expr.kind == ExprKind::Gather;
    if (isRead && expr.tensor == statement.target)
      result.push_back(classify(def, statement, id, places));
    llvm::append_range(work, expr.getOperands());
  }
  return result;
}

std::vector<SelfRead> findSelfReads(const Def &def,
                                    const Statement &statement) {
  std::vector<Affine> places;
  for (ExprId id : def[statement.written].places) {
    const Expr &place = def[id];
    // A scatter reads nothing of its own.
    if (place.kind != ExprKind::Position ||
        place.subscripts.front().getIndexTerms().size() > 1)
      return {};
    places.push_back(place.subscripts.front());
  }
  return findSelfReads(def, statement, places);
}

bool isIndependent(const Def &def, const Statement &statement, IndexId index) {
  bool isApart = llvm::any_of(def[statement.written].places, [&](ExprId id) {
    const Expr &place = def[id];
    if (place.kind != ExprKind::Position)
      return false;
    const Affine &subscript = place.subscripts.front();
    return subscript.getCoefficient(index) != 0 &&
           llvm::none_of(subscript.getIndexTerms(),
                         [&](const Affine::IndexTerm &term) {
                           return term.id.value > index.value;
                         });
  });
  return isApart &&
         llvm::none_of(
             findSelfReads(def, statement), [&](const SelfRead &read) {
               return read.kind == SelfRead::Unknown ||
                      (read.kind == SelfRead::Carried && read.index == index);
             });
}

bool writesAll(const Def &def, const Statement &statement) {
  if (statement.condition.isValid())
    return false;
  SmallBitVector seen(statement.indices.size());
  for (auto [dim, id] : llvm::enumerate(def[statement.written].places)) {
    const Expr &place = def[id];
    if (place.kind != ExprKind::Position)
      return false;
    const Affine &subscript = place.subscripts.front();
    ArrayRef<Affine::IndexTerm> terms = subscript.getIndexTerms();
    const Affine &size = def[statement.target].dims[dim];
    if (terms.empty() && size == Affine(1) && subscript == Affine(0))
      continue;
    if (terms.size() != 1 || seen.test(terms[0].id.value))
      return false;
    seen.set(terms[0].id.value);
    auto [index, step] = terms[0];
    const Affine &extent = statement.indices[index.value].extent;
    Affine first = subscript.withoutIndices();
    if (step == -1)
      first = first - (extent - Affine(1));
    if ((step != 1 && step != -1) || first != Affine(0) || extent != size)
      return false;
  }
  return true;
}

} // namespace ein
