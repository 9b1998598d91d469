//===- MachineModel.cpp - The text form of machines -----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A line is empty, a comment, or `key = value`, and `#` begins a comment. All
// keys are there: a number that is missing would be one that nobody chose.
//
//===----------------------------------------------------------------------===//

#include "target/MachineModel.h"
#include "target/KeyValues.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;

namespace ein {

char MachineError::ID = 0;

void MachineError::log(raw_ostream &os) const {
  os << line << ":" << column << ": " << message;
}

namespace {

constexpr StringRef kFormat = "1";

struct Unit {
  StringRef name;
  uint64_t bytes;
};
constexpr Unit kUnits[] = {{"GiB", uint64_t(1) << 30},
                           {"MiB", uint64_t(1) << 20},
                           {"KiB", uint64_t(1) << 10}};

class Reader {
public:
  explicit Reader(StringRef text) : text(text) {}
  Expected<MachineModel> read();

private:
  Error assign(StringRef key, StringRef value, TextPlace place);
  Error assignWords(StringRef key, StringRef value, TextPlace place);

  Error check();
  Error checkCache(StringRef name, const CacheModel &cache, bool isNeeded);
  Error checkOrder(StringRef near, StringRef far, double nearValue,
                   double farValue, bool grows);
  Error checkLevels(StringRef near, StringRef far, double nearLatency,
                    double farLatency, ArrayRef<double> nearRates,
                    ArrayRef<double> farRates);

