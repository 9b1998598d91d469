//===- CheckedRun.cpp - One call beside what it should return -----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/CheckedRun.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace llvm;

namespace ein {

std::vector<int64_t> getSymbolValues(const Def &def, ArrayRef<int64_t> sizes) {
  size_t next = 0;
  return def.getSymbolValues([&](const Symbol &) { return sizes[next++]; });
}

/// The scalar that a slice's offset goes up with; none if that is not all.
static TensorId findStart(const Def &def, const Affine &offset) {
  TensorId found;
  for (const Affine::SymbolTerm &term : offset.getSymbolTerms()) {
    if (!def.dependsOnScalar(term.id))
      continue;
    for (const Affine::SymbolTerm &part :
         def[term.id].quotient->numerator.getSymbolTerms()) {
      if (!def.dependsOnScalar(part.id))
        continue;
      if (found.isValid() || term.coefficient != 1 || part.coefficient != 1)
        return {};
      found = def[part.id].scalar;
    }
  }
  return found;
}

static void restrictStarts(const Def &def, runtime::Invocation &invocation,
                           ArrayRef<bool> isGiven) {
  std::vector<int64_t> sizes = ein::getSymbolValues(def, invocation.getSizes());
  // From the least value to the largest.
  std::map<TensorId, std::pair<int64_t, int64_t>> rooms;
  for (const Statement &statement : def.statements)
    for (auto [dim, part] : llvm::enumerate(statement.slice)) {
      TensorId scalar = findStart(def, part.offset);
      if (!scalar.isValid())
        continue;
      IndexId index = statement.targetIndices[dim];
      int64_t extent = statement.indices[index.value].extent.evaluate(sizes);
      int64_t base = part.offset.evaluate(sizes);
      int64_t last = def[statement.target].dims[dim].evaluate(sizes) - 1 -
                     (extent - 1) * part.step;
      auto &[least, most] =
          rooms.try_emplace(scalar, 0, INT8_MAX).first->second;
      least = std::max(least, -base);
      most = std::min(most, last - base);
    }
  for (auto [scalar, room] : rooms) {
    auto [least, most] = room;
    size_t position = *invocation.find(def[scalar].name);
    if (most < least || isGiven[position])
      continue;
    runtime::Array &array = invocation.getArray(position);
    uint64_t value = 0;
    size_t width = getBitWidth(def[scalar].type) / 8;
    std::memcpy(&value, array.data(), width);
    value = least + value % static_cast<uint64_t>(most - least + 1);
    std::memcpy(array.data(), &value, width);
  }
}

/// Integers that say where a gather reads.
static void restrictSubscripts(const Def &def, runtime::Invocation &invocation,
                               ArrayRef<bool> isGiven) {
  std::vector<int64_t> sizes = ein::getSymbolValues(def, invocation.getSizes());
  for (const Expr &gather : def.exprs) {
    if (gather.kind != ExprKind::Gather || gather.outside != Outside::Checked)
      continue;
    for (auto [id, dim] :
         llvm::zip_equal(gather.places, def[gather.tensor].dims)) {
      const Expr &place = def[id];
      bool isRead =
          place.kind == ExprKind::Access || place.kind == ExprKind::Gather;
      if (!isRead || def[place.tensor].role != TensorRole::Input ||
          !isInteger(place.type))
        continue;
      size_t position = *invocation.find(def[place.tensor].name);
      if (isGiven[position])
        continue;
      runtime::Array &array = invocation.getArray(position);
      size_t width = getBitWidth(place.type) / 8;
      bool isSigned = getKind(place.type) == TypeKind::Signed;
      uint64_t largest = UINT64_MAX >> (64 - 8 * width + isSigned);
      uint64_t extent =
          std::min(largest, static_cast<uint64_t>(dim.evaluate(sizes)) - 1) + 1;
      char *element = static_cast<char *>(array.data());
      for (int64_t i = 0, e = array.getNumElements(); extent != 0 && i < e;
           ++i, element += width) {
        uint64_t value = 0;
        std::memcpy(&value, element, width);
        value %= extent;
        std::memcpy(element, &value, width);
      }
    }
  }
}

bool fillInputs(const Def *def, runtime::Invocation &invocation, uint64_t seed,
                std::string &error) {
  SmallVector<bool> isGiven;
  for (size_t i = 0, e = invocation.getSignature().arguments.size(); i != e;
       ++i)
    isGiven.push_back(invocation.isGiven(i));
  if (!invocation.fillMissing(seed, error))
    return false;
  if (!def)
    return true;
  restrictSubscripts(*def, invocation, isGiven);
  restrictStarts(*def, invocation, isGiven);
  return true;
}

LogicalResult
CheckedRun::evaluate(reference::Failure &failure,
                     const reference::EvaluateOptions &evaluation) {
  symbolValues = ein::getSymbolValues(def, invocation.getSizes());

  std::vector<reference::Value> inputs;
  auto add = [&](TensorId id) {
    const runtime::Array &array =
        invocation.getArray(*invocation.find(def[id].name));
    inputs.push_back(
        reference::makeValue(array.shape, def[id].type, array.data()));
  };
  for (TensorId id : def.params)
    add(id);
  for (TensorId id : def.results)
    if (def[id].role == TensorRole::InOut)
      add(id);
  return reference::evaluate(def, symbolValues, inputs, expected, failure,
                             evaluation);
}

size_t CheckedRun::getPosition(size_t result) const {
  return *invocation.find(def[def.results[result]].name);
}

reference::Comparison CheckedRun::compare(size_t result,
                                          const void *data) const {
  if (!data)
    data = invocation.getArray(getPosition(result)).data();
  return reference::compare(expected[result], def[def.results[result]].type,
                            data);
}

double countElements(ArrayRef<Affine> dims, ArrayRef<int64_t> values) {
  double count = 1;
  for (const Affine &dim : dims)
    count *= dim.evaluate(values);
  return count;
}

double countElements(const Def &def, ArrayRef<int64_t> values) {
  double count = 0;
  for (const Tensor &tensor : def.tensors)
    count += countElements(tensor.dims, values);
  return count;
}

std::string describeSizes(const runtime::Signature &signature,
                          ArrayRef<int64_t> sizes) {
  std::string text;
  for (auto [symbol, size] : llvm::zip(signature.symbols, sizes))
    text +=
        (text.empty() ? " at " : ", ") + symbol + "=" + std::to_string(size);
  return text;
}

std::string adviseSizes(const runtime::Signature &signature) {
  std::string text;
  for (const std::string &symbol : signature.symbols)
    text +=
        (text.empty() ? "; give sizes with `--sizes " : ",") + symbol + "=…";
  return text.empty() ? text : text + "`";
}

bool bindLargest(runtime::Invocation &invocation,
                 const runtime::Bindings &given, function_ref<bool()> isQuick,
                 std::string &error) {
  const runtime::Signature signature = invocation.getSignature();
  bool isComplete = given.size() == signature.symbols.size();
  if (isComplete)
    return invocation.bind(given, error);
  for (int64_t size = 1024; size > 0; size /= 2) {
    if (!invocation.bind(completeBindings(signature, given, size), error))
      return false;
    if (isQuick())
      return true;
  }
  return true; // of size 1, and large all the same
}

ArrayRef<ArrayRef<int64_t>> getSizeChoices() {
  static constexpr int64_t large[] = {37, 29, 41, 23, 31, 19, 43, 17, 13, 11};
  static constexpr int64_t medium[] = {11, 7, 13, 5, 9};
  static constexpr int64_t falling[] = {9, 8, 7, 6, 5, 3, 2};
  static constexpr int64_t small[] = {3, 5, 4, 2};
  static constexpr int64_t blocks[] = {16}, largeBlocks[] = {32};
  static constexpr int64_t least[] = {2};
  static constexpr int64_t equal[] = {23}, equalSmall[] = {5};
  static constexpr ArrayRef<int64_t> choices[] = {
      large,  falling,     equal, medium, equalSmall,
      blocks, largeBlocks, small, least};
  return choices;
}

runtime::Bindings completeBindings(const runtime::Signature &signature,
                                   const runtime::Bindings &given,
                                   ArrayRef<int64_t> choices) {
  runtime::Bindings bindings = given;
  std::set<std::string> known;
  for (const auto &[name, value] : given)
    known.insert(name);
  // A product follows from its factors.
  for (const runtime::Product &product : signature.products)
    if (product.whole.isLone())
      known.insert(signature.symbols[product.whole.terms[0].first]);
  size_t next = 0;
  for (const std::string &symbol : signature.symbols)
    if (!known.count(symbol))
      bindings.push_back({symbol, choices[next++ % choices.size()]});
  return bindings;
}

} // namespace ein
