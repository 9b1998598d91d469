//===- GenerateCall.cpp - Random named ops and places ---------------------===//
//-----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Forms whose operands have to fit each other, so that they are drawn as a
// whole: calls with attributes, positions of a largest element, targets that
// are written in part.
//
//===----------------------------------------------------------------------===//

#include "tests/fuzz/Generator.h"
#include <algorithm>

namespace ein::fuzz {

/// A named op for a target of that shape; false if there is none.
bool Generator::makeCall(Statement &statement, const Tensor &target) {
  const std::vector<Linear> dims = target.dims;
  ElementType type = target.type;
  auto call = [&](const std::string &op, std::string attributes,
                  const std::vector<std::vector<Linear>> &operands) {
    statement.op = op;
    statement.attributes = std::move(attributes);
    for (const std::vector<Linear> &shape : operands)
      statement.operands.push_back({addTensor(Tensor::Input, type, shape), ""});
    return true;
  };
  auto list = [](const std::vector<unsigned> &numbers) {
    std::string text;
    for (unsigned number : numbers)
      text += (text.empty() ? "[" : ", ") + std::to_string(number);
    return text + "]";
  };
  if (dims.empty() || type == ElementType::Bool)
    return false;
  Linear k = makeExtent();
  switch (upTo(5)) {
  case 0: { // dim i of the result is dim p[i] of the operand
    std::vector<unsigned> order(dims.size());
    for (unsigned i = 0; i < order.size(); ++i)
      order[i] = i;
    std::shuffle(order.begin(), order.end(), random);
    std::vector<Linear> shape(dims.size());
    for (unsigned i = 0; i < order.size(); ++i)
      shape[order[i]] = dims[i];
    return call("transpose", "permutation=" + list(order), {shape});
  }
  case 1: {
    std::vector<unsigned> added;
    std::vector<Linear> shape;
    for (unsigned i = 0; i < dims.size(); ++i)
      if (added.empty() || oneIn(2))
        added.push_back(i);
      else
        shape.push_back(dims[i]);
    return call("broadcast", "dimensions=" + list(added), {shape});
  }
  case 2:
    if (isFloat(type))
      return call("softmax", "dim=" + std::to_string(upTo(dims.size())),
                  {dims});
    break;
  case 3:
    if (dims.size() == 3) {
      unsigned stride = 1 + upTo(2), dilation = 1 + upTo(2);
      Linear width = Linear::number(1 - int64_t(stride) - int64_t(dilation));
      width.add(dims[1], stride);
      width.add(k, dilation);
      Linear channels = makeExtent();
      return call("conv_1d_nwc_wcf",
                  "strides=" + list({stride}) +
                      ", dilations=" + list({dilation}),
                  {{dims[0], width, channels}, {k, channels, dims[2]}});
    }
    break;
  default:
    break;
  }
  switch (dims.size()) {
  case 1:
    return call("matvec", "", {{dims[0], k}, {k}});
  case 2:
    return call("matmul", oneIn(3) ? "cast=cast_unsigned" : "",
                {{dims[0], k}, {k, dims[1]}});
  case 3:
    return call("batch_matmul", "",
                {{dims[0], dims[1], k}, {dims[0], k, dims[2]}});
  default:
    return false;
  }
}

/// `C(i) = T(argmax<k>(A(i, k))) where …`
bool Generator::makeArgument(Statement &statement, const Tensor &target) {
  if (target.type == ElementType::Bool || target.dims.size() > 4)
    return false;
  std::vector<Index> indices;
  std::vector<Linear> dims, subscripts;
  for (const Linear &dim : target.dims) {
    indices.push_back({getIndexName(indices.size()), dim, false, true});
    statement.indices.push_back(indices.back().name);
    dims.push_back(dim);
    subscripts.push_back(Linear::name(indices.back().name));
  }
  std::string reduced = getIndexName(indices.size());
  size_t at = upTo(dims.size() + 1);
  // Of no elements there is none.
  dims.insert(dims.begin() + at,
              oneIn(3) ? Linear::number(1 + upTo(9)) : makeExtent());
  subscripts.insert(subscripts.begin() + at, Linear::name(reduced));
  ExprPtr access =
      makeAccess(addTensor(Tensor::Input, drawAnyType(), dims), subscripts);
  ExprPtr place =
      makeUnary((oneIn(2) ? "argmax<" : "argmin<") + reduced + ">", access);
  bool isWhole =
      target.type == ElementType::I64 || target.type == ElementType::Index;
  statement.value = isWhole ? place : makeCast(target.type, false, place);
  if (oneIn(2))
    statement.condition = makeCondition(indices);
  return true;
}

/// Subscripts that are no index: some of the target's dims are written from the
/// end on, some at one place. Indices that are not on the left any more are
/// reduced, or unknown.
bool Generator::placeTarget(Statement &statement,
                            const std::vector<Linear> &dims) {
  bool isPlaced = false;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (!oneIn(2))
      continue;
    Linear subscript = dims[i];
    subscript.constant -= 1;
    if (oneIn(4))
      subscript = oneIn(2) ? Linear::number(upTo(2)) : subscript;
    else
      subscript.add(Linear::name(statement.indices[i]), -1);
    statement.indices[i] = subscript.str();
    isPlaced = true;
  }
  return isPlaced;
}

/// What skips some points, or none, or all.
std::string Generator::makeCondition(const std::vector<Index> &indices) {
  static const std::vector<std::string> comparisons = {"<",  "<=", ">",
                                                       ">=", "==", "!="};
  if (indices.empty())
    return "";
  std::string text;
  for (unsigned i = 0, count = 1 + upTo(2); i < count; ++i) {
    const std::string &index = pick(indices).name;
    std::string other = oneIn(2) ? pick(indices).name : std::to_string(upTo(5));
    text += (text.empty() ? "" : ", ") + index + " " + pick(comparisons) + " " +
            other;
  }
  return text;
}

} // namespace ein::fuzz
