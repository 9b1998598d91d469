//===- Metadata.h - What an artefact says of itself -----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Objects, libraries and executables carry, for each function, a table of its
// arguments and of how it was made. Programs find it by symbol
// (`NAME_metadata()`); tools find the same, as JSON, in a section of its own.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_BACKEND_METADATA_H
#define EIN_BACKEND_METADATA_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class Constant;
class Function;
class Module;
} // namespace llvm

namespace ein {

struct ArgumentMetadata;

/// The kinds of Metadata.def.
namespace metadata {
using Int = int32_t;
using Text = std::string;
using Texts = std::vector<std::string>;
using Arguments = std::vector<ArgumentMetadata>;
} // namespace metadata

// NOLINTBEGIN(readability-identifier-naming): the fields of C's structs.
struct ArgumentMetadata {
#define EIN_ARGUMENT_FIELD(KIND, NAME, TEXT) metadata::KIND NAME = {};
#include "backend/Metadata.def"
};

struct FunctionMetadata {
#define EIN_METADATA_FIELD(KIND, NAME, TEXT) metadata::KIND NAME = {};
#include "backend/Metadata.def"
};
// NOLINTEND(readability-identifier-naming)

inline constexpr int32_t kMetadataVersion = 2;

/// Adds `NAME_metadata` for each function, and all of it as JSON in a section
/// that `readMetadata` finds.
void addMetadata(llvm::Module &module,
                 llvm::ArrayRef<FunctionMetadata> functions);

/// Adds what an executable answers to `--version`: `__ein_version`.
void addVersion(llvm::Module &module, llvm::StringRef text);

/// Adds what an executable's main reads of its CPUs: `__ein_cpus` of
/// abi/Signature.h. One for a single CPU has neither names nor a function.
void addCpuTable(llvm::Module &module, llvm::ArrayRef<llvm::Constant *> names,
                 llvm::Function *getRunnable);

/// The lines of JSON, one per function, that the objects of `path` carry: an
/// object, a library of either kind or an executable. Nothing if einc made none
/// of them; an error if the file is none of these.
llvm::Expected<std::vector<std::string>> readMetadata(llvm::StringRef path);

} // namespace ein

#endif // EIN_BACKEND_METADATA_H
