//===- CachedCode.cpp - Code that was compiled before ---------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which files a program reads is known when it has been compiled. So what is
// kept under the key of its text and options begins with the list of them; if
// that is not empty, the code is kept under a second key, of the files as well.
// Two versions of an imported file have one list and two codes.
//
//===----------------------------------------------------------------------===//

#include "driver/CachedCode.h"
#include "driver/CacheKey.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace ein {

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

namespace {
class Writer {
public:
  void add(uint64_t value) {
    char word[sizeof value];
    support::endian::write64le(word, value);
    bytes.append(word, sizeof word);
  }
  void add(StringRef text) {
    add(text.size());
    bytes += text;
  }
  void add(SourceRange range) {
    add(range.begin);
    add(range.end);
  }
  void add(ArrayRef<FixIt> fixIts) {
    add(fixIts.size());
    for (const FixIt &fixIt : fixIts) {
      add(fixIt.range);
      add(fixIt.replacement);
    }
  }

  std::string bytes;
};

/// Reads what a Writer has written. Whatever else it is given, it does not read
/// past the end.
class Reader {
public:
  explicit Reader(StringRef bytes) : rest(bytes) {}

  bool isDone() const { return isWhole && rest.empty(); }
  bool failed() const { return !isWhole; }

  uint64_t readNumber() {
    StringRef word = take(sizeof(uint64_t));
    return word.empty() ? 0 : support::endian::read64le(word.data());
  }
  /// How many of something follow, each at least a word.
  uint64_t readCount() {
    uint64_t count = readNumber();
    isWhole &= count <= rest.size() / sizeof(uint64_t);
    return isWhole ? count : 0;
  }
  StringRef readText() { return take(readNumber()); }
  SourceRange readRange() {
    uint32_t begin = readNumber();
    return {begin, static_cast<uint32_t>(readNumber())};
  }
  std::vector<FixIt> readFixIts() {
    std::vector<FixIt> fixIts(readCount());
    for (FixIt &fixIt : fixIts) {
      fixIt.range = readRange();
      fixIt.replacement = readText();
    }
    return fixIts;
  }

private:
  StringRef take(uint64_t size) {
    if (!isWhole || size > rest.size()) {
      isWhole = false;
      return {};
    }
    StringRef part = rest.take_front(size);
    rest = rest.drop_front(size);
    return part;
  }

  StringRef rest;
  bool isWhole = true;
};
} // namespace

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

std::string writeEntry(const Compilation &compilation, const Sources &file,
                       ArrayRef<Diagnostic> said) {
  Writer writer;
  writer.add(compilation.usesThreads);
  writer.add(compilation.entries.size());
  for (const CompiledEntry &entry : compilation.entries) {
    writer.add(runtime::print(entry.signature));
    writer.add(entry.isPublic);
    writer.add(entry.checks.size());
    for (const std::string &check : entry.checks)
      writer.add(check);
  }
  writer.add(StringRef(compilation.output.data(), compilation.output.size()));
  // Places are in the files that were read, one after the other.
  ArrayRef<std::unique_ptr<SourceFile>> others = file.getFiles().drop_front();
  writer.add(said.empty() ? 0 : others.size());
  for (const std::unique_ptr<SourceFile> &other : others) {
    if (said.empty())
      break;
    writer.add(other->getName());
    writer.add(other->getText());
  }
  writer.add(said.size());
  for (const Diagnostic &diagnostic : said) {
    writer.add(static_cast<uint64_t>(diagnostic.id));
    writer.add(static_cast<uint64_t>(diagnostic.severity));
    writer.add(diagnostic.range);
    writer.add(diagnostic.message);
    writer.add(ArrayRef(diagnostic.fixIts));
    writer.add(diagnostic.notes.size());
    for (const DiagnosticNote &note : diagnostic.notes) {
      writer.add(static_cast<uint64_t>(note.id));
      writer.add(note.range);
      writer.add(note.message);
      writer.add(ArrayRef(note.fixIts));
    }
  }
  return std::move(writer.bytes);
}

