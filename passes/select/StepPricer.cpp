//===- StepPricer.cpp - What a step of an order takes ---------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/select/StepPricer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "passes/analysis/Raising.h"
#include "passes/select/SelectSchedule.h"
#include <map>

using namespace mlir;

namespace ein {
namespace {

using Labels = ArrayRef<unsigned>;

/// A contraction, with dims for labels: those that follow each other in each
/// tensor that has them are one.
struct Step {
  SmallVector<int64_t> extents;
  SmallVector<bool> isDynamic;
  std::array<SmallVector<unsigned>, 3> operands;

  Step(ArrayRef<double> sizes, const llvm::SmallBitVector &dynamic,
       std::array<Labels, 3> tensors);

  /// The numbers that it consists of.
  std::vector<int64_t> getKey() const;
};

class Pricer {
public:
  Pricer(TargetInfo target, Type element)
      : target(std::move(target)), element(element) {}

  double price(const Step &step);

private:
  double compute(const Step &step);

  TargetInfo target;
  Type element;
  std::map<std::vector<int64_t>, double> known;
};

} // namespace

Step::Step(ArrayRef<double> sizes, const llvm::SmallBitVector &dynamic,
           std::array<Labels, 3> tensors) {
  constexpr double kLongest = 1 << 30; // no product of which overflows
  /// Whether `second` stands behind `first` wherever either is.
  auto areOne = [&](unsigned first, unsigned second) {
    return dynamic[first] == dynamic[second] &&
           llvm::all_of(tensors, [&](Labels labels) {
             const unsigned *place = llvm::find(labels, first);
             return place == labels.end()
                        ? !llvm::is_contained(labels, second)
                        : place + 1 != labels.end() && place[1] == second;
           });
  };
  llvm::SmallDenseMap<unsigned, unsigned> numbers;
  for (auto [labels, dims] : llvm::zip_equal(tensors, operands))
    for (auto [place, label] : llvm::enumerate(labels)) {
      if (place > 0 && areOne(labels[place - 1], label)) {
        if (numbers.try_emplace(label, dims.back()).second)
          extents[dims.back()] = int64_t(
              std::min(double(extents[dims.back()]) * sizes[label], kLongest));
        continue;
      }
      auto [number, isNew] = numbers.try_emplace(label, extents.size());
      if (isNew) {
        extents.push_back(int64_t(std::min(sizes[label], kLongest)));
        isDynamic.push_back(dynamic[label]);
      }
      dims.push_back(number->second);
    }
}

std::vector<int64_t> Step::getKey() const {
  std::vector<int64_t> key(extents.begin(), extents.end());
  key.insert(key.end(), isDynamic.begin(), isDynamic.end());
  for (Labels dims : operands) {
    key.push_back(-1);
    key.insert(key.end(), dims.begin(), dims.end());
  }
  return key;
}

double Pricer::price(const Step &step) {
  auto [price, isNew] = known.try_emplace(step.getKey(), 0);
  if (isNew)
    price->second = compute(step);
  return price->second;
}

double Pricer::compute(const Step &step) {
  Block block;
  OpBuilder b(element.getContext());
  b.setInsertionPointToEnd(&block);
  Location loc = b.getUnknownLoc();
  SmallVector<AffineMap> maps;
  SmallVector<Value> tensors;
  for (Labels dims : step.operands) {
    SmallVector<AffineExpr> exprs;
    SmallVector<int64_t> shape;
    SmallVector<Value> dynamicSizes;
    for (unsigned dim : dims) {
      exprs.push_back(b.getAffineDimExpr(dim));
      shape.push_back(step.isDynamic[dim] ? ShapedType::kDynamic
                                          : step.extents[dim]);
      if (step.isDynamic[dim])
        dynamicSizes.push_back(
            arith::ConstantIndexOp::create(b, loc, step.extents[dim]));
    }
    maps.push_back(
        AffineMap::get(step.extents.size(), 0, exprs, b.getContext()));
    tensors.push_back(
        tensor::EmptyOp::create(b, loc, shape, element, dynamicSizes));
  }
  linalg::LinalgOp op =
      createContraction(b, loc, ContractionKind(), tensors.back().getType(),
                        ArrayRef(tensors).drop_back(), tensors.back(), maps);
  GivenChoices given;
  given.assumed = {step.extents};
  given.isQuick = true;
  std::optional<NestCost> cost =
      OpPricer(op, target, Surroundings(), given.assumed, given.isQuick)
          .price(selectSchedule(op, target, given));
  return cost ? cost->cycles : 0;
}

FailureOr<OpenStepPricer>
createStepPricer(Operation *op, const MachineChoice &choice, Type element) {
  FailureOr<TargetInfo> target = findTarget(op, choice);
  if (failed(target))
    return failure();
  auto pricer = std::make_shared<Pricer>(std::move(*target), element);
  return OpenStepPricer([pricer](ArrayRef<double> sizes,
                                 const llvm::SmallBitVector &dynamic,
                                 Labels lhs, Labels rhs, Labels result) {
    return pricer->price(Step(sizes, dynamic, {lhs, rhs, result}));
  });
}

} // namespace ein
