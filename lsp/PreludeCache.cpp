//===- PreludeCache.cpp - The prelude's files, for editors to show --------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The definitions of the named ops are text in the compiler. Not every editor
// can be served a text that is no file, so it becomes one, which nobody is to
// change. The directory is called after what the prelude says, as several
// versions of einc may be in use.
//
//===----------------------------------------------------------------------===//

#include "lsp/Workspace.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace ein::lsp {

std::string getPreludeCache() {
  SmallString<128> directory;
  if (std::optional<std::string> cache = sys::Process::GetEnv("XDG_CACHE_HOME");
      cache && sys::path::is_absolute(*cache))
    directory = *cache;
  else if (!sys::path::cache_directory(directory))
    return "";
  std::string all;
  for (const PreludeFile &file : getPreludeFiles())
    all += file.text.str();
  sys::path::append(directory, "einc",
                    "prelude-" + utohexstr(xxh3_64bits(all)));
  return directory.str().str();
}

/// Two servers may write it at once: each writes a file of its own, and either
/// then is it.
std::string cachePreludeFile(StringRef name, StringRef text) {
  SmallString<128> path(getPreludeCache());
  if (path.empty() || sys::fs::create_directories(path))
    return "";
  sys::path::append(path, name);
  auto known = MemoryBuffer::getFile(path);
  if (known && (*known)->getBuffer() == text)
    return path.str().str();
  Expected<sys::fs::TempFile> file =
      sys::fs::TempFile::create(path + ".%%%%%%", sys::fs::all_read);
  if (!file) {
    consumeError(file.takeError());
    return "";
  }
  raw_fd_ostream os(file->FD, /*shouldClose=*/false);
  os << text;
  os.flush();
  if (os.has_error()) {
    os.clear_error();
    consumeError(file->discard());
    return "";
  }
  if (Error error = file->keep(path)) {
    consumeError(std::move(error));
    return "";
  }
  return path.str().str();
}

} // namespace ein::lsp
