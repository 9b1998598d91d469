//===- Numpy.cpp - numpy --------------------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A Python process (Worker.h) is started once. It is told a case, then asked in
// its turn, and writes the result to a file when that is to be checked; nobody
// else runs meanwhile. Programs are functions in cases/programs/in_numpy.py.
//
//===----------------------------------------------------------------------===//

#include "bench/harness/Worker.h"
#include <unistd.h>

namespace ein::bench {
namespace {

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
  explicit Numpy(const Setup &setup)
      : setup(setup), worker(setup.worker), version(worker.ask("version")) {}

  bool works() const { return !version.empty(); }
  std::string getName() const override { return "numpy"; }
  std::string describe() const override { return version; }

  std::unique_ptr<Contestant> prepare(const Problem &problem, const Data &data,
                                      std::string &why) override {
    if (problem.has(Element::BF16)) {
      why = "numpy has no bf16";
      return nullptr;
    }
    // Its products of integers take seconds.
    bool isNarrow = getBytes(problem.getNarrowest()) < 4;
    if (isNarrow && problem.program && problem.program->flops > 1e8) {
      why = "it has no products of such types";
      return nullptr;
    }
    std::string path = setup.directory + "/numpy.bin";
    why = worker.load(problem, data, path);
    if (!why.empty())
      return nullptr;
    size_t bytes = getBytes(problem.element);
    return std::make_unique<NumpyContestant>(
        worker, path, data, bytes * getSpan(problem.output, problem.extents));
  }

private:
  Setup setup;
  Worker worker;
  std::string version;
};

} // namespace
} // namespace ein::bench

extern "C" ein::bench::Peer *createPeer(const ein::bench::Setup &setup) {
  auto peer = std::make_unique<ein::bench::Numpy>(setup);
  return peer->works() ? peer.release() : nullptr;
}
