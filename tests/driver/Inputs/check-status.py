"""Runs einc on wrong command lines and checks status, message and leftovers."""
import os
import subprocess
import sys

ERROR = "einc: error: "
CASES = [
    # status, part of the message, arguments
    (1, "cannot read `missing.ein`", "build missing.ein"),
    (1, "no size is called `Q`", "build mm.ein --emit obj --bind Q=3"),
    (1, "size `M` is bound to -3", "build mm.ein --emit obj --bind M=-3"),
    (1, "`A` has more bytes than can be counted",
     "build mm.ein --emit obj --bind M=9223372036854775807"),
    (1, "more bytes than can be counted",
     "build mm.ein --emit obj --bind M=4294967296,K=4294967296"),
    (1, ERROR + "there is no def `nope`", "build mm.ein --emit obj --entry nope"),
    (1, ERROR + "there is no def `nope`", "verify mm.ein --entry nope"),
    (1, ERROR + "there is no def `nope`", "run mm.ein --entry nope"),
    (1, ERROR + "cannot write `nodir/mm.o`", "build mm.ein -o nodir/mm.o"),
    (1, ERROR + "cannot write `nodir/mm`", "build mm.ein -o nodir/mm"),
    (1, ERROR + "cannot write `nodir/mm.mlir`", "build mm.ein -o nodir/mm.mlir"),
    (1, ERROR + "cannot write `.`", "build mm.ein --emit obj -o ."),
    (1, ERROR + "cannot write `.`", "build mm.ein --emit exe -o ."),
    (1, ERROR + "cannot make the directory",
     "build mm.ein --emit obj --dump-dir mm.ein/x"),
    (1, ERROR + "`Q` is not a size of `mm`", "verify mm.ein --sizes Q=3"),
    (1, ERROR + "the size `M` is negative", "verify mm.ein --sizes M=-1"),
    (2, ERROR + "there is no kind `nope`", "build mm.ein --emit nope"),
    (1, "size `M` is bound to `99999999999999999999`, which is no integer",
     "build mm.ein --emit obj --bind M=99999999999999999999"),
    (2, ERROR + "--bind: expected NAME=VALUE", "build mm.ein --bind M"),
    (1, "size `M` is bound to `1.5`, which is no integer",
     "build mm.ein --bind M=1.5"),
    (2, ERROR + "--bind: expected NAME=VALUE", "build mm.ein --bind =3"),
    (2, ERROR + "--bind: expected NAME=VALUE", "build mm.ein --bind M=nan"),
    (2, ERROR + "--bind: `M` is both 3 and 4", "build mm.ein --bind M=3,M=4"),
    (2, ERROR + "-O takes 0, 1, 2 or 3", "build mm.ein -O4"),
    (2, ERROR + "--dtype: there is no element type", "build mm.ein --dtype f8"),
    (2, ERROR + "unknown cpu `nope`", "build mm.ein --cpu nope"),
    (2, ERROR + "unknown target `nope`", "build mm.ein --target nope"),
    (2, ERROR + "feature `nope`", "build mm.ein --features nope"),
    (2, ERROR + "--color takes", "build mm.ein --color sometimes"),
    (2, ERROR + "what is `more.ein`?", "build mm.ein more.ein"),
    (2, ERROR + "no input", "build"),
    (2, ERROR, "build mm.ein --nope"),
    (2, ERROR, "build mm.ein --emit"),
    (2, ERROR, "verify mm.ein --seed x"),
    (2, ERROR + "--sizes: ", "verify mm.ein --sizes M=x"),
    (2, ERROR, "nope"),
    (2, ERROR, ""),
]

before = sorted(os.listdir("."))
failures = 0
for status, message, arguments in CASES:
    result = subprocess.run(["einc", *arguments.split()], capture_output=True,
                            text=True, stdin=subprocess.DEVNULL)
    problems = []
    if result.returncode != status:
        problems.append(f"status {result.returncode}, not {status}")
    if message not in result.stderr:
        problems.append(f"no `{message}`")
    if "error: " not in result.stderr or result.stdout:
        problems.append("errors belong on the standard error")
    if sorted(os.listdir(".")) != before:
        problems.append(f"left {sorted(set(os.listdir('.')) - set(before))}")
        sys.exit(f"einc {arguments}: {problems}")
    if problems:
        failures += 1
        print(f"einc {arguments}: {'; '.join(problems)}\n{result.stderr}")
print(f"{len(CASES)} command lines, {failures} failures")
sys.exit(failures != 0)
