#===- exit.py - Exits while a thread compiles ----------------------------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
import sys
import threading
import time

import einc


def compile_forever():
    number = 0
    while True:
        number += 1
        einc.compile(f"def f(x: f32(N)) -> (y: f32(N)) {{ y(i) = x(i) + {number}.0 }}")


einc.compile("ij,jk->ik")
threading.Thread(target=compile_forever, daemon=True).start()
time.sleep(float(sys.argv[1]))
