//===- Compile.cpp - Compilers, called while the benchmark runs -----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/harness/Compile.h"
#include "bench/harness/Clock.h"
#include <cstdio>
#include <dlfcn.h>
#include <fcntl.h>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

namespace ein::bench {

double runCommand(const std::vector<std::string> &arguments,
                  const std::string &log) {
  std::vector<char *> words;
  for (const std::string &argument : arguments)
    words.push_back(const_cast<char *>(argument.c_str()));
  words.push_back(nullptr);
  std::fflush(nullptr);
  double start = getSeconds();
  pid_t child = fork();
  if (child < 0)
    return -1;
  if (child == 0) {
    int file = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    dup2(file, 1);
    dup2(file, 2);
    execvp(words[0], words.data());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  double seconds = getSeconds() - start;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? seconds : -1;
}

std::string getVersion(const std::string &program, const std::string &log) {
  runCommand({program, "--version"}, log);
  std::ifstream in(log);
  std::string line;
  std::getline(in, line);
  return line;
}

bool writeFile(const std::string &path, const std::string &text) {
  std::ofstream out(path);
  out << text;
  return bool(out.flush());
}

void *loadFunction(const std::string &library, const char *name) {
  void *handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    std::fprintf(stderr, "bench: error: %s\n", dlerror());
    return nullptr;
  }
  return dlsym(handle, name);
}

} // namespace ein::bench
