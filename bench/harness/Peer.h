//===- Peer.h - Who can be timed --------------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A peer is a shared object that exports `createPeer`. It is loaded with its
// symbols to itself, because two BLAS libraries in one process have the same
// names, and may be compiled with flags of its own. What is not installed, or
// cannot be loaded, is not there, and the run says so.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_BENCH_PEER_H
#define EIN_BENCH_PEER_H

#include "bench/cases/Problem.h"
#include <memory>

namespace ein::bench {

/// Where the arrays of a problem are. All contestants read the same inputs and
/// write the same output.
struct Data {
  std::vector<const void *> inputs;
  void *output = nullptr;

  /// The inputs and then the output, as compiled code takes them.
  std::vector<void *> getArrays() const {
    std::vector<void *> arrays;
    for (const void *input : inputs)
      arrays.push_back(const_cast<void *>(input));
    arrays.push_back(output);
    return arrays;
  }
};

class GemmLibrary; // Contraction.h

/// One peer and one problem, ready to run.
class Contestant {
public:
  virtual ~Contestant() = default;
  /// Computes the output that many times. Returns the seconds that it took,
  /// or a negative number if it failed.
  virtual double run(int64_t repetitions) = 0;
  /// What was chosen, if there was a choice.
  virtual std::string describe() const { return ""; }
  /// Seconds that a compiler took to make an object, 0 if that is not known.
  virtual double getCompileSeconds() const { return 0; }
};

/// A contestant that is a loop, timed from outside.
class TimedLoop : public Contestant {
public:
  double run(int64_t repetitions) final;

protected:
  /// Returns false if it failed.
  virtual bool runAll(int64_t repetitions) = 0;
};

struct Setup {
  std::string directory; // for files, which exists
  std::string einc;      // the compiler's path
  std::string worker;    // numpy's half
  std::string programs;  // the directory of the programs
  int threads = 1;
  Isa isa = Isa::Native;
  bool isCheck = false;  // only results count, so compile quickly
  int tuningSeconds = 0; // 0: no contestant is tuned
  /// The products of the peers that were loaded before, by the peers' names.
  std::vector<std::pair<std::string, GemmLibrary *>> libraries = {};

  /// What compilers are told: a name that einc, Clang and GCC know.
  std::string getCpu() const;
  bool hasAvx512() const;
};

/// The contestant that einc makes of what it has measured.
constexpr const char *tunedName = "einc, tuned";

class Peer {
public:
  virtual ~Peer() = default;
  virtual std::string getName() const = 0;
  /// Version, and the instruction set it uses.
  virtual std::string describe() const = 0;
  /// Whether Debian packages it.
  virtual bool isPackaged() const { return true; }
  /// Values of an environment variable, `NAME=VALUE`, that select what code it
  /// runs. Whichever is fastest is taken; they are read when it is loaded.
  virtual std::vector<std::string> getSettings() const { return {}; }
  /// For peers that are made of others' products; null if there is none.
  virtual GemmLibrary *getGemmLibrary() { return nullptr; }
  /// Null, and why, if this peer cannot do it.
  virtual std::unique_ptr<Contestant>
  prepare(const Problem &problem, const Data &data, std::string &why) = 0;
};

} // namespace ein::bench

/// What a peer's shared object exports; null if it does not work here.
extern "C" ein::bench::Peer *createPeer(const ein::bench::Setup &setup);

#endif // EIN_BENCH_PEER_H
