//===- RewriteGroups.cpp - Rewrites: dims of several labels ---------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `R = einsum("(h w) c, c d -> h (w d)", A, B)` is three statements,
//
//     A_split = A                                   h*w elements become h by w
//     R_parts(h, w, d) = A_split(h, w, c) * B(c, d)
//     R = R_parts                                   w by d become w*d
//
// of which the first and the last move nothing: they have the same elements in
// the same order, and say only where a dim begins. As subscripts, `h*W + w`,
// they would not be linear, and nothing that reads through subscripts, neither
// contractions nor views, would see what they are.
//
// The sizes of labels are found in RewriteGroupSizes.cpp.
//
//===----------------------------------------------------------------------===//

#include "frontend/check/RewriteGroups.h"
#include "frontend/check/ExprAccess.h"
#include "frontend/check/RewriteGroupSizes.h"
#include "frontend/check/Statement.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein {

/// The labels without groups, and how many there were in each dim.
static EinsumTerm flatten(const EinsumTerm &term,
                          std::vector<unsigned> &spans) {
  EinsumTerm flat;
  flat.range = term.range;
  for (const EinsumLabel &label : term.labels) {
    spans.push_back(label.isGroup() ? label.members.size() : 1);
    if (label.isGroup())
      llvm::append_range(flat.labels, label.members);
    else
      flat.labels.push_back(label);
  }
  return flat;
}

static bool hasGroup(const EinsumTerm &term) {
  return llvm::any_of(term.labels,
                      [](const EinsumLabel &label) { return label.isGroup(); });
}

/// `target` = `from`, where the one has a dim for each of `term` and the other
/// one for each label.
static Statement makeReshape(Def &def, TensorId target, TensorId from,
                             const EinsumTerm &term,
                             std::vector<unsigned> spans, SourceRange range) {
  const Tensor &tensor = def[target];
  Statement statement;
  statement.target = target;
  statement.computeType = tensor.type;
  statement.range = range;
  for (auto [i, dim] : llvm::enumerate(tensor.dims)) {
    const EinsumLabel &label = term.labels[i];
    std::string name = label.name;
    for (const EinsumLabel &member : label.members)
      name += (name.empty() ? "" : "_") + member.name;
    IndexId index(i);
    statement.targetIndices.push_back(index);
    statement.indices.push_back({name.empty() ? "one" : name,
                                 dim,
                                 /*isReduction=*/false,
                                 label.range,
                                 /*isLabel=*/true,
                                 {target, i, Affine(index)}});
  }
  Expr value;
  value.kind = ExprKind::Reshape;
  value.range = range;
  value.type = tensor.type;
  value.tensor = from;
  value.spans = std::move(spans);
  statement.value = ExprId(def.exprs.size());
  def.exprs.push_back(std::move(value));
  return statement;
}

/// Whether both terms are the same labels in the same order, none of them
/// twice: then they differ in where dims begin, if in anything.
static bool haveSameOrder(const EinsumTerm &a, const EinsumTerm &b) {
  std::vector<unsigned> spans;
  StringSet<> labels;
  return llvm::equal(flatten(a, spans).labels, flatten(b, spans).labels,
                     [&](const EinsumLabel &a, const EinsumLabel &b) {
                       return a.name == b.name && labels.insert(a.name).second;
                     });
}

namespace {

class GroupRewriter : StatementContext {
public:
  GroupRewriter(const StatementContext &context, TensorId target,
                EinsumCall &call)
      : StatementContext(context), target(target), call(call), solver(scope) {}

  FailureOr<RewrittenEinsum> rewrite();

private:
  bool onlyReshapes() const;
  LogicalResult solveGroups();
  LogicalResult inferGroupedShape(const EinsumTerm &output);
  LogicalResult splitOperands();
  FailureOr<TensorId> computeParts();
  LogicalResult fitDim(const EinsumLabel &label, TensorId from,
                       const Affine &extent, size_t dim);
  LogicalResult fitTarget(const EinsumTerm &output, const EinsumTerm &term,
                          TensorId from);

  TensorId target;
  EinsumCall &call;
  GroupSolver solver;
  /// The operands that have been split.
  std::vector<ast::ExprPtr> splitNames;
};

} // namespace

