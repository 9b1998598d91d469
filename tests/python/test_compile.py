#===- test_compile.py - Programs compiled and called from Python ---------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
import os
import platform
import subprocess
import sys
import threading
import unittest

import numpy as np

import einc

MATMUL = """def mm(A: f32(M, K), B: f32(K, N)) -> (C: f32(M, N)) {
  C(m, n) +=! A(m, k) * B(k, n)
}
"""
MANY = """def many(s: f64, x: f64(N), k: i32) -> (y: f64(N), total: f64, inout z: f64(N)) {
  y(i) = s * x(i)
  total +=! x(i)
  z(i) += k
}
"""
rng = np.random.default_rng(1)


class Calls(unittest.TestCase):
    def setUp(self):
        self.mm = einc.compile(MATMUL)
        self.A = rng.random((5, 7), dtype="f4")
        self.B = rng.random((7, 3), dtype="f4")

    def test_by_place_and_name(self):
        wanted = self.A @ self.B
        for value in (self.mm(self.A, self.B), self.mm(self.A, B=self.B),
                      self.mm(B=self.B, A=self.A)):
            self.assertEqual(value.dtype, np.float32)
            np.testing.assert_allclose(value, wanted, rtol=1e-5)

    def test_out(self):
        out = np.empty((5, 3), "f4")
        self.assertIs(self.mm(self.A, self.B, out=out), out)
        np.testing.assert_allclose(out, self.A @ self.B, rtol=1e-5)
        part = np.zeros((10, 9), "f4")
        self.mm(self.A, self.B, out=part[::2, ::3])
        np.testing.assert_allclose(part[::2, ::3], out, rtol=1e-6)
        self.assertEqual(np.count_nonzero(part), 15)
        self.assertIs(self.mm(self.A, self.B, C=out), out)
        self.assertIs(self.mm(self.A, self.B, out=(out,)), out)

    def test_many_results(self):
        f = einc.compile(MANY)
        x, z = np.arange(4.0), np.ones(4)
        y, total, z2 = f(2, x, 3, z)
        self.assertIs(z2, z)
        np.testing.assert_array_equal(y, 2 * x)
        np.testing.assert_array_equal(z, 4)
        self.assertEqual(total, 6)
        self.assertIsInstance(total, np.float64)
        y2 = np.empty(4)
        self.assertIs(f(2, x, 3, z, out=(y2, None))[0], y2)
        self.assertIs(f(2, x, k=3, z=z, y=y2)[0], y2)

    def test_sizes_that_no_array_says(self):
        f = einc.compile("def f(A: f32(2*(M/2))) -> (s: f32) { s +=! A(2*m) where m in 0:M/2 }")
        x = np.arange(1, 7, dtype="f4")
        self.assertEqual(f(x, M=7), 9)
        with self.assertRaisesRegex(einc.EincError, "`M`"):
            f(x)
        with self.assertRaises(einc.EincError):
            f(x, M=9)

    def test_wrong_calls(self):
        for error, message, call in [
                (TypeError, "is not given 'B'", lambda: self.mm(self.A)),
                (TypeError, "takes 2 arrays, not 3", lambda: self.mm(self.A, self.B, self.A)),
                (TypeError, "'A' twice", lambda: self.mm(self.A, self.B, A=self.A)),
                (TypeError, "neither an argument nor a size 'Q'",
                 lambda: self.mm(self.A, self.B, Q=3)),
                (TypeError, "1 outputs, `out` 2",
                 lambda: self.mm(self.A, self.B, out=(None, None))),
                (TypeError, "cannot be written", lambda: self.mm(self.A, self.B, out=[1])),
                (einc.EincError, "`A` is f64, not f32",
                 lambda: self.mm(self.A.astype("f8"), self.B)),
                (einc.EincError, "has rank 1", lambda: self.mm(self.A[0], self.B)),
                (einc.EincError, "`B` has shape 5x7, .* must be `K` = 7",
                 lambda: self.mm(self.A, self.A)),
                (einc.EincError, "overlaps",
                 lambda: self.mm(self.A[:3, :3], self.B[:3], out=self.A[:3, :3]))]:
            with self.assertRaisesRegex(error, message):
                call()
        frozen = np.empty((5, 3), "f4")
        frozen.flags.writeable = False
        with self.assertRaisesRegex(TypeError, "cannot be written"):
            self.mm(self.A, self.B, out=frozen)

    def test_threads(self):
        wanted = self.A @ self.B
        failures = []

        def work(number):
            try:
                own = einc.compile(f"def f(x: f32(N)) -> (y: f32(N)) {{ y(i) = {number}*x(i) }}")
                for _ in range(50):
                    np.testing.assert_allclose(self.mm(self.A, self.B), wanted, rtol=1e-5)
                    np.testing.assert_array_equal(own(self.A[0]), self.A[0] * np.float32(number))
            except BaseException as error:
                failures.append(error)
        threads = [threading.Thread(target=work, args=(n,)) for n in range(1, 5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    def test_others_run_meanwhile(self):
        # A call of a second; the other thread counts.
        f = einc.compile("def f(x: f64(N)) -> (y: f64) { y +=! sin(x(i)) * cos(x(j)) }",
                         O=0)
        x = np.ones(3000)
        done, count = threading.Event(), 0

        def work():
            try:
                f(x)
            finally:
                done.set()
        thread = threading.Thread(target=work)
        thread.start()
        while not done.is_set():
            count += 1
        thread.join()
        self.assertGreater(count, 100)

    def test_references(self):
        before = sys.getrefcount(self.A)
        out = np.empty((5, 3), "f4")
        for _ in range(10):
            self.mm(self.A, self.B, out=out)
            with self.assertRaises(einc.EincError):
                self.mm(self.A, self.A)
        self.assertEqual(sys.getrefcount(self.A), before)
        self.assertEqual(sys.getrefcount(out), 2)
        self.assertEqual(sys.getrefcount(self.mm(self.A, self.B)), 1)


class Descriptions(unittest.TestCase):
    def test_signature(self):
        f = einc.compile(MANY)
        s = f.signature
        self.assertEqual(str(s), "many(s: f64, x: f64(N), k: i32) -> "
                                 "(y: f64(N), total: f64, inout z: f64(N))")
        self.assertEqual([a.name for a in s.inputs], ["s", "x", "k"])
        self.assertEqual([a.role for a in s.outputs], ["output", "output", "inout"])
        self.assertEqual(s.sizes, ("N",))
        self.assertEqual(s.arguments[1].dims, ("N",))
        self.assertEqual(f.__name__, "many")
        self.assertIn("many", repr(f))

    def test_options(self):
        f = einc.compile(MATMUL, bind={"K": 7, "N": 3}, O=1, strict_fp=True,
                         options=["--no-checks"])
        self.assertEqual(f.signature.sizes, ("M",))
        self.assertEqual(einc.compile("ij,j->i", dtype="f64").signature.inputs[0].type, "f64")
        two = MATMUL + MANY
        self.assertEqual(einc.compile(two).__name__, "many")
        self.assertEqual(einc.compile(two, entry="mm").__name__, "mm")
        with self.assertRaisesRegex(einc.EincError, "there is no def `nn`"):
            einc.compile(two, entry="nn")

    def test_emit_and_explain(self):
        f = einc.compile(MATMUL, bind={"M": 4, "K": 4, "N": 4})
        self.assertIn("mm:", f.emit("asm"))
        self.assertEqual(f.emit("obj")[:4], b"\x7fELF")
        self.assertIn("linalg", einc.emit(MATMUL, "linalg"))
        self.assertIn("p_mm", f.emit("header", prefix="p_"))
        self.assertEqual(f.explain()["defs"][0]["operations"], 128)
        self.assertEqual(einc.explain(MATMUL)["defs"][0]["def"], "mm")

    def test_errors(self):
        with self.assertRaises(einc.EincError) as caught:
            einc.compile("def f(A: f32(M)) -> (r: f32) {\n  r = exp(A(i))\n}\n", name="f.ein")
        self.assertIn("f.ein:2:13: error: index `i`", str(caught.exception))
        self.assertIn("^", str(caught.exception))
        [error] = caught.exception.diagnostics
        self.assertEqual((error.severity, error.id, error.file, error.place, error.end),
                         ("error", "SumWithoutReduction", "f.ein", (2, 13), (2, 14)))
        self.assertEqual(error.fixits, (((2, 5), (2, 6), "+=!"),))
        self.assertEqual(error.notes[0].severity, "note")
        with self.assertRaisesRegex(einc.EincError, "did you mean `--bind`?"):
            einc.compile(MATMUL, bnd={"K": 3})
        with self.assertRaises(TypeError):
            einc.compile(b"ij->i")
        with self.assertRaises(ValueError):
            einc.compile("ij->i", form="fortran")

    def test_warnings(self):
        f = einc.compile("def f(x: f32(N)) -> (y: f32(N)) { y(i) += x(i) }")
        self.assertEqual(f.diagnostics[0].severity, "warning")
        self.assertEqual(einc.compile(MATMUL).diagnostics, ())

    def test_nothing_is_printed(self):
        code = ("import einc\n"
                "try: einc.compile('def (')\n"
                "except einc.EincError: pass\n"
                "einc.compile('ij,jk->ik')\n")
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True,
                             env=os.environ)
        self.assertEqual((run.stdout, run.stderr), (b"", b""))

    def test_version(self):
        self.assertEqual(einc.version()[0], einc.__version__)
        self.assertTrue(einc.version()[1].startswith("22."))
        self.assertTrue(einc.library_path().endswith("libeinc.so.1"))
        with self.assertRaises(AttributeError):
            einc.nothing

    def test_no_library(self):
        code = ("import einc\n"
                "try: einc.einsum('ij,j->i', [[1.0]], [1.0])\n"
                "except ImportError as error: print(error)\n")
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True,
                             text=True, env={**os.environ, "EINC_LIBRARY": "/none.so"})
        self.assertIn("/none.so: there is no such file", run.stdout)


