//===- Chunk.cpp - The right side of a statement, many points at once -----===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "reference/Chunk.h"
#include "reference/Complex.h"

using namespace llvm;

namespace ein::reference {

ChunkEvaluator::ChunkEvaluator(const StatementView &view, Odometer &odometer)
    : view(view), odometer(odometer), root(buildRoot()) {}

void ChunkEvaluator::evaluate(int64_t count) {
  for (Node &node : nodes) {
    if (node.conversion)
      convertNode(node, count);
    else if (node.special != Node::None)
      evaluateSpecial(node, count);
    else if (node.expr->kind == ExprKind::Select)
      select(node, count);
    else if (node.expr->kind == ExprKind::Gather)
      gather(node, count);
    else if (node.expr->kind == ExprKind::Binary &&
             isComparison(node.expr->binary))
      compare(node, count);
    else if (node.isInteger())
      evaluateIntegers(node, count);
    else if (node.isSum)
      evaluateSum(node, count);
    else
      evaluate(node, count);
  }
  numDone += count;
}

//===----------------------------------------------------------------------===//
// Making nodes
//===----------------------------------------------------------------------===//

/// The right side, or what stands for it where the condition does not hold.
ChunkEvaluator::Parts ChunkEvaluator::buildRoot() {
  const Statement &statement = view.statement;
  ElementType type = statement.computeType;
  if (statement.isInOrder())
    return buildInOrder();
  if (!statement.condition.isValid())
    return buildAs(statement.value, type);
  size_t condition = buildAs(statement.condition, ElementType::Bool).real;
  Parts value = buildGuarded(statement.value, type, condition, true);
  Expr &select = made.emplace_back();
  select.kind = ExprKind::Select;
  select.type = type;
  auto choose = [&](size_t lhs, Part part) {
    Node node = {&select, getPartType(type)};
    node.condition = condition;
    node.lhs = lhs;
    node.rhs = addSkipped(part);
    return add(std::move(node));
  };
  size_t real = choose(value.real, Part::Real);
  return {real,
          isComplex(type) ? choose(value.imaginary, Part::Imaginary) : real};
}

/// The point's value and where it goes, both if the condition holds.
ChunkEvaluator::Parts ChunkEvaluator::buildInOrder() {
  const Statement &statement = view.statement;
  ElementType type = statement.computeType;
  if (statement.condition.isValid()) {
    condition = buildAs(statement.condition, ElementType::Bool).real;
    guards.push_back({*condition, true});
  }
  Parts value = buildAs(statement.value, type);
  written = build(statement.written).real;
  guards.clear();
  return value;
}

ChunkEvaluator::Written ChunkEvaluator::findWritten(int64_t i) {
  Written result;
  if (condition) {
    const Scalar &holds = nodes[*condition].integers[i];
    result.isKnown = holds.isKnown();
    if (result.isKnown && !holds.integer)
      return result;
  }
  bool isInside;
  std::optional<int64_t> position = findPlace(nodes[written], i, isInside);
  if (position && isInside)
    result.position = position;
  return result;
}

/// What a point contributes that the condition skips: the update's identity,
/// or the element as it is.
size_t ChunkEvaluator::addSkipped(Part part) {
  const Statement &statement = view.statement;
  ElementType type = getPartType(statement.computeType);
  Expr &expr = made.emplace_back();
  expr.type = type;
  Node node = {&expr, type};
  if (view.kept) {
    expr.kind = ExprKind::Access;
    expr.tensor = statement.target;
    node.part = part;
    node.access = &*view.kept;
    node.track = odometer.track(node.access->offset, node.access->strides);
    return add(std::move(node));
  }
  Scalar identity = getIdentity(statement.update, type);
  expr.kind = ExprKind::Literal;
  if (part == Part::Real) {
    expr.literal = identity.number.value;
    expr.integer = identity.integer;
  }
  return add(std::move(node));
}

size_t ChunkEvaluator::add(Node node) {
  if (node.isInteger())
    node.integers.resize(chunkSize);
  else
    node.pairs.resize(chunkSize);
  if (node.isSum)
    node.sums.resize(chunkSize);
  nodes.push_back(std::move(node));
  return nodes.size() - 1;
}

size_t ChunkEvaluator::addZero(ElementType type) {
  Expr &zero = made.emplace_back();
  zero.kind = ExprKind::Literal;
  zero.type = type;
  return add({&zero, type});
}

size_t ChunkEvaluator::addUnary(UnaryFn fn, ElementType type, size_t operand) {
  Expr &expr = made.emplace_back();
  expr.kind = ExprKind::Unary;
  expr.unary = fn;
  expr.type = type;
  Node node = {&expr, type};
  node.lhs = operand;
  if (fn == UnaryFn::Neg && nodes[operand].isSum) {
    node.isSum = true;
    node.numTerms = nodes[operand].numTerms;
  }
  return add(std::move(node));
}

size_t ChunkEvaluator::addBinary(BinaryFn fn, ElementType type, size_t lhs,
                                 size_t rhs) {
  Expr &expr = made.emplace_back();
  expr.kind = ExprKind::Binary;
  expr.binary = fn;
  expr.type = type;
  Node node = {&expr, type};
  node.lhs = lhs;
  node.rhs = rhs;
  if (isDivision(fn, type))
    node.guards = guards;
  if (isFloat(type) && (fn == BinaryFn::Add || fn == BinaryFn::Sub)) {
    node.isSum = true;
    node.numTerms = nodes[lhs].numTerms + nodes[rhs].numTerms;
  }
  return add(std::move(node));
}

size_t ChunkEvaluator::addConversion(Conversion conversion, size_t operand) {
  Node node = {nullptr, conversion.to};
  node.lhs = operand;
  node.conversion = conversion;
  return add(std::move(node));
}

/// A literal, or an access of a part.
size_t ChunkEvaluator::addLeaf(const Expr &expr, ExprId id, Part part) {
  if (expr.kind == ExprKind::Literal && part == Part::Imaginary)
    return addZero(getPartType(expr.type));
  Node node = {&expr, getPartType(expr.type)};
  node.part = part;
  if (expr.kind == ExprKind::Access || expr.kind == ExprKind::Position) {
    node.access = &view.reads[id.value];
    node.track = odometer.track(node.access->offset, node.access->strides);
  }
  return add(std::move(node));
}

ChunkEvaluator::Parts ChunkEvaluator::buildConversion(Parts operand,
                                                      Conversion conversion) {
  auto [from, to] = conversion;
  if (from == to)
    return operand;
  if (!isComplex(to)) {
    size_t converted = addConversion(conversion, operand.real);
    return {converted, converted};
  }
  Conversion ofParts = {getPartType(from), getPartType(to)};
  auto convertPart = [&](size_t part) {
    return ofParts.from == ofParts.to ? part : addConversion(ofParts, part);
  };
  size_t real = convertPart(operand.real);
  return {real, isComplex(from) ? convertPart(operand.imaginary)
                                : addZero(ofParts.to)};
}

/// The node for `id`, and one that converts it if its type is another.
ChunkEvaluator::Parts ChunkEvaluator::buildAs(ExprId id, ElementType type) {
  Parts operand = build(id);
  const Expr &expr = view.def[id];
  // A number that is read is in the wider type what it is.
  bool isRead = expr.kind == ExprKind::Access ||
                expr.kind == ExprKind::Gather || expr.kind == ExprKind::Literal;
  bool isWider = (isFloat(expr.type) && isFloat(type)) ||
                 (isComplex(expr.type) && isComplex(type));
  if (isRead && isWider)
    return operand;
  return buildConversion(operand, {expr.type, type});
}

ChunkEvaluator::Parts ChunkEvaluator::build(ExprId id) {
  const Expr &expr = view.def[id];
  switch (expr.kind) {
  case ExprKind::Access:
  case ExprKind::Position:
  case ExprKind::Literal: {
    size_t real = addLeaf(expr, id, Part::Real);
    return {real,
            isComplex(expr.type) ? addLeaf(expr, id, Part::Imaginary) : real};
  }
  case ExprKind::Gather:
    return buildGather(expr, id);
  case ExprKind::Cast: {
    Conversion conversion = getConversion(expr, view.def[expr.lhs].type);
    Parts operand = build(expr.lhs);
    if (isComplex(expr.type))
      return buildConversion(operand, conversion);
    // A cast that only takes bits for other ones is a conversion too.
    Node node = {&expr, expr.type};
    node.lhs = operand.real;
    node.conversion = conversion;
    size_t cast = add(std::move(node));
    return {cast, cast};
  }
  case ExprKind::Unary:
    return buildUnary(expr);
  case ExprKind::Binary:
    return buildBinary(expr);
  case ExprKind::Select:
    return buildSelect(expr);
  case ExprKind::Reshape:
    break; // of a statement that has no points
  }
  llvm_unreachable("a kind of expression that is none");
}

ChunkEvaluator::Parts ChunkEvaluator::buildUnary(const Expr &expr) {
  ElementType type = view.def.getOperandType(expr);
  Parts x = buildAs(expr.lhs, type);
  if (isComplex(type))
    return buildComplexUnary(expr, getPartType(type), x);
  size_t node = addUnary(expr.unary, type, x.real);
  return {node, node};
}

ChunkEvaluator::Parts ChunkEvaluator::buildGather(const Expr &expr, ExprId id) {
  Node node = {&expr, getPartType(expr.type)};
  node.access = &view.reads[id.value];
  for (ExprId place : expr.places) {
    ElementType type = view.def[place].type;
    bool isU64 = type == ElementType::U64;
    node.places.push_back(
        buildAs(place, isU64 ? type : ElementType::Index).real);
  }
  Parts otherwise = {};
  if (expr.lhs.isValid())
    otherwise = buildAs(expr.lhs, expr.type);
  node.guards = guards;
  auto addPart = [&](Part part, size_t other) {
    Node copy = node;
    copy.part = part;
    copy.lhs = other;
    return add(std::move(copy));
  };
  size_t real = addPart(Part::Real, otherwise.real);
  return {real, isComplex(expr.type)
                    ? addPart(Part::Imaginary, otherwise.imaginary)
                    : real};
}

ChunkEvaluator::Parts
ChunkEvaluator::buildComplexUnary(const Expr &expr, ElementType part, Parts x) {
  auto negate = [&](size_t operand) {
    return addUnary(UnaryFn::Neg, part, operand);
  };
  auto compute = [&](Node::Special function) -> Parts {
    auto addPart = [&](Part which) {
      Node node = {nullptr, part, function, which};
      node.parts = {x.real, x.imaginary};
      return add(std::move(node));
    };
    size_t real = addPart(Part::Real);
    return {real, addPart(Part::Imaginary)};
  };
  switch (expr.unary) {
  case UnaryFn::Rounded:
    return x;
  case UnaryFn::Neg: {
    size_t real = negate(x.real);
    return {real, negate(x.imaginary)};
  }
  case UnaryFn::Conj:
    return {x.real, negate(x.imaginary)};
  case UnaryFn::Re:
    return {x.real, x.real};
  case UnaryFn::Im:
    return {x.imaginary, x.imaginary};
  case UnaryFn::Abs: {
    Node node = {nullptr, part, Node::Magnitude};
    node.parts = {x.real, x.imaginary};
    size_t magnitude = add(std::move(node));
    return {magnitude, magnitude};
  }
  case UnaryFn::Exp:
    return compute(Node::Exponential);
  case UnaryFn::Log:
    return compute(Node::Logarithm);
  case UnaryFn::Sqrt:
    return compute(Node::Root);
  default:
    break;
  }
  llvm_unreachable("a function that the reference does not know");
}

ChunkEvaluator::Parts ChunkEvaluator::buildGuarded(ExprId id, ElementType type,
                                                   size_t condition,
                                                   bool value) {
  guards.push_back({condition, value});
  Parts result = buildAs(id, type);
  guards.pop_back();
  return result;
}

ChunkEvaluator::Parts ChunkEvaluator::buildSelect(const Expr &expr) {
  size_t condition = buildAs(expr.condition, ElementType::Bool).real;
  Parts x = buildGuarded(expr.lhs, expr.type, condition, true);
  Parts y = buildGuarded(expr.rhs, expr.type, condition, false);
  auto select = [&](size_t lhs, size_t rhs) {
    Node node = {&expr, getPartType(expr.type)};
    node.condition = condition;
    node.lhs = lhs;
    node.rhs = rhs;
    return add(std::move(node));
  };
  size_t real = select(x.real, y.real);
  return {real, isComplex(expr.type) ? select(x.imaginary, y.imaginary) : real};
}

ChunkEvaluator::Parts ChunkEvaluator::buildBinary(const Expr &expr) {
  ElementType type = view.def.getOperandType(expr);
  Parts x = buildAs(expr.lhs, type);
  Parts y = isLogical(expr.binary) ? buildGuarded(expr.rhs, type, x.real,
                                                  expr.binary == BinaryFn::And)
                                   : buildAs(expr.rhs, type);
  if (isComparison(expr.binary)) {
    Node node = {&expr, ElementType::Bool};
    node.lhs = x.real;
    node.rhs = y.real;
    size_t comparison = add(std::move(node));
    return {comparison, comparison};
  }
  if (expr.binary == BinaryFn::Complex)
    return {x.real, y.real};
  if (isComplex(type))
    return buildComplexBinary(expr, getPartType(type), x, y);
  size_t node = addBinary(expr.binary, type, x.real, y.real);
  return {node, node};
}

ChunkEvaluator::Parts ChunkEvaluator::buildComplexBinary(const Expr &expr,
                                                         ElementType part,
                                                         Parts x, Parts y) {
  auto multiply = [&](size_t a, size_t b) {
    return addBinary(BinaryFn::Mul, part, a, b);
  };
  auto compute = [&](Node::Special function) -> Parts {
    auto addPart = [&](Part which) {
      Node node = {nullptr, part, function, which};
      node.parts = {x.real, x.imaginary, y.real, y.imaginary};
      return add(std::move(node));
    };
    size_t real = addPart(Part::Real);
    return {real, addPart(Part::Imaginary)};
  };
  switch (expr.binary) {
  case BinaryFn::Add:
  case BinaryFn::Sub: {
    size_t real = addBinary(expr.binary, part, x.real, y.real);
    return {real, addBinary(expr.binary, part, x.imaginary, y.imaginary)};
  }
  case BinaryFn::Mul: {
    size_t real = addBinary(BinaryFn::Sub, part, multiply(x.real, y.real),
                            multiply(x.imaginary, y.imaginary));
    return {real, addBinary(BinaryFn::Add, part, multiply(x.real, y.imaginary),
                            multiply(x.imaginary, y.real))};
  }
  case BinaryFn::Div:
    return compute(Node::Quotient);
  case BinaryFn::Pow:
    return compute(Node::Power);
  default:
    break;
  }
  llvm_unreachable("a function that the reference does not know");
}

//===----------------------------------------------------------------------===//
// Evaluating them
//===----------------------------------------------------------------------===//

/// Nothing has computed it: a literal or an element of an input.
bool ChunkEvaluator::isGiven(const Node &node) const {
  return node.expr && (node.expr->kind == ExprKind::Literal ||
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

void ChunkEvaluator::convertNode(Node &node, int64_t count) {
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

/// Whether the guards of a division let it happen at point `i`; nothing if
/// rounding decides.
std::optional<bool> ChunkEvaluator::isReached(const Node &node,
                                              int64_t i) const {
  bool isKnown = true;
  for (auto [condition, value] : node.guards) {
    const Scalar &x = nodes[condition].integers[i];
    if (x.isKnown() && (x.integer != 0) != value)
      return false;
    isKnown &= x.isKnown();
  }
  return isKnown ? std::optional<bool>(true) : std::nullopt;
}

/// The node cannot be evaluated at point `i`, or, if that is not known, may be
/// one that cannot.
void ChunkEvaluator::noteTrouble(const Node &node, int64_t i,
                                 runtime::Code code, bool isKnown) {
  std::optional<bool> reached = isReached(node, i);
  if (reached == false)
    return;
  if (!isKnown || !reached) {
    trouble.possible = code;
    return;
  }
  if (trouble.certain == runtime::Code::Ok || numDone + i < troublePoint) {
    trouble.certain = code;
    troublePoint = numDone + i;
  }
}

/// The element that a gather reads at point `i`, and whether it is the one that
/// its subscripts say; nothing if that is not known or there is none.
std::optional<int64_t> ChunkEvaluator::findPlace(const Node &node, int64_t i,
                                                 bool &isInside) {
  const Value &tensor = *node.access->tensor;
  bool isKnown = true;
  int64_t position = 0;
  isInside = true;
  for (auto [operand, dim] : llvm::zip_equal(node.places, tensor.shape)) {
    const Node &place = nodes[operand];
    const Scalar &x = place.integers[i];
    isKnown &= x.isKnown();
    int64_t subscript = x.integer;
    bool isTooLarge = place.type == ElementType::U64 && subscript < 0;
    bool fits = subscript >= 0 && subscript < dim;
    isInside &= fits;
    if (!fits)
      subscript = isTooLarge || subscript >= dim ? dim - 1 : 0;
    position = position * dim + subscript;
  }
  if (!isKnown || tensor.size() == 0)
    return std::nullopt;
  return position;
}

void ChunkEvaluator::gather(Node &node, int64_t count) {
  const Expr &expr = *node.expr;
  const Value &tensor = *node.access->tensor;
  for (int64_t i = 0; i < count; ++i) {
    bool isInside;
    std::optional<int64_t> position = findPlace(node, i, isInside);
    bool isKnown = llvm::all_of(node.places, [&](size_t place) {
      return nodes[place].integers[i].isKnown();
    });
    if (expr.outside == Outside::Checked && !(isKnown && isInside))
      noteTrouble(node, i, runtime::Code::OutOfRange, isKnown);
    // What is written may be in the accumulator's type.
    if (view.statement.isInOrder() && &node == &nodes[written])
      continue;
    bool isPadded = expr.outside == Outside::Padded && isKnown && !isInside;
    if (node.isInteger()) {
      Scalar &result = node.integers[i];
      if (isPadded)
        result = nodes[node.lhs].integers[i];
      else if (position)
        result = {{0, tensor.bounds[*position]}, tensor.integers[*position]};
      else
        result = {{0, infinity}, 0};
      continue;
    }
    Pair &result = node.pairs[i];
    if (isPadded)
      result = nodes[node.lhs].pairs[i];
    else
      result = position ? node.access->read(*position, node.part)
                        : Pair{0, infinity};
  }
}

void ChunkEvaluator::compare(Node &node, int64_t count) {
  BinaryFn fn = node.expr->binary;
  const Node &lhs = nodes[node.lhs], &rhs = nodes[node.rhs];
  const Rounding &rounding = Rounding::get(lhs.type);
  for (int64_t i = 0; i < count; ++i)
    node.integers[i] =
        lhs.isInteger()
            ? reference::compare(fn, lhs.integers[i], rhs.integers[i], lhs.type)
            : reference::compare(fn, rounding.read(lhs.pairs[i]),
                                 rounding.read(rhs.pairs[i]));
}

/// Where rounding decides the condition, the result may be either.
void ChunkEvaluator::select(Node &node, int64_t count) {
  const Node &condition = nodes[node.condition];
  const Node &lhs = nodes[node.lhs], &rhs = nodes[node.rhs];
  const Rounding &rounding = Rounding::get(node.type);
  for (int64_t i = 0; i < count; ++i) {
    const Scalar &choice = condition.integers[i];
    if (node.isInteger()) {
      Scalar x = lhs.integers[i], y = rhs.integers[i];
      Scalar &result = node.integers[i];
      result = choice.integer ? x : y;
      if (!choice.isKnown() && x.integer != y.integer)
        result.number.bound = infinity;
      continue;
    }
    Pair x = rounding.read(lhs.pairs[i]), y = rounding.read(rhs.pairs[i]);
    Pair &result = node.pairs[i];
    result = choice.integer ? x : y;
    if (choice.isKnown())
      continue;
    double bound = std::abs(x.value - y.value) + std::max(x.bound, y.bound);
    bool isSame = x.value == y.value && x.bound == 0 && y.bound == 0;
    if (!isSame)
      result.bound = std::isnan(bound) ? infinity : Rounding::inflate(bound);
  }
}

void ChunkEvaluator::evaluateIntegers(Node &node, int64_t count) {
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
  case ExprKind::Position: {
    ArrayRef<int64_t> positions = odometer.getPositions(node.track);
    for (int64_t i = 0; i < count; ++i)
      node.integers[i].integer = positions[i];
    return;
  }
  case ExprKind::Unary:
    for (int64_t i = 0; i < count; ++i)
      node.integers[i] =
          apply(expr.unary, nodes[node.lhs].integers[i], node.type);
    return;
  case ExprKind::Binary: {
    bool divides = isDivision(expr.binary, node.type);
    for (int64_t i = 0; i < count; ++i) {
      const Scalar &y = nodes[node.rhs].integers[i];
      if (divides && (!y.isKnown() || y.integer == 0))
        noteTrouble(node, i, runtime::Code::Domain, y.isKnown());
      node.integers[i] =
          apply(expr.binary, nodes[node.lhs].integers[i], y, node.type);
    }
    return;
  }
  case ExprKind::Gather:
  case ExprKind::Select:
  case ExprKind::Cast:
  case ExprKind::Reshape:
    break;
  }
  llvm_unreachable("evaluated elsewhere");
}

void ChunkEvaluator::evaluateSpecial(Node &node, int64_t count) {
  const Rounding &rounding = Rounding::get(node.type);
  auto get = [&](unsigned operand, int64_t i) {
    return rounding.read(nodes[node.parts[operand]].pairs[i]);
  };
  // Where a cut of the plane is, the sign of a zero says on which side of it a
  // number lies; one that has been computed may have the other sign.
  bool hasSign = isGiven(nodes[node.parts[1]]);
  auto compute = [&](int64_t i) {
    switch (node.special) {
    case Node::Magnitude:
      return getMagnitude(rounding, get(0, i), get(1, i));
    case Node::Quotient:
      return divide(rounding, get(0, i), get(1, i), get(2, i), get(3, i),
                    node.part);
    case Node::Exponential:
      return getExp(rounding, get(0, i), get(1, i), node.part);
    case Node::Logarithm:
      return getLog(rounding, get(0, i), get(1, i), node.part, hasSign);
    case Node::Root:
      return getSquareRoot(rounding, get(0, i), get(1, i), node.part, hasSign);
    case Node::Power:
      return getPower(rounding, get(0, i), get(1, i), get(2, i), get(3, i),
                      node.part, hasSign);
    case Node::None:
      break;
    }
    llvm_unreachable("no function of complex numbers");
  };
  for (int64_t i = 0; i < count; ++i)
    node.pairs[i] = compute(i);
}

void ChunkEvaluator::evaluateSum(Node &node, int64_t count) {
  const Rounding &rounding = Rounding::get(node.type);
  const Expr &expr = *node.expr;
  bool negateLhs = expr.kind == ExprKind::Unary;
  bool negateRhs =
      expr.kind == ExprKind::Binary && expr.binary == BinaryFn::Sub;
  for (int64_t i = 0; i < count; ++i) {
    Sum sum;
    addTerms(sum, nodes[node.lhs], i, negateLhs);
    if (expr.kind == ExprKind::Binary)
      addTerms(sum, nodes[node.rhs], i, negateRhs);
    node.sums[i] = sum;
    node.pairs[i] =
        sum.finish(rounding, node.numTerms, node.numTerms * rounding.smallest);
  }
}

void ChunkEvaluator::evaluate(Node &node, int64_t count) {
  const Rounding &rounding = Rounding::get(node.type);
  const Expr &expr = *node.expr;
  switch (expr.kind) {
  case ExprKind::Literal:
    for (int64_t i = 0; i < count; ++i)
      node.pairs[i] = rounding.literal(expr.literal, expr.type);
    return;
  case ExprKind::Access: {
    ArrayRef<int64_t> positions = odometer.getPositions(node.track);
    for (int64_t i = 0; i < count; ++i)
      node.pairs[i] = node.access->read(positions[i], node.part);
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
  case ExprKind::Position:
  case ExprKind::Gather:
  case ExprKind::Select:
  case ExprKind::Cast:
  case ExprKind::Reshape:
    break;
  }
  llvm_unreachable("evaluated elsewhere");
}

} // namespace ein::reference
