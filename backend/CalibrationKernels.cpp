//===- CalibrationKernels.cpp - Loops that take one thing's time ----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What keeps LLVM from computing a chain in fewer steps, or from seeing a
// `memset`: volatile loads and stores, and an empty statement of assembly
// between two steps of a chain.
//
//===----------------------------------------------------------------------===//

#include "backend/CalibrationKernels.h"
#include "backend/MachineKernels.h"
#include "target/Target.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace ein {
namespace {

class Writer {
public:
  Writer(const TargetInfo &target, unsigned numChains)
      : target(target), numChains(numChains), lanes(target.getLanes(32)),
        floats(formatv("<{0} x float>", lanes)),
        words(formatv("<{0} x i32>", lanes)), os(text) {}

  std::string write();

private:
  /// A loop from 0 to %count whose body is written by `body`.
  void writeLoop(StringRef name, StringRef phis, function_ref<void()> body,
                 StringRef result);
  void writeClock();
  void writeChase();
  void writeRead();
  void writeStores(StringRef name, bool copies);
  void writeMaskedStore();
  /// `step` computes %y0 of %x0, and so on.
  void writeChains(StringRef name, unsigned chains,
                   function_ref<std::string(std::string)> step);
  void writeCalls();
  void writeThreads();

  const TargetInfo &target;
  unsigned numChains, lanes;
  std::string floats, words, text;
  raw_string_ostream os;
};

} // namespace

void Writer::writeLoop(StringRef name, StringRef phis,
                       function_ref<void()> body, StringRef result) {
  os << formatv("define i64 @{0}(ptr %data, i64 %count) {{\nentry:\n"
                "  br label %loop\nloop:\n"
                "  %i = phi i64 [0, %entry], [%next, %loop]\n{1}",
                name, phis);
  body();
  os << "  %next = add i64 %i, 1\n"
        "  %more = icmp slt i64 %next, %count\n"
        "  br i1 %more, label %loop, label %done\ndone:\n"
     << result << "}\n";
}

void Writer::writeClock() {
  writeLoop(
      "clock", "  %x0 = phi i64 [1, %entry], [%x128, %loop]\n",
      [&] {
        for (int64_t i = 0; i < CalibrationKernels::kSteps; ++i)
          os << formatv("  %x{0} = {1} i64 %x{2}, %count\n", i + 1,
                        i % 2 ? "xor" : "add", i);
      },
      "  ret i64 %x128\n");
}

void Writer::writeChase() {
  writeLoop(
      "chase", "  %p0 = phi ptr [%data, %entry], [%p16, %loop]\n",
      [&] {
        for (int64_t i = 0; i < CalibrationKernels::kLoads; ++i)
          os << formatv("  %p{0} = load ptr, ptr %p{1}\n", i + 1, i);
      },
      "  %last = ptrtoint ptr %p16 to i64\n  ret i64 %last\n");
}

void Writer::writeRead() {
  std::string phis;
  for (int64_t i = 0; i < CalibrationKernels::kBlockVectors; ++i)
    phis += formatv("  %a{0} = phi {1} [zeroinitializer, %entry], [%b{0}, "
                    "%loop]\n",
                    i, words)
                .str();
  std::string result;
  for (int64_t i = 1; i < CalibrationKernels::kBlockVectors; ++i)
    result += formatv("  %s{0} = or {1} %{2}, %b{0}\n", i, words,
                      i == 1 ? "b0" : "s" + std::to_string(i - 1))
                  .str();
  result += formatv("  %w = extractelement {0} %s7, i32 0\n"
                    "  %r = sext i32 %w to i64\n  ret i64 %r\n",
                    words)
                .str();
  writeLoop(
      "read", phis,
      [&] {
        os << "  %at = mul i64 %i, 8\n";
        for (int64_t i = 0; i < CalibrationKernels::kBlockVectors; ++i)
          os << formatv("  %o{0} = add i64 %at, {0}\n"
                        "  %p{0} = getelementptr {1}, ptr %data, i64 %o{0}\n"
                        "  %v{0} = load volatile {1}, ptr %p{0}\n"
                        "  %b{0} = or {1} %a{0}, %v{0}\n",
                        i, words);
      },
      result);
}

