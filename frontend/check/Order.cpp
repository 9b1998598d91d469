//===- Order.cpp - Statements whose points have an order ------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/check/Order.h"
#include "frontend/check/ExprTypes.h"
#include "frontend/check/RangesComputed.h"
#include "frontend/check/TargetSlice.h"
#include "frontend/check/UpdateType.h"
#include "frontend/program/InOrder.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein {

//===----------------------------------------------------------------------===//
// Before the right side is lowered
//===----------------------------------------------------------------------===//

static bool isSame(const ast::Expr &a, const ast::Expr &b) {
  return a.kind == b.kind && a.text == b.text && a.op == b.op &&
         a.operands.size() == b.operands.size() &&
         llvm::all_of(llvm::zip(a.operands, b.operands), [](auto pair) {
           return isSame(*std::get<0>(pair), *std::get<1>(pair));
         });
}

/// Whether `expr` reads what the statement writes, other than at the very
/// element.
static bool readsElsewhere(const ast::Statement &source,
                           const ast::Expr &expr) {
  bool isRead =
      expr.kind == ast::Expr::Kind::Call && expr.text == source.target.text;
  if (isRead && !(expr.operands.size() == source.subscripts->size() &&
                  llvm::all_of(llvm::zip(expr.operands, *source.subscripts),
                               [](auto pair) {
                                 return isSame(*std::get<0>(pair),
                                               *std::get<1>(pair));
                               })))
    return true;
  return llvm::any_of(expr.operands, [&](const ast::ExprPtr &operand) {
    return readsElsewhere(source, *operand);
  });
}

bool isRecurrence(const StatementContext &context, TensorId id,
                  const ast::Statement &source) {
  const DefScope &scope = context.scope;
  TensorRole role = scope.getRole(id);
  if (!source.subscripts || source.subscripts->empty() ||
      role == TensorRole::Input || role == TensorRole::InOut ||
      scope.isWritten(id) || scope.skippedNames.contains(source.target.text))
    return false;
  return readsElsewhere(source, *source.value) ||
         llvm::any_of(source.clauses, [&](const ast::Clause &clause) {
           return llvm::any_of(clause.operands,
                               [&](const ast::ExprPtr &operand) {
                                 return readsElsewhere(source, *operand);
                               });
         });
}

/// The types of what the right side reads and casts to, subscripts aside.
static void collectTypes(const DefScope &scope, const ast::Expr &expr,
                         SmallVectorImpl<ElementType> &types) {
  bool isCall = expr.kind == ast::Expr::Kind::Call;
  if (isCall || expr.kind == ast::Expr::Kind::Name) {
    if (std::optional<TensorId> tensor = scope.findTensor(expr.text)) {
      if (scope.states[tensor->value].hasType)
        types.push_back(scope.def[*tensor].type);
      return;
    }
    if (std::optional<ElementType> type = scope.findElementType(expr.text);
        type && isCall)
      return types.push_back(*type);
  }
  if (expr.kind == ast::Expr::Kind::Cast)
    if (std::optional<ElementType> type =
            scope.findElementType(expr.type->text))
      return types.push_back(*type);
  for (const ast::ExprPtr &operand : expr.operands)
    collectTypes(scope, *operand, types);
}

LogicalResult decideRecurrenceType(const StatementContext &context, TensorId id,
                                   const ast::Statement &comprehension) {
  DefScope &scope = context.scope;
  TensorState &state = scope[id];
  if (state.hasType)
    return success();
  FailureOr<std::optional<ElementType>> given = resolveAccumulator(context);
  if (failed(given))
    return failure();
  SmallVector<ElementType> types;
  collectTypes(scope, *comprehension.value, types);
  std::optional<ElementType> joined =
      types.empty() ? scope.options.defaultType : joinTypes(types);
  // What does not go together is reported where it meets.
  scope.def.tensors[id.value].type =
      *given ? **given
             : getAccumulator(joined.value_or(scope.options.defaultType));
  state.hasType = true;
  return success();
}

