//===- Signature.cpp - What a compiled entry takes and gives --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A signature travels through an object file as one string. Reading it back
// leniently would let a damaged or foreign string pass for a signature and the
// entry be called with the wrong arguments; so the parser is a small one that
// builds what it can, and is believed only if printing the result gives the
// same text again.
//
//===----------------------------------------------------------------------===//

#include "abi/Signature.h"
#include "abi/PrintQuotient.h"
#include "abi/TextReader.h"
#include <algorithm>
#include <cmath>
#include <cstdint>

namespace ein::runtime {

const char *getSpelling(DType type) {
  switch (type) {
#define EIN_ELEMENT_TYPE(ENUM, SPELLING, CTYPE, KIND, BITS, NPY)               \
  case DType::ENUM:                                                            \
    return SPELLING;
#include "abi/ElementTypes.def"
  }
  return "";
}

const char *getNpyName(DType type) {
  switch (type) {
#define EIN_ELEMENT_TYPE(ENUM, SPELLING, CTYPE, KIND, BITS, NPY)               \
  case DType::ENUM:                                                            \
    return NPY;
#include "abi/ElementTypes.def"
  }
  return "";
}

DKind getKind(DType type) {
  switch (type) {
#define EIN_ELEMENT_TYPE(ENUM, SPELLING, CTYPE, KIND, BITS, NPY)               \
  case DType::ENUM:                                                            \
    return DKind::KIND;
#include "abi/ElementTypes.def"
  }
  return DKind::Float;
}

size_t getByteWidth(DType type) {
  switch (type) {
#define EIN_ELEMENT_TYPE(ENUM, SPELLING, CTYPE, KIND, BITS, NPY)               \
  case DType::ENUM:                                                            \
    return (BITS) / 8;
#include "abi/ElementTypes.def"
  }
  return 0;
}

static int64_t floorDivide(int64_t value, int64_t divisor) {
  return value / divisor - (value % divisor < 0);
}

bool Dim::isConstant() const { return terms.empty() && !isComputed(); }

bool Dim::isLone() const {
  return constant == 0 && !isComputed() && terms.size() == 1 &&
         terms[0].second == 1;
}

bool Dim::isComputed() const { return !quotients.empty() || !minima.empty(); }

bool Dim::evaluate(const std::vector<int64_t> &sizes, int64_t &value) const {
  value = constant;
  auto add = [&](int64_t coefficient, int64_t factor) {
    int64_t product;
    return !__builtin_mul_overflow(coefficient, factor, &product) &&
           !__builtin_add_overflow(value, product, &value);
  };
  for (auto [symbol, coefficient] : terms)
    if (symbol >= sizes.size() || !add(coefficient, sizes[symbol]))
      return false;
  for (const Quotient &quotient : quotients) {
    int64_t numerator;
    if (!quotient.numerator.evaluate(sizes, numerator) ||
        !add(quotient.coefficient, floorDivide(numerator, quotient.divisor)))
      return false;
  }
  for (const Minimum &minimum : minima) {
    int64_t least = INT64_MAX;
    for (const Dim &dim : minimum.values) {
      int64_t size;
      if (!dim.evaluate(sizes, size))
        return false;
      least = std::min(least, size);
    }
    if (!add(minimum.coefficient, least))
      return false;
  }
  return true;
}

static double estimate(const Dim &dim, const std::vector<int64_t> &sizes) {
  double value = static_cast<double>(dim.constant);
  for (auto [symbol, coefficient] : dim.terms)
    if (symbol < sizes.size())
      value +=
          static_cast<double>(coefficient) * static_cast<double>(sizes[symbol]);
  for (const Quotient &quotient : dim.quotients)
    value += static_cast<double>(quotient.coefficient) *
             std::floor(estimate(quotient.numerator, sizes) /
                        static_cast<double>(quotient.divisor));
  for (const Minimum &minimum : dim.minima) {
    double least = HUGE_VAL;
    for (const Dim &part : minimum.values)
      least = std::min(least, estimate(part, sizes));
    value += static_cast<double>(minimum.coefficient) * least;
  }
  return value;
}

int64_t Dim::evaluate(const std::vector<int64_t> &sizes) const {
  int64_t value;
  if (evaluate(sizes, value))
    return value;
  // Only the sign is of interest any more.
  return estimate(*this, sizes) < 0 ? INT64_MIN : INT64_MAX;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

std::string print(const Dim &dim, const std::vector<std::string> &symbols) {
  std::string text;
  auto append = [&](const std::string &name, int64_t coefficient) {
    // Through uint64_t, because -INT64_MIN has no int64_t.
    uint64_t magnitude = coefficient < 0
                             ? 0 - static_cast<uint64_t>(coefficient)
                             : static_cast<uint64_t>(coefficient);
    if (text.empty())
      text += coefficient < 0 ? "-" : "";
    else
      text += coefficient < 0 ? " - " : " + ";
    if (name.empty())
      text += std::to_string(magnitude);
    else if (magnitude == 1)
      text += name;
    else
      text += std::to_string(magnitude) + "*" + name;
  };
  for (auto [symbol, coefficient] : dim.terms)
    append(symbols[symbol], coefficient);
  for (const Quotient &quotient : dim.quotients) {
    std::string text =
        printQuotient(print(quotient.numerator, symbols),
                      quotient.numerator.isLone(), quotient.divisor);
    append("(" + text + ")", quotient.coefficient);
  }
  for (const Minimum &minimum : dim.minima) {
    std::string text;
    for (const Dim &value : minimum.values)
      text += (text.empty() ? "min(" : ", ") + print(value, symbols);
    append(text + ")", minimum.coefficient);
  }
  if (dim.constant != 0 || text.empty())
    append("", dim.constant);
  return text;
}

std::string print(const std::vector<Dim> &factors,
                  const std::vector<std::string> &symbols) {
  std::string text;
  for (const Dim &factor : factors)
    text += (text.empty() ? "(" : "*(") + print(factor, symbols) + ")";
  return text;
}

std::string printType(const Argument &argument,
                      const std::vector<std::string> &symbols) {
  std::string text = getSpelling(argument.type);
  if (argument.dims.empty())
    return text;
  text += "(";
  for (const Dim &dim : argument.dims) {
    if (&dim != &argument.dims.front())
      text += ", ";
    text += print(dim, symbols);
  }
  return text + ")";
}

std::string print(const Signature &signature) {
  std::string text = signature.name;
  if (!signature.symbols.empty()) {
    text += "<";
    for (size_t i = 0; i < signature.symbols.size(); ++i)
      text += (i ? ", " : "") + signature.symbols[i];
    text += ">";
  }
  auto appendList = [&](bool results) {
    bool first = true;
    for (const Argument &argument : signature.arguments) {
      if (argument.isResult() != results)
        continue;
      text += first ? "" : ", ";
      text += argument.role == Role::InOut ? "inout " : "";
      text += argument.name + ": " + printType(argument, signature.symbols);
      first = false;
    }
  };
  text += "(";
  appendList(/*results=*/false);
  text += ") -> (";
  appendList(/*results=*/true);
  text += ")";
  for (const Product &product : signature.products)
    text += (&product == &signature.products.front() ? " where " : ", ") +
            print(product.whole, signature.symbols) +
            " == " + print(product.factors, signature.symbols);
  return text;
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

namespace {

/// Recursive descent over the text; every function returns false where it is
/// not what was expected.
class Parser : TextReader {
public:
  using TextReader::TextReader;

  bool parse(Signature &signature) {
    if (!parseName(signature.name))
      return false;
    if (consume("<")) {
      do {
        std::string symbol;
        if (!parseName(symbol) || contains(signature.symbols, symbol))
          return false;
        signature.symbols.push_back(symbol);
      } while (consume(", "));
      if (!consume(">"))
        return false;
    }
    return parseArguments(signature, /*results=*/false) && consume(" -> ") &&
           parseArguments(signature, /*results=*/true) &&
           parseProducts(signature) && isAtEnd();
  }

private:
  static constexpr unsigned maxDepth = 64;

  unsigned depth = 0; // of quotients and minima in each other

  static bool contains(const std::vector<std::string> &names,
                       const std::string &name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  /// Names may hold letters of any script, so a name is whatever ends before a
  /// character with a meaning here.
  bool parseName(std::string &name) {
    size_t begin = at;
    while (at < text.size() && static_cast<unsigned char>(text[at]) > ' ' &&
           text[at] != 0x7f &&
           std::string("<>(),:*/+-=").find(text[at]) == std::string::npos)
      ++at;
    name = text.substr(begin, at - begin);
    return !name.empty() && !(name[0] >= '0' && name[0] <= '9');
  }

  /// What is after the parenthesis: symbol | "(" dim ")", " / ", number, ")".
  bool parseQuotient(int64_t coefficient, const Signature &signature,
                     Dim &dim) {
    if (++depth > maxDepth)
      return false;
    Quotient quotient;
    quotient.coefficient = coefficient;
    bool isCompound = consume("(");
    uint64_t divisor;
    if (!parseDim(signature, quotient.numerator) ||
        (isCompound && !consume(")")) || !consume(" / ") ||
        !readNumber(divisor) || divisor == 0 ||
        divisor > static_cast<uint64_t>(INT64_MAX) || !consume(")"))
      return false;
    quotient.divisor = static_cast<int64_t>(divisor);
    dim.quotients.push_back(std::move(quotient));
    --depth;
    return true;
  }

  /// What is after the parenthesis: dim, and ", ", dim once or more, ")".
  bool parseMinimum(int64_t coefficient, const Signature &signature, Dim &dim) {
    if (++depth > maxDepth)
      return false;
    Minimum minimum;
    minimum.coefficient = coefficient;
    do {
      minimum.values.emplace_back();
      if (!parseDim(signature, minimum.values.back()))
        return false;
    } while (consume(", "));
    if (minimum.values.size() < 2 || !consume(")"))
      return false;
    dim.minima.push_back(std::move(minimum));
    --depth;
    return true;
  }

  /// [magnitude "*"] (symbol | "(" quotient | "min(" minimum) | magnitude
  bool parseTerm(bool negative, const Signature &signature, Dim &dim) {
    bool hasNumber = at < text.size() && text[at] >= '0' && text[at] <= '9';
    uint64_t magnitude = 1;
    if (hasNumber && !readNumber(magnitude))
      return false;
    uint64_t limit = static_cast<uint64_t>(INT64_MAX) + negative;
    if (magnitude > limit)
      return false;
    auto coefficient =
        static_cast<int64_t>(negative ? 0 - magnitude : magnitude);
    if (hasNumber && !consume("*")) {
      dim.constant = coefficient;
      return true;
    }
    if (coefficient != 0 && consume("("))
      return parseQuotient(coefficient, signature, dim);
    if (coefficient != 0 && consume("min("))
      return parseMinimum(coefficient, signature, dim);
    std::string name;
    if (coefficient == 0 || !parseName(name))
      return false;
    auto symbol =
        std::find(signature.symbols.begin(), signature.symbols.end(), name);
    if (symbol == signature.symbols.end())
      return false;
    unsigned position = symbol - signature.symbols.begin();
    for (auto &term : dim.terms)
      if (term.first == position)
        return false;
    dim.terms.push_back({position, coefficient});
    return true;
  }

  bool parseDim(const Signature &signature, Dim &dim) {
    if (!parseTerm(consume("-"), signature, dim))
      return false;
    while (true) {
      if (consume(" + ")) {
        if (!parseTerm(/*negative=*/false, signature, dim))
          return false;
      } else if (consume(" - ")) {
        if (!parseTerm(/*negative=*/true, signature, dim))
          return false;
      } else {
        return true;
      }
    }
  }

  bool parseProducts(Signature &signature) {
    if (!consume(" where "))
      return true;
    do {
      Product &product = signature.products.emplace_back();
      if (!parseDim(signature, product.whole) || !consume(" == "))
        return false;
      do {
        if (!consume("(") ||
            !parseDim(signature, product.factors.emplace_back()) ||
            !consume(")"))
          return false;
      } while (consume("*"));
    } while (consume(", "));
    return true;
  }

  bool parseElementType(DType &type) {
    std::string spelling;
    if (!parseName(spelling))
      return false;
#define EIN_ELEMENT_TYPE(ENUM, SPELLING, CTYPE, KIND, BITS, NPY)               \
  if (spelling == SPELLING) {                                                  \
    type = DType::ENUM;                                                        \
    return true;                                                               \
  }
#include "abi/ElementTypes.def"
    return false;
  }

  bool parseType(const Signature &signature, Argument &argument) {
    if (!parseElementType(argument.type))
      return false;
    if (!consume("("))
      return true;
    do {
      argument.dims.emplace_back();
      if (!parseDim(signature, argument.dims.back()))
        return false;
    } while (consume(", "));
    return consume(")");
  }

  bool parseArguments(Signature &signature, bool results) {
    if (!consume("("))
      return false;
    if (consume(")"))
      return true;
    do {
      Argument argument;
      argument.role = results ? Role::Output : Role::Input;
      if (results && consume("inout "))
        argument.role = Role::InOut;
      if (!parseName(argument.name) || !consume(": ") ||
          !parseType(signature, argument))
        return false;
      for (const Argument &other : signature.arguments)
        if (other.name == argument.name)
          return false;
      signature.arguments.push_back(std::move(argument));
    } while (consume(", "));
    return consume(")");
  }
};

} // namespace

bool parse(const std::string &text, Signature &signature) {
  signature = Signature();
  return Parser(text).parse(signature) && print(signature) == text;
}

} // namespace ein::runtime
