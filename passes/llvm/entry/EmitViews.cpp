//===- EmitViews.cpp - The entries that take strides ----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel reads any strides but the last, which is one to it. So a view
// entry looks at the strides once: where every last one is one (or has nothing
// to step over), and dims that the kernel has as one follow each other, the
// views go to the kernel as they are; the others are copied to contiguous
// memory first, and outputs back. A kernel that a user wrote on memrefs without
// strides reads contiguous arrays only, and copied is what is not one.
//
// The alternative is a second kernel, compiled for dynamic last strides. It
// would double every object and the time to make it, and what it saves is
// small: a contraction copies its operands to panels anyway, a strided tile of
// C would have to be gathered and scattered once per block of k, and
// elementwise code that loads scalars runs at the speed of a copy. What the
// copy costs is memory (EIN_OUT_OF_MEMORY where there is none) and, for code
// that memory bounds, one more pass over the array.
//
// NAME_view and `_mlir_ciface_NAME` differ in how they find data, sizes and
// strides, and in who says the sizes; the rest is one internal function,
// `__ein_strided_NAME`. What copies is a function of its own,
// `__ein_copied_NAME`, which LLVM compiles as it is: beside the copies its own
// code takes no time, and of LLVM's it would take half of what the entries do.
//
//===----------------------------------------------------------------------===//

#include "abi/SizeSources.h"
#include "ir/EinDialect.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "passes/llvm/entry/ViewEmitter.h"

using namespace mlir;

