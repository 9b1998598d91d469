//===- LowerOuterProducts.cpp - Tiles to Arm's SME ------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: SME multiplies a vector of groups of A's rows by one of B's columns
// and adds to all sums of a tile in ZA, which a program has while a bit of the
// processor's state is set; and its vectors, in another mode, are as long as
// the machine likes, in which NEON has no instructions.
//
// Choice: the loop over k becomes a call. What is called is made once for each
// kind of tile, and is of two functions:
//
//  * `__ein_in_streaming_mode` is assembly, and what the ABI wants of a
//    function that uses ZA: the registers that are its caller's are saved, as a
//    change of the mode clears them; a ZA that a caller has left to be saved by
//    whoever needs it is saved to where it said (AAPCS64, "The TPIDR2 block").
//    Then it calls the other one. LLVM has attributes for all of it. With 22.1
//    such a function lost its return address where ZA was to be saved, needed
//    two functions of a library, and read the length of SVE's vectors, which
//    not all machines with SME have (docs/decisions/0045-tiles.md).
//  * `__ein_outer_…` is LLVM's, in that mode all the time.
//
// It knows rows and columns of the tile, and no length: a loop goes over as
// many of both as ZA has sums for, 2 by 2 vectors or 1 by 4, and predicates say
// which are there. So one object is for all machines with SME. Sums go to
// memory, as AMX's do.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "passes/llvm/TileSums.h"

using namespace mlir;

