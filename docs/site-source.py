#!/usr/bin/env python3
#===- site-source.py - Put the site's sources together, and check the site ===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# Usage: docs/site-source.py copy BUILD     BUILD/site-source for mkdocs
#        docs/site-source.py check BUILD    every link in BUILD/site
#
# The documents keep their places relative to each other, so that a link means
# in the site what it means in the repository. The pages that the build made go
# to docs/reference/generated.
#
#===-----------------------------------------------------------------------===#
import glob
import html.parser
import os
import shutil
import subprocess
import sys
import urllib.parse

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCES = ["*.md", "LICENSE", "docs/**/*.md", "docs/**/*.svg", "bench/*.md",
           "examples"]
# mlir-tblgen's pages have no title.
TITLES = {"EinPasses.md": "Passes", "EinDialect.md": None, "EinOps.md": "Ops"}


def copy(build):
    target = os.path.join(build, "site-source")
    shutil.rmtree(target, ignore_errors=True)
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--",
         *(f":(glob){source}" for source in SOURCES), ":examples"],
        cwd=ROOT, check=True, text=True, capture_output=True).stdout
    for path in listed.split():
        to = os.path.join(target, path)
        os.makedirs(os.path.dirname(to), exist_ok=True)
        shutil.copyfile(os.path.join(ROOT, path), to)
    generated = os.path.join(target, "docs/reference/generated")
    os.makedirs(generated)
    for path in glob.glob(os.path.join(build, "docs", "*.md")):
        name = os.path.basename(path)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if TITLES.get(name):
            text = f"# {TITLES[name]}\n\n{text}"
        with open(os.path.join(generated, name), "w", encoding="utf-8") as file:
            file.write(text)


class Page(html.parser.HTMLParser):
    """What a page of the site links to, and what can be linked to in it."""

    def __init__(self, path):
        super().__init__()
        self.links, self.anchors = [], set()
        with open(path, encoding="utf-8") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.links.append(value)
            elif name in ("id", "name") and value:
                self.anchors.add(value)


def check(build):
    site = os.path.join(build, "site")
    pages = {path: Page(path) for path in
             glob.glob(os.path.join(site, "**", "*.html"), recursive=True)}
    failures = 0
    for path, page in pages.items():
        for link in page.links:
            url = urllib.parse.urlsplit(link)
            if url.scheme or url.netloc:
                continue
            to = path
            if url.path:
                base = site if url.path.startswith("/") else os.path.dirname(path)
                to = os.path.normpath(os.path.join(
                    base, urllib.parse.unquote(url.path).lstrip("/")))
            anchor = urllib.parse.unquote(url.fragment)
            if path.endswith("404.html"):
                continue
            if not os.path.isfile(to) or (
                    anchor and to in pages and anchor not in pages[to].anchors):
                print(f"error: {os.path.relpath(path, site)}: broken link {link}")
                failures += 1
    print(f"{len(pages)} pages, {failures} broken links")
    return 1 if failures or not pages else 0


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("copy", "check"):
        sys.exit(f"error: {sys.argv[0]} copy|check BUILD")
    return (copy if sys.argv[1] == "copy" else check)(sys.argv[2])


sys.exit(main())
