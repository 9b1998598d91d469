#!/usr/bin/env python3
#===- network.py - A program that contracts many tensors ------------------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# Usage: network.py TENSORS [STRIDE]
#
# Prints a def whose tensors are in a ring, each with a label in common with the
# next; with a stride, each has one in common with another tensor as well. All
# extents are 2.
#
#===-----------------------------------------------------------------------===#
import sys

n = int(sys.argv[1])
terms = [[f"l{i}", f"l{(i + 1) % n}"] for i in range(n)]
if len(sys.argv) > 2:
    stride = int(sys.argv[2])
    for i in range(n):
        terms[i].append(f"c{i}")
        terms[(stride * i + 3) % n].append(f"c{i}")
terms = [list(dict.fromkeys(term)) for term in terms]
params = ", ".join(f"T{i}: f32({', '.join('2' for _ in term)})" for i, term in enumerate(terms))
print(f"def network({params}) -> (R) {{")
print(f'  R = einsum("{", ".join(" ".join(term) for term in terms)} ->", '
      f"{', '.join(f'T{i}' for i in range(n))}, labels=words)")
print("}")
