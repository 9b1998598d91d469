//===- EigenTensor.cpp - Eigen's Tensor module ----------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ranks are template arguments there, so the program is generated: contract and
// shuffle per step of the best order, and a loop over batches, which it does
// not know. Sizes are arguments, so cases of one structure share the program;
// it is kept, by its text, as a C++ compiler takes seconds for it.
//
//===----------------------------------------------------------------------===//

#include "bench/cases/Path.h"
#include "bench/harness/Clock.h"
#include "bench/harness/Compile.h"
#include "bench/harness/Peer.h"
#include <algorithm>
#include <functional>
#include <sstream>
#include <unistd.h>

namespace ein::bench {
namespace {

struct Operand {
  std::string labels, name; // name: an expression of a tensor
  bool isContiguous;        // and if so, has data()
};

class Generator {
public:
  Generator(const Problem &problem, int threads)
      : problem(problem), threads(threads) {}

  /// `n` has the extents in the order of the labels, `w` those of the rows.
  std::string generate() {
    out << "#define EIGEN_USE_THREADS\n"
        << "#include <unsupported/Eigen/CXX11/Tensor>\n"
        << "#include <complex>\n#include <cstdint>\nusing Eigen::Index;\n"
        << "typedef " << getType() << " T;\n"
        << "template <int R> using A = Eigen::Tensor<T, R, Eigen::RowMajor, "
           "Index>;\n"
        << "template <int R> using M = Eigen::TensorMap<A<R>>;\n"
        << "template <int R> using D = Eigen::DSizes<Index, R>;\n"
        << "using P = Eigen::IndexPair<int>;\n"
        << "extern \"C\" void run(void *const *p, const int64_t *n, const "
           "int64_t *w, int64_t repetitions) {\n";
    if (threads > 1)
      out << "static Eigen::ThreadPool pool(" << threads
          << "); static Eigen::ThreadPoolDevice device(&pool, " << threads
          << ");\n";
    else
      out << "Eigen::DefaultDevice device;\n";
    out << "for (int64_t r = 0; r < repetitions; ++r) {\n";
    std::vector<Operand> operands;
    for (size_t i = 0; i < problem.inputs.size(); ++i)
      operands.push_back(map(problem.inputs[i].labels, i));
    output = map(problem.output.labels, problem.inputs.size());
    Path path = getPaths(problem).front();
    if (path.steps.empty())
      assign(output.name, output.isContiguous,
             shuffle(operands[0].name, operands[0].labels, output.labels));
    for (const PathStep &step : path.steps) {
      Operand lhs = operands[step.lhs], rhs = operands[step.rhs];
      operands.erase(operands.begin() + step.rhs);
      operands.erase(operands.begin() + step.lhs);
      operands.push_back(contract(lhs, rhs, step.result, operands.empty()));
    }
    out << "}\n}\n";
    return out.str();
  }

private:
  const char *getType() const {
    return problem.element == Element::F32   ? "float"
           : problem.element == Element::F64 ? "double"
           : problem.element == Element::C64 ? "std::complex<float>"
                                             : "std::complex<double>";
  }

  std::string getExtent(char label) const {
    return "n[" + std::to_string(problem.getLabels().find(label)) + "]";
  }

  /// D<2>(n[0], n[1])
  std::string getSizes(const std::string &labels,
                       const std::string &last = "") const {
    std::string text = "D<" + std::to_string(labels.size()) + ">(";
    for (size_t i = 0; i < labels.size(); ++i)
      text += (i ? ", " : "") + (i + 1 == labels.size() && !last.empty()
                                     ? last
                                     : getExtent(labels[i]));
    return text + ")";
  }

  Operand map(const std::string &labels, size_t number) {
    std::string name = "x" + std::to_string(number);
    std::string rank = std::to_string(labels.size());
    bool isStrided = problem.isStrided && labels.size() > 1;
    out << "M<" << rank << "> " << name << "((T *)p[" << number << "], "
        << getSizes(labels,
                    isStrided ? "w[" + std::to_string(number) + "]" : "")
        << ");\n";
    if (isStrided)
      name += ".slice(D<" + rank + ">(), " + getSizes(labels) + ")";
    return {labels, name, !isStrided};
  }

  std::string shuffle(const std::string &expression, const std::string &from,
                      const std::string &to) const {
    if (from == to)
      return expression;
    std::string text =
        "(" + expression + ").shuffle(D<" + std::to_string(to.size()) + ">(";
    for (size_t i = 0; i < to.size(); ++i)
      text += (i ? ", " : "") + std::to_string(from.find(to[i]));
    return text + "))";
  }

  /// A new array of `labels`.
  Operand create(const std::string &labels) {
    std::string name = "t" + std::to_string(count++);
    std::string sizes = labels.empty() ? "" : "(" + getSizes(labels) + ")";
    out << "A<" << labels.size() << "> " << name << sizes << ";\n";
    return {labels, name, true};
  }

  void assign(const std::string &target, bool isLocal,
              const std::string &expression) {
    if (isLocal)
      out << target << ".device(device) = " << expression << ";\n";
    else
      out << "{ auto target = " << target
          << "; target.device(device) = " << expression << "; }\n";
  }

  /// The operand with the batch first, in memory.
  Operand bringFirst(const Operand &operand, const std::string &batch) {
    std::string labels = batch;
    for (char label : operand.labels)
      if (batch.find(label) == std::string::npos)
        labels += label;
    if (operand.isContiguous && labels == operand.labels)
      return operand;
    Operand result = create(labels);
    assign(result.name, true, shuffle(operand.name, operand.labels, labels));
    return result;
  }

