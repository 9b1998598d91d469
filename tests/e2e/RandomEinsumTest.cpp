//===- RandomEinsumTest.cpp - Random einsums, shrunk when they fail -------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Draws einsum strings with sizes, types and a choice of what is compiled in;
// one in four is called through its view entry, on random strides, and in most
// of them a strategy is forced.
// One that fails is made smaller step by step as long as it still fails, and
// then printed as a command. EIN_SEED and EIN_EINSUMS say which and how many.
//
//===----------------------------------------------------------------------===//

#include "tests/e2e/Harness.h"
#include <algorithm>
#include <map>
#include <random>

namespace ein::test {
namespace {

struct Einsum {
  std::vector<std::string> operands;
  std::optional<std::string> output; // none: implicit
  std::map<char, int64_t> extents;
  std::map<char, bool> isStatic;
  ElementType type = ElementType::F32;
  unsigned optLevel = 3;
  bool unaligned = false;
  bool views = false;
  bool parallel = false;
  std::string packing = "auto", threads = "auto";
  uint64_t seed = 1;
  /// The operands' types; those that are not there are the result's.
  std::map<size_t, ElementType> narrow;
  std::optional<ElementType> accumulator;

  /// Only in a def do operands have types of their own.
  std::string str() const {
    return output && (accumulator || !narrow.empty()) ? getDef() : getString();
  }
  std::string getString() const {
    std::string text;
    for (size_t i = 0; i < operands.size(); ++i)
      text += (i ? "," : "") + operands[i];
    return output ? text + "->" + *output : text;
  }
  /// A def, because only there operands have types of their own.
  std::string getDef() const {
    std::string text = "def f(", names;
    auto add = [&](char name, ElementType elements, const std::string &labels) {
      text += std::string(1, name) + ": " + getSpelling(elements).str();
      for (size_t i = 0; i < labels.size(); ++i)
        text += (i ? ", " : "(") + std::string(1, labels[i]);
      text += labels.empty() ? "" : ")";
    };
    for (size_t i = 0; i < operands.size(); ++i) {
      char name = 'A' + i;
      text += i ? ", " : "";
      names += std::string(", ") + name;
      auto other = narrow.find(i);
      add(name, other == narrow.end() ? type : other->second, operands[i]);
    }
    text += ") -> (";
    add('Z', type, *output);
    text += ") { Z = einsum(\"" + getString() + "\"" + names;
    if (accumulator)
      text += ", acc=" + getSpelling(*accumulator).str();
    return text + ") }";
  }
  bool uses(char label) const {
    return llvm::any_of(operands, [&](const std::string &operand) {
      return operand.find(label) != std::string::npos;
    });
  }
  double countPoints() const {
    double points = 1;
    for (auto [label, extent] : extents)
      if (uses(label))
        points *= std::max<int64_t>(extent, 1);
    return points;
  }
};

class Generator {
public:
  explicit Generator(uint64_t seed) : random(seed) {}

