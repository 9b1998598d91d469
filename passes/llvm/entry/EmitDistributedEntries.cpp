//===- EmitDistributedEntries.cpp - What C calls on many ranks ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The function that callers see collects its arguments, and the runtime does
// the rest, by the text and the kernels. A communicator is a number in MPICH
// and a pointer in Open MPI; upstream's lowering of the dialect `mpi` knows the
// same.
//
//===----------------------------------------------------------------------===//

#include "abi/Distributed.h"
#include "ir/EinDialect.h"
#include "ir/Signature.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "passes/llvm/entry/Passes.h"

namespace ein {
#define GEN_PASS_DEF_EMITDISTRIBUTEDENTRIES
#include "passes/llvm/entry/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

/// Makes the functions of one program, or its line in a table.
class DistributedEmitter {
public:
  DistributedEmitter(ModuleOp module, StringRef mpi)
      : module(module), mpi(mpi), b(module.getLoc(), module.getContext()),
        pointer(LLVM::LLVMPointerType::get(b.getContext())) {
    recordType =
        LLVM::LLVMStructType::getLiteral(b.getContext(), {pointer, pointer});
  }

  LogicalResult add(DictionaryAttr record);
  LogicalResult emitFunctions(size_t number);
  void emitTable();

private:
  struct Program {
    std::string name, text;
    SmallVector<std::string> kernels;
    runtime::DistributedProgram parsed;
  };

  LLVM::GlobalOp createConstant(const Twine &name, Type type,
                                function_ref<Value()> getValue);
  Value emitRecord(const Program &program);
  FailureOr<SmallVector<Type>> getArgumentTypes(const Program &program);
  LLVM::LLVMFuncOp declare(const Twine &name, ArrayRef<Type> types);
  void emitCall(const Program &program, LLVM::GlobalOp record,
                ArrayRef<Type> types);
  void emitBlock(const Program &program, LLVM::GlobalOp record);
  /// The values in memory, one after the other, each as it is or its address.
  Value spill(ValueRange values, bool byAddress);
  Value constant(int64_t value) {
    return LLVM::ConstantOp::create(b, b.getI64Type(),
                                    b.getI64IntegerAttr(value));
  }
  Type getCommType() {
    return mpi == "openmpi" ? Type(pointer) : Type(b.getI32Type());
  }

  ModuleOp module;
  StringRef mpi;
  ImplicitLocOpBuilder b;
  Type pointer;
  LLVM::LLVMStructType recordType;
  std::vector<Program> programs;
};

} // namespace

LogicalResult DistributedEmitter::add(DictionaryAttr record) {
  auto name = record.getAs<StringAttr>("name");
  auto text = record.getAs<StringAttr>("text");
  auto kernels = record.getAs<ArrayAttr>("kernels");
  Program &program = programs.emplace_back();
  if (!name || !text || !kernels ||
      !runtime::parse(text.getValue().str(), program.parsed))
    return module.emitError("`")
           << EinDialect::kDistributedAttr << "` is no program for many ranks";
  program.name = name.getValue().str();
  program.text = text.getValue().str();
  for (Attribute kernel : kernels) {
    auto kernelName = dyn_cast<StringAttr>(kernel);
    std::string entry =
        kernelName ? (kPackedPrefix + kernelName.getValue()).str() : "";
    auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(entry);
    if (!function)
      return module.emitError("there is no kernel ") << kernel;
    function.setLinkage(LLVM::Linkage::Internal);
    program.kernels.push_back(entry);
  }
  return success();
}

LLVM::GlobalOp
DistributedEmitter::createConstant(const Twine &name, Type type,
                                   function_ref<Value()> getValue) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(module.getBody());
  auto global =
      LLVM::GlobalOp::create(b, type, /*isConstant=*/true,
                             LLVM::Linkage::Internal, name.str(), Attribute());
  b.createBlock(&global.getInitializerRegion());
  LLVM::ReturnOp::create(b, getValue());
  return global;
}

