//===- Input.h - What an editor sends ---------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's input knows the header `Content-Length` in this spelling alone, and
// the names of headers are case-insensitive, as HTTP's are.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_LSP_INPUT_H
#define EIN_LSP_INPUT_H

#include "llvm/Support/LSP/Transport.h"

namespace ein::lsp {

class Input : public llvm::lsp::JSONTransportInput {
public:
  Input(std::FILE *file, llvm::lsp::JSONStreamStyle style)
      : JSONTransportInput(style), file(file), delimited(file, style) {}

  bool hasError() const override { return std::ferror(file); }
  bool isEndOfInput() const override { return std::feof(file); }

  llvm::LogicalResult readDelimitedMessage(std::string &json) override {
    return delimited.readDelimitedMessage(json);
  }
  llvm::LogicalResult readStandardMessage(std::string &json) override;

private:
  bool readLine(std::string &line);

  std::FILE *file;
  llvm::lsp::JSONTransportInputOverFile delimited;
};

} // namespace ein::lsp

#endif // EIN_LSP_INPUT_H
