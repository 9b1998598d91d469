//===- Call.cpp - Calling a compiled entry on arrays ----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Call.h"
#include "runtime/Half.h"
#include "runtime/Random.h"
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>

namespace ein::runtime {

/// `text` as an integer of type T, if it is one.
template <typename T>
static bool parseInteger(const std::string &text, Array &scalar) {
  const char *end = text.data() + text.size();
  T value;
  auto result = std::from_chars(text.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end)
    return false;
  *scalar.as<T>() = value;
  return true;
}

static bool parseBool(const std::string &text, Array &scalar) {
  bool isTrue = text == "1" || text == "true" || text == "True";
  *scalar.as<uint8_t>() = isTrue;
  return isTrue || text == "0" || text == "false" || text == "False";
}

/// `1.5`, `2j` or `1.5-2j`, each part rounded once to T.
template <typename T>
static bool parseComplex(const std::string &text,
                         T (*parse)(const char *, char **), Array &scalar) {
  T parts[2] = {0, 0};
  const char *at = text.c_str(), *stop = at + text.size();
  bool ok = true;
  auto parsePart = [&] {
    char *end = nullptr;
    errno = 0;
    T value = parse(at, &end);
    ok &= end != at && !(errno == ERANGE && std::isinf(value));
    at = end;
    return value;
  };
  T first = parsePart();
  if (at != stop && *at == 'j') {
    parts[1] = first;
    ++at;
  } else {
    parts[0] = first;
    if (ok && (*at == '+' || *at == '-')) {
      parts[1] = parsePart();
      ok &= *at == 'j';
      ++at;
    }
  }
  std::memcpy(scalar.data(), parts, sizeof parts);
  return ok && at == stop;
}

bool parseScalar(const std::string &text, DType type, Array &scalar) {
  // strtod skips blanks in front, which no number on a command line has.
  if (text.empty() || std::strchr(" \t\n\v\f\r", text[0]) ||
      !scalar.allocate(type, {}))
    return false;
  char *end = nullptr;
  errno = 0;
  bool overflow = false;
  switch (type) {
  case DType::F32:
    *scalar.as<float>() = std::strtof(text.c_str(), &end);
    overflow = errno == ERANGE && std::isinf(*scalar.as<float>());
    break;
  case DType::F64:
    *scalar.as<double>() = std::strtod(text.c_str(), &end);
    overflow = errno == ERANGE && std::isinf(*scalar.as<double>());
    break;
  case DType::F16:
  case DType::BF16: {
    float value = std::strtof(text.c_str(), &end);
    bool isF16 = type == DType::F16;
    uint16_t bits = isF16 ? toFloat16(value) : toBFloat16(value);
    *scalar.as<uint16_t>() = bits;
    bool isInfinite =
        std::isinf(isF16 ? fromFloat16(bits) : fromBFloat16(bits));
    overflow = isInfinite && (std::isfinite(value) || errno == ERANGE);
    break;
  }
  case DType::C64:
    return parseComplex<float>(text, std::strtof, scalar);
  case DType::C128:
    return parseComplex<double>(text, std::strtod, scalar);
  case DType::I8:
    return parseInteger<int8_t>(text, scalar);
  case DType::I16:
    return parseInteger<int16_t>(text, scalar);
  case DType::I32:
    return parseInteger<int32_t>(text, scalar);
  case DType::I64:
  case DType::Index:
    return parseInteger<int64_t>(text, scalar);
  case DType::U8:
    return parseInteger<uint8_t>(text, scalar);
  case DType::U16:
    return parseInteger<uint16_t>(text, scalar);
  case DType::U32:
    return parseInteger<uint32_t>(text, scalar);
  case DType::U64:
    return parseInteger<uint64_t>(text, scalar);
  case DType::Bool:
    return parseBool(text, scalar);
  }
  return end == text.c_str() + text.size() && !overflow;
}

Invocation::Invocation(Signature newSignature)
    : signature(std::move(newSignature)), arrays(signature.arguments.size()),
      given(signature.arguments.size()) {}

std::optional<size_t> Invocation::find(const std::string &name) const {
  for (size_t i = 0; i < signature.arguments.size(); ++i)
    if (signature.arguments[i].name == name)
      return i;
  return std::nullopt;
}

bool Invocation::setInput(const std::string &name, Array array,
                          std::string &error) {
  std::optional<size_t> position = find(name);
  if (!position || !signature.arguments[*position].isRead()) {
    error = "`" + name + "` is not an input of `" + signature.name + "`";
    return false;
  }
  arrays[*position] = std::move(array);
  given[*position] = true;
  return true;
}

bool Invocation::bind(const Bindings &bindings, std::string &error,
                      BindFault *fault) {
  std::vector<const Array *> known;
  for (size_t i = 0; i < arrays.size(); ++i)
    known.push_back(given[i] ? &arrays[i] : nullptr);
  return bindSizes(signature, known, bindings, sizes, error, fault);
}

/// Storage for the argument of that number, at the sizes found.
static bool allocate(const Signature &signature, const Argument &argument,
                     const std::vector<int64_t> &sizes, size_t number,
                     Array &array, std::string &error) {
  Shape shape;
  if (!evaluateShape(signature, argument, sizes, shape, error))
    return false;
  if (array.allocate(argument.type, shape, number))
    return true;
  error =
      "there is not enough memory for `" + argument.name + "`, " + print(shape);
  return false;
}

bool Invocation::fillMissing(uint64_t seed, std::string &error) {
  for (size_t i = 0; i < arrays.size(); ++i) {
    const Argument &argument = signature.arguments[i];
    if (given[i] || !argument.isRead())
      continue;
    if (!allocate(signature, argument, sizes, i, arrays[i], error))
      return false;
    fillRandom(arrays[i], seed, i);
    given[i] = true;
  }
  return true;
}

bool Invocation::allocateOutputs(std::string &error) {
  for (size_t i = 0; i < arrays.size(); ++i) {
    const Argument &argument = signature.arguments[i];
    if (argument.isRead()) {
      if (given[i])
        continue;
      error = "the input `" + argument.name + "` is missing";
      return false;
    }
    if (!allocate(signature, argument, sizes, i, arrays[i], error))
      return false;
    // All ones is a NaN in every floating-point type, and a number that few
    // results are in the others. It also has the pages mapped before the clock
    // runs.
    std::memset(arrays[i].data(), 0xff, arrays[i].getNumBytes());
  }
  return true;
}

bool Invocation::callTimes(PackedFunction function, int64_t count,
                           std::string &error) {
  std::vector<void *> pointers;
  for (Array &array : arrays)
    pointers.push_back(array.data());
  auto start = std::chrono::steady_clock::now();
  code = 0;
  for (int64_t i = 0; i < count && code == 0; ++i)
    code = function(pointers.data(), sizes.data());
  std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - start;
  seconds = elapsed.count();
  if (code == 0)
    return true;
  const char *text = getText(code);
  error = "`" + signature.name +
          "` failed: " + (text ? text : "unknown code " + std::to_string(code));
  return false;
}

bool Invocation::run(PackedFunction function, std::string &error) {
  return allocateOutputs(error) && callTimes(function, 1, error);
}

bool Invocation::measure(PackedFunction function, double minimumSeconds,
                         Timing &timing, std::string &error) {
  if (!allocateOutputs(error))
    return false;
  std::vector<std::pair<size_t, Array>> saved;
  for (size_t i = 0; i < arrays.size(); ++i) {
    if (signature.arguments[i].role != Role::InOut)
      continue;
    saved.emplace_back(i, Array());
    if (!saved.back().second.copyFrom(arrays[i])) {
      error = "there is not enough memory for a second `" +
              signature.arguments[i].name + "`";
      return false;
    }
  }

  // The first call warms the caches and says how many calls one reading of the
  // clock has to span to be worth something.
  if (!callTimes(function, 1, error))
    return false;
  int64_t perReading = 1;
  if (saved.empty() && seconds < 10e-6)
    perReading = static_cast<int64_t>(10e-6 / std::max(seconds, 10e-9)) + 1;

  auto restore = [&] {
    for (auto &[position, contents] : saved)
      std::memcpy(arrays[position].data(), contents.data(),
                  contents.getNumBytes());
  };
  std::vector<double> readings;
  timing = Timing();
  double total = 0;
  while (total < minimumSeconds || readings.size() < 3) {
    restore();
    if (!callTimes(function, perReading, error))
      return false;
    total += seconds;
    readings.push_back(seconds / static_cast<double>(perReading));
  }
  restore();
  std::sort(readings.begin(), readings.end());
  timing.median = readings[readings.size() / 2];
  timing.minimum = readings.front();
  timing.calls = static_cast<int64_t>(readings.size()) * perReading;
  return true;
}

} // namespace ein::runtime
