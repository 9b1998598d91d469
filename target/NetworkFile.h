//===- NetworkFile.h - What a file says of many machines --------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A machine of many has few numbers, and no table: clusters differ more than
// CPUs. A user's file is of the form of machine files (MachineModel.h).
//
//===----------------------------------------------------------------------===//

#ifndef EIN_TARGET_NETWORKFILE_H
#define EIN_TARGET_NETWORKFILE_H

#include "distribute/Network.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace ein {

/// Reads the text form. Every key is there once. Else a MachineError, which
/// says where.
llvm::Expected<distribute::Network> readNetwork(llvm::StringRef text);

/// The text form, which reads back as the same numbers.
std::string printNetwork(const distribute::Network &network);

} // namespace ein

#endif // EIN_TARGET_NETWORKFILE_H
