#===- _einsum.py - numpy.einsum by compiled code -------------------------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
#
# A call is brought to a structure: which labels each operand and the result have, by
# number, and their types. A kernel with dynamic sizes is compiled once per structure.
# A Plan says how the dims of operands become the kernel's views: a diagonal is the sum
# of two strides, and a size of one that goes with another is a stride of zero.
#
# Plans are kept by subscripts, so that _einc.c answers the next such call alone. What
# comes here is the first one, and what is rare: conversions, an order, an `out` of
# another type.
#
# Numpy does what is no arithmetic on einc's types (objects, long doubles, strings);
# what is a view of its operand; and what is wrong, so that errors are numpy's own.
#
#===----------------------------------------------------------------------===#
import operator
import threading

import numpy

from . import _core, _einc

# Whoever replaces numpy's by ours still falls back to numpy's.
_numpy_einsum = numpy.einsum
_numpy_einsum_path = numpy.einsum_path

# By numpy's kind and size: the number of einc's type.
_TYPES = {(dtype.kind, dtype.itemsize): number
          for number, dtype in reversed(list(enumerate(_core.DTYPES)))
          if _core.TYPES[number][0] not in ("bf16", "index")}
_BF16 = _core.NUMBERS["bf16"]
_MOST_LABELS = 32
# How many structures, and how many spellings of subscripts, are remembered.
_MOST_KEPT = 1000

_lock = threading.Lock()
_kernels = {}  # structure -> Plan
_compiling = {}  # structure -> the lock of who compiles it
_counts = {"compiled": 0, "numpy": 0}


def statistics():
    """How many kernels einsum has compiled, and how many calls it left to numpy."""
    return dict(_counts)


def _get_type(dtype):
    return _TYPES.get((dtype.kind, dtype.itemsize))


#===----------------------------------------------------------------------===#
# Subscripts
#===----------------------------------------------------------------------===#

def _split_label(term):
    """'a...b' -> ('a', None, 'b') as numbers; None if it is not well-formed."""
    before, dots, after = term.partition("...")
    if "." in before + after:
        return None
    if not all(c.isascii() and c.isalpha() for c in before + after):
        return None
    return [ord(c) for c in before], [ord(c) for c in after] if dots else None


def _split_list(labels):
    try:
        labels = list(labels)
    except TypeError:
        return None
    try:
        numbers = [None if label is Ellipsis else operator.index(label) for label in labels]
    except TypeError:
        return None
    if numbers.count(None) > 1 or not all(n is None or 0 <= n < 52 for n in numbers):
        return None
    if None not in numbers:
        return numbers, None
    place = numbers.index(None)
    return numbers[:place], numbers[place + 1:]


