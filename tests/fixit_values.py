#!/usr/bin/env python3
#===- fixit_values.py - What a fix-it computes is what was meant ----------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# Usage: fixit_values.py
#
# Applies the fix-it of each wrong statement below, runs it, and compares the
# numbers with numpy's. A statement of which nobody can know what was meant has
# None instead, and must have no fix-it. Works in the current directory.
#
#===-----------------------------------------------------------------------===#
import json
import re
import subprocess
import sys

import numpy as np

from fixits import apply

SHAPES = {"x": (5,), "y": (5,), "w": (5,), "A": (3, 4), "B": (4, 2), "T": (3, 4),
          "D": (3, 2), "a": (), "b": ()}
CASES = [
    ("r(i) = 2*x(i)**3", lambda x: 2 * x**3),
    ("r(i) = -x(i)**2", lambda x: -x**2),
    ("r(i) = exp(-x(i)**2)", lambda x: np.exp(-x**2)),
    ("r +=! w(i) * x(i)**2", lambda w, x: np.sum(w * x**2)),
    ("r(i) = w(i) * (x(i) + y(i))**2 / 2", lambda w, x, y: w * (x + y)**2 / 2),
    ("r(i) = x(i)**2 + y(i)", lambda x, y: x**2 + y),
    ("r(i) = exp(x(i))**-1", lambda x: np.exp(x)**-1.0),
    ("r(m, n) = a*A(m, k)*B(k, n) + b*D(m, n)", lambda a, A, B, b, D: a * A @ B + b * D),
    ("r(m, n) = D(m, n) + A(m, k)*B(k, n)", lambda D, A, B: D + A @ B),
    ("r(m, n) = D(m, n) - A(m, k)*B(k, n)", lambda D, A, B: D - A @ B),
    ("r(m) = A(m, k) + T(m, k)", lambda A, T: np.sum(A + T, axis=1)),
    ("r(m) = exp(A(m, k))", lambda A: np.sum(np.exp(A), axis=1)),
    ("r = sqrt(T(i, j) * T(i, j))", None),
    ("r = sqrt(square(T(i, j)))", None),
    ("r(m, n) = tanh(A(m, k) * B(k, n))", None),
    ("r(i) := x(i)", lambda x: x),
    ("r(i) = x(i) if x(i) > 0 else y(i)", lambda x, y: np.where(x > 0, x, y)),
    ("r(i) = x(i) / y(i) if x(i) > 0 and y(i) > 0 else 0",
     lambda x, y: np.where((x > 0) & (y > 0), x / y, 0)),
    ("r(i) = np.where(x(i) > 0, x(i), y(i))", lambda x, y: np.where(x > 0, x, y)),
    ("r(m) = sum(A(m, k))", lambda A: A.sum(axis=1)),
    ("r(m) = sum(A(m, k), k)", lambda A: A.sum(axis=1)),
    ("r(m) = max_k(A(m, k))", lambda A: A.max(axis=1)),
    ("r(m) = sum_k A(m, k)", lambda A: A.sum(axis=1)),
    ("r = sum(A)", lambda A: A.sum()),
    ("r(i) = 0 < x(i) < 1 ? x(i) : 0", lambda x: None),
    ("r(i) = x(i) + +y(i)", lambda x, y: x + y),
    ("r(i) = (f32)x(i) * 2", lambda x: x.astype("f4") * 2),
    ("r(i) = x(i) * y(i) as f32", lambda x, y: None),
    # Powers and roots.
    ("r(i) = abs(x(i))**y(i)**2", lambda x, y: np.abs(x)**(y**2)),
    ("r(i) = x(i)**-2", lambda x: x**-2.0),
    ("r(i) = -2**x(i)", lambda x: -2**x),
    ("r(i) = 2*x(i)**2*y(i)", lambda x, y: 2 * x**2 * y),
    ("r(i) = (x(i)**2 + y(i)**2)**0.5", lambda x, y: np.hypot(x, y)),
    ("r = sqrt(sum<i>(x(i)**2))", lambda x: np.linalg.norm(x)),
    ("r(i) = -x(i)²", lambda x: -x**2),
    ("r(i) = 2*x(i)³ + y(i)", lambda x, y: 2 * x**3 + y),
    ("r(i) = (x(i) + y(i))²", lambda x, y: (x + y)**2),
    ("r = x²", lambda x: x**2),
    ("r(i) = √abs(x(i)) * 2", lambda x: np.sqrt(np.abs(x)) * 2),
    ("r(i) = √(x(i)*x(i) + 1)", lambda x: np.sqrt(x * x + 1)),
    ("r(i) = x(i)^2", None),
    ("r(i) = 2^x(i)", None),
    # Sums.
    ("r = x(i)*y(i) + a", lambda x, y, a: x @ y + a),
    ("r(m, n) = a*A(m, k)*B(k, n) + b*D(m, n) - D(m, n)",
     lambda a, A, B, b, D: a * A @ B + b * D - D),
    ("r(m) =+! A(m, k)", lambda A: A.sum(axis=1)),
    ("r(m, n) =! A(m, k)*B(k, n)", lambda A, B: A @ B),
    ("r = mean(x)", lambda x: x.mean()),
    ("r = std(x)", lambda x: x.std()),
    ("r = var(A)", lambda A: A.var()),
    ("r = prod(x)", lambda x: x.prod()),
    ("r(i) = x(i) - mean(x)", lambda x: x - x.mean()),
    ("r = einsum(ij->ji, A)", lambda A: A.T),
    ("r = einsum(mk,kn->mn, A, B)", lambda A, B: A @ B),
    ("r = einsum('mk,kn->mn', A, B)", lambda A, B: A @ B),
    # Places.
    ("r = x(-1)", lambda x: x[-1]),
    ("r(m) = A(m, -1)", lambda A: A[:, -1]),
    ("r(i) = x[i] * 2", lambda x: x * 2),
    ("r(i, j) = A[i][j]", lambda A: A),
    # Values and choices.
    ("r(i) = clamp(x(i), 0, 0.5)", lambda x: np.clip(x, 0, 0.5)),
    ("r(i) = x(i) × y(i) − 1", lambda x, y: x * y - 1),
    ("r(i) = x(i) ≤ y(i) ? x(i) : y(i)", lambda x, y: np.minimum(x, y)),
    ("r(i) = not (x(i) > 0) ? 1.5 : x(i)", lambda x: np.where(x > 0, x, 1.5)),
    ("r(i) = x(i) > 0 or y(i) > 0 ? x(i) : y(i)",
     lambda x, y: np.where((x > 0) | (y > 0), x, y)),
    ("r(i) = x(i) if x(i) > 0 else -x(i) if y(i) > 0 else 0",
     lambda x, y: np.where(x > 0, x, np.where(y > 0, -x, 0))),
    ("r(i) = x(i) if y(i) > 0", lambda x, y: np.where(y > 0, x, 0)),
    ("r(i) = np.exp(x(i))", lambda x: np.exp(x)),
    ("r(i) = math.sqrt(abs(x(i)))", lambda x: np.sqrt(np.abs(x))),
    ("r(i) = cast(x(i), f32)", lambda x: x.astype("f4")),
    ("r(i) = x(i) * 1.5f + 1_000 * 0x1F", lambda x: x * 1.5 + 1000 * 31),
    ("r(i) = exp(x(i)", lambda x: np.exp(x)),
    ("r = A - mean(A)", lambda A: A - A.mean()),
    # Assignments.
    ("r(i) <- x(i) + y(i)", lambda x, y: x + y),
    ("r(i) == x(i)", lambda x: x),
    ("r(i) = y(i)  r(i) -= x(i) * 2", lambda y, x: y - x * 2),
    ("r(i) = y(i)  r(i) /= x(i) + 2", lambda y, x: y / (x + 2)),
]


