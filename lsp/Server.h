//===- Server.h - The language server ---------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which request is answered by which function of Features.h.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_LSP_SERVER_H
#define EIN_LSP_SERVER_H

#include "lsp/Features.h"
#include "llvm/Support/LSP/Transport.h"

namespace ein::lsp {

struct ServerOptions {
  std::vector<std::string> includeDirs;
  WarningOptions warnings;
  std::string version;
  /// May be empty.
  DescribeStatement describe;
};

class Server {
public:
  explicit Server(ServerOptions options);

  void addHandlers(llvm::lsp::MessageHandler &handler);
  bool isRunning() const { return state == State::Running; }
  bool isShutDown() const { return state == State::ShutDown; }

private:
  using Reply = llvm::lsp::Callback<llvm::json::Value>;

  void onInitialize(const llvm::lsp::NoParams &params, Reply reply);
  void onInitialized(const llvm::lsp::NoParams &) {}
  void onShutdown(const llvm::lsp::NoParams &params, Reply reply);
  void onOpen(const OpenParams &params);
  void onChange(const ChangeParams &params);
  void onClose(const DocumentParams &params);
  void onSave(const DocumentParams &) {}
  void onHover(const PositionParams &params, Reply reply);
  void onDefinition(const PositionParams &params, Reply reply);
  void onReferences(const ReferenceParams &params, Reply reply);
  void onHighlight(const PositionParams &params, Reply reply);
  void onPrepareRename(const PositionParams &params, Reply reply);
  void onRename(const RenameParams &params, Reply reply);
  void onCompletion(const PositionParams &params, Reply reply);
  void onSignatureHelp(const PositionParams &params, Reply reply);
  void onInlayHint(const RangeParams &params, Reply reply);
  void onSymbols(const DocumentParams &params, Reply reply);
  void onFormatting(const DocumentParams &params, Reply reply);
  void onCodeAction(const RangeParams &params, Reply reply);

  /// Null, and the client has been told, if the document is not open.
  const Document *find(const DocumentParams &params, Reply &reply);
  void publish(llvm::ArrayRef<Document *> documents);

  enum class State : uint8_t { New, Running, ShutDown };

  ServerOptions options;
  Workspace workspace;
  State state = State::New;
  llvm::lsp::OutgoingNotification<llvm::json::Value> publishDiagnostics;
};

} // namespace ein::lsp

#endif // EIN_LSP_SERVER_H
