//===- einc.hpp - einc in a C++ program's own process -----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A face of C++17 on einc.h, with nothing behind it:
//
//   auto program = einc::compile(text, {"--bind", "K=64"});
//   if (!program)
//     std::cerr << program.error().text();
//   einc::entry mm = *program->find("mm");
//   einc::status code = mm(einc::array(a, {M, K}), einc::array(b, {K, N}),
//                          einc::array(c, {M, N}, {1, M}));
//
// What can fail returns a `result`: a value, or an `error`. Its `value()`
// throws the error where there are exceptions, and nothing else throws. Objects
// own what they hold; an `entry` lives as long as its `program`. For threads,
// see einc.h.
//
//===----------------------------------------------------------------------===//

#ifndef EINC_EINC_HPP
#define EINC_EINC_HPP

#include "einc/einc.h"
#include <complex>
#include <cstdlib>
#include <exception>
#include <memory>
#if defined(__STDCPP_FLOAT16_T__) || defined(__STDCPP_BFLOAT16_T__)
#include <stdfloat>
#endif
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace einc {

using status = einc_status;
using form = einc_form;

inline std::string version() { return einc_version(); }

namespace detail {
struct deleter {
  void operator()(einc_program *program) const { einc_program_free(program); }
  void operator()(einc_bytes *bytes) const { einc_bytes_free(bytes); }
  void operator()(einc_diagnostics *found) const {
    einc_diagnostics_free(found);
  }
};
template <typename T> using owned = std::unique_ptr<T, deleter>;
} // namespace detail

//===----------------------------------------------------------------------===//
// Diagnostics and errors
//===----------------------------------------------------------------------===//

/// What the compiler said; a range of `einc_diagnostic`.
class diagnostics {
public:
  diagnostics() = default;
  explicit diagnostics(einc_diagnostics *found)
      : found(found, &einc_diagnostics_free) {}

  std::size_t size() const { return einc_diagnostics_count(found.get()); }
  bool empty() const { return size() == 0; }
  const einc_diagnostic &operator[](std::size_t index) const {
    return *einc_diagnostics_get(found.get(), index);
  }
  const einc_diagnostic *begin() const {
    return einc_diagnostics_get(found.get(), 0);
  }
  const einc_diagnostic *end() const { return begin() + size(); }
  /// With lines and carets.
  std::string text() const { return einc_diagnostics_text(found.get()); }
  /// An object to a line.
  std::string json() const { return einc_diagnostics_json(found.get()); }

private:
  std::shared_ptr<einc_diagnostics> found;
};

/// Why there is no value.
class error : public std::exception {
public:
  error(status code, std::string message, diagnostics found = {})
      : status_(code), message_(std::move(message)), found(std::move(found)) {}

  status code() const { return status_; }
  /// In a line.
  const std::string &message() const { return message_; }
  /// With lines and carets, if it is about a program; else the message.
  std::string text() const { return found.empty() ? message_ : found.text(); }
  const diagnostics &reported() const { return found; }
  const char *what() const noexcept override { return message_.c_str(); }

private:
  status status_;
  std::string message_;
  diagnostics found;
};

/// A value or an error, as std::expected of C++23.
template <typename T> class result {
public:
  result(T value) : content(std::move(value)) {}
  result(einc::error error) : content(std::move(error)) {}

  bool has_value() const { return content.index() == 0; }
  explicit operator bool() const { return has_value(); }
  T &operator*() { return *std::get_if<0>(&content); }
  const T &operator*() const { return *std::get_if<0>(&content); }
  T *operator->() { return std::get_if<0>(&content); }
  const T *operator->() const { return std::get_if<0>(&content); }
  const einc::error &error() const { return *std::get_if<1>(&content); }
  T &value() & {
    check();
    return **this;
  }
  T &&value() && {
    check();
    return std::move(**this);
  }

private:
  void check() const {
    if (has_value())
      return;
#if defined(__cpp_exceptions)
    throw error();
#else
    std::abort();
#endif
  }

  std::variant<T, einc::error> content;
};

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

namespace detail {
template <typename T> struct element;
#define EINC_ELEMENT(TYPE, NAME)                                               \
  template <> struct element<TYPE> {                                           \
    static constexpr einc_type type = EINC_TYPE_##NAME;                        \
  };
EINC_ELEMENT(float, F32)
EINC_ELEMENT(double, F64)
EINC_ELEMENT(std::complex<float>, C64)
EINC_ELEMENT(std::complex<double>, C128)
EINC_ELEMENT(std::int8_t, I8)
EINC_ELEMENT(std::int16_t, I16)
EINC_ELEMENT(std::int32_t, I32)
EINC_ELEMENT(std::int64_t, I64)
EINC_ELEMENT(std::uint8_t, U8)
EINC_ELEMENT(std::uint16_t, U16)
EINC_ELEMENT(std::uint32_t, U32)
EINC_ELEMENT(std::uint64_t, U64)
EINC_ELEMENT(bool, BOOL)
#if defined(__STDCPP_FLOAT16_T__)
EINC_ELEMENT(std::float16_t, F16)
#elif defined(__FLT16_MANT_DIG__) &&                                           \
    (defined(__clang__) || __GNUC__ >= 13 ||                                   \
     (__GNUC__ >= 12 && defined(__x86_64__)))
__extension__ typedef _Float16 float16;
EINC_ELEMENT(float16, F16)
#endif
#if defined(__STDCPP_BFLOAT16_T__)
EINC_ELEMENT(std::bfloat16_t, BF16)
#elif defined(__BFLT16_MANT_DIG__) ||                                          \
    (defined(__clang__) && __clang_major__ >= 17 &&                            \
     (defined(__SSE2__) || defined(__aarch64__)))
__extension__ typedef __bf16 bfloat16;
EINC_ELEMENT(bfloat16, BF16)
#endif
#undef EINC_ELEMENT
} // namespace detail

/// An array of somebody else's, with any strides in elements; no strides:
/// row-major. What `const` data is for an output is the caller's mistake.
class array {
public:
  /// Types that C++ or this compiler has no name for are told by `type`: bf16,
  /// and f16 where there is neither `std::float16_t` nor `_Float16`.
  array(void *data, einc_type type, std::vector<std::int64_t> sizes,
        std::vector<std::int64_t> strides = {})
      : data(data), type(type), sizes(std::move(sizes)),
        strides(std::move(strides)) {}
  template <typename T>
  array(T *data, std::vector<std::int64_t> sizes,
        std::vector<std::int64_t> strides = {})
      : array(const_cast<void *>(static_cast<const void *>(data)),
              detail::element<std::remove_const_t<T>>::type, std::move(sizes),
              std::move(strides)) {}
  /// A scalar, which has to live until the call.
  template <typename T, typename = decltype(detail::element<T>::type)>
  array(const T &scalar) : array(&scalar, {}) {}

  einc_array get() const {
    return {data, sizes.data(), strides.empty() ? nullptr : strides.data(),
            sizes.size(), type};
  }

private:
  void *data;
  einc_type type;
  std::vector<std::int64_t> sizes, strides;
};

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// A def that can be called, of a program that has to live as long.
class entry {
public:
  explicit entry(const einc_entry *handle) : handle(handle) {}

  std::string name() const { return einc_entry_name(handle); }
  std::string signature() const { return einc_entry_signature(handle); }
  std::string signature_json() const {
    return einc_entry_signature_json(handle);
  }
  std::size_t num_arguments() const { return einc_entry_num_arguments(handle); }
  const einc_argument &argument(std::size_t index) const {
    return *einc_entry_argument(handle, index);
  }
  std::vector<std::string> sizes() const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < einc_entry_num_sizes(handle); ++i)
      names.push_back(einc_entry_size_name(handle, i));
    return names;
  }
  const einc_entry *get() const { return handle; }

  /// Inputs and outputs in order; `einc::last_message` says what is wrong.
  template <typename... Arrays>
  status operator()(const Arrays &...arrays) const {
    return call({array(arrays)...});
  }
  /// With sizes that no array says, one per size.
  status call(const std::vector<array> &arrays,
              const std::vector<std::int64_t> &sizes = {}) const {
    std::vector<einc_array> views;
    for (const array &view : arrays)
      views.push_back(view.get());
    return einc_call(handle, views.data(), views.size(),
                     sizes.empty() ? nullptr : sizes.data());
  }

