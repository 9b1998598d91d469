//===- EigenPrograms.cpp - Programs as Eigen's arrays ---------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Row by row where an operation needs a row's sum or largest first: as one
// expression over the matrix each would be another pass over memory.
//
//===----------------------------------------------------------------------===//

#include "bench/peers/EigenPrograms.h"
#include <Eigen/Core>
#include <functional>

namespace ein::bench {
namespace {

template <typename T>
using Matrix = Eigen::Array<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <typename T> using Row = Eigen::Array<T, 1, Eigen::Dynamic>;

/// The arrays of a program of a matrix of M by N.
template <typename T> struct Operands {
  using In = Eigen::Map<const Matrix<T>>;
  using Out = Eigen::Map<Matrix<T>>;
  using InRow = Eigen::Map<const Row<T>>;
  using OutRow = Eigen::Map<Row<T>>;
  int64_t m, n;
  std::vector<void *> arrays;

  In matrix(int i) const { return In(get(i), m, n); }
  InRow row(int i) const { return InRow(get(i), n); }
  Out result() const { return Out(get(arrays.size() - 1), m, n); }
  InRow array(int i) const { return InRow(get(i), m); }
  /// A result of one number a row, or a column.
  OutRow vector(int64_t size) const {
    return OutRow(get(arrays.size() - 1), size);
  }

private:
  T *get(int i) const { return static_cast<T *>(arrays[i]); }
};

template <typename T> using Body = std::function<void(const Operands<T> &)>;
template <typename T> using Bodies = std::map<std::string, Body<T>>;

template <typename T> void addRows(const Operands<T> &o) {
  auto rows = o.matrix(0);
  auto sums = o.vector(o.m);
  for (int64_t i = 0; i < o.m; ++i)
    sums(i) = rows.row(i).sum();
}

template <typename T> const Bodies<T> &getBodies() {
  using Operands = bench::Operands<T>;
  static const Bodies<T> bodies = {
      {"gelu_affine",
       [](const Operands &o) {
         auto X = o.matrix(0);
         auto a = o.row(1), b = o.row(2);
         auto Y = o.result();
         for (int64_t i = 0; i < o.m; ++i) {
           Y.row(i) = a * X.row(i) + b;
           Y.row(i) =
               T(0.5) * Y.row(i) *
               (1 + (T(0.7978845608) *
                     (Y.row(i) + T(0.044715) * Y.row(i) * Y.row(i) * Y.row(i)))
                        .tanh());
         }
       }},
      {"residual",
       [](const Operands &o) {
         o.result() = o.matrix(0) + o.matrix(1).rowwise() * o.row(2);
       }},
      {"swish_gate",
       [](const Operands &o) {
         auto X = o.matrix(0);
         o.result() = X / (1 + (-X).exp()) * o.matrix(1);
       }},
      {"chain5",
       [](const Operands &o) {
         auto X = o.matrix(0);
         auto Y = o.result();
         for (int64_t i = 0; i < o.m; ++i)
           Y.row(i) =
               ((X.row(i) + o.row(1)).tanh() * o.row(2) + X.row(i)).max(T(0.0));
       }},
      {"softmax",
       [](const Operands &o) {
         auto X = o.matrix(0);
         auto Y = o.result();
         for (int64_t i = 0; i < o.m; ++i) {
           Y.row(i) = (X.row(i) - X.row(i).maxCoeff()).exp();
           Y.row(i) *= 1 / Y.row(i).sum();
         }
       }},
      {"logsumexp",
       [](const Operands &o) {
         auto X = o.matrix(0);
         auto y = o.vector(o.m);
         for (int64_t i = 0; i < o.m; ++i) {
           T top = X.row(i).maxCoeff();
           y(i) = top + std::log((X.row(i) - top).exp().sum());
         }
       }},
      {"layernorm",
       [](const Operands &o) {
         auto X = o.matrix(0);
         auto Y = o.result();
         for (int64_t i = 0; i < o.m; ++i) {
           Y.row(i) = X.row(i) - X.row(i).mean();
           T factor = 1 / std::sqrt(Y.row(i).square().mean() + T(1e-5));
           Y.row(i) = Y.row(i) * factor * o.row(1) + o.row(2);
         }
       }},
      {"rmsnorm",
       [](const Operands &o) {
         auto X = o.matrix(0);
         auto Y = o.result();
         for (int64_t i = 0; i < o.m; ++i)
           Y.row(i) = X.row(i) *
                      (1 / std::sqrt(X.row(i).square().mean() + T(1e-5))) *
                      o.row(1);
       }},
      {"row_sum", addRows<T>},
      {"row_max",
       [](const Operands &o) {
         auto X = o.matrix(0);
         auto y = o.vector(o.m);
         for (int64_t i = 0; i < o.m; ++i)
           y(i) = X.row(i).maxCoeff();
       }},
      {"col_sum",
       [](const Operands &o) {
         auto y = o.vector(o.n);
         y.setZero();
         for (int64_t i = 0; i < o.m; ++i)
           y += o.matrix(0).row(i);
       }},
      {"col_max",
       [](const Operands &o) {
         auto y = o.vector(o.n);
         y = o.matrix(0).row(0);
         for (int64_t i = 1; i < o.m; ++i)
           y = y.max(o.matrix(0).row(i));
       }},
      {"stencil5",
       [](const Operands &o) {
         typename Operands::In U(static_cast<const T *>(o.arrays[0]), o.m + 2,
                                 o.n + 2);
         auto at = [&](int i, int j) { return U.block(i, j, o.m, o.n); };
         o.result() =
             T(0.2) * (at(1, 1) + at(0, 1) + at(2, 1) + at(1, 0) + at(1, 2));
       }},
      {"stencil9",
       [](const Operands &o) {
         typename Operands::In U(static_cast<const T *>(o.arrays[0]), o.m + 2,
                                 o.n + 2);
         const T *w = static_cast<const T *>(o.arrays[1]);
         auto at = [&](int i, int j) {
           return U.block(i, j, o.m, o.n) * w[3 * i + j];
         };
         o.result() = at(0, 0) + at(0, 1) + at(0, 2) + at(1, 0) + at(1, 1) +
                      at(1, 2) + at(2, 0) + at(2, 1) + at(2, 2);
       }},
      {"exp", [](const Operands &o) { o.vector(o.m) = o.array(0).exp(); }},
      {"log",
       [](const Operands &o) { o.vector(o.m) = (o.array(0) + T(2)).log(); }},
      {"sin",
       [](const Operands &o) { o.vector(o.m) = (T(10) * o.array(0)).sin(); }},
      {"tanh", [](const Operands &o) { o.vector(o.m) = o.array(0).tanh(); }},
      {"erf",
       [](const Operands &o) {
         o.vector(o.m) = o.array(0).unaryExpr([](T x) { return std::erf(x); });
       }},
      {"pow",
       [](const Operands &o) {
         o.vector(o.m) = (o.array(0) + T(2)).pow(o.array(1));
       }},
  };
  return bodies;
}

/// Of complex numbers.
template <typename T> const Bodies<T> &getComplexBodies() {
  using Operands = bench::Operands<T>;
  using Real = typename T::value_type;
  static const Bodies<T> bodies = {
      {"affine",
       [](const Operands &o) {
         o.result() = o.matrix(0).rowwise() * o.row(2) + o.matrix(1);
       }},
      {"turn",
       [](const Operands &o) {
         o.result() = Real(0.5) * o.matrix(0) * o.matrix(1).conjugate();
       }},
      {"abs2",
       [](const Operands &o) {
         Eigen::Map<Matrix<Real>> Y(static_cast<Real *>(o.arrays[1]), o.m, o.n);
         Y = o.matrix(0).abs2();
       }},
      {"row_sum", addRows<T>},
      {"row_dot",
       [](const Operands &o) {
         auto X = o.matrix(0), Z = o.matrix(1);
         auto y = o.vector(o.m);
         for (int64_t i = 0; i < o.m; ++i)
           y(i) = X.row(i).matrix().dot(Z.row(i).matrix());
       }},
  };
  return bodies;
}

template <typename T> class EigenProgram : public TimedLoop {
public:
  EigenProgram(const Body<T> &body, Operands<T> operands)
      : body(body), operands(std::move(operands)) {}

private:
  bool runAll(int64_t repetitions) override {
    for (int64_t i = 0; i < repetitions; ++i)
      body(operands);
    return true;
  }

  const Body<T> &body;
  Operands<T> operands;
};

template <typename T>
std::unique_ptr<Contestant> create(const Bodies<T> &bodies,
                                   const Problem &problem, const Data &data,
                                   std::string &why) {
  // Those of other types than f32 have it at the end of their names.
  std::string name = problem.program->name;
  std::string suffix = std::string("_") + getName(problem.getInputElement(0));
  if (size_t length = suffix.size();
      name.size() > length && name.substr(name.size() - length) == suffix)
    name.resize(name.size() - length);
  auto body = bodies.find(name);
  if (body == bodies.end()) {
    why = "no program for it";
    return nullptr;
  }
  const std::vector<Program::Size> &sizes = problem.program->sizes;
  int64_t columns = sizes.size() > 1 ? sizes[1].value : 1;
  return std::make_unique<EigenProgram<T>>(
      body->second, Operands<T>{sizes[0].value, columns, data.getArrays()});
}

} // namespace

std::unique_ptr<Contestant>
createEigenProgram(const Problem &problem, const Data &data, std::string &why) {
  switch (problem.getInputElement(0)) {
  case Element::F32:
    return create(getBodies<float>(), problem, data, why);
  case Element::F64:
    return create(getBodies<double>(), problem, data, why);
  case Element::C64:
    return create(getComplexBodies<std::complex<float>>(), problem, data, why);
  case Element::C128:
    return create(getComplexBodies<std::complex<double>>(), problem, data, why);
  default:
    why = "no program for it";
    return nullptr;
  }
}

} // namespace ein::bench
