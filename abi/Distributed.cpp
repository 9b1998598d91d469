//===- Distributed.cpp - A program for many ranks -------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A line begins with a word that says what it is. Dims are written as the
// arguments of a signature, whose parser reads them.
//
//   mm<M, K, N>(A: f32(M, K), B: f32(K, N)) -> (C: f32(M, N))
//   temporaries<M, K, N>() -> ()
//   ranks 0 memory 0 grid
//   network 5e+10 1e+09 2e-06 0.05   (if there is one)
//   check shape natural
//   check<M, K, N>(value: f32(M - 1), extents: f32(K)) -> ()
//   statement 0 .ppr add
//   loops<M, K, N>(loops: f32(M, N, K)) -> ()
//   read 0 1*0+0 1*2+0
//   read 1 1*2+0 1*1+0      (or 4*1+0~3: four elements; or *: all of a dim)
//   write 2 1*0+0 1*1+0
//   start bits 00000000
//   statement 1 .r add sliced
//   ...
//   result 2 2
//   status 4                (the array of the code, if anything is checked)
//
//===----------------------------------------------------------------------===//

#include "abi/Distributed.h"
#include "abi/TextReader.h"
#include <charconv>

namespace ein::runtime {

static constexpr const char *combinerNames[] = {
    "none", "add", "mul", "min", "max", "and", "or", "xor", "first"};
static constexpr char kindLetters[] = "prwi";

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static std::string print(const Access &access) {
  std::string text = std::to_string(access.array);
  for (const Subscript &subscript : access.subscripts) {
    text += " ";
    if (subscript.isWhole) {
      text += "*";
      continue;
    }
    for (auto [loop, coefficient] : subscript.terms)
      text += std::to_string(coefficient) + "*" + std::to_string(loop) + "+";
    text += std::to_string(subscript.constant);
    if (subscript.extra != 0)
      text += "~" + std::to_string(subscript.extra);
  }
  return text;
}

static std::string print(const DistributedStatement &statement,
                         const std::vector<std::string> &symbols) {
  std::string text = "statement " + std::to_string(statement.kernel) + " .";
  Argument loops;
  loops.name = "loops";
  for (const DistributedLoop &loop : statement.loops) {
    text += kindLetters[static_cast<size_t>(loop.kind)];
    loops.dims.push_back(loop.extent);
  }
  text += " " +
          std::string(combinerNames[static_cast<size_t>(statement.combiner)]) +
          (statement.isSliced ? " sliced" : "") + "\n" +
          print(Signature{"loops", {loops}, symbols}) + "\n";
  for (const Access &access : statement.reads)
    text += "read " + print(access) + "\n";
  text += "write " + print(statement.write) + "\nstart ";
  switch (statement.start) {
  case StartKind::Nothing:
    return text + "nothing\n";
  case StartKind::Array:
    return text + "array " + std::to_string(statement.startArray) + "\n";
  case StartKind::Bits:
    break;
  }
  text += "bits ";
  for (uint8_t byte : statement.startBits) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text + "\n";
}

/// The shortest text that is this number.
static std::string print(double number) {
  char text[32];
  return std::string(text,
                     std::to_chars(text, text + sizeof(text), number).ptr);
}

std::string print(const DistributedProgram &program) {
  const std::vector<std::string> &symbols = program.signature.symbols;
  std::string text =
      print(program.signature) + "\n" +
      print(Signature{"temporaries", program.temporaries, symbols}) +
      "\nranks " + std::to_string(program.ranks) + " memory " +
      std::to_string(program.maxMemoryBytes) + " grid";
  for (int64_t parts : program.grid)
    text += " " + std::to_string(parts);
  text += "\n";
  if (const auto &network = program.network)
    text += "network " + print(network->flops) + " " + print(network->bytes) +
            " " + print(network->latency) + " " + print(network->slack) + "\n";
  for (const DistributedCheck &check : program.checks) {
    Argument value, extents;
    value.name = "value";
    value.dims = {check.value};
    extents.name = "extents";
    extents.dims = check.unlessEmpty;
    text += std::string("check ") + (check.isOfShapes ? "shape" : "range") +
            (check.isEqual ? " zero\n" : " natural\n") +
            print(Signature{"check", {value, extents}, symbols}) + "\n";
  }
  for (const DistributedStatement &statement : program.statements)
    text += print(statement, symbols);
  for (auto [argument, array] : program.results)
    text += "result " + std::to_string(argument) + " " + std::to_string(array) +
            "\n";
  if (program.status)
    text += "status " + std::to_string(*program.status) + "\n";
  return text;
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

namespace {

/// Takes text apart; every function returns false where it is not what was
/// expected.
class LineReader : public TextReader {
public:
  using TextReader::TextReader;

  bool readLine(std::string &line) {
    size_t end = text.find('\n', at);
    if (end == std::string::npos)
      return false;
    line = text.substr(at, end - at);
    at = end + 1;
    return true;
  }
  bool readWord(std::string &word) {
    size_t end = text.find_first_of(" \n", at);
    if (end == std::string::npos)
      return false;
    word = text.substr(at, end - at);
    at = end;
    return true;
  }
  bool readAccess(Access &access) {
    if (!readNumber(access.array))
      return false;
    while (consume(" ")) {
      Subscript &subscript = access.subscripts.emplace_back();
      subscript.isWhole = consume("*");
      if (subscript.isWhole)
        continue;
      while (true) {
        int64_t number;
        if (!readNumber(number))
          return false;
        if (!consume("*")) {
          subscript.constant = number;
          if (consume("~") && !readNumber(subscript.extra))
            return false;
          break;
        }
        unsigned loop;
        if (!readNumber(loop) || !consume("+"))
          return false;
        subscript.terms.push_back({loop, number});
      }
    }
    return consume("\n");
  }
  bool readBits(std::vector<uint8_t> &bits) {
    std::string word;
    if (!readWord(word) || word.size() % 2 != 0)
      return false;
    for (size_t i = 0; i < word.size(); i += 2) {
      uint8_t byte;
      auto [end, error] =
          std::from_chars(word.data() + i, word.data() + i + 2, byte, 16);
      if (error != std::errc() || end != word.data() + i + 2)
        return false;
      bits.push_back(byte);
    }
    return true;
  }
};

} // namespace

static bool parseLoops(const std::string &kinds, const std::string &line,
                       DistributedStatement &statement) {
  Signature loops;
  if (!parse(line, loops) || loops.arguments.size() != 1 ||
      loops.arguments[0].dims.size() + 1 != kinds.size())
    return false;
  for (size_t i = 0; i + 1 != kinds.size(); ++i) {
    size_t kind = std::string(kindLetters).find(kinds[i + 1]);
    if (kind == std::string::npos)
      return false;
    statement.loops.push_back(
        {loops.arguments[0].dims[i], static_cast<LoopKind>(kind)});
  }
  return true;
}

static bool parseStart(LineReader &reader, DistributedStatement &statement) {
  if (reader.consume("start nothing\n"))
    return true;
  if (reader.consume("start array ")) {
    statement.start = StartKind::Array;
    return reader.readNumber(statement.startArray) && reader.consume("\n");
  }
  statement.start = StartKind::Bits;
  return reader.consume("start bits ") &&
         reader.readBits(statement.startBits) && reader.consume("\n");
}

/// After the word `statement `.
static bool parseStatement(LineReader &reader,
                           DistributedStatement &statement) {
  std::string kinds, combiner, line;
  if (!reader.readNumber(statement.kernel) || !reader.consume(" ") ||
      !reader.readWord(kinds) || !reader.consume(" ") ||
      !reader.readWord(combiner))
    return false;
  statement.isSliced = reader.consume(" sliced");
  if (!reader.consume("\n") || !reader.readLine(line) ||
      !parseLoops(kinds, line, statement))
    return false;
  bool isKnown = false;
  for (size_t i = 0; i != std::size(combinerNames); ++i)
    if (combiner == combinerNames[i]) {
      statement.combiner = static_cast<Combiner>(i);
      isKnown = true;
    }
  while (reader.consume("read "))
    if (!reader.readAccess(statement.reads.emplace_back()))
      return false;
  return isKnown && reader.consume("write ") &&
         reader.readAccess(statement.write) && parseStart(reader, statement);
}

/// After the word `check `.
static bool parseCheck(LineReader &reader, DistributedCheck &check) {
  check.isOfShapes = reader.consume("shape ");
  if (!check.isOfShapes && !reader.consume("range "))
    return false;
  check.isEqual = reader.consume("zero\n");
  std::string line;
  Signature parts;
  if ((!check.isEqual && !reader.consume("natural\n")) ||
      !reader.readLine(line) || !parse(line, parts) ||
      parts.arguments.size() != 2 || parts.arguments[0].dims.size() != 1)
    return false;
  check.value = parts.arguments[0].dims[0];
  check.unlessEmpty = parts.arguments[1].dims;
  return true;
}

/// After the word `network`. A number has one text.
static bool parseNetwork(LineReader &reader, DistributedNetwork &network) {
  for (double *number :
       {&network.flops, &network.bytes, &network.latency, &network.slack}) {
    std::string word;
    if (!reader.consume(" ") || !reader.readWord(word) ||
        !TextReader(word).readNumber(*number) || print(*number) != word)
      return false;
  }
  return network.flops > 0 && network.bytes > 0 && network.latency >= 0 &&
         network.slack >= 0 && reader.consume("\n");
}

/// Numbers of arrays and loops are those that there are.
static bool isConsistent(const DistributedProgram &program) {
  for (const DistributedStatement &statement : program.statements) {
    std::vector<Access> accesses = statement.reads;
    accesses.push_back(statement.write);
    for (const Access &access : accesses) {
      if (access.array >= program.getNumArrays() ||
          access.subscripts.size() !=
              program.getArray(access.array).dims.size())
        return false;
      for (const Subscript &subscript : access.subscripts)
        for (auto [loop, coefficient] : subscript.terms)
          if (loop >= statement.loops.size() || coefficient <= 0)
            return false;
    }
    const Argument &written = program.getArray(statement.write.array);
    if (statement.startArray >= program.getNumArrays() ||
        (statement.start == StartKind::Bits &&
         statement.startBits.size() != getByteWidth(written.type)))
      return false;
  }
  for (auto [argument, array] : program.results)
    if (argument >= program.signature.arguments.size() ||
        array >= program.getNumArrays())
      return false;
  if (!program.status)
    return true;
  if (*program.status >= program.getNumArrays())
    return false;
  const Argument &status = program.getArray(*program.status);
  return status.type == DType::I32 && status.dims.empty();
}

static bool read(const std::string &text, DistributedProgram &program) {
  LineReader reader(text);
  std::string line;
  Signature temporaries;
  if (!reader.readLine(line) || !parse(line, program.signature) ||
      !reader.readLine(line) || !parse(line, temporaries) ||
      !reader.consume("ranks ") || !reader.readNumber(program.ranks) ||
      !reader.consume(" memory ") ||
      !reader.readNumber(program.maxMemoryBytes) || !reader.consume(" grid"))
    return false;
  program.temporaries = std::move(temporaries.arguments);
  while (reader.consume(" "))
    if (!reader.readNumber(program.grid.emplace_back()))
      return false;
  if (!reader.consume("\n"))
    return false;
  if (reader.consume("network") &&
      !parseNetwork(reader, program.network.emplace()))
    return false;
  while (reader.consume("check "))
    if (!parseCheck(reader, program.checks.emplace_back()))
      return false;
  while (reader.consume("statement "))
    if (!parseStatement(reader, program.statements.emplace_back()))
      return false;
  while (reader.consume("result ")) {
    auto &[argument, array] = program.results.emplace_back();
    if (!reader.readNumber(argument) || !reader.consume(" ") ||
        !reader.readNumber(array) || !reader.consume("\n"))
      return false;
  }
  if (reader.consume("status ") &&
      (!reader.readNumber(program.status.emplace()) || !reader.consume("\n")))
    return false;
  return reader.isAtEnd() && isConsistent(program);
}

bool parse(const std::string &text, DistributedProgram &program) {
  program = DistributedProgram();
  return read(text, program) && print(program) == text;
}

} // namespace ein::runtime
