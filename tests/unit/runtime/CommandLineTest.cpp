//===- CommandLineTest.cpp - What an executable is asked to do ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/CommandLine.h"
#include "TestSupport.h"
#include "runtime/Npy.h"

using namespace ein::runtime;
using namespace ein::runtime::test;

namespace {

int32_t mm(void **arguments, const int64_t *sizes) {
  auto *a = static_cast<float *>(arguments[0]);
  auto *b = static_cast<float *>(arguments[1]);
  auto *c = static_cast<float *>(arguments[2]);
  int64_t m = sizes[0], k = sizes[1], n = sizes[2];
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      c[i * n + j] = 0;
      for (int64_t l = 0; l < k; ++l)
        c[i * n + j] += a[i * k + l] * b[l * n + j];
    }
  return 0;
}

/// Y += alpha * X and s = alpha.
int32_t axpy(void **arguments, const int64_t *sizes) {
  double alpha = *static_cast<double *>(arguments[0]);
  for (int64_t i = 0; i < sizes[0]; ++i)
    static_cast<double *>(arguments[2])[i] +=
        alpha * static_cast<double *>(arguments[1])[i];
  *static_cast<double *>(arguments[3]) = alpha;
  return 0;
}

int32_t broken(void **, const int64_t *) { return 2; }
int32_t mad(void **, const int64_t *) { return -5; }

const EntryRecord entries[] = {
    {"axpy<N>(alpha: f64, X: f64(N)) -> (inout Y: f64(N), s: f64)", axpy},
    {"broken<N>(X: f32(N)) -> (Y: f32(N))", broken},
    {"mad() -> (Y: f32)", mad},
    {"mm<M, K, N>(A: f32(M, K), B: f32(K, N)) -> (C: f32(M, N))", mm},
    {nullptr, nullptr}};

const char *const cpuNames[] = {"old", "new", "newest", nullptr};
const CpuTable oneCpu = {cpuNames + 3, nullptr};

class CommandLineTest : public testing::Test {
protected:
  CpuTable cpus = oneCpu;
  TemporaryDirectory directory;
  std::string out, err;

  void SetUp() override {
    save("A", makeArray<float>({2, 3}, {1, 2, 3, 4, 5, 6}));
    save("B", makeArray<float>({3, 1}, {1, 10, 100}));
    save("X", makeArray<double>({2}, {1, 2}));
    save("Y", makeArray<double>({2}, {10, 20}));
    save("s", makeArray<double>({}, {0.5}));
  }

  void save(const std::string &name, const Array &array) {
    std::string error;
    ASSERT_TRUE(writeNpy(file(name), array, error)) << error;
  }
  std::string file(const std::string &name) {
    return directory / (name + ".npy");
  }

  /// `@X` in an argument stands for the file of that name.
  int run(std::vector<std::string> arguments,
          const EntryRecord *records = entries) {
    for (std::string &argument : arguments)
      if (size_t at = argument.find('@'); at != std::string::npos)
        argument = argument.substr(0, at) + file(argument.substr(at + 1));
    std::vector<const char *> argv = {"/some/where/mm"};
    for (const std::string &argument : arguments)
      argv.push_back(argument.c_str());
    out.clear();
    err.clear();
    return runCommandLine(argv.size(), argv.data(), records, cpus,
                          "made by hand", out, err);
  }

  template <typename T> std::vector<T> load(const std::string &name) {
    Array array;
    std::string error;
    EXPECT_TRUE(readNpy(file(name), array, error)) << error;
    return getElements<T>(array);
  }

  void expectError(int status, const std::string &message) {
    EXPECT_EQ(err, "mm: error: " + message + "\n");
    EXPECT_EQ(out, "");
    EXPECT_EQ(lastStatus, status);
  }
  int lastStatus = 0;
  void fails(int status, std::vector<std::string> arguments,
             const std::string &message) {
    lastStatus = run(std::move(arguments));
    expectError(status, message);
  }
};

TEST_F(CommandLineTest, NamedAndPositional) {
  std::vector<float> expected = {321, 654};
  for (std::vector<std::string> arguments :
       {std::vector<std::string>{"A=@A", "B=@B", "-o", "C=@C"},
        {"@A", "@B", "-o", "@C"},
        {"B=@B", "@A", "-o@C"},
        {"-o", "@C", "@A", "B=@B"},
        {"-o", "@C", "--", "@A", "@B"}}) {
    ASSERT_EQ(run(arguments), 0) << err;
    EXPECT_EQ(out + err, "");
    EXPECT_EQ(load<float>("C"), expected);
    std::filesystem::remove(file("C"));
  }
}

TEST_F(CommandLineTest, AnEqualSignMayBePartOfAName) {
  save("k=1", makeArray<float>({3, 1}, {0, 0, 1}));
  ASSERT_EQ(run({"@A", "@k=1", "-o", "@x=C"}), 0) << err;
  EXPECT_EQ(load<float>("x=C"), (std::vector<float>{3, 6}));
}

