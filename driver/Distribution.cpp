//===- Distribution.cpp - Programs, as many ranks see them ----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Distribution.h"
#include "driver/Commands.h"
#include "driver/Path.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;

namespace ein {

using distribute::ArrayUse;
using distribute::ProgramArray;
using distribute::ProgramPlan;
using distribute::ProgramStatement;
using distribute::Subscript;

namespace {

class Builder {
public:
  Builder(const Def &def, ArrayRef<int64_t> sizes,
          const ContractionOrderOptions &order);

  /// The statement as one.
  void add(const Statement &statement);
  /// The statement as the steps of its order; false if it has no steps.
  bool addSteps(const Statement &statement);
  /// The statement in slices; none if it has none.
  std::optional<DistributedSlices> makeSlices(const Statement &statement) const;
  DistributedDef take() { return std::move(result); }

private:
  ProgramStatement makeStatement(const Statement &statement) const;
  std::optional<ArrayUse> makeUse(const Expr &access) const;
  ArrayUse makeWholeUse(TensorId id) const;
  void addReads(ExprId id, ProgramStatement &result) const;
  void addReshape(const Expr &reshape, ProgramStatement &result) const;
  Subscript makeSubscript(const Affine &affine) const;
  unsigned addTemporary(std::vector<int64_t> extents, int64_t elementBytes,
                        std::string name);
  void finish(const Statement &statement, std::string step,
              ProgramStatement planned);

