//===- SignatureHelp.cpp - What the call that is typed takes --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lsp/Builtins.h"
#include "lsp/CallContext.h"
#include "lsp/Features.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein::lsp {

using llvm::lsp::SignatureHelp;
using llvm::lsp::SignatureInformation;

static SignatureInformation describe(const Analysis &analysis,
                                     const ast::Def &def) {
  SignatureInformation signature;
  signature.label = fix(printSignature(analysis.getSources(), def));
  signature.documentation = fix(def.docstring);
  auto add = [&](SourceRange range) {
    llvm::lsp::ParameterInformation parameter;
    StringRef text = analysis.getSources().find(range.begin).getText(range);
    SmallVector<StringRef> words;
    SplitString(text, words);
    parameter.labelString = fix(llvm::join(words, " "));
    signature.parameters.push_back(std::move(parameter));
  };
  for (const ast::Param &param : def.params)
    add(param.range);
  for (const ast::Attribute &attribute : def.attributes)
    add(attribute.range);
  return signature;
}

/// `pow(x, y)`: its parameters are between the parentheses.
static SignatureInformation describe(const BuiltinDoc &doc) {
  SignatureInformation signature;
  signature.label = doc.form.str();
  signature.documentation = doc.text.str();
  StringRef inner = doc.form.split('(').second.rsplit(')').first;
  SmallVector<StringRef> parameters;
  if (!inner.contains('"') && !inner.contains('('))
    inner.split(parameters, ", ");
  for (StringRef parameter : parameters) {
    signature.parameters.emplace_back();
    signature.parameters.back().labelString = parameter.str();
  }
  return signature;
}

/// Which of the parameters and attributes the argument is.
static unsigned findParameter(const ast::Def &def, const CallContext &call) {
  if (call.argumentName.empty())
    return std::min<size_t>(call.argument, def.params.size());
  for (auto [i, param] : llvm::enumerate(def.params))
    if (param.name.text == call.argumentName)
      return i;
  for (auto [i, attribute] : llvm::enumerate(def.attributes))
    if (attribute.name.text == call.argumentName)
      return def.params.size() + i;
  return def.params.size() + def.attributes.size();
}

std::optional<SignatureHelp> getSignatureHelp(const Document &document,
                                              Position position) {
  const Analysis &analysis = *document.analysis;
  uint32_t offset = getOffset(analysis.getFile(), position);
  std::optional<CallContext> call = findCall(analysis, offset);
  if (!call)
    return std::nullopt;
  // A tensor hides what is called so.
  std::optional<size_t> number = findDef(analysis.getModule(), offset);
  if (number && analysis.getNames().findInDef(*number, call->name))
    return std::nullopt;
  SignatureHelp help;
  const BuiltinDoc *doc = findBuiltinDoc(call->name);
  if (doc && doc->kind != BuiltinDoc::Word) {
    help.signatures.push_back(describe(*doc));
    help.activeParameter = static_cast<int>(call->argument);
  }
  // linalg's `exp` is of whole tensors, the language's of elements.
  if (const ast::Def *def = findCallee(analysis, call->name)) {
    if (!doc)
      help.activeParameter = static_cast<int>(findParameter(*def, *call));
    help.signatures.push_back(describe(analysis, *def));
  }
  if (help.signatures.empty())
    return std::nullopt;
  return help;
}

} // namespace ein::lsp
