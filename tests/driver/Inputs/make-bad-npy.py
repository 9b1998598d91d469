"""Writes good.npy (3x4, f32) and files that are wrong in one way each."""
import sys

import numpy as np

directory = sys.argv[1]


def path(name):
    return f"{directory}/{name}.npy"


np.save(path("good"), np.ones((3, 4), "f4"))
np.save(path("b"), np.ones((4, 5), "f4"))
np.save(path("f64"), np.ones((4, 5), "f8"))
np.save(path("i32"), np.ones((4, 5), "i4"))
np.save(path("shape"), np.ones((3, 5), "f4"))
np.save(path("rank"), np.ones((4,), "f4"))
np.save(path("objects"), np.array([None, "x"], dtype=object), allow_pickle=True)
with open(path("b"), "rb") as file:
    data = file.read()
header = data.index(b"\n") + 1


def write(name, contents):
    with open(path(name), "wb") as file:
        file.write(contents)


write("empty", b"")
write("garbage", bytes(range(256)) * 3)
write("magic-only", data[:6])
write("half-header", data[:40])
write("short", data[:-7])
write("long", data + b"more")
write("version", data[:6] + b"\x09\x00" + data[8:])
write("no-dict", data[:10] + b"x" * (header - 11) + b"\n" + data[header:])
write("huge", data[:10] + data[10:header].replace(
    b"(4, 5), }           ", b"(4000000000000, 5), }")[: header - 10] + data[header:])
