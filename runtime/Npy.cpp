//===- Npy.cpp - Reading .npy files ---------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The header is a Python dict literal. A parser for exactly that dict (three
// keys, in any order) is shorter than one for literals, and refuses the rest
// of Python with a message.
//
//===----------------------------------------------------------------------===//

#include "runtime/Npy.h"
#include "runtime/InputFile.h"
#include "runtime/Npz.h"
#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ein::runtime {

/// More than numpy itself ever writes for a plain type (a header of the
/// longest rank has some 700 bytes), less than a hostile one could ask for.
static constexpr uint32_t maxHeaderLength = 1 << 20;

namespace {

struct Header {
  DType type = DType::F32;
  bool swapped = false;
  bool fortranOrder = false;
  Shape shape;
};

/// `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`
class HeaderParser {
public:
  HeaderParser(const std::string &text, std::string &error)
      : text(text), error(error) {}

  bool parse(Header &header) {
    if (!consume('{'))
      return fail("its header is not a dict");
    bool hasDescr = false, hasOrder = false, hasShape = false;
    while (!consume('}')) {
      std::string key;
      if (!parseString(key) || !consume(':'))
        return fail("its header is not a dict of `descr`, `fortran_order` and "
                    "`shape`");
      bool ok = true;
      if (key == "descr" && !hasDescr)
        hasDescr = ok = parseDescr(header);
      else if (key == "fortran_order" && !hasOrder)
        hasOrder = ok = parseOrder(header);
      else if (key == "shape" && !hasShape)
        hasShape = ok = parseShape(header);
      else
        return fail("its header has a key that is unknown or repeated");
      if (!ok)
        return false;
      if (!consume(',')) {
        if (!consume('}'))
          return fail("its header does not end with `}`");
        break;
      }
    }
    skipBlanks();
    if (at != text.size())
      return fail("its header goes on after the `}`");
    if (!hasDescr || !hasOrder || !hasShape)
      return fail("its header lacks `descr`, `fortran_order` or `shape`");
    return true;
  }

private:
  const std::string &text;
  std::string &error;
  size_t at = 0;

  bool fail(const char *message) {
    error = message;
    return false;
  }

  void skipBlanks() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\n' ||
                                text[at] == '\t' || text[at] == '\r'))
      ++at;
  }

  bool consume(char c) {
    skipBlanks();
    if (at >= text.size() || text[at] != c)
      return false;
    ++at;
    return true;
  }

  bool consumeWord(const char *word) {
    skipBlanks();
    size_t length = std::strlen(word);
    if (text.compare(at, length, word) != 0)
      return false;
    at += length;
    return true;
  }

  /// Without escapes: no string that we accept has one.
  bool parseString(std::string &value) {
    skipBlanks();
    if (at >= text.size() || (text[at] != '\'' && text[at] != '"'))
      return false;
    size_t end = text.find(text[at], at + 1);
    if (end == std::string::npos)
      return false;
    value = text.substr(at + 1, end - at - 1);
    at = end + 1;
    return true;
  }

  bool parseDescr(Header &header) {
    std::string descr;
    if (!parseString(descr))
      return fail("its `descr` is not the name of one type (structured types "
                  "cannot be read)");
    std::string name = descr;
    char order = '=';
    if (!name.empty() && std::string("<>=|").find(name[0]) != std::string::npos)
      order = name[0], name.erase(0, 1);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    header.swapped = order == '>';
#else
    header.swapped = order == '<';
#endif
#define EIN_ELEMENT_TYPE(ENUM, SPELLING, CTYPE, KIND, BITS, NPY)               \
  if (name == NPY) {                                                           \
    header.type = DType::ENUM;                                                 \
    return true;                                                               \
  }
#include "abi/ElementTypes.def"
    // What those write who have a dtype for it and know that V2 says little.
    if (name == "bfloat16") {
      header.type = DType::BF16;
      return true;
    }
    // The text is the file's, so it is shown only if it is harmless to show.
    bool harmless = !descr.empty() && descr.size() <= 16 &&
                    std::all_of(descr.begin(), descr.end(), [](char c) {
                      return c > ' ' && c < 0x7f && c != '`';
                    });
    if (!harmless)
      return fail("its elements have a type that cannot be read");
    error = name[0] == 'O' ? "its elements are Python objects"
                           : "its elements have the type `" + descr + "`";
    std::string known;
#define EIN_ELEMENT_TYPE(ENUM, SPELLING, CTYPE, KIND, BITS, NPY)               \
  if (known.find("`" NPY "`") == std::string::npos)                            \
    known += (known.empty() ? "`" : ", `") + std::string(NPY) + "`";
#include "abi/ElementTypes.def"
    error += ", and only " + known + " can be read";
    return false;
  }

  bool parseOrder(Header &header) {
    header.fortranOrder = consumeWord("True");
    return header.fortranOrder || consumeWord("False") ||
           fail("its `fortran_order` is neither True nor False");
  }

  bool parseShape(Header &header) {
    if (!consume('('))
      return fail("its `shape` is not a tuple");
    bool comma = true;
    while (!consume(')')) {
      skipBlanks();
      if (at < text.size() && text[at] == '-')
        return fail("its `shape` has a negative extent");
      if (!comma || at >= text.size() || text[at] < '0' || text[at] > '9')
        return fail("its `shape` is not a tuple of integers");
      int64_t extent;
      auto [end, status] =
          std::from_chars(text.data() + at, text.data() + text.size(), extent);
      if (status != std::errc())
        return fail("its `shape` has an extent beyond 64 bits");
      at = end - text.data();
      consume('L'); // Python 2 wrote `3L`
      header.shape.push_back(extent);
      comma = consume(',');
    }
    if (header.shape.size() == 1 && !comma)
      return fail("its `shape` is an integer, not a tuple");
    return true;
  }
};

} // namespace

