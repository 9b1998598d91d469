"""Builds objects for several machines and says what they need that neither the
C library nor its mathematical part has.

Usage: undefined.py SAMPLES    (the directory of the sample programs)
"""
import glob
import os
import subprocess
import sys

MACHINES = [["--target", "x86_64-linux-gnu", "--cpu", cpu]
            for cpu in ("x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4")]
MACHINES.append(["--target", "aarch64-linux-gnu"])

LIBC = {"malloc", "aligned_alloc", "free", "memcpy", "memmove", "memset", "abort"}
LIBM = {name + suffix for suffix in ("", "f") for name in (
    "exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh "
    "tanh asinh acosh atanh sqrt cbrt pow fmod atan2 hypot erf erfc tgamma "
    "lgamma floor ceil trunc round roundeven rint nearbyint fma fmin fmax "
    "fabs copysign sincos").split()}

FLOATS = ["f16", "bf16", "f32", "f64"]
OTHERS = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "bool"]


def convert(source, targets):
    """Of one number, of vectors, across rows, and chosen between."""
    results, body = [], []
    for to in targets:
        results += [f"a_{to}: {to}(N)", f"b_{to}: {to}", f"c_{to}: {to}(N)",
                    f"d_{to}: {to}(N, N)", f"e_{to}: {to}(N)"]
        body += [f"a_{to}(i) = {to}(x)", f"b_{to} = {to}(x)", f"c_{to}(i) = {to}(v(i))",
                 f"d_{to}(i, j) = {to}(m(j, i))",
                 f"e_{to}(i) = p ? {to}(x) : {to}(v(i))"]
    return (f"def from_{source}(p: bool, x: {source}, v: {source}(N), m: {source}(N, N)) -> "
            f"({', '.join(results)}) {{\n  " + "\n  ".join(body) + "\n}\n")


with open("conversions.ein", "w") as file:
    for source in FLOATS:
        file.write(convert(source, FLOATS + ["i32"]))
    for source in OTHERS:
        file.write(convert(source, ["f16", "bf16"]))

# What a user's module does in these types, which no program in our language does.
OPS = [("f64", "f16", "arith.truncf %x : f64 to f16"),
       ("f64", "bf16", "arith.truncf %x : f64 to bf16")]
for half in ("f16", "bf16"):
    OPS += [(half, half, f"math.fma %x, %x, %x : {half}"),
            (half, half, f"arith.remf %x, %x : {half}"),
            (half, half, f"arith.negf %x : {half}"),
            (half, half, f"math.copysign %x, %x : {half}"),
            ("i64", half, f"arith.uitofp %x : i64 to {half}"),
            (half, "i64", f"arith.fptoui %x : {half} to i64")]
with open("ops.mlir", "w") as file:
    for number, (source, to, text) in enumerate(OPS):
        file.write(f"""func.func @op{number}(%s: {source}, %v: memref<?x{source}>, %r: memref<?x{to}>, %t: memref<?x{to}>) {{
  %y = {text.replace("%x", "%s")}
  linalg.fill ins(%y : {to}) outs(%t : memref<?x{to}>)
  linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}}
      ins(%v : memref<?x{source}>) outs(%r : memref<?x{to}>) {{
    ^bb0(%x: {source}, %o: {to}):
      %z = {text}
      linalg.yield %z : {to}
  }}
  return
}}
""")

# Which functions a sample needs is decided by its types and by einc's passes, so
# that LLVM need not optimise it; e2e/link/samples.test takes all of LLVM.
conversions = ["conversions.ein", "ops.mlir"]
programs = [*conversions, *sorted(glob.glob(os.path.join(sys.argv[1], "*.ein")))]
for machine in MACHINES:
    for program in programs:
        level = "1" if program in conversions else "0"
        subprocess.run(["einc", "build", program, "-O1", "--llvm-opt", level, *machine,
                        "-o", "program.o"], check=True)
        names = subprocess.run(["llvm-nm", "--undefined-only", "--just-symbol-name", "program.o"],
                               check=True, capture_output=True, text=True).stdout.split()
        for name in sorted(set(names) - LIBC - LIBM):
            print("needs", name, "in", os.path.basename(program), "for", machine[-1])
print(len(MACHINES) * len(programs), "objects")
