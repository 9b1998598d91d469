//===- Array.h - A contiguous array and its storage -------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What goes into and comes out of a compiled entry: contiguous, row-major, in
// the machine's byte order, 64-byte aligned (a cache line, and the widest
// vector register there is). Storage is never null, so that an array without
// elements still has an address to pass.
//
// Arrays are as large as their file says, so running out of memory is an
// ordinary error here and not the end of the process. A large one may be its
// file, mapped: what is written to it then is the process's own.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_RUNTIME_ARRAY_H
#define EIN_RUNTIME_ARRAY_H

#include "abi/Signature.h"
#include <cstring>
#include <memory>
#include <new>

namespace ein::runtime {

/// Extents, outermost first; none for rank 0.
using Shape = std::vector<int64_t>;

/// The product of the extents, or false where it or any product of a part of
/// them, times `width`, leaves int64_t. An extent of zero does not excuse the
/// others, because strides are products of a part. Negative extents are false.
inline bool countBytes(const Shape &shape, size_t width, int64_t &bytes) {
  int64_t nonzero = static_cast<int64_t>(width);
  bool empty = false;
  for (int64_t extent : shape) {
    empty |= extent == 0;
    if (extent < 0 ||
        __builtin_mul_overflow(nonzero, extent ? extent : 1, &nonzero))
      return false;
  }
  bytes = empty ? 0 : nonzero;
  return true;
}

/// `4x5`, and `()` for rank 0.
inline std::string print(const Shape &shape) {
  std::string text = shape.empty() ? "()" : "";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? "x" : "") + std::to_string(shape[i]);
  return text;
}

/// Whether an array of `type` can stand for one of `wanted`: it has the same
/// bits. An index has no .npy kind of its own, and bf16 one that few write.
inline bool isReadAs(DType type, DType wanted) {
  return type == wanted || (type == DType::I64 && wanted == DType::Index) ||
         (type == DType::U16 && wanted == DType::BF16);
}

/// Gives back what an array's elements are in.
struct FreeArray {
  void *base = nullptr;
  /// Of a mapped file: how much is to be unmapped. Else 0.
  size_t length = 0;

  FreeArray() = default;
  FreeArray(void *base, size_t length) : base(base), length(length) {}

  void operator()(char *memory) const;
};

struct Array {
  DType type = DType::F32;
  Shape shape;

  /// Storage for `shape`, contents undefined. False (and no storage) if the
  /// size overflows or there is no such memory. Large ones are in huge pages,
  /// where the system gives them to who asks: which pages of 4 KiB an array has
  /// is chance, and so would be what of it a cache can hold. With `number` it
  /// starts at another place in a page than those of other numbers: stores to
  /// one would else be taken for what is loaded from another.
  bool allocate(DType newType, Shape newShape, size_t number = 0);

  /// The contents are those of an open file from `offset` on, which is as long
  /// as that takes. False, and nothing has changed, if it cannot be mapped so
  /// that the elements are aligned: it has to be read then.
  bool map(int descriptor, int64_t offset, DType newType, Shape newShape);
  bool isMapped() const { return storage && storage.get_deleter().length; }

  /// A second array with the same contents; false if there is no memory.
  bool copyFrom(const Array &other) {
    if (!allocate(other.type, other.shape, other.place))
      return false;
    std::memcpy(storage.get(), other.storage.get(), bytes);
    return true;
  }

  bool isAllocated() const { return storage != nullptr; }
  int64_t getNumBytes() const { return bytes; }
  int64_t getNumElements() const {
    return bytes / static_cast<int64_t>(getByteWidth(type));
  }

  void *data() { return storage.get(); }
  const void *data() const { return storage.get(); }
  /// The elements as `T`, which has to be what `type` says.
  template <typename T> T *as() { return reinterpret_cast<T *>(storage.get()); }
  template <typename T> const T *as() const {
    return reinterpret_cast<const T *>(storage.get());
  }

private:
  std::unique_ptr<char, FreeArray> storage;
  int64_t bytes = 0;
  size_t place = 0; // `number` of `allocate`
};

} // namespace ein::runtime

#endif // EIN_RUNTIME_ARRAY_H
