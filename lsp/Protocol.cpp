//===- Protocol.cpp - What LLVM's structs of the protocol lack ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lsp/Protocol.h"

using namespace llvm;

namespace ein::lsp {

using json::ObjectMapper;

//===----------------------------------------------------------------------===//
// What comes in
//===----------------------------------------------------------------------===//

bool fromJSON(const json::Value &value, DocumentParams &result,
              json::Path path) {
  ObjectMapper params(value, path);
  if (!params)
    return false;
  const json::Object &object = *value.getAsObject();
  const json::Value *document = object.get("textDocument");
  if (!document) {
    path.field("textDocument").report("missing value");
    return false;
  }
  ObjectMapper fields(*document, path.field("textDocument"));
  return fields && fields.map("uri", result.uri);
}

bool fromJSON(const json::Value &value, PositionParams &result,
              json::Path path) {
  ObjectMapper params(value, path);
  return fromJSON(value, static_cast<DocumentParams &>(result), path) &&
         params && params.map("position", result.position);
}

bool fromJSON(const json::Value &value, ReferenceParams &result,
              json::Path path) {
  if (!fromJSON(value, static_cast<PositionParams &>(result), path))
    return false;
  if (const json::Object *context = value.getAsObject()->getObject("context"))
    result.includeDeclaration =
        context->getBoolean("includeDeclaration").value_or(false);
  return true;
}

bool fromJSON(const json::Value &value, RenameParams &result, json::Path path) {
  ObjectMapper params(value, path);
  return fromJSON(value, static_cast<PositionParams &>(result), path) &&
         params && params.map("newName", result.newName);
}

bool fromJSON(const json::Value &value, RangeParams &result, json::Path path) {
  ObjectMapper params(value, path);
  if (!fromJSON(value, static_cast<DocumentParams &>(result), path) ||
      !params || !params.map("range", result.range))
    return false;
  const json::Object *context = value.getAsObject()->getObject("context");
  const json::Array *only = context ? context->getArray("only") : nullptr;
  if (only)
    for (const json::Value &kind : *only)
      if (std::optional<StringRef> text = kind.getAsString())
        result.only.push_back(text->str());
  return true;
}

bool fromJSON(const json::Value &value, OpenParams &result, json::Path path) {
  if (!fromJSON(value, static_cast<DocumentParams &>(result), path))
    return false;
  ObjectMapper fields(*value.getAsObject()->get("textDocument"),
                      path.field("textDocument"));
  return fields && fields.map("text", result.text) &&
         fields.mapOptional("languageId", result.languageId) &&
         fields.mapOptional("version", result.version);
}

bool fromJSON(const json::Value &value, TextChange &result, json::Path path) {
  ObjectMapper fields(value, path);
  return fields && fields.map("range", result.range) &&
         fields.map("text", result.text);
}

bool fromJSON(const json::Value &value, ChangeParams &result, json::Path path) {
  ObjectMapper params(value, path);
  if (!fromJSON(value, static_cast<DocumentParams &>(result), path) ||
      !params || !params.map("contentChanges", result.changes))
    return false;
  const json::Object &document =
      *value.getAsObject()->getObject("textDocument");
  result.version = document.getInteger("version").value_or(0);
  return true;
}

bool fromJSON(const json::Value &value, CommandParams &result,
              json::Path path) {
  ObjectMapper params(value, path);
  if (!params || !params.map("command", result.command))
    return false;
  if (const json::Array *arguments = value.getAsObject()->getArray("arguments"))
    result.arguments.assign(arguments->begin(), arguments->end());
  return true;
}

//===----------------------------------------------------------------------===//
// What goes out
//===----------------------------------------------------------------------===//

json::Value toJSON(const Location &location) {
  return json::Object{{"uri", location.uri}, {"range", location.range}};
}

json::Value toJSON(const LspDiagnostic &diagnostic) {
  json::Object object{{"range", diagnostic.range},
                      {"severity", static_cast<int>(diagnostic.severity)},
                      {"code", diagnostic.code},
                      {"source", "einc"},
                      {"message", diagnostic.message}};
  if (!diagnostic.related.empty()) {
    json::Array related;
    for (const RelatedInformation &information : diagnostic.related)
      related.push_back(json::Object{{"location", information.location},
                                     {"message", information.message}});
    object["relatedInformation"] = std::move(related);
  }
  if (diagnostic.isUnnecessary)
    object["tags"] =
        json::Array{static_cast<int>(llvm::lsp::DiagnosticTag::Unnecessary)};
  return object;
}

json::Value toWorkspaceEdit(const Edits &edits) {
  json::Object changes;
  for (const auto &[uri, list] : edits)
    changes[uri] = json::Array(list);
  return json::Object{{"changes", std::move(changes)}};
}

json::Value toJSON(const LspCodeAction &action) {
  return json::Object{
      {"title", action.title},
      {"kind", llvm::lsp::CodeAction::kQuickFix},
      {"diagnostics", json::Array{action.diagnostic}},
      {"isPreferred", action.isPreferred},
      {"edit", toWorkspaceEdit(action.edits)},
  };
}

} // namespace ein::lsp
