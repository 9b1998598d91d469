//===- GoldenTest.cpp - Tokens, trees and programs against files ----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// EIN_UPDATE_GOLDENS=1 writes the files instead; read the diff.
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"
#include <cstdlib>

using namespace ein;
using namespace ein::test;

namespace {

void compare(const std::string &name, const std::string &seen) {
  std::filesystem::path path =
      getSourceDir() / "tests/unit/frontend/Inputs" / name;
  if (std::getenv("EIN_UPDATE_GOLDENS"))
    std::ofstream(path, std::ios::binary) << seen;
  EXPECT_EQ(readFile(path), seen) << name;
}

class Golden : public testing::TestWithParam<const char *> {
protected:
  std::string name = GetParam();
  Sources file{name + ".ein",
               readFile(getSourceDir() / "samples" / (name + ".ein"))};
  DiagnosticEngine diags;
  std::string text;
  llvm::raw_string_ostream os{text};
};

TEST_P(Golden, Tokens) {
  printTokens(os, lex(file.getMain(), diags));
  compare(name + ".tokens", text);
}

TEST_P(Golden, AST) {
  printAST(os, parseSource(file.getMain(), SourceForm::File, diags));
  compare(name + ".ast", text);
}

TEST_P(Golden, Program) {
  llvm::FailureOr<Program> program = parseProgram(file, {}, diags);
  ASSERT_TRUE(llvm::succeeded(program));
  printProgram(os, *program);
  compare(name + ".program", text);
}

INSTANTIATE_TEST_SUITE_P(Samples, Golden,
                         testing::Values("matmul", "chain3", "outer_trace",
                                         "log_matmul_exp", "conv3x3"),
                         [](const auto &info) { return info.param; });

} // namespace
