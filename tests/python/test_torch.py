#===- test_torch.py - What came in goes out ------------------------------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
import array
import os
import subprocess
import sys
import tempfile
import types
import unittest

import numpy as np

import einc

try:
    import torch
except ImportError:
    torch = None

MM = "def mm(A: f32(M, K), B: f32(K, N)) -> (C: f32(M, N)) { C(m, n) +=! A(m, k) * B(k, n) }"


class Tensor:
    """An array of a package that is no numpy and no torch: DLPack alone."""

    def __init__(self, values):
        self.values = values

    def __dlpack__(self, stream=None):
        return self.values.__dlpack__()

    def __dlpack_device__(self):
        return 1, 0


package = types.ModuleType("tensors")
package.from_dlpack = lambda x: Tensor(np.from_dlpack(x))
sys.modules["tensors"] = package
Tensor.__module__ = "tensors.core"


class AnyPackage(unittest.TestCase):
    def test_results(self):
        x = Tensor(np.arange(6.0).reshape(2, 3))
        for result in (einc.einsum("ij,kj->ik", x, x), einc.einsum("ij,kj->ik", x, x)):
            self.assertIs(type(result), Tensor)
            np.testing.assert_array_equal(result.values, x.values @ x.values.T)
        self.assertIs(type(einc.einsum("ij->", x)), Tensor)
        self.assertIs(type(einc.transpose(x)), Tensor)
        self.assertIs(type(einc.tensordot(x.values, x.values.T, 1)), np.ndarray)

    def test_first_array_decides(self):
        x, y = Tensor(np.ones((2, 2), "f4")), np.ones((2, 2), "f4")
        f = einc.compile(MM)
        for _ in range(2):  # what is known goes another way
            self.assertIs(type(einc.einsum("ij,jk", x, y)), Tensor)
            self.assertIs(type(einc.einsum("ij,jk", y, x)), np.ndarray)
        self.assertIs(type(f(x, y)), Tensor)
        self.assertIs(type(f(y, x)), np.ndarray)
        self.assertIs(type(f(B=y, A=x)), Tensor)
        self.assertIs(type(f([[1, 2]], x)), Tensor)
        self.assertIs(type(f(memoryview(y), x)), np.ndarray)
        scaled = einc.compile("def f(s: f32, x: f32(N)) -> (y: f32(N)) { y(i) = s * x(i) }")
        for s in (2, 2.5, np.float32(2)):
            self.assertIs(type(scaled(s, Tensor(np.ones(3, "f4")))), Tensor)
        self.assertIs(type(scaled(2, array.array("f", [1]))), np.ndarray)

    def test_several_results(self):
        f = einc.compile("def f(x: f32(N)) -> (s: f32, y: f32(N), inout z: f32(N)) "
                         "{ s +=! x(i) y(i) = x(i) z(i) += x(i) }")
        x, z = Tensor(np.ones(3, "f4")), np.zeros(3, "f4")
        s, y, back = f(x, z)
        self.assertIs(type(s), Tensor)
        self.assertEqual(s.values, 3)
        self.assertIs(type(y), Tensor)
        self.assertIs(back, z)
        out = np.zeros(3, "f4")
        self.assertIs(f(x, z, y=out)[1], out)

    def test_package_without(self):
        class Other(Tensor):
            pass
        self.assertIs(type(einc.einsum("i->", Other(np.ones(2)))), Tensor)  # what it extends
        Plain = type("Plain", (), dict(vars(Tensor), __module__="einc_unknown"))
        self.assertIs(type(einc.einsum("i,i->i", Plain(np.ones(2)), np.ones(2))), np.ndarray)

    def test_namespace(self):
        class Standard(Tensor):
            def __array_namespace__(self):
                return types.SimpleNamespace(from_dlpack=lambda x: ("standard", x))
        self.assertEqual(einc.einsum("i->", Standard(np.ones(2)))[0], "standard")

    def test_refused_type(self):
        """A package without a type leaves numpy's."""
        def refuse(x):
            raise TypeError("no such type")
        package.from_dlpack, kept = refuse, package.from_dlpack
        try:
            class Poor(Tensor):
                pass
            self.assertIs(type(einc.einsum("i,i->i", Poor(np.ones(2)), Poor(np.ones(2)))),
                          np.ndarray)
        finally:
            package.from_dlpack = kept

    def test_memory(self):
        """What is handed over lives as long as who has it, and is freed with it."""
        x = Tensor(np.ones(1000))
        values = einc.einsum("i,i->i", x, x).values
        del x
        self.assertEqual(values.sum(), 1000)
        memory = einc._einc.Memory(np.arange(4.0)[::-2], -1, False)
        count = sys.getrefcount(memory)
        capsule = memory.__dlpack__()
        self.assertEqual(sys.getrefcount(memory), count + 1)
        del capsule  # nobody took it
        self.assertEqual(sys.getrefcount(memory), count)
        np.testing.assert_array_equal(np.asarray(memory), [3, 1])
        with self.assertRaises((BufferError, TypeError)):
            memoryview(memory).cast("B")[0] = 1
        with self.assertRaises(TypeError):
            einc._einc.Memory([1, 2])

    def test_torch_is_not_imported(self):
        text = ("import einc, numpy, sys; einc.einsum('i->', numpy.ones(2)); "
                "sys.exit('torch' in sys.modules)")
        self.assertEqual(subprocess.run([sys.executable, "-c", text]).returncode, 0)


