"""Compares complex einsums of `einc run` with numpy's, for tests/e2e/complex.test."""
import subprocess
import numpy as np

random = np.random.default_rng(5)


def draw(dtype, *shape):
    parts = random.standard_normal((2, *shape))
    values = parts[0] + 1j * parts[1] if np.dtype(dtype).kind == "c" else parts[0]
    return values.astype(dtype)


def run(text, arrays, *flags):
    names = []
    for i, array in enumerate(arrays):
        names.append(f"in{i}.npy")
        np.save(names[-1], array)
    subprocess.run(["einc", "run", *flags, "-e", text, *names, "-o", "out.npy"], check=True)
    return np.load("out.npy")


def compare(got, want, dtype, scale=1.0):
    tolerance = (1e-5 if dtype == "c8" else 1e-13) * scale
    assert got.dtype == np.dtype(dtype) and got.shape == want.shape, (got.dtype, got.shape)
    assert got.size == 0 or np.abs(got - want).max() <= tolerance, np.abs(got - want).max()


def check(text, arrays, dtype, *flags):
    want = np.einsum(text, *[a.astype("c16") for a in arrays])
    scale = np.einsum(text, *[np.abs(a).astype("f8") for a in arrays])
    compare(run(text, arrays, *flags), want, dtype, max(1.0, np.max(scale, initial=0.0)))


for dtype in "c8", "c16":
    for m, k, n in (1, 1, 1), (0, 3, 2), (2, 0, 3), (19, 23, 33), (64, 65, 63):
        check("mk,kn->mn", [draw(dtype, m, k), draw(dtype, k, n)], dtype)
    a, b = draw(dtype, 3, 7, 5), draw(dtype, 3, 5, 11)
    for flags in ["-O3"], ["-O0"], ["--parallel"]:
        check("bij,bjk->bik", [a, b], dtype, *flags)
    s, v = draw(dtype, 13, 13), draw(dtype, 13)
    check("ii->i", [s], dtype)
    check("ii->", [s], dtype)
    check("ij->ji", [s], dtype)
    check("i,j->ij", [v, v], dtype)
    check("ij,j->i", [s, v], dtype)
    check("i,i->", [v, v], dtype)
    check("ij,jk,kl->il", [s, s, s], dtype)
    real = draw("f4", 13, 13)
    check("ij,jk->ik", [s, np.asfortranarray(s.astype(s.dtype.newbyteorder()))], dtype)
    name = {"c8": "c64", "c16": "c128"}[dtype]
    # Operands of a bare einsum string are of one type.
    text = f'def f(A: f32(M, K), B: {name}(K, N)) -> (C: {name}(M, N)) {{ C = einsum("mk,kn->mn", A, B) }}'
    compare(run(text, [real, s]), real.astype("f8") @ s.astype("c16"), dtype, 100)
    text = f"def f(A: {name}(K, M), B: {name}(K, N)) -> (C: {name}(M, N)) {{ C(m, n) +=! conj(A(k, m)) * B(k, n) }}"
    compare(run(text, [s, a[0][:, :5].repeat(2, 0)[:13]]), s.conj().T @ a[0][:, :5].repeat(2, 0)[:13], dtype, 100)
    text = f"def f(A: {name}(N), B: {name}(N)) -> (C: {name}(N)) {{ C(i) = A(i) / B(i) - conj(A(i)) * B(i) }}"
    x, y = draw(dtype, 50), draw(dtype, 50) + 3
    compare(run(text, [x, y]), x.astype("c16") / y - x.conj() * y, dtype, 20)
    text = f"def f(A: {name}(N)) -> (p: {name}) {{ p *=! A(i) }}"
    compare(run(text, [x[:9]]), np.prod(x[:9].astype("c16")), dtype, 20)
    part = "f4" if dtype == "c8" else "f8"
    text = f"def f(A: {name}(N)) -> (B: {'f32' if part == 'f4' else 'f64'}(N)) {{ B(i) = abs(A(i)) + re(A(i)) - im(A(i)) }}"
    got = run(text, [x])
    assert got.dtype == part and np.allclose(got, np.abs(x) + x.real - x.imag, rtol=1e-5 if part == "f4" else 1e-13)
# Infinities are what the parts make of them.
x, y = np.array([1 + 1j, 2], "c8"), np.array([complex(np.inf, 0), complex(1, np.nan)], "c8")
got = run("def f(A: c64(N), B: c64(N)) -> (C: c64(N)) { C(i) = A(i) + B(i) }", [x, y])
np.testing.assert_array_equal(got, x + y)
assert np.abs(run("def f(A: c64(N)) -> (B: f32(N)) { B(i) = abs(A(i)) }", [np.array([0, 3e38 + 1j, 1e-45], "c8")])
              - np.array([0, 3e38, 1e-45], "f4")).max() < 1e32
