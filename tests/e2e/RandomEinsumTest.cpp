//===- RandomEinsumTest.cpp - Random einsums, shrunk when they fail -------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Draws einsum strings with sizes, types and a choice of what is compiled in.
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
  uint64_t seed = 1;

  /// Bit i: operand i is f32 although the result is f64.
  unsigned narrow = 0;

  std::string str() const {
    return type == ElementType::F64 && output && narrow ? getDef()
                                                        : getString();
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
    auto add = [&](char name, const char *elements, const std::string &labels) {
      text += std::string(1, name) + ": " + elements;
      for (size_t i = 0; i < labels.size(); ++i)
        text += (i ? ", " : "(") + std::string(1, labels[i]);
      text += labels.empty() ? "" : ")";
    };
    for (size_t i = 0; i < operands.size(); ++i) {
      char name = 'A' + i;
      text += i ? ", " : "";
      names += std::string(", ") + name;
      add(name, narrow >> i & 1 ? "f32" : "f64", operands[i]);
    }
    text += ") -> (";
    add('Z', "f64", *output);
    return text + ") { Z = einsum(\"" + getString() + "\"" + names + ") }";
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
    std::string pool = std::string("ijklmnop").substr(0, 2 + upTo(6));
    unsigned numOperands = 1 + upTo(5);
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
    einsum.type = oneIn(2) ? ElementType::F64 : ElementType::F32;
    einsum.narrow = oneIn(2) ? upTo(32) : 0;
    einsum.optLevel = oneIn(6) ? upTo(3) : 3;
    einsum.unaligned = oneIn(2);
    einsum.seed = 1 + upTo(1000);
    return einsum;
  }

private:
  unsigned upTo(unsigned bound) { return random() % bound; }
  bool oneIn(unsigned n) { return upTo(n) == 0; }
  std::mt19937_64 random;
};

testing::AssertionResult run(const Einsum &einsum) {
  BuildOptions options;
  options.type = einsum.type;
  options.optLevel = einsum.optLevel;
  Sizes sizes;
  for (auto [label, extent] : einsum.extents)
    if (einsum.uses(label))
      (einsum.isStatic.at(label) ? options.bindings : sizes)
          .push_back({std::string(1, label), extent});
  Compiled compiled(einsum.str(), options);
  CallOptions call;
  call.seed = einsum.seed;
  call.unaligned = einsum.unaligned;
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
    ADD_FAILURE() << "einsum " << i << ", `" << einsum.str()
                  << "`: " << result.message()
                  << "\nsmallest found: " << run(shrink(einsum)).message();
  }
}

} // namespace
} // namespace ein::test
