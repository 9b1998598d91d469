//===- Diagnostics.cpp - What the compiler says to its user ---------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/source/Diagnostics.h"
#include "frontend/source/Unicode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Unicode.h"
#include <cassert>

using namespace llvm;

namespace ein {

namespace {
struct DiagInfo {
  StringLiteral name;
  Severity severity;
  StringLiteral text;
  bool isOfTool;
};
constexpr DiagInfo infos[] = {
#define EIN_DIAG(ID, SEVERITY, TEXT) {#ID, Severity::SEVERITY, TEXT, false},
#define EIN_TOOL_DIAG(ID, SEVERITY, TEXT) {#ID, Severity::SEVERITY, TEXT, true},
#include "frontend/source/Diagnostics.def"
};
const DiagInfo &getInfo(DiagId id) { return infos[static_cast<size_t>(id)]; }
} // namespace

unsigned getNumDiagIds() { return std::size(infos); }
StringRef getName(DiagId id) { return getInfo(id).name; }
Severity getSeverity(DiagId id) { return getInfo(id).severity; }
bool isOfTool(DiagId id) { return getInfo(id).isOfTool; }

StringRef getSpelling(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Remark:
    return "remark";
  case Severity::Note:
    return "note";
  }
  llvm_unreachable("a severity that is none");
}

std::string getWarningName(DiagId id) {
  std::string name;
  for (char c : getName(id)) {
    if (isUpper(c) && !name.empty())
      name += '-';
    name += toLower(c);
  }
  return name;
}

bool WarningOptions::add(StringRef flag) {
  if (flag == "error") {
    areErrors = true;
    return true;
  }
  bool isIgnored = flag.consume_front("no-");
  if (!isIgnored && !flag.consume_front("error="))
    return false;
  for (unsigned i = 0; i != getNumDiagIds(); ++i) {
    DiagId id(static_cast<DiagId>(i));
    if (ein::getSeverity(id) != Severity::Warning || getWarningName(id) != flag)
      continue;
    (isIgnored ? ignored : errors).insert(id);
    (isIgnored ? errors : ignored).erase(id);
    return true;
  }
  return false;
}

std::optional<Severity> WarningOptions::getSeverity(DiagId id) const {
  Severity severity = ein::getSeverity(id);
  if (severity != Severity::Warning)
    return severity;
  if (ignored.count(id))
    return std::nullopt;
  return areErrors || errors.count(id) ? Severity::Error : severity;
}

/// Replaces {0}, {1}, … in the text of `id`.
/// A literal may have a million digits; a message has its ends.
static std::string shorten(StringRef text) {
  constexpr size_t maxLength = 1000, numKept = 60;
  if (text.size() <= maxLength)
    return text.str();
  auto isInside = [](char c) { return (c & 0xC0) == 0x80; }; // of a character
  StringRef head = text.take_front(numKept), tail = text.take_back(numKept);
  while (!tail.empty() && isInside(tail.front()))
    tail = tail.drop_front();
  size_t end = numKept;
  while (end != 0 && isInside(text[end]))
    --end;
  head = text.take_front(end);
  return (head + "…" + tail).str();
}

static std::string format(DiagId id, ArrayRef<std::string> args) {
  std::string message;
  StringRef text = getInfo(id).text;
  while (!text.empty()) {
    auto [before, after] = text.split('{');
    message += before;
    if (before.size() == text.size())
      break;
    auto [number, remaining] = after.split('}');
    unsigned position = 0;
    [[maybe_unused]] bool failed = number.getAsInteger(10, position);
    assert(!failed && position < args.size() && "message lacks an argument");
    message += shorten(args[position]);
    text = remaining;
  }
  return message;
}

Diagnostic *DiagnosticBuilder::get() const {
  if (position >= engine.diagnostics.size())
    return nullptr; // beyond the error limit
  return &engine.diagnostics[position];
}

DiagnosticBuilder &DiagnosticBuilder::note(DiagId id, SourceRange range,
                                           ArrayRef<std::string> args,
                                           std::vector<FixIt> fixIts) {
  assert(getSeverity(id) == Severity::Note);
  Diagnostic *diagnostic = get();
  if (!diagnostic)
    return *this;
  StringRef hidden = engine.findHiddenDef(range);
  if (!hidden.empty()) {
    // Where something is declared in it is of no use to anybody.
    bool isPlace = id == DiagId::DeclaredHere || id == DiagId::FirstHere ||
                   id == DiagId::DefHere;
    DiagnosticNote note = {id, diagnostic->range, format(id, args), {}};
    if (isPlace) {
      note.id = DiagId::OpsPrints;
      note.message = format(note.id, {hidden.str()});
    }
    if (llvm::none_of(diagnostic->notes, [&](const DiagnosticNote &other) {
          return other.message == note.message;
        }))
      diagnostic->notes.push_back(std::move(note));
    return *this;
  }
  diagnostic->notes.push_back({id, range, format(id, args), std::move(fixIts)});
  return *this;
}

