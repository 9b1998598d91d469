//===- CallRelayout.h - What pack and unpack are ----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_CALLRELAYOUT_H
#define EIN_FRONTEND_CHECK_CALLRELAYOUT_H

#include "frontend/ast/AST.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace ein {

/// A call of linalg's `pack` or `unpack`.
struct Relayout {
  bool unpacks = false;
  /// Of the matrix, or whatever is not tiled.
  size_t rank = 0;
  std::vector<int64_t> positions; // inner_dims_pos
  std::vector<int64_t> tiles;     // inner_tiles
  std::vector<int64_t> order;     // outer_dims_perm, or none
  /// Of a pack: what stands where there is no source. Its dims need not be
  /// multiples of the tiles then.
  bool hasPadding = false;
  /// Per dim, what `outer` is known to be; else it is a size.
  std::vector<std::optional<int64_t>> outer;
  /// Of an unpack: its result may be smaller than all tiles are together.
  bool isCut = false;

  bool isValid() const;
  /// None for a dim that is not tiled.
  std::optional<int64_t> getTile(size_t dim) const;
};

/// The def of that signature, every node of which is at `range`. Dim i is
/// `S<i>` elements or `O<i>` tiles.
ast::Def makeDef(const Relayout &relayout, SourceRange range);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_CALLRELAYOUT_H
