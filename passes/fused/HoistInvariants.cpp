//===- HoistInvariants.cpp - Functions of few dims, once ------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: `Y(n, c) = X(n, c) * rsqrt(v(c) + 1e-5)` computes each root for each
// n anew. Along rows, as in `rsqrt(v(n))`, LLVM moves it out of the innermost
// loop; along columns the root is a vector that changes with each step of that.
//
// Choice: what depends on the dim of the innermost loop, and not on another
// one, is an array. It costs a read for each element, so a function or a
// quotient has to be in it. Its numbers are what they were.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"
#include "passes/analysis/BodyExpression.h"
#include "passes/analysis/VectorForms.h"
#include "passes/fused/Passes.h"

namespace ein {
#define GEN_PASS_DEF_HOISTINVARIANTS
#include "passes/fused/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

/// Whether the op takes several times as long as a read from a near cache.
bool isCostly(Operation *op) {
  if (isa<math::MathDialect>(op->getDialect()))
    return !isCheapMath(op) && !isa<math::RoundOp>(op);
  return isa<arith::DivFOp, arith::RemFOp, complex::DivOp, complex::ExpOp,
             complex::LogOp, complex::SqrtOp, complex::AbsOp, complex::PowOp,
             complex::AngleOp, LogSumOp>(op);
}

class InvariantHoister {
public:
  InvariantHoister(RewriterBase &rewriter, linalg::GenericOp op)
      : rewriter(rewriter), op(op) {}

  /// The arrays that the op reads now, in which there may be others.
  SmallVector<linalg::GenericOp> run();

private:
  void findFastest();
  bool isInvariant(const BodyExpression &expression);
  void findExpressions();

  RewriterBase &rewriter;
  linalg::GenericOp op;
  /// The operand whose order of dims an array has, and the dims along which
  /// operands of as many dims lie in memory.
  AffineMap largest;
  llvm::SmallBitVector fastest;
  SmallVector<BodyExpression> expressions;
};

} // namespace

/// The result says along which dim loops run innermost; of a sum, whatever has
/// most dims.
void InvariantHoister::findFastest() {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  largest = maps.back();
  if (op.getNumReductionLoops() != 0)
    for (AffineMap map : maps)
      if (map.getNumResults() > largest.getNumResults())
        largest = map;
  fastest.resize(op.getNumLoops());
  for (AffineMap map : maps)
    if (map.getNumResults() == largest.getNumResults() &&
        map.getNumResults() != 0 &&
        (map == maps.back() || op.getNumReductionLoops() != 0))
      if (auto dim = dyn_cast<AffineDimExpr>(map.getResults().back()))
        fastest.set(dim.getPosition());
}

bool InvariantHoister::isInvariant(const BodyExpression &expression) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  bool isRepeated = false;
  for (unsigned dim = 0, e = op.getNumLoops(); dim != e; ++dim)
    isRepeated |= !expression.dims.test(dim) && sizes[dim] != 1;
  return isRepeated && expression.dims.anyCommon(fastest);
}

/// The largest ones that are costly, from the body's end.
void InvariantHoister::findExpressions() {
  llvm::SmallPtrSet<Operation *, 16> covered;
  for (Operation &inner : llvm::reverse(op.getBody()->without_terminator())) {
    if (inner.getNumResults() != 1 ||
        llvm::all_of(inner.getUsers(),
                     [&](Operation *user) { return covered.contains(user); }))
      continue;
    FailureOr<BodyExpression> expression =
        BodyExpression::find(op, inner.getResult(0));
    if (failed(expression) || !isInvariant(*expression) ||
        llvm::none_of(expression->ops, isCostly))
      continue;
    covered.insert_range(expression->ops);
    expressions.push_back(std::move(*expression));
  }
}

SmallVector<linalg::GenericOp> InvariantHoister::run() {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 ||
      op.getLibraryCall() || op->hasAttr(EinDialect::kScheduleAttr) ||
      llvm::none_of(op.getBody()->without_terminator(),
                    [](Operation &inner) { return isCostly(&inner); }))
    return {};
  findFastest();
  findExpressions();
  if (expressions.empty())
    return {};
  rewriter.setInsertionPoint(op);
  SmallVector<Value> inputs(op.getInputs());
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<linalg::GenericOp> arrays;
  Block *body = op.getBody();
  for (const BodyExpression &expression : expressions) {
    Type type = expression.value.getType();
    BodyExpression::Array array =
        expression.createArray(rewriter, op, largest, type, "computed once");
    arrays.push_back(array.value.getDefiningOp<linalg::GenericOp>());
    maps.insert(maps.begin() + inputs.size(), array.map);
    inputs.push_back(array.value);
  }
  // The expressions are of arguments by number: these come last.
  unsigned number = op.getNumDpsInputs();
  for (const BodyExpression &expression : expressions)
    rewriter.replaceAllUsesWith(expression.value,
                                body->insertArgument(number++,
                                                     expression.value.getType(),
                                                     op.getLoc()));
  auto inner = llvm::map_to_vector(body->without_terminator(),
                                   [](Operation &part) { return &part; });
  for (Operation *part : llvm::reverse(inner))
    if (isOpTriviallyDead(part))
      rewriter.eraseOp(part);
  auto rest = linalg::GenericOp::create(
      rewriter, op.getLoc(), op.getResultTypes(), inputs, op.getOutputs(), maps,
      op.getIteratorTypesArray());
  rest->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rest.getRegion().takeBody(op.getRegion());
  rewriter.replaceOp(op, rest.getResults());
  (void)linalg::deduplicateOperandsAndRemoveDeadResults(
      rewriter, rest, /*removeOutputs=*/false);
  return arrays;
}

namespace {
struct HoistInvariantsPass : impl::HoistInvariantsBase<HoistInvariantsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) { ops.push_back(op); });
    while (!ops.empty())
      ops.append(InvariantHoister(rewriter, ops.pop_back_val()).run());
  }
};
} // namespace

} // namespace ein
