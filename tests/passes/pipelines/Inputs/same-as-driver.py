"""Compares each level that einc prints with what ein-opt makes of the last."""
import subprocess
import sys

MACHINE = ["--target", "x86_64-unknown-linux-gnu", "--cpu", "skylake-avx512"]
SCHEDULED = "-ein-to-scheduled=triple=x86_64-unknown-linux-gnu cpu=skylake-avx512"
# What the driver says of the machine for the last step.
LEVEL = b'{ein.level = "memref"'
INSTRUCTIONS = (b", ein.instructions = {avx512, byte_pairs, comparing_maxima, "
                b"fma, look_ups, sums_of_narrow, vector_bits = 512 : i64}")
STEPS = [("mlir", "-ein-to-linalg", "linalg"),
         ("linalg", "-ein-to-contract", "contract"),
         ("contract", "-ein-to-fused", "fused"),
         ("fused", SCHEDULED, "scheduled"),
         ("scheduled", "-ein-to-tiled", "tiled"),
         ("tiled", "-ein-to-vector", "vector"),
         ("vector", "-ein-to-memref", "memref"),
         ("contract", "-ein-to-loops", "loops"),
         ("contract", "-ein-to-affine", "affine"),
         ("contract", "-ein-to-parallel", "parallel"),
         ("memref", "-ein-to-llvm", "llvm-dialect")]


def emit(kind, file):
    return subprocess.run(["einc", "build", "--emit", kind, *MACHINE, file],
                          check=True, capture_output=True).stdout


failed = False
for file in sys.argv[1:]:
    for before, pipeline, after in STEPS:
        module = emit(before, file).replace(LEVEL, LEVEL + INSTRUCTIONS)
        made = subprocess.run(["ein-opt", pipeline], input=module,
                              check=True, capture_output=True).stdout
        if made.strip() != emit(after, file).strip():
            print(f"{file}: {pipeline} of `{before}` is not `{after}`")
            failed = True
sys.exit(failed)