  Einsum draw() {
    Einsum einsum;
    // Long products have steps in blocks of rows, with contractions in them.
    bool isLong = oneIn(8);
    std::string pool =
        isLong ? "ijklmnopq" : std::string("ijklmnop").substr(0, 2 + upTo(6));
    unsigned numOperands = isLong ? 5 + upTo(4) : 1 + upTo(5);
    for (unsigned i = 0; i < numOperands; ++i) {
      std::string operand;
      unsigned rank = upTo(6);
      for (unsigned d = 0; d < rank; ++d) {
        char label = pool[upTo(pool.size())];
        // A repeated label is a diagonal: some, not most.
        if (operand.find(label) != std::string::npos && !oneIn(6))
          continue;
        operand += label;
      }
      einsum.operands.push_back(operand);
    }
    // Of one operand without labels nothing is left of the text.
    if (numOperands == 1 && einsum.operands[0].empty())
      einsum.operands[0] = "i";
    if (!oneIn(4)) {
      std::string output;
      for (char label : pool)
        if (einsum.uses(label) && oneIn(2) && output.size() < 5)
          output += label;
      std::shuffle(output.begin(), output.end(), random);
      einsum.output = output;
    }
    unsigned binding = upTo(3); // nothing, some, everything compiled in
    for (char label : pool) {
      if (!einsum.uses(label))
        continue;
      einsum.extents[label] = oneIn(6) ? 10 + upTo(31) : upTo(10);
      // Zeros make the rest of a program pointless to look at.
      if (einsum.extents[label] == 0 && !oneIn(3))
        einsum.extents[label] = 1 + upTo(9);
      einsum.isStatic[label] = binding == 2 || (binding == 1 && oneIn(2));
    }
    while (einsum.countPoints() > 1e6)
      for (auto &[label, extent] : einsum.extents)
        extent = std::min<int64_t>(extent, std::max<int64_t>(extent / 2, 2));
    einsum.type = drawType();
    ElementType computed = getAccumulator(einsum.type);
    // One that the result alone would not have.
    if (oneIn(4))
      if (ElementType type = drawType();
          fits(einsum.type, type) && isComplex(type) == isComplex(einsum.type))
        einsum.accumulator = computed = type;
    if (oneIn(2))
      for (size_t i = 0; i < numOperands; ++i)
        if (ElementType type = drawType(); fits(type, computed))
          einsum.narrow[i] = type;
    einsum.views = oneIn(4);
    einsum.optLevel = oneIn(6) ? upTo(3) : 3;
    einsum.unaligned = oneIn(2);
    einsum.seed = 1 + upTo(1000);
    einsum.parallel = oneIn(4);
    const char *packing[] = {"auto",  "auto",   "always", "never",
                             "first", "second", "rows",   "versions"};
    einsum.packing = packing[upTo(std::size(packing))];
    const char *threads[] = {"auto", "always", "outside"};
    einsum.threads = threads[upTo(std::size(threads))];
    return einsum;
  }

private:
  ElementType drawType() {
    static constexpr ElementType types[] = {
#define EIN_ELEMENT_TYPE(ENUM, SPELLING, CTYPE, KIND, BITS, NPY)               \
  ElementType::ENUM,
#include "abi/ElementTypes.def"
    };
    return oneIn(3) ? ElementType::F32 : types[upTo(std::size(types))];
  }
  unsigned upTo(unsigned bound) { return random() % bound; }
  bool oneIn(unsigned n) { return upTo(n) == 0; }
  std::mt19937_64 random;
};

testing::AssertionResult run(const Einsum &einsum) {
  BuildOptions options;
  options.drawsCpu = true;
  options.type = einsum.type;
  options.optLevel = einsum.optLevel;
  options.views = einsum.views;
  options.parallel = einsum.parallel;
  options.packing = einsum.packing;
  options.threads = einsum.threads;
  Sizes sizes;
  for (auto [label, extent] : einsum.extents)
    if (einsum.uses(label))
      (einsum.isStatic.at(label) ? options.bindings : sizes)
          .push_back({std::string(1, label), extent});
  Compiled compiled(einsum.str(), options);
  CallOptions call;
  call.seed = einsum.seed;
  call.unaligned = einsum.unaligned;
  call.views = einsum.views;
  return compiled.check(sizes, call);
}

/// Everything that is one step simpler.
std::vector<Einsum> simplify(const Einsum &einsum) {
  std::vector<Einsum> simpler;
  auto add = [&](const Einsum &candidate) {
    if (candidate.operands.size() == 1 && candidate.operands[0].empty())
      return;
    simpler.push_back(candidate);
    Einsum &last = simpler.back();
    if (last.output)
      last.output->erase(
          llvm::remove_if(*last.output,
                          [&](char label) { return !last.uses(label); }),
          last.output->end());
  };
  for (size_t i = 0; einsum.operands.size() > 1 && i < einsum.operands.size();
       ++i) {
    Einsum candidate = einsum;
    candidate.operands.erase(candidate.operands.begin() + i);
    candidate.narrow.clear();
    for (auto [position, type] : einsum.narrow)
      if (position != i)
        candidate.narrow[position - (position > i)] = type;
    add(candidate);
  }
  for (const auto &[position, type] : einsum.narrow) {
    Einsum candidate = einsum;
    candidate.narrow.erase(position);
    add(candidate);
  }
  if (einsum.accumulator) {
    Einsum candidate = einsum;
    candidate.accumulator.reset();
    add(candidate);
  }
  if (einsum.views) {
    Einsum candidate = einsum;
    candidate.views = false;
    add(candidate);
  }
  if (einsum.parallel) {
    Einsum candidate = einsum;
    candidate.parallel = false;
    add(candidate);
  }
  if (einsum.packing != "auto") {
    Einsum candidate = einsum;
    candidate.packing = "auto";
    add(candidate);
  }
  for (const auto &[label, extent] : einsum.extents) {
    if (!einsum.uses(label))
      continue;
    Einsum candidate = einsum;
    for (std::string &operand : candidate.operands)
      llvm::erase(operand, label);
    add(candidate);
    for (int64_t smaller : {int64_t(1), extent / 2, extent - 1})
      if (smaller < extent && smaller > 0) {
        candidate = einsum;
        candidate.extents[label] = smaller;
        add(candidate);
      }
    if (einsum.isStatic.at(label)) {
      candidate = einsum;
      candidate.isStatic[label] = false;
      add(candidate);
    }
  }
  return simpler;
}

Einsum shrink(Einsum einsum) {
  for (int budget = 150; budget > 0;) {
    bool progress = false;
    for (const Einsum &candidate : simplify(einsum)) {
      if (budget-- <= 0)
        break;
      if (!run(candidate)) {
        einsum = candidate;
        progress = true;
        break;
      }
    }
    if (!progress)
      break;
  }
  return einsum;
}

TEST(RandomEinsum, AgreesWithReference) {
  const char *text = std::getenv("EIN_EINSUMS");
  unsigned count = text ? std::atoi(text) : 120;
  uint64_t seed = getSeed();
  std::printf("%u einsums with EIN_SEED=%llu\n", count,
              static_cast<unsigned long long>(seed));
  for (unsigned i = 0; i < count; ++i) {
    Einsum einsum = Generator(seed * 1000003 + i).draw();
    testing::AssertionResult result = run(einsum);
    if (result)
      continue;
    ADD_FAILURE() << "einsum " << i << ", `" << einsum.str() << "`, packing "
                  << einsum.packing << ", threads " << einsum.threads << ": "
                  << result.message()
                  << "\nsmallest found: " << run(shrink(einsum)).message();
  }
}

} // namespace
} // namespace ein::test
