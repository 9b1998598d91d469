#!/usr/bin/env python3
#===- extract-examples.py - Run the examples in the documents -------------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# Usage: scripts/extract-examples.py --einc EINC --directory DIR FILE.md...
#        scripts/extract-examples.py --shell HEADING FILE.md
#        scripts/extract-examples.py --run --directory DIR FILE.md
#
# The first form writes every fenced block that is marked `ein` to DIR, compiles
# it as far as the checked program, and has it verified. Comments at the head
# of a block say what else is expected of it:
#
#   # error: TEXT      it is refused, and TEXT is in what is said
#   # warning: TEXT    it is accepted, and TEXT is in what is said
#   # flags: FLAGS     it is given to einc with these
#
# The second form prints the blocks marked `sh` in the section under HEADING,
# one after the other, for a shell to run.
#
# The third form runs all blocks marked `sh` of a document, in a directory of
# its own, and compares what each prints with the block marked `console` that
# follows it. There, `…` stands for any text, and alone on a line for any lines;
# a number stands for any number, and a unit of time for any other one.
#
#===-----------------------------------------------------------------------===#
import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys

FENCE = re.compile(r"^(?P<indent> *)(?P<fence>```+)(?P<language>\S*)\s*$")
NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.]*\w)")
TIME = re.compile(r"^ (?:s|ms|us|ns)\b")
NOTE = re.compile(r"^# (?P<kind>error|warning|flags): (?P<text>.*)$")


def read_blocks(path):
    """(line number, heading, language, lines) of each fenced block."""
    heading, block = "", None
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            match = FENCE.match(line)
            if block is not None:
                start, language, indent, lines = block
                if match and not match["language"]:
                    yield start, heading, language, lines
                    block = None
                else:
                    lines.append(line[len(indent):])
            elif match:
                block = (number, match["language"], match["indent"], [])
            elif line.startswith("#"):
                heading = line.lstrip("#").strip()
    if block is not None:
        sys.exit(f"error: {path}:{block[0]}: block is not closed")


class Example:
    """A block marked `ein`, and what its head says of it."""

    def __init__(self, place, lines):
        self.place = place
        self.text = "\n".join(lines) + "\n"
        self.error = self.warning = None
        self.flags = []
        for line in lines:
            note = NOTE.match(line)
            if not note:
                break
            if note["kind"] == "flags":
                self.flags += shlex.split(note["text"])
            else:
                setattr(self, note["kind"], note["text"])

    def run(self, einc, path):
        """What is wrong with it, or None."""
        build = run([einc, "build", "--emit", "program", path, *self.flags])
        if self.error is not None:
            if build.returncode != 1:
                return f"exit status {build.returncode} where 1 is expected"
            if self.error not in build.stderr:
                return f"said:\n{build.stderr}not: {self.error}"
            return None
        if build.returncode != 0:
            return f"is refused:\n{build.stderr}"
        if (self.warning or "") not in build.stderr:
            return f"said:\n{build.stderr}not: {self.warning}"
        if self.warning is None and build.stderr:
            return f"said:\n{build.stderr}"
        verify = run([einc, "verify", path, *self.flags])
        if verify.returncode != 0:
            return f"verify:\n{verify.stdout}{verify.stderr}"
        return None


def run(command):
    return subprocess.run(command, capture_output=True, text=True)


def run_examples(arguments):
    os.makedirs(arguments.directory, exist_ok=True)
    failures = count = 0
    for document in arguments.files:
        stem = os.path.splitext(os.path.basename(document))[0]
        for line, _, language, lines in read_blocks(document):
            if language != "ein":
                continue
            count += 1
            path = os.path.join(arguments.directory, f"{stem}-{line:04}.ein")
            example = Example(f"{document}:{line}", lines)
            with open(path, "w", encoding="utf-8") as file:
                file.write(example.text)
            complaint = example.run(arguments.einc, path)
            if complaint:
                failures += 1
                print(f"{example.place}: {complaint}")
    print(f"{count} examples, {failures} failed")
    return 1 if failures or count == 0 else 0


def print_shell(arguments):
    blocks = [lines for path in arguments.files
              for _, heading, language, lines in read_blocks(path)
              if language == "sh" and heading == arguments.shell]
    if not blocks:
        sys.exit(f"error: no `sh` block under `{arguments.shell}`")
    for lines in blocks:
        print("\n".join(lines))
    return 0


def get_pattern(lines):
    """A regular expression for what a block marked `console` shows."""
    pattern = ""
    for line in lines:
        if line == "…":
            pattern += r"(?:.*\n)*?"
            continue
        place = 0
        for match in re.finditer("…|" + NUMBER.pattern, line):
            if match.start() < place:
                continue
            pattern += re.escape(line[place:match.start()])
            place = match.end()
            if match[0] == "…":
                pattern += ".*"
                continue
            pattern += r"[-+]?[\d,]+(?:\.\d+)?(?:e[-+]?\d+)?"
            unit = TIME.match(line[place:])
            if unit:
                pattern += " (?:s|ms|us|ns)"
                place += unit.end()
        pattern += re.escape(line[place:]) + r"\n"
    return pattern


def run_document(arguments):
    document, = arguments.files
    marker = "=== end of a block ==="
    blocks = []  # place, script, what is expected or None
    for line, _, language, lines in read_blocks(document):
        if language == "sh":
            blocks.append([f"{document}:{line}", lines, None])
        elif language == "console" and blocks:
            blocks[-1][2] = lines
    if not blocks:
        sys.exit(f"error: {document} has no `sh` block")
    shutil.rmtree(arguments.directory, ignore_errors=True)
    os.makedirs(arguments.directory)
    script = "".join("\n".join(lines) + f"\necho '{marker}'\n"
                     for _, lines, _ in blocks)
    process = subprocess.run(["bash", "-eu", "-c", script],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             text=True, cwd=arguments.directory)
    # Documents have no blanks at the ends of lines.
    output = re.sub(r"[ \t]+\n", "\n", process.stdout)
    outputs = output.split(marker + "\n")
    for (place, _, expected), output in zip(blocks, outputs):
        if expected is not None and not re.fullmatch(get_pattern(expected),
                                                     output):
            print(f"{place}: prints\n{output}and not\n" + "\n".join(expected))
            return 1
    if process.returncode != 0:
        print(f"{blocks[len(outputs) - 1][0]}: fails\n{outputs[-1]}")
        return 1
    print(f"{len(blocks)} blocks of {document} ran")
    return 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--einc", default="build/bin/einc")
    parser.add_argument("--directory", default="build/examples")
    parser.add_argument("--shell", metavar="HEADING")
    parser.add_argument("--run", action="store_true")
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    if arguments.run:
        return run_document(arguments)
    return (print_shell if arguments.shell else run_examples)(arguments)


sys.exit(main())
