//===- Positions.h - Bytes of a file as lines and UTF-16 --------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The protocol counts lines, and in a line the 16-bit units that it would have
// in UTF-16; the front end counts bytes of UTF-8. Any position is some place:
// one past the end of a line is its end.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_LSP_POSITIONS_H
#define EIN_LSP_POSITIONS_H

#include "frontend/source/SourceFile.h"
#include "llvm/Support/LSP/Protocol.h"

namespace ein::lsp {

using llvm::lsp::Position;
using llvm::lsp::Range;

Position getPosition(const SourceFile &file, uint32_t offset);
Range getRange(const SourceFile &file, SourceRange range);
/// In the offsets that the file's sources share.
uint32_t getOffset(const SourceFile &file, Position position);

/// The same of a text that is no file yet.
size_t getOffset(llvm::StringRef text, Position position);

} // namespace ein::lsp

#endif // EIN_LSP_POSITIONS_H
