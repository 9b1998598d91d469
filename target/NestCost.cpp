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
  bool isTlb = false;
};

/// What some loops touch of an array: pieces of `bytes` side by side, again and
/// again by each of `steps`, the nearest first.
struct Footprint {
  double bytes = 0;
  SmallVector<NestStep, 4> steps;

  /// Pieces that are near one another share units.
  double getUnits(double unitBytes) const {
    double span = bytes, runs = 1;
    for (const NestStep &step : steps) {
      if (step.distance < unitBytes)
        span += (step.count - 1) * step.distance;
      else
        runs *= step.count;
    }
    return runs * std::max(std::ceil(span / unitBytes), 1.0);
  }

  /// How many sets the pieces fall into, of a store that has sets. Those of a
  /// step are some groups, each of pieces that lie near one another but for
  /// whole multiples of what one way holds.
  double getSets(const Store &store) const {
    double all = double(store.sets);
    if (steps.empty())
      return all;
    double covered = std::clamp(std::ceil(bytes / store.unitBytes), 1.0, all);
    double run = covered;
    auto way = int64_t(store.unitBytes) * int64_t(store.sets);
    int64_t lattice = way;
    for (const NestStep &step : steps) {
      double least = std::min(all, covered * step.count);
      for (int64_t groups = 1; double(groups) * covered < least; groups *= 2) {
        int64_t apart = int64_t(step.distance) * groups % way;
        apart = std::min(apart, way - apart);
        double spread = double(apart) / store.unitBytes *
                        std::max(step.count / double(groups) - 1, 0.0);
        least = std::min(least, double(groups) * (spread + covered));
      }
      // All pieces begin at multiples of what divides all distances.
      lattice = std::gcd(lattice, int64_t(step.distance) % way);
      double width = std::max(double(lattice) / store.unitBytes, 1.0);
      covered = std::min(least, all / width * std::min(run, width));
    }
    return covered;
  }
};

/// Of an array, how many units come into a store, and how many sets they are
/// spread over.
struct Traffic {
  double units = 0, sets = 0;
  /// They come in so much of the time: in the first round of loops that read
  /// them again.
  double share = 1;
};

class Pricer {
public:
  Pricer(const LoopNest &nest, const MachineModel &machine)
      : nest(nest), machine(machine) {
    for (const NestArray &array : nest.arrays)
      for (size_t depth = 0; depth <= nest.loops.size(); ++depth)
        footprints.push_back(computeFootprint(array, depth));
  }
  NestCost price();

private:
  double countIterations() const;
  double countBlocks() const;
  /// How often a port takes a part of a vector.
  double getTurns() const {
    return std::max(nest.work.vectorBits / double(machine.portBits), 1.0);
  }
  /// Of an iteration.
  double countInstructions() const {
    const NestWork &work = nest.work;
    return getTurns() * (work.loads + work.stores + work.maskedStores +
                         work.fmas + work.adds + work.logic + work.shuffles) +
           work.scalars;
  }
  /// Of an iteration.
  std::array<double, kNumPorts> getPortCycles() const;
  Footprint computeFootprint(const NestArray &array, size_t depth) const;
  /// What the loops from `depth` on touch of it.
  const Footprint &getFootprint(const NestArray &array, size_t depth) const {
    size_t index = &array - nest.arrays.begin();
    return footprints[index * (nest.loops.size() + 1) + depth];
  }
  /// What they touch in two iterations of the loop round them, if that is less
  /// than twice as much: neighbours have something in common.
  Footprint getOfNeighbours(const NestArray &array, size_t depth) const;
  /// Whether what the loops from `depth` on touch of an array is still in the
  /// store when they run again.
  bool isKept(const Store &store, const NestArray &array, size_t depth) const;
  double countSurprises(const NestArray &array, double bytesBrought) const;
  double getShare(const NestArray &array, size_t depth) const;
  Traffic getTraffic(const Store &store, const NestArray &array) const;
  double getMoveCycles(double read, double written, double readRate,
                       double writeRate, double copyRate) const;
  double getTlbCycles() const;

  const LoopNest &nest;
  const MachineModel &machine;
  SmallVector<Footprint, 32> footprints;
};

