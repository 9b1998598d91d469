//===- NetworkFile.cpp - What a file says of many machines ----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "target/NetworkFile.h"
#include "target/MachineModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace ein {

using distribute::Network;

namespace {

struct Field {
  StringLiteral key;
  double Network::*member;
  double least, most;
  StringLiteral unit;
};

constexpr StringRef kFormat = "1";

constexpr Field kFields[] = {
    {"flops", &Network::flops, 1, 1e18, "operations a second of a rank"},
    {"bytes", &Network::bytes, 1, 1e18,
     "bytes a second that a rank sends while it receives as many"},
    {"latency", &Network::latency, 0, 3600, "seconds of a message"},
    {"slack", &Network::slack, 0, 100,
     "how much longer the busiest rank may compute than it has to"}};

class Reader {
public:
  Expected<Network> read(StringRef text);

private:
  Error makeError(unsigned column, const Twine &message) const {
    return make_error<MachineError>(number, column, message.str());
  }
  Error readLine(StringRef line);
  Error assign(StringRef key, StringRef value, unsigned column);

  unsigned number = 0; // of the line
  Network network;
  StringMap<unsigned> lines; // where each key is
};

} // namespace

/// Of `1e9` or `0.25`; neither hexadecimal, nor an infinity.
static bool parseNumber(StringRef text, double &number) {
  bool isPlain = !text.empty() && all_of(text, [](char c) {
    return isDigit(c) || StringRef(".eE+-").contains(c);
  });
  return isPlain && !text.getAsDouble(number);
}

/// The fewest digits that are the number again, but no `3.6e+03`.
static std::string printNumber(double number) {
  std::string text;
  int whole = std::abs(number) >= 1 ? int(std::log10(std::abs(number))) + 1 : 1;
  for (int digits = std::min(whole, 15); digits <= 17; ++digits) {
    text.clear();
    raw_string_ostream(text) << format("%.*g", digits, number);
    double again = 0;
    if (!StringRef(text).getAsDouble(again) && again == number)
      break;
  }
  return text;
}

Error Reader::assign(StringRef key, StringRef value, unsigned column) {
  if (key == "format")
    return value == kFormat
               ? Error::success()
               : makeError(column, "format `" + value +
                                       "` is not known; this einc reads " +
                                       kFormat);
  const Field &field =
      *find_if(kFields, [&](const Field &own) { return own.key == key; });
  double &member = network.*field.member;
  if (!parseNumber(value, member))
    return makeError(column, "`" + key + "` is a number, not `" + value + "`");
  if (!(member >= field.least && member <= field.most))
    return makeError(column, "`" + key + "` is from " +
                                 printNumber(field.least) + " to " +
                                 printNumber(field.most));
  return Error::success();
}

Error Reader::readLine(StringRef line) {
  StringRef content = line.split('#').first.rtrim(" \t\r");
  StringRef start = content.ltrim(" \t");
  if (start.empty())
    return Error::success();
  auto getColumn = [&](StringRef part) {
    return unsigned(part.data() - line.data()) + 1;
  };
  auto [left, right] = start.split('=');
  StringRef key = left.rtrim(" \t"), value = right.ltrim(" \t");
  if (!start.contains('='))
    return makeError(getColumn(start), "a line is `key = value`");
  if (key != "format" &&
      none_of(kFields, [&](const Field &own) { return own.key == key; }))
    return makeError(getColumn(start),
                     "there is no key `" + key.take_front(40) + "`");
  auto [entry, isNew] = lines.try_emplace(key, number);
  if (!isNew)
    return makeError(getColumn(start), "`" + key +
                                           "` is there twice, first in line " +
                                           Twine(entry->second));
  // An empty value is where it should be.
  return assign(key, value,
                value.empty() ? unsigned(content.end() - line.data()) + 1
                              : getColumn(value));
}

Expected<Network> Reader::read(StringRef text) {
  while (!text.empty()) {
    auto [line, next] = text.split('\n');
    ++number;
    text = next;
    if (Error error = readLine(line))
      return std::move(error);
  }
  ++number;
  if (!lines.count("format"))
    return makeError(1, "there is no `format`");
  for (const Field &field : kFields)
    if (!lines.count(field.key))
      return makeError(1, "there is no `" + field.key + "`");
  return network;
}

Expected<Network> readNetwork(StringRef text) { return Reader().read(text); }

std::string printNetwork(const Network &network) {
  std::string text;
  raw_string_ostream os(text);
  auto print = [&](StringRef key, StringRef value, StringRef unit) {
    os << left_justify((key + " = " + value).str(), 20) << "# " << unit << "\n";
  };
  print("format", kFormat, "of this file");
  for (const Field &field : kFields)
    print(field.key, printNumber(network.*field.member), field.unit);
  return text;
}

} // namespace ein
