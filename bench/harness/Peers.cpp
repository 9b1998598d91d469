//===- Peers.cpp - Finds and loads the peers ------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a library picks its kernels by the CPU's name when it is loaded, and
// an older one may not know the name and take those of ten years ago.
//
// Choice: it is loaded in a child for each setting that it offers, and for
// none, and a matrix product is timed there; the fastest setting is put into
// the environment before it is loaded here, and printed. A run without AVX-512
// has it take one of the settings, as what it finds by itself may use it.
//
//===----------------------------------------------------------------------===//

#include "bench/harness/Peers.h"
#include "bench/harness/Clock.h"
#include <cstdio>
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ein::bench {
namespace {

using Factory = Peer *(*)(const Setup &);

std::unique_ptr<Peer> load(const std::string &path, const Setup &setup,
                           std::string &why,
                           const char *factory = "createPeer") {
  void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  auto create =
      handle ? reinterpret_cast<Factory>(dlsym(handle, factory)) : nullptr;
  if (!create) {
    why = dlerror();
    return nullptr;
  }
  why = "does not work on this machine";
  return std::unique_ptr<Peer>(create(setup));
}

/// What a child that does `work` writes to a pipe.
template <typename Work> std::string runInChild(Work work) {
  int ends[2];
  if (pipe(ends) != 0)
    return "";
  std::fflush(nullptr);
  pid_t child = fork();
  if (child == 0) {
    std::string text = work();
    ssize_t written = write(ends[1], text.data(), text.size());
    _exit(written < 0);
  }
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, n);
  close(ends[0]);
  if (child > 0)
    waitpid(child, nullptr, 0);
  return text;
}

/// The settings as lines; in a child, as the library looks at its environment
/// only once.
std::string getSettings(const std::string &path, const Setup &setup) {
  return runInChild([&] {
    std::string text, why;
    if (auto peer = load(path, setup, why))
      for (const std::string &setting : peer->getSettings())
        text += setting + "\n";
    return text;
  });
}

void apply(const std::string &setting) {
  size_t equals = setting.find('=');
  if (equals != std::string::npos)
    setenv(setting.substr(0, equals).c_str(),
           setting.substr(equals + 1).c_str(), 1);
}

/// Seconds for a product that fits into L2, or 1e9 if there is none.
double probe(const std::string &path, const Setup &setup,
             const std::string &setting) {
  std::string text = runInChild([&]() -> std::string {
    apply(setting);
    std::string why;
    auto peer = load(path, setup, why);
    if (!peer)
      return "";
    constexpr int64_t size = 320;
    Problem problem;
    problem.name = "probe";
    problem.einsum = "mk,kn->mn";
    problem.extents = {{'m', size}, {'n', size}, {'k', size}};
    problem.inputs = {getContiguous("mk", problem.extents),
                      getContiguous("kn", problem.extents)};
    problem.output = getContiguous("mn", problem.extents);
    std::vector<float> a(size * size, 1), b(size * size, 1), c(size * size);
    auto contestant =
        peer->prepare(problem, {{a.data(), b.data()}, c.data()}, why);
    if (!contestant || contestant->run(2) < 0)
      return "";
    double fastest = 1e9;
    for (int i = 0; i < 7; ++i)
      fastest = std::min(fastest, contestant->run(2));
    return std::to_string(fastest);
  });
  return text.empty() ? 1e9 : std::atof(text.c_str());
}

std::string chooseSetting(const std::string &path, const Setup &setup) {
  std::string settings = getSettings(path, setup), best;
  if (settings.empty())
    return "";
  double fastest = setup.isa == Isa::Native ? probe(path, setup, "") : 1e9;
  for (size_t begin = 0, end; begin < settings.size(); begin = end + 1) {
    end = settings.find('\n', begin);
    std::string setting = settings.substr(begin, end - begin);
    // What a user has set stays.
    if (getenv(setting.substr(0, setting.find('=')).c_str()))
      return "";
    double seconds = probe(path, setup, setting);
    if (seconds < 0.98 * fastest) {
      fastest = seconds;
      best = setting;
    }
  }
  return best;
}

/// In the order of the tables. BLIS without a setting comes before BLIS with
/// one, which stays in the environment, and what is made of others' products
/// after those.
const char *const peerNames[] = {
    "openblas", "blis-detected", "blis",  "onednn",      "libxsmm",   "eigen",
    "composed", "eigen-tensor",  "numpy", "loops-naive", "loops-good"};

} // namespace

std::vector<std::unique_ptr<Peer>>
loadPeers(const std::string &directory, const std::vector<std::string> &extra,
          const std::vector<std::string> &without, Setup setup) {
  std::vector<std::unique_ptr<Peer>> peers;
  auto add = [&](const std::string &name, const std::string &path,
                 const char *factory) {
    std::string setting = chooseSetting(path, setup), why;
    apply(setting);
    auto peer = load(path, setup, why, factory);
    if (!peer) {
      std::fprintf(stderr, "peer %-14s not there: %s\n", name.c_str(),
                   why.c_str());
      return;
    }
    std::fprintf(stderr, "peer %-14s %s%s%s\n", peer->getName().c_str(),
                 peer->describe().c_str(), setting.empty() ? "" : ", ",
                 setting.c_str());
    if (GemmLibrary *library = peer->getGemmLibrary())
      setup.libraries.push_back({peer->getName(), library});
    peers.push_back(std::move(peer));
  };
  auto getPath = [&](const std::string &name) {
    return directory + "/bench-peer-" + name + ".so";
  };
  add("einc", getPath("einc"), "createPeer");
  if (peers.empty())
    return peers;
  if (setup.threads > 1)
    add("einc, 1 thread", getPath("einc"), "createSerialPeer");
  if (setup.tuningSeconds)
    add(tunedName, getPath("einc"), "createTunedPeer");
  for (const char *name : peerNames)
    if (setup.isa != Isa::Native && name == std::string("blis-detected")) {
      std::fprintf(stderr, "peer %-14s left out: it takes what it finds\n",
                   name);
    } else if (!std::count(without.begin(), without.end(), name)) {
      bool isOther = setup.isa != Isa::Native && name == std::string("eigen");
      add(name, getPath(isOther ? "eigen-avx2" : name), "createPeer");
      if (name == std::string("onednn") && !peers.empty())
        add("onednn, blocked", getPath(name), "createBlockedPeer");
    }
  for (const std::string &path : extra)
    add(path, path, "createPeer");
  return peers;
}

} // namespace ein::bench