//===----------------------------------------------------------------------===//
// When ranges are known
//===----------------------------------------------------------------------===//

namespace {

class OrderChecker : StatementContext {
public:
  OrderChecker(const StatementContext &context, Statement &statement,
               const CheckedTarget &target, const CheckedExpr &expr)
      : StatementContext(context), statement(statement), target(target),
        expr(expr) {}

  LogicalResult check();

private:
  std::vector<Affine> getPlaces() const;
  ExprId addWritten();
  const Expr *findRead(ExprId id) const;
  LogicalResult checkScatter();
  LogicalResult checkRecurrence();
  LogicalResult checkDirections(ArrayRef<SelfRead> reads);
  LogicalResult reportBothWays(const SelfRead &first, const SelfRead &second);
  void simplifyReads();
  bool isInside(const Expr &gather) const;
  void takeStarts();
  bool startsApart(ArrayRef<Affine> places) const;
  std::string describe(ExprId id) const;
  Affine getExtent(IndexId id) const {
    return statement.indices[id.value].extent;
  }

  Statement &statement;
  const CheckedTarget &target;
  const CheckedExpr &expr;
};

} // namespace

/// What each dim is written at; an index that nobody has named is at 0.
std::vector<Affine> OrderChecker::getPlaces() const {
  std::vector<Affine> places;
  for (const Affine &subscript : target.site.subscripts) {
    ArrayRef<Affine::IndexTerm> terms = subscript.getIndexTerms();
    bool isConstant =
        terms.size() == 1 && llvm::is_contained(target.constants, terms[0].id);
    places.push_back(isConstant ? subscript.withoutIndices() : subscript);
  }
  return places;
}

/// The left side as a node.
ExprId OrderChecker::addWritten() {
  Expr written;
  written.kind = ExprKind::Gather;
  written.range = source.target.range;
  written.tensor = target.id;
  written.type = scope.def[target.id].type;
  for (auto [dim, place] : llvm::enumerate(getPlaces())) {
    if (llvm::is_contained(target.site.computedDims, dim)) {
      written.places.push_back(expr.targetPlaces[dim]);
      continue;
    }
    Expr position;
    position.kind = ExprKind::Position;
    position.range = target.site.ranges[dim];
    position.type = ElementType::Index;
    position.subscripts.push_back(place);
    written.places.push_back(addExpr(scope.def, std::move(position)));
  }
  return addExpr(scope.def, std::move(written));
}

/// What reads the target in a tree, if anything.
const Expr *OrderChecker::findRead(ExprId id) const {
  const Expr &node = scope.def[id];
  if ((node.kind == ExprKind::Access || node.kind == ExprKind::Gather) &&
      node.tensor == target.id)
    return &node;
  for (ExprId operand : node.getOperands())
    if (const Expr *read = findRead(operand))
      return read;
  return nullptr;
}

std::string OrderChecker::describe(ExprId id) const {
  const Expr &read = scope.def[id];
  std::string text = scope.def[target.id].name + "(";
  auto str = [&](const Affine &subscript) {
    return subscript.str(
        [&](IndexId index) -> StringRef {
          return statement.indices[index.value].name;
        },
        [&](SymbolId symbol) -> StringRef { return scope.def[symbol].name; });
  };
  StringRef separator;
  for (const Affine &subscript : read.subscripts)
    text += std::exchange(separator, ", ").str() + str(subscript);
  for (ExprId place : read.places)
    text += std::exchange(separator, ", ").str() +
            (scope.def[place].kind == ExprKind::Position
                 ? str(scope.def[place].subscripts.front())
                 : "…");
  return text + ")";
}

LogicalResult OrderChecker::checkScatter() {
  SmallVector<ExprId> roots = {statement.value};
  if (statement.condition.isValid())
    roots.push_back(statement.condition);
  for (const Reduction &reduction : expr.reductions)
    roots.push_back(reduction.value);
  for (ExprId place : expr.targetPlaces)
    if (place.isValid())
      roots.push_back(place);
  for (ExprId root : roots)
    if (const Expr *read = findRead(root))
      return diags.report(DiagId::ScatterReadsTarget, read->range,
                          {scope.def[target.id].name});
  statement.written = addWritten();
  findSafePlaces(scope.def, statement, statement.written);
  return success();
}

