//===- CallArguments.cpp - Calls of defs: arguments -----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/check/Call.h"
#include "frontend/check/ExprAccess.h"
#include "frontend/check/ExprUnknown.h"
#include "frontend/check/RewriteWhole.h"
#include "frontend/check/Statement.h"
#include "frontend/check/Target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace ein {

LogicalResult CallChecker::bindArguments() {
  for (const ast::Param &param : def->params) {
    // The one parameter that may be left out.
    if (isRelayout() && param.name.text == "padding_value" && !hasPadding())
      continue;
    arguments.emplace_back();
    arguments.back().param = &param;
  }
  auto declaredHere = [&](DiagnosticBuilder builder) -> LogicalResult {
    return builder.note(DiagId::DeclaredHere, def->name.range, {call.text});
  };
  if (call.operands.size() > arguments.size())
    return declaredHere(
        diags.report(DiagId::WrongArity, call.operands[arguments.size()]->range,
                     {call.text, count(arguments.size(), "argument"),
                      std::to_string(call.operands.size())}));
  for (auto [argument, operand] : llvm::zip(arguments, call.operands))
    argument.source = operand.get();
  LogicalResult result = success();
  for (const ast::NamedArgument &argument : call.named)
    if (failed(bindNamed(argument)))
      result = failure();
  if (failed(result))
    return failure();
  for (const Argument &argument : arguments)
    if (!argument.source)
      return declaredHere(diags.report(DiagId::ArgumentMissing, call.nameRange,
                                       {call.text, argument.param->name.text}));
  return success();
}

/// The names in the dims of a def that are no attributes.
static void collectSizeNames(const ast::Expr &dim,
                             std::vector<StringRef> &names) {
  if (dim.kind == ast::Expr::Kind::Name)
    names.push_back(dim.text);
  for (const ast::ExprPtr &operand : dim.operands)
    collectSizeNames(*operand, names);
}

LogicalResult CallChecker::bindNamed(const ast::NamedArgument &named) {
  const std::string &name = named.name.text;
  if (name == "kind" && isElementwise())
    return success();
  auto isSame = [&](const ast::NamedArgument *other) {
    return other->name.text == name;
  };
  auto argument = llvm::find_if(arguments, [&](const Argument &candidate) {
    return candidate.param->name.text == name;
  });
  bool isParam = argument != arguments.end();
  if ((isParam && argument->source) ||
      (!isParam && llvm::any_of(namedAttributes, isSame)))
    return diags.report(DiagId::ArgumentTwice, named.name.range,
                        {name, call.text});
  if (isParam) {
    argument->source = named.value.get();
    return success();
  }
  std::vector<StringRef> names;
  for (const ast::Attribute &attribute : def->attributes)
    names.push_back(attribute.name.text);
  for (const ast::Generic &generic : def->generics)
    names.push_back(generic.name.text);
  for (const std::vector<ast::Param> *params : {&def->params, &def->results})
    for (const ast::Param &param : *params)
      if (param.type)
        for (const ast::ExprPtr &dim : param.type->dims)
          collectSizeNames(*dim, names);
  bool isShape = name == "shape" && hasOpenRank(*def);
  if (isShape || llvm::is_contained(names, name)) {
    namedAttributes.push_back(&named);
    return success();
  }
  for (const ast::Param &param : def->params)
    names.push_back(param.name.text);
  // `...` and `0` are no names.
  llvm::erase_if(names, [](StringRef candidate) {
    return !isAlpha(candidate.front()) && candidate.front() != '_';
  });
  return diags
      .report(DiagId::ArgumentUnknown, named.name.range, {call.text, name})
      .didYouMean(named.name.range, name, names, /*listsThem=*/true)
      .note(DiagId::DeclaredHere, def->name.range, {call.text});
}

LogicalResult CallChecker::lowerArguments() {
  LogicalResult result = success();
  for (Argument &argument : arguments)
    if (failed(argument.param->type->dims.empty() ? lowerScalar(argument)
                                                  : lowerTensor(argument)))
      result = failure();
  return result;
}

/// A number as it is written, also one that has a name; nothing for others.
std::optional<Constant> CallChecker::findConstant(const ast::Expr &expr) const {
  bool isNegated =
      expr.kind == ast::Expr::Kind::Unary && expr.op == TokenKind::Minus;
  const ast::Expr &operand = isNegated ? *expr.operands[0] : expr;
  Constant constant;
  constant.range = expr.range;
  if (operand.kind == ast::Expr::Kind::Number &&
      llvm::none_of(operand.text, [](char c) {
        return isAlpha(c) && c != 'e' && c != 'E';
      })) {
    constant.values = {{operand.text, isNegated}};
    return constant;
  }
  auto found = caller.constants.find(operand.text);
  bool isName = operand.kind == ast::Expr::Kind::Name ||
                operand.kind == ast::Expr::Kind::Element;
  if (!isName || found == caller.constants.end())
    return std::nullopt;
  constant = found->second;
  size_t element = 0;
  if (operand.kind == ast::Expr::Kind::Element) {
    if (StringRef(operand.operands[0]->text).getAsInteger(10, element) ||
        element >= constant.values.size())
      return std::nullopt;
    constant.values = {constant.values[element]};
    constant.length.reset();
  }
  for (Constant::Value &value : constant.values)
    value.isNegated ^= isNegated;
  return constant;
}

