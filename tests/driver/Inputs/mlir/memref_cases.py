"""Functions on memrefs, each with arguments and what numpy makes of them.

A case is a name, MLIR text, the arguments in the order of the text, the
positions of those that are written, and a function that does to copies of the
arguments what the text does; it returns the results.
"""
import re

import numpy as np

random = np.random.default_rng(7)
CASES = []


def make(*shape, dtype="f4"):
    if np.dtype(dtype).kind in "iu":
        return random.integers(0 if np.dtype(dtype).kind == "u" else -9, 10, shape).astype(dtype)
    if np.dtype(dtype).kind == "b":
        return random.integers(0, 2, shape).astype(dtype)
    real = random.uniform(-1, 1, shape)
    if np.dtype(dtype).kind == "c":
        return (real + 1j * random.uniform(-1, 1, shape)).astype(dtype)
    return real.astype(dtype)


def case(name, text, args, written, does):
    CASES.append((name, text, args, written, does))


def m(shape, element="f32", layout=""):
    return f"memref<{shape}x{element}{', ' + layout if layout else ''}>"


def function(name, types, body, results=""):
    args = ", ".join(f"%{chr(97 + i)}: {t}" for i, t in enumerate(types))
    return f"func.func @{name}({args}){' -> ' + results if results else ''} {{\n{body}\n}}\n"


def named(name, op, types, args, does, attrs="", written=None):
    """A function that is one named op: the last operand is the output."""
    *ins, out = [f"%{chr(97 + i)}" for i in range(len(types))]
    text = (f"  linalg.{op} {attrs} ins({', '.join(ins)} : {', '.join(types[:-1])}) outs({out} : {types[-1]})\n"
            "  return")
    case(name, function(name, types, text), args, written or [len(args) - 1], does)


def get_element(shaped):
    """`complex<f32>` of `memref<?x4xcomplex<f32>, strided<…>>`."""
    if not shaped.startswith(("memref<", "tensor<")):
        return shaped
    return re.match(r"(?:[0-9?]+x)*(\w+(?:<[^>]*>)?)", shaped[7:]).group(1)


def generic(dims, maps, iterators, ins, outs, types, body):
    """A linalg.generic; `maps` are results of `dims`, `types` those of ins and outs."""
    texts = ", ".join(f"affine_map<({dims}) -> ({x})>" for x in maps)
    kinds = ", ".join({"p": '"parallel"', "r": '"reduction"', "w": '"window"'}[c] for c in iterators)
    n = len(ins)
    elements = [get_element(t) for t in types]
    block = ", ".join(f"%x{i}: {e}" for i, e in enumerate(elements))
    inputs = f"ins({', '.join(ins)} : {', '.join(types[:n])}) " if ins else ""
    return (f"  linalg.generic {{indexing_maps = [{texts}], iterator_types = [{kinds}]}}\n"
            f"    {inputs}outs({', '.join(outs)} : {', '.join(types[n:])}) {{\n"
            f"  ^bb0({block}):\n{body}\n  }}\n")


def muladd(element="f32", a="%x0", b="%x1", c="%x2"):
    f = "f" if element[0] in "fb" else "i"
    return (f"    %p = arith.mul{f} {a}, {b} : {element}\n    %s = arith.add{f} {c}, %p : {element}\n"
            f"    linalg.yield %s : {element}")


D2 = "?x?"


def update(out, value):
    out[...] = value


# Named ops, dynamic and static, of awkward sizes.
def mm(a, b, c):
    c += (a.astype("f8") @ b.astype("f8")).astype(c.dtype) if c.dtype.kind == "f" else (a @ b).astype(c.dtype)


for i, (M, K, N) in enumerate([(5, 7, 3), (1, 1, 1), (33, 65, 47), (4, 0, 3), (0, 4, 3), (64, 64, 64)]):
    named(f"mm_{i}", "matmul", [m(D2)] * 3, [make(M, K), make(K, N), make(M, N)], mm)
named("mm_static", "matmul", [m("17x9"), m("9x31"), m("17x31")], [make(17, 9), make(9, 31), make(17, 31)], mm)
named("mm_empty", "matmul", [m("17x0"), m("0x31"), m("17x31")], [make(17, 0), make(0, 31), make(17, 31)], mm)
named("mm_mixed", "matmul", [m("?x9"), m("9x?"), m("17x?")], [make(17, 9), make(9, 31), make(17, 31)], mm)
for t, d in [("f64", "f8"), ("f16", "f2"), ("i32", "i4"), ("i8", "i1"), ("i64", "i8")]:
    named(f"mm_{t}", "matmul", [m(D2, t)] * 3, [make(6, 5, dtype=d), make(5, 9, dtype=d), make(6, 9, dtype=d)], mm)
named("mm_i8_i32", "matmul", [m(D2, "i8"), m(D2, "i8"), m(D2, "i32")],
      [make(6, 5, dtype="i1"), make(5, 9, dtype="i1"), make(6, 9, dtype="i4")],
      lambda a, b, c: update(c, c + a.astype("i4") @ b.astype("i4")))
named("mm_f16_f32", "matmul", [m(D2, "f16"), m(D2, "f16"), m(D2, "f32")],
      [make(6, 5, dtype="f2"), make(5, 9, dtype="f2"), make(6, 9)], mm)
named("mm_complex", "matmul", [m(D2, "complex<f32>")] * 3,
      [make(6, 5, dtype="c8"), make(5, 9, dtype="c8"), make(6, 9, dtype="c8")],
      lambda a, b, c: update(c, c + a @ b))
named("mm_transposed", "matmul", [m(D2)] * 3, [make(9, 6), make(9, 7), make(6, 7)],
      lambda a, b, c: update(c, c + a.T @ b),
      "indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, "
      "affine_map<(m, n, k) -> (m, n)>]")
named("bmm", "batch_matmul", [m("?x?x?")] * 3, [make(3, 5, 7), make(3, 7, 4), make(3, 5, 4)],
      lambda a, b, c: update(c, c + a @ b))
named("brmm", "batch_reduce_matmul", [m("?x?x?"), m("?x?x?"), m(D2)], [make(3, 5, 7), make(3, 7, 4), make(5, 4)],
      lambda a, b, c: update(c, c + (a @ b).sum(0)))
named("matvec", "matvec", [m(D2), m("?"), m("?")], [make(13, 21), make(21), make(13)],
      lambda a, b, c: update(c, c + a @ b))
named("vecmat", "vecmat", [m("?"), m(D2), m("?")], [make(21), make(21, 13), make(13)],
      lambda a, b, c: update(c, c + a @ b))
named("dot", "dot", [m("?"), m("?"), "memref<f32>"], [make(21), make(21), make()],
      lambda a, b, c: update(c, c + a @ b))
for op, fn in [("exp", np.exp), ("abs", np.abs), ("negf", np.negative), ("floor", np.floor), ("tanh", np.tanh),
               ("square", np.square)]:
    named(f"{op}_1", op, [m(D2)] * 2, [make(7, 19), make(7, 19)], lambda a, b, fn=fn: update(b, fn(a)))
for op, fn in [("add", np.add), ("mul", np.multiply), ("max", np.maximum), ("sub", np.subtract), ("div", np.divide)]:
    named(f"{op}_2", op, [m(D2)] * 3, [make(7, 19), make(7, 19) + 2, make(7, 19)],
          lambda a, b, c, fn=fn: update(c, fn(a, b)))
