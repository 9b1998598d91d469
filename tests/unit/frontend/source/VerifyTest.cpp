//===- VerifyTest.cpp - Every diagnostic against what the tests expect ----===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the programs of tests/frontend, whose comments say what they provoke,
// and counts which lines of Diagnostics.def were provoked at all.
//
//===----------------------------------------------------------------------===//

#include "../TestSupport.h"
#include "frontend/source/VerifyDiagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace ein;
using namespace ein::test;

namespace {

/// The programs that say what is wrong with them, in all notations.
std::vector<std::filesystem::path> findWrongPrograms() {
  std::vector<std::filesystem::path> paths = findPrograms("tests/frontend");
  auto ops = findPrograms("tests/frontend/opdsl", ".yaml");
  paths.insert(paths.end(), ops.begin(), ops.end());
  return paths;
}

/// What `--bind` of the first RUN line that has it binds.
CheckOptions readOptions(llvm::StringRef text) {
  CheckOptions options;
  llvm::StringRef line;
  while (!text.empty() && !(line.contains("RUN:") && line.contains("--bind ")))
    std::tie(line, text) = text.split('\n');
  llvm::StringRef bindings = line.split("--bind ").second.split(' ').first;
  std::string error;
  if (!bindings.empty()) {
    EXPECT_TRUE(parseBindings(bindings, options, error)) << error;
  }
  return options;
}

Checked checkFile(const std::filesystem::path &path) {
  std::string text = readFile(path);
  CheckOptions options = readOptions(text);
  SourceForm form =
      path.extension() == ".yaml" ? SourceForm::OpDSL : SourceForm::File;
  return Checked(text, options, form, path.string());
}

std::string verify(const Checked &checked) {
  std::string text;
  llvm::raw_string_ostream os(text);
  bool isGood = llvm::succeeded(
      verifyDiagnostics(checked.file, checked.diags.getDiagnostics(), os));
  EXPECT_EQ(isGood, text.empty());
  return text;
}

TEST(Verify, ProgramsProvokeWhatTheySay) {
  for (const auto &path : findWrongPrograms())
    EXPECT_EQ(verify(checkFile(path)), "");
}

TEST(Verify, SamplesAreRight) {
  for (const auto &path : findPrograms("samples")) {
    Checked checked = checkFile(path);
    EXPECT_TRUE(llvm::succeeded(checked.program));
    EXPECT_EQ(checked.diagnostics(), "");
  }
}

/// What a file in a directory cannot well provoke.
std::vector<std::string> makeLargeSources() {
  std::string chain = "x = 1", errors, indices = "x = A(0";
  for (int i = 0; i != 1025; ++i)
    indices += ", i" + std::to_string(i);
  indices += ")";
  for (int i = 0; i != 2000; ++i)
    chain += " + 1";
  for (int i = 0; i != 60; ++i)
    errors += "x = $;\n";
  // Each calls the one before it, `calls` times.
  auto makeCalls = [](int depth, int calls) {
    std::string defs = "def f0(x: f32(N)) -> (y: f32(N)) { y(i) = x(i) }\n";
    for (int i = 1; i <= depth; ++i) {
      std::string last = "f" + std::to_string(i - 1);
      defs += "def f" + std::to_string(i) + "(x: f32(N)) -> (y: f32(N)) {";
      for (int j = 0; j != calls; ++j)
        defs += " y = " + last + "(x)";
      defs += " }\n";
    }
    return defs;
  };
  return {std::string((4 << 20) + 1, ' '),
          "x = " + std::string(300, '('),
          chain,
          errors,
          indices,
          makeCalls(70, 1),
          makeCalls(3, 30),
          std::string(100, '\1')};
}

/// What the front end cannot provoke, because it is others that report it. An
/// internal error is a bug, so that nothing can be known to provoke it.
bool isOfLaterStages(DiagId id) {
  // What is about no source: tests/driver/errors-json.test.
  return isOfTool(id) || id == DiagId::NameClashesWithC ||
         id == DiagId::ComplexByValue || id == DiagId::NotExpressible ||
         id == DiagId::MLIRError || id == DiagId::LevelIsPast ||
         id == DiagId::LevelIsForOneCpu || id == DiagId::InternalError ||
         id == DiagId::Report || id == DiagId::TemporariesTooLarge ||
         id == DiagId::PathSyntax || id == DiagId::PathPosition ||
         id == DiagId::PathRepeated || id == DiagId::PathIncomplete ||
         id == DiagId::PathForWhich || id == DiagId::PathUnknownStatement ||
         id == DiagId::DistributionNeedsSize ||
         id == DiagId::DistributionNeedsMemory ||
         id == DiagId::DistributionGridForWhich ||
         id == DiagId::DistributionGridIndices || id == DiagId::NoPublicDef ||
         id == DiagId::NewForm || id == DiagId::ModuleTooDeep ||
         id == DiagId::MLIRNote || id == DiagId::ScriptWarning ||
         id == DiagId::CannotDistribute ||
         id == DiagId::IndexIsData; // of arrays, which a run has
}

TEST(Verify, EveryDiagnosticIsProvoked) {
  std::set<DiagId> seen;
  auto add = [&](const Checked &checked) {
    for (const Diagnostic &diagnostic : checked.diags.getDiagnostics()) {
      seen.insert(diagnostic.id);
      for (const DiagnosticNote &note : diagnostic.notes)
        seen.insert(note.id);
    }
  };
  for (const auto &path : findWrongPrograms())
    add(checkFile(path));
  for (const std::string &source : makeLargeSources())
    add(Checked(source));
  for (unsigned i = 0; i != getNumDiagIds(); ++i)
    EXPECT_TRUE(seen.count(DiagId(i)) || isOfLaterStages(DiagId(i)))
        << "no test provokes " << getName(DiagId(i)).str();
}

/// A def of one statement on the first line.
Checked checkBody(const std::string &value) {
  return Checked("def f() -> (x: f32) { x = " + value + "\n}");
}

TEST(Verify, SaysWhatDiffers) {
  EXPECT_EQ(verify(checkBody("y # expected-error {{unknown name}}")), "");
  EXPECT_EQ(verify(checkBody("y")),
            "test.ein:1: unexpected error: unknown name `y`\n");
  EXPECT_EQ(verify(Checked("x = 1 # expected-error {{unknown name}}")),
            "test.ein:1: expected error did not come: unknown name\n");
  EXPECT_EQ(verify(checkBody("y # expected-warning {{unknown name}}")),
            "test.ein:1: unexpected error: unknown name `y`\n"
            "test.ein:1: expected warning did not come: unknown name\n");
  EXPECT_EQ(verify(checkBody("y # expected-error @+1 {{unknown name}}")),
            "test.ein:1: unexpected error: unknown name `y`\n"
            "test.ein:1: expected error did not come: unknown name\n");
  // One expectation is met once.
  EXPECT_EQ(verify(checkBody("y + y # expected-error {{unknown name}}")),
            "test.ein:1: unexpected error: unknown name `y`\n");
  EXPECT_EQ(verify(checkBody("y + z # expected-error {{`y`}} expected-error "
                             "@-0 {{`z`}}")),
            "");
}

TEST(Verify, SaysWhatItCannotRead) {
  for (const char *comment :
       {"expected-eror {{x}}", "expected-error x", "expected-error {{x}",
        "expected-error @ {{x}}", "expected-error @+x {{x}}", "expected-"})
    EXPECT_EQ(verify(Checked("x = 1 # " + std::string(comment))),
              "test.ein:1: cannot read this expectation\n");
}

} // namespace
