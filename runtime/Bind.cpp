//===- Bind.cpp - Finding the sizes ---------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Bind.h"
#include "abi/SizeSources.h"
#include <algorithm>
#include <charconv>
#include <utility>

namespace ein::runtime {

static std::string quote(const std::string &text) { return "`" + text + "`"; }

bool parseBindings(const std::string &text, Bindings &bindings,
                   std::string &error) {
  size_t begin = 0;
  while (true) {
    size_t end = std::min(text.find(',', begin), text.size());
    std::string item = text.substr(begin, end - begin);
    size_t equal = item.find('=');
    int64_t value = 0;
    const char *last = item.data() + item.size();
    std::from_chars_result result = {nullptr, std::errc::invalid_argument};
    if (equal != std::string::npos && equal > 0)
      result = std::from_chars(item.data() + equal + 1, last, value);
    if (result.ec != std::errc() || result.ptr != last) {
      error = "expected NAME=INTEGER, not " + quote(item);
      return false;
    }
    bindings.push_back({item.substr(0, equal), value});
    if (end == text.size())
      return true;
    begin = end + 1;
  }
}

bool evaluateShape(const Signature &signature, const Argument &argument,
                   const std::vector<int64_t> &sizes, Shape &shape,
                   std::string &error) {
  shape.clear();
  for (size_t i = 0; i < argument.dims.size(); ++i) {
    const Dim &dim = argument.dims[i];
    int64_t extent;
    if (!dim.evaluate(sizes, extent)) {
      error = "dimension " + std::to_string(i) + " of " + quote(argument.name) +
              ", " + quote(print(dim, signature.symbols)) + ", overflows";
      return false;
    }
    if (extent < 0) {
      error = "dimension " + std::to_string(i) + " of " + quote(argument.name) +
              ", " + quote(print(dim, signature.symbols)) +
              ", would be negative: " + std::to_string(extent);
      return false;
    }
    shape.push_back(extent);
  }
  int64_t bytes;
  if (!countBytes(shape, getByteWidth(argument.type), bytes)) {
    error = "the size of " + quote(argument.name) + ", " + print(shape) +
            ", overflows";
    return false;
  }
  return true;
}

namespace {

class Binder {
public:
  Binder(const Signature &signature, const std::vector<const Array *> &arrays,
         std::vector<int64_t> &sizes, std::string &error, BindFault &fault)
      : signature(signature), arrays(arrays), sizes(sizes), error(error),
        fault(fault) {
    sizes.assign(signature.symbols.size(), 0);
    sources.resize(signature.symbols.size());
  }

  bool run(const Bindings &bindings) {
    error.clear();
    fault = BindFault::Bindings;
    if (!takeBindings(bindings))
      return false;
    fault = BindFault::Arrays;
    if (!checkTypes())
      return false;
    do
      if (!takeExtents())
        return false;
    while (takeProducts());
    if (!error.empty())
      return false;
    fault = BindFault::Bindings;
    if (!checkAllKnown())
      return false;
    fault = BindFault::Arrays;
    if (!checkExtents())
      return false;
    // Sizes that no array gave came from the bindings.
    bool anyArray = std::any_of(arrays.begin(), arrays.end(),
                                [](const Array *array) { return array; });
    fault = anyArray ? BindFault::Arrays : BindFault::Bindings;
    Shape shape;
    for (const Argument &argument : signature.arguments)
      if (!evaluateShape(signature, argument, sizes, shape, error))
        return false;
    return true;
  }

private:
  const Signature &signature;
  const std::vector<const Array *> &arrays;
  std::vector<int64_t> &sizes;
  std::string &error;
  BindFault &fault;
  /// Where each size came from: "`A`", "`--bind`"; empty while unknown.
  std::vector<std::string> sources;

  bool isKnown(unsigned symbol) const { return !sources[symbol].empty(); }

  bool fail(std::string message) {
    error = std::move(message);
    return false;
  }

