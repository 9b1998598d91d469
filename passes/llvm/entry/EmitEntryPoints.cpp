//===- EmitEntryPoints.cpp - The C functions that callers see -----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's calling convention passes a memref as seven or more scalars; a C
// programmer wants `int mm(const float *A, const float *B, float *C, int64_t M,
// int64_t K, int64_t N)`. The entry made here is that function: it checks the
// sizes, computes the strides of contiguous arrays and calls the kernel. Where
// there is no other entry, LLVM inlines the kernel into it.
//
// The contract of the C interface, that an output overlaps nothing, is told to
// LLVM here: every array of the kernel is `noalias` (inputs may overlap each
// other; `noalias` on memory that is only read says nothing about that).
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "passes/analysis/CompileBudget.h"
#include "passes/llvm/entry/AskForTiles.h"
#include "passes/llvm/entry/EntryBuilder.h"
#include "passes/llvm/entry/PassByTable.h"
#include "passes/llvm/entry/Passes.h"
#include "passes/llvm/entry/TableHelpers.h"
#include "passes/schedule/MachineAttrs.h"

namespace ein {
#define GEN_PASS_DEF_EMITENTRYPOINTS
#include "passes/llvm/entry/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

/// Makes the entries of one kernel that take contiguous arrays.
class EntryEmitter : EntryBuilder {
public:
  EntryEmitter(LLVM::LLVMFuncOp kernel, const Signature &signature,
               const EntryOptions &options, SharedChecks *shared)
      : EntryBuilder(kernel, signature, kernel.getSymName(), options, shared) {}

  LogicalResult run();
  /// Without what ein-name-kernels put before it.
  StringRef getName() const { return name; }

private:
  LogicalResult checkScalars();
  LogicalResult hideKernel();
  LogicalResult hideWritten();
  void returnCodes(LLVM::LLVMFuncOp function);
  void emitEntry();
  bool deservesSpecialKernel();
  void emitPackedEntry();
  void emitPointersEntry();
  void emitBody(bool isInlined);
  /// Where a contiguous array lies.
  struct Extent {
    Value begin, bytes;
    std::optional<int64_t> numBytes;
    bool isWritten;
    Value getEnd(ImplicitLocOpBuilder &b) const {
      return LLVM::AddOp::create(b, begin, bytes);
    }
  };
  void emitOverlapChecks();
  Value emitAreApart(ArrayRef<Extent> arrays);
  LLVM::LLVMFuncOp getSharedChecks();
  void appendArray(const Argument &argument, Value pointer,
                   SmallVectorImpl<Value> &operands);
  SmallVector<Value> getOperands();

  LLVM::LLVMFuncOp entry;
};

} // namespace

/// That C functions can be made for them.
LogicalResult EntryEmitter::checkScalars() {
  if (options.packed || options.complexConvention != ComplexConvention::Unknown)
    return success();
  for (const Argument &argument : signature.arguments)
    if (argument.isScalar() && isComplex(argument.type))
      return kernel.emitError("how C passes a complex number by value is not "
                              "known for this target; make `")
             << argument.name << "` an array of one element";
  return success();
}

LogicalResult EntryEmitter::hideKernel() {
  if (!name.consume_front(kKernelPrefix))
    return kernel.emitError("is not called `")
           << kKernelPrefix << "…`; run `ein-name-kernels` first";
  unsigned expected = signature.symbols.size();
  SmallVector<unsigned> alignedPointers;
  for (const Argument &argument : signature.arguments) {
    if (argument.isScalar()) {
      ++expected;
      continue;
    }
    alignedPointers.push_back(expected - signature.symbols.size() + 1);
    expected += getNumDescriptorFields(argument.dims.getNumResults());
  }
  if (signature.hasStatus) {
    alignedPointers.push_back(expected - signature.symbols.size() + 1);
    expected += getNumDescriptorFields(/*rank=*/0);
  }
  if (kernel.getNumArguments() != expected ||
      !isa<LLVM::LLVMVoidType>(kernel.getFunctionType().getReturnType()))
    return kernel.emitError("does not have the type that its `")
           << EinDialect::kSignatureAttr << "` implies";
  // All at once, as each time makes them all anew.
  SmallVector<DictionaryAttr> attributes;
  kernel.getAllArgAttrs(attributes);
  for (unsigned position : alignedPointers) {
    NamedAttrList own(attributes[position]);
    own.set(LLVM::LLVMDialect::getNoAliasAttrName(), b.getUnitAttr());
    attributes[position] = own.getDictionary(b.getContext());
  }
  kernel.setAllArgAttrs(attributes);

  kernel.setLinkage(LLVM::Linkage::Internal);
  kernel->removeAttr(EinDialect::kSignatureAttr);
  if (failed(hideWritten()))
    return failure();
  returnCodes(kernel);
  return success();
}