/// Whether the access is inside of the target for all sizes.
bool OrderChecker::isInside(const Expr &gather) const {
  auto extent = [&](IndexId id) { return getExtent(id); };
  for (auto [place, size] :
       llvm::zip_equal(gather.places, scope.def[target.id].dims)) {
    const Expr &position = scope.def[place];
    if (position.kind != ExprKind::Position)
      return false;
    const Affine &subscript = position.subscripts.front();
    if (!isNonNegative(scope.def,
                       getExtreme(subscript, /*isMax=*/false, extent)) ||
        !isNonNegative(scope.def,
                       size - Affine(1) -
                           getExtreme(subscript, /*isMax=*/true, extent)))
      return false;
  }
  return true;
}

/// What is inside is read as it is; what may be outside, and has no `pad`,
/// deserves a word.
void OrderChecker::simplifyReads() {
  for (const CheckedExpr::SelfAccess &read : expr.selfReads) {
    Expr &node = scope.def.exprs[read.id.value];
    if (node.outside != Outside::Padded)
      continue;
    if (isInside(node)) {
      node.kind = ExprKind::Access;
      for (ExprId place : node.places)
        node.subscripts.push_back(scope.def[place].subscripts.front());
      node.places.clear();
      node.lhs = ExprId();
      node.outside = Outside::Checked;
    } else if (read.isBare && !scope.isCalled()) {
      diags.report(DiagId::RecurrenceStart, read.range, {describe(read.id)})
          .fixIt({read.range.begin, read.range.begin}, "pad(")
          .fixIt({read.range.end, read.range.end}, ", 0)");
    }
  }
}

LogicalResult OrderChecker::reportBothWays(const SelfRead &first,
                                           const SelfRead &second) {
  return diags
      .report(DiagId::RecurrenceBothWays, scope.def[second.id].range,
              {describe(first.id), describe(second.id),
               statement.indices[second.index.value].name})
      .note(DiagId::RecurrenceOfOld, scope.def[first.id].range,
            {scope.def[target.id].name});
}

/// Each index runs up or down, so that what is read has been written; down it
/// is what it was from its end.
LogicalResult OrderChecker::checkDirections(ArrayRef<SelfRead> reads) {
  SmallVector<const SelfRead *> byIndex(statement.indices.size());
  for (const SelfRead &read : reads) {
    SourceRange range = scope.def[read.id].range;
    if (read.kind == SelfRead::Unknown)
      return diags.report(DiagId::RecurrenceUnknown, range,
                          {describe(read.id), scope.def[target.id].name});
    if (read.kind == SelfRead::Same)
      return diags.report(DiagId::RecurrenceOfItself, range,
                          {describe(read.id)});
    if (read.kind == SelfRead::Never)
      continue;
    const SelfRead *&known = byIndex[read.index.value];
    if (known && (known->distance < 0) != (read.distance < 0))
      return reportBothWays(*known, read);
    known = &read;
  }
  SmallVector<IndexId> reversed;
  for (auto [i, read] : llvm::enumerate(byIndex))
    if (read && read->distance < 0)
      reversed.push_back(IndexId(i));
  reverseIndices(scope.def, statement, reversed);
  return success();
}

LogicalResult OrderChecker::checkRecurrence() {
  for (const Reduction &reduction : expr.reductions)
    if (const Expr *read = findRead(reduction.value))
      return diags
          .report(DiagId::RecurrenceReduced, read->range,
                  {reduction.name, scope.def[target.id].name})
          .note(DiagId::RecurrenceAccumulates, read->range);
  std::vector<SelfRead> reads =
      findSelfReads(scope.def, statement, getPlaces());
  // In the order of the text.
  llvm::sort(reads, [](const SelfRead &a, const SelfRead &b) {
    return a.id.value < b.id.value;
  });
  if (statement.update != UpdateKind::Assign &&
      statement.computeType != scope.def[target.id].type)
    return diags.report(DiagId::RecurrenceType, source.opRange,
                        {scope.def[target.id].name,
                         getSpelling(scope.def[target.id].type).str(),
                         getSpelling(statement.computeType).str()});
  simplifyReads();
  statement.written = addWritten();
  return checkDirections(reads);
}

