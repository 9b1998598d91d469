//===- LowerContractions.cpp - Vector contractions to FMAs --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A step of k multiplies a column of A's panel by a row of B's. As an outer
// product this is MR fused multiply-adds, each of a row of the tile with B's
// row and one element of A, which the processor broadcasts as it loads it. So
// the elements of A are read as scalars: a vector of them would have to be
// taken apart again.
//
// At an edge a row is read and written under a mask, which compares the numbers
// of its lanes with how many there are. Upstream would compare 64-bit numbers,
// as positions may need; how many lanes there are does not.
//
//===----------------------------------------------------------------------===//

#include "abi/CacheLine.h"
#include "ir/EinDialect.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/analysis/VectorBody.h"
#include "passes/llvm/Passes.h"
#include "passes/schedule/MachineAttrs.h"
#include "passes/schedule/ScheduledOps.h"
#include "passes/vector/TransposeInRegisters.h"

namespace ein {
#define GEN_PASS_DEF_LOWERCONTRACTIONS
#include "passes/llvm/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

/// What writes the tile that `loop` computes to a matrix that is there before
/// the loop; null if there is no such op.
static vector::TransferWriteOp findWrite(scf::ForOp loop,
                                         DominanceInfo &dominance) {
  SmallVector<Value> values(loop.getResults());
  for (size_t next = 0; next < values.size(); ++next)
    for (Operation *user : values[next].getUsers()) {
      auto write = dyn_cast<vector::TransferWriteOp>(user);
      if (!write) {
        if (user->getBlock() == loop->getBlock() && isPure(user))
          llvm::append_range(values, user->getResults());
        continue;
      }
      bool isThere = dominance.properlyDominates(write.getBase(), loop) &&
                     llvm::all_of(write.getIndices(), [&](Value index) {
                       return dominance.properlyDominates(index, loop);
                     });
      if (isThere && write.getVectorType().getRank() == 2 &&
          isa<MemRefType>(write.getBase().getType()) &&
          write.getPermutationMap().isIdentity())
        return write;
    }
  return nullptr;
}

/// Prefetches each cache line of what `write` will write.
static void prefetchTile(scf::ForOp loop, vector::TransferWriteOp write) {
  ImplicitLocOpBuilder b(loop.getLoc(), loop);
  VectorType type = write.getVectorType();
  int64_t perLine =
      getElementsPerLine(type.getElementType().getIntOrFloatBitWidth());
  auto getIndex = [&](unsigned dim, int64_t offset) -> Value {
    Value index = arith::AddIOp::create(
        b, write.getIndices()[dim], arith::ConstantIndexOp::create(b, offset));
    if (write.isDimInBounds(dim) || offset == 0)
      return index;
    Value size = memref::DimOp::create(b, write.getBase(), dim);
    Value last =
        arith::SubIOp::create(b, size, arith::ConstantIndexOp::create(b, 1));
    return arith::MinSIOp::create(b, index, last);
  };
  for (int64_t row = 0; row < type.getDimSize(0); ++row)
    for (int64_t column = 0; column < type.getDimSize(1); column += perLine)
      memref::PrefetchOp::create(
          b, write.getBase(), ValueRange{getIndex(0, row), getIndex(1, column)},
          /*isWrite=*/false,
          /*localityHint=*/3, /*isDataCache=*/true);
}

/// Prefetches, in the loop over k, what lies `width` columns behind the rows of
/// B that it reads: the next panel, which behind the last one is the first one
/// of the next rows of B. A panel has tiles of `rows` rows of C, which take
/// turns: of the lines of all rows that one step reads after `unroll` steps are
/// made one, each tile takes as many as make all, and these lie in one row
/// beside each other. Each at a place of its own would be an address for each,
/// for which there are no registers.
static void prefetchRhs(scf::ForOp loop, int64_t linesPerStep, int64_t rows) {
  vector::TransferReadOp read;
  loop.walk([&](vector::ContractionOp op) {
    read = op.getRhs().getDefiningOp<vector::TransferReadOp>();
  });
  if (!read || read.getVectorType().getRank() != 2 || read.getMask() ||
      !isa<MemRefType>(read.getBase().getType()) ||
      read.getIndices().front() != loop.getInductionVar() ||
      !loop.isDefinedOutsideOfLoop(read.getBase()) ||
      !loop.isDefinedOutsideOfLoop(read.getIndices().back()))
    return;
  ImplicitLocOpBuilder b(loop.getLoc(), loop);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  int64_t width = read.getVectorType().getShape().back();
  int64_t perLine = getElementsPerLine(
      read.getVectorType().getElementType().getIntOrFloatBitWidth());
  int64_t linesPerRow = llvm::divideCeil(width, perLine);
  auto unroll = loop->getAttrOfType<IntegerAttr>(EinDialect::kUnrollAttr);
  int64_t steps = unroll ? std::max<int64_t>(unroll.getInt(), 1) : 1;
  // The loop over tiles of rows, if there are several, is right outside.
  Value pass = constant(0);
  int64_t numPasses = llvm::divideCeil(linesPerRow, linesPerStep);
  auto tiles = dyn_cast<scf::ForOp>(loop->getParentOp());
  if (tiles && getConstantIntValue(tiles.getStep()) == rows &&
      tiles.isDefinedOutsideOfLoop(read.getBase())) {
    pass =
        arith::DivUIOp::create(b,
                               arith::SubIOp::create(b, tiles.getInductionVar(),
                                                     tiles.getLowerBound()),
                               constant(rows));
    if (std::optional<APInt> count = tiles.getStaticTripCount())
      numPasses = std::max<int64_t>(count->getZExtValue(), 1);
  }
  // A power of two, so that they do not end up in two rows.
  int64_t lines =
      llvm::PowerOf2Ceil(llvm::divideCeil(steps * linesPerRow, numPasses));
  lines = std::min(lines, steps * linesPerRow);
  Value first = b.createOrFold<arith::MulIOp>(pass, constant(lines));
  first =
      arith::MinUIOp::create(b, first, constant(steps * linesPerRow - lines));
  Value firstRow = arith::DivUIOp::create(b, first, constant(linesPerRow));
  Value firstLine = arith::RemUIOp::create(b, first, constant(linesPerRow));

  Value rhs = read.getBase(), down = firstRow;
  Value next =
      arith::AddIOp::create(b, read.getIndices().back(), constant(width));
  // A panel is a part of all columns.
  auto panel = rhs.getDefiningOp<memref::SubViewOp>();
  if (panel && panel.hasUnitStride() && panel.getType().getRank() == 2 &&
      panel.getSourceType().getRank() == 2 &&
      isZeroInteger(panel.getMixedOffsets()[0])) {
    rhs = panel.getSource();
    next =
        arith::AddIOp::create(b, next,
                              getValueOrCreateConstantIndexOp(
                                  b, b.getLoc(), panel.getMixedOffsets()[1]));
    Value end = memref::DimOp::create(b, rhs, 1);
    Value isLast =
        arith::CmpIOp::create(b, arith::CmpIPredicate::sge, next, end);
    next = arith::SelectOp::create(b, isLast, constant(0), next);
    down = arith::AddIOp::create(
        b, down,
        arith::SelectOp::create(b, isLast, loop.getUpperBound(), constant(0)));
  }
  next = arith::AddIOp::create(
      b, next, arith::MulIOp::create(b, firstLine, constant(perLine)));

  b.setInsertionPoint(read);
  for (int64_t line = 0; line < lines; ++line) {
    Value row = b.createOrFold<arith::AddIOp>(loop.getInductionVar(), down);
    if (line >= linesPerRow)
      row = arith::AddIOp::create(b, row, constant(line / linesPerRow));
    Value column = b.createOrFold<arith::AddIOp>(
        next, constant(line % linesPerRow * perLine));
    auto prefetch = memref::PrefetchOp::create(
        b, rhs, ValueRange{row, column}, /*isWrite=*/false,
        /*localityHint=*/2, /*isDataCache=*/true);
    prefetch->setAttr(EinDialect::kOnceAttr, b.getI64IntegerAttr(lines));
  }
}

/// Of the prefetches in a block that are to be there once, leaves the first.
static void dropRepeated(Block *block) {
  int64_t seen = 0;
  for (auto prefetch :
       llvm::make_early_inc_range(block->getOps<memref::PrefetchOp>()))
    if (auto lines =
            prefetch->getAttrOfType<IntegerAttr>(EinDialect::kOnceAttr)) {
      prefetch->removeAttr(EinDialect::kOnceAttr);
      if (seen++ >= lines.getInt())
        prefetch->erase();
    }
}

struct LowerContractionsPass
    : impl::LowerContractionsBase<LowerContractionsPass> {
  void runOnOperation() override {
    prefetchTiles();
    keepRowsRolled();
    keepUnlikelyShort();
    if (failed(lowerContractions()))
      return signalPassFailure();
    bringElementsToReads();
    if (failed(lowerTransfers()))
      return signalPassFailure();
    getOperation().walk([](scf::IfOp branch) { yieldRow(branch); });
    getOperation().walk([](VectorTransferOpInterface op) { addMask(op); });
    if (failed(unrollKernels()))
      return signalPassFailure();
    keepPanelsRolled();
  }

private:
  /// Has the tiles of C, where their schedule said so, be on their way to L1
  /// while the loop over k computes what is added to them.
  void prefetchTiles() {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (loop->removeAttr(EinDialect::kPrefetchAttr))
        loops.push_back(loop);
    });
    DominanceInfo dominance(getOperation());
    for (scf::ForOp loop : loops)
      if (vector::TransferWriteOp write = findWrite(loop, dominance))
        prefetchTile(loop, write);

