//===- Checkpoint.h - Sums of finished slices, between two runs -*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a sliced network runs for days, and machines do not.
//
// Choice: a rank adds up the slices of its part without messages, so that it
// also keeps them on its own. Its file has the sums of the first so many slices
// and their number, and replaces the one before it as a whole. A file `job`
// says what all of them belong to.
//
// Consequence: ranks need not be equally far. Whatever a killed job leaves is
// for each rank a state that it has been in, and no slice is counted twice.
// What belongs to something else, or is damaged, is an error.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_RUNTIME_MPI_CHECKPOINT_H
#define EIN_RUNTIME_MPI_CHECKPOINT_H

#include "runtime/mpi/Exchange.h"

namespace ein::runtime {

/// What a rank adds up in one array: the slices of its part of a statement, or
/// of a step of it if each step writes elements of its own.
struct SliceSum {
  size_t statement = 0;
  int64_t step = 0;
  int64_t slices = 0; // above 0
  int64_t bytes = 0;
};

class Checkpoint {
public:
  /// `program` is what messages begin with. A rank saves its sums every
  /// `interval` seconds.
  Checkpoint(const Ranks &ranks, std::string program, std::string directory,
             double interval)
      : ranks(ranks), program(std::move(program)),
        directory(std::move(directory)), interval(interval),
        lastSaved(MPI_Wtime()) {}

  /// Makes the directory, and looks whether what is there belongs to this job:
  /// to the code and the inputs of these fingerprints, of which the latter is
  /// this rank's, and to as many ranks. `note` gets what is there. The same
  /// answer on all ranks.
  bool begin(uint64_t code, uint64_t inputs, const std::vector<SliceSum> &sums,
             std::string &note, std::string &error);

  /// What this rank has saved of a sum: how many slices it has, which may be
  /// none, and if there are any `data`. False with `getError()` if the file is
  /// damaged.
  bool load(const SliceSum &sum, char *data, int64_t &finished);
  const std::string &getError() const { return loadError; }

  /// How many slices there is time for until the next time to save, at least 1,
  /// if one takes so long; 0 seconds are unknown.
  int64_t countUntilSaved(double secondsPerSlice) const;
  bool isDue() const { return MPI_Wtime() - lastSaved >= interval; }
  /// What is there stays if it cannot be replaced, and the job goes on: the
  /// first time this happens, the rank says so.
  void save(const SliceSum &sum, const char *data, int64_t finished);

  /// After the results have been written.
  void removeFiles();

private:
  std::string getPath(const SliceSum &sum) const;
  std::string describeJob() const;
  std::string describe(const SliceSum &sum, int64_t finished) const;
  bool openJob(std::string &error);
  bool compareJob(const std::string &path, const std::string &text,
                  std::string &error) const;
  bool readHeader(const SliceSum &sum, std::string &header, int64_t &finished,
                  std::string &error) const;
  bool writeFile(const std::string &path, const std::string &header,
                 const char *data, int64_t bytes, std::string &error) const;

  const Ranks &ranks;
  std::string program, directory;
  double interval;
  uint64_t code = 0, inputs = 0;
  std::vector<SliceSum> sums;
  double lastSaved;
  bool hasWarned = false;
  std::string loadError;
};

} // namespace ein::runtime

#endif // EIN_RUNTIME_MPI_CHECKPOINT_H
