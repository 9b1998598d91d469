#!/usr/bin/env python3
#===- npz.py - Makes, checks and damages archives of arrays --------------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# Usage: npz.py make | check C.npy | out OUT.npz | mutate PROGRAM
#
# Debian's Python runs it, which has numpy.
#
#===-----------------------------------------------------------------------===#
import random
import subprocess
import sys

import numpy

command, *rest = sys.argv[1:]
a = numpy.arange(12, dtype="f4").reshape(3, 4)
b = numpy.arange(20, dtype="f4").reshape(4, 5) - 7
if command == "make":
    numpy.save("A.npy", a)
    numpy.save("B.npy", b)
    numpy.save("x.npy", numpy.array([1, 2, 3], "f4"))
    numpy.savez("in.npz", A=a, B=b, extra=numpy.zeros(0))
    numpy.savez("in64.npz", A=a.astype("f8"))
    numpy.savez("other.npz", x=a)
    numpy.savez_compressed("packed.npz", A=a, B=b)
elif command == "check":
    assert (numpy.load(rest[0]) == a @ b).all()
elif command == "out":
    archive = numpy.load(rest[0])
    assert archive.files == ["y", "s"], archive.files
    assert (archive["y"] == [2, 4, 6]).all() and archive["s"] == 6
elif command == "mutate":
    original = open("in.npz", "rb").read()
    draw = random.Random(1)
    for _ in range(200):
        data = bytearray(original)
        for _ in range(draw.randint(1, 3)):
            data[draw.randrange(len(data))] = draw.randrange(256)
        open("mutant.npz", "wb").write(data[:draw.choice([len(data), draw.randrange(len(data))])])
        run = subprocess.run([rest[0], "mutant.npz", "-o", "mutant.npy"], capture_output=True,
                             text=True)
        assert run.returncode in (0, 1, 2), (run.returncode, run.stderr)
        assert (run.returncode == 0) == (run.stderr == ""), run.stderr
