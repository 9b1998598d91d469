//===- BestFew.h - The best of what a search finds --------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DISTRIBUTE_BESTFEW_H
#define EIN_DISTRIBUTE_BESTFEW_H

#include <algorithm>
#include <vector>

namespace ein::distribute {

/// Adds what was found to the `count` of least score, which are in order; of
/// equal ones the first stays ahead. When there are so many, `worstScore` is
/// what one has to be below to be among them.
template <typename FoundT>
void addToBest(std::vector<FoundT> &best, const FoundT &found, size_t count,
               double &worstScore) {
  best.insert(std::upper_bound(best.begin(), best.end(), found,
                               [](const FoundT &a, const FoundT &b) {
                                 return a.score < b.score;
                               }),
              found);
  if (best.size() > count)
    best.pop_back();
  if (best.size() == count)
    worstScore = best.back().score;
}

} // namespace ein::distribute

#endif // EIN_DISTRIBUTE_BESTFEW_H
