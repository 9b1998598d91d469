//===- Print.cpp - Arrays and times as text -------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Print.h"
#include "runtime/Half.h"
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>

namespace ein::runtime {

/// The fewest digits that `round`, from an f32, makes the same number of.
template <typename Round>
static std::to_chars_result printHalf(char *text, float value, Round round) {
  for (int digits = 1; digits < 9; ++digits) {
    std::to_chars_result result = std::to_chars(
        text, text + 63, value, std::chars_format::general, digits);
    *result.ptr = '\0';
    if (round(std::strtof(text, nullptr)) == round(value))
      return result;
  }
  return std::to_chars(text, text + 63, value);
}

/// The sign of a NaN says nothing.
static std::string printPart(std::string number) {
  return number == "-nan" ? "nan" : number;
}

template <typename T> static std::string printComplex(const T *parts) {
  std::string texts[2];
  for (int i = 0; i < 2; ++i) {
    char text[64];
    texts[i] = printPart(
        std::string(text, std::to_chars(text, text + 64, parts[i]).ptr));
  }
  return texts[0] + (texts[1][0] == '-' ? "" : "+") + texts[1] + "j";
}

/// With the fewest digits that read back as the same number.
static std::string printNumber(const Array &array, int64_t position) {
  char text[64];
  std::to_chars_result result = {text, {}};
  auto print = [&](auto value) {
    result = std::to_chars(text, text + 64, value);
  };
  switch (array.type) {
  case DType::F16:
    result =
        printHalf(text, fromFloat16(array.as<uint16_t>()[position]), toFloat16);
    break;
  case DType::BF16:
    result = printHalf(text, fromBFloat16(array.as<uint16_t>()[position]),
                       toBFloat16);
    break;
  case DType::F32:
    print(array.as<float>()[position]);
    break;
  case DType::F64:
    print(array.as<double>()[position]);
    break;
  case DType::C64:
    return printComplex(array.as<float>() + 2 * position);
  case DType::C128:
    return printComplex(array.as<double>() + 2 * position);
  case DType::I8:
    print(int{array.as<int8_t>()[position]});
    break;
  case DType::I16:
    print(array.as<int16_t>()[position]);
    break;
  case DType::I32:
    print(array.as<int32_t>()[position]);
    break;
  case DType::I64:
  case DType::Index:
    print(array.as<int64_t>()[position]);
    break;
  case DType::U8:
    print(unsigned{array.as<uint8_t>()[position]});
    break;
  case DType::U16:
    print(array.as<uint16_t>()[position]);
    break;
  case DType::U32:
    print(array.as<uint32_t>()[position]);
    break;
  case DType::U64:
    print(array.as<uint64_t>()[position]);
    break;
  case DType::Bool:
    return array.as<uint8_t>()[position] ? "True" : "False";
  }
  return printPart(std::string(text, result.ptr));
}

namespace {

struct ElementPrinter {
  const Array &array;
  bool summarize;
  std::vector<std::string> cells = {}; // in the order of printing
  size_t width = 0;
  size_t next = 0;

  /// Calls `visit(i)` for the indices shown and `skip()` for the gap.
  template <typename Visit, typename Skip>
  void forEachShown(int64_t extent, Visit visit, Skip skip) {
    bool gap = summarize && extent > 6;
    for (int64_t i = 0; i < extent; ++i) {
      if (gap && i == 3) {
        skip();
        i = extent - 3;
      }
      visit(i);
    }
  }

  void collect(size_t dim, int64_t offset) {
    if (dim == array.shape.size()) {
      cells.push_back(printNumber(array, offset));
      width = std::max(width, cells.back().size());
      return;
    }
    int64_t extent = array.shape[dim];
    forEachShown(
        extent, [&](int64_t i) { collect(dim + 1, offset * extent + i); },
        [] {});
  }

  std::string print(size_t dim) {
    if (dim == array.shape.size()) {
      const std::string &cell = cells[next++];
      return dim ? std::string(width - cell.size(), ' ') + cell : cell;
    }
    bool last = dim + 1 == array.shape.size();
    std::string separator =
        last ? " "
             : std::string(array.shape.size() - dim - 1, '\n') +
                   std::string(dim + 1, ' ');
    std::string text = "[";
    bool first = true;
    forEachShown(
        array.shape[dim],
        [&](int64_t) {
          text += first ? "" : separator;
          text += print(dim + 1);
          first = false;
        },
        [&] { text += separator + "..."; });
    return text + "]";
  }
};

} // namespace

std::string printElements(const Array &array) {
  int64_t count = array.getNumElements();
  if (count == 0)
    return "[]";
  ElementPrinter printer{array, count > 1000};
  printer.collect(0, 0);
  return printer.print(0);
}

std::string printSeconds(double seconds) {
  const char *unit = "s";
  if (seconds < 1e-6)
    seconds *= 1e9, unit = "ns";
  else if (seconds < 1e-3)
    seconds *= 1e6, unit = "us";
  else if (seconds < 1)
    seconds *= 1e3, unit = "ms";
  char text[64];
  std::snprintf(text, sizeof text, "%.4g %s", seconds, unit);
  return text;
}

} // namespace ein::runtime
