//===- Calls.cpp - Signatures and calls behind einc.h ---------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call costs little: views are laid out on the stack, and the compiled entry
// checks their sizes. Only when it refuses is it found out why.
//
//===----------------------------------------------------------------------===//

#include "abi/Codes.h"
#include "abi/SizeSources.h"
#include "driver/Commands.h"
#include "library/Library.h"
#include "runtime/Bind.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace ein;

#define EIN_CODE(ENUM, CNAME, VALUE, TEXT)                                     \
  static_assert(VALUE >= EINC_OK && VALUE <= EINC_RANKS);
#include "abi/Codes.def"
#define EIN_ELEMENT_TYPE(ENUM, SPELLING, CTYPE, KIND, BITS, NPY)               \
  static_assert(static_cast<int>(runtime::DType::ENUM) <= EINC_TYPE_INDEX);
#include "abi/ElementTypes.def"
static_assert(static_cast<int>(runtime::DType::BF16) == EINC_TYPE_BF16 &&
              static_cast<int>(runtime::DType::C128) == EINC_TYPE_C128 &&
              static_cast<int>(runtime::DType::I64) == EINC_TYPE_I64 &&
              static_cast<int>(runtime::DType::U64) == EINC_TYPE_U64 &&
              static_cast<int>(runtime::DType::Bool) == EINC_TYPE_BOOL &&
              static_cast<int>(runtime::DType::Index) == EINC_TYPE_INDEX);
static_assert(static_cast<int>(runtime::Role::Input) == EINC_INPUT &&
              static_cast<int>(runtime::Role::Output) == EINC_OUTPUT &&
              static_cast<int>(runtime::Role::InOut) == EINC_INOUT);

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static bool isType(einc_type type) {
  return type >= EINC_TYPE_F32 && type <= EINC_TYPE_INDEX;
}

const char *einc_type_name(einc_type type) {
  return isType(type) ? runtime::getSpelling(static_cast<runtime::DType>(type))
                      : nullptr;
}

size_t einc_type_size(einc_type type) {
  return isType(type) ? runtime::getByteWidth(static_cast<runtime::DType>(type))
                      : 0;
}

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

static StringRef getSpelling(runtime::Role role) {
  switch (role) {
  case runtime::Role::Input:
    return "input";
  case runtime::Role::Output:
    return "output";
  case runtime::Role::InOut:
    return "inout";
  }
  llvm_unreachable("a role that is not listed");
}

static std::string printJson(const CompiledEntry &entry) {
  const runtime::Signature &signature = entry.signature;
  std::string text;
  raw_string_ostream stream(text);
  json::OStream json(stream);
  json.object([&] {
    json.attribute("name", signature.name);
    json.attributeArray("arguments", [&] {
      for (const runtime::Argument &argument : signature.arguments)
        json.object([&] {
          json.attribute("name", argument.name);
          json.attribute("role", getSpelling(argument.role));
          json.attribute("type", runtime::getSpelling(argument.type));
          json.attributeArray("dims", [&] {
            for (const runtime::Dim &dim : argument.dims)
              json.value(runtime::print(dim, signature.symbols));
          });
        });
    });
    json.attributeArray("sizes", [&] {
      for (const std::string &size : signature.symbols)
        json.value(size);
    });
    json.attributeArray("checks", [&] {
      for (const std::string &check : entry.checks)
        json.value(json::fixUTF8(check));
    });
  });
  return text;
}

einc_entry::einc_entry(const CompiledEntry &entry)
    : signature(entry.signature), text(runtime::print(entry.signature)),
      json(printJson(entry)),
      sizesWithoutSource(runtime::getSizesWithoutSource(signature)) {
  for (const runtime::Argument &argument : signature.arguments) {
    std::vector<std::string> &texts = dimTexts.emplace_back();
    for (const runtime::Dim &dim : argument.dims)
      texts.push_back(runtime::print(dim, signature.symbols));
    numWords += 1 + 2 * texts.size();
  }
  for (auto [argument, texts] : zip(signature.arguments, dimTexts)) {
    std::vector<const char *> &pointers = dims.emplace_back();
    for (const std::string &text : texts)
      pointers.push_back(text.c_str());
    arguments.push_back(
        {argument.name.c_str(), static_cast<einc_role>(argument.role),
         static_cast<einc_type>(argument.type), texts.size(), pointers.data()});
  }
}

