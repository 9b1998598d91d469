//===- Builtins.cpp - What the language's own words mean ------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lsp/Builtins.h"
#include "frontend/check/Builtins.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace ein::lsp {

ArrayRef<BuiltinDoc> getBuiltinDocs() {
  static constexpr BuiltinDoc docs[] = {
#define EIN_DOC(KIND, NAME, FORM, TEXT) {BuiltinDoc::KIND, NAME, FORM, TEXT},
#include "lsp/BuiltinDocs.def"
  };
  return docs;
}

static const BuiltinDoc *findExactly(StringRef name) {
  ArrayRef<BuiltinDoc> docs = getBuiltinDocs();
  const auto *found = llvm::find_if(
      docs, [&](const BuiltinDoc &doc) { return doc.name == name; });
  return found == docs.end() ? nullptr : found;
}

/// The name that a function of several is documented by; an operator of those
/// that are one, as `std_addf`.
static StringRef getMainName(StringRef name) {
  if (std::optional<UnaryFn> function = findUnaryFn(name))
    return getSpelling(*function);
  if (std::optional<BinaryFn> function = findBinaryFn(name))
    return getSpelling(*function);
  if (const DerivedFn *derived = findDerivedFn(name))
    return derived->name;
  return name;
}

const BuiltinDoc *findBuiltinDoc(StringRef name) {
  if (const BuiltinDoc *doc = findExactly(name))
    return doc;
  return findExactly(getMainName(name));
}

/// ods-gen's `sum`: `std_addf<k>(…)`.
static StringRef getOdsReducer(const Reducer &reducer) {
  switch (reducer.update) {
  case UpdateKind::Add:
    return "sum";
  case UpdateKind::Mul:
    return "product";
  case UpdateKind::Max:
    return "largest";
  case UpdateKind::Min:
    return "smallest";
  case UpdateKind::And:
    return "bitwise and";
  case UpdateKind::Or:
    return "bitwise or";
  case UpdateKind::Xor:
    return "bitwise exclusive or";
  case UpdateKind::Assign:
    break;
  }
  return "last";
}

std::string describeBuiltin(StringRef name) {
  std::string text;
  auto show = [&](const Twine &code) {
    text += "```ein\n" + code.str() + "\n```\n";
  };
  const DerivedFn *derived = findDerivedFn(name);
  if (const BuiltinDoc *doc = findBuiltinDoc(name)) {
    show(doc->form);
    text += doc->text;
    if (doc->name != name)
      text += "\n\nAnother name of `" + doc->name.str() + "`.";
    if (derived)
      text += "\n\nIt is `" + derived->body.str() + "`.";
    return text;
  }
  if (derived) {
    SmallVector<StringRef> parameters;
    derived->parameters.split(parameters, ' ');
    show(derived->name + "(" + llvm::join(parameters, ", ") + ")");
    return text + "Another name of `" + derived->body.str() + "`.";
  }
  if (const Reducer *reducer = findReducer(name)) {
    show(name + "<k>(x)");
    return text + "ods-gen's reducer: the " + getOdsReducer(*reducer).str() +
           " of `x` over `k` and over indices that nothing lists.";
  }
  if (std::optional<BinaryFn> function = findUnsignedFn(name)) {
    show(name + "(x, y)");
    return text + "`" + getSpelling(*function).str() +
           "` of the bits of integers, taken for unsigned ones.";
  }
  if (std::optional<bool> isUnsigned = findTargetCast(name)) {
    show(name + "(x)");
    return text + "`x` as a number of the type of what the statement writes" +
           (*isUnsigned ? ", its bits taken for those of an unsigned integer."
                        : ".");
  }
  StringRef other = getMainName(name);
  if (other == name)
    return "";
  show(findBinaryFn(name) ? name + "(x, y)" : name + "(x)");
  return text + "Another name of `" + other.str() + "`.";
}

std::string describeType(StringRef name) {
  std::optional<ElementType> type = parseElementType(name);
  if (!type)
    return "";
  StringRef kind = isComplex(*type)             ? "complex numbers"
                   : isFloat(*type)             ? "floating-point numbers"
                   : *type == ElementType::Bool ? "truth values"
                   : *type == ElementType::Index
                       ? "integers that sizes and positions are"
                   : getKind(*type) == TypeKind::Unsigned ? "unsigned integers"
                                                          : "signed integers";
  return "```ein\n" + getSpelling(*type).str() +
         "\n```\nAn element type: " + kind.str() + " of " +
         std::to_string(getBitWidth(*type)) + " bits.";
}

} // namespace ein::lsp
