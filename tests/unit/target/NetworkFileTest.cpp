//===- NetworkFileTest.cpp - What a file says of many machines ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "target/NetworkFile.h"
#include "target/MachineModel.h"
#include "gtest/gtest.h"

using namespace ein;

namespace {

TEST(NetworkFile, ReadsWhatItPrints) {
  distribute::Network network;
  network.flops = 1.25e12;
  network.bytes = 123456789;
  network.latency = 1.5e-7;
  network.slack = 0;
  llvm::Expected<distribute::Network> again =
      readNetwork(printNetwork(network));
  ASSERT_TRUE(bool(again));
  EXPECT_EQ(again->flops, network.flops);
  EXPECT_EQ(again->bytes, network.bytes);
  EXPECT_EQ(again->latency, network.latency);
  EXPECT_EQ(again->slack, network.slack);
}

TEST(NetworkFile, SaysWhereAndWhat) {
  auto fail = [](llvm::StringRef text) {
    llvm::Expected<distribute::Network> network = readNetwork(text);
    EXPECT_FALSE(bool(network));
    return llvm::toString(network.takeError());
  };
  EXPECT_EQ(fail(""), "1:1: there is no `format`");
  EXPECT_EQ(fail("format = 1\n\n  flops 3"), "3:3: a line is `key = value`");
  EXPECT_EQ(fail("format = 1\nflops =  # none"),
            "2:8: `flops` is a number, not ``");
  EXPECT_EQ(fail("bytes = 0x10"), "1:9: `bytes` is a number, not `0x10`");
  EXPECT_EQ(fail("bytes = -1"), "1:9: `bytes` is from 1 to 1e+18");
  EXPECT_EQ(fail("latency = nan"), "1:11: `latency` is a number, not `nan`");
}

} // namespace
