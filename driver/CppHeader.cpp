//===- CppHeader.cpp - The C++ header -------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a C++ programmer wants to write is `mm(A, B, C)`. The header has a type
// for arrays of any strides, a pointer with sizes and strides like mdspan's,
// and per def an overload that hands them to the C function `NAME_view`. All of
// it is in the header, needs the standard library alone, and is guarded, so
// that the headers of several programs can be included together.
//
//===----------------------------------------------------------------------===//

#include "driver/HalfTypes.h"
#include "driver/Header.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace ein {

static constexpr StringLiteral kViewClass = R"cpp(
#ifndef EIN_VIEW
#define EIN_VIEW
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace ein {

/// An array that something else owns: where its element (0, …, 0) is, its
/// sizes, and how many elements apart neighbours are along each dimension,
/// which may be negative, or zero. `view<T>` converts to `view<const T>`.
template <typename T, std::size_t Rank> class view {
public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using index_type = std::int64_t;
  using extents_type = std::array<index_type, Rank>;

  static constexpr std::size_t rank() noexcept { return Rank; }

  /// A contiguous array, row by row.
  constexpr view(T *data, const extents_type &sizes) noexcept
      : pointer(data), extents(sizes), steps(row_major(sizes)) {}

  constexpr view(T *data, const extents_type &sizes,
                 const extents_type &strides) noexcept
      : pointer(data), extents(sizes), steps(strides) {}

  /// A single element.
  template <std::size_t R = Rank, typename = std::enable_if_t<R == 0>>
  constexpr explicit view(T *data) noexcept
      : pointer(data), extents(), steps() {}

  template <typename U,
            typename = std::enable_if_t<std::is_convertible_v<U (*)[], T (*)[]>>>
  constexpr view(const view<U, Rank> &other) noexcept
      : pointer(other.data()), extents(other.sizes()), steps(other.strides()) {}

  constexpr T *data() const noexcept { return pointer; }
  constexpr const extents_type &sizes() const noexcept { return extents; }
  constexpr const extents_type &strides() const noexcept { return steps; }
  constexpr index_type extent(std::size_t dim) const { return extents[dim]; }
  constexpr index_type stride(std::size_t dim) const { return steps[dim]; }

  template <typename... Indices>
  constexpr T &operator()(Indices... indices) const {
    static_assert(sizeof...(Indices) == Rank, "one index per dimension");
    return at({static_cast<index_type>(indices)...},
              std::make_index_sequence<Rank>());
  }

private:
  template <std::size_t... Dims>
  constexpr T &at(const extents_type &indices,
                  std::index_sequence<Dims...>) const {
    (void)indices;
    return pointer[(index_type(0) + ... +
                    (std::get<Dims>(indices) * std::get<Dims>(steps)))];
  }

  static constexpr extents_type row_major(const extents_type &sizes) noexcept {
    extents_type strides{};
    index_type stride = 1;
    for (std::size_t dim = Rank; dim-- > 0;) {
      strides[dim] = stride;
      stride *= sizes[dim];
    }
    return strides;
  }

  T *pointer;
  extents_type extents, steps;
};

namespace detail {
/// The C form of a view, for the time of a call.
template <typename Struct> class c_view {
public:
  template <typename T, std::size_t Rank>
  explicit c_view(const view<T, Rank> &from) {
    value.data = const_cast<std::remove_cv_t<T> *>(from.data());
    if constexpr (Rank > 0)
      for (std::size_t dim = 0; dim < Rank; ++dim) {
        value.sizes[dim] = from.extent(dim);
        value.strides[dim] = from.stride(dim);
      }
  }
  operator const Struct *() const noexcept { return &value; }

private:
  Struct value;
};
} // namespace detail

} // namespace ein
#endif
)cpp";

static void emitOverload(raw_ostream &os, const Def &def) {
  std::vector<std::string> parameters, operands;
  for (const std::vector<TensorId> *ids : {&def.params, &def.results})
    for (TensorId id : *ids) {
      const Tensor &tensor = def[id];
      std::string name = getParameterName(tensor.name);
      std::string type = getCType(tensor.type).str();
      if (tensor.isScalarInput()) {
        parameters.push_back(type + " " + name);
        bool isAsItIs = getArgumentType(tensor.type) == type;
        operands.push_back(isAsItIs ? name
                                    : "::" + type + "_to_bits(" + name + ")");
        continue;
      }
      StringRef qualifier = tensor.role == TensorRole::Input ? "const " : "";
      parameters.push_back(("::ein::view<" + qualifier + type + ", " +
                            Twine(tensor.dims.size()) + "> " + name)
                               .str());
      operands.push_back("::ein::detail::c_view<::" + getViewType(tensor) +
                         ">(" + name + ")");
    }
  for (const std::string &size : getViewSizes(def)) {
    std::string name = getParameterName(size);
    parameters.push_back("int64_t " + name);
    operands.push_back(name);
  }
  os << "\nEIN_NODISCARD inline int " << def.name << "("
     << join(parameters, ", ") << ") {\n  return ::" << getViewName(def.name)
     << "(" << join(operands, ", ") << ");\n}\n";
}

std::string emitCppHeader(const Program &program, StringRef source,
                          StringRef nameSpace, ArrayRef<TestedCpu> cpus) {
  std::string text;
  raw_string_ostream os(text);
  os << "// Made by einc from " << source
     << ". Do not edit.\n"
        "//\n"
        "// Inputs may overlap each other; an output may overlap nothing.\n"
        "// Functions may be called from several threads at once. Each "
        "returns\n"
        "// EIN_OK or another of the codes below.\n";
  emitCpus(os, cpus, "//");
  os << "#pragma once\n";
  emitDeclarations(os, program, source);
  os << kViewClass;
  if (!nameSpace.empty())
    os << "\nnamespace " << nameSpace << " {\n";
  for (const Def &def : program.defs)
    emitOverload(os, def);
  if (!nameSpace.empty())
    os << "\n} // namespace " << nameSpace << "\n";
  return text;
}

} // namespace ein
