//===- FuzzTest.cpp - No input crashes the front end ----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs are cut, spliced and sprinkled with bytes and tokens. Assertions are
// on, so what this finds is a crash, a hang, or a failure without a message.
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"
#include "frontend/opdsl/write/Write.h"
#include "frontend/source/VerifyDiagnostics.h"
#include <random>

using namespace ein;
using namespace ein::test;

namespace {

class Mutator {
public:
  Mutator(unsigned seed, std::vector<std::string> corpus)
      : random(seed), corpus(std::move(corpus)) {}

  std::string next() {
    std::string text = corpus[pick(corpus.size())];
    for (size_t i = 0, e = 1 + pick(5); i != e; ++i)
      mutate(text);
    return text;
  }
  size_t pick(size_t count) { return random() % count; }

private:
  void mutate(std::string &text) {
    static constexpr const char *tokens[] = {
        "(",     ")",        "{",    "}",       ",",
        "=",     "+=!",      "max=", "->",      "...",
        "\"",    "*",        "-",    "/*",      "*/",
        "#",     "def ",     "let ", "inout ",  "einsum(",
        "f32(",  "f64",      "A",    "B(i)",    "9223372036854775807",
        "1e400", "0",        ":",    ";",       "\n",
        "\t",    "\xC3\xA9", "\xFF", "where x", "+",
        "i",     "exp",      "N"};
    size_t at = pick(text.size() + 1);
    size_t length = pick(20);
    switch (pick(6)) {
    case 0:
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
      const std::string &other = corpus[pick(corpus.size())];
      text.insert(at, other.substr(pick(other.size() + 1), 10 * length));
      break;
    }
    default:
      text.insert(at, tokens[pick(std::size(tokens))]);
    }
  }

  std::mt19937 random;
  std::vector<std::string> corpus;
};

TEST(Fuzz, NothingCrashes) {
  const unsigned seed = 20240607;
  std::vector<std::string> corpus = {
      "mk,kn->mn", "C(m,n) +=! A(m,k)*B(k+1,n)", "...i,i->...",
      "let t(i) = x(i); y = einsum(\"i,i\", t, x)"};
  for (const char *directory : {"samples", "tests/frontend"})
    for (const auto &path : findPrograms(directory))
      corpus.push_back(readFile(path));
  Mutator mutator(seed, std::move(corpus));
  unsigned numAccepted = 0;
  for (unsigned round = 0; round != 10000; ++round) {
    CheckOptions options;
    if (mutator.pick(3) == 0)
      options.bindings["N"] = mutator.pick(5);
    SourceForm form =
        mutator.pick(2) ? SourceForm::File : SourceForm::CommandLine;
    std::string text = mutator.next();
    Checked checked(text, options, form);
    EXPECT_EQ(llvm::failed(checked.program), checked.diags.hasErrors())
        << "seed " << seed << ", round " << round;
    EXPECT_FALSE(checked.print().empty());
    std::string ignored;
    llvm::raw_string_ostream os(ignored);
    printTokens(os, lex(checked.file.getMain(), checked.diags));
    (void)verifyDiagnostics(checked.file, checked.diags.getDiagnostics(), os);
    numAccepted += llvm::succeeded(checked.program);
  }
  // It is no test of the checker if the parser stops everything.
  EXPECT_GT(numAccepted, 300u);
}

// LLVM's YAML parser is not made for damaged files.
TEST(Fuzz, NoYamlCrashes) {
  const unsigned seed = 20261121;
  std::vector<std::string> corpus = {"---\n- [a, {b: c}]\n- |\n  x\n",
                                     "? a\n: &x b\n? c\n: *x\n",
                                     "\"\\x41\\u0042\": 'it''s' # c\n"};
  for (const auto &path : findPrograms("samples", ".yaml"))
    for (unsigned copies = 0; copies != 3; ++copies)
      corpus.push_back(readFile(path));
  Mutator mutator(seed, std::move(corpus));
  unsigned numAccepted = 0;
  for (unsigned round = 0; round != 2000; ++round) {
    CheckOptions options;
    if (mutator.pick(3) == 0)
      options.bindings["strides"] = mutator.pick(5);
    Checked checked(mutator.next(), options, SourceForm::OpDSL);
    EXPECT_FALSE(checked.print().empty());
    if (llvm::failed(checked.program))
      continue;
    ++numAccepted;
    std::string ignored;
    llvm::raw_string_ostream os(ignored);
    opdsl::printModule(os, *checked.program, checked.diags);
    opdsl::printOds(os, *checked.program, checked.diags);
  }
  EXPECT_GT(numAccepted, 20u);
}

// Depth is refused before anything recurses.
TEST(Fuzz, DeepYaml) {
  for (std::string text :
       {std::string(100000, '['), std::string(100000, '-'),
        "a: " + std::string(100000, '{'), std::string(50000, ' ') + "- a"}) {
    for (size_t i = 1; i < text.size(); i += 2)
      if (text[0] == '-')
        text[i] = ' ';
    Checked checked(text, {}, SourceForm::OpDSL);
    EXPECT_EQ(getOnlyMessage(checked), "nesting is deeper than 256 levels");
  }
}

} // namespace
