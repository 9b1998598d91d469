//===- IndexNamesTest.cpp - Names that travel with locations --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/IndexNames.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace ein;
using namespace mlir;

namespace {

class IndexNames : public testing::Test {
protected:
  Location at(unsigned line) {
    return FileLineColLoc::get(&context, "f.ein", line, 3);
  }
  std::vector<unsigned> getLines(Location loc) {
    std::vector<unsigned> lines;
    for (FileLineColLoc place : getPlaces(loc))
      lines.push_back(place.getLine());
    return lines;
  }
  static std::vector<std::string> getNames(Location loc, unsigned numLoops) {
    SmallVector<std::string> names = getIndexNames(loc, numLoops);
    return {names.begin(), names.end()};
  }

  MLIRContext context;
};

using Names = std::vector<std::string>;
using Lines = std::vector<unsigned>;

TEST_F(IndexNames, AreThoseOfAllLoopsOrNone) {
  Location loc = withIndexNames(at(4), {"m", "n", "k"});
  EXPECT_EQ(getNames(loc, 3), Names({"m", "n", "k"}));
  EXPECT_EQ(getNames(loc, 2), Names({"d0", "d1"}));
  EXPECT_EQ(getNames(selectIndexNames(loc, {2, 0}), 2), Names({"k", "m"}));
  EXPECT_EQ(getNames(selectIndexNames(loc, {3}), 1), Names({"d0"}));
  EXPECT_EQ(getNames(joinIndexNames(loc, {{0, 1}, {2}}), 2),
            Names({"(m n)", "k"}));
}

TEST_F(IndexNames, KeepTheTensorAndThePlaces) {
  Location loc = withIndexNames(withTensorName(at(4), "C"), {"m", "n"});
  loc = withPlacesOf(loc, withIndexNames(at(7), {"i"}));
  loc = withPlacesOf(loc, at(4)); // which it has
  Location row = selectIndexNames(loc, {1});
  EXPECT_EQ(getTensorName(row), "C");
  EXPECT_EQ(getNames(row, 1), Names({"n"}));
  EXPECT_EQ(getLines(row), Lines({4, 7}));
  // And the other way round.
  Location other = withPlacesOf(at(9), row);
  EXPECT_EQ(getLines(other), Lines({9, 4, 7}));
  EXPECT_EQ(getTensorName(other), "");
}

TEST_F(IndexNames, NamePartsOfATensor) {
  Location loc = withIndexNames(withTensorName(at(4), "D"), {"m"});
  EXPECT_EQ(getTensorName(ofTensorPart(loc, 0)), "D.1");
  EXPECT_EQ(getNames(ofTensorPart(loc, 1), 1), Names({"m"}));
  EXPECT_EQ(ofTensorPart(at(4), 0), at(4));
  // A new name takes the place of the old one.
  EXPECT_EQ(getTensorName(withTensorName(loc, "E")), "E");
  EXPECT_EQ(getLines(withTensorName(loc, "E")), Lines({4}));
}

} // namespace
