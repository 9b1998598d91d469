//===- Sema.cpp - A tree to a checked program: defs and signatures --------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/SemaImpl.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace ein {

//===----------------------------------------------------------------------===//
// Names, types and dims
//===----------------------------------------------------------------------===//

TensorId DefScope::addTensor(Tensor tensor, TensorState state) {
  TensorId id(def.tensors.size());
  tensors.try_emplace(tensor.name, id);
  def.tensors.push_back(std::move(tensor));
  states.push_back(state);
  return id;
}

std::string DefScope::makeTemporaryName(const std::string &name) {
  unsigned &number = numTemporaries[name];
  while (true) {
    std::string candidate = ++number == 1 ? name : name + itostr(number);
    if (!getConstantNoun(candidate) && !tensors.contains(candidate) &&
        !symbols.contains(candidate) && !targets.contains(candidate))
      return candidate;
  }
}

std::optional<TensorId> DefScope::findTensor(StringRef name) const {
  auto found = tensors.find(name);
  if (found == tensors.end())
    return std::nullopt;
  return found->second;
}

Affine DefScope::getSize(SymbolId id) const {
  const Symbol &symbol = def[id];
  return symbol.bound ? Affine(*symbol.bound) : Affine(id);
}

Affine DefScope::addSymbol(const ast::Expr &name) {
  auto [entry, isNew] =
      symbols.try_emplace(name.text, SymbolId(def.symbols.size()));
  if (isNew) {
    Symbol symbol = {name.text, std::nullopt, name.range};
    auto binding = options.bindings.find(name.text);
    if (binding != options.bindings.end()) {
      if (binding->second >= 0)
        symbol.bound = binding->second;
      else
        diags.report(DiagId::NegativeBinding, {},
                     {name.text, std::to_string(binding->second)});
    }
    def.symbols.push_back(std::move(symbol));
  }
  return getSize(entry->second);
}

std::optional<ElementType> DefScope::findElementType(StringRef name) const {
  auto generic = generics.find(name);
  return generic != generics.end() ? generic->second : parseElementType(name);
}

FailureOr<ElementType> DefScope::resolveElementType(const ast::Name &name) {
  if (std::optional<ElementType> type = findElementType(name.text))
    return *type;
  DiagnosticBuilder builder =
      diags.report(DiagId::UnknownElementType, name.range, {name.text});
  static constexpr StringRef spellings[] = {
#define EIN_ELEMENT_TYPE(ENUM, SPELLING, CTYPE, KIND, BITS, NPY) SPELLING,
#define EIN_ELEMENT_ALIAS(ALIAS, ENUM) ALIAS,
#include "frontend/ElementTypes.def"
  };
  if (std::optional<StringRef> similar = findSimilarName(name.text, spellings))
    builder.note(DiagId::DidYouMean, name.range, {similar->str()})
        .fixIt(name.range, *similar);
  return builder;
}

/// Linear arithmetic: + and -, unary -, and * by something constant.
FailureOr<Affine> DefScope::lowerAffine(
    const ast::Expr &expr, StringRef what,
    function_ref<FailureOr<Affine>(const ast::Expr &)> resolve) {
  auto checkOverflow = [&](const Affine &value) -> FailureOr<Affine> {
    if (value.hasOverflowed())
      return diags.report(DiagId::ArithmeticOverflow, expr.range);
    return value;
  };
  switch (expr.kind) {
  case ast::Expr::Kind::Number: {
    int64_t value;
    if (expr.op != TokenKind::Integer)
      return diags.report(DiagId::NotAnInteger, expr.range, {what.str()});
    // It may say that it is of type index.
    StringRef digits = expr.text;
    digits.consume_back(getSpelling(ElementType::Index));
    if (digits.getAsInteger(10, value))
      return diags.report(DiagId::IntegerTooLarge, expr.range, {expr.text});
    return Affine(value);
  }
  case ast::Expr::Kind::Name:
    if (auto constant = constants.find(expr.text);
        constant != constants.end() && !expr.isLabel)
      return getAffineConstant(constant->second, expr);
    return resolve(expr);
  case ast::Expr::Kind::Element:
    return resolveElement(expr);
  case ast::Expr::Kind::Call:
    if (expr.text == "dim" && !findTensor("dim"))
      return resolveDim(expr);
    [[fallthrough]];
  case ast::Expr::Kind::Cast:
    return diags.report(DiagId::NotSupported, expr.range,
                        {"a " + what.str() + " with a call in it is"});
  case ast::Expr::Kind::Conditional:
    return diags.report(DiagId::NotLinear, expr.nameRange, {what.str()});
  case ast::Expr::Kind::String:
    return diags.report(DiagId::StringNotAllowed, expr.range);
  case ast::Expr::Kind::List:
    return diags.report(DiagId::NotSupported, expr.range, {"lists are"});
  case ast::Expr::Kind::Unary: {
    FailureOr<Affine> operand = lowerAffine(*expr.operands[0], what, resolve);
    if (failed(operand))
      return failure();
    return checkOverflow(*operand * -1);
  }
  case ast::Expr::Kind::Binary:
    break;
  }

  FailureOr<Affine> lhs = lowerAffine(*expr.operands[0], what, resolve);
  FailureOr<Affine> rhs = lowerAffine(*expr.operands[1], what, resolve);
  if (failed(lhs) || failed(rhs))
    return failure();
  if (expr.op == TokenKind::Plus)
    return checkOverflow(*lhs + *rhs);
  if (expr.op == TokenKind::Minus)
    return checkOverflow(*lhs - *rhs);
  if (expr.op == TokenKind::Star && rhs->isConstant())
    return checkOverflow(*lhs * rhs->getConstant());
  if (expr.op == TokenKind::Star && lhs->isConstant())
    return checkOverflow(*rhs * lhs->getConstant());
  return diags.report(DiagId::NotLinear, expr.nameRange, {what.str()});
}

