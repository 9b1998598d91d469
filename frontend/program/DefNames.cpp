//===- DefNames.cpp - The names of a def, found fast ----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/program/DefNames.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein {

DefNames::Entry DefNames::find(StringRef name) {
  for (; numSymbols != def.symbols.size(); ++numSymbols)
    entries[def.symbols[numSymbols].name].symbol = SymbolId(numSymbols);
  for (; numTensors != def.tensors.size(); ++numTensors)
    entries[def.tensors[numTensors].name].tensor = TensorId(numTensors);
  return entries.lookup(name);
}

bool DefNames::isDynamicSize(StringRef name) {
  SymbolId symbol = find(name).symbol;
  return symbol.isValid() && def[symbol].isDynamic();
}

bool DefNames::isScalar(StringRef name) {
  TensorId tensor = find(name).tensor;
  return tensor.isValid() && def[tensor].dims.empty();
}

bool DefNames::isTaken(StringRef name) {
  Entry entry = find(name);
  return entry.symbol.isValid() || entry.tensor.isValid();
}

std::string DefNames::getNameBesideSizes(const Statement &statement,
                                         IndexId id) {
  const Index &index = statement.indices[id.value];
  if (index.isLabel || !isDynamicSize(index.name))
    return index.name;
  std::string name = index.name + "_";
  auto isIndex = [&](const Index &other) { return other.name == name; };
  while (isTaken(name) || llvm::any_of(statement.indices, isIndex))
    name += "_";
  return name;
}

} // namespace ein
