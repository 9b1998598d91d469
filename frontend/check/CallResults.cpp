//===- CallResults.cpp - Calls of defs: results and statements ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/check/Builtins.h"
#include "frontend/check/Call.h"
#include "frontend/check/Statement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

using namespace llvm;

namespace ein {

/// What calls can make of a def: they could double at each level.
static constexpr size_t maxStatements = 20000;

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
  ein::checkStatement(names, statement);
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
  size_t firstExpr = builder.def.exprs.size();
  for (const ast::Statement &statement : def->statements)
    scope.addTargets(statement);
  for (const ast::Statement &statement : def->statements) {
    if (diags.isFull())
      return failure();
    if (builder.def.statements.size() >= maxStatements)
      return diags.report(DiagId::CallTooLarge, call.nameRange,
                          {std::to_string(maxStatements)});
    ein::checkStatement(scope, statement);
  }
  for (const Result &result : results)
    if (!scope.targets.count(result.param->name.text))
      return diags.report(DiagId::ResultNotWritten, result.param->name.range,
                          {result.param->name.text});
  if (diags.getNumErrors() != numErrors)
    return failure();
  if (!callee->isPrelude || builder.def.statements.size() == firstStatement)
    return success();
  // linalg has no cumulative sums.
  if (!isCumulative(def->name.text))
    builder.def.statements[firstStatement].namedOp =
        makeNamedOp(builder.def.statements.size() - firstStatement);
  // Nobody has written what einc's own def says: it is where it is called.
  for (Statement &statement :
       MutableArrayRef(builder.def.statements).drop_front(firstStatement)) {
    statement.range = call.range;
    for (Index &index : statement.indices)
      index.range = call.range;
  }
  for (Expr &expr : MutableArrayRef(builder.def.exprs).drop_front(firstExpr))
    expr.range = call.range;
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
