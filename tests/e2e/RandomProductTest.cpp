//===- RandomProductTest.cpp - Random products with index arithmetic ------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Draws sums of three to five factors with windows (strides, dilations, pads),
// reversed and computed factors, and conditions, so that steps of orders loop
// over sums of indices, over the indices, and look at conditions. EIN_SEED and
// EIN_PRODUCTS say which and how many.
//
//===----------------------------------------------------------------------===//

#include "tests/e2e/Harness.h"
#include <random>
#include <set>

namespace ein::test {
namespace {

class Drawer {
public:
  explicit Drawer(uint64_t seed) : random(seed) {}

  std::string drawProgram();
  Sizes drawSizes();
  BuildOptions drawOptions();

private:
  unsigned upTo(unsigned bound) { return random() % bound; }
  bool oneIn(unsigned n) { return upTo(n) == 0; }
  char drawIndex() { return pool[upTo(pool.size())]; }
  /// A dim and the subscript that reads it.
  std::pair<std::string, std::string> drawDim(std::set<char> &alone);
  std::string drawCondition();

  std::mt19937_64 random;
  std::string pool;
};

std::string getSize(char index) {
  return std::string(1, static_cast<char>(std::toupper(index)));
}

std::pair<std::string, std::string> Drawer::drawDim(std::set<char> &alone) {
  char i = drawIndex(), k = drawIndex();
  std::string one(1, i), size = getSize(i);
  switch (oneIn(2) || i == k ? upTo(5) : 5) {
  case 0: // an offset
    return {size + " + 3", one + " + " + std::to_string(upTo(4))};
  case 1: // a stride
    return {"2*" + size, "2*" + one + " + " + std::to_string(upTo(2))};
  case 2: // reversed
    return {size, size + " - 1 - " + one};
  case 5: { // a window
    std::string s = std::to_string(1 + upTo(3)),
                t = std::to_string(1 + upTo(2));
    return {s + "*" + size + " + " + t + "*" + getSize(k),
            s + "*" + one + " + " + t + "*" + k};
  }
  default:
    alone.insert(i);
    return {size, one};
  }
}

std::string Drawer::drawCondition() {
  std::string i(1, drawIndex()), k(1, drawIndex());
  switch (upTo(4)) {
  case 0:
    return i + " <= " + k;
  case 1:
    return i + " + 1 != " + k;
  case 2:
    return i + " > 0 && " + k + " != 2";
  default:
    return "A0(" + i + ") > " + k;
  }
}

std::string Drawer::drawProgram() {
  pool = std::string("ijklmn").substr(0, 3 + upTo(4));
  static constexpr const char *types[] = {"f32", "f32", "f64", "i32", "c64"};
  std::string type = types[upTo(std::size(types))];
  std::set<char> alone, used;
  std::string params, product;
  unsigned numFactors = 3 + upTo(3);
  for (unsigned f = 0; f < numFactors; ++f) {
    std::string name = "B" + std::to_string(f), dims, subscripts;
    for (unsigned d = 0, rank = 1 + upTo(3); d < rank; ++d) {
      auto [dim, subscript] = drawDim(alone);
      dims += (d ? ", " : "") + dim;
      subscripts += (d ? ", " : "") + subscript;
      for (char index : pool)
        if (subscript.find(index) != std::string::npos)
          used.insert(index);
    }
    params += (f ? ", " : "") + name + ": " + type + "(" + dims + ")";
    std::string factor = name + "(" + subscripts + ")";
    // The places of the largest window are all in the tensor, but for these.
    if (type != "c64" && oneIn(5))
      factor = "pad(" + name + "(" + subscripts + " - 1), 2)";
    else if (type == "f32" && oneIn(8))
      factor = "tanh(" + factor + ")";
    else if (type == "c64" && oneIn(4))
      factor = "conj(" + factor + ")";
    product += (f ? " * " : "") + factor;
  }
  std::string output, results;
  for (char index : used)
    if (output.size() < 3 && oneIn(2))
      output += index;
  for (size_t i = 0; i < output.size(); ++i)
    results += (i ? ", " : "") + getSize(output[i]);
  std::string target;
  for (size_t i = 0; i < output.size(); ++i)
    target += (i ? ", " : "") + std::string(1, output[i]);
  std::string where;
  for (char index : used)
    where += (where.empty() ? " where " : ", ") + std::string(1, index) +
             " in 0:" + getSize(index);
  for (unsigned count = upTo(3); count > 0; --count) {
    std::string condition = drawCondition();
    bool isKnown = llvm::all_of(pool, [&](char index) {
      return used.count(index) || condition.find(index) == std::string::npos;
    });
    if (isKnown)
      where += ", " + condition;
  }
  std::string result = type + (results.empty() ? "" : "(" + results + ")");
  std::string left = target.empty() ? "Z" : "Z(" + target + ")";
  bool continues = oneIn(4);
  if (where.find("A0") != std::string::npos)
    params += ", A0: i32(P)";
  return "def f(" + params + ") -> (" + (continues ? "inout " : "") +
         "Z: " + result + ") { " + left + (continues ? " += " : " +=! ") +
         product + where + " }";
}

Sizes Drawer::drawSizes() {
  Sizes sizes;
  double points = 1;
  for (char index : std::string("ijklmn")) {
    int64_t size = oneIn(8) ? upTo(2) : 1 + upTo(oneIn(4) ? 12 : 5);
    if (points * size > 3e4)
      size = 2;
    points *= std::max<int64_t>(size, 1);
    sizes.push_back({getSize(index), size});
  }
  sizes.push_back({"P", 13});
  return sizes;
}

BuildOptions Drawer::drawOptions() {
  BuildOptions options;
  options.drawsCpu = true;
  options.optLevel = oneIn(5) ? upTo(3) : 3;
  options.parallel = oneIn(5);
  options.views = oneIn(5);
  return options;
}

TEST(RandomProduct, AgreesWithReference) {
  const char *text = std::getenv("EIN_PRODUCTS");
  unsigned count = text ? std::atoi(text) : 60;
  uint64_t seed = getSeed();
  std::printf("%u products with EIN_SEED=%llu\n", count,
              static_cast<unsigned long long>(seed));
  unsigned numOrdered = 0;
  for (unsigned i = 0; i < count; ++i) {
    Drawer drawer(seed * 1000003 + i);
    std::string program = drawer.drawProgram();
    Sizes sizes = drawer.drawSizes();
    BuildOptions options = drawer.drawOptions();
    // Every other one has all sizes compiled in.
    if (i % 2 == 0)
      options.bindings =
          getPresent(program.substr(0, program.find("->")), sizes);
    Compiled compiled(program, options);
    ASSERT_TRUE(compiled.isOk()) << program;
    const Def &def = compiled.getProgram().defs.back();
    std::optional<Product> product =
        def.getProduct(def.statements.back(), /*keepsOrder=*/false);
    numOrdered += product && !product->isEinsum;
    CallOptions call;
    call.seed = 1 + i;
    call.views = options.views;
    EXPECT_TRUE(compiled.check(sizes, call)) << program;
  }
  // It would say nothing if there were none.
  EXPECT_GT(numOrdered, count / 4);
}

} // namespace
} // namespace ein::test
