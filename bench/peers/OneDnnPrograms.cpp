//===- OneDnnPrograms.cpp - Programs as oneDNN's primitives ---------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elementwise operations after the first are post-ops of it, so that there is
// one pass over memory. Filters of convolutions are in oneDNN's own layout,
// made before the clock runs, as one who infers would have them. Images are
// NHWC as everyone's, or, for the peer "oneDNN, blocked", in its own layout
// too, with no time counted for the way there and back: its best case.
//
//===----------------------------------------------------------------------===//

#include "bench/peers/OneDnnPrograms.h"
#include "bench/harness/Clock.h"
#include <functional>
#include <numeric>
#include <oneapi/dnnl/dnnl.hpp>

namespace ein::bench {
namespace {

using dnnl::algorithm;
using dnnl::memory;
using Tag = dnnl::memory::format_tag;
using Dims = dnnl::memory::dims;
using Arguments = std::unordered_map<int, memory>;
constexpr auto f32 = memory::data_type::f32;
/// What oneDNN calls the type; `undef` if it does not have it.
memory::data_type getType(Element element) {
  switch (element) {
  case Element::F32:
    return f32;
  case Element::F16:
    return memory::data_type::f16;
  case Element::BF16:
    return memory::data_type::bf16;
  case Element::I8:
    return memory::data_type::s8;
  case Element::U8:
    return memory::data_type::u8;
  case Element::I32:
    return memory::data_type::s32;
  default:
    return memory::data_type::undef;
  }
}

constexpr auto inference = dnnl::prop_kind::forward_inference;

/// Primitives that run one after the other.
class DnnlProgram : public Contestant {
public:
  DnnlProgram(const Problem &problem, const Data &data, bool isBlocked)
      : isBlocked(isBlocked), problem(problem), arrays(data.getArrays()) {}

  double run(int64_t repetitions) override {
    double start = getSeconds();
    for (int64_t i = 0; i < repetitions; ++i)
      for (Step &step : steps)
        step.primitive.execute(stream, step.arguments);
    stream.wait();
    double seconds = getSeconds() - start;
    // Only the first result is looked at.
    for (Step &step : after)
      step.primitive.execute(stream, step.arguments);
    stream.wait();
    after.clear();
    return seconds;
  }
  std::string describe() const override { return description; }

  int64_t size(const char *name) const {
    for (const Program::Size &size : problem.program->sizes)
      if (size.name == name)
        return size.value;
    return 0;
  }

  /// An array as oneDNN is told of it.
  memory map(size_t array, const Dims &dims, Tag tag) {
    return memory({dims, getArrayType(array), tag}, engine, arrays[array]);
  }
  memory map(size_t array, const Dims &dims, const Dims &strides) {
    return memory({dims, getArrayType(array), strides}, engine, arrays[array]);
  }
  memory::data_type getArrayType(size_t array) const {
    return getType(array < problem.inputs.size()
                       ? problem.getInputElement(array)
                       : problem.element);
  }
  const void *getData(size_t array) const { return arrays[array]; }
  size_t getOutput() const { return arrays.size() - 1; }

  memory create(const Dims &dims, Tag tag) {
    memory::desc desc(dims, f32, tag);
    buffers.push_back(allocate(desc.get_size()));
    return memory(desc, engine, buffers.back().get());
  }

  /// The array in the layout that a primitive wants, copied now.
  memory reorder(memory source, const memory::desc &wanted) {
    if (source.get_desc() == wanted)
      return source;
    buffers.push_back(allocate(wanted.get_size()));
    memory target(wanted, engine, buffers.back().get());
    dnnl::reorder(source, target).execute(stream, source, target);
    stream.wait();
    return target;
  }
  /// A result in the layout that a primitive writes.
  memory reorderResult(memory target, const memory::desc &written) {
    if (target.get_desc() == written)
      return target;
    buffers.push_back(allocate(written.get_size()));
    memory source(written, engine, buffers.back().get());
    after.push_back({dnnl::reorder(source, target),
                     {{DNNL_ARG_FROM, source}, {DNNL_ARG_TO, target}}});
    return source;
  }

  template <typename Descriptor>
  void add(const Descriptor &descriptor, Arguments arguments) {
    description += (description.empty() ? "" : "; ") +
                   std::string(descriptor.impl_info_str());
    steps.push_back({makePrimitive(descriptor), std::move(arguments)});
  }

