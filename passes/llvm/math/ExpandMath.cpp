//===- ExpandMath.cpp - Functions become arithmetic -----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The formulas are in MathFormulas.cpp; this is where they are put in. Numbers
// get the same ones as vectors: what a program computes one by one, it does not
// compute otherwise than by vectors.
//
// An epilogue selects between what it has computed and the sum as it was, by
// whether this is the last block of k. Of arithmetic nobody minds what is
// thrown away; functions become part of a branch.
//
// A tile of C would be one vector of some hundred elements, and each step of a
// formula as many instructions, with as many results to keep in registers. So
// it is computed a few elements at a time: as many as a register of the widest
// machines holds, which are two or four of others. A vector that is no row of a
// tile is as long as it should be; the steps of its registers are taken by
// turns, but for functions that keep so much that two are enough for 16
// registers.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/ControlFlowSinkUtils.h"
#include "passes/analysis/FramePointer.h"
#include "passes/analysis/VectorForms.h"
#include "passes/llvm/math/FormulaTables.h"
#include "passes/llvm/math/InvertDivisors.h"
#include "passes/llvm/math/MathFormulas.h"
#include "passes/llvm/math/Passes.h"
#include "passes/llvm/math/WideFormulas.h"
#include "passes/llvm/math/WideParts.h"
#include "passes/schedule/MachineAttrs.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace ein {
#define GEN_PASS_DEF_EXPANDMATH
#include "passes/llvm/math/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

/// Bits that are computed at a time of a row of a register tile, and of what
/// fills registers.
static constexpr int64_t kBits = 512;

/// Ops that become formulas together: one, or the sine and the cosine of the
/// same numbers.
using Together = SmallVector<Operation *, 2>;

/// The formulas on numbers, or on a vector.
static SmallVector<Value> emitTogether(ImplicitLocOpBuilder &b,
                                       const Together &ops, ValueRange operands,
                                       const VectorInstructions &instructions) {
  if (ops.size() == 1)
    return {emitFormula(b, ops.front(), operands, instructions)};
  return getValues(emitSineAndCosine({b, operands[0]}, instructions));
}

/// The formulas on parts of `operands`, vectors of one dim.
static SmallVector<Value> emitParts(ImplicitLocOpBuilder &b,
                                    const Together &ops, ValueRange operands,
                                    const VectorInstructions &instructions) {
  auto type = cast<VectorType>(operands[0].getType());
  int64_t length = type.getDimSize(0);
  int64_t elements = kBits / type.getElementTypeBitWidth();
  if (length <= elements)
    return emitTogether(b, ops, operands, instructions);
  Value none = arith::ConstantOp::create(b, b.getZeroAttr(type));
  SmallVector<Value> results(ops.size(), none);
  for (int64_t begin = 0; begin < length; begin += elements) {
    int64_t size = std::min(elements, length - begin);
    SmallVector<Value> parts;
    for (Value operand : operands)
      parts.push_back(vector::ExtractStridedSliceOp::create(
          b, operand, ArrayRef<int64_t>{begin}, ArrayRef<int64_t>{size},
          ArrayRef<int64_t>{1}));
    for (auto [result, part] :
         llvm::zip_equal(results, emitTogether(b, ops, parts, instructions)))
      result = vector::InsertStridedSliceOp::create(
          b, part, result, ArrayRef<int64_t>{begin}, ArrayRef<int64_t>{1});
  }
  return results;
}

/// Whether four vectors of it side by side are more than 16 registers hold, by
/// so much that parts are faster: 1 to 20 % with AVX2. With AVX-512 parts are
/// as long as a register, and there are twice as many.
static bool fillsRegisters(Operation *op,
                           const VectorInstructions &instructions) {
  return !instructions.avx512 &&
         getElementTypeOrSelf(op->getResult(0)).isF64() &&
         isa<math::AcosOp, math::AsinOp, math::Atan2Op, math::CbrtOp,
             math::ErfcOp, math::ExpM1Op, math::Log1pOp, math::SinhOp>(op);
}

