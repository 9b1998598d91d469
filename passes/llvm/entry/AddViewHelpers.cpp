//===- AddViewHelpers.cpp - What all view entries share -------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A view entry has to know whether an output overlaps another array, and to
// copy views that the kernel cannot read. Both are loops over ranks and strides
// that are data, the same for every entry, and an object may lean on nothing
// but libc: so each module gets its own copy of these functions, internal.
//
// They are written in MLIR, in ViewOverlap.mlir and ViewCopies.mlir: structured
// loops are better read than the builders that make them. The build lowers them
// to the LLVM dialect and makes a string of that, as with every small program a
// third of the time would go into lowering them again.
//
// Where the module becomes machine code for one of the architectures that einc
// is tested for, the build has compiled them too: the module declares what
// entries call, and has the assembly beside it. That is half of the time that a
// small program takes. A module that may be linked with another one before it
// is code has the functions: local labels of two assemblies would meet.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "ir/Signature.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Parser/Parser.h"
#include "passes/llvm/entry/Passes.h"
#include "llvm/ADT/StringSwitch.h"

namespace ein {
#define GEN_PASS_DEF_ADDVIEWHELPERS
#include "passes/llvm/entry/Passes.h.inc"
} // namespace ein

using namespace mlir;

static constexpr char kHelpers[] =
#include "passes/llvm/entry/ViewHelpers.inc" // of both files, lowered
    ;

static constexpr char kDeclarations[] =
#define EIN_DECLARATIONS(TEXT) TEXT
#define EIN_CODE(ARCHITECTURE, TEXT)
#include "passes/llvm/entry/ViewHelpersCode.inc"
    ;
#undef EIN_DECLARATIONS
#undef EIN_CODE

/// The helpers in assembly; null for another architecture.
static const char *getCode(StringRef architecture) {
  return llvm::StringSwitch<const char *>(architecture)
#define EIN_DECLARATIONS(TEXT)
#define EIN_CODE(ARCHITECTURE, TEXT) .Case(ARCHITECTURE, TEXT)
#include "passes/llvm/entry/ViewHelpersCode.inc"
      .Default(nullptr);
}

namespace ein {
namespace {
struct AddViewHelpersPass : impl::AddViewHelpersBase<AddViewHelpersPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    bool hasEntries = llvm::any_of(*module.getBody(), [](Operation &op) {
      return op.hasAttr(EinDialect::kSignatureAttr);
    });
    if (!hasEntries)
      return;
    const char *code = getCode(architecture);
    if (!code && !architecture.empty()) {
      module.emitError("there is no code of helpers for `")
          << architecture << "`";
      return signalPassFailure();
    }
    OwningOpRef<ModuleOp> helpers = parseSourceString<ModuleOp>(
        code ? kDeclarations : kHelpers, &getContext(), "view helpers");
    if (!helpers)
      return signalPassFailure();
    SymbolTable symbols(module);
    for (auto helper :
         llvm::make_early_inc_range(helpers->getOps<LLVM::LLVMFuncOp>())) {
      if (symbols.lookup(helper.getSymName())) {
        module.emitError("has a function `") << helper.getSymName() << "`";
        return signalPassFailure();
      }
      helper->remove();
      module.push_back(helper);
      if (code)
        continue;
      // They are most of what LLVM compiles for a small program. For their size
      // that takes two thirds of the time; and what is called rarely, and then
      // ends soon, is not worth LLVM's passes at all.
      bool isRare = helper->removeAttr(EinDialect::kRareAttr) != nullptr;
      SmallVector<StringRef> attributes = {"minsize", "optsize"};
      if (isRare)
        attributes = {"optnone", "noinline", "cold"};
      helper.setPassthroughAttr(
          Builder(&getContext()).getStrArrayAttr(attributes));
    }
    if (code)
      module->setAttr(LLVM::LLVMDialect::getModuleLevelAsmAttrName(),
                      Builder(&getContext()).getStrArrayAttr({code}));
  }
};
} // namespace
} // namespace ein
