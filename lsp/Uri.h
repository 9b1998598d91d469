//===- Uri.h - Paths as the protocol writes them ----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's URIForFile is for files alone; a document may also be a buffer that
// has no file yet, as `untitled:Untitled-1`. So a document is called here as
// the client calls it.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_LSP_URI_H
#define EIN_LSP_URI_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace ein::lsp {

/// Of `file:///a%20b`, `/a b`; nothing of what is no file.
std::optional<std::string> getPath(llvm::StringRef uri);
/// `file://` and the path, which is absolute.
std::string makeUri(llvm::StringRef path);
/// As the disk has it: without links and dots, if there is such a file.
std::string getRealPath(llvm::StringRef path);

} // namespace ein::lsp

#endif // EIN_LSP_URI_H
