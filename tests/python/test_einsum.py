#===- test_einsum.py - einc.einsum beside numpy.einsum -------------------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
#
# What numpy_suite.py does not look at: that kernels are kept, layouts, threads, and
# random calls. The reference is numpy.
#
#===----------------------------------------------------------------------===#
import array
import itertools
import random
import string
import threading
import unittest
import unittest.mock

import numpy as np

import einc


def count(call):
    before = einc.statistics()
    value = call()
    after = einc.statistics()
    return value, after["compiled"] - before["compiled"], after["numpy"] - before["numpy"]


class Einsum(unittest.TestCase):
    def check(self, *operands, **keywords):
        value, _, left = count(lambda: einc.einsum(*operands, **keywords))
        wanted = np.einsum(*operands, **keywords)
        self.assertEqual(left, 0, operands[0])
        self.assertEqual(np.asarray(value).dtype, np.asarray(wanted).dtype)
        self.assertEqual(np.shape(value), np.shape(wanted))
        np.testing.assert_allclose(value, wanted, rtol=1e-5)
        if np.ndim(wanted):
            self.assertEqual(value.strides, wanted.strides)
        return value

    def test_one_kernel_for_all_sizes(self):
        a = np.random.rand(3, 4)
        first = count(lambda: einc.einsum("pq,qr->rp", a, a.T))
        self.assertEqual(first[1:], (1, 0))
        for x, y in [(a, a.T), (a[:, :2], a[:2]), (a[:0], a.T), (a[:1], a[:, ::-1].T),
                     (np.asfortranarray(a), a.T), (a[:, :1], a.T)]:
            again = count(lambda: einc.einsum("pq,qr->rp", x, y))
            self.assertEqual(again[1:], (0, 0))
            np.testing.assert_allclose(again[0], np.einsum("pq,qr->rp", x, y))
        renamed = count(lambda: einc.einsum("ij, jk -> ki", a, a.T))
        self.assertEqual(renamed[1:], (0, 0))
        self.assertEqual(count(lambda: einc.einsum(a, [0, 1], a.T, [1, 2], [2, 0]))[1], 0)
        other = count(lambda: einc.einsum("pq,qr->rp", a.astype("f4"), a.T.astype("f4")))
        self.assertEqual(other[1:], (1, 0))

    def test_oldest_are_forgotten(self):
        a = np.random.rand(2, 2)
        for letters in itertools.islice(itertools.permutations(string.ascii_letters, 3), 1100):
            i, j, k = letters
            einc.einsum(f"{i}{j},{j}{k}->{i}{k}", a, a)
        self.assertEqual(len(einc._einc.plans), 1000)
        np.testing.assert_allclose(einc.einsum("ab,bc->ac", a, a), a @ a)
        texts = ["ijkl->i", "ijkl->j", "ijkl->k", "ijkl->l"]
        b = np.random.rand(2, 3, 4, 5)
        with unittest.mock.patch.object(einc._einsum, "_MOST_KEPT", 3):
            for text in texts * 2:
                value, compiled, _ = count(lambda: einc.einsum(text, b))
                self.assertEqual(compiled, 1)
                np.testing.assert_allclose(value, np.einsum(text, b))
            self.assertEqual(count(lambda: einc.einsum(texts[-1], b))[1], 0)
            self.assertEqual(len(einc._einc.plans), 3)
            self.assertEqual(len(einc._einsum._kernels), 3)

    def test_plans_that_are_forgotten_meanwhile(self):
        class Forgetful:
            def __init__(self, values):
                self.values = values

            def __dlpack__(self, stream=None):
                einc._einc.plans.clear()
                return self.values.__dlpack__()

            def __dlpack_device__(self):
                return 1, 0
        x = np.arange(4.0)
        for _ in range(3):
            einc.einsum("z,z->", x, x)
            self.assertEqual(einc.einsum("z,z->", Forgetful(x), Forgetful(x)), 14)

    def test_forms(self):
        a, b, c = np.random.rand(2, 3, 4), np.random.rand(4, 5), np.random.rand(3)
        self.check("ijk,kl", a, b)
        self.check("...k,kl->...l", a, b)
        self.check("i...k,...->i...k", a, c)
        self.check("ijk,j->", a, c)
        self.check(a, [Ellipsis, 0], b, [0, 1], [Ellipsis, 1])
        self.check(a, [5, 3, 1], c, [3])
        self.check("ii", b[:, :4])
        self.check("iij->j", np.random.rand(3, 3, 2))
        self.check("ab,ab,ab->a", b, b, b)
        self.check(",", 2.0, 3.0)
        self.check(",ij->ji", 2.0, b)

    def test_broadcasting(self):
        a, b = np.random.rand(3, 1), np.random.rand(1, 4)
        self.check("ij,ij->ij", a, b)
        self.check("ij,ij->", a, b)
        self.check("ij,ij->ij", a, np.random.rand(3, 4))
        self.check("...,...", a, b)
        self.check("ii,i->i", np.random.rand(1, 1), np.random.rand(5))
        self.check("ij,ij->ij", a[:0], b)

    def test_types(self):
        for name in "?bBhHiIqQefdFD":
            a = (np.random.rand(3, 4) * 5).astype(name)
            self.check("ij,kj->ik", a, a)
        self.check("ij,j", np.ones((2, 3), "i4"), np.ones(3, "f4"))
        self.check("ij,j", np.ones((2, 3), "i8"), np.ones(3, "c8"))
        self.check("ij,j", np.ones((2, 3), "?"), np.ones(3, "u1"))
        self.check("ij,j", np.ones((2, 3), "f4"), np.ones(3, "f4"), dtype="f8")
        self.check("ij,j", np.ones((2, 3)) * 2.7, np.ones(3), dtype="i4", casting="unsafe")
        self.check("ij,j", np.ones((2, 3), ">f8"), np.ones(3))
        self.check("i,i", np.float32([1, 2]), [1, 2])

    def test_integers_wrap(self):
        a = np.full(1000, 117, "i1")
        self.check("i,i->", a, a)
        self.check("i,j->ij", a[:3], a[:3])
        u = np.full(1000, 2**31, "u4")
        self.check("i->", u)
        self.check("i,i,i->", u, u, u)

    def test_out(self):
        a, b = np.random.rand(3, 4), np.random.rand(4, 5)
        wanted = a @ b
        for out in (np.empty((3, 5)), np.empty((5, 3)).T, np.empty((6, 10))[::2, ::-2],
                    np.empty((3, 5), ">f8"), np.empty((3, 5), "c16")):
            self.assertIs(einc.einsum("ij,jk->ik", a, b, out=out), out)
            np.testing.assert_allclose(out, wanted)
        square = np.random.rand(4, 4)
        wanted = square.T @ square
        self.assertIs(einc.einsum("ij,ik->jk", square, square, out=square), square)
        np.testing.assert_allclose(square, wanted)
        zero = np.empty(())
        self.assertIs(einc.einsum("ij->", a, out=zero), zero)
        self.assertAlmostEqual(float(zero), a.sum())
        for out in (np.empty((3, 4)), np.empty((3, 5), "f4")):
            for function in (np.einsum, einc.einsum):
                with self.assertRaises((ValueError, TypeError)):
                    function("ij,jk->ik", a, b, out=out)

    def test_order(self):
        a, b = np.random.rand(3, 4, 2), np.random.rand(4, 5)
        for order in "CFAKcfak":
            for x in (a, np.asfortranarray(a), a.transpose(0, 1, 2)[::-1]):
                self.check("ijk,jl->ilk", x, b, order=order)
                self.check("ijk,jl->ilk", x, np.asfortranarray(b), order=order)

    def test_views(self):
        a = np.random.rand(3, 3)
        diagonal = einc.einsum("ii->i", a)
        diagonal[...] = 7
        np.testing.assert_array_equal(a.diagonal(), 7)

    def test_views_after_calls_with_out(self):
        for text in ("aa->a", "ab->ba", "ab"):
            a = np.zeros((3, 3))
            out = np.zeros(3 if text == "aa->a" else (3, 3))
            for _ in range(2):
                self.assertIs(einc.einsum(text, a, out=out), out)
                self.assertFalse(np.may_share_memory(einc.einsum(text, a, out=out), a))
                einc.einsum(text, a)[...] = 1
            self.assertEqual(a.trace(), 3)

    def test_known_plans_take_what_numpy_takes(self):
        def outcome(function, *operands, **keywords):
            try:
                return function("p,p->", *operands, **keywords)
            except Exception as error:
                return type(error)
        u = np.arange(8, dtype="u1")
        for _ in range(2):
            for x in (b"abcdefgh", np.bytes_(b"abcdefgh"), np.datetime64(3, "s"),
                      np.timedelta64(3, "s"), np.void(b"abcdefgh"),
                      bytearray(b"abcdefgh"), array.array("B", range(8)), memoryview(u)):
                self.assertEqual(outcome(einc.einsum, x, x), outcome(np.einsum, x, x), x)
            out = array.array("B", [0])
            self.assertEqual(outcome(einc.einsum, u, u, out=out),
                             outcome(np.einsum, u, u, out=out))
            einc.einsum("p,p->", u, u)
        i = np.arange(1)
        self.assertEqual(einc.einsum("p,p->", i, i), 0)
        with self.assertRaises(ValueError):
            einc.einsum("p,p->", i, memoryview(bytearray(8)).cast("n"))

    def test_type_after_a_call_with_out(self):
        a = np.arange(3, dtype="f4")
        out = np.empty(3)
        self.assertIs(einc.einsum("q,q->q", a, a, out=out), out)
        self.check("q,q->q", a, a)
        self.check("q,q->q", a, a)

    def test_optimize(self):
        a = np.random.rand(3, 3)
        for optimize in (True, False, "greedy", "optimal", ["einsum_path", (0, 1), (0, 1)],
                         ("greedy", 1e5)):
            np.testing.assert_allclose(
                einc.einsum("ij,jk,kl->il", a, a, a, optimize=optimize), a @ a @ a)
        # Numpy makes an array without dims of a full sum, if `optimize` is given.
        for optimize in (False, True, "greedy"):
            self.assertIsInstance(einc.einsum("ij,jk->", a, a, optimize=optimize), np.float64)
        for optimize in ("blah", ["einsum_path", (0, 9)], 3.5):
            with self.assertRaises(Exception):
                einc.einsum("ij,jk,kl->il", a, a, a, optimize=optimize)

    def test_errors_are_numpys(self):
        a = np.random.rand(3, 4)
        for arguments in [("ij,jk", a, a), ("ij", a, a), ("ij->k", a), ("ij->ii", a),
                          ("i", a), ("i.j", a), ("ij->ij->", a), ("i%", a), (a,),
                          ("ijk...", a), (), ("ij,ij->ij", a, a[:2]), (a, [0, 60]),
                          (a, [0, "x"]), ("ij", a, 3)]:
            with self.subTest(str(arguments[:1])):
                with self.assertRaises((ValueError, TypeError)) as ours:
                    einc.einsum(*arguments)
                with self.assertRaises((ValueError, TypeError)) as wanted:
                    np.einsum(*arguments)
                self.assertEqual(str(ours.exception), str(wanted.exception))
        with self.assertRaises(TypeError):
            einc.einsum("ij", a, bad=3)

    def test_what_numpy_does(self):
        a = np.array([[1, 2], [3, 4]], dtype=object)
        self.assertIs(einc.einsum("ij->ji", a).base, a)
        g = np.ones((2, 3), "g")
        self.assertEqual(einc.einsum("ij->i", g).dtype, np.dtype("g"))

    def test_random(self):
        rng = random.Random(7)
        for _ in range(60):
            labels = "abcde"[:rng.randint(2, 5)]
            extents = {label: rng.choice([1, 2, 3]) for label in labels}
            terms, operands = [], []
            name = rng.choice("bihfdD?")
            for _ in range(rng.randint(1, 3)):
                term = [rng.choice(labels) for _ in range(rng.randint(0, 4))]
                order = list(range(len(term)))
                rng.shuffle(order)
                stretched = {label: rng.random() < 0.2 for label in labels}
                shape = [1 if stretched[term[p]] else extents[term[p]] for p in order]
                values = np.array(np.random.randint(-3, 4, shape)).astype(name)
                terms.append("".join(term))
                operands.append(values.transpose(np.argsort(order)))
            used = sorted(set("".join(terms)))
            text = ",".join(terms) + "->" + "".join(rng.sample(used, rng.randint(0, len(used))))
            with self.subTest(text):
                value, wanted = einc.einsum(text, *operands), np.einsum(text, *operands)
                self.assertEqual(np.asarray(value).dtype, np.asarray(wanted).dtype)
                np.testing.assert_allclose(value, wanted, err_msg=text)

    def test_threads(self):
        a = np.random.rand(20, 30)
        failures = []

        def work(number):
            try:
                for text in ("ij,kj->ik", "ij,ij->j", f"{'xyzw'[number]}j,kj->k"):
                    for _ in range(20):
                        np.testing.assert_allclose(einc.einsum(text, a, a),
                                                   np.einsum(text, a, a))
            except BaseException as error:
                failures.append(error)
        threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    def test_threads_compile_a_structure_once(self):
        a = np.random.rand(3, 3, 3)
        values, barrier = [], threading.Barrier(8)

        def work():
            barrier.wait()
            values.append(einc.einsum("xyz,zyw,wvx->vy", a, a, a))
        threads = [threading.Thread(target=work) for _ in range(8)]

        def run():
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        self.assertEqual(count(run)[1], 1)
        self.assertEqual(len(values), 8)
        for value in values:
            np.testing.assert_allclose(value, np.einsum("xyz,zyw,wvx->vy", a, a, a))