def errors(text, data):
    # The types and ranks are those of the data, as in a run.
    run = subprocess.run(["einc", "run", "--diagnostics", "json", "-e", text] + data,
                         capture_output=True, text=True)
    lines = [json.loads(line) for line in run.stderr.splitlines() if line.startswith("{")]
    return [line for line in lines if line["severity"] == "error"], run.stdout


def main():
    rng = np.random.default_rng(1)
    values = {name: rng.uniform(-1, 1, shape) for name, shape in SHAPES.items()}
    for name, value in values.items():
        np.save(name + ".npy", value)
    failed = 0
    for text, meant in CASES:
        names = [n for n in SHAPES if re.search(rf"\b{n}\b", text, re.ASCII)]
        data = [f"{n}={n}.npy" for n in names]
        found, fixed = errors(text, data)[0], text
        if not found:
            print(f"`{text}` is no error")
            failed += 1
            continue
        if meant is None:
            if any(error["fixits"] for error in found):
                print(f"`{text}` has a fix-it, and nobody knows what was meant")
                failed += 1
            continue
        # Of several mistakes, each has its own.
        for _ in range(8):
            ways = [error["fixits"] for error in found if error["fixits"]]
            if not ways:
                break
            fixed = apply(fixed, ways[0])
            found = errors(fixed, data + ["-o", "r.npy"])[0]
        args = meant.__code__.co_varnames[:meant.__code__.co_argcount]
        wanted = meant(*[values[arg] for arg in args])
        if wanted is None:
            continue
        if found or not np.allclose(np.load("r.npy"), wanted, rtol=1e-5):
            print(f"`{text}` becomes `{fixed}`, which is something else", found[:1])
            failed += 1
    print(f"{len(CASES)} statements, {failed} of them wrong")
    sys.exit(failed != 0)


main()
