//===- Names.cpp - Names that a C function cannot have ------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a def is called becomes a symbol of an object and an identifier of a
// header. Both have names in them already: C's words, the C library's
// functions, our own, and those of the other functions.
//
//===----------------------------------------------------------------------===//

#include "driver/Header.h"
#include "ir/Signature.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace ein {

/// Words that C or C++ reserves, and names that an object may not define
/// because its own code, or the C library's, calls them.
bool isReservedWord(StringRef name) {
  static constexpr StringLiteral words[] = {
      "alignas",   "alignof",   "and",      "asm",      "auto",     "bool",
      "break",     "case",      "catch",    "char",     "class",    "const",
      "constexpr", "continue",  "decltype", "default",  "delete",   "do",
      "double",    "else",      "enum",     "explicit", "export",   "extern",
      "false",     "float",     "for",      "friend",   "goto",     "if",
      "inline",    "int",       "int64_t",  "long",     "mutable",  "namespace",
      "new",       "noexcept",  "not",      "nullptr",  "operator", "or",
      "private",   "protected", "public",   "register", "restrict", "return",
      "short",     "signed",    "sizeof",   "static",   "struct",   "switch",
      "template",  "this",      "throw",    "true",     "try",      "typedef",
      "typeid",    "typename",  "union",    "unsigned", "using",    "virtual",
      "void",      "volatile",  "wchar_t",  "while",    "xor"};
  // The namespace of the C++ headers.
  return name == "ein" || is_contained(words, name);
}

/// `ein_f32_2d`, and the names of the codes.
static bool isHeaderName(StringRef name) {
#define EIN_CODE(ENUM, CNAME, VALUE, TEXT)                                     \
  if (name == #CNAME)                                                          \
    return true;
#include "abi/Codes.def"
  if (name == "ein_argument" || name == "ein_metadata" ||
      name == "ein_strerror")
    return true;
  // `ein_c64`, and `ein_f16` with its conversions.
#define EIN_ELEMENT_TYPE(ENUM, SPELLING, CTYPE, KIND, BITS, NPY)               \
  if (StringRef(CTYPE).starts_with("ein_") && name.starts_with(CTYPE) &&       \
      (name == CTYPE || name[sizeof(CTYPE) - 1] == '_'))                       \
    return true;
#include "abi/ElementTypes.def"
  if (!name.consume_front("ein_") || !name.consume_back("d"))
    return false;
  auto [type, rank] = name.split('_');
  unsigned ignored;
  return parseElementType(type) && !rank.getAsInteger(10, ignored);
}

static bool isLibraryName(StringRef name) {
  static constexpr StringLiteral names[] = {
      "abort",     "abs",     "acos",     "acosh",     "asin",   "asinh",
      "atan",      "atan2",   "atanh",    "atoi",      "bcmp",   "calloc",
      "cbrt",      "ceil",    "close",    "copysign",  "cos",    "cosh",
      "div",       "erf",     "erfc",     "exit",      "exp",    "exp10",
      "exp2",      "expm1",   "fabs",     "fdim",      "floor",  "fma",
      "fmax",      "fmin",    "fmod",     "free",      "frexp",  "gamma",
      "hypot",     "index",   "j0",       "j1",        "jn",     "labs",
      "ldexp",     "lgamma",  "lgamma_r", "log",       "log10",  "log1p",
      "log2",      "logb",    "main",     "malloc",    "memchr", "memcmp",
      "memcpy",    "memmove", "memset",   "modf",      "nan",    "nearbyint",
      "nextafter", "open",    "pow",      "printf",    "puts",   "qsort",
      "rand",      "read",    "realloc",  "remainder", "rint",   "round",
      "roundeven", "sin",     "sinh",     "sqrt",      "strlen", "system",
      "tan",       "tanh",    "tgamma",   "time",      "trunc",  "write",
      "y0",        "y1",      "yn"};
  if (is_contained(names, name))
    return true;
  // `expf`, `sqrtl`: the variants for other types.
  return (name.ends_with("f") || name.ends_with("l")) &&
         is_contained(names, name.drop_back());
}

LogicalResult checkName(StringRef name, SourceRange range, bool isVisible,
                        DiagnosticEngine &diags) {
  if (!name.starts_with(kReservedPrefix) &&
      !(isVisible &&
        (isReservedWord(name) || isHeaderName(name) || isLibraryName(name))))
    return success();
  return diags.report(DiagId::NameClashesWithC, range, {name.str()});
}

LogicalResult checkEntryNames(ArrayRef<std::pair<StringRef, SourceRange>> names,
                              DiagnosticEngine &diags) {
  StringMap<StringRef> owners;
  LogicalResult result = success();
  for (auto [name, range] : names)
    for (const std::string &function :
         {name.str(), getViewName(name), getDescriptorEntryName(name),
          name.str() + "_packed", name.str() + "_metadata"}) {
      auto [owner, isNew] = owners.try_emplace(function, name);
      if (!isNew && owner->second != name)
        result = diags.report(DiagId::DuplicateDef, range, {function});
    }
  return result;
}

} // namespace ein
