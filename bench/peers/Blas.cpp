//===- Blas.cpp - OpenBLAS and BLIS ---------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same source for both, once per library. The CMake file says which.
//
//===----------------------------------------------------------------------===//

#include "bench/peers/GemmPeer.h"
#include <cblas.h>
#include <complex>
#ifdef EIN_BENCH_BLIS
#include <blis.h>
#endif

namespace ein::bench {
namespace {

/// CBLAS, by element type.
template <typename T> struct Blas;

template <> struct Blas<float> {
  static constexpr auto gemm = cblas_sgemm;
  static constexpr auto gemv = cblas_sgemv;
  static void dot(int n, const float *x, int dx, const float *y, int dy,
                  float *result) {
    *result = cblas_sdot(n, x, dx, y, dy);
  }
  static float scalar(float value) { return value; }
};

template <> struct Blas<double> {
  static constexpr auto gemm = cblas_dgemm;
  static constexpr auto gemv = cblas_dgemv;
  static void dot(int n, const double *x, int dx, const double *y, int dy,
                  double *result) {
    *result = cblas_ddot(n, x, dx, y, dy);
  }
  static double scalar(double value) { return value; }
};

/// CBLAS takes complex numbers by address.
template <typename Part> struct ComplexScalar {
  std::complex<Part> value;
  operator const void *() const { return &value; }
};

template <> struct Blas<std::complex<double>> {
  static constexpr auto gemm = cblas_zgemm;
  static constexpr auto gemv = cblas_zgemv;
  static void dot(int n, const void *x, int dx, const void *y, int dy,
                  void *result) {
    cblas_zdotu_sub(n, x, dx, y, dy, result);
  }
  static ComplexScalar<double> scalar(double value) { return {value}; }
};

template <> struct Blas<std::complex<float>> {
  static constexpr auto gemm = cblas_cgemm;
  static constexpr auto gemv = cblas_cgemv;
  static void dot(int n, const void *x, int dx, const void *y, int dy,
                  void *result) {
    cblas_cdotu_sub(n, x, dx, y, dy, result);
  }
  static ComplexScalar<float> scalar(float value) { return {value}; }
};

/// The stride of a vector, which is a matrix of one row or column.
int getIncrement(const Pitch &pitch, bool isRow) {
  return isRow ? pitch.column : pitch.row;
}

template <typename T>
void multiply(const GemmShape &shape, const T *a, const T *b, T *c) {
  auto one = Blas<T>::scalar(1);
  auto beta = Blas<T>::scalar(shape.accumulates ? 1 : 0);
  bool transposesA = shape.a.column != 1, transposesB = shape.b.column != 1;
  int lda = transposesA ? shape.a.column : shape.a.row;
  int ldb = transposesB ? shape.b.column : shape.b.row;
  if (shape.m == 1 && shape.n == 1 && !shape.accumulates)
    return Blas<T>::dot(shape.k, a, getIncrement(shape.a, true), b,
                        getIncrement(shape.b, false), c);
  if (shape.n == 1)
    return Blas<T>::gemv(CblasRowMajor, transposesA ? CblasTrans : CblasNoTrans,
                         transposesA ? shape.k : shape.m,
                         transposesA ? shape.m : shape.k, one, a, lda, b,
                         getIncrement(shape.b, false), beta, c,
                         getIncrement(shape.c, false));
  if (shape.m == 1)
    return Blas<T>::gemv(CblasRowMajor, transposesB ? CblasNoTrans : CblasTrans,
                         transposesB ? shape.n : shape.k,
                         transposesB ? shape.k : shape.n, one, b, ldb, a,
                         getIncrement(shape.a, true), beta, c, 1);
  Blas<T>::gemm(CblasRowMajor, transposesA ? CblasTrans : CblasNoTrans,
                transposesB ? CblasTrans : CblasNoTrans, shape.m, shape.n,
                shape.k, one, a, lda, b, ldb, beta, c, shape.c.row);
}

template <typename T>
bool run(const GemmShape &shape, const void *a, const void *b, void *c,
         int64_t repetitions) {
  return runBatch<T>(
      shape, a, b, c, repetitions,
      [&](const T *a, const T *b, T *c) { multiply(shape, a, b, c); });
}

class Library : public GemmLibrary {
public:
  Gemm create(const GemmShape &shape) override {
    return [shape](const void *a, const void *b, void *c, int64_t repetitions) {
      switch (shape.element) {
      case Element::F32:
        return run<float>(shape, a, b, c, repetitions);
      case Element::F64:
        return run<double>(shape, a, b, c, repetitions);
      case Element::C64:
        return run<std::complex<float>>(shape, a, b, c, repetitions);
      case Element::C128:
        return run<std::complex<double>>(shape, a, b, c, repetitions);
      default:
        return false;
      }
    };
  }
};

class BlasPeer : public GemmPeer {
public:
#ifdef EIN_BENCH_BLIS
  explicit BlasPeer(const Setup &setup) : setup(setup) {
    bli_thread_set_num_threads(setup.threads);
  }
#ifdef EIN_BENCH_AS_DETECTED
  static constexpr bool isDetected = true;
#else
  static constexpr bool isDetected = false;
#endif
  std::string getName() const override {
    return isDetected ? "BLIS, detected" : "BLIS";
  }
  std::string describe() const override {
    return std::string("BLIS ") + bli_info_get_version_str() + ", " +
           bli_arch_string(bli_arch_query_id());
  }
  /// BLIS knows no AVX-512 machine that it has not heard of by name.
  std::vector<std::string> getSettings() const override {
    std::vector<std::string> settings;
    if (isDetected)
      return settings;
    for (int arch = 0; arch < BLIS_NUM_ARCHS; ++arch) {
      std::string name = bli_arch_string(static_cast<arch_t>(arch));
      if ((name == "skx" && setup.hasAvx512()) ||
          (name == "haswell" && __builtin_cpu_supports("avx2")) ||
          (name == "zen3" && __builtin_cpu_supports("avx2")))
        settings.push_back("BLIS_ARCH_TYPE=" + std::to_string(arch));
    }
    return settings;
  }
#else
  explicit BlasPeer(const Setup &setup) : setup(setup) {
    openblas_set_num_threads(setup.threads);
  }
  std::string getName() const override { return "OpenBLAS"; }
  std::string describe() const override {
    return std::string(openblas_get_config()) + ", kernels for " +
           openblas_get_corename();
  }
  std::vector<std::string> getSettings() const override {
    if (setup.hasAvx512())
      return {"OPENBLAS_CORETYPE=SkylakeX", "OPENBLAS_CORETYPE=Cooperlake",
              "OPENBLAS_CORETYPE=Haswell"};
    return {"OPENBLAS_CORETYPE=Haswell", "OPENBLAS_CORETYPE=Zen"};
  }
#endif

private:
  GemmLibrary &getLibrary() override { return library; }
  Setup setup;
  Library library;
};

} // namespace
} // namespace ein::bench

extern "C" ein::bench::Peer *createPeer(const ein::bench::Setup &setup) {
  return new ein::bench::BlasPeer(setup);
}
