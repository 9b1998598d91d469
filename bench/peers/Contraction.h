//===- Contraction.h - A contraction of two arrays as matrix products -*- C++
//-*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_BENCH_CONTRACTION_H
#define EIN_BENCH_CONTRACTION_H

#include "bench/harness/Clock.h"
#include "bench/peers/Permute.h"
#include <functional>
#include <optional>

namespace ein::bench {

/// How far apart the rows and the columns of a matrix are. One of the two is 1,
/// unless the matrix is a vector.
struct Pitch {
  int64_t row = 0, column = 0, batch = 0;
};

/// C = A B + beta C for each matrix of a batch; C's columns are contiguous,
/// unless n is 1. beta is 0 or 1.
struct GemmShape {
  Element element = Element::F32;
  int64_t m = 1, n = 1, k = 1, batch = 1;
  Pitch a, b, c;
  bool accumulates = false;
  /// Nobody knows it before the call: a kernel made for it is looked up then.
  bool isLookedUp = false;
};

/// Computes it that many times: what takes nanoseconds needs its loop close by.
using Gemm = std::function<bool(const void *a, const void *b, void *c,
                                int64_t repetitions)>;

/// A library's matrix product.
class GemmLibrary {
public:
  virtual ~GemmLibrary() = default;
  /// Empty if the library does not have it.
  virtual Gemm create(const GemmShape &shape) = 0;
  /// Before a contraction is called.
  bool knowsSizes = true;
};

/// Calls of a library's product, and copies that make matrices of arrays.
class Contraction {
public:
  /// Permutes what is no matrix, and calls once per batch.
  static std::optional<Contraction>
  createTransposing(const View &a, const View &b, const View &c,
                    const Extents &extents, Element element,
                    GemmLibrary &library);
  /// Copies nothing: calls the product on the largest matrices that are there,
  /// in loops over all other indices.
  static std::optional<Contraction>
  createLooping(const View &a, const View &b, const View &c,
                const Extents &extents, Element element, GemmLibrary &library);

  bool run(const void *a, const void *b, void *c, int64_t repetitions) const;
  const std::string &describe() const { return description; }

private:
  struct Matrix {
    View view;
    std::optional<Permutation> permutation;
    Buffer buffer; // what is permuted
  };
  struct Call {
    int64_t a, b, c; // in elements
    bool accumulates;
  };
  friend class ContractionBuilder;

  bool runOnce(const void *a, const void *b, void *c) const;

  int64_t bytes = 0;
  Matrix a, b, c;
  bool isSwapped = false; // computes C's transpose, from B and A
  Gemm first, next;       // beta = 0, beta = 1
  std::vector<Call> calls;
  std::string description;
};

} // namespace ein::bench

#endif // EIN_BENCH_CONTRACTION_H
