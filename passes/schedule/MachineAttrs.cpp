//===- MachineAttrs.cpp - Facts of the machine on a module ----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/schedule/MachineAttrs.h"
#include "ir/EinDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace ein {

static constexpr llvm::StringLiteral kBits = "vector_bits", kFMA = "fma",
                                     kMaxima = "comparing_maxima",
                                     kAVX512 = "avx512",
                                     kSums = "sums_of_narrow",
                                     kPairs = "byte_pairs", kDots = "byte_dots",
                                     kTiles = "tiles",
                                     kOuterTiles = "outer_tiles",
                                     kLookUps = "look_ups",
                                     kRounding = "half_rounding";

Attribute toAttr(MLIRContext *context, const VectorInstructions &instructions) {
  Builder b(context);
  SmallVector<NamedAttribute> facts{
      b.getNamedAttr(kBits, b.getI64IntegerAttr(instructions.vectorBits))};
  auto add = [&](StringRef name, bool isThere) {
    if (isThere)
      facts.push_back(b.getNamedAttr(name, b.getUnitAttr()));
  };
  add(kFMA, instructions.fma);
  add(kMaxima, instructions.comparingMaxima);
  add(kAVX512, instructions.avx512);
  add(kSums, instructions.sumsOfNarrow);
  add(kPairs, instructions.bytePairs);
  add(kDots, instructions.byteDots);
  add(kLookUps, instructions.lookUps);
  add(kRounding, instructions.halfRounding);
  const TileRegisters &tiles = instructions.tiles;
  if (tiles.count > 0)
    facts.push_back(b.getNamedAttr(
        tiles.isOuter ? kOuterTiles : kTiles,
        b.getDenseI64ArrayAttr({tiles.count, tiles.rows, tiles.rowBytes})));
  return b.getDictionaryAttr(facts);
}

VectorInstructions getInstructions(Operation *op) {
  VectorInstructions instructions;
  auto module = dyn_cast<ModuleOp>(op);
  if (!module)
    module = op->getParentOfType<ModuleOp>();
  auto facts =
      module
          ? module->getAttrOfType<DictionaryAttr>(EinDialect::kInstructionsAttr)
          : DictionaryAttr();
  if (!facts)
    return instructions;
  if (auto bits = facts.getAs<IntegerAttr>(kBits))
    instructions.vectorBits = bits.getInt();
  instructions.fma = facts.contains(kFMA);
  instructions.comparingMaxima = facts.contains(kMaxima);
  instructions.avx512 = facts.contains(kAVX512);
  instructions.sumsOfNarrow = facts.contains(kSums);
  instructions.bytePairs = facts.contains(kPairs);
  instructions.byteDots = facts.contains(kDots);
  instructions.lookUps = facts.contains(kLookUps);
  instructions.halfRounding = facts.contains(kRounding);
  for (StringRef name : {kTiles, kOuterTiles})
    if (auto tiles = facts.getAs<DenseI64ArrayAttr>(name);
        tiles && tiles.size() == 3)
      instructions.tiles = {tiles[0], tiles[1], tiles[2], name == kOuterTiles};
  return instructions;
}

} // namespace ein
