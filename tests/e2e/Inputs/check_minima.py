"""Compares ranges that are the least of several with numpy, for tests/e2e/minima.test:
minima.ein is its first argument, beside minima_calls.ein; options of einc's are the others. The
largest range with which nothing is outside is found here by trying."""
import itertools
import subprocess
import sys
import numpy as np

random = np.random.default_rng(5)


def run(entry, outputs, arrays):
    file = sys.argv[1].replace(".ein", "_calls.ein") if entry == "called" else sys.argv[1]
    command = ["einc", "run", file, "--entry", entry] + sys.argv[2:]
    for name, array in arrays.items():
        np.save(f"{name}.npy", array)
        command.append(f"{name}={name}.npy")
    for name in outputs:
        command += ["-o", f"{name}=out_{name}.npy"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode in (0, 1), done
    if done.returncode:
        assert "error: " in done.stderr, done
        return None
    return [np.load(f"out_{name}.npy") for name in outputs]


def extent(*bounds):
    """How many values from 0 on keep `factor * i + offset` below `size`, in all bounds; None if
    even i = -1 is outside of one of them."""
    if any(factor * -1 + offset > size - 1 for size, factor, offset in bounds):
        return None
    return next(i for i in itertools.count()
                if any(factor * i + offset >= size for size, factor, offset in bounds))


def shifted(A, B):
    n = extent((len(A), 1, 1), (len(B), 1, 2))
    return n if n is None else [np.array([A[i + 1] * B[i + 2] for i in range(n)], "f4")]


def grids(A, B):
    h = extent((A.shape[0], 1, 1), (B.shape[0], 2, 0))
    w = extent((A.shape[1], 1, 2), (B.shape[1], 1, 1))
    if h is None or w is None:
        return None
    return [np.array([A[y + 1, x + 2] - B[2 * y, x + 1] for y in range(h) for x in range(w)],
                     "f4").reshape(h, w)]


def strided(I, F, J):
    n = extent((len(I), 2, len(F) - 1), (len(J), 1, 1))
    return n if n is None else [np.array([
        sum(I[2 * x + k] * F[k] * J[x + 1] for k in range(len(F))) for x in range(n)], "f4")]


def windows(I, F, G):
    # With one `x` at least.
    k = extent((len(F), 1, 1), (len(G), 2, 0), (len(I), 1, 0))
    n = None if k is None else extent((len(I), 1, k - 1))
    return n if n is None else [np.array([
        sum(I[x + j] * F[j + 1] * G[2 * j] for j in range(k)) for x in range(n)], "f4")]


def three(A, B, D):
    n = extent((len(A), 1, 1), (len(B), 3, 2), (len(D), 1, 4))
    return n if n is None else [np.array([A[i + 1] + B[3 * i + 2] * D[i + 4] for i in range(n)],
                                         "f4")]


def product(A, B):
    k = extent((A.shape[1], 1, 1), (B.shape[0], 1, 2))
    return k if k is None else [A[:, 1:k + 1] @ B[2:k + 2]]


def passed(A, B, D):
    first = shifted(A, B)
    n = first and extent((len(first[0]), 1, 1), (len(D), 1, 3))
    if n is None:
        return None
    t = first[0]
    return [t, t[1:n + 1] - D[3:n + 3], np.float32(t @ t)]


def turned(A, B):
    n = extent((len(A), 1, 1), (len(B), 2, 1))
    if n is None:
        return None
    c = np.array([A[i + 1] * B[2 * i + 1] for i in range(n)], "f4")
    return [c, c[::-1]]


def pooled(A, B):
    c = A.shape[0]  # `c` stands alone in A, and has all of its dim
    n = extent((A.shape[1], 2, 2), (B.shape[1], 1, 2))
    if n is None or (c and n and c >= B.shape[0]):
        return None
    return [np.array([max(A[r, 2 * x + k] - B[r + 1, x + k] for k in range(3))
                      for r in range(c) for x in range(n)], "f4").reshape(c, n)]


def added(A, B, C):
    n = extent((len(A), 1, 1), (len(B), 2, 0), (len(C), 1, 1))
    if n is None:
        return None
    result = C.copy()
    result[1:n + 1] += A[1:n + 1]
    return [result]


def running(A, B):
    n = extent((len(A), 1, 1), (len(B), 1, 2))
    if n is None:
        return None
    c, last = [], np.float32(1)
    for i in range(n):
        last = A[i + 1] + np.float32(0.5) * last * B[i + 2]
        c.append(last)
    return [np.array(c, "f4")]


def both(A, B):
    if len(A) < 1:
        return None
    n, m = min(len(A), len(B)), min(len(A) - 1, len(B))
    d = np.zeros(m + 1, "f4")
    d[:m] = A[:m] * A[:m]
    return [A[:n] - B[:n], d]


def called(A, B, D):
    def half(X):
        return X[0:len(X) // 2 * 2:2] - X[1::2]

    def least(X, Y):
        n = min(len(X) - 1, len(Y) - 2)
        return None if n < 0 else X[1:n + 1] * Y[2:n + 2]

    first = least(A, B)
    c = None if first is None else least(first, D)
    if c is None:
        return None
    h = half(A)
    n = min(len(h), len(B), len(D))
    return [c, half(h), h[:n] + B[:n] * D[:n]]


sizes = [0, 1, 2, 3, 4, 5, 9, 16, 33]
numAccepted = numRefused = 0


def check(function, outputs, ranks):
    global numAccepted, numRefused
    # `ranks` has the number of dims of each array.
    for first in (0, 1, 3, 4):
        arrays = {name: random.standard_normal(
            [random.choice(sizes[first:]) for _ in range(rank)]).astype("f4")
            for name, rank in ranks.items()}
        wanted = function(**arrays)
        got = run(function.__name__, outputs, arrays)
        shapes = {name: array.shape for name, array in arrays.items()}
        assert (got is None) == (wanted is None), (function.__name__, shapes)
        if got is None:
            numRefused += 1
            continue
        numAccepted += 1
        for g, w in zip(got, wanted):
            np.testing.assert_allclose(g, w, rtol=1e-4, atol=1e-5, err_msg=f"{shapes}")


check(shifted, ["C"], {"A": 1, "B": 1})
check(grids, ["C"], {"A": 2, "B": 2})
check(strided, ["O"], {"I": 1, "F": 1, "J": 1})
check(windows, ["O"], {"I": 1, "F": 1, "G": 1})
check(three, ["C"], {"A": 1, "B": 1, "D": 1})
check(product, ["C"], {"A": 2, "B": 2})
check(passed, ["T", "C", "s"], {"A": 1, "B": 1, "D": 1})
check(turned, ["C", "D"], {"A": 1, "B": 1})
check(pooled, ["O"], {"A": 2, "B": 2})
check(added, ["C"], {"A": 1, "B": 1, "C": 1})
check(running, ["C"], {"A": 1, "B": 1})
check(both, ["C", "D"], {"A": 1, "B": 1})
check(called, ["C", "H", "T"], {"A": 1, "B": 1, "D": 1})
assert numAccepted > 20 and numRefused > 5, (numAccepted, numRefused)
