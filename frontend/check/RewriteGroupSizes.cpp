//===- RewriteGroupSizes.cpp - Rewrites: the sizes of labels --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/check/RewriteGroupSizes.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein {

void GroupSolver::addTerm(const EinsumTerm &term, const Tensor &tensor) {
  for (auto [label, dim] : llvm::zip_equal(term.labels, tensor.dims)) {
    if (label.isGroup()) {
      for (const EinsumLabel &member : label.members)
        groupsOf[member.name].push_back(groups.size());
      groups.push_back({&label, dim, tensor.name});
    } else if (!label.name.empty()) {
      // Numbers say most; that the others are equal is checked elsewhere.
      auto [entry, isNew] = sizes.try_emplace(label.name, dim);
      if (!isNew && dim.isConstant())
        entry->second = dim;
    }
  }
}

LogicalResult GroupSolver::solve() {
  std::vector<size_t> ready;
  for (auto [i, group] : llvm::enumerate(groups)) {
    for (const EinsumLabel &label : group.label->members)
      group.numOpen += !sizes.contains(label.name);
    if (group.numOpen == 1)
      ready.push_back(i);
  }
  for (size_t next = 0; next != ready.size(); ++next) {
    const Group &group = groups[ready[next]];
    if (group.numOpen != 1)
      continue; // another has said it meanwhile
    auto open = llvm::find_if(group.label->members, [&](const auto &label) {
      return !sizes.contains(label.name);
    });
    if (failed(takeSize(group, *open, multiplyKnown(group))))
      return failure();
    for (size_t i : groupsOf[open->name])
      if (--groups[i].numOpen == 1)
        ready.push_back(i);
  }
  for (const Group &group : groups)
    if (failed(checkGroup(group)))
      return failure();
  return success();
}

SizeProduct GroupSolver::multiplyKnown(const Group &group) const {
  SizeProduct product;
  for (const EinsumLabel &label : group.label->members)
    if (auto size = sizes.find(label.name); size != sizes.end())
      product.multiply(scope.builder.products.expand(size->second));
  return product;
}

/// The size of `open` is what the other labels leave of the dim.
LogicalResult GroupSolver::takeSize(const Group &group, const EinsumLabel &open,
                                    const SizeProduct &known) {
  bool isZero = known.factors.empty() && known.constant == 0;
  SizeProduct dim = scope.builder.products.expand(group.dim);
  std::optional<SizeProduct> quotient;
  if (!isZero && !known.hasOverflowed)
    quotient = dim.divide(known);
  bool isStatic = group.dim.isConstant() && known.factors.empty();
  if (isZero || known.hasOverflowed || (isStatic && !quotient))
    return reportExtent(group, known);
  std::string name = open.name + "_size";
  Affine size;
  if (quotient) {
    size = scope.getProductSize(*quotient, name, open.range);
  } else if (known.factors.empty()) {
    size = scope.checks.divide(group.dim, known.constant, open.range);
    scope.checks.addExtent(size, "size of `" + open.name + "`", open.range);
  } else {
    size = scope.addDerivedSize(name, open.range);
  }
  sizes.try_emplace(open.name, size);
  return success();
}

LogicalResult GroupSolver::checkGroup(const Group &group) {
  for (const EinsumLabel &label : group.label->members)
    if (!sizes.contains(label.name))
      return scope.diags.report(DiagId::EinsumGroupSize, label.range,
                                {label.name});
  SizeProduct product = multiplyKnown(group);
  SizeProduct dim = scope.builder.products.expand(group.dim);
  if (product.hasOverflowed)
    return reportExtent(group, product);
  if (dim.equals(product))
    return success();
  std::optional<Affine> linear = product.getLinear();
  if (linear && (*linear - group.dim).isConstant())
    return reportExtent(group, product);
  scope.requireProduct(group.dim, product, describeGroup(group),
                       group.label->range);
  return success();
}

LogicalResult GroupSolver::reportExtent(const Group &group,
                                        const SizeProduct &known) {
  if (known.hasOverflowed)
    return scope.diags.report(DiagId::ArithmeticOverflow, group.label->range);
  return scope.diags.report(
      DiagId::EinsumGroupExtent, group.label->range,
      {describe(scope.def, group.dim), describe(scope.def, known)});
}

/// "size of `(h w)`: `N` of `A` and `H * W`".
std::string GroupSolver::describeGroup(const Group &group) const {
  std::string text;
  for (const EinsumLabel &label : group.label->members)
    text += (text.empty() ? "" : " ") + label.name;
  return "size of `(" + text + ")`: " + describe(scope.def, group.dim) +
         " of `" + group.tensor + "` and " +
         describe(scope.def, multiplyKnown(group));
}

} // namespace ein
