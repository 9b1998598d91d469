//===- Files.h - Each rank reads and writes its block of a file -*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By MPI-IO, so that nobody has a whole array in memory. All ranks call these
// together, and all get the same answer: what one of them finds wrong is wrong
// for all, with its message.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_RUNTIME_MPI_FILES_H
#define EIN_RUNTIME_MPI_FILES_H

#include "runtime/Npy.h"
#include "runtime/mpi/Exchange.h"

namespace ein::runtime {

/// Whether all ranks are well. If not, `error` is that of the first that is
/// not.
bool agree(const Ranks &ranks, bool isGood, std::string &error);

/// Type and shape of a `.npy` file, which one rank looks at for all.
bool readHeader(const Ranks &ranks, const std::string &path, Array &array,
                int64_t &offset, std::string &error);

/// The rank's block of the file's array.
bool readBlock(const Ranks &ranks, const std::string &path, const Array &whole,
               int64_t offset, const BoxMemory &block, std::string &error);

/// Files that appear when all are complete, or not at all.
class BlockWriter {
public:
  explicit BlockWriter(const Ranks &ranks) : ranks(ranks) {}
  /// What was not committed is removed.
  ~BlockWriter();
  bool stage(const std::string &path, const Array &whole,
             const BoxMemory &block, std::string &error);
  bool commit(std::string &error);

private:
  bool create(const std::string &path, const std::string &header,
              std::string &error);

  struct File {
    std::string path, temporary;
  };
  const Ranks &ranks;
  std::vector<File> files;
  /// Of the rank that makes and renames them.
  std::unique_ptr<HeldSignals> signals;
};

} // namespace ein::runtime

#endif // EIN_RUNTIME_MPI_FILES_H