double getTrips(const NestLoop &loop) {
  double trips = loop.extent / loop.step;
  return std::max(loop.isBlock ? trips : std::ceil(trips), 1.0);
}

} // namespace

double Pricer::countIterations() const {
  double count = 1;
  for (const NestLoop &loop : nest.loops)
    count *= getTrips(loop);
  return count;
}

double Pricer::countBlocks() const {
  double count = 1;
  for (const NestLoop &loop : nest.loops)
    count *= loop.isBlock ? getTrips(loop) : 1;
  return count;
}

/// What takes turns with others is never quite free: of quantities that could
/// each be all of the time, the largest, and a little of the others.
static double overlap(ArrayRef<double> cycles, double sharpness) {
  double largest = *max_element(cycles), sum = 0;
  if (largest <= 0)
    return 0;
  for (double part : cycles)
    sum += std::pow(part / largest, sharpness);
  return largest * std::pow(sum, 1 / sharpness);
}

/// Each kind of instruction has ports of its own, and all of them share what is
/// issued in a cycle.
std::array<double, kNumPorts> Pricer::getPortCycles() const {
  const NestWork &work = nest.work;
  double turns = getTurns();
  double maskedStore =
      work.hasMaskRegisters ? machine.maskedStore : machine.avxMaskedStore;
  return {turns * work.loads / machine.loads,
          turns * work.stores / machine.stores +
              work.maskedStores * std::max(maskedStore, turns / machine.stores),
          turns * work.fmas / machine.fmas,
          turns * work.adds / machine.adds,
          turns * work.logic / machine.vectorAlu,
          turns * work.shuffles / machine.shuffles,
          countInstructions() / machine.issueWidth};
}

/// Rows of pieces, each `distance` bytes behind the one before, that have some
/// in common: the number of pieces that the next one does not have.
static std::optional<double> getOverlap(const NestStep &row, double distance) {
  double apart = distance / row.distance;
  if (apart == 0 || apart >= row.count || apart != std::floor(apart))
    return std::nullopt;
  return apart;
}

/// Pieces of `bytes`, again and again by each of `steps`.
static Footprint join(double bytes, SmallVectorImpl<NestStep> &steps) {
  sort(steps, [](const NestStep &a, const NestStep &b) {
    return a.distance < b.distance;
  });
  Footprint footprint = {bytes, {}};
  for (const NestStep &step : steps) {
    double count = std::max(step.count, 1.0);
    // The next piece begins where this one ends, or before.
    if (footprint.steps.empty() && step.distance <= footprint.bytes) {
      footprint.bytes += (count - 1) * step.distance;
      continue;
    }
    if (count == 1)
      continue;
    // Windows that overlap are one row of places.
    NestStep *last =
        footprint.steps.empty() ? nullptr : &footprint.steps.back();
    std::optional<double> apart =
        last ? getOverlap(*last, step.distance) : std::nullopt;
    if (apart)
      last->count += (count - 1) * *apart;
    else
      footprint.steps.push_back({step.distance, count});
  }
  return footprint;
}

Footprint Pricer::computeFootprint(const NestArray &array, size_t depth) const {
  SmallVector<NestStep> steps = array.steps;
  for (size_t i = depth; i < nest.loops.size(); ++i)
    if (array.strides[i] != 0)
      steps.push_back({std::abs(array.strides[i]) * nest.loops[i].step,
                       nest.loops[i].extent / nest.loops[i].step});
  return join(array.bytes, steps);
}

Footprint Pricer::getOfNeighbours(const NestArray &array, size_t depth) const {
  Footprint footprint = getFootprint(array, depth);
  if (depth == 0)
    return footprint;
  double distance =
      std::abs(array.strides[depth - 1]) * nest.loops[depth - 1].step;
  for (NestStep &step : footprint.steps)
    if (std::optional<double> apart = getOverlap(step, distance))
      step.count += *apart;
  return footprint;
}

