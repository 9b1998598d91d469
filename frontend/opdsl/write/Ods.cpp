//===- Ods.cpp - A def as an ODS record and C++ ---------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The notation is that of mlir-linalg-ods-gen, which MLIR has no more: an op's
// region is built by intrinsics (`std_mulf`), one per line, named after the ops
// of the standard dialect of its time.
//
//===----------------------------------------------------------------------===//

#include "frontend/opdsl/write/Write.h"
#include "frontend/print/Printer.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace ein::opdsl {
namespace {

class OdsPrinter {
public:
  OdsPrinter(raw_ostream &os, const StructuredOp &op, DiagnosticEngine &diags)
      : os(os), op(op), def(op.def), diags(diags),
        nextValue(op.arguments.size() + 1) {}

  void print();

private:
  void printRecord();
  void printIterators();
  void printMaps();
  void printRegion();
  std::string makeMap(ArrayRef<Affine> results, size_t numSymbols) const;
  FailureOr<std::string> emit(ExprId id);
  FailureOr<std::string> emitAs(ExprId id, ElementType type);
  std::string emitConversion(std::string value, ElementType from,
                             ElementType to);
  FailureOr<std::string> emitLiteral(const Expr &expr);
  FailureOr<std::string> emitUnary(const Expr &expr);
  std::string emitBinary(BinaryFn fn, ElementType type, const std::string &lhs,
                         const std::string &rhs);
  std::string makeType(ElementType type);
  /// A line of the region that makes a value.
  std::string define(const std::string &text) {
    std::string name = "_" + std::to_string(nextValue++);
    region += "  Value " + name + " = " + text + ";\n";
    return name;
  }
  LogicalResult fail(SourceRange range, const std::string &what) {
    return diags.report(DiagId::NotExpressible, range, {"ODS", what});
  }

