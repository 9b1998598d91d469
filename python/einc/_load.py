#===- _load.py - What `einc build --emit shared` made --------------------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
#
# A library says what is in it: the section `.einc` of its file has a line of JSON per
# function (docs/reference/c-interface.md#metadata). That and ctypes is all that it
# takes; libeinc.so is not loaded.
#
#===----------------------------------------------------------------------===#
import ctypes
import json
import os
import re
import struct

import numpy

from . import _core, _einc

_ROLES = ("input", "output", "inout")
_CODES = dict(_einc.codes)
_SCALARS = {"f32": ctypes.c_float, "f64": ctypes.c_double, "f16": ctypes.c_uint16,
            "bf16": ctypes.c_uint16, "i8": ctypes.c_int8, "i16": ctypes.c_int16,
            "i32": ctypes.c_int32, "i64": ctypes.c_int64, "u8": ctypes.c_uint8,
            "u16": ctypes.c_uint16, "u32": ctypes.c_uint32, "u64": ctypes.c_uint64,
            "bool": ctypes.c_bool, "index": ctypes.c_int64}


def _read_section(path, wanted):
    """A section of a shared ELF file of 64 bits; empty if there is none."""
    with open(path, "rb") as file:
        end = file.seek(0, os.SEEK_END)

        def read(offset, length):
            if offset + length > end:
                raise _core.EincError(f"{path}: the file is damaged: it ends too early")
            file.seek(offset)
            return file.read(length)
        if end < 64 or read(0, 5) != b"\x7fELF\x02":
            raise _core.EincError(f"{path}: it is no shared library of 64 bits")
        head = read(0, 64)
        order = "<" if head[5] == 1 else ">"
        kind, = struct.unpack_from(order + "H", head, 16)
        kinds = {1: "an object", 2: "an executable", 4: "a core dump"}
        if kind != 3:
            raise _core.EincError(f"{path}: it is {kinds.get(kind, 'damaged')}, and no shared "
                                  "library")
        start, = struct.unpack_from(order + "Q", head, 40)
        size, count, names = struct.unpack_from(order + "HHH", head, 58)
        if count and (size < 64 or names >= count):
            raise _core.EincError(f"{path}: the file is damaged: it has no sections")
        # name, type, flags, address, offset, size
        headers = [struct.unpack_from(order + "IIQQQQ", read(start + i * size, size))
                   for i in range(count)]
        strings = read(headers[names][4], headers[names][5]) if count else b""
        for header in headers:
            if strings[header[0]:].split(b"\0", 1)[0] == wanted:
                return read(header[4], header[5])
    return b""


class _Formula:
    """A dim: `2*N + 1`, `M / 2`, `min(N - 1, M)`."""

    def __init__(self, text):
        self.text = text
        self.names = set(re.findall(r"[A-Za-z_]\w*(?:\.\d+)?(?![\w(])", text))
        self.is_lone = self.names == {text}
        self._code = None if self.is_lone else compile(
            text.replace("/", "//").replace("min(", "__ein_min("), "<dim>", "eval")

    def evaluate(self, sizes):
        if self.is_lone:
            return sizes[self.text]
        return eval(self._code, {"__builtins__": {}, "__ein_min": min}, sizes)

    def solve(self, extent, sizes):
        """Gives the one size that is missing, if it follows."""
        missing = self.names - sizes.keys()
        if len(missing) != 1 or "/" in self.text or "min(" in self.text:
            return
        name = missing.pop()
        rest = self.evaluate({**sizes, name: 0})
        factor = self.evaluate({**sizes, name: 1}) - rest
        if factor >= 1:
            sizes[name] = (extent - rest) // factor


