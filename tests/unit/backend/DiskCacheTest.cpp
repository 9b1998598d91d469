//===- DiskCacheTest.cpp - Entries are whole, and ours, or not there ------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "backend/DiskCache.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace ein;

namespace {

CacheKey makeKey(StringRef text) {
  return BLAKE3::hash<32>(arrayRefFromStringRef(text));
}

class DiskCacheTest : public testing::Test {
protected:
  void SetUp() override {
    SmallString<128> path;
    ASSERT_FALSE(sys::fs::createUniqueDirectory("einc-cache-test", path));
    root = path.str().str();
    // Folders on the way are made as well.
    directory = root + "/a/b";
  }
  void TearDown() override { (void)sys::fs::remove_directories(root); }

  DiskCache makeCache(uint64_t maxBytes = kDefaultCacheBytes) const {
    return DiskCache(directory, maxBytes);
  }
  std::string getPath(const CacheKey &key) const {
    return directory + "/" + toHex(key, /*LowerCase=*/true) + ".einc";
  }
  static uint64_t countEntries(const DiskCache &cache) {
    Expected<DiskCache::Usage> usage = cache.measure();
    EXPECT_TRUE(bool(usage));
    return usage ? usage->entries : 0;
  }
  /// As if it had been used `seconds` ago.
  void age(const CacheKey &key, time_t seconds) const {
    timespec times[2] = {};
    clock_gettime(CLOCK_REALTIME, &times[0]);
    times[0].tv_sec -= seconds;
    times[1] = times[0];
    ASSERT_EQ(utimensat(AT_FDCWD, getPath(key).c_str(), times, 0), 0);
  }

