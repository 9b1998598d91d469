//===- GenerateAccess.cpp - Random sizes, tensors and subscripts ----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/fuzz/Generator.h"
#include <algorithm>

namespace ein::fuzz {

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
  else if (oneIn(12))
    extent =
        Linear::name("(" + extent.terms[0].first + (oneIn(3) ? " % " : " / ") +
                     std::to_string(2 + upTo(3)) + ")");
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
                                    ElementType computeType,
                                    bool drawsWindows) {
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
    switch (drawsWindows ? draw({58, 6, 6, 4, 26})
                         : draw({72, 8, 6, 6, 6, 2})) {
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

} // namespace ein::fuzz
