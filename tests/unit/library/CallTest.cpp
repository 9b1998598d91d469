//===- CallTest.cpp - Calls through the library ---------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"
#include <einc/einc.hpp>
#include <gmock/gmock.h>
#include <numeric>

using namespace ein::test;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

/// A matrix of any strides, as an array of the interface.
struct Matrix {
  std::vector<float> memory;
  int64_t sizes[2], strides[2];
  int64_t first = 0;

  Matrix(int64_t rows, int64_t columns, int64_t rowStride, int64_t columnStride)
      : sizes{rows, columns}, strides{rowStride, columnStride} {
    int64_t low = 0, high = 0;
    for (int d = 0; d < 2; ++d) {
      int64_t reach = strides[d] * std::max<int64_t>(sizes[d] - 1, 0);
      (reach < 0 ? low : high) += reach;
    }
    memory.assign(high - low + 1, -7.0f);
    first = -low;
  }
  float &at(int64_t i, int64_t j) {
    return memory[first + i * strides[0] + j * strides[1]];
  }
  void fill(float start) {
    for (int64_t i = 0; i < sizes[0]; ++i)
      for (int64_t j = 0; j < sizes[1]; ++j)
        at(i, j) = start++;
  }
  einc_array get() {
    return {memory.data() + first, sizes, strides, 2, EINC_TYPE_F32};
  }
};

class Call : public testing::Test {
protected:
  void SetUp() override {
    program = compile(kMatmul);
    ASSERT_EQ(program.status, EINC_OK) << einc_last_message();
    mm = einc_program_find(program.value.get(), "mm");
  }
  void check(Matrix a, Matrix b, Matrix c) {
    a.fill(1);
    b.fill(-2);
    einc_array arrays[] = {a.get(), b.get(), c.get()};
    ASSERT_EQ(einc_call(mm, arrays, 3, nullptr), EINC_OK)
        << einc_last_message();
    for (int64_t i = 0; i < c.sizes[0]; ++i)
      for (int64_t j = 0; j < c.sizes[1]; ++j) {
        float sum = 0;
        for (int64_t k = 0; k < a.sizes[1]; ++k)
          sum += a.at(i, k) * b.at(k, j);
        EXPECT_FLOAT_EQ(c.at(i, j), sum) << i << ", " << j;
      }
  }

  Result<einc_program> program;
  const einc_entry *mm = nullptr;
};

} // namespace

TEST_F(Call, TakesAnyStrides) {
  Silence silence;
  check({5, 7, 7, 1}, {7, 3, 3, 1}, {5, 3, 3, 1});     // contiguous
  check({5, 7, 9, 1}, {7, 3, 4, 1}, {5, 3, 8, 1});     // padded rows
  check({5, 7, 1, 5}, {7, 3, 1, 7}, {5, 3, 1, 5});     // columns first
  check({5, 7, -7, 1}, {7, 3, 3, -1}, {5, 3, -3, -1}); // reversed
  check({5, 7, 0, 1}, {7, 3, 0, 0}, {5, 3, 6, 2});     // one row; one number
}

TEST_F(Call, TakesSizesOfZero) {
  Silence silence;
  check({0, 7, 7, 1}, {7, 3, 3, 1}, {0, 3, 3, 1});
  check({5, 0, 1, 1}, {0, 3, 3, 1}, {5, 3, 3, 1}); // sums of nothing
  check({0, 0, 1, 1}, {0, 0, 1, 1}, {0, 0, 1, 1});
  int64_t none[] = {0, 0};
  einc_array nothing = {nullptr, none, nullptr, 2, EINC_TYPE_F32};
  einc_array arrays[] = {nothing, nothing, nothing};
  EXPECT_EQ(einc_call(mm, arrays, 3, nullptr), EINC_OK) << einc_last_message();
}

TEST_F(Call, TakesNoStridesAsContiguous) {
  std::vector<float> a(6, 1), b(12, 2), c(8);
  int64_t sizeA[] = {2, 3}, sizeB[] = {3, 4}, sizeC[] = {2, 4};
  einc_array arrays[] = {{a.data(), sizeA, nullptr, 2, EINC_TYPE_F32},
                         {b.data(), sizeB, nullptr, 2, EINC_TYPE_F32},
                         {c.data(), sizeC, nullptr, 2, EINC_TYPE_F32}};
  ASSERT_EQ(einc_call(mm, arrays, 3, nullptr), EINC_OK) << einc_last_message();
  EXPECT_THAT(c, testing::Each(6.0f));
}