/// The parts of a complex number stay in their order.
static void swapBytes(Array &array) {
  size_t width = getByteWidth(array.type);
  int64_t count = array.getNumElements();
  if (getKind(array.type) == DKind::Complex)
    width /= 2, count *= 2;
  char *element = array.as<char>();
  for (int64_t i = 0; i < count; ++i, element += width)
    std::reverse(element, element + width);
}

/// Copies a column-major `source` into a row-major array of the same shape:
/// for each tuple of the middle indices a transposition of the first index
/// against the last, in square blocks, because one of the two sides is always
/// read across.
template <typename T>
static void transposeInto(const T *source, const Shape &shape, T *target) {
  size_t rank = shape.size();
  std::vector<int64_t> sourceStride(rank), targetStride(rank);
  int64_t stride = 1;
  for (size_t i = 0; i < rank; ++i)
    sourceStride[i] = stride, stride *= shape[i];
  stride = 1;
  for (size_t i = rank; i-- > 0;)
    targetStride[i] = stride, stride *= shape[i];

  constexpr int64_t block = 32;
  int64_t rows = shape.front(), columns = shape.back();
  int64_t rowStride = targetStride.front(), columnStride = sourceStride.back();
  std::vector<int64_t> middle(rank, 0);
  while (true) {
    const T *from = source;
    T *to = target;
    for (size_t i = 1; i + 1 < rank; ++i) {
      from += middle[i] * sourceStride[i];
      to += middle[i] * targetStride[i];
    }
    for (int64_t r0 = 0; r0 < rows; r0 += block)
      for (int64_t c0 = 0; c0 < columns; c0 += block)
        for (int64_t r = r0; r < std::min(rows, r0 + block); ++r)
          for (int64_t c = c0; c < std::min(columns, c0 + block); ++c)
            to[r * rowStride + c] = from[r + c * columnStride];
    size_t i = rank - 1;
    while (i-- > 1) {
      if (++middle[i] < shape[i])
        break;
      middle[i] = 0;
    }
    if (i == 0)
      return;
  }
}

static bool toRowMajor(Array &array) {
  if (array.shape.size() < 2 || array.getNumElements() == 0)
    return true;
  Array sorted;
  if (!sorted.allocate(array.type, array.shape))
    return false;
  auto transpose = [&](auto element) {
    using T = decltype(element);
    transposeInto(array.as<T>(), array.shape, sorted.as<T>());
  };
  switch (getByteWidth(array.type)) {
  case 1:
    transpose(uint8_t());
    break;
  case 2:
    transpose(uint16_t());
    break;
  case 4:
    transpose(uint32_t());
    break;
  case 8:
    transpose(uint64_t());
    break;
  default:
    transpose(std::array<uint64_t, 2>());
  }
  array = std::move(sorted);
  return true;
}

bool openInput(const std::string &path, InputFile &file, int64_t &size,
               std::string &error) {
  if (path == "-") {
    file.descriptor = STDIN_FILENO;
  } else {
    // A pipe that nobody writes to would block: it is opened without waiting,
    // and then is at its end.
    file.descriptor = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file.descriptor >= 0)
      fcntl(file.descriptor, F_SETFL,
            fcntl(file.descriptor, F_GETFL) & ~O_NONBLOCK);
  }
  struct stat status;
  if (file.descriptor < 0 || fstat(file.descriptor, &status) != 0) {
    error = std::strerror(errno);
    return false;
  }
  if (S_ISDIR(status.st_mode)) {
    error = "it is a directory";
    return false;
  }
  if (isatty(file.descriptor)) {
    error = "it is a terminal";
    return false;
  }
  if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode) &&
      !S_ISSOCK(status.st_mode) && !S_ISCHR(status.st_mode)) {
    error = "it is neither a file nor a pipe";
    return false;
  }
  size = S_ISREG(status.st_mode) ? static_cast<int64_t>(status.st_size) : -1;
  return true;
}

