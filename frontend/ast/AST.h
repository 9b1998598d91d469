//===- AST.h - What was written ---------------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tree as the parser reads it: names are text, `A(i, j)` and `exp(x)` are
// both a Call, dims and subscripts are ordinary expressions. Nothing here has
// been looked up. Trees are also made without any text (a bare einsum string
// on the command line), so nodes own their names.
//
// Deep trees would overflow the stack of whoever walks them, so the parser
// bounds both how deep parentheses nest and how long a chain of operators is.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_AST_AST_H
#define EIN_FRONTEND_AST_AST_H

#include "frontend/lex/Lexer.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ein::ast {

/// How deep parentheses, calls and prefix operators may nest.
constexpr unsigned maxNesting = 256;
/// The most levels an expression tree may have, long chains included.
constexpr unsigned maxHeight = 1024;

struct Name {
  std::string text;
  SourceRange range;
};

struct Expr;
using ExprPtr = std::unique_ptr<Expr>;

/// `name = value` in a call.
struct NamedArgument {
  Name name;
  ExprPtr value;
};

struct Expr {
  enum class Kind : uint8_t {
    Number,      // `text` as written
    String,      // `text` between the quotes, `nameRange` its place
    Name,        // `text`
    Element,     // `text`.operands[0]: a number
    Call,        // `text`(`operands`): an access or a function
    Cast,        // `text`<`type`>(operands[0])
    Unary,       // `op` operands[0]
    Binary,      // operands[0] `op` operands[1]
    Conditional, // operands[0] ? operands[1] : operands[2]
    List,        // [`operands`]; `...` is a Name there
    Reduce,      // `text`<`indices`>(`operands`)
  };

  Kind kind;
  SourceRange range;
  std::string text;
  /// The name of a Call, the operator of a Unary or Binary, else `range`.
  SourceRange nameRange;
  TokenKind op = TokenKind::Error;
  /// A Name that is an index whatever sizes are called: an einsum label.
  bool isLabel = false;
  unsigned height = 1;
  std::vector<ExprPtr> operands;
  /// Of a Reduce: Names.
  std::vector<ExprPtr> indices;
  /// Of a Cast; of a Call, what its argument `acc=` says.
  std::optional<Name> type;
  /// Of a Call, its argument `labels=`, which is `words`.
  std::optional<Name> labels;
  /// Of a Call of a def, its other arguments with names.
  std::vector<NamedArgument> named;
};

/// Whether it is a call of `einsum`, or of linalg's `contract`, whose maps are
/// written as an einsum's.
bool isEinsum(const Expr &expr);

/// Nodes from parts; a bare name has no text of its own to be parsed from.
ExprPtr makeName(std::string text, SourceRange range, bool isLabel = false);
ExprPtr makeCall(Name name, SourceRange range, std::vector<ExprPtr> args);
ExprPtr makeNumber(int64_t value, SourceRange range);
ExprPtr makeBinary(TokenKind op, SourceRange opRange, ExprPtr lhs, ExprPtr rhs);
ExprPtr makeUnary(TokenKind op, SourceRange opRange, ExprPtr operand);
ExprPtr makeConditional(SourceRange opRange, ExprPtr condition, ExprPtr lhs,
                        ExprPtr rhs);
/// A Number as it is written, `TokenKind::Integer` or Float.
ExprPtr makeLiteral(std::string text, SourceRange range,
                    TokenKind kind = TokenKind::Integer);
/// `name`.`number`.
ExprPtr makeElement(std::string name, unsigned number, SourceRange range);
/// `name`<`type`>(operand).
ExprPtr makeCast(Name name, Name type, ExprPtr operand);

/// The same node, without operands, and the same tree once more.
ExprPtr cloneNode(const Expr &expr);
ExprPtr clone(const Expr &expr);

/// `f32(M, 2*K)`; without parentheses, rank 0.
struct Type {
  Name element;
  std::vector<ExprPtr> dims;
  SourceRange range;
};

/// A parameter or a result. Only a result can lack a type.
struct Param {
  Name name;
  std::optional<Type> type;
  bool isInOut = false;
  SourceRange range;
};

/// A type that is decided when the def is bound: `T = f32`.
struct Generic {
  Name name;
  std::optional<Name> defaultType;
};

/// The length of an attribute that is a list of any length: `dims: index...`.
constexpr int64_t anyLength = -1;

/// A constant that is given when the def is bound: `strides: 2xindex = [1, 1]`;
/// or a function: `fun: unary_fn = exp`.
struct Attribute {
  Name name;
  bool isOptional = false;
  Name element;
  /// How many values; nothing for a single one.
  std::optional<int64_t> length;
  /// Numbers, perhaps negated.
  std::vector<ExprPtr> values;
  /// Of a function, the default, if there is one.
  std::optional<Name> function;
  SourceRange range;
};

/// `ods_def<MatmulOp> implements_interface<…>:` before a def; names for ODS.
struct OdsName {
  Name name;
  std::vector<Name> interfaces;
};

/// One of what follows `where`.
struct Clause {
  enum class Kind : uint8_t {
    Range,     // `name` in operands[0] : operands[1] [step operands[2]]
    Let,       // `name` = operands[0]
    Exists,    // exists operands[0]
    Condition, // operands[0]
  };
  Kind kind;
  Name name;
  std::vector<ExprPtr> operands;
};

/// [let] target [: type] [(subscripts)] op value [acc = accumulator]
/// [where clauses], or [let] target, moreTargets… = value
struct Statement {
  std::optional<SourceRange> let;
  Name target;
  /// Of a call with several results.
  std::vector<Name> moreTargets;
  std::optional<Type> type;
  /// Nothing, if there are no parentheses.
  std::optional<std::vector<ExprPtr>> subscripts;
  TokenKind op = TokenKind::Assign;
  SourceRange opRange;
  /// OpDSL: the attribute that says what updates. `op` is then any that does.
  std::optional<Name> updateFunction;
  ExprPtr value;
  std::optional<Name> accumulator;
  /// `max=!` and `min=!` take signed integers for unsigned ones.
  bool isUnsigned = false;
  std::vector<Clause> clauses;
  /// Of an einsum that has been expanded: see ein::Statement::groups.
  std::vector<std::vector<unsigned>> groups;
  SourceRange range;
};

/// Whether C sees a def. What others of the file call is not seen unless it
/// says so.
enum class Visibility : uint8_t { UnlessCalled, Public, Private };

struct Def {
  Name name;
  Visibility visibility = Visibility::UnlessCalled;
  std::optional<OdsName> ods;
  std::vector<Generic> generics;
  std::vector<Param> params;
  std::vector<Param> results;
  std::vector<Attribute> attributes;
  /// What stands between the quotes.
  std::string docstring;
  std::vector<Statement> statements;
  SourceRange range;
  /// Tensors without dims that may as well have any, all of them the same, and
  /// then have an index for each: OpDSL's elementwise ops. How many, `rank`
  /// says when the def is bound.
  std::vector<std::string> anyRank;
  /// Statements outside any def; the signature is for the checker to infer.
  bool isImplicit = false;
  /// Something in it could not be parsed, which has been reported; it is kept
  /// for its name only.
  bool hasErrors = false;
  /// Only statements are missing, and so the others can be checked.
  bool isPartial = false;
  /// What is named in text that was skipped: it may have been written there.
  std::vector<std::string> skippedNames;
};

/// import "path"
struct Import {
  std::string path;
  SourceRange range; // of the string, quotes and all
};

struct Module {
  std::vector<Import> imports;
  std::vector<Def> defs;
};

} // namespace ein::ast

#endif // EIN_FRONTEND_AST_AST_H
