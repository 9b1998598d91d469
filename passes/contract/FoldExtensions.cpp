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
// Of floats, matrices of bf16 are read as they are, for which machines have
// such instructions, and those of f16 where the machine at hand has: f16 is
// converted faster as an array of its own than on the way to panels. So are the
// rows of bf16 where the machine has no such instructions; its columns, which
// may be many that are read once, are converted on their way. The others'
// extended arrays stay: they can be given to a library.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
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
};

unsigned getBits(Value value) {
  return getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
}

} // namespace

/// The extension that an elementwise op is, if it does nothing else.
static std::optional<Extension> getExtension(linalg::GenericOp op) {
  if (!op || op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      !op.hasPureTensorSemantics() || op.getLibraryCall() ||
      !llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isIdentity(); }))
    return std::nullopt;
  Value result = op.getBody()->getTerminator()->getOperand(0);
  Operation *extension = result.getDefiningOp();
  if (!isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp, arith::ExtFOp>(
          extension) ||
      extension->getOperand(0) != op.getBody()->getArgument(0))
    return std::nullopt;
  Value source = op.getDpsInputs()[0];
  // Arrays of single bits are no bytes that vectors could be read from.
  if (getBits(source) % 8 != 0)
    return std::nullopt;
  return Extension{source, isa<arith::ExtUIOp>(extension)
                               ? linalg::TypeFn::cast_unsigned
                               : linalg::TypeFn::cast_signed};
}

/// Whether floats are read as they are: matrices of halves, both of one type.
static bool areHalves(linalg::ContractOp op, ArrayRef<Extension> extensions,
                      bool f16Products) {
  auto getType = [](const Extension &extension) {
    return getElementTypeOrSelf(extension.source.getType());
  };
  Type type = getType(extensions[0]);
  return isMatrixProduct(op.getIndexingMapsArray()) &&
         (type.isBF16() || (f16Products && type.isF16())) &&
         getType(extensions[1]) == type;
}

LogicalResult foldExtensions(RewriterBase &rewriter, linalg::ContractOp op,
                             bool f16Products, bool bf16Products) {
  Type type = getElementTypeOrSelf(op.getDpsInits()[0].getType());
  if (!(type.isInteger() || type.isF32()) || !op.hasPureTensorSemantics())
    return rewriter.notifyMatchFailure(op, "is not of integers or f32 in "
                                           "tensors");
  SmallVector<Extension> extensions;
  for (Value input : op.getDpsInputs()) {
    if (getElementTypeOrSelf(input.getType()) != type)
      return rewriter.notifyMatchFailure(op, "extends its inputs already");
    std::optional<Extension> extension =
        getExtension(input.getDefiningOp<linalg::GenericOp>());
    extensions.push_back(extension.value_or(Extension{input, std::nullopt}));
  }
  if (!type.isInteger() && !areHalves(op, extensions, f16Products))
    return rewriter.notifyMatchFailure(op, "is of floats that are no halves");
  if (getElementTypeOrSelf(extensions[0].source.getType()).isBF16() &&
      !bf16Products)
    extensions[0] = {op.getDpsInputs()[0], std::nullopt};
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
    inputs.push_back(extension.source);
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
