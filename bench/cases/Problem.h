//===- Problem.h - A contraction or program to be timed ---------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_BENCH_PROBLEM_H
#define EIN_BENCH_PROBLEM_H

#include "bench/cases/Element.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ein::bench {

/// The extent of each index.
using Extents = std::map<char, int64_t>;

/// An array as its dims and how far apart, in elements, neighbours are.
struct View {
  std::string labels;
  std::vector<int64_t> strides;

  /// The stride of an index, 0 if it is not there.
  int64_t getStride(char label) const;
  bool has(char label) const { return labels.find(label) != std::string::npos; }
};

/// The number of points that some indices have.
int64_t getPoints(const std::string &labels, const Extents &extents);
/// The view of an array without gaps, row-major.
View getContiguous(const std::string &labels, const Extents &extents);
/// How many elements lie between the first and behind the last.
int64_t getSpan(const View &view, const Extents &extents);

/// The `def kernel` of programs/NAME.ein with numbers for its sizes.
struct Program {
  struct Size {
    std::string name;
    int64_t value;
    bool isAttribute; // constant, never an argument
  };
  struct Array {
    std::string name;
    std::vector<int64_t> dims;
    Element element = Element::F32;
  };
  std::string name, path;
  /// Those of dims as they come in the signature, then attributes: the order in
  /// which compiled functions take them.
  std::vector<Size> sizes;
  std::vector<Array> arrays; // the inputs and then the output
  double flops = 0;
};

/// Whose instructions everybody may use: this machine's, or those of its
/// maker's last one without AVX-512.
enum class Isa { Native, Avx2 };

/// One line of the cases: an einsum or a program. The arrays of a program are
/// flat here, an index each.
struct Problem {
  std::string group, name, einsum;
  std::optional<Program> program;
  Element element = Element::F32; // of an einsum's arrays, or the output's
  bool isStatic = true;           // einc and the loops know the sizes
  bool isStrided = false;         // rows are parts of longer ones
  bool isComposed = true;         // compared with libraries put together
  int threads = 1;
  Isa isa = Isa::Native;
  Extents extents;
  std::vector<View> inputs;
  View output;

  /// In the terms of einsum's words: what labels there are, as they come.
  std::string getLabels() const;
  Element getInputElement(size_t input) const {
    return program ? program->arrays[input].element : element;
  }
  /// That of the input with the fewest bytes an element.
  Element getNarrowest() const;
  /// Whether one of the arrays of a program has elements of it.
  bool has(Element element) const;
  /// Each array once.
  double getInputBytes() const;
  double getOutputBytes() const;
};

/// What a class has to reach.
struct Bar {
  double ratio = 0;                     // to each packaged peer,
  std::map<std::string, double> ratios; // but for these
  bool isMemory = false;   // nothing passes but what is near the roofline
  bool isComposed = false; // of einsums, too
  bool inBytes = false;    // speeds are shown in bytes and not in operations

  double getRatio(const std::string &peer) const {
    auto own = ratios.find(peer);
    return own == ratios.end() ? ratio : own->second;
  }
};
using Bars = std::map<std::string, Bar>;

/// Reads the cases, and the classes in their order with their bars; programs
/// are looked for in `programs`. On failure prints why and returns false.
bool readCases(const std::string &path, const std::string &programs,
               std::vector<Problem> &cases, std::vector<std::string> &groups,
               Bars &bars);

} // namespace ein::bench

#endif // EIN_BENCH_PROBLEM_H
