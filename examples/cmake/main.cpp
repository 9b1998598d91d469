// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "layer.hpp"
#include "norm.hpp"
#include <cstdio>
#include <vector>

int main() {
  constexpr int64_t batch = 3, in = 64, out = 10;
  std::vector<float> x(batch * in, 1.0f), w(out * in), b(out, 0.5f);
  for (int64_t o = 0; o < out; ++o)
    for (int64_t i = 0; i < in; ++i)
      w[o * in + i] = 0.01f * static_cast<float>(o - 2);

  std::vector<float> y(batch * out), p(batch * out);
  if (layer(x.data(), w.data(), b.data(), y.data(), batch, in) != EIN_OK ||
      normalise(y.data(), p.data(), batch) != EIN_OK)
    return 1;
  for (int64_t o = 0; o < out; ++o)
    std::printf("%.4f ", p[o]);
  std::printf("\n");
  return 0;
}
