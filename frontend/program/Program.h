//===- Program.h - The checked program --------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a program means, after every name, extent and type has been resolved.
// It is the front end's product and the only thing that the MLIR emitter, the
// Eigen reference, the header writer and the runtime metadata look at; all of
// them can rely on what is said here without checking it again:
//
//  * Tables are flat and refer to each other by typed ids.
//  * Every statement is one comprehension: einsum strings have become products
//    of accesses. There is one meaning, whatever the notation. Only a Reshape
//    is none: its subscripts would not be linear.
//  * The left side's subscripts are indices, distinct except for diagonals of
//    a single access, times a factor and plus an offset where the statement
//    writes a slice of its target. Only a statement in order has any other, or
//    reads what it has written. Reduction indices are those that the left side
//    lacks; `indices` lists left side first, then reductions, in textual order.
//  * Extents and dims are Affine over symbols only; subscripts are Affine over
//    the statement's indices and over symbols. Every index runs from 0 to its
//    extent, exclusive.
//  * Symbols bound at compile time (`--bind`) are folded into constants. What
//    is not linear in the sizes, as half of one or the least of two, is a
//    symbol of its own.
//  * All accesses are in bounds once `checks` hold for the sizes at hand.
//  * An access's tensor is read only after it has been written, or is an input.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_PROGRAM_PROGRAM_H
#define EIN_FRONTEND_PROGRAM_PROGRAM_H

#include "frontend/program/SizeCheck.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace ein {

using TensorId = Id<struct TensorTag>;
using ExprId = Id<struct ExprTag>;
using GenericId = Id<struct GenericTag>;

struct Symbol {
  /// floor(numerator / divisor): what is not linear in the symbols before it,
  /// over which the numerator is. The program's checks keep it from being
  /// negative. By 1, it is where a slice starts that scalars are in.
  struct Quotient {
    Affine numerator;
    int64_t divisor;
  };

  /// That of a computed one is how it is written: `((M + 1) / 2)`.
  std::string name;
  /// Set when bound at compile time; extents then hold the constant.
  std::optional<int64_t> bound;
  SourceRange range;
  std::optional<Quotient> quotient = std::nullopt;
  /// The integer parameter whose value it is. That may be negative, so that it
  /// is in the numerators of quotients only.
  TensorId scalar = {};
  /// What it is the product of, if a dim is written so: `G*R` is a size `G_R`,
  /// which the program checks.
  std::vector<Affine> product = {};
  /// What it is the least of, if it is that: two or more, over the symbols
  /// before it, none of them scalars. The checks keep each from being negative.
  std::vector<Affine> minimum = {};

  /// It follows from other symbols.
  bool isComputed() const { return quotient || !minimum.empty(); }
  /// It is in the source, as a name or as a product.
  bool isSize() const { return !isComputed() && !scalar.isValid(); }
  /// Its value is known when the code runs, from whoever calls it.
  bool isDynamic() const { return !bound && isSize(); }
};

/// A parameter, a result or a temporary. Rank 0 has no dims; a rank-0 input is
/// a scalar, passed by value.
struct Tensor {
  std::string name;
  ElementType type;
  TensorRole role;
  std::vector<Affine> dims; // over symbols
  SourceRange range;
  /// Type and shape are not declared, but follow from the first statement that
  /// writes it.
  bool isInferred = false;
  /// The generic that is its type, for notations that have such.
  GenericId generic = {};

  bool isScalarInput() const {
    return role == TensorRole::Input && dims.empty();
  }
};

enum class ExprKind : uint8_t {
  Literal,
  Access,
  Gather,   // an access whose subscripts are computed, or may leave the tensor
  Position, // an integer that is linear in indices and sizes
  Reshape,  // what another tensor has at the same place in row-major order
  Cast,
  Unary,
  Binary,
  Select,
};

/// What a Gather does where a subscript is outside of the tensor.
enum class Outside : uint8_t {
  /// The code returns "index out of range".
  Checked,
  /// `clamp`: the nearest subscript that is inside counts.
  Clamped,
  /// `pad`: another value counts.
  Padded,
};

