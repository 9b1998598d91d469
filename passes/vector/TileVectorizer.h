//===- TileVectorizer.h - Register tiles of one op --------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loops and register tiles of one structured op, as its schedule says
// (VectorizeTiles.cpp). Loops over tiles are in TileLoops.cpp, accesses in
// TileAccess.cpp, tiles with vectors along the result in TileColumns.cpp and
// those with vectors along a sum in TileRows.cpp, products in TileProducts.cpp;
// what windows have in common is in TileWindows.cpp, maxima are in
// TileMaxima.cpp, what copies to panels need
// in TilePanels.cpp, and searches are in TileSearch.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_VECTOR_TILEVECTORIZER_H
#define EIN_PASSES_VECTOR_TILEVECTORIZER_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "passes/analysis/IeeeMinMax.h"
#include "passes/analysis/Reductions.h"
#include "passes/analysis/WindowAnalysis.h"
#include "passes/schedule/ScheduledOps.h"
#include "passes/vector/ComplexSums.h"
#include <map>

namespace ein {

class TileVectorizer {
public:
  TileVectorizer(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
                 const Schedule &schedule, bool exchanges);

  /// The result, computed where the rewriter is. It takes the place of what
  /// `getLast` gives.
  mlir::Value create();
  /// The op; its epilogue if it has one; or what is there of a padded tile.
  static mlir::Operation *getLast(mlir::linalg::LinalgOp op,
                                  const Schedule &schedule);

private:
  /// What a result starts from: a number, perhaps in the first block only, or
  /// what the tensor has that it is written to.
  struct Start {
    mlir::Value number, isFirst, tensor;
  };
  static Start getStart(mlir::linalg::LinalgOp op);

  using Values = llvm::SmallVector<mlir::Value>;
  /// What is done at a place of a loop with the values that it carries.
  using Body = llvm::function_ref<Values(mlir::Value, mlir::ValueRange)>;

  /// Where a loop is: at a value plus a number, or at the number.
  struct Place {
    mlir::Value base;
    int64_t offset = 0;
  };
  /// From `begin` to before `end`, along one dim.
  struct Range {
    mlir::OpFoldResult begin, end;
  };
  /// The part of a range that is gone over in steps of `count` rows, or
  /// vectors.
  struct Part {
    Range range;
    int64_t count = 1, lanes = 1;
    /// Of rows: not all may be there. Of vectors: whether the last one is
    /// masked, and how many elements it has if that is known.
    bool isClamped = false, isMasked = false;
    std::optional<int64_t> left = std::nullopt;
    /// Of one step at most, which is what others leave: how many rows or
    /// elements that is. It does not depend on a loop.
    mlir::OpFoldResult rest = {};
    /// Whether it may be known by then what the rest need not gather.
    bool mayBeKnown = false;
    /// Whether an input that is padded may end in it.
    bool mayEnd = false;
    int64_t getStep() const { return count * lanes; }
  };
  /// A loop outside of tiles: over blocks of a dim, over rows of tiles, or over
  /// their vectors.
  struct Loop {
    enum Role { Blocks, Rows, Columns } role;
    int64_t dim, step;
  };
  /// An operand whose elements the body uses.
  struct Operand {
    mlir::Value source;
    llvm::SmallVector<LinearSubscript> subscripts;
    /// How far apart neighbours along the vectors are; 0 of one number.
    static constexpr int64_t kTransposed = -1;
    int64_t step = 0;
    mlir::BlockArgument argument;
    /// Whether it is what the result is written over, element by element.
    bool isResult = false;
    /// Of a source that is padded with zeros to whole tiles, per axis: where it
    /// ends, and the dim that counts the tiles, or -1.
    llvm::SmallVector<mlir::OpFoldResult> ends = {};
    llvm::SmallVector<int64_t> tileDims = {};
    /// How many neighbours an element is, if an instruction multiplies several.
    int64_t group = 1;
  };