  bool takeBindings(const Bindings &bindings) {
    for (const auto &[name, value] : bindings) {
      auto found =
          std::find(signature.symbols.begin(), signature.symbols.end(), name);
      if (found == signature.symbols.end()) {
        std::string message =
            quote(name) + " is not a size of " + quote(signature.name) + "; ";
        if (signature.symbols.empty())
          return fail(message + "it has none");
        message += "its sizes are ";
        for (size_t i = 0; i < signature.symbols.size(); ++i)
          message += (i ? ", " : "") + quote(signature.symbols[i]);
        return fail(message);
      }
      unsigned symbol = found - signature.symbols.begin();
      if (value < 0)
        return fail("the size " + quote(name) +
                    " is negative: " + std::to_string(value));
      if (isKnown(symbol) && sizes[symbol] != value)
        return fail("the size " + quote(name) + " is bound to both " +
                    std::to_string(sizes[symbol]) + " and " +
                    std::to_string(value));
      sizes[symbol] = value;
      sources[symbol] = "`--bind`";
    }
    return true;
  }

  /// What numpy users do about it. Its default is f64, so that is the usual
  /// one.
  static std::string adviseType(const Argument &argument, DType given) {
    DType wanted = argument.type;
    if (wanted == DType::BF16 || wanted == DType::Index)
      return "";
    return "; convert it (`" + argument.name + ".astype('" +
           getNpyName(wanted) + "')`), or compile the program for " +
           getSpelling(given);
  }

  bool checkTypes() {
    for (size_t i = 0; i < signature.arguments.size(); ++i) {
      const Argument &argument = signature.arguments[i];
      if (!arrays[i])
        continue;
      const Array &array = *arrays[i];
      if (!isReadAs(array.type, argument.type))
        return fail(quote(argument.name) + " is " + getSpelling(array.type) +
                    ", and " + getSpelling(argument.type) + " is wanted" +
                    adviseType(argument, array.type));
      size_t rank = argument.dims.size(), given = array.shape.size();
      if (rank == given)
        continue;
      auto count = [](size_t n) {
        return n == 0   ? std::string("no dimensions")
               : n == 1 ? std::string("1 dimension")
                        : std::to_string(n) + " dimensions";
      };
      std::string shape = given ? " (" + print(array.shape) + ")" : "";
      std::string wanted =
          rank ? " (" + printType(argument, signature.symbols) + ")" : "";
      return fail(quote(argument.name) + " has " + count(given) + shape +
                  ", and " + count(rank) + wanted +
                  (rank == 1 ? " is wanted" : " are wanted"));
    }
    return true;
  }

  bool takeExtents() {
    std::vector<bool> isGiven, isBound;
    for (const Array *array : arrays)
      isGiven.push_back(array);
    for (unsigned i = 0; i < signature.symbols.size(); ++i)
      isBound.push_back(isKnown(i));
    for (const SizeSource &source :
         findSizeSources(signature, isGiven, std::move(isBound)))
      if (!solve(source))
        return false;
    return true;
  }

  /// Whether a size was found. What does not divide is an error.
  bool takeProducts() {
    for (const Product &product : signature.products) {
      std::vector<unsigned> named;
      collectSizes(product.whole, named);
      size_t numInWhole = named.size();
      for (const Dim &factor : product.factors)
        collectSizes(factor, named);
      std::vector<size_t> open;
      for (size_t i = 0; i < named.size(); ++i)
        if (!isKnown(named[i]))
          open.push_back(i);
      if (open.size() == 1 &&
          solve(product, named[open[0]], /*isInWhole=*/open[0] < numInWhole))
        return true;
      if (!error.empty())
        return false;
    }
    return false;
  }

  /// `dim`, in which only `symbol` is open, has to be `value`.
  bool solve(const Dim &dim, unsigned symbol, int64_t value) {
    Dim rest = dim;
    int64_t coefficient = 0, known, remaining;
    for (auto &term : rest.terms)
      if (term.first == symbol)
        coefficient = std::exchange(term.second, 0);
    if (!rest.evaluate(sizes, known) ||
        __builtin_sub_overflow(value, known, &remaining) || coefficient < 1 ||
        remaining < 0 || remaining % coefficient != 0)
      return false;
    sizes[symbol] = remaining / coefficient;
    return true;
  }

