//===- Signature.h - What a function's arguments mean -----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function in MLIR has tensors of unknown extents and `index` arguments; that
// `M` is the first extent of both `A` and `C` is not in its type. The attribute
// `ein.signature` keeps it, from EmitMLIR to the pass that makes the C entry
// points, so that any level written to a file and read again still compiles to
// the same interface.
//
// The function's arguments are Signature::arguments (a scalar for a rank-0
// input, a tensor otherwise), then the status if there is one, then one `index`
// for each symbol; its results are the outputs, in order, and the status.
//
// An affine expression knows sums and quotients. The least of several sizes is
// a further symbol of the maps, behind those that are arguments: `minima` says
// what it is of, as `affine.min` does, by a map with a result for each.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_IR_SIGNATURE_H
#define EIN_IR_SIGNATURE_H

#include "abi/Signature.h"
#include "frontend/program/SizeCheck.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace ein {

struct Def;

/// What `ein-name-kernels` puts before the name of a function; no def has a
/// name that starts with kReservedPrefix.
inline constexpr llvm::StringLiteral kReservedPrefix = "__ein_";
inline constexpr llvm::StringLiteral kKernelPrefix = "__ein_kernel_";
/// What the uniform entries of abi/Signature.h are called, before the name of
/// the function: those on arrays, and those on views.
inline constexpr llvm::StringLiteral kPackedPrefix = "__ein_packed_";
inline constexpr llvm::StringLiteral kPackedViewPrefix = "__ein_packed_view_";

struct Argument {
  std::string name;
  TensorRole role;
  ElementType type;
  mlir::AffineMap dims; // ()[symbols, minima] -> (extents)

  bool isScalar() const {
    return role == TensorRole::Input && dims.getNumResults() == 0;
  }
  bool isWritten() const { return role != TensorRole::Input; }
};

struct Check {
  SizeCheck::Kind kind;
  mlir::AffineMap expr;        // ()[symbols, minima, scalars] -> (value)
  mlir::AffineMap unlessEmpty; // ()[symbols, minima, scalars] -> (extents)
  /// Of a product: ()[symbols, minima, scalars] -> (sizes).
  mlir::AffineMap factors = {};
};

struct Signature {
  std::vector<Argument> arguments;
  std::vector<std::string> symbols;
  /// ()[symbols, minima before it] -> (those that it is the least of).
  std::vector<mlir::AffineMap> minima;
  /// The integer arguments that say where slices start: checks look at them.
  std::vector<unsigned> scalars;
  std::vector<Check> checks;
  /// A code depends on data: the last destination is a tensor of one i32 that
  /// is zero before.
  bool hasStatus = false;

  mlir::DictionaryAttr toAttr(mlir::MLIRContext *context) const;
  /// Reads `ein.signature` of a function; emits an error if it is absent or
  /// does not have the form that toAttr gives it.
  static llvm::FailureOr<Signature> fromOp(mlir::Operation *function);
  /// The text form that travels into executables.
  runtime::Signature toRuntime(llvm::StringRef name) const;
  /// `checks` in words, for a header.
  std::vector<std::string> describeChecks() const;
  /// The positions of the arguments, tensors, that results go to, in the order
  /// of these. A memref that is written is in its place.
  llvm::SmallVector<unsigned>
  getDestinations(mlir::FunctionOpInterface function) const;
  /// How many values dims and checks are over.
  size_t getNumSizes() const { return symbols.size() + minima.size(); }
  size_t getNumChecked() const { return getNumSizes() + scalars.size(); }
  /// What dims are over, in words.
  std::vector<std::string> getSizeNames() const;
};

/// Whether a function on tensors or memrefs has the arguments and results that
/// its signature implies; emits an error if it has not.
llvm::LogicalResult checkSignature(mlir::FunctionOpInterface function);

/// An Affine over symbols as an expression over those that have a position in
/// `symbolPositions`, which getSymbolPositions gives.
mlir::AffineExpr toAffineExpr(const Def &def, const Affine &affine,
                              llvm::ArrayRef<unsigned> symbolPositions,
                              mlir::MLIRContext *context);

/// The signature of a checked def.
Signature makeSignature(const Def &def, mlir::MLIRContext *context);

/// Per symbol of the def, its position among the dynamic ones, behind them if
/// it is a minimum, and behind these if it is a scalar; others have none.
llvm::SmallVector<unsigned> getSymbolPositions(const Def &def);

} // namespace ein

#endif // EIN_IR_SIGNATURE_H
