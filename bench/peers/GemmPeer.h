//===- GemmPeer.h - A library that multiplies matrices ----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_BENCH_PEERS_GEMMPEER_H
#define EIN_BENCH_PEERS_GEMMPEER_H

#include "bench/Contraction.h"
#include "bench/Peer.h"

namespace ein::bench {

/// A peer that can do any contraction of several arrays with a library's matrix
/// product, in the fastest way that is found by trying.
class GemmPeer : public Peer {
public:
  std::unique_ptr<Contestant> prepare(const Problem &problem, const Data &data,
                                      std::string &why) override;

protected:
  virtual GemmLibrary &getLibrary() = 0;
};

} // namespace ein::bench

#endif // EIN_BENCH_PEERS_GEMMPEER_H
