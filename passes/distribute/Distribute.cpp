//===- Distribute.cpp - Kernels for the blocks of a rank ------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a program for many ranks is the same ops on other blocks, with
// messages between them, and which blocks depends on the number of ranks and on
// sizes that are known when it runs.
//
// Choice: each structured op is a kernel that does not know of ranks, and the
// rest is a text: which part of the arrays a part of the loops reaches follows
// from the op's maps. The runtime cuts the loops, moves the boxes and calls the
// kernels (runtime/mpi).
//
// Consequence: all that later passes do to ops is done to the local parts. What
// upstream's dialects `shard` and `mpi` lack for this is in
// docs/decisions/0048-mpi.md.
//
//===----------------------------------------------------------------------===//

#include "abi/Distributed.h"
#include "ir/EinDialect.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/analysis/Combiner.h"
#include "passes/distribute/Convert.h"
#include "passes/distribute/Extents.h"
#include "passes/distribute/LocalKernel.h"
#include "passes/distribute/Passes.h"

namespace ein {
#define GEN_PASS_DEF_DISTRIBUTE
#include "passes/distribute/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

//===----------------------------------------------------------------------===//
// A function
//===----------------------------------------------------------------------===//

namespace {

class Distributor {
public:
  Distributor(func::FuncOp function, Signature signature)
      : function(function), signature(std::move(signature)),
        extents(function, this->signature) {}

  LogicalResult run(runtime::DistributedProgram &program,
                    SmallVectorImpl<Attribute> &kernels);

private:
  LogicalResult addChecks();
  std::vector<runtime::Dim> convertDims(AffineMap map) {
    return convert({{"dims", TensorRole::Input, ElementType::F32, map}})
        .arguments[0]
        .dims;
  }
  LogicalResult addOp(Operation &op);
  bool canCut(linalg::LinalgOp op) const;
  LogicalResult addWhole(Value tensor, Operation *user,
                         ArrayRef<AffineExpr> dims);
  /// The code that kernels have found so far, or that there is none.
  bool isStatus(Value value) const;
  LogicalResult addStatement(linalg::LinalgOp op);
  FailureOr<runtime::Access> getAccess(linalg::LinalgOp op, OpOperand &operand);
  LogicalResult addLoops(linalg::LinalgOp op, Operation *combiner,
                         runtime::DistributedStatement &statement);
  LogicalResult addSlices(scf::ForOp outermost);
  bool isShared(const SliceNest &nest, ArrayRef<AffineExpr> counts) const;
  FailureOr<runtime::Access> getAccess(scf::ForOp loop, Value tensor,
                                       const SlicedDims &dims,
                                       const SliceNest &nest);
  LogicalResult addStart(linalg::LinalgOp op,
                         runtime::DistributedStatement &statement);
  LogicalResult addStart(Operation *op, Value before,
                         runtime::DistributedStatement &statement);
  FailureOr<unsigned> addTemporary(Operation *op, Operation *combiner);
  FailureOr<unsigned> getArray(Value tensor, Operation *user);
  LogicalResult addResults(func::ReturnOp op);
  /// Of an array, over the program's sizes.
  AffineExpr getExtent(unsigned array, int64_t dim) {
    if (auto known = wholeDims.find(array); known != wholeDims.end())
      return known->second[dim];
    for (auto [tensor, number] : arrays)
      if (number == array)
        return extents.get(tensor, dim);
    return signature.arguments[array].dims.getResult(dim);
  }
  KernelArgument getKernelArgument(const runtime::Access &access,
                                   unsigned numLoops);
  runtime::Signature convert(std::vector<Argument> arguments);
  ElementType getType(unsigned array) const {
    return static_cast<ElementType>(program->getArray(array).type);
  }

