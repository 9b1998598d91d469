#!/usr/bin/env python3
#===- documents-page.py - Each item of the documents has a test -----------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# Usage: documents-page.py PAGE TESTS-DIR
#
# Every item of docs/reference/documents.md names tests, all of which exist, and
# says in which form it works; every test below tests/documents is named. Exits
# with 1 if that is not so.
#
#===-----------------------------------------------------------------------===#
import pathlib
import re
import sys

SUFFIXES = (".ein", ".mlir", ".test", ".yaml")


def read_items(page):
    """The list items of the page, each on one line."""
    items = []
    for line in page.read_text().split("\n"):
        if line.startswith("* "):
            items.append(line[2:])
        elif line.startswith("  ") and items:
            items[-1] += " " + line.strip()
    return items


def main():
    page, tests = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    items = read_items(page)
    problems = []
    named = set()
    for item in items:
        paths = [p for p in re.findall(r"`([^`\s]+/[^`\s]+)`", item)
                 if p.endswith(SUFFIXES)]
        if not paths:
            problems.append(f"no test: {item}")
        elif not item.split(f"{paths[-1]}`")[-1].strip(" ."):
            problems.append(f"does not say in which form: {item}")
        for path in paths:
            named.add(path)
            if not (tests / path).is_file():
                problems.append(f"there is no {path}: {item}")
    for file in sorted((tests / "documents").rglob("*")):
        path = str(file.relative_to(tests))
        if path.endswith(SUFFIXES) and path not in named:
            problems.append(f"no item names {path}")
    if len(items) < 80:
        problems.append(f"only {len(items)} items: has the page another form?")
    print("\n".join(problems) or f"{len(items)} items, {len(named)} tests")
    sys.exit(bool(problems))


main()
