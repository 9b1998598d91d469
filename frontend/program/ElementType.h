//===- ElementType.h - Element types and what fits into what ----*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Signedness is the language's: MLIR's integers have none, so that everything
// below the front end that depends on it is decided from these types. A bool
// takes a byte in memory; an `index` is an i64 of another name.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_PROGRAM_ELEMENTTYPE_H
#define EIN_FRONTEND_PROGRAM_ELEMENTTYPE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace ein {

enum class ElementType : uint8_t {
#define EIN_ELEMENT_TYPE(ENUM, SPELLING, CTYPE, KIND, BITS, NPY) ENUM,
#include "abi/ElementTypes.def"
};

enum class TypeKind : uint8_t { Float, Complex, Signed, Unsigned, Bool };

/// `f32`.
llvm::StringRef getSpelling(ElementType type);
/// `float`.
llvm::StringRef getCType(ElementType type);
TypeKind getKind(ElementType type);
/// In memory: a bool has 8.
unsigned getBitWidth(ElementType type);
/// The type that a spelling or alias (`f32`, `float`, `float32`) names.
std::optional<ElementType> parseElementType(llvm::StringRef text);

inline bool isFloat(ElementType type) {
  return getKind(type) == TypeKind::Float;
}
inline bool isComplex(ElementType type) {
  return getKind(type) == TypeKind::Complex;
}
/// Bools are no integers.
inline bool isInteger(ElementType type) {
  return getKind(type) == TypeKind::Signed ||
         getKind(type) == TypeKind::Unsigned;
}

/// The unsigned type as wide as a signed one; other types as they are.
ElementType getUnsigned(ElementType type);

/// The type of a complex number's parts; other types as they are.
ElementType getPartType(ElementType type);
/// The smallest complex type whose parts hold the values of a real one, or
/// come nearest to that; complex types as they are.
ElementType getComplexType(ElementType type);

/// Whether every value of `from` is one of `to`.
bool fits(ElementType from, ElementType to);
/// Whether a product of `to` may have factors of `from` as they are: an f32
/// among f64 is converted where it is multiplied.
inline bool widensInPlace(ElementType from, ElementType to) {
  return from == to || (from == ElementType::F32 && to == ElementType::F64);
}

/// What a sum over `type` is accumulated in: 32 bits at least.
ElementType getAccumulator(ElementType type);

/// The smallest type that all of `types`, one at least, fit into.
std::optional<ElementType> joinTypes(llvm::ArrayRef<ElementType> types);

} // namespace ein

#endif // EIN_FRONTEND_PROGRAM_ELEMENTTYPE_H
