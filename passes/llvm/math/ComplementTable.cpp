//===- ComplementTable.cpp - erfc at multiples of 1/128 -------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rows are computed when a module wants them, in some milliseconds, in
// pairs of numbers (Dekker, "A Floating-Point Technique for Extending the
// Available Precision", Numerische Mathematik 18, 1971): as text they would be
// two thousand lines. What is added up, from the last row on, is positive, so
// that nothing is lost; all of it errs by 2^-80, relatively.
//
//===----------------------------------------------------------------------===//

#include "passes/llvm/math/ComplementTable.h"
#include <cmath>

using namespace llvm;

namespace ein {
namespace {

/// hi + lo, which do not overlap.
struct Wide {
  double hi, lo;
};

Wide addSmaller(double x, double y) {
  double sum = x + y;
  return {sum, y - (sum - x)};
}

Wide operator+(Wide x, Wide y) {
  double sum = x.hi + y.hi, added = sum - x.hi;
  double error = (x.hi - (sum - added)) + (y.hi - added);
  return addSmaller(sum, error + (x.lo + y.lo));
}

Wide operator*(Wide x, Wide y) {
  double product = x.hi * y.hi;
  double error = std::fma(x.hi, y.hi, -product);
  return addSmaller(product, error + (x.hi * y.lo + x.lo * y.hi));
}

Wide operator*(Wide x, double y) { return x * Wide{y, 0}; }

Wide operator/(Wide x, double y) {
  double quotient = x.hi / y;
  return addSmaller(quotient, (std::fma(-quotient, y, x.hi) + x.lo) / y);
}

constexpr double kStep = 1.0 / ComplementTable::kRowsOfOne;

/// The integral of e^(-2 r t - t^2) from 0 to a step, by its series, whose
/// terms follow from f' = -2 (r + t) f.
Wide integrate(double r) {
  constexpr int kTerms = 18;
  Wide before{0, 0}, term{kStep, 0}, sum = term;
  // Each term is that of f times a power of the step.
  for (int k = 0; k < kTerms; ++k) {
    Wide next = (term * r + before * kStep) * (-2 * kStep) / (k + 1);
    before = term;
    term = next;
    sum = sum + term / (k + 2);
  }
  return sum;
}

} // namespace

ComplementTable computeComplementTable() {
  constexpr int64_t kRows = ComplementTable::kRows;
  // The slope at 0; by what a slope is more than the next one, at 0 and from
  // row to row; and the last row.
  constexpr Wide kSlope = {0x1.20dd750429b6dp+0, 0x1.1ae3a914fed80p-56};
  constexpr Wide kFirst = {0x1.fff8000fffeabp-1, -0x1.50000444416c2p-55};
  constexpr Wide kRatio = {0x1.fff0003fff555p-1, 0x1.aaaa2222d82cbp-55};
  constexpr Wide kLast = {0x1.242fb8bdb6ae1p-954, 0x1.e0cfca3c354c8p-1010};
  const double scale = std::ldexp(1, ComplementTable::kScale);

  SmallVector<Wide> slopes;
  Wide slope = kSlope, ratio = kFirst;
  for (int64_t row = 0; row < kRows; ++row) {
    if (row == ComplementTable::kFirstScaled)
      slope = slope * scale;
    slopes.push_back(slope);
    slope = slope * ratio;
    ratio = ratio * kRatio;
  }

  ComplementTable table;
  table.pairs.resize(2 * kRows);
  table.rests.resize(kRows);
  Wide value = kLast;
  for (int64_t row = kRows - 1; row >= 0; --row) {
    if (row == ComplementTable::kFirstScaled - 1)
      value = value * (1 / scale);
    if (row < kRows - 1)
      value = value + slopes[row] * integrate(static_cast<double>(row) * kStep);
    table.pairs[2 * row] = value.hi;
    table.pairs[2 * row + 1] = slopes[row].hi;
    table.rests[row] = static_cast<float>(value.lo / value.hi);
  }
  return table;
}

} // namespace ein