TEST_F(Call, RefusesWhatDoesNotFit) {
  Silence silence;
  Matrix a(5, 7, 7, 1), b(7, 3, 3, 1), c(5, 3, 3, 1);
  einc_array good[] = {a.get(), b.get(), c.get()};
  auto expect = [&](einc_status status, const char *message, auto change) {
    einc_array arrays[] = {good[0], good[1], good[2]};
    change(arrays);
    EXPECT_EQ(einc_call(mm, arrays, 3, nullptr), status);
    EXPECT_THAT(einc_last_message(), HasSubstr(message));
  };
  int64_t other[] = {6, 3}, negative[] = {-7, 3};
  expect(EINC_SHAPE_MISMATCH, "6", [&](auto *list) { list[1].sizes = other; });
  expect(EINC_SHAPE_MISMATCH, "",
         [&](auto *list) { list[1].sizes = negative; });
  expect(EINC_WRONG_ARGUMENT, "`A` has rank 1, not 2, as f32(M, K) does",
         [](auto *list) { list[0].rank = 1; });
  expect(EINC_WRONG_ARGUMENT, "`B` is f64, not f32",
         [](auto *list) { list[1].type = EINC_TYPE_F64; });
  expect(EINC_WRONG_ARGUMENT, "`B` is of no type, not f32",
         [](auto *list) { list[1].type = static_cast<einc_type>(77); });
  expect(EINC_WRONG_ARGUMENT, "`C` has no data",
         [](auto *list) { list[2].data = nullptr; });
  expect(EINC_WRONG_ARGUMENT, "`C` has no sizes",
         [](auto *list) { list[2].sizes = nullptr; });
  expect(EINC_WRONG_ARGUMENT, "`A` is not aligned", [](auto *list) {
    list[0].data = static_cast<char *>(list[0].data) + 1;
  });
  expect(EINC_OVERLAP, "overlaps",
         [](auto *list) { list[2].data = list[0].data; });
  int64_t flat[] = {0, 1};
  expect(EINC_OVERLAP, "overlaps", [&](auto *list) { list[2].strides = flat; });
  EXPECT_EQ(einc_call(mm, good, 2, nullptr), EINC_WRONG_ARGUMENT);
  EXPECT_STREQ(einc_last_message(), "`mm` takes 3 arrays, not 2");
  EXPECT_EQ(einc_call(nullptr, good, 3, nullptr), EINC_WRONG_ARGUMENT);
  EXPECT_EQ(einc_call(mm, nullptr, 3, nullptr), EINC_WRONG_ARGUMENT);
  EXPECT_THAT(c.memory, testing::Each(-7.0f));
}

