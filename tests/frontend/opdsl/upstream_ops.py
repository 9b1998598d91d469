#!/usr/bin/env python3
#===- upstream_ops.py - The installed LLVM's linalg ops as OpDSL YAML -----===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# Usage: upstream_ops.py LLVM-PREFIX OUT.yaml [NAME...]
#
# Ops that are named are written to files of their own, NAME.yaml beside OUT, and
# not into OUT once it has been checked.
#
# The package has what mlir-linalg-ods-yaml-gen made of LLVM's YAML, but not the
# YAML. This goes the way back: arguments, maps, iterators and expressions are
# read from the generated files. Names of arguments and of type variables are
# lost there and are made up; types are one variable where an operation needs
# them to be. That nothing else is lost is checked: the tool, run on what this
# writes, must make the same two files once more.
#
#===-----------------------------------------------------------------------===#
import pathlib
import re
import subprocess
import sys

FIXED = {"getIntegerType(32)": "I32", "getIntegerType(64)": "I64",
         "getFloat32Type()": "F32", "getFloat64Type()": "F64"}


class Types:
    """Type variables of arguments, joined where an operation needs it."""

    def __init__(self, count):
        self.parent = {i: i for i in range(count)}

    def find(self, key):
        while self.parent.setdefault(key, key) != key:
            key = self.parent[key]
        return key

    def join(self, a, b):
        a, b = self.find(a), self.find(b)
        if a != b:  # fixed types, which are strings, stay roots
            self.parent[b if isinstance(a, str) else a] = a if isinstance(a, str) else b


def indent(text, depth):
    return "".join(" " * depth + line if line.strip() else line
                   for line in text.splitlines(keepends=True))


def print_expr(expr):
    kind, payload = expr[0], expr[1]
    if kind in ("scalar_arg", "scalar_index"):
        return f"{kind}: {payload}\n"
    if kind == "scalar_const":
        return f"{kind}: '{payload}'\n"
    text = "scalar_fn:\n" + indent("".join(f"{k}: {v}\n" for k, v in payload.items()), 2)
    text += "  operands:\n"
    for operand in expr[2]:
        text += "  - !ScalarExpression\n" + indent(print_expr(operand), 4)
    return text


def read_body(body, num_args):
    """The yielded expression, and the types of the arguments."""
    types = Types(num_args)
    values = {}

    def operand(text):
        found = re.fullmatch(r"block\.getArgument\((\d+)\)", text)
        if found:
            return ("scalar_arg", int(found[1])), int(found[1])
        return values[text]

    for line in body.splitlines():
        found = re.match(r"\s*Value (\w+) = helper\.(\w+)\((.*)\);", line)
        if not found:
            continue
        name, helper, arguments = found.groups()
        if helper == "constant":
            text = arguments.strip('"')
            values[name] = ("scalar_const", text), text.split(" : ")[1].upper()
            continue
        if helper == "index":
            values[name] = ("scalar_index", arguments), "Index"
            continue
        parts = arguments.split(", ")[:-1]  # the last is emitError
        kind = helper[len("build"):-len("Fn")].lower()
        fn = parts[0].split("::")
        payload = {"kind": kind}
        if len(fn) == 2:
            payload["fn_name"] = fn[1]
        else:
            payload["attr_name"] = fn[0][:-len("Val")]
        if kind == "type":
            target = parts[1]
            found = re.fullmatch(r"block\.getArgument\((\d+)\)\.getType\(\)", target)
            of = int(found[1]) if found else FIXED[target.split(".")[1]]
            payload["type_var"] = of
            values[name] = ("scalar_fn", payload, [operand(parts[2])[0]]), of
            continue
        operands = [operand(part) for part in parts[1:]]
        same = operands[1:] if kind == "ternary" else operands
        for _, of in same[1:]:
            types.join(same[0][1], of)
        values[name] = ("scalar_fn", payload, [expr for expr, _ in operands]), same[0][1]
    result, of = operand(re.search(r"yields\.push_back\((.*)\);", body)[1])
    types.join(of, num_args - 1)
    return result, types


def name_types(expr, names, type_names):
    if expr[0] == "scalar_arg":
        return ("scalar_arg", names[expr[1]])
    if expr[0] != "scalar_fn":
        return expr
    payload = dict(expr[1])
    if isinstance(payload.get("type_var"), int):
        payload["type_var"] = type_names[payload["type_var"]]
    return ("scalar_fn", payload, [name_types(o, names, type_names) for o in expr[2]])


def shapes_of(maps, attribute_symbols):
    """Each index's extent: a symbol, by first appearance, as OpDSL numbers them."""
    extents = {}
    num_symbols = len(re.findall(r"\bs\d+\b", maps[0].split("->")[0]))
    free = (i for i in range(num_symbols) if i not in attribute_symbols)
    shapes = []
    for text in maps:
        head, results = text[len("affine_map<"):-1].split(" -> ")
        for dim in re.findall(r"\bd\d+\b", results):
            if dim not in extents:
                extents[dim] = f"s{next(free)}"
        symbols = head[head.index("["):] if "[" in head else ""
        results = re.sub(r"\bd\d+\b", lambda m: extents[m[0]], results)
        shapes.append(f"affine_map<(){symbols} -> {results}>")
    return shapes


