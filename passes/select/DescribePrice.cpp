//===- DescribePrice.cpp - What an op takes, for people -------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/select/DescribePrice.h"
#include "llvm/Support/Format.h"

namespace ein {

void printCount(llvm::raw_ostream &os, double count) {
  if (count < 1e6)
    os << llvm::format("%.0f", count);
  else
    os << llvm::format("%.3g", count);
}

llvm::StringRef getBoundName(const NestCost &cost) {
  return cost.bound == "issue" ? getName(cost.getBusiestPort()) : cost.bound;
}

llvm::SmallVector<LevelTraffic> getTraffic(const NestCost &cost,
                                           const MachineModel &machine) {
  llvm::SmallVector<LevelTraffic> levels;
  auto add = [&](llvm::StringRef name, size_t i) {
    if (levels.empty() || levels.back().name != name)
      levels.push_back({name});
    levels.back().bytes += cost.movedBytes[i];
    levels.back().cycles += cost.moveCycles[i];
  };
  // As `priceNest` names them.
  add(machine.l2.bytes ? "L2" : "memory", 0);
  add(machine.l3.bytes ? "L3" : "memory", 1);
  add("memory", 2);
  return levels;
}

llvm::SmallVector<PriceTerm> getTerms(const SchedulePrice &price,
                                      const MachineModel &machine) {
  const NestCost &total = price.total, &copies = price.copies,
                 &edges = price.edges;
  llvm::SmallVector<PriceTerm> terms;
  for (size_t port = 0; port < kNumPorts; ++port)
    terms.push_back({getName(Port(port)), total.portCycles[port] -
                                              copies.portCycles[port] -
                                              edges.portCycles[port]});
  terms.push_back({"latency", total.latencyCycles - copies.latencyCycles -
                                  edges.latencyCycles});
  llvm::SmallVector<LevelTraffic> ofCopies = getTraffic(copies, machine),
                                  ofEdges = getTraffic(edges, machine);
  for (auto [i, level] : llvm::enumerate(getTraffic(total, machine)))
    terms.push_back(
        {level.name, level.cycles - ofCopies[i].cycles - ofEdges[i].cycles});
  terms.push_back(
      {"TLB", total.tlbCycles - copies.tlbCycles - edges.tlbCycles});
  terms.push_back({"copies", copies.cycles});
  terms.push_back({"edges", edges.cycles});
  terms.push_back(
      {"waits", total.otherCycles - copies.otherCycles - edges.otherCycles});
  return terms;
}

PriceTerm findLoss(const SchedulePrice &own, const SchedulePrice &other,
                   const MachineModel &machine) {
  PriceTerm loss;
  for (auto [mine, its] :
       llvm::zip_equal(getTerms(own, machine), getTerms(other, machine)))
    if (its.cycles - mine.cycles > loss.cycles)
      loss = {its.name, its.cycles - mine.cycles};
  return loss;
}

std::string describePrice(const SchedulePrice &price,
                          const MachineModel &machine) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printCount(os, price.total.cycles);
  os << " cycles, bound by " << getBoundName(price.total);
  for (const LevelTraffic &level : getTraffic(price.total, machine))
    if (level.bytes > 0) {
      os << "; ";
      printCount(os, level.bytes);
      os << " bytes from and to " << level.name;
    }
  auto printPart = [&](const NestCost &part, llvm::StringRef name) {
    if (part.cycles == 0)
      return;
    os << "; " << name << " ";
    printCount(os, part.cycles);
    os << " cycles";
  };
  printPart(price.copies, "copies");
  printPart(price.edges, "edges");
  return text;
}

} // namespace ein
