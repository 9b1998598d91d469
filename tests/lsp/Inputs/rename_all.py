# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Usage: rename_all.py FILE...

Gives every name of each file another one, one at a time, by `einc lsp`, and
looks whether the program then has the diagnostics that it had."""
import json
import re
import subprocess
import sys

server = subprocess.Popen(["einc", "lsp"], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE)
last_id = 0


def send(**message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    server.stdin.flush()


def read():
    length = 0
    while line := server.stdout.readline().strip():
        length = int(line.split(b":")[1])
    return json.loads(server.stdout.read(length))


def request(method, **params):
    global last_id
    last_id += 1
    send(id=last_id, method=method, params=params)
    return read()


def check(uri, text):
    """The codes of its diagnostics."""
    send(method="textDocument/didOpen", params={"textDocument": {
        "uri": uri, "languageId": "ein", "version": 1, "text": text}})
    codes = [d["code"] for d in read()["params"]["diagnostics"]]
    return codes


def close(uri):
    send(method="textDocument/didClose", params={"textDocument": {"uri": uri}})
    read()


def apply(lines, edits):
    units = [line.encode("utf-16-le") for line in lines]
    for edit in reversed(edits):
        start, end = edit["range"]["start"], edit["range"]["end"]
        line = units[start["line"]]
        units[start["line"]] = (line[:2 * start["character"]] +
                                edit["newText"].encode("utf-16-le") +
                                line[2 * end["character"]:])
    return "\n".join(line.decode("utf-16-le") for line in units)


request("initialize", capabilities={})
count = changed = 0
for name in sys.argv[1:]:
    with open(name, encoding="utf-8") as file:
        text = file.read()
    uri = "untitled:" + name
    before = check(uri, text)
    seen = set()
    lines = text.split("\n")
    for number, line in enumerate(lines):
        for word in re.finditer(r"[^\W\d]\w*", line):
            # A letter of a string may be a name of its own.
            in_string = line[:word.start()].count('"') % 2
            for at in range(word.start(), word.end() if in_string
                            else word.start() + 1):
                position = {"line": number, "character":
                            len(line[:at].encode("utf-16-le")) // 2}
                # Letters of einsum are renamed to a letter.
                new = "Ω" if in_string else "zz9"
                answer = request("textDocument/rename", position=position,
                                 textDocument={"uri": uri}, newName=new)
                edits = answer.get("result", {}).get("changes", {}).get(uri)
                if not edits or str(edits) in seen:
                    continue
                seen.add(str(edits))
                count += 1
                after = check("untitled:renamed", apply(lines, edits))
                close("untitled:renamed")
                if after != before:
                    changed += 1
                    print(f"{name}:{number + 1}:{at + 1}: {word[0]}: {after}")
    close(uri)
request("shutdown")
send(method="exit")
print(f"{count} names, {changed} mean another thing, status {server.wait()}")
