//===- Peak.cpp - How fast this machine multiplies and adds ---------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A core reaches its peak when each multiply-add is independent of those still
// in flight. So there are as many chains as hide their latencies and stay in
// registers.
//
//===----------------------------------------------------------------------===//

#include "backend/Peak.h"
#include "backend/MachineKernels.h"
#include "target/Target.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <chrono>

using namespace llvm;

namespace ein {

/// x * factor + summand, chain by chain, `rounds` times.
static std::string writeKernel(const TargetInfo &target, unsigned elementBits,
                               unsigned numChains) {
  StringRef scalar = elementBits == 64 ? "double" : "float";
  std::string vector =
      formatv("<{0} x {1}>", target.getLanes(elementBits), scalar);
  std::string text;
  raw_string_ostream os(text);
  os << "define double @peak(i64 %rounds, double %factor, double %summand) {\n"
        "entry:\n";
  auto splat = [&](StringRef name) {
    std::string narrow = ("%" + name).str();
    if (elementBits == 32) {
      os << formatv("  %{0}.f = fptrunc double %{0} to float\n", name);
      narrow += ".f";
    }
    os << formatv("  %{0}.1 = insertelement {1} poison, {2} {3}, i32 0\n"
                  "  %{0}.v = shufflevector {1} %{0}.1, {1} poison, <{4} x "
                  "i32> zeroinitializer\n",
                  name, vector, scalar, narrow, target.getLanes(elementBits));
  };
  splat("factor");
  splat("summand");
  // The chains start apart, or they would be one.
  os << formatv("  %start0 = fadd {0} %factor.v, %summand.v\n", vector);
  for (unsigned i = 1; i < numChains; ++i)
    os << formatv("  %start{1} = fadd {0} %start{2}, %summand.v\n", vector, i,
                  i - 1);
  os << "  br label %loop\nloop:\n"
        "  %i = phi i64 [0, %entry], [%next, %loop]\n";
  for (unsigned i = 0; i < numChains; ++i)
    os << formatv("  %x{1} = phi {0} [%start{1}, %entry], [%y{1}, %loop]\n",
                  vector, i);
  for (unsigned i = 0; i < numChains; ++i) {
    if (target.fma)
      os << formatv("  %y{1} = call {0} @llvm.fma.v{2}f{3}({0} %x{1}, {0} "
                    "%factor.v, {0} %summand.v)\n",
                    vector, i, target.getLanes(elementBits), elementBits);
    else
      os << formatv("  %p{1} = fmul {0} %x{1}, %factor.v\n"
                    "  %y{1} = fadd {0} %p{1}, %summand.v\n",
                    vector, i);
  }
  os << "  %next = add i64 %i, 1\n"
        "  %more = icmp slt i64 %next, %rounds\n"
        "  br i1 %more, label %loop, label %done\ndone:\n";
  os << formatv("  %sum0 = fadd {0} %y0, %summand.v\n", vector);
  for (unsigned i = 1; i < numChains; ++i)
    os << formatv("  %sum{1} = fadd {0} %sum{2}, %y{1}\n", vector, i, i - 1);
  os << formatv("  %last = extractelement {0} %sum{1}, i32 0\n", vector,
                numChains - 1);
  if (elementBits == 32)
    os << "  %wide = fpext float %last to double\n  ret double %wide\n}\n";
  else
    os << "  ret double %last\n}\n";
  if (target.fma)
    os << formatv("declare {0} @llvm.fma.v{1}f{2}({0}, {0}, {0})\n", vector,
                  target.getLanes(elementBits), elementBits);
  return text;
}

Expected<PeakKernel> PeakKernel::create(const TargetInfo &target,
                                        unsigned elementBits) {
  unsigned numChains = getNumChains(target);
  auto code = loadKernels(writeKernel(target, elementBits, numChains), target,
                          "peak kernel", /*usesThreads=*/false);
  if (!code)
    return code.takeError();
  auto function = code->lookup("peak");
  if (!function)
    return function.takeError();
  return PeakKernel(std::move(*code), reinterpret_cast<Function>(*function),
                    2.0 * numChains * target.getLanes(elementBits));
}

double PeakKernel::measure(double seconds) const {
  // x * 0.5 + 1 tends to 2 and stays finite. Reading the clock costs nothing
  // beside 20,000 rounds, some hundred microseconds.
  constexpr int64_t rounds = 20000;
  double best = 0, total = 0;
  [[maybe_unused]] volatile double sink;
  while (total < seconds || best == 0) {
    auto start = std::chrono::steady_clock::now();
    sink = function(rounds, 0.5, 1.0);
    std::chrono::duration<double> elapsed =
        std::chrono::steady_clock::now() - start;
    total += elapsed.count();
    best = std::max(best, rounds * flopsPerRound / elapsed.count());
  }
  return best;
}

} // namespace ein