private:
  const einc_entry *handle;
};

inline std::string last_message() { return einc_last_message(); }

/// Compiled code.
class program {
public:
  explicit program(einc_program *handle, diagnostics warnings = {})
      : handle(handle), warnings_(std::move(warnings)) {}

  /// The last that is not private, without a name.
  result<entry> find(const std::string &name = "") const {
    if (const einc_entry *found = einc_program_find(handle.get(), name.c_str()))
      return entry(found);
    return error(EINC_WRONG_ARGUMENT, einc_last_message());
  }
  std::vector<entry> entries() const {
    std::vector<entry> all;
    for (std::size_t i = 0; i < einc_program_num_entries(handle.get()); ++i)
      all.emplace_back(einc_program_entry(handle.get(), i));
    return all;
  }
  const diagnostics &warnings() const { return warnings_; }
  einc_program *get() const { return handle.get(); }

private:
  detail::owned<einc_program> handle;
  diagnostics warnings_;
};

using options = std::vector<std::string>;

namespace detail {
/// Calls a function of einc.h that makes a T of a source.
template <typename T, typename Function>
result<std::pair<owned<T>, diagnostics>>
request(std::string_view text, const options &given, const char *name,
        form kind, Function function) {
  const einc_source source = {text.data(), text.size(), name, kind};
  std::vector<const char *> words;
  for (const std::string &option : given)
    words.push_back(option.c_str());
  T *made = nullptr;
  einc_diagnostics *found = nullptr;
  status code = function(&source, words.data(), words.size(), &made, &found);
  diagnostics reported(found);
  if (code != EINC_OK)
    return error(code, einc_last_message(), std::move(reported));
  return std::pair(owned<T>(made), std::move(reported));
}

inline std::string to_string(const owned<einc_bytes> &bytes) {
  return {einc_bytes_data(bytes.get()), einc_bytes_size(bytes.get())};
}
} // namespace detail

