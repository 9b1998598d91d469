//===- Targets.cpp - The machines that code can be made for ---------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Commands.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace ein {

static std::string printBytes(uint64_t bytes) {
  if (bytes == 0)
    return "none";
  if (bytes % (1024 * 1024) == 0)
    return std::to_string(bytes / (1024 * 1024)) + " MiB";
  return std::to_string(bytes / 1024) + " KiB";
}

void printWrapped(raw_ostream &os, ArrayRef<std::string> words) {
  constexpr size_t width = 79;
  size_t column = width;
  for (const std::string &word : words) {
    if (column + 1 + word.size() > width) {
      os << "\n   ";
      column = 3;
    }
    os << " " << word;
    column += 1 + word.size();
  }
  os << "\n";
}

static void printModel(raw_ostream &os, const TargetInfo &target) {
  os << "  cpu       " << target.cpu << "\n"
     << "  model     " << getModelName(target) << ": vectors of "
     << target.vectorBits << " bits, " << target.vectorRegisters << " registers"
     << (target.fma ? ", fused multiply-add" : "")
     << (target.maskedOps ? ", masks" : "") << "\n"
     << "  caches    " << printBytes(target.l1Bytes) << ", "
     << printBytes(target.l2Bytes) << ", " << printBytes(target.l3Bytes)
     << "\n";
  for (unsigned bits : {32u, 64u}) {
    MicroKernel kernel = getMicroKernel(target, bits);
    Blocking blocking = getBlocking(target, bits, kernel);
    os << "  f" << bits << "       " << kernel.mr << " x " << kernel.getNr()
       << " tiles of C; blocks of " << blocking.mc << " x " << blocking.kc
       << " (A) and " << blocking.kc << " x " << blocking.nc << " (B)\n";
  }
}

ExitStatus runTargets(const Options &options) {
  const TargetInfo &target = options.compile.target;
  outs() << target.triple << "\n";
  printModel(outs(), target);
  if (options.listsAllTargets) {
    outs() << "\narchitectures, for --target (x86-64 and aarch64 have a model "
              "of their own):\n";
    for (const auto &[name, description] : getCodeGenerators())
      outs() << "  " << left_justify(name, 12) << " " << description << "\n";
    outs() << "\nCPUs of one: einc targets --target TRIPLE\n";
    return kDone;
  }
  outs() << "\nCPUs, for --cpu:";
  printWrapped(outs(), getCpuNames(target.triple));
  return kDone;
}

} // namespace ein
