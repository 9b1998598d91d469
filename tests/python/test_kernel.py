#===- test_kernel.py - @einc.kernel --------------------------------------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
import unittest

import numpy as np

import einc

A, B = np.random.rand(3, 4), np.random.rand(4, 5)


@einc.kernel
def untyped(A, B):
    """C(m, n) +=! A(m, k) * B(k, n)"""


@einc.kernel
def annotated(A: "f32(M, K)", s: "f64") -> "C: f64(M), top: f32":
    """
    C(m) +=! s * A(m, k)
    top max=! A(m, k)
    """


@einc.kernel(bind={"K": 4}, O=1)
def whole(A, B):
    """def mm(A: f64(M, K), B: f64(K, N)) -> (C: f64(M, N)) {
      C(m, n) +=! A(m, k) * B(k, n)
    }"""


class Kernel(unittest.TestCase):
    def test_types_of_the_first_array(self):
        np.testing.assert_allclose(untyped(A, B), A @ B)
        np.testing.assert_allclose(untyped(B=B, A=A), A @ B)
        a, b = A.astype("f4"), B.astype("f4")
        self.assertEqual(untyped(a, b).dtype, np.float32)
        # Results, too, as those of einsum: sums of 32 bits are rounded, or wrap, at the end.
        for kind in ("f2", "i1", "u1", "i2"):
            small = np.full((2, 2), 100, kind)
            result = untyped(small, small)
            self.assertEqual(result.dtype, small.dtype)
            np.testing.assert_array_equal(result, np.einsum("ij,jk", small, small))
        self.assertEqual(untyped(np.ones((1, 5000), "f2"), np.ones((5000, 1), "f2")), 5000)
        with self.assertRaises(einc.EincError):
            untyped(a, B)
        with self.assertRaisesRegex(einc.EincError, "no type"):
            untyped(A.astype("g"), B)

    def test_byte_order(self):
        np.testing.assert_allclose(untyped(A.astype(">f8"), B.astype(">f8")), A @ B)
        np.testing.assert_allclose(untyped(A, B.astype(">f8")), A @ B)
        a = A.astype("f4")
        np.testing.assert_array_equal(annotated(a.astype(">f4"), 2)[0], annotated(a, 2)[0])
        self.assertIs(untyped.compiled(A.astype(">f8"), B), untyped.compiled(A, B))

    def test_annotations(self):
        value, top = annotated(A.astype("f4"), 2)
        np.testing.assert_allclose(value, 2 * A.sum(1), rtol=1e-5)
        self.assertAlmostEqual(top, A.max(), 5)
        out = np.empty(3)
        self.assertIs(annotated(A.astype("f4"), 2, out=(out, None))[0], out)

    def test_narrow_types(self):
        @einc.kernel(bind={"J": 3})
        def places(x):
            """y(i) = x(i, j) * 2.0 where j in 0:1
            total +=! x(i, j)
            best max=! x(i, j)"""
        x = np.arange(6).reshape(2, 3).astype("f2")
        y, total, best = places(x)
        self.assertEqual((y.dtype, total.dtype, best.dtype), (x.dtype,) * 3)
        self.assertEqual(total, 15)

    def test_defaults(self):
        @einc.kernel
        def scaled(A, s=2):
            """C(i) = s * A(i)"""
        self.assertEqual(scaled(np.ones(2)).tolist(), [2, 2])
        self.assertEqual(scaled(np.ones(2), 3).tolist(), [3, 3])
        self.assertEqual(scaled(A=np.ones(2), s=4).tolist(), [4, 4])
        with self.assertRaises(TypeError):
            scaled(s=4)

    def test_parameters_that_no_program_has(self):
        with self.assertRaisesRegex(TypeError, "`out` is where calls put results"):
            @einc.kernel
            def first(out):
                """C(i) = out(i)"""
        with self.assertRaisesRegex(TypeError, r"`\*arrays` is no parameter"):
            @einc.kernel
            def second(*arrays):
                """C(i) = A(i)"""

    def test_defs(self):
        np.testing.assert_allclose(whole(A, B), A @ B)
        self.assertEqual(whole.compiled(A, B).signature.sizes, ("M", "N"))
        self.assertEqual(whole.__name__, "whole")

    def test_wrong(self):
        with self.assertRaises(TypeError):
            untyped(A)
        with self.assertRaisesRegex(TypeError, "no docstring"):
            einc.kernel(lambda A: None)

        @einc.kernel
        def broken(A):
            "C(i) = exp(A(i, j))"
        with self.assertRaisesRegex(einc.EincError, "only on the right"):
            broken(A)
        with self.assertRaisesRegex(TypeError, "is not annotated"):
            @einc.kernel
            def half(A: "f32(M)", B) -> "C: f32(M)":
                "C(i) = A(i) * B(i)"


if __name__ == "__main__":
    unittest.main()
