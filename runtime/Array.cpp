//===- Array.cpp - Where the elements of an array are ---------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Array.h"
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

namespace ein::runtime {

bool Array::allocate(DType newType, Shape newShape, size_t number) {
  constexpr int64_t kLine = 64, kHugePage = 2 << 20;
  // So many lines further each, of the 64 of a page.
  constexpr size_t kApart = 17, kPlaces = 64;
  storage.reset();
  type = newType;
  shape = std::move(newShape);
  place = number % kPlaces;
  if (!countBytes(shape, getByteWidth(type), bytes))
    return false;
  // One line more than asked for: never empty, and a vector load that starts at
  // the last element stays inside.
  auto shift = int64_t(place * kApart) * kLine;
  int64_t alignment = bytes < kHugePage ? kLine : kHugePage;
  if (bytes > INT64_MAX - shift - kLine - alignment)
    return false;
  int64_t length = bytes + shift + kLine;
  length = (length + alignment - 1) / alignment * alignment;
  void *base = std::aligned_alloc(static_cast<size_t>(alignment),
                                  static_cast<size_t>(length));
  if (!base)
    return false;
#ifdef MADV_HUGEPAGE
  if (alignment == kHugePage)
    (void)madvise(base, static_cast<size_t>(length), MADV_HUGEPAGE);
#endif
  storage = {static_cast<char *>(base) + shift, FreeArray(base, 0)};
  return true;
}

/// The mapping has a page more than the file, as vector loads may go beyond the
/// last element.
bool Array::map(int descriptor, int64_t offset, DType newType, Shape newShape) {
  int64_t numBytes;
  if (offset < 0 || offset % 64 != 0 ||
      !countBytes(newShape, getByteWidth(newType), numBytes))
    return false;
  int64_t page = sysconf(_SC_PAGESIZE);
  int64_t start = offset / page * page, inPage = offset - start;
  int64_t mapped = (inPage + numBytes + page - 1) / page * page;
  size_t length = static_cast<size_t>(mapped + page);
  void *base = mmap(nullptr, length, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED)
    return false;
  if (mmap(base, static_cast<size_t>(mapped), PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, descriptor,
           start) == MAP_FAILED) {
    munmap(base, length);
    return false;
  }
#ifdef MADV_POPULATE_READ
  // One call in place of a fault for each page, where the system knows it.
  (void)madvise(base, static_cast<size_t>(mapped), MADV_POPULATE_READ);
#endif
  type = newType;
  shape = std::move(newShape);
  bytes = numBytes;
  storage = {static_cast<char *>(base) + inPage, FreeArray(base, length)};
  return true;
}

void FreeArray::operator()(char *) const {
  if (length != 0)
    munmap(base, length);
  else
    std::free(base);
}

} // namespace ein::runtime
