//===- lsp.cpp - Broken texts and random requests for the server ----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs (samples/ and examples/, the prelude, OpDSL) are opened in a
// language server, cut and edited as an editor would, from a seed, with
// requests of all kinds at random positions. Whatever comes: no crash, no hang,
// an answer to each request, and no place in it that is outside of the text.
// Every few messages are no messages at all. What killed the server is in
// `lsp-crash` in the directory of `--out`, as `einc lsp --lit-test` reads it.
//
//===----------------------------------------------------------------------===//

#include "frontend/prelude/Library.h"
#include "lsp/Loop.h"
#include "tests/fuzz/InProcess.h"
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

using namespace ein;
using fuzz::fail;
using fuzz::tried;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

namespace {

std::mt19937_64 randomBits;
size_t pick(size_t count) { return randomBits() % count; }

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

struct Text {
  std::string uri, text;
};

std::string readFile(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<Text> collectTexts(const std::string &source) {
  std::vector<Text> texts;
  for (const char *directory : {"samples", "examples", "tests/frontend/opdsl"})
    for (const auto &entry : std::filesystem::recursive_directory_iterator(
             source + "/" + directory))
      if (entry.path().extension() == ".ein" ||
          entry.path().extension() == ".yaml")
        texts.push_back(
            {"file://" + entry.path().string(), readFile(entry.path())});
  for (const PreludeFile &file : getPreludeFiles())
    texts.push_back({"untitled:" + file.name.str(), file.text.str()});
  // The order of a directory is nobody's promise.
  std::sort(texts.begin(), texts.end(),
            [](const Text &lhs, const Text &rhs) { return lhs.uri < rhs.uri; });
  return texts;
}

const char *const tokens[] = {
    "def ",
    "let ",
    "inout ",
    "einsum(\"",
    "f32(",
    "A(i, j)",
    "\xC3\xA9",
    "\xF0\x9D\x9B\xBC", // é, and one that is two units of UTF-16
    "\xFF",
    "where x",
    "sum<k>(",
    "N",
    "attr(",
    "<T>",
    "...",
    "/*",
    "import \"",
    "\"\"\"",
    "\r\n",
    "}",
    "(",
    ")",
    ",",
    "=",
    "+=!",
    "matmul(",
    "T=f64",
    "->",
    "#",
    "dim(A, 0)",
    "exists",
    "i in 0:N",
    "\t",
    "{",
    "conv_2d_nhwc_hwcf(",
    "x.0",
    ";",
    "\n"};

/// One edit: what is replaced, and by what.
struct Edit {
  size_t begin, end;
  std::string text;
};

Edit makeEdit(const std::string &text, const std::vector<Text> &texts) {
  size_t at = pick(text.size() + 1);
  size_t end = std::min(text.size(), at + pick(24));
  switch (pick(6)) {
  case 0: // as one types
    return {at, at, tokens[pick(std::size(tokens))]};
  case 1:
    return {at, end, ""};
  case 2:
    return {at, pick(8) ? at + (at != text.size()) : text.size(), ""};
  case 3:
    return {at, end, text.substr(pick(text.size() + 1), end - at)};
  case 4: {
    const std::string &other = texts[pick(texts.size())].text;
    return {at, at, other.substr(pick(other.size() + 1), 12 * pick(24))};
  }
  default:
    return {at, end, tokens[pick(std::size(tokens))]};
  }
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

class Session {
public:
  explicit Session(const std::vector<Text> &texts)
      : texts(texts), os(received), transport(stdin, os),
        server({{}, {}, "0", {}}), dispatcher(transport, server) {
    request("initialize", Object{});
  }

  void run();

private:
  void send(Object message);
  void notify(const char *method, Object params) {
    send(Object{
        {"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
  }
  void request(const char *method, Object params);
  void sendGarbage();
  void sendRequest();
  void checkPlaces(const Value &value, bool isOfText);
  Object makePosition() const;

  const std::vector<Text> &texts;
  Text current;
  std::vector<size_t> lineLengths;
  std::string received;
  llvm::raw_string_ostream os;
  llvm::lsp::JSONTransport transport;
  lsp::Server server;
  lsp::Dispatcher dispatcher;
  int64_t nextId = 1, version = 1;
};

void Session::send(Object message) {
  std::string text;
  llvm::raw_string_ostream(text) << Value(std::move(message));
  tried += text + "\n// -----\n";
  received.clear();
  if (!dispatcher.dispatch(text))
    fail("the server has left");
}

/// What was received, without headers.
std::vector<Value> parseReceived(llvm::StringRef text) {
  std::vector<Value> messages;
  while (!text.empty()) {
    auto [header, rest] = text.split("\r\n\r\n");
    size_t length;
    if (!header.consume_front("Content-Length: ") ||
        header.getAsInteger(10, length) || length > rest.size()) {
      fail("a message without a length");
      break;
    }
    llvm::Expected<Value> value = llvm::json::parse(rest.take_front(length));
    if (value)
      messages.push_back(std::move(*value));
    else
      fail("an answer that is no JSON: " + llvm::toString(value.takeError()));
    text = rest.drop_front(length);
  }
  return messages;
}

/// Every `range` is in order, and those of the text at hand inside of it.
void Session::checkPlaces(const Value &value, bool isOfText) {
  if (const Array *array = value.getAsArray())
    for (const Value &element : *array)
      checkPlaces(element, isOfText);
  const Object *object = value.getAsObject();
  if (!object)
    return;
  if (std::optional<llvm::StringRef> uri = object->getString("uri"))
    isOfText = *uri == current.uri;
  const Object *start = object->getObject("start"),
               *end = object->getObject("end");
  if (start && end) {
    auto get = [](const Object *position, const char *field) {
      return position->getInteger(field).value_or(-1);
    };
    auto from = std::pair(get(start, "line"), get(start, "character"));
    auto to = std::pair(get(end, "line"), get(end, "character"));
    auto lines = static_cast<int64_t>(lineLengths.size());
    bool isInside =
        to.first < lines
            ? to.second <= static_cast<int64_t>(
                               lineLengths[std::max<int64_t>(0, to.first)])
            : to.first == lines && to.second == 0;
    if (from.first < 0 || from.second < 0 || to < from ||
        (isOfText && !isInside))
      fail("a range that is none");
  }
  for (const auto &[key, field] : *object)
    checkPlaces(field, isOfText);
}

void Session::request(const char *method, Object params) {
  int64_t id = nextId++;
  send(Object{{"jsonrpc", "2.0"},
              {"id", id},
              {"method", method},
              {"params", std::move(params)}});
  unsigned numAnswers = 0;
  for (const Value &message : parseReceived(received)) {
    const Object *object = message.getAsObject();
    numAnswers += object && object->getInteger("id") == id;
    if (const Value *result = object->get("result"))
      checkPlaces(*result, /*isOfText=*/true);
  }
  if (numAnswers != 1)
    fail(std::to_string(numAnswers) + " answers to " + method);
}

void Session::sendGarbage() {
  static const char *const garbage[] = {
      "",
      "[]",
      "1",
      "{",
      "{}",
      R"({"jsonrpc":"2.0"})",
      R"({"jsonrpc":"2.0","id":1})",
      R"({"jsonrpc":"2.0","id":{},"method":"x"})",
      R"({"jsonrpc":"2.0","id":7,"method":"textDocument/hover"})",
      R"({"jsonrpc":"2.0","id":7,"method":"textDocument/hover","params":[]})",
      R"({"jsonrpc":"2.0","id":7,"method":"textDocument/rename","params":{}})",
      R"({"jsonrpc":"2.0","id":7,"method":3})",
      R"({"id":null,"result":3})",
      R"({"jsonrpc":"2.0","method":"textDocument/didChange","params":3})",
      R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}})"};
  const char *text = garbage[pick(std::size(garbage))];
  tried += std::string(text) + "\n// -----\n";
  received.clear();
  if (!dispatcher.dispatch(text))
    fail("the server has left");
  for (const Value &message : parseReceived(received))
    if (!message.getAsObject()->get("error"))
      fail("a message that is none has been answered");
}

Object Session::makePosition() const {
  size_t line = pick(lineLengths.size() + pick(20) / 19);
  size_t length = line < lineLengths.size() ? lineLengths[line] : 3;
  return Object{
      {"line", static_cast<int64_t>(line)},
      {"character", static_cast<int64_t>(pick(length + 1 + pick(20) / 19))}};
}

void Session::sendRequest() {
  static const char *const methods[] = {
      "hover",         "definition", "references",     "documentHighlight",
      "prepareRename", "rename",     "completion",     "signatureHelp",
      "inlayHint",     "formatting", "documentSymbol", "codeAction"};
  static const char *const names[] = {
      "q", "M", "A", "where", "x y", "", "exp", "\xC3\xA9", "k", "a_long_name"};
  const char *method = methods[pick(std::size(methods))];
  Object params{{"textDocument", Object{{"uri", current.uri}}},
                {"position", makePosition()},
                {"newName", names[pick(std::size(names))]}};
  Object start = makePosition(), end = makePosition();
  params["range"] =
      Object{{"start", std::move(start)}, {"end", std::move(end)}};
  params["context"] =
      Object{{"diagnostics", Array{}}, {"includeDeclaration", pick(2) == 0}};
  request((std::string("textDocument/") + method).c_str(), std::move(params));
}

/// Where a byte is, counted in another way than the server does.
Object getPosition(llvm::StringRef text, size_t offset) {
  llvm::StringRef before = text.take_front(offset);
  int64_t line = before.count('\n');
  int64_t units = 0;
  for (char c : before.substr(before.rfind('\n') + 1))
    units += (c & 0xC0) == 0x80 ? 0 : (c & 0xF8) == 0xF0 ? 2 : 1;
  return Object{{"line", line}, {"character", units}};
}

void Session::run() {
  current = texts[pick(texts.size())];
  notify("textDocument/didOpen",
         Object{{"textDocument", Object{{"uri", current.uri},
                                        {"languageId", "ein"},
                                        {"version", version},
                                        {"text", current.text}}}});
  for (size_t edits = 1 + pick(6); edits != 0; --edits) {
    Edit edit = makeEdit(current.text, texts);
    std::string &text = current.text;
    // An editor's text is UTF-8, and edits are of whole characters.
    auto isInside = [&](size_t at) {
      return at < text.size() && (text[at] & 0xC0) == 0x80;
    };
    while (isInside(edit.begin))
      --edit.begin;
    while (isInside(edit.end))
      ++edit.end;
    edit.text = llvm::json::fixUTF8(edit.text);
    bool isWhole = pick(3) == 0;
    Object change;
    // A `\r` before a line's end is no place of its own.
    isWhole |= text.find('\r') != std::string::npos ||
               edit.text.find('\r') != std::string::npos;
    if (!isWhole)
      change["range"] = Object{{"start", getPosition(text, edit.begin)},
                               {"end", getPosition(text, edit.end)}};
    text.replace(edit.begin, edit.end - edit.begin, edit.text);
    change["text"] = isWhole ? text : edit.text;
    notify("textDocument/didChange",
           Object{{"textDocument",
                   Object{{"uri", current.uri}, {"version", ++version}}},
                  {"contentChanges", Array{std::move(change)}}});
    lineLengths.clear();
    llvm::SmallVector<llvm::StringRef> lines;
    llvm::StringRef(text).split(lines, '\n');
    for (llvm::StringRef line : lines)
      lineLengths.push_back(
          *getPosition(line, line.size()).getInteger("character"));
    for (const Value &message : parseReceived(received))
      checkPlaces(message, /*isOfText=*/false);
    for (size_t requests = pick(6); requests != 0; --requests)
      sendRequest();
    if (pick(10) == 0)
      sendGarbage();
  }
  notify("textDocument/didClose",
         Object{{"textDocument", Object{{"uri", current.uri}}}});
}

} // namespace

int main(int argc, char **argv) {
  constexpr uint64_t kCount = 1000;
  auto options = fuzz::parseOptions(argc, argv, "lsp", kCount);
  if (!options)
    return 2;
  // Definitions of named ops are written where they disturb nobody.
  setenv("XDG_CACHE_HOME",
         std::filesystem::absolute(options->directory).c_str(),
         /*overwrite=*/1);
  fuzz::watch(*options, "lsp", "the messages are");
  randomBits.seed(options->seed);
  std::vector<Text> texts = collectTexts(EIN_SOURCE_DIR);
  uint64_t numTexts = 0;
  for (; fuzz::goesOn(*options, numTexts); ++numTexts) {
    tried.clear();
    Session(texts).run();
  }
  return fuzz::finish(*options, "", numTexts, "texts");
}
