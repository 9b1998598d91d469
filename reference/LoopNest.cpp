//===- LoopNest.cpp - A statement, point by point -------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The definition taken at its word: for every point of the iteration space
// evaluate the right side (Chunk.h) and update the target.
//
//===----------------------------------------------------------------------===//

#include "reference/Chunk.h"
#include "reference/Complex.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein::reference {

namespace {

/// A product over a reduction, of which any part may be multiplied first. Of
/// complex numbers it has the magnitudes, and `parts` is the product itself.
struct Product {
  std::complex<double> parts = 1;
  double value = 1;
  double most = 1;   // product of |factor| + bound
  double least = 1;  // product of |factor|
  double peak = 1;   // the largest product of any part
  double trough = 1; // the smallest
  bool known = true; // no factor has an infinite bound

  void multiply(Pair x) {
    value *= x.value;
    known &= x.bound < infinity;
    if (!std::isfinite(x.value))
      return;
    double magnitude = std::abs(x.value);
    most *= magnitude + x.bound;
    least *= magnitude;
    peak *= std::max(1.0, magnitude + x.bound);
    trough *= std::min(1.0, std::max(0.0, magnitude - x.bound));
  }

  Pair finish(const Rounding &rounding, double roundings) const {
    if (!known)
      return {value, infinity};
    bool mayVanish = trough < rounding.smallest;
    if (std::isnan(value))
      return {value, 0};
    if (std::isinf(value))
      return {value, mayVanish ? infinity : 0};
    double relative = gamma(roundings, rounding.unitRoundoff) +
                      4 * gamma(roundings, ownRoundoff);
    double bound = (most - least) + relative * most;
    if (most > 0)
      bound += roundings * rounding.smallest * peak;
    Pair result = {value, Rounding::inflate(bound)};
    bool mayOverflow = peak * (1 + relative) > rounding.largest;
    bool overflows = std::abs(value) - result.bound > rounding.largest;
    if (mayOverflow && (mayVanish || !overflows))
      result.bound = infinity;
    return rounding.settle(result);
  }
};

} // namespace

/// Whether the sum is of products of which parts may be multiplied or summed
/// before the rest, and a factor is infinite. (inf * b) * c + (inf * d) * c is
/// a NaN or an infinity by the signs of b and d, inf * (b * c + d * c) by that
/// of the sum.
static bool hasRegroupedInfinity(const StatementView &view) {
  std::optional<ein::Product> product =
      view.def.getProduct(view.statement, /*keepsOrder=*/false);
  if (!product || product->factors.size() < 2)
    return false;
  std::vector<llvm::SmallBitVector> indices;
  for (const ProductFactor &factor : product->factors)
    indices.push_back(view.def.getIndices(view.statement, factor.access));
  bool regroups = indices.size() > 2;
  for (size_t i = 0; i < view.extents.size(); ++i)
    regroups |= view.isReduction(i) && view.extents[i] != 1 &&
                llvm::count_if(indices, [&](const llvm::SmallBitVector &own) {
                  return own.test(i);
                }) == 1;
  return regroups && llvm::any_of(product->factors, [&](ProductFactor factor) {
           // What is computed may be infinite for all that is known.
           if (view.def[factor.access].kind != ExprKind::Access)
             return true;
           const Value &tensor = *view.reads[factor.access.value].tensor;
           return tensor.values.isInf().any() ||
                  tensor.imaginary.values.isInf().any();
         });
}

