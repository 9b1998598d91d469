//===- Shrink.h - The smallest program that fails alike -------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_TESTS_FUZZ_SHRINK_H
#define EIN_TESTS_FUZZ_SHRINK_H

#include "tests/fuzz/Execute.h"

namespace ein::fuzz {

/// Makes `program`, which gives `verdict`, smaller step by step as long as the
/// kind of failure stays; `verdict` becomes that of the result. No more than
/// `budget` programs are tried.
Program shrink(Program program, Verdict &verdict, unsigned budget,
               unsigned timeout);

} // namespace ein::fuzz

#endif // EIN_TESTS_FUZZ_SHRINK_H