  // Loops.
  llvm::SmallVector<mlir::OpFoldResult> getSizes();
  void findGroups();
  void listLoops();
  Values createLoop(const Range &range, int64_t step, mlir::ValueRange carried,
                    Body body, mlir::scf::ForOp *created = nullptr);
  llvm::SmallVector<Part> getParts(const Loop &loop);
  llvm::SmallVector<Part> getRowParts(int64_t dim, int64_t count);
  std::optional<mlir::OpFoldResult> getPaddedEnd(int64_t dim, int64_t count);
  llvm::SmallVector<Part> getColumnParts(int64_t width);
  llvm::SmallVector<Part> getSumParts();
  bool areColumnsMasked();
  std::optional<int64_t> getLeft(int64_t dim, int64_t step);
  mlir::OpFoldResult getRest(int64_t dim, int64_t step);
  mlir::OpFoldResult getWhole(int64_t dim, mlir::OpFoldResult begin,
                              int64_t step);
  std::optional<mlir::OpFoldResult> getHead();
  void separateFirst(llvm::SmallVector<Part> &parts);
  void setPlaces(int64_t dim, const Part &part, mlir::Value begin);
  mlir::Value createPart(size_t level, const Part &part, mlir::Value tensor,
                         llvm::function_ref<mlir::Value(mlir::Value)> body);
  mlir::Value createLoops(size_t level, mlir::Value tensor);
  mlir::Value createSquares(size_t level, mlir::Value tensor);
  mlir::Value createGroups(mlir::Value tensor);
  mlir::Attribute getSquareBlock();
  Values accumulate(
      size_t level, mlir::ValueRange sums,
      llvm::function_ref<Values(mlir::ValueRange)> leaf,
      llvm::function_ref<Values(mlir::ValueRange, int64_t)> pairs = nullptr);
  bool isSum(int64_t dim) {
    return op.getIteratorTypesArray()[dim] ==
           mlir::utils::IteratorType::reduction;
  }
  mlir::OpFoldResult getIndex(const Place &place) {
    return place.base ? apply(b.getAffineDimExpr(0) + place.offset,
                              {mlir::getAsOpFoldResult(place.base)})
                      : b.getIndexAttr(place.offset);
  }
  bool isChannel(int64_t dim);
  bool sumsChannels();

  // Accesses.
  Operand getOperand(mlir::OpOperand &operand);
  void lookThroughPad(Operand &operand);
  bool mayEndAlong(const Operand &operand, size_t axis);
  void getEpilogueInputs();
  int64_t getNumRows();
  llvm::SmallVector<int64_t> getDigits(int64_t row);
  Values getIndices(const Operand &operand, llvm::ArrayRef<int64_t> digits,
                    int64_t vector, int64_t shift = 0);
  mlir::Type getUnit(mlir::Type element);
  int64_t getGrain(mlir::Type element);
  mlir::Value toUnits(mlir::Value tensor, Values &indices);
  mlir::Value getPartMask(mlir::Value mask, mlir::Type element);
  mlir::Value repeatMask(mlir::Value mask, int64_t count);
  mlir::Value createMask(mlir::OpFoldResult count);
  bool isMasked(int64_t vector) const {
    return columns.isMasked && vector == columns.count - 1;
  }
  mlir::Value read(const Operand &operand, llvm::ArrayRef<int64_t> digits,
                   int64_t vector);
  mlir::Value readVector(const Operand &operand, llvm::ArrayRef<int64_t> digits,
                         int64_t vector, int64_t shift, mlir::Value mask);
  mlir::Value readParts(const Operand &operand, Values indices, bool mayEnd);
  Values readSquare(const Operand &operand);
  mlir::Value readGroups(const Operand &operand, llvm::ArrayRef<int64_t> digits,
                         int64_t vector);
  mlir::Value readWithGaps(const Operand &operand,
                           llvm::ArrayRef<int64_t> digits, int64_t vector);
  /// What has been read of each input, by where in the tile it is.
  using Known = llvm::SmallVector<llvm::DenseMap<int64_t, mlir::Value>>;
  mlir::IRMapping readInputs(llvm::ArrayRef<int64_t> digits, int64_t vector,
                             Known &known);
  mlir::IRMapping readInputs(llvm::ArrayRef<int64_t> digits, int64_t vector) {
    Known known(inputs.size());
    return readInputs(digits, vector, known);
  }

  // Partial results.
  size_t getWidth() const {
    return products                    ? ComplexSum::kValues
           : isPlain                   ? (isAcross ? 2 : 1)
           : isIeeeMinMax              ? IeeeMinMax::kValues
           : addsBytes() || hasMoved() ? 2
                                       : 1;
  }
  /// Whether columns of bytes are added up in words, those of a word's lower
  /// bytes and those of its upper ones.
  bool addsBytes() const {
    return schedule.widening > 1 && !isAcross && !grouped &&
           columns.lanes == lanes;
  }
  /// Whether sums of products have beside them what is too much of these, as
  /// one factor is moved by half of its range.
  bool hasMoved() const { return factors && !grouped && schedule.dotOffset; }
  IeeeMinMax getIeeeMinMax() {
    return IeeeMinMax(b, combiner, schedule.masked);
  }
  Values start(mlir::Value value);
  mlir::Value finish(mlir::ValueRange sum);
  Values join(mlir::ValueRange first, mlir::ValueRange second);
  mlir::Value combine(mlir::Value first, mlir::Value second);
  /// The body for vector `vector` of a row, or what it combines with a sum.
  mlir::Value computeBody(mlir::IRMapping &vectors, mlir::Value sum);
  mlir::Value addWidely(mlir::Value sum, mlir::Value value, mlir::Value mask);
  mlir::Value addParts(mlir::Value sum, mlir::IRMapping &values,
                       mlir::Value mask);
  mlir::Value leaveOut(mlir::Value value, mlir::Value mask);
  Values addProducts(mlir::ValueRange sums, mlir::IRMapping &vectors,
                     mlir::Value mask);
  Values add(mlir::ValueRange sum, mlir::IRMapping &vectors, mlir::Value mask);

