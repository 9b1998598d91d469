"""Ends einc by a signal while it links, and while it writes an array.

    interrupt.py DIRECTORY

Writes what the directory then has. The linker on PATH is one that leaves half a
file under the name of its output, and links when the signal was sent.
"""

import os
import shutil
import signal
import subprocess
import sys
import time

LINKER = """#!/bin/sh
PATH=$OLD_PATH
previous=
for argument; do
  test "$previous" = -o && echo half > "$argument"
  previous=$argument
done
touch "$MARK"
while ! test -e "$MARK.sent"; do sleep 0.01; done
exec c++ "$@"
"""


def start(sent, command, **options):
    """lit ignores SIGINT, and what it starts would too."""
    return subprocess.Popen(
        command, preexec_fn=lambda: signal.signal(sent, signal.SIG_DFL),
        **options)


def wait_for(process, is_true):
    """However long it takes, unless the process ends before."""
    while not is_true() and process.poll() is None:
        time.sleep(0.001)


def finish(process, name, directory, sent, mark=None):
    """Sends the signal, and says what is left."""
    process.send_signal(sent)
    if mark:
        open(mark, "w").close()
    status = process.wait()
    left = []
    for root, _, files in os.walk(directory):
        for file in files:
            with open(os.path.join(root, file), "rb") as stream:
                left.append(f"{file} {stream.read(6)[1:6].decode()}")
    if status == 0:
        return False  # it was done before the signal came
    print(name, signal.Signals(-status).name if status < 0 else status, left)
    return True


def main():
    base = sys.argv[1]
    os.makedirs(f"{base}/bin")
    with open(f"{base}/bin/c++", "w") as stream:
        stream.write(LINKER)
    os.chmod(f"{base}/bin/c++", 0o755)
    for sent in [signal.SIGTERM, signal.SIGINT, signal.SIGHUP]:
        here = f"{base}/{sent.name}"
        mark = f"{base}/{sent.name}.mark"
        os.makedirs(f"{here}/temporary")
        environment = dict(os.environ, OLD_PATH=os.environ["PATH"], MARK=mark,
                           PATH=f"{base}/bin:{os.environ['PATH']}",
                           TMPDIR=f"{here}/temporary")
        process = start(
            sent, ["einc", "build", "-e", "ij->ji", "--emit", "exe", "-o",
                   f"{here}/f"], env=environment)
        wait_for(process, lambda: os.path.exists(mark))
        finish(process, "link", here, sent, mark + ".sent")

        here = f"{base}/array-{sent.name}"
        for _ in range(10):
            shutil.rmtree(here, ignore_errors=True)
            os.makedirs(here)
            process = start(
                sent, ["einc", "run", "-e", "i,j->ij", f"{base}/a.npy",
                       f"{base}/a.npy", "-o", f"{here}/c.npy"])
            wait_for(process, lambda: os.listdir(here))
            if finish(process, "array", here, sent):
                break



main()
