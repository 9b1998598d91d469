//===- ProductSearch.h - Orders of products with arithmetic -----*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Subscripts may be sums of indices, `I(n, c, h + kh)`, and points may be left
// out, `where k <= i`. Such a product is contracted pair by pair like an
// einsum, but for two things.
//
// A sum is a label like any other as long as nothing needs its indices on their
// own: in `I(n, c, h + kh) * P(c, d) * W(f, d, kh)`, first
// `T(n, d, p) +=! I(n, c, p) * P(c, d)` is a product of matrices, and
// `T(n, d, h + kh) * W(f, d, kh)` the window. A step where a tensor has the
// index as well, or where it is summed, loops over the indices; from there on
// they are the labels. Where both are possible both are tried.
//
// A condition is looked at in the step where one of its indices is summed, and
// keeps the others until then. So what a point that it leaves out would
// multiply never gets anywhere. It does not make a tensor smaller.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_ORDER_PRODUCTSEARCH_H
#define EIN_ORDER_PRODUCTSEARCH_H

#include "order/ContractionOrder.h"

namespace ein {

/// The cheapest order that is found, exact to ten operands; beyond, the order
/// is that of an einsum of the same indices.
ContractionPath findProductOrder(const ContractionNetwork &network,
                                 const ContractionOrderOptions &options);

/// The cheapest path in the order of `pairs`.
ContractionPath
applyProductOrder(const ContractionNetwork &network,
                  llvm::ArrayRef<std::pair<unsigned, unsigned>> pairs);

/// Sets the path's costs to those for the network's sizes.
void countProductFlops(const ContractionNetwork &network,
                       ContractionPath &path);

/// The operations of one nest of loops over all indices.
double countNestFlops(const ContractionNetwork &network);

} // namespace ein

#endif // EIN_ORDER_PRODUCTSEARCH_H