namespace ein {

Type ViewEmitter::getViewType(size_t argument) {
  SmallVector<Type> fields = {getPointerType()};
  if (int64_t rank = getRank(argument))
    fields.append(2, LLVM::LLVMArrayType::get(b.getI64Type(), rank));
  return LLVM::LLVMStructType::getLiteral(b.getContext(), fields);
}

Type ViewEmitter::getDescriptorType(size_t argument) {
  SmallVector<Type> fields = {getPointerType(), getPointerType(),
                              b.getI64Type()};
  if (int64_t rank = getRank(argument))
    fields.append(2, LLVM::LLVMArrayType::get(b.getI64Type(), rank));
  return LLVM::LLVMStructType::getLiteral(b.getContext(), fields);
}

ViewEmitter::View ViewEmitter::readView(size_t argument, Value pointer) {
  Type type = getViewType(argument);
  Value data = loadField(type, pointer, 0, getPointerType());
  if (getRank(argument) == 0)
    return {data, getNull(), getNull()};
  return {data, getField(type, pointer, 1), getField(type, pointer, 2)};
}

ViewEmitter::View ViewEmitter::readDescriptor(size_t argument, Value pointer) {
  Type type = getDescriptorType(argument);
  Value aligned = loadField(type, pointer, 1, getPointerType());
  Value offset = loadField(type, pointer, 2, b.getI64Type());
  Value bytes = LLVM::MulOp::create(
      b, offset, constant(getByteWidth(signature.arguments[argument])));
  Value data = LLVM::GEPOp::create(b, getPointerType(), b.getI8Type(), aligned,
                                   ArrayRef<LLVM::GEPArg>{bytes});
  if (getRank(argument) == 0)
    return {data, getNull(), getNull()};
  return {data, getField(type, pointer, 3), getField(type, pointer, 4)};
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// Finds the sizes in the views' extents, as abi/SizeSources.h says;
/// `given` are those that no extent gives.
void ViewEmitter::emitSources(ArrayRef<View> views, ValueRange given) {
  sizes.assign(layout.symbols.size(), Value());
  for (auto [symbol, value] :
       llvm::zip_equal(runtime::getSizesWithoutSource(layout), given))
    sizes[symbol] = value;
  std::vector<bool> isGiven(views.size(), true), isKnown;
  for (Value size : sizes)
    isKnown.push_back(bool(size));
  for (const runtime::SizeSource &source :
       findSizeSources(layout, isGiven, isKnown)) {
    Value extent =
        load(views[source.argument].sizes, source.dim, b.getI64Type());
    if (source.isLone()) {
      sizes[source.symbol] = extent;
      continue;
    }
    Value rest = constant(source.rest.constant);
    for (auto [symbol, coefficient] : source.rest.terms)
      rest = LLVM::AddOp::create(
          b, rest,
          LLVM::MulOp::create(b, sizes[symbol], constant(coefficient)));
    Value remaining = LLVM::SubOp::create(b, extent, rest);
    if (options.hasChecks)
      emitCheck(compare(LLVM::ICmpPredicate::sge, remaining, constant(0)),
                runtime::Code::ShapeMismatch);
    sizes[source.symbol] =
        LLVM::SDivOp::create(b, remaining, constant(source.coefficient));
  }
}

/// Every extent is what the sizes make it.
void ViewEmitter::emitDimChecks(ArrayRef<View> views) {
  for (auto [i, argument] : llvm::enumerate(signature.arguments))
    for (auto [d, dim] : llvm::enumerate(argument.dims.getResults()))
      emitCheck(compare(LLVM::ICmpPredicate::eq,
                        load(views[i].sizes, d, b.getI64Type()),
                        emitAffine(dim)),
                runtime::Code::ShapeMismatch);
}

//===----------------------------------------------------------------------===//
// The call
//===----------------------------------------------------------------------===//

SmallVector<Value> ViewEmitter::getRowMajorStrides(size_t argument) {
  SmallVector<Value> extents = emitAffines(signature.arguments[argument].dims);
  SmallVector<Value> strides(extents.size());
  Value stride = constant(1);
  for (size_t d = extents.size(); d-- > 0;) {
    strides[d] = stride;
    stride = LLVM::MulOp::create(b, stride, extents[d]);
  }
  return strides;
}

/// The strides of an array that the kernel reads as it is. The last one is one,
/// and of dims that are joined each is as far as the next one goes; a dim of
/// one element goes as far as the one before it. Others are those of the view.
SmallVector<Value> ViewEmitter::getWantedStrides(size_t argument,
                                                 const View &view) {
  if (isContiguous[argument])
    return getRowMajorStrides(argument);
  int64_t rank = getRank(argument);
  SmallVector<Value> extents = emitAffines(signature.arguments[argument].dims);
  SmallVector<Value> strides(rank);
  const llvm::SmallBitVector &isJoined = joined[argument];
  for (int64_t d = rank; d-- > 0;) {
    if (isJoined.test(d)) {
      strides[d] = LLVM::MulOp::create(b, strides[d + 1], extents[d + 1]);
      continue;
    }
    if (d + 1 == rank) {
      strides[d] = constant(1);
      continue;
    }
    // The last of those that are joined: the step of any that has elements.
    Value step = load(view.strides, d, b.getI64Type());
    Value size = extents[d];
    for (int64_t outer = d; outer-- > 0 && isJoined.test(outer);) {
      step = LLVM::SelectOp::create(
          b, compare(LLVM::ICmpPredicate::eq, size, constant(1)),
          load(view.strides, outer, b.getI64Type()), step);
      size = LLVM::MulOp::create(b, size, extents[outer]);
    }
    strides[d] = step;
  }
  return strides;
}

/// The kernel's code for these arrays, whose last strides it takes to be one.
Value ViewEmitter::callKernel(GetView getView) {
  SmallVector<Value> operands;
  for (auto [i, argument] : llvm::enumerate(signature.arguments)) {
    View view = getView(i);
    if (argument.isScalar()) {
      operands.push_back(view.data);
      continue;
    }
    operands.append({view.data, view.data, constant(0)});
    llvm::append_range(operands, emitAffines(argument.dims));
    llvm::append_range(operands, getWantedStrides(i, view));
  }
  return emitKernelCall(std::move(operands));
}

/// Whether a stride that the kernel takes for granted, the last, all of them,
/// or those of joined dims, is neither what it should be nor of no importance.
Value ViewEmitter::needsCopy(size_t argument, const View &view) {
  SmallVector<Value> wanted(getRank(argument));
  wanted.back() = constant(1);
  if (hasJoinedDims(argument))
    wanted = getWantedStrides(argument, view);
  return hasOtherStrides(view, wanted);
}

/// Whether a stride is neither what it should be nor of no importance; those
/// that may be any are null.
Value ViewEmitter::hasOtherStrides(const View &view, ArrayRef<Value> strides) {
  Value result;
  for (auto [d, wanted] : llvm::enumerate(strides)) {
    if (!wanted)
      continue;
    Value stride = load(view.strides, d, b.getI64Type());
    Value extent = load(view.sizes, d, b.getI64Type());
    Value isWrong = LLVM::AndOp::create(
        b, compare(LLVM::ICmpPredicate::ne, stride, wanted),
        compare(LLVM::ICmpPredicate::sgt, extent, constant(1)));
    result =
        result ? LLVM::OrOp::create(b, result, isWrong).getResult() : isWrong;
  }
  return result;
}

/// Copies what has to be, calls the kernel, copies results back.
void ViewEmitter::emitCopies(ArrayRef<View> views, ArrayRef<Value> isCopied) {
  // `then` is built where `condition` holds; what follows goes on behind it.
  auto emitIf = [&](Value condition, llvm::function_ref<void()> then) {
    Block *current = b.getInsertionBlock();
    Region *region = current->getParent();
    Block *body = b.createBlock(region, region->end());
    Block *next = b.createBlock(region, region->end());
    b.setInsertionPointToEnd(current);
    LLVM::CondBrOp::create(b, condition, body, next);
    b.setInsertionPointToStart(body);
    then();
    LLVM::BrOp::create(b, next);
    b.setInsertionPointToStart(next);
  };
  auto copy = [&](size_t i, const View &to, const View &from) {
    callHelper("__ein_copy", {to.data, to.strides, from.data, from.strides,
                              views[i].sizes, constant(getRank(i)),
                              constant(getByteWidth(signature.arguments[i]))});
  };

  SmallVector<View> arrays(views);
  SmallVector<Value> offsets(views.size());
  Value total = constant(64);
  for (size_t i = 0; i < views.size(); ++i) {
    if (!isCopied[i])
      continue;
    offsets[i] = total;
    arrays[i].strides = LLVM::AllocaOp::create(
        b, getPointerType(), b.getI64Type(), constant(getRank(i)));
    // Rows that are repeated are so in the copy, unless all have to be there:
    // no size is taken for a stride of zero but that of a dim without elements.
    Value repeats = hasJoinedDims(i) ? views[i].sizes : views[i].strides;
    Value bytes = callHelper("__ein_compact",
                             {views[i].sizes, repeats, constant(getRank(i)),
                              constant(getByteWidth(signature.arguments[i])),
                              arrays[i].strides});
    bytes = LLVM::SelectOp::create(b, isCopied[i], bytes, constant(0));
    total = LLVM::AddOp::create(b, total, bytes);
    arrays[i].strides = LLVM::SelectOp::create(
        b, isCopied[i], arrays[i].strides, views[i].strides);
  }
  auto allocate = *LLVM::lookupOrCreateMallocFn(b, module, b.getI64Type());
  auto release = *LLVM::lookupOrCreateFreeFn(b, module);
  Value memory =
      LLVM::CallOp::create(b, allocate, ValueRange{total}).getResult();
  emitCheck(compare(LLVM::ICmpPredicate::ne, memory, getNull()),
            runtime::Code::OutOfMemory);
  // The first 64 bytes are there to begin on a cache line after.
  Value address = LLVM::PtrToIntOp::create(b, b.getI64Type(), memory);
  Value misfit = LLVM::AndOp::create(b, address, constant(63));
  for (size_t i = 0; i < views.size(); ++i) {
    if (!isCopied[i])
      continue;
    Value offset = LLVM::SubOp::create(b, offsets[i], misfit);
    Value place = LLVM::GEPOp::create(b, getPointerType(), b.getI8Type(),
                                      memory, ArrayRef<LLVM::GEPArg>{offset});
    arrays[i].data =
        LLVM::SelectOp::create(b, isCopied[i], place, views[i].data);
    if (signature.arguments[i].role != TensorRole::Output)
      emitIf(isCopied[i], [&] { copy(i, arrays[i], views[i]); });
  }
  Value code =
      shared ? callStrided(
                   arrays,
                   b.getInsertionBlock()->getParent()->getArguments().back(),
                   /*isReady=*/true)
             : callKernel([&](size_t i) { return arrays[i]; });
  Value isGood =
      compare(LLVM::ICmpPredicate::eq, code, constantCode(runtime::Code::Ok));
  for (size_t i = 0; i < views.size(); ++i)
    if (isCopied[i] && signature.arguments[i].isWritten())
      emitIf(LLVM::AndOp::create(b, isGood, isCopied[i]),
             [&] { copy(i, views[i], arrays[i]); });
  LLVM::CallOp::create(b, release, ValueRange{memory});
  LLVM::ReturnOp::create(b, code);
}

/// A function of, per argument, a scalar or (data, sizes, strides), of every
/// size, and of what `more` has.
LLVM::LLVMFuncOp ViewEmitter::createViewFunction(const Twine &prefix,
                                                 SmallVectorImpl<View> &views,
                                                 ArrayRef<Type> more) {
  SmallVector<Type> types;
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    if (isArray(i))
      types.append(3, getPointerType());
    else
      types.push_back(getScalarType(i));
  }
  types.append(layout.symbols.size(), b.getI64Type());
  llvm::append_range(types, more);
  LLVM::LLVMFuncOp function =
      createFunction(prefix + name, types, /*isVisible=*/false);
  auto *next = function.args_begin();
  arguments.clear();
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    arguments.push_back(*next);
    views.push_back({*next++, Value(), Value()});
    if (!isArray(i))
      continue;
    views[i].sizes = *next++;
    views[i].strides = *next++;
  }
  sizes.assign(next, function.args_end() - more.size());
  return function;
}