/// What is called where arrays overlap, if there is something, becomes short
/// code that LLVM keeps away from the rest.
LogicalResult EntryEmitter::hideWritten() {
  LLVM::LLVMFuncOp written = lookupWritten(kernel, name);
  if (!written)
    return success();
  if (written.getFunctionType() != kernel.getFunctionType())
    return written.emitError("has another type than `")
           << kernel.getSymName() << "`, whose arrays it takes";
  written.setPassthroughAttr(
      b.getStrArrayAttr({"cold", "minsize", "noinline", "optsize"}));
  returnCodes(written);
  return success();
}

/// Has a kernel return a code: Ok at its end, OutOfMemory where it cannot have
/// its memory.
void EntryEmitter::returnCodes(LLVM::LLVMFuncOp function) {
  SmallVector<LLVM::ReturnOp> returns;
  SmallVector<LLVM::CallOp> allocations;
  function.walk([&](LLVM::ReturnOp op) { returns.push_back(op); });
  function.walk([&](LLVM::CallOp op) {
    if (op.getCallee() == "malloc")
      allocations.push_back(op);
  });
  for (LLVM::ReturnOp op : returns) {
    b.setInsertionPoint(op);
    LLVM::ReturnOp::create(b, constantCode(runtime::Code::Ok));
    op.erase();
  }
  for (LLVM::CallOp op : allocations) {
    Block *block = op->getBlock();
    Block *rest = block->splitBlock(std::next(op->getIterator()));
    Block *fail = b.createBlock(block->getParent(), block->getParent()->end());
    LLVM::ReturnOp::create(b, constantCode(runtime::Code::OutOfMemory));
    b.setInsertionPointToEnd(block);
    Value null = LLVM::ZeroOp::create(b, getPointerType());
    Value isGood =
        LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ne, op.getResult(), null);
    LLVM::CondBrOp::create(b, isGood, rest, fail);
  }
  function.setFunctionType(LLVM::LLVMFunctionType::get(
      b.getI32Type(), function.getFunctionType().getParams()));
}

/// Whether no array that is written overlaps another one, found in a loop.
Value EntryEmitter::emitAreApart(ArrayRef<Extent> arrays) {
  SmallVector<Value> spans;
  for (const Extent &array : arrays)
    spans.append({array.begin, array.bytes, constant(array.isWritten)});
  auto module = kernel->getParentOfType<ModuleOp>();
  Value overlaps =
      LLVM::CallOp::create(
          b, getOrAddTableHelper(module, "__ein_any_span_overlaps"),
          ValueRange{createTable(b, spans), constant(arrays.size())})
          .getResult();
  return LLVM::XOrOp::create(b, overlaps, constantBit(true));
}

