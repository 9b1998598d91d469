//===- CommandLine.cpp - What an executable is asked to do ----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/CommandLine.h"
#include "runtime/Npy.h"
#include "runtime/Npz.h"
#include "runtime/Print.h"
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>

namespace ein::runtime {

static std::string quote(const std::string &text) { return "`" + text + "`"; }

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static bool parseSeed(const std::string &text, std::optional<uint64_t> &seed) {
  uint64_t value = 0;
  const char *end = text.data() + text.size();
  auto result = std::from_chars(text.data(), end, value);
  seed = value;
  return result.ec == std::errc() && result.ptr == end;
}

static bool parseSeconds(const std::string &text, double &seconds) {
  char *end = nullptr;
  seconds = std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0' && seconds >= 0 &&
         seconds <= std::numeric_limits<double>::max();
}

bool parseCommandLine(const std::vector<std::string> &arguments,
                      CommandLine &line, std::string &error) {
  bool onlyOperands = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string &argument = arguments[i];
    // A lone `-` is a file, and `-1.5` a scalar.
    bool isOption = !onlyOperands && argument.size() > 1 &&
                    argument[0] == '-' && argument[1] != '.' &&
                    !(argument[1] >= '0' && argument[1] <= '9') &&
                    argument != "-inf" && argument != "-nan";
    if (!isOption) {
      line.operands.push_back(argument);
      continue;
    }
    if (argument == "--") {
      onlyOperands = true;
      continue;
    }

    // `--name=VALUE`, `--name VALUE`, `-oVALUE`, `-o VALUE`.
    std::string name = argument;
    std::optional<std::string> attached;
    if (argument.compare(0, 2, "-o") == 0) {
      name = "-o";
      if (argument.size() > 2)
        attached = argument.substr(2);
    } else if (size_t equal = argument.find('='); equal != std::string::npos) {
      name = argument.substr(0, equal);
      attached = argument.substr(equal + 1);
    }

    bool *flag = name == "--bench"                      ? &line.bench
                 : name == "--time"                     ? &line.time
                 : name == "--describe"                 ? &line.describe
                 : name == "--version"                  ? &line.version
                 : name == "--help" || argument == "-h" ? &line.help
                                                        : nullptr;
    if (flag) {
      if (attached) {
        error = "option " + quote(name) + " takes no value";
        return false;
      }
      *flag = true;
      continue;
    }
    if (name != "-o" && name != "--entry" && name != "--random" &&
        name != "--bind" && name != "--checkpoint" &&
        name != "--checkpoint-interval") {
      error = "unknown option " + quote(argument) + "; see `--help`";
      return false;
    }
    if (!attached) {
      if (i + 1 == arguments.size()) {
        error = "option " + quote(name) + " needs a value";
        return false;
      }
      attached = arguments[++i];
    }
    if (name == "-o") {
      line.outputs.push_back(*attached);
    } else if (name == "--entry") {
      line.entry = *attached;
    } else if (name == "--checkpoint") {
      line.checkpoint = *attached;
    } else if (name == "--checkpoint-interval") {
      if (!parseSeconds(*attached, line.checkpointInterval.emplace())) {
        error = "expected seconds after `--checkpoint-interval`, not " +
                quote(*attached);
        return false;
      }
    } else if (name == "--bind") {
      if (!parseBindings(*attached, line.bindings, error)) {
        error = "`--bind`: " + error;
        return false;
      }
    } else if (!parseSeed(*attached, line.seed)) {
      error = "expected a seed from 0 to 2^64 - 1 after `--random`, not " +
              quote(*attached);
      return false;
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Operands and results
//===----------------------------------------------------------------------===//

bool assignItems(const Signature &signature, bool results,
                 const std::vector<std::string> &items,
                 std::vector<std::optional<std::string>> &assigned,
                 std::string &error) {
  auto takesPart = [&](const Argument &argument) {
    return results ? argument.isResult() : argument.isRead();
  };
  const char *what = results ? "result" : "input";
  size_t count = signature.arguments.size();
  assigned.assign(count, std::nullopt);
  std::vector<const std::string *> positional;
  for (const std::string &item : items) {
    size_t equal = item.find('=');
    size_t found = count;
    for (size_t i = 0; equal != std::string::npos && i < count; ++i)
      if (takesPart(signature.arguments[i]) &&
          item.compare(0, equal, signature.arguments[i].name) == 0)
        found = i;
    if (found == count) {
      positional.push_back(&item);
      continue;
    }
    if (assigned[found]) {
      error = "the " + std::string(what) + " " +
              quote(signature.arguments[found].name) + " is given twice";
      return false;
    }
    assigned[found] = item.substr(equal + 1);
  }
  size_t next = 0;
  for (const std::string *item : positional) {
    while (next < count &&
           (assigned[next] || !takesPart(signature.arguments[next])))
      ++next;
    if (next == count) {
      error = quote(*item) + " is one " + what + " too many for " +
              quote(print(signature));
      return false;
    }
    assigned[next] = *item;
  }
  return true;
}

/// `A=` before a file.
static std::string getName(const std::string &item,
                           const Signature &signature) {
  for (const Argument &argument : signature.arguments)
    if (item.compare(0, argument.name.size() + 1, argument.name + "=") == 0)
      return argument.name;
  return "";
}

/// `A=a.npz` is `A=a.npz:A`, and `a.npz` alone has each input that is given
/// nowhere else, as far as it has arrays of their names.
static bool expandArchives(const Signature &signature,
                           const std::vector<std::string> &items,
                           std::vector<std::string> &expanded,
                           std::string &error) {
  std::vector<std::string> named;
  for (const std::string &item : items)
    named.push_back(getName(item, signature));
  for (size_t i = 0; i < items.size(); ++i) {
    const std::string &item = items[i];
    if (!isArchive(item)) {
      expanded.push_back(item);
      continue;
    }
    if (!named[i].empty()) {
      expanded.push_back(item + ":" + named[i]);
      continue;
    }
    std::vector<NpzMember> members;
    if (!listMembers(item, members, error))
      return false;
    bool isUsed = false;
    for (const Argument &argument : signature.arguments) {
      auto isIt = [&](const NpzMember &member) {
        return member.name == argument.name;
      };
      if (!argument.isRead() ||
          std::find(named.begin(), named.end(), argument.name) != named.end() ||
          std::none_of(members.begin(), members.end(), isIt))
        continue;
      expanded.push_back(argument.name + "=" + item + ":" + argument.name);
      isUsed = true;
    }
    if (!isUsed) {
      error = quote(item) + " has no array that is an input of " +
              quote(print(signature));
      return false;
    }
  }
  return true;
}

/// The same for results: all that go nowhere else are written to one archive.
static std::vector<std::string>
expandResults(const Signature &signature,
              const std::vector<std::string> &items) {
  std::vector<std::string> named, expanded;
  for (const std::string &item : items)
    named.push_back(getName(item, signature));
  for (size_t i = 0; i < items.size(); ++i) {
    const std::string &item = items[i];
    if (!isArchive(item))
      expanded.push_back(item);
    else if (!named[i].empty())
      expanded.push_back(item + ":" + named[i]);
    else
      for (const Argument &argument : signature.arguments)
        if (argument.isResult() &&
            std::find(named.begin(), named.end(), argument.name) == named.end())
          expanded.push_back(argument.name + "=" + item + ":" + argument.name);
  }
  return expanded;
}

bool loadOperands(const std::vector<std::string> &operands,
                  Invocation &invocation, std::string &error, int &status) {
  const Signature &signature = invocation.getSignature();
  std::vector<std::optional<std::string>> assigned;
  std::vector<std::string> expanded;
  status = ExitWrongInput;
  if (!expandArchives(signature, operands, expanded, error))
    return false;
  status = ExitWrongCommandLine;
  if (!assignItems(signature, /*results=*/false, expanded, assigned, error))
    return false;
  for (size_t i = 0; i < assigned.size(); ++i) {
    if (!assigned[i])
      continue;
    const Argument &argument = signature.arguments[i];
    Array array;
    // A scalar may come as a file of rank 0 as well.
    if (!argument.isScalarInput() ||
        !parseScalar(*assigned[i], argument.type, array)) {
      status = ExitWrongInput;
      if (!readNpy(*assigned[i], array, error)) {
        if (argument.isScalarInput()) {
          status = ExitWrongCommandLine;
          error = quote(argument.name) + " is " + getSpelling(argument.type) +
                  ", and " + quote(*assigned[i]) +
                  " is neither such a number nor a file";
        }
        return false;
      }
    }
    if (!invocation.setInput(argument.name, std::move(array), error))
      return false;
  }
  return true;
}

/// Of files that others keep arrays in.
static bool hasForeignSuffix(const std::string &path) {
  static const char *const suffixes[] = {
      "csv",     "tsv",     "txt",  "json",   "mat",        "h5",
      "hdf5",    "hdf",     "pkl",  "pickle", "pt",         "pth",
      "parquet", "feather", "xls",  "xlsx",   "arrow",      "nc",
      "zarr",    "tif",     "tiff", "png",    "safetensors"};
  size_t dot = path.rfind('.');
  if (dot == std::string::npos || dot == 0)
    return false;
  std::string suffix = path.substr(dot + 1);
  std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return std::find(std::begin(suffixes), std::end(suffixes), suffix) !=
         std::end(suffixes);
}

bool checkSuffixes(const CommandLine &commandLine, std::string &error) {
  auto getFile = [](const std::string &item) {
    return item.substr(
        item.find('=') == std::string::npos ? 0 : item.find('=') + 1);
  };
  auto check = [&](const std::vector<std::string> &items, const char *what) {
    for (const std::string &item : items)
      if (hasForeignSuffix(item)) {
        error = quote(getFile(item)) + ": " + what +
                " .npy and .npz files, as numpy's `save` and `savez` write";
        return false;
      }
    return true;
  };
  return check(commandLine.operands, "arrays are read from") &&
         check(commandLine.outputs, "results are written to");
}

/// Two results in one file would leave only the second.
static bool
checkDistinct(const std::vector<std::optional<std::string>> &outputs,
              std::string &error) {
  for (size_t i = 0; i < outputs.size(); ++i)
    for (size_t k = i + 1; k < outputs.size(); ++k)
      if (outputs[i] && outputs[i] == outputs[k]) {
        error = "two results are to be written to " + quote(*outputs[i]);
        return false;
      }
  return true;
}

static bool writeOutputs(const Invocation &invocation,
                         const std::vector<std::optional<std::string>> &outputs,
                         std::string &error) {
  // What goes to one archive is one file.
  std::vector<std::pair<std::string, NpyWriter::Contents>> files;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i])
      continue;
    std::string path = *outputs[i], archive, member;
    if (splitMember(path, archive, member))
      path = archive;
    auto isThis = [&](const auto &file) {
      return file.first == path && !member.empty();
    };
    auto file = std::find_if(files.begin(), files.end(), isThis);
    if (file == files.end())
      file = files.insert(file, {path, {}});
    file->second.push_back({member, &invocation.getArray(i)});
  }
  std::vector<NpyWriter> writers(files.size());
  for (size_t i = 0; i < files.size(); ++i)
    if (!writers[i].stage(files[i].first, files[i].second, error))
      return false;
  for (NpyWriter &writer : writers)
    if (!writer.commit(error))
      return false;
  return true;
}

