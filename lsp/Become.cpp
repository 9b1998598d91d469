//===- Become.cpp - What a statement becomes ------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The front end knows it: what is emitted depends on the program alone
// (ir/EmitMLIR.cpp), and how it is raised on its form. What is decided later,
// by machines and sizes, `einc explain` says.
//
//===----------------------------------------------------------------------===//

#include "lsp/Become.h"
#include "lsp/Analysis.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein::lsp {

static std::string listIndices(const Statement &statement,
                               ArrayRef<unsigned> indices) {
  std::string text;
  for (unsigned index : indices)
    text += (text.empty() ? "`" : ", `") + statement.indices[index].name + "`";
  return text;
}

/// By which operands an index is in, as BLAS has it.
static std::string describeRoles(const Def &def, const Statement &statement,
                                 const Product &product) {
  SmallVector<unsigned> batch, rows, columns, reduced, summed;
  SmallBitVector lhs = def.getIndices(statement, product.factors[0].access);
  SmallBitVector rhs = def.getIndices(statement, product.factors[1].access);
  for (auto [i, index] : llvm::enumerate(statement.indices)) {
    bool isBoth = lhs.test(i) && rhs.test(i);
    if (index.isReduction)
      (isBoth ? reduced : summed).push_back(i);
    else if (isBoth)
      batch.push_back(i);
    else if (lhs.test(i))
      rows.push_back(i);
    else if (rhs.test(i))
      columns.push_back(i);
  }
  std::string text;
  auto add = [&](StringRef role, ArrayRef<unsigned> indices) {
    if (!indices.empty())
      text += (text.empty() ? " with " : ", ") + role.str() + " " +
              listIndices(statement, indices);
  };
  add("batch", batch);
  add("rows", rows);
  add("columns", columns);
  add("reduced", reduced);
  add("summed before it", summed);
  return text;
}

static std::string describeProduct(const Def &def, const Statement &statement,
                                   const Product &product) {
  size_t numFactors = product.factors.size();
  bool isReduction = llvm::any_of(
      statement.indices, [](const Index &index) { return index.isReduction; });
  if (numFactors == 1)
    return isReduction ? "a sum of one tensor" : "a copy, or a transposition";
  if (numFactors == 2 && isReduction)
    return "a `contract`" + describeRoles(def, statement, product);
  if (numFactors == 2)
    return "a product of two tensors, element by element";
  return "a product of " + std::to_string(numFactors) +
         " tensors, two at a time";
}

std::string describeOp(const Def &def, const Statement &statement) {
  if (statement.namedOp)
    return "`linalg." + statement.namedOp->name + "`";
  if (statement.isInOrder())
    return "loops over its points, one after the other";
  if (def.getReshape(statement))
    return "other dims of the same elements, which are not moved";
  if (std::optional<Product> product =
          def.getProduct(statement, /*keepsOrder=*/false))
    return describeProduct(def, statement, *product);
  SmallVector<unsigned> reduced;
  for (auto [i, index] : llvm::enumerate(statement.indices))
    if (index.isReduction)
      reduced.push_back(i);
  if (statement.isDiagonal())
    return "a diagonal, and zeros beside it";
  if (reduced.empty())
    return "an elementwise `generic`";
  return "a reduction, a `generic`, over " + listIndices(statement, reduced);
}

std::string printPoints(const Def &def, const Statement &statement) {
  int64_t constant = 1;
  bool isLarge = false;
  std::string text;
  for (const Index &index : statement.indices) {
    if (index.extent.isConstant()) {
      isLarge |=
          llvm::MulOverflow(constant, index.extent.getConstant(), constant);
      continue;
    }
    std::string size = printSize(def, index.extent);
    bool isSum = size.find(' ') != std::string::npos;
    text += (text.empty() ? "" : " * ") + (isSum ? "(" + size + ")" : size);
  }
  if (isLarge)
    return "more than 2^63";
  if (text.empty())
    return std::to_string(constant);
  return constant == 1 ? text : std::to_string(constant) + " * " + text;
}

} // namespace ein::lsp
