//===- Raising.cpp - Raising structured ops, and the proof ----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a contraction is, and which generics are one.
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/Raising.h"
#include "ir/IndexNames.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace ein {

void copyDiscardableAttrs(Operation *from, Operation *to) {
  for (NamedAttribute attr : from->getDiscardableAttrs())
    if (attr.getName() != linalg::LinalgDialect::kMemoizedIndexingMapsAttrName)
      to->setDiscardableAttr(attr.getName(), attr.getValue());
}

FailureOr<Operation *> generalize(RewriterBase &rewriter, Operation *op) {
  linalg::GenericOp generic = createGeneric(rewriter, op);
  if (!generic)
    return rewriter.notifyMatchFailure(op, "it has no generic form");
  copyDiscardableAttrs(op, generic);
  rewriter.replaceOp(op, generic);
  return generic.getOperation();
}

//===----------------------------------------------------------------------===//
// What a contraction is
//===----------------------------------------------------------------------===//

/// How an op of the body combines two values. On booleans an `or` is the sum.
static std::optional<vector::CombiningKind> getCombiningKind(Operation *op) {
  using Kind = vector::CombiningKind;
  bool isBool =
      op->getNumResults() == 1 && op->getResult(0).getType().isInteger(1);
  return llvm::TypeSwitch<Operation *, std::optional<Kind>>(op)
      .Case<arith::AddFOp, arith::AddIOp, complex::AddOp>(
          [](Operation *) { return Kind::ADD; })
      .Case<arith::MulFOp, arith::MulIOp, complex::MulOp>(
          [](Operation *) { return Kind::MUL; })
      .Case([](arith::MinUIOp) { return Kind::MINUI; })
      .Case([](arith::MinSIOp) { return Kind::MINSI; })
      .Case([](arith::MinNumFOp) { return Kind::MINNUMF; })
      .Case([](arith::MinimumFOp) { return Kind::MINIMUMF; })
      .Case([](arith::MaxUIOp) { return Kind::MAXUI; })
      .Case([](arith::MaxSIOp) { return Kind::MAXSI; })
      .Case([](arith::MaxNumFOp) { return Kind::MAXNUMF; })
      .Case([](arith::MaximumFOp) { return Kind::MAXIMUMF; })
      .Case([](arith::AndIOp) { return Kind::AND; })
      .Case([=](arith::OrIOp) { return isBool ? Kind::ADD : Kind::OR; })
      .Case([](arith::XOrIOp) { return Kind::XOR; })
      .Default(std::nullopt);
}

static bool isProduct(Value value) {
  Operation *op = value.getDefiningOp();
  return isa_and_present<arith::MulFOp, arith::MulIOp, complex::MulOp>(op) ||
         (isa_and_present<arith::AndIOp>(op) && value.getType().isInteger(1));
}

static bool isConversion(Value value) {
  return isa_and_present<CastOpInterface>(value.getDefiningOp());
}

/// Why the value that is combined is no product of the two inputs, converted
/// alike to its type.
static StringRef explainValue(Value value) {
  if (isConversion(value) && isProduct(value.getDefiningOp()->getOperand(0)))
    return "the product is rounded before it is accumulated";
  if (!isProduct(value))
    return "what is accumulated is not a product";
  bool converts = false;
  for (Value factor : value.getDefiningOp()->getOperands()) {
    if (isConversion(factor)) {
      converts = true;
      factor = factor.getDefiningOp()->getOperand(0);
    }
    if (isProduct(factor))
      return "the product has more than two factors";
    auto argument = dyn_cast<BlockArgument>(factor);
    if (!argument || argument.getArgNumber() > 1)
      return "a factor is not an input as it is";
  }
  if (converts)
    return "the inputs are not converted alike to the accumulator's type";
  return "the factors are not the two inputs";
}

