//===- Call.h - Calling a compiled entry on arrays --------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An entry knows its arguments as bare pointers in a fixed order. An
// Invocation holds the arrays behind them and makes sure, before the call,
// that they are what the code will take them for:
//
//   Invocation call(signature);
//   call.setInput("A", std::move(a), error)      // for each input
//     && call.bind(bindings, error)              // all sizes known from here
//     && call.fillMissing(seed, error)           // optional: random inputs
//     && call.run(function, error);
//   call.getArray(call.find("C"));
//
// Every step returns false and one line of text when it fails.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_RUNTIME_CALL_H
#define EIN_RUNTIME_CALL_H

#include "abi/Codes.h"
#include "runtime/Bind.h"
#include <optional>

namespace ein::runtime {

/// Reads a scalar argument's value: a decimal or hexadecimal number, `inf` or
/// `nan`, rounded once to `type`, as an array of rank 0; a complex one as
/// Python writes it, `1.5-2j`. False if the text is anything else or too large
/// for the type.
bool parseScalar(const std::string &text, DType type, Array &scalar);

/// Seconds per call, over at least three measurements.
struct Timing {
  double median = 0;
  double minimum = 0;
  int64_t calls = 0;
};

class Invocation {
public:
  explicit Invocation(Signature signature);

  const Signature &getSignature() const { return signature; }
  const std::vector<int64_t> &getSizes() const { return sizes; }
  /// The argument's position in Signature::arguments.
  std::optional<size_t> find(const std::string &name) const;
  const Array &getArray(size_t position) const { return arrays[position]; }
  Array &getArray(size_t position) { return arrays[position]; }

  /// Gives an argument that is read its contents; a scalar is an array of rank
  /// 0. That type and shape fit is checked by `bind`.
  bool setInput(const std::string &name, Array array, std::string &error);
  bool isGiven(size_t position) const { return given[position]; }

  /// Solves for the sizes; see bindSizes.
  bool bind(const Bindings &bindings, std::string &error,
            BindFault *fault = nullptr);

  /// After `bind`: random contents for every argument that is read and was not
  /// given; fillRandom's `argument` is the position.
  bool fillMissing(uint64_t seed, std::string &error);

  /// After `bind`: allocates the outputs and calls once. Elements that the
  /// code does not write are NaN. False with the text of a code other than Ok.
  bool run(PackedFunction function, std::string &error);
  int32_t getCode() const { return code; }
  /// How long the last `run`'s call took.
  double getSeconds() const { return seconds; }

  /// As `run`, but again and again for at least `minimumSeconds`. Arguments
  /// that are read and written get their contents back before every call, and
  /// at the end.
  bool measure(PackedFunction function, double minimumSeconds, Timing &timing,
               std::string &error);

private:
  bool allocateOutputs(std::string &error);
  /// Calls `count` times; false at the first code other than Ok.
  bool callTimes(PackedFunction function, int64_t count, std::string &error);

  Signature signature;
  std::vector<Array> arrays;
  std::vector<bool> given;
  std::vector<int64_t> sizes;
  int32_t code = 0;
  double seconds = 0;
};

} // namespace ein::runtime

#endif // EIN_RUNTIME_CALL_H
