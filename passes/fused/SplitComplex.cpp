//===- SplitComplex.cpp - Complex contractions as real ones ---------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// There are no vectors of complex numbers, but their register tiles are easily
// made of real ones (Vectorize.cpp), where rows of B and C are contiguous. So a
// contraction with rows and columns stays as it is: it is packed, blocked and
// given to threads as any other.
//
// Where C is not written along its last dim, where an operand is a slice with
// gaps, and where products are a library's, it is four contractions of real and
// imaginary planes,
//
//   re(C) += re(A) re(B) + (-im(A)) im(B)
//   im(C) += re(A) im(B) +   im(A)  re(B)
//
// The planes are tensors of their own, which cost a pass over each operand.
// Three products would do (Gauss), but lose the imaginary part where the real
// one is much larger.
//
// A contraction without rows or without columns (matrix times vector, dot)
// reads each element of an operand once: the copies would take several times as
// long as the sum. It becomes one op, a reduction of complex numbers in
// vectors. The loop along which the larger operand is contiguous is the
// innermost one. Where an operand is not contiguous along it, the op has the
// planes of its result; LLVM loads vectors of pairs and takes them apart in
// registers.
//
// What is not a contraction stays complex: its vectors are of interleaved parts
// (passes/analysis/ComplexVectors.h).
//
//===----------------------------------------------------------------------===//

#include "ir/IndexNames.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "passes/analysis/Reductions.h"
#include "passes/fused/Passes.h"

namespace ein {
#define GEN_PASS_DEF_SPLITCOMPLEX
#include "passes/fused/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

enum class Part { Real, Imaginary, MinusImaginary };

/// Writes the real contractions of one complex contraction.
class Splitter {
public:
  explicit Splitter(linalg::ContractOp op)
      : op(op), b(op.getLoc(), op), maps(op.getIndexingMapsArray()) {}

  void run();
  /// Whether an element of one operand meets several of the other, both ways.
  bool hasReuse();
  /// Whether register tiles can read and write the elements where they are.
  bool hasVectors();

private:
  Value makeEmpty(Value like, Type elementType);
  Value mapElements(ValueRange inputs, Value init,
                    function_ref<Value(ImplicitLocOpBuilder &, ValueRange)>);
  Value getPart(Value tensor, Part part);
  Value contract(Value lhs, Value rhs, Value init);
  /// The order of loops that reads the larger operand as it lies in memory.
  SmallVector<unsigned> getStreamingOrder();
  /// One op that sums up, into `inits`, what `build` makes of the elements.
  linalg::GenericOp
  createSum(ValueRange inits,
            function_ref<SmallVector<Value>(ImplicitLocOpBuilder &, ValueRange)>
                build);
  /// One op whose vectors are of complex numbers, if it can have some.
  linalg::GenericOp sumElements();
  /// The planes of the result, of four contractions and of one op.
  std::pair<Value, Value> contractPlanes();
  std::pair<Value, Value> contractElements();

  linalg::ContractOp op;
  ImplicitLocOpBuilder b;
  SmallVector<AffineMap> maps;
};

} // namespace

Value Splitter::makeEmpty(Value like, Type elementType) {
  return tensor::EmptyOp::create(b, tensor::getMixedSizes(b, b.getLoc(), like),
                                 elementType);
}

/// One elementwise op over tensors of one shape.
Value Splitter::mapElements(
    ValueRange inputs, Value init,
    function_ref<Value(ImplicitLocOpBuilder &, ValueRange)> build) {
  int64_t rank = cast<RankedTensorType>(init.getType()).getRank();
  SmallVector<AffineMap> identities(inputs.size() + 1,
                                    b.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, TypeRange(init.getType()), inputs, init, identities, iterators,
             [&](OpBuilder &builder, Location loc, ValueRange arguments) {
               ImplicitLocOpBuilder body(loc, builder);
               linalg::YieldOp::create(
                   body, build(body, arguments.take_front(inputs.size())));
             })
      .getResult(0);
}

Value Splitter::getPart(Value tensor, Part which) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Type real = cast<ComplexType>(type.getElementType()).getElementType();
  Value init = makeEmpty(tensor, real);
  // A sum that starts from a constant starts from that constant's parts.
  auto fill = tensor.getDefiningOp<linalg::FillOp>();
  auto constant =
      fill ? fill.getInputs()[0].getDefiningOp<complex::ConstantOp>() : nullptr;
  if (constant && which != Part::MinusImaginary) {
    Attribute part = constant.getValue()[which == Part::Real ? 0 : 1];
    Value scalar = arith::ConstantOp::create(b, cast<TypedAttr>(part));
    return linalg::FillOp::create(b, scalar, init).getResult(0);
  }
  return mapElements(
      tensor, init, [&](ImplicitLocOpBuilder &body, ValueRange element) {
        Value part = which == Part::Real
                         ? complex::ReOp::create(body, element[0]).getResult()
                         : complex::ImOp::create(body, element[0]).getResult();
        if (which == Part::MinusImaginary)
          part = arith::NegFOp::create(body, part);
        return part;
      });
}

