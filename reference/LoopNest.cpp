//===- LoopNest.cpp - A statement, point by point -------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The definition taken at its word: for every point of the iteration space
// evaluate the right side and update the target. Interpreting the expression
// once per point would spend all time in dispatch, so points are taken by the
// chunk: an odometer fills in, for every access and for the target, where each
// point of the chunk finds its element, and then every node of the expression
// works on the whole chunk.
//
// Nested additions are kept as sums up to where something else uses them,
// because compiled code may reassociate them: (a + b) + c with a = -b is exact
// in one order and not in another.
//
//===----------------------------------------------------------------------===//

#include "reference/Statement.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein::reference {

static constexpr int64_t chunkSize = 256;

namespace {

/// The points of an iteration space in row-major order; for each, positions
/// that are linear in the indices.
class Odometer {
public:
  explicit Odometer(ArrayRef<int64_t> extents)
      : extents(extents), indices(extents.size(), 0) {}

  /// Adds a position; returns its number.
  size_t track(int64_t offset, ArrayRef<int64_t> strides) {
    tracks.push_back({strides, offset, {}});
    tracks.back().positions.resize(chunkSize);
    return tracks.size() - 1;
  }

  ArrayRef<int64_t> getPositions(size_t track) const {
    return tracks[track].positions;
  }

  /// Fills in `count` positions from the current point on, and moves past
  /// them.
  void advance(int64_t count) {
    if (extents.empty()) {
      for (Track &track : tracks)
        track.positions[0] = track.current;
      return;
    }
    size_t last = extents.size() - 1;
    for (int64_t done = 0; done < count;) {
      int64_t run = std::min(count - done, extents[last] - indices[last]);
      for (Track &track : tracks) {
        int64_t stride = track.strides[last];
        for (int64_t i = 0; i < run; ++i)
          track.positions[done + i] = track.current + i * stride;
      }
      done += run;
      move(last, run);
      for (size_t d = last; indices[d] == extents[d] && d > 0; --d) {
        move(d, -extents[d]);
        move(d - 1, 1);
      }
    }
  }

private:
  struct Track {
    ArrayRef<int64_t> strides;
    int64_t current;
    std::vector<int64_t> positions;
  };
  ArrayRef<int64_t> extents;
  std::vector<int64_t> indices;
  std::vector<Track> tracks;

  void move(size_t d, int64_t steps) {
    indices[d] += steps;
    for (Track &track : tracks)
      track.current += track.strides[d] * steps;
  }
};

/// A node of the right side with its results for one chunk.
struct Node {
  const Expr *expr;
  const AccessView *access = nullptr;
  size_t track = 0;
  size_t lhs = 0, rhs = 0; // positions in ChunkEvaluator::nodes
  /// An addition: `sums` are its terms so far, `numTerms` how many they are.
  bool isSum = false;
  double numTerms = 1;
  std::vector<Sum> sums;
  std::vector<Pair> pairs;
};

/// The right side of a statement.
class ChunkEvaluator {
public:
  ChunkEvaluator(const StatementView &view, Odometer &odometer)
      : view(view), odometer(odometer) {
    build(view.statement.value);
  }

  const Node &getRoot() const { return nodes.back(); }

  void evaluate(int64_t count) {
    for (Node &node : nodes)
      evaluate(node, count);
  }

private:
  const StatementView &view;
  Odometer &odometer;
  std::vector<Node> nodes; // operands before users

