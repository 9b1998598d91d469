//===- SelectSchedule.cpp - Decide how each op runs ---------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every question of profitability is answered here, from the roles of the dims
// and a description of the machine, and written on the op. No later pass looks
// at the machine, and none of them decides.
//
// Contractions without rows or without columns (matrix times vector, dot) reuse
// nothing that packing could bring closer; they run as loops, and so does every
// op that is known to have no elements.
//
// What threads share is decided in SelectThreads.cpp.
//
//===----------------------------------------------------------------------===//

#include "passes/select/SelectSchedule.h"
#include "ir/EinDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Pass/PassManager.h"
#include "passes/analysis/ComplexVectors.h"
#include "passes/analysis/DimRoles.h"
#include "passes/analysis/ElementBytes.h"
#include "passes/analysis/Epilogue.h"
#include "passes/analysis/Raising.h"
#include "passes/analysis/Reductions.h"
#include "passes/analysis/SizeBounds.h"
#include "passes/analysis/VectorBody.h"
#include "passes/analysis/VectorForms.h"
#include "passes/analysis/WindowAnalysis.h"
#include "passes/decompose/Passes.h"
#include "passes/schedule/DescribeSchedule.h"
#include "passes/schedule/ScheduledOps.h"
#include "passes/select/CheckSchedule.h"
#include "passes/select/MachineChoice.h"
#include "passes/select/Passes.h"
#include "passes/select/PriceSchedule.h"
#include "passes/select/ReportOrder.h"
#include "passes/select/ReportSchedule.h"
#include "passes/select/SelectAlternatives.h"
#include "passes/select/SelectDots.h"
#include "passes/select/SelectGemm.h"
#include "passes/select/SelectGett.h"
#include "passes/select/SelectGroups.h"
#include "passes/select/SelectInPlace.h"
#include "passes/select/SelectReductions.h"
#include "passes/select/SelectRows.h"
#include "passes/select/SelectStreams.h"
#include "passes/select/SelectThreads.h"
#include "passes/select/SelectTranspose.h"
#include "passes/select/SelectWindows.h"
#include "passes/select/TunedSchedules.h"
#include "target/Target.h"
#include "target/Unroll.h"
#include "target/VectorCode.h"
#include "llvm/ADT/StringExtras.h"

