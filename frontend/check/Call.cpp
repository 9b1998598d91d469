//===- Call.cpp - Calls of defs: who gets what ----------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What stands in a call goes to what the callee has: whole tensors as they
// are, other tensors through a temporary that holds them. A result is written
// where the call's target is, unless the callee would read there what it has
// written already, or has another type.
//
//===----------------------------------------------------------------------===//

#include "frontend/check/Call.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace ein {

/// What calls can make of a def: they could double at each level.
static constexpr size_t maxStatements = 20000;

//===----------------------------------------------------------------------===//
// What a call is
//===----------------------------------------------------------------------===//

bool isWholeTensor(const DefScope &scope, const ast::Expr &expr) {
  if (expr.kind == ast::Expr::Kind::Call)
    return callsDef(scope, expr) ||
           (ast::isEinsum(expr) && !scope.findTensor(expr.text));
  std::optional<TensorId> tensor = scope.findTensor(expr.text);
  return expr.kind == ast::Expr::Kind::Name && tensor &&
         (!scope.states[tensor->value].hasShape ||
          !scope.def[*tensor].dims.empty());
}

bool callsDef(const DefScope &scope, const ast::Expr &expr) {
  if (expr.kind != ast::Expr::Kind::Call || ast::isEinsum(expr) ||
      scope.findTensor(expr.text) || scope.targets.count(expr.text) ||
      !scope.builder.callees.has(expr.text))
    return false;
  bool isOfLanguage =
      isFunction(expr.text) || scope.findElementType(expr.text).has_value();
  if (!isOfLanguage || !expr.named.empty())
    return true;
  size_t numWhole =
      llvm::count_if(expr.operands, [&](const ast::ExprPtr &operand) {
        return isWholeTensor(scope, *operand);
      });
  // linalg's `max` is of two tensors, and `max(A, 0)` of elements.
  Callee *callee = numWhole != 0 && numWhole != expr.operands.size()
                       ? scope.builder.callees.find(expr.text)
                       : nullptr;
  return numWhole != 0 && !(callee && callee->isPrelude);
}

void checkCall(DefScope &scope, const ast::Statement &statement) {
  (void)CallChecker(scope, *statement.value).checkStatement(statement);
}

LogicalResult CallChecker::checkStatement(const ast::Statement &statement) {
  // One by one, as any statement has its target.
  std::vector<ast::Statement> targets(1 + statement.moreTargets.size());
  for (auto [i, target] : llvm::enumerate(targets)) {
    target.target = i == 0 ? statement.target : statement.moreTargets[i - 1];
    target.let = statement.let;
    target.op = statement.op;
    target.opRange = statement.opRange;
    target.range = statement.range;
    if (i == 0 && statement.type) {
      target.type.emplace();
      target.type->element = statement.type->element;
      target.type->range = statement.type->range;
      for (const ast::ExprPtr &dim : statement.type->dims)
        target.type->dims.push_back(ast::clone(*dim));
    }
  }
  op = statement.op;
  if (succeeded(check(targets)))
    return success();
  // Nobody is to hear of them again.
  for (const ast::Statement &target : targets) {
    std::optional<TensorId> id = caller.findTensor(target.target.text);
    if (!id) {
      Tensor broken = {target.target.text,    ElementType::F32,
                       TensorRole::Temporary, {},
                       target.target.range,   /*isInferred=*/true};
      TensorState state;
      state.hasShape = state.hasType = false;
      id = caller.addTensor(std::move(broken), state);
    }
    TensorState &state = caller[*id];
    state.isWritten = true;
    state.isBroken |= !state.hasShape || !state.hasType;
    caller.pendingResults.erase(*id);
  }
  return failure();
}

FailureOr<TensorId> CallChecker::checkArgument() {
  if (failed(check({})))
    return failure();
  return results.front().written;
}

LogicalResult CallChecker::check(ArrayRef<ast::Statement> targets) {
  if (failed(findCallee()))
    return failure();
  size_t numTargets = std::max<size_t>(targets.size(), 1);
  if (numTargets != def->results.size())
    return diags
        .report(DiagId::CallResultCount, call.nameRange,
                {call.text, count(def->results.size(), "result"),
                 std::to_string(numTargets)})
        .note(DiagId::DeclaredHere, def->name.range, {call.text});
  if (failed(bindArguments()) || failed(lowerArguments()) ||
      failed(decideRank(targets)) || failed(resolveTargets(targets)))
    return failure();
  scope.calledName = call.text;
  if (failed(solveGenerics()) || failed(declareAttributes()) ||
      failed(solveSizes()) || failed(convertArguments()) ||
      failed(declareResults()) || failed(checkBody()))
    return failure();
  return finishResults();
}