@unittest.skipIf(torch is None, "torch is missing")
class Torch(unittest.TestCase):
    def check(self, result, wanted):
        self.assertIs(type(result), torch.Tensor)
        self.assertEqual(result.dtype, wanted.dtype)
        torch.testing.assert_close(result, wanted, rtol=1e-2, atol=1e-2)

    def test_every_type(self):
        for kind in (torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.int8,
                     torch.int16, torch.int32, torch.int64, torch.uint8, torch.complex64,
                     torch.complex128):
            with self.subTest(kind):
                x = (torch.rand(4, 6) * 3).to(kind)[:, ::2]
                wide = torch.einsum("ij,kj->ik", *[x.to(
                    torch.complex128 if kind.is_complex else torch.float64)] * 2).to(kind)
                for _ in range(2):
                    self.check(einc.einsum("ij,kj->ik", x, x), wide)
                self.check(einc.einsum("ij->ji", x), x.T)
                self.check(einc.transpose(x), x.T)
        # DLPack has had no name for it for long.
        ones = torch.ones(3, dtype=torch.bool)
        for result in (einc.einsum("i->", ones), einc.einsum("i->", ones)):
            self.assertIs(type(result), torch.Tensor)
            self.assertTrue(result)
        f = einc.compile("def f(x: bool(N)) -> (y: bool(N)) { y(i) = !x(i) }")
        self.assertEqual(f(ones).tolist(), [False] * 3)
        self.assertIs(type(f(ones)), torch.Tensor)

    def test_views(self):
        x = torch.rand(5, 5)
        diagonal = einc.einsum("ii->i", x)
        self.check(diagonal, x.diagonal())
        self.assertEqual(diagonal.data_ptr(), x.data_ptr())
        self.check(einc.einsum("ij,j->i", x.flip(1), torch.ones(5)), x.sum(1))
        self.check(einc.einsum("ij,j", x[:, :1].expand(5, 5), x[0]), x[:, 0] * x[0].sum())
        self.check(einc.einsum(",", torch.tensor(2.0), torch.tensor(3.0)), torch.tensor(6.0))

    def test_kernels(self):
        a, b = torch.rand(3, 4), torch.rand(4, 5)
        f = einc.compile(MM)
        self.check(f(a, b), a @ b)
        out = torch.zeros(5, 3).T
        self.assertIs(f(a, b, out=out), out)
        self.check(out, a @ b)

        @einc.kernel
        def twice(x):
            """y(i, j) = x(i, j) + x(i, j)"""
        self.check(twice(a), a + a)
        self.check(twice(a.double()), a.double() + a.double())
        self.check(twice(a.to(torch.bfloat16)), (a + a).to(torch.bfloat16))
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "libmm.so")
            with open(path, "wb") as file:
                file.write(einc.emit(MM, "shared"))
            mm = einc.load(path).mm
            self.check(mm(a, b), a @ b)
            self.assertIs(mm(a, b, out=out), out)
            self.assertIs(type(mm(a.numpy(), b)), np.ndarray)
            with self.assertRaisesRegex(einc.EincError, "detach"):
                mm(a.requires_grad_(), b)

    def test_bf16_programs(self):
        f = einc.compile("def f(A: bf16(M, K), B: bf16(K, N)) -> (C: bf16(M, N), s: bf16) "
                         "{ C(m, n) +=! A(m, k) * B(k, n) s max=! A(m, k) }")
        a = torch.arange(35).reshape(5, 7).to(torch.bfloat16)
        c, s = f(a, a.T)
        self.check(c, (a.float() @ a.float().T).to(torch.bfloat16))
        self.check(s, torch.tensor(34).to(torch.bfloat16))
        with self.assertRaisesRegex(einc.EincError, "bf16 goes with bf16"):
            einc.einsum("ij,ij", a, a.float())
        with self.assertRaises(ValueError):
            einc.einsum("ij,jk", a, a)
        out = torch.zeros(5, 5, dtype=torch.bfloat16)
        self.assertIs(einc.einsum("ij,kj->ik", a, a, out=out), out)
        self.check(out, c)

    def test_out(self):
        a = torch.rand(3, 4)
        out = torch.zeros(3)
        for _ in range(2):
            self.assertIs(einc.einsum("ij->i", a, out=out), out)
            self.check(out, a.sum(1))
        wide = torch.zeros(3, dtype=torch.float64)
        self.assertIs(einc.einsum("ij->i", a, out=wide), wide)
        self.check(wide, a.sum(1).double())
        array = np.zeros(3, "f4")
        self.assertIs(einc.einsum("ij->i", a, out=array), array)
        with self.assertRaises(ValueError):
            einc.einsum("ij->i", a, out=torch.zeros(4))

    def test_types_that_torch_lacks(self):
        f = einc.compile("def f(x: f32(N)) -> (y: u32(N)) { y(i) = u32(x(i)) }")
        self.assertIs(type(f(torch.ones(2))), np.ndarray)

    def test_what_is_no_memory(self):
        f = einc.compile("def f(x: c64(N)) -> (y: c64(N)) { y(i) = x(i) }")
        g = einc.compile("def f(x: f32(N)) -> (y: f32(N)) { y(i) = x(i) }")
        z = torch.view_as_complex(torch.rand(3, 2))
        with self.assertRaisesRegex(einc.EincError, "resolve_conj"):
            f(z.conj())
        with self.assertRaisesRegex(einc.EincError, "resolve_conj"):
            einc.einsum("i->", z.conj())
        with self.assertRaisesRegex(einc.EincError, "resolve_neg"):
            g(z.conj().imag)
        self.check(f(z.conj().resolve_conj()), z.conj().resolve_conj())
        x = torch.rand(3, requires_grad=True)
        for call in (lambda: g(x), lambda: einc.einsum("i->", x)):
            with self.assertRaisesRegex(einc.EincError, "requires a gradient.*detach"):
                call()
        self.check(g(x.detach()), x.detach())

    def test_opt_einsum(self):
        try:
            import opt_einsum
        except ImportError:
            self.skipTest("opt_einsum is missing")
        a, b, c = torch.rand(3, 4, 5), torch.rand(5, 4, 2), torch.rand(2, 3)
        for text in ("abc,cbd,da->", "abc,cbd,da->ac", "abc,cbd,da->dca"):
            self.check(opt_einsum.contract(text, a, b, c, backend="einc"),
                       torch.einsum(text, a, b, c))


if __name__ == "__main__":
    unittest.main()