size_t einc_program_num_entries(const einc_program *program) {
  return program ? program->entries.size() : 0;
}

const einc_entry *einc_program_entry(const einc_program *program,
                                     size_t index) {
  return index < einc_program_num_entries(program)
             ? program->entries[index].get()
             : nullptr;
}

const einc_entry *einc_program_find(const einc_program *program,
                                    const char *name) {
  if (!program) {
    fail(EINC_WRONG_ARGUMENT, "there is no program");
    return nullptr;
  }
  if (!name || !*name)
    return program->main;
  std::vector<StringRef> names;
  for (const std::unique_ptr<einc_entry> &entry : program->entries) {
    if (entry->signature.name == name)
      return entry.get();
    names.push_back(entry->signature.name);
  }
  std::vector<std::string> words = describeUnknownDef(name, names);
  fail(EINC_WRONG_ARGUMENT, "there is no def `" + words[0] + "`" + words[1]);
  return nullptr;
}

const char *einc_entry_name(const einc_entry *entry) {
  return entry ? entry->signature.name.c_str() : "";
}

size_t einc_entry_num_arguments(const einc_entry *entry) {
  return entry ? entry->arguments.size() : 0;
}

const einc_argument *einc_entry_argument(const einc_entry *entry,
                                         size_t index) {
  return index < einc_entry_num_arguments(entry) ? &entry->arguments[index]
                                                 : nullptr;
}

size_t einc_entry_num_sizes(const einc_entry *entry) {
  return entry ? entry->signature.symbols.size() : 0;
}

const char *einc_entry_size_name(const einc_entry *entry, size_t index) {
  return index < einc_entry_num_sizes(entry)
             ? entry->signature.symbols[index].c_str()
             : nullptr;
}

const char *einc_entry_signature(const einc_entry *entry) {
  return entry ? entry->text.c_str() : "";
}