/// Compiles for this machine; see einc_compile.
inline result<program> compile(std::string_view text, const options &given = {},
                               const char *name = nullptr,
                               form kind = EINC_FORM_FILE) {
  auto made =
      detail::request<einc_program>(text, given, name, kind, &einc_compile);
  if (!made)
    return made.error();
  return program(made->first.release(), std::move(made->second));
}

/// The bytes that `einc build --emit KIND` writes; see einc_emit.
inline result<std::string> emit(std::string_view text, const char *what,
                                const options &given = {},
                                const char *name = nullptr,
                                form kind = EINC_FORM_FILE) {
  auto made = detail::request<einc_bytes>(
      text, given, name, kind,
      [&](const einc_source *source, const char *const *words,
          std::size_t count, einc_bytes **bytes, einc_diagnostics **found) {
        return einc_emit(source, words, count, what, bytes, found);
      });
  if (!made)
    return made.error();
  return detail::to_string(made->first);
}

/// JSON; see einc_explain.
inline result<std::string> explain(std::string_view text,
                                   const options &given = {},
                                   const char *name = nullptr,
                                   form kind = EINC_FORM_FILE) {
  auto made =
      detail::request<einc_bytes>(text, given, name, kind, &einc_explain);
  if (!made)
    return made.error();
  return detail::to_string(made->first);
}

} // namespace einc

#endif // EINC_EINC_HPP
