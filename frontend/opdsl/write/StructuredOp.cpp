//===- StructuredOp.cpp - A statement as a structured op ------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/opdsl/write/Write.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace ein::opdsl {

size_t StructuredOp::find(TensorId tensor) const {
  return llvm::find_if(arguments,
                       [&](const Argument &argument) {
                         return argument.tensor == tensor;
                       }) -
         arguments.begin();
}

std::string getClassName(StringRef name) {
  std::string result;
  bool isFirst = true;
  for (char c : name) {
    if (c != '_')
      result += isFirst ? toUpper(c) : c;
    isFirst = c == '_';
  }
  return result + "Op";
}

/// Names that MLIR's maps can have: `i1` is a type there, `mod` an operator.
static std::string makeMapName(StringRef name, StringRef otherwise,
                               StringSet<> &taken) {
  bool isName =
      !name.empty() && !isDigit(name[0]) &&
      llvm::all_of(name, [](char c) { return isAlnum(c) || c == '_'; });
  std::string result = isName ? name.str() : otherwise.str();
  StringRef digits = result;
  if (!digits.consume_front("si"))
    (void)(digits.consume_front("ui") || digits.consume_front("i"));
  bool isWord = result == "mod" || result == "floordiv" ||
                result == "ceildiv" || result == "symbol" ||
                (digits.size() != result.size() && !digits.empty() &&
                 llvm::all_of(digits, isDigit));
  if (isWord)
    result += "_";
  while (!taken.insert(result).second)
    result += "_";
  return result;
}

namespace {

class OpMaker {
public:
  OpMaker(const Def &def, const Statement &statement, StringRef notation,
          DiagnosticEngine &diags)
      : op{def, statement, {}, {}, {}}, notation(notation), diags(diags) {}

  std::optional<StructuredOp> make(bool isAlone);

private:
  LogicalResult checkUpdate();
  LogicalResult collect(ExprId id);
  LogicalResult addArgument(TensorId tensor, ArrayRef<Affine> map,
                            SourceRange range);
  LogicalResult addUnread(TensorId tensor);
  LogicalResult fail(SourceRange range, const std::string &what) {
    return diags.report(DiagId::NotExpressible, range, {notation.str(), what});
  }

  StructuredOp op;
  StringRef notation;
  DiagnosticEngine &diags;
};

LogicalResult OpMaker::checkUpdate() {
  const Statement &statement = op.statement;
  const Tensor &target = op.def[statement.target];
  // An op of ods-gen's always adds to what its output holds.
  bool canContinue = notation == "ODS";
  if (statement.update != UpdateKind::Assign && !statement.fromIdentity &&
      !canContinue)
    return fail(statement.range, "`" + getSpelling(statement.update).str() +
                                     "` continues from what `" + target.name +
                                     "` holds");
  if (isBitwise(statement.update))
    return fail(statement.range,
                "`" + getSpelling(statement.update).str() + "!`");
  if (!statement.slice.empty())
    return fail(statement.range, "only a slice is written");
  if (statement.condition.isValid())
    return fail(statement.range, "a condition of `where`");
  if (statement.isDiagonal())
    return fail(statement.range, "only the diagonal is written");
  if (statement.isInOrder())
    return fail(statement.range, "a scatter or a recurrence");
  if (statement.computeType != target.type)
    return fail(statement.range,
                "`" + target.name + "` is " + getSpelling(target.type).str() +
                    " and its accumulator " +
                    getSpelling(statement.computeType).str() + "; `acc = " +
                    getSpelling(target.type).str() + "` makes them one type");
  return success();
}

LogicalResult OpMaker::addArgument(TensorId tensor, ArrayRef<Affine> map,
                                   SourceRange range) {
  size_t known = op.find(tensor);
  if (known == op.arguments.size()) {
    op.arguments.push_back({tensor, map.vec(), op.def[tensor].isScalarInput()});
    return success();
  }
  if (!llvm::equal(op.arguments[known].map, map))
    return fail(range, "`" + op.def[tensor].name +
                           "` is accessed with different subscripts");
  return success();
}

LogicalResult OpMaker::collect(ExprId id) {
  const Expr &expr = op.def[id];
  if (expr.kind == ExprKind::Access)
    return addArgument(expr.tensor, expr.subscripts, expr.range);
  if (expr.kind == ExprKind::Gather)
    return fail(expr.range, "a gather");
  if (expr.kind == ExprKind::Reshape)
    return fail(expr.range, "one dim of several labels");
  for (ExprId operand : expr.getOperands())
    if (failed(collect(operand)))
      return failure();
  return success();
}

/// The window of a pooling: it has the extents of indices, and is not read.
LogicalResult OpMaker::addUnread(TensorId id) {
  const Tensor &tensor = op.def[id];
  for (const ExistsClause &clause : op.statement.exists)
    if (clause.tensor == id)
      return addArgument(id, clause.subscripts, tensor.range);
  std::vector<Affine> map;
  for (const Affine &dim : tensor.dims) {
    auto index = llvm::find_if(op.statement.indices, [&](const Index &index) {
      return index.extent == dim;
    });
    if (index == op.statement.indices.end())
      return fail(tensor.range, "`" + tensor.name + "` is not read");
    map.push_back(Affine(IndexId(index - op.statement.indices.begin())));
  }
  return addArgument(id, map, tensor.range);
}

std::optional<StructuredOp> OpMaker::make(bool isAlone) {
  const Statement &statement = op.statement;
  if (failed(checkUpdate()) || failed(collect(statement.value)))
    return std::nullopt;
  std::vector<StructuredOp::Argument> read = std::move(op.arguments);
  op.arguments.clear();
  auto isTarget = [&](const StructuredOp::Argument &argument) {
    return argument.tensor == statement.target;
  };
  // In the order of the signature, if the op has the def's.
  if (isAlone)
    for (TensorId id : op.def.params) {
      auto found = llvm::find_if(
          read, [&](const auto &argument) { return argument.tensor == id; });
      if (found != read.end())
        op.arguments.push_back(*found);
      else if (failed(addUnread(id)))
        return std::nullopt;
    }
  for (const StructuredOp::Argument &argument : read)
    if (!isTarget(argument) && op.find(argument.tensor) == op.arguments.size())
      op.arguments.push_back(argument);
  std::vector<Affine> map;
  for (IndexId id : statement.targetIndices)
    map.push_back(Affine(id));
  auto own = llvm::find_if(read, isTarget);
  if (own != read.end() && !llvm::equal(own->map, map)) {
    (void)fail(statement.range, "`" + op.def[statement.target].name +
                                    "` is accessed with different subscripts");
    return std::nullopt;
  }
  op.arguments.push_back({statement.target, map, false});

  StringSet<> taken;
  for (auto [i, symbol] : llvm::enumerate(op.def.symbols))
    op.sizeNames.push_back(
        symbol.bound
            ? ""
            : makeMapName(symbol.name, "s" + std::to_string(i), taken));
  for (auto [i, index] : llvm::enumerate(statement.indices))
    op.indexNames.push_back(
        makeMapName(index.name, "d" + std::to_string(i), taken));
  return std::move(op);
}

} // namespace

std::optional<StructuredOp> makeStructuredOp(const Def &def,
                                             const Statement &statement,
                                             bool isAlone, StringRef notation,
                                             DiagnosticEngine &diags) {
  return OpMaker(def, statement, notation, diags).make(isAlone);
}

} // namespace ein::opdsl