/// In the initialiser of a global: the text and the kernels.
Value DistributedEmitter::emitRecord(const Program &program) {
  LLVM::GlobalOp text, kernels;
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(module.getBody());
    std::string ended = program.text + '\0';
    text = LLVM::GlobalOp::create(
        b, LLVM::LLVMArrayType::get(b.getI8Type(), ended.size()),
        /*isConstant=*/true, LLVM::Linkage::Internal,
        "__ein_text_" + program.name, b.getStringAttr(ended));
    auto type = LLVM::LLVMArrayType::get(pointer, program.kernels.size());
    kernels = createConstant("__ein_kernels_" + program.name, type, [&] {
      Value value = LLVM::ZeroOp::create(b, type);
      for (auto [i, kernel] : llvm::enumerate(program.kernels)) {
        int64_t position = i;
        value = LLVM::InsertValueOp::create(
            b, value, LLVM::AddressOfOp::create(b, pointer, kernel),
            ArrayRef<int64_t>{position});
      }
      return value;
    });
  }
  Value value = LLVM::ZeroOp::create(b, recordType);
  value = LLVM::InsertValueOp::create(
      b, value, LLVM::AddressOfOp::create(b, text), ArrayRef<int64_t>{0});
  return LLVM::InsertValueOp::create(
      b, value, LLVM::AddressOfOp::create(b, kernels), ArrayRef<int64_t>{1});
}

/// As C passes them; an error for what it passes in ways of its own.
FailureOr<SmallVector<Type>>
DistributedEmitter::getArgumentTypes(const Program &program) {
  SmallVector<Type> types;
  for (const runtime::Argument &argument : program.parsed.signature.arguments) {
    if (!argument.isScalarInput()) {
      types.push_back(pointer);
      continue;
    }
    unsigned bits = 8 * runtime::getByteWidth(argument.type);
    switch (runtime::getKind(argument.type)) {
    case runtime::DKind::Complex:
      return module.emitError(
                 "a function for many ranks takes no complex number "
                 "by value; make `")
             << argument.name << "` an array of one element";
    case runtime::DKind::Float:
      // Half-precision numbers are passed as their bits.
      types.push_back(bits == 64   ? Type(b.getF64Type())
                      : bits == 32 ? Type(b.getF32Type())
                                   : Type(b.getI16Type()));
      break;
    default:
      types.push_back(b.getIntegerType(bits));
    }
  }
  return types;
}

LLVM::LLVMFuncOp DistributedEmitter::declare(const Twine &name,
                                             ArrayRef<Type> types) {
  std::string full = ("__ein_" + mpi + "_" + name).str();
  if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(full))
    return function;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(module.getBody());
  return LLVM::LLVMFuncOp::create(
      b, full, LLVM::LLVMFunctionType::get(b.getI32Type(), types));
}

Value DistributedEmitter::spill(ValueRange values, bool byAddress) {
  auto allocate = [&](Type type, int64_t count) -> Value {
    return LLVM::AllocaOp::create(b, pointer, type, constant(count));
  };
  Type type = byAddress ? pointer : Type(b.getI64Type());
  Value memory = allocate(type, std::max<int64_t>(values.size(), 1));
  for (auto [i, value] : llvm::enumerate(values)) {
    Value stored = value;
    if (byAddress && value.getType() != pointer) {
      stored = allocate(value.getType(), 1);
      LLVM::StoreOp::create(b, value, stored);
    }
    Value address =
        LLVM::GEPOp::create(b, pointer, type, memory,
                            ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i)});
    LLVM::StoreOp::create(b, stored, address);
  }
  return memory;
}