DiagnosticBuilder &DiagnosticBuilder::didYouMean(SourceRange range,
                                                 StringRef name,
                                                 ArrayRef<StringRef> candidates,
                                                 bool listsThem) {
  std::optional<StringRef> similar = findSimilarName(name, candidates);
  constexpr size_t maxListed = 8;
  if (!similar && listsThem && !candidates.empty() &&
      candidates.size() <= maxListed) {
    SmallVector<StringRef> sorted(candidates);
    llvm::sort(sorted);
    sorted.erase(llvm::unique(sorted), sorted.end());
    return note(DiagId::Candidates, range,
                {"`" + llvm::join(sorted, "`, `") + "`"});
  }
  if (!similar)
    return *this;
  note(DiagId::DidYouMean, range, {similar->str()});
  return range.begin == 0 && range.end == 0 ? *this : fixIt(range, *similar);
}

DiagnosticBuilder &DiagnosticBuilder::fixIt(SourceRange range,
                                            const Twine &replacement) {
  Diagnostic *diagnostic = get();
  if (diagnostic && engine.findHiddenDef(range).empty())
    diagnostic->fixIts.push_back({range, replacement.str()});
  return *this;
}

StringRef DiagnosticEngine::findHiddenDef(SourceRange range) const {
  auto next = hiddenDefs.upper_bound(range.begin);
  return next == hiddenDefs.begin() ? StringRef()
                                    : StringRef(std::prev(next)->second);
}

DiagnosticBuilder DiagnosticEngine::report(DiagId id, SourceRange range,
                                           ArrayRef<std::string> args) {
  assert(getSeverity(id) != Severity::Note && "notes belong to a diagnostic");
  std::optional<Severity> severity = warnings.getSeverity(id);
  if (!severity)
    return DiagnosticBuilder(*this, SIZE_MAX);
  bool isError = *severity == Severity::Error;
  std::string message = format(id, args);
  // What is wrong in a def of einc's own is wrong where that is called.
  const DiagnosticNote *caller = nullptr;
  if (!findHiddenDef(range).empty())
    for (const DiagnosticNote &call : llvm::reverse(context))
      if (findHiddenDef(call.range).empty()) {
        caller = &call;
        range = call.range;
        break;
      }
  // A warning has been said where the def was checked on its own.
  bool isKnown = !context.empty() &&
                 llvm::any_of(diagnostics, [&](const Diagnostic &other) {
                   return other.id == id && other.range.begin == range.begin &&
                          other.range.end == range.end &&
                          (!isError || other.message == message);
                 });
  numErrors += isError;
  if (isKnown)
    return DiagnosticBuilder(*this, SIZE_MAX);
  if (numErrors > errorLimit) {
    if (isError && numErrors == errorLimit + 1)
      diagnostics.push_back({DiagId::TooManyErrors,
                             Severity::Error,
                             range,
                             format(DiagId::TooManyErrors, {}),
                             {},
                             {}});
    return DiagnosticBuilder(*this, SIZE_MAX);
  }
  diagnostics.push_back({id, *severity, range, std::move(message), {}, {}});
  constexpr size_t maxContext = 8;
  ArrayRef<DiagnosticNote> calls = ArrayRef(context).take_back(maxContext);
  for (const DiagnosticNote &note : llvm::reverse(calls))
    if (&note != caller && findHiddenDef(note.range).empty())
      diagnostics.back().notes.push_back(note);
  return DiagnosticBuilder(*this, diagnostics.size() - 1);
}

DiagnosticContext::DiagnosticContext(DiagnosticEngine &engine, DiagId id,
                                     SourceRange range,
                                     ArrayRef<std::string> args)
    : engine(engine) {
  engine.enterContext({id, range, format(id, args)});
}

/// `epx` for `exp`.
static bool hasSwappedLetters(StringRef a, StringRef b) {
  if (a.size() != b.size() || a.size() < 3)
    return false;
  size_t i = 0;
  while (i + 1 < a.size() && a[i] == b[i])
    ++i;
  return i + 1 < a.size() && a[i] == b[i + 1] && a[i + 1] == b[i] &&
         a.drop_front(i + 2) == b.drop_front(i + 2);
}

