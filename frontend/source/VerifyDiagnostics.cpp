//===- VerifyDiagnostics.cpp - Diagnostics against expected-error comments ===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/source/VerifyDiagnostics.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein {

namespace {

/// A line of 0 is no place.
struct Expectation {
  Severity severity;
  const SourceFile *file;
  unsigned line;
  StringRef text;
  /// Where it is written.
  unsigned commentLine;
  bool isMet = false;
};

class Verifier {
public:
  Verifier(const Sources &sources, raw_ostream &os)
      : sources(sources), file(&sources.getMain()), os(os) {}

  LogicalResult run(ArrayRef<Diagnostic> diagnostics);

private:
  void readLine(unsigned line);
  bool readExpectation(StringRef &text, unsigned line);
  bool readLineOffset(StringRef &text, unsigned &line);
  void match(Severity severity, SourceRange range, StringRef message);
  raw_ostream &complain(unsigned line) {
    isGood = false;
    os << file->getName() << ':';
    if (line != 0)
      os << line << ':';
    return os << ' ';
  }

  const Sources &sources;
  const SourceFile *file; // at hand
  raw_ostream &os;
  std::vector<Expectation> expectations;
  bool isGood = true;
};

LogicalResult Verifier::run(ArrayRef<Diagnostic> diagnostics) {
  for (const std::unique_ptr<SourceFile> &each : sources.getFiles()) {
    file = each.get();
    for (unsigned line = 1; line <= file->getNumLines(); ++line)
      readLine(line);
  }
  for (const Diagnostic &diagnostic : diagnostics) {
    match(diagnostic.severity, diagnostic.range, diagnostic.message);
    for (const DiagnosticNote &note : diagnostic.notes)
      match(Severity::Note, note.range, note.message);
  }
  for (const Expectation &expectation : expectations)
    if (!expectation.isMet) {
      file = expectation.file;
      complain(expectation.commentLine)
          << "expected " << getSpelling(expectation.severity)
          << " did not come: " << expectation.text << '\n';
    }
  return success(isGood);
}

void Verifier::readLine(unsigned line) {
  StringRef text = file->getLine(line);
  constexpr StringLiteral keyword = "expected-";
  for (size_t at = text.find(keyword); at != StringRef::npos;
       at = text.find(keyword)) {
    text = text.substr(at + keyword.size());
    if (!readExpectation(text, line))
      complain(line) << "cannot read this expectation\n";
  }
}

/// severity [@place] {{text}}
bool Verifier::readExpectation(StringRef &text, unsigned line) {
  Expectation expectation = {Severity::Error, file, line, {}, line};
  if (text.consume_front("warning"))
    expectation.severity = Severity::Warning;
  else if (text.consume_front("remark"))
    expectation.severity = Severity::Remark;
  else if (text.consume_front("note"))
    expectation.severity = Severity::Note;
  else if (!text.consume_front("error"))
    return false;
  text = text.ltrim();
  if (text.consume_front("@") && !readLineOffset(text, expectation.line))
    return false;
  text = text.ltrim();
  size_t end = text.find("}}");
  if (!text.consume_front("{{") || end == StringRef::npos)
    return false;
  expectation.text = text.take_front(end - 2);
  text = text.substr(end);
  expectations.push_back(expectation);
  return true;
}

bool Verifier::readLineOffset(StringRef &text, unsigned &line) {
  if (text.consume_front("unknown")) {
    line = 0;
    return true;
  }
  bool isBack = text.starts_with("-");
  unsigned offset;
  if (!(text.consume_front("+") || text.consume_front("-")) ||
      text.consumeInteger(10, offset))
    return false;
  line = isBack ? line - offset : line + offset;
  return true;
}

void Verifier::match(Severity severity, SourceRange range, StringRef message) {
  bool isSomewhere = range.begin != 0 || range.end != 0;
  file = &sources.find(range.begin);
  unsigned line = isSomewhere ? file->getLineColumn(range.begin).line : 0;
  for (Expectation &expectation : expectations) {
    if (expectation.isMet || expectation.severity != severity ||
        expectation.file != file || expectation.line != line ||
        !message.contains(expectation.text))
      continue;
    expectation.isMet = true;
    return;
  }
  complain(line) << "unexpected " << getSpelling(severity) << ": " << message
                 << '\n';
}

} // namespace

LogicalResult verifyDiagnostics(const Sources &file,
                                ArrayRef<Diagnostic> diagnostics,
                                raw_ostream &os) {
  return Verifier(file, os).run(diagnostics);
}

} // namespace ein
