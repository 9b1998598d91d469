//===- Jit.cpp - An object loaded into this process ---------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ORC links the very object that would be written to a file; there is no second
// code path that could differ from it.
//
//===----------------------------------------------------------------------===//

#include "backend/Backend.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"

using namespace llvm;

namespace ein {

struct LoadedCode::State {
  std::unique_ptr<orc::LLJIT> jit;
};

LoadedCode::LoadedCode(std::unique_ptr<State> state)
    : state(std::move(state)) {}
LoadedCode::LoadedCode(LoadedCode &&) = default;
LoadedCode::~LoadedCode() = default;

/// Makes what a library defines visible to the code.
static Error addLibrary(orc::LLJIT &jit, StringRef name) {
  orc::JITDylib &main = jit.getMainJITDylib();
  char prefix = jit.getDataLayout().getGlobalPrefix();
  auto addShared = [&](const char *path) -> Error {
    auto generator = orc::DynamicLibrarySearchGenerator::Load(path, prefix);
    if (!generator)
      return generator.takeError();
    main.addGenerator(std::move(*generator));
    return Error::success();
  };
  if (name == kBlasFlag) {
    for (const char *path :
         {"libblas.so.3", "libopenblas.so.0", "libblas.so", "libopenblas.so"}) {
      Error error = addShared(path);
      if (!error)
        return error;
      consumeError(std::move(error));
    }
    return createStringError("found no BLAS (libblas.so.3, libopenblas.so.0) "
                             "to load; install one, or leave out `--library`");
  }
  if (name.ends_with(".so"))
    return addShared(name.str().c_str());
  if (name.ends_with(".a")) {
    auto generator = orc::StaticLibraryDefinitionGenerator::Load(
        jit.getObjLinkingLayer(), name.str().c_str());
    if (!generator)
      return generator.takeError();
    main.addGenerator(std::move(*generator));
    return Error::success();
  }
  auto buffer = MemoryBuffer::getFile(name);
  if (!buffer)
    return createStringError(buffer.getError(),
                             "cannot read `" + name.str() +
                                 "`: " + buffer.getError().message());
  return jit.addObjectFile(std::move(*buffer));
}

Expected<LoadedCode> LoadedCode::load(SmallVector<char, 0> object,
                                      bool usesThreads,
                                      ArrayRef<std::string> libraries) {
  // Stays loaded: its threads outlive the code that started them.
  // Where einc was built it may be elsewhere than here.
  std::string error;
  if (usesThreads &&
      sys::DynamicLibrary::LoadLibraryPermanently("libomp.so.5", &error) &&
      sys::DynamicLibrary::LoadLibraryPermanently(EINC_OPENMP_LIBRARY, &error))
    return createStringError("cannot load OpenMP's runtime: " + error);
  initializeTargets();
  Expected<std::unique_ptr<orc::LLJIT>> jit = orc::LLJITBuilder().create();
  if (!jit)
    return jit.takeError();
  for (const std::string &library : libraries)
    if (Error error = addLibrary(**jit, library))
      return error;
  auto buffer = std::make_unique<SmallVectorMemoryBuffer>(
      std::move(object), "einc", /*RequiresNullTerminator=*/false);
  if (Error error = (*jit)->addObjectFile(std::move(buffer)))
    return error;
  auto state = std::make_unique<State>();
  state->jit = std::move(*jit);
  return LoadedCode(std::move(state));
}

Expected<void *> LoadedCode::lookup(StringRef name) {
  Expected<orc::ExecutorAddr> address = state->jit->lookup(name);
  if (!address)
    return address.takeError();
  return address->toPtr<void *>();
}

} // namespace ein