std::optional<StringRef> findSimilarName(StringRef name,
                                         ArrayRef<StringRef> candidates) {
  // A name of one or two letters is close to every other one.
  unsigned allowed = name.size() < 3 ? 0 : name.size() < 5 ? 1 : 2;
  std::optional<StringRef> best;
  for (StringRef candidate : candidates) {
    if (candidate.equals_insensitive(name))
      return candidate;
    unsigned distance = hasSwappedLetters(name, candidate)
                            ? 1
                            : name.edit_distance(candidate, true, allowed);
    if (distance > allowed)
      continue;
    best = candidate;
    allowed = distance == 0 ? 0 : distance - 1;
  }
  return best;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

namespace {

/// A source line as a terminal shows it: tabs expanded, what cannot be shown
/// escaped, and for each byte the column in which it starts.
struct DisplayLine {
  std::string text;
  /// One more than the line has bytes.
  std::vector<unsigned> columns;
  /// For each column, where it starts in `text`.
  std::vector<size_t> offsets;
};

constexpr unsigned tabWidth = 8;
/// Longer lines are cut to a window around the caret.
constexpr unsigned maxLineWidth = 160;

DisplayLine makeDisplayLine(StringRef line) {
  DisplayLine display;
  while (!line.empty()) {
    Character character = decodeCharacter(line);
    StringRef bytes = line.take_front(character.length);
    unsigned column = display.offsets.size();
    display.columns.insert(display.columns.end(), bytes.size(), column);

    std::string shown;
    unsigned width;
    int columns = character.isValid ? sys::unicode::columnWidthUTF8(bytes) : -1;
    if (bytes == "\t")
      width = tabWidth - column % tabWidth, shown.assign(width, ' ');
    else if (columns >= 0)
      width = columns, shown = bytes.str();
    else
      shown = "<" + describeCharacter(bytes) + ">", width = shown.size();

    for (unsigned i = 0; i != width; ++i) {
      // A wide character's later columns start where it ends.
      bool isSplit = i != 0 && character.length > 1 && shown == bytes;
      display.offsets.push_back(display.text.size() +
                                (isSplit ? shown.size() : i));
    }
    display.text += shown;
    line = line.drop_front(bytes.size());
  }
  display.columns.push_back(display.offsets.size());
  display.offsets.push_back(display.text.size());
  return display;
}

class Printer {
public:
  Printer(raw_ostream &os, const Sources &sources, bool useColor)
      : os(os), sources(sources), useColor(useColor) {}

  void print(Severity severity, SourceRange range, StringRef message,
             ArrayRef<FixIt> fixIts);
  /// Without a line of the source; `place` ends in a colon.
  void printMessage(StringRef place, Severity severity, StringRef message);

private:
  void printColored(StringRef text, StringRef escape) {
    if (useColor)
      os << "\033[" << escape << 'm' << text << "\033[0m";
    else
      os << text;
  }
  void printSnippet(SourceRange range, ArrayRef<FixIt> fixIts);
  std::string makeFixItLine(const DisplayLine &display, const SourceFile &file,
                            unsigned line, ArrayRef<FixIt> fixIts) const;

  raw_ostream &os;
  const Sources &sources;
  bool useColor;
};

StringRef getColor(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "1;31";
  case Severity::Warning:
    return "1;35";
  case Severity::Remark:
    return "1;34";
  case Severity::Note:
    return "1;36";
  }
  llvm_unreachable("a severity that is none");
}

void Printer::print(Severity severity, SourceRange range, StringRef message,
                    ArrayRef<FixIt> fixIts) {
  bool isSomewhere = range.begin != 0 || range.end != 0;
  const SourceFile &file = sources.find(range.begin);
  std::string place = file.getName().str() + ":";
  if (isSomewhere) {
    auto [line, column] = file.getLineColumn(range.begin);
    place += std::to_string(line) + ":" + std::to_string(column) + ":";
  }
  printMessage(place, severity, message);
  if (isSomewhere)
    printSnippet(range, fixIts);
}

void Printer::printMessage(StringRef place, Severity severity,
                           StringRef message) {
  printColored(place, "1");
  os << ' ';
  printColored((getSpelling(severity) + ":").str(), getColor(severity));
  os << ' ';
  printColored(message, "1");
  os << '\n';
}

/// Insertions and replacements of one line, below the text they stand for. What
/// is between two of them is shown once more, as they seldom fit otherwise.
std::string Printer::makeFixItLine(const DisplayLine &display,
                                   const SourceFile &file, unsigned line,
                                   ArrayRef<FixIt> fixIts) const {
  std::string result;
  std::optional<uint32_t> end;
  SmallVector<const FixIt *> ordered;
  for (const FixIt &fixIt : fixIts)
    ordered.push_back(&fixIt);
  llvm::stable_sort(ordered, [](const FixIt *a, const FixIt *b) {
    return a->range.begin < b->range.begin;
  });
  for (const FixIt *fixIt : ordered) {
    if (&sources.find(fixIt->range.begin) != &file)
      continue;
    auto [fixLine, column] = file.getLineColumn(fixIt->range.begin);
    if (fixLine != line || column > display.columns.size())
      continue;
    constexpr size_t maxBetween = 24;
    StringRef between;
    if (end && *end <= fixIt->range.begin)
      between = file.getText({*end, fixIt->range.begin});
    size_t start = display.columns[column - 1];
    if ((!end || between.size() > maxBetween) && result.size() <= start)
      result.append(start - result.size(), ' ');
    else
      result += between;
    result += StringRef(fixIt->replacement).ltrim('\n');
    end = fixIt->range.end;
  }
  return StringRef(result).trim().empty() ? "" : result;
}

void Printer::printSnippet(SourceRange range, ArrayRef<FixIt> fixIts) {
  const SourceFile &file = sources.find(range.begin);
  auto [line, column] = file.getLineColumn(range.begin);
  StringRef text = file.getLine(line);
  DisplayLine display = makeDisplayLine(text);
  size_t first = std::min<size_t>(column - 1, text.size());
  size_t last =
      std::min<size_t>(first + (range.end - range.begin), text.size());
  unsigned caret = display.columns[first];
  unsigned end = std::max(display.columns[last], caret + 1);

  std::string carets(caret, ' ');
  carets += '^';
  carets.append(end - caret - 1, '~');
  std::string fixes = makeFixItLine(display, file, line, fixIts);

  // The window's ends, in columns.
  unsigned width = display.offsets.size() - 1;
  unsigned from = width <= maxLineWidth || caret < maxLineWidth / 2
                      ? 0
                      : caret - maxLineWidth / 2;
  unsigned to = std::min(width, from + maxLineWidth);
  auto cut = [&](const std::string &marks) {
    std::string part = StringRef(marks).substr(from, maxLineWidth + 1).str();
    return (from == 0 ? "" : "   ") + part;
  };
  os << (from == 0 ? "" : "...")
     << StringRef(display.text)
            .slice(display.offsets[from], display.offsets[to])
     << (to == width ? "" : "...") << '\n';
  printColored(cut(carets), "1;32");
  os << '\n';
  if (!fixes.empty()) {
    printColored(cut(fixes), "32");
    os << '\n';
  }
}

} // namespace

