//===- LoopsProgram.cpp - A function of programs/loops.c ------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The file is included in one that calls the function through a pointer, so
// that the compiler sees the sizes of a static case as constants, but not what
// repeats the function. -ffast-math lets it take sums apart and call glibc's
// vector functions (libmvec).
//
//===----------------------------------------------------------------------===//

#include "bench/peers/LoopsProgram.h"
#include "bench/harness/Compile.h"
#include <fstream>
#include <sstream>

namespace ein::bench {
namespace {

class ProgramLoops : public TimedLoop {
public:
  using Run = void (*)(void *const *, int64_t);

  ProgramLoops(Run call, std::vector<void *> arrays, double seconds)
      : call(call), arrays(std::move(arrays)), seconds(seconds) {}
  double getCompileSeconds() const override { return seconds; }

private:
  bool runAll(int64_t repetitions) override {
    call(arrays.data(), repetitions);
    return true;
  }

  Run call;
  std::vector<void *> arrays;
  double seconds;
};

std::string getCaller(const Problem &problem, const std::string &source,
                      const std::string &function, size_t arrayCount) {
  std::ostringstream out;
  out << "#include \"" << source << "\"\n";
  std::string types, names, call, open, passed, values;
  for (size_t i = 0; i < arrayCount; ++i) {
    std::string name = "a" + std::to_string(i);
    types += (i ? ", void *" : "void *") + name;
    names += (i ? ", " : "") + name;
    call += (i ? ", p[" : "p[") + std::to_string(i) + "]";
  }
  for (const Program::Size &size : problem.program->sizes) {
    std::string value = std::to_string(size.value);
    if (problem.isStatic || size.isAttribute) {
      values += value + ", ";
      continue;
    }
    // No name of a size, which may be that of a type or of a macro.
    std::string name = "s" + std::to_string(values.size());
    values += name + ", ";
    open += ", int64_t " + name;
    passed += ", " + value;
  }
  // Through a pointer, as einc's entry is called: a compiler that saw what
  // repeats the function would make one piece of both.
  std::string signature = "(" + types + open + ")";
  out << "static void once" << signature << " {\n  " << function << "("
      << values << names << ");\n}\n"
      << "static void (*volatile pointer)" << signature << " = once;\n"
      << "void run(void *const *p, int64_t repetitions) {\n"
      << "  for (int64_t i = 0; i < repetitions; ++i)\n    pointer(" << call
      << passed << ");\n}\n";
  return out.str();
}

/// A function, or a line of a macro that makes functions of the name's parts.
bool has(const std::string &source, const std::string &function) {
  std::ifstream in(source);
  std::ostringstream text;
  text << in.rdbuf();
  std::string all = text.str();
  size_t end = function.rfind('_');
  std::string stem = function.substr(0, end == std::string::npos ? 0 : end);
  for (const std::string &start :
       {" " + function + "(", "\n" + function + "(", "(" + function + ",",
        " " + stem + "_##SUFFIX("})
    if (all.find(start) != std::string::npos)
      return true;
  return false;
}

} // namespace

std::string describeLoopsCompiler(const Setup &setup) {
  return getVersion("cc", setup.directory + "/version") +
         ", -O3 -march=" + setup.getCpu() + " -ffast-math";
}

std::unique_ptr<Contestant> createLoopsProgram(const Problem &problem,
                                               const std::string &function,
                                               std::vector<void *> arrays,
                                               const Setup &setup,
                                               std::string &why) {
  std::string source = setup.programs + "/loops.c";
  if (!has(source, function))
    source = setup.programs + "/typed_loops.c";
  if (!has(source, function)) {
    why = "no loops for it";
    return nullptr;
  }
  std::string base = setup.directory + "/" + function + "-" + problem.name;
  std::string log = base + ".log";
  std::string text = getCaller(problem, source, function, arrays.size());
  double seconds =
      writeFile(base + ".c", text)
          ? runCommand({"cc", "-std=gnu11", "-O3", "-march=" + setup.getCpu(),
                        "-ffast-math", "-w", "-fPIC", "-c", base + ".c", "-o",
                        base + ".o"},
                       log)
          : -1;
  if (seconds < 0 ||
      runCommand({"cc", "-shared", base + ".o", "-o", base + ".so", "-lm"},
                 log) < 0) {
    why = "does not compile: see " + log;
    return nullptr;
  }
  auto call =
      reinterpret_cast<ProgramLoops::Run>(loadFunction(base + ".so", "run"));
  if (!call)
    return nullptr;
  return std::make_unique<ProgramLoops>(call, std::move(arrays), seconds);
}

} // namespace ein::bench
