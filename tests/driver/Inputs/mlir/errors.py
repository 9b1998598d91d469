"""Modules that einc refuses, each with a part of what it has to say."""
import os
import subprocess

ADD = """affine_map<(i) -> (i)>"""
OWN = ("func.func @f(%a: memref<4xf32>) attributes {{ein.contiguous = {}, ein.signature = {{arguments = [{{dims = "
       'affine_map<() -> (4)>, name = "a", role = "input", type = "f32"}}], checks = [], symbols = []}}}} {{ return }}')
OUTSIDE = ("func.func private @g({0})\nfunc.func @f(%x: {0}) {{\n  call @g(%x) : ({0}) -> ()\n  return\n}}")
CASES = [
    ("truncated", "func.func @f(%a: tensor<4xf32>) -> tens", "bad.mlir:1:"),
    ("empty", "", "no function is defined"),
    ("private", "func.func private @f() { return }", "no function is defined"),
    ("level number", "module attributes {ein.level = 3} { func.func @f() { return } }",
     "has an `ein.level` that is not a string"),
    ("level name", 'module attributes {ein.level = "soup"} { func.func @f() { return } }',
     "`ein.level` is no level"),
    ("level of nonsense", 'module attributes {ein.level = "tiled"} { func.func @f() { return } }',
     "no function has `ein.signature`"),
    ("signature number", "func.func @f() attributes {ein.signature = 3} { return }", "`ein.signature`"),
    ("signature of another function",
     'func.func @f(%a: tensor<4xf32>) attributes {ein.signature = {arguments = [], '
     'checks = [], symbols = []}} { return }',
     "does not have the type that its `ein.signature` implies"),
    ("signature that divides",
     'func.func @f(%a: tensor<?xf32>, %n: index) attributes {ein.signature = {arguments = [{dims = '
     'affine_map<()[s0] -> (s0 ceildiv 2)>, name = "a", role = "input", type = "f32"}], '
     'checks = [], symbols = ["n"]}} { return }',
     "malformed `ein.signature`"),
    ("contiguous, out of range", OWN.format("array<i64: 7>"), "has no argument #7, which its `ein.contiguous` names"),
    ("contiguous, malformed", OWN.format('"soup"'), "has an `ein.contiguous` that is not an array"),
    ("strategy",
     'func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {\n'
     '  %r = linalg.exp {ein.schedule = #ein.schedule<loops = [d0, d1], vector = d0>} ins(%a : tensor<4xf32>)'
     ' outs(%b : tensor<4xf32>) -> tensor<4xf32>\n  return %r : tensor<4xf32>\n}',
     "bad.mlir:2:8: error: 'linalg.exp' op has 1 loops, and its schedule 2"),
    ("deep regions", "func.func @f(%a: i1) {\n" + "scf.if %a {\n" * 10000 + "}\n" * 10000 + "return\n}",
     "bad.mlir:257:11: error: nests more than 256 levels deep"),
    ("deep types", "func.func private @f(" + "tuple<" * 10000 + "i1" + ">" * 10000 + ")", "bad.mlir:1:1557: error: nests more"),
    ("deep expressions", "#m = affine_map<(i) -> (" + "-" * 10000 + "i)>", "error: nests more than 256 levels deep"),
    ("gpu", "gpu.module @m { }", "`gpu.module` cannot be compiled"),
    ("vector", "func.func @f() {\n  %v = vector.step : vector<4xindex>\n  return\n}",
     "bad.mlir:2:8: error: `vector.step` cannot be compiled"),
    ("vector argument", "func.func @f(%a: vector<4xf32>) {\n  return\n}", "is a vector; take it in an array"),
    ("vector result", "func.func @f(%a: f32) -> vector<4xf32> {\n  %v = vector.broadcast %a : f32 to vector<4xf32>\n"
     "  return %v : vector<4xf32>\n}", "is a vector; give it in an array"),
    ("long vectors", "func.func @f(%a: memref<4xvector<65xf32>>) {\n  return\n}", "is of vectors that are too long"),
    ("blocks", "func.func @f() {\n  cf.br ^a\n^a:\n  return\n}", "several blocks"),
    ("recursion", "func.func @f(%x: memref<4xf32>) {\n  call @f(%x) : (memref<4xf32>) -> ()\n  return\n}",
     "bad.mlir:2:3: error: `f` calls itself"),
    ("layout", OUTSIDE.format("memref<4xf32, strided<[2]>>"),
     "bad.mlir:2:1: error: an argument of `f`, 'memref<4xf32, strided<[2]>>', has strides or an offset"),
    ("dynamic extents", OUTSIDE.format("memref<4x?xf32, strided<[8, 1]>>"), "has strides or an offset"),
    ("offset", OUTSIDE.format("memref<4xf32, strided<[1], offset: 2>>"), "has strides or an offset"),
    ("softmax", "func.func private @g(memref<4x4xf32>)\nfunc.func @f(%x: memref<4x4xf32>) {\n"
     "  call @g(%x) : (memref<4x4xf32>) -> ()\n  linalg.softmax dimension(1) ins(%x : memref<4x4xf32>)"
     " outs(%x : memref<4x4xf32>)\n  return\n}",
     "bad.mlir:4:3: error: `linalg.softmax` is compiled on tensors only, and a memref of it cannot become one"),
    ("softmax of integers", "func.func @f(%x: memref<4x4xi32>, %y: memref<4x4xi32>) {\n"
     "  linalg.softmax dimension(1) ins(%x : memref<4x4xi32>) outs(%y : memref<4x4xi32>)\n  return\n}",
     "bad.mlir:2:3: error: `linalg.softmax` is of floats only"),
    ("layout map", "func.func @f(%x: memref<4xf32, affine_map<(i) -> (i floordiv 2, i mod 2)>>) { return }",
     "has a layout that strides do not give"),
    ("memory space", "func.func @f(%x: memref<4x4xf32, strided<[?, 1]>, 3>) { return }", "is in a memory space"),
    ("memref result", "func.func @f(%x: memref<4xf32>) -> memref<4xf32> { return %x : memref<4xf32> }",
     "result #0 of `f`, 'memref<4xf32>', is a memref"),
    ("unranked", "func.func @f(%x: tensor<*xf32>) { return }", "has no rank"),
    ("extent of data",
     "func.func @f(%x: tensor<4xindex>) -> tensor<?xf32> {\n  %c0 = arith.constant 0 : index\n"
     "  %n = tensor.extract %x[%c0] : tensor<4xindex>\n  %r = tensor.empty(%n) : tensor<?xf32>\n"
     "  return %r : tensor<?xf32>\n}", None),
    ("product of extents",
     "func.func @f(%x: tensor<?x?xf32>) -> tensor<?xf32> {\n"
     "  %r = tensor.collapse_shape %x [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>\n"
     "  return %r : tensor<?xf32>\n}",
     "bad.mlir:3:3: error: result #0 of `f` has an extent, dim 0, that is not a linear function"),
    ("name", 'func.func @"a b"() { return }', "`a b` is not a name in C"),
    ("reserved", "func.func @__ein_f() { return }", "are reserved"),
    ("keyword", "func.func @double() { return }", "double"),
    ("external tensor", "func.func private @g(tensor<4xf32>)\nfunc.func @f() { return }",
     "an external function takes memrefs and scalars"),
    ("freed argument", "func.func @f(%x: memref<4xf32>) {\n  memref.dealloc %x : memref<4xf32>\n  return\n}",
     "bad.mlir:2:3: error: frees what is not allocated"),
    ("gather",
     "func.func @f(%x: tensor<4xf32>, %i: tensor<2x1xindex>) -> tensor<2x1xf32> {\n"
     "  %r = tensor.gather %x[%i] gather_dims([0]) : (tensor<4xf32>, tensor<2x1xindex>) -> tensor<2x1xf32>\n"
     "  return %r : tensor<2x1xf32>\n}", "`tensor.gather` cannot be compiled"),
]

