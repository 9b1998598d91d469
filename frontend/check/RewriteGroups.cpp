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
// A label's size is that of a dim which it has to itself, in an operand or in
// the target; else what the other labels leave of a dim that it shares. So at
// most one size of each dim is unknown when its turn comes. Where it does not
// divide exactly, that is an error, now or when the code runs.
//
//===----------------------------------------------------------------------===//

#include "frontend/check/Statement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace ein {

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// Finds the sizes of labels that share dims.
class GroupSolver {
public:
  explicit GroupSolver(DefScope &scope) : scope(scope) {}

  /// Takes what the dims say that have a label to themselves, and keeps the
  /// others.
  void addTerm(const EinsumTerm &term, const Tensor &tensor);
  LogicalResult solve();
  const Affine &getSize(const EinsumLabel &label) const {
    return sizes.find(label.name)->second;
  }

private:
  struct Group {
    const EinsumLabel *label;
    Affine dim;
    std::string tensor;
    size_t numOpen = 0;
  };
  LogicalResult solveGroup(const Group &group);
  LogicalResult takeSize(const Group &group, const EinsumLabel &open,
                         const SizeProduct &known);
  LogicalResult checkGroup(const Group &group);
  LogicalResult reportExtent(const Group &group, const SizeProduct &known);
  std::string describeGroup(const Group &group) const;
  SizeProduct multiplyKnown(const Group &group) const;

  DefScope &scope;
  StringMap<Affine> sizes;
  std::vector<Group> groups;
  StringMap<std::vector<size_t>> groupsOf; // by label, one per occurrence
};

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

//===----------------------------------------------------------------------===//
// Statements that reshape
//===----------------------------------------------------------------------===//

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

/// Whether the result is the only operand's elements as they are.
bool StatementChecker::onlyReshapes(const EinsumCall &call) const {
  if (call.operands.size() != 1 || source.accumulator)
    return false;
  TensorId operand = *scope.findTensor(call.operands[0]->text);
  ElementType type = scope.def[operand].type;
  ElementType wanted = scope[statement.target].hasType
                           ? scope.def[statement.target].type
                           : getAccumulator(type);
  return type == wanted &&
         haveSameOrder(call.einsum.operands[0], call.einsum.output);
}

LogicalResult StatementChecker::solveGroups(const EinsumCall &call,
                                            GroupSolver &solver) {
  const EinsumString &einsum = call.einsum;
  for (auto [operand, term] : llvm::zip(call.operands, einsum.operands))
    solver.addTerm(term, scope.def[*scope.findTensor(operand->text)]);
  if (!scope[statement.target].hasShape)
    return solver.solve();
  const Tensor &target = scope.def[statement.target];
  if (target.dims.size() != einsum.output.labels.size())
    return reportRank(statement.target, einsum.output.range,
                      /*hasSubscripts=*/true, einsum.output.labels.size());
  solver.addTerm(einsum.output, target);
  return solver.solve();
}

/// The target's shape follows from the labels' sizes.
LogicalResult StatementChecker::inferGroupedShape(const EinsumTerm &output,
                                                  GroupSolver &solver) {
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
  Tensor &target = scope.def.tensors[statement.target.value];
  target.dims = std::move(dims);
  // Its dims may have sizes that only a declaration can name again.
  target.isInferred = false;
  return success();
}

/// Has the call read operands that have a dim for each label.
LogicalResult StatementChecker::splitOperands(EinsumCall &call,
                                              GroupSolver &solver) {
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
FailureOr<TensorId> StatementChecker::computeParts(const EinsumCall &call) {
  EinsumCall flat = {call.einsum, call.operands};
  std::vector<unsigned> spans;
  flat.einsum.output = flatten(call.einsum.output, spans);
  ast::Statement compact = makeComprehension(flat);
  std::string name = scope.makeTemporaryName(source.target.text + "_parts");
  compact.target = {name, source.target.range};
  compact.accumulator = source.accumulator;
  const Tensor &target = scope.def[statement.target];
  if (scope[statement.target].hasType) {
    TensorState state;
    state.hasShape = false;
    scope.addTensor(
        {name, target.type, TensorRole::Temporary, {}, source.target.range},
        state);
  }
  StatementChecker checker(scope, compact);
  checker.isPartOfEinsum = true;
  checker.check();
  std::optional<TensorId> parts = scope.findTensor(name);
  if (!parts || scope[*parts].isBroken || !scope[*parts].hasShape)
    return failure();
  scope.def.tensors[parts->value].isInferred = false;
  return *parts;
}

/// A dim of the target, which is one of `from` as it is.
LogicalResult StatementChecker::fitDim(const EinsumLabel &label, TensorId from,
                                       const Affine &extent, size_t dim) {
  const Tensor &target = scope.def[statement.target];
  const Affine &wanted = target.dims[dim];
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
                {label.name, first, origin.name, second, target.name})
        .note(DiagId::DeclaredHere, origin.range, {origin.name})
        .note(DiagId::DeclaredHere, target.range, {target.name});
  scope.checks.add({SizeCheck::Equal,
                    difference,
                    {},
                    "extent of `" + label.name + "`: " + first + " of `" +
                        origin.name + "` and " + second + " of `" +
                        target.name + "`",
                    label.range});
  return success();
}

/// The target's dims that are one label in both `output` and `term`, of which
/// `from` has the dims.
LogicalResult StatementChecker::fitTarget(const EinsumTerm &output,
                                          const EinsumTerm &term,
                                          TensorId from) {
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
FailureOr<std::optional<ast::Statement>>
StatementChecker::expandGroups(EinsumCall &call) {
  GroupSolver solver(scope);
  if (failed(solveGroups(call, solver)))
    return failure();
  EinsumTerm &output = call.einsum.output;
  bool reshapes = onlyReshapes(call) &&
                  hasGroup(output) != hasGroup(call.einsum.operands[0]);
  if (!scope[statement.target].hasShape && (reshapes || hasGroup(output)) &&
      failed(inferGroupedShape(output, solver)))
    return failure();
  if (!reshapes && failed(splitOperands(call, solver)))
    return failure();
  // From here on only the output has groups, unless this only reshapes.
  if (!reshapes && !hasGroup(output))
    return std::optional(makeComprehension(call));

  TensorId from;
  std::vector<unsigned> spans;
  if (reshapes || onlyReshapes(call)) {
    from = *scope.findTensor(call.operands[0]->text);
    if (failed(fitTarget(output, call.einsum.operands[0], from)))
      return failure();
    (void)flatten(hasGroup(output) ? output : call.einsum.operands[0], spans);
  } else {
    FailureOr<TensorId> parts = computeParts(call);
    if (failed(parts))
      return failure();
    from = *parts;
    if (failed(fitTarget(output, flatten(output, spans), from)))
      return failure();
  }
  Tensor &target = scope.def.tensors[statement.target.value];
  TensorState &state = scope[statement.target];
  if (!state.hasType)
    target.type = scope.def[from].type;
  state.hasType = true;
  statement = makeReshape(scope.def, statement.target, from, output,
                          std::move(spans), source.range);
  return std::optional<ast::Statement>();
}

} // namespace ein
