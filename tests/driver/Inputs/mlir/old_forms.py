"""Text of 2019 to 2021, each with what einc says to write instead.

Every entry of OldForms.def has to be told for one of them.
"""
import re
import subprocess
import sys

TWO = "func.func @f(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %i: index) {{\n  {}\n  return\n}}\n"
ONE = "func.func @f(%a: f32, %b: f32, %i: index, %m: memref<8xf32>) {{\n  {}\n  return\n}}\n"
MAPS = "#m = affine_map<(i) -> (i)>\n#t = {{args_in = 1, args_out = 1, indexing_maps = [#m, #m], iterator_types = [\"parallel\"]}}\n"
VECTORS = MAPS + "func.func @f(%A: memref<?xf32>, %B: memref<?xf32>) {{\n  {}\n  return\n}}\n"
# The text, and how the advice starts.
CASES = [
    (TWO, "%1 = linalg.range %i:%i:%i : !linalg.range", "the offset, size and stride"),
    ("func.func @f(%r: !linalg.range) {{ return }}{}", "", "`index`: three of them"),
    (TWO, "%1 = linalg.slice %A[%i, %i] : memref<?x?xf32>, index, index, memref<f32>", "`memref.subview %0[%i, 0]"),
    (TWO, "%1 = linalg.reshape %A [(i, j) -> (i, j)] : memref<?x?xf32> into memref<?xf32>", "`memref.collapse_shape"),
    (TWO, "%1 = linalg.transpose %A (i, j) -> (j, i) : memref<?x?xf32>", "`memref.transpose"),
    (TWO, "%1 = linalg.tile %A : memref<?x?xf32>", "`linalg.pack"),
    (TWO, "%1 = linalg.intersection %A, %B : memref<?x?xf32>", "`memref.subview` from the `arith.maxsi`"),
    (TWO, "%1 = linalg.convex_union %A, %B : memref<?x?xf32>", "`memref.subview` from the `arith.minsi`"),
    (TWO, "%1 = linalg.difference %A, %B : memref<?x?xf32>", "a `memref.subview` for each"),
    (TWO, "%1 = linalg.view %A : memref<?x?xf32>", "`memref.view`"),
    (TWO, "%1 = linalg.subview %A[%i] : memref<?x?xf32>", "`memref.subview`"),
    (TWO, "%1 = linalg.dim %A, 0 : memref<?x?xf32>", "`memref.dim`"),
    (TWO, "%1 = linalg.load %A[%i, %i] : memref<?x?xf32>", "`memref.load`"),
    (TWO, "linalg.store %i, %A[%i, %i] : memref<?x?xf32>", "`memref.store`"),
    (TWO, "%1 = std.view %A[%i] : memref<?x?xf32>", "`memref.view`"),
    (TWO, "%1 = std.subview %A[%i] : memref<?x?xf32>", "`memref.subview`"),
    (TWO, "%1 = std.addf %A, %A : f32", "an op of `arith`"),
    (VECTORS, "linalg.indexed_generic #t ins(%A : memref<?xf32>) outs(%B : memref<?xf32>) {}", "`linalg.generic`, with"),
    (VECTORS, "linalg.generic #t %A, %B { ^bb0(%a: f32, %b: f32): linalg.yield %a : f32 } : memref<?xf32>, memref<?xf32>",
     "`ins(%A : memref<?xf32>)"),
    (VECTORS, "linalg.generic #t ins(%A : memref<?xf32>) outs(%B : memref<?xf32>)", "a body"),
    ("func.func @f(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {{\n  {}\n  return %d : tensor<?x?xf32>\n}}\n",
     "%d = linalg.matmul ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>) init(%a : tensor<?x?xf32>) -> tensor<?x?xf32>",
     "`outs(%c"),
    (TWO, "linalg.fill(%A, %i) : memref<?x?xf32>, f32", "`linalg.fill ins("),
    (TWO, "linalg.copy(%A, %B) : memref<?x?xf32>, memref<?x?xf32>", "`linalg.copy ins("),
    (TWO, "linalg.matmul(%A, %A, %B) : memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>", "`ins(%A, %B"),
    ("func.func @f(%a: memref<?x?xf32>, %b: tensor<?x?xf32>, %c: memref<?x?xf32>) {{\n  {}\n  return\n}}\n",
     "linalg.matmul ins(%a, %b : memref<?x?xf32>, tensor<?x?xf32>) outs(%c : memref<?x?xf32>)", "tensors alone or memrefs"),
    (TWO, "linalg.conv(%A, %A, %B) {strides = [1]} : memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>", "a convolution that"),
    (TWO, "linalg.fill_rng(%A, %i, %i, %i) : memref<?x?xf32>, f64, f64, i32", "`linalg.fill_rng_2d"),
    (TWO, "linalg.matmul_transpose_a ins(%A, %A : memref<?x?xf32>) outs(%B : memref<?x?xf32>)", "`linalg.matmul` or"),
    (TWO, "linalg.batch_matmul_transpose_b ins(%A, %A : memref<?x?xf32>)", "`linalg.batch_matmul` or"),
    ("func.func @f(%m: memref<?xf32, offset: 1, strides: [2]>) {{ return }}{}", "", "a layout in one attribute"),
    ("#maps = [(m, n, k) -> (m, k)]\nfunc.func @f() {{ return }}{}", "", "`affine_map<(i, j) -> (j, i)>`"),
    ("func @f(%a: f32) {{ return }}{}", "", "`func.func`"),
    (ONE, "loop.for %j = %i to %i step %i { }", "an op of `scf`"),
    (ONE, "%0 = constant 0 : index", "`arith.constant 0"),
    ("{}", "constant 0 : index", "`arith.constant`"),
]
for op, now in [("dim %m, 0", "`memref.dim` or"), ("load %m[%i]", "`memref.load`"), ("store %a, %m[%i]", "`memref.store`"),
                ("alloc() : memref<4xf32>", "`memref.alloc` or"), ("dealloc %m", "`memref.dealloc`"),
                ("view %m[%i]", "`memref.view`"), ("subview %m[%i]", "`memref.subview`"),
                ("memref_cast %m", "`memref.cast`"), ("tensor_cast %m", "`tensor.cast`"),
                ("tensor_load %m", "`bufferization.to_tensor`"), ("fpext %a", "`arith.extf`"),
                ("fptrunc %a", "`arith.truncf`"), ("sexti %i", "`arith.extsi`"), ("zexti %i", "`arith.extui`"),
                ("exp %a", "`math.exp`"), ("log %a", "`math.log`")]:
    CASES.append((ONE, f"{op} : f32", now))
