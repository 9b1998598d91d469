//===- Evaluate.cpp - What a definition means -----------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "reference/Evaluate.h"
#include "reference/Convert.h"
#include "reference/Statement.h"
#include "runtime/Codes.h"

using namespace llvm;
using ein::runtime::Code;

namespace ein::reference {

/// Enough for every test, and 64 GiB of values and bounds.
static constexpr int64_t maxElements = int64_t(1) << 32;

namespace {

class Evaluator {
public:
  Evaluator(const Def &def, ArrayRef<int64_t> symbols, Failure &failure,
            const EvaluateOptions &options)
      : def(def), symbols(symbols), failure(failure), options(options),
        tensors(def.tensors.size()), storage(def.tensors.size()) {}

  LogicalResult run(ArrayRef<Value> inputs, std::vector<Value> &results) {
    failure = {};
    if (failed(takeInputs(inputs)) || failed(runChecks()))
      return llvm::failure();
    for (const Statement &statement : def.statements)
      if (failed(runStatement(statement)))
        return llvm::failure();
    results.clear();
    for (TensorId id : def.results) {
      if (!isWritten(id))
        return fail(Code::ShapeMismatch,
                    "`" + def[id].name + "` is never written");
      results.push_back(*tensors[id.value]);
    }
    return success();
  }

private:
  const Def &def;
  ArrayRef<int64_t> symbols;
  Failure &failure;
  const EvaluateOptions &options;
  /// By TensorId. An input's is the caller's until a statement writes it; null
  /// means that nothing has yet.
  std::vector<const Value *> tensors;
  std::vector<Value> storage;
  /// What the statement at hand continues from, in its accumulator's type.
  Value previous;

  LogicalResult fail(Code code, std::string message) {
    failure.code = static_cast<int32_t>(code);
    failure.message = std::move(message);
    return llvm::failure();
  }

  bool isWritten(TensorId id) const { return tensors[id.value]; }

  /// The value over symbols alone; nullopt where it leaves int64_t.
  std::optional<int64_t> evaluate(const Affine &affine) const {
    __int128 value = affine.getConstant();
    for (const Affine::SymbolTerm &term : affine.getSymbolTerms())
      value += static_cast<__int128>(term.coefficient) * symbols[term.id.value];
    if (affine.hasOverflowed() || value < INT64_MIN || value > INT64_MAX)
      return std::nullopt;
    return static_cast<int64_t>(value);
  }

  std::string toString(const Affine &affine) const {
    return affine.str([](IndexId) { return StringRef("?"); },
                      [&](SymbolId id) { return StringRef(def[id].name); });
  }

  /// The tensor's shape at these sizes.
  LogicalResult getShape(const Tensor &tensor, std::vector<int64_t> &shape) {
    int64_t count = 1;
    shape.clear();
    for (const Affine &dim : tensor.dims) {
      std::optional<int64_t> extent = evaluate(dim);
      if (!extent || *extent < 0)
        return fail(Code::ShapeMismatch, "`" + toString(dim) + "` of `" +
                                             tensor.name +
                                             "` is negative or overflows");
      shape.push_back(*extent);
      // An extent of zero does not excuse the others: strides are products.
      int64_t factor = std::max<int64_t>(*extent, 1);
      if (factor > maxElements / count)
        return fail(Code::OutOfMemory,
                    "`" + tensor.name + "` is too large for the reference");
      count *= factor;
    }
    return success();
  }