  func::FuncOp function;
  Signature signature;
  Extents extents;
  runtime::DistributedProgram *program = nullptr;
  SmallVectorImpl<Attribute> *kernels = nullptr;
  /// Tensors that are arrays.
  DenseMap<Value, unsigned> arrays;
  /// Extents of arrays that are made as a whole.
  DenseMap<unsigned, SmallVector<AffineExpr>> wholeDims;
};

} // namespace

/// What has to hold of the sizes; an error for what the runtime cannot check.
LogicalResult Distributor::addChecks() {
  if (!signature.minima.empty())
    return function.emitError(
        "`--distribute` cannot cut a def with the least of several sizes");
  if (!signature.scalars.empty())
    return function.emitError("`--distribute` cannot cut a def whose scalars "
                              "say where its slices start");
  // Products of sizes are checked of dims that are split and joined.
  for (const Check &check : signature.checks)
    if (check.kind != SizeCheck::Product)
      program->checks.push_back(
          {check.kind != SizeCheck::InBounds, check.kind == SizeCheck::Equal,
           convertDims(check.expr)[0], convertDims(check.unlessEmpty)});
  return success();
}

/// The arguments in the text's form.
runtime::Signature Distributor::convert(std::vector<Argument> arguments) {
  Signature other;
  other.symbols = signature.symbols;
  other.arguments = std::move(arguments);
  return other.toRuntime("arrays");
}

FailureOr<unsigned> Distributor::getArray(Value tensor, Operation *user) {
  if (auto known = arrays.find(tensor); known != arrays.end())
    return known->second;
  if (auto argument = dyn_cast<BlockArgument>(tensor))
    return argument.getArgNumber();
  Operation *defining = tensor.getDefiningOp();
  if (auto cast = dyn_cast<tensor::CastOp>(defining))
    return getArray(cast.getSource(), user);
  // What is filled is an array of its own where it is more than a beginning.
  if (auto fill = dyn_cast<linalg::FillOp>(defining)) {
    if (failed(addStatement(cast<linalg::LinalgOp>(fill.getOperation()))))
      return failure();
    return arrays.lookup(tensor);
  }
  SmallVector<AffineExpr> dims;
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  for (int64_t dim = 0; dim != rank; ++dim)
    dims.push_back(extents.get(tensor, dim));
  if (failed(addWhole(tensor, user, dims)))
    return failure();
  return arrays.lookup(tensor);
}

/// What no part of can be computed apart is made by one rank, from all that it
/// reads: recurrences, scatters, dims that are split and joined.
LogicalResult Distributor::addWhole(Value tensor, Operation *user,
                                    ArrayRef<AffineExpr> dims) {
  auto type = cast<RankedTensorType>(tensor.getType());
  std::optional<ElementType> element =
      getElementType(type.getElementType(), /*isUnsigned=*/false);
  std::optional<WholeSlice> slice =
      collectWhole(tensor, function, signature,
                   [&](Value value) { return arrays.contains(value); });
  if (!element || !slice || llvm::is_contained(dims, nullptr))
    return user->emitError("`--distribute` cannot tell what this statement "
                           "reads, or how large it is");
  runtime::DistributedStatement statement;
  auto getWhole = [](unsigned array, size_t rank) {
    runtime::Access access = {array, std::vector<runtime::Subscript>(rank)};
    for (runtime::Subscript &subscript : access.subscripts)
      subscript.isWhole = true;
    return access;
  };
  for (Value input : slice->inputs) {
    FailureOr<unsigned> array = getArray(input, user);
    if (failed(array))
      return failure();
    statement.reads.push_back(
        getWhole(*array, cast<RankedTensorType>(input.getType()).getRank()));
  }
  for (unsigned scalar : slice->scalars)
    statement.reads.push_back({scalar, {}});
  std::string name = "t" + std::to_string(program->temporaries.size());
  runtime::Signature converted = convert(
      {{name, TensorRole::Input, *element,
        AffineMap::get(0, signature.symbols.size(), dims, type.getContext())}});
  program->temporaries.push_back(std::move(converted.arguments[0]));
  unsigned number = program->getNumArrays() - 1;
  arrays[tensor] = number;
  wholeDims[number].assign(dims.begin(), dims.end());
  statement.write = getWhole(number, dims.size());
  SmallVector<KernelArgument> arguments;
  for (const runtime::Access &access : statement.reads)
    arguments.push_back(getKernelArgument(access, /*numLoops=*/0));
  arguments.push_back(getKernelArgument(statement.write, /*numLoops=*/0));
  statement.kernel = kernels->size();
  std::string kernel =
      (function.getName() + "." + Twine(statement.kernel)).str();
  createWholeKernel(tensor, *slice, function, signature, extents, arguments,
                    kernel);
  kernels->push_back(StringAttr::get(type.getContext(), kernel));
  program->statements.push_back(std::move(statement));
  return success();
}

bool Distributor::isStatus(Value value) const {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return signature.hasStatus &&
           argument.getArgNumber() == signature.arguments.size();
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  return op && op->getNumResults() == 1 &&
         isStatus(op.getDpsInitOperand(0)->get());
}

FailureOr<runtime::Access> Distributor::getAccess(linalg::LinalgOp op,
                                                  OpOperand &operand) {
  runtime::Access access;
  bool isWritten = op.isDpsInit(&operand);
  Value tensor = operand.get();
  for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults())
    access.subscripts.push_back(*getSubscript(expr));
  // A part of an array is that array from another element on.
  while (std::optional<SmallVector<int64_t>> offsets = getOffsets(tensor)) {
    if (arrays.contains(tensor) || (isWritten && !getInsertion(op)))
      break;
    for (auto [subscript, offset] :
         llvm::zip_equal(access.subscripts, *offsets))
      subscript.constant += offset;
    tensor = tensor.getDefiningOp<tensor::ExtractSliceOp>().getSource();
    if (isWritten)
      break;
  }
  if (isWritten)
    return access;
  FailureOr<unsigned> array = getArray(tensor, op);
  if (failed(array))
    return failure();
  access.array = *array;
  return access;
}

