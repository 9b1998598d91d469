#!/usr/bin/env python3
#===- random-inputs.py - Random .npy files for an executable --------------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# Reads what an executable made by einc prints for --describe, one signature a
# line in the language's notation:
#
#   mm<M, K, N>(A: f32(M, K), B: f32(K, N)) -> (C: f32(M, N))
#
# and writes NAME.npy for each input of the last, which is the one that the
# executable calls unless told otherwise. Prints `size NAME VALUE`, `input NAME
# FILE` and `output NAME FILE`, one a line, for scripts/demo.
#
#===-----------------------------------------------------------------------===#
import argparse
import os
import re
import sys

import numpy

ARGUMENT = re.compile(
    r"(?P<inout>inout\s+)?(?P<name>\w+)\s*:\s*(?P<type>[a-z]+\d*)"
    r"\s*(?:\((?P<dims>[^)]*)\))?")


def evaluate(dim, sizes):
    """The value of a sum of products of integers and symbols."""
    if not re.fullmatch(r"[\w\s*+-]+", dim):
        sys.exit(f"error: cannot evaluate the dimension '{dim}'")
    return eval(dim, {"__builtins__": {}}, sizes)


def random_array(rng, element, shape):
    kind = {"f": "float", "i": "int", "u": "uint"}[element[0]]
    dtype = numpy.dtype(kind + element[1:])
    if dtype.kind == "f":
        return rng.uniform(-1, 1, shape).astype(dtype)
    return rng.integers(0 if dtype.kind == "u" else -8, 8, shape).astype(dtype)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--directory", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bind", default="", help="K=V,...")
    parser.add_argument("--default-size", type=int, default=512)
    options = parser.parse_args()

    signatures = sys.stdin.read().splitlines() or [""]
    left, arrow, right = signatures[-1].partition("->")
    if not arrow:
        sys.exit("error: no '->' in the signature")
    sizes = {}
    for binding in filter(None, options.bind.split(",")):
        name, _, value = binding.partition("=")
        sizes[name] = int(value)
    inputs = list(ARGUMENT.finditer(left))
    outputs = list(ARGUMENT.finditer(right))
    for argument in inputs + outputs:
        for name in re.findall(r"[^\W\d]\w*", argument["dims"] or ""):
            sizes.setdefault(name, options.default_size)
    for name, value in sizes.items():
        print("size", name, value)

    rng = numpy.random.default_rng(options.seed)
    # An inout result is read as well as written: its first value is an input.
    for argument in inputs + [o for o in outputs if o["inout"]]:
        dims = [d for d in (argument["dims"] or "").split(",") if d.strip()]
        shape = tuple(evaluate(dim.strip(), sizes) for dim in dims)
        path = os.path.join(options.directory, argument["name"] + ".npy")
        numpy.save(path, random_array(rng, argument["type"], shape))
        print("input", argument["name"], path)
    for argument in outputs:
        path = os.path.join(options.directory, argument["name"] + "-out.npy")
        print("output", argument["name"], path)


main()