    loops.clear();
    getOperation().walk([&](scf::ForOp loop) {
      if (loop->hasAttr(EinDialect::kPrefetchDistanceAttr))
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops) {
      auto distance = dyn_cast<DenseI64ArrayAttr>(
          loop->removeAttr(EinDialect::kPrefetchDistanceAttr));
      if (distance && distance.size() == 2)
        prefetchRhs(loop, distance[0], distance[1]);
    }
  }

  /// From here on: no contraction, no outer product; transfers are in the order
  /// of their memory.
  LogicalResult lowerContractions() {
    RewritePatternSet patterns(&getContext());
    vector::populateVectorContractLoweringPatterns(
        patterns, vector::VectorContractLowering::OuterProduct);
    vector::populateVectorOuterProductLoweringPatterns(patterns);
    vector::populateVectorTransferPermutationMapLoweringPatterns(patterns);
    vector::TransferReadOp::getCanonicalizationPatterns(patterns,
                                                        &getContext());
    vector::ExtractOp::getCanonicalizationPatterns(patterns, &getContext());
    return applyPatternsGreedily(getOperation(), std::move(patterns));
  }

  /// Upstream makes of the element of a read a load where the element is taken,
  /// which may be after the memory has been written again.
  void bringElementsToReads() {
    getOperation().walk([](vector::ExtractOp op) {
      auto read = op.getSource().getDefiningOp<vector::TransferReadOp>();
      if (read && !op.hasDynamicPosition())
        op->moveAfter(read);
    });
  }

