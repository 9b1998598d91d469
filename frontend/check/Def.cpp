//===- Def.cpp - One def: its signature and its results -------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/check/Def.h"
#include "frontend/check/Statement.h"
#include "llvm/ADT/STLExtras.h"
#include <functional>

using namespace llvm;

namespace ein {

namespace {

class DefChecker {
public:
  DefChecker(const ast::Def &source, const CheckOptions &options,
             Callees &callees, DiagnosticEngine &diags)
      : source(source), builder(options, callees, diags), scope(builder),
        diags(diags) {
    scope.isImplicit = source.isImplicit;
  }

  Def check();

private:
  void takeNames();
  void declare(const ast::Param &param, bool isResult);
  void checkNames();
  void checkResults();
  std::optional<TensorId> findUnread() const;
  void warnOfUnread() const;

  const ast::Def &source;
  DefBuilder builder;
  DefScope scope;
  DiagnosticEngine &diags;
};

/// What it returns counts only if no error was reported.
Def DefChecker::check() {
  scope.def.name = source.name.text;
  scope.def.range = source.name.range;
  scope.def.metadata.doc = source.docstring;
  if (source.ods) {
    scope.def.metadata.className = source.ods->name.text;
    for (const ast::Name &interface : source.ods->interfaces)
      scope.def.metadata.interfaces.push_back(interface.text);
  }
  for (const ast::Generic &generic : source.generics)
    scope.declareGeneric(generic);
  for (const ast::Attribute &attribute : source.attributes)
    scope.declareAttribute(attribute);
  takeNames();
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
  // Beyond this point, only products and quotients of sizes become symbols.

  for (const std::string &name : source.skippedNames)
    scope.skippedNames.insert(name);
  for (const ast::Statement &statement : source.statements)
    scope.addTargets(statement);
  for (const auto &target : scope.targets)
    builder.takenNames.insert(target.getKey());
  for (const ast::Statement &statement : source.statements)
    if (!diags.isFull())
      checkStatement(scope, statement);
  checkResults();
  if (!diags.hasErrors() && !source.isPartial)
    warnOfUnread();
  return std::move(scope.def);
}

/// A size that is made of `G*R` is called as nothing else in the signature is,
/// what comes later included.
void DefChecker::takeNames() {
  std::function<void(const ast::Expr &)> take = [&](const ast::Expr &expr) {
    if (expr.kind == ast::Expr::Kind::Name)
      builder.takenNames.insert(expr.text);
    for (const ast::ExprPtr &operand : expr.operands)
      take(*operand);
  };
  for (const std::vector<ast::Param> *params :
       {&source.params, &source.results})
    for (const ast::Param &param : *params) {
      builder.takenNames.insert(param.name.text);
      if (param.type)
        for (const ast::ExprPtr &dim : param.type->dims)
          take(*dim);
    }
  for (const ast::Attribute &attribute : source.attributes)
    builder.takenNames.insert(attribute.name.text);
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
    state.typeEnd = getTypeEnd(*param.type);
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
  bool isFirst = true;
  for (TensorId id : scope.def.results) {
    const Tensor &result = scope.def[id];
    if (scope.targets.count(result.name) || scope[id].isBroken ||
        scope.skippedNames.contains(result.name))
      continue;
    DiagnosticBuilder builder =
        diags.report(DiagId::ResultNotWritten, result.range, {result.name});
    // A misspelt result is one, so that the next is another's.
    std::optional<TensorId> other = isFirst ? findUnread() : std::nullopt;
    isFirst = false;
    if (other)
      builder.note(DiagId::NeverRead, scope.def[*other].range,
                   {scope.def[*other].name, result.name},
                   {{scope.def[*other].range, result.name}});
  }
}

/// The only temporary that is written once and never read, as a misspelt result
/// is.
std::optional<TensorId> DefChecker::findUnread() const {
  std::vector<bool> isUsed(scope.def.tensors.size());
  for (const Expr &expr : scope.def.exprs)
    if (expr.tensor.isValid())
      isUsed[expr.tensor.value] = true;
  std::vector<unsigned> numWrites(scope.def.tensors.size());
  for (const Statement &statement : scope.def.statements)
    ++numWrites[statement.target.value];
  std::optional<TensorId> found;
  for (size_t i = 0, e = scope.def.tensors.size(); i != e; ++i) {
    TensorId id(i);
    if (scope.def[id].role != TensorRole::Temporary || isUsed[i] ||
        numWrites[i] != 1 || !scope.def[id].isInferred)
      continue;
    if (found)
      return std::nullopt;
    found = id;
  }
  return found;
}

/// Parameters and temporaries that no statement reads. A tensor may be there
/// for its sizes, if no other has them.
void DefChecker::warnOfUnread() const {
  std::vector<bool> isUsed(scope.def.tensors.size());
  for (const Expr &expr : scope.def.exprs)
    if (expr.tensor.isValid())
      isUsed[expr.tensor.value] = true;
  for (const Statement &statement : scope.def.statements)
    for (const ExistsClause &clause : statement.exists)
      isUsed[clause.tensor.value] = true;
  for (const Symbol &symbol : scope.def.symbols)
    if (symbol.scalar.isValid())
      isUsed[symbol.scalar.value] = true;
  auto hasSize = [](const Tensor &tensor, const Affine &size) {
    return llvm::is_contained(tensor.dims, size);
  };
  for (TensorId id : scope.def.params) {
    const Tensor &tensor = scope.def[id];
    auto isElsewhere = [&](const Affine &size) {
      return size.isConstant() ||
             llvm::any_of(scope.def.params, [&](TensorId other) {
               return !(other == id) && hasSize(scope.def[other], size);
             });
    };
    if (!isUsed[id.value] && llvm::all_of(tensor.dims, isElsewhere))
      diags.report(DiagId::ParameterUnread, tensor.range, {tensor.name});
  }
  StringSet<> written;
  for (const ast::Statement &statement : source.statements) {
    std::optional<TensorId> id = scope.findTensor(statement.target.text);
    if (id && scope.def[*id].role == TensorRole::Temporary &&
        !isUsed[id->value] && statement.moreTargets.empty() &&
        written.insert(statement.target.text).second)
      diags.report(DiagId::TemporaryUnread, statement.target.range,
                   {statement.target.text});
  }
}

} // namespace

Def checkDef(const ast::Def &source, const CheckOptions &options,
             Callees &callees, DiagnosticEngine &diags) {
  return DefChecker(source, options, callees, diags).check();
}

} // namespace ein