  std::string root, directory;
};

TEST_F(DiskCacheTest, KeepsWhatIsStored) {
  DiskCache cache = makeCache();
  EXPECT_EQ(countEntries(cache), 0u);
  EXPECT_FALSE(cache.find(makeKey("a")));
  ASSERT_TRUE(cache.store(makeKey("a"), "some bytes"));
  ASSERT_TRUE(cache.store(makeKey("b"), ""));
  EXPECT_EQ(cache.find(makeKey("a")), "some bytes");
  EXPECT_EQ(cache.find(makeKey("b")), "");
  EXPECT_FALSE(cache.find(makeKey("c")));
  ASSERT_TRUE(cache.store(makeKey("a"), "others"));
  EXPECT_EQ(cache.find(makeKey("a")), "others");
  EXPECT_EQ(countEntries(cache), 2u);
  Expected<DiskCache::Usage> removed = cache.clear();
  ASSERT_TRUE(bool(removed));
  EXPECT_EQ(removed->entries, 2u);
  EXPECT_EQ(countEntries(cache), 0u);
}

TEST_F(DiskCacheTest, FolderIsOfTheUserAlone) {
  ASSERT_TRUE(makeCache().store(makeKey("a"), "bytes"));
  struct stat status;
  ASSERT_EQ(stat(directory.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  ASSERT_EQ(stat(getPath(makeKey("a")).c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

/// Every byte that is another, and every end that is too early, shows.
TEST_F(DiskCacheTest, DamageShows) {
  DiskCache cache = makeCache();
  CacheKey key = makeKey("a");
  ASSERT_TRUE(cache.store(key, "twelve bytes"));
  std::string whole;
  {
    std::ifstream file(getPath(key), std::ios::binary);
    whole.assign(std::istreambuf_iterator<char>(file), {});
  }
  auto write = [&](const std::string &bytes) {
    std::ofstream file(getPath(key), std::ios::binary | std::ios::trunc);
    file << bytes;
  };
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ (1 << i % 8));
    write(damaged);
    EXPECT_FALSE(cache.find(key)) << "byte " << i;
    write(whole.substr(0, i));
    EXPECT_FALSE(cache.find(key)) << "the first " << i << " bytes";
  }
  write(whole + "x");
  EXPECT_FALSE(cache.find(key));
  write(whole);
  EXPECT_EQ(cache.find(key), "twelve bytes");
  // It is replaced as if it were not there.
  write("nothing");
  ASSERT_TRUE(cache.store(key, "new bytes"));
  EXPECT_EQ(cache.find(key), "new bytes");
}

TEST_F(DiskCacheTest, EntriesStayUnderTheirNames) {
  DiskCache cache = makeCache();
  ASSERT_TRUE(cache.store(makeKey("a"), "bytes"));
  ASSERT_FALSE(sys::fs::rename(getPath(makeKey("a")), getPath(makeKey("b"))));
  EXPECT_FALSE(cache.find(makeKey("b")));
}

TEST_F(DiskCacheTest, WhatOthersCanWriteIsNotRead) {
  DiskCache cache = makeCache();
  CacheKey key = makeKey("a");
  ASSERT_TRUE(cache.store(key, "bytes"));
  ASSERT_EQ(chmod(getPath(key).c_str(), 0666), 0);
  EXPECT_FALSE(cache.find(key));
  ASSERT_EQ(chmod(getPath(key).c_str(), 0600), 0);
  EXPECT_TRUE(cache.find(key));
  // Nor is a link, wherever it leads.
  std::string elsewhere = root + "/elsewhere";
  ASSERT_FALSE(sys::fs::rename(getPath(key), elsewhere));
  ASSERT_EQ(symlink(elsewhere.c_str(), getPath(key).c_str()), 0);
  EXPECT_FALSE(cache.find(key));
}

TEST_F(DiskCacheTest, EntriesOfOthersAreNotRead) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root gives files away";
  DiskCache cache = makeCache();
  CacheKey key = makeKey("a");
  ASSERT_TRUE(cache.store(key, "bytes"));
  ASSERT_EQ(chown(getPath(key).c_str(), 65534, 65534), 0);
  EXPECT_FALSE(cache.find(key));
  ASSERT_TRUE(cache.store(key, "bytes"));
  EXPECT_TRUE(cache.find(key));
}

TEST_F(DiskCacheTest, LeastRecentlyUsedGoFirst) {
  std::string bytes(1000, 'x');
  DiskCache cache = makeCache(4 * 1100);
  for (const char *name : {"a", "b", "c", "d"})
    ASSERT_TRUE(cache.store(makeKey(name), bytes));
  age(makeKey("a"), 40);
  age(makeKey("b"), 30);
  age(makeKey("c"), 20);
  age(makeKey("d"), 10);
  EXPECT_TRUE(cache.find(makeKey("a"))); // used now
  ASSERT_TRUE(cache.store(makeKey("e"), bytes));
  EXPECT_TRUE(cache.find(makeKey("a")));
  EXPECT_FALSE(cache.find(makeKey("b")));
  EXPECT_TRUE(cache.find(makeKey("c")));
  EXPECT_TRUE(cache.find(makeKey("e")));
  Expected<DiskCache::Usage> usage = cache.measure();
  ASSERT_TRUE(bool(usage));
  EXPECT_LE(usage->bytes, cache.getMaxBytes());
  // What is larger than all that there may be is not kept, nor does it cost
  // what is.
  EXPECT_FALSE(cache.store(makeKey("f"), std::string(5000, 'x')));
  EXPECT_EQ(countEntries(cache), 4u);
}

TEST_F(DiskCacheTest, LeftoversAreRemoved) {
  DiskCache cache = makeCache();
  ASSERT_TRUE(cache.store(makeKey("a"), "bytes"));
  std::string left = getPath(makeKey("b")) + ".tmp-123456";
  std::string other = directory + "/README";
  for (const std::string &path : {left, other})
    std::ofstream(path) << "half";
  ASSERT_TRUE(cache.store(makeKey("c"), "bytes"));
  EXPECT_TRUE(sys::fs::exists(left)); // someone may be at it
  timespec times[2] = {};
  ASSERT_EQ(utimensat(AT_FDCWD, left.c_str(), times, 0), 0);
  ASSERT_TRUE(cache.store(makeKey("d"), "bytes"));
  EXPECT_FALSE(sys::fs::exists(left));
  // What is not ours stays.
  ASSERT_TRUE(bool(cache.clear()));
  EXPECT_TRUE(sys::fs::exists(other));
}

TEST_F(DiskCacheTest, NoFolderIsNoError) {
  std::ofstream(root + "/file") << "no folder";
  for (std::string path :
       {root + "/file", root + "/file/below", std::string()}) {
    DiskCache cache(path, kDefaultCacheBytes);
    EXPECT_FALSE(cache.find(makeKey("a")));
    EXPECT_FALSE(cache.store(makeKey("a"), "bytes"));
  }
}

/// Whoever reads sees all of what one of the writers wrote.
TEST_F(DiskCacheTest, ManyProcesses) {
  constexpr int numProcesses = 8, numRounds = 60;
  std::vector<pid_t> children;
  for (int child = 0; child < numProcesses; ++child) {
    pid_t pid = fork();
    ASSERT_GE(pid, 0);
    if (pid != 0) {
      children.push_back(pid);
      continue;
    }
    DiskCache cache = makeCache(20'000); // so that entries go, too
    bool isRight = true;
    for (int i = 0; i < numRounds; ++i) {
      std::string name = "key " + std::to_string(i % 7);
      std::string bytes(4000, static_cast<char>('a' + child));
      isRight &= cache.store(makeKey(name), name + bytes);
      std::optional<std::string> found = cache.find(makeKey(name));
      if (found)
        isRight &= StringRef(*found).starts_with(name) &&
                   found->size() == name.size() + bytes.size() &&
                   found->find_first_not_of((*found)[name.size()],
                                            name.size()) == std::string::npos;
    }
    _exit(isRight ? 0 : 1);
  }
  for (pid_t pid : children) {
    int status = 1;
    ASSERT_EQ(waitpid(pid, &status, 0), pid);
    EXPECT_EQ(status, 0);
  }
}

} // namespace
