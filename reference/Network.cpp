//===- Network.cpp - Products of accesses through matrix products ---------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sum of products of N accesses is contracted pair by pair: the reference
// has to keep up with kernels of a few GFLOP, and a loop nest over all indices
// of a network is exponential where the pairwise order is not.
//
// Each access is first laid out by its own distinct indices, which takes care
// of diagonals, strides and affine subscripts. A pair then is a batch of
// matrix products: indices that both have and somebody still needs are Batch,
// those that both have and nobody needs K, the rest M and N. Indices that only
// one operand has and nobody else needs are summed out of it first.
//
// Three numbers per element go through the same contractions: the value, the
// sum of the terms' magnitudes, and the sum of their largest magnitudes
// (magnitude plus bound) unless no factor has a bound, when the two are equal.
// The last is the mass that rounding errors are proportional to; the
// difference to the one before is what the factors' own bounds amount to.
//
// Of the paths from a factor to the result none has more roundings than the
// reduction has points, plus one per factor, whatever the order: summing over
// extents n1 and n2 one after the other takes n1 - 1 + n2 - 1 <= n1 n2 - 1.
//
// The numbers of complex elements are the value and sums of magnitudes; what
// these say about a part is in Complex.h. Each product of complex numbers adds
// an addition to the path, and each complex term of a sum is two real ones.
//
// Integers have one number per element, modulo 2^64, where any order of
// multiplications and additions gives the same.
//
//===----------------------------------------------------------------------===//

#include "reference/Complex.h"
#include "reference/Convert.h"
#include "reference/Statement.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using Eigen::ArrayXd;