  bool isBlocked;
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};

private:
  struct Step {
    dnnl::primitive primitive;
    Arguments arguments;
  };

  template <typename Descriptor>
  static dnnl::primitive makePrimitive(const Descriptor &descriptor) {
    return dnnl::primitive(descriptor.get());
  }

  const Problem &problem;
  std::vector<void *> arrays;
  dnnl::stream stream{engine};
  std::vector<Buffer> buffers;
  std::vector<Step> steps, after;
  std::string description;
};

/// Post-ops and the memories that they read.
struct PostOps {
  dnnl::post_ops ops;
  Arguments arguments;

  PostOps &binary(algorithm kind, const memory &operand) {
    arguments[DNNL_ARG_ATTR_MULTIPLE_POST_OP(ops.len()) | DNNL_ARG_SRC_1] =
        operand;
    ops.append_binary(kind, operand.get_desc());
    return *this;
  }
  PostOps &eltwise(algorithm kind, float alpha = 0, float beta = 0) {
    ops.append_eltwise(1, kind, alpha, beta);
    return *this;
  }
  dnnl::primitive_attr getAttributes() const {
    dnnl::primitive_attr attributes;
    attributes.set_post_ops(ops);
    return attributes;
  }
  Arguments with(Arguments others) const {
    others.insert(arguments.begin(), arguments.end());
    return others;
  }
};

//===----------------------------------------------------------------------===//
// Matrices of M by N
//===----------------------------------------------------------------------===//

memory mapMatrix(DnnlProgram &p, size_t array) {
  return p.map(array, {p.size("M"), p.size("N")}, Tag::ab);
}
memory mapRow(DnnlProgram &p, size_t array) {
  return p.map(array, {1, p.size("N")}, Tag::ab);
}

void addBinary(DnnlProgram &p, algorithm kind, const memory &x, const memory &y,
               const PostOps &post) {
  memory result = mapMatrix(p, p.getOutput());
  p.add(
      dnnl::binary::primitive_desc(
          {kind, x.get_desc(), y.get_desc(), result.get_desc()},
          post.getAttributes(), p.engine),
      post.with(
          {{DNNL_ARG_SRC_0, x}, {DNNL_ARG_SRC_1, y}, {DNNL_ARG_DST, result}}));
}

void addGeluAffine(DnnlProgram &p) {
  addBinary(p, algorithm::binary_mul, mapMatrix(p, 0), mapRow(p, 1),
            PostOps()
                .binary(algorithm::binary_add, mapRow(p, 2))
                .eltwise(algorithm::eltwise_gelu_tanh));
}

void addResidual(DnnlProgram &p) {
  addBinary(p, algorithm::binary_mul, mapMatrix(p, 1), mapRow(p, 2),
            PostOps().binary(algorithm::binary_add, mapMatrix(p, 0)));
}

void addSwishGate(DnnlProgram &p) {
  memory x = mapMatrix(p, 0), result = mapMatrix(p, p.getOutput());
  PostOps post;
  post.binary(algorithm::binary_mul, mapMatrix(p, 1));
  p.add(dnnl::eltwise_forward::primitive_desc(
            {inference, algorithm::eltwise_swish, x.get_desc(), 1, 0},
            post.getAttributes(), p.engine),
        post.with({{DNNL_ARG_SRC, x}, {DNNL_ARG_DST, result}}));
}

void addChain5(DnnlProgram &p) {
  addBinary(p, algorithm::binary_add, mapMatrix(p, 0), mapRow(p, 1),
            PostOps()
                .eltwise(algorithm::eltwise_tanh)
                .binary(algorithm::binary_mul, mapRow(p, 2))
                .binary(algorithm::binary_add, mapMatrix(p, 0))
                .eltwise(algorithm::eltwise_relu));
}

void addSoftmax(DnnlProgram &p) {
  memory x = mapMatrix(p, 0);
  p.add(dnnl::softmax_forward::primitive_desc({inference, x.get_desc(), 1},
                                              p.engine),
        {{DNNL_ARG_SRC, x}, {DNNL_ARG_DST, mapMatrix(p, p.getOutput())}});
}

void addLayerNorm(DnnlProgram &p) {
  memory x = mapMatrix(p, 0);
  auto flags = dnnl::normalization_flags::use_scale |
               dnnl::normalization_flags::use_shift;
  p.add(dnnl::layer_normalization_forward::primitive_desc(
            {inference, x.get_desc(), 1e-5f, flags}, p.engine),
        {{DNNL_ARG_SRC, x},
         {DNNL_ARG_SCALE, p.map(1, {p.size("N")}, Tag::a)},
         {DNNL_ARG_SHIFT, p.map(2, {p.size("N")}, Tag::a)},
         {DNNL_ARG_DST, mapMatrix(p, p.getOutput())}});
}

void addReduction(DnnlProgram &p, algorithm kind, bool isOverRows) {
  memory x = mapMatrix(p, 0);
  Dims dims = isOverRows ? Dims{1, p.size("N")} : Dims{p.size("M"), 1};
  memory result = p.map(p.getOutput(), dims, Tag::ab);
  p.add(dnnl::reduction::primitive_desc(
            {kind, x.get_desc(), result.get_desc(), 0, 0}, p.engine),
        {{DNNL_ARG_SRC, x}, {DNNL_ARG_DST, result}});
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

void addMatMul(DnnlProgram &p, const memory &x, const memory &weights,
               const memory &bias, const memory &result, const PostOps &post) {
  p.add(dnnl::matmul::primitive_desc({x.get_desc(), weights.get_desc(),
                                      bias.get_desc(), result.get_desc()},
                                     post.getAttributes(), p.engine),
        {{DNNL_ARG_SRC, x},
         {DNNL_ARG_WEIGHTS, weights},
         {DNNL_ARG_BIAS, bias},
         {DNNL_ARG_DST, result}});
}

void addDense(DnnlProgram &p) {
  int64_t m = p.size("M"), k = p.size("K"), n = p.size("N");
  addMatMul(p, p.map(0, {m, k}, Tag::ab), p.map(1, {k, n}, Tag::ab),
            p.map(2, {1, n}, Tag::ab), p.map(p.getOutput(), {m, n}, Tag::ab),
            PostOps().eltwise(algorithm::eltwise_gelu_tanh));
}

void addProduct(DnnlProgram &p) {
  int64_t m = p.size("M"), k = p.size("K"), n = p.size("N"), b = p.size("B");
  auto map = [&](size_t array, int64_t rows, int64_t columns) {
    return b ? p.map(array, {b, rows, columns}, Tag::abc)
             : p.map(array, {rows, columns}, Tag::ab);
  };
  memory x = map(0, m, k), w = map(1, k, n), y = map(2, m, n);
  p.add(dnnl::matmul::primitive_desc({x.get_desc(), w.get_desc(), y.get_desc()},
                                     p.engine),
        {{DNNL_ARG_SRC, x}, {DNNL_ARG_WEIGHTS, w}, {DNNL_ARG_DST, y}});
}

/// The layer of 8 bits, whose scales and zero points are attributes.
void addQuantisedDense(DnnlProgram &p) {
  int64_t m = p.size("M"), k = p.size("K"), n = p.size("N");
  memory x = p.map(0, {m, k}, Tag::ab), w = p.map(1, {k, n}, Tag::ab);
  memory b = p.map(2, {1, n}, Tag::ab), y = p.map(4, {m, n}, Tag::ab);
  auto *factors = static_cast<const float *>(p.getData(3));
  std::vector<float> scales(factors, factors + n);
  for (float &scale : scales)
    scale *= 0x1p-13f;
  dnnl::primitive_attr attributes;
  attributes.set_output_scales(1 << 1, scales);
  attributes.set_zero_points(DNNL_ARG_SRC, 0, {121});
  attributes.set_zero_points(DNNL_ARG_DST, 0, {119});
  p.add(dnnl::matmul::primitive_desc(
            {x.get_desc(), w.get_desc(), b.get_desc(), y.get_desc()},
            attributes, p.engine),
        {{DNNL_ARG_SRC, x},
         {DNNL_ARG_WEIGHTS, w},
         {DNNL_ARG_BIAS, b},
         {DNNL_ARG_DST, y}});
}

void addMlp(DnnlProgram &p) {
  int64_t m = p.size("M"), k = p.size("K"), f = p.size("F"), n = p.size("N");
  memory hidden = p.create({m, f}, Tag::ab);
  addMatMul(p, p.map(0, {m, k}, Tag::ab), p.map(1, {k, f}, Tag::ab),
            p.map(2, {1, f}, Tag::ab), hidden,
            PostOps().eltwise(algorithm::eltwise_gelu_tanh));
  addMatMul(p, hidden, p.map(3, {f, n}, Tag::ab), p.map(4, {1, n}, Tag::ab),
            p.map(p.getOutput(), {m, n}, Tag::ab), PostOps());
}

/// NHWC.
memory mapImage(DnnlProgram &p, size_t array, int64_t channels, int64_t height,
                int64_t width) {
  return p.map(array, {p.size("B"), channels, height, width}, Tag::nhwc);
}

memory::desc getImageDesc(const DnnlProgram &p, const memory &image) {
  if (!p.isBlocked)
    return image.get_desc();
  return memory::desc(image.get_desc().dims(), f32, Tag::any);
}

void addConvolution(DnnlProgram &p, const memory &image, const memory &filters,
                    const memory &result, int64_t stride) {
  dnnl::convolution_forward::primitive_desc descriptor(
      {inference,
       algorithm::convolution_auto,
       getImageDesc(p, image),
       memory::desc(filters.get_desc().dims(), f32, Tag::any),
       getImageDesc(p, result),
       {stride, stride},
       {0, 0},
       {0, 0}},
      p.engine);
  p.add(descriptor,
        {{DNNL_ARG_SRC, p.reorder(image, descriptor.src_desc())},
         {DNNL_ARG_WEIGHTS, p.reorder(filters, descriptor.weights_desc())},
         {DNNL_ARG_DST, p.reorderResult(result, descriptor.dst_desc())}});
}

void addConv(DnnlProgram &p) {
  int64_t h = p.size("H"), w = p.size("W"), s = p.size("s");
  int64_t kh = p.size("KH"), kw = p.size("KW"), c = p.size("C");
  addConvolution(p, mapImage(p, 0, c, s * h + kh - s, s * w + kw - s),
                 p.map(1, {p.size("F"), c, kh, kw}, Tag::hwio),
                 mapImage(p, 2, p.size("F"), h, w), s);
}

void addDepthwise(DnnlProgram &p) {
  int64_t h = p.size("H"), w = p.size("W"), s = p.size("s");
  int64_t kh = p.size("KH"), kw = p.size("KW"), c = p.size("C");
  addConvolution(p, mapImage(p, 0, c, s * h + kh - s, s * w + kw - s),
                 p.map(1, {c, 1, 1, kh, kw}, {1, 1, 1, kw * c, c}),
                 mapImage(p, 2, c, h, w), s);
}

void addPool(DnnlProgram &p, algorithm kind, const memory &image,
             const memory &result, const Dims &window, const Dims &strides) {
  memory::desc source = image.get_desc(), target = result.get_desc();
  if (p.isBlocked) {
    // Poolings take the layout that they are given: a convolution's.
    if (source.dims()[1] % 16 != 0)
      throw dnnl::error(dnnl_unimplemented, "no blocks of 16 channels");
    source = memory::desc(source.dims(), f32, Tag::nChw16c);
    target = memory::desc(target.dims(), f32, Tag::nChw16c);
  }
  dnnl::pooling_forward::primitive_desc descriptor(
      {inference, kind, source, target, strides, window, {0, 0}, {0, 0}},
      p.engine);
  p.add(descriptor, {{DNNL_ARG_SRC, p.reorder(image, source)},
                     {DNNL_ARG_DST, p.reorderResult(result, target)}});
}

void addWindowPool(DnnlProgram &p, algorithm kind) {
  int64_t h = p.size("H"), w = p.size("W"), c = p.size("C");
  int64_t k = p.size("k"), s = p.size("s");
  addPool(p, kind, mapImage(p, 0, c, s * h + k - s, s * w + k - s),
          mapImage(p, 1, c, h, w), {k, k}, {s, s});
}

void addGlobalPool(DnnlProgram &p) {
  int64_t h = p.size("H"), w = p.size("W"), c = p.size("C");
  addPool(p, algorithm::pooling_avg, mapImage(p, 0, c, h, w),
          mapImage(p, 1, c, 1, 1), {h, w}, {1, 1});
}

/// The output's dims, with the strides that they have in the input.
void addPermutation(DnnlProgram &p, const Problem &problem) {
  Dims dims, strides;
  for (char label : problem.output.labels) {
    dims.push_back(problem.extents.at(label));
    strides.push_back(problem.inputs[0].getStride(label));
  }
  memory source = p.map(0, dims, strides);
  memory target =
      p.map(1, dims,
            Dims(problem.output.strides.begin(), problem.output.strides.end()));
  p.add(dnnl::reorder::primitive_desc(source, target),
        {{DNNL_ARG_FROM, source}, {DNNL_ARG_TO, target}});
}

using Builder = std::function<void(DnnlProgram &)>;

struct Builders {
  std::map<std::string, Builder> plain = {
      {"gelu_affine", addGeluAffine},
      {"residual", addResidual},
      {"swish_gate", addSwishGate},
      {"chain5", addChain5},
      {"softmax", addSoftmax},
      {"layernorm", addLayerNorm},
      {"row_sum", reduce(algorithm::reduction_sum, false)},
      {"row_max", reduce(algorithm::reduction_max, false)},
      {"col_sum", reduce(algorithm::reduction_sum, true)},
      {"col_max", reduce(algorithm::reduction_max, true)},
      {"dense_gelu", addDense},
      {"dense_bf16", addDense},
      {"dense_u8i8", addQuantisedDense},
      {"matmul_u8i8", addProduct},
      {"matmul_i8", addProduct},
      {"matmul_bf16", addProduct},
      {"matmul_f16", addProduct},
      {"bmm_u8i8", addProduct},
      {"bmm_bf16", addProduct},
      {"mlp", addMlp}};
  /// Those of images.
  std::map<std::string, Builder> both = {
      {"conv", addConv},
      {"depthwise", addDepthwise},
      {"max_pool", pool(algorithm::pooling_max)},
      {"mean_pool", pool(algorithm::pooling_avg)},
      {"global_pool", addGlobalPool}};

private:
  static Builder reduce(algorithm kind, bool isOverRows) {
    return [=](DnnlProgram &p) { addReduction(p, kind, isOverRows); };
  }
  static Builder pool(algorithm kind) {
    return [=](DnnlProgram &p) { addWindowPool(p, kind); };
  }
};

/// Whether bytes are multiplied by `vpmaddubsw`, whose sums do not fit.
bool addsBytesInPairs() {
  switch (dnnl::get_effective_cpu_isa()) {
  case dnnl::cpu_isa::sse41:
  case dnnl::cpu_isa::avx:
  case dnnl::cpu_isa::avx2:
  case dnnl::cpu_isa::avx512_core:
    return true;
  default:
    return false;
  }
}

} // namespace

std::unique_ptr<Contestant> createDnnlProgram(const Problem &problem,
                                              const Data &data, bool isBlocked,
                                              std::string &why) {
  Builder builder;
  if (problem.program) {
    Builders builders;
    const std::string &name = problem.program->name;
    if (auto found = builders.both.find(name); found != builders.both.end())
      builder = found->second;
    else if (auto found = builders.plain.find(name);
             found != builders.plain.end() && !isBlocked)
      builder = found->second;
  } else if (!isBlocked && problem.inputs.size() == 1) {
    builder = [&](DnnlProgram &p) { addPermutation(p, problem); };
  }
  bool hasTypes = getType(problem.element) != memory::data_type::undef;
  bool hasBytes = false;
  for (size_t i = 0; i < problem.inputs.size(); ++i) {
    memory::data_type type = getType(problem.getInputElement(i));
    hasTypes &= type != memory::data_type::undef;
    hasBytes |= type == memory::data_type::s8 || type == memory::data_type::u8;
  }
  if (!builder || !hasTypes) {
    why = isBlocked ? "no images" : "no primitive for it";
    return nullptr;
  }
  if (hasBytes && addsBytesInPairs()) {
    why = "pairs of bytes are added up in 16 bits, which is wrong";
    return nullptr;
  }
  try {
    auto program = std::make_unique<DnnlProgram>(problem, data, isBlocked);
    builder(*program);
    return program;
  } catch (const dnnl::error &error) {
    why = std::string("oneDNN has none: ") + error.what();
    return nullptr;
  }
}

} // namespace ein::bench
