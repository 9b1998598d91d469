#!/usr/bin/env python3
#===- listed_numbers.py - No number decides unless it is listed ------------------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# Usage: listed_numbers.py SOURCE-DIR
#
# Compares the numbers that have names in the folders below with the lists of
# docs/decisions/0062-numbers.md, which are
#
#   * `passes/select/SelectThreads.cpp`: `kParts = 32`, `kGrain = 256`. Why.
#   * `order/SearchKnobs.h`: `SearchKnobs`. Why.
#
# The second form stands for all numbers of a struct with a file of its own. An
# error is: a number that is not listed, or has another value; what is listed and
# not there; and more than MOST numbers under the heading `## What decides`.
#
#===-----------------------------------------------------------------------===#
import pathlib
import re
import sys

FOLDERS = ["abi", "order"] + [
    f"passes/{level}" for level in
    ["analysis", "contract", "decompose", "einsum", "fused", "llvm", "memref", "plain",
     "schedule", "select", "tiled", "vector"]]
SOURCES = {".cpp", ".h"}
PAGE = "docs/decisions/0062-numbers.md"
MOST = 15

COMMENT = re.compile(r"//[^\n]*")
STATEMENT = re.compile(r"\bconstexpr\b[^;()]*?=[^;]*;")
# `kA = 16`, `kB = int64_t(1) << 40`, `kC[] = {1, 2}`.
NUMBER = re.compile(r"(\w+)(?:\[\])?\s*=\s*(\{\s*-?[\d.][^}]*\}"
                    r"|(?:(?:u?int\d+_t|size_t|double|unsigned)\()?-?[\d.]+[^,;]*)")
DECIDES = re.compile(r"^## What decides\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
ITEM = re.compile(r"^\* `([^`]+)`:((?:`[^`]*`|[^`.])*)\.", re.MULTILINE)
CODE = re.compile(r"`([^`]+)`")


def shorten(text):
    return re.sub(r"\s+", "", text)


def find_numbers(root):
    """File -> {name: value}."""
    numbers = {}
    for folder in FOLDERS:
        for path in sorted((root / folder).glob("*")):
            if path.suffix not in SOURCES:
                continue
            text = COMMENT.sub("", path.read_text(encoding="utf-8"))
            found = {name: shorten(value) for statement in STATEMENT.findall(text)
                     for name, value in NUMBER.findall(statement)}
            if found:
                numbers[path.relative_to(root).as_posix()] = found
    return numbers


def read_items(text):
    """(file, name, value) of each number that is listed; no value of a struct."""
    for file, listed in ITEM.findall(text):
        for code in CODE.findall(listed):
            name, _, value = code.partition("=")
            yield file, name.strip(), shorten(value)


def find_errors(root, page, numbers):
    left = {file: dict(found) for file, found in numbers.items()}
    for file, name, value in read_items(page):
        there = left.get(file, {})
        if not value:
            if not there or f"struct {name} {{" not in (root / file).read_text(encoding="utf-8"):
                yield f"{file} has no numbers of {name}"
            left.pop(file, None)
        elif name not in there:
            yield f"{file} has no {name}"
        elif there.pop(name) != value:
            yield f"{file}: {name} is not {value}, which {PAGE} says"
    for file, found in left.items():
        for name, value in found.items():
            yield f"{file}: {name} = {value} is not in {PAGE}"
    decides = DECIDES.search(page)
    count = len(list(read_items(decides[1]))) if decides else 0
    if not 0 < count <= MOST:
        yield f"{count} numbers decide, and not 1 to {MOST}"


def main():
    root = pathlib.Path(sys.argv[1])
    numbers = find_numbers(root)
    page = (root / PAGE).read_text(encoding="utf-8")
    errors = list(find_errors(root, page, numbers))
    for error in errors:
        print(f"error: {error}")
    print(f"{sum(map(len, numbers.values()))} numbers, {len(errors)} errors")
    sys.exit(bool(errors))


main()
