#!/usr/bin/env python3
#===- threads.py - The same bits for any number of threads ----------------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# Usage: threads.py PROGRAM DIR EINSUM SHAPE-A SHAPE-B OUTPUT [SIZES…]
#
# Runs PROGRAM, which computes the einsum of A and B, with 1, 2, 3 and 7 threads
# for each of SIZES (`3,5,7`, values of the letters of SHAPE-A and SHAPE-B in
# order of appearance), compares with numpy, and the outputs with each other.
#
#===-----------------------------------------------------------------------===#
import os
import subprocess
import sys

import numpy as np

program, directory, einsum, shape_a, shape_b, output, *choices = sys.argv[1:]
letters = list(dict.fromkeys(shape_a + shape_b))
random = np.random.default_rng(1)
for choice in choices:
    sizes = dict(zip(letters, map(int, choice.split(",")), strict=True))
    inputs = []
    for name, shape in (("A", shape_a), ("B", shape_b)):
        data = random.uniform(-1, 1, [sizes[s] for s in shape])
        np.save(f"{directory}/{name}.npy", data.astype(np.float32))
        inputs.append(data.astype(np.float32).astype(np.float64))
    expected = np.einsum(einsum, *inputs)
    bound = 1e-6 * (1 + np.einsum(einsum, *map(abs, inputs)))
    first = None
    for threads in (1, 2, 3, 7):
        subprocess.run(
            [program, f"A={directory}/A.npy", f"B={directory}/B.npy", "-o",
             f"{output}={directory}/C.npy"], check=True,
            env=dict(os.environ, OMP_NUM_THREADS=str(threads)))
        result = np.load(f"{directory}/C.npy")
        assert result.shape == expected.shape, (choice, threads)
        assert (abs(result - expected) <= bound).all(), (choice, threads)
        first = result if first is None else first
        assert result.tobytes() == first.tobytes(), (choice, threads)
print(len(choices), "sizes: same bits")
