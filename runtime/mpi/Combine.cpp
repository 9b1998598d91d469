//===- Combine.cpp - Elements of every type, filled and combined ----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/mpi/Combine.h"
#include "runtime/Half.h"
#include "runtime/mpi/Schedule.h"
#include <algorithm>
#include <complex>
#include <limits>
#include <type_traits>

using namespace ein::distribute;

namespace ein::runtime {

Block getCommon(const Block &a, const Block &b) {
  if (isEmpty(a) || isEmpty(b))
    return {{Range()}};
  return intersect(a, b);
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

/// Where an element is.
static int64_t getOffset(const Block &box, const std::vector<int64_t> &point) {
  int64_t offset = 0;
  for (size_t dim = 0; dim != point.size(); ++dim)
    offset =
        offset * box.ranges[dim].size() + point[dim] - box.ranges[dim].begin;
  return offset;
}

/// Calls `visit` with the first element and the length of each row of `box`: as
/// many of its last dims as are whole in both arrays are one row.
template <typename Visit>
static void visitRows(const Block &box, const Block &a, const Block &b,
                      Visit visit) {
  if (isEmpty(box))
    return;
  size_t rank = box.ranges.size(), outer = rank;
  int64_t length = 1;
  while (outer > 0) {
    Range range = box.ranges[--outer];
    length *= range.size();
    if (!(range == a.ranges[outer]) || !(range == b.ranges[outer]))
      break;
  }
  std::vector<int64_t> point;
  for (Range range : box.ranges)
    point.push_back(range.begin);
  while (true) {
    visit(point, length);
    size_t dim = outer;
    while (dim > 0) {
      --dim;
      if (++point[dim] < box.ranges[dim].end)
        break;
      point[dim] = box.ranges[dim].begin;
      if (dim == 0)
        return;
    }
    if (outer == 0)
      return;
  }
}

void copyBox(const Block &box, size_t width, const BoxMemory &from,
             const BoxMemory &to) {
  visitRows(box, from.box, to.box,
            [&](const std::vector<int64_t> &point, int64_t length) {
              std::memcpy(to.data + getOffset(to.box, point) * width,
                          from.data + getOffset(from.box, point) * width,
                          length * width);
            });
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

namespace {

/// Half-precision numbers: bits in memory, combined as f32 and rounded.
struct Float16 {
  uint16_t bits;
  float get() const { return fromFloat16(bits); }
  static Float16 make(float value) { return {toFloat16(value)}; }
};
struct BFloat16 {
  uint16_t bits;
  float get() const { return fromBFloat16(bits); }
  static BFloat16 make(float value) { return {toBFloat16(value)}; }
};

template <typename T>
constexpr bool isHalf =
    std::is_same_v<T, Float16> || std::is_same_v<T, BFloat16>;
template <typename T> constexpr bool isComplexNumber = false;
template <typename T> constexpr bool isComplexNumber<std::complex<T>> = true;

/// As `maximumf` and `minimumf` have it: a NaN stays one, and -0 is below 0.
template <typename T> T getExtreme(T a, T b, bool wantsLarger) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(a) || std::isnan(b))
      return std::isnan(a) ? a : b;
    if (a == b)
      return std::signbit(a) == wantsLarger ? b : a;
  }
  return (a < b) == wantsLarger ? b : a;
}

template <typename T> T combine(T a, T b, Combiner combiner) {
  if constexpr (isHalf<T>) {
    return T::make(combine(a.get(), b.get(), combiner));
  } else if constexpr (std::is_same_v<T, bool>) {
    // A bool is a number of one bit.
    switch (combiner) {
    case Combiner::Add:
    case Combiner::Xor:
      return a != b;
    case Combiner::Max:
    case Combiner::Or:
    case Combiner::First:
      return a || b;
    default:
      return a && b;
    }
  } else {
    switch (combiner) {
    case Combiner::Mul:
      if constexpr (std::is_integral_v<T>)
        return static_cast<T>(static_cast<uint64_t>(a) *
                              static_cast<uint64_t>(b));
      else
        return a * b;
    case Combiner::Min:
    case Combiner::Max:
      if constexpr (!isComplexNumber<T>)
        return getExtreme(a, b, combiner == Combiner::Max);
      break;
    case Combiner::And:
    case Combiner::Or:
    case Combiner::Xor:
      if constexpr (std::is_integral_v<T>)
        return combiner == Combiner::And  ? a & b
               : combiner == Combiner::Or ? a | b
                                          : a ^ b;
      break;
    case Combiner::First:
      return a == T(0) ? b : a;
    case Combiner::None:
    case Combiner::Add:
      break;
    }
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<uint64_t>(a) +
                            static_cast<uint64_t>(b));
    else
      return a + b;
  }
}