/// Whether the result is the only operand's elements as they are.
bool GroupRewriter::onlyReshapes() const {
  if (call.operands.size() != 1 || source.accumulator)
    return false;
  TensorId operand = *scope.findTensor(call.operands[0]->text);
  ElementType type = scope.def[operand].type;
  ElementType wanted =
      scope[target].hasType ? scope.def[target].type : getAccumulator(type);
  return type == wanted &&
         haveSameOrder(call.einsum.operands[0], call.einsum.output);
}

LogicalResult GroupRewriter::solveGroups() {
  const EinsumString &einsum = call.einsum;
  for (auto [operand, term] : llvm::zip(call.operands, einsum.operands))
    solver.addTerm(term, scope.def[*scope.findTensor(operand->text)]);
  if (!scope[target].hasShape)
    return solver.solve();
  const Tensor &written = scope.def[target];
  if (written.dims.size() != einsum.output.labels.size())
    return reportRank(scope, target, einsum.output.range,
                      /*hasSubscripts=*/true, einsum.output.labels.size());
  solver.addTerm(einsum.output, written);
  return solver.solve();
}

/// The target's shape follows from the labels' sizes.
LogicalResult GroupRewriter::inferGroupedShape(const EinsumTerm &output) {
  std::vector<Affine> dims;
  for (const EinsumLabel &label : output.labels) {
    SizeProduct product;
    std::string name;
    for (const EinsumLabel &member : label.members) {
      product.multiply(scope.builder.products.expand(solver.getSize(member)));
      name += member.name + "_";
    }
    if (!label.isGroup())
      product.multiply(solver.getSize(label));
    if (product.hasOverflowed)
      return diags.report(DiagId::ArithmeticOverflow, label.range);
    dims.push_back(scope.getProductSize(product, name + "size", label.range));
  }
  Tensor &written = scope.def.tensors[target.value];
  written.dims = std::move(dims);
  // Its dims may have sizes that only a declaration can name again.
  written.isInferred = false;
  return success();
}

/// Has the call read operands that have a dim for each label.
LogicalResult GroupRewriter::splitOperands() {
  for (auto [operand, term] : llvm::zip(call.operands, call.einsum.operands)) {
    if (!hasGroup(term))
      continue;
    TensorId from = *scope.findTensor(operand->text);
    Tensor split = {scope.makeTemporaryName(operand->text + "_split"),
                    scope.def[from].type,
                    TensorRole::Temporary,
                    {},
                    term.range};
    for (auto [label, dim] : llvm::zip(term.labels, scope.def[from].dims)) {
      for (const EinsumLabel &member : label.members)
        split.dims.push_back(solver.getSize(member));
      if (!label.isGroup())
        split.dims.push_back(dim);
    }
    TensorState state;
    state.isWritten = true;
    std::string name = split.name;
    TensorId id = scope.addTensor(std::move(split), state);
    if (failed(scope.checkByteSize(scope.def[id])))
      return failure();
    std::vector<unsigned> spans;
    EinsumTerm flat = flatten(term, spans);
    scope.def.statements.push_back(
        makeReshape(scope.def, id, from, flat, std::move(spans), term.range));
    splitNames.push_back(ast::makeName(name, operand->range));
    operand = splitNames.back().get();
    term = std::move(flat);
  }
  return success();
}

/// A temporary with a dim for each label of the output.
FailureOr<TensorId> GroupRewriter::computeParts() {
  EinsumCall flat = {call.einsum, call.operands};
  std::vector<unsigned> spans;
  flat.einsum.output = flatten(call.einsum.output, spans);
  ast::Statement compact = makeComprehension(*this, flat);
  std::string name = scope.makeTemporaryName(source.target.text + "_parts");
  compact.target = {name, source.target.range};
  compact.accumulator = source.accumulator;
  const Tensor &written = scope.def[target];
  if (scope[target].hasType) {
    TensorState state;
    state.hasShape = false;
    scope.addTensor(
        {name, written.type, TensorRole::Temporary, {}, source.target.range},
        state);
  }
  checkStatement(scope, compact, /*isPartOfEinsum=*/true);
  std::optional<TensorId> parts = scope.findTensor(name);
  if (!parts || scope[*parts].isBroken || !scope[*parts].hasShape)
    return failure();
  scope.def.tensors[parts->value].isInferred = false;
  return *parts;
}

