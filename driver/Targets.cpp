//===- Targets.cpp - The machines that code can be made for ---------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "backend/Calibrate.h"
#include "backend/OutputFile.h"
#include "driver/Commands.h"
#include "driver/Progress.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
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
     << "  machine   " << target.machine.name << ": caches of "
     << printBytes(target.machine.l1.bytes) << ", "
     << printBytes(target.machine.l2.bytes) << ", "
     << printBytes(target.machine.l3.bytes) << "\n"
     << "  blocks    for " << target.blockModel << ": "
     << printBytes(target.l1Bytes) << ", " << printBytes(target.l2Bytes) << ", "
     << printBytes(target.l3Bytes) << "\n";
  for (unsigned bits : {32u, 64u}) {
    MicroKernel kernel = getMicroKernel(target, bits);
    Blocking blocking = getBlocking(target, bits, kernel);
    os << "  f" << bits << "       " << kernel.mr << " x " << kernel.getNr()
       << " tiles of C; blocks of " << blocking.mc << " x " << blocking.kc
       << " (A) and " << blocking.kc << " x " << blocking.nc << " (B)\n";
  }
}

/// Whether there is a place for a file, before half a minute is spent on it.
static Error checkPlace(StringRef path) {
  StringRef parent = sys::path::parent_path(path);
  std::error_code code;
  if (path != "-" && sys::fs::is_directory(path))
    code = std::make_error_code(std::errc::is_a_directory);
  else if (!parent.empty() && !sys::fs::is_directory(parent))
    code = std::make_error_code(std::errc::no_such_file_or_directory);
  return code ? createStringError(code, "cannot write `" + path +
                                            "`: " + code.message())
              : Error::success();
}

/// Measures this machine, and writes its model.
static ExitStatus runCalibration(const Options &options) {
  const TargetInfo &target = options.compile.target;
  auto fail = [&](Error error) {
    return reportError(options, DiagId::CannotWrite,
                       {toString(std::move(error))});
  };
  if (Error error = checkPlace(options.calibration))
    return fail(std::move(error));
  Expected<Calibration> calibration = [&] {
    Progress progress;
    return calibrate(target, options.calibrationSeconds,
                     [&](double done) { progress.enter("measuring", done); });
  }();
  if (!calibration)
    return reportError(options, DiagId::RunFailed,
                       {toString(calibration.takeError())});
  if (Error error = writeFile(options.calibration,
                              printCalibration(*calibration, target)))
    return fail(std::move(error));
  if (options.calibration == "-")
    return kDone;
  TargetInfo measured = target;
  useMachine(measured, calibration->machine);
  printModel(outs(), measured);
  for (const std::string &adjusted : calibration->adjusted)
    outs() << "  busy      put in order: " << adjusted << "\n";
  return kDone;
}

ExitStatus runTargets(const Options &options) {
  const TargetInfo &target = options.compile.target;
  if (!options.calibration.empty())
    return runCalibration(options);
  if (options.printsModel) {
    // Those of the table have their sources.
    outs() << (options.compile.machineFile.empty()
                   ? getMachineText(target.machine.name).str()
                   : printMachine(target.machine));
    return kDone;
  }
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