  LogicalResult takeInputs(ArrayRef<Value> inputs) {
    if (symbols.size() != def.symbols.size())
      return fail(Code::ShapeMismatch,
                  std::to_string(symbols.size()) + " sizes for " +
                      std::to_string(def.symbols.size()) + " symbols");
    for (size_t i = 0; i < symbols.size(); ++i)
      if (symbols[i] < 0 ||
          (def.symbols[i].bound && *def.symbols[i].bound != symbols[i]))
        return fail(Code::ShapeMismatch, "`" + def.symbols[i].name +
                                             "` cannot be " +
                                             std::to_string(symbols[i]));
    std::vector<TensorId> read = def.params;
    for (TensorId id : def.results)
      if (def[id].role == TensorRole::InOut)
        read.push_back(id);
    if (inputs.size() != read.size())
      return fail(Code::ShapeMismatch, std::to_string(inputs.size()) +
                                           " inputs for " +
                                           std::to_string(read.size()));
    for (size_t i = 0; i < read.size(); ++i) {
      std::vector<int64_t> shape;
      const Tensor &tensor = def[read[i]];
      if (failed(getShape(tensor, shape)))
        return llvm::failure();
      int64_t count = 1;
      for (int64_t extent : shape)
        count *= extent;
      bool hasElements = isFloat(getPartType(tensor.type))
                             ? inputs[i].values.size() == count
                             : inputs[i].integers.size() == count;
      if (isComplex(tensor.type))
        hasElements &= inputs[i].imaginary.values.size() == count;
      if (inputs[i].shape != shape || !hasElements ||
          inputs[i].bounds.size() != count)
        return fail(Code::ShapeMismatch,
                    "`" + tensor.name + "` has another shape than its dims");
      tensors[read[i].value] = &inputs[i];
    }
    return success();
  }

  LogicalResult runChecks() {
    for (const SizeCheck &check : def.checks) {
      std::optional<int64_t> value = evaluate(check.expr);
      bool holds =
          value && (check.kind == SizeCheck::Equal ? *value == 0 : *value >= 0);
      if (check.kind == SizeCheck::InBounds)
        for (const Affine &extent : check.unlessEmpty)
          holds |= evaluate(extent) == 0;
      if (!holds)
        return fail(check.kind == SizeCheck::InBounds ? Code::OutOfRange
                                                      : Code::ShapeMismatch,
                    check.what);
    }
    return success();
  }

  /// Works out an access over the statement's indices. Independently of the
  /// checks, no element outside of the tensor may be reached.
  LogicalResult makeAccess(TensorId id, ArrayRef<Affine> subscripts,
                           const StatementView &view, AccessView &access) {
    const Tensor &tensor = def[id];
    if (!isWritten(id))
      return fail(Code::ShapeMismatch,
                  "`" + tensor.name + "` is read before it is written");
    const Value &value = *tensors[id.value];
    if (subscripts.size() != value.shape.size())
      return fail(Code::ShapeMismatch,
                  "`" + tensor.name + "` has another number of dims");
    access.tensor = &value;
    access.largest = Rounding::get(tensor.type).largest;
    access.strides.assign(view.extents.size(), 0);
    if (view.numPoints == 0)
      return success();
    int64_t stride = 1;
    for (size_t d = subscripts.size(); d-- > 0;) {
      Affine constant(subscripts[d].getConstant());
      for (const Affine::SymbolTerm &term : subscripts[d].getSymbolTerms())
        constant = constant + Affine(term.id) * term.coefficient;
      std::optional<int64_t> start = evaluate(constant);
      __int128 least = start.value_or(-1), most = least;
      for (const Affine::IndexTerm &term : subscripts[d].getIndexTerms()) {
        __int128 last = static_cast<__int128>(term.coefficient) *
                        (view.extents[term.id.value] - 1);
        (last < 0 ? least : most) += last;
      }
      if (!start || subscripts[d].hasOverflowed() || least < 0 ||
          most >= value.shape[d])
        return fail(Code::OutOfRange, "an access of `" + tensor.name +
                                          "` leaves dimension " +
                                          std::to_string(d));
      // Both products are bounded by the tensor's size now, except for the
      // coefficient of an index that has a single value.
      access.offset += *start * stride;
      for (const Affine::IndexTerm &term : subscripts[d].getIndexTerms())
        if (view.extents[term.id.value] > 1)
          access.strides[term.id.value] += term.coefficient * stride;
      stride *= value.shape[d];
    }
    return success();
  }

  /// Extents, and from them the number of points.
  LogicalResult makeIterationSpace(StatementView &view) {
    bool empty = false;
    for (const Index &index : view.statement.indices) {
      std::optional<int64_t> extent = evaluate(index.extent);
      if (!extent || *extent < 0)
        return fail(Code::ShapeMismatch, "the extent of `" + index.name +
                                             "` is negative or overflows");
      view.extents.push_back(*extent);
      empty |= *extent == 0;
      if (index.isReduction)
        view.numReduced *= static_cast<double>(*extent);
    }
    if (empty)
      view.numPoints = 0;
    for (int64_t extent : view.extents)
      if (!empty &&
          __builtin_mul_overflow(view.numPoints, extent, &view.numPoints))
        return fail(Code::OutOfMemory,
                    "a statement has too many points for the reference");
    return success();
  }

