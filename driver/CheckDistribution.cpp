//===- CheckDistribution.cpp - Options for many ranks --------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Flags.h"
#include "target/NetworkFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <utility>

namespace ein {
namespace {

/// `4`, or the parts of each loop, `2x2x1`.
bool isRanks(llvm::StringRef text) {
  return llvm::all_of(llvm::split(text, 'x'), [](llvm::StringRef part) {
    uint32_t number;
    return !part.getAsInteger(10, number) && number != 0;
  });
}

/// Reads the file of `--network`.
bool readNetworkFile(const std::string &name, distribute::Network &network,
                     Outcome &outcome) {
  std::optional<std::string> text = readOptionFile(name, outcome);
  if (!text)
    return false;
  llvm::Expected<distribute::Network> read = readNetwork(*text);
  if (read) {
    network = *read;
    return true;
  }
  rejectModel(name, read.takeError(), outcome);
  return false;
}

} // namespace

bool setDistribution(Flags &flags, DistributionOptions &distribution,
                     Outcome &outcome) {
  if (flags.distribute && !isRanks(*flags.distribute)) {
    // Its value may be left out, and what follows be the program.
    bool isProgram = flags.positionals.empty() && !flags.text;
    if (*flags.distribute != "any" && !isProgram) {
      reject(outcome, "--distribute takes a number of ranks, or a grid as "
                      "`2x2x1`, not `" +
                          *flags.distribute + "`");
      return false;
    }
    if (*flags.distribute != "any")
      flags.positionals.push_back(*flags.distribute);
    flags.distribute = "";
  }
  for (auto [value, flag] : {std::pair(&flags.mpi, "--mpi"),
                             std::pair(&flags.maxMemory, "--max-memory"),
                             std::pair(&flags.network, "--network")})
    if (!value->empty() && !flags.distribute) {
      reject(outcome, llvm::Twine(flag) + " is for --distribute");
      return false;
    }
  if (!flags.mpi.empty()) {
    if (!checkChoice("--mpi", flags.mpi, {"openmpi", "mpich"}, outcome))
      return false;
    distribution.mpi = flags.mpi;
  }
  if (!flags.maxMemory.empty()) {
    std::optional<uint64_t> bytes = parseBytes(flags.maxMemory);
    if (!bytes || *bytes > uint64_t(INT64_MAX)) {
      reject(outcome, "--max-memory takes a number of bytes, as `65536`, "
                      "`64KiB` or `1GiB`, not `" +
                          flags.maxMemory + "`");
      return false;
    }
    distribution.maxMemoryBytes = *bytes;
  }
  distribution.isWanted = flags.distribute.has_value();
  distribution.ranks = flags.distribute.value_or("");
  distribution.networkFile = flags.network;
  return flags.network.empty() ||
         readNetworkFile(flags.network, distribution.network, outcome);
}

bool checkDistribution(const Options &options, Outcome &outcome) {
  const DistributionOptions &distribution = options.compile.distribution;
  bool isReported = llvm::is_contained(options.compile.reports, "distribution");
  bool asks = isReported ||
              (distribution.isWanted && options.command == Command::Explain);
  auto fail = [&](const llvm::Twine &message) {
    reject(outcome, message);
    return false;
  };
  // All ranks are looked at.
  constexpr double kMostRanks = 65536;
  double ranks = 1;
  for (llvm::StringRef part : llvm::split(distribution.ranks, 'x')) {
    uint32_t parts = 1;
    (void)part.getAsInteger(10, parts);
    ranks *= parts;
  }
  if (asks && ranks > kMostRanks)
    return fail("--distribute: what is distributed is said for at most 65536 "
                "ranks");
  if (asks && distribution.ranks.empty())
    return fail("what is distributed depends on the number of ranks, as "
                "`--distribute 64`");
  if (distribution.isWanted && options.compile.form == SourceForm::MLIR)
    return fail("--distribute takes programs, and no MLIR");
  return true;
}

} // namespace ein
