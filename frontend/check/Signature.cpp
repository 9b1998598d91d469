//===- Signature.cpp - The signature of statements outside a def ----------===//
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
// What an ellipsis holds, whether labels are words, and whether `A + B` is of
// whole tensors depends on ranks. They are those of the data, where there is
// some, and of what was read or written before.
//
//===----------------------------------------------------------------------===//

#include "frontend/check/Builtins.h"
#include "frontend/check/EinsumCall.h"
#include "frontend/check/OpenRank.h"
#include "frontend/check/RewriteWhole.h"
#include "frontend/check/SignatureInference.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace ein {

void SignatureInference::run() {
  for (const auto &[name, known] : options.namedData)
    data.try_emplace(name, &known);
  for (const ast::Statement &statement : def.statements) {
    targets.insert(statement.target.text);
    for (const ast::Name &target : statement.moreTargets)
      targets.insert(target.text);
    if (statement.subscripts)
      for (const ast::ExprPtr &subscript : *statement.subscripts)
        collectIndexNames(*subscript, /*isSubscript=*/true);
    if (statement.subscripts || !callsDef(*statement.value))
      collectIndexNames(*statement.value, /*isSubscript=*/false);
    for (const ast::Clause &clause : statement.clauses) {
      if (!clause.name.text.empty())
        indexNames.insert(clause.name.text), ++indexUses[clause.name.text];
      for (const ast::ExprPtr &operand : clause.operands)
        collectIndexNames(*operand, clause.kind == ast::Clause::Kind::Range);
    }
  }
  for (const ast::Statement &statement : def.statements)
    visitStatement(statement);
  for (const Parameter &parameter : parameters)
    taken.insert(parameter.name.text);
  for (const auto &target : targets)
    taken.insert(target.getKey());
  assignTypes();
  for (const Parameter &parameter : parameters)
    def.params.push_back(makeParam(parameter));
  addResults();
}

bool holdsCall(const ast::Expr &expr) {
  return expr.kind == ast::Expr::Kind::Call ||
         llvm::any_of(expr.operands, [](const ast::ExprPtr &operand) {
           return holdsCall(*operand);
         });
}

void SignatureInference::visitStatement(const ast::Statement &statement) {
  assignShapes(statement);
  outputRank.reset();
  ++number;
  if (statement.subscripts) {
    // `h(x(i)) += 1` reads `x`.
    for (const ast::ExprPtr &subscript : *statement.subscripts)
      if (holdsCall(*subscript))
        visitValue(*subscript);
    visitValue(*statement.value);
  } else if (callsDef(*statement.value)) {
    visitCall(*statement.value, /*isAlone=*/def.statements.size() == 1);
  } else {
    wholeRank = countDims(*statement.value);
    size_t rank = visitWhole(*statement.value);
    if (!outputRank && rank != 0)
      outputRank = rank;
  }
  for (const ast::Clause &clause : statement.clauses)
    for (const ast::ExprPtr &operand : clause.operands)
      visitValue(*operand);
  if (statement.subscripts || outputRank)
    targetRanks.try_emplace(statement.target.text,
                            statement.subscripts ? statement.subscripts->size()
                                                 : *outputRank);
}

static bool isFunctionOrCast(StringRef name) {
  return isFunction(name) || parseElementType(name);
}

/// Arguments that no subscript can be tell that a call is no access.
static bool hasValueArguments(const ast::Expr &call) {
  return llvm::any_of(call.operands, [](const ast::ExprPtr &operand) {
    return operand->kind == ast::Expr::Kind::Call ||
           operand->kind == ast::Expr::Kind::String ||
           operand->kind == ast::Expr::Kind::List ||
           (operand->kind == ast::Expr::Kind::Number &&
            operand->op == TokenKind::Float);
  });
}

bool isLooseAccess(const ast::Expr &call) {
  bool isVector = StringSwitch<bool>(call.text)
                      .Cases({"j0", "j1", "y0", "y1"}, true)
                      .Default(false) &&
                  llvm::none_of(call.operands, [](const ast::ExprPtr &operand) {
                    return holdsCall(*operand);
                  });
  return (isVector || !isFunctionOrCast(call.text)) && !hasValueArguments(call);
}

/// `A(I(i))`, which a function of a value looks like, where data is called `A`.
bool isLooseAccess(const ast::Expr &call, const CheckOptions &options) {
  if (isLooseAccess(call))
    return true;
  bool isData = options.namedData.count(call.text) ||
                llvm::any_of(options.data, [&](const DataType &each) {
                  return each.name == call.text;
                });
  return isData && !isFunctionOrCast(call.text) &&
         llvm::all_of(call.operands, [](const ast::ExprPtr &operand) {
           return operand->kind != ast::Expr::Kind::String &&
                  operand->kind != ast::Expr::Kind::List;
         });
}

