//===- Scope.cpp - What names mean while a def is checked -----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/check/Scope.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace ein {

std::string DefBuilder::makeUnique(StringRef name) {
  unsigned &number = numUnique[name];
  while (true) {
    std::string candidate = name.str();
    if (++number != 1)
      candidate += std::to_string(number);
    if (takenNames.insert(candidate).second)
      return candidate;
  }
}

TensorId DefScope::addTensor(Tensor tensor, TensorState state) {
  TensorId id(def.tensors.size());
  tensors.try_emplace(tensor.name, id);
  if (isCalled())
    tensor.name = builder.makeUnique(calledName + "_" + tensor.name);
  else
    builder.takenNames.insert(tensor.name);
  def.tensors.push_back(std::move(tensor));
  states.push_back(state);
  return id;
}

std::string DefScope::makeTemporaryName(const std::string &name) {
  unsigned &number = numTemporaries[name];
  while (true) {
    std::string candidate = ++number == 1 ? name : name + itostr(number);
    if (!getConstantNoun(candidate) && !tensors.contains(candidate) &&
        !symbols.contains(candidate) && !targets.contains(candidate))
      return candidate;
  }
}

std::string DefScope::makeFresh(std::string name) const {
  while (tensors.contains(name) || symbols.contains(name) ||
         targets.contains(name) || constants.contains(name) ||
         generics.contains(name))
    name += "_";
  return name;
}

std::optional<TensorId> DefScope::findTensor(StringRef name) const {
  auto found = tensors.find(name);
  if (found == tensors.end())
    return std::nullopt;
  return found->second;
}

Affine DefScope::addSymbol(const ast::Expr &name) {
  SymbolId id(def.symbols.size());
  auto [entry, isNew] = symbols.try_emplace(name.text, Affine(id));
  if (isNew) {
    Symbol symbol = {name.text, std::nullopt, name.range};
    auto binding = options.bindings.find(name.text);
    if (binding != options.bindings.end()) {
      if (binding->second >= 0) {
        symbol.bound = binding->second;
        entry->second = Affine(binding->second);
      } else
        diags.report(DiagId::NegativeBinding, {},
                     {name.text, std::to_string(binding->second)});
    }
    builder.takenNames.insert(name.text);
    def.symbols.push_back(std::move(symbol));
  }
  return entry->second;
}

FailureOr<Affine> DefScope::lowerSize(const ast::Expr &expr) {
  return lowerAffine(expr, "dim",
                     [&](const ast::Expr &name) -> FailureOr<Affine> {
                       auto found = symbols.find(name.text);
                       if (found != symbols.end())
                         return found->second;
                       return reportUnknownSize(name);
                     });
}

LogicalResult DefScope::reportUnknownSize(const ast::Expr &name) {
  DiagnosticBuilder builder =
      diags.report(DiagId::UnknownSize, name.range, {name.text});
  auto names = llvm::to_vector(symbols.keys());
  return builder.didYouMean(name.range, name.text, names);
}

void DefScope::addTargets(const ast::Statement &statement) {
  targets.try_emplace(statement.target.text, statement.target.range);
  ++numWrites[statement.target.text];
  for (const ast::Name &target : statement.moreTargets)
    targets.try_emplace(target.text, target.range);
}

std::optional<ElementType> DefScope::findElementType(StringRef name) const {
  auto generic = generics.find(name);
  return generic != generics.end() ? generic->second : parseElementType(name);
}

FailureOr<ElementType> DefScope::resolveElementType(const ast::Name &name) {
  if (std::optional<ElementType> type = findElementType(name.text))
    return *type;
  DiagnosticBuilder builder =
      diags.report(DiagId::UnknownElementType, name.range, {name.text});
  SmallVector<StringRef> spellings = {
#define EIN_ELEMENT_TYPE(ENUM, SPELLING, CTYPE, KIND, BITS, NPY) SPELLING,
#define EIN_ELEMENT_ALIAS(ALIAS, ENUM) ALIAS,
#include "abi/ElementTypes.def"
  };
  llvm::append_range(spellings, generics.keys());
  if (findSimilarName(name.text, spellings))
    return builder.didYouMean(name.range, name.text, spellings);
  std::string all;
#define EIN_ELEMENT_TYPE(ENUM, SPELLING, CTYPE, KIND, BITS, NPY)               \
  all += std::string(all.empty() ? "`" : "`, `") + (SPELLING);
#include "abi/ElementTypes.def"
  return builder.note(DiagId::Candidates, name.range, {all + "`"});
}

std::string count(size_t number, StringRef noun) {
  return std::to_string(number) + " " + noun.str() + (number == 1 ? "" : "s");
}

uint32_t getTypeEnd(const ast::Type &type) {
  return type.dims.empty() ? type.range.end : type.dims.back()->range.end;
}

} // namespace ein
