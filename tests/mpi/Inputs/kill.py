#!/usr/bin/env python3
#===- kill.py - Kills a rank in the middle of a job -----------------------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# Usage: kill.py RANK SLICES DIR mpirun -n N ./PROGRAM …
#
# Runs the job until each rank has saved a sum of SLICES slices or more in DIR,
# and kills the one of this number. Prints what the job said; fails if it did not
# fail, or was through before.
#
#===-----------------------------------------------------------------------===#
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

PATIENCE = 200  # seconds


def find_rank(program, rank):
    """The process with this rank, by what mpirun tells it."""
    wanted = [f"OMPI_COMM_WORLD_RANK={rank}", f"PMI_RANK={rank}"]
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(path / "exe") != os.path.realpath(program):
                continue
            if set(wanted) & set((path / "environ").read_bytes().decode().split("\0")):
                return int(path.name)
        except OSError:
            pass  # it has ended
    return None


def count_finished(directory, rank):
    finished = 0
    for path in pathlib.Path(directory).glob(f"rank-{rank}.sum-*[0-9]"):
        try:
            text = path.read_bytes()[:512].decode()
        except OSError:
            continue
        finished += int(re.search(r"^finished (\d+)$", text, re.MULTILINE).group(1))
    return finished


def main():
    rank, slices, directory = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    command = sys.argv[4:]
    ranks = int(command[command.index("-n") + 1])
    program = command[command.index("-n") + 2]
    job = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    start = time.monotonic()
    while any(count_finished(directory, other) < slices for other in range(ranks)):
        assert job.poll() is None, "it was through before: " + job.communicate()[0]
        assert time.monotonic() - start < PATIENCE, "it saves nothing"
        time.sleep(0.002)
    os.kill(find_rank(program, rank), signal.SIGKILL)
    text = job.communicate(timeout=PATIENCE)[0]
    print(text)
    assert job.returncode != 0, "it did not fail"


main()