TEST_F(CommandLineTest, ScalarsInoutsAndSeveralResults) {
  ASSERT_EQ(run({"--entry", "axpy", "alpha=2.5", "@X", "@Y", "-o", "s=@S", "-o",
                 "@Z"}),
            0)
      << err;
  EXPECT_EQ(load<double>("Z"), (std::vector<double>{12.5, 25}));
  EXPECT_EQ(load<double>("S"), std::vector<double>{2.5});
  // A scalar may be negative, or a file of rank 0.
  ASSERT_EQ(run({"--entry=axpy", "-1.5", "@X", "@Y", "-o", "@Z"}), 0) << err;
  EXPECT_EQ(load<double>("Z"), (std::vector<double>{8.5, 17}));
  ASSERT_EQ(run({"--entry=axpy", "@s", "@X", "Y=@Y"}), 0) << err;
  EXPECT_EQ(out, "Y = [10.5   21]\ns = 0.5\n");
  // The input is not written to.
  EXPECT_EQ(load<double>("Y"), (std::vector<double>{10, 20}));
}

TEST_F(CommandLineTest, ResultsArePrintedWithoutO) {
  ASSERT_EQ(run({"@A", "@B"}), 0) << err;
  EXPECT_EQ(out, "C =\n[[321]\n [654]]\n");
}

TEST_F(CommandLineTest, RandomDataAndBindings) {
  ASSERT_EQ(
      run({"--random", "7", "--bind", "M=4,K=5", "--bind=N=6", "-o", "@C"}), 0)
      << err;
  std::vector<float> first = load<float>("C");
  EXPECT_EQ(first.size(), 24u);
  ASSERT_EQ(run({"--random=7", "--bind=M=4,K=5,N=6", "-o", "@C"}), 0);
  EXPECT_EQ(load<float>("C"), first);
  ASSERT_EQ(run({"--random=8", "--bind=M=4,K=5,N=6", "-o", "@C"}), 0);
  EXPECT_NE(load<float>("C"), first);
  // Only what is not given is random.
  ASSERT_EQ(run({"--random=8", "@A", "--bind=N=1", "-o", "@C"}), 0) << err;
  EXPECT_EQ(load<float>("C").size(), 2u);
  // No elements at all.
  ASSERT_EQ(run({"--random=8", "--bind=M=0,K=5,N=6", "-o", "@C"}), 0) << err;
  EXPECT_EQ(load<float>("C").size(), 0u);
}

TEST_F(CommandLineTest, TimeAndBench) {
  ASSERT_EQ(run({"@A", "@B", "--time"}), 0);
  EXPECT_EQ(out.substr(0, 4), "mm: ");
  EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 1);
  ASSERT_EQ(run({"--entry=axpy", "2", "@X", "@Y", "--bench", "-o", "@Z"}), 0);
  EXPECT_NE(out.find("axpy: "), std::string::npos);
  EXPECT_NE(out.find("median of "), std::string::npos);
  // However often it was called.
  EXPECT_EQ(load<double>("Z"), (std::vector<double>{12, 24}));
}

TEST_F(CommandLineTest, DescribeAndHelp) {
  ASSERT_EQ(run({"--describe"}), 0);
  std::string lines;
  for (const EntryRecord *entry = entries; entry->signature; ++entry)
    lines += std::string(entry->signature) + "\n";
  EXPECT_EQ(out, lines);
  // The most capable of several CPUs that the machine runs, or what is named.
  cpus = {cpuNames, [] { return uint64_t(3); }};
  ASSERT_EQ(run({"--describe"}), 0);
  EXPECT_EQ(out, lines + "code for old, new, newest; here that for new runs\n");
  ASSERT_EQ(setenv(kCpuVariable, "old", 1), 0);
  ASSERT_EQ(run({"--describe"}), 0);
  EXPECT_EQ(out, lines + "code for old, new, newest; here that for old runs\n");
  ASSERT_EQ(setenv(kCpuVariable, "newest", 1), 0);
  EXPECT_EQ(run({"--describe"}), 2);
  EXPECT_EQ(err, "mm: error: EINC_CPU: this machine cannot run code for "
                 "`newest`\n");
  ASSERT_EQ(setenv(kCpuVariable, "other", 1), 0);
  EXPECT_EQ(run({"--describe"}), 2);
  EXPECT_EQ(err, "mm: error: EINC_CPU: there is no code for `other`; there is "
                 "for `old`, `new`, `newest`\n");
  ASSERT_EQ(unsetenv(kCpuVariable), 0);
  cpus = {cpuNames, [] { return uint64_t(0); }};
  EXPECT_EQ(run({}), 2);
  EXPECT_EQ(err, "mm: error: this machine can run none of the code, which is "
                 "for `old`, `new`, `newest`\n");
  cpus = oneCpu;
  ASSERT_EQ(run({"--version"}), 0);
  EXPECT_EQ(out, "mm, made by hand\n");
  ASSERT_EQ(run({"--help"}), 0);
  EXPECT_NE(out.find("usage: mm [options] [A=]FILE.npy [B=]FILE.npy"),
            std::string::npos);
  EXPECT_NE(out.find(entries[3].signature), std::string::npos);
  ASSERT_EQ(run({"-h", "--entry", "axpy"}), 0);
  EXPECT_NE(out.find("[alpha=]VALUE"), std::string::npos);
}