int runEntry(const Signature &signature, PackedFunction function,
             const CommandLine &line, std::string &out, std::string &error) {
  // The command line is checked as a whole before any file is opened.
  std::vector<std::optional<std::string>> inputs, outputs;
  std::vector<std::string> operands;
  if (!expandArchives(signature, line.operands, operands, error))
    return ExitWrongInput;
  if (!checkSuffixes(line, error) ||
      !assignItems(signature, /*results=*/false, operands, inputs, error) ||
      !assignItems(signature, /*results=*/true,
                   expandResults(signature, line.outputs), outputs, error) ||
      !checkDistinct(outputs, error))
    return ExitWrongCommandLine;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (!line.seed && !inputs[i] && signature.arguments[i].isRead()) {
      error = "the input " + quote(signature.arguments[i].name) +
              " is missing; the signature is " + quote(print(signature));
      return ExitWrongCommandLine;
    }

  Invocation invocation(signature);
  int status;
  if (!loadOperands(operands, invocation, error, status))
    return status;
  BindFault fault;
  if (!invocation.bind(line.bindings, error, &fault))
    return fault == BindFault::Bindings ? ExitWrongCommandLine : ExitWrongInput;
  if (line.seed && !invocation.fillMissing(*line.seed, error))
    return ExitWrongInput;

  std::string report;
  auto codeStatus = [&] {
    std::string reason =
        line.explainSizes ? line.explainSizes(invocation.getSizes()) : "";
    if (!reason.empty())
      error += ": " + reason;
    return getText(invocation.getCode()) ? ExitWrongInput : ExitInternalError;
  };
  if (line.bench) {
    Timing timing;
    if (!invocation.measure(function, 0.2, timing, error))
      return codeStatus();
    report = signature.name + ": " + printSeconds(timing.median) +
             " (median of " + std::to_string(timing.calls) +
             " calls, fastest " + printSeconds(timing.minimum) + ")\n";
  }
  // The results are those of one call, whatever was measured before: contents
  // that are read and written are as given again.
  if (!line.bench || !line.outputs.empty())
    if (!invocation.run(function, error))
      return codeStatus();
  if (line.time && !line.bench)
    report =
        signature.name + ": " + printSeconds(invocation.getSeconds()) + "\n";
  if (line.outputs.empty() && !line.time && !line.bench)
    for (size_t i = 0; i < signature.arguments.size(); ++i)
      if (signature.arguments[i].isResult()) {
        std::string text = printElements(invocation.getArray(i));
        bool isLong = text.find('\n') != std::string::npos;
        report += signature.arguments[i].name + (isLong ? " =\n" : " = ") +
                  text + "\n";
      }
  if (!writeOutputs(invocation, outputs, error))
    return ExitWrongInput;
  out += report;
  return ExitDone;
}

