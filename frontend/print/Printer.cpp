//===- Printer.cpp - Tokens, trees and programs as text -------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/print/Printer.h"
#include "frontend/check/Ranges.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/Format.h"

using namespace llvm;

namespace ein {

void printTokens(raw_ostream &os, const TokenBuffer &buffer) {
  for (const Token &token : buffer.tokens) {
    auto [line, column] = buffer.file->getLineColumn(token.range.begin);
    os << line << ':' << column << ' ' << getName(token.kind);
    if (token.kind != TokenKind::EndOfFile)
      os << ' ' << buffer.getText(token);
    os << '\n';
  }
}

//===----------------------------------------------------------------------===//
// Trees
//===----------------------------------------------------------------------===//

namespace {

class ASTPrinter {
public:
  explicit ASTPrinter(raw_ostream &os) : os(os) {}

  void print(const ast::Def &def);

private:
  /// Runs `printChildren` one level further in.
  template <typename Fn> void indented(Fn printChildren) {
    depth += 2;
    printChildren();
    depth -= 2;
  }
  raw_ostream &line() { return os.indent(depth); }

  void print(const ast::Param &param, StringRef kind);
  void print(const ast::Attribute &attribute);
  void print(const ast::Type &type);
  void print(const ast::Statement &statement);
  void print(const ast::Expr &expr);
  void print(ArrayRef<ast::ExprPtr> exprs) {
    for (const ast::ExprPtr &expr : exprs)
      print(*expr);
  }

