//===- DiskCache.cpp - What is kept between processes ---------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An entry is a file: a word that says what it is, its key, the hash of its
// bytes, and the bytes. The key is there so that a file that was renamed is not
// taken for another. When it was used last is its time of modification: that of
// access is not kept everywhere.
//
//===----------------------------------------------------------------------===//

#include "backend/DiskCache.h"
#include "runtime/HeldSignals.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace ein {

static constexpr StringLiteral kMagic = "einc-1\r\n";
static constexpr StringLiteral kSuffix = ".einc";
static constexpr StringLiteral kTemporary = ".tmp-";

static StringRef toText(const CacheKey &key) {
  return {reinterpret_cast<const char *>(key.data()), key.size()};
}

/// What stands before the bytes of an entry.
static std::string makeHead(const CacheKey &key, StringRef bytes) {
  return (kMagic + toText(key) +
          toText(BLAKE3::hash<32>(arrayRefFromStringRef(bytes))))
      .str();
}

std::string getCacheDirectory() {
  if (std::optional<std::string> given = sys::Process::GetEnv("EINC_CACHE_DIR"))
    return *given;
  SmallString<128> path;
  std::optional<std::string> base = sys::Process::GetEnv("XDG_CACHE_HOME");
  // What is no absolute path is to be ignored, says its specification.
  if (base && sys::path::is_absolute(*base)) {
    path = *base;
  } else {
    if (!sys::path::home_directory(path) || !sys::path::is_absolute(path))
      return "";
    sys::path::append(path, ".cache");
  }
  sys::path::append(path, "einc");
  return path.str().str();
}

std::string DiskCache::getPath(const CacheKey &key) const {
  SmallString<128> path(directory);
  sys::path::append(path, toHex(key, /*LowerCase=*/true) + kSuffix);
  return path.str().str();
}

std::optional<std::string> DiskCache::find(const CacheKey &key) const {
  int file = open(getPath(key).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW |
                                            O_NONBLOCK); // of what is no file
  if (file < 0)
    return std::nullopt;
  scope_exit close([&] { ::close(file); });
  struct stat status;
  // Code that another user wrote, or may have written, is not run.
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode) ||
      status.st_uid != geteuid() || (status.st_mode & (S_IWGRP | S_IWOTH)))
    return std::nullopt;
  // Read and not mapped: a file that becomes shorter would end the process.
  auto buffer = MemoryBuffer::getOpenFile(file, "", status.st_size,
                                          /*RequiresNullTerminator=*/false,
                                          /*IsVolatile=*/true);
  if (!buffer)
    return std::nullopt;
  StringRef contents = (*buffer)->getBuffer();
  size_t headSize = kMagic.size() + 2 * key.size();
  if (contents.size() < headSize)
    return std::nullopt;
  StringRef bytes = contents.drop_front(headSize);
  if (contents.take_front(headSize) != makeHead(key, bytes))
    return std::nullopt;
  (void)futimens(file, nullptr);
  return bytes.str();
}

