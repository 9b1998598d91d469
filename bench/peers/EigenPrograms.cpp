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

using Matrix =
    Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Row = Eigen::Array<float, 1, Eigen::Dynamic>;
using In = Eigen::Map<const Matrix>;
using Out = Eigen::Map<Matrix>;
using InRow = Eigen::Map<const Row>;
using OutRow = Eigen::Map<Row>;

/// The arrays of a program of a matrix of M by N.
struct Operands {
  int64_t m, n;
  std::vector<void *> arrays;

  In matrix(int i) const { return In(get(i), m, n); }
  InRow row(int i) const { return InRow(get(i), n); }
  Out result() const { return Out(get(arrays.size() - 1), m, n); }
  /// A result of one number a row, or a column.
  OutRow vector(int64_t size) const {
    return OutRow(get(arrays.size() - 1), size);
  }

private:
  float *get(int i) const { return static_cast<float *>(arrays[i]); }
};

using Body = std::function<void(const Operands &)>;

const std::map<std::string, Body> &getBodies() {
  static const std::map<std::string, Body> bodies = {
      {"gelu_affine",
       [](const Operands &o) {
         auto X = o.matrix(0);
         auto a = o.row(1), b = o.row(2);
         auto Y = o.result();
         for (int64_t i = 0; i < o.m; ++i) {
           Y.row(i) = a * X.row(i) + b;
           Y.row(i) =
               0.5f * Y.row(i) *
               (1 + (0.7978845608f *
                     (Y.row(i) + 0.044715f * Y.row(i) * Y.row(i) * Y.row(i)))
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
               ((X.row(i) + o.row(1)).tanh() * o.row(2) + X.row(i)).max(0.0f);
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
           float top = X.row(i).maxCoeff();
           y(i) = top + std::log((X.row(i) - top).exp().sum());
         }
       }},
      {"layernorm",
       [](const Operands &o) {
         auto X = o.matrix(0);
         auto Y = o.result();
         for (int64_t i = 0; i < o.m; ++i) {
           Y.row(i) = X.row(i) - X.row(i).mean();
           float factor = 1 / std::sqrt(Y.row(i).square().mean() + 1e-5f);
           Y.row(i) = Y.row(i) * factor * o.row(1) + o.row(2);
         }
       }},
      {"rmsnorm",
       [](const Operands &o) {
         auto X = o.matrix(0);
         auto Y = o.result();
         for (int64_t i = 0; i < o.m; ++i)
           Y.row(i) = X.row(i) *
                      (1 / std::sqrt(X.row(i).square().mean() + 1e-5f)) *
                      o.row(1);
       }},
      {"row_sum",
       [](const Operands &o) {
         auto X = o.matrix(0);
         auto y = o.vector(o.m);
         for (int64_t i = 0; i < o.m; ++i)
           y(i) = X.row(i).sum();
       }},
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
         In U(static_cast<const float *>(o.arrays[0]), o.m + 2, o.n + 2);
         auto at = [&](int i, int j) { return U.block(i, j, o.m, o.n); };
         o.result() =
             0.2f * (at(1, 1) + at(0, 1) + at(2, 1) + at(1, 0) + at(1, 2));
       }},
      {"stencil9",
       [](const Operands &o) {
         In U(static_cast<const float *>(o.arrays[0]), o.m + 2, o.n + 2);
         const float *w = static_cast<const float *>(o.arrays[1]);
         auto at = [&](int i, int j) {
           return U.block(i, j, o.m, o.n) * w[3 * i + j];
         };
         o.result() = at(0, 0) + at(0, 1) + at(0, 2) + at(1, 0) + at(1, 1) +
                      at(1, 2) + at(2, 0) + at(2, 1) + at(2, 2);
       }},
  };
  return bodies;
}

class EigenProgram : public TimedLoop {
public:
  EigenProgram(const Body &body, Operands operands)
      : body(body), operands(std::move(operands)) {}

private:
  bool runAll(int64_t repetitions) override {
    for (int64_t i = 0; i < repetitions; ++i)
      body(operands);
    return true;
  }

  const Body &body;
  Operands operands;
};

} // namespace

std::unique_ptr<Contestant>
createEigenProgram(const Problem &problem, const Data &data, std::string &why) {
  auto body = getBodies().find(problem.program->name);
  if (body == getBodies().end()) {
    why = "no program for it";
    return nullptr;
  }
  const std::vector<Program::Size> &sizes = problem.program->sizes;
  return std::make_unique<EigenProgram>(
      body->second, Operands{sizes[0].value, sizes[1].value, data.getArrays()});
}

} // namespace ein::bench
