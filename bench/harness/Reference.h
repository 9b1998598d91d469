//===- Reference.h - What the result has to be ------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_BENCH_REFERENCE_H
#define EIN_BENCH_REFERENCE_H

#include "bench/harness/Peer.h"
#include <complex>

namespace ein::bench {

class Reference {
public:
  /// numpy, for programs, needs a place for files.
  Reference(const Problem &problem, const Data &data, const Setup &setup);

  /// The largest difference from the exact result as a fraction of what
  /// rounding may cost at that element; above 1 is wrong.
  double getWorstError(const void *output) const;

private:
  void evaluateEinsum(const Data &data);
  void evaluateProgram(const Data &data, const Setup &setup);

  const Problem &problem;
  std::vector<std::complex<double>> expected;
  std::vector<double> magnitude; // what an error is relative to
  double unit = 0;               // what one of them may be off by
};

} // namespace ein::bench

#endif // EIN_BENCH_REFERENCE_H