/// The array that `file` goes on with, for `fileSize` bytes if that is known.
static bool read(InputFile &file, int64_t fileSize, NpyPart part, Array &array,
                 NpyPlace *place, std::string &error) {
  auto fail = [&](const char *message) {
    error = message;
    return false;
  };
  unsigned char prefix[12];
  int64_t count = file.read(prefix, 8);
  if (count < 0)
    return fail(std::strerror(errno));
  if (count == 0)
    return fail("it is empty");
  if (std::memcmp(prefix, "PK\3\4", std::min<int64_t>(count, 4)) == 0)
    return fail("it is a .npz archive, whose name has to end so");
  if (std::memcmp(prefix, "\x93NUMPY", std::min<int64_t>(count, 6)) != 0)
    return fail("it is not a .npy file (its first bytes are others)");
  if (count < 8)
    return fail("it ends within its header");
  unsigned major = prefix[6], minor = prefix[7];
  if (major < 1 || major > 3 || minor != 0)
    return fail("its version of the .npy format is unknown");

  unsigned lengthBytes = major == 1 ? 2 : 4;
  if (file.read(prefix + 8, lengthBytes) != lengthBytes)
    return fail("it ends within its header");
  uint32_t headerLength = 0;
  for (unsigned i = lengthBytes; i-- > 0;)
    headerLength = headerLength << 8 | prefix[8 + i];
  if (headerLength > maxHeaderLength)
    return fail("its header is too long");
  std::string text(headerLength, '\0');
  if (file.read(text.data(), headerLength) != headerLength)
    return fail("it ends within its header");
  Header header;
  if (!HeaderParser(text, error).parse(header))
    return false;

  // The length is checked before any memory is asked for.
  int64_t bytes;
  if (!countBytes(header.shape, getByteWidth(header.type), bytes))
    return fail("its size overflows");
  std::string shape = print(header.shape);
  auto failLength = [&](const char *what) {
    error = "its data are " + std::string(what) + " than its shape (" + shape +
            ") says";
    return false;
  };
  if (fileSize >= 0) {
    int64_t rest = fileSize - (8 + lengthBytes + headerLength);
    if (rest < bytes)
      return failLength("shorter");
    if (rest > bytes)
      return failLength("longer");
  }
  if (part == NpyPart::Header) {
    array.type = header.type;
    array.shape = header.shape;
    if (place)
      *place = {8 + lengthBytes + headerLength, !header.fortranOrder,
                header.swapped};
    return true;
  }
  // Where less is read, copying it costs less than the faults of a mapping.
  constexpr int64_t kLeastMapped = 1 << 20;
  bool isAsItIs = !header.swapped && !header.fortranOrder;
  if (fileSize >= 0 && isAsItIs && bytes >= kLeastMapped &&
      array.map(file.descriptor, lseek(file.descriptor, 0, SEEK_CUR),
                header.type, header.shape))
    return true;
  if (!array.allocate(header.type, header.shape))
    return fail("there is not enough memory for it");
  count = file.read(array.data(), bytes);
  if (count < 0)
    return fail(std::strerror(errno));
  if (count < bytes)
    return failLength("shorter");
  char beyond;
  if (fileSize < 0 && file.read(&beyond, 1) > 0)
    return failLength("longer");
  if (header.swapped)
    swapBytes(array);
  if (header.fortranOrder && !toRowMajor(array))
    return fail("there is not enough memory for it");
  return true;
}

/// `path`, or a member of an archive.
static bool open(const std::string &path, InputFile &file, int64_t &size,
                 std::string &error) {
  std::string archive, member;
  if (!splitMember(path, archive, member))
    return openInput(path, file, size, error);
  NpzMember found;
  if (!openInput(archive, file, size, error) ||
      !findMember(file, size, member, found, error))
    return false;
  if (lseek(file.descriptor, found.offset, SEEK_SET) != found.offset) {
    error = std::strerror(errno);
    return false;
  }
  size = found.size;
  return true;
}

bool readNpy(const std::string &path, Array &array, std::string &error,
             NpyPart part, NpyPlace *place) {
  Array result;
  std::string reason;
  InputFile file;
  int64_t size;
  if (!open(path, file, size, reason) ||
      !read(file, size, part, result, place, reason)) {
    error = "cannot read `" + path + "`: " + reason;
    return false;
  }
  array = std::move(result);
  return true;
}

} // namespace ein::runtime
