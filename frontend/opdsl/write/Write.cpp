//===- Write.cpp - A program as OpDSL YAML --------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// OpDSL converts nothing by itself and has no signs in its types, so that all
// conversions are written out, and functions that depend on the sign are
// chosen by the types that the program was checked with.
//
//===----------------------------------------------------------------------===//

#include "frontend/opdsl/write/Write.h"
#include "frontend/opdsl/Functions.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace ein::opdsl {
namespace {

/// A type, and the type variable that stands for it.
struct TypeRef {
  ElementType type = ElementType::F32;
  std::string name;

  friend bool operator==(const TypeRef &a, const TypeRef &b) {
    return a.type == b.type && a.name == b.name;
  }
};

bool isUnsignedKind(ElementType type) {
  return getKind(type) == TypeKind::Unsigned || getKind(type) == TypeKind::Bool;
}

class OpPrinter {
public:
  OpPrinter(raw_ostream &os, const StructuredOp &op, DiagnosticEngine &diags)
      : os(os), op(op), def(op.def), diags(diags) {}

  LogicalResult print(StringRef name);

private:
  std::string str(const Affine &expr) const {
    return expr.str(
        [&](IndexId id) { return StringRef(op.indexNames[id.value]); },
        [&](SymbolId id) { return StringRef(op.sizeNames[id.value]); });
  }
  std::string makeMap(ArrayRef<Affine> results, bool ofIndices) const;
  TypeRef getType(ElementType type, GenericId generic) const;
  TypeRef getType(const Tensor &tensor) const {
    return getType(tensor.type, tensor.generic);
  }
  TypeRef getType(ExprId id) const;
  void printMetadata(StringRef name);
  void printArguments();
  void printMaps();

  raw_ostream &line(unsigned depth) { return os.indent(2 * depth); }
  LogicalResult printExpr(ExprId id, const TypeRef &wanted, unsigned depth);
  LogicalResult printPlain(ExprId id, const TypeRef &type, unsigned depth);
  LogicalResult printLiteral(const Expr &expr, unsigned depth);
  void openFunction(FunctionKind kind, StringRef name, unsigned depth,
                    StringRef typeVar = "");
  LogicalResult fail(const Expr &expr, const std::string &what) {
    return diags.report(DiagId::NotExpressible, expr.range, {"OpDSL", what});
  }

