//===- IndexNames.cpp - What the source calls the loops of an op ----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/IndexNames.h"
#include "ir/EinDialect.h"
#include "ir/Signature.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace mlir;

namespace ein {

/// The metadata that a location has; null if it has none of ours.
static ArrayAttr getMetadata(Location loc) {
  auto fused = dyn_cast<FusedLoc>(loc);
  return fused ? dyn_cast_or_null<ArrayAttr>(fused.getMetadata()) : ArrayAttr();
}

/// The location without metadata of ours.
static Location getBare(Location loc) {
  auto fused = dyn_cast<FusedLoc>(loc);
  return fused && getMetadata(loc) && fused.getLocations().size() == 1
             ? fused.getLocations().front()
             : loc;
}

/// Names of indices, then other places.
static Location withMetadata(Location loc, ArrayRef<Attribute> names,
                             ArrayRef<Attribute> places) {
  SmallVector<Attribute> all(names);
  llvm::append_range(all, places);
  MLIRContext *context = loc.getContext();
  return all.empty() ? loc
                     : Location(FusedLoc::get(context, {loc},
                                              ArrayAttr::get(context, all)));
}

/// Of the metadata, the names; what follows are the other places.
static size_t countNames(ArrayRef<Attribute> all) {
  return llvm::partition_point(all, llvm::IsaPred<StringAttr>) - all.begin();
}

static ArrayRef<Attribute> getNames(Location loc) {
  ArrayAttr all = getMetadata(loc);
  return all ? all.getValue().take_front(countNames(all.getValue()))
             : ArrayRef<Attribute>();
}

static ArrayRef<Attribute> getOtherPlaces(Location loc) {
  ArrayAttr all = getMetadata(loc);
  return all ? all.getValue().drop_front(countNames(all.getValue()))
             : ArrayRef<Attribute>();
}

Location withIndexNames(Location loc, ArrayRef<std::string> names) {
  Builder b(loc.getContext());
  SmallVector<Attribute> texts =
      llvm::map_to_vector(names, [&](StringRef name) -> Attribute {
        return b.getStringAttr(name);
      });
  return withMetadata(getBare(loc), texts, getOtherPlaces(loc));
}

Location selectIndexNames(Location loc, ArrayRef<unsigned> dims) {
  ArrayRef<Attribute> names = getNames(loc);
  if (names.empty())
    return loc;
  SmallVector<Attribute> selected;
  for (unsigned dim : dims) {
    if (dim >= names.size())
      return withMetadata(getBare(loc), {}, getOtherPlaces(loc));
    selected.push_back(names[dim]);
  }
  return withMetadata(getBare(loc), selected, getOtherPlaces(loc));
}

Location joinIndexNames(Location loc, ArrayRef<SmallVector<unsigned>> groups) {
  ArrayRef<Attribute> names = getNames(loc);
  if (names.empty())
    return loc;
  SmallVector<std::string> joined;
  for (ArrayRef<unsigned> dims : groups) {
    std::string name;
    for (unsigned dim : dims) {
      if (dim >= names.size())
        return withMetadata(getBare(loc), {}, getOtherPlaces(loc));
      name += (name.empty() ? "" : " ") + cast<StringAttr>(names[dim]).str();
    }
    joined.push_back(dims.size() == 1 ? name : "(" + name + ")");
  }
  return withIndexNames(loc, joined);
}

SmallVector<std::string> getIndexNames(Location loc, unsigned numLoops) {
  ArrayRef<Attribute> names = getNames(loc);
  SmallVector<std::string> result;
  for (unsigned dim = 0; dim < numLoops; ++dim)
    result.push_back(names.size() == numLoops
                         ? cast<StringAttr>(names[dim]).str()
                         : "d" + std::to_string(dim));
  return result;
}

Location withTensorName(Location loc, StringRef name) {
  Location bare = getBare(loc);
  if (auto named = dyn_cast<NameLoc>(bare))
    bare = named.getChildLoc();
  Location named = NameLoc::get(StringAttr::get(loc.getContext(), name), bare);
  // There may be thousands of names, and as many parts that have them.
  ArrayAttr metadata = getMetadata(loc);
  return metadata ? Location(FusedLoc::get(loc.getContext(), {named}, metadata))
                  : named;
}

Location ofTensorPart(Location loc, unsigned number) {
  StringRef name = getTensorName(loc);
  return name.empty() ? loc
                      : withTensorName(
                            loc, (name + "." + llvm::Twine(number + 1)).str());
}

StringRef getTensorName(Location loc) {
  auto named = dyn_cast<NameLoc>(getBare(loc));
  return named ? named.getName().getValue() : StringRef();
}

/// What `value` is a part of, or another state of; null if it is nothing's.
static Value getWhole(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && argument != loop.getInductionVar()
               ? loop.getTiedLoopInit(argument)->get()
               : Value();
  }
  Operation *op = value.getDefiningOp();
  if (isa<tensor::ExtractSliceOp, tensor::CollapseShapeOp,
          tensor::ExpandShapeOp, tensor::CastOp>(op))
    return op->getOperand(0);
  return {};
}

std::string getTensorName(Value value) {
  while (Value whole = getWhole(value))
    value = whole;
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return getTensorName(value.getLoc()).str();
  Operation *function = argument.getOwner()->getParentOp();
  if (!isa<FunctionOpInterface>(function) ||
      !function->hasAttr(EinDialect::kSignatureAttr))
    return "";
  FailureOr<Signature> signature = Signature::fromOp(function);
  unsigned number = argument.getArgNumber();
  return succeeded(signature) && number < signature->arguments.size()
             ? signature->arguments[number].name
             : "";
}

Location withPlacesOf(Location loc, Location other) {
  SmallVector<FileLineColLoc> own = getPlaces(loc);
  llvm::SmallDenseSet<Attribute> known(own.begin(), own.end());
  SmallVector<Attribute> places(getOtherPlaces(loc));
  for (FileLineColLoc place : getPlaces(other))
    if (known.insert(place).second)
      places.push_back(place);
  return withMetadata(getBare(loc), getNames(loc), places);
}

SmallVector<FileLineColLoc> getPlaces(Location loc) {
  SmallVector<FileLineColLoc> places;
  llvm::SmallDenseSet<Attribute> known;
  if (auto own = loc->findInstanceOf<FileLineColLoc>()) {
    places.push_back(own);
    known.insert(own);
  }
  for (Attribute other : getOtherPlaces(loc))
    if (auto place = dyn_cast<FileLineColLoc>(other);
        place && known.insert(place).second)
      places.push_back(place);
  return places;
}

} // namespace ein
