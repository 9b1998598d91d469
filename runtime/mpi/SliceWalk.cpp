//===- SliceWalk.cpp - A part of a network, slice by slice ----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/mpi/SliceWalk.h"
#include <algorithm>

using namespace ein::distribute;

namespace ein::runtime {

Block getFollowing(const Block &part, int64_t first, int64_t most) {
  Block box = part;
  // From the last dim on: whole dims as long as they fit, then a range of one
  // dim, then single points.
  bool isOpen = true;
  for (size_t dim = part.ranges.size(); dim-- != 0;) {
    const Range &range = part.ranges[dim];
    int64_t at = first % range.size();
    first /= range.size();
    int64_t taken = isOpen ? std::min(range.size() - at, most) : 1;
    box.ranges[dim] = {range.begin + at, range.begin + at + taken};
    isOpen = isOpen && taken == range.size();
    most /= taken;
  }
  return box;
}

} // namespace ein::runtime
