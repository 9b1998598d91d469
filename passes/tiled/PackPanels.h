//===- PackPanels.h - Panels of a packed operand ----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of `ein-pack-operands` that copies an operand.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_TILED_PACKPANELS_H
#define EIN_PASSES_TILED_PACKPANELS_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "passes/analysis/TileProduct.h"
#include "passes/schedule/ScheduledOps.h"

namespace ein {

/// What the panels of a contraction's inputs hold, and what the register tiles
/// make of it.
struct PanelTypes {
  /// Per input of the op: the elements, and how narrower ones become these.
  std::array<mlir::Type, 2> elements;
  std::array<mlir::linalg::TypeFn, 2> casts;
  /// Whether the rows' bytes are moved by half of their range.
  bool isOffset = false;
  /// Of the rows' panels and the columns'.
  TileProduct product;
};

/// `kind` is the op's.
PanelTypes getPanelTypes(mlir::linalg::LinalgOp op, ContractionKind kind,
                         const Schedule &schedule);

/// The panels of one input.
class Panels {
public:
  /// A panel is `width` rows or columns of `blocked`; up to so many of these,
  /// and steps of k, are in a block.
  Panels(mlir::ImplicitLocOpBuilder &b, mlir::Operation *outermost,
         const Schedule &schedule, int64_t blockExtent, int64_t blockDepth,
         int64_t width)
      : b(b), outermost(outermost), schedule(schedule),
        blockExtent(blockExtent), blockDepth(blockDepth), width(width) {}

  /// `source`, a matrix, packed along `axis`: [ceil(extent / width), k, width],
  /// or with groups of k [ceil(extent / width), ceil(k / group), width, group],
  /// or, where a step of k has several of these, gathered as a matrix unit
  /// reads them: of all columns one group after the other, [panels, k, groups,
  /// width, group]. Elements become `element` by `cast`, and are moved with
  /// `isOffset`. `buffer` becomes where they are, another than it was.
  mlir::Value pack(mlir::Value source, unsigned axis, mlir::Type element,
                   mlir::linalg::TypeFn cast, bool isOffset, bool areGathered,
                   mlir::Value &buffer);
  /// The first `length` rows or columns of the panel of `panels` that begins
  /// with `offset`, a multiple of `width`.
  static mlir::Value getPanel(mlir::ImplicitLocOpBuilder &b, mlir::Value panels,
                              mlir::Value offset, int64_t width,
                              int64_t length);
  /// Rows of a matrix, [m, k], as rows of groups of k, [m, k / group, group].
  static mlir::Value splitRows(mlir::ImplicitLocOpBuilder &b, mlir::Value rows,
                               int64_t group);

private:
  /// `unlike`, if given, is a buffer that the new one may not be equal to.
  mlir::Value createBuffer(llvm::ArrayRef<int64_t> shape, mlir::Type element,
                           mlir::Value unlike);
  /// `source`, padded to whole panels of `axis`, and whole steps of k.
  mlir::Value pad(mlir::Value source, unsigned axis);
  /// How the panels are copied, whose width is dim `blocked`: whole rows, if
  /// the source is contiguous along it; else by squares, or by groups if these
  /// are as long as a cache line.
  Schedule getCopySchedule(unsigned numLoops, int64_t blocked,
                           bool isBlockedLast, int64_t group, unsigned bits);
  mlir::OpFoldResult apply(mlir::AffineExpr expr, mlir::OpFoldResult operand);

  mlir::ImplicitLocOpBuilder &b;
  mlir::Operation *outermost;
  const Schedule &schedule;
  int64_t blockExtent, blockDepth, width;
};

} // namespace ein

#endif // EIN_PASSES_TILED_PACKPANELS_H
