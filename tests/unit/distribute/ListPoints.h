//===- ListPoints.h - The points of a box -----------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_TESTS_UNIT_DISTRIBUTE_LISTPOINTS_H
#define EIN_TESTS_UNIT_DISTRIBUTE_LISTPOINTS_H

#include "distribute/Layout.h"
#include <vector>

namespace ein::distribute::test {

/// The points of a box, in row-major order.
inline std::vector<std::vector<int64_t>> listPoints(const Block &box) {
  std::vector<std::vector<int64_t>> points;
  for (int64_t number = 0; number != box.countElements(); ++number) {
    std::vector<int64_t> point(box.ranges.size());
    int64_t rest = number;
    for (size_t dim = box.ranges.size(); dim-- != 0;) {
      point[dim] = box.ranges[dim].begin + rest % box.ranges[dim].size();
      rest /= box.ranges[dim].size();
    }
    points.push_back(point);
  }
  return points;
}

} // namespace ein::distribute::test

#endif // EIN_TESTS_UNIT_DISTRIBUTE_LISTPOINTS_H
