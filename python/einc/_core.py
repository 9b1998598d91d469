#===- _core.py - Compilation, errors, signatures -------------------------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
import ctypes.util
import json
import os
import pathlib
import sys
import threading
from dataclasses import dataclass, field
from typing import Optional, Tuple

import numpy

from . import _einc

# By number, as in einc.h: how programs spell the type, and numpy's. Numpy has no
# bf16: arrays of it are its bits.
TYPES = tuple((name, "u2" if name == "bf16" else kind) for name, kind in _einc.types)
NUMBERS = {name: number for number, (name, _) in enumerate(TYPES)}
DTYPES = tuple(numpy.dtype(name) for _, name in TYPES)
FORMS = {"file": 0, "text": 1, "opdsl": 2, "mlir": 3}
SUFFIXES = {".ein": "file", ".yaml": "opdsl", ".yml": "opdsl", ".mlir": "mlir"}


#===----------------------------------------------------------------------===#
# Errors
#===----------------------------------------------------------------------===#

@dataclass(frozen=True)
class Diagnostic:
    """What the compiler says of a place. Lines and columns count from 1, columns in
    bytes; `end` is exclusive; both are None where there is no place. `fixits` are
    (place, end, replacement) and make one change; `notes` are diagnostics."""
    severity: str
    id: str
    message: str
    file: Optional[str] = None
    place: Optional[Tuple[int, int]] = None
    end: Optional[Tuple[int, int]] = None
    fixits: tuple = ()
    notes: tuple = ()

    @staticmethod
    def _read(data, severity="note"):
        def place(data):
            return ((data["line"], data["column"]),
                    (data["end"]["line"], data["end"]["column"])) if "line" in data \
                else (None, None)
        begin, end = place(data)
        return Diagnostic(
            data.get("severity", severity), data["id"], data["message"],
            data.get("file"), begin, end,
            tuple((*place(fixit), fixit["replacement"]) for fixit in data["fixits"]),
            tuple(Diagnostic._read(note) for note in data.get("notes", ())))


class EincError(Exception):
    """Something that einc refuses. Its text has the lines and carets of what is wrong
    with a program; `diagnostics` has the same as records, and is empty for a call."""

    def __init__(self, message, diagnostics=()):
        super().__init__(message)
        self.diagnostics = tuple(diagnostics)


#===----------------------------------------------------------------------===#
# The library
#===----------------------------------------------------------------------===#

_lock = threading.Lock()
_path = None


def _candidates():
    given = os.environ.get("EINC_LIBRARY")
    if given:
        yield given
        return
    here = pathlib.Path(__file__).resolve().parent
    yield str(here / "libeinc.so.1")
    # In a checkout, what was built there.
    yield str(here.parents[1] / "build" / "lib" / "libeinc.so.1")
    yield "libeinc.so.1"


def _load_library():
    global _path
    with _lock:
        if _path:
            return
        errors = []
        for path in _candidates():
            if os.sep in path and not os.path.exists(path):
                errors.append(f"{path}: there is no such file")
                continue
            try:
                _einc.load_library(path)
            except ImportError as error:
                errors.append(str(error))
            else:
                _path = path
                return
        raise ImportError("cannot load libeinc.so; EINC_LIBRARY says where it is: "
                          + "; ".join(errors))


def library_path():
    """The libeinc.so that is used."""
    _load_library()
    return _path


def version():
    """einc's version, and that of its LLVM."""
    _load_library()
    return _einc.get_versions()


#===----------------------------------------------------------------------===#
# Requests
#===----------------------------------------------------------------------===#

def _make_options(options, keywords):
    """Keywords are options: `strict_fp=True` is `--strict-fp`, `bind={"K": 64}` is
    `--bind K=64`, `O=2` is `-O2`, a list is the option once per element."""
    result = [str(option) for option in options]
    for name, value in keywords.items():
        flag = "-" + name if len(name) == 1 else "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if isinstance(value, dict):
            value = ",".join(f"{key}={item}" for key, item in value.items())
        for item in value if isinstance(value, (list, tuple)) else [value]:
            if item is True:
                result.append(flag)
            elif len(name) == 1:
                result.append(f"{flag}{item}")
            else:
                result.append(f"{flag}={item}")
    return tuple(result)


