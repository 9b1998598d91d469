//===- InOrder.cpp - A statement whose points have an order ---------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One point after the other. Where the right side reads what the statement has
// written, a chunk is a single point.
//
//===----------------------------------------------------------------------===//

#include "reference/Chunk.h"
#include "reference/Complex.h"

using namespace llvm;

namespace ein::reference {

namespace {

class InOrderEvaluator {
public:
  InOrderEvaluator(const StatementView &view, Value &result)
      : view(view), result(result), type(view.def[view.statement.target].type),
        fn(getFunction(view.statement.update)) {}

  void write(const ChunkEvaluator &chunk, int64_t i, int64_t position,
             bool isKnown);

private:
  Pair multiply(Pair a, Pair b, Pair c, Pair d, Part part) const;
  void writeInteger(const Scalar &x, int64_t position, bool isKnown);
  void writeNumbers(Pair real, Pair imaginary, int64_t position, bool isKnown);

  const StatementView &view;
  Value &result;
  /// What is assigned is stored, and what is taken in is accumulated.
  ElementType type;
  std::optional<BinaryFn> fn;
};

} // namespace

/// A part of (a + bi)(c + di): its error is below sqrt(2) gamma_2 |x| |y|.
Pair InOrderEvaluator::multiply(Pair a, Pair b, Pair c, Pair d,
                                Part part) const {
  std::complex<double> product = std::complex<double>(a.value, b.value) *
                                 std::complex<double>(c.value, d.value);
  double value = take(product, part);
  double x = getModulus(a.value, b.value), y = getModulus(c.value, d.value);
  double most =
      (x + getModulus(a.bound, b.bound)) * (y + getModulus(c.bound, d.bound));
  if (!std::isfinite(most))
    return {value, infinity};
  double bound = (most - x * y) + 4 * view.rounding.unitRoundoff * most +
                 4 * view.rounding.smallest;
  return view.rounding.settle({value, Rounding::inflate(bound)});
}

void InOrderEvaluator::writeInteger(const Scalar &x, int64_t position,
                                    bool isKnown) {
  Scalar next = x;
  if (fn) {
    Scalar soFar = {{0, result.bounds[position]}, result.integers[position]};
    next = apply(*fn, soFar, x, view.statement.computeType);
  }
  result.integers[position] = next.integer;
  result.bounds[position] = isKnown ? next.number.bound : infinity;
}

void InOrderEvaluator::writeNumbers(Pair real, Pair imaginary, int64_t position,
                                    bool isKnown) {
  bool isPair = isComplex(view.statement.computeType);
  Pair next[] = {real, imaginary};
  if (fn) {
    Pair re = view.rounding.read(result.get(position, Part::Real));
    Pair im = isPair ? view.rounding.read(result.get(position, Part::Imaginary))
                     : Pair{0, 0};
    for (Part part : getParts(view.statement.computeType)) {
      Pair &x = next[part == Part::Real ? 0 : 1];
      if (isPair && *fn == BinaryFn::Mul)
        x = multiply(re, im, real, imaginary, part);
      else
        x = view.rounding.apply(*fn, part == Part::Real ? re : im, x);
    }
  }
  for (Part part : getParts(view.statement.computeType)) {
    Pair x = next[part == Part::Real ? 0 : 1];
    if (!isKnown)
      x.bound = infinity;
    result.set(position, part, x);
  }
}

void InOrderEvaluator::write(const ChunkEvaluator &chunk, int64_t i,
                             int64_t position, bool isKnown) {
  ElementType compute = view.statement.computeType;
  const Node &real = chunk.getRoot();
  const Node &imaginary = chunk.getRoot(Part::Imaginary);
  bool isNumber = isFloat(getPartType(compute));
  if (fn || type == compute)
    return isNumber ? writeNumbers(view.rounding.read(real.pairs[i]),
                                   view.rounding.read(imaginary.pairs[i]),
                                   position, isKnown)
                    : writeInteger(real.integers[i], position, isKnown);
  // An assignment is stored at once, as the next points read it.
  Value element;
  element.allocate(1, compute);
  if (isNumber) {
    element.set(0, Part::Real, view.rounding.read(real.pairs[i]));
    if (isComplex(compute))
      element.set(0, Part::Imaginary, view.rounding.read(imaginary.pairs[i]));
  } else {
    element.integers[0] = real.integers[i].integer;
    element.bounds[0] = real.integers[i].number.bound;
  }
  element = convert(std::move(element), compute, type);
  if (element.isInteger()) {
    result.integers[position] = element.integers[0];
    result.bounds[position] = isKnown ? element.bounds[0] : infinity;
    return;
  }
  for (Part part : getParts(type)) {
    Pair x = element.get(0, part);
    if (!isKnown)
      x.bound = infinity;
    result.set(position, part, x);
  }
}

DataTrouble evaluateInOrder(const StatementView &view, bool readsOwn,
                            Value &result) {
  Odometer odometer(view.extents);
  ChunkEvaluator chunk(view, odometer);
  InOrderEvaluator evaluator(view, result);
  int64_t step = readsOwn ? 1 : chunkSize;
  for (int64_t point = 0; point < view.numPoints; point += step) {
    int64_t size = std::min(step, view.numPoints - point);
    odometer.advance(size);
    chunk.evaluate(size);
    for (int64_t i = 0; i < size; ++i) {
      ChunkEvaluator::Written written = chunk.findWritten(i);
      if (written.position)
        evaluator.write(chunk, i, *written.position, written.isKnown);
    }
  }
  return chunk.getTrouble();
}

} // namespace ein::reference
