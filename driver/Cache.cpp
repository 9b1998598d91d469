//===- Cache.cpp - einc cache ---------------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "backend/DiskCache.h"
#include "driver/Commands.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace ein {

/// `1 entry`, `2 entries`.
static std::string countEntries(uint64_t count) {
  return std::to_string(count) + (count == 1 ? " entry" : " entries");
}

/// Bytes in the largest unit of which there is one: `1.5 MiB`.
static std::string printBytes(uint64_t bytes) {
  static constexpr const char *units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  double count = static_cast<double>(bytes);
  size_t unit = 0;
  for (; count >= 1024 && unit + 1 < std::size(units); ++unit)
    count /= 1024;
  std::string text;
  raw_string_ostream(text) << format("%.*f ", unit == 0 ? 0 : 1, count)
                           << units[unit];
  return text;
}

static void showAsJson(const std::optional<DiskCache> &cache,
                       const DiskCache::Usage &usage) {
  json::OStream json(outs());
  json.object([&] {
    json.attribute("directory",
                   cache ? json::Value(json::fixUTF8(cache->getDirectory()))
                         : json::Value(nullptr));
    json.attribute("entries", usage.entries);
    json.attribute("bytes", usage.bytes);
    json.attribute("limit", cache ? cache->getMaxBytes() : 0);
  });
  outs() << "\n";
}

ExitStatus runCache(const Options &options) {
  const std::optional<DiskCache> &cache = options.cache;
  DiskCache::Usage usage;
  if (cache) {
    auto found = options.clearsCache ? cache->clear() : cache->measure();
    if (!found)
      return reportError(options, DiagId::CannotWrite,
                         {toString(found.takeError())});
    usage = *found;
  }
  std::string size =
      countEntries(usage.entries) + ", " + printBytes(usage.bytes);
  if (options.json)
    showAsJson(cache, usage);
  else if (!cache)
    outs() << "the cache is off: EINC_CACHE_SIZE is 0, or there is no folder "
              "for it\n";
  else if (options.clearsCache)
    outs() << "removed " << size << "\n";
  else
    outs() << cache->getDirectory() << ": " << size << " of at most "
           << printBytes(cache->getMaxBytes()) << "\n";
  return kDone;
}

} // namespace ein
