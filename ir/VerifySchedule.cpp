//===- VerifySchedule.cpp - Facts that do not go together -----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace ein {

using S = Schedule;

/// What is wrong with the registers of an instruction.
static LogicalResult
verifyRegisters(llvm::function_ref<InFlightDiagnostic()> emitError,
                const S &s) {
  if (!llvm::isPowerOf2_64(std::max<int64_t>(s.dotBits, 0)))
    return emitError() << "`instruction_bits` is no power of two";
  return success();
}

/// What is wrong with a product's tiles.
static LogicalResult
verifyTiles(llvm::function_ref<InFlightDiagnostic()> emitError, const S &s) {
  if (s.mr < 1 || s.nr < 1)
    return emitError() << "`rows` and `columns` need the sizes of a tile";
  if (s.colRemainderNr > s.nr)
    return emitError() << "the tile of a remainder has more columns than "
                       << s.nr;
  if (s.rowRemainder >= s.mr)
    return emitError() << "`row_remainder` is not less than " << s.mr;
  if (!llvm::isPowerOf2_64(s.kPack))
    return emitError() << "`k_pack` is no power of two";
  if (s.dot.empty())
    return success();
  if (s.kPack == 1)
    return emitError() << "`instruction` needs `k_pack`";
  if (failed(verifyRegisters(emitError, s)))
    return failure();
  if (s.dotRows != 1 && s.dotRows != 2 && s.dotRows != S::kMaxRows)
    return emitError() << "`instruction_rows` is 2 or " << S::kMaxRows;
  // The last of a matrix unit's tiles may have fewer rows.
  if ((!s.hasTiles() && s.mr % s.dotRows != 0) || s.nr % s.dotRows != 0)
    return emitError() << "the tile is no multiple of `instruction_rows`";
  return success();
}

/// What is wrong with an instruction that widens.
static LogicalResult
verifyWidening(llvm::function_ref<InFlightDiagnostic()> emitError, const S &s) {
  if (s.dot.empty())
    return success();
  if (s.widening == 1)
    return emitError() << "`instruction` needs `widening`";
  return verifyRegisters(emitError, s);
}

/// What is wrong with a reduction's vectors.
static LogicalResult
verifyReduction(llvm::function_ref<InFlightDiagnostic()> emitError,
                const S &s) {
  if (s.lanes < 1)
    return emitError() << "`vector` needs the number of its elements";
  if (s.lanes % s.widening != 0)
    return emitError() << "`widening` does not divide the vector";
  return verifyWidening(emitError, s);
}

/// What is wrong with dims that become one.
static LogicalResult
verifyJoined(llvm::function_ref<InFlightDiagnostic()> emitError, const S &s) {
  SmallVector<int64_t> seen;
  for (ArrayRef<int64_t> dims : s.groups) {
    if (dims.size() < 2)
      return emitError() << "`joined` has a dim alone";
    for (int64_t dim : dims) {
      if (llvm::is_contained(seen, dim))
        return emitError() << "`joined` has d" << dim << " twice";
      seen.push_back(dim);
      if (static_cast<uint64_t>(dim) >= s.tile.size())
        continue;
      if (dim == dims.front() ? s.tile[dim] == 1 : s.tile[dim] != 0)
        return emitError() << "of joined dims only the first is tiled, and not "
                              "by 1";
    }
  }
  return success();
}

/// What is wrong with copies.
static LogicalResult
verifyCopies(llvm::function_ref<InFlightDiagnostic()> emitError, const S &s) {
  if (!llvm::isPowerOf2_64(s.kPack))
    return emitError() << "`k_pack` is no power of two";
  if ((s.kPack > 1) != (s.k >= 0))
    return emitError() << "copies of groups have both `sums` and `k_pack`";
  return verifyJoined(emitError, s);
}