  static bool isTermOf(const Dim &dim, unsigned symbol) {
    return std::any_of(dim.terms.begin(), dim.terms.end(),
                       [&](const auto &term) { return term.first == symbol; });
  }
  /// It is divided, or among what the least of counts.
  static bool isComputedFrom(const Dim &dim, unsigned symbol) {
    std::vector<unsigned> named;
    collectComputed(dim, named);
    return std::find(named.begin(), named.end(), symbol) != named.end();
  }

  /// What `factors` are with `value` for `symbol`; the largest number, where
  /// that is too small for them.
  int64_t multiply(const std::vector<Dim> &factors, unsigned symbol,
                   int64_t value) {
    sizes[symbol] = value;
    int64_t product = 1;
    for (const Dim &factor : factors) {
      int64_t size;
      if (!factor.evaluate(sizes, size) ||
          __builtin_mul_overflow(product, size, &product))
        return INT64_MAX;
    }
    return product;
  }

  /// `N` of `N*(N + 1)`, which grows with it: halving what it may be.
  bool solveByHalving(const Product &product, unsigned symbol) {
    int64_t whole, least = 0, most = INT64_MAX;
    bool grows = std::all_of(
        product.factors.begin(), product.factors.end(), [&](const Dim &dim) {
          return std::all_of(dim.terms.begin(), dim.terms.end(),
                             [&](const auto &term) {
                               return term.first != symbol || term.second > 0;
                             });
        });
    if (!grows || !product.whole.evaluate(sizes, whole))
      return false;
    while (least < most) {
      int64_t middle = least + (most - least) / 2;
      if (multiply(product.factors, symbol, middle) < whole)
        least = middle + 1;
      else
        most = middle;
    }
    return multiply(product.factors, symbol, least) == whole;
  }

  bool solve(const Product &product, unsigned symbol, bool isInWhole) {
    // What is left of a division does not say what was divided.
    bool isComputed = isComputedFrom(product.whole, symbol);
    for (const Dim &factor : product.factors)
      isComputed |= isComputedFrom(factor, symbol);
    if (isComputed)
      return false;
    int64_t known = 1, whole = 0;
    const Dim *open = isInWhole ? &product.whole : nullptr;
    bool fits = isInWhole || product.whole.evaluate(sizes, whole);
    for (const Dim &factor : product.factors) {
      int64_t size;
      if (isTermOf(factor, symbol))
        open = &factor;
      else
        fits &= factor.evaluate(sizes, size) &&
                !__builtin_mul_overflow(known, size, &known);
    }
    // Nothing times any size is nothing: `--bind` may say which it is.
    if (fits && !isInWhole && known == 0 && whole == 0)
      return false;
    bool isOften = std::count_if(product.factors.begin(), product.factors.end(),
                                 [&](const Dim &dim) {
                                   return isTermOf(dim, symbol);
                                 }) > 1;
    if (isOften && !isInWhole)
      fits = solveByHalving(product, symbol);
    else
      fits = fits && (isInWhole || (known > 0 && whole % known == 0)) &&
             solve(*open, symbol, isInWhole ? known : whole / known);
    if (!fits)
      return fail("no size `" + signature.symbols[symbol] + "` makes `" +
                  print(product.whole, signature.symbols) + "` equal to `" +
                  print(product.factors, signature.symbols) + "`" +
                  explainKnown(product));
    sources[symbol] = "`" + print(product.whole, signature.symbols) +
                      " == " + print(product.factors, signature.symbols) + "`";
    return true;
  }

  /// ", where `N` = 10 (from `A`)".
  std::string explainKnown(const Product &product) {
    std::vector<unsigned> named;
    collectSizes(product.whole, named);
    for (const Dim &factor : product.factors)
      collectSizes(factor, named);
    Dim known;
    for (unsigned symbol : named)
      if (isKnown(symbol))
        known.terms.push_back({symbol, 1});
    return explainTerms(known, ", where ");
  }

