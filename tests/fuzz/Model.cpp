//===- Model.cpp - A program that can be changed --------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/fuzz/Model.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <set>

namespace ein::fuzz {

void Linear::add(const Linear &other, int64_t factor) {
  constant += factor * other.constant;
  for (const auto &[name, coefficient] : other.terms) {
    auto it = std::find_if(
        terms.begin(), terms.end(),
        [&name = name](const auto &term) { return term.first == name; });
    if (it == terms.end())
      terms.push_back({name, factor * coefficient});
    else if ((it->second += factor * coefficient) == 0)
      terms.erase(it);
  }
}

int64_t Linear::evaluate(const std::map<std::string, int64_t> &values) const {
  int64_t value = constant;
  for (const auto &[name, coefficient] : terms) {
    if (std::string size = getDividedSize(name); !size.empty()) {
      int64_t divisor = std::stoll(name.substr(name.size() - 2));
      auto it = values.find(size);
      int64_t whole = it == values.end() ? 0 : it->second;
      bool isQuotient = name.find('/') != std::string::npos;
      value += coefficient * (isQuotient ? whole / divisor : whole % divisor);
      continue;
    }
    auto it = values.find(name);
    value += coefficient * (it == values.end() ? 0 : it->second);
  }
  return value;
}

std::string getDividedSize(const std::string &name) {
  return name[0] == '(' ? name.substr(1, name.find(' ') - 1) : "";
}

std::string Linear::str() const {
  std::string text;
  auto add = [&](int64_t factor, const std::string &rest) {
    if (!text.empty())
      text += factor < 0 ? " - " : " + ";
    else if (factor < 0)
      text += "-";
    factor = std::abs(factor);
    if (rest.empty())
      text += std::to_string(factor);
    else
      text += (factor == 1 ? "" : std::to_string(factor) + "*") + rest;
  };
  for (const auto &[name, coefficient] : terms)
    add(coefficient, name);
  if (constant != 0 || text.empty())
    add(constant, "");
  return text;
}

bool operator==(const Linear &a, const Linear &b) {
  Linear difference = a;
  difference.add(b, -1);
  return difference.isConstant() && difference.constant == 0;
}

ExprPtr makeLiteral(const std::string &text) {
  return std::make_shared<Expr>(Expr{Expr::Literal, text, {}, {}, {}});
}
ExprPtr makeAccess(const std::string &tensor, std::vector<Linear> subscripts) {
  return std::make_shared<Expr>(
      Expr{Expr::Access, tensor, std::move(subscripts), {}, {}});
}
ExprPtr makeUnary(const std::string &function, ExprPtr operand) {
  return std::make_shared<Expr>(
      Expr{Expr::Unary, function, {}, std::move(operand), {}});
}
ExprPtr makeBinary(const std::string &function, ExprPtr lhs, ExprPtr rhs) {
  return std::make_shared<Expr>(
      Expr{Expr::Binary, function, {}, std::move(lhs), std::move(rhs)});
}

static const char kUnsignedCast[] = "cast_unsigned<";

ExprPtr makeCast(ElementType type, bool isUnsigned, ExprPtr operand) {
  std::string name = getSpelling(type).str();
  return makeUnary(isUnsigned ? kUnsignedCast + name + ">" : name,
                   std::move(operand));
}

std::optional<ElementType> getCastType(const std::string &function) {
  llvm::StringRef name = function;
  if (name.consume_front(kUnsignedCast))
    name = name.drop_back();
  return parseElementType(name);
}

std::optional<ElementType> getSuffix(const std::string &literal) {
  llvm::StringRef text = literal;
  return parseElementType(
      text.drop_until([](char c) { return llvm::isAlpha(c); }));
}

void collectAccesses(const ExprPtr &expr, std::vector<const Expr *> &accesses) {
  if (!expr)
    return;
  if (expr->kind == Expr::Access)
    accesses.push_back(expr.get());
  collectAccesses(expr->lhs, accesses);
  collectAccesses(expr->rhs, accesses);
}

template <typename Range, typename Fn>
static std::string join(const Range &range, Fn print) {
  std::string text;
  for (const auto &item : range)
    text += (text.empty() ? "" : ", ") + print(item);
  return text;
}

static std::string printList(const std::vector<Linear> &list) {
  return list.empty()
             ? ""
             : "(" + join(list, [](const Linear &x) { return x.str(); }) + ")";
}

static std::string print(const Expr &expr) {
  switch (expr.kind) {
  case Expr::Literal:
    return expr.text;
  case Expr::Access:
    return expr.text + printList(expr.subscripts);
  case Expr::Unary:
    return expr.text + "(" + print(*expr.lhs) + ")";
  case Expr::Binary:
    break;
  }
  if (expr.text.size() > 1)
    return expr.text + "(" + print(*expr.lhs) + ", " + print(*expr.rhs) + ")";
  auto operand = [](const Expr &child) {
    bool isSimple = child.kind == Expr::Access ||
                    (child.kind == Expr::Literal && child.text[0] != '-') ||
                    (child.kind == Expr::Unary && child.text != "-") ||
                    (child.kind == Expr::Binary && child.text.size() > 1);
    return isSimple ? print(child) : "(" + print(child) + ")";
  };
  // Left-associative trees keep their shape without parentheses.
  bool isChain = expr.lhs->kind == Expr::Binary && expr.lhs->text == expr.text;
  return (isChain ? print(*expr.lhs) : operand(*expr.lhs)) + " " + expr.text +
         " " + operand(*expr.rhs);
}

std::string Statement::getString() const {
  bool hasEllipsis = false;
  auto isEllipsis = [](char c) { return c >= 'A' && c <= 'Z'; };
  for (const Operand &operand : operands)
    for (char label : operand.labels)
      hasEllipsis |= isEllipsis(label);
  // By code point they come in the order of the letters.
  auto spell = [&](char label) -> std::string {
    std::string letter(1, label);
    switch (spelling) {
    case Letters:
      return letter;
    case Capitals:
      return std::string(1, static_cast<char>(label - 'a' + 'A'));
    case Cyrillic: { // from U+0430 on; 16 of them begin with the byte D0
      int at = label - 'a';
      return at < 16 ? std::string("\xD0") + static_cast<char>(0xB0 + at)
                     : std::string("\xD1") + static_cast<char>(0x80 + at - 16);
    }
    case Words:
      return " " + letter + "_1";
    }
    return letter;
  };
  auto printTerm = [&](const std::string &labels) {
    std::string text = hasEllipsis ? "..." : "";
    for (char label : labels)
      if (!isEllipsis(label))
        text += spell(label);
    return text;
  };
  std::string text;
  size_t end = std::min(groupEnd, operands.size());
  bool hasGroup = groupBegin + 2 <= end;
  for (size_t i = 0; i < operands.size(); ++i) {
    text += i == 0 ? "" : ",";
    text += hasGroup && i == groupBegin ? "(" : "";
    text += printTerm(operands[i].labels);
    text += hasGroup && i + 1 == end ? ")" : "";
  }
  return isImplicit ? text : text + "->" + printTerm(output);
}

bool reads(const Statement &statement, const std::string &tensor) {
  if (statement.data == tensor)
    return true;
  for (const Statement::Operand &operand : statement.operands)
    if (operand.tensor == tensor)
      return true;
  std::vector<const Expr *> accesses;
  collectAccesses(statement.value, accesses);
  return std::any_of(accesses.begin(), accesses.end(), [&](const Expr *access) {
    return access->text == tensor;
  });
}

Tensor *Program::find(const std::string &name) {
  for (auto &[key, tensor] : tensors)
    if (key == name)
      return &tensor;
  return nullptr;
}
const Tensor *Program::find(const std::string &name) const {
  return const_cast<Program *>(this)->find(name);
}

std::map<std::string, int64_t> Program::getValues() const {
  std::map<std::string, int64_t> values;
  for (const Size &size : sizes)
    values[size.name] = size.value;
  return values;
}

static std::string printType(const Tensor &tensor) {
  return getSpelling(tensor.type).str() + printList(tensor.dims);
}

std::string Program::str() const {
  std::string params, results;
  for (const auto &[name, tensor] : tensors) {
    if (tensor.role == Tensor::Input)
      params += (params.empty() ? "" : ", ") + name + ": " + printType(tensor);
    if (tensor.role != Tensor::Output && tensor.role != Tensor::InOut)
      continue;
    results += results.empty() ? "" : ", ";
    results += tensor.role == Tensor::InOut ? "inout " : "";
    results += name + (tensor.declaresDims ? ": " + printType(tensor) : "");
  }
  std::string text = "def f(" + params + ")\n    -> (" + results + ") {\n";
  std::set<std::string> written;
  for (const Statement &statement : statements) {
    const Tensor *target = find(statement.target);
    text += statement.saysLet ? "  let " : "  ";
    text += statement.target;
    bool isFirst = written.insert(statement.target).second;
    if (target && target->role == Tensor::Temporary && isFirst &&
        target->declaresDims)
      text += ": " + printType(*target);
    if (statement.isEinsum()) {
      text += " = einsum(\"" + statement.getString() + "\"";
      for (const Statement::Operand &operand : statement.operands)
        text += ", " + operand.tensor;
      if (statement.spelling == Statement::Words)
        text += ", labels=words";
      if (statement.accumulator)
        text += ", acc=" + getSpelling(*statement.accumulator).str();
      text += ")\n";
      continue;
    }
    if (!statement.op.empty()) {
      text += " = " + statement.op + "(" +
              join(statement.operands,
                   [](const Statement::Operand &x) { return x.tensor; });
      text += (statement.attributes.empty() ? "" : ", ") +
              statement.attributes + ")\n";
      continue;
    }
    if (!statement.indices.empty())
      text += "(" +
              join(statement.indices, [](const std::string &x) { return x; }) +
              ")";
    text += " " + statement.update + " " + print(*statement.value);
    if (statement.accumulator)
      text += " acc = " + getSpelling(*statement.accumulator).str();
    if (!statement.condition.empty())
      text += " where " + statement.condition;
    text += "\n";
  }
  return text + "}\n";
}

std::string Program::getSizes(bool isBound) const {
  std::string text;
  for (const Size &size : sizes)
    if (size.isBound == isBound)
      text += (text.empty() ? "" : ",") + size.name + "=" +
              std::to_string(size.value);
  return text;
}

static size_t countNodes(const ExprPtr &expr) {
  if (!expr)
    return 0;
  // A number that is none but 1 is a choice that may matter.
  size_t count = 1 + (expr->kind == Expr::Literal && expr->text != "1");
  for (const Linear &subscript : expr->subscripts)
    count += 2 * subscript.terms.size() + (subscript.constant != 0);
  return count + countNodes(expr->lhs) + countNodes(expr->rhs);
}

/// How unusual a type is.
static size_t rank(ElementType type) {
  switch (type) {
  case ElementType::F32:
    return 0;
  case ElementType::I32:
  case ElementType::F64:
    return 1;
  default:
    return 2;
  }
}

size_t Program::countNodes() const {
  size_t count = 0;
  for (const auto &[name, tensor] : tensors) {
    count += 4 + rank(tensor.type) + (tensor.role == Tensor::InOut);
    for (const Linear &dim : tensor.dims)
      count += 1 + 2 * dim.terms.size() + (dim.constant != 0);
  }
  for (const Statement &statement : statements) {
    count += 3 * !statement.data.empty() + 8 + (statement.update.size() - 1) +
             fuzz::countNodes(statement.value);
    if (statement.accumulator)
      count += 1 + rank(*statement.accumulator);
    for (const Statement::Operand &operand : statement.operands)
      count += 2 + operand.labels.size();
    count += statement.spelling + 2 * (statement.groupEnd != 0) +
             statement.attributes.size() + 2 * statement.condition.size();
    for (const std::string &index : statement.indices)
      count += 2 * (index.size() - 1);
  }
  for (const Size &size : sizes)
    count += 2 + size.isBound;
  return count + isUnaligned + hasViews;
}

void Program::tidy() {
  auto isWritten = [&](const std::string &name) {
    return std::any_of(
        statements.begin(), statements.end(),
        [&](const Statement &statement) { return statement.target == name; });
  };
  auto isRead = [&](const std::string &name) {
    return std::any_of(
        statements.begin(), statements.end(),
        [&](const Statement &statement) { return reads(statement, name); });
  };
  for (auto it = tensors.begin(); it != tensors.end();) {
    if (!isWritten(it->first)) {
      if (!isRead(it->first)) {
        it = tensors.erase(it);
        continue;
      }
      it->second.role = Tensor::Input;
      it->second.declaresDims = true;
    }
    ++it;
  }
  std::set<std::string> mentioned, known;
  auto mention = [&](const Linear &linear, bool isSignature) {
    bool isDivided = false;
    for (const auto &term : linear.terms)
      isDivided |= !getDividedSize(term.first).empty();
    for (const auto &term : linear.terms) {
      std::string size = getDividedSize(term.first);
      mentioned.insert(size.empty() ? term.first : size);
      // Half a size gives none.
      if (isSignature && !isDivided)
        known.insert(term.first);
    }
  };
  for (const auto &[name, tensor] : tensors)
    for (const Linear &dim : tensor.dims)
      if (tensor.declaresDims)
        mention(dim, tensor.role != Tensor::Temporary);
  for (const Statement &statement : statements) {
    std::vector<const Expr *> accesses;
    collectAccesses(statement.value, accesses);
    for (const Expr *access : accesses)
      for (const Linear &subscript : access->subscripts)
        mention(subscript, false);
  }
  auto isUnused = [&](const Size &size) { return !mentioned.count(size.name); };
  sizes.erase(std::remove_if(sizes.begin(), sizes.end(), isUnused),
              sizes.end());
  // Sizes come from the signature.
  for (const Size &size : sizes) {
    if (known.count(size.name))
      continue;
    Tensor tensor;
    tensor.dims = {Linear::name(size.name)};
    tensors.insert(tensors.begin(), {"S" + size.name, tensor});
  }
}

} // namespace ein::fuzz
