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
# Nothing is spilled or stored there, and no more is loaded than a row of B's
# panel and a column of A's.
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
# Of two versions of open sizes, the one for large ones is the last.
loop = max(reversed(blocks), key=lambda block: len(fma.findall(block)))
lines = [line.split("#")[0].strip() for line in loop.splitlines()]
# Up to the jump back: what follows runs once.
jump = next(i for i, line in enumerate(lines) if re.match(r"(j|b\.)", line))
lines = [line for line in lines[:jump] if line and not line.startswith(".")]

fmas = [line for line in lines if fma.search(" " + line)]
assert len(fmas) and len(fmas) % tile == 0, (len(fmas), tile)
steps = len(fmas) // tile
for line in fmas:
    assert re.search(register, line), line
# On the stack, or beside the frame's pointer, whose register may be any other.
for line in lines:
    assert not re.search(r"%[re]sp\b|-\d+\(%[re]bp\)|\[sp\b|\[x29, #", line), "spill: " + line
    stores = re.match(r"st[rpu]|st1|v?mov\w*\s+%\w+, .*\(", line)
    assert not stores, "store: " + line

# x86: a broadcast or a load each; AArch64: single, in pairs, or with the copy.
loads = sum(2 if line.startswith("ldp") else 1 for line in lines
            if re.search(r"\(%|\[x", line) and not line.startswith(("lea", "prf", "prefetch")))
assert loads <= steps * (mr + vectors), (loads, steps, mr, vectors)
print(f"{mr}x{vectors} vectors: no spill, no store, at most {mr + vectors} loads")
