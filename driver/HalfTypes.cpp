//===- HalfTypes.cpp - f16 and bf16 in C and C++ ------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: some compilers have types of half precision, in some languages, and
// pass them in other registers than those do that only know their bits.
//
// Choice: in memory a number is of the compiler's own type where there is one,
// else a struct of its bits; by value it is always the struct, and so is what
// compiled code expects. Functions convert, of the same names everywhere.
//
// Consequence: one object serves all compilers, and a number that is passed
// without a conversion is an error instead of another number.
//
//===----------------------------------------------------------------------===//

#include "driver/HalfTypes.h"
#include "llvm/ADT/StringRef.h"

using namespace llvm;

namespace ein {

std::string getArgumentType(ElementType type) {
  std::string name = getCType(type).str();
  bool isHalf = type == ElementType::F16 || type == ElementType::BF16;
  return isHalf ? name + "_bits" : name;
}

namespace {

/// What the headers say of one of the types.
struct HalfType {
  ElementType type;
  /// When the compiler has it, and by what name, in C++23's library and else.
  StringRef standardMacro, standardName, condition, name;
  /// Bodies of the conversions from and to `float`, by the bits.
  StringRef toFloat, fromFloat;
  /// Whether the compiler's own conversions are used where it has the type.
  bool convertsItself;
};

} // namespace

static const HalfType kHalfTypes[] = {
    {ElementType::F16, "__STDCPP_FLOAT16_T__", "std::float16_t",
     // C++ has it later than C, but on x86.
     "defined(__FLT16_MANT_DIG__) && \\\n"
     "    (!defined(__cplusplus) || defined(__clang__) || __GNUC__ >= 13 || "
     "\\\n"
     "     (__GNUC__ >= 12 && (defined(__x86_64__) || defined(__i386__))))",
     "_Float16",
     // A product scales exactly, denormal numbers too; what is beyond the
     // largest number is infinite or no number.
     "  uint32_t magnitude = (uint32_t)(x.bits & 0x7fff) << 13, bits;\n"
     "  float value;\n"
     "  memcpy(&value, &magnitude, sizeof value);\n"
     "  value *= 5192296858534827628530496329220096.0f;\n"
     "  memcpy(&bits, &value, sizeof bits);\n"
     "  if (magnitude >= 0x0f800000)\n"
     "    bits |= 0x7f800000;\n"
     "  bits |= (uint32_t)(x.bits & 0x8000) << 16;\n"
     "  memcpy(&value, &bits, sizeof value);\n"
     "  return value;\n",
     "  ein_f16_bits result;\n"
     "  uint32_t bits, magnitude;\n"
     "  memcpy(&bits, &x, sizeof bits);\n"
     "  magnitude = bits & 0x7fffffff;\n"
     "  if (magnitude > 0x7f800000) {\n"
     "    magnitude = 0x7e00;\n"
     "  } else if (magnitude >= 0x477ff000) { /* 65520 rounds up */\n"
     "    magnitude = 0x7c00;\n"
     "  } else if (magnitude < 0x38800000) { /* denormal: a sum rounds */\n"
     "    float sum, half = 0.5f;\n"
     "    uint32_t halfBits;\n"
     "    memcpy(&sum, &magnitude, sizeof sum);\n"
     "    sum += half;\n"
     "    memcpy(&magnitude, &sum, sizeof magnitude);\n"
     "    memcpy(&halfBits, &half, sizeof halfBits);\n"
     "    magnitude -= halfBits;\n"
     "  } else {\n"
     "    magnitude += 0xfff + (magnitude >> 13 & 1);\n"
     "    magnitude = (magnitude >> 13) - (112 << 10);\n"
     "  }\n"
     "  result.bits = (uint16_t)(magnitude | (bits >> 16 & 0x8000));\n"
     "  return result;\n",
     /*convertsItself=*/true},
    {ElementType::BF16, "__STDCPP_BFLOAT16_T__", "std::bfloat16_t",
     // Elsewhere Clang calls functions of libgcc 13 to pass such numbers.
     "defined(__BFLT16_MANT_DIG__) || \\\n"
     "    (defined(__clang__) && __clang_major__ >= 17 && \\\n"
     "     (defined(__AVX512BF16__) || defined(__aarch64__)))",
     "__bf16",
     "  uint32_t bits = (uint32_t)x.bits << 16;\n"
     "  float value;\n"
     "  memcpy(&value, &bits, sizeof value);\n"
     "  return value;\n",
     "  ein_bf16_bits result;\n"
     "  uint32_t bits;\n"
     "  memcpy(&bits, &x, sizeof bits);\n"
     "  if ((bits & 0x7fffffff) > 0x7f800000)\n"
     "    bits |= 0x400000;\n"
     "  else\n"
     "    bits += 0x7fff + (bits >> 16 & 1);\n"
     "  result.bits = (uint16_t)(bits >> 16);\n"
     "  return result;\n",
     // Some compilers have the type without its arithmetic.
     /*convertsItself=*/false}};

/// Outside of `extern "C"`, as the C++ library has templates.
static void emitHalfType(raw_ostream &os, const HalfType &half) {
  std::string name = getCType(half.type).str(), bits = name + "_bits";
  std::string guard = StringRef(name).upper(), native = guard + "_IS_NATIVE";
  StringRef spelling = getSpelling(half.type);
  os << "#if defined(__cplusplus) && defined(" << half.standardMacro << ")\n"
     << "#include <stdfloat>\n#endif\n\n"
     << "/* A number of type " << spelling
     << ": in memory of the compiler's own type, where it has one, else\n"
        " * its bits; by value always its bits. */\n"
     << "#ifndef " << guard << "\n#define " << guard << "\n"
     << "typedef struct {\n  uint16_t bits;\n} " << bits << ";\n"
     << "#if defined(__cplusplus) && defined(" << half.standardMacro << ")\n"
     << "#define " << native << " 1\ntypedef " << half.standardName << " "
     << name << ";\n"
     << "#elif " << half.condition << "\n"
     << "#define " << native << " 1\n__extension__ typedef " << half.name << " "
     << name << ";\n"
     << "#else\n#define " << native << " 0\ntypedef " << bits << " " << name
     << ";\n#endif\n";
  auto emitFunction = [&](StringRef result, const Twine &function,
                          StringRef parameter, const Twine &body) {
    os << "static inline " << result << " " << name << "_" << function << "("
       << parameter << " x) {\n"
       << body << "}\n";
  };
  auto copy = [](StringRef type) {
    return ("  " + type +
            " result;\n  memcpy(&result, &x, sizeof x);\n"
            "  return result;\n")
        .str();
  };
  emitFunction(bits, "to_bits", name, copy(bits));
  emitFunction(name, "from_bits", bits, copy(name));
  emitFunction("float", "bits_to_float", bits, half.toFloat);
  emitFunction(bits, "bits_from_float", "float", half.fromFloat);
  if (half.convertsItself) {
    os << "#if " << native << "\n";
    emitFunction("float", "to_float", name, "  return (float)x;\n");
    emitFunction(name, "from_float", "float", "  return (" + name + ")x;\n");
    os << "#else\n";
  }
  emitFunction("float", "to_float", name,
               "  return " + name + "_bits_to_float(" + name +
                   "_to_bits(x));\n");
  emitFunction(name, "from_float", "float",
               "  return " + name + "_from_bits(" + name +
                   "_bits_from_float(x));\n");
  if (half.convertsItself)
    os << "#endif\n";
  os << "#endif\n\n";
}

void emitHalfTypes(raw_ostream &os, function_ref<bool(ElementType)> uses) {
  bool isFirst = true;
  for (const HalfType &half : kHalfTypes) {
    if (!uses(half.type))
      continue;
    if (isFirst)
      os << "#include <string.h>\n";
    isFirst = false;
    emitHalfType(os, half);
  }
}

} // namespace ein
