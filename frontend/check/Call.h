//===- Call.h - Calls of defs -----------------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a call means: the statements of the def that it calls, with the caller's
// tensors for parameters and results. So nothing after the checker knows calls,
// and what is known of a caller's shapes is known of what it calls as well.
//
// The callee's sizes are found by comparing the dims that it declares with
// those that the caller's tensors have, as numbers or as linear expressions of
// the caller's sizes; its generics likewise. Its other names are new.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_CALL_H
#define EIN_FRONTEND_CHECK_CALL_H

#include "frontend/check/CallRelayout.h"
#include "frontend/check/OpenRank.h"
#include "frontend/check/Scope.h"

namespace ein {

/// Whether `expr` calls a def with whole tensors; what is no access then.
bool callsDef(const DefScope &scope, const ast::Expr &expr);
/// Checks a statement that is a call, and appends what it calls to the def.
void checkCall(DefScope &scope, const ast::Statement &statement);

class CallChecker {
public:
  CallChecker(DefScope &caller, const ast::Expr &call)
      : caller(caller), builder(caller.builder), diags(caller.diags),
        call(call), scope(builder) {}

  /// `statement` is a call and nothing else: its targets are written.
  llvm::LogicalResult checkStatement(const ast::Statement &statement);
  /// The call is an argument: what it yields is a new tensor.
  llvm::FailureOr<TensorId> checkArgument();

private:
  template <typename T> using FailureOr = llvm::FailureOr<T>;
  using LogicalResult = llvm::LogicalResult;

  /// What a parameter gets: a tensor, or a number.
  struct Argument {
    const ast::Param *param = nullptr;
    const ast::Expr *source = nullptr;
    std::optional<TensorId> tensor;
    std::optional<Constant> constant;
    /// None for a literal without a suffix.
    std::optional<ElementType> type;
  };
  struct Result {
    const ast::Param *param = nullptr;
    /// What the caller writes to; none if the call is an argument.
    std::optional<TensorId> target;
    SourceRange range;
    /// What the callee writes: the target, or a temporary.
    TensorId written;
  };
  /// A dim of the callee's signature, and what it is in this call.
  struct Equation {
    const ast::Expr *dim = nullptr;
    Affine declared; // over the caller's sizes and over `unknowns`
    Affine actual;
    bool isTarget = false;
    std::string what; // "dim 0 of `A`"
    std::string name; // that the callee has for `A`
    SourceRange range;
  };

  LogicalResult check(llvm::ArrayRef<ast::Statement> targets);

  /// linalg's op, which says by an attribute which op it is.
  bool isElementwise() const {
    if (call.text != "elementwise" || caller.findTensor(call.text))
      return false;
    Callee *named = builder.callees.find(call.text);
    return named && named->isPrelude;
  }

  // Who gets what.
  FailureOr<llvm::StringRef> resolveName();
  LogicalResult findCallee();
  LogicalResult bindArguments();
  LogicalResult bindNamed(const ast::NamedArgument &argument);
  LogicalResult lowerArguments();
  LogicalResult lowerScalar(Argument &argument);
  LogicalResult lowerTensor(Argument &argument);
  LogicalResult lowerByStatement(Argument &argument,
                                 std::optional<ElementType> type);
  FailureOr<DimLists> evaluateLists();
  void takeDefaults(size_t rank, DimLists &lists);
  /// If the callee is for any rank: makes it of that of this call.
  LogicalResult decideRank(llvm::ArrayRef<ast::Statement> targets);
  LogicalResult resolveTargets(llvm::ArrayRef<ast::Statement> targets);

  // Ops whose signature depends on their attributes.
  bool isRelayout() const {
    return callee->isPrelude &&
           (def->name.text == "pack" || def->name.text == "unpack");
  }
  bool hasPadding() const;
  LogicalResult decideTiles(llvm::ArrayRef<ast::Statement> targets,
                            const DimLists &lists);
  std::optional<Affine> countTiles(llvm::StringRef name);
  LogicalResult checkTiles();

