//===- Completion.cpp - Scripts that complete einc's command line ---------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The scripts are made from the same description that the command line is
// parsed with, so a new flag needs nothing here; only values that come from a
// list of ours are looked up. zsh runs bash's script, through bashcompinit.
//
//===----------------------------------------------------------------------===//

#include "driver/Completion.h"
#include "driver/Compiler.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace ein {

/// The words that a flag's value is one of; none if it may be anything.
static std::vector<std::string> getChoices(StringRef flag) {
  std::vector<std::string> choices;
  if (flag == "--emit") {
#define EIN_EMISSION(ENUM, NAME, SUFFIX, IS_TEXT, TEXT) choices.push_back(NAME);
#include "driver/EmissionKinds.def"
  } else if (flag == "--dtype") {
#define EIN_ELEMENT_TYPE(ENUM, SPELLING, CTYPE, KIND, BITS, NPY)               \
  choices.push_back(SPELLING);
#include "abi/ElementTypes.def"
  } else if (flag == "--color") {
    choices = {"auto", "always", "never"};
  } else if (flag == "--diagnostics") {
    choices = {"text", "json"};
  } else if (flag == "--broadcast") {
    choices = {"none", "numpy"};
  } else if (flag == "--path") {
    llvm::append_range(choices, getPathStrategies());
  } else if (flag == "-O") {
    choices = {"0", "1", "2", "3"};
  } else if (flag == "--cpu") {
    choices = {"native"};
  }
  return choices;
}

/// The function `name`, which bash's `complete` calls.
static std::string emitFunction(StringRef name,
                                ArrayRef<CommandInfo> commands) {
  std::string text;
  raw_string_ostream os(text);
  os << name
     << "() {\n"
        "  local word=\"${COMP_WORDS[COMP_CWORD]}\"\n"
        "  local previous=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
        "  local command=\"${COMP_WORDS[1]}\" words=\"\"\n"
        "  COMPREPLY=()\n"
        "  if [[ $COMP_CWORD -eq 1 ]]; then\n    words=\"";
  for (const CommandInfo &command : commands)
    os << command.name << " ";
  os << "--help --version\"\n  else\n"
        "    case \"$command $previous\" in\n";
  for (const CommandInfo &command : commands)
    for (const FlagInfo &flag : command.flags)
      for (StringRef name : flag.names)
        if (std::vector<std::string> choices = getChoices(name);
            !flag.value.empty() && !choices.empty())
          os << "      \"" << command.name << " " << name << "\") words=\""
             << join(choices, " ") << "\" ;;\n";
  os << "    esac\n"
        "    if [[ -z $words && $word == -* ]]; then\n"
        "      case \"$command\" in\n";
  for (const CommandInfo &command : commands) {
    os << "        " << command.name << ") words=\"";
    for (const FlagInfo &flag : command.flags)
      os << join(flag.names, " ") << " ";
    os << "\" ;;\n";
  }
  // Without words the shell completes files (-o default).
  os << "      esac\n    fi\n  fi\n"
        "  [[ -z $words ]] || COMPREPLY=($(compgen -W \"$words\" -- "
        "\"$word\"))\n"
        "}\n";
  return text;
}

static std::string emitBash(ArrayRef<CommandInfo> commands) {
  return "# Completion of einc for bash: source <(einc completion bash)\n" +
         emitFunction("_einc", commands) +
         "complete -o default -F _einc einc\n";
}

/// zsh reads the script when it is told to, or is given a directory with it: as
/// the function that completes, then, so that the first time it has to do that,
/// too.
static std::string emitZsh(ArrayRef<CommandInfo> commands) {
  return "#compdef einc\n"
         "# Completion of einc for zsh: source <(einc completion zsh), or the "
         "file _einc in $fpath\n"
         "autoload -U +X bashcompinit && bashcompinit\n" +
         emitFunction("_einc_words", commands) +
         "complete -o default -F _einc_words einc\n"
         "if [[ $funcstack[1] == _einc ]]; then\n"
         "  _bash_complete -o default -F _einc_words\n"
         "fi\n";
}

/// In single quotes, as fish reads them.
static std::string quoteForFish(StringRef text) {
  std::string quoted = "'";
  for (char c : text) {
    if (c == '\'' || c == '\\')
      quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

static std::string emitFish(ArrayRef<CommandInfo> commands) {
  std::string text;
  raw_string_ostream os(text);
  os << "# Completion of einc for fish: einc completion fish | source\n";
  for (const CommandInfo &command : commands) {
    os << "complete -c einc -n __fish_use_subcommand -f -a " << command.name
       << " -d " << quoteForFish(command.description) << "\n";
    for (const FlagInfo &flag : command.flags) {
      os << "complete -c einc -n '__fish_seen_subcommand_from " << command.name
         << "'";
      std::vector<std::string> choices;
      for (StringRef name : flag.names) {
        llvm::append_range(choices, getChoices(name));
        if (name.consume_front("--"))
          os << " -l " << name;
        else
          os << " -s " << name.drop_front();
      }
      if (!flag.value.empty())
        os << " -r";
      if (!flag.value.empty() && !choices.empty())
        os << " -f -a " << quoteForFish(join(choices, " "));
      os << " -d " << quoteForFish(flag.description) << "\n";
    }
  }
  return text;
}

std::optional<std::string>
emitCompletion(const std::string &shell,
               const std::vector<CommandInfo> &commands) {
  if (shell == "bash")
    return emitBash(commands);
  if (shell == "zsh")
    return emitZsh(commands);
  if (shell == "fish")
    return emitFish(commands);
  return std::nullopt;
}

} // namespace ein
