//===- Library.cpp - Defs of other files ----------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/prelude/Library.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace ein {

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// Beside the file that imports it, else in the directories in order.
static SmallVector<StringRef> getPlaces(StringRef path, StringRef importer,
                                        ArrayRef<std::string> directories) {
  SmallVector<StringRef> places = {sys::path::parent_path(importer)};
  if (sys::path::is_absolute(path))
    places = {""};
  else
    llvm::append_range(places, directories);
  return places;
}

/// The names that `path` may have been meant for: what is in its directory.
static std::vector<std::string> listFiles(StringRef path,
                                          ArrayRef<StringRef> places) {
  constexpr size_t maxFiles = 1000;
  std::vector<std::string> names;
  StringRef parent = sys::path::parent_path(path);
  for (StringRef place : places) {
    SmallString<128> directory(place.empty() ? "." : place);
    sys::path::append(directory, parent);
    std::error_code error;
    for (sys::fs::directory_iterator file(directory, error), end;
         !error && file != end && names.size() < maxFiles;
         file.increment(error)) {
      SmallString<128> name(parent);
      sys::path::append(name, sys::path::filename(file->path()));
      if (sys::path::extension(name) == ".ein" || isOpDSLFile(name))
        names.push_back(name.str().str());
    }
  }
  return names;
}

static std::optional<std::string>
findFile(StringRef path, ArrayRef<StringRef> places,
         function_ref<bool(const Twine &)> isIt) {
  for (StringRef place : places) {
    SmallString<128> candidate(place);
    sys::path::append(candidate, path);
    if (isIt(candidate))
      return candidate.str().str();
  }
  return std::nullopt;
}

static bool isFile(const Twine &path) { return sys::fs::is_regular_file(path); }

static bool isDirectory(const Twine &path) {
  return sys::fs::is_directory(path);
}

std::string getRealPath(StringRef path) {
  SmallString<128> real;
  return sys::fs::real_path(path, real) ? path.str() : real.str().str();
}

void Library::import(ArrayRef<ast::Import> imports) {
  // The file that is compiled may be imported by others.
  if (paths.empty())
    paths.insert(getRealPath(sources.getName()));
  for (const ast::Import &import : imports)
    importOne(import);
}

void Library::importOne(const ast::Import &import) {
  StringRef importer = sources.find(import.range.begin).getName();
  SmallVector<StringRef> places = getPlaces(import.path, importer, includeDirs);
  auto isThere = [&](const Twine &path) {
    return isFile(path) || (openFiles && openFiles(path.str()));
  };
  std::optional<std::string> path = findFile(import.path, places, isThere);
  if (!path) {
    std::vector<std::string> files = listFiles(import.path, places);
    SmallVector<StringRef> names(files.begin(), files.end());
    bool lacksSuffix = llvm::is_contained(names, import.path + ".ein");
    std::string reason = "there is no such file, neither beside this one nor "
                         "where `-I` says";
    if (import.path.empty())
      reason = "it names no file";
    else if (!lacksSuffix && findFile(import.path, places, isDirectory))
      reason = "it is a directory";
    diags.report(DiagId::ImportNotRead, import.range, {import.path, reason})
        .didYouMean({import.range.begin + 1, import.range.end - 1},
                    lacksSuffix ? import.path + ".ein" : import.path, names);
    return;
  }
  if (!paths.insert(getRealPath(*path)).second)
    return;
  std::optional<std::string> open = openFiles ? openFiles(*path) : std::nullopt;
  ErrorOr<std::string> text = open ? std::move(*open) : readSourceFile(*path);
  if (!text) {
    diags.report(DiagId::ImportNotRead, import.range,
                 {import.path, text.getError().message()});
    return;
  }
  if (StringRef(*path).ends_with(".mlir")) {
    diags.report(DiagId::ImportNotRead, import.range,
                 {import.path, "it is MLIR, and what is imported is einc's "
                               "language or OpDSL; `einc build` compiles it by "
                               "itself"});
    return;
  }
  const SourceFile *file = sources.add(*path, std::move(*text));
  if (!file) {
    diags.report(DiagId::ImportNotRead, import.range,
                 {import.path, "too much is imported"});
    return;
  }
  if (isOpDSLFile(*path))
    addOpDSL(*file);
  else
    addFile(*file, /*isPrelude=*/false);
}

/// The directory that the prelude's files seem to be in.
static constexpr StringLiteral kPrelude = "<einc>/";

