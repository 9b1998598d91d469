//===- Checkpoint.cpp - Sums of finished slices, between two runs ---------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file is lines of text, padded to `kHeaderBytes`, and the sums as they are
// in memory. The text has all that the sums depend on, and a checksum of both.
// It is written beside the file that it replaces, and reaches the disk before
// it gets its name.
//
//===----------------------------------------------------------------------===//

#include "runtime/mpi/Checkpoint.h"
#include "runtime/InputFile.h"
#include "runtime/WriteAll.h"
#include "runtime/mpi/Files.h"
#include "runtime/mpi/Fingerprint.h"
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ein::runtime {

static constexpr int64_t kHeaderBytes = 512;
/// Behind the name of a file that is not complete.
static constexpr char kTemporary[] = ".tmp";

static std::string quote(const std::string &text) { return "`" + text + "`"; }

static std::string printHex(uint64_t number) {
  char text[17];
  std::snprintf(text, sizeof(text), "%016" PRIx64, number);
  return text;
}

/// The line that begins at `at`, which becomes where the next one does.
static std::string readLine(const std::string &text, size_t &at) {
  size_t end = text.find('\n', at);
  std::string line = text.substr(at, end - at);
  at = end == std::string::npos ? text.size() : end + 1;
  return line;
}

//===----------------------------------------------------------------------===//
// What a file says
//===----------------------------------------------------------------------===//

std::string Checkpoint::getPath(const SliceSum &sum) const {
  return directory + "/rank-" + std::to_string(ranks.rank) + ".sum-" +
         std::to_string(sum.statement) + "-" + std::to_string(sum.step);
}

/// What is the same for all files of a job.
std::string Checkpoint::describeJob() const {
  return "einc checkpoint 1\nranks " + std::to_string(ranks.count) +
         "\nprogram " + printHex(code) + "\ninputs " + printHex(inputs) + "\n";
}

std::string Checkpoint::describe(const SliceSum &sum, int64_t finished) const {
  return describeJob() + "rank " + std::to_string(ranks.rank) + "\nsum " +
         std::to_string(sum.statement) + " " + std::to_string(sum.step) +
         "\nbytes " + std::to_string(sum.bytes) + "\nslices " +
         std::to_string(sum.slices) + "\nfinished " + std::to_string(finished) +
         "\n";
}

/// Whether a file begins with what is the same for all.
bool Checkpoint::compareJob(const std::string &path, const std::string &text,
                            std::string &error) const {
  const std::string expected = describeJob();
  size_t at = 0, expectedAt = 0;
  for (const char *difference :
       {"it is no checkpoint that this version of einc reads",
        "it is of another number of ranks", "it is of another program",
        "it is of other inputs"}) {
    std::string line = readLine(text, at);
    if (line == readLine(expected, expectedAt))
      continue;
    error = "cannot go on from " + quote(path) + ": " + difference;
    if (line.rfind("ranks ", 0) == 0)
      error +=
          ", " + line.substr(6) + " instead of " + std::to_string(ranks.count);
    error += "; give another directory, or remove " + quote(directory);
    return false;
  }
  return true;
}

/// Of a file of sums; what is wrong with it is said.
static std::string makeDamaged(const std::string &path,
                               const std::string &reason) {
  return "cannot go on from " + quote(path) + ": it is damaged, as " + reason +
         "; if it is removed, its rank begins again with its first slice";
}

/// Whether the names of the lines are those of a file of sums; else it is none,
/// or is cut off.
static bool hasLines(const std::string &text) {
  size_t at = 0;
  for (const char *name :
       {"einc checkpoint ", "ranks ", "program ", "inputs ", "rank ", "sum ",
        "bytes ", "slices ", "finished ", "checksum "})
    if (readLine(text, at).rfind(name, 0) != 0)
      return false;
  return text.size() == static_cast<size_t>(kHeaderBytes);
}

static std::string makeSystemError(const char *what, const std::string &path) {
  return std::string("cannot ") + what + " " + quote(path) + ": " +
         std::strerror(errno);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

bool Checkpoint::writeFile(const std::string &path, const std::string &header,
                           const char *data, int64_t bytes,
                           std::string &error) const {
  // A rank has names of its own, so that a killed one leaves at most one file
  // that is not complete, and the next writes over it.
  std::string temporary = path + kTemporary;
  int file =
      open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  bool isWritten =
      file >= 0 &&
      writeAll(file, header.data(), static_cast<int64_t>(header.size())) &&
      writeAll(file, data, bytes) && fsync(file) == 0;
  int reason = errno;
  if (file >= 0)
    close(file);
  errno = reason;
  if (!isWritten || rename(temporary.c_str(), path.c_str()) != 0) {
    error = makeSystemError("write", path);
    unlink(temporary.c_str());
    return false;
  }
  // The name is on the disk when the directory is. Where a file system cannot
  // say so, nothing is wrong yet.
  int folder = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0) {
    fsync(folder);
    close(folder);
  }
  return true;
}

/// Opens a file of a checkpoint, if it is there; false on an error.
static bool openIfThere(const std::string &path, InputFile &file,
                        std::string &error) {
  file.descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file.descriptor >= 0 || errno == ENOENT)
    return true;
  error = makeSystemError("read", path);
  return false;
}

static std::string readText(InputFile &file) {
  std::string text(kHeaderBytes, '\0');
  text.resize(std::max<int64_t>(file.read(text.data(), kHeaderBytes), 0));
  return text;
}

//===----------------------------------------------------------------------===//
// The beginning
//===----------------------------------------------------------------------===//

