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
// poolings, stencils, and products of matrices whose elements are a batch that
// lies along memory. Which dims are tiled, and how far, is a matter of price
// (PriceWindow.cpp).
//
// Vectors lie along the result's last dim. Nothing is packed. Sums are never
// reordered. All tiles that registers hold are priced, and of the best ones the
// orders of loops: the outermost sums (over the rows of the window, say) inside
// or outside of everything, and filters or pixels outside.
//
//===----------------------------------------------------------------------===//

#include "passes/select/SelectWindows.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/DimRoles.h"
#include "passes/analysis/ElementBytes.h"
#include "passes/analysis/IeeeMinMax.h"
#include "passes/analysis/Reductions.h"
#include "passes/analysis/WindowAnalysis.h"
#include "passes/select/PriceSchedule.h"
#include "passes/select/SelectGroups.h"
#include "target/SumRegisters.h"
#include "target/Unroll.h"
#include "target/WindowKernel.h"

using namespace mlir;

namespace ein {

namespace {

class WindowLister {
public:
  WindowLister(linalg::LinalgOp op, const WindowInfo &info,
               const TargetInfo &target, const GivenChoices &given)
      : op(op), target(target), given(given),
        pricer(op, target, {}, given.assumed), sizes(op.getStaticLoopRanges()),
        inputs(info.inputs), image(info.image), output(info.output) {
    base.kind = Schedule::Window;
    base.vectorDim = info.vectorDim;
    base.masked = target.maskedOps;
    base.ieeeMinMax = isGathered(op, target.exactMaxima);
    for (auto [dim, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
      if (iterator == utils::IteratorType::reduction &&
          int64_t(dim) != info.groupDim)
        sums.push_back(dim);
    groupDim = info.groupDim;
  }

  std::vector<Candidate> list();

private:
  std::vector<WindowKernel> getKernels();
  bool canBeGrouped(const WindowKernel &kernel);
  Schedule make(const WindowKernel &kernel, size_t numOutside,
                bool vectorsOutside);
  void selectOrder(Schedule &schedule, size_t numOutside, bool vectorsOutside);
  SmallVector<size_t> getNumOutside(const WindowKernel &kernel);
  double getBytesInside(const WindowKernel &kernel, ArrayRef<int64_t> inside);
  void selectUnrolling(Schedule &schedule, int64_t numSums);
  void add(const Schedule &schedule) {
    candidates.push_back({schedule, pricer.price(schedule)});
  }
  bool isOfWindow(int64_t dim);
  bool has(OpOperand *input, int64_t dim) {
    return op.getMatchingIndexingMap(input).isFunctionOfDim(dim);
  }
  double getExtent(int64_t dim) {
    if (!ShapedType::isDynamic(sizes[dim]))
      return double(sizes[dim]);
    return double(given.assumed.empty() ? kAssumedSize
                                        : given.assumed.front()[dim]);
  }
  SmallVector<int64_t> getRowDims() {
    SmallVector<int64_t> rows;
    for (AffineExpr expr : output.getResults().drop_back())
      rows.push_back(cast<AffineDimExpr>(expr).getPosition());
    return rows;
  }

  linalg::LinalgOp op;
  const TargetInfo &target;
  const GivenChoices &given;
  OpPricer pricer;
  SmallVector<int64_t> sizes;
  SmallVector<OpOperand *> inputs;
  OpOperand *image;
  AffineMap output;
  SmallVector<int64_t> sums;
  /// Of neighbours that are multiplied at once, or -1.
  int64_t groupDim = -1;
  Schedule base;
  std::vector<Candidate> candidates;
};

} // namespace

std::vector<WindowKernel> WindowLister::getKernels() {
  auto getIfStatic = [&](int64_t dim) {
    return ShapedType::isDynamic(sizes[dim])
               ? std::nullopt
               : std::optional<int64_t>(sizes[dim]);
  };
  WindowNest nest;
  nest.columns = getIfStatic(base.vectorDim);
  for (int64_t dim : getRowDims())
    nest.rows.push_back(getIfStatic(dim));
  for (OpOperand *input : inputs) {
    WindowNest::Input read;
    for (int64_t dim : getRowDims())
      read.rows.push_back(has(input, dim));
    read.isAlong = has(input, base.vectorDim);
    nest.inputs.push_back(read);
  }
  nest.isTracked = base.ieeeMinMax;
  return listWindowKernels(target, getElementBits(op), nest);
}

/// Outside what the image does not have, filters, so that the smaller operand
/// stays; or, with all inputs along vectors, these.
void WindowLister::selectOrder(Schedule &schedule, size_t numOutside,
                               bool vectorsOutside) {
  SmallVector<int64_t> &order = schedule.interchange;
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
  for (int64_t dim : ArrayRef(sums).take_front(numOutside)) {
    schedule.tile[dim] = 1;
    order.push_back(dim);
  }
  append([&](int64_t dim) {
    return !has(image, dim) || (vectorsOutside && dim == schedule.vectorDim);
  });
  append([](int64_t) { return true; });
  llvm::append_range(order, ArrayRef(sums).drop_front(numOutside));
  if (groupDim >= 0)
    order.push_back(groupDim);
}

/// What a tile reads of all inputs, summed up over the last of the sums.
double WindowLister::getBytesInside(const WindowKernel &kernel,
                                    ArrayRef<int64_t> inside) {
  SmallVector<double> counts(op.getNumLoops(), 1);
  for (auto [dim, count] : llvm::zip_equal(getRowDims(), kernel.rows))
    counts[dim] = double(count);
  counts[base.vectorDim] = double(kernel.vectors * kernel.lanes);
  for (int64_t dim : inside)
    counts[dim] = getExtent(dim);
  if (groupDim >= 0)
    counts[groupDim] = getExtent(groupDim);
  double bytes = 0;
  for (OpOperand *input : inputs) {
    auto subscripts = *getLinearSubscripts(op.getMatchingIndexingMap(input));
    double elements = 1;
    for (const LinearSubscript &subscript : subscripts)
      elements *= getSpan(subscript, counts);
    bytes +=
        elements * getScalarBytes(getElementTypeOrSelf(input->get().getType()));
  }
  return bytes;
}

/// How many of the outermost sums may have loops outside of the image's. Where
/// channels are summed as well, rows of filters are apart, and a price does not
/// tell how many of them a cache keeps: those that an eighth of L2 holds.
SmallVector<size_t> WindowLister::getNumOutside(const WindowKernel &kernel) {
  size_t numKnown = 0;
  while (numKnown < sums.size() &&
         !ShapedType::isDynamic(sizes[sums[numKnown]]))
    ++numKnown;
  if (llvm::all_of(sums, [&](int64_t dim) { return isOfWindow(dim); }))
    return llvm::to_vector(llvm::seq<size_t>(0, numKnown + 1));
  // So many that reading and writing a sum each time takes no more than prices
  // are true by.
  const MachineModel &machine = target.machine;
  double leastSteps =
      (1 / machine.loads + 1 / machine.stores) * machine.fmas / (kAbout - 1);
  auto countSteps = [&](ArrayRef<int64_t> dims) {
    double steps = 1;
    for (int64_t dim : dims)
      steps *= getExtent(dim);
    return steps;
  };
  size_t outside = 0;
  while (outside < numKnown) {
    ArrayRef<int64_t> inside = ArrayRef(sums).drop_front(outside);
    if (getBytesInside(kernel, inside) <= target.l2Bytes / 8.0 ||
        countSteps(inside.drop_front()) < leastSteps)
      break;
    ++outside;
  }
  return {outside};
}

void WindowLister::selectUnrolling(Schedule &schedule, int64_t numSums) {
  int64_t length = numSums;
  size_t inside = llvm::count_if(
      sums, [&](int64_t dim) { return schedule.tile[dim] == 0; });
  for (int64_t dim : llvm::reverse(ArrayRef(sums).take_back(inside))) {
    if (ShapedType::isDynamic(sizes[dim]) || sizes[dim] > kLongestWindow ||
        length * sizes[dim] > kStraightWindow)
      break;
    length *= sizes[dim];
    ++schedule.unrolledSums;
  }
  bool isFloat =
      isa<FloatType>(getElementTypeOrSelf(op.getDpsInits()[0].getType()));
  if (!isFloat || schedule.unrolledSums == int64_t(inside))
    return;
  int64_t dim = sums[sums.size() - 1 - schedule.unrolledSums];
  bool isShort = ShapedType::isDynamic(sizes[dim]) && isOfWindow(dim);
  int64_t steps = isShort ? kOpenWindowSteps : kWindowSteps;
  if (length * steps <= kStraightWindow)
    schedule.unroll = steps;
}

/// Whether `dim` is added to another one where the image is read.
bool WindowLister::isOfWindow(int64_t dim) {
  return llvm::any_of(
      op.getMatchingIndexingMap(image).getResults(), [&](AffineExpr expr) {
        return !isa<AffineDimExpr>(expr) && expr.isFunctionOfDim(dim) &&
               (groupDim < 0 || !expr.isFunctionOfDim(groupDim));
      });
}

Schedule WindowLister::make(const WindowKernel &kernel, size_t numOutside,
                            bool vectorsOutside) {
  Schedule schedule = base;
  schedule.lanes = kernel.lanes;
  schedule.tile.assign(op.getNumLoops(), 0);
  schedule.tile[schedule.vectorDim] = kernel.vectors * kernel.lanes;
  for (auto [dim, count] : llvm::zip_equal(getRowDims(), kernel.rows))
    schedule.tile[dim] = count;
  selectOrder(schedule, numOutside, vectorsOutside);
  selectUnrolling(schedule, kernel.getNumSums());
  return schedule;
}

/// Whether registers hold what is too much of sums, one vector for each of a
/// row's, which all rows have in common, and vectors are as long as the
/// instruction's.
bool WindowLister::canBeGrouped(const WindowKernel &kernel) {
  int64_t beside = base.dotOffset ? kernel.vectors : 0;
  if (base.dotOffset)
    for (auto [dim, count] : llvm::zip_equal(getRowDims(), kernel.rows))
      if (count > 1 && has(matchGroupedSum(op)->vectors, dim))
        return false;
  return (base.dot.empty() ||
          kernel.lanes * kNarrowSumBits % base.dotBits == 0) &&
         fitsRegisters(target, {kernel.getNumSums() + beside, 1,
                                /*isTracked=*/false, /*held=*/2});
}

std::vector<Candidate> WindowLister::list() {
  if (groupDim >= 0 && !selectProductsOfGroups(op, target, base))
    return {};
  std::vector<WindowKernel> kernels = getKernels();
  if (groupDim >= 0)
    llvm::erase_if(kernels, [&](const WindowKernel &kernel) {
      return !canBeGrouped(kernel);
    });
  for (const WindowKernel &kernel : kernels)
    add(make(kernel, getNumOutside(kernel).front(), /*vectorsOutside=*/false));
  // Of the best tiles, other loops.
  SmallVector<size_t> order =
      llvm::to_vector(llvm::seq<size_t>(0, kernels.size()));
  llvm::stable_sort(order, [&](size_t a, size_t b) {
    return candidates[a].cost->cycles < candidates[b].cost->cycles;
  });
  candidates.clear();
  bool isVectorInImage = has(image, base.vectorDim);
  for (size_t number : ArrayRef(order).take_front(Listed::kVaried))
    for (size_t numOutside : getNumOutside(kernels[number]))
      for (bool vectorsOutside : {false, true}) {
        if (!vectorsOutside || isVectorInImage)
          add(make(kernels[number], numOutside, vectorsOutside));
      }
  sortByPrice(candidates);
  return std::move(candidates);
}

std::vector<Candidate> listWindows(linalg::LinalgOp op,
                                   const TargetInfo &target,
                                   const GivenChoices &given) {
  FailureOr<WindowInfo> info = matchWindow(op);
  if (failed(info))
    info = matchBatchLast(op);
  if (failed(info))
    return {};
  if (!info->image)
    info->image = getLargestInput(op);
  return WindowLister(op, *info, target, given).list();
}

} // namespace ein
