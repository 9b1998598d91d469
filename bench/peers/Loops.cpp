//===- Loops.cpp - Loops that a compiler vectorises -----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: what does a compiler make of the loops that one would write?
//
// Choice: C, generated per case and compiled while the benchmark runs by the
// system's compiler with -O3 -march -ffast-math. The naive nest has the
// output's indices outside in their order, the sums inside, all arrays at once.
// The good one contracts two arrays at a time, in the best order, and has
// within each step the index inside along which memory is contiguous; it
// permutes in blocks. Programs are written by hand, in programs/loops.c.
//
// Consequence: static cases have their sizes as constants, and their strides
// unless the arrays are views. A case is one function that is called through a
// pointer. The compile time of the naive nest is what einc's is compared with.
//
//===----------------------------------------------------------------------===//

#include "bench/cases/Path.h"
#include "bench/harness/Clock.h"
#include "bench/harness/Compile.h"
#include "bench/peers/LoopsProgram.h"
#include <algorithm>
#include <sstream>

namespace ein::bench {
namespace {

/// More operations than this in the naive nest would take seconds.
constexpr double mostNaiveFlops = 2e9;

struct Operand {
  View view;
  std::string name;
};

class Generator {
public:
  explicit Generator(const Problem &problem) : problem(problem) {}

  std::string generate(bool isGood) {
    std::vector<View> views = problem.inputs;
    views.push_back(problem.output);
    out << "#include <complex.h>\n#include <stdint.h>\n#include <string.h>\n"
        << "typedef " << getType() << " T;\n"
        << "static void kernel(";
    std::string types, names, call;
    std::vector<Operand> operands;
    for (size_t i = 0; i < views.size(); ++i) {
      bool isOutput = i + 1 == views.size();
      std::string name = isOutput ? "Z" : "in" + std::to_string(i);
      types += (isOutput ? "T *restrict " : "const T *restrict ") + name + ", ";
      names += name + ", ";
      call += "p[" + std::to_string(i) + "], ";
      if (!isOutput)
        operands.push_back({views[i], name});
    }
    // Sizes and pitches are arguments, which are constants in a static case:
    // the call is inlined.
    for (char label : problem.getLabels()) {
      addParameter(std::string("n") + label, problem.extents.at(label));
    }
    for (size_t i = 0; i < views.size(); ++i)
      for (size_t d = 0; d < views[i].labels.size(); ++d)
        addParameter(
            getStrideName(i + 1 == views.size() ? "Z" : operands[i].name,
                          views[i].labels[d]),
            views[i].strides[d]);
    out << types << "T *restrict scratch";
    for (const std::string &parameter : parameters)
      out << ", int64_t " << parameter;
    out << ") {\n";
    if (isGood)
      addSteps(operands);
    else
      addNest(operands, {problem.output, "Z"}, problem.getLabels(), false);
    out << "}\n";
    addCaller(types, names, call);
    return out.str();
  }

  double getTemporaryElements() const { return temporaries; }

private:
  const char *getType() const {
    return problem.element == Element::F32   ? "float"
           : problem.element == Element::F64 ? "double"
           : problem.element == Element::C64 ? "float _Complex"
                                             : "double _Complex";
  }

  static std::string getStrideName(const std::string &array, char label) {
    return array + "_" + label;
  }

  void addParameter(const std::string &name, int64_t value) {
    parameters.push_back(name);
    constants.push_back(value);
  }

  /// What is called through a pointer, as einc's entry is, and what calls it:
  /// a compiler that saw what repeats it would make one piece of both. Sizes
  /// that are not known, and strides of views, are arguments of it.
  void addCaller(const std::string &types, const std::string &names,
                 const std::string &call) {
    std::string open, passed, values;
    for (size_t i = 0; i < constants.size(); ++i) {
      std::string value = std::to_string(constants[i]);
      // Unit strides are known to who writes a loop.
      bool isExtent = i < problem.getLabels().size();
      bool isKnown = constants[i] == 1 ||
                     (problem.isStatic && (isExtent || !problem.isStrided));
      values += ", " + (isKnown ? value : parameters[i]);
      if (isKnown)
        continue;
      open += ", int64_t " + parameters[i];
      passed += ", " + value;
    }
    std::string signature = "(" + types + "T *restrict t" + open + ")";
    out << "static void once" << signature << " {\n  kernel(" << names << "t"
        << values << ");\n}\n"
        << "static void (*volatile pointer)" << signature << " = once;\n"
        << "void run(void *const *p, void *t, int64_t repetitions) {\n"
        << "  for (int64_t i = 0; i < repetitions; ++i)\n"
        << "    pointer(" << call << "t" << passed << ");\n}\n";
  }

