//===- DiskCache.h - What is kept between processes --------------*- C++
//-*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A folder of entries, bytes by a key that says all that they depend on. Many
// processes use it at once without locks: an entry is written under another
// name and renamed, is never changed in place, and can be gone at any time.
//
// Nothing here is an error of whoever asks. What cannot be read, is not whole,
// or belongs to someone else is not there, and what cannot be written is not
// kept.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_BACKEND_DISKCACHE_H
#define EIN_BACKEND_DISKCACHE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>

namespace ein {

using CacheKey = llvm::BLAKE3Result<32>;

class DiskCache {
public:
  struct Usage {
    uint64_t entries = 0;
    uint64_t bytes = 0;
  };

  /// Entries take at most `maxBytes` together; those used least recently go.
  DiskCache(std::string directory, uint64_t maxBytes)
      : directory(std::move(directory)), maxBytes(maxBytes) {}

  const std::string &getDirectory() const { return directory; }
  uint64_t getMaxBytes() const { return maxBytes; }

  /// The bytes of an entry, which then counts as used; none unless it is whole
  /// and this user's own.
  std::optional<std::string> find(const CacheKey &key) const;
  /// Keeps `bytes`, in place of what was there; makes the folder if it is
  /// missing. False if it could not.
  bool store(const CacheKey &key, llvm::StringRef bytes) const;

  /// What there is; nothing where there is no folder.
  llvm::Expected<Usage> measure() const;
  /// Removes all entries, and what processes that died have left.
  llvm::Expected<Usage> clear() const;

private:
  std::string getPath(const CacheKey &key) const;
  void evict() const;

  std::string directory;
  uint64_t maxBytes;
};

/// `EINC_CACHE_DIR`, else `einc` in `XDG_CACHE_HOME` or in `.cache` of the home
/// directory; empty where there is none of these.
std::string getCacheDirectory();

/// How much a cache holds where nobody says.
inline constexpr uint64_t kDefaultCacheBytes = uint64_t(1) << 30;

} // namespace ein

#endif // EIN_BACKEND_DISKCACHE_H