  const Def &def;
  ArrayRef<int64_t> sizes;
  const ContractionOrderOptions &order;
  DistributedDef result;
  /// By tensor; none for scalars, which everybody has.
  std::vector<std::optional<unsigned>> numbers;
};

} // namespace

static int64_t getElementBytes(ElementType type) {
  return int64_t(divideCeil(getBitWidth(type), 8));
}

Builder::Builder(const Def &def, ArrayRef<int64_t> sizes,
                 const ContractionOrderOptions &order)
    : def(def), sizes(sizes), order(order) {
  for (const Tensor &tensor : def.tensors) {
    std::optional<unsigned> &number = numbers.emplace_back();
    if (tensor.isScalarInput())
      continue;
    number = result.program.arrays.size();
    ProgramArray array;
    for (const Affine &dim : tensor.dims)
      array.extents.push_back(dim.evaluate(sizes));
    array.elementBytes = getElementBytes(tensor.type);
    array.isArgument = tensor.role != TensorRole::Temporary;
    result.program.arrays.push_back(std::move(array));
    result.arrays.push_back(tensor.name);
  }
}

Subscript Builder::makeSubscript(const Affine &affine) const {
  Subscript subscript;
  subscript.constant = affine.withoutIndices().evaluate(sizes);
  for (const Affine::IndexTerm &term : affine.getIndexTerms())
    subscript.terms.push_back({unsigned(term.id.value), term.coefficient});
  return subscript;
}

/// All of a tensor.
ArrayUse Builder::makeWholeUse(TensorId id) const {
  ArrayUse use = {*numbers[id.value], {}};
  for (const Affine &dim : def[id].dims) {
    Subscript &subscript = use.subscripts.emplace_back();
    subscript.extra = std::max<int64_t>(dim.evaluate(sizes) - 1, 0);
  }
  return use;
}

std::optional<ArrayUse> Builder::makeUse(const Expr &access) const {
  if (!numbers[access.tensor.value])
    return std::nullopt;
  // Data say what is read.
  if (access.kind != ExprKind::Access)
    return makeWholeUse(access.tensor);
  ArrayUse use = {*numbers[access.tensor.value], {}};
  for (const Affine &subscript : access.subscripts)
    use.subscripts.push_back(makeSubscript(subscript));
  return use;
}

static bool isSame(const ArrayUse &a, const ArrayUse &b) {
  return a.array == b.array &&
         llvm::equal(a.subscripts, b.subscripts,
                     [](const Subscript &x, const Subscript &y) {
                       return x.terms == y.terms && x.constant == y.constant &&
                              x.extra == y.extra;
                     });
}

void Builder::addReads(ExprId id, ProgramStatement &planned) const {
  const Expr &expr = def[id];
  if (expr.kind == ExprKind::Access || expr.kind == ExprKind::Gather)
    if (std::optional<ArrayUse> use = makeUse(expr))
      if (none_of(planned.reads,
                  [&](const ArrayUse &other) { return isSame(*use, other); }))
        planned.reads.push_back(std::move(*use));
  for (ExprId operand : expr.getOperands())
    addReads(operand, planned);
}

/// Dims that are parts of one dim: the first of them may be cut, and each part
/// of it is a run of the other's. Where a dim becomes parts of dims, it is the
/// loop that is not cut.
void Builder::addReshape(const Expr &reshape, ProgramStatement &planned) const {
  const Tensor &source = def[reshape.tensor];
  ArrayUse use = {*numbers[reshape.tensor.value], {}};
  size_t rank = planned.extents.size();
  planned.isWhole.assign(rank, true);
  bool isSplit = rank >= source.dims.size();
  size_t loop = 0;
  for (unsigned span : reshape.spans) {
    if (!isSplit && span != 1) {
      // One loop is several dims of the source.
      for (unsigned i = 0; i != span; ++i) {
        Subscript whole;
        whole.extra = std::max<int64_t>(
            source.dims[use.subscripts.size()].evaluate(sizes) - 1, 0);
        use.subscripts.push_back(whole);
      }
      ++loop;
      continue;
    }
    int64_t run = 1;
    for (unsigned i = 1; i < span; ++i)
      run *= planned.extents[loop + i];
    Subscript subscript;
    if (span != 0) {
      subscript.terms.push_back({unsigned(loop), run});
      subscript.extra = std::max<int64_t>(run - 1, 0);
      planned.isWhole[loop] = false;
    }
    use.subscripts.push_back(subscript);
    loop += span;
  }
  planned.reads.push_back(std::move(use));
}

ProgramStatement Builder::makeStatement(const Statement &statement) const {
  ProgramStatement planned;
  for (const Index &index : statement.indices)
    planned.extents.push_back(index.extent.evaluate(sizes));
  if (const Expr *reshape = def.getReshape(statement)) {
    addReshape(*reshape, planned);
  } else {
    addReads(statement.value, planned);
    if (statement.condition.isValid())
      addReads(statement.condition, planned);
  }
  if (statement.isInOrder()) {
    // Points wait for those before them.
    planned.isWhole.assign(planned.extents.size(), true);
    planned.write = makeWholeUse(statement.target);
    addReads(statement.written, planned);
  } else {
    planned.write.array = *numbers[statement.target.value];
    for (size_t dim = 0; dim != def[statement.target].dims.size(); ++dim)
      planned.write.subscripts.push_back(
          makeSubscript(statement.getTargetSubscript(dim)));
  }
  return planned;
}

void Builder::finish(const Statement &statement, std::string step,
                     ProgramStatement planned) {
  DistributedStep names = {&statement, std::move(step), {}};
  for (const Index &index : statement.indices)
    names.loops.push_back(index.name);
  result.steps.push_back(std::move(names));
  result.program.statements.push_back(std::move(planned));
}

/// The dims that a step loops over, and what it does at each point.
static distribute::Work getWork(const SmallBitVector &loops, double flops) {
  distribute::Work work = {{}, flops};
  for (unsigned loop : loops.set_bits())
    work.dims.push_back(loop);
  return work;
}

/// The labels of the operands and of the steps' results.
static std::vector<SmallBitVector> getTensors(const ContractionNetwork &network,
                                              const ContractionPath &path) {
  std::vector<SmallBitVector> tensors(network.operands.begin(),
                                      network.operands.end());
  for (const ContractionStep &step : path.steps)
    tensors.push_back(step.result);
  return tensors;
}

/// By step of the order, its operations; complex ones are several.
static std::vector<distribute::Work>
getStepWork(const ContractionNetwork &network, const ContractionPath &path,
            double flops) {
  std::vector<SmallBitVector> tensors = getTensors(network, path);
  std::vector<distribute::Work> works;
  double total = 0;
  for (const ContractionStep &step : path.steps) {
    SmallBitVector loops = tensors[step.lhs];
    loops |= tensors[step.rhs];
    bool isSum = loops != step.result;
    works.push_back(getWork(loops, isSum ? 2 : 1));
    double points = works.back().flops;
    for (unsigned loop : works.back().dims)
      points *= network.labelSizes[loop];
    total += points;
  }
  if (total > 0)
    for (distribute::Work &work : works)
      work.flops *= flops / total;
  return works;
}

/// The order of a statement that is an einsum of three factors or more, each an
/// access of its own; for these sizes.
static std::optional<std::pair<ContractionNetwork, ContractionPath>>
findSteps(const Def &def, const Statement &statement, ArrayRef<int64_t> sizes,
          const ContractionOrderOptions &order) {
  std::optional<ContractionNetwork> network = getNetwork(def, statement, order);
  if (!network || network->hasArithmetic || !network->conditions.empty())
    return std::nullopt;
  for (auto [size, index] : zip(network->labelSizes, statement.indices))
    size = double(index.extent.evaluate(sizes));
  std::optional<ContractionPath> path = findPath(def, statement, sizes, order);
  if (!path || path->steps.empty())
    return std::nullopt;
  return std::pair(std::move(*network), std::move(*path));
}

void Builder::add(const Statement &statement) {
  ProgramStatement planned = makeStatement(statement);
  double flops = countFlops(def, statement, sizes, order);
  if (auto steps = findSteps(def, statement, sizes, order)) {
    planned.work = getStepWork(steps->first, steps->second, flops);
  } else {
    double points = 1;
    for (int64_t extent : planned.extents)
      points *= double(extent);
    SmallBitVector all(planned.extents.size(), true);
    planned.work = {getWork(all, points > 0 ? flops / points : 0)};
  }
  finish(statement, "", std::move(planned));
}

unsigned Builder::addTemporary(std::vector<int64_t> extents,
                               int64_t elementBytes, std::string name) {
  result.program.arrays.push_back(
      {std::move(extents), elementBytes, /*isArgument=*/false});
  result.arrays.push_back(std::move(name));
  return result.program.arrays.size() - 1;
}

bool Builder::addSteps(const Statement &statement) {
  auto found = findSteps(def, statement, sizes, order);
  std::optional<Product> product = def.getProduct(statement, order.keepsOrder);
  if (!found || !product)
    return false;
  const ContractionNetwork &network = found->first;
  const ContractionPath &path = found->second;
  ProgramStatement whole = makeStatement(statement);
  std::vector<ArrayUse> uses;
  for (ProductFactor factor : product->factors) {
    const Expr &access = def[factor.access];
    std::optional<ArrayUse> use;
    if (access.kind == ExprKind::Access)
      use = makeUse(access);
    // What is computed first, or is a scalar, is no array of its own.
    if (!use)
      return false;
    uses.push_back(std::move(*use));
  }
  std::vector<SmallBitVector> tensors = getTensors(network, path);
  std::vector<distribute::Work> works =
      getStepWork(network, path, countFlops(def, statement, sizes, order));
  int64_t elementBytes = getElementBytes(statement.computeType);
  auto print = [&](const SmallBitVector &labels) {
    return printLabels(statement, network, labels);
  };
  for (auto [i, step] : enumerate(path.steps)) {
    SmallBitVector loops = tensors[step.lhs];
    loops |= tensors[step.rhs];
    ProgramStatement planned;
    planned.extents = whole.extents;
    // What the step has not is no loop of it.
    for (unsigned loop = 0; loop != planned.extents.size(); ++loop)
      if (!loops[loop])
        planned.extents[loop] = 1;
    planned.reads = {uses[step.lhs], uses[step.rhs]};
    planned.work = {works[i]};
    if (i + 1 == path.steps.size()) {
      planned.write = whole.write;
    } else {
      std::vector<int64_t> extents;
      for (unsigned label : step.result.set_bits()) {
        extents.push_back(whole.extents[label]);
        planned.write.subscripts.push_back(distribute::makeSubscript(label));
      }
      planned.write.array = addTemporary(std::move(extents), elementBytes,
                                         "step " + std::to_string(i + 1));
      uses.push_back(planned.write);
    }
    finish(statement,
           print(tensors[step.lhs]) + "," + print(tensors[step.rhs]) + "->" +
               print(step.result),
           std::move(planned));
  }
  return true;
}

std::optional<DistributedSlices>
Builder::makeSlices(const Statement &statement) const {
  auto found = findSteps(def, statement, sizes, order);
  if (!found || found->second.slices.empty())
    return std::nullopt;
  // The program of the steps, whose extents are then those of a slice.
  Builder steps(def, sizes, order);
  if (!steps.addSteps(statement))
    return std::nullopt;
  DistributedDef whole = steps.take();
  DistributedSlices sliced = {&statement, {}, "", {}, {}};
  distribute::SlicedProgram &program = sliced.program;
  program.slice = std::move(whole.program);
  program.parts.assign(program.slice.arrays.size(), 1);
  for (const DistributedStep &step : whole.steps)
    sliced.steps.push_back(step.step);
  for (ContractionSlice slice : found->second.slices) {
    int64_t size = int64_t(slice.size);
    int64_t count = statement.indices[slice.label].extent.evaluate(sizes) /
                    std::max<int64_t>(size, 1);
    program.numSlices *= count;
    sliced.parts += formatv("{0}{1} of {2}", sliced.parts.empty() ? "" : ", ",
                            size, statement.indices[slice.label].name);
    SmallBitVector isDone(program.slice.arrays.size());
    auto shrink = [&](const ArrayUse &use) {
      if (isDone[use.array])
        return;
      isDone.set(use.array);
      ProgramArray &array = program.slice.arrays[use.array];
      for (unsigned dim = 0; dim != use.subscripts.size(); ++dim)
        for (auto [loop, coefficient] : use.subscripts[dim].terms)
          if (loop == slice.label) {
            array.extents[dim] = std::abs(coefficient) * (size - 1) + 1;
            program.parts[use.array] *= count;
          }
    };
    for (ProgramStatement &step : program.slice.statements) {
      for (const ArrayUse &use : step.reads)
        shrink(use);
      shrink(step.write);
      // A step that has not the loop has one point of it.
      if (step.extents[slice.label] > 1)
        step.extents[slice.label] = size;
    }
  }
  // Where the part begins does not matter to what moves.
  for (ProgramStatement &step : program.slice.statements) {
    for (ArrayUse &use : step.reads)
      for (Subscript &subscript : use.subscripts)
        subscript.constant = 0;
    for (Subscript &subscript : step.write.subscripts)
      subscript.constant = 0;
  }
  return sliced;
}

//===----------------------------------------------------------------------===//
// The plan of a def
//===----------------------------------------------------------------------===//

RankCounts countRanks(const DistributionOptions &options) {
  RankCounts counts = {1, {}};
  for (StringRef part : split(options.ranks, 'x')) {
    int64_t parts = 1;
    (void)part.getAsInteger(10, parts); // checked with the command line
    counts.ranks *= parts;
    counts.grid.push_back(parts);
  }
  if (counts.grid.size() == 1)
    counts.grid.clear();
  return counts;
}

static std::optional<ProgramPlan>
makePlan(const distribute::Program &program,
         const DistributionOptions &distribution, int64_t maxMemory) {
  RankCounts counts = countRanks(distribution);
  if (!counts.grid.empty())
    return planProgram(program, counts.grid, maxMemory, distribution.network);
  return planProgram(program, counts.ranks, maxMemory, distribution.network);
}

/// Whether the statement is better planned step by step than as a whole.
static bool wantsSteps(const Def &def, const Statement &statement,
                       ArrayRef<int64_t> sizes, const CompileOptions &options) {
  Builder whole(def, sizes, options.order), steps(def, sizes, options.order);
  whole.add(statement);
  if (!steps.addSteps(statement))
    return false;
  int64_t memory = options.distribution.maxMemoryBytes;
  std::optional<ProgramPlan> asWhole =
      makePlan(whole.take().program, options.distribution, memory);
  std::optional<ProgramPlan> bySteps =
      makePlan(steps.take().program, options.distribution, memory);
  return bySteps && (!asWhole || bySteps->seconds < asWhole->seconds);
}

/// What a rank has to be given, at most a hundredth more than would do.
/// `getMemory` says what the plan takes that some memory allows, if any.
static int64_t
findEnoughMemory(int64_t tooLittle,
                 function_ref<std::optional<int64_t>(int64_t)> getMemory) {
  double low = double(tooLittle);
  int64_t enough = *getMemory(0);
  while (low * 1.01 < double(enough)) {
    double middle = std::sqrt(low * double(enough));
    if (std::optional<int64_t> less = getMemory(int64_t(middle)))
      enough = *less;
    else
      low = middle;
  }
  return enough;
}

FailureOr<DistributedDef> planDef(const Def &def, const CompileOptions &options,
                                  DiagnosticEngine &diags) {
  const DistributionOptions &distribution = options.distribution;
  RankCounts counts = countRanks(distribution);
  for (const Symbol &symbol : def.symbols)
    if (symbol.isDynamic())
      return diags.report(DiagId::DistributionNeedsSize, symbol.range,
                          {symbol.name});
  if (!counts.grid.empty()) {
    if (def.statements.size() != 1)
      return diags.report(DiagId::DistributionGridForWhich, def.range,
                          {std::to_string(def.statements.size())});
    const Statement &statement = def.statements.front();
    if (statement.indices.size() != counts.grid.size())
      return diags.report(
          DiagId::DistributionGridIndices, statement.range,
          {std::to_string(counts.grid.size()),
           std::to_string(statement.indices.size()),
           join(map_range(statement.indices,
                          [](const Index &index) { return index.name; }),
                ", ")});
  }
  std::vector<int64_t> sizes =
      def.getSymbolValues([](const Symbol &) -> int64_t { return 0; });
  Builder builder(def, sizes, options.order);
  int64_t memory = distribution.maxMemoryBytes;
  auto failForMemory =
      [&](SourceRange range,
          function_ref<std::optional<int64_t>(int64_t)> getMemory) {
        return diags.report(
            DiagId::DistributionNeedsMemory, range,
            {std::to_string(counts.ranks),
             std::to_string(findEnoughMemory(memory, getMemory)),
             std::to_string(memory)});
      };
  std::vector<DistributedSlices> slices;
  for (const Statement &statement : def.statements) {
    std::optional<DistributedSlices> sliced;
    if (counts.grid.empty())
      sliced = builder.makeSlices(statement);
    if (sliced) {
      auto plan = [&](int64_t bytes) {
        return planSlices(sliced->program, counts.ranks, bytes,
                          distribution.network);
      };
      std::optional<distribute::SlicedPlan> own = plan(memory);
      if (!own)
        return failForMemory(
            statement.range, [&](int64_t bytes) -> std::optional<int64_t> {
              if (std::optional<distribute::SlicedPlan> other = plan(bytes))
                return other->memoryBytes;
              return std::nullopt;
            });
      sliced->plan = std::move(*own);
      slices.push_back(std::move(*sliced));
      continue;
    }
    bool isStepped =
        counts.grid.empty() && wantsSteps(def, statement, sizes, options);
    if (!isStepped || !builder.addSteps(statement))
      builder.add(statement);
  }
  DistributedDef planned = builder.take();
  planned.slices = std::move(slices);
  auto plan = [&](int64_t bytes) {
    return makePlan(planned.program, distribution, bytes);
  };
  std::optional<ProgramPlan> own = plan(memory);
  if (!own)
    return failForMemory(def.range,
                         [&](int64_t bytes) -> std::optional<int64_t> {
                           if (std::optional<ProgramPlan> other = plan(bytes))
                             return other->memoryBytes;
                           return std::nullopt;
                         });
  planned.plan = std::move(*own);
  return planned;
}

} // namespace ein
