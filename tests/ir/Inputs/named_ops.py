"""Calls every named op of upstream's linalg, and sees which become that op.

einc makes the op only after generalising it and comparing maps, iterators and
body with the statement of the prelude, so that an op that is there is an op
whose definition here is upstream's. What is not there is listed, with why.
"""

import os
import re
import shutil
import subprocess
import sys

EXCEPTIONS = {
    "captures its scalars": "quantized_matmul quantized_batch_matmul"
    " conv_2d_nhwc_hwcf_q conv_2d_nhwc_fhwc_q conv_2d_nchw_fchw_q"
    " conv_2d_nhwgc_gfhwc_q conv_2d_ngchw_gfchw_q conv_3d_ndhwc_dhwcf_q"
    " depthwise_conv_2d_nhwc_hwc_q depthwise_conv_2d_nhwc_hwcm_q"
    " fill_rng_2d",
    "has conditions of one byte here": "select",
    "is of integers": "div_unsigned",
    "is not defined yet": "pooling_nhwc_max_unsigned"
    " pooling_nhwc_min_unsigned pooling_nwc_max_unsigned"
    " pooling_nwc_min_unsigned",
}
# Of upstream's ops that are not made of YAML.
HAND_WRITTEN = ["matmul", "batch_matmul", "batch_reduce_matmul"]
# Called with lists of dims, by a program of their own.
WITH_LISTS = {
    "transpose": "def f(A: f32(M, N, 4)) -> (B: f32(4, M, N)) "
    "{ B = transpose(A, permutation=[2, 0, 1]) }",
    "broadcast": "def f(A: f32(M, 4)) -> (B: f32(M, 5, 4)) "
    "{ B = broadcast(A, dimensions=[1]) }",
}


def find_ops():
    tools = os.path.dirname(os.path.realpath(shutil.which("mlir-opt")))
    path = "include/mlir/Dialect/Linalg/IR/LinalgNamedStructuredOps.yamlgen.td"
    text = open(os.path.join(tools, "..", path)).read()
    return re.findall(r'LinalgStructuredBase_Op<"(\w+)"', text) + HAND_WRITTEN + list(WITH_LISTS)


def make_program(definition, name):
    """A def of f32 that calls `name`, of the shapes that it declares."""
    head = definition[: definition.index("{")]
    head = head.split(" attr(")[0].split("\n    attr(")[0]
    head = re.sub(r"<[^>]*>", "", head, count=1)
    head = re.sub(r"\b(T1|T2|T|U)\b", "f32", head)
    head = re.sub(r"(strides|dilations)\.\d\*", "", head)
    window = ", size=3" if "size." in head else ""
    head = re.sub(r"size\.\d", "3", head)
    head = head.replace("...", "D0, D1").replace(f"def {name}", "def f")
    inputs, results = head.split("->")
    arguments = re.findall(r"(\w+): ", inputs)
    result = re.search(r"(\w+): ", results).group(1)
    return f"{head} {{ {result} = {name}({', '.join(arguments)}{window}) }}\n"


def main():
    exceptions = {
        op: reason for reason, ops in EXCEPTIONS.items() for op in ops.split()
    }
    failures = 0
    for op in find_ops():
        shown = subprocess.run(["einc", "ops", op], capture_output=True, text=True)
        is_made = False
        message = shown.stderr
        if shown.returncode == 0:
            program = WITH_LISTS.get(op) or make_program(shown.stdout, op)
            built = subprocess.run(
                ["einc", "build", "-", "--emit", "mlir"],
                input=program,
                capture_output=True,
                text=True,
            )
            message = program + built.stdout + built.stderr
            is_made = re.search(rf"linalg\.{op}\b", built.stdout) is not None
            if built.returncode != 0:
                print(f"{op}: is refused\n{message}")
                failures += 1
                continue
        if is_made and op in exceptions:
            print(f"{op}: is made, so take it from the exceptions")
            failures += 1
        if not is_made and op not in exceptions:
            print(f"{op}: is not made\n{message}")
            failures += 1
        if op in exceptions and exceptions[op] == "is not defined yet":
            if shown.returncode == 0:
                print(f"{op}: is defined")
                failures += 1
    sys.exit(failures != 0)


main()