/// Until it is touched again, the store has to hold all of it, and what the
/// others touch meanwhile: once if that is the same again, else this time and
/// the next. So it is with what windows have in common, as no cache knows which
/// of its lines was touched first. Others are spread over all sets, and it may
/// lie in few.
bool Pricer::isKept(const Store &store, const NestArray &array,
                    size_t depth) const {
  Footprint footprint = getOfNeighbours(array, depth);
  double own = footprint.getUnits(store.unitBytes), others = 0;
  for (const NestArray &other : nest.arrays) {
    if (&other == &array)
      continue;
    // What a nest writes for others they use all the time.
    if (other.beside && (depth > *other.beside || array.isWritten))
      continue;
    if (other.isStreamed && !store.isTlb)
      continue;
    bool isAnew = depth > 0 && other.strides[depth - 1] != 0;
    others +=
        (isAnew ? 2 : 1) * getFootprint(other, depth).getUnits(store.unitBytes);
  }
  if (store.sets == 0)
    return own + others <= store.units;
  return own / footprint.getSets(store) + others / double(store.sets) <=
         double(store.ways);
}

/// How many pieces of memory a nest comes to that the machine does not see
/// coming, of an array of whose units so many are brought in. It fetches ahead
/// where an iteration of some loop goes on where another one has ended, and
/// what lies between are few streams.
double Pricer::countSurprises(const NestArray &array,
                              double bytesBrought) const {
  constexpr double kWrittenStreams = 8;
  double bytes = array.bytes, piece = 0, streams = 1;
  for (size_t i = nest.loops.size(); i-- > 0;) {
    double trips = getTrips(nest.loops[i]);
    double distance = std::abs(array.strides[i]) * nest.loops[i].step;
    if (distance == 0 || trips == 1)
      continue;
    if (distance <= bytes) {
      bytes += (trips - 1) * distance;
      if (bytes >= kSeenLines * double(machine.lineBytes))
        break;
      continue;
    }
    if (piece == 0)
      piece = bytes;
    streams *= trips;
  }
  if (streams <= (array.isStreamed  ? kOpenRows
                  : array.isWritten ? kWrittenStreams
                                    : kReadStreams))
    return 0;
  return bytesBrought / std::max(piece, double(machine.lineBytes));
}

/// Of the time that the loops from `depth` on take, in how much they touch
/// something for the first time: one round of the loops that touch all of it
/// again, but for those round a few bytes.
double Pricer::getShare(const NestArray &array, size_t depth) const {
  double share = 1;
  for (size_t i = depth; i < nest.loops.size(); ++i)
    if (array.strides[i] == 0 && getFootprint(array, i).getUnits(
                                     double(machine.lineBytes)) > kFillBuffers)
      share /= getTrips(nest.loops[i]);
  return share;
}

/// The outermost loop over something that is kept brings each unit in once,
/// and what is outside of it all of them again.
Traffic Pricer::getTraffic(const Store &store, const NestArray &array) const {
  size_t depth = nest.loops.size();
  while (depth > 0 && isKept(store, array, depth))
    --depth;
  if (depth == 0 && isKept(store, array, 0))
    return {}; // all of it is there
  const Footprint &footprint = getFootprint(array, depth);
  Traffic traffic = {footprint.getUnits(store.unitBytes), 0};
  if (store.sets != 0) {
    // What follows is under way, too, if there are buffers for it.
    size_t outer = depth;
    while (array.isIndependent && outer > 0 &&
           getFootprint(array, outer).getUnits(store.unitBytes) <= kFillBuffers)
      --outer;
    traffic.sets = getFootprint(array, outer).getSets(store);
  }
  traffic.share = getShare(array, depth);
  while (depth-- > 0)
    traffic.units *= getTrips(nest.loops[depth]);
  return traffic;
}

/// As much as possible is a copy.
double Pricer::getMoveCycles(double read, double written, double readRate,
                             double writeRate, double copyRate) const {
  double both = std::min(read, written);
  return 2 * both / copyRate + (read - both) / readRate +
         (written - both) / writeRate;
}

/// Who reads pages one after the other has the next one's address in time, and
/// rates of memory have it in them. Where no instruction waits for another one,
/// as many addresses are looked for at once as lines are under way, if they do
/// not fall together.
double Pricer::getTlbCycles() const {
  double cycles = 0;
  std::pair<const TlbModel *, double> levels[] = {
      {&machine.tlb1, machine.tlb1.miss},
      {&machine.tlb2, machine.tlb2.miss - machine.tlb1.miss}};
  for (auto [tlb, miss] : levels) {
    Store store = {double(machine.pageBytes), double(tlb->entries), 0, 0,
                   /*isTlb=*/true};
    for (const NestArray &array : nest.arrays)
      if (!array.beside && countSurprises(array, 1) != 0)
        cycles +=
            getTraffic(store, array).units * miss /
            (array.isIndependent && !array.hasOpenStrides ? kFillBuffers : 1);
  }
  return cycles;
}

