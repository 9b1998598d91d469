//===- LookedUpLogs.cpp - Logarithms by registers -------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The logarithm of x = 2^e m is that of 2^e, that of 1 / c and that of m c,
// which is next to one. c is one of the numbers of a register, next to the
// inverse of a multiple of 1/8 (f32: 1/16), and so is the logarithm of its
// inverse (Tang, "Table-Driven Implementation of the Logarithm Function in IEEE
// Floating-Point Arithmetic", ACM Transactions on Mathematical Software 16,
// 1990). So there is no division, and the polynomial is a short one. Of
// thousands of numbers next to an inverse, c is the one whose logarithm is
// rounded by least, as that of m c may take half of it away. The polynomials
// are fitted by least squares in 160 bits, the leading coefficients rounded
// first.
//
//===----------------------------------------------------------------------===//

#include "passes/llvm/math/MachineMath.h"
#include "passes/llvm/math/WideFormulas.h"
#include "passes/llvm/math/WideParts.h"

using namespace mlir;

namespace ein {

static constexpr double kSingleInversesE[] = {1,
                                              0x1.e20c6cp-1,
                                              0x1.c6cc86p-1,
                                              0x1.af44dap-1,
                                              0x1.99bcb4p-1,
                                              0x1.865a9cp-1,
                                              0x1.74acaap-1,
                                              0x1.63dafep-1,
                                              0x1.5913f8p-1,
                                              0,
                                              0,
                                              0,
                                              0x1.4e1206p+0,
                                              0x1.3b20ccp+0,
                                              0x1.246d98p+0,
                                              0x1.1123a2p+0};
static constexpr double kSingleLogsE[] = {
    0,           0x1.eddp-5,  0x1.e54p-4,  0x1.5f6cp-3,  0x1.c85p-3,
    0x1.15c8p-2, 0x1.453ep-2, 0x1.7488p-2, 0x1.9406p-2,  0,
    0,           0,           -0x1.109p-2, -0x1.a994p-3, -0x1.1078p-3,
    -0x1.097p-4};
static constexpr double kSingleRestE[] = {-0x1.fffff8p-2, 0x1.55554cp-2,
                                          -0x1.00523cp-2, 0x1.9a3624p-3};

static constexpr double kSingleInversesTwo[] = {1,
                                                0x1.e36c8p-1,
                                                0x1.c766a8p-1,
                                                0x1.adcaf6p-1,
                                                0x1.9a1388p-1,
                                                0x1.86390ap-1,
                                                0x1.75d43p-1,
                                                0x1.650acp-1,
                                                0x1.58a282p-1,
                                                0,
                                                0,
                                                0,
                                                0x1.4d0912p+0,
                                                0x1.3af426p+0,
                                                0x1.246a8ap+0,
                                                0x1.11d542p+0};
static constexpr double kSingleLogsTwo[] = {
    0,          0x1.536p-4,  0x1.5a2p-3,   0x1.029p-2,   0x1.47fp-2,
    0x1.914p-2, 0x1.d0a8p-2, 0x1.0a44p-1,  0x1.2464p-1,  0,
    0,          0,           -0x1.84a4p-2, -0x1.322cp-2, -0x1.88f8p-3,
    -0x1.8dfp-4};
static constexpr double kSingleRestTwo[] = {-0x1.71547p-1, 0x1.ec709p-2,
                                            -0x1.71cf0ap-2, 0x1.27e8eep-2};

static constexpr double kSingleInversesTen[] = {1,
                                                0x1.e186dep-1,
                                                0x1.c6d63p-1,
                                                0x1.af93dap-1,
                                                0x1.999da2p-1,
                                                0x1.85cb3ep-1,
                                                0x1.741e8p-1,
                                                0x1.642e16p-1,
                                                0x1.59436p-1,
                                                0,
                                                0,
                                                0,
                                                0x1.4e9858p+0,
                                                0x1.3b4ceap+0,
                                                0x1.24db3p+0,
                                                0x1.10fb3cp+0};
static constexpr double kSingleLogsTen[] = {
    0,           0x1.b4ap-6,  0x1.a53p-5,   0x1.2ff8p-4, 0x1.8cep-4,
    0x1.e51cp-4, 0x1.1bd4p-3, 0x1.42c4p-3,  0x1.5e74p-3, 0,
    0,           0,           -0x1.dc48p-4, -0x1.72ap-4, -0x1.de88p-5,
    -0x1.c9p-6};
static constexpr double kSingleRestTen[] = {-0x1.bcb7aap-3, 0x1.287a6ep-3,
                                            -0x1.bd4a84p-4, 0x1.644ff4p-4};

static constexpr double kWideInversesE[] = {1,
                                            0x1.c74686fb63fd7p-1,
                                            0x1.9a024c4779c08p-1,
                                            0x1.7412fd59fdd01p-1,
                                            0x1.5cd24fbc35658p-1,
                                            0,
                                            0x1.47ccdbf3d1c44p+0,
                                            0x1.24d068209b1a3p+0};
static constexpr double kWideLogsE[] = {0,
                                        0x1.e0f5c98dd8p-4,
                                        0x1.c6f441f07ep-3,
                                        0x1.46e497b3b2p-2,
                                        0x1.88f97c453dp-2,
                                        0,
                                        -0x1.fa521c76c8p-3,
                                        -0x1.132b92e302p-3};
static constexpr double kWideRestE[] = {
    -0.5000000000000036,  0.3333333333333411,   -0.24999999998642833,
    0.19999999997926032,  -0.16666668118404065, 0.14285716096897738,
    -0.12499366432554208, 0.1111041948906569,   -0.10120815081061145,
    0.09210788482425271};

static constexpr double kWideInversesTwo[] = {1,
                                              0x1.c7796e809b715p-1,
                                              0x1.99e4eb3fb2f84p-1,
                                              0x1.73fe5c6cb5887p-1,
                                              0x1.5cc7f9228553fp-1,
                                              0,
                                              0x1.47950710e6779p+0,
                                              0x1.2485689510874p+0};
static constexpr double kWideLogsTwo[] = {0,
                                          0x1.59a631f38cp-3,
                                          0x1.4897f5dab7p-2,
                                          0x1.d7ed42f0c6p-2,
                                          0x1.1b8e868a3f8p-1,
                                          0,
                                          -0x1.6c3fffd465p-2,
                                          -0x1.8a077249d8p-3};
static constexpr double kWideRestTwo[] = {
    -0.7213475204444864, 0.4808983469629979,   -0.3606737602041482,
    0.2885390081502508,  -0.24044919321014277, 0.20609931611608795,
    -0.1803280988991242, 0.16028987413256857,  -0.14597771228356593,
    0.13284825541151038};

static constexpr double kWideInversesTen[] = {1,
                                              0x1.c6fc9602b72f3p-1,
                                              0x1.99b371a70dacdp-1,
                                              0x1.741bb635ec098p-1,
                                              0x1.5caff89272e32p-1,
                                              0,
                                              0x1.4767c1d8c1c9cp+0,
                                              0x1.2449f443a53dap+0};
static constexpr double kWideLogsTen[] = {0,
                                          0x1.a403b22e18p-5,
                                          0x1.8c8149ec04p-4,
                                          0x1.1bdaaa1d94p-3,
                                          0x1.55aceb4e9ep-3,
                                          0,
                                          -0x1.b5a3e18c94p-4,
                                          -0x1.d7a1eee048p-5};
static constexpr double kWideRestTen[] = {
    -0.21714724095162746,  0.1447648273010873,   -0.10857362046990592,
    0.08685889637164566,   -0.07238241996399337, 0.062042076709133163,
    -0.054284056457373185, 0.048251938523603266, -0.04395433752693817,
    0.040001981392108935};

namespace {
/// The numbers c and log(1 / c), of multiples by their last bits, and Q of
/// log(1 + r) = r / ln(base) + r^2 Q(r).
struct LogTable {
  ArrayRef<double> inverses, logs, rest;
};
} // namespace

static LogTable getTable(LogBase::Number base, bool isSingle) {
  switch (base) {
  case LogBase::E:
    return isSingle ? LogTable{kSingleInversesE, kSingleLogsE, kSingleRestE}
                    : LogTable{kWideInversesE, kWideLogsE, kWideRestE};
  case LogBase::Two:
    return isSingle
               ? LogTable{kSingleInversesTwo, kSingleLogsTwo, kSingleRestTwo}
               : LogTable{kWideInversesTwo, kWideLogsTwo, kWideRestTwo};
  case LogBase::Ten:
    return isSingle
               ? LogTable{kSingleInversesTen, kSingleLogsTen, kSingleRestTen}
               : LogTable{kWideInversesTen, kWideLogsTen, kWideRestTen};
  }
  llvm_unreachable("a base");
}

/// c[0] + c[1] r + ..., each step after the one before.
static FormulaValue sumInOrder(ArrayRef<double> coefficients, FormulaValue r) {
  FormulaValue sum = r.literal(coefficients.back());
  for (double coefficient : llvm::reverse(coefficients.drop_back()))
    sum = sum * r + coefficient;
  return sum;
}

std::optional<FormulaValue>
emitLookedUpLog(const VectorInstructions &instructions, FormulaValue x,
                const LogBase &base, std::optional<FormulaValue> added,
                std::optional<FormulaValue> lost) {
  if (!instructions.avx512 || !instructions.fma || !instructions.lookUps ||
      instructions.vectorBits != 512)
    return std::nullopt;
  bool isSingle = getElementTypeOrSelf(x.getType()).isF32();
  LogTable table = getTable(base.number, isSingle);
  // Behind it, units are those of the multiples.
  constexpr double kSingleLarge = 0x1.8p19, kWideLarge = 0x1.8p49;
  FormulaValue m = getSignificand(instructions, x);
  FormulaValue e = getExponent(instructions, x) - getExponent(instructions, m);
  FormulaValue bits = (m + (isSingle ? kSingleLarge : kWideLarge)).getBits();
  auto lookUp = [&](ArrayRef<double> numbers) {
    return isSingle ? lookUpOfSixteen(instructions, numbers, bits)
                    : lookUpInRegister(instructions, numbers, bits);
  };
  FormulaValue inverses = lookUp(table.inverses);
  FormulaValue r = m.fuse(inverses, m.literal(-1));
  // Beside a logarithm of two it does not count.
  if (lost)
    r = (e == 0.0).select(lost->fuse(inverses, r), r);
  FormulaValue logs = lookUp(table.logs), rest = sumInOrder(table.rest, r) * r;
  // Of 0 and infinity e is infinite, and all it is multiplied by is positive.
  std::optional<FormulaValue> low = added;
  if (base.twoLow != 0) {
    FormulaValue part = e * base.twoLow;
    low = low ? part + *low : part;
  }
  bool isNatural = base.number == LogBase::E;
  if (!isNatural)
    rest = rest + base.inverseLow;
  rest = low ? rest * r + *low : rest * r;
  FormulaValue sum =
      isNatural ? rest + r : r.fuse(r.literal(base.inverseHigh), rest);
  return sum + (base.twoHigh == 1 ? e + logs : e * base.twoHigh + logs);
}

} // namespace ein