LogicalResult DefScope::checkByteSize(const Tensor &tensor) {
  int64_t size = getBitWidth(tensor.type) / 8;
  bool overflowed = false;
  for (const Affine &dim : tensor.dims) {
    if (dim == Affine(0))
      return success();
    if (dim.isConstant())
      overflowed |=
          static_cast<bool>(MulOverflow(size, dim.getConstant(), size));
  }
  if (overflowed)
    return diags.report(DiagId::TensorTooLarge, tensor.range, {tensor.name});
  return success();
}

LogicalResult DefScope::checkDims(const Tensor &tensor,
                                  ArrayRef<ast::ExprPtr> sources) {
  LogicalResult result = success();
  for (size_t i = 0, e = tensor.dims.size(); i != e; ++i) {
    const Affine &dim = tensor.dims[i];
    if (isNegative(dim))
      result =
          diags.report(DiagId::NegativeDim, sources[i]->range,
                       {std::to_string(i), tensor.name, describe(def, dim)});
    else if (!isNonNegative(dim))
      checks.add({SizeCheck::NonNegativeExtent,
                  dim,
                  {},
                  "dim " + std::to_string(i) + " of `" + tensor.name + "`",
                  sources[i]->range});
  }
  if (failed(result))
    return failure();
  return checkByteSize(tensor);
}

//===----------------------------------------------------------------------===//
// Defs
//===----------------------------------------------------------------------===//

namespace {

class DefChecker {
public:
  DefChecker(const ast::Def &source, const CheckOptions &options,
             const StringSet<> &defNames, DiagnosticEngine &diags)
      : source(source), scope(options, diags), diags(diags) {
    scope.defNames = &defNames;
    scope.isImplicit = source.isImplicit;
  }

  Def check();

private:
  void declare(const ast::Param &param, bool isResult);
  void checkNames();
  void checkResults();

