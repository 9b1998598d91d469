//===- Generator.h - The state of a program that is being drawn -----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of use to the files Generate*.cpp only: Generate.cpp makes statements and the
// whole, GenerateAccess.cpp sizes, tensors and subscripts, GenerateExpr.cpp
// types and expressions.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_TESTS_FUZZ_GENERATOR_H
#define EIN_TESTS_FUZZ_GENERATOR_H

#include "tests/fuzz/Model.h"
#include <random>

namespace ein::fuzz {

class Generator {
public:
  explicit Generator(uint64_t seed) : random(seed) {}
  Program run(uint64_t seed);

private:
  struct Index {
    std::string name;
    Linear extent;
    bool isReduced;
    bool isAlone = false; // stands alone in some subscript
  };

  /// An operand and the type that it has where it stands.
  struct Typed {
    ExprPtr expr;
    ElementType type;
  };

  unsigned upTo(unsigned bound) { return random() % bound; }
  bool oneIn(unsigned n) { return upTo(n) == 0; }
  /// A position, as likely as its weight.
  unsigned draw(std::initializer_list<unsigned> weights) {
    unsigned total = 0, position = 0;
    for (unsigned weight : weights)
      total += weight;
    unsigned at = upTo(total);
    for (unsigned weight : weights) {
      if (at < weight)
        return position;
      at -= weight;
      ++position;
    }
    return 0;
  }
  template <typename T> const T &pick(const std::vector<T> &items) {
    return items[upTo(items.size())];
  }

  static unsigned getWeight(ElementType type);
  ElementType drawAnyType();
  ElementType drawType() { return pick(palette); }
  ElementType drawFitting(ElementType type);
  void makePalette();

  void makeSizes();
  Linear makeExtent();
  std::string addTensor(Tensor::Role role, ElementType type,
                        std::vector<Linear> dims);
  bool isReadable(const std::string &name) const;
  std::vector<std::string> findReadable(std::optional<ElementType> fitting);

  std::string pickTarget(bool isLast);
  void makeStatement(bool isLast);
  void makeComprehension(Statement &statement, Tensor target);
  bool makeEinsum(Statement &statement, const Tensor &target);
  bool makeCall(Statement &statement, const Tensor &target);
  bool makeArgument(Statement &statement, const Tensor &target);
  bool scatterTarget(Statement &statement, const std::vector<Linear> &dims,
                     const std::vector<Index> &indices);
  bool makeRecurrence(Statement &statement, const Tensor &target);
  bool placeTarget(Statement &statement, const std::vector<Linear> &dims);
  std::string makeCondition(const std::vector<Index> &indices);
  Linear makeSubscript(const Linear &dim, std::vector<Index> &indices,
                       bool mayReduce);
  std::optional<Typed> readExisting(std::vector<Index> &indices,
                                    bool mayReduce);
  Typed readNew(std::vector<Index> &indices, ElementType computeType,
                bool drawsWindows = false);
  Typed makeOperand(std::vector<Index> &indices, ElementType computeType,
                    bool mayReduce, bool mayNest = true);
  Typed convert(Typed operand, ElementType type);
  Typed cast(Typed operand, ElementType type);
  void collectTypes(const ExprPtr &expr, std::vector<ElementType> &types) const;
  ExprPtr combine(std::vector<ExprPtr> operands, bool isProduct,
                  ElementType type);
  ExprPtr applyOperator(ExprPtr x, ExprPtr y, ElementType type);
  ExprPtr applyFunction(ExprPtr x, ElementType type);
  ExprPtr applyToInteger(ExprPtr x, ElementType type);
  ExprPtr makeDivisor(ExprPtr x, ElementType type);
  ExprPtr makeNumber(ElementType type, bool mayBeZero = true);
  std::optional<ElementType> drawAccumulator(ElementType type);
  std::string getIndexName(size_t position) {
    return std::string(1, "ijklmnopqrstuvwx"[position]);
  }
  void limitWork();
  void damage();

  std::mt19937_64 random;
  Program program;
  unsigned numInputs = 0, numTemporaries = 0, numOutputs = 0;
  std::vector<std::string> written;
  std::vector<ElementType> palette;
  /// Whether some integer came from a floating-point number.
  bool hasRounding = false;
};

} // namespace ein::fuzz

#endif // EIN_TESTS_FUZZ_GENERATOR_H
