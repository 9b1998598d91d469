"""Runs the functions of online.mlir and compares with numpy.

Usage: online.py COMMAND…     (an executable, or `einc run online.mlir`)
"""
import subprocess
import sys

import numpy as np

COMMAND = sys.argv[1:]
random = np.random.default_rng(1)


def check(entry, inputs, *expected):
    """Arrays go by files, numbers as words."""
    words, files = [], []
    for i, value in enumerate(inputs):
        if isinstance(value, np.ndarray):
            np.save(f"in{i}", value)
            value = f"in{i}.npy"
        words.append(str(value))
    for i in range(len(expected)):
        files += ["-o", f"out{i}.npy"]
    subprocess.run([*COMMAND, "--entry", entry, *words, *files], check=True)
    for i, wanted in enumerate(expected):
        np.testing.assert_allclose(np.load(f"out{i}.npy"), wanted, rtol=1e-5, atol=1e-5,
                                   err_msg=f"{entry} of {[np.shape(x) for x in inputs]}")


for m, n in [(1, 1), (3, 7), (2, 8), (5, 9), (17, 29), (1, 1021), (0, 3), (4, 0)]:
    x = random.uniform(-40, 40, (m, n)).astype("f4")
    with np.errstate(divide="ignore"):
        check("logsumexp", [x], np.log(np.exp(x.astype("f8")).sum(1)))
for n in (0, 1, 7, 8, 9, 29, 1021):
    x = random.uniform(99, 101, n).astype("f4")
    mean = x.mean(dtype="f8") if n else 0
    wanted = [mean, ((x - mean) ** 2).sum(), (np.arange(n) + 5).sum()]
    for entry in ("variance", "variance_at_once"):
        check(entry, [x, 5], *wanted)
    if n == 29:
        check("variance_static", [x, 5], *wanted)
print("checked")