for op in ["addf", "subf", "mulf", "divf", "addi", "subi", "muli", "cmpf", "cmpi", "select", "index_cast", "uitofp",
           "sitofp", "fptosi", "trunci"]:
    CASES.append((ONE, f"%0 = {op} %a, %b : f32", f"`arith.{op}`"))

told = set()
wrong = []
for frame, text, wanted in CASES:
    with open("old.mlir", "w") as file:
        file.write(frame.format(text))
    done = subprocess.run(["einc", "build", "old.mlir", "-o", "out.o"], capture_output=True, text=True)
    assert done.returncode == 1, f"{text}: status {done.returncode}: {done.stderr}"
    notes = re.findall(r"note: instead, LLVM 22 has (.*)", done.stderr)
    if len(notes) != 1 or not notes[0].startswith(wanted):
        wrong.append(f"{frame.format(text)}: {done.stderr}")
    told.update(notes)
assert not wrong, "\n".join(wrong)

table = open(sys.argv[1]).read()
entries = re.findall(r"^EIN_OLD_FORM\((.*?)\)$", table, re.MULTILINE | re.DOTALL)
# The last argument: literals that follow each other without a comma.
advices = {"".join(re.findall(r'"([^"]*)"', re.search(r'(?:"[^"]*"\s*)+$', entry).group())) for entry in entries}
assert len(entries) > 50
assert not advices - told, f"no text for {advices - told}"
print(f"{len(entries)} forms are told")
