#===- einsum_numpy.py - einsum strings read as numpy reads them -----------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# Usage: einsum_numpy.py DIR SEED COUNT
#
# Draws strings, most of them right and many damaged, with shapes for their
# operands; a def each, many to a file. `einc` has to take those that numpy
# takes, with numpy's shapes and numbers. What einc takes beyond numpy (a label
# twice in the output, words, parentheses) is translated to what numpy takes.
# Numbers are small integers in f64, so that sums are exact in any order.
#
#===-----------------------------------------------------------------------===#
import ctypes
import json
import random
import re
import subprocess
import sys

import numpy as np

PER_FILE = 25  # einc stops at 50 errors


def draw(rng):
    """A string and shapes that fit it, before any damage."""
    sizes = {c: rng.choice([0, 1, 2, 2, 3, 3]) for c in "abcdXyZ"}
    ellipsis = [rng.choice([1, 2, 3]) for _ in range(rng.randint(0, 2))]
    terms, shapes = [], []
    for _ in range(rng.randint(1, 4)):
        labels = [rng.choice("aabbccdXyZ") for _ in range(rng.randint(0, 3))]
        shape = [sizes[c] for c in labels]
        if rng.random() < 0.1:  # a dim of size 1
            shape = [1 if rng.random() < 0.5 else s for s in shape]
        if rng.random() < 0.35:
            place = rng.randint(0, len(labels))
            held = ellipsis[rng.randint(0, len(ellipsis)):]
            held = [1 if rng.random() < 0.2 else s for s in held]
            labels.insert(place, "...")
            shape[place:place] = held
        terms.append(labels)
        shapes.append(tuple(shape))
    used = sorted({c for term in terms for c in term if c != "..."})
    text = ",".join("".join(term) for term in terms)
    if rng.random() < 0.7:
        out = rng.sample(used, rng.randint(0, len(used)))
        if out and rng.random() < 0.08:
            out.insert(rng.randint(0, len(out)), rng.choice(out))
        if any("..." in term for term in terms) and rng.random() < 0.9:
            out.insert(rng.randint(0, len(out)), "...")
        text += "->" + "".join(out)
    return text, shapes


def damage(rng, text, shapes):
    roll = rng.random()
    if roll < 0.5:
        for _ in range(rng.randint(0, 3)):  # blanks, also inside `->` and `...`
            at = rng.randint(0, len(text))
            text = text[:at] + " " + text[at:]
    elif roll < 0.75:
        at = rng.randint(0, len(text))
        text = text[:at] + rng.choice(["\t", ".", "...", ",", "->", "-", "1",
                                       "*", "a", "q", ">", "_", "("]) + text[at:]
    elif roll < 0.85 and text:
        at = rng.randrange(len(text))
        text = text[:at] + text[at + 1:]
    elif roll < 0.95:
        i = rng.randrange(len(shapes))
        shape = list(shapes[i])
        if shape and rng.random() < 0.5:
            shape[rng.randrange(len(shape))] = rng.randint(0, 4)
        else:
            shape.append(2)
        shapes[i] = tuple(shape)
    else:
        shapes.pop() if rng.random() < 0.5 and len(shapes) > 1 else shapes.append((2,))
    return text, shapes


def evaluate(text, arrays):
    try:
        result = np.einsum(text, *arrays)
    except (ValueError, TypeError):
        return None
    # A label's dims within one operand have to be equal. numpy says so too, but
    # does not look in all cases (1.24: `aa...->...` with dims 4 and 3).
    terms = text.replace(" ", "").split("->")[0].split(",")
    for term, array in zip(terms, arrays):
        before, _, after = term.partition("...")
        shape = array.shape
        pairs = set(zip(before, shape)) | \
            set(zip(after, shape[len(shape) - len(after):]))
        if len(pairs) != len(dict(pairs)):
            return None
    return result


def with_diagonal(text, arrays):
    """numpy's result for a string whose output has a label twice."""
    if re.search(r"\. +\.|- +>", text):
        return None
    inputs, arrow, out = text.replace(" ", "").partition("->")
    labels = re.sub(r"\.\.\.", "", out)
    if not arrow or len(set(labels)) == len(labels):
        return None
    # Every dim of an ellipsis first, each label once.
    once = "".join(dict.fromkeys(labels))
    compact = evaluate(f"{inputs}->{'...' if '...' in out else ''}{once}", arrays)
    if compact is None:
        return None
    extra = compact.ndim - len(once)
    names = [f"{i}" for i in range(extra)]
    at = out.find("...")
    places = names + list(out) if at < 0 else \
        list(out[:at]) + names + list(out[at + 3:])
    if at < 0 and extra:
        return None
    dims = names + list(once)
    result = np.zeros([compact.shape[dims.index(p)] for p in places])
    for index in np.ndindex(*compact.shape):
        result[tuple(index[dims.index(p)] for p in places)] = compact[index]
    return result


def as_letters(text):
    """The string with each blank-separated word as a letter."""
    if re.search(r"[^A-Za-z0-9_ .,>-]|(?<![A-Za-z_0-9])[0-9]", text):
        return None
    word = r"[A-Za-z_][A-Za-z0-9_]*"
    # Implicit outputs are sorted.
    letters = dict(zip(sorted(set(re.findall(word, text))),
                       "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnop"))
    return re.sub(word, lambda match: letters[match.group(0)], text)


