#===- einc - Einsum programs as native code, from Python -----------------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Einsum programs as native code.

    einc.einsum("bhqd,bhkd->bhqk", Q, K)     numpy.einsum's arguments
    f = einc.compile(text, bind={"D": 64})   f(Q, K, V), f.signature, f.emit("asm")
    @einc.kernel                             a function whose docstring is a program
    k = einc.load("libkernels.so").mm        what `einc build --emit shared` made

Arrays are numpy's, or anything with the buffer protocol, DLPack or
`__array_interface__`; they are used where they are, with their strides.
Results are numpy's, or of the kind of the first argument: torch in, torch out.
"""

from ._core import (Diagnostic, EincError, Function, Signature, Argument, compile,
                    emit, explain, library_path, version)
from ._einc import einsum
from ._einsum import statistics, tensordot, transpose
from ._kernel import kernel
from ._load import load

__all__ = ["Argument", "Diagnostic", "EincError", "Function", "Signature", "compile",
           "einsum", "emit", "explain", "kernel", "library_path", "load", "statistics",
           "tensordot", "transpose", "version"]


def __getattr__(name):
    if name == "__version__":
        return version()[0]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