named("add_i1", "add", [m("?", "i1")] * 3, [make(19, dtype="?"), make(19, dtype="?"), make(19, dtype="?")],
      lambda a, b, c: update(c, a | b))
named("select", "select", [m(D2, "i1"), m(D2), m(D2), m(D2)],
      [make(4, 9, dtype="?"), make(4, 9), make(4, 9), make(4, 9)], lambda p, a, b, c: update(c, np.where(p, a, b)))
case("add_index", function("add_index", [m("?", "index")] * 3, generic(
    "i", ["i", "i", "i"], "p", ["%a", "%b"], ["%c"], [m("?", "index")] * 3,
    "    %s = arith.addi %x0, %x1 : index\n    linalg.yield %s : index") + "  return"),
     [make(19, dtype="i8"), make(19, dtype="i8"), make(19, dtype="i8")], [2], lambda a, b, c: update(c, a + b))
# Upstream's named ops have no indices for elements.
for name, dims, maps, kinds, shapes in [
        ("mm_index", "m, n, k", ["m, k", "k, n", "m, n"], "ppr", [(19, 7), (7, 37), (19, 37)]),
        ("mv_index", "m, k", ["m, k", "k", "m"], "pr", [(19, 7), (7,), (19,)])]:
    types = [m(", ".join("?" * len(s)).replace(", ", "x"), "index") for s in shapes]
    case(name, function(name, types, generic(dims, maps, kinds, ["%a", "%b"], ["%c"], types, muladd("index"))
                        + "  return"),
         [make(*s, dtype="i8") for s in shapes], [2], lambda a, b, c: update(c, c + a @ b))
named("copy", "copy", [m(D2)] * 2, [make(5, 6), make(5, 6)], lambda a, b: update(b, a))
case("fill", function("fill", ["f32", m(D2)], "  linalg.fill ins(%a : f32) outs(%b : memref<?x?xf32>)\n  return"),
     [2.5, make(4, 5)], [1], lambda a, b: update(b, a))
case("transpose", function("transpose", [m(D2), m(D2)],
                           "  linalg.transpose ins(%a : memref<?x?xf32>) outs(%b : memref<?x?xf32>) permutation = [1, 0]"
                           "\n  return"), [make(17, 23), make(23, 17)], [1], lambda a, b: update(b, a.T))
case("broadcast", function("broadcast", [m("?"), m(D2)],
                           "  linalg.broadcast ins(%a : memref<?xf32>) outs(%b : memref<?x?xf32>) dimensions = [1]"
                           "\n  return"), [make(7), make(7, 9)], [1], lambda a, b: update(b, a[:, None]))
case("reduce", function("reduce", [m(D2), m("?")],
                        "  linalg.reduce { arith.addf } ins(%a : memref<?x?xf32>) outs(%b : memref<?xf32>)"
                        " dimensions = [1]\n  return"), [make(17, 23), make(17)], [1],
     lambda a, b: update(b, b + a.sum(1)))
case("map", function("map", [m(D2)] * 3,
                     "  linalg.map { arith.mulf } ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>)"
                     " outs(%c : memref<?x?xf32>)\n  return"), [make(5, 3), make(5, 3), make(5, 3)], [2],
     lambda a, b, c: update(c, a * b))


def softmax(a, b):
    e = np.exp(a - a.max(1, keepdims=True)) if a.size else a
    b[...] = e / e.sum(1, keepdims=True)


case("softmax", function("softmax", [m(D2)] * 2,
                         "  linalg.softmax dimension(1) ins(%a : memref<?x?xf32>) outs(%b : memref<?x?xf32>)\n  return"),
     [make(9, 33), make(9, 33)], [1], softmax)
case("softmax_place", function("softmax_place", [m("9x33")],
                               "  linalg.softmax dimension(1) ins(%a : memref<9x33xf32>) outs(%a : memref<9x33xf32>)"
                               "\n  return"), [make(9, 33)], [0], lambda a: softmax(a.copy(), a))


# Windows.
def conv(i, k, o, s=1, d=1):
    for y in range(o.shape[1]):
        for x in range(o.shape[2]):
            for a in range(k.shape[0]):
                for b in range(k.shape[1]):
                    o[:, y, x] += i[:, y * s + a * d, x * s + b * d] @ k[a, b]


named("conv2d", "conv_2d_nhwc_hwcf", [m("?x?x?x?")] * 3, [make(2, 9, 8, 3), make(3, 3, 3, 5), make(2, 7, 6, 5)], conv)
named("conv2d_strided", "conv_2d_nhwc_hwcf", [m("?x?x?x?")] * 3,
      [make(2, 11, 11, 3), make(3, 3, 3, 5), make(2, 4, 4, 5)], lambda i, k, o: conv(i, k, o, 2, 2),
      "{strides = dense<2> : tensor<2xi64>, dilations = dense<2> : tensor<2xi64>}")
named("conv1d", "conv_1d", [m("?")] * 3, [make(29), make(5), make(25)],
      lambda i, k, o: update(o, o + np.correlate(i, k)))
named("pool", "pooling_nhwc_max", [m("1x8x8x3"), m("2x2"), m("1x4x4x3")],
      [make(1, 8, 8, 3), make(2, 2), make(1, 4, 4, 3)],
      lambda i, w, o: update(o, np.maximum(o, i.reshape(1, 4, 2, 4, 2, 3).max((2, 4)))),
      "{strides = dense<2> : tensor<2xi64>}")
named("depthwise", "depthwise_conv_2d_nhwc_hwc", [m("?x?x?x?"), m("?x?x?"), m("?x?x?x?")],
      [make(1, 7, 7, 4), make(3, 3, 4), make(1, 5, 5, 4)],
      lambda i, k, o: update(o, o + sum(i[:, y:y + 5, x:x + 5] * k[y, x] for y in range(3) for x in range(3))))

# Generics: every odd map.
case("abt", function("abt", [m(D2)] * 3, generic(
    "m, n, k", ["m, k", "n, k", "m, n"], "ppr", ["%a", "%b"], ["%c"], [m(D2)] * 3, muladd()) + "  return"),
     [make(19, 7), make(11, 7), make(19, 11)], [2], lambda a, b, c: update(c, c + a @ b.T))
case("ct", function("ct", [m(D2)] * 3, generic(
    "m, n, k", ["m, k", "k, n", "n, m"], "ppr", ["%a", "%b"], ["%c"], [m(D2)] * 3, muladd()) + "  return"),
     [make(19, 7), make(7, 11), make(11, 19)], [2], lambda a, b, c: update(c, c + (a @ b).T))
case("contract", function("contract", [m(D2)] * 3,
                          "  linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) ->"
                          " (k, n)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>)"
                          " outs(%c : memref<?x?xf32>)\n  return"),
     [make(19, 7), make(7, 11), make(19, 11)], [2], mm)
case("traits", "#matmul_accesses = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, "
     "affine_map<(m, n, k) -> (m, n)>]\n#matmul_trait = {doc = \"C(m, n) += A(m, k) * B(k, n)\", indexing_maps = "
     "#matmul_accesses, iterator_types = [\"parallel\", \"parallel\", \"reduction\"]}\n" +
     function("traits", [m(D2)] * 3,
              "  linalg.generic #matmul_trait ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)"
              " {other-attribute} {\n  ^bb0(%x0: f32, %x1: f32, %x2: f32):\n".replace(" {other-attribute}", "") +
              muladd() + "\n  }\n  return"),
     [make(19, 7), make(7, 11), make(19, 11)], [2], mm)
