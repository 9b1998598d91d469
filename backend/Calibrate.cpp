//===- Calibrate.cpp - What this machine takes for what -------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: others use the machine too. Its clock changes, a neighbour takes a
// core for a while, or half of the last cache.
//
// Choice: everything is measured a little, again and again, one after the
// other, and the median of each is taken. Time is this thread's own, which
// stands still while others have the core. Each reading is in cycles of the
// moment: a chain of operations of one cycle each is timed before and after
// it. So what is steady in cycles is so whatever the clock does.
//
// Addresses of a chain of loads are random within 16 pages, which the first
// level of the TLB holds, and these groups follow one another at random: that
// is the latency of the cache, and no prefetcher knows what is next. The array
// is read from its begin to its end before, which is fast, and then a short
// part of the chain: while one goes round a chain of many MiB, others fill the
// last cache with theirs. 2,048 loads out of 8 MiB took 52 cycles each on a
// busy Zen 5, 8,192 took 319.
//
// What nobody can measure in this way (how many instructions are issued a
// cycle, entries of a TLB, ways of a cache that the system does not tell) is
// the table's for this CPU.
//
// Consequence: a file that `--machine` reads. Levels that came out of order,
// as they do on a busy machine, are put in order, and the file says so.
//
//===----------------------------------------------------------------------===//

#include "backend/Calibrate.h"
#include "backend/CalibrationKernels.h"
#include "target/Target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

using namespace llvm;

