//===- SelectWindows.cpp - Convolutions, poolings and stencils ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution is a matrix product whose left-hand side is not in memory: each
// element of the image stands in it as often as the window has positions.
// Writing it out (im2col) costs memory and a pass over it. Here the register
// tile's loop over k is the nest over the window and the channels instead, and
// reads the image where it is: element by element where vectors lie along the
// filters (NHWC), as vectors that begin anywhere where they lie along the image
// (NCHW). The same nest does what has no such product: depthwise convolutions,
// poolings, stencils. Which dims are tiled, and how far, follows from what each
// input costs (target/WindowKernel.cpp).
//
// Vectors lie along the result's last dim. Nothing is packed. So the loops go
// so that the smaller operand stays: what the image does not have, filters, is
// outside. If what a tile of these has in all sums does not fit a near cache,
// rows apart as it may be, the outermost sums (over the rows of the window,
// say) are outside of everything, so that filters come from memory along their
// rows. Sums are never reordered.
//
//===----------------------------------------------------------------------===//

#include "passes/select/SelectWindows.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/DimRoles.h"
#include "passes/analysis/ElementBytes.h"
#include "passes/analysis/IeeeMinMax.h"
#include "passes/analysis/WindowAnalysis.h"
#include "target/WindowKernel.h"

using namespace mlir;