enum class UnaryFn : uint8_t {
#define EIN_UNARY(ENUM, SPELLING, ULPS) ENUM,
#include "frontend/program/Functions.def"
};
enum class BinaryFn : uint8_t {
#define EIN_BINARY(ENUM, SPELLING, ULPS) ENUM,
#include "frontend/program/Functions.def"
};
llvm::StringRef getSpelling(UnaryFn fn);
llvm::StringRef getSpelling(BinaryFn fn);
/// `<` and its kin.
bool isComparison(BinaryFn fn);
/// `&&` and `||`, whose right side does not count if the left side decides.
bool isLogical(BinaryFn fn);

/// What a function means on `type`: only floating-point types have NaN.
BinaryFn resolve(BinaryFn fn, ElementType type);
/// A division or a remainder of integers.
bool isDivision(BinaryFn fn, ElementType type);

/// A node of a statement's right side; operands come before their users in
/// Def::exprs.
///
/// `type` is what the node yields: an access its tensor's, a literal its own, a
/// cast what it casts to. The other nodes compute in `type`, to which operands
/// of other types are converted first; these fit into it. So does the
/// statement, in Statement::computeType. Comparisons, and functions between
/// real and complex numbers, yield one type and compute in another, see
/// Def::getOperandType.
struct Expr {
  ExprKind kind;
  SourceRange range;
  ElementType type = ElementType::F32;
  double literal = 0;      // Literal of a floating-point type, or
                           // the real part of a complex one
  int64_t integer = 0;     // Literal of another, modulo 2^64
  bool isUnsigned = false; // Cast, operand in lhs: see getConversion
  GenericId generic;       // Cast: what `type` was written as, if any
  TensorId tensor;         // Access, Gather, Reshape
  /// Access: over indices and symbols. Position: the only one is its value.
  std::vector<Affine> subscripts;
  UnaryFn unary = UnaryFn::Neg;    // Unary, operand in lhs
  BinaryFn binary = BinaryFn::Add; // Binary
  /// Gather: one per dim, of type index or u64.
  std::vector<ExprId> places;
  Outside outside = Outside::Checked; // Gather; Padded has its value in lhs
  ExprId lhs, rhs;
  ExprId condition; // Select: lhs if it holds, else rhs
  /// What a comparison's operands are converted to.
  ElementType compareType = ElementType::F32;
  /// Of a place: it is inside of its tensor for all sizes that pass the checks.
  bool isInside = false;
  /// Of a division in a place: it is by zero for none of these sizes.
  bool isByNonZero = false;
  /// Reshape: how many dims of the one with more of them each dim of the other
  /// is. It is all of the right side of an assignment to all of a tensor of the
  /// same type.
  std::vector<unsigned> spans = {};
  /// Literal: the digits as they were written, if they were.
  std::string spelling = {};

  /// The nodes right below, in the order of evaluation.
  llvm::SmallVector<ExprId, 3> getOperands() const;
};

/// The types between which a cast converts. `cast_unsigned` takes the bits of
/// signed integers, its operand's or its own, for those of unsigned ones.
struct Conversion {
  ElementType from, to;
};
Conversion getConversion(const Expr &cast, ElementType operand);

/// The access that an index has its extent from, or its start if that is not 0;
/// no tensor where a `where` gives it.
struct RangeOrigin {
  TensorId tensor;
  size_t dim = 0;
  Affine subscript;    // of that dim
  int64_t divisor = 1; // which divides it
  Affine start = {};   // what has been added to the index as written
};

struct Index {
  std::string name;
  Affine extent; // over symbols
  bool isReduction = false;
  SourceRange range;
  /// A label of an einsum string: it may be called as a size is, or by letters
  /// that a name of the language has not.
  bool isLabel = false;
  RangeOrigin origin = {};
  /// A `where` gives the extent, or could: that of a range which was found not
  /// to start at 0.
  bool isGiven = false;
  /// The other accesses, where the extent is the least that several allow.
  std::vector<RangeOrigin> otherOrigins = {};
};

enum class UpdateKind : uint8_t { Assign, Add, Mul, Max, Min, And, Or, Xor };
/// Of integers and bool only.
constexpr bool isBitwise(UpdateKind kind) { return kind >= UpdateKind::And; }
/// `+=`.
llvm::StringRef getSpelling(UpdateKind kind);

/// What takes a point in; nothing for Assign.
std::optional<BinaryFn> getFunction(UpdateKind kind);

/// A factor of a product: the access itself, whatever is done to it.
struct ProductFactor {
  ExprId access;
  bool isConjugated = false;
};