/// Whether parts of the op's loops can be computed apart: it has one result,
/// loops of known extents and subscripts that the text can have.
bool Distributor::canCut(linalg::LinalgOp op) const {
  llvm::SetVector<unsigned> scalars;
  if (op->getNumResults() != 1 ||
      !collectScalars(op, function, signature, scalars))
    return false;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  for (int64_t dim = 0; dim != type.getRank(); ++dim)
    if (!extents.get(op->getResult(0), dim))
      return false;
  for (unsigned loop = 0; loop != op.getNumLoops(); ++loop)
    if (!extents.getLoop(op, loop))
      return false;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults()) {
      std::optional<runtime::Subscript> subscript = getSubscript(expr);
      if (!subscript)
        return false;
      bool isLone =
          subscript->terms.size() + (subscript->constant != 0) <= 1 &&
          (subscript->terms.empty() || subscript->terms[0].second == 1);
      if ((op.isDpsInit(&operand) && !isLone) ||
          (isShapeOnly(op, operand) && !isa<AffineDimExpr>(expr)))
        return false;
    }
  }
  return true;
}

LogicalResult Distributor::addLoops(linalg::LinalgOp op, Operation *combiner,
                                    runtime::DistributedStatement &statement) {
  bool isFree = combiner && getCombined(op, combiner) &&
                isInAnyOrder(op, combiner) &&
                getCombinerKind(combiner) != runtime::Combiner::None;
  if (isFree)
    statement.combiner = getCombinerKind(combiner);
  // The first code that a part finds is that of the part.
  if (!isFree && isStatus(op.getDpsInitOperand(0)->get())) {
    isFree = true;
    statement.combiner = runtime::Combiner::First;
  }
  SmallVector<AffineExpr> exprs;
  for (unsigned loop = 0; loop != op.getNumLoops(); ++loop) {
    exprs.push_back(extents.getLoop(op, loop));
  }
  runtime::Signature converted = convert(
      {{"loops", TensorRole::Input, ElementType::F32,
        AffineMap::get(0, signature.symbols.size(), exprs, op.getContext())}});
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray())) {
    runtime::LoopKind kind = type == utils::IteratorType::parallel
                                 ? runtime::LoopKind::Parallel
                             : isFree ? runtime::LoopKind::Reduction
                                      : runtime::LoopKind::Whole;
    statement.loops.push_back({converted.arguments[0].dims[loop], kind});
  }
  return success();
}