class Refusals(unittest.TestCase):
    @unittest.skipUnless(platform.machine() == "x86_64", "the CPUs are of x86-64")
    def test_other_machines(self):
        """Code that this machine does not run is an error, not a signal."""
        refused = 0
        for options in ({"features": "+amx-fp16"}, {"cpu": "knl"}, {"cpu": "bdver4"}):
            try:
                einc.compile("y(i) = 2 * x(i)", **options)(np.ones(9, "f4"))
            except einc.EincError as error:
                self.assertRegex(str(error), "this machine has no `.*`, which the code may use")
                refused += 1
        self.assertGreaterEqual(refused, 1)

    def test_no_kind(self):
        with self.assertRaisesRegex(einc.EincError, "there is no kind"):
            einc.emit("ij->i", "")

    def test_only_private_defs(self):
        """As `einc run` has it, one is run."""
        f = einc.compile("private def f(x: f32(N)) -> (y: f32(N)) { y(i) = 2 * x(i) }")
        self.assertEqual(f(np.ones(2, "f4")).tolist(), [2, 2])

    def test_exit(self):
        """A daemon thread that compiles does not outlive what it uses."""
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "exit.py")
        for number in range(6):
            run = subprocess.run([sys.executable, script, str(0.01 + 0.03 * number)],
                                 capture_output=True, text=True)
            self.assertEqual((run.returncode, run.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