for name, text, wanted in CASES:
    with open("bad.mlir", "w") as file:
        file.write(text)
    done = subprocess.run(["einc", "build", "bad.mlir", "-o", "out.o"], capture_output=True, text=True)
    assert done.returncode == 1, f"{name}: status {done.returncode}: {done.stderr}"
    assert "error:" in done.stderr and "bug" not in done.stderr, f"{name}: {done.stderr}"
    assert wanted is None or wanted in done.stderr, f"{name}: {done.stderr}"
    assert not os.path.exists("out.o"), name
done = subprocess.run(["einc", "verify", "bad.mlir"], capture_output=True, text=True)
assert done.returncode == 2 and "does not take MLIR, which has no reference" in done.stderr, done.stderr

# Files without an end, as a source and as a script; a script that nests.
for words in (["/dev/zero"], ["/dev/zero", "-e", "C(i) = A(i)"], ["--transform", "/dev/zero", "-e", "C(i) = A(i)"]):
    done = subprocess.run(["einc", "build", *words, "-o", "out.o"], capture_output=True, text=True)
    assert done.returncode in (1, 2), f"{words}: {done.returncode} {done.stderr}"
done = subprocess.run("einc build - -o out.o < /dev/zero", shell=True, capture_output=True, text=True)
assert done.returncode == 1 and "`-` is larger than a program can be" in done.stderr, done.stderr
with open("deep.mlir", "w") as file:
    file.write("(" * 10000)
done = subprocess.run(["einc", "build", "--transform", "deep.mlir", "-e", "C(i) = A(i)", "-o", "out.o"],
                      capture_output=True, text=True)
assert done.returncode == 1 and "`deep.mlir` nests more than 256 levels deep" in done.stderr, done.stderr

# As deep as may be.
with open("bad.mlir", "w") as file:
    file.write("func.func @f(%a: i1, %x: memref<4xf32>) {\n" + "scf.if %a {\n" * 250 +
               "linalg.exp ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)\n" + "}\n" * 250 + "return\n}")
done = subprocess.run(["einc", "build", "bad.mlir", "-o", "deep.o"], capture_output=True, text=True)
assert done.returncode == 0, f"{done.returncode} {done.stderr[:1000]}"

# Cut off anywhere, or with a digit changed: an error or a program, and no crash.
zoo = open(os.path.join(os.path.dirname(__file__), "zoo.mlir")).read()
cuts = [zoo[:i] for i in range(1, len(zoo), len(zoo) // 20)]
digits = [i for i, c in enumerate(zoo) if c.isdigit()]
cuts += [zoo[:i] + "7" + zoo[i + 1:] for i in digits[::len(digits) // 20]]
for text in cuts:
    with open("bad.mlir", "w") as file:
        file.write(text)
    done = subprocess.run(["einc", "build", "bad.mlir", "--emit", "mlir", "-o", "out.mlir"],
                          capture_output=True, text=True)
    assert done.returncode in (0, 1), f"status {done.returncode}: {done.stderr}\n{text}"
