//===- NpyTest.cpp - .npy files -------------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Npy.h"
#include "TestSupport.h"
#include <cmath>
#include <sys/stat.h>
#include <unistd.h>

using namespace ein::runtime;
using namespace ein::runtime::test;

namespace {

/// A file with `dict` as its header and `data` after it.
std::string makeFile(const std::string &dict, const std::string &data,
                     char major = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += major;
  bytes += '\0';
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i)
    bytes += static_cast<char>(dict.size() >> (8 * i) & 0xff);
  return bytes + dict + data;
}

std::string dict(const std::string &descr, const std::string &shape,
                 const std::string &order = "False") {
  return "{'descr': " + descr + ", 'fortran_order': " + order +
         ", 'shape': " + shape + ", }\n";
}

class NpyTest : public testing::Test {
protected:
  TemporaryDirectory directory;
  Array array;
  std::string error;

  bool read(const std::string &bytes) {
    writeFile(directory / "a.npy", bytes);
    return readNpy(directory / "a.npy", array, error);
  }

  /// The reason for which `bytes` are refused.
  std::string refuse(const std::string &bytes) {
    error.clear();
    EXPECT_FALSE(read(bytes));
    std::string lead = "cannot read `" + (directory / "a.npy") + "`: ";
    EXPECT_EQ(error.substr(0, lead.size()), lead);
    EXPECT_EQ(error.find('\n'), std::string::npos);
    return error.substr(std::min(lead.size(), error.size()));
  }
};

const std::string oneTwo("\0\0\x80\x3f\0\0\0\x40", 8); // f32 1, 2

/// Where its elements are aligned; else it is read.
TEST_F(NpyTest, MapsLargeFiles) {
  std::string data(1 << 20, '\1');
  for (size_t padding : {0, 1}) {
    std::string header = dict("'<f4'", "(262144,)");
    header.insert(header.size() - 1, 128 - 10 - header.size() + padding, ' ');
    ASSERT_TRUE(read(makeFile(header, data))) << error;
    EXPECT_EQ(array.isMapped(), padding == 0);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(array.data()) % 64, 0u);
    ASSERT_EQ(array.getNumBytes(), 1 << 20);
    EXPECT_EQ(std::memcmp(array.data(), data.data(), data.size()), 0);
    // What is written to the array is not written to the file, and beyond the
    // last element there is memory.
    array.as<char>()[0] = 7;
    volatile char beyond = array.as<char>()[(1 << 20) + 63];
    (void)beyond;
    Array again;
    ASSERT_TRUE(readNpy(directory / "a.npy", again, error)) << error;
    EXPECT_EQ(again.as<char>()[0], '\1');
    Array copy;
    ASSERT_TRUE(copy.copyFrom(array));
    EXPECT_FALSE(copy.isMapped());
    EXPECT_EQ(copy.as<char>()[0], 7);
    // Its memory is given back as what it was.
    array = std::move(again);
    ASSERT_TRUE(array.allocate(DType::F32, {4}));
    EXPECT_FALSE(array.isMapped());
  }
}

TEST_F(NpyTest, ReadsEveryVersion) {
  for (char major : {1, 2, 3}) {
    ASSERT_TRUE(read(makeFile(dict("'<f4'", "(2,)"), oneTwo, major))) << error;
    EXPECT_EQ(array.type, DType::F32);
    EXPECT_EQ(array.shape, Shape{2});
    EXPECT_EQ(getElements<float>(array), (std::vector<float>{1, 2}));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(array.data()) % 64, 0u);
  }
}

TEST_F(NpyTest, ReadsBothByteOrders) {
  std::string swapped(oneTwo.rbegin(), oneTwo.rend());
  ASSERT_TRUE(read(makeFile(dict("'>f4'", "(2,)"), swapped))) << error;
  EXPECT_EQ(getElements<float>(array), (std::vector<float>{2, 1}));
  ASSERT_TRUE(read(
      makeFile(dict("'>f8'", "(1,)"), std::string("\x3f\xf8\0\0\0\0\0\0", 8))))
      << error;
  EXPECT_EQ(getElements<double>(array), std::vector<double>{1.5});
}

