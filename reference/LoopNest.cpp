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

#include "reference/Convert.h"
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
  /// Null for a conversion that nobody wrote.
  const Expr *expr;
  ElementType type;
  const AccessView *access = nullptr;
  size_t track = 0;
  size_t lhs = 0, rhs = 0; // positions in ChunkEvaluator::nodes
  /// What a cast, or a conversion that nobody wrote, converts between.
  std::optional<Conversion> conversion = {};
  /// An addition: `sums` are its terms so far, `numTerms` how many they are.
  bool isSum = false;
  double numTerms = 1;
  std::vector<Sum> sums = {};
  std::vector<Pair> pairs = {};      // of a floating-point type
  std::vector<Scalar> integers = {}; // of another

  bool isInteger() const { return !isFloat(type); }
  Scalar get(int64_t i) const {
    return isInteger() ? integers[i] : Scalar{pairs[i], 0};
  }
};

/// The right side of a statement.
class ChunkEvaluator {
public:
  ChunkEvaluator(const StatementView &view, Odometer &odometer)
      : view(view), odometer(odometer) {
    buildAs(view.statement.value, view.statement.computeType);
  }

  const Node &getRoot() const { return nodes.back(); }
  /// Whether an integer was divided by zero, or by what rounding may have made
  /// zero.
  bool hasDividedByZero() const { return dividedByZero; }
  bool mayDivideByZero() const { return dividedByUnknown; }

  void evaluate(int64_t count) {
    for (Node &node : nodes) {
      if (node.conversion)
        convertNode(node, count);
      else if (node.isInteger())
        evaluateIntegers(node, count);
      else
        evaluate(node, count);
    }
  }

private:
  const StatementView &view;
  Odometer &odometer;
  std::vector<Node> nodes; // operands before users
  bool dividedByZero = false, dividedByUnknown = false;

  size_t add(Node node) {
    if (node.isInteger())
      node.integers.resize(chunkSize);
    else
      node.pairs.resize(chunkSize);
    if (node.isSum)
      node.sums.resize(chunkSize);
    nodes.push_back(std::move(node));
    return nodes.size() - 1;
  }

  /// The node for `id`, and one that converts it if its type is another.
  size_t buildAs(ExprId id, ElementType type) {
    size_t operand = build(id);
    const Expr &expr = view.def[id];
    // A number that is read is in the wider type what it is.
    bool isRead =
        expr.kind == ExprKind::Access || expr.kind == ExprKind::Literal;
    if (expr.type == type || (isRead && isFloat(expr.type) && isFloat(type)))
      return operand;
    Node node = {nullptr, type};
    node.lhs = operand;
    node.conversion = {expr.type, type};
    return add(std::move(node));
  }

  size_t build(ExprId id) {
    const Expr &expr = view.def[id];
    Node node = {&expr, expr.type};
    switch (expr.kind) {
    case ExprKind::Access:
      node.access = &view.reads[id.value];
      node.track = odometer.track(node.access->offset, node.access->strides);
      break;
    case ExprKind::Literal:
      break;
    case ExprKind::Cast:
      node.lhs = build(expr.lhs);
      node.conversion = getConversion(expr, view.def[expr.lhs].type);
      break;
    case ExprKind::Unary:
      node.lhs = buildAs(expr.lhs, expr.type);
      if (expr.unary == UnaryFn::Neg && nodes[node.lhs].isSum) {
        node.isSum = true;
        node.numTerms = nodes[node.lhs].numTerms;
      }
      break;
    case ExprKind::Binary:
      node.lhs = buildAs(expr.lhs, expr.type);
      node.rhs = buildAs(expr.rhs, expr.type);
      if (isFloat(expr.type) &&
          (expr.binary == BinaryFn::Add || expr.binary == BinaryFn::Sub)) {
        node.isSum = true;
        node.numTerms = nodes[node.lhs].numTerms + nodes[node.rhs].numTerms;
      }
      break;
    }
    return add(std::move(node));
  }

