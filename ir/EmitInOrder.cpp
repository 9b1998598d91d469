//===- EmitInOrder.cpp - Scatters and recurrences -------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A statement in order is no structured op, whose points have none: it is loops
// that carry the target, read what they need of it and insert an element. That
// is what every level below knows. Bufferization finds the loops in place, as
// an element is read from what the loops carry.
//
// What is checked of data is checked where its indices are known, so that a
// loop inside which nothing is left to check may become vectors.
//
// A recurrence pads its first steps only. They are loops of their own, so that
// the others read without a choice.
//
// The loops say which of them have points that do not depend on each other
// (`ein.independent`), and which have to run in order (`ein.in_order`).
//
//===----------------------------------------------------------------------===//

#include "abi/Codes.h"
#include "frontend/program/InOrder.h"
#include "ir/DefEmitter.h"
#include "ir/EinDialect.h"
#include "ir/IndexNames.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;

namespace ein {

namespace {

/// What the loops hand on: the target, and the code if anything is checked.
struct Carried {
  Value target;
  Value code = {};

  SmallVector<Value> get() const {
    return code ? SmallVector<Value>{target, code} : SmallVector<Value>{target};
  }
  Carried next(ValueRange values) const {
    return {values[0], code ? values[1] : Value()};
  }
};

} // namespace

class InOrderEmitter {
public:
  InOrderEmitter(DefEmitter &emitter, const Statement &statement)
      : emitter(emitter), statement(statement), def(emitter.def), b(emitter.b),
        written(def[statement.written]), reads(findSelfReads(def, statement)),
        checksAt(statement.indices.size() + 1),
        numFirst(statement.indices.size(), 0) {}

  Value emit(Value init);

private:
  void placeChecks();
  unsigned getLevel(const Def::DataCheck &check) const;
  void findFirstSteps();
  bool isPastFirst(const SelfRead &read, size_t dim) const;
  void noteInside();
  BodyInputs emitLeaves(ArrayRef<ExprId> roots);
  void collect(ExprId id, SmallVectorImpl<ExprId> &accesses) const;

  Value emitIsOutside(const Expr &gather, const BodyInputs &inputs);
  Carried emitLevel(Carried carried);
  Carried emitLoop(Value begin, Value end, bool isFirst, Carried carried);
  Carried emitChecked(Carried carried, function_ref<Carried(Carried)> rest);
  Carried emitPoint(Carried carried);
  Value emitUpdate(Value target, BodyInputs &inputs, Value condition);

