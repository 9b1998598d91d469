//===- Sema.cpp - A tree to a checked program: the module
//---------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/check/Def.h"
#include "frontend/check/Signature.h"
#include "frontend/prelude/Library.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein {

namespace {

/// What `--bind` may give a value to, besides sizes.
std::vector<StringRef> getBindableNames(const ast::Module &module) {
  std::vector<StringRef> names;
  for (const ast::Def &def : module.defs) {
    for (const ast::Generic &generic : def.generics)
      names.push_back(generic.name.text);
    for (const ast::Attribute &attribute : def.attributes)
      names.push_back(attribute.name.text);
    if (!def.anyRank.empty())
      names.push_back("rank");
    for (const ast::Param &param : def.params)
      if (param.type && param.type->dims.empty())
        names.push_back(param.name.text);
  }
  return names;
}

/// Every binding must be something of some def.
void checkBindings(const CheckOptions &options, const Program &program,
                   std::vector<StringRef> names, DiagnosticEngine &diags) {
  std::vector<StringRef> sizes;
  for (const Def &def : program.defs)
    for (const Symbol &symbol : def.symbols)
      sizes.push_back(symbol.name);
  auto report = [&](DiagId id, StringRef name) {
    diags.report(id, {}, {name.str()})
        .didYouMean({}, name, names, /*listsThem=*/true);
  };
  auto isKnown = [&](StringRef name) {
    return llvm::is_contained(names, name) ||
           llvm::is_contained(names, name.split('.').first);
  };
  for (const auto &[name, value] : options.constants) {
    if (llvm::is_contained(sizes, name))
      diags.report(DiagId::SizeNotInteger, {}, {name, value});
    else if (!isKnown(name))
      report(DiagId::UnknownBinding, name);
  }
  llvm::append_range(names, sizes);
  for (const auto &[name, value] : options.bindings)
    if (!isKnown(name))
      report(DiagId::UnknownBinding, name);
}

/// The defs of a program. Each is checked once, those that are called before
/// those that call them.
class ProgramChecker : public Callees {
public:
  ProgramChecker(ast::Module &module, const CheckOptions &options,
                 Library &library, DiagnosticEngine &diags)
      : module(module), options(options), diags(diags), library(library) {}

  /// All that is right.
  Program check();
  /// Whether that is all there is.
  bool isWhole() const { return hasAllDefs && !diags.hasErrors(); }

  bool has(StringRef name) override;
  Callee *find(StringRef name) override;
  LogicalResult prepare(Callee &callee) override;
  std::vector<StringRef> getNames() override;

private:
  void collectDefs();

  ast::Module &module;
  const CheckOptions &options;
  DiagnosticEngine &diags;
  Library &library;
  StringMap<Callee> callees;
  unsigned numActive = 0;
  bool hasAllDefs = true;
  /// What has become of the module's defs that have no mistakes.
  std::map<const ast::Def *, Def> checked;
};

} // namespace

void ProgramChecker::collectDefs() {
  StringMap<SourceRange> firstDefs;
  for (const ast::Def &def : module.defs) {
    if (def.name.text.empty())
      continue; // complained of
    auto [first, isNew] = firstDefs.try_emplace(def.name.text, def.name.range);
    if (!isNew)
      diags.report(DiagId::DuplicateDef, def.name.range, {def.name.text})
          .note(DiagId::FirstHere, first->second);
    if (const Library::Entry *other = library.find(def.name.text);
        other && isNew)
      diags.report(DiagId::DuplicateDef, def.name.range, {def.name.text})
          .note(DiagId::FirstHere, other->name.range);
    if (isNew && !def.isImplicit)
      callees[def.name.text].source = &def;
  }
}

bool ProgramChecker::has(StringRef name) {
  if (callees.contains(name) || library.find(name))
    return true;
  library.addPrelude();
  return library.find(name);
}

Callee *ProgramChecker::find(StringRef name) {
  if (!has(name))
    return nullptr;
  auto [callee, isNew] = callees.try_emplace(name);
  if (isNew) {
    ast::Def &def = library.parse(name);
    openRank(def);
    callee->second.source = &def;
    callee->second.isPrelude = library.find(name)->isPrelude;
    // It is checked in each call, as what it takes may depend on its sizes.
    callee->second.isChecked = true;
    callee->second.isBroken = callee->second.source->hasErrors;
  }
  return &callee->second;
}

std::vector<StringRef> ProgramChecker::getNames() {
  library.addPrelude();
  std::vector<StringRef> names = library.getNames();
  for (const auto &callee : callees)
    names.push_back(callee.getKey());
  return names;
}

LogicalResult ProgramChecker::prepare(Callee &callee) {
  if (callee.isChecked)
    return success();
  // Each is checked on the stack of the one that calls it.
  if (numActive > maxCallDepth)
    return failure();
  ++numActive;
  callee.isChecked = callee.isActive = true;
  size_t numErrors = diags.getNumErrors();
  if (!callee.source->hasErrors || callee.source->isPartial)
    checked.emplace(callee.source,
                    checkDef(*callee.source, options, *this, diags));
  callee.isBroken =
      callee.source->hasErrors || diags.getNumErrors() != numErrors;
  callee.isActive = false;
  --numActive;
  return success();
}

Program ProgramChecker::check() {
  library.import(module.imports);
  hasAllDefs = !diags.hasErrors();
  collectDefs();
  for (ast::Def &def : module.defs) {
    hasAllDefs &= !def.hasErrors;
    if (def.isImplicit && !def.hasErrors)
      inferSignature(def, options, *this, diags);
    expandRank(def, options, diags);
    hasAllDefs &= !def.hasErrors;
    auto callee = callees.find(def.name.text);
    if (callee != callees.end() && callee->second.source == &def)
      (void)prepare(callee->second); // none is active here
    else if (!def.hasErrors || def.isPartial)
      checked.emplace(&def, checkDef(def, options, *this, diags));
  }
  Program program;
  for (const ast::Def &def : module.defs)
    if (auto found = checked.find(&def); found != checked.end()) {
      auto callee = callees.find(def.name.text);
      bool isCalled = callee != callees.end() && callee->second.isCalled;
      found->second.isPublic = def.visibility == ast::Visibility::UnlessCalled
                                   ? !isCalled
                                   : def.visibility == ast::Visibility::Public;
      program.defs.push_back(std::move(found->second));
    }
  if (hasAllDefs)
    checkBindings(options, program, getBindableNames(module), diags);
  return program;
}

FailureOr<Program> check(ast::Module module, const CheckOptions &options,
                         Sources &sources, DiagnosticEngine &diags) {
  Library library(sources, options.includeDirs, diags, options.openFiles);
  ProgramChecker checker(module, options, library, diags);
  Program program = checker.check();
  if (!checker.isWhole())
    return failure();
  return program;
}

Program checkPartially(ast::Module module, const CheckOptions &options,
                       Library &library, DiagnosticEngine &diags) {
  return ProgramChecker(module, options, library, diags).check();
}

FailureOr<Program> parseProgram(Sources &file, const CheckOptions &options,
                                DiagnosticEngine &diags, SourceForm form) {
  return check(parseSource(file.getMain(), form, diags), options, file, diags);
}

} // namespace ein