void Writer::writeStores(StringRef name, bool copies) {
  writeLoop(
      name, "",
      [&] {
        os << "  %at = mul i64 %i, 8\n";
        if (copies)
          os << formatv("  %half = mul i64 %count, 8\n"
                        "  %middle = getelementptr {0}, ptr %data, i64 %half\n"
                        "  %from = getelementptr i8, ptr %middle, i64 {1}\n",
                        words, CalibrationKernels::kCopyShift);
        for (int64_t i = 0; i < CalibrationKernels::kBlockVectors; ++i) {
          os << formatv("  %o{0} = add i64 %at, {0}\n"
                        "  %p{0} = getelementptr {1}, ptr %data, i64 %o{0}\n",
                        i, words);
          if (copies)
            os << formatv("  %q{0} = getelementptr {1}, ptr %from, i64 %o{0}\n"
                          "  %v{0} = load volatile {1}, ptr %q{0}\n",
                          i, words);
          os << formatv("  store volatile {0} {1}, ptr %p{2}\n", words,
                        copies ? "%v" + std::to_string(i) : "zeroinitializer",
                        i);
        }
      },
      "  ret i64 0\n");
}

void Writer::writeMaskedStore() {
  // The mask is not known: all but the last of the lanes.
  os << formatv("declare void @llvm.masked.store.v{0}f32.p0({1}, ptr, i32, "
                "<{0} x i1>)\n",
                lanes, floats);
  std::string places;
  for (unsigned i = 0; i < lanes; ++i)
    places += (i ? ", i64 " : "i64 ") + std::to_string(i);
  writeLoop(
      "masked_store", "",
      [&] {
        os << formatv("  %opaque = call i64 asm \"\", \"=r,0\"(i64 {0})\n"
                      "  %one = insertelement <{1} x i64> poison, i64 "
                      "%opaque, i32 0\n"
                      "  %all = shufflevector <{1} x i64> %one, <{1} x i64> "
                      "poison, <{1} x i32> zeroinitializer\n"
                      "  %mask = icmp slt <{1} x i64> <{2}>, %all\n",
                      lanes - 1, lanes, places);
        for (int64_t i = 0; i < CalibrationKernels::kBlockVectors; ++i)
          os << formatv("  %p{0} = getelementptr {1}, ptr %data, i64 {0}\n"
                        "  call void @llvm.masked.store.v{2}f32.p0({1} "
                        "zeroinitializer, ptr %p{0}, i32 4, <{2} x i1> "
                        "%mask)\n",
                        i, floats, lanes);
      },
      "  ret i64 0\n");
}

void Writer::writeChains(StringRef name, unsigned chains,
                         function_ref<std::string(std::string)> step) {
  const char *identity = Triple(target.triple).isX86() ? "=v,0" : "=w,0";
  std::string phis, result;
  for (unsigned i = 0; i < chains; ++i)
    phis += formatv("  %x{0} = phi {1} [splat (float 1.0), %entry], [%z{0}, "
                    "%loop]\n",
                    i, floats)
                .str();
  for (unsigned i = 1; i < chains; ++i)
    result += formatv("  %s{0} = fadd {1} %{2}, %z{0}\n", i, floats,
                      i == 1 ? "z0" : "s" + std::to_string(i - 1))
                  .str();
  result +=
      formatv("  %l = extractelement {0} %{1}, i32 0\n"
              "  %r = fptosi float %l to i64\n  ret i64 %r\n",
              floats, chains == 1 ? "z0" : "s" + std::to_string(chains - 1))
          .str();
  writeLoop(
      name, phis,
      [&] {
        for (unsigned i = 0; i < chains; ++i)
          os << "  " << step("%x" + std::to_string(i)) << "\n"
             << formatv("  %z{0} = call {1} asm \"\", \"{2}\"({1} %y{0})\n", i,
                        floats, identity);
      },
      result);
}

void Writer::writeCalls() {
  os << "define i64 @empty(ptr %data, i64 %count) noinline {\n"
        "  ret i64 %count\n}\n";
  writeLoop(
      "call_all", "",
      [&] {
        for (int64_t i = 0; i < CalibrationKernels::kCalls; ++i)
          os << "  call i64 %data(ptr %data, i64 %i)\n";
      },
      "  ret i64 0\n");
}

