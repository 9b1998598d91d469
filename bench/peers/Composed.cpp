//===- Composed.cpp - The best of the libraries, put together -------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: what einc fuses, no library has. A user would call one after the
// other, and a fair one would take for each product the library that is fastest
// at it.
//
// Choice: a peer whose matrix product is that of whichever library was faster
// on this shape, by trying. It does einsums along the best path, with the
// copies that these need, as the libraries do alone; and programs as the steps
// that programs/composed.txt lists, with loops of C between the products.
//
//===----------------------------------------------------------------------===//

#include "bench/peers/GemmPeer.h"
#include "bench/peers/LoopsProgram.h"
#include <fstream>
#include <limits>
#include <set>
#include <sstream>
#ifdef EIN_BENCH_DNNL
#include <oneapi/dnnl/dnnl.hpp>
#endif

namespace ein::bench {
namespace {

/// Takes the fastest library for each shape.
class BestLibrary : public GemmLibrary {
public:
  explicit BestLibrary(const Setup &setup) : libraries(setup.libraries) {}

  Gemm create(const GemmShape &shape) override {
    const int64_t key[] = {int64_t(shape.element),
                           shape.m,
                           shape.n,
                           shape.k,
                           shape.batch,
                           shape.a.row,
                           shape.a.column,
                           shape.a.batch,
                           shape.b.row,
                           shape.b.column,
                           shape.b.batch,
                           shape.c.row,
                           shape.c.column,
                           shape.c.batch,
                           shape.accumulates};
    auto [entry, isNew] =
        chosen.try_emplace({std::begin(key), std::end(key)}, libraries.size());
    if (isNew)
      entry->second = choose(shape);
    if (entry->second == libraries.size())
      return {};
    used.insert(libraries[entry->second].first);
    return libraries[entry->second].second->create(shape);
  }

  /// Those that were asked since the last call of this.
  std::string takeUsed() {
    std::string text;
    for (const std::string &name : used)
      text += (text.empty() ? "of " : ", ") + name;
    used.clear();
    return text;
  }

private:
  /// The number of the fastest, or one past the last if none has the product.
  size_t choose(const GemmShape &shape) const {
    auto create = [&](const Pitch &pitch, int64_t rows, int64_t columns) {
      int64_t count = 1 + (rows - 1) * pitch.row +
                      (columns - 1) * pitch.column +
                      (shape.batch - 1) * pitch.batch;
      size_t bytes = count * getBytes(shape.element);
      Buffer buffer = allocate(bytes);
      // Zeros, and not whatever bits: denormal numbers are slow.
      if (buffer)
        std::fill_n(static_cast<char *>(buffer.get()), bytes, 0);
      return buffer;
    };
    Buffer a = create(shape.a, shape.m, shape.k);
    Buffer b = create(shape.b, shape.k, shape.n);
    Buffer c = create(shape.c, shape.m, shape.n);
    size_t best = libraries.size();
    if (!a || !b || !c)
      return best;
    double fastest = std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < libraries.size(); ++i) {
      Gemm gemm = libraries[i].second->create(shape);
      if (!gemm)
        continue;
      // The first calls are a library's own choices.
      bool works = gemm(a.get(), b.get(), c.get(), 1);
      double begin = getSeconds(), seconds = fastest;
      for (int trial = 0; works && trial < 12; ++trial) {
        double start = getSeconds();
        works = gemm(a.get(), b.get(), c.get(), 1);
        seconds = std::min(seconds, getSeconds() - start);
        if (getSeconds() - begin > 0.1)
          break;
      }
      if (works && seconds < fastest) {
        fastest = seconds;
        best = i;
      }
    }
    return best;
  }

  std::vector<std::pair<std::string, GemmLibrary *>> libraries;
  std::map<std::vector<int64_t>, size_t> chosen;
  std::set<std::string> used;
};

/// One after the other.
class Steps : public Contestant {
public:
  double run(int64_t repetitions) override {
    double start = getSeconds();
    for (int64_t i = 0; i < repetitions; ++i)
      for (const std::unique_ptr<Contestant> &step : steps)
        if (step->run(1) < 0)
          return -1;
    return getSeconds() - start;
  }
  std::string describe() const override { return description; }

  std::vector<std::unique_ptr<Contestant>> steps;
  std::vector<Buffer> temporaries;
  std::string description;
};

struct Array {
  std::vector<int64_t> dims;
  void *data;
};

#ifdef EIN_BENCH_DNNL
/// oneDNN's softmax of f32 along the last dim, in place.
class DnnlSoftmax : public TimedLoop {
public:
  explicit DnnlSoftmax(const Array &array) {
    using Memory = dnnl::memory;
    int64_t rows = 1, columns = array.dims.back();
    for (int64_t dim : array.dims)
      rows *= dim;
    Memory::desc desc({rows / columns, columns}, Memory::data_type::f32,
                      Memory::format_tag::ab);
    memory = Memory(desc, engine, array.data);
    primitive = dnnl::softmax_forward(dnnl::softmax_forward::primitive_desc(
        {dnnl::prop_kind::forward_inference, desc, 1}, engine));
  }

private:
  bool runAll(int64_t repetitions) override {
    for (int64_t i = 0; i < repetitions; ++i)
      primitive.execute(stream,
                        {{DNNL_ARG_SRC, memory}, {DNNL_ARG_DST, memory}});
    stream.wait();
    return true;
  }

  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  dnnl::memory memory;
  dnnl::softmax_forward primitive;
};
#endif

class Composed : public GemmPeer {
public:
  explicit Composed(const Setup &setup) : setup(setup), library(setup) {}
  std::string getName() const override { return "composed"; }
  std::string describe() const override {
    std::string text = "the fastest product of";
    for (const auto &[name, library] : setup.libraries)
      text += (text.back() == 'f' ? " " : ", ") + name;
    return text + "; " + describeLoopsCompiler(setup);
  }
  GemmLibrary *getGemmLibrary() override { return nullptr; }

