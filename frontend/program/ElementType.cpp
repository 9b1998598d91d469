//===- ElementType.cpp - Element types and what fits into what ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/program/ElementType.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace ein {

namespace {
struct TypeFacts {
  StringLiteral spelling, cType;
  TypeKind kind;
  unsigned bits;
};
constexpr TypeFacts facts[] = {
#define EIN_ELEMENT_TYPE(ENUM, SPELLING, CTYPE, KIND, BITS, NPY)               \
  {SPELLING, CTYPE, TypeKind::KIND, BITS},
#include "abi/ElementTypes.def"
};
} // namespace

static const TypeFacts &getFacts(ElementType type) {
  return facts[static_cast<size_t>(type)];
}

StringRef getSpelling(ElementType type) { return getFacts(type).spelling; }
StringRef getCType(ElementType type) { return getFacts(type).cType; }
TypeKind getKind(ElementType type) { return getFacts(type).kind; }
unsigned getBitWidth(ElementType type) { return getFacts(type).bits; }

std::optional<ElementType> parseElementType(StringRef text) {
  return StringSwitch<std::optional<ElementType>>(text)
#define EIN_ELEMENT_TYPE(ENUM, SPELLING, CTYPE, KIND, BITS, NPY)               \
  .Case(SPELLING, ElementType::ENUM)
#define EIN_ELEMENT_ALIAS(ALIAS, ENUM) .Case(ALIAS, ElementType::ENUM)
#include "abi/ElementTypes.def"
      .Default(std::nullopt);
}

ElementType getUnsigned(ElementType type) {
  switch (type) {
  case ElementType::I8:
    return ElementType::U8;
  case ElementType::I16:
    return ElementType::U16;
  case ElementType::I32:
    return ElementType::U32;
  case ElementType::I64:
  case ElementType::Index:
    return ElementType::U64;
  default:
    return type;
  }
}

ElementType getPartType(ElementType type) {
  switch (type) {
  case ElementType::C64:
    return ElementType::F32;
  case ElementType::C128:
    return ElementType::F64;
  default:
    return type;
  }
}

ElementType getComplexType(ElementType type) {
  return fits(type, ElementType::C64) ? ElementType::C64 : ElementType::C128;
}

/// Integers up to two to the power of this are values of a floating-point type.
static unsigned getPrecision(ElementType type) {
  switch (type) {
  case ElementType::BF16:
    return 8;
  case ElementType::F16:
    return 11;
  case ElementType::F32:
    return 24;
  case ElementType::F64:
    return 53;
  default:
    llvm_unreachable("not a floating-point type");
  }
}

bool fits(ElementType from, ElementType to) {
  if (isComplex(to))
    return fits(getPartType(from), getPartType(to));
  TypeKind fromKind = getKind(from), toKind = getKind(to);
  unsigned fromBits = getBitWidth(from), toBits = getBitWidth(to);
  if (from == to || fromKind == TypeKind::Bool)
    return true;
  if (toKind == TypeKind::Bool || fromKind == TypeKind::Complex)
    return false;
  // Of two floating-point types of one width, neither holds the other.
  if (fromKind == TypeKind::Float)
    return toKind == TypeKind::Float && fromBits < toBits;
  bool isSigned = fromKind == TypeKind::Signed;
  if (toKind == TypeKind::Float)
    return fromBits - isSigned <= getPrecision(to);
  if (isSigned)
    return toKind == TypeKind::Signed && fromBits <= toBits;
  return toKind == TypeKind::Unsigned ? fromBits <= toBits : fromBits < toBits;
}

ElementType getAccumulator(ElementType type) {
  switch (type) {
  case ElementType::F16:
  case ElementType::BF16:
    return ElementType::F32;
  case ElementType::I8:
  case ElementType::I16:
    return ElementType::I32;
  case ElementType::U8:
  case ElementType::U16:
    return ElementType::U32;
  default:
    return type;
  }
}

std::optional<ElementType> joinTypes(ArrayRef<ElementType> types) {
  auto holdsAll = [&](ElementType candidate) {
    return llvm::all_of(
        types, [&](ElementType type) { return fits(type, candidate); });
  };
  // One of them, if it can be.
  for (ElementType type : types)
    if (holdsAll(type))
      return type;
  for (ElementType candidate :
       {ElementType::I16, ElementType::F16, ElementType::BF16, ElementType::I32,
        ElementType::F32, ElementType::I64, ElementType::F64, ElementType::C64,
        ElementType::C128})
    if (holdsAll(candidate))
      return candidate;
  return std::nullopt;
}

} // namespace ein
