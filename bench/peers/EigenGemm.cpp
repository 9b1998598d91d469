//===- EigenGemm.cpp - Eigen's matrix product -----------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled with -march=native, or for AVX2, which is how Eigen gets its best
// code. What a product is (of matrices, with a vector, of vectors) is said in
// its types, as a user would.
//
//===----------------------------------------------------------------------===//

#include "bench/peers/EigenPrograms.h"
#include "bench/peers/GemmPeer.h"
#include <Eigen/Core>
#include <complex>

namespace ein::bench {
namespace {

template <typename T, int Order>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Order>;
template <typename T, int Order>
using MatrixView = Eigen::Map<const Matrix<T, Order>, 0, Eigen::OuterStride<>>;
template <typename T> using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;

/// Calls with a vector, in whose type it is if it has unit stride: Eigen does
/// not look otherwise.
template <typename T, typename Function>
void withVector(T *data, int64_t size, int64_t stride, Function function) {
  using Values = std::conditional_t<std::is_const_v<T>,
                                    const Vector<std::remove_const_t<T>>,
                                    Vector<std::remove_const_t<T>>>;
  if (stride == 1)
    return function(Eigen::Map<Values>(data, size));
  function(Eigen::Map<Values, 0, Eigen::InnerStride<>>(
      data, size, Eigen::InnerStride<>(stride)));
}

/// Calls with a matrix whose storage order is in its type.
template <typename T, typename Function>
void withMatrix(const T *data, int64_t rows, int64_t columns,
                const Pitch &pitch, Function function) {
  if (pitch.column == 1)
    return function(MatrixView<T, Eigen::RowMajor>(
        data, rows, columns, Eigen::OuterStride<>(pitch.row)));
  function(MatrixView<T, Eigen::ColMajor>(data, rows, columns,
                                          Eigen::OuterStride<>(pitch.column)));
}

template <typename Target, typename Product>
void assign(Target &&target, const Product &product, bool accumulates) {
  if (accumulates)
    target.noalias() += product;
  else
    target.noalias() = product;
}

template <typename T>
void multiply(const GemmShape &shape, const T *a, const T *b, T *c) {
  Eigen::Map<Matrix<T, Eigen::RowMajor>, 0, Eigen::OuterStride<>> target(
      c, shape.m, shape.n, Eigen::OuterStride<>(shape.c.row));
  bool accumulates = shape.accumulates;
  if (shape.m == 1 && shape.n == 1) {
    withVector(a, shape.k, shape.a.column, [&](auto x) {
      withVector(b, shape.k, shape.b.row, [&](auto y) {
        T sum = x.cwiseProduct(y).sum();
        *c = accumulates ? *c + sum : sum;
      });
    });
  } else if (shape.n == 1) {
    withMatrix(a, shape.m, shape.k, shape.a, [&](auto lhs) {
      withVector(b, shape.k, shape.b.row, [&](auto x) {
        withVector(c, shape.m, shape.c.row,
                   [&](auto y) { assign(y, lhs * x, accumulates); });
      });
    });
  } else if (shape.m == 1) {
    withMatrix(b, shape.k, shape.n, shape.b, [&](auto rhs) {
      withVector(a, shape.k, shape.a.column, [&](auto x) {
        Eigen::Map<Vector<T>> y(c, shape.n);
        assign(y, rhs.transpose() * x, accumulates);
      });
    });
  } else if (shape.k == 1) {
    // An outer product is a type of its own, too.
    withVector(a, shape.m, shape.a.row, [&](auto rows) {
      withVector(b, shape.n, shape.b.column, [&](auto columns) {
        assign(target, rows * columns.transpose(), accumulates);
      });
    });
  } else {
    withMatrix(a, shape.m, shape.k, shape.a, [&](auto lhs) {
      withMatrix(b, shape.k, shape.n, shape.b,
                 [&](auto rhs) { assign(target, lhs * rhs, accumulates); });
    });
  }
}

template <typename T> Gemm createAs(const GemmShape &shape) {
  return [shape](const void *a, const void *b, void *c, int64_t repetitions) {
    return runBatch<T>(
        shape, a, b, c, repetitions,
        [&](const T *a, const T *b, T *c) { multiply(shape, a, b, c); });
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
    case Element::C64:
      return createAs<std::complex<float>>(shape);
    case Element::C128:
      return createAs<std::complex<double>>(shape);
    default:
      return {};
    }
  }
};

class EigenPeer : public GemmPeer {
public:
  explicit EigenPeer(int threads) { Eigen::setNbThreads(threads); }
  std::string getName() const override { return "Eigen"; }
  std::string describe() const override {
    return "Eigen " + std::to_string(EIGEN_WORLD_VERSION) + "." +
           std::to_string(EIGEN_MAJOR_VERSION) + "." +
           std::to_string(EIGEN_MINOR_VERSION) + ", " +
           Eigen::SimdInstructionSetsInUse();
  }

  std::unique_ptr<Contestant> prepare(const Problem &problem, const Data &data,
                                      std::string &why) override {
    if (problem.program)
      return createEigenProgram(problem, data, why);
    return GemmPeer::prepare(problem, data, why);
  }

private:
  GemmLibrary &getLibrary() override { return library; }
  Library library;
};

} // namespace
} // namespace ein::bench

extern "C" ein::bench::Peer *createPeer(const ein::bench::Setup &setup) {
  return new ein::bench::EigenPeer(setup.threads);
}
