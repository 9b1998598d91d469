//===- Einc.cpp - einc itself ---------------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The case becomes an .ein file, einc makes an object of it, and a C file that
// knows nothing but einc's header calls it through a pointer: as anyone who
// links to the object would, who has no chance to inline it. Strided cases use
// the entry that takes views.
//
//===----------------------------------------------------------------------===//

#include "bench/harness/Compile.h"
#include "bench/harness/Peer.h"
#include <fstream>
#include <sstream>

namespace ein::bench {
namespace {

/// `C = einsum(…)` in a def, with a size S_x for the index x.
std::string getProgram(const Problem &problem) {
  auto getType = [&](const View &view) {
    std::string text = std::string(getName(problem.element)) + "(";
    for (size_t i = 0; i < view.labels.size(); ++i)
      text += (i ? ", S_" : "S_") + std::string(1, view.labels[i]);
    return view.labels.empty() ? std::string(getName(problem.element))
                               : text + ")";
  };
  std::string parameters, names;
  for (size_t i = 0; i < problem.inputs.size(); ++i) {
    std::string name(1, 'A' + i);
    parameters += (i ? ", " : "") + name + ": " + getType(problem.inputs[i]);
    names += ", " + name;
  }
  return "def kernel(" + parameters + ") -> (Z: " + getType(problem.output) +
         ") {\n  Z = einsum(\"" + problem.einsum + "\"" + names + ")\n}\n";
}

/// The sizes that einc may know, or those that it may not: all of a static case
/// and all attributes are known.
std::string getSizes(const Problem &problem, bool areKnown) {
  std::string text;
  auto add = [&](const std::string &name, int64_t value, bool isKnown) {
    if (isKnown == areKnown)
      text += (text.empty() ? "" : ",") + name + "=" + std::to_string(value);
  };
  if (problem.program) {
    for (const Program::Size &size : problem.program->sizes)
      add(size.name, size.value, problem.isStatic || size.isAttribute);
    return text;
  }
  for (const auto &[label, extent] : problem.extents)
    add(std::string("S_") + label, extent, problem.isStatic);
  return text;
}

/// A loop that calls the kernel through a pointer.
std::string getCaller(const Problem &problem) {
  std::ostringstream out;
  out << "#include \"kernel.h\"\n";
  const char *name = problem.isStrided ? "kernel_view" : "kernel";
  // Volatile: the compiler may not see that it is always the same function.
  out << "static __typeof__(&" << name << ") volatile pointer = " << name
      << ";\n"
      << "int call(void *const *p, int64_t repetitions) {\n"
      << "  int code = 0;\n";
  std::vector<View> views = problem.inputs;
  views.push_back(problem.output);
  std::string arguments;
  for (size_t i = 0; i < views.size(); ++i) {
    const View &view = views[i];
    arguments += i ? ", " : "";
    if (!problem.isStrided) {
      arguments += "p[" + std::to_string(i) + "]";
      continue;
    }
    out << "  const ein_" << getName(problem.element) << "_"
        << view.labels.size() << "d v" << i << " = {p[" << i << "]";
    if (!view.labels.empty()) {
      out << ", {";
      for (char label : view.labels)
        out << problem.extents.at(label) << ", ";
      out << "}, {";
      for (int64_t stride : view.strides)
        out << stride << ", ";
      out << "}";
    }
    out << "};\n";
    arguments += "&v" + std::to_string(i);
  }
  if (!problem.isStatic && problem.program) {
    for (const Program::Size &size : problem.program->sizes)
      if (!size.isAttribute)
        arguments += ", " + std::to_string(size.value);
  } else if (!problem.isStatic && !problem.isStrided) {
    for (char label : problem.getLabels())
      arguments += ", " + std::to_string(problem.extents.at(label));
  }
  out << "  for (int64_t i = 0; i < repetitions; ++i)\n"
      << "    code |= pointer(" << arguments << ");\n"
      << "  return code;\n}\n";
  return out.str();
}

class EincContestant : public TimedLoop {
public:
  using Call = int (*)(void *const *, int64_t);