/// What is in the result before: a constant, another array, or whatever.
LogicalResult Distributor::addStart(linalg::LinalgOp op,
                                    runtime::DistributedStatement &statement) {
  OpOperand *init = op.getDpsInitOperand(0);
  if (!op.payloadUsesValueFromOperand(init)) {
    // What a diagonal leaves out stays.
    AffineMap map = op.getMatchingIndexingMap(init);
    if (map.isPermutation() || map.isProjectedPermutation())
      return success();
  }
  return addStart(op, init->get(), statement);
}

LogicalResult Distributor::addStart(Operation *op, Value before,
                                    runtime::DistributedStatement &statement) {
  size_t width = getByteWidth(program->getArray(statement.write.array).type);
  if (auto fill = before.getDefiningOp<linalg::FillOp>()) {
    statement.startBits = getBits(fill.value(), width);
    if (!statement.startBits.empty()) {
      statement.start = runtime::StartKind::Bits;
      return success();
    }
  }
  if (before.getDefiningOp<tensor::EmptyOp>())
    return success();
  if (isa<BlockArgument>(before) && isStatus(before)) {
    statement.startBits.assign(width, 0);
    statement.start = runtime::StartKind::Bits;
    return success();
  }
  if (auto argument = dyn_cast<BlockArgument>(before);
      argument &&
      signature.arguments[argument.getArgNumber()].role == TensorRole::Output)
    return success();
  FailureOr<unsigned> array = getArray(before, op);
  if (failed(array))
    return failure();
  statement.start = runtime::StartKind::Array;
  statement.startArray = *array;
  return success();
}

FailureOr<unsigned> Distributor::addTemporary(Operation *op,
                                              Operation *combiner) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  bool isUnsigned = isa_and_nonnull<arith::MinUIOp, arith::MaxUIOp>(combiner);
  std::optional<ElementType> element =
      getElementType(type.getElementType(), isUnsigned);
  if (!element)
    return op->emitError("`--distribute` cannot cut a statement of type ")
           << type.getElementType();
  SmallVector<AffineExpr> dims;
  for (int64_t dim = 0; dim != type.getRank(); ++dim) {
    dims.push_back(extents.get(op->getResult(0), dim));
  }
  std::string name = "t" + std::to_string(program->temporaries.size());
  runtime::Signature converted = convert(
      {{name, TensorRole::Input, *element,
        AffineMap::get(0, signature.symbols.size(), dims, op->getContext())}});
  program->temporaries.push_back(std::move(converted.arguments[0]));
  unsigned number = program->getNumArrays() - 1;
  arrays[op->getResult(0)] = number;
  return number;
}

/// What a kernel takes of an array: as much as its loops reach.
KernelArgument Distributor::getKernelArgument(const runtime::Access &access,
                                              unsigned numLoops) {
  MLIRContext *context = function.getContext();
  SmallVector<AffineExpr> dims;
  for (auto [dim, subscript] : llvm::enumerate(access.subscripts)) {
    if (subscript.isWhole) {
      AffineExpr whole = getExtent(access.array, dim);
      dims.push_back(
          whole.shiftSymbols(signature.symbols.size(), 2 * numLoops));
      continue;
    }
    AffineExpr extent = getAffineConstantExpr(1 + subscript.extra, context);
    for (auto [loop, coefficient] : subscript.terms)
      extent = extent + (getAffineSymbolExpr(loop, context) - 1) * coefficient;
    dims.push_back(extent);
  }
  // A scalar of type bool is one bit, and what is in memory a byte.
  ElementType type = getType(access.array);
  if (type == ElementType::Bool && dims.empty() &&
      !program->isScalar(access.array))
    type = ElementType::I8;
  return {type, AffineMap::get(0, 2 * numLoops + signature.symbols.size(), dims,
                               context)};
}

