//===- CacheTest.cpp - The library takes from disk what it put there ------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <thread>

using namespace ein::test;

namespace {

/// The cache is off in the other tests.
class Cache : public testing::Test {
protected:
  void SetUp() override {
    char name[] = "/tmp/einc-cache-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    directory = name;
    setenv("EINC_CACHE_DIR", name, 1);
    setenv("EINC_CACHE_SIZE", "1GiB", 1);
  }
  void TearDown() override {
    setenv("EINC_CACHE_SIZE", "0", 1);
    unsetenv("EINC_CACHE_DIR");
    std::filesystem::remove_all(directory);
  }

  std::vector<std::filesystem::path> list() const {
    std::vector<std::filesystem::path> files;
    for (const auto &file : std::filesystem::directory_iterator(directory))
      files.push_back(file.path());
    return files;
  }
  /// As if none had been used for long.
  void age() const {
    timespec times[2] = {};
    for (const auto &file : list())
      ASSERT_EQ(utimensat(AT_FDCWD, file.c_str(), times, 0), 0);
  }
  size_t countUsed() const {
    size_t count = 0;
    for (const auto &file : list()) {
      struct stat status = {};
      count += stat(file.c_str(), &status) == 0 && status.st_mtime != 0;
    }
    return count;
  }

  std::string directory;
};

constexpr char text[] = R"(
private def twice(x: f32(N)) -> (y: f32(N)) { y(i) = 2 * x(i) }
def f(x: f32(N), z: f32(N)) -> (y: f32(N)) {
  let unused(i) = x(i)
  let t = twice(x)
  y(i) = t(i) + z(i)
}
private def last(x: f32(N)) -> (y: f32(N)) { y(i) = x(i) }
)";

void check(const einc_program *program) {
  const einc_entry *entry = einc_program_find(program, nullptr);
  ASSERT_NE(entry, nullptr);
  EXPECT_STREQ(einc_entry_name(entry), "f");
  float x[3] = {1, 2, 3}, z[3] = {5, 5, 5}, y[3] = {};
  int64_t size[] = {3}, backwards[] = {-1};
  einc_array arrays[] = {{x + 2, size, backwards, 1, EINC_TYPE_F32},
                         {z, size, nullptr, 1, EINC_TYPE_F32},
                         {y, size, nullptr, 1, EINC_TYPE_F32}};
  ASSERT_EQ(einc_call(entry, arrays, 3, nullptr), EINC_OK);
  EXPECT_EQ(y[0], 11.0f);
  EXPECT_EQ(y[2], 7.0f);
  int64_t other[] = {2};
  arrays[1].sizes = other;
  EXPECT_EQ(einc_call(entry, arrays, 3, nullptr), EINC_SHAPE_MISMATCH);
}

TEST_F(Cache, GivesTheSameProgram) {
  Silence silence;
  auto first = compile(text);
  ASSERT_EQ(first.status, EINC_OK) << einc_last_message();
  ASSERT_EQ(list().size(), 1u);
  age();
  auto second = compile(text);
  ASSERT_EQ(second.status, EINC_OK) << einc_last_message();
  EXPECT_EQ(list().size(), 1u);
  EXPECT_EQ(countUsed(), 1u);
  check(first.value.get());
  check(second.value.get());
  ASSERT_EQ(einc_program_num_entries(first.value.get()),
            einc_program_num_entries(second.value.get()));
  for (size_t i = 0; i < einc_program_num_entries(first.value.get()); ++i)
    EXPECT_STREQ(
        einc_entry_signature_json(einc_program_entry(first.value.get(), i)),
        einc_entry_signature_json(einc_program_entry(second.value.get(), i)));
  // And what was said of it.
  ASSERT_NE(first.found, nullptr);
  ASSERT_NE(second.found, nullptr);
  EXPECT_STREQ(einc_diagnostics_text(first.found.get()),
               einc_diagnostics_text(second.found.get()));
  EXPECT_STREQ(einc_diagnostics_json(first.found.get()),
               einc_diagnostics_json(second.found.get()));
  EXPECT_STREQ(first.get().id, second.get().id);
  // What is not code is made anew.
  EXPECT_EQ(emit(text, "llvm-ir").status, EINC_OK);
  EXPECT_EQ(list().size(), 1u);
}

TEST_F(Cache, CanBeLeftAlone) {
  Silence silence;
  ASSERT_EQ(compile(text, {"--no-cache"}).status, EINC_OK);
  EXPECT_TRUE(list().empty());
  EXPECT_EQ(emit(text, "llvm-ir", {"--no-cache"}).status, EINC_OK);
  setenv("EINC_CACHE_SIZE", "0", 1);
  ASSERT_EQ(compile(text).status, EINC_OK);
  EXPECT_TRUE(list().empty());
  setenv("EINC_CACHE_SIZE", "a lot", 1);
  EXPECT_EQ(compile(text).status, EINC_WRONG_OPTION);
}

TEST_F(Cache, CompilesAnewWhatIsDamaged) {
  Silence silence;
  ASSERT_EQ(compile(text).status, EINC_OK);
  ASSERT_EQ(list().size(), 1u);
  std::filesystem::path entry = list().front();
  auto size = std::filesystem::file_size(entry);
  std::filesystem::resize_file(entry, size / 2);
  auto second = compile(text);
  ASSERT_EQ(second.status, EINC_OK);
  check(second.value.get());
  EXPECT_EQ(std::filesystem::file_size(entry), size);
}

TEST_F(Cache, ServesThreadsAtOnce) {
  Silence silence;
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number)
    threads.emplace_back([] {
      for (int round = 0; round < 3; ++round) {
        auto program = compile(text);
        ASSERT_EQ(program.status, EINC_OK) << einc_last_message();
        check(program.value.get());
        EXPECT_NE(program.found, nullptr);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(list().size(), 1u);
}

} // namespace
