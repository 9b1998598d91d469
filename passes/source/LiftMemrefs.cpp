//===- LiftMemrefs.cpp - A user's memrefs become tensors ------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What makes structured ops fast, raising, fusion, tiles in registers, is
// written for tensors; on memrefs each would have to ask again what aliases
// what. So this is asked once, here (MemrefRoots.h), and the memory of which it
// can be told becomes values: each root a tensor, which what writes to it makes
// anew, and which loops and branches carry. It is mem2reg, for arrays.
//
// Views have no values of their own. What reads a view takes it out of the
// root's value of that time, and what writes one puts it back, so the chain is
// linear and bufferization finds each of its steps in place. An argument that
// is written gets a result, which is an output in the same memory.
//
// What cannot be told stays, and runs as loops over memory.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "ir/Signature.h"
#include "ir/WrittenForm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "passes/analysis/Aggregates.h"
#include "passes/source/MemrefRoots.h"
#include "passes/source/Passes.h"

namespace ein {
#define GEN_PASS_DEF_LIFTMEMREFS
#include "passes/source/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

static RankedTensorType getTensorType(Type memref) {
  auto type = cast<MemRefType>(memref);
  return RankedTensorType::get(type.getShape(), type.getElementType());
}

namespace {

/// Lifts the roots of one function.
class Lifter {
public:
  Lifter(func::FuncOp function, const MemrefRoots &roots)
      : function(function), roots(roots), rewriter(function.getContext()) {}

  LogicalResult run();

private:
  using Values = llvm::DenseMap<Value, Value>;

  void liftBlock(Block &block);
  void lift(Operation *op);
  void makeRoot(Operation *op);
  void liftStructured(Operation *op);
  void liftFor(scf::ForOp op, ArrayRef<Value> written);
  void liftNest(ArrayRef<scf::ForOp> nest, ArrayRef<Value> written);
  void liftIf(scf::IfOp op);
  void liftWhile(scf::WhileOp op);
  void liftParallel(scf::ParallelOp op);
  void liftForall(scf::ForallOp op);

  /// What `memref` holds if its root holds what `values` says.
  Value read(Value memref, const Values &values);
  /// Has `memref` hold `value`.
  void write(Value memref, Value value);

  SmallVector<Value> getCurrent(ArrayRef<Value> written) const {
    return llvm::map_to_vector(
        written, [&](Value root) { return current.lookup(root); });
  }
  void setCurrent(ArrayRef<Value> written, ValueRange values) {
    for (auto [root, value] : llvm::zip_equal(written, values))
      current[root] = value;
  }
  /// Lifts a block that begins with the current values and hands on, by its
  /// terminator, what it makes of them.
  void liftCarrying(Block &block, ArrayRef<Value> written);
  void allowStrides();
  LogicalResult giveResults(Operation *terminator);

  func::FuncOp function;
  const MemrefRoots &roots;
  IRRewriter rewriter;
  /// Per root its value, at the op that is being lifted and as it began: sizes
  /// are asked of the latter.
  Values current, initial;
  SmallVector<Operation *> views;
  /// What loops carry that were parallel.
  llvm::DenseMap<Operation *, SmallVector<Value>> carried;
};

} // namespace

Value Lifter::read(Value memref, const Values &values) {
  if (Value value = values.lookup(memref))
    return value;
  Operation *op = memref.getDefiningOp();
  Location loc = op->getLoc();
  Value source = read(getViewed(op), values);
  RankedTensorType type = getTensorType(memref.getType());
  if (auto slice = dyn_cast<memref::SubViewOp>(op))
    return tensor::ExtractSliceOp::create(
        rewriter, loc, type, source, slice.getMixedOffsets(),
        slice.getMixedSizes(), slice.getMixedStrides());
  if (auto collapse = dyn_cast<memref::CollapseShapeOp>(op))
    return tensor::CollapseShapeOp::create(rewriter, loc, type, source,
                                           collapse.getReassociationIndices());
  if (auto expand = dyn_cast<memref::ExpandShapeOp>(op))
    return tensor::ExpandShapeOp::create(rewriter, loc, type, source,
                                         expand.getReassociationIndices(),
                                         expand.getMixedOutputShape());
  if (auto transpose = dyn_cast<memref::TransposeOp>(op)) {
    SmallVector<int64_t> order = llvm::map_to_vector(
        transpose.getPermutation().getResults(), [](AffineExpr dim) -> int64_t {
          return cast<AffineDimExpr>(dim).getPosition();
        });
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, source);
    Value empty = tensor::EmptyOp::create(
        rewriter, loc, applyPermutation(sizes, order), type.getElementType());
    return linalg::TransposeOp::create(rewriter, loc, source, empty, order)
        ->getResult(0);
  }
  // Casts say the same of other types, and alignments nothing.
  if (source.getType() == type)
    return source;
  return tensor::CastOp::create(rewriter, loc, type, source);
}