/// A dim of the target, which is one of `from` as it is.
LogicalResult GroupRewriter::fitDim(const EinsumLabel &label, TensorId from,
                                    const Affine &extent, size_t dim) {
  const Tensor &written = scope.def[target];
  const Affine &wanted = written.dims[dim];
  Affine difference = extent - wanted;
  if (difference.hasOverflowed())
    return diags.report(DiagId::ArithmeticOverflow, label.range);
  if (difference == Affine(0))
    return success();
  // What has just been made for this got the extent from somewhere.
  TensorId source = from;
  if (!scope.def.statements.empty() &&
      scope.def.statements.back().target == from)
    for (const Index &index : scope.def.statements.back().indices)
      if (index.name == label.name && index.origin.tensor.isValid())
        source = index.origin.tensor;
  const Tensor &origin = scope.def[source];
  std::string first = describe(scope.def, extent),
              second = describe(scope.def, wanted);
  if (difference.isConstant())
    return diags
        .report(DiagId::ExtentMismatch, label.range,
                {label.name, first, origin.name, second, written.name})
        .note(DiagId::DeclaredHere, origin.range, {origin.name})
        .note(DiagId::DeclaredHere, written.range, {written.name});
  scope.checks.add({SizeCheck::Equal,
                    difference,
                    {},
                    "extent of `" + label.name + "`: " + first + " of `" +
                        origin.name + "` and " + second + " of `" +
                        written.name + "`",
                    label.range});
  return success();
}

/// The target's dims that are one label in both `output` and `term`, of which
/// `from` has the dims.
LogicalResult GroupRewriter::fitTarget(const EinsumTerm &output,
                                       const EinsumTerm &term, TensorId from) {
  StringMap<size_t> places;
  for (auto [dim, label] : llvm::enumerate(term.labels))
    places.try_emplace(label.name, dim);
  for (auto [dim, label] : llvm::enumerate(output.labels)) {
    auto place = places.find(label.name);
    if (label.isGroup() || place == places.end())
      continue;
    const Affine &extent = scope.def[from].dims[place->second];
    if (failed(fitDim(label, from, extent, dim)))
      return failure();
  }
  return success();
}

/// The statements that a call with groups becomes. What is returned is the one
/// that is left to be checked; if nothing is, this statement is complete.
FailureOr<RewrittenEinsum> GroupRewriter::rewrite() {
  if (failed(solveGroups()))
    return failure();
  EinsumTerm &output = call.einsum.output;
  bool reshapes =
      onlyReshapes() && hasGroup(output) != hasGroup(call.einsum.operands[0]);
  if (!scope[target].hasShape && (reshapes || hasGroup(output)) &&
      failed(inferGroupedShape(output)))
    return failure();
  if (!reshapes && failed(splitOperands()))
    return failure();
  // From here on only the output has groups, unless this only reshapes.
  if (!reshapes && !hasGroup(output))
    return RewrittenEinsum{makeComprehension(*this, call), std::nullopt};

  TensorId from;
  std::vector<unsigned> spans;
  if (reshapes || onlyReshapes()) {
    from = *scope.findTensor(call.operands[0]->text);
    if (failed(fitTarget(output, call.einsum.operands[0], from)))
      return failure();
    (void)flatten(hasGroup(output) ? output : call.einsum.operands[0], spans);
  } else {
    FailureOr<TensorId> parts = computeParts();
    if (failed(parts))
      return failure();
    from = *parts;
    if (failed(fitTarget(output, flatten(output, spans), from)))
      return failure();
  }
  Tensor &written = scope.def.tensors[target.value];
  TensorState &state = scope[target];
  if (!state.hasType)
    written.type = scope.def[from].type;
  state.hasType = true;
  return RewrittenEinsum{std::nullopt,
                         makeReshape(scope.def, target, from, output,
                                     std::move(spans), source.range)};
}

FailureOr<RewrittenEinsum> rewriteGroups(const StatementContext &context,
                                         TensorId target, EinsumCall &call) {
  return GroupRewriter(context, target, call).rewrite();
}

} // namespace ein
