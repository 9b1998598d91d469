//===- Statement.h - The checker's state, shared by its files ---*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A mistake is reported once, where it is made. A tensor whose shape or type is
// unknown because of one is Broken: statements that touch it are given up
// without a word, and break what they write in turn.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_STATEMENT_H
#define EIN_FRONTEND_CHECK_STATEMENT_H

#include "frontend/check/Builtins.h"
#include "frontend/check/EinsumCall.h"
#include "frontend/check/RewriteWhole.h"
#include "frontend/check/Scope.h"
#include <map>
#include <set>

namespace ein {

class GroupSolver;
class WholeExpander;

/// Checks one statement and appends it to the def.
class StatementChecker {
public:
  StatementChecker(DefScope &scope, const ast::Statement &source)
      : scope(scope), diags(scope.diags), source(source) {}

  void check();
  /// Finds or declares what is written, and no more.
  llvm::FailureOr<TensorId> checkTarget();

private:
  friend class CallChecker;
  friend class WholeExpander;
  template <typename T> using FailureOr = llvm::FailureOr<T>;
  using LogicalResult = llvm::LogicalResult;

  /// A literal as written, until its type is known.
  struct PendingLiteral {
    std::string digits;
    std::optional<ElementType> type; // of a suffix
    bool isNegated = false;          // by a `-` before it
  };

  // Statement.cpp
  void warnOfNames(const ast::Statement &comprehension);
  bool namesNothing(const ast::Expr &expr) const;
  LogicalResult checkUpdateFunction();

  // StatementWarnings.cpp
  void warnOfReadings();
  void warnOfInvariants();
  void warnOfUnreadIndices();
  void warnOfTurnedShapes();
  void warnOfDivisions(ExprId id);
  void warnOfBoolSum(UpdateKind update, ElementType type, ExprId value,
                     SourceRange range);
  void warnOfSizesAsIndices();
  void warnOfHiddenNames();
  /// Whether the one may be the other with a letter wrong.
  static bool isMisspeltIndex(llvm::StringRef name, llvm::StringRef other);
  LogicalResult checkInOrder();
  LogicalResult checkNumIndices();
  bool isProduct(ExprId id) const;
  LogicalResult decideUpdate(const ast::Statement &comprehension,
                             const Reducer *whole);
  LogicalResult reportForgotten(const Index &index,
                                const ast::Statement &comprehension);
  std::vector<FixIt> addTargetIndex(const Index &index) const;
  bool hidesProduct(ExprId id, bool isInside) const;
  bool addSumFixIt(DiagnosticBuilder &builder, const Index &index);
  LogicalResult decideContinuation(llvm::StringRef op);
  void finishOutside();
  LogicalResult finishTarget();
  void breakTarget();
  LogicalResult reportRank(TensorId id, SourceRange range, bool hasSubscripts,
                           size_t rank);

  // Target.cpp
  LogicalResult resolveTarget();
  LogicalResult checkWritable(TensorId id);
  LogicalResult declareTemporary();
  LogicalResult declareTargetIndices(const ast::Statement &comprehension);
  FailureOr<Affine> lowerTargetSubscript(const ast::Expr &subscript,
                                         size_t dim);
  bool isTargetIndex(const ast::Expr &subscript) const;
  FailureOr<Affine> lowerTargetScalar(const ast::Expr &subscript,
                                      const std::string &name);
  FailureOr<Affine> takeScalars(const ast::Expr &subscript,
                                const Affine &lowered);
  LogicalResult reportScalarSubscript(const ast::Expr &subscript,
                                      const std::string &name,
                                      const std::string &why);
  void checkStarts();
  LogicalResult decideSlice();
  Affine addIndex(const ast::Expr &name, bool isReduction);
  Affine getPosition(IndexId id, const std::string &name) const;
  IndexId addConstantIndex(size_t dim, SourceRange range);
  void nameConstantIndices();
  void reverseIndices();
  void warnOfDiagonal();

