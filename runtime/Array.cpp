//===- Array.cpp - Arrays that are files ----------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Array.h"
#include <sys/mman.h>
#include <unistd.h>

namespace ein::runtime {

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

void FreeArray::unmap() const { munmap(mapping, length); }

} // namespace ein::runtime