//===----------------------------------------------------------------------===//
// The whole program
//===----------------------------------------------------------------------===//

static std::string makeHelp(const std::string &program,
                            const std::vector<Signature> &signatures,
                            size_t chosen) {
  const Signature &signature = signatures[chosen];
  std::string usage = "usage: " + program + " [options]";
  std::string inputs, results;
  for (const Argument &argument : signature.arguments) {
    std::string line = "  " + argument.name + ": " +
                       printType(argument, signature.symbols) +
                       (argument.isScalarInput() ? ", a number\n" : "\n");
    if (argument.isRead()) {
      usage += " [" + argument.name + "=]" +
               (argument.isScalarInput() ? "VALUE" : "FILE.npy");
      inputs += line;
    }
    if (argument.isResult())
      results += line;
  }
  std::string text = usage + " [-o [NAME=]FILE.npy]...\n\n";
  text += print(signature) + "\n";
  text += "\ninputs:\n" + (inputs.empty() ? "  none\n" : inputs);
  text += "\nresults:\n" + (results.empty() ? "  none\n" : results);
  if (!signature.symbols.empty()) {
    text += "\nsizes, found from the inputs or given with --bind:\n ";
    for (const std::string &symbol : signature.symbols)
      text += " " + symbol;
    text += "\n";
  }
  if (signatures.size() > 1) {
    text += "\nentries:\n";
    for (const Signature &other : signatures)
      text += "  " + other.name +
              (&other == &signatures.back() ? " (unless --entry is given)\n"
                                            : "\n");
  }
  text += R"(
options:
  -o [NAME=]FILE.npy  write a result; without -o, results are printed
  --entry NAME        the entry to call
  --random SEED       random data in [-1, 1) for inputs that are not given
  --bind K=V,...      sizes
  --time              print the time of the call
  --bench             call for 0.2 s or longer and print the median time
  --describe          print the signatures, one to a line, and several CPUs
  --version           print what made this program
  --help              print this
)";
  return text;
}

