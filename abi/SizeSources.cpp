//===- SizeSources.cpp - Which dim gives which size -----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/SizeSources.h"

namespace ein::runtime {

bool SizeSource::isLone() const {
  return coefficient == 1 && rest.constant == 0 && rest.terms.empty();
}

std::vector<SizeSource> findSizeSources(const Signature &signature,
                                        const std::vector<bool> &isGiven,
                                        std::vector<bool> isKnown) {
  std::vector<SizeSource> sources;
  auto forEachDim = [&](auto visit) {
    for (size_t i = 0; i < signature.arguments.size(); ++i)
      for (size_t d = 0; isGiven[i] && d < signature.arguments[i].dims.size();
           ++d)
        visit(i, d, signature.arguments[i].dims[d]);
  };
  auto take = [&](size_t argument, size_t d, const Dim &dim, bool onlyLone) {
    const std::pair<unsigned, int64_t> *unknown = nullptr;
    if (dim.isComputed()) // half a size does not give the size
      return false;
    SizeSource source = {0, argument, d, 0, {}};
    source.rest.constant = dim.constant;
    for (const auto &term : dim.terms) {
      if (isKnown[term.first])
        source.rest.terms.push_back(term);
      else if (unknown)
        return false;
      else
        unknown = &term;
    }
    if (!unknown || unknown->second < 1 || (onlyLone && !dim.isLone()))
      return false;
    source.symbol = unknown->first;
    source.coefficient = unknown->second;
    isKnown[source.symbol] = true;
    sources.push_back(std::move(source));
    return true;
  };
  forEachDim([&](size_t i, size_t d, const Dim &dim) {
    take(i, d, dim, /*onlyLone=*/true);
  });
  // Each round but the last finds at least one symbol.
  for (bool found = true; found;) {
    found = false;
    forEachDim([&](size_t i, size_t d, const Dim &dim) {
      found |= take(i, d, dim, /*onlyLone=*/false);
    });
  }
  return sources;
}

std::vector<unsigned> getSizesWithoutSource(const Signature &signature) {
  std::vector<bool> hasSource(signature.symbols.size());
  std::vector<bool> isGiven(signature.arguments.size(), true);
  for (const SizeSource &source : findSizeSources(
           signature, isGiven, std::vector<bool>(signature.symbols.size())))
    hasSource[source.symbol] = true;
  std::vector<unsigned> rest;
  for (unsigned i = 0; i < hasSource.size(); ++i)
    if (!hasSource[i])
      rest.push_back(i);
  return rest;
}

} // namespace ein::runtime