  const ast::Def &source;
  DefScope scope;
  DiagnosticEngine &diags;
};

/// What it returns counts only if no error was reported.
Def DefChecker::check() {
  scope.def.name = source.name.text;
  scope.def.range = source.name.range;
  for (const ast::Generic &generic : source.generics)
    scope.declareGeneric(generic);
  for (const ast::Attribute &attribute : source.attributes)
    scope.declareAttribute(attribute);
  // Dims may name scalars that come later.
  std::vector<const ast::Param *> params;
  for (const ast::Param &param : source.params)
    if (!scope.declareBoundScalar(param))
      params.push_back(&param);
  for (const ast::Param *param : params)
    declare(*param, /*isResult=*/false);
  for (const ast::Param &result : source.results)
    declare(result, /*isResult=*/true);
  checkNames();
  // Beyond this point, no symbol is added.

  for (const ast::Statement &statement : source.statements)
    scope.targets.try_emplace(statement.target.text, statement.target.range);
  for (const ast::Statement &statement : source.statements)
    if (!diags.isFull())
      StatementChecker(scope, statement).check();
  checkResults();
  return std::move(scope.def);
}

void DefChecker::declare(const ast::Param &param, bool isResult) {
  Tensor tensor = {param.name.text,
                   ElementType::F32,
                   TensorRole::Input,
                   {},
                   param.name.range,
                   /*isInferred=*/!param.type.has_value()};
  TensorState state;
  state.isWritten = !isResult || param.isInOut;
  state.hasShape = state.hasType = param.type.has_value();
  if (isResult)
    tensor.role = param.isInOut ? TensorRole::InOut : TensorRole::Output;

  if (std::optional<TensorId> other = scope.findTensor(param.name.text)) {
    diags.report(DiagId::DuplicateTensor, param.name.range, {param.name.text})
        .note(DiagId::FirstHere, scope.def[*other].range);
    return;
  }
  if (param.type) {
    FailureOr<ElementType> type = scope.resolveElementType(param.type->element);
    state.isBroken |= failed(type);
    tensor.type = succeeded(type) ? *type : ElementType::F32;
    tensor.generic = scope.findGeneric(param.type->element.text);
    for (const ast::ExprPtr &source : param.type->dims) {
      FailureOr<Affine> dim = scope.lowerAffine(
          *source, "dim", [&](const ast::Expr &name) -> FailureOr<Affine> {
            return scope.addSymbol(name);
          });
      state.isBroken |= failed(dim);
      if (succeeded(dim))
        tensor.dims.push_back(*dim);
    }
    if (!state.isBroken)
      state.isBroken |= failed(scope.checkDims(tensor, param.type->dims));
  }
  TensorId id = scope.addTensor(std::move(tensor), state);
  (isResult ? scope.def.results : scope.def.params).push_back(id);
}

/// A size and a tensor of one name could not both be arguments of the code.
void DefChecker::checkNames() {
  auto report = [&](const std::string &name, SourceRange range) {
    if (scope.generics.count(name) || scope.constants.count(name) ||
        scope.functions.count(name))
      diags.report(DiagId::DuplicateName, range, {name});
  };
  for (const Symbol &symbol : scope.def.symbols)
    report(symbol.name, symbol.range);
  for (const Tensor &tensor : scope.def.tensors)
    report(tensor.name, tensor.range);
  for (const Symbol &symbol : scope.def.symbols)
    if (std::optional<TensorId> tensor = scope.findTensor(symbol.name))
      diags.report(DiagId::SizeAndTensor, symbol.range, {symbol.name})
          .note(DiagId::DeclaredHere, scope.def[*tensor].range, {symbol.name});
}

void DefChecker::checkResults() {
  for (TensorId id : scope.def.results)
    if (!scope.targets.count(scope.def[id].name) && !scope[id].isBroken)
      diags.report(DiagId::ResultNotWritten, scope.def[id].range,
                   {scope.def[id].name});
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

/// What `--bind` may give a value to, besides sizes.
std::vector<StringRef> getBindableNames(const ast::Module &module) {
  std::vector<StringRef> names;
  for (const ast::Def &def : module.defs) {
    for (const ast::Generic &generic : def.generics)
      names.push_back(generic.name.text);
    for (const ast::Attribute &attribute : def.attributes)
      names.push_back(attribute.name.text);
    if (!def.anyRank.empty())
      names.push_back("rank");
    for (const ast::Param &param : def.params)
      if (param.type && param.type->dims.empty())
        names.push_back(param.name.text);
  }
  return names;
}

/// Every binding must be something of some def.
void checkBindings(const CheckOptions &options, const Program &program,
                   std::vector<StringRef> names, DiagnosticEngine &diags) {
  std::vector<StringRef> sizes;
  for (const Def &def : program.defs)
    for (const Symbol &symbol : def.symbols)
      sizes.push_back(symbol.name);
  auto report = [&](DiagId id, StringRef name) {
    DiagnosticBuilder builder = diags.report(id, {}, {name.str()});
    if (std::optional<StringRef> similar = findSimilarName(name, names))
      builder.note(DiagId::DidYouMean, {}, {similar->str()});
  };
  auto isKnown = [&](StringRef name) {
    return llvm::is_contained(names, name) ||
           llvm::is_contained(names, name.split('.').first);
  };
  for (const auto &[name, value] : options.constants) {
    if (llvm::is_contained(sizes, name))
      diags.report(DiagId::SizeNotInteger, {}, {name, value});
    else if (!isKnown(name))
      report(DiagId::UnknownBinding, name);
  }
  llvm::append_range(names, sizes);
  for (const auto &[name, value] : options.bindings)
    if (!isKnown(name))
      report(DiagId::UnknownBinding, name);
}

} // namespace

FailureOr<Program> check(ast::Module module, const CheckOptions &options,
                         DiagnosticEngine &diags) {
  bool isWhole = !diags.hasErrors();
  StringSet<> defNames;
  StringMap<SourceRange> firstDefs;
  for (const ast::Def &def : module.defs) {
    if (def.name.text.empty())
      continue; // complained of
    auto [first, isNew] = firstDefs.try_emplace(def.name.text, def.name.range);
    if (!isNew)
      diags.report(DiagId::DuplicateDef, def.name.range, {def.name.text})
          .note(DiagId::FirstHere, first->second);
    if (!def.isImplicit)
      defNames.insert(def.name.text);
  }

  Program program;
  for (ast::Def &def : module.defs) {
    if (def.isImplicit && !def.hasErrors)
      inferSignature(def, options, diags);
    expandRank(def, options, diags);
    isWhole &= !def.hasErrors;
    if (!def.hasErrors)
      program.defs.push_back(DefChecker(def, options, defNames, diags).check());
  }
  if (isWhole)
    checkBindings(options, program, getBindableNames(module), diags);
  if (!isWhole || diags.hasErrors())
    return failure();
  return program;
}

FailureOr<Program> parseProgram(const SourceFile &file,
                                const CheckOptions &options,
                                DiagnosticEngine &diags, SourceForm form) {
  return check(parseSource(file, form, diags), options, diags);
}

} // namespace ein
