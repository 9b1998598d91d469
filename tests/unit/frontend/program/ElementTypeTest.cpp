//===- ElementTypeTest.cpp - What fits into what --------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/program/ElementType.h"
#include <gtest/gtest.h>

namespace ein {
namespace {

using T = ElementType;

TEST(ElementType, ComplexNumbersHoldWhatTheirPartsHold) {
  for (T type :
       {T::F16, T::BF16, T::F32, T::C64, T::I8, T::I16, T::U16, T::Bool})
    EXPECT_TRUE(fits(type, T::C64)) << getSpelling(type).str();
  for (T type : {T::F64, T::C128, T::I32, T::U32, T::I64, T::Index})
    EXPECT_FALSE(fits(type, T::C64)) << getSpelling(type).str();
  for (T type : {T::F32, T::F64, T::C64, T::C128, T::I32, T::U32, T::Bool})
    EXPECT_TRUE(fits(type, T::C128)) << getSpelling(type).str();
  EXPECT_FALSE(fits(T::I64, T::C128));
  // Real types hold no complex number, however wide they are.
  for (T type : {T::F64, T::I64, T::U64, T::Bool, T::Index})
    EXPECT_FALSE(fits(T::C64, type)) << getSpelling(type).str();
}

TEST(ElementType, JoinsWithComplexNumbers) {
  EXPECT_EQ(joinTypes({T::F32, T::C64}), T::C64);
  EXPECT_EQ(joinTypes({T::C64, T::F64}), T::C128);
  EXPECT_EQ(joinTypes({T::C64, T::I32}), T::C128);
  EXPECT_EQ(joinTypes({T::C128, T::F16, T::U8}), T::C128);
  EXPECT_EQ(joinTypes({T::C64, T::I64}), std::nullopt);
  // What is real stays real.
  EXPECT_EQ(joinTypes({T::F32, T::I32}), T::F64);
  EXPECT_EQ(joinTypes({T::F64, T::I64}), std::nullopt);
}

TEST(ElementType, PartsAndBack) {
  EXPECT_EQ(getPartType(T::C64), T::F32);
  EXPECT_EQ(getPartType(T::C128), T::F64);
  EXPECT_EQ(getPartType(T::I8), T::I8);
  EXPECT_EQ(getComplexType(T::BF16), T::C64);
  EXPECT_EQ(getComplexType(T::I32), T::C128);
  EXPECT_EQ(getComplexType(T::C128), T::C128);
  EXPECT_EQ(getAccumulator(T::C64), T::C64);
  EXPECT_EQ(getBitWidth(T::C128), 128u);
  EXPECT_EQ(parseElementType("complex64"), T::C64);
  EXPECT_EQ(parseElementType("complex128"), T::C128);
}

} // namespace
} // namespace ein
