//===- Scope.h - What names mean while a def is checked ---------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every step of the check gets the scope: the symbols, tensors and constants
// that names stand for, the options, where mistakes are reported, and the def
// that is being made. A step declares names in it and asks it what they are;
// what a step finds out itself, it returns.
//
// A mistake is reported once, where it is made. A tensor whose shape or type is
// unknown because of one is Broken: statements that touch it are given up
// without a word, and break what they write in turn.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_SCOPE_H
#define EIN_FRONTEND_CHECK_SCOPE_H

#include "frontend/check/Callees.h"
#include "frontend/check/Ranges.h"
#include "frontend/check/Sema.h"
#include "frontend/check/SizeProduct.h"
#include "frontend/opdsl/Functions.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <map>
#include <set>

namespace ein {

/// What is known of a tensor while statements are checked in order.
struct TensorState {
  bool hasShape = true;
  bool hasType = true;
  bool isWritten = false;
  bool isBroken = false;
  /// Where its declared type ends, after the last dim if it has any.
  std::optional<uint32_t> typeEnd = {};
};

/// Where one more dim would be written in `type`.
uint32_t getTypeEnd(const ast::Type &type);

/// An attribute, or a scalar that is bound: numbers as written, until they are
/// used.
struct Constant {
  struct Value {
    std::string digits;
    bool isNegated = false;
  };
  ElementType type = ElementType::Index;
  /// None, if nobody has given any.
  std::vector<Value> values;
  /// Of a list; its elements are named by number.
  std::optional<int64_t> length;
  SourceRange range;
};

/// An attribute whose value is a function.
struct FunctionConstant {
  opdsl::FunctionKind kind = opdsl::FunctionKind::Unary;
  /// As the language spells it; nothing, if nobody has said.
  std::optional<std::string> spelling;
  SourceRange range;
};

/// A def being checked, whatever its statements are written in: a call adds
/// those of another def.
struct DefBuilder {
  DefBuilder(const CheckOptions &options, Callees &callees,
             DiagnosticEngine &diags)
      : options(options), callees(callees), diags(diags) {}

  const CheckOptions &options;
  Callees &callees;
  DiagnosticEngine &diags;
  Def def;
  CheckSet checks{def};
  SizeProducts products;
  std::vector<TensorState> states; // by TensorId
  /// What nothing else may be called.
  llvm::StringSet<> takenNames;
  /// How often each name has been asked for.
  llvm::StringMap<unsigned> numUnique;
  /// Calls that are in each other.
  unsigned callDepth = 0;

  /// `name`, or with a number if that is taken; taken from now on.
  std::string makeUnique(llvm::StringRef name);
};

/// The names of a def, while its statements are checked: of the one that is
/// being made, or of one that is called, whose parameters and results stand for
/// the caller's tensors, and whose sizes for the caller's.
struct DefScope {
  explicit DefScope(DefBuilder &builder)
      : builder(builder), options(builder.options), diags(builder.diags),
        def(builder.def), checks(builder.checks), states(builder.states),
        firstStatement(builder.def.statements.size()) {}

  DefBuilder &builder;
  const CheckOptions &options;
  DiagnosticEngine &diags;
  Def &def;
  CheckSet &checks;
  std::vector<TensorState> &states;
  /// Those before are of defs that call this one.
  size_t firstStatement;
  llvm::StringMap<TensorId> tensors;
  llvm::StringMap<Affine> symbols;
  llvm::StringMap<ElementType> generics;
  /// The generic of the def that `name` is; invalid if it is none, or bound.
  GenericId findGeneric(llvm::StringRef name) const;
  llvm::StringMap<Constant> constants;
  llvm::StringMap<FunctionConstant> functions;
  /// Where each name is first written, for names read too early.
  llvm::StringMap<SourceRange> targets;
  /// How many statements write each.
  llvm::StringMap<unsigned> numWrites;
  /// What statements that could not be parsed name, and may have written.
  llvm::StringSet<> skippedNames;
  /// How often each name has been asked for as a temporary's.
  llvm::StringMap<unsigned> numTemporaries;
  /// Sizes have no names of the user's, so subscripts hold indices only.
  bool isImplicit = false;
  /// Of a def that is called, its name: `--bind` is not for it, and what is
  /// new in it is called after it.
  std::string calledName;
  /// Of a def that is called: what its parameters and results are in it.
  std::map<TensorId, TensorRole> roles;
  /// Its results that it has not written, whatever the caller has.
  std::set<TensorId> pendingResults;

  bool isCalled() const { return !calledName.empty(); }
  TensorRole getRole(TensorId id) const {
    auto role = roles.find(id);
    return role == roles.end() ? def[id].role : role->second;
  }
  /// Whether nothing has been written to it that the scope knows of.
  bool isWritten(TensorId id) const {
    return states[id.value].isWritten && !pendingResults.count(id);
  }
  TensorId addTensor(Tensor tensor, TensorState state);
  /// `name`, with a number after it if it is taken.
  std::string makeTemporaryName(const std::string &name);
  /// The same with underscores after it, if anything has it.
  std::string makeFresh(std::string name) const;
  /// What a name that stands for a number is called; nothing for others.
  std::optional<llvm::StringRef> getConstantNoun(llvm::StringRef name) const;
  /// The symbol `name`, new if it is; bound ones are constants.
  Affine addSymbol(const ast::Expr &name);
  std::optional<TensorId> findTensor(llvm::StringRef name) const;
  TensorState &operator[](TensorId id) { return states[id.value]; }

