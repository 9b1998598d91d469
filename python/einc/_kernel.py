#===- _kernel.py - A function whose docstring is a program ---------------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
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


class _Kernel:
    def __init__(self, function, keywords):
        functools.update_wrapper(self, function)
        text = inspect.getdoc(function)
        if not text:
            raise TypeError(f"{function.__name__} has no docstring to compile")
        self._signature = inspect.signature(function)
        self._names = list(self._signature.parameters)
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
                keywords = dict(self._keywords)
                if key is not None:
                    keywords["dtype"] = key
                self._functions[key] = _core.compile(self.text, **keywords)
            return self._functions[key]

    def compiled(self, *arguments):
        """The einc.Function for such arguments."""
        return self._get(arguments)

    def __call__(self, *args, out=None, **keywords):
        if len(args) != len(self._names) or keywords:
            sizes = {n: keywords.pop(n) for n in list(keywords) if n not in self._names}
            args = self._signature.bind(*args, **keywords).args
            return self._call(args, out, sizes)
        return self._call(args, out, {})

    def _call(self, args, out, sizes):
        function = self._get(args)
        return function(out=out, **dict(zip(self._names, args)), **sizes)


def kernel(function=None, **keywords):
    """Makes a function of the program in a function's docstring:

        @einc.kernel
        def scaled(A, s):
            "C(i, j) = s * A(i, j)"

    Its parameters are the program's, by name. The docstring is statements or defs. Of
    statements, annotations are the types (`A: "f32(M, N)"`, `-> "C: f32(M, N)"`);
    without them everything has the type of the first argument. It is compiled when it
    is called first; keywords are those of `einc.compile`."""
    if function is None:
        return lambda function: _Kernel(function, keywords)
    return _Kernel(function, keywords)