  // Where.cpp
  FailureOr<ast::Statement>
  expandDefinitions(const ast::Statement &comprehension);
  LogicalResult checkClauseName(const ast::Name &name);
  LogicalResult declareRange(const ast::Clause &clause);
  LogicalResult takeStarts(llvm::ArrayRef<RangeStart> starts);
  LogicalResult takeStart(const RangeStart &start);
  void shiftIndices(llvm::ArrayRef<RangeStart> starts);
  void warnOfStarts(llvm::ArrayRef<RangeStart> starts);
  LogicalResult lowerClauses(const ast::Statement &comprehension);
  LogicalResult lowerExists(const ast::Expr &access);
  LogicalResult lowerCondition(const ast::Expr &condition);
  FailureOr<AccessSite> lowerSite(TensorId id, const ast::Expr &access,
                                  llvm::StringRef what = "subscript");

  // Expr.cpp
  FailureOr<ExprId> lower(const ast::Expr &expr);
  FailureOr<ExprId> lowerNumber(const ast::Expr &expr);
  FailureOr<ExprId> lowerConstant(const Constant &constant,
                                  const ast::Expr &expr);
  FailureOr<ExprId> lowerElement(const ast::Expr &expr);
  FailureOr<ExprId> lowerName(const ast::Expr &expr);
  LogicalResult checkNoNamed(const ast::Expr &expr);
  FailureOr<ExprId> lowerCall(const ast::Expr &expr);
  std::optional<Affine> foldPosition(std::optional<UnaryFn> unary,
                                     std::optional<BinaryFn> binary,
                                     llvm::ArrayRef<ExprId> operands) const;
  FailureOr<ExprId> lowerFunction(const ast::Expr &expr, llvm::StringRef name);
  LogicalResult checkComparisons(const ast::Expr &expr);
  bool isComparisonChain(const ast::Expr &expr) const;
  FailureOr<ExprId> lowerDerived(const ast::Expr &expr,
                                 const DerivedFn &function);
  FailureOr<ExprId> lowerBody(llvm::StringRef text,
                              const llvm::StringMap<ExprId> &arguments,
                              SourceRange range);
  FailureOr<ExprId> makeRepeatable(ExprId id, const ast::Expr &expr);
  std::optional<ExprId> copySmall(ExprId id, unsigned &room);
  FailureOr<ExprId> lowerRng(const ast::Expr &expr);
  FailureOr<ExprId> lowerUnsigned(const ast::Expr &expr, llvm::StringRef name,
                                  BinaryFn function);
  FailureOr<ExprId> lowerConditional(const ast::Expr &expr);
  FailureOr<ExprId> lowerDim(const ast::Expr &expr);
  ExprId addPosition(Affine value, SourceRange range);
  void collectSubscriptNames(const ast::Expr &expr, bool isSubscript);
  FailureOr<ExprId> lowerAccess(TensorId id, const ast::Expr &expr);

  // ExprPlaces.cpp
  /// What a subscript, or a part of one, is made of; each holds those before.
  enum class Form : uint8_t { Constant, Size, Linear, Computed };
  Form getForm(const ast::Expr &subscript) const;
  Form getNameForm(const ast::Expr &name) const;
  bool isComputed(const ast::Expr &subscript) const {
    return getForm(subscript) == Form::Computed;
  }
  /// dividend / divisor, of what is never negative by a positive constant.
  struct QuotientPlace {
    Affine dividend;
    int64_t divisor;
  };
  std::optional<QuotientPlace> getQuotient(ExprId place) const;
  /// What a number may be, given that there is a point: not below all of the
  /// one, nor above all of the other.
  struct Interval {
    llvm::SmallVector<Affine, 1> least, most;
  };
  class IntervalFinder;
  void findSafePlaces(ExprId id);
  std::string findOutsideDim(IndexId index) const;
  void explainNoRange(DiagnosticBuilder &builder, IndexId index);

  // ExprGather.cpp
  FailureOr<ExprId> lowerGather(TensorId id, const ast::Expr &expr,
                                Outside outside);
  FailureOr<ExprId> lowerPlace(const ast::Expr &subscript);
  FailureOr<ExprId> lowerOutside(const ast::Expr &expr, Outside outside);
  void checkClamped(ExprId id);
  std::string makeFresh(std::string name) const;
  void padFirst(ExprId id);

  FailureOr<Affine> resolveSubscriptName(const ast::Expr &name);
  LogicalResult checkReadable(TensorId id, const ast::Expr &expr);
  LogicalResult reportUnknown(const ast::Expr &expr);
  LogicalResult reportCallInExpression(const ast::Expr &expr);
  LogicalResult reportReduction(const ast::Expr &expr);
  LogicalResult reportCast(const ast::Expr &expr);
  ExprId addExpr(Expr expr);