LogicalResult Distributor::addStatement(linalg::LinalgOp op) {
  runtime::DistributedStatement statement;
  Operation *combiner = op.getNumReductionLoops() ? getCombiner(op) : nullptr;
  if (failed(addLoops(op, combiner, statement)))
    return failure();
  for (OpOperand *operand : op.getDpsInputOperands()) {
    if (!isa<RankedTensorType>(operand->get().getType()) ||
        isShapeOnly(op, *operand))
      continue;
    FailureOr<runtime::Access> access = getAccess(op, *operand);
    if (failed(access))
      return failure();
    statement.reads.push_back(std::move(*access));
  }
  // Data say which elements are taken of these.
  for (Value tensor : getBodyTensors(op)) {
    FailureOr<unsigned> array = getArray(tensor, op);
    if (failed(array))
      return failure();
    runtime::Access &access = statement.reads.emplace_back();
    access.array = *array;
    access.subscripts.resize(
        cast<RankedTensorType>(tensor.getType()).getRank());
    for (runtime::Subscript &subscript : access.subscripts)
      subscript.isWhole = true;
  }
  llvm::SetVector<unsigned> scalars;
  (void)collectScalars(op, function, signature, scalars);
  for (unsigned scalar : scalars)
    statement.reads.push_back({scalar, {}});
  FailureOr<runtime::Access> written = getAccess(op, *op.getDpsInitOperand(0));
  if (failed(written))
    return failure();
  // What is written of an array is the array, whose other elements stay.
  tensor::InsertSliceOp insert = getInsertion(op);
  FailureOr<unsigned> array =
      insert ? addTemporary(insert, combiner) : addTemporary(op, combiner);
  if (failed(array))
    return failure();
  statement.write = std::move(*written);
  statement.write.array = *array;
  if (failed(insert ? addStart(insert, insert.getDest(), statement)
                    : addStart(op, statement)))
    return failure();

  SmallVector<KernelArgument> arguments;
  for (const runtime::Access &access : statement.reads)
    arguments.push_back(getKernelArgument(access, op.getNumLoops()));
  arguments.push_back(getKernelArgument(statement.write, op.getNumLoops()));
  statement.kernel = kernels->size();
  std::string name = (function.getName() + "." + Twine(statement.kernel)).str();
  createLocalKernel(op, function, signature, extents, scalars.getArrayRef(),
                    arguments, name);
  kernels->push_back(StringAttr::get(op.getContext(), name));
  program->statements.push_back(std::move(statement));
  return success();
}

/// Whole dims, and slices of those that loops go through.
FailureOr<runtime::Access> Distributor::getAccess(scf::ForOp loop, Value tensor,
                                                  const SlicedDims &dims,
                                                  const SliceNest &nest) {
  runtime::Access access;
  FailureOr<unsigned> array = getArray(tensor, loop);
  if (failed(array))
    return failure();
  access.array = *array;
  for (std::optional<unsigned> sliced : dims) {
    runtime::Subscript &subscript = access.subscripts.emplace_back();
    int64_t dim = int64_t(access.subscripts.size()) - 1;
    if (nest.isInner(tensor, dim)) {
      subscript.terms = {{unsigned(nest.loops.size()), 1}};
      continue;
    }
    subscript.isWhole = !sliced;
    if (!sliced)
      continue;
    subscript.terms = {{*sliced, nest.sizes[*sliced]}};
    subscript.extra = nest.sizes[*sliced] - 1;
  }
  return access;
}

