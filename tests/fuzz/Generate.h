//===- Generate.h - Random programs ---------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_TESTS_FUZZ_GENERATE_H
#define EIN_TESTS_FUZZ_GENERATE_H

#include "tests/fuzz/Model.h"

namespace ein::fuzz {

/// A program that the seed alone decides. Most are valid.
Program generate(uint64_t seed);

} // namespace ein::fuzz

#endif // EIN_TESTS_FUZZ_GENERATE_H