void Lifter::write(Value memref, Value value) {
  if (current.count(memref)) {
    Type type = current.lookup(memref).getType();
    if (value.getType() != type)
      value = tensor::CastOp::create(rewriter, value.getLoc(), type, value);
    current[memref] = value;
    return;
  }
  Operation *op = memref.getDefiningOp();
  Location loc = op->getLoc();
  Value viewed = getViewed(op);
  Value source = read(viewed, current);
  auto type = cast<RankedTensorType>(source.getType());
  if (auto slice = dyn_cast<memref::SubViewOp>(op))
    value = tensor::InsertSliceOp::create(
        rewriter, loc, value, source, slice.getMixedOffsets(),
        slice.getMixedSizes(), slice.getMixedStrides());
  else if (auto collapse = dyn_cast<memref::CollapseShapeOp>(op))
    value = tensor::ExpandShapeOp::create(
        rewriter, loc, type, value, collapse.getReassociationIndices(),
        tensor::getMixedSizes(rewriter, loc, read(viewed, initial)));
  else if (auto expand = dyn_cast<memref::ExpandShapeOp>(op))
    value = tensor::CollapseShapeOp::create(rewriter, loc, type, value,
                                            expand.getReassociationIndices());
  else if (auto transpose = dyn_cast<memref::TransposeOp>(op))
    value = linalg::TransposeOp::create(
                rewriter, loc, value, source,
                llvm::map_to_vector(
                    inversePermutation(transpose.getPermutation()).getResults(),
                    [](AffineExpr dim) -> int64_t {
                      return cast<AffineDimExpr>(dim).getPosition();
                    }))
                ->getResult(0);
  else if (value.getType() != type)
    value = tensor::CastOp::create(rewriter, loc, type, value);
  write(viewed, value);
}

/// The tensor that a root begins as.
void Lifter::makeRoot(Operation *op) {
  Location loc = op->getLoc();
  Value root = op->getResult(0), value;
  RankedTensorType type = getTensorType(root.getType());
  if (auto toBuffer = dyn_cast<bufferization::ToBufferOp>(op)) {
    value = toBuffer.getTensor();
  } else if (auto get = dyn_cast<memref::GetGlobalOp>(op)) {
    auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
        op, get.getNameAttr());
    auto elements = cast<ElementsAttr>(*global.getInitialValue());
    value = arith::ConstantOp::create(rewriter, loc, type,
                                      cast<TypedAttr>(elements));
  } else {
    value = tensor::EmptyOp::create(rewriter, loc, type, op->getOperands());
  }
  current[root] = initial[root] = value;
}

void Lifter::liftStructured(Operation *op) {
  auto style = cast<DestinationStyleOpInterface>(op);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      liftBlock(block); // which may read more
  rewriter.setInsertionPoint(op);
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(
        isa<MemRefType>(operand.getType()) ? read(operand, current) : operand);
  SmallVector<Type> types;
  for (OpOperand &init : style.getDpsInitsMutable()) {
    Type type = operands[init.getOperandNumber()].getType();
    if (isa<TensorType>(type))
      types.push_back(type);
  }
  Operation *lifted = mlir::clone(rewriter, op, types, operands);
  unsigned position = 0, known = 0;
  for (OpOperand &init : style.getDpsInitsMutable()) {
    Value init0 = init.get();
    if (isa<MemRefType>(init0.getType()))
      write(init0, lifted->getResult(position++));
    else if (isa<TensorType>(init0.getType()))
      op->getResult(known++).replaceAllUsesWith(lifted->getResult(position++));
  }
  rewriter.eraseOp(op);
}

void Lifter::liftCarrying(Block &block, ArrayRef<Value> written) {
  liftBlock(block);
  Operation *terminator = block.getTerminator();
  terminator->insertOperands(terminator->getNumOperands(), getCurrent(written));
}