  /// Has a vector that may reach behind the end of its memory be masked.
  static void addMask(VectorTransferOpInterface op) {
    VectorType type = op.getVectorType();
    if (type.getRank() != 1 || type.isScalable() || op.getMask() ||
        !op.hasOutOfBoundsDim() || !op.getPermutationMap().isMinorIdentity())
      return;
    ImplicitLocOpBuilder b(op.getLoc(), op);
    int64_t lanes = type.getDimSize(0);
    Value end = memref::DimOp::create(b, op.getBase(),
                                      op.getShapedType().getRank() - 1);
    Value length = arith::SubIOp::create(b, end, op.getIndices().back());
    length = arith::MinSIOp::create(b, length,
                                    arith::ConstantIndexOp::create(b, lanes));
    length =
        arith::MaxSIOp::create(b, length, arith::ConstantIndexOp::create(b, 0));
    Value mask = createLaneMask(b, lanes, length);
    auto inBounds = b.getBoolArrayAttr({true});
    if (auto read = dyn_cast<vector::TransferReadOp>(op.getOperation())) {
      read.getMaskMutable().assign(mask);
      read.setInBoundsAttr(inBounds);
    } else if (auto write =
                   dyn_cast<vector::TransferWriteOp>(op.getOperation())) {
      write.getMaskMutable().assign(mask);
      write.setInBoundsAttr(inBounds);
    }
  }

  /// From here on: transfers have rank 1 and are in bounds, or are masked.
  LogicalResult lowerTransfers() {
    RewritePatternSet patterns(&getContext());
    vector::populateScalarVectorTransferLoweringPatterns(
        patterns, /*benefit=*/10, /*allowMultipleUses=*/true);
    populateTransposeInRegisters(patterns, /*benefit=*/10);
    vector::populateVectorTransposeLoweringPatterns(
        patterns, vector::VectorTransposeLowering::Shuffle1D);
    vector::populateVectorBitCastLoweringPatterns(patterns);
    populateVectorToSCFConversionPatterns(
        patterns, VectorTransferToSCFOptions().enableFullUnroll());
    return applyPatternsGreedily(getOperation(), std::move(patterns));
  }

