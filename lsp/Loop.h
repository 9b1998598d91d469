//===- Loop.h - Messages in, messages out -----------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's JSONTransport::run leaves at the first message that is no request, and
// answers none that is no JSON. This loop answers what can be answered, with
// the error that JSON-RPC has for it, and goes on.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_LSP_LOOP_H
#define EIN_LSP_LOOP_H

#include "lsp/Server.h"
#include "llvm/Support/LSP/Transport.h"

namespace ein::lsp {

class Dispatcher {
public:
  Dispatcher(llvm::lsp::JSONTransport &transport, Server &server)
      : transport(transport), server(server), handler(transport) {
    server.addHandlers(handler);
  }

  /// A message as text; false if it was the last.
  bool dispatch(llvm::StringRef message);

private:
  bool dispatch(llvm::json::Object message);
  void reject(llvm::json::Value id, llvm::lsp::ErrorCode code,
              const llvm::Twine &reason);

  llvm::lsp::JSONTransport &transport;
  Server &server;
  llvm::lsp::MessageHandler handler;
};

/// Reads messages until `exit`, or until there are no more. Whether `exit` came
/// after `shutdown`, as it should.
bool runServer(llvm::lsp::JSONTransportInput &input,
               llvm::lsp::JSONTransport &transport, Server &server);

} // namespace ein::lsp

#endif // EIN_LSP_LOOP_H
