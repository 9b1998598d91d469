//===- PathFile.h - Orders of contraction from a file -----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DRIVER_PATHFILE_H
#define EIN_DRIVER_PATHFILE_H

#include "frontend/program/Program.h"
#include "frontend/source/Diagnostics.h"
#include <string>

namespace ein {

/// Writes the orders that the file `name` has to the statements that they are
/// for. What is wrong with the file is reported; that it cannot be read, to
/// standard error.
llvm::LogicalResult readPathFile(const std::string &name, Program &program,
                                 Sources &sources, DiagnosticEngine &diags);

} // namespace ein

#endif // EIN_DRIVER_PATHFILE_H