  /// Has a branch that puts one row into a vector of rows, or does not, yield
  /// the row. As upstream writes it all rows leave the branch, so that each of
  /// its ends has a copy of each: of 16 rows, 256 for the code generator.
  static void yieldRow(scf::IfOp branch) {
    if (branch.getNumResults() != 1 || branch.getElseRegion().empty())
      return;
    scf::YieldOp thenYield = branch.thenYield(), elseYield = branch.elseYield();
    auto insert = thenYield.getOperand(0).getDefiningOp<vector::InsertOp>();
    Value rows = elseYield.getOperand(0);
    if (!insert || insert.getDest() != rows || insert.hasDynamicPosition() ||
        insert->getBlock() != branch.thenBlock())
      return;
    IRRewriter b(branch.getContext());
    Location loc = branch.getLoc();
    ArrayRef<int64_t> position = insert.getStaticPosition();
    b.setInsertionPoint(elseYield);
    Value old = vector::ExtractOp::create(b, loc, rows, position);
    b.setInsertionPoint(branch);
    auto narrow =
        scf::IfOp::create(b, loc, TypeRange{old.getType()},
                          branch.getCondition(), /*withElseRegion=*/true);
    narrow.getThenRegion().takeBody(branch.getThenRegion());
    narrow.getElseRegion().takeBody(branch.getElseRegion());
    narrow.thenYield()->setOperand(0, insert.getValueToStore());
    narrow.elseYield()->setOperand(0, old);
    b.replaceOpWithNewOp<vector::InsertOp>(branch, narrow.getResult(0), rows,
                                           position);
    b.eraseOp(insert);
  }

  /// Has LLVM unroll a loop not at all, or only if it knows how often it runs.
  static void keepRolled(scf::ForOp loop, bool always) {
    MLIRContext *context = loop.getContext();
    auto yes = BoolAttr::get(context, true);
    auto unroll = LLVM::LoopUnrollAttr::get(
        context, /*disable=*/always ? yes : BoolAttr(), /*count=*/{},
        /*runtimeDisable=*/always ? BoolAttr() : yes, /*full=*/{},
        /*followupUnrolled=*/{}, /*followupRemainder=*/{}, /*followupAll=*/{});
    auto annotation = LLVM::LoopAnnotationAttr::get(
        context, /*disableNonforced=*/{}, /*vectorize=*/{}, /*interleave=*/{},
        unroll, /*unrollAndJam=*/{}, /*licm=*/{}, /*distribute=*/{},
        /*pipeline=*/{}, /*peeled=*/{}, /*unswitch=*/{}, /*mustProgress=*/{},
        /*isVectorized=*/{}, /*startLoc=*/{}, /*endLoc=*/{},
        /*parallelAccesses=*/{});
    loop->setAttr("loop_annotation", annotation);
  }

  /// Whether the memory is the function's own.
  static bool isTemporary(Value memory) {
    while (auto view = memory.getDefiningOp<ViewLikeOpInterface>())
      memory = view.getViewSource();
    return memory.getDefiningOp<memref::AllocOp>() ||
           memory.getDefiningOp<memref::AllocaOp>();
  }

  /// Whether the loop moves elements to panels, and computes none.
  static bool onlyPacks(scf::ForOp loop) {
    WalkResult result = loop.walk([](Operation *op) {
      if (auto write = dyn_cast<vector::TransferWriteOp>(op))
        return isTemporary(write.getBase()) ? WalkResult::advance()
                                            : WalkResult::interrupt();
      bool isMove =
          isa_and_nonnull<affine::AffineDialect, memref::MemRefDialect,
                          scf::SCFDialect, vector::VectorDialect>(
              op->getDialect()) &&
          !isa<memref::StoreOp, vector::FMAOp, vector::ReductionOp,
               vector::MultiDimReductionOp>(op);
      if (isMove || op->hasTrait<OpTrait::ConstantLike>() ||
          isa<arith::IndexCastOp>(op))
        return WalkResult::advance();
      bool isOfPlaces =
          isa_and_nonnull<arith::ArithDialect>(op->getDialect()) &&
          llvm::all_of(op->getResultTypes(), [](Type type) {
            Type element = getElementTypeOrSelf(type);
            return element.isIndex() || element.isInteger(1);
          });
      return isOfPlaces ? WalkResult::advance() : WalkResult::interrupt();
    });
    return !result.wasInterrupted();
  }