/// What an order of contraction may be chosen for: a sum, or an assignment, of
/// a product in one type, whose factors may be multiplied in any order.
struct Product {
  /// Accesses, or anything else, which is computed first.
  std::vector<ProductFactor> factors;
  /// All of them hold at a point, or it adds nothing.
  std::vector<ExprId> conditions;
  /// Every subscript is an index alone, times a factor and plus an offset, and
  /// there is no condition.
  bool isEinsum = true;
};

/// Which elements of a dim are written: offset + step * index.
struct TargetDim {
  Affine offset; // over symbols
  int64_t step = 1;
};

/// `exists A(i + k)`: an access that bounds ranges and is not read.
struct ExistsClause {
  TensorId tensor;
  std::vector<Affine> subscripts;
};

/// The named op of linalg that a call of it was written for. The statements say
/// what it means; how it is compiled may rely on the name.
struct NamedOp {
  std::string name; // `conv_2d_nhwc_hwcf`
  /// How many statements it is, from the one that has it on. The last of them
  /// writes what the op yields, and nothing but them reads the others.
  size_t numStatements = 1;
  struct Input {
    TensorId tensor;
    std::string literal; // `-1`, if it is no tensor
  };
  std::vector<Input> inputs;
  struct Generic {
    std::string name;
    ElementType type;
  };
  std::vector<Generic> generics;
  struct Attribute {
    std::string name;
    std::vector<int64_t> values;
    /// Of an attribute that is a function, `exp`, or a text.
    std::string function;
  };
  std::vector<Attribute> attributes;

  /// Null if there is none.
  const Attribute *findAttribute(llvm::StringRef attribute) const {
    for (const Attribute &candidate : attributes)
      if (candidate.name == attribute)
        return &candidate;
    return nullptr;
  }
  bool isPooling() const {
    return llvm::StringRef(name).starts_with("pooling_");
  }
};

/// target(targetIndices) update value where condition.
struct Statement {
  TensorId target;
  /// One per dim of the target. If they are distinct, they are the first of
  /// `indices`. An index that is there again makes a diagonal: the elements off
  /// it take in the identity of `update`, for Assign they are zero. The value
  /// is a single access then, and nothing is reduced.
  std::vector<IndexId> targetIndices;
  std::vector<Index> indices;
  UpdateKind update = UpdateKind::Assign;
  /// `op=!`: the target starts from the identity of `update`. Otherwise the
  /// target's value so far is continued. Meaningless for Assign.
  bool fromIdentity = false;
  /// The accumulator's type. The right side is converted to it, and the result
  /// to the target's type when all is done.
  ElementType computeType;
  ExprId value;
  /// A bool, or not there. A point where it is false contributes the update's
  /// identity; under Assign, its element keeps its value, or is zero if nothing
  /// has been written.
  ExprId condition;
  /// One per dim of the target, or none if all of it is written. Elements that
  /// are not keep their value, or are zero if nothing has been written.
  std::vector<TargetDim> slice;
  std::vector<ExistsClause> exists;
  /// `exists k`: without any, the call is refused, as a check says as well.
  std::vector<IndexId> nonEmpty = {};
  /// Of the product of three factors or more that an einsum string has
  /// parentheses for: what is multiplied on its own. Members are factors, as
  /// getProductFactors counts them, or groups, which count on from these and
  /// come after their members; in textual order, and nothing is in two.
  std::vector<std::vector<unsigned>> groups = {};
  /// All steps of such a product in pairs, numbered as the groups are, if they
  /// are decided already; then they are in place of the groups.
  std::vector<std::vector<unsigned>> order = {};
  /// Products of two that other statements need as well, in pairs that are
  /// numbered likewise: where the order makes them they cost nothing more.
  std::vector<std::pair<unsigned, unsigned>> shared = {};
  std::optional<NamedOp> namedOp = std::nullopt;
  /// Of a scatter or a recurrence: a checked Gather of the target, whose places
  /// say what each point writes. There are no targetIndices then, and no slice.
  /// The points are taken one after the other, in row-major order of `indices`,
  /// and the right side sees what those before have written. What no point
  /// writes keeps its value, or is zero if nothing has been written.
  ExprId written = {};
  SourceRange range;

  /// Whether its points have an order, see `written`.
  bool isInOrder() const { return written.isValid(); }
  /// Whether an index is on the left twice.
  bool isDiagonal() const;
  /// The left side's subscript in that dim.
  Affine getTargetSubscript(size_t dim) const;
};

