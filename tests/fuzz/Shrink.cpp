//===- Shrink.cpp - The smallest program that fails alike -----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Greedy: of all programs that are one step smaller the first that fails alike
// is taken, until none does. Steps need not make sense: a program that the
// front end rejects does not fail alike. Large steps come first.
//
//===----------------------------------------------------------------------===//

#include "tests/fuzz/Shrink.h"
#include <algorithm>

namespace ein::fuzz {

namespace {

class Simplifier {
public:
  explicit Simplifier(const Program &program) : program(program) {}

  std::vector<Program> run() {
    size_t count = program.statements.size();
    for (size_t i = count; i-- > 0;)
      change([&](Program &p) { p.statements.erase(p.statements.begin() + i); });
    for (const auto &entry : program.tensors)
      simplifyTensor(entry.first, entry.second);
    for (size_t i = 0; i < count; ++i)
      simplifyStatement(i);
    for (size_t i = 0; i < program.sizes.size(); ++i)
      simplifySize(i);
    if (program.isUnaligned)
      change([&](Program &p) { p.isUnaligned = false; });
    if (program.hasViews)
      change([&](Program &p) { p.hasViews = false; });
    for (ElementType type : kSimpleTypes)
      change([&](Program &p) {
        for (auto &entry : p.tensors)
          entry.second.type = type;
      });
    return std::move(candidates);
  }

private:
  template <typename Fn> void change(Fn fn) {
    Program candidate = program;
    fn(candidate);
    candidate.tidy();
    if (!candidate.statements.empty() &&
        (candidate.countNodes() < program.countNodes() ||
         sumSizes(candidate) < sumSizes(program)))
      candidates.push_back(std::move(candidate));
  }
  static constexpr ElementType kSimpleTypes[] = {
      ElementType::F32, ElementType::I32, ElementType::F64};

  static int64_t sumSizes(const Program &p) {
    int64_t sum = 0;
    for (const Size &size : p.sizes)
      sum += size.value;
    return sum;
  }

  /// All versions of a tree with one node replaced by something smaller.
  void replaceNodes(const ExprPtr &expr,
                    const std::function<void(ExprPtr)> &emit) {
    if (expr->lhs)
      emit(expr->lhs);
    if (expr->rhs)
      emit(expr->rhs);
    if (expr->kind != Expr::Literal || expr->text != "1")
      emit(makeLiteral("1"));
    for (size_t i = 0; i < expr->subscripts.size(); ++i) {
      auto replace = [&](Linear subscript) {
        std::vector<Linear> subscripts = expr->subscripts;
        subscripts[i] = std::move(subscript);
        emit(makeAccess(expr->text, subscripts));
      };
      const Linear &old = expr->subscripts[i];
      for (const auto &term : old.terms)
        if (old.getLoneName().empty())
          replace(Linear::name(term.first));
      if (old.constant) {
        Linear without = old;
        without.constant = 0;
        replace(without);
      }
      if (!old.isConstant())
        replace(Linear::number(0));
    }
    auto rebuild = [&](const ExprPtr &lhs, const ExprPtr &rhs) {
      return expr->kind == Expr::Unary ? makeUnary(expr->text, lhs)
                                       : makeBinary(expr->text, lhs, rhs);
    };
    if (expr->lhs)
      replaceNodes(expr->lhs, [&](ExprPtr x) { emit(rebuild(x, expr->rhs)); });
    if (expr->rhs)
      replaceNodes(expr->rhs, [&](ExprPtr x) { emit(rebuild(expr->lhs, x)); });
  }

  static ExprPtr dropSubscript(const ExprPtr &expr, const std::string &tensor,
                               size_t dim) {
    if (!expr)
      return expr;
    Expr copy = *expr;
    if (copy.kind == Expr::Access && copy.text == tensor &&
        dim < copy.subscripts.size())
      copy.subscripts.erase(copy.subscripts.begin() + dim);
    copy.lhs = dropSubscript(copy.lhs, tensor, dim);
    copy.rhs = dropSubscript(copy.rhs, tensor, dim);
    return std::make_shared<Expr>(copy);
  }

  static void dropDim(Program &p, const std::string &name, size_t dim) {
    std::vector<Linear> &dims = p.find(name)->dims;
    dims.erase(dims.begin() + dim);
    for (Statement &statement : p.statements) {
      statement.value = dropSubscript(statement.value, name, dim);
      for (Statement::Operand &operand : statement.operands)
        if (operand.tensor == name && dim < operand.labels.size())
          operand.labels.erase(dim, 1);
      if (statement.target != name)
        continue;
      if (dim < statement.indices.size())
        statement.indices.erase(statement.indices.begin() + dim);
      if (dim < statement.output.size())
        statement.output.erase(dim, 1);
    }
  }

  /// The ellipsis, labels or indices of one statement, from everything in it.
  static void dropIndex(Program &p, size_t i, const std::string &index) {
    Statement &statement = p.statements[i];
    auto drop = [&](const std::string &tensor, auto isAt) {
      for (size_t dim = p.find(tensor)->dims.size(); dim-- > 0;)
        if (isAt(dim))
          dropDim(p, tensor, dim);
    };
    for (size_t k = 0; k < statement.operands.size(); ++k) {
      // By value: dropping changes them.
      Statement::Operand operand = statement.operands[k];
      drop(operand.tensor, [&](size_t dim) {
        return dim < operand.labels.size() && operand.labels[dim] == index[0];
      });
    }
    std::string output = statement.output;
    std::vector<std::string> indices = statement.indices;
    std::vector<const Expr *> accesses;
    ExprPtr value = statement.value; // keeps them alive
    collectAccesses(value, accesses);
    std::vector<std::string> dropped;
    for (const Expr *access : accesses) {
      if (std::find(dropped.begin(), dropped.end(), access->text) !=
          dropped.end())
        continue;
      dropped.push_back(access->text);
      drop(access->text, [&](size_t dim) {
        return dim < access->subscripts.size() &&
               access->subscripts[dim].getLoneName() == index;
      });
    }
    if (std::find(dropped.begin(), dropped.end(), statement.target) ==
        dropped.end())
      drop(statement.target, [&](size_t dim) {
        return (dim < indices.size() && indices[dim] == index) ||
               (dim < output.size() && output.substr(dim, 1) == index);
      });
  }

