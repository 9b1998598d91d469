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
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/analysis/Combiner.h"
#include "passes/distribute/Extents.h"
#include "passes/distribute/LocalKernel.h"
#include "passes/distribute/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace ein {
#define GEN_PASS_DEF_DISTRIBUTE
#include "passes/distribute/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

//===----------------------------------------------------------------------===//
// Maps, types and constants as the text has them
//===----------------------------------------------------------------------===//

/// A linear expression of loops with coefficients above 0.
static std::optional<runtime::Subscript> getSubscript(AffineExpr expr) {
  runtime::Subscript subscript;
  auto addTerm = [&](AffineExpr term) {
    int64_t coefficient = 1;
    if (auto constant = dyn_cast<AffineConstantExpr>(term)) {
      subscript.constant += constant.getValue();
      return true;
    }
    if (auto product = dyn_cast<AffineBinaryOpExpr>(term);
        product && product.getKind() == AffineExprKind::Mul) {
      auto factor = dyn_cast<AffineConstantExpr>(product.getRHS());
      if (!factor)
        return false;
      coefficient = factor.getValue();
      term = product.getLHS();
    }
    auto dim = dyn_cast<AffineDimExpr>(term);
    if (!dim || coefficient <= 0)
      return false;
    for (auto &[loop, other] : subscript.terms)
      if (loop == dim.getPosition()) {
        other += coefficient;
        return true;
      }
    subscript.terms.push_back({dim.getPosition(), coefficient});
    return true;
  };
  while (auto sum = dyn_cast<AffineBinaryOpExpr>(expr)) {
    if (sum.getKind() != AffineExprKind::Add)
      break;
    if (!addTerm(sum.getRHS()))
      return std::nullopt;
    expr = sum.getLHS();
  }
  if (!addTerm(expr) || subscript.constant < 0)
    return std::nullopt;
  return subscript;
}

static std::optional<ElementType> getElementType(Type type, bool isUnsigned) {
  if (type.isIndex())
    return ElementType::Index;
  if (auto complex = dyn_cast<ComplexType>(type))
    return complex.getElementType().isF32() ? ElementType::C64
                                            : ElementType::C128;
  std::string text;
  llvm::raw_string_ostream(text) << type;
  if (isUnsigned && type.isInteger())
    text[0] = 'u';
  return parseElementType(text);
}

static runtime::Combiner getCombinerKind(Operation *combiner) {
  using runtime::Combiner;
  return llvm::TypeSwitch<Operation *, Combiner>(combiner)
      .Case<arith::AddFOp, arith::AddIOp, complex::AddOp>(
          [](auto) { return Combiner::Add; })
      .Case<arith::MulIOp>([](auto) { return Combiner::Mul; })
      .Case<arith::MinimumFOp, arith::MinSIOp, arith::MinUIOp>(
          [](auto) { return Combiner::Min; })
      .Case<arith::MaximumFOp, arith::MaxSIOp, arith::MaxUIOp>(
          [](auto) { return Combiner::Max; })
      .Case<arith::AndIOp>([](auto) { return Combiner::And; })
      .Case<arith::OrIOp>([](auto) { return Combiner::Or; })
      .Case<arith::XOrIOp>([](auto) { return Combiner::Xor; })
      .Default([](auto) { return Combiner::None; });
}

static void appendBits(const APInt &value, size_t width,
                       std::vector<uint8_t> &bits) {
  APInt whole = value.zext(std::max<unsigned>(value.getBitWidth(), 8 * width));
  for (size_t byte = 0; byte != width; ++byte)
    bits.push_back(whole.extractBitsAsZExtValue(8, 8 * byte));
}

/// A constant as it is in memory; empty if it is none.
static std::vector<uint8_t> getBits(Value value, size_t width) {
  std::vector<uint8_t> bits;
  auto append = [&](Attribute part, size_t bytes) {
    if (auto number = dyn_cast<FloatAttr>(part))
      appendBits(number.getValue().bitcastToAPInt(), bytes, bits);
    else if (auto integer = dyn_cast<IntegerAttr>(part))
      appendBits(integer.getValue(), bytes, bits);
  };
  Attribute constant;
  if (auto op = value.getDefiningOp<complex::ConstantOp>()) {
    for (Attribute part : op.getValue())
      append(part, width / 2);
  } else if (matchPattern(value, m_Constant(&constant))) {
    append(constant, width);
  }
  if (bits.size() != width)
    bits.clear();
  return bits;
}

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
  LogicalResult addStatement(linalg::LinalgOp op);
  FailureOr<runtime::Access> getAccess(linalg::LinalgOp op, OpOperand &operand);
  LogicalResult addLoops(linalg::LinalgOp op, Operation *combiner,
                         runtime::DistributedStatement &statement);
  LogicalResult addSlices(scf::ForOp outermost);
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
};

} // namespace

/// What has to hold of the sizes; an error for what the runtime cannot check.
LogicalResult Distributor::addChecks() {
  if (signature.hasStatus)
    return function.emitError(
        "`--distribute` cannot cut a def whose subscripts "
        "or divisors are checked while it runs");
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
  return user->emitError("`--distribute` cannot cut what this statement reads");
}

