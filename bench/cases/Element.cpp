//===- Element.cpp - The types of elements that are timed -----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/cases/Element.h"
#include "runtime/Half.h"

namespace ein::bench {
namespace {

struct Facts {
  Element element;
  const char *name;
  int64_t bytes;
  double tolerance;
};

constexpr Facts allFacts[] = {
    {Element::F32, "f32", 4, 1e-4}, {Element::F64, "f64", 8, 1e-12},
    {Element::C64, "c64", 8, 1e-4}, {Element::C128, "c128", 16, 1e-12},
    {Element::F16, "f16", 2, 2e-3}, {Element::BF16, "bf16", 2, 1.6e-2},
    {Element::I8, "i8", 1, 0},      {Element::U8, "u8", 1, 0},
    {Element::I32, "i32", 4, 0},
};

const Facts &getFacts(Element element) {
  for (const Facts &facts : allFacts)
    if (facts.element == element)
      return facts;
  return allFacts[0];
}

template <typename T> T get(const void *data, int64_t i) {
  return static_cast<const T *>(data)[i];
}

} // namespace

int64_t getBytes(Element element) { return getFacts(element).bytes; }
const char *getName(Element element) { return getFacts(element).name; }
double getTolerance(Element element) { return getFacts(element).tolerance; }

std::optional<Element> parseElement(const std::string &name) {
  for (const Facts &facts : allFacts)
    if (name == facts.name)
      return facts.element;
  return std::nullopt;
}

bool isComplex(Element element) {
  return element == Element::C64 || element == Element::C128;
}

bool isInteger(Element element) {
  return element == Element::I8 || element == Element::U8 ||
         element == Element::I32;
}

std::complex<double> load(Element element, const void *data, int64_t i) {
  switch (element) {
  case Element::F32:
    return get<float>(data, i);
  case Element::F64:
    return get<double>(data, i);
  case Element::C64:
    return get<std::complex<float>>(data, i);
  case Element::C128:
    return get<std::complex<double>>(data, i);
  case Element::F16:
    return runtime::fromFloat16(get<uint16_t>(data, i));
  case Element::BF16:
    return runtime::fromBFloat16(get<uint16_t>(data, i));
  case Element::I8:
    return get<int8_t>(data, i);
  case Element::U8:
    return get<uint8_t>(data, i);
  case Element::I32:
    return get<int32_t>(data, i);
  }
  return 0;
}

void fill(Element element, void *data, int64_t count, std::mt19937 &random) {
  std::uniform_real_distribution<double> distribution(-1, 1);
  if (isComplex(element))
    count *= 2;
  for (int64_t i = 0; i < count; ++i) {
    double value = distribution(random);
    switch (element) {
    case Element::F32:
    case Element::C64:
      static_cast<float *>(data)[i] = value;
      break;
    case Element::F64:
    case Element::C128:
      static_cast<double *>(data)[i] = value;
      break;
    case Element::F16:
      static_cast<uint16_t *>(data)[i] = runtime::toFloat16(value);
      break;
    case Element::BF16:
      static_cast<uint16_t *>(data)[i] = runtime::toBFloat16(value);
      break;
    case Element::I8:
    case Element::U8:
      static_cast<uint8_t *>(data)[i] = static_cast<uint8_t>(random());
      break;
    case Element::I32:
      static_cast<int32_t *>(data)[i] = static_cast<int32_t>(1000 * value);
      break;
    }
  }
}

} // namespace ein::bench
