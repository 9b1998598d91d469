#===- tables.py - The tables of cases --------------------------------------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
"""Reads the tables of cases beside it: cases.tsv, programs.tsv, types.tsv."""
import pathlib
import re

FOLDER = pathlib.Path(__file__).resolve().parent
LAYOUTS = ("contiguous", "strided")


class Case:
    """A line of a table."""

    def __init__(self, line):
        self.group, self.name, self.program, self.sizes, *facts = line.split()
        self.is_static = "static" in facts
        self.is_strided = "strided" in facts
        self.types = [fact for fact in facts
                      if fact not in ("static", "dynamic", *LAYOUTS)]

    def words(self):
        """What einc is told to compile, without sizes."""
        if "->" not in self.program:
            return [str(FOLDER / "programs" / f"{self.program}.ein")]
        return ["-e", self.program, *(["--dtype", self.types[0]] if self.types else [])]

    def bound(self):
        """The words that give einc the sizes that it may know."""
        return ["--bind", self.sizes] if self.is_static else []

    def run(self):
        """The words that give it all sizes, to run."""
        return ["--bind" if self.is_static else "--sizes", self.sizes]


def read_cases(classes=(), pattern=""):
    """The cases of these classes (all, if none is named) whose names match."""
    for table in ("cases", "programs", "types"):
        for line in (FOLDER / f"{table}.tsv").read_text().splitlines():
            words = line.split("#")[0].split()
            if not words or words[0] == "class":
                continue
            case = Case(" ".join(words))
            if (not classes or case.group in classes) and re.search(pattern, case.name):
                yield case