  StringRef text;
  MachineModel machine;
  StringMap<TextPlace> places; // where each key's value is
};

} // namespace

static std::string printNumber(uint64_t number) {
  return std::to_string(number);
}

static bool takesUnits(StringRef key) { return key.ends_with("bytes"); }

template <typename T> static std::string printValue(StringRef key, T value) {
  if constexpr (std::is_same_v<T, uint64_t>)
    if (takesUnits(key) && value != 0)
      for (const Unit &unit : kUnits)
        if (value % unit.bytes == 0)
          return std::to_string(value / unit.bytes) + " " + unit.name.str();
  return printNumber(value);
}

static Error assignNumber(uint64_t &member, StringRef key, StringRef value,
                          double least, double most, TextPlace place) {
  uint64_t factor = 1;
  StringRef digits = value;
  if (takesUnits(key))
    for (const Unit &unit : kUnits)
      if (digits.consume_back(unit.name)) {
        factor = unit.bytes;
        digits = digits.rtrim(" \t");
        break;
      }
  uint64_t count = 0;
  if (digits.empty() || !all_of(digits, isDigit) ||
      digits.getAsInteger(10, count))
    return makeError(place, "`" + key + "` is a whole number" +
                                (takesUnits(key) ? ", as `48 KiB`" : "") +
                                ", not `" + value + "`");
  if (Error error =
          checkRange(double(count) * double(factor), key, least, most, place))
    return error;
  member = count * factor;
  return Error::success();
}

/// A name of LLVM's, or one's own.
static bool isName(StringRef word) {
  return !word.empty() && all_of(word, [](char c) {
    return isAlnum(c) || StringRef("-_.+").contains(c);
  });
}

Error Reader::assignWords(StringRef key, StringRef value, TextPlace place) {
  if (key == "format")
    return checkFormat(value, kFormat, place);
  if (key == "name") {
    machine.name = value.str();
    return isName(value)
               ? Error::success()
               : makeError(place, "`name` is a word of letters, digits, `-`, "
                                  "`_`, `.` and `+`, not `" +
                                      value + "`");
  }
  SmallVector<StringRef> words;
  value.split(words, ',');
  if (value.empty())
    words.clear();
  for (StringRef word : words) {
    StringRef trimmed = word.trim(" \t");
    TextPlace at = {place.line,
                    place.column + unsigned(trimmed.data() - value.data())};
    if (!isName(trimmed))
      return makeError(at, "`cpus` is a list of names, with `,` between them");
    if (is_contained(machine.cpus, trimmed))
      return makeError(at, "`" + trimmed + "` is there twice");
    machine.cpus.push_back(trimmed.str());
  }
  return Error::success();
}

Error Reader::assign(StringRef key, StringRef value, TextPlace place) {
  if (key == "format" || key == "name" || key == "cpus")
    return assignWords(key, value, place);
#define EIN_MACHINE_NUMBER(KEY, MEMBER, LEAST, MOST, UNIT)                     \
  if (key == KEY)                                                              \
    return assignNumber(machine.MEMBER, key, value, LEAST, MOST, place);
#include "target/MachineFields.def"
  llvm_unreachable("a key of the list");
}

Expected<MachineModel> Reader::read() {
  static constexpr StringRef keys[] = {
      "format",
      "name",
      "cpus",
#define EIN_MACHINE_NUMBER(KEY, MEMBER, LEAST, MOST, UNIT) KEY,
#include "target/MachineFields.def"
  };
  Expected<StringMap<TextPlace>> found = readKeyValues(
      text, keys, [&](StringRef key, StringRef value, TextPlace place) {
        return assign(key, value, place);
      });
  if (!found)
    return found.takeError();
  places = std::move(*found);
  if (Error error = check())
    return std::move(error);
  return machine;
}

//===----------------------------------------------------------------------===//
// What the numbers are together
//===----------------------------------------------------------------------===//

Error Reader::checkOrder(StringRef near, StringRef far, double nearValue,
                         double farValue, bool grows) {
  if (grows ? nearValue <= farValue : nearValue >= farValue)
    return Error::success();
  return makeError(places[far], "`" + far + "` is " +
                                    (grows ? "less" : "more") + " than `" +
                                    near + "`, " + printNumber(nearValue));
}

Error Reader::checkCache(StringRef name, const CacheModel &cache,
                         bool isNeeded) {
  std::string bytes = (name + ".bytes").str();
  struct {
    const char *key;
    double value;
  } others[] = {{".ways", double(cache.ways)},
                {".latency", cache.latency},
                {".read", cache.read},
                {".write", cache.write},
                {".copy", cache.copy}};
  if (cache.bytes == 0 && isNeeded)
    return makeError(places[bytes], "each machine has an `" + name + "`");
  for (const auto &other : others)
    if ((other.value == 0) != (cache.bytes == 0)) {
      std::string key = (name + other.key).str();
      return makeError(places[key], "`" + key + "` is " +
                                        (cache.bytes == 0 ? "not 0" : "0") +
                                        ", but `" + bytes + "` is " +
                                        (cache.bytes == 0 ? "0" : "not"));
    }
  if (cache.bytes != 0 && (cache.bytes % (cache.ways * machine.lineBytes) != 0))
    return makeError(places[bytes], "`" + bytes + "` is no multiple of `" +
                                        name + ".ways` lines");
  return Error::success();
}

Error Reader::checkLevels(StringRef near, StringRef far, double nearLatency,
                          double farLatency, ArrayRef<double> nearRates,
                          ArrayRef<double> farRates) {
  auto name = [](StringRef level, StringRef key) {
    return (level + "." + key).str();
  };
  if (Error error = checkOrder(name(near, "latency"), name(far, "latency"),
                               nearLatency, farLatency, /*grows=*/true))
    return error;
  static constexpr StringRef keys[] = {"read", "write", "copy"};
  for (auto [key, fast, slow] : zip_equal(keys, nearRates, farRates))
    if (Error error =
            checkOrder(name(near, key), name(far, key), fast, slow, false))
      return error;
  return Error::success();
}

Error Reader::check() {
  if (!isPowerOf2_64(machine.lineBytes))
    return makeError(places["line-bytes"], "a line is 2^n bytes");
  if (!isPowerOf2_64(machine.pageBytes) ||
      machine.pageBytes < machine.lineBytes)
    return makeError(places["page-bytes"],
                     "a page is 2^n bytes, and no less than a line");
  if (Error error = checkOrder("port-bits", "vector-bits", machine.portBits,
                               machine.vectorBits, /*grows=*/true))
    return error;
  bool hasL3 = machine.l3.bytes != 0;
  if (Error error = checkCache("l1", machine.l1, /*isNeeded=*/true))
    return error;
  if (Error error = checkCache("l2", machine.l2, /*isNeeded=*/hasL3))
    return error;
  if (Error error = checkCache("l3", machine.l3, /*isNeeded=*/false))
    return error;
  StringRef near = "l1";
  const CacheModel *nearest = &machine.l1;
  for (auto [name, cache] :
       {std::pair("l2", &machine.l2), std::pair("l3", &machine.l3)}) {
    if (cache->bytes == 0)
      break;
    if (Error error =
            checkOrder((near + ".bytes").str(), (Twine(name) + ".bytes").str(),
                       nearest->bytes, cache->bytes, true))
      return error;
    if (Error error =
            checkLevels(near, name, nearest->latency, cache->latency,
                        {nearest->read, nearest->write, nearest->copy},
                        {cache->read, cache->write, cache->copy}))
      return error;
    near = name;
    nearest = cache;
  }
  const MemoryModel &memory = machine.memory;
  if (Error error =
          checkLevels(near, "memory", nearest->latency, memory.latency,
                      {nearest->read, nearest->write, nearest->copy},
                      {memory.read, memory.write, memory.copy}))
    return error;
  if (Error error =
          checkOrder("tlb1.entries", "tlb2.entries", machine.tlb1.entries,
                     machine.tlb2.entries, true))
    return error;
  return checkOrder("tlb1.miss", "tlb2.miss", machine.tlb1.miss,
                    machine.tlb2.miss, true);
}

Expected<MachineModel> readMachine(StringRef text) {
  return Reader(text).read();
}

Expected<MachineModel> readMachineFile(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return createStringError(buffer.getError(),
                             "cannot read `" + path +
                                 "`: " + buffer.getError().message());
  Expected<MachineModel> machine = readMachine((*buffer)->getBuffer());
  if (machine)
    return machine;
  return createStringError(path + ":" + toString(machine.takeError()));
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

std::string printMachine(const MachineModel &machine,
                         function_ref<std::string(StringRef)> getNote) {
  std::string text;
  raw_string_ostream os(text);
  auto print = [&](StringRef key, StringRef value, StringRef unit) {
    os << left_justify((key + " = " + value).str(), 32);
    std::string note = getNote ? getNote(key) : "";
    os << "# " << unit << (note.empty() ? "" : "; ") << note << "\n";
  };
  print("format", kFormat, "of this file");
  print("name", machine.name, "as reports call it");
  print("cpus", join(machine.cpus, ", "), "LLVM's names");
#define EIN_MACHINE_GROUP(TEXT) os << "\n# " << TEXT << "\n";
#define EIN_MACHINE_NUMBER(KEY, MEMBER, LEAST, MOST, UNIT)                     \
  print(KEY, printValue(KEY, machine.MEMBER), UNIT);
#include "target/MachineFields.def"
  return text;
}

} // namespace ein