TEST_F(CommandLineTest, WrongCommandLines) {
  fails(2, {"--frob"}, "unknown option `--frob`; see `--help`");
  fails(2, {"-x"}, "unknown option `-x`; see `--help`");
  fails(2, {"-o"}, "option `-o` needs a value");
  fails(2, {"--entry"}, "option `--entry` needs a value");
  fails(2, {"--bench=3"}, "option `--bench` takes no value");
  fails(2, {"--random", "x"},
        "expected a seed from 0 to 2^64 - 1 after `--random`, not `x`");
  fails(2, {"--random=-1"},
        "expected a seed from 0 to 2^64 - 1 after `--random`, not `-1`");
  fails(2, {"--checkpoint-interval", "5"},
        "`--checkpoint-interval` is for programs for many ranks, which `einc "
        "build --distribute` makes");
  fails(2, {"--checkpoint", "here"},
        "`--checkpoint` is for programs for many ranks, which `einc build "
        "--distribute` makes");
  for (const char *seconds : {"x", "-1", "1s", "inf", "nan", ""})
    fails(2, {"--checkpoint-interval", seconds},
          "expected seconds after `--checkpoint-interval`, not `" +
              std::string(seconds) + "`");
  fails(2, {"--bind", "M"}, "`--bind`: expected NAME=INTEGER, not `M`");
  fails(2, {"--entry", "nn"},
        "there is no entry `nn`; there is `axpy`, `broken`, `mad`, `mm`");
  fails(2, {"@A"},
        "the input `B` is missing; the signature is `mm<M, K, N>(A: f32(M, K), "
        "B: f32(K, N)) -> (C: f32(M, N))`");
  fails(2, {"A=@A", "A=@A"}, "the input `A` is given twice");
  fails(2, {"a", "b", "c"},
        "`c` is one input too many for `mm<M, K, N>(A: f32(M, K), B: f32(K, "
        "N)) -> (C: f32(M, N))`");
  fails(2, {"@A", "@B", "-o", "C=x", "-o", "C=y"},
        "the result `C` is given twice");
  fails(2, {"@A", "@B", "--bind", "Q=1"},
        "`Q` is not a size of `mm`; its sizes are `M`, `K`, `N`");
  fails(2, {"--random", "1", "@A"},
        "no argument gives the size `N`; say `--bind N=…`");
  fails(2, {"--entry=axpy", "1", "@X", "@Y", "-o", "x", "-o", "s=x"},
        "two results are to be written to `x`");
  fails(2, {"--entry=axpy", "q", "@X", "@Y"},
        "`alpha` is f64, and `q` is neither such a number nor a file");
}

TEST_F(CommandLineTest, WrongInputs) {
  fails(1, {"@none", "@B"},
        "cannot read `" + file("none") + "`: No such file or directory");
  fails(1, {"@A", "@A"},
        "`B` has shape 2x3, and dimension 0 must be `K` = 3 (from `A`)");
  fails(1, {"@A", "@X"},
        "`B` is f64, and f32 is wanted; convert it (`B.astype('f4')`), or "
        "compile the program for f64");
  fails(1, {"--entry=broken", "--random=1", "--bind=N=3"},
        "`broken` failed: an index is out of range");
  fails(70, {"--entry=mad"}, "`mad` failed: unknown code -5");
  // Nothing is left behind, of either result.
  fails(1,
        {"--entry=axpy", "1", "@X", "@Y", "-o", "@out", "-o",
         "s=" + (directory / "none/s.npy")},
        "cannot write `" + (directory / "none/s.npy") +
            "`: No such file or directory");
  EXPECT_EQ(directory.list().size(), 5u);
}

TEST_F(CommandLineTest, DamagedPrograms) {
  const EntryRecord none[] = {{nullptr, nullptr}};
  EXPECT_EQ(run({}, none), 70);
  EXPECT_EQ(err, "mm: error: this program has no entry\n");
  const EntryRecord bad[] = {{"mm(", mm}, {nullptr, nullptr}};
  EXPECT_EQ(run({"--help"}, bad), 70);
  EXPECT_EQ(err,
            "mm: error: this program is damaged: `mm(` is not a signature\n");
}

} // namespace
