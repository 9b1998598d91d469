//===- StartsTest.cpp - Slices that start where a scalar says -------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scalars from before the first row to behind the last, and those that leave
// 64 bits: what is refused leaves results as they were.
//
//===----------------------------------------------------------------------===//

#include "tests/e2e/Harness.h"
#include <cstring>

namespace ein::test {
namespace {

struct Start {
  const char *name;
  const char *program;
};

const Start starts[] = {
    {"row", "def f(k: f32(H, E), pos: i64) -> (inout K: f32(T, H, E)) {\n"
            "  K(pos, h, e) = k(h, e)\n}"},
    {"row_added", "def f(k: f32(H, E), pos: index) -> (inout K: f32(T, H, E)) "
                  "{\n  K(pos, h, e) += k(h, e) * 2\n}"},
    {"row_of_sums", "def f(A: f32(H, E), x: f32(E), pos: i16)\n"
                    "    -> (inout K: f32(T, H)) {\n"
                    "  K(pos, h) +=! A(h, e) * x(e)\n}"},
    {"column", "def f(k: i32(T), pos: u8) -> (inout K: i32(T, H)) {\n"
               "  K(t, pos) = k(t) + 1\n}"},
    {"block", "def f(k: f64(E, H), p: i32) -> (inout K: f64(T, H)) {\n"
              "  K(p + i, h) = k(i, h)\n}"},
    {"block_strided", "def f(k: f32(E, H), p: u32, q: i8)\n"
                      "    -> (inout K: f32(T, H)) {\n"
                      "  K(2*i + p - q + 1, h) += k(i, h)\n}"},
    {"block_reversed", "def f(k: f32(E, H), pos: u16) -> (inout K: f32(T, H)) "
                       "{\n  K(pos - i, h) = k(i, h)\n}"},
    {"rest", "def f(x: f32, pos: i32) -> (inout K: f32(T, H)) {\n"
             "  K(pos + i, h) = x\n}"},
    {"element", "def f(x: f32, pos: i32, q: u64) -> (inout K: f32(T, H)) {\n"
                "  K(pos, q) = x\n}"},
    {"twice", "def f(x: f32, pos: i64) -> (inout K: f32(T, T)) {\n"
              "  K(pos, pos) = x\n  K(4*pos + 1, h) += x\n}"},
    {"behind_sizes", "def f(k: f32(H), pos: i64) -> (inout K: f32(T, H)) {\n"
                     "  K(T - 1 - pos, h) = k(h)\n}"},
    {"fresh", "def f(k: f32(H), pos: i8) -> (K: f32(T, H)) {\n"
              "  K(t, h) = 1\n  K(pos, h) = k(h)\n}"},
    {"alone", "def f(k: f32(H), pos: u64) -> (K: f32(T, H)) {\n"
              "  K(pos, h) = k(h)\n}"},
};

class Starts : public testing::TestWithParam<Start> {};

/// Has every scalar be `value`, as far as it fits.
CallOptions setScalars(int64_t value) {
  CallOptions call;
  call.edit = [value](const std::string &, runtime::Array &array) {
    if (array.shape.empty() && array.type != runtime::DType::F32)
      std::memcpy(array.data(), &value, runtime::getByteWidth(array.type));
  };
  return call;
}

constexpr int64_t kLargest = INT64_MAX;
const int64_t kScalars[] = {
    0, 1, 2, 6, 7, -1, kLargest, -kLargest - 1, (kLargest >> 1) + 1};

TEST_P(Starts, OpenSizes) {
  for (bool views : {false, true}) {
    BuildOptions options;
    options.views = views;
    Compiled compiled(GetParam().program, options);
    ASSERT_TRUE(compiled.isOk());
    for (int64_t t : {0, 1, 7})
      for (int64_t h : {0, 1, 5, 17})
        for (int64_t e : {0, 1, 3})
          for (int64_t scalar : kScalars) {
            CallOptions call = setScalars(scalar);
            call.views = views;
            EXPECT_TRUE(compiled.check({{"T", t}, {"H", h}, {"E", e}}, call))
                << "with scalars of " << scalar;
          }
  }
}

TEST_P(Starts, KnownSizes) {
  for (int64_t t : {3, 4, 7}) {
    BuildOptions options;
    options.bindings = getPresent(GetParam().program,
                                  {{"T", t}, {"H", t == 4 ? 1 : 16}, {"E", 2}});
    options.optLevel = t == 3 ? 0 : 3;
    options.parallel = t == 7;
    Compiled compiled(GetParam().program, options);
    ASSERT_TRUE(compiled.isOk());
    for (int64_t scalar : kScalars)
      EXPECT_TRUE(compiled.check({}, setScalars(scalar)))
          << "with scalars of " << scalar;
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, Starts, testing::ValuesIn(starts),
                         [](const auto &info) {
                           return std::string(info.param.name);
                         });

} // namespace
} // namespace ein::test