namespace ein {
namespace {

using Clock = std::chrono::steady_clock;

double getSeconds(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Seconds that this thread has computed.
double getOwnSeconds() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

/// A thread's own time is read by a system call, which takes a microsecond; the
/// clock on the wall is nearer, unless the core was lost meanwhile.
template <typename F> double takeTime(F run) {
  double own = getOwnSeconds();
  auto start = Clock::now();
  run();
  double seconds = getSeconds(start);
  return std::min(seconds, getOwnSeconds() - own);
}

double getMedian(std::vector<double> values) {
  if (values.empty())
    return 0;
  auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Pages of our own.
class Memory {
public:
  static Expected<Memory> create(size_t bytes, bool wantsLargePages) {
    constexpr size_t kLarge = size_t(2) << 20;
    size_t all = alignTo(bytes, kLarge) + kLarge;
    void *start = mmap(nullptr, all, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED)
      return createStringError("calibration: no memory for " +
                               std::to_string(all) + " bytes");
    // Advice, which may be ignored.
    (void)madvise(start, all,
                  wantsLargePages ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    Memory memory;
    memory.start = start;
    memory.all = all;
    memory.data = reinterpret_cast<char *>(
        alignTo(reinterpret_cast<uintptr_t>(start), kLarge));
    return std::move(memory);
  }
  Memory(Memory &&other) { *this = std::move(other); }
  Memory &operator=(Memory &&other) {
    std::swap(start, other.start);
    std::swap(all, other.all);
    std::swap(data, other.data);
    return *this;
  }
  ~Memory() {
    if (start)
      munmap(start, all);
  }
  char *get() const { return data; }

private:
  Memory() = default;
  void *start = nullptr;
  size_t all = 0;
  char *data = nullptr;
};

/// Something that is measured, in cycles of one unit of it.
struct Item {
  CalibrationKernels::Function function;
  void *data;
  int64_t count;        // of one call
  double unitsPerCount; // operations, loads or bytes
  int64_t calls = 1;    // of one reading
  bool isWarm = true;   // what it reads is to be in a cache
  bool isChain = false; // it returns where it got to
  void *area = nullptr; // of a chain
  int64_t areaBlocks = 0;
  /// A reading is of the next piece of memory, which is in no cache: so many
  /// bytes, and so many pieces; 0 if it is always the same.
  int64_t pieceBytes = 0, pieces = 0;
  bool isShared = false; // others work for it, and all their time counts
  std::vector<double> cycles = {}; // of one unit, each reading

  double time() {
    if (!isShared)
      return takeTime([&] { run(); });
    auto start = Clock::now();
    run();
    return getSeconds(start);
  }
  void run() {
    for (int64_t i = 0; i < calls; ++i) {
      volatile int64_t last = function(data, count);
      if (isChain)
        data = reinterpret_cast<void *>(last);
    }
  }
};

class Calibrator {
public:
  Calibrator(const TargetInfo &target, CalibrationKernels kernels)
      : target(target), kernels(std::move(kernels)) {
    result.machine = target.machine;
  }
  Expected<Calibration> run(double seconds,
                            function_ref<void(double)> progress);

private:
  void askForSizes();
  Error prepare();
  void addChase(StringRef key, uint64_t bytes);
  Error addPages(StringRef key, uint64_t pages);
  void addRates(StringRef level, uint64_t bytes);
  void addOperation(StringRef key, CalibrationKernels::Function function,
                    void *data, double units, bool isShared = false);
  void addChain(StringRef key, char *first, char *area = nullptr,
                uint64_t bytes = 0);

  double getHertz();
  void measure(Item &item);
  void fit(Item &item);

  bool has(StringRef key) const { return items.count(key.str()); }
  double get(StringRef key) const {
    return getMedian(items.at(key.str()).cycles);
  }
  void set(StringRef key, double &member, double value);
  void findLastCache();
  void fill();
  void fillLevel(StringRef name, double &latency, double &read, double &write,
                 double &copy);
  void order();

  const TargetInfo &target;
  CalibrationKernels kernels;
  Calibration result;
  std::map<std::string, Item> items;
  std::vector<Memory> memories;
  std::vector<double> hertz;
  char *arrays = nullptr; // for rates
  char *chains = nullptr; // for latencies
  unsigned numChains = 0;
  uint64_t far = 0;            // bytes that are in no cache
  std::vector<uint64_t> sizes; // of chains that find the last cache
};

/// Three digits are more than a second run would repeat.
double roundNumber(double value) {
  if (value <= 0)
    return value;
  double scale = std::pow(10, 2 - std::floor(std::log10(value)));
  return std::round(value * scale) / scale;
}

uint64_t askSystem(int name) {
  long value = sysconf(name);
  return value > 0 ? uint64_t(value) : 0;
}

} // namespace

/// Sizes and ways as the C library has them from the processor or from /sys. A
/// guest is told of caches that it shares with many: the last one is measured.
void Calibrator::askForSizes() {
  MachineModel &machine = result.machine;
  if (uint64_t line = askSystem(_SC_LEVEL1_DCACHE_LINESIZE);
      isPowerOf2_64(line) && line >= 16 && line <= 1024) {
    machine.lineBytes = line;
    result.asked.insert("line-bytes");
  }
  if (uint64_t page = askSystem(_SC_PAGESIZE); isPowerOf2_64(page)) {
    machine.pageBytes = page;
    result.asked.insert("page-bytes");
  }
  auto ask = [&](StringRef name, CacheModel &cache, int size, int ways) {
    uint64_t bytes = askSystem(size), count = askSystem(ways);
    if (bytes == 0)
      return;
    if (count == 0 || bytes % (count * machine.lineBytes) != 0)
      count = cache.ways;
    if (count == 0 || bytes % (count * machine.lineBytes) != 0)
      return;
    cache.bytes = bytes;
    cache.ways = count;
    result.asked.insert({(name + ".bytes").str(), (name + ".ways").str()});
  };
  ask("l1", machine.l1, _SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL1_DCACHE_ASSOC);
  ask("l2", machine.l2, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL2_CACHE_ASSOC);
}

/// Cycles a second, now.
double Calibrator::getHertz() {
  // 20 microseconds, beside which reading the clock is nothing.
  constexpr int64_t kCount = 600;
  [[maybe_unused]] volatile int64_t sink;
  double seconds = takeTime([&] { sink = kernels.clock(nullptr, kCount); });
  return double(kCount * CalibrationKernels::kSteps) / seconds;
}

void Calibrator::measure(Item &item) {
  // Others have been there since the last reading. A last cache may keep what
  // is read again, and not what passes by once.
  if (item.area && item.isWarm)
    for (int pass = 0; pass < 3; ++pass)
      kernels.read(item.area, item.areaBlocks);
  else if (item.isWarm)
    item.run();
  if (item.pieces)
    item.data =
        arrays + int64_t(item.cycles.size()) % item.pieces * item.pieceBytes;
  double before = getHertz();
  double seconds = item.time();
  double after = getHertz();
  // Of a clock that was read while somebody else ran, the faster one is right.
  double now = std::max(before, after);
  hertz.push_back(now);
  double units = double(item.calls * item.count) * item.unitsPerCount;
  item.cycles.push_back(seconds * now / units);
}

/// Has one reading take some tenths of a millisecond, by trying: by more calls
/// where a call is a pass over memory, else by a larger count.
void Calibrator::fit(Item &item) {
  constexpr double kSeconds = 3e-4;
  for (int round = 0; round < 30; ++round) {
    double seconds = item.time();
    if (seconds >= kSeconds / 2)
      return;
    int64_t &number = item.data == arrays ? item.calls : item.count;
    number = std::max<int64_t>(
        number + 1,
        int64_t(double(number) *
                std::clamp(kSeconds / std::max(seconds, 1e-9), 1.5, 8.0)));
  }
}

void Calibrator::addOperation(StringRef key,
                              CalibrationKernels::Function function, void *data,
                              double units, bool isShared) {
  Item item = {function, data, 16, units};
  item.isShared = isShared;
  fit(item);
  items.emplace(key.str(), std::move(item));
}

/// A reading goes on where the last one stopped. All of `area` is to be in the
/// caches then; of memory that is larger than they are, nothing.
void Calibrator::addChain(StringRef key, char *first, char *area,
                          uint64_t bytes) {
  int64_t steps = bytes > result.machine.l2.bytes ? 2048 : 16384;
  Item item = {kernels.chase, first, steps / CalibrationKernels::kLoads,
               CalibrationKernels::kLoads};
  item.isChain = true;
  item.isWarm = bytes < far;
  item.area = area;
  item.areaBlocks = int64_t(bytes) /
                    (CalibrationKernels::kBlockVectors * kernels.vectorBytes);
  items.emplace(key.str(), std::move(item));
}

/// A chain through lines of the first so many bytes of `chains`: all, or those
/// of some groups of pages. Each chain has a word of its own in a line.
void Calibrator::addChase(StringRef key, uint64_t bytes) {
  constexpr uint64_t kPages = 16, kGroups = 64;
  uint64_t line = result.machine.lineBytes;
  uint64_t lines = std::max<uint64_t>(bytes / line, 2);
  uint64_t group = std::min(kPages * result.machine.pageBytes / line, lines);
  std::mt19937_64 random(1);
  std::vector<uint32_t> groups(divideCeil(lines, group)), order;
  std::iota(groups.begin(), groups.end(), 0);
  std::shuffle(groups.begin(), groups.end(), random);
  groups.resize(std::min<size_t>(groups.size(), kGroups));
  for (uint32_t number : groups) {
    size_t begin = order.size();
    for (uint64_t i = number * group; i < std::min((number + 1) * group, lines);
         ++i)
      order.push_back(uint32_t(i));
    std::shuffle(order.begin() + begin, order.end(), random);
  }
  auto getPlace = [&](size_t i) {
    return chains + order[i % order.size()] * line + numChains * sizeof(char *);
  };
  for (size_t i = 0; i < order.size(); ++i)
    *reinterpret_cast<char **>(getPlace(i)) = getPlace(i + 1);
  addChain(key, getPlace(0), chains, bytes);
  numChains = (numChains + 1) % (line / sizeof(char *));
}

/// A chain through a line of each of so many pages, all of them in the near
/// caches: lines are those of different sets.
Error Calibrator::addPages(StringRef key, uint64_t pages) {
  const MachineModel &machine = result.machine;
  Expected<Memory> memory = Memory::create(pages * machine.pageBytes,
                                           /*wantsLargePages=*/false);
  if (!memory)
    return memory.takeError();
  uint64_t linesPerPage = machine.pageBytes / machine.lineBytes;
  std::vector<uint32_t> order(pages);
  std::iota(order.begin(), order.end(), 0);
  std::mt19937_64 random(1);
  std::shuffle(order.begin(), order.end(), random);
  auto getPlace = [&](uint64_t i) {
    uint64_t page = order[i % pages];
    return memory->get() + page * machine.pageBytes +
           page % linesPerPage * machine.lineBytes;
  };
  for (uint64_t i = 0; i < pages; ++i)
    *reinterpret_cast<char **>(getPlace(i)) = getPlace(i + 1);
  addChain(key, getPlace(0));
  items.at(key.str()).count = int64_t(
      divideCeil(std::max<uint64_t>(pages, 16384), CalibrationKernels::kLoads));
  memories.push_back(std::move(*memory));
  return Error::success();
}

/// Passes over an array that the level holds, and no nearer one.
void Calibrator::addRates(StringRef level, uint64_t bytes) {
  int64_t block = CalibrationKernels::kBlockVectors * kernels.vectorBytes;
  int64_t blocks = std::max<int64_t>(int64_t(bytes) / block, 1);
  auto add = [&](StringRef what, CalibrationKernels::Function function,
                 int64_t count, double perCount) {
    // Before it counts, the array is where it belongs.
    Item item = {function, arrays, count, perCount};
    // Of memory an eighth at a time.
    if (bytes == far) {
      item.isWarm = false;
      item.pieces = 8;
      item.count /= item.pieces;
      item.pieceBytes = int64_t(far) / item.pieces;
    }
    fit(item);
    items.emplace((level + "." + what).str(), std::move(item));
  };
  add("read", kernels.read, blocks, double(block));
  add("write", kernels.write, blocks, double(block));
  add("copy", kernels.copy, std::max<int64_t>(blocks / 2, 1),
      2.0 * double(block));
}

Error Calibrator::prepare() {
  askForSizes();
  const MachineModel &machine = result.machine;
  uint64_t memory = uint64_t(sysconf(_SC_PHYS_PAGES)) * machine.pageBytes;
  // More than is in a cache, and no more than a small machine can spare.
  constexpr uint64_t kLeast = uint64_t(128) << 20, kMost = 4 * kLeast;
  far = std::min(std::clamp(4 * machine.l3.bytes, kLeast, kMost), memory / 8);
  far = alignDown(far, 1 << 20);
  for (char **place : {&arrays, &chains}) {
    Expected<Memory> array =
        Memory::create(far + (1 << 20), /*wantsLargePages=*/true);
    if (!array)
      return array.takeError();
    *place = array->get();
    memories.push_back(std::move(*array));
    std::fill(*place, *place + far + (1 << 20), 0);
  }

  addChase("l1.latency", machine.l1.bytes / 2);
  addRates("l1", machine.l1.bytes / 2);
  if (machine.l2.bytes) {
    addChase("l2.latency", machine.l2.bytes / 2);
    addRates("l2", machine.l2.bytes / 2);
  }
  if (machine.l3.bytes) {
    // An eighth of it may be in L2.
    uint64_t bytes = std::min(8 * machine.l2.bytes, machine.l3.bytes / 2);
    addChase("l3.latency", bytes);
    addRates("l3", bytes);
    // A line has words for eight chains.
    for (double part : {0.5, 0.75, 1.25, 2.5}) {
      uint64_t size = alignDown(uint64_t(part * double(machine.l3.bytes)),
                                16 * machine.pageBytes);
      if (size <= bytes || size >= far)
        continue;
      addChase("size " + std::to_string(size), size);
      sizes.push_back(size);
    }
  }
  addChase("memory.latency", far);
  addRates("memory", far);
  if (Error error = addPages("tlb1.miss", 4 * machine.tlb1.entries))
    return error;
  if (Error error = addPages("tlb2.miss", 2 * machine.tlb2.entries))
    return error;

  double chains = kernels.numChains;
  addOperation("fmas", kernels.fma, nullptr, chains);
  addOperation("adds", kernels.add, nullptr, chains);
  addOperation("vector-alu", kernels.logic, nullptr, chains);
  addOperation("shuffles", kernels.shuffle, nullptr, chains);
  addOperation("fma-latency", kernels.fmaChain, nullptr, 1);
  addOperation("add-latency", kernels.addChain, nullptr, 1);
  if (kernels.maskedStore)
    addOperation("masked-store", kernels.maskedStore, arrays,
                 CalibrationKernels::kBlockVectors);
  addOperation("call", kernels.call, reinterpret_cast<void *>(kernels.empty),
               CalibrationKernels::kCalls);
  addOperation("thread-start", kernels.threads, nullptr, 1, /*isShared=*/true);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// From readings to a model
//===----------------------------------------------------------------------===//

void Calibrator::set(StringRef key, double &member, double value) {
  member = roundNumber(value);
  result.measured.insert(key.str());
}

/// The last cache is what latencies are still nearer to its own than to the
/// memory's for: a guest may be told of one that it shares with a hundred.
void Calibrator::findLastCache() {
  CacheModel &l3 = result.machine.l3;
  double near = get("l3.latency"), far = get("memory.latency");
  double middle = std::sqrt(near * far);
  uint64_t found = 0;
  for (uint64_t size : sizes) {
    if (get("size " + std::to_string(size)) > middle)
      break;
    found = size;
  }
  uint64_t told = askSystem(_SC_LEVEL3_CACHE_SIZE);
  // The table's, if it is larger than what is near and smaller than the next.
  if (found == 0 || (l3.bytes > found && l3.bytes < found + found))
    return;
  if (told >= found && told <= found + found / 2)
    found = told;
  uint64_t step = l3.ways * result.machine.lineBytes;
  l3.bytes = std::max(alignDown(found, step), step);
  result.measured.insert("l3.bytes");
}

void Calibrator::fillLevel(StringRef name, double &latency, double &read,
                           double &write, double &copy) {
  auto key = [&](StringRef what) { return (name + "." + what).str(); };
  set(key("latency"), latency, get(key("latency")));
  set(key("read"), read, 1 / get(key("read")));
  set(key("write"), write, 1 / get(key("write")));
  set(key("copy"), copy, 1 / get(key("copy")));
}

void Calibrator::fill() {
  MachineModel &machine = result.machine;
  set("clock", machine.gigahertz, getMedian(hertz) / 1e9);
  machine.vectorBits = target.vectorBits;
  machine.vectorRegisters = target.vectorRegisters;
  machine.portBits = std::min(machine.portBits, machine.vectorBits);
  // Ports take so many turns for a vector.
  double turns = double(machine.vectorBits) / double(machine.portBits);
  auto setRate = [&](StringRef key, double &member) {
    set(key, member, turns / get(key));
  };
  setRate("fmas", machine.fmas);
  setRate("adds", machine.adds);
  setRate("vector-alu", machine.vectorAlu);
  setRate("shuffles", machine.shuffles);
  set("fma-latency", machine.fmaLatency, get("fma-latency"));
  set("add-latency", machine.addLatency, get("add-latency"));
  // Of this machine's masks; of the others it is as in the table.
  if (has("masked-store")) {
    if (target.maskedOps)
      set("masked-store", machine.maskedStore, get("masked-store"));
    else
      set("avx-masked-store", machine.avxMaskedStore, get("masked-store"));
  }

  CacheModel &l1 = machine.l1, &l2 = machine.l2, &l3 = machine.l3;
  fillLevel("l1", l1.latency, l1.read, l1.write, l1.copy);
  double bytes = double(machine.portBits) / 8;
  set("loads", machine.loads, l1.read / bytes);
  set("stores", machine.stores, l1.write / bytes);
  if (l2.bytes)
    fillLevel("l2", l2.latency, l2.read, l2.write, l2.copy);
  if (l3.bytes) {
    fillLevel("l3", l3.latency, l3.read, l3.write, l3.copy);
    findLastCache();
  }
  MemoryModel &memory = machine.memory;
  double read = memory.read;
  fillLevel("memory", memory.latency, memory.read, memory.write, memory.copy);
  // Past the caches as much faster than what is read as in the table.
  memory.stream *= memory.read / read;
  set("tlb1.miss", machine.tlb1.miss,
      std::max(get("tlb1.miss") - l1.latency, 0.0));
  set("tlb2.miss", machine.tlb2.miss,
      std::max(get("tlb2.miss") - (l2.bytes ? l2 : l1).latency, 0.0));
  set("call", machine.call, get("call"));
  set("thread-start", machine.threadStart, get("thread-start"));
}

/// Puts levels in order, and numbers in the range of their field: a farther
/// level is no faster than a nearer one, whatever was read.
void Calibrator::order() {
  MachineModel &machine = result.machine;
#define EIN_MACHINE_NUMBER(KEY, MEMBER, LEAST, MOST, UNIT)                     \
  if (double(machine.MEMBER) < double(LEAST) ||                                \
      double(machine.MEMBER) > double(MOST)) {                                 \
    result.adjusted.push_back(                                                 \
        formatv("{0} was {1:F2}", KEY, double(machine.MEMBER)));               \
    machine.MEMBER =                                                           \
        std::clamp(double(machine.MEMBER), double(LEAST), double(MOST));       \
  }
#include "target/MachineFields.def"
  struct Level {
    const char *name;
    double *latency, *rates[3];
  };
  auto get = [](const char *name, auto &level) {
    return Level{
        name, &level.latency, {&level.read, &level.write, &level.copy}};
  };
  std::vector<Level> levels = {get("l1", machine.l1)};
  if (machine.l2.bytes)
    levels.push_back(get("l2", machine.l2));
  if (machine.l3.bytes)
    levels.push_back(get("l3", machine.l3));
  levels.push_back(get("memory", machine.memory));
  static constexpr const char *keys[] = {"read", "write", "copy"};
  for (size_t i = 1; i < levels.size(); ++i) {
    auto note = [&](const char *key, double value) {
      result.adjusted.push_back(
          formatv("{0}.{1} was {2:F2}", levels[i].name, key, value));
    };
    if (*levels[i].latency < *levels[i - 1].latency) {
      note("latency", *levels[i].latency);
      *levels[i].latency = *levels[i - 1].latency;
    }
    for (size_t j = 0; j < 3; ++j)
      if (*levels[i].rates[j] > *levels[i - 1].rates[j]) {
        note(keys[j], *levels[i].rates[j]);
        *levels[i].rates[j] = *levels[i - 1].rates[j];
      }
  }
  if (machine.tlb2.miss < machine.tlb1.miss) {
    result.adjusted.push_back(
        formatv("tlb2.miss was {0:F2}", machine.tlb2.miss));
    machine.tlb2.miss = machine.tlb1.miss;
  }
}

Expected<Calibration> Calibrator::run(double seconds,
                                      function_ref<void(double)> progress) {
  auto start = Clock::now();
  if (Error error = prepare())
    return std::move(error);
  // A median of fewer readings is no better than one of them; but nobody waits
  // for longer than two minutes.
  constexpr int kLeast = 5;
  constexpr double kMost = 110;
  for (int round = 0; round < kLeast || getSeconds(start) < seconds; ++round)
    for (auto &[key, item] : items) {
      if (getSeconds(start) > kMost && round > 0)
        break;
      measure(item);
      progress(std::min(getSeconds(start) / seconds, 1.0));
    }
  fill();
  order();
  MachineModel &machine = result.machine;
  machine.name = target.machine.name + "-here";
  machine.cpus = {target.cpu};
  // What is written can be read.
  Expected<MachineModel> again = readMachine(printMachine(machine));
  if (!again)
    return createStringError("calibration: numbers that do not fit together: " +
                             toString(again.takeError()));
  return std::move(result);
}

Expected<Calibration> calibrate(const TargetInfo &target, double seconds,
                                function_ref<void(double)> progress) {
  Expected<CalibrationKernels> kernels = CalibrationKernels::create(target);
  if (!kernels)
    return kernels.takeError();
  return Calibrator(target, std::move(*kernels)).run(seconds, progress);
}

std::string printCalibration(const Calibration &calibration,
                             const TargetInfo &target) {
  std::string text = "# Measured by einc for `" + target.cpu + "`.\n";
  for (const std::string &adjusted : calibration.adjusted)
    text += "# Put in order: " + adjusted + ".\n";
  return text + printMachine(calibration.machine, [&](StringRef key) {
           if (calibration.measured.count(key.str()))
             return std::string("measured");
           if (calibration.asked.count(key.str()))
             return std::string("as the system says");
           bool isOurs = key == "format" || key == "name" || key == "cpus";
           return isOurs ? std::string()
                         : "as " + target.machine.name + " in the table";
         });
}

} // namespace ein