/// Alternatives aside.
static LogicalResult
verifyOne(llvm::function_ref<InFlightDiagnostic()> emitError, const S &s) {
  // Every dim that is named is a loop, if loops are.
  SmallVector<int64_t> dims = {s.parallelDim, s.vectorDim, s.m, s.n, s.k};
  for (ArrayRef<int64_t> list : s.order)
    llvm::append_range(dims, list);
  for (ArrayRef<int64_t> list : s.groups)
    llvm::append_range(dims, list);
  for (int64_t dim : dims)
    if (!s.tile.empty() && dim >= static_cast<int64_t>(s.tile.size()))
      return emitError() << "d" << dim << " is none of `loops`";
  if ((s.m >= 0 && (s.m == s.k || s.m == s.n)) || (s.n >= 0 && s.n == s.k))
    return emitError() << "`rows`, `columns` and `sums` are different dims";
  if (s.lanes != 0 && s.kind != Schedule::Dot && !llvm::isPowerOf2_64(s.lanes))
    return emitError() << "the elements of a vector are no power of two";
  if (s.parallelDim < 0 && (s.minPoints != 0 || s.parallelLoops != 1))
    return emitError() << "`min_points` needs `parallel`";
  switch (s.kind) {
  case Schedule::PackedGemm:
    if (s.vectorDim != s.n)
      return emitError() << "vectors lie along the columns or the sums";
    if (s.prefetch > 1)
      return emitError() << "`prefetch` is 1";
    return verifyTiles(emitError, s);
  case Schedule::Dot:
    if (s.m >= 0 && s.n < 0)
      return emitError() << "`rows` come with `columns`";
    if ((s.m >= 0 && s.mr < 1) || (s.n >= 0 && s.nr < 1))
      return emitError() << "`rows` and `columns` need the sizes of a tile";
    if (s.lanes < 1)
      return emitError() << "`vector` needs the number of its elements";
    return verifyWidening(emitError, s);
  case Schedule::LibraryCall:
    if ((s.n >= 0 && s.m < 0) || (s.m >= 0 && s.k < 0))
      return emitError() << "`columns` come with `rows`, and these with `sums`";
    return success();
  case Schedule::Gett:
    return verifyCopies(emitError, s);
  case Schedule::Window:
    if (s.lanes < 1 || s.tile[s.vectorDim] < s.lanes ||
        s.tile[s.vectorDim] % s.lanes != 0)
      return emitError() << "the tile along `vector` is no number of vectors";
    return verifyWidening(emitError, s);
  case Schedule::Reduce:
    return verifyReduction(emitError, s);
  default:
    return success();
  }
}

/// Whether each of them could be the op's own.
static LogicalResult
verifyAlternatives(llvm::function_ref<InFlightDiagnostic()> emitError,
                   const S &s) {
  auto isWithin = [&](int64_t dim) {
    return s.tile.empty() || dim < static_cast<int64_t>(s.tile.size());
  };
  for (const S::Alternative &alternative : s.alternatives) {
    const S &other = alternative.schedule;
    if (!other.alternatives.empty())
      return emitError() << "an alternative has alternatives";
    if (other.kind == S::Epilogue || other.kind == S::Rows)
      return emitError() << getText(other.kind) << " is no alternative";
    for (const SizeBound &bound : alternative.guard)
      for (int64_t dim : bound.dims)
        if (!isWithin(dim))
          return emitError() << "d" << dim << " is none of `loops`";
    if (!s.tile.empty() && !other.tile.empty() &&
        s.tile.size() != other.tile.size())
      return emitError() << "an alternative has " << other.tile.size()
                         << " loops beside " << s.tile.size();
    if (failed(verifyOne(emitError, other)))
      return failure();
  }
  if (!s.alternatives.empty() &&
      (s.kind == S::Epilogue || s.kind == S::Rows || s.kind == S::SplitSum))
    return emitError() << getText(s.kind) << " has no alternatives";
  return success();
}

LogicalResult
ScheduleAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                     Schedule s) {
  if (failed(verifyOne(emitError, s)))
    return failure();
  return verifyAlternatives(emitError, s);
}

} // namespace ein
