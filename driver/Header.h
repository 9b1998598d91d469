//===- Header.h - What the C and the C++ header share -----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DRIVER_HEADER_H
#define EIN_DRIVER_HEADER_H

#include "abi/Signature.h"
#include "driver/Compiler.h"
#include "llvm/Support/raw_ostream.h"

namespace ein {

bool isReservedWord(llvm::StringRef name);

/// The C functions that a def is made into, beside the one of its name.
inline std::string getViewName(llvm::StringRef def) {
  return (def + "_view").str();
}
inline std::string getDescriptorEntryName(llvm::StringRef def) {
  return ("_mlir_ciface_" + def).str();
}

/// `ein_f32_2d`.
std::string getViewType(const Tensor &tensor);
/// A parameter's name in C; those that C reserves get an underscore.
std::string getParameterName(llvm::StringRef name);
/// The sizes that the view entry takes as parameters.
std::vector<std::string> getViewSizes(const Def &def);

/// The lines of that comment about the CPUs that code chooses from; none if it
/// does not. `prefix` begins each.
void emitCpus(llvm::raw_ostream &os, llvm::ArrayRef<TestedCpu> cpus,
              llvm::StringRef prefix);

/// The includes, the codes, the types and the functions, after the comment that
/// begins a header. `source` is what the program's file is called.
/// `mpi` is whose MPI the functions are for; empty: for one machine.
void emitDeclarations(llvm::raw_ostream &os, const Program &program,
                      llvm::StringRef source, llvm::StringRef mpi = "");

} // namespace ein

#endif // EIN_DRIVER_HEADER_H
