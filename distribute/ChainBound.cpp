//===- ChainBound.cpp - What has to move in a program ---------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "distribute/ChainBound.h"
#include <algorithm>

namespace ein::distribute {

namespace {

/// Statements each of which replaces a dim of the tensor before by another.
struct Chain {
  /// Of the first tensor, and by dim the least extent on its way to the result.
  std::vector<int64_t> extents, matrixRanks;
  int64_t elementBytes = 0;
  std::vector<unsigned> statements;
  unsigned result = 0;
};

} // namespace

double countSentElements(const std::vector<int64_t> &extents,
                         const std::vector<int64_t> &matrixRanks,
                         double resultElements, int64_t ranks) {
  double elements = 1;
  for (int64_t extent : extents)
    elements *= double(extent);
  double own = elements / double(ranks), least = own;
  // Of the best box, some dims are whole; what is left of its size is of dims
  // none of which is longer than its matrix's rank.
  for (size_t whole = 0; whole != size_t(1) << extents.size(); ++whole) {
    double directions = 1, size = 1;
    for (size_t dim = 0; dim != extents.size(); ++dim)
      if (whole >> dim & 1) {
        directions *= double(std::min(extents[dim], matrixRanks[dim]));
        size *= double(extents[dim]);
      }
    least = std::min(least, directions * std::max(own / size, 1.0));
  }
  return std::max(least - resultElements / double(ranks), 0.0);
}

/// The array's loops, by dim.
static std::vector<unsigned> getLoops(const ArrayUse &use) {
  std::vector<unsigned> loops;
  for (const Subscript &subscript : use.subscripts)
    loops.push_back(subscript.terms[0].first);
  return loops;
}

/// Whether the statement is a product of the tensor and a matrix that replaces
/// one dim; then the new extents on the ways of the dims are in `chain`.
static bool addStatement(const Program &program, unsigned number, Chain &chain,
                         std::vector<unsigned> &ways) {
  const ProgramStatement &statement = program.statements[number];
  if (statement.reads.size() != 2)
    return false;
  bool isFirst = statement.reads[0].array == chain.result;
  if (!isFirst && statement.reads[1].array != chain.result)
    return false;
  std::vector<unsigned> before = getLoops(statement.reads[isFirst ? 0 : 1]),
                        matrix = getLoops(statement.reads[isFirst ? 1 : 0]),
                        after = getLoops(statement.write);
  auto find = [](const std::vector<unsigned> &list, unsigned loop) {
    return std::find(list.begin(), list.end(), loop) - list.begin();
  };
  if (matrix.size() != 2 || after.size() != before.size())
    return false;
  std::vector<unsigned> next(after.size(), unsigned(ways.size()));
  unsigned replaced = 0;
  for (size_t dim = 0; dim != before.size(); ++dim) {
    size_t there = find(after, before[dim]);
    if (there == after.size()) { // it is summed, and the matrix has it
      size_t place = find(matrix, before[dim]);
      if (place == 2)
        return false;
      there = find(after, matrix[1 - place]);
      if (there == after.size() || ++replaced > 1)
        return false;
    } else if (find(matrix, before[dim]) != 2) {
      return false;
    }
    next[there] = ways[dim];
  }
  if (replaced != 1 ||
      find(next, unsigned(ways.size())) != ptrdiff_t(next.size()))
    return false;
  for (size_t dim = 0; dim != after.size(); ++dim) {
    int64_t &rank = chain.matrixRanks[next[dim]];
    rank = std::min(rank, statement.extents[after[dim]]);
  }
  ways = next;
  chain.result = statement.write.array;
  chain.statements.push_back(number);
  return true;
}

/// The chain that begins with an array that the caller has, in a statement.
static Chain findChain(const Program &program, unsigned first, unsigned array) {
  Chain chain;
  chain.result = array;
  chain.extents = chain.matrixRanks = program.arrays[array].extents;
  chain.elementBytes = program.arrays[array].elementBytes;
  std::vector<unsigned> ways;
  for (unsigned dim = 0; dim != chain.extents.size(); ++dim)
    ways.push_back(dim);
  for (unsigned number = first; number != program.statements.size(); ++number) {
    bool isLonger = addStatement(program, number, chain, ways);
    // What others read, or a result before the end, is no link.
    if (!isLonger || program.arrays[chain.result].isArgument)
      break;
  }
  return chain;
}

static double getChainBound(const Program &program, const Chain &chain,
                            int64_t ranks) {
  double resultElements = 1;
  for (int64_t extent : program.arrays[chain.result].extents)
    resultElements *= double(extent);
  double sent = double(chain.elementBytes) *
                countSentElements(chain.extents, chain.matrixRanks,
                                  resultElements, ranks);
  double best = 0;
  constexpr int kShares = 32;
  for (int share = 0; share != kShares; ++share) {
    double own = double(share) / kShares, bytes = own * sent;
    for (unsigned number = 0; number != program.statements.size(); ++number) {
      const ProgramStatement &statement = program.statements[number];
      std::vector<double> weights(statement.reads.size() + 1, 1);
      if (std::find(chain.statements.begin(), chain.statements.end(), number) !=
          chain.statements.end()) {
        for (size_t read = 0; read != statement.reads.size(); ++read)
          if (statement.reads[read].subscripts.size() !=
              2) // a tensor; a matrix is no part of the chain
            weights[read] = 1 - own;
        weights.back() = 1 - own;
      }
      bytes +=
          getWeightedBound(makeContraction(program, statement), ranks, weights);
    }
    best = std::max(best, bytes);
  }
  return best;
}

double getLowerBound(const Program &program, int64_t ranks) {
  double bytes = 0;
  for (const ProgramStatement &statement : program.statements)
    bytes +=
        getLowerBound(makeContraction(program, statement), ranks).getBytes();
  for (unsigned number = 0; number != program.statements.size(); ++number)
    for (const ArrayUse &use : program.statements[number].reads) {
      const ProgramArray &array = program.arrays[use.array];
      if (!array.isArgument || array.extents.size() < 3)
        continue;
      Chain chain = findChain(program, number, use.array);
      if (chain.statements.size() > 1)
        bytes = std::max(bytes, getChainBound(program, chain, ranks));
    }
  return bytes;
}

} // namespace ein::distribute