Value Splitter::contract(Value lhs, Value rhs, Value init) {
  return linalg::ContractOp::create(b, init.getType(), ValueRange{lhs, rhs},
                                    init, b.getAffineMapArrayAttr(maps))
      .getResult(0);
}

bool Splitter::hasReuse() {
  std::array<bool, 2> hasOwnDim = {false, false};
  for (unsigned dim = 0, e = op.getNumLoops(); dim < e; ++dim)
    for (unsigned i : {0u, 1u})
      hasOwnDim[i] |= maps[2].isFunctionOfDim(dim) &&
                      maps[i].isFunctionOfDim(dim) &&
                      !maps[1 - i].isFunctionOfDim(dim);
  return hasOwnDim[0] && hasOwnDim[1];
}

/// Whether elements that are neighbours along the last dim are so in memory.
static bool areTogether(Value value) {
  while (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>()) {
    int64_t last = slice.getSourceType().getRank() - 1;
    if (last < 0 || slice.getDroppedDims().test(last) ||
        !isOneInteger(slice.getMixedStrides()[last]))
      return false;
    value = slice.getSource();
  }
  auto result = dyn_cast<OpResult>(value);
  return !result || isa<linalg::LinalgOp, tensor::EmptyOp, arith::ConstantOp>(
                        result.getOwner());
}

bool Splitter::hasVectors() {
  auto type = cast<RankedTensorType>(op.getDpsInits()[0].getType());
  Type part = cast<ComplexType>(type.getElementType()).getElementType();
  if (!(part.isF32() || part.isF64()))
    return false;
  // C is read and written along its last dim.
  AffineExpr last = maps[2].getResults().back();
  bool isOfOne = maps[0].getResultPosition(last).has_value() !=
                 maps[1].getResultPosition(last).has_value();
  return isOfOne && llvm::all_of(op->getOperands(), areTogether);
}

SmallVector<unsigned> Splitter::getStreamingOrder() {
  AffineMap larger =
      maps[maps[1].getNumResults() > maps[0].getNumResults() ? 1 : 0];
  unsigned last = larger.getDimPosition(larger.getNumResults() - 1);
  SmallVector<unsigned> order;
  for (bool isResult : {true, false})
    for (unsigned dim = 0, e = op.getNumLoops(); dim < e; ++dim)
      if (dim != last && maps[2].isFunctionOfDim(dim) == isResult)
        order.push_back(dim);
  order.push_back(last);
  return order;
}

linalg::GenericOp Splitter::createSum(
    ValueRange inits,
    function_ref<SmallVector<Value>(ImplicitLocOpBuilder &, ValueRange)>
        build) {
  SmallVector<unsigned> order = getStreamingOrder();
  // Old dim order[i] is new dim i.
  SmallVector<AffineExpr> newDims(order.size());
  SmallVector<utils::IteratorType> iterators;
  for (auto [i, dim] : llvm::enumerate(order)) {
    newDims[dim] = b.getAffineDimExpr(i);
    iterators.push_back(maps[2].isFunctionOfDim(dim)
                            ? utils::IteratorType::parallel
                            : utils::IteratorType::reduction);
  }
  AffineMap renamed = AffineMap::get(order.size(), 0, newDims, b.getContext());
  SmallVector<AffineMap> newMaps = {maps[0].compose(renamed),
                                    maps[1].compose(renamed)};
  newMaps.append(inits.size(), maps[2].compose(renamed));
  return linalg::GenericOp::create(
      b, selectIndexNames(op.getLoc(), order), TypeRange(inits),
      op.getDpsInputs(), inits, newMaps, iterators,
      [&](OpBuilder &builder, Location loc, ValueRange arguments) {
        ImplicitLocOpBuilder body(loc, builder);
        linalg::YieldOp::create(body, build(body, arguments));
      });
}

/// In any order, as the sums of contractions.
static constexpr arith::FastMathFlags kSumFlags =
    arith::FastMathFlags::reassoc | arith::FastMathFlags::contract;

