//===- FoldExtensions.cpp - Read integers as narrow as they are -----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An i8 that is multiplied into an i32 is an i32 first, as the language has it:
// a whole array of them, four times as large as the one it was made from. A
// contraction can read the narrow array itself and say how it is extended.
// Packing then moves a quarter of the bytes, and machines have instructions for
// sums of narrow products (`kPack` in Schedule.h).
//
// `linalg.contract` has one kind of extension for both of its inputs. An
// unsigned array times a signed one is an `ein.contract`, with a cast for each.
//
// An array that is computed, and extended in the same body, is kept as narrow
// as it is before that: a cast in the program rounds what is multiplied.
//
// Of floats, matrices of bf16 are read as they are, for which machines have
// such instructions, and those of f16 where the machine at hand has: f16 is
// converted faster as an array of its own than on the way to panels. So are the
// rows of bf16 where the machine has no such instructions; its columns, which
// may be many that are read once, are converted on their way. Sums of products
// along rows of both read bf16 on any machine, and so do a row's products with
// a matrix: each number of that is read once. The others' extended arrays stay:
// they can be given to a library.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/Raising.h"
#include "passes/contract/Elementwise.h"
#include "passes/contract/Passes.h"
#include "passes/contract/Transforms.h"

namespace ein {
#define GEN_PASS_DEF_FOLDEXTENSIONS
#include "passes/contract/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

/// How an input of a contraction comes to the type that is multiplied in.
struct Extension {
  /// The narrow array, or the input itself if nothing extends it.
  Value source;
  std::optional<linalg::TypeFn> cast;
  /// The type of the narrow array's elements, which is not there yet if an op
  /// computes `source` and extends each element.
  Type element;
  bool isComputed() const {
    return getElementTypeOrSelf(source.getType()) != element;
  }
};

Extension getUnextended(Value input) {
  return {input, std::nullopt, getElementTypeOrSelf(input.getType())};
}

} // namespace

/// What extends the elements that `op` yields, if something does.
static Operation *getLastExtension(linalg::GenericOp op) {
  Operation *extension =
      op.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  return isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp, arith::ExtFOp>(
             extension)
             ? extension
             : nullptr;
}

/// The extension that an elementwise op is or ends with.
static std::optional<Extension> getExtension(linalg::GenericOp op) {
  if (!op || op.getNumDpsInits() != 1 || !op.hasPureTensorSemantics() ||
      op.getLibraryCall() || op.getNumReductionLoops() != 0)
    return std::nullopt;
  Operation *extension = getLastExtension(op);
  // Arrays of single bits are no bytes that vectors could be read from.
  if (!extension ||
      extension->getOperand(0).getType().getIntOrFloatBitWidth() % 8 != 0)
    return std::nullopt;
  Value narrow = extension->getOperand(0);
  linalg::TypeFn cast = isa<arith::ExtUIOp>(extension)
                            ? linalg::TypeFn::cast_unsigned
                            : linalg::TypeFn::cast_signed;
  bool isAll = op.getNumDpsInputs() == 1 &&
               narrow == op.getBody()->getArgument(0) &&
               llvm::all_of(op.getIndexingMapsArray(),
                            [](AffineMap map) { return map.isIdentity(); });
  if (isAll)
    return Extension{op.getDpsInputs()[0], cast, narrow.getType()};
  // What others read as well would be computed twice.
  if (!op->hasOneUse() || !op.getRegionOutputArgs()[0].use_empty())
    return std::nullopt;
  return Extension{op.getResult(0), cast, narrow.getType()};
}

/// The array that `op` computes, as it is before it is extended.
static Value createNarrow(RewriterBase &rewriter, linalg::GenericOp op) {
  rewriter.setInsertionPoint(op);
  Operation *extension = getLastExtension(op);
  Type element = extension->getOperand(0).getType();
  Value empty = tensor::EmptyOp::create(
      rewriter, op.getLoc(),
      tensor::getMixedSizes(rewriter, op.getLoc(), op.getDpsInits()[0]),
      element);
  auto narrow = linalg::GenericOp::create(
      rewriter, op.getLoc(), empty.getType(), op.getDpsInputs(), empty,
      op.getIndexingMapsArray(), op.getIteratorTypesArray(),
      [&](OpBuilder &b, Location loc, ValueRange arguments) {
        IRMapping mapping;
        mapping.map(op.getBody()->getArguments().drop_back(),
                    arguments.drop_back());
        for (Operation &inner : op.getBody()->without_terminator())
          if (&inner != extension || !inner.hasOneUse())
            b.clone(inner, mapping);
        linalg::YieldOp::create(
            b, loc, mapping.lookupOrDefault(extension->getOperand(0)));
      });
  copyDiscardableAttrs(op, narrow);
  return narrow.getResult(0);
}