/// The formulas on numbers and vectors, or on tiles row by row.
static SmallVector<Value> emitRows(ImplicitLocOpBuilder &b, const Together &ops,
                                   ValueRange operands,
                                   const VectorInstructions &instructions,
                                   bool isTile = false) {
  auto type = dyn_cast<VectorType>(operands[0].getType());
  if (!type)
    return emitTogether(b, ops, operands, instructions);
  if (type.getRank() == 0) {
    SmallVector<Value> numbers;
    for (Value operand : operands)
      numbers.push_back(
          vector::ExtractOp::create(b, operand, ArrayRef<int64_t>{}));
    return llvm::map_to_vector(emitTogether(b, ops, numbers, instructions),
                               [&](Value number) -> Value {
                                 return vector::BroadcastOp::create(b, type,
                                                                    number);
                               });
  }
  if (type.getRank() == 1)
    return isTile || fillsRegisters(ops.front(), instructions)
               ? emitParts(b, ops, operands, instructions)
               : emitTogether(b, ops, operands, instructions);
  isTile |= type.getDimSize(0) > 1;
  Value none = arith::ConstantOp::create(b, b.getZeroAttr(type));
  SmallVector<Value> results(ops.size(), none);
  for (int64_t row = 0; row < type.getDimSize(0); ++row) {
    SmallVector<Value> rows;
    for (Value operand : operands)
      rows.push_back(vector::ExtractOp::create(b, operand, row));
    for (auto [result, part] :
         llvm::zip_equal(results, emitRows(b, ops, rows, instructions, isTile)))
      result = vector::InsertOp::create(b, part, result, row);
  }
  return results;
}

/// The ops in the order of their formulas. A sine and a cosine of the same
/// numbers, in one block, are reduced once and take a short polynomial each;
/// alone, both take a longer one of a reduction of its own.
static SmallVector<Together>
formTogether(ArrayRef<Operation *> ops,
             const VectorInstructions &instructions) {
  llvm::SmallPtrSet<Operation *, 8> taken;
  SmallVector<Together> all;
  for (Operation *op : ops) {
    if (!taken.insert(op).second)
      continue;
    Together &group = all.emplace_back(Together{op});
    if (!isa<math::SinOp, math::CosOp>(op) || !instructions.fma)
      continue;
    bool isSine = isa<math::SinOp>(op);
    for (Operation *user : op->getOperand(0).getUsers()) {
      bool isOther = isSine ? isa<math::CosOp>(user) : isa<math::SinOp>(user);
      if (isOther && user->getBlock() == op->getBlock() &&
          taken.insert(user).second) {
        group.insert(isSine ? group.end() : group.begin(), user);
        break;
      }
    }
  }
  return all;
}

/// The bit that decides for all elements of a select; null if there is none.
static Value getCommonBit(arith::SelectOp op) {
  Value bit = op.getCondition();
  if (auto broadcast = bit.getDefiningOp<vector::BroadcastOp>())
    bit = broadcast.getSource();
  return bit.getType().isInteger(1) ? bit : Value();
}

/// Whether a function is all that `value` was computed for, in this block.
static bool comesFromFormula(Value value) {
  llvm::SetVector<Operation *> seen;
  auto add = [&](Value operand) {
    Operation *op = operand.getDefiningOp();
    if (op && op->getBlock() == value.getParentBlock() && op->hasOneUse() &&
        isPure(op))
      seen.insert(op);
  };
  add(value);
  for (size_t next = 0;
       next < seen.size() && next < CompileBudget::kFollowedOps; ++next) {
    if (hasFormula(seen[next]))
      return true;
    llvm::for_each(seen[next]->getOperands(), add);
  }
  return false;
}

