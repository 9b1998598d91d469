#!/usr/bin/env python3
#===- numpy_path.py - Orders of contraction against numpy's ---------------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# Usage: numpy_path.py OPERANDS LABELS COUNT SEED [METHOD...]
#
# Draws einsums and compares the operations of the order that `einc` finds with
# those of numpy's, by the same count, which is not einc's own code; exits with 1
# where einc's order has more. What einc says that its order costs is checked as
# well.
#
#===-----------------------------------------------------------------------===#
import json
import random
import subprocess
import sys

import numpy


def draw(rng, num_operands, num_labels):
    """Terms in which every label is at least twice, or in the output."""
    terms = [set() for _ in range(num_operands)]
    output = set()
    for label in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[:num_labels]:
        holders = 3 if rng.random() < 0.15 else 2
        for place in rng.sample(range(num_operands + 1), min(holders, num_operands)):
            (output if place == num_operands else terms[place]).add(label)
    return ["".join(sorted(term)) for term in terms], "".join(sorted(output))


def count(terms, output, sizes, path):
    """A multiplication per point of a step, and an addition if it sums."""
    left = [set(term) for term in terms]
    total = 0
    for step in path:
        members = [left[i] for i in step]
        left = [term for i, term in enumerate(left) if i not in step]
        every = set().union(*members)
        needed = set(output).union(*left)
        points = 1
        for label in every:
            points *= sizes[label]
        total += points * (len(step) - 1 + bool(every - needed))
        left.append(every & needed)
    assert len(left) == 1
    return total


def main():
    num_operands, num_labels, rounds, seed = map(int, sys.argv[1:5])
    rng = random.Random(seed)
    for _ in range(rounds):
        terms, output = draw(rng, num_operands, num_labels)
        text = ",".join(terms) + "->" + output
        labels = sorted(set("".join(terms)))
        sizes = {label: rng.randint(2, 9) for label in labels}
        shapes = [[sizes[label] for label in term] for term in terms]
        params = ", ".join(f"T{i}: f32({', '.join(map(str, shape))})" if shape else f"T{i}: f32"
                           for i, shape in enumerate(shapes))
        names = ", ".join(f"T{i}" for i in range(len(terms)))
        program = f'def f({params}) -> (R) {{ R = einsum("{text}", {names}) }}'
        found, = json.loads(subprocess.run(
            ["einc", "build", "-e", program, "--emit", "path"],
            check=True, capture_output=True, text=True).stdout)
        ours = count(terms, output, sizes, found["path"])
        if ours != found["flops"]:
            sys.exit(f"{program}: {found['flops']} operations are {ours}")
        arrays = [numpy.broadcast_to(numpy.float32(0), shape) for shape in shapes]
        for method in sys.argv[5:]:
            path = numpy.einsum_path(text, *arrays, optimize=method)[0][1:]
            theirs = count(terms, output, sizes, path)
            if ours > theirs:
                sys.exit(f"{program}: {ours} operations, and {theirs} as "
                         f"numpy's {method}")
    print("as good as numpy")


main()
