"""Calls functions on memrefs with arrays that overlap, and compares with loops.

Usage: aliases.py [FLAG…]     (flags of `einc build`)
"""
import ctypes
import subprocess
import sys

import numpy as np

from memrefs_view import view

TEXT = """
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i) -> (i)>
func.func @product(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.contract indexing_maps = [#mk, #kn, #mn]
    ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}
func.func @next(%a: memref<?xf32>, %b: memref<?xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%a : memref<?xf32>) outs(%b : memref<?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  }
  return
}
func.func @squared(%a: memref<?xf32>, %b: memref<?xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%a : memref<?xf32>) outs(%b : memref<?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.mulf %x, %x : f32
    linalg.yield %s : f32
  }
  return
}
func.func @parts(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %h = arith.divui %n, %c2 : index
  %t = memref.alloc(%h) : memref<?xf32>
  %x = memref.subview %a[1] [%h] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: 1>>
  %y = memref.subview %b[0] [%h] [2] : memref<?xf32> to memref<?xf32, strided<[2]>>
  linalg.copy ins(%x : memref<?xf32, strided<[1], offset: 1>>) outs(%t : memref<?xf32>)
  linalg.add ins(%t, %x : memref<?xf32>, memref<?xf32, strided<[1], offset: 1>>)
    outs(%y : memref<?xf32, strided<[2]>>)
  scf.for %i = %c0 to %h step %c1 {
    %v = memref.load %b[%i] : memref<?xf32>
    memref.store %v, %c[%i] : memref<?xf32>
  }
  return
}
func.func @turns(%a: memref<?xf32>, %b: memref<?xf32>, %steps: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.index_cast %steps : i32 to index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (memref<?xf32>, memref<?xf32>) {
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) {
    ^bb0(%p: f32, %q: f32):
      %s = arith.subf %p, %q : f32
      linalg.yield %s : f32
    }
    scf.yield %y, %x : memref<?xf32>, memref<?xf32>
  }
  return
}
func.func @softmax(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  linalg.softmax dimension(1) ins(%a : memref<?x?xf32>) outs(%b : memref<?x?xf32>)
  return
}
func.func @values(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %x = bufferization.to_tensor %a restrict : memref<?xf32> to tensor<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %b[%i] : memref<?xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %c[%i] : memref<?xf32>
  }
  %e = tensor.empty(%n) : tensor<?xf32>
  %y = linalg.add ins(%x, %x : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %z = scf.for %i = %c0 to %n step %c1 iter_args(%t = %y) -> tensor<?xf32> {
    %v = memref.load %c[%i] : memref<?xf32>
    %u = tensor.insert %v into %t[%c0] : tensor<?xf32>
    scf.yield %u : tensor<?xf32>
  }
  bufferization.materialize_in_destination %z in restrict writable %b : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}
func.func @mixed(%a: memref<?xf32>, %t: tensor<?xf32>) -> tensor<?xf32> {
  linalg.add ins(%a, %a : memref<?xf32>, memref<?xf32>) outs(%a : memref<?xf32>)
  %r = linalg.mul ins(%t, %t : tensor<?xf32>, tensor<?xf32>) outs(%t : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @joined(%a: memref<?x?xf32>, %b: memref<?xf32>) {
  %j = memref.collapse_shape %a [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%j : memref<?xf32>) outs(%b : memref<?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  %c2 = arith.constant 2 : index
  %h = memref.subview %j[1] [2] [3] : memref<?xf32> to memref<2xf32, strided<[3], offset: 1>>
  linalg.add ins(%h, %h : memref<2xf32, strided<[3], offset: 1>>, memref<2xf32, strided<[3], offset: 1>>)
    outs(%h : memref<2xf32, strided<[3], offset: 1>>)
  return
}
func.func @turned(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  %t = memref.transpose %a (i, j) -> (j, i) : memref<?x?xf32> to memref<?x?xf32, affine_map<(d0, d1)[s0] -> (d1 * s0 + d0)>>
  linalg.copy ins(%t : memref<?x?xf32, affine_map<(d0, d1)[s0] -> (d1 * s0 + d0)>>) outs(%b : memref<?x?xf32>)
  return
}
func.func @chosen(%a: memref<?xf32>, %b: memref<?xf32>, %which: i32) {
  %c0_i32 = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %is = arith.cmpi eq, %which, %c0_i32 : i32
  %m = arith.select %is, %a, %b : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %m[%i] : memref<?xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %a[%i] : memref<?xf32>
  }
  linalg.add ins(%m, %b : memref<?xf32>, memref<?xf32>) outs(%b : memref<?xf32>)
  return
}
func.func @flipped(%a: memref<?xi1>, %b: memref<?xi1>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%a : memref<?xi1>) outs(%b : memref<?xi1>) {
  ^bb0(%x: i1, %y: i1):
    %t = arith.constant true
    %s = arith.xori %x, %t : i1
    linalg.yield %s : i1
  }
  return
}
func.func @refused(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = linalg.add ins(%a, %a : tensor<4x8xf32>, tensor<4x8xf32>) outs(%b : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
"""
EIN_OVERLAP = 4


