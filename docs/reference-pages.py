#!/usr/bin/env python3
#===- reference-pages.py - Pages that are made of lists and of --help -----===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# Usage: docs/reference-pages.py diagnostics Diagnostics.def OUT.md
#        docs/reference-pages.py levels Levels.def EmissionKinds.def OUT.md
#        docs/reference-pages.py marks Marks.json Levels.def OUT.md
#        docs/reference-pages.py help EINC OUT.md
#
#===-----------------------------------------------------------------------===#
import json
import re
import subprocess
import sys

NOTICE = "<!-- Made by docs/reference-pages.py: do not edit. -->\n"
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')


def read_entries(path, macro):
    """(section, arguments) of each use of a macro whose name matches."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    text = text[text.index("#endif"):]
    section, entries = "", []
    pattern = re.compile(rf"^(?:// (?P<note>[A-Za-z].*)|(?P<macro>{macro})\()",
                         re.MULTILINE)
    for match in pattern.finditer(text):
        if match["note"]:
            # A comment of several lines is one section: its first sentence.
            if text[:match.start()].endswith("\n\n"):
                section = re.split(r"(?<=\w)\.(?:\s|$)", match["note"])[0]
                section = section[0].upper() + section[1:]
            continue
        end = text.index(")\n", match.end())
        arguments = text[match.end():end]
        names = re.match(r"(\w+)(?:,\s*(\w+))?", arguments)
        strings, place = [], 0
        for piece in STRING.finditer(arguments):
            # Literals beside each other are one.
            if strings and not arguments[place:piece.start()].strip():
                strings[-1] += piece[1]
            else:
                strings.append(piece[1])
            place = piece.end()
        strings = [string.replace('\\"', '"') for string in strings]
        entries.append((section, names, strings))
    if not entries:
        sys.exit(f"error: {path} has no {macro}")
    return entries


def make_diagnostics(path):
    lines = ["# Diagnostics\n", NOTICE,
             "What einc says, by its `id` in `--diagnostics json`. `{0}`, `{1}`, "
             "… stand for what a message is about. A warning is left out with "
             "`-Wno-NAME`, and is an error with `-Werror=NAME`, where NAME is "
             "the `id` in lower case with hyphens: `-Wno-parameter-unread`.\n"]
    last = None
    for section, names, strings in read_entries(path, r"EIN_(?:TOOL_)?DIAG"):
        if section != last:
            lines.append(f"\n## {section or 'General'}\n")
            last = section
        lines.append(f"* `{names[1]}` ({names[2].lower()}): {strings[0]}")
    return "\n".join(lines) + "\n"


def make_levels(levels, kinds):
    lines = ["# Levels and emission kinds\n", NOTICE, "## Levels\n",
             "The levels of the IR, in the order of the line. `ein-opt` leads "
             "from one to the next by the pipeline. `ein-check-level` checks at "
             "the end of each pipeline what holds.\n"]
    for _, _, strings in read_entries(levels, "EIN_LEVEL"):
        name, pipeline, text = strings
        by = f", by `--{pipeline}`" if pipeline else ""
        lines.append(f"* `{name}`{by}: {text}")
    lines += ["", "## Emission kinds\n",
              "What `einc build --emit KIND` writes, in the order in which "
              "compilation meets them.\n"]
    for _, _, strings in read_entries(kinds, "EIN_EMISSION"):
        name, suffix, text = strings
        of = f", `.{suffix}`" if suffix else ""
        lines.append(f"* `{name}`{of}: {text}")
    return "\n".join(lines) + "\n"


def make_marks(marks, levels):
    """Of the records of ir/Marks.td, as llvm-tblgen -dump-json has them."""
    with open(marks, encoding="utf-8") as file:
        records = json.load(file)
    names = [strings[0] for _, _, strings in read_entries(levels, "EIN_LEVEL")]
    lines = ["# Marks\n", NOTICE,
             "What passes leave on ops for later passes: the discardable "
             "attributes of the ein dialect. The verifier refuses any other "
             "`ein.` attribute, one on another op and one that holds something "
             "else. `ein-check-level` refuses one at the level at which it is "
             "gone, and later.\n"]
    for name in sorted(records["!instanceof"]["Ein_Mark"],
                       key=lambda name: records[name]["Name"]):
        mark = records[name]
        gone = mark["GoneAt"]
        if gone and gone not in names:
            sys.exit(f"error: {mark['Name']} is gone at `{gone}`, "
                     "which is no level")
        end = f"Gone at `{gone}`" if gone else "It stays"
        lines.append(f"* `{mark['Name']}`, {mark['Value']} on "
                     f"{mark['Carrier']}: {mark['Description']} Set by "
                     f"{mark['SetBy']}. Read by {mark['ReadBy']}. {end}.")
    return "\n".join(lines) + "\n"


def make_help(einc):
    def ask(*arguments):
        return subprocess.run([einc, *arguments], check=True, text=True,
                              capture_output=True).stdout.rstrip("\n")

    top = ask("--help")
    lines = ["# The output of --help\n", NOTICE,
             f"```text\n$ einc --help\n{top}\n```\n"]
    commands = top[top.index("\nSubcommands:"):]
    for command in re.findall(r"^  (\w+)", commands, re.MULTILINE):
        lines.append(f"## einc {command}\n")
        lines.append(f"```text\n$ einc {command} --help\n"
                     f"{ask(command, '--help')}\n```\n")
    return "\n".join(lines)


def main():
    makers = {"diagnostics": make_diagnostics, "levels": make_levels,
              "marks": make_marks, "help": make_help}
    if len(sys.argv) < 4 or sys.argv[1] not in makers:
        sys.exit(f"error: {sys.argv[0]} diagnostics|levels|marks|help "
                 "INPUT... OUT.md")
    text = makers[sys.argv[1]](*sys.argv[2:-1])
    with open(sys.argv[-1], "w", encoding="utf-8") as file:
        file.write(text)


main()