/// By argument, whether it has to be copied; null where it never has.
SmallVector<Value> ViewEmitter::findCopied(ArrayRef<View> views) {
  SmallVector<Value> isCopied(views.size());
  for (size_t i = 0; i < views.size(); ++i)
    if (isArray(i) && getRank(i) != 0)
      isCopied[i] = needsCopy(i, views[i]);
  return isCopied;
}

/// `__ein_copied_NAME`, if there may be something to copy.
LLVM::LLVMFuncOp ViewEmitter::emitCopied() {
  bool isNeeded = false;
  for (size_t i = 0; i < signature.arguments.size(); ++i)
    isNeeded |= isArray(i) && getRank(i) != 0;
  if (!isNeeded)
    return nullptr;
  SmallVector<View> views;
  SmallVector<Type> more;
  if (shared)
    more.push_back(getPointerType());
  LLVM::LLVMFuncOp function = createViewFunction("__ein_copied_", views, more);
  function.setPassthroughAttr(
      b.getStrArrayAttr({"optnone", "noinline", "cold"}));
  emitCopies(views, findCopied(views));
  return function;
}

/// Checks the views, and returns what `copied` does if some are to be copied.
/// What it has no arguments for, that function has.
void ViewEmitter::emitViewChecks(ArrayRef<View> views,
                                 LLVM::LLVMFuncOp copied) {
  if (options.hasChecks) {
    emitSizeChecks();
    emitDimChecks(views);
    emitOverlapChecks(views);
  }
  if (!copied)
    return;
  Value any;
  for (Value isCopied : findCopied(views))
    if (isCopied)
      any = any ? LLVM::OrOp::create(b, any, isCopied).getResult() : isCopied;
  Block *current = b.getInsertionBlock();
  Region *region = current->getParent();
  Block *copying = b.createBlock(region, region->end());
  Block *direct = b.createBlock(region, region->end());
  b.setInsertionPointToEnd(current);
  LLVM::CondBrOp::create(b, any, copying, direct);
  b.setInsertionPointToStart(copying);
  auto call = LLVM::CallOp::create(b, copied, region->getArguments());
  LLVM::ReturnOp::create(b, call.getResult());
  b.setInsertionPointToStart(direct);
}

