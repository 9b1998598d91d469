//===- Assembly.cpp - Assembly for people ---------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's assembly with line tables has a `.loc` where the line changes, labels
// for the tables, and the tables themselves. What is left here is what there
// is without them.
//
//===----------------------------------------------------------------------===//

#include "driver/html/SourceLines.h"
#include "driver/html/StageTexts.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace ein {
namespace {

class AssemblyReader {
public:
  explicit AssemblyReader(const Sources &sources) : sources(sources) {}

  StageText read(StringRef assembly);

private:
  /// Whether the line is about tables, and is left out.
  bool readDirective(StringRef line);
  void add(StringRef line);
  /// Keeps the loops that have none inside.
  void finishFunction();

  const Sources &sources;
  StageText result;
  std::vector<std::string> files; // by their numbers in `.file`
  unsigned place = 0, numLines = 0;
  bool isInTables = false;

  // Of the function at hand.
  std::string function;
  StringMap<unsigned> labels;
  struct Line {
    bool isInstruction, isMultiplyAdd;
  };
  std::vector<Line> lines;
  std::vector<StageText::Loop> loops;
};

} // namespace

/// `"name"` after blanks.
static std::string readQuoted(StringRef &text) {
  text = text.ltrim();
  if (!text.consume_front("\""))
    return "";
  auto [name, rest] = text.split('"');
  text = rest;
  return name.str();
}

bool AssemblyReader::readDirective(StringRef line) {
  StringRef text = line.trim();
  if (text.consume_front(".loc")) {
    unsigned file = 0, number = 0;
    text = text.ltrim();
    if (text.consumeInteger(10, file))
      return true;
    text = text.ltrim();
    if (text.consumeInteger(10, number))
      return true;
    place = file < files.size() ? getPageLine(sources, files[file], number) : 0;
    return true;
  }
  if (text.consume_front(".file")) {
    unsigned number = 0;
    text = text.ltrim();
    if (text.consumeInteger(10, number))
      return false; // the name of the module
    std::string first = readQuoted(text), second = readQuoted(text);
    if (files.size() <= number)
      files.resize(number + 1);
    files[number] = second.empty() ? first : second;
    return true;
  }
  if (text.starts_with(".section") || text == ".text")
    isInTables = text.contains(".debug") || text.contains("__debug") ||
                 text.contains("note.GNU-stack");
  if (isInTables)
    return true;
  if (text.consume_front(".Ltmp") || text.consume_front("Ltmp"))
    return text.ends_with(":");
  return text.starts_with(".cfi_") || text.starts_with(".Lfunc_") ||
         text.starts_with("Lfunc_") || text.starts_with(".addrsig");
}

/// The first word.
static StringRef getMnemonic(StringRef line) {
  return line.trim().take_while([](char c) { return c != ' ' && c != '\t'; });
}

/// What a branch goes to: a block's label at the end of the line.
static StringRef getTarget(StringRef line) {
  StringRef mnemonic = getMnemonic(line);
  bool isBranch = mnemonic.starts_with("j") || mnemonic.starts_with("b") ||
                  mnemonic.starts_with("cb") || mnemonic.starts_with("tb");
  StringRef last = line.rtrim();
  size_t blank = last.find_last_of(" \t,");
  last = blank == StringRef::npos ? last : last.drop_front(blank + 1);
  return isBranch && last.contains("LBB") ? last : StringRef();
}

void AssemblyReader::add(StringRef line) {
  bool isLabel = !line.empty() && !isSpace(line[0]);
  if (isLabel) {
    StringRef label = line.split(':').first;
    if (label.contains("LBB")) {
      labels[label] = numLines;
    } else if (!label.starts_with(".L") && !label.starts_with("L")) {
      finishFunction();
      function = label.str();
      place = 0;
    }
  }
  StringRef mnemonic = getMnemonic(line);
  bool isInstruction = !isLabel && !mnemonic.empty() &&
                       !mnemonic.starts_with(".") && mnemonic[0] != '#';
  bool isMultiplyAdd =
      isInstruction &&
      (mnemonic.starts_with("vfm") || mnemonic.starts_with("vfnm") ||
       mnemonic.starts_with("fml") || mnemonic.starts_with("fmadd") ||
       mnemonic.starts_with("vpdp") || mnemonic.starts_with("vpmadd") ||
       mnemonic.starts_with("mla"));
  if (StringRef target = getTarget(line); !target.empty())
    if (auto found = labels.find(target); found != labels.end())
      loops.push_back({function, target.str(), found->second, numLines, 0, 0});
  lines.push_back({isInstruction, isMultiplyAdd});
  if (isInstruction && place != 0) {
    result.places.resize(numLines + 1, 0);
    result.places[numLines] = place;
  }
  result.text += line;
  result.text += '\n';
  ++numLines;
}

void AssemblyReader::finishFunction() {
  unsigned base = numLines - lines.size();
  for (StageText::Loop &loop : loops) {
    bool hasInner = any_of(loops, [&](const StageText::Loop &other) {
      return loop.first <= other.first && other.last <= loop.last &&
             (loop.first != other.first || loop.last != other.last);
    });
    if (hasInner)
      continue;
    for (unsigned line = loop.first; line <= loop.last; ++line) {
      loop.instructions += lines[line - base].isInstruction;
      loop.multiplyAdds += lines[line - base].isMultiplyAdd;
    }
    result.loops.push_back(loop);
  }
  loops.clear();
  lines.clear();
  labels.clear();
}

StageText AssemblyReader::read(StringRef assembly) {
  while (!assembly.empty()) {
    auto [line, rest] = assembly.split('\n');
    assembly = rest;
    if (!readDirective(line))
      add(line);
  }
  finishFunction();
  return std::move(result);
}

StageText readAssembly(StringRef assembly, const Sources &sources) {
  return AssemblyReader(sources).read(assembly);
}

} // namespace ein
