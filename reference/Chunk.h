//===- Chunk.h - The right side of a statement, many points at once -*- C++
//-*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interpreting an expression once per point would spend all time in dispatch,
// so points are taken by the chunk: an odometer fills in, for every access and
// for the target, where each point of the chunk finds its element, and then
// every node of the expression works on the whole chunk.
//
// Complex numbers are taken apart when the nodes are made: there are nodes for
// real and for imaginary parts, and an operator becomes what it is on those. So
// bounds, infinities and NaNs are those of real arithmetic; only quotients and
// magnitudes have rules of their own (Complex.h).
//
// Nested additions are kept as sums up to where something else uses them,
// because compiled code may reassociate them: (a + b) + c with a = -b is exact
// in one order and not in another. Private to the reference.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_REFERENCE_CHUNK_H
#define EIN_REFERENCE_CHUNK_H

#include "reference/Convert.h"
#include "reference/Statement.h"
#include <array>
#include <deque>

namespace ein::reference {

inline constexpr int64_t chunkSize = 256;

/// The points of an iteration space in row-major order; for each, positions
/// that are linear in the indices.
class Odometer {
public:
  explicit Odometer(llvm::ArrayRef<int64_t> extents)
      : extents(extents), indices(extents.size(), 0) {}

  /// Adds a position; returns its number.
  size_t track(int64_t offset, llvm::ArrayRef<int64_t> strides) {
    tracks.push_back({strides, offset, {}});
    tracks.back().positions.resize(chunkSize);
    return tracks.size() - 1;
  }

  llvm::ArrayRef<int64_t> getPositions(size_t track) const {
    return tracks[track].positions;
  }

  /// Fills in `count` positions from the current point on, and moves past
  /// them.
  void advance(int64_t count) {
    if (extents.empty()) {
      for (Track &track : tracks)
        track.positions[0] = track.current;
      return;
    }
    size_t last = extents.size() - 1;
    for (int64_t done = 0; done < count;) {
      int64_t run = std::min(count - done, extents[last] - indices[last]);
      for (Track &track : tracks) {
        int64_t stride = track.strides[last];
        for (int64_t i = 0; i < run; ++i)
          track.positions[done + i] = track.current + i * stride;
      }
      done += run;
      move(last, run);
      for (size_t d = last; indices[d] == extents[d] && d > 0; --d) {
        move(d, -extents[d]);
        move(d - 1, 1);
      }
    }
  }

private:
  struct Track {
    llvm::ArrayRef<int64_t> strides;
    int64_t current;
    std::vector<int64_t> positions;
  };
  llvm::ArrayRef<int64_t> extents;
  std::vector<int64_t> indices;
  std::vector<Track> tracks;

  void move(size_t d, int64_t steps) {
    indices[d] += steps;
    for (Track &track : tracks)
      track.current += track.strides[d] * steps;
  }
};

/// A node of the right side with its results for one chunk; its type is no
/// complex one.
struct Node {
  enum Special : uint8_t {
    None,
    Quotient,
    Magnitude,
    Exponential,
    Logarithm,
    Root,
    Power
  };

  /// Null for what is not an expression of the language's on real numbers:
  /// `special`, and conversions that nobody wrote.
  const Expr *expr;
  ElementType type;
  Special special = None;
  /// Of the complex element that is read or divided.
  Part part = Part::Real;
  const AccessView *access = nullptr;
  size_t track = 0;
  size_t lhs = 0, rhs = 0; // positions in ChunkEvaluator::nodes
  /// Of `special`, instead: real and imaginary parts.
  std::array<size_t, 4> parts = {};
  /// What a cast, or a conversion that nobody wrote, converts between.
  std::optional<Conversion> conversion = {};
  /// Of a selection: where its condition is.
  size_t condition = 0;
  /// Of a gather: its subscripts; the value of `pad` is in lhs.
  std::vector<size_t> places = {};
  /// Of a division by what may be zero, or a gather: the conditions that decide
  /// whether it happens, and how.
  std::vector<std::pair<size_t, bool>> guards = {};
  /// An addition: `sums` are its terms so far, `numTerms` how many they are.
  bool isSum = false;
  double numTerms = 1;
  std::vector<Sum> sums = {};
  std::vector<Pair> pairs = {};      // of a floating-point type
  std::vector<Scalar> integers = {}; // of another

