//===- Worker.cpp - A Python process that answers -------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// numpy as a peer, and as what programs are compared with. It is told a case
// and reads the inputs from a file into arrays of its own, with the same values
// and strides. What the pipe costs is in no time, as it times its own calls.
//
//===----------------------------------------------------------------------===//

#include "bench/harness/Worker.h"
#include "bench/cases/Path.h"
#include <sys/wait.h>
#include <unistd.h>

namespace ein::bench {

Worker::Worker(const std::string &script) {
  int input[2], output[2];
  if (pipe(input) != 0 || pipe(output) != 0)
    return;
  std::fflush(nullptr);
  child = fork();
  if (child == 0) {
    dup2(input[0], 0);
    dup2(output[1], 1);
    for (int end : {input[0], input[1], output[0], output[1]})
      close(end);
    execlp(EIN_PYTHON, EIN_PYTHON, script.c_str(), nullptr);
    _exit(127);
  }
  close(input[0]);
  close(output[1]);
  to = fdopen(input[1], "w");
  from = fdopen(output[0], "r");
}

Worker::~Worker() {
  if (to)
    std::fclose(to);
  if (from)
    std::fclose(from);
  if (child > 0)
    waitpid(child, nullptr, 0);
}

std::string Worker::ask(const std::string &line) {
  if (!to || !from)
    return "";
  std::fprintf(to, "%s\n", line.c_str());
  std::fflush(to);
  char *answer = nullptr;
  size_t size = 0;
  ssize_t length = getline(&answer, &size, from);
  std::string text(answer ? answer : "", length > 0 ? length - 1 : 0);
  std::free(answer);
  return text;
}

namespace {

/// `case EINSUM TYPE FILE PATH`, then EXTENTS:STRIDES of each array.
std::string describeEinsum(const Problem &problem, const std::string &path) {
  std::string line = "case " + problem.einsum + " " + getName(problem.element) +
                     " " + path + " ";
  Path best = getPaths(problem).front();
  for (const PathStep &step : best.steps)
    line += std::to_string(step.lhs) + "-" + std::to_string(step.rhs) + ",";
  if (line.back() == ' ')
    line += "-";
  std::vector<View> views = problem.inputs;
  views.push_back(problem.output);
  for (const View &view : views) {
    line += " ";
    for (char label : view.labels)
      line += std::to_string(problem.extents.at(label)) + ",";
    line += ":";
    for (int64_t stride : view.strides)
      line += std::to_string(stride) + ",";
  }
  return line;
}

/// `program NAME FILE SIZES`, then `DIMS:TYPE` of each array.
std::string describeProgram(const Problem &problem, const std::string &path) {
  const Program &program = *problem.program;
  std::string line = "program " + program.name + " " + path + " ";
  for (const Program::Size &size : program.sizes)
    line += size.name + "=" + std::to_string(size.value) + ",";
  for (const Program::Array &array : program.arrays) {
    line += " ";
    for (int64_t dim : array.dims)
      line += std::to_string(dim) + ",";
    line += std::string(":") + getName(array.element);
  }
  return line;
}

} // namespace

std::string Worker::load(const Problem &problem, const Data &data,
                         const std::string &path) {
  std::FILE *file = std::fopen(path.c_str(), "wb");
  if (!file)
    return "cannot write " + path;
  for (size_t i = 0; i < problem.inputs.size(); ++i)
    std::fwrite(data.inputs[i], getBytes(problem.getInputElement(i)),
                getSpan(problem.inputs[i], problem.extents), file);
  std::fclose(file);
  std::string answer = ask(problem.program ? describeProgram(problem, path)
                                           : describeEinsum(problem, path));
  if (answer == "ok")
    return "";
  return answer.empty() ? "the worker is gone" : answer;
}

} // namespace ein::bench
