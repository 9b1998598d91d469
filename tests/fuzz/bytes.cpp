//===- bytes.cpp - Damaged files for the front end and readNpy ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs (samples/ and tests/frontend/) and `.npy` files are cut, spliced and
// sprinkled with bytes and tokens, from a seed. Whatever comes of them: no
// crash, no hang, a failure has a message, a success is of sane size. What is
// being read is in `bytes-crash` in the directory of `--out` when it kills us.
//
// The front end is run twice on some programs, because what depends on
// addresses or on what was there before does not show otherwise.
//
//===----------------------------------------------------------------------===//

#include "frontend/check/Sema.h"
#include "frontend/lex/Lexer.h"
#include "frontend/parse/Parser.h"
#include "frontend/print/Printer.h"
#include "frontend/source/VerifyDiagnostics.h"
#include "runtime/Npy.h"
#include "tests/fuzz/InProcess.h"
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <sys/mman.h>
#include <unistd.h>

using namespace ein;
using fuzz::fail;
using fuzz::tried;

namespace {

std::mt19937_64 randomBits;
size_t pick(size_t count) { return randomBits() % count; }

//===----------------------------------------------------------------------===//
// Mutation
//===----------------------------------------------------------------------===//

class Corpus {
public:
  std::vector<std::string> texts;
  std::vector<std::string> tokens;

