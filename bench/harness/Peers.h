//===- Peers.h - Finds and loads the peers ----------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_BENCH_PEERS_H
#define EIN_BENCH_PEERS_H

#include "bench/harness/Peer.h"

namespace ein::bench {

/// Loads the peers below `directory`, but for those in `without`, and those in
/// the files `extra`, each with the
/// environment that makes it fastest, and einc first. Prints who is there, and
/// who is not. Empty if einc is not.
std::vector<std::unique_ptr<Peer>>
loadPeers(const std::string &directory, const std::vector<std::string> &extra,
          const std::vector<std::string> &without, Setup setup);

} // namespace ein::bench

#endif // EIN_BENCH_PEERS_H