case("outer", function("outer", [m("?"), m("?"), m(D2)], generic(
    "i, j", ["i", "j", "i, j"], "pp", ["%a", "%b"], ["%c"], [m("?"), m("?"), m(D2)], muladd()) + "  return"),
     [make(19), make(7), make(19, 7)], [2], lambda a, b, c: update(c, c + np.outer(a, b)))
case("diagonal", function("diagonal", [m(D2), m("?")], generic(
    "i", ["i, i", "i"], "p", ["%a"], ["%b"], [m(D2), m("?")], "    linalg.yield %x0 : f32") + "  return"),
     [make(9, 9), make(9)], [1], lambda a, b: update(b, np.diagonal(a)))
case("trace", function("trace", [m(D2), "memref<f32>"], generic(
    "i", ["i, i", ""], "r", ["%a"], ["%b"], [m(D2), "memref<f32>"],
    "    %s = arith.addf %x0, %x1 : f32\n    linalg.yield %s : f32") + "  return"),
     [make(9, 9), make()], [1], lambda a, b: update(b, b + np.trace(a)))
case("reversed", function("reversed", [m("9"), m("9")], generic(
    "i", ["8 - i", "i"], "p", ["%a"], ["%b"], [m("9"), m("9")], "    linalg.yield %x0 : f32") + "  return"),
     [make(9), make(9)], [1], lambda a, b: update(b, a[::-1]))
case("stencil", function("stencil", [m("?"), m("?")],
     "  %w = memref.alloc() : memref<3xf32>\n  %one = arith.constant 1.0 : f32\n"
     "  linalg.fill ins(%one : f32) outs(%w : memref<3xf32>)\n" + generic(
         "i, k", ["i + k", "k", "i"], "pr", ["%a", "%w"], ["%b"], [m("?"), m("3"), m("?")], muladd()) +
     "  memref.dealloc %w : memref<3xf32>\n  return"),
     [make(21), make(19)], [1], lambda a, b: update(b, b + a[:-2] + a[1:-1] + a[2:]))
case("index_body", function("index_body", [m(D2, "i32")], generic(
    "i, j", ["i, j"], "pp", [], ["%a"], [m(D2, "i32")],
    "    %i = linalg.index 0 : index\n    %j = linalg.index 1 : index\n    %s = arith.muli %i, %j : index\n"
    "    %v = arith.index_cast %s : index to i32\n    %r = arith.addi %v, %x0 : i32\n    linalg.yield %r : i32")
    + "  return"), [make(5, 7, dtype="i4")], [0], lambda a: update(a, a + np.outer(range(5), range(7))))
case("two_outs", function("two_outs", [m("?")] * 3, generic(
    "i", ["i", "i", "i"], "p", ["%a"], ["%b", "%c"], [m("?")] * 3,
    "    %e = math.exp %x0 : f32\n    %s = arith.addf %x0, %x2 : f32\n    linalg.yield %e, %s : f32, f32") + "  return"),
     [make(17), make(17), make(17)], [1, 2], lambda a, b, c: (update(b, np.exp(a)), update(c, c + a))[2:])
case("maxplus", function("maxplus", [m(D2)] * 3, generic(
    "m, n, k", ["m, k", "k, n", "m, n"], "ppr", ["%a", "%b"], ["%c"], [m(D2)] * 3,
    "    %p = arith.addf %x0, %x1 : f32\n    %s = arith.maximumf %x2, %p : f32\n    linalg.yield %s : f32")
    + "  return"), [make(13, 7), make(7, 11), make(13, 11)], [2],
     lambda a, b, c: update(c, np.maximum(c, (a[:, :, None] + b[None]).max(1))))
case("gather", function("gather", [m("?"), m("?", "index"), m("?")], generic(
    "i", ["i", "i"], "p", ["%b"], ["%c"], [m("?", "index"), m("?")],
    "    %v = memref.load %a[%x0] : memref<?xf32>\n    linalg.yield %v : f32") + "  return"),
     [make(9), make(21, dtype="i8") % 9, make(21)], [2], lambda a, b, c: update(c, a[b]))
case("histogram", function("histogram", [m("?", "index"), m("?", "i32")],
                           "  %one = arith.constant 1 : i32\n" + generic(
    "i", ["i"], "r", [], ["%a"], [m("?", "index")],
    "    %v = memref.load %b[%x0] : memref<?xi32>\n    %s = arith.addi %v, %one : i32\n"
    "    memref.store %s, %b[%x0] : memref<?xi32>\n    linalg.yield %x0 : index") + "  return"),
     [make(40, dtype="i8") % 9, make(9, dtype="i4")], [0, 1], lambda a, b: np.add.at(b, a, 1))
case("complex_body", function("complex_body", [m("?", "complex<f32>"), m("?")], generic(
    "i", ["i", "i"], "p", ["%a"], ["%b"], [m("?", "complex<f32>"), m("?")],
    "    %r = complex.abs %x0 : complex<f32>\n    linalg.yield %r : f32") + "  return"),
     [make(17, dtype="c8"), make(17)], [1], lambda a, b: update(b, np.abs(a)))

case("window", function("window", [m("?")] * 3, generic(
    "i, k", ["i + k", "k", "i"], "pw", ["%a", "%b"], ["%c"], [m("?")] * 3, muladd()) + "  return"),
     [make(29), make(5), make(25)], [2], lambda a, b, c: update(c, c + np.correlate(a, b)))
MAPS = ("indexing_maps = [affine_map<(m, n, k) -> ({})>, affine_map<(m, n, k) -> (k, n)>, "
        "affine_map<(m, n, k) -> (m, n)>]").format
named("kind_max", "contract", [m(D2)] * 3, [make(13, 7), make(7, 11), make(13, 11)],
      lambda a, b, c: update(c, np.maximum(c, (a[:, :, None] * b[None]).max(1))),
      MAPS("m, k") + " iterator_types = [parallel, parallel, reduction] kind = #linalg.kind<max>")
named("kind_min", "contract", [m(D2, "i32")] * 3, [make(13, 7, dtype="i4"), make(7, 11, dtype="i4"),
                                                   make(13, 11, dtype="i4")],
      lambda a, b, c: update(c, np.minimum(c, (a[:, :, None] * b[None]).min(1))), MAPS("m, k") + " kind = #linalg.kind<min>")
for i, (M, K, N) in enumerate([(5, 7, 9), (33, 65, 47), (1, 1, 1), (64, 64, 64), (0, 3, 4), (3, 0, 4)]):
    named(f"repeated_{i}", "matmul", [m("?"), m(D2), m(D2)], [make(K), make(K, N), make(M, N)],
          lambda a, b, c: update(c, c + (a @ b)[None]), MAPS("k"))

# Layouts of types, static and dynamic.
S = "strided<[{}], offset: {}>".format
case("strided_1", function("strided_1", [m("?", layout=S(2, 1)), m("?", layout=S("?", "?"))],
                           f"  linalg.exp ins(%a : {m('?', layout=S(2, 1))}) outs(%b : {m('?', layout=S('?', '?'))})"
                           "\n  return"), [make(13), make(13)], [1], lambda a, b: update(b, np.exp(a)))
