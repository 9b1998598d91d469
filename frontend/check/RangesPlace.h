//===- RangesPlace.h - Where indices stand ----------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: the accesses of a statement. Comes out: each of their dims as a
// place, with what stands there and what bounds it. Both who looks for ranges
// and who checks that nothing is outside go through these.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_RANGESPLACE_H
#define EIN_FRONTEND_CHECK_RANGESPLACE_H

#include "frontend/check/Ranges.h"
#include "llvm/ADT/STLExtras.h"

namespace ein {

/// A dim of an access.
struct Place {
  const AccessSite *site = nullptr;
  size_t dim = 0;
};

class Places {
protected:
  Places(const Def &def, const Statement &statement,
         llvm::ArrayRef<AccessSite> sites, CheckSet &checks,
         DiagnosticEngine &diags)
      : def(def), statement(statement), sites(sites), checks(checks),
        diags(diags), extents(statement.indices.size()) {}

  const Affine &getSubscript(Place place) const {
    return place.site->subscripts[place.dim];
  }
  SourceRange getRange(Place place) const {
    return place.site->ranges[place.dim];
  }
  const Tensor &getTensor(Place place) const { return def[place.site->tensor]; }
  const Affine &getSize(Place place) const {
    return getTensor(place).dims[place.dim];
  }
  int64_t getDivisor(Place place) const {
    const std::vector<int64_t> &divisors = place.site->divisors;
    return divisors.empty() ? 1 : divisors[place.dim];
  }
  /// What bounds the subscript.
  Affine getDim(Place place) const {
    return getSize(place) * getDivisor(place);
  }
  const std::string &getName(IndexId id) const {
    return statement.indices[id.value].name;
  }
  /// The index that stands alone there, and has its range from that.
  std::optional<IndexId> getLoneIndex(Place place) const {
    std::optional<IndexId> index = getSubscript(place).getSingleIndex();
    return index && getDivisor(place) == 1 &&
                   !statement.indices[index->value].isGiven
               ? index
               : std::nullopt;
  }
  bool isKnown(IndexId id) const { return extents[id.value].has_value(); }
  /// For the texts of checks, which are read beside sizes.
  std::string getCheckName(IndexId id) const {
    return checks.names.getNameBesideSizes(statement, id);
  }
  std::string describeExtent(IndexId id, Place place) const {
    return "extent of `" + getCheckName(id) + "` from `" +
           getTensor(place).name + "`";
  }
  std::string str(const Affine &expr) const {
    return expr.str([&](IndexId id) { return llvm::StringRef(getName(id)); },
                    [&](SymbolId id) { return llvm::StringRef(def[id].name); });
  }
  /// As it is written.
  std::string str(Place place) const {
    return strQuotient(str(getSubscript(place)), getSubscript(place),
                       getDivisor(place));
  }
  void forEachPlace(llvm::function_ref<void(Place)> callback) const {
    for (const AccessSite &site : sites)
      for (size_t dim = 0, e = site.subscripts.size(); dim != e; ++dim)
        if (!llvm::is_contained(site.computedDims, dim))
          callback({&site, dim});
  }

  /// The least or the greatest value of a subscript over its indices' ranges.
  Affine getExtreme(const Affine &subscript, bool isMax,
                    std::optional<IndexId> except = std::nullopt) const {
    return ein::getExtreme(subscript, isMax, [&](IndexId id) {
      return id == except ? Affine(1) : *extents[id.value];
    });
  }
  llvm::LogicalResult reportOverflow(SourceRange range) {
    return diags.report(DiagId::ArithmeticOverflow, range);
  }

  const Def &def;
  const Statement &statement;
  llvm::ArrayRef<AccessSite> sites;
  CheckSet &checks;
  DiagnosticEngine &diags;
  std::vector<std::optional<Affine>> extents; // by IndexId
};

} // namespace ein

#endif // EIN_FRONTEND_CHECK_RANGESPLACE_H