/// Every update, exactly, in an integer type or bool.
static void reduceIntegers(const StatementView &view, Odometer &odometer,
                           ChunkEvaluator &chunk, size_t targetTrack,
                           Value &result) {
  ElementType type = view.statement.computeType;
  UpdateKind update = view.statement.update;
  int64_t count = result.size();
  std::vector<Scalar> totals(count, getIdentity(update, type));
  if (view.previous)
    for (int64_t i = 0; i < count; ++i)
      totals[i] = {{0, view.previous->tensor->bounds[i]},
                   view.previous->tensor->integers[i]};
  // An index on the right of an assignment only is summed.
  BinaryFn fn = getFunction(update).value_or(BinaryFn::Add);
  for (int64_t point = 0; point < view.numPoints; point += chunkSize) {
    int64_t size = std::min(chunkSize, view.numPoints - point);
    odometer.advance(size);
    chunk.evaluate(size);
    ArrayRef<int64_t> positions = odometer.getPositions(targetTrack);
    for (int64_t i = 0; i < size; ++i)
      totals[positions[i]] =
          apply(fn, totals[positions[i]], chunk.getRoot().integers[i], type);
  }
  for (int64_t i = 0; i < count; ++i) {
    result.integers[i] = totals[i].integer;
    result.bounds[i] = totals[i].number.bound;
  }
}

static void reduceSum(const StatementView &view, Odometer &odometer,
                      ChunkEvaluator &chunk, size_t targetTrack,
                      Value &result) {
  int64_t count = result.size();
  ArrayRef<Part> parts = getParts(view.statement.computeType);
  std::vector<Sum> sums(parts.size() * count);
  auto at = [&](Part part, int64_t i) -> Sum & {
    return sums[part == Part::Real ? i : count + i];
  };
  for (Part part : parts)
    for (int64_t i = 0; view.previous && i < count; ++i)
      at(part, i).add(view.previous->read(i, part));
  for (int64_t point = 0; point < view.numPoints; point += chunkSize) {
    int64_t size = std::min(chunkSize, view.numPoints - point);
    odometer.advance(size);
    chunk.evaluate(size);
    ArrayRef<int64_t> positions = odometer.getPositions(targetTrack);
    for (Part part : parts) {
      const Node &root = chunk.getRoot(part);
      for (int64_t i = 0; i < size; ++i) {
        if (root.isSum)
          at(part, positions[i]).add(root.sums[i]);
        else
          at(part, positions[i]).add(view.rounding.read(root.pairs[i]));
      }
    }
  }
  for (Part part : parts) {
    double roundings = view.numReduced * chunk.getRoot(part).numTerms + 1 +
                       view.getExtraRoundings();
    // Integers are no sums of two that are exact.
    for (int64_t i = 0; view.getSplitRoundings() > 0 && i < count; ++i)
      at(part, i).isIntegral = false;
    for (int64_t i = 0; i < count; ++i)
      result.set(i, part,
                 at(part, i).finish(view.rounding, roundings,
                                    roundings * view.rounding.smallest));
  }
  if (!hasRegroupedInfinity(view))
    return;
  result.bounds = result.values.isFinite().select(result.bounds, infinity);
  result.imaginary.bounds = result.imaginary.values.isFinite().select(
      result.imaginary.bounds, infinity);
}

/// Takes in a complex number by its magnitude.
static void multiplyComplex(Product &product, Pair real, Pair imaginary) {
  product.parts *= std::complex<double>(real.value, imaginary.value);
  product.multiply({getModulus(real.value, imaginary.value),
                    getModulus(real.bound, imaginary.bound)});
}

static void reduceProduct(const StatementView &view, Odometer &odometer,
                          ChunkEvaluator &chunk, size_t targetTrack,
                          Value &result) {
  int64_t count = result.size();
  bool isPair = isComplex(view.statement.computeType);
  std::vector<Product> products(count);
  auto multiply = [&](int64_t i, Pair real, Pair imaginary) {
    if (isPair)
      multiplyComplex(products[i], real, imaginary);
    else
      products[i].multiply(real);
  };
  for (int64_t i = 0; view.previous && i < count; ++i)
    multiply(i, view.previous->read(i),
             isPair ? view.previous->read(i, Part::Imaginary) : Pair{0, 0});
  for (int64_t point = 0; point < view.numPoints; point += chunkSize) {
    int64_t size = std::min(chunkSize, view.numPoints - point);
    odometer.advance(size);
    chunk.evaluate(size);
    ArrayRef<int64_t> positions = odometer.getPositions(targetTrack);
    const Node &real = chunk.getRoot();
    const Node &imaginary = chunk.getRoot(Part::Imaginary);
    for (int64_t i = 0; i < size; ++i)
      multiply(positions[i], view.rounding.read(real.pairs[i]),
               view.rounding.read(imaginary.pairs[i]));
  }
  double roundings = view.numReduced + (view.previous ? 1 : 0);
  if (!isPair) {
    for (int64_t i = 0; i < count; ++i)
      result.set(i, Part::Real, products[i].finish(view.rounding, roundings));
    return;
  }
  for (int64_t i = 0; i < count; ++i) {
    // sqrt(2) gamma_2 per product is less than three roundings.
    Pair magnitude = products[i].finish(view.rounding, 3 * roundings);
    if (!std::isfinite(magnitude.value))
      magnitude.bound = infinity;
    result.set(i, Part::Real, {products[i].parts.real(), magnitude.bound});
    result.set(i, Part::Imaginary, {products[i].parts.imag(), magnitude.bound});
  }
}

