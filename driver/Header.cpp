//===- Header.cpp - C headers -------------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A header says everything that a caller has to know, because it may be the
// only thing of einc that the caller ever sees: shapes, who owns what, the
// codes.
//
//===----------------------------------------------------------------------===//

#include "driver/Compiler.h"
#include "ir/Signature.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace ein {

/// Words that C or C++ reserves, and names that an object may not define
/// because its own code, or the C library's, calls them.
static bool isReservedWord(StringRef name) {
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
  return is_contained(words, name);
}

static bool isLibraryName(StringRef name) {
  static constexpr StringLiteral names[] = {
      "abort",   "abs",    "acos",    "asin",      "atan",   "atan2",  "atoi",
      "bcmp",    "calloc", "ceil",    "cos",       "cosh",   "div",    "erf",
      "exit",    "exp",    "exp2",    "fabs",      "floor",  "fma",    "fmax",
      "fmin",    "fmod",   "free",    "frexp",     "gamma",  "hypot",  "index",
      "j0",      "j1",     "jn",      "labs",      "ldexp",  "log",    "log10",
      "log1p",   "log2",   "main",    "malloc",    "memchr", "memcmp", "memcpy",
      "memmove", "memset", "modf",    "nan",       "pow",    "printf", "puts",
      "qsort",   "rand",   "realloc", "remainder", "rint",   "round",  "sin",
      "sinh",    "sqrt",   "strlen",  "system",    "tan",    "tanh",   "time",
      "trunc",   "write",  "read",    "open",      "close",  "y0",     "y1",
      "yn"};
  if (is_contained(names, name))
    return true;
  // `expf`, `sqrtl`: the variants for other types.
  return (name.ends_with("f") || name.ends_with("l")) &&
         is_contained(names, name.drop_back());
}

LogicalResult checkName(StringRef name, SourceRange range, bool isVisible,
                        DiagnosticEngine &diags) {
  if (!name.starts_with(kReservedPrefix) &&
      !(isVisible && (isReservedWord(name) || isLibraryName(name))))
    return success();
  return diags.report(DiagId::NameClashesWithC, range, {name.str()});
}

/// A parameter's name in C; those that C reserves get an underscore.
static std::string getParameterName(StringRef name) {
  return isReservedWord(name) ? name.str() + "_" : name.str();
}

static std::string printDims(const Def &def, const Tensor &tensor) {
  auto symbolName = [&](SymbolId id) { return StringRef(def[id].name); };
  auto indexName = [](IndexId) { return StringRef(); };
  std::string text;
  for (const Affine &dim : tensor.dims)
    text += "[" + dim.str(indexName, symbolName) + "]";
  return text.empty() ? "" : " " + text;
}

static void emitFunction(raw_ostream &os, const Def &def) {
  os << "/**\n * " << def.name << "\n *\n";
  std::vector<std::string> parameters;
  auto describe = [&](const Tensor &tensor, StringRef role) {
    std::string name = getParameterName(tensor.name);
    os << " * @param " << name << " " << role << ", " << getCType(tensor.type)
       << printDims(def, tensor) << "\n";
  };
  for (TensorId id : def.params) {
    const Tensor &tensor = def[id];
    bool isScalar = tensor.isScalarInput();
    describe(tensor, isScalar ? "scalar" : "input");
    parameters.push_back((isScalar ? "" : "const ") +
                         getCType(tensor.type).str() + (isScalar ? " " : " *") +
                         getParameterName(tensor.name));
  }
  for (TensorId id : def.results) {
    const Tensor &tensor = def[id];
    describe(tensor,
             tensor.role == TensorRole::InOut ? "input and output" : "output");
    parameters.push_back(getCType(tensor.type).str() + " *" +
                         getParameterName(tensor.name));
  }
  for (const Symbol &symbol : def.symbols) {
    if (symbol.bound) {
      os << " * " << symbol.name << " is " << *symbol.bound
         << ", bound when this was compiled.\n";
      continue;
    }
    os << " * @param " << getParameterName(symbol.name) << " size\n";
    parameters.push_back("int64_t " + getParameterName(symbol.name));
  }
  for (const SizeCheck &check : def.checks)
    os << " * Checked: " << check.what << ".\n";
  os << " */\nint " << def.name << "(" << join(parameters, ", ") << ");\n\n";
}

std::string emitHeader(const Program &program, StringRef source) {
  std::string text;
  raw_string_ostream os(text);
  os << "/* Made by einc from " << source
     << ". Do not edit.\n"
        " *\n"
        " * Arrays are contiguous and row-major, aligned as their elements "
        "are.\n"
        " * Inputs may overlap each other; an output may overlap nothing.\n"
        " * Functions may be called from several threads at once. Each "
        "returns\n"
        " * EIN_OK or another of the codes below.\n"
        " */\n"
        "#pragma once\n"
        "#include <stdint.h>\n"
        "#ifndef __cplusplus\n#include <stdbool.h>\n#endif\n\n"
        "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
        "#ifndef EIN_CODES\n#define EIN_CODES\nenum {\n";
#define EIN_CODE(ENUM, CNAME, VALUE, TEXT)                                     \
  os << "  " #CNAME " = " << VALUE << ", /* " TEXT " */\n";
#include "runtime/Codes.def"
  os << "};\n#endif\n\n";
  for (ElementType type : {ElementType::F16, ElementType::BF16}) {
    std::string name = getCType(type).str(), guard = StringRef(name).upper();
    os << "/* The bits of a number of type " << getSpelling(type) << ". */\n"
       << "#ifndef " << guard << "\n#define " << guard << "\ntypedef uint16_t "
       << name << ";\n#endif\n\n";
  }
  for (const Def &def : program.defs)
    emitFunction(os, def);
  os << "#ifdef __cplusplus\n}\n#endif\n";
  return text;
}

} // namespace ein
