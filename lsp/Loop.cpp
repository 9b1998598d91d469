//===- Loop.cpp - Messages in, messages out -------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lsp/Loop.h"

using namespace llvm;

namespace ein::lsp {

using llvm::lsp::ErrorCode;
using llvm::lsp::LSPError;

void Dispatcher::reject(json::Value id, ErrorCode code, const Twine &reason) {
  transport.reply(std::move(id), make_error<LSPError>(reason.str(), code));
}

/// How deep arrays and objects are in each other, at most. LLVM's parser calls
/// itself for each.
static size_t getDepth(StringRef message) {
  size_t depth = 0, most = 0;
  bool isInString = false;
  for (size_t i = 0; i < message.size(); ++i) {
    char c = message[i];
    if (isInString && c == '\\')
      ++i;
    else if (c == '"')
      isInString = !isInString;
    else if (!isInString && (c == '[' || c == '{'))
      most = std::max(most, ++depth);
    else if (!isInString && (c == ']' || c == '}') && depth > 0)
      --depth;
  }
  return most;
}

bool Dispatcher::dispatch(StringRef message) {
  constexpr size_t kMostDepth = 1000;
  if (getDepth(message) > kMostDepth) {
    reject(nullptr, ErrorCode::ParseError, "it is nested too deeply");
    return true;
  }
  Expected<json::Value> value = json::parse(message);
  if (!value) {
    reject(nullptr, ErrorCode::ParseError, toString(value.takeError()));
    return true;
  }
  json::Object *object = value->getAsObject();
  if (!object) {
    // A batch is one of JSON-RPC's, and not of the protocol's.
    reject(nullptr, ErrorCode::InvalidRequest, "a message is an object");
    return true;
  }
  return dispatch(std::move(*object));
}

bool Dispatcher::dispatch(json::Object message) {
  std::optional<json::Value> id;
  if (json::Value *value = message.get("id"))
    id = std::move(*value);
  bool isId = !id || id->getAsString() || id->getAsInteger() ||
              id->getAsNull() || id->getAsNumber();
  std::optional<StringRef> method = message.getString("method");
  // An answer, to nothing that was asked.
  if (!method && id && (message.get("result") || message.get("error")))
    return true;
  if (message.getString("jsonrpc") != StringRef("2.0") || !method || !isId) {
    reject(isId && id ? std::move(*id) : json::Value(nullptr),
           ErrorCode::InvalidRequest,
           !method ? "a request has a method"
           : !isId ? "an id is a number or a string"
                   : "a message says `\"jsonrpc\": \"2.0\"`");
    return true;
  }
  json::Value params = nullptr;
  if (json::Value *value = message.get("params"))
    params = std::move(*value);
  if (!id) {
    if (*method != "exit" && !server.isRunning() && *method != "initialized")
      return true;
    return handler.onNotify(*method, std::move(params));
  }
  if (server.isShutDown()) {
    reject(std::move(*id), ErrorCode::InvalidRequest,
           "the server has been shut down");
    return true;
  }
  if (*method != "initialize" && !server.isRunning()) {
    reject(std::move(*id), ErrorCode::ServerNotInitialized,
           "the first request is `initialize`");
    return true;
  }
  return handler.onCall(*method, std::move(params), std::move(*id));
}

bool runServer(llvm::lsp::JSONTransportInput &input,
               llvm::lsp::JSONTransport &transport, Server &server) {
  Dispatcher dispatcher(transport, server);
  std::string message;
  while (!input.isEndOfInput()) {
    if (input.hasError())
      return false;
    if (failed(input.readMessage(message))) {
      // Headers that say no length, or the end of all.
      if (!input.isEndOfInput())
        transport.reply(nullptr,
                        make_error<LSPError>("a message has a Content-Length",
                                             ErrorCode::ParseError));
      continue;
    }
    if (!dispatcher.dispatch(message))
      return server.isShutDown();
  }
  return false;
}

} // namespace ein::lsp