TEST_F(NpyTest, ReadsFortranOrder) {
  std::string data;
  for (float x : {1.f, 4.f, 2.f, 5.f, 3.f, 6.f})
    data.append(reinterpret_cast<const char *>(&x), 4);
  ASSERT_TRUE(read(makeFile(dict("'<f4'", "(2, 3)", "True"), data))) << error;
  EXPECT_EQ(getElements<float>(array), (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST_F(NpyTest, ReadsRankZeroAndNoElements) {
  ASSERT_TRUE(read(makeFile(dict("'<f4'", "()"), oneTwo.substr(4)))) << error;
  EXPECT_EQ(array.shape, Shape{});
  EXPECT_EQ(getElements<float>(array), std::vector<float>{2});
  for (const char *order : {"False", "True"}) {
    ASSERT_TRUE(read(makeFile(dict("'<f8'", "(3, 0, 2)", order), ""))) << error;
    EXPECT_EQ(array.shape, (Shape{3, 0, 2}));
    EXPECT_EQ(array.getNumElements(), 0);
    EXPECT_NE(array.data(), nullptr);
  }
}

TEST_F(NpyTest, ReadsOtherWaysToWriteADict) {
  for (const char *text :
       {"{\"shape\":(2,),\"descr\":\"<f4\",\"fortran_order\":False}",
        "{'fortran_order': False, 'shape': (2L,), 'descr': 'f4'}   \n",
        "  { 'shape' : ( 2 , ) , 'descr' : '=f4' , 'fortran_order' : False , "
        "}"}) {
    EXPECT_TRUE(read(makeFile(text, oneTwo))) << error;
    EXPECT_EQ(getElements<float>(array), (std::vector<float>{1, 2}));
  }
}

TEST_F(NpyTest, RefusesOtherFiles) {
  EXPECT_EQ(refuse(""), "it is empty");
  EXPECT_EQ(refuse("\x93NUM"), "it ends within its header");
  EXPECT_EQ(refuse("PK\3\4 a zip"),
            "it is a .npz archive, whose name has to end so");
  EXPECT_EQ(refuse("\x93NUMPX\1"),
            "it is not a .npy file (its first bytes are others)");
  EXPECT_EQ(refuse(makeFile(dict("'<f4'", "(2,)"), oneTwo, 4)),
            "its version of the .npy format is unknown");
  std::string file = makeFile(dict("'<f4'", "(2,)"), oneTwo);
  for (size_t length : {6, 7, 8, 9, 10, 30})
    EXPECT_EQ(refuse(file.substr(0, length)), "it ends within its header");
  EXPECT_EQ(refuse(std::string("\x93NUMPY\2\0\xff\xff\xff\xff{", 13)),
            "its header is too long");
}

TEST_F(NpyTest, RefusesWrongLengths) {
  std::string header = dict("'<f4'", "(2,)");
  EXPECT_EQ(refuse(makeFile(header, oneTwo.substr(1))),
            "its data are shorter than its shape (2) says");
  EXPECT_EQ(refuse(makeFile(header, oneTwo + "x")),
            "its data are longer than its shape (2) says");
  EXPECT_EQ(refuse(makeFile(dict("'<f4'", "(0,)"), "x")),
            "its data are longer than its shape (0) says");
  // Nothing is allocated for a shape that the file cannot fill.
  EXPECT_EQ(refuse(makeFile(dict("'<f8'", "(100000000000, 1000000)"), oneTwo)),
            "its data are shorter than its shape (100000000000x1000000) says");
}

TEST_F(NpyTest, RefusesWrongShapes) {
  auto refuseShape = [&](const char *shape) {
    return refuse(makeFile(dict("'<f4'", shape), oneTwo));
  };
  EXPECT_EQ(refuseShape("(-2,)"), "its `shape` has a negative extent");
  EXPECT_EQ(refuseShape("(2)"), "its `shape` is an integer, not a tuple");
  EXPECT_EQ(refuseShape("2"), "its `shape` is not a tuple");
  EXPECT_EQ(refuseShape("[2]"), "its `shape` is not a tuple");
  EXPECT_EQ(refuseShape("(2 3)"), "its `shape` is not a tuple of integers");
  EXPECT_EQ(refuseShape("(2.0,)"), "its `shape` is not a tuple of integers");
  EXPECT_EQ(refuseShape("(,)"), "its `shape` is not a tuple of integers");
  EXPECT_EQ(refuseShape("(2,,)"), "its `shape` is not a tuple of integers");
  EXPECT_EQ(refuseShape("('2',)"), "its `shape` is not a tuple of integers");
  EXPECT_EQ(refuseShape("(99999999999999999999,)"),
            "its `shape` has an extent beyond 64 bits");
  EXPECT_EQ(refuseShape("(9223372036854775807, 3)"), "its size overflows");
  EXPECT_EQ(refuseShape("(4294967296, 4294967296, 0)"), "its size overflows");
}

TEST_F(NpyTest, ReadsBFloat16OfThoseWhoHaveIt) {
  // ml_dtypes through numpy, numpy alone, and those who write the type's name.
  for (const char *descr : {"'<V2'", "'|V2'", "'bfloat16'"}) {
    ASSERT_TRUE(read(makeFile(dict(descr, "(2,)"), "\x80\x3f\x20\xc0")))
        << error;
    EXPECT_EQ(array.type, DType::BF16);
    EXPECT_EQ(array.as<uint16_t>()[0], 0x3f80) << descr;
    EXPECT_EQ(array.as<uint16_t>()[1], 0xc020) << descr;
  }
  ASSERT_TRUE(read(makeFile(dict("'>V2'", "(1,)"), "\x3f\x80")));
  EXPECT_EQ(array.as<uint16_t>()[0], 0x3f80);
}

TEST_F(NpyTest, RefusesWrongTypes) {
  auto refuseType = [&](const char *type) {
    return refuse(makeFile(dict(type, "(2,)"), oneTwo));
  };
  const std::string onlyThese = ", and only `f4`, `f8`, `f2`, `V2`, `c8`, "
                                "`c16`, `i1`, `i2`, `i4`, `i8`, `u1`, "
                                "`u2`, `u4`, `u8`, `b1` can be read";
  EXPECT_EQ(refuseType("'|O'"), "its elements are Python objects" + onlyThese);
  EXPECT_EQ(refuseType("'<i3'"),
            "its elements have the type `<i3`" + onlyThese);
  EXPECT_EQ(refuseType("'<c32'"),
            "its elements have the type `<c32`" + onlyThese);
  EXPECT_EQ(refuseType("[('a', '<f4')]"),
            "its `descr` is not the name of one type (structured types cannot "
            "be read)");
  EXPECT_EQ(refuseType("''"), "its elements have a type that cannot be read");
  EXPECT_EQ(refuseType("'\n'"), "its elements have a type that cannot be read");
  EXPECT_EQ(refuseType("'<'").substr(0, 27), "its elements have the type ");
}

TEST_F(NpyTest, RefusesWrongDicts) {
  auto refuseDict = [&](const std::string &text) {
    return refuse(makeFile(text, oneTwo));
  };
  EXPECT_EQ(refuseDict(""), "its header is not a dict");
  EXPECT_EQ(refuseDict("[]"), "its header is not a dict");
  EXPECT_EQ(refuseDict("{}"),
            "its header lacks `descr`, `fortran_order` or `shape`");
  EXPECT_EQ(refuseDict("{'descr': '<f4', 'shape': (2,)}"),
            "its header lacks `descr`, `fortran_order` or `shape`");
  EXPECT_EQ(refuseDict("{'descr': '<f4', 'descr': '<f4'}"),
            "its header has a key that is unknown or repeated");
  EXPECT_EQ(refuseDict("{'descr': '<f4', 'order': 3}"),
            "its header has a key that is unknown or repeated");
  EXPECT_EQ(refuseDict(dict("'<f4'", "(2,)") + "x"),
            "its header goes on after the `}`");
  EXPECT_EQ(refuseDict(dict("'<f4'", "(2,)", "0")),
            "its `fortran_order` is neither True nor False");
  EXPECT_EQ(refuseDict("{'descr': '<f4' 'shape': (2,)}"),
            "its header does not end with `}`");
  EXPECT_EQ(refuseDict("{'descr"),
            "its header is not a dict of `descr`, `fortran_order` and `shape`");
}

TEST_F(NpyTest, RefusesWhatIsNoFile) {
  EXPECT_FALSE(readNpy(directory / "none.npy", array, error));
  EXPECT_EQ(error, "cannot read `" + (directory / "none.npy") +
                       "`: No such file or directory");
  EXPECT_FALSE(readNpy(directory.path, array, error));
  EXPECT_EQ(error, "cannot read `" + directory.path + "`: it is a directory");
  EXPECT_FALSE(readNpy("/dev/null", array, error));
  EXPECT_EQ(error, "cannot read `/dev/null`: it is empty");
  EXPECT_FALSE(readNpy("/dev/zero", array, error));
  EXPECT_FALSE(readNpy("", array, error));
  // A pipe that nobody writes to does not hang.
  ASSERT_EQ(mkfifo((directory / "fifo").c_str(), 0600), 0);
  EXPECT_FALSE(readNpy(directory / "fifo", array, error));
  EXPECT_NE(error.find("it is empty"), std::string::npos);
}

TEST_F(NpyTest, ReadsPipes) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  std::string name = "/dev/fd/" + std::to_string(ends[0]);
  auto send = [&](const std::string &bytes) {
    EXPECT_EQ(write(ends[1], bytes.data(), bytes.size()),
              ssize_t(bytes.size()));
    close(ends[1]);
  };
  send(makeFile(dict("'<f4'", "(2,)"), oneTwo));
  EXPECT_TRUE(readNpy(name, array, error)) << error;
  EXPECT_EQ(getElements<float>(array), (std::vector<float>{1, 2}));
  close(ends[0]);

  // The length is not known beforehand, and still is right.
  for (const char *extra : {"", "xx"}) {
    ASSERT_EQ(pipe(ends), 0);
    name = "/dev/fd/" + std::to_string(ends[0]);
    send(makeFile(dict("'<f4'", "(2,)"),
                  *extra ? oneTwo + extra : oneTwo.substr(3)));
    EXPECT_FALSE(readNpy(name, array, error));
    EXPECT_NE(error.find(*extra ? "longer" : "shorter"), std::string::npos);
    close(ends[0]);
  }
}

TEST_F(NpyTest, AFailureLeavesTheArrayAlone) {
  ASSERT_TRUE(read(makeFile(dict("'<f4'", "(2,)"), oneTwo)));
  EXPECT_FALSE(read("nonsense"));
  EXPECT_EQ(getElements<float>(array), (std::vector<float>{1, 2}));
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

TEST_F(NpyTest, WritesWhatItReads) {
  std::vector<double> elements(24);
  for (size_t i = 0; i < 24; ++i)
    elements[i] = std::sin(i);
  for (const Shape &shape :
       {Shape{24}, Shape{2, 3, 4}, Shape{1, 24, 1}, Shape{24, 1}}) {
    Array written = makeArray<double>(shape, elements);
    ASSERT_TRUE(writeNpy(directory / "b.npy", written, error)) << error;
    ASSERT_TRUE(readNpy(directory / "b.npy", array, error)) << error;
    EXPECT_EQ(array.shape, shape);
    EXPECT_EQ(getElements<double>(array), elements);
  }
  ASSERT_TRUE(writeNpy(directory / "b.npy", makeArray<float>({}, {3}), error));
  ASSERT_TRUE(readNpy(directory / "b.npy", array, error)) << error;
  EXPECT_EQ(array.shape, Shape{});
  ASSERT_TRUE(writeNpy(directory / "b.npy", makeArray<float>({0}, {}), error));
  ASSERT_TRUE(readNpy(directory / "b.npy", array, error)) << error;
  EXPECT_EQ(array.shape, Shape{0});
  EXPECT_EQ(directory.list(), std::vector<std::string>{"b.npy"});
}

TEST_F(NpyTest, WritesExactlyThis) {
  ASSERT_TRUE(
      writeNpy(directory / "b.npy", makeArray<float>({2}, {1, 2}), error));
  std::string header =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";
  header += std::string(117 - header.size(), ' ') + "\n";
  EXPECT_EQ(readFile(directory / "b.npy"), makeFile(header, oneTwo));
}

TEST_F(NpyTest, WritingReplacesWithinLinksAndKeepsModes) {
  writeFile(directory / "real.npy", "old");
  ASSERT_EQ(chmod((directory / "real.npy").c_str(), 0640), 0);
  ASSERT_EQ(symlink("real.npy", (directory / "link.npy").c_str()), 0);
  ASSERT_TRUE(
      writeNpy(directory / "link.npy", makeArray<float>({1}, {5}), error));
  EXPECT_TRUE(std::filesystem::is_symlink(directory / "link.npy"));
  ASSERT_TRUE(readNpy(directory / "real.npy", array, error)) << error;
  struct stat status;
  ASSERT_EQ(stat((directory / "real.npy").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

TEST_F(NpyTest, WritingFailsWithoutATrace) {
  Array one = makeArray<float>({1}, {5});
  EXPECT_FALSE(writeNpy(directory / "none/b.npy", one, error));
  EXPECT_EQ(error, "cannot write `" + (directory / "none/b.npy") +
                       "`: No such file or directory");
  EXPECT_FALSE(writeNpy(directory.path, one, error));
  EXPECT_EQ(error, "cannot write `" + directory.path + "`: it is a directory");
  EXPECT_FALSE(writeNpy("", one, error));
  EXPECT_FALSE(writeNpy("/dev/full", one, error));
  EXPECT_EQ(error, "cannot write `/dev/full`: No space left on device");
  EXPECT_TRUE(writeNpy("/dev/null", one, error)) << error;
  struct stat status;
  ASSERT_EQ(stat("/dev/null", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));
  EXPECT_EQ(directory.list(), std::vector<std::string>{});
}

TEST_F(NpyTest, StagedFilesAppearAtTheCommit) {
  Array one = makeArray<float>({1}, {5});
  {
    NpyWriter writer;
    ASSERT_TRUE(writer.stage(directory / "b.npy", {{"", &one}}, error));
    EXPECT_FALSE(std::filesystem::exists(directory / "b.npy"));
  }
  EXPECT_EQ(directory.list(), std::vector<std::string>{});
  NpyWriter writer;
  ASSERT_TRUE(writer.stage(directory / "b.npy", {{"", &one}}, error));
  ASSERT_TRUE(writer.commit(error));
  EXPECT_EQ(directory.list(), std::vector<std::string>{"b.npy"});
}

} // namespace
