//===- Reference.cpp - What the result has to be --------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In f64, by Eigen, which shares nothing with einc, and along the order of
// fewest operations, or large cases would take minutes. An error bound that
// holds for every order of summation is K eps (|A| |B|); with several steps the
// lengths of their sums add up. So the same contraction is done twice, the
// second time on absolute values.
//
// A program is evaluated by numpy in f64, each function as it is written in
// cases/programs/in_numpy.py. There is no bound from theory: an element may be
// off by a part of itself and of the root of the mean square of all, which is
// far more than rounding costs in these programs and far less than a wrong
// index does.
//
//===----------------------------------------------------------------------===//

#include "bench/harness/Reference.h"
#include "bench/cases/Path.h"
#include "bench/harness/Worker.h"
#include <Eigen/Core>
#include <cstdio>
#include <limits>
#include <unistd.h>

namespace ein::bench {
namespace {

template <typename T> struct Array {
  std::string labels;
  std::vector<T> values; // row-major, contiguous
};

/// Calls with the offsets of each point of `labels` in two views.
template <typename Function>
void forEach(const std::string &labels, const Extents &extents, const View &x,
             const View &y, Function function, size_t depth = 0, int64_t dx = 0,
             int64_t dy = 0) {
  if (depth == labels.size())
    return function(dx, dy);
  char label = labels[depth];
  int64_t stepX = x.getStride(label), stepY = y.getStride(label);
  for (int64_t i = 0, e = extents.at(label); i < e; ++i)
    forEach(labels, extents, x, y, function, depth + 1, dx + i * stepX,
            dy + i * stepY);
}

template <typename T>
Array<T> reorder(const Array<T> &array, const std::string &labels,
                 const Extents &extents) {
  View from = getContiguous(array.labels, extents);
  View to = getContiguous(labels, extents);
  Array<T> result{labels, std::vector<T>(array.values.size())};
  forEach(labels, extents, from, to, [&](int64_t source, int64_t target) {
    result.values[target] = array.values[source];
  });
  return result;
}

template <typename T>
Array<T> contract(const Array<T> &lhs, const Array<T> &rhs,
                  const std::string &result, const Extents &extents) {
  auto has = [](const std::string &labels, char label) {
    return labels.find(label) != std::string::npos;
  };
  std::string batch, m, n, k;
  for (char label : lhs.labels)
    (!has(result, label) ? k : has(rhs.labels, label) ? batch : m) += label;
  for (char label : rhs.labels)
    if (!has(lhs.labels, label))
      n += label;
  Array<T> a = reorder(lhs, batch + m + k, extents);
  Array<T> b = reorder(rhs, batch + k + n, extents);
  int64_t rows = getPoints(m, extents), columns = getPoints(n, extents),
          depth = getPoints(k, extents), batches = getPoints(batch, extents);
  Array<T> c{batch + m + n, std::vector<T>(batches * rows * columns)};
  using Matrix =
      Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  for (int64_t i = 0; i < batches; ++i)
    Eigen::Map<Matrix>(c.values.data() + i * rows * columns, rows, columns)
        .noalias() =
        Eigen::Map<Matrix>(a.values.data() + i * rows * depth, rows, depth) *
        Eigen::Map<Matrix>(b.values.data() + i * depth * columns, depth,
                           columns);
  return reorder(c, result, extents);
}

template <typename T>
Array<T> evaluate(const Problem &problem, std::vector<Array<T>> operands) {
  const Path path = getPaths(problem).front();
  for (const PathStep &step : path.steps) {
    Array<T> rhs = std::move(operands[step.rhs]);
    Array<T> lhs = std::move(operands[step.lhs]);
    operands.erase(operands.begin() + step.rhs);
    operands.erase(operands.begin() + step.lhs);
    operands.push_back(contract(lhs, rhs, step.result, problem.extents));
  }
  return reorder(operands.front(), problem.output.labels, problem.extents);
}

/// An input's elements as T, in f64.
template <typename T, typename Stored, typename Convert>
Array<T> loadArray(const View &view, const void *data, const Extents &extents,
                   Convert convert) {
  Array<T> result{view.labels, std::vector<T>(getPoints(view.labels, extents))};
  forEach(view.labels, extents, view, getContiguous(view.labels, extents),
          [&](int64_t source, int64_t target) {
            result.values[target] =
                convert(static_cast<const Stored *>(data)[source]);
          });
  return result;
}

/// Calls with a value of the type that the elements have.
template <typename Function> auto dispatch(Element element, Function function) {
  switch (element) {
  case Element::F32:
    return function(float());
  case Element::F64:
    return function(double());
  case Element::C128:
    return function(std::complex<double>());
  default:
    return function(std::complex<float>());
  }
}

} // namespace

Reference::Reference(const Problem &problem, const Data &data,
                     const Setup &setup)
    : problem(problem) {
  if (problem.program)
    evaluateProgram(data, setup);
  else
    evaluateEinsum(data);
}

void Reference::evaluateProgram(const Data &data, const Setup &setup) {
  size_t count = getSpan(problem.output, problem.extents);
  std::string path = setup.directory + "/reference.bin";
  Worker worker(setup.worker);
  std::string error = worker.load(problem, data, path);
  if (error.empty() && worker.ask("exact " + path) != "ok")
    error = "numpy failed";
  // Without a value, everyone is wrong.
  expected.assign(count, std::numeric_limits<double>::quiet_NaN());
  if (!error.empty())
    std::fprintf(stderr, "bench: error: no reference for %s: %s\n",
                 problem.name.c_str(), error.c_str());
  if (std::FILE *file = std::fopen(path.c_str(), "rb")) {
    bool isComplex = bench::isComplex(problem.element);
    std::vector<double> parts(count * (isComplex ? 2 : 1));
    if (error.empty() &&
        std::fread(parts.data(), 8, parts.size(), file) == parts.size())
      for (size_t i = 0; i < count; ++i)
        expected[i] = isComplex
                          ? std::complex<double>(parts[2 * i], parts[2 * i + 1])
                          : parts[i];
    std::fclose(file);
  }
  unlink(path.c_str());
  double squares = 0;
  for (std::complex<double> value : expected)
    squares += std::norm(value);
  double typical = std::sqrt(squares / count);
  unit = getTolerance(problem.element);
  if (isInteger(problem.element)) {
    // Sums are exact. What is rounded to 8 bits may be on the other side of the
    // middle between two, where a scale is multiplied in another order.
    unit = problem.element == Element::I32 ? 0.5 : 1;
    magnitude.assign(count, 1);
    return;
  }
  for (std::complex<double> value : expected)
    magnitude.push_back(std::abs(value) + typical);
}

void Reference::evaluateEinsum(const Data &data) {
  bool isComplex = bench::isComplex(problem.element);
  dispatch(problem.element, [&](auto zero) {
    using Stored = decltype(zero);
    using Exact = std::conditional_t<std::is_arithmetic_v<Stored>, double,
                                     std::complex<double>>;
    std::vector<Array<Exact>> operands;
    std::vector<Array<double>> sizes;
    for (size_t i = 0; i < problem.inputs.size(); ++i) {
      operands.push_back(loadArray<Exact, Stored>(
          problem.inputs[i], data.inputs[i], problem.extents,
          [](Stored x) -> Exact { return Exact(x); }));
      sizes.push_back(loadArray<double, Stored>(
          problem.inputs[i], data.inputs[i], problem.extents,
          [](Stored x) { return double(std::abs(x)); }));
    }
    Array<Exact> result = evaluate(problem, std::move(operands));
    expected.assign(result.values.begin(), result.values.end());
    magnitude = evaluate(problem, std::move(sizes)).values;
  });
  bool isWide =
      problem.element == Element::F64 || problem.element == Element::C128;
  double epsilon = isWide ? std::numeric_limits<double>::epsilon()
                          : std::numeric_limits<float>::epsilon();
  double roundings = 1;
  for (char label : problem.getLabels())
    if (!problem.output.has(label))
      roundings += problem.extents.at(label);
  roundings += problem.inputs.size();
  unit = roundings * epsilon * (isComplex ? 4 : 1);
}

double Reference::getWorstError(const void *output) const {
  double worst = 0;
  const View &view = problem.output;
  forEach(view.labels, problem.extents, view,
          getContiguous(view.labels, problem.extents),
          [&](int64_t at, int64_t index) {
            double error =
                std::abs(load(problem.element, output, at) - expected[index]);
            if (!(error <= std::numeric_limits<double>::max()))
              worst = std::numeric_limits<double>::infinity();
            else if (error > 0)
              worst = std::max(worst, error / (unit * magnitude[index]));
          });
  return worst;
}

} // namespace ein::bench
