//===- MachineTable.cpp - The machines that are known ---------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The files of target/machines are part of the compiler, by a table that CMake
// writes. Each is read when it is first asked for.
//
//===----------------------------------------------------------------------===//

#include "target/MachineModel.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;

namespace ein {
namespace {

struct Entry {
  StringRef name, text;
};

/// Sorted by name.
constexpr Entry kTable[] = {
#include "Machines.inc"
};

} // namespace

std::vector<StringRef> getMachineNames() {
  std::vector<StringRef> names;
  for (const Entry &entry : kTable)
    names.push_back(entry.name);
  return names;
}

StringRef getMachineText(StringRef name) {
  for (const Entry &entry : kTable)
    if (entry.name == name)
      return entry.text;
  reportFatalInternalError("no machine is called `" + name + "`");
}

/// All of them by name; a file that cannot be read is a mistake of ours, which
/// a test finds.
static const std::map<StringRef, MachineModel> &readTable() {
  static const std::map<StringRef, MachineModel> machines = [] {
    std::map<StringRef, MachineModel> result;
    for (const Entry &entry : kTable) {
      Expected<MachineModel> machine = readMachine(entry.text);
      if (!machine)
        reportFatalInternalError("target/machines/" + entry.name +
                                 ".machine:" + toString(machine.takeError()));
      result.emplace(entry.name, std::move(*machine));
    }
    return result;
  }();
  return machines;
}

const MachineModel &getMachine(StringRef name) { return readTable().at(name); }

StringRef findMachineName(StringRef cpu) {
  for (const auto &[name, machine] : readTable())
    if (is_contained(machine.cpus, cpu))
      return name;
  return "";
}

} // namespace ein
