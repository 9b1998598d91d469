//===- ScopeConstants.cpp - What is decided when a def is bound -----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Generics, attributes and bound scalars are constants: they are gone when a
// def has been checked. An attribute that nobody gave a value is complained of
// where it is used, since a def may do without an optional one.
//
//===----------------------------------------------------------------------===//

#include "frontend/check/Scope.h"
#include "frontend/source/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace ein {

/// digits [. digits] [e [sign] digits], as a literal is written.
static bool isNumber(StringRef text) {
  size_t numDigits = 0;
  auto skipDigits = [&] {
    size_t length = text.take_while(isDigit).size();
    text = text.drop_front(length);
    numDigits += length;
    return length != 0;
  };
  skipDigits();
  if (text.consume_front("."))
    skipDigits();
  if (numDigits == 0)
    return false;
  if (!text.consume_front_insensitive("e"))
    return text.empty();
  if (!text.consume_front("+"))
    text.consume_front("-");
  return skipDigits() && text.empty();
}

bool parseBindings(StringRef text, CheckOptions &check, std::string &error) {
  SmallVector<StringRef> items;
  text.split(items, ',');
  for (StringRef item : items) {
    StringRef name, value;
    std::tie(name, value) = item.split('=');
    int64_t integer = 0;
    StringRef magnitude = value;
    bool isNegative = magnitude.consume_front("-");
    // -0 is a number of its own.
    bool isInteger = llvm::all_of(magnitude, isDigit) &&
                     !value.getAsInteger(10, integer) &&
                     !(isNegative && integer == 0);
    if (name.empty() || !(isNumber(magnitude) || parseElementType(value) ||
                          opdsl::isFunctionName(value))) {
      error = "expected NAME=VALUE with a number, an element type or a "
              "function, not `" +
              item.str() + "`";
      return false;
    }
    auto clash = [&](const std::string &other) {
      error = "`" + name.str() + "` is both " + other + " and " + value.str();
      return false;
    };
    auto bound = check.bindings.find(name.str());
    if (bound != check.bindings.end() &&
        !(isInteger && bound->second == integer))
      return clash(std::to_string(bound->second));
    auto constant = check.constants.find(name.str());
    if (constant != check.constants.end() && constant->second != value)
      return clash(constant->second);
    if (isInteger)
      check.bindings.try_emplace(name.str(), integer);
    else
      check.constants.try_emplace(name.str(), value.str());
  }
  return true;
}

std::optional<std::string> DefScope::getBinding(StringRef name) const {
  if (isCalled())
    return std::nullopt;
  auto integer = options.bindings.find(name.str());
  if (integer != options.bindings.end())
    return std::to_string(integer->second);
  auto other = options.constants.find(name.str());
  if (other != options.constants.end())
    return other->second;
  return std::nullopt;
}

std::optional<StringRef> DefScope::getConstantNoun(StringRef name) const {
  if (constants.count(name))
    return StringRef("a constant");
  if (!isImplicit && symbols.count(name))
    return StringRef("a size");
  return std::nullopt;
}

GenericId DefScope::findGeneric(StringRef name) const {
  if (isCalled())
    return GenericId(); // a call has bound them all
  auto found = llvm::find(def.generics, name);
  if (found == def.generics.end())
    return GenericId();
  return GenericId(found - def.generics.begin());
}

void DefScope::declareGeneric(const ast::Generic &generic) {
  const ast::Name &name = generic.name;
  if (parseElementType(name.text)) {
    diags.report(DiagId::GenericIsType, name.range, {name.text});
    return;
  }
  ElementType type = options.defaultType;
  if (std::optional<std::string> binding = getBinding(name.text)) {
    std::optional<ElementType> bound = parseElementType(*binding);
    if (!bound)
      diags.report(DiagId::GenericBinding, name.range, {name.text, *binding});
    type = bound.value_or(type);
  } else if (generic.defaultType) {
    // A default may be a generic that came before.
    FailureOr<ElementType> given = resolveElementType(*generic.defaultType);
    type = succeeded(given) ? *given : type;
  }
  if (!generics.try_emplace(name.text, type).second)
    diags.report(DiagId::DuplicateName, name.range, {name.text});
  else if (type == options.defaultType && !getBinding(name.text))
    def.generics.push_back(name.text);
}

/// A number with an optional `-`; nothing if it is none.
static std::optional<Constant::Value> parseValue(StringRef text) {
  Constant::Value value;
  value.isNegated = text.consume_front("-");
  if (!isNumber(text))
    return std::nullopt;
  value.digits = text.str();
  return value;
}

