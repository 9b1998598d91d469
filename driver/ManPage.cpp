//===- ManPage.cpp - Pages of the manual ----------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A page has what `--help` prints, from the same description of the command
// line. It is text for troff with the macros of man(7): a line that begins with
// a dot is a macro, and a backslash begins an escape, so both are written
// otherwise where they are text.
//
//===----------------------------------------------------------------------===//

#include "driver/ManPage.h"
#include "driver/Compiler.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace ein {

/// As it is. A hyphen that is to be typed is `\-`: a plain one is typeset as
/// another character.
static std::string escape(StringRef text) {
  std::string result;
  if (text.starts_with(".") || text.starts_with("'"))
    result += "\\&";
  for (char c : text) {
    if (c == '-')
      result += '\\';
    result += c;
    if (c == '\\')
      result += 'e';
  }
  return result;
}

/// Prose, in which backticks are round what is typed.
static std::string escapeProse(StringRef text) {
  std::string result;
  bool isCode = false;
  for (StringRef part : split(text, '`')) {
    result += isCode ? "\\fB" + escape(part) + "\\fR" : escape(part);
    isCode = !isCode;
  }
  return result;
}

/// "einc\-build", or "einc".
static std::string getTitle(const CommandInfo &command) {
  return command.name.empty() ? "einc" : "einc\\-" + escape(command.name);
}

/// Definitions: `\fB--emit\fR \fIKIND\fR`, and what it means.
static void printFlag(raw_ostream &os, const FlagInfo &flag, bool isArgument) {
  os << ".TP\n";
  const char *font = isArgument ? "\\fI" : "\\fB";
  interleave(
      flag.names, os,
      [&](StringRef name) { os << font << escape(name) << "\\fR"; }, ", ");
  StringRef value = flag.value;
  if (!value.empty())
    os << (value.starts_with("[") ? "" : " ") << "\\fI" << escape(value)
       << "\\fR";
  os << "\n" << escapeProse(flag.description) << "\n";
}

/// The flags under their headings, in the order of their first ones.
static void printFlags(raw_ostream &os, ArrayRef<FlagInfo> flags) {
  SmallVector<StringRef> groups;
  for (const FlagInfo &flag : flags)
    if (!is_contained(groups, flag.group))
      groups.push_back(flag.group);
  for (StringRef group : groups) {
    if (group == groups.front())
      os << ".SH OPTIONS\n";
    else
      os << ".SS " << escape(group) << "\n";
    for (const FlagInfo &flag : flags)
      if (flag.group == group)
        printFlag(os, flag, /*isArgument=*/false);
  }
}

/// "Kinds:" and "Examples:" are sections, of lines that stay as they are.
static void printFooter(raw_ostream &os, StringRef footer) {
  bool isLiteral = false;
  for (StringRef line : split(footer, '\n')) {
    bool isHeading = line.ends_with(":") && !line.starts_with(" ");
    bool isText = line.starts_with("  ");
    if (isLiteral && !isText) {
      os << ".EE\n";
      isLiteral = false;
    }
    if (isHeading) {
      os << ".SH " << line.drop_back().upper() << "\n";
    } else if (isText) {
      if (!isLiteral)
        os << ".EX\n";
      isLiteral = true;
      os << escape(line.drop_front(2)) << "\n";
    } else if (!line.empty()) {
      os << ".PP\n" << escapeProse(line) << "\n";
    }
  }
  if (isLiteral)
    os << ".EE\n";
}

static void printStatuses(raw_ostream &os) {
  static constexpr std::pair<ExitStatus, const char *> statuses[] = {
      {kDone, "it is done"},
      {kWrongInput, "the input is wrong"},
      {kWrongCommandLine, "the command line is wrong"},
      {kVerificationFailed, "what `einc verify` checked is wrong"},
      {kInternalError, "a bug of einc, which says so"}};
  os << ".SH EXIT STATUS\n";
  for (auto [status, text] : statuses)
    os << ".TP\n\\fB" << static_cast<int>(status) << "\\fR\n"
       << escapeProse(text) << "\n";
}

std::string emitManPage(const CommandInfo &command,
                        const std::vector<CommandInfo> &commands,
                        const std::string &version, const std::string &date) {
  std::string text;
  raw_string_ostream os(text);
  bool isMain = command.name.empty();
  std::string title = getTitle(command);
  os << ".TH " << StringRef(title).upper() << " 1 \"" << date << "\" \""
     << version << "\" \"User Commands\"\n"
     << ".SH NAME\n"
     << title << " \\- ";
  StringRef description = command.description;
  description.consume_front("einc ");
  os << escapeProse(description.rtrim(".")) << "\n"
     << ".SH SYNOPSIS\n\\fBeinc" << (isMain ? "" : " ") << escape(command.name)
     << "\\fR " << escape(command.usage) << "\n";
  if (!command.arguments.empty()) {
    os << ".SH ARGUMENTS\n";
    for (const FlagInfo &argument : command.arguments)
      printFlag(os, argument, /*isArgument=*/true);
  }
  printFlags(os, command.flags);
  if (isMain) {
    os << ".SH COMMANDS\n";
    for (const CommandInfo &other : commands)
      if (!other.name.empty())
        os << ".TP\n\\fBeinc " << escape(other.name) << "\\fR\n"
           << escapeProse(other.description) << "\n";
  }
  printFooter(os, command.footer);
  printStatuses(os);
  os << ".SH SEE ALSO\n";
  std::vector<std::string> others;
  for (const CommandInfo &other : commands)
    if (other.name != command.name)
      others.push_back("\\fB" + getTitle(other) + "\\fR(1)");
  sort(others);
  os << join(others, ",\n") << "\n";
  return text;
}

} // namespace ein
