//===- CallTiles.cpp - Calls of pack and unpack ---------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many tiles there are follows from how many elements there are, or the
// target says it, and then the code checks when it runs that these are as many
// as are needed.
//
//===----------------------------------------------------------------------===//

#include "frontend/check/Call.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein {

bool CallChecker::hasPadding() const {
  return call.operands.size() > 1 ||
         llvm::any_of(call.named, [](const ast::NamedArgument &named) {
           return named.name.text == "padding_value";
         });
}

/// Makes the def of this call's lists.
LogicalResult CallChecker::decideTiles(ArrayRef<ast::Statement> targets,
                                       const DimLists &lists) {
  Relayout made;
  made.unpacks = def->name.text == "unpack";
  made.positions = lists.lookup("inner_dims_pos");
  made.tiles = lists.lookup("inner_tiles");
  made.order = lists.lookup("outer_dims_perm");
  made.hasPadding = arguments.size() > 1;
  const Argument &source = arguments.front();
  ArrayRef<Affine> dims = builder.def[*source.tensor].dims;
  made.rank = dims.size();
  if (made.unpacks)
    made.rank -= std::min(made.rank, made.tiles.size());
  if (!made.isValid())
    return diags.report(DiagId::RelayoutLists, call.nameRange,
                        {call.text, count(made.rank, "dim")});
  made.outer.resize(made.rank);
  auto isShape = [](const ast::NamedArgument *named) {
    return named->name.text == "shape";
  };
  auto shape = llvm::find_if(namedAttributes, isShape);
  bool hasShape = shape != namedAttributes.end();
  if (hasShape && !made.unpacks)
    return diags.report(DiagId::ArgumentUnknown, (*shape)->name.range,
                        {call.text, "shape"});
  if (made.unpacks) {
    made.isCut = hasShape;
    for (const ast::Statement &target : targets) {
      std::optional<TensorId> id = caller.findTensor(target.target.text);
      made.isCut |= target.type || (id && caller[*id].hasShape);
    }
  } else if (made.hasPadding) {
    for (size_t dim = 0; dim != made.rank; ++dim)
      if (std::optional<int64_t> tile = made.getTile(dim);
          tile && dims[dim].isConstant())
        made.outer[dim] = (dims[dim].getConstant() + *tile - 1) / *tile;
  }
  expanded = makeDef(made, call.nameRange);
  def = &*expanded;
  relayout = std::move(made);
  for (auto [argument, param] : llvm::zip_equal(arguments, def->params))
    argument.param = &param;
  return success();
}

/// Of a size `O1` that nothing says, the tiles that hold all of dim 1.
std::optional<Affine> CallChecker::countTiles(StringRef name) {
  size_t dim;
  if (!name.consume_front("O") || name.getAsInteger(10, dim))
    return std::nullopt;
  int64_t tile = *relayout->getTile(dim);
  const Tensor &source = builder.def[*arguments.front().tensor];
  return scope.checks.divide(source.dims[dim] + Affine(tile - 1), tile,
                             call.nameRange);
}

/// That the tiles cover the elements, and that none of a pack's is unneeded.
LogicalResult CallChecker::checkTiles() {
  auto require = [&](const Affine &expr, size_t dim) -> LogicalResult {
    std::string what =
        "the tiles of dim " + std::to_string(dim) + " in `" + call.text + "`";
    if (isNegative(expr))
      return diags.report(DiagId::RelayoutTiles, call.nameRange,
                          {std::to_string(dim), call.text});
    if (!isNonNegative(builder.def, expr))
      scope.checks.add(
          {SizeCheck::NonNegativeExtent, expr, {}, what, call.nameRange});
    return success();
  };
  for (size_t dim = 0; dim != relayout->rank; ++dim) {
    auto size = scope.symbols.find("S" + std::to_string(dim));
    auto tiles = scope.symbols.find("O" + std::to_string(dim));
    std::optional<int64_t> tile = relayout->getTile(dim);
    if (!tile || size == scope.symbols.end() || tiles == scope.symbols.end())
      continue;
    // As many as countTiles would say.
    std::optional<SymbolId> symbol = tiles->second.getSingleSymbol();
    const auto *quotient = symbol && builder.def[*symbol].quotient
                               ? &*builder.def[*symbol].quotient
                               : nullptr;
    if (quotient && quotient->divisor == *tile &&
        Affine(quotient->numerator) == size->second + Affine(*tile - 1))
      continue;
    Affine rest = tiles->second * *tile - size->second;
    if (failed(require(rest, dim)) ||
        (!relayout->unpacks && failed(require(Affine(*tile - 1) - rest, dim))))
      return failure();
  }
  return success();
}

} // namespace ein
