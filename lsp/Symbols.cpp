//===- Symbols.cpp - The outline of a document ----------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lsp/Features.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein::lsp {

using llvm::lsp::DocumentSymbol;
using llvm::lsp::SymbolKind;

static SymbolKind getKind(NameKind kind) {
  switch (kind) {
  case NameKind::Attribute:
    return SymbolKind::Property;
  case NameKind::Generic:
    return SymbolKind::TypeParameter;
  case NameKind::Size:
    return SymbolKind::Constant;
  default:
    return SymbolKind::Variable;
  }
}

std::vector<DocumentSymbol> getSymbols(const Document &document) {
  const Analysis &analysis = *document.analysis;
  const SourceFile &file = analysis.getFile();
  std::vector<std::vector<DocumentSymbol>> children(
      analysis.getModule().defs.size());
  for (const NamedEntity &entity : analysis.getNames().entities) {
    if (!isOfDef(entity.kind))
      continue;
    Range range = getRange(file, entity.declaration);
    DocumentSymbol symbol(fix(entity.name), getKind(entity.kind), range, range);
    if (const Def *def = analysis.getDef(entity.def))
      if (const Tensor *tensor =
              isTensor(entity.kind)
                  ? analysis.getTensor(entity.def, entity.name)
                  : nullptr)
        symbol.detail = fix(printType(*def, *tensor));
    children[entity.def].push_back(std::move(symbol));
  }
  std::vector<DocumentSymbol> symbols;
  for (auto [def, inner] :
       llvm::zip_equal(analysis.getModule().defs, children)) {
    if (def.isImplicit) {
      std::move(inner.begin(), inner.end(), std::back_inserter(symbols));
      continue;
    }
    if (def.name.text.empty())
      continue;
    // The range of the name is in that of the def, also of half a def.
    SourceRange whole = {std::min(def.range.begin, def.name.range.begin),
                         std::max(def.range.end, def.name.range.end)};
    DocumentSymbol symbol(fix(def.name.text), SymbolKind::Function,
                          getRange(file, whole),
                          getRange(file, def.name.range));
    if (!analysis.isOpDSL())
      symbol.detail = fix(printSignature(analysis.getSources(), def));
    symbol.children = std::move(inner);
    symbols.push_back(std::move(symbol));
  }
  return symbols;
}

} // namespace ein::lsp