LogicalResult CallChecker::lowerScalar(Argument &argument) {
  const ast::Expr &source = *argument.source;
  if (std::optional<Constant> constant = findConstant(source)) {
    if (constant->values.size() != 1)
      return diags.report(DiagId::ArgumentNotNumber, source.range,
                          {argument.param->name.text, call.text});
    if (source.kind == ast::Expr::Kind::Name ||
        source.kind == ast::Expr::Kind::Element)
      argument.type = constant->type;
    // linalg's ops have operands for their scalars, but for what elements are
    // set to.
    bool isInBody = def->name.text == "fill" || def->name.text == "pack";
    if (callee->isPrelude && !isInBody)
      return lowerByStatement(
          argument, caller.findElementType(argument.param->type->element.text));
    argument.constant = std::move(constant);
    return success();
  }
  if (source.kind == ast::Expr::Kind::Name)
    if (std::optional<TensorId> tensor = caller.findTensor(source.text);
        tensor && caller.def[*tensor].dims.empty() &&
        caller[*tensor].hasShape) {
      if (failed(checkReadable(caller, *tensor, source)))
        return failure();
      argument.tensor = tensor;
      argument.type = caller.def[*tensor].type;
      return success();
    }
  if (holdsWholeTensor(caller, source)) {
    DiagnosticBuilder report =
        diags.report(DiagId::ArgumentNotScalar, source.range,
                     {argument.param->name.text, call.text});
    if (callee->isPrelude && def->name.text == "fill" &&
        source.kind == ast::Expr::Kind::Name)
      return report.note(DiagId::FillOfTensor, source.range, {source.text});
    return report.note(DiagId::DeclaredHere, argument.param->name.range,
                       {argument.param->name.text});
  }
  return lowerByStatement(
      argument, caller.findElementType(argument.param->type->element.text));
}

/// A temporary of the caller that holds what the argument is.
LogicalResult CallChecker::lowerByStatement(Argument &argument,
                                            std::optional<ElementType> type) {
  ast::Statement statement;
  static constexpr StringLiteral hidden = ".argument";
  statement.target = {hidden.str(), argument.source->range};
  statement.value = ast::clone(*argument.source);
  statement.opRange = statement.range = argument.source->range;
  if (type) {
    statement.type.emplace();
    statement.type->element = {getSpelling(*type).str(),
                               argument.source->range};
    statement.type->range = argument.source->range;
  }
  caller.tensors.erase(hidden);
  ein::checkStatement(caller, statement);
  std::optional<TensorId> tensor = caller.findTensor(hidden);
  if (!tensor || caller[*tensor].isBroken || !caller[*tensor].isWritten)
    return failure();
  Tensor &made = builder.def.tensors[tensor->value];
  made.name = builder.makeUnique(call.text + "_" + argument.param->name.text);
  caller.tensors.erase(hidden);
  argument.tensor = tensor;
  argument.type = made.type;
  return success();
}

LogicalResult CallChecker::lowerTensor(Argument &argument) {
  const ast::Expr &source = *argument.source;
  std::optional<TensorId> tensor;
  if (source.kind == ast::Expr::Kind::Name) {
    tensor = caller.findTensor(source.text);
    if (!tensor)
      return reportUnknown(caller, source);
    if (failed(checkReadable(caller, *tensor, source)))
      return failure();
  } else if (callsDef(caller, source)) {
    FailureOr<TensorId> made = CallChecker(caller, source).checkArgument();
    if (failed(made))
      return failure();
    tensor = *made;
  } else if (holdsWholeTensor(caller, source)) {
    if (failed(lowerByStatement(argument, std::nullopt)))
      return failure();
    tensor = argument.tensor;
  } else {
    return diags
        .report(DiagId::ArgumentNotTensor, source.range,
                {argument.param->name.text, call.text})
        .note(DiagId::DeclaredHere, argument.param->name.range,
              {argument.param->name.text});
  }
  const Tensor &given = caller.def[*tensor];
  size_t rank = argument.param->type->dims.size();
  std::optional<size_t> fixed = countBesideEllipsis(*argument.param->type);
  if (fixed ? given.dims.size() < *fixed : given.dims.size() != rank)
    return diags
        .report(DiagId::ArgumentRank, source.range,
                {argument.param->name.text, call.text, std::to_string(rank),
                 given.name, std::to_string(given.dims.size())})
        .note(DiagId::DeclaredHere, argument.param->name.range,
              {argument.param->name.text});
  argument.tensor = tensor;
  argument.type = given.type;
  return success();
}

LogicalResult CallChecker::resolveTargets(ArrayRef<ast::Statement> targets) {
  for (const ast::Param &result : def->results) {
    results.emplace_back();
    results.back().param = &result;
    results.back().range = call.nameRange;
  }
  for (auto [result, target] : llvm::zip(results, targets)) {
    ResolvedTarget resolved = resolveTarget(StatementContext(caller, target));
    if (!resolved.isSound)
      return failure();
    for (const Result &other : results)
      if (other.target == resolved.id)
        return diags.report(DiagId::TargetTwice, target.target.range,
                            {target.target.text});
    result.target = resolved.id;
    result.range = target.target.range;
  }
  return success();
}

} // namespace ein
