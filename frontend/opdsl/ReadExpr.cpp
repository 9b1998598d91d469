//===- ReadExpr.cpp - OpDSL YAML to a tree: assignments -------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/opdsl/ReadImpl.h"
#include "frontend/program/ElementType.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace ein::opdsl {

using Kind = YamlNode::Kind;

static constexpr StringRef expressionKeys[] = {
    "scalar_arg",   "scalar_const",  "scalar_index", "scalar_fn",
    "scalar_apply", "symbolic_cast", "arith_fn",     "type_fn"};

/// Those that apply a function. All but `scalar_fn` are of older schemas: the
/// functions up to LLVM 13, the casts up to it, and both in LLVM 14.
static constexpr StringRef functionKeys[] = {
    "scalar_fn", "scalar_apply", "symbolic_cast", "arith_fn", "type_fn"};

static bool hasFunction(const Fields &expr) {
  return llvm::any_of(functionKeys,
                      [&](StringRef key) { return expr.has(key); });
}

//===----------------------------------------------------------------------===//
// Assignments
//===----------------------------------------------------------------------===//

LogicalResult OpReader::readAssignment(const YamlNode &node, bool isOnly) {
  Fields fields(node, "an assignment", diags);
  if (failed(fields.read({"arg", "value"})))
    return failure();
  FailureOr<ast::Name> name = fields.getName("arg");
  FailureOr<const YamlNode *> value = fields.get("value", Kind::Mapping);
  if (failed(name) || failed(value))
    return failure();
  target = findOperand(name->text);
  if (!target) {
    SmallVector<StringRef> names;
    for (const Operand &operand : operands)
      if (operand.isWritable())
        names.push_back(operand.name.text);
    return reportUnknownWord(*name, "output", names, diags);
  }
  if (!target->isWritable())
    return diags
        .report(DiagId::NoOutput, name->range,
                {name->text, target->isTensor() ? "an input" : "a constant"})
        .note(DiagId::DeclaredHere, target->name.range, {name->text});
  if (isOnly && failed(checkIterators(*target)))
    return failure();

  ast::Statement statement;
  statement.target = *name;
  statement.range = {name->range.begin, (*value)->range.end};
  statement.opRange = name->range;
  if (!target->shape->results.empty())
    statement.subscripts = makeSubscripts(*target);
  statement.accumulator =
      ast::Name{typeNames[target->typeVar], target->type.range};
  if (target->kind == Operand::Kind::Temporary && !target->isWritten) {
    statement.let = target->name.range;
    statement.type = makeType(*target);
  }
  reducedIndex.clear();
  for (Operand &operand : operands)
    operand.isRead = false;
  FailureOr<bool> reduces = readReduction(**value, statement);
  if (failed(reduces))
    return failure();
  if (!*reduces) {
    FailureOr<ast::ExprPtr> expr = readExpr(**value);
    if (failed(expr))
      return failure();
    if (!reducedIndex.empty())
      return diags.report(DiagId::NoReduction, getPlace(**value),
                          {name->text, reducedIndex});
    statement.value = std::move(*expr);
  }
  target->isWritten = true;
  boundWindows(statement);
  def.statements.push_back(std::move(statement));
  return success();
}

/// A tensor that nobody reads has its size to say, as the `K` of OpDSL's
/// poolings: how large a window is. An input that is larger than the windows
/// need would make it larger.
void OpReader::boundWindows(ast::Statement &statement) {
  for (const Operand &operand : operands) {
    if (operand.kind != Operand::Kind::Input || operand.isRead)
      continue;
    const AffineMap &map = maps[operand.access];
    bool isWindow = !map.results.empty() &&
                    llvm::all_of(map.results, [&](const ast::ExprPtr &result) {
                      size_t dim = getPosition(map.dims, result->text);
                      return result->kind == ast::Expr::Kind::Name &&
                             dim != map.dims.size() && isReduction[dim];
                    });
    if (!isWindow)
      continue;
    ast::Clause clause = {ast::Clause::Kind::Exists, {}, {}};
    clause.operands.push_back(ast::makeCall(operand.name, operand.name.range,
                                            makeSubscripts(operand)));
    statement.clauses.push_back(std::move(clause));
  }
}

/// Exactly the indices that the target lacks are reduced.
LogicalResult OpReader::checkIterators(const Operand &written) {
  const AffineMap &map = maps[written.access];
  for (size_t dim = 0, e = isReduction.size(); dim != e; ++dim) {
    bool isThere = llvm::any_of(map.results, [&](const ast::ExprPtr &result) {
      return result->kind == ast::Expr::Kind::Name &&
             result->text == map.dims[dim].text;
    });
    if (isThere == isReduction[dim])
      return diags
          .report(DiagId::IteratorMismatch, iteratorRanges[dim],
                  {map.dims[dim].text,
                   isReduction[dim] ? "reduction" : "parallel",
                   written.name.text, isThere ? "has" : "lacks"})
          .note(DiagId::DeclaredHere, map.range, {written.name.text});
  }
  return success();
}