def convert(ods, impl):
    cpp_class = re.match(r"(\w+)", ods)[1]
    name = re.search(r'LinalgStructuredBase_Op<"(\w+)"', ods)[1]
    text = "--- !LinalgOpConfig\nmetadata: !LinalgOpMetadata\n"
    text += f"  name: {name}\n  cpp_class_name: {cpp_class}\n"
    summary = re.search(r"let summary = \[\{(.*?)\}\];", ods, re.S)
    description = re.search(r"let description = \[\{(.*?)\}\];", ods, re.S)
    if summary:
        doc = summary[1]
        if description:
            doc += "\n\n" + description[1]
        text += "  doc: |-\n" + indent(doc, 4) + "\n"
    interfaces = re.search(r"/\*extraInterfaces=\*/\[(.*?)\]", ods)[1]
    if interfaces:
        text += "  implements:\n" + "".join(f"  - {i}\n" for i in interfaces.split(", "))
    if "let hasCanonicalizer = 1;" in ods:
        text += "  defines:\n  - hasCanonicalizer\n"

    num_args = int(re.search(r"getNumRegionArgs\(\) \{ return (\d+); \}", impl)[1])
    body = re.search(r"::regionBuilder\(.*?\n}\n", impl, re.S)[0]
    expr, types = read_body(body, num_args)
    names = [f"I{i}" for i in range(num_args - 1)] + ["O"]
    type_names = []
    for i in range(num_args):
        root = types.find(i)
        # A fixed type is better not written as a cast to itself.
        type_names.append(root if isinstance(root, str) else
                          "U" if root == types.find(num_args - 1) else f"T{root}")

    iterators = re.search(r"getIteratorTypesArray\(\) \{(.*?)\n\}", impl, re.S)[1]
    iterators = re.findall(r"IteratorType::(\w+)", iterators.split("return", 1)[1])
    maps = re.findall(r'"(affine_map<.*?>)"', impl)
    rank_polymorphic = not maps
    if rank_polymorphic:
        iterators, maps = [], ["affine_map<() -> ()>"] * num_args
    attributes = re.findall(
        r'DefaultValuedOptionalAttr<RankedI64ElementsAttr<\[\d+\]>, "\{ (.*?) \}">:\$(\w+)', ods)
    attribute_symbols = {}
    for symbol, getter, element in re.findall(
            r"int64_t cst(\d+) = self\.get(\w+)\(\)\.getValues<int64_t>\(\)\[(\d+)\];", impl):
        attribute_symbols[int(symbol)] = (getter.lower(), int(element))
    shapes = shapes_of(maps, attribute_symbols)

    text += "structured_op: !LinalgStructuredOpConfig\n  args:\n"

    def add(fields):
        nonlocal text
        text += "  - !LinalgOperandDefConfig\n"
        text += "".join(f"    {key}: {value}\n" for key, value in fields)

    for i in range(num_args):
        is_output = i == num_args - 1
        is_scalar = not is_output and (name == "fill" if rank_polymorphic
                                       else maps[i].endswith("-> ()>"))
        fields = [("name", names[i]), ("type_var", type_names[i]),
                  ("kind", "output_tensor" if is_output else
                   "scalar" if is_scalar else "input_tensor")]
        if not is_scalar:
            fields.append(("shape_map", shapes[i]))
        add(fields)
    symbols = maps[0][maps[0].index("["):maps[0].index("]") + 1] if "[" in maps[0] else ""
    for values, attribute in attributes:
        of = sorted((element, symbol) for symbol, (getter, element) in attribute_symbols.items()
                    if getter == attribute)
        results = ", ".join(f"s{symbol}" for _, symbol in of)
        defaults = re.findall(r"\((-?\d+)\)", values)
        add([("name", attribute), ("kind", "index_attr"),
             ("index_attr_map", f"affine_map<(){symbols} -> ({results})>"),
             ("default_indices", "[" + ", ".join(defaults) + "]")])
    for default, attribute in re.findall(
            r'DefaultValuedOptionalAttr<TypeFnAttr, "TypeFn::(\w+)">:\$(\w+)', ods):
        add([("name", attribute), ("kind", "type_fn_attr"), ("default_fn", default)])

    text += "  indexing_maps: !LinalgIndexingMapsConfig\n    static_indexing_maps:\n"
    text += "".join(f"    - {m}\n" for m in maps)
    text += "  iterator_types:" + ("\n" if iterators else " []\n")
    text += "".join(f"  - {i}\n" for i in iterators)
    text += "  assignments:\n  - !ScalarAssign\n    arg: O\n    value: !ScalarExpression\n"
    text += indent(print_expr(name_types(expr, names, type_names)), 6)
    return name, text


def main():
    prefix, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    generated = prefix / "include/mlir/Dialect/Linalg/IR/LinalgNamedStructuredOps.yamlgen"
    ods = pathlib.Path(f"{generated}.td").read_text()
    impl = pathlib.Path(f"{generated}.cpp.inc").read_text()
    texts = []
    parts = re.split(r"^// Implementation of (\w+)$", impl, flags=re.M)
    impl_of = dict(zip(parts[1::2], parts[2::2]))
    for part in re.split(r"^def ", ods, flags=re.M)[1:]:
        texts.append(convert(part, impl_of[re.match(r"(\w+)", part)[1]]))
    out.write_text("".join(text for _, text in texts))

    tool = prefix / "bin/mlir-linalg-ods-yaml-gen"
    again = [pathlib.Path(f"{out}.td"), pathlib.Path(f"{out}.inc")]
    subprocess.run([tool, out, f"-o-ods-decl={again[0]}", f"-o-impl={again[1]}"], check=True)
    for made, original in zip(again, (ods, impl)):
        assert made.read_text() == original, f"{made} differs from what LLVM installs"
    print(f"{len(texts)} ops")
    apart = sys.argv[3:]
    for name, text in texts:
        if name in apart:
            (out.parent / f"{name}.yaml").write_text(text)
    out.write_text("".join(text for name, text in texts if name not in apart))


main()
