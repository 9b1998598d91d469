//===- Numpy.cpp - numpy.einsum -------------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A Python process is started once, on the core that this one is pinned to. It
// is told a case and reads the inputs from a file into arrays of its own, with
// the same values and strides; then it is asked in its turn, times its own
// calls, and writes the result to a file when that is to be checked. So what
// the pipe costs is in no time, and nobody else runs meanwhile.
//
//===----------------------------------------------------------------------===//

#include "bench/Peer.h"
#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>

namespace ein::bench {
namespace {

/// A process that answers a line with a line.
class Worker {
public:
  explicit Worker(const std::string &script) {
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
    version = ask("version");
  }

  ~Worker() {
    if (to)
      std::fclose(to);
    if (from)
      std::fclose(from);
    if (child > 0)
      waitpid(child, nullptr, 0);
  }

  /// Empty if there is no answer.
  std::string ask(const std::string &line) {
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

  std::string version;

private:
  pid_t child = -1;
  std::FILE *to = nullptr, *from = nullptr;
};

class NumpyContestant : public Contestant {
public:
  NumpyContestant(Worker &worker, std::string path, const Data &data,
                  size_t outputBytes)
      : worker(worker), path(std::move(path)), output(data.output),
        bytes(outputBytes) {}
  ~NumpyContestant() override {
    worker.ask("end");
    unlink(path.c_str());
  }

  double run(int64_t repetitions) override {
    std::string answer = worker.ask("run " + std::to_string(repetitions));
    if (answer.empty())
      return -1;
    // The first result is what gets checked.
    if (!isChecked && !fetch())
      return -1;
    isChecked = true;
    return std::atof(answer.c_str());
  }

private:
  bool fetch() {
    if (worker.ask("save " + path) != "ok")
      return false;
    std::FILE *file = std::fopen(path.c_str(), "rb");
    if (!file)
      return false;
    size_t read = std::fread(output, 1, bytes, file);
    std::fclose(file);
    return read == bytes;
  }

  Worker &worker;
  std::string path;
  void *output;
  size_t bytes;
  bool isChecked = false;
};

class Numpy : public Peer {
public:
  explicit Numpy(const Setup &setup) : setup(setup), worker(setup.worker) {}

  bool works() const { return !worker.version.empty(); }
  std::string getName() const override { return "numpy"; }
  std::string describe() const override { return worker.version; }

  std::unique_ptr<Contestant> prepare(const Problem &problem, const Data &data,
                                      std::string &why) override {
    std::string path = setup.directory + "/numpy.bin";
    std::FILE *file = std::fopen(path.c_str(), "wb");
    if (!file) {
      why = "cannot write " + path;
      return nullptr;
    }
    // case EINSUM TYPE FILE, then EXTENTS:STRIDES of each array.
    std::string line = "case " + problem.einsum + " " +
                       ein::bench::getName(problem.element) + " " + path;
    size_t bytes = getBytes(problem.element);
    auto describeView = [&](const View &view) {
      line += " ";
      for (char label : view.labels)
        line += std::to_string(problem.extents.at(label)) + ",";
      line += ":";
      for (int64_t stride : view.strides)
        line += std::to_string(stride) + ",";
    };
    for (size_t i = 0; i < problem.inputs.size(); ++i) {
      describeView(problem.inputs[i]);
      std::fwrite(data.inputs[i], bytes,
                  getSpan(problem.inputs[i], problem.extents), file);
    }
    describeView(problem.output);
    std::fclose(file);
    std::string answer = worker.ask(line);
    if (answer != "ok") {
      why = answer.empty() ? "the worker is gone" : answer;
      return nullptr;
    }
    return std::make_unique<NumpyContestant>(
        worker, path, data, bytes * getSpan(problem.output, problem.extents));
  }

private:
  Setup setup;
  Worker worker;
};

} // namespace
} // namespace ein::bench

extern "C" ein::bench::Peer *createPeer(const ein::bench::Setup &setup) {
  auto peer = std::make_unique<ein::bench::Numpy>(setup);
  return peer->works() ? peer.release() : nullptr;
}