/// Each output against every other array. The kernel relies on it: its arrays
/// are `noalias`. What a function on memrefs makes of arrays that overlap, its
/// written form does.
void EntryEmitter::emitOverlapChecks() {
  SmallVector<Extent> arrays;
  for (auto [i, argument] : llvm::enumerate(signature.arguments)) {
    if (argument.isScalar())
      continue;
    Value bytes = constant(getByteWidth(argument));
    for (Value extent : emitAffines(argument.dims))
      bytes = LLVM::MulOp::create(b, bytes, extent);
    std::optional<int64_t> numBytes = getByteWidth(argument);
    for (AffineExpr dim : argument.dims.getResults()) {
      auto literal = dyn_cast<AffineConstantExpr>(dim);
      numBytes = literal && numBytes
                     ? std::optional(*numBytes * literal.getValue())
                     : std::nullopt;
    }
    Value begin = LLVM::PtrToIntOp::create(b, b.getI64Type(), arguments[i]);
    arrays.push_back({begin, bytes, numBytes, argument.isWritten()});
  }
  auto check = [&](Value isGood) {
    emitOverlapCheck(isGood, [&] { return getOperands(); });
  };
  if (options.byTable)
    return check(emitAreApart(arrays));
  // Pairs of which one is written. An array without elements overlaps nothing,
  // wherever it is.
  SmallVector<std::pair<Extent, Extent>> pairs;
  for (auto [i, first] : llvm::enumerate(arrays))
    for (const Extent &second : ArrayRef(arrays).drop_front(i + 1))
      if ((first.isWritten || second.isWritten) && first.numBytes != 0 &&
          second.numBytes != 0)
        pairs.push_back({first, second});
  if (pairs.empty())
    return;
  auto conjoin = [&](auto isApart) {
    Value all;
    for (const auto &[first, second] : pairs) {
      Value is = isApart(first, second);
      all = all ? LLVM::AndOp::create(b, all, is).getResult() : is;
    }
    return all;
  };
  // Arrays with elements overlap if the second one begins less than its length
  // before the first one, or less than that one's length behind it: a range of
  // distances, which is one comparison.
  Value areApart = conjoin([&](const Extent &first, const Extent &second) {
    Value last = LLVM::SubOp::create(b, second.bytes, constant(1));
    Value distance = LLVM::SubOp::create(b, second.begin, first.begin);
    return compare(LLVM::ICmpPredicate::uge,
                   LLVM::AddOp::create(b, distance, last),
                   LLVM::AddOp::create(b, first.bytes, last));
  });
  bool haveElements = llvm::all_of(pairs, [](const auto &pair) {
    return pair.first.numBytes && pair.second.numBytes;
  });
  if (haveElements)
    return check(areApart);
  // That may say of one without elements that it overlaps.
  auto isBefore = [&](const Extent &first, const Extent &second) -> Value {
    return compare(LLVM::ICmpPredicate::ule, first.getEnd(b), second.begin);
  };
  emitUnlessLikely(areApart, [&] {
    check(conjoin([&](const Extent &first, const Extent &second) {
      Value isApart = LLVM::OrOp::create(b, isBefore(first, second),
                                         isBefore(second, first));
      for (const Extent &array : {first, second})
        isApart = LLVM::OrOp::create(
            b, isApart,
            compare(LLVM::ICmpPredicate::eq, array.bytes, constant(0)));
      return isApart;
    }));
  });
}

/// The fields of a contiguous row-major memref.
void EntryEmitter::appendArray(const Argument &argument, Value pointer,
                               SmallVectorImpl<Value> &operands) {
  operands.append({pointer, pointer, constant(0)});
  SmallVector<Value> extents = emitAffines(argument.dims);
  SmallVector<Value> strides(extents.size());
  Value stride = constant(1);
  for (size_t i = extents.size(); i-- > 0;) {
    strides[i] = stride;
    stride = LLVM::MulOp::create(b, stride, extents[i]);
  }
  llvm::append_range(operands, extents);
  llvm::append_range(operands, strides);
}

void EntryEmitter::emitEntry() {
  size_t numSizes = signature.symbols.size();
  entry = createEntry((options.packed ? "__ein_entry_" : "") + name, numSizes,
                      /*isVisible=*/!options.packed);
  sizes = llvm::to_vector_of<Value>(entry.getArguments().take_back(numSizes));
  emitBody(deservesSpecialKernel());
}

