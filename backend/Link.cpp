//===- Link.cpp - An object and the runtime to an executable ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The system's compiler driver knows where its C library and start files are;
// it is asked to link, as clang asks its linker. The executable appears under
// its name only when it is complete.
//
//===----------------------------------------------------------------------===//

#include "backend/Backend.h"
#include "backend/OutputFile.h"
#include "runtime/HeldSignals.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <dlfcn.h>

using namespace llvm;

namespace ein {
namespace {
/// A file that is gone when this is.
class TemporaryFile {
public:
  ~TemporaryFile() {
    if (!path.empty())
      (void)sys::fs::remove(path);
  }
  SmallString<128> path;
};
} // namespace

static Error createWriteError(StringRef path, std::error_code error) {
  return createStringError(error, "cannot write `" + path.str() +
                                      "`: " + error.message());
}

static Error createTemporary(StringRef suffix, TemporaryFile &file) {
  if (std::error_code error =
          sys::fs::createTemporaryFile("einc", suffix, file.path))
    return createStringError(error, "cannot make a temporary file: " +
                                        error.message());
  return Error::success();
}

static Expected<std::string> findLinker() {
  for (StringRef name : {"c++", "g++", "clang++", "clang++-22"})
    if (ErrorOr<std::string> path = sys::findProgramByName(name))
      return *path;
  return createStringError("found no C++ compiler (`c++`, `g++`, `clang++`, "
                           "`clang++-22`) to link the executable with");
}

/// Links an object, by the C++ compiler with `arguments`, to `output`.
static Error link(ArrayRef<char> object, ArrayRef<std::string> arguments,
                  StringRef output) {
  Expected<std::string> linker = findLinker();
  if (!linker)
    return linker.takeError();

  runtime::HeldSignals signals; // for longer than the files
  TemporaryFile objectFile, errors, linked;
  if (Error error = createTemporary("o", objectFile))
    return error;
  if (Error error = createTemporary("err", errors))
    return error;
  {
    std::error_code code;
    raw_fd_ostream stream(objectFile.path, code);
    if (code)
      return createWriteError(objectFile.path, code);
    stream.write(object.data(), object.size());
    stream.close();
    // Taken over: a stream that is gone with an error ends the process.
    code = stream.error();
    stream.clear_error();
    if (code)
      return createWriteError(objectFile.path, code);
  }
  if (sys::fs::is_directory(output))
    return createStringError("cannot write `" + output.str() +
                             "`: it is a directory");
  bool isSpecial = isSpecialFile(output);
  if (isSpecial) {
    if (Error error = createTemporary("out", linked))
      return error;
  } else {
    // In the directory of the output, so that renaming it is one step.
    SmallString<128> model(output);
    model += ".tmp-%%%%%%";
    if (std::error_code error = sys::fs::createUniqueFile(model, linked.path))
      return createWriteError(output, error);
  }

  SmallVector<StringRef> command = {*linker, objectFile.path};
  command.append(arguments.begin(), arguments.end());
  command.append({"-lm", "-o", linked.path});
  std::optional<StringRef> redirects[] = {std::nullopt, errors.path.str(),
                                          errors.path.str()};
  std::string message;
  if (sys::ExecuteAndWait(*linker, command, std::nullopt, redirects, 0, 0,
                          &message) != 0) {
    if (auto text = MemoryBuffer::getFile(errors.path))
      message += (*text)->getBuffer().trim().str();
    return createStringError("linking failed: " + message);
  }
  if (signals.isWaiting())
    return createStringError("interrupted");
  if (isSpecial) {
    auto bytes = MemoryBuffer::getFile(linked.path, /*IsText=*/false,
                                       /*RequiresNullTerminator=*/false);
    if (!bytes)
      return createStringError(bytes.getError(), "cannot read what was linked");
    return writeFile(output, (*bytes)->getBuffer());
  }
  if (std::error_code error = sys::fs::rename(linked.path, output))
    return createWriteError(output, error);
  linked.path.clear();
  return Error::success();
}

/// Whether the loader finds OpenMP's runtime without being told where.
static bool findsThreads() {
  void *library = dlopen("libomp.so.5", RTLD_LAZY | RTLD_LOCAL);
  if (library)
    dlclose(library);
  return library != nullptr;
}

/// OpenMP's runtime, by its name: what is linked runs wherever a loader finds
/// one. Only where this machine's does not, is it told where it is here.
static void addThreads(std::vector<std::string> &arguments) {
  StringRef directory = sys::path::parent_path(EINC_OPENMP_LIBRARY);
  arguments.push_back("-L" + directory.str());
  arguments.push_back("-lomp");
  if (!findsThreads())
    arguments.push_back("-Wl,-rpath," + directory.str());
}

/// Where einc is installed, what it links has a directory of its own.
static std::string getLibrary(StringRef runtimeDir, const Twine &name) {
  SmallString<128> directory(runtimeDir);
  sys::path::append(directory, "einc");
  if (!sys::fs::is_directory(directory))
    directory = runtimeDir;
  sys::path::append(directory, "libein_" + name + ".a");
  return directory.str().str();
}

Expected<std::vector<std::string>>
findRanksLibraries(StringRef mpi, StringRef runtimeDir, bool isExecutable) {
  StringRef mpiLibrary =
      mpi == "mpich" ? EINC_MPICH_LIBRARY : EINC_OPENMPI_LIBRARY;
  if (mpiLibrary.empty())
    return createStringError("this einc was built without " + mpi.str() +
                             ", which the program is to be linked with");
  std::vector<std::string> libraries;
  if (isExecutable)
    libraries.push_back(getLibrary(runtimeDir, "mpi_main_" + mpi));
  libraries.push_back(getLibrary(runtimeDir, "mpi_" + mpi));
  libraries.push_back(mpiLibrary.str());
  return libraries;
}

Error linkRanksExecutable(ArrayRef<char> object, bool usesThreads,
                          ArrayRef<std::string> ranksLibraries,
                          StringRef output, ArrayRef<std::string> libraries) {
  std::vector<std::string> arguments = ranksLibraries.vec();
  if (usesThreads)
    addThreads(arguments);
  arguments.insert(arguments.end(), libraries.begin(), libraries.end());
  return link(object, arguments, output);
}

Error linkExecutable(ArrayRef<char> object, bool usesThreads,
                     StringRef runtimeDir, StringRef output,
                     ArrayRef<std::string> libraries) {
  std::vector<std::string> arguments = {
      getLibrary(runtimeDir, "main"), getLibrary(runtimeDir, "runtime"),
      getLibrary(runtimeDir, "abi"), "-static-libstdc++", "-static-libgcc"};
  if (usesThreads)
    addThreads(arguments);
  arguments.insert(arguments.end(), libraries.begin(), libraries.end());
  return link(object, arguments, output);
}

Error linkShared(ArrayRef<char> object, bool usesThreads, StringRef output,
                 ArrayRef<std::string> libraries) {
  std::vector<std::string> arguments = {"-shared", "-nostartfiles",
                                        "-static-libgcc"};
  if (usesThreads)
    addThreads(arguments);
  arguments.insert(arguments.end(), libraries.begin(), libraries.end());
  return link(object, arguments, output);
}

Expected<SmallVector<char, 0>> archive(ArrayRef<char> object, StringRef name) {
  NewArchiveMember member(
      MemoryBufferRef(StringRef(object.data(), object.size()), name));
  Expected<std::unique_ptr<MemoryBuffer>> library = writeArchiveToBuffer(
      member, SymtabWritingMode::NormalSymtab,
      object::Archive::getDefaultKind(), /*Deterministic=*/true,
      /*Thin=*/false);
  if (!library)
    return library.takeError();
  StringRef bytes = (*library)->getBuffer();
  return SmallVector<char, 0>(bytes.begin(), bytes.end());
}

} // namespace ein