  // Tiles with vectors along the result.
  mlir::Value createColumns(mlir::Value tensor);
  /// What a vector of the tile starts from.
  using StartOf =
      llvm::function_ref<mlir::Value(llvm::ArrayRef<int64_t>, int64_t)>;
  Values sumUp(StartOf getStart);
  Values addToColumns(mlir::ValueRange sums);
  mlir::Value multiplyGroups(mlir::Value single, mlir::Value vectors,
                             mlir::Value sum);
  mlir::Value readGroup(const Operand &operand, llvm::ArrayRef<int64_t> digits);
  void joinGroups(Operand &operand);
  Values addBytes(mlir::ValueRange sums, mlir::Value value);
  mlir::Value finishBytes(mlir::ValueRange sums);
  Values addPairToColumns(mlir::ValueRange sums, int64_t dim);
  mlir::Value
  applyEpilogue(mlir::Value sum, llvm::ArrayRef<int64_t> shape,
                llvm::function_ref<mlir::Value(const Operand &)> readOperand);
  mlir::Value write(mlir::Value value, mlir::Value tensor,
                    llvm::ArrayRef<int64_t> digits, int64_t vector);
  bool areSumsStraight();
  std::optional<size_t> findSharedAxis();
  void gatherShared(size_t axis, llvm::ArrayRef<int64_t> digits, int64_t vector,
                    llvm::SmallVectorImpl<mlir::Value> &sum);

  // Maxima that are seldom wrong.
  mlir::Value getPlainStart(mlir::Value start);
  void witness(mlir::Value value);
  void addUnpaired();
  Values takeWitnesses();
  void keepWitness(Values &sums);
  Values takeMaxima(StartOf getStart);
  Values startPlain(mlir::Value value);
  Values joinPlain(mlir::ValueRange first, mlir::ValueRange second);
  Values addPlain(mlir::ValueRange sum, llvm::ArrayRef<mlir::Value> values);
  bool areMaximaPlain();
  mlir::Value finishPlain(mlir::ValueRange sum, mlir::ValueRange singles,
                          mlir::Value &isDoubtful);
  Values takeExactly(mlir::ValueRange plain, mlir::Value areDoubtful,
                     llvm::function_ref<Values()> create);

  // Tiles with vectors along a sum.
  mlir::Value createRows(mlir::Value tensor);
  Values addPart(const Part &part, mlir::ValueRange sums);
  Values addSteps(const Part &part, mlir::ValueRange sums, bool isKnown);
  mlir::Value addAcross(llvm::ArrayRef<mlir::Value> vectors);
  Values finishRows(Values sums, mlir::Value *areDoubtful = nullptr);
  int64_t getRowsTogether();
  bool isClampedTogether();
  Values getStarts(mlir::Value tensor);
  mlir::Value writeTotals(mlir::Value tensor, mlir::ValueRange totals,
                          mlir::ValueRange starts);
  /// How many sums a row has: accumulators, and one for single elements.
  int64_t getSumsOfRow() const {
    bool hasSingles = !schedule.masked && schedule.kind != Schedule::Dot;
    return accumulators + (hasSingles ? 1 : 0);
  }
  /// Lanes of an accumulator.
  int64_t getSumLanes() const { return schedule.lanes / schedule.widening; }
  void findPrefetches();
  void prefetchRows();

  // Tiles of products.
  mlir::Value createProduct(mlir::Value tensor);
  mlir::Value readTile(const Operand &operand);
  mlir::Value writeTile(mlir::Value tile, mlir::Value tensor);
  mlir::Value getStartOfTile();
  bool isEpilogueOfRows(mlir::Value tensor);
  mlir::Value applyEpilogueToRows(mlir::Value tensor);

