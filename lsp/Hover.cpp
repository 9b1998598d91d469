//===- Hover.cpp - What is known of what is under the cursor --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/print/Printer.h"
#include "lsp/Become.h"
#include "lsp/Builtins.h"
#include "lsp/Navigation.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein::lsp {
namespace {

/// Writes what is known of the names of one document.
class HoverWriter {
public:
  HoverWriter(const Analysis &analysis, const DescribeStatement &describe)
      : analysis(analysis), describe(describe), os(text) {}

  void write(const NameUse &use);
  /// Of the statement at `offset`.
  void writeStatement(uint32_t offset);
  std::string take() { return std::move(text); }

private:
  void code(const Twine &line) { os << "```ein\n" << line << "\n```\n"; }
  void writeTensor(const NamedEntity &entity, uint32_t offset);
  void writeIndex(const NamedEntity &entity, uint32_t offset);
  void writeSize(const NamedEntity &entity);
  void writeAttribute(const NamedEntity &entity);
  void writeGeneric(const NamedEntity &entity);
  void writeValue(const NamedEntity &entity, uint32_t offset);
  void writeDef(const ast::Def &def);
  void writeExternal(StringRef name);

  const Analysis &analysis;
  const DescribeStatement &describe;
  std::string text;
  raw_string_ostream os;
};

StringRef getNoun(NameKind kind) {
  switch (kind) {
  case NameKind::Param:
    return "parameter";
  case NameKind::Result:
    return "result";
  default:
    return "temporary";
  }
}

void HoverWriter::writeTensor(const NamedEntity &entity, uint32_t offset) {
  const ast::Def &source = analysis.getModule().defs[entity.def];
  const Def *def = analysis.getDef(entity.def);
  const Tensor *tensor =
      def ? analysis.getTensor(entity.def, entity.name) : nullptr;
  code(entity.name + (tensor ? ": " + printType(*def, *tensor) : ""));
  bool isInOut = tensor && tensor->role == TensorRole::InOut;
  os << (isInOut ? "in and out: a " : "") << getNoun(entity.kind) << " of `"
     << source.name.text << "`";
  if (tensor && !hasWrittenType(source, entity.name))
    os << "; its type and shape are inferred";
  bool isStatic = tensor && llvm::all_of(tensor->dims, [](const Affine &dim) {
                    return dim.isConstant();
                  });
  if (isStatic && !tensor->dims.empty()) {
    double bytes = getBitWidth(tensor->type) / 8;
    for (const Affine &dim : tensor->dims)
      bytes *= static_cast<double>(dim.getConstant());
    os << "; " << static_cast<uint64_t>(bytes) << " bytes";
  }
  os << "\n";
  // Where it is written, what writes it.
  const ast::Statement *statement = findStatement(source, offset);
  if (statement && statement->target.range.begin <= offset &&
      offset <= statement->target.range.end)
    writeStatement(offset);
}

void HoverWriter::writeStatement(uint32_t offset) {
  std::optional<size_t> number = findDef(analysis.getModule(), offset);
  const Def *def = number ? analysis.getDef(*number) : nullptr;
  const ast::Statement *source =
      number ? findStatement(analysis.getModule().defs[*number], offset)
             : nullptr;
  if (!def || !source)
    return;
  SmallVector<const Statement *> statements =
      analysis.getStatements(*def, *source);
  // A call may be hundreds of statements.
  constexpr size_t maxStatements = 4;
  bool isOne = statements.size() == 1;
  for (const Statement *statement :
       ArrayRef(statements).take_front(maxStatements)) {
    os << "\n---\n";
    if (!isOne) {
      std::string line;
      raw_string_ostream lineStream(line);
      printStatement(lineStream, *def, *statement);
      code(line);
    }
    os << "becomes " << describeOp(*def, *statement) << "\n\n";
    os << printPoints(*def, *statement) << " points, computed in "
       << getSpelling(statement->computeType) << "\n";
    if (describe)
      os << "\n" << describe(*def, *statement) << "\n";
  }
  if (statements.size() > maxStatements)
    os << "\n---\nand " << statements.size() - maxStatements
       << " more statements\n";
}

void HoverWriter::writeIndex(const NamedEntity &entity, uint32_t offset) {
  const ast::Def &source = analysis.getModule().defs[entity.def];
  const Def *def = analysis.getDef(entity.def);
  const ast::Statement *written = findStatement(source, offset);
  const Statement *found = nullptr;
  const Index *index = nullptr;
  bool isExact = false;
  if (def && written)
    for (const Statement *statement : analysis.getStatements(*def, *written))
      for (const Index &candidate : statement->indices) {
        // A reduction inside has indices of its own, which may be called so.
        bool isHere = candidate.range.begin >= entity.scope.begin &&
                      candidate.range.end <= entity.scope.end;
        bool isNamed = candidate.name == entity.name;
        if (!isNamed || isExact || (index && !isHere))
          continue;
        isExact = candidate.range.begin == entity.declaration.begin;
        found = statement;
        index = &candidate;
      }
  StringRef noun = entity.kind == NameKind::Label ? "label" : "index";
  const ast::Clause *range =
      written ? findRange(*written, entity.name) : nullptr;
  if (range && entity.declaration.begin == range->name.range.begin) {
    code(analysis.getFile().getText(
        {range->name.range.begin, range->operands.back()->range.end}));
    os << noun << (index && index->isReduction ? ", reduced over" : "")
       << "; a `where` gives its range\n";
    return;
  }
  if (!index) {
    code(noun + " " + entity.name);
    os << "an " << (entity.kind == NameKind::Label ? "einsum's label" : "index")
       << "\n";
    return;
  }
  std::string line;
  raw_string_ostream lineStream(line);
  printIndex(lineStream, *def, *found, *index);
  // `0 <= k < K, reduced: why`
  auto [bounds, reason] = StringRef(line).split(": ");
  code(bounds.split(',').first);
  os << noun << (index->isReduction ? ", reduced over" : "") << "; " << reason
     << "\n";
}

void HoverWriter::writeSize(const NamedEntity &entity) {
  code(entity.name);
  os << "size of `" << analysis.getModule().defs[entity.def].name.text << "`";
  if (const Def *def = analysis.getDef(entity.def)) {
    std::string dims;
    unsigned count = 0;
    constexpr unsigned maxDims = 6;
    for (const Tensor &tensor : def->tensors)
      for (auto [i, dim] : llvm::enumerate(tensor.dims))
        if (printSize(*def, dim) == entity.name && count++ < maxDims)
          dims += (dims.empty() ? " " : ", ") + std::to_string(i) + " of `" +
                  tensor.name + "`";
    if (!dims.empty())
      os << ": dim" << dims << (count > maxDims ? ", …" : "");
  }
  os << "\n";
}

void HoverWriter::writeAttribute(const NamedEntity &entity) {
  const ast::Def &source = analysis.getModule().defs[entity.def];
  ArrayRef<ast::Attribute> attributes = source.attributes;
  const auto *attribute =
      llvm::find_if(attributes, [&](const ast::Attribute &candidate) {
        return candidate.name.text == entity.name;
      });
  if (attribute == attributes.end())
    return;
  code(analysis.getFile().getText(attribute->range));
  os << "attribute of `" << source.name.text << "`"
     << (attribute->values.empty() && !attribute->function
             ? ", which has no default"
             : "")
     << "\n";
}

void HoverWriter::writeGeneric(const NamedEntity &entity) {
  code(entity.name);
  os << "element type of `" << analysis.getModule().defs[entity.def].name.text
     << "`, which is decided when it is bound or called\n";
}

void HoverWriter::writeValue(const NamedEntity &entity, uint32_t offset) {
  const ast::Def &source = analysis.getModule().defs[entity.def];
  if (const ast::Statement *statement = findStatement(source, offset))
    for (const ast::Clause &clause : statement->clauses)
      if (clause.kind == ast::Clause::Kind::Let &&
          clause.name.text == entity.name && !clause.operands.empty())
        code(entity.name + " = " +
             analysis.getFile().getText(clause.operands[0]->range));
  os << "a name for a value, of this statement\n";
}

void HoverWriter::writeDef(const ast::Def &def) {
  if (def.isImplicit)
    return;
  code(printSignature(analysis.getSources(), def));
  if (!def.docstring.empty())
    os << def.docstring << "\n";
}

void HoverWriter::writeExternal(StringRef name) {
  const Library::Entry *entry = analysis.findExternal(name);
  if (!entry)
    return;
  const ast::Def &def = analysis.parseExternal(name);
  const SourceFile &file = analysis.getSources().find(def.range.begin);
  if (!entry->isPrelude) {
    writeDef(def);
    os << "\nof `" << file.getName() << "`\n";
    return;
  }
  // What an op means is what its definition says.
  code(file.getText(def.range));
  os << "the named op `linalg." << name << "`\n";
}

void HoverWriter::write(const NameUse &use) {
  const NamedEntity &entity = analysis.getNames().entities[use.entity];
  uint32_t offset = use.range.begin;
  switch (entity.kind) {
  case NameKind::Def: {
    const ast::Def &def = analysis.getModule().defs[entity.def];
    writeDef(def);
    return;
  }
  case NameKind::Callee:
    return writeExternal(entity.name);
  case NameKind::Generic:
    return writeGeneric(entity);
  case NameKind::Attribute:
    return writeAttribute(entity);
  case NameKind::Size:
    return writeSize(entity);
  case NameKind::Param:
  case NameKind::Result:
  case NameKind::Temporary:
    return writeTensor(entity, offset);
  case NameKind::Index:
  case NameKind::Label:
    return writeIndex(entity, offset);
  case NameKind::Value:
    return writeValue(entity, offset);
  case NameKind::Function:
    os << describeBuiltin(entity.name) << "\n";
    if (entity.name == "einsum" || entity.name == "contract")
      writeStatement(offset);
    return;
  case NameKind::Type:
    os << describeType(entity.name) << "\n";
    return;
  case NameKind::Argument: {
    if (!analysis.findExternal(entity.callee))
      return;
    const ast::Def &def = analysis.parseExternal(entity.callee);
    code(entity.name);
    os << "argument of `" << entity.callee << "`\n";
    for (const ast::Attribute &attribute : def.attributes)
      if (attribute.name.text == entity.name)
        code(analysis.getSources()
                 .find(attribute.range.begin)
                 .getText(attribute.range));
    return;
  }
  }
}

/// A word such as `where` is one by its place, and no name.
std::string describeWord(const Analysis &analysis, const Token &token) {
  StringRef name = analysis.getTokens().getText(token);
  if (token.kind != TokenKind::Identifier)
    return "";
  const BuiltinDoc *doc = findBuiltinDoc(name);
  return doc && doc->kind == BuiltinDoc::Word ? describeBuiltin(name) : "";
}

} // namespace

std::optional<llvm::lsp::Hover> getHover(const Document &document,
                                         Position position,
                                         const DescribeStatement &describe) {
  const Analysis &analysis = *document.analysis;
  const SourceFile &file = analysis.getFile();
  uint32_t offset = getOffset(file, position);
  HoverWriter writer(analysis, describe);
  std::optional<SourceRange> range;
  std::string text;
  if (const NameUse *use = analysis.getNames().find(offset)) {
    range = use->range;
    writer.write(*use);
    text = writer.take();
  } else if (const Token *token = analysis.findToken(offset)) {
    range = token->range;
    if (isAssignment(token->kind)) {
      writer.writeStatement(offset);
      text = writer.take();
    } else {
      text = describeWord(analysis, *token);
    }
  }
  if (StringRef(text).trim().empty())
    return std::nullopt;
  llvm::lsp::Hover hover(getRange(file, *range));
  hover.contents.value = fix(StringRef(text).trim());
  return hover;
}

} // namespace ein::lsp
