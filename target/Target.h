//===- Target.h - What is known about machines ------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The machine numbers that tiling decisions rest on: vectors, registers,
// caches, and the micro-kernel and blocking of a matrix product that follow
// from them. They live here and in no pass.
//
// What code is made of is decided on the instruction set's features: a CPU's
// name can be wrong under virtualisation. How long it takes is the machine
// model's, which LLVM's name of the CPU chooses. Neither is ever asked of the
// machine that compiles, so that the same flags give the same bytes.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_TARGET_TARGET_H
#define EIN_TARGET_TARGET_H

#include "abi/ComplexArguments.h"
#include "abi/StackBytes.h"
#include "target/MachineModel.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ein {

struct TargetInfo {
  /// What LLVM's TargetMachine is to be made for.
  std::string triple;   // normalised
  std::string cpu;      // an LLVM name
  std::string features; // "+x,-y", on top of what `cpu` implies

  /// Width of a vector register, and how many there are.
  unsigned vectorBits = 128;
  unsigned vectorRegisters = 16;
  /// Arm: the length of SVE's vectors that the code relies on, and that the
  /// machine has to have; 0 where any will do, or there are none.
  unsigned sveBits = 0;
  /// acc = acc + a * b is one instruction and rounds once.
  bool fma = false;
  /// The instructions for sums of products of narrow numbers, on vectors of
  /// `vectorBits`: their numbers in the table of DotProducts.h.
  std::vector<unsigned> dotProducts;
  /// f16 is converted to and from f32 by instructions.
  bool halfConversions = false;
  /// f16 is added, multiplied, divided and so on by instructions, in vectors.
  bool halfArithmetic = false;
  /// Whether it rounds f32 to bf16, but what is subnormal to zero, and has a
  /// test for that (VCVTNEPS2BF16 and VFPCLASSPS).
  bool halfRounding = false;
  /// Loads and stores of a part of a vector cost as much as those of a whole.
  bool maskedOps = false;
  /// So do those of elements of 8 and 16 bits.
  bool maskedNarrowOps = false;
  ComplexConvention complexConvention = ComplexConvention::Unknown;
  /// The larger of two floats, with NaN and signs of zeros as IEEE 754's
  /// `maximum` has them, is one instruction.
  bool exactMaxima = false;

  /// How long it takes for what: that of the CPU, of the features if no model
  /// is of the CPU, or the user's (`useMachine`).
  MachineModel machine;

  /// The data caches that blocks are made for, as one thread sees them: L1 and
  /// L2 are its own, the last level is what it can use while the others are
  /// idle. None is 0. They are those of the model for the features
  /// (`blockModel`), and not of the CPU's own: cuts that they decide were
  /// measured so (docs/decisions/0040-machine-model.md).
  std::string blockModel;
  uint64_t l1Bytes = 0, l2Bytes = 0, l3Bytes = 0;

  /// How many rows of a large array can be read side by side. Rows that lie a
  /// multiple of 4 KiB apart share the 8 or 12 ways of one set of L1.
  unsigned rowStreams = 8;

  /// What the buffers of one thread may take of its stack.
  int64_t privateBytes = kStackBytes;

  /// What is to stay in L2 while as much passes through it.
  int64_t getNearBytes() const { return int64_t(l2Bytes / 2); }
  /// Elements in a vector register, at least 1.
  unsigned getLanes(unsigned elementBits) const;
  /// Whether a part of a vector of such elements is taken for a whole one: if
  /// it costs as much, or if it is to be computed for a long time, with
  /// elements that instructions without mask registers have (VMASKMOV).
  bool hasMasks(unsigned elementBits, bool hasFormulas = false) const {
    constexpr unsigned kWord = 32;
    return elementBits < kWord ? maskedNarrowOps : maskedOps || hasFormulas;
  }
};

/// The tile of C that stays in registers while K runs: `mr` rows of
/// `nrVectors` vectors of `lanes` elements.
struct MicroKernel {
  unsigned mr;
  unsigned nrVectors;
  unsigned lanes;

