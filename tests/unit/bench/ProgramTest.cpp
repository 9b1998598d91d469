//===- ProgramTest.cpp - Signatures that the benchmark reads --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/cases/Program.h"
#include <fstream>
#include <gtest/gtest.h>

namespace ein::bench {
namespace {

std::string read(const std::string &text, const std::string &sizes,
                 Program &program) {
  program = Program();
  program.path = testing::TempDir() + "/program.ein";
  std::ofstream(program.path) << text;
  Element element;
  return readProgram(program, sizes, element);
}

const char *const convolution = R"(
# flops: 2*H*K*(C + 1)
def kernel(I: f32(s*H + K - s, C), W: f32(K, C), a: f32)
    -> (O: f32(H)) attr(s: index = 1) {
}
)";

TEST(Program, Sizes) {
  Program program;
  ASSERT_EQ(read(convolution, "s=2,H=5,K=3,C=7", program), "");
  ASSERT_EQ(program.arrays.size(), 4u);
  EXPECT_EQ(program.arrays[0].dims, (std::vector<int64_t>{11, 7}));
  EXPECT_TRUE(program.arrays[2].dims.empty());
  EXPECT_EQ(program.arrays[3].dims, (std::vector<int64_t>{5}));
  EXPECT_EQ(program.flops, 2 * 5 * 3 * 8);
  // As a compiled function takes them, whatever the order in the case.
  std::string names;
  for (const Program::Size &size : program.sizes)
    names += size.name + (size.isAttribute ? "! " : " ");
  EXPECT_EQ(names, "H K C s! ");
}

TEST(Program, Types) {
  Program program;
  program.path = testing::TempDir() + "/program.ein";
  std::ofstream(program.path) << "# flops: 2*M*K\n"
                                 "def kernel(X: u8(M, K), w: i8(K), s: bf16)"
                                 " -> (Y: i32(M)) {\n";
  Element element = Element::F32;
  ASSERT_EQ(readProgram(program, "M=3,K=5", element), "");
  EXPECT_EQ(element, Element::I32);
  EXPECT_EQ(program.arrays[0].element, Element::U8);
  EXPECT_EQ(program.arrays[1].element, Element::I8);
  EXPECT_EQ(program.arrays[2].element, Element::BF16);
}

TEST(Program, Errors) {
  Program program;
  EXPECT_EQ(read(convolution, "s=2,H=5,K=3", program), "no value for `C`");
  EXPECT_EQ(read(convolution, "s=2,H=5,K=3,C=7,D=1", program),
            "a value for what is no size");
  EXPECT_EQ(read(convolution, "s=9,H=0,K=3,C=7", program),
            "`I` has no elements");
  EXPECT_EQ(read("# flops: M\ndef kernel(A: f32(M), B: i64(M)) -> (C: f64(M)) "
                 "{\n",
                 "M=1", program),
            "`B` has a type that the benchmark does not have");
  EXPECT_EQ(read("def kernel(A: f32(M)) -> (C: f32(M)) {\n", "M=1", program),
            "not there, or without `def kernel` or `# flops:`");
}

} // namespace
} // namespace ein::bench
