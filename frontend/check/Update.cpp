//===- Update.cpp - What a statement does to its target -------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/check/Update.h"
#include "frontend/check/RewriteWhole.h"
#include "llvm/ADT/STLExtras.h"
#include <functional>

using namespace llvm;

namespace ein {

static UpdateKind getUpdateKind(TokenKind op) {
  switch (op) {
  case TokenKind::Assign:
    return UpdateKind::Assign;
  case TokenKind::AddAssign:
  case TokenKind::AddInit:
    return UpdateKind::Add;
  case TokenKind::MulAssign:
  case TokenKind::MulInit:
    return UpdateKind::Mul;
  case TokenKind::MaxAssign:
  case TokenKind::MaxInit:
    return UpdateKind::Max;
  case TokenKind::MinAssign:
  case TokenKind::MinInit:
    return UpdateKind::Min;
  case TokenKind::AndAssign:
  case TokenKind::AndInit:
    return UpdateKind::And;
  case TokenKind::OrAssign:
  case TokenKind::OrInit:
    return UpdateKind::Or;
  case TokenKind::XorAssign:
  case TokenKind::XorInit:
    return UpdateKind::Xor;
  default:
    llvm_unreachable("the parser lets no other assignment pass");
  }
}

static bool startsFromIdentity(TokenKind op) {
  return op == TokenKind::AddInit || op == TokenKind::MulInit ||
         op == TokenKind::MaxInit || op == TokenKind::MinInit ||
         op == TokenKind::AndInit || op == TokenKind::OrInit ||
         op == TokenKind::XorInit;
}

namespace {

class UpdateChecker : StatementContext {
public:
  UpdateChecker(const StatementContext &context,
                const ast::Statement &comprehension,
                const CheckedTarget &target, const CheckedExpr &expr,
                const IndexTable &table)
      : StatementContext(context), comprehension(comprehension), target(target),
        expr(expr), table(table) {}

  FailureOr<Update> check();

private:
  bool isProduct(ExprId id) const;
  LogicalResult decideContinuation(StringRef op);
  std::vector<FixIt> addTargetIndex(const Index &index) const;
  bool hidesProduct(ExprId id, bool isInside) const;
  bool addSumFixIt(DiagnosticBuilder &builder, const Index &index);
  LogicalResult reportForgotten(const Index &index);