/// Whether what has been written of the target, since the def began, is none of
/// what is written now.
bool OrderChecker::startsApart(ArrayRef<Affine> places) const {
  auto getBounds = [&](const Statement &from, const Affine &subscript) {
    auto extent = [&](IndexId id) { return from.indices[id.value].extent; };
    return std::make_pair(getExtreme(subscript, /*isMax=*/false, extent),
                          getExtreme(subscript, /*isMax=*/true, extent));
  };
  for (const Statement &before :
       ArrayRef(scope.def.statements).drop_front(scope.firstStatement)) {
    if (before.target != target.id)
      continue;
    bool isApart = false;
    for (auto [dim, place] : llvm::enumerate(places)) {
      Affine subscript;
      if (before.isInOrder()) {
        const Expr &position = scope.def[scope.def[before.written].places[dim]];
        if (position.kind != ExprKind::Position)
          continue;
        subscript = position.subscripts.front();
      } else if (!before.slice.empty()) {
        subscript = before.getTargetSubscript(dim);
      } else {
        break;
      }
      auto [first, last] = getBounds(statement, place);
      auto [firstBefore, lastBefore] = getBounds(before, subscript);
      isApart |= isNonNegative(scope.def, first - lastBefore - Affine(1)) ||
                 isNonNegative(scope.def, firstBefore - last - Affine(1));
    }
    if (!isApart)
      return false;
  }
  return true;
}

/// `y(0) = x(0)` before `y(i) = y(i - 1) + x(i) where i in 1:N`.
void OrderChecker::takeStarts() {
  std::vector<Affine> places = getPlaces();
  SmallBitVector seen(statement.indices.size());
  for (const Affine &place : places)
    for (const Affine::IndexTerm &term : place.getIndexTerms()) {
      if (seen.test(term.id.value))
        return; // a diagonal
      seen.set(term.id.value);
    }
  std::vector<SelfRead> reads = findSelfReads(scope.def, statement, places);
  if (reads.empty())
    return;
  SmallVector<int64_t> signs(statement.indices.size(), 0);
  bool isForward = false;
  for (const SelfRead &read : reads) {
    if (read.kind == SelfRead::Never)
      continue;
    if (read.kind != SelfRead::Carried)
      return;
    int64_t sign = read.distance < 0 ? -1 : 1;
    int64_t &known = signs[read.index.value];
    if (known == -sign)
      return; // of what was there before
    known = sign;
    isForward |= sign > 0;
  }
  bool readsInside =
      llvm::any_of(expr.reductions, [&](const Reduction &reduction) {
        return findRead(reduction.value) != nullptr;
      });
  bool isContinued = statement.update != UpdateKind::Assign;
  if (!isContinued && !readsInside && startsApart(places) &&
      scope.getRole(target.id) != TensorRole::InOut) {
    statement.written = addWritten();
    statement.targetIndices.clear();
    statement.slice.clear();
    (void)checkDirections(reads);
    return;
  }
  if (isForward && !scope.isCalled())
    diags
        .report(DiagId::OldValues, scope.def[reads.front().id].range,
                {describe(reads.front().id), scope.def[target.id].name})
        .note(DiagId::RecurrenceIntoNew, source.target.range,
              {scope.def[target.id].name});
}

LogicalResult OrderChecker::check() {
  if (target.isScatter)
    return checkScatter();
  if (target.isRecurrence)
    return checkRecurrence();
  takeStarts();
  return success();
}

LogicalResult decideOrder(const StatementContext &context, Statement &statement,
                          const CheckedTarget &target,
                          const CheckedExpr &expr) {
  return OrderChecker(context, statement, target, expr).check();
}

} // namespace ein
