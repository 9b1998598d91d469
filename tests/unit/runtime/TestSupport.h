//===- TestSupport.h - Helpers of the runtime's tests -----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_TESTS_UNIT_RUNTIME_TESTSUPPORT_H
#define EIN_TESTS_UNIT_RUNTIME_TESTSUPPORT_H

#include "runtime/Array.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace ein::runtime::test {

/// A directory of the test's own, gone when the test is.
class TemporaryDirectory {
public:
  TemporaryDirectory() {
    std::string name =
        (std::filesystem::temp_directory_path() / "ein-XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~TemporaryDirectory() { std::filesystem::remove_all(path); }
  std::string operator/(const std::string &name) const {
    return path + "/" + name;
  }
  std::vector<std::string> list() const {
    std::vector<std::string> names;
    for (const auto &entry : std::filesystem::directory_iterator(path))
      names.push_back(entry.path().filename().string());
    return names;
  }
  std::string path;
};

inline void writeFile(const std::string &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), bytes.size());
}

inline std::string readFile(const std::string &path) {
  std::stringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

template <typename T>
Array makeArray(Shape shape, const std::vector<T> &elements) {
  Array array;
  EXPECT_TRUE(array.allocate(sizeof(T) == 4 ? DType::F32 : DType::F64, shape));
  EXPECT_EQ(array.getNumElements(), int64_t(elements.size()));
  std::copy(elements.begin(), elements.end(), array.as<T>());
  return array;
}

template <typename T> std::vector<T> getElements(const Array &array) {
  EXPECT_EQ(getByteWidth(array.type), sizeof(T));
  return std::vector<T>(array.as<T>(), array.as<T>() + array.getNumElements());
}

/// An interpreter that has numpy, or nothing.
inline std::string findPython() {
  for (const char *python : {"python3", "/usr/bin/python3"})
    if (std::system(
            (std::string(python) + " -c 'import numpy' 2>/dev/null").c_str()) ==
        0)
      return python;
  return "";
}

} // namespace ein::runtime::test

#endif // EIN_TESTS_UNIT_RUNTIME_TESTSUPPORT_H