linalg::GenericOp Splitter::sumElements() {
  auto sum = createSum(
      op.getDpsInits(), [](ImplicitLocOpBuilder &body, ValueRange arguments) {
        Value product = complex::MulOp::create(body, arguments[0], arguments[1],
                                               arith::FastMathFlags::contract);
        return SmallVector<Value>{
            complex::AddOp::create(body, arguments[2], product, kSumFlags)};
      });
  if (succeeded(matchReduction(sum, sum.getNumLoops() - 1)))
    return sum;
  sum.erase();
  return {};
}

std::pair<Value, Value> Splitter::contractElements() {
  Value init = op.getDpsInits()[0];
  Value inits[] = {getPart(init, Part::Real), getPart(init, Part::Imaginary)};
  auto planes = createSum(inits, [](ImplicitLocOpBuilder &body,
                                    ValueRange arguments) {
    Value re[2], im[2];
    for (unsigned i : {0u, 1u}) {
      re[i] = complex::ReOp::create(body, arguments[i]);
      im[i] = complex::ImOp::create(body, arguments[i]);
    }
    auto times = [&](Value x, Value y) -> Value {
      return arith::MulFOp::create(body, x, y, arith::FastMathFlags::contract);
    };
    auto plus = [&](Value x, Value y) -> Value {
      return arith::AddFOp::create(body, x, y, kSumFlags);
    };
    Value real = plus(arguments[2], times(re[0], re[1]));
    real = arith::SubFOp::create(body, real, times(im[0], im[1]), kSumFlags);
    Value imaginary = plus(arguments[3], times(re[0], im[1]));
    imaginary = plus(imaginary, times(im[0], re[1]));
    return SmallVector<Value>{real, imaginary};
  });
  return {planes.getResult(0), planes.getResult(1)};
}

std::pair<Value, Value> Splitter::contractPlanes() {
  Value lhs = op.getDpsInputs()[0], rhs = op.getDpsInputs()[1];
  Value init = op.getDpsInits()[0];
  Value lhsReal = getPart(lhs, Part::Real);
  Value lhsImaginary = getPart(lhs, Part::Imaginary);
  Value lhsMinus = getPart(lhs, Part::MinusImaginary);
  Value rhsReal = getPart(rhs, Part::Real);
  Value rhsImaginary = getPart(rhs, Part::Imaginary);

  Value real = contract(lhsReal, rhsReal, getPart(init, Part::Real));
  real = contract(lhsMinus, rhsImaginary, real);
  Value imaginary =
      contract(lhsReal, rhsImaginary, getPart(init, Part::Imaginary));
  imaginary = contract(lhsImaginary, rhsReal, imaginary);
  return {real, imaginary};
}

void Splitter::run() {
  if (linalg::GenericOp sum =
          hasReuse() ? linalg::GenericOp() : sumElements()) {
    op->replaceAllUsesWith(sum);
    op->erase();
    return;
  }
  auto [real, imaginary] = hasReuse() ? contractPlanes() : contractElements();
  Value init = op.getDpsInits()[0];
  // Into the destination itself, whatever was filled into it.
  if (auto fill = init.getDefiningOp<linalg::FillOp>())
    init = fill.getOutputs()[0];
  auto type = cast<RankedTensorType>(init.getType());
  Value result =
      mapElements({real, imaginary}, init,
                  [&](ImplicitLocOpBuilder &body, ValueRange parts) {
                    return complex::CreateOp::create(
                               body, type.getElementType(), parts[0], parts[1])
                        .getResult();
                  });
  op->replaceAllUsesWith(ValueRange{result});
  op->erase();
}

/// Whether all three tensors are of one complex type.
static bool isComplex(linalg::ContractOp op) {
  Type type = getElementTypeOrSelf(op.getDpsInits()[0]);
  return op.hasPureTensorSemantics() && isa<ComplexType>(type) &&
         llvm::all_of(op.getDpsInputs(), [&](Value input) {
           return getElementTypeOrSelf(input) == type;
         });
}

namespace {
struct SplitComplexPass : impl::SplitComplexBase<SplitComplexPass> {
  using SplitComplexBase::SplitComplexBase;
  void runOnOperation() override {
    SmallVector<linalg::ContractOp> ops;
    getOperation().walk([&](linalg::ContractOp op) {
      if (isComplex(op))
        ops.push_back(op);
    });
    for (linalg::ContractOp op : ops) {
      Splitter splitter(op);
      if (planes || !splitter.hasReuse() || !splitter.hasVectors())
        splitter.run();
    }
  }
};
} // namespace

} // namespace ein
