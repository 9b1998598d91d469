"""Every element type through every door, for tests/e2e/doors.test: `.npy` in and out of
`einc run` and of an executable, values that are printed and given as text, `--random`,
`bench`, and a C program that includes the header."""
import json
import subprocess
import sys
import numpy as np

C_COMPILER = sys.argv[1]
TYPES = {"f16": "f2", "bf16": "V2", "f32": "f4", "f64": "f8", "c64": "c8", "c128": "c16",
         "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8", "u8": "u1", "u16": "u2",
         "u32": "u4", "u64": "u8", "bool": "?", "index": "i8"}
BODY = """
def f_{t}(s: {t}, A: {t}(M, K)) -> (C: {t}(K, M), r: {t}) {{
  C(k, m) = A(m, k) {op} s
  r {update} A(m, k)
}}
"""


def run(*command):
    process = subprocess.run([str(word) for word in command], text=True, capture_output=True)
    assert process.returncode == 0, (command, process.stderr)
    return process.stdout


def to_file(values, name):
    """Small numbers, exact in every type, as numpy's array of the type."""
    if name == "bf16":
        return (values.astype("f4").view("u4") >> 16).astype("u2").view("V2")
    return values.astype(TYPES[name])


def from_file(array):
    if array.dtype == "V2":
        bits = array.reshape(-1).view("u2").astype("u4") << 16
        return bits.view("f4").reshape(array.shape)
    return array


with open("doors.ein", "w") as file:
    for name in TYPES:
        is_bool = name == "bool"
        file.write(BODY.format(t=name, op="&&" if is_bool else "*",
                               update="|=!" if is_bool else "+=!"))
run("einc", "build", "--llvm-opt", "0", "doors.ein", "-o", "doors")
run("einc", "build", "--llvm-opt", "0", "doors.ein", "-o", "doors.o")
run("einc", "build", "doors.ein", "-o", "doors.h")

caller = ['#include "doors.h"', "#include <stdio.h>", "int main(void) {"]
for name, kind in TYPES.items():
    entry = "f_" + name
    values = np.array([[1, 0, 3], [2, 5, 4]])
    if name == "bool":
        values = values > 1
    want = (values * 3 if name != "bool" else values).T
    total = values.sum() if name != "bool" else True
    np.save("A.npy", to_file(values, name))
    order = np.asfortranarray(to_file(values, name))
    np.save("F.npy", order if name == "bf16" else order.astype(order.dtype.newbyteorder()))
    scalar = {"bool": "True"}.get(name, "3")
    for array in ("A.npy", "F.npy"):
        for command in (["einc", "run", "--llvm-opt", "0", "doors.ein", "--entry", entry],
                        ["./doors", "--entry", entry]):
            run(*command, "s=" + scalar, "A=" + array, "-o", "C=C.npy", "-o", "r=r.npy")
            C, r = np.load("C.npy"), np.load("r.npy")
            assert C.dtype == np.dtype(kind) and r.dtype == np.dtype(kind), (name, C.dtype)
            assert (from_file(C) == want).all() and from_file(r) == total, (name, C, r)
    text = run("./doors", "--entry", entry, "s=" + scalar, "A=A.npy")
    shown = {"c64": "15+0j", "c128": "15+0j", "bool": "True"}.get(name, "15")
    assert f"r = {shown}\n" in text, text
    # The same data for a seed, of values that the type has.
    command = ["./doors", "--entry", entry, "--random", 5, "--bind", "M=7,K=9"]
    run(*command, "-o", "C=C.npy")
    once = from_file(np.load("C.npy"))
    run(*command, "-o", "C=C.npy")
    assert (once == from_file(np.load("C.npy"))).all() and once.shape == (9, 7)
    assert len(np.unique(once)) > (1 if name == "bool" else 9) and np.isfinite(once).all()

    # In C; numbers of half precision are made by the header's functions.
    half = name in ("f16", "bf16")
    run("einc", "build", "-e", f"def g(x: {name}) -> (y: {name}) {{ y = x }}", "-o", "g.h")
    with open("g.h") as file:
        line = next(line for line in file if " g(" in line)
    c_type = line.split(" *")[0].split()[-1]
    number = f"ein_{name}_from_float({{}})" if half else "{}"
    factor = f"ein_{name}_bits_from_float(3)" if half else "3"
    numbers = ", ".join(number.format(int(x)) for x in values.flat)
    back = f"ein_{name}_to_float" if half else "creal" if name[0] == "c" else ""
    caller += ["  {", f"    {c_type} A[] = {{{numbers}}}, C[6], r;",
               f"    int code = f_{name}({factor}, A, C, &r, 2, 3);",
               f'    printf("{name} %d: %g %g %g\\n", code, (double){back}(C[1]), '
               f"(double){back}(C[4]), (double){back}(r));", "  }"]
with open("caller.c", "w") as file:
    file.write("#include <complex.h>\n" + "\n".join(caller) + "\n  return 0;\n}\n")
run(C_COMPILER, "-std=c11", "-Wall", "-Wextra", "-Werror", "caller.c", "doors.o", "-lm", "-o",
    "caller")
lines = run("./caller").splitlines()
assert lines == [f"{name} 0: 1 1 1" if name == "bool" else f"{name} 0: 6 9 15"
                 for name in TYPES], lines

# `verify` and `bench` take all of them, and bytes are counted by the type.
assert run("einc", "verify", "--llvm-opt", "0", "doors.ein").count(": ok, `C`") == len(TYPES)
for name in ("f16", "i8", "c128"):
    lines = run("einc", "bench", "--llvm-opt", "0", "--json", "doors.ein", "--entry",
                "f_" + name, "--bind", "M=32,K=64")
    width = np.dtype(TYPES[name]).itemsize
    entry, = json.loads(lines)
    assert entry["bytes"] >= 2 * 32 * 64 * width, lines
print("done", len(TYPES))