@dataclass(frozen=True)
class _Source:
    text: str
    name: Optional[str]
    form: int
    options: tuple

    @staticmethod
    def make(text, name, form, options, keywords):
        if not isinstance(text, str):
            raise TypeError(f"a program is a str, not {type(text).__name__}")
        if form is None:
            suffix = pathlib.PurePath(name).suffix if name else ""
            form = SUFFIXES.get(suffix, "text")
        if form not in FORMS:
            raise ValueError(f"form is one of {', '.join(FORMS)}, not {form!r}")
        return _Source(text, None if name is None else os.fspath(name), FORMS[form],
                       _make_options(options, keywords))

    def ask(self, request, *more, options=()):
        """The request's value, and the warnings; raises what is wrong."""
        _load_library()
        status, value, message, text, lines = request(
            self.text, self.name, self.form, self.options + tuple(options), *more)
        found = tuple(Diagnostic._read(json.loads(line)) for line in lines.splitlines())
        if status != 0:
            raise EincError(text.rstrip() or message, found)
        return value, found


#===----------------------------------------------------------------------===#
# Compiled functions
#===----------------------------------------------------------------------===#

@dataclass(frozen=True)
class Argument:
    """A parameter or result: `dims` are formulas of the sizes, as `2*N + 1`."""
    name: str
    role: str  # input, output or inout
    type: str
    dims: Tuple[str, ...]

    def __str__(self):
        dims = f"({', '.join(self.dims)})" if self.dims else ""
        return f"{'inout ' if self.role == 'inout' else ''}{self.name}: {self.type}{dims}"


@dataclass(frozen=True)
class Signature:
    """What a function takes and gives. `sizes` are those that are not bound, and
    `checks` what a call checks, in words."""
    name: str
    arguments: Tuple[Argument, ...]
    sizes: Tuple[str, ...]
    checks: Tuple[str, ...] = field(default=())

    @property
    def inputs(self):
        return tuple(a for a in self.arguments if a.role == "input")

    @property
    def outputs(self):
        return tuple(a for a in self.arguments if a.role != "input")

    def __str__(self):
        return (f"{self.name}({', '.join(map(str, self.inputs))}) -> "
                f"({', '.join(map(str, self.outputs))})")

    @staticmethod
    def _read(data):
        return Signature(data["name"],
                         tuple(Argument(a["name"], a["role"], a["type"], tuple(a["dims"]))
                               for a in data["arguments"]),
                         tuple(data["sizes"]), tuple(data["checks"]))


class Function(_einc.Kernel):
    """A compiled def.

    `f(A, B)` takes inputs, then `inout` results, in order of declaration or by name,
    and returns the results: an array, a number, or a tuple of them. `out=` is where
    they are put, `N=3` a size that no array says. Types have to be those of the
    signature; lists and numbers are converted. Other threads run meanwhile."""

    @property
    def signature(self):
        return Signature._read(json.loads(self._signature_json))

    @property
    def __name__(self):
        return self._entry_name

    @property
    def diagnostics(self):
        """The warnings."""
        return self._diagnostics

    def emit(self, kind, **keywords):
        """The program as `einc build --emit KIND` writes it: a str, or bytes."""
        return _emit(self._source, kind, (), keywords)

    def explain(self):
        """What becomes of the program, and why: the data of `einc explain --json`."""
        value, _ = self._source.ask(_einc.explain,
                                    options=[f"--entry={self._entry_name}"])
        return json.loads(value)

    def __repr__(self):
        return f"<einc.Function {self._signature_text}>"


def compile(text, *, entry=None, name=None, form=None, options=(), **keywords):
    """Compiles a program for this machine; the result is its function `entry`, by
    default the last that is not private.

    `text` is a program, a statement, or an einsum string. `name` is its file's, for
    messages and imports. `options` are those of `einc run`, as a list; keywords are the
    same: `bind={"K": 64}`, `O=2`, `parallel=True`, `dtype="f64"`, `cpu="haswell"`."""
    source = _Source.make(text, name, form, options, keywords)
    program, found = source.ask(_einc.compile)
    function = Function(program, entry)
    function._source = source
    function._diagnostics = found
    return function


