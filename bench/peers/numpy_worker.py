#===- numpy_worker.py - numpy's half of the benchmark ---------------------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# Answers each line of the standard input with a line. The order of contraction
# is numpy's optimal one, found before the clock runs; where there is a choice
# between einsum's own loops and its use of BLAS, whichever is faster is taken.
#
#===-----------------------------------------------------------------------===#
import sys
import time

import numpy

TYPES = {"f32": numpy.float32, "f64": numpy.float64, "c64": numpy.complex64}
# Of more, einsum's own loops take seconds.
MOST_POINTS = 3e7


def numbers(text):
    return tuple(int(word) for word in text.split(",") if word)


def aligned(count, dtype):
    raw = numpy.empty(count * dtype.itemsize + 64, numpy.uint8)
    start = -raw.ctypes.data % 64
    return raw[start:start + count * dtype.itemsize].view(dtype)


class Case:
    def __init__(self, words):
        self.einsum, element, path = words[:3]
        dtype = numpy.dtype(TYPES[element])
        self.inputs = []
        with open(path, "rb") as file:
            for i, word in enumerate(words[3:]):
                shape, strides = map(numbers, word.split(":"))
                count = 1 + sum((n - 1) * s for n, s in zip(shape, strides))
                base = aligned(count, dtype)
                array = numpy.lib.stride_tricks.as_strided(
                    base, shape, [s * dtype.itemsize for s in strides])
                if i + 1 < len(words[3:]):
                    base[:] = numpy.fromfile(file, dtype, count)
                    self.inputs.append(array)
                else:
                    self.base, self.out = base, array
        best = numpy.einsum_path(self.einsum, *self.inputs,
                                 optimize="optimal")[0]
        extents = {}
        for labels, array in zip(self.einsum.split("->")[0].split(","),
                                 self.inputs):
            extents.update(zip(labels, array.shape))
        points = numpy.prod([*extents.values()], dtype=float)
        paths = [best] if points > MOST_POINTS else [best, False]
        self.path = min(paths, key=self.time)

    def once(self, path):
        numpy.einsum(self.einsum, *self.inputs, out=self.out, optimize=path)

    def time(self, path):
        fastest = float("inf")
        for _ in range(2):
            start = time.perf_counter()
            self.once(path)
            fastest = min(fastest, time.perf_counter() - start)
        return fastest

    def run(self, repetitions):
        start = time.perf_counter()
        for _ in range(repetitions):
            self.once(self.path)
        return time.perf_counter() - start


def main():
    case = None
    for line in sys.stdin:
        verb, *words = line.split()
        if verb == "version":
            answer = "numpy " + numpy.__version__ + ", einsum, optimal path"
        elif verb == "case":
            case = Case(words)
            answer = "ok"
        elif verb == "run":
            answer = repr(case.run(int(words[0])))
        elif verb == "save":
            case.base.tofile(words[0])
            answer = "ok"
        else:
            case = None
            answer = "ok"
        print(answer, flush=True)


main()
