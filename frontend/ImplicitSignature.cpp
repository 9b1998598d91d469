//===- ImplicitSignature.cpp - The signature of statements outside a def --===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `C(m,n) +=! A(m,k) * B(k,n)` alone is a program, so its names must say what
// a signature would: what is read and never written is a parameter, what is
// written is a result. A dim of a parameter is called after the index that
// stands alone there, upper-cased (or, in an einsum string, after the label);
// after the tensor and its position, `A_0`, where none does.
//
//===----------------------------------------------------------------------===//

#include "frontend/EinsumString.h"
#include "frontend/SemaImpl.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein {

namespace {

class SignatureInference {
public:
  SignatureInference(ast::Def &def, ElementType defaultType,
                     DiagnosticEngine &diags)
      : def(def), defaultType(defaultType), diags(diags) {}

  void run();

private:
  /// How a dim is subscripted where the tensor is first read.
  struct Dim {
    /// Of the index that stands alone there, if one does.
    std::string index;
    bool isLabel = false;
    SourceRange range;
  };
  struct Parameter {
    ast::Name name;
    std::vector<Dim> dims;
  };

  void collectIndexNames(const ast::Expr &expr, bool isSubscript);
  void visitValue(const ast::Expr &expr);
  void visitEinsum(const ast::Expr &call);
  void addRead(ast::Name name, std::vector<Dim> dims);
  void addResults();
  std::string nameSize(const Dim &dim, StringRef tensor, size_t position);
  std::string makeFresh(std::string name);
  ast::Param makeParam(const Parameter &parameter);