FailureOr<runtime::Access> Distributor::getAccess(linalg::LinalgOp op,
                                                  OpOperand &operand) {
  runtime::Access access;
  bool isWritten = op.isDpsInit(&operand);
  if (!isWritten) {
    FailureOr<unsigned> array = getArray(operand.get(), op);
    if (failed(array))
      return failure();
    access.array = *array;
  }
  for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults()) {
    std::optional<runtime::Subscript> subscript = getSubscript(expr);
    if (!subscript) {
      std::string text;
      llvm::raw_string_ostream(text) << expr;
      return op.emitError("`--distribute` cannot cut a statement with the "
                          "subscript `")
             << text << "`";
    }
    bool isLone = subscript->terms.size() + (subscript->constant != 0) <= 1 &&
                  (subscript->terms.empty() || subscript->terms[0].second == 1);
    if (isWritten && !isLone)
      return op.emitError("`--distribute` cannot cut a statement that writes "
                          "at sums of indices");
    access.subscripts.push_back(std::move(*subscript));
  }
  return access;
}

LogicalResult Distributor::addLoops(linalg::LinalgOp op, Operation *combiner,
                                    runtime::DistributedStatement &statement) {
  bool isFree = combiner && getCombined(op, combiner) &&
                isInAnyOrder(op, combiner) &&
                getCombinerKind(combiner) != runtime::Combiner::None;
  if (isFree)
    statement.combiner = getCombinerKind(combiner);
  SmallVector<AffineExpr> exprs;
  for (unsigned loop = 0; loop != op.getNumLoops(); ++loop) {
    exprs.push_back(extents.getLoop(op, loop));
    if (!exprs.back())
      return op.emitError("`--distribute` cannot cut a statement with an index "
                          "of unknown extent");
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
    if (!dims.back())
      return op->emitError("`--distribute` cannot cut a statement whose result "
                           "has an unknown extent");
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
  if (op->getNumResults() != 1)
    return op.emitError(
        "`--distribute` cannot cut a statement with several results");
  runtime::DistributedStatement statement;
  statement.kernel = kernels->size();
  Operation *combiner = op.getNumReductionLoops() ? getCombiner(op) : nullptr;
  if (failed(addLoops(op, combiner, statement)))
    return failure();
  for (OpOperand *operand : op.getDpsInputOperands()) {
    if (!isa<RankedTensorType>(operand->get().getType()))
      continue;
    FailureOr<runtime::Access> access = getAccess(op, *operand);
    if (failed(access))
      return failure();
    statement.reads.push_back(std::move(*access));
  }
  llvm::SetVector<unsigned> scalars;
  if (failed(collectScalars(op, function, signature, scalars)))
    return failure();
  for (unsigned scalar : scalars)
    statement.reads.push_back({scalar, {}});
  FailureOr<runtime::Access> written = getAccess(op, *op.getDpsInitOperand(0));
  if (failed(written))
    return failure();
  FailureOr<unsigned> array = addTemporary(op, combiner);
  if (failed(array))
    return failure();
  statement.write = std::move(*written);
  statement.write.array = *array;
  if (failed(addStart(op, statement)))
    return failure();

  SmallVector<KernelArgument> arguments;
  for (const runtime::Access &access : statement.reads)
    arguments.push_back(getKernelArgument(access, op.getNumLoops()));
  arguments.push_back(getKernelArgument(statement.write, op.getNumLoops()));
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
    subscript.isWhole = !sliced;
    if (!sliced)
      continue;
    subscript.terms = {{*sliced, nest.sizes[*sliced]}};
    subscript.extra = nest.sizes[*sliced] - 1;
  }
  return access;
}

/// Loops over the slices of a product: ranks have slices.
LogicalResult Distributor::addSlices(scf::ForOp outermost) {
  std::optional<SliceNest> nest = matchSliceNest(outermost, extents);
  if (!nest)
    return outermost.emitError("`--distribute` cannot cut this statement yet: "
                               "its elements are computed one after the other");
  runtime::DistributedStatement statement;
  statement.kernel = kernels->size();
  statement.combiner = runtime::Combiner::Add;
  statement.isSliced = true;
  SmallVector<AffineExpr> counts;
  for (auto [extent, size] : llvm::zip_equal(nest->extents, nest->sizes))
    counts.push_back(extent.floorDiv(size));
  std::vector<runtime::Dim> dims = convertDims(AffineMap::get(
      0, signature.symbols.size(), counts, outermost.getContext()));
  for (unsigned loop = 0; loop != counts.size(); ++loop)
    statement.loops.push_back(
        {dims[loop], llvm::is_contained(nest->result, loop)
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
    FailureOr<unsigned> array = getArray(result, op);
    if (failed(array))
      return failure();
    program->results.push_back({destination, *array});
  }
  return success();
}

LogicalResult Distributor::addOp(Operation &op) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    // What is filled with a constant is how another statement begins.
    return isa<linalg::FillOp>(op) ? success() : addStatement(structured);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return addSlices(loop);
  if (auto end = dyn_cast<func::ReturnOp>(op))
    return addResults(end);
  bool isScalar = llvm::none_of(
      op.getResultTypes(), [](Type type) { return isa<ShapedType>(type); });
  if ((isScalar && isPure(&op) && op.getNumRegions() == 0) ||
      isa<tensor::EmptyOp, tensor::CastOp, tensor::DimOp>(op))
    return success();
  return op.emitError("`--distribute` cannot cut this statement yet: ")
         << (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)
                 ? "it joins or splits dims"
             : isa<tensor::ExtractSliceOp, tensor::InsertSliceOp,
                   tensor::PadOp>(op)
                 ? "it takes or writes a part of an array"
                 : "its elements are computed one after the other");
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