  static std::string getProduct(const std::string &lhs, const std::string &rhs,
                                const std::string &lhsName,
                                const std::string &rhsName,
                                std::string &labels) {
    std::string pairs, free;
    int number = 0;
    for (size_t i = 0; i < lhs.size(); ++i) {
      size_t j = rhs.find(lhs[i]);
      if (j == std::string::npos) {
        free += lhs[i];
        continue;
      }
      pairs += (number++ ? ", P(" : "P(") + std::to_string(i) + ", " +
               std::to_string(j) + ")";
    }
    for (char label : rhs)
      if (lhs.find(label) == std::string::npos)
        free += label;
    labels = free;
    return lhsName + ".contract(" + rhsName + ", Eigen::array<P, " +
           std::to_string(number) + ">{" + (number ? "{" + pairs + "}" : "") +
           "})";
  }

  Operand contract(Operand lhs, Operand rhs, const std::string &labels,
                   bool isLast) {
    std::string batch, product;
    for (char label : labels)
      if (lhs.labels.find(label) != std::string::npos &&
          rhs.labels.find(label) != std::string::npos)
        batch += label;
    Operand result = isLast ? output : create(labels);
    bool isLocal = !isLast || result.isContiguous;
    if (batch.empty()) {
      std::string expression =
          getProduct(lhs.labels, rhs.labels, lhs.name, rhs.name, product);
      assign(result.name, isLocal, shuffle(expression, product, labels));
      return result;
    }
    lhs = bringFirst(lhs, batch);
    rhs = bringFirst(rhs, batch);
    std::string lhsRest = lhs.labels.substr(batch.size());
    std::string rhsRest = rhs.labels.substr(batch.size());
    std::string expression = getProduct(lhsRest, rhsRest, "a", "b", product);
    bool isInPlace = result.isContiguous && batch + product == labels;
    Operand target = isInPlace ? result : create(batch + product);
    auto slice = [&](const char *name, const Operand &whole,
                     const std::string &rest) {
      std::string size = "Index(1)";
      for (char label : rest)
        size += " * " + getExtent(label);
      out << "M<" << rest.size() << "> " << name << "((T *)" << whole.name
          << ".data() + i * " << size;
      if (!rest.empty())
        out << ", " << getSizes(rest);
      out << ");\n";
    };
    out << "for (Index i = 0, e = Index(1)";
    for (char label : batch)
      out << " * " << getExtent(label);
    out << "; i < e; ++i) {\n";
    slice("a", lhs, lhsRest);
    slice("b", rhs, rhsRest);
    slice("c", target, product);
    out << "c.device(device) = " << expression << ";\n}\n";
    if (!isInPlace)
      assign(result.name, isLocal, shuffle(target.name, target.labels, labels));
    return result;
  }

  const Problem &problem;
  int threads;
  std::ostringstream out;
  Operand output;
  int count = 0;
};

class TensorContestant : public TimedLoop {
public:
  using Run = void (*)(void *const *, const int64_t *, const int64_t *,
                       int64_t);

  TensorContestant(Run call, const Problem &problem, const Data &data)
      : call(call) {
    for (const void *input : data.inputs)
      arrays.push_back(const_cast<void *>(input));
    arrays.push_back(data.output);
    for (char label : problem.getLabels())
      extents.push_back(problem.extents.at(label));
    auto addRow = [&](const View &view) {
      rows.push_back(
          view.labels.size() > 1 ? view.strides[view.labels.size() - 2] : 0);
    };
    for (const View &view : problem.inputs)
      addRow(view);
    addRow(problem.output);
  }

private:
  bool runAll(int64_t repetitions) override {
    call(arrays.data(), extents.data(), rows.data(), repetitions);
    return true;
  }

  Run call;
  std::vector<void *> arrays;
  std::vector<int64_t> extents, rows;
};

class EigenTensor : public Peer {
public:
  explicit EigenTensor(const Setup &setup) : setup(setup) {}
  std::string getName() const override { return "Eigen Tensor"; }
  std::string describe() const override {
    return getVersion("c++", setup.directory + "/version") +
           ", -O3 -march=" + setup.getCpu();
  }

  std::unique_ptr<Contestant> prepare(const Problem &problem, const Data &data,
                                      std::string &why) override {
    // A compiler takes minutes for the types of a network.
    constexpr size_t mostOperands = 6;
    if (problem.program || problem.inputs.size() > mostOperands) {
      why = problem.program ? "no program for it" : "would take minutes";
      return nullptr;
    }
    std::string text = Generator(problem, setup.threads).generate();
    const char *level = setup.isCheck ? "-O0" : "-O3";
    std::string base = setup.directory + "/tensor-" +
                       std::to_string(std::hash<std::string>()(text)) + level +
                       "-" + setup.getCpu();
    std::string library = base + ".so";
    if (access(library.c_str(), R_OK) != 0) {
      // Under another name until it is complete.
      if (!writeFile(base + ".cpp", text) ||
          runCommand({"c++", "-std=c++17", level, "-march=" + setup.getCpu(),
                      "-DNDEBUG", "-w", "-fPIC", "-shared", "-pthread",
                      "-I" EIN_EIGEN_INCLUDE, base + ".cpp", "-o",
                      base + ".tmp"},
                     base + ".log") < 0 ||
          std::rename((base + ".tmp").c_str(), library.c_str()) != 0) {
        why = "does not compile: see " + base + ".log";
        return nullptr;
      }
    }
    auto call =
        reinterpret_cast<TensorContestant::Run>(loadFunction(library, "run"));
    if (!call)
      return nullptr;
    return std::make_unique<TensorContestant>(call, problem, data);
  }

private:
  Setup setup;
};

} // namespace
} // namespace ein::bench

extern "C" ein::bench::Peer *createPeer(const ein::bench::Setup &setup) {
  return new ein::bench::EigenTensor(setup);
}
