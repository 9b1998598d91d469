//===- PathFile.cpp - Orders of contraction from a file -------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three notations of one thing: what opt_einsum's functions return and Python
// prints, `[(0, 1), (0, 1)]`; the same in JSON; and what `--emit path` writes,
// which has such a list per statement. So values are read first, Python's and
// JSON's alike, with their places, and then understood.
//
//===----------------------------------------------------------------------===//

#include "driver/PathFile.h"
#include "driver/Path.h"
#include "frontend/print/Printer.h"
#include "frontend/source/ReadFile.h"
#include "order/ContractionOrder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace ein {
namespace {

/// A value of JSON or Python.
struct Value {
  enum Kind { Number, String, List, Object, Word } kind = Word;
  SourceRange range;
  std::string text;            // of a string, a number or a word
  std::vector<Value> elements; // of a list; values of an object
  std::vector<std::string> keys;

  const Value *find(StringRef key) const {
    for (auto [name, value] : zip_equal(keys, elements))
      if (name == key)
        return &value;
    return nullptr;
  }
};

/// Reads values.
class Reader {
public:
  Reader(const SourceFile &file, DiagnosticEngine &diags)
      : file(file), diags(diags), rest(file.getText()) {}

  FailureOr<Value> readAll() {
    FailureOr<Value> value = read(0);
    if (failed(value))
      return failure();
    skipBlanks();
    if (!rest.empty())
      return reject("the end of the file");
    return value;
  }

private:
  uint32_t getPlace() const { return file.getEnd() - rest.size(); }
  void skipBlanks() { rest = rest.ltrim(" \t\r\n"); }
  LogicalResult reject(StringRef expected) {
    uint32_t place = getPlace();
    diags.report(DiagId::PathSyntax, {place, place + !rest.empty()},
                 {expected.str()});
    return failure();
  }

  FailureOr<Value> read(unsigned depth);
  LogicalResult readElements(Value &value, char close, unsigned depth);
  LogicalResult readString(std::string &text);

  const SourceFile &file;
  DiagnosticEngine &diags;
  StringRef rest;
};

} // namespace

/// A string in either kind of quotes. JSON's escapes are read as JSON has them.
LogicalResult Reader::readString(std::string &text) {
  char quote = rest.front();
  size_t length = 1;
  while (length < rest.size() && rest[length] != quote)
    length += rest[length] == '\\' ? 2 : 1;
  if (length >= rest.size())
    return reject("a string that ends");
  StringRef literal = rest.take_front(length + 1);
  text = literal.drop_front().drop_back().str();
  if (quote == '"') {
    Expected<json::Value> value = json::parse(literal);
    if (value)
      text = value->getAsString()->str();
    else
      consumeError(value.takeError());
  }
  rest = rest.drop_front(length + 1);
  return success();
}

/// What is between brackets, and the closing one.
LogicalResult Reader::readElements(Value &value, char close, unsigned depth) {
  rest = rest.drop_front();
  for (;;) {
    skipBlanks();
    if (rest.consume_front(StringRef(&close, 1)))
      return success();
    if (!value.elements.empty()) {
      if (!rest.consume_front(","))
        return reject(close == ')'
                          ? "`,` or `)`"
                          : (close == ']' ? "`,` or `]`" : "`,` or `}`"));
      // Python allows a comma after the last one.
      skipBlanks();
      if (rest.consume_front(StringRef(&close, 1)))
        return success();
    }
    if (value.kind == Value::Object) {
      if (!rest.starts_with("\""))
        return reject("a name in quotes");
      if (failed(readString(value.keys.emplace_back())))
        return failure();
      skipBlanks();
      if (!rest.consume_front(":"))
        return reject("`:`");
    }
    FailureOr<Value> element = read(depth);
    if (failed(element))
      return failure();
    value.elements.push_back(std::move(*element));
  }
}

FailureOr<Value> Reader::read(unsigned depth) {
  constexpr unsigned kDeepest = 16;
  skipBlanks();
  Value value;
  value.range.begin = getPlace();
  char first = rest.empty() ? '\0' : rest.front();
  LogicalResult result = success();
  if (depth == kDeepest) {
    result = reject("fewer brackets");
  } else if (first == '[' || first == '(') {
    value.kind = Value::List;
    result = readElements(value, first == '[' ? ']' : ')', depth + 1);
  } else if (first == '{') {
    value.kind = Value::Object;
    result = readElements(value, '}', depth + 1);
  } else if (first == '"' || first == '\'') {
    value.kind = Value::String;
    result = readString(value.text);
  } else {
    StringRef word = rest.take_while([](char c) {
      return isAlnum(c) || c == '-' || c == '+' || c == '.' || c == '_';
    });
    if (word.empty())
      return reject("a list");
    value.kind = all_of(word, isDigit) ? Value::Number : Value::Word;
    value.text = word.str();
    rest = rest.drop_front(word.size());
  }
  value.range.end = getPlace();
  if (failed(result))
    return failure();
  return value;
}

namespace {

/// The tensors that are left, in order, which the n-th one can be taken out of.
class Positions {
public:
  Positions(unsigned numTensors, size_t numSteps)
      : sums(numTensors + numSteps + 1, 0), left(0) {
    for (unsigned i = 0; i != numTensors; ++i)
      append(i);
  }
  size_t size() const { return left; }
  void append(unsigned tensor) {
    tensors.push_back(tensor);
    change(tensors.size(), 1);
  }
  /// Where the tensor at `position` is in the list of all that ever were.
  size_t findPlace(size_t position) const {
    size_t place = 0;
    for (size_t step = bit_floor(sums.size()); step != 0; step /= 2)
      if (place + step < sums.size() && sums[place + step] <= position) {
        place += step;
        position -= sums[place];
      }
    return place;
  }
  unsigned take(size_t place) {
    change(place + 1, -1);
    return tensors[place];
  }

private:
  // A Fenwick tree, whose sums count what is left.
  void change(size_t i, int by) {
    left += by;
    for (; i < sums.size(); i += i & -i)
      sums[i] += by;
  }