case("strided_2", function("strided_2", [m("8x?", layout=S("2, 2", 0)), m("?x8", layout=S("?, 3", "?"))],
                           f"  linalg.transpose ins(%a : {m('8x?', layout=S('2, 2', 0))}) outs(%b : "
                           f"{m('?x8', layout=S('?, 3', '?'))}) permutation = [1, 0]\n  return"),
     [make(8, 5), make(5, 8)], [1], lambda a, b: update(b, a.T))
case("strided_mm", function("strided_mm", [m(D2, layout=S("?, 1", "?")), m(D2, layout=S("1, ?", 5)),
                                           m("33x47", layout=S("64, 1", 3))],
                            f"  linalg.matmul ins(%a, %b : {m(D2, layout=S('?, 1', '?'))}, "
                            f"{m(D2, layout=S('1, ?', 5))}) outs(%c : {m('33x47', layout=S('64, 1', 3))})\n  return"),
     [make(33, 65), make(65, 47), make(33, 47)], [2], mm)
case("strided_scalar", function("strided_scalar", [m("4", layout=S(3, 2)), m("4", layout=S(2, 0))],
                                "  %i = arith.constant 1 : index\n"
                                f"  %v = memref.load %a[%i] : {m('4', layout=S(3, 2))}\n"
                                f"  memref.store %v, %b[%i] : {m('4', layout=S(2, 0))}\n  return"),
     [make(4), make(4)], [1], lambda a, b: update(b[1:2], a[1:2]))
case("strided_map", function("strided_map", ["memref<?x?xf32, affine_map<(i, j)[s] -> (i * s + j * 2)>>".replace(
    "[s]", "").replace("i * s", "i * 64"), m(D2)],
    "  linalg.exp ins(%a : memref<?x?xf32, affine_map<(i, j) -> (i * 64 + j * 2)>>) outs(%b : memref<?x?xf32>)"
    "\n  return"), [make(5, 6), make(5, 6)], [1], lambda a, b: update(b, np.exp(a)))

# Views.
case("rows", function("rows", [m("?x4"), m("?x4")], f"""
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x4xf32>
  scf.for %i = %c0 to %n step %c1 {{
    %x = memref.subview %a[%i, 0] [1, 4] [1, 1] : memref<?x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    %y = memref.subview %b[%i, 0] [1, 4] [1, 1] : memref<?x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    linalg.exp ins(%x : memref<4xf32, strided<[1], offset: ?>>) outs(%y : memref<4xf32, strided<[1], offset: ?>>)
  }}
  return"""), [make(9, 4), make(9, 4)], [1], lambda a, b: update(b, np.exp(a)))
case("prefix", function("prefix", [m("?x4")], f"""
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x4xf32>
  scf.for %i = %c1 to %n step %c1 {{
    %j = arith.subi %i, %c1 : index
    %x = memref.subview %a[%j, 0] [1, 4] [1, 1] : memref<?x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    %y = memref.subview %a[%i, 0] [1, 4] [1, 1] : memref<?x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    linalg.add ins(%x, %y : memref<4xf32, strided<[1], offset: ?>>, memref<4xf32, strided<[1], offset: ?>>)
      outs(%y : memref<4xf32, strided<[1], offset: ?>>)
  }}
  return"""), [make(9, 4)], [0], lambda a: update(a, np.cumsum(a, 0)))
case("blocks", function("blocks", [m("64x64")] * 3, f"""
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c16 {{
    scf.for %j = %c0 to %c64 step %c16 {{
      scf.for %k = %c0 to %c64 step %c16 {{
        %x = memref.subview %a[%i, %k] [16, 16] [1, 1] : memref<64x64xf32> to memref<16x16xf32, strided<[64, 1], offset: ?>>
        %y = memref.subview %b[%k, %j] [16, 16] [1, 1] : memref<64x64xf32> to memref<16x16xf32, strided<[64, 1], offset: ?>>
        %z = memref.subview %c[%i, %j] [16, 16] [1, 1] : memref<64x64xf32> to memref<16x16xf32, strided<[64, 1], offset: ?>>
        linalg.matmul ins(%x, %y : memref<16x16xf32, strided<[64, 1], offset: ?>>, memref<16x16xf32, strided<[64, 1], offset: ?>>)
          outs(%z : memref<16x16xf32, strided<[64, 1], offset: ?>>)
      }}
    }}
  }}
  return"""), [make(64, 64), make(64, 64), make(64, 64)], [2], mm)
case("blocks_dynamic", function("blocks_dynamic", [m(D2)] * 3, f"""
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %k = memref.dim %a, %c1 : memref<?x?xf32>
  %n = memref.dim %b, %c1 : memref<?x?xf32>
  scf.for %i = %c0 to %m step %c16 {{
    %s = affine.min affine_map<(i)[m] -> (16, m - i)>(%i)[%m]
    %x = memref.subview %a[%i, 0] [%s, %k] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    %z = memref.subview %c[%i, 0] [%s, %n] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    linalg.matmul ins(%x, %b : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x?xf32>)
      outs(%z : memref<?x?xf32, strided<[?, 1], offset: ?>>)
  }}
  return"""), [make(37, 23), make(23, 29), make(37, 29)], [2], mm)
case("triangle", function("triangle", [m(D2), m("?"), m("?")], f"""
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  scf.for %i = %c0 to %m step %c1 {{
    %t = memref.alloc(%i) : memref<?xf32>
    %x = memref.subview %a[%i, 0] [1, %i] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[1], offset: ?>>
    %v = memref.subview %b[0] [%i] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
    linalg.mul ins(%x, %v : memref<?xf32, strided<[1], offset: ?>>, memref<?xf32, strided<[1]>>) outs(%t : memref<?xf32>)
    %z = memref.subview %c[%i] [1] [1] : memref<?xf32> to memref<f32, strided<[], offset: ?>>
    linalg.reduce {{ arith.addf }} ins(%t : memref<?xf32>) outs(%z : memref<f32, strided<[], offset: ?>>) dimensions = [0]
    memref.dealloc %t : memref<?xf32>
  }}
  return"""), [make(11, 11), make(11), make(11)], [2], lambda a, b, c: update(c, c + np.tril(a, -1) @ b))
case("collapse", function("collapse", [m("?x?x8"), m("?x8")], f"""
  %x = memref.collapse_shape %a [[0, 1], [2]] : memref<?x?x8xf32> into memref<?x8xf32>
  linalg.exp ins(%x : memref<?x8xf32>) outs(%b : memref<?x8xf32>)
  linalg.add ins(%x, %b : memref<?x8xf32>, memref<?x8xf32>) outs(%x : memref<?x8xf32>)
  return"""), [make(3, 5, 8), make(15, 8)], [0, 1],
     lambda a, b: (update(b, np.exp(a.reshape(15, 8))), update(a, a + b.reshape(3, 5, 8)))[2:])
case("expand", function("expand", [m("?"), m("?x4")], f"""
  %c0 = arith.constant 0 : index
  %n = memref.dim %b, %c0 : memref<?x4xf32>
  %x = memref.expand_shape %a [[0, 1]] output_shape [%n, 4] : memref<?xf32> into memref<?x4xf32>
  linalg.add ins(%x, %b : memref<?x4xf32>, memref<?x4xf32>) outs(%x : memref<?x4xf32>)
  return"""), [make(20), make(5, 4)], [0], lambda a, b: update(a, a + b.ravel()))