  bool isInteger() const { return !isFloat(type); }
  Scalar get(int64_t i) const {
    return isInteger() ? integers[i] : Scalar{pairs[i], 0};
  }
};

/// The right side of a statement.
class ChunkEvaluator {
public:
  ChunkEvaluator(const StatementView &view, Odometer &odometer);

  const Node &getRoot(Part part = Part::Real) const {
    return nodes[part == Part::Real ? root.real : root.imaginary];
  }
  const DataTrouble &getTrouble() const { return trouble; }
  /// Of a statement in order: which element point `i` writes, if any; not known
  /// where rounding decides whether it does.
  struct Written {
    std::optional<int64_t> position;
    bool isKnown = true;
  };
  Written findWritten(int64_t i);

  void evaluate(int64_t count);

private:
  /// Where the parts of a value are; of a real one, both the same.
  struct Parts {
    size_t real, imaginary;
  };

  size_t add(Node node);
  size_t addZero(ElementType type);
  size_t addUnary(UnaryFn fn, ElementType type, size_t operand);
  size_t addBinary(BinaryFn fn, ElementType type, size_t lhs, size_t rhs);
  size_t addConversion(Conversion conversion, size_t operand);
  size_t addLeaf(const Expr &expr, ExprId id, Part part);

  Parts buildRoot();
  Parts buildInOrder();
  size_t addSkipped(Part part);
  Parts build(ExprId id);
  Parts buildAs(ExprId id, ElementType type);
  Parts buildConversion(Parts operand, Conversion conversion);
  Parts buildUnary(const Expr &expr);
  Parts buildComplexUnary(const Expr &expr, ElementType part, Parts x);
  Parts buildBinary(const Expr &expr);
  Parts buildSelect(const Expr &expr);
  /// What is evaluated only if the node `condition` is `value`.
  Parts buildGuarded(ExprId id, ElementType type, size_t condition, bool value);
  std::optional<bool> isReached(const Node &node, int64_t i) const;
  void noteTrouble(const Node &node, int64_t i, runtime::Code code,
                   bool isKnown);
  Parts buildGather(const Expr &expr, ExprId id);
  std::optional<int64_t> findPlace(const Node &node, int64_t i, bool &isInside);
  void gather(Node &node, int64_t count);
  void compare(Node &node, int64_t count);
  void select(Node &node, int64_t count);
  Parts buildComplexBinary(const Expr &expr, ElementType part, Parts x,
                           Parts y);

  bool isGiven(const Node &node) const;
  void convertNode(Node &node, int64_t count);
  void evaluateSpecial(Node &node, int64_t count);
  void evaluateIntegers(Node &node, int64_t count);
  void evaluateSum(Node &node, int64_t count);
  void evaluate(Node &node, int64_t count);

  const StatementView &view;
  Odometer &odometer;
  std::vector<Node> nodes; // operands before users
  std::deque<Expr> made;   // what operators on complex numbers become
  /// What decides whether the node that is being made is evaluated.
  std::vector<std::pair<size_t, bool>> guards;
  /// Of a statement in order: the left side, and the condition if there is one.
  size_t written = 0;
  std::optional<size_t> condition;
  Parts root; // made of all before it
  DataTrouble trouble;
  int64_t numDone = 0;       // points before this chunk
  int64_t troublePoint = -1; // where `trouble.certain` is
};

} // namespace ein::reference

#endif // EIN_REFERENCE_CHUNK_H
