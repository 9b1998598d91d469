//===- WindowsTest.cpp - Convolutions, poolings, stencils round every edge ===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything whose strategy is `window`: sizes of the result round a vector's
// and a tile's, windows of every step and distance, layouts on both sides of
// which dim vectors lie along; open and static sizes, through views, in
// threads.
//
//===----------------------------------------------------------------------===//

#include "tests/e2e/Harness.h"
#include "llvm/Support/FormatVariadic.h"

namespace ein::test {
namespace {

struct Form {
  const char *name;
  const char *program;
  /// Results' sizes, of which the first is the one along vectors.
  std::vector<const char *> swept;
};

const Form forms[] = {
    {"conv1d",
     "def f(I: T(N + K - 1), W: T(K)) -> (O: T(N)) {\n"
     "  O(i) +=! I(i + k) * W(k) }",
     {"N", "K"}},
    {"conv1d_strided",
     "def f(I: T(C, 2*(N - 1) + 3*(K - 1) + 1), W: T(F, C, K)) -> (O: T(F, N)) "
     "{\n"
     "  O(f, i) +=! I(c, 2*i + 3*k) * W(f, c, k)\n"
     "  where i in 0:N, exists O(f, i) }",
     {"N", "F", "C", "K"}},
    {"conv1d_by_three",
     "def f(I: T(3*N + K), W: T(K)) -> (O: T(N)) {\n"
     "  O(i) +=! I(3*i + k) * W(k) where i in 0:N }",
     {"N", "K"}},
    {"conv1d_by_four",
     "def f(I: T(4*N + 2), W: T(3)) -> (O: T(N)) {\n"
     "  O(i) +=! I(4*i + k) * W(k) where i in 0:N }",
     {"N"}},
    {"nhwc",
     "def f(I: T(B, H + 2, M + 2, C), W: T(3, 3, C, F)) -> (O: T(B, H, M, F)) "
     "{\n"
     "  O(n, h, w, f) +=! I(n, h + kh, w + kw, c) * W(kh, kw, c, f) }",
     {"F", "M", "H", "C", "B"}},
    {"nchw",
     "def f(I: T(B, C, H + 2, M + 2), W: T(F, C, 3, 3)) -> (O: T(B, F, H, M)) "
     "{\n"
     "  O(n, f, h, w) +=! I(n, c, h + kh, w + kw) * W(f, c, kh, kw) }",
     {"M", "F", "H", "C", "B"}},
    {"nchw_by_two",
     "def f(I: T(C, 2*H + 1, 2*M + 1), W: T(F, C, 3, 3)) -> (O: T(F, H, M)) {\n"
     "  O(f, h, w) +=! I(c, 2*h + kh, 2*w + kw) * W(f, c, kh, kw) }",
     {"M", "F", "H", "C"}},
    {"dilated",
     "def f(I: T(C, H + 4, M + 6), W: T(F, C, 3, 3)) -> (O: T(F, H, M)) {\n"
     "  O(f, h, w) +=! I(c, h + 2*kh, w + 3*kw) * W(f, c, kh, kw) }",
     {"M", "F", "H", "C"}},
    {"grouped",
     "def f(I: T(G, C, H + 1, M + 1), W: T(G, F, C, 2, 2)) -> (O: T(G, F, H, "
     "M)) {\n"
     "  O(g, f, h, w) +=! I(g, c, h + kh, w + kw) * W(g, f, c, kh, kw) }",
     {"M", "F", "G", "H", "C"}},
    {"depthwise_nhwc",
     "def f(I: T(H + 2, M + 2, C), W: T(3, 3, C)) -> (O: T(H, M, C)) {\n"
     "  O(h, w, c) +=! I(h + kh, w + kw, c) * W(kh, kw, c) }",
     {"C", "M", "H"}},
    {"depthwise_nchw",
     "def f(I: T(C, 2*H + 1, 2*M + 1), W: T(C, 3, 3)) -> (O: T(C, H, M)) {\n"
     "  O(c, h, w) +=! I(c, 2*h + kh, 2*w + kw) * W(c, kh, kw) }",
     {"M", "H", "C"}},
    {"volume",
     "def f(I: T(C, D + 1, H + 1, M + 2), W: T(F, C, 2, 2, 3)) -> (O: T(F, D, "
     "H, M)) {\n"
     "  O(f, d, h, w) +=! I(c, d + kd, h + kh, w + kw) * W(f, c, kd, kh, kw) }",
     {"M", "F", "H", "D", "C"}},
    {"max_pool",
     "def f(I: T(H + 2, M + 2, C)) -> (O: T(H, M, C)) {\n"
     "  O(h, w, c) max=! I(h + kh, w + kw, c) where kh in 0:3, kw in 0:3,\n"
     "  h in 0:H, w in 0:M }",
     {"C", "M", "H"}},
    {"max_pool_by_two",
     "def f(I: T(C, 2*H, 2*M)) -> (O: T(C, H, M)) {\n"
     "  O(c, h, w) max=! I(c, 2*h + kh, 2*w + kw)\n"
     "  where kh in 0:2, kw in 0:2, h in 0:H, w in 0:M }",
     {"M", "H", "C"}},
    {"mean_pool",
     "def f(I: T(H + 2, M + 2)) -> (O: T(H, M)) {\n"
     "  O(h, w) +=! I(h + kh, w + kw) where kh in 0:3, kw in 0:3,\n"
     "  h in 0:H, w in 0:M }",
     {"M", "H"}},
    {"pointwise",
     "def f(I: T(B, H, M, C), W: T(1, 1, C, F)) -> (O: T(B, H, M, F)) {\n"
     "  O(n, h, w, f) +=! I(n, h + kh, w + kw, c) * W(kh, kw, c, f) }",
     {"F", "M", "H", "C", "B"}},
    {"pointwise_by_two",
     "def f(I: T(2*H, 2*M + 1, C), W: T(1, 1, C, F)) -> (O: T(H, M, F)) {\n"
     "  O(h, w, f) +=! I(2*h + kh, 2*w + 1 + kw, c) * W(kh, kw, c, f)\n"
     "  where h in 0:H, w in 0:M, kh in 0:1, kw in 0:1 }",
     {"F", "M", "H", "C"}},
    {"pointwise_nchw",
     "def f(I: T(C, 3*H, M), W: T(F, C, 1, 1)) -> (O: T(F, H, M)) {\n"
     "  O(f, h, w) +=! I(c, 3*h + kh, w + kw) * W(f, c, kh, kw)\n"
     "  where h in 0:H, w in 0:M, kh in 0:1, kw in 0:1 }",
     {"M", "F", "H", "C"}},
    {"one_by_three",
     "def f(I: T(H, M + 2, C), W: T(1, 3, C, F)) -> (O: T(H, M, F)) {\n"
     "  O(h, w, f) +=! I(h + kh, w + kw, c) * W(kh, kw, c, f) }",
     {"F", "M", "H", "C"}},
    {"bias_relu",
     "def f(I: T(H + 2, M + 2, C), W: T(3, 3, C, F), b: T(F), R: T(H, M, F))\n"
     "    -> (O: T(H, M, F)) {\n"
     "  let s(h, w, f) +=! I(h + kh, w + kw, c) * W(kh, kw, c, f)\n"
     "  O(h, w, f) = max(s(h, w, f) + b(f), 0) + R(h, w, f) }",
     {"F", "M", "H", "C"}},
    {"mean",
     "def f(I: T(H + 2, M + 2, C)) -> (O: T(H, M, C)) {\n"
     "  let s(h, w, c) +=! I(h + kh, w + kw, c) where kh in 0:3, kw in 0:3,\n"
     "  h in 0:H, w in 0:M\n"
     "  O(h, w, c) = s(h, w, c) / T(9) }",
     {"C", "M", "H"}},
    {"transposed_reader",
     "def f(I: T(H + 1, M + 2), W: T(2, 3)) -> (O: T(M, H)) {\n"
     "  let s(h, w) +=! I(h + kh, w + kw) * W(kh, kw)\n"
     "  O(w, h) = s(h, w) * 2 }",
     {"M", "H"}},
    {"update",
     "def f(I: T(H + 2, M + 2), W: T(3, 3)) -> (inout O: T(H, M)) {\n"
     "  O(h, w) += I(h + kh, w + kw) * W(kh, kw) }",
     {"M", "H"}},
    {"hankel",
     "def f(I: T(M + N - 1)) -> (O: T(M, N)) { O(i, j) = I(i + j) * 2 }",
     {"N", "M"}},
};

std::string getProgram(const Form &form, ElementType type) {
  std::string text = form.program;
  std::string spelling = getSpelling(type).str();
  for (size_t at = 0; (at = text.find("T(", at)) != std::string::npos;) {
    if (at == 0 || !isalnum(text[at - 1]))
      text.replace(at, 1, spelling);
    at += 2;
  }
  return text;
}

class Windows : public testing::TestWithParam<std::tuple<Form, ElementType>> {};

/// Sizes that are all 3 but for one, which is round a vector's and a tile's.
std::vector<Sizes> getSizes(const Form &form, ElementType type) {
  int64_t lanes = getHostTarget().getLanes(getBitWidth(type));
  std::vector<Sizes> all;
  for (const char *swept : form.swept) {
    std::vector<int64_t> values = {0, 1, 2, 5, 7, 13};
    if (swept == form.swept.front())
      values = {0,         1,         2,         lanes - 1,     lanes,
                lanes + 1, 2 * lanes, 4 * lanes, 4 * lanes + 3, 5 * lanes - 1};
    for (int64_t value : values) {
      Sizes sizes;
      for (const char *name : form.swept)
        sizes.emplace_back(name, name == swept ? value : 3);
      all.push_back(sizes);
    }
  }
  return all;
}

/// In threads with one type, through views with the other.
TEST_P(Windows, Open) {
  auto [form, type] = GetParam();
  BuildOptions options;
  options.parallel = type == ElementType::F32;
  options.threads = options.parallel ? "always" : "auto";
  options.views = !options.parallel;
  Compiled compiled(getProgram(form, type), options);
  for (const Sizes &sizes : getSizes(form, type)) {
    EXPECT_TRUE(compiled.check(sizes));
    CallOptions call;
    call.unaligned = true;
    EXPECT_TRUE(compiled.check(sizes, call));
  }
  if (!options.views)
    return;
  CallOptions call;
  call.views = true;
  for (const char *name : form.swept) {
    Sizes sizes;
    for (const char *other : form.swept)
      sizes.emplace_back(other, name == other ? 19 : 4);
    EXPECT_TRUE(compiled.check(sizes, call));
  }
}

/// With all sizes known, tiles are chosen for them.
TEST_P(Windows, Static) {
  auto [form, type] = GetParam();
  std::vector<Sizes> all = getSizes(form, type);
  for (size_t i = std::get<0>(GetParam()).swept.size() % 3; i < all.size();
       i += 7) {
    BuildOptions options;
    options.bindings = all[i];
    Compiled compiled(getProgram(form, type), options);
    EXPECT_TRUE(compiled.check({}));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Forms, Windows,
    testing::Combine(testing::ValuesIn(forms),
                     testing::Values(ElementType::F32, ElementType::F64)),
    [](const testing::TestParamInfo<Windows::ParamType> &info) {
      return std::string(std::get<0>(info.param).name) + "_" +
             getSpelling(std::get<1>(info.param)).str();
    });

/// So many sums that some are outside of the loops over the image.
TEST(WindowsLarge, SumsOutside) {
  for (const char *program :
       {"def f(I: f32(5, 9, 512), W: f32(3, 3, 512, 130)) -> (O: f32(3, 7, "
        "130)) {\n"
        "  O(h, w, f) +=! I(h + kh, w + kw, c) * W(kh, kw, c, f) }",
        "def f(I: f32(512, 5, 9), W: f32(70, 512, 3, 3)) -> (O: f32(70, 3, 7)) "
        "{\n"
        "  O(f, h, w) +=! I(c, h + kh, w + kw) * W(f, c, kh, kw) }"}) {
    Compiled compiled(program);
    EXPECT_TRUE(compiled.check({}));
  }
}

/// Pointwise, with so many filters that they are read where they are, by tiles
/// of rows the last of which is another one; several blocks of channels; an
/// image by every second pixel is copied.
TEST(WindowsLarge, StreamedFilters) {
  for (const char *program :
       {"def f(I: f32(1, 7, 7, 300), W: f32(1, 1, 300, 1024)) -> (O: f32(1, 7, "
        "7, 1024)) {\n"
        "  O(b, h, w, f) +=! I(b, h + kh, w + kw, c) * W(kh, kw, c, f) }",
        "def f(I: f32(1, 13, 9, 520), W: f32(1, 1, 520, 576), b: f32(576))\n"
        "    -> (O: f32(1, 7, 5, 576)) {\n"
        "  let s(b, h, w, f) +=! I(b, 2*h + kh, 2*w + kw, c) * W(kh, kw, c, "
        "f)\n"
        "  O(n, h, w, f) = max(s(n, h, w, f) + b(f), 0) }",
        "def f(A: f32(95, 260), B: f32(260, 2064)) -> (C: f32(95, 2064)) {\n"
        "  C(m, n) +=! A(m, k) * B(k, n) }",
        "def f(A: f32(13, 2100), B: f32(2100, 320)) -> (inout C: f32(13, 320)) "
        "{\n"
        "  C(m, n) += A(m, k) * B(k, n) }"}) {
    Compiled compiled(program);
    ASSERT_TRUE(compiled.isOk()) << program;
    EXPECT_TRUE(compiled.check({})) << program;
    CallOptions call;
    call.unaligned = true;
    EXPECT_TRUE(compiled.check({}, call)) << program;
  }
}

/// Narrow numbers are extended as they are read.
TEST(WindowsNarrow, Extended) {
  for (const char *types :
       {"i8 i32", "u8 i32", "i16 i64", "bf16 f32", "f16 f32", "f32 f64"}) {
    auto [from, to] = llvm::StringRef(types).split(' ');
    for (const char *form :
         {"def f(I: {0}(H + 2, M + 2), W: {0}(3, 3)) -> (O: {1}(H, M)) {{\n"
          "  O(h, w) +=! {1}(I(h + kh, w + kw)) * {1}(W(kh, kw)) }",
          "def f(I: {0}(C, 2*H + 1, 2*M + 1), W: {0}(F, C, 3, 3))\n"
          "    -> (O: {1}(F, H, M)) {{\n"
          "  O(f, h, w) +=! {1}(I(c, 2*h + kh, 2*w + kw)) * {1}(W(f, c, kh, "
          "kw)) }"}) {
      BuildOptions options;
      std::string text = llvm::formatv(form, from, to).str();
      options.bindings =
          getPresent(text, {{"H", 3}, {"M", 35}, {"C", 3}, {"F", 5}});
      Compiled compiled(text, options);
      EXPECT_TRUE(compiled.check({}));
    }
  }
}

/// Linalg's named ops.
TEST(WindowsNamed, Ops) {
  const char *const programs[] = {
      "def f(I: f32(N, 2*H + 1, 2*M + 1, C), W: f32(3, 3, C, F)) -> (O) {\n"
      "  O = conv_2d_nhwc_hwcf(I, W, strides=[2, 2]) }",
      "def f(I: f32(N, C, H + 4, M + 4), W: f32(F, C, 3, 3)) -> (O) {\n"
      "  O = conv_2d_nchw_fchw(I, W, dilations=[2, 2]) }",
      "def f(I: f32(N, H + 2, M + 2, C), W: f32(3, 3, C)) -> (O) {\n"
      "  O = depthwise_conv_2d_nhwc_hwc(I, W) }",
      "def f(I: f32(N, C, H + 2, M + 2), W: f32(C, 3, 3)) -> (O) {\n"
      "  O = depthwise_conv_2d_nchw_chw(I, W) }",
      "def f(I: f32(N, H + 2, M + 2, C)) -> (O) {\n"
      "  O = pooling_nhwc_max(I, size=[3, 3]) }",
      "def f(I: f32(N, C, 2*H, 2*M)) -> (O) {\n"
      "  O = pooling_nchw_sum(I, size=[2, 2], strides=[2, 2]) }",
  };
  for (const char *program : programs) {
    BuildOptions options;
    options.bindings = getPresent(
        program, {{"N", 2}, {"H", 3}, {"M", 18}, {"C", 19}, {"F", 6}});
    Compiled compiled(program, options);
    ASSERT_TRUE(compiled.isOk()) << program;
    EXPECT_TRUE(compiled.check({}));
  }
}

} // namespace
} // namespace ein::test