void printDiagnostic(raw_ostream &os, const Sources &file,
                     const Diagnostic &diagnostic, bool useColor) {
  Printer printer(os, file, useColor);
  std::string message = diagnostic.message;
  if (getSeverity(diagnostic.id) == Severity::Warning)
    message += " [-W" + getWarningName(diagnostic.id) + "]";
  if (isOfTool(diagnostic.id))
    return printer.printMessage("einc:", diagnostic.severity, message);
  printer.print(diagnostic.severity, diagnostic.range, message,
                diagnostic.fixIts);
  for (const DiagnosticNote &note : diagnostic.notes)
    printer.print(Severity::Note, note.range, note.message, note.fixIts);
}

SmallVector<const Diagnostic *> sortByPlace(ArrayRef<Diagnostic> diagnostics) {
  SmallVector<const Diagnostic *> ordered;
  for (const Diagnostic &diagnostic : diagnostics)
    ordered.push_back(&diagnostic);
  auto isLast = [](const Diagnostic *diagnostic) {
    return diagnostic->id == DiagId::TooManyErrors;
  };
  llvm::stable_sort(ordered, [&](const Diagnostic *a, const Diagnostic *b) {
    return std::make_pair(isLast(a), a->range.begin) <
           std::make_pair(isLast(b), b->range.begin);
  });
  return ordered;
}

void printDiagnostics(raw_ostream &os, const Sources &file,
                      ArrayRef<Diagnostic> diagnostics, bool useColor) {
  for (const Diagnostic *diagnostic : sortByPlace(diagnostics))
    printDiagnostic(os, file, *diagnostic, useColor);
}

} // namespace ein
