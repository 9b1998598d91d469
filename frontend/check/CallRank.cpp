//===- CallRank.cpp - Calls of defs: of what rank -------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A def with `...` among its dims becomes one of the rank that the call has:
// that of its arguments, else of what is written, else of a list of sizes.
//
//===----------------------------------------------------------------------===//

#include "frontend/check/Builtins.h"
#include "frontend/check/Call.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein {

/// The attributes of the call that are lists of integers.
FailureOr<DimLists> CallChecker::evaluateLists() {
  DimLists lists;
  for (const ast::NamedArgument *named : namedAttributes) {
    auto attribute =
        llvm::find_if(def->attributes, [&](const ast::Attribute &candidate) {
          return candidate.name.text == named->name.text;
        });
    if (attribute == def->attributes.end() ||
        StringRef(attribute->element.text).ends_with("_fn"))
      continue;
    FailureOr<std::vector<Constant::Value>> values =
        evaluateAttribute(*named->value);
    if (failed(values))
      return failure();
    for (const Constant::Value &value : *values) {
      int64_t dim;
      if (!StringRef((value.isNegated ? "-" : "") + value.digits)
               .getAsInteger(10, dim))
        lists[named->name.text].push_back(dim);
    }
  }
  return lists;
}

/// What a def of the prelude has without its attributes, where there is but one
/// answer: all dims in reverse, or the only one.
void CallChecker::takeDefaults(size_t rank, DimLists &lists) {
  StringRef name = def->name.text;
  StringRef attribute = name == "transpose"               ? "permutation"
                        : rank == 1 && name == "softmax"  ? "dim"
                        : rank == 1 && isCumulative(name) ? "axis"
                                                          : "";
  bool isGiven =
      llvm::any_of(namedAttributes, [&](const ast::NamedArgument *named) {
        return named->name.text == attribute;
      });
  if (attribute.empty() || isGiven)
    return;
  auto list = std::make_unique<ast::Expr>();
  list->kind = ast::Expr::Kind::List;
  list->range = list->nameRange = call.nameRange;
  for (size_t dim = rank; dim-- != 0;) {
    list->operands.push_back(ast::makeNumber(dim, call.nameRange));
    lists[attribute].push_back(dim);
  }
  defaults = {{attribute.str(), call.nameRange}, std::move(list)};
  namedAttributes.push_back(&defaults);
}

LogicalResult CallChecker::decideRank(ArrayRef<ast::Statement> targets) {
  if (!hasOpenRank(*def))
    return success();
  FailureOr<DimLists> given = evaluateLists();
  if (failed(given))
    return failure();
  DimLists &lists = *given;
  if (isRelayout())
    return decideTiles(targets, lists);
  std::optional<size_t> rank;
  const Argument *first = nullptr;
  for (const Argument &argument : arguments) {
    std::optional<size_t> fixed = countBesideEllipsis(*argument.param->type);
    if (!fixed || !argument.tensor)
      continue;
    const Tensor &given = builder.def[*argument.tensor];
    size_t open = given.dims.size() - *fixed +
                  countMissingDims(*argument.param->type, lists);
    if (rank && *rank != open)
      return diags
          .report(DiagId::ArgumentRank, argument.source->range,
                  {argument.param->name.text, call.text,
                   std::to_string(*rank + *fixed), given.name,
                   std::to_string(given.dims.size())})
          .note(DiagId::FirstHere, first->source->range);
    if (!rank)
      first = &argument;
    rank = open;
  }
  // Else what is written tells, or a list of sizes.
  for (const ast::NamedArgument *named : namedAttributes)
    if (!rank && named->name.text == "shape")
      rank = named->value->kind == ast::Expr::Kind::List
                 ? named->value->operands.size()
                 : 1;
  for (auto [result, target] : llvm::zip(def->results, targets)) {
    std::optional<TensorId> id = caller.findTensor(target.target.text);
    bool isKnown = target.type || (id && caller[*id].hasShape);
    if (rank || !result.type || !isKnown)
      continue;
    std::optional<size_t> fixed = countBesideEllipsis(*result.type);
    size_t given =
        target.type ? target.type->dims.size() : builder.def[*id].dims.size();
    if (fixed && given >= *fixed)
      rank = given - *fixed;
  }
  if (!rank)
    return diags.report(DiagId::CallRankUnknown, call.nameRange, {call.text});
  if (callee->isPrelude)
    takeDefaults(*rank, lists);
  std::optional<StringRef> list = findBadList(*def, *rank, lists);
  if (list && !lists.count(*list))
    return diags.report(DiagId::AttributeNotGiven, call.nameRange,
                        {list->str()});
  if (list)
    return diags.report(DiagId::DimList, call.nameRange,
                        {list->str(), call.text, std::to_string(*rank)});
  expanded = expandRank(*def, *rank, lists);
  def = &*expanded;
  for (auto [argument, param] : llvm::zip_equal(arguments, def->params))
    argument.param = &param;
  return success();
}

} // namespace ein