namespace ein {

static constexpr StringLiteral kMode = "__ein_in_streaming_mode";

/// x0 to x6 are handed on to x7; d8 to d15 are the caller's.
static constexpr StringLiteral kModeText = R"(
stp x29, x30, [sp, #-80]!
mov x29, sp
stp d8, d9, [sp, #16]
stp d10, d11, [sp, #32]
stp d12, d13, [sp, #48]
stp d14, d15, [sp, #64]
mrs x9, TPIDR2_EL0
cbz x9, 3f
ldrh w10, [x9, #10]
ldr w11, [x9, #12]
orr w10, w10, w11
cbnz w10, 4f
ldrh w10, [x9, #8]
ldr x11, [x9]
mov w12, wzr
cbz w10, 2f
1: str za[w12, 0], [x11]
addsvl x11, x11, #1
add w12, w12, #1
cmp w12, w10
b.ne 1b
2: msr TPIDR2_EL0, xzr
3: smstart
blr x7
smstop
ldp d14, d15, [sp, #64]
ldp d12, d13, [sp, #48]
ldp d10, d11, [sp, #32]
ldp d8, d9, [sp, #16]
ldp x29, x30, [sp], #80
ret
4: brk #1
)";

namespace {

/// A kind of products, which are one function.
class OuterProducts {
public:
  OuterProducts(TileProductsOp op, const TileRegisters &registers)
      : b(op.getLoc(), op.getContext()),
        module(op->getParentOfType<ModuleOp>()),
        rows(op.getStart().getType().getDimSize(0)),
        columns(op.getStart().getType().getDimSize(1)),
        group(op.getLhs().getType().getDimSize(2)),
        element(op.getLhs().getType().getElementType()),
        lhsUnsigned(op.getLhsUnsigned()), rhsUnsigned(op.getRhsUnsigned()),
        high(llvm::divideCeil(rows, registers.rows)),
        wide(llvm::divideCeil(columns, registers.rows)) {}

  bool fits(const TileRegisters &registers) const {
    return high * wide <= registers.count;
  }
  LLVM::LLVMFuncOp getOrCreateFunction();
  LLVM::LLVMFuncOp getOrCreateMode();

private:
  std::string getName() const;
  StringRef getIntrinsic() const;
  VectorType getVector(Type type, int64_t bits) const {
    constexpr int64_t kUnitBits = 128;
    return VectorType::get({kUnitBits / bits}, type, {true});
  }
  Value constant(int64_t value) {
    return arith::ConstantOp::create(b, b.getI64IntegerAttr(value));
  }
  Value number(int64_t value) {
    return LLVM::ConstantOp::create(b, b.getI32Type(),
                                    b.getI32IntegerAttr(value));
  }
  Value add(Value first, Value second) {
    return arith::AddIOp::create(b, first, second);
  }
  Value multiply(Value first, int64_t second) {
    return arith::MulIOp::create(b, first, constant(second));
  }
  /// Of `from` and what follows up to `end`, as many as a vector has.
  Value createMask(Value from, int64_t end, int64_t bits);
  Value getAddress(Value base, Value bytes) {
    return LLVM::GEPOp::create(b, base.getType(), b.getI8Type(), base,
                               ValueRange{bytes});
  }
  void callIntrinsic(StringRef name, ValueRange arguments) {
    LLVM::CallIntrinsicOp::create(b, b.getStringAttr(name), arguments);
  }
  using BodyFn = llvm::function_ref<void(Value)>;
  void createLoop(Value end, Value step, BodyFn body);
  void createBody(ValueRange arguments);
  void createTile(ValueRange arguments, Value row, Value column, Value width);
  void createSteps(ValueRange arguments, ArrayRef<Value> firstRows,
                   ArrayRef<Value> firstColumns);
  void moveSums(StringRef intrinsic, Value buffer, ArrayRef<Value> firstRows,
                ArrayRef<Value> firstColumns, Value width);

  ImplicitLocOpBuilder b;
  ModuleOp module;
  int64_t rows, columns, group;
  Type element;
  bool lhsUnsigned, rhsUnsigned;
  /// Tiles of ZA at a time.
  int64_t high, wide;

  static constexpr int64_t kSumBits = 32, kSumBytes = 4;
};

} // namespace

std::string OuterProducts::getName() const {
  std::string name;
  llvm::raw_string_ostream stream(name);
  auto print = [&](bool isUnsigned) {
    if (isUnsigned)
      stream << "u" << element.getIntOrFloatBitWidth();
    else
      stream << element;
  };
  stream << "__ein_outer_";
  print(lhsUnsigned);
  if (lhsUnsigned != rhsUnsigned)
    print(rhsUnsigned);
  stream << "_" << rows << "x" << columns;
  return name;
}

StringRef OuterProducts::getIntrinsic() const {
  if (isa<FloatType>(element))
    return "llvm.aarch64.sme.mopa.wide";
  if (lhsUnsigned)
    return rhsUnsigned ? "llvm.aarch64.sme.umopa.wide"
                       : "llvm.aarch64.sme.usmopa.wide";
  return rhsUnsigned ? "llvm.aarch64.sme.sumopa.wide"
                     : "llvm.aarch64.sme.smopa.wide";
}

Value OuterProducts::createMask(Value from, int64_t end, int64_t bits) {
  return LLVM::CallIntrinsicOp::create(
             b, getVector(b.getI1Type(), bits),
             b.getStringAttr("llvm.get.active.lane.mask"),
             ValueRange{from, constant(end)})
      ->getResult(0);
}

void OuterProducts::createLoop(Value end, Value step, BodyFn body) {
  scf::ForOp::create(b, constant(0), end, step, ValueRange(),
                     [&](OpBuilder &inner, Location, Value index, ValueRange) {
                       OpBuilder::InsertionGuard guard(b);
                       b.setInsertionPointToEnd(inner.getInsertionBlock());
                       body(index);
                       scf::YieldOp::create(b);
                     });
}

/// All sums between ZA and memory, or from there, a row at a time. A predicate
/// has the columns that there are.
void OuterProducts::moveSums(StringRef intrinsic, Value buffer,
                             ArrayRef<Value> firstRows,
                             ArrayRef<Value> firstColumns, Value width) {
  SmallVector<Value> masks;
  for (Value column : firstColumns)
    masks.push_back(createMask(column, columns, kSumBits));
  for (int64_t r = 0; r < high; ++r) {
    Value left = arith::SubIOp::create(b, constant(rows), firstRows[r]);
    Value count = arith::MinSIOp::create(b, left, width);
    createLoop(count, constant(1), [&](Value row) {
      Value start = multiply(add(firstRows[r], row), columns);
      Value slice = arith::TruncIOp::create(b, b.getI32Type(), row);
      for (int64_t c = 0; c < wide; ++c) {
        Value bytes = multiply(add(start, firstColumns[c]), kSumBytes);
        callIntrinsic(intrinsic, {masks[c], getAddress(buffer, bytes),
                                  number(r * wide + c), slice});
      }
    });
  }
}

/// The loop over k.
void OuterProducts::createSteps(ValueRange arguments, ArrayRef<Value> firstRows,
                                ArrayRef<Value> firstColumns) {
  int64_t bits = element.getIntOrFloatBitWidth();
  VectorType type = getVector(element, bits);
  auto createMasks = [&](ArrayRef<Value> firsts, int64_t end) {
    SmallVector<Value> masks;
    for (Value first : firsts)
      masks.push_back(createMask(multiply(first, group), end * group, bits));
    return masks;
  };
  SmallVector<Value> rowMasks = createMasks(firstRows, rows),
                     columnMasks = createMasks(firstColumns, columns);
  Value zero = LLVM::ZeroOp::create(b, type);
  auto load = [&](Value panel, Value offset, ArrayRef<Value> firsts,
                  ArrayRef<Value> masks) {
    SmallVector<Value> vectors;
    for (auto [first, mask] : llvm::zip_equal(firsts, masks)) {
      Value address =
          getAddress(panel, add(offset, multiply(first, kSumBytes)));
      vectors.push_back(LLVM::MaskedLoadOp::create(
          b, type, address, mask, zero,
          b.getI32IntegerAttr(static_cast<int32_t>(bits / 8)), UnitAttr()));
    }
    return vectors;
  };
  createLoop(arguments[5], constant(1), [&](Value k) {
    auto getOffset = [&](Value stride) -> Value {
      return arith::MulIOp::create(b, k, stride);
    };
    SmallVector<Value> lefts =
        load(arguments[0], getOffset(arguments[1]), firstRows, rowMasks);
    SmallVector<Value> rights =
        load(arguments[2], getOffset(arguments[3]), firstColumns, columnMasks);
    for (int64_t r = 0; r < high; ++r)
      for (int64_t c = 0; c < wide; ++c)
        callIntrinsic(getIntrinsic(), {number(r * wide + c), rowMasks[r],
                                       columnMasks[c], lefts[r], rights[c]});
  });
}

/// As many rows and columns as ZA has sums for.
void OuterProducts::createTile(ValueRange arguments, Value row, Value column,
                               Value width) {
  auto getFirsts = [&](Value first, int64_t count) {
    SmallVector<Value> firsts = {first};
    for (int64_t i = 1; i < count; ++i)
      firsts.push_back(add(firsts.back(), width));
    return firsts;
  };
  SmallVector<Value> firstRows = getFirsts(row, high),
                     firstColumns = getFirsts(column, wide);
  Value buffer = arguments[4];
  Value isAdded = arith::CmpIOp::create(b, arith::CmpIPredicate::ne,
                                        arguments[6], constant(0));
  auto choice = scf::IfOp::create(b, isAdded, /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(choice.thenBlock());
    moveSums("llvm.aarch64.sme.ld1w.horiz", buffer, firstRows, firstColumns,
             width);
    b.setInsertionPointToStart(choice.elseBlock());
    // Numbers of 64 bits have eight tiles, two of which are one of 32 bits.
    constexpr int64_t kFirstTile = 0b00010001;
    int64_t tiles = 0;
    for (int64_t tile = 0; tile < high * wide; ++tile)
      tiles |= kFirstTile << tile;
    callIntrinsic("llvm.aarch64.sme.zero", number(tiles));
  }
  createSteps(arguments, firstRows, firstColumns);
  moveSums("llvm.aarch64.sme.st1w.horiz", buffer, firstRows, firstColumns,
           width);
}

void OuterProducts::createBody(ValueRange arguments) {
  // Of numbers of 64 bits.
  Value doubles = LLVM::CallIntrinsicOp::create(
                      b, b.getI64Type(),
                      b.getStringAttr("llvm.aarch64.sme.cntsd"), ValueRange())
                      ->getResult(0);
  Value width = multiply(doubles, 2);
  createLoop(constant(rows), multiply(width, high), [&](Value row) {
    createLoop(constant(columns), multiply(width, wide), [&](Value column) {
      createTile(arguments, row, column, width);
    });
  });
}

/// Two panels and their steps in bytes, the sums, the number of steps, and
/// whether the sums are added to what is there.
static SmallVector<Type> getArguments(Builder &b) {
  Type pointer = LLVM::LLVMPointerType::get(b.getContext()),
       size = b.getI64Type();
  return {pointer, size, pointer, size, pointer, size, size};
}

LLVM::LLVMFuncOp OuterProducts::getOrCreateFunction() {
  std::string name = getName();
  if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return function;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(module.getBody());
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(b.getContext()), getArguments(b));
  auto function =
      LLVM::LLVMFuncOp::create(b, name, type, LLVM::Linkage::Internal);
  function.setArmStreaming(true);
  function.setArmInoutZa(true);
  function.setNoInline(true);
  Block *entry = function.addEntryBlock(b);
  b.setInsertionPointToStart(entry);
  createBody(entry->getArguments());
  LLVM::ReturnOp::create(b, ValueRange());
  return function;
}

LLVM::LLVMFuncOp OuterProducts::getOrCreateMode() {
  if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(kMode))
    return function;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(module.getBody());
  SmallVector<Type> arguments = getArguments(b);
  arguments.push_back(LLVM::LLVMPointerType::get(b.getContext()));
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(b.getContext()), arguments);
  auto function =
      LLVM::LLVMFuncOp::create(b, kMode, type, LLVM::Linkage::Internal);
  // The function is its text.
  function.setPassthroughAttr(b.getStrArrayAttr({"naked"}));
  function.setNoInline(true);
  b.setInsertionPointToStart(function.addEntryBlock(b));
  LLVM::InlineAsmOp::create(b, TypeRange(), ValueRange(), kModeText.trim(), "",
                            /*has_side_effects=*/true,
                            /*is_align_stack=*/false,
                            LLVM::tailcallkind::TailCallKind::None,
                            LLVM::AsmDialectAttr(),
                            /*operand_attrs=*/ArrayAttr());
  LLVM::UnreachableOp::create(b);
  return function;
}

/// Where the step is that is read, and how many bytes are from one to the next.
static std::optional<std::pair<Value, Value>>
getPanel(ImplicitLocOpBuilder &b, Value factor, Value step) {
  vector::TransferReadOp read = findPanel(factor);
  if (!read)
    return std::nullopt;
  auto type = cast<MemRefType>(read.getBase().getType());
  auto [strides, offset] = type.getStridesAndOffset();
  // Rows, or columns, are groups side by side.
  int64_t group = type.getShape().back();
  unsigned axis = type.getDimSize(1) == 1 ? 2 : 1;
  if (ShapedType::isDynamic(strides[0]) || strides[3] != 1 ||
      (type.getDimSize(axis) != 1 && strides[axis] != group) ||
      type.getDimSize(3 - axis) != 1)
    return std::nullopt;
  for (Value index : read.getIndices().drop_front())
    if (!isConstantIntValue(index, 0))
      return std::nullopt;
  int64_t bytes = type.getElementTypeBitWidth() / 8;
  Value base =
      memref::ExtractAlignedPointerAsIndexOp::create(b, read.getBase());
  auto metadata = memref::ExtractStridedMetadataOp::create(b, read.getBase());
  auto multiply = [&](Value value, int64_t by) -> Value {
    return arith::MulIOp::create(b, value,
                                 arith::ConstantIndexOp::create(b, by));
  };
  Value first = arith::AddIOp::create(b, metadata.getOffset(),
                                      multiply(step, strides[0]));
  Value address = arith::AddIOp::create(b, base, multiply(first, bytes));
  return std::pair(
      address,
      arith::ConstantIndexOp::create(b, strides[0] * bytes).getResult());
}

//===----------------------------------------------------------------------===//
// C
//===----------------------------------------------------------------------===//

namespace {

/// A part of C, and how many of a tile's rows and columns it is known to have.
struct TileOfC {
  Value memory;
  SmallVector<Value> position;
  bool hasRows, hasColumns;
};

} // namespace

/// What a transfer of a whole tile reads or writes, if that is rows of a
/// matrix.
template <typename TransferOp>
static std::optional<TileOfC> getTile(TransferOp op) {
  auto type = dyn_cast<MemRefType>(op.getBase().getType());
  if (!type || type.getRank() != 2 || op.getMask() ||
      !op.getPermutationMap().isIdentity())
    return std::nullopt;
  SmallVector<bool> inBounds = op.getInBoundsValues();
  return TileOfC{op.getBase(), SmallVector<Value>(op.getIndices()), inBounds[0],
                 inBounds[1]};
}

/// Moves the rows that C has from one to the other, `isTo` from the buffer.
static void moveRows(ImplicitLocOpBuilder &b, const TileOfC &tile,
                     VectorType type, Value buffer, bool isTo) {
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value count = arith::ConstantIndexOp::create(b, type.getDimSize(0));
  if (!tile.hasRows) {
    Value left = arith::SubIOp::create(
        b, memref::DimOp::create(b, tile.memory, 0), tile.position[0]);
    count = arith::MinSIOp::create(b, count, left);
  }
  auto rowType =
      VectorType::get(type.getShape().drop_front(), type.getElementType());
  scf::ForOp::create(
      b, zero, count, one, ValueRange(),
      [&](OpBuilder &inner, Location, Value row, ValueRange) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToEnd(inner.getInsertionBlock());
        Value inC = arith::AddIOp::create(b, tile.position[0], row);
        auto read = [&](Value memory, ValueRange position, bool isComplete) {
          return vector::TransferReadOp::create(
              b, rowType, memory, position,
              arith::ConstantOp::create(b,
                                        b.getZeroAttr(type.getElementType())),
              AffineMap::getMinorIdentityMap(2, 1, b.getContext()),
              ArrayRef<bool>{isComplete});
        };
        auto write = [&](Value numbers, Value memory, ValueRange position,
                         bool isComplete) {
          vector::TransferWriteOp::create(b, numbers, memory, position,
                                          ArrayRef<bool>{isComplete});
        };
        Value positionInC[] = {inC, tile.position[1]};
        Value positionInSums[] = {row, zero};
        if (isTo)
          write(read(buffer, positionInSums, true), tile.memory, positionInC,
                tile.hasColumns);
        else
          write(read(tile.memory, positionInC, tile.hasColumns), buffer,
                positionInSums, true);
        scf::YieldOp::create(b);
      });
}

namespace {

/// The sums of a product on their way from C to memory and back.
class Sums {
public:
  Sums(ImplicitLocOpBuilder &b, VectorType type, Value buffer, Value result)
      : b(b), type(type), buffer(buffer) {
    if (result.hasOneUse())
      write = dyn_cast<vector::TransferWriteOp>(*result.user_begin());
    if (write && write->getBlock() == result.getParentBlock())
      end = getTile(write);
  }

  /// Brings what they start from to the buffer, and says whether that is
  /// something (1) or zero (0).
  Value start(Value from);
  /// After the product.
  void finish(RewriterBase &rewriter, Operation *replaced);

private:
  Value getFlag(bool isSet) {
    return arith::ConstantIndexOp::create(b, isSet ? 1 : 0);
  }
  Value startByRows(Value from);
  Value startByChoice(scf::IfOp choice, unsigned number);

  ImplicitLocOpBuilder &b;
  VectorType type;
  Value buffer;
  vector::TransferWriteOp write;
  /// Where all of them end, if they are written and nothing else.
  std::optional<TileOfC> end;
};

} // namespace

/// Rows that C has not stay what they are, and nobody reads what becomes of
/// them.
Value Sums::startByRows(Value from) {
  auto read = from.getDefiningOp<vector::TransferReadOp>();
  std::optional<TileOfC> tile = read ? getTile(read) : std::nullopt;
  if (!tile)
    return {};
  moveRows(b, *tile, type, buffer, /*isTo=*/false);
  return getFlag(true);
}

/// Zero in the first block of k, what C has in the others.
Value Sums::startByChoice(scf::IfOp choice, unsigned number) {
  Value first = choice.thenYield().getOperand(number),
        second = choice.elseYield().getOperand(number);
  bool isZeroFirst = startsFromZero(first);
  Value other = isZeroFirst ? second : first;
  auto read = other.getDefiningOp<vector::TransferReadOp>();
  std::optional<TileOfC> tile = read ? getTile(read) : std::nullopt;
  if (startsFromZero(first) == startsFromZero(second) || !tile ||
      !llvm::all_of(read->getOperands(), [&](Value operand) {
        return !choice->isAncestor(operand.getParentRegion()->getParentOp()) ||
               operand.getDefiningOp<arith::ConstantOp>();
      }))
    return {};
  auto moved =
      scf::IfOp::create(b, choice.getCondition(), /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(isZeroFirst ? moved.elseBlock()
                                         : moved.thenBlock());
  for (Value &index : tile->position)
    if (std::optional<int64_t> known = getConstantIntValue(index))
      index = arith::ConstantIndexOp::create(b, *known);
  moveRows(b, *tile, type, buffer, /*isTo=*/false);
  b.setInsertionPointAfter(moved);
  return arith::SelectOp::create(b, choice.getCondition(),
                                 getFlag(!isZeroFirst), getFlag(isZeroFirst));
}

Value Sums::start(Value from) {
  if (startsFromZero(from))
    return getFlag(false);
  if (end) {
    Value flag = startByRows(from);
    if (auto choice = from.getDefiningOp<scf::IfOp>(); choice && !flag)
      flag = startByChoice(choice, cast<OpResult>(from).getResultNumber());
    if (flag)
      return flag;
  }
  writeSums(b, from, buffer);
  return getFlag(true);
}

void Sums::finish(RewriterBase &rewriter, Operation *replaced) {
  if (!end) {
    rewriter.replaceOp(replaced, readSums(b, type, buffer));
    return;
  }
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(write);
  moveRows(b, *end, type, buffer, /*isTo=*/true);
  rewriter.eraseOp(write);
  rewriter.eraseOp(replaced);
}

/// The whole loop round `op`, if it does nothing else: a step of both panels
/// each time.
static scf::ForOp getLoop(TileProductsOp op) {
  auto loop =
      getCarried(op) ? cast<scf::ForOp>(op->getParentOp()) : scf::ForOp();
  if (!loop || loop.getNumResults() != 1 ||
      !isConstantIntValue(loop.getStep(), 1))
    return {};
  bool isOfPanels =
      llvm::all_of(ValueRange{op.getLhs(), op.getRhs()}, [&](Value factor) {
        vector::TransferReadOp read = findPanel(factor);
        return read && read.getIndices().front() == loop.getInductionVar() &&
               loop.isDefinedOutsideOfLoop(read.getBase());
      });
  return isOfPanels ? loop : scf::ForOp();
}

LogicalResult lowerOuterProducts(RewriterBase &rewriter, TileProductsOp op,
                                 const TileRegisters &registers) {
  OuterProducts products(op, registers);
  if (op.getLhs().getType().getDimSize(1) != 1 || !products.fits(registers))
    return op.emitOpError("is no outer product of one group, with ")
           << registers.count << " tiles of " << registers.rows << " by "
           << registers.rows << " sums";
  scf::ForOp loop = getLoop(op);
  Operation *replaced = loop ? loop.getOperation() : op.getOperation();
  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  Value buffer = createSumsBuffer(b, op, registers.rowBytes);
  b.setInsertionPoint(replaced);
  Sums sums(b, op.getStart().getType(), buffer, replaced->getResult(0));
  Value isAdded = sums.start(loop ? loop.getInitArgs()[0] : op.getStart());
  Value count = arith::ConstantIndexOp::create(b, 1);
  if (loop)
    count =
        arith::SubIOp::create(b, loop.getUpperBound(), loop.getLowerBound());
  SmallVector<Value> numbers;
  for (Value factor : {op.getLhs(), op.getRhs()}) {
    vector::TransferReadOp read = findPanel(factor);
    Value first = loop   ? loop.getLowerBound()
                  : read ? read.getIndices().front()
                         : Value();
    auto panel = first ? getPanel(b, factor, first) : std::nullopt;
    if (!panel)
      return op.emitOpError("has a factor that is not read from a panel");
    numbers.append({panel->first, panel->second});
  }
  numbers.push_back(memref::ExtractAlignedPointerAsIndexOp::create(b, buffer));
  numbers.append({count, isAdded});
  SmallVector<Value> arguments;
  for (auto [type, value] : llvm::zip_equal(getArguments(b), numbers)) {
    Value word = arith::IndexCastOp::create(b, b.getI64Type(), value);
    arguments.push_back(
        type.isInteger() ? word
                         : LLVM::IntToPtrOp::create(b, type, word).getResult());
  }
  arguments.push_back(
      LLVM::AddressOfOp::create(b, products.getOrCreateFunction()));
  LLVM::CallOp::create(b, products.getOrCreateMode(), arguments);
  sums.finish(rewriter, replaced);
  return success();
}

} // namespace ein