/// Whether the maps are a contraction's, and the iterators what the maps imply.
static LogicalResult matchMaps(linalg::GenericOp op, DeclineFn onDecline) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<std::string> names = getIndexNames(op.getLoc(), op.getNumLoops());
  for (AffineMap map : maps) {
    llvm::SmallBitVector seen(op.getNumLoops());
    for (AffineExpr expr : map.getResults()) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim) {
        std::string text;
        llvm::raw_string_ostream(text) << expr;
        for (unsigned d = names.size(); d-- > 0;) {
          std::string from = "d" + std::to_string(d);
          for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;
               at += names[d].size())
            text.replace(at, from.size(), names[d]);
        }
        return decline(onDecline,
                       "the access at `" + text + "` is not at a lone index");
      }
      if (seen.test(dim.getPosition()))
        return decline(onDecline, "an access repeats the index `" +
                                      names[dim.getPosition()] + "`");
      seen.set(dim.getPosition());
    }
  }
  Operation *combiner =
      op.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  bool isRepeatable = op.getNumReductionLoops() != 0 && combiner &&
                      getCombiningKind(combiner) == vector::CombiningKind::ADD;
  for (auto [dim, iterator] : llvm::enumerate(op.getIteratorTypesArray())) {
    bool isReduced = iterator == utils::IteratorType::reduction;
    if (isReduced == maps[2].isFunctionOfDim(dim))
      return decline(
          onDecline,
          isReduced
              ? "the output has the reduced index `" + names[dim] + "`"
              : "the output lacks the parallel index `" + names[dim] + "`");
    // A sum may be repeated along dims of the output.
    if (!isRepeatable && !maps[0].isFunctionOfDim(dim) &&
        !maps[1].isFunctionOfDim(dim))
      return decline(onDecline, "no input has the index `" + names[dim] + "`");
  }
  return success();
}

/// What can be said before a contraction is tried.
static LogicalResult matchOperands(linalg::GenericOp op, DeclineFn onDecline) {
  if (op.getNumDpsInits() != 1)
    return decline(onDecline, "it has several outputs");
  if (op.getNumDpsInputs() == 1)
    return decline(onDecline, "it has one input; a contraction has two");
  if (op.getNumDpsInputs() != 2)
    return decline(onDecline, "it has " + std::to_string(op.getNumDpsInputs()) +
                                  " inputs; a contraction has two");
  for (Value input : op.getDpsInputs())
    if (!isa<RankedTensorType, MemRefType>(input.getType()))
      return decline(onDecline, "an input is a scalar");
  Type output = getElementTypeOrSelf(op.getDpsInits()[0]);
  for (Value input : op.getDpsInputs())
    if (Type type = getElementTypeOrSelf(input);
        type != output && (isa<ComplexType>(type) || isa<ComplexType>(output)))
      return decline(onDecline,
                     "one of an input and the output is complex, and "
                     "the other of another type");
  return matchMaps(op, onDecline);
}

ContractOp createContract(OpBuilder &b, Location loc, ContractionKind kind,
                          TypeRange resultTypes, ValueRange inputs, Value init,
                          ArrayAttr maps) {
  linalg::TypeFnAttr rhsCast;
  if (kind.isMixed())
    rhsCast = linalg::TypeFnAttr::get(b.getContext(), kind.getCast(1));
  return ContractOp::create(b, loc, resultTypes, inputs[0], inputs[1], init,
                            maps, /*iterator_types=*/ArrayAttr(), kind.kind,
                            kind.cast, rhsCast);
}

/// Whether both inputs are integers that are extended, so that one may be
/// signed and the other not.
static bool canBeMixed(linalg::GenericOp op) {
  unsigned bits = 0;
  if (auto type = dyn_cast<IntegerType>(getElementTypeOrSelf(op.getOperand(2))))
    bits = type.getWidth();
  return llvm::all_of(op.getDpsInputs(), [&](Value input) {
    auto type = dyn_cast<IntegerType>(getElementTypeOrSelf(input));
    return type && type.getWidth() > 1 && type.getWidth() < bits;
  });
}

FailureOr<ContractionKind> matchContraction(linalg::GenericOp op,
                                            DeclineFn onDecline) {
  if (op.getLibraryCall())
    return decline(onDecline, "it is a call of a library");
  if (failed(matchOperands(op, onDecline)))
    return failure();

  Operation *combiner =
      op.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  Value accumulator = op.getBody()->getArgument(2);
  if (!combiner || !llvm::is_contained(combiner->getOperands(), accumulator))
    return decline(onDecline, "nothing is accumulated");
  std::optional<vector::CombiningKind> kind = getCombiningKind(combiner);
  if (!kind)
    return decline(onDecline, "it accumulates by `" +
                                  combiner->getName().getStringRef() + "`");
  constexpr linalg::TypeFn kSigned = linalg::TypeFn::cast_signed,
                           kUnsigned = linalg::TypeFn::cast_unsigned;
  SmallVector<ContractionKind> kinds = {{*kind, kSigned}, {*kind, kUnsigned}};
  if (canBeMixed(op)) {
    kinds.push_back({*kind, kSigned, kUnsigned});
    kinds.push_back({*kind, kUnsigned, kSigned});
  }
  for (ContractionKind candidate : kinds) {
    OpBuilder detached(op.getContext());
    ContractOp contract =
        createContract(detached, op.getLoc(), candidate, op->getResultTypes(),
                       op->getOperands().take_front(2), op->getOperand(2),
                       op.getIndexingMaps());
    linalg::GenericOp back =
        succeeded(contract.verify()) ? contract.generalize(detached) : nullptr;
    bool isProved = back && isSameGeneric(op, back, {0, 1});
    if (back)
      back.erase();
    contract.erase();
    if (isProved)
      return candidate;
  }
  Value value = combiner->getOperand(combiner->getOperand(0) == accumulator);
  return decline(onDecline, explainValue(value));
}