/// Whether products are added up along rows of both inputs.
static bool isOfRows(ArrayRef<AffineMap> maps) {
  if (maps[0].getNumResults() == 0 || maps[1].getNumResults() == 0)
    return false;
  AffineExpr last = maps[0].getResults().back();
  auto dim = dyn_cast<AffineDimExpr>(last);
  return dim && maps[1].getResults().back() == last &&
         !maps[2].isFunctionOfDim(dim.getPosition());
}

/// Whether a vector is multiplied by a matrix whose numbers that one of it is
/// multiplied by lie along memory, as do the sums.
static bool isOfColumns(ArrayRef<AffineMap> maps) {
  if (maps[2].getNumResults() == 0)
    return false;
  AffineExpr last = maps[2].getResults().back();
  return llvm::any_of(maps.take_front(2), [&](AffineMap map) {
    return map.getNumResults() > 1 && map.getResults().back() == last;
  });
}

/// Whether floats are read as they are, both of one type: matrices of halves,
/// and rows and columns of bf16.
static bool areHalves(linalg::ContractOp op, ArrayRef<Extension> extensions,
                      bool f16Products) {
  Type type = extensions[0].element;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  bool isRead = isMatrixProduct(maps)
                    ? type.isBF16() || (f16Products && type.isF16())
                    : type.isBF16() && (isOfRows(maps) || isOfColumns(maps));
  return isRead && extensions[1].element == type;
}

LogicalResult foldExtensions(RewriterBase &rewriter, linalg::ContractOp op,
                             bool f16Products, bool bf16Products) {
  Type type = getElementTypeOrSelf(op.getDpsInits()[0].getType());
  if (!(type.isInteger() || type.isF32()) || !op.hasPureTensorSemantics())
    return rewriter.notifyMatchFailure(op, "is not of integers or f32 in "
                                           "tensors");
  SmallVector<Extension> extensions;
  for (Value input : op.getDpsInputs()) {
    extensions.push_back(getUnextended(input));
    if (!extensions.back().element.isIntOrFloat())
      return rewriter.notifyMatchFailure(op, "is of indices");
    if (extensions.back().element != type)
      extensions.back().cast = op.getCast();
    else if (std::optional<Extension> extension =
                 getExtension(input.getDefiningOp<linalg::GenericOp>()))
      extensions.back() = *extension;
  }
  if (!type.isInteger() && !areHalves(op, extensions, f16Products))
    return rewriter.notifyMatchFailure(op, "is of floats that are no halves");
  if (extensions[0].element.isBF16() && !bf16Products &&
      isMatrixProduct(op.getIndexingMapsArray()) &&
      getElementTypeOrSelf(op.getDpsInputs()[0].getType()) == type)
    extensions[0] = getUnextended(op.getDpsInputs()[0]);
  auto isAny = [&](linalg::TypeFn cast) {
    return llvm::any_of(extensions,
                        [&](Extension &e) { return e.cast == cast; });
  };
  bool isMixed = isAny(linalg::TypeFn::cast_signed) &&
                 isAny(linalg::TypeFn::cast_unsigned);
  linalg::TypeFn cast = isAny(linalg::TypeFn::cast_signed)
                            ? linalg::TypeFn::cast_signed
                            : linalg::TypeFn::cast_unsigned;
  SmallVector<Value> inputs;
  for (const Extension &extension : extensions)
    inputs.push_back(
        extension.isComputed()
            ? createNarrow(rewriter,
                           extension.source.getDefiningOp<linalg::GenericOp>())
            : extension.source);
  if (llvm::equal(inputs, op.getDpsInputs()))
    return rewriter.notifyMatchFailure(op, "no input is an extension");
  ContractionKind kind = {vector::CombiningKind::ADD, cast};
  rewriter.setInsertionPoint(op);
  Operation *folded;
  if (isMixed) {
    kind.cast = *extensions[0].cast;
    kind.rhsCast = *extensions[1].cast;
    folded = createContract(rewriter, op.getLoc(), kind, op->getResultTypes(),
                            inputs, op.getDpsInits()[0], op.getIndexingMaps());
  } else {
    folded = createContraction(rewriter, op.getLoc(), kind,
                               op->getResultTypes(), inputs,
                               op.getDpsInits()[0], op.getIndexingMapsArray());
  }
  copyDiscardableAttrs(op, folded);
  rewriter.replaceOp(op, folded);
  return success();
}

namespace {
struct FoldExtensionsPass : impl::FoldExtensionsBase<FoldExtensionsPass> {
  using FoldExtensionsBase::FoldExtensionsBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::ContractOp> ops;
    getOperation().walk([&](linalg::ContractOp op) { ops.push_back(op); });
    for (linalg::ContractOp op : ops)
      (void)foldExtensions(rewriter, op, f16Products, bf16Products);
  }
};
} // namespace

} // namespace ein
