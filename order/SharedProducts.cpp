//===- SharedProducts.cpp - Products that several sums need ---------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: orders that are found one by one make the same products only if
// these happen to be in the best order of each.
//
// Choice: candidates are sets of operands that two einsums have, or one has
// twice, with the same indices left; they are common subexpressions up to the
// order of factors. What each einsum costs if some products are there already
// is known exactly (SubsetSearch). So candidates are taken one at a time, the
// one that saves the most first, as long as all einsums together get cheaper,
// as in the greedy search for common subexpressions of A. Hartono, Q. Lu,
// X. Gao, S. Krishnamoorthy, M. Nooijen, G. Baumgartner, D. Bernholdt,
// V. Choppella, R. Pitzer, J. Ramanujam, A. Rountev and P. Sadayappan,
// "Identifying cost-effective common subexpressions to reduce operation count
// in tensor contraction evaluations", ICCS 2006. A candidate's own order is the
// best one beside what has been taken.
//
// Consequence: each choice is one that pays; two that only pay together are not
// seen. Work is counted in splits and bounded, so that the result depends on
// nothing else.
//
//===----------------------------------------------------------------------===//

#include "order/SharedProducts.h"
#include "order/OrderProblem.h"
#include "order/SearchKnobs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include <cmath>
#include <map>

using namespace llvm;

namespace ein {

//===----------------------------------------------------------------------===//
// Sums by number
//===----------------------------------------------------------------------===//

namespace {

/// Numbers sums of products of two: equal ones, up to the names of indices and
/// the order of factors, have one number.
class SumNumbers {
public:
  using Operand = EinsumOfSeveral::Operand;

  /// The product, of which the labels in `result` are left; its dims are in an
  /// order that is the same for equal ones. No tensor if nothing is summed or
  /// an operand has none.
  Operand multiply(const Operand &lhs, const Operand &rhs,
                   const SmallBitVector &result, unsigned type);

private:
  using Key = std::vector<unsigned>;
  static Key makeKey(const Operand &lhs, const Operand &rhs,
                     const SmallBitVector &result, unsigned type,
                     SmallVectorImpl<unsigned> &labels);