/// What the functions that kernels share return if the kernel is to be called;
/// no code of abi/Codes.def.
static constexpr int32_t kCallKernel = -1;

/// `__ein_view_checks_NAME`: what comes before the kernel's call, for all
/// kernels with these arguments. The last one is a function that calls the
/// kernel, for what is copied.
LLVM::LLVMFuncOp ViewEmitter::getSharedChecks() {
  if (shared->ofViews)
    return shared->ofViews;
  LLVM::LLVMFuncOp copied = emitCopied();
  SmallVector<View> views;
  LLVM::LLVMFuncOp function =
      createViewFunction("__ein_view_checks_", views, {getPointerType()});
  function.setNoInline(true);
  emitViewChecks(views, copied);
  LLVM::ReturnOp::create(
      b, LLVM::ConstantOp::create(b, b.getI32Type(),
                                  b.getI32IntegerAttr(kCallKernel)));
  return shared->ofViews = function;
}

/// `__ein_strided_NAME`. Where checks are shared, its last argument says that
/// the kernel takes the views as they are.
void ViewEmitter::emitStrided() {
  if (options.byTable)
    return emitLongStrided();
  SmallVector<View> views;
  if (!shared) {
    LLVM::LLVMFuncOp copied = emitCopied();
    strided = createViewFunction("__ein_strided_", views);
    emitViewChecks(views, copied);
    LLVM::ReturnOp::create(b, callKernel([&](size_t i) { return views[i]; }));
    return;
  }
  LLVM::LLVMFuncOp checks = getSharedChecks();
  strided = createViewFunction("__ein_strided_", views, {b.getI1Type()});
  strided.setNoInline(true);
  SmallVector<Value> operands(strided.getArguments());
  Value isReady = operands.pop_back_val();
  Block *current = b.getInsertionBlock();
  Region *region = current->getParent();
  Block *checking = b.createBlock(region, region->end());
  operands.push_back(LLVM::AddressOfOp::create(b, strided));
  Value code = LLVM::CallOp::create(b, checks, operands).getResult();
  Value goOn = LLVM::ConstantOp::create(b, b.getI32Type(),
                                        b.getI32IntegerAttr(kCallKernel));
  emitReturnUnless(compare(LLVM::ICmpPredicate::eq, code, goOn),
                   [&] { return code; });
  Block *calling = b.getInsertionBlock();
  LLVM::ReturnOp::create(b, callKernel([&](size_t i) { return views[i]; }));
  b.setInsertionPointToEnd(current);
  LLVM::CondBrOp::create(b, isReady, calling, checking);
}