  size_t build(ExprId id) {
    const Expr &expr = view.def[id];
    Node node;
    node.expr = &expr;
    node.pairs.resize(chunkSize);
    switch (expr.kind) {
    case ExprKind::Access:
      node.access = &view.reads[id.value];
      node.track = odometer.track(node.access->offset, node.access->strides);
      break;
    case ExprKind::Literal:
      node.pairs.assign(
          chunkSize,
          view.rounding.literal(expr.literal, view.statement.computeType));
      break;
    case ExprKind::Unary:
      node.lhs = build(expr.lhs);
      if (expr.unary == UnaryFn::Neg && nodes[node.lhs].isSum) {
        node.isSum = true;
        node.numTerms = nodes[node.lhs].numTerms;
      }
      break;
    case ExprKind::Binary:
      node.lhs = build(expr.lhs);
      node.rhs = build(expr.rhs);
      if (expr.binary == BinaryFn::Add || expr.binary == BinaryFn::Sub) {
        node.isSum = true;
        node.numTerms = nodes[node.lhs].numTerms + nodes[node.rhs].numTerms;
      }
      break;
    }
    if (node.isSum)
      node.sums.resize(chunkSize);
    nodes.push_back(std::move(node));
    return nodes.size() - 1;
  }

  /// Nothing has computed it: a literal or an element of an input.
  bool isGiven(const Node &node) const {
    return node.expr->kind == ExprKind::Literal ||
           (node.expr->kind == ExprKind::Access &&
            view.def[node.expr->tensor].role == TensorRole::Input);
  }

  /// Adds operand `operand`'s i-th result, or its negative, to `sum`.
  void addTerms(Sum &sum, const Node &operand, int64_t i, bool negate) const {
    if (operand.isSum) {
      Sum terms = operand.sums[i];
      terms.value = negate ? -terms.value : terms.value;
      sum.add(terms);
      return;
    }
    Pair term = view.rounding.read(operand.pairs[i]);
    sum.add(Pair{negate ? -term.value : term.value, term.bound});
  }

