"""Compares a few einsums of `einc run` with numpy's, for tests/e2e/types.test."""
import subprocess
import numpy as np

random = np.random.default_rng(5)


def run(text, arrays, *flags):
    names = []
    for i, array in enumerate(arrays):
        names.append(f"in{i}.npy")
        np.save(names[-1], array)
    subprocess.run(["einc", "run", *flags, "-e", text, *names, "-o", "out.npy"], check=True)
    return np.load("out.npy")


for name in ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]:
    info = np.iinfo(name)
    shapes = (19, 23), (23, 33)
    a, b = [random.integers(info.min, info.max, s, name, endpoint=True) for s in shapes]
    wide = np.dtype(name)
    if wide.itemsize < 4:
        wide = np.dtype(name[: name.index("t") + 1] + "32")
    want = np.einsum("mk,kn->mn", a.astype(wide), b.astype(wide))
    got = run("mk,kn->mn", [a, b])
    assert got.dtype == wide and (got == want).all(), name
    order = np.asfortranarray(a.astype(a.dtype.newbyteorder()))
    assert (run("mk->km", [order]) == a.T).all(), name

a, b = random.random((19, 23)) < 0.2, random.random((23, 33)) < 0.2
got = run("mk,kn->mn", [a, b])
assert got.dtype == bool and (got == np.einsum("mk,kn->mn", a, b)).all()

a, b = [random.standard_normal(s).astype("f2") for s in ((19, 23), (23, 33))]
got = run("mk,kn->mn", [a, b])
assert got.dtype == "f4" and np.abs(got - a.astype("f8") @ b.astype("f8")).max() < 1e-4
text = "def f(A: f64(N)) -> (B: f16(N)) { B(i) = f16(A(i)) }"
x = np.array([0, -0.0, 1e-8, 6e-5, 1 / 3, 65519, 65520, -1e9, np.inf, np.nan])
np.testing.assert_array_equal(run(text, [x]), x.astype("f4").astype("f2"))

# bf16 is a two-byte void, or uint16 where bf16 is asked for.
x = np.array([1.0, -2.5, 3.0], "f4")
bits = (x.view("u4") >> 16).astype("u2")
text = "def f(A: bf16(N)) -> (B: f32(N)) { B(i) = A(i) }"
assert (run(text, [bits]) == x).all() and (run(text, [bits.view("V2")]) == x).all()
assert (run("i->i", [bits], "--dtype", "bf16") == x).all()
text = "def f(A: f32(N)) -> (B: bf16(N)) { B(i) = A(i) }"
got = run(text, [x])
assert got.dtype == "V2" and (got.view("u2") == bits).all()
