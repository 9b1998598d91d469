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

#include "frontend/check/Signature.h"
#include "frontend/check/Builtins.h"
#include "frontend/check/EinsumCall.h"
#include "frontend/check/OpenRank.h"
#include "frontend/check/RewriteWhole.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace ein {

namespace {

class SignatureInference {
public:
  SignatureInference(ast::Def &def, const CheckOptions &options,
                     Callees &callees, DiagnosticEngine &diags)
      : def(def), options(options), callees(callees), diags(diags) {}

  void run();

private:
  /// How a dim is subscripted where the tensor is first read.
  struct Dim {
    /// Of the index that stands alone there, if one does. Of a whole tensor,
    /// one with the statement's number after a dot: the same for all of the
    /// statement's.
    std::string index;
    bool isLabel = false;
    SourceRange range;
  };
  struct Parameter {
    ast::Name name;
    std::vector<Dim> dims;
  };

  void collectIndexNames(const ast::Expr &expr, bool isSubscript);
  bool refuseInput(const ast::Expr &access);
  bool refuseReducer(const ast::Expr &call);
  void visitValue(const ast::Expr &expr);
  void visitEinsum(const ast::Expr &call);
  bool callsDef(const ast::Expr &expr);
  void visitCall(const ast::Expr &call, bool isAlone);
  void visitOpen(const ast::Expr &operand);
  size_t countDims(const ast::Expr &expr);
  size_t visitWhole(const ast::Expr &expr);
  void visitStatement(const ast::Statement &statement);
  const DataType *findData(StringRef parameter) const;
  std::optional<size_t> findRank(StringRef tensor) const;
  void assignShapes(const ast::Statement &statement);
  void assignShapes(const ast::Expr &expr, size_t &next);
  void assignShape(StringRef parameter, size_t &next);
  bool isElementwise(const ast::Expr &expr);
  void assignTypes();
  void addRead(ast::Name name, std::vector<Dim> dims);
  void addResults();
  std::string nameSize(const Dim &dim, StringRef tensor, size_t position);
  std::string makeFresh(std::string name);
  ast::Param makeParam(const Parameter &parameter);

  ast::Def &def;
  const CheckOptions &options;
  Callees &callees;
  DiagnosticEngine &diags;
  StringSet<> targets;
  StringSet<> indexNames;
  /// How often each is written.
  StringMap<unsigned> indexUses;
  /// Of the targets of the statements before the one at hand.
  StringMap<size_t> targetRanks;
  /// Of the statement at hand, if it is without subscripts.
  std::optional<size_t> outputRank;
  /// Its number, and the rank of what it has of whole tensors.
  size_t number = 0, wholeRank = 0;
  StringMap<const DataType *> data; // by parameter
  StringMap<ElementType> types;     // likewise
  std::vector<Parameter> parameters;
  StringMap<size_t> positions;  // in `parameters`
  StringMap<std::string> sizes; // by index
  StringSet<> taken;
};

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

void SignatureInference::visitStatement(const ast::Statement &statement) {
  assignShapes(statement);
  outputRank.reset();
  ++number;
  if (statement.subscripts) {
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

static bool holdsCall(const ast::Expr &expr) {
  return expr.kind == ast::Expr::Kind::Call ||
         llvm::any_of(expr.operands, [](const ast::ExprPtr &operand) {
           return holdsCall(*operand);
         });
}

} // namespace

bool isLooseAccess(const ast::Expr &call) {
  bool isVector = StringSwitch<bool>(call.text)
                      .Cases({"j0", "j1", "y0", "y1"}, true)
                      .Default(false) &&
                  llvm::none_of(call.operands, [](const ast::ExprPtr &operand) {
                    return holdsCall(*operand);
                  });
  return (isVector || !isFunctionOrCast(call.text)) && !hasValueArguments(call);
}

namespace {

/// A name that is an index somewhere is not taken for a scalar elsewhere.
void SignatureInference::collectIndexNames(const ast::Expr &expr,
                                           bool isSubscript) {
  if (expr.kind == ast::Expr::Kind::Name && isSubscript)
    indexNames.insert(expr.text), ++indexUses[expr.text];
  for (const ast::ExprPtr &index : expr.indices)
    indexNames.insert(index->text), ++indexUses[index->text];
  bool hasSubscripts = expr.kind == ast::Expr::Kind::Call &&
                       !ast::isEinsum(expr) &&
                       (targets.contains(expr.text) || isLooseAccess(expr));
  for (const ast::ExprPtr &operand : expr.operands)
    collectIndexNames(*operand, isSubscript || hasSubscripts);
}

/// `sum(A)`: of what is known to have dims, with the indices that it needs.
bool SignatureInference::refuseReducer(const ast::Expr &call) {
  if (!takesAngleBrackets(call.text) || call.operands.size() != 1 ||
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
    for (size_t i = 0; i != *rank; ++i)
      indices += (i == 0 ? "" : ", ") + makeIndexName(i);
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
  if (!isCall || !isLooseAccess(expr)) {
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
  if (isCall && !ast::isEinsum(expr) && !isCallOfDef && isLooseAccess(expr))
    return assignShape(expr.text, next);
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

} // namespace

void inferSignature(ast::Def &def, const CheckOptions &options,
                    Callees &callees, DiagnosticEngine &diags) {
  nameImplicitSizes(def, options);
  SignatureInference(def, options, callees, diags).run();
}

} // namespace ein
