#!/usr/bin/env python3
#===- textmate.py - The editors' grammar against einc's tokens ------------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# Usage: textmate.py SOURCE-DIR FILE.ein...
#
# Colours each file with editor/vscode/ein.tmLanguage.json, asks `einc build
# --emit tokens` for its tokens, and compares: the characters of a token have
# the one class that its kind allows, and what is in no token is blank or a
# comment. Also that the grammar knows the element types and functions, and the
# extension its files.
#
# The matcher is as much of TextMate as the grammar needs: rules with `match`
# and `captures`, or `begin` and `end` without patterns inside, line by line,
# the earliest match first, then the first rule. Python's `re` reads the
# grammar's expressions as Oniguruma does.
#
#===-----------------------------------------------------------------------===#
import json
import pathlib
import re
import subprocess
import sys

# The head of a scope's name, and the class that it is compared as.
CLASSES = {
    "comment": "comment",
    "string": "string",
    "constant": "number",
    "keyword.operator": "operator",
    "punctuation": "operator",
    "keyword": "keyword",
    "storage": "keyword",
    "support": "keyword",
    "entity": "name",
    "variable": "name",
}
# Words that may be coloured as the language's.
WORDS = re.compile(r"""def|private|public|ods_def|implements_interface|let|tmp|inout|import|
    attr|acc|where|exists|in|step|sum|prod|max|min|any|all|argmax|argmin|mean|var|std|std_\w+|
    cumsum|cumprod|cummax|cummin|
    cast|cast_unsigned|pad|clamp|index|dim|rng|einsum|select""", re.VERBOSE)


def class_of(scope):
    for head, name in CLASSES.items():
        if scope == head or scope.startswith(head + "."):
            return name
    sys.exit(f"error: scope {scope} has no class")


class Rule:
    def __init__(self, data):
        known = {"name", "match", "captures", "begin", "end"}
        if data.keys() - known:
            sys.exit(f"error: the matcher does not know {data.keys() - known}")
        self.name = data.get("name")
        self.start = re.compile(data.get("match", data.get("begin")))
        self.end = re.compile(data["end"]) if "end" in data else None
        self.captures = {int(number): capture["name"]
                         for number, capture in data.get("captures", {}).items()}


def flatten(grammar, patterns):
    for pattern in patterns:
        if "include" in pattern:
            yield from flatten(
                grammar, grammar["repository"][pattern["include"][1:]]["patterns"])
        else:
            yield Rule(pattern)


def colour(rules, lines):
    """For each line, the class of each character, None for none."""
    inside = None  # the rule whose end is looked for
    for line in lines:
        classes = [None] * len(line)

        def paint(begin, end, scope):
            classes[begin:end] = [class_of(scope)] * (end - begin)

        position = 0
        while position <= len(line):
            if inside:
                match = inside.end.search(line, position)
                end = match.end() if match else len(line)
                paint(position, end, inside.name)
                if not match:
                    break
                inside, position = None, end
                continue
            best = None
            for rule in rules:
                match = rule.start.search(line, position)
                if match and (best is None or match.start() < best[0].start()):
                    best = (match, rule)
            if best is None:
                break
            match, rule = best
            if match.end() == match.start():
                sys.exit(f"error: {rule.start.pattern} matches nothing")
            if rule.name:
                paint(match.start(), match.end(), rule.name)
            for number, scope in rule.captures.items():
                paint(*match.span(number), scope)
            if rule.end:
                inside = rule
            position = match.end()
        yield classes


def read_tokens(path):
    """(line, column, kind, text), counted from zero; text is its first line."""
    output = subprocess.run(["einc", "build", "--emit", "tokens", path],
                            check=True, capture_output=True).stdout
    for line in output.split(b"\n"):
        match = re.match(rb"(\d+):(\d+) (\w+) ?(.*)$", line)
        if match:
            yield (int(match[1]) - 1, int(match[2]) - 1, match[3].decode(),
                   match[4])