/// `int mm(MPI_Comm comm, const float *A, …, int64_t M, …)`
void DistributedEmitter::emitCall(const Program &program, LLVM::GlobalOp record,
                                  ArrayRef<Type> types) {
  size_t numSizes = program.parsed.signature.symbols.size();
  LLVM::LLVMFuncOp callee =
      declare("call", {getCommType(), pointer, pointer, pointer});
  SmallVector<Type> parameters = {getCommType()};
  llvm::append_range(parameters, types);
  parameters.append(numSizes, b.getI64Type());
  b.setInsertionPointToEnd(module.getBody());
  auto function = LLVM::LLVMFuncOp::create(
      b, program.name, LLVM::LLVMFunctionType::get(b.getI32Type(), parameters));
  b.setInsertionPointToStart(function.addEntryBlock(b));
  ValueRange values = function.getArguments();
  Value arguments = spill(values.slice(1, types.size()), /*byAddress=*/true);
  Value sizes = spill(values.take_back(numSizes), /*byAddress=*/false);
  auto call = LLVM::CallOp::create(
      b, callee,
      ValueRange{values[0], LLVM::AddressOfOp::create(b, record), arguments,
                 sizes});
  LLVM::ReturnOp::create(b, call.getResult());
}

/// `int mm_block(MPI_Comm comm, int argument, int64_t *starts, int64_t
/// *extents, int64_t M, …)`
void DistributedEmitter::emitBlock(const Program &program,
                                   LLVM::GlobalOp record) {
  size_t numSizes = program.parsed.signature.symbols.size();
  LLVM::LLVMFuncOp callee =
      declare("block", {getCommType(), pointer, b.getI32Type(), pointer,
                        pointer, pointer});
  SmallVector<Type> parameters = {getCommType(), b.getI32Type(), pointer,
                                  pointer};
  parameters.append(numSizes, b.getI64Type());
  b.setInsertionPointToEnd(module.getBody());
  auto function = LLVM::LLVMFuncOp::create(
      b, program.name + "_block",
      LLVM::LLVMFunctionType::get(b.getI32Type(), parameters));
  b.setInsertionPointToStart(function.addEntryBlock(b));
  ValueRange values = function.getArguments();
  Value sizes = spill(values.take_back(numSizes), /*byAddress=*/false);
  auto call = LLVM::CallOp::create(
      b, callee,
      ValueRange{values[0], LLVM::AddressOfOp::create(b, record), values[1],
                 values[2], values[3], sizes});
  LLVM::ReturnOp::create(b, call.getResult());
}

LogicalResult DistributedEmitter::emitFunctions(size_t number) {
  const Program &program = programs[number];
  FailureOr<SmallVector<Type>> types = getArgumentTypes(program);
  if (failed(types))
    return failure();
  LLVM::GlobalOp record =
      createConstant("__ein_distributed_" + program.name, recordType,
                     [&] { return emitRecord(program); });
  emitCall(program, record, *types);
  emitBlock(program, record);
  return success();
}

/// What an executable's main reads; it ends with a null text.
void DistributedEmitter::emitTable() {
  auto type = LLVM::LLVMArrayType::get(recordType, programs.size() + 1);
  LLVM::GlobalOp table = createConstant("__ein_distributed", type, [&] {
    Value value = LLVM::ZeroOp::create(b, type);
    for (auto [i, program] : llvm::enumerate(programs)) {
      int64_t row = i;
      value = LLVM::InsertValueOp::create(b, value, emitRecord(program),
                                          ArrayRef<int64_t>{row});
    }
    return value;
  });
  table.setLinkage(LLVM::Linkage::External);
}

namespace {
struct EmitDistributedEntriesPass
    : impl::EmitDistributedEntriesBase<EmitDistributedEntriesPass> {
  using EmitDistributedEntriesBase::EmitDistributedEntriesBase;

  void runOnOperation() override {
    auto records =
        getOperation()->getAttrOfType<ArrayAttr>(EinDialect::kDistributedAttr);
    if (!records)
      return;
    if (mpi != "openmpi" && mpi != "mpich") {
      getOperation().emitError("there is no MPI library `") << mpi << "`";
      return signalPassFailure();
    }
    DistributedEmitter emitter(getOperation(), mpi);
    for (auto record : records.getAsRange<DictionaryAttr>())
      if (failed(emitter.add(record)))
        return signalPassFailure();
    if (executable)
      emitter.emitTable();
    for (size_t i = 0; i != records.size() && !executable; ++i)
      if (failed(emitter.emitFunctions(i)))
        return signalPassFailure();
    getOperation()->removeAttr(EinDialect::kDistributedAttr);
  }
};
} // namespace

} // namespace ein
