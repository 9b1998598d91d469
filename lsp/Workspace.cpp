//===- Workspace.cpp - The documents that an editor has open --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lsp/Workspace.h"
#include "lsp/Uri.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace ein::lsp {

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

std::vector<Document *> Workspace::open(const OpenParams &params) {
  Document &document = documents[params.uri];
  document.uri = params.uri;
  if (std::optional<std::string> path = getPath(params.uri))
    document.path = getRealPath(*path);
  document.text = params.text;
  document.version = params.version;
  return analyze(document);
}

std::vector<Document *> Workspace::change(const ChangeParams &params) {
  auto found = documents.find(params.uri);
  if (found == documents.end())
    return {};
  Document &document = found->second;
  for (const TextChange &change : params.changes) {
    if (!change.range) {
      document.text = change.text;
      continue;
    }
    size_t begin = getOffset(document.text, change.range->start);
    size_t end = getOffset(document.text, change.range->end);
    document.text.replace(begin, std::max(begin, end) - begin, change.text);
  }
  document.version = params.version;
  return analyze(document);
}

std::vector<Document *> Workspace::close(const std::string &uri) {
  documents.erase(uri);
  closed.clear();
  std::vector<Document *> others;
  for (auto &[name, document] : documents)
    if (!document.analysis->getModule().imports.empty()) {
      run(document);
      others.push_back(&document);
    }
  return others;
}

void Workspace::run(Document &document) {
  StringRef name = document.uri;
  std::string path = document.path;
  if (path.empty())
    path = name.substr(name.find(':') + 1).str();
  document.analysis = analyze(path, document.text);
}

/// Others that import anything may see another text now.
std::vector<Document *> Workspace::analyze(Document &document) {
  closed.clear();
  run(document);
  std::vector<Document *> changed = {&document};
  for (auto &[name, other] : documents)
    if (&other != &document && !other.analysis->getModule().imports.empty()) {
      run(other);
      changed.push_back(&other);
    }
  return changed;
}

std::unique_ptr<Analysis> Workspace::analyze(const std::string &path,
                                             std::string text) {
  CheckOptions options;
  options.includeDirs = includeDirs;
  options.warnings = warnings;
  options.openFiles = [this](StringRef path) { return findOpenText(path); };
  SourceForm form = isOpDSLFile(path) ? SourceForm::OpDSL : SourceForm::File;
  return std::make_unique<Analysis>(path, std::move(text), form,
                                    std::move(options));
}

std::optional<std::string> Workspace::findOpenText(StringRef path) const {
  // Most often none else is open.
  std::string real;
  for (const auto &[uri, document] : documents) {
    if (document.path.empty() ||
        sys::path::filename(document.path) != sys::path::filename(path))
      continue;
    if (real.empty())
      real = getRealPath(path);
    if (document.path == real)
      return document.text;
  }
  return std::nullopt;
}

const Document *Workspace::find(const std::string &uri) const {
  auto found = documents.find(uri);
  return found == documents.end() ? nullptr : &found->second;
}

std::vector<const Document *> Workspace::getDocuments() const {
  std::vector<const Document *> all;
  for (const auto &[uri, document] : documents)
    all.push_back(&document);
  return all;
}

const Analysis *Workspace::analyzeFile(const std::string &path) {
  std::string real = getRealPath(path);
  for (const auto &[uri, document] : documents)
    if (document.path == real)
      return document.analysis.get();
  auto [known, isNew] = closed.try_emplace(real);
  if (!isNew)
    return known->second.get();
  ErrorOr<std::string> text = readSourceFile(real);
  if (text)
    known->second = analyze(real, std::move(*text));
  return known->second.get();
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

std::string Workspace::getUri(const SourceFile &file) {
  StringRef name = file.getName();
  std::string path = name.str();
  if (name.consume_front("<einc>/")) {
    path = cachePreludeFile(name, file.getText());
    if (path.empty())
      return "";
  }
  std::string real = getRealPath(path);
  for (const auto &[uri, document] : documents)
    if (document.path == real)
      return uri;
  // Beside a buffer without a file, paths begin nowhere.
  return sys::path::is_absolute(real) ? makeUri(real) : "";
}

std::optional<Location> Workspace::locate(const Document &document,
                                          SourceRange range) {
  const Sources &sources = document.analysis->getSources();
  const SourceFile &file = sources.find(range.begin);
  std::string uri = &file == &sources.getMain() ? document.uri : getUri(file);
  if (uri.empty())
    return std::nullopt;
  return Location{std::move(uri), getRange(file, range)};
}

bool Workspace::isOfPrelude(const Document &document) const {
  std::string cache = getPreludeCache();
  return !cache.empty() &&
         sys::path::parent_path(document.path) == getRealPath(cache);
}

} // namespace ein::lsp