/// A name that is an index somewhere is not taken for a scalar elsewhere.
void SignatureInference::collectIndexNames(const ast::Expr &expr,
                                           bool isSubscript) {
  if (expr.kind == ast::Expr::Kind::Name && isSubscript)
    indexNames.insert(expr.text), ++indexUses[expr.text];
  for (const ast::ExprPtr &index : expr.indices)
    indexNames.insert(index->text), ++indexUses[index->text];
  bool hasSubscripts =
      expr.kind == ast::Expr::Kind::Call && !ast::isEinsum(expr) &&
      !callsDef(expr) &&
      (targets.contains(expr.text) || isLooseAccess(expr, options));
  for (const ast::ExprPtr &operand : expr.operands)
    collectIndexNames(*operand, isSubscript || hasSubscripts);
}

/// `sum(A)`: of what is known to have dims, with the indices that it needs.
bool SignatureInference::refuseReducer(const ast::Expr &call) {
  if (!takesAngleBrackets(call.text) || isCumulative(call.text) ||
      call.operands.size() != 1 ||
      call.operands[0]->kind != ast::Expr::Kind::Name)
    return false;
  const ast::Expr &operand = *call.operands[0];
  std::optional<size_t> rank = findRank(operand.text);
  // `sum(A)` alone may be given one array, which is what it is of.
  if (!rank && options.data.size() == 1 && options.namedData.empty())
    rank = options.data[0].shape.size();
  std::string indices = "k";
  if (rank && *rank != 0) {
    indices.clear();
    // An index of the statement's would be another one.
    size_t number = 0;
    for (size_t i = 0; i != *rank; ++i) {
      while (indexNames.contains(makeIndexName(number)))
        ++number;
      indices += (i == 0 ? "" : ", ") + makeIndexName(number++);
    }
  }
  std::string ours = call.text + "<" + indices + ">(" + operand.text + "(" +
                     (rank && *rank != 0 ? indices : "…, k") + "))";
  DiagnosticBuilder builder =
      diags.report(DiagId::ReductionForm, call.nameRange,
                   {call.text + "<" + indices + ">(…)"});
  builder.note(DiagId::ReduceInstead, call.range, {ours});
  if (rank && *rank != 0)
    builder.fixIt(call.range, ours);
  return true;
}

/// A call of what is no tensor would make an input of the function, and indices
/// of its arguments, unless data is called so.
bool SignatureInference::refuseInput(const ast::Expr &access) {
  const std::string &name = access.text;
  if (options.namedData.count(name) || positions.contains(name))
    return false;
  auto isName = [&](StringRef data) {
    return llvm::any_of(
        options.data, [&](const DataType &each) { return each.name == data; });
  };
  if (isName(name))
    return false;
  auto note = [&](DiagnosticBuilder builder) {
    builder.note(DiagId::InputOfThatName, access.nameRange, {name});
    return true;
  };
  if (refuseReducer(access))
    return true;
  StringRef advice = getForeignAdvice(name);
  if (!advice.empty())
    return note(
        diags.report(DiagId::ForeignFunction, access.nameRange, {name})
            .note(DiagId::WriteInstead, access.nameRange, {advice.str()}));
  if (takesAngleBrackets(name))
    return note(diags.report(DiagId::ReductionForm, access.nameRange,
                             {name + "<k>(…)"}));
  if (callees.has(name))
    return note(
        diags.report(DiagId::CallInExpression, access.nameRange, {name}));
  // `s = f(x)` with the data `x`: no index is called as the data is.
  for (const ast::ExprPtr &operand : access.operands)
    if (operand->kind == ast::Expr::Kind::Name &&
        indexUses.lookup(operand->text) == 1 &&
        (options.namedData.count(operand->text) || isName(operand->text)))
      return note(diags.report(DiagId::IndexIsData, operand->range,
                               {operand->text, name}));
  return false;
}

