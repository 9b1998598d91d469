#!/usr/bin/env python3
#===- ranks.py - Programs of many ranks beside those of one ---------------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# Usage: ranks.py openmpi|mpich INCLUDE-DIR LIBRARY-DIR [--random N] [--seed N]
#                 [--ranks 1,2,…]
#
# Compiles defs twice, with --distribute and without, and one C++ program that
# calls both: on communicators of 1 to 8 ranks of one job, at several sizes.
# Every rank compares its blocks with those of the whole.
#
#===-----------------------------------------------------------------------===#
import argparse
import random
import re
import subprocess
import sys

CTYPES = {"f32": "float", "f64": "double", "i32": "int32_t", "i64": "int64_t",
          "u8": "uint8_t", "index": "int64_t", "c64": "std::complex<float>"}

# A def, and the sizes to run it at, in the order of its size arguments.
CASES = [
    ("def mm(A: f32(M, K), B: f32(K, N)) -> (C: f32(M, N)) { C(m, n) +=! A(m, k) * B(k, n) }",
     [(5, 7, 3), (1, 1, 1), (0, 3, 2), (3, 0, 2), (31, 5, 33)]),
    ("def batched(A: f64(B, M, K), C: f64(B, N, K)) -> (D: f64(B, M, N)) "
     "{ D(b, m, n) +=! A(b, m, k) * C(b, n, k) }",
     [(3, 5, 2, 4), (9, 1, 3, 1)]),
    ("def mttkrp(X: f64(I, J, K), B: f64(J, R), C: f64(K, R)) -> (M: f64(I, R)) "
     "{ M(i, r) +=! X(i, j, k) * B(j, r) * C(k, r) }",
     [(5, 4, 3, 7), (2, 11, 2, 1)]),
    ("def chain(A: f64(I, J), B: f64(J, K), C: f64(K, L)) -> (D: f64(I, L)) "
     "{ D(i, l) +=! A(i, j) * B(j, k) * C(k, l) }",
     [(3, 9, 5, 4), (8, 1, 1, 8)]),
    ("def mlp(X: f32(M, K), W: f32(K, N), b: f32(N)) -> (Y: f32(M, N)) "
     "{ T(m, n) +=! X(m, k) * W(k, n)\n  Y(m, n) = max(T(m, n) + b(n), 0) * 2 }",
     [(4, 6, 5), (1, 3, 17)]),
    ("def softmax(X: f64(M, N)) -> (Y: f64(M, N)) "
     "{ m(i) max=! X(i, j)\n  e(i, j) = exp(X(i, j) - m(i))\n  s(i) +=! e(i, j)\n"
     "  Y(i, j) = e(i, j) / s(i) }",
     [(5, 7), (1, 40), (40, 1)]),
    ("def conv(I: f32(C, H + KH - 1, W + KW - 1), F: f32(O, C, KH, KW)) -> (D: f32(O, H, W)) "
     "{ D(o, h, w) +=! I(c, h + kh, w + kw) * F(o, c, kh, kw) }",
     [(2, 7, 3, 6, 3, 4), (1, 11, 2, 1, 1, 3)]),
    ("def trace(A: f64(N, N)) -> (t: f64) { t +=! A(i, i) }", [(9,), (1,), (0,)]),
    ("def scaled(alpha: f64, A: f64(M, N)) -> (inout C: f64(M, N)) "
     "{ C(m, n) = alpha * A(m, n) + C(m, n) }", [(5, 3), (1, 8)]),
    ("def update(A: i32(M, K), B: i32(K, N)) -> (inout C: i32(M, N)) "
     "{ C(m, n) += A(m, k) * B(k, n) }", [(5, 9, 2), (2, 33, 1)]),
    ("def largest(A: i64(M, N)) -> (x: i64(M), y: i64) "
     "{ x(m) max=! A(m, n)\n  y min=! A(m, n) }", [(6, 5), (1, 19)]),
    ("def places(A: f64(M, N)) -> (B: f64(N, M)) { B(n, m) = A(m, n) + 2 * m + n * N }",
     [(7, 4), (1, 9)]),
    ("def outer(x: c64(M), y: c64(N)) -> (C: c64(M, N)) { C(m, n) = x(m) * y(n) }",
     [(6, 5), (1, 3)]),
    # Elements that data say, and indices that are out of range: the code is that of all.
    ("def gather(T: f64(V, D), I: i32(N)) -> (O: f64(N, D)) { O(n, d) = T(I(n) + 3, d) }",
     [(7, 3, 10), (9, 2, 1), (5, 3, 10), (7, 0, 4), (7, 2, 0)]),
    ("def looked(A: f32(M, N), T: f32(V), I: i32(M)) -> (y: f32(N)) "
     "{ y(n) +=! A(m, n) * T(I(m) + 3) }", [(9, 4, 7), (9, 4, 4), (1, 9, 8)]),
    ("def counts(I: i32(N), X: f64(N)) -> (H: f64(B)) { H(I(n) + 3) +=! X(n) }",
     [(20, 7), (20, 3), (0, 7), (1, 40)]),
    # What is made as a whole, beside statements that are cut.
    ("def scan(X: f64(B, N)) -> (R: f64(B, N), s: f64(B)) "
     "{ R(b, 0) = X(b, 0) * 2\n  R(b, i) = R(b, i - 1) + X(b, i) where i in 1:N\n"
     "  s(b) +=! R(b, i) }", [(3, 8), (9, 2), (1, 1)]),
    ("def flat(A: f64(M, K), B: f64(K, N)) -> (y: f64(M*N)) "
     "{ C(m, n) +=! A(m, k) * B(k, n)\n  y = einsum(\"ab->(a b)\", C) }",
     [(4, 5, 6, 24), (1, 3, 9, 9), (0, 3, 2, 0)]),
    ("def tiles(X: f32(64), Z: f32(64)) -> (Y: f32(16, 4), W: f32(64)) "
     "{ Y(i, j) = X(i * 4 + j) * 2\n  W(i) = X(i / 4) * Z(i) }", [()]),
    ("def inner(X: f32(N, M)) -> (Y: f32(N, M)) "
     "{ Y(i, j) = 0\n  Y(i, j) = X(i - 1, j) + X(i + 1, j) where i in 1:(N - 1) }",
     [(9, 4), (3, 1), (40, 3)]),
    ("def padded(X: f32(N), W: f32(3)) -> (Y: f32(N)) "
     "{ Y(i) +=! pad(X(i + k - 1), 0) * W(k) }", [(9,), (1,), (50,)]),
    # Along a dim that is cut.
    ("def norm(X: f64(M, N)) -> (Y: f64(M, N)) { a(i) +=! X(i, j)\n"
     "  v(i) +=! (X(i, j) - a(i) / N) * (X(i, j) - a(i) / N)\n"
     "  Y(i, j) = (X(i, j) - a(i) / N) / sqrt(v(i) / N + 1) }", [(5, 7), (1, 40), (40, 1)]),
    ("def places(X: f64(M, N)) -> (y: index(M)) { y(m) = argmax<n>(X(m, n)) }".replace(
        "places", "argument"), [(6, 5), (1, 19), (19, 1)]),
]