  /// floor((extent - the known part) / coefficient).
  bool solve(const SizeSource &source) {
    const Argument &argument = signature.arguments[source.argument];
    const Dim &dim = argument.dims[source.dim];
    int64_t extent = arrays[source.argument]->shape[source.dim];
    int64_t known, remaining;
    if (!source.rest.evaluate(sizes, known) ||
        __builtin_sub_overflow(extent, known, &remaining))
      return fail("dimension " + std::to_string(source.dim) + " of " +
                  quote(argument.name) + ", " +
                  quote(print(dim, signature.symbols)) + ", overflows");
    if (remaining < 0)
      return fail(describe(source.argument) + ", and dimension " +
                  std::to_string(source.dim) + ", " +
                  quote(print(dim, signature.symbols)) +
                  ", leaves no size for " +
                  quote(signature.symbols[source.symbol]) +
                  explainTerms(source.rest, " where "));
    sizes[source.symbol] = remaining / source.coefficient;
    sources[source.symbol] = quote(argument.name);
    return true;
  }

  bool checkAllKnown() {
    std::string names, bindings;
    for (size_t i = 0; i < signature.symbols.size(); ++i) {
      if (isKnown(i))
        continue;
      names += (names.empty() ? "" : ", ") + signature.symbols[i];
      bindings += (bindings.empty() ? "" : ",") + signature.symbols[i] + "=…";
    }
    if (names.empty())
      return true;
    bool areMany = names.find(',') != std::string::npos;
    return fail("no argument gives the size" +
                std::string(areMany ? "s " : " ") + quote(names) +
                "; say `--bind " + bindings + "`");
  }

  /// "`B` has shape 4x5".
  std::string describe(size_t position) {
    return quote(signature.arguments[position].name) + " has shape " +
           print(arrays[position]->shape);
  }

  /// Each size of it, once.
  static void collectSizes(const Dim &dim, std::vector<unsigned> &symbols) {
    for (auto [symbol, coefficient] : dim.terms)
      if (std::find(symbols.begin(), symbols.end(), symbol) == symbols.end())
        symbols.push_back(symbol);
    collectComputed(dim, symbols);
  }
  static void collectComputed(const Dim &dim, std::vector<unsigned> &symbols) {
    for (const Quotient &quotient : dim.quotients)
      collectSizes(quotient.numerator, symbols);
    for (const Minimum &minimum : dim.minima)
      for (const Dim &value : minimum.values)
        collectSizes(value, symbols);
  }

  /// "`K` = 3 (from `A`), `H` = 4 (from `B`)".
  std::string explainTerms(const Dim &dim, const char *lead) {
    std::string text;
    std::vector<unsigned> named;
    collectSizes(dim, named);
    for (unsigned symbol : named)
      text += (text.empty() ? lead : ", ") + quote(signature.symbols[symbol]) +
              " = " + std::to_string(sizes[symbol]) + " (from " +
              sources[symbol] + ")";
    return text;
  }

  bool checkExtents() {
    for (size_t i = 0; i < signature.arguments.size(); ++i) {
      const Argument &argument = signature.arguments[i];
      for (size_t d = 0; arrays[i] && d < argument.dims.size(); ++d) {
        const Dim &dim = argument.dims[d];
        int64_t wanted;
        if (!dim.evaluate(sizes, wanted))
          return fail("dimension " + std::to_string(d) + " of " +
                      quote(argument.name) + ", " +
                      quote(print(dim, signature.symbols)) + ", overflows");
        if (wanted == arrays[i]->shape[d])
          continue;
        std::string message =
            describe(i) + ", and dimension " + std::to_string(d) + " must be ";
        if (dim.isConstant())
          return fail(message + std::to_string(wanted));
        message += quote(print(dim, signature.symbols)) + " = " +
                   std::to_string(wanted);
        if (dim.isLone())
          return fail(message + " (from " + sources[dim.terms[0].first] + ")");
        return fail(message + explainTerms(dim, ", where "));
      }
    }
    return true;
  }
};

} // namespace

bool bindSizes(const Signature &signature,
               const std::vector<const Array *> &arrays,
               const Bindings &bindings, std::vector<int64_t> &sizes,
               std::string &error, BindFault *fault) {
  BindFault ignored;
  return Binder(signature, arrays, sizes, error, fault ? *fault : ignored)
      .run(bindings);
}

} // namespace ein::runtime
