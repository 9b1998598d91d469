#===- test_load.py - Shared libraries that einc made ---------------------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
import array
import os
import struct
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import einc

TEXT = """
def mm(A: f32(M, K), B: f32(K, N)) -> (C: f32(M, N)) {
  C(m, n) +=! A(m, k) * B(k, n)
}
def scale(s: f64, h: f16, k: i8, x: f64(N)) -> (y: f64(N), inout z: f64(N), t: f64) {
  y(i) = s * k * x(i)
  z(i) += h
  t +=! x(i)
}
def turn(w: c128, x: c128(N)) -> (y: c128(N)) { y(i) = w * x(i) }
def conv(I: f32(2*OH + KH - 2), W: f32(KH)) -> (O: f32(OH)) { O(h) +=! I(2*h + k) * W(k) }
def halves(A: f32(2*(M/2))) -> (s: f32) { s +=! A(2*m) where m in 0:M/2 }
def least(A: f32(N), B: f32(M)) -> (C) { C(i) = A(i + 1) * B(i + 2) }
def most(A: f32(min(N, 2*M))) -> (s: f32) { s +=! A(i) where i in 0:min(N, 2*M) }
def brain(b: bf16, x: bf16(N)) -> (y: f32(N)) { y(i) = b * x(i) }
def divide(x: i32(N), d: i32) -> (y: i32(N)) { y(i) = x(i) / d }
"""


