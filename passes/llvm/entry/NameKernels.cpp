//===- NameKernels.cpp - Names that mean nothing to C ---------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's conversions look `malloc` up in the module and declare it if there
// is none, and code generation calls `expf` by its name. A program may define
// functions of these names, which in an executable nobody outside sees; so they
// are renamed before. Whoever calls them is found in one walk for all of them.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "ir/Signature.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/llvm/entry/Passes.h"

namespace ein {
#define GEN_PASS_DEF_NAMEKERNELS
#include "passes/llvm/entry/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {
struct NameKernelsPass : impl::NameKernelsBase<NameKernelsPass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    llvm::DenseMap<Attribute, FlatSymbolRefAttr> names;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      // A function that has been here before is validated by what comes next.
      if (!function->hasAttr(EinDialect::kSignatureAttr) ||
          function.getSymName().starts_with(kKernelPrefix))
        continue;
      std::string name = (kKernelPrefix + function.getSymName()).str();
      if (symbols.lookup(name)) {
        function.emitError("cannot be called `") << name << "`, which exists";
        return signalPassFailure();
      }
      auto reference = FlatSymbolRefAttr::get(&getContext(), name);
      names[FlatSymbolRefAttr::get(function.getSymNameAttr())] = reference;
      function.setSymNameAttr(reference.getAttr());
    }
    AttrTypeReplacer replacer;
    replacer.addReplacement(
        [&](FlatSymbolRefAttr old) -> std::optional<Attribute> {
          auto found = names.find(old);
          if (found == names.end())
            return std::nullopt;
          return found->second;
        });
    replacer.recursivelyReplaceElementsIn(getOperation());
  }
};
} // namespace
} // namespace ein
