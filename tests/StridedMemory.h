//===- StridedMemory.h - An array laid out at random ------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a view entry is tried on: dims in any order in memory, either way round,
// with gaps, inputs with strides of zero, and often enough the layouts that
// the kernel takes without a copy. Every byte that belongs to no element is
// checked afterwards.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_TESTS_STRIDEDMEMORY_H
#define EIN_TESTS_STRIDEDMEMORY_H

#include "runtime/Array.h"
#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace ein::test {

class StridedMemory {
public:
  template <typename Random>
  StridedMemory(const runtime::Shape &shape, size_t width, bool isWritten,
                Random &random)
      : shape(shape), width(width), strides(shape.size()) {
    std::vector<size_t> order(shape.size()); // the innermost last
    std::iota(order.begin(), order.end(), 0);
    unsigned kind = random() % 5;
    size_t gap = random() % (shape.size() + 1);
    if (kind == 0) // anything
      std::shuffle(order.begin(), order.end(), random);
    int64_t step = 1, lowest = 0, highest = 0;
    for (size_t i = order.size(); i-- > 0;) {
      size_t d = order[i];
      bool isInnermost = i + 1 == order.size();
      // kind 1: contiguous; kind 2: the last dim has a stride of one; kind 4:
      // all but one dim follow the next one.
      bool isFree = kind == 0 || kind == 3 || (kind == 2 && !isInnermost) ||
                    (kind == 4 && i == gap);
      if (isFree)
        step += random() % 3 * (random() % 2 ? 1 : step);
      strides[d] = isFree && random() % 2 ? -step : step;
      if (isFree && !isWritten && random() % 5 == 0)
        strides[d] = 0;
      // It is of no importance, whatever it says.
      if (shape[d] == 1 && random() % 2)
        strides[d] = static_cast<int64_t>(random() % 1000) - 500;
      int64_t reach = strides[d] * std::max<int64_t>(shape[d] - 1, 0);
      (reach < 0 ? lowest : highest) += reach;
      step *= std::max<int64_t>(shape[d], 1);
    }
    size_t elements = highest - lowest + 1;
    memory.resize(2 * kGuard + elements * width);
    for (size_t i = 0; i < memory.size(); ++i)
      memory[i] = 0x5a + 31 * i;
    first = kGuard - lowest * static_cast<int64_t>(width);
    original = memory;
    isElement.resize(memory.size());
    forEach([&](int64_t at, int64_t) {
      std::fill_n(isElement.begin() + at, width, true);
    });
    // {data, sizes, strides}, as the C structs of headers.
    words.push_back(reinterpret_cast<intptr_t>(memory.data() + first));
    words.insert(words.end(), shape.begin(), shape.end());
    words.insert(words.end(), strides.begin(), strides.end());
  }

  /// What the entry is given.
  void *getView() { return words.data(); }

  /// To and from a contiguous array. What was written last is at a place that
  /// several elements share.
  void write(const void *contiguous) {
    forEach([&](int64_t at, int64_t position) {
      std::memcpy(memory.data() + at,
                  static_cast<const char *>(contiguous) + position * width,
                  width);
    });
    original = memory;
  }
  void read(void *contiguous) const {
    forEach([&](int64_t at, int64_t position) {
      std::memcpy(static_cast<char *>(contiguous) + position * width,
                  memory.data() + at, width);
    });
  }

  /// Whether something changed that does not belong to an element, or, with
  /// `all`, anything.
  bool isDamaged(bool all) const {
    for (size_t i = 0; i < memory.size(); ++i)
      if ((all || !isElement[i]) && memory[i] != original[i])
        return true;
    return false;
  }

  std::string str() const {
    std::string text = "strides";
    for (int64_t stride : strides)
      text += " " + std::to_string(stride);
    return text;
  }

private:
  static constexpr size_t kGuard = 512;

  /// Calls `visit(byte in memory, position in the contiguous array)`.
  template <typename Visit> void forEach(Visit visit) const {
    int64_t count = 1;
    for (int64_t extent : shape)
      count *= extent;
    for (int64_t position = 0; position < count; ++position) {
      int64_t rest = position, at = first;
      for (size_t d = shape.size(); d-- > 0;) {
        at += rest % shape[d] * strides[d] * static_cast<int64_t>(width);
        rest /= shape[d];
      }
      visit(at, position);
    }
  }

  runtime::Shape shape;
  size_t width;
  std::vector<int64_t> strides;
  int64_t first;
  std::vector<unsigned char> memory, original;
  std::vector<bool> isElement;
  std::vector<int64_t> words;
};

} // namespace ein::test

#endif // EIN_TESTS_STRIDEDMEMORY_H
