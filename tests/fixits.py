#!/usr/bin/env python3
#===- fixits.py - Every fix-it does what it promises ----------------------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# Usage: fixits.py PROGRAMS…
#
# Takes each diagnostic of the wrong programs that has a fix-it, and each note
# that has one, applies it alone, and compiles what comes out: the diagnostic
# must be gone, and the program must have fewer of them than before. Flags are
# those of the program's first RUN line. The files change meanwhile: give it
# copies.
#
#===-----------------------------------------------------------------------===#
import json
import pathlib
import re
import shlex
import subprocess
import sys


def flags(text, path):
    run = re.search(r"RUN: (?:not )?einc build (.*)", text)
    words = shlex.split(run[1].split("|")[0].split("2>")[0]) if run else []
    drop = ("--verify-diagnostics", "%s", "%t")
    words = [w.replace("%S", str(path.parent)) for w in words 
             if w not in drop and not w.startswith("%t/")]
    return words if "--emit" in words else words + ["--emit", "program"]


def check(path, words):
    run = subprocess.run(["einc", "build", str(path), "--diagnostics", "json"]
                         + words, capture_output=True, text=True)
    assert run.returncode in (0, 1), (path, run.stderr)
    return [json.loads(line) for line in run.stderr.splitlines()]


def apply(text, fixits):
    """Places are lines and columns, in bytes."""
    data = text.encode()
    starts = [0]
    for line in data.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    offset = lambda at: starts[at["line"] - 1] + at["column"] - 1
    for fix in sorted(fixits, key=offset, reverse=True):
        data = (data[:offset(fix)] + fix["replacement"].encode()
                + data[offset(fix["end"]):])
    return data.decode()


def main():
    applied, failed = 0, 0
    for name in sys.argv[1:]:
        path = pathlib.Path(name)
        text = path.read_text()
        words = flags(text, path)
        before = check(path, words)
        key = lambda d: (d["id"], d["message"])
        for diagnostic in before:
            ways = [diagnostic["fixits"]]
            ways += [note["fixits"] for note in diagnostic["notes"]]
            for fixits in filter(None, ways):
                if any(fix["file"] != str(path) for fix in fixits):
                    continue
                applied += 1
                # In its place, as others may import it.
                path.write_text(apply(text, fixits))
                after = check(path, words)
                path.write_text(text)
                same = [key(d) for d in after].count(key(diagnostic))
                was = [key(d) for d in before].count(key(diagnostic))
                if same < was and len(after) < len(before):
                    continue
                failed += 1
                print(f"{name}:{diagnostic['line']}: {diagnostic['message']}: "
                      f"{fixits} leaves")
                for left in after:
                    if key(left) not in [key(d) for d in before]:
                        print("  ", left.get("line"), left["message"])
    print(f"{applied} fix-its, {failed} of them wrong")
    sys.exit(failed != 0 or applied < 100)


if __name__ == "__main__":
    main()
