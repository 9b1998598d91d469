//===- Validator.cpp - Does a pass change what is computed? ---------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Validator.h"
#include "backend/Backend.h"
#include "driver/CheckedRun.h"
#include "ir/EinDialect.h"
#include "ir/Signature.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "reference/Compare.h"

using namespace mlir;

namespace ein {

/// How far an element may be from what it was, in parts of the largest of its
/// tensor: passes may add in another order, in which each addition rounds.
static double getTolerance(ElementType type) {
  switch (getPartType(type)) {
  case ElementType::F64:
    return 0x1p-42;
  case ElementType::F32:
    return 0x1p-13;
  case ElementType::F16:
  case ElementType::BF16:
    return 0x1p-4;
  default:
    return 0;
  }
}

/// The runtime's types and the language's are one list, abi/ElementTypes.def.
static ElementType getElementType(const runtime::Array &array) {
  return static_cast<ElementType>(array.type);
}

/// `array` with bounds round its elements.
static reference::Value withBounds(const runtime::Array &array) {
  ElementType type = getElementType(array);
  reference::Value value =
      reference::makeValue(array.shape, type, array.data());
  for (reference::Part part : reference::getParts(type)) {
    double tolerance = getTolerance(type), largest = 0;
    if (tolerance == 0)
      continue;
    for (int64_t i = 0, e = value.size(); i < e; ++i)
      if (double size = std::abs(value.get(i, part).value); std::isfinite(size))
        largest = std::max(largest, size);
    for (int64_t i = 0, e = value.size(); i < e; ++i)
      value.set(i, part, {value.get(i, part).value, tolerance * largest});
  }
  return value;
}

/// Whether the function can be called, and says how.
static bool isEntry(func::FuncOp function) {
  return function->hasAttr(EinDialect::kSignatureAttr) &&
         !function.isExternal();
}

void Validator::attach(PassManager &passes) {
  passes.getContext()->disableMultithreading();
  visitStates(passes,
              [this](ModuleOp module, StringRef pass) { visit(module, pass); });
}

void Validator::fail(StringRef pass, const Twine &what) {
  hasFailed = true;
  culprit = pass;
  os << "error: ";
  if (pass.empty())
    os << "the module";
  else
    os << "pass `" << pass << "`";
  os << " " << what << "\n";
}

/// Finds sizes and data with which the entry has results, and runs it.
bool Validator::startEntry(const runtime::Signature &signature,
                           LoadedCode &code, std::string &error) {
  // Nests of all sizes at once are to be done in a second.
  constexpr double maxPoints = 1e7;
  runtime::Bindings given;
  for (const auto &binding : sizes)
    if (llvm::is_contained(signature.symbols, binding.first))
      given.push_back(binding);
  for (ArrayRef<int64_t> choices : getSizeChoices()) {
    Entry entry = {signature.name, runtime::Invocation(signature), {}};
    if (!entry.call.bind(completeBindings(signature, given, choices), error))
      continue;
    double points = 1;
    for (int64_t size : entry.call.getSizes())
      points *= static_cast<double>(size);
    if (points > maxPoints && given.size() != signature.symbols.size())
      continue;
    if (!entry.call.fillMissing(seed, error))
      return false;
    runtime::Invocation call(signature);
    if (!copyCall(entry.call, call, error))
      return false;
    if (!runEntry(code, signature.name, call, error))
      continue;
    for (size_t i = 0; i < signature.arguments.size(); ++i) {
      entry.before.emplace_back();
      if (signature.arguments[i].isResult())
        entry.before.back() = std::move(call.getArray(i));
    }
    entries.push_back(std::move(entry));
    return true;
  }
  error = "`" + signature.name + "` has no results: " + error +
          adviseSizes(signature);
  return false;
}

bool Validator::start(ModuleOp module, LoadedCode &code, std::string &error) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!isEntry(function))
      continue;
    FailureOr<Signature> signature = Signature::fromOp(function);
    if (failed(signature)) {
      error = "has a function without a proper signature";
      return false;
    }
    if (!startEntry(signature->toRuntime(function.getName()), code, error))
      return false;
  }
  return true;
}

bool Validator::compare(Entry &entry, LoadedCode &code, std::string &error) {
  const runtime::Signature &signature = entry.call.getSignature();
  runtime::Invocation call(signature);
  if (!copyCall(entry.call, call, error))
    return false;
  std::string where =
      "`@" + entry.name + "`" + describeSizes(signature, call.getSizes());
  if (!runEntry(code, entry.name, call, error)) {
    error = "leaves " + where + " without results: " + error;
    return false;
  }
  for (auto [i, argument] : llvm::enumerate(signature.arguments)) {
    if (!argument.isResult())
      continue;
    runtime::Array &after = call.getArray(i);
    reference::Value expected = withBounds(entry.before[i]);
    reference::Comparison comparison =
        reference::compare(expected, getElementType(after), after.data());
    if (!comparison.ok) {
      error = "changes what " + where + " computes: " +
              reference::describe(argument.name, after.shape, comparison);
      return false;
    }
    entry.before[i] = std::move(after);
  }
  return true;
}

void Validator::visit(ModuleOp module, StringRef pass) {
  if (hasFailed || isLeft)
    return;
  // A user's module has no signatures before they are inferred.
  if (entries.empty() && llvm::none_of(module.getOps<func::FuncOp>(), isEntry))
    return;
  auto object = compilePlainly(module, target);
  if (!object)
    return fail(pass, "leaves a module that cannot be executed: " +
                          llvm::toString(object.takeError()));
  auto code = LoadedCode::load(std::move(*object), /*usesThreads=*/false);
  if (!code)
    return fail(pass, "leaves a module that cannot be loaded: " +
                          llvm::toString(code.takeError()));
  std::string error;
  if (entries.empty()) {
    if (!start(module, *code, error))
      return fail(pass, "cannot be executed: " + error);
    ++numStates;
    return;
  }
  for (Entry &entry : entries)
    if (!compare(entry, *code, error))
      return fail(pass, error);
  ++numStates;
}

bool Validator::finish() {
  if (hasFailed)
    return false;
  if (entries.empty()) {
    os << "error: no function of the module has `" << EinDialect::kSignatureAttr
       << "`, which says how it is called; `ein-from-source` gives it one\n";
    return false;
  }
  os << "validated: " << numStates << " states of " << entries.size()
     << (entries.size() == 1 ? " function" : " functions") << " agree\n";
  return true;
}

} // namespace ein