void Lifter::liftFor(scf::ForOp op, ArrayRef<Value> written) {
  if (written.empty())
    return liftBlock(*op.getBody());
  rewriter.setInsertionPoint(op);
  auto keepValues = [](OpBuilder &, Location, ArrayRef<BlockArgument> values) {
    return SmallVector<Value>(values.begin(), values.end());
  };
  unsigned numKnown = op.getNumRegionIterArgs();
  auto loop = cast<scf::ForOp>(*op.replaceWithAdditionalYields(
      rewriter, getCurrent(written), /*replaceInitOperandUsesInLoop=*/false,
      keepValues));
  Values before = current;
  setCurrent(written,
             ValueRange(loop.getRegionIterArgs().drop_front(numKnown)));
  liftBlock(*loop.getBody());
  loop.getBody()->getTerminator()->setOperands(numKnown, written.size(),
                                               getCurrent(written));
  current = std::move(before);
  setCurrent(written, loop.getResults().drop_front(numKnown));
}

void Lifter::liftIf(scf::IfOp op) {
  SmallVector<Value> written = roots.getWritten(op);
  Values before = current;
  auto liftBranch = [&](Region &region) {
    if (!region.empty())
      liftCarrying(region.front(), written);
    current = before;
  };
  if (written.empty()) {
    liftBranch(op.getThenRegion());
    return liftBranch(op.getElseRegion());
  }
  rewriter.setInsertionPoint(op);
  SmallVector<Value> values = getCurrent(written);
  SmallVector<Type> types(op.getResultTypes());
  llvm::append_range(types, ValueRange(values).getTypes());
  auto branch = scf::IfOp::create(rewriter, op.getLoc(), types,
                                  op.getCondition(), /*withElseRegion=*/true);
  branch->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  branch.getThenRegion().takeBody(op.getThenRegion());
  if (op.getElseRegion().empty()) {
    rewriter.setInsertionPointToEnd(branch.elseBlock());
    scf::YieldOp::create(rewriter, op.getLoc());
  } else {
    branch.getElseRegion().takeBody(op.getElseRegion());
  }
  liftBranch(branch.getThenRegion());
  liftBranch(branch.getElseRegion());
  op->replaceAllUsesWith(branch.getResults().take_front(op.getNumResults()));
  setCurrent(written, branch.getResults().drop_front(op.getNumResults()));
  rewriter.eraseOp(op);
}

void Lifter::liftWhile(scf::WhileOp op) {
  SmallVector<Value> written = roots.getWritten(op);
  Values before = current;
  if (written.empty()) {
    liftBlock(*op.getBeforeBody());
    liftBlock(*op.getAfterBody());
    current = std::move(before);
    return;
  }
  rewriter.setInsertionPoint(op);
  SmallVector<Value> values = getCurrent(written);
  ValueRange carried(values);
  SmallVector<Type> types(op.getResultTypes());
  llvm::append_range(types, carried.getTypes());
  SmallVector<Value> inits(op.getInits());
  llvm::append_range(inits, values);
  auto loop = scf::WhileOp::create(rewriter, op.getLoc(), types, inits);
  loop->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  loop.getBefore().takeBody(op.getBefore());
  loop.getAfter().takeBody(op.getAfter());
  for (Region *region : {&loop.getBefore(), &loop.getAfter()}) {
    Block &block = region->front();
    unsigned numKnown = block.getNumArguments();
    block.addArguments(carried.getTypes(),
                       SmallVector<Location>(values.size(), op.getLoc()));
    setCurrent(written, ValueRange(block.getArguments().drop_front(numKnown)));
    liftCarrying(block, written);
    current = before;
  }
  op->replaceAllUsesWith(loop.getResults().take_front(op.getNumResults()));
  setCurrent(written, loop.getResults().drop_front(op.getNumResults()));
  rewriter.eraseOp(op);
}

/// Values pass from one iteration to the next, so a parallel loop that writes
/// becomes loops in a row; the ops in it have threads of their own.
void Lifter::liftParallel(scf::ParallelOp op) {
  SmallVector<Value> written = roots.getWritten(op);
  if (written.empty())
    return liftBlock(*op.getBody());
  rewriter.setInsertionPoint(op);
  scf::LoopNest nest = scf::buildLoopNest(
      rewriter, op.getLoc(), op.getLowerBound(), op.getUpperBound(),
      op.getStep(), [](OpBuilder &, Location, ValueRange) {});
  Block *body = nest.loops.back().getBody();
  rewriter.eraseOp(op.getBody()->getTerminator());
  SmallVector<Value> positions =
      llvm::map_to_vector(nest.loops, [](scf::ForOp loop) -> Value {
        return loop.getInductionVar();
      });
  rewriter.inlineBlockBefore(op.getBody(), body->getTerminator(), positions);
  rewriter.eraseOp(op);
  liftNest(nest.loops, written);
}

