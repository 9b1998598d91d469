//===- OutputFile.cpp - Files that appear complete or not at all --------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// llvm::writeToOutput renames over whatever has the name, which makes a file of
// /dev/full and, for root, of /dev/null.
//
//===----------------------------------------------------------------------===//

#include "backend/OutputFile.h"
#include "runtime/HeldSignals.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace ein {

bool isSpecialFile(StringRef path) {
  sys::fs::file_status status;
  return !sys::fs::status(path, status) && sys::fs::exists(status) &&
         status.type() != sys::fs::file_type::regular_file;
}

/// Writes everything; the stream's error is taken over and will not end the
/// process.
static std::error_code write(raw_fd_ostream &stream, ArrayRef<char> bytes) {
  stream.write(bytes.data(), bytes.size());
  stream.flush();
  std::error_code error = stream.error();
  stream.clear_error();
  return error;
}

static std::error_code writeDirectly(StringRef path, ArrayRef<char> bytes) {
  if (sys::fs::is_directory(path))
    return make_error_code(std::errc::is_a_directory);
  std::error_code error;
  raw_fd_ostream stream(path, error, sys::fs::CD_OpenExisting);
  return error ? error : write(stream, bytes);
}

static std::error_code writeAndRename(StringRef path, ArrayRef<char> bytes) {
  // A link stays one.
  SmallString<128> target(path);
  if (sys::fs::exists(path))
    (void)sys::fs::real_path(path, target);
  runtime::HeldSignals signals;
  SmallString<128> temporary;
  int descriptor = -1;
  if (std::error_code error = sys::fs::createUniqueFile(target + ".tmp-%%%%%%",
                                                        descriptor, temporary))
    return error;
  std::error_code error;
  {
    raw_fd_ostream stream(descriptor, /*shouldClose=*/true);
    error = write(stream, bytes);
  }
  // And what was readable or executable for some.
  if (ErrorOr<sys::fs::perms> permissions = sys::fs::getPermissions(target);
      !error && permissions)
    error = sys::fs::setPermissions(temporary, *permissions);
  if (!error && signals.isWaiting())
    error = std::make_error_code(std::errc::interrupted);
  if (!error)
    error = sys::fs::rename(temporary, target);
  if (error)
    (void)sys::fs::remove(temporary);
  return error;
}

Error writeFile(StringRef path, ArrayRef<char> bytes) {
  std::error_code error = path == "-"           ? write(outs(), bytes)
                          : isSpecialFile(path) ? writeDirectly(path, bytes)
                                                : writeAndRename(path, bytes);
  if (!error)
    return Error::success();
  std::string name =
      path == "-" ? "the standard output" : "`" + path.str() + "`";
  return createStringError(error,
                           "cannot write " + name + ": " + error.message());
}

} // namespace ein