/// Calls `__ein_strided_NAME`, of this kernel or, where `callee` is its
/// address, of one with the same arguments.
Value ViewEmitter::callStrided(ArrayRef<View> views, Value callee,
                               bool isReady) {
  SmallVector<Value> operands;
  if (callee)
    operands.push_back(callee);
  for (size_t i = 0; i < views.size(); ++i) {
    operands.push_back(views[i].data);
    if (isArray(i))
      operands.append({views[i].sizes, views[i].strides});
  }
  llvm::append_range(operands, sizes);
  if (shared)
    operands.push_back(constantBit(isReady));
  if (!callee)
    return LLVM::CallOp::create(b, strided, operands).getResult();
  SmallVector<Type> types =
      llvm::to_vector(ValueRange(operands).drop_front().getTypes());
  auto type = LLVM::LLVMFunctionType::get(b.getI32Type(), types);
  return LLVM::CallOp::create(b, type, operands).getResult();
}

void ViewEmitter::returnStrided(ArrayRef<View> views) {
  LLVM::ReturnOp::create(
      b, options.byTable
             ? callLongStrided(views)
             : callStrided(views, /*callee=*/nullptr, /*isReady=*/false));
}

//===----------------------------------------------------------------------===//
// What callers see
//===----------------------------------------------------------------------===//

void ViewEmitter::emitViewEntry() {
  size_t numSizes = runtime::getSizesWithoutSource(layout).size();
  auto function = createEntry(name + "_view", numSizes, /*isVisible=*/true);
  if (shared)
    leaveAsItIs(function);
  SmallVector<View> views;
  for (auto [i, argument] : llvm::enumerate(arguments))
    views.push_back(isArray(i) ? readView(i, argument)
                               : View{argument, Value(), Value()});
  emitSources(views, function.getArguments().take_back(numSizes));
  returnStrided(views);
}

