//===- OneDnn.cpp - oneDNN ------------------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// f32 has two ways in: dnnl_sgemm, and the matmul primitive, which takes a
// batch and any strides; whichever is faster on the operands is kept. There is
// no f64 and no complex product. Weights are not reordered beforehand, as
// packing is timed for everyone.
//
//===----------------------------------------------------------------------===//

#include "bench/peers/GemmPeer.h"
#include "bench/peers/OneDnnPrograms.h"
#include <limits>
#include <oneapi/dnnl/dnnl.hpp>

namespace ein::bench {
namespace {

bool runSgemm(const GemmShape &shape, const float *a, const float *b,
              float *c) {
  bool transposesA = shape.a.column != 1, transposesB = shape.b.column != 1;
  for (int64_t i = 0; i < shape.batch; ++i)
    if (dnnl_sgemm(transposesA ? 'T' : 'N', transposesB ? 'T' : 'N', shape.m,
                   shape.n, shape.k, 1, a + i * shape.a.batch,
                   transposesA ? shape.a.column : shape.a.row,
                   b + i * shape.b.batch,
                   transposesB ? shape.b.column : shape.b.row,
                   shape.accumulates ? 1 : 0, c + i * shape.c.batch,
                   shape.c.row) != dnnl_success)
      return false;
  return true;
}

/// The matmul primitive with its memories, which are given their data later.
class MatMul {
public:
  MatMul(const GemmShape &shape, const dnnl::engine &engine) {
    using Memory = dnnl::memory;
    auto describe = [&](int64_t rows, int64_t columns, const Pitch &pitch) {
      // Strides of dims that are 1 have to make sense, too.
      int64_t row = rows == 1 ? columns * pitch.column : pitch.row;
      int64_t column = columns == 1 && pitch.row == 1 ? rows : pitch.column;
      if (shape.batch == 1)
        return Memory::desc({rows, columns}, Memory::data_type::f32,
                            {row, column});
      return Memory::desc({shape.batch, rows, columns}, Memory::data_type::f32,
                          {pitch.batch, row, column});
    };
    Memory::desc a = describe(shape.m, shape.k, shape.a);
    Memory::desc b = describe(shape.k, shape.n, shape.b);
    Memory::desc c = describe(shape.m, shape.n, shape.c);
    dnnl::primitive_attr attributes;
    if (shape.accumulates) {
      dnnl::post_ops sum;
      sum.append_sum(1);
      attributes.set_post_ops(sum);
    }
    primitive = dnnl::matmul(
        dnnl::matmul::primitive_desc({a, b, c}, attributes, engine));
    arguments = {{DNNL_ARG_SRC, Memory(a, engine, nullptr)},
                 {DNNL_ARG_WEIGHTS, Memory(b, engine, nullptr)},
                 {DNNL_ARG_DST, Memory(c, engine, nullptr)}};
  }

  void run(dnnl::stream &stream, const float *a, const float *b, float *c) {
    arguments[DNNL_ARG_SRC].set_data_handle(const_cast<float *>(a));
    arguments[DNNL_ARG_WEIGHTS].set_data_handle(const_cast<float *>(b));
    arguments[DNNL_ARG_DST].set_data_handle(c);
    primitive.execute(stream, arguments);
    stream.wait();
  }

private:
  dnnl::matmul primitive;
  std::unordered_map<int, dnnl::memory> arguments;
};

/// Decides between the two by its first calls.
class Chooser {
public:
  Chooser(const GemmShape &shape, const dnnl::engine &engine,
          const dnnl::stream &stream)
      : shape(shape), stream(stream) {
    // A batch whose matrices are all one (stride 0) is not a tensor.
    bool isTensor =
        shape.batch == 1 || (shape.a.batch && shape.b.batch && shape.c.batch);
    try {
      if (isTensor)
        matmul = std::make_shared<MatMul>(shape, engine);
    } catch (const dnnl::error &) {
      // It has none for these strides.
    }
  }

  bool operator()(const void *lhs, const void *rhs, void *result,
                  int64_t repetitions) {
    auto a = static_cast<const float *>(lhs);
    auto b = static_cast<const float *>(rhs);
    auto c = static_cast<float *>(result);
    for (int64_t i = 0; i < repetitions; ++i) {
      bool usesMatMul =
          matmul && (trials ? trials % 2 == 0 : seconds[0] < seconds[1]);
      double start = trials ? getSeconds() : 0;
      if (usesMatMul)
        matmul->run(stream, a, b, c);
      else if (!runSgemm(shape, a, b, c))
        return false;
      if (trials) {
        double &best = seconds[usesMatMul ? 0 : 1];
        best = std::min(best, getSeconds() - start);
        --trials;
      }
    }
    return true;
  }

private:
  GemmShape shape;
  dnnl::stream stream;
  std::shared_ptr<MatMul> matmul;
  int trials = 6;
  double seconds[2] = {std::numeric_limits<double>::infinity(),
                       std::numeric_limits<double>::infinity()};
};

class Library : public GemmLibrary {
public:
  Gemm create(const GemmShape &shape) override {
    if (shape.element != Element::F32)
      return {};
    return Chooser(shape, engine, stream);
  }

private:
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
};

const char *getIsaName(dnnl::cpu_isa isa) {
  switch (isa) {
  case dnnl::cpu_isa::avx2:
    return "AVX2";
  case dnnl::cpu_isa::avx512_core:
    return "AVX-512";
  case dnnl::cpu_isa::avx512_core_vnni:
    return "AVX-512 with VNNI";
  case dnnl::cpu_isa::avx512_core_bf16:
    return "AVX-512 with bf16";
  case dnnl::cpu_isa::avx512_core_amx:
    return "AVX-512 with AMX";
  default:
    return "another instruction set";
  }
}

class OneDnnPeer : public GemmPeer {
public:
  explicit OneDnnPeer(bool isBlocked) : isBlocked(isBlocked) {}
  std::string getName() const override {
    return isBlocked ? "oneDNN, blocked" : "oneDNN";
  }
  std::string describe() const override {
    const dnnl_version_t *version = dnnl_version();
    return "oneDNN " + std::to_string(version->major) + "." +
           std::to_string(version->minor) + "." +
           std::to_string(version->patch) + ", " +
           getIsaName(dnnl::get_effective_cpu_isa());
  }

  std::unique_ptr<Contestant> prepare(const Problem &problem, const Data &data,
                                      std::string &why) override {
    if (isBlocked || problem.program || problem.inputs.size() == 1)
      return createDnnlProgram(problem, data, isBlocked, why);
    return GemmPeer::prepare(problem, data, why);
  }
  GemmLibrary *getGemmLibrary() override {
    return isBlocked ? nullptr : &library;
  }

private:
  bool isBlocked;
  GemmLibrary &getLibrary() override { return library; }
  Library library;
};

} // namespace
} // namespace ein::bench

extern "C" ein::bench::Peer *createPeer(const ein::bench::Setup &) {
  return new ein::bench::OneDnnPeer(false);
}

/// With images in its own layout.
extern "C" ein::bench::Peer *createBlockedPeer(const ein::bench::Setup &) {
  return new ein::bench::OneDnnPeer(true);
}