/// Whether ranks are to share slices. A kernel that knows an extent is faster
/// than one that does not, so that one that it knows is cut only for more ranks
/// than slices.
bool Distributor::isShared(const SliceNest &nest,
                           ArrayRef<AffineExpr> counts) const {
  if (!nest.innerExtent || !program->grid.empty())
    return false;
  if (program->ranks == 0)
    return !isa<AffineConstantExpr>(nest.innerExtent);
  int64_t slices = 1;
  for (AffineExpr count : counts) {
    auto known = dyn_cast<AffineConstantExpr>(count);
    if (!known || llvm::MulOverflow(slices, known.getValue(), slices))
      return true;
  }
  return program->ranks > slices;
}

/// Loops over the slices of a product: ranks have slices.
LogicalResult Distributor::addSlices(scf::ForOp outermost) {
  std::optional<SliceNest> nest = matchSliceNest(outermost, extents);
  if (!nest)
    return success(); // made as a whole where it is read
  runtime::DistributedStatement statement;
  statement.combiner = runtime::Combiner::Add;
  statement.isSliced = true;
  SmallVector<AffineExpr> counts;
  for (auto [extent, size] : llvm::zip_equal(nest->extents, nest->sizes))
    counts.push_back(extent.floorDiv(size));
  if (!isShared(*nest, counts))
    nest->dropInner();
  if (nest->innerExtent)
    counts.push_back(nest->innerExtent);
  std::vector<runtime::Dim> dims = convertDims(AffineMap::get(
      0, signature.symbols.size(), counts, outermost.getContext()));
  for (unsigned loop = 0; loop != counts.size(); ++loop)
    statement.loops.push_back(
        {dims[loop], loop >= nest->loops.size() ? runtime::LoopKind::Inner
                     : llvm::is_contained(nest->result, loop)
                         ? runtime::LoopKind::Parallel
                         : runtime::LoopKind::Reduction});
  for (const auto &[value, sliced] : nest->inputs) {
    FailureOr<runtime::Access> access =
        getAccess(outermost, value, sliced, *nest);
    if (failed(access))
      return failure();
    statement.reads.push_back(std::move(*access));
  }
  llvm::SetVector<unsigned> scalars;
  if (failed(collectScalars(*nest, function, signature, scalars)))
    return failure();
  for (unsigned scalar : scalars)
    statement.reads.push_back({scalar, {}});
  if (failed(addTemporary(outermost, /*combiner=*/nullptr)))
    return failure();
  FailureOr<runtime::Access> written =
      getAccess(outermost, outermost.getResult(0), nest->result, *nest);
  if (failed(written))
    return failure();
  statement.write = std::move(*written);
  if (failed(addStart(outermost, nest->init, statement)))
    return failure();
  SmallVector<KernelArgument> arguments;
  for (const runtime::Access &access : statement.reads)
    arguments.push_back(getKernelArgument(access, counts.size()));
  arguments.push_back(getKernelArgument(statement.write, counts.size()));
  statement.kernel = kernels->size();
  std::string name = (function.getName() + "." + Twine(statement.kernel)).str();
  createLocalKernel(*nest, function, signature, extents, scalars.getArrayRef(),
                    arguments, name);
  kernels->push_back(StringAttr::get(outermost.getContext(), name));
  program->statements.push_back(std::move(statement));
  return success();
}

