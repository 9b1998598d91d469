//===- Backend.h - From the llvm dialect to machine code ----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The last stages, each a function from one named thing to the next. Object
// files and the JIT go through the same translate, optimize and emitObject, so
// what `einc run` computes is what an executable computes.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_BACKEND_BACKEND_H
#define EIN_BACKEND_BACKEND_H

#include "abi/Signature.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
} // namespace llvm
namespace mlir {
class ModuleOp;
} // namespace mlir

namespace ein {
struct TargetInfo;

/// Has LLVM know all of its targets; what needs one does it itself. LLVM's own
/// lists may not be written while another thread reads them, so who compiles in
/// several does it first.
void initializeTargets();

/// The machine to make code for; the error says which name LLVM does not know.
/// `optLevel` is 0 to 3.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(const TargetInfo &target, unsigned optLevel);

/// A module in the llvm dialect as LLVM IR, with the target's triple and data
/// layout, and its CPU on every function. Emits an error and returns null if an
/// op has no translation.
std::unique_ptr<llvm::Module> translate(mlir::ModuleOp module,
                                        llvm::LLVMContext &context,
                                        llvm::TargetMachine &machine,
                                        const TargetInfo &target);

/// Gives a module the target's triple and data layout, and its functions the
/// CPU they are for; `translate` does.
void setTarget(llvm::Module &module, llvm::TargetMachine &machine,
               const TargetInfo &target);

/// LLVM's default pipeline for the level, StreamPointers.h and ScalableForms.h.
void optimize(llvm::Module &module, llvm::TargetMachine &machine,
              unsigned optLevel);

/// The module as an object file or as assembly text. The module is consumed:
/// code generation changes it.
llvm::Expected<llvm::SmallVector<char, 0>>
emitObject(llvm::Module &module, llvm::TargetMachine &machine);
llvm::Expected<llvm::SmallVector<char, 0>>
emitAssembly(llvm::Module &module, llvm::TargetMachine &machine);

/// Whether the code calls OpenMP's runtime, and has to be linked with it.
bool usesThreads(const llvm::Module &module);

/// Among the libraries to link: BLAS, whichever the system has.
inline constexpr char kBlasFlag[] = "-lblas";

/// Links an object with the runtime's libraries, found in `runtimeDir` or its
/// directory `einc`, and with `libraries` (files, or kBlasFlag) to an
/// executable, by the system's C++ compiler driver.
llvm::Error linkExecutable(llvm::ArrayRef<char> object, bool usesThreads,
                           llvm::StringRef runtimeDir, llvm::StringRef output,
                           llvm::ArrayRef<std::string> libraries = {});

/// What functions for many ranks need: the runtime's library for `mpi`, and
/// that library; an error if einc was built without it. For an executable its
/// main too.
llvm::Expected<std::vector<std::string>>
findRanksLibraries(llvm::StringRef mpi, llvm::StringRef runtimeDir,
                   bool isExecutable);
/// Links an object with these, and with `libraries`, to an executable.
llvm::Error linkRanksExecutable(llvm::ArrayRef<char> object, bool usesThreads,
                                llvm::ArrayRef<std::string> ranksLibraries,
                                llvm::StringRef output,
                                llvm::ArrayRef<std::string> libraries);

/// Links an object to a shared library, which needs libm and `libraries` at
/// most, and OpenMP's runtime if it uses threads.
llvm::Error linkShared(llvm::ArrayRef<char> object, bool usesThreads,
                       llvm::StringRef output,
                       llvm::ArrayRef<std::string> libraries = {});

/// The bytes of a static library whose one member is the object `name`. The
/// same object gives the same bytes.
llvm::Expected<llvm::SmallVector<char, 0>> archive(llvm::ArrayRef<char> object,
                                                   llvm::StringRef name);

/// Code loaded into this process.
class LoadedCode {
public:
  ~LoadedCode();
  LoadedCode(LoadedCode &&);

  /// Loads an object file made for the host, `libraries` (objects, static or
  /// shared libraries, or kBlasFlag) that define what it calls, and OpenMP's
  /// runtime if it uses threads.
  static llvm::Expected<LoadedCode>
  load(llvm::SmallVector<char, 0> object, bool usesThreads,
       llvm::ArrayRef<std::string> libraries = {});
  /// The address of a function; an error if there is none of that name.
  llvm::Expected<void *> lookup(llvm::StringRef name);

private:
  struct State;
  explicit LoadedCode(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

} // namespace ein

#endif // EIN_BACKEND_BACKEND_H