  // Types, attributes and sizes.
  ElementType widenToTarget(llvm::StringRef generic, ElementType type);
  LogicalResult solveGenerics();
  LogicalResult declareAttributes();
  std::optional<Constant> findConstant(const ast::Expr &expr) const;
  FailureOr<std::vector<Constant::Value>>
  evaluateAttribute(const ast::Expr &value);
  LogicalResult solveSizes();
  LogicalResult collectEquations();
  LogicalResult addEquations(const ast::Param &param, TensorId id,
                             bool isTarget, SourceRange range);
  LogicalResult takeNamedSizes();
  LogicalResult checkFixedDims();
  LogicalResult solveSimple(bool ofTargets);
  FailureOr<bool> solveCompound(bool ofTargets);
  // Sizes that are quotients or minima: CallComputed.cpp
  Affine divideUnknown(const Affine &numerator, int64_t divisor,
                       const ast::Expr &expr);
  Affine minimizeUnknowns(llvm::ArrayRef<Affine> operands,
                          const ast::Expr &expr);
  Affine addComputed(llvm::ArrayRef<Affine> operands, int64_t divisor,
                     std::string name, SourceRange range);
  bool isComputed(SymbolId id) const;
  bool hasComputed(const Affine &expr) const;
  FailureOr<bool> solveComputed();
  LogicalResult reportUnknownSize(const ast::Name &unknown);
  bool hasUnknowns(const Affine &expr) const;
  std::string describeUnknown(const Affine &expr) const;
  // Sizes that are products: CallProducts.cpp
  FailureOr<Affine> multiplyUnknowns(const Affine &lhs, const Affine &rhs,
                                     const ast::Expr &expr);
  FailureOr<bool> solveProducts();
  LogicalResult checkProducts();
  SizeProduct substitute(const SizeProduct &product) const;
  Affine substitute(const Affine &expr) const;
  LogicalResult requireEqual(const Equation &equation, const Affine &value);

  // Tensors and statements.
  LogicalResult convertArguments();
  LogicalResult declareResults();
  LogicalResult checkBody();
  NamedOp makeNamedOp(size_t numStatements) const;
  LogicalResult finishResults();
  /// `target(i0, …) op from(i0, …)`, in the caller.
  LogicalResult copyTensor(TensorId target, TokenKind op, TensorId from,
                           SourceRange range, bool isCast = false);
  TensorId addTemporary(llvm::StringRef name, std::vector<Affine> dims,
                        ElementType type, SourceRange range);

  DefScope &caller;
  DefBuilder &builder;
  DiagnosticEngine &diags;
  const ast::Expr &call;
  TokenKind op = TokenKind::Assign;
  Callee *callee = nullptr;
  const ast::Def *def = nullptr;
  std::optional<ast::Def> expanded; // what `def` is then
  std::optional<Relayout> relayout;
  DefScope scope; // the callee's
  std::vector<Argument> arguments;
  std::vector<const ast::NamedArgument *> namedAttributes;
  /// One of them that the call need not say.
  ast::NamedArgument defaults;
  std::vector<Result> results;
  std::vector<Equation> equations;
  /// The callee's sizes have ids from here on, which no symbol has.
  static constexpr size_t firstUnknown = size_t(1) << 30;
  std::vector<ast::Name> unknowns;
  std::vector<std::optional<Affine>> values; // of `unknowns`
  /// An unknown that is the product of others: `G*R` of the callee.
  struct UnknownProduct {
    size_t position = 0; // in `unknowns`
    SizeProduct product;
  };
  std::vector<UnknownProduct> unknownProducts;
  /// An unknown that follows from others: `N / 2` or `min(N, M)` of the callee.
  struct UnknownComputed {
    size_t position = 0; // in `unknowns`
    /// What is divided, or what the least is of.
    std::vector<Affine> operands;
    int64_t divisor = 0; // of a quotient
  };
  std::vector<UnknownComputed> unknownComputed;
};

} // namespace ein

#endif // EIN_FRONTEND_CHECK_CALL_H