void SignatureInference::visitValue(const ast::Expr &expr) {
  bool isCall = expr.kind == ast::Expr::Kind::Call;
  if (expr.kind == ast::Expr::Kind::Name) {
    bool isConstant = !getConstantBody(expr.text).empty() &&
                      !options.namedData.count(expr.text);
    if (!indexNames.contains(expr.text) && !isConstant)
      addRead({expr.text, expr.range}, {});
    return;
  }
  if (isCall && targets.contains(expr.text))
    return;
  if (ast::isEinsum(expr))
    return visitEinsum(expr);
  if (!isCall || !isLooseAccess(expr, options)) {
    for (const ast::ExprPtr &operand : expr.operands)
      visitValue(*operand);
    return;
  }
  if (refuseInput(expr)) {
    def.hasErrors = true;
    return;
  }
  std::vector<Dim> dims;
  for (const ast::ExprPtr &subscript : expr.operands) {
    bool isAlone = subscript->kind == ast::Expr::Kind::Name;
    dims.push_back(
        {isAlone ? subscript->text : "", /*isLabel=*/false, subscript->range});
  }
  addRead({expr.text, expr.nameRange}, std::move(dims));
  for (const ast::ExprPtr &subscript : expr.operands)
    if (holdsCall(*subscript))
      visitValue(*subscript);
}

/// Whether the call is of a def, with whole tensors. A function is one of
/// numbers, unless it is known to have a tensor.
bool SignatureInference::callsDef(const ast::Expr &expr) {
  if (expr.kind != ast::Expr::Kind::Call || targets.contains(expr.text) ||
      ast::isEinsum(expr) || !callees.has(expr.text))
    return false;
  if (!isFunctionOrCast(expr.text))
    return true;
  size_t numWhole =
      llvm::count_if(expr.operands, [&](const ast::ExprPtr &operand) {
        return operand->kind == ast::Expr::Kind::Name
                   ? countDims(*operand) != 0
                   : ast::isEinsum(*operand) || callsDef(*operand);
      });
  // As the statement's checker decides it.
  Callee *callee = numWhole != 0 && numWhole != expr.operands.size()
                       ? callees.find(expr.text)
                       : nullptr;
  return numWhole != 0 && !(callee && callee->isPrelude);
}

/// Whether all that the node does is done to elements.
bool SignatureInference::isElementwise(const ast::Expr &expr) {
  if (expr.kind != ast::Expr::Kind::Call)
    return expr.kind == ast::Expr::Kind::Cast ||
           expr.kind == ast::Expr::Kind::Unary ||
           expr.kind == ast::Expr::Kind::Binary ||
           expr.kind == ast::Expr::Kind::Conditional;
  if (!isFunctionOrCast(expr.text) || readsTensors(expr.text) ||
      targets.contains(expr.text) || !expr.named.empty())
    return false;
  Callee *callee = callsDef(expr) ? callees.find(expr.text) : nullptr;
  return !callee || callee->isPrelude;
}

/// How many dims whole tensors in arithmetic have, as far as is known of names.
size_t SignatureInference::countDims(const ast::Expr &expr) {
  if (expr.kind == ast::Expr::Kind::Name)
    return indexNames.contains(expr.text) ? 0 : findRank(expr.text).value_or(0);
  if (!isElementwise(expr))
    return 0;
  size_t rank = 0;
  for (const ast::ExprPtr &operand : expr.operands)
    rank = std::max(rank, countDims(*operand));
  return rank;
}

/// What is read in arithmetic that may be of whole tensors, and their rank.
size_t SignatureInference::visitWhole(const ast::Expr &expr) {
  if (size_t rank = countDims(expr);
      rank != 0 && expr.kind == ast::Expr::Kind::Name) {
    std::vector<Dim> dims;
    for (size_t dim = 0; dim != rank; ++dim)
      dims.push_back(
          {makeIndexName(wholeRank - rank + dim) + "." + std::to_string(number),
           /*isLabel=*/false, expr.range});
    addRead({expr.text, expr.range}, std::move(dims));
    return rank;
  }
  if (ast::isEinsum(expr) || (!isElementwise(expr) && callsDef(expr))) {
    std::optional<size_t> outer = std::exchange(outputRank, std::nullopt);
    if (ast::isEinsum(expr))
      visitEinsum(expr);
    else
      visitCall(expr, /*isAlone=*/false);
    return std::exchange(outputRank, outer).value_or(0);
  }
  if (!isElementwise(expr)) {
    visitValue(expr);
    return 0;
  }
  size_t rank = 0;
  for (const ast::ExprPtr &operand : expr.operands)
    rank = std::max(rank, visitWhole(*operand));
  return rank;
}

/// An argument for a parameter of any rank.
void SignatureInference::visitOpen(const ast::Expr &operand) {
  if (std::optional<size_t> rank = findRank(operand.text))
    return addRead(
        {operand.text, operand.range},
        std::vector<Dim>(*rank, {"", /*isLabel=*/false, operand.range}));
  if (targets.contains(operand.text))
    return; // said later, if it is wrong
  diags.report(DiagId::RankUnknown, operand.range, {operand.text});
  def.hasErrors = true;
}

