#===- setup.py - The Python package, with its libraries ------------------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
#
# What pyproject.toml cannot say: the version is CMake's, and libeinc.so.1 is put beside
# the modules. It is taken from EINC_LIBRARY, which may be empty for a package that finds
# an installed one, else from build/lib, where CMake is asked to build it if it is not
# there.
#
#===----------------------------------------------------------------------===#
import os
import pathlib
import re
import shutil
import subprocess

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent
VERSION = re.search(r"project\(einc VERSION (\S+)",
                    (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]


def find_library():
    given = os.environ.get("EINC_LIBRARY")
    if given is not None:
        return pathlib.Path(given) if given else None
    library = ROOT / "build" / "lib" / "libeinc.so.1"
    if not library.exists():
        subprocess.run(["cmake", "--preset", "default"], cwd=ROOT, check=True)
        subprocess.run(["cmake", "--build", "--preset", "default", "--target", "libeinc"],
                       cwd=ROOT, check=True)
    return library


class BuildWithLibrary(build_ext):
    def run(self):
        super().run()
        library = find_library()
        if library is None or self.inplace:
            return
        package = pathlib.Path(self.build_lib) / "einc"
        # What it links into executables: beside it where it was built, in `einc` there
        # where it is installed.
        shutil.copy2(library, package / library.name)
        for name in ("main", "runtime", "abi"):
            for directory in (library.parent / "einc", library.parent):
                source = directory / f"libein_{name}.a"
                if source.exists():
                    shutil.copy2(source, package / source.name)
                    break


# Setuptools wants the directory before it has made it.
(ROOT / "build" / "wheel").mkdir(parents=True, exist_ok=True)
setup(
    version=VERSION,
    ext_modules=[Extension("einc._einc", ["python/einc/_einc.c"],
                           include_dirs=[".", "library/include"], libraries=["dl"],
                           depends=["library/include/einc/einc.h", "abi/Codes.def",
                                    "abi/ElementTypes.def"])],
    cmdclass={"build_ext": BuildWithLibrary})
