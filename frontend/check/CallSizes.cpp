//===- CallSizes.cpp - Calls of defs: types, attributes and sizes ---------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every dim of the callee's signature is an equation between what it declares,
// linear in its sizes, and what the argument or the target has, linear in the
// caller's. A size that is a dim of its own is solved by that, by arguments
// before targets; all its other such dims must agree. Only then do compound
// dims count, and only for what is still unknown: the largest integer fits.
//
//===----------------------------------------------------------------------===//

#include "frontend/check/Call.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein {

//===----------------------------------------------------------------------===//
// Generics
//===----------------------------------------------------------------------===//

/// Whether anything is accumulated, in the type of the result.
static bool reduces(const ast::Def &def) {
  return llvm::any_of(def.statements, [](const ast::Statement &statement) {
    return statement.op != TokenKind::Assign;
  });
}

/// An elementwise op computes in the type of what it writes, if that is wider
/// than its operands', as a statement would.
ElementType CallChecker::widenToTarget(StringRef generic, ElementType type) {
  if (!callee->isPrelude || reduces(*def))
    return type;
  for (const Result &result : results)
    if (result.target && caller[*result.target].hasType && result.param->type &&
        result.param->type->element.text == generic &&
        fits(type, builder.def[*result.target].type))
      type = builder.def[*result.target].type;
  return type;
}

