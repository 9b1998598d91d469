//===- WindowKernel.cpp - Register tiles of any nest of sums --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a convolution has more dims than a matrix product, and which of them
// are rows differs: images of NHWC are read element by element beside vectors
// of filters, those of NCHW the other way round; without channels that are
// summed, every vector of the image is used once.
//
// Choice: all tiles that block at most two dims of rows, and whose sums leave
// registers for what is added to them: a sum that has none waits for memory in
// each step. Which is the fastest is a matter of what
// each executes and moves (NestCost.h).
//
//===----------------------------------------------------------------------===//

#include "target/WindowKernel.h"
#include "target/SumRegisters.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace ein {

int64_t WindowKernel::getNumSums() const {
  int64_t sums = vectors;
  for (int64_t count : rows)
    sums *= count;
  return sums;
}

namespace {

class Lister {
public:
  Lister(const TargetInfo &target, unsigned elementBits, const WindowNest &nest)
      : target(target), nest(nest) {
    kernel.rows.assign(nest.rows.size(), 1);
    int64_t lanes = target.getLanes(elementBits);
    // Few columns get a vector that they fill, or nearly.
    if (nest.columns && *nest.columns <= lanes / 2)
      lanes = llvm::PowerOf2Ceil(std::max<int64_t>(*nest.columns, 1));
    kernel.lanes = lanes;
  }

  std::vector<WindowKernel> list();

private:
  /// Of a step, what is loaded of all inputs but the one that has the most,
  /// which goes from memory into the sums.
  int64_t countHeld() const;
  /// Whether the sums leave registers for that, or there is one.
  bool fits() const;
  /// All numbers of rows along `dim`, and along one that is outside of it.
  void addRows(int64_t dim, bool isOuter);

  const TargetInfo &target;
  const WindowNest &nest;
  WindowKernel kernel;
  std::vector<WindowKernel> kernels;
};

} // namespace

int64_t Lister::countHeld() const {
  int64_t all = 0, most = 0;
  for (const WindowNest::Input &input : nest.inputs) {
    int64_t loads = input.isAlong ? kernel.vectors : 1;
    for (auto [isRead, count] : llvm::zip_equal(input.rows, kernel.rows))
      if (isRead)
        loads *= count;
    all += loads;
    most = std::max(most, loads);
  }
  return all - most;
}

bool Lister::fits() const {
  return fitsRegisters(target,
                       {kernel.getNumSums(), 1, nest.isTracked, countHeld()});
}

void Lister::addRows(int64_t dim, bool isOuter) {
  int64_t most = nest.rows[dim].value_or(target.vectorRegisters);
  for (int64_t count = 2; count <= most; ++count) {
    kernel.rows[dim] = count;
    if (!fits())
      break;
    kernels.push_back(kernel);
    if (!isOuter)
      for (int64_t outer = dim - 1; outer >= 0; --outer)
        addRows(outer, /*isOuter=*/true);
  }
  kernel.rows[dim] = 1;
}

std::vector<WindowKernel> Lister::list() {
  for (kernel.vectors = 1; fits(); kernel.vectors *= 2) {
    if (nest.columns && kernel.vectors > 1 &&
        (kernel.vectors - 1) * kernel.lanes >= *nest.columns)
      break;
    kernels.push_back(kernel);
    // The innermost dim first, alone and then with another one.
    for (int64_t inner = int64_t(nest.rows.size()) - 1; inner >= 0; --inner)
      addRows(inner, /*isOuter=*/false);
  }
  return std::move(kernels);
}

std::vector<WindowKernel> listWindowKernels(const TargetInfo &target,
                                            unsigned elementBits,
                                            const WindowNest &nest) {
  return Lister(target, elementBits, nest).list();
}

} // namespace ein
