//===- ReadOperands.cpp - OpDSL YAML to a tree: the arguments of an op ----===//
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

using namespace llvm;

namespace ein::opdsl {

using Kind = YamlNode::Kind;

LogicalResult OpReader::readOperand(const YamlNode &node) {
  Fields fields(node, "an argument", diags);
  if (failed(
          fields.read({"name", "kind", "usage", "type_var", "element_type_var",
                       "shape_map", "shape", "index_attr_map", "attribute_map",
                       "default_indices", "default_vals", "default_fn"})))
    return failure();
  Operand operand;
  FailureOr<ast::Name> name = fields.getName("name");
  if (failed(name) || failed(readOperandKind(fields, operand)))
    return failure();
  operand.name = *name;
  if (operand.hasAccess() && failed(readType(fields, operand)))
    return failure();
  if (operand.isTensor()) {
    StringRef key = fields.has("shape") ? "shape" : "shape_map";
    FailureOr<const YamlNode *> shape = fields.get(key, Kind::Scalar);
    if (failed(shape))
      return failure();
    FailureOr<AffineMap> map = readMap(**shape);
    if (failed(map))
      return failure();
    operand.shape = std::move(*map);
  }
  if (failed(readDefaults(fields, operand)))
    return failure();
  return addOperand(std::move(operand));
}

/// What OpDSL called scalars in the spring of 2021, and listed by themselves.
LogicalResult OpReader::readCapture(const YamlNode &node) {
  Fields fields(node, "a capture", diags);
  if (failed(fields.read({"name", "type_var"})))
    return failure();
  Operand operand;
  operand.kind = Operand::Kind::Capture;
  FailureOr<ast::Name> name = fields.getName("name");
  if (failed(name) || failed(readType(fields, operand)))
    return failure();
  operand.name = *name;
  return addOperand(std::move(operand));
}

LogicalResult OpReader::addOperand(Operand operand) {
  if (Operand *other = findOperand(operand.name.text))
    return diags
        .report(DiagId::DuplicateTensor, operand.name.range,
                {operand.name.text})
        .note(DiagId::FirstHere, other->name.range);
  operands.push_back(std::move(operand));
  return success();
}

namespace {

/// What the schemas call the kinds of arguments. Until LLVM 14 the key is
/// `usage`, from 15 on `kind`.
struct KindName {
  bool isUsage;
  StringLiteral name;
  Operand::Kind kind;
};

constexpr KindName kindNames[] = {
    {false, "input_tensor", Operand::Kind::Input},
    {false, "output_tensor", Operand::Kind::Output},
    {false, "scalar", Operand::Kind::Scalar},
    {false, "index_attr", Operand::Kind::Index},
    {false, "unary_fn_attr", Operand::Kind::Function},
    {false, "binary_fn_attr", Operand::Kind::Function},
    {false, "ternary_fn_attr", Operand::Kind::Function},
    {false, "type_fn_attr", Operand::Kind::Function},
    {true, "InputOperand", Operand::Kind::Input},
    {true, "OutputOperand", Operand::Kind::Output},
    {true, "IndexAttribute", Operand::Kind::Index},
    {true, "input", Operand::Kind::Input},
    {true, "output", Operand::Kind::Output},
    {true, "temp", Operand::Kind::Temporary},
    {true, "temporary", Operand::Kind::Temporary},
};

} // namespace

LogicalResult OpReader::readOperandKind(const Fields &fields,
                                        Operand &operand) {
  bool isUsage = fields.has("usage");
  FailureOr<ast::Name> word = fields.getName(isUsage ? "usage" : "kind");
  if (failed(word))
    return failure();
  SmallVector<StringRef> words;
  const KindName *found = nullptr;
  for (const KindName &known : kindNames) {
    if (known.isUsage != isUsage)
      continue;
    words.push_back(known.name);
    if (known.name == word->text)
      found = &known;
  }
  if (!found)
    return reportUnknownWord(*word, isUsage ? "usage" : "kind of argument",
                             words, diags);
  operand.kind = found->kind;
  // `usage` says the same of scalars, which have no shape.
  if (word->text == "InputOperand" && !fields.has("shape_map"))
    operand.kind = Operand::Kind::Scalar;
  if (operand.kind == Operand::Kind::Function)
    operand.functionKind =
        *parseFunctionKind(StringRef(word->text).split('_').first);
  return success();
}

LogicalResult OpReader::readType(const Fields &fields, Operand &operand) {
  FailureOr<ast::Name> type = ast::Name{"T", operand.name.range};
  // The first schema has no types: all tensors are of one.
  bool isFirst = fields.has("usage") && fields.has("shape") &&
                 !fields.has("element_type_var");
  if (!isFirst)
    type = fields.getName(fields.has("element_type_var") ? "element_type_var"
                                                         : "type_var");
  if (failed(type))
    return failure();
  operand.typeVar = type->text;
  operand.type = *type;
  // OpDSL's own types: `F32`, `I64`, `Index`.
  std::string lower = StringRef(type->text).lower();
  std::optional<ElementType> fixed = parseElementType(lower);
  bool isFixed = fixed && getSpelling(*fixed) == lower;
  typeNames.try_emplace(type->text, isFixed ? lower : "");
  return success();
}

LogicalResult OpReader::readDefaults(const Fields &fields, Operand &operand) {
  if (operand.kind == Operand::Kind::Function) {
    if (!fields.has("default_fn"))
      return success();
    FailureOr<ast::Name> function = fields.getName("default_fn");
    if (failed(function))
      return failure();
    if (!findSpelling(operand.functionKind, function->text))
      return reportUnknownWord(
          *function, (getName(operand.functionKind) + " function").str(),
          getNames(operand.functionKind), diags);
    operand.defaultFunction = *function;
    return success();
  }
  if (operand.kind != Operand::Kind::Index)
    return success();
  FailureOr<const YamlNode *> mapNode = fields.get(
      fields.has("attribute_map") ? "attribute_map" : "index_attr_map",
      Kind::Scalar);
  if (failed(mapNode))
    return failure();
  FailureOr<AffineMap> map = readMap(**mapNode);
  if (failed(map))
    return failure();
  size_t length = map->results.size();
  operand.attributeMap = std::move(*map);
  StringRef key =
      fields.has("default_vals") ? "default_vals" : "default_indices";
  if (!fields.has(key))
    return success();
  FailureOr<const YamlNode *> defaults = fields.get(key, Kind::Sequence);
  if (failed(defaults))
    return failure();
  for (const YamlNode &item : (*defaults)->items) {
    if (failed(expectKind(item, Kind::Scalar, "an index", diags)))
      return failure();
    StringRef digits = item.text;
    bool isNegative = digits.consume_front("-");
    if (digits.empty() || !llvm::all_of(digits, isDigit))
      return diags.report(DiagId::NotAnInteger, getPlace(item),
                          {"default index"});
    ast::ExprPtr value = ast::makeLiteral(digits.str(), item.textRange);
    operand.defaults.push_back(
        isNegative
            ? ast::makeUnary(TokenKind::Minus, item.textRange, std::move(value))
            : std::move(value));
  }
  if (operand.defaults.size() != length)
    return diags.report(DiagId::AttributeLength, getPlace(**defaults),
                        {key.str(), count(operand.defaults.size(), "element"),
                         count(length, "element") + " are in the map"});
  return success();
}

Operand *OpReader::findOperand(StringRef name) {
  auto found = llvm::find_if(operands, [&](const Operand &operand) {
    return operand.name.text == name;
  });
  return found == operands.end() ? nullptr : &*found;
}

} // namespace ein::opdsl