  DefEmitter &emitter;
  const Statement &statement;
  const Def &def;
  ImplicitLocOpBuilder &b;
  const Expr &written;
  std::vector<SelfRead> reads;
  /// By the number of loops that are round them.
  SmallVector<SmallVector<Def::DataCheck>> checksAt;
  /// Per index, how many of its points are the first steps.
  std::vector<int64_t> numFirst;
  /// Per loop so far, whether its first steps are done.
  SmallVector<bool> isPast;
};

/// A check stands inside of as many loops as it needs. With several codes the
/// first that is wrong counts, whatever it needs.
void InOrderEmitter::placeChecks() {
  std::vector<Def::DataCheck> checks = def.getDataChecks(statement);
  llvm::erase_if(checks, [&](const Def::DataCheck &check) {
    return !emitter.checksGathers && def.isCheckedGather(check.id);
  });
  bool isOneCode = llvm::all_of(checks, [&](const Def::DataCheck &check) {
    return def.isCheckedGather(check.id);
  });
  for (const Def::DataCheck &check : checks)
    checksAt[isOneCode ? getLevel(check) : statement.indices.size()].push_back(
        check);
}

unsigned InOrderEmitter::getLevel(const Def::DataCheck &check) const {
  llvm::SmallBitVector indices(statement.indices.size());
  bool readsOwn = false;
  auto add = [&](ExprId root) {
    indices |= def.getIndices(statement, root);
    SmallVector<ExprId> accesses;
    collect(root, accesses);
    for (ExprId id : accesses)
      readsOwn |= def[id].tensor == statement.target;
  };
  for (ExprId place : def[check.id].places)
    if (!def.isInside(place))
      add(place);
  for (auto [guard, value] : check.guards)
    add(guard);
  if (readsOwn)
    return statement.indices.size();
  return indices.find_last() + 1;
}

/// A read that may be outside is inside once as many points have been as it is
/// back.
void InOrderEmitter::findFirstSteps() {
  for (const SelfRead &read : reads)
    if (read.kind == SelfRead::Carried &&
        def[read.id].outside == Outside::Padded)
      numFirst[read.index.value] =
          std::max(numFirst[read.index.value], read.distance);
}

/// Whether the subscript is the one of a point before, or of this one.
bool InOrderEmitter::isPastFirst(const SelfRead &read, size_t dim) const {
  const Expr &place = def[written.places[dim]];
  const Expr &own = def[def[read.id].places[dim]];
  if (own.kind != ExprKind::Position)
    return own.isInside;
  if (place.kind != ExprKind::Position)
    return false;
  const Affine &subscript = place.subscripts.front();
  Affine difference = own.subscripts.front() - subscript;
  if (!difference.isConstant())
    return false;
  ArrayRef<Affine::IndexTerm> terms = subscript.getIndexTerms();
  if (difference == Affine(0))
    return true;
  if (terms.size() != 1 || difference.getConstant() % terms[0].coefficient != 0)
    return false;
  int64_t distance = -difference.getConstant() / terms[0].coefficient;
  unsigned level = terms[0].id.value;
  return distance > 0 && isPast[level] && distance <= numFirst[level];
}

void InOrderEmitter::noteInside() {
  emitter.insidePlaces.clear();
  for (const SelfRead &read : reads)
    for (size_t dim = 0, e = def[read.id].places.size(); dim != e; ++dim)
      if (isPastFirst(read, dim))
        emitter.insidePlaces.insert(def[read.id].places[dim].value);
}

void InOrderEmitter::collect(ExprId id,
                             SmallVectorImpl<ExprId> &accesses) const {
  if (def[id].kind == ExprKind::Access)
    accesses.push_back(id);
  for (ExprId operand : def[id].getOperands())
    collect(operand, accesses);
}

/// Elements are extracted; there are no operands.
BodyInputs InOrderEmitter::emitLeaves(ArrayRef<ExprId> roots) {
  BodyInputs inputs;
  for (ExprId root : roots)
    collect(root, inputs.accesses);
  for (ExprId id : inputs.accesses) {
    Value value = emitter.values[def[id].tensor.value];
    if (!isa<RankedTensorType>(value.getType()))
      inputs.leaves[id.value] = value;
    else if (!inputs.leaves.count(id.value))
      inputs.leaves[id.value] = emitter.emitExtract(b, b.getLoc(), def[id]);
  }
  return inputs;
}

/// Whether a subscript is outside that may be: those need not all the loops.
Value InOrderEmitter::emitIsOutside(const Expr &gather,
                                    const BodyInputs &inputs) {
  Value isOutside = arith::ConstantOp::create(b, b.getBoolAttr(false));
  for (auto [id, dim] :
       llvm::zip_equal(gather.places, def[gather.tensor].dims)) {
    if (def.isInside(id))
      continue;
    ElementType type = def[id].type == ElementType::U64 ? ElementType::U64
                                                        : ElementType::Index;
    Value place = emitter.emitExpr(b, id, type, inputs);
    Value extent = arith::IndexCastOp::create(
        b, b.getI64Type(), emitter.emitAffine(b, b.getLoc(), dim));
    // What is negative is large without a sign.
    Value isAbove =
        arith::CmpIOp::create(b, arith::CmpIPredicate::uge, place, extent);
    isOutside = arith::OrIOp::create(b, isOutside, isAbove);
  }
  return isOutside;
}

/// `rest`, where nothing is wrong that is checked at this level; else the code
/// says so.
Carried InOrderEmitter::emitChecked(Carried carried,
                                    function_ref<Carried(Carried)> rest) {
  unsigned level = emitter.loopValues.size();
  ArrayRef<Def::DataCheck> checks = checksAt[level];
  if (checks.empty())
    return rest(carried);
  SmallVector<ExprId> roots;
  for (const Def::DataCheck &check : checks) {
    if (def[check.id].kind != ExprKind::Gather)
      roots.push_back(check.id);
    for (ExprId place : def[check.id].places)
      if (!def.isInside(place))
        roots.push_back(place);
    for (auto [guard, value] : check.guards)
      roots.push_back(guard);
  }
  Value outer =
      std::exchange(emitter.values[statement.target.value], carried.target);
  BodyInputs inputs = emitLeaves(roots);
  auto getCode = [&](runtime::Code code) -> Value {
    return arith::ConstantOp::create(
        b, b.getI32IntegerAttr(static_cast<int32_t>(code)));
  };
  ++emitter.numGuards;
  Value ok = getCode(runtime::Code::Ok);
  Value found = ok;
  for (const auto &[id, guards] : checks) {
    Value isWrong = def[id].kind == ExprKind::Gather
                        ? emitIsOutside(def[id], inputs)
                        : emitter.emitIsWrong(b, id, inputs);
    for (auto [guard, value] : guards) {
      Value holds = emitter.emitExpr(b, guard, ElementType::Bool, inputs);
      if (!value)
        holds = emitUnary(b, UnaryFn::Not, holds, ElementType::Bool);
      isWrong = arith::AndIOp::create(b, isWrong, holds);
    }
    // Where there are no points inside, nothing is looked at.
    for (const Index &index : ArrayRef(statement.indices).drop_front(level)) {
      if (index.extent.isConstant() && index.extent.getConstant() > 0)
        continue;
      Value extent = getValueOrCreateConstantIndexOp(
          b, b.getLoc(), emitter.emitSize(index.extent));
      Value zero = arith::ConstantIndexOp::create(b, 0);
      Value hasPoints =
          arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, extent, zero);
      isWrong = arith::AndIOp::create(b, isWrong, hasPoints);
    }
    Value isFirst =
        arith::CmpIOp::create(b, arith::CmpIPredicate::eq, found, ok);
    isWrong = arith::AndIOp::create(b, isWrong, isFirst);
    Value own =
        getCode(def[id].kind == ExprKind::Gather ? runtime::Code::OutOfRange
                                                 : runtime::Code::Domain);
    found = arith::SelectOp::create(b, isWrong, own, found);
  }
  --emitter.numGuards;
  emitter.values[statement.target.value] = outer;
  Value isRight = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, found, ok);
  auto branch = scf::IfOp::create(b, ValueRange(carried.get()).getTypes(),
                                  isRight, /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(b, rest(carried).get());
    b.setInsertionPointToStart(branch.elseBlock());
    Value isFirst =
        arith::CmpIOp::create(b, arith::CmpIPredicate::eq, carried.code, ok);
    Value code = arith::SelectOp::create(b, isFirst, found, carried.code);
    scf::YieldOp::create(b, ValueRange{carried.target, code});
  }
  return carried.next(branch.getResults());
}

