//===- DefBuilder.h - Definitions made by hand, for tests -------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   DefBuilder d;
//   Affine M = d.symbol("M"), K = d.symbol("K");
//   TensorId A = d.input("A", {M, K}), y = d.output("y", {M});
//   d.begin(y, UpdateKind::Add, /*fromIdentity=*/true);
//   Affine m = d.index("m", M), k = d.reduce("k", K);
//   d.end(d.read(A, {m, k}));
//
//===----------------------------------------------------------------------===//

#ifndef EIN_TESTS_UNIT_REFERENCE_DEFBUILDER_H
#define EIN_TESTS_UNIT_REFERENCE_DEFBUILDER_H

#include "reference/Evaluate.h"
#include <gtest/gtest.h>
#include <map>

namespace ein::reference::test {

class DefBuilder {
public:
  Def def;
  ElementType type = ElementType::F32; // of everything

  explicit DefBuilder(ElementType type = ElementType::F32) : type(type) {
    def.name = "test";
  }

  Affine symbol(std::string name) {
    def.symbols.push_back({std::move(name), std::nullopt, {}});
    return Affine(SymbolId(def.symbols.size() - 1));
  }

  TensorId tensor(std::string name, TensorRole role, std::vector<Affine> dims) {
    def.tensors.push_back({std::move(name), type, role, std::move(dims), {}});
    TensorId id(def.tensors.size() - 1);
    if (role == TensorRole::Input)
      def.params.push_back(id);
    else if (role != TensorRole::Temporary)
      def.results.push_back(id);
    return id;
  }
  TensorId input(std::string name, std::vector<Affine> dims) {
    return tensor(std::move(name), TensorRole::Input, std::move(dims));
  }
  TensorId output(std::string name, std::vector<Affine> dims) {
    return tensor(std::move(name), TensorRole::Output, std::move(dims));
  }

  ExprId read(TensorId tensor, std::vector<Affine> subscripts) {
    Expr expr = makeExpr(ExprKind::Access);
    expr.tensor = tensor;
    expr.subscripts = std::move(subscripts);
    return add(expr);
  }
  ExprId literal(double value) {
    Expr expr = makeExpr(ExprKind::Literal);
    expr.literal = value;
    return add(expr);
  }
  ExprId apply(UnaryFn fn, ExprId x) {
    Expr expr = makeExpr(ExprKind::Unary);
    expr.unary = fn;
    expr.lhs = x;
    return add(expr);
  }
  ExprId apply(BinaryFn fn, ExprId x, ExprId y) {
    Expr expr = makeExpr(ExprKind::Binary);
    expr.binary = fn;
    expr.lhs = x;
    expr.rhs = y;
    return add(expr);
  }
  ExprId mul(ExprId x, ExprId y) { return apply(BinaryFn::Mul, x, y); }

  void begin(TensorId target, UpdateKind update, bool fromIdentity) {
    statement = Statement();
    statement.target = target;
    statement.update = update;
    statement.fromIdentity = fromIdentity;
    statement.computeType = type;
  }
  Affine index(std::string name, Affine extent, bool isReduction = false) {
    statement.indices.push_back({std::move(name), extent, isReduction, {}});
    IndexId id(statement.indices.size() - 1);
    if (!isReduction)
      statement.targetIndices.push_back(id);
    return Affine(id);
  }
  Affine reduce(std::string name, Affine extent) {
    return index(std::move(name), extent, true);
  }
  void end(ExprId value) {
    statement.value = value;
    def.statements.push_back(statement);
  }

private:
  Statement statement;

  Expr makeExpr(ExprKind kind) const {
    Expr expr;
    expr.kind = kind;
    expr.type = type;
    return expr;
  }
  ExprId add(const Expr &expr) {
    def.exprs.push_back(expr);
    return ExprId(def.exprs.size() - 1);
  }
};

/// `ij,jk->ik` over constant extents.
inline Def makeEinsum(const std::string &text,
                      const std::map<char, int64_t> &sizes,
                      ElementType type = ElementType::F32) {
  DefBuilder d(type);
  size_t arrow = text.find("->");
  std::string output = text.substr(arrow + 2);
  std::vector<std::string> terms(1);
  for (char c : text.substr(0, arrow)) {
    if (c == ',')
      terms.emplace_back();
    else
      terms.back() += c;
  }
  auto dims = [&](const std::string &labels) {
    std::vector<Affine> result;
    for (char label : labels)
      result.push_back(Affine(sizes.at(label)));
    return result;
  };
  std::vector<TensorId> inputs;
  for (size_t i = 0; i < terms.size(); ++i)
    inputs.push_back(d.input(std::string(1, char('A' + i)), dims(terms[i])));
  TensorId target = d.output("out", dims(output));
  d.begin(target, UpdateKind::Add, true);
  std::map<char, Affine> indices;
  for (char label : output)
    indices[label] = d.index(std::string(1, label), Affine(sizes.at(label)));
  for (const std::string &term : terms)
    for (char label : term)
      if (!indices.count(label))
        indices[label] =
            d.reduce(std::string(1, label), Affine(sizes.at(label)));
  std::optional<ExprId> value;
  for (size_t i = 0; i < terms.size(); ++i) {
    std::vector<Affine> subscripts;
    for (char label : terms[i])
      subscripts.push_back(indices[label]);
    ExprId access = d.read(inputs[i], subscripts);
    value = value ? d.mul(*value, access) : access;
  }
  d.end(*value);
  return d.def;
}

inline int64_t countElements(const std::vector<int64_t> &shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

/// Inputs for constant extents, one array of values each.
inline Value makeFloats(std::vector<int64_t> shape,
                        const std::vector<float> &elements) {
  EXPECT_EQ(countElements(shape), int64_t(elements.size()));
  return makeValue(std::move(shape), ElementType::F32, elements.data());
}

/// The only result; fails the test if there is none.
inline Value evaluateOne(const Def &def, llvm::ArrayRef<int64_t> symbols,
                         llvm::ArrayRef<Value> inputs,
                         bool useMatrixProducts = true) {
  std::vector<Value> results;
  Failure failure;
  EvaluateOptions options;
  options.useMatrixProducts = useMatrixProducts;
  bool ok = llvm::succeeded(
      evaluate(def, symbols, inputs, results, failure, options));
  EXPECT_TRUE(ok) << failure.message;
  EXPECT_EQ(results.size(), ok ? 1u : 0u);
  return ok ? results[0] : Value();
}

inline std::vector<double> toVector(const Eigen::ArrayXd &array) {
  return std::vector<double>(array.data(), array.data() + array.size());
}

} // namespace ein::reference::test

#endif // EIN_TESTS_UNIT_REFERENCE_DEFBUILDER_H
