"""Calls every op of upstream's linalg, and sees which become that op.

einc makes the op only after generalising it and comparing maps, iterators and
body with the statement of the prelude, so that an op that is there is an op
whose definition here is upstream's. What does not generalise (softmax, packs)
is compared as numbers, in tests/e2e and by `einc verify`. What cannot be called
has to say why.
"""

import os
import re
import shutil
import subprocess
import sys

# Types that an op is not called with f32 for.
TYPES = {
    "quantized_": {"T1": "i8", "T2": "i8", "U": "i32"},
    "_q": {"T1": "i8", "T2": "i8", "U": "i32"},
    "div_unsigned": {"T": "u32"},
    "_max_unsigned": {"T1": "u8", "U": "u32"},
    "_min_unsigned": {"T1": "u8", "U": "u32"},
}
# Called with lists or texts, by a program of their own.
PROGRAMS = {
    "transpose": "def f(A: f32(M, N, 4)) -> (B: f32(4, M, N)) "
    "{ B = transpose(A, permutation=[2, 0, 1]) }",
    "broadcast": "def f(A: f32(M, 4)) -> (B: f32(M, 5, 4)) "
    "{ B = broadcast(A, dimensions=[1]) }",
    "elementwise": "def f(A: f32(M), B: f32(M)) -> (C: f32(M)) "
    '{ C = elementwise(kind="sub", A, B) }',
    "contract": "def f(A: f32(K, M), B: f32(N, K)) -> (C: f32(N, M)) "
    '{ C = contract("km,nk->nm", A, B) }',
    "index": "def f() -> (A: i64(5)) { A(i) = index(i) }",
    "softmax": "def f(A: f32(M, N)) -> (B) { B = softmax(A, dim=1) }",
    "pack": "def f(A: f32(7, N)) -> (P) "
    "{ P = pack(A, 0, inner_dims_pos=[0], inner_tiles=[4]) }",
    "unpack": "def f(P: f32(2, N, 4)) -> (A: f32(7, N)) "
    "{ A = unpack(P, inner_dims_pos=[0], inner_tiles=[4]) }",
}
# What upstream has and nobody can call, with words of the reason.
REFUSED = {
    "generic": "it has a region; write a statement",
    "map": "it has a region; write a statement",
    "reduce": "it has a region; write a statement",
    "yield": "it is part of a region",
    "winograd_filter_transform": "it is a step of an algorithm",
    "winograd_input_transform": "it is a step of an algorithm",
    "winograd_output_transform": "it is a step of an algorithm",
}
# What is no def, but part of the language.
UNDEFINED = ["contract", "index"]
# All kinds of `elementwise`, by the number of tensors.
KINDS = re.compile(r'I32EnumAttrCase<"(\w+)", \d+>')


def read_upstream(name):
    tools = os.path.dirname(os.path.realpath(shutil.which("mlir-opt")))
    return open(os.path.join(tools, "../include/mlir/Dialect/Linalg/IR", name)).read()


def find_ops():
    ops = []
    for name in ("LinalgNamedStructuredOps.yamlgen.td", "LinalgStructuredOps.td",
                 "LinalgRelayoutOps.td", "LinalgOps.td"):
        ops += re.findall(
            r'^def \w+ ?: ?(?:LinalgStructuredBase|Linalg|Linalg_Relayout)_?Op<\s*"(\w+)"',
            read_upstream(name), re.MULTILINE)
    return ops


def find_kinds():
    text = read_upstream("LinalgEnums.td")
    return [
        (kind, arity)
        for arity, group in enumerate(("UnaryFn", "BinaryFn", "TernaryFn"), 1)
        for kind in KINDS.findall(
            re.search(rf"def {group} .*?\]>", text, re.DOTALL).group())
    ]


def make_program(definition, name):
    """A def that calls `name`, of the shapes that it declares."""
    head = definition[: definition.index("{")]
    head = head.split(" attr(")[0].split("\n    attr(")[0]
    head = re.sub(r"<[^>]*>", "", head, count=1)
    types = {}
    for part, given in TYPES.items():
        if name.startswith(part) or name.endswith(part):
            types = given
    head = re.sub(r"\b(T1|T2|T|U)\b", lambda m: types.get(m[0], "f32"), head)
    head = re.sub(r"(strides|dilations)\.\d\*", "", head)
    window = ", size=3" if "size." in head else ""
    head = re.sub(r"size\.\d", "3", head)
    head = head.replace("...", "D0, D1").replace(f"def {name}", "def f")
    inputs, results = head.split("->")
    arguments = re.findall(r"(\w+): ", inputs)
    result = re.search(r"(\w+): ", results).group(1)
    return f"{head} {{ {result} = {name}({', '.join(arguments)}{window}) }}\n"


def build(program):
    return subprocess.run(
        ["einc", "build", "-", "--emit", "mlir"],
        input=program,
        capture_output=True,
        text=True,
    )


def check_op(op):
    """What is wrong with it, if anything."""
    if op in REFUSED:
        refused = build(f"def f(A: f32(4, 4)) -> (B) {{ B = {op}(A) }}")
        expected = f"linalg's `{op}` cannot be called: {REFUSED[op]}"
        ok = refused.returncode == 1 and expected in refused.stderr
        return None if ok else f"is not refused\n{refused.stderr}"
    shown = subprocess.run(["einc", "ops", op], capture_output=True, text=True)
    if shown.returncode != 0 and op not in UNDEFINED:
        return f"is not defined\n{shown.stderr}"
    program = PROGRAMS.get(op) or make_program(shown.stdout, op)
    built = build(program)
    if built.returncode != 0:
        return f"is refused\n{program}{built.stderr}"
    if not re.search(rf"linalg\.{op}\b", built.stdout):
        return f"is not made\n{program}{built.stdout}"
    return None


def check_kind(kind, arity):
    element = "u32" if kind.endswith("_unsigned") else "i32" if kind.endswith("_signed") else "f32"
    names = ["A", "B", "C"][:arity]
    params = [f"{name}: {element}(M)" for name in names]
    if kind == "select":
        params[0] = "A: bool(M)"
    built = build(f"def f({', '.join(params)}) -> (R: {element}(M)) "
                  f"{{ R = elementwise({', '.join(names)}, kind={kind}) }}")
    ok = f"linalg.elementwise kind=#linalg.elementwise_kind<{kind}>" in built.stdout
    return None if ok else f"is not made\n{built.stdout}{built.stderr}"


def main():
    ops, kinds = find_ops(), find_kinds()
    # Of LLVM 22: the YAML's 81, 18 others, and the kinds of elementwise.
    if len(ops) != 99 or len(kinds) != 24:
        sys.exit(f"upstream has {len(ops)} ops and {len(kinds)} kinds?")
    failures = [(op, check_op(op)) for op in ops]
    failures += [(kind, check_kind(kind, arity)) for kind, arity in kinds]
    failures = [(name, what) for name, what in failures if what]
    for name, what in failures:
        print(f"{name}: {what}")
    sys.exit(bool(failures))


main()
