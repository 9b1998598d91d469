//===- IndexNames.cpp - What the source calls the loops of an op ----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/IndexNames.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace ein {

Location withIndexNames(Location loc, ArrayRef<std::string> names) {
  SmallVector<StringRef> texts(names.begin(), names.end());
  return FusedLoc::get(loc.getContext(), {loc},
                       Builder(loc.getContext()).getStrArrayAttr(texts));
}

/// The names that a location has; null if it has none.
static ArrayAttr getNames(Location loc) {
  auto fused = dyn_cast<FusedLoc>(loc);
  auto names =
      fused ? dyn_cast_or_null<ArrayAttr>(fused.getMetadata()) : ArrayAttr();
  return names && llvm::all_of(names, llvm::IsaPred<StringAttr>) ? names
                                                                 : ArrayAttr();
}

Location selectIndexNames(Location loc, ArrayRef<unsigned> dims) {
  ArrayAttr names = getNames(loc);
  if (!names)
    return loc;
  SmallVector<std::string> selected;
  for (unsigned dim : dims) {
    if (dim >= names.size())
      return cast<FusedLoc>(loc).getLocations().front();
    selected.push_back(cast<StringAttr>(names[dim]).str());
  }
  return withIndexNames(cast<FusedLoc>(loc).getLocations().front(), selected);
}

Location joinIndexNames(Location loc, ArrayRef<SmallVector<unsigned>> groups) {
  ArrayAttr names = getNames(loc);
  if (!names)
    return loc;
  SmallVector<std::string> joined;
  for (ArrayRef<unsigned> dims : groups) {
    std::string name;
    for (unsigned dim : dims) {
      if (dim >= names.size())
        return cast<FusedLoc>(loc).getLocations().front();
      name += (name.empty() ? "" : " ") + cast<StringAttr>(names[dim]).str();
    }
    joined.push_back(dims.size() == 1 ? name : "(" + name + ")");
  }
  return withIndexNames(cast<FusedLoc>(loc).getLocations().front(), joined);
}

SmallVector<std::string> getIndexNames(Location loc, unsigned numLoops) {
  ArrayAttr names = getNames(loc);
  SmallVector<std::string> result;
  for (unsigned dim = 0; dim < numLoops; ++dim)
    result.push_back(names && names.size() == numLoops
                         ? cast<StringAttr>(names[dim]).str()
                         : "d" + std::to_string(dim));
  return result;
}

} // namespace ein
