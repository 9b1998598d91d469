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
// programs get a subscript or a dim changed afterwards: those are for the
// checks.
//
//===----------------------------------------------------------------------===//

#include "tests/fuzz/Generate.h"
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

  void makeSizes();
  Linear makeExtent();
  std::string addTensor(Tensor::Role role, bool isDouble,
                        std::vector<Linear> dims);
  bool isReadable(const std::string &name) const;
  std::vector<std::string> findReadable(bool isDouble) const;

  std::string pickTarget(bool isLast);
  void makeStatement(bool isLast);
  void makeComprehension(Statement &statement, Tensor target);
  bool makeEinsum(Statement &statement, const Tensor &target);
  Linear makeSubscript(const Linear &dim, std::vector<Index> &indices,
                       bool mayReduce);
  ExprPtr readExisting(std::vector<Index> &indices, bool isDouble,
                       bool mayReduce);
  ExprPtr readNew(std::vector<Index> &indices, bool isDouble);
  ExprPtr combine(std::vector<ExprPtr> operands, bool isProduct);
  ExprPtr applyFunction(ExprPtr operand);
  ExprPtr makeNumber();
  std::string getIndexName(size_t position) {
    return std::string(1, "ijklmnopqrstuvwx"[position]);
  }
  void limitWork();
  void damage();

  std::mt19937_64 random;
  Program program;
  unsigned numInputs = 0, numTemporaries = 0, numOutputs = 0;
  std::vector<std::string> written;
};

} // namespace

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

std::string Generator::addTensor(Tensor::Role role, bool isDouble,
                                 std::vector<Linear> dims) {
  std::string name = role == Tensor::Input ? "A" + std::to_string(numInputs++)
                     : role == Tensor::Temporary
                         ? "t" + std::to_string(numTemporaries++)
                         : "O" + std::to_string(numOutputs++);
  Tensor tensor;
  tensor.role = role;
  tensor.isDouble = isDouble;
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

std::vector<std::string> Generator::findReadable(bool isDouble) const {
  std::vector<std::string> names;
  for (const auto &[name, tensor] : program.tensors)
    if (isReadable(name) && (isDouble || !tensor.isDouble))
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
  return addTensor(role, oneIn(3), dims);
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

ExprPtr Generator::readExisting(std::vector<Index> &indices, bool isDouble,
                                bool mayReduce) {
  std::vector<std::string> names = findReadable(isDouble);
  if (names.empty())
    return nullptr;
  std::string name = pick(names);
  std::vector<Linear> subscripts;
  std::vector<Linear> dims = program.find(name)->dims;
  for (const Linear &dim : dims)
    subscripts.push_back(makeSubscript(dim, indices, mayReduce));
  return makeAccess(name, subscripts);
}

ExprPtr Generator::readNew(std::vector<Index> &indices, bool isDouble) {
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
  return makeAccess(
      addTensor(Tensor::Input, isDouble && oneIn(2), std::move(dims)),
      subscripts);
}

ExprPtr Generator::makeNumber() {
  static const std::vector<std::string> numbers = {
      "0.5", "2.0", "1.0", "0.25", "3", "0.1", "1.5", "0.0", "0.7"};
  return makeLiteral(pick(numbers));
}

ExprPtr Generator::applyFunction(ExprPtr x) {
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
    return makeBinary(oneIn(2) ? "max" : "min", x, makeNumber());
  case 7:
    return makeBinary("/", oneIn(2) ? one : makeNumber(), positive());
  default:
    return makeBinary(oneIn(2) ? "+" : "*", makeNumber(), x);
  }
}

ExprPtr Generator::combine(std::vector<ExprPtr> operands, bool isProduct) {
  std::shuffle(operands.begin(), operands.end(), random);
  if (isProduct) {
    if (oneIn(5))
      operands.push_back(makeNumber());
    ExprPtr result = operands[0];
    for (size_t i = 1; i < operands.size(); ++i)
      result = makeBinary("*", result, operands[i]);
    return result;
  }
  while (operands.size() > 1 || oneIn(4)) {
    size_t i = upTo(operands.size());
    ExprPtr x = operands[i];
    if (oneIn(3) || operands.size() == 1) {
      operands[i] = applyFunction(x);
      continue;
    }
    operands.erase(operands.begin() + i);
    ExprPtr &y = operands[upTo(operands.size())];
    switch (draw({30, 20, 30, 6, 7, 7})) {
    case 0:
      y = makeBinary("+", x, y);
      break;
    case 1:
      y = makeBinary("-", x, y);
      break;
    case 2:
      y = makeBinary("*", x, y);
      break;
    case 3:
      y = makeBinary(
          "/", x,
          oneIn(4) ? y
                   : makeBinary("+", makeLiteral("1.0"), makeUnary("abs", y)));
      break;
    case 4:
      y = makeBinary("max", x, y);
      break;
    default:
      y = makeBinary("min", x, y);
    }
  }
  return operands[0];
}

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

  unsigned count = draw({0, 35, 40, 15, 8, 2});
  std::vector<ExprPtr> operands;
  indices.reserve(32);
  for (unsigned i = 0; i < count; ++i) {
    ExprPtr operand;
    if (!oneIn(3))
      operand = readExisting(indices, target.isDouble, mayReduce);
    operands.push_back(operand ? operand : readNew(indices, target.isDouble));
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
    operands.push_back(
        makeAccess(addTensor(Tensor::Input, false, dims), subscripts));
  statement.value =
      combine(operands, statement.update == "=" ? isReduction : oneIn(3));

  // A new shape may be left to be inferred, where it can be.
  bool isKnown =
      std::all_of(indices.begin(), indices.end(),
                  [](const Index &i) { return i.isReduced || i.isAlone; });
  bool isNew = std::find(written.begin(), written.end(), statement.target) ==
               written.end();
  bool isInferable = !target.isDouble && target.role != Tensor::InOut;
  if (isNew && isKnown && isInferable && statement.update != "+=" && !oneIn(3))
    program.find(statement.target)->declaresDims = false;
}

bool Generator::makeEinsum(Statement &statement, const Tensor &target) {
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
        {addTensor(Tensor::Input, target.isDouble && oneIn(2), dims), term});
  };
  for (unsigned i = 0; i < count; ++i) {
    // Of an existing tensor each dim needs a label of its extent.
    std::vector<std::string> names = findReadable(target.isDouble);
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
  if (tensor.dims.empty())
    return;
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
  makeSizes();
  unsigned count = draw({0, 35, 30, 20, 10, 5});
  for (unsigned i = 0; i < count; ++i)
    makeStatement(i + 1 == count);
  limitWork();
  if (oneIn(25))
    damage();
  program.isUnaligned = oneIn(2);
  program.seed = 1 + seed % 1000;
  program.tidy();
  return std::move(program);
}

Program generate(uint64_t seed) { return Generator(seed).run(seed); }

} // namespace ein::fuzz
