//===- HeldSignals.h - Files are whole before a signal ends us -*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_RUNTIME_HELDSIGNALS_H
#define EIN_RUNTIME_HELDSIGNALS_H

namespace ein::runtime {

/// While one of these lives, the first SIGHUP, SIGINT or SIGTERM waits; it ends
/// the process with the last of them, when files are gone. A second one ends it
/// at once, for what is written may hang. Signals that are ignored or handled
/// stay so, and programs that are started know nothing of this. Several threads
/// may have some.
class HeldSignals {
public:
  HeldSignals();
  ~HeldSignals();
  /// Whether one waits: what is being made is not wanted any more.
  bool isWaiting() const;
  HeldSignals(const HeldSignals &) = delete;
  HeldSignals &operator=(const HeldSignals &) = delete;
};

} // namespace ein::runtime

#endif // EIN_RUNTIME_HELDSIGNALS_H