/// What a def is called with has the ranks that its parameters have. Their
/// sizes' names are only for a call that is all there is.
void SignatureInference::visitCall(const ast::Expr &call, bool isAlone) {
  Callee *callee = callees.find(call.text);
  if (!callee || callee->isBroken)
    return; // said, or to be said
  const ast::Def &source = *callee->source;
  isAlone &= llvm::none_of(call.operands, [&](const ast::ExprPtr &operand) {
    return operand->kind == ast::Expr::Kind::Call;
  });
  std::optional<size_t> openRank;
  auto visit = [&](const ast::Expr &operand, const ast::Param &param) {
    if (callsDef(operand))
      return visitCall(operand, /*isAlone=*/false);
    if (param.type->dims.empty())
      return visitValue(operand);
    if (operand.kind != ast::Expr::Kind::Name)
      return (void)visitWhole(operand);
    if (std::optional<size_t> fixed = countBesideEllipsis(*param.type)) {
      if (std::optional<size_t> rank = findRank(operand.text))
        openRank = *rank - std::min(*fixed, *rank);
      return visitOpen(operand);
    }
    std::vector<Dim> dims;
    for (const ast::ExprPtr &dim : param.type->dims) {
      bool isName = dim->kind == ast::Expr::Kind::Name && isAlone;
      dims.push_back({isName ? dim->text : "", /*isLabel=*/true, dim->range});
    }
    addRead({operand.text, operand.range}, std::move(dims));
  };
  for (auto [operand, param] : llvm::zip(call.operands, source.params))
    visit(*operand, param);
  for (const ast::NamedArgument &named : call.named)
    for (const ast::Param &param : source.params)
      if (param.name.text == named.name.text)
        visit(*named.value, param);
  if (source.results.size() != 1 || !source.results[0].type)
    return;
  const ast::Type &result = *source.results[0].type;
  if (std::optional<size_t> fixed = countBesideEllipsis(result)) {
    // What an attribute lists may be missing.
    bool isOfSome = llvm::any_of(result.dims, [](const ast::ExprPtr &dim) {
      return StringRef(dim->text).starts_with("...-");
    });
    if (openRank && !isOfSome)
      outputRank = *openRank + *fixed;
    return;
  }
  outputRank = result.dims.size();
}

void SignatureInference::visitEinsum(const ast::Expr &call) {
  // What is wrong with the call is said when it is expanded.
  DiagnosticEngine ignored;
  FailureOr<EinsumCall> read = readEinsumCall(
      call, [&](const ast::Expr &operand) { return findRank(operand.text); },
      ignored);
  if (failed(read)) {
    for (const ast::ExprPtr &operand : call.operands)
      if (operand->kind == ast::Expr::Kind::Name)
        addRead({operand->text, operand->range}, {});
    return;
  }
  EinsumString &einsum = read->einsum;
  std::vector<size_t> ranks;
  for (auto [term, operand] :
       llvm::zip_equal(einsum.operands, read->operands)) {
    std::optional<size_t> ellipsis = term.getEllipsis();
    std::optional<size_t> rank = findRank(operand->text);
    if (rank && getEllipsisRank(term, *rank)) {
      ranks.push_back(*rank);
    } else if (!ellipsis) {
      ranks.push_back(term.labels.size());
    } else if (!rank && !targets.contains(operand->text)) {
      diags.report(DiagId::EllipsisRank, term.labels[*ellipsis].range,
                   {operand->text});
      def.hasErrors = true;
    }
  }
  // Of a term that does not fit, it is said later as well.
  bool fits = ranks.size() == einsum.operands.size() &&
              llvm::all_of(llvm::zip(einsum.operands, ranks), [](auto pair) {
                auto [term, rank] = pair;
                return getEllipsisRank(term, rank).has_value();
              });
  if (fits && succeeded(expandEllipses(einsum, ranks, ignored)))
    outputRank = einsum.output.labels.size();
  for (auto [term, operand] :
       llvm::zip_equal(einsum.operands, read->operands)) {
    if (operand->kind != ast::Expr::Kind::Name)
      continue;
    std::vector<Dim> dims;
    for (const EinsumLabel &label : term.labels)
      dims.push_back({label.name, /*isLabel=*/true, label.range});
    // What has not become labels has a rank at least, if it is known.
    std::optional<size_t> rank = findRank(operand->text);
    if (rank && (term.getEllipsis() || *rank != dims.size()))
      dims.assign(*rank, {"", /*isLabel=*/false, term.range});
    addRead({operand->text, operand->range}, std::move(dims));
  }
}

void inferSignature(ast::Def &def, const CheckOptions &options,
                    Callees &callees, DiagnosticEngine &diags) {
  nameImplicitSizes(def, options);
  SignatureInference(def, options, callees, diags).run();
}

} // namespace ein
