"""Reads each MLIR kind of each program with ein-opt, and mlir-opt where that
can be, and compares what they print with what they read."""
import re
import subprocess
import sys

MACHINE = ["--target", "x86_64-unknown-linux-gnu", "--cpu", "skylake-avx512"]
KINDS = ["mlir", "linalg", "contract", "loops", "affine", "parallel", "tiled", "vector", "memref", "llvm-dialect"]

failed = False
for file in sys.argv[1:]:
    for kind in KINDS:
        text = subprocess.run(["einc", "build", "--emit", kind, *MACHINE, file],
                              check=True, capture_output=True).stdout
        for tool in ["ein-opt"] + ["mlir-opt"] * (not re.search(rb"= ein\.\w+ ", text)):
            read = subprocess.run([tool], input=text, capture_output=True)
            if read.returncode or read.stdout.strip() != text.strip():
                print(f"{file}: {tool} does not print `{kind}` as it is:",
                      read.stderr.decode(), sep="\n")
                failed = True
sys.exit(failed)
