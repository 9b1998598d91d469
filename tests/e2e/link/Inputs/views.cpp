// The C++ header: views of any strides, several headers in one program, calls
// from several threads. views-cpp.test says how it is built.
#include "kernels.hpp"
#include "mine.hpp"
#include <cstdio>
#include <thread>
#include <vector>

static int failures = 0;

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      std::printf("line %d: %s\n", __LINE__, #condition);                      \
      ++failures;                                                              \
    }                                                                          \
  } while (0)

static_assert(
    std::is_convertible_v<ein::view<float, 2>, ein::view<const float, 2>>);
static_assert(
    !std::is_convertible_v<ein::view<const float, 2>, ein::view<float, 2>>);
static_assert(!std::is_convertible_v<ein::view<float, 2>, ein::view<float, 1>>);
static_assert(ein::view<float, 3>::rank() == 3);

/// C = A B in a layout per array, beside what it has to be.
static bool multiply(std::int64_t m, std::int64_t k, std::int64_t n,
                     bool isTransposed) {
  std::vector<float> a(m * k), b(k * n), c(m * n, -1);
  ein::view<float, 2> A(a.data(), {m, k}), B(b.data(), {k, n}),
      C(c.data(), {m, n});
  if (isTransposed) {
    A = {a.data(), {m, k}, {1, m}};
    B = {b.data() + k * n - 1, {k, n}, {-n, -1}};
    C = {c.data(), {m, n}, {1, m}};
  }
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t l = 0; l < k; ++l)
      A(i, l) = static_cast<float>((3 * i + l) % 7 - 3);
  for (std::int64_t l = 0; l < k; ++l)
    for (std::int64_t j = 0; j < n; ++j)
      B(l, j) = static_cast<float>((5 * l + j) % 9 - 4);
  if (mm(A, B, C) != EIN_OK)
    return false;
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      float sum = 0;
      for (std::int64_t l = 0; l < k; ++l)
        sum += A(i, l) * B(l, j);
      if (C(i, j) != sum)
        return false;
    }
  return true;
}

int main() {
  for (std::int64_t size : {0, 1, 7, 13, 33})
    for (bool isTransposed : {false, true}) {
      CHECK(multiply(size, size, size, isTransposed));
      CHECK(multiply(size, 5, 31, isTransposed));
    }

  float a[6] = {1, 2, 3, 4, 5, 6}, b[6] = {1, 0, 0, 1, 1, 1}, c[4];
  ein::view<const float, 2> A(a, {2, 3}), B(b, {3, 2});
  CHECK(my_mm(A, B, ein::view<float, 2>(c, {2, 2})) == EIN_OK);
  CHECK(c[0] == 4 && c[1] == 5 && c[2] == 10 && c[3] == 11);
  CHECK(mm(A, A, ein::view<float, 2>(c, {2, 2})) == EIN_SHAPE_MISMATCH);
  CHECK(mm(A, B, ein::view<float, 2>(c, {2, 2}, {1, 1})) == EIN_OVERLAP);
  CHECK(mm(a, b, c, 2, 3, 2) == EIN_OK); // the C function

  double x[3] = {1, 2, 3}, y[3] = {1, 1, 1}, rows[1], largest;
  CHECK(axpy(2.0, ein::view<double, 1>(x + 2, {3}, {-1}),
             ein::view<double, 1>(y, {3})) == EIN_OK);
  CHECK(y[0] == 7 && y[1] == 5 && y[2] == 3);
  CHECK(both(ein::view<const double, 2>(x, {1, 3}),
             ein::view<double, 1>(rows, {1}),
             ein::view<double, 0>(&largest)) == EIN_OK);
  CHECK(rows[0] == 6 && largest == 3);
  ein::view<double, 0> scalar(&largest);
  CHECK(scalar() == 3);

  bool isGood[4] = {};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&isGood, t] {
      bool good = true;
      for (int i = 0; i < 30; ++i)
        good = good && multiply(20 + t, 30 + i, 40 - t, (i + t) % 2);
      isGood[t] = good;
    });
  for (std::thread &thread : threads)
    thread.join();
  for (bool good : isGood)
    CHECK(good);

  if (failures == 0)
    std::printf("ok\n");
  return failures != 0;
}