  /// The new contents' shape, and where each point goes.
  LogicalResult makeTarget(StatementView &view, Value &result) {
    const Statement &statement = view.statement;
    const Tensor &target = def[statement.target];
    if (failed(getShape(target, result.shape)))
      return llvm::failure();
    size_t rank = result.shape.size();
    view.targetStrides.assign(view.extents.size(), 0);
    int64_t stride = 1;
    for (size_t d = rank; d-- > 0;) {
      if (statement.targetIndices.size() != rank ||
          view.extents[statement.targetIndices[d].value] != result.shape[d])
        return fail(Code::ShapeMismatch,
                    "`" + target.name + "` is not written as a whole");
      // A diagonal walks along several dims at once.
      view.targetStrides[statement.targetIndices[d].value] += stride;
      stride *= result.shape[d];
    }
    result.allocate(stride, statement.computeType);
    if (statement.update == UpdateKind::Assign || statement.fromIdentity)
      return success();
    if (!isWritten(statement.target))
      return fail(Code::ShapeMismatch,
                  "`" + target.name + "` is continued before it is written");
    previous = convert(*tensors[statement.target.value], target.type,
                       statement.computeType);
    view.previous.emplace();
    view.previous->tensor = &previous;
    view.previous->largest = view.rounding.largest;
    return success();
  }

  /// The value as if it were a place: an offset, and a stride per index.
  LogicalResult makePosition(const Affine &value, const StatementView &view,
                             AccessView &position) {
    Affine sizes(value.getConstant());
    for (const Affine::SymbolTerm &term : value.getSymbolTerms())
      sizes = sizes + Affine(term.id) * term.coefficient;
    std::optional<int64_t> offset = evaluate(sizes);
    if (!offset)
      return fail(Code::ShapeMismatch, "a size overflows");
    position.offset = *offset;
    position.strides.assign(view.extents.size(), 0);
    for (const Affine::IndexTerm &term : value.getIndexTerms())
      position.strides[term.id.value] = term.coefficient;
    return success();
  }

  LogicalResult makeReads(ExprId id, StatementView &view) {
    const Expr &expr = def[id];
    if (expr.kind == ExprKind::Access)
      return makeAccess(expr.tensor, expr.subscripts, view,
                        view.reads[id.value]);
    if (expr.kind == ExprKind::Position)
      return makePosition(expr.subscripts.front(), view, view.reads[id.value]);
    for (ExprId operand : expr.getOperands())
      if (failed(makeReads(operand, view)))
        return llvm::failure();
    return success();
  }

  LogicalResult runStatement(const Statement &statement) {
    StatementView view{def, statement, Rounding::get(statement.computeType)};
    // The new contents are made apart: the right side reads the old ones.
    Value result;
    if (failed(makeIterationSpace(view)) || failed(makeTarget(view, result)))
      return llvm::failure();
    view.reads.resize(def.exprs.size());
    if (failed(makeReads(statement.value, view)))
      return llvm::failure();
    bool mayDivideByZero = false;
    if (!options.useMatrixProducts || !evaluateNetwork(view, result))
      if (failed(evaluateLoopNest(view, result, mayDivideByZero)))
        return fail(Code::Domain, "an integer is divided by zero");
    if (mayDivideByZero)
      (void)fail(Code::Domain, "rounding may make a divisor zero");
    storage[statement.target.value] = convert(
        std::move(result), statement.computeType, def[statement.target].type);
    tensors[statement.target.value] = &storage[statement.target.value];
    return success();
  }
};

} // namespace

LogicalResult evaluate(const Def &def, ArrayRef<int64_t> symbolValues,
                       ArrayRef<Value> inputs, std::vector<Value> &results,
                       Failure &failure, const EvaluateOptions &options) {
  return Evaluator(def, symbolValues, failure, options).run(inputs, results);
}

} // namespace ein::reference