/// The op that `elementwise` is by its kind; any other call's own name.
FailureOr<StringRef> CallChecker::resolveName() {
  if (!isElementwise())
    return StringRef(call.text);
  auto kind = llvm::find_if(call.named, [](const ast::NamedArgument &named) {
    return named.name.text == "kind";
  });
  if (kind == call.named.end())
    return diags.report(DiagId::ArgumentMissing, call.nameRange,
                        {call.text, "kind"});
  SmallVector<StringRef> kinds;
#define EIN_OPDSL_FUNCTION(KIND, NAME, SPELLING)                               \
  if (opdsl::FunctionKind::KIND != opdsl::FunctionKind::Type &&                \
      builder.callees.has(NAME))                                               \
    kinds.push_back(NAME);
#include "frontend/opdsl/Functions.def"
  const ast::Expr &value = *kind->value;
  if (llvm::is_contained(kinds, value.text))
    return StringRef(value.text);
  DiagnosticBuilder report =
      diags.report(DiagId::ElementwiseKind, value.range, {value.text});
  if (std::optional<StringRef> similar = findSimilarName(value.text, kinds))
    report.note(DiagId::DidYouMean, value.nameRange, {similar->str()})
        .fixIt(value.nameRange, *similar);
  return report;
}

LogicalResult CallChecker::findCallee() {
  FailureOr<StringRef> name = resolveName();
  if (failed(name))
    return failure();
  callee = builder.callees.find(*name);
  if (!callee)
    return failure(); // could not be read, which was said
  def = callee->source;
  if (callee->isActive)
    return diags.report(DiagId::CallRecursive, call.nameRange, {call.text})
        .note(DiagId::DefHere, def->name.range, {call.text});
  if (builder.callDepth >= maxCallDepth ||
      failed(builder.callees.prepare(*callee)))
    return diags.report(DiagId::CallTooDeep, call.nameRange,
                        {std::to_string(maxCallDepth)});
  return success(!callee->isBroken);
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

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
      if (failed(inCaller().checkReadable(*tensor, source)))
        return failure();
      argument.tensor = tensor;
      argument.type = caller.def[*tensor].type;
      return success();
    }
  if (holdsWholeTensor(caller, source))
    return diags
        .report(DiagId::ArgumentNotScalar, source.range,
                {argument.param->name.text, call.text})
        .note(DiagId::DeclaredHere, argument.param->name.range,
              {argument.param->name.text});
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
  StatementChecker(caller, statement).check();
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
      return inCaller().reportUnknown(source);
    if (failed(inCaller().checkReadable(*tensor, source)))
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
    FailureOr<TensorId> id = StatementChecker(caller, target).checkTarget();
    if (failed(id))
      return failure();
    for (const Result &other : results)
      if (other.target == *id)
        return diags.report(DiagId::TargetTwice, target.target.range,
                            {target.target.text});
    result.target = *id;
    result.range = target.target.range;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Tensors and statements
//===----------------------------------------------------------------------===//

TensorId CallChecker::addTemporary(StringRef name, std::vector<Affine> dims,
                                   ElementType type, SourceRange range) {
  Tensor tensor = {builder.makeUnique(call.text + "_" + name.str()), type,
                   TensorRole::Temporary, std::move(dims), range};
  TensorId id(builder.def.tensors.size());
  builder.def.tensors.push_back(std::move(tensor));
  builder.states.push_back({});
  return id;
}

