// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "gram.hpp"
#include <cstdio>
#include <vector>

int main() {
  // Four rows of six numbers; A is their first two columns, B the last three.
  std::vector<double> data(4 * 6);
  for (int i = 0; i < 24; ++i)
    data[i] = i;
  ein::view<const double, 2> a(data.data(), {4, 2}, {6, 1});
  ein::view<const double, 2> b(data.data() + 3, {4, 3}, {6, 1});

  // The result is written transposed: strides may be in any order.
  std::vector<double> g(3 * 2);
  ein::view<double, 2> transposed(g.data(), {2, 3}, {1, 2});
  if (gram(a, b, transposed) != EIN_OK)
    return 1;
  for (double x : g)
    std::printf("%g ", x);
  std::printf("\n");

  // A result inside of an operand is refused, and nothing is written.
  ein::view<double, 2> inside(data.data(), {2, 3}, {6, 1});
  std::printf("code %d\n", gram(a, b, inside));
  return 0;
}
