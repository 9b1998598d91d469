"""Usage: many.py DIR SIZE: runs twelve programs, four of them different, at a time, twice."""
import os
import subprocess
import sys

directory, size = sys.argv[1:]
environment = {**os.environ, "EINC_CACHE_SIZE": size}
expected = {1: "[0 1 2]", 2: "[0 2 4]", 3: "[0 3 6]", 4: "[0 4 8]"}
for _ in range(2):
    started = []
    for i in range(12):
        factor = i % 4 + 1
        command = ["einc", "run", "-e",
                   f"def f(A: f32(N)) -> (B: f32(N)) {{ B(i) = {factor} * A(i) }}",
                   directory + "/V.npy"]
        started.append((factor, subprocess.Popen(
            command, env=environment, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)))
    for factor, process in started:
        text, _ = process.communicate()
        assert process.returncode == 0, text
        assert text == f"B = {expected[factor]}\n", (factor, text)
