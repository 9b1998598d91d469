//===- SignatureParams.cpp - What loose statements imply: parameters ------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/check/Builtins.h"
#include "frontend/check/SignatureInference.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein {

/// Data without a name goes to the parameters in order of reading, which is
/// that of the text: a statement's can be told before anything is read, as
/// ranks decide what is. What has no data is not among those whose shapes are
/// known.
void SignatureInference::assignShapes(const ast::Statement &statement) {
  size_t next = llvm::count_if(parameters, [&](const Parameter &parameter) {
    return !options.namedData.count(parameter.name.text);
  });
  assignShapes(*statement.value, next);
  for (const ast::Clause &clause : statement.clauses)
    for (const ast::ExprPtr &operand : clause.operands)
      assignShapes(*operand, next);
}

/// What `expr` reads, as the visits below find it.
void SignatureInference::assignShapes(const ast::Expr &expr, size_t &next) {
  if (expr.kind == ast::Expr::Kind::Name)
    return assignShape(expr.text, next);
  bool isCall = expr.kind == ast::Expr::Kind::Call;
  bool isCallOfDef = isCall && callees.has(expr.text);
  if ((isCall && targets.contains(expr.text)) ||
      expr.kind == ast::Expr::Kind::List)
    return;
  if (isCall && !ast::isEinsum(expr) && !isCallOfDef &&
      isLooseAccess(expr, options)) {
    assignShape(expr.text, next);
    for (const ast::ExprPtr &subscript : expr.operands)
      if (holdsCall(*subscript))
        assignShapes(*subscript, next);
    return;
  }
  for (const ast::ExprPtr &operand : expr.operands)
    assignShapes(*operand, next);
  Callee *callee =
      isCallOfDef && !expr.named.empty() ? callees.find(expr.text) : nullptr;
  if (callee)
    for (const ast::NamedArgument &named : expr.named)
      for (const ast::Param &param : callee->source->params)
        if (param.name.text == named.name.text)
          assignShapes(*named.value, next);
}

void SignatureInference::assignShape(StringRef parameter, size_t &next) {
  if (!targets.contains(parameter) && !indexNames.contains(parameter) &&
      !positions.contains(parameter) && getConstantBody(parameter).empty() &&
      next < options.data.size() &&
      data.try_emplace(parameter, &options.data[next]).second)
    ++next;
}

/// All parameters are known: data without a name is for those that no data
/// names, in their order.
void SignatureInference::assignTypes() {
  auto next = options.data.begin();
  for (const Parameter &parameter : parameters) {
    const std::string &name = parameter.name.text;
    auto named = options.namedData.find(name);
    const DataType *known = nullptr;
    if (named != options.namedData.end())
      known = &named->second;
    else if (next != options.data.end())
      known = &*next++;
    if (known && known->type)
      types.try_emplace(name, *known->type);
  }
}

const DataType *SignatureInference::findData(StringRef parameter) const {
  return data.lookup(parameter);
}

std::optional<size_t> SignatureInference::findRank(StringRef tensor) const {
  if (auto rank = targetRanks.find(tensor); rank != targetRanks.end())
    return rank->second;
  if (auto known = positions.find(tensor); known != positions.end())
    return parameters[known->second].dims.size();
  if (const DataType *known = findData(tensor))
    return known->shape.size();
  return std::nullopt;
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
        makeFresh(dim.isLabel ? dim.index
                              : StringRef(dim.index).split('.').first.upper());
  return entry->second;
}

ast::Param SignatureInference::makeParam(const Parameter &parameter) {
  ast::Param param;
  param.name = parameter.name;
  param.range = parameter.name.range;
  param.type.emplace();
  param.type->range = parameter.name.range;
  const DataType *known = findData(parameter.name.text);
  auto type = types.find(parameter.name.text);
  param.type->element = {
      getSpelling(type == types.end() ? options.defaultType : type->second)
          .str(),
      parameter.name.range};
  for (size_t i = 0, e = parameter.dims.size(); i != e; ++i) {
    const Dim &dim = parameter.dims[i];
    bool isOne = options.broadcastsSizeOne && known &&
                 known->shape.size() == parameter.dims.size() &&
                 known->shape[i] == 1;
    param.type->dims.push_back(
        isOne
            ? ast::makeNumber(1, dim.range)
            : ast::makeName(nameSize(dim, parameter.name.text, i), dim.range));
  }
  return param;
}

/// What is written without `let`, in the order of writing.
void SignatureInference::addResults() {
  StringSet<> declared;
  auto add = [&](const ast::Name &name, std::optional<ast::Type> &&type) {
    if (!declared.insert(name.text).second)
      return;
    ast::Param result;
    result.name = name;
    result.range = name.range;
    result.type = std::move(type);
    def.results.push_back(std::move(result));
  };
  for (ast::Statement &statement : def.statements) {
    if (statement.let) {
      declared.insert(statement.target.text);
      continue;
    }
    if (!declared.contains(statement.target.text)) {
      add(statement.target, std::move(statement.type));
      statement.type.reset();
    }
    for (const ast::Name &target : statement.moreTargets)
      add(target, std::nullopt);
  }
}

} // namespace ein