std::optional<ContractionKind> getContractionKind(linalg::LinalgOp op) {
  if (auto contract = dyn_cast<linalg::ContractOp>(op.getOperation()))
    return ContractionKind{vector::CombiningKind::ADD, contract.getCast()};
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic)
    return std::nullopt;
  FailureOr<ContractionKind> kind = matchContraction(generic);
  return succeeded(kind) ? std::optional(*kind) : std::nullopt;
}

LogicalResult matchLinalgContract(ArrayRef<AffineMap> maps,
                                  DeclineFn onDecline) {
  bool reduces = false;
  for (unsigned dim = 0, e = maps[0].getNumDims(); dim < e; ++dim) {
    if (maps[2].isFunctionOfDim(dim))
      continue;
    reduces = true;
    if (!maps[0].isFunctionOfDim(dim) || !maps[1].isFunctionOfDim(dim))
      return decline(onDecline, "an index is reduced in one input only");
  }
  if (!reduces)
    return decline(onDecline, "nothing is reduced");
  return success();
}

bool isMatrixProduct(ArrayRef<AffineMap> maps) {
  bool hasM = false, hasN = false, hasK = false;
  for (unsigned dim = 0, e = maps[0].getNumDims(); dim != e; ++dim) {
    bool lhs = maps[0].isFunctionOfDim(dim), rhs = maps[1].isFunctionOfDim(dim);
    if (!maps[2].isFunctionOfDim(dim))
      hasK = true;
    else if (lhs != rhs)
      (lhs ? hasM : hasN) = true;
  }
  return hasM && hasN && hasK;
}

bool hasRepeatedDim(ArrayRef<AffineMap> maps) {
  for (unsigned dim = 0, e = maps[0].getNumDims(); dim != e; ++dim)
    if (!maps[0].isFunctionOfDim(dim) && !maps[1].isFunctionOfDim(dim))
      return true;
  return false;
}

linalg::LinalgOp createContraction(OpBuilder &b, Location loc,
                                   ContractionKind kind, TypeRange resultTypes,
                                   ValueRange inputs, Value init,
                                   ArrayRef<AffineMap> maps) {
  ArrayAttr mapsAttr = b.getAffineMapArrayAttr(maps);
  if (kind.isSum() && !kind.isMixed() &&
      !getElementTypeOrSelf(init).isIndex() &&
      succeeded(matchLinalgContract(maps))) {
    SmallVector<NamedAttribute> attributes;
    if (kind.cast != linalg::TypeFn::cast_signed)
      attributes.push_back(b.getNamedAttr(
          "cast", linalg::TypeFnAttr::get(b.getContext(), kind.cast)));
    return linalg::ContractOp::create(b, loc, resultTypes, inputs, init,
                                      mapsAttr, attributes);
  }
  OpBuilder detached(b.getContext());
  ContractOp contract =
      createContract(detached, loc, kind, resultTypes, inputs, init, mapsAttr);
  linalg::GenericOp generic = contract.generalize(b);
  contract.erase();
  return generic;
}

//===----------------------------------------------------------------------===//
// For people
//===----------------------------------------------------------------------===//

std::string printRoles(Location loc, ArrayRef<AffineMap> maps) {
  SmallVector<std::string> names = getIndexNames(loc, maps[0].getNumDims());
  SmallVector<SmallVector<StringRef>> roles(5);
  const char *labels[] = {"batch", "m", "n", "k", "one-sided"};
  for (auto [dim, name] : llvm::enumerate(names)) {
    bool lhs = maps[0].isFunctionOfDim(dim), rhs = maps[1].isFunctionOfDim(dim),
         out = maps[2].isFunctionOfDim(dim);
    unsigned role = lhs == rhs ? (out ? 0 : 3) : !out ? 4 : lhs ? 1 : 2;
    roles[role].push_back(name);
  }
  std::string text;
  for (auto [label, dims] : llvm::zip_equal(labels, roles))
    if (!dims.empty())
      text += (text.empty() ? "" : " ") + std::string(label) + "={" +
              llvm::join(dims, ",") + "}";
  return text;
}

} // namespace ein
