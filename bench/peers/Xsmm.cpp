//===- Xsmm.cpp - libxsmm's generated kernels -----------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels for exact sizes and strides, f32 and f64. They are column-major, so
// that the operands change places: row-major C = A B is C' = B' A'. Of the two
// transpositions it generates one, that of our A; the mapping copies for the
// other. Where sizes are dynamic nobody knows them before the call, so that
// looking the kernel up by them is part of it. Without blocking for caches,
// products beyond some size are not what it is for.
//
//===----------------------------------------------------------------------===//

#include "bench/peers/GemmPeer.h"
#include <libxsmm.h>

namespace ein::bench {
namespace {

constexpr int64_t mostPoints = 512 * 512 * 512;

template <typename T> struct Kernel;
template <> struct Kernel<float> {
  using Function = libxsmm_smmfunction;
  static constexpr auto dispatch = libxsmm_smmdispatch;
};
template <> struct Kernel<double> {
  using Function = libxsmm_dmmfunction;
  static constexpr auto dispatch = libxsmm_dmmdispatch;
};

template <typename T> Gemm createAs(const GemmShape &shape) {
  bool transposesA = shape.a.column != 1;
  if (shape.b.column != 1 || shape.m * shape.n * shape.k > mostPoints)
    return {};
  libxsmm_blasint lda = shape.b.row;
  libxsmm_blasint ldb = transposesA ? shape.a.column : shape.a.row;
  libxsmm_blasint ldc = shape.c.row;
  T alpha = 1, beta = shape.accumulates ? 1 : 0;
  int flags = transposesA ? LIBXSMM_GEMM_FLAG_TRANS_B : LIBXSMM_GEMM_FLAG_NONE;
  int prefetch = LIBXSMM_GEMM_PREFETCH_NONE;
  auto lookUp = [=]() -> typename Kernel<T>::Function {
    return Kernel<T>::dispatch(shape.n, shape.m, shape.k, &lda, &ldb, &ldc,
                               &alpha, &beta, &flags, &prefetch);
  };
  typename Kernel<T>::Function kernel = lookUp();
  if (!kernel)
    return {};
  if (shape.isLookedUp)
    return [shape, lookUp](const void *a, const void *b, void *c,
                           int64_t repetitions) {
      for (int64_t i = 0; i < repetitions; ++i) {
        typename Kernel<T>::Function found = lookUp();
        runBatch<T>(shape, a, b, c, 1,
                    [&](const T *a, const T *b, T *c) { found(b, a, c); });
      }
      return true;
    };
  return [shape, kernel](const void *a, const void *b, void *c,
                         int64_t repetitions) {
    return runBatch<T>(shape, a, b, c, repetitions,
                       [&](const T *a, const T *b, T *c) { kernel(b, a, c); });
  };
}

class Library : public GemmLibrary {
public:
  Gemm create(const GemmShape &shape) override {
    switch (shape.element) {
    case Element::F32:
      return createAs<float>(shape);
    case Element::F64:
      return createAs<double>(shape);
    default:
      return {};
    }
  }
};

class XsmmPeer : public GemmPeer {
public:
  explicit XsmmPeer(const Setup &setup) : setup(setup) { libxsmm_init(); }
  std::string getName() const override { return "libxsmm"; }
  std::string describe() const override {
    return std::string("libxsmm ") + LIBXSMM_VERSION + ", " +
           libxsmm_get_target_arch() + ", one thread";
  }
  std::vector<std::string> getSettings() const override {
    if (setup.hasAvx512())
      return {"LIBXSMM_TARGET=skx", "LIBXSMM_TARGET=hsw"};
    return {"LIBXSMM_TARGET=hsw"};
  }

private:
  GemmLibrary &getLibrary() override { return library; }
  Setup setup;
  Library library;
};

} // namespace
} // namespace ein::bench

extern "C" ein::bench::Peer *createPeer(const ein::bench::Setup &setup) {
  return new ein::bench::XsmmPeer(setup);
}
