#===- explain-json.py - Whether the JSON of explain is what its page says -===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# Usage: explain-json.py PAGE.md FILE.json...
#
# Each member's name has to be in the page, in backticks; but for objects that
# have names of the program's, or numbers, for members. What groups say has to
# add up.
#
#===-----------------------------------------------------------------------===#
import json
import math
import pathlib
import re
import sys

OPEN = {"sizes", "slices", "operations_per_cycle"}
KINDS = {"loop", "branch", "points", "op"}

documented = set(re.findall(r"`([A-Za-z0-9_-]+)`", pathlib.Path(sys.argv[1]).read_text()))
seen = set()


def check_names(value, path):
    if isinstance(value, list):
        for item in value:
            check_names(item, path)
    if not isinstance(value, dict):
        return
    for name, member in value.items():
        if path[-1:] and path[-1] in OPEN:
            continue
        if name not in documented:
            sys.exit(f"`{name}` of {'.'.join(path) or 'the whole'} is not in {sys.argv[1]}")
        seen.add(name)
        check_names(member, path + [name])


def check_group(group, num_statements):
    nest = group["nest"]
    assert nest and {entry["kind"] for entry in nest} <= KINDS, nest
    used = sorted({s for entry in nest for s in entry["statements"]})
    assert group["statements"] == used and all(s < num_statements for s in used), group
    counted = [e for e in nest if e["kind"] == "op" and e["counted"]]
    for name in "operations", "cycles":
        total = sum(op.get(name, 0) for op in counted)
        assert math.isclose(group.get(name, 0), total, rel_tol=1e-9, abs_tol=1), (name, group)
    priced = [op for op in counted if "cycles" in op]
    if priced:
        assert group["bound"] == max(priced, key=lambda op: op["cycles"])["bound"], group
    for op in priced:
        terms = op["terms"]
        assert all(cycles >= -1 for cycles in terms.values()), op
        assert op["cycles"] == 0 or op["bound"] in terms, op
        # Nothing takes longer than all of it; and that is not more than the sum.
        assert max(terms.values()) <= op["cycles"] * 1.001 + 1, op
        assert op["cycles"] <= sum(terms.values()) * 1.1 + 1, op
        for other in op["others"]:
            assert other["ratio"] > 0 and other["strategy"] != op["strategy"], other
            assert other["term"] == "" or other["term"] in terms, other


for path in sys.argv[2:]:
    document = json.loads(pathlib.Path(path).read_text())
    check_names(document, [])
    for part in document["defs"] or [document]:
        for group in part["groups"]:
            check_group(group, len(part.get("statements", [])))
print(" ".join(sorted(seen)))
