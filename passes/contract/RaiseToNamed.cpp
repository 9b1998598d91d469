//===- RaiseToNamed.cpp - Find the named op that a generic is -----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A generic is not looked at and recognised; each named op of NamedOps.def is
// tried instead. Where the ranks fit it is made, and the proof of Raising.h
// says whether it is the one. So there is no analysis that could be wrong, and
// a new named op is one line.
//
// Two things are found rather than tried: `indexing_maps`, which follow from
// what the output's dims are called; and permutations of transposes and dims of
// broadcasts.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/IR/Verifier.h"
#include "passes/analysis/Raising.h"
#include "passes/contract/Transforms.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace ein {
namespace {

/// Makes the op of a row.
using CreateFn = linalg::LinalgOp (*)(OpBuilder &, Location, TypeRange,
                                      ValueRange, ValueRange,
                                      ArrayRef<NamedAttribute>);

struct NamedContraction {
  CreateFn create;
  StringRef loops, lhs, rhs, output;
  bool takesMaps;
};

struct NamedElementwise {
  CreateFn create;
  unsigned numInputs;
  bool onFloats, onIntegers;
};

template <typename OpT>
linalg::LinalgOp create(OpBuilder &b, Location loc, TypeRange results,
                        ValueRange inputs, ValueRange inits,
                        ArrayRef<NamedAttribute> attributes) {
  return OpT::create(b, loc, results, inputs, inits, attributes);
}

constexpr NamedContraction kContractions[] = {
#define EIN_CONTRACTION(OP, LOOPS, LHS, RHS, OUTPUT, TAKES_MAPS)               \
  {create<linalg::OP>, LOOPS, LHS, RHS, OUTPUT, TAKES_MAPS},
#include "passes/contract/NamedOps.def"
};

constexpr NamedElementwise kElementwise[] = {
#define EIN_ELEMENTWISE(OP, NUM_INPUTS, FLOATS, INTEGERS)                      \
  {create<linalg::OP>, NUM_INPUTS, FLOATS, INTEGERS},
#include "passes/contract/NamedOps.def"
};

/// One attempt to raise `generic`.
class NamedRaiser {
public:
  NamedRaiser(RewriterBase &rewriter, linalg::GenericOp generic)
      : rewriter(rewriter), generic(generic) {}

  Operation *run();

private:
  /// The op, if it verifies and is proved to be the generic, whose inputs it
  /// has in this order; else it is erased.
  Operation *prove(Operation *op, ArrayRef<unsigned> order);
  Operation *tryContraction(const NamedContraction &row,
                            ArrayRef<unsigned> order);
  Operation *tryElementwise(const NamedElementwise &row);
  Operation *tryMovement();

  RewriterBase &rewriter;
  linalg::GenericOp generic;
};

} // namespace

Operation *NamedRaiser::prove(Operation *op, ArrayRef<unsigned> order) {
  // A verifier that refuses is an answer, and no error.
  ScopedDiagnosticHandler quiet(op->getContext(),
                                [](Diagnostic &) { return success(); });
  bool isProved = false;
  if (succeeded(verify(op)))
    if (linalg::GenericOp back = createGeneric(rewriter, op)) {
      isProved = isSameGeneric(generic, back, order);
      rewriter.eraseOp(back);
    }
  if (isProved)
    return op;
  rewriter.eraseOp(op);
  return nullptr;
}

/// The map from loops, a letter each, to an operand.
static AffineMap getMap(StringRef loops, StringRef operand,
                        MLIRContext *context) {
  SmallVector<AffineExpr> exprs;
  for (char letter : operand)
    exprs.push_back(getAffineDimExpr(loops.find(letter), context));
  return AffineMap::get(loops.size(), 0, exprs, context);
}

/// What the dims of a generic are called in the row, so that the output is the
/// row's: the output's dims are what they have to be, the others are called
/// `rest`, in order. None if the generic's output is no permutation of the
/// dims that are not reduced.
static std::optional<SmallVector<AffineExpr>>
nameDims(const NamedContraction &row, AffineMap output, StringRef rest) {
  MLIRContext *context = output.getContext();
  SmallVector<AffineExpr> names(output.getNumDims());
  for (auto [expr, letter] : llvm::zip_equal(output.getResults(), row.output)) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || names[dim.getPosition()])
      return std::nullopt;
    names[dim.getPosition()] =
        getAffineDimExpr(row.loops.find(letter), context);
  }
  for (AffineExpr &name : names) {
    if (name)
      continue;
    name = getAffineDimExpr(row.loops.find(rest.front()), context);
    rest = rest.drop_front();
  }
  return names;
}

