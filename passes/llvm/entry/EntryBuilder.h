//===- EntryBuilder.h - What the entries of a kernel share ------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel, as the conversion to the llvm dialect leaves it, takes memrefs as
// seven or more scalars. Every entry computes these, after checks that every
// entry makes; the tools for both are here, the entries themselves in
// EmitEntryPoints.cpp (contiguous arrays) and EmitViews.cpp (everything else).
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_LLVM_ENTRY_ENTRYBUILDER_H
#define EIN_PASSES_LLVM_ENTRY_ENTRYBUILDER_H

#include "abi/Codes.h"
#include "abi/ComplexArguments.h"
#include "ir/Signature.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace ein {

/// What the entries of a module have in common.
struct EntryOptions {
  /// Those that callers see are the uniform ones.
  bool packed = false;
  bool hasChecks = true;
  ComplexConvention complexConvention = ComplexConvention::Unknown;
  /// How long SVE's vectors have to be; 0: as long as they like.
  unsigned sveBits = 0;
  /// The kernel uses tiles of AMX, which the system has to be asked for.
  bool asksForTiles = false;
  /// There are very many arguments, which are passed on in tables.
  bool byTable = false;
};

/// What the entries of kernels with the same arguments call, made for the first
/// of them. Most of what LLVM compiles for a short def are its checks.
struct SharedChecks {
  /// Of the contiguous entries: the arguments and sizes -> a code.
  mlir::LLVM::LLVMFuncOp ofArrays;
  /// Of those that take strides (EmitViews.cpp).
  mlir::LLVM::LLVMFuncOp ofViews;
};

class EntryBuilder {
protected:
  /// `shared`: where no other kernel has the same arguments, none.
  EntryBuilder(mlir::LLVM::LLVMFuncOp kernel, const Signature &signature,
               llvm::StringRef name, const EntryOptions &options,
               SharedChecks *shared)
      : kernel(kernel), signature(signature), name(name), options(options),
        shared(shared), b(kernel.getLoc(), kernel.getContext()) {}

  /// A function that returns a code, after all others of the module; what
  /// follows is built into it.
  mlir::LLVM::LLVMFuncOp createFunction(const llvm::Twine &name,
                                        llvm::ArrayRef<mlir::Type> arguments,
                                        bool isVisible);
  /// A function that takes a pointer for each array, scalars by value and
  /// `numSizes` sizes; as C passes them if `isVisible`. Fills in `arguments`.
  mlir::LLVM::LLVMFuncOp createEntry(const llvm::Twine &name, size_t numSizes,
                                     bool isVisible);
  /// LLVM compiles `function` as it is. It loads arguments and passes them on:
  /// its passes would find nothing, and take as long as for another one.
  void leaveAsItIs(mlir::LLVM::LLVMFuncOp function) {
    function.setPassthroughAttr(b.getStrArrayAttr({"optnone", "noinline"}));
  }
  void returnCode(runtime::Code code) {
    mlir::LLVM::ReturnOp::create(b, constantCode(code));
  }

  /// Returns the code that `emitCode` builds from here if `isGood` does not
  /// hold.
  void emitReturnUnless(mlir::Value isGood,
                        llvm::function_ref<mlir::Value()> emitCode);
  /// Goes on after what `emitOther` builds, if `isGood` does not hold, which is
  /// unlikely.
  void emitUnlessLikely(mlir::Value isGood,
                        llvm::function_ref<void()> emitOther);
  /// Returns a code that is known if `isGood` does not hold.
  void emitCheck(mlir::Value isGood, runtime::Code code);
  /// Where `isApart` does not hold, returns what the function makes as it is
  /// written of the arrays, the operands for the signature's arguments that
  /// `getOperands` builds; if it has no such form, returns that they overlap.
  void emitOverlapCheck(
      mlir::Value isApart,
      llvm::function_ref<llvm::SmallVector<mlir::Value>()> getOperands);
  /// That the machine's vectors are as long as the code's.
  void emitLengthCheck();
  /// That the process may use tiles.
  void emitTileRequest();
  /// Of the sizes: that none is negative, and the signature's checks.
  void emitSizeChecks();
  std::optional<unsigned> countSmallBits();
  mlir::Value emitIsProduct(mlir::Value value,
                            llvm::ArrayRef<mlir::Value> factors);
  /// Whether 63 bits count the bytes of an array, as those of one without
  /// elements do, whatever its other sizes.
  mlir::Value emitHasSize(const Argument &argument);

  /// The code of the kernel, called with `operands` for the signature's
  /// arguments and with the sizes; that of its data checks, if they fail.
  /// `isInlined`: LLVM is to compile the kernel for just these operands.
  mlir::Value emitKernelCall(llvm::SmallVector<mlir::Value> operands,
                             bool isInlined = false);

