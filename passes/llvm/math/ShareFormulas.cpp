//===- ShareFormulas.cpp - Long bodies call functions ---------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A formula is some twenty operations on as many registers as are computed by
// turns, and where it stands a hundred times LLVM has thousands of them in one
// block, to be scheduled and given registers together. As a function it is
// compiled once.
//
// A body of few formulas has them where they are: their constants stay in
// registers, and what is computed by turns fills the time that one step waits
// for another. Of many formulas neither is left, and a call takes little beside
// what it computes. So bodies are counted on their own, and not functions: a
// network of many layers is a loop with few formulas for each.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/VectorForms.h"
#include "passes/llvm/math/MathFormulas.h"
#include "passes/llvm/math/Passes.h"
#include "llvm/ADT/MapVector.h"

namespace ein {
#define GEN_PASS_DEF_SHAREFORMULAS
#include "passes/llvm/math/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

/// What makes two formulas the same: op, attributes, type.
using Key = std::tuple<OperationName, Attribute, Type>;

struct ShareFormulasPass : impl::ShareFormulasBase<ShareFormulasPass> {
  using ShareFormulasBase::ShareFormulasBase;

  void runOnOperation() override {
    llvm::MapVector<Key, SmallVector<Operation *>> uses;
    getOperation().walk([&](Block *block) { collect(*block, uses); });
    SymbolTable symbols(getOperation());
    for (auto &[key, ops] : uses) {
      func::FuncOp function = create(ops.front(), symbols);
      for (Operation *op : ops) {
        OpBuilder b(op);
        auto call =
            func::CallOp::create(b, op->getLoc(), function, op->getOperands());
        op->replaceAllUsesWith(call);
        op->erase();
      }
      numShared += ops.size();
    }
  }

private:
  static Key getKey(Operation *op) {
    return {op->getName(), op->getPropertiesAsAttribute(),
            op->getResult(0).getType()};
  }

  /// Whether the op becomes a formula that a call can have the numbers or
  /// vectors of. One of a constant may be a shorter one.
  static bool isFormula(Operation &op) {
    if (!hasFormula(&op) || !isOfFormulas(op.getResult(0).getType()))
      return false;
    auto vector = dyn_cast<VectorType>(op.getResult(0).getType());
    return (!vector || (vector.getRank() == 1 && !vector.isScalable())) &&
           llvm::none_of(op.getOperands(), [](Value operand) {
             return matchPattern(operand, m_Constant());
           });
  }

  /// The formulas of a block that has many, but for those that it has once.
  void collect(Block &block,
               llvm::MapVector<Key, SmallVector<Operation *>> &uses) {
    llvm::MapVector<Key, SmallVector<Operation *>> found;
    unsigned count = 0;
    for (Operation &op : block)
      if (isFormula(op)) {
        found[getKey(&op)].push_back(&op);
        ++count;
      }
    if (count < many)
      return;
    for (auto &[key, ops] : found)
      if (ops.size() > 1)
        llvm::append_range(uses[key], ops);
  }

  /// A function that does what `op` does.
  static func::FuncOp create(Operation *op, SymbolTable &symbols) {
    OpBuilder b(op->getContext());
    auto function = func::FuncOp::create(
        b, op->getLoc(), ("__ein_" + op->getName().stripDialect()).str(),
        b.getFunctionType(op->getOperandTypes(), op->getResultTypes()));
    function.setPrivate();
    function->setAttr("llvm.linkage",
                      LLVM::LinkageAttr::get(b.getContext(),
                                             LLVM::linkage::Linkage::Internal));
    function->setAttr("passthrough", b.getStrArrayAttr({"noinline"}));
    symbols.insert(function);
    b.setInsertionPointToStart(function.addEntryBlock());
    Operation *formula = b.clone(*op);
    formula->setOperands(function.getArguments());
    func::ReturnOp::create(b, op->getLoc(), formula->getResults());
    return function;
  }
};
} // namespace
} // namespace ein
