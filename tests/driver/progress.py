#===- progress.py - What a terminal shows of long work ---------------------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# Usage: progress.py TERM[/COLUMNS] COMMAND...
#
# Runs the command with a terminal as its standard error and prints what the
# terminal was sent, control characters escaped.
#
#===-----------------------------------------------------------------------===#
import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios

term, _, columns = sys.argv[1].partition("/")
controller, terminal = pty.openpty()
if columns:
    size = struct.pack("HHHH", 24, int(columns), 0, 0)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, size)
process = subprocess.Popen(sys.argv[2:], stderr=terminal,
                           stdout=subprocess.DEVNULL,
                           env={**os.environ, "TERM": term})
os.close(terminal)
sent = b""
while True:
    try:
        part = os.read(controller, 4096)
    except OSError:  # how Linux says that nobody has the terminal any more
        break
    if not part:
        break
    sent += part
process.wait()
print("status", process.returncode)
print("sent", ascii(sent.decode()))
