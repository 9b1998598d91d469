//===- ManyArgumentsTest.cpp - Entries that pass arguments in tables ------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs whose kernels have more than CompileBudget::kManyArguments
// arguments, so that their entries check and copy arrays in loops over tables.
//
//===----------------------------------------------------------------------===//

#include "tests/e2e/Harness.h"

namespace ein::test {
namespace {

/// As many arrays of two dims as have kernels take a table: seven arguments
/// each.
constexpr int kCount = 80;

/// "A0: f32(M, N), A1: …", and "A0(i, j) + A1(i, j) + …".
struct Arrays {
  Arrays(const std::string &name, int count, const std::string &type,
         const std::string &position) {
    for (int i = 0; i < count; ++i) {
      std::string array = name + std::to_string(i);
      parameters += array + ": " + type + ", ";
      sum += (i == 0 ? "" : " + ") + array + position;
    }
  }
  std::string parameters, sum;
};

/// Inputs, an array that is read and written, results with and without dims,
/// and scalars.
std::string getProgram() {
  Arrays rows("A", kCount - 2, "f32(M, N)", "(i, j)"),
      columns("B", 2, "f32(N, M)", "(j, i)");
  return "def f(" + rows.parameters + "s: f32, " + columns.parameters +
         "v: f32(N)) -> (Z: f32(M, N), inout Y: f32(N), t: f32) { "
         "Z(i, j) = s * (" +
         rows.sum + ") + " + columns.sum + "  Y(j) += s * v(j)  t +=! v(j) }";
}

std::string getComplexProgram() {
  Arrays arrays("A", kCount, "c128(M, N)", "(i, j)");
  return "def f(s: c64, " + arrays.parameters +
         "r: c128) -> (Z: c128(M, N)) { Z(i, j) = s * r * (" + arrays.sum +
         ") }";
}

void check(const std::string &text, bool views, const Sizes &bindings = {}) {
  BuildOptions options;
  options.views = views;
  options.bindings = bindings;
  Compiled compiled(text, options);
  ASSERT_TRUE(compiled.isOk());
  uint64_t seed = 0;
  for (auto [m, n] :
       {std::pair(0, 3), {3, 0}, {1, 1}, {1, 7}, {7, 1}, {5, 17}}) {
    CallOptions call;
    call.seed = ++seed;
    call.views = views;
    Sizes sizes = {{"M", m}, {"N", n}};
    llvm::erase_if(sizes, [&](const auto &size) {
      return llvm::any_of(bindings, [&](const auto &bound) {
        return bound.first == size.first;
      });
    });
    EXPECT_TRUE(compiled.check(sizes, call));
  }
}

TEST(ManyArguments, Contiguous) {
  check(getProgram(), /*views=*/false);
  check(getComplexProgram(), /*views=*/false, {{"M", 5}, {"N", 7}});
}

TEST(ManyArguments, Views) {
  check(getProgram(), /*views=*/true);
  check(getComplexProgram(), /*views=*/true, {{"M", 5}, {"N", 7}});
}

TEST(ManyArguments, StaticSizes) {
  for (bool views : {false, true})
    for (int64_t n : {0, 1, 5}) {
      check(getProgram(), views, {{"M", 3}, {"N", n}});
      check(getProgram(), views, {{"N", n}});
    }
}

/// A size of its own for each array, which comes in the table too.
TEST(ManyArguments, ManySizes) {
  std::string parameters, sum, indices;
  for (int i = 0; i < kCount; ++i) {
    std::string number = std::to_string(i);
    parameters += (i == 0 ? "A" : ", A") + number + ": f64(2, N" + number + ")";
    sum += (i == 0 ? "A" : " + A") + number + "(1, 0)";
  }
  std::string text =
      "def f(" + parameters + ") -> (Z: f64(N0)) { Z(i) = A0(1, i)";
  for (int i = 1; i < kCount; ++i)
    text += " + A" + std::to_string(i) + "(0, N" + std::to_string(i) + " - 1)";
  text += " }";
  for (bool views : {false, true}) {
    BuildOptions options;
    options.views = views;
    Compiled compiled(text, options);
    ASSERT_TRUE(compiled.isOk());
    for (int seed = 1; seed <= 4; ++seed) {
      Sizes sizes;
      for (int i = 0; i < kCount; ++i)
        sizes.push_back({"N" + std::to_string(i), 1 + (i * seed) % 5});
      CallOptions call;
      call.seed = seed;
      call.views = views;
      EXPECT_TRUE(compiled.check(sizes, call));
    }
  }
}

//===----------------------------------------------------------------------===//
// Overlap, shapes and memory
//===----------------------------------------------------------------------===//

struct View {
  float *data;
  int64_t sizes[2], strides[2];
};

class ManyArgumentsCodes : public testing::Test {
protected:
  ManyArgumentsCodes() : memory(8192) {
    Arrays arrays("A", kCount, "f32(M, N)", "(i, j)");
    BuildOptions options;
    options.views = true;
    compiled.emplace("def f(" + arrays.parameters +
                         "B: f32(M, N)) -> (Y: f32(M, N), Z: f32(M, N)) { "
                         "Y(i, j) = " +
                         arrays.sum + "  Z(i, j) = B(i, j) }",
                     options);
    EXPECT_TRUE(compiled->isOk());
    views.assign(kCount + 3, View{memory.data(), {3, 4}, {4, 1}});
    views[kCount + 1].data += 1024;
    views[kCount + 2].data += 2048;
  }