  // Searches.
  mlir::Value getOfRow(mlir::Value value);
  mlir::Value createSearchFor(mlir::Value condition);
  mlir::Value createSearch(mlir::Value tensor, const Search &search);

  mlir::OpFoldResult apply(mlir::AffineExpr expr,
                           llvm::ArrayRef<mlir::OpFoldResult> operands) {
    return mlir::affine::makeComposedFoldedAffineApply(b, b.getLoc(), expr,
                                                       operands);
  }
  mlir::Value toValue(mlir::OpFoldResult value) {
    return mlir::getValueOrCreateConstantIndexOp(b, b.getLoc(), value);
  }

  mlir::ImplicitLocOpBuilder b;
  mlir::linalg::LinalgOp op;
  const Schedule &schedule;
  /// Whether rows of a square that is transposed exchange elements.
  bool exchanges;
  /// Whether vectors lie along a dim that is reduced.
  bool isAcross;
  int64_t vectorDim;
  /// Elements of a vector, several of which may be added up to each other; how
  /// many vectors of a row, or partial results along it, there are at once.
  int64_t lanes, accumulators;
  /// What the op combines by; how floats are compared, if they are.
  mlir::Operation *combiner;
  bool isIeeeMinMax;
  /// What is reduced.
  mlir::Type element;
  /// What is added up, if that is products of complex numbers along a row.
  std::optional<ComplexSum> products;
  std::optional<PartProducts> partProducts;
  /// What is multiplied, if a lane gets several products at once.
  std::optional<NarrowFactors> factors;
  /// What is multiplied in groups, if that is so along the result.
  std::optional<GroupedSum> grouped;

  /// Loops over tiles and blocks; sums in a tile, but that along vectors.
  llvm::SmallVector<Loop> loops;
  llvm::SmallVector<int64_t> inner;
  /// The dims along which a tile has rows, the last of which runs fastest.
  llvm::SmallVector<int64_t> rowDims;
  llvm::SmallVector<Operand> inputs;
  Operand output;
  mlir::linalg::GenericOp epilogue;
  llvm::SmallVector<Operand> epilogueInputs;
  /// What the result starts from, if that is a number that need not be in
  /// memory; and where it does so, if that is not everywhere.
  mlir::Value number, isFirst;
  bool usesStart;

  /// Per dim what is to be gone over; how much that is of the whole dim, if it
  /// is known, and in blocks of how many.
  llvm::SmallVector<Range> ranges;
  llvm::SmallVector<mlir::OpFoldResult> sizes;
  llvm::SmallVector<int64_t> extents, blocks;
  /// Of the tile that is being made: its rows along each dim, or where else a
  /// loop is; its vectors; how many elements the masked one has, and its mask.
  llvm::SmallVector<llvm::SmallVector<Place>> places;
  Part columns;
  mlir::OpFoldResult rest;
  mlir::Value mask;
  /// The dim along which transposed inputs are contiguous, or -1; and the rows
  /// that a tile has along it.
  int64_t squareDim = -1;
  Part squareRows;
  /// Whether nothing is computed on the way.
  bool isMove = false;
  llvm::DenseMap<unsigned, Values> squares;
  /// The last dim of a result whose vectors lie along the dim before, or -1;
  /// and how many elements that is.
  int64_t groupDim = -1, group = 1;
  /// Per dim, whether padded inputs may end in the tile.
  llvm::SmallVector<bool> mayEnd;
  /// What has been gathered of elements that several windows have, by where
  /// these are.
  std::map<std::vector<int64_t>, Values> shared;
  /// Whether maxima are what comparisons say. Along a sum each has a witness
  /// beside it then. Along the result: what has been seen since
  /// the last witnesses, what of it is not in one yet, the witnesses, and how
  /// much had been seen when the last one began.
  bool isPlain = false;
  llvm::DenseSet<mlir::Value> seen;
  Values unpaired, witnesses;
  size_t chainBegin = 0;
  /// What has been computed of elements that several windows have, by where
  /// these are.
  std::map<std::vector<int64_t>, mlir::Value> computed;
  /// Whether no sum is straight code.
  bool isRolled = false;
  /// What is prefetched at each step of a sum: these rows of an input.
  Operand prefetched;
  int64_t prefetchedDim = -1;
  llvm::SmallVector<Place> prefetchedRows;
};

/// Whether the op is a register tile of a product, as the schedule says.
llvm::LogicalResult checkProduct(mlir::linalg::LinalgOp op,
                                 const Schedule &schedule);

} // namespace ein

#endif // EIN_PASSES_VECTOR_TILEVECTORIZER_H
