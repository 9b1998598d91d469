"""Runs every function of zoo.mlir and compares with numpy.

Usage: zoo.py COMMAND…     (an executable, or `einc run zoo.mlir`)
"""
import subprocess
import sys

import numpy as np

COMMAND = sys.argv[1:]
random = np.random.default_rng(1)


def make(*shape, dtype="f4"):
    return random.uniform(-1, 1, shape).astype(dtype)


def run(entry, inputs, results):
    """Arrays go by files, numbers as words; returns what was written."""
    words, files = [], []
    for i, value in enumerate(inputs):
        if isinstance(value, (int, float)):
            words.append(str(value))
            continue
        np.save(f"in{i}", value)
        words.append(f"in{i}.npy")
    for i in range(results):
        files += ["-o", f"out{i}.npy"]
    subprocess.run([*COMMAND, "--entry", entry, *words, *files], check=True)
    return [np.load(f"out{i}.npy") for i in range(results)]


def check(entry, inputs, *expected):
    for result, wanted in zip(run(entry, inputs, len(expected)), expected):
        np.testing.assert_allclose(result, wanted, rtol=2e-4, atol=2e-5, err_msg=entry)
    print(entry, "ok")


def softmax(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def conv(i, k):
    h, w = i.shape[1] - 2, i.shape[2] - 2
    return sum(i[:, y:y + h, x:x + w, :] @ k[y, x] for y in range(3) for x in range(3))


for m, k, n in [(5, 7, 3), (1, 1, 1), (33, 65, 47), (4, 0, 3), (0, 4, 3)]:
    a, b, c = make(m, k), make(k, n), make(m, n)
    check("matmul", [a, b, c], a @ b + c)
x = make(5, 9)
check("softmax", [x], softmax(x))
i, k = make(1, 9, 7, 3), make(3, 3, 3, 4)
check("conv", [i, k], conv(i, k))
x, y = make(13), make(13)
check("axpy", [2.5, x, y], 2.5 * x + y)
x, y = make(8), make(8)
check("loops", [x, y], 2 * x[::-1])
x = make(11, dtype="f8")
check("several", [x], x + np.arange(11), np.exp(x), x.sum())
t, m = make(4, 6), make(4, 6)
check("mixed", [t, m], t + m)
a, b = make(10, 6), make(6, 9)
check("mmt4d", [a, b], a @ b)
x = make(5, 4)
check("odds", [x, 3.5], np.concatenate([x[1:3], np.arange(1, 9).reshape(2, 4)], 1), np.float32(3.5))
x = make(5, 7)
p = (x > 0).astype("f4")
check("types", [x], p @ p.T)
x = np.arange(10, 15, dtype="i4")
check("pick", [x, 3, 100], np.int32(113))
for n in (0, 1, 5):
    a, b = make(n, 4), make(n, 4)
    check("calls", [a, b], a - b, a - 2 * b)
a = make(3)
check("same", [a], np.exp(a), np.exp(a), np.float32([1, 2, 3]))
a = make(9)
check("loop", [a, 3], a * 4)
check("loop", [a, 0], a)
a, b = make(4), make(4)
check("cond", [a, b, 1], a + b)
check("cond", [a, b, -1], b)
a = make(5, 3)
check("pad", [a], np.pad(a, ((1, 0), (2, 1)), constant_values=7))
a, b = make(5, 4), make(5, 4)
check("allocs", [a, b], np.exp(a))
a, b, c = make(5, 6), make(6, 7), make(5, 7)
check("mmm", [a, b, c], a @ b + c)
a, b, c, d = make(5, 6), make(6, 7), make(5, 7), make(5, 5)
check("products", [a, b, c, d], a @ b + c, (a @ b + c) @ (a @ b + c).T + d)
i = make(1, 6, 6, 2)
check("pool", [i], i.reshape(1, 3, 2, 3, 2, 2).max(axis=(2, 4)))
a = make(5, 7)
check("reduce", [a], a.sum(1), a.T)
a = make(5)
check("inplace", [a], np.exp(a))
a, b = make(5, 4), make(2, 2)
c = a.copy()
c[1:3, 1:3] = b
check("slices", [a, b], c)
check("answer", [], np.float64(42))