  void simplifyTensor(const std::string &name, const Tensor &tensor) {
    for (size_t dim = 0; dim < tensor.dims.size(); ++dim) {
      change([&](Program &p) { dropDim(p, name, dim); });
      const Linear &old = tensor.dims[dim];
      if (!old.getLoneName().empty() || old.isConstant())
        continue;
      for (const auto &term : old.terms)
        change([&](Program &p) {
          p.find(name)->dims[dim] = Linear::name(term.first);
        });
    }
    if (tensor.role == Tensor::InOut)
      change([&](Program &p) { p.find(name)->role = Tensor::Output; });
    for (ElementType type : kSimpleTypes)
      change([&](Program &p) { p.find(name)->type = type; });
  }

  void simplifyStatement(size_t i) {
    const Statement &statement = program.statements[i];
    for (size_t k = 0;
         statement.operands.size() > 1 && k < statement.operands.size(); ++k)
      change([&](Program &p) {
        auto &operands = p.statements[i].operands;
        operands.erase(operands.begin() + k);
        p.statements[i].isImplicit = false;
      });
    if (statement.accumulator) {
      change([&](Program &p) { p.statements[i].accumulator.reset(); });
      for (ElementType type : kSimpleTypes)
        change([&](Program &p) { p.statements[i].accumulator = type; });
    }
    std::string labels;
    auto addLabels = [&](const std::string &more) {
      for (char label : more)
        if (labels.find(label) == std::string::npos)
          labels += label;
    };
    for (const Statement::Operand &operand : statement.operands)
      addLabels(operand.labels);
    std::vector<const Expr *> accesses;
    collectAccesses(statement.value, accesses);
    for (const Expr *access : accesses)
      for (const Linear &subscript : access->subscripts)
        if (std::string name = subscript.getLoneName();
            !name.empty() && name[0] >= 'a')
          addLabels(name);
    for (char label : labels)
      change([&](Program &p) { dropIndex(p, i, std::string(1, label)); });
    if (!statement.condition.empty())
      change([&](Program &p) { p.statements[i].condition.clear(); });
    if (statement.spelling != Statement::Letters)
      change(
          [&](Program &p) { p.statements[i].spelling = Statement::Letters; });
    if (statement.groupEnd != 0)
      change([&](Program &p) { p.statements[i].groupEnd = 0; });
    if (!statement.attributes.empty())
      change([&](Program &p) { p.statements[i].attributes.clear(); });
    if (!statement.value)
      return;
    replaceNodes(statement.value, [&](ExprPtr value) {
      change([&](Program &p) { p.statements[i].value = value; });
    });
    for (const char *update : {"=", "+=!"})
      change([&](Program &p) { p.statements[i].update = update; });
  }

  void simplifySize(size_t i) {
    const Size &size = program.sizes[i];
    for (int64_t value : {int64_t(1), size.value / 2, size.value - 1})
      if (value < size.value && value > 0)
        change([&](Program &p) { p.sizes[i].value = value; });
    if (size.isBound)
      change([&](Program &p) { p.sizes[i].isBound = false; });
    for (const Size &other : program.sizes)
      if (other.name < size.name && other.value == size.value)
        change([&](Program &p) { rename(p, size.name, other.name); });
  }

  static void rename(Linear &linear, const std::string &from,
                     const std::string &to) {
    Linear result = Linear::number(linear.constant);
    for (const auto &[name, factor] : linear.terms)
      result.add(Linear::name(name == from ? to : name), factor);
    linear = result;
  }
  static ExprPtr rename(const ExprPtr &expr, const std::string &from,
                        const std::string &to) {
    if (!expr)
      return expr;
    Expr copy = *expr;
    for (Linear &subscript : copy.subscripts)
      rename(subscript, from, to);
    copy.lhs = rename(copy.lhs, from, to);
    copy.rhs = rename(copy.rhs, from, to);
    return std::make_shared<Expr>(copy);
  }
  static void rename(Program &p, const std::string &from,
                     const std::string &to) {
    for (auto &entry : p.tensors)
      for (Linear &dim : entry.second.dims)
        rename(dim, from, to);
    for (Statement &statement : p.statements)
      statement.value = rename(statement.value, from, to);
  }

  const Program &program;
  std::vector<Program> candidates;
};

} // namespace

Program shrink(Program program, Verdict &verdict, unsigned budget,
               unsigned timeout) {
  std::string kind = verdict.getKind();
  // A step over something that hangs takes as long as the timeout.
  if (verdict.outcome == Outcome::Hang)
    budget = std::min(budget, 8u);
  for (bool isSmaller = true; isSmaller && budget > 0;) {
    isSmaller = false;
    for (Program &candidate : Simplifier(program).run()) {
      if (budget-- == 0)
        return program;
      Verdict found = executeInChild(candidate, timeout);
      if (found.getKind() != kind)
        continue;
      program = std::move(candidate);
      verdict = found;
      isSmaller = true;
      break;
    }
  }
  return program;
}

} // namespace ein::fuzz