/// Said by name, else of arguments, else of targets, else the default.
LogicalResult CallChecker::solveGenerics() {
  SmallVector<ElementType> argumentTypes;
  for (const Argument &argument : arguments)
    if (argument.type)
      argumentTypes.push_back(*argument.type);
  for (const ast::Generic &generic : def->generics) {
    const std::string &name = generic.name.text;
    std::optional<ElementType> type;
    for (const ast::NamedArgument *named : namedAttributes)
      if (named->name.text == name) {
        FailureOr<ElementType> given = caller.resolveElementType(
            {named->value->text, named->value->range});
        if (failed(given))
          return failure();
        type = *given;
      }
    SmallVector<ElementType> types;
    const Argument *last = nullptr;
    for (const Argument &argument : arguments) {
      if (type || !argument.type || argument.param->type->element.text != name)
        continue;
      types.push_back(*argument.type);
      if (!joinTypes(types))
        return diags
            .report(DiagId::ArgumentTypes, argument.source->range,
                    {name, call.text, getSpelling(types.front()).str(),
                     getSpelling(*argument.type).str()})
            .note(DiagId::FirstHere, last->source->range);
      last = last ? last : &argument;
    }
    if (!types.empty())
      type = widenToTarget(name, *joinTypes(types));
    for (const Result &result : results)
      if (!type && result.target && caller[*result.target].hasType &&
          result.param->type && result.param->type->element.text == name)
        type = callee->isPrelude && reduces(*def)
                   ? getAccumulator(builder.def[*result.target].type)
                   : builder.def[*result.target].type;
    if (!type && generic.defaultType) {
      FailureOr<ElementType> given =
          scope.resolveElementType(*generic.defaultType);
      if (failed(given))
        return failure();
      type = *given;
    }
    if (!type && !argumentTypes.empty())
      if (std::optional<ElementType> joined = joinTypes(argumentTypes))
        type = getAccumulator(*joined);
    // What a pooling of integers without signs yields has none.
    bool isUnsigned = callee->isPrelude && name == "U" &&
                      StringRef(def->name.text).ends_with("_unsigned");
    if (isUnsigned && type)
      type = getUnsigned(*type);
    scope.generics.try_emplace(name, type.value_or(caller.options.defaultType));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// A number, a list of numbers, or an attribute of the caller.
FailureOr<std::vector<Constant::Value>>
CallChecker::evaluateAttribute(const ast::Expr &value) {
  std::vector<Constant::Value> values;
  if (value.kind == ast::Expr::Kind::List) {
    for (const ast::ExprPtr &element : value.operands) {
      FailureOr<std::vector<Constant::Value>> one = evaluateAttribute(*element);
      if (failed(one))
        return failure();
      llvm::append_range(values, *one);
    }
    return values;
  }
  if (std::optional<Constant> constant = findConstant(value))
    return constant->values;
  return diags.report(DiagId::ArgumentNotConstant, value.range);
}

LogicalResult CallChecker::declareAttributes() {
  auto makeNumber = [](const Constant::Value &value, SourceRange range) {
    auto number = ast::makeNumber(0, range);
    number->text = value.digits;
    if (!value.isNegated)
      return number;
    auto negation = std::make_unique<ast::Expr>();
    negation->kind = ast::Expr::Kind::Unary;
    negation->op = TokenKind::Minus;
    negation->range = range;
    negation->operands.push_back(std::move(number));
    return negation;
  };
  for (const ast::Attribute &attribute : def->attributes) {
    ast::Attribute given;
    given.name = attribute.name;
    given.isOptional = attribute.isOptional;
    given.element = attribute.element;
    given.length = attribute.length;
    given.range = attribute.range;
    for (const ast::ExprPtr &value : attribute.values)
      given.values.push_back(ast::clone(*value));
    given.function = attribute.function;
    bool isFunction = StringRef(attribute.element.text).ends_with("_fn");
    for (const ast::NamedArgument *named : namedAttributes) {
      if (named->name.text != attribute.name.text)
        continue;
      if (isFunction) {
        given.function = ast::Name{named->value->text, named->value->range};
        continue;
      }
      FailureOr<std::vector<Constant::Value>> values =
          evaluateAttribute(*named->value);
      if (failed(values))
        return failure();
      given.values.clear();
      given.range = named->value->range;
      for (const Constant::Value &value : *values)
        given.values.push_back(makeNumber(value, given.range));
    }
    size_t numErrors = diags.getNumErrors();
    scope.declareAttribute(given);
    if (diags.getNumErrors() != numErrors)
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// With what is known by now.
Affine CallChecker::substitute(const Affine &expr) const {
  size_t first = firstUnknown;
  Affine result(expr.getConstant());
  for (const Affine::SymbolTerm &term : expr.getSymbolTerms()) {
    bool isKnown = static_cast<size_t>(term.id.value) < first ||
                   values[term.id.value - first];
    const Affine value = static_cast<size_t>(term.id.value) < first || !isKnown
                             ? Affine(term.id)
                             : *values[term.id.value - first];
    result = result + value * term.coefficient;
  }
  return result;
}

/// If nothing is known of the tensor (no id), its sizes have to be found all
/// the same.
LogicalResult CallChecker::addEquations(const ast::Param &param, TensorId id,
                                        bool isTarget, SourceRange range) {
  for (auto [i, source] : llvm::enumerate(param.type->dims)) {
    DiagnosticContext context(diags, DiagId::CalledFromHere, call.nameRange,
                              {call.text});
    auto multiply = [&](const Affine &lhs, const Affine &rhs,
                        const ast::Expr &expr) {
      return multiplyUnknowns(lhs, rhs, expr);
    };
    auto resolve = [&](const ast::Expr &name) -> FailureOr<Affine> {
      size_t first = firstUnknown;
      for (auto [position, unknown] : llvm::enumerate(unknowns))
        if (unknown.text == name.text)
          return Affine(SymbolId(first + position));
      unknowns.push_back({name.text, name.range});
      values.emplace_back();
      return Affine(SymbolId(first + unknowns.size() - 1));
    };
    auto divide = [&](const Affine &numerator, int64_t divisor,
                      const ast::Expr &expr) {
      return divideUnknown(numerator, divisor, expr);
    };
    auto minimize = [&](ArrayRef<Affine> operands, const ast::Expr &expr) {
      return minimizeUnknowns(operands, expr);
    };
    DefScope::Arithmetic arithmetic = {multiply, divide, minimize};
    FailureOr<Affine> declared =
        scope.lowerAffine(*source, "dim", resolve, &arithmetic);
    if (failed(declared))
      return failure();
    if (!id.isValid())
      continue;
    const Tensor &tensor = builder.def[id];
    equations.push_back(
        {source.get(), *declared, tensor.dims[i], isTarget,
         "dim " + std::to_string(i) + " of `" + tensor.name + "`",
         param.name.text, range});
  }
  return success();
}

LogicalResult CallChecker::collectEquations() {
  // `A.0` is of the argument.
  for (const Argument &argument : arguments)
    if (argument.tensor)
      scope.tensors[argument.param->name.text] = *argument.tensor;
    else
      scope.constants.try_emplace(argument.param->name.text,
                                  *argument.constant);
  for (const Argument &argument : arguments)
    if (argument.tensor &&
        failed(addEquations(*argument.param, *argument.tensor,
                            /*isTarget=*/false, argument.source->range)))
      return failure();
  for (const Result &result : results) {
    if (!result.param->type)
      continue;
    bool hasShape = result.target && caller[*result.target].hasShape;
    size_t rank = result.param->type->dims.size();
    if (hasShape && builder.def[*result.target].dims.size() != rank)
      return diags
          .report(DiagId::CallResultRank, result.range,
                  {builder.def[*result.target].name,
                   std::to_string(builder.def[*result.target].dims.size()),
                   result.param->name.text, call.text, std::to_string(rank)})
          .note(DiagId::DeclaredHere, result.param->name.range,
                {result.param->name.text});
    if (failed(addEquations(*result.param,
                            hasShape ? *result.target : TensorId(),
                            /*isTarget=*/true, result.range)))
      return failure();
  }
  // They get their types when these are known.
  for (const Argument &argument : arguments)
    if (argument.constant)
      scope.constants.erase(argument.param->name.text);
  return success();
}

/// `actual == value`, now or when the code runs.
LogicalResult CallChecker::requireEqual(const Equation &equation,
                                        const Affine &value) {
  Affine difference = equation.actual - value;
  if (difference.hasOverflowed())
    return diags.report(DiagId::ArithmeticOverflow, equation.range);
  if (difference == Affine(0))
    return success();
  if (isNeverZero(builder.def, difference)) {
    DiagnosticBuilder report =
        diags.report(DiagId::CallDim, equation.range,
                     {equation.what, describe(builder.def, equation.actual),
                      call.text, describe(builder.def, value)});
    bool isPack = relayout && !relayout->unpacks && !relayout->hasPadding;
    return isPack ? report.note(DiagId::RelayoutPadding, call.nameRange)
                  : report.note(DiagId::DeclaredHere, equation.dim->range,
                                {equation.name});
  }
  scope.checks.add({SizeCheck::Equal,
                    difference,
                    {},
                    equation.what + ": " +
                        describe(builder.def, equation.actual) + ", where `" +
                        call.text + "` takes " + describe(builder.def, value),
                    equation.range});
  return success();
}

/// Of dims that are one size each, the first says what it is.
LogicalResult CallChecker::solveSimple(bool ofTargets) {
  size_t first = firstUnknown;
  LogicalResult result = success();
  for (const Equation &equation : equations) {
    std::optional<SymbolId> symbol = equation.declared.getSingleSymbol();
    if (equation.isTarget != ofTargets || !symbol ||
        static_cast<size_t>(symbol->value) < first || isComputed(*symbol))
      continue;
    std::optional<Affine> &value = values[symbol->value - first];
    if (!value)
      value = equation.actual;
    else if (failed(requireEqual(equation, *value)))
      result = failure();
  }
  return result;
}

/// Whether anything was found.
FailureOr<bool> CallChecker::solveCompound(bool ofTargets) {
  size_t first = firstUnknown;
  bool found = false, progress = true;
  while (progress) {
    progress = false;
    for (const Equation &equation : equations) {
      if (equation.isTarget != ofTargets)
        continue;
      Affine declared = substitute(equation.declared);
      std::optional<Affine::SymbolTerm> unknown;
      size_t numUnknown = 0;
      for (const Affine::SymbolTerm &term : declared.getSymbolTerms())
        if (static_cast<size_t>(term.id.value) >= first) {
          unknown = term;
          ++numUnknown;
        }
      if (numUnknown != 1 || unknown->coefficient < 0 ||
          isComputed(unknown->id))
        continue;
      Affine rest = equation.actual - declared +
                    Affine(unknown->id) * unknown->coefficient;
      const ast::Name &name = unknowns[unknown->id.value - first];
      if (rest.hasOverflowed())
        return diags.report(DiagId::ArithmeticOverflow, equation.range);
      Affine value =
          scope.checks.divide(rest, unknown->coefficient, equation.range);
      if (isNegative(value))
        return diags
            .report(DiagId::CallSizeNegative, equation.range,
                    {name.text, call.text, describe(builder.def, value)})
            .note(DiagId::DeclaredHere, name.range, {name.text});
      scope.checks.addExtent(value,
                             "size `" + name.text + "` of `" + call.text +
                                 "` from " + equation.what,
                             equation.range);
      values[unknown->id.value - first] = value;
      found = progress = true;
    }
  }
  return found;
}

/// Dims in which nothing is open, as `A: f32(3)`.
LogicalResult CallChecker::checkFixedDims() {
  LogicalResult result = success();
  for (const Equation &equation : equations)
    if (!hasUnknowns(equation.declared) &&
        failed(requireEqual(equation, equation.declared)))
      result = failure();
  return result;
}

/// `M = 3` among the arguments says what a size is.
LogicalResult CallChecker::takeNamedSizes() {
  auto take = [&](StringRef name, const ast::Expr &source) -> LogicalResult {
    for (auto [unknown, value] : llvm::zip(unknowns, values)) {
      if (unknown.text != name)
        continue;
      FailureOr<Affine> given = caller.lowerSize(source);
      if (failed(given))
        return failure();
      if (isNegative(*given))
        return diags.report(
            DiagId::CallSizeNegative, source.range,
            {unknown.text, call.text, describe(builder.def, *given)});
      value = *given;
    }
    return success();
  };
  for (const ast::NamedArgument *named : namedAttributes) {
    if (failed(take(named->name.text, *named->value)))
      return failure();
    if (named->name.text != "shape")
      continue;
    bool isList = named->value->kind == ast::Expr::Kind::List;
    size_t numSizes = isList ? named->value->operands.size() : 1;
    for (size_t i = 0; i != numSizes; ++i)
      if (failed(take(relayout ? "S" + std::to_string(i) : getOpenSizeName(i),
                      isList ? *named->value->operands[i] : *named->value)))
        return failure();
  }
  return success();
}

LogicalResult CallChecker::reportUnknownSize(const ast::Name &unknown) {
  DiagnosticBuilder report = diags.report(
      DiagId::CallSizeUnknown, call.nameRange, {unknown.text, call.text});
  report.note(DiagId::DeclaredHere, unknown.range, {unknown.text});
  for (const UnknownComputed &computed : unknownComputed) {
    const ast::Name &name = unknowns[computed.position];
    bool isIn = llvm::any_of(computed.operands, [&](const Affine &operand) {
      return llvm::any_of(operand.getSymbolTerms(), [&](const auto &term) {
        size_t position = static_cast<size_t>(term.id.value);
        return position >= firstUnknown &&
               unknowns[position - firstUnknown].text == unknown.text;
      });
    });
    if (isIn)
      report.note(DiagId::CallSizeComputed, name.range, {name.text});
  }
  return report;
}

LogicalResult CallChecker::solveSizes() {
  if (failed(collectEquations()) || failed(checkFixedDims()) ||
      failed(takeNamedSizes()) || failed(solveSimple(/*ofTargets=*/false)) ||
      failed(solveSimple(/*ofTargets=*/true)))
    return failure();
  bool progress = true;
  while (progress) {
    FailureOr<bool> products = solveProducts();
    FailureOr<bool> computed = failed(products) ? products : solveComputed();
    if (failed(computed))
      return failure();
    FailureOr<bool> arguments = solveCompound(/*ofTargets=*/false);
    FailureOr<bool> targets = solveCompound(/*ofTargets=*/true);
    if (failed(arguments) || failed(targets))
      return failure();
    progress = *products || *computed || *arguments || *targets;
  }
  for (auto [unknown, value] : llvm::zip(unknowns, values)) {
    if (!value && relayout)
      value = countTiles(unknown.text);
    if (!value)
      return reportUnknownSize(unknown);
    scope.symbols.try_emplace(unknown.text, *value);
  }
  if (failed(checkProducts()))
    return failure();
  // A compound dim of a target is no source, but a claim; so is what follows
  // from the sizes, wherever it is.
  LogicalResult result = relayout ? checkTiles() : success();
  size_t first = firstUnknown;
  for (const Equation &equation : equations) {
    std::optional<SymbolId> symbol = equation.declared.getSingleSymbol();
    bool isSimple = symbol && static_cast<size_t>(symbol->value) >= first &&
                    !isComputed(*symbol);
    bool isClaim =
        equation.isTarget || relayout || hasComputed(equation.declared);
    if (isClaim && !isSimple &&
        failed(requireEqual(equation, substitute(equation.declared))))
      result = failure();
  }
  return result;
}

} // namespace ein
