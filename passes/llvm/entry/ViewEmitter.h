//===- ViewEmitter.h - The entries that take strides ------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_LLVM_ENTRY_VIEWEMITTER_H
#define EIN_PASSES_LLVM_ENTRY_VIEWEMITTER_H

#include "passes/llvm/entry/EntryBuilder.h"
#include "llvm/ADT/SmallBitVector.h"

namespace ein {

/// Makes the entries of one kernel that take strides.
class ViewEmitter : EntryBuilder {
public:
  ViewEmitter(mlir::LLVM::LLVMFuncOp kernel, const Signature &signature,
              llvm::StringRef name, const EntryOptions &options,
              SharedChecks *shared)
      : EntryBuilder(kernel, signature, name, options, shared),
        module(kernel->getParentOfType<mlir::ModuleOp>()),
        layout(signature.toRuntime(name)),
        isContiguous(signature.arguments.size()),
        joined(signature.arguments.size()) {}

  mlir::LogicalResult run();

private:
  mlir::LogicalResult takeContiguous();
  mlir::LogicalResult takeJoined();
  mlir::FailureOr<llvm::ArrayRef<int64_t>> takeNumbers(llvm::StringRef mark);

  /// An argument in the function that is being built: a scalar, or where an
  /// array's parts are.
  struct View {
    mlir::Value data; // or the scalar
    mlir::Value sizes, strides;
  };
  /// Where a function needs an argument, by number, at most once or twice.
  using GetView = llvm::function_ref<View(size_t)>;

  mlir::LLVM::LLVMFuncOp
  createViewFunction(const llvm::Twine &prefix,
                     llvm::SmallVectorImpl<View> &views,
                     llvm::ArrayRef<mlir::Type> more = {});
  llvm::SmallVector<mlir::Value> findCopied(llvm::ArrayRef<View> views);
  mlir::LLVM::LLVMFuncOp emitCopied();
  void emitViewChecks(llvm::ArrayRef<View> views,
                      mlir::LLVM::LLVMFuncOp copied);
  mlir::LLVM::LLVMFuncOp getSharedChecks();
  void emitStrided();
  void emitViewEntry();
  void emitPackedViewEntry();
  void emitDescriptorEntry();

  View readView(size_t argument, mlir::Value pointer);
  View readDescriptor(size_t argument, mlir::Value pointer);
  void emitSources(llvm::ArrayRef<View> views, mlir::ValueRange given);
  void emitDimChecks(llvm::ArrayRef<View> views);
  /// The addresses from an array's lowest element up to behind its highest,
  /// and whether the strides nest, if it is written.
  struct Reach {
    mlir::Value low, end, nests;
  };
  Reach emitReach(size_t argument, const View &view);
  void emitOverlapChecks(llvm::ArrayRef<View> views);
  llvm::SmallVector<mlir::Value> getWrittenOperands(GetView getView);
  llvm::SmallVector<mlir::Value> getRowMajorStrides(size_t argument);
  llvm::SmallVector<mlir::Value> getWantedStrides(size_t argument,
                                                  const View &view);
  mlir::Value needsCopy(size_t argument, const View &view);
  mlir::Value hasOtherStrides(const View &view,
                              llvm::ArrayRef<mlir::Value> strides);
  mlir::Value emitHasWrittenForm(GetView getView);
  mlir::Value callKernel(GetView getView);
  mlir::Value callStrided(llvm::ArrayRef<View> views, mlir::Value callee,
                          bool isReady);
  void emitCopies(llvm::ArrayRef<View> views,
                  llvm::ArrayRef<mlir::Value> isCopied);
  void returnStrided(llvm::ArrayRef<View> views);

  // With very many arguments (EmitLongViews.cpp).
  mlir::LLVM::LLVMFuncOp createTableFunction(const llvm::Twine &prefix,
                                             mlir::Value &table);
  View loadView(mlir::Value table, size_t argument);
  llvm::SmallVector<int64_t> getRecords();
  mlir::LLVM::CallOp callTableHelper(llvm::StringRef helper, mlir::Value table,
                                     mlir::Value records,
                                     llvm::ArrayRef<mlir::Value> more);
  void emitTableChecks(mlir::Value table, mlir::Value records);
  void emitTableCopies(mlir::Value table, mlir::Value records,
                       mlir::LLVM::LLVMFuncOp direct);
  mlir::Value callWithTable(mlir::LLVM::LLVMFuncOp function, mlir::Value table);
  void emitLongStrided();
  mlir::Value callLongStrided(llvm::ArrayRef<View> views);

  /// Calls a function that ein-add-view-helpers added.
  mlir::Value callHelper(llvm::StringRef helper, mlir::ValueRange operands) {
    auto callee = module.lookupSymbol<mlir::LLVM::LLVMFuncOp>(helper);
    return mlir::LLVM::CallOp::create(b, callee, operands)->getNumResults()
               ? b.getInsertionBlock()->back().getResult(0)
               : mlir::Value();
  }
  int64_t getRank(size_t argument) const {
    return signature.arguments[argument].dims.getNumResults();
  }
  /// Whether the kernel takes some dims, or all of them, as one.
  bool hasJoinedDims(size_t argument) const {
    return isContiguous[argument] || joined[argument].any();
  }
  bool isArray(size_t argument) const {
    return !signature.arguments[argument].isScalar();
  }
  /// The fields of a view: data, then, unless the rank is 0, sizes and strides.
  mlir::Type getViewType(size_t argument);
  mlir::Type getDescriptorType(size_t argument);
  mlir::Value getField(mlir::Type type, mlir::Value pointer, int32_t field) {
    return mlir::LLVM::GEPOp::create(
        b, getPointerType(), type, pointer,
        llvm::ArrayRef<mlir::LLVM::GEPArg>{0, field});
  }
  mlir::Value loadField(mlir::Type type, mlir::Value pointer, int32_t field,
                        mlir::Type fieldType) {
    return mlir::LLVM::LoadOp::create(b, fieldType,
                                      getField(type, pointer, field));
  }
  mlir::Value getNull() {
    return mlir::LLVM::ZeroOp::create(b, getPointerType());
  }

  mlir::ModuleOp module;
  runtime::Signature layout;
  /// By argument: whether the kernel takes nothing but contiguous arrays there.
  std::vector<bool> isContiguous;
  /// By argument: the dims that have to be followed by the next one.
  std::vector<llvm::SmallBitVector> joined;
  mlir::LLVM::LLVMFuncOp strided;
};

} // namespace ein

#endif // EIN_PASSES_LLVM_ENTRY_VIEWEMITTER_H
