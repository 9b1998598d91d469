"""Reads each MLIR kind of each program with ein-opt, and mlir-opt where that
can be, and compares what they print with what they read."""
import re
import subprocess
import sys

MACHINE = ["--target", "x86_64-unknown-linux-gnu", "--cpu", "skylake-avx512"]
KINDS = ["mlir", "linalg", "contract", "loops", "affine", "parallel", "fused", "scheduled", "tiled", "vector", "memref", "llvm-dialect"]
SPLIT = b"\n// -----\n"

failed = False


def check(file, tool, texts):
    """Reads all kinds of a program in one process."""
    global failed
    kinds, modules = zip(*texts.items())
    # Schedules are attributes of a dialect that mlir-opt does not have.
    flags = ["--allow-unregistered-dialect"] if tool == "mlir-opt" else []
    read = subprocess.run([tool, "--split-input-file", *flags],
                          input=SPLIT.join(modules), capture_output=True)
    printed = read.stdout.split(SPLIT)
    for kind, text, again in zip(kinds, modules, printed):
        if text.strip() != again.strip():
            print(f"{file}: {tool} does not print `{kind}` as it is")
            failed = True
    if read.returncode or len(printed) != len(modules):
        print(f"{file}: {tool} fails", read.stderr.decode(), sep="\n")
        failed = True


for file in sys.argv[1:]:
    texts = {}
    for kind in KINDS:
        texts[kind] = subprocess.run(
            ["einc", "build", "--emit", kind, *MACHINE, file],
            check=True, capture_output=True).stdout
    check(file, "ein-opt", texts)
    check(file, "mlir-opt", {kind: text for kind, text in texts.items()
                             if not re.search(rb"= ein\.\w+ ", text)})
sys.exit(failed)
