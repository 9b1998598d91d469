//===- Npz.cpp - Archives of arrays --------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Npz.h"
#include <array>
#include <cstring>

namespace ein::runtime {

static constexpr uint32_t kLocalHeader = 0x04034b50;
static constexpr uint32_t kCentralHeader = 0x02014b50;
static constexpr uint32_t kEnd = 0x06054b50;
static constexpr uint32_t kEnd64 = 0x06064b50;
static constexpr uint32_t kEndLocator64 = 0x07064b50;
/// In a field of 32 bits: the value is in the extra field of 64.
static constexpr uint32_t kElsewhere = 0xffffffff;
static constexpr uint16_t kExtra64 = 1;

bool isArchive(const std::string &path) {
  return path.size() > 4 && path.compare(path.size() - 4, 4, ".npz") == 0;
}

bool splitMember(const std::string &path, std::string &archive,
                 std::string &member) {
  size_t at = path.rfind(".npz:");
  if (at == std::string::npos)
    return false;
  archive = path.substr(0, at + 4);
  member = path.substr(at + 5);
  return !member.empty();
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
/// Numbers in the order of bytes that ZIP has, whatever the machine's.
class Fields {
public:
  Fields(const unsigned char *bytes, size_t size) : bytes(bytes), size(size) {}

  uint64_t get(size_t at, size_t width) const {
    uint64_t value = 0;
    for (size_t i = width; i-- > 0;)
      value = value << 8 | (at + i < size ? bytes[at + i] : 0);
    return value;
  }

private:
  const unsigned char *bytes;
  size_t size;
};

/// The list of members at the end of an archive.
class Directory {
public:
  Directory(InputFile &file, int64_t fileSize, std::string &error)
      : file(file), fileSize(fileSize), error(error) {}

  bool read(std::vector<NpzMember> &members) {
    if (fileSize < 0)
      return fail("an archive is not read from a pipe");
    if (!findEnd() || !readAll())
      return false;
    size_t at = 0;
    for (uint64_t i = 0; i < count; ++i)
      if (!readEntry(at, members))
        return false;
    return true;
  }

private:
  bool fail(const std::string &message) {
    error = message;
    return false;
  }
  bool failDamaged() { return fail("it is a damaged .npz archive"); }

  /// The record behind all others, which a comment may follow.
  bool findEnd() {
    constexpr int64_t kSize = 22, kLongest = kSize + 65535;
    int64_t length = std::min(fileSize, kLongest);
    std::vector<unsigned char> tail(static_cast<size_t>(length));
    if (length < kSize || !file.readAt(fileSize - length, tail.data(), length))
      return fail("it is not a .npz archive");
    Fields fields(tail.data(), tail.size());
    for (int64_t at = length - kSize; at >= 0; --at) {
      if (fields.get(at, 4) != kEnd ||
          static_cast<int64_t>(fields.get(at + 20, 2)) != length - kSize - at)
        continue;
      count = fields.get(at + 10, 2);
      bytes = fields.get(at + 12, 4);
      start = fields.get(at + 16, 4);
      return readEnd64(fileSize - length + at);
    }
    return fail("it is not a .npz archive");
  }

  /// The larger record, if the one at `end` has one.
  bool readEnd64(int64_t end) {
    constexpr int64_t kLocatorSize = 20, kSize = 56;
    unsigned char locator[kLocatorSize], record[kSize];
    if (end < kLocatorSize ||
        !file.readAt(end - kLocatorSize, locator, kLocatorSize))
      return true;
    Fields place(locator, kLocatorSize);
    if (place.get(0, 4) != kEndLocator64)
      return true;
    int64_t at = static_cast<int64_t>(place.get(8, 8));
    if (at < 0 || at > fileSize - kSize || !file.readAt(at, record, kSize))
      return failDamaged();
    Fields fields(record, kSize);
    if (fields.get(0, 4) != kEnd64)
      return failDamaged();
    count = fields.get(32, 8);
    bytes = fields.get(40, 8);
    start = fields.get(48, 8);
    return true;
  }

  bool readAll() {
    // More than an archive of any sense has.
    constexpr uint64_t kMost = 64 << 20;
    uint64_t size = static_cast<uint64_t>(fileSize);
    if (bytes > kMost || start > size || bytes > size - start)
      return failDamaged();
    text.resize(bytes);
    return file.readAt(static_cast<int64_t>(start), text.data(),
                       static_cast<int64_t>(bytes)) ||
           failDamaged();
  }

  bool readEntry(size_t &at, std::vector<NpzMember> &members) {
    constexpr size_t kSize = 46;
    Fields fields(text.data(), text.size());
    if (at + kSize > text.size() || fields.get(at, 4) != kCentralHeader)
      return failDamaged();
    uint64_t method = fields.get(at + 10, 2);
    uint64_t size = fields.get(at + 20, 4), fullSize = fields.get(at + 24, 4);
    size_t nameSize = fields.get(at + 28, 2),
           extraSize = fields.get(at + 30, 2);
    size_t commentSize = fields.get(at + 32, 2);
    uint64_t offset = fields.get(at + 42, 4);
    size_t extra = at + kSize + nameSize, end = extra + extraSize;
    if (end + commentSize > text.size())
      return failDamaged();
    std::string name(text.begin() + at + kSize, text.begin() + extra);
    // The fields of 64 bits are there for those that are too small, in order.
    while (extra + 4 <= end) {
      uint64_t kind = fields.get(extra, 2), length = fields.get(extra + 2, 2);
      size_t value = extra + 4;
      if (kind == kExtra64)
        for (uint64_t *field : {&fullSize, &size, &offset})
          if (*field == kElsewhere && value + 8 <= end) {
            *field = fields.get(value, 8);
            value += 8;
          }
      extra += 4 + length;
    }
    at = end + commentSize;

    bool isArray = name.size() > 4 && name.substr(name.size() - 4) == ".npy";
    if (!isArray)
      return true;
    name.resize(name.size() - 4);
    if (method != 0)
      return fail("its member `" + name +
                  "` is compressed; `numpy.savez` "
                  "writes it uncompressed");
    return addMember(std::move(name), offset, size, members);
  }

  /// The data follow a header of the member's own, of another length.
  bool addMember(std::string name, uint64_t offset, uint64_t size,
                 std::vector<NpzMember> &members) {
    constexpr int64_t kSize = 30;
    unsigned char header[kSize];
    int64_t at = static_cast<int64_t>(offset);
    if (at < 0 || at > fileSize - kSize || !file.readAt(at, header, kSize))
      return failDamaged();
    Fields fields(header, kSize);
    int64_t data = at + kSize + static_cast<int64_t>(fields.get(26, 2)) +
                   static_cast<int64_t>(fields.get(28, 2));
    int64_t length = static_cast<int64_t>(size);
    if (fields.get(0, 4) != kLocalHeader || data > fileSize || length < 0 ||
        length > fileSize - data)
      return failDamaged();
    members.push_back({std::move(name), data, length});
    return true;
  }

  InputFile &file;
  int64_t fileSize;
  std::string &error;
  uint64_t count = 0, bytes = 0, start = 0;
  std::vector<unsigned char> text;
};
} // namespace

static std::string listNames(const std::vector<NpzMember> &members) {
  std::string text;
  for (const NpzMember &member : members)
    text += (text.empty() ? "`" : ", `") + member.name + "`";
  return text.empty() ? "none" : text;
}

bool findMember(InputFile &file, int64_t fileSize, const std::string &name,
                NpzMember &member, std::string &error) {
  std::vector<NpzMember> members;
  if (!Directory(file, fileSize, error).read(members))
    return false;
  for (NpzMember &candidate : members)
    if (candidate.name == name) {
      member = std::move(candidate);
      return true;
    }
  error = "it has no array `" + name + "`; there is " + listNames(members);
  return false;
}

bool listMembers(const std::string &path, std::vector<NpzMember> &members,
                 std::string &error) {
  InputFile file;
  int64_t size;
  std::string reason;
  if (openInput(path, file, size, reason) &&
      Directory(file, size, reason).read(members))
    return true;
  error = "cannot read `" + path + "`: " + reason;
  return false;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// CRC-32 of ISO 3309, a byte at a time, which is as fast as a disk.
static uint32_t
checksum(const std::vector<std::pair<const void *, int64_t>> &parts) {
  std::array<uint32_t, 256> table;
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit)
      value = value & 1 ? 0xedb88320 ^ value >> 1 : value >> 1;
    table[i] = value;
  }
  uint32_t crc = 0xffffffff;
  for (auto [memory, size] : parts) {
    auto *bytes = static_cast<const unsigned char *>(memory);
    for (int64_t i = 0; i < size; ++i)
      crc = table[(crc ^ bytes[i]) & 0xff] ^ crc >> 8;
  }
  return ~crc;
}

