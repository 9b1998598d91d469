//===- Diagnostics.h - What the compiler says to its user -------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One record carries every error and warning: an id from Diagnostics.def, the
// place, notes for the other places involved, and fix-its. The engine only
// collects; printing, checking against `expected-error` comments and JSON are
// functions of the collected records. A function that returns failure
// has reported why before it does.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_SOURCE_DIAGNOSTICS_H
#define EIN_FRONTEND_SOURCE_DIAGNOSTICS_H

#include "frontend/source/SourceFile.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/LogicalResult.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ein {

enum class Severity : uint8_t { Error, Warning, Remark, Note };

enum class DiagId : uint16_t {
#define EIN_DIAG(ID, SEVERITY, TEXT) ID,
#include "frontend/source/Diagnostics.def"
};

unsigned getNumDiagIds();
/// `SumWithoutReduction`, for tests and tools.
llvm::StringRef getName(DiagId id);
Severity getSeverity(DiagId id);
/// Whether it is about no source: about a file, the command line, the linker.
bool isOfTool(DiagId id);
llvm::StringRef getSpelling(Severity severity);

/// Replaces the text in `range` (nothing, if it is empty).
struct FixIt {
  SourceRange range;
  std::string replacement;
};

/// Its fix-its are another way out than the diagnostic's.
struct DiagnosticNote {
  DiagId id;
  SourceRange range;
  std::string message;
  std::vector<FixIt> fixIts = {};
};

struct Diagnostic {
  DiagId id;
  Severity severity = Severity::Error;
  SourceRange range;
  std::string message;
  std::vector<DiagnosticNote> notes;
  /// One change, which is made as a whole.
  std::vector<FixIt> fixIts;
};

/// `reduction-invariant`, by which a warning is turned off or made an error.
std::string getWarningName(DiagId id);

/// Of `-W`: which warnings are not said, and which are errors.
struct WarningOptions {
  std::set<DiagId> ignored, errors;
  bool areErrors = false;

  /// `no-ID`, `error` or `error=ID`; false if it is none of these.
  bool add(llvm::StringRef flag);
  /// Nothing, if `id` is not to be said.
  std::optional<Severity> getSeverity(DiagId id) const;
};

class DiagnosticEngine;

/// Adds to the diagnostic just reported; converts to failure.
class DiagnosticBuilder {
public:
  DiagnosticBuilder(DiagnosticEngine &engine, size_t position)
      : engine(engine), position(position) {}

  DiagnosticBuilder &note(DiagId id, SourceRange range,
                          llvm::ArrayRef<std::string> args = {},
                          std::vector<FixIt> fixIts = {});
  /// Of the diagnostic, whatever notes it has.
  DiagnosticBuilder &fixIt(SourceRange range, const llvm::Twine &replacement);
  /// That `name`, which is at `range`, may be the closest of `candidates`, if
  /// one is close; else perhaps which there are, if they are few.
  DiagnosticBuilder &didYouMean(SourceRange range, llvm::StringRef name,
                                llvm::ArrayRef<llvm::StringRef> candidates,
                                bool listsThem = false);

  operator llvm::LogicalResult() const { return llvm::failure(); }
  template <typename T> operator llvm::FailureOr<T>() const {
    return llvm::failure();
  }

private:
  Diagnostic *get() const;

  DiagnosticEngine &engine;
  size_t position;
};

class DiagnosticEngine {
public:
  /// Notes that everything gets that is reported from now on: of calls, from
  /// the outermost to the innermost. What has been reported already, as it was
  /// found without the call or in another one, is not reported again.
  void enterContext(DiagnosticNote note) { context.push_back(std::move(note)); }
  void leaveContext() { context.pop_back(); }

  /// After `errorLimit` errors one more says that there are too many, and the
  /// rest is dropped.
  explicit DiagnosticEngine(unsigned errorLimit = 50)
      : errorLimit(errorLimit) {}
  explicit DiagnosticEngine(WarningOptions warnings) : DiagnosticEngine() {
    this->warnings = std::move(warnings);
  }

  /// What begins at `begin` and ends before the next, is einc's own def `name`,
  /// which the user has not written: nothing is reported there, but where it is
  /// called from. An empty name is the end of such text.
  void hideDef(uint32_t begin, std::string name) {
    hiddenDefs[begin] = std::move(name);
  }

  /// `args` replace {0}, {1}, … in the message.
  DiagnosticBuilder report(DiagId id, SourceRange range,
                           llvm::ArrayRef<std::string> args = {});

  bool hasErrors() const { return numErrors != 0; }
  unsigned getNumErrors() const { return numErrors; }
  /// Nothing more will be shown, so that there is no use in going on.
  bool isFull() const { return numErrors > errorLimit; }
  llvm::ArrayRef<Diagnostic> getDiagnostics() const { return diagnostics; }

private:
  friend class DiagnosticBuilder;

  unsigned errorLimit;
  WarningOptions warnings;
  unsigned numErrors = 0;
  std::vector<Diagnostic> diagnostics;
  /// The def that `range` is in; empty for what the user has written.
  llvm::StringRef findHiddenDef(SourceRange range) const;

  std::vector<DiagnosticNote> context;
  std::map<uint32_t, std::string> hiddenDefs; // by where they begin
};

/// A context of the engine's for as long as it lives.
class DiagnosticContext {
public:
  DiagnosticContext(DiagnosticEngine &engine, DiagId id, SourceRange range,
                    llvm::ArrayRef<std::string> args);
  ~DiagnosticContext() { engine.leaveContext(); }
  DiagnosticContext(const DiagnosticContext &) = delete;
  DiagnosticContext &operator=(const DiagnosticContext &) = delete;

private:
  DiagnosticEngine &engine;
};

/// The closest of `candidates` to a name that was not found, if it is close.
std::optional<llvm::StringRef>
findSimilarName(llvm::StringRef name,
                llvm::ArrayRef<llvm::StringRef> candidates);

/// `file:1:2: error: …`, the line, a caret line, the fix-it, and the notes.
void printDiagnostic(llvm::raw_ostream &os, const Sources &file,
                     const Diagnostic &diagnostic, bool useColor = false);
/// In the order of their places in the file; that there are too many is last.
llvm::SmallVector<const Diagnostic *>
sortByPlace(llvm::ArrayRef<Diagnostic> diagnostics);
/// All of them, sorted.
void printDiagnostics(llvm::raw_ostream &os, const Sources &file,
                      llvm::ArrayRef<Diagnostic> diagnostics,
                      bool useColor = false);
/// The same for programs: a JSON object to a line, see
/// docs/reference/command-line.md.
void printDiagnosticsAsJson(llvm::raw_ostream &os, const Sources &file,
                            llvm::ArrayRef<Diagnostic> diagnostics);

} // namespace ein

#endif // EIN_FRONTEND_SOURCE_DIAGNOSTICS_H
