//===- NpyWrite.cpp - Writing .npy files ----------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A result that was cut short by a full disk or a signal must not be mistaken
// for one, so files are written beside their target and renamed when complete.
// That is wrong for what is not a file: renaming over /dev/null would replace
// the device.
//
//===----------------------------------------------------------------------===//

#include "runtime/Npy.h"
#include "runtime/Npz.h"
#include "runtime/WriteAll.h"
#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ein::runtime {

/// Magic, version, length and dict, padded so that the data that follow are
/// 64-byte aligned when the file is mapped.
std::string makeNpyHeader(const Array &array) {
  std::string npy = getNpyName(array.type);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  std::string order = "<";
#else
  std::string order = ">";
#endif
  // Numpy writes no order for bytes, and for what it does not know.
  if (getByteWidth(array.type) == 1 || array.type == DType::BF16)
    order = "|";
  std::string dict =
      "{'descr': '" + order + npy + "', 'fortran_order': False, 'shape': (";
  for (size_t i = 0; i < array.shape.size(); ++i)
    dict += (i ? ", " : "") + std::to_string(array.shape[i]);
  dict += array.shape.size() == 1 ? ",), }" : "), }";

  bool isLong = dict.size() + 64 > 65535;
  size_t prefix = isLong ? 12 : 10;
  dict.append(63 - (prefix + dict.size()) % 64, ' ');
  dict += '\n';
  std::string header = "\x93NUMPY";
  header += isLong ? '\2' : '\1';
  header += '\0';
  for (size_t i = 0; i < prefix - 8; ++i)
    header += static_cast<char>(dict.size() >> (8 * i) & 0xff);
  return header + dict;
}

bool NpyWriter::write(int descriptor) const {
  std::vector<NpzContents> members;
  std::vector<std::string> headers;
  headers.reserve(contents.size()); // they are pointed to
  for (const auto &[name, array] : contents) {
    const std::string &header = headers.emplace_back(makeNpyHeader(*array));
    members.push_back({name,
                       {{header.data(), static_cast<int64_t>(header.size())},
                        {array->data(), array->getNumBytes()}}});
  }
  auto write = [&](const void *memory, int64_t size) {
    return writeAll(descriptor, memory, size);
  };
  if (isArchive(path))
    return writeArchive(members, write);
  for (auto [memory, size] : members.front().parts)
    if (!write(memory, size))
      return false;
  return true;
}

/// Where a name that is not there yet, or is a regular file, really lies;
/// false if it has to be written to directly.
static bool isReplaceable(const std::string &path, std::string &target) {
  target = path;
  if (path == "-" || path.rfind("/dev/", 0) == 0 ||
      path.rfind("/proc/", 0) == 0)
    return false;
  struct stat status;
  if (stat(path.c_str(), &status) != 0)
    return true;
  if (!S_ISREG(status.st_mode))
    return false;
  if (char *real = realpath(path.c_str(), nullptr)) {
    target = real;
    free(real);
  }
  return true;
}

static bool fail(const std::string &path, std::string &error) {
  error = "cannot write `" + path + "`: " +
          (errno == EISDIR ? "it is a directory" : std::strerror(errno));
  return false;
}

NpyWriter::NpyWriter(NpyWriter &&other)
    : contents(std::move(other.contents)), isPending(other.isPending),
      path(std::move(other.path)), target(std::move(other.target)),
      temporary(std::move(other.temporary)), signals(std::move(other.signals)) {
  other.isPending = false;
  other.temporary.clear();
}

NpyWriter::~NpyWriter() {
  if (!temporary.empty())
    unlink(temporary.c_str());
}

bool NpyWriter::stage(const std::string &newPath, Contents newContents,
                      std::string &error) {
  contents = std::move(newContents);
  path = newPath == "/dev/stdout" ? "-" : newPath;
  struct stat status;
  bool exists = stat(path.c_str(), &status) == 0;
  if (path.empty() || (exists && S_ISDIR(status.st_mode))) {
    errno = path.empty() ? ENOENT : EISDIR;
    return fail(path, error);
  }
  if (!isReplaceable(path, target)) {
    isPending = true;
    return true;
  }
  // Renaming asks for no permission on what it replaces; a user would.
  if (exists && access(target.c_str(), W_OK) != 0)
    return fail(path, error);

  // Not mkstemp, which would make the file private; O_EXCL finds a free name
  // as well, and the user's umask applies.
  int descriptor = -1;
  std::string name;
  signals = std::make_unique<HeldSignals>();
  for (int attempt = 0; descriptor < 0 && attempt < 1000; ++attempt) {
    name = target + ".tmp" + std::to_string(getpid()) + "." +
           std::to_string(attempt);
    descriptor =
        open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0 && errno != EEXIST)
      return fail(path, error);
  }
  if (descriptor < 0)
    return fail(path, error);
  temporary = name;
  if (exists)
    fchmod(descriptor, status.st_mode & 07777);
  bool written = write(descriptor);
  int reason = errno;
  if (close(descriptor) != 0 && written) {
    written = false;
    reason = errno;
  }
  if (written && signals->isWaiting()) {
    unlink(temporary.c_str());
    temporary.clear();
    signals.reset(); // and ends the process, if no other result is staged
    written = false;
    reason = EINTR;
  }
  if (!written) {
    errno = reason;
    return fail(path, error);
  }
  return true;
}

bool NpyWriter::commit(std::string &error) {
  if (isPending) {
    isPending = false;
    if (path == "-")
      return write(STDOUT_FILENO) || fail(path, error);
    int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0)
      return fail(path, error);
    bool written = write(descriptor);
    int reason = errno;
    close(descriptor);
    errno = reason;
    return written || fail(path, error);
  }
  if (temporary.empty())
    return true;
  if (rename(temporary.c_str(), target.c_str()) != 0)
    return fail(path, error);
  temporary.clear();
  signals.reset();
  return true;
}

bool writeNpy(const std::string &path, const Array &array, std::string &error) {
  NpyWriter writer;
  return writer.stage(path, {{"", &array}}, error) && writer.commit(error);
}

} // namespace ein::runtime
