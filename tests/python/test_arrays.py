#===- test_arrays.py - What the package takes for an array ---------------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
import array
import unittest

import numpy as np

import einc

TYPES = {"f16": "f2", "f32": "f4", "f64": "f8", "c64": "c8", "c128": "c16", "i8": "i1",
         "i16": "i2", "i32": "i4", "i64": "i8", "u8": "u1", "u16": "u2", "u32": "u4",
         "u64": "u8", "bool": "?", "index": "i8", "bf16": "u2"}


class OnlyInterface:
    """Has `__array_interface__` and nothing else."""

    def __init__(self, values):
        self.values = values
        self.__array_interface__ = values.__array_interface__


class OnlyDLPack:
    """Has DLPack and nothing else; counts who takes it."""

    def __init__(self, values):
        self.values, self.taken = values, 0

    def __dlpack__(self, stream=None):
        self.taken += 1
        return self.values.__dlpack__()

    def __dlpack_device__(self):
        return 1, 0


def copy_of(name, rank=1):
    dims = ", ".join("NMKL"[:rank])
    subscripts = ", ".join("ijkl"[:rank])
    of = f"({dims})" if rank else ""
    at = f"({subscripts})" if rank else ""
    return einc.compile(f"def f(x: {name}{of}) -> (y: {name}{of}) {{ y{at} = x{at} }}",
                        name="f.ein")


