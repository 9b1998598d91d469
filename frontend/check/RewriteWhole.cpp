//===- RewriteWhole.cpp - Rewrites: whole tensors -------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `C = relu(A) + B` of whole tensors means
// `C(i, j) = relu(A(i, j)) + B(i, j)`: operators, functions and casts are of
// elements. What is no name, an einsum or a call of a def, is computed into a
// temporary first. So nothing that comes after knows of it.
//
// Shapes are the same, scalars aside. With `--broadcast=numpy` dims are aligned
// on the right, and one of size 1 goes with any other, as in an einsum; it is
// subscripted with 0.
//
//===----------------------------------------------------------------------===//

#include "frontend/check/RewriteWhole.h"
#include "frontend/check/Call.h"
#include "frontend/check/ExprAccess.h"
#include "frontend/check/Statement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace ein {

std::string makeIndexName(size_t number) {
  constexpr size_t numLetters = 6;
  return number < numLetters ? std::string(1, static_cast<char>('i' + number))
                             : "i" + std::to_string(number);
}

/// Whether all that the node does is done to elements. What has a function's
/// name may be a def of the user's.
static bool isElementwise(const DefScope &scope, const ast::Expr &expr) {
  switch (expr.kind) {
  case ast::Expr::Kind::Cast:
  case ast::Expr::Kind::Unary:
  case ast::Expr::Kind::Binary:
  case ast::Expr::Kind::Conditional:
    return true;
  case ast::Expr::Kind::Call:
    break;
  default:
    return false;
  }
  bool ofElements =
      (isFunction(expr.text) || scope.findElementType(expr.text)) &&
      !readsTensors(expr.text) && !scope.findTensor(expr.text) &&
      !scope.targets.count(expr.text) && expr.named.empty();
  if (!ofElements || !callsDef(scope, expr))
    return ofElements;
  Callee *callee = scope.builder.callees.find(expr.text);
  return callee && callee->isPrelude;
}

bool isWholeTensor(const DefScope &scope, const ast::Expr &expr) {
  if (expr.kind == ast::Expr::Kind::Call)
    return callsDef(scope, expr) ||
           (ast::isEinsum(expr) && !scope.findTensor(expr.text));
  std::optional<TensorId> tensor = scope.findTensor(expr.text);
  return expr.kind == ast::Expr::Kind::Name && tensor &&
         (!scope.states[tensor->value].hasShape ||
          !scope.def[*tensor].dims.empty());
}

bool holdsWholeTensor(const DefScope &scope, const ast::Expr &expr) {
  return isWholeTensor(scope, expr) ||
         (isElementwise(scope, expr) &&
          llvm::any_of(expr.operands, [&](const ast::ExprPtr &operand) {
            return holdsWholeTensor(scope, *operand);
          }));
}

bool isOfWholeTensors(const StatementContext &context) {
  const DefScope &scope = context.scope;
  const ast::Statement &source = context.source;
  return !source.subscripts && source.moreTargets.empty() &&
         (holdsWholeTensor(scope, *source.value) ||
          llvm::any_of(source.clauses, [&](const ast::Clause &clause) {
            return clause.kind == ast::Clause::Kind::Let &&
                   holdsWholeTensor(scope, *clause.operands[0]);
          }));
}

namespace {

/// What a statement of whole tensors says of each element.
class WholeExpander : StatementContext {
public:
  WholeExpander(const StatementContext &context, TensorId target)
      : StatementContext(context), target(target) {}

  FailureOr<ast::Statement> expand();

private:
  struct Operand {
    const ast::Expr *source = nullptr;
    /// In the scope: of the tensor, or of a temporary.
    std::string name;
    TensorId id;
    std::string description;
  };

  ArrayRef<Affine> getDims(TensorId id) const { return scope.def[id].dims; }
  LogicalResult collect(const ast::Expr &expr);
  FailureOr<std::string> compute(const ast::Expr &expr);
  std::string describeShape(TensorId id) const;
  LogicalResult reportShapes(const Operand &operand, const Operand &other,
                             bool isStretchable);
  LogicalResult checkShapes(const Operand &operand, const Operand &other);
  bool isStretched(const Operand &operand, size_t dim) const;
  void nameIndices();
  std::vector<ast::ExprPtr> makeSubscripts(const Operand &operand) const;
  ast::ExprPtr rewrite(const ast::Expr &expr) const;

