#===- html-page.py - What is in one of einc's pages -----------------------===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# Usage: html-page.py PAGE.html
#
# Checks that the page is well-formed, that it asks for no other file, and, where
# there is a `node`, that its script can be parsed. Prints its document of JSON.
#
#===-----------------------------------------------------------------------===#
import html.parser
import json
import pathlib
import shutil
import subprocess
import sys

EMPTY = {"meta", "link", "input", "br"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.scripts = [], []

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("src", "href") and not value.startswith(("#", "data:")):
                sys.exit(f"<{tag} {name}={value}> is another file")
        if tag not in EMPTY:
            self.open.append(tag)
        if tag == "script":
            self.scripts.append((dict(attributes), ""))

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            sys.exit(f"</{tag}> at {self.getpos()} ends none of {self.open}")
        self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            attributes, text = self.scripts[-1]
            self.scripts[-1] = (attributes, text + data)
        if self.open and self.open[-1] == "style" and ("@import" in data or "url(" in data):
            sys.exit("the style asks for another file")


page = Page()
page.feed(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
page.close()
if page.open or len(page.scripts) != 2:
    sys.exit(f"{page.open} are open; there are {len(page.scripts)} scripts")
(attributes, data), (_, script) = page.scripts
if attributes != {"type": "application/json", "id": "data"}:
    sys.exit(f"the first script is {attributes}")
if shutil.which("node"):
    path = pathlib.Path(sys.argv[1] + ".js")
    path.write_text(script, encoding="utf-8")
    subprocess.run(["node", "--check", path], check=True)
json.dump(json.loads(data), sys.stdout, indent=1, ensure_ascii=False)
print()