/// Checks `arguments` and `sizes`, and returns the kernel's code.
void EntryEmitter::emitBody(bool isInlined) {
  if (options.hasChecks && shared) {
    SmallVector<Value> checked = arguments;
    llvm::append_range(checked, sizes);
    auto call = LLVM::CallOp::create(b, getSharedChecks(), checked);
    emitReturnUnless(compare(LLVM::ICmpPredicate::eq, call.getResult(),
                             constantCode(runtime::Code::Ok)),
                     [&] { return call.getResult(); });
  } else if (options.hasChecks) {
    emitSizeChecks();
    emitOverlapChecks();
  }
  LLVM::ReturnOp::create(b, emitKernelCall(getOperands(), isInlined));
}

/// The kernel's, but for the sizes.
SmallVector<Value> EntryEmitter::getOperands() {
  SmallVector<Value> operands;
  for (auto [i, argument] : llvm::enumerate(signature.arguments)) {
    if (argument.isScalar())
      operands.push_back(arguments[i]);
    else
      appendArray(argument, arguments[i], operands);
  }
  return operands;
}

/// The function that checks what `arguments` and `sizes` are.
LLVM::LLVMFuncOp EntryEmitter::getSharedChecks() {
  if (shared->ofArrays)
    return shared->ofArrays;
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Value> ownArguments = arguments, ownSizes = sizes;
  SmallVector<Type> types = llvm::to_vector(ValueRange(arguments).getTypes());
  types.append(sizes.size(), b.getI64Type());
  LLVM::LLVMFuncOp function =
      createFunction("__ein_checks_" + name, types, /*isVisible=*/false);
  function.setNoInline(true);
  ValueRange given = function.getArguments();
  arguments = llvm::to_vector_of<Value>(given.drop_back(sizes.size()));
  sizes = llvm::to_vector_of<Value>(given.take_back(sizes.size()));
  emitSizeChecks();
  emitOverlapChecks();
  returnCode(runtime::Code::Ok);
  arguments = std::move(ownArguments);
  sizes = std::move(ownSizes);
  return shared->ofArrays = function;
}

/// Whether the contiguous entry gets the kernel with strides that are numbers.
/// It is a second copy for LLVM to compile, which pays: rows of A that are read
/// where they are need no addresses of their own then. What takes LLVM long is
/// left out.
bool EntryEmitter::deservesSpecialKernel() {
  bool isStatic = signature.symbols.empty();
  int64_t numOps = 0;
  kernel.walk([&](Operation *) { ++numOps; });
  return isStatic && numOps <= CompileBudget::kMostOpsForSecondKernel;
}

void EntryEmitter::emitPackedEntry() {
  auto function =
      createFunction(kPackedPrefix + name, {getPointerType(), getPointerType()},
                     /*isVisible=*/true);
  SmallVector<Value> operands;
  for (auto [i, argument] : llvm::enumerate(signature.arguments)) {
    Value pointer = load(function.getArgument(0), i, getPointerType());
    operands.push_back(argument.isScalar() ? load(pointer, 0, getScalarType(i))
                                           : pointer);
  }
  for (unsigned i = 0, e = signature.symbols.size(); i < e; ++i)
    operands.push_back(load(function.getArgument(1), i, b.getI64Type()));
  auto call = LLVM::CallOp::create(b, entry, operands);
  LLVM::ReturnOp::create(b, call.getResult());
}

/// `NAME_packed`, for callers that know the function by its metadata: takes
/// pointers to all parameters, sizes too.
void EntryEmitter::emitPointersEntry() {
  auto function = createFunction(name + "_packed", {getPointerType()},
                                 /*isVisible=*/true);
  Value pointers = function.getArgument(0);
  int64_t next = 0;
  bool hasComplexScalar = false;
  arguments.clear();
  sizes.clear();
  for (auto [i, argument] : llvm::enumerate(signature.arguments)) {
    Value pointer = load(pointers, next++, getPointerType());
    bool isScalar = argument.isScalar();
    hasComplexScalar |= isScalar && isComplex(argument.type);
    arguments.push_back(isScalar ? load(pointer, 0, getScalarType(i))
                                 : pointer);
  }
  for (size_t i = 0, e = signature.symbols.size(); i < e; ++i)
    sizes.push_back(
        load(load(pointers, next++, getPointerType()), 0, b.getI64Type()));
  // How C passes a complex number is of no use to who has a pointer to it.
  if (hasComplexScalar)
    return emitBody(/*isInlined=*/false);
  leaveAsItIs(function);
  SmallVector<Value> operands = arguments;
  llvm::append_range(operands, sizes);
  auto call = LLVM::CallOp::create(b, entry, operands);
  LLVM::ReturnOp::create(b, call.getResult());
}

