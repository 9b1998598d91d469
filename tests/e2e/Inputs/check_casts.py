"""What casts.ein says of numbers inside and outside of the ranges, and of NaN."""
import subprocess
import sys
import numpy as np

program, options = sys.argv[1], sys.argv[2:]
edges = [0, 127, 128, 129, 255, 256, 300, 32767, 32768, 65535, 65536, 2.0**31, 2.0**32, 1e30,
         np.inf]
numbers = np.array([sign * (edge + more) for edge in edges for more in (-0.5, -0.01, 0, 0.01, 0.5)
                    for sign in (1, -1)] + [np.nan, -np.nan])
numbers = np.concatenate([numbers, np.random.default_rng(1).uniform(-400, 400, 100)])
types = {"a": "f4 i1", "b": "f4 u1", "c": "f4 i2", "d": "f4 u2", "e": "f8 i4", "f": "f8 u1",
         "g": "f4 i1", "h": "f2 i1", "j": "f4 i1", "k": "f4 i4", "l": "f8 u4"}
clamps = {"f": (-7, 300), "g": (-128, 127), "j": (100, 120.5)}
for name, pair in types.items():
    source, target = pair.split()
    with np.errstate(all="ignore"):
        x = numbers.astype(source)
    np.save("x.npy", x)
    subprocess.run(["einc", "run", program, f"--entry={name}", *options, "x.npy", "-o", "y.npy"],
                   check=True)
    got = np.load("y.npy")
    wide = np.clip(x.astype("f8"), *clamps.get(name, (-np.inf, np.inf)))
    limits = np.iinfo(target)
    wide = np.clip(np.trunc(np.nan_to_num(wide, nan=0, posinf=np.inf, neginf=-np.inf)),
                   limits.min, limits.max)
    assert got.dtype == target and (got == wide.astype(target)).all(), (name, x[got != wide])
