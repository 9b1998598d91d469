//===- Guard.cpp - What sizes one of several schedules is for -------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attributes are read up to the `>` that belongs to their `<`, so bounds are
// words.
//
//===----------------------------------------------------------------------===//

#include "ir/Guard.h"
#include "ir/Schedule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace ein {

static ParseResult parseBound(AsmParser &parser, SizeBound &bound) {
  do {
    SMLoc place = parser.getCurrentLocation();
    int64_t dim;
    if (parseDim(parser, dim))
      return failure();
    if (llvm::is_contained(bound.dims, dim))
      return parser.emitError(place) << "d" << dim << " is there twice";
    bound.dims.push_back(dim);
  } while (succeeded(parser.parseOptionalStar()));
  bound.isLeast = succeeded(parser.parseOptionalKeyword("at_least"));
  if (!bound.isLeast && failed(parser.parseOptionalKeyword("at_most")))
    return parser.emitError(parser.getCurrentLocation(),
                            "expected `at_most` or `at_least`");
  SMLoc place = parser.getCurrentLocation();
  if (parser.parseInteger(bound.bound))
    return failure();
  if (bound.bound < 0)
    return parser.emitError(place) << "no size is " << bound.bound;
  return success();
}

ParseResult parseGuard(AsmParser &parser, Guard &guard) {
  do {
    if (parseBound(parser, guard.emplace_back()))
      return failure();
  } while (succeeded(parser.parseOptionalKeyword("and")));
  return success();
}

/// Each bound by `getName` of its dims and a word for each direction.
static void printBounds(const Guard &guard, raw_ostream &os,
                        llvm::function_ref<std::string(int64_t)> getName,
                        StringRef most, StringRef least) {
  llvm::interleave(
      guard, os,
      [&](const SizeBound &bound) {
        llvm::interleave(
            bound.dims, os, [&](int64_t dim) { os << getName(dim); }, " * ");
        os << ' ' << (bound.isLeast ? least : most) << ' ' << bound.bound;
      },
      " and ");
}

void printGuard(const Guard &guard, raw_ostream &os) {
  printBounds(
      guard, os, [](int64_t dim) { return "d" + std::to_string(dim); },
      "at_most", "at_least");
}

std::string describeGuard(const Guard &guard, ArrayRef<std::string> names) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printBounds(guard, os, [&](int64_t dim) { return names[dim]; }, "<=", ">=");
  return text;
}

} // namespace ein
