//===- TestSupport.h - Helpers of the front end's tests ---------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_TESTS_UNIT_FRONTEND_TESTSUPPORT_H
#define EIN_TESTS_UNIT_FRONTEND_TESTSUPPORT_H

#include "frontend/check/Sema.h"
#include "frontend/print/Printer.h"
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace ein::test {

/// A source, and what the front end makes of it.
struct Checked {
  explicit Checked(std::string text, const CheckOptions &options = {},
                   SourceForm form = SourceForm::File,
                   std::string name = "test.ein")
      : file(std::move(name), std::move(text)),
        program(parseProgram(file, options, diags, form)) {
    EXPECT_EQ(llvm::failed(program), diags.hasErrors());
  }

  std::string diagnostics() const {
    std::string text;
    llvm::raw_string_ostream os(text);
    printDiagnostics(os, file, diags.getDiagnostics());
    return text;
  }
  std::string print() const {
    std::string text;
    llvm::raw_string_ostream os(text);
    if (llvm::succeeded(program))
      printProgram(os, *program);
    else
      os << diagnostics();
    return text;
  }
  const Def &def() const {
    EXPECT_TRUE(llvm::succeeded(program)) << diagnostics();
    return program->defs.back();
  }

  Sources file;
  DiagnosticEngine diags;
  llvm::FailureOr<Program> program;
};

/// The message of the only diagnostic, or all of them if there are others.
inline std::string getOnlyMessage(const Checked &checked) {
  llvm::ArrayRef<Diagnostic> diagnostics = checked.diags.getDiagnostics();
  return diagnostics.size() == 1 ? diagnostics[0].message
                                 : checked.diagnostics();
}

inline Checked checkCommandLine(std::string text,
                                const CheckOptions &options = {}) {
  return Checked(std::move(text), options, SourceForm::CommandLine,
                 "<command line>");
}

inline std::string readFile(const std::filesystem::path &path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

inline std::filesystem::path getSourceDir() { return EIN_SOURCE_DIR; }

/// The files of a kind in a directory of the source tree, by name.
inline std::vector<std::filesystem::path>
findPrograms(const char *directory, const char *extension = ".ein") {
  std::vector<std::filesystem::path> paths;
  for (const auto &entry :
       std::filesystem::directory_iterator(getSourceDir() / directory))
    if (entry.path().extension() == extension)
      paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  EXPECT_FALSE(paths.empty());
  return paths;
}

} // namespace ein::test

#endif // EIN_TESTS_UNIT_FRONTEND_TESTSUPPORT_H