static void put(std::string &text, uint64_t value, size_t width) {
  for (size_t i = 0; i < width; ++i)
    text += static_cast<char>(value >> (8 * i) & 0xff);
}

/// What the headers of a member, its own and that of the directory, share.
static void putMember(std::string &text, uint32_t crc, size_t nameSize,
                      size_t extraSize) {
  constexpr uint64_t kVersion = 45, kFirstOf1980 = 0x21;
  put(text, kVersion, 2);
  put(text, 0, 2); // flags
  put(text, 0, 2); // stored
  put(text, 0, 2); // time, so that the same arrays are the same bytes
  put(text, kFirstOf1980, 2); // date
  put(text, crc, 4);
  put(text, kElsewhere, 4);
  put(text, kElsewhere, 4);
  put(text, nameSize, 2);
  put(text, extraSize, 2);
}

bool writeArchive(const std::vector<NpzContents> &contents,
                  const std::function<bool(const void *, int64_t)> &write) {
  std::string directory;
  int64_t offset = 0;
  auto emit = [&](const void *memory, int64_t size) {
    offset += size;
    return write(memory, size);
  };
  for (const NpzContents &member : contents) {
    std::string name = member.name + ".npy";
    uint32_t crc = checksum(member.parts);
    uint64_t size = 0;
    for (const auto &part : member.parts)
      size += static_cast<uint64_t>(part.second);

    put(directory, kCentralHeader, 4);
    put(directory, 45, 2); // made by
    putMember(directory, crc, name.size(), 28);
    put(directory, 0, 2 + 2 + 2); // comment, disk, attributes
    put(directory, 0, 4);
    put(directory, kElsewhere, 4);
    directory += name;
    put(directory, kExtra64, 2);
    put(directory, 24, 2);
    put(directory, size, 8);
    put(directory, size, 8);
    put(directory, static_cast<uint64_t>(offset), 8);

    std::string header;
    put(header, kLocalHeader, 4);
    putMember(header, crc, name.size(), 20);
    header += name;
    put(header, kExtra64, 2);
    put(header, 16, 2);
    put(header, size, 8);
    put(header, size, 8);
    if (!emit(header.data(), static_cast<int64_t>(header.size())))
      return false;
    for (auto [memory, partSize] : member.parts)
      if (!emit(memory, partSize))
        return false;
  }

  uint64_t start = static_cast<uint64_t>(offset), bytes = directory.size();
  uint64_t end = start + bytes, count = contents.size();
  put(directory, kEnd64, 4);
  put(directory, 44, 8); // of what follows
  put(directory, 45, 2);
  put(directory, 45, 2);
  put(directory, 0, 4 + 4); // disks
  put(directory, count, 8);
  put(directory, count, 8);
  put(directory, bytes, 8);
  put(directory, start, 8);
  put(directory, kEndLocator64, 4);
  put(directory, 0, 4);
  put(directory, end, 8);
  put(directory, 1, 4);
  put(directory, kEnd, 4);
  put(directory, 0, 2 + 2);
  put(directory, 0xffff, 2);
  put(directory, 0xffff, 2);
  put(directory, kElsewhere, 4);
  put(directory, kElsewhere, 4);
  put(directory, 0, 2);
  return emit(directory.data(), static_cast<int64_t>(directory.size()));
}

} // namespace ein::runtime