case("view_transposed", function("view_transposed", [m("6x9"), m("9x6")], f"""
  %x = memref.transpose %a (i, j) -> (j, i) : memref<6x9xf32> to memref<9x6xf32, strided<[1, 9]>>
  %y = memref.transpose %b (i, j) -> (j, i) : memref<9x6xf32> to memref<6x9xf32, strided<[1, 6]>>
  linalg.exp ins(%x : memref<9x6xf32, strided<[1, 9]>>) outs(%b : memref<9x6xf32>)
  linalg.add ins(%a, %y : memref<6x9xf32>, memref<6x9xf32, strided<[1, 6]>>) outs(%y : memref<6x9xf32, strided<[1, 6]>>)
  return"""), [make(6, 9), make(9, 6)], [1], lambda a, b: update(b, np.exp(a.T) + a.T))
case("casts", function("casts", [m("4x?"), m("4x5")], f"""
  %x = memref.cast %a : memref<4x?xf32> to memref<?x?xf32>
  %y = memref.cast %x : memref<?x?xf32> to memref<4x5xf32>
  linalg.exp ins(%y : memref<4x5xf32>) outs(%b : memref<4x5xf32>)
  linalg.exp ins(%b : memref<4x5xf32>) outs(%y : memref<4x5xf32>)
  return"""), [make(4, 5), make(4, 5)], [0, 1], lambda a, b: (update(b, np.exp(a)), update(a, np.exp(b)))[2:])
case("steps", function("steps", [m("?")], f"""
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %h = arith.divui %n, %c2 : index
  %x = memref.subview %a[0] [%h] [2] : memref<?xf32> to memref<?xf32, strided<[2]>>
  %y = memref.subview %a[1] [%h] [2] : memref<?xf32> to memref<?xf32, strided<[2], offset: 1>>
  linalg.exp ins(%x : memref<?xf32, strided<[2]>>) outs(%y : memref<?xf32, strided<[2], offset: 1>>)
  return"""), [make(18)], [0], lambda a: update(a[1::2], np.exp(a[::2])))
case("shifted", function("shifted", [m("9")], f"""
  %x = memref.subview %a[0] [8] [1] : memref<9xf32> to memref<8xf32, strided<[1]>>
  %y = memref.subview %a[1] [8] [1] : memref<9xf32> to memref<8xf32, strided<[1], offset: 1>>
""" + generic("i", ["i", "i"], "p", ["%x"], ["%y"], [m("8", layout=S(1, 0)).replace(", offset: 0", ""), m("8", layout=S(1, 1))],
              "    %s = arith.addf %x0, %x1 : f32\n    linalg.yield %s : f32") + "  return"),
     [make(9)], [0], lambda a: update(a, np.cumsum(a)))
case("self_product", function("self_product", [m("6x6"), m("6x6")], f"""
  linalg.matmul ins(%a, %a : memref<6x6xf32>, memref<6x6xf32>) outs(%b : memref<6x6xf32>)
  linalg.copy ins(%b : memref<6x6xf32>) outs(%a : memref<6x6xf32>)
  return"""), [make(6, 6), make(6, 6)], [0, 1], lambda a, b: (update(b, b + a @ a), update(a, b))[2:])

# Control flow, calls, globals, allocations, tensors.
case("branch", function("branch", ["i32", m("?"), m("?")], f"""
  %z = arith.constant 0 : i32
  %p = arith.cmpi sgt, %a, %z : i32
  scf.if %p {{
    linalg.exp ins(%b : memref<?xf32>) outs(%c : memref<?xf32>)
  }} else {{
    linalg.negf ins(%b : memref<?xf32>) outs(%c : memref<?xf32>)
  }}
  return"""), [1, make(9), make(9)], [2], lambda a, b, c: update(c, np.exp(b)))
case("while", function("whiles", ["i32", m("?")], f"""
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.while (%i = %a) : (i32) -> i32 {{
    %p = arith.cmpi sgt, %i, %z : i32
    scf.condition(%p) %i : i32
  }} do {{
  ^bb0(%i: i32):
    linalg.add ins(%b, %b : memref<?xf32>, memref<?xf32>) outs(%b : memref<?xf32>)
    %j = arith.subi %i, %one : i32
    scf.yield %j : i32
  }}
  return""").replace("@whiles", "@while_"), [3, make(9)], [1], lambda a, b: update(b, 8 * b))
case("parallel", function("parallel", [m("?x?"), m("?x?")], f"""
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xf32>
  %k = memref.dim %a, %c1 : memref<?x?xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {{
    %x = memref.subview %a[%i, 0] [1, %k] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[1], offset: ?>>
    %y = memref.subview %b[%i, 0] [1, %k] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[1], offset: ?>>
    linalg.exp ins(%x : memref<?xf32, strided<[1], offset: ?>>) outs(%y : memref<?xf32, strided<[1], offset: ?>>)
    scf.reduce
  }}
  return"""), [make(7, 9), make(7, 9)], [1], lambda a, b: update(b, np.exp(a)))
case("forall", function("forall", [m("8x8"), m("8x8")], f"""
  scf.forall (%i, %j) in (2, 2) {{
    %s = affine.apply affine_map<(i) -> (i * 4)>(%i)
    %t = affine.apply affine_map<(i) -> (i * 4)>(%j)
    %x = memref.subview %a[%s, %t] [4, 4] [1, 1] : memref<8x8xf32> to memref<4x4xf32, strided<[8, 1], offset: ?>>
    %y = memref.subview %b[%s, %t] [4, 4] [1, 1] : memref<8x8xf32> to memref<4x4xf32, strided<[8, 1], offset: ?>>
    linalg.exp ins(%x : memref<4x4xf32, strided<[8, 1], offset: ?>>) outs(%y : memref<4x4xf32, strided<[8, 1], offset: ?>>)
  }}
  return"""), [make(8, 8), make(8, 8)], [1], lambda a, b: update(b, np.exp(a)))
case("calls", "func.func private @half(%a: memref<?xf32>, %b: memref<?xf32>) {\n"
     "  linalg.exp ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)\n  return\n}\n" +
     function("calls", [m("?"), m("?")], "  call @half(%a, %b) : (memref<?xf32>, memref<?xf32>) -> ()\n"
              "  call @half(%b, %a) : (memref<?xf32>, memref<?xf32>) -> ()\n  return"),
     [make(9), make(9)], [0, 1], lambda a, b: (update(b, np.exp(a)), update(a, np.exp(b)))[2:])
case("globals", 'memref.global "private" constant @weights : memref<2x3xf32> = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]>\n'
     + function("globals", [m("?x2"), m("?x3")],
                "  %w = memref.get_global @weights : memref<2x3xf32>\n"
                "  linalg.matmul ins(%a, %w : memref<?x2xf32>, memref<2x3xf32>) outs(%b : memref<?x3xf32>)\n  return"),
     [make(5, 2), make(5, 3)], [1], lambda a, b: update(b, b + a @ np.arange(1, 7).reshape(2, 3).astype("f4")))