def _read_operands(operands):
    """(terms, the result's term or None, arrays, subscripts or None)."""
    if len(operands) < 2:
        return None
    if isinstance(operands[0], str):
        text = operands[0].replace(" ", "")
        left, arrow, right = text.partition("->")
        terms = [_split_label(term) for term in left.split(",")]
        result = _split_label(right) if arrow else None
        arrays = operands[1:]
        if None in terms or (arrow and result is None) or len(terms) != len(arrays):
            return None
        return terms, result, arrays, operands[0]
    arrays, lists = operands[0:len(operands) // 2 * 2:2], operands[1::2]
    terms = [_split_list(item) for item in lists]
    result = _split_list(operands[-1]) if len(operands) % 2 else None
    if None in terms or not terms or (len(operands) % 2 and result is None):
        return None
    return terms, result, arrays, None


def _expand(term, rank):
    """A label per dim. Dims of the ellipsis are -1, -2, … from the last on."""
    before, after = term
    if after is None:
        return before if len(before) == rank else None
    more = rank - len(before) - len(after)
    if more < 0:
        return None
    return before + list(range(-more, 0)) + after


def _find_structure(terms, result, ranks):
    """Labels per operand and of the result; None if they do not fit."""
    axes = [_expand(term, rank) for term, rank in zip(terms, ranks)]
    if None in axes:
        return None
    labels = [label for labels in axes for label in labels]
    dots = sorted({label for label in labels if label < 0})
    if result is None:
        once = sorted({label for label in labels if label >= 0 and labels.count(label) == 1})
        out = dots + once
    else:
        before, after = result
        out = before if after is None else before + dots + after
        if after is None and dots:
            return None
    if len(set(out)) != len(out) or not set(out) <= set(labels):
        return None
    if len(set(labels)) > _MOST_LABELS:
        return None
    numbers = {}
    for label in labels:
        numbers.setdefault(label, len(numbers))
    return (tuple(tuple(numbers[label] for label in labels) for labels in axes),
            tuple(numbers[label] for label in out), len(numbers))


#===----------------------------------------------------------------------===#
# Kernels
#===----------------------------------------------------------------------===#

def _write_program(labels, types, out, result_type):
    """A def with an operand per tuple of labels, which are distinct."""
    def shape(prefix, numbers):
        return f"({', '.join(prefix + str(n) for n in numbers)})" if numbers else ""
    name = _core.TYPES[result_type][0]
    params, factors = [], []
    for place, (numbers, number) in enumerate(zip(labels, types)):
        type_name = _core.TYPES[number][0]
        params.append(f"a{place}: {type_name}{shape('N', numbers)}")
        access = f"a{place}{shape('i', numbers)}"
        factors.append(access if number == result_type else f"{name}({access})")
    is_sum = set(n for numbers in labels for n in numbers) != set(out)
    return (f"def einsum({', '.join(params)}) -> (r: {name}{shape('N', out)}) {{\n"
            f"  r{shape('i', out)} {'+=!' if is_sum else '='} {' * '.join(factors)}\n}}\n")


def _forget_oldest(kept):
    while len(kept) > _MOST_KEPT:
        del kept[next(iter(kept))]


def _get_plan(axes, out, count, types, result_type):
    key = axes, out, types, result_type
    with _lock:
        plan = _kernels.get(key)
        if plan:
            return plan
        compiling = _compiling.setdefault(key, threading.Lock())
    with compiling:
        with _lock:
            plan = _kernels.get(key)
        if plan:  # another thread compiled it meanwhile
            return plan
        try:
            labels = tuple(tuple(dict.fromkeys(numbers)) for numbers in axes)
            text = _write_program(labels, types, out, result_type)
            kernel = _core.compile(text, name="<einsum>", form="file")
            plan = _einc.Plan(kernel, count, types, axes, labels, out, result_type)
            with _lock:
                _counts["compiled"] += 1
                _kernels[key] = plan
                _forget_oldest(_kernels)
            return plan
        finally:
            with _lock:
                _compiling.pop(key, None)


#===----------------------------------------------------------------------===#
# Calls
#===----------------------------------------------------------------------===#

def _leave_to_numpy(operands, keywords):
    _counts["numpy"] += 1
    return _numpy_einsum(*operands, **keywords)


def _get_layout(order, arrays):
    """Of a result: row-major, column-major or as the operands are (_einc.c)."""
    order = order.upper()
    if order == "A":
        order = "F" if all(a.flags.f_contiguous for a in arrays) and \
            not all(a.flags.c_contiguous for a in arrays) else "C"
    return "CFK".index(order)


def _replace_arrays(operands, arrays):
    """The same arguments of einsum with numpy's arrays."""
    if isinstance(operands[0], str):
        return (operands[0], *arrays)
    operands = list(operands)
    operands[0:2 * len(arrays):2] = arrays
    return tuple(operands)


def einsum(*operands, **keywords):
    """numpy.einsum(subscripts, *operands, out=None, dtype=None, order='K',
    casting='safe', optimize=False) by compiled code.

    A kernel is compiled per structure of subscripts and types, for all sizes. The
    order of contraction is einc's, whatever `optimize` says; a path is checked. The
    result is an array of the first operand's kind."""
    known = {"out", "dtype", "order", "casting", "optimize"}
    read = _read_operands(operands) if set(keywords) <= known else None
    if read is None:
        return _leave_to_numpy(operands, keywords)
    terms, result, given, subscripts = read
    arrays, types = map(list, zip(*map(_core.borrow, given)))
    out, place, place_type = keywords.get("out"), keywords.get("out"), None
    if hasattr(out, "__dlpack__") and \
            (not isinstance(out, numpy.ndarray) or _core.is_bfloat16(out.dtype)):
        place, place_type = _core.borrow(out)
        keywords = {**keywords, "out": place}
    if _BF16 in types or place_type == _BF16:
        return _compute_bf16(terms, result, given, arrays, types, out, place_type, keywords)
    value = _compute(_replace_arrays(operands, arrays), keywords, terms, result, arrays,
                     subscripts)
    if out is not None:
        return out if value is place else value
    like = _core.choose_like(given)
    number = None if like is None else _get_type(numpy.asarray(value).dtype)
    return value if number is None else \
        _einc.import_like(like, numpy.asarray(value), number)


def _compute_bf16(terms, result, given, arrays, types, out, out_type, keywords):
    """Of operands that numpy does not know: what torch and ml_dtypes have by the name."""
    structure = _find_structure(terms, result, [a.ndim for a in arrays])
    if set(types) != {_BF16} or out_type not in (None, _BF16) or \
            (out is not None and out_type is None) or keywords.get("dtype") is not None:
        raise _core.EincError("bf16 goes with bf16 alone: convert the others, or these to f32")
    if structure is None:
        raise ValueError("the subscripts do not fit the operands")
    axes, out_labels, count = structure
    plan = _get_plan(axes, out_labels, count, tuple(types), _BF16)
    value = _einc.run(plan, tuple(given), out, _get_layout(keywords.get("order", "K"), arrays))
    if value is None:
        raise ValueError("the operands' sizes do not fit the subscripts, or `out` does not")
    return value


def _compute(operands, keywords, terms, result, arrays, subscripts):
    structure = _find_structure(terms, result, [a.ndim for a in arrays])
    out, dtype = keywords.get("out"), keywords.get("dtype")
    order, casting = keywords.get("order", "K"), keywords.get("casting", "safe")
    optimize = keywords.get("optimize", False)
    if structure is None or not isinstance(order, str) or \
            order.upper() not in ("C", "F", "A", "K") or \
            (out is not None and not isinstance(out, numpy.ndarray)):
        return _leave_to_numpy(operands, keywords)
    axes, out_labels, count = structure

    # Types: all are converted to that of the result, as numpy converts them.
    wanted = numpy.dtype(dtype) if dtype is not None else \
        numpy.result_type(*arrays, *([out] if out is not None else []))
    result_type = _get_type(wanted)
    types = [_get_type(a.dtype) for a in arrays]
    if result_type is None or None in types or \
            not all(numpy.can_cast(a, wanted, casting) for a in arrays) or \
            (out is not None and not numpy.can_cast(wanted, out.dtype, casting)):
        return _leave_to_numpy(operands, keywords)
    is_sum = set(n for labels in axes for n in labels) != set(out_labels)
    if len(arrays) == 1 and not is_sum and out is None and types[0] == result_type:
        return _leave_to_numpy(operands, keywords)  # a view
    if not isinstance(optimize, (bool, str)) or optimize not in (
            True, False, "greedy", "optimal"):
        _numpy_einsum_path(*operands, optimize=optimize)
    wanted = _core.DTYPES[result_type]
    is_same = True
    for place, array in enumerate(arrays):
        # What loses values is numpy's to define; what widens is done on the way.
        if types[place] != result_type and not numpy.can_cast(array.dtype, wanted, "safe"):
            arrays[place] = array.astype(wanted, casting="unsafe")
            types[place] = result_type
            is_same = False

    plan = _get_plan(axes, out_labels, count, tuple(types), result_type)
    is_stable = all(a.ndim > 0 for a in arrays) or len({a.dtype for a in arrays}) == 1
    # A plan is found by the operands alone: `out` must not have said the type.
    if subscripts is not None and dtype is None and is_same and is_stable and \
            (out is None or out.dtype == wanted == numpy.result_type(*arrays)):
        with _lock:
            known_plans = _einc.plans.setdefault(subscripts, [])
            if plan not in known_plans:
                known_plans.append(plan)
            _forget_oldest(_einc.plans)
    arrays = tuple(arrays)
    place = out
    if out is not None and (out.dtype != wanted or
                            any(numpy.may_share_memory(out, a) for a in arrays)):
        place = None
    value = _einc.run(plan, arrays, place, _get_layout(order, arrays))
    if value is None and place is not None:
        value = _einc.run(plan, arrays, None, 0)  # `out` is not aligned, say
    if value is None or (out is not None and numpy.shape(value) != out.shape):
        return _leave_to_numpy(operands, keywords)  # which says what is wrong
    if out is not None and value is not out:
        numpy.copyto(out, value, casting="unsafe")
        return out
    return value


#===----------------------------------------------------------------------===#
# What opt_einsum asks of a backend
#===----------------------------------------------------------------------===#

def tensordot(a, b, axes=2):
    """numpy.tensordot by compiled code, of whatever `einsum` takes."""
    a, b = (x if hasattr(x, "shape") else numpy.asanyarray(x) for x in (a, b))
    ranks = len(a.shape), len(b.shape)
    if hasattr(axes, "__index__"):
        axes = (list(range(ranks[0] - axes, ranks[0])), list(range(axes)))
    pair = []
    for rank, dims in zip(ranks, axes):
        dims = [dims] if hasattr(dims, "__index__") else list(dims)
        pair.append([d + rank if d < 0 else d for d in dims])
    left, right = pair
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    if len(left) != len(right) or sum(ranks) - len(left) > len(letters) or any(
            not 0 <= d < rank for rank, dims in zip(ranks, pair) for d in dims) or any(
            len(set(dims)) != len(dims) for dims in pair):
        return numpy.tensordot(a, b, axes)  # which says what is wrong
    if any(a.shape[m] != b.shape[n] for m, n in zip(left, right)):
        raise ValueError("shape-mismatch for sum")
    first = list(letters[:ranks[0]])
    rest = iter(letters[ranks[0]:])
    second = [None] * ranks[1]
    for m, n in zip(left, right):
        second[n] = first[m]
    second = [label or next(rest) for label in second]
    result = [l for d, l in enumerate(first) if d not in left] + \
             [l for d, l in enumerate(second) if d not in right]
    return _einc.einsum(f"{''.join(first)},{''.join(second)}->{''.join(result)}", a, b)


def transpose(a, axes=None):
    """numpy.transpose, of whatever `einsum` takes: a view."""
    if isinstance(a, numpy.ndarray):
        return numpy.transpose(a, axes)
    array, number = _core.borrow(a)
    view = numpy.transpose(array, axes)
    return view if number is None else _einc.import_like(a, view, number)


_einc.set_up(_core.EincError, numpy.empty, numpy.generic, numpy.ndarray, _core.convert,
             einsum, _core.find_importer, _core.view_bits, _core.DTYPES)
