//===- DistributedTest.cpp - Programs for many ranks as text --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/Distributed.h"
#include <gtest/gtest.h>

using namespace ein::runtime;

namespace {

const char *const kText =
    "mm<M, K, N>(A: f32(M, K), B: f32(K, N), s: f32) -> (C: f32(M, N))\n"
    "temporaries<M, K, N>(t0: f32(M, N), t1: f32(M, N), t2: i32) -> ()\n"
    "ranks 4 memory 4096 grid 2 2 1\n"
    "network 2.5e+10 1e+09 2e-06 0.05\n"
    "statement 0 .ppr add\n"
    "loops<M, K, N>(loops: f32(M, N, K)) -> ()\n"
    "read 0 1*0+0 1*2+0\n"
    "read 1 1*2+0 2*1+1*0+3~2\n"
    "write 4 1*0+0 1*1+0\n"
    "start bits 0000803f\n"
    "statement 1 .pw none\n"
    "loops<M, K, N>(loops: f32(M, N)) -> ()\n"
    "read 4 1*0+0 *\n"
    "read 2\n"
    "write 5 1*0+0 1*1+0\n"
    "start array 3\n"
    "statement 2 .ri add sliced\n"
    "loops<M, K, N>(loops: f32(M, N)) -> ()\n"
    "read 5 4*0+0~3 *\n"
    "write 4 * 1*1+0\n"
    "start nothing\n"
    "statement 3 .r first\n"
    "loops<M, K, N>(loops: f32(M)) -> ()\n"
    "read 5 1*0+0 *\n"
    "write 6\n"
    "start bits 00000000\n"
    "result 3 5\n"
    "status 6\n";

TEST(Distributed, TextIsReadAsItIsWritten) {
  DistributedProgram program;
  ASSERT_TRUE(parse(kText, program));
  EXPECT_EQ(print(program), kText);
  EXPECT_EQ(program.ranks, 4);
  EXPECT_EQ(program.maxMemoryBytes, 4096);
  EXPECT_EQ(program.grid, (std::vector<int64_t>{2, 2, 1}));
  ASSERT_TRUE(program.network);
  EXPECT_EQ(program.network->flops, 2.5e10);
  EXPECT_EQ(program.network->bytes, 1e9);
  EXPECT_EQ(program.network->latency, 2e-6);
  EXPECT_EQ(program.network->slack, 0.05);
  ASSERT_EQ(program.statements.size(), 4u);
  EXPECT_EQ(program.statements[3].combiner, Combiner::First);
  EXPECT_EQ(program.status, 6u);
  EXPECT_EQ(program.statements[2].loops[1].kind, LoopKind::Inner);
  const DistributedStatement &first = program.statements[0];
  EXPECT_EQ(first.combiner, Combiner::Add);
  EXPECT_EQ(first.loops[2].kind, LoopKind::Reduction);
  EXPECT_EQ(first.startBits, (std::vector<uint8_t>{0, 0, 0x80, 0x3f}));
  const Subscript &window = first.reads[1].subscripts[1];
  EXPECT_EQ(window.terms.size(), 2u);
  EXPECT_EQ(window.constant, 3);
  EXPECT_EQ(window.extra, 2);
  EXPECT_FALSE(window.isLone());
  EXPECT_TRUE(first.reads[0].subscripts[0].isLone());
  EXPECT_TRUE(program.isScalar(2));
  EXPECT_TRUE(program.statements[1].reads[0].subscripts[1].isWhole);
  EXPECT_EQ(program.getArray(5).name, "t1");
  EXPECT_EQ(program.statements[1].loops[1].kind, LoopKind::Whole);
  EXPECT_FALSE(program.statements[1].isSliced);
  EXPECT_TRUE(program.statements[2].isSliced);
}

/// Whatever is cut off or changed is refused, or is another program; nothing
/// else happens.
TEST(Distributed, DamagedTextIsRefused) {
  std::string text = kText;
  DistributedProgram program;
  for (size_t length = 0; length != text.size(); ++length) {
    bool isRead = parse(text.substr(0, length), program);
    // All lines but results and statements have to be there.
    EXPECT_TRUE(!isRead || text[length - 1] == '\n') << length;
  }
  for (size_t at = 0; at != text.size(); ++at)
    for (char other : {'0', '9', ' ', 'x', '\n', '-'}) {
      std::string damaged = text;
      damaged[at] = other;
      if (parse(damaged, program)) {
        EXPECT_EQ(print(program), damaged);
      }
    }
}

TEST(Distributed, NumbersAreThoseOfWhatIsThere) {
  DistributedProgram program;
  auto refuses = [&](const std::string &from, const std::string &to) {
    std::string text = kText;
    text.replace(text.find(from), from.size(), to);
    return !parse(text, program);
  };
  EXPECT_TRUE(refuses("1e+09", "-1e+09"));
  EXPECT_TRUE(refuses("2.5e+10", "nan"));
  EXPECT_TRUE(refuses("2.5e+10", "0"));
  EXPECT_TRUE(refuses(" 0.05", ""));
  EXPECT_TRUE(refuses("read 0 ", "read 6 "));
  EXPECT_TRUE(refuses("read 0 1*0+0", "read 0 1*3+0"));
  EXPECT_TRUE(refuses("read 0 1*0+0 1*2+0", "read 0 1*0+0"));
  EXPECT_TRUE(refuses("1*2+0", "0*2+0"));
  EXPECT_TRUE(refuses("start array 3", "start array 7"));
  EXPECT_TRUE(refuses("bits 0000803f", "bits 000080"));
  EXPECT_TRUE(refuses("result 3 5", "result 4 5"));
  EXPECT_TRUE(refuses("status 6", "status 7"));
  EXPECT_TRUE(refuses("status 6", "status 5")); // is no array of codes
  EXPECT_TRUE(refuses("statement 0 .ppr add", "statement 0 .ppr sum"));
  EXPECT_TRUE(refuses("statement 0 .ppr", "statement 0 .pp"));
  EXPECT_TRUE(refuses("add sliced", "add slices"));
}

} // namespace