Operation *NamedRaiser::tryContraction(const NamedContraction &row,
                                       ArrayRef<unsigned> order) {
  SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
  StringRef letters[] = {row.lhs, row.rhs, row.output};
  if (generic.getNumLoops() != row.loops.size() ||
      maps[2].getNumResults() != row.output.size())
    return nullptr;
  SmallVector<Value> inputs = {generic->getOperand(order[0]),
                               generic->getOperand(order[1])};
  auto attempt = [&](ArrayRef<NamedAttribute> attributes) {
    return prove(row.create(rewriter, generic.getLoc(),
                            generic->getResultTypes(), inputs,
                            generic.getDpsInits(), attributes),
                 order);
  };
  bool ranksFit = maps[order[0]].getNumResults() == row.lhs.size() &&
                  maps[order[1]].getNumResults() == row.rhs.size();
  if (!ranksFit)
    return nullptr;
  if (!row.takesMaps)
    return attempt({});

  std::string rest;
  for (char letter : row.loops)
    if (!row.output.contains(letter))
      rest.push_back(letter);
  llvm::sort(rest);
  MLIRContext *context = rewriter.getContext();
  do {
    std::optional<SmallVector<AffineExpr>> names = nameDims(row, maps[2], rest);
    if (!names)
      return nullptr;
    SmallVector<AffineMap> wanted, usual;
    for (unsigned i = 0; i < 3; ++i) {
      unsigned operand = i < 2 ? order[i] : i;
      wanted.push_back(
          maps[operand].replaceDimsAndSymbols(*names, {}, row.loops.size(), 0));
      usual.push_back(getMap(row.loops, letters[i], context));
    }
    SmallVector<NamedAttribute> attributes;
    if (wanted != usual)
      attributes.push_back(rewriter.getNamedAttr(
          "indexing_maps", rewriter.getAffineMapArrayAttr(wanted)));
    if (Operation *op = attempt(attributes))
      return op;
    attributes.push_back(rewriter.getNamedAttr(
        "cast",
        linalg::TypeFnAttr::get(context, linalg::TypeFn::cast_unsigned)));
    if (Operation *op = attempt(attributes))
      return op;
  } while (std::next_permutation(rest.begin(), rest.end()));
  return nullptr;
}

Operation *NamedRaiser::tryElementwise(const NamedElementwise &row) {
  SmallVector<Value> inputs = generic.getDpsInputs();
  if (row.numInputs != inputs.size())
    return nullptr;
  Type type = getElementTypeOrSelf(generic.getDpsInits()[0].getType());
  bool isAllowed =
      isa<FloatType>(type)
          ? row.onFloats
          : type.isInteger() && !type.isInteger(1) && row.onIntegers;
  // A select's condition is another type.
  unsigned first = row.numInputs == 3 ? 1 : 0;
  for (Value input : llvm::drop_begin(inputs, first))
    isAllowed &= getElementTypeOrSelf(input.getType()) == type;
  if (first == 1)
    isAllowed &=
        getElementTypeOrSelf(generic->getOperand(0).getType()).isInteger(1);
  if (!isAllowed)
    return nullptr;
  SmallVector<unsigned> order =
      llvm::to_vector(llvm::seq<unsigned>(0, row.numInputs));
  return prove(row.create(rewriter, generic.getLoc(), generic->getResultTypes(),
                          inputs, generic.getDpsInits(), {}),
               order);
}

/// Fills, transposes and broadcasts.
Operation *NamedRaiser::tryMovement() {
  Value input = generic.getDpsInputs()[0], init = generic.getDpsInits()[0];
  if (getElementTypeOrSelf(input.getType()) !=
      getElementTypeOrSelf(init.getType()))
    return nullptr;
  Location loc = generic.getLoc();
  if (!isa<ShapedType>(input.getType()))
    return prove(linalg::FillOp::create(rewriter, loc, input, init), {0});
  AffineMap from = generic.getIndexingMapsArray()[0],
            to = generic.getIndexingMapsArray()[1];
  if (!from.isProjectedPermutation() || !to.isPermutation())
    return nullptr;
  // Per axis of the output, the input's axis, or none.
  SmallVector<int64_t> permutation, added;
  for (auto [axis, expr] : llvm::enumerate(to.getResults())) {
    std::optional<unsigned> source = from.getResultPosition(expr);
    if (source)
      permutation.push_back(*source);
    else
      added.push_back(axis);
  }
  if (added.empty())
    return prove(
        linalg::TransposeOp::create(rewriter, loc, input, init, permutation),
        {0});
  return prove(linalg::BroadcastOp::create(rewriter, loc, input, init, added),
               {0});
}

Operation *NamedRaiser::run() {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(generic);
  if (generic.getNumDpsInits() != 1)
    return nullptr;
  unsigned numInputs = generic.getNumDpsInputs();
  FailureOr<ContractionKind> kind = matchContraction(generic);
  if (succeeded(kind) && generic.getNumReductionLoops() != 0) {
    if (kind->isSum())
      for (const NamedContraction &row : kContractions)
        for (std::array<unsigned, 2> order :
             {std::array<unsigned, 2>{0, 1}, std::array<unsigned, 2>{1, 0}})
          if (Operation *op = tryContraction(row, order))
            return op;
    return nullptr;
  }
  if (generic.getNumReductionLoops() != 0 ||
      !llvm::all_of(generic->getOperandTypes(), [](Type type) {
        return type.isIntOrFloat() || isa<RankedTensorType, MemRefType>(type);
      }))
    return nullptr;
  if (llvm::all_of(generic.getIndexingMapsArray(),
                   [](AffineMap map) { return map.isIdentity(); }))
    for (const NamedElementwise &row : kElementwise)
      if (Operation *op = tryElementwise(row))
        return op;
  return numInputs == 1 ? tryMovement() : nullptr;
}

Operation *createNamed(RewriterBase &rewriter, linalg::GenericOp op) {
  return NamedRaiser(rewriter, op).run();
}

} // namespace ein