/// Assignment, which has a single point per element.
static void assign(const StatementView &view, Odometer &odometer,
                   ChunkEvaluator &chunk, size_t targetTrack, Value &result) {
  for (int64_t point = 0; point < view.numPoints; point += chunkSize) {
    int64_t size = std::min(chunkSize, view.numPoints - point);
    odometer.advance(size);
    chunk.evaluate(size);
    ArrayRef<int64_t> positions = odometer.getPositions(targetTrack);
    for (Part part : getParts(view.statement.computeType))
      for (int64_t i = 0; i < size; ++i)
        result.set(positions[i], part, chunk.getRoot(part).pairs[i]);
  }
}

/// Max and min, of real numbers.
static void combine(const StatementView &view, Odometer &odometer,
                    ChunkEvaluator &chunk, size_t targetTrack, Value &result) {
  BinaryFn fn = *getFunction(view.statement.update);
  for (int64_t i = 0; i < result.size(); ++i)
    result.set(i, Part::Real,
               view.previous
                   ? view.previous->read(i)
                   : Pair{fn == BinaryFn::Max ? -infinity : infinity, 0});
  for (int64_t point = 0; point < view.numPoints; point += chunkSize) {
    int64_t size = std::min(chunkSize, view.numPoints - point);
    odometer.advance(size);
    chunk.evaluate(size);
    ArrayRef<int64_t> positions = odometer.getPositions(targetTrack);
    for (int64_t i = 0; i < size; ++i) {
      int64_t to = positions[i];
      result.set(to, Part::Real,
                 view.rounding.apply(fn, result.get(to, Part::Real),
                                     chunk.getRoot().pairs[i]));
    }
  }
}

static void reduce(const StatementView &view, Odometer &odometer,
                   ChunkEvaluator &chunk, size_t targetTrack, Value &result) {
  if (!isFloat(getPartType(view.statement.computeType)))
    return reduceIntegers(view, odometer, chunk, targetTrack, result);
  bool reduces = false;
  for (const Index &index : view.statement.indices)
    reduces |= index.isReduction;
  switch (view.statement.update) {
  case UpdateKind::Add:
    return reduceSum(view, odometer, chunk, targetTrack, result);
  case UpdateKind::Mul:
    return reduceProduct(view, odometer, chunk, targetTrack, result);
  case UpdateKind::Assign:
    // An index on the right only is summed (SPEC, section 1).
    if (reduces)
      return reduceSum(view, odometer, chunk, targetTrack, result);
    return assign(view, odometer, chunk, targetTrack, result);
  case UpdateKind::Max:
  case UpdateKind::Min:
    return combine(view, odometer, chunk, targetTrack, result);
  case UpdateKind::And:
  case UpdateKind::Or:
  case UpdateKind::Xor:
    break;
  }
  llvm_unreachable("bits of floating-point numbers");
}

DataTrouble evaluateLoopNest(const StatementView &view, Value &result) {
  Odometer odometer(view.extents);
  size_t targetTrack = odometer.track(0, view.targetStrides);
  ChunkEvaluator chunk(view, odometer);
  reduce(view, odometer, chunk, targetTrack, result);
  return chunk.getTrouble();
}

} // namespace ein::reference