LogicalResult EntryEmitter::run() {
  if (failed(checkScalars()) || failed(hideKernel()))
    return failure();
  emitEntry();
  if (options.packed)
    emitPackedEntry();
  else
    emitPointersEntry();
  return success();
}

/// The table `__ein_entries` of abi/Signature.h.
static void emitTable(ModuleOp module,
                      ArrayRef<std::pair<std::string, std::string>> entries) {
  ImplicitLocOpBuilder b(module.getLoc(), module.getContext());
  b.setInsertionPointToEnd(module.getBody());
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto recordType =
      LLVM::LLVMStructType::getLiteral(b.getContext(), {pointer, pointer});
  SmallVector<LLVM::GlobalOp> texts;
  for (auto [i, entry] : llvm::enumerate(entries)) {
    std::string text = entry.second + '\0';
    texts.push_back(LLVM::GlobalOp::create(
        b, LLVM::LLVMArrayType::get(b.getI8Type(), text.size()),
        /*isConstant=*/true, LLVM::Linkage::Private,
        ("__ein_signature_" + Twine(i)).str(), b.getStringAttr(text)));
  }
  auto tableType = LLVM::LLVMArrayType::get(recordType, entries.size() + 1);
  auto table = LLVM::GlobalOp::create(b, tableType, /*isConstant=*/true,
                                      LLVM::Linkage::External, "__ein_entries",
                                      Attribute());
  b.createBlock(&table.getInitializerRegion());
  Value value = LLVM::ZeroOp::create(b, tableType);
  for (auto [i, entry] : llvm::enumerate(entries)) {
    int64_t row = i;
    Value text = LLVM::AddressOfOp::create(b, texts[i]);
    Value function = LLVM::AddressOfOp::create(
        b, pointer, (kPackedPrefix + entry.first).str());
    value =
        LLVM::InsertValueOp::create(b, value, text, ArrayRef<int64_t>{row, 0});
    value = LLVM::InsertValueOp::create(b, value, function,
                                        ArrayRef<int64_t>{row, 1});
  }
  LLVM::ReturnOp::create(b, value);
}

/// What entries of very many arguments call gets them by a table, and what it
/// does with them, checking them above all, LLVM compiles as it is: thousands
/// of short blocks, of which its passes would make nothing that is worth the
/// time they take, more than twice as much for twice as many.
static void passManyByTable(LLVM::LLVMFuncOp kernel, Operation *lastBefore) {
  SmallVector<LLVM::LLVMFuncOp> entries;
  for (Operation *op = lastBefore->getNextNode(); op; op = op->getNextNode())
    if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op))
      if (!function.isExternal())
        entries.push_back(function);
  ArrayAttr asItIs =
      Builder(kernel.getContext()).getStrArrayAttr({"optnone", "noinline"});
  for (LLVM::LLVMFuncOp entry : entries) {
    entry.setPassthroughAttr(asItIs);
    if (entry.getLinkage() == LLVM::Linkage::Internal)
      passByTable(entry);
  }
  kernel.setNoInline(true);
  passByTable(kernel);
  for (LLVM::LLVMFuncOp entry : entries)
    cutBlocks(entry);
}

