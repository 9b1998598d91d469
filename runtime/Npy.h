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

/// What of a file is read: all, or type and shape only, without any contents.
enum class NpyPart : uint8_t { All, Header };

/// How the elements lie in a file.
struct NpyPlace {
  int64_t offset = 0; // of the first
  bool isRowMajor = true;
  bool isSwapped = false; // in the other byte order
};

/// Reads a file into a row-major array of exactly the type it has. `-` is the
/// standard input; pipes are read to their end; `a.npz:x` is the array `x` of
/// an archive. False and `error` otherwise. Of a header, `place` says where the
/// contents are.
bool readNpy(const std::string &path, Array &array, std::string &error,
             NpyPart part = NpyPart::All, NpyPlace *place = nullptr);

/// What comes before the elements of an array of this type and shape.
std::string makeNpyHeader(const Array &array);

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
///
/// What is written is one array, or, to a name that ends in `.npz`, an archive
/// of arrays with names, not compressed, as numpy.savez writes it.
class NpyWriter {
public:
  using Contents = std::vector<std::pair<std::string, const Array *>>;

  NpyWriter() = default;
  NpyWriter(NpyWriter &&other);
  NpyWriter &operator=(NpyWriter &&) = delete;
  ~NpyWriter();

  /// Does all that can fail for want of space or permission. What is written
  /// to directly is only looked at now; arrays have to live until the commit.
  bool stage(const std::string &path, Contents contents, std::string &error);
  bool commit(std::string &error);

private:
  bool write(int descriptor) const;

  Contents contents;
  bool isPending = false;               // to be written directly at the commit
  std::string path;                     // as the user wrote it
  std::string target;                   // after symbolic links
  std::string temporary;                // empty when there is none
  std::unique_ptr<HeldSignals> signals; // while there is one
};

} // namespace ein::runtime

#endif // EIN_RUNTIME_NPY_H
