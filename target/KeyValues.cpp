//===- KeyValues.cpp - Files of `key = value` lines -----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "target/KeyValues.h"
#include "target/MachineModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace ein {

Error makeError(TextPlace place, const Twine &message) {
  return make_error<MachineError>(place.line, place.column, message.str());
}

std::string printNumber(double number) {
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

Error checkRange(double number, StringRef key, double least, double most,
                 TextPlace place) {
  if (number >= least && number <= most)
    return Error::success();
  return makeError(place, "`" + key + "` is from " + printNumber(least) +
                              " to " + printNumber(most));
}

Error assignNumber(double &member, StringRef key, StringRef value, double least,
                   double most, TextPlace place) {
  bool isPlain = !value.empty() && all_of(value, [](char c) {
    return isDigit(c) || StringRef(".eE+-").contains(c);
  });
  if (!isPlain || value.getAsDouble(member))
    return makeError(place, "`" + key + "` is a number, not `" + value + "`");
  return checkRange(member, key, least, most, place);
}

Error checkFormat(StringRef value, StringRef known, TextPlace place) {
  return value == known
             ? Error::success()
             : makeError(place, "format `" + value +
                                    "` is not known; this einc reads " + known);
}

Expected<StringMap<TextPlace>> readKeyValues(
    StringRef text, ArrayRef<StringRef> keys,
    function_ref<Error(StringRef key, StringRef value, TextPlace place)>
        assign) {
  StringMap<TextPlace> places;
  unsigned number = 0; // of the line
  while (!text.empty()) {
    auto [line, next] = text.split('\n');
    ++number;
    text = next;
    StringRef content = line.split('#').first.rtrim(" \t\r");
    StringRef start = content.ltrim(" \t");
    if (start.empty())
      continue;
    auto getPlace = [number, begin = line.begin()](StringRef part) {
      return TextPlace{number, unsigned(part.begin() - begin) + 1};
    };
    auto [left, right] = start.split('=');
    StringRef key = left.rtrim(" \t"), value = right.ltrim(" \t");
    if (!start.contains('='))
      return makeError(getPlace(start), "a line is `key = value`");
    if (!is_contained(keys, key))
      return makeError(getPlace(start),
                       "there is no key `" + key.take_front(40) + "`");
    // An empty value is where it should be.
    TextPlace place = getPlace(value);
    if (value.empty())
      place.column = unsigned(content.end() - line.begin()) + 1;
    auto [entry, isNew] = places.try_emplace(key, place);
    if (!isNew)
      return makeError(getPlace(start), "`" + key +
                                            "` is there twice, first in line " +
                                            Twine(entry->second.line));
    if (Error error = assign(key, value, place))
      return std::move(error);
  }
  for (StringRef key : keys)
    if (!places.count(key))
      return makeError({number + 1, 1}, "there is no `" + key + "`");
  return places;
}

} // namespace ein
