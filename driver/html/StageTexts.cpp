//===- StageTexts.cpp - Every stage, line by line -------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a line comes from is not guessed from its text. MLIR and LLVM IR say on
// which line they print which op or instruction, and that has a location;
// assembly has its line table between the lines. Tokens are printed with their
// places, and what else the front end prints has the program's statements in
// the program's order.
//
//===----------------------------------------------------------------------===//

#include "driver/html/StageTexts.h"
#include "driver/DocumentForms.h"
#include "driver/Reports.h"
#include "driver/html/Page.h"
#include "driver/html/SourceLines.h"
#include "frontend/print/Printer.h"
#include "mlir/IR/AsmState.h"
#include "llvm/IR/AssemblyAnnotationWriter.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/FormattedStream.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace mlir;

namespace ein {

static void setPlace(StageText &stage, unsigned line, unsigned place) {
  if (stage.places.size() <= line)
    stage.places.resize(line + 1, 0);
  if (stage.places[line] == 0)
    stage.places[line] = place;
}

static SmallVector<StringRef> getLines(const StageText &stage) {
  SmallVector<StringRef> lines;
  StringRef(stage.text).split(lines, '\n');
  return lines;
}

static size_t getIndent(StringRef line) {
  return line.size() - line.ltrim(' ').size();
}

//===----------------------------------------------------------------------===//
// The front end
//===----------------------------------------------------------------------===//

/// `5:14 LParen (`.
static void placeTokens(StageText &stage, const Sources &sources) {
  for (auto [number, line] : llvm::enumerate(getLines(stage))) {
    unsigned place = 0;
    if (!line.consumeInteger(10, place) && line.starts_with(":"))
      setPlace(stage, number, place);
  }
  (void)sources; // tokens are those of the main file, which is the first
}

/// What is deeper than a line comes from where that does.
static void placeChildren(StageText &stage) {
  SmallVector<std::pair<size_t, unsigned>> parents; // indent, place
  for (auto [number, line] : llvm::enumerate(getLines(stage))) {
    if (line.trim().empty())
      continue;
    size_t indent = getIndent(line);
    while (!parents.empty() && parents.back().first >= indent)
      parents.pop_back();
    if (!parents.empty())
      setPlace(stage, number, parents.back().second);
    if (number < stage.places.size() && stage.places[number] != 0)
      parents.push_back({indent, stage.places[number]});
  }
}

static void placeTree(StageText &stage, const ast::Module &tree,
                      const Sources &sources) {
  SmallVector<std::pair<StringRef, uint32_t>> heads;
  for (const ast::Def &def : tree.defs) {
    heads.push_back({"def ", def.range.begin});
    for (const ast::Statement &statement : def.statements)
      heads.push_back({"statement ", statement.target.range.begin});
  }
  const auto *next = heads.begin();
  for (auto [number, line] : llvm::enumerate(getLines(stage)))
    if (next != heads.end() && line.ltrim().starts_with(next->first)) {
      setPlace(stage, number, getPageLine(sources, next->second));
      ++next;
    }
  placeChildren(stage);
}

static void placeStatements(StageText &stage, const Program &program,
                            const Sources &sources) {
  struct Head {
    std::string text;
    uint32_t offset;
  };
  std::vector<Head> heads;
  for (const Def &def : program.defs) {
    heads.push_back({"def " + def.name, def.range.begin});
    for (const Statement &statement : def.statements) {
      Head head = {"", statement.range.begin};
      llvm::raw_string_ostream os(head.text);
      printStatement(os, def, statement);
      heads.push_back(std::move(head));
    }
  }
  auto next = heads.begin();
  for (auto [number, line] : llvm::enumerate(getLines(stage))) {
    StringRef text = line.trim();
    (void)(text.consume_front("let ") || text.consume_front("private "));
    if (next != heads.end() && text.starts_with(next->text)) {
      setPlace(stage, number, getPageLine(sources, next->offset));
      ++next;
    }
  }
  placeChildren(stage);
}

//===----------------------------------------------------------------------===//
// MLIR, LLVM IR
//===----------------------------------------------------------------------===//

static void printModule(StageText &stage, CompileState &state) {
  AsmState::LocationMap lines;
  AsmState names(*state.module, OpPrintingFlags(), &lines);
  std::string text;
  llvm::raw_string_ostream os(text);
  state.module->print(os, names);
  // Lines stay.
  stage.text = writeDocumentForms(text).getText();
  const RewrittenText *rewritten =
      state.rewritten ? &*state.rewritten : nullptr;
  state.module->walk([&](Operation *op) {
    auto found = lines.find(op);
    SourceRange range = getRange(state.file, op->getLoc(), rewritten);
    if (found != lines.end() && range.end != 0 && !isa<ModuleOp>(op))
      setPlace(stage, found->second.first - 1,
               getPageLine(state.file, range.begin));
  });
}

static unsigned getPlace(const llvm::DebugLoc &loc, const Sources &sources) {
  for (const llvm::DILocation *at = loc.get(); at; at = at->getInlinedAt())
    if (unsigned place = getPageLine(sources, at->getFilename(), at->getLine()))
      return place;
  return 0;
}

namespace {
/// Notes which instruction is printed on which line.
class LineNoter : public llvm::AssemblyAnnotationWriter {
public:
  void emitInstructionAnnot(const llvm::Instruction *instruction,
                            llvm::formatted_raw_ostream &os) override {
    lines.push_back({instruction, os.getLine()});
  }
  std::vector<std::pair<const llvm::Instruction *, unsigned>> lines;
};
} // namespace

/// Without what locations look like in it.
static void printCode(StageText &stage, CompileState &state) {
  llvm::ValueToValueMapTy copies;
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(*state.code, copies);
  llvm::DenseMap<const llvm::Instruction *, unsigned> places;
  for (const llvm::Function &function : *state.code)
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      if (llvm::Value *made = copies.lookup(&instruction))
        places[cast<llvm::Instruction>(made)] =
            getPlace(instruction.getDebugLoc(), state.file);
  llvm::StripDebugInfo(*copy);
  LineNoter noter;
  llvm::raw_string_ostream os(stage.text);
  copy->print(os, &noter);
  for (auto [instruction, line] : noter.lines)
    setPlace(stage, line, places.lookup(instruction));
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

/// Cuts what is too much for a page.
static void limit(StageText &stage) {
  StringRef text = stage.text;
  size_t end = 0, lines = 0;
  while (end < text.size() && lines < kMostPageLines) {
    size_t next = text.find('\n', end);
    next = next == StringRef::npos ? text.size() : next + 1;
    if (next > kMostPageBytes)
      break;
    end = next;
    ++lines;
  }
  stage.numOmitted = text.drop_front(end).count('\n');
  stage.text.resize(end);
  if (stage.places.size() > lines)
    stage.places.resize(lines);
  llvm::erase_if(stage.loops, [&](const StageText::Loop &loop) {
    return loop.last >= lines;
  });
}

void StageTexts::visit(const Stage &stage, CompileState &state) {
  EmissionKind kind = *stage.kind;
  StageText result;
  const Program &program = state.result.program;
  auto print = [&] {
    llvm::raw_string_ostream os(result.text);
    stage.print(state, os);
  };
  switch (kind) {
  case EmissionKind::Tokens:
    print();
    placeTokens(result, state.file);
    break;
  case EmissionKind::Ast:
    print();
    placeTree(result, state.tree, state.file);
    break;
  case EmissionKind::Program:
  case EmissionKind::Ranges:
  case EmissionKind::Ein:
    print();
    placeStatements(result, program, state.file);
    break;
  case EmissionKind::LLVMIR:
    printCode(result, state);
    break;
  case EmissionKind::Asm:
    result = readAssembly({state.assembly.data(), state.assembly.size()},
                          state.file);
    break;
  default:
    if (!state.module || kind > EmissionKind::LLVMDialect ||
        kind < EmissionKind::Mlir)
      return;
    printModule(result, state);
    break;
  }
  result.name = getName(kind);
  limit(result);
  stages.push_back(std::move(result));
}

void StageTexts::print(llvm::json::OStream &json) const {
  json.array([&] {
    for (const StageText &stage : stages)
      json.object([&] {
        json.attribute("name", stage.name);
        json.attribute("text", llvm::json::fixUTF8(stage.text));
        json.attributeArray("places", [&] {
          for (unsigned place : stage.places)
            json.value(place);
        });
        if (stage.numOmitted)
          json.attribute("omitted", stage.numOmitted);
        if (stage.loops.empty())
          return;
        json.attributeArray("loops", [&] {
          for (const StageText::Loop &loop : stage.loops)
            json.object([&] {
              json.attribute("function", llvm::json::fixUTF8(loop.function));
              json.attribute("label", loop.label);
              json.attribute("first", loop.first);
              json.attribute("last", loop.last);
              json.attribute("instructions", loop.instructions);
              json.attribute("multiply_adds", loop.multiplyAdds);
            });
        });
      });
  });
}

} // namespace ein
