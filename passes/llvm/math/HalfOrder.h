//===- HalfOrder.h - Even and odd numbers by registers ----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_LLVM_MATH_HALFORDER_H
#define EIN_PASSES_LLVM_MATH_HALFORDER_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"

namespace ein {

/// Which of `count` numbers is at each place where a register of `lanes` even
/// ones and a register of the odd ones next to them take turns.
inline llvm::SmallVector<int64_t> getHalvesApart(int64_t count, int64_t lanes) {
  llvm::SmallVector<int64_t> numbers;
  for (int64_t i = 0; i < count; ++i) {
    int64_t inPair = i % (2 * lanes);
    numbers.push_back(i - inPair + 2 * (inPair % lanes) + inPair / lanes);
  }
  return numbers;
}

/// Where each of these numbers is then.
inline llvm::SmallVector<int64_t> getHalvesTogether(int64_t count,
                                                    int64_t lanes) {
  llvm::SmallVector<int64_t> places(count);
  for (auto [place, number] : llvm::enumerate(getHalvesApart(count, lanes)))
    places[number] = int64_t(place);
  return places;
}

} // namespace ein

#endif // EIN_PASSES_LLVM_MATH_HALFORDER_H
