//===- Contraction.cpp - A contraction of two arrays as matrix products ---===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a user of a BLAS has a contraction and not a matrix product, and how
// well he maps the one to the other decides what he measures. A straw man is
// easily beaten.
//
// Choice: both ways that are in use, each with the choices that it has made by
// what they cost. Permuting (TTGT): of the orders in which the indices of M, N
// and K can be joined, the one that moves the fewest elements; what is a matrix
// already stays. Looping: the largest product whose matrices are there, in
// loops over the rest. Which one is taken is measured (peers/GemmPeer.cpp).
//
// Consequence: everything that does not depend on the data (offsets, shapes,
// generated kernels) is made before the clock runs; copies are in the time.
//
//===----------------------------------------------------------------------===//

#include "bench/peers/Contraction.h"
#include <algorithm>

namespace ein::bench {

class ContractionBuilder {
public:
  ContractionBuilder(View lhs, View rhs, View result, const Extents &extents,
                     Element element, GemmLibrary &library)
      : a(dropUnits(lhs, extents)), b(dropUnits(rhs, extents)),
        c(dropUnits(result, extents)), extents(extents), element(element),
        library(library) {
    for (char label : c.labels)
      (a.has(label) && b.has(label) ? batch : a.has(label) ? m : n) += label;
    for (char label : a.labels)
      if (!c.has(label))
        (b.has(label) ? k : oneSided) += label;
    for (char label : b.labels)
      if (!c.has(label) && !a.has(label))
        oneSided += label;
  }

  std::optional<Contraction> buildTransposing();
  std::optional<Contraction> buildLooping();

private:
  static View dropUnits(const View &view, const Extents &extents) {
    View result;
    for (size_t i = 0; i < view.labels.size(); ++i)
      if (extents.at(view.labels[i]) > 1) {
        result.labels += view.labels[i];
        result.strides.push_back(view.strides[i]);
      }
    return result;
  }

  /// The labels of a group as an array has them.
  static std::string pick(const std::string &group, const View &view) {
    std::string result;
    for (char label : view.labels)
      if (group.find(label) != std::string::npos)
        result += label;
    return result;
  }

  /// The stride of some indices as one, if they lie together in this order.
  std::optional<int64_t> fuse(const View &view, const std::string &run) const {
    for (size_t i = 0; i + 1 < run.size(); ++i)
      if (view.getStride(run[i]) !=
          view.getStride(run[i + 1]) * extents.at(run[i + 1]))
        return std::nullopt;
    return run.empty() ? 0 : view.getStride(run.back());
  }

  /// Rows and columns of a view, if BLAS can take them.
  std::optional<Pitch> getPitch(const View &view, const std::string &rows,
                                const std::string &columns) const {
    auto row = fuse(view, rows), column = fuse(view, columns);
    if (!row || !column)
      return std::nullopt;
    int64_t columnCount = getPoints(columns, extents);
    if (columnCount == 1)
      return Pitch{std::max<int64_t>(*row, 1), 1, 0};
    if (rows.empty())
      return Pitch{*column == 1 ? columnCount : 1, *column, 0};
    if (*row != 1 && *column != 1)
      return std::nullopt;
    return Pitch{*row, *column, 0};
  }

  std::optional<Contraction> build(const View &va, const View &vb,
                                   const View &vc, const std::string &ms,
                                   const std::string &ns, const std::string &ks,
                                   std::string loops,
                                   const std::string &sumLoops);
  void addCalls(Contraction &contraction, const std::string &loops,
                size_t depth, Contraction::Call call,
                const std::string &sumLoops) const;