def fits(text, arrays):
    """Whether the string is one of letters that fits the operands' ranks."""
    match = re.fullmatch(r"((?:[A-Za-z ,]|\.\.\.)*)(?:->(?:[A-Za-z ]|\.\.\.)*)?",
                         text)
    if not match:
        return False
    terms = match.group(1).replace(" ", "").split(",")
    ranks = [(len(term.replace("...", "")), "..." in term) for term in terms]
    return len(terms) == len(arrays) and all(
        a.ndim >= rank if more else a.ndim == rank
        for (rank, more), a in zip(ranks, arrays))


def expect(text, arrays):
    """numpy's result, and whether numpy takes the string as it is."""
    result = evaluate(text, arrays)
    if result is not None:
        return result, True
    result = with_diagonal(text, arrays)
    # Words are between blanks: without one, numpy's refusal is ours.
    if result is None and " " in text and not fits(text, arrays) and \
            (words := as_letters(text)):
        result = evaluate(words, arrays)
        if result is None:
            result = with_diagonal(words, arrays)
    return result, False


def type_of(shape):
    return "f64" + (f"({', '.join(map(str, shape))})" if shape else "")


def write(path, cases):
    with open(path, "w") as file:
        for number, (text, shapes) in cases:
            names = [f"A{i}" for i in range(len(shapes))]
            params = ", ".join(f"{n}: {type_of(s)}" for n, s in zip(names, shapes))
            args = ", ".join([f'"{text}"'] + names)
            file.write(f"def f{number}({params}) -> (R) {{ R = einsum({args}) }}\n")


def call(library, number, arrays, shape):
    result = np.full(shape, np.nan)
    args = [ctypes.c_double(a) if a.ndim == 0 else a.ctypes.data_as(ctypes.c_void_p)
            for a in arrays]
    code = getattr(library, f"f{number}")(*args, result.ctypes.data_as(ctypes.c_void_p))
    assert code == 0, f"f{number} returns {code}"
    return result


def main():
    directory, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(seed)
    data = np.random.default_rng(seed)
    cases = [(t, [()] * (t.count(",") + 1)) for t in ["", " ", "->", ",->", ","]]
    cases += [("i,->i", [(3,), ()]), ("i...->i", [(3,)]), ("i->...i", [(3,)]),
              ("ii,i->i", [(1, 1), (5,)]), ("ii->i", [(1, 5)])]
    while len(cases) < count:
        text, shapes = draw(rng)
        if rng.random() < 0.5:
            text, shapes = damage(rng, text, shapes)
        cases.append((text, shapes))
    arrays = [[data.integers(-3, 4, s).astype("f8") for s in shapes]
              for _, shapes in cases]
    expected = [expect(text, a) for (text, _), a in zip(cases, arrays)]

    flags = ["--broadcast", "numpy"]
    numbered = list(enumerate(cases))
    refused = set()
    for begin in range(0, len(cases), PER_FILE):
        path = f"{directory}/part{begin}.ein"
        part = numbered[begin:begin + PER_FILE]
        write(path, part)
        run = subprocess.run(["einc", "build", path, "--emit", "program",
                              "--diagnostics", "json", "-o", "-"] + flags,
                             capture_output=True, text=True)
        assert run.returncode in (0, 1), run.stderr
        for line in run.stderr.splitlines():
            refused.add(part[json.loads(line)["line"] - 1][0])

    wrong = []
    for i, (result, is_numpys) in enumerate(expected):
        if (i in refused) != (result is None):
            verb = "refuses" if i in refused else "takes"
            wrong.append(f"einc {verb} {cases[i]!r}, numpy does not")
    accepted = [i for i in range(len(cases)) if i not in refused]
    write(f"{directory}/all.ein", [numbered[i] for i in accepted])
    library = f"{directory}/all.so"
    subprocess.run(["einc", "build", f"{directory}/all.ein", "-o", library,
                    "-O0"] + flags, check=True)
    program = subprocess.run(["einc", "build", f"{directory}/all.ein", "--emit",
                              "program"] + flags, check=True,
                             capture_output=True, text=True).stdout
    shapes = {int(n): tuple(int(d) for d in re.findall(r"\d+", dims or ""))
              for n, dims in re.findall(
                  r"^def f(\d+)\n(?:  .*\n)*?  output R: f64(?:\((.*)\))?$",
                  program, re.MULTILINE)}
    loaded = ctypes.CDLL(library)
    for i in accepted:
        result = expected[i][0]
        if result is None:
            continue
        if shapes[i] != result.shape:
            wrong.append(f"{cases[i]!r} has shape {shapes[i]}, numpy's {result.shape}")
        elif not np.array_equal(call(loaded, i, arrays[i], result.shape), result):
            wrong.append(f"{cases[i]!r} has other values than numpy's")
    beyond = sum(r is not None and not is_numpys for r, is_numpys in expected)
    print(f"{len(cases)} strings: {len(accepted)} taken, {beyond} of them beyond "
          f"numpy, {len(refused)} refused, {len(wrong)} wrong")
    print("\n".join(wrong))
    sys.exit(bool(wrong))


main()
