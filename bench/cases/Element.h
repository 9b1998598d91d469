//===- Element.h - The types of elements that are timed ---------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_BENCH_ELEMENT_H
#define EIN_BENCH_ELEMENT_H

#include <complex>
#include <cstdint>
#include <optional>
#include <random>
#include <string>

namespace ein::bench {

enum class Element { F32, F64, C64, C128, F16, BF16, I8, U8, I32 };

int64_t getBytes(Element element);
/// As programs spell it.
const char *getName(Element element);
std::optional<Element> parseElement(const std::string &name);

bool isComplex(Element element);
bool isInteger(Element element);

/// The part of itself, and of the root of the mean square of all, by which an
/// element of a program may be off; of integers, 0.
double getTolerance(Element element);

/// Element `i` of an array.
std::complex<double> load(Element element, const void *data, int64_t i);
/// `count` numbers in [-1, 1), or any of the integers.
void fill(Element element, void *data, int64_t count, std::mt19937 &random);

} // namespace ein::bench

#endif // EIN_BENCH_ELEMENT_H