def _emit(source, kind, options, keywords):
    value, _ = source.ask(_einc.emit, kind, options=_make_options(options, keywords))
    binary = kind in ("bitcode", "obj", "static", "shared", "exe")
    return value if binary else value.decode()


def emit(text, kind, *, name=None, form=None, options=(), **keywords):
    """What `einc build --emit KIND` writes of a program: a str, or bytes."""
    return _emit(_Source.make(text, name, form, options, keywords), kind, (), {})


def explain(text, *, name=None, form=None, options=(), **keywords):
    """What becomes of a program, and why: the data of `einc explain --json`."""
    value, _ = _Source.make(text, name, form, options, keywords).ask(_einc.explain)
    return json.loads(value)


#===----------------------------------------------------------------------===#
# Arrays
#===----------------------------------------------------------------------===#

def _is_array(value):
    """Whether a value has a type of its own: numbers, lists and numpy's scalars do not."""
    if isinstance(value, (numpy.generic, bytes)):
        return False
    if any(hasattr(value, name) for name in
           ("__array_interface__", "__array_struct__", "__array__", "__dlpack__")):
        return True
    try:
        memoryview(value).release()
    except TypeError:
        return False
    return True


def choose_like(values):
    """The first of the arguments that is an array, if results are to be of its kind;
    None: numpy's. Numbers and lists are of no kind."""
    for value in values:
        if isinstance(value, (numpy.ndarray, numpy.generic)):
            if isinstance(value, numpy.ndarray):
                return None
        elif hasattr(value, "__dlpack__"):
            return value
        elif _is_array(value):
            return None
    return None


def find_importer(value):
    """What makes arrays of a value's kind of others, by DLPack: `from_dlpack` of its
    array namespace, else of the package that it, or a class that it extends, is from;
    and `asarray` for types that DLPack has no name for. None: results are numpy's."""
    if isinstance(value, numpy.ndarray) or not hasattr(value, "__dlpack__"):
        return None
    places = []
    if callable(getattr(value, "__array_namespace__", None)):
        places.append(value.__array_namespace__())
    places += [sys.modules.get(base.__module__.partition(".")[0])
               for base in type(value).__mro__]
    for place in places:
        from_dlpack = getattr(place, "from_dlpack", None)
        if callable(from_dlpack):
            # Torch takes a capsule as well, and then does not ask for the device.
            takes_capsule = getattr(place, "__name__", None) == "torch"
            return _make_importer(from_dlpack, getattr(place, "asarray", None), takes_capsule)
    return None


def _make_importer(from_dlpack, asarray, takes_capsule):
    def read(memory):
        try:
            return from_dlpack(memory.__dlpack__() if takes_capsule else memory)
        except (BufferError, RuntimeError, TypeError, ValueError):
            if asarray is None or memory.type == NUMBERS["bf16"]:
                raise
            return asarray(numpy.asarray(memory))
    return read


def _explain_refusal(value, error):
    """Why an array does not show its memory, and what to do."""
    name = type(value).__name__
    if getattr(value, "requires_grad", False) is True:
        return f"the {name} requires a gradient, which einc does not compute: `x.detach()` " \
            "is the same without"
    for property, method in (("is_conj", "resolve_conj"), ("is_neg", "resolve_neg")):
        test = getattr(value, property, None)
        if callable(test) and test():
            return f"the {name} is a view that is computed when it is read: " \
                f"`x.{method}()` has values"
    return f"cannot read the {name}: {error}"


def to_array(value):
    """What numpy makes of a value. It asks nobody for DLPack by itself."""
    if isinstance(value, numpy.ndarray):
        return value
    try:
        if hasattr(value, "__dlpack__") and not hasattr(value, "__array__") and \
                not hasattr(value, "__array_interface__"):
            return numpy.from_dlpack(value)
        return numpy.asanyarray(value)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        if hasattr(value, "__dlpack__"):
            raise EincError(_explain_refusal(value, error)) from error
        raise


def is_bfloat16(dtype):
    """Whether it is the type of that name that ml_dtypes adds to numpy's."""
    return dtype.itemsize == 2 and dtype.type.__name__ == "bfloat16"