  EincContestant(Call call, const Data &data, double seconds)
      : call(call), arrays(data.getArrays()), seconds(seconds) {}
  double getCompileSeconds() const override { return seconds; }

private:
  bool runAll(int64_t repetitions) override {
    return call(arrays.data(), repetitions) == 0;
  }

  Call call;
  std::vector<void *> arrays;
  double seconds;
};

class Einc : public Peer {
public:
  /// Without tuning if `tuningSeconds` is 0.
  Einc(const Setup &setup, int threads, int tuningSeconds = 0)
      : setup(setup), threads(threads), tuningSeconds(tuningSeconds) {}

  std::string getName() const override {
    if (tuningSeconds)
      return tunedName;
    return threads < setup.threads ? "einc, 1 thread" : "einc";
  }

  std::string describe() const override {
    return getVersion(setup.einc, setup.directory + "/version") + ", " +
           setup.einc + ", --cpu " + setup.getCpu();
  }

  std::unique_ptr<Contestant> prepare(const Problem &problem, const Data &data,
                                      std::string &why) override {
    std::string name = setup.directory + "/einc-" + problem.name + "-" +
                       (tuningSeconds ? "tuned" : std::to_string(threads));
    runCommand({"mkdir", "-p", name}, setup.directory + "/log");
    std::string base = name + "/kernel", log = name + "/log";
    // A program is compiled where it is, as it may import another.
    std::string source =
        problem.program ? problem.program->path : base + ".ein";
    std::vector<std::string> options{"--cpu", setup.getCpu()};
    if (std::string sizes = getSizes(problem, true); !sizes.empty())
      options.insert(options.end(), {"--bind", sizes});
    if (threads > 1)
      options.push_back("--parallel");
    auto build = [&](const char *kind, const std::string &output) {
      std::vector<std::string> command{setup.einc, "build", source, "--emit",
                                       kind,       "-o",    output};
      command.insert(command.end(), options.begin(), options.end());
      return runCommand(command, log);
    };
    if ((!problem.program && !writeFile(source, getProgram(problem))) ||
        !writeFile(name + "/call.c", getCaller(problem)) ||
        build("header", base + ".h") < 0) {
      why = "no header: see " + log;
      return nullptr;
    }
    if (tuningSeconds) {
      std::vector<std::string> command{setup.einc,
                                       "tune",
                                       source,
                                       "--seconds",
                                       std::to_string(tuningSeconds),
                                       "-o",
                                       base + ".tuned"};
      command.insert(command.end(), options.begin(), options.end());
      if (std::string sizes = getSizes(problem, false); !sizes.empty())
        command.insert(command.end(), {"--sizes", sizes});
      if (runCommand(command, log) < 0) {
        why = "cannot be tuned: see " + log;
        return nullptr;
      }
      options.insert(options.end(), {"--tuned", base + ".tuned"});
    }
    double seconds = build("obj", base + ".o");
    std::vector<std::string> link{
        "cc",        "-shared", "-fPIC",      "-O2", "-w", name + "/call.c",
        base + ".o", "-o",      base + ".so", "-lm"};
    if (threads > 1)
      link.insert(link.end(), {EIN_OMP_LIBRARY});
    if (seconds < 0 || runCommand(link, log) < 0) {
      why = "does not compile: see " + log;
      return nullptr;
    }
    auto call = reinterpret_cast<EincContestant::Call>(
        loadFunction(base + ".so", "call"));
    if (!call)
      return nullptr;
    return std::make_unique<EincContestant>(call, data, seconds);
  }

private:
  Setup setup;
  int threads, tuningSeconds;
};

} // namespace
} // namespace ein::bench

extern "C" ein::bench::Peer *createPeer(const ein::bench::Setup &setup) {
  return new ein::bench::Einc(setup, setup.threads);
}

/// The same without `--parallel`, to see what the second thread is worth.
extern "C" ein::bench::Peer *createSerialPeer(const ein::bench::Setup &setup) {
  return new ein::bench::Einc(setup, 1);
}

/// The same with what `einc tune` measures of each case before it is timed.
extern "C" ein::bench::Peer *createTunedPeer(const ein::bench::Setup &setup) {
  return new ein::bench::Einc(setup, setup.threads, setup.tuningSeconds);
}