/// `C = f(C, x)`, where an index is reduced: `C f=! x`.
FailureOr<bool> OpReader::readReduction(const YamlNode &value,
                                        ast::Statement &statement) {
  Fields fields(value, "an expression", diags);
  if (failed(fields.read(expressionKeys)))
    return failure();
  bool reduces =
      llvm::any_of(maps[target->access].dims,
                   [&](const ast::Name &dim) { return isReduced(dim.text); });
  if (!reduces || !hasFunction(fields))
    return false;
  FailureOr<Application> call = readApplication(fields);
  if (failed(call))
    return failure();
  const std::vector<YamlNode> &args = call->operands->items;
  auto isTarget = [&](const YamlNode &arg) { return isArgument(arg, *target); };
  if (args.size() != 2 || llvm::none_of(args, isTarget))
    return false;
  std::optional<TokenKind> update = getUpdate(call->spelling);
  if (call->isAttribute) {
    update = TokenKind::AddInit; // any, until the attribute has its value
    statement.updateFunction = call->name;
  }
  if (!update)
    return false;
  statement.op = *update;
  statement.opRange = call->name.range;
  statement.isUnsigned = isUnsignedUpdate(call->spelling);
  FailureOr<ast::ExprPtr> expr = readExpr(args[isTarget(args[0]) ? 1 : 0]);
  if (failed(expr))
    return failure();
  statement.value = std::move(*expr);
  return true;
}

/// Whether the target of the assignment lacks the index.
bool OpReader::isReduced(StringRef dim) const {
  return llvm::none_of(
      maps[target->access].results,
      [&](const ast::ExprPtr &result) { return result->text == dim; });
}

