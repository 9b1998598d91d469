"""Verifies programs whose statements read what others have just written."""
import subprocess

ROWS = [
    "let v(i) +=! A(i, j)  C(i, j) = A(i, j) * v(i) + v(N - 1 - i)",
    "let v(i) +=! A(i, j)  C(i, j) = A(i, j) * v(i) + v(j)",
    "let v(i) +=! A(i, j)  C(i, j) = A(i, j) * v(i) + v(i + 1) where i in 0:N - 1",
    "let v(i) +=! A(i, j)  let w(i, j) = A(i, j) * v(i)  C(i, j) = w(i, j) * v(i) + w(N - 1 - i, j) + w(j, i)",
    "let v(i) max=! A(i, j)  let w(i, j) = exp(A(i, j) - v(i))  let s(i) +=! w(i, j)  "
    "C(i, j) = w(i, j) / s(i) + s(i > 0 ? i - 1 : 0)",
    "let S(i, j) +=! A(i, k) * B(k, j)  let m(i) max=! S(i, j)  let w(i, j) = exp(S(i, j) - m(i))  "
    "let s(i) +=! w(i, j)  C(i, j) +=! w(i, k) / s(N - 1 - i) * B(k, j)",
]
IN_PLACE = [
    "A(i, j) +=! A(i, k) * B(k, j)  A(i, j) += A(j, i)",
    "A(i, j) +=! A(i, k) * B(k, j)  A(i, j) +=! A(k, i) * B(k, j)",
    "A(i, j) +=! A(k, i) * A(k, j)  A(i, j) += A(N - 1 - i, j)",
    "A(i, j) = A(j, i)  A(i, j) += A(i, N - 1 - j)",
    "A(i, j) +=! B(i, k) * A(k, j)  B(i, j) +=! A(i, k) * B(k, j)  A(i, j) += B(j, i)",
    "A(i, j) = B(j, i)  B(i, j) = A(j, i) + B(j, i)  A(i, j) += B(N - 1 - i, j)",
    "let v(i) +=! A(i, j)  A(i, j) = A(j, i) * v(i)  B(i, j) += A(i, k) * A(k, j)  A(i, j) += B(j, i) * v(j)",
    "let t(i, j) +=! A(i, k) * B(j, k)  A(i, j) = t(j, i)  B(i, j) += t(N - 1 - i, j)  A(i, j) += t(i, j)",
]
COMMANDS = [[], ["--cpu", "haswell"],
            ["--parallel"], ["--sizes", "N=1"], ["--sizes", "N=70"], ["--bind", "N=20", "-O1"]]

programs = [f"def f(A: f32(N, N), B: f32(N, N)) -> (C: f32(N, N)) {{ {body} }}" for body in ROWS]
for body in IN_PLACE:
    writes_b = "B(i, j) =" in body or "B(i, j) +" in body
    outputs = ["A: f32(N, N)"] + (["B: f32(N, N)"] if writes_b else [])
    inputs = "" if writes_b else "B: f32(N, N)"
    programs.append(f"def f({inputs}) -> ({', '.join('inout ' + output for output in outputs)}) {{ {body} }}")
for program in programs:
    for words in COMMANDS:
        done = subprocess.run(["einc", "verify", "-e", program, *words], capture_output=True, text=True)
        if done.returncode != 0:
            print("failed:", *words, program, done.stdout, done.stderr, sep="\n")
print("all programs agree with the reference")