/// OpenMP's runtime as code of ours calls it.
void Writer::writeThreads() {
  os << "%ident = type { i32, i32, i32, i32, ptr }\n"
        "@place = private constant [23 x i8] c\";unknown;unknown;0;0;;\\00\"\n"
        "@ident = private constant %ident { i32 0, i32 2, i32 0, i32 22, ptr "
        "@place }\n"
        "declare void @__kmpc_fork_call(ptr, i32, ptr, ...)\n"
        "define internal void @region(ptr %thread, ptr %bound) {\n"
        "  ret void\n}\n";
  writeLoop(
      "threads", "",
      [&] {
        os << "  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr @ident, "
              "i32 0, ptr @region)\n";
      },
      "  ret i64 0\n");
}

std::string Writer::write() {
  writeClock();
  writeChase();
  writeRead();
  writeStores("write", /*copies=*/false);
  writeStores("copy", /*copies=*/true);
  if (target.maskedOps || target.vectorBits >= 256)
    writeMaskedStore();
  os << formatv("declare {0} @llvm.fma.v{1}f32({0}, {0}, {0})\n", floats,
                lanes);
  auto fma = [&](std::string x) -> std::string {
    // x * 0.5 + 1 tends to 2.
    if (target.fma)
      return formatv("%y{3} = call {0} @llvm.fma.v{1}f32({0} {2}, {0} splat "
                     "(float 0.5), {0} splat (float 1.0))",
                     floats, lanes, x, x.substr(2));
    return formatv("%m{2} = fmul {0} {1}, splat (float 0.5)\n"
                   "  %y{2} = fadd {0} %m{2}, splat (float 1.0)",
                   floats, x, x.substr(2));
  };
  auto add = [&](std::string x) -> std::string {
    return formatv("%y{2} = fadd {0} {1}, splat (float 0.25)", floats, x,
                   x.substr(2));
  };
  writeChains("fma", numChains, fma);
  writeChains("fma_chain", 1, fma);
  writeChains("add", numChains, add);
  writeChains("add_chain", 1, add);
  // Within four lanes, by one: each machine has an instruction for it, and it
  // is no rotation of wider lanes.
  std::string order;
  for (unsigned i = 0; i < lanes; ++i)
    order += (i ? ", i32 " : "i32 ") + std::to_string(i / 4 * 4 + (i + 1) % 4);
  writeChains("shuffle", numChains, [&](std::string x) -> std::string {
    return formatv("%y{4} = shufflevector {0} {1}, {0} poison, <{2} x i32> "
                   "<{3}>",
                   floats, x, lanes, order, x.substr(2));
  });
  writeChains("logic", numChains, [&](std::string x) -> std::string {
    std::string number = x.substr(2);
    return formatv("%f{3} = bitcast {0} {1} to {2}\n"
                   "  %g{3} = xor {2} %f{3}, splat (i32 4194304)\n"
                   "  %y{3} = bitcast {2} %g{3} to {0}",
                   floats, x, words, number);
  });
  writeCalls();
  writeThreads();
  return text;
}

Expected<CalibrationKernels>
CalibrationKernels::create(const TargetInfo &target) {
  Triple triple(target.triple);
  if (!triple.isX86() && !triple.isAArch64())
    return createStringError("calibration has loops for x86-64 and AArch64, "
                             "and none for `" +
                             triple.getArchName() + "`");
  unsigned numChains = getNumChains(target);
  auto code = loadKernels(Writer(target, numChains).write(), target,
                          "calibration", /*usesThreads=*/true);
  if (!code)
    return code.takeError();
  CalibrationKernels kernels(std::move(*code));
  kernels.numChains = numChains;
  kernels.vectorBytes = int64_t(target.getLanes(32)) * 4;
  std::pair<const char *, Function *> functions[] = {
      {"clock", &kernels.clock},     {"chase", &kernels.chase},
      {"read", &kernels.read},       {"write", &kernels.write},
      {"copy", &kernels.copy},       {"masked_store", &kernels.maskedStore},
      {"fma", &kernels.fma},         {"fma_chain", &kernels.fmaChain},
      {"add", &kernels.add},         {"add_chain", &kernels.addChain},
      {"shuffle", &kernels.shuffle}, {"logic", &kernels.logic},
      {"call_all", &kernels.call},   {"empty", &kernels.empty},
      {"threads", &kernels.threads}};
  for (auto [name, function] : functions) {
    if (StringRef(name) == "masked_store" && !target.maskedOps &&
        target.vectorBits < 256)
      continue;
    auto address = kernels.code.lookup(name);
    if (!address)
      return address.takeError();
    *function = reinterpret_cast<Function>(*address);
  }
  return std::move(kernels);
}

} // namespace ein
