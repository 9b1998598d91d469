#!/usr/bin/env python3
#===- coverage.py - Everything on a list has a test of its name -----------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# Usage: coverage.py SOURCE-DIR
#
# Names what is on a list (passes, levels, emission kinds, flags of `einc`) and
# has no test file of its name; exits with 1 if there is anything.
#
#===-----------------------------------------------------------------------===#
import pathlib
import re
import subprocess
import sys


def read(path, pattern):
    return re.findall(pattern, path.read_text(), re.MULTILINE)


def flags():
    """Every flag that a subcommand's help lists: `--bind`, `-e`."""
    top = subprocess.run(["einc", "--help"], check=True, capture_output=True,
                         text=True).stdout
    commands = re.findall(r"^  (\w+) ", top.split("Subcommands:")[1], re.MULTILINE)
    found = {"--version"}
    for command in commands:
        text = subprocess.run(["einc", command, "--help"], check=True,
                              capture_output=True, text=True).stdout
        for names in re.findall(r"^  (-[^ ]*)", text, re.MULTILINE):
            found.add(names.split(",")[-1])
    return sorted(found)


def main():
    root = pathlib.Path(sys.argv[1])
    tests = root / "tests"
    wanted = []
    for file in (root / "passes").glob("**/Passes.td"):
        for flag in read(file, r'Pass<"ein-([^"]+)"'):
            wanted.append((f"pass --ein-{flag}",
                           tests / file.parent.relative_to(root) / f"{flag}.mlir"))
    for name in read(root / "passes/level/Levels.def", r'^EIN_LEVEL\(\w+, "[^"]*", "ein-([^"]+)"'):
        wanted.append((f"pipeline ein-{name}", tests / f"passes/pipelines/{name}.test"))
    for kind in read(root / "driver/EmissionKinds.def", r'^EIN_EMISSION\(\w+, "([^"]+)"'):
        wanted.append((f"emission kind {kind}", tests / f"driver/emit-{kind}.ein"))
    for flag in flags():
        wanted.append((f"flag {flag}", tests / f"driver/flag-{flag.lstrip('-')}.test"))

    # A pattern that no longer matches its list must not pass as full coverage.
    assert len(wanted) > 50, "the lists have another form than this script knows"
    missing = [(what, path) for what, path in wanted if not path.exists()]
    for what, path in missing:
        print(f"{what} has no test {path.relative_to(root)}")
    sys.exit(bool(missing))


main()
