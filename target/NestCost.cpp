//===- NestCost.cpp - Cycles of a loop nest on a machine ------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "target/NestCost.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

using namespace llvm;

namespace ein {
namespace {

/// What holds units: a cache its lines, a TLB its pages.
struct Store {
  double unitBytes;
  double units;
  uint64_t sets; // 0: any unit may be anywhere
  uint64_t ways;
};

/// What some loops touch of an array: `runs` pieces of `bytes` side by side,
/// the nearest two of them `distance` bytes apart.
struct Footprint {
  double runs = 1, bytes = 0, distance = 0;

  /// Pieces that are near one another share units.
  double getUnits(double unitBytes) const {
    double apart = runs * std::max(std::ceil(bytes / unitBytes), 1.0);
    if (runs <= 1 || distance >= unitBytes)
      return apart;
    return std::min(apart, std::ceil(runs * distance / unitBytes));
  }
};

class Pricer {
public:
  Pricer(const LoopNest &nest, const MachineModel &machine)
      : nest(nest), machine(machine) {}
  NestCost price();

private:
  double countIterations() const;
  double getIssueCycles() const;
  Footprint getFootprint(const NestArray &array, size_t depth) const;
  bool fits(const Store &store, size_t depth) const;
  bool hasRoom(const Store &store, const Footprint &footprint) const;
  /// The first loop whose data the store holds, while it runs.
  size_t findDepth(const Store &store) const;
  /// How many units of an array come into the store, with what it holds from
  /// `depth` on.
  double countUnits(const Store &store, const NestArray &array,
                    size_t depth) const;
  double getMoveCycles(double read, double written, double readRate,
                       double writeRate, double copyRate) const;
  double getTlbCycles() const;