namespace ein {
#define GEN_PASS_DEF_SELECTSCHEDULE
#include "passes/select/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

/// The function of BLAS for a contraction of f32 or f64. Every matrix has to be
/// contiguous along one of the dims that the function has, which a contiguous
/// array is along its last.
static std::optional<Schedule> selectBlas(linalg::ContractOp op) {
  Type element = getElementTypeOrSelf(op.getDpsInits()[0].getType());
  if (!(element.isF32() || element.isF64()) ||
      llvm::any_of(op->getOperandTypes(), [&](Type type) {
        return getElementTypeOrSelf(type) != element;
      }))
    return std::nullopt;
  SmallVector<DimRole> roles = getRoles(op);
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  auto hasRole = [&](int64_t dim, DimRole role) {
    return dim >= 0 && roles[dim] == role;
  };

  Schedule schedule;
  schedule.kind = Schedule::LibraryCall;
  schedule.k = getLargest(roles, DimRole::K, sizes);
  bool hasM = llvm::is_contained(roles, DimRole::M);
  bool hasN = llvm::is_contained(roles, DimRole::N);
  if (schedule.k < 0)
    return std::nullopt;
  if (!hasM && !hasN)
    return schedule;
  // As for packing, n is the output's last dim; with one kind of dim only, it
  // is called m, and the function is one of a matrix and a vector.
  if (hasM && hasN) {
    schedule.n = getLastDim(maps[2]);
    if (!hasRole(schedule.n, DimRole::M) && !hasRole(schedule.n, DimRole::N))
      return std::nullopt;
    schedule.lhs = roles[schedule.n] == DimRole::N ? 0 : 1;
  } else {
    schedule.lhs = hasM ? 0 : 1;
  }
  DimRole roleM = schedule.lhs == 0 ? DimRole::M : DimRole::N;
  // The last dims of the inputs decide for m and k.
  int64_t lhsLast = getLastDim(maps[schedule.lhs]),
          rhsLast = getLastDim(maps[1 - schedule.lhs]);
  schedule.m =
      hasRole(lhsLast, roleM) ? lhsLast : getLargest(roles, roleM, sizes);
  if (hasRole(lhsLast, DimRole::K))
    schedule.k = lhsLast;
  if (lhsLast != schedule.m && lhsLast != schedule.k)
    return std::nullopt;
  if (schedule.n >= 0 && rhsLast != schedule.n) {
    if (!hasRole(rhsLast, DimRole::K) ||
        (hasRole(lhsLast, DimRole::K) && rhsLast != lhsLast))
      return std::nullopt;
    schedule.k = rhsLast;
  }
  return schedule;
}

/// Whether `op` chooses half-precision numbers, for which a vector has a
/// branch.
static bool choosesHalves(linalg::GenericOp op) {
  return getPartBits(op) == 16 &&
         llvm::any_of(op.getBody()->without_terminator(),
                      llvm::IsaPred<arith::MaximumFOp, arith::MinimumFOp>);
}

/// Whether a vector of `op` has a branch for numbers that are rare.
static bool hasRareNumbers(linalg::GenericOp op) {
  return llvm::any_of(op.getBody()->without_terminator(), [](Operation &inner) {
    return inner.hasAttr(EinDialect::kSeldomAttr);
  });
}

/// Elementwise ops whose every operand is contiguous along the output's last
/// dim, or does not have that dim.
static std::optional<Schedule> selectVectorize(linalg::GenericOp op,
                                               const TargetInfo &target,
                                               StringRef packing) {
  if (op.getNumLoops() == 0 || op.getNumReductionLoops() != 0 ||
      op.getNumDpsInits() != 1)
    return std::nullopt;
  // Where an element is, vectors have as numbers in a row.
  if (isOfComplex(op)) {
    if (!canBeVectors(op) ||
        !llvm::all_of(op->getOperands(), hasNeighboursTogether))
      return std::nullopt;
  } else {
    for (Operation &inner : op.getBody()->without_terminator())
      if (!isa<linalg::IndexOp>(inner) && !hasVectorForm(&inner))
        return std::nullopt;
  }
  AffineMap output = op.getIndexingMapsArray().back();
  if (!output.isPermutation())
    return std::nullopt;
  int64_t last = getLastDim(output);
  for (AffineMap map : op.getIndexingMapsArray()) {
    if (!isContiguousAlong(map, last))
      return std::nullopt;
  }
  int64_t lanes = target.getLanes(getPartBits(op));
  int64_t size = op.getStaticLoopRanges()[last];
  if (!ShapedType::isDynamic(size) && size < lanes) {
    // A function takes a few numbers as it takes a vector of them.
    if (size < 2 || !hasFormulas(op))
      return std::nullopt;
    lanes = size;
  } else if (hasFormulas(op) || choosesHalves(op)) {
    lanes *= getVectorsOfFormulas(
        target,
        ShapedType::isDynamic(size) ? std::nullopt : std::optional(size),
        lanes);
  } else if (hasRareNumbers(op)) {
    lanes *= getVectorsOfBranches(
        target,
        ShapedType::isDynamic(size) ? std::nullopt : std::optional(size), lanes,
        getPartBits(op));
  }

  Schedule schedule;
  schedule.kind = Schedule::Vectorize;
  schedule.tile.assign(op.getNumLoops(), 1);
  schedule.tile[last] = lanes;
  schedule.vectorDim = last;
  schedule.masked = target.hasMasks(getNarrowestBits(op), hasFormulas(op));
  schedule.prefetch = readsNextRows(op, target);
  for (AffineExpr expr : output.getResults())
    schedule.interchange.push_back(cast<AffineDimExpr>(expr).getPosition());
  schedule.streamBytes = getStreamBytes(op, target, schedule, packing);
  // A short row in a loop over rows: without a loop round its vectors LLVM sees
  // that they are read and written by others before and after, and keeps them.
  int64_t steps = ShapedType::isDynamic(size) ? 0 : size / lanes;
  if (op.getNumLoops() == 1 && op->getParentOfType<scf::ForOp>() && steps > 1 &&
      size <= getVectorsOfRow(target) * target.getLanes(getPartBits(op)) &&
      schedule.streamBytes == 0)
    schedule.unroll = steps;
  return schedule;
}

/// A copy whose last dim is groups of what lies in several rows: vectors of
/// these, interleaved.
static std::optional<Schedule> selectGroupedCopy(linalg::GenericOp op,
                                                 const TargetInfo &target) {
  if (op.getNumLoops() < 2 || op.getNumReductionLoops() != 0 ||
      op.getNumDpsInits() != 1 || op.getNumDpsInputs() != 1 ||
      !llvm::all_of(op.getBody()->without_terminator(),
                    llvm::IsaPred<arith::ExtSIOp, arith::ExtUIOp>))
    return std::nullopt;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  int64_t last = int64_t(op.getNumLoops()) - 1, row = last - 1;
  int64_t group = op.getStaticLoopRanges()[last];
  bool isOfGroups = group > 1 && group * getElementBits(op) == kNarrowSumBits &&
                    maps[1].isIdentity() && !maps[0].isProjectedPermutation() &&
                    getStepAlong(maps[0], row) == 1 &&
                    getStepAlong(maps[0], last) != 1;
  if (!isOfGroups)
    return std::nullopt;
  Schedule schedule;
  schedule.kind = Schedule::Vectorize;
  schedule.tile.assign(op.getNumLoops(), 1);
  schedule.vectorDim = row;
  schedule.masked = target.hasMasks(getElementBits(op));
  int64_t size = op.getStaticLoopRanges()[row];
  int64_t lanes = target.getLanes(kNarrowSumBits);
  if (!ShapedType::isDynamic(size) && size < lanes && !schedule.masked)
    lanes = llvm::bit_floor(uint64_t(std::max<int64_t>(size, 1)));
  schedule.tile[row] = lanes;
  return schedule;
}

/// A fill that whole registers hold, in vectors; LLVM makes memset of others.
static std::optional<Schedule> selectFill(linalg::FillOp op,
                                          const TargetInfo &target) {
  auto structured = cast<linalg::LinalgOp>(op.getOperation());
  SmallVector<int64_t> shape = structured.getStaticLoopRanges();
  int64_t lanes = target.getLanes(getElementBits(structured));
  // A reduction starts from the number.
  bool isStart = llvm::any_of(op->getUsers(), [](Operation *user) {
    auto generic = dyn_cast<linalg::GenericOp>(user);
    return generic && generic.getNumReductionLoops() != 0;
  });
  if (isStart || shape.empty() || ShapedType::isDynamicShape(shape) ||
      shape.back() % lanes != 0 ||
      ShapedType::getNumElements(shape) > lanes * target.vectorRegisters)
    return std::nullopt;
  Schedule schedule;
  schedule.kind = Schedule::Vectorize;
  schedule.tile.assign(shape.size(), 1);
  schedule.tile.back() = lanes;
  schedule.vectorDim = shape.size() - 1;
  return schedule;
}

/// What is elementwise, what is moved, and what is reduced, without tiles. Of
/// complex numbers that is all but the factors of contractions.
static Schedule selectVectors(linalg::LinalgOp op, const TargetInfo &target,
                              const GivenChoices &given) {
  if (auto generic = dyn_cast<linalg::GenericOp>(op.getOperation()))
    if (std::optional<Schedule> schedule =
            selectVectorize(generic, target, given.packing))
      return *schedule;
  if (auto generic = dyn_cast<linalg::GenericOp>(op.getOperation()))
    if (std::optional<Schedule> schedule = selectGroupedCopy(generic, target))
      return *schedule;
  if (std::vector<Candidate> ways = listTransposes(op, target, given);
      !ways.empty())
    return ways.front().schedule;
  if (std::vector<Candidate> ways = listReductions(op, target); !ways.empty())
    return ways.front().schedule;
  return Schedule();
}

/// Of the ways of a product of matrices the one that takes least: vectors along
/// k, operands that are copied in another order, tiles of C, or vectors along a
/// batch.
static std::optional<Schedule> selectProduct(linalg::LinalgOp op,
                                             const TargetInfo &target,
                                             const GivenChoices &given) {
  std::vector<Candidate> ways;
  OpPricer pricer(op, target, given.surroundings, given.assumed, given.isQuick);
  auto add = [&](const std::optional<Schedule> &schedule) {
    if (schedule)
      ways.push_back({*schedule, pricer.price(*schedule)});
  };
  StringRef packing = given.packing;
  for (const Schedule &schedule : listDots(op, target, given))
    add(schedule);
  // A matrix times a vector is a reduction of each row as well.
  if (packing == "auto" && !ways.empty() &&
      (ways.front().schedule.m < 0 || ways.front().schedule.n < 0))
    if (std::vector<Candidate> sums = listReductions(op, target); !sums.empty())
      ways.push_back(sums.front());
  sortByPrice(ways);
  if (std::vector<Candidate> getts = listGetts(op, target, given);
      !getts.empty())
    ways.push_back(getts.front());
  // What is asked for is taken.
  if (packing != "auto" && !ways.empty())
    return ways.front().schedule;
  if (std::vector<Candidate> gemms = listPackedGemms(op, target, given);
      !gemms.empty()) {
    ways.push_back(gemms.front());
    if (packing == "auto")
      if (std::vector<Candidate> tiles = listWindows(op, target, given);
          !tiles.empty())
        ways.push_back(tiles.front());
  }
  auto getCycles = [](const Candidate &way) {
    return way.cost ? way.cost->cycles
                    : std::numeric_limits<double>::infinity();
  };
  auto best = std::min_element(ways.begin(), ways.end(),
                               [&](const Candidate &a, const Candidate &b) {
                                 return getCycles(a) < getCycles(b);
                               });
  if (best == ways.end())
    return std::nullopt;
  return best->schedule;
}

/// Of the ways of what reads windows the one that takes least: tiles of it as
/// it is, or of copies; what has no tiles as it is may be better off without.
static std::optional<Schedule> selectWindow(linalg::LinalgOp op,
                                            const TargetInfo &target,
                                            const GivenChoices &given) {
  std::vector<Candidate> windows = listWindows(op, target, given),
                         copied = listCopiedSums(op, target, given);
  if (copied.empty())
    return windows.empty() ? std::nullopt
                           : std::optional(windows.front().schedule);
  if (windows.empty()) {
    Schedule schedule = selectVectors(op, target, given);
    windows.push_back(
        {schedule, OpPricer(op, target, {}, given.assumed).price(schedule)});
  }
  bool isBetter = !windows.front().cost ||
                  copied.front().cost->cycles < windows.front().cost->cycles;
  return isBetter ? copied.front().schedule : windows.front().schedule;
}

Schedule selectSchedule(linalg::LinalgOp op, const TargetInfo &target,
                        const GivenChoices &given) {
  // Tiles and packs are made of tensors, and vectors of what takes bytes: those
  // of single bits are packed, arrays of them are not.
  auto hasVectors = [&](Type type) {
    Type element = getElementTypeOrSelf(type);
    if (isa<ComplexType>(element))
      return isa<linalg::ContractOp>(op.getOperation()) ||
             (isa<linalg::GenericOp, linalg::TransposeOp>(op.getOperation()) &&
              hasVectorsOf(element));
    return element.isIntOrFloat() && element.getIntOrFloatBitWidth() % 8 == 0;
  };
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if ((generic && generic.getLibraryCall()) || !op.hasPureTensorSemantics() ||
      !llvm::all_of(op->getOperandTypes(), hasVectors))
    return Schedule();
  // Nothing to compute, and nothing that upstream's tiling could divide.
  if (llvm::is_contained(op.getStaticLoopRanges(), 0))
    return Schedule();
  if (isOfComplex(op) && !isa<linalg::ContractOp>(op.getOperation()))
    return selectVectors(op, target, given);
  if (auto fill = dyn_cast<linalg::FillOp>(op.getOperation()))
    if (std::optional<Schedule> schedule = selectFill(fill, target))
      return *schedule;
  if (auto contract = dyn_cast<linalg::ContractOp>(op.getOperation());
      contract && given.useBlas)
    if (std::optional<Schedule> schedule = selectBlas(contract))
      return *schedule;
  if (std::optional<Schedule> schedule = selectProduct(op, target, given))
    return *schedule;
  if (std::optional<Schedule> schedule = selectWindow(op, target, given))
    return *schedule;
  if (generic && succeeded(matchEpilogue(generic))) {
    Schedule schedule;
    schedule.kind = Schedule::Epilogue;
    return schedule;
  }
  return selectVectors(op, target, given);
}

static remark::RemarkOpts getRemark(StringRef name, StringRef category) {
  return remark::RemarkOpts::name(name).category(category);
}

/// Says in a sentence what was decided.
static void reportSchedule(linalg::LinalgOp op, const Schedule &schedule) {
  if (!isa<linalg::FillOp>(op.getOperation()))
    if (auto result =
            remark::analysis(op.getLoc(), getRemark("Strategy", "strategy")))
      result << describeSchedule(op, schedule);
}

namespace {
struct SelectSchedulePass : impl::SelectScheduleBase<SelectSchedulePass> {
  using SelectScheduleBase::SelectScheduleBase;
  void runOnOperation() override {
    if (failed(prepare()))
      return signalPassFailure();
    if (failed(checkKept()))
      return signalPassFailure();
    reportOrder(getOperation());
    if (failed(decompose ? decideAndDecompose()
                         : decide(splits, /*alsoRows=*/true)))
      return signalPassFailure();
    // Nothing is decided after that.
    if (decompose)
      reportSchedule(getOperation(), *known, {library == "blas", packing});
  }

private:
  /// Looks at the options, and up what the machine is.
  LogicalResult prepare() {
    if (!known) {
      FailureOr<TargetInfo> found =
          findTarget(getOperation(), {triple, cpu, features, sveBits, machine});
      if (failed(found))
        return failure();
      // However little there is for threads to do.
      if (threads != "auto")
        found->machine.threadStart = 0;
      known = std::move(*found);
    }
    if (library != "none" && library != "blas")
      return getOperation().emitError("there is no library `")
             << library << "`";
    if (columnBlock < 0)
      return getOperation().emitError("a block of columns is not ")
             << int64_t(columnBlock);
    if (failed(checkChoice("packing", packing,
                           {"auto", "always", "never", "first", "second",
                            "rows", "versions", "dots"})))
      return failure();
    return checkChoice("threads", threads, {"auto", "always", "outside"});
  }