LogicalResult Distributor::addResults(func::ReturnOp op) {
  for (auto [result, destination] :
       llvm::zip_equal(op.getOperands(), signature.getDestinations(function))) {
    bool isCode = destination == signature.arguments.size();
    if (isCode && isa<BlockArgument>(result))
      continue; // nothing has been checked
    // A result is as large as its destination, whatever makes it.
    if (!arrays.contains(result) && result.getDefiningOp() &&
        !result.getDefiningOp<linalg::FillOp>() &&
        !result.getDefiningOp<tensor::CastOp>()) {
      SmallVector<AffineExpr> dims;
      if (!isCode)
        dims.append(signature.arguments[destination].dims.getResults().begin(),
                    signature.arguments[destination].dims.getResults().end());
      if (failed(addWhole(result, op, dims)))
        return failure();
    }
    FailureOr<unsigned> array = getArray(result, op);
    if (failed(array))
      return failure();
    if (isCode)
      program->status = *array;
    else
      program->results.push_back({destination, *array});
  }
  return success();
}

LogicalResult Distributor::addOp(Operation &op) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    // What is filled with a constant is how another statement begins.
    return isa<linalg::FillOp>(op) || !canCut(structured)
               ? success()
               : addStatement(structured);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return addSlices(loop);
  if (auto end = dyn_cast<func::ReturnOp>(op))
    return addResults(end);
  // Others make what reads them, or are part of what makes it.
  if (isMemoryEffectFree(&op))
    return success();
  return op.emitError("`--distribute` cannot cut this statement");
}

LogicalResult Distributor::run(runtime::DistributedProgram &result,
                               SmallVectorImpl<Attribute> &names) {
  program = &result;
  kernels = &names;
  if (failed(addChecks()))
    return failure();
  program->signature = signature.toRuntime(function.getName());
  // Results whose destination is known are made in an array of that type.
  for (Operation &op : function.front())
    if (failed(addOp(op)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// `4`, or `2x2x1`: the number of ranks, and the parts.
static bool parseRanks(StringRef text, runtime::DistributedProgram &program) {
  if (text.empty())
    return true;
  if (!text.contains('x'))
    return !text.getAsInteger(10, program.ranks) && program.ranks > 0;
  program.ranks = 1;
  for (StringRef part : llvm::split(text, 'x')) {
    int64_t parts;
    if (part.getAsInteger(10, parts) || parts < 1 ||
        llvm::MulOverflow(program.ranks, parts, program.ranks))
      return false;
    program.grid.push_back(parts);
  }
  return true;
}

namespace {
struct DistributePass : impl::DistributeBase<DistributePass> {
  using DistributeBase::DistributeBase;

  void runOnOperation() override {
    if (network.size() != 4 && !network.empty()) {
      getOperation().emitError("a network has four numbers, and not ")
          << network.size();
      return signalPassFailure();
    }
    SmallVector<func::FuncOp> functions;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(EinDialect::kSignatureAttr))
        functions.push_back(function);
    Builder b(&getContext());
    SmallVector<Attribute> records;
    for (func::FuncOp function : functions) {
      FailureOr<Signature> signature = Signature::fromOp(function);
      if (failed(signature))
        return signalPassFailure();
      runtime::DistributedProgram program;
      program.maxMemoryBytes = maxMemory;
      if (network.size() == 4)
        program.network = {network[0], network[1], network[2], network[3]};
      SmallVector<Attribute> kernels;
      if (!parseRanks(ranks, program)) {
        function.emitError("`")
            << ranks << "` is neither a number of ranks nor a grid";
        return signalPassFailure();
      }
      if (failed(Distributor(function, *signature).run(program, kernels)))
        return signalPassFailure();
      if (!program.grid.empty() && program.statements.size() != 1) {
        function.emitError("a grid is for one statement, and this def has ")
            << program.statements.size();
        return signalPassFailure();
      }
      records.push_back(b.getDictionaryAttr(
          {b.getNamedAttr("name", b.getStringAttr(function.getName())),
           b.getNamedAttr("text", b.getStringAttr(runtime::print(program))),
           b.getNamedAttr("kernels", b.getArrayAttr(kernels))}));
      function.erase();
    }
    getOperation()->setAttr(EinDialect::kDistributedAttr,
                            b.getArrayAttr(records));
  }
};
} // namespace

} // namespace ein
