//===- Metadata.cpp - What an artefact says of itself --------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "backend/Metadata.h"
#include "backend/ObjectFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/JSON.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace ein {

/// Mach-O has names of two parts.
static constexpr StringLiteral kSection = ".einc";
static constexpr StringLiteral kMachOSection = "__DATA,__einc";

//===----------------------------------------------------------------------===//
// As constants
//===----------------------------------------------------------------------===//

namespace {
/// Makes the structs of Metadata.def.
class ConstantMaker {
public:
  explicit ConstantMaker(Module &module) : module(module) {}

  Constant *make(int32_t value) {
    return ConstantInt::getSigned(Type::getInt32Ty(module.getContext()), value);
  }
  Constant *make(const std::string &text) {
    return hide(ConstantDataArray::getString(module.getContext(), text));
  }
  template <typename T> Constant *make(const std::vector<T> &values) {
    SmallVector<Constant *> constants;
    for (const T &value : values)
      constants.push_back(make(value));
    if (constants.empty())
      return ConstantPointerNull::get(
          PointerType::getUnqual(module.getContext()));
    return hide(ConstantArray::get(
        ArrayType::get(constants[0]->getType(), constants.size()), constants));
  }
  Constant *make(const ArgumentMetadata &argument) {
    SmallVector<Constant *> fields;
#define EIN_ARGUMENT_FIELD(KIND, NAME, TEXT)                                   \
  fields.push_back(make(argument.NAME));
#include "backend/Metadata.def"
    return ConstantStruct::getAnon(fields);
  }
  Constant *make(const FunctionMetadata &function) {
    SmallVector<Constant *> fields;
#define EIN_METADATA_FIELD(KIND, NAME, TEXT)                                   \
  fields.push_back(make(function.NAME));
#include "backend/Metadata.def"
    return ConstantStruct::getAnon(fields);
  }

  /// The address of a constant that no other file sees.
  GlobalVariable *hide(Constant *value) {
    auto *global = new GlobalVariable(
        module, value->getType(), /*isConstant=*/true,
        GlobalValue::PrivateLinkage, value, "__ein_metadata");
    global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    return global;
  }

private:
  Module &module;
};

json::Value toJson(int32_t value) { return value; }
json::Value toJson(const std::string &text) { return json::fixUTF8(text); }
json::Value toJson(const ArgumentMetadata &argument);
template <typename T> json::Value toJson(const std::vector<T> &values) {
  json::Array array;
  for (const T &value : values)
    array.push_back(toJson(value));
  return array;
}
json::Value toJson(const ArgumentMetadata &argument) {
  json::Object object;
#define EIN_ARGUMENT_FIELD(KIND, NAME, TEXT)                                   \
  object[#NAME] = toJson(argument.NAME);
#include "backend/Metadata.def"
  return object;
}
json::Value toJson(const FunctionMetadata &function) {
  json::Object object;
#define EIN_METADATA_FIELD(KIND, NAME, TEXT)                                   \
  object[#NAME] = toJson(function.NAME);
#include "backend/Metadata.def"
  return object;
}
} // namespace

/// `const ein_metadata *NAME_metadata(void)`.
static void addAccessor(Module &module, StringRef name, Constant *table) {
  auto *type =
      FunctionType::get(PointerType::getUnqual(module.getContext()), false);
  auto *function = Function::Create(type, GlobalValue::ExternalLinkage,
                                    name + "_metadata", module);
  function->addFnAttr(Attribute::NoUnwind);
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", function));
  builder.CreateRet(table);
}

void addMetadata(Module &module, ArrayRef<FunctionMetadata> functions) {
  ConstantMaker maker(module);
  std::string lines;
  for (const FunctionMetadata &function : functions) {
    addAccessor(module, function.name, maker.hide(maker.make(function)));
    lines += formatv("{0}\n", toJson(function)).str();
  }
  GlobalVariable *text = maker.hide(ConstantDataArray::getString(
      module.getContext(), lines, /*AddNull=*/false));
  text->setSection(module.getTargetTriple().isOSBinFormatMachO() ? kMachOSection
                                                                 : kSection);
  text->setAlignment(Align(1)); // so that sections join without gaps
  // Nobody reads it by its address.
  appendToUsed(module, {text});
}

void addVersion(Module &module, StringRef text) {
  Constant *value = ConstantDataArray::getString(module.getContext(), text);
  new GlobalVariable(module, value->getType(), /*isConstant=*/true,
                     GlobalValue::ExternalLinkage, value, "__ein_version");
}

void addCpuTable(Module &module, ArrayRef<Constant *> names,
                 Function *getRunnable) {
  auto *pointer = PointerType::getUnqual(module.getContext());
  Constant *null = ConstantPointerNull::get(pointer);
  SmallVector<Constant *> list(names);
  list.push_back(null);
  Constant *array =
      ConstantArray::get(ArrayType::get(pointer, list.size()), list);
  Constant *table = ConstantStruct::getAnon(
      {ConstantMaker(module).hide(array), getRunnable ? getRunnable : null});
  new GlobalVariable(module, table->getType(), /*isConstant=*/true,
                     GlobalValue::ExternalLinkage, table, "__ein_cpus");
}

//===----------------------------------------------------------------------===//
// In files
//===----------------------------------------------------------------------===//

/// A linker joins the sections of its inputs.
static Error readObject(const object::ObjectFile &object,
                        std::vector<std::string> &lines) {
  for (const object::SectionRef &section : object.sections()) {
    Expected<StringRef> name = section.getName();
    if (!name)
      return name.takeError();
    if (*name != kSection && *name != "__einc")
      continue;
    Expected<StringRef> contents = section.getContents();
    if (!contents)
      return contents.takeError();
    SmallVector<StringRef> parts;
    contents->split(parts, '\n', -1, /*KeepEmpty=*/false);
    for (StringRef part : parts)
      if (part.starts_with("{")) // padding is zeros
        lines.push_back(part.str());
  }
  return Error::success();
}

Expected<std::vector<std::string>> readMetadata(StringRef path) {
  std::vector<std::string> lines;
  if (Error error = forEachObject(path, [&](const object::ObjectFile &object) {
        return readObject(object, lines);
      }))
    return Expected<std::vector<std::string>>(std::move(error));
  return lines;
}

} // namespace ein
