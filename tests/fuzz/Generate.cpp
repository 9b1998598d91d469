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
#include "tests/fuzz/Generator.h"
#include <algorithm>

namespace ein::fuzz {

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
  // What an order of contraction is looked for: windows and conditions, too.
  bool isProduct = isReduction && oneIn(4);
  if (isProduct)
    statement.update = mayContinue && oneIn(3) ? "+=" : "+=!";
  bool mayReduce = isReduction;
  if (mayReduce)
    for (unsigned i = 0, count = draw({10, 50, 30, 10}) + isProduct; i < count;
         ++i)
      indices.push_back({getIndexName(indices.size()), makeExtent(), true});

  statement.accumulator = drawAccumulator(target.type);
  ElementType type =
      statement.accumulator.value_or(getAccumulator(target.type));
  hasRounding |= isFloat(type) && !isFloat(target.type);

  // `=` sums products of accesses, in which there are no casts.
  bool sumsProducts = statement.update == "=" && isReduction;
  unsigned count = isProduct ? 3 + upTo(3) : draw({0, 35, 40, 15, 8, 2});
  std::vector<ExprPtr> operands;
  indices.reserve(32);
  for (unsigned i = 0; i < count; ++i) {
    Typed operand = isProduct && !oneIn(6)
                        ? readNew(indices, type, /*drawsWindows=*/true)
                        : makeOperand(indices, type, mayReduce);
    if (isProduct)
      operand = convert(operand, type);
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
  statement.value = combine(
      operands, isProduct || (statement.update == "=" ? isReduction : oneIn(3)),
      type);

  bool isPlaced = oneIn(8) && placeTarget(statement, target.dims);
  if (!isPlaced && oneIn(10))
    isPlaced = scatterTarget(statement, target.dims, indices);
  if (!isPlaced && oneIn(8))
    makeRecurrence(statement, target);
  if (oneIn(isProduct ? 3 : 8))
    statement.condition = makeCondition(indices);

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
      target.role != Tensor::InOut && !isPlaced &&
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
  if (statement.operands.size() > 2 && oneIn(3)) {
    statement.groupBegin = upTo(statement.operands.size() - 1);
    statement.groupEnd =
        statement.groupBegin + 2 +
        upTo(statement.operands.size() - statement.groupBegin - 1);
  }
  if (oneIn(5))
    statement.spelling = static_cast<Statement::Spelling>(1 + upTo(3));
  std::sort(once.begin(), once.end());
  statement.isImplicit = once == statement.output && !numEllipsis;
  return true;
}

void Generator::makeStatement(bool isLast) {
  Statement statement;
  statement.target = pickTarget(isLast);
  Tensor target = *program.find(statement.target);
  unsigned form = draw({60, 24, 8, 8});
  bool isMade = form == 1   ? makeEinsum(statement, target)
                : form == 2 ? makeCall(statement, target)
                            : form == 3 && makeArgument(statement, target);
  if (!isMade)
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
