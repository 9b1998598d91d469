//===- Yardstick.cpp - What the machine could do --------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/harness/Yardstick.h"
#include <cmath>
#include <sched.h>
#include <thread>
#include <unistd.h>

namespace ein::bench {
namespace {

/// Has the calling thread run on the `number`-th core of `cores` only.
void pinToCore(const cpu_set_t &cores, int number) {
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &cores) && number-- == 0) {
      cpu_set_t one;
      CPU_ZERO(&one);
      CPU_SET(core, &one);
      sched_setaffinity(0, sizeof one, &one);
      return;
    }
}

class PeakLoop : public TimedLoop {
public:
  static constexpr int64_t iterations = 2000;
  PeakLoop(PeakKernel kernel, int threads) : kernel(kernel), threads(threads) {}

private:
  bool runAll(int64_t repetitions) override {
    // A new thread begins where its parent is; the scheduler takes longer to
    // move it than a turn lasts.
    cpu_set_t cores;
    sched_getaffinity(0, sizeof cores, &cores);
    std::vector<double> sinks(threads * 8);
    auto work = [&](int thread) {
      if (threads > 1)
        pinToCore(cores, thread);
      sinks[thread * 8] = kernel.run(repetitions * iterations);
    };
    std::vector<std::thread> others;
    for (int i = 1; i < threads; ++i)
      others.emplace_back(work, i);
    work(0);
    for (std::thread &other : others)
      other.join();
    if (threads > 1)
      sched_setaffinity(0, sizeof cores, &cores);
    return !std::isnan(sinks[0]);
  }

  PeakKernel kernel;
  int threads;
};

class StreamLoop : public TimedLoop {
public:
  StreamLoop(StreamKernel kernel, std::shared_ptr<char> data, int64_t bytes)
      : kernel(kernel), data(std::move(data)), bytes(bytes) {}

private:
  bool runAll(int64_t repetitions) override {
    double sum = 0;
    for (int64_t i = 0; i < repetitions; ++i) {
      sum += kernel.run(data.get(), bytes);
      asm volatile("" : "+m"(sum) : : "memory");
    }
    return !std::isnan(sum);
  }

  StreamKernel kernel;
  std::shared_ptr<char> data;
  int64_t bytes;
};

PeakType getPeakType(const Problem &problem) {
  Element narrowest = problem.getNarrowest();
  if (isInteger(narrowest))
    return PeakType::I8;
  if (narrowest == Element::BF16)
    return PeakType::BF16;
  bool isWide = narrowest == Element::F64 || narrowest == Element::C128;
  return isWide ? PeakType::F64 : PeakType::F32;
}

double getCacheBytes(int name, double otherwise) {
  long bytes = sysconf(name);
  return bytes > 0 ? bytes : otherwise;
}

} // namespace

Level getLevel(double bytes) {
  const Level levels[] = {
      {"L1", getCacheBytes(_SC_LEVEL1_DCACHE_SIZE, 32 << 10)},
      {"L2", getCacheBytes(_SC_LEVEL2_CACHE_SIZE, 512 << 10)},
      {"L3", getCacheBytes(_SC_LEVEL3_CACHE_SIZE, 8 << 20)}};
  for (const Level &level : levels)
    if (bytes <= level.bytes)
      return level;
  return {"DRAM", 0};
}

std::vector<Yardstick> getYardsticks(const Problem &problem) {
  std::vector<Yardstick> result;
  bool takesAvx512 = problem.isa == Isa::Native;
  auto addPeaks = [&](int threads, Yardstick::Kind kind) {
    for (const PeakKernel &kernel :
         getPeakKernels(getPeakType(problem), takesAvx512))
      result.push_back(
          {kernel.name, kind, std::make_unique<PeakLoop>(kernel, threads),
           kernel.flopsPerIteration * PeakLoop::iterations * threads});
  };
  addPeaks(problem.threads, Yardstick::Flops);
  if (problem.threads > 1)
    addPeaks(1, Yardstick::Flops1);

  // As many bytes as the case has, so that they lie where the case's do.
  double reads = problem.getInputBytes(), writes = problem.getOutputBytes();
  int64_t bytes = std::max<int64_t>((reads + writes) / 1024, 1) * 1024;
  std::shared_ptr<char> data(static_cast<char *>(allocate(bytes).release()),
                             FreeBuffer());
  std::fill_n(data.get(), bytes, 0);
  // Those whose mix of reads and writes is most like the case's.
  std::vector<StreamKernel> kernels = getStreamKernels(takesAvx512);
  auto getDistance = [&](const StreamKernel &kernel) {
    return std::abs(double(kernel.writes) / (kernel.reads + kernel.writes) -
                    writes / (reads + writes));
  };
  double least = 1;
  for (const StreamKernel &kernel : kernels)
    least = std::min(least, getDistance(kernel));
  for (const StreamKernel &kernel : kernels)
    if (getDistance(kernel) == least)
      result.push_back(
          {kernel.name + (" in " + getLevel(bytes).name), Yardstick::Bytes,
           std::make_unique<StreamLoop>(kernel, data, bytes), double(bytes)});
  return result;
}

} // namespace ein::bench