  raw_ostream &os;
  const StructuredOp &op;
  const Def &def;
  DiagnosticEngine &diags;
  size_t nextValue;
  std::string region;
  bool needsContext = false;
};

void OdsPrinter::print() {
  // The region first: it may be what there is no way to say.
  FailureOr<std::string> value = emit(op.statement.value);
  if (failed(value))
    return;
  ElementType type = op.statement.computeType;
  std::string result =
      emitConversion(*value, def[op.statement.value].type, type);
  std::string target = "_" + std::to_string(op.arguments.size() - 1);
  if (std::optional<BinaryFn> update = getFunction(op.statement.update))
    result = emitBinary(*update, type, target, result);
  region += "  (linalg_yield(ValueRange{ " + result + " }));\n";
  printRecord();
  printIterators();
  printMaps();
  printRegion();
}

void OdsPrinter::printRecord() {
  os << "def " << def.name << "Op : LinalgNamedStructured_Op<\"" << def.name
     << "\", [\n  NInputs<" << op.arguments.size() - 1
     << ">,\n  NOutputs<1>,\n  NamedStructuredOpTrait]> {\n"
     << "  let arguments = (ins Variadic<LinalgOperand>:$views);\n"
     << "  let results = (outs Variadic<AnyRankedTensor>:$output_tensors);\n"
     << "  let extraClassDeclaration = [{\n"
     << "    llvm::Optional<SmallVector<StringRef, 8>> referenceIterators();\n"
     << "    llvm::Optional<SmallVector<AffineMap, 8>> "
        "referenceIndexingMaps();\n"
     << "    void regionBuilder(ArrayRef<BlockArgument> args);\n"
     << "  }];\n}\n";
}

void OdsPrinter::printIterators() {
  os << "llvm::Optional<SmallVector<StringRef, 8>> " << def.name
     << "::referenceIterators() {\n  return SmallVector<StringRef, 8>{";
  for (const Index &index : op.statement.indices)
    os << (&index == &op.statement.indices.front() ? "\n    " : ",\n    ")
       << (index.isReduction ? "getReductionIteratorTypeName()"
                             : "getParallelIteratorTypeName()");
  os << " };\n}\n";
}

std::string OdsPrinter::makeMap(ArrayRef<Affine> results,
                                size_t numSymbols) const {
  std::vector<std::string> indices, symbols;
  for (size_t i = 0, e = op.statement.indices.size(); i != e; ++i)
    indices.push_back("d" + std::to_string(i));
  for (size_t i = 0, e = def.symbols.size(); i != e; ++i)
    symbols.push_back("s" + std::to_string(i));
  std::string text = "AffineMap::get(" + std::to_string(indices.size()) + ", " +
                     std::to_string(numSymbols) + ", ";
  if (results.empty())
    return text + "context)";
  text += "{";
  for (const Affine &result : results) {
    std::string term =
        result.str([&](IndexId id) { return StringRef(indices[id.value]); },
                   [&](SymbolId id) { return StringRef(symbols[id.value]); });
    if (result.isConstant())
      term = "getAffineConstantExpr(" + term + ", context)";
    text += (&result == results.begin() ? "" : ", ") + term;
  }
  return text + "})";
}

void OdsPrinter::printMaps() {
  bool hasSymbols = false;
  for (const StructuredOp::Argument &argument : op.arguments)
    for (const Affine &result : argument.map)
      hasSymbols |= !result.getSymbolTerms().empty();
  size_t numSymbols = hasSymbols ? def.symbols.size() : 0;
  auto declare = [&](StringRef letter, size_t number, StringRef function) {
    if (number == 0)
      return;
    std::string names;
    for (size_t i = 0; i != number; ++i)
      names += (i == 0 ? "" : ", ") + letter.str() + std::to_string(i);
    os << "  AffineExpr " << names << ";\n  " << function << "(context, "
       << names << ");\n";
  };
  os << "llvm::Optional<SmallVector<AffineMap, 8>> " << def.name
     << "::referenceIndexingMaps() {\n"
     << "  MLIRContext *context = getContext();\n";
  declare("d", op.statement.indices.size(), "bindDims");
  declare("s", numSymbols, "bindSymbols");
  os << "  return SmallVector<AffineMap, 8>{";
  for (const StructuredOp::Argument &argument : op.arguments)
    os << (&argument == &op.arguments.front() ? "\n      " : ",\n      ")
       << makeMap(argument.map, numSymbols);
  os << " };\n}\n";
}

void OdsPrinter::printRegion() {
  os << "void " << def.name
     << "::regionBuilder(ArrayRef<BlockArgument> args) {\n"
     << "  using namespace edsc;\n  using namespace intrinsics;\n";
  if (needsContext)
    os << "  MLIRContext *context = args[0].getContext();\n";
  os << "  Value ";
  for (size_t i = 0, e = op.arguments.size(); i != e; ++i)
    os << (i == 0 ? "" : ", ") << '_' << i << "(args[" << i << "])";
  os << ";\n" << region << "}\n";
}

//===----------------------------------------------------------------------===//
// The region
//===----------------------------------------------------------------------===//

std::string OdsPrinter::makeType(ElementType type) {
  needsContext = true;
  if (!isFloat(type)) {
    unsigned bits = getKind(type) == TypeKind::Bool ? 1 : getBitWidth(type);
    return "IntegerType::get(context, " + std::to_string(bits) + ")";
  }
  return "FloatType::get" + getSpelling(type).upper() + "(context)";
}

std::string OdsPrinter::emitConversion(std::string value, ElementType from,
                                       ElementType to) {
  bool isSigned = getKind(from) == TypeKind::Signed;
  unsigned fromBits = getKind(from) == TypeKind::Bool ? 1 : getBitWidth(from);
  unsigned toBits = getKind(to) == TypeKind::Bool ? 1 : getBitWidth(to);
  std::string function;
  if (isFloat(from) && isFloat(to)) {
    if (from == to)
      return value;
    function = fromBits < toBits ? "std_fpext" : "std_fptrunc";
  } else if (isFloat(from)) {
    function = getKind(to) == TypeKind::Signed ? "std_fptosi" : "std_fptoui";
  } else if (isFloat(to)) {
    function = isSigned ? "std_sitofp" : "std_uitofp";
  } else if (fromBits == toBits) {
    return value;
  } else {
    function = fromBits > toBits ? "std_trunci"
               : isSigned        ? "std_sexti"
                                 : "std_zexti";
  }
  return define(function + "(" + value + ", " + makeType(to) + ")");
}

FailureOr<std::string> OdsPrinter::emitAs(ExprId id, ElementType type) {
  FailureOr<std::string> value = emit(id);
  if (failed(value))
    return failure();
  return emitConversion(*value, def[id].type, type);
}

FailureOr<std::string> OdsPrinter::emitLiteral(const Expr &expr) {
  std::string digits;
  raw_string_ostream stream(digits);
  if (!isFloat(expr.type)) {
    printInteger(stream, expr);
    return define("std_constant_int(" + digits + ", " +
                  std::to_string(getBitWidth(expr.type)) + ")");
  }
  SmallString<32> text;
  APFloat(expr.literal)
      .toString(text, /*FormatPrecision=*/17,
                /*FormatMaxPadding=*/0,
                /*TruncateZero=*/false);
  return define("std_constant_float(APFloat(" + text.str().str() + "), " +
                makeType(expr.type) + ")");
}

std::string OdsPrinter::emitBinary(BinaryFn fn, ElementType type,
                                   const std::string &lhs,
                                   const std::string &rhs) {
  bool isSigned = getKind(type) == TypeKind::Signed;
  std::string suffix = isFloat(type) ? "f" : "i";
  std::string sign = isFloat(type) ? "f" : isSigned ? "si" : "ui";
  std::string name;
  switch (fn) {
  case BinaryFn::Add:
    name = getKind(type) == TypeKind::Bool ? "or" : "add" + suffix;
    break;
  case BinaryFn::Sub:
    name = "sub" + suffix;
    break;
  case BinaryFn::Mul:
    name = getKind(type) == TypeKind::Bool ? "and" : "mul" + suffix;
    break;
  case BinaryFn::Div:
    name = isFloat(type) ? "divf" : isSigned ? "divi_signed" : "divi_unsigned";
    break;
  case BinaryFn::Rem:
    name = isSigned ? "remi_signed" : "remi_unsigned";
    break;
  case BinaryFn::Max:
    name = "max" + sign;
    break;
  case BinaryFn::Min:
    name = "min" + sign;
    break;
  case BinaryFn::Pow:
    name = "powf";
    break;
  case BinaryFn::BitAnd:
    name = "and";
    break;
  case BinaryFn::BitOr:
    name = "or";
    break;
  case BinaryFn::BitXor:
    name = "xor";
    break;
  case BinaryFn::ShiftLeft:
    name = "shift_left";
    break;
  case BinaryFn::ShiftRight:
    name = isSigned ? "shift_right_signed" : "shift_right_unsigned";
    break;
  default:
    llvm_unreachable("complex numbers and comparisons are refused");
  }
  return define("std_" + name + "(" + lhs + ", " + rhs + ")");
}

FailureOr<std::string> OdsPrinter::emitUnary(const Expr &expr) {
  FailureOr<std::string> operand = emitAs(expr.lhs, expr.type);
  if (failed(operand))
    return failure();
  if (!isFloat(expr.type)) {
    (void)fail(expr.range, "`" + getSpelling(expr.unary).str() + "` of " +
                               getSpelling(expr.type).str());
    return failure();
  }
  switch (expr.unary) {
  case UnaryFn::Neg:
    return define("std_negf(" + *operand + ")");
  case UnaryFn::Abs:
  case UnaryFn::Ceil:
  case UnaryFn::Floor:
    return define("std_" + getSpelling(expr.unary).str() + "f(" + *operand +
                  ")");
  case UnaryFn::Square:
    return define("std_mulf(" + *operand + ", " + *operand + ")");
  case UnaryFn::Reciprocal: {
    std::string one =
        define("std_constant_float(APFloat(1.0), " + makeType(expr.type) + ")");
    return define("std_divf(" + one + ", " + *operand + ")");
  }
  default:
    return define("std_" + getSpelling(expr.unary).str() + "(" + *operand +
                  ")");
  }
}

FailureOr<std::string> OdsPrinter::emit(ExprId id) {
  const Expr &expr = def[id];
  if (isComplex(expr.type) || isComplex(def.getOperandType(expr))) {
    (void)fail(expr.range, "complex numbers");
    return failure();
  }
  switch (expr.kind) {
  case ExprKind::Literal:
    return emitLiteral(expr);
  case ExprKind::Access:
    return "_" + std::to_string(op.find(expr.tensor));
  case ExprKind::Cast: {
    FailureOr<std::string> operand = emit(expr.lhs);
    if (failed(operand))
      return failure();
    Conversion conversion = getConversion(expr, def[expr.lhs].type);
    return emitConversion(*operand, conversion.from, conversion.to);
  }
  case ExprKind::Gather:
    (void)fail(expr.range, "a gather");
    return failure();
  case ExprKind::Reshape:
    (void)fail(expr.range, "one dim of several labels");
    return failure();
  case ExprKind::Position:
    (void)fail(expr.range, "an index or a size as a value");
    return failure();
  case ExprKind::Select: {
    FailureOr<std::string> condition = emit(expr.condition);
    FailureOr<std::string> lhs = emitAs(expr.lhs, expr.type);
    FailureOr<std::string> rhs = emitAs(expr.rhs, expr.type);
    if (failed(condition) || failed(lhs) || failed(rhs))
      return failure();
    return define("std_select(" + *condition + ", " + *lhs + ", " + *rhs + ")");
  }
  case ExprKind::Unary:
    return emitUnary(expr);
  case ExprKind::Binary: {
    if (isComparison(expr.binary) || isLogical(expr.binary)) {
      (void)fail(expr.range, "`" + getSpelling(expr.binary).str() + "`");
      return failure();
    }
    FailureOr<std::string> lhs = emitAs(expr.lhs, expr.type);
    FailureOr<std::string> rhs = emitAs(expr.rhs, expr.type);
    if (failed(lhs) || failed(rhs))
      return failure();
    return emitBinary(expr.binary, expr.type, *lhs, *rhs);
  }
  }
  llvm_unreachable("a kind of expression that is none");
}

} // namespace

void printOds(raw_ostream &os, const Program &program,
              DiagnosticEngine &diags) {
  for (const Def &def : program.defs) {
    if (def.statements.size() != 1) {
      diags.report(DiagId::NotExpressible, def.range,
                   {"ODS", "`" + def.name + "` has " +
                               std::to_string(def.statements.size()) +
                               " statements"});
      continue;
    }
    std::optional<StructuredOp> op = makeStructuredOp(
        def, def.statements.front(), /*isAlone=*/true, "ODS", diags);
    if (op)
      OdsPrinter(os, *op, diags).print();
  }
}

} // namespace ein::opdsl
