//===- CallRelayout.cpp - What pack and unpack are ------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A matrix of tiles has a dim more for each dim that is tiled, and which these
// are only the call says. So there is no one definition to be written down, as
// the other named ops have; a call's is made as text, in the same language:
//
//   dest(o0, o1, i0, i1) = pad(source(8*o0 + i0, 4*o1 + i1), padding_value)
//
//===----------------------------------------------------------------------===//

#include "frontend/check/CallRelayout.h"
#include "frontend/parse/Parser.h"
#include "frontend/source/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace ein {

/// Whether `list` has numbers below `rank`, none of them twice.
static bool areDims(ArrayRef<int64_t> list, size_t rank) {
  std::vector<bool> seen(rank);
  return llvm::all_of(list, [&](int64_t dim) {
    bool isNew = dim >= 0 && static_cast<size_t>(dim) < rank && !seen[dim];
    if (isNew)
      seen[dim] = true;
    return isNew;
  });
}

bool Relayout::isValid() const {
  return areDims(positions, rank) && positions.size() == tiles.size() &&
         areDims(order, rank) && (order.empty() || order.size() == rank) &&
         llvm::all_of(tiles, [](int64_t tile) { return tile > 0; });
}

std::optional<int64_t> Relayout::getTile(size_t dim) const {
  for (auto [position, tile] : llvm::zip_equal(positions, tiles))
    if (static_cast<size_t>(position) == dim)
      return tile;
  return std::nullopt;
}

namespace {
/// The parts of the text.
class Writer {
public:
  explicit Writer(const Relayout &relayout) : relayout(relayout) {}

  std::string write() const;

private:
  static std::string number(StringRef prefix, int64_t dim) {
    return (prefix + Twine(dim)).str();
  }
  std::string getOuter(size_t dim) const {
    if (!relayout.getTile(dim))
      return number("S", dim);
    std::optional<int64_t> known = relayout.outer[dim];
    return known ? std::to_string(*known) : number("O", dim);
  }
  /// Per dim what `getPart` says, those of tiles last.
  std::string joinTiled(function_ref<std::string(size_t)> getOuterPart,
                        function_ref<std::string(size_t)> getInnerPart) const;
  std::string joinDims(function_ref<std::string(size_t)> getPart) const {
    return llvm::join(
        llvm::map_range(llvm::seq<size_t>(0, relayout.rank), getPart), ", ");
  }

  const Relayout &relayout;
};
} // namespace

std::string
Writer::joinTiled(function_ref<std::string(size_t)> getOuterPart,
                  function_ref<std::string(size_t)> getInnerPart) const {
  std::vector<std::string> parts;
  for (size_t i = 0; i != relayout.rank; ++i)
    parts.push_back(
        getOuterPart(relayout.order.empty() ? i : relayout.order[i]));
  for (int64_t dim : relayout.positions)
    parts.push_back(getInnerPart(dim));
  return llvm::join(parts, ", ");
}

std::string Writer::write() const {
  auto getTile = [&](size_t dim) {
    return std::to_string(*relayout.getTile(dim));
  };
  // A dim in elements.
  std::string plain = joinDims([&](size_t dim) {
    bool isProduct = relayout.getTile(dim) &&
                     !(relayout.unpacks ? relayout.isCut : relayout.hasPadding);
    return isProduct ? getTile(dim) + "*" + getOuter(dim) : number("S", dim);
  });
  std::string tiled =
      joinTiled([&](size_t dim) { return getOuter(dim); }, getTile);
  std::string attributes = " attr(inner_dims_pos: index..., inner_tiles: "
                           "index..., outer_dims_perm: index...)";
  if (relayout.unpacks) {
    std::string subscripts = joinTiled(
        [&](size_t dim) {
          std::string index = number("d", dim);
          return relayout.getTile(dim)
                     ? "index(" + index + " / " + getTile(dim) + ")"
                     : index;
        },
        [&](size_t dim) {
          return "index(" + number("d", dim) + " % " + getTile(dim) + ")";
        });
    std::string indices =
        joinDims([&](size_t dim) { return number("d", dim); });
    return "def unpack<T>(source: T(" + tiled + ")) -> (dest: T(" + plain +
           "))" + attributes + " { dest(" + indices + ") = clamp(source(" +
           subscripts + ")) }";
  }
  std::string indices = joinTiled([&](size_t dim) { return number("o", dim); },
                                  [&](size_t dim) { return number("i", dim); });
  std::string subscripts = joinDims([&](size_t dim) {
    if (!relayout.getTile(dim))
      return number("o", dim);
    return getTile(dim) + "*" + number("o", dim) + " + " + number("i", dim);
  });
  std::string value = "source(" + subscripts + ")";
  if (relayout.hasPadding)
    value = "pad(" + value + ", padding_value)";
  return "def pack<T>(source: T(" + plain + ")" +
         (relayout.hasPadding ? ", padding_value: T" : "") + ") -> (dest: T(" +
         tiled + "))" + attributes + " { dest(" + indices + ") = " + value +
         " }";
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

static void setRange(ast::Expr &expr, SourceRange range) {
  expr.range = expr.nameRange = range;
  for (const ast::ExprPtr &operand : expr.operands)
    setRange(*operand, range);
}

static void setRange(std::vector<ast::Param> &params, SourceRange range) {
  for (ast::Param &param : params) {
    param.range = param.name.range = range;
    param.type->range = param.type->element.range = range;
    for (const ast::ExprPtr &dim : param.type->dims)
      setRange(*dim, range);
  }
}

ast::Def makeDef(const Relayout &relayout, SourceRange range) {
  SourceFile file("<relayout>", Writer(relayout).write());
  DiagnosticEngine diags;
  ast::Module module = parseSource(file, SourceForm::File, diags);
  ast::Def def = std::move(module.defs.front());
  def.range = def.name.range = range;
  for (ast::Generic &generic : def.generics)
    generic.name.range = range;
  setRange(def.params, range);
  setRange(def.results, range);
  for (ast::Attribute &attribute : def.attributes)
    attribute.range = attribute.name.range = attribute.element.range = range;
  ast::Statement &statement = def.statements.front();
  statement.range = statement.opRange = statement.target.range = range;
  for (const ast::ExprPtr &subscript : *statement.subscripts)
    setRange(*subscript, range);
  setRange(*statement.value, range);
  return def;
}

} // namespace ein
