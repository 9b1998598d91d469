//===- GemmPeer.h - A library that multiplies matrices ----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_BENCH_PEERS_GEMMPEER_H
#define EIN_BENCH_PEERS_GEMMPEER_H

#include "bench/harness/Peer.h"
#include "bench/peers/Contraction.h"

namespace ein::bench {

/// `multiply(a, b, c)` for each product of the batch, as often as that.
template <typename T, typename Multiply>
bool runBatch(const GemmShape &shape, const void *a, const void *b, void *c,
              int64_t repetitions, Multiply multiply) {
  for (int64_t r = 0; r < repetitions; ++r)
    for (int64_t i = 0; i < shape.batch; ++i)
      multiply(static_cast<const T *>(a) + i * shape.a.batch,
               static_cast<const T *>(b) + i * shape.b.batch,
               static_cast<T *>(c) + i * shape.c.batch);
  return true;
}

/// A peer that can do any contraction of several arrays with a library's matrix
/// product, in the fastest way that is found by trying.
class GemmPeer : public Peer {
public:
  std::unique_ptr<Contestant> prepare(const Problem &problem, const Data &data,
                                      std::string &why) override;

  GemmLibrary *getGemmLibrary() override { return &getLibrary(); }

protected:
  virtual GemmLibrary &getLibrary() = 0;
};

} // namespace ein::bench

#endif // EIN_BENCH_PEERS_GEMMPEER_H
