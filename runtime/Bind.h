//===- Bind.h - Finding the sizes -------------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sizes of a signature are unknowns, and every dim of every array given is
// an equation. Solving that system in general is neither wanted nor needed: a
// user has to be able to see where a size came from. The rules, in order:
//
//  1. `--bind K=V` gives `K`.
//  2. A dim that is a lone symbol gives it; arguments from left to right.
//  3. A compound dim with exactly one symbol left, at a coefficient of one or
//     more, gives the largest integer that fits; repeated until nothing new is
//     found.
//
//  4. A product with exactly one size left gives it, exactly; 3 may go on then.
//
// (2 and 3 are SizeSources.h.) Then every dim of every array given has to be
// what its expression evaluates to. That includes compound dims, although the
// language only wants their accesses in bounds: a contiguous array whose
// extents are not the ones that the code computes its strides from would be
// read askew.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_RUNTIME_BIND_H
#define EIN_RUNTIME_BIND_H

#include "runtime/Array.h"

namespace ein::runtime {

/// Explicit sizes, by name.
using Bindings = std::vector<std::pair<std::string, int64_t>>;

/// Reads `M=64,K=32` and appends it.
bool parseBindings(const std::string &text, Bindings &bindings,
                   std::string &error);

/// Solves for `sizes`, one per Signature::symbols, and checks everything that
/// can be checked before the call: types, ranks and extents of the arrays
/// given, that no size is negative, and that no array's size overflows.
///
/// `arrays` has one entry per Signature::arguments, null where there is no
/// array (yet). Only type and shape are looked at. On failure `fault`, if
/// given, says who has to mend it: the one who wrote the bindings (unknown
/// names, contradictions, sizes that nothing gives) or who made the arrays.
enum class BindFault : uint8_t { Bindings, Arrays };
bool bindSizes(const Signature &signature,
               const std::vector<const Array *> &arrays,
               const Bindings &bindings, std::vector<int64_t> &sizes,
               std::string &error, BindFault *fault = nullptr);

/// The shape of an argument at given sizes; false if an extent is negative or
/// the array's size in bytes overflows, with `error` naming the argument.
bool evaluateShape(const Signature &signature, const Argument &argument,
                   const std::vector<int64_t> &sizes, Shape &shape,
                   std::string &error);

} // namespace ein::runtime

#endif // EIN_RUNTIME_BIND_H
