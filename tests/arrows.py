#!/usr/bin/env python3
#===- arrows.py - Folders include what they may, and nothing else ---------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# Usage: arrows.py SOURCE-DIR
#
# Compares the includes of all folders with the tables of
# docs/explanation/architecture.md under "The house", whose rows are
#
#   | `folder/` | what it knows | `folder` `folder` |
#   | | | `folder` |
#
# The third column has the folders that it may include, by their names from the
# top, or from the top-level folder that both are in; `*` stands for a name, in
# any row above. A row without a folder continues the one above it. Folders that
# share a row are one library. An error is: a folder without a row and a row
# without a folder; an include that the row does not have; a name in a row that
# nothing includes, or that stands below, as arrows point upwards.
#
#===-----------------------------------------------------------------------===#
import pathlib
import re
import sys

# What is no library of the project and includes what it likes; each preset has a
# folder `build…`.
OUTSIDE = {"cmake", "docs", "examples", "samples", "scripts", "tests"}
SOURCES = {".cpp", ".h", ".def", ".td"}
INCLUDE = re.compile(r'^\s*#?\s*include "([^"]+)"', re.MULTILINE)
ROW = re.compile(r"^\| (`[^|]+/`)? ?\|[^|]*\|([^|]*)\|$", re.MULTILINE)


def read_table(path):
    """Folder -> (number of its row, names in its third column), in order."""
    text = path.read_text(encoding="utf-8")
    section = re.search(r"^## The house\n(.*?)^## ", text, re.MULTILINE | re.DOTALL)
    table = {}
    if section:
        folders = []
        for number, row in enumerate(ROW.finditer(section[1])):
            if row[1]:
                folders = re.findall(r"`([^`]+)/`", row[1])
                table |= {folder: (number, []) for folder in folders}
            for folder in folders:
                table[folder][1].extend(re.findall(r"`([^`]+)`", row[2]))
    return table


def read_includes(root):
    """Folder -> {folder that it includes: a file that does}."""
    graph = {}
    tops = sorted(path.name for path in root.iterdir() if path.is_dir()
                  and path.name not in OUTSIDE
                  and not path.name.startswith((".", "build")))
    for top in tops:
        for path in sorted((root / top).rglob("*")):
            if path.suffix not in SOURCES:
                continue
            folder = path.parent.relative_to(root).as_posix()
            used = graph.setdefault(folder, {})
            for name in INCLUDE.findall(path.read_text(encoding="utf-8")):
                target = pathlib.PurePosixPath(name).parent.as_posix()
                if target != "." and (root / target).is_dir():
                    used.setdefault(target, path.relative_to(root).as_posix())
    return graph


def find(name, folder, table):
    """The folders that a name in the row of `folder` stands for."""
    near = f"{folder.split('/')[0]}/{name}"
    for full in near, name:
        pattern = re.compile(re.escape(full).replace(r"\*", "[^/]+"))
        # Those of the row itself are one library with the folder.
        if found := {other for other in table if pattern.fullmatch(other)
                     and table[other][0] != table[folder][0]}:
            return found
    return set()


def find_errors(table, graph):
    for folder in graph:
        if folder not in table:
            yield f"{folder} has no row"
    for folder, (number, names) in table.items():
        if folder not in graph:
            yield f"{folder} has a row, but no sources"
            continue
        allowed = set()
        for name in names:
            above = find(name, folder, table)
            if not above:
                yield f"{folder} may include {name}, which has no row"
            if "*" in name:
                above = {other for other in above if table[other][0] < number}
            for other in above:
                if table[other][0] >= number:
                    yield f"{folder} may include {other}, which stands below it"
            allowed |= above
        sharers = {other for other in table if table[other][0] == number}
        used = {target for sharer in sharers for target in graph.get(sharer, {})}
        for target, path in graph[folder].items():
            if target not in allowed | sharers:
                yield f"{path} includes {target}, which {folder} may not"
        for name in names:
            if (found := find(name, folder, table)) and not found & used:
                yield f"{folder} may include {name}, and does not"


def main():
    root = pathlib.Path(sys.argv[1])
    table = read_table(root / "docs/explanation/architecture.md")
    graph = read_includes(root)
    if not table or not graph:
        sys.exit("error: there are no folders, or there is no table")
    errors = list(find_errors(table, graph))
    for error in errors:
        print(f"error: {error}")
    print(f"{len(graph)} folders, {sum(map(len, graph.values()))} arrows, "
          f"{len(errors)} errors")
    sys.exit(bool(errors))


main()
