//===- Contractions.h - What tests distribute -------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_TESTS_UNIT_DISTRIBUTE_CONTRACTIONS_H
#define EIN_TESTS_UNIT_DISTRIBUTE_CONTRACTIONS_H

#include "distribute/Contraction.h"

namespace ein::distribute::test {

// C(m, n) += A(m, k) * B(k, n); dims m, n, k.
inline Contraction makeProduct(int64_t m, int64_t n, int64_t k,
                               unsigned bytes = 8) {
  return {{m, n, k}, {{{0, 2}, bytes}, {{2, 1}, bytes}}, {{0, 1}, bytes}};
}

// C(i, r) += X(i, j, k) * A(j, r) * B(k, r); dims i, j, k, r. By X * A first.
inline Contraction makeMttkrp(int64_t i, int64_t j, int64_t k, int64_t r) {
  return {{i, j, k, r},
          {{{0, 1, 2}, 8}, {{1, 3}, 8}, {{2, 3}, 8}},
          {{0, 3}, 8},
          {{{0, 1, 2, 3}, 2}, {{0, 2, 3}, 2}}};
}

// Y(i, r, k) += X(i, j, k) * U(j, r); dims i, r, k, j.
inline Contraction makeTtm(int64_t i, int64_t r, int64_t k, int64_t j) {
  return {{i, r, k, j}, {{{0, 3, 2}, 8}, {{3, 1}, 8}}, {{0, 1, 2}, 8}};
}

} // namespace ein::distribute::test

#endif // EIN_TESTS_UNIT_DISTRIBUTE_CONTRACTIONS_H
