//===- NpyMutationTest.cpp - numpy's own files, and damaged ones ----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"
#include "runtime/Npy.h"
#include <random>

using namespace ein::runtime;
using namespace ein::runtime::test;

namespace {

TEST(NpyFromNumpy, ReadsAndWritesWhatNumpyDoes) {
  std::string python = findPython();
  if (python.empty())
    GTEST_SKIP() << "no python3 with numpy";
  TemporaryDirectory directory;
  // Every element is its row-major position, so one rule checks all of them.
  writeFile(directory / "make.py", R"(
import itertools, sys
import numpy as np
from numpy.lib import format
shapes = [(), (0,), (1,), (5,), (3, 4), (4, 0), (1, 7), (7, 1), (2, 3, 4),
          (33, 65), (40, 3, 50), (2, 1, 3, 1, 2)]
count = 0
for shape, kind, order, fortran, version in itertools.product(
        shapes, ['f4', 'f8'], '<>', [False, True], [(1, 0), (2, 0), (3, 0)]):
    a = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(order + kind)
    if fortran:
        a = np.asfortranarray(a).reshape(shape, order='A')
    with open(f'{sys.argv[1]}/{count}.npy', 'wb') as f:
        format.write_array(f, a, version=version)
    print(kind, *shape)
    count += 1
)");
  ASSERT_EQ(std::system((python + " " + (directory / "make.py") + " " +
                         directory.path + " > " + (directory / "list"))
                            .c_str()),
            0);
  std::ifstream list(directory / "list");
  std::string line, error;
  int count = 0;
  for (; std::getline(list, line); ++count) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    Shape shape;
    for (int64_t extent; words >> extent;)
      shape.push_back(extent);
    Array array;
    ASSERT_TRUE(
        readNpy(directory / (std::to_string(count) + ".npy"), array, error))
        << error;
    ASSERT_EQ(array.shape, shape) << count;
    ASSERT_EQ(array.type, kind == "f4" ? DType::F32 : DType::F64);
    for (int64_t i = 0; i < array.getNumElements(); ++i)
      ASSERT_EQ(kind == "f4" ? array.as<float>()[i] : array.as<double>()[i], i)
          << count;
    ASSERT_TRUE(writeNpy(directory / ("out" + std::to_string(count) + ".npy"),
                         array, error))
        << error;
  }
  EXPECT_EQ(count, 12 * 2 * 2 * 2 * 3);
  writeFile(directory / "check.py", R"(
import sys
import numpy as np
for i in range(int(sys.argv[2])):
    a = np.load(f'{sys.argv[1]}/{i}.npy')
    b = np.load(f'{sys.argv[1]}/out{i}.npy')
    assert a.shape == b.shape and (a == b).all(), i
    assert a.dtype.newbyteorder('=') == b.dtype and b.dtype.isnative, i
)");
  EXPECT_EQ(std::system((python + " " + (directory / "check.py") + " " +
                         directory.path + " " + std::to_string(count))
                            .c_str()),
            0);
}

/// A damaged file is refused with one line or read as some array; whichever,
/// the process survives it.
TEST(NpyMutation, NeverCrashes) {
  TemporaryDirectory directory;
  std::string error, name = directory / "a.npy";
  std::vector<float> elements(6, 1.5f);
  ASSERT_TRUE(writeNpy(name, makeArray<float>({2, 3}, elements), error));
  std::string original = readFile(name);
  size_t header = original.size() - 24;

  auto check = [&](const std::string &bytes) {
    writeFile(name, bytes);
    Array array;
    error.clear();
    if (readNpy(name, array, error)) {
      int64_t count;
      ASSERT_TRUE(countBytes(array.shape, getByteWidth(array.type), count));
      ASSERT_EQ(count, array.getNumBytes());
      ASSERT_LE(count, int64_t(bytes.size()));
    } else {
      ASSERT_FALSE(error.empty());
      ASSERT_EQ(error.find('\n'), std::string::npos) << error;
    }
  };

  for (size_t length = 0; length < original.size(); ++length) {
    check(original.substr(0, length));
    Array array;
    ASSERT_FALSE(readNpy(name, array, error)) << length;
  }

  std::mt19937 random(20240607);
  const std::string alphabet = "(){}[],:'\"<>=|-0123456789fFTOeL \n\\";
  for (int round = 0; round < 5000; ++round) {
    std::string bytes = original;
    for (unsigned i = 0, n = 1 + random() % 4; i < n; ++i) {
      // Mostly where there is something to damage: before the padding.
      size_t at = random() % (random() % 8 ? 70 : bytes.size());
      at = std::min(at, bytes.size() - 1);
      switch (random() % 5) {
      case 0:
        bytes[at] = static_cast<char>(random());
        break;
      case 1:
        bytes[at] = alphabet[random() % alphabet.size()];
        break;
      case 2:
        bytes.erase(at, 1 + random() % 9);
        break;
      case 3:
        bytes.insert(at, 1 + random() % 3,
                     alphabet[random() % alphabet.size()]);
        break;
      case 4:
        std::swap(bytes[at], bytes[random() % header]);
        break;
      }
      if (bytes.empty())
        break;
    }
    check(bytes);
  }
}

} // namespace
