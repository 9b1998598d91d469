//===- CheckSource.cpp - What of someone else's MLIR can be compiled ------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module that einc did not write may hold anything that MLIR can say. What we
// have no lowering for would fail far down, at an op the user never wrote; so
// it is refused here, by name and at its place. The lists are of what can be
// compiled: what upstream adds tomorrow is refused until somebody has looked.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "ir/Signature.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/source/Passes.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/StringExtras.h"

namespace ein {
#define GEN_PASS_DEF_CHECKSOURCE
#include "passes/source/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

/// Code for vectors outside of structured ops is written out, element by
/// element.
constexpr int64_t kMaxVectorElements = 64;

/// What is wrong with a type that a value has; empty if nothing is.
static StringRef getTypeViolation(Type type) {
  if (isa<UnrankedTensorType, UnrankedMemRefType>(type))
    return "has no rank";
  auto shaped = dyn_cast<ShapedType>(type);
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    if (tensor.getEncoding())
      return "has an encoding";
  if (auto memref = dyn_cast<MemRefType>(type))
    if (memref.getMemorySpace())
      return "is in a memory space";
  Type element = shaped ? shaped.getElementType() : type;
  if (auto vector = dyn_cast<VectorType>(element)) {
    if (vector.isScalable() || vector.getNumElements() > kMaxVectorElements)
      return "is of vectors that are too long";
    element = vector.getElementType();
  }
  if (!element.isIntOrIndexOrFloat() && !isa<ComplexType>(element))
    return "is of a type that cannot be compiled";
  return "";
}

/// What is wrong with a memref's layout as an argument's. Strides and offsets
/// that no kernel can take are `ein-lift-memrefs`' business.
static StringRef getLayoutViolation(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return "has a layout that strides do not give";
  return "";
}

/// What is wrong with an op, apart from the types of its results.
static StringRef getViolation(Operation &op) {
  if (!isa_and_present<affine::AffineDialect, arith::ArithDialect,
                       bufferization::BufferizationDialect,
                       complex::ComplexDialect, func::FuncDialect,
                       index::IndexDialect, linalg::LinalgDialect,
                       math::MathDialect, memref::MemRefDialect,
                       scf::SCFDialect, tensor::TensorDialect, ub::UBDialect>(
          op.getDialect()))
    return isa<vector::BroadcastOp, vector::ExtractOp, vector::InsertOp,
               vector::ReductionOp, ContractOp, OnlineReduceOp, YieldOp>(op)
               ? ""
               : "cannot be compiled";
  // Upstream has no way from these to memory or to code.
  if (isa<tensor::GatherOp, tensor::ScatterOp, tensor::BitcastOp,
          tensor::ReshapeOp, memref::AtomicRMWOp, memref::GenericAtomicRMWOp,
          memref::ReallocOp, memref::PrefetchOp, memref::DmaStartOp,
          memref::DmaWaitOp, memref::ReshapeOp, affine::AffineDmaStartOp,
          affine::AffineDmaWaitOp, func::CallIndirectOp, func::ConstantOp>(op))
    return "cannot be compiled";
  // It becomes exponentials and quotients.
  if (isa<linalg::SoftmaxOp>(op) &&
      !isa<FloatType>(getElementTypeOrSelf(op.getOperand(0))))
    return "is of floats only";
  return "";
}

static LogicalResult checkBody(func::FuncOp function) {
  if (!function.getBody().hasOneBlock())
    return function.emitError("`")
           << function.getName()
           << "` has several blocks; use ops of scf for control flow";
  WalkResult result = function.walk([&](Operation *op) {
    if (op == function)
      return WalkResult::advance();
    // The body of a named op has no place of its own.
    Operation *placed = op;
    while (isa<UnknownLoc>(placed->getLoc()) && placed->getParentOp())
      placed = placed->getParentOp();
    if (StringRef what = getViolation(*op); !what.empty()) {
      mlir::emitError(placed->getLoc(), "`") << op->getName() << "` " << what;
      return WalkResult::interrupt();
    }
    for (Type type : op->getResultTypes())
      if (StringRef what = getTypeViolation(type); !what.empty()) {
        op->emitError("a result of `") << op->getName() << "` " << what;
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return success(!result.wasInterrupted());
}

/// A function that is declared only: a C function, with MLIR's C interface.
static LogicalResult checkExternal(func::FuncOp function) {
  for (Type type : function.getArgumentTypes())
    if (!isa<MemRefType>(type) && !type.isIntOrIndexOrFloat())
      return function.emitError("`")
             << function.getName()
             << "` is not defined here, and an external function takes "
                "memrefs and scalars";
  for (Type type : function.getResultTypes())
    if (!type.isIntOrIndexOrFloat() || function.getNumResults() > 1)
      return function.emitError("`")
             << function.getName()
             << "` is not defined here, and an external function returns one "
                "scalar at most";
  return success();
}

static LogicalResult checkInterface(func::FuncOp function) {
  StringRef name = function.getName();
  auto isPart = [](char c) { return c == '_' || llvm::isAlnum(c); };
  if (name.empty() || llvm::isDigit(name[0]) || !llvm::all_of(name, isPart))
    return function.emitError("`") << name << "` is not a name in C";
  if (name.starts_with(kReservedPrefix))
    return function.emitError("names that start with `")
           << kReservedPrefix << "` are reserved";
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    StringRef what = getTypeViolation(type);
    if (isa<VectorType>(type))
      what = "is a vector; take it in an array";
    auto memref = dyn_cast<MemRefType>(type);
    if (what.empty() && memref)
      what = getLayoutViolation(memref);
    if (!what.empty())
      return function.emitError("argument #")
             << i << " of `" << name << "`, " << type << ", " << what;
  }
  for (auto [i, type] : llvm::enumerate(function.getResultTypes())) {
    StringRef what = getTypeViolation(type);
    if (isa<VectorType>(type))
      what = "is a vector; give it in an array";
    if (isa<MemRefType>(type))
      what = "is a memref; take it as an argument and write to it";
    if (!what.empty())
      return function.emitError("result #")
             << i << " of `" << name << "`, " << type << ", " << what;
  }
  return success();
}

/// Calls are inlined, which functions that call themselves do not allow.
static LogicalResult checkCalls(ModuleOp module) {
  SymbolTable symbols(module);
  enum class State { Open, Done };
  llvm::DenseMap<Operation *, State> states;
  std::function<LogicalResult(func::FuncOp)> visit =
      [&](func::FuncOp function) -> LogicalResult {
    states[function] = State::Open;
    WalkResult result = function.walk([&](func::CallOp call) {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      auto state = states.find(callee);
      if (state == states.end())
        return WalkResult(visit(callee));
      if (state->second == State::Done)
        return WalkResult::advance();
      call.emitError("`") << call.getCallee()
                          << "` calls itself, which cannot be compiled";
      return WalkResult::interrupt();
    });
    states[function] = State::Done;
    return success(!result.wasInterrupted());
  };
  for (auto function : module.getOps<func::FuncOp>())
    if (!states.count(function) && failed(visit(function)))
      return failure();
  return success();
}

namespace {
struct CheckSourcePass : impl::CheckSourceBase<CheckSourcePass> {
  void runOnOperation() override {
    if (failed(check(getOperation())))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }

private:
  static LogicalResult check(ModuleOp module) {
    bool hasEntry = false;
    for (Operation &op : *module.getBody()) {
      if (isa<memref::GlobalOp>(op))
        continue;
      auto function = dyn_cast<func::FuncOp>(op);
      if (!function)
        return op.emitError("`")
               << op.getName()
               << "` cannot be compiled; a module holds functions (func.func)";
      if (function.isExternal()) {
        if (failed(checkExternal(function)))
          return failure();
        continue;
      }
      if (failed(checkBody(function)) ||
          (function.isPublic() && failed(checkInterface(function))))
        return failure();
      hasEntry |= function.isPublic();
    }
    if (!hasEntry)
      return module.emitError("no function is defined that can be called from "
                              "outside");
    return checkCalls(module);
  }
};
} // namespace

} // namespace ein
