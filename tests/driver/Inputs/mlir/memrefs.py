"""Compiles the functions of memref_cases.py, calls them and compares.

Usage: memrefs.py [FLAG…] [-- NAME…]     (flags of `einc build`; cases to compile alone)
"""
import copy
import ctypes
import subprocess
import sys

import numpy as np

from memref_cases import CASES
from memrefs_view import view

words = sys.argv[1:]
names = words[words.index("--") + 1:] if "--" in words else []
flags = words[:words.index("--")] if "--" in words else words
SCALARS = {"f": ctypes.c_float, "i": ctypes.c_int32}


def call(library, name, args, written, results):
    order = [i for i in range(len(args)) if i not in written] + written
    passed = []
    for value in [args[i] for i in order] + results:
        if isinstance(value, np.ndarray):
            passed.append(ctypes.byref(view(value)))
        else:
            passed.append(SCALARS["f" if isinstance(value, float) else "i"](value))
    return getattr(library, name + "_view")(*passed)


def spread(array):
    """The same numbers with gaps, and the first dim backwards."""
    if array.ndim == 0:
        return array
    wide = np.zeros([2 * n + 1 for n in array.shape], array.dtype)
    part = wide[tuple(slice(1, None, 2) for _ in array.shape)][::-1]
    part[...] = array
    return part


def build(name, text):
    with open(name + ".mlir", "w") as file:
        file.write(text)
    subprocess.run(["einc", "build", name + ".mlir", *flags, "-o", f"lib{name}.so"], check=True)
    return ctypes.CDLL(f"./lib{name}.so")


def check(library, text, args, written, does):
    entry = text[text.rindex("func.func @") + 11:].split("(")[0]
    for form in (np.copy, spread):
        given = [form(a) if isinstance(a, np.ndarray) else a for a in args]
        wanted = copy.deepcopy(args)
        expected = does(*wanted) or []
        results = [np.zeros_like(r) for r in expected]
        code = call(library, entry, given, written, results)
        if code != 0:
            return f"code {code}"
        for have, want in zip(given + results, wanted + list(expected)):
            if not isinstance(have, np.ndarray):
                continue
            tolerance = 1e-2 if want.dtype == np.float16 else 2e-4
            if not np.allclose(have, want, rtol=tolerance, atol=tolerance / 10):
                return f"other numbers ({form.__name__}):\n{have}\n{want}"
    return ""


failures = 0
together = None if names else build("memrefs", "".join(case[1] for case in CASES))
for name, text, *rest in CASES:
    if names and name not in names:
        continue
    problem = check(together or build(name, text), text, *rest)
    failures += bool(problem)
    if problem:
        print(f"{name}: {problem}")
print(f"{len(CASES)} cases, {failures} failures")
