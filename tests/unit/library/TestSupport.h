//===- TestSupport.h - What tests of the library share ----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_TESTS_UNIT_LIBRARY_TESTSUPPORT_H
#define EIN_TESTS_UNIT_LIBRARY_TESTSUPPORT_H

#include <einc/einc.h>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <iostream>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

namespace ein::test {

struct Free {
  void operator()(einc_program *program) const { einc_program_free(program); }
  void operator()(einc_bytes *bytes) const { einc_bytes_free(bytes); }
  void operator()(einc_diagnostics *found) const {
    einc_diagnostics_free(found);
  }
};
template <typename T> using Owned = std::unique_ptr<T, Free>;

/// What a request leaves.
template <typename T> struct Result {
  einc_status status;
  Owned<T> value;
  Owned<einc_diagnostics> found;

  const einc_diagnostic &get(size_t index = 0) const {
    return *einc_diagnostics_get(found.get(), index);
  }
};

inline einc_source makeSource(const std::string &text,
                              einc_form form = EINC_FORM_FILE,
                              const char *name = nullptr) {
  return {text.data(), text.size(), name, form};
}

inline Result<einc_program> compile(const std::string &text,
                                    std::vector<const char *> options = {},
                                    einc_form form = EINC_FORM_FILE) {
  einc_source source = makeSource(text, form);
  einc_program *program = nullptr;
  einc_diagnostics *found = nullptr;
  einc_status status =
      einc_compile(&source, options.data(), options.size(), &program, &found);
  return {status, Owned<einc_program>(program), Owned<einc_diagnostics>(found)};
}

inline Result<einc_bytes> emit(const std::string &text, const char *kind,
                               std::vector<const char *> options = {},
                               einc_form form = EINC_FORM_FILE) {
  einc_source source = makeSource(text, form);
  einc_bytes *bytes = nullptr;
  einc_diagnostics *found = nullptr;
  einc_status status =
      einc_emit(&source, options.data(), options.size(), kind, &bytes, &found);
  return {status, Owned<einc_bytes>(bytes), Owned<einc_diagnostics>(found)};
}

inline std::string toString(const Owned<einc_bytes> &bytes) {
  return {einc_bytes_data(bytes.get()), einc_bytes_size(bytes.get())};
}

/// Standard output and error, which nothing may reach but what GoogleTest says
/// of a failure.
class Silence {
public:
  Silence() : out(swap(1, firstFile())), error(swap(2, secondFile())) {}
  ~Silence() {
    restore(1, out);
    restore(2, error);
    std::string said = read(files[0]) + read(files[1]);
    if (testing::Test::HasFailure())
      std::cerr << said;
    else
      EXPECT_EQ(said, "") << "was printed";
  }

private:
  int firstFile() { return files[0] = open(); }
  int secondFile() { return files[1] = open(); }
  static int open() {
    char name[] = "/tmp/einc-silence-XXXXXX";
    int file = mkstemp(name);
    unlink(name);
    return file;
  }
  static std::string read(int file) {
    std::string text(lseek(file, 0, SEEK_END), ' ');
    EXPECT_EQ(pread(file, text.data(), text.size(), 0),
              static_cast<ssize_t>(text.size()));
    close(file);
    return text;
  }
  static int swap(int stream, int file) {
    fflush(nullptr);
    int kept = dup(stream);
    dup2(file, stream);
    return kept;
  }
  static void restore(int stream, int kept) {
    fflush(nullptr);
    dup2(kept, stream);
    close(kept);
  }

  int files[2];
  int out, error;
};

inline constexpr const char *kMatmul =
    "def mm(A: f32(M, K), B: f32(K, N)) -> (C: f32(M, N)) {\n"
    "  C(m, n) +=! A(m, k) * B(k, n)\n"
    "}\n";

} // namespace ein::test

#endif // EIN_TESTS_UNIT_LIBRARY_TESTSUPPORT_H