  raw_ostream &os;
  unsigned depth = 0;
};

void ASTPrinter::print(const ast::Def &def) {
  line() << "def " << def.name.text << (def.isImplicit ? " implicit" : "")
         << (def.hasErrors ? " with errors" : "") << '\n';
  indented([&] {
    if (def.ods) {
      line() << "ods " << def.ods->name.text;
      for (const ast::Name &name : def.ods->interfaces)
        os << ' ' << name.text;
      os << '\n';
    }
    for (const ast::Generic &generic : def.generics) {
      line() << "generic " << generic.name.text;
      if (generic.defaultType)
        os << " = " << generic.defaultType->text;
      os << '\n';
    }
    for (const ast::Param &param : def.params)
      print(param, "param");
    for (const ast::Param &result : def.results)
      print(result, result.isInOut ? "inout" : "result");
    for (const ast::Attribute &attribute : def.attributes)
      print(attribute);
    if (!def.docstring.empty())
      line() << "docstring of " << def.docstring.size() << " bytes\n";
    for (const ast::Statement &statement : def.statements)
      print(statement);
  });
}

void ASTPrinter::print(const ast::Param &param, StringRef kind) {
  line() << kind << ' ' << param.name.text << '\n';
  if (param.type)
    indented([&] { print(*param.type); });
}

void ASTPrinter::print(const ast::Attribute &attribute) {
  line() << "attribute " << attribute.name.text
         << (attribute.isOptional ? " optional " : " ");
  if (attribute.length)
    os << *attribute.length << " of ";
  os << attribute.element.text;
  if (attribute.function)
    os << " = " << attribute.function->text;
  os << '\n';
  indented([&] { print(attribute.values); });
}

void ASTPrinter::print(const ast::Type &type) {
  line() << "type " << type.element.text << '\n';
  indented([&] { print(type.dims); });
}

StringRef getName(ast::Clause::Kind kind) {
  switch (kind) {
  case ast::Clause::Kind::Range:
    return "range ";
  case ast::Clause::Kind::Let:
    return "let ";
  case ast::Clause::Kind::Exists:
    return "exists";
  case ast::Clause::Kind::Condition:
    return "condition";
  }
  llvm_unreachable("a kind of clause that is none");
}

void ASTPrinter::print(const ast::Statement &statement) {
  line() << "statement " << statement.target.text;
  for (const ast::Name &target : statement.moreTargets)
    os << ", " << target.text;
  os << ' ' << getSpelling(statement.op) << (statement.let ? " let" : "");
  if (statement.updateFunction)
    os << " by " << statement.updateFunction->text;
  if (statement.accumulator)
    os << " acc " << statement.accumulator->text;
  os << '\n';
  indented([&] {
    if (statement.type)
      print(*statement.type);
    if (statement.subscripts) {
      line() << "subscripts\n";
      indented([&] { print(*statement.subscripts); });
    }
    print(*statement.value);
    for (const ast::Clause &clause : statement.clauses) {
      line() << "where " << getName(clause.kind) << clause.name.text << '\n';
      indented([&] { print(clause.operands); });
    }
  });
}

void ASTPrinter::print(const ast::Expr &expr) {
  switch (expr.kind) {
  case ast::Expr::Kind::Number:
    line() << "number " << expr.text << '\n';
    break;
  case ast::Expr::Kind::String:
    line() << "string \"" << expr.text << "\"\n";
    break;
  case ast::Expr::Kind::Name:
    line() << "name " << expr.text << '\n';
    break;
  case ast::Expr::Kind::Element:
    line() << "element " << expr.text << '\n';
    break;
  case ast::Expr::Kind::Call:
    line() << "call " << expr.text;
    if (expr.type)
      os << " acc " << expr.type->text;
    if (expr.labels)
      os << " labels " << expr.labels->text;
    os << '\n';
    break;
  case ast::Expr::Kind::List:
    line() << "list\n";
    break;
  case ast::Expr::Kind::Cast:
    line() << expr.text << ' ' << expr.type->text << '\n';
    break;
  case ast::Expr::Kind::Unary:
    line() << "unary " << getSpelling(expr.op) << '\n';
    break;
  case ast::Expr::Kind::Binary:
    line() << "binary " << getSpelling(expr.op) << '\n';
    break;
  case ast::Expr::Kind::Conditional:
    line() << "conditional\n";
    break;
  case ast::Expr::Kind::Reduce:
    line() << "reduce " << expr.text << '\n';
    indented([&] { print(expr.indices); });
    break;
  }
  indented([&] {
    print(expr.operands);
    for (const ast::NamedArgument &argument : expr.named) {
      line() << "argument " << argument.name.text << '\n';
      indented([&] { print(*argument.value); });
    }
  });
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

class ProgramPrinter {
public:
  ProgramPrinter(raw_ostream &os, const Def &def) : os(os), def(def) {}

  void printDef();
  void print(const Statement &statement);

private:
  void print(const Tensor &tensor);
  void print(const SizeCheck &check);
  void printRanges(const Statement &statement);
  void printLeaf(const Expr &expr);
  void printAccess(TensorId tensor, ArrayRef<Affine> subscripts);
  std::string str(const Affine &expr) const {
    return expr.str(
        [&](IndexId id) { return StringRef((*currentIndices)[id.value].name); },
        [&](SymbolId id) { return StringRef(def[id].name); });
  }

  raw_ostream &os;
  const Def &def;
  const std::vector<Index> *currentIndices = nullptr;
};

StringRef getSpelling(SizeCheck::Kind kind) {
  switch (kind) {
  case SizeCheck::Equal:
    return "equal";
  case SizeCheck::NonNegativeExtent:
    return "extent";
  case SizeCheck::InBounds:
    return "bounds";
  case SizeCheck::Product:
    return "product";
  }
  llvm_unreachable("a kind of check that is none");
}

void ProgramPrinter::printDef() {
  os << (def.isPublic ? "def " : "private def ") << def.name << '\n';
  for (const Symbol &symbol : def.symbols) {
    if (!symbol.isSize())
      continue;
    os << "  size " << symbol.name;
    if (symbol.bound)
      os << " = " << *symbol.bound;
    os << '\n';
  }
  for (const Tensor &tensor : def.tensors)
    print(tensor);
  for (const Statement &statement : def.statements) {
    os << "  ";
    print(statement);
    os << '\n';
    printRanges(statement);
  }
  for (const SizeCheck &check : def.checks)
    print(check);
}

void ProgramPrinter::print(const Tensor &tensor) {
  os << "  " << getSpelling(tensor.role) << ' ' << tensor.name << ": "
     << getSpelling(tensor.type);
  if (!tensor.dims.empty()) {
    os << '(';
    llvm::interleaveComma(tensor.dims, os,
                          [&](const Affine &dim) { os << str(dim); });
    os << ')';
  }
  os << '\n';
}

void ProgramPrinter::print(const Statement &statement) {
  currentIndices = &statement.indices;
  auto printNode = [&](ExprId id) {
    printExpr(os, def, id, [&](const Expr &leaf) { printLeaf(leaf); });
  };
  os << def[statement.target].name;
  if (statement.isInOrder()) {
    os << '(';
    llvm::interleaveComma(def[statement.written].places, os, [&](ExprId place) {
      if (def[place].kind == ExprKind::Position)
        os << str(def[place].subscripts.front());
      else
        printNode(place);
    });
    os << ')';
  }
  if (!statement.targetIndices.empty()) {
    os << '(';
    llvm::interleaveComma(
        llvm::seq<size_t>(0, statement.targetIndices.size()), os,
        [&](size_t dim) { os << str(statement.getTargetSubscript(dim)); });
    os << ')';
  }
  os << ' ' << getSpelling(statement.update)
     << (statement.fromIdentity ? "! " : " ");
  printNode(statement.value);
  StringRef separator = " where ";
  for (const ExistsClause &exists : statement.exists) {
    os << std::exchange(separator, ", ") << "exists ";
    printAccess(exists.tensor, exists.subscripts);
  }
  for (IndexId id : statement.nonEmpty)
    os << std::exchange(separator, ", ") << "exists "
       << statement.indices[id.value].name;
  if (statement.condition.isValid()) {
    os << separator;
    printNode(statement.condition);
  }
}

void ProgramPrinter::printRanges(const Statement &statement) {
  os << "    in " << getSpelling(statement.computeType)
     << (statement.isInOrder() ? ", in order" : "");
  for (const Index &index : statement.indices)
    os << ", " << index.name << " < " << str(index.extent)
       << (index.isReduction ? " reduced" : "")
       << (index.isGiven ? " given" : "");
  os << '\n';
}

void ProgramPrinter::print(const SizeCheck &check) {
  os << "  check " << getSpelling(check.kind) << ' ' << str(check.expr);
  if (check.kind == SizeCheck::Product)
    os << " == " << describeProduct(def, check.factors);
  else
    os << (check.kind == SizeCheck::Equal ? " == 0" : " >= 0");
  for (const Affine &extent : check.unlessEmpty)
    os << (&extent == check.unlessEmpty.data() ? " unless 0 in " : ", ")
       << str(extent);
  os << "  # " << check.what << '\n';
}

void ProgramPrinter::printLeaf(const Expr &expr) {
  if (expr.kind == ExprKind::Literal) {
    if (!expr.spelling.empty())
      os << expr.spelling;
    else if (isFloat(getPartType(expr.type)))
      os << printLiteral(expr.literal, getPartType(expr.type));
    else
      printInteger(os, expr);
    return;
  }
  if (expr.kind == ExprKind::Position) {
    const Affine &value = expr.subscripts[0];
    bool isSum = !value.isConstant() && !value.getSingleIndex() &&
                 !value.getSingleSymbol();
    os << (isSum ? "(" : "") << str(value) << (isSum ? ")" : "");
    return;
  }
  if (expr.kind == ExprKind::Reshape) {
    os << "reshape(" << def[expr.tensor].name << ')';
    return;
  }
  printAccess(expr.tensor, expr.subscripts);
}

void ProgramPrinter::printAccess(TensorId tensor, ArrayRef<Affine> subscripts) {
  os << def[tensor].name;
  if (subscripts.empty())
    return;
  os << '(';
  llvm::interleaveComma(subscripts, os,
                        [&](const Affine &sub) { os << str(sub); });
  os << ')';
}

/// Puts parentheses where precedence and associativity ask for them.
class ExprPrinter {
public:
  ExprPrinter(raw_ostream &os, const Def &def,
              function_ref<void(const Expr &)> printLeaf)
      : os(os), def(def), printLeaf(printLeaf) {}

  void print(ExprId id, unsigned minPrecedence = 0);

private:
  void printGather(const Expr &expr);
  void printBinary(const Expr &expr, unsigned minPrecedence);

  raw_ostream &os;
  const Def &def;
  function_ref<void(const Expr &)> printLeaf;
};

/// As C has it; a conditional has the lowest, 1.
static unsigned getPrecedence(BinaryFn fn) {
  switch (fn) {
  case BinaryFn::Or:
    return 2;
  case BinaryFn::And:
    return 3;
  case BinaryFn::BitOr:
    return 4;
  case BinaryFn::BitXor:
    return 5;
  case BinaryFn::BitAnd:
    return 6;
  case BinaryFn::Equal:
  case BinaryFn::NotEqual:
    return 7;
  case BinaryFn::Less:
  case BinaryFn::LessEqual:
  case BinaryFn::Greater:
  case BinaryFn::GreaterEqual:
    return 8;
  case BinaryFn::ShiftLeft:
  case BinaryFn::ShiftRight:
    return 9;
  case BinaryFn::Add:
  case BinaryFn::Sub:
    return 10;
  default:
    return 11;
  }
}

void ExprPrinter::print(ExprId id, unsigned minPrecedence) {
  const Expr &expr = def[id];
  switch (expr.kind) {
  case ExprKind::Literal:
  case ExprKind::Access:
  case ExprKind::Position:
  case ExprKind::Reshape:
    return printLeaf(expr);
  case ExprKind::Gather:
    return printGather(expr);
  case ExprKind::Cast:
    os << (expr.isUnsigned ? "cast_unsigned<" : "cast<")
       << getSpelling(expr.type) << ">(";
    print(expr.lhs, 0);
    os << ')';
    return;
  case ExprKind::Unary: {
    StringRef spelling = getSpelling(expr.unary);
    os << spelling;
    if (!isAlpha(spelling[0]))
      return print(expr.lhs, 12);
    os << '(';
    print(expr.lhs, 0);
    os << ')';
    return;
  }
  case ExprKind::Binary:
    return printBinary(expr, minPrecedence);
  case ExprKind::Select:
    os << (minPrecedence > 1 ? "(" : "");
    print(expr.condition, 2);
    os << " ? ";
    print(expr.lhs, 0);
    os << " : ";
    print(expr.rhs, 1);
    os << (minPrecedence > 1 ? ")" : "");
    return;
  }
}

void ExprPrinter::printGather(const Expr &expr) {
  if (expr.outside != Outside::Checked)
    os << (expr.outside == Outside::Padded ? "pad(" : "clamp(");
  os << def[expr.tensor].name << '(';
  llvm::interleaveComma(expr.places, os, [&](ExprId place) { print(place); });
  os << ')';
  if (expr.lhs.isValid()) {
    os << ", ";
    print(expr.lhs);
  }
  if (expr.outside != Outside::Checked)
    os << ')';
}

void ExprPrinter::printBinary(const Expr &expr, unsigned minPrecedence) {
  StringRef spelling = getSpelling(expr.binary);
  bool isFunction = isAlpha(spelling[0]);
  if (isFunction) {
    os << spelling << '(';
    print(expr.lhs, 0);
    os << ", ";
    print(expr.rhs, 0);
    os << ')';
    return;
  }
  unsigned precedence = getPrecedence(expr.binary);
  bool needsParens = precedence < minPrecedence;
  os << (needsParens ? "(" : "");
  print(expr.lhs, precedence);
  os << ' ' << spelling << ' ';
  print(expr.rhs, precedence + 1);
  os << (needsParens ? ")" : "");
}

} // namespace

StringRef getSpelling(TensorRole role) {
  switch (role) {
  case TensorRole::Input:
    return "input";
  case TensorRole::Output:
    return "output";
  case TensorRole::InOut:
    return "inout";
  case TensorRole::Temporary:
    return "temporary";
  }
  llvm_unreachable("a role that is none");
}

std::string printLiteral(double value, ElementType type) {
  const fltSemantics &semantics =
      type == ElementType::F32    ? APFloat::IEEEsingle()
      : type == ElementType::F16  ? APFloat::IEEEhalf()
      : type == ElementType::BF16 ? APFloat::BFloat()
                                  : APFloat::IEEEdouble();
  std::string text;
  for (int digits = 1; digits <= 17; ++digits) {
    text.clear();
    raw_string_ostream(text) << llvm::format("%.*g", digits, value);
    APFloat parsed(semantics);
    consumeError(parsed.convertFromString(text, APFloat::rmNearestTiesToEven)
                     .takeError());
    bool isInexact;
    parsed.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                   &isInexact);
    if (parsed.convertToDouble() == value)
      break;
  }
  return text;
}

void printInteger(raw_ostream &os, const Expr &literal) {
  // Only the least integer of a type is negative, as the operand of a `-`.
  bool isNegative =
      getKind(literal.type) == TypeKind::Signed && literal.integer < 0;
  auto bits = static_cast<uint64_t>(literal.integer);
  os << (isNegative ? 0 - bits : bits);
}

void printAST(raw_ostream &os, const ast::Module &module) {
  for (const ast::Def &def : module.defs)
    ASTPrinter(os).print(def);
}

void printProgram(raw_ostream &os, const Program &program) {
  for (const Def &def : program.defs)
    ProgramPrinter(os, def).printDef();
}

void printStatement(raw_ostream &os, const Def &def,
                    const Statement &statement) {
  ProgramPrinter(os, def).print(statement);
}

void printExpr(raw_ostream &os, const Def &def, ExprId id,
               function_ref<void(const Expr &)> printLeaf) {
  ExprPrinter(os, def, printLeaf).print(id);
}

} // namespace ein
