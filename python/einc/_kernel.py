#===- _kernel.py - A function whose docstring is a program ---------------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
import dataclasses
import functools
import inspect
import re
import textwrap
import threading

from . import _core


def _get_type_name(value):
    """What einc calls the type of an argument."""
    array, number = _core.borrow(value)
    if number is not None:
        return _core.TYPES[number][0]
    dtype = array.dtype.newbyteorder("=")  # the call copies
    names = [n for (n, _), d in zip(_core.TYPES, _core.DTYPES)
             if d == dtype and n not in ("bf16", "index")]
    if not names:
        raise _core.EincError(f"einc has no type {dtype}")
    return names[0]


# What untyped statements of narrow types give: the type that they are summed in.
_ACCUMULATORS = {"f16": "f32", "bf16": "f32", "i8": "i32", "i16": "i32", "u8": "u32",
                 "u16": "u32"}


class _Kernel:
    def __init__(self, function, keywords):
        functools.update_wrapper(self, function)
        text = inspect.getdoc(function)
        if not text:
            raise TypeError(f"{function.__name__} has no docstring to compile")
        self._signature = inspect.signature(function)
        self._names = list(self._signature.parameters)
        for name, parameter in self._signature.parameters.items():
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                raise TypeError(f"{function.__name__}: `{parameter}` is no parameter of a program")
            if name == "out":
                raise TypeError(f"{function.__name__}: `out` is where calls put results; give "
                                "the parameter another name")
        self._keywords = keywords
        self._lock = threading.Lock()
        self._functions = {}  # by the type of the first array; None: any
        annotations = getattr(function, "__annotations__", {})
        self._is_typed = re.search(r"^\s*((private|public)\s+)?def\s", text, re.M) is not None
        if not self._is_typed and annotations:
            missing = [n for n in [*self._names, "return"] if n not in annotations]
            if missing:
                raise TypeError(f"{function.__name__}: `{missing[0]}` is not annotated, and "
                                "others are")
            params = ", ".join(f"{n}: {annotations[n]}" for n in self._names)
            text = (f"def {function.__name__}({params}) -> ({annotations['return']}) {{\n"
                    f"{textwrap.indent(text, '  ')}\n}}\n")
            self._is_typed = True
        self.text = text

    def _get(self, arguments):
        key = None
        if not self._is_typed and "dtype" not in self._keywords:
            key = _get_type_name(arguments[0]) if arguments else "f32"
        function = self._functions.get(key)
        if function:
            return function
        with self._lock:
            if key not in self._functions:
                self._functions[key] = self._compile(key)
            return self._functions[key]

    def _compile(self, dtype):
        """For arguments of one type; None: the types are written."""
        keywords = dict(self._keywords)
        if dtype is None:
            return _core.compile(self.text, **keywords)
        function = _core.compile(self.text, **{**keywords, "dtype": dtype})
        signature = function.signature
        wide = _ACCUMULATORS.get(dtype)
        if not any(a.type == wide for a in signature.outputs):
            return function
        # Results are to be of the arguments' type, too, as einc.einsum's are: sums are
        # rounded at the end.
        results = [dataclasses.replace(a, type=dtype) if a.type == wide else a
                   for a in signature.outputs]
        text = (f"def {signature.name}({', '.join(map(str, signature.inputs))}) -> "
                f"({', '.join(map(str, results))}) {{\n{textwrap.indent(self.text, '  ')}\n}}\n")
        keywords.pop("bind", None)  # is in the dims
        return _core.compile(text, **keywords)

    def compiled(self, *arguments):
        """The einc.Function for such arguments."""
        return self._get(arguments)

    def __call__(self, *args, out=None, **keywords):
        if len(args) == len(self._names) and not keywords:
            given, sizes = dict(zip(self._names, args)), keywords
        else:
            sizes = {n: keywords.pop(n) for n in list(keywords) if n not in self._names}
            bound = self._signature.bind(*args, **keywords)
            bound.apply_defaults()
            given = bound.arguments
        return self._get(tuple(given.values()))(out=out, **given, **sizes)


def kernel(function=None, **keywords):
    """Makes a function of the program in a function's docstring:

        @einc.kernel
        def scaled(A, s):
            "C(i, j) = s * A(i, j)"

    Its parameters are the program's, by name, and may have defaults. The docstring is
    statements or defs. Of statements, annotations are the types (`A: "f32(M, N)"`,
    `-> "C: f32(M, N)"`); without them arguments and results have the type of the first
    argument. It is compiled when it is called first; keywords are those of
    `einc.compile`."""
    if function is None:
        return lambda function: _Kernel(function, keywords)
    return _Kernel(function, keywords)
