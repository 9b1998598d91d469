//===- Signature.h - What a compiled entry takes and gives ------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The description that travels with a compiled entry, so that code which was
// not there at compile time (an executable's main, `einc run`) can call it on
// `.npy` files. This library knows neither LLVM nor the front end: it is linked
// into every executable that einc makes.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_ABI_SIGNATURE_H
#define EIN_ABI_SIGNATURE_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ein::runtime {

enum class DType : uint8_t {
#define EIN_ELEMENT_TYPE(ENUM, SPELLING, CTYPE, KIND, BITS, NPY) ENUM,
#include "abi/ElementTypes.def"
};
enum class DKind : uint8_t { Float, Complex, Signed, Unsigned, Bool };
const char *getSpelling(DType type);
/// As numpy's `dtype` takes it, without a byte order: `f4`.
const char *getNpyName(DType type);
DKind getKind(DType type);
size_t getByteWidth(DType type);

struct Quotient;
struct Minimum;

/// constant + sum of coefficient * size(symbol) + sum of quotients and minima,
/// symbols by position in Signature::symbols.
struct Dim {
  int64_t constant = 0;
  std::vector<std::pair<unsigned, int64_t>> terms;
  std::vector<Quotient> quotients;
  std::vector<Minimum> minima;
  bool isConstant() const;
  /// It is one size, and nothing else.
  bool isLone() const;
  /// Sizes do not follow from it: it is not linear in them.
  bool isComputed() const;
  /// Saturates where the value leaves int64_t.
  int64_t evaluate(const std::vector<int64_t> &sizes) const;
  /// The same, or false where the value leaves int64_t.
  bool evaluate(const std::vector<int64_t> &sizes, int64_t &value) const;
};

/// coefficient * floor(numerator / divisor), the divisor above 0.
struct Quotient {
  Dim numerator;
  int64_t divisor = 1;
  int64_t coefficient = 1;
};

/// coefficient * the least of the values, of which there are two or more.
struct Minimum {
  std::vector<Dim> values;
  int64_t coefficient = 1;
};

enum class Role : uint8_t { Input, Output, InOut };

/// A rank-0 input is a scalar; everything else is a contiguous row-major array.
struct Argument {
  std::string name;
  Role role = Role::Input;
  DType type = DType::F32;
  std::vector<Dim> dims;

  bool isScalarInput() const { return role == Role::Input && dims.empty(); }
  /// The caller provides its contents: an input, or a result that is both.
  bool isRead() const { return role != Role::Output; }
  bool isResult() const { return role != Role::Input; }
};

/// A size that is the product of others: that of a dim of several labels.
struct Product {
  Dim whole;
  std::vector<Dim> factors; // at least one
};

struct Signature {
  std::string name;
  std::vector<Argument> arguments;  // inputs, then outputs, as declared
  std::vector<std::string> symbols; // unbound sizes, by first appearance
  std::vector<Product> products = {};
};

/// One line of text, and back:
///
///   conv<OH, KH>(I: f32(2*OH + KH - 1), W: f32(KH)) -> (O: f32(OH))
///   flat<H, W, N>(A: f32(H, W)) -> (B: f32(N)) where N == (H)*(W)
///
/// The sizes are listed because their order is the interface's, not the
/// reader's. `parse` returns false on text that `print` cannot have written.
std::string print(const Signature &signature);
bool parse(const std::string &text, Signature &signature);

/// Parts of it, for messages: `2*OH + KH - 1`; `(H)*(W)`; `f32(M, K)`.
std::string print(const Dim &dim, const std::vector<std::string> &symbols);
std::string print(const std::vector<Dim> &factors,
                  const std::vector<std::string> &symbols);
std::string printType(const Argument &argument,
                      const std::vector<std::string> &symbols);

/// The uniform way to call an entry: `arguments[i]` points to the i-th
/// argument's first element (to the value itself for a scalar), `sizes[s]` is
/// the value of the s-th symbol. Returns one of the codes in Codes.def.
using PackedFunction = int32_t (*)(void **arguments, const int64_t *sizes);

/// What an executable holds for each of its entries; the array
/// `__ein_entries` ends with a null signature.
struct EntryRecord {
  const char *signature;
  PackedFunction function;
};

/// What an executable holds of the CPUs that it chooses from when it runs,
/// `__ein_cpus`; one for a single CPU names none.
struct CpuTable {
  /// From the oldest to the most capable, then null.
  const char *const *names;
  /// A bit for each that this machine runs.
  uint64_t (*getRunnable)();
};

/// The environment's variable that names one of them.
inline constexpr char kCpuVariable[] = "EINC_CPU";

} // namespace ein::runtime

#endif // EIN_ABI_SIGNATURE_H
