//===- ExtremesTest.cpp - NaN and zeros in maxima and minima --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of many floats the largest is gathered by comparisons alone, and what these
// do not see beside them. So every result is compared to the last bit, signs of
// zeros included, with `maximum` and `minimum` of two numbers at a time: along
// rows and columns and of all, over windows, from an array and from nothing.
//
//===----------------------------------------------------------------------===//

#include "tests/e2e/Harness.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <limits>
#include <random>

namespace ein::test {
namespace {

template <typename T> T combine(T first, T second, bool isMaximum) {
  if (std::isnan(first) || std::isnan(second))
    return std::numeric_limits<T>::quiet_NaN();
  if (first == 0 && second == 0)
    return std::signbit(first) == isMaximum ? second : first;
  return (first > second) == isMaximum ? first : second;
}

/// Numbers of which few are above zero in some rows, none in others, and NaN
/// here and there.
template <typename T> std::vector<T> draw(size_t count, std::mt19937 &engine) {
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  const T values[] = {T(-0.0),
                      T(0),
                      T(-1),
                      -kInfinity,
                      -std::numeric_limits<T>::denorm_min(),
                      T(-0.0),
                      std::numeric_limits<T>::denorm_min(),
                      T(2),
                      kInfinity};
  std::vector<T> result(count);
  // From one place on other numbers are drawn, and at each NaN is rarer.
  size_t most = 2, period = 97;
  for (size_t i = 0; i < count; ++i) {
    if (engine() % 40 == 0)
      most = 1 + engine() % std::size(values);
    result[i] = values[engine() % most];
    if (engine() % period == 0) {
      result[i] = std::copysign(std::numeric_limits<T>::quiet_NaN(),
                                engine() % 2 ? T(1) : T(-1));
      period += 50;
    }
  }
  return result;
}

template <typename T>
testing::AssertionResult areSame(const std::vector<T> &got,
                                 const std::vector<T> &wanted) {
  for (size_t i = 0; i < got.size(); ++i) {
    bool isSame = std::isnan(wanted[i])
                      ? std::isnan(got[i])
                      : got[i] == wanted[i] &&
                            std::signbit(got[i]) == std::signbit(wanted[i]);
    if (!isSame)
      return testing::AssertionFailure()
             << "element " << i << " is " << got[i] << ", not " << wanted[i];
  }
  return testing::AssertionSuccess();
}

class Extremes : public testing::TestWithParam<std::tuple<bool, bool, bool>> {
protected:
  bool isMaximum = std::get<0>(GetParam());
  /// With an identity to start from, and not what the result holds.
  bool isFresh = std::get<1>(GetParam());
  bool isStatic = std::get<2>(GetParam());

