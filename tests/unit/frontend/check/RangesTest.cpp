//===- RangesTest.cpp - Extents of indices and bounds of accesses ---------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../TestSupport.h"
#include <random>

using namespace ein;
using namespace ein::test;

namespace {

/// The ranges of the first statement, then the checks.
std::string infer(const std::string &text, CheckOptions options = {}) {
  Checked checked(text, options);
  if (llvm::failed(checked.program))
    return checked.diags.getDiagnostics()[0].message;
  const Def &def = checked.def();
  auto str = [&](const Affine &expr) {
    return expr.str([](IndexId) { return "?"; },
                    [&](SymbolId id) { return llvm::StringRef(def[id].name); });
  };
  std::string result;
  for (const Index &index : def.statements[0].indices)
    result += index.name + "<" + str(index.extent) + " ";
  for (const SizeCheck &check : def.checks) {
    result += check.kind == SizeCheck::Equal               ? "| equal "
              : check.kind == SizeCheck::NonNegativeExtent ? "| extent "
                                                           : "| bounds ";
    result += str(check.expr);
    for (const Affine &extent : check.unlessEmpty)
      result += " unless " + str(extent);
    result += " ";
  }
  if (!result.empty())
    result.pop_back();
  return result;
}

TEST(Ranges, TakesDimsOfIndicesAlone) {
  EXPECT_EQ(infer("def f(A: f32(M, 4)) -> (C) { C(i, j) = A(i, j) }"),
            "i<M j<4");
  // A constant is preferred, whichever comes first.
  EXPECT_EQ(infer("def f(A: f32(M), B: f32(4)) -> (C) { C(i) = A(i) * B(i) }"),
            "i<4 | equal M - 4");
  EXPECT_EQ(infer("def f(A: f32(M), B: f32(N), D: f32(M)) -> (C) "
                  "{ C(i) = A(i) * B(i) * D(i) }"),
            "i<M | equal M - N");
  // The same check is made once.
  EXPECT_EQ(infer("def f(A: f32(M), B: f32(N)) -> (C, D) "
                  "{ C(i) = A(i) * B(i) D(i) = B(i) * A(i) }"),
            "i<M | equal M - N");
}

TEST(Ranges, InfersTheLargestRange) {
  EXPECT_EQ(infer("def f(I: f32(N), W: f32(K)) -> (O) "
                  "{ O(i) +=! I(i + k) * W(k) }"),
            "i<N - K + 1 k<K | extent N - K + 1");
  EXPECT_EQ(infer("def f(A: f32(2*N)) -> (O) { O(i) = A(2*i + 1) }"), "i<N");
  EXPECT_EQ(infer("def f(A: f32(7)) -> (O) { O(i) = A(2*i) }"), "i<4");
  EXPECT_EQ(infer("def f(A: f32(N)) -> (O) { O(i) = A(N - 1 - i) }"), "i<N");
  EXPECT_EQ(infer("def f(A: f32(9)) -> (O) { O(i) = A(6 - 3*i) }"), "i<3");
  // The smallest of several.
  EXPECT_EQ(infer("def f(A: f32(N)) -> (O) { O(i) = A(i + 2) - A(i + 1) }"),
            "i<N - 2 | extent N - 2");
  EXPECT_EQ(infer("def f(A: f32(2*OH + KH - 1), W: f32(KH)) -> (O: f32(OH)) "
                  "{ O(h) +=! A(2*h + k) * W(k) }"),
            "h<OH k<KH | extent 2*OH + KH - 1");
}

TEST(Ranges, SolvesIndicesOneAfterTheOther) {
  EXPECT_EQ(infer("def f(A: f32(10), B: f32(6), W: f32(3)) -> (O) "
                  "{ O(i) +=! A(i + k) * B(k + l) * W(l) }"),
            "i<7 k<4 l<3");
  // k has one subscript in which all is known, i none: k goes first even
  // though another of its subscripts has i in it.
  EXPECT_EQ(infer("def f(A: f32(10), B: f32(6)) -> (O) "
                  "{ O(i) +=! A(i + k) * B(k + 1) }"),
            "i<6 k<5");
}

TEST(Ranges, ChecksWhatItCannotDecide) {
  EXPECT_EQ(infer("def f(A: f32(N), B: f32(M)) -> (C: f32(M)) "
                  "{ C(i) = A(i + 1) * B(i) }"),
            "i<M | bounds N - M - 1 unless M");
  EXPECT_EQ(infer("def f(A: f32(N)) -> (s: f32) { s = A(0) }"),
            "| bounds N - 1");
  // What is not empty has a first element.
  EXPECT_EQ(infer("def f(A: f32(N)) -> (C: f32(N)) { C(i) = A(0) * A(i) }"),
            "i<N");
  // Nothing is accessed where an extent is 0.
  EXPECT_EQ(infer("def f(A: f32(3), B: f32(0)) -> (s: f32) "
                  "{ s +=! A(i + 7) * A(9) * B(i) }"),
            "i<0");
}

TEST(Ranges, DimsMayNotBeNegative) {
  EXPECT_EQ(infer("def f(A: f32(N - 1)) -> (s: f32) { s +=! A(i) }"),
            "i<N - 1 | extent N - 1");
}

/// What the checks say is compared with every access of every small size: they
/// hold if and only if all accesses are in bounds.
TEST(Ranges, ChecksAgreeWithCounting) {
  std::mt19937 random(20240607);
  auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  unsigned numAccepted = 0;
  for (unsigned round = 0; round != 3000; ++round) {
    auto term = [&](const char *name) {
      return std::to_string(pick(-2, 2)) + "*" + name;
    };
    auto subscript = [&] {
      return term("i") + " + " + term("k") + " + " + term("M") + " + " +
             std::to_string(pick(-2, 3));
    };
    auto dim = [&] {
      return std::to_string(pick(0, 2)) + "*M + " + std::to_string(pick(0, 2)) +
             "*N + " + std::to_string(pick(0, 4));
    };
    std::string text = "def f(A: f32(" + dim() + "), B: f32(" + dim() +
                       "), W: f32(N), z: f32(M)) -> (C" +
                       (pick(0, 1) ? ": f32(M)" : "") + ") { C(i) +=! A(" +
                       subscript() + ") * B(" +
                       (pick(0, 1) ? "k" : subscript()) + ")" +
                       (pick(0, 1) ? " * W(k)" : "") + " }";
    Checked checked(text);
    if (llvm::failed(checked.program))
      continue;
    ++numAccepted;
    const Def &def = checked.def();
    const Statement &statement = def.statements[0];
    for (int64_t m = 0; m != 5; ++m) {
      for (int64_t n = 0; n != 5; ++n) {
        std::vector<int64_t> sizes = def.getSymbolValues(
            [&](const Symbol &symbol) { return symbol.name == "M" ? m : n; });
        bool holds = true, isRange = true;
        for (const SizeCheck &check : def.checks) {
          int64_t value = check.expr.evaluate(sizes);
          if (check.kind == SizeCheck::InBounds) {
            bool isEmpty = false;
            for (const Affine &extent : check.unlessEmpty)
              isEmpty |= extent.evaluate(sizes) == 0;
            holds &= isEmpty || value >= 0;
          } else {
            isRange &= check.kind == SizeCheck::Equal ? value == 0 : value >= 0;
          }
        }
        if (!isRange)
          continue;
        std::vector<int64_t> extents;
        for (const Index &index : statement.indices) {
          extents.push_back(index.extent.evaluate(sizes));
          ASSERT_GE(extents.back(), 0) << text;
        }
        bool inBounds = true;
        std::vector<int64_t> point(2);
        extents.resize(2, 1);
        for (point[0] = 0; point[0] != extents[0]; ++point[0])
          for (point[1] = 0; point[1] != extents[1]; ++point[1])
            for (const Expr &expr : def.exprs)
              for (size_t d = 0; d != expr.subscripts.size(); ++d) {
                int64_t at = expr.subscripts[d].evaluate(sizes, point);
                inBounds &=
                    at >= 0 && at < def[expr.tensor].dims[d].evaluate(sizes);
              }
        // A start that is below 0 where a size is 0 is refused, reached or not.
        bool mayBeRefused =
            m * n == 0 &&
            llvm::any_of(statement.indices, [](const Index &index) {
              return index.origin.start != Affine(0);
            });
        if (mayBeRefused && !holds)
          continue;
        ASSERT_EQ(holds, inBounds) << text << "\nM=" << m << " N=" << n << "\n"
                                   << checked.print();
      }
    }
  }
  EXPECT_GT(numAccepted, 100u);
}

/// With constant dims, one point more in any inferred range leaves a tensor.
TEST(Ranges, InferredRangesAreTheLargest) {
  for (int size = 1; size != 12; ++size)
    for (int stride = -3; stride != 4; ++stride)
      for (int offset = 0; offset != size; ++offset) {
        if (stride == 0)
          continue;
        Checked checked("def f(A: f32(" + std::to_string(size) +
                        ")) -> (C) { C(i) = A(" + std::to_string(stride) +
                        "*i + " + std::to_string(offset) + ") }");
        int64_t extent =
            checked.def().statements[0].indices[0].extent.getConstant();
        auto isIn = [&](int64_t i) {
          int64_t at = stride * i + offset;
          return at >= 0 && at < size;
        };
        EXPECT_TRUE(isIn(0) && isIn(extent - 1));
        EXPECT_FALSE(isIn(extent));
      }
}

/// Indices that are tied to each other get the one largest answer, if there is
/// one; what is accepted can have nothing added to it.
TEST(Ranges, AgreeWithEnumeration) {
  std::mt19937 random(20261121);
  auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  struct Access {
    int coefficients[3], offset, dim;
  };
  unsigned numUnique = 0, numRefused = 0;
  for (unsigned round = 0; round != 4000; ++round) {
    size_t numIndices = pick(2, 3);
    const char *names[] = {"i", "j", "k"};
    std::vector<Access> accesses(pick(1, 3));
    std::string params, value;
    for (size_t a = 0; a != accesses.size(); ++a) {
      Access &access = accesses[a];
      std::string name = "A" + std::to_string(a);
      access = {{0, 0, 0}, pick(0, 3), pick(1, 6)};
      params +=
          (a ? ", " : "") + name + ": f32(" + std::to_string(access.dim) + ")";
      value += (a ? " * " : "") + name + "(";
      for (size_t i = 0; i != numIndices; ++i) {
        access.coefficients[i] = pick(0, 2) ? pick(-2, 3) : 0;
        value +=
            std::to_string(access.coefficients[i]) + "*" + names[i] + " + ";
      }
      value += std::to_string(access.offset) + ")";
    }
    // An index alone has its dim's range, and that may be too large.
    auto isAlone = [&](const Access &access) {
      int sum = 0, magnitudes = 0;
      for (int c : access.coefficients) {
        sum += c;
        magnitudes += std::abs(c);
      }
      return sum == 1 && magnitudes == 1 && access.offset == 0;
    };
    if (llvm::any_of(accesses, isAlone))
      continue;
    constexpr int limit = 8;
    auto fits = [&](llvm::ArrayRef<int> extents) {
      return llvm::all_of(accesses, [&](const Access &access) {
        int least = access.offset, most = access.offset;
        for (size_t i = 0; i != numIndices; ++i) {
          int last = access.coefficients[i] * (extents[i] - 1);
          (last < 0 ? least : most) += last;
        }
        return least >= 0 && most < access.dim;
      });
    };
    auto isLargest = [&](std::vector<int> extents) {
      for (size_t i = 0; i != numIndices; ++i) {
        ++extents[i];
        bool isLarger = fits(extents);
        --extents[i];
        if (isLarger)
          return false;
      }
      return fits(extents);
    };
    std::vector<std::vector<int>> largest;
    std::vector<int> extents(numIndices, 1);
    for (bool isDone = false; !isDone;) {
      if (isLargest(extents))
        largest.push_back(extents);
      isDone = true;
      for (int &extent : extents) {
        if (++extent <= limit) {
          isDone = false;
          break;
        }
        extent = 1;
      }
    }
    Checked checked("def f(" + params + ") -> (s: f32) { s +=! " + value +
                    " }");
    std::string text = value + " of " + params;
    if (llvm::failed(checked.program)) {
      ++numRefused;
      // With a factor of zero everywhere, an index has any range.
      bool isUnique = largest.size() == 1;
      EXPECT_FALSE(isUnique) << text;
      continue;
    }
    const std::vector<Index> &indices = checked.def().statements[0].indices;
    if (indices.size() != numIndices ||
        llvm::any_of(indices, [](const Index &index) {
          return index.extent == Affine(0);
        }))
      continue;
    std::vector<int> inferred(numIndices);
    for (const Index &index : indices)
      inferred[index.name[0] - 'i'] = index.extent.getConstant();
    EXPECT_TRUE(isLargest(inferred)) << text;
    if (largest.size() == 1) {
      EXPECT_EQ(inferred, largest.front()) << text;
    }
    numUnique += largest.size() == 1;
  }
  EXPECT_GT(numUnique, 100u);
  EXPECT_GT(numRefused, 100u);
}

TEST(Ranges, ListsSeveralLargest) {
  auto list = [](const std::string &text) {
    Checked checked(text);
    const Diagnostic &error = checked.diags.getDiagnostics()[0];
    return error.notes.empty() ? "" : error.notes[0].message;
  };
  EXPECT_EQ(list("def f(A: f32(3)) -> (s: f32) { s +=! A(i + j) }"),
            "several largest ranges: `i < 3, j < 1`; `i < 2, j < 2`; "
            "`i < 1, j < 3`; `where` can say which");
  EXPECT_EQ(list("def f(A: f32(N)) -> (s: f32) { s +=! A(i + 2*j + k) }"),
            "several largest ranges: `i < N, j < 1, k < 1`; "
            "`i < N - 2*((N + 1) / 2) + 2, j < ((N + 1) / 2), k < 1`; "
            "`i < 1, j < 1, k < N`; …; `where` can say which");
  EXPECT_EQ(infer("def f(A: f32(1), B: f32(5)) -> (s: f32) "
                  "{ s +=! A(i + j) * B(i + 1) }"),
            "i<1 j<1");
  EXPECT_EQ(infer("def f(A: f32(2)) -> (s: f32) { s +=! A(i + 2*j) }"),
            "i<2 j<1");
}

TEST(Ranges, WhereGivesThem) {
  EXPECT_EQ(infer("def f(A: f32(N)) -> (s: f32) "
                  "{ s +=! A(i + j) where j in 1:4 }"),
            "i<N - 3 j<3 | extent N - 3");
  EXPECT_EQ(infer("def f(A: f32(N)) -> (C: f32(N)) "
                  "{ C(i) = A(i) where i in 0:9 step 2 }"),
            "i<5 | bounds N - 9");
  EXPECT_EQ(infer("def f(A: f32(N)) -> (C) { C(i) = 1 where exists A(i + 1) }"),
            "i<N - 1 | extent N - 1");
}

} // namespace