case("layers", function("layers", [m(D2), m(D2), m("?"), m(D2), m(D2)], f"""
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %n = memref.dim %b, %c1 : memref<?x?xf32>
  %t = memref.alloc(%m, %n) : memref<?x?xf32>
  linalg.fill ins(%z : f32) outs(%t : memref<?x?xf32>)
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%t : memref<?x?xf32>)
""" + generic("i, j", ["j", "i, j"], "pp", ["%c"], ["%t"], [m("?"), m(D2)],
              "    %s = arith.addf %x0, %x1 : f32\n    %r = arith.maximumf %s, %z : f32\n    linalg.yield %r : f32") + """
  linalg.fill ins(%z : f32) outs(%e : memref<?x?xf32>)
  linalg.matmul ins(%t, %d : memref<?x?xf32>, memref<?x?xf32>) outs(%e : memref<?x?xf32>)
  memref.dealloc %t : memref<?x?xf32>
  return"""), [make(21, 34), make(34, 19), make(19), make(19, 23), make(21, 23)], [4],
     lambda a, b, c, d, e: update(e, np.maximum(a @ b + c, 0) @ d))
case("alloca", function("alloca", [m("8"), m("8")], f"""
  %t = memref.alloca() : memref<8xf32>
  linalg.exp ins(%a : memref<8xf32>) outs(%t : memref<8xf32>)
  memref.copy %t, %b : memref<8xf32> to memref<8xf32>
  return"""), [make(8), make(8)], [1], lambda a, b: update(b, np.exp(a)))
case("swap", function("swap", [m("8"), m("8")], f"""
  %t = memref.alloc() : memref<8xf32>
  memref.copy %a, %t : memref<8xf32> to memref<8xf32>
  memref.copy %b, %a : memref<8xf32> to memref<8xf32>
  memref.copy %t, %b : memref<8xf32> to memref<8xf32>
  return"""), [make(8), make(8)], [0, 1],
     lambda a, b: [(t := a.copy()), update(a, b), update(b, t)][3:])
case("affine", function("affine", [m("8x8"), m("8x8")], f"""
  linalg.exp ins(%a : memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  affine.for %i = 0 to 8 {{
    affine.for %j = 1 to 8 {{
      %v = affine.load %b[%i, %j - 1] : memref<8x8xf32>
      %w = affine.load %b[%i, %j] : memref<8x8xf32>
      %s = arith.addf %v, %w : f32
      affine.store %s, %b[%i, %j] : memref<8x8xf32>
    }}
  }}
  return"""), [make(8, 8), make(8, 8)], [1], lambda a, b: update(b, np.cumsum(np.exp(a), 1)))
case("to_tensor", function("to_tensor", [m("?"), m("?")], f"""
  %t = bufferization.to_tensor %a : memref<?xf32> to tensor<?xf32>
  %r = linalg.exp ins(%t : tensor<?xf32>) outs(%t : tensor<?xf32>) -> tensor<?xf32>
  bufferization.materialize_in_destination %r in writable %b : (tensor<?xf32>, memref<?xf32>) -> ()
  return"""), [make(9), make(9)], [1], lambda a, b: update(b, np.exp(a)))
case("tensor_in", function("tensor_in", ["tensor<?xf32>", m("?")], f"""
  %t = bufferization.to_tensor %b : memref<?xf32> to tensor<?xf32>
  %r = linalg.add ins(%t, %a : tensor<?xf32>, tensor<?xf32>) outs(%a : tensor<?xf32>) -> tensor<?xf32>
  linalg.exp ins(%b : memref<?xf32>) outs(%b : memref<?xf32>)
  return %r : tensor<?xf32>""", "tensor<?xf32>"), [make(9), make(9)], [1],
     lambda a, b: [(r := a + b), update(b, np.exp(b))][:1])
case("to_buffer", function("to_buffer", ["tensor<?xf32>", m("?")], f"""
  %t = bufferization.to_buffer %a : tensor<?xf32> to memref<?xf32>
  linalg.exp ins(%t : memref<?xf32>) outs(%b : memref<?xf32>)
  return"""), [make(9), make(9)], [1], lambda a, b: update(b, np.exp(a)))
case("selects", function("selects", ["i32", m("8"), m("8"), m("8")], f"""
  %z = arith.constant 0 : i32
  %p = arith.cmpi sgt, %a, %z : i32
  %s = arith.select %p, %b, %c : memref<8xf32>
  linalg.exp ins(%s : memref<8xf32>) outs(%d : memref<8xf32>)
  return"""), [0, make(8), make(8), make(8)], [1, 2, 3], lambda a, b, c, d: update(d, np.exp(c)))
case("reinterpret", function("reinterpret", [m("12"), m("3x4")], f"""
  %x = memref.reinterpret_cast %a to offset: [0], sizes: [3, 4], strides: [4, 1] : memref<12xf32> to memref<3x4xf32>
  linalg.exp ins(%x : memref<3x4xf32>) outs(%b : memref<3x4xf32>)
  return"""), [make(12), make(3, 4)], [1], lambda a, b: update(b, np.exp(a.reshape(3, 4))))
case("rank0", function("rank0", ["memref<f32>", "memref<f32>"], f"""
  linalg.exp ins(%a : memref<f32>) outs(%b : memref<f32>)
  return"""), [0.5, make()], [1], lambda a, b: update(b, np.exp(a)))
case("empty", function("empty", [m("0x4"), m("0x4")], f"""
  linalg.exp ins(%a : memref<0x4xf32>) outs(%b : memref<0x4xf32>)
  return"""), [make(0, 4), make(0, 4)], [1], lambda a, b: None)

# Vectors as elements.
V = "vector<4xf32>"
case("example1", function("example1", [m("?"), m("?", V, S(2, 1))], generic(
    "m", ["m", "m"], "p", ["%a"], ["%b"], [m("?"), m("?", V, S(2, 1))],
    f"    %v = vector.broadcast %x0 : f32 to {V}\n    %c = arith.addf %v, %x1 : {V}\n    linalg.yield %c : {V}")
 + "  return"),
     [make(9), make(9, 4)], [1], lambda a, b: update(b, b + a[:, None]))
case("vector_map", function("vector_map", [m(D2, V), m("?x9", V)], generic(
    "i, j", ["j, i", "i, j"], "pp", ["%a"], ["%b"], [m(D2, V), m("?x9", V)],
    f"    %k = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : {V}\n    %c = arith.mulf %x0, %k : {V}\n"
    f"    linalg.yield %c : {V}") + "  return"),
     [make(9, 7, 4), make(7, 9, 4)], [1], lambda a, b: update(b, a.transpose(1, 0, 2) * np.float32([1, 2, 3, 4])))
case("vector_mm", function("vector_mm", [m(D2), m(D2, V), m(D2, V)], generic(
    "m, n, k", ["m, k", "k, n", "m, n"], "ppr", ["%a", "%b"], ["%c"], [m(D2), m(D2, V), m(D2, V)],
    f"    %v = vector.broadcast %x0 : f32 to {V}\n" + muladd(V, a="%v").replace("muli", "mulf").replace("addi", "addf"))
    + "  return"), [make(19, 7), make(7, 11, 4), make(19, 11, 4)], [2],
     lambda a, b, c: update(c, c + np.einsum("mk,knv->mnv", a, b)))
