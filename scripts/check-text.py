#!/usr/bin/env python3
#===- check-text.py - Long lines and broken links -------------------------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# Usage: scripts/check-text.py FILE...
#
# A line has at most 100 characters, but for the exceptions below. A relative
# link in Markdown leads to a file or directory that is there, and its anchor to
# a heading. Prints what is wrong, a line each, and exits with 1.
#
#===-----------------------------------------------------------------------===#
import fnmatch
import os
import re
import sys

COLUMNS = 100

# Data, a record or a pattern to a line.
DATA = ["*.tsv", "*.json", "tests/*/Inputs/*",
        "tests/*/decisions.txt", "tests/*.yaml"]
# What a program compares text with has to have that text on one line: patterns
# of FileCheck, expected diagnostics, and IR as it is printed, an op to a line.
PATTERN = re.compile(r"\b[A-Z][A-Z0-9_]*(-[A-Z0-9_]+)*"
                     r"(-(SAME|NEXT|DAG|NOT|LABEL|COUNT-\d+|EMPTY))?: ?|"
                     r"\bexpected-(error|warning|note|remark)")
# A word that cannot be broken.
WORD = re.compile(r"^\W*\S*(https?://|/)\S{60,}$")

LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^()\s]*)\)")
CODE = re.compile(r"(`+)(?:(?!\1).)*\1", re.DOTALL)


def is_excepted(path, line):
    if any(fnmatch.fnmatch(path, pattern) for pattern in DATA):
        return True
    if WORD.match(line):
        return True
    if not path.startswith("tests/"):
        return False
    match = PATTERN.search(line)
    if match and not match[0].startswith("RUN"):
        return True
    return path.endswith(".mlir") and not line.lstrip().startswith("//")


def get_prose(text):
    """The text of a document without its blocks of code."""
    lines, fence = [], None
    for line in text.split("\n"):
        match = re.match(r" *(```+|~~~+)", line)
        if fence is None and match:
            fence = match[1]
            line = ""
        elif fence is not None:
            if match and match[1].startswith(fence):
                fence = None
            line = ""
        lines.append(line)
    return "\n".join(lines)


def get_anchors(text):
    """What headings are called in links, by GitHub and by mkdocs."""
    anchors = set(re.findall(r'<a (?:id|name)="([^"]+)"', text))
    for heading in re.findall(r"^#+ (.*)$", get_prose(text), re.MULTILINE):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        word = re.sub(r"[^\w\- ]", "", heading.strip().lower())
        anchors.add(word.replace(" ", "-"))
    return anchors


class Documents:
    def __init__(self):
        self.anchors = {}

    def has_anchor(self, path, anchor):
        if path not in self.anchors:
            with open(path, encoding="utf-8") as file:
                self.anchors[path] = get_anchors(file.read())
        return anchor in self.anchors[path]

    def check_links(self, path, text):
        prose = CODE.sub(lambda match: re.sub(r"[^\n]", "x", match[0]),
                         get_prose(text))
        for match in LINK.finditer(prose):
            target = match[1]
            if re.match(r"[a-z]+:", target):
                continue
            number = prose.count("\n", 0, match.start()) + 1
            name, _, anchor = target.partition("#")
            linked = os.path.normpath(
                os.path.join(os.path.dirname(path), name)) if name else path
            if not os.path.exists(linked):
                yield f"{path}:{number}: no file `{target}`"
            elif anchor and linked.endswith(".md") and not self.has_anchor(
                    linked, anchor):
                yield f"{path}:{number}: no heading `{target}`"


def main():
    failures = 0
    documents = Documents()
    for path in sys.argv[1:]:
        try:
            with open(path, encoding="utf-8") as file:
                text = file.read()
        except UnicodeDecodeError:
            continue
        complaints = [f"{path}:{number}: {len(line)} characters"
                      for number, line in enumerate(text.split("\n"), 1)
                      if len(line) > COLUMNS and not is_excepted(path, line)]
        if path.endswith(".md"):
            complaints += documents.check_links(path, text)
        for complaint in complaints:
            print(complaint)
        failures += len(complaints)
    return 1 if failures else 0


sys.exit(main())
