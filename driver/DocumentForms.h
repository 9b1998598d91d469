//===- DocumentForms.h - What MLIR's documents write ------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The documents of linalg write two things that upstream's parsers refuse, and
// a parser of an op cannot be replaced. So they are rewritten in the text:
//
//  * `iterator_types = ["parallel", "window"]`: a window is a reduction;
//  * `linalg.contract` with `iterator_types` or `kind = #linalg.kind<max>`, as
//    its RFC has it: it is `ein.contract`, which has both.
//
// Lines stay, and columns are found again. What einc prints has the RFC's form,
// too.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DRIVER_DOCUMENTFORMS_H
#define EIN_DRIVER_DOCUMENTFORMS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace ein {

/// A text that was rewritten here and there, within lines.
class RewrittenText {
public:
  explicit RewrittenText(llvm::StringRef original) : original(original) {}

  /// Edits come in their order.
  void replace(size_t offset, size_t size, std::string by) {
    edits.push_back({offset, size, std::move(by)});
  }
  std::string getText() const;
  /// The column, from one, of the original that a column of the text was.
  unsigned getColumn(size_t lineStart, unsigned column) const;

private:
  struct Edit {
    size_t offset, size;
    std::string by;
  };
  llvm::StringRef original;
  llvm::SmallVector<Edit> edits;
};

/// Text as the documents have it, as MLIR's parser reads it.
RewrittenText rewriteDocumentForms(llvm::StringRef text);
/// Text as MLIR prints it, as the documents have it.
RewrittenText writeDocumentForms(llvm::StringRef text);

} // namespace ein

#endif // EIN_DRIVER_DOCUMENTFORMS_H