template <typename T> T makeNeutral(Combiner combiner) {
  if constexpr (isHalf<T>) {
    return T::make(makeNeutral<float>(combiner));
  } else if constexpr (std::is_same_v<T, bool>) {
    return combiner == Combiner::Mul || combiner == Combiner::Min ||
           combiner == Combiner::And;
  } else {
    using Limits = std::numeric_limits<T>;
    switch (combiner) {
    case Combiner::Mul:
      return T(1);
    case Combiner::Min:
    case Combiner::Max:
      if constexpr (isComplexNumber<T>)
        break;
      else if constexpr (Limits::has_infinity)
        return combiner == Combiner::Min ? Limits::infinity()
                                         : -Limits::infinity();
      else
        return combiner == Combiner::Min ? Limits::max() : Limits::lowest();
    case Combiner::And:
      if constexpr (std::is_integral_v<T>)
        return static_cast<T>(~T(0));
      break;
    default:
      break;
    }
    // A sum of negative zeros is one, as if it were not cut.
    if constexpr (std::is_floating_point_v<T>)
      return combiner == Combiner::Add ? T(-0.0) : T(0);
    else if constexpr (isComplexNumber<T>)
      return T(-0.0, -0.0);
    else
      return T(0);
  }
}

/// The C++ type of an element.
template <typename Visit> auto visitType(DType type, Visit visit) {
  switch (type) {
  case DType::F16:
    return visit(Float16());
  case DType::BF16:
    return visit(BFloat16());
  case DType::F32:
    return visit(float());
  case DType::F64:
    return visit(double());
  case DType::C64:
    return visit(std::complex<float>());
  case DType::C128:
    return visit(std::complex<double>());
  case DType::I8:
    return visit(int8_t());
  case DType::I16:
    return visit(int16_t());
  case DType::I32:
    return visit(int32_t());
  case DType::I64:
  case DType::Index:
    return visit(int64_t());
  case DType::U8:
    return visit(uint8_t());
  case DType::U16:
    return visit(uint16_t());
  case DType::U32:
    return visit(uint32_t());
  case DType::U64:
    return visit(uint64_t());
  case DType::Bool:
    break;
  }
  return visit(bool());
}

} // namespace

void combineBox(const Block &box, DType type, Combiner combiner,
                const BoxMemory &from, const BoxMemory &to) {
  visitType(type, [&](auto element) {
    using T = decltype(element);
    visitRows(box, from.box, to.box,
              [&](const std::vector<int64_t> &point, int64_t length) {
                auto *source = reinterpret_cast<const T *>(from.data) +
                               getOffset(from.box, point);
                auto *target =
                    reinterpret_cast<T *>(to.data) + getOffset(to.box, point);
                for (int64_t i = 0; i != length; ++i)
                  target[i] = combine(target[i], source[i], combiner);
              });
  });
}

void fill(char *data, int64_t count, const std::vector<uint8_t> &bits) {
  bool isZero = std::all_of(bits.begin(), bits.end(),
                            [](uint8_t byte) { return byte == 0; });
  if (isZero) {
    std::memset(data, 0, count * bits.size());
    return;
  }
  // A piece that stays in the first cache becomes all of the rest.
  constexpr int64_t kPiece = 4096;
  auto width = static_cast<int64_t>(bits.size());
  int64_t bytes = count * width, done = std::min(bytes, width);
  std::memcpy(data, bits.data(), done);
  while (done < bytes) {
    // So far they are whole elements.
    int64_t next = std::min({done, kPiece / width * width, bytes - done});
    std::memcpy(data + done, data, next);
    done += next;
  }
}

std::vector<uint8_t> getNeutral(DType type, Combiner combiner) {
  return visitType(type, [&](auto element) {
    auto neutral = makeNeutral<decltype(element)>(combiner);
    std::vector<uint8_t> bits(sizeof neutral);
    std::memcpy(bits.data(), &neutral, sizeof neutral);
    return bits;
  });
}

} // namespace ein::runtime
