"""A library of a thousand ops costs hardly more than one of ten."""

import resource
import subprocess
import sys


def used():
    """Processor time of the children so far: others may be busy, too."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def write(count):
    with open(f"ops{count}.ein", "w") as file:
        for i in range(count):
            file.write(
                f"def op{i}<T1, T2, U>(A: T1(M, {i} + K), B: T2({i} + K, N))\n"
                f"    -> (C: U(M, N)) attr(s: 2xindex = [1, 1]) {{\n"
                f"  C(m, n) +=! U(A(m, k)) * U(B(k, n))\n}}\n"
            )
    with open(f"f{count}.ein", "w") as file:
        file.write(f'import "ops{count}.ein"\n')
        file.write("def f(A: f32(8, 9), B: f32(9, 7)) -> (C) { C = op3(A, B) }")


def measure(count):
    start = used()
    subprocess.run(
        ["einc", "build", f"f{count}.ein", "--emit", "program"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return used() - start


write(10)
write(1000)
# In turn, as a core is not always as fast.
pairs = [(measure(10), measure(1000)) for _ in range(15)]
few, many = (min(times) for times in zip(*pairs))
# Starting the process is most of it; 1000 ops are 150 kB of text.
if many > 2 * few + 0.02:
    sys.exit(f"10 ops take {few:.3f} s, 1000 ops {many:.3f} s")