class Arrays(unittest.TestCase):
    def test_every_type(self):
        for name, numpy_name in TYPES.items():
            with self.subTest(name):
                f = copy_of(name)
                x = np.array([0, 1, 1, 0]).astype(numpy_name)
                y = f(x)
                self.assertEqual(y.dtype, np.dtype(numpy_name))
                np.testing.assert_array_equal(y, x)
                wrong = "f4" if name != "f32" else "f8"
                with self.assertRaisesRegex(einc.EincError, f"not {name}"):
                    f(np.zeros(4, wrong))

    def test_strides_are_kept(self):
        f = copy_of("f64", 3)
        base = np.arange(4 * 6 * 10.0).reshape(4, 6, 10)
        for x in (base[::2, ::-1, 3:], base.transpose(2, 0, 1), base[:, :, ::-3],
                  np.broadcast_to(base[:1], (5, 6, 10)), base[:0], base[:, :0, ::2],
                  base.swapaxes(0, 2)[::-1]):
            np.testing.assert_array_equal(f(x), x)
            out = np.zeros((2 * x.shape[0], x.shape[1], x.shape[2]))[::2]
            self.assertIs(f(x, out=out), out)
            np.testing.assert_array_equal(out, x)

    def test_protocols(self):
        f = copy_of("f64")
        x = np.arange(10.0)
        np.testing.assert_array_equal(f(array.array("d", [1, 2, 3])), [1, 2, 3])
        np.testing.assert_array_equal(f(memoryview(x)[::-2]), x[::-2])
        np.testing.assert_array_equal(f(OnlyInterface(x[::3])), x[::3])
        tensor = OnlyDLPack(x[::-2])
        np.testing.assert_array_equal(f(tensor), x[::-2])
        self.assertEqual(tensor.taken, 1)
        np.testing.assert_array_equal(
            einc.einsum("i,i->i", OnlyDLPack(x), memoryview(x)), x * x)
        out = array.array("d", [0] * 10)
        self.assertIs(f(x, out=out), out)
        self.assertEqual(list(out), list(x))
        out = OnlyDLPack(np.zeros(10))
        self.assertIs(f(x, out=out), out)
        np.testing.assert_array_equal(out.values, x)

    def test_torch(self):
        try:
            import torch
        except ImportError:
            self.skipTest("torch is missing")
        f = einc.compile("def mm(A: bf16(M, K), B: bf16(K, N)) -> (C: f32(M, N)) "
                         "{ C(m, n) +=! A(m, k) * B(k, n) }")
        A = torch.arange(35, dtype=torch.bfloat16).reshape(5, 7)
        B = torch.arange(21, dtype=torch.bfloat16).reshape(3, 7)
        np.testing.assert_array_equal(f(A, B.T), (A.float() @ B.float().T).numpy())
        out = torch.zeros(3, 5).T
        self.assertIs(f(A, B.T, out=out), out)
        np.testing.assert_array_equal(out.numpy(), (A.float() @ B.float().T).numpy())
        for kind in (torch.float16, torch.float64, torch.int8, torch.int64, torch.uint8,
                     torch.complex64):
            x = (torch.rand(4, 6) * 3).to(kind)[:, ::2]
            np.testing.assert_allclose(einc.einsum("ij,kj->ik", x, x),
                                       np.einsum("ij,kj->ik", x.numpy(), x.numpy()), rtol=1e-2)

    def test_lists_and_numbers(self):
        np.testing.assert_array_equal(copy_of("f64", 2)([[1, 2], [3, 4]]), [[1, 2], [3, 4]])
        self.assertEqual(copy_of("i32")([]).shape, (0,))
        for name, value in [("f64", 2.5), ("f32", 2), ("i8", -3), ("c64", 1 + 2j),
                            ("bool", True), ("f16", 0.5)]:
            self.assertEqual(copy_of(name, 0)(value), value)
            self.assertEqual(copy_of(name, 0)(np.array(value, TYPES[name])), value)
            self.assertEqual(copy_of(name, 0)(np.dtype(TYPES[name]).type(value)), value)
        self.assertEqual(copy_of("f32", 0)(np.float64(0.5)), 0.5)
        self.assertEqual(copy_of("u8", 0)(255), 255)
        for name, value in [("i8", 128), ("u8", -1), ("i32", 2.5), ("f64", 1j), ("i16", 2**80),
                            ("f64", "text"), ("f64", None), ("i32", np.float32(2))]:
            with self.subTest(f"{name}, {value!r}"), self.assertRaises(
                    (einc.EincError, TypeError)):
                copy_of(name, 0)(value)

    def test_numbers_of_any_size(self):
        for name, value in [("u64", [2**64 - 1, 1]), ("u64", [[2**63, 0], [1, 2**64 - 1]]),
                            ("u64", 2**64 - 1), ("i64", [-2**63, 2**63 - 1]),
                            ("u64", [np.uint64(2**63), 1, True])]:
            value_of = copy_of(name, np.ndim(value))(value)
            self.assertEqual(np.asarray(value_of).tolist(), np.array(value, "u8").tolist()
                             if name == "u64" else value)
        for name, value in [("f32", 10**30), ("f64", -10**30), ("f64", [2**70, 0.5]),
                            ("c64", 10**30), ("c128", [10**30, 1j])]:
            wanted = np.array(value, dtype=object).astype(TYPES[name])
            np.testing.assert_array_equal(copy_of(name, np.ndim(value))(value), wanted)
        for name, value in [("u64", [2**64, 1]), ("u64", [2**64 - 1, -1]), ("f32", 10**39),
                            ("f64", 10**400), ("f16", 70000), ("f16", [1, 70000]),
                            ("bf16", 10**39), ("u64", [2**64 - 1, 0.5]), ("f64", [10**30, 1j]),
                            ("f64", [10**30, "1"]), ("u8", 10**30), ("u8", [1.0]),
                            ("bool", 10**30), ("i64", [2**63, 1])]:
            with self.subTest(f"{name}, {value!r}"), \
                    self.assertRaisesRegex(einc.EincError, "cannot convert|range of"):
                copy_of(name, np.ndim(value))(value)

    def test_bf16_by_value(self):
        def widen(bits):
            values = (np.atleast_1d(bits).astype("u4") << 16).view("f4")
            return values if np.ndim(bits) else values[0]
        number, row = copy_of("bf16", 0), copy_of("bf16")
        for value in (1, 3.0, -0.5, 257, 259, 1 + 2**-8, 1 + 3 * 2**-8, 1e38, True,
                      float("inf"), np.float32(2), np.int64(7), 10**30, 1e-40):
            near = widen(number(value))
            exact = np.float32(value)
            ulp = max(abs(exact) * 2**-8, 2.0**-133) if np.isfinite(exact) else 0
            self.assertTrue(near == exact or abs(near - exact) <= ulp, value)
        self.assertEqual(widen(number(257)), 256)  # in the middle: to even
        self.assertEqual(widen(number(259)), 260)
        self.assertTrue(np.isnan(widen(number(float("nan")))))
        self.assertEqual(widen(row([1, 2, 300])).tolist(), [1, 2, 300])
        self.assertEqual(widen(row([0.1, -2.5])).tolist(), [0.10009765625, -2.5])
        # Bits stay bits: numpy's uint16, as results are.
        bits = number(1.5)
        self.assertEqual(number(bits), bits)
        self.assertEqual(row(np.array([bits, 3], "u2")).tolist(), [bits, 3])
        self.assertEqual(row(array.array("H", [bits, 3])).tolist(), [bits, 3])
        for value in (1j, "1", None, [1, None], 10**39):
            with self.assertRaises(einc.EincError):
                copy_of("bf16", np.ndim(value))(value)

    def test_what_has_to_be_copied(self):
        f = copy_of("f64")
        x = np.arange(5.0)
        np.testing.assert_array_equal(f(x.astype(">f8")), x)
        record = np.zeros(5, np.dtype([("a", "i1"), ("x", "f8")]))
        record["x"] = x
        np.testing.assert_array_equal(f(record["x"]), x)  # neither aligned nor in steps
        with self.assertRaisesRegex(TypeError, "cannot be written"):
            f(x, out=record["x"])
        with self.assertRaisesRegex(TypeError, "cannot read"):
            f(np.array([1, "x"], dtype=object))
        with self.assertRaisesRegex(einc.EincError, "cannot convert"):
            copy_of("u8")(np.datetime64(3, "s"))  # its buffer has no strides
        frozen = x.copy()
        frozen.flags.writeable = False
        np.testing.assert_array_equal(f(frozen), x)

    def test_dims(self):
        f = einc.compile("def f(I: f32(2*OH + KH - 2), W: f32(KH)) -> (O: f32(OH)) "
                         "{ O(h) +=! I(2*h + k) * W(k) }")
        np.testing.assert_array_equal(f(np.arange(10, dtype="f4"), np.ones(4, "f4")),
                                      [6, 14, 22, 30])
        many = copy_of("u8", 4)
        x = np.arange(24, dtype="u1").reshape(2, 3, 1, 4)
        np.testing.assert_array_equal(many(x.T), x.T)

    def test_many_arguments(self):
        count = 12
        params = ", ".join(f"x{i}: f64(N{i})" for i in range(count))
        results = ", ".join(f"y{i}: f64(N{i})" for i in range(count))
        body = "; ".join(f"y{i}(i) = {i} * x{i}(i)" for i in range(count))
        f = einc.compile(f"def f({params}) -> ({results}) {{ {body} }}")
        xs = [np.arange(i + 1.0) for i in range(count)]
        for i, y in enumerate(f(*xs)):
            np.testing.assert_array_equal(y, i * xs[i])


if __name__ == "__main__":
    unittest.main()