void Lifter::liftForall(scf::ForallOp op) {
  SmallVector<Value> written = roots.getWritten(op);
  if (written.empty())
    return liftBlock(*op.getBody());
  rewriter.setInsertionPoint(op);
  SmallVector<Operation *> loops;
  (void)scf::forallToForLoop(rewriter, op, &loops);
  liftNest(llvm::map_to_vector(
               loops, [](Operation *loop) { return cast<scf::ForOp>(loop); }),
           written);
}

void Lifter::liftNest(ArrayRef<scf::ForOp> nest, ArrayRef<Value> written) {
  for (scf::ForOp loop : nest)
    carried[loop] = llvm::to_vector(written);
  liftFor(nest.front(), written);
}

void Lifter::lift(Operation *op) {
  rewriter.setInsertionPoint(op);
  if (getViewed(op)) {
    if (roots.isLifted(op->getResult(0)))
      views.push_back(op);
    return;
  }
  if (op->getNumResults() == 1 && roots.isLifted(op->getResult(0))) {
    makeRoot(op);
    views.push_back(op);
    return;
  }
  if (isStructuredOnMemrefs(op)) {
    auto isLifted = [&](Value operand) { return roots.isLifted(operand); };
    if (llvm::any_of(op->getOperands(), isLifted))
      return liftStructured(op);
  }
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    if (roots.isLifted(dim.getSource()))
      rewriter.replaceOpWithNewOp<tensor::DimOp>(
          op, read(dim.getSource(), initial), dim.getIndex());
  } else if (auto load = dyn_cast<memref::LoadOp>(op)) {
    if (roots.isLifted(load.getMemref()))
      rewriter.replaceOpWithNewOp<tensor::ExtractOp>(
          op, read(load.getMemref(), current), load.getIndices());
  } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
    if (!roots.isLifted(store.getMemref()))
      return;
    write(store.getMemref(),
          tensor::InsertOp::create(rewriter, op->getLoc(), store.getValue(),
                                   read(store.getMemref(), current),
                                   store.getIndices()));
    rewriter.eraseOp(op);
  } else if (auto read = dyn_cast<bufferization::ToTensorOp>(op)) {
    if (roots.isLifted(read.getBuffer()))
      rewriter.replaceOp(op, this->read(read.getBuffer(), current));
  } else if (auto write =
                 dyn_cast<bufferization::MaterializeInDestinationOp>(op)) {
    if (!roots.isLifted(write.getDest()))
      return;
    // A copy in a loop, which carries the memory that it began with.
    Value value = write.getSource();
    if (isa<func::FuncOp>(op->getParentOp())) {
      this->write(write.getDest(), value);
    } else {
      Value destination = this->read(write.getDest(), current);
      if (value.getType() != destination.getType())
        value = tensor::CastOp::create(rewriter, op->getLoc(),
                                       destination.getType(), value);
      this->write(
          write.getDest(),
          linalg::CopyOp::create(rewriter, op->getLoc(), value, destination)
              ->getResult(0));
    }
    rewriter.eraseOp(op);
  } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
    auto known = carried.find(op);
    liftFor(loop, known == carried.end() ? roots.getWritten(op)
                                         : SmallVector<Value>(known->second));
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    liftIf(branch);
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    liftWhile(loop);
  } else if (auto loop = dyn_cast<scf::ParallelOp>(op)) {
    liftParallel(loop);
  } else if (auto loop = dyn_cast<scf::ForallOp>(op)) {
    liftForall(loop);
  } else {
    // What carries nothing writes to no root outside of it.
    Values before = current;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        liftBlock(block);
    current = std::move(before);
  }
}

void Lifter::liftBlock(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block))
    lift(&op);
}

/// Arguments that are tensors may have any strides but where dims of them are
/// joined; those that are written have to be in their place then.
void Lifter::allowStrides() {
  auto known =
      function->getAttrOfType<DenseI64ArrayAttr>(EinDialect::kContiguousAttr);
  if (!known)
    return;
  llvm::DenseSet<Value> joined;
  for (Operation *op : views)
    if (isa<memref::CollapseShapeOp>(op))
      joined.insert(roots.getRoot(op->getResult(0)));
  SmallVector<int64_t> contiguous;
  for (int64_t position : known.asArrayRef()) {
    Value argument = function.getArgument(position);
    if (!roots.isLifted(argument) || joined.contains(argument))
      contiguous.push_back(position);
  }
  function->removeAttr(EinDialect::kContiguousAttr);
  if (!contiguous.empty())
    function->setAttr(EinDialect::kContiguousAttr,
                      rewriter.getDenseI64ArrayAttr(contiguous));
}

