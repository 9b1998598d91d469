"""Einsums of dims of size one that are stretched: numpy's numbers, and an error
where numpy has one.

    broadcast_numpy.py DIRECTORY
"""

import itertools
import subprocess
import sys

import numpy as np

STRINGS = ["abii,i->", "iib,i->b", "iib,i->bi", "ii,i->i", "iij,ij->",
           "abii,i->ba", "iaib,ij->abj", "ajibi,i->abj", "aii,ij->aj"]
EXTENTS = {"a": 1, "b": 5, "i": 3, "j": 4}


def run(directory, text, shapes, random):
    """What is wrong with what einc makes of arrays of `shapes`, if anything."""
    arrays = [random.random(shape, "f4") for shape in shapes]
    files = [f"{directory}/{k}.npy" for k in range(len(arrays))]
    for file, array in zip(files, arrays):
        np.save(file, array)
    result = f"{directory}/r.npy"
    done = subprocess.run(["einc", "run", "--broadcast=numpy", "-e", text,
                           *files, "-o", result],
                          capture_output=True, text=True)
    try:
        expected = np.einsum(text, *arrays)
    except ValueError as error:
        return None if done.returncode == 1 else f"taken, not {error}"
    if done.returncode:
        return f"exit {done.returncode}: {done.stderr.strip()}"
    if np.allclose(np.load(result), expected, rtol=1e-5):
        return None
    return f"{np.load(result)}, not {expected}"


def main():
    random = np.random.default_rng(1)
    tried = wrong = 0
    for text in STRINGS:
        operands = text.split("->")[0].split(",")
        labels = "".join(operands)
        # Each dim of the repeated label is of its extent or one; some have it.
        places = [k for k, label in enumerate(labels) if label == "i"]
        for ones in itertools.product([True, False], repeat=len(places)):
            if all(ones):
                continue
            sizes = [EXTENTS[label] for label in labels]
            for place, one in zip(places, ones):
                sizes[place] = 1 if one else sizes[place]
            shapes, start = [], 0
            for term in operands:
                shapes.append(sizes[start:start + len(term)])
                start += len(term)
            tried += 1
            if complaint := run(sys.argv[1], text, shapes, random):
                wrong += 1
                print(text, shapes, complaint)
    print(f"{tried} tried, {wrong} wrong")


main()
