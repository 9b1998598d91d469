//===- SizeSources.h - Which dim gives which size ---------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two places find sizes from arrays: `bindSizes`, for `.npy` files, and the
// view entries, in code that is made when the program is compiled. Which dim
// gives which size depends on the signature alone, so it is decided here, once,
// and both follow it.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_ABI_SIZESOURCES_H
#define EIN_ABI_SIZESOURCES_H

#include "abi/Signature.h"

namespace ein::runtime {

/// The size `symbol` follows from dim `dim` of argument `argument`: it is its
/// extent, or, if the dim is compound, the largest integer that fits:
/// floor((extent - rest) / coefficient), where `rest` has only sizes that
/// sources before this one gave.
struct SizeSource {
  unsigned symbol;
  size_t argument, dim;
  int64_t coefficient;
  Dim rest;

  bool isLone() const;
};

/// In the order in which they can be evaluated. `isGiven` has an element per
/// argument, `isKnown` one per symbol: sizes that need no source.
std::vector<SizeSource> findSizeSources(const Signature &signature,
                                        const std::vector<bool> &isGiven,
                                        std::vector<bool> isKnown);

/// The sizes that no dim gives when every array is there, by position: those
/// that a view entry takes as arguments.
std::vector<unsigned> getSizesWithoutSource(const Signature &signature);

} // namespace ein::runtime

#endif // EIN_ABI_SIZESOURCES_H