/// The target with the point's element in it.
Value InOrderEmitter::emitUpdate(Value target, BodyInputs &inputs,
                                 Value condition) {
  SmallVector<Value> places;
  for (ExprId id : written.places) {
    const Expr &place = def[id];
    if (place.kind == ExprKind::Position) {
      places.push_back(
          emitter.emitAffine(b, b.getLoc(), place.subscripts.front()));
      continue;
    }
    ElementType type =
        place.type == ElementType::U64 ? place.type : ElementType::Index;
    Value value = emitter.emitExpr(b, id, type, inputs);
    places.push_back(arith::IndexCastOp::create(b, b.getIndexType(), value));
  }
  ElementType type = statement.computeType, stored = type;
  std::optional<BinaryFn> fn = getFunction(statement.update);
  if (!fn)
    stored = def[statement.target].type;
  emitter.numGuards += condition != nullptr;
  Value value = emitter.emitExpr(b, statement.value, type, inputs);
  emitter.numGuards -= condition != nullptr;
  b.setLoc(emitter.getLoc(statement.range));
  Value soFar;
  if (fn || condition)
    soFar = emitLoaded(b, tensor::ExtractOp::create(b, target, places), stored);
  value = fn ? emitBinary(b, *fn, soFar, value, type)
             : emitConversion(b, value, type, stored);
  if (condition)
    value = arith::SelectOp::create(b, condition, value, soFar);
  return tensor::InsertOp::create(b, emitStored(b, value, stored), target,
                                  places);
}

Carried InOrderEmitter::emitPoint(Carried carried) {
  noteInside();
  Value outer =
      std::exchange(emitter.values[statement.target.value], carried.target);
  llvm::scope_exit restore([&] {
    emitter.values[statement.target.value] = outer;
    emitter.insidePlaces.clear();
  });
  SmallVector<ExprId> roots = {statement.value, statement.written};
  if (!statement.condition.isValid()) {
    BodyInputs inputs = emitLeaves(roots);
    return {emitUpdate(carried.target, inputs, {}), carried.code};
  }
  bool isComputed = llvm::any_of(written.places, [&](ExprId id) {
    return def[id].kind != ExprKind::Position;
  });
  BodyInputs inputs = emitLeaves(
      isComputed ? SmallVector<ExprId>{statement.condition}
                 : SmallVector<ExprId>{statement.condition, statement.value});
  Value condition =
      emitter.emitExpr(b, statement.condition, ElementType::Bool, inputs);
  if (!isComputed)
    return {emitUpdate(carried.target, inputs, condition), carried.code};
  // Where the condition does not hold, the place may be outside.
  auto branch = scf::IfOp::create(b, TypeRange(carried.target.getType()),
                                  condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  BodyInputs inside = emitLeaves(roots);
  scf::YieldOp::create(b, emitUpdate(carried.target, inside, {}));
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, carried.target);
  return {branch.getResult(0), carried.code};
}