  // ExprTypes.cpp
  LogicalResult decideType();
  FailureOr<std::optional<ElementType>> resolveAccumulator();
  FailureOr<ExprId> lowerTargetCast(const ast::Expr &expr, bool isUnsigned);
  FailureOr<ExprId> lowerCast(const ast::Expr &expr, const ast::Name &type,
                              bool isUnsigned);
  /// A cast of what computes in `from`.
  FailureOr<ExprId> addCast(ExprId operand, ElementType from, ElementType to);
  /// The accesses, casts and literals of known type that compute together.
  void collectTyped(ExprId id, llvm::SmallVectorImpl<ExprId> &typed) const;
  /// The smallest type that holds them all; `otherwise`, if there is none.
  FailureOr<ElementType> joinTyped(llvm::ArrayRef<ExprId> typed,
                                   ElementType otherwise);
  std::string describeTyped(ExprId id) const;
  /// Has all that computes together with `id` compute in `type`; `holder`
  /// says whose type it is.
  LogicalResult assignType(ExprId id, ElementType type,
                           const std::string &holder);
  LogicalResult checkOperator(const Expr &expr);
  LogicalResult checkUpdateType(bool hasAccumulator);
  bool isLeaf(ExprId id) const;
  /// Of a function between real and complex numbers: what its operands compute
  /// in, and what it yields.
  LogicalResult decideOperandType(ExprId id);
  LogicalResult decideCompareType(ExprId id);
  LogicalResult decidePlaceType(ExprId id);
  LogicalResult finishLiteral(ExprId id, ElementType type);

  // ExprReduce.cpp
  /// A reduction inside the right side, which writes a temporary.
  struct Reduction {
    std::string name;
    TensorId target;
    UpdateKind update = UpdateKind::Assign;
    ExprId value;
    ElementType type = ElementType::F32;
    SourceRange range;
    std::vector<IndexId> loops; // the temporary's, then those reduced over
    size_t numKept = 0;
    std::vector<IndexId> nonEmpty; // that must have a value
  };
  bool isReduction(ExprId id) const;
  FailureOr<llvm::SmallVector<IndexId>> enterReduction(const ast::Expr &expr);
  FailureOr<ExprId> lowerReduction(const ast::Expr &expr);
  FailureOr<ExprId> lowerReduced(const ast::Expr &expr, const Reducer &reducer,
                                 const ast::Expr *continued = nullptr);
  LogicalResult checkReducer(const Reducer &reducer, ElementType type,
                             const ast::Expr &expr);
  llvm::SmallVector<IndexId> collectIndices(ExprId root) const;
  FailureOr<ExprId> addReduction(const ast::Expr &expr, UpdateKind update,
                                 ExprId value, llvm::ArrayRef<IndexId> reduced,
                                 ElementType type);
  FailureOr<ExprId> addArgReduction(const ast::Expr &expr,
                                    const Reducer &reducer, ExprId value,
                                    llvm::ArrayRef<IndexId> reduced,
                                    ElementType joined);
  ExprId addFlatPosition(llvm::ArrayRef<IndexId> reduced, SourceRange range);
  const Reducer *getWholeReducer(const ast::Statement &comprehension) const;
  FailureOr<ExprId> lowerWholeReduction(const ast::Statement &comprehension,
                                        const Reducer &reducer);
  void finishSites();
  void takeLoops(Statement &result, llvm::ArrayRef<IndexId> loops,
                 llvm::ArrayRef<Index> table);
  LogicalResult splitReductions();
  LogicalResult checkNonEmpty(llvm::ArrayRef<IndexId> nonEmpty);

  // ExprMoments.cpp
  LogicalResult checkMoment(const Reducer &reducer, ElementType type,
                            const ast::Expr &expr);
  FailureOr<ExprId> addMoment(const ast::Expr &expr, const Reducer &reducer,
                              ExprId value, llvm::ArrayRef<IndexId> reduced,
                              ElementType type);
  FailureOr<ExprId> addMean(const ast::Expr &expr, ExprId value,
                            llvm::ArrayRef<IndexId> reduced, ElementType type);
  ExprId addCount(llvm::ArrayRef<IndexId> reduced, SourceRange range);
  ExprId addBinary(BinaryFn fn, ExprId lhs, ExprId rhs, SourceRange range);

