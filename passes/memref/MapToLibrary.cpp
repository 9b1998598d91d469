//===- MapToLibrary.cpp - Structured ops as calls of C functions --------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two kinds of op end in someone else's code. One that names its function
// (`library_call`) becomes upstream's call: each operand as a strided view, in
// MLIR's C interface. A contraction whose schedule is `library_call` becomes
// calls of the C interface to BLAS, in loops over all dims but m, n and k.
//
// BLAS wants one dim of each matrix contiguous, and `int` for sizes. The first
// is known here, from the layouts; a contraction that bufferisation has given
// another one becomes loops. The second is known when the code runs, and both
// ways are there. The output is accumulated to: beta is 1.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Conversion/LinalgToStandard/LinalgToStandard.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "passes/memref/Passes.h"
#include "passes/schedule/ScheduledOps.h"

namespace ein {
#define GEN_PASS_DEF_MAPTOLIBRARY
#include "passes/memref/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

/// The constants of cblas.h.
enum : int32_t { kRowMajor = 101, kNoTrans = 111, kTrans = 112 };

/// One operand of the contraction: where its dims are and how far apart.
struct Operand {
  unsigned index; // among the op's operands
  AffineMap map;
  Value address; // of element 0, as an index
  SmallVector<Value> strides;
  SmallVector<int64_t> knownStrides;

  std::optional<unsigned> find(int64_t dim) const {
    return dim < 0
               ? std::nullopt
               : map.getResultPosition(getAffineDimExpr(dim, map.getContext()));
  }
  bool isContiguous(int64_t dim) const {
    std::optional<unsigned> axis = find(dim);
    return axis && knownStrides[*axis] == 1;
  }
};

/// Makes the calls for one contraction.
class BlasEmitter {
public:
  BlasEmitter(IRRewriter &rewriter, linalg::ContractOp op, Schedule schedule)
      : op(op), schedule(std::move(schedule)), b(op.getLoc(), rewriter) {}

  LogicalResult run();

private:
  LogicalResult readOperands();
  bool isMapped() const;
  Value getExtent(int64_t dim);
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  Value constantInt(int32_t value) {
    return arith::ConstantIntOp::create(b, value, 32);
  }
  Value toInt(Value index) {
    return arith::IndexCastOp::create(b, b.getI32Type(), index);
  }
  Value getFactor() {
    return arith::ConstantOp::create(b, b.getFloatAttr(element, 1.0));
  }
  Value getStride(const Operand &operand, int64_t dim) {
    return operand.strides[*operand.find(dim)];
  }
  std::pair<int64_t, int64_t> getOrder(const Operand &operand,
                                       ArrayRef<int64_t> dims);
  Value emitFits();
  Value getAddress(const Operand &operand);
  Value getPointer(const Operand &operand);
  /// A matrix's transposition and leading dim, as BLAS wants them.
  void appendMatrix(const Operand &operand, int64_t rows, int64_t columns,
                    SmallVectorImpl<Value> &transpositions, Value &leading);
  FailureOr<Value> call(StringRef name, Type result, ArrayRef<Value> operands);
  LogicalResult emitCall();

  linalg::ContractOp op;
  Schedule schedule;
  ImplicitLocOpBuilder b;
  FloatType element;
  SmallVector<Operand> operands; // with rows, with columns, output
  /// Per dim, where the loops around the call are.
  SmallVector<Value> positions;
};

} // namespace

LogicalResult BlasEmitter::readOperands() {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  unsigned order[] = {static_cast<unsigned>(schedule.lhs),
                      static_cast<unsigned>(1 - schedule.lhs), 2};
  for (unsigned i : order) {
    Value value = op->getOperand(i);
    Operand operand;
    operand.index = i;
    operand.map = maps[i];
    int64_t offset;
    if (failed(cast<MemRefType>(value.getType())
                   .getStridesAndOffset(operand.knownStrides, offset)))
      return failure();
    operands.push_back(operand);
  }
  return success();
}

/// Whether the layouts are what BLAS can read.
bool BlasEmitter::isMapped() const {
  int64_t m = schedule.m, n = schedule.n, k = schedule.k;
  if (n >= 0 && m >= 0)
    return operands[2].isContiguous(n) &&
           (operands[0].isContiguous(m) || operands[0].isContiguous(k)) &&
           (operands[1].isContiguous(n) || operands[1].isContiguous(k));
  if (m >= 0)
    return operands[0].isContiguous(m) || operands[0].isContiguous(k);
  return true;
}

Value BlasEmitter::getExtent(int64_t dim) {
  for (auto [i, map] : llvm::enumerate(op.getIndexingMapsArray()))
    if (std::optional<unsigned> axis =
            map.getResultPosition(b.getAffineDimExpr(dim)))
      return b.createOrFold<memref::DimOp>(op->getOperand(i), *axis);
  llvm_unreachable("a dim that no operand has");
}