  std::vector<unsigned> sums;
  std::vector<unsigned> tensors;
  size_t left;
};

/// Understands what a file says.
class PathReader {
public:
  PathReader(Program &program, DiagnosticEngine &diags) : diags(diags) {
    for (Def &def : program.defs)
      for (Statement &statement : def.statements)
        if (countPathFactors(def, statement))
          products.push_back({&def, &statement});
  }

  LogicalResult read(const Value &file);

private:
  struct Product {
    const Def *def;
    Statement *statement;
  };
  LogicalResult reject(const Value &value, StringRef expected) {
    diags.report(DiagId::PathSyntax, value.range, {expected.str()});
    return failure();
  }
  LogicalResult readEntry(const Value &entry);
  LogicalResult readSteps(const Value &steps, Product product);
  LogicalResult readStep(const Value &step, Product product,
                         Positions &positions);

  DiagnosticEngine &diags;
  std::vector<Product> products;
};

} // namespace

LogicalResult PathReader::readStep(const Value &step, Product product,
                                   Positions &positions) {
  if (step.kind != Value::List || step.elements.empty())
    return reject(step, "the positions that a step contracts");
  SmallVector<size_t> places;
  for (const Value &element : step.elements) {
    size_t position;
    if (element.kind != Value::Number)
      return reject(element, "a position, counted from 0");
    if (StringRef(element.text).getAsInteger(10, position) ||
        position >= positions.size()) {
      diags.report(DiagId::PathPosition, element.range,
                   {element.text, std::to_string(positions.size())});
      return failure();
    }
    size_t place = positions.findPlace(position);
    if (is_contained(places, place)) {
      diags.report(DiagId::PathRepeated, element.range, {element.text});
      return failure();
    }
    places.push_back(place);
  }
  // Of more than two, each is contracted with what the ones before it made. One
  // alone goes to the end.
  std::vector<std::vector<unsigned>> &order = product.statement->order;
  unsigned numFactors = *countPathFactors(*product.def, *product.statement);
  unsigned result = positions.take(places[0]);
  for (size_t place : ArrayRef(places).drop_front()) {
    order.push_back({result, positions.take(place)});
    result = numFactors + order.size() - 1;
  }
  positions.append(result);
  return success();
}

LogicalResult PathReader::readSteps(const Value &steps, Product product) {
  if (steps.kind != Value::List)
    return reject(steps, "a list of steps");
  ArrayRef<Value> rest = steps.elements;
  // numpy's begin with this.
  if (!rest.empty() && rest.front().kind == Value::String &&
      rest.front().text == "einsum_path")
    rest = rest.drop_front();
  unsigned numFactors = *countPathFactors(*product.def, *product.statement);
  Positions positions(numFactors, rest.size());
  product.statement->order.clear();
  for (const Value &step : rest)
    if (failed(readStep(step, product, positions)))
      return failure();
  if (positions.size() == 1)
    return success();
  diags.report(DiagId::PathIncomplete, steps.range,
               {std::to_string(positions.size()), std::to_string(numFactors)});
  return failure();
}

LogicalResult PathReader::readEntry(const Value &entry) {
  const Value *path = entry.find("path"), *def = entry.find("def"),
              *statement = entry.find("statement");
  if (!path)
    return reject(entry, "an object that has a `path`");
  for (Product &product : products) {
    std::string source;
    raw_string_ostream os(source);
    printStatement(os, *product.def, *product.statement);
    if ((def && def->text != json::fixUTF8(product.def->name)) ||
        (statement && statement->text != json::fixUTF8(source)))
      continue;
    Product found = product;
    products.erase(products.begin() + (&product - products.data()));
    return readSteps(*path, found);
  }
  diags.report(DiagId::PathUnknownStatement,
               statement ? statement->range : entry.range,
               {def ? def->text : "any", statement ? statement->text : "so"});
  return failure();
}

LogicalResult PathReader::read(const Value &file) {
  if (file.kind == Value::Object)
    return readEntry(file);
  if (file.kind != Value::List)
    return reject(file, "a list");
  if (!file.elements.empty() && file.elements.front().kind == Value::Object) {
    for (const Value &entry : file.elements) {
      if (entry.kind != Value::Object)
        return reject(entry, "an object that has a `path`");
      if (failed(readEntry(entry)))
        return failure();
    }
    return success();
  }
  if (products.size() == 1)
    return readSteps(file, products.front());
  diags.report(DiagId::PathForWhich, file.range,
               {std::to_string(products.size())});
  return failure();
}

LogicalResult readPathFile(const std::string &name, Program &program,
                           Sources &sources, DiagnosticEngine &diags) {
  ErrorOr<std::string> text = readSourceFile(name);
  if (!text && text.getError() == std::errc::file_too_large)
    return diags.report(DiagId::FileTooLarge, {}, {name});
  if (!text) {
    std::optional<StringRef> similar =
        findSimilarName(name, getPathStrategies());
    std::string reason = text.getError().message();
    if (similar)
      reason += "; did you mean `" + similar->str() + "`?";
    return diags.report(DiagId::CannotRead, {}, {name, reason});
  }
  const SourceFile *file = sources.add(name, std::move(*text));
  if (!file)
    return diags.report(DiagId::FileTooLarge, {}, {name});
  FailureOr<Value> value = Reader(*file, diags).readAll();
  if (failed(value))
    return failure();
  return PathReader(program, diags).read(*value);
}

} // namespace ein
