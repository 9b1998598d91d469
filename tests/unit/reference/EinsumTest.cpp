//===- EinsumTest.cpp - Products of accesses against numpy and by hand ----===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DefBuilder.h"
#include "reference/Compare.h"
#include <cmath>
#include <random>

using namespace ein;
using namespace ein::reference;
using namespace ein::reference::test;

namespace {

struct Golden {
  const char *text;
  std::map<char, int64_t> sizes;
  std::vector<double> expected;
};

// numpy.einsum(text, *operands) of numpy 1.24, where operand t has the elements
// ((arange(n) * 7 + 3 * t + 3) % 11 - 5) / 4: all exact, sums included.
const Golden goldens[] = {
    {"ij,jk->ik",
     {{'i', 2}, {'j', 3}, {'k', 4}},
     {-1.25, 1.1875, -0.5, -1.5, -1.1875, 1.3125, -1.0, -1.25}},
    {"ij->ji", {{'i', 2}, {'j', 3}}, {-0.5, -0.75, 1.25, 1.0, 0.25, 0.0}},
    {"ij->", {{'i', 2}, {'j', 3}}, {1.25}},
    {"ij->i", {{'i', 3}, {'j', 4}}, {0.25, 0.75, -1.5}},
    {"ii->i", {{'i', 3}}, {-0.5, 1.0, -0.25}},
    {"ii->", {{'i', 4}}, {1.0}},
    {"iij,jk->ik",
     {{'i', 3}, {'j', 2}, {'k', 2}},
     {1.125, 0.375, -1.3125, 0.1875, -1.0, 0.0}},
    {"iji->j", {{'i', 2}, {'j', 3}}, {0.25, -1.0, 0.5}},
    {"i,i->", {{'i', 7}}, {-1.5625}},
    {"i,j->ij",
     {{'i', 2}, {'j', 3}},
     {-0.125, 0.375, -0.5, 0.3125, -0.9375, 1.25}},
    {",i->i", {{'i', 3}}, {-0.125, 0.375, -0.5}},
    {",->", {}, {-0.125}},
    {"->", {}, {-0.5}},
    {"ij,ij->ij",
     {{'i', 2}, {'j', 3}},
     {-0.125, -0.9375, 0.25, 0.0, -1.0, 0.0}},
    {"ij,ij->", {{'i', 2}, {'j', 3}}, {-1.8125}},
    {"ij,k->i", {{'i', 2}, {'j', 3}, {'k', 4}}, {0.5, 0.125}},
    {"bij,bjk->bik",
     {{'b', 2}, {'i', 2}, {'j', 3}, {'k', 2}},
     {0.875, 0.5625, 0.8125, 0.5625, 0.3125, 0.8125, -0.0625, 1.1875}},
    {"bij,kj->ibk",
     {{'b', 2}, {'i', 2}, {'j', 3}, {'k', 2}},
     {-0.8125, -1.0625, -1.0625, -0.9375, -0.9375, -1.0, -1.1875, -0.875}},
    {"ij,jk,kl->il",
     {{'i', 2}, {'j', 3}, {'k', 2}, {'l', 3}},
     {1.296875, -0.140625, -1.578125, 1.234375, -0.140625, -1.515625}},
    {"ij,jk,kl,lm->mi",
     {{'i', 2}, {'j', 2}, {'k', 3}, {'l', 2}, {'m', 3}},
     {0.86328125, -0.59375, -0.12109375, 0.08984375, 0.44140625, -0.30078125}},
    {"abc,cd,bd->a",
     {{'a', 2}, {'b', 3}, {'c', 2}, {'d', 3}},
     {1.484375, 1.421875}},
    {"ab,bc,ca->", {{'a', 3}, {'b', 2}, {'c', 3}}, {1.390625}},
    {"ijk,jil->kl",
     {{'i', 2}, {'j', 3}, {'k', 2}, {'l', 3}},
     {-1.3125, 2.125, -1.3125, 1.625, -2.6875, 1.25}},
    {"ij,j,i->", {{'i', 3}, {'j', 2}}, {-1.3125}},
    {"a,a,a->a", {{'a', 4}}, {-0.125, 0.0, -0.25, 0.0}},
    {"ab,cb->ca", {{'a', 1}, {'b', 1}, {'c', 1}}, {-0.125}},
    {"ij,jk->ik", {{'i', 2}, {'j', 0}, {'k', 2}}, {0.0, 0.0, 0.0, 0.0}},
    {"ij,jk->ik", {{'i', 0}, {'j', 3}, {'k', 2}}, {}},
    {"ij->ij", {{'i', 1}, {'j', 5}}, {-0.5, 1.25, 0.25, -0.75, 1.0}},
};

std::vector<Value> makeGoldenInputs(const Def &def) {
  std::vector<Value> inputs;
  for (size_t t = 0; t < def.params.size(); ++t) {
    std::vector<int64_t> shape;
    for (const Affine &dim : def[def.params[t]].dims)
      shape.push_back(dim.getConstant());
    std::vector<float> elements(countElements(shape));
    for (size_t i = 0; i < elements.size(); ++i)
      elements[i] = (float((i * 7 + 3 * t + 3) % 11) - 5) / 4;
    inputs.push_back(makeFloats(shape, elements));
  }
  return inputs;
}

TEST(Einsum, AgreesWithNumpy) {
  for (const Golden &golden : goldens) {
    Def def = makeEinsum(golden.text, golden.sizes);
    std::vector<Value> inputs = makeGoldenInputs(def);
    for (bool useMatrixProducts : {true, false}) {
      Value value = evaluateOne(def, {}, inputs, useMatrixProducts);
      EXPECT_EQ(toVector(value.values), golden.expected) << golden.text;
      // Nor are the bounds out of proportion: 50 roundings of 100.
      EXPECT_LE(value.bounds.size() ? value.bounds.maxCoeff() : 0,
                5000 * 0x1p-24);
    }
  }
}

/// The sum over all points of the product of the factors, in long double,
/// with every subscript looked up by label: no strides, no pairs.
std::vector<long double> sumNaively(const std::string &text,
                                    const std::map<char, int64_t> &sizes,
                                    const std::vector<Value> &inputs) {
  size_t arrow = text.find("->");
  std::string output = text.substr(arrow + 2), terms = text.substr(0, arrow);
  std::map<char, int64_t> point;
  for (auto [label, size] : sizes)
    point[label] = 0;
  auto position = [&](const std::string &labels) {
    int64_t result = 0;
    for (char label : labels)
      result = result * sizes.at(label) + point[label];
    return result;
  };
  int64_t count = 1;
  for (char label : output)
    count *= sizes.at(label);
  std::vector<long double> result(count, 0);
  for (auto [label, size] : sizes)
    if (size == 0)
      return result;
  while (true) {
    long double product = 1;
    std::string term;
    size_t input = 0;
    for (char c : terms + ",") {
      if (c != ',') {
        term += c;
        continue;
      }
      product *= inputs[input++].values[position(term)];
      term.clear();
    }
    result[position(output)] += product;
    auto at = point.begin();
    for (; at != point.end(); ++at) {
      if (++at->second < sizes.at(at->first))
        break;
      at->second = 0;
    }
    if (at == point.end())
      return result;
  }
}

TEST(Einsum, RandomNetworksAgreeWithLoops) {
  std::mt19937 random(7);
  auto uniform = [&] { return float(int(random() % 2001) - 1000) / 1000; };
  for (int round = 0; round < 400; ++round) {
    // One to five operands of rank zero to four over at most six labels;
    // labels may repeat within an operand, and extents be zero or one.
    std::map<char, int64_t> sizes;
    std::string text, used;
    for (unsigned t = 0, n = 1 + random() % 5; t < n; ++t) {
      text += t ? "," : "";
      for (unsigned i = 0, rank = random() % 5; i < rank; ++i) {
        char label = 'a' + random() % 6;
        sizes.insert({label, random() % 20 ? 1 + random() % 4 : 0});
        text += label;
        if (used.find(label) == std::string::npos)
          used += label;
      }
    }
    std::shuffle(used.begin(), used.end(), random);
    std::string output = used.substr(0, random() % (used.size() + 1));
    text += "->" + output;

    Def def = makeEinsum(text, sizes);
    std::vector<Value> inputs;
    for (TensorId id : def.params) {
      std::vector<int64_t> shape;
      for (const Affine &dim : def[id].dims)
        shape.push_back(dim.getConstant());
      std::vector<float> elements(countElements(shape));
      std::generate(elements.begin(), elements.end(), uniform);
      inputs.push_back(makeFloats(shape, elements));
      if (round % 2)
        for (double &bound : inputs.back().bounds)
          bound = std::abs(uniform()) / 100;
    }
    std::vector<long double> expected = sumNaively(text, sizes, inputs);
    Value network = evaluateOne(def, {}, inputs, true);
    Value loops = evaluateOne(def, {}, inputs, false);
    ASSERT_EQ(network.values.size(), int64_t(expected.size())) << text;
    ASSERT_EQ(loops.values.size(), int64_t(expected.size())) << text;
    for (size_t i = 0; i < expected.size(); ++i) {
      ASSERT_NEAR(network.values[i], expected[i], 1e-11) << text;
      ASSERT_NEAR(loops.values[i], expected[i], 1e-11) << text;
      // The two bound the same thing. The loops round after every product and
      // the network once for all of them, so they differ a little.
      ASSERT_LE(network.bounds[i], 1.1 * loops.bounds[i] + 1e-5) << text;
      ASSERT_LE(loops.bounds[i], 1.1 * network.bounds[i] + 1e-5) << text;
    }
  }
}

TEST(Einsum, PropagatesTheFactorsBounds) {
  // (2 +- 0.5) * (3 +- 0.25): anything up to 2.5 * 3.25.
  Def def = makeEinsum("i,i->", {{'i', 1}});
  Value x = makeFloats({1}, {2}), y = makeFloats({1}, {3});
  x.bounds[0] = 0.5;
  y.bounds[0] = 0.25;
  for (bool useMatrixProducts : {true, false}) {
    Value value = evaluateOne(def, {}, {x, y}, useMatrixProducts);
    EXPECT_EQ(value.values[0], 6);
    EXPECT_NEAR(value.bounds[0], 2.5 * 3.25 - 6, 1e-5);
    EXPECT_GT(value.bounds[0], 2.5 * 3.25 - 6);
  }
}

TEST(Einsum, RangesAreInMind) {
  float big = 1e30f;
  // 1e30 * 1e30 * 1e-30 is a number in one order and infinite in the other.
  Value ambiguous = evaluateOne(
      makeEinsum(",,->", {}), {},
      {makeFloats({}, {big}), makeFloats({}, {big}), makeFloats({}, {1e-30f})});
  EXPECT_TRUE(std::isinf(ambiguous.bounds[0]));
  // What overflows in every order is infinite.
  Value certain =
      evaluateOne(makeEinsum("i,i->", {{'i', 2}}), {},
                  {makeFloats({2}, {big, 1}), makeFloats({2}, {-big, 1})});
  EXPECT_EQ(certain.values[0], -INFINITY);
  EXPECT_EQ(certain.bounds[0], 0);
  // Opposite infinities may meet on the way.
  Value lost =
      evaluateOne(makeEinsum("i,i->", {{'i', 2}}), {},
                  {makeFloats({2}, {big, -big}), makeFloats({2}, {big, big})});
  EXPECT_TRUE(std::isinf(lost.bounds[0]));
  // A product that underflows may be flushed to zero.
  Value tiny =
      evaluateOne(makeEinsum(",->", {}), {},
                  {makeFloats({}, {1e-30f}), makeFloats({}, {1e-30f})});
  float zero = 0;
  EXPECT_TRUE(compare(tiny, ElementType::F32, &zero).ok);
}

TEST(Einsum, NaNsAndInfinitiesAreHonoured) {
  Def def = makeEinsum("ij,j->i", {{'i', 5}, {'j', 2}});
  Value matrix = makeFloats(
      {5, 2}, {NAN, 1, INFINITY, 1, INFINITY, -INFINITY, 1, 1, 0, INFINITY});
  Value vector = makeFloats({2}, {1, 1});
  Value value = evaluateOne(def, {}, {matrix, vector});
  std::vector<float> right = {NAN, INFINITY, NAN, 2, INFINITY};
  EXPECT_TRUE(compare(value, ElementType::F32, right.data()).ok);
  for (auto [i, wrong] : {std::pair(0, 1.f),
                          {0, INFINITY},
                          {1, NAN},
                          {1, -INFINITY},
                          {1, 3e38f},
                          {2, 0.f},
                          {3, NAN}}) {
    std::vector<float> other = right;
    other[i] = wrong;
    EXPECT_FALSE(compare(value, ElementType::F32, other.data()).ok)
        << i << " " << wrong;
  }
}

} // namespace