  std::string getAccess(const Operand &operand) const {
    std::string text;
    for (char label : operand.view.labels)
      text += (text.empty() ? "" : " + ") + std::string(1, label) + " * " +
              getStrideName(operand.name, label);
    return operand.name + "[" + (text.empty() ? "0" : text) + "]";
  }

  void openLoop(char label) {
    out << "  for (int64_t " << label << " = 0; " << label << " < n" << label
        << "; ++" << label << ")\n";
  }

  /// One nest over `order`. Sums inside are accumulated in a variable; where
  /// one is outside, the result is cleared before.
  void addNest(const std::vector<Operand> &operands, const Operand &result,
               const std::string &order, bool isGood) {
    std::string outer, sums;
    for (char label : order)
      (result.view.has(label) ? outer : sums) += label;
    std::string product;
    for (const Operand &operand : operands)
      product += (product.empty() ? "" : " * ") + getAccess(operand);
    std::string target = getAccess(result);
    bool sumsInside =
        !isGood || sums.empty() ||
        (order.size() >= sums.size() &&
         order.compare(order.size() - sums.size(), sums.size(), sums) == 0);
    if (sumsInside) {
      for (char label : isGood ? outer : result.view.labels)
        openLoop(label);
      out << "  { T sum = 0;\n";
      for (char label : sums)
        openLoop(label);
      out << "  sum += " << product << ";\n  " << target << " = sum; }\n";
      return;
    }
    for (char label : outer)
      openLoop(label);
    out << "  " << target << " = 0;\n";
    for (char label : order)
      openLoop(label);
    out << "  " << target << " += " << product << ";\n";
  }

  /// The index with the best strides inside, the others by how far apart they
  /// are; sums outside of what is contiguous in the result.
  std::string getGoodOrder(const std::vector<Operand> &operands,
                           const Operand &result) const {
    std::string labels = result.view.labels;
    for (const Operand &operand : operands)
      for (char label : operand.view.labels)
        if (labels.find(label) == std::string::npos)
          labels += label;
    auto getCost = [&](char label) {
      // Bad strides, and among equals those that are far.
      double cost = 0;
      std::vector<Operand> all = operands;
      all.push_back(result);
      for (const Operand &operand : all) {
        int64_t stride = operand.view.getStride(label);
        cost += stride > 1 ? 1e12 + stride : stride == 1 ? -1 : 0;
      }
      // A short loop is no good inside.
      if (problem.extents.at(label) < 4)
        cost += 1e13;
      return cost;
    };
    std::stable_sort(labels.begin(), labels.end(),
                     [&](char a, char b) { return getCost(a) > getCost(b); });
    return labels;
  }

  /// In blocks of the two dims along which the arrays are contiguous.
  void addPermutation(const Operand &source, const Operand &target) {
    const std::string &labels = target.view.labels;
    char read = source.view.labels.back(), written = labels.back();
    for (char label : labels)
      if (label != read && label != written)
        openLoop(label);
    std::string blocked =
        read == written ? std::string(1, read) : std::string{read, written};
    for (char label : blocked)
      out << "  for (int64_t " << label << "0 = 0; " << label << "0 < n"
          << label << "; " << label << "0 += 32)\n";
    for (char label : blocked)
      out << "  for (int64_t " << label << " = " << label << "0; " << label
          << " < n" << label << " && " << label << " < " << label
          << "0 + 32; ++" << label << ")\n";
    out << "  " << getAccess(target) << " = " << getAccess(source) << ";\n";
  }

