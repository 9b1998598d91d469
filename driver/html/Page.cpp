//===- Page.cpp - What is drawn instead of printed ------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/html/Page.h"
#include "driver/html/PageTemplate.inc"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace ein {

/// JSON has `<` in strings only, and nothing else ends a script or starts a
/// comment in one.
static std::string escapeScript(StringRef json) {
  std::string text;
  text.reserve(json.size() + json.size() / 16);
  for (char c : json)
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  return text;
}

static std::string escapeHtml(StringRef text) {
  std::string escaped;
  raw_string_ostream os(escaped);
  printHTMLEscaped(text, os);
  return escaped;
}

std::string makePage(StringRef title, StringRef data) {
  std::string page;
  StringRef rest(kPageTemplate, sizeof(kPageTemplate) - 1);
  while (!rest.empty()) {
    auto [text, after] = rest.split("@@");
    page += text;
    auto [name, next] = after.split("@@");
    if (name == "TITLE")
      page += escapeHtml(json::fixUTF8(title));
    else if (name == "DATA")
      page += escapeScript(data);
    rest = next;
  }
  return page;
}

} // namespace ein