  TensorId target;
  std::vector<Operand> operands; // in the order of the text
  size_t rank = 0;
  std::vector<std::string> indices; // one for each dim
};

} // namespace

/// A temporary that holds what an einsum or a call yields.
FailureOr<std::string> WholeExpander::compute(const ast::Expr &expr) {
  std::string name =
      scope.makeTemporaryName(source.target.text + "_" + expr.text);
  ast::Statement part;
  part.target = {name, expr.nameRange};
  part.value = ast::clone(expr);
  part.opRange = part.range = expr.range;
  checkStatement(scope, part);
  std::optional<TensorId> id = scope.findTensor(name);
  if (!id || scope[*id].isBroken || !scope[*id].isWritten)
    return failure();
  return name;
}

LogicalResult WholeExpander::collect(const ast::Expr &expr) {
  if (isElementwise(scope, expr)) {
    LogicalResult result = success();
    for (const ast::ExprPtr &operand : expr.operands)
      if (failed(collect(*operand)))
        result = failure();
    return result;
  }
  if (!isWholeTensor(scope, expr))
    return success();
  Operand operand;
  operand.source = &expr;
  operand.name = operand.description = expr.text;
  if (expr.kind == ast::Expr::Kind::Call) {
    FailureOr<std::string> name = compute(expr);
    if (failed(name))
      return failure();
    operand.name = *name;
    operand.description += "(…)";
  } else if (failed(checkReadable(scope, *scope.findTensor(expr.text), expr))) {
    return failure();
  }
  operand.id = *scope.findTensor(operand.name);
  operands.push_back(std::move(operand));
  return success();
}

/// `(M, 4)`.
std::string WholeExpander::describeShape(TensorId id) const {
  return "(" +
         llvm::join(llvm::map_range(getDims(id),
                                    [&](const Affine &dim) {
                                      return describe(scope.def, dim,
                                                      /*quote=*/false);
                                    }),
                    ", ") +
         ")";
}

LogicalResult WholeExpander::reportShapes(const Operand &operand,
                                          const Operand &other,
                                          bool isStretchable) {
  DiagnosticBuilder builder =
      diags.report(DiagId::WholeShapes, operand.source->range,
                   {operand.description, describeShape(operand.id),
                    other.description, describeShape(other.id)});
  for (const Operand *each : {&operand, &other})
    if (each->source->kind == ast::Expr::Kind::Name && !scope.isImplicit)
      builder.note(DiagId::DeclaredHere, scope.def[each->id].range,
                   {each->description});
  if (isStretchable && !scope.options.broadcastsSizeOne)
    builder.note(DiagId::WholeBroadcast, operand.source->range);
  return builder;
}

/// Reports what cannot be of one shape. What may be is checked when the code
/// runs, as all extents are.
LogicalResult WholeExpander::checkShapes(const Operand &operand,
                                         const Operand &other) {
  const Affine one(1);
  ArrayRef<Affine> dims = getDims(operand.id), others = getDims(other.id);
  size_t shared = std::min(dims.size(), others.size());
  bool differs = dims.size() != others.size(), isStretchable = true;
  bool isStretching = scope.options.broadcastsSizeOne;
  for (auto [dim, otherDim] :
       llvm::zip(dims.take_back(shared), others.take_back(shared))) {
    Affine difference = dim - otherDim;
    bool isOther = difference.isConstant() && difference != Affine(0);
    bool isOne = dim == one || otherDim == one;
    differs |= isOther && !isOne;
    differs |= isOther && isOne && !isStretching;
    isStretchable &= !isOther || isOne;
  }
  if (differs && !(isStretching && isStretchable))
    return reportShapes(operand, other, isStretchable);
  return success();
}

/// Whether the operand has one element there, and another one has more.
bool WholeExpander::isStretched(const Operand &operand, size_t dim) const {
  auto isOne = [&](const Operand &each) {
    ArrayRef<Affine> dims = getDims(each.id);
    size_t missing = rank - dims.size();
    return dim < missing || dims[dim - missing] == Affine(1);
  };
  return scope.options.broadcastsSizeOne && isOne(operand) &&
         !llvm::all_of(operands, isOne);
}