NestCost Pricer::price() {
  for ([[maybe_unused]] const NestArray &array : nest.arrays)
    assert(array.strides.size() == nest.loops.size());
  NestCost cost;
  double iterations = countIterations();
  constexpr double kPorts = 4;
  cost.portCycles = getPortCycles();
  cost.issueCycles = iterations * overlap(cost.portCycles, kPorts);
  for (double &cycles : cost.portCycles)
    cycles *= iterations;
  cost.latencyCycles =
      iterations * (nest.work.chainedFmas * machine.fmaLatency +
                    nest.work.chainedAdds * machine.addLatency);

  struct Boundary {
    const CacheModel *near;
    double latency, read, write, copy; // of the level behind it
  };
  const MemoryModel &memory = machine.memory;
  SmallVector<Boundary> boundaries;
  auto add = [&](const CacheModel &near, const CacheModel &far) {
    if (near.bytes == 0)
      boundaries.push_back({nullptr, 0, 0, 0, 0});
    else if (far.bytes != 0)
      boundaries.push_back(
          {&near, double(far.latency), far.read, far.write, far.copy});
    else
      boundaries.push_back({&near, double(memory.latency), memory.read,
                            memory.write, memory.copy});
  };
  add(machine.l1, machine.l2);
  add(machine.l2, machine.l3);
  add(machine.l3, CacheModel());

  double waitCycles = 0, instructions = iterations * countInstructions();
  for (auto [i, boundary] : enumerate(boundaries)) {
    if (!boundary.near)
      continue;
    const CacheModel &cache = *boundary.near;
    Store store = {double(machine.lineBytes),
                   double(cache.bytes / machine.lineBytes),
                   cache.getSets(machine.lineBytes), cache.ways};
    double read = 0, written = 0, conflictCycles = 0, readCycles = 0;
    double burstCycles = 0, hiddenCycles = 0;
    for (const NestArray &array : nest.arrays) {
      if (array.beside || array.isStreamed)
        continue;
      Traffic traffic = getTraffic(store, array);
      double bytes = traffic.units * double(machine.lineBytes);
      // What is fetched while it is needed waits: of what is only read, as many
      // lines at once as the machine looks ahead. A result that sums start from
      // is waited for by all that follows, and what is stored by a queue.
      constexpr double kWindow = 128, kAtOnce = 12;
      auto getAtOnce = [&](double window, double pieces) {
        return std::clamp(window * pieces / instructions, 1.0, kAtOnce);
      };
      double surprises = countSurprises(array, bytes);
      double latency = std::max(boundary.latency - array.fetchedAhead, 0.0);
      if (latency == 0 || !array.isRead)
        surprises = 0;
      // Behind each piece the machine has fetched a line that nobody needs. Of
      // open strides neither that is known, nor how misses of the TLB overlap.
      double beside = array.hasOpenStrides ? 0 : surprises;
      if (surprises != 0 && !array.isWritten)
        readCycles += array.isIndependent
                          ? (traffic.units + beside) * latency / kFillBuffers
                          : traffic.units * latency /
                                getAtOnce(machine.window, traffic.units);
      else if (surprises != 0 && i > 0)
        waitCycles += surprises * latency / getAtOnce(kWindow, surprises);
      // Where a block begins nothing is under way yet.
      if (array.isIndependent && array.isRead && bytes != 0)
        waitCycles += countBlocks() * boundary.latency;
      // Lines of one set follow one another. Where nothing waits for what is
      // read, half of that is hidden; stores wait for each other, and each line
      // comes and goes.
      if (i == 0 && traffic.sets != 0) {
        double cycles =
            traffic.units * double(machine.l2.latency) / traffic.sets;
        if (!array.isIndependent)
          conflictCycles += cycles;
        else if (array.isRead)
          waitCycles += cycles / 2;
        else
          waitCycles += 2 * cycles *
                        std::max(double(machine.lineBytes) / array.bytes, 1.0);
      }
      // What comes in a part of the time can hide behind that part of what is
      // executed.
      if (array.comesInBursts) {
        burstCycles += bytes / boundary.read;
        hiddenCycles += traffic.share * bytes / boundary.read;
      }
      read += array.isRead ? bytes : 0;
      written += array.isWritten ? bytes : 0;
    }
    if (burstCycles > 0)
      waitCycles += std::max(std::min(burstCycles, cost.issueCycles) -
                                 cost.issueCycles * hiddenCycles / burstCycles,
                             0.0);
    cost.movedBytes[i] = read + written;
    cost.moveCycles[i] =
        std::max({conflictCycles, readCycles,
                  getMoveCycles(read, written, boundary.read, boundary.write,
                                boundary.copy)});
  }

  // What goes past the caches is copied as far as something is read from
  // memory meanwhile; the rest of it takes as long as what is read.
  size_t far = machine.l3.bytes != 0 ? 2 : machine.l2.bytes != 0 ? 1 : 0;
  for (const NestArray &array : nest.arrays) {
    if (!array.isStreamed)
      continue;
    double bytes = iterations * array.bytes,
           both = std::min(bytes, cost.movedBytes[far]);
    cost.moveCycles[far] = std::max(
        cost.moveCycles[far] + both * (2 / memory.stream - 1 / memory.read) +
            (bytes - both) / memory.read,
        countSurprises(array, bytes) * memory.latency / kOpenRows);
    cost.movedBytes[far] += bytes;
  }

  // Cores share the last cache and the memory, and nothing else.
  double threads = std::max(nest.threads, 1.0);
  cost.tlbCycles = getTlbCycles();
  std::pair<double, StringRef> bounds[] = {
      {cost.issueCycles / threads, "issue"},
      {cost.latencyCycles / threads, "latency"},
      {cost.moveCycles[0] / threads, machine.l2.bytes ? "L2" : "memory"},
      {cost.moveCycles[1], machine.l3.bytes ? "L3" : "memory"},
      {cost.moveCycles[2], "memory"},
      {cost.tlbCycles / threads, "TLB"}};
  SmallVector<double> all;
  double largest = -1;
  for (auto [cycles, name] : bounds) {
    all.push_back(cycles);
    if (cycles > largest) {
      largest = cycles;
      cost.bound = name;
    }
  }
  // Until the instructions behind a loop arrive.
  constexpr double kLoopEnd = 20;
  cost.otherCycles =
      (iterations * nest.work.loopEnds * kLoopEnd + waitCycles) / threads +
      (nest.calls + iterations * nest.work.calls / threads) * machine.call +
      (nest.threads > 1 ? machine.threadStart : 0);
  // A line that was not fetched in time shows, however much else there is.
  constexpr double kUnits = 8, kLate = 0.05, kLatePages = 0.1;
  double moved =
      cost.moveCycles[0] / threads + cost.moveCycles[1] + cost.moveCycles[2];
  cost.cycles = overlap(all, kUnits) + kLate * moved +
                kLatePages * cost.tlbCycles / threads + cost.otherCycles;
  return cost;
}

llvm::StringRef getName(Port port) {
  constexpr llvm::StringLiteral kNames[kNumPorts] = {
      "loads", "stores",   "multiply-adds", "additions",
      "logic", "shuffles", "instructions"};
  return kNames[size_t(port)];
}

Port NestCost::getBusiestPort() const {
  return Port(max_element(portCycles) - portCycles.begin());
}

void NestCost::add(const NestCost &other) {
  // What bounds the longest nest bounds all of them.
  if (other.cycles > cycles / 2)
    bound = other.bound;
  cycles += other.cycles;
  issueCycles += other.issueCycles;
  latencyCycles += other.latencyCycles;
  tlbCycles += other.tlbCycles;
  otherCycles += other.otherCycles;
  for (auto [mine, its] : zip_equal(portCycles, other.portCycles))
    mine += its;
  for (size_t i = 0; i < movedBytes.size(); ++i) {
    movedBytes[i] += other.movedBytes[i];
    moveCycles[i] += other.moveCycles[i];
  }
}

NestCost priceNest(const LoopNest &nest, const MachineModel &machine) {
  return Pricer(nest, machine).price();
}

} // namespace ein