  /// If `overflows` is there, whether any step left 64 bits is added to it.
  mlir::Value emitAffine(mlir::AffineExpr expr,
                         mlir::Value *overflows = nullptr);
  llvm::SmallVector<mlir::Value> emitAffines(mlir::AffineMap map);
  mlir::Value emitScalar(unsigned argument, mlir::Value *overflows);
  /// The value that a check is about. Sizes and scalars are what the caller
  /// likes: what overflows is -1.
  mlir::Value emitChecked(mlir::AffineExpr expr);

  mlir::Value constant(int64_t value) {
    return mlir::LLVM::ConstantOp::create(b, b.getI64Type(),
                                          b.getI64IntegerAttr(value));
  }
  mlir::Value constantBit(bool bit) {
    return mlir::LLVM::ConstantOp::create(b, b.getI1Type(), b.getBoolAttr(bit));
  }
  mlir::Value constantCode(runtime::Code code) {
    return mlir::LLVM::ConstantOp::create(
        b, b.getI32Type(), b.getI32IntegerAttr(static_cast<int32_t>(code)));
  }
  mlir::Value compare(mlir::LLVM::ICmpPredicate predicate, mlir::Value lhs,
                      mlir::Value rhs) {
    return mlir::LLVM::ICmpOp::create(b, predicate, lhs, rhs);
  }
  /// `array[position]`, and its address.
  mlir::Value getElement(mlir::Value array, int64_t position, mlir::Type type);
  mlir::Value load(mlir::Value array, int64_t position, mlir::Type type) {
    return mlir::LLVM::LoadOp::create(b, type,
                                      getElement(array, position, type));
  }
  mlir::Type getPointerType() {
    return mlir::LLVM::LLVMPointerType::get(b.getContext());
  }
  /// The type of a scalar argument, as it is in memory. A half-precision number
  /// is passed as its bits, a complex one between our own functions as a
  /// struct.
  mlir::Type getScalarType(size_t argument);
  static int64_t getByteWidth(const Argument &argument) {
    return runtime::getByteWidth(static_cast<runtime::DType>(argument.type));
  }

  mlir::LLVM::LLVMFuncOp kernel;
  const Signature &signature;
  /// The def's.
  llvm::StringRef name;
  EntryOptions options;
  SharedChecks *shared;
  mlir::ImplicitLocOpBuilder b;
  /// In the function that is being built: the values of the sizes.
  llvm::SmallVector<mlir::Value> sizes;
  /// One per argument of the signature: a pointer or a scalar.
  llvm::SmallVector<mlir::Value> arguments;

private:
  /// Of sizes, in 64 bits.
  struct Product {
    mlir::Value value, isZero, overflows;
  };
  Product emitProduct(llvm::ArrayRef<mlir::Value> factors);
  /// The result of `OpT` on two numbers of 64 bits, and whether it left them.
  template <typename OpT>
  std::pair<mlir::Value, mlir::Value> emitOverflowing(mlir::Value lhs,
                                                      mlir::Value rhs) {
    auto pairType = mlir::LLVM::LLVMStructType::getLiteral(
        b.getContext(), {b.getI64Type(), b.getI1Type()});
    mlir::Value pair = OpT::create(b, pairType, lhs, rhs);
    auto get = [&](int64_t position) -> mlir::Value {
      return mlir::LLVM::ExtractValueOp::create(
          b, pair, llvm::ArrayRef<int64_t>{position});
    };
    return {get(0), get(1)};
  }
  /// What a complex argument is in an LLVM function.
  llvm::SmallVector<mlir::Type> getPassedTypes(size_t argument,
                                               ComplexPassing passing);
  mlir::Value joinPassed(size_t argument, ComplexPassing passing,
                         mlir::ValueRange passed);
};

/// The function of `name`, the kernel's, as it is written; null if it has no
/// such form.
mlir::LLVM::LLVMFuncOp lookupWritten(mlir::LLVM::LLVMFuncOp kernel,
                                     llvm::StringRef name);

/// How many arguments a memref of this rank has in the kernel: two pointers,
/// the offset, sizes and strides.
inline unsigned getNumDescriptorFields(unsigned rank) { return 3 + 2 * rank; }

/// Makes the entries that take strides (EmitViews.cpp): `NAME_view` and
/// `_mlir_ciface_NAME`, or, if `packed`, `__ein_packed_view_NAME`.
mlir::LogicalResult emitViewEntries(mlir::LLVM::LLVMFuncOp kernel,
                                    const Signature &signature,
                                    llvm::StringRef name,
                                    const EntryOptions &options,
                                    SharedChecks *shared);

} // namespace ein

#endif // EIN_PASSES_LLVM_ENTRY_ENTRYBUILDER_H