  std::unique_ptr<Contestant> prepare(const Problem &problem, const Data &data,
                                      std::string &why) override {
    if (!problem.program) {
      // Of two operands it would be one of the libraries once more.
      if (!problem.isComposed || problem.inputs.size() < 3) {
        why = "not in this class";
        return nullptr;
      }
      return GemmPeer::prepare(problem, data, why);
    }
    std::unique_ptr<Steps> best;
    double fastest = std::numeric_limits<double>::infinity();
    for (const std::vector<std::string> &lines :
         readWays(problem.program->name)) {
      library.takeUsed();
      auto steps = compose(lines, problem, data, why);
      if (!steps || steps->run(1) < 0)
        continue;
      double seconds = steps->run(1);
      for (int trial = 0; trial < 3 && seconds < 0.1; ++trial)
        seconds = std::min(seconds, steps->run(1));
      steps->description += library.takeUsed();
      if (seconds >= fastest)
        continue;
      fastest = seconds;
      best = std::move(steps);
    }
    if (!best && why.empty())
      why = "not composed";
    return best;
  }

private:
  GemmLibrary &getLibrary() override { return library; }

  /// The steps of each way to compose a program.
  std::vector<std::vector<std::string>> readWays(const std::string &name) {
    std::ifstream in(setup.programs + "/composed.txt");
    std::vector<std::vector<std::string>> ways;
    bool isOurs = false;
    for (std::string line; std::getline(in, line);) {
      if (line.empty() || line[0] == '#')
        continue;
      if (line[0] == ' ') {
        if (isOurs)
          ways.back().push_back(line);
        continue;
      }
      isOurs = line == name;
      if (isOurs)
        ways.emplace_back();
    }
    return ways;
  }

  std::unique_ptr<Steps> compose(const std::vector<std::string> &lines,
                                 const Problem &problem, const Data &data,
                                 std::string &why) {
    auto result = std::make_unique<Steps>();
    std::map<std::string, Array> arrays;
    std::vector<void *> pointers = data.getArrays();
    for (size_t i = 0; i < pointers.size(); ++i) {
      const Program::Array &array = problem.program->arrays[i];
      arrays[array.name] = {array.dims, pointers[i]};
    }
    auto create = [&](const std::string &name, std::vector<int64_t> dims) {
      if (arrays.count(name))
        return;
      int64_t count = 1;
      for (int64_t dim : dims)
        count *= dim;
      result->temporaries.push_back(
          allocate(count * getBytes(problem.element)));
      arrays[name] = {std::move(dims), result->temporaries.back().get()};
    };
    for (const std::string &line : lines) {
      std::istringstream in(line);
      std::vector<std::string> words;
      for (std::string word; in >> word;)
        words.push_back(word);
      std::unique_ptr<Contestant> step;
      if (words.size() == 3 && words[1] == "like") {
        create(words[0], arrays[words[2]].dims);
        continue;
      }
      if (words.size() > 3 && words[1] == "=") {
        std::vector<Array> operands;
        for (size_t i = 3; i < words.size(); ++i)
          operands.push_back(arrays[words[i]]);
        Problem product = getProduct(words[2], operands, problem);
        std::vector<int64_t> dims;
        for (char label : product.output.labels)
          dims.push_back(product.extents.at(label));
        create(words[0], dims);
        Data own;
        for (const Array &operand : operands)
          own.inputs.push_back(operand.data);
        own.output = arrays[words[0]].data;
        step = GemmPeer::prepare(product, own, why);
#ifdef EIN_BENCH_DNNL
      } else if (words[0] == "onednn_softmax") {
        step = std::make_unique<DnnlSoftmax>(arrays[words[1]]);
#endif
      } else {
        std::vector<void *> parameters;
        for (size_t i = 1; i < words.size(); ++i)
          parameters.push_back(arrays[words[i]].data);
        // Two calls of a function may differ in their arrays only.
        step = createLoopsProgram(problem, words[0], parameters, setup, why);
      }
      if (!step)
        return nullptr;
      result->description +=
          (words[1] == "=" ? step->describe() : words[0]) + "; ";
      result->steps.push_back(std::move(step));
    }
    return result;
  }

  /// An einsum whose sizes are the operands'.
  static Problem getProduct(const std::string &einsum,
                            const std::vector<Array> &operands,
                            const Problem &program) {
    Problem product;
    product.name = program.name;
    product.einsum = einsum;
    product.element = program.element;
    product.threads = program.threads;
    size_t arrow = einsum.find("->");
    std::istringstream labels(einsum.substr(0, arrow));
    std::vector<std::string> inputs;
    for (std::string word; std::getline(labels, word, ',');) {
      const std::vector<int64_t> &dims = operands[inputs.size()].dims;
      for (size_t i = 0; i < word.size() && i < dims.size(); ++i)
        product.extents[word[i]] = dims[i];
      inputs.push_back(word);
    }
    for (const std::string &input : inputs)
      product.inputs.push_back(getContiguous(input, product.extents));
    product.output = getContiguous(einsum.substr(arrow + 2), product.extents);
    return product;
  }

  Setup setup;
  BestLibrary library;
};

} // namespace
} // namespace ein::bench

extern "C" ein::bench::Peer *createPeer(const ein::bench::Setup &setup) {
  return setup.libraries.empty() ? nullptr : new ein::bench::Composed(setup);
}
