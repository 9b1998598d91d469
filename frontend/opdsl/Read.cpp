//===- Read.cpp - OpDSL YAML to a tree: ops -------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/opdsl/Read.h"
#include "frontend/opdsl/ReadImpl.h"
#include "frontend/program/ElementType.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace ein::opdsl {

using Kind = YamlNode::Kind;

std::string count(size_t number, StringRef noun) {
  return std::to_string(number) + " " + noun.str() + (number == 1 ? "" : "s");
}

//===----------------------------------------------------------------------===//
// Keys and values
//===----------------------------------------------------------------------===//

SourceRange getPlace(const YamlNode &node) {
  if (node.kind == Kind::Scalar && !node.isBlock)
    return node.textRange;
  return {node.range.begin, node.range.begin + 1};
}

LogicalResult expectKind(const YamlNode &node, Kind kind, StringRef what,
                         DiagnosticEngine &diags) {
  if (node.kind == kind)
    return success();
  return diags.report(DiagId::Expected, getPlace(node),
                      {(getDescription(kind) + " for " + what).str(),
                       getDescription(node.kind).str()});
}

LogicalResult reportUnknownWord(const ast::Name &name, StringRef what,
                                ArrayRef<StringRef> words,
                                DiagnosticEngine &diags) {
  return diags.report(DiagId::UnknownWord, name.range, {name.text, what.str()})
      .didYouMean(name.range, name.text, words);
}

LogicalResult Fields::read(ArrayRef<StringRef> keys) {
  if (failed(expectKind(node, Kind::Mapping, what, diags)))
    return failure();
  LogicalResult result = success();
  for (size_t i = 0, e = node.items.size(); i + 1 < e; i += 2) {
    const YamlNode &key = node.items[i];
    if (key.kind != Kind::Scalar) {
      result = expectKind(key, Kind::Scalar, "a key", diags);
      continue;
    }
    const auto *known = llvm::find(keys, key.text);
    if (known == keys.end()) {
      result = diags.report(DiagId::UnknownKey, key.textRange, {key.text, what})
                   .didYouMean(key.textRange, key.text, keys);
    } else if (find(*known)) {
      result = diags.report(DiagId::DuplicateKey, key.textRange, {key.text});
    } else {
      entries.push_back({*known, &node.items[i + 1]});
    }
  }
  return result;
}

const YamlNode *Fields::find(StringRef key) const {
  for (const auto &[name, value] : entries)
    if (name == key)
      return value;
  return nullptr;
}

LogicalResult Fields::reportMissing(StringRef key) const {
  return diags.report(DiagId::MissingKey, getPlace(node), {what, key.str()});
}

FailureOr<const YamlNode *> Fields::get(StringRef key, Kind kind) const {
  const YamlNode *value = find(key);
  if (!value) {
    (void)reportMissing(key);
    return failure();
  }
  if (failed(expectKind(*value, kind, ("`" + key + "`").str(), diags)))
    return failure();
  return value;
}