  const ast::Statement &comprehension;
  const CheckedTarget &target;
  const CheckedExpr &expr;
  const IndexTable &table;
};

} // namespace

/// A `*`-tree of accesses, scalars and literals, casts aside: what `=` sums of
/// itself.
bool UpdateChecker::isProduct(ExprId id) const {
  const Expr &node = scope.def[id];
  if (node.kind == ExprKind::Binary)
    return node.binary == BinaryFn::Mul && isProduct(node.lhs) &&
           isProduct(node.rhs);
  if (node.kind == ExprKind::Cast)
    return isProduct(node.lhs);
  return node.kind != ExprKind::Unary && node.kind != ExprKind::Select &&
         !isReduction(scope.def, expr.reductions, id);
}

FailureOr<Update> UpdateChecker::check() {
  const Reducer *whole = expr.whole;
  Update update;
  update.kind = whole ? whole->update : getUpdateKind(comprehension.op);
  update.fromIdentity =
      !expr.continuesTarget && (whole || startsFromIdentity(comprehension.op));
  if (expr.continuesTarget || (update.kind != UpdateKind::Assign && !whole)) {
    std::string op = expr.continuesTarget
                         ? "`" + comprehension.value->text + "<…>`"
                         : getDescription(source.op).str();
    if (!update.fromIdentity && failed(decideContinuation(op)))
      return failure();
    return update;
  }

  // Those that no reduction names.
  const Index *reduction = nullptr;
  for (size_t i = target.indices.size(); i < table.all.size() && !reduction;
       ++i)
    if (table.all[i].isReduction &&
        !(whole && isOdsReducer(comprehension.value->text)) &&
        !table.isReduced(IndexId(i)))
      reduction = &table.all[i];
  if (!reduction)
    return update;
  if (whole || target.isScatter || !isProduct(expr.value))
    return reportForgotten(*reduction);
  update.kind = UpdateKind::Add;
  update.fromIdentity = true;
  return update;
}

/// `op=` needs something to continue from.
LogicalResult UpdateChecker::decideContinuation(StringRef op) {
  Tensor &written = scope.def.tensors[target.id.value];
  if (scope.isWritten(target.id))
    return success();
  if (scope.skippedNames.contains(written.name))
    return failure();
  bool isError = written.role == TensorRole::Temporary || scope.isCalled();
  DiagnosticBuilder builder = diags.report(
      isError ? DiagId::NothingToContinue : DiagId::OutputContinued,
      source.opRange, {op.str(), written.name});
  if (!expr.continuesTarget)
    builder.fixIt({source.opRange.end, source.opRange.end}, "!");
  if (isError)
    return builder;
  written.role = TensorRole::InOut;
  return success();
}

/// One more index on the left, and one more dim where the target is declared;
/// none if it is not known what that is.
std::vector<FixIt> UpdateChecker::addTargetIndex(const Index &index) const {
  std::vector<FixIt> fixIts;
  auto insert = [&](uint32_t place, const std::string &text, bool isFirst) {
    fixIts.push_back(
        {{place, place}, isFirst ? "(" + text + ")" : ", " + text});
  };
  // In a def that is called, sizes have the caller's names.
  // Elsewhere the target would have an index too few.
  if (isPartOfEinsum || scope.isCalled() ||
      scope.numWrites.lookup(source.target.text) > 1 ||
      (source.subscripts && source.subscripts->empty()))
    return {};
  const TensorState &state = scope.states[target.id.value];
  if (state.typeEnd && !scope.isImplicit) {
    IndexId id(&index - table.all.data());
    const Affine *extent = nullptr;
    for (const AccessSite &site : expr.sites)
      for (auto [dim, subscript] : llvm::enumerate(site.subscripts))
        if (!extent && subscript == Affine(id))
          extent = &scope.def[site.tensor].dims[dim];
    if (!extent)
      return {};
    insert(*state.typeEnd, describe(scope.def, *extent, /*quote=*/false),
           scope.def[target.id].dims.empty());
  }
  if (source.subscripts)
    insert(source.subscripts->back()->range.end, index.name, false);
  else
    insert(source.type ? source.type->range.end : source.target.range.end,
           index.name, true);
  return fixIts;
}

/// Whether a product of elements is inside a function: `sqrt(T(i) * T(i))` may
/// be meant to sum inside or outside.
bool UpdateChecker::hidesProduct(ExprId id, bool isInside) const {
  const Expr &node = scope.def[id];
  auto isElement = [&](ExprId operand) {
    return !collectIndices(scope.def, operand).empty();
  };
  bool isProductOfTwo = node.kind == ExprKind::Binary &&
                        node.binary == BinaryFn::Mul && isElement(node.lhs) &&
                        isElement(node.rhs);
  bool isSquare = node.kind == ExprKind::Unary && node.unary == UnaryFn::Square;
  if (isInside && (isProductOfTwo || isSquare))
    return true;
  bool isFunction =
      node.kind == ExprKind::Unary && node.unary != UnaryFn::Neg && !isSquare;
  return llvm::any_of(node.getOperands(), [&](ExprId operand) {
    return hidesProduct(operand, isInside || isFunction);
  });
}

/// `+=!` if it is what all terms of the right side need; of terms that do not
/// depend on the index, a sum of the others. False if it may be something else.
bool UpdateChecker::addSumFixIt(DiagnosticBuilder &builder,
                                const Index &index) {
  if (hidesProduct(expr.value, /*isInside=*/false))
    return false;
  const ast::Expr *value = source.value.get();
  auto isSum = [](const ast::Expr &expr) {
    return expr.kind == ast::Expr::Kind::Binary &&
           (expr.op == TokenKind::Plus || expr.op == TokenKind::Minus);
  };
  // In the order of the text.
  SmallVector<const ast::Expr *> terms;
  for (; isSum(*value); value = value->operands[0].get())
    terms.insert(terms.begin(), value->operands[1].get());
  terms.insert(terms.begin(), value);
  std::function<bool(const ast::Expr &)> names = [&](const ast::Expr &each) {
    return (each.kind == ast::Expr::Kind::Name && each.text == index.name) ||
           llvm::any_of(each.operands, [&](const ast::ExprPtr &operand) {
             return names(*operand);
           });
  };
  size_t numUsing = llvm::count_if(
      terms, [&](const ast::Expr *term) { return names(*term); });
  if (numUsing == terms.size() && !isPartOfEinsum) {
    builder.fixIt(source.opRange, "+=!");
    return true;
  }
  if (numUsing == 0) {
    builder.fixIt(source.opRange, "+=!");
    return isPartOfEinsum;
  }
  // The index may not be the only one that is summed over.
  std::string list;
  for (const Index &each : table.all)
    if (each.isReduction)
      list += (list.empty() ? "" : ", ") + each.name;
  for (const ast::Expr *term : terms) {
    if (!names(*term))
      continue;
    builder.fixIt({term->range.begin, term->range.begin}, "sum<" + list + ">(");
    builder.fixIt({term->range.end, term->range.end}, ")");
  }
  return true;
}

/// `=` would have to sum over `index`: that is `+=!`, or one more index of a
/// reduction. Or else the index was to be kept.
LogicalResult UpdateChecker::reportForgotten(const Index &index) {
  DiagnosticBuilder builder =
      diags.report(DiagId::SumWithoutReduction, index.range, {index.name});
  const ast::Expr &value = *comprehension.value;
  if (value.kind == ast::Expr::Kind::Reduce) {
    // One that is used nowhere is the other one, misspelt.
    const ast::Expr &last = *value.indices.back();
    if (value.indices.size() == 1 && !table.subscriptNames.contains(last.text))
      builder.fixIt(last.range, index.name);
    else
      builder.fixIt({last.range.end, last.range.end}, ", " + index.name);
  } else if (!addSumFixIt(builder, index)) {
    builder.note(DiagId::SumInside, source.opRange, {index.name});
  }
  if (isPartOfEinsum || isOfWholeTensors(*this))
    return builder;
  std::string left = source.target.text + "(";
  if (source.subscripts)
    for (const ast::ExprPtr &subscript : *source.subscripts)
      left +=
          (subscript->kind == ast::Expr::Kind::Name ? subscript->text : "…") +
          ", ";
  // Of several, one more on the left is not enough.
  auto isForgotten = [&](const Index &each) {
    IndexId id(&each - table.all.data());
    return each.isReduction && !table.isReduced(id);
  };
  bool isOnly = llvm::count_if(table.all, isForgotten) == 1;
  return builder.note(DiagId::KeepIndex, source.target.range,
                      {index.name, left + index.name + ")"},
                      isOnly ? addTargetIndex(index) : std::vector<FixIt>());
}

FailureOr<Update> checkUpdate(const StatementContext &context,
                              const ast::Statement &comprehension,
                              const CheckedTarget &target,
                              const CheckedExpr &expr,
                              const IndexTable &table) {
  return UpdateChecker(context, comprehension, target, expr, table).check();
}

} // namespace ein
