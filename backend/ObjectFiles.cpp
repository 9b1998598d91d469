//===- ObjectFiles.cpp - The objects that a file holds --------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "backend/ObjectFiles.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/Error.h"
#include "llvm/Object/MachOUniversal.h"
#include "llvm/Object/ObjectFile.h"

using namespace llvm;
using namespace llvm::object;

namespace ein {

using Visitor = function_ref<Error(const ObjectFile &)>;

static Error visitMember(const Archive::Child &child, Visitor visit) {
  auto addName = [&](Error error) -> Error {
    Expected<StringRef> name = child.getName();
    if (!name) {
      consumeError(name.takeError());
      return error;
    }
    return createStringError("`" + *name + "`: " + toString(std::move(error)));
  };
  Expected<std::unique_ptr<Binary>> member = child.getAsBinary();
  if (!member) {
    // A text, say.
    Error error = handleErrors(
        member.takeError(), [](std::unique_ptr<ECError> code) -> Error {
          if (code->convertToErrorCode() == object_error::invalid_file_type)
            return Error::success();
          return Error(std::move(code));
        });
    return error ? addName(std::move(error)) : Error::success();
  }
  if (auto *object = dyn_cast<ObjectFile>(member->get()))
    if (Error error = visit(*object))
      return addName(std::move(error));
  return Error::success();
}

static Error visitArchive(const Archive &archive, Visitor visit) {
  Error error = Error::success();
  for (const Archive::Child &child : archive.children(error))
    if (Error failure = visitMember(child, visit)) {
      consumeError(std::move(error));
      return failure;
    }
  return error;
}

static Error visitUniversal(const MachOUniversalBinary &file, Visitor visit) {
  for (const MachOUniversalBinary::ObjectForArch &part : file.objects()) {
    if (Expected<std::unique_ptr<MachOObjectFile>> object =
            part.getAsObjectFile()) {
      if (Error error = visit(**object))
        return error;
      continue;
    } else {
      consumeError(object.takeError());
    }
    Expected<std::unique_ptr<Archive>> archive = part.getAsArchive();
    if (!archive)
      return archive.takeError();
    if (Error error = visitArchive(**archive, visit))
      return error;
  }
  return Error::success();
}

Error forEachObject(StringRef path, Visitor visit) {
  Expected<OwningBinary<Binary>> binary = createBinary(path);
  if (!binary)
    return binary.takeError();
  if (auto *archive = dyn_cast<Archive>(binary->getBinary()))
    return visitArchive(*archive, visit);
  if (auto *object = dyn_cast<ObjectFile>(binary->getBinary()))
    return visit(*object);
  if (auto *file = dyn_cast<MachOUniversalBinary>(binary->getBinary()))
    return visitUniversal(*file, visit);
  return createStringError("it is no object, library or executable");
}

} // namespace ein
