//===- Npz.h - Archives of arrays -----------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What numpy.savez writes: a ZIP archive of .npy files that are not compressed
// (PKWARE, APPNOTE.TXT, 4.3; with the fields for more than 4 GiB, 4.5.3).
//
//===----------------------------------------------------------------------===//

#ifndef EIN_RUNTIME_NPZ_H
#define EIN_RUNTIME_NPZ_H

#include "runtime/InputFile.h"
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ein::runtime {

/// Whether `path` is named as an archive is.
bool isArchive(const std::string &path);
/// `a.npz:x` is the member `x` of `a.npz`; false if `path` is not of this form.
bool splitMember(const std::string &path, std::string &archive,
                 std::string &member);

struct NpzMember {
  std::string name; // without .npy
  int64_t offset = 0;
  int64_t size = 0;
};

/// The arrays of an archive, in its order.
bool listMembers(const std::string &path, std::vector<NpzMember> &members,
                 std::string &error);
/// The one of that name in a file of `fileSize` bytes; it can be read from its
/// offset on.
bool findMember(InputFile &file, int64_t fileSize, const std::string &name,
                NpzMember &member, std::string &error);

/// What is written to an archive.
struct NpzContents {
  std::string name; // without .npy
  /// The parts of the .npy file, one after the other.
  std::vector<std::pair<const void *, int64_t>> parts;
};

/// Hands the bytes of the archive to `write`, in order; false where `write`
/// is.
bool writeArchive(const std::vector<NpzContents> &contents,
                  const std::function<bool(const void *, int64_t)> &write);

} // namespace ein::runtime

#endif // EIN_RUNTIME_NPZ_H
