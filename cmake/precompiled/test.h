//===- test.h - What tests include ----------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A precompiled header (cmake/EinLibrary.cmake). The compiler reads it before
// every file of the libraries that use it; a file still includes what it uses.
//
//===----------------------------------------------------------------------===//

#include "cmake/precompiled/llvm.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>