  raw_ostream &os;
  const StructuredOp &op;
  const Def &def;
  DiagnosticEngine &diags;
};

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

TypeRef OpPrinter::getType(ElementType type, GenericId generic) const {
  if (generic.isValid())
    return {type, def.generics[generic.value]};
  return {type, getSpelling(type).upper()};
}

/// What a node yields, or computes in.
TypeRef OpPrinter::getType(ExprId id) const {
  const Expr &expr = def[id];
  switch (expr.kind) {
  case ExprKind::Access:
    return getType(def[expr.tensor]);
  case ExprKind::Cast:
    return getType(expr.type, expr.generic);
  case ExprKind::Literal:
    // Constants have the bits of an unsigned number.
    if (getKind(expr.type) == TypeKind::Unsigned)
      return {expr.type, "I" + std::to_string(getBitWidth(expr.type))};
    return getType(expr.type, GenericId());
  default:
    break;
  }
  // Of operands that have the type, those with a variable say more.
  TypeRef result = getType(expr.type, GenericId());
  for (ExprId operand : {expr.lhs, expr.rhs}) {
    if (!operand.isValid())
      continue;
    TypeRef type = getType(operand);
    if (type.type == expr.type && llvm::is_contained(def.generics, type.name))
      return type;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// The signature
//===----------------------------------------------------------------------===//

std::string OpPrinter::makeMap(ArrayRef<Affine> results, bool ofIndices) const {
  std::string text = "affine_map<(";
  if (ofIndices)
    text += llvm::join(op.indexNames, ", ");
  text += ")";
  SmallVector<StringRef> sizes;
  for (const std::string &name : op.sizeNames)
    if (!name.empty())
      sizes.push_back(name);
  if (!sizes.empty())
    text += "[" + llvm::join(sizes, ", ") + "]";
  text += " -> (";
  for (const Affine &result : results)
    text += (&result == results.begin() ? "" : ", ") + str(result);
  return text + ")>";
}

void OpPrinter::printArguments() {
  line(1) << "args:\n";
  for (const StructuredOp::Argument &argument : op.arguments) {
    const Tensor &tensor = def[argument.tensor];
    bool isOutput = argument.tensor == op.statement.target;
    line(1) << "- !LinalgOperandDefConfig\n";
    line(2) << "name: " << tensor.name << '\n';
    line(2) << "kind: "
            << (isOutput            ? "output_tensor"
                : argument.isScalar ? "scalar"
                                    : "input_tensor")
            << '\n';
    line(2) << "type_var: " << getType(tensor).name << '\n';
    if (!argument.isScalar)
      line(2) << "shape_map: " << makeMap(tensor.dims, /*ofIndices=*/false)
              << '\n';
  }
}

void OpPrinter::printMaps() {
  line(1) << "indexing_maps: !LinalgIndexingMapsConfig\n";
  line(2) << "static_indexing_maps:\n";
  for (const StructuredOp::Argument &argument : op.arguments)
    line(2) << "- " << makeMap(argument.map, /*ofIndices=*/true) << '\n';
  line(1) << "iterator_types:" << (op.indexNames.empty() ? " []\n" : "\n");
  for (const Index &index : op.statement.indices)
    line(1) << "- " << (index.isReduction ? "reduction" : "parallel") << '\n';
}

/// A def that is several ops has said nothing of any of them.
void OpPrinter::printMetadata(StringRef name) {
  line(1) << "name: " << name << '\n';
  bool isSaid = name == def.name;
  line(1) << "cpp_class_name: "
          << (isSaid && !def.metadata.className.empty() ? def.metadata.className
                                                        : getClassName(name))
          << '\n';
  if (!isSaid)
    return;
  // Without what all lines but the first are indented by, and the characters
  // that YAML has no place for.
  SmallVector<StringRef> lines;
  StringRef(def.metadata.doc).trim().split(lines, '\n');
  size_t indent = StringRef::npos;
  for (StringRef text : ArrayRef(lines).drop_front())
    if (!text.trim().empty())
      indent = std::min(indent, text.find_first_not_of(' '));
  if (!lines.front().empty())
    line(1) << "doc: |-\n";
  for (StringRef &text : lines) {
    StringRef shown = &text == lines.begin() ? text : text.substr(indent);
    shown = shown.rtrim();
    if (!shown.empty())
      line(2);
    for (char c : shown)
      os << (c >= 0 && c < ' ' ? ' ' : c);
    if (!lines.front().empty())
      os << '\n';
  }
  if (!def.metadata.interfaces.empty())
    line(1) << "implements:\n";
  for (const std::string &interface : def.metadata.interfaces)
    line(1) << "- " << interface << '\n';
}

LogicalResult OpPrinter::print(StringRef name) {
  os << "--- !LinalgOpConfig\nmetadata: !LinalgOpMetadata\n";
  printMetadata(name);
  os << "structured_op: !LinalgStructuredOpConfig\n";
  printArguments();
  printMaps();
  const Statement &statement = op.statement;
  const Tensor &target = def[statement.target];
  line(1) << "assignments:\n";
  line(1) << "- !ScalarAssign\n";
  line(2) << "arg: " << target.name << '\n';
  line(2) << "value: !ScalarExpression\n";
  std::optional<BinaryFn> update = getFunction(statement.update);
  if (!update)
    return printExpr(statement.value, getType(target), 3);
  StringRef function = *findName(FunctionKind::Binary, getSpelling(*update));
  if (isUnsignedKind(target.type) && *update == BinaryFn::Max)
    function = "max_unsigned";
  else if (isUnsignedKind(target.type) && *update == BinaryFn::Min)
    function = "min_unsigned";
  openFunction(FunctionKind::Binary, function, 3);
  line(4) << "- !ScalarExpression\n";
  line(5) << "scalar_arg: " << target.name << '\n';
  line(4) << "- !ScalarExpression\n";
  return printExpr(statement.value, getType(target), 5);
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

void OpPrinter::openFunction(FunctionKind kind, StringRef name, unsigned depth,
                             StringRef typeVar) {
  line(depth) << "scalar_fn:\n";
  line(depth + 1) << "kind: " << getName(kind) << '\n';
  line(depth + 1) << "fn_name: " << name << '\n';
  if (!typeVar.empty())
    line(depth + 1) << "type_var: " << typeVar << '\n';
  line(depth + 1) << "operands:\n";
}

/// The node, converted to what its user computes in.
LogicalResult OpPrinter::printExpr(ExprId id, const TypeRef &wanted,
                                   unsigned depth) {
  const Expr &expr = def[id];
  bool isOperator = expr.kind == ExprKind::Unary ||
                    expr.kind == ExprKind::Binary ||
                    expr.kind == ExprKind::Select;
  // Operators compute in what is wanted as it is.
  TypeRef type = isOperator && expr.type == wanted.type ? wanted : getType(id);
  if (type == wanted)
    return printPlain(id, type, depth);
  bool isUnsigned = isUnsignedKind(type.type) ||
                    (!isInteger(type.type) && isUnsignedKind(wanted.type));
  openFunction(FunctionKind::Type, isUnsigned ? "cast_unsigned" : "cast_signed",
               depth, wanted.name);
  line(depth + 1) << "- !ScalarExpression\n";
  return printPlain(id, type, depth + 2);
}

LogicalResult OpPrinter::printLiteral(const Expr &expr, unsigned depth) {
  if (isComplex(expr.type) || getKind(expr.type) == TypeKind::Bool)
    return fail(expr, "a constant of type " + getSpelling(expr.type).str());
  line(depth) << "scalar_const: '";
  if (isFloat(expr.type)) {
    // As many digits as the type can need; MLIR wants a point.
    SmallString<32> digits;
    APFloat value(expr.literal);
    value.toString(digits, /*FormatPrecision=*/17, /*FormatMaxPadding=*/0,
                   /*TruncateZero=*/false);
    os << digits;
  } else {
    os << SignExtend64(expr.integer, getBitWidth(expr.type));
  }
  std::string type = getSpelling(expr.type).str();
  if (getKind(expr.type) == TypeKind::Unsigned)
    type[0] = 'i';
  os << " : " << type << "'\n";
  return success();
}

LogicalResult OpPrinter::printPlain(ExprId id, const TypeRef &type,
                                    unsigned depth) {
  const Expr &expr = def[id];
  auto printOperand = [&](ExprId operand, const TypeRef &wanted) {
    line(depth + 1) << "- !ScalarExpression\n";
    return printExpr(operand, wanted, depth + 2);
  };
  switch (expr.kind) {
  case ExprKind::Access:
    line(depth) << "scalar_arg: " << def[expr.tensor].name << '\n';
    return success();
  case ExprKind::Gather:
    return fail(expr, "a gather");
  case ExprKind::Reshape:
    return fail(expr, "one dim of several labels");
  case ExprKind::Literal:
    return printLiteral(expr, depth);
  case ExprKind::Position: {
    std::optional<IndexId> index = expr.subscripts.front().getSingleIndex();
    if (!index)
      return fail(expr, "a position that is not an index alone");
    line(depth) << "scalar_index: " << index->value << '\n';
    return success();
  }
  case ExprKind::Select:
    openFunction(FunctionKind::Ternary, "select", depth);
    if (failed(printOperand(expr.condition, getType(expr.condition))) ||
        failed(printOperand(expr.lhs, type)))
      return failure();
    return printOperand(expr.rhs, type);
  case ExprKind::Cast: {
    TypeRef operand = getType(expr.lhs);
    bool isUnsigned = expr.isUnsigned || isUnsignedKind(operand.type) ||
                      (!isInteger(operand.type) && isUnsignedKind(expr.type));
    openFunction(FunctionKind::Type,
                 isUnsigned ? "cast_unsigned" : "cast_signed", depth,
                 type.name);
    return printOperand(expr.lhs, operand);
  }
  case ExprKind::Unary: {
    std::optional<StringRef> name =
        findName(FunctionKind::Unary, getSpelling(expr.unary));
    if (!name || !isFloat(expr.type))
      return fail(expr, "`" + getSpelling(expr.unary).str() + "` of " +
                            getSpelling(expr.type).str());
    openFunction(FunctionKind::Unary, *name, depth);
    return printOperand(expr.lhs, type);
  }
  case ExprKind::Binary: {
    std::string spelling = getSpelling(expr.binary).str();
    bool depends = expr.binary == BinaryFn::Max ||
                   expr.binary == BinaryFn::Min || expr.binary == BinaryFn::Div;
    if (depends && isUnsignedKind(expr.type))
      spelling = (spelling == "/" ? "div" : spelling) + "_unsigned";
    std::optional<StringRef> name = findName(FunctionKind::Binary, spelling);
    if (!name)
      return fail(expr,
                  "`" + spelling + "` of " + getSpelling(expr.type).str());
    openFunction(FunctionKind::Binary, *name, depth);
    if (failed(printOperand(expr.lhs, type)))
      return failure();
    return printOperand(expr.rhs, type);
  }
  }
  llvm_unreachable("a kind of expression that is none");
}

} // namespace

void printModule(raw_ostream &os, const Program &program,
                 DiagnosticEngine &diags) {
  StringSet<> names;
  for (const Def &def : program.defs) {
    bool isAlone = def.statements.size() == 1;
    for (const Statement &statement : def.statements) {
      std::string name = def.name;
      if (!isAlone)
        name += "_" + def[statement.target].name;
      while (!names.insert(name).second)
        name += "_";
      std::optional<StructuredOp> op =
          makeStructuredOp(def, statement, isAlone, "OpDSL", diags);
      if (op)
        (void)OpPrinter(os, *op, diags).print(name);
    }
  }
}

} // namespace ein::opdsl
