#===- lit.cfg.py - How the text tests are found and run -------------------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# Tests read the source tree and write below the build tree only: each runs in
# the build tree's directory that mirrors its own, and %t is there. The site
# configuration in the build tree is the way in; docs/how-to/test.md tells how a
# test is written.
#
#===-----------------------------------------------------------------------===#
import os
import platform
import shutil
import subprocess
import urllib.request

import lit.formats

config.name = "einc"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ein", ".mlir", ".test", ".c", ".yaml"]
config.excludes = ["unit", "Inputs"]
config.test_source_root = os.path.join(config.ein_source_dir, "tests")
config.test_exec_root = os.path.join(config.ein_build_dir, "tests")

# Tools are found by their names: ours first, then LLVM 22's, before whatever
# other LLVM the machine has.
config.environment["PATH"] = os.pathsep.join(
    [config.ein_tools_dir, config.llvm_tools_dir, os.environ.get("PATH", "")])
for name in ("EIN_UPDATE_GOLDENS", "CCACHE_DIR", "ASAN_OPTIONS",
             "UBSAN_OPTIONS", "FILECHECK_OPTS", "EINC_HOST_CPU"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
# `einc run` and `verify` spare LLVM's optimisation: LLVM is two thirds of the
# time, and the numbers come from einc's passes. EIN_LLVM=full takes all of it,
# and a test has it by `env -u EINC_LLVM_OPT`.
if os.environ.get("EIN_LLVM") != "full":
    config.environment["EINC_LLVM_OPT"] = "0"
# A test is about what einc does and not about what it did before; those of the
# cache have a folder of their own.
config.environment["EINC_CACHE_SIZE"] = "0"
# One thread unless a test says otherwise: lit runs several tests at once.
config.environment["OMP_NUM_THREADS"] = "1"

golden = os.path.join(config.test_source_root, "golden.py")
config.substitutions += [
    ("%golden", f'"{config.python}" "{golden}"'),
    ("%python", f'"{config.python}"'),
    ("%samples", os.path.join(config.ein_source_dir, "samples")),
    ("%runtime", os.path.join(config.ein_source_dir, "runtime")),
    ("%source", config.ein_source_dir),
    ("%build", config.ein_build_dir),
    ("%llvm", os.path.dirname(config.llvm_tools_dir)),
    ("%cxx", config.cxx),
    ("%cc", config.cc),
]


def cpu_flags():
    """The features the kernel reports; decisions never look at a CPU's name.

    Where EINC_HOST_CPU names another CPU, what einc says of its vectors."""
    if "EINC_HOST_CPU" in os.environ:
        text = subprocess.run([os.path.join(config.ein_tools_dir, "einc"),
                               "targets"], capture_output=True, text=True).stdout
        flags = set()
        if "vectors of 512 bits" in text:
            flags |= {"avx512f", "avx512vl", "avx512bw", "avx512dq"}
        if flags or "vectors of 256 bits" in text:
            flags |= {"avx2", "fma"}
        return flags
    try:
        with open("/proc/cpuinfo") as file:
            for line in file:
                if line.startswith(("flags", "Features")):
                    return set(line.split(":", 1)[1].split())
    except OSError:
        pass
    return set()


# Where another CPU is taken for this machine's, tests that compile for none, or say
# for which, would show nothing new: `UNSUPPORTED: emulated-host`.
if "EINC_HOST_CPU" in os.environ:
    config.available_features.add("emulated-host")

# `REQUIRES: x86-avx512` is for tests that run such code; compiling for another
# machine needs nothing.
machine = platform.machine()
flags = cpu_flags()
if machine in ("x86_64", "AMD64"):
    config.available_features.add("x86")
    if {"avx2", "fma"} <= flags:
        config.available_features.add("x86-avx2")
    if {"avx512f", "avx512vl", "avx512bw", "avx512dq"} <= flags:
        config.available_features.add("x86-avx512")
    if "avx512_bf16" in flags:
        config.available_features.add("x86-avx512-bf16")
    if "avx_vnni" in flags:
        config.available_features.add("x86-avx-vnni")
if machine in ("aarch64", "arm64"):
    config.available_features.add("aarch64")
# Whether a test may mount what only it sees.
if (shutil.which("unshare") and
        subprocess.run(["unshare", "-rm", "true"],
                       stderr=subprocess.DEVNULL).returncode == 0):
    config.available_features.add("private-mounts")
if shutil.which("qemu-aarch64") and shutil.which("aarch64-linux-gnu-gcc"):
    config.available_features.add("qemu-aarch64")
# What the language server is driven from.
if shutil.which("nvim"):
    config.available_features.add("neovim")


def has_packages_of_npm():
    """Whether the VS Code extension's packages are there, or can be fetched."""
    if not shutil.which("node") or not shutil.which("npm"):
        return False
    if os.path.isdir(os.path.join(config.ein_source_dir,
                                  "editor/vscode/node_modules")):
        return True
    registry = subprocess.run(["npm", "config", "get", "registry"],
                              capture_output=True, text=True).stdout.strip()
    try:
        with urllib.request.urlopen(registry, timeout=3):
            return True
    except (OSError, ValueError):
        return False


if has_packages_of_npm():
    config.available_features.add("npm")
# Whether a browser can look at pages.
if shutil.which("chromium"):
    config.available_features.add("chromium")
if shutil.which("qemu-x86_64"):
    config.available_features.add("qemu-x86_64")
# Whether the Python package can be built: with its headers, setuptools and venv.
if subprocess.run(
        [config.python, "-c",
         "import importlib.util as u, os, sysconfig\n"
         "names = 'ensurepip numpy pip setuptools wheel'.split()\n"
         "assert all(u.find_spec(name) for name in names)\n"
         "os.stat(sysconfig.get_path('include') + '/Python.h')"],
        stderr=subprocess.DEVNULL).returncode == 0:
    config.available_features.add("python-headers")
# What makes Debian packages, and what reads pages of the manual.
if shutil.which("dpkg-shlibdeps") and shutil.which("file") and \
        "python-headers" in config.available_features:
    config.available_features.add("debian-packages")
for tool in ("groff", "mandoc", "zsh"):
    if shutil.which(tool):
        config.available_features.add(tool)
if config.sanitize not in ("", "OFF"):
    config.available_features.add("sanitizer")