def draw_einsum(number, generator):
    """A random einsum of one to four factors, of a random type, and sizes."""
    kind = generator.choice(["f64", "f64", "f32", "i32", "i64", "c64"])
    labels = [f"i{k}" for k in range(generator.randint(1, 5))]
    factors = [generator.sample(labels, generator.randint(1, min(3, len(labels))))
               for _ in range(generator.randint(1, 4))]
    used = [label for label in labels if any(label in f for f in factors)]
    output = generator.sample(used, generator.randint(0, min(3, len(used))))
    sizes = []
    for factor in factors:
        sizes += [label for label in factor if label not in sizes]
    inputs = ", ".join(
        f"A{k}: {kind}({', '.join(label.upper() for label in factor)})"
        for k, factor in enumerate(factors))
    product = " * ".join(f"A{k}({', '.join(factor)})" for k, factor in enumerate(factors))
    target = f"({', '.join(output)})" if output else ""
    shape = f"({', '.join(label.upper() for label in output)})" if output else ""
    text = f"def random{number}({inputs}) -> (R: {kind}{shape}) {{ R{target} +=! {product} }}"
    shapes = [tuple(generator.choice([1, 2, 3, 4, 5, 7, 8, 11, 0 if generator.random() < 0.1 else 6])
                    for _ in sizes) for _ in range(2)]
    return text, shapes


def parse(text):
    """The name of a def, and its arguments: name, type, dims, whether it is read."""
    name, inputs, results = re.match(r"def (\w+)\((.*?)\) -> \((.*?)\) \{", text, re.S).groups()
    def split(part, role):
        found = []
        for inout, argument, kind, dims in re.findall(
                r"(inout )?(\w+): (\w+)(?:\(([^)]*)\))?", part):
            found.append((argument, kind, [d.strip() for d in dims.split(",") if d.strip()],
                          "inout" if inout else role))
        return found
    arguments = split(inputs, "in") + split(results, "out")
    arguments.sort(key=lambda a: a[3] != "in")
    sizes = []
    for _, _, dims, _ in arguments:
        for dim in dims:
            # A dim of two labels, M*N, is a size of its own, M_N.
            sizes += [s for s in re.findall(r"[A-Z]\w*", dim.replace("*", "_"))
                      if s not in sizes]
    return name, arguments, sizes


