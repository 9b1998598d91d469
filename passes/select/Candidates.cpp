//===- Candidates.cpp - Ways in which an op could run ---------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each candidate is what a selector makes when one of its own choices is taken
// from it, or differs from that in one number that passes take any value of:
// the register tile of a product, how many vectors a
// reduction has at once, how large the blocks of a transposition are, whether
// the next row is prefetched, and whether a result goes past the caches.
//
//===----------------------------------------------------------------------===//

#include "passes/select/Candidates.h"
#include "passes/select/PriceSchedule.h"
#include "passes/select/SelectDots.h"
#include "passes/select/SelectGemm.h"
#include "passes/select/SelectGett.h"
#include "passes/select/SelectReductions.h"
#include "passes/select/SelectTranspose.h"
#include "passes/select/SelectWindows.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <limits>

using namespace mlir;

namespace ein {
namespace {

class Collector {
public:
  Collector(linalg::LinalgOp op, const TargetInfo &target,
            const GivenChoices &given)
      : op(op), target(target), given(given),
        pricer(op, target, given.surroundings, given.assumed) {}

  std::vector<Candidate> collect();

private:
  void add(const Schedule &schedule);
  void sort();
  void addVariants(const Schedule &base);

  linalg::LinalgOp op;
  const TargetInfo &target;
  const GivenChoices &given;
  OpPricer pricer;
  std::vector<Candidate> candidates;
  llvm::DenseSet<Attribute> seen; // one per candidate
};

} // namespace

void sortByPrice(std::vector<Candidate> &candidates) {
  llvm::stable_sort(candidates, [](const Candidate &a, const Candidate &b) {
    return a.cost->cycles < b.cost->cycles;
  });
}

void sortByWork(std::vector<Candidate> &candidates) {
  sortByPrice(candidates);
  if (candidates.empty())
    return;
  double most = candidates.front().cost->cycles * kAbout;
  auto end = llvm::find_if(candidates, [&](const Candidate &candidate) {
    return candidate.cost->cycles > most;
  });
  auto getWork = [](const Candidate &candidate) {
    return candidate.cost->issueCycles + candidate.cost->latencyCycles;
  };
  auto best = std::min_element(candidates.begin(), end,
                               [&](const Candidate &a, const Candidate &b) {
                                 return getWork(a) < getWork(b);
                               });
  std::rotate(candidates.begin(), best, best + 1);
}

void Collector::add(const Schedule &schedule) {
  Attribute text = schedule.toAttr(op.getContext());
  if (!seen.insert(text).second)
    return;
  candidates.push_back({schedule, pricer.price(schedule)});
}

/// The first one stays where it is.
void Collector::sort() {
  auto getCycles = [](const Candidate &candidate) {
    return candidate.cost ? candidate.cost->cycles
                          : std::numeric_limits<double>::infinity();
  };
  std::stable_sort(candidates.begin() + 1, candidates.end(),
                   [&](const Candidate &a, const Candidate &b) {
                     return getCycles(a) < getCycles(b);
                   });
}

SmallVector<int64_t> getOtherBlocks(int64_t size, int64_t block, int64_t step) {
  bool isDynamic = ShapedType::isDynamic(size);
  SmallVector<int64_t> blocks;
  auto add = [&](int64_t wanted) {
    wanted = std::max(wanted / step, int64_t(1)) * step;
    if (!isDynamic)
      wanted = getEvenBlock(size, wanted, step);
    if (wanted >= step && wanted != block && (isDynamic || wanted < size))
      blocks.push_back(wanted);
  };
  if (block != 0) {
    add(block / 2);
    add(2 * block);
    if (!isDynamic)
      blocks.push_back(0);
  } else if (!isDynamic) {
    add(llvm::divideCeil(size, 2));
  }
  return blocks;
}

SmallVector<int64_t> getBlockLadder(int64_t size, int64_t step, int64_t end) {
  if (!ShapedType::isDynamic(size))
    end = std::min(end, size);
  SmallVector<int64_t> blocks;
  for (int64_t block = step; block < end; block *= 2)
    blocks.push_back(block);
  return blocks;
}

void Collector::addVariants(const Schedule &base) {
  auto addWith = [&](auto change) {
    Schedule schedule = base;
    change(schedule);
    add(schedule);
  };
  switch (base.kind) {
  case Schedule::PackedGemm:
    addWith([](Schedule &s) { s.prefetch = !s.prefetch; });
    return;
  case Schedule::Reduce:
    addWith([](Schedule &s) { s.prefetch = !s.prefetch; });
    return;
  case Schedule::Vectorize:
    addWith([](Schedule &s) { s.prefetch = !s.prefetch; });
    if (base.streamBytes != 0)
      addWith([](Schedule &s) { s.streamBytes = 0; });
    return;
  default:
    return;
  }
}

std::vector<Candidate> Collector::collect() {
  add(selectSchedule(op, target, given));
  for (StringRef packing : {"never", "always", "dots"}) {
    GivenChoices choices = given;
    choices.packing = packing;
    add(selectSchedule(op, target, choices));
  }
  for (const Candidate &way : listGetts(op, target, given))
    add(way.schedule);
  for (const Candidate &way : listPackedGemms(op, target, given))
    add(way.schedule);
  GivenChoices along = given;
  along.packing = "dots";
  for (const Schedule &way : listDots(op, target, along))
    add(way);
  for (const Candidate &way : listWindows(op, target, given))
    add(way.schedule);
  if (!candidates.empty() &&
      candidates.front().schedule.kind == Schedule::Reduce)
    for (const Candidate &way : listReductions(op, target))
      add(way.schedule);
  if (!candidates.empty() &&
      candidates.front().schedule.kind == Schedule::Transpose)
    for (const Candidate &way : listTransposes(op, target, given))
      add(way.schedule);
  add(Schedule());
  sort();
  // Of the best by now, and of the first, other blocks and the like.
  for (size_t i = 0, e = std::min(Listed::kVaried, candidates.size()); i < e;
       ++i)
    addVariants(Schedule(candidates[i].schedule));
  sort();
  return std::move(candidates);
}

std::vector<Candidate> collectCandidates(linalg::LinalgOp op,
                                         const TargetInfo &target,
                                         const GivenChoices &given) {
  return Collector(op, target, given).collect();
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

static void printMap(llvm::raw_ostream &os, AffineMap map) {
  os << "(";
  llvm::interleaveComma(map.getResults(), os);
  os << ")";
}

static void printType(llvm::raw_ostream &os, Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped) {
    os << type;
    return;
  }
  for (int64_t size : shaped.getShape()) {
    if (ShapedType::isDynamic(size))
      os << "?";
    else
      os << size;
    os << "x";
  }
  os << shaped.getElementType();
}

/// The body, with numbers for names.
static void printBody(llvm::raw_ostream &os, Block &block) {
  llvm::DenseMap<Value, unsigned> numbers;
  for (BlockArgument argument : block.getArguments())
    numbers[argument] = numbers.size();
  for (Operation &inner : block) {
    os << inner.getName() << inner.getAttrDictionary();
    for (Value operand : inner.getOperands()) {
      auto number = numbers.find(operand);
      if (number != numbers.end())
        os << " %" << number->second;
      else if (Operation *outside = operand.getDefiningOp())
        os << " " << outside->getName() << outside->getAttrDictionary();
      else
        os << " outside";
    }
    os << ":" << inner.getResultTypes() << "\n";
    for (Value result : inner.getResults())
      numbers[result] = numbers.size();
  }
}

std::string describeKey(linalg::LinalgOp op) {
  std::string key, body;
  llvm::raw_string_ostream os(key), bodyStream(body);
  printBody(bodyStream, op->getRegion(0).front());
  for (utils::IteratorType iterator : op.getIteratorTypesArray())
    bodyStream << utils::stringifyIteratorType(iterator)[0];
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  os << op->getName().stripDialect() << " ";
  unsigned numInputs = op.getNumDpsInputs();
  for (auto [i, map] : llvm::enumerate(maps)) {
    if (i != 0)
      os << (i == numInputs ? " -> " : ", ");
    printMap(os, map);
  }
  os << " of ";
  llvm::interleaveComma(op->getOperandTypes(), os,
                        [&](Type type) { printType(os, type); });
  os << " body " << llvm::format_hex_no_prefix(llvm::xxh3_64bits(body), 16);
  return key;
}

} // namespace ein