bool OpReader::isArgument(const YamlNode &node, const Operand &operand) {
  return node.kind == Kind::Mapping && node.items.size() == 2 &&
         node.items[0].text == "scalar_arg" &&
         node.items[1].text == operand.name.text;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

FailureOr<ast::ExprPtr> OpReader::readExpr(const YamlNode &node) {
  Fields fields(node, "an expression", diags);
  if (failed(fields.read(expressionKeys)))
    return failure();
  size_t numKeys = llvm::count_if(
      expressionKeys, [&](StringRef key) { return fields.has(key); });
  if (numKeys != 1)
    return diags.report(
        DiagId::OneOfKeys, getPlace(node),
        {"an expression",
         "`scalar_arg`, `scalar_const`, `scalar_index`, `scalar_fn`",
         std::to_string(numKeys)});
  if (fields.has("scalar_arg")) {
    FailureOr<ast::Name> name = fields.getName("scalar_arg");
    if (failed(name))
      return failure();
    return readArgument(*name);
  }
  if (fields.has("scalar_const")) {
    FailureOr<const YamlNode *> value =
        fields.get("scalar_const", Kind::Scalar);
    if (failed(value))
      return failure();
    return readConstant((*value)->getName());
  }
  if (fields.has("scalar_index")) {
    FailureOr<const YamlNode *> value =
        fields.get("scalar_index", Kind::Scalar);
    if (failed(value))
      return failure();
    return readIndex((*value)->getName());
  }
  return readFunction(fields);
}

FailureOr<ast::ExprPtr> OpReader::readArgument(const ast::Name &name) {
  Operand *operand = findOperand(name.text);
  if (!operand) {
    SmallVector<StringRef> names;
    for (const Operand &other : operands)
      names.push_back(other.name.text);
    return reportUnknownWord(name, "argument of the op", names, diags);
  }
  if (!operand->hasAccess())
    return reportUnknownWord(name, "tensor or scalar of the op", {}, diags);
  if (operand->kind == Operand::Kind::Output && !operand->isWritten)
    operand->isReadFirst = true;
  operand->isRead = true;
  if (!operand->hasMap())
    return ast::makeName(name.text, name.range);
  const AffineMap &map = maps[operand->access];
  for (const ast::ExprPtr &result : map.results)
    (void)substitute(*result, [&](const ast::Expr &part) {
      noteIndex(getPosition(map.dims, part.text));
      return ast::makeName(part.text, part.range);
    });
  if (operand->isTensor() && !operand->shape->results.empty())
    return ast::makeCall(name, name.range, makeSubscripts(*operand));
  return ast::makeName(name.text, name.range);
}

FailureOr<ast::ExprPtr> OpReader::readIndex(const ast::Name &name) {
  size_t dim;
  if (StringRef(name.text).getAsInteger(10, dim) || dim >= indexNames.size())
    return reportUnknownWord(name, "dim of the maps", {}, diags);
  noteIndex(dim);
  return ast::makeName(indexNames[dim], name.range);
}

/// Remembers an index that the target lacks.
void OpReader::noteIndex(size_t dim) {
  const AffineMap &map = maps[target->access];
  if (dim < map.dims.size() && isReduced(map.dims[dim].text))
    reducedIndex = map.dims[dim].text;
}

/// An attribute of MLIR: `2147483647 : i64`, `-0.5 : f32`.
FailureOr<ast::ExprPtr> OpReader::readConstant(const ast::Name &name) {
  auto [value, typeText] = StringRef(name.text).split(':');
  value = value.trim();
  std::string typeName = typeText.trim().str();
  bool isNegative = value.consume_front("-");
  std::optional<ElementType> type = parseElementType(typeName);
  // Without a type MLIR takes i64 or f64.
  bool isInteger = !value.empty() && llvm::all_of(value, isDigit);
  if (typeText.empty())
    type = isInteger ? ElementType::I64 : ElementType::F64;
  size_t numDigits = llvm::count_if(value, isDigit);
  bool isNumber =
      numDigits != 0 && isDigit(value[0]) &&
      llvm::all_of(value.drop_back(),
                   [](char c) {
                     return isDigit(c) || StringRef(".eE+-").contains(c);
                   }) &&
      (isDigit(value.back()) || value.back() == '.');
  StringRef mantissa =
      value.take_until([](char c) { return c == 'e' || c == 'E'; });
  StringRef exponent = value.drop_front(mantissa.size())
                           .drop_front(mantissa.size() == value.size() ? 0 : 1);
  if (!exponent.empty() && (exponent.front() == '+' || exponent.front() == '-'))
    exponent = exponent.drop_front();
  isNumber &=
      mantissa.count('.') <= 1 &&
      llvm::all_of(mantissa, [](char c) { return isDigit(c) || c == '.'; }) &&
      llvm::all_of(exponent, isDigit) &&
      (mantissa.size() == value.size() || !exponent.empty());
  if (!isNumber || !type || isComplex(*type) || (!isInteger && !isFloat(*type)))
    return diags.report(DiagId::BadConstant, name.range, {name.text});
  ast::ExprPtr number =
      ast::makeLiteral((value + getSpelling(*type)).str(), name.range,
                       isInteger ? TokenKind::Integer : TokenKind::Float);
  if (!isNegative)
    return number;
  return ast::makeUnary(TokenKind::Minus, name.range, std::move(number));
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// `scalar_fn`, or what older schemas have for it.
FailureOr<Application> OpReader::readApplication(const Fields &expr) {
  Application result;
  StringRef key = *llvm::find_if(
      functionKeys, [&](StringRef candidate) { return expr.has(candidate); });
  FailureOr<const YamlNode *> node = expr.get(key, Kind::Mapping);
  if (failed(node))
    return failure();
  Fields fields(**node, ("`" + key + "`").str(), diags);
  SmallVector<StringRef> keys = {"fn_name", "operands"};
  if (key == "scalar_fn")
    keys = {"kind", "fn_name", "attr_name", "type_var", "operands"};
  else if (key == "symbolic_cast")
    keys = {"type_var", "operands", "is_unsigned_cast"};
  else if (key == "type_fn")
    keys = {"fn_name", "type_var", "operands"};
  if (failed(fields.read(keys)))
    return failure();
  FailureOr<const YamlNode *> list = fields.get("operands", Kind::Sequence);
  if (failed(list))
    return failure();
  result.operands = *list;
  size_t numOperands = (*list)->items.size();

  // The kind: said, or by what is applied to what.
  result.kind = numOperands == 1 ? FunctionKind::Unary : FunctionKind::Binary;
  if (key == "symbolic_cast") {
    result.kind = FunctionKind::Type;
    result.name = {"cast_signed", getPlace(**node)};
    if (const YamlNode *isUnsigned = fields.find("is_unsigned_cast");
        isUnsigned && isUnsigned->text == "true")
      result.name.text = "cast_unsigned";
  } else if (key == "scalar_fn") {
    FailureOr<ast::Name> kind = fields.getName("kind");
    if (failed(kind))
      return failure();
    std::optional<FunctionKind> known = parseFunctionKind(kind->text);
    if (!known)
      return reportUnknownWord(*kind, "kind of function",
                               {"unary", "binary", "ternary", "type"}, diags);
    result.kind = *known;
  } else if (key == "type_fn") {
    result.kind = FunctionKind::Type;
  }
  if (key != "symbolic_cast") {
    if (fields.has("fn_name") == fields.has("attr_name"))
      return diags.report(DiagId::OneOfKeys, getPlace(**node),
                          {"`" + key.str() + "`", "`fn_name`, `attr_name`",
                           fields.has("fn_name") ? "2" : "0"});
    result.isAttribute = fields.has("attr_name");
    FailureOr<ast::Name> name =
        fields.getName(result.isAttribute ? "attr_name" : "fn_name");
    if (failed(name))
      return failure();
    result.name = *name;
  }
  std::string noun = (getName(result.kind) + " function").str();
  if (result.isAttribute) {
    Operand *attribute = findOperand(result.name.text);
    if (!attribute || attribute->kind != Operand::Kind::Function ||
        attribute->functionKind != result.kind)
      return reportUnknownWord(result.name, noun + " attribute", {}, diags);
    result.spelling = result.name.text;
  } else {
    std::optional<StringRef> spelling =
        findSpelling(result.kind, result.name.text);
    if (!spelling)
      return reportUnknownWord(result.name, noun, getNames(result.kind), diags);
    result.spelling = spelling->str();
  }
  if (numOperands != getArity(result.kind))
    return diags.report(
        DiagId::WrongArity, result.name.range,
        {result.name.text,
         std::to_string(getArity(result.kind)) +
             (getArity(result.kind) == 1 ? " argument" : " arguments"),
         std::to_string(numOperands)});
  if (result.kind == FunctionKind::Type) {
    FailureOr<ast::Name> type = fields.getName("type_var");
    if (failed(type))
      return failure();
    result.typeVar = *type;
  }
  return result;
}

FailureOr<ast::ExprPtr> OpReader::readFunction(const Fields &expr) {
  FailureOr<Application> call = readApplication(expr);
  if (failed(call))
    return failure();
  const std::vector<YamlNode> &nodes = call->operands->items;
  std::vector<ast::ExprPtr> args;
  for (const YamlNode &node : nodes) {
    FailureOr<ast::ExprPtr> arg = readExpr(node);
    if (failed(arg))
      return failure();
    args.push_back(std::move(*arg));
  }
  const ast::Name &name = call->name;
  if (call->kind == FunctionKind::Type) {
    FailureOr<ast::Name> type = readCastType(*call->typeVar);
    if (failed(type))
      return failure();
    return ast::makeCast({call->spelling, name.range}, *type,
                         std::move(args[0]));
  }
  if (call->kind == FunctionKind::Ternary) {
    suggestType(nodes[0], "bool");
    return ast::makeConditional(name.range, std::move(args[0]),
                                std::move(args[1]), std::move(args[2]));
  }
  if (call->spelling == "div_unsigned")
    for (const YamlNode &node : nodes)
      suggestType(node, "u32");
  auto op = StringSwitch<std::optional<TokenKind>>(call->spelling)
                .Case("+", TokenKind::Plus)
                .Case("-", TokenKind::Minus)
                .Case("*", TokenKind::Star)
                .Case("/", TokenKind::Slash)
                .Default(std::nullopt);
  if (!op || call->isAttribute)
    return ast::makeCall({call->spelling, name.range}, name.range,
                         std::move(args));
  if (call->kind == FunctionKind::Unary)
    return ast::makeUnary(*op, name.range, std::move(args[0]));
  return ast::makeBinary(*op, name.range, std::move(args[0]),
                         std::move(args[1]));
}

/// An argument's type variable, or one of OpDSL's own types.
FailureOr<ast::Name> OpReader::readCastType(const ast::Name &typeVar) {
  auto known = typeNames.find(typeVar.text);
  if (known != typeNames.end())
    return ast::Name{known->second, typeVar.range};
  std::string lower = StringRef(typeVar.text).lower();
  std::optional<ElementType> fixed = parseElementType(lower);
  if (fixed && getSpelling(*fixed) == lower)
    return ast::Name{lower, typeVar.range};
  return reportUnknownWord(typeVar, "type variable of an argument",
                           llvm::to_vector(typeNames.keys()), diags);
}

/// What an argument's type is unless it is bound, if f32 would not do.
void OpReader::suggestType(const YamlNode &operand, StringRef type) {
  for (const Operand &candidate : operands)
    if (candidate.hasAccess() && isArgument(operand, candidate))
      typeDefaults.try_emplace(candidate.typeVar, type.str());
}

} // namespace ein::opdsl
