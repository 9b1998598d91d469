//===- StageTexts.h - Every stage, line by line -----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DRIVER_HTML_STAGETEXTS_H
#define EIN_DRIVER_HTML_STAGETEXTS_H

#include "driver/Stages.h"
#include "llvm/Support/JSON.h"

namespace ein {

/// The text of a stage, and the source line that each of its lines comes from.
struct StageText {
  llvm::StringRef name;
  std::string text;
  std::vector<unsigned> places; // SourceLines.h; 0 of lines of no place
  /// Of assembly: from a label to the branch back to it, with no such loop
  /// inside.
  struct Loop {
    std::string function, label;
    unsigned first, last; // lines, from 0
    unsigned instructions, multiplyAdds;
  };
  std::vector<Loop> loops;
  unsigned numOmitted = 0; // lines
};

/// Keeps the stages of a compilation, which has to be one with `debug`.
class StageTexts : public StageObserver {
public:
  void visit(const Stage &stage, CompileState &state) override;
  /// An array, in order.
  void print(llvm::json::OStream &json) const;

private:
  std::vector<StageText> stages;
};

/// Assembly with line tables, without these.
StageText readAssembly(llvm::StringRef assembly, const Sources &sources);

} // namespace ein

#endif // EIN_DRIVER_HTML_STAGETEXTS_H