namespace ein::reference {

/// Largest operand or intermediate, in elements.
static constexpr double maxLaidOut = 1 << 27;

namespace {

using Indices = SmallVector<unsigned, 6>;

template <typename T> using ArrayOf = Eigen::Array<T, Eigen::Dynamic, 1>;

/// An operand or intermediate, row-major over `indices`; of integers only
/// `value` is there.
template <typename T> struct Factor {
  Indices indices;
  ArrayOf<T> value;
  ArrayXd least; // sum of the products of magnitudes
  ArrayXd most;  // the same with bounds added; empty if equal to `least`
};

/// T is double, std::complex<double> or, for integers, uint64_t.
template <typename T> class Network {
  static constexpr bool isExact = std::is_same_v<T, uint64_t>;
  static constexpr bool isPair = std::is_same_v<T, std::complex<double>>;
  using Factor = reference::Factor<T>;

public:
  explicit Network(const StatementView &view) : view(view) {}

  bool run(Value &result) {
    if (!layOutFactors())
      return false;
    size_t numFactors = factors.size();
    bool simple = numFactors == 1 || (numFactors == 2 && !anyPrivateSum());
    for (size_t i = 0; i < factors.size(); ++i)
      sumOutPrivate(i);
    while (factors.size() > 1)
      if (!contractCheapestPair())
        return false;
    if constexpr (isExact)
      finishExact(result);
    else
      finish(numFactors, simple, result);
    return true;
  }

private:
  const StatementView &view;
  std::vector<Factor> factors;
  double peak = 1; // product over the factors of max(1, largest magnitude)

  double measure(ArrayRef<unsigned> indices) const {
    double n = 1;
    for (unsigned index : indices)
      n *= static_cast<double>(view.extents[index]);
    return n;
  }
  /// The same, of what is known not to be too large.
  int64_t count(ArrayRef<unsigned> indices) const {
    int64_t n = 1;
    for (unsigned index : indices)
      n *= view.extents[index];
    return n;
  }

  bool isNeeded(unsigned index, size_t exceptA, size_t exceptB) const {
    if (!view.isReduction(index))
      return true;
    for (size_t i = 0; i < factors.size(); ++i)
      if (i != exceptA && i != exceptB &&
          is_contained(factors[i].indices, index))
        return true;
    return false;
  }

  bool layOutFactors() {
    std::optional<std::vector<ProductFactor>> accesses =
        view.def.getProductFactors(view.statement);
    if (!accesses || view.numPoints == 0)
      return false;
    for (ProductFactor source : *accesses) {
      const AccessView &access = view.reads[source.access.value];
      Factor factor;
      SmallVector<int64_t, 6> strides;
      // An index of extent 1 may have stride zero although it is there; that
      // makes no difference to any product.
      for (unsigned i = 0; i < view.extents.size(); ++i)
        if (access.strides[i] != 0) {
          factor.indices.push_back(i);
          strides.push_back(access.strides[i]);
        }
      if (measure(factor.indices) > maxLaidOut)
        return false;
      const Value &tensor = *access.tensor;
      // Integers among floating-point numbers are held by those exactly.
      ArrayOf<T> elements = getElements(tensor, source.isConjugated);
      if (tensor.isInteger() && (tensor.bounds != 0).any())
        return false;
      factor.value = gather(elements, access.offset, factor.indices, strides);
      if constexpr (isExact) {
        factors.push_back(std::move(factor));
        continue;
      }
      factor.least = getMagnitudes(factor.value);
      double largest = factor.least.maxCoeff();
      if (ArrayXd bounds = getBounds(access); (bounds != 0).any()) {
        factor.most = factor.least +
                      gather(bounds, access.offset, factor.indices, strides);
        // Operands that may have overflowed have no bound any more, and the
        // loop nest has the rules for those and for infinities.
        if (!(factor.most.maxCoeff() <= access.largest))
          return false;
        largest = factor.most.maxCoeff();
      }
      if (!factor.least.isFinite().all())
        return false;
      peak *= std::max(1.0, largest);
      factors.push_back(std::move(factor));
    }
    return true;
  }

  static ArrayOf<T> getElements(const Value &tensor, bool conjugate) {
    ArrayOf<T> elements = tensor.isInteger()
                              ? ArrayOf<T>(tensor.integers.cast<T>())
                              : ArrayOf<T>(tensor.values.cast<T>());
    if constexpr (isPair) {
      if (tensor.isComplex())
        elements.imag() = tensor.imaginary.values;
      if (conjugate)
        elements = elements.conjugate().eval();
    }
    return elements;
  }
  static ArrayXd getMagnitudes(const ArrayOf<T> &values) {
    if constexpr (isPair)
      return values.abs();
    else
      return values.template cast<double>().abs();
  }
  /// On the magnitudes of errors.
  static ArrayXd getBounds(const AccessView &access) {
    const Value &tensor = *access.tensor;
    if (access.leastKept > 0) {
      ArrayXd magnitudes = tensor.values.abs();
      return tensor.bounds +
             (magnitudes < access.leastKept).select(magnitudes, 0.0);
    }
    if (!tensor.isComplex())
      return tensor.bounds;
    return (tensor.bounds.square() + tensor.imaginary.bounds.square()).sqrt();
  }

  /// Elements `offset + sum of strides * index`, row-major over `indices`.
  template <typename S>
  ArrayOf<S> gather(const ArrayOf<S> &source, int64_t offset,
                    ArrayRef<unsigned> indices,
                    ArrayRef<int64_t> strides) const {
    int64_t n = count(indices);
    ArrayOf<S> result(n);
    if (indices.empty()) {
      result[0] = source[offset];
      return result;
    }
    size_t last = indices.size() - 1;
    int64_t run = view.extents[indices[last]];
    SmallVector<int64_t, 6> position(indices.size(), 0);
    for (int64_t done = 0; done < n; done += run) {
      const S *from = source.data() + offset;
      for (int64_t i = 0; i < run; ++i)
        result[done + i] = from[i * strides[last]];
      for (size_t d = last; d-- > 0;) {
        offset += strides[d];
        if (++position[d] < view.extents[indices[d]])
          break;
        offset -= strides[d] * position[d];
        position[d] = 0;
      }
    }
    return result;
  }

  /// `array`, which is row-major over `from`, row-major over `to`; indices
  /// that `from` lacks are broadcast.
  template <typename S>
  ArrayOf<S> permute(ArrayOf<S> array, ArrayRef<unsigned> from,
                     ArrayRef<unsigned> to) const {
    if (from == to || array.size() == 0)
      return array;
    SmallVector<int64_t, 6> strides;
    for (unsigned index : to) {
      int64_t stride = 1;
      size_t d = from.size();
      while (d > 0 && from[d - 1] != index)
        stride *= view.extents[from[--d]];
      strides.push_back(d ? stride : 0);
    }
    return gather(array, 0, to, strides);
  }

  void permute(Factor &factor, ArrayRef<unsigned> to) const {
    factor.value = permute<T>(std::move(factor.value), factor.indices, to);
    factor.least = permute<double>(std::move(factor.least), factor.indices, to);
    factor.most = permute<double>(std::move(factor.most), factor.indices, to);
    factor.indices.assign(to.begin(), to.end());
  }

  bool anyPrivateSum() const {
    for (size_t i = 0; i < factors.size(); ++i)
      for (unsigned index : factors[i].indices)
        if (!isNeeded(index, i, i))
          return true;
    return false;
  }

  /// Sums out the indices that only factor `i` needs.
  void sumOutPrivate(size_t i) {
    Indices kept, summed;
    for (unsigned index : factors[i].indices)
      (isNeeded(index, i, i) ? kept : summed).push_back(index);
    if (summed.empty())
      return;
    Indices order = kept;
    order.append(summed);
    permute(factors[i], order);
    int64_t rows = count(kept), columns = count(summed);
    auto sum = [&](auto &array) {
      if (array.size() == 0)
        return;
      using Array = std::decay_t<decltype(array)>;
      using Columns =
          Eigen::Array<typename Array::Scalar, Eigen::Dynamic, Eigen::Dynamic>;
      Array sums = Eigen::Map<const Columns>(array.data(), columns, rows)
                       .colwise()
                       .sum()
                       .transpose();
      array = std::move(sums);
    };
    sum(factors[i].value);
    sum(factors[i].least);
    sum(factors[i].most);
    factors[i].indices = kept;
  }

  /// The four groups of a pair's indices.
  struct Groups {
    Indices batch, m, n, k;
  };
  Groups group(size_t a, size_t b) const {
    Groups groups;
    for (unsigned index : factors[a].indices) {
      if (!is_contained(factors[b].indices, index))
        groups.m.push_back(index);
      else if (isNeeded(index, a, b))
        groups.batch.push_back(index);
      else
        groups.k.push_back(index);
    }
    for (unsigned index : factors[b].indices)
      if (!is_contained(factors[a].indices, index))
        groups.n.push_back(index);
    return groups;
  }

  /// Greedy: the pair with the smallest result, of those the one with the
  /// least work, of those the first.
  bool contractCheapestPair() {
    size_t bestA = 0, bestB = 0;
    double bestSize = infinity, bestWork = infinity;
    for (size_t a = 0; a < factors.size(); ++a)
      for (size_t b = a + 1; b < factors.size(); ++b) {
        Groups groups = group(a, b);
        double size =
            measure(groups.batch) * measure(groups.m) * measure(groups.n);
        double work = size * measure(groups.k);
        if (std::pair(size, work) >= std::pair(bestSize, bestWork))
          continue;
        bestSize = size;
        bestWork = work;
        bestA = a;
        bestB = b;
      }
    if (bestSize > maxLaidOut)
      return false;
    Factor product = contract(bestA, bestB);
    factors.erase(factors.begin() + bestB);
    factors[bestA] = std::move(product);
    sumOutPrivate(bestA);
    return true;
  }

  Factor contract(size_t a, size_t b) {
    Groups groups = group(a, b);
    Indices left = groups.batch, right = groups.batch;
    left.append(groups.m);
    left.append(groups.k);
    right.append(groups.k);
    right.append(groups.n);
    permute(factors[a], left);
    permute(factors[b], right);
    // A bound on one side is a bound on the product.
    Factor &x = factors[a], &y = factors[b];
    Factor product;
    product.indices = groups.batch;
    product.indices.append(groups.m);
    product.indices.append(groups.n);
    product.value = multiply(x.value, y.value, groups);
    if (!isExact)
      product.least = multiply(x.least, y.least, groups);
    if (x.most.size() || y.most.size())
      product.most = multiply(x.most.size() ? x.most : x.least,
                              y.most.size() ? y.most : y.least, groups);
    return product;
  }

  template <typename S>
  ArrayOf<S> multiply(const ArrayOf<S> &x, const ArrayOf<S> &y,
                      const Groups &groups) const {
    using Matrix =
        Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    int64_t batch = count(groups.batch), m = count(groups.m),
            n = count(groups.n), k = count(groups.k);
    if (m * n * k == 1)
      return x * y;
    ArrayOf<S> result(batch * m * n);
    for (int64_t i = 0; i < batch; ++i) {
      Eigen::Map<const Matrix> left(x.data() + i * m * k, m, k);
      Eigen::Map<const Matrix> right(y.data() + i * k * n, k, n);
      Eigen::Map<Matrix>(result.data() + i * m * n, m, n).noalias() =
          left * right;
    }
    return result;
  }

  /// Sums over indices that no factor has are multiplications; nested sums
  /// over indices of extent 1 are not there at all.
  T countRepeated() const {
    T repeated = 1;
    for (unsigned i = 0; i < view.extents.size(); ++i)
      if (view.isReduction(i) && isUnused(i))
        repeated *= static_cast<T>(view.extents[i]);
    return repeated;
  }

  Factor &permuteToTarget() {
    Indices target;
    for (IndexId index : view.statement.targetIndices)
      target.push_back(index.value);
    permute(factors.front(), target);
    return factors.front();
  }

  void finishExact(Value &result) {
    Factor &factor = permuteToTarget();
    T repeated = countRepeated();
    for (int64_t i = 0; i < result.size(); ++i) {
      T sum = factor.value[i] * repeated;
      if (view.previous) {
        sum += static_cast<T>(view.previous->tensor->integers[i]);
        result.bounds[i] = view.previous->tensor->bounds[i];
      }
      result.integers[i] =
          wrap(static_cast<int64_t>(sum), view.statement.computeType);
    }
  }

  void finish(size_t numFactors, bool simple, Value &result) {
    Factor &factor = permuteToTarget();
    double repeated = std::real(countRepeated());
    double expansion = isPair ? getExpansion(numFactors) : 1;

    const Rounding &rounding = view.rounding;
    double roundings = view.numReduced + static_cast<double>(numFactors) + 1 +
                       view.getExtraRoundings();
    if (isPair)
      roundings = 2 * roundings + static_cast<double>(numFactors);
    peak *= expansion;
    double relative = gamma(roundings, rounding.unitRoundoff);
    // With sums taken early, or more than two factors, an intermediate may
    // leave the range although the terms do not, or be lost and then magnified.
    double underflow = roundings * rounding.smallest * (simple ? 1 : peak);
    bool unsafe =
        !simple && view.numReduced * peak * (1 + relative) > rounding.largest;
    auto finishPart = [&](int64_t i, Part part) {
      Sum sum;
      sum.value = (part == Part::Real ? std::real(factor.value[i])
                                      : std::imag(factor.value[i])) *
                  repeated;
      sum.isIntegral = false; // not looked at
      double least = factor.least[i] * repeated;
      sum.mass = factor.most.size() ? factor.most[i] * repeated : least;
      sum.propagated = (sum.mass - least) * expansion;
      sum.mass *= expansion;
      if (unsafe || std::isnan(sum.propagated))
        sum.propagated = infinity;
      if (view.previous)
        sum.add(view.previous->read(i, part));
      return sum.finish(rounding, roundings, underflow);
    };
    for (Part part : getParts(view.statement.computeType))
      for (int64_t i = 0; i < result.size(); ++i)
        result.set(i, part, finishPart(i, part));
  }

  /// No access has the index at all; what has been summed out was in one.
  bool isUnused(unsigned index) const {
    for (const AccessView &access : view.reads)
      if (access.tensor && access.strides[index] != 0)
        return false;
    return true;
  }
};

} // namespace

bool evaluateNetwork(const StatementView &view, Value &result) {
  ElementType type = view.statement.computeType;
  // Bools have no sums.
  if (type == ElementType::Bool)
    return false;
  if (isComplex(type))
    return Network<std::complex<double>>(view).run(result);
  return isFloat(type) ? Network<double>(view).run(result)
                       : Network<uint64_t>(view).run(result);
}

} // namespace ein::reference
