//===- Evaluate.cpp - What a definition means -----------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "reference/Evaluate.h"
#include "abi/Codes.h"
#include "reference/Convert.h"
#include "reference/Statement.h"

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
      : def(def), symbols(symbols.begin(), symbols.end()), failure(failure),
        options(options), tensors(def.tensors.size()),
        storage(def.tensors.size()) {}

  LogicalResult checkSizes() {
    failure = {};
    return runChecks();
  }

  LogicalResult run(ArrayRef<Value> inputs, std::vector<Value> &results) {
    failure = {};
    if (failed(takeInputs(inputs)))
      return llvm::failure();
    takeScalars();
    if (failed(runChecks()))
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
  std::vector<int64_t> symbols;
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
      if ((symbols[i] < 0 && !def.dependsOnScalar(SymbolId(i))) ||
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

  /// Scalars, and what slices start at by them; -1, which the checks refuse,
  /// where that is no number that fits.
  void takeScalars() {
    std::vector<bool> fits(symbols.size(), true);
    for (auto [i, symbol] : llvm::enumerate(def.symbols)) {
      if (!def.dependsOnScalar(SymbolId(i)))
        continue;
      if (symbol.scalar.isValid()) {
        symbols[i] = tensors[symbol.scalar.value]->integers[0];
        fits[i] =
            def[symbol.scalar].type != ElementType::U64 || symbols[i] >= 0;
        continue;
      }
      const Affine &start = symbol.quotient->numerator;
      std::optional<int64_t> value = evaluate(start);
      for (const Affine::SymbolTerm &term : start.getSymbolTerms())
        if (!fits[term.id.value])
          value = std::nullopt;
      symbols[i] = value.value_or(-1);
    }
  }

  bool isProduct(int64_t value, const SizeCheck &check) {
    int64_t product = 1;
    bool isZero = false, overflows = false;
    for (const Affine &factor : check.factors) {
      std::optional<int64_t> size = evaluate(factor);
      isZero |= size == 0;
      overflows |= !size || __builtin_mul_overflow(product, *size, &product);
    }
    return isZero ? value == 0 : !overflows && value == product;
  }

  LogicalResult runChecks() {
    for (const SizeCheck &check : def.checks) {
      std::optional<int64_t> value = evaluate(check.expr);
      bool holds = value && (check.kind == SizeCheck::Equal ? *value == 0
                             : check.kind == SizeCheck::Product
                                 ? isProduct(*value, check)
                                 : *value >= 0);
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
    if (tensor.type == ElementType::BF16 &&
        view.statement.computeType == ElementType::F32 &&
        view.statement.update == UpdateKind::Add)
      access.leastKept = Rounding::get(tensor.type).smallest;
    if (options.splitsProducts && tensor.type == ElementType::F32 &&
        view.statement.computeType == ElementType::F32 &&
        view.statement.update == UpdateKind::Add)
      access.split();
    access.strides.assign(view.extents.size(), 0);
    if (view.numPoints == 0)
      return success();
    int64_t stride = 1;
    for (size_t d = subscripts.size(); d-- > 0;) {
      std::optional<int64_t> start = evaluate(subscripts[d].withoutIndices());
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

  /// Where each point of what the statement writes goes in all of the target.
  struct Slice {
    std::vector<int64_t> shape; // of the target
    std::vector<int64_t> offsets, steps, sizes;

    /// Calls `callback` with positions in the slice and in the target.
    template <typename Fn> void forEach(Fn callback) const {
      std::vector<int64_t> extents = sizes, strides(sizes.size(), 0);
      int64_t stride = 1, start = 0, count = 1;
      for (size_t d = sizes.size(); d-- > 0;) {
        strides[d] = stride * steps[d];
        start += stride * offsets[d];
        stride *= shape[d];
        count *= sizes[d];
      }
      for (int64_t i = 0; i < count; ++i) {
        int64_t rest = i, position = start;
        for (size_t d = sizes.size(); d-- > 0; rest /= sizes[d])
          position += rest % sizes[d] * strides[d];
        callback(i, position);
      }
    }
  };

  /// No element outside of the target may be reached, whatever the checks say.
  LogicalResult makeSlice(const StatementView &view, Slice &slice) {
    const Statement &statement = view.statement;
    const Tensor &target = def[statement.target];
    if (failed(getShape(target, slice.shape)))
      return llvm::failure();
    size_t rank = slice.shape.size();
    if (statement.targetIndices.size() != rank ||
        (!statement.slice.empty() && statement.slice.size() != rank))
      return fail(Code::ShapeMismatch,
                  "`" + target.name + "` has another number of dims");
    for (size_t d = 0; d < rank; ++d) {
      int64_t extent = view.extents[statement.targetIndices[d].value];
      slice.sizes.push_back(extent);
      if (statement.slice.empty()) {
        if (extent != slice.shape[d])
          return fail(Code::ShapeMismatch,
                      "`" + target.name + "` is not written as a whole");
        slice.offsets.push_back(0);
        slice.steps.push_back(1);
        continue;
      }
      std::optional<int64_t> offset = evaluate(statement.slice[d].offset);
      int64_t step = statement.slice[d].step;
      __int128 last = static_cast<__int128>(step) * (extent - 1);
      if (view.numPoints != 0 && (!offset || *offset < 0 || step < 1 ||
                                  *offset + last >= slice.shape[d]))
        return fail(Code::OutOfRange, "a slice of `" + target.name +
                                          "` leaves dimension " +
                                          std::to_string(d));
      slice.offsets.push_back(offset.value_or(0));
      slice.steps.push_back(step);
    }
    return success();
  }

  static void copyElement(const Value &from, int64_t i, Value &to, int64_t j) {
    to.bounds[j] = from.bounds[i];
    if (from.values.size())
      to.values[j] = from.values[i];
    if (from.integers.size())
      to.integers[j] = from.integers[i];
    if (from.imaginary.values.size()) {
      to.imaginary.values[j] = from.imaginary.values[i];
      to.imaginary.bounds[j] = from.imaginary.bounds[i];
    }
  }

  /// The slice's elements so far, in the accumulator's type; zeros if nothing
  /// was written.
  Value readSlice(const StatementView &view, const Slice &slice) {
    const Statement &statement = view.statement;
    const Tensor &target = def[statement.target];
    Value result;
    result.shape = slice.sizes;
    int64_t count = 1;
    for (int64_t size : slice.sizes)
      count *= size;
    result.allocate(count, target.type);
    if (isWritten(statement.target))
      slice.forEach([&](int64_t i, int64_t position) {
        copyElement(*tensors[statement.target.value], position, result, i);
      });
    return convert(std::move(result), target.type, statement.computeType);
  }

  /// All of the target, with the slice replaced.
  Value writeSlice(const Statement &statement, const Slice &slice,
                   const Value &part) {
    Value whole;
    if (isWritten(statement.target)) {
      whole = *tensors[statement.target.value];
    } else {
      whole.shape = slice.shape;
      int64_t count = 1;
      for (int64_t size : slice.shape)
        count *= size;
      whole.allocate(count, def[statement.target].type);
    }
    slice.forEach([&](int64_t i, int64_t position) {
      copyElement(part, i, whole, position);
    });
    return whole;
  }

  /// The new contents' shape, where each point goes, and what was there.
  LogicalResult makeTarget(StatementView &view, const Slice &slice,
                           Value &result) {
    const Statement &statement = view.statement;
    const Tensor &target = def[statement.target];
    result.shape = slice.sizes;
    view.targetStrides.assign(view.extents.size(), 0);
    int64_t stride = 1;
    for (size_t d = slice.sizes.size(); d-- > 0;) {
      // A diagonal walks along several dims at once.
      view.targetStrides[statement.targetIndices[d].value] += stride;
      stride *= slice.sizes[d];
    }
    result.allocate(stride, statement.computeType);
    bool isAssigned = statement.update == UpdateKind::Assign;
    bool continues = !isAssigned && !statement.fromIdentity;
    if (continues && !isWritten(statement.target))
      return fail(Code::ShapeMismatch,
                  "`" + target.name + "` is continued before it is written");
    bool keeps = isAssigned && statement.condition.isValid();
    if (!continues && !keeps)
      return success();
    previous = readSlice(view, slice);
    std::optional<AccessView> &read = continues ? view.previous : view.kept;
    read.emplace();
    read->tensor = &previous;
    read->largest = view.rounding.largest;
    read->strides = view.targetStrides;
    return success();
  }

  /// The value as if it were a place: an offset, and a stride per index.
  LogicalResult makePosition(const Affine &value, const StatementView &view,
                             AccessView &position) {
    std::optional<int64_t> offset = evaluate(value.withoutIndices());
    if (!offset)
      return fail(Code::ShapeMismatch, "a size overflows");
    position.offset = *offset;
    position.strides.assign(view.extents.size(), 0);
    for (const Affine::IndexTerm &term : value.getIndexTerms())
      position.strides[term.id.value] = term.coefficient;
    return success();
  }

  /// Where it reads is for the right side to say.
  LogicalResult makeGather(const Expr &gather, AccessView &access) {
    const Tensor &tensor = def[gather.tensor];
    if (!isWritten(gather.tensor) || gather.places.size() != tensor.dims.size())
      return fail(Code::ShapeMismatch,
                  "`" + tensor.name + "` is read before it is written");
    access.tensor = tensors[gather.tensor.value];
    access.largest = Rounding::get(tensor.type).largest;
    return success();
  }

  LogicalResult makeReads(ExprId id, StatementView &view) {
    const Expr &expr = def[id];
    if (expr.kind == ExprKind::Access)
      return makeAccess(expr.tensor, expr.subscripts, view,
                        view.reads[id.value]);
    if (expr.kind == ExprKind::Gather &&
        failed(makeGather(expr, view.reads[id.value])))
      return llvm::failure();
    if (expr.kind == ExprKind::Position)
      return makePosition(expr.subscripts.front(), view, view.reads[id.value]);
    for (ExprId operand : expr.getOperands())
      if (failed(makeReads(operand, view)))
        return llvm::failure();
    return success();
  }

  /// The same elements in the same order.
  LogicalResult runReshape(const Statement &statement, const Expr &reshape) {
    const Tensor &from = def[reshape.tensor];
    if (!isWritten(reshape.tensor))
      return fail(Code::ShapeMismatch,
                  "`" + from.name + "` is read before it is written");
    Value result = *tensors[reshape.tensor.value];
    result.shape.clear();
    if (failed(getShape(def[statement.target], result.shape)))
      return llvm::failure();
    int64_t count = 1;
    for (int64_t extent : result.shape)
      count *= extent;
    if (count != result.size())
      return fail(Code::ShapeMismatch,
                  "`" + from.name + "` has another number of elements");
    storage[statement.target.value] = std::move(result);
    tensors[statement.target.value] = &storage[statement.target.value];
    return success();
  }

  /// What the target holds before a statement in order: what was written, or
  /// zeros, or what it accumulates from.
  LogicalResult startInOrder(const Statement &statement, Value &state) {
    const Tensor &target = def[statement.target];
    bool accumulates = statement.update != UpdateKind::Assign;
    if (failed(getShape(target, state.shape)))
      return llvm::failure();
    int64_t count = 1;
    for (int64_t extent : state.shape)
      count *= extent;
    if (accumulates && statement.fromIdentity) {
      ElementType type = statement.computeType;
      state.allocate(count, type);
      Scalar identity = getIdentity(statement.update, type);
      if (isFloat(getPartType(type)))
        state.values.setConstant(
            getIdentity(statement.update, getPartType(type)).number.value);
      else
        state.integers.setConstant(identity.integer);
      return success();
    }
    if (!isWritten(statement.target)) {
      if (accumulates)
        return fail(Code::ShapeMismatch,
                    "`" + target.name + "` is continued before it is written");
      state.allocate(count, target.type);
      return success();
    }
    state = *tensors[statement.target.value];
    if (accumulates)
      state = convert(std::move(state), target.type, statement.computeType);
    return success();
  }

  bool readsOwn(const Statement &statement, ExprId id) const {
    const Expr &expr = def[id];
    bool isRead =
        expr.kind == ExprKind::Access || expr.kind == ExprKind::Gather;
    return (isRead && expr.tensor == statement.target) ||
           llvm::any_of(expr.getOperands(), [&](ExprId operand) {
             return readsOwn(statement, operand);
           });
  }

  LogicalResult runInOrder(const Statement &statement) {
    StatementView view{def, statement, Rounding::get(statement.computeType)};
    Value state;
    if (failed(makeIterationSpace(view)) ||
        failed(startInOrder(statement, state)))
      return llvm::failure();
    // What is read of the target is what has become of it.
    Value &result = storage[statement.target.value];
    result = std::move(state);
    tensors[statement.target.value] = &result;
    view.reads.resize(def.exprs.size());
    bool isOwn = readsOwn(statement, statement.value);
    if (statement.condition.isValid()) {
      isOwn |= readsOwn(statement, statement.condition);
      if (failed(makeReads(statement.condition, view)))
        return llvm::failure();
    }
    if (failed(makeReads(statement.value, view)) ||
        failed(makeReads(statement.written, view)) ||
        failed(takeTrouble(statement, evaluateInOrder(view, isOwn, result))))
      return llvm::failure();
    if (statement.update != UpdateKind::Assign)
      result = convert(std::move(result), statement.computeType,
                       def[statement.target].type);
    return success();
  }

  LogicalResult takeTrouble(const Statement &statement,
                            const DataTrouble &trouble) {
    std::string place =
        " where `" + def[statement.target].name + "` is computed";
    if (trouble.certain == Code::Domain)
      return fail(Code::Domain, "an integer is divided by zero" + place);
    if (trouble.certain == Code::OutOfRange)
      return fail(Code::OutOfRange, "an index is out of range" + place);
    if (trouble.possible == Code::Domain)
      (void)fail(Code::Domain, "rounding may make a divisor zero" + place);
    if (trouble.possible == Code::OutOfRange)
      (void)fail(Code::OutOfRange,
                 "rounding may have an index out of range" + place);
    return success();
  }

  LogicalResult runStatement(const Statement &statement) {
    if (const Expr *reshape = def.getReshape(statement))
      return runReshape(statement, *reshape);
    if (statement.isInOrder())
      return runInOrder(statement);
    StatementView view{def, statement, Rounding::get(statement.computeType)};
    // The new contents are made apart: the right side reads the old ones.
    Value result;
    Slice slice;
    if (failed(makeIterationSpace(view)) || failed(makeSlice(view, slice)) ||
        failed(makeTarget(view, slice, result)))
      return llvm::failure();
    view.reads.resize(def.exprs.size());
    if (failed(makeReads(statement.value, view)) ||
        (statement.condition.isValid() &&
         failed(makeReads(statement.condition, view))))
      return llvm::failure();
    DataTrouble trouble;
    if (!options.useMatrixProducts || !evaluateNetwork(view, result))
      trouble = evaluateLoopNest(view, result);
    if (failed(takeTrouble(statement, trouble)))
      return llvm::failure();
    result = convert(std::move(result), statement.computeType,
                     def[statement.target].type);
    if (!statement.slice.empty())
      result = writeSlice(statement, slice, result);
    storage[statement.target.value] = std::move(result);
    tensors[statement.target.value] = &storage[statement.target.value];
    return success();
  }
};

} // namespace

LogicalResult checkSizes(const Def &def, ArrayRef<int64_t> symbolValues,
                         Failure &failure) {
  return Evaluator(def, symbolValues, failure, {}).checkSizes();
}

LogicalResult evaluate(const Def &def, ArrayRef<int64_t> symbolValues,
                       ArrayRef<Value> inputs, std::vector<Value> &results,
                       Failure &failure, const EvaluateOptions &options) {
  return Evaluator(def, symbolValues, failure, options).run(inputs, results);
}

} // namespace ein::reference