def get_allowed(kind, text, types, functions):
    if kind == "String":
        return {"string"}
    if kind in ("Integer", "Float"):
        return {"number"}
    if kind != "Identifier":
        return {"operator"}
    word = text.decode()
    if WORDS.fullmatch(word) or word in types or word in functions:
        return {"keyword", "name"}
    # The `x` of `2xindex`.
    return {"keyword", "name"} if word[1:] in types else {"name"}


def compare(path, rules, types, functions):
    # Bytes as characters, as einc counts columns in bytes.
    lines = pathlib.Path(path).read_text("latin-1").split("\n")
    coloured = list(colour(rules, lines))
    complaints = []
    covered = [[False] * len(line) for line in lines]
    keywords = 0

    def check(line, begin, end, allowed, what):
        nonlocal keywords
        seen = set(coloured[line][begin:end])
        keywords += seen == {"keyword"}
        covered[line][begin:end] = [True] * (end - begin)
        if not seen <= allowed:
            complaints.append(f"{path}:{line + 1}:{begin + 1}: {what} is "
                              f"coloured as {seen}, not {allowed}")

    for line, column, kind, text in read_tokens(path):
        if kind == "EndOfFile":
            continue
        allowed = get_allowed(kind, text, types, functions)
        if kind == "String" and lines[line][column:].startswith('"""'):
            # To the quotes that close it, over all its lines.
            begin, rest = column, lines[line][column + 3:]
            column += 3
            while '"""' not in rest:
                check(line, begin, len(lines[line]), allowed, "docstring")
                line, begin, column, rest = line + 1, 0, 0, lines[line + 1]
            end = column + rest.index('"""') + 3
            check(line, begin, end, allowed, "docstring")
            continue
        check(line, column, column + len(text), allowed,
              f"{kind} `{text.decode()}`")
    for number, line in enumerate(lines):
        for column, character in enumerate(line):
            if not covered[number][column] and not character.isspace():
                if coloured[number][column] != "comment":
                    complaints.append(f"{path}:{number + 1}:{column + 1}: "
                                      "outside tokens, and no comment")
    return complaints, keywords


def main():
    root = pathlib.Path(sys.argv[1])
    editor = root / "editor/vscode"
    grammar = json.loads((editor / "ein.tmLanguage.json").read_text())
    rules = list(flatten(grammar, grammar["patterns"]))
    types = set(re.findall(r'^EIN_ELEMENT_(?:TYPE\(\w+, |ALIAS\()"(\w+)"',
                           (root / "abi/ElementTypes.def").read_text(),
                           re.MULTILINE))
    functions = set(re.findall(r'^EIN_(?:\w+\(\w+, |DERIVED\(|TO_TARGET\()"(\w+)"',
                               (root / "frontend/program/Functions.def").read_text(),
                               re.MULTILINE))
    assert len(types) > 20 and len(functions) > 5, "the lists have another form"

    complaints = []
    # What a list has and the grammar does not.
    for words, template in ((types, "A: {}"), (functions, "{}(")):
        for word in sorted(words):
            text = template.format(word)
            begin = text.index(word)
            [classes] = colour(rules, [text])
            if set(classes[begin:begin + len(word)]) != {"keyword"}:
                complaints.append(f"editor/vscode/ein.tmLanguage.json: lacks `{word}`")

    package = json.loads((editor / "package.json").read_text())
    contributes = package["contributes"]
    for path in (contributes["languages"][0]["configuration"],
                 contributes["grammars"][0]["path"]):
        json.loads((editor / path).read_text())
    if contributes["grammars"][0]["scopeName"] != grammar["scopeName"]:
        complaints.append("editor/vscode/package.json: another scope name")

    keywords = 0
    for path in sys.argv[2:]:
        more, count = compare(path, rules, types, functions)
        complaints += more
        keywords += count
    # A grammar that colours nothing would agree with everything.
    if sys.argv[2:] and keywords < 3 * len(sys.argv[2:]):
        complaints.append("hardly any keyword is coloured")
    print("\n".join(complaints) or f"{len(sys.argv) - 2} files agree")
    sys.exit(bool(complaints))


main()
