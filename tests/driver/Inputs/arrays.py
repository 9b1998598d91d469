"""Usage: arrays.py DIR: A.npy (2x3) and B.npy (3x2) of f32, D.npy as A of f64, V.npy (3)."""
import pathlib
import sys

import numpy

directory = pathlib.Path(sys.argv[1])
matrix = numpy.arange(6).reshape(2, 3)
numpy.save(directory / "A.npy", matrix.astype("f4"))
numpy.save(directory / "B.npy", matrix.reshape(3, 2).astype("f4"))
numpy.save(directory / "D.npy", matrix.astype("f8"))
numpy.save(directory / "V.npy", numpy.arange(3).astype("f4"))