std::vector<const SourceFile *> listRead(const Sources &sources) {
  std::vector<const SourceFile *> files;
  for (const std::unique_ptr<SourceFile> &file :
       sources.getFiles().drop_front())
    // Nothing keeps a user from having such a directory.
    if (!file->getName().starts_with(kPrelude) ||
        sys::fs::exists(file->getName()))
      files.push_back(file.get());
  return files;
}

std::vector<std::string> listImportPaths(const Sources &sources,
                                         ArrayRef<std::string> includeDirs) {
  std::vector<const SourceFile *> files = listRead(sources);
  files.push_back(sources.getFiles().front().get());
  StringSet<> known;
  std::vector<std::string> paths;
  for (const SourceFile *file : files) {
    if (isOpDSLFile(file->getName()))
      continue; // it has no imports
    DiagnosticEngine ignored;
    TokenBuffer tokens = lex(*file, ignored);
    for (const ast::Import &import : indexModule(tokens, ignored).imports)
      for (StringRef place :
           getPlaces(import.path, file->getName(), includeDirs)) {
        SmallString<128> path(place);
        sys::path::append(path, import.path);
        if (known.insert(path).second)
          paths.push_back(path.str().str());
      }
  }
  return paths;
}

void Library::addEntry(Entry entry) {
  ast::Name name = entry.name;
  bool isPrelude = entry.isPrelude;
  auto [known, isNew] = entries.try_emplace(name.text, std::move(entry));
  if (!isNew && !isPrelude)
    diags.report(DiagId::DuplicateDef, name.range, {name.text})
        .note(DiagId::FirstHere, known->second.name.range);
}

void Library::addOpDSL(const SourceFile &file) {
  ast::Module module = parseSource(lexSource(file, SourceForm::OpDSL, diags),
                                   SourceForm::OpDSL, diags);
  for (ast::Def &def : module.defs) {
    ast::Name name = def.name;
    if (!name.text.empty()) // else what is wrong has been said
      addEntry({nullptr, 0, name, /*isPrelude=*/false,
                std::make_unique<ast::Def>(std::move(def))});
  }
}

void Library::addFile(const SourceFile &file, bool isPrelude) {
  buffers.push_back(std::make_unique<TokenBuffer>(lex(file, diags)));
  ModuleIndex index = indexModule(*buffers.back(), diags);
  for (ModuleIndex::Def &def : index.defs) {
    if (isPrelude)
      diags.hideDef(buffers.back()->tokens[def.position].range.begin,
                    def.name.text);
    addEntry({buffers.back().get(), def.position, def.name, isPrelude});
  }
  if (isPrelude)
    diags.hideDef(file.getEnd() + 1, "");
  import(index.imports);
}

void Library::addPrelude() {
  if (hasPrelude)
    return;
  hasPrelude = true;
  for (const PreludeFile &file : getPreludeFiles())
    if (const SourceFile *added =
            sources.add((kPrelude + file.name).str(), file.text.str()))
      addFile(*added, /*isPrelude=*/true);
}

//===----------------------------------------------------------------------===//
// Defs
//===----------------------------------------------------------------------===//

const Library::Entry *Library::find(StringRef name) const {
  auto entry = entries.find(name);
  return entry == entries.end() ? nullptr : &entry->second;
}

ast::Def &Library::parse(StringRef name) {
  Entry &entry = entries.find(name)->second;
  if (!entry.def)
    entry.def = std::make_unique<ast::Def>(
        parseDef(*entry.tokens, entry.position, diags));
  return *entry.def;
}

StringRef Library::getText(StringRef name) {
  SourceRange range = parse(name).range;
  return sources.find(range.begin).getText(range);
}

std::vector<StringRef> Library::getNames() const {
  return std::vector<StringRef>(entries.keys().begin(), entries.keys().end());
}

StringRef explainUncallableOp(StringRef op) {
  if (op.starts_with("winograd_"))
    return "it is a step of an algorithm; call a convolution, as "
           "`conv_2d_nhwc_fhwc`, for what is computed";
  return StringSwitch<StringRef>(op)
      .Case("map", "it has a region; write a statement, as "
                   "`C(i, j) = exp(A(i, j)) + B(i, j)`")
      .Case("reduce", "it has a region; write a statement, as "
                      "`s(i) max=! A(i, j)`")
      .Case("generic", "it has a region; write a statement, as "
                       "`C(i, j) +=! A(i, k) * B(k, j)`")
      .Case("contract", "its maps are written as an einsum's, "
                        "`contract(\"mk,kn->mn\", A, B)`")
      .Cases({"index", "yield"}, "it is part of a region; an index is a value "
                                 "by its name, as in `A(i) = i`")
      .Default("");
}

} // namespace ein