  std::map<Key, unsigned> numbers;
};

} // namespace

/// What tells the product from others, and its labels as they come.
SumNumbers::Key SumNumbers::makeKey(const Operand &lhs, const Operand &rhs,
                                    const SmallBitVector &result, unsigned type,
                                    SmallVectorImpl<unsigned> &labels) {
  Key key = {type};
  for (const Operand *operand : {&lhs, &rhs}) {
    key.push_back(*operand->tensor);
    key.push_back(operand->labels.size());
    for (unsigned label : operand->labels) {
      size_t place = llvm::find(labels, label) - labels.begin();
      if (place == labels.size())
        labels.push_back(label);
      key.push_back(place);
    }
  }
  for (unsigned label : labels)
    key.push_back(result.test(label));
  return key;
}

SumNumbers::Operand SumNumbers::multiply(const Operand &lhs, const Operand &rhs,
                                         const SmallBitVector &result,
                                         unsigned type) {
  if (!lhs.tensor || !rhs.tensor)
    return {};
  SmallVector<unsigned> labels, others;
  Key key = makeKey(lhs, rhs, result, type, labels);
  Key other = makeKey(rhs, lhs, result, type, others);
  if (other < key) {
    key = std::move(other);
    labels = std::move(others);
  }
  auto isSummed = [&](unsigned label) { return !result.test(label); };
  if (none_of(labels, isSummed))
    return {};
  erase_if(labels, isSummed);
  // What is given has numbers from 0, what is made from the largest one down.
  unsigned next = ~0u - numbers.size();
  return {numbers.try_emplace(std::move(key), next).first->second, labels};
}

/// The sums that the steps make.
static SmallVector<EinsumOfSeveral::Operand>
numberSteps(SumNumbers &numbers, const EinsumOfSeveral &einsum,
            const ContractionPath &path) {
  SmallVector<EinsumOfSeveral::Operand> tensors(einsum.operands);
  for (const ContractionStep &step : path.steps)
    tensors.push_back(numbers.multiply(tensors[step.lhs], tensors[step.rhs],
                                       step.result, einsum.type));
  tensors.erase(tensors.begin(), tensors.begin() + einsum.operands.size());
  return tensors;
}

void countSharedFlops(ArrayRef<EinsumOfSeveral> einsums,
                      MutableArrayRef<ContractionPath> paths) {
  SumNumbers numbers;
  std::vector<SmallVector<EinsumOfSeveral::Operand>> steps;
  // By sum, whose it is, and whether it has been counted.
  struct Owner {
    size_t einsum;
    bool isCounted;
  };
  std::map<unsigned, Owner> owners;
  for (auto [i, einsum] : enumerate(einsums)) {
    steps.push_back(numberSteps(numbers, einsum, paths[i]));
    if (einsum.operands.size() == 2 && einsum.isReadable && !steps[i].empty() &&
        steps[i][0].tensor)
      owners.try_emplace(*steps[i][0].tensor, Owner{i, false});
  }
  for (auto [i, einsum] : enumerate(einsums)) {
    ContractionPath &path = paths[i];
    SmallVector<SmallBitVector> tensors;
    for (const EinsumOfSeveral::Operand &operand : einsum.operands) {
      tensors.emplace_back(einsum.network.labelSizes.size());
      for (unsigned label : operand.labels)
        tensors.back().set(label);
    }
    path.flops = path.additions = 0;
    for (auto [position, step] : enumerate(path.steps)) {
      SmallBitVector labels = tensors[step.lhs];
      labels |= tensors[step.rhs];
      tensors.push_back(step.result);
      // A step of one of several orders is in a branch, where others cannot
      // read what it computes.
      bool isLast = position + 1 == path.steps.size();
      bool isReadable = isLast ? einsum.isReadable
                               : !einsum.isDynamic || step.shared.has_value();
      if (std::optional<unsigned> sum = steps[i][position].tensor) {
        auto owner = owners.find(*sum);
        if (owner != owners.end() &&
            (owner->second.isCounted || owner->second.einsum != i))
          continue;
        if (owner != owners.end())
          owner->second.isCounted = true;
        else if (isReadable)
          owners[*sum] = {i, true};
      }
      double points = 1;
      for (unsigned label : labels.set_bits())
        points = multiplySizes(points, einsum.network.labelSizes[label]);
      path.flops += points;
      if (step.result != labels) {
        path.flops += points;
        path.additions += points;
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

namespace {

/// Where a product is: an einsum, and its operands there, one by one the same.
struct Occurrence {
  unsigned einsum;
  SmallVector<unsigned> operands;
};

/// A product that there is more than once.
struct Candidate {
  SmallVector<Occurrence> occurrences;
  double flops = 0;
};

class SharingSearch {
public:
  SharingSearch(MutableArrayRef<EinsumOfSeveral> einsums,
                const ContractionOrderOptions &options)
      : einsums(einsums), options(options), paths(einsums.size()) {}

  void run();

private:
  void collectCandidates();
  void collectSubsets(unsigned number);
  void dropHopeless();
  std::optional<double> take(const Candidate &candidate);
  void updatePath(unsigned einsum);
  double getTotal();
  SmallVector<std::pair<unsigned, unsigned>>
  findOrder(const Occurrence &occurrence);
  bool addProducts(const Candidate &candidate);

  MutableArrayRef<EinsumOfSeveral> einsums;
  const ContractionOrderOptions &options;
  std::vector<ContractionPath> paths;
  std::map<std::vector<unsigned>, Candidate> byKey;
  std::vector<Candidate> candidates;
  /// What may still be done, in splits of subsets.
  double work = SearchKnobs::kSharingWork;
};

} // namespace

/// The labels of a set of operands that are left when it has been multiplied.
static SmallBitVector getLeft(const ContractionNetwork &network,
                              ArrayRef<unsigned> operands) {
  SmallBitVector all(network.labelSizes.size()), others = network.output;
  for (auto [i, labels] : enumerate(network.operands))
    (is_contained(operands, i) ? all : others) |= labels;
  return all &= others;
}

/// Of a product of tensors, up to the names of labels. Of tensors that are
/// there twice, the order is that of the operands: what is the same but for
/// these is not found.
static std::vector<unsigned> makeKey(const EinsumOfSeveral &einsum,
                                     ArrayRef<unsigned> operands) {
  std::vector<unsigned> key = {einsum.type};
  SmallVector<unsigned> names;
  for (unsigned operand : operands) {
    key.push_back(*einsum.operands[operand].tensor);
    for (unsigned label : einsum.operands[operand].labels) {
      size_t place = llvm::find(names, label) - names.begin();
      if (place == names.size())
        names.push_back(label);
      key.push_back(place);
    }
  }
  SmallBitVector left = getLeft(einsum.network, operands);
  for (unsigned label : names)
    key.push_back(left.test(label));
  return key;
}

/// Whether all of the operands hang together by labels.
static bool isConnected(const ContractionNetwork &network,
                        ArrayRef<unsigned> operands) {
  SmallVector<unsigned> rest(operands.drop_front());
  SmallBitVector reached = network.operands[operands[0]];
  while (!rest.empty()) {
    auto *next = llvm::find_if(rest, [&](unsigned operand) {
      return reached.anyCommon(network.operands[operand]);
    });
    if (next == rest.end())
      return false;
    reached |= network.operands[*next];
    rest.erase(next);
  }
  return true;
}

/// Whether any label is summed in their product.
static bool isSum(const ContractionNetwork &network,
                  ArrayRef<unsigned> operands) {
  SmallBitVector summed(network.labelSizes.size());
  for (unsigned operand : operands)
    summed |= network.operands[operand];
  return summed.reset(getLeft(network, operands)).any();
}

/// Candidates of one einsum.
void SharingSearch::collectSubsets(unsigned number) {
  const EinsumOfSeveral &einsum = einsums[number];
  SmallVector<unsigned> members;
  for (auto [i, operand] : enumerate(einsum.operands))
    if (operand.tensor)
      members.push_back(i);
  // Sets of the same tensors have them in the same order.
  llvm::stable_sort(members, [&](unsigned a, unsigned b) {
    return *einsum.operands[a].tensor < *einsum.operands[b].tensor;
  });
  SmallVector<unsigned> chosen;
  for (uint32_t set = 1; set < uint32_t(1) << members.size(); ++set) {
    chosen.clear();
    for (auto [i, member] : enumerate(members))
      if (set >> i & 1)
        chosen.push_back(member);
    if (chosen.size() < 2 || !isConnected(einsum.network, chosen) ||
        !isSum(einsum.network, chosen))
      continue;
    byKey[makeKey(einsum, chosen)].occurrences.push_back({number, chosen});
  }
}

/// What is there once, or is not there for all sizes.
void SharingSearch::dropHopeless() {
  for (auto &[key, candidate] : byKey) {
    SmallVector<Occurrence> &all = candidate.occurrences;
    unsigned first = all.empty() ? 0 : all.front().einsum;
    bool isThere = any_of(all, [&](const Occurrence &occurrence) {
      const EinsumOfSeveral &einsum = einsums[occurrence.einsum];
      return einsum.operands.size() == 2 &&
             (einsum.isReadable || occurrence.einsum > first);
    });
    if (!isThere)
      erase_if(all, [&](const Occurrence &occurrence) {
        return einsums[occurrence.einsum].isDynamic;
      });
    if (all.size() < 2)
      continue;
    candidates.push_back(std::move(candidate));
  }
  byKey.clear();
}

void SharingSearch::collectCandidates() {
  for (size_t i = 0; i != einsums.size(); ++i)
    collectSubsets(i);
  dropHopeless();
}

/// The part of a network that a product is; its labels are the same.
static ContractionNetwork extract(const ContractionNetwork &network,
                                  ArrayRef<unsigned> operands) {
  ContractionNetwork part;
  part.labelSizes = network.labelSizes;
  for (unsigned operand : operands)
    part.operands.push_back(network.operands[operand]);
  part.output = getLeft(network, operands);
  // Numbers in the part of what there is of it.
  SmallVector<unsigned> numbers(network.operands.size() + network.shared.size(),
                                ~0u);
  for (auto [i, operand] : enumerate(operands))
    numbers[operand] = i;
  for (auto [i, pair] : enumerate(network.shared)) {
    unsigned lhs = numbers[pair.first], rhs = numbers[pair.second];
    if (lhs == ~0u || rhs == ~0u)
      continue;
    numbers[network.operands.size() + i] =
        part.operands.size() + part.shared.size();
    part.shared.push_back({lhs, rhs});
  }
  return part;
}

/// The best order of a product, beside what there is.
SmallVector<std::pair<unsigned, unsigned>>
SharingSearch::findOrder(const Occurrence &occurrence) {
  ContractionNetwork part =
      extract(einsums[occurrence.einsum].network, occurrence.operands);
  work -= std::pow(3.0, part.operands.size()) / 2;
  SmallVector<std::pair<unsigned, unsigned>> pairs;
  for (const ContractionStep &step : findContractionOrder(part, options).steps)
    pairs.push_back({step.lhs, step.rhs});
  return pairs;
}

/// Which operands each member of the network's pairs is made of.
static SmallVector<uint32_t> getSets(const ContractionNetwork &network) {
  SmallVector<uint32_t> sets;
  for (size_t i = 0; i != network.operands.size(); ++i)
    sets.push_back(uint32_t(1) << i);
  for (auto [lhs, rhs] : network.shared)
    sets.push_back(sets[lhs] | sets[rhs]);
  return sets;
}

/// Lets all einsums that have the candidate share it. Whether that is new.
bool SharingSearch::addProducts(const Candidate &candidate) {
  auto order = findOrder(candidate.occurrences.front());
  bool isNew = false;
  for (const Occurrence &occurrence : candidate.occurrences) {
    ContractionNetwork &network = einsums[occurrence.einsum].network;
    SmallVector<unsigned> members(occurrence.operands);
    uint32_t whole = (uint32_t(1) << network.operands.size()) - 1;
    for (auto [lhs, rhs] : order) {
      SmallVector<uint32_t> sets = getSets(network);
      uint32_t set = sets[members[lhs]] | sets[members[rhs]];
      if (set == whole)
        break;
      size_t place = llvm::find(sets, set) - sets.begin();
      members.push_back(place);
      if (place != sets.size())
        continue;
      network.shared.push_back(std::minmax(members[lhs], members[rhs]));
      isNew = true;
    }
  }
  return isNew;
}

void SharingSearch::updatePath(unsigned number) {
  const EinsumOfSeveral &einsum = einsums[number];
  if (einsum.operands.size() < 3) {
    paths[number] = applyContractionOrder(einsum.network, {{0, 1}});
    return;
  }
  work -= std::pow(3.0, einsum.operands.size()) / 2;
  paths[number] = findContractionOrder(einsum.network, options);
}

double SharingSearch::getTotal() {
  double total = 0;
  for (const ContractionPath &path : paths)
    work -= SearchKnobs::kSplitsPerPathStep * path.steps.size();
  countSharedFlops(einsums, paths);
  for (const ContractionPath &path : paths)
    total += path.flops;
  return total;
}

/// Takes a candidate, and returns what all then takes; nothing if it is there
/// already.
std::optional<double> SharingSearch::take(const Candidate &candidate) {
  if (!addProducts(candidate))
    return std::nullopt;
  for (const Occurrence &occurrence : candidate.occurrences)
    updatePath(occurrence.einsum);
  return getTotal();
}

void SharingSearch::run() {
  collectCandidates();
  if (candidates.empty())
    return;
  for (Candidate &candidate : candidates) {
    const Occurrence &first = candidate.occurrences.front();
    candidate.flops =
        findContractionOrder(
            extract(einsums[first.einsum].network, first.operands), options)
            .flops *
        (candidate.occurrences.size() - 1);
  }
  llvm::stable_sort(candidates, [](const Candidate &a, const Candidate &b) {
    return a.flops > b.flops;
  });
  // Where sizes are not known it is one of the orders to choose from.
  for (const Candidate &candidate : candidates)
    if (any_of(candidate.occurrences, [&](const Occurrence &occurrence) {
          return einsums[occurrence.einsum].isDynamic;
        }))
      addProducts(candidate);
  for (size_t i = 0; i != einsums.size(); ++i)
    updatePath(i);
  double total = getTotal();
  for (const Candidate *chosen = &candidates.front(); chosen && work > 0;) {
    constexpr double kLess = 1 - 1e-9;
    double best = total * kLess;
    chosen = nullptr;
    for (const Candidate &candidate : candidates) {
      if (work <= 0)
        break;
      struct Saved {
        unsigned einsum;
        size_t numShared;
        ContractionPath path;
      };
      SmallVector<Saved> saved;
      for (const Occurrence &occurrence : candidate.occurrences)
        saved.push_back({occurrence.einsum,
                         einsums[occurrence.einsum].network.shared.size(),
                         paths[occurrence.einsum]});
      std::optional<double> cost = take(candidate);
      if (!cost)
        continue;
      if (*cost < best) {
        best = *cost;
        chosen = &candidate;
      }
      for (Saved &entry : saved) {
        einsums[entry.einsum].network.shared.truncate(entry.numShared);
        paths[entry.einsum] = entry.path;
      }
    }
    if (chosen)
      total = take(*chosen).value_or(total);
  }
}

void findSharedProducts(MutableArrayRef<EinsumOfSeveral> einsums,
                        const ContractionOrderOptions &options) {
  bool isAny = any_of(einsums, [](const EinsumOfSeveral &einsum) {
    return einsum.isFree && einsum.operands.size() >= 3;
  });
  // What is kept for a later one takes memory in between.
  if (!options.wantsCheapest() || !isAny || options.maxTempBytes != 0)
    return;
  std::map<unsigned, unsigned> numUses;
  auto isEligible = [](const EinsumOfSeveral &einsum) {
    return einsum.isFree && einsum.operands.size() >= 2 &&
           einsum.operands.size() <= SearchKnobs::kMostForSubsets;
  };
  for (const EinsumOfSeveral &einsum : einsums)
    if (isEligible(einsum))
      for (const EinsumOfSeveral::Operand &operand : einsum.operands)
        if (operand.tensor)
          ++numUses[*operand.tensor];
  // What has no two tensors that are elsewhere too has no part in it.
  std::vector<EinsumOfSeveral> involved;
  SmallVector<size_t> places;
  for (auto [place, einsum] : enumerate(einsums)) {
    EinsumOfSeveral own = einsum;
    for (EinsumOfSeveral::Operand &operand : own.operands)
      if (operand.tensor && numUses[*operand.tensor] < 2)
        operand.tensor.reset();
    auto isElsewhere = [](const EinsumOfSeveral::Operand &operand) {
      return operand.tensor.has_value();
    };
    if (!isEligible(own) || count_if(own.operands, isElsewhere) < 2)
      continue;
    involved.push_back(std::move(own));
    places.push_back(place);
  }
  SharingSearch(involved, options).run();
  for (auto [place, einsum] : zip_equal(places, involved))
    einsums[place].network.shared = einsum.network.shared;
}

} // namespace ein
