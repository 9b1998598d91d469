#!/usr/bin/env python3
#===- golden.py - Compare standard input with a stored file ---------------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# `einc ... | %golden FILE` passes if what it reads is what FILE holds, and
# prints the difference if not. With EIN_UPDATE_GOLDENS set (scripts/
# update-tests) it writes FILE instead. The source directory is taken out of
# the text first, as it differs from machine to machine.
#
#===-----------------------------------------------------------------------===#
import difflib
import os
import sys


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: golden.py FILE <text")
    path = sys.argv[1]
    directory = os.path.dirname(os.path.abspath(path)) + os.sep
    seen = sys.stdin.buffer.read().decode("utf-8").replace(directory, "")

    if os.environ.get("EIN_UPDATE_GOLDENS"):
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(seen)
        return

    try:
        with open(path, encoding="utf-8", newline="") as file:
            stored = file.read()
    except FileNotFoundError:
        sys.exit(f"error: {path} does not exist; scripts/update-tests makes it")
    if stored != seen:
        sys.stdout.writelines(
            line if line.endswith("\n") else line + "\n"
            for line in difflib.unified_diff(
                stored.splitlines(True), seen.splitlines(True), path, "seen"))
        sys.exit(1)


main()