TEST_F(Call, InfersShapes) {
  int64_t sizeA[] = {5, 7}, sizeB[] = {7, 3};
  einc_array arrays[] = {{nullptr, sizeA, nullptr, 2, EINC_TYPE_F32},
                         {nullptr, sizeB, nullptr, 2, EINC_TYPE_F32},
                         {}};
  int64_t sizes[] = {-1, -1, -1}, shape[2];
  ASSERT_EQ(einc_infer_sizes(mm, arrays, 3, sizes), EINC_OK);
  EXPECT_THAT(sizes, ElementsAre(5, 7, 3));
  ASSERT_EQ(einc_infer_shape(mm, 2, sizes, shape), EINC_OK);
  EXPECT_THAT(shape, ElementsAre(5, 3));
  sizeB[0] = 8;
  int64_t again[] = {-1, -1, -1};
  EXPECT_EQ(einc_infer_sizes(mm, arrays, 3, again), EINC_SHAPE_MISMATCH);
  arrays[1] = {};
  int64_t open[] = {-1, -1, -1};
  EXPECT_EQ(einc_infer_sizes(mm, arrays, 3, open), EINC_WRONG_ARGUMENT);
  EXPECT_THAT(einc_last_message(), HasSubstr("`N`"));
  int64_t given[] = {-1, -1, 9};
  EXPECT_EQ(einc_infer_sizes(mm, arrays, 3, given), EINC_OK);
  EXPECT_THAT(given, ElementsAre(5, 7, 9));
  EXPECT_EQ(einc_infer_sizes(mm, arrays, 3, nullptr), EINC_WRONG_ARGUMENT);
  EXPECT_EQ(einc_infer_sizes(mm, arrays, 1, given), EINC_WRONG_ARGUMENT);
  EXPECT_EQ(einc_infer_shape(mm, 3, given, shape), EINC_WRONG_ARGUMENT);
  EXPECT_EQ(einc_infer_shape(mm, 2, nullptr, shape), EINC_WRONG_ARGUMENT);
  std::vector<int64_t> wrong(einc_entry_num_sizes(mm), 2);
  wrong[0] = -1;
  EXPECT_EQ(einc_infer_shape(mm, 2, wrong.data(), shape), EINC_WRONG_ARGUMENT);
  EXPECT_THAT(einc_last_message(), HasSubstr("is negative: -1"));
  wrong.assign(wrong.size(), int64_t(1) << 40);
  EXPECT_EQ(einc_infer_shape(mm, 2, wrong.data(), shape), EINC_SHAPE_MISMATCH);
  EXPECT_THAT(einc_last_message(), HasSubstr("overflows"));
}

TEST(Calls, FindCompoundSizes) {
  auto program = compile("def conv(I: f32(2*OH + KH - 2), W: f32(KH)) -> "
                         "(O: f32(OH)) { O(h) +=! I(2*h + k) * W(k) }");
  ASSERT_EQ(program.status, EINC_OK) << einc_last_message();
  const einc_entry *conv = einc_program_find(program.value.get(), "");
  int64_t sizeI[] = {10}, sizeW[] = {4}, sizes[] = {-1, -1}, shape[1];
  std::vector<float> i(10), w(4, 1), o(4);
  std::iota(i.begin(), i.end(), 0.0f);
  einc_array arrays[] = {{i.data(), sizeI, nullptr, 1, EINC_TYPE_F32},
                         {w.data(), sizeW, nullptr, 1, EINC_TYPE_F32},
                         {}};
  ASSERT_EQ(einc_infer_sizes(conv, arrays, 3, sizes), EINC_OK)
      << einc_last_message();
  ASSERT_EQ(einc_infer_shape(conv, 2, sizes, shape), EINC_OK);
  EXPECT_EQ(shape[0], 4);
  arrays[2] = {o.data(), shape, nullptr, 1, EINC_TYPE_F32};
  ASSERT_EQ(einc_call(conv, arrays, 3, nullptr), EINC_OK)
      << einc_last_message();
  EXPECT_THAT(o, ElementsAre(6, 14, 22, 30));
}

TEST(Calls, TakeScalars) {
  auto program = compile("def f(s: f64, x: f64(N)) -> (y: f64) {\n"
                         "  y +=! s * x(i)\n"
                         "}\n");
  ASSERT_EQ(program.status, EINC_OK) << einc_last_message();
  const einc_entry *f = einc_program_find(program.value.get(), "f");
  double s = 0.5, x[] = {1, 2, 3}, y = 0;
  int64_t size[] = {2}, stride[] = {2};
  einc_array arrays[] = {{&s, nullptr, nullptr, 0, EINC_TYPE_F64},
                         {x, size, stride, 1, EINC_TYPE_F64},
                         {&y, nullptr, nullptr, 0, EINC_TYPE_F64}};
  ASSERT_EQ(einc_call(f, arrays, 3, nullptr), EINC_OK) << einc_last_message();
  EXPECT_EQ(y, 2);
}