namespace ein {

namespace {

class WindowSelector {
public:
  WindowSelector(linalg::LinalgOp op, const WindowInfo &info,
                 const TargetInfo &target)
      : op(op), target(target), sizes(op.getStaticLoopRanges()),
        inputs(info.inputs), image(info.image), output(info.output) {
    schedule.vectorDim = info.vectorDim;
    for (auto [dim, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
      if (iterator == utils::IteratorType::reduction)
        sums.push_back(dim);
  }

  Schedule select();

private:
  void selectTile();
  void selectOrder();
  /// Of the sums, how many of the outermost have loops outside of the image's.
  size_t countOutside();
  void selectUnrolling();
  bool isOfWindow(int64_t dim);
  bool has(OpOperand *input, int64_t dim) {
    return op.getMatchingIndexingMap(input).isFunctionOfDim(dim);
  }
  /// What a tile reads of all inputs, summed up over the last of the sums.
  double getBytesInside(ArrayRef<int64_t> inside);
  double getExtent(int64_t dim) {
    // As the order of contraction counts what is dynamic.
    constexpr double kDynamic = 256;
    return ShapedType::isDynamic(sizes[dim]) ? kDynamic : double(sizes[dim]);
  }

  linalg::LinalgOp op;
  const TargetInfo &target;
  SmallVector<int64_t> sizes;
  SmallVector<OpOperand *> inputs;
  OpOperand *image;
  AffineMap output;
  SmallVector<int64_t> sums;
  Schedule schedule;
  int64_t numSums = 1;
};

} // namespace

void WindowSelector::selectTile() {
  auto getIfStatic = [&](int64_t dim) {
    return ShapedType::isDynamic(sizes[dim])
               ? std::nullopt
               : std::optional<int64_t>(sizes[dim]);
  };
  int64_t last = schedule.vectorDim;
  SmallVector<int64_t> rows;
  for (AffineExpr expr : output.getResults().drop_back())
    rows.push_back(cast<AffineDimExpr>(expr).getPosition());
  WindowNest nest;
  nest.columns = getIfStatic(last);
  for (int64_t dim : rows)
    nest.rows.push_back(getIfStatic(dim));
  for (OpOperand *input : inputs) {
    WindowNest::Input read;
    for (int64_t dim : rows)
      read.rows.push_back(has(input, dim));
    read.step = *getStepAlong(op.getMatchingIndexingMap(input), last);
    nest.inputs.push_back(read);
  }
  schedule.ieeeMinMax = isGathered(op, target.exactMaxima);
  nest.isTracked = schedule.ieeeMinMax;
  WindowKernel kernel = getWindowKernel(target, getElementBits(op), nest);
  numSums = kernel.getNumSums();
  schedule.lanes = kernel.lanes;
  schedule.masked = target.maskedOps;
  schedule.tile.assign(op.getNumLoops(), 0);
  schedule.tile[last] = kernel.vectors * kernel.lanes;
  for (auto [dim, count] : llvm::zip_equal(rows, kernel.rows))
    schedule.tile[dim] = count;
}

double WindowSelector::getBytesInside(ArrayRef<int64_t> inside) {
  double bytes = 0;
  for (OpOperand *input : inputs) {
    auto subscripts = *getLinearSubscripts(op.getMatchingIndexingMap(input));
    double elements = 1;
    for (const LinearSubscript &subscript : subscripts) {
      double span = 1;
      for (auto [dim, coefficient] : llvm::enumerate(subscript.coefficients)) {
        double count = llvm::is_contained(inside, int64_t(dim))
                           ? getExtent(dim)
                           : double(std::max<int64_t>(schedule.tile[dim], 1));
        span += double(std::abs(coefficient)) * (count - 1);
      }
      elements *= span;
    }
    bytes +=
        elements * getScalarBytes(getElementTypeOrSelf(input->get().getType()));
  }
  return bytes;
}

size_t WindowSelector::countOutside() {
  constexpr double kLeastSteps = 256;
  auto countSteps = [&](ArrayRef<int64_t> dims) {
    double steps = 1;
    for (int64_t dim : dims)
      steps *= getExtent(dim);
    return steps;
  };
  size_t outside = 0;
  while (outside < sums.size()) {
    ArrayRef<int64_t> inside = ArrayRef(sums).drop_front(outside);
    if (ShapedType::isDynamic(sizes[inside.front()]) ||
        getBytesInside(inside) <= target.l2Bytes / 8.0 ||
        countSteps(inside.drop_front()) < kLeastSteps)
      break;
    ++outside;
  }
  return outside;
}

void WindowSelector::selectOrder() {
  size_t outside = countOutside();
  SmallVector<int64_t> order;
  auto append = [&](auto predicate) {
    for (AffineExpr expr : output.getResults()) {
      int64_t dim = cast<AffineDimExpr>(expr).getPosition();
      if (!llvm::is_contained(order, dim) && predicate(dim))
        order.push_back(dim);
    }
  };
  append([&](int64_t dim) {
    return dim != schedule.vectorDim &&
           llvm::all_of(inputs, [&](OpOperand *in) { return has(in, dim); });
  });
  for (int64_t dim : ArrayRef(sums).take_front(outside)) {
    schedule.tile[dim] = 1;
    order.push_back(dim);
  }
  append([&](int64_t dim) { return !has(image, dim); });
  append([](int64_t) { return true; });
  llvm::append_range(order, ArrayRef(sums).drop_front(outside));
  schedule.interchange = order;
}

void WindowSelector::selectUnrolling() {
  constexpr int64_t kStraight = 160, kLongest = 16, kUnroll = 4,
                    kShortUnroll = 2;
  int64_t length = numSums;
  size_t inside = llvm::count_if(
      sums, [&](int64_t dim) { return schedule.tile[dim] == 0; });
  for (int64_t dim : llvm::reverse(ArrayRef(sums).take_back(inside))) {
    if (ShapedType::isDynamic(sizes[dim]) || sizes[dim] > kLongest ||
        length * sizes[dim] > kStraight)
      break;
    length *= sizes[dim];
    ++schedule.unrolledSums;
  }
  bool isFloat =
      isa<FloatType>(getElementTypeOrSelf(op.getDpsInits()[0].getType()));
  if (!isFloat || schedule.unrolledSums == int64_t(inside))
    return;
  // Windows of an unknown size are short: of 3, 5 and 7 steps one is left if
  // two are made one, and the others are.
  int64_t dim = sums[sums.size() - 1 - schedule.unrolledSums];
  bool isShort = ShapedType::isDynamic(sizes[dim]) && isOfWindow(dim);
  int64_t steps = isShort ? kShortUnroll : kUnroll;
  if (length * steps <= kStraight)
    schedule.unroll = steps;
}

/// Whether `dim` is added to another one where the image is read.
bool WindowSelector::isOfWindow(int64_t dim) {
  return llvm::any_of(
      op.getMatchingIndexingMap(image).getResults(), [&](AffineExpr expr) {
        return !isa<AffineDimExpr>(expr) && expr.isFunctionOfDim(dim);
      });
}

Schedule WindowSelector::select() {
  schedule.kind = Schedule::Window;
  selectTile();
  selectOrder();
  selectUnrolling();
  return schedule;
}

std::optional<Schedule> selectWindow(linalg::LinalgOp op,
                                     const TargetInfo &target) {
  FailureOr<WindowInfo> info = matchWindow(op);
  if (failed(info))
    return std::nullopt;
  return WindowSelector(op, *info, target).select();
}

} // namespace ein