/// Of a matrix's two dims, the contiguous one that the call relies on, and the
/// other.
std::pair<int64_t, int64_t> BlasEmitter::getOrder(const Operand &operand,
                                                  ArrayRef<int64_t> dims) {
  int64_t columns = &operand == &operands[0] ? schedule.k : schedule.n;
  int64_t rows = dims[0] == columns ? dims[1] : dims[0];
  return operand.isContiguous(columns) ? std::pair(columns, rows)
                                       : std::pair(rows, columns);
}

/// Whether what the calls are given is an `int`, and what BLAS takes: strides
/// of callers' views may be negative or zero.
Value BlasEmitter::emitFits() {
  Value fits = arith::ConstantIntOp::create(b, 1, 1);
  auto require = [&](Value low, Value high) {
    fits = arith::AndIOp::create(
        b, fits,
        arith::CmpIOp::create(b, arith::CmpIPredicate::sle, low, high));
  };
  Value limit = constant(std::numeric_limits<int32_t>::max());
  int64_t dims[] = {schedule.m, schedule.n, schedule.k};
  for (int64_t dim : dims)
    if (dim >= 0)
      require(getExtent(dim), limit);
  for (const Operand &operand : operands) {
    // Of the dims in the call: the contiguous one of a matrix spans less than
    // the other steps over.
    SmallVector<int64_t> own;
    llvm::copy_if(dims, std::back_inserter(own),
                  [&](int64_t dim) { return operand.find(dim).has_value(); });
    for (int64_t dim : own)
      require(getStride(operand, dim), limit);
    if (own.size() == 1) {
      require(constant(1), getStride(operand, own[0]));
    } else if (own.size() == 2) {
      auto [along, leading] = getOrder(operand, own);
      require(getExtent(along), getStride(operand, leading));
    }
  }
  return fits;
}

/// Of the element where the loops are.
Value BlasEmitter::getAddress(const Operand &operand) {
  Value address = operand.address;
  Value bytes = constant(element.getWidth() / 8);
  for (auto [dim, position] : llvm::enumerate(positions)) {
    std::optional<unsigned> axis = operand.find(dim);
    if (!position || !axis)
      continue;
    Value step = arith::MulIOp::create(b, operand.strides[*axis], bytes);
    address = arith::AddIOp::create(b, address,
                                    arith::MulIOp::create(b, position, step));
  }
  return address;
}

Value BlasEmitter::getPointer(const Operand &operand) {
  Value address =
      arith::IndexCastOp::create(b, b.getI64Type(), getAddress(operand));
  return LLVM::IntToPtrOp::create(b, LLVM::LLVMPointerType::get(b.getContext()),
                                  address);
}

FailureOr<Value> BlasEmitter::call(StringRef name, Type result,
                                   ArrayRef<Value> arguments) {
  auto module = op->getParentOfType<ModuleOp>();
  SmallVector<Type> results;
  if (result)
    results.push_back(result);
  auto type = b.getFunctionType(TypeRange(ValueRange(arguments)), results);
  if (Operation *existing = SymbolTable::lookupSymbolIn(module, name)) {
    auto function = dyn_cast<func::FuncOp>(existing);
    if (!function || !function.isExternal() ||
        function.getFunctionType() != type)
      return existing->emitError("has the name of a function of BLAS that is "
                                 "called");
  } else {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    func::FuncOp::create(b, name, type).setPrivate();
  }
  auto callOp = func::CallOp::create(b, name, results, arguments);
  return result ? callOp.getResult(0) : Value();
}

void BlasEmitter::appendMatrix(const Operand &operand, int64_t rows,
                               int64_t columns,
                               SmallVectorImpl<Value> &transpositions,
                               Value &leading) {
  bool isPlain = operand.isContiguous(columns);
  transpositions.push_back(constantInt(isPlain ? kNoTrans : kTrans));
  // Extents of zero make strides of zero, and BLAS asks for one at least.
  leading = toInt(arith::MaxSIOp::create(
      b, getStride(operand, isPlain ? rows : columns), constant(1)));
}