case("vector_loads", function("vector_loads", [m("?", V), m("?", V), m("?")], f"""
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : {m("?", V)}
  %w = memref.dim %b, %c0 : {m("?", V)}
  %k = arith.constant dense<2.0> : {V}
  linalg.copy ins(%a : {m("?", V)}) outs(%b : {m("?", V)})
  scf.for %i = %c0 to %n step %c1 {{
    %v = memref.load %b[%i] : {m("?", V)}
    %p = arith.mulf %v, %k : {V}
    %q = vector.extract %p[1] : f32 from {V}
    %r = vector.insert %q, %p[0] : f32 into {V}
    %s = vector.reduction <add>, %r : {V} into f32
    memref.store %r, %b[%i] : {m("?", V)}
    memref.store %s, %c[%i] : {m("?")}
  }}
  return"""), [make(9, 4), make(9, 4), make(9)], [1, 2],
     lambda a, b, c: (update(b, 2 * a[:, [1, 1, 2, 3]]), update(c, b.sum(1)))[2:])
case("vector_fill", function("vector_fill", [m("?", V)], f"""
  %k = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : {V}
  linalg.fill ins(%k : {V}) outs(%a : {m("?", V)})
  return"""), [make(9, 4)], [0], lambda a: update(a, [1, 2, 3, 4]))
case("vector_rows", function("vector_rows", [m("?x3", V), m("?x3", V)], f"""
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : {m("?x3", V)}
  scf.for %i = %c0 to %n step %c1 {{
    %x = memref.subview %a[%i, 0] [1, 3] [1, 1] : {m("?x3", V)} to memref<3x{V}, strided<[1], offset: ?>>
    %y = memref.subview %b[%i, 0] [1, 3] [1, 1] : {m("?x3", V)} to memref<3x{V}, strided<[1], offset: ?>>
    linalg.copy ins(%x : memref<3x{V}, strided<[1], offset: ?>>) outs(%y : memref<3x{V}, strided<[1], offset: ?>>)
  }}
  return"""), [make(5, 3, 4), make(5, 3, 4)], [1], lambda a, b: update(b, a))
case("lower", function("lower", [m(D2), m(D2), m(D2)], f"""
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %n = memref.dim %b, %c1 : memref<?x?xf32>
  scf.for %i = %c0 to %m step %c1 {{
    %x = memref.subview %a[%i, 0] [1, %i] [1, 1] : memref<?x?xf32> to memref<1x?xf32, strided<[?, 1], offset: ?>>
    %y = memref.subview %b[0, 0] [%i, %n] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %z = memref.subview %c[%i, 0] [1, %n] [1, 1] : memref<?x?xf32> to memref<1x?xf32, strided<[?, 1], offset: ?>>
    linalg.matmul ins(%x, %y : memref<1x?xf32, strided<[?, 1], offset: ?>>, memref<?x?xf32, strided<[?, 1]>>)
      outs(%z : memref<1x?xf32, strided<[?, 1], offset: ?>>)
  }}
  return"""), [make(37, 37), make(37, 29), make(37, 29)], [2], lambda a, b, c: update(c, c + np.tril(a, -1) @ b))
case("trailing", function("trailing", [m(D2)], f"""
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %e = arith.subi %m, %c8 : index
  scf.for %i = %c0 to %e step %c8 {{
    %j = arith.addi %i, %c8 : index
    %s = arith.subi %m, %j : index
    %x = memref.subview %a[%j, %i] [%s, 8] [1, 1] : memref<?x?xf32> to memref<?x8xf32, strided<[?, 1], offset: ?>>
    %y = memref.subview %a[%i, %j] [8, %s] [1, 1] : memref<?x?xf32> to memref<8x?xf32, strided<[?, 1], offset: ?>>
    %z = memref.subview %a[%j, %j] [%s, %s] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    linalg.matmul ins(%x, %y : memref<?x8xf32, strided<[?, 1], offset: ?>>, memref<8x?xf32, strided<[?, 1], offset: ?>>)
      outs(%z : memref<?x?xf32, strided<[?, 1], offset: ?>>)
  }}
  return"""), [make(32, 32) / 8], [0],
     lambda a: [update(a[i + 8:, i + 8:], a[i + 8:, i + 8:] + a[i + 8:, i:i + 8] @ a[i:i + 8, i + 8:])
                for i in range(0, 24, 8)][5:])


# Contractions by every kind that vector.contract has.
def fold(combine):
    def does(a, b, c):
        for k in range(a.shape[1]):
            c[...] = combine(c, a[:, k, None] * b[None, k, :])
    return does


def unsigned(combine):
    def does(x, y):
        u = x.dtype.str.replace("i", "u")
        return combine(x.view(u), y.view(u)).view(x.dtype)
    return does


MATMUL_MAPS = ("indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, "
               "affine_map<(m, n, k) -> (m, n)>]")
