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
#include "llvm/Support/TargetSelect.h"

using namespace llvm;

namespace ein {

struct LoadedCode::State {
  std::unique_ptr<orc::LLJIT> jit;
};

LoadedCode::LoadedCode(std::unique_ptr<State> state)
    : state(std::move(state)) {}
LoadedCode::LoadedCode(LoadedCode &&) = default;
LoadedCode::~LoadedCode() = default;

Expected<LoadedCode> LoadedCode::load(SmallVector<char, 0> object,
                                      bool usesThreads) {
  // Stays loaded: its threads outlive the code that started them.
  std::string error;
  if (usesThreads &&
      sys::DynamicLibrary::LoadLibraryPermanently(EINC_OPENMP_LIBRARY, &error))
    return createStringError("cannot load OpenMP's runtime: " + error);
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  Expected<std::unique_ptr<orc::LLJIT>> jit = orc::LLJITBuilder().create();
  if (!jit)
    return jit.takeError();
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
