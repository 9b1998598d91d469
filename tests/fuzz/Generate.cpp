//===- Generate.cpp - Random programs -------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program is made statement by statement. A statement has indices with known
// extents first; then each operand is either a tensor that exists, read in
// whatever way its dims and those extents allow, or a new input whose dims are
// made to fit the subscripts. So most programs are valid, and all interesting
// subscripts (strides, offsets, reversal, sums, diagonals) come for free. A few
// programs get a type, a subscript or a dim changed afterwards: those are for
// the checks.
//
// A program has a palette of one to four element types. A statement computes in
// one type; an operand that does not fit into it gets a cast, and some get one,
// or a way through a third type, that they do not need. What integers are
// divided by is mostly not zero, because a program that returns EIN_DOMAIN
// shows no values; where it may be zero, floating-point numbers have no part in
// it: rounding would decide what the reference cannot.
//
//===----------------------------------------------------------------------===//

#include "tests/fuzz/Generate.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <random>

namespace ein::fuzz {

namespace {

class Generator {
public:
  explicit Generator(uint64_t seed) : random(seed) {}
  Program run(uint64_t seed);

private:
  struct Index {
    std::string name;
    Linear extent;
    bool isReduced;
    bool isAlone = false; // stands alone in some subscript
  };

  /// An operand and the type that it has where it stands.
  struct Typed {
    ExprPtr expr;
    ElementType type;
  };

  unsigned upTo(unsigned bound) { return random() % bound; }
  bool oneIn(unsigned n) { return upTo(n) == 0; }
  /// A position, as likely as its weight.
  unsigned draw(std::initializer_list<unsigned> weights) {
    unsigned total = 0, position = 0;
    for (unsigned weight : weights)
      total += weight;
    unsigned at = upTo(total);
    for (unsigned weight : weights) {
      if (at < weight)
        return position;
      at -= weight;
      ++position;
    }
    return 0;
  }
  template <typename T> const T &pick(const std::vector<T> &items) {
    return items[upTo(items.size())];
  }

  static unsigned getWeight(ElementType type);
  ElementType drawAnyType();
  ElementType drawType() { return pick(palette); }
  ElementType drawFitting(ElementType type);
  void makePalette();

  void makeSizes();
  Linear makeExtent();
  std::string addTensor(Tensor::Role role, ElementType type,
                        std::vector<Linear> dims);
  bool isReadable(const std::string &name) const;
  std::vector<std::string> findReadable(std::optional<ElementType> fitting);

  std::string pickTarget(bool isLast);
  void makeStatement(bool isLast);
  void makeComprehension(Statement &statement, Tensor target);
  bool makeEinsum(Statement &statement, const Tensor &target);
  Linear makeSubscript(const Linear &dim, std::vector<Index> &indices,
                       bool mayReduce);
  std::optional<Typed> readExisting(std::vector<Index> &indices,
                                    bool mayReduce);
  Typed readNew(std::vector<Index> &indices, ElementType computeType);
  Typed makeOperand(std::vector<Index> &indices, ElementType computeType,
                    bool mayReduce, bool mayNest = true);
  Typed convert(Typed operand, ElementType type);
  Typed cast(Typed operand, ElementType type);
  void collectTypes(const ExprPtr &expr, std::vector<ElementType> &types) const;
  ExprPtr combine(std::vector<ExprPtr> operands, bool isProduct,
                  ElementType type);
  ExprPtr applyOperator(ExprPtr x, ExprPtr y, ElementType type);
  ExprPtr applyFunction(ExprPtr x, ElementType type);
  ExprPtr applyToInteger(ExprPtr x, ElementType type);
  ExprPtr makeDivisor(ExprPtr x, ElementType type);
  ExprPtr makeNumber(ElementType type, bool mayBeZero = true);
  std::optional<ElementType> drawAccumulator(ElementType type);
  std::string getIndexName(size_t position) {
    return std::string(1, "ijklmnopqrstuvwx"[position]);
  }
  void limitWork();
  void damage();

