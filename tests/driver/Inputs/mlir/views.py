"""Calls the entries for views of views.mlir's functions, with numpy's strides."""
import ctypes
import itertools
import sys

import numpy as np

SHAPE_MISMATCH, OVERLAP = 1, 4
library = ctypes.CDLL(sys.argv[1])
random = np.random.default_rng(1)


def view(array):
    """The C struct {data, sizes, strides}."""
    words = [array.ctypes.data, *array.shape, *(s // array.itemsize for s in array.strides)]
    return (ctypes.c_int64 * len(words))(*words)


def call(name, *arrays):
    return getattr(library, name + "_view")(*map(view, arrays))


def plain(name, *arguments):
    values = [a.ctypes.data_as(ctypes.c_void_p) if isinstance(a, np.ndarray) else ctypes.c_int64(a)
              for a in arguments]
    return getattr(library, name)(*values)


def layouts(m, n, writes=False):
    """Arrays of m x n: contiguous, with gaps, by columns, backwards, and a row that is repeated."""
    def draw(*shape):
        return random.standard_normal(shape).astype("f4")
    yield draw(m, n)
    yield draw(m, n + 5)[:, 2:n + 2]
    yield draw(n, m).T
    yield draw(m, 3 * n)[:, ::3]
    yield draw(2 * m, n)[::-2, ::-1]
    if not writes:
        yield np.broadcast_to(draw(n), (m, n))
        yield np.broadcast_to(draw(m, 1), (m, n))


def check(name, what, result, expected):
    assert np.allclose(result, expected, rtol=1e-5, atol=1e-5), f"{name}: {what}"


for m, n in [(3, 4), (1, 5), (5, 1), (1, 1), (17, 33), (0, 3), (4, 0)]:
    for x, y, out in itertools.product(layouts(m, n), layouts(m, n), layouts(m, n, writes=True)):
        what = f"{m}x{n} by {x.strides}, {y.strides}, {out.strides}"
        assert call("add", x, y, out) == 0, what
        check("add", what, out, x + y)
    for x, y in itertools.product(layouts(m, n), layouts(m, n, writes=True)):
        expected = x + y + 1
        assert call("flat", x, y) == 0
        check("flat", f"{m}x{n} by {x.strides}, {y.strides}", y, expected)
for a, b, c, out in itertools.product(layouts(9, 7), layouts(7, 37), layouts(9, 37), layouts(9, 37, writes=True)):
    assert call("mm", a, b, c, out) == 0
    check("mm", "", out, a @ b + c)
for x, y, z, o in itertools.product(layouts(2, 3), layouts(2, 3), layouts(2, 3), layouts(2, 3, writes=True)):
    assert call("strided", x, y, z, o) == 0
    check("strided", f"{x.strides}, {y.strides}, {z.strides}, {o.strides}", o, x * y - z)
# Contiguous arrays go through the plain function.
x, y, z, o = (next(layouts(2, 3)) for _ in range(4))
assert plain("strided", x, y, z, o, 2, 3, 2, 2, 3) == 0
check("strided", "plain", o, x * y - z)

# Operands that disagree about a loop's extent are refused, and nothing is touched.
shapes = [(4,), (3,), (4, 3), (4, 3)]
for operand, dim in [(0, 0), (1, 0), (2, 0), (2, 1), (3, 0), (3, 1)]:
    wrong = [list(shape) for shape in shapes]
    wrong[operand][dim] += 1
    x, y, c, out = (random.standard_normal(shape).astype("f4") for shape in wrong)
    before = out.copy()
    assert call("outer", x, y, c, out) == SHAPE_MISMATCH, (operand, dim)
    assert np.array_equal(out, before)
    if operand < 3:  # the plain function takes no extents of results
        assert plain("outer", x, y, c, out, *x.shape, *y.shape, *c.shape) == SHAPE_MISMATCH
        assert np.array_equal(out, before)
x, y, c, out = (random.standard_normal(shape).astype("f4") for shape in shapes)
assert plain("outer", x, y, c, out, 4, 3, 4, 3) == 0
check("outer", "", out, np.outer(x, y) + c)
assert plain("outer", x, y, c, out, -1, 3, -1, 3) == SHAPE_MISMATCH
# An output that lies over an input, or over itself.
assert call("add", c, c, c) == OVERLAP
# One of loops and views does then what it says: it adds all rows to one.
expected = out[0] + c.sum(axis=0) + 4
assert call("flat", c, np.lib.stride_tricks.as_strided(out, (4, 3), (0, 4))) == 0
check("flat", "over itself", out[0], expected)
print("checked")