/// Which of several CPUs' code the functions take, as they choose themselves;
/// empty for a single one. False for a wish that they cannot fulfil, which they
/// would ignore, and for a machine that runs none.
static bool chooseCpu(const CpuTable &cpus, std::string &cpu,
                      std::string &error) {
  if (!cpus.names[0])
    return true;
  uint64_t runnable = cpus.getRunnable();
  const char *variable = std::getenv(kCpuVariable);
  std::string wanted = variable ? variable : "", names;
  bool isKnown = false;
  for (size_t i = 0; cpus.names[i]; ++i) {
    bool isWanted = wanted.empty() || wanted == cpus.names[i];
    names += (i ? ", " : "") + quote(cpus.names[i]);
    isKnown |= isWanted;
    if (isWanted && (runnable >> i & 1))
      cpu = cpus.names[i];
  }
  if (!cpu.empty())
    return true;
  if (!isKnown)
    error = std::string(kCpuVariable) + ": there is no code for " +
            quote(wanted) + "; there is for " + names;
  else
    error = wanted.empty()
                ? "this machine can run none of the code, which is "
                  "for " +
                      names
                : std::string(kCpuVariable) +
                      ": this machine cannot run code for " + quote(wanted);
  return false;
}

int runCommandLine(int argc, const char *const *argv,
                   const EntryRecord *entries, const CpuTable &cpus,
                   const char *version, std::string &out, std::string &err) {
  std::string program = argc > 0 ? argv[0] : "";
  program = program.substr(program.rfind('/') + 1);
  auto fail = [&](int status, const std::string &message) {
    err += program + ": error: " + message + "\n";
    return status;
  };

  std::vector<Signature> signatures;
  for (const EntryRecord *entry = entries; entry->signature; ++entry) {
    signatures.emplace_back();
    if (!parse(entry->signature, signatures.back()))
      return fail(ExitInternalError, "this program is damaged: `" +
                                         std::string(entry->signature) +
                                         "` is not a signature");
  }
  if (signatures.empty())
    return fail(ExitInternalError, "this program has no entry");

  CommandLine line;
  std::string error;
  if (!parseCommandLine(
          std::vector<std::string>(argv + std::min(argc, 1), argv + argc), line,
          error))
    return fail(ExitWrongCommandLine, error);
  if (line.checkpoint || line.checkpointInterval)
    return fail(ExitWrongCommandLine,
                (line.checkpoint ? quote("--checkpoint")
                                 : quote("--checkpoint-interval")) +
                    " is for programs for many ranks, which `einc "
                    "build --distribute` makes");

  size_t chosen = signatures.size() - 1;
  if (!line.entry.empty()) {
    std::string names;
    for (chosen = 0; chosen < signatures.size(); ++chosen) {
      if (signatures[chosen].name == line.entry)
        break;
      names += (chosen ? ", " : "") + quote(signatures[chosen].name);
    }
    if (chosen == signatures.size())
      return fail(ExitWrongCommandLine, "there is no entry " +
                                            quote(line.entry) + "; there is " +
                                            names);
  }

  if (line.help) {
    out += makeHelp(program, signatures, chosen);
    return ExitDone;
  }
  if (line.version) {
    out += program + ", " + version + "\n";
    return ExitDone;
  }
  std::string cpu;
  if (!chooseCpu(cpus, cpu, error))
    return fail(ExitWrongCommandLine, error);
  if (line.describe) {
    for (const Signature &signature : signatures)
      out += print(signature) + "\n";
    for (size_t i = 0; cpus.names[i]; ++i)
      out += (i ? ", " : "code for ") + std::string(cpus.names[i]);
    out += cpu.empty() ? "" : "; here that for " + cpu + " runs\n";
    return ExitDone;
  }
  int status =
      runEntry(signatures[chosen], entries[chosen].function, line, out, error);
  return status == ExitDone ? status : fail(status, error);
}

} // namespace ein::runtime
