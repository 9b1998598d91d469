#===- check.py - Tiled products beside the reference ----------------------===//
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# check.py SOURCE PROGRAM EMULATOR SIZES [--bound] [verify's options]
#
# Runs each def of SOURCE in the executable PROGRAM, with EMULATOR loaded before
# it, on data that are made up here, and has `einc verify` judge the results.
# Says how many instructions the emulator ran. SIZES are `M=3,K=5`; with --bound
# the program has them compiled in.
#
#===-----------------------------------------------------------------------===#
import os
import random
import re
import struct
import subprocess
import sys

TYPES = {"i8": "|i1", "u8": "|u1", "f16": "<f2", "bf16": "|V2", "f32": "<f4",
         "i32": "<i4", "u32": "<u4"}


def make_element(kind, rng):
    if kind in ("i8", "u8"):
        # The extremes are frequent: products of them are the largest sums.
        return bytes([rng.choice((0x80, 0x7f, 0xff, rng.randrange(256)))])
    if kind in ("i32", "u32"):
        return struct.pack("<i", rng.randrange(-1000, 1000))
    value = rng.uniform(-1, 1)
    if kind == "f16":
        return struct.pack("<e", value)
    word = struct.pack("<f", value)
    return word[2:] if kind == "bf16" else word


def write_array(name, kind, shape, rng):
    count = 1
    for extent in shape:
        count *= extent
    header = repr({"descr": TYPES[kind], "fortran_order": False,
                   "shape": tuple(shape)})
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    with open(name, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)))
        file.write(header.encode())
        file.write(b"".join(make_element(kind, rng) for _ in range(count)))


def get_extent(text, sizes):
    return sizes[text] if text in sizes else int(text)


def main():
    source, program, emulator, sizes_text, *options = sys.argv[1:]
    is_bound = "--bound" in options
    options = [option for option in options if option != "--bound"]
    sizes = dict(pair.split("=") for pair in sizes_text.split(","))
    sizes = {name: int(value) for name, value in sizes.items()}
    with open(source) as file:
        text = re.sub("#.*", "", file.read())
    folder = os.path.dirname(program)
    instructions = 0
    rng = random.Random(1)
    for name, inputs, outputs, body in re.findall(
            r"def (\w+)\((.*?)\) -> \((.*?)\) *\{(.*?)\}", text, re.DOTALL):
        arrays = re.findall(r"(\w+): (\w+)\(([^)]*)\)", inputs)
        (result, kind, dims), = re.findall(r"(\w+): (\w+)\(([^)]*)\)", outputs)
        if re.search(result + r"\([^)]*\) \+= ", body):
            arrays.append((result, kind, dims))
        given = []
        for array, kind, dims in arrays:
            path = os.path.join(folder, f"{array}.npy")
            shape = [get_extent(dim.strip(), sizes) for dim in dims.split(",")]
            write_array(path, kind, shape, rng)
            given.append(f"{array}={path}")
        written = os.path.join(folder, "result.npy")
        run = subprocess.run(
            [program, "--entry", name, *given, "-o", f"{result}={written}"],
            env={**os.environ, "LD_PRELOAD": emulator, "EMULATED_AMX": "1"},
            capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(f"{name} {sizes_text}: {run.stdout}{run.stderr}")
        count = re.search(r"emulated AMX: (\d+) instructions", run.stderr)
        instructions += int(count[1]) if count else 1
        used = {size: value for size, value in sizes.items()
                if re.search(rf"\b{size}\b", inputs + outputs)}
        values = ",".join(f"{size}={value}" for size, value in used.items())
        verify = subprocess.run(
            ["einc", "verify", source, "--entry", name,
             "--bind" if is_bound else "--sizes", values, *options,
             "--inputs", *given, "--outputs", f"{result}={written}"],
            capture_output=True, text=True)
        if verify.returncode != 0 or "ok," not in verify.stdout:
            sys.exit(f"{name} {sizes_text}: {verify.stdout}{verify.stderr}")
        print(f"{name} {sizes_text}: ok")
    print("some" if instructions else "no", "instructions of AMX")


main()
