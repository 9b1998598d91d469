#===- groups_numpy.py - dims of several labels beside numpy ----------------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# Usage: groups_numpy.py DIR SEED COUNT
#
# Draws einsum strings with dims of several labels in operands and outputs, a def
# each, of numbers, of dynamic sizes or of both. What einc computes has to be numpy's
# einsum between two reshapes; sizes that make no product have to be refused by
# the code. Numbers are small integers in f64, so that sums are exact.
#
#===-----------------------------------------------------------------------===#
import ctypes
import math
import random
import subprocess
import sys

import numpy as np

SHAPE_MISMATCH = 1


def group(rng, labels):
    """The labels in dims, some of them of several."""
    dims = []
    while labels:
        n = rng.choice([1, 1, 2, 2, 3])
        dims.append(labels[:n])
        labels = labels[n:]
    return dims


def text_of(dims):
    return " ".join("".join(d) if len(d) == 1 else "(" + " ".join(d) + ")"
                    for d in dims)


class Case:
    def __init__(self, rng, number):
        self.name = f"f{number}"
        sizes = {c: rng.choice([0, 1, 2, 3, 5, 7, 17]) for c in "abcdefg"}
        count = rng.randint(1, 3)
        self.terms = [group(rng, rng.sample("abcdefg", rng.randint(1, 4)))
                      for _ in range(count)]
        used = sorted({c for term in self.terms for d in term for c in d})
        self.output = group(rng, rng.sample(used, rng.randint(0, len(used))))
        # Labels that only share dims have an operand to themselves, all but one
        # perhaps, whose size the others leave.
        alone = {d[0] for term in self.terms for d in term if len(d) == 1}
        for c in used:
            others = [sizes[o] for term in self.terms for d in term if c in d
                      for o in d if o != c]
            if c in alone or (len(alone) < 7 and all(others) and
                              rng.random() < 0.3 and "left" not in alone):
                alone |= {c} if c in alone else {"left"}
            else:
                self.terms.append([[c]])
        self.sizes = sizes
        # Dynamic dims have a size each, whatever the labels say.
        isOpen = rng.choice([0.0, 0.5, 1.0])
        self.symbols, self.values = [], []
        self.params = [self.declare(rng, dims, isOpen) for dims in self.terms]
        self.result = None
        if rng.random() < 0.6:
            self.result = self.declare(rng, self.output, isOpen)

    def size(self, dim):
        return math.prod(self.sizes[c] for c in dim)

    def declare(self, rng, dims, isOpen):
        written = []
        for dim in dims:
            if rng.random() < isOpen:
                written.append(f"S{len(self.symbols)}")
                self.symbols.append(written[-1])
                self.values.append(self.size(dim))
            else:
                written.append(str(self.size(dim)))
        return "f64" + (f"({', '.join(written)})" if dims else "")

    def text(self):
        names = [f"A{i}" for i in range(len(self.terms))]
        params = ", ".join(f"{n}: {p}" for n, p in zip(names, self.params))
        result = f"R: {self.result}" if self.result else "R"
        string = ", ".join(map(text_of, self.terms)) + " -> " + text_of(self.output)
        return (f"def {self.name}({params}) -> ({result}) {{ R = einsum("
                f'"{string}", {", ".join(names)}) }}\n')

    def expect(self, arrays):
        flat = [a.reshape([self.sizes[c] for d in term for c in d])
                for a, term in zip(arrays, self.terms)]
        string = ",".join("".join(c for d in term for c in d) for term in self.terms)
        string += "->" + "".join(c for d in self.output for c in d)
        return np.einsum(string, *flat).reshape([self.size(d) for d in self.output])


def main():
    directory, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(seed)
    data = np.random.default_rng(seed)
    cases = [Case(rng, i) for i in range(count)]
    source = f"{directory}/groups.ein"
    with open(source, "w") as file:
        file.writelines(case.text() for case in cases)
    library = f"{directory}/groups.so"
    subprocess.run(["einc", "build", source, "-o", library, "-O1"], check=True)
    program = subprocess.run(["einc", "build", source, "--emit", "program"],
                             check=True, capture_output=True, text=True).stdout
    parts = program.split("def ")[1:]
    loaded = ctypes.CDLL(library)
    wrong, refusals = [], 0
    for case, part in zip(cases, parts):
        arrays = [data.integers(-3, 4, [case.size(d) for d in term]).astype("f8")
                  for term in case.terms]
        expected = case.expect(arrays)
        # A size that einc made is the product of labels that it is called after.
        symbols = [line.split()[1] for line in part.splitlines()
                   if line.startswith("  size ")]
        known = dict(zip(case.symbols, case.values))
        for name in symbols:
            if name not in known and name.endswith("_size"):
                known[name] = case.size(name[:-len("_size")].split("_"))
        sizes = [known[name] for name in symbols if "/" not in name]

        def call(sizes):
            result = np.full(expected.shape, np.nan)
            pointers = [a.ctypes.data_as(ctypes.c_void_p) for a in arrays + [result]]
            code = getattr(loaded, case.name)(*pointers, *map(ctypes.c_int64, sizes))
            return code, result

        code, result = call(sizes)
        if code != 0 or not np.array_equal(result, expected):
            wrong.append(f"{case.text()} code {code}, sizes {sizes}")
        # Another size of a dim that is shared is refused before anything is done.
        shared = [i for i, name in enumerate(symbols) if name.endswith("_size")]
        if shared and all(sizes):
            sizes[rng.choice(shared)] += 1
            code, result = call(sizes)
            refusals += 1
            if code != SHAPE_MISMATCH or not np.isnan(result).all():
                wrong.append(f"{case.text()} takes sizes {sizes}")
    print(f"{count} strings, {refusals} wrong sizes, {len(wrong)} wrong")
    print("\n".join(wrong))
    sys.exit(bool(wrong))


main()