const char *einc_entry_signature_json(const einc_entry *entry) {
  return entry ? entry->json.c_str() : "";
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static einc_status failOn(const einc_entry &entry, size_t argument,
                          const Twine &message) {
  return fail(EINC_WRONG_ARGUMENT,
              "`" + entry.signature.arguments[argument].name + "` " + message);
}

/// Whether an array's bits are those of an argument's type.
static bool isOfType(einc_type type, runtime::DType wanted) {
  return isType(type) &&
         (static_cast<runtime::DType>(type) == wanted ||
          (type == EINC_TYPE_I64 && wanted == runtime::DType::Index) ||
          (type == EINC_TYPE_INDEX && wanted == runtime::DType::I64));
}

static einc_status checkNumber(const einc_entry *entry,
                               const einc_array *arrays, size_t numArrays) {
  if (!entry)
    return fail(EINC_WRONG_ARGUMENT, "there is no entry");
  if (numArrays != entry->arguments.size())
    return fail(EINC_WRONG_ARGUMENT, "`" + entry->signature.name + "` takes " +
                                         Twine(entry->arguments.size()) +
                                         " arrays, not " + Twine(numArrays));
  if (numArrays != 0 && !arrays)
    return fail(EINC_WRONG_ARGUMENT, "there are no arrays");
  return EINC_OK;
}

static einc_status checkType(const einc_entry &entry, size_t argument,
                             const einc_array &array) {
  const runtime::Argument &wanted = entry.signature.arguments[argument];
  if (array.rank != wanted.dims.size())
    return failOn(entry, argument,
                  "has rank " + Twine(array.rank) + ", not " +
                      Twine(wanted.dims.size()) + ", as " +
                      printType(wanted, entry.signature.symbols) + " does");
  if (!isOfType(array.type, wanted.type)) {
    const char *name = einc_type_name(array.type);
    return failOn(entry, argument,
                  "is " + Twine(name ? name : "of no type") + ", not " +
                      runtime::getSpelling(wanted.type));
  }
  return EINC_OK;
}

/// Finds the sizes by all of the rules; the status says who has to mend what is
/// wrong, and the message what that is.
static einc_status solveSizes(const einc_entry &entry, const einc_array *arrays,
                              MutableArrayRef<int64_t> sizes) {
  const runtime::Signature &signature = entry.signature;
  std::vector<runtime::Array> shapes(signature.arguments.size());
  std::vector<const runtime::Array *> pointers(shapes.size());
  for (auto [i, argument] : enumerate(signature.arguments)) {
    if (!arrays[i].sizes)
      continue;
    shapes[i].type = argument.type;
    shapes[i].shape.assign(arrays[i].sizes,
                           arrays[i].sizes + argument.dims.size());
    pointers[i] = &shapes[i];
  }
  runtime::Bindings bindings;
  for (auto [name, size] : zip(signature.symbols, sizes))
    if (size >= 0)
      bindings.push_back({name, size});
  std::vector<int64_t> values;
  std::string error;
  runtime::BindFault fault = runtime::BindFault::Arrays;
  if (!runtime::bindSizes(signature, pointers, bindings, values, error, &fault))
    return fail(fault == runtime::BindFault::Bindings ? EINC_WRONG_ARGUMENT
                                                      : EINC_SHAPE_MISMATCH,
                error);
  llvm::copy(values, sizes.begin());
  return EINC_OK;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

einc_status einc_infer_sizes(const einc_entry *entry, const einc_array *arrays,
                             size_t numArrays, int64_t *sizes) {
  if (einc_status status = checkNumber(entry, arrays, numArrays))
    return status;
  const runtime::Signature &signature = entry->signature;
  if (!sizes && !signature.symbols.empty())
    return fail(EINC_WRONG_ARGUMENT, "there is no place for the sizes");
  SmallVector<int64_t, 16> given(sizes, sizes + signature.symbols.size());
  // Mostly, dims are sizes alone, and agree.
  bool areSimple = true;
  for (auto [i, argument] : enumerate(signature.arguments)) {
    const int64_t *extents = arrays[i].sizes;
    if (!extents)
      continue;
    if (einc_status status = checkType(*entry, i, arrays[i]))
      return status;
    for (auto [d, dim] : enumerate(argument.dims)) {
      bool isLone = dim.isLone();
      if (isLone && sizes[dim.terms[0].first] < 0)
        sizes[dim.terms[0].first] = extents[d];
      areSimple &= extents[d] >= 0 &&
                   (isLone ? sizes[dim.terms[0].first] == extents[d]
                           : dim.isConstant() && dim.constant == extents[d]);
    }
  }
  for (size_t i = 0; i < signature.symbols.size(); ++i)
    areSimple &= sizes[i] >= 0;
  if (areSimple)
    return EINC_OK;
  llvm::copy(given, sizes);
  return solveSizes(*entry, arrays, {sizes, signature.symbols.size()});
}

einc_status einc_infer_shape(const einc_entry *entry, size_t argument,
                             const int64_t *sizes, int64_t *shape) {
  if (!entry || argument >= entry->arguments.size())
    return fail(EINC_WRONG_ARGUMENT, "there is no such argument");
  const runtime::Signature &signature = entry->signature;
  const runtime::Argument &wanted = signature.arguments[argument];
  if ((!sizes && !signature.symbols.empty()) ||
      (!shape && !wanted.dims.empty()))
    return fail(EINC_WRONG_ARGUMENT, "there are no sizes, or no place");
  for (size_t i = 0; i < signature.symbols.size(); ++i)
    if (sizes[i] < 0)
      return fail(EINC_WRONG_ARGUMENT, "the size `" + signature.symbols[i] +
                                           "` is negative: " + Twine(sizes[i]));
  bool areSimple = true;
  for (auto [d, dim] : enumerate(wanted.dims)) {
    areSimple &= dim.isLone();
    if (areSimple)
      shape[d] = sizes[dim.terms[0].first];
  }
  // How many bytes there are has to be a number, too.
  int64_t bytes;
  if (areSimple &&
      runtime::countBytes({shape, shape + wanted.dims.size()},
                          runtime::getByteWidth(wanted.type), bytes))
    return EINC_OK;
  std::vector<int64_t> values(sizes, sizes + signature.symbols.size());
  runtime::Shape extents;
  std::string error;
  if (!runtime::evaluateShape(signature, wanted, values, extents, error))
    return fail(EINC_SHAPE_MISMATCH, error);
  llvm::copy(extents, shape);
  return EINC_OK;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// What the code says, with the reason if it can be found.
static einc_status explainCode(const einc_entry &entry, int32_t code,
                               const einc_array *arrays, const int64_t *given) {
  if (code == EINC_SHAPE_MISMATCH) {
    std::vector<int64_t> sizes(entry.signature.symbols.size(), -1);
    for (unsigned position : entry.sizesWithoutSource)
      sizes[position] = given[position];
    if (solveSizes(entry, arrays, sizes) != EINC_OK)
      return EINC_SHAPE_MISMATCH; // which has said why
  }
  const char *text = runtime::getText(code);
  return fail(static_cast<einc_status>(code),
              "`" + entry.signature.name +
                  "`: " + (text ? text : "an unknown return code"));
}

einc_status einc_call(const einc_entry *entry, const einc_array *arrays,
                      size_t numArrays, const int64_t *sizes) {
  if (einc_status status = checkNumber(entry, arrays, numArrays))
    return status;
  // {data, sizes, strides} each, as the entry reads them.
  SmallVector<int64_t, 96> words(entry->numWords);
  SmallVector<void *, 16> pointers(numArrays);
  int64_t *next = words.data();
  for (size_t i = 0; i < numArrays; ++i) {
    const einc_array &array = arrays[i];
    if (einc_status status = checkType(*entry, i, array))
      return status;
    size_t rank = array.rank;
    if (rank != 0 && !array.sizes)
      return failOn(*entry, i, "has no sizes");
    bool isEmpty = false;
    for (size_t d = 0; d < rank; ++d)
      isEmpty |= array.sizes[d] == 0;
    if (!array.data && !isEmpty)
      return failOn(*entry, i, "has no data");
    size_t width = einc_type_size(array.type);
    // Complex numbers are aligned as their parts.
    bool isComplex =
        array.type == EINC_TYPE_C64 || array.type == EINC_TYPE_C128;
    size_t alignment = isComplex ? width / 2 : width;
    if (reinterpret_cast<uintptr_t>(array.data) % alignment != 0)
      return failOn(*entry, i, "is not aligned");
    if (entry->signature.arguments[i].isScalarInput()) {
      pointers[i] = array.data;
      continue;
    }
    pointers[i] = next;
    *next++ = reinterpret_cast<int64_t>(array.data);
    for (size_t d = 0; d < rank; ++d)
      *next++ = array.sizes[d];
    if (array.strides) {
      for (size_t d = 0; d < rank; ++d)
        *next++ = array.strides[d];
    } else {
      // What overflows is refused by its sizes.
      uint64_t stride = 1;
      for (size_t d = rank; d-- > 0;) {
        next[d] = static_cast<int64_t>(stride);
        stride *= static_cast<uint64_t>(array.sizes[d]);
      }
      next += rank;
    }
  }
  SmallVector<int64_t, 8> rest;
  if (!entry->sizesWithoutSource.empty() && !sizes)
    return fail(
        EINC_WRONG_ARGUMENT,
        "no array says what `" +
            entry->signature.symbols[entry->sizesWithoutSource.front()] +
            "` is");
  for (unsigned position : entry->sizesWithoutSource)
    rest.push_back(sizes[position]);
  int32_t code = entry->function(pointers.data(), rest.data());
  if (code == EINC_OK)
    return EINC_OK;
  return explainCode(*entry, code, arrays, sizes);
}