static Diagnostic readDiagnostic(Reader &reader) {
  Diagnostic diagnostic;
  diagnostic.id = static_cast<DiagId>(reader.readNumber());
  diagnostic.severity = static_cast<Severity>(reader.readNumber());
  diagnostic.range = reader.readRange();
  diagnostic.message = reader.readText();
  diagnostic.fixIts = reader.readFixIts();
  for (uint64_t i = 0, e = reader.readCount(); i != e; ++i) {
    DiagnosticNote note;
    note.id = static_cast<DiagId>(reader.readNumber());
    note.range = reader.readRange();
    note.message = reader.readText();
    note.fixIts = reader.readFixIts();
    diagnostic.notes.push_back(std::move(note));
  }
  return diagnostic;
}

bool readEntry(StringRef bytes, Compilation &compilation, Sources &file) {
  Reader reader(bytes);
  compilation.usesThreads = reader.readNumber();
  for (uint64_t i = 0, e = reader.readCount(); i != e; ++i) {
    CompiledEntry entry;
    if (!runtime::parse(reader.readText().str(), entry.signature))
      return false;
    entry.isPublic = reader.readNumber();
    for (uint64_t k = 0, n = reader.readCount(); k != n; ++k)
      entry.checks.push_back(reader.readText().str());
    compilation.entries.push_back(std::move(entry));
  }
  StringRef object = reader.readText();
  compilation.output.assign(object.begin(), object.end());
  std::vector<std::pair<StringRef, StringRef>> others;
  for (uint64_t i = 0, e = reader.readCount(); i != e; ++i) {
    StringRef name = reader.readText();
    others.push_back({name, reader.readText()});
  }
  for (uint64_t i = 0, e = reader.readCount(); i != e; ++i)
    compilation.said.push_back(readDiagnostic(reader));
  if (!reader.isDone() || compilation.entries.empty())
    return false;
  for (auto [name, text] : others)
    if (!file.add(name.str(), text.str()))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Through the cache
//===----------------------------------------------------------------------===//

static std::string writeDependences(ArrayRef<Dependence> dependences) {
  Writer writer;
  writer.add(dependences.size());
  for (const Dependence &dependence : dependences)
    writer.add(dependence.path);
  return std::move(writer.bytes);
}

/// Takes the list off the front of `bytes`; false if there is none.
static bool takeDependences(StringRef &bytes,
                            std::vector<Dependence> &dependences) {
  Reader reader(bytes);
  size_t size = sizeof(uint64_t);
  for (uint64_t i = 0, e = reader.readCount(); i != e; ++i) {
    StringRef path = reader.readText();
    size += sizeof(uint64_t) + path.size();
    dependences.push_back({path.str(), std::nullopt, ""});
  }
  if (reader.failed())
    return false;
  bytes = bytes.drop_front(size);
  return true;
}

/// What the cache has for `key`, if the files that it depends on are as they
/// were.
static std::optional<std::string> findCode(const DiskCache &cache,
                                           const CacheKey &key) {
  std::optional<std::string> found = cache.find(key);
  if (!found)
    return std::nullopt;
  StringRef bytes = *found;
  std::vector<Dependence> dependences;
  if (!takeDependences(bytes, dependences))
    return std::nullopt;
  if (dependences.empty())
    return bytes.str();
  updateDependences(dependences);
  return cache.find(hashDependences(key, dependences));
}

/// Whether the object and what is said is all that is asked for.
static bool isForCache(const CompileOptions &options) {
  return options.keptStates == KeptStates::None && !options.timePasses &&
         options.printAfter.empty() && options.dumpDir.empty();
}

Compilation compileOrFind(Sources &file, const CompileOptions &options,
                          const std::optional<DiskCache> &cache,
                          DiagnosticEngine &diags) {
  if (!cache || !isForCache(options))
    return compile(file, EmissionKind::Obj, options, diags);
  CacheKey key = hashProgram(file, options);
  if (std::optional<std::string> bytes = findCode(*cache, key)) {
    Compilation found;
    if (readEntry(*bytes, found, file))
      return found;
  }
  Compilation result = compile(file, EmissionKind::Obj, options, diags);
  if (result.status != kDone)
    return result;
  std::vector<Dependence> dependences = findDependences(file, options);
  std::string code = writeEntry(result, file, diags.getDiagnostics());
  std::string list = writeDependences(dependences);
  if (dependences.empty())
    cache->store(key, list + code);
  else if (cache->store(key, list)) // the code last: it is worth more
    cache->store(hashDependences(key, dependences), code);
  return result;
}

} // namespace ein