class Backend(unittest.TestCase):
    """What opt_einsum looks up in the module that `backend=` names."""

    def test_tensordot(self):
        a, b = np.random.rand(3, 4, 5), np.random.rand(5, 4, 2)
        for axes in (([1], [1]), ([2, 1], [0, 1]), 1, 0, ((-1,), (0,)), (2, 0)):
            np.testing.assert_allclose(einc.tensordot(a, b, axes=axes),
                                       np.tensordot(a, b, axes=axes))
        for axes in (([0], [0]), ([0, 1], [0]), ([7], [0]), 9):
            with self.assertRaises((ValueError, IndexError)):
                einc.tensordot(a, b, axes=axes)
        square = np.random.rand(3, 3)
        for axes in (([0, 0], [0, 0]), ([0, 0], [0, 1]), ([0, 1], [1, 1]), ([0, -2], [0, 1])):
            for function in (np.tensordot, einc.tensordot):
                with self.assertRaises(ValueError):
                    function(square, square, axes)

    def test_transpose(self):
        a = np.random.rand(3, 4, 5)
        np.testing.assert_array_equal(einc.transpose(a, (2, 0, 1)), a.transpose(2, 0, 1))

    def test_opt_einsum(self):
        try:
            import opt_einsum
        except ImportError:
            self.skipTest("opt_einsum is missing")
        a, b, c = np.random.rand(3, 4, 5), np.random.rand(5, 4, 2), np.random.rand(2, 3)
        for text in ("abc,cbd,da->", "abc,cbd,da->ac", "abc,cbd,da->abcd"):
            np.testing.assert_allclose(opt_einsum.contract(text, a, b, c, backend="einc"),
                                       np.einsum(text, a, b, c))


if __name__ == "__main__":
    unittest.main()