def write_case(text, shapes):
    name, arguments, sizes = parse(text)
    lines = [f"static void run_{name}(MPI_Comm comm, int ranks, std::vector<int64_t> s) {{"]
    for k, size in enumerate(sizes):
        lines.append(f"  int64_t {size} = s[{k}]; (void){size};")
    listed = "".join(f", {size}" for size in sizes)
    here, whole = [], []
    arrays = []
    for k, (argument, kind, dims, role) in enumerate(arguments):
        if not dims and role == "in":
            here.append("3")
            whole.append("3")
            continue
        arrays.append(argument)
        lines.append(f"  Array<{CTYPES[kind]}> a{argument}({{{', '.join(dims)}}}, {k});")
        lines.append(f"  if (a{argument}.cut(comm, [&](int64_t *at, int64_t *n) {{ return "
                     f"{name}_block(comm, {k}, at, n{listed}); }}))")
        lines.append(f'    fail("{name}", ranks, s, "no block of {argument}");')
        lines.append(f"  if (!a{argument}.isCovered(comm))")
        lines.append(f'    fail("{name}", ranks, s, "blocks of {argument} are no partition");')
        here.append(f"a{argument}.block.data()")
        whole.append(f"a{argument}.whole.data()")
    lines.append(f"  int wanted = ref_{name}({', '.join(whole + sizes)});")
    lines.append(f"  int code = {name}(comm, {', '.join(here + sizes)});")
    lines.append("  if (code != wanted)")
    lines.append(f'    fail("{name}", ranks, s, ein_strerror(code));')
    lines.append("  if (wanted != 0)")
    lines.append("    return;")
    for argument, _, _, role in arguments:
        if role != "in":
            lines.append(f"  if (!a{argument}.isRight())")
            lines.append(f'    fail("{name}", ranks, s, "{argument} is wrong");')
    lines.append("}")
    calls = "".join(f"    run_{name}(comm, ranks, {{{', '.join(map(str, shape))}}});\n"
                    for shape in shapes)
    return "\n".join(lines) + "\n", calls


# Sizes that differ fail on all ranks, before anything is looked at.
MISMATCH = """    if (ranks > 1 && mm(comm, nullptr, nullptr, nullptr, 5 + (self == 1), 7, 3) !=
                         EIN_SHAPE_MISMATCH)
      fail("mm", ranks, {}, "sizes that differ do not fail");
"""

MAIN = """
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int self, all;
  MPI_Comm_rank(MPI_COMM_WORLD, &self);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  for (int ranks : {@RANKS@}) {
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, self < ranks ? 0 : MPI_UNDEFINED, self, &comm);
    if (comm == MPI_COMM_NULL)
      continue;
@CALLS@@MISMATCH@    MPI_Comm_free(&comm);
  }
  int total = 0;
  MPI_Allreduce(&failures, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (self == 0)
    std::printf(total ? "%d failures\\n" : "all blocks are right\\n", total);
  MPI_Finalize();
  return total != 0;
}
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mpi")
    parser.add_argument("include")
    parser.add_argument("libraries")
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ranks", default="1,2,3,4,6,7,8")
    parser.add_argument("--flags", default="")
    arguments = parser.parse_args()
    generator = random.Random(arguments.seed)
    cases = [] if arguments.random else list(CASES)
    cases += [draw_einsum(k, generator) for k in range(arguments.random)]

    with open("cases.ein", "w") as file:
        file.write("\n".join(text for text, _ in cases) + "\n")
    def run(*command):
        subprocess.run(command, check=True)
    flags = ["--distribute", "--mpi", arguments.mpi] + arguments.flags.split()
    run("einc", "build", "cases.ein", *flags, "-o", "cases.o")
    run("einc", "build", "cases.ein", *flags, "-o", "cases.h")
    run("einc", "build", "cases.ein", "--prefix", "ref_", "-o", "ref.o")
    run("einc", "build", "cases.ein", "--prefix", "ref_", "-o", "ref.h")

    functions, calls = "", ""
    for text, shapes in cases:
        function, call = write_case(text, shapes)
        functions += function
        calls += call
    with open("main.cpp", "w") as file:
        file.write('#include "cases.h"\n#include "ref.h"\n#include "ranks.h"\n' + functions +
                   MAIN.replace("@CALLS@", calls).replace(
                       "@MISMATCH@", "" if arguments.random else MISMATCH).replace("@RANKS@", arguments.ranks))
    most = arguments.ranks.split(",")[-1]
    run(f"mpicxx.{arguments.mpi}", "-std=c++17", "-O0", f"-I{arguments.include}", "main.cpp",
        "cases.o", "ref.o", f"-L{arguments.libraries}", f"-lein_mpi_{arguments.mpi}", "-lm",
        "-o", "ranks")
    sys.stdout.flush()
    return subprocess.run([f"mpirun.{arguments.mpi}", "-n", most, "./ranks"],
                          timeout=400).returncode


if __name__ == "__main__":
    sys.exit(main())
