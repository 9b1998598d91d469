#===- test_ml_dtypes.py - bf16 as ml_dtypes has it -----------------------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Arrays of ml_dtypes' bfloat16 go in and come out. What does not compute with them runs
with a type of that name and size, where there is no ml_dtypes."""
import os
import tempfile
import unittest

import numpy as np

import einc

try:
    import ml_dtypes
    bfloat16 = np.dtype(ml_dtypes.bfloat16)
except ImportError:
    ml_dtypes = None
    bfloat16 = np.dtype((type("bfloat16", (np.void,), {}), 2))

MM = "def mm(A: bf16(M, K), B: bf16(K, N)) -> (C: bf16(M, N)) { C(m, n) +=! A(m, k) * B(k, n) }"


def make(values):
    """Numbers that bf16 has, as an array of it."""
    return (np.asarray(values, "f4").view("u4") >> 16).astype("u2").view(bfloat16)


def read(array):
    return (array.view("u2").astype("u4") << 16).view("f4")


class AnyType(unittest.TestCase):
    def check(self, result, wanted):
        self.assertIs(type(result), np.ndarray)
        self.assertEqual(result.dtype, bfloat16)
        np.testing.assert_array_equal(read(result), np.asarray(wanted, "f4"))

    def setUp(self):
        self.a = np.arange(12, dtype="f4").reshape(3, 4)
        self.b = np.arange(8, dtype="f4").reshape(4, 2) - 3

    def test_programs(self):
        mm = einc.compile(MM)
        self.check(mm(make(self.a), make(self.b)), self.a @ self.b)
        # Where they are, whatever their strides, and into what is given.
        self.check(mm(make(self.a)[::-1], make(self.b.T.copy()).T), self.a[::-1] @ self.b)
        out = make(np.zeros((3, 2)))
        self.assertIs(mm(make(self.a), make(self.b), out=out), out)
        self.check(out, self.a @ self.b)
        # One array of the type does; without any, results are bits.
        bits = make(self.a).view("u2")
        self.check(mm(bits.view("V2"), make(self.b)), self.a @ self.b)
        self.check(mm(bits, make(self.b)), self.a @ self.b)
        self.assertEqual(mm(bits, make(self.b).view("u2")).dtype, np.uint16)
        with self.assertRaises(einc.EincError):
            einc.compile("def f(x: u16(N)) -> (y: u16(N)) { y(i) = x(i) }")(make([1]))

    def test_other_types_beside(self):
        f = einc.compile("def f(x: bf16(N), s: f32) -> (y: f32(N), z: bf16(N)) "
                         "{ y(i) = s * f32(x(i)) z(i) = -x(i) }")
        y, z = f(make([1, 2]), 0.5)
        self.assertEqual(y.dtype, np.float32)
        self.assertEqual(y.tolist(), [0.5, 1])
        self.check(z, [-1, -2])
        h = einc.compile("def h(x: f16(N)) -> (y: f16(N)) { y(i) = x(i) + x(i) }")
        self.assertEqual(h(np.ones(3, "f2")).dtype, np.float16)

    def test_einsum(self):
        a, b = make(self.a), make(self.b)
        for _ in range(2):  # what is known goes another way
            self.check(einc.einsum("ij,jk->ik", a, b), self.a @ self.b)
        out = make(np.zeros((2, 3)))
        self.assertIs(einc.einsum("ij,jk->ki", a, b, out=out), out)
        self.check(out, (self.a @ self.b).T)
        self.check(einc.transpose(a), self.a.T)
        with self.assertRaisesRegex(einc.EincError, "bf16 goes with bf16"):
            einc.einsum("ij,jk", a, self.b)

    def test_kernels_and_libraries(self):
        @einc.kernel
        def twice(x):
            """y(i, j) = x(i, j) + x(i, j)"""
        self.check(twice(make(self.a)), 2 * self.a)
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "libmm.so")
            with open(path, "wb") as file:
                file.write(einc.emit(MM, "shared"))
            mm = einc.load(path).mm
            self.check(mm(make(self.a), make(self.b)), self.a @ self.b)
            out = make(np.zeros((3, 2)))
            self.assertIs(mm(make(self.a), make(self.b), out=out), out)
            self.check(out, self.a @ self.b)


@unittest.skipIf(ml_dtypes is None, "ml_dtypes is missing")
class MlDtypes(unittest.TestCase):
    def test_numbers(self):
        f = einc.compile("def f(x: bf16(N), s: bf16) -> (y: bf16(N), t: bf16) "
                         "{ y(i) = s * x(i) t +=! x(i) }")
        x = np.arange(5).astype(bfloat16)
        y, t = f(x, ml_dtypes.bfloat16(1.5))
        np.testing.assert_array_equal(y, (np.arange(5) * 1.5).astype(bfloat16))
        self.assertIs(type(t), ml_dtypes.bfloat16)
        self.assertEqual(t, 10)
        g = einc.compile("def g(s: f32) -> (t: f32) { t = 2 * s }")
        self.assertEqual(g(ml_dtypes.bfloat16(1.5)), 3)

    def test_files(self):
        """What is saved is `<V2`, which numpy alone loads as two bytes."""
        x = np.arange(6).reshape(2, 3).astype(bfloat16)
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "x.npy")
            np.save(path, x)
            loaded = np.load(path)
        self.assertEqual(loaded.dtype, "V2")
        f = einc.compile("def f(x: bf16(M, N)) -> (y: bf16(N, M)) { y(i, j) = x(j, i) }")
        np.testing.assert_array_equal(f(loaded).view(bfloat16), x.T)


if __name__ == "__main__":
    unittest.main()