/// Returns what the arguments that are written hold at the end.
LogicalResult Lifter::giveResults(Operation *terminator) {
  FailureOr<Signature> signature = Signature::fromOp(function);
  if (failed(signature))
    return failure();
  SmallVector<Value> results;
  for (auto [i, argument] : llvm::enumerate(signature->arguments)) {
    Value value = current.lookup(function.getArgument(i));
    if (!value)
      continue;
    function.setArgAttr(i,
                        bufferization::BufferizationDialect::kWritableAttrName,
                        rewriter.getBoolAttr(argument.isWritten()));
    if (argument.isWritten())
      results.push_back(value);
  }
  terminator->insertOperands(0, results);
  return success();
}

LogicalResult Lifter::run() {
  Block &body = function.front();
  rewriter.setInsertionPointToStart(&body);
  // Arguments are memrefs to their users until there are none left.
  SmallVector<UnrealizedConversionCastOp> casts;
  for (BlockArgument argument : body.getArguments()) {
    if (!roots.isLifted(argument))
      continue;
    casts.push_back(UnrealizedConversionCastOp::create(
        rewriter, argument.getLoc(), getTensorType(argument.getType()),
        argument));
    current[argument] = initial[argument] = casts.back().getResult(0);
  }
  liftBlock(body);
  allowStrides();
  for (Operation *op : llvm::reverse(views))
    rewriter.eraseOp(op);
  if (failed(giveResults(body.getTerminator())))
    return failure();
  for (UnrealizedConversionCastOp cast : casts) {
    Value argument = cast.getOperand(0);
    Value tensor = cast.getResult(0);
    argument.setType(tensor.getType());
    rewriter.replaceAllUsesWith(tensor, argument);
    rewriter.eraseOp(cast);
  }
  function.setType(rewriter.getFunctionType(
      body.getArgumentTypes(), body.getTerminator()->getOperandTypes()));
  return success();
}

/// Says why memrefs stay memrefs; an error if nothing can be made of those.
static LogicalResult report(func::FuncOp function, const MemrefRoots &roots) {
  auto options = remark::RemarkOpts::name("Lift").category("raise");
  for (const MemrefRoots::Refusal &refusal : roots.getRefusals()) {
    remark::missed(refusal.op->getLoc(), options)
        << "a memref stays in memory: " << refusal.reason.str();
    auto argument = dyn_cast<BlockArgument>(refusal.root);
    if (argument && !isKernelLayout(cast<MemRefType>(argument.getType()))) {
      InFlightDiagnostic diagnostic =
          function.emitError("an argument of `")
          << function.getName() << "`, " << argument.getType()
          << ", has strides or an offset that a contiguous array of its shape "
             "has not, and cannot become a tensor";
      diagnostic.attachNote(refusal.op->getLoc()) << refusal.reason;
      return failure();
    }
  }
  WalkResult result =
      function.walk([&](Operation *op) {
        if (!isAggregate(op) || !isStructuredOnMemrefs(op) ||
            roots.isLifted(op->getOperand(0)))
          return WalkResult::advance();
        InFlightDiagnostic diagnostic =
            op->emitError("`")
            << op->getName()
            << "` is compiled on tensors only, and a memref of it "
            << "cannot become one";
        for (const MemrefRoots::Refusal &refusal : roots.getRefusals())
          if (refusal.root == roots.getRoot(op->getOperand(0)))
            diagnostic.attachNote(refusal.op->getLoc()) << refusal.reason;
        return WalkResult::interrupt();
      });
  return failure(result.wasInterrupted());
}

namespace {
struct LiftMemrefsPass : impl::LiftMemrefsBase<LiftMemrefsPass> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    // The written form stays what it is.
    if (function.isExternal() || function.getName().starts_with(kWrittenPrefix))
      return;
    MemrefRoots roots(function);
    if (failed(report(function, roots)) ||
        failed(Lifter(function, roots).run()))
      return signalPassFailure();
  }
};
} // namespace

} // namespace ein