class LoadedFunction:
    """A function of a shared library, called as einc.Function is."""

    def __init__(self, library, data):
        self.__name__ = data["name"]
        self._metadata = data
        self.signature = _core.Signature(
            data["name"],
            tuple(_core.Argument(a["name"], _ROLES[a["role"]], _core.TYPES[a["type"]][0],
                                 tuple(a["dims"])) for a in data["arguments"]),
            tuple(data["sizes"]), tuple(data["checks"]))
        self._dims = [[_Formula(d) for d in a.dims] for a in self.signature.arguments]
        self._packed = getattr(library, data["name"] + "_packed")
        self._view = getattr(library, data["name"] + "_view")
        # The view entry finds what is alone in a dim; else it has more arguments.
        lone = {d.text for dims in self._dims for d in dims if d.is_lone}
        self._takes_views = set(self.signature.sizes) <= lone and not any(
            a.role == "input" and not a.dims and a.type in ("c64", "c128")
            for a in self.signature.arguments)

    def __repr__(self):
        return f"<einc.LoadedFunction {self.signature}>"

    def _take(self, args, out, keywords):
        """Objects by name, and the sizes that are given."""
        arguments = self.signature.arguments
        params = [a.name for a in arguments if a.role != "output"]
        if len(args) > len(params):
            raise TypeError(f"{self.__name__} takes {len(params)} arrays, not {len(args)}: "
                            f"{self.signature}")
        given = dict(zip(params, args))
        sizes = {}
        for name, value in keywords.items():
            if name in given:
                raise TypeError(f"{self.__name__} has {name!r} twice")
            if any(a.name == name for a in arguments):
                given[name] = value
            elif name in self.signature.sizes:
                sizes[name] = int(value)
            else:
                raise TypeError(f"{self.__name__} has neither an argument nor a size "
                                f"{name!r}")
        if out is not None:
            outs = out if isinstance(out, tuple) else (out,)
            names = [a.name for a in arguments if a.role == "output" and a.name not in given]
            if len(names) != len(outs):
                raise TypeError(f"{self.__name__} has {len(names)} outputs, `out` {len(outs)}")
            given.update((n, o) for n, o in zip(names, outs) if o is not None)
        for name in params:
            if name not in given:
                raise TypeError(f"{self.__name__} is not given {name!r}: {self.signature}")
        return given, sizes

    def _check(self, argument, value):
        wanted = _core.DTYPES[_core.NUMBERS[argument.type]]
        if hasattr(value, "__dlpack__") and not isinstance(value, numpy.generic) and \
                not (isinstance(value, numpy.ndarray) and not _core.is_bfloat16(value.dtype)):
            value, number = _core.borrow(value)
            if number == _core.NUMBERS["bf16"] and argument.type != "bf16":
                raise _core.EincError(f"`{argument.name}` is bf16, not {argument.type}")
        elif not isinstance(value, numpy.ndarray):
            value = _core.convert(value, "bf16" if argument.type == "bf16" else wanted) \
                if argument.role == "input" else numpy.asarray(value)
        elif argument.role == "input" and argument.type == "bf16" and value.dtype == "V2":
            value = value.view("u2")
        elif argument.role == "input" and not value.dtype.isnative:
            value = _core.convert(value, None)
        if value.dtype != wanted:
            raise _core.EincError(f"`{argument.name}` is {value.dtype}, not {argument.type}")
        if value.ndim != len(argument.dims):
            raise _core.EincError(f"`{argument.name}` has rank {value.ndim}, not "
                                  f"{len(argument.dims)}: {self.signature}")
        if argument.role != "input" and not value.flags.writeable:
            raise _core.EincError(f"`{argument.name}` cannot be written")
        return value

    def __call__(self, *args, out=None, **keywords):
        given, sizes = self._take(args, out, keywords)
        arguments = self.signature.arguments
        arrays = [self._check(a, given[a.name]) if a.name in given else None
                  for a in arguments]
        known = [(d, extent) for dims, array in zip(self._dims, arrays) if array is not None
                 for d, extent in zip(dims, array.shape)]
        for dim, extent in known:
            if dim.is_lone:
                sizes.setdefault(dim.text, extent)
        for _ in known:
            for dim, extent in known:
                dim.solve(extent, sizes)
        missing = [name for name in self.signature.sizes if name not in sizes]
        if missing:
            raise _core.EincError(f"no array says what `{missing[0]}` is; "
                                  f"{self.__name__}(…, {missing[0]}=…) does")
        for dim, extent in known:
            if dim.evaluate(sizes) != extent:
                raise _core.EincError(f"{self.__name__}: a dim `{dim.text}` is {extent}, and "
                                      f"has to be {dim.evaluate(sizes)}")
        for place, argument in enumerate(arguments):
            if arrays[place] is None:
                shape = [d.evaluate(sizes) for d in self._dims[place]]
                for dim, extent in zip(self._dims[place], shape):
                    if extent < 0:
                        raise _core.EincError(f"{self.__name__}: the dim `{dim.text}` of "
                                              f"`{argument.name}` would be {extent}")
                arrays[place] = numpy.empty(
                    shape, _core.DTYPES[_core.NUMBERS[argument.type]])
        code = self._call(arrays, sizes)
        if code == 3:
            raise MemoryError
        if code != 0:
            raise _core.EincError(f"`{self.__name__}`: {_CODES.get(code, f'code {code}')}")
        like = _core.choose_like(given[a.name] for a in arguments
                                 if a.role != "output" and a.name in given)

        bfloat16 = next((a.dtype for a in given.values() if isinstance(a, numpy.ndarray) and
                         _core.is_bfloat16(a.dtype)), None)

        def give(array, argument):
            if like is None and bfloat16 is not None and argument.type == "bf16":
                array = array.view(bfloat16)
            if like is not None:
                return _einc.import_like(like, array, _core.NUMBERS[argument.type])
            return array if array.ndim else array[()]
        results = tuple(given[a.name] if a.name in given else give(array, a)
                        for a, array in zip(arguments, arrays) if a.role != "input")
        return results[0] if len(results) == 1 else results

    def _call(self, arrays, sizes):
        is_usable = all(a.flags.aligned and all(s % a.itemsize == 0 for s in a.strides)
                        for a in arrays)
        if self._takes_views and is_usable:
            values = []
            for argument, array in zip(self.signature.arguments, arrays):
                if argument.role == "input" and not argument.dims:
                    bits = array.view("u2")[()] if argument.type in ("f16", "bf16") \
                        else array[()]
                    values.append(_SCALARS[argument.type](bits))
                    continue
                words = [array.ctypes.data, *array.shape,
                         *(s // array.itemsize for s in array.strides)]
                values.append(ctypes.byref((ctypes.c_int64 * len(words))(*words)))
            return self._view(*values)
        # The other entry takes contiguous arrays.
        whole = [numpy.require(a, requirements="CA") for a in arrays]
        numbers = [ctypes.c_int64(sizes[name]) for name in self.signature.sizes]
        pointers = [a.ctypes.data for a in whole] + [ctypes.addressof(n) for n in numbers]
        code = self._packed((ctypes.c_void_p * len(pointers))(*pointers))
        for argument, array, copy in zip(self.signature.arguments, arrays, whole):
            if argument.role != "input" and copy is not array and code == 0:
                array[...] = copy
        return code


class Library:
    """The functions of a shared library that einc made, as attributes."""

    def __init__(self, path):
        path = os.fspath(path)
        lines = [line for line in _read_section(path, b".einc").split(b"\n")
                 if line.startswith(b"{")]
        if not lines:
            raise _core.EincError(f"{path}: einc did not make it, or it is stripped")
        try:
            functions = [json.loads(line) for line in lines]
        except ValueError as error:
            raise _core.EincError(f"{path}: its metadata is damaged: {error}") from error
        try:
            library = ctypes.CDLL(os.path.abspath(path))
        except OSError as error:
            raise _core.EincError(f"{path}: the system cannot load it: {error}") from error
        try:
            loaded = [LoadedFunction(library, data) for data in functions]
        except (AttributeError, LookupError, SyntaxError, TypeError, ValueError) as error:
            raise _core.EincError(f"{path}: its metadata does not fit what is in it: "
                                  f"{error}") from error
        for function in loaded:
            setattr(self, function.__name__, function)
        self.path = path
        self.functions = tuple(function.__name__ for function in loaded)

    def __repr__(self):
        return f"<einc.Library {self.path}: {', '.join(self.functions)}>"


def load(path):
    """Loads a shared library of `einc build --emit shared`: `load("libk.so").mm(A, B)`.
    It needs no compiler."""
    return Library(path)
