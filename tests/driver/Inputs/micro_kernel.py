#!/usr/bin/env python3
#===- micro_kernel.py - Look at the inner loop of a matrix product --------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# Usage: micro_kernel.py ASSEMBLY REPORT LANES REGISTER
#
# Finds the loop with the most fused multiply-adds in ASSEMBLY, which must be
# those of the register tile that REPORT (`--report strategy`) speaks of: MR*NR /
# LANES for each step of k, all of whole registers (REGISTER is an expression).
# Nothing is spilled or stored there, in none of its copies, and no more is loaded
# than a row of B's panel and a column of A's.
#
#===-----------------------------------------------------------------------===#
import re
import sys

assembly, report, lanes, register = sys.argv[1:]
text = open(report).read()
mr, nr = map(int, re.search(r"register tile (\d+)x(\d+)", text).groups())
vectors = nr // int(lanes)
tile = mr * vectors

fma = re.compile(r"\s(vfmadd\d+p[sd]|fmla)\s")
blocks = re.split(r"^\.L\w+:.*$", open(assembly).read(), flags=re.M)
most = max(len(fma.findall(block)) for block in blocks)


def get_lines(block):
    """Up to the jump back: what follows runs once."""
    lines = [line.split("#")[0].strip() for line in block.splitlines()]
    jump = next(i for i, line in enumerate(lines) if re.match(r"(j|b\.)", line))
    return [line for line in lines[:jump] if line and not line.startswith(".")]


def get_spill(lines):
    """On the stack, or beside the frame's pointer, whose register may be any other."""
    return next((line for line in lines
                 if re.search(r"%[re]sp\b|-\d+\(%[re]bp\)|\[sp\b|\[x29, #", line)), None)


# The loop is there several times: for small and for large sizes, for all rows
# of a tile and for the last ones.
loops = [get_lines(block) for block in blocks if len(fma.findall(block)) == most]
spills = [get_spill(lines) for lines in loops]
assert not any(spills), spills
lines = loops[0]

fmas = [line for line in lines if fma.search(" " + line)]
assert len(fmas) and len(fmas) % tile == 0, (len(fmas), tile)
steps = len(fmas) // tile
for line in fmas:
    assert re.search(register, line), line
for line in lines:
    stores = re.match(r"st[rpu]|st1|v?mov\w*\s+%\w+, .*\(", line)
    assert not stores, "store: " + line

# x86: a broadcast or a load each; AArch64: single, in pairs, or with the copy.
loads = sum(2 if line.startswith("ldp") else 1 for line in lines
            if re.search(r"\(%|\[x", line) and not line.startswith(("lea", "prf", "prefetch")))
assert loads <= steps * (mr + vectors), (loads, steps, mr, vectors)
print(f"{mr}x{vectors} vectors: no spill, no store, at most {mr + vectors} loads")