/// `--bind` before the default; of a list also element by element.
LogicalResult DefScope::bindConstant(StringRef name, Constant &constant) {
  auto take = [&](StringRef key) -> FailureOr<std::optional<Constant::Value>> {
    std::optional<std::string> binding = getBinding(key);
    if (!binding)
      return std::optional<Constant::Value>();
    if (std::optional<Constant::Value> value = parseValue(*binding))
      return value;
    return diags.report(
        DiagId::ConstantBinding, constant.range,
        {key.str(), getSpelling(constant.type).str(), *binding});
  };
  size_t length = constant.length.value_or(1);
  FailureOr<std::optional<Constant::Value>> all = take(name);
  if (failed(all))
    return failure();
  if (*all)
    constant.values.assign(length, **all);
  if (!constant.length)
    return success();
  size_t numGiven = 0;
  std::vector<Constant::Value> values = constant.values;
  values.resize(length);
  for (size_t i = 0; i < length; ++i) {
    FailureOr<std::optional<Constant::Value>> one =
        take((name + "." + Twine(i)).str());
    if (failed(one))
      return failure();
    if (*one)
      values[i] = **one;
    numGiven += one->has_value();
  }
  if (!constant.values.empty() || numGiven == length)
    constant.values = std::move(values);
  return success();
}

/// Integers have integers for values; ranges are looked at where one is used.
LogicalResult DefScope::checkValues(const Constant &constant) {
  for (const Constant::Value &value : constant.values) {
    bool isGood = isFloat(getPartType(constant.type))
                      ? isNumber(value.digits)
                      : llvm::all_of(value.digits, isDigit);
    if (!isGood)
      return diags.report(DiagId::LiteralNotInteger, constant.range,
                          {value.digits, getSpelling(constant.type).str()});
  }
  return success();
}

/// OpDSL's names, and the language's own.
static std::optional<std::string> findFunction(opdsl::FunctionKind kind,
                                               StringRef name) {
  if (std::optional<StringRef> spelling = opdsl::findSpelling(kind, name))
    return spelling->str();
  if (opdsl::findName(kind, name))
    return name.str();
  return std::nullopt;
}

void DefScope::declareFunction(const ast::Attribute &attribute,
                               opdsl::FunctionKind kind) {
  const ast::Name &name = attribute.name;
  std::string noun = (opdsl::getName(kind) + " function").str();
  FunctionConstant function = {kind, std::nullopt, name.range};
  if (std::optional<std::string> binding = getBinding(name.text)) {
    function.spelling = findFunction(kind, *binding);
    if (!function.spelling)
      diags.report(DiagId::FunctionBinding, name.range,
                   {name.text, noun, *binding});
  } else if (attribute.function) {
    function.spelling = findFunction(kind, attribute.function->text);
    if (!function.spelling) {
      auto names = opdsl::getNames(kind);
      diags
          .report(DiagId::UnknownWord, attribute.function->range,
                  {attribute.function->text, noun})
          .didYouMean(attribute.function->range, attribute.function->text,
                      names);
    }
  }
  bool isGiven = attribute.function || getBinding(name.text);
  if (isGiven && !function.spelling) // complained of once
    function.spelling = findFunction(kind, opdsl::getNames(kind).front());
  if (generics.count(name.text) || constants.count(name.text) ||
      !functions.try_emplace(name.text, std::move(function)).second)
    diags.report(DiagId::DuplicateName, name.range, {name.text});
}

FailureOr<std::string> DefScope::resolveFunction(const ast::Name &name) {
  auto function = functions.find(name.text);
  if (function == functions.end())
    return name.text;
  if (function->second.spelling)
    return *function->second.spelling;
  return diags.report(DiagId::AttributeUnbound, name.range, {name.text})
      .note(DiagId::DeclaredHere, function->second.range, {name.text});
}

void DefScope::declareAttribute(const ast::Attribute &attribute) {
  const ast::Name &name = attribute.name;
  StringRef kindName = attribute.element.text;
  if (kindName.consume_back("_fn"))
    if (auto kind = opdsl::parseFunctionKind(kindName))
      return declareFunction(attribute, *kind);
  FailureOr<ElementType> type = resolveElementType(attribute.element);
  Constant constant;
  constant.type = succeeded(type) ? *type : ElementType::Index;
  constant.length = attribute.length;
  if (attribute.length == ast::anyLength)
    constant.length = std::max<size_t>(attribute.values.size(), 1);
  constant.range = name.range;
  for (const ast::ExprPtr &value : attribute.values) {
    bool isNegated = value->kind == ast::Expr::Kind::Unary;
    const ast::Expr &number = isNegated ? *value->operands[0] : *value;
    constant.values.push_back({number.text, isNegated});
  }
  // One number is as good as a list of as many as there are.
  constexpr int64_t maxLength = 64;
  size_t length = constant.length.value_or(1);
  if (constant.length && *constant.length > maxLength) {
    diags.report(DiagId::AttributeLength, name.range,
                 {name.text, count(length, "element"),
                  std::to_string(maxLength) + " are allowed"});
    return;
  }
  if (constant.length && constant.values.size() == 1)
    constant.values.resize(length, constant.values.front());
  if (!constant.values.empty() && constant.values.size() != length) {
    diags.report(DiagId::AttributeLength, attribute.range,
                 {name.text, count(length, "element"),
                  count(constant.values.size(), "value")});
    return;
  }
  if (failed(bindConstant(name.text, constant)) ||
      failed(checkValues(constant)))
    constant.values.assign(length, {"1"}); // complained of once
  if (generics.count(name.text) || functions.count(name.text) ||
      !constants.try_emplace(name.text, std::move(constant)).second)
    diags.report(DiagId::DuplicateName, name.range, {name.text});
}