LogicalResult CallChecker::copyTensor(TensorId target, TokenKind op,
                                      TensorId from, SourceRange range,
                                      bool isCast) {
  ast::Statement statement;
  statement.op = op;
  statement.opRange = statement.range = range;
  statement.target = {".target", range};
  statement.subscripts.emplace();
  std::vector<ast::ExprPtr> subscripts;
  for (size_t i = 0, e = builder.def[from].dims.size(); i != e; ++i) {
    std::string index = "i" + std::to_string(i);
    statement.subscripts->push_back(
        ast::makeName(index, range, /*isLabel=*/true));
    subscripts.push_back(ast::makeName(index, range, /*isLabel=*/true));
  }
  statement.value =
      ast::makeCall({".from", range}, range, std::move(subscripts));
  if (isCast) {
    std::vector<ast::ExprPtr> operands;
    operands.push_back(std::move(statement.value));
    ElementType type = builder.def[target].type;
    statement.value = ast::makeCall({getSpelling(type).str(), range}, range,
                                    std::move(operands));
  }
  DefScope names(builder);
  names.isImplicit = true;
  names.tensors[".target"] = target;
  names.tensors[".from"] = from;
  size_t numErrors = diags.getNumErrors();
  StatementChecker(names, statement).check();
  return success(diags.getNumErrors() == numErrors);
}

/// What has another type than its parameter is converted before the call.
LogicalResult CallChecker::convertArguments() {
  for (Argument &argument : arguments) {
    const ast::Param &param = *argument.param;
    FailureOr<ElementType> type = scope.resolveElementType(param.type->element);
    if (failed(type))
      return failure();
    if (argument.constant) {
      argument.constant->type = *type;
      if (failed(scope.checkValues(*argument.constant)))
        return failure();
      scope.constants.try_emplace(param.name.text, *argument.constant);
      continue;
    }
    const Tensor &given = builder.def[*argument.tensor];
    TensorId id = *argument.tensor;
    if (given.type != *type) {
      if (!fits(given.type, *type))
        return diags
            .report(DiagId::ArgumentType, argument.source->range,
                    {given.name, getSpelling(given.type).str(), param.name.text,
                     call.text, getSpelling(*type).str()})
            .note(DiagId::DeclaredHere, param.name.range, {param.name.text});
      id = addTemporary(param.name.text, given.dims, *type,
                        argument.source->range);
      if (failed(copyTensor(id, TokenKind::Assign, *argument.tensor,
                            argument.source->range)))
        return failure();
    }
    scope.tensors[param.name.text] = id;
    scope.roles[id] = TensorRole::Input;
  }
  return success();
}

LogicalResult CallChecker::declareResults() {
  for (Result &result : results) {
    const ast::Param &param = *result.param;
    std::optional<ElementType> type;
    std::vector<Affine> dims;
    if (param.type) {
      FailureOr<ElementType> resolved =
          scope.resolveElementType(param.type->element);
      if (failed(resolved))
        return failure();
      type = *resolved;
      for (const ast::ExprPtr &source : param.type->dims) {
        FailureOr<Affine> dim = scope.lowerAffine(
            *source, "dim", [&](const ast::Expr &name) -> FailureOr<Affine> {
              return scope.symbols.find(name.text)->second;
            });
        if (failed(dim))
          return failure();
        dims.push_back(*dim);
      }
    }
    // What the callee reads must not be what it writes.
    bool isDirect = result.target && op == TokenKind::Assign &&
                    llvm::none_of(arguments, [&](const Argument &argument) {
                      return argument.tensor == result.target;
                    });
    if (result.target) {
      Tensor &target = builder.def.tensors[result.target->value];
      TensorState &state = caller[*result.target];
      isDirect &= !type || !state.hasType || target.type == *type;
      if (isDirect && type) {
        // As good as written beside it.
        target.isInferred = false;
        if (!state.hasType)
          target.type = *type;
        if (!state.hasShape)
          target.dims = dims;
        bool isNew = !state.hasShape;
        state.hasType = state.hasShape = true;
        if (isNew && failed(scope.checkDims(target, param.type->dims)))
          return failure();
      }
      if (param.isInOut && !caller.isWritten(*result.target))
        return diags
            .report(DiagId::CallNeedsValue, result.range,
                    {target.name, param.name.text, call.text})
            .note(DiagId::DeclaredHere, param.name.range, {param.name.text});
    } else if (param.isInOut) {
      return diags.report(DiagId::CallNeedsValue, call.range,
                          {call.text, param.name.text, call.text});
    }
    if (isDirect) {
      result.written = *result.target;
    } else {
      result.written =
          addTemporary(param.name.text, std::move(dims),
                       type.value_or(ElementType::F32), result.range);
      TensorState &state = builder.states[result.written.value];
      state.hasType = state.hasShape = type.has_value();
      if (type && failed(scope.checkDims(builder.def[result.written],
                                         param.type->dims)))
        return failure();
      if (param.isInOut && failed(copyTensor(result.written, TokenKind::Assign,
                                             *result.target, result.range)))
        return failure();
    }
    scope.tensors[param.name.text] = result.written;
    scope.roles[result.written] =
        param.isInOut ? TensorRole::InOut : TensorRole::Output;
    if (!param.isInOut)
      scope.pendingResults.insert(result.written);
  }
  return success();
}

