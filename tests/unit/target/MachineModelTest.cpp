//===- MachineModelTest.cpp - The table of machines and its text form -----===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "target/MachineModel.h"
#include "target/Roofline.h"
#include "target/Target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <random>
#include <set>

using namespace ein;
using testing::HasSubstr;

namespace {

std::string print(const MachineModel &machine) { return printMachine(machine); }

/// "3:9: message", or "read".
std::string getError(llvm::StringRef text) {
  llvm::Expected<MachineModel> machine = readMachine(text);
  return machine ? "read" : llvm::toString(machine.takeError());
}

std::string replace(std::string text, const std::string &from,
                    const std::string &to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string getHaswell() { return print(getMachine("haswell")); }

TEST(MachineModel, EachFileOfTheTableReadsBack) {
  std::vector<llvm::StringRef> names = getMachineNames();
  EXPECT_GE(names.size(), 14u);
  EXPECT_TRUE(llvm::is_sorted(names));
  for (llvm::StringRef name : names) {
    llvm::Expected<MachineModel> machine = readMachine(getMachineText(name));
    ASSERT_TRUE(bool(machine))
        << name.str() << ":" << llvm::toString(machine.takeError());
    EXPECT_EQ(machine->name, name);
    std::string text = print(*machine);
    llvm::Expected<MachineModel> again = readMachine(text);
    ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
    EXPECT_EQ(print(*again), text);
  }
}

TEST(MachineModel, EachNumberHasASource) {
  for (llvm::StringRef name : getMachineNames()) {
    llvm::StringRef text = getMachineText(name);
    llvm::SmallVector<llvm::StringRef> lines;
    text.split(lines, '\n');
    for (llvm::StringRef line : lines) {
      auto [content, comment] = line.split('#');
      if (!content.contains('=') || content.starts_with("format") ||
          content.starts_with("name") || content.starts_with("cpus"))
        continue;
      ASSERT_TRUE(comment.starts_with(" [") && comment.ends_with("]"))
          << name.str() << ": " << line.str();
      llvm::StringRef tags = comment.drop_front(2).drop_back();
      for (llvm::StringRef tag : llvm::split(tags, ", ")) {
        tag.consume_front("~ ");
        EXPECT_TRUE(text.contains(("#   [" + tag + "] ").str()))
            << name.str() << ": " << tag.str();
      }
    }
  }
}

TEST(MachineModel, CpusAreLlvmsAndOfOneMachine) {
  std::vector<std::string> x86 = getCpuNames("x86_64-linux-gnu"),
                           arm = getCpuNames("aarch64-linux-gnu");
  std::set<std::string> seen;
  for (llvm::StringRef name : getMachineNames())
    for (const std::string &cpu : getMachine(name).cpus) {
      EXPECT_TRUE(seen.insert(cpu).second) << cpu;
      bool isX86 = llvm::is_contained(x86, cpu);
      EXPECT_TRUE(isX86 || llvm::is_contained(arm, cpu)) << cpu;
      EXPECT_EQ(findMachineName(cpu), name);
      const char *triple = isX86 ? "x86_64-linux-gnu" : "aarch64-linux-gnu";
      llvm::Expected<TargetInfo> target = getTarget(triple, cpu, "");
      ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
      EXPECT_EQ(target->machine.name, name);
      EXPECT_EQ(target->vectorBits, target->machine.vectorBits) << cpu;
      EXPECT_EQ(target->vectorRegisters, target->machine.vectorRegisters)
          << cpu;
    }
  EXPECT_EQ(findMachineName("8086"), "");
}

TEST(MachineModel, FeaturesChooseWhereNoMachineHasTheCpu) {
  auto get = [](const char *triple, const char *cpu, const char *features) {
    llvm::Expected<TargetInfo> target = getTarget(triple, cpu, features);
    return target ? target->machine.name + " " + target->blockModel
                  : llvm::toString(target.takeError());
  };
  const char *x86 = "x86_64-linux-gnu", *arm = "aarch64-linux-gnu";
  EXPECT_EQ(get(x86, "", ""), "x86-64 x86-64");
  EXPECT_EQ(get(x86, "x86-64-v3", ""), "haswell haswell");
  EXPECT_EQ(get(x86, "x86-64-v4", ""), "skylake-sp skylake-sp");
  EXPECT_EQ(get(x86, "graniterapids", ""), "sapphirerapids sapphirerapids");
  EXPECT_EQ(get(x86, "znver1", ""), "zen2 zen2");
  EXPECT_EQ(get(arm, "", ""), "aarch64 aarch64");
  EXPECT_EQ(get(arm, "neoverse-n2", ""), "neoverse-n1 neoverse-n1");
  EXPECT_EQ(get(arm, "", "+sme"), "apple-m4 apple-m4");
  EXPECT_EQ(get("riscv64-linux-gnu", "", ""), "generic generic");
  // Blocks are those that were measured for the features.
  EXPECT_EQ(get(x86, "znver3", ""), "zen3 zen2");
  EXPECT_EQ(get(x86, "znver5", ""), "zen5 zen4");
  EXPECT_EQ(get(x86, "icelake-server", ""), "icelake skylake-sp");
  EXPECT_EQ(get(arm, "neoverse-v2", ""), "neoverse-v2 neoverse-n1");
}

TEST(MachineModel, BlocksAreWhatTheyWere) {
  constexpr uint64_t kKiB = 1024, kMiB = 1024 * kKiB;
  struct {
    const char *triple, *cpu;
    uint64_t l1, l2, l3;
  } cases[] = {
      {"x86_64-linux-gnu", "x86-64", 32 * kKiB, 256 * kKiB, 8 * kMiB},
      {"x86_64-linux-gnu", "haswell", 32 * kKiB, 256 * kKiB, 8 * kMiB},
      {"x86_64-linux-gnu", "znver3", 32 * kKiB, 512 * kKiB, 16 * kMiB},
      {"x86_64-linux-gnu", "skx", 32 * kKiB, 1 * kMiB, 22 * kMiB},
      {"x86_64-linux-gnu", "znver5", 32 * kKiB, 1 * kMiB, 32 * kMiB},
      {"x86_64-linux-gnu", "sapphirerapids", 48 * kKiB, 2 * kMiB, 30 * kMiB},
      {"aarch64-linux-gnu", "generic", 32 * kKiB, 256 * kKiB, 1 * kMiB},
      {"aarch64-linux-gnu", "a64fx", 32 * kKiB, 256 * kKiB, 1 * kMiB},
      {"aarch64-linux-gnu", "neoverse-v2", 64 * kKiB, 1 * kMiB, 32 * kMiB},
      {"riscv64-linux-gnu", "", 32 * kKiB, 256 * kKiB, 1 * kMiB},
  };
  for (const auto &c : cases) {
    llvm::Expected<TargetInfo> target = getTarget(c.triple, c.cpu, "");
    ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
    EXPECT_EQ(target->l1Bytes, c.l1) << c.cpu;
    EXPECT_EQ(target->l2Bytes, c.l2) << c.cpu;
    EXPECT_EQ(target->l3Bytes, c.l3) << c.cpu;
  }
}

TEST(MachineModel, AUsersMachineHasItsOwnCaches) {
  llvm::Expected<TargetInfo> target =
      getTarget("x86_64-linux-gnu", "haswell", "");
  ASSERT_TRUE(bool(target));
  MachineModel machine = getMachine("zen3");
  machine.l3 = {};
  useMachine(*target, machine);
  EXPECT_EQ(target->machine.name, "zen3");
  EXPECT_EQ(target->l2Bytes, 512u * 1024);
  EXPECT_EQ(target->l3Bytes, 512u * 1024);
  EXPECT_EQ(target->vectorBits, 256u);
  // An absent level holds nothing.
  EXPECT_EQ(getHoldingLevel(*target, 600 * 1024).name, "memory");
  EXPECT_EQ(getHoldingLevel(*target, 500 * 1024).name, "L2");
}

TEST(MachineModel, RatesArePortsTimesLanes) {
  auto get = [](const char *cpu, const char *features) {
    llvm::Expected<TargetInfo> target =
        getTarget("x86_64-linux-gnu", cpu, features);
    EXPECT_TRUE(bool(target));
    return getOperationsPerCycle(*target, 32);
  };
  EXPECT_EQ(get("haswell", ""), 32);
  EXPECT_EQ(get("skylake-avx512", ""), 64);
  EXPECT_EQ(get("skylake-avx512", "+prefer-256-bit"), 32);
  // Ports of 256 bits take a vector of 512 in two turns.
  EXPECT_EQ(get("znver4", ""), 32);
  EXPECT_EQ(get("znver5", ""), 64);
  EXPECT_EQ(get("x86-64", ""), 8);
}

TEST(MachineModel, SetsFollowFromWays) {
  const MachineModel &machine = getMachine("zen3");
  EXPECT_EQ(machine.l1.getSets(machine.lineBytes), 64u);
  EXPECT_EQ(CacheModel().getSets(64), 0u);
}

TEST(MachineModel, UnitsAndCommentsAreRead) {
  std::string text = getHaswell();
  EXPECT_THAT(text, HasSubstr("l1.bytes = 32 KiB"));
  std::string same = replace(text, "l1.bytes = 32 KiB", "l1.bytes=32768#x");
  llvm::Expected<MachineModel> machine = readMachine("\r\n" + same + "\t# end");
  ASSERT_TRUE(bool(machine)) << llvm::toString(machine.takeError());
  EXPECT_EQ(print(*machine), text);
}

TEST(MachineModel, NotesAreOfEachKey) {
  std::string text =
      printMachine(getMachine("zen2"), [](llvm::StringRef key) -> std::string {
        return key == "fmas" ? "measured" : "";
      });
  EXPECT_THAT(text, HasSubstr("a cycle; measured\nadds"));
  EXPECT_EQ(getError(text), "read");
}

TEST(MachineModel, WhatIsWrongHasALineAndAColumn) {
  std::string text = getHaswell();
  auto change = [&](const char *from, const char *to) {
    return getError(replace(text, from, to));
  };
  EXPECT_EQ(getError(""), "1:1: there is no `format`");
  EXPECT_EQ(getError("format = 1\n"), "2:1: there is no `name`");
  EXPECT_EQ(getError("format = 2"),
            "1:10: format `2` is not known; this einc reads 1");
  EXPECT_EQ(getError("\n  fmas 2"), "2:3: a line is `key = value`");
  EXPECT_EQ(getError("\x7f"
                     "ELF = \0"),
            "1:1: there is no key `\x7f"
            "ELF`");
  EXPECT_EQ(getError("loads = 2\nstores = 1\nloads = 3"),
            "3:1: `loads` is there twice, first in line 1");
  EXPECT_EQ(getError("loads ="), "1:8: `loads` is a number, not ``");
  EXPECT_EQ(getError("loads = two"), "1:9: `loads` is a number, not `two`");
  EXPECT_EQ(getError("loads = 0x2"), "1:9: `loads` is a number, not `0x2`");
  EXPECT_EQ(getError("loads = 1e9"), "1:9: `loads` is from 0.25 to 16");
  EXPECT_EQ(getError("loads = -1"), "1:9: `loads` is from 0.25 to 16");
  EXPECT_EQ(getError("loads = inf"), "1:9: `loads` is a number, not `inf`");
  EXPECT_EQ(getError("l1.ways = 8.5"),
            "1:11: `l1.ways` is a whole number, not `8.5`");
  EXPECT_EQ(getError("l1.ways = 8 KiB"),
            "1:11: `l1.ways` is a whole number, not `8 KiB`");
  EXPECT_EQ(getError("l1.bytes = 32 KB"),
            "1:12: `l1.bytes` is a whole number, as `48 KiB`, not `32 KB`");
  EXPECT_EQ(getError("l1.bytes = 99999999999999999999"),
            "1:12: `l1.bytes` is a whole number, as `48 KiB`, not "
            "`99999999999999999999`");
  EXPECT_THAT(getError("l1.bytes = 18446744073709551615 GiB"),
              HasSubstr("1:12: `l1.bytes` is from 0 to"));
  EXPECT_THAT(getError("name = a b"), HasSubstr("1:8: `name` is a word"));
  EXPECT_EQ(getError("cpus = a, b c"),
            "1:11: `cpus` is a list of names, with `,` between them");
  EXPECT_EQ(getError("cpus = a,, b"),
            "1:10: `cpus` is a list of names, with `,` between them");
  EXPECT_EQ(getError("cpus = a, a"), "1:11: `a` is there twice");
  // What each number may be, and not all of them together.
  EXPECT_THAT(change("line-bytes = 64", "line-bytes = 96"),
              HasSubstr(": a line is 2^n bytes"));
  EXPECT_THAT(change("page-bytes = 4 KiB", "page-bytes = 5 KiB"),
              HasSubstr(": a page is 2^n bytes, and no less than a line"));
  EXPECT_THAT(change("l1.bytes = 32 KiB", "l1.bytes = 0"),
              HasSubstr(": each machine has an `l1`"));
  EXPECT_THAT(change("l2.bytes = 256 KiB", "l2.bytes = 0"),
              HasSubstr(": each machine has an `l2`"));
  EXPECT_THAT(change("l3.bytes = 8 MiB", "l3.bytes = 0"),
              HasSubstr(": `l3.ways` is not 0, but `l3.bytes` is 0"));
  EXPECT_THAT(change("l3.ways = 16", "l3.ways = 0"),
              HasSubstr(": `l3.ways` is 0, but `l3.bytes` is not"));
  EXPECT_THAT(change("l1.ways = 8", "l1.ways = 7"),
              HasSubstr(": `l1.bytes` is no multiple of `l1.ways` lines"));
  EXPECT_THAT(change("l2.bytes = 256 KiB", "l2.bytes = 16 KiB"),
              HasSubstr(": `l2.bytes` is less than `l1.bytes`, 32768"));
  EXPECT_THAT(change("l2.latency = 12", "l2.latency = 3"),
              HasSubstr(": `l2.latency` is less than `l1.latency`, 4"));
  EXPECT_THAT(change("memory.read = 5", "memory.read = 15"),
              HasSubstr(": `memory.read` is more than `l3.read`, 14"));
  EXPECT_THAT(change("port-bits = 256", "port-bits = 512"),
              HasSubstr(": `vector-bits` is less than `port-bits`, 512"));
  EXPECT_THAT(change("tlb2.entries = 1024", "tlb2.entries = 8"),
              HasSubstr(": `tlb2.entries` is less than `tlb1.entries`, 64"));
  EXPECT_THAT(change("tlb2.miss = 21", "tlb2.miss = 1"),
              HasSubstr(": `tlb2.miss` is less than `tlb1.miss`, 7"));
}

TEST(MachineModel, ALevelMayBeMissing) {
  MachineModel machine = getMachine("zen3");
  machine.l3 = {};
  EXPECT_EQ(getError(print(machine)), "read");
  machine.l2 = {};
  EXPECT_EQ(getError(print(machine)), "read");
}

/// Damaged files: either they are read, and then print as what reads back, or
/// the error has a place that is in the text.
TEST(MachineModel, DamagedFilesAreReadOrRefused) {
  std::mt19937_64 random(7);
  auto pick = [&](size_t count) { return size_t(random() % count); };
  std::vector<llvm::StringRef> names = getMachineNames();
  unsigned read = 0, refused = 0;
  for (unsigned i = 0; i < 4000; ++i) {
    llvm::StringRef name = names[pick(names.size())];
    std::string text =
        pick(2) ? getMachineText(name).str() : print(getMachine(name));
    for (size_t j = 0, count = 1 + pick(3); j < count; ++j) {
      size_t at = pick(text.size() + 1), length = pick(20);
      switch (pick(6)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, 1, char(pick(256)));
        break;
      case 2:
        text.insert(at, text.substr(pick(text.size() + 1), length));
        break;
      case 3:
        if (at < text.size())
          text[at] = char(text[at] ^ (1 << pick(8)));
        break;
      case 4:
        if (size_t digit = text.find_first_of("0123456789", at);
            digit != std::string::npos)
          text.replace(digit, 1, std::to_string(pick(2) ? pick(12) : random()));
        break;
      default:
        text.resize(at);
      }
    }
    llvm::Expected<MachineModel> machine = readMachine(text);
    if (machine) {
      ++read;
      EXPECT_EQ(getError(print(*machine)), "read") << text;
      continue;
    }
    ++refused;
    llvm::handleAllErrors(machine.takeError(), [&](const MachineError &error) {
      EXPECT_FALSE(error.message.empty());
      size_t lines = 1 + llvm::count(text, '\n');
      EXPECT_GE(error.line, 1u);
      EXPECT_LE(error.line, lines + 1) << text;
      EXPECT_GE(error.column, 1u);
      EXPECT_LE(error.column, text.size() + 1);
    });
  }
  EXPECT_GT(read, 100u);
  EXPECT_GT(refused, 100u);
}

} // namespace