  /// What is combined along: the rows of a matrix, its columns, or all of it.
  enum Along { OfRows, OfColumns, OfAll };
  template <typename T> void checkMatrix(Along along, int64_t m, int64_t n);
  template <typename T>
  void checkWindow(int64_t h, int64_t w, int64_t c, int64_t step);
  template <typename T> static const char *getType() {
    return sizeof(T) == 4 ? "f32" : "f64";
  }
  BuildOptions getOptions(Sizes sizes) {
    BuildOptions options;
    if (isStatic)
      options.bindings = std::move(sizes);
    return options;
  }
  std::string getUpdate() {
    return std::string(isMaximum ? "max=" : "min=") + (isFresh ? "!" : "");
  }
  template <typename T> T getStart() {
    constexpr T kInfinity = std::numeric_limits<T>::infinity();
    return isMaximum ? -kInfinity : kInfinity;
  }
  std::mt19937 engine{static_cast<unsigned>(getSeed())};
};

} // namespace

/// An element among others that has to be seen alone: a NaN among numbers, a
/// zero among those of the other sign, and the like.
template <typename T> std::vector<std::pair<T, T>> getLonely() {
  constexpr T kNaN = std::numeric_limits<T>::quiet_NaN(),
              kInfinity = std::numeric_limits<T>::infinity();
  return {{T(-1), kNaN},      {T(1), -kNaN},         {T(-0.0), T(0)},
          {T(0), T(-0.0)},    {-kInfinity, T(-0.0)}, {-kInfinity, kNaN},
          {kInfinity, -kNaN}, {kInfinity, T(0)},     {T(-0.0), kInfinity}};
}

template <typename T>
void Extremes::checkMatrix(Along along, int64_t m, int64_t n) {
  const char *const shapes[] = {"(M)", "(N)", ""}, *const places[] = {
                                                       "(m)", "(n)", ""};
  std::string text = llvm::formatv(
      "def f(A: {0}(M, N)) -> ({1}R: {0}{2}) {{ R{3} {4} A(m, n) }",
      getType<T>(), isFresh ? "" : "inout ", shapes[along], places[along],
      getUpdate());
  int64_t count = along == OfRows ? m : along == OfColumns ? n : 1;
  Compiled compiled(text, getOptions({{"M", m}, {"N", n}}));
  ASSERT_TRUE(compiled.isOk()) << text;
  auto check = [&](std::vector<T> a, std::vector<T> got) {
    std::vector<T> wanted = got;
    if (isFresh)
      std::fill(wanted.begin(), wanted.end(), getStart<T>());
    for (int64_t i = 0; i < m * n; ++i) {
      T &sum = wanted[along == OfRows ? i / n : along == OfColumns ? i % n : 0];
      sum = combine(sum, a[i], isMaximum);
    }
    void *arguments[] = {a.data(), got.data()};
    int64_t sizes[] = {m, n};
    if (compiled.getEntry().function(arguments, sizes) != 0)
      return testing::AssertionFailure() << "refused";
    return areSame(got, wanted);
  };
  for (int round = 0; round < 4; ++round)
    EXPECT_TRUE(check(draw<T>(m * n, engine), draw<T>(count, engine)))
        << text << " " << m << " " << n;
  constexpr size_t kPlaces = 150;
  for (auto [all, other] : getLonely<T>()) {
    std::vector<T> a(m * n, all), before(count, all);
    for (size_t i = 0; i < a.size(); i += 1 + a.size() / kPlaces) {
      a[i] = other;
      ASSERT_TRUE(check(a, before)) << text << " " << m << " " << n << ", "
                                    << other << " among " << all << " at " << i;
      a[i] = all;
    }
  }
}

template <typename T>
void Extremes::checkWindow(int64_t h, int64_t w, int64_t c, int64_t step) {
  std::string text = llvm::formatv(
      "def f(I: {0}({2}*H + 2, {2}*W + 2, C)) -> ({1}R: {0}(H, W, C)) {{\n"
      "  R(h, w, c) {3} I({2}*h + kh, {2}*w + kw, c)\n"
      "  where kh in 0:3, kw in 0:3, h in 0:H, w in 0:W }",
      getType<T>(), isFresh ? "" : "inout ", step, getUpdate());
  Compiled compiled(text, getOptions({{"H", h}, {"W", w}, {"C", c}}));
  ASSERT_TRUE(compiled.isOk()) << text;
  int64_t rows = step * h + 2, columns = step * w + 2;
  auto check = [&](std::vector<T> image, std::vector<T> got) {
    std::vector<T> wanted = got;
    if (isFresh)
      std::fill(wanted.begin(), wanted.end(), getStart<T>());
    for (int64_t i = 0; i < h * w * c; ++i)
      for (int64_t k = 0; k < 9; ++k) {
        int64_t row = step * (i / c / w) + k / 3;
        int64_t column = step * (i / c % w) + k % 3;
        wanted[i] = combine(
            wanted[i], image[(row * columns + column) * c + i % c], isMaximum);
      }
    void *arguments[] = {image.data(), got.data()};
    int64_t sizes[] = {h, w, c};
    if (compiled.getEntry().function(arguments, sizes) != 0)
      return testing::AssertionFailure() << "refused";
    return areSame(got, wanted);
  };
  for (int round = 0; round < 4; ++round)
    EXPECT_TRUE(
        check(draw<T>(rows * columns * c, engine), draw<T>(h * w * c, engine)))
        << text << " " << h << " " << w << " " << c;
  constexpr size_t kPlaces = 150;
  for (auto [all, other] : getLonely<T>()) {
    std::vector<T> image(rows * columns * c, all), before(h * w * c, all);
    for (size_t i = 0; i < image.size(); i += 1 + image.size() / kPlaces) {
      image[i] = other;
      ASSERT_TRUE(check(image, before))
          << text << " " << h << " " << w << " " << c << ", " << other
          << " among " << all << " at " << i;
      image[i] = all;
    }
  }
}

namespace {

TEST_P(Extremes, Rows) {
  for (int64_t n : {0, 1, 15, 16, 17, 64, 65, 150, 513})
    checkMatrix<float>(OfRows, 5, n);
  for (int64_t n : {0, 7, 33, 70})
    checkMatrix<double>(OfRows, 5, n);
}

TEST_P(Extremes, Columns) {
  for (int64_t n : {1, 16, 19, 64, 100, 139})
    checkMatrix<float>(OfColumns, 37, n);
  for (int64_t n : {8, 35})
    checkMatrix<double>(OfColumns, 37, n);
  for (int64_t m : {0, 1, 2, 8})
    checkMatrix<float>(OfColumns, m, 67);
}

TEST_P(Extremes, All) {
  for (int64_t n : {0, 1, 17, 64, 129})
    checkMatrix<float>(OfAll, 5, n);
  for (int64_t n : {1, 8, 67})
    checkMatrix<double>(OfAll, 3, n);
}

TEST_P(Extremes, Windows) {
  for (int64_t step : {1, 2}) {
    for (int64_t c : {3, 16, 33})
      checkWindow<float>(3, 8, c, step);
    checkWindow<float>(1, 1, 64, step);
    checkWindow<double>(2, 7, 9, step);
  }
}

INSTANTIATE_TEST_SUITE_P(Of, Extremes,
                         testing::Combine(testing::Bool(), testing::Bool(),
                                          testing::Bool()),
                         [](const auto &info) {
                           std::string name =
                               std::get<0>(info.param) ? "Maxima" : "Minima";
                           name +=
                               std::get<1>(info.param) ? "Fresh" : "Updated";
                           name += std::get<2>(info.param) ? "Static" : "Open";
                           return name;
                         });

} // namespace
} // namespace ein::test
