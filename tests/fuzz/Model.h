//===- Model.h - A program that can be changed ----------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the generator makes and the shrinker takes apart: a def with the sizes
// to run it with. It is close to the text and knows no rules of the language;
// whether a model is a program is for the front end to say.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_TESTS_FUZZ_MODEL_H
#define EIN_TESTS_FUZZ_MODEL_H

#include "frontend/program/ElementType.h"
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ein::fuzz {

/// constant + sum of coefficient * name; names are sizes, indices, or what is
/// made of a size by a number, `(M / 2)` and `(M % 3)`.
struct Linear {
  int64_t constant = 0;
  std::vector<std::pair<std::string, int64_t>> terms; // as written

  static Linear name(const std::string &name) { return {0, {{name, 1}}}; }
  static Linear number(int64_t value) { return {value, {}}; }

  void add(const Linear &other, int64_t factor = 1);
  bool isConstant() const { return terms.empty(); }
  /// The name, if that is all; else empty.
  std::string getLoneName() const {
    return constant == 0 && terms.size() == 1 && terms[0].second == 1
               ? terms[0].first
               : "";
  }
  int64_t evaluate(const std::map<std::string, int64_t> &values) const;
  std::string str() const;

  /// As functions, whatever the order of the terms.
  friend bool operator==(const Linear &a, const Linear &b);
};

/// The size that `(M / 2)` is made of; nothing for other names.
std::string getDividedSize(const std::string &name);

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

/// Trees are shared and never changed: a change makes new nodes up to the root.
struct Expr {
  enum Kind { Literal, Access, Unary, Binary } kind = Literal;
  std::string text; // literal, tensor, function, cast or operator
  std::vector<Linear> subscripts;
  ExprPtr lhs, rhs;
};
ExprPtr makeLiteral(const std::string &text);
ExprPtr makeAccess(const std::string &tensor, std::vector<Linear> subscripts);
ExprPtr makeUnary(const std::string &function, ExprPtr operand);
ExprPtr makeBinary(const std::string &function, ExprPtr lhs, ExprPtr rhs);
/// `T(operand)`, or `cast_unsigned<T>(operand)`: a function of one argument.
ExprPtr makeCast(ElementType type, bool isUnsigned, ExprPtr operand);
/// What a function is a cast to; none for other functions.
std::optional<ElementType> getCastType(const std::string &function);
/// The type that a literal says it has.
std::optional<ElementType> getSuffix(const std::string &literal);
/// All accesses below, from left to right.
void collectAccesses(const ExprPtr &expr, std::vector<const Expr *> &accesses);

struct Tensor {
  enum Role { Input, Output, InOut, Temporary } role = Input;
  ElementType type = ElementType::F32;
  std::vector<Linear> dims;
  bool declaresDims = true; // results and temporaries may leave them out
};

/// A comprehension, or an einsum if `operands` says so.
struct Statement {
  std::string target;
  std::string update = "=";
  bool saysLet = false;
  std::vector<std::string> indices; // on the left, or other subscripts
  std::string data;                 // what these read, if anything
  std::string condition;            // after `where`, if there is one
  ExprPtr value;
  std::optional<ElementType> accumulator; // `acc = T`

  struct Operand {
    std::string tensor;
    std::string labels; // capitals are dims of the ellipsis
  };
  std::vector<Operand> operands;
  std::string output;
  bool isImplicit = false;
  /// How labels are spelt: letters are the rule.
  enum Spelling { Letters, Capitals, Cyrillic, Words } spelling = Letters;
  /// Operands that parentheses hold together, if there are two at least.
  size_t groupBegin = 0, groupEnd = 0;
  /// A named op on `operands` instead, and what comes after them: `dim=1`.
  std::string op, attributes;

  bool isEinsum() const { return !operands.empty() && op.empty(); }
  std::string getString() const;
};

struct Size {
  std::string name;
  int64_t value = 1;
  bool isBound = false;
};

struct Program {
  std::vector<Size> sizes;
  std::vector<std::pair<std::string, Tensor>> tensors;
  std::vector<Statement> statements;
  bool isUnaligned = false; // arrays start off vector boundaries
  bool hasViews = false;    // and is called through the view entry
  bool hasLevels = false;   // and each level is executed
  uint64_t seed = 1;        // of the data and of the views' layouts

  Tensor *find(const std::string &name);
  const Tensor *find(const std::string &name) const;
  std::map<std::string, int64_t> getValues() const;
  std::string str() const;
  /// `K=V,…` of the sizes that are, or are not, compiled in.
  std::string getSizes(bool isBound) const;
  /// A measure for "smaller".
  size_t countNodes() const;
  /// Drops tensors and sizes that nothing mentions; what is read and never
  /// written becomes an input; a size that the signature lacks gets an array
  /// there that is not read.
  void tidy();
};

/// Whether a statement mentions the tensor on its right side.
bool reads(const Statement &statement, const std::string &tensor);

} // namespace ein::fuzz

#endif // EIN_TESTS_FUZZ_MODEL_H