/// Moves what is usual into `branch`, of which the first region has selects at
/// its end that need it, too: it is computed in both. Before the branch it
/// would be kept beside what the rare one starts from, in more registers than
/// there are. Functions stay where they are, as they would be there twice;
/// but a logarithm of a sum is of two vectors.
static void computeUsualInBoth(RewriterBase &rewriter, scf::IfOp branch,
                               ArrayRef<Operation *> selects) {
  llvm::SetVector<Operation *> usual;
  auto isInside = [&](Operation *user) {
    return usual.contains(user) || llvm::is_contained(selects, user) ||
           user == branch.elseYield();
  };
  auto add = [&](Value value) {
    Operation *op = value.getDefiningOp();
    if (op && op->getBlock() == branch->getBlock() && isPure(op) &&
        op->getNumRegions() == 0 && (!hasFormula(op) || isa<LogSumOp>(op)) &&
        !usual.contains(op) && isa<VectorType>(value.getType()) &&
        llvm::all_of(op->getUsers(), isInside))
      usual.insert(op);
  };
  llvm::for_each(branch.elseYield()->getOperands(), add);
  for (size_t next = 0;
       next < usual.size() && next < CompileBudget::kFollowedOps; ++next)
    llvm::for_each(usual[next]->getOperands(), add);
  SmallVector<Operation *> ordered(usual.getArrayRef());
  llvm::sort(ordered,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  IRMapping copies;
  rewriter.setInsertionPoint(selects.front());
  for (Operation *op : ordered)
    rewriter.clone(*op, copies);
  for (Operation *select : selects)
    for (OpOperand &operand : select->getOpOperands())
      operand.set(copies.lookupOrDefault(operand.get()));
  for (Operation *op : ordered)
    rewriter.moveOpBefore(op, branch.elseYield());
}

/// Makes a branch of selects that have one condition and stand in one block,
/// and moves into it what only it needs. `bit` decides for all elements; or it
/// is whether any of them is to choose, which they then do in the branch.
static void makeBranch(RewriterBase &rewriter,
                       ArrayRef<arith::SelectOp> selects, Value bit, bool isAny,
                       DominanceInfo &dominance) {
  SmallVector<Value> then, otherwise;
  SmallVector<Operation *> choices;
  for (arith::SelectOp select : selects) {
    then.push_back(select.getTrueValue());
    otherwise.push_back(select.getFalseValue());
  }
  arith::SelectOp last = selects.back();
  auto branch = scf::IfOp::create(
      rewriter, last.getLoc(), bit,
      [&](OpBuilder &b, Location loc) {
        SmallVector<Value> chosen(then);
        if (isAny)
          for (auto [value, other] : llvm::zip_equal(chosen, otherwise)) {
            value = arith::SelectOp::create(b, loc, last.getCondition(), value,
                                            other);
            choices.push_back(value.getDefiningOp());
          }
        scf::YieldOp::create(b, loc, chosen);
      },
      [&](OpBuilder &b, Location loc) {
        scf::YieldOp::create(b, loc, otherwise);
      });
  for (auto [select, result] : llvm::zip_equal(selects, branch.getResults()))
    rewriter.replaceOp(select, result);
  controlFlowSink(
      branch->getRegions().take_front(isAny ? 1 : 2), dominance,
      [](Operation *inner, Region *) { return isPure(inner); },
      [](Operation *inner, Region *region) {
        inner->moveBefore(&region->front(), region->front().begin());
      });
  if (isAny)
    computeUsualInBoth(rewriter, branch, choices);
}

/// One vector of what two halves of `vector` have, until it is a register.
static Value joinRegisters(ImplicitLocOpBuilder &b, unsigned vectorBits,
                           Value vector,
                           function_ref<Value(Value, Value)> join) {
  auto type = cast<VectorType>(vector.getType());
  int64_t length = type.getDimSize(0);
  int64_t most = vectorBits / type.getElementTypeBitWidth();
  for (; length > most && length % 2 == 0; length /= 2) {
    auto take = [&](int64_t begin) -> Value {
      return vector::ExtractStridedSliceOp::create(
          b, vector, ArrayRef<int64_t>{begin}, ArrayRef<int64_t>{length / 2},
          ArrayRef<int64_t>{1});
    };
    vector = join(take(0), take(length / 2));
  }
  return vector;
}

/// Whether any bit of a condition is set. Of comparisons with a constant that
/// is one of the largest numbers of all registers.
static Value isAnyTrue(ImplicitLocOpBuilder &b,
                       const VectorInstructions &instructions,
                       Value condition) {
  using Predicate = arith::CmpIPredicate;
  auto type = cast<VectorType>(condition.getType());
  auto flat = VectorType::get({type.getNumElements()}, b.getI1Type());
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  SplatElementsAttr constant;
  bool isSigned = compare && compare.getPredicate() == Predicate::sgt;
  // AVX2 has no maxima of 64 bits.
  if (!compare || type.getRank() != 1 ||
      (!isSigned && compare.getPredicate() != Predicate::ugt) ||
      (getElementTypeOrSelf(compare.getLhs()).getIntOrFloatBitWidth() > 32 &&
       !instructions.avx512) ||
      !matchPattern(compare.getRhs(), m_Constant(&constant)))
    return isAnySet(
        instructions,
        {{b, b.createOrFold<vector::ShapeCastOp>(flat, condition)}});
  Value largest = joinRegisters(b, instructions.vectorBits, compare.getLhs(),
                                [&](Value x, Value y) -> Value {
                                  if (isSigned)
                                    return arith::MaxSIOp::create(b, x, y);
                                  return arith::MaxUIOp::create(b, x, y);
                                });
  Value bound = arith::ConstantOp::create(
      b, constant.resizeSplat(cast<ShapedType>(largest.getType())));
  Value beyond =
      arith::CmpIOp::create(b, compare.getPredicate(), largest, bound);
  return vector::ReductionOp::create(b, vector::CombiningKind::OR, beyond);
}

/// Selects of one block that rarely choose what is computed for it become a
/// branch, where it is computed.
static void makeRareBranches(Operation *root,
                             const VectorInstructions &instructions) {
  llvm::MapVector<std::pair<Block *, Value>, SmallVector<arith::SelectOp>>
      groups;
  root->walk([&](arith::SelectOp op) {
    if (!op->removeAttr(EinDialect::kSeldomAttr))
      return;
    auto type = dyn_cast<VectorType>(op.getCondition().getType());
    if (type && (type.isScalable() || type.getRank() == 0))
      return;
    // What the first of them is for may come before the last one.
    Block *block = op->getBlock();
    SmallVector<arith::SelectOp> &group = groups[{block, op.getCondition()}];
    bool isUsed = llvm::any_of(group, [&](arith::SelectOp other) {
      return llvm::any_of(other->getUsers(), [&](Operation *user) {
        Operation *ancestor = block->findAncestorOpInBlock(*user);
        return !ancestor || ancestor->isBeforeInBlock(op);
      });
    });
    if (!isUsed)
      group.push_back(op);
  });
  IRRewriter rewriter(root->getContext());
  DominanceInfo dominance(root);
  for (auto &[key, selects] : groups) {
    arith::SelectOp last = selects.back();
    rewriter.setInsertionPoint(last);
    ImplicitLocOpBuilder b(last.getLoc(), rewriter);
    Value bit = last.getCondition();
    if (isa<VectorType>(bit.getType()))
      bit = isAnyTrue(b, instructions, bit);
    makeBranch(rewriter, selects, bit, /*isAny=*/true, dominance);
  }
}

static bool isScalable(Operation *op) {
  auto type = dyn_cast<VectorType>(op->getResult(0).getType());
  return type && type.isScalable();
}

/// Vectors are added in the order that was chosen for them. LLVM would make one
/// chain of the accumulators of a loop that it has unrolled, each step of which
/// waits for the one before.
static void keepOrderOfVectors(Operation *root) {
  constexpr arith::FastMathFlags kAnyOrder = arith::FastMathFlags::reassoc;
  root->walk([](arith::AddFOp op) {
    if (isa<VectorType>(op.getType()))
      op.setFastmath(op.getFastmath() & ~kAnyOrder);
  });
}

/// A vector's maximum or minimum by comparisons.
static Value compare(ImplicitLocOpBuilder &b, Operation *op) {
  FormulaValue x(b, op->getOperand(0)), y(b, op->getOperand(1));
  FormulaValue result =
      isa<arith::MaximumFOp>(op) ? getMaximum(x, y) : getMinimum(x, y);
  return result.getValue();
}

static bool canCompare(Operation *op) {
  auto type = dyn_cast<VectorType>(op->getResult(0).getType());
  return type &&
         (type.getElementType().isF32() || type.getElementType().isF64());
}

namespace {
struct ExpandMathPass : impl::ExpandMathBase<ExpandMathPass> {
  /// Instructions of some machines are the llvm dialect's calls.
  void getDependentDialects(DialectRegistry &registry) const override {
    ExpandMathBase::getDependentDialects(registry);
    registry.insert<LLVM::LLVMDialect>();
  }
  void runOnOperation() override {
    VectorInstructions instructions = getInstructions(getOperation());
    invertDivisors(getOperation(), instructions);
    keepOrderOfVectors(getOperation());
    makeRareBranches(getOperation(), instructions);
    IRRewriter rewriter(&getContext());
    DominanceInfo dominance(getOperation());
    SmallVector<arith::SelectOp> selects;
    getOperation().walk([&](arith::SelectOp op) {
      if (isa<VectorType>(op.getType()) && getCommonBit(op) &&
          comesFromFormula(op.getTrueValue()))
        selects.push_back(op);
    });
    for (arith::SelectOp op : selects) {
      rewriter.setInsertionPoint(op);
      makeBranch(rewriter, op, getCommonBit(op), /*isAny=*/false, dominance);
    }

    SmallVector<Operation *> ops, maxima;
    getOperation().walk([&](Operation *op) {
      if (instructions.comparingMaxima &&
          isa<arith::MaximumFOp, arith::MinimumFOp>(op) && canCompare(op))
        maxima.push_back(op);
      bool isRoot = instructions.avx512 && isa<math::RsqrtOp>(op);
      if ((isRoot || hasFormula(op)) &&
          isOfFormulas(op->getResult(0).getType()) && !isScalable(op))
        ops.push_back(op);
    });
    for (Operation *op : maxima) {
      rewriter.setInsertionPoint(op);
      ImplicitLocOpBuilder b(op->getLoc(), rewriter);
      rewriter.replaceOp(op, compare(b, op));
    }
    for (const Together &together : formTogether(ops, instructions)) {
      // The first one of a block; what it is of comes before both.
      Operation *op =
          *llvm::min_element(together, [](Operation *a, Operation *b) {
            return a->isBeforeInBlock(b);
          });
      rewriter.setInsertionPoint(op);
      ImplicitLocOpBuilder b(op->getLoc(), rewriter);
      if (auto function = op->getParentOfType<FunctionOpInterface>();
          function && instructions.lookUps &&
          isa<VectorType>(op->getResult(0).getType()))
        // Formulas keep more than registers hold.
        keepFramePointer(function);
      SmallVector<Value> results =
          emitRows(b, together, op->getOperands(), instructions);
      for (auto [member, result] : llvm::zip_equal(together, results))
        rewriter.replaceOp(member, result);
    }
    addFormulaTables(getOperation());
  }
};
} // namespace
} // namespace ein
