//===- ScheduleValues.cpp - Values of facts as text
//------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/ScheduleValues.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace ein {

ParseResult parseDim(AsmParser &parser, int64_t &dim) {
  SMLoc place = parser.getCurrentLocation();
  StringRef word;
  if (failed(parser.parseOptionalKeyword(&word)) || !word.consume_front("d") ||
      word.getAsInteger(10, dim) || dim < 0)
    return parser.emitError(place, "expected a dim, such as `d0`");
  return success();
}

ParseResult parseNumber(AsmParser &parser, int64_t least, int64_t most,
                        int64_t &number) {
  SMLoc place = parser.getCurrentLocation();
  if (parser.parseInteger(number))
    return failure();
  if (number >= least && number <= most)
    return success();
  InFlightDiagnostic error = parser.emitError(place)
                             << "expected a number of at least " << least;
  if (most != kAny)
    error << " and at most " << most;
  return error << ", not " << number;
}

ParseResult parseSizedDim(AsmParser &parser, int64_t least, int64_t most,
                          int64_t &dim, int64_t &size) {
  if (parseDim(parser, dim))
    return failure();
  if (failed(parser.parseOptionalColon()))
    return success();
  return parseNumber(parser, least, most, size);
}

void printDims(ArrayRef<int64_t> dims, raw_ostream &os) {
  os << '[';
  llvm::interleaveComma(dims, os, [&](int64_t dim) { os << 'd' << dim; });
  os << ']';
}

ParseResult parseDims(AsmParser &parser, SmallVector<int64_t> &dims) {
  auto parseOne = [&]() -> ParseResult {
    SMLoc place = parser.getCurrentLocation();
    int64_t dim;
    if (parseDim(parser, dim))
      return failure();
    if (llvm::is_contained(dims, dim))
      return parser.emitError(place) << "d" << dim << " is there twice";
    dims.push_back(dim);
    return success();
  };
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne);
}

ParseResult parseLoops(AsmParser &parser, Schedule &schedule) {
  SMLoc place = parser.getCurrentLocation();
  SmallVector<int64_t> tiles;
  auto parseLoop = [&]() -> ParseResult {
    int64_t dim, tile = 0;
    if (parseSizedDim(parser, 1, kAny, dim, tile))
      return failure();
    schedule.interchange.push_back(dim);
    tiles.push_back(tile);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseLoop))
    return failure();
  schedule.tile.assign(tiles.size(), -1);
  for (auto [dim, tile] : llvm::zip_equal(schedule.interchange, tiles)) {
    if (dim >= static_cast<int64_t>(tiles.size()) || schedule.tile[dim] != -1)
      return parser.emitError(place) << "expected each of the loops d0 to d"
                                     << tiles.size() - 1 << " once";
    schedule.tile[dim] = tile;
  }
  return success();
}

void printLoops(const Schedule &schedule, raw_ostream &os) {
  os << '[';
  llvm::interleaveComma(schedule.getLoopOrder(schedule.tile.size()), os,
                        [&](int64_t dim) {
                          os << 'd' << dim;
                          if (schedule.tile[dim] != 0)
                            os << ": " << schedule.tile[dim];
                        });
  os << ']';
}

ParseResult parseCopies(AsmParser &parser, Schedule &schedule) {
  SMLoc place = parser.getCurrentLocation();
  unsigned input = 0;
  auto parseCopy = [&]() -> ParseResult {
    if (input == schedule.order.size())
      return parser.emitError(place, "expected two operands");
    if (succeeded(parser.parseOptionalKeyword("in_place"))) {
      ++input;
      return success();
    }
    if (parseDims(parser, schedule.order[input]))
      return failure();
    schedule.whole[input] = succeeded(parser.parseOptionalKeyword("whole"));
    ++input;
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseCopy))
    return failure();
  if (input != schedule.order.size())
    return parser.emitError(place, "expected two operands");
  return success();
}

void printCopies(const Schedule &schedule, raw_ostream &os) {
  os << '[';
  llvm::interleaveComma(llvm::seq<unsigned>(0, 2), os, [&](unsigned input) {
    if (schedule.order[input].empty()) {
      os << "in_place";
      return;
    }
    printDims(schedule.order[input], os);
    if (schedule.whole[input])
      os << " whole";
  });
  os << ']';
}

ParseResult parseOperands(AsmParser &parser, Schedule &schedule) {
  SMLoc place = parser.getCurrentLocation();
  SmallVector<bool, 2> packed;
  auto parseOperand = [&]() -> ParseResult {
    packed.push_back(succeeded(parser.parseOptionalKeyword("packed")));
    return packed.back() ? success() : parser.parseKeyword("in_place");
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     parseOperand))
    return failure();
  if (packed.size() != schedule.pack.size())
    return parser.emitError(place, "expected two operands");
  llvm::copy(packed, schedule.pack.begin());
  return success();
}

void printOperands(const Schedule &schedule, raw_ostream &os) {
  os << '[';
  llvm::interleaveComma(schedule.pack, os, [&](bool isPacked) {
    os << (isPacked ? "packed" : "in_place");
  });
  os << ']';
}

ParseResult parseJoined(AsmParser &parser, Schedule &schedule) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parseDims(parser, schedule.groups.emplace_back());
  });
}

void printJoined(const Schedule &schedule, raw_ostream &os) {
  os << '[';
  llvm::interleaveComma(schedule.groups, os,
                        [&](ArrayRef<int64_t> dims) { printDims(dims, os); });
  os << ']';
}

} // namespace ein
