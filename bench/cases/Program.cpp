//===- Program.cpp - The sizes and arrays of a program --------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No more of the language than the benchmark needs to allocate arrays before
// any contestant is there: the parameters and the one result of `def kernel`,
// its attributes, and a comment `# flops: EXPRESSION` with the operations.
//
//===----------------------------------------------------------------------===//

#include "bench/cases/Program.h"
#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <sstream>

namespace ein::bench {
namespace {

using Values = std::map<std::string, int64_t>;

/// Reads words and expressions from left to right.
class Reader {
public:
  Reader(std::string text, const Values &values)
      : text(std::move(text)), values(values) {}

  bool skip(const std::string &wanted) {
    skipBlanks();
    if (text.compare(at, wanted.size(), wanted) != 0)
      return false;
    at += wanted.size();
    return true;
  }

  std::string readWord() {
    skipBlanks();
    size_t begin = at;
    while (
        at < text.size() &&
        (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_'))
      ++at;
    return text.substr(begin, at - begin);
  }

  /// A sum of products; `/` is exact where it is used.
  double readExpression() {
    double value = readProduct();
    for (;;)
      if (skip("+"))
        value += readProduct();
      else if (skip("-"))
        value -= readProduct();
      else
        return value;
  }

  /// The names in expressions, as they came, and those without a value.
  std::vector<std::string> names, unknown;

private:
  void skipBlanks() {
    while (at < text.size() &&
           std::isspace(static_cast<unsigned char>(text[at])))
      ++at;
  }

  double readProduct() {
    double value = readFactor();
    for (;;)
      if (skip("*"))
        value *= readFactor();
      else if (skip("/"))
        value /= readFactor();
      else
        return value;
  }

  double readFactor() {
    if (skip("(")) {
      double value = readExpression();
      skip(")");
      return value;
    }
    std::string word = readWord();
    if (!word.empty() && std::isdigit(static_cast<unsigned char>(word[0])))
      return std::atof(word.c_str());
    auto found = values.find(word);
    if (found == values.end()) {
      unknown.push_back(word);
      return 0;
    }
    if (std::find(names.begin(), names.end(), word) == names.end())
      names.push_back(word);
    return found->second;
  }

  std::string text;
  const Values &values;
  size_t at = 0;
};

/// `name: type(dims)`.
std::string readArray(Reader &reader, Program &program) {
  Program::Array array;
  array.name = reader.readWord();
  if (!reader.skip(":"))
    return "a parameter without a type";
  std::optional<Element> element = parseElement(reader.readWord());
  if (!element)
    return "`" + array.name + "` has a type that the benchmark does not have";
  array.element = *element;
  if (reader.skip("("))
    do
      array.dims.push_back(reader.readExpression());
    while (reader.skip(","));
  if (!array.dims.empty() && !reader.skip(")"))
    return "dims of `" + array.name + "` that the benchmark cannot read";
  for (int64_t dim : array.dims)
    if (dim < 1)
      return "`" + array.name + "` has no elements";
  program.arrays.push_back(std::move(array));
  return "";
}

/// `attr(a: index = 1, …)`
std::vector<std::string> readAttributes(Reader &reader) {
  std::vector<std::string> names;
  if (reader.skip("attr") && reader.skip("("))
    do {
      names.push_back(reader.readWord());
      if (reader.skip(":"))
        reader.readWord();
      if (reader.skip("="))
        reader.readWord();
    } while (reader.skip(","));
  return names;
}

} // namespace

std::string readProgram(Program &program, const std::string &sizes,
                        Element &element) {
  std::ifstream in(program.path);
  std::ostringstream content;
  content << in.rdbuf();
  std::string text = content.str();
  const std::string start = "def kernel(", operations = "# flops:";
  size_t signature = text.find(start), flops = text.find(operations);
  if (!in || signature == std::string::npos || flops == std::string::npos)
    return "not there, or without `def kernel` or `# flops:`";

  Values values;
  std::istringstream parts(sizes);
  for (std::string part; std::getline(parts, part, ',');) {
    size_t equals = part.find('=');
    if (equals == std::string::npos)
      return "a size is not NAME=NUMBER";
    values[part.substr(0, equals)] = std::atoll(part.c_str() + equals + 1);
  }

  // Attributes come last and are sizes in dims all the same.
  Reader reader(text.substr(signature + start.size()), values);
  std::string error;
  do
    error = readArray(reader, program);
  while (error.empty() && reader.skip(","));
  if (error.empty() &&
      !(reader.skip(")") && reader.skip("->") && reader.skip("(")))
    error = "no result in parentheses";
  if (error.empty())
    error = readArray(reader, program);
  if (error.empty() && !reader.skip(")"))
    error = "more than one result";
  if (!reader.unknown.empty())
    return "no value for `" + reader.unknown.front() + "`";
  if (!error.empty())
    return error;
  std::vector<std::string> attributes = readAttributes(reader);
  for (const std::string &name : reader.names)
    if (!std::count(attributes.begin(), attributes.end(), name))
      program.sizes.push_back({name, values[name], false});
  for (const std::string &name : attributes)
    if (values.count(name))
      program.sizes.push_back({name, values[name], true});
  if (program.sizes.size() != values.size())
    return "a value for what is no size";
  if (program.arrays.size() > 26)
    return "more than 26 arrays";

  Reader counter(
      text.substr(flops + operations.size(),
                  text.find('\n', flops) - flops - operations.size()),
      values);
  program.flops = counter.readExpression();
  if (!counter.unknown.empty())
    return "operations in terms of `" + counter.unknown.front() + "`";
  element = program.arrays.back().element;
  return "";
}

} // namespace ein::bench