class Load(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.path = os.path.join(cls.directory.name, "libkernels.so")
        with open(cls.path, "wb") as file:
            file.write(einc.emit(TEXT, "shared", name="kernels.ein"))
        cls.library = einc.load(cls.path)

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()

    def test_contents(self):
        self.assertEqual(self.library.functions,
                         ("mm", "scale", "turn", "conv", "halves", "least", "most", "brain",
                          "divide"))
        self.assertEqual(str(self.library.mm.signature),
                         "mm(A: f32(M, K), B: f32(K, N)) -> (C: f32(M, N))")
        self.assertIn("conv", repr(self.library))

    def test_arrays(self):
        A, B = np.random.rand(5, 7).astype("f4"), np.random.rand(7, 3).astype("f4")
        for a, b in [(A, B), (A[::-1, ::2], B[::2]), (A.T.copy().T, B[:, ::-1]), (A[:0], B)]:
            np.testing.assert_allclose(self.library.mm(a, b), a @ b, rtol=1e-5)
        out = np.zeros((3, 5), "f4").T
        self.assertIs(self.library.mm(B=B, A=A, out=out), out)
        np.testing.assert_allclose(out, A @ B, rtol=1e-5)
        np.testing.assert_allclose(self.library.mm(A.tolist(), B), A @ B, rtol=1e-5)
        big = A.astype(">f4")
        np.testing.assert_allclose(self.library.mm(big, B.astype(">f4")[::-1]), A @ B[::-1],
                                   rtol=1e-5)
        with self.assertRaisesRegex(einc.EincError, "not f32"):
            self.library.mm(A.astype(">f8"), B)
        with self.assertRaisesRegex(einc.EincError, "is >f4"):
            self.library.mm(A, B, out=np.zeros((5, 3), ">f4"))

    def test_scalars(self):
        x, z = np.arange(6.0)[::2], np.ones(6)[::-2]
        y, z2, t = self.library.scale(2, 0.5, -3, x, z)
        np.testing.assert_array_equal(y, -6 * x)
        np.testing.assert_array_equal(z, 1.5)
        self.assertIs(z2, z)
        self.assertEqual(t, 6)
        two = np.uint16(0x4000)
        for b, x in [(2, [1, 300]), (two, [1.0, 300]), (2.0, np.array([0x3f80, 0x4396], "u2")),
                     (two, array.array("H", [0x3f80, 0x4396]))]:
            np.testing.assert_array_equal(self.library.brain(b, x), [2, 600])
        v = np.array([1, 2j, 3, 4])[::2]
        np.testing.assert_array_equal(self.library.turn(1j, v), 1j * v)

    def test_compound_dims(self):
        np.testing.assert_array_equal(
            self.library.conv(np.arange(10, dtype="f4"), np.ones(4, "f4")), [6, 14, 22, 30])
        x = np.arange(1, 7, dtype="f4")
        self.assertEqual(self.library.halves(x, M=7), 9)
        with self.assertRaisesRegex(einc.EincError, "`M`"):
            self.library.halves(x)
        with self.assertRaises(einc.EincError):
            self.library.halves(x, M=9)
        np.testing.assert_array_equal(self.library.least(x, x), [6, 12, 20, 30])
        np.testing.assert_array_equal(self.library.least(x[:3], x), [6, 12])
        with self.assertRaises(einc.EincError):
            self.library.least(x, x[:1])
        self.assertEqual(self.library.most(x, N=6, M=4), 21)
        with self.assertRaisesRegex(einc.EincError, "`M`"):
            self.library.most(x, N=6)
        with self.assertRaises(einc.EincError):
            self.library.most(x, N=6, M=2)

    def test_wrong(self):
        A, B = np.ones((5, 7), "f4"), np.ones((7, 3), "f4")
        for error, call in [
                (einc.EincError, lambda: self.library.mm(A, A)),
                (einc.EincError, lambda: self.library.mm(A.astype("f8"), B)),
                (einc.EincError, lambda: self.library.mm(A[0], B)),
                (einc.EincError, lambda: self.library.mm(A[:3, :3], B[:3], out=A[:3, :3])),
                (einc.EincError, lambda: self.library.divide(np.ones(3, "i4"), 0)),
                (TypeError, lambda: self.library.mm(A)),
                (TypeError, lambda: self.library.mm(A, B, A)),
                (TypeError, lambda: self.library.mm(A, B, Q=1)),
                (TypeError, lambda: self.library.mm(A, B, A=A)),
                (AttributeError, lambda: self.library.nn),
                (einc.EincError, lambda: einc.load(__file__)),
                (OSError, lambda: einc.load("/none.so"))]:
            with self.assertRaises(error):
                call()

    def test_damaged_files(self):
        with open(self.path, "rb") as file:
            whole = file.read()
        start, = struct.unpack_from("<Q", whole, 40)

        def patch(offset, value):
            return whole[:offset] + value + whole[offset + len(value):]
        at = whole.index(b'{"')
        renamed = whole.replace(b'"name":"halves"', b'"name":"holves"')
        text = "def f(A: f32(N)) -> (B: f32(N)) { B(i) = A(i) }"
        cases = {
            "empty": b"", "magic": whole[:5], "head": whole[:64], "short": whole[:start],
            "half": whole[:len(whole) // 2], "less": whole[:-1],
            "far": patch(40, b"\xff" * 8), "near": patch(40, struct.pack("<Q", 3)),
            "small": patch(58, b"\1\0"), "names": patch(62, b"\xff\xff"),
            "none": patch(60, b"\0\0"), "order": patch(5, b"\2"),
            "kind": patch(16, b"\7\0"), "machine": patch(18, b"\xff\0"),
            "json": patch(at, b"{{"), "text": patch(at + 2, b"\xff"), "renamed": renamed,
            "object": einc.emit(text, "obj"), "executable": einc.emit(text, "exe")}
        for name, data in cases.items():
            path = os.path.join(self.directory.name, f"lib{name}.so")
            with open(path, "wb") as file:
                file.write(data)
            with self.subTest(name), self.assertRaisesRegex(einc.EincError, f"lib{name}.so: "):
                einc.load(path)

    def test_needs_no_compiler(self):
        code = ("import einc, numpy, sys\n"
                "k = einc.load(sys.argv[1])\n"
                "print(k.mm(numpy.ones((2, 3), 'f4'), numpy.ones((3, 1), 'f4'))[1, 0])\n")
        run = subprocess.run([sys.executable, "-c", code, self.path], capture_output=True,
                             text=True, env={**os.environ, "EINC_LIBRARY": "/none.so"})
        self.assertEqual((run.stdout, run.stderr), ("3.0\n", ""))


if __name__ == "__main__":
    unittest.main()