  unsigned getNr() const { return nrVectors * lanes; }
};

/// The register tile for C of any size. `elementBits` is the accumulator's
/// width.
MicroKernel getMicroKernel(const TargetInfo &target, unsigned elementBits);

/// The register tiles of C: one for all of it but the last columns, fewer than
/// a tile has, and one for these.
struct MicroKernels {
  MicroKernel main;
  std::optional<MicroKernel> edge;
};

/// `rows` and `columns` are the extents of C, none if they are dynamic; `sums`
/// is how many accumulators each element of C has.
MicroKernels getMicroKernels(const TargetInfo &target, unsigned elementBits,
                             std::optional<int64_t> rows,
                             std::optional<int64_t> columns, unsigned sums = 1);
/// All that are possible, those first that should take the least time.
std::vector<MicroKernels> getAllMicroKernels(const TargetInfo &target,
                                             unsigned elementBits,
                                             std::optional<int64_t> rows,
                                             std::optional<int64_t> columns,
                                             unsigned sums);

/// How far the loops round a micro-kernel go between two packings. `mc` is a
/// multiple of MR, `nc` of NR; each is at least one tile and `kc` at least 1.
struct Blocking {
  int64_t mc;
  int64_t nc;
  int64_t kc;
};

/// `elementBits` is the packed operands' width.
Blocking getBlocking(const TargetInfo &target, unsigned elementBits,
                     MicroKernel kernel);

/// The block, at most `block`, that cuts `size` into as few pieces as `block`
/// does but into pieces of about one size: 1024 by 432 is 344 + 344 + 336 and
/// not 432 + 432 + 160. A multiple of `step` if `block` is one.
int64_t getEvenBlock(int64_t size, int64_t block, int64_t step);

/// Facts about the machine named. An empty `triple` is the host's; an empty
/// `cpu` is the architecture's baseline, `native` the host (and then an error
/// for another architecture). The host is taken for the CPU that the
/// environment's EINC_HOST_CPU names, which must run on it: so tests show what
/// another machine would make. The error says which name LLVM does not know.
/// `sveBits` is how long SVE's vectors are, a power of two from kLeastSveBits
/// to kMostSveBits; 0 is the CPU's own length, as far as it is known. It is an
/// error for a CPU without SVE.
llvm::Expected<TargetInfo> getTarget(llvm::StringRef triple,
                                     llvm::StringRef cpu,
                                     llvm::StringRef features,
                                     unsigned sveBits = 0);

/// What Arm's architecture allows.
inline constexpr unsigned kLeastSveBits = 128, kMostSveBits = 2048;

/// Makes a target's code for another machine of the same instructions: prices
/// and caches are the model's.
void useMachine(TargetInfo &target, const MachineModel &machine);

/// The family whose rules describe the machine: `x86`, `generic`.
llvm::StringRef getModelName(const TargetInfo &target);

/// LLVM's names of CPUs for a triple; none for one it does not know.
std::vector<std::string> getCpuNames(llvm::StringRef triple);

/// Name and description of the architectures that LLVM makes code for.
std::vector<std::pair<std::string, std::string>> getCodeGenerators();

/// Whether einc's tests run code for the target: Linux on x86-64 and, by
/// emulation, on AArch64.
bool isTested(const TargetInfo &target);

/// The machine that this process runs on, described by its features.
TargetInfo getHostTarget();

/// Whether code for `target` can be loaded into this process, as far as its
/// triple says.
bool isForHost(const TargetInfo &target);

/// Whether this machine has all instructions that code for `target` may have.
bool runsHere(const TargetInfo &target);
/// A feature that the target has and this machine has not, by LLVM's name;
/// empty if there is none. What no compiled code uses does not count.
std::string findMissingFeature(const TargetInfo &target);

} // namespace ein

#endif // EIN_TARGET_TARGET_H