INTEGER_KINDS = {"mul": np.multiply, "minsi": np.minimum, "maxsi": np.maximum,
                 "minui": unsigned(np.minimum), "maxui": unsigned(np.maximum),
                 "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}
FLOAT_KINDS = {"mul": np.multiply, "minimumf": np.minimum, "maximumf": np.maximum,
               "minnumf": np.fmin, "maxnumf": np.fmax}
KINDS = [("i32", "i4", INTEGER_KINDS), ("f32", "f4", FLOAT_KINDS),
         ("i16", "i2", {"maxsi": np.maximum, "minui": unsigned(np.minimum)}),
         ("i64", "i8", {"xor": np.bitwise_xor, "minsi": np.minimum}), ("f64", "f8", {"maximumf": np.maximum}),
         # Products of bytes wrap around, and so does what is compared.
         ("i8", "i1", {"add": np.add, **INTEGER_KINDS}),
         # True is -1 to what is signed.
         ("i1", "?", {"add": np.bitwise_or, "mul": np.bitwise_and, "minsi": np.bitwise_or, "maxsi": np.bitwise_and,
                      "minui": np.bitwise_and, "maxui": np.bitwise_or, "and": np.bitwise_and,
                      "or": np.bitwise_or, "xor": np.bitwise_xor})]
for element, dtype, kinds in KINDS:
    for kind, combine in kinds.items():
        scale = np.array(13 if element == "i8" else 1, dtype)
        named(f"kind_{kind}_{element}", "contract", [m(D2, element)] * 3,
              [make(19, 7, dtype=dtype) * scale, make(7, 37, dtype=dtype), make(19, 37, dtype=dtype)], fold(combine),
              f"{MATMUL_MAPS} kind = #linalg.kind<{kind}>")


# A result of the extents of a buffer, which is written before and after.
case("tensor_of_buffer", """func.func @tensor_of_buffer(%a: tensor<?x?xf32>, %b: memref<?x?xf32>) -> tensor<?x?xf32> {
  %two = arith.constant 2.0 : f32
  linalg.fill ins(%two : f32) outs(%b : memref<?x?xf32>)
  %t = bufferization.to_tensor %b restrict : memref<?x?xf32> to tensor<?x?xf32>
  %r = linalg.matmul ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>) outs(%t : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
""", [make(13, 13), make(13, 13)], [1], lambda a, b: [update(b, 2), a @ a + 2][1:])


# What is copied, and read after what it was copied from was written over, round
# after round: by the reader, and by another op before it.
def copied(name, middle, reader, written, does):
    body = ("  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %c3 = arith.constant 3 : index\n"
            "  scf.for %r = %c0 to %c3 step %c1 {\n"
            "  linalg.copy ins(%b : memref<?x?xf32>) outs(%a : memref<?x?xf32>)\n" + middle + reader +
            "  }\n  return")

    def rounds(*arrays):
        for _ in range(3):
            does(*arrays)
    case(name, function(name, [m(D2)] * 3, body), [make(17, 17), make(17, 17), make(17, 17)], written, rounds)


def add_to(source, target, access):
    return generic("i, j", [access, "i, j"], "pp", [source], [target], [m(D2)] * 2,
                   "    %s = arith.addf %x1, %x0 : f32\n    linalg.yield %s : f32")


copied("copied_self", "", add_to("%a", "%b", "j, i"), [0, 1], lambda a, b, c: [update(a, b), update(b, b + a.T)])
copied("copied_other", add_to("%c", "%b", "i, j"), add_to("%a", "%c", "j, i"), [0, 1, 2],
       lambda a, b, c: [update(a, b), update(b, b + c), update(c, c + a.T)])


# Buffers that change places from round to round: an even and an odd number of
# rounds, none, what is carried beside them, three of them, loops in loops, and
# the memref that the loop returns.
def blur(x, y):
    y[1:-1] = (x[:-2] + x[2:]) * np.float32(0.5)


BLUR = """
    %l = memref.subview {x}[0] [%m] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
    %h = memref.subview {x}[2] [%m] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: 2>>
    %o = memref.subview {y}[1] [%m] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: 1>>
    linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                    iterator_types = ["parallel"]}}
      ins(%l, %h : memref<?xf32, strided<[1]>>, memref<?xf32, strided<[1], offset: 2>>)
      outs(%o : memref<?xf32, strided<[1], offset: 1>>) {{
    ^bb0(%p: f32, %q: f32, %old: f32):
      %s = arith.addf %p, %q : f32
      %r = arith.mulf %s, %half : f32
      linalg.yield %r : f32
    }}
"""
HEAD = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %half = arith.constant 0.5 : f32
  %n = memref.dim %a, %c0 : memref<?xf32>
  %m = arith.subi %n, %c2 : index
  %t = arith.index_cast %steps : i32 to index
"""


def rotation(name, steps, body, does, arrays=2):
    names = "abcd"[:arrays]
    head = ", ".join(f"%{n}: memref<?xf32>" for n in names)
    text = f"func.func @{name}({head}, %steps: i32) {{{HEAD}{body}  return\n}}\n"
    case(name, text, [make(9) for _ in names] + [steps], list(range(arrays)), does)


def swaps(steps):
    def does(a, b, _):
        for _ in range(steps):
            blur(a, b)
            a, b = b, a
    return does


TWO = "memref<?xf32>, memref<?xf32>"
for steps in (0, 1, 2, 5):
    rotation(f"swap{steps}", steps, f"""
  %r:2 = scf.for %i = %c0 to %t step %c1 iter_args(%x = %a, %y = %b) -> ({TWO}) {{
    {BLUR.format(x="%x", y="%y")}
    scf.yield %y, %x : {TWO}
  }}
""", swaps(steps))


def returned(steps):
    def does(a, b, c, _):
        x, y = a, b
        for i in range(1, steps, 3):
            blur(x, y)
            y[0] = i
            x, y = y, x
        c[...] = x
    return does


for steps in (1, 2, 6, 7, 8):
    rotation(f"swap_returned{steps}", steps, f"""
  %first = arith.sitofp %steps : i32 to f32
  %r:3 = scf.for %i = %c1 to %t step %c3 iter_args(%x = %a, %s0 = %first, %y = %b)
      -> (memref<?xf32>, f32, memref<?xf32>) {{
    {BLUR.format(x="%x", y="%y")}
    %j = arith.index_cast %i : index to i32
    %v = arith.sitofp %j : i32 to f32
    memref.store %v, %y[%c0] : memref<?xf32>
    scf.yield %y, %v, %x : memref<?xf32>, f32, memref<?xf32>
  }}
  memref.copy %r#0, %c : memref<?xf32> to memref<?xf32>
""", returned(steps), 3)


def turns(steps):
    def does(a, b, c, _):
        for _ in range(steps):
            blur(a, b)
            a, b, c = b, c, a
    return does


for steps in (2, 3, 7):
    rotation(f"rotate{steps}", steps, f"""
  %r:3 = scf.for %i = %c0 to %t step %c1 iter_args(%x = %a, %y = %b, %z = %c)
      -> ({TWO}, memref<?xf32>) {{
    {BLUR.format(x="%x", y="%y")}
    scf.yield %y, %z, %x : {TWO}, memref<?xf32>
  }}
""", turns(steps), 3)


def nested(steps):
    def does(a, b, _):
        for _ in range(3):
            swaps(steps)(a, b, 0)
    return does


for steps in (2, 3):
    rotation(f"swap_nested{steps}", steps, f"""
  scf.for %k = %c0 to %c3 step %c1 {{
    %r:2 = scf.for %i = %c0 to %t step %c1 iter_args(%x = %a, %y = %b) -> ({TWO}) {{
      {BLUR.format(x="%x", y="%y")}
      scf.yield %y, %x : {TWO}
    }}
  }}
""", nested(steps))


# A row of loops, each of which goes on with what the one before it returns. As
# what follows a loop is there for each of its ends, it would grow exponentially.
def row(count):
    def does(a, b, steps):
        for _ in range(count):
            swaps(steps)(a, b, 0)
            if steps % 2:
                a, b = b, a
    return does


ROW = "".join(f"""
  %r{k}:2 = scf.for %i = %c0 to %t step %c1 iter_args(%x = {source[0]}, %y = {source[1]}) -> ({TWO}) {{
    {BLUR.format(x="%x", y="%y")}
    scf.yield %y, %x : {TWO}
  }}""" for k in range(24) for source in [("%a", "%b") if k == 0 else (f"%r{k - 1}#0", f"%r{k - 1}#1")])
rotation("swap_row", 3, ROW + "\n", row(24))


# Cycles of two lengths, which stay in memory.
def cycles(a, b, c, steps):
    x, y, z = a, b, c
    for _ in range(steps):
        blur(x, y)
        x, y, z = y, z, x


rotation("swap_cycles", 5, f"""
  %r:5 = scf.for %i = %c0 to %t step %c1 iter_args(%v = %a, %w = %b, %x = %a, %y = %b, %z = %c)
      -> ({TWO}, {TWO}, memref<?xf32>) {{
    {BLUR.format(x="%x", y="%y")}
    scf.yield %w, %v, %y, %z, %x : {TWO}, {TWO}, memref<?xf32>
  }}
""", cycles, 3)


# What is written over is an input as well.
def over(a, b, steps):
    for _ in range(steps):
        b[...] = b * b - b
        a, b = b, a


rotation("swap_over", 3, f"""
  %r:2 = scf.for %i = %c0 to %t step %c1 iter_args(%x = %a, %y = %b) -> ({TWO}) {{
    linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                    iterator_types = ["parallel"]}}
      ins(%y : memref<?xf32>) outs(%y : memref<?xf32>) {{
    ^bb0(%p: f32, %q: f32):
      %s = arith.mulf %p, %q : f32
      %u = arith.subf %s, %p : f32
      linalg.yield %u : f32
    }}
    scf.yield %y, %x : {TWO}
  }}
""", over)