  std::mt19937_64 random;
  Program program;
  unsigned numInputs = 0, numTemporaries = 0, numOutputs = 0;
  std::vector<std::string> written;
  std::vector<ElementType> palette;
  /// Whether some integer came from a floating-point number.
  bool hasRounding = false;
};

} // namespace

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// How often a type is drawn. Kinds without a weight are never.
unsigned Generator::getWeight(ElementType type) {
  switch (getKind(type)) {
  case TypeKind::Float:
    return type == ElementType::F32 ? 30 : 10;
  case TypeKind::Signed:
  case TypeKind::Unsigned:
    return type == ElementType::Index ? 2 : 5;
  case TypeKind::Bool:
    return 5;
  }
  return 0;
}

static constexpr ElementType kTypes[] = {
#define EIN_ELEMENT_TYPE(ENUM, SPELLING, CTYPE, KIND, BITS, NPY)               \
  ElementType::ENUM,
#include "frontend/ElementTypes.def"
};

ElementType Generator::drawAnyType() {
  unsigned total = 0;
  for (ElementType type : kTypes)
    total += getWeight(type);
  unsigned at = upTo(total);
  for (ElementType type : kTypes) {
    if (at < getWeight(type))
      return type;
    at -= getWeight(type);
  }
  return ElementType::F32;
}

void Generator::makePalette() {
  for (unsigned i = 0, count = 1 + draw({40, 30, 20, 10}); i < count; ++i)
    palette.push_back(drawAnyType());
}

/// One of the program's types that fits into `type`, or itself.
ElementType Generator::drawFitting(ElementType type) {
  ElementType drawn = oneIn(8) ? drawAnyType() : drawType();
  return fits(drawn, type) ? drawn : type;
}

/// `acc = T` for a target of `type`: mostly wider, or anything.
std::optional<ElementType> Generator::drawAccumulator(ElementType type) {
  if (!oneIn(6))
    return std::nullopt;
  ElementType drawn = drawAnyType();
  return fits(type, drawn) || oneIn(3) ? drawn : getAccumulator(type);
}

/// The types that are read, as the front end collects them: a cast hides what
/// is below it.
void Generator::collectTypes(const ExprPtr &expr,
                             std::vector<ElementType> &types) const {
  if (!expr)
    return;
  std::optional<ElementType> type;
  if (expr->kind == Expr::Access)
    type = program.find(expr->text)->type;
  else if (expr->kind == Expr::Literal)
    type = getSuffix(expr->text);
  else if (expr->kind == Expr::Unary)
    type = getCastType(expr->text);
  if (type) {
    types.push_back(*type);
    return;
  }
  collectTypes(expr->lhs, types);
  collectTypes(expr->rhs, types);
}

Generator::Typed Generator::cast(Typed operand, ElementType type) {
  bool fromFloat = isFloat(operand.type);
  // Most random numbers are smaller than one.
  if (fromFloat && !isFloat(type) && !oneIn(4)) {
    operand.expr =
        makeBinary("*", operand.expr, makeLiteral(oneIn(3) ? "1000.0" : "20"));
    operand.type = getAccumulator(operand.type);
  }
  hasRounding |= fromFloat && !isFloat(type);
  bool isUnsigned = getKind(operand.type) == TypeKind::Signed ? oneIn(3)
                    : fromFloat && isInteger(type)            ? oneIn(5)
                                                              : oneIn(30);
  return {makeCast(type, isUnsigned, operand.expr), type};
}

/// For a statement that computes in `type`.
Generator::Typed Generator::convert(Typed operand, ElementType type) {
  if (oneIn(15))
    operand = cast(operand, drawAnyType());
  if (!fits(operand.type, type) || oneIn(20))
    operand = cast(operand, type);
  return operand;
}

//===----------------------------------------------------------------------===//
// Tensors and subscripts
//===----------------------------------------------------------------------===//

void Generator::makeSizes() {
  unsigned count = 1 + upTo(6);
  unsigned binding = upTo(3); // none, some, all compiled in
  bool isWide = oneIn(12);
  for (unsigned i = 0; i < count; ++i) {
    Size size;
    size.name = std::string(1, "MNKPQR"[i]);
    switch (draw({70, 12, 6, 4})) {
    case 0:
      size.value = 1 + upTo(9);
      break;
    case 1:
      size.value = 13 + upTo(5);
      break;
    case 2:
      size.value = 31 + upTo(4);
      break;
    default:
      size.value = oneIn(2) ? 0 : 1;
    }
    if (isWide && oneIn(2))
      size.value = 100 + upTo(200);
    size.isBound = binding == 2 || (binding == 1 && oneIn(2));
    program.sizes.push_back(size);
  }
}

Linear Generator::makeExtent() {
  if (oneIn(8))
    return Linear::number(oneIn(5) ? upTo(2) : 2 + upTo(6));
  Linear extent = Linear::name(pick(program.sizes).name);
  if (oneIn(12))
    extent.constant = 1 + upTo(3);
  return extent;
}

std::string Generator::addTensor(Tensor::Role role, ElementType type,
                                 std::vector<Linear> dims) {
  std::string name = role == Tensor::Input ? "A" + std::to_string(numInputs++)
                     : role == Tensor::Temporary
                         ? "t" + std::to_string(numTemporaries++)
                         : "O" + std::to_string(numOutputs++);
  Tensor tensor;
  tensor.role = role;
  tensor.type = type;
  tensor.dims = std::move(dims);
  // The signature lists the inputs first.
  auto at = program.tensors.end();
  if (role == Tensor::Input)
    at = std::find_if(
        program.tensors.begin(), program.tensors.end(),
        [](const auto &entry) { return entry.second.role != Tensor::Input; });
  program.tensors.insert(at, {name, tensor});
  return name;
}

bool Generator::isReadable(const std::string &name) const {
  Tensor::Role role = program.find(name)->role;
  return role == Tensor::Input || role == Tensor::InOut ||
         std::find(written.begin(), written.end(), name) != written.end();
}

/// All tensors that can be read, or those that fit into a type.
std::vector<std::string>
Generator::findReadable(std::optional<ElementType> fitting) {
  std::vector<std::string> names;
  for (const auto &[name, tensor] : program.tensors)
    if (isReadable(name) && (!fitting || fits(tensor.type, *fitting)))
      names.push_back(name);
  return names;
}

std::string Generator::pickTarget(bool isLast) {
  std::vector<std::string> old;
  for (const auto &[name, tensor] : program.tensors)
    if (tensor.role != Tensor::Input)
      old.push_back(name);
  if (!old.empty() && oneIn(4) && (!isLast || numOutputs))
    return pick(old);
  Tensor::Role role = isLast || oneIn(3) ? Tensor::Output : Tensor::Temporary;
  if (role == Tensor::Output && oneIn(5))
    role = Tensor::InOut;
  std::vector<Linear> dims;
  for (unsigned i = 0, rank = draw({10, 25, 32, 20, 9, 4}); i < rank; ++i)
    dims.push_back(makeExtent());
  return addTensor(role, drawType(), dims);
}

/// A subscript for a dim of an existing tensor.
Linear Generator::makeSubscript(const Linear &dim, std::vector<Index> &indices,
                                bool mayReduce) {
  struct Choice {
    Linear subscript;
    Index *alone;
  };
  std::vector<Choice> choices;
  for (Index &index : indices) {
    Linear slack = dim;
    slack.add(index.extent, -1);
    Linear one = Linear::name(index.name);
    if (slack.isConstant() && slack.constant == 0) {
      for (int i = 0; i < 4; ++i) // most often
        choices.push_back({one, &index});
      Linear reversed = dim;
      reversed.constant -= 1;
      reversed.add(one, -1);
      choices.push_back({reversed, nullptr});
    } else if (slack.isConstant() && slack.constant > 0 && index.isAlone) {
      one.constant = upTo(slack.constant + 1);
      choices.push_back({one, nullptr});
    } else if (index.isAlone && slack == index.extent) {
      Linear doubled = Linear::number(upTo(2));
      doubled.add(one, 2);
      choices.push_back({doubled, nullptr});
    }
  }
  if (!choices.empty() && !oneIn(8)) {
    const Choice &choice = choices[upTo(choices.size())];
    if (choice.alone)
      choice.alone->isAlone = true;
    return choice.subscript;
  }
  if (mayReduce && indices.size() < 8 && !oneIn(4)) {
    indices.push_back({getIndexName(indices.size()), dim, true, true});
    return Linear::name(indices.back().name);
  }
  if (oneIn(2))
    return Linear::number(0);
  Linear last = dim;
  last.constant -= 1;
  return last;
}

std::optional<Generator::Typed>
Generator::readExisting(std::vector<Index> &indices, bool mayReduce) {
  std::vector<std::string> names = findReadable(std::nullopt);
  if (names.empty())
    return std::nullopt;
  std::string name = pick(names);
  std::vector<Linear> subscripts;
  std::vector<Linear> dims = program.find(name)->dims;
  for (const Linear &dim : dims)
    subscripts.push_back(makeSubscript(dim, indices, mayReduce));
  return Typed{makeAccess(name, subscripts), program.find(name)->type};
}

Generator::Typed Generator::readNew(std::vector<Index> &indices,
                                    ElementType computeType) {
  std::vector<Linear> dims, subscripts;
  auto pickIndex = [&]() -> Index & { return indices[upTo(indices.size())]; };
  unsigned rank = indices.empty() ? 0 : draw({6, 25, 35, 20, 9, 5});
  std::vector<Index *> order;
  for (Index &index : indices)
    order.push_back(&index);
  std::shuffle(order.begin(), order.end(), random);
  for (unsigned i = 0; i < rank; ++i) {
    if (i >= order.size() && !oneIn(6))
      break; // diagonals: some, not most
    Index &index = i < order.size() ? *order[i] : pickIndex();
    Linear one = Linear::name(index.name), subscript = one;
    Linear dim = index.extent;
    switch (draw({72, 8, 6, 6, 6, 2})) {
    case 0:
      index.isAlone = true;
      break;
    case 1: // i + c
      subscript.constant = 1 + upTo(3);
      dim.constant += subscript.constant + (oneIn(3) ? 1 + upTo(2) : 0);
      break;
    case 2: { // s*i + c in s*(E - 1) + c + 1
      int64_t stride = 2 + upTo(2), offset = oneIn(2) ? upTo(3) : 0;
      subscript = Linear::number(offset);
      subscript.add(one, stride);
      dim = Linear::number(offset + 1 - stride);
      dim.add(index.extent, stride);
      break;
    }
    case 3: // E - 1 - i
      subscript = index.extent;
      subscript.constant -= 1;
      subscript.add(one, -1);
      break;
    case 4: { // s*i + t*j
      Index &other = pickIndex();
      if (other.name == index.name)
        break;
      int64_t s = oneIn(3) ? 2 : 1, t = oneIn(4) ? 2 : 1;
      subscript = Linear();
      subscript.add(one, s);
      subscript.add(Linear::name(other.name), t);
      dim = Linear::number(1 - s - t);
      dim.add(index.extent, s);
      dim.add(other.extent, t);
      break;
    }
    case 5:
      subscript = Linear::number(upTo(2));
      dim = Linear::number(1 + subscript.constant + upTo(2));
      break;
    }
    dims.push_back(dim);
    subscripts.push_back(subscript);
  }
  ElementType type = oneIn(4) ? drawType() : drawFitting(computeType);
  return {
      makeAccess(addTensor(Tensor::Input, type, std::move(dims)), subscripts),
      type};
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// Something that fits into `computeType`: an access, or what a cast makes of
/// an expression that is computed in another type.
Generator::Typed Generator::makeOperand(std::vector<Index> &indices,
                                        ElementType computeType, bool mayReduce,
                                        bool mayNest) {
  if (mayNest && oneIn(9)) {
    ElementType inner = drawAnyType();
    std::vector<ExprPtr> operands;
    for (unsigned i = 0, count = 1 + upTo(2); i < count; ++i)
      operands.push_back(
          makeOperand(indices, inner, mayReduce, /*mayNest=*/false).expr);
    std::vector<ElementType> types;
    for (const ExprPtr &operand : operands)
      collectTypes(operand, types);
    ElementType type = getAccumulator(*joinTypes(types));
    Typed result = {combine(operands, oneIn(3), type), type};
    return cast(result,
                fits(type, computeType) && oneIn(2) ? type : computeType);
  }
  std::optional<Typed> operand;
  if (!oneIn(3))
    operand = readExisting(indices, mayReduce);
  return convert(operand ? *operand : readNew(indices, computeType),
                 computeType);
}

/// A literal, sometimes with a type of its own.
ExprPtr Generator::makeNumber(ElementType type, bool mayBeZero) {
  static const std::vector<std::string> numbers = {
      "0.5", "2.0", "1.0", "0.25", "3", "0.1", "1.5", "0.7", "0.0"};
  static const std::vector<std::string> integers = {"1", "2",  "3",   "5",
                                                    "7", "16", "100", "0"};
  bool hasSuffix = oneIn(6);
  if (hasSuffix)
    type = drawFitting(type);
  size_t zero = !mayBeZero;
  std::string text = isFloat(type) ? numbers[upTo(numbers.size() - zero)]
                     : type == ElementType::Bool
                         ? (mayBeZero && oneIn(2) ? "0" : "1")
                         : integers[upTo(integers.size() - zero)];
  return makeLiteral(hasSuffix ? text + getSpelling(type).str() : text);
}

/// Mostly what is not zero.
ExprPtr Generator::makeDivisor(ExprPtr x, ElementType type) {
  if (isFloat(type))
    return oneIn(4) ? x
                    : makeBinary("+", makeLiteral("1.0"), makeUnary("abs", x));
  if (!hasRounding && oneIn(6))
    return x;
  // The absolute value of the least integer is negative.
  return makeBinary("max", makeUnary("abs", x), makeLiteral("1"));
}

ExprPtr Generator::applyToInteger(ExprPtr x, ElementType type) {
  bool isBool = type == ElementType::Bool;
  switch (upTo(isBool ? 3 : 8)) {
  case 0:
    return makeUnary("abs", x);
  case 1:
    return makeBinary(oneIn(2) ? "max" : "min", x, makeNumber(type));
  case 2:
    return makeBinary(oneIn(2) ? "+" : "*", makeNumber(type), x);
  case 3:
    return makeUnary("-", x);
  case 4:
    return makeBinary("-", makeNumber(type), x);
  case 5:
    return makeBinary(oneIn(2) ? "/" : "%", makeNumber(type),
                      makeDivisor(x, type));
  default:
    return makeBinary(oneIn(2) ? "/" : "%", x,
                      makeNumber(type, /*mayBeZero=*/oneIn(20)));
  }
}

ExprPtr Generator::applyFunction(ExprPtr x, ElementType type) {
  if (!isFloat(type))
    return applyToInteger(x, type);
  ExprPtr one = makeLiteral("1.0");
  bool isSafe = !oneIn(6);
  auto positive = [&] {
    return isSafe ? makeBinary("+", one, makeUnary("abs", x)) : x;
  };
  switch (upTo(9)) {
  case 0:
    return makeUnary("exp", isSafe ? makeUnary("tanh", x) : x);
  case 1:
    return makeUnary("log", positive());
  case 2:
    return makeUnary("sqrt", isSafe ? makeUnary("abs", x) : x);
  case 3:
    return makeUnary("abs", x);
  case 4:
    return makeUnary("tanh", x);
  case 5:
    return makeUnary("-", x);
  case 6:
    return makeBinary(oneIn(2) ? "max" : "min", x, makeNumber(type));
  case 7:
    return makeBinary("/", oneIn(2) ? one : makeNumber(type), positive());
  default:
    return makeBinary(oneIn(2) ? "+" : "*", makeNumber(type), x);
  }
}

ExprPtr Generator::applyOperator(ExprPtr x, ExprPtr y, ElementType type) {
  bool isBool = type == ElementType::Bool;
  switch (draw({30, 20, 30, 6, 7, 7})) {
  case 0:
    return makeBinary("+", x, y);
  case 1:
    return makeBinary(isBool ? "+" : "-", x, y);
  case 2:
    return makeBinary("*", x, y);
  case 3:
    if (isBool)
      return makeBinary("*", x, y);
    return makeBinary(isInteger(type) && oneIn(2) ? "%" : "/", x,
                      makeDivisor(y, type));
  case 4:
    return makeBinary("max", x, y);
  default:
    return makeBinary("min", x, y);
  }
}

/// All operands in one expression that is computed in `type`.
ExprPtr Generator::combine(std::vector<ExprPtr> operands, bool isProduct,
                           ElementType type) {
  std::shuffle(operands.begin(), operands.end(), random);
  if (isProduct) {
    if (oneIn(5))
      operands.push_back(makeNumber(type));
    ExprPtr result = operands[0];
    for (size_t i = 1; i < operands.size(); ++i)
      result = makeBinary("*", result, operands[i]);
    return result;
  }
  while (operands.size() > 1 || oneIn(4)) {
    size_t i = upTo(operands.size());
    ExprPtr x = operands[i];
    if (oneIn(3) || operands.size() == 1) {
      operands[i] = applyFunction(x, type);
      continue;
    }
    operands.erase(operands.begin() + i);
    ExprPtr &y = operands[upTo(operands.size())];
    y = applyOperator(x, y, type);
  }
  return operands[0];
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void Generator::makeComprehension(Statement &statement, Tensor target) {
  std::vector<Index> indices;
  for (const Linear &dim : target.dims) {
    indices.push_back({getIndexName(indices.size()), dim, false});
    statement.indices.push_back(indices.back().name);
  }
  bool mayContinue =
      isReadable(statement.target) || target.role == Tensor::Output;
  bool isReduction = oneIn(2);
  statement.update = "=";
  if (isReduction && !oneIn(4)) {
    static const std::vector<std::string> updates = {
        "+=", "+=", "+=", "*=", "max=", "min="};
    statement.update = pick(updates);
    if (!mayContinue || !oneIn(3))
      statement.update += "!";
  } else if (mayContinue && isReadable(statement.target) && oneIn(4)) {
    statement.update = "+=";
    isReduction = oneIn(2);
  }
  bool mayReduce = isReduction;
  if (mayReduce)
    for (unsigned i = 0, count = draw({10, 50, 30, 10}); i < count; ++i)
      indices.push_back({getIndexName(indices.size()), makeExtent(), true});

  statement.accumulator = drawAccumulator(target.type);
  ElementType type =
      statement.accumulator.value_or(getAccumulator(target.type));
  hasRounding |= isFloat(type) && !isFloat(target.type);

  // `=` sums products of accesses, in which there are no casts.
  bool sumsProducts = statement.update == "=" && isReduction;
  unsigned count = draw({0, 35, 40, 15, 8, 2});
  std::vector<ExprPtr> operands;
  indices.reserve(32);
  for (unsigned i = 0; i < count; ++i) {
    Typed operand = makeOperand(indices, type, mayReduce);
    if (sumsProducts && operand.expr->kind != Expr::Access && !oneIn(10))
      operand = {
          makeAccess(addTensor(Tensor::Input, drawFitting(type), {}), {}),
          type};
    operands.push_back(operand.expr);
  }
  // Ranges that nothing gives are errors, and only sometimes worth a try.
  auto isUsed = [&](const Index &index) {
    std::vector<const Expr *> accesses;
    for (const ExprPtr &operand : operands)
      collectAccesses(operand, accesses);
    for (const Expr *access : accesses)
      for (const Linear &subscript : access->subscripts)
        for (const auto &term : subscript.terms)
          if (term.first == index.name)
            return true;
    return false;
  };
  std::vector<Linear> dims, subscripts;
  for (Index &index : indices)
    if (index.isReduced && !index.isAlone && isUsed(index) && !oneIn(10)) {
      index.isAlone = true;
      dims.push_back(index.extent);
      subscripts.push_back(Linear::name(index.name));
    }
  if (!dims.empty())
    operands.push_back(makeAccess(
        addTensor(Tensor::Input, drawFitting(type), dims), subscripts));
  statement.value =
      combine(operands, statement.update == "=" ? isReduction : oneIn(3), type);

  // A new shape may be left to be inferred, where it can be; the type is then
  // the accumulator's.
  bool isKnown =
      std::all_of(indices.begin(), indices.end(),
                  [](const Index &i) { return i.isReduced || i.isAlone; });
  bool isNew = std::find(written.begin(), written.end(), statement.target) ==
               written.end();
  std::vector<ElementType> types;
  collectTypes(statement.value, types);
  std::optional<ElementType> joined = joinTypes(types);
  bool isInferable =
      target.role != Tensor::InOut &&
      (statement.accumulator
           ? *statement.accumulator
           : getAccumulator(joined.value_or(target.type))) == target.type;
  if (isNew && isKnown && isInferable && statement.update != "+=" && !oneIn(3))
    program.find(statement.target)->declaresDims = false;
}

bool Generator::makeEinsum(Statement &statement, const Tensor &target) {
  statement.accumulator = drawAccumulator(target.type);
  ElementType type =
      statement.accumulator.value_or(getAccumulator(target.type));
  hasRounding |= isFloat(type) && !isFloat(target.type);
  // Labels and what each stands for.
  std::vector<std::pair<char, Linear>> labels;
  unsigned next = 0;
  std::string pool = "abcdefghijklmnopqrstuvwxyz";
  std::shuffle(pool.begin(), pool.end(), random);
  unsigned numEllipsis =
      oneIn(8) ? upTo(std::min<size_t>(target.dims.size(), 2) + 1) : 0;
  for (size_t i = 0; i < target.dims.size(); ++i) {
    labels.push_back(
        {i < numEllipsis ? char('A' + i) : pool[next++], target.dims[i]});
    statement.output += labels.back().first;
  }
  for (unsigned i = 0, count = upTo(4); i < count; ++i)
    labels.push_back({pool[next++], makeExtent()});

  unsigned count = 1 + draw({15, 40, 25, 12, 8});
  auto addNew = [&](std::string term) {
    std::vector<Linear> dims;
    for (char label : term)
      for (const auto &[name, extent] : labels)
        if (name == label)
          dims.push_back(extent);
    statement.operands.push_back(
        {addTensor(Tensor::Input, drawFitting(type), dims), term});
  };
  for (unsigned i = 0; i < count; ++i) {
    // Of an existing tensor each dim needs a label of its extent.
    std::vector<std::string> names = findReadable(type);
    if (!names.empty() && !numEllipsis && oneIn(3)) {
      std::string name = pick(names), term;
      for (const Linear &dim : program.find(name)->dims) {
        std::vector<char> fitting;
        for (const auto &[label, extent] : labels)
          if (extent == dim &&
              (term.find(label) == std::string::npos || oneIn(5)))
            fitting.push_back(label);
        if (fitting.empty()) {
          labels.push_back({pool[next++], dim});
          fitting.push_back(labels.back().first);
        }
        term += pick(fitting);
      }
      if (next > 20)
        break;
      statement.operands.push_back({name, term});
      continue;
    }
    std::string term;
    std::vector<std::pair<char, Linear>> order = labels;
    std::shuffle(order.begin(), order.end(), random);
    for (unsigned d = 0, rank = draw({5, 25, 40, 20, 10}); d < rank; ++d)
      if (d < order.size() && order[d].first >= 'a')
        term += oneIn(15) && !term.empty() ? term.back() : order[d].first;
    // The dims of an ellipsis in front, or the last of them.
    for (unsigned e = numEllipsis; e-- > 0 && !oneIn(4);)
      term = char('A' + e) + term;
    addNew(term);
  }
  // What the output has and no operand.
  std::string missing;
  for (char label : statement.output)
    if (std::none_of(statement.operands.begin(), statement.operands.end(),
                     [&](const Statement::Operand &operand) {
                       return operand.labels.find(label) != std::string::npos;
                     }))
      missing += label;
  if (!missing.empty()) {
    // All of the ellipsis, as missing ones align on the right.
    std::string ellipsis = statement.output.substr(0, numEllipsis), rest;
    for (char label : missing)
      if (label >= 'a')
        rest += label;
    addNew((rest.size() != missing.size() ? ellipsis : "") + rest);
  }
  std::string once;
  for (const auto &[label, extent] : labels) {
    size_t uses = 0;
    for (const Statement::Operand &operand : statement.operands)
      uses += std::count(operand.labels.begin(), operand.labels.end(), label);
    if (uses == 1)
      once += label;
  }
  std::sort(once.begin(), once.end());
  statement.isImplicit = once == statement.output && !numEllipsis;
  return true;
}

void Generator::makeStatement(bool isLast) {
  Statement statement;
  statement.target = pickTarget(isLast);
  Tensor target = *program.find(statement.target);
  if (oneIn(4))
    makeEinsum(statement, target);
  else
    makeComprehension(statement, target);
  statement.saysLet = target.role == Tensor::Temporary && oneIn(2);
  written.push_back(statement.target);
  program.statements.push_back(std::move(statement));
}

/// Sizes small enough for the plainest of evaluations.
void Generator::limitWork() {
  auto extentOf = [&](const Linear &dim) {
    return std::max<double>(dim.evaluate(program.getValues()), 1);
  };
  auto countPoints = [&] {
    double worst = 1;
    for (const auto &entry : program.tensors) {
      double elements = 1;
      for (const Linear &dim : entry.second.dims)
        elements *= extentOf(dim);
      worst = std::max(worst, elements * 4);
    }
    for (const Statement &statement : program.statements) {
      // An upper bound: the dims of each index's first subscript.
      std::map<std::string, double> extents;
      auto see = [&](const std::string &index, const Linear &dim) {
        double &extent = extents[index];
        extent = extent == 0 ? extentOf(dim) : std::min(extent, extentOf(dim));
      };
      std::vector<const Expr *> accesses;
      collectAccesses(statement.value, accesses);
      const Tensor &target = *program.find(statement.target);
      for (size_t i = 0; i < statement.indices.size(); ++i)
        see(statement.indices[i], target.dims[i]);
      for (const Expr *access : accesses)
        for (size_t i = 0; i < access->subscripts.size(); ++i)
          for (const auto &[name, factor] : access->subscripts[i].terms)
            if (name[0] >= 'a')
              see(name, program.find(access->text)->dims[i]);
      for (const Statement::Operand &operand : statement.operands)
        for (size_t i = 0; i < operand.labels.size(); ++i)
          see(std::string(1, operand.labels[i]),
              program.find(operand.tensor)->dims[i]);
      double points = 1;
      for (const auto &[name, extent] : extents)
        points *= extent;
      worst = std::max(worst, points);
    }
    return worst;
  };
  while (countPoints() > 4e5) {
    auto largest = std::max_element(
        program.sizes.begin(), program.sizes.end(),
        [](const Size &a, const Size &b) { return a.value < b.value; });
    if (largest->value <= 2)
      break;
    largest->value = std::max<int64_t>(2, largest->value * 2 / 3);
  }
}

/// Makes one thing not fit.
void Generator::damage() {
  if (program.tensors.empty())
    return;
  Tensor &tensor = program.tensors[upTo(program.tensors.size())].second;
  if (tensor.dims.empty() || oneIn(4)) {
    tensor.type = drawAnyType();
    return;
  }
  Linear &dim = tensor.dims[upTo(tensor.dims.size())];
  switch (upTo(3)) {
  case 0:
    dim.constant += oneIn(2) ? 1 : -1;
    break;
  case 1:
    dim = makeExtent();
    break;
  default:
    tensor.dims.pop_back();
  }
}

Program Generator::run(uint64_t seed) {
  makePalette();
  makeSizes();
  // Most bugs need one or two; a program costs what its code does in LLVM.
  unsigned count = draw({0, 50, 28, 13, 6, 3});
  for (unsigned i = 0; i < count; ++i)
    makeStatement(i + 1 == count);
  limitWork();
  if (oneIn(25))
    damage();
  program.isUnaligned = oneIn(2);
  // Those entries are twice as much code as all the rest.
  program.hasViews = oneIn(8);
  program.seed = 1 + seed % 1000;
  program.tidy();
  return std::move(program);
}

Program generate(uint64_t seed) { return Generator(seed).run(seed); }

} // namespace ein::fuzz
