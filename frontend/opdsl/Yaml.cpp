//===- Yaml.cpp - YAML documents as trees ---------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/opdsl/Yaml.h"
#include "frontend/source/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"

using namespace llvm;

namespace ein::opdsl {

StringRef getDescription(YamlNode::Kind kind) {
  switch (kind) {
  case YamlNode::Kind::Null:
    return "nothing";
  case YamlNode::Kind::Scalar:
    return "a scalar";
  case YamlNode::Kind::Sequence:
    return "a sequence";
  case YamlNode::Kind::Mapping:
    return "a mapping";
  }
  llvm_unreachable("a kind of node that is none");
}

namespace {

class YamlReader {
public:
  YamlReader(const SourceFile &file, DiagnosticEngine &diags)
      : text(file.getText()), base(file.getBase()), diags(diags) {}

  FailureOr<std::vector<YamlNode>> read();

private:
  LogicalResult checkNesting();
  FailureOr<YamlNode> convert(yaml::Node *node);
  void convertScalar(yaml::ScalarNode &node, YamlNode &result);
  LogicalResult failAt(const char *place, StringRef message);

  /// Among all files.
  uint32_t getOffset(const char *place) const {
    if (place < text.begin() || place > text.end())
      return base;
    return base + static_cast<uint32_t>(place - text.begin());
  }

  StringRef text;
  uint32_t base;
  DiagnosticEngine &diags;
  bool hasFailed = false;
};

/// LLVM's parser may complain again of what follows from the first mistake.
LogicalResult YamlReader::failAt(const char *place, StringRef message) {
  uint32_t offset = getOffset(place);
  if (!hasFailed)
    diags.report(DiagId::YamlError, {offset, offset + 1}, {message.str()});
  hasFailed = true;
  return failure();
}

/// Refuses what would nest deeper than trees may: brackets, counted wherever
/// they stand, and the column that a line begins at, which blocks need one of
/// for each level.
LogicalResult YamlReader::checkNesting() {
  size_t depth = 0, column = 0;
  bool atStart = true;
  for (const char &c : text) {
    if (c == '\n' || c == '\r') {
      column = 0;
      atStart = true;
      continue;
    }
    atStart &=
        c == ' ' || c == '\t' || c == '-' || c == '?' || c == ':' || c == '!';
    column += atStart;
    if (c == '[' || c == '{')
      ++depth;
    else if ((c == ']' || c == '}') && depth != 0)
      --depth;
    if (depth > ast::maxNesting || column > 4 * ast::maxNesting) {
      uint32_t offset = getOffset(&c);
      return diags.report(DiagId::NestingTooDeep, {offset, offset + 1},
                          {std::to_string(ast::maxNesting)});
    }
  }
  return success();
}

FailureOr<std::vector<YamlNode>> YamlReader::read() {
  if (failed(checkNesting()))
    return failure();
  SourceMgr sources;
  sources.setDiagHandler(
      [](const SMDiagnostic &diagnostic, void *reader) {
        (void)static_cast<YamlReader *>(reader)->failAt(
            diagnostic.getLoc().getPointer(), diagnostic.getMessage());
      },
      this);
  std::vector<YamlNode> documents;
  yaml::Stream stream(text, sources, /*ShowColors=*/false);
  for (yaml::Document &document : stream) {
    yaml::Node *root = document.getRoot();
    if (stream.failed() || hasFailed || !root)
      break;
    FailureOr<YamlNode> node = convert(root);
    if (failed(node) || stream.failed())
      break;
    if (node->kind != YamlNode::Kind::Null)
      documents.push_back(std::move(*node));
  }
  if (stream.failed() && !hasFailed)
    return failAt(text.begin(), "the file ends too early");
  if (hasFailed)
    return failure();
  return documents;
}

/// The text between quotes is in place; a plain scalar ends where the next
/// token may be lines away.
void YamlReader::convertScalar(yaml::ScalarNode &node, YamlNode &result) {
  SmallString<64> storage;
  result.text = node.getValue(storage).str();
  StringRef raw = node.getRawValue();
  bool isQuoted = raw.size() >= 2 && (raw[0] == '"' || raw[0] == '\'');
  StringRef inner = isQuoted ? raw.drop_front().drop_back() : raw.rtrim();
  uint32_t begin = getOffset(raw.begin());
  result.range = {begin, begin + static_cast<uint32_t>(
                                     isQuoted ? raw.size() : inner.size())};
  begin += isQuoted;
  result.textRange = {begin, begin + static_cast<uint32_t>(inner.size())};
}

FailureOr<YamlNode> YamlReader::convert(yaml::Node *node) {
  YamlNode result;
  SMRange place = node->getSourceRange();
  result.range = {getOffset(place.Start.getPointer()),
                  getOffset(place.End.getPointer())};
  result.textRange = result.range;
  auto append = [&](yaml::Node *child) -> LogicalResult {
    if (!child)
      return failAt(place.Start.getPointer(), "a value is missing");
    FailureOr<YamlNode> item = convert(child);
    if (failed(item))
      return failure();
    result.items.push_back(std::move(*item));
    return success();
  };
  if (auto *scalar = dyn_cast<yaml::ScalarNode>(node)) {
    result.kind = YamlNode::Kind::Scalar;
    convertScalar(*scalar, result);
  } else if (auto *block = dyn_cast<yaml::BlockScalarNode>(node)) {
    result.kind = YamlNode::Kind::Scalar;
    result.isBlock = true;
    result.text = block->getValue().str();
  } else if (auto *sequence = dyn_cast<yaml::SequenceNode>(node)) {
    result.kind = YamlNode::Kind::Sequence;
    for (yaml::Node &element : *sequence)
      if (failed(append(&element)))
        return failure();
  } else if (auto *mapping = dyn_cast<yaml::MappingNode>(node)) {
    result.kind = YamlNode::Kind::Mapping;
    for (yaml::KeyValueNode &entry : *mapping)
      if (failed(append(entry.getKey())) || failed(append(entry.getValue())))
        return failure();
  } else if (!isa<yaml::NullNode>(node)) { // an alias
    // Its place is that of what comes after it.
    size_t star = text.take_front(result.range.begin - base + 1).rfind('*');
    return failAt(text.begin() + (star == StringRef::npos ? 0 : star),
                  "aliases are not part of OpDSL");
  }
  if (hasFailed)
    return failure();
  return result;
}

} // namespace

FailureOr<std::vector<YamlNode>> parseYaml(const SourceFile &file,
                                           DiagnosticEngine &diags) {
  return YamlReader(file, diags).read();
}

} // namespace ein::opdsl
