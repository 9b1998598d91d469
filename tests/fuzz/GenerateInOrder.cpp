//===- GenerateInOrder.cpp - Scatters and recurrences ---------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A comprehension becomes one whose points have an order: a subscript on the
// left is computed of its index, of another, or of data; or the right side
// reads what earlier points have written.
//
//===----------------------------------------------------------------------===//

#include "tests/fuzz/Generator.h"
#include <algorithm>

namespace ein::fuzz {

/// Only indices that have their ranges from the right side.
bool Generator::scatterTarget(Statement &statement,
                              const std::vector<Linear> &dims,
                              const std::vector<Index> &indices) {
  bool isScatter = false;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (!indices[i].isAlone || !oneIn(2))
      continue;
    const std::string &own = indices[i].name;
    const Index &other = pick(indices);
    std::string size = "(" + dims[i].str() + ")";
    std::string &subscript = statement.indices[i];
    switch (upTo(other.isAlone ? 4 : 2)) {
    case 0:
      subscript = own + " * " + own + " % " + size;
      break;
    case 1:
      if (!statement.data.empty())
        continue;
      statement.data =
          addTensor(Tensor::Input, ElementType::I32, {indices[i].extent});
      subscript = "abs(" + statement.data + "(" + own + ")) % " + size;
      break;
    case 2:
      subscript = "(" + own + " + 2*" + other.name + ") % " + size;
      break;
    default:
      subscript = "min(" + own + " + " + other.name + ", " + size + " - 1)";
    }
    isScatter = true;
  }
  return isScatter;
}

/// value + pad(T(i - 1, j), 1), up or down, one or two steps back.
bool Generator::makeRecurrence(Statement &statement, const Tensor &target) {
  bool isNew = target.role != Tensor::InOut &&
               std::find(written.begin(), written.end(), statement.target) ==
                   written.end();
  bool starts = statement.update == "=" || statement.update.back() == '!';
  if (target.dims.empty() || !isNew || !starts)
    return false;
  size_t along = upTo(target.dims.size());
  int64_t direction = oneIn(3) ? 1 : -1;
  for (unsigned count = 1 + oneIn(3); count != 0; --count) {
    std::vector<Linear> subscripts;
    for (size_t i = 0; i < target.dims.size(); ++i) {
      Linear subscript = Linear::name(statement.indices[i]);
      if (i == along)
        subscript.constant = direction * (1 + upTo(2));
      else if (i > along && oneIn(4))
        subscript.constant = oneIn(2) ? 1 : -1;
      subscripts.push_back(subscript);
    }
    ExprPtr before = makeBinary("pad", makeAccess(statement.target, subscripts),
                                makeLiteral("1"));
    static const std::vector<std::string> operators = {"+", "+", "max", "-"};
    std::string text =
        target.type == ElementType::Bool ? "max" : pick(operators);
    statement.value = makeBinary(text, statement.value, before);
  }
  return true;
}

} // namespace ein::fuzz