LogicalResult CallChecker::checkBody() {
  DiagnosticContext context(diags, DiagId::CalledFromHere, call.nameRange,
                            {call.text});
  callee->isActive = true;
  ++builder.callDepth;
  scope_exit leave([&] {
    callee->isActive = false;
    --builder.callDepth;
  });
  size_t numErrors = diags.getNumErrors();
  size_t firstStatement = builder.def.statements.size();
  for (const ast::Statement &statement : def->statements)
    scope.addTargets(statement);
  for (const ast::Statement &statement : def->statements) {
    if (diags.isFull())
      return failure();
    if (builder.def.statements.size() >= maxStatements)
      return diags.report(DiagId::CallTooLarge, call.nameRange,
                          {std::to_string(maxStatements)});
    StatementChecker(scope, statement).check();
  }
  for (const Result &result : results)
    if (!scope.targets.count(result.param->name.text))
      return diags.report(DiagId::ResultNotWritten, result.param->name.range,
                          {result.param->name.text});
  if (diags.getNumErrors() != numErrors)
    return failure();
  if (callee->isPrelude && builder.def.statements.size() > firstStatement)
    builder.def.statements[firstStatement].namedOp =
        makeNamedOp(builder.def.statements.size() - firstStatement);
  return success();
}

NamedOp CallChecker::makeNamedOp(size_t numStatements) const {
  NamedOp op;
  op.name = def->name.text;
  op.numStatements = numStatements;
  for (const Argument &argument : arguments) {
    op.inputs.emplace_back();
    if (argument.tensor) {
      op.inputs.back().tensor =
          scope.tensors.find(argument.param->name.text)->second;
      continue;
    }
    const Constant::Value &value = argument.constant->values.front();
    op.inputs.back().literal = (value.isNegated ? "-" : "") + value.digits;
  }
  for (const ast::Generic &generic : def->generics)
    op.generics.push_back(
        {generic.name.text, scope.generics.find(generic.name.text)->second});
  for (const ast::Attribute &attribute : def->attributes) {
    op.attributes.push_back({attribute.name.text, {}, ""});
    auto function = scope.functions.find(attribute.name.text);
    if (function != scope.functions.end())
      op.attributes.back().function = function->second.spelling.value_or("");
    auto constant = scope.constants.find(attribute.name.text);
    if (constant == scope.constants.end())
      continue;
    for (const Constant::Value &value : constant->second.values) {
      int64_t integer = 0;
      if (!StringRef((value.isNegated ? "-" : "") + value.digits)
               .getAsInteger(10, integer))
        op.attributes.back().values.push_back(integer);
    }
  }
  if (isElementwise()) {
    op.attributes.push_back({"kind", {}, op.name});
    op.name = call.text;
  }
  return op;
}

LogicalResult CallChecker::finishResults() {
  for (const Result &result : results) {
    if (builder.states[result.written.value].isBroken)
      return failure();
    if (!result.target)
      continue;
    if (result.written != *result.target) {
      const Tensor &from = builder.def[result.written];
      const Tensor &target = builder.def[*result.target];
      const TensorState &state = caller[*result.target];
      // The accumulator of a named op is narrowed as that of any statement.
      bool isNarrowed = state.hasType && !fits(from.type, target.type);
      if (isNarrowed &&
          !(callee->isPrelude &&
            getUnsigned(getAccumulator(target.type)) == getUnsigned(from.type)))
        return diags
            .report(DiagId::CallResultType, result.range,
                    {target.name, getSpelling(target.type).str(),
                     result.param->name.text, call.text,
                     getSpelling(from.type).str()})
            .note(DiagId::DeclaredHere, result.param->name.range,
                  {result.param->name.text});
      if (failed(copyTensor(*result.target, op, result.written, result.range,
                            isNarrowed)))
        return failure();
    }
    caller.pendingResults.erase(*result.target);
  }
  return success();
}

} // namespace ein
