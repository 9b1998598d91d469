//===- Server.cpp - The language server -----------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lsp/Server.h"

using namespace llvm;

namespace ein::lsp {

Server::Server(ServerOptions given)
    : options(std::move(given)),
      workspace(options.includeDirs, options.warnings) {}

void Server::addHandlers(llvm::lsp::MessageHandler &handler) {
  publishDiagnostics = handler.outgoingNotification<json::Value>(
      "textDocument/publishDiagnostics");
  handler.method("initialize", this, &Server::onInitialize);
  handler.notification("initialized", this, &Server::onInitialized);
  handler.method("shutdown", this, &Server::onShutdown);
  handler.notification("textDocument/didOpen", this, &Server::onOpen);
  handler.notification("textDocument/didChange", this, &Server::onChange);
  handler.notification("textDocument/didClose", this, &Server::onClose);
  handler.notification("textDocument/didSave", this, &Server::onSave);
  handler.method("textDocument/hover", this, &Server::onHover);
  handler.method("textDocument/definition", this, &Server::onDefinition);
  handler.method("textDocument/references", this, &Server::onReferences);
  handler.method("textDocument/documentHighlight", this, &Server::onHighlight);
  handler.method("textDocument/prepareRename", this, &Server::onPrepareRename);
  handler.method("textDocument/rename", this, &Server::onRename);
  handler.method("textDocument/completion", this, &Server::onCompletion);
  handler.method("textDocument/signatureHelp", this, &Server::onSignatureHelp);
  handler.method("textDocument/inlayHint", this, &Server::onInlayHint);
  handler.method("textDocument/documentSymbol", this, &Server::onSymbols);
  handler.method("textDocument/formatting", this, &Server::onFormatting);
  handler.method("textDocument/codeAction", this, &Server::onCodeAction);
}

//===----------------------------------------------------------------------===//
// From beginning to end
//===----------------------------------------------------------------------===//

void Server::onInitialize(const llvm::lsp::NoParams &, Reply reply) {
  if (state != State::New)
    return reply(
        make_error<llvm::lsp::LSPError>("the server is initialized already",
                                        llvm::lsp::ErrorCode::InvalidRequest));
  state = State::Running;
  json::Object capabilities{
      {"positionEncoding", "utf-16"},
      {"textDocumentSync",
       json::Object{
           {"openClose", true},
           {"change",
            static_cast<int>(llvm::lsp::TextDocumentSyncKind::Incremental)},
       }},
      {"hoverProvider", true},
      {"definitionProvider", true},
      {"referencesProvider", true},
      {"documentHighlightProvider", true},
      {"documentSymbolProvider", true},
      {"documentFormattingProvider", true},
      {"inlayHintProvider", true},
      {"renameProvider", json::Object{{"prepareProvider", true}}},
      {"codeActionProvider",
       json::Object{
           {"codeActionKinds", json::Array{llvm::lsp::CodeAction::kQuickFix}}}},
      {"completionProvider",
       json::Object{{"triggerCharacters", json::Array{"\"", "/"}}}},
      {"signatureHelpProvider",
       json::Object{{"triggerCharacters", json::Array{"(", ","}}}},
  };
  reply(json::Object{
      {"capabilities", std::move(capabilities)},
      {"serverInfo",
       json::Object{{"name", "einc"}, {"version", options.version}}},
  });
}

void Server::onShutdown(const llvm::lsp::NoParams &, Reply reply) {
  state = State::ShutDown;
  reply(nullptr);
}

//===----------------------------------------------------------------------===//
// Documents
//===----------------------------------------------------------------------===//

void Server::publish(ArrayRef<Document *> documents) {
  for (Document *document : documents)
    publishDiagnostics(json::Object{
        {"uri", document->uri},
        {"version", document->version},
        {"diagnostics", json::Array(getDiagnostics(workspace, *document))},
    });
}

void Server::onOpen(const OpenParams &params) {
  publish(workspace.open(params));
}

void Server::onChange(const ChangeParams &params) {
  publish(workspace.change(params));
}

void Server::onClose(const DocumentParams &params) {
  std::vector<Document *> others = workspace.close(params.uri);
  publishDiagnostics(
      json::Object{{"uri", params.uri}, {"diagnostics", json::Array{}}});
  publish(others);
}

const Document *Server::find(const DocumentParams &params, Reply &reply) {
  const Document *document = workspace.find(params.uri);
  if (!document)
    reply(make_error<llvm::lsp::LSPError>("`" + params.uri + "` is not open",
                                          llvm::lsp::ErrorCode::InvalidParams));
  return document;
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

void Server::onHover(const PositionParams &params, Reply reply) {
  const Document *document = find(params, reply);
  if (!document)
    return;
  std::optional<llvm::lsp::Hover> hover =
      getHover(*document, params.position, options.describe);
  reply(hover ? json::Value(*hover) : json::Value(nullptr));
}

void Server::onDefinition(const PositionParams &params, Reply reply) {
  if (const Document *document = find(params, reply))
    reply(json::Array(findDefinitions(workspace, *document, params.position)));
}

void Server::onReferences(const ReferenceParams &params, Reply reply) {
  const Document *document = find(params, reply);
  if (!document)
    return;
  json::Array places;
  for (Reference &reference :
       findReferences(workspace, *document, params.position))
    if (params.includeDeclaration || !reference.isDeclaration)
      places.push_back(reference.location);
  reply(std::move(places));
}

void Server::onHighlight(const PositionParams &params, Reply reply) {
  const Document *document = find(params, reply);
  if (!document)
    return;
  json::Array places;
  constexpr int read = 2, write = 3; // of DocumentHighlightKind
  for (Reference &reference : findHighlights(*document, params.position))
    places.push_back(json::Object{{"range", reference.location.range},
                                  {"kind", reference.isWrite ? write : read}});
  reply(std::move(places));
}

void Server::onPrepareRename(const PositionParams &params, Reply reply) {
  const Document *document = find(params, reply);
  if (!document)
    return;
  Expected<Range> range = prepareRename(workspace, *document, params.position);
  if (!range)
    return reply(range.takeError());
  reply(json::Value(*range));
}

void Server::onRename(const RenameParams &params, Reply reply) {
  const Document *document = find(params, reply);
  if (!document)
    return;
  Expected<Edits> edits = rename(workspace, *document, params);
  if (!edits)
    return reply(edits.takeError());
  reply(toWorkspaceEdit(*edits));
}

void Server::onCompletion(const PositionParams &params, Reply reply) {
  if (const Document *document = find(params, reply))
    reply(json::Value(complete(*document, params.position)));
}

void Server::onSignatureHelp(const PositionParams &params, Reply reply) {
  const Document *document = find(params, reply);
  if (!document)
    return;
  std::optional<llvm::lsp::SignatureHelp> help =
      getSignatureHelp(*document, params.position);
  reply(help ? json::Value(*help) : json::Value(nullptr));
}

void Server::onInlayHint(const RangeParams &params, Reply reply) {
  if (const Document *document = find(params, reply))
    reply(json::Array(getInlayHints(*document, params.range)));
}

void Server::onSymbols(const DocumentParams &params, Reply reply) {
  if (const Document *document = find(params, reply))
    reply(json::Array(getSymbols(*document)));
}

void Server::onFormatting(const DocumentParams &params, Reply reply) {
  const Document *document = find(params, reply);
  if (!document)
    return;
  Expected<std::vector<TextEdit>> edits = format(*document);
  if (!edits)
    return reply(edits.takeError());
  reply(json::Array(*edits));
}

void Server::onCodeAction(const RangeParams &params, Reply reply) {
  if (const Document *document = find(params, reply))
    reply(json::Array(getCodeActions(workspace, *document, params)));
}

} // namespace ein::lsp