FailureOr<ast::Name> Fields::getName(StringRef key) const {
  FailureOr<const YamlNode *> value = get(key, Kind::Scalar);
  if (failed(value))
    return failure();
  ast::Name name = (*value)->getName();
  bool isGood =
      !name.text.empty() && !isDigit(name.text[0]) &&
      llvm::all_of(name.text, [](char c) { return isAlnum(c) || c == '_'; });
  if (!isGood)
    return diags.report(DiagId::NoName, getPlace(**value), {name.text});
  return name;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

ast::Def OpReader::read(const YamlNode &document) {
  Fields fields(document, "an op", diags);
  def.range = document.range;
  def.hasErrors = true;
  if (failed(fields.read({"metadata", "structured_op"})))
    return std::move(def);
  FailureOr<const YamlNode *> metadata = fields.get("metadata", Kind::Mapping);
  FailureOr<const YamlNode *> op = fields.get("structured_op", Kind::Mapping);
  if (succeeded(metadata) && succeeded(readMetadata(**metadata)) &&
      succeeded(op) && succeeded(readOp(**op)))
    def.hasErrors = false;
  return std::move(def);
}

LogicalResult OpReader::readMetadata(const YamlNode &node) {
  Fields fields(node, "`metadata`", diags);
  if (failed(fields.read({"name", "cpp_class_name", "cpp_op_name", "doc",
                          "implements", "defines"})))
    return failure();
  FailureOr<ast::Name> name = fields.getName("name");
  if (failed(name))
    return failure();
  def.name = *name;
  for (StringRef key : {"cpp_class_name", "cpp_op_name"}) {
    if (!fields.has(key))
      continue;
    FailureOr<ast::Name> className = fields.getName(key);
    if (failed(className))
      return failure();
    def.ods.emplace();
    def.ods->name = *className;
  }
  if (const YamlNode *doc = fields.find("doc")) {
    if (doc->kind != Kind::Null && failed(fields.get("doc", Kind::Scalar)))
      return failure();
    def.docstring = doc->text;
  }
  for (StringRef key : {"implements", "defines"}) {
    if (!fields.has(key))
      continue;
    FailureOr<const YamlNode *> list = fields.get(key, Kind::Sequence);
    if (failed(list))
      return failure();
    for (const YamlNode &item : (*list)->items) {
      if (failed(
              expectKind(item, Kind::Scalar, ("`" + key + "`").str(), diags)))
        return failure();
      if (key == "implements" && def.ods)
        def.ods->interfaces.push_back(item.getName());
    }
  }
  return success();
}

LogicalResult OpReader::readOp(const YamlNode &node) {
  Fields fields(node, "`structured_op`", diags);
  if (failed(fields.read({"args", "captures", "indexing_maps", "iterator_types",
                          "assignments"})))
    return failure();
  FailureOr<const YamlNode *> args = fields.get("args", Kind::Sequence);
  FailureOr<const YamlNode *> mapsNode =
      fields.get("indexing_maps", Kind::Mapping);
  FailureOr<const YamlNode *> iterators =
      fields.get("iterator_types", Kind::Sequence);
  FailureOr<const YamlNode *> assignments =
      fields.get("assignments", Kind::Sequence);
  if (failed(args) || failed(mapsNode) || failed(iterators) ||
      failed(assignments))
    return failure();
  LogicalResult result = success();
  for (const YamlNode &arg : (*args)->items)
    if (failed(readOperand(arg)))
      result = failure();
  if (fields.has("captures")) {
    FailureOr<const YamlNode *> captures =
        fields.get("captures", Kind::Sequence);
    if (failed(captures))
      return failure();
    for (const YamlNode &capture : (*captures)->items)
      if (failed(readCapture(capture)))
        result = failure();
  }
  if (failed(result) || failed(readMaps(**mapsNode)) || failed(checkMaps()) ||
      failed(readIterators(**iterators)))
    return failure();
  bool hasOutput = llvm::any_of(operands, [](const Operand &operand) {
    return operand.kind == Operand::Kind::Output;
  });
  if (!hasOutput)
    return diags.report(DiagId::NoResult, def.name.range, {def.name.text});
  nameThings();
  findExtents();
  for (const YamlNode &assignment : (*assignments)->items)
    if (failed(readAssignment(assignment, (*assignments)->items.size() == 1)))
      result = failure();
  declareTypes();
  declareOperands();
  if (llvm::all_of(maps, [](const AffineMap &map) {
        return map.dims.empty() && map.results.empty();
      }))
    for (const Operand &operand : operands)
      if (operand.isTensor())
        def.anyRank.push_back(operand.name.text);
  return result;
}

//===----------------------------------------------------------------------===//
// Maps and iterators
//===----------------------------------------------------------------------===//

FailureOr<AffineMap> OpReader::readMap(const YamlNode &node) {
  return parseAffineMap(file, getPlace(node), diags);
}

LogicalResult OpReader::readMaps(const YamlNode &node) {
  Fields fields(node, "`indexing_maps`", diags);
  if (failed(fields.read({"static_indexing_maps"})))
    return failure();
  FailureOr<const YamlNode *> list =
      fields.get("static_indexing_maps", Kind::Sequence);
  if (failed(list))
    return failure();
  for (const YamlNode &item : (*list)->items) {
    if (failed(expectKind(item, Kind::Scalar, "a map", diags)))
      return failure();
    FailureOr<AffineMap> map = readMap(item);
    if (failed(map))
      return failure();
    maps.push_back(std::move(*map));
  }
  size_t numAccesses = 0;
  for (Operand &operand : operands)
    if (operand.hasMap())
      operand.access = numAccesses++;
  if (maps.size() != numAccesses)
    return diags.report(DiagId::MapCount, getPlace(**list),
                        {count(maps.size(), "indexing map"),
                         count(numAccesses, "argument") + " with one"});
  return success();
}

/// All maps are over the same dims and symbols, and fit their arguments.
LogicalResult OpReader::checkMaps() {
  auto compare = [&](const AffineMap &map, ArrayRef<ast::Name> names,
                     size_t expected, StringRef noun) -> LogicalResult {
    if (names.size() == expected)
      return success();
    return diags.report(DiagId::MapMismatch, map.range,
                        {count(names.size(), noun), count(expected, noun)});
  };
  size_t numDims = maps.empty() ? 0 : maps.front().dims.size();
  size_t numSymbols = maps.empty() ? 0 : maps.front().symbols.size();
  for (const AffineMap &map : maps)
    if (failed(compare(map, map.dims, numDims, "dim")) ||
        failed(compare(map, map.symbols, numSymbols, "symbol")))
      return failure();
  for (const Operand &operand : operands) {
    for (const std::optional<AffineMap> *map :
         {&operand.shape, &operand.attributeMap}) {
      if (*map &&
          (failed(compare(**map, (*map)->dims, 0, "dim")) ||
           failed(compare(**map, (*map)->symbols, numSymbols, "symbol"))))
        return failure();
    }
    if (!operand.hasMap())
      continue;
    const AffineMap &access = maps[operand.access];
    size_t rank = operand.shape ? operand.shape->results.size() : 0;
    if (access.results.size() != rank)
      return diags.report(DiagId::RankMismatch, access.range,
                          {operand.name.text, std::to_string(rank),
                           count(access.results.size(), "subscript")});
  }
  for (const Operand &operand : operands) {
    if (!operand.attributeMap)
      continue;
    for (auto [i, result] : llvm::enumerate(operand.attributeMap->results)) {
      auto symbol =
          llvm::find_if(operand.attributeMap->symbols,
                        [&text = result->text](const ast::Name &name) {
                          return name.text == text;
                        });
      if (result->kind != ast::Expr::Kind::Name)
        return diags.report(DiagId::Expected, result->range,
                            {"a symbol", "an expression"});
      attributes.try_emplace(symbol - operand.attributeMap->symbols.begin(),
                             operand.name.text, i);
    }
  }
  return success();
}

LogicalResult OpReader::readIterators(const YamlNode &node) {
  size_t numDims = maps.empty() ? 0 : maps.front().dims.size();
  for (const YamlNode &item : node.items) {
    if (failed(expectKind(item, Kind::Scalar, "an iterator", diags)))
      return failure();
    if (item.text != "parallel" && item.text != "reduction")
      return reportUnknownWord(item.getName(), "kind of iterator",
                               {"parallel", "reduction"}, diags);
    isReduction.push_back(item.text == "reduction");
    iteratorRanges.push_back(item.textRange);
  }
  if (isReduction.size() != numDims)
    return diags.report(DiagId::MapCount, getPlace(node),
                        {count(isReduction.size(), "iterator"),
                         "maps over " + count(numDims, "dim")});
  return success();
}

//===----------------------------------------------------------------------===//
// From maps to the language
//===----------------------------------------------------------------------===//

/// Names of sizes and indices are those of the first map; they and those of
/// type variables may be other things' in YAML, but not in a def.
void OpReader::nameThings() {
  StringSet<> taken;
  auto name = [&](std::string text) {
    while (!taken.insert(text).second)
      text += "_";
    return text;
  };
  for (const Operand &operand : operands)
    taken.insert(operand.name.text);
  for (const Operand &operand : operands)
    if (operand.hasAccess() && typeNames[operand.typeVar].empty())
      typeNames[operand.typeVar] = name(operand.typeVar);
  if (maps.empty())
    return;
  for (auto [i, symbol] : llvm::enumerate(maps.front().symbols))
    sizeNames.push_back(attributes.count(i) ? "" : name(symbol.text));
  for (const ast::Name &dim : maps.front().dims)
    indexNames.push_back(name(dim.text));
}

size_t getPosition(ArrayRef<ast::Name> names, StringRef text) {
  return llvm::find_if(
             names, [&](const ast::Name &name) { return name.text == text; }) -
         names.begin();
}

ast::ExprPtr OpReader::makeSymbol(size_t symbol, SourceRange range) {
  auto attribute = attributes.find(symbol);
  if (attribute == attributes.end())
    return ast::makeName(sizeNames[symbol], range);
  const auto &[name, element] = attribute->second;
  return ast::makeElement(name, element, range);
}

/// With the names that sizes and indices have in the def.
ast::ExprPtr OpReader::toLanguage(const AffineMap &map, const ast::Expr &expr) {
  return substitute(expr, [&](const ast::Expr &name) {
    size_t dim = getPosition(map.dims, name.text);
    if (dim != map.dims.size())
      return ast::makeName(indexNames[dim], name.range);
    return makeSymbol(getPosition(map.symbols, name.text), name.range);
  });
}

/// With names that are the same for all maps: `d0`, `s0`.
ast::ExprPtr OpReader::toNumbers(const AffineMap &map, const ast::Expr &expr) {
  return substitute(expr, [&](const ast::Expr &name) {
    size_t dim = getPosition(map.dims, name.text);
    std::string text =
        dim != map.dims.size()
            ? "d" + std::to_string(dim)
            : "s" + std::to_string(getPosition(map.symbols, name.text));
    return ast::makeName(text, name.range);
  });
}

void OpReader::findExtents() {
  for (const Operand &operand : operands) {
    if (!operand.isTensor())
      continue;
    const AffineMap &access = maps[operand.access];
    for (auto [index, size] :
         llvm::zip_equal(access.results, operand.shape->results)) {
      if (index->kind != ast::Expr::Kind::Name ||
          size->kind != ast::Expr::Kind::Name)
        continue;
      size_t dim = getPosition(access.dims, index->text);
      if (dim != access.dims.size())
        extents.try_emplace(dim,
                            getPosition(operand.shape->symbols, size->text));
    }
  }
}

/// See Read.h for the exception.
ast::ExprPtr OpReader::makeDim(const Operand &operand, size_t dim) {
  const AffineMap &access = maps[operand.access];
  const ast::Expr &size = *operand.shape->results[dim];
  const ast::Expr &subscript = *access.results[dim];
  ast::ExprPtr asWritten = toLanguage(*operand.shape, size);
  if (subscript.kind == ast::Expr::Kind::Name)
    return asWritten;
  bool isKnown = true;
  ast::ExprPtr ofExtents =
      substitute(*toNumbers(access, subscript), [&](const ast::Expr &name) {
        size_t number = 0;
        (void)StringRef(name.text).drop_front().getAsInteger(10, number);
        auto extent = extents.find(number);
        if (name.text[0] == 's')
          return ast::makeName(name.text, name.range);
        isKnown &= extent != extents.end();
        return ast::makeName("s" + std::to_string(isKnown ? extent->second : 0),
                             name.range);
      });
  std::optional<Polynomial> written =
      multiplyOut(*toNumbers(*operand.shape, size));
  std::optional<Polynomial> expected = multiplyOut(*ofExtents);
  bool grows = expected && llvm::all_of(*expected, [](const auto &term) {
                 return term.second > 0;
               });
  if (!isKnown || !grows || written != expected)
    return asWritten;
  SourceRange range = size.range;
  ast::ExprPtr last = substitute(subscript, [&](const ast::Expr &name) {
    size_t position = getPosition(access.dims, name.text);
    if (position == access.dims.size())
      return makeSymbol(getPosition(access.symbols, name.text), range);
    return ast::makeBinary(TokenKind::Minus, range,
                           makeSymbol(extents.at(position), range),
                           ast::makeLiteral("1", range));
  });
  return ast::makeBinary(TokenKind::Plus, range, std::move(last),
                         ast::makeLiteral("1", range));
}

std::vector<ast::ExprPtr> OpReader::makeSubscripts(const Operand &operand) {
  const AffineMap &access = maps[operand.access];
  std::vector<ast::ExprPtr> subscripts;
  for (const ast::ExprPtr &result : access.results)
    subscripts.push_back(toLanguage(access, *result));
  return subscripts;
}

std::optional<ast::Type> OpReader::makeType(const Operand &operand) {
  ast::Type type;
  type.element = {typeNames[operand.typeVar], operand.type.range};
  type.range = operand.type.range;
  if (operand.shape)
    for (size_t i = 0, e = operand.shape->results.size(); i != e; ++i)
      type.dims.push_back(makeDim(operand, i));
  return type;
}

void OpReader::declareTypes() {
  for (const Operand &operand : operands) {
    if (!operand.hasAccess())
      continue;
    StringRef name = typeNames[operand.typeVar];
    bool isKnown = parseElementType(name).has_value() ||
                   llvm::any_of(def.generics, [&](const ast::Generic &other) {
                     return other.name.text == name;
                   });
    if (isKnown)
      continue;
    ast::Generic generic = {{name.str(), operand.type.range}, std::nullopt};
    auto given = typeDefaults.find(operand.typeVar);
    if (given != typeDefaults.end())
      generic.defaultType = ast::Name{given->second, operand.type.range};
    def.generics.push_back(std::move(generic));
  }
}

void OpReader::declareOperands() {
  for (Operand &operand : operands) {
    switch (operand.kind) {
    case Operand::Kind::Input:
    case Operand::Kind::Scalar:
    case Operand::Kind::Capture:
      def.params.push_back({operand.name, makeType(operand), /*isInOut=*/false,
                            operand.name.range});
      break;
    case Operand::Kind::Output: {
      bool isInOut = operand.isReadFirst;
      def.results.push_back(
          {operand.name, makeType(operand), isInOut, operand.name.range});
      break;
    }
    case Operand::Kind::Temporary:
      break; // declared where it is written
    case Operand::Kind::Index:
    case Operand::Kind::Function: {
      ast::Attribute attribute;
      attribute.name = operand.name;
      attribute.range = operand.name.range;
      attribute.element = {"index", operand.name.range};
      if (operand.attributeMap) {
        attribute.length = operand.attributeMap->results.size();
        attribute.values = std::move(operand.defaults);
      } else {
        attribute.element.text = (getName(operand.functionKind) + "_fn").str();
        attribute.function = operand.defaultFunction;
      }
      def.attributes.push_back(std::move(attribute));
    }
    }
  }
}

ast::Module parseModule(const SourceFile &file, DiagnosticEngine &diags) {
  ast::Module module;
  FailureOr<std::vector<YamlNode>> documents = parseYaml(file, diags);
  if (failed(documents))
    return module;
  for (const YamlNode &document : *documents)
    module.defs.push_back(OpReader(file, diags).read(document));
  if (module.defs.empty())
    diags.report(DiagId::EmptyProgram, {});
  return module;
}

} // namespace ein::opdsl