  runtime::Code call() {
    std::vector<void *> arguments;
    for (View &view : views)
      arguments.push_back(&view);
    return static_cast<runtime::Code>(
        compiled->getViewEntry()(arguments.data(), nullptr));
  }

  std::vector<float> memory;
  std::vector<View> views;
  std::optional<Compiled> compiled;
};

TEST_F(ManyArgumentsCodes, Overlap) {
  EXPECT_EQ(call(), runtime::Code::Ok);
  // An output and the last input; an output and the first one.
  float *own = views[kCount + 1].data;
  views[kCount + 1].data = views[kCount].data + 11;
  EXPECT_EQ(call(), runtime::Code::Overlap);
  views[kCount + 1].data = views[kCount].data + 12;
  EXPECT_EQ(call(), runtime::Code::Ok);
  views[0].data = own + 3;
  views[kCount + 1].data = own;
  EXPECT_EQ(call(), runtime::Code::Overlap);
  views[0].data = own + 12;
  EXPECT_EQ(call(), runtime::Code::Ok);
  // Two outputs, in whichever order.
  views[kCount + 2].data = own - 11;
  EXPECT_EQ(call(), runtime::Code::Overlap);
  views[kCount + 2].data = own + 11;
  EXPECT_EQ(call(), runtime::Code::Overlap);
  // Odd columns beside even ones.
  views[kCount + 1].strides[0] = views[kCount + 2].strides[0] = 8;
  views[kCount + 1].strides[1] = views[kCount + 2].strides[1] = 2;
  views[kCount + 2].data = own + 1;
  views[0].data = memory.data();
  EXPECT_EQ(call(), runtime::Code::Ok);
  // Itself.
  views[kCount + 1].strides[0] = 6;
  EXPECT_EQ(call(), runtime::Code::Overlap);
}

TEST_F(ManyArgumentsCodes, Shapes) {
  for (int i : {0, 1, kCount / 2, kCount, kCount + 2})
    for (int d : {0, 1})
      for (int64_t by : {-1, 1}) {
        views[i].sizes[d] += by;
        EXPECT_EQ(call(), runtime::Code::ShapeMismatch) << i << " " << d;
        views[i].sizes[d] -= by;
      }
  EXPECT_EQ(call(), runtime::Code::Ok);
}

TEST_F(ManyArgumentsCodes, OutOfMemory) {
  int64_t huge = int64_t(1) << 52;
  for (View &view : views) {
    view.sizes[0] = 2;
    view.sizes[1] = huge;
    view.strides[0] = 1;
    view.strides[1] = 0;
  }
  // Outputs that hold so much do not overlap themselves.
  for (int i : {1, 2}) {
    views[kCount + i].strides[0] = i == 1 ? huge : -huge;
    views[kCount + i].strides[1] = 1;
    views[kCount + i].data =
        reinterpret_cast<float *>(int64_t(1) << (i == 1 ? 56 : 60));
  }
  EXPECT_EQ(call(), runtime::Code::OutOfMemory);
}

/// What the contiguous entry says of the same.
TEST_F(ManyArgumentsCodes, ContiguousOverlap) {
  std::vector<void *> arguments;
  for (View &view : views)
    arguments.push_back(view.data);
  int64_t sizes[] = {3, 4};
  auto run = [&] {
    CallableEntry entry = compiled->getEntry();
    return static_cast<runtime::Code>(entry.function(arguments.data(), sizes));
  };
  EXPECT_EQ(run(), runtime::Code::Ok);
  float *own = views[kCount + 1].data;
  for (int other : {0, kCount, kCount + 2})
    for (int64_t distance : {-12, -11, 0, 11, 12}) {
      void *&argument = arguments[other], *before = argument;
      argument = own + distance;
      EXPECT_EQ(run(), std::abs(distance) < 12 ? runtime::Code::Overlap
                                               : runtime::Code::Ok);
      argument = before;
    }
  // An array without elements overlaps nothing.
  sizes[1] = 0;
  arguments[0] = own;
  EXPECT_EQ(run(), runtime::Code::Ok);
}

} // namespace
} // namespace ein::test