def product(a, b, c):
    for m in range(c.shape[0]):
        for n in range(c.shape[1]):
            for k in range(a.shape[1]):
                c[m, n] = c[m, n] + a[m, k] * b[k, n]


def next(a, b):
    for i in range(len(a)):
        b[i] = a[i] + a[i]


def squared(a, b):
    for i in range(len(a)):
        b[i] = a[i] * a[i]


def parts(a, b, c):
    h = len(a) // 2
    t = np.zeros(h, np.float32)
    for i in range(h):
        t[i] = a[1 + i]
    for i in range(h):
        b[2 * i] = t[i] + a[1 + i]
    for i in range(h):
        c[i] = b[i]


def turns(a, b, steps):
    for _ in range(steps):
        for i in range(len(a)):
            b[i] = a[i] - b[i]
        a, b = b, a


def softmax(a, b):
    e = np.exp(a - a.max(axis=1, keepdims=True))
    b[:] = e / e.sum(axis=1, keepdims=True)


def values(a, b, c):
    x = a.copy()
    for i in range(len(a)):
        c[i] = b[i] + b[i]
    z = x + x
    for i in range(len(a)):
        z[0] = c[i]
    b[:] = z


def mixed(t, a, r):
    # What is only read is the first argument in C.
    t = t.copy()
    for i in range(len(a)):
        a[i] = a[i] + a[i]
    r[:] = t * t