  const LoopNest &nest;
  const MachineModel &machine;
};

double getTrips(const NestLoop &loop) {
  return std::max(std::ceil(loop.extent / loop.step), 1.0);
}

} // namespace

double Pricer::countIterations() const {
  double count = 1;
  for (const NestLoop &loop : nest.loops)
    count *= getTrips(loop);
  return count;
}

/// Each kind of instruction has ports of its own, and all of them share what is
/// issued in a cycle.
double Pricer::getIssueCycles() const {
  const NestWork &work = nest.work;
  double turns = std::max(work.vectorBits / double(machine.portBits), 1.0);
  double vectors = work.loads + work.stores + work.maskedStores + work.fmas +
                   work.adds + work.logic + work.shuffles;
  return std::max({turns * work.loads / machine.loads,
                   turns * work.stores / machine.stores +
                       work.maskedStores * std::max(machine.maskedStore,
                                                    turns / machine.stores),
                   turns * work.fmas / machine.fmas,
                   turns * work.adds / machine.adds,
                   turns * work.logic / machine.vectorAlu,
                   turns * work.shuffles / machine.shuffles,
                   (vectors * turns + work.scalars) / machine.issueWidth});
}

Footprint Pricer::getFootprint(const NestArray &array, size_t depth) const {
  struct Step {
    double distance, count;
  };
  SmallVector<Step> steps;
  for (size_t i = depth; i < nest.loops.size(); ++i)
    if (array.strides[i] != 0)
      steps.push_back({std::abs(array.strides[i]) * nest.loops[i].step,
                       nest.loops[i].extent / nest.loops[i].step});
  sort(steps,
       [](const Step &a, const Step &b) { return a.distance < b.distance; });
  Footprint footprint = {1, array.bytes, 0};
  for (const Step &step : steps) {
    double count = std::max(step.count, 1.0);
    // The next piece begins where this one ends, or before.
    if (footprint.runs == 1 && step.distance <= footprint.bytes) {
      footprint.bytes += (count - 1) * step.distance;
      continue;
    }
    if (footprint.runs == 1)
      footprint.distance = step.distance;
    footprint.runs *= count;
  }
  return footprint;
}

/// Whether the sets that the pieces fall into have ways for all of them.
bool Pricer::hasRoom(const Store &store, const Footprint &footprint) const {
  auto distance = uint64_t(footprint.distance);
  if (store.sets == 0 || footprint.runs <= 1 ||
      distance % uint64_t(store.unitBytes) != 0)
    return true;
  uint64_t step = distance / uint64_t(store.unitBytes);
  uint64_t shared = std::gcd(step, store.sets);
  double perRun = std::max(std::ceil(footprint.bytes / store.unitBytes), 1.0);
  double sets = double(store.sets / shared) * std::min(perRun, double(shared));
  return footprint.runs * perRun <= sets * double(store.ways);
}

bool Pricer::fits(const Store &store, size_t depth) const {
  double units = 0;
  for (const NestArray &array : nest.arrays) {
    Footprint footprint = getFootprint(array, depth);
    if (!hasRoom(store, footprint))
      return false;
    units += footprint.getUnits(store.unitBytes);
  }
  return units <= store.units;
}

size_t Pricer::findDepth(const Store &store) const {
  size_t depth = 0;
  while (depth < nest.loops.size() && !fits(store, depth))
    ++depth;
  return depth;
}

double Pricer::countUnits(const Store &store, const NestArray &array,
                          size_t depth) const {
  Footprint footprint = getFootprint(array, depth);
  double own = footprint.getUnits(store.unitBytes), others = 0;
  for (const NestArray &other : nest.arrays)
    if (&other != &array)
      others += getFootprint(other, depth).getUnits(store.unitBytes);
  // What an iteration brings in anew stands beside what the one before has
  // left.
  bool isKept = own + 2 * others <= store.units;
  double again = 1;
  for (size_t i = depth; i-- > 0;) {
    double stride = std::abs(array.strides[i]);
    double trips =
        stride == 0 ? getTrips(nest.loops[i])
                    : std::max(nest.loops[i].extent / nest.loops[i].step, 1.0);
    if (stride == 0 && isKept)
      continue;
    // The next iteration begins in the unit in which this one has ended, which
    // is still there.
    double distance = stride * nest.loops[i].step;
    bool isNext = stride != 0 && i + 1 == depth && footprint.runs == 1;
    if (isNext && distance <= footprint.bytes) {
      footprint.bytes += (trips - 1) * distance;
    } else if (isNext && distance < store.unitBytes) {
      footprint.runs = trips;
      footprint.distance = distance;
    } else {
      again *= trips;
    }
    isKept = false;
  }
  return footprint.getUnits(store.unitBytes) * again;
}

/// As much as possible is a copy.
double Pricer::getMoveCycles(double read, double written, double readRate,
                             double writeRate, double copyRate) const {
  double both = std::min(read, written);
  return 2 * both / copyRate + (read - both) / readRate +
         (written - both) / writeRate;
}

/// Of pieces that are shorter than a page: who reads whole pages one after the
/// other has the next one's address in time, and rates of memory have it in
/// them.
double Pricer::getTlbCycles() const {
  double cycles = 0;
  std::pair<const TlbModel *, double> levels[] = {
      {&machine.tlb1, machine.tlb1.miss},
      {&machine.tlb2, machine.tlb2.miss - machine.tlb1.miss}};
  for (auto [tlb, miss] : levels) {
    Store store = {double(machine.pageBytes), double(tlb->entries), 0, 0};
    size_t depth = findDepth(store);
    if (depth == 0)
      continue;
    for (const NestArray &array : nest.arrays)
      if (Footprint footprint = getFootprint(array, 0);
          footprint.runs > 1 && footprint.bytes < double(machine.pageBytes))
        cycles += countUnits(store, array, depth) * miss;
  }
  return cycles;
}

NestCost Pricer::price() {
  for ([[maybe_unused]] const NestArray &array : nest.arrays)
    assert(array.strides.size() == nest.loops.size());
  NestCost cost;
  double iterations = countIterations();
  cost.issueCycles = iterations * getIssueCycles();
  cost.latencyCycles =
      iterations * (nest.work.chainedFmas * machine.fmaLatency +
                    nest.work.chainedAdds * machine.addLatency);

  struct Boundary {
    const CacheModel *near;
    double read, write, copy; // of the level behind it
  };
  const MemoryModel &memory = machine.memory;
  SmallVector<Boundary> boundaries;
  auto add = [&](const CacheModel &near, const CacheModel &far) {
    if (near.bytes == 0)
      boundaries.push_back({nullptr, 0, 0, 0});
    else if (far.bytes != 0)
      boundaries.push_back({&near, far.read, far.write, far.copy});
    else
      boundaries.push_back({&near, memory.read, memory.write, memory.copy});
  };
  add(machine.l1, machine.l2);
  add(machine.l2, machine.l3);
  add(machine.l3, CacheModel());

  for (auto [i, boundary] : enumerate(boundaries)) {
    if (!boundary.near)
      continue;
    const CacheModel &cache = *boundary.near;
    Store store = {double(machine.lineBytes),
                   double(cache.bytes / machine.lineBytes),
                   cache.getSets(machine.lineBytes), cache.ways};
    size_t depth = findDepth(store);
    if (depth == 0)
      continue; // all of it is there
    double read = 0, written = 0;
    for (const NestArray &array : nest.arrays) {
      double bytes =
          countUnits(store, array, depth) * double(machine.lineBytes);
      read += array.isRead ? bytes : 0;
      written += array.isWritten ? bytes : 0;
    }
    cost.movedBytes[i] = read + written;
    cost.moveCycles[i] = getMoveCycles(read, written, boundary.read,
                                       boundary.write, boundary.copy);
  }

  // Cores share the last cache and the memory, and nothing else.
  double threads = std::max(nest.threads, 1.0);
  std::pair<double, StringRef> bounds[] = {
      {cost.issueCycles / threads, "issue"},
      {cost.latencyCycles / threads, "latency"},
      {cost.moveCycles[0] / threads, machine.l2.bytes ? "L2" : "memory"},
      {cost.moveCycles[1], machine.l3.bytes ? "L3" : "memory"},
      {cost.moveCycles[2], "memory"}};
  double largest = -1;
  for (auto [cycles, name] : bounds)
    if (cycles > largest) {
      largest = cycles;
      cost.bound = name;
    }
  cost.otherCycles = getTlbCycles() / threads + nest.calls * machine.call +
                     (nest.threads > 1 ? machine.threadStart : 0);
  cost.cycles = largest + cost.otherCycles;
  return cost;
}

NestCost priceNest(const LoopNest &nest, const MachineModel &machine) {
  return Pricer(nest, machine).price();
}

} // namespace ein