  /// Has loops over panels stay as they are. Where LLVM knows that there are 16
  /// it writes them all out, with the loop over k in each unrolled by 8, for
  /// nothing: the time goes into memory. Compiling them took longer than the
  /// product.
  void keepPanelsRolled() {
    getOperation().walk<WalkOrder::PreOrder>([](scf::ForOp loop) {
      bool isOutside = loop.walk([&](scf::ForOp inner) {
                             return inner == loop ? WalkResult::advance()
                                                  : WalkResult::interrupt();
                           })
                           .wasInterrupted();
      if (!isOutside || !onlyPacks(loop))
        return WalkResult::advance();
      keepRolled(loop, /*always=*/true);
      // Inside may be a loop over the elements of each step of k.
      return WalkResult::skip();
    });
  }

  /// Whether the value is computed from the number of the loop's step.
  static bool isOfStep(scf::ForOp loop, Value value) {
    if (value == loop.getInductionVar())
      return true;
    Operation *op = value.getDefiningOp();
    return op && loop->isAncestor(op) &&
           llvm::any_of(op->getOperands(),
                        [&](Value operand) { return isOfStep(loop, operand); });
  }

  /// How many bits of an array a step reads one after the other, next to what
  /// other steps read; of the array of which it reads most.
  static int64_t getReadBits(scf::ForOp loop) {
    llvm::SmallDenseMap<Value, int64_t> bits;
    int64_t most = 0;
    loop.getBody()->walk([&](vector::TransferReadOp read) {
      if (read.getIndices().empty() ||
          !isOfStep(loop, read.getIndices().back()))
        return;
      VectorType type = read.getVectorType();
      int64_t &sum = bits[read.getBase()];
      sum += type.getNumElements() * int64_t(type.getElementTypeBitWidth());
      most = std::max(most, sum);
    });
    return most;
  }

  /// Has loops along rows that carry partial results stay as they are, where a
  /// schedule has made one step of several. LLVM would take more of these at a
  /// time and reassociate them. Vectors would then be loaded from several
  /// places by turns, for which L2 gives fewer bytes than in their order.
  void keepRowsRolled() {
    int64_t vectorBits = getInstructions(getOperation()).vectorBits;
    getOperation().walk([&](scf::ForOp loop) {
      bool carries = llvm::any_of(loop.getResultTypes(), [](Type type) {
        return isa<VectorType>(type);
      });
      bool isInnermost = loop.getBody()->getOps<scf::ForOp>().empty();
      if (!carries || !isInnermost || loop->hasAttr(EinDialect::kUnrollAttr))
        return;
      if (getReadBits(loop) <= vectorBits)
        return;
      keepRolled(loop, /*always=*/true);
      // Nor are there several copies of it, for several rows.
      if (auto rows = dyn_cast<scf::ForOp>(loop->getParentOp());
          rows && !rows->hasAttr("loop_annotation"))
        keepRolled(rows, /*always=*/true);
    });
  }

  /// From here on LLVM knows which branches are seldom taken, and keeps loops
  /// in them as they are.
  void keepUnlikelyShort() {
    getOperation().walk([](scf::IfOp branch) {
      if (!branch->removeAttr(EinDialect::kUnlikelyAttr))
        return;
      ImplicitLocOpBuilder b(branch.getLoc(), branch);
      Value no = arith::ConstantOp::create(b, b.getBoolAttr(false));
      branch.getConditionMutable().assign(
          LLVM::ExpectOp::create(b, branch.getCondition(), no));
      branch.getThenRegion().walk(
          [](scf::ForOp loop) { keepRolled(loop, /*always=*/true); });
    });
  }

  /// From here on: the loops over k take as many steps at a time as their
  /// schedule said. LLVM would not unroll such long bodies by itself, and the
  /// instructions that only count would be as many as those that load.
  LogicalResult unrollKernels() {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (loop->hasAttr(EinDialect::kUnrollAttr))
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops) {
      auto steps =
          dyn_cast<IntegerAttr>(loop->removeAttr(EinDialect::kUnrollAttr));
      if (!steps || steps.getInt() < 1)
        return loop.emitOpError("has an invalid `")
               << EinDialect::kUnrollAttr << "`";
      bool isLong = loop->removeAttr(EinDialect::kLongSumAttr) != nullptr;
      FailureOr<UnrolledLoopInfo> parts =
          loopUnrollByFactor(loop, steps.getInt());
      if (failed(parts))
        return loop.emitOpError("cannot be unrolled");
      // LLVM would unroll these few steps, as it does not know that they are
      // few: two bodies more of each kernel. Of a window's few steps they may
      // be all.
      if (parts->epilogueLoopOp && isLong)
        keepRolled(*parts->epilogueLoopOp, /*always=*/false);
    }
    getOperation().walk([](Block *block) { dropRepeated(block); });
    return success();
  }
};
} // namespace
} // namespace ein