/// All that the checks of a kernel's arguments depend on: two with the same
/// text have the same ones.
static std::string describeShape(LLVM::LLVMFuncOp kernel,
                                 const Signature &signature) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const Argument &argument : signature.arguments)
    os << static_cast<int>(argument.role) << ' '
       << static_cast<int>(argument.type) << ' ' << argument.dims << '\n';
  os << signature.symbols.size() << '\n';
  llvm::interleaveComma(signature.scalars, os);
  for (AffineMap map : signature.minima)
    os << '\n' << map;
  for (const Check &check : signature.checks) {
    os << '\n' << static_cast<int>(check.kind);
    for (AffineMap map : {check.expr, check.unlessEmpty, check.factors})
      os << ' ' << (map ? map : AffineMap());
  }
  for (StringRef name : {EinDialect::kContiguousAttr, EinDialect::kJoinedAttr})
    os << '\n' << kernel->getAttr(name);
  // What is called where arrays overlap is of one kernel alone.
  StringRef name = kernel.getSymName();
  name.consume_front(kKernelPrefix);
  if (lookupWritten(kernel, name))
    os << '\n' << name;
  return text;
}

namespace {
struct EmitEntryPointsPass : impl::EmitEntryPointsBase<EmitEntryPointsPass> {
  using EmitEntryPointsBase::EmitEntryPointsBase;

  std::optional<ComplexConvention> takeComplexConvention() {
    auto name = getOperation()->getAttrOfType<StringAttr>(
        EinDialect::kComplexConventionAttr);
    if (!name)
      return ComplexConvention::Unknown;
    getOperation()->removeAttr(EinDialect::kComplexConventionAttr);
    std::optional<ComplexConvention> convention =
        parseComplexConvention(name.getValue());
    if (!convention)
      getOperation().emitError("there is no convention `")
          << name.getValue() << "` for complex numbers";
    return convention;
  }

  void runOnOperation() override {
    getOperation()->removeAttr(EinDialect::kInstructionsAttr);
    std::optional<ComplexConvention> convention = takeComplexConvention();
    if (!convention)
      return signalPassFailure();
    EntryOptions options = {packed || executable, checks, *convention, sveBits};
    SmallVector<LLVM::LLVMFuncOp> kernels;
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (function->hasAttr(EinDialect::kSignatureAttr))
        kernels.push_back(function);

    // What was made on the way (wrappers of external functions, helpers of the
    // deallocation) must not meet its like in another object.
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (!function.isExternal() &&
          !function->hasAttr(EinDialect::kSignatureAttr))
        function.setLinkage(LLVM::Linkage::Internal);

    SmallVector<Signature> signatures;
    SmallVector<std::string> shapes;
    llvm::StringMap<unsigned> numKernels;
    for (LLVM::LLVMFuncOp kernel : kernels) {
      FailureOr<Signature> signature = Signature::fromOp(kernel);
      if (failed(signature))
        return signalPassFailure();
      shapes.push_back(describeShape(kernel, *signature));
      ++numKernels[shapes.back()];
      signatures.push_back(std::move(*signature));
    }

    SmallVector<std::pair<std::string, std::string>> entries;
    llvm::StringMap<SharedChecks> sharedChecks;
    for (auto [kernel, signature, shape] :
         llvm::zip_equal(kernels, signatures, shapes)) {
      Operation *last = &getOperation().getBody()->back();
      bool isLong = kernel.getNumArguments() >= CompileBudget::kManyArguments;
      SharedChecks *shared =
          !isLong && numKernels[shape] > 1 ? &sharedChecks[shape] : nullptr;
      options.asksForTiles = usesTiles(kernel);
      options.byTable = isLong;
      EntryEmitter emitter(kernel, signature, options, shared);
      if (failed(emitter.run()) ||
          (views && failed(emitViewEntries(kernel, signature, emitter.getName(),
                                           options, shared))))
        return signalPassFailure();
      kernel->removeAttr(EinDialect::kContiguousAttr);
      kernel->removeAttr(EinDialect::kJoinedAttr);
      if (auto written = lookupWritten(kernel, emitter.getName()))
        written->removeAttr(EinDialect::kContiguousAttr);
      if (isLong)
        passManyByTable(kernel, last);
      entries.push_back(
          {emitter.getName().str(),
           runtime::print(signature.toRuntime(emitter.getName()))});
    }
    if (executable)
      emitTable(getOperation(), entries);
  }
};
} // namespace

} // namespace ein