def joined(a, b):
    for i in range(len(b)):
        b[i] = a[i // 4, i % 4] + b[i]
    for i in (1, 4):
        a[i // 4, i % 4] = a[i // 4, i % 4] + a[i // 4, i % 4]


def turned(a, b):
    for i in range(b.shape[0]):
        for j in range(b.shape[1]):
            b[i, j] = a[j, i]


def chosen(a, b, which):
    m = b if which else a
    for i in range(len(a)):
        a[i] = m[i] + m[i]
    for i in range(len(b)):
        b[i] = m[i] + b[i]


def grid(memory, offset, *dims):
    """A part of `memory`: dims are (extent, stride)."""
    return np.lib.stride_tricks.as_strided(memory[offset:], [d[0] for d in dims],
                                           [d[1] * memory.itemsize for d in dims])


# The function, what it does, and its arrays in memory of 512 numbers. The plain
# C function is called too where arrays are contiguous.
SQUARE = ((9, 9), (9, 1))
CASES = [
    ("product", product, lambda m: [grid(m, 0, *SQUARE), grid(m, 100, *SQUARE), grid(m, 0, *SQUARE)]),
    ("product", product, lambda m: [grid(m, 0, *SQUARE), grid(m, 5, *SQUARE), grid(m, 13, *SQUARE)]),
    ("product", product, lambda m: [grid(m, 0, *SQUARE), grid(m, 100, *SQUARE), grid(m, 200, *SQUARE)]),
    ("product", product, lambda m: [grid(m, 0, (9, 20), (9, 2)), grid(m, 1, (9, 20), (9, 2)),
                                    grid(m, 2, (9, 20), (9, 2))]),
    ("product", product, lambda m: [grid(m, 0, *SQUARE), grid(m, 100, *SQUARE), grid(m, 200, (9, 0), (9, 1))]),
    ("next", next, lambda m: [grid(m, 0, (40, 1)), grid(m, 1, (40, 1))]),
    ("next", next, lambda m: [grid(m, 1, (40, 1)), grid(m, 0, (40, 1))]),
    ("next", next, lambda m: [grid(m, 0, (40, 1)), grid(m, 0, (40, 1))]),
    ("next", next, lambda m: [grid(m, 0, (40, 1)), grid(m, 39, (40, -1))]),
    ("next", next, lambda m: [grid(m, 0, (40, 3)), grid(m, 60, (40, 1))]),
    # Defs with the same arguments share their checks, and not this.
    ("squared", squared, lambda m: [grid(m, 0, (40, 1)), grid(m, 1, (40, 1))]),
    ("squared", squared, lambda m: [grid(m, 0, (40, 1)), grid(m, 39, (40, -1))]),
    ("parts", parts, lambda m: [grid(m, 0, (40, 1)), grid(m, 3, (40, 1)), grid(m, 1, (40, 1))]),
    ("parts", parts, lambda m: [grid(m, 0, (40, 1)), grid(m, 100, (40, 2)), grid(m, 101, (40, 2))]),
    ("turns", turns, lambda m: [grid(m, 0, (40, 1)), grid(m, 0, (40, 1)), 3]),
    ("turns", turns, lambda m: [grid(m, 0, (40, 1)), grid(m, 4, (40, 1)), 4]),
    # What reads all of an array before anything is written.
    ("softmax", softmax, lambda m: [grid(m, 0, *SQUARE), grid(m, 3, *SQUARE)]),
    ("softmax", softmax, lambda m: [grid(m, 3, *SQUARE), grid(m, 3, *SQUARE)]),
    ("softmax", softmax, lambda m: [grid(m, 0, (9, 20), (7, 2)), grid(m, 4, (9, 20), (7, 2))]),
    ("softmax", softmax, lambda m: [grid(m, 0, *SQUARE), grid(m, 100, *SQUARE)]),
    ("values", values, lambda m: [grid(m, 0, (40, 1)), grid(m, 3, (40, 1)), grid(m, 1, (40, 1))]),
    ("values", values, lambda m: [grid(m, 0, (40, 2)), grid(m, 0, (40, 2)), grid(m, 1, (40, 3))]),
    ("values", values, lambda m: [grid(m, 0, (40, 1)), grid(m, 50, (40, 1)), grid(m, 100, (40, 1))]),
    ("mixed", mixed, lambda m: [grid(m, 0, (40, 1)), grid(m, 0, (40, 1)), grid(m, 1, (40, 1))]),
    ("mixed", mixed, lambda m: [grid(m, 80, (40, -2)), grid(m, 0, (40, 1)), grid(m, 30, (40, 3))]),
    ("mixed", mixed, lambda m: [grid(m, 0, (40, 1)), grid(m, 50, (40, 1)), grid(m, 100, (40, 1))]),
    # Dims of any strides are joined.
    ("joined", joined, lambda m: [grid(m, 0, (6, 4), (4, 1)), grid(m, 1, (24, 1))]),
    ("joined", joined, lambda m: [grid(m, 0, (6, 9), (4, 2)), grid(m, 2, (24, 3))]),
    ("joined", joined, lambda m: [grid(m, 0, (6, 4), (4, 1)), grid(m, 100, (24, 1))]),
    ("turned", turned, lambda m: [grid(m, 0, *SQUARE), grid(m, 0, *SQUARE)]),
    ("turned", turned, lambda m: [grid(m, 0, (5, 20), (7, 2)), grid(m, 1, (7, 14), (5, 2))]),
    # In what `arith.select` takes, memory is contiguous.
    ("chosen", chosen, lambda m: [grid(m, 0, (40, 1)), grid(m, 1, (40, 1)), 0]),
    ("chosen", chosen, lambda m: [grid(m, 1, (40, 1)), grid(m, 0, (40, 1)), 1]),
    ("chosen", chosen, lambda m: [grid(m, 0, (40, 3)), grid(m, 200, (40, 2)), 1]),
]


def is_contiguous(array):
    return not isinstance(array, np.ndarray) or array.flags.c_contiguous


def call_view(library, name, args):
    scalars = [ctypes.c_int32(a) for a in args if not isinstance(a, np.ndarray)]
    arrays = [ctypes.byref(view(a)) for a in args if isinstance(a, np.ndarray)]
    return getattr(library, name + "_view")(*scalars, *arrays)


def call_plain(library, name, args):
    arrays = [a for a in args if isinstance(a, np.ndarray)]
    scalars = [ctypes.c_int32(a) for a in args if not isinstance(a, np.ndarray)]
    sizes = [ctypes.c_int64(n) for a in arrays for n in a.shape]
    return getattr(library, name)(*scalars, *[ctypes.c_void_p(a.ctypes.data) for a in arrays], *sizes)


with open("aliases.mlir", "w") as file:
    file.write(TEXT)
subprocess.run(["einc", "build", "aliases.mlir", *sys.argv[1:], "-o", "libaliases.so"], check=True)
library = ctypes.CDLL("./libaliases.so")
failures = 0
for number, (name, does, place) in enumerate(CASES):
    random = np.random.default_rng(number)
    start = random.uniform(-1, 1, 512).astype(np.float32)
    wanted = start.copy()
    does(*place(wanted))
    for call in (call_view, call_plain):
        memory = start.copy()
        args = place(memory)
        if call is call_plain and not all(map(is_contiguous, args)):
            continue
        code = call(library, name, args)
        if code != 0 or not np.allclose(memory, wanted, rtol=1e-4, atol=1e-5):
            failures += 1
            print(f"{name} #{number}, {call.__name__}: code {code}, first difference at "
                  f"{np.flatnonzero(~np.isclose(memory, wanted, rtol=1e-4, atol=1e-5))[:1]}")
# A function of values alone refuses, as a def does, and so do one that needs
# contiguous memory and one of bits, which are bytes here.
for name, place in [("refused", lambda m, other: [grid(m, 0, (4, 8), (8, 1)), grid(m, 300, (4, 8), (8, 1)),
                                                  grid(m, other, (4, 8), (8, 1))]),
                    ("chosen", lambda m, other: [grid(m, 0, (9, 2)), grid(m, other, (9, 1)), 0]),
                    ("flipped", lambda m, other: [m.view(bool)[:9], m.view(bool)[other:other + 9]])]:
    for other in (4, 64):
        memory = np.zeros(512, np.float32)
        code = call_view(library, name, place(memory, other))
        if code != (EIN_OVERLAP if other == 4 else 0):
            failures += 1
            print(f"{name} at {other}: code {code}")
print(f"{len(CASES)} cases, {failures} failures")
