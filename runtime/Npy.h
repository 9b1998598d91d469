//===- Npy.h - Arrays in .npy files -----------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// numpy's file format (numpy/lib/format.py): versions 1 to 3, C and Fortran
// order, either byte order, f4 and f8. A file is somebody else's word: nothing
// in it is believed before it has been checked against the file's own length,
// and everything that is wrong with one is one line of text that names it.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_RUNTIME_NPY_H
#define EIN_RUNTIME_NPY_H

#include "runtime/Array.h"
#include "runtime/HeldSignals.h"
#include <memory>

namespace ein::runtime {

/// Reads a file into a row-major array of exactly the type it has. `-` is the
/// standard input; pipes are read to their end. False and `error` otherwise.
bool readNpy(const std::string &path, Array &array, std::string &error);

/// Writes version 1 (2 if the header is too long for it).
///
/// A regular file appears under its name complete or not at all: it is written
/// beside the target, and renamed. What is not a regular file (a pipe, a
/// terminal, anything below /dev or /proc, and `-`, the standard output) is
/// written to directly.
bool writeNpy(const std::string &path, const Array &array, std::string &error);

/// The two halves of writeNpy, for when several files have to appear together:
/// stage all of them, then commit all of them. Without a commit nothing is
/// left behind.
class NpyWriter {
public:
  NpyWriter() = default;
  NpyWriter(NpyWriter &&other);
  NpyWriter &operator=(NpyWriter &&) = delete;
  ~NpyWriter();

  /// Does all that can fail for want of space or permission. What is written
  /// to directly is only looked at now; `array` has to live until the commit.
  bool stage(const std::string &path, const Array &array, std::string &error);
  bool commit(std::string &error);

private:
  const Array *pending = nullptr;       // to be written directly at the commit
  std::string path;                     // as the user wrote it
  std::string target;                   // after symbolic links
  std::string temporary;                // empty when there is none
  std::unique_ptr<HeldSignals> signals; // while there is one
};

} // namespace ein::runtime

#endif // EIN_RUNTIME_NPY_H
