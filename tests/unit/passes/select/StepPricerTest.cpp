//===- StepPricerTest.cpp - What a step of an order takes -----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/select/StepPricer.h"
#include "driver/Registration.h"
#include "mlir/IR/BuiltinOps.h"
#include "gtest/gtest.h"
#include <map>

using namespace ein;
using namespace mlir;

namespace {

/// Steps are strings, with one letter a label.
class StepPrices : public testing::Test {
protected:
  void SetUp() override {
    DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    module = ModuleOp::create(UnknownLoc::get(&context));
    FailureOr<OpenStepPricer> created =
        createStepPricer(*module, {"x86_64-unknown-linux-gnu", "haswell", ""},
                         Float32Type::get(&context));
    ASSERT_TRUE(succeeded(created));
    pricer = *created;
  }

  double price(const std::map<char, double> &sizes, StringRef lhs,
               StringRef rhs, StringRef result, StringRef open = "") {
    SmallVector<double> labelSizes;
    std::string letters;
    for (auto [letter, size] : sizes) {
      letters += letter;
      labelSizes.push_back(size);
    }
    llvm::SmallBitVector dynamic(letters.size());
    auto toLabels = [&](StringRef text) {
      return llvm::map_to_vector(
          text, [&](char c) { return unsigned(letters.find(c)); });
    };
    for (unsigned label : toLabels(open))
      dynamic.set(label);
    return pricer(labelSizes, dynamic, toLabels(lhs), toLabels(rhs),
                  toLabels(result));
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  OpenStepPricer pricer;
};

TEST_F(StepPrices, CyclesOfAProduct) {
  std::map<char, double> sizes = {{'k', 100}, {'m', 96}, {'n', 64}};
  double full = price(sizes, "mk", "kn", "mn");
  // Two vectors of eight a cycle.
  double least = 96. * 64 * 100 / 16;
  EXPECT_GT(full, least);
  EXPECT_LT(full, 2 * least);
  // Which operand is the first makes no difference, nor how dims are called.
  EXPECT_EQ(full, price(sizes, "kn", "mk", "mn"));
  std::map<char, double> renamed = {{'a', 64}, {'b', 100}, {'c', 96}};
  EXPECT_EQ(full, price(renamed, "cb", "ba", "ca"));
  // Panels of B are transposed if its columns are not its rows.
  EXPECT_LT(full, price(sizes, "mk", "nk", "mn"));
}

TEST_F(StepPrices, FewColumnsAreSlow) {
  std::map<char, double> sizes = {{'k', 100}, {'m', 64}, {'n', 2}};
  EXPECT_GT(price(sizes, "mk", "kn", "mn"), price(sizes, "km", "kn", "nm"));
}

TEST_F(StepPrices, DimsThatFollowEachOtherAreOne) {
  std::map<char, double> sizes = {{'a', 8}, {'k', 16}, {'m', 8}, {'n', 16}};
  std::map<char, double> joined = {{'k', 16}, {'m', 64}, {'n', 16}};
  EXPECT_EQ(price(sizes, "kam", "kn", "nam"), price(joined, "km", "kn", "nm"));
  // The other way round m is a loop, or A is copied.
  EXPECT_LT(price(sizes, "kam", "kn", "nam"), price(sizes, "kam", "kn", "nma"));
}

TEST_F(StepPrices, BatchesInnermostAreSlow) {
  std::map<char, double> sizes = {{'b', 16}, {'k', 16}, {'m', 16}, {'n', 16}};
  EXPECT_GT(price(sizes, "bmk", "bkn", "mnb"),
            price(sizes, "bmk", "bkn", "bmn"));
}

TEST_F(StepPrices, Dots) {
  std::map<char, double> sizes = {{'i', 300}, {'j', 400}};
  EXPECT_LT(price(sizes, "ij", "ij", ""), price(sizes, "ij", "ji", ""));
}

// What is not known is not joined with what is, and is no straight code.
TEST_F(StepPrices, SizesThatAreNotKnown) {
  std::map<char, double> sizes = {{'k', 8}, {'m', 12}, {'n', 16}};
  EXPECT_LT(price(sizes, "mk", "kn", "mn"),
            price(sizes, "mk", "kn", "mn", "mnk"));
}

} // namespace