  View a, b, c;
  const Extents &extents;
  Element element;
  GemmLibrary &library;
  std::string batch, m, n, k, oneSided;
};

/// The product of these matrices, one per point of `loops`, where those of
/// `sumLoops` are summed over.
std::optional<Contraction>
ContractionBuilder::build(const View &va, const View &vb, const View &vc,
                          const std::string &ms, const std::string &ns,
                          const std::string &ks, std::string loops,
                          const std::string &sumLoops) {
  auto pa = getPitch(va, ms, ks), pb = getPitch(vb, ks, ns),
       pc = getPitch(vc, ms, ns);
  if (!pa || !pb || !pc)
    return std::nullopt;
  GemmShape shape{element,
                  getPoints(ms, extents),
                  getPoints(ns, extents),
                  getPoints(ks, extents),
                  1,
                  *pa,
                  *pb,
                  *pc,
                  false};
  Contraction result;
  auto ba = fuse(va, loops), bb = fuse(vb, loops), bc = fuse(vc, loops);
  if (sumLoops.empty() && ba && bb && bc) {
    shape.batch = getPoints(loops, extents);
    shape.a.batch = *ba, shape.b.batch = *bb, shape.c.batch = *bc;
    loops.clear();
  }
  if (shape.c.column != 1) {
    result.isSwapped = true;
    std::swap(shape.m, shape.n);
    std::swap(shape.a, shape.b);
    for (Pitch *pitch : {&shape.a, &shape.b, &shape.c})
      std::swap(pitch->row, pitch->column);
  }
  if (getPoints(loops + sumLoops, extents) > 1 << 18)
    return std::nullopt;
  // Of many calls one look-up serves all, and is not worth counting.
  shape.isLookedUp =
      !library.knowsSizes && getPoints(loops + sumLoops, extents) == 1;
  result.first = library.create(shape);
  if (!sumLoops.empty()) {
    shape.accumulates = true;
    result.next = library.create(shape);
  }
  if (!result.first || (!sumLoops.empty() && !result.next))
    return std::nullopt;
  result.bytes = getBytes(element);
  result.a.view = va, result.b.view = vb, result.c.view = vc;
  addCalls(result, loops + sumLoops, 0, {0, 0, 0, false}, sumLoops);
  result.description = std::to_string(result.calls.size()) + "x" +
                       std::to_string(shape.batch) + " GEMM " +
                       std::to_string(shape.m) + "," + std::to_string(shape.n) +
                       "," + std::to_string(shape.k);
  return result;
}

void ContractionBuilder::addCalls(Contraction &contraction,
                                  const std::string &loops, size_t depth,
                                  Contraction::Call call,
                                  const std::string &sumLoops) const {
  if (depth == loops.size()) {
    contraction.calls.push_back(call);
    return;
  }
  char label = loops[depth];
  bool sums = sumLoops.find(label) != std::string::npos;
  for (int64_t i = 0; i < extents.at(label); ++i) {
    addCalls(contraction, loops, depth + 1, call, sumLoops);
    call.a += contraction.a.view.getStride(label);
    call.b += contraction.b.view.getStride(label);
    call.c += contraction.c.view.getStride(label);
    call.accumulates |= sums;
  }
}

std::optional<Contraction> ContractionBuilder::buildTransposing() {
  if (!oneSided.empty())
    return std::nullopt;
  struct Choice {
    double moved;
    std::string m, n, k;
    bool copies[3];
  };
  std::vector<Choice> choices;
  for (int bits = 0; bits < 64; ++bits) {
    Choice choice{0,
                  pick(m, bits & 1 ? a : c),
                  pick(n, bits & 2 ? b : c),
                  pick(k, bits & 4 ? a : b),
                  {}};
    // Beside those that are no matrices, copy what the bits say: a library may
    // not have each transposition.
    choice.copies[0] = bits & 8 || !getPitch(a, choice.m, choice.k);
    choice.copies[1] = bits & 16 || !getPitch(b, choice.k, choice.n);
    choice.copies[2] = bits & 32 || !getPitch(c, choice.m, choice.n);
    for (int i = 0; i < 3; ++i)
      if (choice.copies[i])
        choice.moved += getPoints((i == 0   ? a
                                   : i == 1 ? b
                                            : c)
                                      .labels,
                                  extents);
    choices.push_back(choice);
  }
  std::stable_sort(
      choices.begin(), choices.end(),
      [](const Choice &x, const Choice &y) { return x.moved < y.moved; });
  for (const Choice &choice : choices) {
    auto layOut = [&](int operand, const View &view, const std::string &rows,
                      const std::string &columns) {
      return choice.copies[operand]
                 ? getContiguous(batch + rows + columns, extents)
                 : view;
    };
    auto result = build(layOut(0, a, choice.m, choice.k),
                        layOut(1, b, choice.k, choice.n),
                        layOut(2, c, choice.m, choice.n), choice.m, choice.n,
                        choice.k, batch, "");
    if (!result)
      continue;
    Contraction::Matrix *matrices[] = {&result->a, &result->b, &result->c};
    const View *views[] = {&a, &b, &c};
    for (int i = 0; i < 3; ++i) {
      if (!choice.copies[i])
        continue;
      Contraction::Matrix &matrix = *matrices[i];
      if (i < 2)
        matrix.permutation.emplace(*views[i], matrix.view, extents, element);
      else
        matrix.permutation.emplace(matrix.view, *views[i], extents, element);
      matrix.buffer =
          allocate(getPoints(matrix.view.labels, extents) * getBytes(element));
      if (!matrix.buffer)
        return std::nullopt;
      result->description += std::string(", permutes ") + "ABC"[i];
    }
    return result;
  }
  return std::nullopt;
}

std::optional<Contraction> ContractionBuilder::buildLooping() {
  if (!oneSided.empty())
    return std::nullopt;
  // All neighbours of a group that lie together in both arrays.
  auto getRuns = [&](const std::string &group, const View &x, const View &y) {
    std::vector<std::string> runs{""};
    std::string order = pick(group, x);
    for (size_t begin = 0; begin < order.size(); ++begin)
      for (size_t length = 1; begin + length <= order.size(); ++length)
        if (std::string run = order.substr(begin, length);
            fuse(x, run) && fuse(y, run))
          runs.push_back(run);
    return runs;
  };
  struct Choice {
    double score;
    std::string m, n, k;
  };
  std::vector<Choice> choices;
  for (const std::string &ms : getRuns(m, a, c))
    for (const std::string &ns : getRuns(n, b, c))
      for (const std::string &ks : getRuns(k, a, b)) {
        // What a library needs to be fast is some of each; beyond that, more
        // is better, but not by much.
        double score = 1;
        for (const std::string &run : {ms, ns, ks}) {
          double points = getPoints(run, extents);
          score *= std::min(points, 64.0) * (1 + points * 1e-6);
        }
        choices.push_back({score, ms, ns, ks});
      }
  std::stable_sort(
      choices.begin(), choices.end(),
      [](const Choice &x, const Choice &y) { return x.score > y.score; });
  auto getRest = [](const std::string &group, const std::string &run) {
    std::string rest;
    for (char label : group)
      if (run.find(label) == std::string::npos)
        rest += label;
    return rest;
  };
  for (const Choice &choice : choices) {
    std::string used = choice.m + choice.n + choice.k;
    if (auto result = build(a, b, c, choice.m, choice.n, choice.k,
                            getRest(c.labels, used), getRest(k, used)))
      return result;
  }
  return std::nullopt;
}

std::optional<Contraction>
Contraction::createTransposing(const View &a, const View &b, const View &c,
                               const Extents &extents, Element element,
                               GemmLibrary &library) {
  return ContractionBuilder(a, b, c, extents, element, library)
      .buildTransposing();
}

std::optional<Contraction>
Contraction::createLooping(const View &a, const View &b, const View &c,
                           const Extents &extents, Element element,
                           GemmLibrary &library) {
  return ContractionBuilder(a, b, c, extents, element, library).buildLooping();
}

bool Contraction::run(const void *lhs, const void *rhs, void *result,
                      int64_t repetitions) const {
  bool isOneCall =
      calls.size() == 1 && !a.permutation && !b.permutation && !c.permutation;
  if (isOneCall)
    return isSwapped ? first(rhs, lhs, result, repetitions)
                     : first(lhs, rhs, result, repetitions);
  bool isRight = true;
  for (int64_t i = 0; i < repetitions; ++i)
    isRight &= runOnce(lhs, rhs, result);
  return isRight;
}

bool Contraction::runOnce(const void *lhs, const void *rhs,
                          void *result) const {
  auto get = [](const Matrix &matrix, const void *array) {
    if (!matrix.permutation)
      return static_cast<const char *>(array);
    matrix.permutation->run(array, matrix.buffer.get());
    return static_cast<const char *>(matrix.buffer.get());
  };
  const char *left = get(a, lhs), *right = get(b, rhs);
  char *product = static_cast<char *>(c.permutation ? c.buffer.get() : result);
  bool isRight = true;
  for (const Call &call : calls) {
    const char *x = left + call.a * bytes, *y = right + call.b * bytes;
    if (isSwapped)
      std::swap(x, y);
    isRight &=
        (call.accumulates ? next : first)(x, y, product + call.c * bytes, 1);
  }
  if (c.permutation)
    c.permutation->run(product, result);
  return isRight;
}

} // namespace ein::bench
