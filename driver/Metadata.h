//===- Metadata.h - What is said of compiled functions --------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DRIVER_METADATA_H
#define EIN_DRIVER_METADATA_H

#include "backend/Metadata.h"
#include "driver/Compiler.h"

namespace ein {

/// What the artefact says of each of its functions.
std::vector<FunctionMetadata>
describeFunctions(llvm::ArrayRef<CompiledEntry> entries, const Sources &file,
                  const CompileOptions &options);

/// The name of the source's file. Where it is says nothing of what is in it.
std::string getSourceName(const Sources &file);

/// What made the function, for which machine, and of what, on one line.
std::string describeVersion(const FunctionMetadata &function);

/// The options that change the code, as they are written on a command line.
std::string printFlags(const CompileOptions &options);

/// `einc 0.1.0`.
llvm::StringRef getVersion();

} // namespace ein

#endif // EIN_DRIVER_METADATA_H
