//===- Jit.cpp - An object loaded into this process ---------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ORC links the very object that would be written to a file; there is no second
// code path that could differ from it. Code from the cache goes the same way,
// so nothing here may cost what a compiler costs: LLJIT would make a code
// generator and compile a module of its own.
//
//===----------------------------------------------------------------------===//

#include "backend/Backend.h"
#include "llvm/ExecutionEngine/Orc/EHFrameRegistrationPlugin.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h"
#include "llvm/ExecutionEngine/Orc/TaskDispatch.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include <string>
#include <utility>

using namespace llvm;

namespace ein {

struct LoadedCode::State {
  explicit State(std::unique_ptr<orc::ExecutorProcessControl> process)
      : session(std::move(process)), layer(session),
        main(session.createBareJITDylib("einc")),
        prefix(session.getTargetTriple().isOSBinFormatMachO() ? '_' : '\0') {
    // Which symbols are missing is not in what a lookup returns.
    session.setErrorReporter([this](Error error) {
      reported += (reported.empty() ? "" : "; ") + toString(std::move(error));
    });
  }
  ~State() {
    // What cannot be given back stays.
    if (Error error = session.endSession())
      consumeError(std::move(error));
  }

  /// The causes of errors that are returned.
  std::string reported;
  orc::ExecutionSession session;
  orc::ObjectLinkingLayer layer;
  orc::JITDylib &main;
  /// Stands before C's names.
  char prefix;
};

LoadedCode::LoadedCode(std::unique_ptr<State> state)
    : state(std::move(state)) {}
LoadedCode::LoadedCode(LoadedCode &&) = default;
LoadedCode::~LoadedCode() = default;

/// Makes what a library defines visible to the code.
static Error addLibrary(orc::ObjectLinkingLayer &layer, orc::JITDylib &main,
                        char prefix, StringRef name) {
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
  if (name.ends_with(".so")) {
    // Without a slash it would be searched where the system's libraries are.
    SmallString<128> path(name);
    if (sys::fs::exists(path))
      if (std::error_code error = sys::fs::make_absolute(path))
        return createStringError(error, "cannot find `" + name.str() + "`");
    return addShared(path.c_str());
  }
  if (name.ends_with(".a")) {
    auto generator =
        orc::StaticLibraryDefinitionGenerator::Load(layer, name.str().c_str());
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
  return layer.add(main, std::move(*buffer));
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
  auto process = orc::SelfExecutorProcessControl::Create(
      nullptr, std::make_unique<orc::InPlaceTaskDispatcher>());
  if (!process)
    return process.takeError();
  auto state = std::make_unique<State>(std::move(*process));
  // Exceptions of linked C++ pass through it.
  auto frames = orc::EHFrameRegistrationPlugin::Create(state->session);
  if (!frames)
    return frames.takeError();
  state->layer.addPlugin(std::move(*frames));
  orc::JITDylib &main = state->main;
  auto own =
      orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(state->prefix);
  if (!own)
    return own.takeError();
  for (const std::string &library : libraries)
    if (Error error = addLibrary(state->layer, main, state->prefix, library))
      return error;
  // After them: what `--link` names comes before what einc happens to have.
  main.addGenerator(std::move(*own));
  auto buffer = std::make_unique<SmallVectorMemoryBuffer>(
      std::move(object), "einc", /*RequiresNullTerminator=*/false);
  if (Error error = state->layer.add(main, std::move(buffer)))
    return error;
  return LoadedCode(std::move(state));
}

Expected<void *> LoadedCode::lookup(StringRef name) {
  std::string symbol = (state->prefix ? "_" : "") + name.str();
  Expected<orc::ExecutorSymbolDef> definition =
      state->session.lookup({&state->main}, symbol);
  if (!definition) {
    std::string cause = std::exchange(state->reported, "");
    if (cause.empty())
      return definition.takeError();
    consumeError(definition.takeError());
    return createStringError(cause);
  }
  return definition->getAddress().toPtr<void *>();
}

} // namespace ein