  ast::Def &def;
  ElementType defaultType;
  DiagnosticEngine &diags;
  StringSet<> targets;
  StringSet<> indexNames;
  std::vector<Parameter> parameters;
  StringMap<size_t> positions;  // in `parameters`
  StringMap<std::string> sizes; // by index
  StringSet<> taken;
};

void SignatureInference::run() {
  for (const ast::Statement &statement : def.statements) {
    targets.insert(statement.target.text);
    if (statement.subscripts)
      for (const ast::ExprPtr &subscript : *statement.subscripts)
        collectIndexNames(*subscript, /*isSubscript=*/true);
    collectIndexNames(*statement.value, /*isSubscript=*/false);
    for (const ast::Clause &clause : statement.clauses) {
      if (!clause.name.text.empty())
        indexNames.insert(clause.name.text);
      for (const ast::ExprPtr &operand : clause.operands)
        collectIndexNames(*operand, clause.kind == ast::Clause::Kind::Range);
    }
  }
  for (const ast::Statement &statement : def.statements) {
    visitValue(*statement.value);
    for (const ast::Clause &clause : statement.clauses)
      for (const ast::ExprPtr &operand : clause.operands)
        visitValue(*operand);
  }
  for (const Parameter &parameter : parameters)
    taken.insert(parameter.name.text);
  for (const auto &target : targets)
    taken.insert(target.getKey());
  for (const Parameter &parameter : parameters)
    def.params.push_back(makeParam(parameter));
  addResults();
}

static bool isFunction(StringRef name) {
  return findUnaryFn(name) || findBinaryFn(name) || parseElementType(name);
}

/// Arguments that no subscript can be tell that a call is no access.
static bool hasValueArguments(const ast::Expr &call) {
  return llvm::any_of(call.operands, [](const ast::ExprPtr &operand) {
    return operand->kind == ast::Expr::Kind::Call ||
           operand->kind == ast::Expr::Kind::String ||
           (operand->kind == ast::Expr::Kind::Number &&
            operand->op == TokenKind::Float);
  });
}

/// A name that is an index somewhere is not taken for a scalar elsewhere.
void SignatureInference::collectIndexNames(const ast::Expr &expr,
                                           bool isSubscript) {
  if (expr.kind == ast::Expr::Kind::Name && isSubscript)
    indexNames.insert(expr.text);
  bool isAccess = expr.kind == ast::Expr::Kind::Call && expr.text != "einsum" &&
                  (targets.contains(expr.text) ||
                   (!isFunction(expr.text) && !hasValueArguments(expr)));
  for (const ast::ExprPtr &operand : expr.operands)
    collectIndexNames(*operand, isSubscript || isAccess);
}

void SignatureInference::visitValue(const ast::Expr &expr) {
  bool isCall = expr.kind == ast::Expr::Kind::Call;
  if (expr.kind == ast::Expr::Kind::Name) {
    if (!indexNames.contains(expr.text))
      addRead({expr.text, expr.range}, {});
    return;
  }
  if (isCall && targets.contains(expr.text))
    return;
  if (isCall && expr.text == "einsum")
    return visitEinsum(expr);
  if (!isCall || isFunction(expr.text) || hasValueArguments(expr)) {
    for (const ast::ExprPtr &operand : expr.operands)
      visitValue(*operand);
    return;
  }
  std::vector<Dim> dims;
  for (const ast::ExprPtr &subscript : expr.operands) {
    bool isAlone = subscript->kind == ast::Expr::Kind::Name;
    dims.push_back(
        {isAlone ? subscript->text : "", /*isLabel=*/false, subscript->range});
  }
  addRead({expr.text, expr.nameRange}, std::move(dims));
}

void SignatureInference::visitEinsum(const ast::Expr &call) {
  if (call.operands.empty() ||
      call.operands[0]->kind != ast::Expr::Kind::String)
    return;
  const ast::Expr &string = *call.operands[0];
  // What is wrong with the string is said when it is expanded.
  DiagnosticEngine ignored;
  FailureOr<EinsumString> einsum =
      parseEinsumString(string.text, string.nameRange.begin, ignored);
  for (size_t i = 1, e = call.operands.size(); i != e; ++i) {
    const ast::Expr &operand = *call.operands[i];
    if (operand.kind != ast::Expr::Kind::Name)
      continue;
    std::vector<Dim> dims;
    if (succeeded(einsum) && i <= einsum->operands.size()) {
      for (const EinsumLabel &label : einsum->operands[i - 1].labels) {
        if (label.isEllipsis && !targets.contains(operand.text) &&
            !positions.contains(operand.text)) {
          diags.report(DiagId::NotSupported, label.range,
                       {"an ellipsis over operands without a declared shape "
                        "is"});
          def.hasErrors = true;
        }
        dims.push_back({label.name, /*isLabel=*/true, label.range});
      }
    }
    addRead({operand.text, operand.range}, std::move(dims));
  }
}

/// Of several accesses of a tensor, the first gives the rank; a later one may
/// name a dim that it leaves open.
void SignatureInference::addRead(ast::Name name, std::vector<Dim> dims) {
  if (targets.contains(name.text))
    return;
  auto [entry, isNew] = positions.try_emplace(name.text, parameters.size());
  if (isNew) {
    parameters.push_back({std::move(name), std::move(dims)});
    return;
  }
  std::vector<Dim> &known = parameters[entry->second].dims;
  for (size_t i = 0, e = std::min(known.size(), dims.size()); i != e; ++i)
    if (known[i].index.empty())
      known[i] = dims[i];
}

std::string SignatureInference::makeFresh(std::string name) {
  if (taken.contains(name))
    name += "_size";
  std::string candidate = name;
  for (unsigned i = 2; !taken.insert(candidate).second; ++i)
    candidate = name + std::to_string(i);
  return candidate;
}

std::string SignatureInference::nameSize(const Dim &dim, StringRef tensor,
                                         size_t position) {
  if (dim.index.empty())
    return makeFresh(tensor.str() + "_" + std::to_string(position));
  auto [entry, isNew] = sizes.try_emplace(dim.index);
  if (isNew)
    entry->second =
        makeFresh(dim.isLabel ? dim.index : StringRef(dim.index).upper());
  return entry->second;
}

ast::Param SignatureInference::makeParam(const Parameter &parameter) {
  ast::Param param;
  param.name = parameter.name;
  param.range = parameter.name.range;
  param.type.emplace();
  param.type->range = parameter.name.range;
  param.type->element = {getSpelling(defaultType).str(), parameter.name.range};
  for (size_t i = 0, e = parameter.dims.size(); i != e; ++i) {
    const Dim &dim = parameter.dims[i];
    param.type->dims.push_back(
        ast::makeName(nameSize(dim, parameter.name.text, i), dim.range));
  }
  return param;
}

/// What is written without `let`, in the order of writing.
void SignatureInference::addResults() {
  StringSet<> declared;
  for (ast::Statement &statement : def.statements) {
    if (!declared.insert(statement.target.text).second || statement.let)
      continue;
    ast::Param result;
    result.name = statement.target;
    result.range = statement.target.range;
    if (statement.type)
      result.type = std::move(*statement.type);
    statement.type.reset();
    def.results.push_back(std::move(result));
  }
}

} // namespace

void inferSignature(ast::Def &def, ElementType defaultType,
                    DiagnosticEngine &diags) {
  SignatureInference(def, defaultType, diags).run();
}

} // namespace ein
