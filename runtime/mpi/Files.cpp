//===- Files.cpp - Each rank reads and writes its block of a file ---------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/mpi/Files.h"
#include "runtime/Npz.h"
#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace ein::distribute;

namespace ein::runtime {

/// Rank 0's text becomes everybody's.
static void broadcast(const Ranks &ranks, int from, std::string &text) {
  auto length = static_cast<int64_t>(text.size());
  MPI_Bcast(&length, 1, MPI_INT64_T, from, ranks.comm);
  text.resize(length);
  MPI_Bcast(text.data(), static_cast<int>(length), MPI_CHAR, from, ranks.comm);
}

bool agree(const Ranks &ranks, bool isGood, std::string &error) {
  int mine = isGood ? INT_MAX : ranks.rank, first = INT_MAX;
  MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, ranks.comm);
  if (first == INT_MAX)
    return true;
  broadcast(ranks, first, error);
  return false;
}

/// What MPI says of an error of its own.
static std::string describe(int code) {
  char text[MPI_MAX_ERROR_STRING + 1] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  return std::string(text, length);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// By the rank that looks for all.
static bool lookAt(const std::string &path, Array &array, int64_t &offset,
                   std::string &error) {
  NpyPlace place;
  std::string archive, member;
  if (isArchive(path) || splitMember(path, archive, member)) {
    error = "cannot read `" + path + "`: ranks read blocks of `.npy` files";
    return false;
  }
  struct stat status;
  bool isFile = stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
  if (!readNpy(path, array, error, NpyPart::Header, &place))
    return false;
  offset = place.offset;
  const char *reason =
      !isFile             ? "it is no file, and ranks read blocks of it"
      : !place.isRowMajor ? "it is in Fortran order, and ranks read C order"
      : place.isSwapped   ? "it is in the other byte order than the machine"
                          : nullptr;
  if (!reason || (place.isSwapped && getByteWidth(array.type) == 1) ||
      (!place.isRowMajor && array.shape.size() < 2 && isFile))
    return true;
  error = "cannot read `" + path + "`: " + reason;
  return false;
}

bool readHeader(const Ranks &ranks, const std::string &path, Array &array,
                int64_t &offset, std::string &error) {
  Array found;
  bool isGood = ranks.rank != 0 || lookAt(path, found, offset, error);
  if (!agree(ranks, isGood, error))
    return false;
  std::vector<int64_t> facts = {offset, static_cast<int64_t>(found.type),
                                static_cast<int64_t>(found.shape.size())};
  MPI_Bcast(facts.data(), 3, MPI_INT64_T, 0, ranks.comm);
  offset = facts[0];
  array.type = static_cast<DType>(facts[1]);
  found.shape.resize(facts[2]);
  MPI_Bcast(found.shape.data(), static_cast<int>(facts[2]), MPI_INT64_T, 0,
            ranks.comm);
  array.shape = found.shape;
  return true;
}

namespace {

/// A file that all ranks have open, each looking at its block.
class BlockFile {
public:
  BlockFile(const Ranks &ranks, const Array &whole, const BoxMemory &block)
      : ranks(ranks), whole(whole), block(block) {}
  ~BlockFile() {
    if (file != MPI_FILE_NULL)
      MPI_File_close(&file);
    for (MPI_Datatype *type : {&blockType, &memoryType})
      if (*type != MPI_DATATYPE_NULL)
        MPI_Type_free(type);
  }
  BlockFile(const BlockFile &) = delete;
  BlockFile &operator=(const BlockFile &) = delete;

  bool open(const std::string &path, int mode, int64_t offset,
            std::string &error);
  bool read(std::string &error);
  bool write(std::string &error);

private:
  int getCount() const { return isEmpty(block.box) ? 0 : 1; }

  const Ranks &ranks;
  const Array &whole;
  const BoxMemory &block;
  MPI_File file = MPI_FILE_NULL;
  MPI_Datatype blockType = MPI_DATATYPE_NULL, memoryType = MPI_DATATYPE_NULL;
};

} // namespace

bool BlockFile::open(const std::string &path, int mode, int64_t offset,
                     std::string &error) {
  auto width = static_cast<int>(getByteWidth(whole.type));
  std::vector<int> sizes, parts, starts;
  for (size_t dim = 0; dim != whole.shape.size(); ++dim) {
    if (whole.shape[dim] > INT_MAX) {
      error = "an extent of " + std::to_string(whole.shape[dim]) +
              " is more than MPI counts";
      return false; // for all ranks
    }
    bool isNothing = isEmpty(block.box);
    sizes.push_back(static_cast<int>(whole.shape[dim]));
    parts.push_back(isNothing ? 1
                              : static_cast<int>(block.box.ranges[dim].size()));
    starts.push_back(isNothing ? 0
                               : static_cast<int>(block.box.ranges[dim].begin));
  }
  sizes.push_back(width);
  parts.push_back(width);
  starts.push_back(0);
  int rank = static_cast<int>(sizes.size());
  int code =
      MPI_File_open(ranks.comm, path.c_str(), mode, MPI_INFO_NULL, &file);
  if (!agree(ranks, code == MPI_SUCCESS, error = describe(code)))
    return false;
  // An array without elements has no types, and nothing is moved.
  bool hasElements = true;
  for (int64_t extent : whole.shape)
    hasElements &= extent > 0;
  if (!hasElements)
    return true;
  MPI_Type_create_subarray(rank, sizes.data(), parts.data(), starts.data(),
                           MPI_ORDER_C, MPI_BYTE, &blockType);
  MPI_Type_commit(&blockType);
  std::vector<int> none(rank, 0);
  MPI_Type_create_subarray(rank, parts.data(), parts.data(), none.data(),
                           MPI_ORDER_C, MPI_BYTE, &memoryType);
  MPI_Type_commit(&memoryType);
  code = MPI_File_set_view(file, offset, MPI_BYTE, blockType, "native",
                           MPI_INFO_NULL);
  return agree(ranks, code == MPI_SUCCESS, error = describe(code));
}

bool BlockFile::read(std::string &error) {
  if (memoryType == MPI_DATATYPE_NULL)
    return true;
  MPI_Status status;
  int code =
      MPI_File_read_all(file, block.data, getCount(), memoryType, &status);
  int count = 0;
  if (code == MPI_SUCCESS)
    MPI_Get_count(&status, memoryType, &count);
  bool isWhole = code == MPI_SUCCESS && count == getCount();
  return agree(ranks, isWhole,
               error = code == MPI_SUCCESS ? "it ends early" : describe(code));
}

bool BlockFile::write(std::string &error) {
  if (memoryType == MPI_DATATYPE_NULL)
    return true;
  MPI_Status status;
  int code =
      MPI_File_write_all(file, block.data, getCount(), memoryType, &status);
  if (code == MPI_SUCCESS)
    code = MPI_File_sync(file);
  return agree(ranks, code == MPI_SUCCESS, error = describe(code));
}

bool readBlock(const Ranks &ranks, const std::string &path, const Array &whole,
               int64_t offset, const BoxMemory &block, std::string &error) {
  std::string reason;
  BlockFile file(ranks, whole, block);
  if (file.open(path, MPI_MODE_RDONLY, offset, reason) && file.read(reason))
    return true;
  error = "cannot read `" + path + "`: " + reason;
  return false;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// A new file beside the target, with its header; by one rank.
bool BlockWriter::create(const std::string &path, const std::string &header,
                         std::string &error) {
  auto fail = [&](const std::string &reason) {
    error = "cannot write `" + path + "`: " + reason;
    return false;
  };
  struct stat status;
  bool exists = stat(path.c_str(), &status) == 0;
  if (path == "-" || (exists && !S_ISREG(status.st_mode)))
    return fail("ranks write their blocks of a file");
  if (exists && access(path.c_str(), W_OK) != 0)
    return fail(std::strerror(errno));
  if (!signals)
    signals = std::make_unique<HeldSignals>();
  int descriptor = -1;
  File &file = files.emplace_back();
  for (int attempt = 0; descriptor < 0 && attempt < 1000; ++attempt) {
    std::string name = path + ".tmp" + std::to_string(getpid()) + "." +
                       std::to_string(attempt);
    descriptor =
        open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0 && errno != EEXIST)
      break;
    file = {path, name};
  }
  if (descriptor < 0) {
    int reason = errno;
    files.pop_back();
    return fail(std::strerror(reason));
  }
  if (exists)
    fchmod(descriptor, status.st_mode & 07777);
  bool isWritten = write(descriptor, header.data(), header.size()) ==
                   static_cast<ssize_t>(header.size());
  int reason = errno;
  close(descriptor);
  return isWritten || fail(std::strerror(reason));
}

bool BlockWriter::stage(const std::string &path, const Array &whole,
                        const BoxMemory &block, std::string &error) {
  std::string header = makeNpyHeader(whole);
  bool isMade = ranks.rank != 0 || create(path, header, error);
  if (!agree(ranks, isMade, error))
    return false;
  std::string temporary = ranks.rank == 0 ? files.back().temporary : "";
  broadcast(ranks, 0, temporary);
  std::string reason;
  BlockFile file(ranks, whole, block);
  if (file.open(temporary, MPI_MODE_WRONLY, static_cast<int64_t>(header.size()),
                reason) &&
      file.write(reason))
    return true;
  error = "cannot write `" + path + "`: " + reason;
  return false;
}

bool BlockWriter::commit(std::string &error) {
  bool isGood = true;
  for (File &file : files) {
    if (isGood && rename(file.temporary.c_str(), file.path.c_str()) != 0) {
      error = "cannot write `" + file.path + "`: " + std::strerror(errno);
      isGood = false;
    }
    if (isGood)
      file.temporary.clear();
  }
  return agree(ranks, isGood, error);
}

BlockWriter::~BlockWriter() {
  for (const File &file : files)
    if (!file.temporary.empty())
      unlink(file.temporary.c_str());
}

} // namespace ein::runtime
