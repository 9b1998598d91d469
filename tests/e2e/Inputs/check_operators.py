"""Compares operators with numpy's, for tests/e2e/operators.test. Its argument
is operators.ein."""
import subprocess
import sys
import numpy as np

random = np.random.default_rng(11)


def run(entry, outputs, **arrays):
    command = ["einc", "run", sys.argv[1], "-O0", "--entry", entry]
    for name, array in arrays.items():
        np.save(f"{name}.npy", array)
        command.append(f"{name}={name}.npy")
    for name in outputs:
        command += ["-o", f"{name}=out_{name}.npy"]
    subprocess.run(command, check=True)
    return [np.load(f"out_{name}.npy") for name in outputs]


def draw(name, size=40):
    info = np.iinfo(name)
    edges = [info.min, info.max, info.min // 2, info.max // 2, 0, 1, 2, 3]
    rest = random.integers(info.min, info.max, size - len(edges), name, endpoint=True)
    return np.concatenate([np.array(edges, name), rest])


def compare(a, b):
    return [a < b, a <= b, a == b, a != b, a > b, a >= b]


def same(got, want):
    for g, w in zip(got, want):
        np.testing.assert_array_equal(g, w)
        assert g.dtype == np.asarray(w).dtype


i, j, u, v = [random.permutation(draw(t)) for t in ("i1", "i1", "u1", "u1")]
j[:9], v[:9] = i[:9], u[:9]
same(run("compare_bytes", ["s", "u", "m"], I=i, J=j, U=u, V=v),
     [np.array(compare(i, j)), np.array(compare(u, v)), np.int32((i < u.astype("i4")).sum())])

special = np.array([0.0, -0.0, np.nan, np.inf, -np.inf, 1.5], "f4")
a, b = [x.ravel() for x in np.meshgrid(special, special)]
h = np.zeros(a.shape, "f2")
names = ["lt", "le", "eq", "ne", "gt", "ge"]
same(run("compare_floats", names, A=a, B=b, H=h), compare(a, b))


def shift(x, amount, left):
    """With all the integers that there are."""
    bits = x.dtype.itemsize * 8
    if 0 <= amount < bits:
        value = [int(y) << amount if left else int(y) >> amount for y in x]
    else:
        value = [-1 if y < 0 and not left else 0 for y in x]
    return np.array([y % (1 << bits) for y in value], f"u{x.dtype.itemsize}").astype(x.dtype)


arrays = {n: draw(t) for n, t in (("A", "i1"), ("B", "u2"), ("C", "i4"), ("D", "u8"))}
names = list("abcdefgh")
for name, got in zip(names, run("shifts", names, **arrays)):
    x = arrays["ABCD"["abcdefgh".index(name) % 4]]
    same([got], [np.array([shift(x, s, name < "e") for s in range(-40, 41)])])

a, b, c = draw("i2"), random.permutation(draw("i2")), draw("u8")
same(run("bits", names[:6], A=a, B=b, C=c),
     [a & b | ~a ^ b, c ^ c >> np.uint64(3) & np.uint64(12297829382473034410),
      np.bitwise_or.reduce(c), np.bitwise_and.reduce(a | np.int16(3)), (a > b).any(),
      (a != b).all()])

a, b = random.integers(-50, 50, 99, "i4"), random.integers(-2, 3, 99, "i4")
safe = np.where(b == 0, 1, b)
quotient = np.trunc(a / safe).astype("i4")
rest = a - quotient * safe
same(run("guarded", names[:4], A=a, B=b),
     [np.where(b != 0, quotient, -1).astype("i4"), (b != 0) & (rest == 1),
      (b == 0) | (quotient > 3),
      np.where(b == 0, 7, np.where(a > 0, rest, quotient)).astype("i4")])

x = random.standard_normal((5, 7)).astype("f4")
i, j = np.indices(x.shape)
same(run("positions", ["t", "p", "s"], A=x),
     [np.triu(x), i * 7 + j, np.int64(((x > 0) * (i - j)).sum())])