namespace {
/// While it lives, a file that becomes larger than the process may write is an
/// error of `write`, and does not end the process.
class HeldSizeLimit {
public:
  HeldSizeLimit() {
    sigemptyset(&limit);
    sigaddset(&limit, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &limit, &before);
  }
  ~HeldSizeLimit() {
    timespec now = {};
    if (!sigismember(&before, SIGXFSZ))
      (void)sigtimedwait(&limit, nullptr, &now);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  HeldSizeLimit(const HeldSizeLimit &) = delete;

private:
  sigset_t limit, before;
};
} // namespace

/// Writes all of it.
static bool writeAll(int file, StringRef bytes) {
  while (!bytes.empty()) {
    ssize_t count = write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    bytes = bytes.drop_front(count);
  }
  return true;
}

/// The folder, and those above it, are made for their owner alone.
static bool makeDirectory(StringRef path) {
  return !sys::fs::create_directories(path, /*IgnoreExisting=*/true,
                                      sys::fs::owner_all);
}

bool DiskCache::store(const CacheKey &key, StringRef bytes) const {
  std::string head = makeHead(key, bytes);
  if (directory.empty() || !makeDirectory(directory))
    return false;
  // Too large itself, it drives nothing out; what is there may be too much.
  if (head.size() + bytes.size() > maxBytes) {
    evict();
    return false;
  }
  runtime::HeldSignals signals;
  HeldSizeLimit limit;
  std::string path = getPath(key);
  std::string temporary = path + kTemporary.str() + "XXXXXX";
  int file = mkostemp(temporary.data(), O_CLOEXEC);
  if (file < 0)
    return false;
  bool isWritten = writeAll(file, head) && writeAll(file, bytes);
  isWritten &= close(file) == 0;
  if (!isWritten || signals.isWaiting() ||
      rename(temporary.c_str(), path.c_str()) != 0) {
    (void)unlink(temporary.c_str());
    return false;
  }
  evict();
  return true;
}

namespace {
struct File {
  std::string path;
  uint64_t bytes;
  timespec used;
  bool isTemporary;
};
} // namespace

/// Whether a file is named as an entry is, or as one that is being written,
/// which `isTemporary` says.
static bool isOfCache(StringRef name, bool &isTemporary) {
  StringRef digits = name.take_front(2 * sizeof(CacheKey));
  StringRef rest = name.drop_front(digits.size());
  if (digits.size() < 2 * sizeof(CacheKey) ||
      !llvm::all_of(digits, [](char c) { return isHexDigit(c); }) ||
      !rest.consume_front(kSuffix))
    return false;
  isTemporary = rest.consume_front(kTemporary);
  return isTemporary ? rest.size() == 6 : rest.empty();
}

/// The files of the folder that are the cache's.
static std::vector<File> listFiles(const std::string &directory,
                                   std::error_code &error) {
  std::vector<File> files;
  for (sys::fs::directory_iterator at(directory, error), end;
       !error && at != end; at.increment(error)) {
    StringRef name = sys::path::filename(at->path());
    bool isTemporary = false;
    struct stat status;
    if (!isOfCache(name, isTemporary) ||
        lstat(at->path().c_str(), &status) != 0 || S_ISDIR(status.st_mode))
      continue;
    files.push_back({at->path(), static_cast<uint64_t>(status.st_size),
                     status.st_mtim, isTemporary});
  }
  return files;
}

void DiskCache::evict() const {
  std::error_code error;
  std::vector<File> files = listFiles(directory, error);
  uint64_t total = 0;
  for (const File &file : files)
    total += file.isTemporary ? 0 : file.bytes;
  // What is being written is older than an hour only if its writer died.
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  constexpr time_t kPatience = 3600;
  llvm::sort(files, [](const File &left, const File &right) {
    return std::tie(left.used.tv_sec, left.used.tv_nsec) <
           std::tie(right.used.tv_sec, right.used.tv_nsec);
  });
  for (const File &file : files) {
    bool isLost = now.tv_sec - file.used.tv_sec > kPatience;
    if (file.isTemporary ? !isLost : total <= maxBytes)
      continue;
    if (unlink(file.path.c_str()) == 0 && !file.isTemporary)
      total -= file.bytes;
  }
}

/// That there is no folder means that it is empty.
static Expected<std::vector<File>> listOrFail(const std::string &directory) {
  std::error_code error;
  std::vector<File> files = listFiles(directory, error);
  if (error && error != std::errc::no_such_file_or_directory)
    return createStringError(error, "cannot read `" + directory +
                                        "`: " + error.message());
  return files;
}

Expected<DiskCache::Usage> DiskCache::measure() const {
  auto files = listOrFail(directory);
  if (!files)
    return files.takeError();
  Usage usage;
  for (const File &file : *files) {
    usage.entries += !file.isTemporary;
    usage.bytes += file.bytes;
  }
  return usage;
}

Expected<DiskCache::Usage> DiskCache::clear() const {
  auto files = listOrFail(directory);
  if (!files)
    return files.takeError();
  Usage usage;
  for (const File &file : *files) {
    // Another process may have been faster.
    if (unlink(file.path.c_str()) != 0 && errno != ENOENT) {
      std::error_code error(errno, std::generic_category());
      return createStringError(error, "cannot remove `" + file.path +
                                          "`: " + error.message());
    }
    usage.entries += !file.isTemporary;
    usage.bytes += file.bytes;
  }
  return usage;
}

} // namespace ein
