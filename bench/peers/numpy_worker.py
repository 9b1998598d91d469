#===- numpy_worker.py - numpy's half of the benchmark ---------------------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# Answers each line of the standard input with a line. The order of contraction
# is numpy's optimal one, found before the clock runs, and of many operands, for
# which numpy would take hours, the optimal one that it is told; where there is a
# choice between einsum's own loops and its use of BLAS, whichever is faster is
# taken. One operand is permuted, which is a copy of a transposed view.
#
#===-----------------------------------------------------------------------===#
import os
import sys
import time
import types

import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "cases", "programs"))
import in_numpy  # noqa: E402

TYPES = {"f32": numpy.float32, "f64": numpy.float64, "c64": numpy.complex64,
         "c128": numpy.complex128, "f16": numpy.float16, "bf16": numpy.uint16,
         "i8": numpy.int8, "u8": numpy.uint8, "i32": numpy.int32}
# Of more, einsum's own loops take seconds.
MOST_POINTS = 3e7
# Of more, numpy's search for the optimal path takes seconds.
MOST_OPERANDS = 6
# Else no intermediate may be larger than the largest operand.
NO_LIMIT = 1e18


def numbers(text):
    return tuple(int(word) for word in text.split(",") if word)


def aligned(count, dtype):
    raw = numpy.empty(count * dtype.itemsize + 64, numpy.uint8)
    start = -raw.ctypes.data % 64
    return raw[start:start + count * dtype.itemsize].view(dtype)


def timed(function, repetitions):
    start = time.perf_counter()
    for _ in range(repetitions):
        function()
    return time.perf_counter() - start


class Einsum:
    def __init__(self, words):
        self.einsum, element, path, order = words[:4]
        words = words[1:]
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
        if len(self.inputs) == 1:
            source, target = self.einsum.split("->")
            axes = [source.index(label) for label in target]
            self.run = lambda repetitions: timed(
                lambda: numpy.copyto(self.out, self.inputs[0].transpose(axes)),
                repetitions)
            return
        if len(self.inputs) > MOST_OPERANDS:
            steps = [tuple(map(int, step.split("-")))
                     for step in order.split(",") if step]
            best = ["einsum_path", *steps]
        else:
            best = numpy.einsum_path(self.einsum, *self.inputs,
                                     optimize=("optimal", NO_LIMIT))[0]
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
        return min(timed(lambda: self.once(path), 1) for _ in range(2))

    def run(self, repetitions):
        return timed(lambda: self.once(self.path), repetitions)


class Program:
    """A function of in_numpy.py, which fills its second argument."""

    def __init__(self, words):
        name, path, sizes = words[:3]
        self.function = getattr(in_numpy, name)
        self.sizes = types.SimpleNamespace(
            **{key: int(value) for key, value in
               (word.split("=") for word in sizes.split(",") if word)})
        shapes, self.types = zip(*(word.split(":") for word in words[3:]))
        shapes = [numbers(shape) for shape in shapes]
        arrays = [aligned(int(numpy.prod(shape, dtype=int)),
                          numpy.dtype(TYPES[name]))
                  for shape, name in zip(shapes, self.types)]
        with open(path, "rb") as file:
            for array in arrays[:-1]:
                array[:] = numpy.fromfile(file, array.dtype, array.size)
        self.base = arrays[-1]
        *self.inputs, self.out = [array.reshape(shape)
                                  for array, shape in zip(arrays, shapes)]

    def run(self, repetitions):
        return timed(lambda: self.function(self.sizes, self.out, *self.inputs),
                     repetitions)

    def save_exact(self, path):
        """In f64, which holds all that is read and every sum of integers."""
        def widen(array, name):
            if name == "bf16":
                array = (array.astype("u4") << 16).view("f4")
            return array.astype("c16" if name[0] == "c" else "f8")
        out = widen(numpy.zeros_like(self.out), self.types[-1])
        self.function(self.sizes, out,
                      *map(widen, self.inputs, self.types[:-1]))
        out.tofile(path)


def main():
    case = None
    for line in sys.stdin:
        verb, *words = line.split()
        if verb == "version":
            answer = "numpy " + numpy.__version__ + ", einsum, optimal path"
        elif verb == "case":
            case = Einsum(words)
            answer = "ok"
        elif verb == "program":
            case = Program(words)
            answer = "ok"
        elif verb == "exact":
            case.save_exact(words[0])
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