  /// Nothing has computed it: a literal or an element of an input.
  bool isGiven(const Node &node) const {
    return node.expr &&
           (node.expr->kind == ExprKind::Literal ||
            (node.expr->kind == ExprKind::Access &&
             view.def[node.expr->tensor].role == TensorRole::Input));
  }

  /// Adds operand `operand`'s i-th result, or its negative, to `sum`.
  static void addTerms(Sum &sum, const Node &operand, int64_t i, bool negate) {
    if (operand.isSum) {
      Sum terms = operand.sums[i];
      terms.value = negate ? -terms.value : terms.value;
      sum.add(terms);
      return;
    }
    Pair term = Rounding::get(operand.type).read(operand.pairs[i]);
    sum.add(Pair{negate ? -term.value : term.value, term.bound});
  }

  void convertNode(Node &node, int64_t count) {
    const Node &operand = nodes[node.lhs];
    for (int64_t i = 0; i < count; ++i) {
      Scalar x =
          convert(operand.get(i), node.conversion->from, node.conversion->to);
      if (node.isInteger()) {
        // Of `cast_unsigned`, the bits are the other type's.
        x.integer = wrap(x.integer, node.type);
        node.integers[i] = x;
      } else {
        node.pairs[i] = x.number;
      }
    }
  }

  void evaluateIntegers(Node &node, int64_t count) {
    const Expr &expr = *node.expr;
    switch (expr.kind) {
    case ExprKind::Literal:
      for (int64_t i = 0; i < count; ++i)
        node.integers[i].integer = expr.integer;
      return;
    case ExprKind::Access: {
      ArrayRef<int64_t> positions = odometer.getPositions(node.track);
      const Value &tensor = *node.access->tensor;
      for (int64_t i = 0; i < count; ++i)
        node.integers[i] = {{0, tensor.bounds[positions[i]]},
                            tensor.integers[positions[i]]};
      return;
    }
    case ExprKind::Unary:
      for (int64_t i = 0; i < count; ++i)
        node.integers[i] =
            apply(expr.unary, nodes[node.lhs].integers[i], node.type);
      return;
    case ExprKind::Binary: {
      bool divides =
          expr.binary == BinaryFn::Div || expr.binary == BinaryFn::Rem;
      for (int64_t i = 0; i < count; ++i) {
        const Scalar &y = nodes[node.rhs].integers[i];
        dividedByZero |= divides && y.isKnown() && y.integer == 0;
        dividedByUnknown |= divides && !y.isKnown();
        node.integers[i] =
            apply(expr.binary, nodes[node.lhs].integers[i], y, node.type);
      }
      return;
    }
    case ExprKind::Cast:
      break;
    }
    llvm_unreachable("a cast is a conversion");
  }

  void evaluate(Node &node, int64_t count) {
    const Rounding &rounding = Rounding::get(node.type);
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
      for (int64_t i = 0; i < count; ++i)
        node.pairs[i] = rounding.literal(expr.literal, expr.type);
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
    case ExprKind::Cast:
      break;
    }
    llvm_unreachable("a cast is a conversion");
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

static void reduce(const StatementView &view, Odometer &odometer,
                   ChunkEvaluator &chunk, size_t targetTrack, Value &result) {
  if (!isFloat(view.statement.computeType))
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
    [[fallthrough]];
  case UpdateKind::Max:
  case UpdateKind::Min:
    return combine(view, odometer, chunk, targetTrack, result);
  }
}

LogicalResult evaluateLoopNest(const StatementView &view, Value &result,
                               bool &mayDivideByZero) {
  Odometer odometer(view.extents);
  size_t targetTrack = odometer.track(0, view.targetStrides);
  ChunkEvaluator chunk(view, odometer);
  reduce(view, odometer, chunk, targetTrack, result);
  mayDivideByZero |= chunk.mayDivideByZero();
  return success(!chunk.hasDividedByZero());
}

} // namespace ein::reference