static void collectNames(const ast::Expr &expr, StringSet<> &names) {
  names.insert(expr.text);
  for (const ast::ExprPtr &index : expr.indices)
    names.insert(index->text);
  for (const ast::ExprPtr &operand : expr.operands)
    collectNames(*operand, names);
}

/// `i`, `j` and so on, as far as nothing else has these names.
void WholeExpander::nameIndices() {
  StringSet<> used;
  collectNames(*source.value, used);
  for (const ast::Clause &clause : source.clauses) {
    used.insert(clause.name.text);
    for (const ast::ExprPtr &operand : clause.operands)
      collectNames(*operand, used);
  }
  for (size_t number = 0; indices.size() != rank; ++number) {
    std::string name = makeIndexName(number);
    if (!used.contains(name) && !scope.findTensor(name) &&
        !scope.getConstantNoun(name) && !scope.symbols.contains(name) &&
        !scope.targets.contains(name) && !scope.generics.contains(name))
      indices.push_back(std::move(name));
  }
}

std::vector<ast::ExprPtr>
WholeExpander::makeSubscripts(const Operand &operand) const {
  std::vector<ast::ExprPtr> subscripts;
  SourceRange range = operand.source->range;
  for (size_t dim = rank - getDims(operand.id).size(); dim != rank; ++dim)
    subscripts.push_back(isStretched(operand, dim)
                             ? ast::makeNumber(0, range)
                             : ast::makeName(indices[dim], range));
  return subscripts;
}

ast::ExprPtr WholeExpander::rewrite(const ast::Expr &expr) const {
  auto found = llvm::find_if(operands, [&](const Operand &operand) {
    return operand.source == &expr;
  });
  if (found != operands.end())
    return ast::makeCall({found->name, expr.nameRange}, expr.range,
                         makeSubscripts(*found));
  if (!isElementwise(scope, expr))
    return ast::clone(expr);
  ast::ExprPtr copy = ast::cloneNode(expr);
  for (const ast::ExprPtr &operand : expr.operands) {
    copy->operands.push_back(rewrite(*operand));
    copy->height = std::max(copy->height, copy->operands.back()->height + 1);
  }
  return copy;
}

FailureOr<ast::Statement> WholeExpander::expand() {
  LogicalResult result = collect(*source.value);
  for (const ast::Clause &clause : source.clauses)
    if (clause.kind == ast::Clause::Kind::Let ||
        clause.kind == ast::Clause::Kind::Condition)
      if (failed(collect(*clause.operands[0])))
        result = failure();
  if (failed(result))
    return failure();
  const Operand *largest = nullptr;
  for (const Operand &operand : operands)
    if (!largest || getDims(operand.id).size() > getDims(largest->id).size())
      largest = &operand;
  rank = getDims(largest->id).size();
  for (const Operand &operand : operands)
    if (&operand != largest && !getDims(operand.id).empty() &&
        failed(checkShapes(operand, *largest)))
      return failure();
  if (scope[target].hasShape) {
    ast::ExprPtr place = ast::makeName(source.target.text, source.target.range);
    Operand written = {place.get(), source.target.text, target,
                       source.target.text};
    if (getDims(target).size() != rank)
      return reportShapes(written, *largest, /*isStretchable=*/false);
  }
  nameIndices();

  ast::Statement expanded;
  expanded.target = source.target;
  expanded.op = source.op;
  expanded.opRange = source.opRange;
  expanded.range = source.range;
  for (const std::string &index : indices) {
    if (!expanded.subscripts)
      expanded.subscripts.emplace();
    expanded.subscripts->push_back(ast::makeName(index, source.target.range));
  }
  expanded.value = rewrite(*source.value);
  for (const ast::Clause &clause : source.clauses) {
    expanded.clauses.push_back({clause.kind, clause.name, {}});
    for (const ast::ExprPtr &operand : clause.operands)
      expanded.clauses.back().operands.push_back(rewrite(*operand));
  }
  return expanded;
}

FailureOr<ast::Statement> rewriteWhole(const StatementContext &context,
                                       TensorId target) {
  return WholeExpander(context, target).expand();
}

} // namespace ein