def view_bits(array):
    """The bits of an array of that type, where they are; None of other arrays."""
    return array.view("u2") if is_bfloat16(array.dtype) else None


def borrow(value):
    """(numpy's array of a value's memory, the number of its type, or None where numpy
    says it). Only bf16 is a type of others that numpy does not have: its bits are."""
    if isinstance(value, numpy.ndarray) and is_bfloat16(value.dtype):
        return value.view("u2"), NUMBERS["bf16"]
    if hasattr(value, "__dlpack__") and not isinstance(value, (numpy.ndarray, numpy.generic)):
        try:
            memory = _einc.Memory(value, -1, True)
        except TypeError:
            return to_array(value), None
        return numpy.asarray(memory), memory.type
    return to_array(value), None


def _read_numbers(value, dtype):
    """Numbers that one type of numpy does not hold, as [2**64 - 1, 1] or 10**30: an array
    of Python's. None if there is anything else."""
    array = numpy.array(value, dtype=object)
    kinds = (int, numpy.integer, numpy.bool_)
    if dtype.kind in "fc":
        kinds += (float, numpy.floating)
    if dtype.kind == "c":
        kinds += (complex, numpy.complexfloating)
    return array if all(isinstance(item, kinds) for item in array.flat) else None


def _round_to_bf16(array):
    """The nearest bf16 of each f32, to even in the middle, as f32."""
    bits = array.reshape(-1).view("u4")
    rounded = bits + (0x7fff + (bits >> 16 & 1))
    bits = numpy.where(numpy.isnan(array.reshape(-1)), bits | 0x400000, rounded)
    return (bits.astype("u4") & 0xffff0000).astype("u4").view("f4").reshape(array.shape)


def convert(value, dtype):
    """An array that einc can read. What is an array keeps its type: another one is an
    error of the call. `dtype` is for lists and numbers, whose kind has to fit and whose
    integers have to be in range; "bf16" makes bits of values, and leaves alone numpy's
    uint16, which is what results are."""
    name = str(dtype)
    array = numpy.asarray(to_array(value))
    if name == "bf16" and array.dtype == "V2":  # what numpy.load makes of ml_dtypes' files
        return array.view("u2")
    if dtype is None or _is_array(value):
        return numpy.array(array, dtype=array.dtype.newbyteorder("="), order="C", copy=True)
    is_bf16 = isinstance(dtype, str)
    if is_bfloat16(array.dtype):
        if is_bf16:
            return array.view("u2")
        bits = numpy.left_shift(array.view("u2"), 16, dtype="u4")
        array = numpy.asarray(bits, dtype="u4").view("f4")
    if is_bf16:
        if isinstance(value, numpy.uint16):
            return array
        dtype = numpy.dtype("f4")
    integers = (int, numpy.integer, numpy.bool_)
    is_exact = array.dtype.kind in "iub"
    if array.size and (array.dtype.kind == "O" or (dtype.kind in "iu" and not is_exact)):
        numbers = _read_numbers(value, dtype) if dtype.kind in "iufc" else None
        if numbers is None:
            raise EincError(f"cannot convert {array.dtype} to {name}")
        array, is_exact = numbers, all(isinstance(item, integers) for item in numbers.flat)
    elif array.size and not (is_exact and dtype.kind in "iu") and \
            not numpy.can_cast(array.dtype, dtype, "same_kind"):
        raise EincError(f"cannot convert {array.dtype} to {name}")
    is_in_range = True
    if array.size and is_exact and dtype.kind in "iu":
        limits = numpy.iinfo(dtype)
        is_in_range = limits.min <= int(array.min()) and int(array.max()) <= limits.max
    if is_in_range:
        try:
            with numpy.errstate(**({"over": "ignore"} if is_exact else {})):
                converted = array.astype(dtype)
            converted = _round_to_bf16(converted) if is_bf16 else converted
            is_in_range = not is_exact or bool(numpy.isfinite(converted).all())
        except OverflowError:  # of Python's integers
            is_in_range = False
    if not is_in_range:
        raise EincError(f"{value!r} is out of the range of {name}")
    return numpy.asarray(converted.view("u4") >> 16, dtype="u2") if is_bf16 else converted