  void evaluate(Node &node, int64_t count) {
    const Rounding &rounding = view.rounding;
    const Expr &expr = *node.expr;
    if (node.isSum) {
      bool negateLhs = expr.kind == ExprKind::Unary;
      bool negateRhs =
          expr.kind == ExprKind::Binary && expr.binary == BinaryFn::Sub;
      for (int64_t i = 0; i < count; ++i) {
        Sum sum;
        addTerms(sum, nodes[node.lhs], i, negateLhs);
        if (expr.kind == ExprKind::Binary)
          addTerms(sum, nodes[node.rhs], i, negateRhs);
        node.sums[i] = sum;
        node.pairs[i] = sum.finish(rounding, node.numTerms,
                                   node.numTerms * rounding.smallest);
      }
      return;
    }
    switch (expr.kind) {
    case ExprKind::Literal:
      return;
    case ExprKind::Access: {
      ArrayRef<int64_t> positions = odometer.getPositions(node.track);
      for (int64_t i = 0; i < count; ++i)
        node.pairs[i] = node.access->read(positions[i]);
      return;
    }
    case ExprKind::Unary: {
      const Pair *x = nodes[node.lhs].pairs.data();
      for (int64_t i = 0; i < count; ++i)
        node.pairs[i] = rounding.apply(expr.unary, x[i]);
      return;
    }
    case ExprKind::Binary: {
      const Pair *x = nodes[node.lhs].pairs.data();
      const Pair *y = nodes[node.rhs].pairs.data();
      bool signedZero = isGiven(nodes[node.rhs]);
      for (int64_t i = 0; i < count; ++i)
        node.pairs[i] = rounding.apply(expr.binary, x[i], y[i], signedZero);
      return;
    }
    }
  }
};

/// A product over a reduction, of which any part may be multiplied first.
struct Product {
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
  std::optional<std::vector<ExprId>> factors =
      view.def.getProductFactors(view.statement);
  if (!factors || factors->size() < 2)
    return false;
  bool regroups = factors->size() > 2;
  for (size_t i = 0; i < view.extents.size(); ++i)
    regroups |=
        view.isReduction(i) && llvm::count_if(*factors, [&](ExprId id) {
                                 return view.reads[id.value].strides[i] != 0;
                               }) == 1;
  return regroups && llvm::any_of(*factors, [&](ExprId id) {
           return view.reads[id.value].tensor->values.isInf().any();
         });
}

static void reduceSum(const StatementView &view, Odometer &odometer,
                      ChunkEvaluator &chunk, size_t targetTrack,
                      Value &result) {
  int64_t count = result.values.size();
  std::vector<Sum> sums(count);
  if (view.previous)
    for (int64_t i = 0; i < count; ++i)
      sums[i].add(view.previous->read(i));
  const Node &root = chunk.getRoot();
  for (int64_t point = 0; point < view.numPoints; point += chunkSize) {
    int64_t size = std::min(chunkSize, view.numPoints - point);
    odometer.advance(size);
    chunk.evaluate(size);
    ArrayRef<int64_t> positions = odometer.getPositions(targetTrack);
    for (int64_t i = 0; i < size; ++i) {
      if (root.isSum)
        sums[positions[i]].add(root.sums[i]);
      else
        sums[positions[i]].add(view.rounding.read(root.pairs[i]));
    }
  }
  double roundings = view.numReduced * root.numTerms + 1;
  for (int64_t i = 0; i < count; ++i) {
    Pair sum = sums[i].finish(view.rounding, roundings,
                              roundings * view.rounding.smallest);
    result.values[i] = sum.value;
    result.bounds[i] = sum.bound;
  }
  if (hasRegroupedInfinity(view))
    result.bounds = result.values.isFinite().select(result.bounds, infinity);
}

static void reduceProduct(const StatementView &view, Odometer &odometer,
                          ChunkEvaluator &chunk, size_t targetTrack,
                          Value &result) {
  int64_t count = result.values.size();
  std::vector<Product> products(count);
  if (view.previous)
    for (int64_t i = 0; i < count; ++i)
      products[i].multiply(view.previous->read(i));
  for (int64_t point = 0; point < view.numPoints; point += chunkSize) {
    int64_t size = std::min(chunkSize, view.numPoints - point);
    odometer.advance(size);
    chunk.evaluate(size);
    ArrayRef<int64_t> positions = odometer.getPositions(targetTrack);
    for (int64_t i = 0; i < size; ++i)
      products[positions[i]].multiply(
          view.rounding.read(chunk.getRoot().pairs[i]));
  }
  double roundings = view.numReduced + (view.previous ? 1 : 0);
  for (int64_t i = 0; i < count; ++i) {
    Pair product = products[i].finish(view.rounding, roundings);
    result.values[i] = product.value;
    result.bounds[i] = product.bound;
  }
}

/// Max, min, and assignment, which has a single point per element.
static void combine(const StatementView &view, Odometer &odometer,
                    ChunkEvaluator &chunk, size_t targetTrack, Value &result) {
  UpdateKind update = view.statement.update;
  bool assign = update == UpdateKind::Assign;
  BinaryFn fn = update == UpdateKind::Max ? BinaryFn::Max : BinaryFn::Min;
  if (!assign)
    result.values.setConstant(fn == BinaryFn::Max ? -infinity : infinity);
  if (view.previous)
    for (int64_t i = 0; i < result.values.size(); ++i) {
      Pair previous = view.previous->read(i);
      result.values[i] = previous.value;
      result.bounds[i] = previous.bound;
    }
  for (int64_t point = 0; point < view.numPoints; point += chunkSize) {
    int64_t size = std::min(chunkSize, view.numPoints - point);
    odometer.advance(size);
    chunk.evaluate(size);
    ArrayRef<int64_t> positions = odometer.getPositions(targetTrack);
    for (int64_t i = 0; i < size; ++i) {
      Pair x = chunk.getRoot().pairs[i];
      int64_t to = positions[i];
      if (!assign)
        x = view.rounding.apply(fn, {result.values[to], result.bounds[to]}, x);
      result.values[to] = x.value;
      result.bounds[to] = x.bound;
    }
  }
}

void evaluateLoopNest(const StatementView &view, Value &result) {
  Odometer odometer(view.extents);
  size_t targetTrack = odometer.track(0, view.targetStrides);
  ChunkEvaluator chunk(view, odometer);
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
    [[fallthrough]];
  case UpdateKind::Max:
  case UpdateKind::Min:
    return combine(view, odometer, chunk, targetTrack, result);
  }
}

} // namespace ein::reference
