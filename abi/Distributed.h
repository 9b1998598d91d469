//===- Distributed.h - A program for many ranks -----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a program that is compiled with --distribute is, beside its kernels: the
// statements in order, and which part of each array a part of a statement's
// index space reads and writes. It travels as text, like a signature, so that
// grids are chosen when the number of ranks and the sizes are known.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_ABI_DISTRIBUTED_H
#define EIN_ABI_DISTRIBUTED_H

#include "abi/Signature.h"
#include <optional>

namespace ein::runtime {

/// Of an array: constant + sum of coefficient * loop, the coefficients above 0,
/// and so many elements behind that.
struct Subscript {
  std::vector<std::pair<unsigned, int64_t>> terms;
  int64_t constant = 0;
  int64_t extra = 0;
  /// All of the dim.
  bool isWhole = false;
  /// It is one loop, and nothing else.
  bool isLone() const {
    return terms.size() == 1 && terms[0].second == 1 && constant == 0 &&
           extra == 0;
  }
};

/// `array` counts the signature's arguments, then the temporaries.
struct Access {
  unsigned array = 0;
  std::vector<Subscript> subscripts;
};

/// What joins the parts of a reduction.
enum class Combiner : uint8_t {
  None,
  Add,
  Mul,
  Min,
  Max,
  And,
  Or,
  Xor,
  /// The first that is not zero: codes.
  First
};

enum class LoopKind : uint8_t {
  Parallel,
  /// Its parts can be computed apart and combined.
  Reduction,
  /// It has to be done as a whole.
  Whole,
  /// A label inside of slices, by which ranks may share one. Not all that a
  /// slice computes has it.
  Inner
};

struct DistributedLoop {
  Dim extent;
  LoopKind kind = LoopKind::Parallel;
};

/// What is in the elements that a statement writes before it begins.
enum class StartKind : uint8_t { Nothing, Bits, Array };

/// One kernel. Its arguments are what is read, then what is written; its sizes
/// the extents of the loops, where each begins, and the program's sizes. What
/// it takes of each array is the box that its part of the loops reaches.
struct DistributedStatement {
  unsigned kernel = 0;
  std::vector<DistributedLoop> loops;
  std::vector<Access> reads;
  Access write;
  Combiner combiner = Combiner::None;
  /// Its loops go through the slices of a network, row-major, and each slice is
  /// added to what there is.
  bool isSliced = false;
  StartKind start = StartKind::Nothing;
  /// Of Bits: an element.
  std::vector<uint8_t> startBits;
  /// Of Array: its number. It has the shape of what is written.
  unsigned startArray = 0;
};

/// What has to hold of the sizes, unless an array that it is about is empty.
struct DistributedCheck {
  /// Else an index is out of range.
  bool isOfShapes = true;
  /// The value is zero, or not negative.
  bool isEqual = false;
  Dim value;
  std::vector<Dim> unlessEmpty;
};

/// What ranks take for operations, bytes and messages, and how much slower than
/// it has to be what is looked at: as `distribute::Network` has it.
struct DistributedNetwork {
  double flops, bytes, latency, slack;
};

struct DistributedProgram {
  Signature signature;
  std::vector<DistributedCheck> checks;
  /// Their dims are over the signature's symbols.
  std::vector<Argument> temporaries;
  std::vector<DistributedStatement> statements;
  /// Arguments, and the arrays that they are in the end.
  std::vector<std::pair<unsigned, unsigned>> results;
  /// The array whose only element, of type i32, is the code of what kernels
  /// have checked.
  std::optional<unsigned> status;
  /// How many ranks there have to be; 0: any number.
  int64_t ranks = 0;
  /// By loop of the only contraction, in how many parts it is cut; empty: as is
  /// best.
  std::vector<int64_t> grid;
  /// What a rank may take; 0: any amount.
  int64_t maxMemoryBytes = 0;
  /// What grids are chosen for; none: the planner's own numbers.
  std::optional<DistributedNetwork> network;

  const Argument &getArray(unsigned number) const {
    size_t count = signature.arguments.size();
    return number < count ? signature.arguments[number]
                          : temporaries[number - count];
  }
  /// Every rank has its value.
  bool isScalar(unsigned number) const {
    return number < signature.arguments.size() &&
           signature.arguments[number].isScalarInput();
  }
  size_t getNumArrays() const {
    return signature.arguments.size() + temporaries.size();
  }
};

/// Lines of text, and back. `parse` returns false on text that `print` cannot
/// have written.
std::string print(const DistributedProgram &program);
bool parse(const std::string &text, DistributedProgram &program);

/// What an object holds for each of its distributed functions.
struct DistributedRecord {
  const char *text;
  const PackedFunction *kernels;
};

} // namespace ein::runtime

#endif // EIN_ABI_DISTRIBUTED_H
