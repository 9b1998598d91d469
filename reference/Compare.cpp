//===- Compare.cpp - Judging what compiled code returned ------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "reference/Compare.h"
#include "reference/Convert.h"
#include "runtime/Half.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace ein::reference {

/// Element `i` of the floating-point type, exactly; of a complex one, a part.
static double load(ElementType type, const void *data, int64_t i,
                   Part part = Part::Real) {
  if (isComplex(type))
    return load(getPartType(type), data, 2 * i + (part == Part::Imaginary));
  switch (type) {
  case ElementType::F16:
    return runtime::fromFloat16(static_cast<const uint16_t *>(data)[i]);
  case ElementType::BF16:
    return runtime::fromBFloat16(static_cast<const uint16_t *>(data)[i]);
  case ElementType::F32:
    return static_cast<const float *>(data)[i];
  default:
    return static_cast<const double *>(data)[i];
  }
}

/// Element `i` of another type, see Convert.h; a byte that is not zero is true.
static int64_t loadInteger(ElementType type, const void *data, int64_t i) {
  unsigned bytes = getBitWidth(type) / 8;
  uint64_t bits = 0;
  auto *element = static_cast<const unsigned char *>(data) + i * bytes;
  for (unsigned byte = bytes; byte-- > 0;)
    bits = bits << 8 | element[byte];
  if (type == ElementType::Bool)
    return bits != 0;
  return wrap(static_cast<int64_t>(bits), type);
}

Value makeValue(std::vector<int64_t> shape, ElementType type,
                const void *data) {
  Value value;
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  value.shape = std::move(shape);
  value.allocate(count, type);
  for (int64_t i = 0; i < count; ++i)
    if (!value.isInteger())
      for (Part part : getParts(type))
        value.set(i, part, {load(type, data, i, part), 0});
    else
      value.integers[i] = loadInteger(type, data, i);
  return value;
}

/// How far `actual` is from what is allowed to be returned: zero if it is what
/// is expected, infinity if a difference would say nothing.
static double getError(const Rounding &rounding, double expected, double bound,
                       double actual) {
  if (std::isinf(bound) || (std::isnan(expected) && std::isnan(actual)) ||
      expected == actual)
    return 0;
  if (!std::isfinite(expected) || std::isnan(actual))
    return infinity;
  if (std::isfinite(actual))
    return std::abs(expected - actual);
  double reach = actual > 0 ? expected + bound : bound - expected;
  return reach > rounding.largest ? 0 : infinity;
}

/// Integers are right or wrong.
static Comparison compareIntegers(const Value &expected, ElementType type,
                                  const void *data) {
  Comparison result;
  result.isInteger = true;
  result.isUnsigned = getKind(type) == TypeKind::Unsigned;
  for (int64_t i = 0, n = expected.size(); i < n; ++i) {
    int64_t actual = loadInteger(type, data, i);
    // Bools that C reads have to be 0 or 1.
    if (type == ElementType::Bool)
      actual = static_cast<const unsigned char *>(data)[i];
    bool isKnown = expected.bounds[i] == 0;
    bool ok = !isKnown || actual == expected.integers[i];
    result.numUnknown += !isKnown;
    result.numFailures += !ok;
    if (result.worstIndex >= 0 && (ok || !result.ok))
      continue;
    result.ok = ok;
    result.worstIndex = i;
    result.worstError = ok ? 0 : infinity;
    result.worstRatio = result.worstError;
    result.expectedInteger = expected.integers[i];
    result.actualInteger = actual;
  }
  return result;
}

Comparison compare(const Value &expected, ElementType type, const void *data) {
  if (!isFloat(getPartType(type)))
    return compareIntegers(expected, type, data);
  const Rounding &rounding = Rounding::get(type);
  Comparison result;
  result.isComplex = isComplex(type);
  auto compareElement = [&](int64_t i, Part part) {
    auto [value, bound] = expected.get(i, part);
    double actual = load(type, data, i, part);
    double error = getError(rounding, value, bound, actual);
    double ratio = error == 0 ? 0 : error / bound;
    if (std::isnan(ratio))
      ratio = infinity;
    // Written so that a NaN would fail.
    bool ok = error == 0 || error <= bound;
    if (result.worstIndex < 0 || ratio > result.worstRatio) {
      result.worstIndex = i;
      result.part = part;
      result.worstError = error;
      result.bound = bound;
      result.expected = value;
      result.actual = actual;
      result.worstRatio = ratio;
    }
    return ok;
  };
  for (int64_t i = 0, n = expected.size(); i < n; ++i) {
    bool ok = true, isKnown = false;
    for (Part part : getParts(type)) {
      ok &= compareElement(i, part);
      isKnown |= !std::isinf(expected.get(i, part).bound);
    }
    result.numUnknown += !isKnown;
    result.ok &= ok;
    result.numFailures += !ok;
  }
  return result;
}

std::string describe(StringRef name, ArrayRef<int64_t> shape,
                     const Comparison &comparison) {
  std::string text;
  raw_string_ostream os(text);
  os << name;
  if (comparison.worstIndex < 0) {
    os << ": no elements";
    return text;
  }
  SmallVector<int64_t> position(shape.size());
  int64_t rest = comparison.worstIndex;
  for (size_t i = shape.size(); i-- > 0;) {
    position[i] = rest % shape[i];
    rest /= shape[i];
  }
  for (size_t i = 0; i < position.size(); ++i)
    os << (i ? ", " : "(") << position[i];
  os << (position.empty() ? "" : ")");
  if (comparison.isComplex)
    os << (comparison.part == Part::Real ? ", real part" : ", imaginary part");
  auto number = [](double x, const char *format) {
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, format, x);
    return std::string(buffer);
  };
  auto integer = [&](int64_t x) {
    return comparison.isUnsigned ? std::to_string(static_cast<uint64_t>(x))
                                 : std::to_string(x);
  };
  if (comparison.isInteger) {
    os << ": expected " << integer(comparison.expectedInteger) << ", got "
       << integer(comparison.actualInteger);
    return text;
  }
  os << ": expected " << number(comparison.expected, "%.9g") << ", got "
     << number(comparison.actual, "%.9g") << ", error "
     << number(comparison.worstError, "%.3g")
     << (comparison.ok ? " within" : " above") << " the bound "
     << number(comparison.bound, "%.3g");
  return text;
}

} // namespace ein::reference