LogicalResult BlasEmitter::emitCall() {
  StringRef prefix = element.isF32() ? "cblas_s" : "cblas_d";
  Value one = getFactor();
  int64_t m = schedule.m, n = schedule.n, k = schedule.k;
  const Operand &lhs = operands[0], &rhs = operands[1], &out = operands[2];
  if (m >= 0 && n >= 0) {
    SmallVector<Value> arguments = {constantInt(kRowMajor)};
    Value lda, ldb;
    appendMatrix(lhs, m, k, arguments, lda);
    appendMatrix(rhs, k, n, arguments, ldb);
    Value ldc =
        toInt(arith::MaxSIOp::create(b, getStride(out, m), constant(1)));
    arguments.append({toInt(getExtent(m)), toInt(getExtent(n)),
                      toInt(getExtent(k)), one, getPointer(lhs), lda,
                      getPointer(rhs), ldb, one, getPointer(out), ldc});
    return call((prefix + "gemm").str(), Type(), arguments);
  }
  if (m >= 0) {
    // BLAS counts rows and columns as they are stored.
    bool isPlain = lhs.isContiguous(k);
    SmallVector<Value> arguments = {constantInt(kRowMajor)};
    Value lda;
    appendMatrix(lhs, m, k, arguments, lda);
    arguments.append({toInt(getExtent(isPlain ? m : k)),
                      toInt(getExtent(isPlain ? k : m)), one, getPointer(lhs),
                      lda, getPointer(rhs), toInt(getStride(rhs, k)), one,
                      getPointer(out), toInt(getStride(out, m))});
    return call((prefix + "gemv").str(), Type(), arguments);
  }
  FailureOr<Value> sum =
      call((prefix + "dot").str(), element,
           {toInt(getExtent(k)), getPointer(lhs), toInt(getStride(lhs, k)),
            getPointer(rhs), toInt(getStride(rhs, k))});
  if (failed(sum))
    return failure();
  SmallVector<Value> place;
  for (AffineExpr expr : out.map.getResults())
    place.push_back(positions[cast<AffineDimExpr>(expr).getPosition()]);
  Value memory = op->getOperand(2);
  Value total =
      arith::AddFOp::create(b, memref::LoadOp::create(b, memory, place), *sum);
  memref::StoreOp::create(b, total, memory, place);
  return success();
}

LogicalResult BlasEmitter::run() {
  element = dyn_cast<FloatType>(getElementTypeOrSelf(op->getOperand(2)));
  if (!op.hasPureBufferSemantics() || !element ||
      !(element.isF32() || element.isF64()) || failed(readOperands()) ||
      !isMapped()) {
    op->setAttr(EinDialect::kScheduleAttr, Schedule().toAttr(op.getContext()));
    return success();
  }
  b.setInsertionPoint(op);
  for (Operand &operand : operands) {
    Value memory = op->getOperand(operand.index);
    auto metadata = memref::ExtractStridedMetadataOp::create(b, memory);
    operand.strides = llvm::to_vector_of<Value>(metadata.getStrides());
    Value base = memref::ExtractAlignedPointerAsIndexOp::create(b, memory);
    Value offset = arith::MulIOp::create(b, metadata.getOffset(),
                                         constant(element.getWidth() / 8));
    operand.address = arith::AddIOp::create(b, base, offset);
  }

  auto choice = scf::IfOp::create(b, emitFits(), /*withElseRegion=*/true);
  b.setInsertionPoint(choice.elseBlock()->getTerminator());
  Operation *slow = b.clone(*op);
  slow->setAttr(EinDialect::kScheduleAttr, Schedule().toAttr(op.getContext()));

  b.setInsertionPoint(choice.thenBlock()->getTerminator());
  positions.resize(op.getNumLoops());
  for (int64_t dim = 0, e = op.getNumLoops(); dim < e; ++dim) {
    if (dim == schedule.m || dim == schedule.n || dim == schedule.k)
      continue;
    Value zero = constant(0), extent = getExtent(dim), one = constant(1);
    auto loop = scf::ForOp::create(b, zero, extent, one);
    positions[dim] = loop.getInductionVar();
    b.setInsertionPoint(loop.getBody()->getTerminator());
  }
  if (failed(emitCall()))
    return failure();
  op->erase();
  return success();
}

/// The call that upstream makes of an op that names its function.
static LogicalResult callLibrary(RewriterBase &rewriter, linalg::GenericOp op) {
  // Upstream declares the function without looking whether it can.
  auto module = op->getParentOfType<ModuleOp>();
  std::string name = op.getLibraryCall()->str();
  auto *existing = SymbolTable::lookupSymbolIn(module, name);
  auto function = dyn_cast_or_null<func::FuncOp>(existing);
  if (existing && (!function || !function.isExternal()))
    return op.emitError("`") << name << "` is called, and defined here";
  PatternRewriter patternRewriter(op.getContext());
  patternRewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  linalg::LinalgOpToLibraryCallRewrite pattern(op.getContext());
  if (failed(pattern.matchAndRewrite(cast<linalg::LinalgOp>(op.getOperation()),
                                     patternRewriter)))
    return emitError(loc, "`") << name << "` cannot be called with these "
                               << "operands";
  return success();
}

namespace {
struct MapToLibraryPass : impl::MapToLibraryBase<MapToLibraryPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::GenericOp> named;
    getOperation().walk([&](linalg::GenericOp op) {
      if (op.getLibraryCall())
        named.push_back(op);
    });
    for (linalg::GenericOp op : named)
      if (failed(callLibrary(rewriter, op)))
        return signalPassFailure();
    for (linalg::ContractOp op : collectWithSchedule<linalg::ContractOp>(
             getOperation(), Schedule::LibraryCall)) {
      FailureOr<Schedule> schedule = Schedule::fromOp(op, op.getNumLoops());
      if (failed(schedule) ||
          failed(BlasEmitter(rewriter, op, *schedule).run()))
        return signalPassFailure();
    }
  }
};
} // namespace

} // namespace ein
