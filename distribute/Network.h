//===- Network.h - How long ranks take for what -----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DISTRIBUTE_NETWORK_H
#define EIN_DISTRIBUTE_NETWORK_H

namespace ein::distribute {

/// A machine of many, by what one rank sees of it.
struct Network {
  /// Operations a second of a rank's own code.
  double flops = 5e10;
  /// Bytes a second that a rank sends while it receives as many.
  double bytes = 1e9;
  /// Seconds that a message takes whatever its size.
  double latency = 2e-6;
  /// How much longer than it has to the busiest rank may compute, and how much
  /// longer than the fastest grid one may take that moves less: 0.05 is a
  /// twentieth.
  double slack = 0.05;
};

} // namespace ein::distribute

#endif // EIN_DISTRIBUTE_NETWORK_H
