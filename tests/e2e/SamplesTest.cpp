//===- SamplesTest.cpp - Every sample over awkward sizes ----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/e2e/Harness.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace ein::test {
namespace {

std::vector<std::string> findSamples() {
  std::vector<std::string> paths;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(EIN_SAMPLES_DIR, error), end;
       it != end && !error; it.increment(error))
    if (llvm::StringRef(it->path()).ends_with(".ein"))
      paths.push_back(it->path());
  llvm::sort(paths);
  return paths;
}

std::string readSample(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

class Samples : public testing::TestWithParam<std::string> {};

std::string getTestName(const testing::TestParamInfo<std::string> &info) {
  std::string name = llvm::sys::path::stem(info.param).str();
  for (char &c : name)
    if (!llvm::isAlnum(c))
      c = '_';
  return name;
}

TEST_P(Samples, DynamicSizes) {
  std::string text = readSample(GetParam());
  for (unsigned optLevel : {3u, 1u, 0u}) {
    BuildOptions options;
    options.optLevel = optLevel;
    Compiled compiled(text, options);
    ASSERT_TRUE(compiled.isOk());
    Sweep sweep;
    sweep.choices = getTileSizes(ElementType::F32);
    sweep.numRandom = optLevel == 3 ? 60 : 20;
    for (const Def &def : compiled.getProgram().defs)
      runSweep(compiled, sweep, def.name);
  }
}

/// All sizes compiled in: equal ones, and some where every dim differs.
TEST_P(Samples, StaticSizes) {
  std::string text = readSample(GetParam());
  Compiled dynamic(text);
  ASSERT_TRUE(dynamic.isOk());
  std::vector<int64_t> sizes = getTileSizes(ElementType::F32);
  const std::vector<std::vector<int64_t>> choices = {
      {0}, {1}, {7}, {sizes[4]}, {5, sizes.back(), 3, 2}, {sizes.back(), 1, 9}};
  for (const std::vector<int64_t> &choice : choices) {
    Sizes bindings;
    size_t next = 0;
    for (const Def &def : dynamic.getProgram().defs)
      for (const std::string &symbol : dynamic.getSymbols(def.name)) {
        auto same = [&](const auto &binding) {
          return binding.first == symbol;
        };
        if (llvm::none_of(bindings, same))
          bindings.push_back({symbol, choice[next++ % choice.size()]});
      }
    for (unsigned optLevel : {3u, 0u}) {
      BuildOptions options;
      options.bindings = bindings;
      options.optLevel = optLevel;
      Compiled compiled(text, options);
      ASSERT_TRUE(compiled.isOk());
      for (const Def &def : compiled.getProgram().defs) {
        CallOptions call;
        call.entry = def.name;
        EXPECT_TRUE(compiled.check({}, call));
      }
    }
  }
}

// At -O0 every loop that may be parallel is, however small.
TEST_P(Samples, Threads) {
  std::string text = readSample(GetParam());
  for (unsigned optLevel : {3u, 0u}) {
    BuildOptions options;
    options.optLevel = optLevel;
    options.parallel = true;
    Compiled compiled(text, options);
    ASSERT_TRUE(compiled.isOk());
    for (const Def &def : compiled.getProgram().defs)
      for (int64_t size : {0, 1, 2, 13, 37}) {
        Sizes sizes;
        for (const std::string &symbol : compiled.getSymbols(def.name))
          sizes.push_back({symbol, size});
        CallOptions call;
        call.entry = def.name;
        EXPECT_TRUE(compiled.check(sizes, call));
      }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Samples, testing::ValuesIn(findSamples()),
                         getTestName);

TEST(SamplesDirectory, HasSamples) { EXPECT_GE(findSamples().size(), 8u); }

} // namespace
} // namespace ein::test
