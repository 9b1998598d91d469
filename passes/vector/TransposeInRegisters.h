//===- TransposeInRegisters.h - Transposes as exchanges of lanes -*- C++ -*-==//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_VECTOR_TRANSPOSEINREGISTERS_H
#define EIN_PASSES_VECTOR_TRANSPOSEINREGISTERS_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"

namespace ein {

/// The longest rows of which `vector.transpose` becomes exchanges. Of longer
/// ones LLVM takes each element out and puts it in, which takes it ten seconds.
constexpr int64_t kLongestRows = 16;

/// Makes columns of `rows`, as many vectors as each has elements, a power of
/// two. An element is `grain` lanes. Rows exchange elements, or parts of 128
/// bits are interleaved, which takes fewer instructions on x86, and none that
/// SVE has.
void transposeSquare(mlir::ImplicitLocOpBuilder &b,
                     llvm::MutableArrayRef<mlir::Value> rows, int64_t grain,
                     bool exchanges);

/// Lowers `vector.transpose` of R x C to C x R, where C is 2, 4, 8 or
/// 16 and R a multiple of it, to shuffles of two rows of C each: log2(C) for
/// each row.
void populateTransposeInRegisters(mlir::RewritePatternSet &patterns,
                                  mlir::PatternBenefit benefit);

} // namespace ein

#endif // EIN_PASSES_VECTOR_TRANSPOSEINREGISTERS_H
