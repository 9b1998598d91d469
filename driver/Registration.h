//===- Registration.h - Every dialect and extension ---------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DRIVER_REGISTRATION_H
#define EIN_DRIVER_REGISTRATION_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace ein {

/// All dialects that a pipeline may meet, with their interfaces' external
/// models and translations to LLVM IR. Nothing is loaded yet.
void registerDialects(mlir::DialectRegistry &registry);

/// MLIR's passes and ours, by name, for `ein-opt`.
void registerPassesForOpt();

} // namespace ein

#endif // EIN_DRIVER_REGISTRATION_H