/// What is in none of `groups` of `numFactors` factors, which are numbered as
/// in Statement::groups; in textual order.
std::vector<unsigned>
getOutermostMembers(const std::vector<std::vector<unsigned>> &groups,
                    size_t numFactors);

/// What a def says of itself as an op of MLIR: nothing of it changes code.
struct OpMetadata {
  std::string className; // empty: by the def's name
  std::vector<std::string> interfaces;
  std::string doc;
};

struct Def {
  std::string name;
  SourceRange range;
  OpMetadata metadata;
  /// It becomes a function that others than einc's own code see.
  bool isPublic = true;
  std::vector<Symbol> symbols; // in order of first appearance
  /// A value per symbol; those of open ones from the callback, as if scalars
  /// were 0.
  std::vector<int64_t>
  getSymbolValues(llvm::function_ref<int64_t(const Symbol &)> getDynamic) const;
  /// Whether its value depends on that of a scalar.
  bool dependsOnScalar(SymbolId id) const;
  /// The types that are still open, though checked as one: those that nobody
  /// has bound to another than a type is where none is written.
  std::vector<std::string> generics;
  std::vector<Tensor> tensors; // parameters, results, then temporaries
  /// As declared: parameters, then results. This is also the order of the C
  /// interface's arguments; unbound symbols follow.
  std::vector<TensorId> params;
  std::vector<TensorId> results;
  std::vector<Expr> exprs;
  std::vector<Statement> statements;
  std::vector<SizeCheck> checks;

  const Tensor &operator[](TensorId id) const { return tensors[id.value]; }
  const Symbol &operator[](SymbolId id) const { return symbols[id.value]; }
  const Expr &operator[](ExprId id) const { return exprs[id.value]; }

  /// Whether the node's operands compute in a type of their own: a cast,
  /// comparisons and logical operators, and the functions between real and
  /// complex numbers.
  bool convertsType(const Expr &expr) const;
  /// What a function's or operator's operands are converted to.
  ElementType getOperandType(const Expr &expr) const;

  /// If the statement sums (`+=`, `+=!`) or assigns a product of accesses and
  /// nothing else (at least one factor), those factors from left to right. An
  /// access may be cast to a type that it fits into, or conjugated.
  std::optional<std::vector<ProductFactor>>
  getProductFactors(const Statement &) const;

  /// If an order can be chosen for the statement, what of: any einsum; any
  /// other sum of three factors or more if some can be multiplied, or summed,
  /// before all indices are there. With `keepsOrder` not of floats.
  std::optional<Product> getProduct(const Statement &, bool keepsOrder) const;
  /// Per index of the statement, whether the expression depends on it.
  llvm::SmallBitVector getIndices(const Statement &, ExprId) const;
  /// Whether the expression is an access whose subscripts have no index with a
  /// negative factor.
  bool isForwardAccess(ExprId) const;

  /// The right side, if the statement makes dims of parts of dims, or one of
  /// several, and moves nothing.
  const Expr *getReshape(const Statement &statement) const {
    const Expr &value = (*this)[statement.value];
    return value.kind == ExprKind::Reshape ? &value : nullptr;
  }

  /// Whether the node divides by what may be zero when the code runs, which
  /// then has to return a code.
  bool isCheckedDivision(ExprId id) const;
  /// Whether a subscript of a checked gather is known to be inside: those that
  /// are linear have been looked at with the sizes.
  bool isInside(ExprId place) const {
    const Expr &expr = (*this)[place];
    return expr.kind == ExprKind::Position || expr.isInside;
  }
  /// Whether the node reads where a subscript may be outside, likewise.
  bool isCheckedGather(ExprId id) const;
  /// A checked node, and what decides whether it is evaluated: conditions with
  /// the value that they must have.
  struct DataCheck {
    ExprId id;
    std::vector<std::pair<ExprId, bool>> guards;
  };
  /// Those of the right side and the condition, in the order of evaluation.
  std::vector<DataCheck> getDataChecks(const Statement &) const;
  /// Whether any node is such.
  bool hasDataChecks() const;
};

struct Program {
  std::vector<Def> defs;

  /// The def named `name`, or the last one when `name` is empty; null if none.
  const Def *find(llvm::StringRef name) const;
};

} // namespace ein

#endif // EIN_FRONTEND_PROGRAM_PROGRAM_H
