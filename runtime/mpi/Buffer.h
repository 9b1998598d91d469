//===- Buffer.h - Memory of a rank ------------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a statement fetches is written once and read a few times, so that the
// system takes as long to find its pages, of 4 KiB, as MPI does to fill them.
// In huge pages that is gone (docs/decisions/0048-mpi.md).
//
//===----------------------------------------------------------------------===//

#ifndef EIN_RUNTIME_MPI_BUFFER_H
#define EIN_RUNTIME_MPI_BUFFER_H

#include <cstdint>
#include <memory>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace ein::runtime {

/// Asks for huge pages where memory that nobody has touched yet has room for
/// them. The system may have none.
inline void adviseHugePages(char *memory, int64_t size) {
#ifdef MADV_HUGEPAGE
  auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  uintptr_t begin = reinterpret_cast<uintptr_t>(memory);
  uintptr_t end = begin + static_cast<uintptr_t>(size);
  begin = (begin + page - 1) / page * page;
  if (begin < end)
    (void)madvise(reinterpret_cast<void *>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

/// Gives the pages between two places back, which are new ones when something
/// is written there.
inline void releasePages(char *from, char *to) {
  auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  uintptr_t begin = reinterpret_cast<uintptr_t>(from);
  uintptr_t end = reinterpret_cast<uintptr_t>(to) / page * page;
  begin = (begin + page - 1) / page * page;
  if (begin < end)
    (void)madvise(reinterpret_cast<void *>(begin), end - begin, MADV_DONTNEED);
}

/// Gives memory back, which has to know how it is aligned.
struct FreeBuffer {
  size_t alignment = 64;
  void operator()(char *memory) const {
    ::operator delete(memory, std::align_val_t(alignment));
  }
};

/// Memory of a cache line's alignment, which may not be there.
class Buffer {
public:
  bool allocate(int64_t bytes) {
    // What is larger than a huge page, of most machines, begins with one.
    constexpr int64_t kHugePage = 2 << 20;
    size_t alignment = bytes < kHugePage ? 64 : kHugePage;
    memory = {static_cast<char *>(
                  ::operator new(static_cast<size_t>(bytes) + 64,
                                 std::align_val_t(alignment), std::nothrow)),
              FreeBuffer{alignment}};
    numBytes = memory ? bytes : 0;
    if (memory && bytes >= kHugePage)
      adviseHugePages(memory.get(), bytes);
    return memory != nullptr;
  }
  void reset() {
    memory.reset();
    numBytes = 0;
  }
  char *get() const { return memory.get(); }
  int64_t size() const { return numBytes; }

private:
  std::unique_ptr<char, FreeBuffer> memory;
  int64_t numBytes = 0;
};

} // namespace ein::runtime

#endif // EIN_RUNTIME_MPI_BUFFER_H
