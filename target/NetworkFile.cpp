//===- NetworkFile.cpp - What a file says of many machines ----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "target/NetworkFile.h"
#include "target/KeyValues.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

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

} // namespace

Expected<Network> readNetwork(StringRef text) {
  Network network;
  SmallVector<StringRef> keys{"format"};
  for (const Field &field : kFields)
    keys.push_back(field.key);
  Expected<StringMap<TextPlace>> found = readKeyValues(
      text, keys, [&](StringRef key, StringRef value, TextPlace place) {
        if (key == "format")
          return checkFormat(value, kFormat, place);
        const Field &field =
            *find_if(kFields, [&](const Field &own) { return own.key == key; });
        return assignNumber(network.*field.member, key, value, field.least,
                            field.most, place);
      });
  if (!found)
    return found.takeError();
  return network;
}

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
