"""Compares reductions with numpy's, for tests/e2e/reductions.test. Its argument
is reductions.ein."""
import subprocess
import sys
import numpy as np

random = np.random.default_rng(7)


def run(entry, outputs, *flags, **arrays):
    command = ["einc", "run", sys.argv[1], "-O0", "--entry", entry, *flags]
    for name, array in arrays.items():
        np.save(f"{name}.npy", array)
        command.append(f"{name}={array}" if np.ndim(array) == 0 else f"{name}={name}.npy")
    for name in outputs:
        command += ["-o", f"{name}=out_{name}.npy"]
    subprocess.run(command, check=True)
    return [np.load(f"out_{name}.npy") for name in outputs]


# Ties and NaNs: the first.
a = random.integers(0, 4, (30, 9)).astype("f4")
a[3, 4] = a[3, 6] = a[7, 0] = a[8, 8] = np.nan
a[5] = -np.inf
a[6] = np.inf
i = random.integers(-128, 128, a.shape).astype("i1")
p, q, r, s = run("find", "pqrs", A=a, I=i)
np.testing.assert_array_equal(p, a.argmax(1))
assert q == np.trunc(i / 16).argmin()
np.testing.assert_array_equal(r, (-a).argmin(1) + np.arange(30))
np.testing.assert_array_equal(s, (a > 0.5).argmax(0))

a = random.random((30, 9)).astype("f4")
got = run("logic", "abc", A=a)
np.testing.assert_array_equal(got[0], (a > 0.9).any(1))
assert got[1] == ((a < 1).all() and not (a[:, 0] == 1).any())
np.testing.assert_array_equal(got[2], (a > 0.1).all(1) * 1 + (a > 0.5).sum(1))

a = random.random((30, 9)).astype("f4")
p, q, r = run("from", "pqr", A=a)
np.testing.assert_array_equal(p, a[:, 2:].argmax(1) + 2)
row, column = np.unravel_index(a[2:, 1:-1].argmin(), (28, 7))
assert q == (row + 2) * 8 + column + 1
np.testing.assert_array_equal(r, a[:, 1:8:3].argmax(1) * 3 + 1)


def generate(least, most, seed, shape):
    """linalg.fill_rng_2d's numbers, over any number of dims, in Python's floats."""
    result = np.empty(shape)
    for at in np.ndindex(*shape):
        r = seed
        for index in at:
            r = ((index + r) * 1103515245 + 12345) % 2**32
        r = (r + 2**31) % 2**32 - 2**31
        result[at] = (r + 2147483647.0) * ((most - least) * 2.3283064e-10) + least
    return result


a, b, c, d = run("random", "abcd", "--bind", "M=6,N=5", s=42)
np.testing.assert_array_equal(a, generate(-1.0, 1.0, 42, (6, 5)).astype("f4"))
np.testing.assert_array_equal(b, [generate(0.0, i * 2.0 + 1, 7, (6,))[i] * 2 for i in range(6)])
np.testing.assert_array_equal(c, generate(-1000.0, 1000.0, 42, (6, 5, 3)).astype("i4"))
assert d == generate(0.0, 1.0, 5, ())[()]