/// By one rank: the file `job`, which is made if it is not there.
bool Checkpoint::openJob(std::string &error) {
  std::string path = directory + "/job";
  InputFile file;
  if (!openIfThere(path, file, error))
    return false;
  if (file.descriptor < 0)
    return writeFile(path, describeJob(), nullptr, 0, error);
  std::string text = readText(file);
  if (!text.empty())
    return compareJob(path, text, error);
  // What is in the other files says to what they belong as well.
  error = "cannot go on from " + quote(path) +
          ": it is empty; if it is removed, ranks go on from the sums that are "
          "there";
  return false;
}

/// The text before the sums; none, and no slices, where there is no file.
bool Checkpoint::readHeader(const SliceSum &sum, std::string &header,
                            int64_t &finished, std::string &error) const {
  finished = 0;
  std::string path = getPath(sum);
  InputFile file;
  if (!openIfThere(path, file, error))
    return false;
  if (file.descriptor < 0)
    return true;
  header = readText(file);
  struct stat status;
  int64_t size = fstat(file.descriptor, &status) == 0 ? status.st_size : -1;
  auto fail = [&](const std::string &reason) {
    error = makeDamaged(path, reason);
    return false;
  };
  if (size == 0)
    return fail("it is empty");
  if (!hasLines(header))
    return fail("it does not begin as a checkpoint does");
  if (!compareJob(path, header, error))
    return false;
  size_t at = header.find("\nfinished ");
  if (at != std::string::npos)
    finished = std::strtoll(header.c_str() + at + 10, nullptr, 10);
  std::string expected = describe(sum, finished);
  if (finished <= 0 || finished > sum.slices ||
      header.compare(0, expected.size(), expected) != 0)
    return fail("it is of another rank or of another sum than its name says");
  if (size != kHeaderBytes + sum.bytes)
    return fail("it has " + std::to_string(size) + " bytes instead of " +
                std::to_string(kHeaderBytes + sum.bytes));
  return true;
}

bool Checkpoint::begin(uint64_t ownCode, uint64_t ownInputs,
                       const std::vector<SliceSum> &own, std::string &note,
                       std::string &error) {
  sums = own;
  // All have the code, and each its blocks.
  code = ownCode;
  MPI_Bcast(&code, 1, MPI_UINT64_T, 0, ranks.comm);
  MPI_Allreduce(&ownInputs, &inputs, 1, MPI_UINT64_T, MPI_SUM, ranks.comm);
  bool isMade = mkdir(directory.c_str(), 0777) == 0 || errno == EEXIST;
  if (!isMade)
    error = makeSystemError("make", directory);
  if (!agree(ranks, isMade, error) ||
      !agree(ranks, ranks.rank != 0 || openJob(error), error))
    return false;
  int64_t mine[2] = {0, 0}, all[2] = {0, 0};
  bool isGood = true;
  for (const SliceSum &sum : sums) {
    std::string header;
    int64_t finished = 0;
    isGood = isGood && readHeader(sum, header, finished, error);
    mine[0] += finished;
    mine[1] += sum.slices;
  }
  if (!agree(ranks, isGood, error))
    return false;
  MPI_Allreduce(mine, all, 2, MPI_INT64_T, MPI_SUM, ranks.comm);
  if (all[0] != 0)
    note = "goes on from " + quote(directory) + ", which has " +
           std::to_string(all[0]) + " of " + std::to_string(all[1]) + " slices";
  lastSaved = MPI_Wtime();
  return true;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// The last line, with what makes it as long as all.
static std::string finishHeader(std::string header, const char *data,
                                int64_t bytes) {
  Fingerprint checksum;
  checksum.add(header);
  checksum.add(data, bytes);
  header += "checksum " + printHex(checksum.get()) + "\n";
  header.resize(kHeaderBytes, '\n');
  return header;
}

bool Checkpoint::load(const SliceSum &sum, char *data, int64_t &finished) {
  std::string header;
  if (!readHeader(sum, header, finished, loadError))
    return false;
  if (finished == 0)
    return true;
  std::string path = getPath(sum);
  InputFile file;
  if (!openIfThere(path, file, loadError))
    return false;
  bool isGood =
      file.descriptor >= 0 && file.readAt(kHeaderBytes, data, sum.bytes) &&
      finishHeader(describe(sum, finished), data, sum.bytes) == header;
  if (!isGood)
    loadError = makeDamaged(path, "its numbers do not match its checksum");
  return isGood;
}

int64_t Checkpoint::countUntilSaved(double secondsPerSlice) const {
  if (secondsPerSlice <= 0)
    return 1;
  constexpr double kMost = 1e15; // is a whole number, in 64 bits
  double left = interval - (MPI_Wtime() - lastSaved);
  return static_cast<int64_t>(std::clamp(left / secondsPerSlice, 1.0, kMost));
}

void Checkpoint::save(const SliceSum &sum, const char *data, int64_t finished) {
  std::string error;
  std::string header = finishHeader(describe(sum, finished), data, sum.bytes);
  if (!writeFile(getPath(sum), header, data, sum.bytes, error) && !hasWarned) {
    std::fprintf(stderr, "%s: warning: %s; what was saved before stays\n",
                 program.c_str(), error.c_str());
    hasWarned = true;
  }
  lastSaved = MPI_Wtime();
}

void Checkpoint::removeFiles() {
  for (const SliceSum &sum : sums) {
    unlink(getPath(sum).c_str());
    unlink((getPath(sum) + kTemporary).c_str());
  }
  MPI_Barrier(ranks.comm);
  if (ranks.rank == 0)
    unlink((directory + "/job").c_str());
}

} // namespace ein::runtime