  /// An element type of the language, or a generic.
  std::optional<ElementType> findElementType(llvm::StringRef name) const;
  llvm::FailureOr<ElementType> resolveElementType(const ast::Name &name);
  /// A dim in terms of sizes that are known.
  llvm::FailureOr<Affine> lowerSize(const ast::Expr &expr);
  llvm::LogicalResult reportUnknownSize(const ast::Expr &name);
  // RewriteGroups.cpp
  /// A size that is not in the signature as it was written.
  Affine addDerivedSize(llvm::StringRef name, SourceRange range);
  /// The product as a size; one that has `name`, if it needs one of its own.
  Affine getProductSize(const SizeProduct &product, llvm::StringRef name,
                        SourceRange range);
  /// The sizes `lhs * rhs`, which `expr` is, as a size.
  llvm::FailureOr<Affine> multiplySizes(const Affine &lhs, const Affine &rhs,
                                        const ast::Expr &expr);
  /// The same, if the product is a size already: what it has stands in a dim.
  std::optional<Affine> findProduct(const ast::Expr &expr) const;
  /// `what` is for the report.
  void requireProduct(const Affine &size, const SizeProduct &product,
                      const std::string &what, SourceRange range);
  void addTargets(const ast::Statement &statement);

  // ScopeConstants.cpp
  /// What `--bind` says of a name, if anything.
  std::optional<std::string> getBinding(llvm::StringRef name) const;
  void declareGeneric(const ast::Generic &generic);
  void declareAttribute(const ast::Attribute &attribute);
  void declareFunction(const ast::Attribute &attribute,
                       opdsl::FunctionKind kind);
  /// The function that `name` stands for: what its attribute says, or itself.
  llvm::FailureOr<std::string> resolveFunction(const ast::Name &name);
  /// Whether `param` is a scalar that is bound, and so no parameter.
  bool declareBoundScalar(const ast::Param &param);
  llvm::LogicalResult bindConstant(llvm::StringRef name, Constant &constant);
  llvm::LogicalResult checkValues(const Constant &constant);
  /// The value of `name`, or of `name.element`.
  llvm::FailureOr<Constant::Value> getConstant(const Constant &constant,
                                               const ast::Expr &expr);
  /// The same as an integer.
  llvm::FailureOr<Affine> getAffineConstant(const Constant &constant,
                                            const ast::Expr &expr);
  /// `A.0` and `strides.0`.
  llvm::FailureOr<Affine> resolveElement(const ast::Expr &expr);
  /// `dim(A, 0)`.
  llvm::FailureOr<Affine> resolveDim(const ast::Expr &expr);
  llvm::FailureOr<Affine> getExtent(const ast::Expr &tensor,
                                    const ast::Expr &number);
  /// The same; null, and nothing is said, if there is none.
  const Affine *findExtent(llvm::StringRef tensor,
                           llvm::StringRef number) const;
  bool isSize(const Affine &expr) const;
  /// `min(N - 1, M - 2)`.
  bool isMinimum(const ast::Expr &expr) const;
  /// What it is, if that is a size that there is; nothing is said.
  std::optional<Affine> findMinimum(const ast::Expr &expr) const;
  /// What makes sizes of what is not linear in sizes, where these are unknown.
  struct Arithmetic {
    llvm::function_ref<llvm::FailureOr<Affine>(const Affine &, const Affine &,
                                               const ast::Expr &)>
        multiply;
    llvm::function_ref<Affine(const Affine &, int64_t, const ast::Expr &)>
        divide;
    llvm::function_ref<Affine(llvm::ArrayRef<Affine>, const ast::Expr &)>
        minimize;
  };
  /// Names are resolved by `resolve`; `what` is "subscript", "dim", …. In dims
  /// and bounds, sizes may be multiplied, by `unknown` if there is one.
  llvm::FailureOr<Affine> lowerAffine(
      const ast::Expr &expr, llvm::StringRef what,
      llvm::function_ref<llvm::FailureOr<Affine>(const ast::Expr &)> resolve,
      const Arithmetic *unknown = nullptr);
  llvm::FailureOr<Affine> minimizeSizes(llvm::ArrayRef<Affine> values,
                                        llvm::StringRef what,
                                        const ast::Expr &expr);
  /// The least of sizes, or floor(size / divisor), with the checks that none
  /// of them is negative.
  Affine minimizeSizes(llvm::ArrayRef<Affine> values, SourceRange range);
  Affine divideSize(const Affine &size, int64_t divisor, SourceRange range);
  /// Reports dims that are negative or too many bytes; checks those that may
  /// be negative when the code runs.
  llvm::LogicalResult checkDims(const Tensor &tensor,
                                llvm::ArrayRef<ast::ExprPtr> sources);
  llvm::LogicalResult checkByteSize(const Tensor &tensor);
};

/// In backticks unless it is a number.
std::string describe(const Def &def, const SizeProduct &product);
/// `1 subscript`, `2 subscripts`.
std::string count(size_t number, llvm::StringRef noun);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_SCOPE_H