  // RewriteEinsum.cpp
  bool isEinsum() const;
  LogicalResult nameContract();
  FailureOr<EinsumCall> readEinsum();
  FailureOr<size_t> checkEinsumOperand(const ast::Expr &operand,
                                       const EinsumTerm &term);
  void stretchDims(EinsumCall &call);
  FailureOr<std::optional<ast::Statement>> expandEinsum();
  ast::Statement makeComprehension(const EinsumCall &call) const;

  // RewriteGroups.cpp
  FailureOr<std::optional<ast::Statement>> expandGroups(EinsumCall &call);
  LogicalResult solveGroups(const EinsumCall &call, GroupSolver &solver);
  bool onlyReshapes(const EinsumCall &call) const;
  LogicalResult inferGroupedShape(const EinsumTerm &output,
                                  GroupSolver &solver);
  LogicalResult splitOperands(EinsumCall &call, GroupSolver &solver);
  FailureOr<TensorId> computeParts(const EinsumCall &call);
  LogicalResult fitTarget(const EinsumTerm &output, const EinsumTerm &term,
                          TensorId from);
  LogicalResult fitDim(const EinsumLabel &label, TensorId from,
                       const Affine &extent, size_t dim);

  // RewriteWhole.cpp
  bool isOfWholeTensors() const;
  FailureOr<ast::Statement> expandWhole();

  // RewriteDiagonal.cpp
  bool isDiagonalToSplit(const ast::Statement &comprehension) const;
  FailureOr<ast::Statement> splitDiagonal(const ast::Statement &comprehension);

  DefScope &scope;
  DiagnosticEngine &diags;
  const ast::Statement &source;
  /// The operands of an einsum that have been split.
  std::vector<ast::ExprPtr> splitNames;
  /// Made of an einsum, so that places are inside its string.
  bool isPartOfEinsum = false;
  Statement statement;
  llvm::StringMap<IndexId> indices;
  /// How often each is written.
  llvm::StringMap<unsigned> numUses;
  /// What a `where` says of an index: it is begin + step * an index that runs
  /// from 0 to `extent`.
  struct GivenRange {
    Affine begin, end, extent;
    int64_t step = 1;
    SourceRange range;
  };
  llvm::StringMap<GivenRange> ranges;
  /// Whether the target's shape was known before the statement.
  bool targetHadShape = false;
  /// One per dim of the target.
  AccessSite targetSite;
  /// Of subscripts on the left that are constants.
  llvm::SmallVector<IndexId, 2> constantIndices;
  /// Those with a negative factor on the left.
  llvm::SmallVector<IndexId, 2> reversed;
  /// What stands in subscripts on the right, and may be an index.
  llvm::StringSet<> subscriptNames;
  /// What stands in those that are computed.
  llvm::StringSet<> computedIndices;
  std::vector<AccessSite> sites;
  /// Of `pad` and `clamp`.
  std::vector<AccessSite> outsideSites;
  std::map<ExprId, PendingLiteral> literals;
  std::vector<Reduction> reductions; // inner ones first
  /// Indices of `reductions`, and those that the statement's own names.
  std::set<IndexId> scopedIndices, listedIndices;
  /// The reduction that is all of the right side adds to what the target holds.
  bool continuesTarget = false;
  /// Sizes as values, each with the same once more.
  std::map<ExprId, ExprId> sizeTwins;
  /// Casts to what is computed in round them.
  std::set<ExprId> openCasts;
  /// Positions that are the extent of an index.
  std::vector<std::pair<ExprId, IndexId>> extentPositions;
  /// Names that both a `where` and a reduction have.
  llvm::StringSet<> reducedRanges;
  /// While the body of a derived function is lowered: what its parameters are.
  const llvm::StringMap<ExprId> *parameterValues = nullptr;
  /// What has taken the place of a parameter already.
  std::set<ExprId> usedParameters;
  /// How many nodes are computed again rather than stored.
  static constexpr unsigned maxCopied = 8;
};

} // namespace ein

#endif // EIN_FRONTEND_CHECK_STATEMENT_H
