#!/usr/bin/env python3
#===- max_temp.py - What is allocated under --max-temp --------------------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# Usage: max_temp.py BYTES...
#
# Compiles a product of four for each bound, and compares what the plan of memory
# allocates with the bound and with what the path said.
#
#===-----------------------------------------------------------------------===#
import json
import re
import subprocess
import sys

TEXT = "abc,cde,ebf,fg->adg"
BIND = "a=12,b=9,c=10,d=8,e=7,f=11,g=6"

for bound in sys.argv[1:]:
    command = ["einc", "build", "-e", TEXT, "--bind", BIND, "--max-temp", bound]
    path, = json.loads(subprocess.run(command + ["--emit", "path"], check=True,
                                      capture_output=True, text=True).stdout)
    report = subprocess.run(command + ["-O0", "--emit", "loops", "--report", "memory"],
                            check=True, capture_output=True, text=True).stderr
    parts = re.search(r"allocates once: ([0-9 +]+) bytes", report).group(1)
    allocated = sum((int(part) + 63) // 64 * 64 for part in parts.split(" + "))
    if allocated != path["temporary_bytes"] or allocated > int(bound):
        sys.exit(f"{allocated} bytes allocated, {path['temporary_bytes']} said, "
                 f"{bound} allowed")
    print(bound, path.get("slices"))
print("all within their bounds")
