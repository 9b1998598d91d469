//===- InlayHints.cpp - What is inferred, beside what is written ----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The shape of a tensor whose type is not written stands where that would be,
// the ranges of a statement's indices after the statement.
//
//===----------------------------------------------------------------------===//

#include "lsp/Features.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace ein::lsp {
namespace {

class HintWriter {
public:
  HintWriter(const Analysis &analysis, Range range)
      : analysis(analysis), begin(getOffset(analysis.getFile(), range.start)),
        end(getOffset(analysis.getFile(), range.end)) {}

  void writeTypes();
  void writeRanges(size_t number);
  std::vector<llvm::lsp::InlayHint> hints;

private:
  bool isWanted(uint32_t offset) const {
    return begin <= offset && offset <= end;
  }
  void add(llvm::lsp::InlayHintKind kind, uint32_t offset, StringRef label) {
    llvm::lsp::InlayHint hint(kind, getPosition(analysis.getFile(), offset));
    hint.label = fix(label);
    hint.paddingLeft = kind == llvm::lsp::InlayHintKind::Parameter;
    hints.push_back(std::move(hint));
  }

  const Analysis &analysis;
  uint32_t begin, end;
};

/// Of all tensors, where they are declared.
void HintWriter::writeTypes() {
  for (const NamedEntity &entity : analysis.getNames().entities) {
    if (!isTensor(entity.kind) || !isWanted(entity.declaration.end))
      continue;
    const Def *def = analysis.getDef(entity.def);
    const Tensor *tensor =
        def ? analysis.getTensor(entity.def, entity.name) : nullptr;
    if (tensor &&
        !hasWrittenType(analysis.getModule().defs[entity.def], entity.name))
      add(llvm::lsp::InlayHintKind::Type, entity.declaration.end,
          ": " + printType(*def, *tensor));
  }
}

void HintWriter::writeRanges(size_t number) {
  const Def *def = analysis.getDef(number);
  if (!def)
    return;
  // In order of the text, as the program's statements are.
  const Statement *next = def->statements.data();
  const Statement *last = next + def->statements.size();
  for (const ast::Statement &written :
       analysis.getModule().defs[number].statements) {
    std::string label;
    StringSet<> seen;
    auto isOf = [&](const Statement &statement) {
      return statement.range.begin == written.range.begin &&
             statement.range.end == written.range.end;
    };
    while (next != last && next->range.begin < written.range.begin)
      ++next;
    for (; next != last && isOf(*next); ++next)
      for (const Index &index : next->indices) {
        // What was made for a call has names that are written elsewhere.
        bool isHere = written.range.begin <= index.range.begin &&
                      index.range.end <= written.range.end &&
                      analysis.getFile().getText(index.range) == index.name;
        if (!isHere || findRange(written, index.name) ||
            !seen.insert(index.name).second)
          continue;
        // Of a range that does not start at 0, it counts from its start.
        Affine end = index.extent;
        std::string start;
        if (index.isGiven) {
          start = printSize(*def, index.origin.start) + " <= ";
          end = end + index.origin.start;
        }
        label += (label.empty() ? "" : ", ") + start + index.name + " < " +
                 printSize(*def, end);
      }
    uint32_t place = written.range.end;
    StringRef rest =
        analysis.getFile().getText({place, analysis.getFile().getEnd()});
    place += rest.starts_with(";");
    if (!label.empty() && isWanted(place))
      add(llvm::lsp::InlayHintKind::Parameter, place, label);
  }
}

} // namespace

std::vector<llvm::lsp::InlayHint> getInlayHints(const Document &document,
                                                Range range) {
  const Analysis &analysis = *document.analysis;
  // Places in YAML are those of its values.
  if (analysis.isOpDSL())
    return {};
  HintWriter writer(analysis, range);
  writer.writeTypes();
  for (size_t i = 0, e = analysis.getModule().defs.size(); i != e; ++i)
    writer.writeRanges(i);
  llvm::stable_sort(writer.hints);
  return std::move(writer.hints);
}

} // namespace ein::lsp
