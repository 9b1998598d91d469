//===- IndexTable.cpp - The indices of a statement by their names ---------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/check/IndexTable.h"

using namespace llvm;

namespace ein {

Affine IndexTable::add(const ast::Expr &name, bool isReduction) {
  auto [entry, isNew] = byName.try_emplace(name.text, IndexId(all.size()));
  ++numUses[name.text];
  auto range = given.find(name.text);
  bool isGiven = range != given.end();
  if (isNew)
    all.push_back({name.text,
                   isGiven ? range->second.extent : Affine(),
                   isReduction,
                   name.range,
                   name.isLabel,
                   {},
                   isGiven});
  return getPosition(entry->second, name.text);
}

Affine IndexTable::getPosition(IndexId id, StringRef name) const {
  auto range = given.find(name);
  Affine index(id);
  return range == given.end()
             ? index
             : range->second.begin + index * range->second.step;
}

} // namespace ein