bool DefScope::declareBoundScalar(const ast::Param &param) {
  if (!param.type || !param.type->dims.empty() || !getBinding(param.name.text))
    return false;
  FailureOr<ElementType> type = resolveElementType(param.type->element);
  if (failed(type))
    return true;
  Constant constant;
  constant.type = *type;
  constant.range = param.name.range;
  if (failed(bindConstant(param.name.text, constant)))
    constant.values = {{"1"}}; // complained of once
  if (!constants.try_emplace(param.name.text, std::move(constant)).second)
    diags.report(DiagId::DuplicateName, param.name.range, {param.name.text});
  return true;
}

FailureOr<Constant::Value> DefScope::getConstant(const Constant &constant,
                                                 const ast::Expr &expr) {
  if (constant.values.empty())
    return diags
        .report(isCalled() ? DiagId::AttributeNotGiven
                           : DiagId::AttributeUnbound,
                expr.nameRange, {expr.text})
        .note(DiagId::DeclaredHere, constant.range, {expr.text});
  std::string elements = count(constant.length.value_or(1), "element");
  size_t element = 0;
  if (expr.kind != ast::Expr::Kind::Element) {
    if (constant.length)
      return diags.report(DiagId::NeedsElement, expr.nameRange,
                          {expr.text, elements});
  } else if (StringRef(expr.operands[0]->text).getAsInteger(10, element) ||
             element >= constant.values.size()) {
    return diags.report(DiagId::NoSuchElement, expr.range,
                        {expr.text, elements, expr.operands[0]->text});
  }
  return constant.values[element];
}

FailureOr<Affine> DefScope::getAffineConstant(const Constant &constant,
                                              const ast::Expr &expr) {
  FailureOr<Constant::Value> value = getConstant(constant, expr);
  if (failed(value))
    return failure();
  int64_t integer;
  if (isFloat(constant.type) ||
      StringRef((value->isNegated ? "-" : "") + value->digits)
          .getAsInteger(10, integer))
    return diags.report(DiagId::NotAnInteger, expr.range, {"subscript or dim"});
  return Affine(integer);
}

FailureOr<Affine> DefScope::resolveElement(const ast::Expr &expr) {
  auto constant = constants.find(expr.text);
  if (constant != constants.end())
    return getAffineConstant(constant->second, expr);
  return getExtent(expr, *expr.operands[0]);
}

FailureOr<Affine> DefScope::resolveDim(const ast::Expr &expr) {
  if (expr.operands.size() != 2)
    return diags.report(DiagId::WrongArity, expr.nameRange,
                        {expr.text, count(2, "argument"),
                         std::to_string(expr.operands.size())});
  const ast::Expr &tensor = *expr.operands[0], &number = *expr.operands[1];
  if (tensor.kind != ast::Expr::Kind::Name)
    return diags.report(DiagId::ElementOfUnknown, tensor.range,
                        {"the first argument"});
  if (number.kind != ast::Expr::Kind::Number)
    return diags.report(DiagId::NotAnInteger, number.range, {"dim's number"});
  return getExtent(tensor, number);
}

const Affine *DefScope::findExtent(StringRef tensor, StringRef number) const {
  std::optional<TensorId> id = findTensor(tensor);
  size_t dim;
  if (!id || !states[id->value].hasShape || number.getAsInteger(10, dim) ||
      dim >= def[*id].dims.size())
    return nullptr;
  return &def[*id].dims[dim];
}

/// The extent of dim `number` of the tensor that `tensor` names.
FailureOr<Affine> DefScope::getExtent(const ast::Expr &tensor,
                                      const ast::Expr &number) {
  std::optional<TensorId> id = findTensor(tensor.text);
  if (!id)
    return diags.report(DiagId::ElementOfUnknown, tensor.nameRange,
                        {tensor.text});
  const TensorState &state = states[id->value];
  if (state.isBroken)
    return failure();
  if (!state.hasShape)
    return diags.report(DiagId::ReadBeforeWritten, tensor.nameRange,
                        {tensor.text});
  size_t dim;
  const Tensor &found = def[*id];
  if (StringRef(number.text).getAsInteger(10, dim) || dim >= found.dims.size())
    return diags
        .report(DiagId::NoSuchElement, number.range,
                {tensor.text, count(found.dims.size(), "dim"), number.text})
        .note(DiagId::DeclaredHere, found.range, {tensor.text});
  return found.dims[dim];
}

} // namespace ein