Carried InOrderEmitter::emitLoop(Value begin, Value end, bool isFirst,
                                 Carried carried) {
  unsigned level = emitter.loopValues.size();
  const Index &index = statement.indices[level];
  Location outer = b.getLoc();
  b.setLoc(emitter.getLoc(statement.range, statement.target, {index.name}));
  Value one = arith::ConstantIndexOp::create(b, 1);
  auto loop = scf::ForOp::create(b, begin, end, one, carried.get());
  if (isIndependent(def, statement, IndexId(level)))
    loop->setAttr(EinDialect::kIndependentAttr, b.getUnitAttr());
  else if (!isFirst)
    loop->setAttr(EinDialect::kInOrderAttr, b.getUnitAttr());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  emitter.loopValues.push_back(loop.getInductionVar());
  isPast.push_back(!isFirst && numFirst[level] != 0);
  Carried next = emitChecked(carried.next(loop.getRegionIterArgs()),
                             [&](Carried inner) { return emitLevel(inner); });
  isPast.pop_back();
  emitter.loopValues.pop_back();
  b.setLoc(outer);
  scf::YieldOp::create(b, next.get());
  return carried.next(loop.getResults());
}

Carried InOrderEmitter::emitLevel(Carried carried) {
  unsigned level = emitter.loopValues.size();
  if (level == statement.indices.size())
    return emitPoint(carried);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  OpFoldResult extent = emitter.emitSize(statement.indices[level].extent);
  Value end = getValueOrCreateConstantIndexOp(b, b.getLoc(), extent);
  if (numFirst[level] == 0)
    return emitLoop(zero, end, /*isFirst=*/false, carried);
  AffineMap map = AffineMap::get(
      1, 0, {b.getAffineDimExpr(0), b.getAffineConstantExpr(numFirst[level])},
      b.getContext());
  Value middle = getValueOrCreateConstantIndexOp(
      b, b.getLoc(),
      affine::makeComposedFoldedAffineMin(b, b.getLoc(), map, {extent}));
  carried = emitLoop(zero, middle, /*isFirst=*/true, carried);
  return emitLoop(middle, end, /*isFirst=*/false, carried);
}

Value InOrderEmitter::emit(Value init) {
  placeChecks();
  findFirstSteps();
  bool hasChecks = llvm::any_of(
      checksAt, [](const auto &checks) { return !checks.empty(); });
  Carried carried = {init};
  if (hasChecks)
    carried.code = tensor::ExtractOp::create(b, emitter.status, ValueRange());
  Operation *before = b.getInsertionPoint() == b.getInsertionBlock()->begin()
                          ? nullptr
                          : &*std::prev(b.getInsertionPoint());
  Carried result =
      emitChecked(carried, [&](Carried inner) { return emitLevel(inner); });
  // The order that the language states.
  Block::iterator begin = before ? std::next(Block::iterator(before))
                                 : b.getInsertionBlock()->begin();
  for (Operation &op : llvm::make_range(begin, b.getInsertionPoint()))
    op.walk([&](arith::ArithFastMathInterface math) {
      arith::FastMathFlagsAttr own = math.getFastMathFlagsAttr();
      if (!own)
        return;
      arith::FastMathFlags flags =
          own.getValue() & ~arith::FastMathFlags::reassoc;
      math->setAttr(math.getFastMathAttrName(),
                    arith::FastMathFlagsAttr::get(b.getContext(), flags));
    });
  if (hasChecks)
    emitter.status =
        tensor::InsertOp::create(b, result.code, emitter.status, ValueRange());
  return result.target;
}

/// All of the target after the statement.
Value DefEmitter::emitInOrder(const Statement &statement) {
  const Tensor &target = def[statement.target];
  bool accumulates = statement.update != UpdateKind::Assign;
  Value &value = values[statement.target.value];
  Value init;
  if (accumulates)
    init = emitInit(statement, {value, llvm::to_vector(target.dims)},
                    /*isEinsum=*/false);
  else if (!value && writesAll(def, statement))
    init = getDestination(statement.target);
  else
    init = emitWhole(statement);
  Value result =
      isEmpty(statement) ? init : InOrderEmitter(*this, statement).emit(init);
  if (!accumulates || statement.computeType == target.type)
    return result;
  return convertTensor(result, statement.computeType, target.type,
                       getDestination(statement.target));
}

} // namespace ein