TEST(Calls, TakeTheCompilersHalfPrecision) {
  Result<einc_program> program =
      compile("def f(s: f16, A: f16(N), B: bf16(N)) -> (C: f16(N), D: bf16(N))"
              " { C(i) = s * A(i)  D(i) = A(i) - B(i) }");
  ASSERT_EQ(program.status, EINC_OK);
  einc::entry f(einc_program_find(program.value.get(), nullptr));
  uint16_t bits[] = {0x3f80, 0xc000}, result[2]; // 1, -2
#ifdef __FLT16_MANT_DIG__
  _Float16 s = 3, a[] = {0.5, -4}, c[2];
  EXPECT_EQ(f(s, einc::array(a, {2}), einc::array(bits, EINC_TYPE_BF16, {2}),
              einc::array(c, {2}), einc::array(result, EINC_TYPE_BF16, {2})),
            EINC_OK)
      << einc_last_message();
  EXPECT_EQ(static_cast<float>(c[0]), 1.5f);
  EXPECT_EQ(static_cast<float>(c[1]), -12.0f);
#else
  uint16_t s = 0x4200, a[] = {0x3800, 0xc400}, c[2];
  auto f16 = [](uint16_t *data) {
    return einc::array(data, EINC_TYPE_F16, {2});
  };
  EXPECT_EQ(f(einc::array(&s, EINC_TYPE_F16, {}), f16(a),
              einc::array(bits, EINC_TYPE_BF16, {2}), f16(c),
              einc::array(result, EINC_TYPE_BF16, {2})),
            EINC_OK);
  EXPECT_EQ(c[0], 0x3e00);
  EXPECT_EQ(c[1], 0xca00);
#endif
  EXPECT_EQ(result[0], 0xbf00); // -0.5
  EXPECT_EQ(result[1], 0xc000); // -2
}

TEST(Calls, TakeSizesThatNoArraySays) {
  auto program = compile("def f(A: f32(2*(M/2))) -> (s: f32) {\n"
                         "  s +=! A(2*m) where m in 0:M/2\n"
                         "}\n");
  ASSERT_EQ(program.status, EINC_OK) << einc_last_message();
  const einc_entry *f = einc_program_find(program.value.get(), "f");
  float a[] = {1, 2, 3, 4, 5, 6}, s = 0;
  int64_t size[] = {6}, sizes[] = {7};
  einc_array arrays[] = {{a, size, nullptr, 1, EINC_TYPE_F32},
                         {&s, nullptr, nullptr, 0, EINC_TYPE_F32}};
  EXPECT_EQ(einc_call(f, arrays, 2, nullptr), EINC_WRONG_ARGUMENT);
  EXPECT_STREQ(einc_last_message(), "no array says what `M` is");
  ASSERT_EQ(einc_call(f, arrays, 2, sizes), EINC_OK) << einc_last_message();
  EXPECT_EQ(s, 9);
  sizes[0] = 9;
  EXPECT_EQ(einc_call(f, arrays, 2, sizes), EINC_SHAPE_MISMATCH);
}

TEST(Calls, SayWhatTheCodeRefuses) {
  auto program = compile("def f(x: i32(N), d: i32, i: i64(N)) -> (y: i32(N)) "
                         "{ y(n) = x(i(n)) / d }");
  ASSERT_EQ(program.status, EINC_OK) << einc_last_message();
  const einc_entry *f = einc_program_find(program.value.get(), "f");
  int32_t x[] = {8, 6}, d = 0, y[2];
  int64_t i[] = {1, 0}, n[] = {2};
  einc_array arrays[] = {{x, n, nullptr, 1, EINC_TYPE_I32},
                         {&d, nullptr, nullptr, 0, EINC_TYPE_I32},
                         {i, n, nullptr, 1, EINC_TYPE_I64},
                         {y, n, nullptr, 1, EINC_TYPE_I32}};
  EXPECT_EQ(einc_call(f, arrays, 4, nullptr), EINC_DOMAIN);
  EXPECT_STREQ(einc_last_message(), "`f`: an integer is divided by zero");
  d = 2;
  i[0] = 5;
  EXPECT_EQ(einc_call(f, arrays, 4, nullptr), EINC_INDEX_OUT_OF_RANGE);
  i[0] = 1;
  arrays[2].type = EINC_TYPE_INDEX; // has the same bits
  EXPECT_EQ(einc_call(f, arrays, 4, nullptr), EINC_OK);
  EXPECT_THAT(y, ElementsAre(3, 4));
}