  /// Looks at what somebody has decided already.
  LogicalResult checkKept() {
    WalkResult result = getOperation().walk([](linalg::LinalgOp op) {
      if (!op->hasAttr(EinDialect::kScheduleAttr))
        return WalkResult::advance();
      FailureOr<Schedule> schedule = Schedule::fromOp(op, op.getNumLoops());
      return WalkResult(success(succeeded(schedule) &&
                                succeeded(checkSchedule(op, *schedule))));
    });
    return failure(result.wasInterrupted());
  }

  /// Decides on each op that has no schedule; `alsoSplits`: with `parallel`
  /// also which sums are split; `alsoRows`: also which ops work on the same
  /// rows, which is decided before contractions are taken apart.
  LogicalResult decide(bool alsoSplits, bool alsoRows) {
    const TargetInfo &target = *known;
    if (vectorize && alsoRows)
      for (linalg::LinalgOp op :
           selectRows(getOperation(), target, parallel, columnBlock))
        reportSchedule(op, *Schedule::fromOp(op, op.getNumLoops()));
    WalkResult result = getOperation().walk([&](linalg::LinalgOp op) {
      if (op->hasAttr(EinDialect::kScheduleAttr))
        return WalkResult::advance();
      Schedule schedule;
      if (vectorize) {
        GivenChoices given = {library == "blas", packing,
                              getAssumedExtents(op)};
        if (op->hasAttr(EinDialect::kPackedTensorsAttr))
          given.surroundings = findSurroundings(op);
        reportCandidates(op, target, given);
        std::optional<Schedule> tuned = findTuned(op, target, given);
        schedule = tuned ? *tuned : selectSchedule(op, target, given);
      }
      if (parallel)
        selectThreads(op, target, alsoSplits, threads == "outside", schedule);
      // It is the large one that threads are for.
      if (vectorize && schedule.parallelDim < 0)
        selectAlternatives(op, target, {library == "blas", packing}, schedule);
      // Threads share all of C's tiles, or none.
      if (schedule.parallelDim >= 0)
        schedule.symmetric = 0;
      reportSchedule(op, schedule);
      op->setAttr(EinDialect::kScheduleAttr, schedule.toAttr(&getContext()));
      op->removeAttr(EinDialect::kPackedTensorsAttr);
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  /// Decides, has ops taken apart as they say, and decides on the pieces.
  LogicalResult decideAndDecompose() {
    auto run = [&](std::unique_ptr<Pass> pass) {
      OpPassManager passes(func::FuncOp::getOperationName());
      passes.addPass(std::move(pass));
      return runPipeline(passes, getOperation());
    };
    auto takeApart = [&](std::unique_ptr<Pass> pass,
                         bool alsoRows) -> LogicalResult {
      if (failed(run(std::move(pass))))
        return failure();
      return decide(/*alsoSplits=*/false, alsoRows);
    };
    auto has = [&](Schedule::Kind kind) {
      return getOperation()
          .walk([&](linalg::LinalgOp op) {
            return hasSchedule(op, kind) ? WalkResult::interrupt()
                                         : WalkResult::advance();
          })
          .wasInterrupted();
    };
    LowerOnlineReduceOptions online;
    online.conflictBytes = getConflictBytes(known->machine);
    // What somebody has written; whose blocks are ops like any others.
    if (failed(run(createLowerOnlineReduce(online))) ||
        failed(decide(/*alsoSplits=*/parallel, /*alsoRows=*/true)))
      return failure();
    if (has(Schedule::SplitSum) &&
        failed(takeApart(createSplitSums(), /*alsoRows=*/true)))
      return failure();
    // What is in a block of rows may be rows again.
    FuseRowsOptions rows;
    rows.conflictBytes = online.conflictBytes;
    while (has(Schedule::Rows))
      if (failed(run(createFuseRows(rows))) ||
          failed(takeApart(createLowerOnlineReduce(online), /*alsoRows=*/true)))
        return failure();
    // From here on what works on the same rows is one loop, and what is taken
    // apart has one version.
    MakeVersionsOptions early;
    early.early = true;
    if (failed(takeApart(createMakeVersions(early), /*alsoRows=*/false)))
      return failure();
    if (has(Schedule::Gett) &&
        failed(takeApart(createPackTensors(), /*alsoRows=*/false)))
      return failure();
    // From here on contractions are of the dims that they have in memory.
    return has(Schedule::PackedGemm)
               ? takeApart(createMirrorProducts(), /*alsoRows=*/false)
               : success();
  }

  /// The machine, which is looked up once for all functions: its instructions
  /// are tables of LLVM's.
  std::optional<TargetInfo> known;

  LogicalResult checkChoice(StringRef option, StringRef value,
                            ArrayRef<StringRef> choices) {
    if (llvm::is_contained(choices, value))
      return success();
    return getOperation().emitError()
           << option << " is `" << llvm::join(choices.drop_back(), "`, `")
           << "` or `" << choices.back() << "`, not `" << value << "`";
  }
};
} // namespace

} // namespace ein