  std::string next() const {
    std::string text = texts[pick(texts.size())];
    for (size_t i = 0, count = 1 + pick(pick(2) ? 2 : 6); i < count; ++i)
      mutate(text);
    return text;
  }

private:
  void mutate(std::string &text) const {
    size_t at = pick(text.size() + 1), length = pick(24);
    switch (pick(9)) {
    case 0:
      if (pick(4) == 0)
        text.resize(at);
      break;
    case 1:
      text.erase(at, length);
      break;
    case 2:
      text.insert(at, 1, static_cast<char>(pick(256)));
      break;
    case 3:
      text.insert(at, text.substr(pick(text.size() + 1), length));
      break;
    case 4: {
      const std::string &other = texts[pick(texts.size())];
      text.insert(at, other.substr(pick(other.size() + 1), 12 * length));
      break;
    }
    case 5:
      if (at < text.size())
        text[at] ^= 1 << pick(8);
      break;
    case 6: { // a number becomes another
      size_t digit = text.find_first_of("0123456789", at);
      if (digit != std::string::npos)
        text.replace(digit, 1,
                     pick(2) ? std::to_string(randomBits())
                             : std::to_string(pick(12)));
      break;
    }
    case 7: { // much of the same
      std::string piece = text.substr(at, 1 + pick(4));
      for (size_t i = 0, count = 1 + pick(pick(40) ? 8 : 2000); i < count; ++i)
        text.insert(at, piece);
      break;
    }
    default:
      text.insert(at, tokens[pick(tokens.size())]);
    }
    if (text.size() > 100000)
      text.resize(100000);
  }
};

std::string readFile(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Corpus makePrograms(const std::string &source) {
  Corpus corpus;
  for (const char *directory : {"samples", "tests/frontend"})
    for (const auto &entry : std::filesystem::recursive_directory_iterator(
             source + "/" + directory))
      if (entry.path().extension() == ".ein")
        corpus.texts.push_back(readFile(entry.path()));
  // The order of a directory is nobody's promise.
  std::sort(corpus.texts.begin(), corpus.texts.end());
  corpus.texts.insert(corpus.texts.end(),
                      {"mk,kn->mn", "C(m,n) +=! A(m,k)*B(k+1,n)", "...i,i->...",
                       "let t(i) = x(i); y = einsum(\"i,i\", t, x)"});
  for (const char *name : {
#define EIN_TOKEN(ENUM, NAME) NAME,
#include "frontend/lex/TokenKinds.def"
           "def ",
           "let ",
           "inout ",
           "einsum(\"",
           "f32(",
           "f64",
           "A(i, j)",
           "9223372036854775807",
           "-9223372036854775808",
           "1e400",
           "0x1p-1074",
           "\xC3\xA9",
           "\xFF",
           "\xEF\xBB\xBF",
           "where x",
           "exp(",
           "N",
           "\0",
           "\r",
           "attr(",
           "<T>",
           "...",
           "/*",
           "expected-error @+1 {{",
           "}}"})
    corpus.tokens.push_back(name);
  for (std::string &token : corpus.tokens)
    if (token.size() > 2 && token.front() == '`' && token.back() == '`')
      token = token.substr(1, token.size() - 2);
  return corpus;
}

/// A file as numpy writes it.
std::string makeNpy(unsigned version, const std::string &type,
                    const std::string &order, const std::string &shape,
                    size_t bytes) {
  std::string header = "{'descr': '" + type + "', 'fortran_order': " + order +
                       ", 'shape': (" + shape + "), }";
  size_t prefix = version == 1 ? 10 : 12;
  header.resize((prefix + header.size() + 64) / 64 * 64 - prefix - 1, ' ');
  header += '\n';
  std::string text = "\x93NUMPY";
  text += static_cast<char>(version);
  text += '\0';
  for (size_t i = 0; i < prefix - 8; ++i)
    text += static_cast<char>(header.size() >> (8 * i));
  text += header;
  for (size_t i = 0; i < bytes; ++i)
    text += static_cast<char>(37 * i);
  return text;
}

Corpus makeArrays() {
  Corpus corpus;
  for (unsigned version : {1, 2, 3}) {
    corpus.texts.push_back(makeNpy(version, "<f4", "False", "2, 3", 24));
    corpus.texts.push_back(makeNpy(version, ">f8", "True", "3, 2", 48));
    corpus.texts.push_back(makeNpy(version, "<f4", "False", "", 4));
    corpus.texts.push_back(makeNpy(version, "<f8", "False", "5,", 40));
    corpus.texts.push_back(makeNpy(version, "<f4", "True", "0, 7", 0));
    corpus.texts.push_back(makeNpy(version, "<i4", "False", "2,", 8));
  }
  corpus.tokens = {"(",
                   ")",
                   ",",
                   "'",
                   "{",
                   "}",
                   "True",
                   "False",
                   ":",
                   "0",
                   "-1",
                   "<f4",
                   ">f8",
                   "|V2",
                   "shape",
                   "descr",
                   "\\",
                   "\n",
                   "\x93",
                   "L",
                   "1e3",
                   "0x10",
                   "[('a', '<f4')]",
                   "fortran_order",
                   "9223372036854775807",
                   "4294967296, 4294967296"};
  return corpus;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// The front end's whole output for a program.
std::string readProgram(const std::string &text, const CheckOptions &options,
                        SourceForm form, bool &isAccepted) {
  Sources file("<bytes>", text);
  std::string printed;
  llvm::raw_string_ostream os(printed);
  DiagnosticEngine lexed;
  printTokens(os, lex(file.getMain(), lexed));
  DiagnosticEngine parsed;
  printAST(os, parseSource(file.getMain(), form, parsed));
  DiagnosticEngine diags;
  llvm::FailureOr<Program> program = parseProgram(file, options, diags, form);
  isAccepted = llvm::succeeded(program);
  if (isAccepted == diags.hasErrors())
    fail(isAccepted ? "accepted with an error" : "rejected without a message");
  if (isAccepted)
    printProgram(os, *program);
  printDiagnostics(os, file, diags.getDiagnostics(), true);
  (void)verifyDiagnostics(file, diags.getDiagnostics(), os);
  return printed;
}

bool tryProgram() {
  CheckOptions options;
  for (const char *name : {"N", "M", "K"})
    if (pick(3) == 0)
      options.bindings[name] = pick(20) ? pick(6) : INT64_MAX - pick(3);
  SourceForm form = pick(3) ? SourceForm::File : SourceForm::CommandLine;
  bool isAccepted = false;
  std::string printed = readProgram(tried, options, form, isAccepted);
  if (pick(8) == 0 && printed != readProgram(tried, options, form, isAccepted))
    fail("read differently the second time");
  return isAccepted;
}

/// A file in memory, without a disk to wear out.
int memory = -1;

bool tryArray() {
  if (ftruncate(memory, 0) != 0 ||
      pwrite(memory, tried.data(), tried.size(), 0) != ssize_t(tried.size()))
    return fail("cannot write"), false;
  runtime::Array array;
  std::string error;
  if (!runtime::readNpy("/proc/self/fd/" + std::to_string(memory), array,
                        error)) {
    if (error.empty() || error.find('\n') != std::string::npos)
      fail("refused without one line of text");
    return false;
  }
  int64_t bytes = 0;
  if (!runtime::countBytes(array.shape, runtime::getByteWidth(array.type),
                           bytes) ||
      bytes != array.getNumBytes() || bytes > int64_t(tried.size()))
    fail("an array larger than its file");
  return true;
}

} // namespace

int main(int argc, char **argv) {
  constexpr uint64_t kCount = 10000;
  auto options = fuzz::parseOptions(argc, argv, "bytes", kCount);
  if (!options)
    return 2;
  fuzz::watch(*options, "bytes", "the input is");
  randomBits.seed(options->seed);
  memory = memfd_create("array", 0);
  Corpus programs = makePrograms(EIN_SOURCE_DIR), arrays = makeArrays();
  uint64_t numPrograms = 0, numArrays = 0, numAccepted = 0, numRead = 0;
  for (uint64_t i = 0; fuzz::goesOn(*options, i); ++i) {
    if (i % 2) {
      tried = arrays.next();
      numRead += tryArray();
      ++numArrays;
    } else {
      tried = programs.next();
      numAccepted += tryProgram();
      ++numPrograms;
    }
  }
  return fuzz::finish(*options,
                      ": " + std::to_string(numPrograms) + " programs, " +
                          std::to_string(numAccepted) + " of them accepted; " +
                          std::to_string(numArrays) + " arrays, " +
                          std::to_string(numRead) + " of them read",
                      numPrograms + numArrays, "inputs");
}