void ViewEmitter::emitPackedViewEntry() {
  auto function = createFunction(kPackedViewPrefix + name,
                                 {getPointerType(), getPointerType()},
                                 /*isVisible=*/true);
  SmallVector<View> views;
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    Value pointer = load(function.getArgument(0), i, getPointerType());
    views.push_back(isArray(i) ? readView(i, pointer)
                               : View{load(pointer, 0, getScalarType(i)),
                                      Value(), Value()});
  }
  SmallVector<Value> given;
  for (size_t i = 0, e = runtime::getSizesWithoutSource(layout).size(); i < e;
       ++i)
    given.push_back(load(function.getArgument(1), i, b.getI64Type()));
  emitSources(views, given);
  returnStrided(views);
}

void ViewEmitter::emitDescriptorEntry() {
  size_t numSizes = layout.symbols.size();
  auto function =
      createEntry("_mlir_ciface_" + name, numSizes, /*isVisible=*/true);
  leaveAsItIs(function);
  SmallVector<View> views;
  for (auto [i, argument] : llvm::enumerate(arguments))
    views.push_back(isArray(i) ? readDescriptor(i, argument)
                               : View{argument, Value(), Value()});
  sizes =
      llvm::to_vector_of<Value>(function.getArguments().take_back(numSizes));
  returnStrided(views);
}

/// What a mark of the kernel has, which are numbers, if it is there.
FailureOr<ArrayRef<int64_t>> ViewEmitter::takeNumbers(StringRef mark) {
  Attribute attr = kernel->getAttr(mark);
  if (!attr)
    return ArrayRef<int64_t>();
  auto numbers = dyn_cast<DenseI64ArrayAttr>(attr);
  if (!numbers)
    return kernel.emitError("has a malformed `") << mark << "`";
  return numbers.asArrayRef();
}

LogicalResult ViewEmitter::takeContiguous() {
  FailureOr<ArrayRef<int64_t>> positions =
      takeNumbers(EinDialect::kContiguousAttr);
  if (failed(positions))
    return failure();
  for (int64_t position : *positions) {
    if (position < 0 || position >= int64_t(isContiguous.size()))
      return kernel.emitError("has no argument #")
             << position << ", which its `" << EinDialect::kContiguousAttr
             << "` names";
    isContiguous[position] = true;
  }
  return success();
}

LogicalResult ViewEmitter::takeJoined() {
  for (size_t i = 0; i < joined.size(); ++i)
    joined[i].resize(getRank(i));
  FailureOr<ArrayRef<int64_t>> numbers = takeNumbers(EinDialect::kJoinedAttr);
  if (failed(numbers))
    return failure();
  for (size_t i = 0; i < numbers->size(); i += 2) {
    ArrayRef<int64_t> pair = numbers->drop_front(i).take_front(2);
    if (pair.size() != 2 || pair[0] < 0 || pair[0] >= int64_t(joined.size()) ||
        pair[1] < 0 || pair[1] + 1 >= getRank(pair[0]))
      return kernel.emitError("has no such dims of arguments as its `")
             << EinDialect::kJoinedAttr << "` names";
    // What goes through tables asks for all dims or for none.
    if (options.byTable)
      isContiguous[pair[0]] = true;
    else
      joined[pair[0]].set(pair[1]);
  }
  return success();
}

LogicalResult ViewEmitter::run() {
  if (failed(takeContiguous()) || failed(takeJoined()))
    return failure();
  if (!module.lookupSymbol<LLVM::LLVMFuncOp>("__ein_copy"))
    return kernel.emitError(
        "has no helpers beside it; run `ein-add-view-helpers` first");
  emitStrided();
  if (options.packed) {
    emitPackedViewEntry();
  } else {
    emitViewEntry();
    emitDescriptorEntry();
  }
  return success();
}

LogicalResult emitViewEntries(LLVM::LLVMFuncOp kernel,
                              const Signature &signature, StringRef name,
                              const EntryOptions &options,
                              SharedChecks *shared) {
  return ViewEmitter(kernel, signature, name, options, shared).run();
}

} // namespace ein