  void addSteps(std::vector<Operand> operands) {
    Path path = getPaths(problem).front();
    if (path.steps.empty())
      return addPermutation(operands[0], {problem.output, "Z"});
    for (size_t i = 0; i < path.steps.size(); ++i) {
      const PathStep &step = path.steps[i];
      std::vector<Operand> both{operands[step.lhs], operands[step.rhs]};
      operands.erase(operands.begin() + step.rhs);
      operands.erase(operands.begin() + step.lhs);
      Operand result{problem.output, "Z"};
      if (!operands.empty()) {
        result = {getContiguous(step.result, problem.extents),
                  "t" + std::to_string(i)};
        out << "  T *restrict " << result.name << " = scratch + "
            << int64_t(temporaries) << ";\n";
        temporaries += getPoints(step.result, problem.extents);
        for (size_t d = 0; d < step.result.size(); ++d) {
          out << "  int64_t " << getStrideName(result.name, step.result[d])
              << " = 1";
          for (size_t inner = d + 1; inner < step.result.size(); ++inner)
            out << " * n" << step.result[inner];
          out << ";\n";
        }
      }
      addNest(both, result, getGoodOrder(both, result), true);
      operands.push_back(result);
    }
  }

  const Problem &problem;
  std::ostringstream out;
  std::vector<std::string> parameters;
  std::vector<int64_t> constants;
  double temporaries = 0;
};

class LoopsContestant : public TimedLoop {
public:
  using Run = void (*)(void *const *, void *, int64_t);

  LoopsContestant(Run call, const Data &data, size_t temporaryBytes,
                  double seconds)
      : call(call), arrays(data.getArrays()), seconds(seconds),
        temporaries(allocate(temporaryBytes)) {}
  double getCompileSeconds() const override { return seconds; }

private:
  bool runAll(int64_t repetitions) override {
    call(arrays.data(), temporaries.get(), repetitions);
    return true;
  }

  Run call;
  std::vector<void *> arrays;
  double seconds;
  Buffer temporaries;
};

class Loops : public Peer {
public:
  explicit Loops(const Setup &setup) : setup(setup) {}

  std::string getName() const override {
    return isGood ? "loops, good" : "loops, naive";
  }
  std::string describe() const override { return describeLoopsCompiler(setup); }

  std::unique_ptr<Contestant> prepare(const Problem &problem, const Data &data,
                                      std::string &why) override {
    if (problem.program && !isGood)
      why = "one nest cannot do it";
    if (problem.program)
      return isGood ? createLoopsProgram(problem, problem.program->name,
                                         data.getArrays(), setup, why)
                    : nullptr;
    // Of a network, more than an integer holds.
    double points = 1;
    for (const auto &[label, extent] : problem.extents)
      points *= extent;
    bool isTooLong = 2 * points * (problem.inputs.size() - 1) > mostNaiveFlops;
    if (!isGood && isTooLong) {
      why = "would take seconds";
      return nullptr;
    }
    Generator generator(problem);
    std::string base =
        setup.directory + (isGood ? "/good-" : "/naive-") + problem.name;
    std::string log = base + ".log";
    if (!writeFile(base + ".c", generator.generate(isGood))) {
      why = "cannot write " + base + ".c";
      return nullptr;
    }
    double seconds = runCommand({"cc", "-std=gnu11", "-O3",
                                 "-march=" + setup.getCpu(), "-ffast-math",
                                 "-fPIC", "-c", base + ".c", "-o", base + ".o"},
                                log);
    if (seconds < 0 ||
        runCommand({"cc", "-shared", base + ".o", "-o", base + ".so", "-lm"},
                   log) < 0) {
      why = "does not compile: see " + log;
      return nullptr;
    }
    auto call = reinterpret_cast<LoopsContestant::Run>(
        loadFunction(base + ".so", "run"));
    if (!call)
      return nullptr;
    return std::make_unique<LoopsContestant>(
        call, data,
        size_t(generator.getTemporaryElements() + 1) *
            getBytes(problem.element),
        seconds);
  }

private:
#ifdef EIN_BENCH_GOOD_LOOPS
  static constexpr bool isGood = true;
#else
  static constexpr bool isGood = false;
#endif
  Setup setup;
};

} // namespace
} // namespace ein::bench

extern "C" ein::bench::Peer *createPeer(const ein::bench::Setup &setup) {
  return new ein::bench::Loops(setup);
}
